"""A corpus of job advertisements with planted near-duplicates, the same for every seed.

Sentences are filled from a vocabulary under Zipf's law, so that unrelated texts share what
unrelated English texts share; every advertisement has a title, a few paragraphs and a list. A tenth
of the documents are edited copies: half of them word by word throughout, half with one stretch
rewritten, so that a chosen share of their 3-word shingles survives.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.base.arrays import Float64Array, IntegerArray

WORDS = 40_000
COPIES = 0.1
MEDIAN_LENGTH = 230  # words
COMMON = (
    "the and to of a in you for with we is are will our be on as your work team an or that have "
    "experience this by from at skills role join company who all not more new good years training "
    "support customer management ability must strong full time position apply working environment"
)
TITLES = "Engineer Nurse Driver Teacher Analyst Cook Manager Technician Clerk Designer"
SYLLABLES = "ba ce di fo gu han ker lin mar nes or pel qui ros sta ten ul vor wen yar zim"
ENDINGS = np.array([" ", ", ", ". ", ".\n\n", "\n- ", "; "])
ENDING_SHARES = (0.885, 0.045, 0.055, 0.007, 0.005, 0.003)
SENTENCE_ENDS = (2, 3, 4)


class Planted(NamedTuple):
    """A text and its edited copy, by number, and the share of shingles both were meant to have."""

    a: IntegerArray
    b: IntegerArray
    resemblance: Float64Array


class GeneratedCorpus(NamedTuple):
    """Texts in random order and the pairs among them that were planted."""

    texts: list[str]
    planted: Planted


def generate(documents: int, seed: int = 1, words: int = MEDIAN_LENGTH) -> GeneratedCorpus:
    """Some documents of this median number of words, the same for the same arguments."""
    rng = np.random.default_rng(seed)
    copies = round(documents * COPIES)
    originals = documents - copies
    longest = 4000 * words // MEDIAN_LENGTH
    lengths = np.clip(rng.lognormal(np.log(words), 0.5, originals), 8, longest)
    bounds = np.concatenate([[0], np.cumsum(lengths.astype(np.int64))])
    numbers = np.split(_draw(rng, int(bounds[-1])), bounds[1:-1])
    source = rng.integers(0, originals, copies)
    resemblances = rng.uniform(0.05, 1.0, copies)
    for number, resemblance in zip(source.tolist(), resemblances.tolist(), strict=True):
        numbers.append(_edit(numbers[number], resemblance, rng))
    order = rng.permutation(documents)
    row_of = np.argsort(order)
    rows_a, rows_b = row_of[source], row_of[np.arange(originals, documents)]
    planted = Planted(np.minimum(rows_a, rows_b), np.maximum(rows_a, rows_b), resemblances)
    return GeneratedCorpus(_render([numbers[number] for number in order], rng), planted)


def _draw(rng: np.random.Generator, count: int) -> IntegerArray:
    """Numbers of words, frequent ones first, by the law of Zipf and Mandelbrot."""
    weights = np.cumsum(1 / (np.arange(WORDS) + 2.7))
    return np.searchsorted(weights, rng.random(count) * weights[-1])


def _edit(words: IntegerArray, resemblance: float, rng: np.random.Generator) -> IntegerArray:
    """A copy in which about the share of shingles survives that gives this resemblance."""
    survival = 2 * resemblance / (1 + resemblance)
    edited = words.copy()
    if rng.random() < 0.5:
        hit = rng.random(len(words)) < 1 - survival ** (1 / 3)
        edited[hit] = _draw(rng, int(hit.sum()))
        return edited
    size = round((1 - survival) * len(words))
    start = int(rng.integers(0, len(words) - size + 1))
    edited[start : start + size] = _draw(rng, size)
    return edited


def vocabulary() -> npt.NDArray[np.object_]:
    """Words, frequent ones first: those of advertisements, then made-up ones."""
    rng = np.random.default_rng(0)
    made = rng.choice(SYLLABLES.split(), (3 * WORDS, 4))
    syllables = rng.integers(2, 5, 3 * WORDS).tolist()
    words = ("".join(row[:count]) for row, count in zip(made.tolist(), syllables, strict=True))
    return np.array(list(dict.fromkeys([*COMMON.split(), *words]))[:WORDS], dtype=object)


def _render(documents: list[IntegerArray], rng: np.random.Generator) -> list[str]:
    """Word numbers to texts with capitals, punctuation and line breaks."""
    words = vocabulary()
    capitals = np.array([word.capitalize() for word in words], dtype=object)
    endings = ENDINGS.astype(object)
    titles = rng.choice(TITLES.split(), len(documents)).tolist()
    texts = []
    for numbers, title in zip(documents, titles, strict=True):
        after = rng.choice(len(ENDINGS), len(numbers), p=ENDING_SHARES)
        starts = np.concatenate([[True], np.isin(after[:-1], SENTENCE_ENDS)])
        pieces = np.where(starts, capitals[numbers], words[numbers]) + endings[after]
        texts.append(f"{title} wanted\n\n{''.join(pieces).rstrip(' ,;-')}")
    return texts


def write_texts(folder: Path, texts: Sequence[str], first: int = 0) -> None:
    """One file for each text, numbered from `first` on, a thousand in a folder."""
    for number, text in enumerate(texts, first):
        subfolder = folder / f"{number // 1000:04}"
        subfolder.mkdir(parents=True, exist_ok=True)
        (subfolder / f"{number:07}.txt").write_text(text, encoding="utf-8")
