r"""The seal of a report: SHA-256 of the whole file, with zeros instead of the seal itself.

It stands once near the beginning, as `neardup-seal:` and 64 digits. Anybody can make it again:

    sed '0,/neardup-seal:[0-9a-f]\{64\}/s//neardup-seal:'$(printf '0%.0s' $(seq 64))'/' FILE \
        | sha256sum

Without a key a seal shows that a file was changed, not by whom: who changes a report can seal it
anew. So the seal is shown when the report is written, to be noted elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from core.base.files import replaced_bytes
from core.base.patterns import lazy_pattern
from core.base.tasks import stop_if_cancelled

MARK = b"neardup-seal:"
DIGITS = 64
SEAL_PLACEHOLDER = (
    MARK.decode() + "0" * DIGITS
)  # what a writer writes near the beginning of the file
WITHIN = 1 << 16  # bytes from the beginning in which a seal stands
SEAL = lazy_pattern(rb"neardup-seal:([0-9a-f]{64})")


def write_sealed(path: Path, pieces: Iterable[str]) -> str:
    """Write a text in which `SEAL_PLACEHOLDER` becomes the seal, piece by piece; gives the seal.

    Characters that UTF-8 cannot encode are escaped.

    Raises:
        ExportError: The file could not be written; the sentence says why.
    """
    hashed, beginning = hashlib.sha256(), b""
    with replaced_bytes(path) as file:
        for piece in pieces:
            stop_if_cancelled()
            data = piece.encode("utf-8", "backslashreplace")
            if len(beginning) < WITHIN:
                beginning += data[:WITHIN]
            hashed.update(data)
            file.write(data)
        seal = hashed.hexdigest()
        file.seek(beginning.index(SEAL_PLACEHOLDER.encode()) + len(MARK))
        file.write(seal.encode())
    return seal


def sealed(text: str) -> tuple[str, str]:
    """A text in which `SEAL_PLACEHOLDER` has become the seal, and the seal.

    Characters that UTF-8 cannot encode are escaped, as in files.
    """
    data = text.encode("utf-8", "backslashreplace")
    seal = seal_of(data)
    return data.decode().replace(SEAL_PLACEHOLDER, MARK.decode() + seal, 1), seal


def found_seal(data: bytes) -> str:
    """The seal that stands in a file; "" where there is none."""
    match = SEAL.search(data, 0, WITHIN)
    return match[1].decode() if match else ""


def seal_of(data: bytes) -> str:
    """The seal that a file must have; "" where it has no room for one."""
    match = SEAL.search(data, 0, WITHIN)
    if not match:
        return ""
    start, end = match.span(1)
    view = memoryview(data)
    hashed = hashlib.sha256(view[:start])
    hashed.update(b"0" * DIGITS)
    hashed.update(view[end:])
    return hashed.hexdigest()
