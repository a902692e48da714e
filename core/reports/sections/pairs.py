"""The ranked table of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.messages import N_, as_shown, gettext, ngettext
from core.base.patterns import lazy_pattern
from core.base.tasks import Progress
from core.base.wording import comma_list, count, listed
from core.documents.problems import cite_location
from core.evidence.measures import facts, length_in_words, run_in_words, worked_numbers
from core.evidence.passage import ChangeKind, Passage, SharedText
from core.reports import pair_words
from core.reports.blocks import (
    Align,
    Block,
    Cell,
    Column,
    Line,
    PairHead,
    PassageList,
    Prose,
    Row,
    Section,
    ShownPassage,
    Side,
    Span,
    SpanKind,
    Table,
    line,
)
from core.reports.limits import ReportLimits
from core.reports.list_words import by_in_words, earlier_in_words
from core.reports.model import Report
from core.reports.report_choice import Scope, Texts
from core.reports.sections.summary import (
    TITLES,
    cell,
    document_line,
    name,
    number_cell,
    overview_measures,
    row_of,
    section_of,
    tags,
)
from core.reports.shown_text import Withheld, shown_pieces
from core.scan.judgements import Verdict
from core.scan.passage_list import JudgedPassage
from core.settings import Unit
from core.text.lines_and_phrases import run_on

if TYPE_CHECKING:
    from core.evidence.differences import Change

DAY = 10  # characters of a moment
LONGEST = 2_000  # characters of a passage that a report for people shows


@section_of("judged-passages", N_("Judged passages"), when=lambda report: report.judged_passages)
def judged(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """Every judged passage."""
    yield Table(
        gettext(
            "Passages of which was said what they are. Text of the assignment and standard clauses "
            "are set aside in all documents: they count in no number."
        ),
        (
            Column(gettext("Judged as")),
            Column(gettext("Passage"), weight=2),
            Column(gettext("Documents"), weight=1),
        ),
        (
            (_judged_row(report, passage, limits),)
            for passage in report.judged_passages[: limits.groups]
        ),
        "groups",
    )


def _judged_row(report: Report, passage: JudgedPassage, limits: ReportLimits) -> Row:
    judgement = passage.judgement
    signature = (line(name(judgement.who), f", {judgement.time[:10]}"),) if judgement.who else ()
    length = line(run_in_words(passage.units, passage.words, report.settings.unit))
    text = line(Span(_shortened(judgement.text), SpanKind.QUOTE))
    return Row(
        (
            Cell((line(gettext(judgement.meaning)), *signature)),
            Cell((text, length) if report.choice.shows_text else (length,)),
            Cell(_documents(report, passage, limits)),
        ),
        has_row_heading=True,
    )


def _shortened(passage: str) -> str:
    if len(passage) <= LONGEST:
        return passage
    left_out = length_in_words(len(passage) - LONGEST, "char")
    half = LONGEST // 2
    return f"{passage[:half]} [… {left_out} …] {passage[-half:]}"


def _documents(report: Report, passage: JudgedPassage, limits: ReportLimits) -> tuple[Line, ...]:
    shown = [
        document_line(report, number)
        for number in list(passage.spans_by_document)[: limits.members]
    ]
    more = len(passage.spans_by_document) - len(shown)
    rest = ngettext("and {n} other", "and {n} others", more)
    number = ngettext("{n} document", "{n} documents", len(passage.spans_by_document))
    return (line(number), row_of([*shown, line(rest)] if more else shown))


LONGEST_PASSAGE = 20_000  # characters; half of it in scripts without spaces, which are wider
HEAD, TAIL = 0.56, 0.25  # shares of it that are kept of a longer passage
LONGEST_MEAN_WORD = 15  # characters of a word with its space
WORD_REACH = 40  # characters by which a cut moves to the end of a word
TELLING = 10_000  # characters that tell whether a script has spaces
STEP = 100_000  # characters

Extent = tuple[int, int]
NumberedExtent = tuple[int, int, int]  # and the number of the passage


def kept_of_both(
    text_a: str,
    text_b: str,
    same_a: Sequence[Extent],
    same_b: Sequence[Extent],
    in_a: Extent,
    in_b: Extent,
) -> tuple[list[Extent], list[Extent]]:
    """The parts of a passage that are shown in A and in B; a cut in one text is made in both.

    Args:
        text_a: The full text of A; `text_b` that of B.
        text_b: See `text_a`.
        same_a: The runs of equal words as they stand in A, each with its counterpart in `same_b`.
        same_b: See `same_a`.
        in_a: The passage in A.
        in_b: The passage in B.
    """
    kept_a, kept_b = _kept(text_a, in_a), _kept(text_b, in_b)
    if len(kept_a) == len(kept_b) == 1:
        return kept_a, kept_b
    a_is_longer = in_a[1] - in_a[0] >= in_b[1] - in_b[0]
    if len(kept_b) == 1 or (len(kept_a) > 1 and a_is_longer):
        return kept_a, _counterpart(kept_a, text_b, in_b, list(zip(same_a, same_b, strict=True)))
    return _counterpart(kept_b, text_a, in_a, list(zip(same_b, same_a, strict=True))), kept_b


def _counterpart(
    kept: list[Extent], text: str, extent: Extent, same: list[tuple[Extent, Extent]]
) -> list[Extent]:
    """The counterpart of the kept parts in the other text; where unclear, its own kept parts."""
    (_, head), (tail, _) = kept
    start, end = extent
    same.sort()
    head, tail = _word_end(text, _across(head, same)), _word_start(text, _across(tail, same))
    if start < head < tail < end:
        return [(start, head), (tail, end)]
    return _kept(text, extent)


def _across(position: int, same: list[tuple[Extent, Extent]]) -> int:
    """The offset in the other text that corresponds to an offset in this one."""
    beside = same[0][1][0]
    for (start, end), (their_start, their_end) in same:
        if start > position:
            break
        beside = min(their_start + position - start, their_end) if position < end else their_end
    return beside


def _kept(text: str, extent: Extent) -> list[Extent]:
    """The extent, or its head and tail when it is long, cut between words."""
    start, end = extent
    longest = LONGEST_PASSAGE if _has_spaces(text[start:end]) else LONGEST_PASSAGE // 2
    if end - start <= longest:
        return [extent]
    head, tail = start + round(HEAD * longest), end - round(TAIL * longest)
    return [(start, _word_end(text, head)), (_word_start(text, tail), end)]


def _word_end(text: str, offset: int) -> int:
    """The offset, or the last end of a word shortly before it."""
    space = text.rfind(" ", max(offset - WORD_REACH, 0), offset + 1)
    return offset if space < 0 else space


def _word_start(text: str, offset: int) -> int:
    """The offset, or the first beginning of a word shortly after it."""
    space = text.find(" ", max(offset - 1, 0), offset + WORD_REACH)
    return offset if space < 0 else space + 1


def amount(left_out: str) -> str:
    """How much was left out, in words where the script has spaces."""
    if _has_spaces(left_out):
        return ngettext("{n} word left out", "{n} words left out", _count_words(left_out))
    return ngettext("{n} character left out", "{n} characters left out", len(left_out))


def _has_spaces(text: str) -> bool:
    """Whether the words of a text are separated, as they are not in Chinese."""
    beginning = text[:TELLING]
    return len(beginning) < LONGEST_MEAN_WORD * len(beginning.split())


def _count_words(text: str) -> int:
    count, start = 0, 0
    while start < len(text):
        end = text.find(" ", start + STEP)
        end = len(text) if end < 0 else end
        count += len(text[start:end].split())
        start = end
    return count


KEPT_TOGETHER = 700  # characters of a passage that is not broken between pages

_BLANK_LINES = lazy_pattern(r"\n(?:[^\S\n]*\n)+")


class Document(NamedTuple):
    """A document of a pair.

    Attributes:
        text: With the lines running on.
        kind: The kind of its file, by which it was read.
        withheld: The spans of it that are not shown as they are.
        is_shown: Whether any of it is shown.
    """

    text: str
    kind: str
    withheld: Sequence[Withheld]
    is_shown: bool

    @staticmethod
    def of(report: Report, document: int) -> Document:
        """A document of the report."""
        return Document(
            run_on(report.text_of(document)),
            report.documents[document].kind,
            report.withheld_in(document),
            report.choice.shows_text,
        )

    def location(self, extent: Extent) -> str:
        """Where a passage stands: "p. 12, characters 1,200 to 1,340"."""
        start, end = extent
        pages = cite_location(self.text, self.kind, start, end)
        characters = gettext("characters {start} to {end}", start=count(start), end=count(end))
        return comma_list((pages, characters))

    def side(self, letter: str, kept: Sequence[Extent], same: Sequence[Extent]) -> Side:
        """A passage in this document: its kept parts, with the same words marked."""
        spans = tuple(self._spans(kept, same, SpanKind.SAME)) if self.is_shown else ()
        return Side(letter, self.location((kept[0][0], kept[-1][1])), spans)

    def beside(self, letter: str, extent: Extent, changed: Int64Array) -> Side:
        """A difference, and a few words around it; all changes there are marked."""
        start, end = extent
        first = _word_start(self.text, start - AROUND) if start > AROUND else 0
        last = _word_end(self.text, end + AROUND) if end + AROUND < len(self.text) else None
        low, high = min(first, start), max(last or len(self.text), end)
        marked = changed[(changed[:, 0] < high) & (low < changed[:, 1])].tolist()
        before, after = Span("… " if first else ""), Span("" if last is None else " …")
        kept = _kept(self.text, (low, high))
        spans = (before, *self._spans(kept, marked, SpanKind.CHANGED), after)
        return Side(letter, self.location(extent), tuple(span for span in spans if span.text))

    def between(self, letter: str, extent: Extent, apart: Sequence[NumberedExtent]) -> Side:
        """The text between two passages; those in it stand elsewhere in the other text."""
        start, end = extent
        within = sorted(
            numbered_extent
            for numbered_extent in apart
            if start < numbered_extent[1] and numbered_extent[0] < end
        )
        bounds = [*(max(low, start) for low, _, _ in within), end]
        spans = list(self._marked((start, bounds[0]), (), SpanKind.SAME))
        for (low, high, number), part in zip(within, pairwise(bounds), strict=True):
            spans.append(Span(f"{number}", SpanKind.LETTER))
            spans += self._marked(part, [(low, high)], SpanKind.SAME)
        return Side(letter, "", tuple(spans))

    def _spans(
        self, kept: Sequence[Extent], marked: Sequence[Extent], kind: SpanKind
    ) -> Iterator[Span]:
        yield from self._marked(kept[0], marked, kind)
        for before, after in pairwise(kept):
            left_out = self.text[before[1] : after[0]]
            yield Span(f"… {amount(left_out)} …", SpanKind.CUT)
            yield from self._marked(after, marked, kind)

    def _marked(self, part: Extent, marked: Sequence[Extent], kind: SpanKind) -> Line:
        """A part of the text, by turns plain and of a kind."""
        start, end = part
        cuts = [start]
        for low, high in sorted(marked):
            low, high = max(low, cuts[-1]), min(high, end)  # noqa: PLW2901
            if low < high:
                cuts += [low, high]
        pieces = shown_pieces(self.text, [*cuts, end], self.withheld)
        return tuple(
            Span(_prose(piece), kind if index % 2 else SpanKind.PLAIN)
            for index, piece in enumerate(pieces)
            if piece
        )


def shown_passage(
    number: int, passage: Passage, a: Document, b: Document, *, is_uncut: bool = False
) -> ShownPassage:
    """A passage of two documents, the `number`th of the pair; uncut on request."""
    in_a, in_b = (passage.a_start, passage.a_end), (passage.b_start, passage.b_end)
    same_a = [(run.a_start, run.a_end) for run in passage.runs] or [in_a]
    same_b = [(run.b_start, run.b_end) for run in passage.runs] or [in_b]
    kept_a, kept_b = [in_a], [in_b]
    if not is_uncut:
        kept_a, kept_b = kept_of_both(a.text, b.text, same_a, same_b, in_a, in_b)
    return ShownPassage(
        number,
        pair_words.passage_size(passage.length, passage.tokens, passage.unit, moved=passage.moved),
        _passages_numbers(passage),
        a.side("A", kept_a, same_a),
        b.side("B", kept_b, same_b),
        is_short=max(in_a[1] - in_a[0], in_b[1] - in_b[0]) <= KEPT_TOGETHER,
    )


def full_texts(passages: Sequence[Passage], a: Document, b: Document) -> Iterator[ShownPassage]:
    """Both texts from end to end: each passage beside its counterpart, and the text between.

    A passage that stands elsewhere in B is marked with its number in both texts.
    """
    beside: list[tuple[int, Passage]] = []
    in_a, in_b = [], []
    at_a, at_b = 0, 0
    for number, shared_passage in enumerate(passages, start=1):
        if (
            not shared_passage.moved
            and shared_passage.a_start >= at_a
            and shared_passage.b_start >= at_b
        ):
            beside.append((number, shared_passage))
            at_a, at_b = shared_passage.a_end, shared_passage.b_end
        else:
            in_a.append((shared_passage.a_start, shared_passage.a_end, number))
            in_b.append((shared_passage.b_start, shared_passage.b_end, number))
    at_a, at_b = 0, 0
    for number, passage in (*beside, (0, None)):
        end_a, end_b = len(a.text), len(b.text)
        if passage is not None:
            end_a, end_b = passage.a_start, passage.b_start
        sides = a.between("A", (at_a, end_a), in_a), b.between("B", (at_b, end_b), in_b)
        if any(span.text.strip() for side in sides for span in side.spans):
            is_short = max(end_a - at_a, end_b - at_b) <= KEPT_TOGETHER
            yield ShownPassage(0, "", "", *sides, is_short)
        if passage is not None:
            yield shown_passage(number, passage, a, b, is_uncut=True)
            at_a, at_b = passage.a_end, passage.b_end


def grouped_changes(changes: Sequence[Change]) -> list[list[Change]]:
    """Changes in the order of A, grouped where a few stand close together in both texts."""
    groups: list[list[Change]] = []
    for change in changes:
        first, last = (groups[-1][0], groups[-1][-1]) if groups else (change, change)
        if (
            groups
            and {last.kind, change.kind} <= WITHOUT_MOVES
            and change.a_start - last.a_end <= 2 * AROUND
            and 0 <= change.b_start - last.b_end <= 2 * AROUND
            and max(change.a_end - first.a_start, change.b_end - first.b_start) <= KEPT_TOGETHER
        ):
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _shown_changes(
    changes: Sequence[Change], unit: Unit, a: Document, b: Document
) -> Iterator[ShownPassage]:
    """The first changes of a pair; those that stand close to each other under the first's number.

    Later changes in the words around these are marked, too.
    """
    spans = np.array(
        [(change.a_start, change.a_end, change.b_start, change.b_end) for change in changes],
        dtype=np.int64,
    ).reshape(-1, 4)
    number = 1
    for close in grouped_changes(changes[:MOST_CHANGES]):
        first, last = close[0], close[-1]
        in_a, in_b = (first.a_start, last.a_end), (first.b_start, last.b_end)
        words, size = pair_words.CHANGE_SIZES.get(first.kind), max(first.a_words, first.b_words)
        yield ShownPassage(
            number,
            gettext(words, size=length_in_words(size, unit)) if words else "",
            "",
            a.beside("A", in_a, spans[:, :2]),
            b.beside("B", in_b, spans[:, 2:]),
            is_short=max(in_a[1] - in_a[0], in_b[1] - in_b[0]) + 2 * AROUND <= KEPT_TOGETHER,
            is_change=True,
        )
        number += len(close)


def _changes(report: Report, a: int, b: int, passages: Sequence[Passage]) -> Iterator[Block]:
    """The differences between two documents, one after the other."""
    from core.evidence.differences import find_differences  # noqa: PLC0415 - few reports have any

    changes, unit = find_differences(report.text_of(a), report.text_of(b), passages)
    shown = min(len(changes), MOST_CHANGES)
    words = ngettext(
        "The texts differ in {n} place.", "The texts differ in {n} places.", len(changes)
    )
    if not changes:
        words = gettext("No word differs.")
    elif shown < len(changes):
        words = gettext(
            "The texts differ in {number} places, of which the first {shown} are shown.",
            number=count(len(changes)),
            shown=count(shown),
        )
    yield Prose((line(words),), quiet=True)
    sides = Document.of(report, a), Document.of(report, b)
    yield PassageList(_shown_changes(changes, unit, *sides))


def _passages_numbers(passage: Passage) -> str:
    """The changes to the words of a reworked passage, and how often chance gives as much."""
    if not (passage.exchanges or passage.chance):
        return ""
    words = pair_words.passage_numbers(
        passage.a_tokens,
        passage.b_tokens,
        passage.tokens,
        passage.near,
        passage.exchanged,
        passage.moved_words,
        passage.unit,
    )
    return " · ".join(part for part in (words, as_shown(passage.chance)) if part)


def _prose(piece: str) -> str:
    return _BLANK_LINES.sub("\n\n", piece.replace("\f", "\n"))


MOST_PASSAGES = 40  # of one pair
MOST_CHANGES = 1_000  # of one pair
AROUND = 60  # characters of a text before and after a difference
WITHOUT_MOVES = {ChangeKind.EXCHANGED, ChangeKind.ONLY_A, ChangeKind.ONLY_B}


def passages(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """The section that explains the sections of the pairs."""
    if limits.pairs_with_sections(report):
        is_of_changes = report.choice.texts is Texts.CHANGES
        title = gettext("Differences") if is_of_changes else gettext("Passages")
        yield Section("passages", title, (_introduction(report),), title)


def _introduction(report: Report) -> Prose:
    chance = gettext(
        "What two texts of their length, with words as common as theirs, share by chance is no "
        "passage."
    )
    most = gettext(
        "Of a pair with more than {most} passages the longest {most} are shown.", most=MOST_PASSAGES
    )
    if not report.choice.shows_text:
        positions = gettext(
            "What the two documents of a pair share, in the order of A. This report tells where it "
            "stands and shows no text; a moved passage stands elsewhere in B than its neighbours."
        )
        return Prose((line(f"{positions} {chance}"), line(most)), quiet=True)
    if report.choice.texts is Texts.CHANGES:
        differs = gettext(
            "Where the two documents of a pair differ, in the order of A. Marked words are in one "
            "of them only, are exchanged or stand elsewhere; the words around them are the same. "
            "Capital letters and punctuation count, white space does not."
        )
        return Prose((line(differs),), quiet=True)
    if report.choice.texts is Texts.FULL:
        full = gettext(
            "Both texts of a pair in full, beside each other: each passage opposite its "
            "counterpart, and what stands between. Underlined words are the same in both. A "
            "passage that stands elsewhere in B has its number in both texts."
        )
        return Prose((line(f"{full} {chance}"),), quiet=True)
    shared = gettext(
        "What the two documents of a pair share, in the order of A. Underlined words are the same "
        "in both, words without a line differ; a moved passage stands elsewhere in B than its "
        "neighbours."
    )
    cut = gettext(
        "Passages longer than {most} characters, or half as many in scripts without spaces, are "
        "shortened in the middle, where a mark says by how much.",
        most=count(LONGEST_PASSAGE),
    )
    ends = gettext("Lines that were broken to a fixed width run on.")
    return Prose((line(f"{shared} {chance}"), line(f"{cut} {most} {ends}")), quiet=True)


def pair_sections(report: Report, limits: ReportLimits, progress: Progress) -> Iterator[Section]:
    """A section for each pair, from the top of the table.

    Args:
        report: The report of the pairs.
        limits: Says how many.
        progress: Told how many pairs are done.
    """
    for row, a, b in report.rows(limits.pairs_with_sections(report), progress):
        names = listed([report.name_of(a), report.name_of(b)])
        yield Section(
            f"pair-{report.rank_of(row)}", names, _passages_blocks(report, row, a, b), level=3
        )


def _passages_blocks(report: Report, row: int, a: int, b: int) -> Iterator[Block]:
    sides = (Document.of(report, a), Document.of(report, b))
    shared = report.passages_of(a, b)
    shared_passages, floor = shared.passages, shared.floor
    across, down = (1 / max(len(side.text), 1) for side in sides)
    # Where the report is of this pair alone, all texts may be read to count its passages in them.
    counted = shared_passages if report.choice.scope is Scope.PAIR else None
    judged = report.judgement_of(row)
    yield PairHead(
        number=report.rank_of(row),
        a=document_line(report, a),
        b=document_line(report, b),
        finding=line(_finding(report, row, shared)),
        facts=tuple(_facts(report, row)),
        tags=tags(report, row),
        verdict=_passages_verdict(report, row),
        note=judged.judgement.note if judged else "",
        reasons=_reasons(report.reasons_of(row, counted)),
        plot=tuple(
            (
                passage.a_start * across,
                passage.a_end * across,
                passage.b_start * down,
                passage.b_end * down,
            )
            for passage in shared_passages
        ),
    )
    if report.choice.texts is Texts.CHANGES:
        yield from _changes(report, a, b, shared_passages)
        return
    of_chance = pair_words.chance_in_words if shared_passages else pair_words.no_passage_in_words
    lines = [line(of_chance(floor.tokens, floor.unit))]
    if report.choice.texts is Texts.FULL:
        yield Prose(tuple(lines), quiet=True)
        yield PassageList(full_texts(shared_passages, *sides))
        return
    longest = sorted(range(len(shared_passages)), key=lambda index: -shared_passages[index].tokens)
    shown = sorted(longest[:MOST_PASSAGES])
    if len(shown) < len(shared_passages):
        lines.append(
            line(
                gettext(
                    "The {shown} longest of {number} passages are shown; numbers count all of "
                    "them.",
                    shown=len(shown),
                    number=count(len(shared_passages)),
                )
            )
        )
    yield Prose(tuple(lines), quiet=True)
    if shown:
        numbered = ((index + 1, shared_passages[index]) for index in shown)
        yield PassageList(shown_passage(*passage, *sides) for passage in numbered)


def _finding(report: Report, row: int, shared: SharedText) -> str:
    """A sentence on the text that both documents of a pair share."""
    a, b = int(report.pairs.a[row]), int(report.pairs.b[row])
    figures = report.pairs.figures(row)
    if figures.overlap < 0:
        figures = figures._replace(**shared.overlap._asdict())
    return pair_words.pair_in_words(
        figures,
        int(report.pairs.found_by[row]),
        report.settings.unit,
        shared.passages,
        others=report.shared_by_both(a, b),
        set_aside=any(
            span.is_written for number in (a, b) for span in report.set_aside.get(number, ())
        ),
    )


def _reasons(sentences: Sequence[str]) -> tuple[Line, ...]:
    """Why the pair is listed, in one paragraph."""
    if not sentences:
        return ()
    why = gettext("Why it is listed:")
    return (line(Span(why, SpanKind.STRONG), f" {' '.join(sentences)}"),)


def _facts(report: Report, row: int) -> Iterator[tuple[str, str]]:
    """The numbers of a pair, each with the numbers it is computed from."""
    figures, settings = report.pairs.figures(row), report.settings
    worked = worked_numbers(figures)
    for fact in facts(figures, settings.unit, bag=settings.bag):
        of = worked.get(fact.column)
        yield gettext(fact.name), f"{fact.value} ({of})" if of else fact.value


def _passages_verdict(report: Report, row: int) -> tuple[Span, ...]:
    """The verdict with who gave it and when."""
    assessment = report.judgement_of(row)
    if assessment is None:
        return ()
    given = Span(gettext(TITLES[assessment.judgement.verdict]), SpanKind.STRONG)
    details = (by_in_words(assessment), earlier_in_words(assessment))
    return line(given, *(f"; {words}" for words in details if words))


@section_of("pairs", N_("Pairs"))
def pairs(report: Report, limits: ReportLimits) -> Iterator[Block]:
    """All pairs with their numbers, as the user ordered them."""
    if not len(report.pairs) and not report.unlisted:
        nothing = gettext("No pairs are listed.")
        if report.list_counts.listed:
            nothing = gettext("No pair is shown.")
        yield Prose((line(nothing),), quiet=True)
        return
    yield Table(
        gettext("A and B are the two documents of a pair."),
        tuple(_columns(report)),
        (_rows(report, limits),),
        "pairs",
        searchable=True,
    )


def _columns(report: Report) -> Iterator[Column]:
    """The names of the numbers; the first stands at the left, beside its bar."""
    yield Column("#", Align.NUMBER)
    yield Column(gettext("Documents A and B"), weight=1)
    first, *further = (gettext(measure.name) for measure in overview_measures(report))
    yield Column(first, Align.BAR)
    for title in further:
        yield Column(title, Align.NUMBER)
    if report.has_judgements:
        yield Column(gettext("Verdict"))


def _rows(report: Report, limits: ReportLimits) -> Iterator[Row]:
    with_section = limits.pairs_with_sections(report)
    for row in range(min(len(report.pairs), limits.table_rows)):
        yield _row(report, row, linked=row < with_section)
    for a, b in report.unlisted:
        message = cell(Span(gettext(pair_words.NOT_LISTED), SpanKind.QUIET))
        yield Row((cell("–"), names_cell(report, a, b), message), has_row_heading=True)


def _row(report: Report, row: int, *, linked: bool) -> Row:
    listed, number = report.pairs, report.rank_of(row)
    target = f"pair-{number}" if linked else ""
    assessment = report.judgement_of(row)
    return Row(
        (
            Cell((line(Span(count(number), target=target)),), number),
            names_cell(report, int(listed.a[row]), int(listed.b[row])),
            *_numbers(report, row),
            *_verdict(report, row),
        ),
        id=f"row-{number}",
        has_row_heading=True,
        note=assessment.judgement.note if assessment else "",
    )


def names_cell(report: Report, a: int, b: int) -> Cell:
    """Both documents, one below the other: a name has the width of two."""
    lines = (
        (Span(letter, SpanKind.LETTER), *document_line(report, number))
        for letter, number in zip("AB", (a, b), strict=True)
    )
    return Cell(tuple(lines), main=2)


def _numbers(report: Report, row: int) -> Iterator[Cell]:
    for index, measure in enumerate(overview_measures(report)):
        value = getattr(report.pairs, measure.column)[row].item()
        shown = number_cell(value, measure.shown(value))
        if index == 0:
            marks = (line(Span(words, SpanKind.TAG)) for words in tags(report, row))
            shown = shown._replace(lines=(*shown.lines, *marks))
        yield shown


def _verdict(report: Report, row: int) -> Iterator[Cell]:
    """The verdict, who gave it and when, where anything was judged."""
    if not report.has_judgements:
        return
    assessment = report.judgement_of(row)
    if assessment is None:
        yield cell(Span(gettext(Verdict.NOT_REVIEWED), SpanKind.QUIET))
        return
    judgement = assessment.judgement
    when = comma_list((judgement.who, judgement.time[:DAY]))
    details = (when, earlier_in_words(assessment))
    marks = (line(Span(words, SpanKind.TAG)) for words in details if words)
    yield Cell((line(gettext(assessment.judgement.verdict)), *marks))
