"""Which documents of a run share a passage with some texts, as `core.candidates.passage_index`.

With a text, a fingerprint can become common that was not: then its holders choose again, and who
holds what they chose is asked of the run. Mostly the first answer is enough for all texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.candidates.limits import DOCUMENT_LIMIT
from core.candidates.rewinnowing import ChosenGrams
from core.candidates.shared_fingerprints import keys_of
from core.candidates.sorted_keys import distinct, members


class Fingerprinted(Protocol):
    """A run, asked for its fingerprints."""

    dropped: np.uint64
    common: UInt64Array

    def holders(self, keys: UInt64Array) -> tuple[UInt64Array, Int64Array]:
        """The documents, of identical ones the first, that hold some keys: keys and numbers."""

    def grams(self, numbers: Sequence[int]) -> dict[int, ChosenGrams]:
        """The grams of some documents."""


class SharingText:
    """One text and what is known of those that share a passage with it."""

    def __init__(self, grams: ChosenGrams, common: UInt64Array, *, is_copy: bool) -> None:
        """Look for a text.

        Args:
            grams: Of the text.
            common: The keys of grams that are common without it.
            is_copy: One of the documents has the same words; then the text takes its place.
        """
        self._grams = grams
        self._is_copy = is_copy
        self._avoided = common
        self._chosen: dict[int, set[int]] = {}  # by key, who chose it instead
        self._again: set[int] = set()  # who is to choose again
        self.documents: AbstractSet[int] = frozenset()
        self.is_done = False

    def asked(self) -> UInt64Array:
        """The keys whose holders are to be known."""
        chosen = np.fromiter(self._chosen, dtype=np.uint64, count=len(self._chosen))
        return distinct([self._own(), chosen])

    def look(self, held: dict[int, set[int]]) -> AbstractSet[int]:
        """Take the holders of all that was asked; who is to choose again, or nobody."""
        own = set(self._own().tolist())
        holders = {
            key: held.get(key, set()) | self._chosen.get(key, set())
            for key in self.asked().tolist()
        }
        common = [
            key
            for key, some in holders.items()
            if len(some) + (key in own and not self._is_copy) > DOCUMENT_LIMIT
        ]
        fresh = np.array(common, dtype=np.uint64)
        fresh = fresh[~members(self._avoided, fresh)]
        if not len(fresh):
            self.documents = set().union(*(holders[key] for key in own))
            self.is_done = True
            return frozenset()
        self._avoided = distinct([self._avoided, fresh])
        self._again = set().union(*(holders[key] for key in fresh.tolist()))
        return self._again

    def choose_again(self, grams: dict[int, ChosenGrams], dropped: np.uint64) -> None:
        """Let those choose again that were told of."""
        for number in self._again:
            chosen = keys_of(grams[number].instead_of(self._avoided).values, dropped)
            for key in chosen.tolist():
                self._chosen.setdefault(key, set()).add(number)

    def _own(self) -> UInt64Array:
        return self._grams.without(self._avoided)


def sharing(texts: Sequence[SharingText], run: Fingerprinted) -> list[AbstractSet[int]]:
    """The documents that share a passage with each of some texts, by their numbers."""
    known: dict[int, set[int]] = {}
    grams: dict[int, ChosenGrams] = {}
    while waiting := [text for text in texts if not text.is_done]:
        asked = distinct([text.asked() for text in waiting])
        fresh = asked[[key not in known for key in asked.tolist()]]
        known |= {key: set() for key in fresh.tolist()}
        for key, number in zip(*(one.tolist() for one in run.holders(fresh)), strict=True):
            known[key].add(number)
        again = set().union(*(text.look(known) for text in waiting))
        grams |= run.grams(sorted(again - grams.keys()))
        for text in waiting:
            if not text.is_done:
                text.choose_again(grams, run.dropped)
    return [text.documents for text in texts]
