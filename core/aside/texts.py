"""The texts of a scan, to be looked through on some threads, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from core.aside.words import Words, words_of
from core.base.arrays import Int64Array
from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled

Made = TypeVar("Made")

KEPT_CHARACTERS = 1 << 24  # of texts whose words are kept from one finder to the next
LETTERS_OF_WORD = 5  # with the space: about how many make a word


class Texts:
    """Texts to look through."""

    def __init__(
        self,
        texts: Sequence[str],
        lengths: Int64Array,
        pool: ThreadPoolExecutor,
        cancelled: Cancelled,
    ) -> None:
        """`lengths` are int64, in code points; `cancelled` is polled between batches."""
        self.lengths = lengths
        self._texts, self._pool, self._cancelled = texts, pool, cancelled
        self._kept: list[Words] | None = None

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def word_count(self) -> int:
        """About how many words there are."""
        return int(self.lengths.sum()) // LETTERS_OF_WORD

    def all_words(self) -> Iterable[Words]:
        """The words of all texts; where these are not long, they are kept."""
        if int(self.lengths.sum()) > KEPT_CHARACTERS:
            return self.words(range(len(self)))
        if self._kept is None:
            self._kept = list(self.words(range(len(self))))
        return self._kept

    def words(self, numbers: Collection[int]) -> Iterator[Words]:
        """The words of some texts.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """
        return self._run(lambda some: words_of(self._read(some), some), numbers)

    def each(
        self, work: Callable[[str], Made], numbers: Collection[int]
    ) -> Iterator[tuple[int, Made]]:
        """What is made of each of some texts, with its number.

        Raises:
            ScanCancelledError: `cancelled` said so.
        """

        def done(some: Int64Array) -> list[tuple[int, Made]]:
            return list(zip(some.tolist(), map(work, self._read(some)), strict=True))

        for made in self._run(done, numbers):
            yield from made

    def _read(self, numbers: Int64Array) -> list[str]:
        return [self._texts[number] for number in numbers.tolist()]

    def _run(self, work: Callable[[Int64Array], Made], numbers: Collection[int]) -> Iterator[Made]:
        ordered = np.array(sorted(numbers), dtype=np.int64)
        parts = (ordered[part] for part in batches(self.lengths[ordered].tolist()))
        begun = (self._pool.submit(work, part) for part in parts)
        yield from results_of(begun, self._cancelled, 2 * worker_count())
