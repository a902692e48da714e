"""What a report for people is made of, without a format: sections of blocks, blocks of lines.

    Report ─▶ core.reports.sections ─▶ sections of blocks ─▶ HTML, PDF

Whoever makes a section says what stands there; whoever writes a format says how it looks. Nothing
here is markup: a span is the text itself, and every writer escapes it in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, TypeAlias


class SpanKind(StrEnum):
    """What a piece of a line is; writers choose how it looks."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"
    NAME = "name"  # of a file, a folder, a person: its writing direction is its own
    MAIN = "main"  # a name to which the others belong: the centre of a group
    LETTER = "letter"  # A or B, before the name of a document
    TAG = "tag"  # a mark beside a name or a number
    CODE = "code"  # a formula, a setting, a hash
    QUOTE = "quote"  # text of a document outside the passages
    SAME = "same"  # of a passage: what is the same in both documents
    CHANGED = "changed"  # of a place that differs: what does
    CUT = "cut"  # of a passage: how much is left out here


class Span(NamedTuple):
    """A piece of a line.

    Attributes:
        text: As it is read.
        kind: What it is.
        target: The id of the section or row it leads to, within the report; "" for none.
    """

    text: str
    kind: SpanKind = SpanKind.PLAIN
    target: str = ""


Line: TypeAlias = tuple[Span, ...]


def line(*parts: str | Span) -> Line:
    """A line of texts and spans; empty ones are left out."""
    spans = (part if isinstance(part, Span) else Span(part) for part in parts)
    return tuple(span for span in spans if span.text)


class Head(NamedTuple):
    """What stands above everything.

    Attributes:
        title: Of the report.
        subject: The title with what was compared: what a window or a file is called by.
        institution: Who gives the report out; "" for nobody.
        lines: What was compared, when and with what.
        created: When, as in ISO 8601.
        version: Of the program.
        language: Code of the language of all words.
    """

    title: str
    subject: str
    institution: str
    lines: tuple[Line, ...]
    created: str
    version: str
    language: str


class Heading(NamedTuple):
    """A heading within a section."""

    words: str


class Prose(NamedTuple):
    """Paragraphs, one a line."""

    lines: tuple[Line, ...]
    quiet: bool = False


class ItemList(NamedTuple):
    """Points of a list."""

    items: tuple[Line, ...]


class Figures(NamedTuple):
    """Large numbers side by side: what it is, and the number as it is read."""

    items: tuple[tuple[str, str], ...]


class Picture(NamedTuple):
    """A drawing of lines.

    Attributes:
        svg: A whole SVG 1.1 document made of our own numbers and words, without script, style
            sheet, link or picture.
        words: What it shows, for those who do not see it.
        width: The share of the page that it takes, 0 to 1.
    """

    svg: str
    words: str
    width: float = 1.0


class Align(StrEnum):
    """How a column stands."""

    TEXT = "text"
    NUMBER = "number"  # to the right, in figures of one width
    BAR = "bar"  # a share of 0 to 1 with its bar
    CODE = "code"


class Column(NamedTuple):
    """A column of a table: its title and how it stands.

    `weight` is the share of the width that it asks for beside the others; 0 for as much as its
    words need.
    """

    title: str
    align: Align = Align.TEXT
    weight: float = 0


class Cell(NamedTuple):
    """A cell.

    Attributes:
        lines: What stands there, each below the other.
        value: What it is sorted by, and how long its bar is; None for its text.
        main: How many of the lines are not quieter than those above them.
    """

    lines: tuple[Line, ...]
    value: float | None = None
    main: int = 1


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        cells: As many as there are columns; fewer: the last one takes the rest of the width.
        id: Where links lead to; "" for nowhere.
        heads: Whether its first cell is the heading of the row.
        note: Stands below the row, as wide as the table: what a person wrote.
    """

    cells: tuple[Cell, ...]
    id: str = ""
    heads: bool = False
    note: str = ""


class Table(NamedTuple):
    """A table.

    Attributes:
        caption: A sentence on what it shows; "" for none.
        columns: From left to right.
        parts: The rows in parts that belong together (a group of documents, say); each is read
            once, as it is written.
        kind: For the look of a certain table: "pairs", "groups", "facts", "finding".
        searchable: Whether a reader will want to search and sort it.
    """

    caption: str
    columns: tuple[Column, ...]
    parts: Iterable[Iterable[Row]]
    kind: str = "problems"
    searchable: bool = False


class Side(NamedTuple):
    """A passage in one of the documents.

    Attributes:
        letter: "A" or "B".
        place: Where it stands there: "p. 12, characters 1,200 to 1,340".
        spans: The text as it is shown, what is the same in both marked as such; empty in a report
            without texts.
    """

    letter: str
    place: str
    spans: Line


class ShownPassage(NamedTuple):
    """A passage or place that differs, as it is shown; of full texts also what stands between.

    Attributes:
        number: Of the passage or place within its pair, from 1; 0 of what stands between.
        size: How much it is: "30 words, moved"; "" of what is no passage.
        numbers: What became of its words, and how often chance gives as much; "" where nothing.
        a: In document A.
        b: In document B.
        is_short: Whether it fits on a page beside others and is not broken between two.
        is_change: Whether it is a place that differs.
    """

    number: int
    size: str
    numbers: str
    a: Side
    b: Side
    is_short: bool
    is_change: bool = False


class PairHead(NamedTuple):
    """What stands above the passages of a pair.

    Attributes:
        number: Of the pair in the whole list.
        a: The name of document A, with its marks.
        b: The name of document B.
        finding: What both share, in a sentence or some.
        facts: Its numbers: what it is, the number as it is read.
        tags: What is to be marked about it: "exact duplicate".
        verdict: The verdict, who gave it and when; empty for none.
        note: What a person wrote on it; "" for nothing.
        reasons: Why it is listed and what speaks for it, a sentence a line.
        plot: Where the passages stand, each as start and end in A and in B, from 0 to 1.
    """

    number: int
    a: Line
    b: Line
    finding: Line
    facts: tuple[tuple[str, str], ...]
    tags: tuple[str, ...] = ()
    verdict: Line = ()
    note: str = ""
    reasons: tuple[Line, ...] = ()
    plot: tuple[tuple[float, float, float, float], ...] = ()


class PassageList(NamedTuple):
    """The passages of a pair in the order of A, side by side; read once, as they are written."""

    passages: Iterable[ShownPassage]


Block: TypeAlias = Heading | Prose | ItemList | Figures | Picture | Table | PairHead | PassageList


class Section(NamedTuple):
    """A part of the report.

    Attributes:
        id: Where links lead to.
        title: Its heading; that of a pair is in its `PairHead`.
        blocks: What stands in it; read once, as it is written.
        label: How the list of contents calls it; "" where it is not in there. Two words at most.
        level: 2 for a part of the report, 3 for one pair within a part.
    """

    id: str
    title: str
    blocks: Iterable[Block]
    label: str = ""
    level: int = 2
