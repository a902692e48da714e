"""Which reader reads a file: its content counts first, its name second.

This looks into the file, and therefore runs in a reader process.
"""

from __future__ import annotations

import logging

from core.documents.first_look import is_plain_text, refuse_empty
from core.documents.foreign_formats import refuse_foreign
from core.documents.links import refuse_link
from core.documents.model import ProblemCode
from core.documents.readers import READERS, Reader, UnreadableError, reader_for, reader_of
from core.documents.readers.plain import text

_logger = logging.getLogger(__name__)

_PROMISED = {suffix: reader for reader in reversed(READERS) for suffix in reader.suffixes}


def recognise(data: bytes, suffix: str) -> Reader:
    """The reader of a file.

    Args:
        data: Its bytes.
        suffix: Lower-case suffix of its name.

    Raises:
        UnreadableError: EMPTY for no bytes, UNSUPPORTED for a document in a format without a
            reader or a link to one, BINARY for what has no text at all, DAMAGED for a text under
            the name of a packed document, FAILED for a fault in a reader.
    """
    refuse_empty(data)
    if is_plain_text(data, suffix):
        return text.READER
    try:
        reader = reader_for(data, suffix)
    except Exception as error:  # it must cost one file only
        _logger.warning("Recognising failed", exc_info=error)
        detail = f"This file could not be read: telling its format failed ({type(error).__name__})."
        raise UnreadableError(ProblemCode.FAILED, detail) from error
    refuse_link(data, suffix)
    if reader is text.READER:
        refuse_foreign(data)
        promised = _PROMISED.get(suffix)
        if promised is not None and promised.never_text:
            raise UnreadableError(ProblemCode.DAMAGED, _not_what_it_says(suffix, promised))
    return reader


def _not_what_it_says(suffix: str, promised: Reader) -> str:
    return (
        f"The name ends in {suffix}, but this is not {promised.label}: the file is damaged, or it "
        f"is a text under a wrong name. Rename it to .txt to have it read as that."
    )


def refuse_archive(reader: Reader, *, inside: bool) -> None:
    """Raise for an archive that is not opened: nobody asked for it, or it is inside another file.

    Raises:
        UnreadableError: ARCHIVE or UNSUPPORTED.
    """
    if inside:
        raise UnreadableError(
            ProblemCode.UNSUPPORTED,
            f"This is {reader.label} inside another file. Archives are opened one level deep: "
            f"unpack it to a folder and scan that.",
        )
    raise UnreadableError(
        ProblemCode.ARCHIVE,
        f"This is {reader.label}. Archives are opened like folders only when that is asked for.",
    )


def name_remark(kind: str, suffix: str) -> tuple[str, ...]:
    """A remark where the name of a file promises another format than it has.

    Args:
        kind: Of the reader that reads it.
        suffix: Lower-case suffix of its name.
    """
    promised, own = _PROMISED.get(suffix), reader_of(kind)
    if promised is None or own is None or suffix in own.suffixes:
        return ()
    return (f"The name ends in {suffix}, but this is {own.label}; it was read as that.",)
