"""The last audit of the list: its results in words and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from core.base.messages import N_, gettext
from core.base.wording import comma_list, count, excerpt, listed, resemblance, share
from core.evidence.measures import length_in_words
from core.exclusions.rules import ExcludedShare, Phrase
from core.reports import audit_words
from core.reports.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Line,
    Prose,
    Row,
    Section,
    Span,
    SpanKind,
    Table,
    line,
)
from core.reports.curve.forecast_words import forecast
from core.reports.curve.picture import curve_picture
from core.reports.curve.state import FolderPairs, ThresholdState
from core.reports.limits import ReportLimits, exclusions_sentence, listed_phrases, rules_in_words
from core.reports.model import Report
from core.reports.sections.summary import cell, document_line, name, number_cell, section_of
from core.scan.audit_results import KeptAudit


def curve(report: Report, _limits: ReportLimits) -> Iterator[Section]:
    """The pairs found and missed; nothing where the pairs of the folder are not known."""
    if report.folder is not None:
        shows_all = len(report.pairs) >= report.list_counts.pairs
        blocks = _curve_blocks(
            ThresholdState.of(report.settings), report.folder, shows_all=shows_all
        )
        yield Section("curve", gettext("What the search finds"), blocks, gettext("Curve"))


def _curve_blocks(
    state: ThresholdState, folder: FolderPairs, *, shows_all: bool
) -> Iterator[Block]:
    if not shows_all:
        of_all = gettext("This is said of the whole list, of which this report shows a part.")
        yield Prose((line(of_all),), quiet=True)
    missed, extra, listing = forecast(state, folder)
    if folder.compared is not None:
        extra = ()  # of no interest where everything was compared
    yield Prose(tuple(filter(None, (missed, extra, listing))))
    if folder.compared != 0:
        yield curve_picture(state, folder)
        no_curve = gettext("All pairs were compared, so no curve says which are found.")
        bars = gettext(
            "The bars are the pairs {where} by their resemblance, on a logarithmic scale.",
            where=gettext(folder.where),
        )
        lines = (line(no_curve),) if folder.compared else _formula(state)
        yield Prose((*lines, line(bars)), quiet=True)


def _formula(state: ThresholdState) -> tuple[Line, Line]:
    """The curve that is drawn, with its own numbers."""
    if state.distance is None:
        sentence = gettext("A pair of resemblance s is found by bands with this probability:")
        formula = f"1 − (1 − s^r)^b = 1 − (1 − s^{state.rows})^{state.bands}"
    else:
        sentence = gettext(
            "A pair is found when at most d of the 64 bits of its signatures differ. Of documents "
            "of equal length and resemblance s a bit differs with probability p = {p}, so they are "
            "found with this probability:",
            p="arccos(2s / (1 + s)) / π",
        )
        formula = f"Σ C(64, i) p^i (1 − p)^(64 − i), i = 0 … {state.distance}"
    return line(sentence), line(Span(formula, SpanKind.CODE))


LONGEST = 400  # characters of chosen text that a report for people shows


@section_of(
    "set-aside", N_("Set aside"), when=lambda report: report.excluded_shares or report.rules
)
def exclusions(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """The text that was set aside, or the rules by which none was."""
    if report.excluded_shares:
        yield Prose((line(exclusions_sentence(report)),))
        yield _shares(report, limits)
    else:
        rules = listed(rules_in_words(report.rules))
        yield Prose((line(gettext("Nothing was found to set aside: {rules}.", rules=rules)),))
    phrases = listed_phrases(report)[: limits.groups]
    if phrases:
        yield Table(
            gettext("Passages that were set aside wherever they stand"),
            (Column(gettext("Passage"), weight=1), Column(gettext("Why"))),
            ([_phrase(report, phrase) for phrase in phrases],),
        )


def _shares(report: Report, limits: ReportLimits) -> Table:
    most_first = sorted(
        report.excluded_shares,
        key=lambda excluded_share: (-excluded_share.share, excluded_share.document),
    )
    rows = [
        Row(
            (
                Cell((document_line(report, excluded_share.document),)),
                number_cell(excluded_share.share, share(excluded_share.share)),
                cell(_reasons(excluded_share)),
            )
        )
        for excluded_share in most_first[: limits.table_rows]
    ]
    return Table(
        gettext(
            "How much of the text of each document was set aside, and why. Where reasons overlap, "
            "their parts are more than the whole."
        ),
        (
            Column(gettext("Document"), weight=1),
            Column(gettext("Set aside"), Align.NUMBER),
            Column(gettext("Why"), weight=1),
        ),
        (rows,),
    )


def _reasons(excluded_share: ExcludedShare) -> str:
    return comma_list(
        f"{gettext(reason)} {share(number / max(excluded_share.length, 1))}"
        for reason, number in excluded_share.reasons.items()
    )


def _phrase(report: Report, phrase: Phrase) -> Row:
    if report.choice.shows_text:
        shown = cell(Span(excerpt(phrase.text, LONGEST), SpanKind.QUOTE))
    else:
        shown = cell(length_in_words(len(phrase.text), "char"))
    return Row((shown, cell(gettext(phrase.reason))))


def audit(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The results of the last audit; nothing where there was none."""
    kept = report.judgements.audit
    if kept is not None:
        blocks = _blocks(kept, limits, is_current=report.audit_is_current)
        yield Section("audit", gettext("Is the list complete?"), blocks, gettext("Test"))


def _blocks(kept: KeptAudit, limits: ReportLimits, *, is_current: bool) -> Iterator[Block]:
    sentences = (
        audit_words.kept_in_words(kept, is_current=is_current),
        audit_words.audit_heading(kept.result),
        *audit_words.audit_summary(kept.result, kept.settings),
        *audit_words.remedies_in_words(kept.result, kept.settings),
    )
    yield Prose(tuple(map(line, sentences)))
    yield from _ranges(kept)
    yield from _missed(kept, limits.table_rows)
    yield from _reworked(kept)


def _ranges(kept: KeptAudit) -> Iterator[Table]:
    """The shares that were promised and found, by resemblance."""
    found = N_("Found by fingerprints") if kept.settings.banding is None else N_("Found by bands")
    yield from _table(
        gettext(
            "Promised and found by resemblance; shares with their 95% interval, after Wilson. "
            "Pairs with the same words are left out."
        ),
        kept.result.ranges,
        (N_("Resemblance"), audit_words.bounds_in_words),
        (N_("Pairs"), lambda row: count(row.pairs)),
        (N_("Promised by the curve"), audit_words.promised_in_words),
        (found, lambda row: audit_words.share_in_words(row.share)),
    )


def _missed(kept: KeptAudit, most: int) -> Iterator[Table]:
    proof, planting = kept.result.proof, kept.result.planting
    names = [key.name for key in kept.documents]
    alike = (N_("Resemblance"), lambda missed: resemblance(missed.resemblance))
    if proof:
        pairs = proof.missed[:most]
        yield from _table(
            _first(len(pairs), proof.missing, gettext("Pairs that are missing")),
            pairs,
            alike,
            (N_("Document A"), lambda pair: name(names[pair.a])),
            (N_("Document B"), lambda pair: name(names[pair.b])),
        )
    if planting:
        copies = planting.missed[:most]
        yield from _table(
            _first(len(copies), planting.missing, gettext("Copies that are missing")),
            copies,
            alike,
            (N_("Edit"), lambda copy: gettext(copy.edit.words)),
            (N_("Copy of"), lambda copy: name(names[copy.source])),
        )


def _first(shown: int, total: int, title: str) -> str:
    if shown == total:
        return gettext("{title}, most alike first", title=title)
    return gettext(
        "{title}, most alike first: {shown} of {number}",
        title=title,
        shown=count(shown),
        number=count(total),
    )


def _reworked(kept: KeptAudit) -> Iterator[Table]:
    if kept.result.reworked:
        columns = ((column.title, column.of) for column in audit_words.REWORKED)
        rows = audit_words.planted_cells(kept.result.reworked)
        yield from _table(gettext("Reworked passages that were planted"), rows, *columns)


def _table(
    caption: str, rows: Sequence[object], *columns: tuple[str, Callable[[Any], str | Span]]
) -> Iterator[Table]:
    """A table with a row for each thing, by the titles of columns, which are messages."""
    if rows:
        titles = tuple(Column(gettext(title)) for title, _ in columns)
        cells = (Row(tuple(cell(of(row)) for _, of in columns)) for row in rows)
        yield Table(caption, titles, (cells,))
