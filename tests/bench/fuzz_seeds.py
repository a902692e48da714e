"""One small valid document of every format, made by code: what mutations start from.

They use, for their size, as much of each format as they can: tables, notes, hidden and deleted
text, attachments. `SEEDS` maps a file name to its bytes; those in `REFUSED` are not read.
"""

import base64
import gzip
import io
import json
import lzma
import struct
import tarfile
import zlib
from collections.abc import Sequence
from itertools import pairwise

from tests.archives import (
    CONTAINER,
    ODF_MEDIA,
    ODF_NAMES,
    PACKAGE,
    odf_content,
    odf_part,
    office,
    office_names,
    opf,
    related,
    zipped,
)
from tests.archives import XHTML as XHTML_TYPE
from tests.pdfs import assembled, stream

FIRST = "The ferry leaves the northern pier at seven and carries the post to the island."
SECOND = "Nobody asked for a receipt, since the office had been closed for the winter."
FOREIGN = "Über den Fluß führt keine Brücke. Паром ходит дважды в день. 渡轮每天两班。"


def xml(body: str) -> str:
    """A document of XML."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}'


PAGE = (
    "<html{}><head><title>The ferry</title><style>p {{}}</style></head><body><h1>The ferry</h1>"
    f"<p>{FIRST}<br/>{SECOND}</p><ul><li>one</li><li>two</li></ul><table><tr><td>a</td>"
    "<td>b</td></tr>"
    f"</table><pre>  kept\n  so</pre><p hidden='hidden'>hidden</p><p>{FOREIGN} &#233;"
    " &amp;</p></body></html>"
)
HTML = PAGE.format(' lang="en"')
XHTML = xml(PAGE.format(' xmlns="http://www.w3.org/1999/xhtml"'))


NAMES, SHEET_NAMES = office_names(), office_names(default="x")


def numbered(*targets: tuple[str, str]) -> str:
    """The parts a part refers to, kind and place, as rId1, rId2, ..."""
    return related({f"rId{number}": target for number, target in enumerate(targets, 1)})


def docx() -> bytes:
    """Runs, a table, tracked changes, a hidden run, a field, notes, a text box, a header."""
    run = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    box = "<w:pict><v:textbox xmlns:v='urn:schemas-microsoft-com:vml'><w:txbxContent><w:p><w:r>"
    box += "<w:t>In a box</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict>"
    body = (
        f"<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr>{run.format('The ferry')}</w:p>"
        f"<w:p>{run.format(FIRST + ' ')}<w:del w:id='1'><w:r><w:delText>gone</w:delText></w:r>"
        f"</w:del><w:ins w:id='2'>{run.format('come')}</w:ins><w:r><w:br/><w:tab/>"
        f"<w:noBreakHyphen/><w:footnoteReference w:id='2'/></w:r></w:p>"
        f"<w:tbl><w:tr>{cell.format('seven')}{cell.format('eight')}</w:tr><w:tr>"
        f"{cell.format('north')}{cell.format('south')}</w:tr></w:tbl>"
        f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:hyperlink r:id='rId2'>"
        f"{run.format(SECOND)}</w:hyperlink><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r>"
        f"<w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r>"
        f"{run.format('7')}<w:r><w:fldChar w:fldCharType='end'/></w:r><w:r>{box}</w:r></w:p>"
        f"<w:p><w:sdt><w:sdtContent>{run.format(FOREIGN)}</w:sdtContent></w:sdt></w:p>"
        f"<w:sectPr><w:headerReference w:type='default' r:id='rId3'/></w:sectPr>"
    )
    note = f"<w:footnote w:id='2'><w:p>{run.format('A note below.')}</w:p></w:footnote>"
    return office(
        "word/document.xml",
        {
            "word/document.xml": xml(f"<w:document {NAMES}><w:body>{body}</w:body></w:document>"),
            "word/footnotes.xml": xml(f"<w:footnotes {NAMES}>{note}</w:footnotes>"),
            "word/header1.xml": xml(f"<w:hdr {NAMES}><w:p>{run.format('Head')}</w:p></w:hdr>"),
            "word/_rels/document.xml.rels": numbered(
                ("footnotes", "footnotes.xml"),
                ("hyperlink", "https://example.org"),
                ("header", "header1.xml"),
            ),
        },
    )


def pptx() -> bytes:
    """Two slides, a table, notes."""
    shape = "<p:sp><p:txBody><a:p><a:r><a:t>{}</a:t></a:r><a:br/><a:fld><a:t>1</a:t></a:fld></a:p>"
    shape += "</p:txBody></p:sp>"
    table = "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>"
    table += "cell</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic>"
    table += "</p:graphicFrame>"
    slide = f"<p:sld {NAMES}><p:cSld><p:spTree>{{}}</p:spTree></p:cSld></p:sld>"
    ids = "<p:sldId id='256' r:id='rId1'/><p:sldId id='257' r:id='rId2'/>"
    return office(
        "ppt/presentation.xml",
        {
            "ppt/presentation.xml": xml(
                f"<p:presentation {NAMES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
            ),
            "ppt/_rels/presentation.xml.rels": numbered(
                ("slide", "slides/slide1.xml"), ("slide", "slides/slide2.xml")
            ),
            "ppt/slides/slide1.xml": xml(slide.format(shape.format(FIRST) + table)),
            "ppt/slides/slide2.xml": xml(slide.format(shape.format(SECOND))),
            "ppt/slides/_rels/slide1.xml.rels": numbered(
                ("notesSlide", "../notesSlides/notesSlide1.xml")
            ),
            "ppt/notesSlides/notesSlide1.xml": xml(
                f"<p:notes {NAMES}><p:cSld><p:spTree>{shape.format('A remark')}"
                "</p:spTree></p:cSld></p:notes>"
            ),
        },
    )


def xlsx() -> bytes:
    """Two sheets with shared, inline and computed cells."""
    cells = (
        "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='C1' t='inlineStr'><is><t>inline</t></is></c>"
    )
    cells += "</row><row r='3'><c r='B3'><f>1+1</f><v>2</v></c><c r='C3' t='b'><v>1</v></c>"
    cells += "<c r='D3' s='1'><v>45000.5</v></c><c t='str'><v>text</v></c></row>"
    sheet = f"<worksheet {SHEET_NAMES}><sheetData>{{}}</sheetData></worksheet>"
    sheets = (
        "<sheet name='One' sheetId='1' r:id='rId1'/><sheet name='Two' sheetId='2' r:id='rId2'/>"
    )
    strings = f"<si><t>{FIRST}</t></si><si><r><t>rich </t></r><r><t>text</t></r></si>"
    return office(
        "xl/workbook.xml",
        {
            "xl/workbook.xml": xml(f"<workbook {SHEET_NAMES}><sheets>{sheets}</sheets></workbook>"),
            "xl/_rels/workbook.xml.rels": numbered(
                ("worksheet", "worksheets/sheet1.xml"),
                ("worksheet", "worksheets/sheet2.xml"),
                ("sharedStrings", "sharedStrings.xml"),
                ("styles", "styles.xml"),
            ),
            "xl/worksheets/sheet1.xml": xml(sheet.format(cells)),
            "xl/worksheets/sheet2.xml": xml(sheet.format("<row><c t='s'><v>1</v></c></row>")),
            "xl/sharedStrings.xml": xml(f"<sst {SHEET_NAMES} count='2'>{strings}</sst>"),
            "xl/styles.xml": xml(
                f"<styleSheet {SHEET_NAMES}><cellXfs><xf numFmtId='0'/><xf"
                " numFmtId='14'/></cellXfs></styleSheet>"
            ),
        },
    )


RTF = (
    r"{\rtf1\ansi\ansicpg1252\deff0\uc1{\fonttbl{\f0\froman\fcharset0 Times;}{\f1"
    r"\fcharset204 Arial;}}"
    r"{\colortbl;\red0\green0\blue0;}{\stylesheet{\s1 heading 1;}}{\*\generator code;}{"
    r"\info{\title T}}"
    "\n" rf"{{\header Head\par}}\pard\plain\s1\b The ferry\b0\par\pard {FIRST}\line "
    r"caf\'e9 \u1055?\u1072?\u-10179?\u-9216? {\f1 \'ef\'e0\'f0} \emdash\~x\_y\-z\tab{\v hidden}"
    r"{\deleted gone}{\revised come}{\footnote\pard A note below.}\par"
    "\n" r"\trowd\cellx2000\cellx4000\intbl a\cell b\cell\row\pard"
    rf"{{\field{{\*\fldinst HYPERLINK x}}{{\fldrslt {SECOND}}}}}\page"
    r"{\pict\pngblip 89504e470d0a}{\object\objemb{\*\objdata 0105}{\result shown}}{"
    r"\upr{a}{\*\ud{b}}}"
    r"{\shp{\*\shpinst{\shptxt In a box\par}}}{\bin4 ab}c}\par}" "\n"
).encode("ascii")  # fmt: skip


SECTOR, MINI_SECTOR, CUTOFF = 512, 64, 4096
CHAIN_END, FREE, TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
Storage = dict[str, "bytes | Storage"]


class _Sectors:
    """Contents in sectors of a size, and the table of which sector follows which."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.content = bytearray()
        self.table: list[int] = []

    def add(self, content: bytes) -> int:
        """Its first sector."""
        first, count = len(self.table), -(-len(content) // self._size)
        self.content += content.ljust(count * self._size, b"\0")
        self.table += [*range(first + 1, first + count), CHAIN_END][:count]
        return first if count else CHAIN_END


def compound(top: Storage) -> bytes:
    """An OLE compound file with these streams, and storages with theirs.

    Source: [MS-CFB], version 3; what stands beside each other is a list, not a balanced tree.
    """
    sectors, small = _Sectors(SECTOR), _Sectors(MINI_SECTOR)
    rows: list[tuple[str, int, int, int, int]] = []  # name, kind, child, start, size
    rights: dict[int, int] = {}

    def add(name: str, item: bytes | Storage) -> int:
        number = len(rows)
        if isinstance(item, bytes):
            home = small if len(item) < CUTOFF else sectors
            rows.append((name, 2, FREE, home.add(item), len(item)))
            return number
        rows.append((name, 1, FREE, 0, 0))
        inside = [add(*row) for row in item.items()]
        rights.update(pairwise(inside))
        rows[number] = (name, 1, inside[0] if inside else FREE, 0, 0)
        return number

    add("Root Entry", top)
    start = sectors.add(bytes(small.content))
    rows[0] = ("Root Entry", 5, rows[0][2], start, len(small.content))
    small_table = sectors.add(struct.pack(f"<{len(small.table)}I", *small.table))
    directory = sectors.add(
        b"".join(
            struct.pack(
                "<64sHBBIII36xIQ",
                *(name.encode("utf-16-le"), 2 * len(name) + 2, kind, 1),
                *(FREE, rights.get(number, FREE), child, start, size),
            )
            for number, (name, kind, child, start, size) in enumerate(rows)
        )
    )
    count = (len(sectors.table) + 1) // 127 + 1
    sectors_of_tables = range(len(sectors.table), len(sectors.table) + count)
    table = struct.pack(f"<{sectors_of_tables.stop}I", *sectors.table, *[TABLE] * count)
    header = struct.pack(
        "<8s16x5H6x9I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        *(62, 3, 0xFFFE, 9, 6, 0, count, directory, 0, CUTOFF, small_table),
        *(-(-len(small.table) // 128), CHAIN_END, 0),
    )
    header += struct.pack("<109I", *sectors_of_tables, *[FREE] * (109 - count))
    return header + sectors.content + table.ljust(count * SECTOR, b"\xff")


def doc() -> bytes:
    """A Word file with two pieces of text, one of 8 and one of 16 bits, and a field.

    Source: [MS-DOC], FibBase, FibRgFcLcb97 and Clx.
    """
    first = f"The ferry\r{FIRST}\r\x13 PAGE \x147\x15 a\x07b\x07\x07\x0b\x0c".encode("cp1252")
    two = f"{SECOND} {FOREIGN}\r".encode("utf-16-le")
    first_offset, second_offset = 1024, 1024 + len(first) + len(first) % 2
    characters = len(first) + len(two) // 2
    fib = bytearray(1024)
    struct.pack_into("<HHHHHH", fib, 0, 0xA5EC, 0xC1, 0, 0x409, 0, 0x0200)
    struct.pack_into("<HHH", fib, 32, 14, 0, 0)
    struct.pack_into("<H", fib, 62, 22)
    struct.pack_into("<I", fib, 64, second_offset + len(two))
    struct.pack_into("<I", fib, 76, characters)
    struct.pack_into("<H", fib, 152, 93)
    pieces = struct.pack("<III", 0, len(first), characters)
    pieces += struct.pack("<HIH", 0, first_offset * 2 | 0x40000000, 0)
    pieces += struct.pack("<HIH", 0, second_offset, 0)
    clx = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    struct.pack_into("<II", fib, 0x1A2, 0, len(clx))
    text = bytes(fib) + first.ljust(second_offset - first_offset, b"\0") + two
    return compound({"WordDocument": text, "1Table": clx, "\x05SummaryInformation": b"\xfe\xff"})


def xls_record(kind: int, content: bytes = b"") -> bytes:
    """A record of a workbook of Excel 97 to 2003."""
    return struct.pack("<HH", kind, len(content)) + content


def xls_string(text: str, length: str = "<H") -> bytes:
    """A string in characters of 16 bits, its length before it."""
    return struct.pack(length, len(text)) + b"\1" + text.encode("utf-16-le")


def xls(*sheets: bytes, strings: bytes = b"", version: int = 0x600, globals_: bytes = b"") -> bytes:
    """A workbook of Excel 97 to 2003, or of 95.

    Source: [MS-XLS].

    Args:
        sheets: Their records.
        strings: Those that cells share, in one record or more.
        version: Of the records.
        globals_: Records before the list of the sheets.
    """
    begin = xls_record(0x809, struct.pack("<HHHHII", version, 5, 0, 0, 0, 0))
    before = begin + globals_ + strings
    at = len(before) + 14 * len(sheets) + 4
    listed = b""
    for number, sheet in enumerate(sheets):
        listed += xls_record(0x85, struct.pack("<IBBBB", at, 0, 0, 2, 0) + b"%02d" % number)
        at += len(begin) + len(sheet) + 4
    end = xls_record(0x0A)
    stream = before + listed + end + b"".join(begin + sheet + end for sheet in sheets)
    return compound({"Workbook" if version == 0x600 else "Book": stream})


def seed_xls() -> bytes:
    """Two sheets: cells of all kinds, a date, a hidden row, a box, a comment."""
    cells = xls_record(0xFD, struct.pack("<HHHI", 0, 0, 0, 0))
    cells += xls_record(0x203, struct.pack("<HHHd", 0, 1, 1, 45000.5))
    cells += xls_record(0xBD, struct.pack("<HHHIHIH", 0, 2, 0, 7 << 2 | 2, 0, 0x40000001, 3))
    cells += xls_record(0x06, struct.pack("<HHHBB4xHHIH", 1, 0, 0, 0, 0, 0xFFFF, 0, 0, 0))
    cells += xls_record(0x207, xls_string("computed")) + xls_record(0x205, bytes(6) + b"\x2a\1")
    cells += xls_record(0x204, struct.pack("<HHH", 2, 0, 0) + xls_string(SECOND))
    row = xls_record(0x208, struct.pack("<6HI", 3, 0, 1, 0, 0, 0, 0x20))
    box = xls_record(0x1B6, struct.pack("<10xHHI", 6, 0, 0)) + xls_record(0x3C, b"\0In box")
    styles = xls_record(0xE0, bytes(20)) + xls_record(0xE0, struct.pack("<HH16x", 0, 14))
    strings = struct.pack("<II", 1, 1) + xls_string(f"{FIRST} {FOREIGN}")
    return xls(row + cells + box, cells, strings=xls_record(0xFC, strings), globals_=styles)


def xlsb_record(kind: int, content: bytes = b"") -> bytes:
    """A record of a binary workbook."""
    sizes = [len(content) >> shift & 0x7F for shift in (0, 7, 14, 21)]
    number = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    return number + bytes([size | 0x80 for size in sizes[:3]] + sizes[3:]) + content


def xlsb_string(text: str) -> bytes:
    """A string, its length before it."""
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def xlsb(sheet: bytes, strings: bytes = b"", styles: bytes = b"") -> bytes:
    """A binary workbook with one sheet.

    Source: [MS-XLSB].
    """
    listed = struct.pack("<II", 0, 1) + xlsb_string("rId1") + xlsb_string("One")
    kind = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
    types = f'<Override PartName="/xl/workbook.bin" ContentType="{kind}"/>'
    return zipped(
        {
            "[Content_Types].xml": xml(f'<Types xmlns="{PACKAGE}/content-types">{types}</Types>'),
            "_rels/.rels": numbered(("officeDocument", "xl/workbook.bin")),
            "xl/workbook.bin": xlsb_record(156, listed),
            "xl/_rels/workbook.bin.rels": numbered(
                ("worksheet", "worksheets/sheet1.bin"),
                ("sharedStrings", "sharedStrings.bin"),
                ("styles", "styles.bin"),
            ),
            "xl/worksheets/sheet1.bin": sheet,
            "xl/sharedStrings.bin": strings,
            "xl/styles.bin": styles,
        }
    )


def seed_xlsb() -> bytes:
    """Cells of all kinds, a date, a hidden column."""
    row = struct.pack("<IIHBB", 0, 0, 300, 0, 0)
    cell = "<IHBB"
    sheet = xlsb_record(60, struct.pack("<IIIIH", 9, 9, 0, 0, 1)) + xlsb_record(0, row)
    sheet += xlsb_record(7, struct.pack(f"{cell}I", 0, 0, 0, 0, 0))
    sheet += xlsb_record(5, struct.pack(f"{cell}d", 1, 1, 0, 0, 45000.5))
    sheet += xlsb_record(2, struct.pack(f"{cell}I", 2, 0, 0, 0, 7 << 2 | 2))
    sheet += xlsb_record(8, struct.pack(cell, 3, 0, 0, 0) + xlsb_string("computed"))
    sheet += xlsb_record(13, struct.pack("<HBBI", 0, 0, 0, 9 << 2 | 2))
    sheet += xlsb_record(11, struct.pack(f"{cell}B", 5, 0, 0, 0, 0x2A))
    sheet += xlsb_record(4, struct.pack(f"{cell}B", 6, 0, 0, 0, 1))
    sheet += xlsb_record(6, struct.pack(cell, 9, 0, 0, 0) + xlsb_string("hidden"))
    strings = xlsb_record(19, b"\0" + xlsb_string(f"{FIRST} {FOREIGN}"))
    style = "<HH12x"
    styles = xlsb_record(617) + xlsb_record(47, struct.pack(style, 0, 0))
    styles += xlsb_record(47, struct.pack(style, 0, 14)) + xlsb_record(618)
    return xlsb(sheet, strings, styles)


def ppt_record(kind: int, content: bytes = b"", instance: int = 0, version: int = 0) -> bytes:
    """A record of a presentation; one that holds others has the version 15."""
    return struct.pack("<HHI", instance << 4 | version, kind, len(content)) + content


def ppt_shape(text: str, kind: int = 1, placeholder: int = 0) -> bytes:
    """A shape with a text of a kind: 0 for a title."""
    data = ppt_record(3011, struct.pack("<iBBH", 0, placeholder, 0, 0)) if placeholder else b""
    words = ppt_record(3999, struct.pack("<I", kind))
    words += ppt_record(4000, text.encode("utf-16-le"))
    inside = ppt_record(0xF011, data, version=15) + ppt_record(0xF00D, words, version=15)
    return ppt_record(0xF004, inside, version=15)


def ppt_page(*shapes: bytes, notes: int = 0, kind: int = 1006, is_hidden: bool = False) -> bytes:
    """A slide, or, of the kind 1008, notes."""
    facts = ppt_record(1007, struct.pack("<i8xIIHH", 0, 0, notes, 0, 0))
    show = ppt_record(1017, struct.pack("<iIBBHI", 0, 0, 0, 0, 4 * is_hidden, 0))
    drawing = ppt_record(1036, b"".join(shapes), version=15)
    return ppt_record(kind, facts + show + drawing, version=15)


def ppt(slides: list[tuple[bytes, bytes]], notes: list[bytes]) -> bytes:
    """A presentation of PowerPoint 97 to 2003.

    Source: [MS-PPT].

    Args:
        slides: With the records that the list of slides has for each.
        notes: Those of the number 0x200, 0x201 and so on.
    """
    pages = [*(page for page, _ in slides), *notes]
    lists = b""
    for instance, first, number, texts in (
        (0, 2, 0x100, [text for _, text in slides]),
        (2, 2 + len(slides), 0x200, [b""] * len(notes)),
    ):
        listed = b""
        for index, text in enumerate(texts):
            entry = struct.pack("<IIiII", first + index, 0, 0, number + index, 0)
            listed += ppt_record(1011, entry) + text
        lists += ppt_record(4080, listed, instance, 15)
    stream, offsets = b"", []
    for part in (ppt_record(1000, lists, version=15), *pages):
        offsets.append(len(stream))
        stream += part
    directory = struct.pack(f"<I{len(offsets)}I", 1 | len(offsets) << 20, *offsets)
    edit = struct.pack("<IHBBIIIIHH", 0, 0, 0, 3, 0, len(stream), 1, 9, 1, 0)
    stream += ppt_record(6002, directory)
    user = struct.pack("<II", 0x14, 0xE391C05F) + struct.pack("<I", len(stream))
    stream += ppt_record(4085, edit)
    return compound({"PowerPoint Document": stream, "Current User": ppt_record(4086, user)})


def seed_ppt() -> bytes:
    """Two slides: one with its title in the list and notes, one with a footer and a number."""
    outline = ppt_record(3999, struct.pack("<I", 0)) + ppt_record(4008, b"The ferry")
    title = ppt_record(0xF00D, ppt_record(3998, struct.pack("<I", 0)), version=15)
    title = ppt_record(0xF004, title, version=15)
    first = ppt_page(ppt_shape(f"{FIRST}\rc"), title, notes=0x200)
    second = ppt_page(ppt_shape("foot", 4, 9), ppt_shape("*"), ppt_shape(SECOND))
    notes = ppt_page(ppt_shape(FOREIGN, 2), kind=1008)
    return ppt([(first, outline), (second, b"")], [notes])


def locked() -> bytes:
    """A Word document locked with a password that nobody knows: what is in it is noise.

    Source: [MS-OFFCRYPTO], agile encryption.
    """
    salt = base64.b64encode(bytes(range(16))).decode()
    value = base64.b64encode(bytes(range(32))).decode()
    spec = 'saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES"'
    spec += f' cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="{salt}"'
    space = "http://schemas.microsoft.com/office/2006"
    info = (
        f'<encryption xmlns="{space}/encryption" xmlns:p="{space}/keyEncryptor/password">'
        f'<keyData {spec}/><dataIntegrity encryptedHmacKey="{value}" encryptedHmacValue="{value}"/>'
        f'<keyEncryptors><keyEncryptor uri="{space}/keyEncryptor/password"><p:encryptedKey '
        f'spinCount="1000" {spec} encryptedVerifierHashInput="{value}" encryptedVerifierHashValue='
        f'"{value}" encryptedKeyValue="{value}"/></keyEncryptor></keyEncryptors></encryption>'
    )
    package = struct.pack("<Q", 2000) + bytes(range(256)) * 8
    return compound(
        {
            "EncryptionInfo": struct.pack("<HHI", 4, 4, 0x40) + xml(info).encode(),
            "EncryptedPackage": package,
        }
    )


ODF_TEXT = (
    '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><text:p>gone</text:p>'
    "</text:deletion></text:changed-region></text:tracked-changes>"
    f"<text:h>The ferry</text:h><text:p>{FIRST}<text:s text:c='3'/>x<text:tab/>y<text:line-break/>z"
    "<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation>"
    "<text:note-body>"
    "<text:p>A note below.</text:p></text:note-body></text:note><text:change text:change-id='c1'/>"
    "</text:p><text:list><text:list-item><text:p>first</text:p></text:list-item></text:list>"
    f"<text:p text:style-name='hid'>hidden</text:p><text:p><draw:frame><draw:text-box><text:p>"
    f"{SECOND}</text:p></draw:text-box></draw:frame><text:span>{FOREIGN}</text:span></text:p>"
    "<office:annotation><text:p>remark</text:p></office:annotation>"
)
ODF_TABLE = (
    '<table:table table:name="One"><table:table-row><table:table-cell><text:p>a</text:p>'
    '</table:table-cell><table:table-cell table:number-columns-repeated="3"/><table:table-cell>'
    "<text:p>b</text:p></table:table-cell></table:table-row><table:table-row"
    ' table:number-rows-repeated="2"><table:covered-table-cell/><table:table-cell>'
    "<text:p>c</text:p>"
    "</table:table-cell></table:table-row></table:table>"
)
ODF_BODIES = {
    "text": ODF_TEXT + ODF_TABLE,
    "spreadsheet": ODF_TABLE,
    "presentation": f"<draw:page draw:name='p1'><draw:frame><draw:text-box><text:p>{FIRST}</text:p>"
    "</draw:text-box></draw:frame><presentation:notes><draw:text-box><text:p>said</text:p>"
    f"</draw:text-box></presentation:notes></draw:page><draw:page><text:p>{SECOND}"
    "</text:p></draw:page>",
}


def odf(kind: str, *, flat: bool = False) -> bytes:
    """A text, spreadsheet or presentation, packed or as one file of XML."""
    styles = '<style:style style:name="hid" style:family="paragraph">'
    styles += '<style:text-properties text:display="none"/></style:style>'
    content = odf_content(kind, ODF_BODIES[kind], styles, is_flat=flat)
    if flat:
        return content.encode()
    manifest = f'<manifest:manifest {ODF_NAMES}><manifest:file-entry manifest:full-path="/"'
    manifest += f' manifest:media-type="{ODF_MEDIA}{kind}"/></manifest:manifest>'
    master = "<office:master-styles><style:master-page><style:header><text:p>Head</text:p>"
    master += "</style:header></style:master-page></office:master-styles>"
    return zipped(
        {
            "mimetype": f"{ODF_MEDIA}{kind}",
            "content.xml": content,
            "styles.xml": odf_part("document-styles", master),
            "META-INF/manifest.xml": xml(manifest),
        }
    )


def epub() -> bytes:
    """Two chapters, their order, and a page that is not in it."""
    pages = {"c1": "c1.xhtml", "c2": "c%202.xhtml", "nav": "nav.xhtml"}
    items = [(name, page, XHTML_TYPE) for name, page in pages.items()]
    about = "<metadata xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>Ferry</dc:title>"
    listed = opf(items, ["c1", "c2"]).replace("<manifest>", f"{about}</metadata><manifest>")
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER.format("OEBPS/content.opf"),
            "OEBPS/content.opf": listed,
            "OEBPS/c1.xhtml": XHTML,
            "OEBPS/c 2.xhtml": XHTML.replace("ferry", "boat"),
            "OEBPS/nav.xhtml": XHTML,
        }
    )


def palm_packed(text: bytes) -> bytes:
    """PalmDOC compression: a space with a letter, five letters that were there, and all others."""
    out, at = bytearray(), 0
    while at < len(text):
        back = text.rfind(text[at : at + 5], max(0, at - 2047), at)
        if text[at] == 32 and text[at + 1 : at + 2].isalpha() and text[at + 1] < 128:
            out.append(text[at + 1] ^ 0x80)
            at += 2
        elif back >= 0 and at + 5 <= len(text):
            out += struct.pack(">H", 0x8000 | (at - back) << 3 | 2)
            at += 5
        else:
            byte = text[at]
            out += bytes((byte,) if byte == 0 or 8 < byte < 128 else (1, byte))
            at += 1
    return bytes(out)


HUFF_WORDS = [bytes((byte,)) for byte in range(256)]


def huff_packed(text: bytes, words: Sequence[bytes] = HUFF_WORDS) -> bytes:
    """Words one after the other: the first 128 have codes of eight bits, 256 more have nine."""
    bits = ""
    for byte in text:
        number = words.index(bytes((byte,)))
        bits += f"{255 - number:08b}" if number < 128 else f"{383 - number:09b}"
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8)


def huff_records(words: Sequence[tuple[bytes, bool]]) -> list[bytes]:
    """The tables for `huff_packed`; of each word whether it is not packed itself."""
    by_byte = [9] * 128 + [255 << 8 | 0x80 | 8] * 128
    bounds = [0] * 64
    bounds[2 * 9 - 1] = 383
    huff = (
        b"HUFF"
        + struct.pack(">III8x", 24, 24, 24 + 1024)
        + struct.pack(">256I64I", *by_byte, *bounds)
    )
    offsets, content = [], b""
    for word, is_plain in words:
        offsets.append(2 * len(words) + len(content))
        content += struct.pack(">H", len(word) | 0x8000 * is_plain) + word
    head = b"CDIC" + struct.pack(">III", 16, len(words), 16)
    return [huff, head + struct.pack(f">{len(words)}H", *offsets) + content]


def mobi(
    text: bytes,
    *,
    packing: int = 2,
    locked: int = 0,
    flags: int = 0,
    version: int = 6,
    facts: Sequence[tuple[int, bytes]] = (),
    tables: Sequence[bytes] = (),
    more_records: Sequence[bytes] = (),
) -> bytes:
    """A Kindle book of records of 4,096 bytes; `flags`: entries that are no text follow each."""
    pack = {1: bytes, 2: palm_packed, 17480: huff_packed}[packing]
    trailing = b"\0" * (flags & 1) + b"no text\x88" * (flags >> 1).bit_count()
    texts = [pack(text[at : at + 4096]) + trailing for at in range(0, len(text), 4096)]
    exth = b"".join(struct.pack(">II", kind, 8 + len(fact)) + fact for kind, fact in facts)
    exth = b"EXTH" + struct.pack(">II", 12 + len(exth), len(facts)) + exth
    head = bytearray(16 + 232)
    struct.pack_into(">HxxIHHHxx", head, 0, packing, len(text), len(texts), 4096, locked)
    struct.pack_into(">4s5I", head, 16, b"MOBI", 232, 2, 65001, 1, version)
    struct.pack_into(">II", head, 84, len(head) + len(exth), len(b"The ferry"))
    struct.pack_into(">II", head, 112, 1 + len(texts), len(tables))
    struct.pack_into(">I", head, 128, 0x40)
    struct.pack_into(">I", head, 192, 1 + len(texts) + len(tables))
    struct.pack_into(">H", head, 242, flags)
    return palm_database([bytes(head) + exth + b"The ferry", *texts, *tables, *more_records])


def palm_database(records: Sequence[bytes], magic: bytes = b"BOOKMOBI") -> bytes:
    """A database of Palm, made and changed in March 2026."""
    head = b"Ferry".ljust(36, b"\0") + struct.pack(">II", 1772355600, 1772442000)
    head = head.ljust(60, b"\0") + magic + bytes(8) + struct.pack(">H", len(records))
    offset, entries = len(head) + 8 * len(records), b""
    for number, record in enumerate(records):
        entries += struct.pack(">II", offset, number)
        offset += len(record)
    return head + entries + b"".join(records)


FACTS = [(100, b"Ada"), (108, b"Press 1"), (503, b"The ferry"), (112, b"uuid:one")]
FB2 = xml(
    "<FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'"
    " xmlns:l='http://www.w3.org/1999/xlink'>"
    "<description><title-info><book-title>Ferry</book-title></title-info></description>"
    "<body><title><p>"
    f"The ferry</p></title><section><p>{FIRST}<a l:href='#n1' type='note'>1</a></p><poem>"
    "<stanza><v>one</v>"
    f"<v>two</v></stanza></poem><p>{FOREIGN}</p><empty-line/><table><tr><td>a</td><th>b"
    "</th></tr></table>"
    "</section></body><body name='notes'><section id='n1'><p>A note below.</p></section></body>"
    "<binary id='p.png' content-type='image/png'>iVBORw0KGgo=</binary></FictionBook>"
).encode()


def run(text: str, look: str = "") -> str:
    """A run of text."""
    return f"<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>"


def change(kind: str, content: str) -> str:
    """A tracked change or a comment."""
    inside = f"<aml:content>{content}</aml:content>"
    return f"<aml:annotation w:type='Word.{kind}'>{inside}</aml:annotation>"


NOTE = f"<w:r><w:footnote><w:p>{run('A note below.')}</w:p></w:footnote></w:r>"
WORD_2003 = xml(
    "<?mso-application progid='Word.Document'?><w:wordDocument xmlns:w='http://schemas.microsoft.com"
    "/office/word/2003/wordml' xmlns:aml='http://schemas.microsoft.com/aml/2001/core' "
    "xmlns:v='urn:schemas-microsoft-com:vml' xml:space='preserve'><w:styles><w:style "
    "w:type='paragraph' w:styleId='Quiet'><w:rPr><w:vanish/></w:rPr></w:style></w:styles><w:body>"
    f"<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr>{run('The ferry')}</w:p>"
    f"<w:p>{run(FIRST)}{change('Deletion', run('gone'))}{NOTE}{change('Comment', '<w:p/>')}</w:p>"
    f"<w:p><w:pPr><w:pStyle w:val='Quiet'/></w:pPr>{run(SECOND)}</w:p>"
    f"<w:tbl><w:tr><w:tc><w:p>{run('a')}</w:p></w:tc><w:tc><w:p>{run('b')}</w:p></w:tc></w:tr>"
    f"</w:tbl><w:p>{run(FOREIGN)}<w:r><w:pict><v:textbox><w:txbxContent><w:p>{run('In a box')}"
    "</w:p></w:txbxContent></v:textbox></w:pict></w:r></w:p><w:sectPr><w:hdr w:type='odd'><w:p>"
    f"{run('Head of the page')}</w:p></w:hdr></w:sectPr></w:body></w:wordDocument>"
).encode()

BODY = (
    f"<w:document {NAMES}><w:body><w:p>{run(FIRST)}</w:p>"
    "<w:altChunk r:id='rId1'/></w:body></w:document>"
)
FLAT = xml(
    "<pkg:package xmlns:pkg='http://schemas.microsoft.com/office/2006/xmlPackage'>"
    f"<pkg:part pkg:name='/word/document.xml'><pkg:xmlData>{BODY}</pkg:xmlData></pkg:part>"
    "<pkg:part pkg:name='/word/_rels/document.xml.rels'><pkg:xmlData>"
    f"{numbered(('aFChunk', 'page.html'))}</pkg:xmlData></pkg:part>"
    "<pkg:part pkg:name='/word/page.html'><pkg:binaryData>"
    f"{base64.b64encode(HTML.encode()).decode()}</pkg:binaryData></pkg:part></pkg:package>"
).encode()


REFUSED = frozenset({"locked.docx", "seed.png"})
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTf1YwAAAABJRU5ErkJggg=="
)


def pdf() -> bytes:
    """Two pages: one with a form and a link, one compressed; glyphs mapped to characters."""
    shown = f"BT /F1 12 Tf 72 700 Td ({FIRST}) Tj 0 -14 Td (Nobody asked for a re-) Tj"
    shown += " 0 -14 Td [(ceipt, since) -300 (the office) 40 (s)] TJ T* (\\256 \\223x\\224) Tj ET"
    second = zlib.compress(
        f"BT /F2 11 Tf 1 0 0 1 72 700 Tm <00010002> Tj ({SECOND}) Tj ET".encode()
    )
    cmap = b"begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001>"
    cmap += b" <00660069> <0002> <00E9> endbfchar endcmap"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [9 0 R] >> /Outlines 10 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 612 792] >>",
        (
            b"<< /Type /Page /Parent 2 0 R /Contents [5 0 R 8 0 R] /Annots [9 0 R] /Resources"
            b" << /Font << /F1 7 0 R >> /XObject << /X1 8 0 R >> >> >>"
        ),
        (
            b"<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Rotate 90 /Resources"
            b" << /Font << /F2 11 0 R >> >> >>"
        ),
        stream(f"q {shown} /X1 Do Q".encode()),
        stream(second, "/Filter /FlateDecode"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        stream(
            b"BT /F1 9 Tf 72 40 Td (Page 1 of 2) Tj ET",
            "/Type /XObject /Subtype /Form /BBox [0 0 612 792]"
            " /Resources << /Font << /F1 7 0 R >> >>",
        ),
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (A note) /Rect [72 500 200 520] >>",
        b"<< /Type /Outlines /Count 0 >>",
        (
            b"<< /Type /Font /Subtype /Type0 /BaseFont /Times-Roman /Encoding /Identity-H"
            b" /DescendantFonts [13 0 R] /ToUnicode 12 0 R >>"
        ),
        stream(cmap),
        (
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Times-Roman /DW 500 /W [1 [500 444]]"
            b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
        ),
    ]
    return assembled(objects)


def mail(subject: str, boundary: str = "=_b1") -> bytes:
    """A mail with two forms of its text, an attachment, and another mail inside."""
    attached = base64.encodebytes(docx()).decode()
    return (
        f"From: a@example.org\nTo: =?utf-8?B?w5xiZXI=?= <b@example.org>\nSubject: {subject}\n"
        "Date: Mon, 1 Jan 2024 10:00:00 +0000\nMIME-Version: 1.0\n"
        f'Content-Type: multipart/mixed; boundary="{boundary}"\n\n'
        f'--{boundary}\nContent-Type: multipart/alternative; boundary="{boundary}x"\n\n'
        f"--{boundary}x\nContent-Type: text/plain; charset=iso-8859-1\n"
        f"Content-Transfer-Encoding: quoted-printable\n\nCaf=E9. {FIRST}=\n\n> quoted\n"
        f"--{boundary}x\nContent-Type: text/html; charset=utf-8\n\n{HTML}\n--{boundary}x--\n"
        f"--{boundary}\nContent-Type: application/octet-stream; name*=utf-8''%C3%9Cber.docx\n"
        'Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="a.docx"\n\n'
        f"{attached}--{boundary}\nContent-Type: message/rfc822\n\nSubject: inner\n\n{SECOND}\n\n"
        f"--{boundary}\nContent-Type: text/plain; charset=x-odd\n\n{FOREIGN}\n--{boundary}--\n"
    ).encode()


def message_storage(
    properties: dict[int, str | bytes | int], *attachments: Storage, header: int = 32
) -> Storage:
    """A message or an attachment of Outlook.

    Source: [MS-OXMSG]; properties are texts, bytes or numbers.

    Args:
        properties: By their numbers.
        attachments: Those of a message.
        header: Bytes before the numbers: 32 at the top, 24 within an attachment, 8 of one.
    """
    storage: Storage = {}
    numbers = bytes(header)
    for number, value in properties.items():
        if isinstance(value, int):
            numbers += struct.pack("<HHIQ", 3, number, 6, value)
        elif isinstance(value, str):
            storage[f"__substg1.0_{number:04X}001F"] = value.encode("utf-16-le")
        else:
            storage[f"__substg1.0_{number:04X}0102"] = value
    storage["__properties_version1.0"] = numbers
    for number, attachment in enumerate(attachments):
        storage[f"__attach_version1.0_#{number:08X}"] = attachment
    return storage


def msg() -> bytes:
    """A message of Outlook in two forms, a document attached, and another message with its own."""
    attached = message_storage({0x3705: 1, 0x3707: "Über.docx", 0x3701: docx()}, header=8)
    inner = message_storage({0x0037: "inner", 0x1000: SECOND}, attached, header=24)
    around = message_storage({0x3705: 5, 0x3001: "inner"}, header=8)
    around["__substg1.0_3701000D"] = inner
    form = {0x0037: "The ferry", 0x1000: FIRST, 0x1013: HTML.encode(), 0x3FDE: 65001}
    return compound(message_storage(form, attached, around))


def mbox() -> bytes:
    """Two mails."""
    mark = b"From a@example.org Mon Jan  1 10:00:00 2024\n"
    return mark + mail("One") + b"\n" + mark + mail("=?iso-8859-1?Q?Zw=F6lf?=", "=_b2") + b"\n"


def mhtml() -> bytes:
    """A saved web page with a picture."""
    return (
        "From: <Saved by code>\nSubject: The ferry\nMIME-Version: 1.0\nContent-Type:"
        " multipart/related;"
        '\n type="text/html"; boundary="----b"\n\n------b\nContent-Type: text/html;'
        ' charset="utf-8"\n'
        "Content-Transfer-Encoding: base64\nContent-Location: https://example.org/\n\n"
        f"{base64.encodebytes(HTML.encode()).decode()}\n------b\nContent-Type: image/png\n"
        "Content-Transfer-Encoding: base64\nContent-Location: p.png\n\niVBORw0KGgo=\n------b--\n"
    ).encode()


def notebook() -> bytes:
    """Cells of text and code, with output."""
    output = {"output_type": "stream", "name": "stdout", "text": ["printed\n"]}
    failed = {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]}
    code = {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": ["x = 1\n", "x"]}
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# The ferry\n", FIRST]},
        {
            **code,
            "outputs": [
                output,
                failed,
                {"output_type": "execute_result", "data": {"text/plain": "1"}},
            ],
        },
        {"cell_type": "raw", "metadata": {}, "source": SECOND},
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def tar() -> bytes:
    """Two files in a folder, and a link."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, body in (("a/one.txt", FIRST.encode()), ("a/two.html", HTML.encode())):
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
        link = tarfile.TarInfo("a/link")
        link.type, link.linkname = tarfile.SYMTYPE, "../../outside"
        archive.addfile(link)
    return out.getvalue()


def seven_zip(
    files: dict[str, bytes],
    *,
    dictionary: int = 16,
    method: bytes = b"",
    packs_header: bool = False,
    more_folders: Sequence[tuple[bytes, list[bytes], dict[str, bytes]]] = (),
) -> bytes:
    """A 7-Zip archive, all files packed as one with LZMA2; names that end with "/" are folders.

    Source: 7zFormat.txt of the LZMA SDK.

    Args:
        dictionary: 16 for 1 MiB, in the two kinds of steps that LZMA2 has.
        method: Another one, of which nothing is packed.
        packs_header: The header is packed, too.
        others: What is packed before these files, by itself: its coders, packed streams, and files.
    """
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]

    def number(value: int) -> bytes:
        return b"\xff" + struct.pack("<Q", value)

    def pack(content: bytes) -> bytes:
        return content if method else lzma.compress(content, lzma.FORMAT_RAW, filters=filters)

    def sums(contents: list[bytes]) -> bytes:
        return b"\n\1" + b"".join(struct.pack("<I", zlib.crc32(content)) for content in contents)

    coder = bytes([len(method)]) + method if method else bytes([0x21, 0x21, 1, dictionary])

    def streams(start: int, folders: list[tuple[bytes, list[bytes], list[bytes]]]) -> bytes:
        coders, packed, contents = zip(*folders, strict=True)
        lengths = [len(stream) for streams_of_folder in packed for stream in streams_of_folder]
        sizes = [[len(content) for content in sizes_of_folder] for sizes_of_folder in contents]
        listed = b"\6" + number(start) + number(len(lengths)) + b"\t"
        listed += b"".join(map(number, lengths)) + b"\0"
        listed += b"\7\x0b" + number(len(folders)) + b"\0" + b"".join(coders) + b"\x0c"
        for coder, sizes_of_folder in zip(coders, sizes, strict=True):
            listed += number(sum(sizes_of_folder)) * coder[0]
        if list(map(len, sizes)) == [1]:
            return listed + sums(contents[0]) + b"\0\0"
        listed += (
            b"\0\10\r" + b"".join(number(len(sizes_of_folder)) for sizes_of_folder in sizes) + b"\t"
        )
        listed += b"".join(
            number(size) for sizes_of_folder in sizes for size in sizes_of_folder[:-1]
        )
        return (
            listed
            + sums([content for contents_of_folder in contents for content in contents_of_folder])
            + b"\0\0"
        )

    full = [content for content in files.values() if content]
    folders = [(coders, packed, [*inside.values()]) for coders, packed, inside in more_folders]
    folders.append((b"\1" + coder, [pack(b"".join(full))], full))
    for _, _, inside in reversed(more_folders):
        files = inside | files
    body = b"".join(stream for _, packed, _ in folders for stream in packed)
    empty = [not content for content in files.values()]
    not_folders = [not name.endswith("/") for name, content in files.items() if not content]
    names = b"\0" + b"".join(name.strip("/").encode("utf-16-le") + b"\0\0" for name in files)
    header = b"\1\4" + streams(0, folders)
    header += b"\5" + number(len(files))
    for kind, content in ((14, _bits(empty)), (15, _bits(not_folders)), (17, names)):
        header += bytes([kind]) + number(len(content)) + content
    header += b"\0\0"
    if packs_header:
        packed_header = pack(header)
        header = b"\x17" + streams(len(body), [(b"\1" + coder, [packed_header], [header])])
        body += packed_header
    start = struct.pack("<QQI", len(body), len(header), zlib.crc32(header))
    head = b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start
    return head + body + header


def _bits(values: list[bool]) -> bytes:
    taken = bytearray(-(-len(values) // 8))
    for index, value in enumerate(values):
        taken[index // 8] |= value << 7 - index % 8
    return bytes(taken)


TEX = (
    r"\documentclass{article}\begin{document}\section{The ferry}" "\n"
    rf"{FIRST}\footnote{{A note.}} % comment" "\n\n" rf"{SECOND} $x^2$ \'e \begin{{itemize}}\item a"
    r"\end{itemize}\end{document}" "\n"
).encode()  # fmt: skip

SEEDS: dict[str, bytes] = {
    "seed.txt": f"{FIRST}\n\n{SECOND}\n{FOREIGN}\n".encode(),
    "latin.txt": "Über den Fluß führt keine Brücke, und die Fähre fährt nur zweimal.\n".encode(
        "cp1252"
    ),
    "seed.md": f"# Ferry\n\n{FIRST} [link](x)\n\n* one\n* two\n\n| a | b |\n|---|---|\n".encode(),
    "seed.rst": f"The ferry\n=========\n\n{FIRST}\n\n.. note:: {SECOND}\n".encode(),
    "seed.tex": TEX,
    "seed.csv": f'name;place\n"{FIRST}";1,5\n"a ""b""\nc";{FOREIGN}\n'.encode(),
    "seed.ipynb": notebook(),
    "seed.html": HTML.encode(),
    "seed.pdf": pdf(),
    "seed.docx": docx(),
    "seed.pptx": pptx(),
    "seed.xlsx": xlsx(),
    "seed.doc": doc(),
    "locked.docx": locked(),
    "seed.xls": seed_xls(),
    "seed.xlsb": seed_xlsb(),
    "seed.ppt": seed_ppt(),
    "word2003.xml": WORD_2003,
    "flat.xml": FLAT,
    "seed.rtf": RTF,
    "seed.odt": odf("text"),
    "seed.ods": odf("spreadsheet"),
    "seed.odp": odf("presentation"),
    "seed.fodt": odf("text", flat=True),
    "seed.epub": epub(),
    "seed.fb2": FB2,
    "seed.mobi": mobi(HTML.encode(), facts=FACTS, flags=3),
    "huffman.mobi": mobi(
        HTML.encode(), packing=17480, tables=huff_records([(word, True) for word in HUFF_WORDS])
    ),
    "seed.azw3": mobi(HTML.encode(), version=8, more_records=[b"FDST"], packing=1, facts=FACTS),
    "zipped.fb2.zip": zipped({"ferry.fb2": FB2}),
    "seed.eml": mail("The ferry"),
    "seed.msg": msg(),
    "seed.mbox": mbox(),
    "seed.mhtml": mhtml(),
    "seed.png": PNG,
    "seed.zip": zipped({"a/one.txt": FIRST, "a/two.docx": docx(), "../out.txt": SECOND, "b/": ""}),
    "seed.tar": tar(),
    "seed.7z": seven_zip({"a/": b"", "a/one.txt": FIRST.encode(), "a/two.html": HTML.encode()}),
    "seed.tar.gz": gzip.compress(tar(), mtime=0),
}
