r"""The properties of each format, read in the confined process of its reader.

Office Open XML: core properties (ECMA-376 part 2, 11), extended properties (part 1, 22.2),
revision identifiers of editing sessions (part 1, 17.15.1.70 to 72), paragraph identifiers
([MS-DOCX] 2.2.4). What pasting and editing leave in those of single runs: D. Spennemann and others,
2024 (doi:10.1016/j.fsidi.2024.301821). OpenDocument: `office:meta` (ODF 1.3 part 3, 4.3);
LibreOffice writes session numbers of its own (`officeooo:rsid`), those of the first session and the
last in its settings. PDF: document information and file identifier (ISO 32000-2, 14.3.3 and 14.4),
XMP identifiers (XMP part 2, 1.2). Word 97 to 2003 and others: properties of a compound file
([MS-OLEPS]). RTF: `\info`, `\rsidtbl` (RTF 1.9.1).

Elements are found by pattern, not by a parser: a name and a value are all that is wanted, and a
package that is damaged elsewhere has its properties too.
"""

from __future__ import annotations

import html
import re
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from ctypes import POINTER, c_ushort, cast, create_string_buffer
from email import message_from_bytes
from email.header import decode_header, make_header
from itertools import chain, islice
from types import ModuleType
from typing import TYPE_CHECKING

import xxhash

from core.base.patterns import lazy_pattern
from core.documents import properties as kinds
from core.documents.model import UnreadableError
from core.documents.properties import (
    Properties,
    PropertyKind,
    collected,
    minutes_of,
    moment_of,
    pdf_date,
)
from core.documents.readers import Reading, books, doc
from core.documents.readers.msg import as_mail
from core.documents.readers.pdf.pages import annotations_of
from core.documents.readers.rtf import RtfParser, codec_of_page
from core.documents.readers.shared.packed_files import OleFile, Package, inflated, is_ole, unlocked

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

Found = Iterator[tuple[PropertyKind, str | None]]
_SMALLEST = 512  # bytes: bullets and lines are in every file of a program


def properties_of(kind: str, data: bytes, reading: Reading) -> Properties:
    """The properties of a file; none for a format that has none.

    Args:
        kind: Of its reader.
        data: Its bytes.
        reading: With the passwords.

    Raises:
        UnreadableError: It cannot be opened.
    """
    find = _BY_KIND.get(kind)
    return collected(find(data, reading)) if find else {}


_ELEMENT = lazy_pattern(r"<(?:[\w.-]+:)?([\w.-]+)(?:\s[^<>]*)?>([^<]*)</")


def _elements(data: str, names: Collection[str], most: int = 1) -> dict[str, list[str]]:
    """The texts of the first elements of some names, in whatever namespace."""
    elements: dict[str, list[str]] = {name: [] for name in names}
    for match in _ELEMENT.finditer(data):
        texts = elements.get(match[1])
        if texts is not None and len(texts) < most:
            texts.append(html.unescape(match[2]))
    return elements


def _first_of(data: str, kinds: Mapping[str, PropertyKind]) -> Found:
    """The first element of each of some names."""
    texts = _elements(data, kinds)
    yield from ((kinds[name], text) for name, of in texts.items() for text in of)


def _attributes(data: str, name: str) -> set[str]:
    """The values of an attribute, in whatever namespace."""
    pattern = rf"""{name}(?<=[\s:]{name})=(?:"([^"<]*)"|'([^'<]*)')"""
    matches = re.findall(pattern, data)
    return {html.unescape(double or single) for double, single in matches}


def _part(package: Package, name: str) -> str:
    """A part of XML; empty where there is none, or it is broken."""
    return _bytes_of(package, name).decode("utf-8", "replace")


def _bytes_of(package: Package, name: str) -> bytes:
    """The same in UTF-8."""
    with suppress(KeyError, UnreadableError):
        data = package.read(name)
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        return data.decode("utf-16", "replace").encode("utf-8", "replace") if wide else data
    return b""


def _picture(data: bytes | memoryview) -> Found:
    """A picture or another file, unless it is tiny."""
    if len(data) >= _SMALLEST:
        yield kinds.PICTURES, xxhash.xxh3_128_hexdigest(data)


def _pictures(package: Package, pattern: re.Pattern[str], reading: Reading) -> Found:
    names = [name for name in package.names if pattern.search(name)]
    for name in names[: kinds.PICTURES.most]:
        with suppress(KeyError, UnreadableError):
            data = package.read(name)
            if not _FORMULA.search(data[:_SMALLEST]):
                yield from _picture(data)
        reading.step()


# In ODF an object is a document, or a file; the picture beside it is drawn from it by a program.
_FORMULA = lazy_pattern(rb"<(?:\w+:)?math\b")  # two people write the same without each other
_OFFICE_PICTURES = lazy_pattern(r"^(?:word|ppt|xl)/(?:media|embeddings)/[^/]+$")
# Fonts and settings for the web have neither sessions nor authors (17.8.3.10 and 17.15.2).
_WORD_PARTS = lazy_pattern(r"word/(?:glossary/)?(?!fontTable|webSettings)[^/]+\.xml$")
_OFFICE_CORE = {
    "creator": kinds.CREATED_BY,
    "lastModifiedBy": kinds.SAVED_BY,
    "title": kinds.TITLE,
    "revision": kinds.REVISION,
    "created": kinds.CREATED,
    "modified": kinds.SAVED,
    "lastPrinted": kinds.PRINTED,
}
_OFFICE_APP = {"Template": kinds.TEMPLATE, "Company": kinds.COMPANY, "TotalTime": kinds.MINUTES}
# In bytes, and each with a fixed beginning: a part is gone through at the speed of a search for it.
_SESSION = lazy_pattern(
    rb'rsid(?<=[\s:]rsid)(?:\w{0,12}|(?:Root)?\s[^<>]{0,40}?val)="([0-9A-Fa-f]{8})"'
)
_PARAGRAPH = lazy_pattern(rb'paraId(?<=[\s:]paraId)="([0-9A-Fa-f]{8})"')
# Text without a session of its own is of that of its paragraph (17.3.1.22 and 17.3.2.25).
_RUN = lazy_pattern(
    rb'<w:(?:(p)(?=[ >])(?:[^<>]*?w:rsidRDefault="([0-9A-Fa-f]{8})")?'
    rb'|(r)(?=[ >])(?:[^<>]*?w:rsidR="([0-9A-Fa-f]{8})")?|t(?: [^<>]*)?>([^<]+))'
)
_AUTHOR = lazy_pattern(rb"""author(?<=[\s:]author)=(?:"([^"<]*)"|'([^'<]*)')""")


def _office(data: bytes, reading: Reading) -> Found:
    """Word, PowerPoint and Excel since 2007."""
    package = Package(data, reading)
    yield from _first_of(_part(package, "docProps/core.xml"), _OFFICE_CORE)
    app = _part(package, "docProps/app.xml")
    yield from _first_of(app, _OFFICE_APP)
    yield kinds.PROGRAM, " ".join(chain(*_elements(app, ("Application", "AppVersion")).values()))
    for name in filter(_WORD_PARTS.match, package.names):
        part = _bytes_of(package, name)
        reading.step()
        for kind, pattern in ((kinds.SESSIONS, _SESSION), (kinds.PARAGRAPHS, _PARAGRAPH)):
            for number in set(pattern.findall(part)):
                yield kind, number.decode().upper()
        for double, single in set(_AUTHOR.findall(part)):
            yield kinds.COMMENTED_BY, html.unescape((double or single).decode("utf-8", "replace"))
        if name == "word/document.xml" and b"w:rsidR" in part:
            yield from _session_texts(_word_runs(part))
    yield from _pictures(package, _OFFICE_PICTURES, reading)


def _word_runs(part: bytes) -> Iterator[tuple[str, int]]:
    """The length of each run in bytes, and the session in which it was written, if it says so."""
    of_paragraph = of_run = b""
    for match in _RUN.finditer(part):
        paragraph, default, run, session, text = match.groups()
        if paragraph:
            of_paragraph = of_run = default or b""
        elif run:
            of_run = session or of_paragraph
        else:
            yield of_run.decode().upper(), len(text)


def _session_texts(runs: Iterable[tuple[str, int]]) -> Found:
    """How much of all text was written in each session; nothing where no text has one."""
    lengths = Counter[str]()
    for session, length in runs:
        lengths[session] += length
    total = lengths.total()
    for session, length in lengths.items():
        if session:
            yield kinds.SESSION_TEXTS, f"{session} {length}/{total}"


_ODF_META = {
    "initial-creator": kinds.CREATED_BY,
    "creator": kinds.SAVED_BY,
    "title": kinds.TITLE,
    "generator": kinds.PROGRAM,
    "creation-date": kinds.CREATED,
    "date": kinds.SAVED,
    "print-date": kinds.PRINTED,
    "editing-cycles": kinds.REVISION,
    "editing-duration": kinds.MINUTES,
}
_ODF_SESSION = lazy_pattern(r'officeooo:(?:paragraph-)?rsid="([0-9a-fA-F]{1,8})"')
_ODF_ENDS = lazy_pattern(r'config:name="Rsid(?:Root)?"[^<>]{0,80}>(\d{1,9})<')
_ODF_PICTURES = lazy_pattern(r"^(?:(?:Pictures|media)/[^/]+|Object \d+(?:/content\.xml)?)$")
_ODF_STYLE = lazy_pattern(
    r'<style:style\s[^<>]*?style:name="([^"<>]*)"|officeooo:rsid="([0-9a-fA-F]{1,8})"'
)
_ODF_TAG = lazy_pattern(r"<(/?)(text:(?:p|h|span)\b)?([^<>]*)>([^<]*)")
_ODF_STYLE_NAME = lazy_pattern(r'text:style-name="([^"]*)"')
_ODF_COMMENT = lazy_pattern(
    r"<office:(?:annotation|change-info)\b.{0,2000}?</dc:creator>", re.DOTALL
)


def _open_document(data: bytes, reading: Reading) -> Found:
    package = Package(data, reading)
    meta = _part(package, "meta.xml")
    for kind, text in _first_of(meta, _ODF_META):
        yield kind, minutes_of(text or "") if kind is kinds.MINUTES else text
    template = re.search(r"<meta:template\b[^<>]*", meta)
    named = template[0] if template else ""
    for name in _attributes(named, "title") or _attributes(named, "href"):  # Word gives no title
        yield kinds.TEMPLATE, name
    for number in _ODF_ENDS.findall(_part(package, "settings.xml")):
        yield kinds.SESSIONS, f"{int(number):08X}"
    for name in ("content.xml", "styles.xml"):
        part = _part(package, name)
        reading.step()
        for session in set(_ODF_SESSION.findall(part)):
            yield kinds.SESSIONS, session.upper().rjust(8, "0")
        for comment in _ODF_COMMENT.findall(part):
            yield from _first_of(comment, {"creator": kinds.COMMENTED_BY})
        if name == "content.xml":
            yield from _session_texts(_odf_runs(part))
    yield from _pictures(package, _ODF_PICTURES, reading)


def _odf_runs(part: str) -> Iterator[tuple[str, int]]:
    """The length of what stands between two tags, and the session that its style names."""
    sessions: dict[str, str] = {}
    style = ""
    styles, _, body = part.partition("<office:body")
    for match in _ODF_STYLE.finditer(styles):
        if match[2]:
            sessions[style] = match[2].upper().rjust(8, "0")
        else:
            style = match[1]
    open_sessions: list[str] = []
    for match in _ODF_TAG.finditer(body) if sessions else ():
        end, name, attributes, text = match.groups()
        if name and end:
            del open_sessions[-1:]
        elif name and not attributes.endswith("/"):
            named = _ODF_STYLE_NAME.search(attributes)
            before = open_sessions[-1] if open_sessions else ""
            open_sessions.append(sessions.get(named[1], before) if named else before)
        if text and open_sessions:
            yield open_sessions[-1], len(text)


_PACKET = lazy_pattern(rb"<\?xpacket begin.{0,200000}?<\?xpacket end", re.DOTALL)
_XMP_IDS = ("DocumentID", "OriginalDocumentID", "InstanceID", "documentID", "instanceID")
_INFO = (
    (kinds.CREATED_BY, "Author", "dc:creator"),
    (kinds.TITLE, "Title", "dc:title"),
    (kinds.CREATED, "CreationDate", "xmp:CreateDate"),
    (kinds.SAVED, "ModDate", "xmp:ModifyDate"),
)
# The line behind the first by which programs begin every file (ISO 32000-2, 7.5.2, only wants four
# such bytes): of those whose files were looked at, by the name that they give as their own.
# That programs can be told by such habits is known from S. Adhatarao and C. Lauradoux, Robust PDF
# Files Forensics Using Coding Style (arXiv:2103.02702).
_FIRST_BYTES = {
    "LibreOffice": "äüöß".encode(),
    "Typst": b"\x80" * 4,
    "pdfTeX": b"\xd0\xd4\xc5\xd8",
    "Ghostscript": b"\xc7\xec\x8f\xa2",
    "Quartz": b"\xc4\xe5\xf2\xe5\xeb\xa7\xf3\xa0\xd0\xc4\xc6",
    "Skia/PDF": b"\xd3\xeb\xe9\xe1",
    "cairo": b"\xb5\xed\xae\xfb",
    "Microsoft® Word": b"\xb5" * 4,
}
_OF_QPDF = b"\xbf\xf7\xa2\xfe"
_END_OF_VERSION = lazy_pattern(rb"startxref\s{1,4}(\d{1,12})\s{1,4}%%EOF")
_REFERENCES = lazy_pattern(rb"\s{0,4}(?:xref\b|\d+\s+\d+\s+obj\b)")
_HEAD_OF_PDF = 1024
_SUBSET = lazy_pattern(rb"/FontName\s*/([A-Z]{6}\+[^\s/<>\[\](){}%]{1,100})")
_NAME_ESCAPE = lazy_pattern(rb"#([0-9A-Fa-f]{2})")
_OBJECT_STREAM = lazy_pattern(rb"/ObjStm\b")
_LONGEST_OBJECTS = 1 << 22
_STREAM = lazy_pattern(rb"stream[\r\n]{0,2}")
_DATES = ("CreationDate", "ModDate")
_METADATA_KEYS = ("Author", "Title", "Creator", "Producer", *_DATES)
_PDF_PICTURE = lazy_pattern(rb"/Subtype\s*/Image\b")
_PDF_COMMENT = lazy_pattern(
    rb"/Subtype\s*/(?:Text|FreeText|Highlight|Underline|Squiggly|StrikeOut|Caret|Ink|Stamp|Line"
    rb"|Square|Circle|Poly(?:gon|Line)|FileAttachment|Sound|Redact)\b"
)
_LONGEST_NAME = 1_000  # bytes
_LONGEST_DICTIONARY = 4_000
_END_OF_STREAM = b"endstream"


def _pdf(data: bytes, reading: Reading) -> Found:
    import pypdfium2 as pdfium
    from pypdfium2 import raw

    from core.documents.readers.pdf import unlocked as unlocked_pdf

    with closing(unlocked_pdf(pdfium, data, reading.passwords)) as document:
        info = {name: document.get_metadata_value(name) for name in _METADATA_KEYS}
        first, second = "", ""
        with suppress(ValueError, pdfium.PdfiumError):
            first = document.get_identifier(raw.FILEIDTYPE_PERMANENT).hex()
            second = document.get_identifier(raw.FILEIDTYPE_CHANGING).hex()
        yield from _pdf_objects(pdfium, raw, document, data, reading)
    # Of a file without one, qpdf makes it of the time, to the second, and of what the file says of
    # itself: the same for several that it saves at once.
    if first == second and _OF_QPDF in data[:_HEAD_OF_PDF]:
        first = ""
    if first:
        # The second, which qpdf always makes so, tells nothing without the first.
        yield kinds.FILE_IDS, first
        if second not in {"", first}:
            yield kinds.FILE_IDS, f"{second}/{first[:8]}"
    versions = [*_versions(data)]
    for version in versions:
        yield kinds.VERSIONS, version
    # Both are the same until the file is saved again; some programs keep them all the same.
    dates = {moment_of(pdf_date(date)) for name in _DATES if (date := str(info.get(name, "")))}
    marks = max(len({first, second} - {""}), len(versions), len(dates))
    if first and (marks > 1 or _is_of_another(data, info)):
        yield kinds.EARLIER_IDS, first
    packets = [packet.decode("utf-8", "replace") for packet in _PACKET.findall(data)]
    for kind, name, in_xmp in _INFO:
        value = str(info.get(name, ""))
        if not value and packets:  # PDF 2.0 has it in XMP alone; the file's own is the last
            element = re.search(rf"<{in_xmp}\b.{{0,2000}}?</{in_xmp}>", packets[-1], re.DOTALL)
            value = html.unescape(re.sub(r"<[^<>]*>", " ", element[0])) if element else ""
        yield kind, pdf_date(value) if kind in {kinds.CREATED, kinds.SAVED} else value
    yield kinds.PROGRAM, " · ".join(filter(None, (info.get("Creator"), info.get("Producer"))))
    yield from _xmp_identifiers(packets)
    yield from _pdf_pictures(data, reading)


def _is_of_another(data: bytes, info: Mapping[str, str]) -> bool:
    """Whether a file begins otherwise than its program does: another saved it and kept the name."""
    program = info.get("Producer") or info.get("Creator") or ""
    first = next((first for name, first in _FIRST_BYTES.items() if name in program), b"")
    return first not in data[:_HEAD_OF_PDF]


def _xmp_identifiers(packets: list[str]) -> Found:
    """All identifiers; those of earlier instances are in the history, or in earlier packets."""
    of_packets = [
        {name: {*_attributes(packet, name), *texts} for name, texts in elements.items()}
        for packet in packets
        for elements in (_elements(packet, _XMP_IDS, kinds.FILE_IDS.most),)
    ]
    for identifiers in of_packets:
        for value in set[str]().union(*identifiers.values()):
            yield kinds.FILE_IDS, value
        earlier = identifiers["InstanceID"] | identifiers["instanceID"]
        for value in earlier - of_packets[-1]["InstanceID"]:
            yield kinds.EARLIER_IDS, value


def _versions(data: bytes) -> Iterator[str]:
    """The hash of the file at each time it was saved, which later saving only added to.

    Each ends where its cross-references are pointed to (ISO 32000-2, 7.5.5 and 7.5.6); the first
    end of a linearized file is none (annex F). Line ends behind it belong to nobody.
    """
    found = (match.end() for match in _END_OF_VERSION.finditer(data) if _is_end(data, match))
    ends = [*islice(found, kinds.VERSIONS.most + 1)]
    if len(ends) > 1 and b"/Linearized" in data[:_HEAD_OF_PDF]:
        ends = ends[1:]
    state, position = xxhash.xxh3_128(), 0
    for end in ends:
        state.update(memoryview(data)[position:end])
        position = end
        yield state.hexdigest()


def _is_end(data: bytes, match: re.Match[bytes]) -> bool:
    """Whether cross-references are where an end of file says: not of a file within this one."""
    offset = int(match[1])
    return offset < match.start() and bool(_REFERENCES.match(data, offset))


def _pdf_objects(
    pdfium: ModuleType, raw: ModuleType, document: PdfDocument, data: bytes, reading: Reading
) -> Found:
    """Attached files (ISO 32000-2, 7.11.4), fonts and comments, also in packed objects."""
    for number in range(min(document.count_attachments(), kinds.PICTURES.most)):
        with suppress(pdfium.PdfiumError):
            yield from _picture(document.get_attachment(number).get_data())
        reading.step()
    streams = (_objects_in(data, match) for match in _OBJECT_STREAM.finditer(data))
    has_comments = False
    for objects in chain((data,), streams):
        yield from _fonts(objects)
        has_comments = has_comments or bool(_PDF_COMMENT.search(objects))
        reading.step()
    for number in range(len(document) if has_comments else 0):
        with suppress(pdfium.PdfiumError), closing(document[number]) as page:
            yield from _pdf_comments(pdfium, raw, page)
        reading.step()


def _fonts(objects: bytes) -> Found:
    """Names of fonts with the tag of their subset (ISO 32000-2, 9.9.2): "ABCDEF+Georgia".

    Programs draw tags at random, count them up, or make them of the letters that are used: the same
    tag in two files joins them in none of these cases for sure.
    """
    for name in {*_SUBSET.findall(objects)}:
        letters = _NAME_ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), name)
        yield kinds.FONTS, letters.decode("utf-8", "replace")


def _pdf_comments(pdfium: ModuleType, raw: ModuleType, page: PdfPage) -> Found:
    """Who commented, with which files (ISO 32000-2, 12.5.6); T of a form field is its name."""
    for annotation in annotations_of(raw, page):
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if kind != raw.FPDF_ANNOT_WIDGET:
            name = create_string_buffer(_LONGEST_NAME)
            wide = cast(name, POINTER(c_ushort))
            raw.FPDFAnnot_GetStringValue(annotation, b"T", wide, _LONGEST_NAME)
            yield kinds.COMMENTED_BY, name.raw.decode("utf-16-le", "replace").partition("\0")[0]
        if kind == raw.FPDF_ANNOT_FILEATTACHMENT:
            with suppress(pdfium.PdfiumError):
                file = raw.FPDFAnnot_GetFileAttachment(annotation)
                yield from _picture(pdfium.PdfAttachment(file, page.pdf).get_data())


def _objects_in(data: bytes, match: re.Match[bytes]) -> bytes:
    """The objects of a stream (ISO 32000-2, 7.5.7); empty where they are packed otherwise."""
    stream = _STREAM.search(data, match.end(), match.end() + _LONGEST_DICTIONARY)
    if stream is None:
        return b""
    return inflated(data, stream.end(), _LONGEST_OBJECTS, zlib.MAX_WBITS)[0]


def _pdf_pictures(data: bytes, reading: Reading) -> Found:
    """Pictures as they are packed: these bytes stay the same when a PDF file is passed on."""
    for number, match in enumerate(_PDF_PICTURE.finditer(data)):
        if number >= kinds.PICTURES.most:
            return
        begin = data.find(b"stream", match.end(), match.end() + _LONGEST_DICTIONARY)
        end = data.find(_END_OF_STREAM, begin) if begin >= 0 else -1
        if end >= 0:
            yield from _picture(data[begin + len(b"stream") : end].strip())
        reading.step()


_UTF_16 = 1200  # as a code page
# The head of a picture: version and instance, which has a 1 where there are two identifiers, type,
# and length ([MS-ODRAW], OfficeArtBlip: EMF, WMF, PICT, JPEG twice, PNG, DIB, TIFF).
_PICTURE_RECORD = lazy_pattern(
    rb"\xf0(?<=([@P]=\x1a|[`p]!\x1b|[ 0]T\x1c|[\xa0\xb0]F[\x1d*]|[ 0]n[\x1d*]|[\0\x10]n\x1e"
    rb"|[\x80\x90]z\x1f|[@P]n\x29)\xf0)(.{4})",
    re.DOTALL,
)
_LAST_METAFILE = 0x1C
_EMBEDDED = ("package", "\1Ole10Native", "CONTENTS", "Workbook", "PowerPoint Document")


def _ole(data: bytes, reading: Reading) -> Found:
    """Word, Excel and PowerPoint of 97 to 2003."""
    file = OleFile(data) if is_ole(data) else None
    meta = file.metadata() if file else None
    if file is None or meta is None:
        return
    reading.step()
    for kind, value in (
        (kinds.CREATED_BY, meta.author),
        (kinds.SAVED_BY, meta.last_saved_by),
        (kinds.TITLE, meta.title),
        (kinds.COMPANY, meta.company),
        (kinds.PROGRAM, meta.creating_application),
        (kinds.TEMPLATE, meta.template),
        (kinds.REVISION, meta.revision_number),
    ):
        yield kind, _text(value, meta.codepage)
    for kind, moment in (
        (kinds.CREATED, meta.create_time),
        (kinds.SAVED, meta.last_saved_time),
        (kinds.PRINTED, meta.last_printed),
    ):
        if moment is not None:
            yield kind, f"{moment.isoformat(timespec='seconds')}Z"
    if isinstance(meta.total_edit_time, int | float):
        yield kinds.MINUTES, str(int(meta.total_edit_time // 60))
    reading.step()
    yield from _within(file)


def _within(file: OleFile) -> Found:
    """Pictures and files in it, and who commented where it is a document of Word."""
    text = file.stream("WordDocument")
    for stream in (text, file.stream("Data"), file.stream("Pictures")):
        for picture in _office_art(stream):
            yield from _picture(picture)
    for name in file.storages("ObjectPool")[: kinds.PICTURES.most]:
        for inner in _EMBEDDED:
            yield from _picture(file.stream("ObjectPool", name, inner))
    with suppress(UnreadableError):
        for name in doc.people_in(file, text):
            yield kinds.COMMENTED_BY, name


def _office_art(stream: bytes) -> Iterator[memoryview]:
    """Pictures in a stream of Office Art, byte for byte as they were inserted.

    Those of a metafile are packed; those of a workbook are cut into pieces and not found.
    """
    at, content = 0, memoryview(stream)
    while match := _PICTURE_RECORD.search(stream, at):
        begin = at = match.end()
        end = begin + int.from_bytes(match[2], "little")
        if end <= len(stream):
            # One identifier before it, or two; then a tag, or the head of a metafile.
            begin += 16 << (match[1][0] >> 4 & 1)
            yield content[begin + (34 if match[1][2] <= _LAST_METAFILE else 1) : end]
            at = end


def _text(value: object, codepage: int | None) -> str:
    """A string up to its zero: some programs leave others behind it."""
    if isinstance(value, bytes):
        page = (codepage or 1252) & 0xFFFF  # a signed number in the file
        codec = "utf-16-le" if page == _UTF_16 else codec_of_page(page) or "cp1252"
        value = value.decode(codec, "replace")
    return "" if value is None else str(value).partition("\0")[0]


_RTF_INFO = lazy_pattern(rb"\\info\b.{0,20000}?\}\}", re.DOTALL)
_RTF_TABLE = lazy_pattern(rb"\\rsidtbl\b([^{}]{0,2000000})")
_RTF_NAMES = (
    *((kinds.CREATED_BY, rb"author"), (kinds.SAVED_BY, rb"operator")),
    *((kinds.TITLE, rb"title"), (kinds.COMPANY, rb"company")),
)
_RTF_DATES = ((kinds.CREATED, rb"creatim"), (kinds.SAVED, rb"revtim"), (kinds.PRINTED, rb"printim"))
_RTF_NUMBERS = ((kinds.REVISION, rb"version"), (kinds.MINUTES, rb"edmins"))
_RTF_DATE = rb"\{\\%b\\yr(\d{1,4})\\mo(\d{1,2})\\dy(\d{1,2})(?:\\hr(\d{1,2}))?(?:\\min(\d{1,2}))?"


def _rtf(data: bytes, reading: Reading) -> Found:
    match = _RTF_INFO.search(data)
    info = match[0] if match else b""
    page = re.search(rb"\\ansicpg\d{1,5}", data[:20_000])
    for kind, name in _RTF_NAMES:
        if value := re.search(rb"\{(?:\\\*)?\\%b ([^{}]{0,4000})\}" % name, info):
            text = rb"{\rtf1%b %b}" % (page[0] if page else b"", value[1])
            yield kind, RtfParser(text, reading).body
    for kind, name in _RTF_DATES:
        if date := re.search(_RTF_DATE % name, info):
            year, month, day, hour, minute = (int(group) for group in date.groups(b"0"))
            yield kind, f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00"
    for kind, name in _RTF_NUMBERS:
        if number := re.search(rb"\\%b(\d{1,9})" % name, info):
            yield kind, number[1].decode()
    if generator := re.search(rb"\\\*\\generator ([^{};]{1,200})", data[:20_000]):
        yield kinds.PROGRAM, generator[1].decode("cp1252", "replace")
    if table := _RTF_TABLE.search(data):
        for session in re.findall(rb"\\rsid(\d{1,10})", table[1]):
            yield kinds.SESSIONS, f"{int(session):08X}"


_BOOK = {"title": kinds.TITLE, "creator": kinds.CREATED_BY, "identifier": kinds.FILE_IDS}
_BOOK_PICTURES = lazy_pattern(r"\.(?:gif|jpe?g|png|svg|webp)$", re.IGNORECASE)


def _book(data: bytes, reading: Reading) -> Found:
    package = Package(data, reading)
    for part in package.names:
        if part.lower().endswith(".opf"):
            texts = _elements(_part(package, part), _BOOK, kinds.FILE_IDS.most)
            for name, kind in _BOOK.items():
                yield from (
                    (kind, text) for text in texts[name][: 1 if kind is kinds.TITLE else None]
                )
    yield from _pictures(package, _BOOK_PICTURES, reading)


def _kindle(data: bytes, reading: Reading) -> Found:
    book = books.Book(data)
    yield kinds.CREATED, book.created
    yield kinds.SAVED, book.saved
    facts = book.facts()
    kinds_by_record = {books.TITLE: kinds.TITLE, books.AUTHOR: kinds.CREATED_BY}
    kinds_by_record |= {
        books.CONTRIBUTOR: kinds.PROGRAM,
        **dict.fromkeys(books.IDENTIFIERS, kinds.FILE_IDS),
    }
    for number, kind in kinds_by_record.items():
        for text in facts.get(number, ()):
            yield kind, html.unescape(text)
    for picture in islice(book.pictures(), kinds.PICTURES.most):
        yield from _picture(picture)
    reading.step()


_META = lazy_pattern(r"<meta\s[^<>]{0,2000}>", re.IGNORECASE)


def _page(data: bytes, _reading: Reading) -> Found:
    """The head of a web page."""
    head = data[:100_000].decode("utf-8", "replace")
    for element in _META.findall(head):
        for kind, name in ((kinds.CREATED_BY, "author"), (kinds.PROGRAM, "generator")):
            if {name} & {value.lower() for value in _attributes(element, "name")}:
                yield kind, next(iter(_attributes(element, "content")), None)


_HEAD_MOST = 100_000


def _mail(data: bytes, _reading: Reading) -> Found:
    end = re.search(rb"\r?\n\r?\n", data[:_HEAD_MOST])
    head = message_from_bytes(data[: end.start() if end else _HEAD_MOST])
    for kind, name in (
        (kinds.CREATED_BY, "From"),
        (kinds.FILE_IDS, "Message-ID"),
        (kinds.PROGRAM, "X-Mailer"),
        (kinds.PROGRAM, "User-Agent"),
    ):
        value = str(head.get(name, ""))
        with suppress(LookupError, ValueError):
            value = str(make_header(decode_header(value)))
        yield kind, value


_BY_KIND: dict[str, Callable[[bytes, Reading], Found]] = {
    **dict.fromkeys(("docx", "pptx", "xlsx"), _office),
    "office": lambda data, reading: _office(unlocked(data, reading), reading),  # under a password
    **dict.fromkeys(("odt", "odp", "ods"), _open_document),
    "pdf": _pdf,
    **dict.fromkeys(("doc", "xls", "ppt"), _ole),
    "rtf": _rtf,
    "epub": _book,
    "mobi": _kindle,
    "html": _page,
    **dict.fromkeys(("eml", "mhtml"), _mail),
    "msg": lambda data, reading: _mail(as_mail(data, reading), reading),
}
KINDS_WITH_PROPERTIES = frozenset(_BY_KIND)
