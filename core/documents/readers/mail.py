"""Mails: the subject and the body as a mail program shows them; attachments are its parts.

Who wrote to whom and when is not part of the text: a circular is the same document to each of its
recipients. What is quoted of other mails is: the reader of a mail sees it.

MIME: the parts of a mail as spans of its bytes (RFC 2045 to 2049), and their content.

Python's parser splits a mail into lines and recurses into its parts: a mail made for it, or just a
big one, takes all memory. Here a part is where it begins and ends; only headers are parsed.
"""

from __future__ import annotations

import binascii
import mimetypes
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from functools import cached_property
from itertools import islice, pairwise

from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.documents.encoding import Decoded, decode, known_encoding
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Part, Reader, Reading, whole_characters
from core.documents.readers.shared.packed_files import base64_content
from core.documents.readers.web import visible_text

_HEADER_FIELD = 16_000  # characters: Python's parser takes quadratic time over a field
_FIELDS = lazy_pattern(
    rb"^(?:subject|mime-version|content-[a-z-]{1,40})[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_FIELDS = 50
_FIELD_END = lazy_pattern(r"\n(?![ \t])")
_FOLD = lazy_pattern(r"\s*[\r\n]\s*")
_BLANK_LINE = lazy_pattern(rb"\r?\n\r?\n")
# Their bytes are ASCII, so that nothing but the declaration tells them from it.
_SEVEN_BITS = frozenset({"utf-7", "hz", "iso2022_cn", "iso2022_kr", "iso2022_jp"})


class Header:
    """The fields that Neardup looks at, however many others there are.

    Args:
        block: The bytes before the empty line.
        default_type: What it is where it does not say so.
    """

    def __init__(self, block: bytes, default_type: str = "text/plain") -> None:
        fields = [
            match[0][:_HEADER_FIELD].strip()
            for match in islice(_FIELDS.finditer(block), _MOST_FIELDS)
        ]
        self._message: Message = Message()
        self._message.set_default_type(default_type)
        for line in _FIELD_END.split(decode_text(b"\n".join(fields))):
            name, _, value = line.partition(":")
            self._message[name.strip()] = value.strip()

    @cached_property
    def content_type(self) -> str:
        """The type in lower case; "text/plain" where it cannot be parsed."""
        return self._message.get_content_type()

    def word(self, name: str) -> str:
        """A field in lower case without its parameters, "" without one."""
        return self.field(name).partition(";")[0].strip().lower()

    def field(self, name: str) -> str:
        """A field as it stands there, "" without one."""
        return str(self._message.get(name, ""))

    @property
    def subject(self) -> str:
        """The subject on one line, "" without one."""
        return _words(self.field("subject"))

    @property
    def file_name(self) -> str:
        """The name an attachment has, "" without one."""
        name = ""
        with suppress(ValueError, LookupError, TypeError):  # damaged RFC 2231
            name = whole_characters(self._message.get_filename(""))
        return _words(name)

    def parameter(self, name: str) -> str:
        """A parameter of the type, "" without it."""
        with suppress(ValueError, LookupError, TypeError):
            value = self._message.get_param(name, "")
            return (value[2] if isinstance(value, tuple) else str(value)).strip()
        return ""


def header_end(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Where a header ends and the body begins.

    A header may be empty; without an empty line, all is header.
    """
    if data.startswith((b"\n", b"\r\n"), start):
        return start, start + (1 if data.startswith(b"\n", start) else 2)
    match = _BLANK_LINE.search(data, start, end)
    return (match.start(), match.end()) if match else (end, end)


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
    decoded = decode(data, declared=encoding or None) if data else Decoded("", "")
    return None if decoded is None else decoded.text


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
    line = _FOLD.sub(" ", value[:_HEADER_FIELD]).strip()
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


_DEPTH = 60
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
    is_related: bool = False
    children: list[Entity] = field(default_factory=list)

    @property
    def content_type(self) -> str:
        """What it is, in lower case."""
        return self.header.content_type

    @cached_property
    def content(self) -> bytes:
        """Its bytes, decoded."""
        return _decoded(
            self.data[self.start : self.end], self.header.word("content-transfer-encoding")
        )

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
        UnreadableError: TOO_DEEP.
    """
    root = _entity(data, 0, len(data))
    pending = [root]
    while pending:
        entity = pending.pop()
        entity.children += _children(entity)
        pending += reversed(entity.children)
        reading.step()
    return root


def _entity(
    data: bytes, start: int, end: int, depth: int = 0, default_type: str = "text/plain"
) -> Entity:
    header, body = header_end(data, start, end)
    return Entity(data, Header(data[start:header], default_type), body, end, depth)


def _children(entity: Entity) -> Iterator[Entity]:
    """The parts between the boundaries of a multipart; what is before and after is not shown."""
    boundary = entity.header.parameter("boundary").rstrip()
    if not entity.content_type.startswith("multipart/") or not boundary:
        return
    if entity.depth == _DEPTH:
        raise UnreadableError(
            ProblemCode.TOO_DEEP,
            "The parts of this mail are nested more than {depth} deep.",
            depth=_DEPTH,
        )
    default_type = "message/rfc822" if entity.content_type == "multipart/digest" else "text/plain"
    for start, end in _spans(entity, boundary.encode("utf-8", "replace")):
        child = _entity(entity.data, start, end, entity.depth + 1, default_type)
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
        newline = data.find(b"\n", after, entity.end)
        line_end = entity.end if newline < 0 else newline + 1
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


def _decoded(data: bytes, encoding: str) -> bytes:
    """The bytes without their transfer encoding, as far as they are whole."""
    if encoding == "base64":
        return base64_content(data)
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


_SUFFIXES = frozenset({".eml", ".emlx"})
HEAD = 16_384  # bytes of a header that are looked at to tell what a file is
_FIELD_NAME = lazy_pattern(rb"([!-9;-~]{1,76})[ \t]{0,9}:")
_BY_PEOPLE = frozenset({b"from", b"to", b"cc", b"date", b"subject", b"reply-to", b"sender"})
BY_MACHINES = frozenset(
    {
        b"content-type",
        b"delivered-to",
        b"message-id",
        b"mime-version",
        b"received",
        b"return-path",
        b"x-mailer",
        b"x-mozilla-status",
        b"x-unsent",
    }
)
_APPLE_COUNT = lazy_pattern(rb"\d{1,12}[ \t]{0,20}\r?\n")  # before a mail in an emlx file
_ENVELOPE = lazy_pattern(rb"From [^\n]{1,999}\n")
_BODIES = frozenset(
    {"text/plain", "text/html", "text/enriched", "text/markdown", "text/x-markdown"}
)
_MAILS = frozenset({"message/rfc822", "message/global", "message/news"})
# For programs only: signatures, notes on delivery.
_FOR_NOBODY = frozenset(
    {
        "application/pgp-encrypted",
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "message/delivery-status",
        "message/disposition-notification",
        "message/external-body",
        "message/partial",
        "text/rfc822-headers",
    }
)
_SMIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_ARMOUR = "-----BEGIN PGP MESSAGE-----"
_TYPES = mimetypes.MimeTypes()  # Python's own, not those of the machine
_LOCKED = N_("This mail is encrypted. Open it in your mail program and save the text.")
_PART_LOCKED = N_("A part of this mail is encrypted; it is not in the text.")
_NO_TEXT = N_(
    "A part of this mail is called a text, but its bytes are none; it is not in the text."
)
_SIGNED = N_(
    "The text of this mail is packed into its signature (S/MIME), which is not opened. Open "
    "it in your mail program and save the text."
)
_OUTLOOK = N_(
    "This attachment is packed in a format of Outlook's own (winmail.dat). Open the mail in "
    "Outlook and save what is attached."
)
_SHORT = 400  # characters of a text that may only say that the mail is a web page
_NAME = 80


def _recognises(data: bytes, suffix: str) -> bool:
    """By the fields of its header: one that is known when the name promises a mail, else many."""
    start = _mail_start(data, suffix)
    names = field_names(data, start)
    if suffix in _SUFFIXES:
        return not names.isdisjoint(_BY_PEOPLE | BY_MACHINES)
    return len(names & _BY_PEOPLE) >= 2 and not names.isdisjoint(BY_MACHINES)


def _mail_start(data: bytes, suffix: str) -> int:
    before = _ENVELOPE.match(data) if suffix in _SUFFIXES else None
    if suffix == ".emlx":
        before = _APPLE_COUNT.match(data)
    return before.end() if before else 0


def field_names(data: bytes, start: int = 0) -> set[bytes]:
    """The names of the first fields of a header, in lower case; none when a line is no field."""
    names: set[bytes] = set()
    if not _FIELD_NAME.match(data, start):  # of nearly all files this is all that is looked at
        return names
    head = data[start : start + HEAD]
    block = head[: header_end(head, 0, len(head))[0]]
    lines = block.split(b"\n")
    for line in lines if len(block) < len(head) else lines[:-1]:
        if not line.startswith((b" ", b"\t")):
            match = _FIELD_NAME.match(line)
            if not match:
                return set()
            names.add(match[1].lower())
    return names


def read_mail(data: bytes, reading: Reading) -> Extracted:
    """The text of a mail.

    Raises:
        UnreadableError: ENCRYPTED, UNSUPPORTED or TOO_DEEP.
    """
    root = _parse(data, reading)
    body = _MailBody(reading)
    text = body.text_of(root).strip("\n")
    if body.is_locked and not text:
        raise UnreadableError(ProblemCode.ENCRYPTED, _LOCKED)
    remarks = (_PART_LOCKED,) * body.is_locked + (_NO_TEXT,) * body.is_binary
    return Extracted("\n\n".join(filter(None, (root.header.subject, text))), remarks=remarks)


def _parse(data: bytes, reading: Reading) -> Entity:
    start, end = _mail_start(data, reading.suffix), len(data)
    if reading.suffix == ".emlx" and start:
        end = start + int(data[:start])
    return parse_mail(data[start:end] if start else data, reading)


class _MailBody:
    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.is_locked = False
        self.is_binary = False

    def text_of(self, entity: Entity) -> str:
        if _is_attached(entity):
            return ""
        kind = entity.content_type
        if kind == "multipart/alternative":
            return self._best(entity.children)
        if kind in {"multipart/related", "multipart/signed"} and entity.children:
            return self.text_of(entity.children[0])
        if kind == "multipart/encrypted" or kind in _SMIME:
            return self._locked(entity)
        if entity.children:
            return "\n\n".join(filter(None, map(self.text_of, entity.children)))
        # A multipart that has lost its parts is shown as it is; a picture never.
        return self._shown(entity) if kind in _BODIES or kind.startswith("multipart/") else ""

    def _locked(self, entity: Entity) -> str:
        if "signed" in entity.header.parameter("smime-type"):
            raise UnreadableError(ProblemCode.UNSUPPORTED, _SIGNED)
        self.is_locked = True
        return ""

    def _shown(self, entity: Entity) -> str:
        """The text of a part that has none below it."""
        self._reading.step()
        source = entity.text
        if source is None:
            self.is_binary = True
            return ""
        if entity.content_type == "text/html":
            return visible_text(source).strip("\n")
        text = source.strip("\n")
        if text.lstrip().startswith(_ARMOUR):
            self.is_locked = True
            return ""
        return text

    def _best(self, choices: list[Entity]) -> str:
        """Plain text; the web page instead when the text does little more than point to it."""
        plain = [choice for choice in choices if choice.content_type == "text/plain"]
        text = next(filter(None, map(self.text_of, plain)), "")
        if len(text) > _SHORT:
            return text
        others = (self.text_of(choice) for choice in choices if choice not in plain)
        other = next(filter(None, others), "")
        return other if len(other) > 4 * len(text) else text


def _is_attached(entity: Entity) -> bool:
    kind, header = entity.content_type, entity.header
    disposition = header.word("content-disposition")
    if entity.children or kind in _FOR_NOBODY or kind in _SMIME or kind.startswith("multipart/"):
        return False
    if kind.startswith("image/") and entity.is_related and disposition != "attachment":
        return not (header.field("content-id").strip() or disposition == "inline")
    if kind in _BODIES:
        return entity.depth > 0 and (disposition == "attachment" or header.file_name != "")
    return True


def attachments(data: bytes, reading: Reading) -> Iterator[Part]:
    """What is attached to a mail, in its order."""
    attached = [entity for entity in _parse(data, reading).walk() if _is_attached(entity)]
    for number, entity in enumerate(attached, 1):
        name = attachment_name(entity.header.file_name, entity.content_type, number)
        if entity.content_type in _MAILS:
            name = mail_name(entity.content)
        if entity.content_type == "application/ms-tnef" or name.lower() == "winmail.dat":
            yield Part(name, UnreadableError(ProblemCode.UNSUPPORTED, _OUTLOOK))
        else:
            yield Part(name, entity.content)


def attachment_name(name: str, content_type: str, number: int) -> str:
    """The name that the sender gave, without folders; else one by its type."""
    name = re.split(r"[\\/]", name)[-1].strip()
    if name not in {"", ".", ".."}:
        return name
    return f"attachment {number}{_TYPES.guess_extension(content_type) or ''}"


def mail_name(data: bytes) -> str:
    """A file name for a mail: its subject, shortened."""
    header = Header(data[: header_end(data, 0, len(data))[0]])
    words = header.subject.replace("/", "-").replace("\\", "-")
    return (words[:_NAME].strip(" .") or "no subject") + ".eml"


EML = Reader("eml", N_("a mail (eml)"), "mail", _SUFFIXES, _recognises, read_mail, attachments)


_START = b"From "
_LONGEST = 400  # bytes of a line that begins a mail
_DATE = lazy_pattern(
    rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b,?.{1,30}\b\d{1,2}:\d\d.{1,30}\d{4}|\d{4}-\d\d-\d\d"
)
_MBOX_FIELD = lazy_pattern(rb">?[!-9;-~]{1,76}[ \t]{0,9}:|From ")
_QUOTED = lazy_pattern(rb"^>(>*From )", re.MULTILINE)


def _begins_mail(data: bytes, at: int) -> bool:
    """Whether a line that starts with "From " has a date, and a field of a header follows it."""
    end = data.find(b"\n", at, at + _LONGEST)
    if end < 0 or not _DATE.search(data, at, end):
        return False
    return _MBOX_FIELD.match(data, end + 1) is not None


def _starts(data: bytes, reading: Reading) -> list[int]:
    """Where the mails begin: at the start of the file, or after an empty line."""
    starts = []
    at = 0
    while at >= 0:
        after_blank = at == 0 or data.endswith((b"\n\n", b"\n\r\n"), 0, at)
        if after_blank and _begins_mail(data, at):
            starts.append(at)
        at = data.find(b"\n" + _START, at) + 1 or -1
        reading.step()
    return starts


def _mbox_parts(data: bytes, reading: Reading) -> Iterator[Part]:
    """The mails. They are not limited in number: unlike packed files they do not grow."""
    starts = _starts(data, reading)
    width = max(4, len(str(len(starts))))
    for number, (start, end) in enumerate(pairwise([*starts, len(data)]), 1):
        mail = _QUOTED.sub(rb"\1", data[data.index(b"\n", start) + 1 : end])
        yield Part(f"{number:0{width}} {mail_name(mail)}", mail)


MBOX = Reader(
    "mbox",
    N_("a mailbox (mbox)"),
    "",
    frozenset({".mbox", ".mbx"}),
    # By its first line, which names a sender and a date; a mail with its envelope is a mail.
    lambda data, suffix: suffix != ".eml" and data.startswith(_START) and _begins_mail(data, 0),
    parts=_mbox_parts,
)


_MHTML_SUFFIXES = frozenset({".mht", ".mhtml"})
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_SAVED = frozenset({b"snapshot-content-location"})
_SENT = frozenset({b"to", b"cc", b"bcc", b"message-id", b"received", b"return-path", b"x-unsent"})


def _mhtml_recognises(data: bytes, suffix: str) -> bool:
    """By its header: that of a saved web page in the form of a mail that was never sent."""
    names = field_names(data)
    if not names & {b"mime-version", b"content-type"}:
        return False
    if suffix in _MHTML_SUFFIXES or names & _SAVED:
        return True
    header = Header(data[: header_end(data, 0, min(len(data), HEAD))[0]])
    return header.content_type == "multipart/related" and names.isdisjoint(_SENT)


def _mhtml_read(data: bytes, reading: Reading) -> Extracted:
    """The pages one after the other, the one that was saved first."""
    root = parse_mail(data, reading)
    texts = [visible_text(page.text or "").strip("\n") for page in _pages(root)]
    if not texts:
        raise UnreadableError(
            ProblemCode.DAMAGED, "This file is damaged: there is no page in it. Save it again."
        )
    return Extracted("\n\n".join(filter(None, texts)))


def _pages(root: Entity) -> Iterator[Entity]:
    """The pages of HTML, the root of the related parts first."""
    pages = [entity for entity in root.walk() if entity.content_type in _PAGES]
    wanted = root.header.parameter("start")
    yield from sorted(pages, key=lambda page: page.header.field("content-id").strip() != wanted)


MHTML = Reader(
    "mhtml",
    N_("a saved web page (mhtml)"),
    N_("web page (MHTML)"),
    _MHTML_SUFFIXES,
    _mhtml_recognises,
    _mhtml_read,
)
