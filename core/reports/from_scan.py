"""A scan and its listed pairs as a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from core.base.arrays import IntegerArray
from core.base.progress import Cancelled, never
from core.base.wording import counted, excerpt, printable_name
from core.evidence.passages import SharedText
from core.reports.choice import NO_CHOICE, ReportChoice
from core.reports.model import Report
from core.scan.groups import group_documents
from core.scan.judged_passages import find_judged
from core.scan.judgements import Judgements
from core.scan.kept_audit import audited_texts
from core.scan.pair_list import PairList
from core.scan.pair_text import shared_text
from core.scan.scan import Scan

__all__ = ["report_of"]

COMMON_TEXTS = 20  # of the passages in too many documents, the most common


def report_of(
    scan: Scan,
    found: PairList,
    rows: IntegerArray | None = None,
    *,
    shown: str = "",
    finished: bool = True,
    judgements: Judgements | None = None,
    choice: ReportChoice = NO_CHOICE,
    cancelled: Cancelled = never,
) -> Report:
    """What a scan found, ready to be written.

    `rows` are the pairs the user sees, by default all; `shown` is a sentence on filter and order.
    `finished` says whether all files were read; `judgements` are by default those of the scan.
    """
    rows = np.arange(len(found.pairs)) if rows is None else rows
    pairs, said = found.pairs.take(rows), judgements or scan.decided.judgements
    return Report(
        folders=list(map(_folder_name, scan.folders)),
        roles=scan.roles.roles,
        settings=found.settings,
        documents=found.documents,
        pairs=pairs,
        ranks=rows + 1,
        compared=found.compared,
        counts=found.counts,
        passages_of=_passages_of(scan, found, said, cancelled),
        text_of=scan.texts.__getitem__,
        problems=found.problems,
        notes=_notes(scan, found, finished=finished),
        shown=shown,
        groups=group_documents(pairs, found.documents, said),
        judgements=said,
        find_judged=partial(find_judged, scan, said.passages, cancelled),
        set_aside=scan.set_aside,
        rules=scan.decided.rules,
        audit_is_current=_is_current(scan, found, said),
        choice=choice,
    )


def _is_current(scan: Scan, found: PairList, said: Judgements) -> bool:
    """Whether the audit that is kept is of this list."""
    kept = said.audit
    return kept is not None and kept.is_of(found.settings, audited_texts(scan).fingerprint)


def _folder_name(folder: Path) -> str:
    return printable_name(folder.resolve().name or str(folder))


def _passages_of(
    scan: Scan, found: PairList, said: Judgements, cancelled: Cancelled
) -> Callable[[int, int], SharedText]:
    def shared(a: int, b: int) -> SharedText:
        return shared_text(scan, a, b, found.settings, cancelled, said)

    return shared


def _notes(scan: Scan, found: PairList, *, finished: bool) -> tuple[str, ...]:
    """What the scan capped or left out."""
    return (*_unfinished(found, finished=finished), *found.notes, *_common_texts(scan))


def _unfinished(found: PairList, *, finished: bool) -> Iterator[str]:
    """A sentence on files that were not read any more."""
    if not finished:
        documents = counted(len(found.documents), "document")
        yield f"The scan was not finished. This is what was found among the first {documents}."


def _common_texts(scan: Scan) -> Iterator[str]:
    for common in scan.common_texts(COMMON_TEXTS):
        text = scan.texts[common.document][common.start : common.end]
        name = scan.documents[common.document].name
        yield f"In {common.documents:,} documents, for instance {name}: “{excerpt(text)}”"
