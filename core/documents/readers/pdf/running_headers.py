"""Running heads, running feet and page numbers: they repeat from page to page and are no text.

Looked for in the outermost rows of every page, from the edge inwards, under the row's text with its
numbers left out. A row runs if it stands at one height on several pages, and if its numbers stay
the same or count with the pages: "Exercise 1", "Exercise 2" on two pages each is text. Where it
does not count, it also stands apart from the text, or on most pages: some pages of prose may well
begin with the same words.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise, takewhile
from statistics import median
from typing import NamedTuple

from core.base.patterns import lazy_pattern
from core.documents.readers.pdf.lines import Line

_ROWS = 4  # rows looked at from each edge
_PAGES = 3  # on which a row must repeat; in a document of two pages both
_HEIGHT = 1.25  # times that of the text: a title repeated in large letters is text
_SMALL = 0.95  # times that of the text: below it even two rows without a number may run
_APART = 0.35  # of its height: so much farther from the text than lines of that from each other
_USUAL = 0.5  # share of the pages that makes a row running wherever it stands
_NEAR = 4.0  # points that the height on the page may differ
_MOST = 0.3  # share of all characters that can be set aside
_SENTENCE = lazy_pattern(r"[.!?。！？]['\"”’»)]*$")
_NUMBER = lazy_pattern(r"\d+")
_ROMAN = lazy_pattern(r"(?<!\w)[ivxlc]+(?!\w)")
_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class PagesWithoutHeaders(NamedTuple):
    """The pages without what runs, on how many some did, and some of it with letters."""

    pages: list[list[Line]]
    affected: int
    examples: tuple[str, ...]


class _Row(NamedTuple):
    """Lines side by side at the edge of a page."""

    page: int
    top: bool
    lines: tuple[Line, ...]
    key: str
    numbers: tuple[int, ...]
    position: float
    height: float
    gap: float  # to the next row towards the middle

    @property
    def is_number(self) -> bool:
        """Whether it has no word, as the number of a page, which may be in large letters."""
        return "#" in self.key and not any(map(str.isalpha, self.key))


def without_running_headers(pages: Sequence[list[Line]]) -> PagesWithoutHeaders:
    """Set aside what runs over the pages."""
    kept = [list(page) for page in pages]
    heights = [line.height for page in pages for line in page]
    if len(pages) < 2 or not heights:
        return PagesWithoutHeaders(kept, 0, ())
    rows = [row for number, page in enumerate(pages) for row in _edge_rows(number, page)]
    usual = median(heights)
    low = [row for row in rows if row.height <= _HEIGHT * usual or row.is_number]
    repeated = _repeated(low, min(_PAGES, len(pages)), _SMALL * usual)
    apart = _rows_apart(low)
    running = _without_prose(low, repeated, apart, len(pages))
    running |= _in_bands(low, running, apart, len(pages))
    headers = _from_the_edge(rows, running)
    length = sum(len(line.text) for page in pages for line in page)
    if sum(len(line.text) for row in headers for line in row.lines) > _MOST * length:
        return PagesWithoutHeaders(kept, 0, ())
    for row in headers:
        gone = {id(line) for line in row.lines}
        kept[row.page] = [line for line in kept[row.page] if id(line) not in gone]
    return PagesWithoutHeaders(kept, len({row.page for row in headers}), _examples(headers))


def _edge_rows(number: int, page: list[Line]) -> list[_Row]:
    """The outermost rows of a page, the upper from the top and the lower from the bottom."""
    if not page:
        return []
    turn = Counter(line.turn for line in page).most_common(1)[0][0]
    lines = sorted((line for line in page if line.turn == turn), key=_middle, reverse=True)
    rows = _rows(lines, _ROWS + 1)
    feet = _rows(lines[::-1], _ROWS + 1)
    return _described(number, rows, top=True) + _described(number, feet, top=False)


def _middle(line: Line) -> float:
    return line.bottom + line.top


def _rows(lines: Sequence[Line], most: int) -> list[list[Line]]:
    """The first rows of lines sorted by height: lines of a row stand side by side."""
    rows: list[list[Line]] = []
    for line in lines:
        if rows and abs(_middle(line) - _middle(rows[-1][0])) < line.height:
            rows[-1].append(line)
        elif len(rows) == most:
            break
        else:
            rows.append([line])
    return rows


def _described(number: int, rows: list[list[Line]], *, top: bool) -> list[_Row]:
    """Rows of one edge with what is needed to compare them."""
    described = []
    for index, row in enumerate(rows[:_ROWS]):
        lines = tuple(sorted(row, key=lambda line: line.left))
        key, numbers = _key(" ".join(line.text for line in lines))
        bottom, upper = min(line.bottom for line in row), max(line.top for line in row)
        gap = math.inf
        if index + 1 < len(rows):
            inner = rows[index + 1]
            edge = max(line.top for line in inner) if top else min(line.bottom for line in inner)
            gap = bottom - edge if top else edge - upper
        height = max(line.height for line in lines)
        described.append(_Row(number, top, lines, key, numbers, bottom, height, gap))
    return described


def _key(text: str) -> tuple[str, tuple[int, ...]]:
    """A text with its numbers replaced, and the numbers; a page may be counted in Roman ones."""
    text = " ".join(text.casefold().split())
    if _NUMBER.search(text):
        numbers = tuple(int(number[-9:]) for number in _NUMBER.findall(text))
        return _NUMBER.sub("#", text), numbers
    return _ROMAN.sub("#", text), tuple(_roman(number) for number in _ROMAN.findall(text))


def _roman(number: str) -> int:
    values = [_DIGITS[digit] for digit in number]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _repeated(rows: Sequence[_Row], least: int, small: float) -> list[tuple[list[_Row], bool]]:
    """The rows that may run, and whether they count the pages; see the head of this module.

    On two pages only, one that does not count must be lower than `small`: both may well begin with
    the same heading.
    """
    groups: dict[tuple[bool, str], list[_Row]] = defaultdict(list)
    for row in rows:
        groups[row.top, row.key].append(row)
    repeated = []
    for group in groups.values():
        position = median(row.position for row in group)
        near = [row for row in group if abs(row.position - position) < _NEAR]
        strict = least < _PAGES and any(row.height >= small for row in near)
        if len({row.page for row in near}) < least:
            continue
        counts = _counts(near)
        has_letters = any(map(str.isalpha, near[0].key))
        if counts or (counts is not None and not strict and has_letters):
            repeated.append((near, counts))
    return repeated


def _counts(rows: list[_Row]) -> bool | None:
    """Whether the numbers of rows count with the pages, not only stay; None where they do neither.

    A row that is nothing but numbers must count.
    """
    steps = list(pairwise(rows))
    counting = False
    for index in range(len(rows[0].numbers)):
        differences = [b.numbers[index] - a.numbers[index] for a, b in steps]
        turns = [b.page - a.page for a, b in steps]
        counted = sum(d == t != 0 for d, t in zip(differences, turns, strict=True))
        stayed = differences.count(0)
        if counted + stayed < 0.7 * len(steps):
            return None
        counting = counting or counted >= 0.5 * len(steps)
    return counting


def _rows_apart(rows: Sequence[_Row]) -> set[int]:
    """The rows, by their `id`, farther from the text than lines of that are from each other."""
    room = max(0.0, median([row.gap for row in rows if row.gap < math.inf] or [0.0]))
    return {id(row) for row in rows if row.gap > room + _APART * row.height}


def _without_prose(
    rows: Sequence[_Row], repeated: Sequence[tuple[list[_Row], bool]], apart: set[int], pages: int
) -> set[int]:
    """Of the rows that repeat those that are no line of prose.

    A row is none that counts, stands apart, or is on most pages; nor is any outside of it.
    """
    running: set[int] = set()
    sure = set(apart)
    for alike, counts in repeated:
        row_ids = set(map(id, alike))
        running |= row_ids
        if counts or len({row.page for row in alike}) >= _USUAL * pages:
            sure |= row_ids
    edges: dict[tuple[int, bool], list[_Row]] = defaultdict(list)
    for row in rows:
        edges[row.page, row.top].append(row)
    ids: set[int] = set()
    for edge in edges.values():
        inside = [id(row) for row in takewhile(lambda row: id(row) in running, edge)]
        while inside and inside[-1] not in sure:
            inside.pop()
        ids.update(inside)
    return ids


def _in_bands(rows: Sequence[_Row], running: set[int], apart: set[int], pages: int) -> set[int]:
    """Rows at the very place of running ones, as far from the text: heads that name a section."""
    ids: set[int] = set()
    for top in (True, False):
        edge = [row for row in rows if row.top == top]
        positions = Counter(round(row.position) for row in edge if id(row) in running)
        for row in edge:
            near = sum(positions[round(row.position) + step] for step in (-1, 0, 1))
            is_head = id(row) in apart and not _SENTENCE.search(row.lines[-1].text)
            if near >= max(_PAGES, pages / 3) and is_head:
                ids.add(id(row))
    return ids


def _from_the_edge(rows: Sequence[_Row], running: set[int]) -> list[_Row]:
    """Running rows that have nothing but running rows between them and the edge."""
    headers: list[_Row] = []
    stopped: set[tuple[int, bool]] = set()
    taken: set[int] = set()
    for row in rows:
        if id(row) not in running:
            stopped.add((row.page, row.top))
        elif (row.page, row.top) not in stopped and id(row.lines[0]) not in taken:
            headers.append(row)
            taken.update(id(line) for line in row.lines)
    return headers


def _examples(rows: Sequence[_Row]) -> tuple[str, ...]:
    texts = Counter(
        " ".join(line.text for line in row.lines)
        for row in rows
        if any(character.isalpha() for character in row.key)
    )
    return tuple(" ".join(text.split()) for text, _ in texts.most_common(2))
