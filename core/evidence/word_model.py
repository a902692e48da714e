"""The information of the words of a folder, counted in a sample of its documents.

A word that occurs once in 1,000 words carries 10 bits (anywhere). Beside a word next to which it is
in many documents, it carries less (here): the formulas of laws, licences and forms are no sign of
copying. The probability of a word is at least

    (d - c + 4 p) / (D + 4)    beside another one, if d documents of D have both side by side,
    (t - c + 4 p) / (d + 4)    after two others, if t documents have all three, and d the two,

p being its probability alone. A text with the beginning of a clause has the rest of it, so that a
clause has only a few bits however long it is: contracts with clauses that each words differently
make no pairs. Words that two texts use again and again have less information in this pair
(`core.evidence.seeds`). Of 10,000 unrelated pairs of licences 1.8 are listed, of bills 0.6
(`tests/bench/false_alarms.py --data FOLDER --modes careful`), most of them for text that was taken
over and reworded. So many documents c are left out of each count, 8 + 600 / D, so that a group that
copies from the same source makes no formula. Of random pairs of Chinese laws one in twenty reaches
93 bits, and 895 if words carry the same everywhere.

The strengths of the passages that pairs of a folder share.

The strongest passages of pairs are measured: of all pairs in a small folder, of a random sample in
any other. The statement about a score counts these pairs and is not extrapolated: beyond the
measured scores nobody knows how fast they fall off. On ten corpora, an exponential tail fitted to
their bulk (as Karlin and Altschul, PNAS 1990, have it for unrelated sequences) promised one pair in
a million where 1,600 to 10,000 in a million reached the score.

Where to begin a list is a choice and not a promise, and follows such a tail within bounds: scores
fall off at a different rate in each folder, in news otherwise than in laws, which share formulas.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    AnyArray,
    Float32Array,
    Float64Array,
    Int64Array,
    UInt32Array,
    UInt64Array,
    starts_of_runs,
)
from core.base.compiling import njit
from core.base.hashing import find_slot, find_slots, mix, slots_for
from core.base.messages import nstored, stored
from core.base.sorting import sort_keys
from core.base.tasks import stop_if_cancelled
from core.evidence.reworked_spans import FLOOR
from core.text.set_aside import GAP

MOST_PAIRS = 1000
FEWEST_PAIRS = 20  # from which the rate of a folder can be estimated
UNRELATED = 2 / 3  # of the pairs are taken for unrelated: the rest may answer the same question
SLOWER = 1.5  # beyond the middle: of 10,000 unrelated pairs of terms 1 lists 34, 1.5 lists 20
SCALES = (6.0, 25.0)  # bits
MOST_BITS = 1e9


def quantiles(ascending: Float32Array, shares: Sequence[float]) -> Float64Array:
    """The quantiles of ascending numbers, in between linear: those of `np.quantile`.

    That imports masked arrays, which takes .01 s.
    """
    positions = (len(ascending) - 1) * np.array(shares)
    before = np.floor(positions).astype(np.int64)
    low, high = ascending[before], ascending[np.minimum(before + 1, len(ascending) - 1)]
    weight, step = positions - before, high - low
    between: Float64Array = np.where(weight < 0.5, low + step * weight, high - step * (1 - weight))
    return between


class RandomPairs(NamedTuple):
    """The strongest passages of pairs of a folder.

    Attributes:
        scores: float32, ascending: the bits of the strongest passage of each, 0 for none.
        are_all: Whether these are all pairs of different texts, and complete texts.
    """

    scores: Float32Array
    are_all: bool

    @staticmethod
    def none() -> RandomPairs:
        """No pairs: there is no folder."""
        return RandomPairs(np.empty(0, dtype=np.float32), are_all=False)

    def is_possible(self) -> bool:
        """Whether these scores can have been measured."""
        within = (self.scores >= 0) & (self.scores <= MOST_BITS)
        ascends = self.scores[1:] >= self.scores[:-1]
        return len(self.scores) <= MOST_PAIRS and bool(within.all()) and bool(ascends.all())

    def threshold(self, share: float, bounds: tuple[float, float], for_few: float) -> float:
        """The bits, within bounds, that about this share of unrelated pairs reaches.

        A few pairs may all be related: for them it is `for_few`.
        """
        if len(self.scores) < FEWEST_PAIRS:
            return for_few
        middle, start = np.maximum(quantiles(self.scores, (0.5, UNRELATED)), FLOOR).tolist()
        scale = SLOWER * (start - middle) / math.log(0.5 / (1 - UNRELATED))
        scale = min(max(scale, SCALES[0]), SCALES[1])
        reached = (self._count(start) + 1) / (len(self.scores) + 2)
        score = start + scale * math.log(reached / share)
        return float(min(max(score, bounds[0]), bounds[1]))

    def words(self, score: float) -> str:
        """How many pairs have a passage of such a score: "no other of the 45 pairs of ...".

        In English, as in the record.

        Copies count as one text, and texts of a reference folder count too. Empty if too few pairs
        were measured.

        Args:
            score: The bits of a passage of two different texts of the review.
        """
        pairs, reached = len(self.scores), self._count(score)
        if pairs < FEWEST_PAIRS:
            return ""
        pair_count = f"{pairs:,}"
        if self.are_all:
            reached -= 1  # the pair itself is among them
            if reached < 1:
                return stored(
                    "no other of the {pairs} pairs of different texts has as strong a passage",
                    pairs=pair_count,
                )
            return nstored(
                "{n} other of the {pairs} pairs of different texts has as strong a passage",
                "{n} others of the {pairs} pairs of different texts have as strong a passage",
                reached,
                pairs=pair_count,
            )
        if not reached:
            return stored(
                "none of {pairs} pairs of different texts drawn at random has as strong a passage",
                pairs=pair_count,
            )
        return nstored(
            "{n} of {pairs} pairs of different texts drawn at random has as strong a passage",
            "{n} of {pairs} pairs of different texts drawn at random have as strong a passage",
            reached,
            pairs=pair_count,
        )

    def _count(self, score: float) -> int:
        """The number of pairs that reach a score."""
        return len(self.scores) - int(np.searchsorted(self.scores, np.float32(score)))


VOCABULARY = 1000.0  # words that count as seen once more, so that small folders have rare words too
LEAST_COUNT = 2  # of a word that is kept; any other counts as seen once
COPYING = 8  # documents that may have words side by side because they copy
COPYING_SCALE = 600.0  # and this over the documents of the sample: small folders hold more copies
LEAST_DOCUMENTS = COPYING + 1  # of words side by side that are kept
WEIGHT = 4.0  # documents that the information of the word alone counts as
MAGIC = b"words 3\n"
HEAD = struct.Struct("<8sQQQQQQ")
MOST = 1 << 40  # words of a sample that could be read
COLUMNS = tuple(map(np.dtype, ("u8", "u4", "u8", "u4", "f4")))  # of keys, their counts, and scores


class Information(NamedTuple):
    """Bits of words, float32: of each word at its position, and at any position."""

    in_context: Float32Array
    anywhere: Float32Array


class Counts(NamedTuple):
    """Hashes, uint64 ascending, and how often each occurs, uint32."""

    keys: UInt64Array
    counts: UInt32Array


@dataclass(frozen=True, eq=False)
class WordModel:
    """Counts of words, and of words side by side.

    Attributes:
        words: How often words occur in the sample, if twice or more.
        beside: How many documents have two or three words side by side, if nine or more.
        total: Words of the sample.
        documents: Documents of the sample.
        pairs: How strong the passages of pairs of these documents are.
    """

    words: Counts
    beside: Counts
    total: int
    documents: int
    pairs: RandomPairs = field(default_factory=RandomPairs.none)

    @staticmethod
    def build(words: UInt64Array, offsets: Int64Array) -> WordModel:
        """Count the words of documents: document i has `words[offsets[i]:offsets[i + 1]]`."""
        present = words[words != GAP]
        counted = _repeated(present, LEAST_COUNT)
        stop_if_cancelled()
        two = _repeated(_beside(words, offsets, NO_TABLE), LEAST_DOCUMENTS)
        stop_if_cancelled()
        three = _repeated(_beside(words, offsets, _table(*two)), LEAST_DOCUMENTS)
        keys = np.concatenate([two.keys, three.keys])
        order = np.argsort(keys)
        beside = Counts(keys[order], np.concatenate([two.counts, three.counts])[order])
        return WordModel(counted, beside, len(present), len(offsets) - 1)

    @staticmethod
    def none() -> WordModel:
        """The model of no documents: all words carry the same."""
        return WordModel.build(np.empty(0, dtype=np.uint64), np.zeros(1, dtype=np.int64))

    def to_bytes(self) -> bytes:
        """The bytes that a review stores; `from_bytes` reads them."""
        sizes = (len(self.words.keys), len(self.beside.keys), self.total, self.documents)
        head = HEAD.pack(MAGIC, *sizes, len(self.pairs.scores), self.pairs.are_all)
        return head + b"".join(
            column.astype(column.dtype.newbyteorder("<")).tobytes()
            for column in (*self.words, *self.beside, self.pairs.scores)
        )

    @staticmethod
    def from_bytes(data: bytes) -> WordModel:
        """Read a stored model, which is not trusted.

        Raises:
            ValueError: `to_bytes` cannot have made these bytes.
        """
        if len(data) < HEAD.size:
            raise ValueError("The information of words ends too early.")
        magic, words, beside, total, documents, pairs, are_all = HEAD.unpack_from(data)
        lengths = (words, words, beside, beside, pairs)
        size = sum(kind.itemsize * length for kind, length in zip(COLUMNS, lengths, strict=True))
        if magic != MAGIC or len(data) != HEAD.size + size or are_all not in (0, 1):
            raise ValueError("The information of words is not as long as it says.")
        columns, start = [], HEAD.size
        for kind, length in zip(COLUMNS, lengths, strict=True):
            column = np.frombuffer(data, kind.newbyteorder("<"), length, start)
            columns.append(column.astype(kind))
            start += column.nbytes
        counts, scores = (Counts(*columns[:2]), Counts(*columns[2:4])), columns[4]
        model = WordModel(*counts, total, documents, RandomPairs(scores, bool(are_all)))
        model.check()
        return model

    def check(self) -> None:
        """Check that the counts can be those of a sample.

        Raises:
            ValueError: They cannot.
        """
        possible = (
            _are_counts(self.words, LEAST_COUNT, self.total)
            and _are_counts(self.beside, LEAST_DOCUMENTS, self.documents)
            and int(self.words.counts.sum(dtype=np.uint64)) <= self.total
            and max(self.total, self.documents) <= MOST
            and self.pairs.is_possible()
        )
        if not possible:
            raise ValueError("The information of words cannot be that of any documents.")

    def information(self, words: UInt64Array, bounds: Int64Array | None = None) -> Information:
        """The information of the words of a document, or of several in one array.

        Args:
            words: The words, with gaps.
            bounds: Document i has `words[bounds[i]:bounds[i + 1]]`; all are of one document if left
                out.
        """
        if bounds is None:
            bounds = np.array([0, len(words)], dtype=np.int64)
        in_context = np.empty(len(words), dtype=np.float32)
        anywhere = np.empty(len(words), dtype=np.float32)
        left_out = COPYING + COPYING_SCALE / max(self.documents, 1)
        scale = np.array([self.total + VOCABULARY, self.documents, left_out])
        known, beside = self._tables
        _look_up(words, bounds, known, beside, scale, in_context, anywhere)
        return Information(in_context, anywhere)

    @cached_property
    def _tables(self) -> Any:
        """The bits of each known word, and how many documents have words side by side."""
        bits = np.log2((self.total + VOCABULARY) / (self.words.counts + 1.0))
        return _table(mix.py_func(self.words.keys), bits), _table(*self.beside)


def _are_counts(counted: Counts, least: int, most: int) -> bool:
    """Whether keys are ascending, and counts within bounds."""
    keys, counts = counted
    within = bool((counts >= least).all() and (counts <= most).all())
    return within and bool((keys[1:] > keys[:-1]).all())


def _repeated(values: UInt64Array, least: int) -> Counts:
    """The values that occur so often or more, and how often each does."""
    ordered = sort_keys(values)
    # Of each run all but the first so many: most values occur once, and have none.
    rest = ordered[least - 1 :]
    rest = rest[rest == ordered[: len(rest)]]
    starts = starts_of_runs(rest)
    counts = np.diff(np.append(starts, len(rest))) + (least - 1)
    return Counts(rest[starts], counts.astype(np.uint32))


NO_TABLE = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.float32)


@njit(nogil=True, cache=True)
def _beside(words: Any, offsets: Any, two_beside: Any) -> Any:
    """The keys of two words side by side, each once per document.

    With a table of two: of three words, if many documents have the first two and the last two.
    """
    two_keys, documents = two_beside
    are_three = len(two_keys) > 0
    distinct = np.empty(len(words), dtype=np.uint64)
    count = 0
    for document in range(len(offsets) - 1):
        first, end = offsets[document], offsets[document + 1]
        slots = slots_for(end - first)
        keys, used = np.empty(slots, dtype=np.uint64), np.zeros(slots, dtype=np.bool_)
        two, is_common = np.uint64(0), False  # this word and the word before
        for index in range(first + 1, end):
            before, was_common = two, is_common
            key = two = mix(mix(words[index - 1]) + words[index])
            is_wanted = words[index - 1] != GAP and words[index] != GAP
            if are_three:
                is_common = is_wanted and documents[find_slot(two_keys, documents, two)] > 0
                is_wanted = was_common and is_common
                key = mix(mix(before) + words[index])
            if is_wanted:
                slot = find_slot(keys, used, key)
                distinct[count] = keys[slot] = key
                count += not used[slot]
                used[slot] = True
    return distinct[:count]


def _table(keys: UInt64Array, values: AnyArray) -> tuple[UInt64Array, Float32Array]:
    """A hash table of keys, which are mixed hashes; the values are 0 where a slot is empty."""
    table = np.zeros(int(slots_for(len(keys))), dtype=np.uint64)
    slots = np.empty(len(keys), dtype=np.int64)
    find_slots(keys, table, slots)
    of_slots = np.zeros(len(table), dtype=np.float32)
    of_slots[slots] = values
    return table, of_slots


@njit(nogil=True, cache=True)
def _look_up(
    words: Any, bounds: Any, known: Any, beside: Any, scale: Any, in_context: Any, anywhere: Any
) -> None:
    """Fill in the information of each word, here and anywhere, in bits."""
    total, documents, left_out = scale
    (word_keys, word_bits), (beside_keys, counts) = known, beside
    unknown = np.float32(np.log2(total / 2.0))
    one, last_slot = np.uint64(1), np.uint64(len(beside_keys) - 1)
    for index in range(np.uint64(len(words))):
        bits = word_bits[find_slot(word_keys, word_bits, mix(words[index]))]
        in_context[index] = anywhere[index] = bits or unknown
    for document in range(len(bounds) - 1):
        # First which words may be known with the one before: few are, so without a branch for each.
        followers = np.empty(bounds[document + 1] - bounds[document], dtype=np.uint64)
        count, begin = np.uint64(0), np.uint64(bounds[document]) + one
        for index in range(begin, np.uint64(bounds[document + 1])):
            followers[count] = index
            two = mix(mix(words[index - one]) + words[index])
            count += np.uint64(counts[two & last_slot] != 0)
        two, of_two, follower_before = np.uint64(0), 0.0, np.uint64(0)
        for follower in followers[:count]:
            before, of_before = two, of_two if follower == follower_before + one else 0.0
            two, follower_before = mix(mix(words[follower - one]) + words[follower]), follower
            of_two = counts[find_slot(beside_keys, counts, two)] - left_out
            if words[follower - one] == GAP or words[follower] == GAP:
                of_two = 0.0
            if of_two <= 0:
                continue
            alone = 0.0
            for either in range(follower - one, follower + one):  # each is predicted by the other
                alone = WEIGHT * 2.0 ** -anywhere[either]
                bits = np.log2((documents + WEIGHT) / (of_two + alone))
                in_context[either] = min(in_context[either], bits)
            if of_before > 0:
                three = mix(mix(before) + words[follower])
                of_three = counts[find_slot(beside_keys, counts, three)] - left_out
                if of_three > 0:
                    bits = np.log2((of_before + left_out + WEIGHT) / (of_three + alone))
                    in_context[follower] = min(in_context[follower], bits)
