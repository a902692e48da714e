"""Web pages saved as one file (MHTML, RFC 2557): the page, and the pages in its frames."""

from __future__ import annotations

from collections.abc import Iterator

from core.documents.model import ProblemCode
from core.documents.readers.mail import eml
from core.documents.readers.mail.header import Header, header_end
from core.documents.readers.mail.mime import Entity, parse_mail
from core.documents.readers.reader import Extracted, Reader, Reading
from core.documents.readers.web.html import visible_text
from core.documents.unreadable import UnreadableError

_SUFFIXES = frozenset({".mht", ".mhtml"})
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_SAVED = frozenset({b"snapshot-content-location"})
_SENT = frozenset({b"to", b"cc", b"bcc", b"message-id", b"received", b"return-path", b"x-unsent"})


def _recognises(data: bytes, suffix: str) -> bool:
    """By its header: that of a mail with a page in it, which nobody ever sent."""
    names = eml.field_names(data)
    if not names & {b"mime-version", b"content-type"}:
        return False
    if suffix in _SUFFIXES or names & _SAVED:
        return True
    header = Header(data[: header_end(data, 0, min(len(data), eml.HEAD))[0]])
    return header.content_type == "multipart/related" and names.isdisjoint(_SENT)


def _read(data: bytes, reading: Reading) -> Extracted:
    """The pages one after the other, the one that was saved first."""
    root = parse_mail(data, reading)
    texts = [visible_text(page.text or "", reading).strip("\n") for page in _pages(root)]
    if not texts:
        raise UnreadableError(
            ProblemCode.DAMAGED, "This file is damaged: there is no page in it. Save it again."
        )
    return Extracted("\n\n".join(filter(None, texts)))


def _pages(root: Entity) -> Iterator[Entity]:
    """The pages of HTML, the root of the related parts first."""
    pages = [entity for entity in root.walk() if entity.content_type in _PAGES]
    wanted = root.header.parameter("start")
    yield from sorted(pages, key=lambda page: page.header.content_id != wanted)


READER = Reader(
    "mhtml", "a saved web page (mhtml)", "web page (MHTML)", _SUFFIXES, _recognises, _read
)
