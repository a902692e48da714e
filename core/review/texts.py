"""The texts of an open review, read when they are asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import overload

import numpy as np
import numpy.typing as npt

from core.documents.names import readable_count
from core.errors import ReviewError
from core.memory import require_memory
from core.review.database import damaged, explained, shown, undamaged
from core.review.packing import checksum_of, most_of, unpack_text

__all__ = ["StoredTexts"]

Int64Array = npt.NDArray[np.int64]

LONG_TEXT = 1 << 22  # characters
BYTES_OF_CHARACTER = 4  # at most, in UTF-8 and in memory


class StoredTexts(Sequence[str]):
    """Texts by position of the document, safe to read from any thread.

    Attributes:
        lengths: int64, the length of each in code points, known without reading it.

    Raises:
        ReviewError: From reading: the text is damaged, or the review was closed.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, numbers: Int64Array, lengths: Int64Array
    ) -> None:
        self.lengths = lengths
        self._path = path
        self._connection: sqlite3.Connection | None = connection
        self._numbers = numbers
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self.lengths)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """The text of a document, or several."""
        if isinstance(index, slice):
            return [self._read(position) for position in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"There is no text {index} among {len(self)}.")
        return self._read(index)

    def close(self) -> None:
        """Let go of the file; waits for a text that is just being read."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _read(self, position: int) -> str:
        with explained(self._path, "read"), undamaged(self._path):
            number = int(self._numbers[position])
            size, checksum, data = self._row(number, int(self.lengths[position]))
            if checksum_of(data, seed=number) != checksum:
                raise damaged(self._path)
            text = unpack_text(size, data)  # by far the longest part, and without the lock
            if len(text) != self.lengths[position]:
                raise damaged(self._path)
            return text

    def _row(self, number: int, characters: int) -> tuple[int, int, bytes]:
        """The row of a text of so many characters; nothing is read that cannot be one."""
        with self._lock:
            if self._connection is None:
                raise ReviewError(f"{shown(self._path)} was closed: its texts cannot be read.")
            query = "SELECT size, length(data) FROM texts WHERE id = ?"
            sizes = self._connection.execute(query, (number,)).fetchone()
            if sizes is None or not characters <= sizes[0] <= min(
                BYTES_OF_CHARACTER * characters, most_of(sizes[1])
            ):
                raise damaged(self._path)
            if characters > LONG_TEXT:
                require_memory(
                    sizes[0] + sizes[1] + BYTES_OF_CHARACTER * characters,
                    f"This text of {readable_count(characters)} characters",
                    "Close other programs and retry.",
                )
            query = "SELECT size, checksum, data FROM texts WHERE id = ?"
            row: tuple[int, int, bytes] = self._connection.execute(query, (number,)).fetchone()
        return row
