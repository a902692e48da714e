"""The seven steps of the tour, in words, and what can be moved in each."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class KnobWords(NamedTuple):
    """What a number is called, and how exactly it is moved."""

    title: str
    tip: str
    decimals: int = 0


class Knob(Enum):
    """A number that can be moved."""

    LENGTH = KnobWords("Length k", "k: words or characters in a shingle")
    CHANGED = KnobWords("Words changed, %", "How many of a hundred words of the copy are others")
    SIZE = KnobWords("Values K", "K: numbers in a signature")
    FILLED_ROWS = KnobWords("Rows r", "r: rows in a band; bands are as many as fit K")
    BANDS = KnobWords("Bands b", "b: number of bands")
    ROWS = KnobWords("Rows r", "r: rows in a band")
    FLOOR = KnobWords("Threshold", "Pairs are wanted from this resemblance on", 2)
    PASTED = KnobWords("Words pasted", "How many words of one text stand in the other")
    PASSAGE = KnobWords("Passage t, words", "t: a run of so many words is found for certain")


class StepWords(NamedTuple):
    """A step: the title of its tab, its heading, what it explains, what can be moved."""

    title: str
    heading: str
    text: str
    knobs: tuple[Knob, ...]


class Step(Enum):
    """The steps in their order."""

    SHINGLES = StepWords(
        "Shingles",
        "A text becomes many short pieces",
        "A shingle is k words (or characters) in a row, and the next one begins one word later. "
        "Texts are compared by the shingles that they share. A changed word spoils the k shingles "
        "that hold it: the longer they are, the less of an edited copy is left; the shorter, the "
        "more have texts in common that are no copies.",
        (Knob.LENGTH,),
    )
    RESEMBLANCE = StepWords(
        "Resemblance",
        "How much two texts share",
        "Resemblance is the number of different shingles that both texts have, divided by the "
        "number that either has: |A∩B| / |A∪B|. It is 1 for the same text and 0 where nothing is "
        "shared; in which order things are said hardly matters.",
        (Knob.CHANGED,),
    )
    SIGNATURES = StepWords(
        "Signatures",
        "A whole text in K numbers",
        "To compare all shingles of all pairs takes too long. So each text keeps K numbers, its "
        "signature, made so that two texts have the same number in a place as often as they "
        "resemble each other. The share of equal values estimates the resemblance: the more "
        "values, the better.",
        (Knob.SIZE, Knob.CHANGED),
    )
    BANDS = StepWords(
        "Bands",
        "Texts that agree in a whole band are compared",
        "The signature is cut into b bands of r rows. Texts that agree in all rows of a band fall "
        "into the same bucket, and only these are compared. Of a pair of resemblance s one band "
        "agrees with probability s^r, at least one of b bands with 1 − (1 − s^r)^b.",
        (Knob.FILLED_ROWS, Knob.CHANGED),
    )
    CURVE = StepWords(
        "The curve",
        "The chance to be found, for every resemblance",
        "1 − (1 − s^r)^b is flat, then steep, then flat again. More rows move the curve to the "
        "right, more bands to the left. The dots are no formula: each is a copy of a text, "
        "signed again and again with other seeds, and the share of times it met the text.",
        (Knob.BANDS, Knob.ROWS),
    )
    THRESHOLD = StepWords(
        "The threshold",
        "What is missed, and what is compared for nothing",
        "These are all pairs of the sample corpus, each on the curve. Pairs from the threshold on "
        "are wanted: those that meet in no band are missed. Pairs below it that meet are compared "
        "for nothing. A good curve rises just before the threshold. (Of a folder as small as this, "
        "Neardup itself compares all pairs, and misses none.)",
        (Knob.FLOOR, Knob.BANDS, Knob.ROWS),
    )
    PASSAGES = StepWords(
        "Passages",
        "What resemblance cannot see",
        "Some paragraphs of one text in another change its resemblance little, and bands rarely "
        "meet. So Neardup also keeps some shingles of each text by a rule (winnowing) under which "
        "every run of t words or more leaves a trace in both: no such passage is missed.",
        (Knob.PASTED, Knob.PASSAGE),
    )

    @property
    def number(self) -> int:
        """Its place, from 1."""
        return 1 + list(Step).index(self)
