"""The texts of an open review, read when they are asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import overload

import numpy as np

from core.base.arrays import Int64Array
from core.base.memory import CLOSE_OTHERS, require_memory
from core.base.messages import gettext
from core.base.wording import readable_count
from core.documents.model import Document
from core.errors import ReviewError
from core.review.database import check_version, connect, connect_as_it_is
from core.review.header import state_of
from core.review.packing import checksum_of, most_of, unpack_text
from core.review.refusals import DAMAGE, changed, damaged, explained, shown, undamaged
from core.review.rows import reading_of

Row = tuple[int, int, bytes]

LONG_TEXT = 1 << 22  # characters
BYTES_OF_CHARACTER = 4  # at most, in UTF-8 and in memory
# zlib makes what it cannot compress longer by less than that.
LONGER_BY = 1 << 10
# Beside a text, what it was made from: a file with other texts under these numbers may lie there.
# The data comes along where it is short: most are, and a second question takes as long as reading.
MADE_FROM = """
    SELECT texts.size, length(texts.data),
        documents.file_hash, documents.kind, documents.encoding, documents.characters,
        texts.checksum, CASE WHEN length(texts.data) <= ?2 THEN texts.data END
    FROM texts JOIN documents ON documents.text = texts.id WHERE texts.id = ?1 LIMIT 1
"""
STORED = "SELECT size, checksum, data FROM texts WHERE id = ?"


class StoredTexts(Sequence[str]):
    """Texts by position of the document, safe to read from any thread.

    Between two texts nothing keeps others from saving the file, and while one is read nothing locks
    it. A number is never given to another text, so what is found under it is checked and is the
    right text or none. Then it is looked for once more, in the file as SQLite sees it.

    Attributes:
        lengths: int64, the length of each in code points, known without reading it.

    Raises:
        ReviewError: From reading: the text is damaged, the file has it no more, or the review was
            closed.
    """

    def __init__(
        self,
        path: Path,
        state: str,
        numbers: Int64Array,
        documents: Sequence[Document],
        snapshot: sqlite3.Connection,
    ) -> None:
        """Read from what is open, until `let_go`.

        Args:
            path: The file.
            state: The number of the state it has.
            numbers: The number of the text of every document.
            documents: The documents.
            snapshot: It goes on seeing this state; closed with the texts.
        """
        self.lengths = np.fromiter(
            (document.characters for document in documents), np.int64, len(documents)
        )
        self._path = path
        self._state = state
        self._numbers = numbers
        self._documents = documents
        self._snapshot: sqlite3.Connection | None = snapshot
        self._connection: sqlite3.Connection | None = None
        self._closed = False
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
        return self._read(index % len(self))

    def let_go(self) -> None:
        """Close what is open, and read from the file as it is at each moment."""
        with self._lock:
            self._close_snapshot()

    def close(self) -> None:
        """Let go of the file; waits for a text that is just being read."""
        with self._lock:
            self._closed = True
            self._disconnect()
            self._close_snapshot()

    def _read(self, position: int) -> str:
        try:
            text = self._found(position)
        except MemoryError:
            with explained(self._path, "read"):
                raise
        if text is not None:
            return text
        with explained(self._path, "read"), undamaged(self._path):
            if self._snapshot is not None:
                raise damaged(self._path)
            return self._read_again(position)

    def _found(self, position: int) -> str | None:
        """The text, from what is open; None where it is not there, or no sense in it."""
        with suppress(sqlite3.Error, OSError, *DAMAGE):
            with self._lock:
                if self._closed:
                    raise ReviewError(
                        "{name} was closed: its texts cannot be read.",
                        name=shown(self._path),
                    )
                row = self._row(self._opened(), position)
            return row and self._text(position, row)
        return None

    def _opened(self) -> sqlite3.Connection:
        if self._snapshot is not None:
            return self._snapshot
        if self._connection is None:
            connection = connect_as_it_is(self._path)
            try:
                check_version(connection, self._path)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _read_again(self, position: int) -> str:
        """The text as SQLite sees the file at this moment."""
        with self._lock:
            self._disconnect()  # what it remembers of the file is old
        with closing(connect(self._path, write=False)) as connection:
            check_version(connection, self._path)
            connection.execute("BEGIN")
            with suppress(*DAMAGE):
                row = self._row(connection, position)
                text = row and self._text(position, row)
                if text is not None:
                    return text
            is_as_opened = state_of(connection) == self._state
        raise damaged(self._path) if is_as_opened else changed(self._path)

    def _row(self, connection: sqlite3.Connection, position: int) -> Row | None:
        """The row of a text; nothing is read that cannot be one."""
        number, document = int(self._numbers[position]), self._documents[position]
        characters = document.characters
        at_once = min(BYTES_OF_CHARACTER * characters, LONG_TEXT) + LONGER_BY
        origin = connection.execute(MADE_FROM, (number, at_once)).fetchone()
        if origin is None or origin[2:6] != reading_of(document):
            return None
        size, stored = origin[:2]
        if not characters <= size <= min(BYTES_OF_CHARACTER * characters, most_of(stored)):
            raise ValueError("The size of a text cannot be so.")
        if characters > LONG_TEXT:
            require_memory(
                size + stored + BYTES_OF_CHARACTER * characters,
                gettext("This text of {number} characters", number=readable_count(characters)),
                gettext(CLOSE_OTHERS),
            )
        if origin[7] is not None:
            return size, origin[6], origin[7]
        row: Row | None = connection.execute(STORED, (number,)).fetchone()
        return row

    def _text(self, position: int, row: Row) -> str | None:
        """The text in a row, or None where it is not as it was written."""
        size, checksum, data = row
        if checksum_of(data, seed=int(self._numbers[position])) != checksum:
            return None
        text = unpack_text(size, data)  # by far the longest part, and without the lock
        return text if len(text) == self.lengths[position] else None

    def _close_snapshot(self) -> None:
        if self._snapshot is not None:
            self._snapshot.close()
            self._snapshot = None

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
