"""The header of a mail or of a part of one: the few fields that decide what a person sees."""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from core.documents.encoding.declarations import known_encoding
from core.documents.encoding.decode import Decoded, decode
from core.documents.readers.reader import whole_characters

_FIELD = 16_000  # characters: Python's parser takes quadratic time over a field
_FIELDS = re.compile(
    rb"^(?:subject|mime-version|content-[a-z-]{1,40})[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_FIELDS = 50
_FIELD_END = re.compile(r"\n(?![ \t])")
_FOLD = re.compile(r"\s*[\r\n]\s*")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
# Their bytes are ASCII, so that nothing but the declaration tells them from it.
_SEVEN_BITS = frozenset({"utf-7", "hz", "iso2022_cn", "iso2022_kr", "iso2022_jp"})


class Header:
    """The fields that Neardup looks at, however many others there are.

    Args:
        block: The bytes before the empty line.
    """

    def __init__(self, block: bytes) -> None:
        fields = []
        for match in _FIELDS.finditer(block):
            fields.append(match[0][:_FIELD].strip())
            if len(fields) == _MOST_FIELDS:
                break
        self._message: Message = Message()
        for line in _FIELD_END.split(decode_text(b"\n".join(fields))):
            name, _, value = line.partition(":")
            self._message[name.strip()] = value.strip()

    @property
    def content_type(self) -> str:
        """The type in lower case; what is not given or not understood is "text/plain"."""
        return self._message.get_content_type()

    @property
    def is_typed(self) -> bool:
        """Whether a type is given."""
        return "content-type" in self._message

    @property
    def disposition(self) -> str:
        """Where it is shown: "inline", "attachment" or ""."""
        value = str(self._message.get("content-disposition", ""))
        return value.partition(";")[0].strip().lower()

    @property
    def transfer_encoding(self) -> str:
        """How its bytes are written, "base64", in lower case."""
        value = str(self._message.get("content-transfer-encoding", ""))
        return value.partition(";")[0].strip().lower()

    @property
    def content_id(self) -> str:
        """By which a page of HTML can show it, "<1@example>"; "" without one."""
        return str(self._message.get("content-id", "")).strip()

    @property
    def subject(self) -> str:
        """The subject on one line, "" without one."""
        return _words(str(self._message.get("subject", "")))

    @property
    def file_name(self) -> str:
        """The name an attachment has, "" without one."""
        try:
            name = self._message.get_filename("")
        except (ValueError, LookupError, TypeError):  # damaged RFC 2231
            return ""
        return _words(whole_characters(name))

    def parameter(self, name: str) -> str:
        """A parameter of the type, "" without it."""
        try:
            value = self._message.get_param(name, "")
        except (ValueError, LookupError, TypeError):
            return ""
        text = value[2] if isinstance(value, tuple) else str(value)
        return text.strip()


def header_end(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Where a header ends and the body begins.

    A header may be empty; without an empty line, all is header.
    """
    if data.startswith((b"\n", b"\r\n"), start):
        return start, start + (1 if data.startswith(b"\n", start) else 2)
    found = _BLANK_LINE.search(data, start, end)
    return (found.start(), found.end()) if found else (end, end)


def decode_text(data: bytes, declared: str = "") -> str:
    """Bytes of a header as text, whatever they are."""
    text = body_text(data, declared)
    if text is None:
        return data.decode("latin-1") if data.isascii() else data.decode("utf-8", "replace")
    return text


def body_text(data: bytes, declared: str) -> str | None:
    """Bytes of a part as text, None where they are none.

    What is declared counts only where the bytes do not say otherwise.
    """
    encoding = declared.lower().strip("\"' ")
    if encoding and (text := _by_seven_bits(data, encoding)) is not None:
        return text
    found = decode(data, declared=encoding or None) if data else Decoded("", "")
    return None if found is None else found.text


def _by_seven_bits(data: bytes, declared: str) -> str | None:
    """The text in an encoding that looks like ASCII."""
    if not data.isascii():
        return None
    name = "utf-7" if "utf-7" in declared else known_encoding(declared)
    if name not in _SEVEN_BITS:
        return None
    try:
        return whole_characters(data.decode(name))
    except ValueError:
        return None


def _words(value: str) -> str:
    """A field on one line, its encoded words (RFC 2047) decoded."""
    line = _FOLD.sub(" ", value[:_FIELD]).strip()
    if "=?" not in line:
        return line
    try:
        chunks = decode_header(line[:4_000])
    except (HeaderParseError, ValueError):
        return line
    texts = (
        decode_text(chunk, charset or "") if isinstance(chunk, bytes) else chunk
        for chunk, charset in chunks
    )
    return whole_characters(" ".join("".join(texts).split()))
