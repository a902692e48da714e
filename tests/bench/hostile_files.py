"""All files made to do harm, written to a folder.

    python tests/bench/hostile_files.py FOLDER [--size 1]

They are made by small programs, the same every time. `--size` is how large they are: 1 brings them
near the limits or over, a thousandth is enough to see that each is read or refused.
"""

import argparse
import base64
import bz2
import gzip
import json
import lzma
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from tests.archives import (
    CONTAINER,
    ODF_MEDIA,
    XHTML,
    odf_content,
    office,
    office_names,
    opf,
    png,
    related,
    tarred,
    zipped,
)
from tests.bench.fuzz_seeds import palm_database
from tests.pdfs import assembled
from tests.pdfs import stream as plain_stream

Maker = Callable[[float], bytes]

MILLION = 1_000_000


def _repeated(unit: str, count: float, encoding: str = "utf-8", start: str = "A text. ") -> Maker:
    """A text of one unit again and again."""

    def make(size: float) -> bytes:
        return start.encode(encoding) + unit.encode(encoding) * max(1, int(count * size))

    return make


def _ended(unit: bytes, count: int, end: bytes) -> Maker:
    return lambda size: b"A text. " + unit * max(1, int(count * size)) + end


def _marked(mark: bytes, unit: str, encoding: str, count: int) -> Maker:
    return lambda size: mark + unit.encode(encoding) * max(1, int(count * size))


def _numbers(size: float) -> bytes:
    """Words that are all different."""
    return b" ".join(b"w%x" % (number * 2654435761) for number in range(int(3 * MILLION * size)))


def _thue_morse(swapped: int) -> Maker:
    """Words of a sequence without a period, in which every stretch stands again."""

    def make(size: float) -> bytes:
        count = max(16, int(2 * MILLION * size))
        words = (b"one", b"two")
        return b" ".join(words[(index.bit_count() + swapped) % 2] for index in range(count))

    return make


def _letters(size: float) -> bytes:
    """One line of letters at random."""
    generator = random.Random(1)
    block = bytes(generator.choices(b"abcdefghijklmnopqrstuvwxyz", k=100_000))
    return block * max(1, int(300 * size))


def _alike(words: int) -> Maker:
    """A text that shares almost all with the other of its kind, and repeats itself."""
    return lambda size: b"the same words again " * max(1, int(500_000 * size)) + b"end %d" % words


TEXTS: dict[str, Maker] = {
    "grows 18 times.txt": _repeated("\ufdfa", 20 * MILLION),
    "grows in words.txt": _repeated("\ufdfa ", 16 * MILLION),
    "grows in letters.txt": _repeated("\u3316\u33a8", 20 * MILLION),
    "marks.txt": _repeated("\u0301\u0327", 20 * MILLION),
    "marks on letters.txt": _repeated("a\u0327\u0301\u0302\u0323", 9 * MILLION),
    "jamo.txt": _repeated("\u1100\u1161\u11a8", 16 * MILLION),
    "one word.txt": _repeated("a", 50 * MILLION - 20),
    "letters in a row.txt": _letters,
    "words of one letter.txt": _repeated("a b ", 12 * MILLION),
    "fewer words of one letter.txt": _repeated("a b ", 3.9 * MILLION),
    "ideographs.txt": _repeated("的一是在不了有和人", 5 * MILLION),
    "fewer ideographs.txt": _repeated("的一是在不了有和人", 0.8 * MILLION),
    "no spaces.txt": _repeated("กขคงจ", 9 * MILLION),
    "broken words.txt": _repeated("ab-\ncd ", 7 * MILLION),
    "soft hyphens.txt": _repeated("ab\u00ad\n", 12 * MILLION),
    "hyphens alone.txt": _repeated("-\n", 20 * MILLION),
    "line ends.txt": _repeated("\n", 45 * MILLION),
    "carriage returns.txt": _repeated("\r", 45 * MILLION),
    "spaces.txt": _repeated(" ", 45 * MILLION),
    "fixed spaces.txt": _repeated("слово\u00a0", 8 * MILLION),
    "zero width.txt": _repeated("a\u200b\u2060\u200d", 12 * MILLION),
    "direction marks.txt": _repeated("a\u202e\u2066 ", 12 * MILLION),
    "raised figures.txt": _repeated("10\u00b2\u2122 ", 10 * MILLION),
    "utf-16.txt": _marked(b"\xff\xfe", "a b ", "utf-16-le", 12 * MILLION),
    "utf-16 without mark.txt": _repeated("ab cd ", 8 * MILLION, "utf-16-be"),
    "utf-32.txt": _marked(b"\xff\xfe\0\0", "a\U0001f600 ", "utf-32-le", 16 * MILLION),
    "utf-32 without mark.txt": _repeated("ab cd ", 8 * MILLION, "utf-32-le"),
    "late accent.txt": _ended(b"some plain words ", 10 * MILLION, b"caf\xe9 au lait\n"),
    "late emoji.txt": _ended(b"some plain words ", 2 * MILLION, "\U0001f600".encode()),
    "cyrillic.txt": _repeated("Все люди рождаются свободными ", 1.6 * MILLION, "cp1251", ""),
    "japanese.txt": _repeated("すべての人間は自由である。", 3 * MILLION, "shift_jis", ""),
    "four bytes.txt": _repeated("\u0e01 \u0e02", 8 * MILLION, "gb18030"),
    "escapes.txt": _repeated("\x1b$B$9$Y\x1b(B", 9 * MILLION),
    "broken utf-8.txt": _ended("é words ".encode(), 12 * MILLION, b"\xff\xfe\xc3" * 1000),
    "surrogates.txt": _repeated("a ", 5 * MILLION, start="A \ufffd text "),
    "nul bytes.txt": _ended(b"words and \0 ", 4 * MILLION, b""),
    "control characters.txt": _ended(b"words\x01\x02\x03 ", 4 * MILLION, b""),
    "over the characters.txt": _repeated("a ", 60 * MILLION),
    "over the characters in utf-32.txt": _marked(b"\xff\xfe\0\0", "ab ", "utf-32-le", 16 * MILLION),
    "different words.txt": _numbers,
    "sequence.txt": _thue_morse(0),
    "other sequence.txt": _thue_morse(1),
    "repeats itself.txt": _alike(1),
    "repeats itself too.txt": _alike(2),
    "nested.json": _repeated("[", 20 * MILLION, start="A: "),
    "one row.csv": _repeated("cell,", 9 * MILLION),
    "entities.md": _repeated("&amp;&#x1f600;", 3 * MILLION),
}

# Names that break lines, tables, terminals or markup; and the longest that a disk takes.
NAMES = (
    "escape \x1b[31m red.txt",
    "line\nend.txt",
    "right \u202e to left txt.exe.txt",
    "=1+1.csv.txt",
    "<script>alert(1)<.txt",
    "-option.txt",
    "n" * 240 + ".txt",
)


def _times(unit: bytes, count: int, size: float) -> bytes:
    return unit * max(1, int(count * size))


def _around(start: bytes, unit: bytes, count: int, end: bytes = b"") -> Maker:
    """A file of one stretch again and again."""
    return lambda size: start + _times(unit, count, size) + end


def _nested_mail(start: bytes, opened: bytes, closed: bytes, depth: int, end: bytes = b"") -> Maker:
    return lambda size: (
        start + _times(opened, depth, size) + b"deep words" + _times(closed, depth, size) + end
    )


stream = partial(plain_stream, is_packed=True)
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
WORDS = b"BT /F 9 Tf (the words of a page) Tj ET\n"


def _pages(content: bytes, count: int, font: bytes = FONT, *more: bytes) -> bytes:
    """So many pages with one content stream."""
    contents = b"/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]%s>>" % contents
    first = 5 + len(more)
    kids = b" ".join(b"%d 0 R" % (first + number) for number in range(count))
    tree = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)
    return assembled(
        [b"<</Type/Catalog/Pages 2 0 R>>", tree, font, content, *more, *[page] * count]
    )


def _single_stream(size: float) -> bytes:
    lines = b"".join(b"BT /F 9 Tf 9 %d Td (words %d) Tj ET\n" % (n % 800, n) for n in range(400))
    return _pages(stream(_times(lines, 20, size)), max(2, int(5000 * size)))


def _flate(size: float) -> bytes:
    return _pages(stream(_times(b"\0", 800 * MILLION, size)), 1)


def _flate_twice(size: float) -> bytes:
    inner = zlib.compress(zlib.compress(_times(b" ", 400 * MILLION, size)))
    body = b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%s\nendstream"
    return _pages(body % (len(inner), inner), 1)


def _unicode_map(size: float) -> bytes:
    """A font whose letters stand for very long words."""
    long = b"0041" * 500
    chars = b"\n".join(b"<%02x> <%s>" % (code, long) for code in range(32, 127))
    table = stream(
        b"begincmap 1 begincodespacerange <00><ff> endcodespacerange 95 beginbfchar\n"
        + chars
        + b"\nendbfchar endcmap"
    )
    font = FONT[:-2] + b"/ToUnicode 5 0 R>>"
    letters = b"BT /F 9 Tf (%s) Tj ET\n" % (_times(b"abcdefghij", 1000, size))
    return _pages(stream(_times(letters, 200, size)), 1, font, table)


def _page_loop(_size: float) -> bytes:
    tree = b"<</Type/Pages/Kids[2 0 R 2 0 R 2 0 R]/Count 99999999>>"
    return assembled([b"<</Type/Catalog/Pages 2 0 R>>", tree])


def _many_glyphs(size: float) -> bytes:
    return _pages(stream(_times(WORDS, 200_000, size)), 3)


def _form_loop(_size: float) -> bytes:
    form = stream(b"/X Do /X Do", "/Type/XObject/Subtype/Form/Resources<</XObject<</X 4 0 R>>>>")
    return _pages(form, 1)


def _deep_outline(size: float) -> bytes:
    return _pages(stream(WORDS + _times(b"q ", 2 * MILLION, size)), 2)


def _mail(head: bytes, body: bytes = b"Some words in a mail.\r\n") -> bytes:
    return b"From: a@example.org\r\nTo: b@example.org\r\n" + head + b"\r\n" + body


def _mail_in_mail(size: float) -> bytes:
    data = _mail(b"Subject: the innermost\r\n")
    for _ in range(max(3, int(3000 * size))):
        data = _mail(b"Content-Type: message/rfc822\r\n", data)
    return data


def _many_parts(size: float) -> bytes:
    part = b"--b\r\nContent-Type: text/plain\r\n\r\nwords of a part\r\n"
    kind = b"Content-Type: multipart/mixed; boundary=b\r\n"
    return _mail(kind, _times(part, 300_000, size) + b"--b--\r\n")


def _nested_parts(size: float) -> bytes:
    head = b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n'
    levels = max(3, int(30_000 * size))
    return _mail(b"".join(head % (n, n) for n in range(levels)), b"words")


def _attachments(size: float) -> bytes:
    """Large texts in base64, many of them."""
    text = base64.encodebytes(_times(b"the words of a text attached ", 500_000, size))
    part = b"--b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n" + text
    return _mail(b"Content-Type: multipart/mixed; boundary=b\r\n", part * 8 + b"--b--\r\n")


def _mailbox(size: float) -> bytes:
    body = _times(b"many words in one large mail\n", 600_000, size)
    mail = b"From a@example.org Sat Jan  3 01:05:34 1996\nFrom: a\nSubject: %d\n\n" + body + b"\n"
    return b"".join(mail % number for number in range(8))


def _many_mails(size: float) -> bytes:
    mail = b"From a@example.org Sat Jan  3 01:05:34 1996\nFrom: a\nSubject: b\n\na few words\n\n"
    return _times(mail, 400_000, size)


def _notebook(source: Callable[[float], object]) -> Maker:
    def make(size: float) -> bytes:
        cells = [{"cell_type": "markdown", "metadata": {}, "source": source(size)}]
        book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        return json.dumps(book).encode()

    return make


def _png(width: int, height: int) -> bytes:
    return png(width, height, bytes(10 * MILLION))


def _book(packing: int, texts: Sequence[bytes], tables: Sequence[bytes] = ()) -> bytes:
    """A book of Kindle with these records."""
    head = struct.pack(">HxxIHHI4s4I", packing, 1, len(texts), 4096, 0, b"MOBI", 232, 2, 65001, 1)
    head = head.ljust(112, b"\0") + struct.pack(">II", 1 + len(texts), len(tables)) + bytes(128)
    return palm_database([head, *texts, *tables])


def _words_of_words() -> Sequence[bytes]:
    """A dictionary each word of which is twice the next, with codes of eight bits."""
    words = [bytes((2, 254 - number, 254 - number)) for number in range(200)]
    words.append(b"\x80\x05words")
    words = [b"\0" + word if len(word) == 3 else word for word in words]
    offsets = [2 * len(words) + sum(map(len, words[:number])) for number in range(len(words))]
    cdic = struct.pack(f">4sIII{len(words)}H", b"CDIC", 16, len(words), 8, *offsets)
    codes = [255 << 8 | 0x88] * 256
    huff = struct.pack(">4sIII8x256I64I", b"HUFF", 24, 24, 24 + 1024, *codes, *[0] * 64)
    return [huff, cdic + b"".join(words)]


def _compound(sector: int, fat: bytes) -> bytes:
    """A compound file whose chain of sectors leads where it should not."""
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 0x7FFFFFFF, sector, 0, 4096, 0, 0x7FFFFFFF, 0, 0x7FFFFFFF)
    return head + fat + bytes(512 * 9)


RTF = rb"{\rtf1\ansi "
HTML = b"<!DOCTYPE html><html><body>"
WORDML = (
    b'<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument '
    b'xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body>'
)
FB2 = b'<?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><body>'
MHTML = (
    b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
    b"Content-Type: text/html\r\n\r\n"
)

OTHER_READERS: dict[str, Maker] = {
    "one stream.pdf": _single_stream,
    "zeros.pdf": _flate,
    "zeros twice.pdf": _flate_twice,
    "letters to words.pdf": _unicode_map,
    "page loop.pdf": _page_loop,
    "many letters.pdf": _many_glyphs,
    "form loop.pdf": _form_loop,
    "deep state.pdf": _deep_outline,
    "nested array.pdf": _around(b"%PDF-1.7\n1 0 obj\n", b"[", 9 * MILLION),
    "empty.pdf": _around(b"%PDF-1.7\n", b"%", 9 * MILLION),
    "deep.html": _nested_mail(HTML, b"<div>", b"</div>", 2 * MILLION),
    "deep lists.html": _nested_mail(HTML, b"<ul><li>", b"", MILLION),
    "entities.html": _around(HTML, b"&CounterClockwiseContourIntegral;", 4 * MILLION),
    "attributes.html": _around(HTML + b"<p ", b'a="b" ', 6 * MILLION, b">words"),
    "comments.html": _around(HTML, b"<!-- ", 8 * MILLION),
    "open tags.html": _around(HTML, b"<", 40 * MILLION),
    "table.html": _around(HTML + b"<table>", b"<tr><td>a<td>b", 4 * MILLION),
    "formatting.html": _around(HTML, b"<b><i><a>", 4 * MILLION),
    "scripts.html": _around(HTML, b"<script>a</script>", 3 * MILLION),
    "one text.html": _around(HTML, b"words of a page ", 9 * MILLION),
    "groups.rtf": _nested_mail(RTF, b"{", b"}", 30 * MILLION),
    "fields.rtf": _around(RTF, rb"{\field{\*\fldinst HYPERLINK}{\fldrslt a}}", MILLION, b"}"),
    "binary.rtf": _around(RTF + rb"words \bin2147483647 ", b"x", 9 * MILLION),
    "unicode.rtf": _around(RTF, rb"\u8364?", 9 * MILLION, b"}"),
    "escapes.rtf": _around(RTF, rb"\'e9", 20 * MILLION, b"}"),
    "picture.rtf": _around(RTF + rb"{\pict ", b"0123456789abcdef\n", 4 * MILLION, b"}words}"),
    "control words.rtf": _around(RTF, b"\\" + b"a" * 40 + b"1 ", 2 * MILLION, b"words}"),
    "rows.rtf": _around(RTF, rb"\trowd\cellx1 a\cell\row ", 2 * MILLION, b"}"),
    "mail in mail.eml": _mail_in_mail,
    "many parts.eml": _many_parts,
    "nested parts.eml": _nested_parts,
    "attachments.eml": _attachments,
    "long header.eml": _around(
        b"From: a\r\nSubject: ", b"=?utf-8?q?word?= ", 3 * MILLION, b"\r\n\r\nwords"
    ),
    "many headers.eml": _around(b"From: a\r\nTo: b\r\n", b"X-A: b\r\n", 5 * MILLION, b"\r\nwords"),
    "mailbox.mbox": _mailbox,
    "many mails.mbox": _many_mails,
    "page.mhtml": _around(MHTML, b"<p>words of a page", 4 * MILLION),
    "deep.ipynb": _around(b'{"nbformat": 4, "cells": ', b"[", 9 * MILLION),
    "one cell.ipynb": _notebook(lambda size: "words in a cell " * int(6 * MILLION * size + 1)),
    "many lines.ipynb": _notebook(lambda size: ["a\n"] * int(5 * MILLION * size + 1)),
    "number.ipynb": _around(b'{"nbformat": 4, "cells": [], "a": ', b"9", 9 * MILLION, b"}"),
    "macros.tex": lambda size: (
        rb"\documentclass{article}\def\a{word \b\b}"
        + b"".join(rb"\def\%c{\%c\%c}" % (97 + n, 98 + n, 98 + n) for n in range(1, 24))
        + rb"\begin{document}\a"
        + _times(b"words ", 9 * MILLION, size)
        + rb"\end{document}"
    ),
    "braces.tex": _nested_mail(rb"\documentclass{a}\begin{document}", b"{", b"}", 9 * MILLION),
    "commands.tex": _around(rb"\documentclass{a}\begin{document}", rb"\textbf{\emph{", 2 * MILLION),
    "large.png": lambda _size: _png(60_000, 60_000),
    "chain.doc": lambda _size: _compound(0, struct.pack("<109I", *range(109))),
    "loop.doc": lambda _size: _compound(0, struct.pack("<109I", *[0] * 109)),
    "deep.fb2": _nested_mail(FB2, b"<section>", b"</section>", 500_000, b"</body></FictionBook>"),
    "paragraphs.fb2": _around(FB2, b"<p>some words</p>", 4 * MILLION, b"</body></FictionBook>"),
    "repeats.mobi": lambda size: _book(2, [b"a" + b"\x80\x0f" * 20_000] * int(2_000 * size + 1)),
    "records.mobi": lambda size: _book(2, [b""] * int(60_000 * size + 1)),
    "words of words.mobi": lambda _size: _book(17480, [b"\xff"], _words_of_words()),
    "deep word.xml": _nested_mail(WORDML, b"<w:p>", b"</w:p>", MILLION),
    "paragraphs word.xml": _around(
        WORDML, b"<w:p><w:r><w:t>a b</w:t></w:r></w:p>", 2 * MILLION, b"</w:body></w:wordDocument>"
    ),
    "laughs.xml": lambda _size: (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "words"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    ),
    "utf-16.html": lambda size: (
        b"\xff\xfe" + "<p>words".encode("utf-16-le") * int(4 * MILLION * size + 1)
    ),
    "wrong.docx": _around(b"%PDF-1.7\n{\\rtf1 ", b"PK\x03\x04", MILLION),
    "png.pdf": lambda _size: _png(10, 10),
}


LAUGHS = (
    '<!DOCTYPE a [<!ENTITY l0 "lol">'
    + "".join(f'<!ENTITY l{n + 1} "' + f"&l{n};" * 10 + '">' for n in range(9))
    + "]>"
)
OUTSIDE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


def _docx(unit: str, count: int, start: str = "", end: str = "", before: str = "") -> Maker:
    """A Word document of one stretch of markup again and again."""

    def make(size: float) -> bytes:
        body = start + unit * max(1, int(count * size)) + end
        return _word_file(body, before)

    return make


def _word_file(body: str, before: str = "") -> bytes:
    text = f"{before}<w:document {office_names()}><w:body>{body}</w:body></w:document>"
    return office("word/document.xml", {"word/document.xml": text})


def _paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def _nested(tag: str, depth: int) -> Maker:
    def make(size: float) -> bytes:
        count = max(10, int(depth * size))
        return _word_file(f"<w:{tag}>" * count + _paragraph("deep") + f"</w:{tag}>" * count)

    return make


def _xlsx(strings: Callable[[float], str], cells: Callable[[float], str]) -> Maker:
    """A workbook of one sheet."""

    def make(size: float) -> bytes:
        names = office_names(default="x")
        sheets = '<sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets>'
        book = f"<workbook {names}>{sheets}</workbook>"
        sheet = f"<worksheet {names}><sheetData>{cells(size)}</sheetData></worksheet>"
        shared = f"<sst {names}>{strings(size)}</sst>"
        kinds = {"r1": ("worksheet", "s1.xml"), "r2": ("sharedStrings", "strings.xml")}
        return office(
            "xl/workbook.xml",
            {
                "xl/workbook.xml": book,
                "xl/_rels/workbook.xml.rels": related(kinds),
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
    names = office_names()
    return office(
        "ppt/presentation.xml",
        {
            "ppt/presentation.xml": f"<p:presentation {names}><p:sldIdLst>{slides}</p:sldIdLst>"
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": related(
                {f"s{n}": ("slide", "slide.xml") for n in range(count)}
            ),
            "ppt/slide.xml": f"<p:sld {names}><p:cSld>{shape}</p:cSld></p:sld>",
        },
    )


def _odf(kind: str, body: Callable[[float], str]) -> Maker:
    """An OpenDocument file."""

    def make(size: float) -> bytes:
        content = odf_content(kind, body(size))
        return zipped({"mimetype": f"{ODF_MEDIA}{kind}", "content.xml": content})

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
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER.format("b.opf"),
            "b.opf": opf([("c", "c.xhtml", XHTML)], ["c"] * count),
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
    members = {"content.xml": "<a/>"} if name.startswith("META") else {}
    return lambda size: zipped({name: bytes(int(1000 * MILLION * size) + 1), **members}, method)


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
    member = tarfile.TarInfo("a.txt")
    info(member)
    return member.tobuf(tarfile.GNU_FORMAT) + content + bytes(1024)


def _lying_tar(_size: float) -> bytes:
    return _tar(lambda member: setattr(member, "size", 8**20), b"words")


def _many_in_tar(size: float) -> bytes:
    numbers = range(max(3, int(6000 * size)))
    return tarred({f"{it}.txt": (b"word %6d " % it * 1800)[:20_000] for it in numbers})


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


AIMED_AT: dict[str, dict[str, Maker]] = {
    "main process": TEXTS,
    "packages": PACKAGES,
    "other readers": OTHER_READERS,
}


def write_set(folder: Path, size: float, only: str = "") -> Iterator[Path]:
    """Write all files, or those of one kind; names that a disk refuses are left out."""
    for kind, makers in AIMED_AT.items():
        if only and kind != only:
            continue
        subfolder = folder / kind
        subfolder.mkdir(parents=True)
        for name, make in makers.items():
            path = subfolder / name
            path.write_bytes(make(size))
            yield path
    if only in ("", "main process"):
        yield from _write_names(folder / "names")


def _write_names(subfolder: Path) -> Iterator[Path]:
    """Harmless texts under names that do harm where they are shown."""
    subfolder.mkdir()
    for name in NAMES:
        with suppress(OSError, ValueError):
            path = subfolder / name
            path.write_text(f"some words of a file, {len(name)} of them", encoding="utf-8")
            yield path


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=float, default=1.0)
    options = parser.parse_args()
    paths = list(write_set(options.folder, options.size))
    print(f"{len(paths)} files, {sum(path.stat().st_size for path in paths):,} bytes")


if __name__ == "__main__":
    main()
