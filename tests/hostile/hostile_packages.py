"""Packed files made to do harm: ZIP, Office, OpenDocument, EPUB, tar. See `hostile_texts`."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping

Maker = Callable[[float], bytes]
Parts = Mapping[str, str | bytes]

MILLION = 1_000_000
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAW = "http://schemas.openxmlformats.org/drawingml/2006/main"
TYPE = "application/vnd.openxmlformats-officedocument."
ODF = "urn:oasis:names:tc:opendocument:xmlns:"
MAIN = {
    "word/document.xml": f"{TYPE}wordprocessingml.document.main+xml",
    "xl/workbook.xml": f"{TYPE}spreadsheetml.sheet.main+xml",
    "ppt/presentation.xml": f"{TYPE}presentationml.presentation.main+xml",
}
LAUGHS = (
    '<!DOCTYPE a [<!ENTITY l0 "lol">'
    + "".join(f'<!ENTITY l{n + 1} "' + f"&l{n};" * 10 + '">' for n in range(9))
    + "]>"
)
OUTSIDE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


def zipped(parts: Parts, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in parts.items():
            how = zipfile.ZIP_STORED if name == "mimetype" else method
            archive.writestr(zipfile.ZipInfo(name), data, how)
    return buffer.getvalue()


def office(main: str, parts: Parts) -> bytes:
    """A package of Office with a main part."""
    types = f'<Types xmlns="{PACKAGE}/content-types"><Override PartName="/{main}" ContentType='
    root = f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r0" Type="{OFFICE}'
    return zipped(
        {
            "[Content_Types].xml": f'{types}"{MAIN[main]}"/></Types>',
            "_rels/.rels": f'{root}/officeDocument" Target="{main}"/></Relationships>',
            **parts,
        }
    )


def relations(targets: Mapping[str, tuple[str, str]]) -> str:
    """Relationships: for each identifier the kind and the target."""
    each = "".join(
        f'<Relationship Id="{one}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for one, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{each}</Relationships>'


def _docx(unit: str, count: int, start: str = "", end: str = "", before: str = "") -> Maker:
    """A Word document of one stretch of markup again and again."""

    def make(size: float) -> bytes:
        body = start + unit * max(1, int(count * size)) + end
        text = f'{before}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        return office("word/document.xml", {"word/document.xml": text})

    return make


def _paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def _nested(tag: str, depth: int) -> Maker:
    def make(size: float) -> bytes:
        count = max(10, int(depth * size))
        body = f"<w:{tag}>" * count + _paragraph("deep") + f"</w:{tag}>" * count
        text = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        return office("word/document.xml", {"word/document.xml": text})

    return make


def _xlsx(strings: Callable[[float], str], cells: Callable[[float], str]) -> Maker:
    """A workbook of one sheet."""

    def make(size: float) -> bytes:
        book = (
            f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>'
        )
        sheet = f'<worksheet xmlns="{SHEET}"><sheetData>{cells(size)}</sheetData></worksheet>'
        shared = f'<sst xmlns="{SHEET}">{strings(size)}</sst>'
        kinds = {"r1": ("worksheet", "s1.xml"), "r2": ("sharedStrings", "strings.xml")}
        return office(
            "xl/workbook.xml",
            {
                "xl/workbook.xml": book,
                "xl/_rels/workbook.xml.rels": relations(kinds),
                "xl/s1.xml": sheet,
                "xl/strings.xml": shared,
            },
        )

    return make


def _cells(count: int) -> Callable[[float], str]:
    cell = '<row><c t="s"><v>0</v></c></row>'
    return lambda size: cell * max(1, int(count * size))


def _pptx(size: float) -> bytes:
    """Slides that are all one part."""
    count = max(2, int(5000 * size))
    slides = "".join(f'<p:sldId id="{256 + n}" r:id="s{n}"/>' for n in range(count))
    text = "<a:p><a:r><a:t>words again </a:t></a:r></a:p>" * int(40_000 * size + 1)
    shape = f"<p:spTree><p:sp><p:txBody>{text}</p:txBody></p:sp></p:spTree>"
    names = f'xmlns:p="{SLIDE}" xmlns:a="{DRAW}" xmlns:r="{OFFICE}"'
    return office(
        "ppt/presentation.xml",
        {
            "ppt/presentation.xml": f"<p:presentation {names}><p:sldIdLst>{slides}</p:sldIdLst>"
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(
                {f"s{n}": ("slide", "slide.xml") for n in range(count)}
            ),
            "ppt/slide.xml": f"<p:sld {names}><p:cSld>{shape}</p:cSld></p:sld>",
        },
    )


def _odf(kind: str, body: Callable[[float], str]) -> Maker:
    """An OpenDocument file."""

    def make(size: float) -> bytes:
        names = "".join(
            f' xmlns:{name}="{ODF}{name}:1.0"' for name in ("office", "text", "table", "manifest")
        )
        content = (
            f"<office:document-content{names}><office:body><office:{kind}>{body(size)}"
            f"</office:{kind}></office:body></office:document-content>"
        )
        media = f"application/vnd.oasis.opendocument.{kind}"
        return zipped({"mimetype": media, "content.xml": content})

    return make


def _often(unit: str, count: int) -> Callable[[float], str]:
    return lambda size: unit * max(1, int(count * size))


def _deep(tag: str, depth: int) -> Callable[[float], str]:
    def make(size: float) -> str:
        count = max(9, int(depth * size))
        return f"<{tag}>" * count + f"</{tag}>" * count

    return make


def _epub(size: float) -> bytes:
    """A book that is one chapter again and again."""
    count = max(2, int(5000 * size))
    chapter = (
        f"<html><body>{'<p>the words of a chapter</p>' * int(30_000 * size + 1)}</body></html>"
    )
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="c.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine>'
        + '<itemref idref="c"/>' * count
        + "</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="b.opf"/></rootfiles></container>'
    )
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "b.opf": opf,
            "c.xhtml": chapter,
        }
    )


def overlapping(count: int, part: bytes, name: bytes = b"%05d.txt") -> bytes:
    """A ZIP file whose directory names one part very many times."""
    first = name % 0
    data = zipped({first.decode(): part})
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry = data[start:end]
    directory = b"".join(entry.replace(first, name % number) for number in range(count))
    numbers = struct.pack("<HHII", count % 65536, count % 65536, len(directory), start)
    return data[:start] + directory + data[end : end + 8] + numbers + data[end + 20 :]


def _overlapping(size: float) -> bytes:
    return overlapping(
        max(10, int(5000 * size)), b"the words of a text \n" * int(MILLION * size + 9)
    )


def _entries(size: float) -> bytes:
    """A directory of millions of folders."""
    return overlapping(max(10, int(2 * MILLION * size)), b"", b"%07d/")


def _types(name: str, method: int) -> Maker:
    """What says which format a package has, as a bomb."""
    others = {"content.xml": "<a/>"} if name.startswith("META") else {}
    return lambda size: zipped({name: bytes(int(1000 * MILLION * size) + 1), **others}, method)


def _bomb(size: float) -> bytes:
    return zipped({"bomb.txt": b"0 " * int(100 * MILLION * size + 9), "word.txt": b"a word"})


def _nested_zip(size: float) -> bytes:
    data = b"the words within"
    for depth in range(max(3, int(40 * size))):
        data = zipped({f"{depth}.zip": data, f"{depth}.txt": b"words beside it"})
    return data


def _named(names: list[str]) -> Maker:
    return lambda _size: zipped(dict.fromkeys(names, b"some words in a file"))


def _tar(info: Callable[[tarfile.TarInfo], None], content: bytes = b"") -> bytes:
    one = tarfile.TarInfo("a.txt")
    info(one)
    return one.tobuf(tarfile.GNU_FORMAT) + content + bytes(1024)


def _lying_tar(_size: float) -> bytes:
    return _tar(lambda one: setattr(one, "size", 8**20), b"words")


def _many_in_tar(size: float) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for number in range(max(3, int(6000 * size))):
            one = tarfile.TarInfo(f"{number}.txt")
            one.size = 20_000
            archive.addfile(one, io.BytesIO((b"word %6d " % number * 1800)[:20_000]))
    return buffer.getvalue()


def _zeros(pack: Callable[[bytes], bytes], tar: bool) -> Maker:
    def make(size: float) -> bytes:
        zeros = bytes(int(600 * MILLION * size) // 512 * 512 + 512)
        head = tarfile.TarInfo("zeros.txt")
        head.size = len(zeros)
        return pack(head.tobuf(tarfile.GNU_FORMAT) + zeros + bytes(1024) if tar else zeros)

    return make


PACKAGES: dict[str, Maker] = {
    "many words.docx": _docx(_paragraph("a b c d e f g h " * 20), 230_000),
    "many words 2.docx": _docx(_paragraph("a b c d e f g i " * 20), 230_000),
    "many words 3.docx": _docx(_paragraph("a b c d e f g j " * 20), 230_000),
    "many words 4.docx": _docx(_paragraph("a b c d e f g k " * 20), 230_000),
    "many runs.docx": _docx("<w:r><w:t>a</w:t></w:r>", 2 * MILLION, "<w:p>", "</w:p>"),
    "many tabs.docx": _docx("<w:tab/>", 6 * MILLION, "<w:p><w:r><w:t>a</w:t>", "</w:r></w:p>"),
    "one text.docx": _docx("words ", 9 * MILLION, "<w:p><w:r><w:t>", "</w:t></w:r></w:p>"),
    "attributes.docx": _docx("x", 60 * MILLION, '<w:p w:a="', '"/>'),
    "elements.docx": _docx("<w:p/>", 8 * MILLION),
    "deep.docx": _nested("p", 300_000),
    "deep tables.docx": _nested("tbl", 300_000),
    "laughs.docx": _docx(_paragraph("&l9;"), 1, before=LAUGHS),
    "outside.docx": _docx(_paragraph("&x;"), 1, before=OUTSIDE),
    "zeros.docx": _docx("\0", 60 * MILLION),
    "spaces.docx": _docx(" ", 60 * MILLION),
    "one string.xlsx": _xlsx(_often("<si><t>word</t></si>", 1), _cells(MILLION)),
    "long string.xlsx": _xlsx(
        lambda size: f"<si><t>{'words ' * int(500_000 * size + 1)}</t></si>", _cells(20_000)
    ),
    "many strings.xlsx": _xlsx(_often("<si><t>w</t></si>", 3 * MILLION), _cells(10)),
    "far cells.xlsx": _xlsx(
        _often("<si><t>w</t></si>", 1),
        lambda _size: '<row r="1048576"><c r="XFD1048576" t="s"><v>0</v></c></row>' * 9,
    ),
    "big number.xlsx": _xlsx(
        _often("<si><t>w</t></si>", 1),
        lambda size: f"<row><c><v>{'9' * int(9e6 * size + 9)}</v></c></row>",
    ),
    "one slide.pptx": _pptx,
    "spaces.odt": _odf("text", _often('<text:p>a<text:s text:c="999999999"/>b</text:p>', 1000)),
    "columns.ods": _odf(
        "spreadsheet",
        _often(
            '<table:table><table:table-row table:number-rows-repeated="999999999">'
            '<table:table-cell table:number-columns-repeated="999999999"><text:p>word</text:p>'
            "</table:table-cell>"
            "</table:table-row></table:table>",
            100,
        ),
    ),
    "paragraphs.odt": _odf("text", _often("<text:p>a b c d e</text:p>", 2 * MILLION)),
    "deep.odt": _odf("text", _deep("text:section", 300_000)),
    "deep spans.odt": _odf("text", _deep("text:span", 300_000)),
    "one chapter.epub": _epub,
    "overlap.zip": _overlapping,
    "overlap.docx": _overlapping,
    "entries.zip": _entries,
    "types by bzip2.docx": _types("[Content_Types].xml", zipfile.ZIP_BZIP2),
    "types by lzma.xlsx": _types("[Content_Types].xml", zipfile.ZIP_LZMA),
    "types.zip": _types("[Content_Types].xml", zipfile.ZIP_DEFLATED),
    "manifest.odt": _types("META-INF/manifest.xml", zipfile.ZIP_BZIP2),
    "bomb.zip": _bomb,
    "nested.zip": _nested_zip,
    "outside.zip": _named(
        ["../../a.txt", "/etc/b.txt", "c:\\d.txt", "..", "e\0f.txt", "\x1b[31m.txt"]
    ),
    "same names.zip": _named(
        [f"{'n' * 900}{number % 2}/a.txt" for number in range(2)] + ["a" * 60_000]
    ),
    "lying.tar": _lying_tar,
    "many.tar": _many_in_tar,
    "zeros.tar.gz": _zeros(gzip.compress, tar=True),
    "zeros.tar.bz2": _zeros(bz2.compress, tar=True),
    "zeros.tar.xz": _zeros(lzma.compress, tar=True),
    "zeros.gz": _zeros(gzip.compress, tar=False),
    "end only.zip": lambda _size: b"PK\x05\x06" + b"\xff" * 18,
    "start only.zip": lambda size: b"PK\x03\x04" * int(9 * MILLION * size + 9),
}
