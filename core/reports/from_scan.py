"""A scan and its listed pairs as a report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

import numpy as np

from core.base.arrays import IntegerArray
from core.base.messages import in_english, nstored, stored
from core.base.tasks import Progress, ProgressReport, Stage
from core.base.wording import excerpt, printable_name
from core.documents.model import PairKey
from core.evidence.pairs import Pairs
from core.evidence.shared_words import SharedWords
from core.reports import scopes
from core.reports.curve.state import folder_pairs
from core.reports.model import Report
from core.reports.pseudonyms.key import NameKey
from core.reports.pseudonyms.report import in_order_of_labels, withheld_report
from core.reports.report_choice import NO_CHOICE, ReportChoice, Scope
from core.reports.shown_text import shown_pieces
from core.reports.why_words import pair_reasons
from core.scan.common_text import CommonText
from core.scan.judgements import Judgements
from core.scan.pair_details import shared_text, with_extra_pairs
from core.scan.pair_list import PairList
from core.scan.passage_list import find_judged
from core.scan.scan import Scan, audited_texts
from core.scan.shared_mistakes import find_slips

MEASURED_CHARACTERS = 1 << 30  # of the texts of pairs: about a minute on two cores
COMMON_TEXTS = 20  # of the passages in too many documents, the most common


def _notes(scan: Scan, report: Report, *, finished: bool) -> Iterator[str]:
    """The notes of a report: those of its list, and those on the scan."""
    if not finished:
        yield nstored(
            "The scan was not finished. This is what was found among the first {n} document.",
            "The scan was not finished. This is what was found among the first {n} documents.",
            len(report.documents),
        )
    yield from report.notes
    yield from (_in_words(report, text) for text in scan.common_texts(COMMON_TEXTS))


def _in_words(report: Report, common: CommonText) -> str:
    """A sentence on a text in too many documents, with its first words if texts are shown."""
    number = common.document
    cuts = (common.start, common.end)
    passage = nstored(
        "a passage of {n} character", "a passage of {n} characters", common.end - common.start
    )
    if report.choice.shows_text:
        (text,) = shown_pieces(report.text_of(number), cuts, report.withheld_in(number))
        passage = f"“{excerpt(text)}”"
    return stored(
        "In {number} documents, for instance {name}: {text}",
        number=f"{common.documents:,}",
        name=report.name_of(number),
        text=passage,
    )


def report_of(
    scan: Scan,
    pair_list: PairList,
    rows: IntegerArray | None = None,
    *,
    shown: str = "",
    finished: bool = True,
    judgements: Judgements | None = None,
    choice: ReportChoice = NO_CHOICE,
    key: NameKey | None = None,
) -> Report:
    """What a scan found, ready to be written.

    `rows` are the pairs the user sees, by default all; `shown` is a sentence on filter and order.
    `finished` says whether all files were read; `judgements` are by default those of the scan.
    `choice` says which pairs are in the report, and what is shown of them. Where names are
    withheld, `key` gets the labels that it has not: save it before the report is written.
    """
    judged = judgements or scan.decided.judgements
    if finished and (judged.verdicts or judged.notes or judged.added or choice.scope is Scope.PAIR):
        pair_list = with_extra_pairs(scan, pair_list, judged, beside_lists=True)
    seen = np.arange(len(pair_list.rows)) if rows is None else rows
    pair_list, seen = _as_marked(pair_list, seen, judged)
    chosen = scopes.chosen_rows(pair_list, seen, judged, choice)
    pairs = pair_list.rows.take(chosen)
    is_whole = scopes.is_whole_list(pair_list, seen, judged, choice)
    # A report on requested pairs says nothing of the traces among other pairs.
    traces = seen if choice.scope is Scope.SHOWN and not choice.weak_traces else seen[:0]
    report = replace(_of_all(scan, pair_list, judged), shown=shown, choice=choice)
    report = _measured(report, scan, pair_list) if finished else report
    report = replace(report, given_verdicts=report.list_verdicts)
    if choice.file_properties:
        from core.scan.properties import properties_of_scan  # noqa: PLC0415 - all readers

        report = replace(report, file_properties=properties_of_scan(scan))
    if not choice.names:
        report = _withheld(scan, report, key or NameKey(), scopes.texts_shown(pairs, choice))
    with in_english():
        subject = scopes.subject_of(choice, report.documents, report.shown)
    made = replace(
        report,
        pairs=pairs,
        ranks=_ranks(pair_list, chosen),
        unlisted=_unlisted(pair_list, judged) if is_whole else (),
        groups=scopes.groups_in(pair_list, pairs, judged, choice, is_whole=is_whole),
        title=subject.title,
        subject=subject.names,
        traces_left_out=int(scopes.unjudged_traces(pair_list, judged)[traces].sum()),
        shown=subject.shown,
        notes=tuple(_notes(scan, report, finished=finished)),
        created=choice.created or datetime.now(UTC).astimezone(),
    )
    made = _of_the_part(made) if made.is_partial else made
    return made if choice.names else in_order_of_labels(made)


def _as_marked(
    pair_list: PairList, rows: IntegerArray, judgements: Judgements
) -> tuple[PairList, IntegerArray]:
    """A list and rows of it, without pairs that are listed for a mark that was taken back since."""
    extra, documents = pair_list.extra_pairs, pair_list.documents
    if pair_list.is_of_few:
        return pair_list, rows
    ends = zip(extra.a.tolist(), extra.b.tolist(), strict=True)
    marked = [judgements.is_marked(PairKey.of(documents[a], documents[b])) for a, b in ends]
    if all(marked):
        return pair_list, rows
    stays = np.append(np.ones(len(pair_list.pairs), np.bool_), marked)
    left = replace(pair_list, extra_pairs=extra.take(np.flatnonzero(marked)))
    return left, (np.cumsum(stays) - 1)[rows[stays[rows]]]


def _ranks(pair_list: PairList, chosen: IntegerArray) -> IntegerArray:
    """The numbers of rows in the list.

    Those of pairs that were added count on from its end, by which of them are in the report:
    whoever checks a report of some pairs does not know the others.
    """
    ranks = chosen + 1
    if not pair_list.is_of_few:
        added = np.flatnonzero(chosen >= len(pair_list.pairs))
        order = np.argsort(chosen[added])
        ranks[added[order]] = len(pair_list.pairs) + 1 + np.arange(len(added))
    return ranks


def _unlisted(pair_list: PairList, judgements: Judgements) -> Sequence[tuple[int, int]]:
    """The pairs of few documents in which nothing was found; those with a judgement are rows."""
    judged = pair_list.rows.take(
        (pair_list.rows.found_by == 0) & ~scopes.unjudged_extra_pairs(pair_list, judgements)
    )
    judged_pairs = {*zip(judged.a.tolist(), judged.b.tolist(), strict=True)}
    return [pair for pair in pair_list.unlisted if pair not in judged_pairs]


def _of_the_part(report: Report) -> Report:
    """The report without notes and problems of documents that it is not about."""
    omitted = {document.name for document in report.documents}
    omitted.difference_update(document.name for document in report.concerned)
    notes = [note for note in report.notes if not any(name in note for name in omitted)]
    if report.problems:
        notes.append(
            nstored(
                "{n} file of the folder gave no text; this report does not name them.",
                "{n} files of the folder gave no text; this report does not name them.",
                len(report.problems),
            )
        )
    return replace(
        report, notes=notes, problems=(), judgements=report.judgements._replace(audit=None)
    )


def shown_folder(folder: Path) -> str:
    """A folder as a report names it."""
    return printable_name(Path(os.path.realpath(folder)).name or str(folder))


def _of_all(scan: Scan, pair_list: PairList, judgements: Judgements) -> Report:
    """All pairs of a list, without groups and notes."""
    audit = judgements.audit
    return Report(
        folders=[shown_folder(folder) for folder in scan.folders],
        roles=scan.roles.roles,
        settings=pair_list.settings,
        documents=pair_list.documents,
        pairs=pair_list.rows,
        compared=pair_list.compared,
        reworked_complete=pair_list.reworked_complete,
        is_part_of_run=scan.decided.part is not None,
        counts=pair_list.counts,
        passages_of=lambda a, b: shared_text(scan, a, b, pair_list.settings, judgements),
        text_of=scan.texts.__getitem__,
        problems=pair_list.problems,
        notes=pair_list.notes,
        judgements=judgements,
        find_judged=partial(find_judged, scan, judgements.passages),
        set_aside=scan.set_aside,
        rules=scan.decided.rules,
        audit_is_current=audit is not None
        and audit.is_of(pair_list.settings, audited_texts(scan).fingerprint),
        log=scan.decided.log,
        reading=scan.read_with,
        shared_by_both=pair_list.shared_by_both,
    )


def _measured(report: Report, scan: Scan, pair_list: PairList) -> Report:
    """The report with measurements of a complete scan, made once a writer asks for them."""
    spellings = cache(lambda a, b: find_slips(scan, (a, b)))
    return replace(
        report,
        find_folder=partial(folder_pairs, scan, pair_list, pair_list.settings),
        find_reasons=partial(
            pair_reasons,
            scan,
            pair_list,
            report.judgements,
            spellings=spellings,
            quotes=report.choice.quotes,
        ),
        find_spellings=spellings,
        find_overlaps=partial(_overlaps_of, scan, pair_list),
    )


def _overlaps_of(scan: Scan, pair_list: PairList, pairs: Pairs, progress: Progress) -> SharedWords:
    """How much of each other's text pairs of documents have; -1 of the last of very many."""
    numbers, lengths = SharedWords.none(len(pairs)), scan.full_corpus.texts.lengths
    work = np.cumsum(lengths[pairs.a] + lengths[pairs.b])
    rows, done = np.flatnonzero(work <= MEASURED_CHARACTERS), 0
    for measured, shared in scan.measure_later(pair_list, pairs, rows):
        numbers.put(measured, shared)
        done += len(measured)
        progress(ProgressReport(Stage.COMPARE, done, len(rows)))
    return numbers


def _withheld(scan: Scan, report: Report, key: NameKey, of_interest: Sequence[int]) -> Report:
    """The report with labels, and without a run's name and query, which have none."""
    notes = report.notes
    if scan.decided.part is not None:
        run = scan.decided.part.run
        named, those = f", “{run.name}”:", f", those{run.asked}," if run.asked else ","
        notes = [note.replace(named, ":", 1).replace(those, ",", 1) for note in notes]
    return withheld_report(replace(report, notes=notes), key, of_interest)
