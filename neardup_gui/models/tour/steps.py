"""The seven steps of the tour, in words, and what can be moved in each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import NamedTuple

from core.base.messages import N_
from core.reports.curve.state import ThresholdState
from core.settings import ScanSettings, Unit
from neardup_gui.models.compare.comparison import SignatureGrid


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


class KnobWords(NamedTuple):
    """What a number is called, and how exactly it is moved; messages."""

    title: str
    tip: str
    decimals: int = 0


class Knob(Enum):
    """A number that can be moved."""

    LENGTH = KnobWords(N_("Length k"), N_("k: words or characters in a shingle"))
    CHANGED = KnobWords(
        N_("Words changed, %"), N_("How many of a hundred words of the copy are others")
    )
    SIZE = KnobWords(N_("Values K"), N_("K: numbers in a signature"))
    FILLED_ROWS = KnobWords(N_("Rows r"), N_("r: rows in a band; bands are as many as fit K"))
    BANDS = KnobWords(N_("Bands b"), N_("b: number of bands"))
    ROWS = KnobWords(N_("Rows r"), N_("r: rows in a band"))
    FLOOR = KnobWords(N_("Threshold"), N_("Pairs are wanted from this resemblance on"), 2)
    PASTED = KnobWords(N_("Words pasted"), N_("How many words of one text stand in the other"))
    PASSAGE = KnobWords(
        N_("Passage t, words"), N_("t: a run of so many words is found for certain")
    )


class StepWords(NamedTuple):
    """A step: the title of its tab, its heading, what it explains: messages; what can be moved."""

    title: str
    heading: str
    text: str
    knobs: tuple[Knob, ...]


class Step(Enum):
    """The steps in their order."""

    SHINGLES = StepWords(
        N_("Shingles"),
        N_("A text becomes many short pieces"),
        N_(
            "A shingle is k words (or characters) in a row, and the next one begins one word "
            "later. Texts are compared by the shingles that they share. A changed word spoils the "
            "k shingles that hold it: the longer they are, the less is left of an edited copy; the "
            "shorter, the more unrelated texts have in common."
        ),
        (Knob.LENGTH,),
    )
    RESEMBLANCE = StepWords(
        N_("Resemblance"),
        N_("How much two texts share"),
        N_(
            "Resemblance is the number of different shingles that both texts have, divided by the "
            "number that either has: |A∩B| / |A∪B|. It is 1 for the same text and 0 where nothing "
            "is shared; in which order things are said hardly matters."
        ),
        (Knob.CHANGED,),
    )
    SIGNATURES = StepWords(
        N_("Signatures"),
        N_("A whole text in K numbers"),
        N_(
            "To compare all shingles of all pairs takes too long. So each text keeps K numbers, "
            "its signature, made so that two texts have the same number in a place as often as "
            "they resemble each other. The share of equal values estimates the resemblance: the "
            "more values, the better."
        ),
        (Knob.SIZE, Knob.CHANGED),
    )
    BANDS = StepWords(
        N_("Bands"),
        N_("Texts that agree in a whole band are compared"),
        N_(
            "The signature is cut into b bands of r rows. Texts that agree in all rows of a band "
            "fall into the same bucket, and only these are compared. Of a pair of resemblance s "
            "one band agrees with probability s^r, at least one of b bands with 1 − (1 − s^r)^b."
        ),
        (Knob.FILLED_ROWS, Knob.CHANGED),
    )
    CURVE = StepWords(
        N_("The curve"),
        N_("The chance to be found, for every resemblance"),
        N_(
            "1 − (1 − s^r)^b is flat, then steep, then flat again. More rows move the curve to the "
            "right, more bands to the left. The dots are no formula: each is a copy of a text, "
            "signed again and again with other seeds, and the share of times it met the text."
        ),
        (Knob.BANDS, Knob.ROWS),
    )
    THRESHOLD = StepWords(
        N_("The threshold"),
        N_("What is missed, and what is compared for nothing"),
        N_(
            "These are all pairs of the sample corpus, each on the curve. Pairs from the threshold "
            "on are wanted: those that meet in no band are missed. Pairs below it that meet are "
            "compared for nothing. A good curve rises just before the threshold. (Of a folder as "
            "small as this, Neardup itself compares all pairs, and misses none.)"
        ),
        (Knob.FLOOR, Knob.BANDS, Knob.ROWS),
    )
    PASSAGES = StepWords(
        N_("Passages"),
        N_("What resemblance cannot see"),
        N_(
            "Some paragraphs of one text in another change its resemblance little, and bands "
            "rarely meet. So Neardup also keeps some shingles of each text by a rule (winnowing) "
            "under which every run of t words or more leaves a trace in both: no such passage is "
            "missed."
        ),
        (Knob.PASTED, Knob.PASSAGE),
    )

    @property
    def number(self) -> int:
        """Its place, from 1."""
        return 1 + list(Step).index(self)


LONGEST = {"word": 12, "char": 24}  # k that tells anything of texts of some hundred words
SIZES = 8, 512
MOST_PASTED = 120
PASSAGES = 15, 60


class Excerpt(NamedTuple):
    """Text of the user: what is cut into shingles, and what copies are made of.

    Attributes:
        name: Of the document; empty for text that was typed.
        text: What was typed or selected; empty for the first sentence of the document.
        document: All of the document; empty for text that was typed.
    """

    name: str = ""
    text: str = ""
    document: str = ""


NO_EXCERPT = Excerpt()


@dataclass(frozen=True, slots=True)
class TourState:
    """One for all steps: what is moved in one is seen in the next.

    Attributes:
        excerpt: The user's own text; an empty one for the sample's.
        settings: Decide what a shingle is.
        changed: Per cent of the words of a copy that are others.
        choice: K, b, r and the threshold.
        pasted: Words that stand in both texts of the last step.
        passage: t, in words.
        user_length: The k of the user's settings, which may be longer than is usual in the tour.
    """

    excerpt: Excerpt = NO_EXCERPT
    settings: ScanSettings = field(default_factory=ScanSettings)
    changed: int = 10
    choice: ThresholdState = field(default_factory=lambda: ThresholdState(32, 4, 0.20, 128))
    pasted: int = 40
    passage: int = 30
    user_length: int = 1

    @staticmethod
    def of(settings: ScanSettings, excerpt: Excerpt) -> TourState:
        """With the shingles of a user's settings."""
        plain = settings.with_changes(
            signature=ScanSettings().signature,
            bag=False,
            min_passage=None,
            reworked="off",
            compare="auto",
        )
        return TourState(excerpt, plain, user_length=settings.k).with_length(settings.k)

    def with_unit(self, unit: Unit) -> TourState:
        """Shingles of words, or of characters; punctuation counts where it usually does."""
        settings = self.settings.with_changes(unit=unit, k=1, keep_punctuation=None)
        return replace(self, settings=settings).with_length(self.settings.k)

    def with_text(self, text: str) -> TourState:
        """Text that the user typed; nothing for that of the sample."""
        return replace(self, excerpt=Excerpt(text=text))

    def with_length(self, k: int) -> TourState:
        """Shingles of k, or of as many as the tour goes to; t is a shingle at least."""
        settings = self.settings.with_changes(k=min(k, self._longest))
        passage = max(self.passage, settings.least_passage)
        return replace(self, settings=settings, passage=passage)

    @property
    def _longest(self) -> int:
        return max(LONGEST[self.settings.unit], self.user_length)

    def bounds(self, knob: Knob) -> tuple[float, float]:
        """The least and the largest value of a number."""
        size, least = self.choice.signature_size, max(PASSAGES[0], self.settings.least_passage)
        return {
            Knob.LENGTH: (1, self._longest),
            Knob.CHANGED: (0, 100),
            Knob.SIZE: SIZES,
            Knob.FILLED_ROWS: (1, min(16, size)),
            Knob.BANDS: (1, size),
            Knob.ROWS: (1, min(16, size)),
            Knob.FLOOR: (0.01, 1),
            Knob.PASTED: (0, MOST_PASTED),
            Knob.PASSAGE: (least, max(least, PASSAGES[1])),
        }[knob]

    def value(self, knob: Knob) -> float:
        """What a number is."""
        choice = self.choice
        return {
            Knob.LENGTH: self.settings.k,
            Knob.CHANGED: self.changed,
            Knob.SIZE: choice.signature_size,
            Knob.FILLED_ROWS: choice.rows,
            Knob.BANDS: choice.bands,
            Knob.ROWS: choice.rows,
            Knob.FLOOR: choice.min_resemblance,
            Knob.PASTED: self.pasted,
            Knob.PASSAGE: self.passage,
        }[knob]

    def with_value(self, knob: Knob, value: float) -> TourState:
        """Another number, and what follows from it: b · r never exceeds K."""
        number, choice = round(value), self.choice
        match knob:
            case Knob.LENGTH:
                return self.with_length(number)
            case Knob.CHANGED:
                return replace(self, changed=number)
            case Knob.PASTED:
                return replace(self, pasted=number)
            case Knob.PASSAGE:
                return replace(self, passage=number)
            case Knob.SIZE:
                resized = replace(choice, signature_size=number)
                choice = resized.with_rows(choice.wanted_rows)
            case Knob.FILLED_ROWS:
                choice = choice.with_both(choice.signature_size // number, number)
            case Knob.BANDS:
                choice = choice.with_bands(number)
            case Knob.ROWS:
                choice = choice.with_rows(number)
            case Knob.FLOOR:
                choice = choice.with_threshold(value)
        return replace(self, choice=choice)

    @property
    def scan_settings(self) -> ScanSettings:
        """Those of a scan under what was chosen; only what bands or passages find is compared."""
        choice = self.choice
        return self.settings.with_changes(
            signature=ScanSettings().signature,
            signature_size=choice.signature_size,
            bands=choice.bands,
            rows=choice.rows,
            min_resemblance=choice.min_resemblance,
            min_passage=self.passage,
            list_passages=True,
            compare="bands",
            reworked="off",
        )

    @property
    def signing(self) -> ScanSettings:
        """What of them decides the signatures: the same for all bands, rows and thresholds."""
        usual = ScanSettings()
        return self.scan_settings.with_changes(
            bands=1, rows=1, min_resemblance=usual.min_resemblance, min_passage=usual.min_passage
        )


ESSAY, OTHER = "essays/canal-closure.md", "essays/street-trees-tran.txt"
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？؟])|\n\s*\n")
ENDS = ".!?。！？؟…"
LEAST_LETTERS = 40  # of a sentence: salutations are shorter
MOST_LETTERS = 300


@dataclass(frozen=True, slots=True)
class TourTexts:
    """The sample corpus.

    Attributes:
        names: Of its documents.
        texts: Of the same.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def essay(self) -> str:
        """The text that is copied."""
        return self._text(ESSAY)

    @property
    def other(self) -> str:
        """A text on another subject, of the same language and length."""
        return self._text(OTHER)

    def own(self, excerpt: Excerpt) -> Excerpt:
        """What the user has, or the essay where that is nothing: with its text to be cut."""
        if excerpt.text.strip():
            return excerpt
        name, document = excerpt.name, excerpt.document
        if not document.strip():
            name, document = ESSAY, self.essay
        return Excerpt(name, first_sentence(document), document)

    def _text(self, name: str) -> str:
        return self.texts[self.names.index(name)]


def first_sentence(text: str) -> str:
    """The first whole sentence, no heading, in one line; at most some 300 letters of it.

    Of a text without any the longest paragraph.
    """
    sentences = [" ".join(piece.split()) for piece in SENTENCE_END.split(text) if piece.strip()]
    complete = (candidate for candidate in sentences if _is_sentence(candidate))
    sentence = next(complete, max(sentences, key=len, default=""))
    if len(sentence) <= MOST_LETTERS:
        return sentence
    return sentence[:MOST_LETTERS].rsplit(" ", 1)[0]


def _is_sentence(sentence: str) -> bool:
    """No heading, no salutation."""
    heading = sentence.startswith("#")
    return not heading and len(sentence) >= LEAST_LETTERS and sentence[-1] in ENDS


def short_name(name: str) -> str:
    """A document without its folder."""
    return name.rsplit("/", 1)[-1]
