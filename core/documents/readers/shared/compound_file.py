"""Compound files, the container of Microsoft Office 97 to 2003 ([MS-CFB]): its streams by name."""

from __future__ import annotations

import io
import struct
from contextlib import suppress
from types import ModuleType, SimpleNamespace

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.reader import Reading

# What Office itself tries: it locks so what is only protected against changes.
_NO_PASSWORD = "VelvetSweatshop"  # noqa: S105 - known to everybody


def unlocked(data: bytes, reading: Reading) -> bytes:
    """The document without its lock.

    Raises:
        UnreadableError: ENCRYPTED where no password fits, or the lock is of an unknown make.
    """
    for password in (_NO_PASSWORD, *reading.passwords):
        reading.step()
        if document := _unlocked_with(data, password):
            return document
    raise UnreadableError(
        ProblemCode.ENCRYPTED, "Locked with a password. Enter it, or save a copy without one."
    )


def _unlocked_with(data: bytes, password: str) -> bytes:
    """The document, empty where the password does not fit."""
    document = io.BytesIO()
    try:
        file = _library().OfficeFile(io.BytesIO(data))
        if file.format == "ooxml":
            file.load_key(password=password, verify_password=True)
        else:
            file.load_key(password=password)
        file.decrypt(document)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - the library fails in many ways on what it does not know
        return b""
    return document.getvalue()


def _library() -> ModuleType:
    """The library, which keeps what it unlocked in memory: it must not come onto the disk."""
    import msoffcrypto
    from msoffcrypto.format import doc97, ppt97, xls97

    for module in (doc97, ppt97, xls97):
        module.tempfile = SimpleNamespace(TemporaryFile=io.BytesIO)
    return msoffcrypto  # type: ignore[no-any-return]


_FAULTS = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError),
    struct.error,
)


def is_ole(data: bytes) -> bool:
    """Whether a file begins like a compound file."""
    return data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def root_names(data: bytes) -> frozenset[str]:
    """The upper-case names at the top of a compound file; none where it is damaged, or none."""
    return OleFile(data).names if is_ole(data) else frozenset()


class OleFile:
    """The streams at the top of a compound file; what cannot be had is empty.

    Attributes:
        names: Theirs, and those of the storages beside them, in upper case.
    """

    def __init__(self, data: bytes) -> None:
        import olefile

        self._file: olefile.OleFileIO | None = None
        self.names: frozenset[str] = frozenset()
        with suppress(*_FAULTS):
            self._file = olefile.OleFileIO(io.BytesIO(data))
            paths = self._file.listdir(streams=True, storages=True)
            self.names = frozenset(path[0].upper() for path in paths if len(path) == 1)

    def stream(self, name: str) -> bytes:
        """A stream; empty where there is none of that name."""
        if self._file is None or name.upper() not in self.names:
            return b""
        try:
            return bytes(self._file.openstream([name]).read())
        except _FAULTS:
            return b""
