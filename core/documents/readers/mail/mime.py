"""MIME: the parts of a mail as spans of its bytes (RFC 2045 to 2049), and their content.

Python's parser splits a mail into lines and recurses into its parts: a mail made for it, or just a
big one, takes all memory. Here a part is where it begins and ends; only headers are parsed.
"""

from __future__ import annotations

import binascii
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from core.documents.model import ProblemCode
from core.documents.readers.mail.header import Header, body_text, header_end
from core.documents.readers.reader import Reading
from core.documents.unreadable import UnreadableError

_DEPTH = 60
_BASE64 = string.ascii_letters + string.digits + "+/"
_NOT_BASE64 = bytes(set(range(256)) - set(_BASE64.encode()))
_UUENCODED = frozenset({"x-uuencode", "uuencode", "uue", "x-uue"})


@dataclass
class Entity:
    """A mail, or a part of one.

    `is_related` tells that a page beside it may show it (multipart/related, RFC 2387).
    """

    data: bytes = field(repr=False)
    header: Header
    start: int
    end: int
    depth: int
    default_type: str = "text/plain"
    is_related: bool = False
    children: list[Entity] = field(default_factory=list)

    @cached_property
    def content_type(self) -> str:
        """What it is, in lower case."""
        return self.header.content_type if self.header.is_typed else self.default_type

    @cached_property
    def content(self) -> bytes:
        """Its bytes, decoded."""
        return _decoded(self.data[self.start : self.end], self.header.transfer_encoding)

    @property
    def text(self) -> str | None:
        """Its bytes as text; None where they are none, whatever its header says."""
        return body_text(self.content, self.header.parameter("charset"))

    def walk(self) -> Iterator[Entity]:
        """The mail and its parts, in their order."""
        pending = [self]
        while pending:
            entity = pending.pop()
            yield entity
            pending += reversed(entity.children)


def parse_mail(data: bytes, reading: Reading) -> Entity:
    """Find the parts of a mail.

    Raises:
        UnreadableError: TOO_DEEP or TOO_MANY_MEMBERS.
    """
    root = _entity(data, 0, len(data), depth=0)
    pending, count = [root], 0
    while pending:
        entity = pending.pop()
        for child in _children(entity):
            count += 1
            if count > reading.limits.members:
                raise UnreadableError(
                    ProblemCode.TOO_MANY_MEMBERS,
                    f"This mail has more than {reading.limits.members:,} parts. The limit can be "
                    f"raised in the settings.",
                    "members",
                )
            entity.children.append(child)
        pending += reversed(entity.children)
        reading.step()
    return root


def _entity(data: bytes, start: int, end: int, *, depth: int, default: str = "") -> Entity:
    header, body = header_end(data, start, end)
    return Entity(data, Header(data[start:header]), body, end, depth, default or "text/plain")


def _children(entity: Entity) -> Iterator[Entity]:
    """The parts between the boundaries of a multipart; what is before and after is not shown."""
    boundary = entity.header.parameter("boundary").rstrip()
    if not entity.content_type.startswith("multipart/") or not boundary:
        return
    if entity.depth == _DEPTH:
        raise UnreadableError(
            ProblemCode.TOO_DEEP, f"The parts of this mail are nested more than {_DEPTH} deep."
        )
    default = "message/rfc822" if entity.content_type == "multipart/digest" else ""
    for start, end in _spans(entity, boundary.encode("utf-8", "replace")):
        child = _entity(entity.data, start, end, depth=entity.depth + 1, default=default)
        child.is_related = entity.is_related or entity.content_type == "multipart/related"
        yield child


def _spans(entity: Entity, boundary: bytes) -> Iterator[tuple[int, int]]:
    """Where the parts of a multipart begin and end."""
    data, mark, start = entity.data, b"\n--" + boundary, -1
    at = entity.start - 1  # the line end before the body
    if not data.startswith(mark[1:], entity.start):
        at = data.find(mark, entity.start, entity.end)
    while at >= 0:
        after = at + len(mark)
        line_end = _line_end(data, after, entity.end)
        rest = data[after : min(line_end, after + 80)].strip()
        if rest in {b"", b"--"}:
            if start >= 0:  # the line end before a boundary belongs to it
                yield start, max(start, at - data.endswith(b"\r", start, at))
            if rest:
                return
            start = line_end
        at = data.find(mark, max(after, line_end - 1), entity.end)
    if start >= 0:  # the last boundary is missing: the mail is cut off
        yield start, entity.end


def _line_end(data: bytes, start: int, end: int) -> int:
    found = data.find(b"\n", start, end)
    return end if found < 0 else found + 1


def _decoded(data: bytes, encoding: str) -> bytes:
    """The bytes without their transfer encoding, as far as they are whole."""
    if encoding == "base64":
        clean = data.translate(None, _NOT_BASE64)
        whole = clean[: len(clean) - (len(clean) % 4 == 1)]
        return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding in _UUENCODED:
        return b"".join(_uu_lines(data))
    return data


def _uu_lines(data: bytes) -> Iterator[bytes]:
    """The lines between "begin" and "end", each as far as it is whole."""
    begin = re.search(rb"^begin [0-7]{3,4} [^\n]*\n", data, re.MULTILINE)
    for line in data[begin.end() if begin else 0 :].splitlines():
        if line == b"end" or not line:
            return
        length = (((line[0] - 32) & 63) * 4 + 5) // 3
        try:
            yield binascii.a2b_uu(line[: length + 1])
        except binascii.Error:
            continue
