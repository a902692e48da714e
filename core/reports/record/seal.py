r"""The seal of a report: SHA-256 of the whole file, with zeros in the place of the seal itself.

It stands once near the beginning, as `neardup-seal:` and 64 digits. Anybody can make it again:

    sed '0,/neardup-seal:[0-9a-f]\{64\}/s//neardup-seal:'$(printf '0%.0s' $(seq 64))'/' FILE \
        | sha256sum

Without a key a seal shows that a file was changed, not by whom: who changes a report can seal it
anew. So the seal is told when the report is written, to be noted elsewhere.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from core.base.replaced_file import replaced_bytes

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

MARK = b"neardup-seal:"
DIGITS = 64
SEAL_PLACE = MARK.decode() + "0" * DIGITS  # what a writer writes near the beginning
WITHIN = 1 << 16  # bytes from the beginning in which a seal stands
SEAL = re.compile(rb"neardup-seal:([0-9a-f]{64})")


class SealedFile:
    """A text file that is being written; `seal` is known when it is complete."""

    def __init__(self, text: TextIO) -> None:
        self.text = text
        self.seal = ""


@contextmanager
def sealed_file(path: Path) -> Iterator[SealedFile]:
    """A text file as of `replaced_file`, in which `SEAL_PLACE` becomes the seal.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    with replaced_bytes(path) as file:
        hashed = _Hashed(file)
        text = io.TextIOWrapper(
            cast("BinaryIO", hashed), encoding="utf-8", errors="backslashreplace", newline=""
        )
        sealed = SealedFile(text)
        try:
            yield sealed
            text.flush()
            sealed.seal = hashed.sealed()
        finally:
            with suppress(OSError, ValueError):  # what is left of a text that is given up
                text.detach()


class _Hashed(io.BufferedIOBase):
    """What is written goes to a file and into a hash."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self._beginning = b""

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        piece = bytes(data)
        if len(self._beginning) < WITHIN:
            self._beginning += piece[:WITHIN]
        self._hash.update(piece)
        self._file.write(piece)
        return len(piece)

    def sealed(self) -> str:
        """Put the seal in its place."""
        seal = self._hash.hexdigest()
        place = self._beginning.index(SEAL_PLACE.encode())
        self._file.seek(place + len(MARK))
        self._file.write(seal.encode())
        return seal


def sealed(text: str) -> tuple[str, str]:
    """A text in which `SEAL_PLACE` has become the seal, and the seal.

    What UTF-8 cannot encode is escaped, as in files.
    """
    data = text.encode("utf-8", "backslashreplace")
    seal = seal_of(data)
    return data.decode().replace(SEAL_PLACE, MARK.decode() + seal, 1), seal


def found_seal(data: bytes) -> str:
    """The seal that stands in a file; "" where there is none."""
    found = SEAL.search(data, 0, WITHIN)
    return found[1].decode() if found else ""


def seal_of(data: bytes) -> str:
    """The seal that a file must have; "" where it has no place for one."""
    found = SEAL.search(data, 0, WITHIN)
    if not found:
        return ""
    start, end = found.span(1)
    view = memoryview(data)
    hashed = hashlib.sha256(view[:start])
    hashed.update(b"0" * DIGITS)
    hashed.update(view[end:])
    return hashed.hexdigest()
