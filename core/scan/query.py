"""One text against a scanned folder: which documents it is like, in milliseconds.

The index holds what a scan computes for all documents at once: the sorted keys of every
fingerprint. A text is signed as the documents were, its signature is compared with all others, and
the candidates are compared with it exactly. It finds what a new scan with the text in the folder
would list; of a copy of one of the documents, what the scan lists of that one.

One text against a scanned folder: with which documents it shares a passage in other words.

Passages are weighed by the words of the folder, as in its list: the text that is queried does not
change the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias

import numpy as np

from core.base.arrays import AnyArray, BoolArray, Int64Array, UInt8Array, UInt64Array, begins_run
from core.base.sorting import sort_keys
from core.base.tasks import stop_if_cancelled
from core.candidates.reworked import pair_by_skip_grams
from core.candidates.shared_fingerprints import document_bits, sorted_fingerprints
from core.candidates.sorted_keys import distinct, holders
from core.evidence.overlap import numbers_of_shingles
from core.evidence.pairs import FoundBy, Pairs, least_ways, split_codes, ways_of_shared
from core.scan.corpus import Corpus
from core.scan.measured_pairs import affordable_pairs
from core.settings import ScanSettings
from core.signatures.signing import POSITION_BITS, SignedTexts, sign_texts
from core.text.shingling import NO_EXCLUSIONS, Fingerprints, Shingles, shingle, words_and_beginnings
from core.text.word_counts import are_passages

Exclusions: TypeAlias = Mapping[int, Int64Array]
FEWEST_GRAMS = 3  # that a candidate shares with the text


def paired_with_last(
    grams: Fingerprints, taking_part: BoolArray, among: int | None = None
) -> Int64Array:
    """The documents that may share a reworked passage with the last one.

    Args:
        grams: Skip-grams by document.
        taking_part: Which documents count.
        among: How many documents the rarity of a gram is judged by; by default those given.
    """
    only_last = np.zeros(len(taking_part), dtype=np.bool_)
    only_last[-1] = True
    documents, _ = split_codes(pair_by_skip_grams(grams, taking_part, only_last, among=among).codes)
    return documents


class ReworkedIndex:
    """An index of the skip-grams of a corpus: 8 bytes for each."""

    def __init__(self, corpus: Corpus, settings: ScanSettings) -> None:
        """Index a corpus whose settings look for reworked passages."""
        self._corpus = corpus
        self._settings = settings
        self._least = corpus.reworked.threshold(settings.reworked, more=1)
        self._taking_part = corpus.taking_part()
        self._grams = corpus.signed.skip_grams
        self._bits = document_bits(len(corpus))

    @cached_property
    def _keys(self) -> UInt64Array:
        """The hashes of all grams and the documents that hold them, sorted."""
        owners = np.repeat(np.arange(len(self._corpus), dtype=np.uint64), self._grams.counts)
        return sort_keys(self._hashes(self._grams.values) | owners)

    def sharing(self, text: str, exclusions: Exclusions, skip_grams: Fingerprints) -> Int64Array:
        """The documents that share a passage with a text, of identical ones the first.

        Args:
            text: The text.
            exclusions: Spans of it that do not count.
            skip_grams: Its skip-grams.
        """
        reworked = self._corpus.reworked
        all_of_them = reworked.measures_all(len(text))
        documents = self._corpus.distinct() if all_of_them else self._candidates(skip_grams)
        words = words_and_beginnings([text], self._settings, exclusions)
        numbers = reworked.store.measured_with(words, documents, reworked.words(), shared=False)
        return documents[numbers.bits >= self._least]

    def _candidates(self, fingerprints: Fingerprints) -> Int64Array:
        """The documents whose skip-grams agree with those of the text close together."""
        queries = distinct([self._hashes(fingerprints.values)])
        low, high = (
            np.searchsorted(self._keys, queries + np.uint64(more))
            for more in (0, 1 << int(self._bits))
        )
        count = (high - low).astype(np.int64)
        pairs = count * (count + 1) // 2
        rare = pairs <= len(self._taking_part)
        if not rare.all():  # only now, because the limit takes counting the grams of the folder
            rare |= pairs <= self._corpus.reworked.candidates().limit
        shared = holders(self._keys, queries[rare], self._bits)
        enough = np.bincount(shared, minlength=len(self._taking_part)) >= FEWEST_GRAMS
        enough &= self._taking_part
        grams = Fingerprints(
            np.concatenate([self._grams.take(enough).values, fingerprints.values]),
            np.append(np.where(enough, self._grams.counts, 0), fingerprints.counts),
        )
        return paired_with_last(grams, np.append(self._taking_part, True))

    def _hashes(self, values: UInt64Array) -> UInt64Array:
        """The hashes of grams as keys without a document."""
        return (values >> POSITION_BITS) << self._bits


QUERY = -1  # the number of the text among documents


def pairs_with_text(documents: Int64Array, **columns: AnyArray) -> Pairs:
    """A text as A, `QUERY`, with each of these documents as B."""
    return Pairs(
        a=np.full(len(documents), QUERY, dtype=np.int32),
        b=documents.astype(np.int32),
        exact_duplicate=columns["found_by"] == FoundBy.EXACT,
        **columns,
    )


class TextIndex:
    """An index of the documents of a corpus."""

    def __init__(
        self, corpus: Corpus, settings: ScanSettings, *, compares_all: bool | None = None
    ) -> None:
        """Index a corpus for some bands, rows and threshold; takes 8 bytes for each fingerprint.

        Args:
            corpus: The documents.
            settings: Decide which match.
            compares_all: Whether a list compares all pairs of them: then the text is compared
                with all, too. Found out if None.
        """
        self._corpus = corpus
        self._settings = settings
        self._search = corpus.search(settings)
        self._signed = corpus.signed
        self._representatives = corpus.representatives()
        rows = corpus.distinct()
        self._bits = document_bits(len(corpus))
        self._rows = rows
        self._passages = corpus.passage_index()
        if compares_all is None:
            compares_all = affordable_pairs(corpus, settings) is not None
        self._shingles = self._sorted_shingles() if compares_all else None
        looked_for = settings.reworked != "off"
        self._reworked = ReworkedIndex(corpus, settings) if looked_for else None

    def _sorted_shingles(self) -> UInt64Array:
        """All shingles as sorted keys."""
        shingles = self._corpus.evidence.shingles(self._rows)
        counts = np.zeros(len(self._corpus), dtype=np.int64)
        counts[self._rows] = shingles.counts
        everyone = np.ones(len(counts), dtype=np.bool_)
        return sorted_fingerprints(Fingerprints(shingles.values, counts), everyone, self._bits)

    def matches(self, text: str, exclusions: Exclusions = NO_EXCLUSIONS) -> Pairs:
        """The documents that a text is like, worst first; none for a text without words.

        A is the text, with the number `QUERY`, and B a document. `exclusions` has the spans of the
        text that do not count, as those of text 0 (see `core.text.set_aside.merged`).
        """
        signed = sign_texts([text], self._corpus.settings, set_aside=exclusions)
        stop_if_cancelled()
        signed = signed._replace(signatures=self._corpus.signatures_of([text], signed, exclusions))
        ways = np.zeros(len(self._corpus), dtype=np.uint8)
        if not signed.units[0]:
            return self._compare(text, exclusions, signed, ways)
        ways[self._search.alike(signed.signatures)] = FoundBy.LSH.value
        same = (self._signed.digests == signed.digests).all(axis=1)
        sharing = self._passages.sharing(text, exclusions, is_copy=bool(same.any()))
        ways[sharing] |= np.uint8(FoundBy.FINGERPRINT)
        ways[self._representatives[same]] = FoundBy.EXACT
        stop_if_cancelled()
        alike = self._by_comparison(text, exclusions)
        ways[alike] = np.where(ways[alike], ways[alike], FoundBy.ALL)
        stop_if_cancelled()
        if self._reworked is not None:
            reworked = self._reworked.sharing(text, exclusions, signed.skip_grams)
            exact = ways[reworked] == FoundBy.EXACT
            ways[reworked[~exact]] |= np.uint8(FoundBy.REWORKED)
            ways = least_ways(ways)
        return self._compare(text, exclusions, signed, ways)

    def _by_comparison(self, text: str, exclusions: Exclusions) -> Int64Array:
        """Documents that may reach the threshold, where all are compared.

        Repeated shingles of a document are counted each time, so that no count is too small.
        """
        if self._shingles is None:
            return np.empty(0, dtype=np.int64)
        hashes = shingle([text], self._corpus.settings, exclusions).hashes
        fingerprints = sorted_fingerprints(
            Fingerprints(hashes, np.array([len(hashes)])), np.ones(1, dtype=np.bool_), self._bits
        )
        keys = fingerprints[begins_run(fingerprints)]
        sharing = holders(self._shingles, keys, self._bits)
        size = len(fingerprints) if self._settings.bag else len(keys)
        sizes = self._corpus.evidence.sizes()
        shared = np.minimum(np.bincount(sharing, minlength=len(sizes)), np.minimum(sizes, size))
        alike = shared / (size + sizes - shared) >= self._settings.min_resemblance
        return np.flatnonzero((shared > 0) & alike)

    def _compare(
        self, text: str, exclusions: Exclusions, signed: SignedTexts, ways: UInt8Array
    ) -> Pairs:
        """Measure the documents that were found in any way, and keep what reaches a threshold."""
        settings = self._corpus.settings
        documents = np.flatnonzero(ways)
        both = [
            shingle([text], settings, exclusions),
            self._corpus.texts.shingles(documents, settings),
        ]
        shingles = Shingles.join(both, settings.unit)
        indices = np.arange(1, len(documents) + 1)
        text_itself = np.zeros_like(indices)
        numbers = numbers_of_shingles(shingles, text_itself, indices, settings)
        signatures = np.concatenate([signed.signatures, self._signed.signatures[documents]])
        return self._listed(
            pairs_with_text(
                documents,
                **numbers._asdict(),
                estimate=self._search.estimate_among(signatures, text_itself, indices),
                found_by=ways[documents],
            ),
            text,
            exclusions,
        )

    def _listed(self, matches: Pairs, text: str, exclusions: Exclusions) -> Pairs:
        ways = self._ways(matches)
        wanted = matches.resemblance >= self._settings.min_resemblance
        if self._settings.list_passages:
            wanted |= (ways & np.uint8(FoundBy.PASSAGE | FoundBy.REWORKED)) > 0
        is_exact = ways == FoundBy.EXACT
        matches = matches.with_columns(found_by=ways, exact_duplicate=is_exact)
        matches = matches.take(wanted | is_exact)
        words = words_and_beginnings([text], self._settings, exclusions)
        documents = matches.b.astype(np.int64)
        reworked = self._corpus.reworked
        model = reworked.words_for(self._settings.reworked)
        numbers = reworked.store.measured_with(words, documents, model)
        matches = matches.with_columns(**numbers.columns)
        row_of = np.full(len(self._corpus), -1, dtype=np.int64)
        row_of[matches.b] = np.arange(len(matches))
        rows = row_of[self._representatives]
        documents = np.flatnonzero(rows >= 0)
        return (
            matches.take(rows[documents]).with_columns(b=documents.astype(np.int32)).worst_first()
        )

    def _ways(self, matches: Pairs) -> UInt8Array:
        """How the documents were found, now that it is known how long a run they share."""
        ways = matches.found_by
        shared = (ways & np.uint8(FoundBy.FINGERPRINT)) > 0
        long_enough = are_passages(matches.run_words, self._settings)
        found_by = ways_of_shared(long_enough, (ways & np.uint8(FoundBy.LSH)) > 0)
        reworked = ways & np.uint8(FoundBy.REWORKED)
        # A pair that is listed for this alone shares no more than chance besides.
        alone = (reworked > 0) & (matches.resemblance < self._settings.min_resemblance)
        found_by = np.where(alone, found_by & ~np.uint8(FoundBy.FINGERPRINT), found_by) | reworked
        return np.where(shared, found_by, ways).astype(np.uint8)
