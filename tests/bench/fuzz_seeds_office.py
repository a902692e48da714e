"""Seeds of Word, Excel and PowerPoint."""

from __future__ import annotations

import base64
import struct

from fuzz_parts import FIRST, FOREIGN, SECOND, packed, xml

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


def content_types(**overrides: str) -> str:
    """Which part is what; "__" in a name stands for "/"."""
    rows = "".join(
        f'<Override PartName="/{name.replace("__", "/")}.xml" ContentType='
        f'"application/vnd.openxmlformats-officedocument.{kind}+xml"/>'
        for name, kind in overrides.items()
    )
    return xml(
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Default Extension="rels" ContentType='
        f'"application/vnd.openxmlformats-package.relationships+xml"/>{rows}</Types>'
    )


def relationships(*targets: tuple[str, str]) -> str:
    """The parts a part refers to: kind and place."""
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return xml(f'<Relationships xmlns="{PACKAGE}/relationships">{rows}</Relationships>')


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
    space = f"xmlns:w='{WORD}' xmlns:r='{OFFICE}'"
    note = f"<w:footnote w:id='2'><w:p>{run.format('A note below.')}</w:p></w:footnote>"
    return packed(
        {
            "[Content_Types].xml": content_types(
                word__document="wordprocessingml.document.main",
                word__footnotes="wordprocessingml.footnotes",
            ),
            "_rels/.rels": relationships(("officeDocument", "word/document.xml")),
            "word/document.xml": xml(f"<w:document {space}><w:body>{body}</w:body></w:document>"),
            "word/footnotes.xml": xml(f"<w:footnotes {space}>{note}</w:footnotes>"),
            "word/header1.xml": xml(f"<w:hdr {space}><w:p>{run.format('Head')}</w:p></w:hdr>"),
            "word/_rels/document.xml.rels": relationships(
                ("footnotes", "footnotes.xml"),
                ("hyperlink", "https://example.org"),
                ("header", "header1.xml"),
            ),
        }
    )


def pptx() -> bytes:
    """Two slides, a table, notes."""
    space = f"xmlns:p='{SLIDE}' xmlns:a='{DRAWING}' xmlns:r='{OFFICE}'"
    shape = "<p:sp><p:txBody><a:p><a:r><a:t>{}</a:t></a:r><a:br/><a:fld><a:t>1</a:t></a:fld></a:p>"
    shape += "</p:txBody></p:sp>"
    table = "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>"
    table += "cell</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic>"
    table += "</p:graphicFrame>"
    slide = f"<p:sld {space}><p:cSld><p:spTree>{{}}</p:spTree></p:cSld></p:sld>"
    ids = "<p:sldId id='256' r:id='rId1'/><p:sldId id='257' r:id='rId2'/>"
    return packed(
        {
            "[Content_Types].xml": content_types(
                ppt__presentation="presentationml.presentation.main",
                ppt__slides__slide1="presentationml.slide",
                ppt__slides__slide2="presentationml.slide",
            ),
            "_rels/.rels": relationships(("officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": xml(
                f"<p:presentation {space}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
            ),
            "ppt/_rels/presentation.xml.rels": relationships(
                ("slide", "slides/slide1.xml"), ("slide", "slides/slide2.xml")
            ),
            "ppt/slides/slide1.xml": xml(slide.format(shape.format(FIRST) + table)),
            "ppt/slides/slide2.xml": xml(slide.format(shape.format(SECOND))),
            "ppt/slides/_rels/slide1.xml.rels": relationships(
                ("notesSlide", "../notesSlides/notesSlide1.xml")
            ),
            "ppt/notesSlides/notesSlide1.xml": xml(
                f"<p:notes {space}><p:cSld><p:spTree>{shape.format('A remark')}"
                "</p:spTree></p:cSld></p:notes>"
            ),
        }
    )


def xlsx() -> bytes:
    """Two sheets with shared, inline and computed cells."""
    cells = (
        "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='C1' t='inlineStr'><is><t>inline</t></is></c>"
    )
    cells += "</row><row r='3'><c r='B3'><f>1+1</f><v>2</v></c><c r='C3' t='b'><v>1</v></c>"
    cells += "<c r='D3' s='1'><v>45000.5</v></c><c t='str'><v>text</v></c></row>"
    sheet = f"<worksheet xmlns='{SHEET}'><sheetData>{{}}</sheetData></worksheet>"
    sheets = (
        "<sheet name='One' sheetId='1' r:id='rId1'/><sheet name='Two' sheetId='2' r:id='rId2'/>"
    )
    strings = f"<si><t>{FIRST}</t></si><si><r><t>rich </t></r><r><t>text</t></r></si>"
    return packed(
        {
            "[Content_Types].xml": content_types(
                xl__workbook="spreadsheetml.sheet.main",
                xl__worksheets__sheet1="spreadsheetml.worksheet",
            ),
            "_rels/.rels": relationships(("officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": xml(
                f"<workbook xmlns='{SHEET}' xmlns:r='{OFFICE}'><sheets>{sheets}</sheets></workbook>"
            ),
            "xl/_rels/workbook.xml.rels": relationships(
                ("worksheet", "worksheets/sheet1.xml"),
                ("worksheet", "worksheets/sheet2.xml"),
                ("sharedStrings", "sharedStrings.xml"),
                ("styles", "styles.xml"),
            ),
            "xl/worksheets/sheet1.xml": xml(sheet.format(cells)),
            "xl/worksheets/sheet2.xml": xml(sheet.format("<row><c t='s'><v>1</v></c></row>")),
            "xl/sharedStrings.xml": xml(f"<sst xmlns='{SHEET}' count='2'>{strings}</sst>"),
            "xl/styles.xml": xml(
                f"<styleSheet xmlns='{SHEET}'><cellXfs><xf numFmtId='0'/><xf"
                " numFmtId='14'/></cellXfs></styleSheet>"
            ),
        }
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


def compound(streams: dict[str, bytes]) -> bytes:
    """An OLE compound file; streams are padded so that none is small enough for a mini stream.

    Source: [MS-CFB], version 3, sectors of 512 bytes.
    """
    free, chain_end, table_sector = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
    bodies = [body.ljust(max(4096, -(-len(body) // 512) * 512), b"\0") for body in streams.values()]
    names = ["Root Entry", *streams]
    directory_sectors = -(-len(names) // 4)
    fat = [table_sector, *range(2, directory_sectors + 1), chain_end]
    starts = []
    for body in bodies:
        starts.append(len(fat))
        fat += [*range(len(fat) + 1, len(fat) + len(body) // 512), chain_end]
    entries = b""
    for number, name in enumerate(names):
        text = name.encode("utf-16-le") + b"\0\0"
        start, size = (starts[number - 1], len(bodies[number - 1])) if number else (chain_end, 0)
        right = number + 1 if 0 < number < len(names) - 1 else free
        child = free if number else 1
        kind = 2 if number else 5
        entries += text.ljust(64, b"\0") + struct.pack(
            "<HBBIII", len(text), kind, 1, free, right, child
        )
        entries += bytes(36) + struct.pack("<IQ", start, size)
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack(
        "<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, chain_end, 0, chain_end, 0
    )
    header += struct.pack("<109I", 0, *[free] * 108)
    table = struct.pack("<128I", *fat, *[free] * (128 - len(fat)))
    return header + table + entries.ljust(directory_sectors * 512, b"\0") + b"".join(bodies)


def doc() -> bytes:
    """A Word file with two pieces of text, one of 8 and one of 16 bits, and a field.

    Source: [MS-DOC], FibBase, FibRgFcLcb97 and Clx.
    """
    one = f"The ferry\r{FIRST}\r\x13 PAGE \x147\x15 a\x07b\x07\x07\x0b\x0c".encode("cp1252")
    two = f"{SECOND} {FOREIGN}\r".encode("utf-16-le")
    first_place, second_place = 1024, 1024 + len(one) + len(one) % 2
    characters = len(one) + len(two) // 2
    fib = bytearray(1024)
    struct.pack_into("<HHHHHH", fib, 0, 0xA5EC, 0xC1, 0, 0x409, 0, 0x0200)
    struct.pack_into("<HHH", fib, 32, 14, 0, 0)
    struct.pack_into("<H", fib, 62, 22)
    struct.pack_into("<I", fib, 64, second_place + len(two))
    struct.pack_into("<I", fib, 76, characters)
    struct.pack_into("<H", fib, 152, 93)
    pieces = struct.pack("<III", 0, len(one), characters)
    pieces += struct.pack("<HIH", 0, first_place * 2 | 0x40000000, 0)
    pieces += struct.pack("<HIH", 0, second_place, 0)
    clx = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    struct.pack_into("<II", fib, 0x1A2, 0, len(clx))
    text = bytes(fib) + one.ljust(second_place - first_place, b"\0") + two
    return compound({"WordDocument": text, "1Table": clx, "\x05SummaryInformation": b"\xfe\xff"})


def locked() -> bytes:
    """A Word document locked with a password that nobody knows: what is in it is noise.

    Source: [MS-OFFCRYPTO], agile encryption.
    """
    salt = base64.b64encode(bytes(range(16))).decode()
    value = base64.b64encode(bytes(range(32))).decode()
    how = 'saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES"'
    how += f' cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="{salt}"'
    space = "http://schemas.microsoft.com/office/2006"
    info = (
        f'<encryption xmlns="{space}/encryption" xmlns:p="{space}/keyEncryptor/password">'
        f'<keyData {how}/><dataIntegrity encryptedHmacKey="{value}" encryptedHmacValue="{value}"/>'
        f'<keyEncryptors><keyEncryptor uri="{space}/keyEncryptor/password"><p:encryptedKey '
        f'spinCount="1000" {how} encryptedVerifierHashInput="{value}" encryptedVerifierHashValue='
        f'"{value}" encryptedKeyValue="{value}"/></keyEncryptor></keyEncryptors></encryption>'
    )
    package = struct.pack("<Q", 2000) + bytes(range(256)) * 8
    return compound(
        {
            "EncryptionInfo": struct.pack("<HHI", 4, 4, 0x40) + xml(info).encode(),
            "EncryptedPackage": package,
        }
    )
