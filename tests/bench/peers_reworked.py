"""Other ways of finding reworked passages in a pair of texts, beside which the engine is measured.

Shared n-grams, in the manner of passim (Smith, Cordell and Mullen, "Computational Methods for
Uncovering Reprinted Texts in Antebellum Newspapers", American Literary History 27, 2015): n-grams
of words that stand in at most 100 documents; a passage is a chain of at least five of them with
gaps of at most 100 words, and of at least 20 words.

Similar sentences (Sanchez-Perez, Sidorov and Gelbukh, "The Winning Approach to Text Alignment for
Text Reuse Detection at PAN 2014"; Sanchez-Perez, Gelbukh and Sidorov, "Adaptive Algorithm for
Plagiarism Detection", CLEF 2015), written from the papers: sentences as vectors of tf-isf (with one
sentence more than there are, so that two equal sentences are not without weight); pairs of
sentences with cosine above .30 and Dice coefficient above .33 are seeds; seeds are joined over at
most 4 sentences, in both texts in turn; where the joined fragments have a cosine below .34, they
are joined again over one sentence less; of overlapping cases the more similar stays, and cases
below 150 characters go. With gaps of 24 sentences the same once more, which is taken where it shows
a summary: a case three times as long in one text as in the other. The separate search for verbatim
passages of the second paper is left out.

copydetect (winnowing on characters) runs in an interpreter that has it, by copydetect_child.py.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import Stemmer
from pan_measures import DocumentPair, Interval, Span, make_span
from rework_editor import word_spans

from core.base.arrays import Float64Array

SENTENCE = re.compile(r"(?<=[.!?।])\s+|(?<=[。！？])|\n\s*\n")
LEAST_WORDS = 3  # a shorter sentence is taken together with the next
COSINE, DICE, FRAGMENTS = 0.30, 0.33, 0.34
GAP, SUMMARY_GAP, SUMMARY_RATIO = 4, 24, 3
LEAST_CHARACTERS = 150
MOST_DOCUMENTS, LEAST_GRAMS, GRAM_GAP, LEAST_ALIGNED = 100, 5, 100, 20
CHILD = Path(__file__).with_name("copydetect_child.py")
Seed = tuple[int, int]


class Answer(NamedTuple):
    """What a method says of a pair; a pair with a score of 0 is not listed."""

    score: float
    spans: list[Span]


Answers = Mapping[DocumentPair, Answer]
Texts = Mapping[str, str]


class Sentences(NamedTuple):
    """A text by sentences: where they stand, and how often each has each word."""

    places: list[Interval]
    words: list[Counter[str]]


class Fragment(NamedTuple):
    """Sentences of A and of B, first and last, and how similar they are."""

    a: Interval
    b: Interval
    similarity: float


def shared_grams(texts: Texts, pairs: Iterable[DocumentPair], size: int) -> Answers:
    """Score: how many different n-grams the chains have."""
    spans = {name: word_spans(text) for name, text in texts.items()}
    grams = {name: _grams(texts[name], spans[name], size) for name in texts}
    holders = Counter(gram for own in grams.values() for gram in own)
    answers = {}
    for a, b in pairs:
        shared = grams[a].keys() & grams[b].keys()
        rare = [gram for gram in shared if holders[gram] <= MOST_DOCUMENTS]
        seeds = [(x, y) for gram in rare for x in grams[a][gram] for y in grams[b][gram]]
        chains = [
            chain
            for chain in _clusters(seeds, GRAM_GAP)
            if len(chain) >= LEAST_GRAMS
            and min(end - start for start, end in _extent(chain)) + size >= LEAST_ALIGNED
        ]
        found = []
        for (a_first, a_last), (b_first, b_last) in map(_extent, chains):
            in_a = spans[a][a_first][0], spans[a][a_last + size - 1][1]
            in_b = spans[b][b_first][0], spans[b][b_last + size - 1][1]
            found.append(make_span(a, b, in_a, in_b))
        answers[a, b] = Answer(sum(map(len, chains)), found)
    return answers


def _grams(text: str, spans: Sequence[Interval], size: int) -> Mapping[int, list[int]]:
    """Where each n-gram of words stands."""
    words = [text[start:end].lower() for start, end in spans]
    places: defaultdict[int, list[int]] = defaultdict(list)
    for at in range(len(words) - size + 1):
        places[hash(tuple(words[at : at + size]))].append(at)
    return places


def similar_sentences(texts: Texts, pairs: Iterable[DocumentPair], language: str) -> Answers:
    """Score: the characters of A in all cases."""
    stemmer = Stemmer.Stemmer(language) if language else None
    cut: dict[str, Sentences] = {}
    answers = {}
    for a, b in pairs:
        for name in (a, b):
            if name not in cut:
                cut[name] = _sentences(texts[name], stemmer)
        fragments = _cases(cut[a], cut[b])
        found = [_span_of(a, b, fragment, cut[a], cut[b]) for fragment in fragments]
        length = sum(_length(cut[a], fragment.a) for fragment in fragments)
        answers[a, b] = Answer(length, found)
    return answers


def _sentences(text: str, stemmer: Stemmer.Stemmer | None) -> Sentences:
    bounds = [0, *(found.end() for found in SENTENCE.finditer(text)), len(text)]
    places: list[Interval] = []
    words: list[Counter[str]] = []
    begun: int | None = None
    for first, end in pairwise(bounds):
        start = first if begun is None else begun
        own = [text[start:end][x:y].lower() for x, y in word_spans(text[start:end])]
        if len(own) < LEAST_WORDS and end < len(text):
            begun = start
            continue
        begun = None
        places.append((start, start + len(text[start:end].rstrip())))
        words.append(Counter(stemmer.stemWords(own) if stemmer else own))
    return Sentences(places, words)


def _cases(a: Sentences, b: Sentences) -> list[Fragment]:
    """The cases of one pair; those of a summary where there is one."""
    vectors_a, vectors_b = _vectors(a, b)
    present = [(vectors > 0).astype(np.float64) for vectors in (vectors_a, vectors_b)]
    sizes = [np.maximum(one.sum(axis=1), 1) for one in present]
    dice = 2 * (present[0] @ present[1].T) / (sizes[0][:, None] + sizes[1][None, :])
    cosine = _unit(vectors_a) @ _unit(vectors_b).T
    seeds = list(map(tuple, np.argwhere((cosine > COSINE) & (dice > DICE)).tolist()))
    usual, wide = (
        _filtered(_extended(seeds, vectors_a, vectors_b, gap), a, b) for gap in (GAP, SUMMARY_GAP)
    )
    lengths = ((_length(a, one.a), _length(b, one.b)) for one in wide)
    is_summary = any(max(pair) > SUMMARY_RATIO * min(pair) for pair in lengths)
    return wide if is_summary else usual


def _vectors(a: Sentences, b: Sentences) -> tuple[Float64Array, Float64Array]:
    """tf-isf of each sentence of both texts, over the sentences of both."""
    sentences = [*a.words, *b.words]
    frequency = Counter(word for own in sentences for word in own)
    column = {word: number for number, word in enumerate(frequency)}
    vectors = np.zeros((len(sentences), len(column)))
    for row, own in enumerate(sentences):
        for word, count in own.items():
            vectors[row, column[word]] = count * np.log((len(sentences) + 1) / frequency[word])
    return vectors[: len(a.words)], vectors[len(a.words) :]


def _unit(vectors: Float64Array) -> Float64Array:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1), 1e-12)[:, None]


def _extended(
    seeds: Sequence[Seed], vectors_a: Float64Array, vectors_b: Float64Array, gap: int
) -> list[Fragment]:
    """Seeds joined to fragments that are similar as a whole."""
    found = []
    for cluster in _clusters(seeds, gap):
        (a_first, a_last), (b_first, b_last) = in_a, in_b = _extent(cluster)
        sums = vectors_a[a_first : a_last + 1].sum(0), vectors_b[b_first : b_last + 1].sum(0)
        similarity = float((_unit(sums[0][None]) @ _unit(sums[1][None]).T)[0, 0])
        if similarity >= FRAGMENTS:
            found.append(Fragment(in_a, in_b, similarity))
        elif gap > 0:
            found += _extended(cluster, vectors_a, vectors_b, gap - 1)
    return found


def _clusters(seeds: Sequence[Seed], gap: int) -> list[list[Seed]]:
    """Seeds with at most this gap between them, in A and in B."""
    done: list[list[Seed]] = []
    waiting = [(list(seeds), 0, 0)] if seeds else []
    while waiting:
        cluster, side, whole = waiting.pop()
        if whole == 2:  # neither text divides it
            done.append(cluster)
            continue
        parts = _divided(cluster, side, gap)
        whole = whole + 1 if len(parts) == 1 else 1
        waiting += [(part, 1 - side, whole) for part in parts]
    return done


def _divided(seeds: list[Seed], side: int, gap: int) -> list[list[Seed]]:
    ordered = sorted(seeds, key=lambda seed: seed[side])
    parts = [[ordered[0]]]
    for before, seed in pairwise(ordered):
        if seed[side] - before[side] > gap + 1:
            parts.append([])
        parts[-1].append(seed)
    return parts


def _extent(cluster: Sequence[Seed]) -> tuple[Interval, Interval]:
    """First and last place in A and in B."""
    in_a, in_b = ([seed[side] for seed in cluster] for side in (0, 1))
    return (min(in_a), max(in_a)), (min(in_b), max(in_b))


def _filtered(fragments: list[Fragment], a: Sentences, b: Sentences) -> list[Fragment]:
    """Without overlaps in A, and without short ones."""
    kept: list[Fragment] = []
    for one in sorted(fragments, key=lambda fragment: -fragment.similarity):
        apart = all(one.a[0] > other.a[1] or other.a[0] > one.a[1] for other in kept)
        if apart and min(_length(a, one.a), _length(b, one.b)) >= LEAST_CHARACTERS:
            kept.append(one)
    return kept


def _length(text: Sentences, sentences: Interval) -> int:
    return text.places[sentences[1]][1] - text.places[sentences[0]][0]


def _span_of(a: str, b: str, fragment: Fragment, in_a: Sentences, in_b: Sentences) -> Span:
    sides = ((in_a, fragment.a), (in_b, fragment.b))
    places = [(text.places[first][0], text.places[last][1]) for text, (first, last) in sides]
    return make_span(a, b, *places)


def copydetect(texts: Texts, pairs: Iterable[DocumentPair], python: Path) -> Answers:
    """Score: the larger share of a text that both have; listed is every overlap."""
    pairs = list(pairs)
    numbers = {name: number for number, name in enumerate(texts)}
    with tempfile.TemporaryDirectory() as folder:
        for name, number in numbers.items():
            (Path(folder) / f"{number}.txt").write_text(texts[name], encoding="utf-8", newline="")
        asked = {"folder": folder, "pairs": [(numbers[a], numbers[b]) for a, b in pairs]}
        done = subprocess.run(
            [python, CHILD], input=json.dumps(asked), stdout=subprocess.PIPE, check=True, text=True
        )
    answers = {}
    for (a, b), (score, places) in zip(pairs, json.loads(done.stdout), strict=True):
        answers[a, b] = Answer(score, [make_span(a, b, tuple(x), tuple(y)) for x, y in places])
    return answers
