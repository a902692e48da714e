"""What a reader process answered, believed only as far as a reader could say it.

A file may have taken the process over. Whatever no reader says is taken for a crash.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from core.documents.extraction import MAX_PART, MAX_REMARKS, MAX_SENTENCE, Failure, Piece
from core.documents.isolation.protocol import Frame
from core.documents.model import ProblemCode
from core.documents.readers import Reader, UnreadableError, reader_of
from core.documents.readers.reader import whole_characters
from core.documents.reading_settings import ReadingLimits

_PIECE = frozenset({"is", "task", "part", "kind", "encoding", "file_hash", "remarks"})
_FAILURE = frozenset({"is", "task", "part", "code", "detail", "limit"})
# Of files, and of processes: nothing that a reader finds out.
_UNSAID = frozenset(
    {
        *(ProblemCode.TIMEOUT, ProblemCode.CRASH, ProblemCode.NOT_A_FILE, ProblemCode.NO_WORDS),
        *(ProblemCode.NO_PERMISSION, ProblemCode.VANISHED, ProblemCode.CHANGED),
    }
)
_LIMITS = {"", *(limit.name for limit in fields(ReadingLimits))}
_CODES = {str(code): code for code in ProblemCode if code not in _UNSAID}
_ENCODING = re.compile(r"[A-Za-z0-9_.:+-]{0,40}(?: \(damaged\))?")
_HASH = re.compile(r"[0-9a-f]{32}")
# What is no part of a sentence: it could move the cursor of a terminal, or turn round what follows.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def nonsense() -> UnreadableError:
    """What is told of a file whose reader said what no reader says."""
    return UnreadableError(
        ProblemCode.CRASH,
        "Reading this file made its reader give a nonsensical answer. Save it again.",
    )


def reader_named(kind: object) -> Reader:
    """The reader of a kind.

    Raises:
        UnreadableError: CRASH: there is none.
    """
    reader = reader_of(kind) if isinstance(kind, str) else None
    if reader is None:
        raise nonsense()
    return reader


def result_of_answer(frame: Frame, limits: ReadingLimits) -> Piece | Failure:
    """The document that a process sent, or why there is none.

    Raises:
        UnreadableError: CRASH: no reader could say that.
    """
    try:
        if frame.head["is"] == "failure":
            return _failure(frame)
        return _piece(frame, limits)
    except (KeyError, TypeError, ValueError) as error:
        raise nonsense() from error


def _failure(frame: Frame) -> Failure:
    values = frame.head
    _check(values.keys() == _FAILURE and not frame.body)
    _check(values["limit"] in _LIMITS)
    code, detail = _CODES[values["code"]], _sentence(values["detail"])
    return Failure(_part(values), code, detail, values["limit"])


def _piece(frame: Frame, limits: ReadingLimits) -> Piece:
    values = frame.head
    _check(values.keys() == _PIECE and values["is"] == "piece")
    remarks = values["remarks"]
    _check(isinstance(remarks, list) and len(remarks) <= MAX_REMARKS)
    _check(reader_named(values["kind"]).read is not None)
    _check(_HASH.fullmatch(values["file_hash"]) is not None)
    _check(_ENCODING.fullmatch(values["encoding"]) is not None)
    text = frame.body.decode()
    _check(0 < len(text) <= limits.characters)
    return Piece(
        part=_part(values),
        kind=values["kind"],
        encoding=values["encoding"],
        file_hash=_bound(values["file_hash"], frame.body),
        text=text,
        remarks=tuple(map(_sentence, remarks)),
    )


def _bound(claimed: str, text: bytes | bytearray) -> str:
    """What stands for the bytes of a part, which only the process has seen.

    It depends on the text as well: a process that names the bytes of another document and gives
    another text for them must not have that text taken for that document's.
    """
    bound = hashlib.blake2b(bytes.fromhex(claimed), digest_size=16)
    bound.update(text)
    return bound.hexdigest()


def _part(values: Mapping[str, Any]) -> str:
    """Path inside the file: it leads nowhere else."""
    part = values["part"]
    _check(isinstance(part, str) and len(part) <= MAX_PART)
    _check(".." not in part.split("/") and "\0" not in part and whole_characters(part) == part)
    return str(part)


def _sentence(value: object) -> str:
    """A sentence for the user, on one line."""
    if not isinstance(value, str) or len(value) > MAX_SENTENCE:
        raise TypeError("no sentence")
    return _UNPRINTABLE.sub("\ufffd", value)


def _check(holds: object) -> None:
    if not holds:
        raise ValueError("no reader says that")
