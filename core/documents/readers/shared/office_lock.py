"""Takes the lock from an Office document, with a password that was given ([MS-OFFCRYPTO])."""

from __future__ import annotations

import io
from types import ModuleType, SimpleNamespace

from core.documents.model import ProblemCode
from core.documents.readers.reader import Reading
from core.documents.unreadable import UnreadableError

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
