"""One pair in the HTML report: its numbers and its passages, A and B side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from core.base.wording import counted
from core.documents.page_marks import cite_place
from core.reports.html_tables import document_name, note, tags
from core.reports.markup import text
from core.reports.measures import facts
from core.reports.model import Report
from core.reports.pair_words import (
    chance_in_words,
    no_passage_in_words,
    passage_chance,
    passage_numbers,
    passage_size,
)
from core.reports.verdict_words import by_in_words, earlier_in_words
from core.text.line_ends import run_on

if TYPE_CHECKING:
    from core.evidence.passages import Floor, Passage

__all__ = ["LONGEST_PASSAGE", "MOST_PASSAGES", "pair_section"]

MOST_PASSAGES = 40  # of one pair
LONGEST_PASSAGE = 1600  # characters; half of it in scripts without spaces, which are wider
HEAD, TAIL = 0.56, 0.25  # shares of it that are kept of a longer one
KEPT_TOGETHER = 700  # characters of a passage that is not broken between pages
LONGEST_MEAN_WORD = 15  # characters of a word with its space
WORD_REACH = 40  # characters by which a cut moves to the end of a word
TELLING = 10_000  # characters that tell whether a script has spaces
STEP = 100_000  # characters
HUES = 7
UNDERLINES = 4

Span = tuple[int, int]

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")


class _ReportSide(NamedTuple):
    """One document of a pair: its text with the lines running on, and what it came from."""

    text: str
    kind: str

    @staticmethod
    def of(report: Report, document: int) -> _ReportSide:
        return _ReportSide(run_on(report.text_of(document)), report.documents[document].kind)

    def place(self, span: Span) -> str:
        """Where a passage stands: "p. 12, characters 1,200 to 1,340"."""
        start, end = span
        pages = cite_place(self.text, self.kind, start, end)
        characters = f"characters {start:,} to {end:,}"
        return f"{pages}, {characters}" if pages else characters


def pair_section(report: Report, row: int, a: int, b: int) -> Iterator[str]:
    """The section of one row of the table."""
    sides = (_ReportSide.of(report, a), _ReportSide.of(report, b))
    passages, floor = report.passages_of(a, b)
    number = report.rank_of(row)
    yield f'<section class="pair" id="pair-{number}" aria-labelledby="names-{number}">\n'
    yield '<div class="pair-head"><div>\n'
    yield (
        f'<h3 id="names-{number}"><a href="#row-{number}">{number}</a> '
        f"{document_name(report, a)} <span>and</span> {document_name(report, b)}</h3>\n"
    )
    yield _numbers(report, row)
    yield f"</div>{_dot_plot(passages, len(sides[0].text), len(sides[1].text))}</div>\n"
    yield from _passage_list(passages, floor, sides)
    yield "</section>\n"


def _numbers(report: Report, row: int) -> str:
    settings = report.settings
    items = "".join(
        f"<div><dt>{fact.name}</dt> <dd>{text(fact.value)}</dd></div>"
        for fact in facts(report.pairs.figures(row), settings.unit, bag=settings.bag)
    )
    return f'<dl class="numbers">{items}</dl>{tags(report, row)}{_judged(report, row)}\n'


def _judged(report: Report, row: int) -> str:
    """The verdict with who gave it and when, and the note."""
    found = report.found_of(row)
    if found is None:
        return ""
    words = (
        f"<b>{found.judgement.verdict.capitalize()}</b>",
        by_in_words(found),
        earlier_in_words(found),
    )
    said = "; ".join([words[0], *(text(one) for one in words[1:] if one)])
    written = note(found) if found.judgement.note else ""
    return f'<p class="verdict">{said}</p>{written}'


def _passage_list(
    passages: Sequence[Passage], floor: Floor, sides: tuple[_ReportSide, _ReportSide]
) -> Iterator[str]:
    """The passages in reading order of A; of very many, the longest."""
    if not passages:
        yield f'<p class="quiet">{no_passage_in_words(floor.tokens, floor.unit)}</p>\n'
        return
    yield f'<p class="quiet">{chance_in_words(floor.tokens, floor.unit)}</p>\n'
    longest = sorted(range(len(passages)), key=lambda i: -passages[i].tokens)
    shown = sorted(longest[:MOST_PASSAGES])
    if len(shown) < len(passages):
        yield (
            f'<p class="quiet">The {len(shown)} longest of {len(passages):,} passages are shown; '
            "numbers count all of them.</p>\n"
        )
    yield '<ol class="passages">\n'
    for index in shown:
        yield _passage(index, passages[index], sides)
    yield "</ol>\n"


def _passage(index: int, passage: Passage, sides: tuple[_ReportSide, _ReportSide]) -> str:
    number = index + 1
    a = (passage.a_start, passage.a_end)
    b = (passage.b_start, passage.b_end)
    runs_a = [(run.a_start, run.a_end) for run in passage.runs]
    runs_b = [(run.b_start, run.b_end) for run in passage.runs]
    size = passage_size(passage.length, passage.tokens, passage.unit, moved=passage.moved)
    numbers = _passage_numbers(passage)
    together = " together" if max(a[1] - a[0], b[1] - b[0]) <= KEPT_TOGETHER else ""
    return (
        f'<li class="passage hue-{index % HUES} line-{index % UNDERLINES}{together}" '
        f'value="{number}">\n<div class="where"><p><b>{size}</b> '
        f"A, {sides[0].place(a)}</p><p>B, {sides[1].place(b)}</p>{numbers}</div>\n"
        f'<div class="texts" lang="">{_extent("A", number, sides[0].text, a, runs_a)}'
        f"{_extent('B', number, sides[1].text, b, runs_b)}</div>\n</li>\n"
    )


def _passage_numbers(passage: Passage) -> str:
    """What became of the words of a reworked passage, and how often chance gives as much."""
    if not (passage.exchanges or passage.chance):
        return ""
    words = passage_numbers(
        passage.a_tokens,
        passage.b_tokens,
        passage.tokens,
        passage.near,
        passage.exchanged,
        passage.moved_words,
        passage.unit,
    )
    parts = (words, passage_chance(passage.chance))
    return f"<p>{text(' · '.join(part for part in parts if part))}</p>"


def _extent(side: str, number: int, whole: str, span: Span, runs: list[Span]) -> str:
    parts = [_marked(whole, part, runs) for part in _kept(whole, span)]
    if len(parts) > 1:
        (_, cut), (resumed, _) = _kept(whole, span)
        parts.insert(1, f' <span class="cut" lang="en">… {_amount(whole[cut:resumed])} …</span> ')
    return (
        f'<p dir="auto"><span class="number"><span class="spoken">{side}, passage </span>'
        f"{number}</span>"
        f'<span class="extent">{"".join(parts)}</span></p>'
    )


def _marked(whole: str, part: Span, runs: list[Span]) -> str:
    """A part of a text with what is the same in both documents marked."""
    start, end = part
    pieces = []
    position = start
    for run_start, run_end in sorted(runs or [part]):
        low, high = max(run_start, position), min(run_end, end)
        if low < high:
            pieces.append(_prose(whole[position:low]))
            pieces.append(f"<mark>{_prose(whole[low:high])}</mark>")
            position = high
    pieces.append(_prose(whole[position:end]))
    return "".join(pieces)


def _prose(piece: str) -> str:
    return text(_BLANK_LINES.sub("\n\n", piece.replace("\f", "\n")))


def _kept(whole: str, span: Span) -> list[Span]:
    """The span, or its head and tail when it is long, cut between words."""
    start, end = span
    longest = LONGEST_PASSAGE if _has_spaces(whole[start:end]) else LONGEST_PASSAGE // 2
    if end - start <= longest:
        return [span]
    head, tail = start + round(HEAD * longest), end - round(TAIL * longest)
    space = whole.rfind(" ", head - WORD_REACH, head)
    head = head if space < 0 else space
    space = whole.find(" ", tail, tail + WORD_REACH)
    tail = tail if space < 0 else space + 1
    return [(start, head), (tail, end)]


def _amount(left_out: str) -> str:
    """What was left out, in words where the script has spaces."""
    if _has_spaces(left_out):
        return f"{counted(_count_words(left_out), 'word')} left out"
    return f"{counted(len(left_out), 'character')} left out"


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


def _dot_plot(passages: Sequence[Passage], length_a: int, length_b: int) -> str:
    """Where the passages stand: A across, B down."""
    if not passages:
        return ""
    x, y = 100 / max(length_a, 1), 100 / max(length_b, 1)
    lines = "".join(
        f'<line class="hue-{index % HUES}" x1="{passage.a_start * x:.1f}" '
        f'y1="{passage.b_start * y:.1f}" x2="{passage.a_end * x:.1f}" '
        f'y2="{passage.b_end * y:.1f}"/>'
        for index, passage in enumerate(passages)
    )
    return (
        '<svg class="plot" viewBox="-6 -6 112 112" role="img" '
        f'aria-label="Where the passages stand: A across, B down">{lines}</svg>'
    )
