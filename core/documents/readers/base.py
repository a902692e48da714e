"""What a reader is: it recognises its format and turns the bytes of a file into text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.documents.encoding import Decoded, decode
from core.documents.limits import Limits
from core.documents.model import ProblemCode

__all__ = ["Extracted", "Reader", "UnreadableError", "decoded"]


class Extracted(NamedTuple):
    """The text of a file, line ends LF, and the encoding it was in."""

    text: str
    encoding: str


class Reader(NamedTuple):
    """One format.

    `kind` is its name in `Document.kind`; `recognises` takes the bytes of a file and the
    lower-case suffix of its name; `read` raises `UnreadableError` for a file it cannot read.
    """

    kind: str
    recognises: Callable[[bytes, str], bool]
    read: Callable[[bytes, Limits], Extracted]


class UnreadableError(Exception):
    """A file that gives no text; inside this package only, it becomes a `Problem`."""

    def __init__(self, code: ProblemCode, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def decoded(data: bytes) -> Decoded:
    """The bytes of a file of text as text.

    Raises:
        UnreadableError: The bytes are no text.
    """
    found = decode(data)
    if found is None:
        raise UnreadableError(
            ProblemCode.BINARY, "This file holds no text: its bytes fit no character encoding."
        )
    return found
