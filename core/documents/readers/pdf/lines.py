"""The lines of a page of a PDF file: their text and where they stand, as PDFium knows them.

PDFium is asked for the box of a character by one call each, and a call costs about as much as
PDFium takes to find the character: so only the ends of lines are asked for, and every word only
where a line has gaps.

Words broken at the end of a line, put together again where the document shows how.

A hyphen at the end of a line may belong to the word ("well-known") or not ("exam-ple"). Joining
always would glue the first kind, so the rest of the document is asked how it writes the word, or
its parts. Where it does not say, it depends on whether words are broken in this document at all.

In which order the lines of a page are read.

Lines that follow each other downwards make a run. Runs keep the order of the file, except that what
stands above comes before what it overlaps from above: writers of PDF files draw columns one after
the other, but titles and boxes at any time.

Rows and columns of a page: what stands side by side is one row, or two columns of prose.

Some programs write a page row by row across its columns. Whether a row with a wide gap belongs to a
table or to two columns is seen from the text on either side: columns have lines of prose.
"""

from __future__ import annotations

import ctypes
import heapq
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate, groupby, pairwise
from statistics import fmean, median
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from core.base.patterns import lazy_pattern
from core.base.wording import RIGHT_TO_LEFT

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

JOINER = "\u2060"  # stands where a space was none, so that every character keeps its index
_EAST_ASIAN = "\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_SPACE = lazy_pattern(rf"(?<=[{_EAST_ASIAN}]) (?=\S)|(?<=\S) (?=[{_EAST_ASIAN}])")
_ALEF_LAM = lazy_pattern("[\u0622\u0623\u0625\u0627]\u0644")
# Letters and marks of a word in a script that is written from right to left: no digits.
_LEFTWARD = lazy_pattern(
    "[\u0590-\u065f\u066e-\u06ef\u06fa-\u07bf\u07ca-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]{2,}"
)
_LETTER_STEP = 2  # from the space before a single letter to the one after it
_GAP = 0.5  # of the height of a line: less between ideographs or letters may be their setting
_RISE = 0.1  # of the height of a letter: less to the right is no step from the left
_SPREAD = lazy_pattern(r"(?<=(?<!\S)[^\W\d_]) (?=[^\W\d_](?!\S))")  # between two single letters
_BETWEEN_WORDS = lazy_pattern(r"(?<=\S{3}) (?=\S{3})")
_BY_A_LETTER = lazy_pattern(r"(?<=(?<!\S)\S) (?=\S)|(?<=\S) (?=\S(?!\S))")
_BETWEEN = lazy_pattern(r"(?<=\S) (?=\S)")
_LONG_WORD = lazy_pattern(r"\S{3}")
_ANSWERS = [frozenset(letters) for letters in ("ABCDE", "abcde", "TF", "YN")]
# A space in a spread word is the room after a letter; between words there is that before the space,
# the space, and that after it.
_WORD_TO_LETTER = 1.95  # at least two, less what rounding takes
_WORD_SPACE = 0.15  # of the height of a letter: the narrowest space of a font


class Box(NamedTuple):
    """A place on a page in points, from its lower left corner."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        """From the bottom to the top."""
        return self.top - self.bottom


BoxOf = Callable[[int], Box]  # of a character by its index


def corrected(
    text: str, is_made_up: Callable[[int], bool], box: BoxOf, is_upright: Callable[[int], bool]
) -> tuple[str, Mapping[int, int]]:
    """The text with four faults mended, as long as before, and where letters that moved were.

    A space that stands for the little room between ideographs and other signs becomes `JOINER`, and
    so does one between the letters of a word that are spread, as for emphasis or in titles. The
    letters lam and alef, which are drawn as one, come out in the order of their drawing: they have
    the same box, and are turned round. So are upright letters of Arabic or Hebrew that stand to the
    left of those that follow, as in much that a browser has printed.

    Args:
        text: Of a page, as PDFium gives it.
        is_made_up: Whether the character of an index is not in the file, but added by PDFium.
        box: The left, bottom, right and top of a character.
        is_upright: Whether a character is.
    """
    characters: list[str] | None = None
    places: dict[int, int] = {}
    for match in _SPACE.finditer(text):
        if is_made_up(match.start()) and _is_narrow(box(match.start() - 1), box(match.end())):
            characters = characters or list(text)
            characters[match.start()] = JOINER
    for index in _spread_spaces(text, is_made_up, box, is_upright):
        characters = characters or list(text)
        characters[index] = JOINER
    for match in _ALEF_LAM.finditer(text):
        if box(match.start()) == box(match.start() + 1):
            characters = characters or list(text)
            characters[match.start() : match.end()] = reversed(match[0])
    for match in _LEFTWARD.finditer(text):
        boxes = [box(index) for index in range(*match.span())]
        if any(_rises(*both) for both in pairwise(boxes)) and is_upright(match.start()):
            characters = characters or list(text)
            letters = characters[match.start() : match.end()]
            for place, index in enumerate(_from_the_right(match[0], boxes), match.start()):
                characters[place] = letters[index]
                places[place] = match.start() + index
    return text if characters is None else "".join(characters), places


def _spread_spaces(
    text: str, is_made_up: Callable[[int], bool], box: BoxOf, is_upright: Callable[[int], bool]
) -> Iterator[int]:
    """The indexes of spaces within words whose letters are spread.

    They are told by their width, as the spaces of their line are of two kinds: narrow ones between
    letters, and between words those at least twice as wide. Single letters as far apart as words
    are words ("il y a"), and where all are alike they may be symbols. A line of letters that name
    answers ("B C A D") stays in letters.
    """
    if not _SPREAD.search(text):
        return
    for line in _LINE.finditer(text):
        apart = [match.start() for match in _SPREAD.finditer(text, *line.span())]
        in_a_row = [(one, other) for one, other in pairwise(apart) if other - one == _LETTER_STEP]
        if not in_a_row or RIGHT_TO_LEFT.search(line[0]) or not is_upright(apart[0] - 1):
            continue
        letters = set(filter(str.isalpha, line[0]))
        if any(letters <= answers for answers in _ANSWERS):
            continue
        widths: dict[int, float] = {}
        for match in _BETWEEN.finditer(text, *line.span()):
            before, after = box(match.start() - 1), box(match.end())
            widths[match.start()] = (after.left - before.right) / (before.height or 1.0)
        words = [widths[it.start()] for it in _BETWEEN_WORDS.finditer(text, *line.span())]
        if not words and _LONG_WORD.search(line[0]):  # as wide as which spaces between words?
            continue
        most = _widest_between_letters(widths, in_a_row)
        if most and most < min(words, default=math.inf):
            for match in _BY_A_LETTER.finditer(text, *line.span()):
                if widths[match.start()] <= most and is_made_up(match.start()):
                    yield match.start()


def _widest_between_letters(
    widths: Mapping[int, float], in_a_row: Iterable[tuple[int, int]]
) -> float | None:
    """The width of the widest space within a spread word, None if a line has none.

    Args:
        widths: Of the spaces of a line.
        in_a_row: Spaces with a single letter between, before and after.
    """
    least = min(max(widths[one], widths[other]) for one, other in in_a_row)
    ordered = sorted(widths.values())
    for count, (narrow, wide) in enumerate(pairwise(ordered), 1):
        if narrow > _GAP or wide > _CELL_GAP:  # the columns of a table
            return None
        is_wide = wide > max(_WORD_TO_LETTER * median(ordered[:count]), narrow + _WORD_SPACE)
        if is_wide and narrow >= least:
            return narrow
    return None


def _from_the_right(word: str, boxes: Sequence[Box]) -> list[int]:
    """The order of the letters from right to left, those of one box as they are.

    Letters that come from left to right are turned round; where they break off, others begin. A
    mark may stand anywhere over its letter, but not to the left of all; where letters are turned
    round it follows the one whose middle is nearest to its own.
    """
    stretches: list[list[int]] = [[]]
    are_rising = [False]
    last = None
    for index, (letter, box) in enumerate(zip(word, boxes, strict=True)):
        is_mark = unicodedata.combining(letter) > 0
        if last and box.left < last.left and box.right < last.right:
            stretches.append([])
            are_rising.append(False)
        elif is_mark:
            stretches[-1].append(index)
            continue
        elif last and _rises(last, box) and box.right > last.right:
            are_rising[-1] = True
        stretches[-1].append(index)
        last = box
    for stretch, is_rising in zip(stretches, are_rising, strict=True):
        if is_rising:
            stretch[:] = _turned_round(word, boxes, stretch)
    return [index for stretch in stretches for index in stretch]


def _turned_round(word: str, boxes: Sequence[Box], stretch: Sequence[int]) -> list[int]:
    """The indexes of letters and marks by the places of the letters, from the right."""
    letters = [index for index in stretch if not unicodedata.combining(word[index])]

    def place(index: int) -> tuple[float, bool]:
        if not unicodedata.combining(word[index]):
            return -boxes[index].left, False
        middle = sum(boxes[index][::2])
        nearest = min(letters, key=lambda letter: abs(sum(boxes[letter][::2]) - middle))
        return -boxes[nearest].left, True

    return sorted(stretch, key=place)


def _rises(before: Box, after: Box) -> bool:
    """Whether a letter begins to the right of where the one before does."""
    return after.left - before.left > _RISE * after.height


def _is_narrow(before: Box, after: Box) -> bool:
    """Whether two characters of a line stand close together."""
    return after.left - before.right < _GAP * max(before.height, after.height)


_LETTER = lazy_pattern(r"[^\W\d_]")
_COMPARED = 8  # letters of each line
_LINE_RISE = 0.8  # of the height of the tallest letter: no raised letter stands so high


def apart(
    text: str, box: BoxOf, is_upright: Callable[[int], bool]
) -> tuple[str, Mapping[int, int]]:
    """The text with lines apart that PDFium took for one, and where characters that moved were.

    It turns what runs from right to left round as a whole, so the lower line comes first, as in
    what Qt has printed in Arabic. Another one begins where the next word stands further up and not
    to the left.

    Args:
        text: Of a page, as PDFium gives it.
        box: The left, bottom, right and top of a character.
        is_upright: Whether a character is.
    """
    characters: list[str] | None = None
    places: dict[int, int] = {}
    for line in _LINE.finditer(text) if RIGHT_TO_LEFT.search(text) else ():
        if not (RIGHT_TO_LEFT.search(line[0]) and is_upright(line.start())):
            continue
        starts = [line.start()]
        for space in _BETWEEN.finditer(text, *line.span()):
            before, after = box(space.start() - 1), box(space.end())
            if after.right > before.left and after.bottom > before.bottom:
                here, following = range(starts[-1], space.start()), range(space.end(), line.end())
                if _climbs(text, box, here, following):
                    starts.append(space.end())
        if len(starts) > 1:
            characters = characters or list(text)
            ends = [*(start - 1 for start in starts[1:]), line.end()]
            moved: list[int] = []
            for start, end in reversed([*zip(starts, ends, strict=True)]):
                moved += [*range(start, end), start - 1]
            for place, index in enumerate(moved[:-1], line.start()):
                characters[place] = "\n" if index + 1 in starts else text[index]
                places[place] = index
    return text if characters is None else "".join(characters), places


def _climbs(text: str, box: BoxOf, here: range, following: range) -> bool:
    """Whether the next letters stand a line above the last ones."""
    lower = [box(index) for index in here if _LETTER.match(text[index])][-_COMPARED:]
    upper = [box(index) for index in following[: 2 * _COMPARED] if _LETTER.match(text[index])]
    if not (lower and upper):
        return False
    height = max(top - bottom for _, bottom, _, top in (*lower, *upper))
    middles = [sum(bottom + top for _, bottom, _, top in of) / len(of) for of in (lower, upper)]
    return middles[1] - middles[0] > 2 * _LINE_RISE * height


@cache
def by_address(raw: ModuleType, name: str) -> Callable[..., Any]:
    """A function of PDFium with a number for whatever points to something, in half the time."""
    function = getattr(raw, name)
    types = (function.restype, *function.argtypes)
    plain = [ctypes.c_size_t if hasattr(it, "contents") else it for it in types]
    return ctypes.CFUNCTYPE(*plain)(_address(function))


def address(page: PdfPage | PdfTextPage) -> int:
    """Where PDFium keeps a page, or its text."""
    return _address(page.raw)


def _address(pointer: Any) -> int:  # noqa: ANN401
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def in_columns(
    function: Callable[..., Any],
    given: Sequence[int],
    kind: type[ctypes.c_uint | ctypes.c_float | ctypes.c_double],
    numbers: int = 4,
    pointers: int = 4,
) -> list[list[Any]]:
    """What a function of PDFium answers for each argument, and the numbers that it writes.

    Args:
        function: As `by_address` gives it.
        given: The arguments.
        kind: Of the numbers.
        numbers: How many it writes for each.
        pointers: How many it takes: one for all numbers, or one for each.
    """
    written = (kind * (numbers * len(given)))()
    start, size = ctypes.addressof(written), ctypes.sizeof(kind)
    end, step = start + ctypes.sizeof(written), numbers * size
    places = (range(start + n * size, end, step) for n in range(pointers))
    return [list(map(function, given, *places)), *(written[n::numbers] for n in range(numbers))]


HYPHEN = "\ufffe"  # how PDFium writes a hyphen at the end of a line, and what it does for the end
_LINE = lazy_pattern(r"[^\r\n\ufffe]+\ufffe?")
_WORD = lazy_pattern(r"[^\s\ufffe]+")
_NO_SIGN = lazy_pattern(r"[\s\ufffe\u2060]")
_CELL_GAP = 1.6  # of the height of a line: wider than any space between words
_LOOSE = 0.6  # of the height for each character: so wide are the letters of hardly any font
_ASCENT, _DESCENT = 0.85, 0.25  # of the size of a font, about as most fonts have it
_LOWEST, _HIGHEST = 0.3, 3.0  # of the size of a font: so high is what it draws
_STEPS = 4  # quarters of a full turn
_SMALLER = 1.8  # times so small is a line than the large initial before it


class UnseenText(Protocol):
    """Knows which letters of a page nobody sees."""

    def look_at(self, lines: Sequence[Line]) -> None:
        """Be told all lines of the page, before anything is asked."""

    def may_be_in(self, line: Line) -> bool:
        """Whether letters of a line may be unseen."""

    def is_doubtful(self, index: int) -> bool:
        """Whether a letter may be unseen, by its index in PDFium's text."""

    def is_unseen(self, box: Box, words: int) -> bool:
        """Whether so many doubtful words in a place are not seen; asked once for each place."""


class LineCell(NamedTuple):
    """A part of a line between wide gaps."""

    left: float
    right: float
    text: str


@dataclass(slots=True)
class Line:
    """A line of text; its coordinates are those of the page turned to make it upright.

    Attributes:
        text: Words with spaces between, or tabs for gaps as wide as between the cells of a table.
        left, bottom, right, top: The box that holds it, ascenders and descenders included.
        first: Width of its first word.
        turn: Quarters of a full turn counter-clockwise it is written at; -1 for any other angle.
        start, end: The lowest and the highest index of its characters in PDFium's text of the page.
        pieces: Number of text objects it is written with.
        hyphenated: It ends in the middle of a word; the hyphen is not in its text.
        cells: Its parts between wide gaps, if there are any.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    first: float = 0.0
    turn: int = 0
    start: int = 0
    end: int = 0
    pieces: int = 1
    hyphenated: bool = False
    cells: tuple[LineCell, ...] = ()

    @property
    def height(self) -> float:
        """From the descenders to the ascenders."""
        return self.top - self.bottom


def page_lines(
    raw: ModuleType, text_page: PdfTextPage, unseen: UnseenText | None = None
) -> list[Line]:
    """The lines of text of a page, in the order in which they were written to the file.

    Args:
        raw: The module `pypdfium2.raw`.
        text_page: The page.
        unseen: What tells the parts of a line that nobody sees, which are left out; a line that is
            doubtful as a whole stays.
    """
    return _Text(raw, text_page).lines(unseen)


class _Text:
    """The text of a page; buffers for PDFium's answers are made once, calls are the cost."""

    def __init__(self, raw: ModuleType, text_page: PdfTextPage) -> None:
        self._raw = raw
        self._page = text_page.raw
        self._rectangle = raw.FS_RECTF()
        self._rectangle_reference = ctypes.byref(self._rectangle)
        self._matrix = raw.FS_MATRIX()
        self._matrix_reference = ctypes.byref(self._matrix)
        self._piece_at = partial(by_address(raw, "FPDFText_GetRect"), address(text_page))
        self._origin = [ctypes.c_double() for _ in range(2)]
        self._origin_references = [ctypes.byref(number) for number in self._origin]
        text, self._index_of = self._whole_text()

        def box(position: int) -> Box:
            return self._box(position, 0)

        text, places = apart(text, box, self._is_upright)
        self._move(places)
        self._unmoved_index_of = self._index_of  # letters stay in their lines from here on
        self._text, places = corrected(text, self._is_made_up, box, self._is_upright)
        self._move(places)

    def _move(self, places: Mapping[int, int]) -> None:
        """Let positions in the text be those after characters moved."""
        index_of = self._index_of
        if places:
            self._index_of = lambda position: index_of(places.get(position, position))

    def _whole_text(self) -> tuple[str, Callable[[int], int]]:
        """The text, and what makes an index of PDFium's of a position in it."""
        raw = self._raw
        count = raw.FPDFText_CountChars(self._page)
        if count <= 0:
            return "", int
        buffer = (ctypes.c_ushort * (2 * count + 2))()
        units = max(0, raw.FPDFText_GetText(self._page, 0, count, buffer) - 1)
        text = bytes(memoryview(buffer).cast("B")[: 2 * units]).decode("utf-16-le", "replace")
        if units == count == len(text):
            return text, int
        # For every character the number of UTF-16 units before it.
        starts = list(accumulate((1 + (it > "\uffff") for it in text), initial=0))

        def index_of(position: int) -> int:
            index: int = raw.FPDFText_GetCharIndexFromTextIndex(self._page, starts[position])
            return index

        return text, index_of

    def _is_made_up(self, position: int) -> bool:
        """Whether a character is not in the file."""
        return bool(self._raw.FPDFText_IsGenerated(self._page, self._index_of(position)) == 1)

    def _is_upright(self, position: int) -> bool:
        angle = self._raw.FPDFText_GetCharAngle(self._page, self._index_of(position))
        return _turn(angle) == 0

    def lines(self, unseen: UnseenText | None = None) -> list[Line]:
        found = [
            (match.span(), line)
            for match in _LINE.finditer(self._text)
            if (line := self._line_of(match)) is not None
        ]
        if unseen is None:
            return [line for _, line in found]
        unseen.look_at([line for _, line in found])
        return [left for it in found if (left := self._without(*it, unseen)) is not None]

    def _without(self, span: tuple[int, int], line: Line, unseen: UnseenText) -> Line | None:
        """A line without its parts that are not seen."""
        if unseen.may_be_in(line) and self._leave_out(span, line.turn, unseen):
            return self._line_of(_LINE.match(self._text, span[0]))
        return line

    def _leave_out(self, line: tuple[int, int], turn: int, unseen: UnseenText) -> bool:
        """Take out the parts of a line that are not seen; a space stays where there is room."""
        characters = list(self._text[slice(*line)])
        signs = [it for it in range(*line) if not _NO_SIGN.match(self._text[it])]
        doubtful = {it for it in signs if unseen.is_doubtful(self._index_of(it))}
        parts = [list(group) for _, group in groupby(signs, doubtful.__contains__)]
        if len(parts) == 1:
            return False
        for before, part, after in zip([[], *parts], parts, [*parts[1:], []], strict=False):
            if part[0] not in doubtful or not self._is_unseen(part, unseen):
                continue
            left_out, instead = part, " "
            if before and after and self._are_of_one_word(before[-1], after[0], turn):
                left_out, instead = [*range(before[-1] + 1, after[0])], JOINER
            for position in left_out:
                characters[position - line[0]] = instead
        self._text = self._text[: line[0]] + "".join(characters) + self._text[line[1] :]
        return True

    def _is_unseen(self, part: Sequence[int], unseen: UnseenText) -> bool:
        ends = self._box(part[0], 0), self._box(part[-1], 0)
        lefts, bottoms, rights, tops = zip(*ends, strict=True)
        words = len(self._text[part[0] : part[-1] + 1].split())
        return unseen.is_unseen(Box(min(lefts), min(bottoms), max(rights), max(tops)), words)

    def _are_of_one_word(self, before: int, after: int, turn: int) -> bool:
        """Whether there is no room for a space between two letters that are seen, and none."""
        between = range(before + 1, after)
        if turn < 0 or any(self._text[it] == " " and not self._is_made_up(it) for it in between):
            return False
        left, right = sorted((self._box(before, turn), self._box(after, turn)))
        return right.left - left.right < _WORD_SPACE * left.height

    def _line_of(self, match: re.Match[str] | None) -> Line | None:
        first = match and _WORD.search(match.string, match.start(), match.end())
        return self._line(match, first) if match and first else None

    def _line(self, match: re.Match[str], first: re.Match[str]) -> Line:
        hyphenated = match[0][-1] == HYPHEN
        words = match[0].rstrip(HYPHEN).rstrip()
        start = first.start()
        end = match.start() + len(words) - 1
        text = " ".join(words.split())
        # Letters move within their words: the line begins and ends in PDFium's text as it did.
        index, last_index = self._unmoved_index_of(start), self._unmoved_index_of(end)
        turn = _turn(self._raw.FPDFText_GetCharAngle(self._page, index))
        box, first_end = self._box(start, turn), self._box(first.end() - 1, turn)
        last = first_end if first.end() == end + 1 else self._box(end, turn)
        left, right = min(box.left, last.left), max(box.right, last.right)
        pieces = self._raw.FPDFText_CountRects(self._page, index, last_index - index + 1)
        upright = self._upright(box, range(start, end + 1), turn)
        bottom, top = upright.bottom, upright.top
        if pieces > 1:  # else both ends are of the same size
            bottom, top = _extent(upright, self._upright(last, range(end, start - 1, -1), turn))
        width = max(box.right, first_end.right) - min(box.left, first_end.left)
        line = Line(
            text, left, bottom, right, top, width, turn, index, last_index, pieces, hyphenated
        )
        if pieces > 1 or right - left > _LOOSE * (top - bottom) * len(text):
            self._look_at_words(line, match.start(), end + 1)
        return line

    def _upright(self, box: Box, positions: range, turn: int) -> Box:
        """The box of an end of a line, as high as that of the next letter where it is flat.

        A sign whose text the file says (/ActualText) has a box of its ink alone: a dash a flat one.
        """
        end = self._on_baseline(box, self._index_of(positions[0]), turn)
        letter = next((it for it in positions if self._text[it].isalnum()), positions[0])
        if letter == positions[0]:
            return end
        box = self._on_baseline(self._box(letter, turn), self._index_of(letter), turn)
        is_flat = end.height < _LOWEST * box.height
        return box if is_flat else end

    def _on_baseline(self, box: Box, index: int, turn: int) -> Box:
        """A box as high as the size of the font says, wherever that is plausible.

        How far a font reaches up and down is a matter of each font, and fonts that do not tell it
        get it from two letters by PDFium, which may be any in a font made for one file.
        """
        raw = self._raw
        if not raw.FPDFText_GetCharOrigin(self._page, index, *self._origin_references):
            return box
        if not raw.FPDFText_GetMatrix(self._page, index, self._matrix_reference):
            return box
        size = raw.FPDFText_GetFontSize(self._page, index)
        size *= math.hypot(self._matrix.c, self._matrix.d)
        if not _LOWEST * size < box.height < _HIGHEST * size:  # fonts of pictures have any size
            return box
        x0, y0 = (number.value for number in self._origin)
        baseline = _turned(x0, y0, x0, y0, turn).bottom
        return box._replace(bottom=baseline - _DESCENT * size, top=baseline + _ASCENT * size)

    def _look_at_words(self, line: Line, start: int, end: int) -> None:
        """Find wide gaps in a line, and the ends of one of two directions."""
        mixed = RIGHT_TO_LEFT.search(line.text) is not None
        if not mixed and not self._has_gap(line):
            return
        gap = _CELL_GAP * line.height
        cells: list[LineCell] = []
        for word in _WORD.finditer(self._text, start, end):
            boxes = self._box(word.start(), line.turn), self._box(word.end() - 1, line.turn)
            left, right = min(box.left for box in boxes), max(box.right for box in boxes)
            if cells and max(left - cells[-1].right, cells[-1].left - right) < gap:
                before = cells.pop()
                left, right = min(left, before.left), max(right, before.right)
                cells.append(LineCell(left, right, f"{before.text} {word[0]}"))
            else:
                cells.append(LineCell(left, right, word[0]))
        line.left, line.right = min(c.left for c in cells), max(c.right for c in cells)
        if len(cells) > 1:
            line.cells = tuple(cells)
            line.text = "\t".join(cell.text for cell in cells)

    def _has_gap(self, line: Line) -> bool:
        """Whether there may be a wide gap in a line, by the places of its pieces."""
        if line.right - line.left > _LOOSE * line.height * len(line.text):
            return True
        if line.pieces > len(line.text) // 4 or line.turn != 0:
            return True
        pieces = range(line.pieces)  # of those counted last
        _, lefts, _, rights, _ = in_columns(self._piece_at, pieces, ctypes.c_double)
        gap = _CELL_GAP * line.height
        return any(left - right > gap for right, left in zip(rights, lefts[1:], strict=False))

    def _box(self, position: int, turn: int) -> Box:
        index = self._index_of(position)
        if not self._raw.FPDFText_GetLooseCharBox(self._page, index, self._rectangle_reference):
            return Box(0.0, 0.0, 0.0, 0.0)
        box = self._rectangle
        return _turned(box.left, box.bottom, box.right, box.top, turn)


def _extent(first: Box, last: Box) -> tuple[float, float]:
    """Bottom and top of a line, by the larger end of it that is no initial."""
    small, large = sorted((first, last), key=lambda box: box.height)
    line = small if large.height > _SMALLER * small.height else large
    return line.bottom, line.top


def _turn(angle: float) -> int:
    """The quarter turn nearest to an angle in radians (PDFium's are clockwise), -1 if none is."""
    quarters = -angle / (math.pi / 2)
    nearest = round(quarters)
    return nearest % _STEPS if abs(quarters - nearest) < 0.1 else -1


def _turned(left: float, bottom: float, right: float, top: float, turn: int) -> Box:
    """A box as it stands when the text in it is turned upright."""
    if turn == 1:
        return Box(bottom, -right, top, -left)
    if turn == 2:
        return Box(-right, -top, -left, -bottom)
    if turn == 3:
        return Box(-top, left, -bottom, right)
    return Box(left, bottom, right, top)


def turned_back(line: Line) -> Box:
    """The box of a line on the page as it lies."""
    return _turned(line.left, line.bottom, line.right, line.top, -max(line.turn, 0) % _STEPS)


_LAST = lazy_pattern(r"[^\W_]+\Z")
_FIRST = lazy_pattern(r"(\f?)([^\W_]+)")
_HYPHENS_WORD = lazy_pattern(r"[^\W_]+(?:[-\u2010][^\W_]+)*")
_LONGEST = 60  # letters looked at before and after a break
_HYPHENS_LINE = 60  # letters of a usual line
_OFTEN = 0.025  # of all lines end in a hyphen where words are broken: fewer do for compounds alone
_FEW = 3  # words broken that show a habit
_LONG = 3  # letters: "third" in "third-party" tells more than "co" in "co-owner"


def resolve_hyphens(text: str) -> str:
    """The text without marks of broken words; one broken over two pages stays on the first."""
    if HYPHEN not in text:
        return text
    pieces = text.split(HYPHEN)
    breaks = [_parts(left, right) for left, right in pairwise(pieces)]
    written = _Written(_without_parts(pieces, breaks))
    known = [written.is_whole(before, after) for before, _, after in breaks]
    joined, kept = known.count(True), known.count(False)
    # Whether words are broken at the ends of lines in this document.
    is_usual = (
        len(known) > _OFTEN * (len(text) / _HYPHENS_LINE)
        and joined >= kept
        and (joined > 0 or len(known) >= _FEW)
    )
    whole = [pieces[0]]
    for piece, (_, page, after), is_whole in zip(pieces[1:], breaks, known, strict=True):
        is_joined = is_usual and after[:1].islower() if is_whole is None else is_whole
        whole += ["" if is_joined else "-", after, page, piece[len(page) + len(after) :]]
    return "".join(whole)


def _parts(left: str, right: str) -> tuple[str, str, str]:
    """The two parts of a word broken between these texts, and the end of the page in the middle."""
    before = _LAST.search(left[-_LONGEST:])
    after = _FIRST.match(right[:_LONGEST])
    if before is None or after is None:
        return "", "", ""
    return before[0], after[1], after[2]


def _without_parts(pieces: Sequence[str], breaks: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """The words of a text, but for the parts of broken ones."""
    starts = [0, *(len(page) + len(after) for _, page, after in breaks)]
    ends = [*(len(before) for before, _, _ in breaks), 0]
    for piece, start, end in zip(pieces, starts, ends, strict=True):
        yield from _HYPHENS_WORD.findall(piece, start, max(start, len(piece) - end))


class _Written:
    """How the words of a document are written where no line ends in them."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = Counter(word.casefold() for word in words)
        self._first = {word.partition("-")[0] for word in self._words if "-" in word}

    def is_whole(self, before: str, after: str) -> bool | None:
        """Whether two parts are one word without a hyphen; None where that is not known."""
        if not before:
            return False
        goes_on = after.islower()
        before, after = before.casefold(), after.casefold()
        joined, hyphenated = self._words[before + after], self._words[f"{before}-{after}"]
        if joined or hyphenated:
            return joined >= hyphenated
        both = self._words[before] and self._words[after]
        if both or (len(before) >= _LONG and before in self._first):
            return False
        if goes_on and not self._words[before] and not self._words[after]:
            return True  # "considera-tions": the parts of a compound are mostly words themselves
        return None


_ROWS = 6  # with the same gap at least
_LETTERS = 24  # on average on either side
_READING_ORDER_GAP = 1.6  # of the height of a line, as between words of one line


def rows_joined(lines: Iterable[Line]) -> list[Line]:
    """Put lines that PDFium has cut although they stand side by side together."""
    joined: list[Line] = []
    for line in lines:
        if joined and _is_beside(joined[-1], line):
            joined[-1] = _row(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _is_beside(line: Line, following: Line) -> bool:
    height = max(line.height, following.height)
    return (
        line.turn == following.turn >= 0
        and not line.hyphenated
        and abs(line.bottom - following.bottom) < 0.2 * height
        and following.left > line.right
        and height < 1.5 * min(line.height, following.height)
    )


def _row(line: Line, following: Line) -> Line:
    cells = (*_cells(line), *_cells(following))
    is_wide = following.left - line.right > _READING_ORDER_GAP * line.height
    return replace(
        line,
        text=("\t" if is_wide else " ").join((line.text, following.text)),
        bottom=min(line.bottom, following.bottom),
        right=following.right,
        top=max(line.top, following.top),
        hyphenated=following.hyphenated,
        cells=cells if is_wide else (),
    )


def _cells(line: Line) -> tuple[LineCell, ...]:
    return line.cells or (LineCell(line.left, line.right, line.text),)


def columns_apart(lines: list[Line]) -> list[Line]:
    """Put two columns that were written row by row one after the other."""
    rows = [line for line in lines if len(line.cells) == 2]
    if len(rows) < _ROWS:
        return lines
    lefts = sorted(row.cells[0].right for row in rows)
    rights = sorted(row.cells[1].left for row in rows)
    low, high = lefts[len(rows) * 4 // 5], rights[len(rows) // 5]
    rows = [row for row in rows if row.cells[0].right <= low and row.cells[1].left >= high]
    if low >= high or len(rows) < _ROWS:
        return lines
    sides = zip(*(row.cells for row in rows), strict=True)
    are_prose = all(fmean(len(cell.text) for cell in side) > _LETTERS for side in sides)
    return _apart(lines, {id(row) for row in rows}, (low + high) / 2) if are_prose else lines


def _apart(lines: list[Line], rows: set[int], middle: float) -> list[Line]:
    """The left halves of successive rows before their right halves."""
    ordered: list[Line] = []
    right: list[Line] = []
    for line in lines:
        if id(line) in rows:
            ordered.append(_half(line, line.cells[0], hyphenated=False))
            right.append(_half(line, line.cells[1], hyphenated=line.hyphenated))
        elif right and line.left > middle:
            right.append(line)
        elif right and line.right < middle:
            ordered.append(line)
        else:
            ordered += [*right, line]
            right = []
    return ordered + right


def _half(line: Line, cell: LineCell, *, hyphenated: bool) -> Line:
    """One side of a row; a hyphen at the end of the left one is still in its text."""
    first = (cell.right - cell.left) * len(cell.text.split()[0]) / len(cell.text)
    return replace(
        line,
        text=cell.text,
        left=cell.left,
        right=cell.right,
        first=first,
        hyphenated=hyphenated,
        cells=(),
    )


_LEAST = 4  # steps back, before a page is taken for one that is written backwards
_SHARE = 0.75  # of all steps up or down
_SAME_ROW = 0.2  # of the height of a line


def forwards(lines: Sequence[Line]) -> list[Line]:
    """The lines as they are; those of a page that is written backwards the other way round.

    Columns may all the same follow each other from left to right: each stretch that goes back is
    turned round for itself, and their order only where the right one comes first.
    """
    rises = [line.bottom - before.bottom for before, line in pairwise(lines)]
    up, down = sum(rise > 0 for rise in rises), sum(rise < 0 for rise in rises)
    if up < _LEAST or up < _SHARE * (up + down):
        return list(lines)
    stretches = _runs(lines, _goes_back)
    if _box(stretches[0]).left > _box(stretches[-1]).left:
        stretches.reverse()
    return [line for stretch in stretches for line in reversed(stretch)]


def _goes_back(before: Line, line: Line) -> bool:
    """Whether a line stands above the one before, or to the left of it in its row."""
    rise = line.bottom - before.bottom
    if abs(rise) < _SAME_ROW * max(line.height, before.height):
        return line.right <= before.left
    return rise > 0


_MOST_RUNS = 500  # to compare each with each


def in_reading_order(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines in runs, each from top to bottom."""
    ordered: list[list[Line]] = []
    for turn in dict.fromkeys(line.turn for line in lines):
        turned = rows_joined(line for line in lines if line.turn == turn)
        if turn >= 0:
            turned = rows_joined(forwards(turned))
        runs = _runs(columns_apart(turned), _follows)
        if turn >= 0:
            runs = _runs((line for run in _sorted(runs) for line in run), _follows)
        ordered += runs
    return ordered


def _runs(lines: Iterable[Line], goes_on: Callable[[Line, Line], bool]) -> list[list[Line]]:
    """Stretches of lines that go on from one to the next."""
    runs: list[list[Line]] = []
    for line in lines:
        if runs and goes_on(runs[-1][-1], line):
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _follows(above: Line, below: Line) -> bool:
    """Whether a line stands right below another, or goes on in the same row."""
    height = max(above.height, below.height)
    gap = above.bottom - below.top
    overlap = min(above.right, below.right) - max(above.left, below.left)
    return -0.6 * height < gap < 1.2 * height and overlap > 0


def _sorted(runs: list[list[Line]]) -> list[list[Line]]:
    """Put above before below where they overlap; else the order stays."""
    if len(runs) > _MOST_RUNS or len(runs) == 1:
        return runs
    boxes = [_box(run) for run in runs]
    sorter = TopologicalSorter[int](dict.fromkeys(range(len(runs)), ()))
    for index, box in enumerate(boxes):
        for other in range(index):
            if _is_above(box, boxes[other]):
                sorter.add(other, index)
            elif _is_above(boxes[other], box):
                sorter.add(index, other)
    try:
        sorter.prepare()
    except CycleError:  # only where a coordinate is not a number
        return runs
    ready: list[int] = []
    ordered = []
    while sorter.is_active():
        for index in sorter.get_ready():
            heapq.heappush(ready, index)
        first = heapq.heappop(ready)
        ordered.append(runs[first])
        sorter.done(first)
    return ordered


def _box(run: Sequence[Line]) -> Box:
    return Box(
        min(line.left for line in run),
        min(line.bottom for line in run),
        max(line.right for line in run),
        max(line.top for line in run),
    )


def _is_above(box: Box, other: Box) -> bool:
    """Whether a box stands above another, and over a good part of it."""
    if box[1] < other[3] - 0.3 * min(box[3] - box[1], other[3] - other[1], 20.0):
        return False
    overlap = min(box[2], other[2]) - max(box[0], other[0])
    return overlap > 0.3 * min(box[2] - box[0], other[2] - other[0])
