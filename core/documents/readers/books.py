"""EPUB 2 and 3: the parts of the spine, one after the other, each a page of XHTML."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote, urlsplit

from core.base.messages import N_, nstored
from core.base.patterns import lazy_pattern
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers.reader import Extracted, Reader, Reading, decoded
from core.documents.readers.shared.packed_files import Package, media_type, names_in
from core.documents.readers.shared.text_flow import Gap, TextFlow
from core.documents.readers.shared.xml import Elements, Handler, parse_xml, root_pattern
from core.documents.readers.web import visible_text

_START = root_pattern(b"FictionBook")
_SUFFIXES = frozenset({".fb2", ".fbz"})
_SKIPPED = frozenset({"binary", "description", "stylesheet"})
_GAPS = {
    **dict.fromkeys(
        ("annotation", "body", "cite", "epigraph", "p", "poem", "section", "stanza"), Gap.PARAGRAPH
    ),
    **dict.fromkeys(("empty-line", "subtitle", "table", "text-author", "title"), Gap.PARAGRAPH),
    **dict.fromkeys(("date", "tr", "v"), Gap.LINE),
    **dict.fromkeys(("td", "th"), Gap.CELL),
}


def _fb2_recognises(data: bytes, suffix: str) -> bool:
    """By its root, wherever that can be read, or by the only name in an archive."""
    if data.startswith(b"PK\x03\x04"):
        names = names_in(data)
        return len(names) == 1 and names[0].lower().endswith(".fb2")
    return _START.match(data) is not None or (
        suffix == ".fb2" and data.startswith((b"\xff\xfe", b"\xfe\xff"))
    )


class _Fb2Book(Handler):
    def __init__(self) -> None:
        self.flow = TextFlow()
        self._skipped = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins; the mark of a note is none of the words before it."""
        local = name.rpartition(" ")[2]
        is_mark = local == "a" and attributes.get("type") == "note"
        if self._skipped or local in _SKIPPED or is_mark:
            self._skipped += 1
        else:
            self.flow.separate(_GAPS.get(local, Gap.NOTHING))

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        else:
            self.flow.separate(_GAPS.get(name.rpartition(" ")[2], Gap.NOTHING))

    def text(self, text: str) -> None:
        if not self._skipped:
            self.flow.write(text)


def _fb2_read(data: bytes, reading: Reading) -> Extracted:
    """The bodies, notes last, as they stand in the file."""
    if data.startswith(b"PK"):
        package = Package(data, reading)
        data = package.read(package.infos[0])
    book = _Fb2Book()
    encoding = parse_xml(data, book, reading, tolerates_doctype=True)
    return Extracted(book.flow.text(), encoding)


FB2 = Reader(
    "fb2", N_("a FictionBook (fb2)"), N_("e-book (FB2)"), _SUFFIXES, _fb2_recognises, _fb2_read
)


_PAGES = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document", "image/svg+xml"})
# These scramble fonts, which are no text (EPUB 3.3, 4.4).
_OBFUSCATION = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})


LocalElements = list[tuple[str, dict[str, str]]]  # local names and attributes, in their order


def spine(package: LocalElements, folder: str) -> list[str]:
    """The pages that a package document in a folder lists; those that are not linear come last."""
    items = {attributes.get("id", ""): attributes for name, attributes in package if name == "item"}
    is_aside: dict[str, bool] = {}
    for name, attributes in package:
        item = items.get(attributes.get("idref", "")) if name == "itemref" else None
        if item is not None and item.get("media-type", "").lower() in _PAGES:
            page = resolved(folder, item.get("href", ""))
            is_aside.setdefault(page, attributes.get("linear") == "no")
    return sorted(is_aside, key=is_aside.__getitem__)


def resolved(folder: str, href: str) -> str:
    """The name in the package that a reference means."""
    try:
        path = unquote(urlsplit(href).path)
    except ValueError:
        path = href
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


LOCKED = N_(
    "Protected by DRM: only the shop's own program can open this book. Get a copy "
    "without protection."
)
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_OF_ONE_PART = frozenset({ProblemCode.DAMAGED, ProblemCode.BINARY})
_EMPTY_ELEMENT = lazy_pattern(r"<([A-Za-z][\w:.-]*+)([^<>]*?)/>")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track"}
    | {"wbr", "param"}
)
_TITLE = lazy_pattern(r"<title\b[^<>]*+>[^<]*+</title\s*+>", re.IGNORECASE)

# The mark of a note: none of the words before it.
_NOTE_MARK = lazy_pattern(
    r"<a\b(?=[^<>]*\bepub:type=[\"'][^\"'<>]*\bnoteref\b)[^<>]*>"
    r"[^<]{0,20}(?:<su[bp]\b[^<>]*>[^<]{0,20}</su[bp]\s*>[^<]{0,20})?</a\s*>",
    re.IGNORECASE,
)


def _read(data: bytes, reading: Reading) -> Extracted:
    """Chapter by chapter; what the spine calls not linear comes last."""
    package = Package(data, reading)
    name = _package_document(package, reading)
    elements = _elements(package, name, reading)
    pages = spine(elements, posixpath.dirname(name))
    _refuse_locked(package, frozenset(pages), reading)
    chapters = [page for page in pages if page in package]
    texts: list[str] = []
    failures: list[UnreadableError] = []
    for chapter in chapters:
        try:
            page = package.read(chapter)
            texts.append(shown_in(decoded(page).text) if page.strip() else "")
        except UnreadableError as error:
            if error.code not in _OF_ONE_PART:
                raise
            failures.append(error)
    if failures and not texts:
        raise failures[0]
    remarks = (
        nstored(
            "{n} part of this book is missing in the file: its text is not read.",
            "{n} parts of this book are missing in the file: their text is not read.",
            len(pages) - len(chapters),
        ),
        nstored(
            "{n} part of this book is damaged and not in the text.",
            "{n} parts of this book are damaged and not in the text.",
            len(failures),
        ),
    )
    text = "\n\n".join(text for text in texts if text)
    return Extracted(text, remarks=tuple(it for it in remarks if not it.startswith("0 ")))


def _package_document(package: Package, reading: Reading) -> str:
    """The name of the part that lists the others; without a container, the only one there is."""
    container = _elements(package, _CONTAINER, reading)
    listed = (
        resolved("", attributes["full-path"])
        for name, attributes in container
        if name == "rootfile" and attributes.get("full-path")
    )
    name = next(listed, None)
    if name is None or name not in package:
        name = next((it for it in package.names if it.lower().endswith(".opf")), None)
    if name is None:
        raise UnreadableError(
            ProblemCode.DAMAGED,
            "This book is damaged: the list of its chapters is missing. Get another copy.",
        )
    return name


def _elements(package: Package, name: str, reading: Reading) -> LocalElements:
    """What a part says; nothing where it is missing."""
    elements = Elements()
    if name in package:
        parse_xml(package.read(name), elements, reading, tolerates_doctype=True)
    return [(element.rpartition(" ")[2], attributes) for element, attributes in elements.found]


def _refuse_locked(package: Package, pages: frozenset[str], reading: Reading) -> None:
    """A book bought with a copy protection has its chapters encrypted.

    Only the shop's own program opens them.
    """
    algorithm = ""
    for name, attributes in _elements(package, _ENCRYPTION, reading):
        if name == "EncryptionMethod":
            algorithm = attributes.get("Algorithm", "")
        is_locked = name == "CipherReference" and algorithm not in _OBFUSCATION
        if is_locked and resolved("", attributes.get("URI", "")) in pages:
            raise UnreadableError(ProblemCode.ENCRYPTED, LOCKED)


def shown_in(source: str) -> str:
    """What pages of a book show; their titles are for the tab of a browser only."""
    source = _NOTE_MARK.sub("", _EMPTY_ELEMENT.sub(_opened, source))
    return visible_text(_TITLE.sub("", source))


def _opened(element: re.Match[str]) -> str:
    """In XML any element can close itself; to HTML, <title/> would be the start of one."""
    name, attributes = element.groups()
    return element[0] if name.lower() in _VOID else f"<{name}{attributes}></{name}>"


EPUB = Reader(
    "epub",
    N_("an e-book (epub)"),
    N_("e-book (EPUB)"),
    frozenset({".epub"}),
    lambda data, _suffix: media_type(data) == "application/epub+zip",
    _read,
    never_text=True,
)
