"""Mails: the subject and the body as a mail program shows them; attachments are its parts.

Who wrote to whom and when is not part of the text: a circular is the same document to each of its
recipients. What is quoted of other mails is: the reader of a mail sees it.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator

from core.documents.model import ProblemCode
from core.documents.readers.mail.header import Header, header_end
from core.documents.readers.mail.mime import Entity, parse_mail
from core.documents.readers.reader import Extracted, Part, Reader, Reading
from core.documents.readers.web.html import visible_text
from core.documents.unreadable import UnreadableError

_SUFFIXES = frozenset({".eml", ".emlx"})
HEAD = 16_384  # bytes of a header that are looked at to tell what a file is
_FIELD_NAME = re.compile(rb"([!-9;-~]{1,76})[ \t]{0,9}:")
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
_APPLE_COUNT = re.compile(rb"\d{1,12}[ \t]{0,20}\r?\n")  # before a mail in an emlx file
_ENVELOPE = re.compile(rb"From [^\n]{1,999}\n")
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
_LOCKED = "This mail is encrypted. Open it in your mail program and save the text."
_PART_LOCKED = "A part of this mail is encrypted; it is not in the text."
_NO_TEXT = "A part of this mail is called a text, but its bytes are none; it is not in the text."
_SIGNED = (
    "The text of this mail is packed into its signature (S/MIME), which is not opened. Open it in "
    "your mail program and save the text."
)
_OUTLOOK = (
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


def _read(data: bytes, reading: Reading) -> Extracted:
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
            return visible_text(source, self._reading).strip("\n")
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
    if entity.children or kind in _FOR_NOBODY or kind in _SMIME or kind.startswith("multipart/"):
        return False
    if kind.startswith("image/") and entity.is_related and header.disposition != "attachment":
        return not (header.content_id or header.disposition == "inline")
    if kind in _BODIES:
        return entity.depth > 0 and (header.disposition == "attachment" or header.file_name != "")
    return True


def _parts(data: bytes, reading: Reading) -> Iterator[Part]:
    attached = [entity for entity in _parse(data, reading).walk() if _is_attached(entity)]
    for number, entity in enumerate(attached, 1):
        name = _attachment_name(entity, number)
        if entity.content_type == "application/ms-tnef" or name.lower() == "winmail.dat":
            yield Part(name, UnreadableError(ProblemCode.UNSUPPORTED, _OUTLOOK))
        else:
            yield Part(name, entity.content)


def _attachment_name(entity: Entity, number: int) -> str:
    """The name that the sender gave, without folders; else one by its type."""
    if entity.content_type in _MAILS:
        return mail_name(entity.content)
    name = re.split(r"[\\/]", entity.header.file_name)[-1].strip()
    if name not in {"", ".", ".."}:
        return name
    kind = entity.content_type
    return f"attachment {number}{_TYPES.guess_extension(kind) or ''}"


def mail_name(data: bytes) -> str:
    """A file name for a mail: its subject, shortened."""
    header = Header(data[: header_end(data, 0, len(data))[0]])
    words = header.subject.replace("/", "-").replace("\\", "-")
    return (words[:_NAME].strip(" .") or "no subject") + ".eml"


READER = Reader("eml", "a mail (eml)", "mail", _SUFFIXES, _recognises, _read, _parts)
