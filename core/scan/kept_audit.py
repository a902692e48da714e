"""An audit as a review keeps it: what was found out, of which list, when and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.documents.keys import DocumentKey
from core.scan.audit_results import AuditResult
from core.settings import ScanSettings

if TYPE_CHECKING:
    from core.scan.scan import Scan
    from core.text.store import TextStore

MOST_NAMED = 200  # pairs, copies and passages each that are kept by name
MIXERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


class KeptAudit(NamedTuple):
    """What an audit found out.

    Attributes:
        settings: Those of the list that was audited.
        texts: The `fingerprint` of the documents it was made of.
        documents: The documents that `result` names, by their numbers there; a number beyond them
            is that of a planted text.
        result: What was found out, with the first `MOST_NAMED` of what is missed.
        who: Who had it done.
        time: When it was done, ISO 8601 in UTC.
    """

    settings: ScanSettings
    texts: str
    documents: tuple[DocumentKey, ...]
    result: AuditResult
    who: str = ""
    time: str = ""

    def is_of(self, settings: ScanSettings, texts: str) -> bool:
        """Whether it tells of a list with these settings, of texts with this fingerprint."""
        return (self.settings, self.texts) == (settings, texts)


class AuditedTexts(NamedTuple):
    """The documents of a list that are there, which are audited.

    Attributes:
        texts: Their texts.
        to_review: Which of them are to review.
        numbers: int64, their numbers among the documents of the list.
        lengths: int64, how many units of each count.
        fingerprint: What tells them from others.
    """

    texts: TextStore
    to_review: BoolArray
    numbers: Int64Array
    lengths: Int64Array
    fingerprint: str


def fingerprint(digests: UInt64Array, to_review: BoolArray) -> str:
    """What tells documents from others, in any order: 32 hexadecimal digits and their number.

    Args:
        digests: uint64 (n, 2), of what counts in each text.
        to_review: Which of them are to review.
    """
    by_text, by_role, last = (np.uint64(number) for number in MIXERS)
    first = digests[:, 0] * by_text + digests[:, 1]
    first ^= np.where(to_review, by_role, np.uint64(0))
    first = (first ^ (first >> np.uint64(29))) * last
    second = (first ^ (first >> np.uint64(32))) * by_role
    sums = (int(column.sum(dtype=np.uint64)) for column in (first, second))
    return f"{''.join(f'{one:016x}' for one in sums)}-{len(digests)}"


def audited_texts(scan: Scan) -> AuditedTexts:
    """What an audit looks at: the documents of a scan that are there."""
    corpus, there = scan.corpus_for(scan.settings), [one.absence is None for one in scan.documents]
    return AuditedTexts(
        corpus.texts,
        corpus.to_review,
        np.flatnonzero(np.array(there, dtype=np.bool_)),
        corpus.signed.units,
        fingerprint(corpus.signed.digests, corpus.to_review),
    )


def shortened(result: AuditResult) -> AuditResult:
    """A result that names no more of what is missed than is kept."""
    proof, planting, reworked = result.proof, result.planting, result.reworked
    return result._replace(
        proof=proof and proof._replace(missed=proof.missed[:MOST_NAMED]),
        planting=planting and planting._replace(missed=planting.missed[:MOST_NAMED]),
        reworked=reworked and reworked._replace(missed=tuple(reworked.longest_missed[:MOST_NAMED])),
    )
