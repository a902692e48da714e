"""The texts of a scan: in memory while they fit, the others in a temporary file or a review."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, overload, runtime_checkable

import numpy as np

from core.base.arrays import GrowingArray, Int32Array, Int64Array
from core.base.files import TemporaryFile
from core.settings import ScanSettings
from core.text.set_aside import SetAside, check_spans, merged_in
from core.text.shingling import Shingles, shingle

IN_MEMORY = 0
UNBOUNDED = float("inf")


class _Source(Protocol):
    """A source of texts."""

    def __getitem__(self, index: int, /) -> str: ...


@runtime_checkable
class BatchSource(_Source, Protocol):
    """A source that reads several texts in less time than one after the other."""

    def texts_at(self, indices: Sequence[int], /) -> list[str]:
        """The texts with these numbers, in this order."""
        ...


class _TextLocations(NamedTuple):
    """Where texts lie: the sources, and for each text its source (int32) and its number in that."""

    sources: Sequence[_Source]
    source_of: Int32Array
    numbers: Int64Array


class TextStore(Sequence[str]):
    """Texts by number, safe to read from any thread.

    A text lies in one of several sources: the memory, a temporary file, or texts that were there
    before, of another scan or in a review. It is read when it is needed.
    """

    def __init__(self, memory: float = UNBOUNDED) -> None:
        """Keep up to `memory` bytes of texts in memory."""
        self._left = memory
        self._memory: list[str] = []
        self._file: _FileTexts | None = None
        self._sources: list[_Source] = [self._memory]
        self._source_of = GrowingArray(np.int32)
        self._numbers = GrowingArray(np.int64)
        self._lengths = GrowingArray(np.int64)
        self._set_aside: dict[int, tuple[SetAside, ...]] = {}

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def lengths(self) -> Int64Array:
        """Length of every text in code points, known without reading it."""
        return self._lengths.rows

    def extend(self, texts: Sequence[str]) -> None:
        """Append texts.

        Raises:
            StorageError: There is no room for the temporary file.
        """
        size = sum(map(sys.getsizeof, texts)) if self._left < UNBOUNDED else 0
        if size <= self._left:
            self._left -= size
            first = len(self._memory)
            self._memory += texts
            self._source_of.append(np.full(len(texts), IN_MEMORY, dtype=np.int32))
            self._numbers.append(np.arange(first, len(self._memory)))
        else:
            kept = np.array([self._keep(text) for text in texts], dtype=np.int64).reshape(-1, 2)
            self._source_of.append(kept[:, 0])
            self._numbers.append(kept[:, 1])
        self._lengths.append(np.fromiter(map(len, texts), np.int64, len(texts)))

    @property
    def set_aside(self) -> Mapping[int, tuple[SetAside, ...]]:
        """What does not count, by the number of its text."""
        return self._set_aside

    def exclude_spans(self, spans: Mapping[int, Sequence[SetAside]]) -> None:
        """Change what does not count in these texts; of a text without spans all counts.

        Whatever was computed from these texts must be computed again.

        Raises:
            IndexError: There is no text with such a number.
            ValueError: A span is empty or is not within its text.
        """
        for number, span in spans.items():
            if not 0 <= number < len(self):
                raise IndexError(f"There is no text {number} among {len(self)}.")
            check_spans(span, int(self.lengths[number]))
        self._set_aside |= {number: tuple(span) for number, span in spans.items()}
        for number in [
            number for number, spans_of_text in self._set_aside.items() if not spans_of_text
        ]:
            del self._set_aside[number]

    def set_aside_in(self, numbers: Int64Array) -> Mapping[int, Int64Array]:
        """What does not count in these texts, by index in `numbers` (see `core.text.set_aside`)."""
        return merged_in(numbers.tolist(), self._set_aside)

    def shingles(self, numbers: Int64Array | slice, settings: ScanSettings) -> Shingles:
        """The shingles of these texts, without what is set aside."""
        if isinstance(numbers, slice):
            numbers = np.arange(*numbers.indices(len(self)))
        return shingle(self.texts_at(numbers), settings, set_aside=self.set_aside_in(numbers))

    @property
    def locations(self) -> _TextLocations:
        """Where every text lies."""
        return _TextLocations(self._sources, self._source_of.rows, self._numbers.rows)

    def adopt(self, texts: Sequence[str], lengths: Int64Array) -> None:
        """Append texts that stay where they are."""
        if isinstance(texts, TextStore):
            self._set_aside |= {
                len(self) + number: spans for number, spans in texts.set_aside.items()
            }
            self._add(texts.locations)
        else:
            numbers = np.arange(len(texts), dtype=np.int64)
            self._add(_TextLocations([texts], np.zeros(len(texts), dtype=np.int32), numbers))
        self._lengths.append(lengths)

    def arranged(self, order: Int64Array) -> TextStore:
        """The texts with these numbers in this order, which stay where they are."""
        store = TextStore()
        locations = self.locations
        store._add(
            locations._replace(
                source_of=locations.source_of[order], numbers=locations.numbers[order]
            )
        )
        store._lengths.append(self.lengths[order])
        if self._set_aside:
            store._set_aside = {
                index: self._set_aside[number]
                for index, number in enumerate(order.tolist())
                if number in self._set_aside
            }
        return store

    def _add(self, locations: _TextLocations) -> None:
        """Add texts of other sources; those that hold any of them become sources of this store."""
        holds = np.bincount(locations.source_of, minlength=len(locations.sources)) > 0
        source_numbers = np.zeros(len(holds), dtype=np.int32)
        for number in np.flatnonzero(holds).tolist():
            source_numbers[number] = self._source(locations.sources[number])
        self._source_of.append(source_numbers[locations.source_of])
        self._numbers.append(locations.numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """The text with a number, or several."""
        if isinstance(index, slice):
            return self.texts_at(np.arange(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(f"There is no text {index} among {len(self)}.")
        source = self._sources[int(self._source_of.rows[index])]
        return source[int(self._numbers.rows[index])]

    def texts_at(self, numbers: Int64Array) -> list[str]:
        """The texts with these numbers, in this order."""
        sources, indices = self._source_of.rows[numbers], self._numbers.rows[numbers]
        kinds = set(sources.tolist())
        if len(kinds) == 1:  # the usual case
            return _texts_of(self._sources[kinds.pop()], indices.tolist())
        texts = [""] * len(sources)
        for kind in kinds:
            places = np.flatnonzero(sources == kind)
            read = _texts_of(self._sources[kind], indices[places].tolist())
            for place, text in zip(places.tolist(), read, strict=True):
                texts[place] = text
        return texts

    def _keep(self, text: str) -> tuple[int, int]:
        self._left -= sys.getsizeof(text)
        if self._left >= 0:
            self._memory.append(text)
            return IN_MEMORY, len(self._memory) - 1
        if self._file is None:
            self._file = _FileTexts()
        return self._source(self._file), self._file.append(text)

    def _source(self, source: _Source) -> int:
        for number, known in enumerate(self._sources):
            if known is source:
                return number
        self._sources.append(source)
        return len(self._sources) - 1


def _texts_of(source: _Source, indices: Sequence[int]) -> list[str]:
    if isinstance(source, BatchSource):
        return source.texts_at(indices)
    return [source[index] for index in indices]


class _FileTexts:
    """Texts in a temporary file."""

    def __init__(self) -> None:
        self._file = TemporaryFile()
        self._spans: list[tuple[int, int]] = []

    def __getitem__(self, index: int) -> str:
        return self._file.read(*self._spans[index]).decode("utf-8", "surrogatepass")

    def append(self, text: str) -> int:
        data = text.encode("utf-8", "surrogatepass")
        start = self._file.size
        self._file.append(data)
        self._spans.append((start, len(data)))
        return len(self._spans) - 1
