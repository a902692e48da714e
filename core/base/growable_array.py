"""Arrays that grow at their end: in memory while they are small, then in a temporary file.

Kernels have `grown` for arrays of their own.

The file is mapped into memory, so that what is not in use may leave it: a scan needs no more
memory than there is.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np

from core.base.arrays import AnyArray
from core.base.compiling import njit
from core.base.files import TemporaryFile

FIRST_BYTES = 1 << 16
MEMORY_BYTES = 1 << 28
FEWER_BYTES = 1 << 26  # of arrays that are this long only where some texts are very long


class GrowingArray:
    """Rows of one type and width, appended in blocks.

    Args:
        dtype: Type of the values.
        width: Values in a row; 0 for a plain array.
        memory: Bytes from which on the rows are kept in a file; 256 MB when left out.

    Raises:
        StorageError: From `append`: there is no room for the file.
    """

    def __init__(self, dtype: type[np.generic], width: int = 0, memory: int | None = None) -> None:
        self._dtype = np.dtype(dtype)
        self._shape = (width,) if width else ()
        self._row_bytes = self._dtype.itemsize * max(1, width)
        self._memory = MEMORY_BYTES if memory is None else memory
        self._buffer = np.empty((0, *self._shape), dtype=dtype)
        self._file: TemporaryFile | None = None
        self._pages: mmap.mmap | None = None
        self._mapped: AnyArray | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def in_file(self) -> bool:
        """Whether the rows have left the memory."""
        return self._file is not None

    def append(self, rows: AnyArray) -> None:
        """Add rows at the end."""
        rows = np.ascontiguousarray(rows, dtype=self._dtype)
        if self._file is None and (self._count + len(rows)) * self._row_bytes > self._memory:
            kept = self.rows
            self._file = TemporaryFile()
            self._write(kept)
            self._buffer = np.empty((0, *self._shape), dtype=self._dtype)
        if self._file is not None:
            self._write(rows)
        else:
            self._make_room(self._count + len(rows))
            self._buffer[self._count : self._count + len(rows)] = rows
        self._count += len(rows)

    @property
    def rows(self) -> AnyArray:
        """All rows; an array that stays as it is when others are added. Not to be written to."""
        if self._file is None:
            return self._buffer[: self._count]
        if self._mapped is None or len(self._mapped) != self._count:
            # A private mapping gives a writable array: the kernels are compiled for these only.
            self._pages = mmap.mmap(
                self._file.descriptor, self._count * self._row_bytes, access=mmap.ACCESS_COPY
            )
            self._mapped = np.frombuffer(self._pages, dtype=self._dtype).reshape(-1, *self._shape)
        return self._mapped

    def leave_memory(self) -> None:
        """Let rows in a file leave the memory until they are read again, by whichever thread."""
        if self._pages is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._pages.madvise(mmap.MADV_DONTNEED)  # nothing was written to them

    def _write(self, rows: AnyArray) -> None:
        if len(rows) and self._file is not None:
            self._file.append(rows.data)

    def _make_room(self, count: int) -> None:
        """Double the memory while it is small; then take at once all there may be."""
        if count <= len(self._buffer):
            return
        size = max(FIRST_BYTES, 2 * count * self._row_bytes)
        if size > self._memory // 8:
            size = max(self._memory, count * self._row_bytes)  # not in use until it is written to
        grown = np.empty((size // self._row_bytes, *self._shape), dtype=self._dtype)
        grown[: self._count] = self._buffer[: self._count]
        self._buffer = grown


@njit(nogil=True, cache=True)
def grown(values: Any, used: Any, size: Any) -> Any:  # noqa: ANN401
    """An array of this size that begins with the used values of another.

    Of one dimension. In kernels a slice that is assigned to a slice takes a second to compile.
    """
    larger = np.empty(size, dtype=values.dtype)
    for index in range(used):
        larger[index] = values[index]
    return larger
