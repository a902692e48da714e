"""The numbers of each document in a list: its length, its pairs, how much of it is in others.

How much of a text stands in others is measured where its text is compared with theirs
(`core.scan.pair_text.shared_parts`). Until then it is the share of its fingerprints that another
document holds, too. They are drawn evenly from the text (`core.signatures.winnowing`), so the share
is an estimate, and never less than the overlap of a pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, begins_run
from core.base.tasks import stop_if_cancelled
from core.candidates.shared_fingerprints import document_bits, sorted_fingerprints
from core.evidence.pairs import Pairs
from core.scan.joining import to_review
from core.scan.state import ScanState
from core.text.set_aside import merged
from core.text.shingling import Fingerprints


class DocumentColumns(NamedTuple):
    """Numbers of all documents, row for row.

    Attributes:
        units: int64, words or characters, as the settings count them.
        pairs: int64, in how many listed pairs.
        highest: float64, the largest share of its words that stands in one other document: its side
            of the overlap of a pair, or where that was not measured the containment; 0 without.
        elsewhere: float64, the share of the text that stands in other documents, estimated.
        set_aside: float64, the share of its characters that is set aside.
    """

    units: Int64Array
    pairs: Int64Array
    highest: Float64Array
    elsewhere: Float64Array
    set_aside: Float64Array


def document_columns(state: ScanState, pairs: Pairs) -> DocumentColumns:
    """The numbers of the documents of a scan, under a list of its pairs."""
    count = len(state.documents)
    both = np.concatenate([pairs.a, pairs.b])
    overlaps = np.concatenate([pairs.overlap_a, pairs.overlap_b])
    contained = np.concatenate([pairs.containment_a, pairs.containment_b])
    highest = np.zeros(count)
    np.maximum.at(highest, both, np.where(overlaps < 0, contained, overlaps))
    stop_if_cancelled()
    shares = _shares_elsewhere(state.signed.fingerprints, to_review(state.documents))
    return DocumentColumns(
        units=state.signed.units,
        pairs=np.bincount(both, minlength=count),
        highest=highest,
        elsewhere=np.maximum(shares, highest),
        set_aside=_shares_set_aside(state),
    )


def _shares_elsewhere(fingerprints: Fingerprints, are_reviewed: BoolArray) -> Float64Array:
    """The share of the fingerprints of each text that another one holds too.

    Of a reference only what a document to review holds: references are not compared.
    """
    count = len(fingerprints.counts)
    bits = document_bits(count)
    everyone: BoolArray = np.ones(count, dtype=np.bool_)
    keys = sorted_fingerprints(fingerprints, everyone, bits)
    stop_if_cancelled()
    if not len(keys):
        return np.zeros(count)
    keys = keys[begins_run(keys)]
    is_first = np.append(True, (keys[1:] ^ keys[:-1]) >> bits > 0)
    stop_if_cancelled()
    numbers = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    starts = np.flatnonzero(is_first)
    held = np.diff(np.append(starts, len(keys)))
    reviewed = np.add.reduceat(are_reviewed[numbers].astype(np.int64), starts)
    is_shared = np.repeat((held > 1) & (reviewed > 0), held)
    totals = np.bincount(numbers, minlength=count)
    shared = np.bincount(numbers[is_shared], minlength=count)
    return shared / np.maximum(totals, 1)


def _shares_set_aside(state: ScanState) -> Float64Array:
    """The share of the characters of each text that is set aside."""
    shares = np.zeros(len(state.documents))
    for number, spans in state.set_aside.items():
        left_out = int(np.diff(merged(spans)).sum())
        shares[number] = left_out / max(state.documents[number].characters, 1)
    return shares
