"""The documents of a scan as the engine sees them: texts, signatures, copies, evidence.

A corpus grows while documents are read and can list its pairs at any time. Signatures and verified
pairs are kept, so that another choice of bands, rows or threshold reads nothing again.

All pairs of a corpus are compared where that costs no more than is allowed.

For this, documents to review are numbered first: so a pair of references, of which the first would
be one, is never reached.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float64Array,
    GrowingArray,
    Int32Array,
    Int64Array,
    UInt32Array,
    UInt64Array,
    begins_run,
    leave_memory,
)
from core.base.memory import require_memory
from core.base.messages import gettext
from core.base.sorting import sort_keys
from core.base.wording import count
from core.candidates.all_pairs import AllPairs, AllPairsLimits, Cost, count_shared
from core.candidates.bands import pairs_in_bands
from core.candidates.references import count_pairs
from core.candidates.search import CandidateSearch, search_for
from core.candidates.shared_fingerprints import (
    Chooser,
    PassageIndex,
    Passages,
    document_bits,
    find_passages,
)
from core.errors import StorageError
from core.evidence.overlap import resemblance_of
from core.evidence.pairs import pair_codes, split_codes
from core.evidence.store import EvidenceStore
from core.evidence.word_model import WordModel
from core.scan.reworked import ReworkedPairs
from core.settings import ScanSettings
from core.signatures.methods import SignaturesByRarity, sign, sign_by_rarity
from core.signatures.signing import SignedTexts
from core.text.shingling import NO_EXCLUSIONS, Fingerprints, shingle
from core.text.store import TextStore

BACKGROUND_PAIRS = 2000
# Long documents are sampled less: reading some hundred megabytes for a forecast takes too long.
BACKGROUND_CHARACTERS = 1 << 25
BACKGROUND_DOCUMENTS = 64


class Background(NamedTuple):
    """Pairs of different documents, drawn at random.

    Attributes:
        codes: uint64 x << 32 | y with x < y, as they were drawn.
        resemblance: float64, exact.
        share: The probability that a pair is among them; 1 where all are.
        shared: int32, shingles that each shares.
    """

    codes: UInt64Array
    resemblance: Float64Array
    share: float
    shared: Int32Array


def draw_pairs(
    rows: Int64Array, to_review: BoolArray, lengths: Int64Array, seed: int
) -> tuple[Int64Array, Int64Array]:
    """About 2,000 of the pairs x < y of these documents that are compared, or all of fewer.

    Args:
        rows: int64, the documents.
        to_review: By document of the folder; two others are no pair.
        lengths: int64, characters of each document of the folder.
        seed: Of the draw.
    """
    rng = np.random.default_rng(seed)
    if to_review[rows].all():
        return _random_pairs(_sample(rows, lengths, rng), rng)
    reviewed, references = (rows[to_review[rows] == is_reviewed] for is_reviewed in (True, False))
    return _pairs_with_references(
        _sample(reviewed, lengths, rng), _sample(references, lengths, rng), rng
    )


def _sample(rows: Int64Array, lengths: Int64Array, rng: np.random.Generator) -> Int64Array:
    """As many of these documents, drawn at random, as can be read in a moment."""
    if int(lengths[rows].sum()) <= BACKGROUND_CHARACTERS:
        return rows
    drawn = rng.permutation(rows)
    count = int(np.searchsorted(np.cumsum(lengths[drawn]), BACKGROUND_CHARACTERS))
    return drawn[: max(count, BACKGROUND_DOCUMENTS)]


def _random_pairs(rows: Int64Array, rng: np.random.Generator) -> tuple[Int64Array, Int64Array]:
    """Pairs x < y of these documents: all where there are few, else a sample."""
    count = len(rows)
    if count * (count - 1) // 2 <= BACKGROUND_PAIRS:
        first, second = np.triu_indices(count, 1)
    else:
        first = rng.integers(0, count, BACKGROUND_PAIRS)
        second = (first + rng.integers(1, count, BACKGROUND_PAIRS)) % count
    return _ordered(rows[first], rows[second])


def _pairs_with_references(
    reviewed: Int64Array, references: Int64Array, rng: np.random.Generator
) -> tuple[Int64Array, Int64Array]:
    """Pairs of documents to review, with each other and with references, as `_random_pairs`."""
    inside, across = len(reviewed) * (len(reviewed) - 1) // 2, len(reviewed) * len(references)
    if inside + across <= BACKGROUND_PAIRS:
        first, second = np.triu_indices(len(reviewed), 1)
        x = np.concatenate([reviewed[first], np.repeat(reviewed, len(references))])
        return _ordered(x, np.concatenate([reviewed[second], np.tile(references, len(reviewed))]))
    is_inside = rng.random(BACKGROUND_PAIRS) < inside / (inside + across)
    first = rng.integers(0, len(reviewed), BACKGROUND_PAIRS)
    partner = (first + rng.integers(1, max(2, len(reviewed)), BACKGROUND_PAIRS)) % len(reviewed)
    outside = rng.integers(0, len(references), BACKGROUND_PAIRS)
    return _ordered(reviewed[first], np.where(is_inside, reviewed[partner], references[outside]))


def _ordered(a: Int64Array, b: Int64Array) -> tuple[Int64Array, Int64Array]:
    return np.minimum(a, b), np.maximum(a, b)


def steps_of(background: Background) -> int:
    """How many shingles all pairs share together, estimated from random pairs."""
    pairs = len(background.codes) / max(background.share, 1e-12)
    return int(background.shared.mean() * pairs) if len(background.codes) else 0


Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Throughput:
    """The seconds that bands and pairs take, as measured; only reported, decides nothing.

    Attributes:
        bands: How many bands were sorted.
        pairs: How many pairs were compared that had not been compared before.
    """

    def __init__(self) -> None:
        self.bands = self.pairs = 0
        self._band_seconds = self._pair_seconds = 0.0

    def resume(self, a_band: float | None, a_pair: float | None) -> None:
        """Take the seconds of an earlier list, where none were measured yet."""
        if a_band is not None and not self.bands:
            self.bands, self._band_seconds = 1, a_band
        if a_pair is not None and not self.pairs:
            self.pairs, self._pair_seconds = 1, a_pair

    def timed_bands(self, items: Iterator[Item]) -> Iterator[Item]:
        """Pass on what is made of bands, and measure the time that making it takes."""
        while True:
            started = time.monotonic()
            result = next(items, None)
            self._band_seconds += time.monotonic() - started
            if result is None:
                return
            yield result

    def add_band_time(self, started: float) -> None:
        """Count the seconds since `started`, in which bands were sorted."""
        self._band_seconds += time.monotonic() - started

    def compared(self, pairs: int, candidates: int, started: float) -> None:
        """Count pairs that were compared since `started`, unless most candidates were known."""
        if 2 * pairs >= candidates:
            self.pairs += pairs
            self._pair_seconds += time.monotonic() - started

    @property
    def a_band(self) -> float:
        """Seconds; nan before the first one."""
        return self._band_seconds / self.bands if self.bands else math.nan

    @property
    def a_pair(self) -> float:
        """Seconds; nan before the first one."""
        return self._pair_seconds / self.pairs if self.pairs else math.nan


class ComparedBands(NamedTuple):
    """What one choice of bands and rows compared.

    Attributes:
        candidates: How many pairs.
        listed: How many of them reached the threshold.
        min_resemblance: That threshold.
        crowded: Whether pairs were left out, because very many documents have a band in common.
    """

    candidates: int
    listed: int
    min_resemblance: float
    crowded: bool

    def below(self, min_resemblance: float) -> int | None:
        """How many were compared and not listed; None for another threshold."""
        same = min_resemblance == self.min_resemblance
        return self.candidates - self.listed if same else None


def _known(method: Callable[[Corpus], Answer]) -> Callable[[Corpus], Answer]:
    """Keeps what a method returns until documents come to the corpus."""

    @wraps(method)
    def known(corpus: Corpus) -> Answer:
        answers = corpus.answers
        if method not in answers:
            answers[method] = method(corpus)
        answer: Answer = answers[method]
        return answer

    return known


class Corpus:
    """Texts under one choice of shingles and signatures.

    Attributes:
        settings: Decide shingles and signatures; bands, rows and threshold are given per question.
        texts: The texts, by document number.
        evidence: Of the pairs of these documents.
        tried: What the bands and rows compared that lists were made with.
        tried_distances: The same of bits, by d.
        at_distances: How many pairs differ in so many bits, and how exact that is; once counted.
        pace: How long these lists took.
        lacked_memory: Whether all pairs were not compared because memory did not suffice: at
            another time it may.
        answers: What its methods returned since documents came last.
        keeps_words: Whether the kept word model counts, though it was learned from other documents:
            those that could not be read are missing.
    """

    def __init__(
        self, settings: ScanSettings, pool: ThreadPoolExecutor, texts: TextStore | None = None
    ) -> None:
        self.settings = settings
        self.texts = TextStore() if texts is None else texts
        self.evidence = EvidenceStore(settings, self.texts, pool)
        self._units = GrowingArray(np.int64)
        self._digests = GrowingArray(np.uint64, 2)
        self._signatures = GrowingArray(np.uint32, settings.signature_width)
        self._fingerprints = GrowingArray(np.uint64)
        self._fingerprint_counts = GrowingArray(np.int64)
        self._skip_grams = GrowingArray(np.uint64)
        self._skip_gram_counts = GrowingArray(np.int64)
        self._to_review = GrowingArray(np.bool_)
        self.pool = pool
        self._by_rarity: SignaturesByRarity | None = None
        self.tried: dict[tuple[int, int], ComparedBands] = {}
        self.tried_distances: dict[int, ComparedBands] = {}
        self.at_distances: tuple[Float64Array, Float64Array] | None = None
        self.throughput = Throughput()
        self.lacked_memory = False
        self.keeps_words = False
        self.answers: dict[Callable[[Corpus], Any], Any] = {}
        self._all_pairs: dict[AllPairsLimits, AllPairs | None] = {}

    def __len__(self) -> int:
        return len(self._units)

    def add(
        self, texts: Sequence[str], signed: SignedTexts, to_review: BoolArray | None = None
    ) -> None:
        """Append texts that were signed with the settings of this corpus.

        Raises:
            StorageError: They do not fit in memory, and there is no room for a temporary file.
        """
        self.texts.extend(texts)
        self.append(signed, to_review)

    def adopt(self, texts: TextStore) -> None:
        """Take texts that stay where they are; their signatures are appended."""
        self.texts.adopt(texts, texts.lengths)

    def append(self, signed: SignedTexts, to_review: BoolArray | None = None) -> None:
        """Append the signatures of texts already added, and which are to review: all by default."""
        all_reviewed = np.ones(len(signed.units), dtype=np.bool_)
        self._to_review.append(all_reviewed if to_review is None else to_review)
        self._units.append(signed.units)
        self._digests.append(signed.digests)
        self._signatures.append(signed.signatures)
        self._fingerprints.append(signed.fingerprints.values)
        self._fingerprint_counts.append(signed.fingerprints.counts)
        self._skip_grams.append(signed.skip_grams.values)
        self._skip_gram_counts.append(signed.skip_grams.counts)
        self._by_rarity = self.at_distances = None
        self.answers, self._all_pairs, self.tried, self.tried_distances = {}, {}, {}, {}

    @property
    def signed(self) -> SignedTexts:
        """The signatures and fingerprints of all texts."""
        return SignedTexts(
            self._units.rows,
            self._digests.rows,
            self._by_rarity.signatures if self._by_rarity else self._signatures.rows,
            Fingerprints(self._fingerprints.rows, self._fingerprint_counts.rows),
            Fingerprints(self._skip_grams.rows, self._skip_gram_counts.rows),
        )

    def complete_signatures(self) -> None:
        """Make the signatures that depend on all texts, if there are such. Raises as `search`."""
        if self.settings.depends_on_all and self._by_rarity is None:
            self._by_rarity = sign_by_rarity(self.texts, self.settings, self.pool)

    def search(self, settings: ScanSettings) -> CandidateSearch:
        """The search for candidates among the different documents."""
        self.complete_signatures()
        rows, reviewed = self.distinct(), self.reviewed()
        return search_for(self.signed, rows, reviewed, settings, self.background)

    def signatures_of(
        self,
        texts: Sequence[str],
        signed: SignedTexts,
        set_aside: Mapping[int, Int64Array] = NO_EXCLUSIONS,
    ) -> UInt32Array:
        """The signatures of other texts, as those of this corpus were made."""
        self.complete_signatures()
        if self._by_rarity is None:
            return signed.signatures
        shingles = shingle(texts, self.settings, set_aside)
        return sign(shingles, self.settings, self._by_rarity.rarity)

    @_known
    def representatives(self) -> Int64Array:
        """For each document the first one with the same units in the same order."""
        return _first_of_equals(self._digests.rows)

    @property
    def to_review(self) -> BoolArray:
        """Which documents are to review; the others are compared with these only."""
        return self._to_review.rows

    @_known
    def reviewed(self) -> BoolArray:
        """Which documents are to review, or are the first of copies of which one is."""
        reviewed = self.to_review.copy()
        reviewed[self.representatives()[self.to_review]] = True
        return reviewed

    @_known
    def shared_passages(self) -> Passages:
        """The pairs of different documents that share a passage."""
        fingerprints = self.signed.fingerprints
        passages = find_passages(fingerprints, self.taking_part(), self._chooser(self.pool))
        leave_memory(fingerprints.values)
        return passages

    def passage_index(self) -> PassageIndex:
        """An index of the passages, to find those of another text. Raises as `search`."""
        passages = self.shared_passages()
        fingerprints = self.signed.fingerprints
        return PassageIndex(fingerprints, self.taking_part(), passages, self._chooser())

    @property
    @_known
    def reworked(self) -> ReworkedPairs:
        """The reworked passages of the documents."""
        return ReworkedPairs(self)

    def use_up_skip_grams(self) -> None:
        """Find the pairs that may share a reworked passage, and free what finds them.

        For a corpus to which nothing is added, and which is not saved: most of its memory is free
        again before pairs are measured.
        """
        if self.settings.reworked != "off":
            self.reworked.candidates()
            self._skip_grams = GrowingArray(np.uint64)
            self._skip_gram_counts = GrowingArray(np.int64)
            self._skip_gram_counts.append(np.zeros(len(self), dtype=np.int64))

    def folder_words(self) -> WordModel | None:
        """The model of the words; None where nothing reworked is looked for."""
        return None if self.settings.reworked == "off" else self.reworked.words()

    def taking_part(self) -> BoolArray:
        """Which documents are paired with others: the first of identical ones, if it has words."""
        first = np.equal(self.representatives(), np.arange(len(self), dtype=np.int64))
        return np.asarray(first & (self._units.rows > 0))

    def _chooser(self, pool: ThreadPoolExecutor | None = None) -> Chooser:
        bits = document_bits(len(self))
        kept = self.evidence.kept_shingles
        return Chooser(self.texts, self.settings, bits, pool, self.reviewed(), kept)

    def distinct(self) -> Int64Array:
        """The documents with words, of identical ones the first."""
        return np.flatnonzero(self.taking_part())

    def all_pairs(self, limits: AllPairsLimits) -> AllPairs | None:
        """All pairs of different documents compared; None where that costs more than allowed.

        Raises:
            StorageError: There is not enough memory.
        """
        if limits not in self._all_pairs:
            try:
                self._all_pairs[limits] = compare_all(self, limits, self.pool)
            except StorageError:
                self.lacked_memory = True
                raise
        return self._all_pairs[limits]

    @_known
    def pairs_in_bands(self) -> Float64Array:
        """See `core.candidates.bands`, of all different documents. Raises as that."""
        return pairs_in_bands(self.signed.signatures, self.distinct(), self.reviewed())

    def background(self) -> Float64Array:
        """Exact resemblances of about 2,000 pairs of different documents, drawn at random."""
        return self.background_pairs().resemblance

    @_known
    def background_pairs(self) -> Background:
        """The pairs of the background. Raises as `background`."""
        # Sorted by digest: the draw depends on the texts, not on their order.
        rows = self.distinct()
        rows = rows[np.lexsort(self._digests.rows[rows].T)]
        x, y = draw_pairs(rows, self.reviewed(), self.texts.lengths, self.settings.seed)
        shared = self.evidence.measured(x, y).shared
        resemblance = resemblance_of(shared, self.evidence.sizes(), x, y)
        pairs = count_pairs(self.reviewed(), rows)
        # They are drawn with replacement where there are more.
        share = 1.0 if len(x) >= pairs else 1 - (1 - 1 / pairs) ** len(x)
        return Background(pair_codes(x, y), resemblance, share, shared)


def _first_of_equals(digests: UInt64Array) -> Int64Array:
    """For each row (n, 2) the number of the first row equal to it."""
    mask = (np.uint64(1) << np.uint64(len(digests).bit_length())) - np.uint64(1)
    keys = sort_keys((digests[:, 0] & ~mask) | np.arange(len(digests), dtype=np.uint64))
    order = (keys & mask).astype(np.int64)
    is_first = begins_run(keys & ~mask)
    is_tied = ~is_first | np.append(~is_first[1:], False)
    tied = np.sort(order[is_tied])
    order[is_tied] = tied[np.lexsort(digests[tied].T[::-1])]
    is_first = begins_run(*digests[order].T)
    first = order[is_first]  # of equal rows the smallest number comes first
    representative = np.empty(len(order), dtype=np.int64)
    representative[order] = first[np.cumsum(is_first) - 1]
    return representative


BYTES_PER_SHINGLE = 64  # while all pairs are compared


def compare_all(
    corpus: Corpus, limits: AllPairsLimits, pool: ThreadPoolExecutor
) -> AllPairs | None:
    """All pairs of different documents compared; None where that costs more than allowed.

    Raises:
        StorageError: There is not enough memory.
    """
    rows, reviewed = corpus.distinct(), corpus.reviewed()
    rows = np.concatenate([rows[reviewed[rows]], rows[~reviewed[rows]]])
    shingles = _shingles(corpus, rows)
    # Half of them, because random pairs are a sample: where that is too much already, making
    # an index would only cost time.
    if not limits.allow(shingles):
        return None
    if not limits.allow(shingles, steps_of(corpus.background_pairs()) // 2):
        return None
    require_memory(
        BYTES_PER_SHINGLE * shingles,
        gettext("Comparing all pairs of {number} documents", number=count(len(rows))),
        gettext("Compare only the pairs that meet in a band."),
    )
    shared = count_shared(
        *corpus.evidence.shingle_ranges(rows),
        bag=corpus.settings.bag,
        to_review=int(np.count_nonzero(reviewed[rows])),
        limits=limits,
        pool=pool,
    )
    if shared is None:
        return None
    x, y = (rows[indices] for indices in split_codes(shared.codes))
    resemblance = resemblance_of(shared.shared, corpus.evidence.sizes(), x, y)
    pairs = count_pairs(reviewed, rows)
    if reviewed[rows].all():
        return AllPairs(pairs, pair_codes(x, y), resemblance)
    codes = pair_codes(np.minimum(x, y), np.maximum(x, y))
    order = np.argsort(codes)
    return AllPairs(pairs, codes[order], resemblance[order])


def cost_of_all_pairs(corpus: Corpus) -> Cost:
    """What comparing all pairs would cost, estimated from random pairs."""
    background = corpus.background_pairs()
    return Cost(_shingles(corpus, corpus.distinct()), steps_of(background))


def _shingles(corpus: Corpus, rows: Int64Array) -> int:
    return int(np.maximum(corpus.signed.units[rows] - corpus.settings.k + 1, 1).sum())
