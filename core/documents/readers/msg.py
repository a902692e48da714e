"""Outlook messages (msg, oft), read as the mails that they were, with what is attached to them.

A message is a storage of a compound file ([MS-OXMSG]); its properties ([MS-OXPROPS]) are streams
named by number and type. A message within a message is a storage within its attachment. Each is
written as MIME, of which `mail` makes text. RTF is packed as in [MS-OXRTFCP].
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Iterator
from urllib.parse import quote

from core.base.messages import N_
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Part, Reader, Reading, rtf
from core.documents.readers.mail import (
    attachment_name,
    attachments,
    decode_text,
    mail_name,
    read_mail,
)
from core.documents.readers.shared.packed_files import OleFile, check_part, root_names
from core.documents.readers.shared.story import Tally

_PROPERTIES = "__properties_version1.0"
_ATTACHMENT = "__attach_version1.0_#"
_TOP_HEADER, _MESSAGE_HEADER, _ATTACHMENT_HEADER = 32, 24, 8  # bytes before the numbers
_TEXT, _OLD_TEXT, _BINARY, _STORAGE = "001F", "001E", "0102", "000D"

_CLASS, _SUBJECT, _MESSAGE_ID = 0x001A, 0x0037, 0x1035
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_PLAIN, _PACKED_RTF, _HTML = 0x1000, 0x1009, 0x1013
_CODE_PAGE, _HTML_PAGE = 0x3FFD, 0x3FDE
_CONTENT, _METHOD, _LONG_NAME, _SHORT_NAME, _SHOWN_NAME = 0x3701, 0x3705, 0x3707, 0x3704, 0x3001
_TYPE, _FLAGS, _IS_HIDDEN = 0x370E, 0x3714, 0x7FFE
_BY_REFERENCE, _EMBEDDED_MESSAGE, _OLE_OBJECT = frozenset({2, 3, 4, 7}), 5, 6
_SHOWN_IN_BODY = 0x4
_SMIME_CLASS = "IPM.NOTE.SMIME"
_SIGNED = "multipart/signed"
_DEPTH = 6  # of messages in each other: of those deeper none is read


class _Storage:
    """A message or an attachment: its properties by their numbers."""

    def __init__(self, file: OleFile, path: tuple[str, ...], header: int, page: int = 0) -> None:
        self.file = file
        self.path = path
        stream = file.stream(*path, _PROPERTIES)[header:]
        rows = struct.iter_unpack("<HHIQ", stream[: len(stream) // 16 * 16])
        self._numbers: dict[int, int] = {number: value & 0xFFFFFFFF for _, number, _, value in rows}
        self.page = self.number(_CODE_PAGE) or self.number(_HTML_PAGE) or page

    def number(self, number: int) -> int:
        return self._numbers.get(number, 0)

    def binary(self, number: int, kind: str = _BINARY) -> bytes:
        return self.file.stream(*self.path, f"__substg1.0_{number:04X}{kind}")

    def text(self, number: int) -> str:
        if wide := self.binary(number, _TEXT):
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self.binary(number, _OLD_TEXT).rstrip(b"\0")
        return decode_text(narrow, rtf.codec_of_page(self.page) or "") if narrow else ""

    def line(self, number: int) -> str:
        return " ".join(self.text(number).split())


class _Attachment(_Storage):
    @property
    def method(self) -> int:
        return self.number(_METHOD)

    @property
    def name(self) -> str:
        return self.line(_LONG_NAME) or self.line(_SHORT_NAME) or self.line(_SHOWN_NAME)

    @property
    def content_type(self) -> str:
        """In lower case, with its parameters."""
        return self.line(_TYPE).lower()

    @property
    def is_shown_in_body(self) -> bool:
        """Whether it is a picture in a page of HTML."""
        is_inline = self.number(_FLAGS) & _SHOWN_IN_BODY or self.number(_IS_HIDDEN) & 1
        return bool(is_inline) and self.content_type.startswith("image/")

    def message(self) -> _Message:
        inside = (*self.path, f"__substg1.0_{_CONTENT:04X}{_STORAGE}")
        return _Message(self.file, inside, _MESSAGE_HEADER, self.page)


class _Message(_Storage):
    def attachments(self) -> Iterator[_Attachment]:
        """Those that are not shown in the body, in their order."""
        for name in sorted(self.file.storages(*self.path)):
            if name.lower().startswith(_ATTACHMENT):
                attachment = _Attachment(
                    self.file, (*self.path, name), _ATTACHMENT_HEADER, self.page
                )
                if not attachment.is_shown_in_body:
                    yield attachment

    def is_signature(self, attachment: _Attachment) -> bool:
        """Whether it is the whole mail, signed or encrypted (S/MIME)."""
        kind = attachment.content_type
        is_whole = kind.startswith(_SIGNED) or "pkcs7-mime" in kind
        return is_whole and self.text(_CLASS).upper().startswith(_SMIME_CLASS)

    def bodies(self, reading: Reading) -> Iterator[tuple[str, bytes]]:
        """Its text in one or more forms, each after its type; RTF only where there is no other."""
        plain = self.text(_PLAIN)
        page = self.text(_HTML).encode("utf-8", "replace")
        charset = "utf-8"
        if not page:
            page = self.binary(_HTML)
            charset = rtf.codec_of_page(self.number(_HTML_PAGE)) or ""
        if not plain.strip() and not page.strip():
            packed = self.binary(_PACKED_RTF)
            story = unpacked_rtf(packed, reading) if packed else b""
            if b"{" in story:
                plain = rtf.read_rtf(story, reading).text
        yield "text/plain; charset=utf-8", plain.encode("utf-8", "replace")
        if page:
            yield f"text/html; charset={charset}", page


_RTF_START = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_RTF_HEADER = struct.Struct("<IIII")
_PACKED, _STORED = 0x75465A4C, 0x414C454D
_WINDOW = 1 << 12
_STEP = 1 << 16


def unpacked_rtf(data: bytes, reading: Reading) -> bytes:
    """The RTF in a property ([MS-OXRTFCP] 2.1), as far as it is whole.

    Raises:
        UnreadableError: TOO_BIG_UNPACKED.
    """
    if len(data) < _RTF_HEADER.size:
        return b""
    _, size, kind, _ = _RTF_HEADER.unpack_from(data)
    if kind != _PACKED:
        return data[_RTF_HEADER.size :][:size] if kind == _STORED else b""
    check_part(size, reading.limits)
    out = bytearray(_RTF_START)
    end = len(_RTF_START) + size
    at, next_step = _RTF_HEADER.size, _STEP
    while at < len(data) and len(out) < end:
        if len(out) >= next_step:
            next_step += _STEP
            reading.step()
        controls = data[at]
        at += 1
        for bit in range(8):
            if not controls >> bit & 1:
                out += data[at : at + 1]
                at += 1
            elif at + 2 > len(data):
                return bytes(out[len(_RTF_START) :])
            else:
                reference = data[at] << 8 | data[at + 1]
                at += 2
                back = (len(out) - (reference >> 4)) % _WINDOW
                if not back:  # a reference to where the text ends is the end
                    return bytes(out[len(_RTF_START) :])
                for _ in range((reference & 0xF) + 2):
                    out.append(out[-back] if back <= len(out) else 0x20)
    return bytes(out[len(_RTF_START) : end])


def as_mail(data: bytes, reading: Reading) -> bytes:
    """The message without what is attached, as MIME.

    Raises:
        UnreadableError: DAMAGED.
    """
    return _mime(_opened(data), reading)


def _opened(data: bytes) -> _Message:
    message = _Message(OleFile(data), (), _TOP_HEADER)
    if _PROPERTIES.upper() not in message.file.names:
        raise UnreadableError(
            ProblemCode.DAMAGED,
            "This message is damaged: it cannot be opened. Save it again in Outlook.",
        )
    return message


def _mime(message: _Message, reading: Reading, depth: int = 0) -> bytes:
    """A message; where it is in another one, from a depth of 1 on, with what is attached."""
    reading.step()
    if depth > _DEPTH:
        return b"\n"
    address = message.line(_SENDER_SMTP) or message.line(_SENDER_ADDRESS)
    head = (
        f"From: {message.line(_SENDER)} <{address}>\nSubject: {message.line(_SUBJECT)}\n"
        f"Message-ID: {message.line(_MESSAGE_ID)}\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="=_mixed"\n\n'
        '--=_mixed\nContent-Type: multipart/alternative; boundary="=_forms"\n\n'
    )
    pieces = [head.encode("utf-8", "replace")]
    pieces += [_entity("=_forms", *body) for body in message.bodies(reading)]
    pieces.append(b"--=_forms--\n")
    size = 0
    for attachment in message.attachments():
        if message.is_signature(attachment):
            pieces.append(_signed(attachment))
        elif depth:
            pieces.append(_attached(attachment, reading, depth))
        else:
            continue
        size += len(pieces[-1])
        check_part(size, reading.limits)
    return b"".join((*pieces, b"--=_mixed--\n"))


def _entity(boundary: str, head: str, content: bytes) -> bytes:
    """In base 64 nothing is taken for a boundary."""
    lines = f"--{boundary}\nContent-Type: {head}\nContent-Transfer-Encoding: base64\n\n"
    return lines.encode("utf-8", "replace") + binascii.b2a_base64(content)


def _signed(attachment: _Attachment) -> bytes:
    """A whole mail; what is encrypted needs no more than its type."""
    if attachment.content_type.startswith(_SIGNED):
        return b"--=_mixed\n" + attachment.binary(_CONTENT) + b"\n"
    return _entity("=_mixed", attachment.content_type, b"")


def _attached(attachment: _Attachment, reading: Reading, depth: int) -> bytes:
    if attachment.method == _EMBEDDED_MESSAGE:
        return _entity("=_mixed", "message/rfc822", _mime(attachment.message(), reading, depth + 1))
    name = quote(attachment.name)
    kind = attachment.content_type.partition(";")[0] or "application/octet-stream"
    head = f"{kind}\nContent-Disposition: attachment; filename*=utf-8''{name}"
    return _entity("=_mixed", head, attachment.binary(_CONTENT))


_SUFFIXES = frozenset({".msg", ".oft"})


def _recognises(data: bytes, suffix: str) -> bool:
    """By the stream of its properties; a damaged compound file by its name."""
    names = root_names(data)
    is_damaged = not names and suffix in _SUFFIXES and data.startswith(b"\xd0\xcf\x11\xe0")
    return is_damaged or _PROPERTIES.upper() in names


def _read(data: bytes, reading: Reading) -> Extracted:
    message = _opened(data)
    tally = Tally()
    for attachment in message.attachments():
        tally.objects += attachment.method == _OLE_OBJECT
        tally.linked += attachment.method in _BY_REFERENCE
    text, _, remarks = read_mail(_mime(message, reading), reading)
    return Extracted(text, remarks=(*remarks, *tally.remarks()))


def _parts(data: bytes, reading: Reading) -> Iterator[Part]:
    message = _opened(data)
    for number, attachment in enumerate(message.attachments(), 1):
        reading.step()
        if attachment.method in _BY_REFERENCE or attachment.method == _OLE_OBJECT:
            continue  # the message itself has a remark on it
        if message.is_signature(attachment):
            yield from attachments(attachment.binary(_CONTENT), reading)
        elif attachment.method == _EMBEDDED_MESSAGE:
            try:
                mail = _mime(attachment.message(), reading, depth=1)
                yield Part(mail_name(mail), mail)
            except UnreadableError as error:
                yield Part(attachment.name or f"attachment {number}", error)
        else:
            content = attachment.binary(_CONTENT)
            kind = attachment.content_type.partition(";")[0]
            yield Part(attachment_name(attachment.name, kind, number), content)


READER = Reader(
    "msg",
    N_("an Outlook message (msg)"),
    "mail",
    _SUFFIXES,
    _recognises,
    _read,
    _parts,
    libraries=("olefile",),
)
