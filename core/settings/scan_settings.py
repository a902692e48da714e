"""The settings of a scan: valid when made, frozen, carried into the report unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from core.errors import SettingsError
from core.settings.signature_methods import METHODS, SignatureKind, SignatureMethod

__all__ = ["DEFAULT_PRESET", "LETTERS_A_WORD", "PRESETS", "Preset", "ScanSettings", "Unit"]

Unit = Literal["word", "char"]
WhiteSpace = Literal["remove", "collapse"]
Weights = Literal["unweighted", "tf", "tf-idf"]
Compare = Literal["auto", "all", "bands"]

MAX_SHINGLE = 64
MAX_SIGNATURE = 1024
MAX_PASSAGE = 10_000
LETTERS_A_WORD = 5
USUAL_PASSAGE = 30  # words
UNITS = ("word", "char")
WHITE_SPACES = ("remove", "collapse")
WEIGHTS = ("unweighted", "tf", "tf-idf")
COMPARISONS = ("auto", "all", "bands")
MAX_DISTANCE = 8
# Languages with a Snowball stemmer and a list of stop words (the only one for Greek is of the
# ancient language).
LANGUAGES = (
    "arabic",
    "catalan",
    "czech",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "hindi",
    "hungarian",
    "indonesian",
    "italian",
    "norwegian",
    "persian",
    "polish",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
    "turkish",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ScanSettings:
    """Everything that decides which pairs a scan lists.

    Attributes:
        unit: Shingles of words, or of characters. Scripts written without spaces count every
            character as a word.
        k: Shingle length in units, 1 to 64.
        ignore_case: Compare by simple (1:1) case folding.
        keep_punctuation: Punctuation counts; in word shingles every mark is a word of its own.
            None stands for what is usual: dropped with words, kept with characters. After
            construction it is always a bool.
        keep_digits: Digits count; otherwise they are dropped like punctuation.
        white_space: For character shingles: removed ("touchdown") or collapsed to one space
            ("touch down"). Between words it only separates.
        language: Language of stop words and stems, one of `LANGUAGES`; "" for none.
        drop_stop_words: Words as frequent and empty as "the" and "of" do not count.
        stem: Words count by their stem, so that "connected" and "connection" are the same.
        bag: A shingle that repeats counts as often as it occurs (weighted Jaccard), not once.
        signature: How signatures are made, one of `core.settings.signature_methods.METHODS`.
        signature_size: K, number of 32-bit values in a signature.
        bands: b, bands of the locality-sensitive hashing; b times r is at most K.
        rows: r, rows in a band.
        weights: For a method that weighs shingles: they count alike, by their occurrences in the
            text (tf), or by these and their rarity in the folder (tf-idf).
        max_distance: d, for signatures of 64 bits: pairs are compared when at most d bits differ,
            0 to 8.
        seed: Seed of the signatures; the same seed gives the same result everywhere.
        min_resemblance: Pairs are listed from this exact resemblance on, 0 to 1.
        min_passage: Pairs are also listed when they share a run of at least this many words, word
            for word, also where the units are characters (see `core.text.word_counts`); at least
            one shingle. None stands for what is usual: 30, or what a shingle has where that is
            more.
        list_passages: Pairs below that resemblance are listed too when they share such a run.
        compare: Which pairs are compared: all of them, those that meet in a band or share a
            passage, or (auto) all where that takes about a second, or less than the candidates of
            the bands would, else the others.

    Raises:
        SettingsError: A value is out of its range; the sentence names it.
    """

    unit: Unit = "word"
    k: int = 5
    ignore_case: bool = True
    keep_punctuation: bool | None = None
    keep_digits: bool = True
    white_space: WhiteSpace = "remove"
    language: str = ""
    drop_stop_words: bool = False
    stem: bool = False
    bag: bool = False
    signature: str = "fss"
    signature_size: int = 128
    bands: int = 64
    rows: int = 2
    weights: Weights = "tf"
    max_distance: int = 3
    seed: int = 1
    min_resemblance: float = 0.10
    min_passage: int | None = None
    list_passages: bool = True
    compare: Compare = "auto"

    def __post_init__(self) -> None:
        if self.keep_punctuation is None:
            object.__setattr__(self, "keep_punctuation", self.unit == "char")
        _check_choice("unit", self.unit, UNITS)
        _check_choice("white_space", self.white_space, WHITE_SPACES)
        _check_choice("signature", self.signature, METHODS)
        _check_choice("weights", self.weights, WEIGHTS)
        _check_choice("compare", self.compare, COMPARISONS)
        self._check_language()
        _check_range("shingle length k", self.k, 1, MAX_SHINGLE)
        _check_range("signature size K", self.signature_size, 1, MAX_SIGNATURE)
        _check_range("number of bands b", self.bands, 1, self.signature_size)
        _check_range("number of rows r", self.rows, 1, self.signature_size)
        _check_range("largest distance d", self.max_distance, 0, MAX_DISTANCE)
        _check_range("seed", self.seed, 0, 2**63 - 1)
        if self.min_passage is not None:
            _check_range(
                "shortest shared passage", self.min_passage, self.least_passage, MAX_PASSAGE
            )
        if self.bands * self.rows > self.signature_size:
            raise SettingsError(
                f"b × r must be at most the signature size: {self.bands} × {self.rows} = "
                f"{self.bands * self.rows} is more than K = {self.signature_size}."
            )
        if not 0 <= self.min_resemblance <= 1:
            raise SettingsError(
                f"The resemblance from which pairs are listed must be between 0 and 1, "
                f"not {self.min_resemblance}."
            )

    def _check_language(self) -> None:
        if self.language:
            _check_choice("language", self.language, LANGUAGES)
        if not (self.drop_stop_words or self.stem):
            return
        if self.unit != "word":
            raise SettingsError("Stop words and stems need shingles of words, not of characters.")
        if not self.language:
            raise SettingsError("Stop words and stems need a language: it is not guessed.")

    @property
    def passage_length(self) -> int:
        """The shortest shared run, in words, that lists a pair whatever its resemblance."""
        if self.min_passage is not None:
            return self.min_passage
        return max(self.least_passage, USUAL_PASSAGE)

    @property
    def least_passage(self) -> int:
        """The shortest run that may be asked for, in words: a shingle."""
        return self.k if self.unit == "word" else -(-self.k // LETTERS_A_WORD)

    @property
    def method(self) -> SignatureMethod:
        """How signatures are made and compared."""
        return METHODS[self.signature]

    @property
    def choice(self) -> tuple[int, int] | None:
        """B and r; None where signatures have no bands."""
        return (self.bands, self.rows) if self.method.kind is SignatureKind.BANDS else None

    @property
    def distance(self) -> int | None:
        """d; None where signatures are not compared bit by bit."""
        return self.max_distance if self.method.kind is SignatureKind.BITS else None

    @property
    def signature_width(self) -> int:
        """Number of 32-bit values that are kept of a text."""
        return 2 if self.method.kind is SignatureKind.BITS else self.signature_size

    @property
    def depends_on_all(self) -> bool:
        """Whether the signature of a text depends on all other texts of the folder."""
        return self.method.weighs and self.weights == "tf-idf"

    def as_applied(self) -> dict[str, Any]:
        """All of them as plain values, with what is usual spelled out."""
        return {**asdict(self), "min_passage": self.passage_length}

    def with_changes(self, **changes: Any) -> ScanSettings:  # noqa: ANN401
        """A copy with some fields changed, checked again."""
        return replace(self, **changes)

    def same_signatures(self, other: ScanSettings) -> bool:
        """Whether a scan with these settings can answer for others without reading anything again.

        Bands, rows, distance, threshold and which pairs to compare may differ; shared passages may
        be asked to be longer, and to list pairs or not.
        """
        if other.signature_size != self.signature_size:
            return False
        if other.passage_length < self.passage_length:
            return False
        return other == replace(
            self,
            bands=other.bands,
            rows=other.rows,
            max_distance=other.max_distance,
            min_resemblance=other.min_resemblance,
            min_passage=other.min_passage,
            list_passages=other.list_passages,
            compare=other.compare,
        )


def _check_choice(name: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise SettingsError(f"The setting {name} must be one of {', '.join(choices)}, not {value}.")


def _check_range(name: str, value: int, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError(f"The {name} must be a whole number, not {value!r}.")
    if not low <= value <= high:
        raise SettingsError(f"The {name} must be between {low} and {high}, not {value}.")


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings with a name, as a starting point."""

    name: str
    purpose: str
    settings: ScanSettings


PRESETS = (
    Preset(
        "Essays and reports",
        "Prose of a page or more; finds copies, rewording and pasted paragraphs.",
        ScanSettings(),
    ),
    Preset(
        "Short texts",
        "Answers, abstracts, messages: a few sentences each.",
        ScanSettings(unit="char", k=5, bands=32, rows=4, min_resemblance=0.30),
    ),
    Preset(
        "Long articles",
        "Long texts in any script, also without spaces between words.",
        ScanSettings(unit="char", k=9, bands=42, rows=3, min_resemblance=0.20),
    ),
    Preset(
        "Same text again",
        "Only documents that are nearly the same throughout.",
        ScanSettings(bands=14, rows=8, min_resemblance=0.80, list_passages=False),
    ),
)
DEFAULT_PRESET = PRESETS[0]
