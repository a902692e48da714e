"""One text against the passages of a scanned folder."""

from __future__ import annotations

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt64Array
from core.candidates.limits import DOCUMENT_LIMIT
from core.candidates.rewinnowing import Chooser, ChosenGrams, Passages
from core.candidates.shared_fingerprints import sorted_fingerprints
from core.candidates.sorted_keys import distinct, members
from core.signatures.grams import find_grams
from core.text.fingerprints import Fingerprints
from core.text.shingling import shingle


class PassageIndex:
    """The fingerprints of a folder, ready to be asked who shares a passage with a text."""

    def __init__(
        self,
        fingerprints: Fingerprints,
        taking_part: BoolArray,
        passages: Passages,
        chooser: Chooser,
    ) -> None:
        """Index what `find_passages` was given and found; 8 bytes for each fingerprint."""
        self._chooser = chooser
        self._bits = chooser.bits
        self._avoided = passages.avoided
        first = sorted_fingerprints(fingerprints, taking_part, self._bits)
        self._keys = distinct([first, passages.more])

    def sharing(self, text: str, *, is_copy: bool) -> Int64Array:
        """The documents that a scan with the text in the folder would compare with it.

        With the text, a fingerprint can become common that was not: then its holders choose again,
        as they do in a scan.

        Args:
            text: The text.
            is_copy: One of the documents has the same words; then the text takes its place.
        """
        settings = self._chooser.settings
        grams = ChosenGrams(find_grams(shingle([text], settings), settings), self._bits)
        more = np.empty(0, dtype=np.uint64)
        avoided = self._avoided
        while True:
            own = grams.without(avoided)
            asked = distinct([own, more >> self._bits])
            count = self._held(self._keys, asked) + self._held(more, asked)
            count += 0 if is_copy else members(own, asked)
            common = (count > DOCUMENT_LIMIT) & ~members(avoided, asked)
            if not common.any():
                return np.flatnonzero(self._holds(own, more))
            fresh = asked[common]
            avoided = distinct([avoided, fresh])
            more = distinct([more, self._choose_again(self._holds(fresh, more), avoided)])

    def _choose_again(self, holds: BoolArray, avoided: UInt64Array) -> UInt64Array:
        """What these documents choose without some grams and had not chosen before."""
        numbers = np.flatnonzero(holds)
        chosen = self._chooser.keys(numbers, self._chooser.grams(numbers), avoided)
        return chosen[~members(self._keys, chosen)]

    def _held(self, keys: UInt64Array, asked: UInt64Array) -> Int64Array:
        """In how many documents, among sorted keys, each of these fingerprints stands."""
        starts, ends = self._runs(keys, asked)
        return ends - starts

    def _holds(self, asked: UInt64Array, more: UInt64Array) -> BoolArray:
        """Which documents hold one of these fingerprints."""
        holds = np.zeros(len(self._chooser.texts), dtype=np.bool_)
        mask = (np.uint64(1) << self._bits) - np.uint64(1)
        for keys in (self._keys, more):
            for start, end in zip(*self._runs(keys, asked), strict=True):
                holds[(keys[start:end] & mask).astype(np.int64)] = True
        return holds

    def _runs(self, keys: UInt64Array, asked: UInt64Array) -> tuple[Int64Array, Int64Array]:
        """Where these fingerprints begin and end among sorted keys."""
        first = asked << self._bits
        last = first | ((np.uint64(1) << self._bits) - np.uint64(1))
        return np.searchsorted(keys, first), np.searchsorted(keys, last, side="right")
