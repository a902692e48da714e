"""What was chosen in the tour."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from core.reports.curve.state import ThresholdState
from core.settings import ScanSettings, Unit
from neardup_gui.models.tour.steps import Knob

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
        own_length: The k of the user's settings, which may be longer than is usual in the tour.
    """

    excerpt: Excerpt = NO_EXCERPT
    settings: ScanSettings = field(default_factory=ScanSettings)
    changed: int = 10
    choice: ThresholdState = field(default_factory=lambda: ThresholdState(32, 4, 0.20, 128))
    pasted: int = 40
    passage: int = 30
    own_length: int = 1

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
        return TourState(excerpt, plain, own_length=settings.k).with_length(settings.k)

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
        return max(LONGEST[self.settings.unit], self.own_length)

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
                choice = choice.with_floor(value)
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
