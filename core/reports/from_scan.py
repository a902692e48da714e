"""A scan and its listed pairs as a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from core.base.arrays import IntegerArray
from core.base.progress import Cancelled, never
from core.base.wording import counted, excerpt, printable_name
from core.evidence.passages import SharedText
from core.reports.choice import NO_CHOICE, ReportChoice
from core.reports.curve.folder_pairs import folder_pairs
from core.reports.model import Report
from core.reports.pair_reasons import pair_reasons
from core.reports.scopes import chosen_rows, groups_in, subject_of
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
    `choice` says of which of all pairs the report is, and what of them is told.
    """
    said = judgements or scan.decided.judgements
    seen = np.arange(len(found.pairs)) if rows is None else rows
    chosen = chosen_rows(found, seen, said, choice)
    pairs = found.pairs.take(chosen)
    subject = subject_of(choice, found.documents, shown)
    whole = _of_all(scan, found, said, cancelled)
    return replace(
        _measured(whole, scan, found, cancelled) if finished else whole,
        pairs=pairs,
        ranks=chosen + 1,
        groups=groups_in(found, pairs, said, choice),
        title=subject.title,
        subject=subject.names,
        shown=subject.shown,
        notes=_notes(scan, found, choice, finished=finished),
        choice=choice,
        created=choice.created or datetime.now(UTC).astimezone(),
    )


def _of_all(scan: Scan, found: PairList, said: Judgements, cancelled: Cancelled) -> Report:
    """All pairs of a list, without groups and notes."""
    return Report(
        folders=list(map(_folder_name, scan.folders)),
        roles=scan.roles.roles,
        settings=found.settings,
        documents=found.documents,
        pairs=found.pairs,
        compared=found.compared,
        counts=found.counts,
        passages_of=_passages_of(scan, found, said, cancelled),
        text_of=scan.texts.__getitem__,
        problems=found.problems,
        judgements=said,
        find_judged=partial(find_judged, scan, said.passages, cancelled),
        set_aside=scan.set_aside,
        rules=scan.decided.rules,
        audit_is_current=_is_current(scan, found, said),
    )


def _measured(report: Report, scan: Scan, found: PairList, cancelled: Cancelled) -> Report:
    """The report with what is measured of a complete scan once a writer asks for it."""
    folder = partial(folder_pairs, scan, found, found.settings, cancelled=cancelled)
    reasons = partial(pair_reasons, scan, found, cancelled)
    return replace(report, find_folder=folder, find_reasons=reasons)


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


def _notes(scan: Scan, found: PairList, choice: ReportChoice, *, finished: bool) -> tuple[str, ...]:
    """What the scan capped or left out."""
    common = _common_texts(scan, told=choice.passages)
    return (*_unfinished(found, finished=finished), *found.notes, *common)


def _unfinished(found: PairList, *, finished: bool) -> Iterator[str]:
    """A sentence on files that were not read any more."""
    if not finished:
        documents = counted(len(found.documents), "document")
        yield f"The scan was not finished. This is what was found among the first {documents}."


def _common_texts(scan: Scan, *, told: bool) -> Iterator[str]:
    """What is in too many documents; `told` says whether its first words are."""
    for common in scan.common_texts(COMMON_TEXTS):
        text = scan.texts[common.document][common.start : common.end]
        name = scan.documents[common.document].name
        what = f"“{excerpt(text)}”" if told else f"a passage of {counted(len(text), 'character')}"
        yield f"In {common.documents:,} documents, for instance {name}: {what}"
