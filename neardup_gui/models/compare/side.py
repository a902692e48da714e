"""One document of a pair as the compare view draws it: its text and what is marked in it.

A text as a text widget can show it, with a position for every code point.

A text goes through six steps on its way to the screen.

1. Lines that were broken to a fixed width run on, so that they are not broken twice.
2. Characters that a text widget would swallow or change (controls, line and paragraph separators,
   lone surrogates) are replaced one for one.
3. Every form feed, which stands between two pages, gets a line of its own for the page mark.
4. Very long lines are broken, because a line is laid out as a whole.
5. Before every passage a little room is made for its number, before what is set aside for why.
6. Code points are mapped to positions in the widget, which counts UTF-16 units.

Nothing is ever read back from a widget: a copied selection is cut from the source.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, QThread
from PySide6.QtGui import QTextCursor, QTextDocument

from core.base.arrays import BoolArray, Int32Array, Int64Array, UInt32Array
from core.base.messages import as_shown, gettext
from core.base.tasks import stop_if_cancelled
from core.base.wording import count
from core.documents.problems import page_words
from core.evidence.passage import ChangeKind
from core.settings import Unit
from core.text.lines_and_phrases import run_on
from neardup_gui.models.words.documents import mark_of, without_day

if TYPE_CHECKING:
    from core.documents.model import Document
    from core.text.disguise_marks import DisguiseMark
    from core.text.set_aside import SetAside

LONG, MANY_LINES = 1 << 18, 1 << 14  # characters, and lines, of which each takes 7 µs
PUT_IN_AT_ONCE, LINES_AT_ONCE = 1 << 16, 1 << 11
LONGEST_LINE = 4_000
LONGEST_WITHOUT_SPACES = 1_000
BREAK_WITHIN = 400
NO_BREAK_SPACE = "\u00a0"
LINE_FEED, FORM_FEED = 0x0A, 0x0C
# Letters, and the marks that turn others round.
RIGHT_TO_LEFT = (
    (0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC), (0x10800, 0x10FFF),
    (0x200F, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069),
)  # fmt: skip
UNKNOWN = 0xFFFD

Positions = Int32Array
Codes = UInt32Array


@dataclass(frozen=True, slots=True)
class DisplayText:
    """A text and what the widget shows of it, with positions in UTF-16 units.

    `starts[i]` is the display position of code point i, and one more for the end;
    `bidirectional` says that some of it runs from right to left. `feeds` are the code points that
    are form feeds; `page_marks` maps where their lines begin on the display to the page that
    begins there. Of a long text the document of a pane is `prepared`, for the first that shows it.
    """

    source: str
    shown: str
    starts: Positions
    bidirectional: bool
    feeds: Int64Array
    page_marks: dict[int, int]
    prepared: list[QTextDocument] = field(default_factory=list, compare=False, repr=False)

    @property
    def pages(self) -> int:
        """The number of pages; 1 where the text has no page breaks."""
        return len(self.feeds) + 1

    def page_of(self, index: int) -> int:
        """The page of a code point, counted from 1."""
        return int(np.searchsorted(self.feeds, index)) + 1

    def page_at(self, position: int) -> int:
        """The page of a display position, counted from 1."""
        return self.page_of(self.source_span(position, position)[0])

    @property
    def length(self) -> int:
        """Length of the shown text in display positions."""
        return int(self.starts[-1])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The display positions of source[start:end]."""
        if end <= start:
            return int(self.starts[start]), int(self.starts[start])
        width = 2 if ord(self.source[end - 1]) > 0xFFFF else 1
        return int(self.starts[start]), int(self.starts[end - 1]) + width

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The code points whose display positions lie in [start, end)."""
        # Numbers of another width would make numpy convert every position of the text first.
        bounds = np.array((start, end), dtype=self.starts.dtype)
        first, last = np.searchsorted(self.starts[:-1], bounds)
        return int(first), int(last)


def display(
    source: str, wanted: Sequence[tuple[int, int]]
) -> tuple[DisplayText, list[tuple[int, int]]]:
    """The shown text, and the display spans of the gaps made in it.

    `wanted` are code points, and how many letters wide a gap to make before each, in the order of
    the text.
    """
    feeds = np.array([match.start() for match in re.finditer("\f", source)], dtype=np.int64)
    # A page ends a line, whatever its reader put before the form feed.
    read = run_on(source.replace("\f", "\n"))
    codes = np.frombuffer(read.encode("utf-32-le", "surrogatepass"), dtype="<u4").copy()
    codes[feeds] = FORM_FEED
    inserted: dict[int, str] = defaultdict(str)
    for index in {*_breaks(read, codes), *_around(codes, feeds)}:
        inserted[index] += "\n"
    breaks_before = {int(feed): len(inserted.get(int(feed), "")) for feed in feeds}
    rooms = []
    for index, letters in wanted:
        rooms.append((index, len(inserted[index]), letters))
        inserted[index] += NO_BREAK_SPACE * letters
    starts, added = _positions(codes, inserted)
    page_marks = {
        int(starts[feed] - added[feed]) + line_end: page
        for page, (feed, line_end) in enumerate(breaks_before.items(), 2)
    }
    shown = _shown(codes, inserted)
    is_bidirectional, prepared = _is_bidirectional(codes), list(_prepared(shown))
    text = DisplayText(source, shown, starts, is_bidirectional, feeds, page_marks, prepared)
    spans = []
    for index, offset, letters in rooms:
        first = int(starts[index] - added[index]) + offset
        spans.append((first, first + letters))
    return text, spans


def _prepared(shown: str) -> Iterator[QTextDocument]:
    """The document of a long text, where that is made off the window's thread.

    5 million characters would hold the window up for 50 ms, and a million short lines for seconds;
    they are put in a few at a time for the same reason.
    """
    application = QCoreApplication.instance()
    is_elsewhere = application is not None and QThread.currentThread() != application.thread()
    is_long = len(shown) >= LONG or shown.count("\n") >= MANY_LINES
    if is_long and is_elsewhere:
        document = QTextDocument(undoRedoEnabled=False)
        cursor = QTextCursor(document)
        start = 0
        while start < len(shown):
            stop_if_cancelled()
            piece = shown[start : start + PUT_IN_AT_ONCE]
            *lines, rest = piece.split("\n", LINES_AT_ONCE)
            if len(lines) == LINES_AT_ONCE:
                piece = piece[: len(piece) - len(rest)]
            cursor.insertText(piece)
            start += len(piece)
        document.moveToThread(None)  # type: ignore[arg-type] # so that any thread may take it
        yield document


def _around(codes: Codes, feeds: Int64Array) -> list[int]:
    """The indices before and after form feeds where no line ends yet."""
    after = feeds[feeds + 1 < len(codes)] + 1
    after = after[codes[after] != LINE_FEED]
    before = feeds[feeds > 0]
    before = before[codes[before - 1] != LINE_FEED]
    indices: list[int] = np.concatenate((before, after)).tolist()
    return indices


def _positions(codes: Codes, inserted: dict[int, str]) -> tuple[Positions, Positions]:
    added = np.zeros(len(codes) + 1, dtype=np.int32)
    for index, letters in inserted.items():
        added[index] = len(letters)
    widths = added.copy()
    widths[1:] += 1
    widths[1:] += codes > 0xFFFF
    return np.cumsum(widths, dtype=np.int32, out=widths), added


def _is_bidirectional(codes: Codes) -> bool:
    later = codes[codes >= RIGHT_TO_LEFT[0][0]]  # almost none in a text in Latin letters
    return any(bool(((later >= first) & (later <= last)).any()) for first, last in RIGHT_TO_LEFT)


def _shown(codes: Codes, inserted: dict[int, str]) -> str:
    letters = _visible(codes).tobytes().decode("utf-32-le")
    parts = []
    previous = 0
    for index in sorted(inserted):
        parts += [letters[previous:index], inserted[index]]
        previous = index
    return "".join([*parts, letters[previous:]])


def _visible(codes: Codes) -> Codes:
    """Replace, one for one, characters that a text widget would drop, change or interpret."""
    shown = codes.copy()
    indices = np.flatnonzero((codes < 0x20) | (codes >= 0x7F))  # few in most texts
    shown[indices] = _replaced(codes[indices])
    return shown


def _replaced(codes: Codes) -> Codes:
    shown = codes.copy()
    control = (codes < 0x20) & (codes != 0x09) & (codes != LINE_FEED)
    shown[control] = codes[control] + 0x2400
    shown[codes == FORM_FEED] = ord(NO_BREAK_SPACE)
    shown[codes == 0x7F] = 0x2421
    shown[(codes >= 0x80) & (codes < 0xA0)] = UNKNOWN
    shown[(codes >= 0xD800) & (codes < 0xE000)] = UNKNOWN
    shown[(codes == 0xFFFC) | ((codes >= 0xFDD0) & (codes <= 0xFDEF))] = UNKNOWN
    shown[(codes == 0xFFFE) | (codes == 0xFFFF)] = UNKNOWN
    shown[codes == 0x2028] = ord("↵")
    shown[codes == 0x2029] = ord("¶")
    return shown


def _breaks(source: str, codes: Codes) -> list[int]:
    """Where lines that are too long are broken: after a space if there is one near."""
    line_ends = np.flatnonzero((codes == LINE_FEED) | (codes == FORM_FEED))
    ends = np.concatenate(([-1], line_ends, [len(codes)]))
    breaks = []
    for line in np.flatnonzero(np.diff(ends) > LONGEST_LINE + 1):
        start, end = int(ends[line]) + 1, int(ends[line + 1])
        while end - start > LONGEST_LINE:
            limit = start + LONGEST_LINE
            space = source.rfind(" ", limit - BREAK_WITHIN, limit)
            start = space + 1 if space >= 0 else start + LONGEST_WITHOUT_SPACES
            breaks.append(start)
    return breaks


@dataclass(frozen=True, slots=True)
class Origin:
    """The metadata of a document."""

    kind: str = "text"
    remarks: tuple[str, ...] = ()
    mark: str = ""  # its role, or since when it is missing
    members: tuple[int, ...] = ()  # where the text of each file of a submission begins

    @staticmethod
    def of(document: Document) -> Origin:
        """What is known of a document."""
        members = tuple(member.start for member in document.members)
        return Origin(
            document.kind, tuple(map(as_shown, document.remarks)), mark_of(document), members
        )

    @property
    def short_mark(self) -> str:
        """The mark without the date: "gone"."""
        return without_day(self.mark)

    def cite(self, first: int, last: int | None = None) -> str:
        """A page, or some in a row: "p. 12", "pp. 12–13", "slide 3"."""
        return page_words(self.kind).cite(first, first if last is None else last)

    def describe(self, pages: int, page: int) -> str:
        """The format, and the page that is read: "PDF, p. 3 of 12"; "" when there is none to say.

        Args:
            pages: How many there are.
            page: The one in sight.
        """
        from core.documents.recognition import reader_of  # noqa: PLC0415 - the window opens before them

        reader = reader_of(self.kind)
        words = gettext(reader.short_label) if reader else self.kind
        if pages < 2:
            return f"{words}, {reader.pages.number(1)}" if reader and reader.is_paged else words
        where = gettext("{page} of {pages}", page=self.cite(page), pages=count(pages))
        return f"{words}, {where}" if words else where


NOWHERE = Origin()


class FoundSpans:
    """Spans in display positions, ascending and apart."""

    def __init__(self, starts: Int64Array, ends: Int64Array) -> None:
        self.starts, self.ends = starts, ends

    @staticmethod
    def nowhere() -> FoundSpans:
        """No spans."""
        none = np.empty(0, dtype=np.int64)
        return FoundSpans(none, none)

    @staticmethod
    def of(text: DisplayText, starts: Sequence[int], ends: Sequence[int]) -> FoundSpans:
        """Spans of code points, none of them empty, as the text is displayed."""
        if not starts:
            return FoundSpans.nowhere()
        last = [end - 1 for end in ends]
        # A text is displayed in UTF-16; what is put between letters is no part of a span.
        letters = "".join(itemgetter(*last)(text.source)).encode("utf-32-le", "surrogatepass")
        widths = 1 + (np.frombuffer(letters, dtype="<u4") > 0xFFFF)
        return FoundSpans(
            text.starts[list(starts)].astype(np.int64), text.starts[last].astype(np.int64) + widths
        )

    @staticmethod
    def joined(parts: Sequence[FoundSpans]) -> FoundSpans:
        """The spans of consecutive parts of a text, joined."""
        if not parts:
            return FoundSpans.nowhere()
        return FoundSpans(
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.starts)

    def between(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """The spans that share a position with [low, high)."""
        first = int(np.searchsorted(self.ends, low, side="right"))
        last = int(np.searchsorted(self.starts, high))
        yield from zip(
            self.starts[first:last].tolist(), self.ends[first:last].tolist(), strict=True
        )

    def rows(self, length: int, height: int) -> BoolArray:
        """The rows of a picture of the whole text in which a span starts.

        Args:
            length: Length of the text, in display positions.
            height: Height of the picture, in rows.

        Returns:
            bool (height,).
        """
        rows = np.zeros(max(height, 1), dtype=np.bool_)
        rows[np.minimum(self.starts * height // max(length, 1), height - 1)] = True
        return rows


SHORT: dict[Unit, int] = {"word": 8, "char": 13}  # a Chinese word has 1.6 characters
SIGNS = {
    ChangeKind.ONLY_A: "−",
    ChangeKind.ONLY_B: "+",
    ChangeKind.EXCHANGED: "⇄",
    ChangeKind.MOVED: "↕",
    ChangeKind.REPEATED_A: "2×",
    ChangeKind.REPEATED_B: "2×",
}
AWAY = frozenset({ChangeKind.MOVED, ChangeKind.REPEATED_A, ChangeKind.REPEATED_B})
TURNED = {
    ChangeKind.ONLY_A: ChangeKind.ONLY_B,
    ChangeKind.ONLY_B: ChangeKind.ONLY_A,
    ChangeKind.REPEATED_A: ChangeKind.REPEATED_B,
    ChangeKind.REPEATED_B: ChangeKind.REPEATED_A,
}


@dataclass(frozen=True, slots=True)
class PassageMark:
    """How a passage is distinguished from its neighbours: a number, a hue, an underline.

    Of its `length`, from its beginning to its end, `tokens` are the same in both; both count words,
    or characters where `unit` says so. `pages` say where it stands in A and in B, "p. 12" or
    "pp. 12–13"; they are empty where a text has no pages. A change has a `kind` and the `words`
    of both texts, which are cut where they are long. `counts` are the words in A and in B, of a
    passage from its beginning to its end: of these `near` stand for another form of the same word,
    `exchanged` for another word, and of those that are the same `moved_words` stand in another
    order within; `chance` says how many other pairs of the folder have as strong a passage. A
    part of a document by itself has a `step` from 1 on, the higher the more documents share
    it, and as its number how many these are.
    """

    number: int
    hue: int = 0
    underline: int = 0
    length: int = 0
    tokens: int = 0
    unit: Unit = "word"
    moved: bool = False
    pages: tuple[str, str] = ("", "")
    kind: ChangeKind | None = None
    words: tuple[str, str] = ("", "")
    counts: tuple[int, int] = (0, 0)
    step: int = 0
    near: int = 0
    exchanged: int = 0
    moved_words: int = 0
    chance: str = ""

    @property
    def short(self) -> bool:
        """Whether the texts share so little that stronger passages have priority."""
        return self.kind is None and self.tokens < SHORT[self.unit]

    @property
    def badge(self) -> str:
        """The label at its beginning and on its chip: its number, or the sign of a change."""
        if self.step:
            return count(self.number)
        return str(self.number) if self.kind is None else SIGNS[self.kind]

    def swapped(self) -> PassageMark:
        """The mark with A and B exchanged."""
        kind = TURNED.get(self.kind, self.kind) if self.kind else None
        return replace(
            self,
            pages=self.pages[::-1],
            words=self.words[::-1],
            counts=self.counts[::-1],
            kind=kind,
        )


LABELLED = 80  # letters; shorter parts that are set aside have no label, only a tool tip
LABEL_WIDTH = 2.1  # spaces that a letter of a label takes


class Spans:
    """Spans of one text in display positions, sorted by start; they may overlap."""

    def __init__(self, spans: Sequence[tuple[int, int, int]]) -> None:
        """`spans` are start, end (excluded) and the index of the passage."""
        ordered = sorted(spans)
        self.starts = [start for start, _, _ in ordered]
        self.ends = [end for _, end, _ in ordered]
        self.owners = [owner for _, _, owner in ordered]
        self._reach = list(accumulate(self.ends, max))

    def __len__(self) -> int:
        return len(self.starts)

    def between(self, low: int, high: int) -> Iterator[tuple[int, int, int]]:
        """The spans that share a position with [low, high): start, end, passage."""
        first = bisect_right(self._reach, low)
        for index in range(first, bisect_left(self.starts, high)):
            if self.ends[index] > low:
                yield self.starts[index], self.ends[index], self.owners[index]

    def at(self, position: int) -> int | None:
        """The passage at a position; the shortest of several."""
        spans = list(self.between(position, position + 1))
        return min(spans, key=lambda span: span[1] - span[0])[2] if spans else None


NO_SPANS = Spans(())


class Substitution(NamedTuple):
    """Words that replace words of the other text.

    Attributes:
        owner: The passage they are in.
        own_words: The words of this text.
        other_words: The words of the other text.
        near: Whether they are forms of the same word.
    """

    owner: int
    own_words: str
    other_words: str
    near: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One document of the pair.

    `extents[p]` is the display span of passage p, `badges[p]` the room before it, empty where it
    has none; `order` lists the passages as they are met in this text. `excluded` is what does not
    count, without overlaps: `reasons[n]` says why part n does not, `labels[n]` is the room for it.
    `disguises` are the spans of `marked`, by number: letters of other scripts, characters that are
    not seen. `exchanges` are words that stand for others, by number of `substitutions`, which has
    the words of this text and those of the other.
    """

    name: str
    text: DisplayText
    passages: Spans
    runs: Spans
    extents: tuple[tuple[int, int], ...]
    badges: tuple[tuple[int, int], ...]
    order: tuple[int, ...]
    origin: Origin = NOWHERE
    set_aside: Sequence[SetAside] = ()
    excluded: Spans
    reasons: tuple[str, ...] = ()
    labels: tuple[tuple[int, int], ...] = ()
    marked: Sequence[DisguiseMark] = ()
    disguises: Spans = NO_SPANS
    exchanges: Spans = NO_SPANS
    substitutions: Sequence[Substitution] = ()

    def with_marks(self, marked: Sequence[DisguiseMark]) -> Side:
        """The side with marks of disguised characters."""
        spans = [(*self.text.span(mark.start, mark.end), n) for n, mark in enumerate(marked)]
        return replace(self, marked=marked, disguises=Spans(spans))

    @property
    def headings(self) -> frozenset[int]:
        """The starts of the lines that name the files of a submission, each before its text."""
        source, starts = self.text.source, []
        for begin in self.origin.members:
            end = begin
            while end and source[end - 1].isspace():
                end -= 1
            starts.append(int(self.text.starts[source.rfind("\n", 0, end) + 1]))
        return frozenset(starts)

    def cite(self, start: int, end: int) -> str:
        """The page or pages of source[start:end]: "p. 12"; empty when the text has no pages."""
        if self.text.pages == 1:
            return ""
        last = self.text.page_of(max(end - 1, start))
        return self.origin.cite(self.text.page_of(start), last)


def lay_out(
    name: str,
    source: str,
    spans: Sequence[tuple[int, int]],
    runs: Sequence[tuple[int, int, int]],
    badges: Sequence[str],
    origin: Origin,
    set_aside: Sequence[SetAside] = (),
) -> Side:
    """A text ready to be drawn, from spans of its code points.

    Args:
        name: The name of the document.
        source: Its text.
        spans: The spans of the passages.
        runs: What is underlined of them: start, end, passage.
        badges: The badge before each passage; may be empty.
        origin: Where it comes from.
        set_aside: The parts that do not count.
    """
    order = tuple(sorted(range(len(spans)), key=lambda index: spans[index]))
    excluded = _apart(set_aside)
    badged = [(spans[index][0], 5 + len(badges[index]), index) for index in order if badges[index]]
    text, rooms = _with_rooms(source, badged, excluded)
    extents = tuple(text.span(start, end) for start, end in spans)
    parts = [text.span(span.start, span.end) for span in excluded]
    return Side(
        name=name,
        text=text,
        passages=Spans([(start, end, owner) for owner, (start, end) in enumerate(extents)]),
        runs=Spans([(*text.span(start, end), owner) for start, end, owner in runs]),
        extents=extents,
        badges=tuple(rooms.get(owner, (at, at)) for owner, (at, _) in enumerate(extents)),
        order=order,
        origin=origin,
        set_aside=set_aside,
        excluded=Spans([(start, end, number) for number, (start, end) in enumerate(parts)]),
        reasons=tuple(gettext(span.reason) for span in excluded),
        labels=tuple(rooms.get(-1 - number, (at, at)) for number, (at, _) in enumerate(parts)),
    )


def _with_rooms(
    source: str, badged: list[tuple[int, int, int]], excluded: Sequence[SetAside]
) -> tuple[DisplayText, dict[int, tuple[int, int]]]:
    """The text with gaps for badges, by passage, and for labels, by -1 - number of the part.

    `badged` are code points, the letters that a badge takes, and its passage.
    """
    labelled = [
        (span.start, round(LABEL_WIDTH * len(gettext(span.reason))) + 3, -1 - number)
        for number, span in enumerate(excluded)
        if span.end - span.start >= LABELLED
    ]
    wanted = sorted([*badged, *labelled], key=lambda room: room[0])
    text, rooms = display(source, [(index, letters) for index, letters, _ in wanted])
    return text, {owner: room for (_, _, owner), room in zip(wanted, rooms, strict=True)}


def _apart(set_aside: Sequence[SetAside]) -> list[SetAside]:
    """The spans without overlaps: of several that overlap, the first stays."""
    apart: list[SetAside] = []
    reached = 0
    for span in sorted(set_aside, key=lambda span: (span.start, -span.end)):
        if span.end > reached:
            apart.append(span._replace(start=max(span.start, reached)))
            reached = span.end
    return apart
