"""Text that very many documents hold, as passages: forms, licences, assignments, headers.

Such text makes no pairs by itself (see `core.candidates.shared_fingerprints`); it is shown instead,
so that nothing is dropped silently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.tasks import stop_if_cancelled
from core.candidates.shared_fingerprints import CommonFingerprints, keys_of
from core.candidates.sorted_keys import DOCUMENT_LIMIT
from core.exclusions.finding import find_common
from core.exclusions.repeated import Texts, words_in
from core.scan.corpus import Corpus
from core.signatures.winnowing import choose_positions, find_grams, gram_ends
from core.text.set_aside import merged
from core.text.shingling import tokenise

LEAST_SUGGESTED = 100  # characters of a passage that is worth suggesting, some 20 words
FEWEST_DOCUMENTS = 6  # documents; of fewer any two may share what half of them do


class CommonText(NamedTuple):
    """A passage that stands in very many documents.

    Attributes:
        documents: How many documents hold it, or the most common part of it.
        document: One that does.
        start: Where it begins in that, in code points of the text.
        end: Where it ends in that.
    """

    documents: int
    document: int
    start: int
    end: int


def common_texts(corpus: Corpus, most: int) -> list[CommonText]:
    """The most common passages of a corpus, most common first, at most so many."""
    common = corpus.shared_passages().common
    explained = np.zeros(len(common.keys), dtype=np.bool_)
    by_key = np.argsort(common.keys)
    passages: list[CommonText] = []
    for number in np.lexsort((common.first, -common.documents)):
        if len(passages) == most:
            break
        if explained[number]:
            continue
        explained[number] = True
        document = int(common.first[number])
        for numbers, start, end in _common_runs(corpus, document, common, by_key):
            if number in numbers:
                explained[numbers] = True
                exclusions = corpus.texts.set_aside.get(document, ())
                spans = tokenise(corpus.texts[document], corpus.settings, merged(exclusions))
                passages.append(
                    CommonText(
                        int(common.documents[number]),
                        document,
                        int(spans.starts[start]),
                        int(spans.ends[end - 1]),
                    )
                )
                break
    return passages


def text_of_most(corpus: Corpus, pool: ThreadPoolExecutor) -> str:
    """The longest passage that counts in at least half of the documents, beside more of their own.

    An assignment, a form. Empty where there is none, or where most documents are copies of others.

    Args:
        corpus: The documents.
        pool: Threads to work with.
    """
    lengths = corpus.texts.lengths
    half = half_of(len(lengths))
    spans_of = find_common(Texts(corpus.texts, lengths, pool), half)
    if not spans_of:
        return ""
    common = [sum(span.end - span.start for span in spans) for spans in spans_of.values()]
    if np.median(np.array(common) / lengths[list(spans_of)]) > 0.5:
        return ""
    runs: list[tuple[int, int, int, UInt64Array]] = []
    for number, spans in spans_of.items():
        text, aside = corpus.texts[number], corpus.texts.set_aside.get(number, ())
        for span in spans:
            if not any(span.start < other.end and other.start < span.end for other in aside):
                words = words_in(text[span.start : span.end])
                runs.append((span.start - span.end, number, span.start, words))
    runs.sort(key=lambda run: run[:3])  # the longest first
    index = _RunIndex([(number, words) for _, number, _, words in runs])
    for minus, number, start, words in runs:
        if -minus < LEAST_SUGGESTED:
            break
        # Each part of a run is in half of the documents, the whole of it perhaps in few.
        stop_if_cancelled()
        if index.count_holders(words) >= half:
            return corpus.texts[number][start : start - minus]
    return ""


class _RunIndex:
    """Runs of words, to count in those of how many documents some words stand."""

    def __init__(self, runs: Sequence[tuple[int, UInt64Array]]) -> None:
        """Runs are given with the numbers of their documents."""
        lengths = np.array([len(words) for _, words in runs], dtype=np.int64)
        self._words = np.concatenate([np.empty(0, np.uint64), *(words for _, words in runs)])
        self._documents = np.repeat([number for number, _ in runs], lengths)
        self._ends = np.repeat(np.cumsum(lengths), lengths)
        self._order = np.argsort(self._words)
        self._sorted = self._words[self._order]

    def count_holders(self, words: UInt64Array) -> int:
        """How many documents have these words in one run."""
        first, last = (np.searchsorted(self._sorted, words, side) for side in ("left", "right"))
        rarest = int(np.argmin(last - first))
        starts = self._order[first[rarest] : last[rarest]] - rarest
        starts = starts[starts >= 0]
        starts = starts[starts + len(words) <= self._ends[starts]]
        for offset, word in enumerate(words):
            starts = starts[self._words[starts + offset] == word]
        return len(np.unique(self._documents[starts]))


def half_of(documents: int) -> int:
    """How many documents make a passage common that half of them hold."""
    return min(max((documents + 1) // 2, FEWEST_DOCUMENTS // 2), DOCUMENT_LIMIT)


def _common_runs(
    corpus: Corpus, document: int, common: CommonFingerprints, by_key: Int64Array
) -> Iterator[tuple[Int64Array, int, int]]:
    """Runs of common fingerprints in a document: their numbers, and first and last unit + 1.

    Neighbours that are no further apart than a window belong together: between them every passage
    would have had a fingerprint that is not common.
    """
    shingles = corpus.texts.shingles(np.array([document]), corpus.settings)
    grams = find_grams(shingles, corpus.settings)
    positions, _ = choose_positions(grams)
    keys = keys_of(grams.hashes[positions], common.bits)
    at = np.searchsorted(common.keys, keys, sorter=by_key)
    at[at == len(by_key)] = 0
    numbers = by_key[at]
    is_common = common.keys[numbers] == keys
    # A fingerprint that is not common ends a run.
    run = np.cumsum(~is_common)[is_common]
    numbers, positions = numbers[is_common], positions[is_common]
    ends = gram_ends(shingles, corpus.settings, positions)
    reach = grams.ends_of_windows(positions)
    breaks = (np.diff(run) > 0) | (positions[1:] > reach[:-1])
    for part in np.split(np.arange(len(positions)), np.flatnonzero(breaks) + 1):
        if len(part):
            yield numbers[part], int(positions[part[0]]), int(ends[part[-1]])
