"""What a step shows, as values: views draw them and compute nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from neardup_gui.models.compare.why import SignatureGrid


class Tone(Enum):
    """What a series is about; each has a hue and a sign of its own."""

    MAIN = auto()
    OTHER = auto()
    MISSED = auto()
    EXTRA = auto()
    QUIET = auto()


class Series(NamedTuple):
    """Points of a chart.

    Attributes:
        name: In the legend; empty for none.
        tone: How it looks.
        points: x and y of each.
        joined: Drawn as a line, else as signs.
        spread: The least and the largest y at each point; empty for none.
        bars: Drawn as bars from 0 on.
    """

    name: str
    tone: Tone
    points: tuple[tuple[float, float], ...]
    joined: bool = False
    spread: tuple[tuple[float, float], ...] = ()
    bars: bool = False


class Mark(NamedTuple):
    """A line up and down, with its name."""

    x: float
    name: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Series over one another.

    Attributes:
        across: What the x axis is about.
        up: What the y axis is about.
        x_range: From where to where.
        x_ticks: What is written below the x axis, and where.
        series: From the back to the front.
        marks: Lines up and down.
        words: What the picture shows, for those who cannot see it.
        top: The largest y.
    """

    across: str
    up: str
    x_range: tuple[float, float]
    x_ticks: tuple[tuple[float, str], ...]
    series: tuple[Series, ...]
    marks: tuple[Mark, ...]
    words: str
    top: float = 1.0


class Row(NamedTuple):
    """A line of a list: its words, how far it is moved in, and what it is marked with."""

    text: str
    before: str = ""  # as wide as this
    tone: Tone | None = None


class Sets(NamedTuple):
    """Two sets: how many are in one only, in both, in the other only."""

    only_a: int
    both: int
    only_b: int
    names: tuple[str, str]


class Marked(NamedTuple):
    """A text with marked stretches; spans in UTF-16 units, ends excluded."""

    title: str
    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """All that a step shows under what was chosen.

    Attributes:
        finding: What came out, in some sentences.
        sentence: The text that was cut into shingles.
        chart: A chart.
        grid: Values of signatures.
        sets: Two sets.
        rows: A list.
        rows_title: What it is a list of.
        marked: A text.
    """

    finding: str
    sentence: str = ""
    chart: Chart | None = None
    grid: SignatureGrid | None = None
    sets: Sets | None = None
    rows: tuple[Row, ...] = ()
    rows_title: str = ""
    marked: Marked | None = None
