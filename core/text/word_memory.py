"""What was learned of words, by their values: every distinct word is looked at once."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.compiling import njit
from core.base.hashing import find_slot

UNUSED = np.uint64(0)
FEWEST_SLOTS = 1 << 18
MOST_SLOTS = 1 << 22  # 64 MiB for two million words; when they are too few, it begins again
BLOCK = 1 << 15  # words looked up at once; as many may be new


class WordMemory:
    """The words met so far and a 64-bit meaning of each; any thread may ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._words = 0
        self._forget(FEWEST_SLOTS)

    def __len__(self) -> int:
        return self._words

    def meanings(
        self, words: UInt64Array, learn: Callable[[Int64Array], UInt64Array]
    ) -> UInt64Array:
        """The meaning of each word.

        Args:
            words: Their values, which are hashes.
            learn: Is given the places in `words` of some that are new, all different, and answers
                what they mean; by one thread at a time.
        """
        found = np.empty_like(words)
        for start in range(0, len(words), BLOCK):
            block = slice(start, start + BLOCK)
            with self._lock:
                found[block] = self._look_up(words[block], start, learn)
        return found

    def _look_up(
        self, words: UInt64Array, start: int, learn: Callable[[Int64Array], UInt64Array]
    ) -> UInt64Array:
        """The meanings of some words, of which the first has the place `start`."""
        if 2 * (self._words + len(words)) > len(self._keys):
            self._grow()
        slots = np.empty(len(words), dtype=np.int64)
        fresh = _find_slots(words, self._keys, slots)
        if len(fresh):
            try:
                self._meanings[slots[fresh]] = learn(fresh + start)
            except BaseException:
                self._forget(FEWEST_SLOTS)  # it holds words without a meaning now
                raise
        self._words += len(fresh)
        return self._meanings[slots]

    def _grow(self) -> None:
        keys, meanings = self._keys, self._meanings
        if len(keys) >= MOST_SLOTS:
            self._forget(MOST_SLOTS)
            return
        words = self._words
        self._forget(2 * len(keys))
        used = keys != UNUSED
        slots = np.empty(words, dtype=np.int64)
        _find_slots(keys[used], self._keys, slots)
        self._meanings[slots] = meanings[used]
        self._words = words

    def _forget(self, slots: int) -> None:
        self._keys = np.full(slots, UNUSED, dtype=np.uint64)
        self._meanings = np.zeros(slots, dtype=np.uint64)
        self._words = 0


@njit(nogil=True, cache=True)
def _find_slots(values: Any, keys: Any, slots: Any) -> Any:
    """Fill in the slot of each value; new ones get one and their places return."""
    fresh = np.empty(len(values), dtype=np.int64)
    count = 0
    for place in range(len(values)):
        slot = find_slot(keys, keys, values[place])
        if keys[slot] == UNUSED:
            keys[slot] = values[place]
            fresh[count] = place
            count += 1
        slots[place] = slot
    return fresh[:count]
