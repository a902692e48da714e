"""Explains the engine to people: its own steps, measured on texts that a person can change.

Shingles, signatures, bands and passages are those of a scan with the same settings; only the copies
are made for the purpose, as a person would make them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.audit.planted_copies import EditWords, words_of
from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt64Array
from core.base.tasks import stop_if_cancelled
from core.candidates.scurve import candidate_probability
from core.evidence.overlap import figures_of, numbers_of_shingles
from core.evidence.pairs import FoundBy
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings
from core.signatures.methods import sign
from core.text.shingling import shingle, tokenise


def changed_copy(text: str, share: float, seed: int) -> str:
    """The text with this share of its words exchanged for other words of the same text.

    With the same seed, a larger share changes the same words and more of them, so that resemblance
    falls steadily. A word for which the text has no other one is left out.

    Args:
        text: Any text.
        share: Of its words, 0 to 1, rounded to whole words.
        seed: Decides which words are exchanged, and for which.
    """
    rng = np.random.default_rng(seed)
    words, exchanges = words_of(text), EditWords([text], rng)
    order, draws = rng.permutation(len(words.starts)), rng.random(len(words.starts))
    parts, copied = list[str](), 0
    for index in np.sort(order[: round(share * len(order))]).tolist():
        start, end = int(words.starts[index]), int(words.ends[index])
        alone = bool(words.alone[index])
        parts += [text[copied:start], exchanges.other(text[start:end], draws[index], alone=alone)]
        copied = end
    return "".join([*parts, text[copied:]])


def pasted_copy(host: str, source: str, words: int) -> tuple[str, tuple[int, int]]:
    """The host with so many words of the source in its middle, and their span.

    They are from the middle of the source, and become a paragraph. Of a shorter source all words
    are taken.

    Returns:
        The text, and the span of the pasted words in code points; an empty one for no words.
    """
    source_words, theirs = words_of(source), words_of(host)
    count = min(words, len(source_words.starts))
    gap = int(theirs.starts[len(theirs.starts) // 2]) if len(theirs.starts) else len(host)
    if count <= 0:
        return host, (gap, gap)
    first = (len(source_words.starts) - count) // 2
    pasted = source[int(source_words.starts[first]) : int(source_words.ends[first + count - 1])]
    start = gap + 2
    return f"{host[:gap]}\n\n{pasted}\n\n{host[gap:]}", (start, start + len(pasted))


def first_words(text: str, most: int) -> str:
    """The text up to and including its word number `most`; all of it if it has no more."""
    ends = words_of(text).ends
    return text if len(ends) <= most else text[: int(ends[most - 1])]


class Pasted(NamedTuple):
    """The result of a scan for a text with pasted words of another one.

    Attributes:
        words: How many words were pasted.
        resemblance: Of both texts, exact.
        chance: The probability that a band of their signatures agrees, 0 to 1.
        by_passage: Whether the pair is found by its passage, whatever the bands do.
    """

    words: int
    resemblance: float
    chance: float
    by_passage: bool


def paste_lengths(
    source: str, host: str, lengths: Sequence[int], settings: ScanSettings
) -> tuple[Pasted, ...]:
    """Search for a text among texts that have more and more words of it, as a scan does.

    Args:
        source: The text whose words are pasted.
        host: The text into which they go.
        lengths: How many words; each makes a text.
        settings: Of the scan.
    """
    hosts = [pasted_copy(host, source, words)[0] for words in lengths]
    # Texts with the passage are compared with the source only, and not among themselves.
    numbers = range(1, len(hosts) + 1)
    pairs = find_pairs([source, *hosts], settings, reference=numbers)
    ways = np.zeros(len(hosts) + 1, dtype=np.uint8)
    ways[pairs.a + pairs.b] = pairs.found_by  # either a or b is text 0
    measured = [figures_of(source, text, settings).resemblance for text in hosts]
    chances = candidate_probability(measured, settings.bands, settings.rows)
    return tuple(
        Pasted(words, resemblance, float(chance), bool(ways[number] & FoundBy.PASSAGE))
        for number, words, resemblance, chance in zip(
            numbers, lengths, measured, chances, strict=True
        )
    )


def agreements(texts: Sequence[str], settings: ScanSettings, trials: int) -> BoolArray:
    """Which values of the first text's signature the other texts share, for each seed.

    Args:
        texts: The first text, and those that are compared with it.
        settings: Of the signatures; the first trial has their seed.
        trials: How many seeds.

    Returns:
        bool (trials, texts - 1, K).
    """
    shingles = shingle(texts, settings)
    same = np.empty((trials, len(texts) - 1, settings.signature_size), dtype=np.bool_)
    for trial in range(trials):
        stop_if_cancelled()
        signatures = sign(shingles, settings.with_changes(seed=settings.seed + trial))
        same[trial] = signatures[1:] == signatures[0]
    return same


def collides(same: BoolArray, bands: int, rows: int) -> BoolArray:
    """Which bands agree as a whole: bool (..., K) to bool (..., b)."""
    used = same[..., : bands * rows]
    return np.asarray(used.reshape(*same.shape[:-1], bands, rows).all(axis=-1))


class AllPairs(NamedTuple):
    """All pairs of texts, most similar first.

    Attributes:
        a: int64, the first text of each.
        b: int64, the second.
        resemblance: float64, exact.
        same: bool (n, K), which values of their signatures are equal.
    """

    a: Int64Array
    b: Int64Array
    resemblance: Float64Array
    same: BoolArray


def all_pairs(texts: Sequence[str], settings: ScanSettings) -> AllPairs:
    """Measure and sign all pairs of a few texts; those without shingles are left out."""
    shingles = shingle(texts, settings)
    with_shingles = np.flatnonzero(np.diff(shingles.offsets))
    first, second = np.triu_indices(len(with_shingles), 1)
    a, b = with_shingles[first], with_shingles[second]
    resemblance = numbers_of_shingles(shingles, a, b, settings).resemblance
    signatures = sign(shingles, settings)
    order = np.argsort(-resemblance, kind="stable")
    a, b = a[order], b[order]
    return AllPairs(a, b, resemblance[order], signatures[a] == signatures[b])


EXCHANGED = 0.1  # of the words of a copy
COPIED = 0.05  # resemblance in five words, from which texts share more than their language


class Cut(NamedTuple):
    """The shingles of a text.

    Attributes:
        starts: int64, where each begins in the text, in code points.
        ends: int64, where each ends.
        units: How many words (or characters) the text has.
        hashes: uint64, the hash of each.
    """

    starts: Int64Array
    ends: Int64Array
    units: int
    hashes: UInt64Array


def cut(text: str, settings: ScanSettings) -> Cut:
    """The shingles of a text in reading order, repeated ones too."""
    tokens = tokenise(text, settings)
    hashes = shingle([text], settings).hashes
    count = len(hashes)
    # A text with fewer than k units is one shingle.
    last = np.minimum(np.arange(count) + settings.k, len(tokens.values)) - 1
    return Cut(tokens.starts[:count], tokens.ends[last], len(tokens.values), hashes)


def shared_spans(text: str, other: str, settings: ScanSettings) -> list[tuple[int, int]]:
    """The stretches of a text that are in shingles which the other text has too."""
    shingles = cut(text, settings)
    shared: BoolArray = np.isin(shingles.hashes, cut(other, settings).hashes)
    spans: list[tuple[int, int]] = []
    for start, end in zip(
        shingles.starts[shared].tolist(), shingles.ends[shared].tolist(), strict=True
    ):
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], end)
        else:
            spans.append((start, end))
    return spans


class ResemblancesAtLength(NamedTuple):
    """Resemblances with a length of shingles, of copies of a text and of a text that is no copy.

    Attributes:
        k: Words (or characters) in a shingle.
        mean: Mean resemblance of the copies with the text, 0 to 1.
        low: The smallest of them.
        high: The largest.
        unrelated: Resemblance of the other text.
    """

    k: int
    mean: float
    low: float
    high: float
    unrelated: float


def measure_lengths(
    text: str, unrelated: str, settings: ScanSettings, lengths: Sequence[int], *, copies: int = 20
) -> tuple[ResemblancesAtLength, ...]:
    """The exact resemblance of copies of a text, for each length of shingles.

    Args:
        text: Any text.
        unrelated: A text that is no copy of it.
        settings: Decide everything else about shingles.
        lengths: Values of k.
        copies: The number of copies; each has a different tenth of its words exchanged.
    """
    texts = [text, unrelated, *(changed_copy(text, EXCHANGED, seed) for seed in range(copies))]
    measured = []
    for k in lengths:
        stop_if_cancelled()
        resemblance = _with_first(texts, settings.with_changes(k=k))
        copied = resemblance[1:]
        measured.append(
            ResemblancesAtLength(
                k,
                float(copied.mean()),
                float(copied.min()),
                float(copied.max()),
                float(resemblance[0]),
            )
        )
    return tuple(measured)


def nearest_unrelated_text(text: str, others: Sequence[str]) -> int:
    """The index of the text that shares most words with a text and is no copy of it.

    So it has the same language, if any of them has.
    """
    texts = [text, *others]
    alike, copied = _with_first(texts, ScanSettings(k=1)), _with_first(texts, ScanSettings())
    return int(np.where(copied < COPIED, alike, -1.0).argmax())


def _with_first(texts: Sequence[str], settings: ScanSettings) -> Float64Array:
    """The resemblance of the first text with each of the others."""
    others = np.arange(1, len(texts))
    shingles = shingle(texts, settings)
    return numbers_of_shingles(shingles, np.zeros_like(others), others, settings).resemblance
