"""The parts of a report for people, without a format: sections of blocks, blocks of lines.

    Report ─▶ core.reports.sections ─▶ sections of blocks ─▶ HTML, PDF

The maker of a section decides its content; the writer of a format decides its look. Nothing is
markup: a span is the text itself, and every writer escapes it in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, TypeAlias


class SpanKind(StrEnum):
    """The kind of a piece of a line; writers choose how it looks."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"
    NAME = "name"  # of a file, a folder, a person: it has its own writing direction
    MAIN = "main"  # the name that leads a list: the centre of a group
    LETTER = "letter"  # A or B, before the name of a document
    TAG = "tag"  # a mark beside a name or a number
    CODE = "code"  # a formula, a setting, a hash
    QUOTE = "quote"  # text of a document outside the passages
    SAME = "same"  # of a passage: words that both documents have
    CHANGED = "changed"  # of a difference: the words that differ
    CUT = "cut"  # of a passage: how much is left out


class Span(NamedTuple):
    """A piece of a line.

    Attributes:
        text: As it is read.
        kind: Its kind.
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
    """The head of a report.

    Attributes:
        title: Of the report.
        subject: The title with what was compared: the title of a window or a file.
        institution: The publisher of the report; "" for none.
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
    """Large numbers side by side: a label, and the number as it is read."""

    items: tuple[tuple[str, str], ...]


class Picture(NamedTuple):
    """A drawing of lines.

    Attributes:
        svg: A whole SVG 1.1 document made of our own numbers and words, without script, style
            sheet, link or picture.
        words: A description, for those who do not see it.
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
        lines: Its lines, each below the other.
        value: The value it is sorted by, and the length of its bar; None for its text.
        main: How many of the first lines are not shown quieter.
    """

    lines: tuple[Line, ...]
    value: float | None = None
    main: int = 1


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        cells: As many as there are columns; fewer: the last one takes the rest of the width.
        id: The target of links; "" for none.
        has_row_heading: Whether its first cell is the heading of the row.
        note: A reviewer's note, below the row, as wide as the table.
    """

    cells: tuple[Cell, ...]
    id: str = ""
    has_row_heading: bool = False
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
        location: Its location in the document: "p. 12, characters 1,200 to 1,340".
        spans: The text as it is shown, with words that both have marked; empty in a report
            without texts.
    """

    letter: str
    location: str
    spans: Line


class ShownPassage(NamedTuple):
    """A passage or difference as it is shown; of full texts also the text between passages.

    Attributes:
        number: Of the passage or difference within its pair, from 1; 0 for text between passages.
        size: Its length: "30 words, moved"; "" for text between passages.
        numbers: The changes to its words, and how often chance gives as much; "" for none.
        a: In document A.
        b: In document B.
        is_short: Whether it fits on a page beside others and is not broken between two.
        is_change: Whether it is a difference.
    """

    number: int
    size: str
    numbers: str
    a: Side
    b: Side
    is_short: bool
    is_change: bool = False


class PairHead(NamedTuple):
    """The head of the passages of a pair.

    Attributes:
        number: Of the pair in the whole list.
        a: The name of document A, with its marks.
        b: The name of document B.
        finding: What both share, in one or more sentences.
        facts: Its numbers: a label, and the number as it is read.
        tags: Its marks: "exact duplicate".
        verdict: The verdict, who gave it and when; empty for none.
        note: The reviewer's note; "" for none.
        reasons: Why it is listed and the evidence for it, one sentence per line.
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
        blocks: Its content; read once, as it is written.
        label: Its name in the list of contents, two words at most; "" where it is not in there.
        level: 2 for a part of the report, 3 for one pair within a part.
    """

    id: str
    title: str
    blocks: Iterable[Block]
    label: str = ""
    level: int = 2
