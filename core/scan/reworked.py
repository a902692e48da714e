"""The reworked passages of a corpus: which pairs have some, and what chance would give.

The words of a sample of documents show how much a shared word says, random pairs of the same
documents how much unrelated texts of this folder share. Candidates share skip-grams, and each is
measured: those that score more than chance would are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from xxhash import xxh3_128_digest

from core.base.arrays import AnyArray, BoolArray, Int64Array, IntegerArray, UInt64Array, equal_parts
from core.base.tasks import Progress, ignore, stop_if_cancelled
from core.candidates.references import are_compared, count_pairs
from core.candidates.reworked import (
    FEWEST_PAIRS,
    CommonSkipGrams,
    ReworkedCandidates,
    pair_by_skip_grams,
)
from core.evidence.pairs import NOT_MEASURED, Pairs, PassageEvidence, pair_codes, split_codes
from core.evidence.reworked_store import (
    SAMPLED_CHARACTERS,
    PassageNumbers,
    ReworkedStore,
    choose_sample,
)
from core.evidence.shared_words import SharedWords
from core.evidence.word_model import RandomPairs, WordModel
from core.settings import Level, Reworked, ScanSettings, reworked_level
from core.signatures.signing import no_skip_grams

if TYPE_CHECKING:
    from core.scan.corpus import Corpus

MEASURED_WORDS = 1 << 30  # of the texts of all listed pairs: about a minute on two cores
MEASURED_IN_PART = 1 << 23  # of those that are measured later: some tenths of a second
SAMPLED = 16  # bytes before a model that is kept: of which documents it is
OF_A_RUN = b"of a run"  # instead of the first of them; then how many pairs the run had, 8 bytes
# In a folder with few pairs all are measured: so many characters of the texts of all, by setting.
MEASURED_ALL = {"auto": 1 << 27, "careful": 1 << 27, "thorough": 1 << 28}  # one second, two
# The share of unrelated pairs that is aimed at; the bits between which their score is sought; and
# the bits in a folder of too few pairs to seek it. An aim and no promise:
# `tests/bench/false_alarms.py` counts what is listed. Of formulas little is left (see
# `core.evidence.word_model`), so that "careful" may begin at 50 bits: of 10,000 unrelated pairs it
# lists 0.6 bills and 1.8 licences. In terms of service and Chinese laws scores fall off slowly: the
# limit is theirs, and at 150 bits terms list twice as many unrelated pairs. They are no higher
# because random pairs of a class that copied from one page look like formulas.
LISTED: dict[Level, tuple[float, tuple[float, float], float]] = {
    "careful": (1e-4, (50.0, 170.0), 90.0),
    "thorough": (1e-3, (25.0, 130.0), 62.5),
}


def threshold(measured: RandomPairs, setting: Reworked, *, all_measured: bool, pairs: int) -> float:
    """The bits from which a pair is listed for its strongest reworked passage.

    In a folder of few pairs the share of unrelated ones may be larger: one pair in all is allowed.
    """
    share, bounds, for_few = LISTED[reworked_level(setting, all_measured=all_measured)]
    return measured.threshold(max(share, 1 / max(pairs, 1)), bounds, for_few)


def are_all_measured(setting: Reworked, texts: int, characters: int) -> bool:
    """Whether all pairs of so many different texts are measured, with so many characters in all."""
    return (texts - 1) * characters <= MEASURED_ALL.get(setting, 0)


def model_in(kept: bytes) -> WordModel:
    """The model that is kept after the digest of its sample; it may come from anybody.

    Raises:
        ValueError: There is none.
    """
    return WordModel.from_bytes(kept[SAMPLED:])


def model_of_run(model: WordModel, pairs: int) -> bytes:
    """The model of a run on a cluster with so many pairs, to be kept with a part of it."""
    return OF_A_RUN + pairs.to_bytes(SAMPLED - len(OF_A_RUN), "little") + model.to_bytes()


def pairs_of_run(kept: bytes) -> int | None:
    """How many pairs the run had that a model is of; None for one of the documents themselves."""
    if not kept.startswith(OF_A_RUN):
        return None
    return int.from_bytes(kept[len(OF_A_RUN) : SAMPLED], "little")


def kept_model(reworked: PassageEvidence) -> PassageEvidence:
    """The evidence to keep when pairs are measured again: a model that cannot be made again."""
    is_kept = pairs_of_run(reworked.model) is not None
    return PassageEvidence.none(reworked.model if is_kept else b"")


class ReworkedPairs:
    """The reworked passages of the documents of one corpus, each measured once.

    Attributes:
        store: Measures them.
        sizes: Characters of each document: it has no more words.
    """

    def __init__(self, corpus: Corpus) -> None:
        signed = corpus.signed
        self._keeps_words = corpus.keeps_words
        self._digests, self._skip_grams = signed.digests, signed.skip_grams
        self.store, self.sizes = corpus.evidence.reworked, corpus.texts.lengths
        self._setting, self._rows = corpus.settings.reworked, corpus.distinct()
        self._reviewed, self._taking_part = corpus.reviewed(), corpus.taking_part()
        self._words: WordModel | None = None
        self._candidates: ReworkedCandidates | None = None

    def use_words_of(self, other: ReworkedPairs) -> None:
        """Measure by the word model of another corpus of the same folder."""
        self._words = other.words()
        self._measure_by(other.store.known.model)

    def words(self) -> WordModel:
        """The model of the words of the documents."""
        known = self.store.known.model
        if self._words is None and known and (self._keeps_words or pairs_of_run(known) is not None):
            self._words = model_in(known)
        if self._words is None:
            rows = self._rows
            digests, lengths = self._digests[rows], self.sizes[rows]
            chosen = choose_sample(digests, lengths)
            sampled = xxh3_128_digest(digests[chosen].tobytes() + lengths[chosen].tobytes())
            if known and known.startswith(sampled):
                self._words = model_in(known)
            else:
                is_complete = (
                    len(chosen) == int(np.count_nonzero(lengths))
                    and int(lengths.max(initial=0)) <= SAMPLED_CHARACTERS
                )
                self._words = self.store.learn(rows[chosen], is_whole=is_complete)
                self._measure_by(sampled + self._words.to_bytes())
        return self._words

    def words_for(self, setting: Reworked) -> WordModel | None:
        """The same; None where the setting looks for nothing reworked."""
        return None if setting == "off" else self.words()

    def _measure_by(self, model: bytes) -> None:
        """Forget what was measured by another model."""
        if self.store.known.model != model:
            self.store.known = PassageEvidence.none(model)

    def candidates(self, progress: Progress = ignore) -> ReworkedCandidates:
        """The pairs of different documents that may share a reworked passage."""
        if self._candidates is None:
            self._candidates = (
                self._all_pairs()
                if self.measures_all()
                else pair_by_skip_grams(
                    self._skip_grams, self._taking_part, self._reviewed, progress
                )
            )
            self._skip_grams = no_skip_grams(0)
        return self._candidates

    def measures_all(self, more: int = 0) -> bool:
        """Whether all pairs are measured, also when there is another text of so many characters."""
        texts, characters = len(self._rows) + bool(more), int(self.sizes[self._rows].sum()) + more
        return are_all_measured(self._setting, texts, characters)

    def _all_pairs(self) -> ReworkedCandidates:
        rows, reviewed = self._rows, self._reviewed
        first, second = np.triu_indices(len(rows), 1)
        wanted = are_compared(reviewed, rows[first], rows[second])
        codes = pair_codes(rows[first[wanted]], rows[second[wanted]])
        return ReworkedCandidates(np.sort(codes), CommonSkipGrams.none(), FEWEST_PAIRS)

    def pair_codes(self, setting: Reworked, progress: Progress = ignore) -> UInt64Array:
        """The candidates that score more than chance would, as ascending codes.

        `progress` is told how many documents were read for them, then how many are measured.
        """
        codes = self.candidates(progress).codes
        bits = self.measured(*split_codes(codes), progress).bits
        return codes[bits >= self.threshold(setting)]

    def threshold(self, setting: Reworked, *, more: int = 0) -> float:
        """The bits from which a pair is listed for its strongest reworked passage.

        Args:
            setting: That of the settings.
            more: How many texts are queried besides the documents.
        """
        words = self.words()
        pairs = pairs_of_run(self.store.known.model)
        if pairs is None:
            pairs = count_pairs(self._reviewed, self._rows)
        pairs += more * len(self._rows)
        return threshold(words.pairs, setting, all_measured=self.measures_all(), pairs=pairs)

    def measured(
        self, x: IntegerArray, y: IntegerArray, progress: Progress = ignore
    ) -> PassageNumbers:
        """The numbers of the reworked passages of pairs of documents."""
        return self.store.measured(x, y, self.words(), progress)


def with_passage_numbers(
    pairs: Pairs, reworked: ReworkedPairs, setting: Reworked, progress: Progress = ignore
) -> Pairs:
    """Pairs with the numbers of their passages, most alike pairs first.

    Those of the others are -1 where there are so many that it would take minutes.
    """
    x, y = pairs.a.astype(np.int64), pairs.b.astype(np.int64)
    order = np.lexsort((y, x, -pairs.resemblance))
    work = np.cumsum(reworked.sizes[x[order]] + reworked.sizes[y[order]])
    order = order[work <= MEASURED_WORDS]
    words = reworked.words_for(setting)
    numbers = reworked.store.measured(x[order], y[order], words, progress, shared=True)
    return with_numbers(pairs.without_passages(), order, numbers.columns)


def measured_in_parts(
    pairs: Pairs, rows: Int64Array, store: ReworkedStore, words: WordModel | None
) -> Iterator[tuple[Int64Array, SharedWords]]:
    """How much stands in passages of pairs that were too many at once, in the order of the rows.

    Args:
        pairs: The list.
        rows: Which of them to measure, int64.
        store: Of this work alone: a list may be made meanwhile.
        words: The word model of the folder; None where nothing reworked is looked for.

    Yields:
        Some of the rows, int64, and their numbers.
    """
    x, y = pairs.a[rows].astype(np.int64), pairs.b[rows].astype(np.int64)
    for part in equal_parts(store.lengths[x] + store.lengths[y], MEASURED_IN_PART):
        stop_if_cancelled()
        yield rows[part], store.measured(x[part], y[part], words, shared=True).shared


def with_numbers(
    pairs: Pairs, rows: Int64Array | BoolArray, numbers: Mapping[str, AnyArray]
) -> Pairs:
    """Pairs with the numbers of the passages of some of them, by the names of their columns."""
    columns = {}
    for name, measured in numbers.items():
        columns[name] = getattr(pairs, name).copy()
        columns[name][rows] = measured
    return pairs.with_columns(**columns)


def numbers_of_copies(
    pairs: Pairs, units: Int64Array, settings: ScanSettings, store: ReworkedStore
) -> PassageNumbers:
    """The numbers of pairs of identical documents: all that counts is shared, and never weighed.

    Args:
        pairs: Of documents with themselves, for their copies.
        units: Of each document.
        settings: Of the scan.
        store: Counts the words of documents.
    """
    words = pairs.longest_run.copy()
    # All words are in one run, but where something inside is set aside; not all units are words.
    differ = settings.unit != "word" or bool(settings.keep_punctuation)
    rows = np.flatnonzero((words < units[pairs.a]) | differ)
    if len(rows):
        words[rows] = store.word_counts(pairs.a[rows])
    full, none = np.ones(len(words)), np.full(len(words), NOT_MEASURED, dtype=np.float32)
    return PassageNumbers(none, SharedWords(full, full, full, words))
