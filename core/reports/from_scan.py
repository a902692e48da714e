"""A scan and its listed pairs as a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial

import numpy as np

from core.base.arrays import IntegerArray
from core.base.messages import in_english, nstored, stored
from core.base.tasks import Progress, ProgressReport, Stage
from core.base.wording import excerpt, printable_name
from core.evidence.pairs import Pairs
from core.evidence.shared_words import SharedWords
from core.reports import scopes
from core.reports.choice import NO_CHOICE, ReportChoice, Scope
from core.reports.curve.state import folder_pairs
from core.reports.model import Report
from core.reports.shown_text import shown_pieces
from core.reports.why_words import pair_reasons
from core.reports.withheld.key import NameKey
from core.reports.withheld.report import in_order_of_labels, withheld_report
from core.scan.common_text import CommonText
from core.scan.judgements import Judgements
from core.scan.pair_list import PairList
from core.scan.pair_text import shared_text, with_others
from core.scan.passage_list import find_judged
from core.scan.scan import Scan, audited_texts
from core.scan.slips import find_slips

MEASURED_CHARACTERS = 1 << 30  # of the texts of pairs: about a minute on two cores
COMMON_TEXTS = 20  # of the passages in too many documents, the most common


def _notes(scan: Scan, report: Report, *, finished: bool) -> Iterator[str]:
    """The notes of a report: with those of its list what is to be said of the scan."""
    if not finished:
        yield nstored(
            "The scan was not finished. This is what was found among the first {n} document.",
            "The scan was not finished. This is what was found among the first {n} documents.",
            len(report.documents),
        )
    yield from report.notes
    yield from (_in_words(report, text) for text in scan.common_texts(COMMON_TEXTS))


def _in_words(report: Report, common: CommonText) -> str:
    """A text that is in too many documents; its first words where texts are told."""
    number = common.document
    cuts = (common.start, common.end)
    what = nstored(
        "a passage of {n} character", "a passage of {n} characters", common.end - common.start
    )
    if report.choice.shows_text:
        (text,) = shown_pieces(report.text_of(number), cuts, report.withheld_in(number))
        what = f"“{excerpt(text)}”"
    return stored(
        "In {number} documents, for instance {name}: {text}",
        number=f"{common.documents:,}",
        name=report.name_of(number),
        text=what,
    )


def report_of(
    scan: Scan,
    found: PairList,
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
    `choice` says of which of all pairs the report is, and what of them is told. Where names are
    withheld, `key` gets the labels that it has not: save it before the report is written.
    """
    said = judgements or scan.decided.judgements
    if finished and (said.verdicts or said.notes or said.added or choice.scope is Scope.PAIR):
        found = with_others(scan, found, said)
    seen = np.arange(len(found.rows)) if rows is None else rows
    chosen = scopes.chosen_rows(found, seen, said, choice)
    pairs = found.rows.take(chosen)
    # Of pairs that were asked for nothing is said of those of others.
    traces = seen if choice.scope is Scope.SHOWN and not choice.weak_traces else seen[:0]
    whole = replace(_of_all(scan, found, said), shown=shown, choice=choice)
    whole = _measured(whole, scan, found) if finished else whole
    whole = replace(whole, given_verdicts=whole.list_verdicts)
    if choice.file_properties:
        from core.scan.properties import properties_of_scan  # noqa: PLC0415 - all readers

        whole = replace(whole, file_properties=properties_of_scan(scan))
    if not choice.names:
        whole = _withheld(scan, whole, key or NameKey(), scopes.texts_shown(pairs, choice))
    with in_english():
        subject = scopes.subject_of(choice, whole.documents, whole.shown)
    made = replace(
        whole,
        pairs=pairs,
        ranks=_ranks(found, chosen),
        unlisted=_unlisted(scan, found, seen, said, choice),
        groups=scopes.groups_in(found, pairs, said, choice),
        title=subject.title,
        subject=subject.names,
        traces_left_out=int(scopes.unjudged_traces(found, said)[traces].sum()),
        shown=subject.shown,
        notes=tuple(_notes(scan, whole, finished=finished)),
        created=choice.created or datetime.now(UTC).astimezone(),
    )
    made = _of_the_part(made) if made.is_partial else made
    return made if choice.names else in_order_of_labels(made)


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


def _unlisted(
    scan: Scan, pair_list: PairList, seen: IntegerArray, said: Judgements, choice: ReportChoice
) -> Sequence[tuple[int, int]]:
    """Where a report is of all pairs, those of few documents in which nothing was found.

    Those of which something is said are among its pairs.
    """
    left_out = scopes.unjudged_traces(pair_list, said)[: len(pair_list.pairs)]
    left_out[seen[seen < len(pair_list.pairs)]] = True
    if choice.scope is not Scope.SHOWN or scan.decided.part is not None or not left_out.all():
        return ()
    judged = pair_list.rows.take(
        (pair_list.rows.found_by == 0) & ~scopes.unjudged_others(pair_list, said)
    )
    judged_pairs = {*zip(judged.a.tolist(), judged.b.tolist(), strict=True)}
    return [pair for pair in pair_list.unlisted if pair not in judged_pairs]


def _of_the_part(report: Report) -> Report:
    """The report without what tells of documents that it is not about."""
    others = {document.name for document in report.documents}
    others.difference_update(document.name for document in report.concerned)
    notes = [note for note in report.notes if not any(name in note for name in others)]
    if report.problems:
        notes.append(
            nstored(
                "{n} file of the folder gave no text; this report does not name them.",
                "{n} files of the folder gave no text; this report does not name them.",
                len(report.problems),
            )
        )
    return replace(
        report,
        notes=notes,
        problems=(),
        judgements=report.judgements._replace(audit=None),
    )


def _of_all(scan: Scan, pair_list: PairList, said: Judgements) -> Report:
    """All pairs of a list, without groups and notes."""
    audit = said.audit
    return Report(
        folders=[printable_name(folder.resolve().name or str(folder)) for folder in scan.folders],
        roles=scan.roles.roles,
        settings=pair_list.settings,
        documents=pair_list.documents,
        pairs=pair_list.rows,
        compared=pair_list.compared,
        reworked_complete=pair_list.reworked_complete,
        is_part_of_run=scan.decided.part is not None,
        counts=pair_list.counts,
        passages_of=lambda a, b: shared_text(scan, a, b, pair_list.settings, said),
        text_of=scan.texts.__getitem__,
        problems=pair_list.problems,
        notes=pair_list.notes,
        judgements=said,
        find_judged=partial(find_judged, scan, said.passages),
        set_aside=scan.set_aside,
        rules=scan.decided.rules,
        audit_is_current=audit is not None
        and audit.is_of(pair_list.settings, audited_texts(scan).fingerprint),
        log=scan.decided.log,
        reading=scan.reading or scan.decided.kept_reading,
        shared_by_both=pair_list.shared_by_both,
    )


def _measured(report: Report, scan: Scan, pair_list: PairList) -> Report:
    """The report with what is measured of a complete scan once a writer asks for it."""
    spellings = cache(lambda a, b: find_slips(scan, (a, b)))
    return replace(
        report,
        find_folder=partial(folder_pairs, scan, pair_list, pair_list.settings),
        find_reasons=partial(
            pair_reasons, scan, pair_list, spellings=spellings, quotes=report.choice.quotes
        ),
        find_spellings=spellings,
        find_overlaps=partial(_overlaps_of, scan, pair_list),
    )


def _overlaps_of(scan: Scan, pair_list: PairList, pairs: Pairs, progress: Progress) -> SharedWords:
    """How much of each other's text pairs of documents have; -1 of the last of very many."""
    numbers, lengths = SharedWords.none(len(pairs)), scan.whole.texts.lengths
    work = np.cumsum(lengths[pairs.a] + lengths[pairs.b])
    rows, done = np.flatnonzero(work <= MEASURED_CHARACTERS), 0
    for some, shared in scan.measure_later(pair_list, pairs, rows):
        numbers.put(some, shared)
        done += len(some)
        progress(ProgressReport(Stage.COMPARE, done, len(rows)))
    return numbers


def _withheld(scan: Scan, report: Report, key: NameKey, of_interest: Sequence[int]) -> Report:
    """The report with labels, and without what has none: a run's name, what was asked of it."""
    notes = report.notes
    if scan.decided.part is not None:
        run = scan.decided.part.run
        named, those = f", “{run.name}”:", f", those{run.asked}," if run.asked else ","
        notes = [note.replace(named, ":", 1).replace(those, ",", 1) for note in notes]
    return withheld_report(replace(report, notes=notes), key, of_interest)
