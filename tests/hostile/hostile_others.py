"""PDF, HTML, RTF, mail and other files made to do harm. See `hostile_texts`."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable, Sequence

Maker = Callable[[float], bytes]

MILLION = 1_000_000


def _times(unit: bytes, count: int, size: float) -> bytes:
    return unit * max(1, int(count * size))


def _around(start: bytes, unit: bytes, count: int, end: bytes = b"") -> Maker:
    """A file of one stretch again and again."""
    return lambda size: start + _times(unit, count, size) + end


def _nested(start: bytes, opened: bytes, closed: bytes, depth: int, end: bytes = b"") -> Maker:
    return lambda size: (
        start + _times(opened, depth, size) + b"deep words" + _times(closed, depth, size) + end
    )


def pdf(objects: Sequence[bytes]) -> bytes:
    """A PDF file of objects from number 1 on; the first is the root."""
    data, places = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    end = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
    return data + head + table + end % (len(objects) + 1, len(data))


def stream(content: bytes, *, packed: bool = True, more: bytes = b"") -> bytes:
    """A stream of a PDF file."""
    body = zlib.compress(content) if packed else content
    kind = b"/Filter/FlateDecode" if packed else b""
    return b"<</Length %d%s%s>>stream\n%s\nendstream" % (len(body), kind, more, body)


FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
WORDS = b"BT /F 9 Tf (the words of a page) Tj ET\n"


def _pages(content: bytes, count: int, font: bytes = FONT, *more: bytes) -> bytes:
    """So many pages with one content stream."""
    what = b"/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]%s>>" % what
    first = 5 + len(more)
    kids = b" ".join(b"%d 0 R" % (first + number) for number in range(count))
    tree = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", tree, font, content, *more, *[page] * count])


def _one_stream(size: float) -> bytes:
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
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", tree])


def _many_glyphs(size: float) -> bytes:
    return _pages(stream(_times(WORDS, 200_000, size)), 3)


def _form_loop(_size: float) -> bytes:
    form = stream(
        b"/X Do /X Do", more=b"/Type/XObject/Subtype/Form/Resources<</XObject<</X 4 0 R>>>>"
    )
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
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(10 * MILLION))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


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

OTHERS: dict[str, Maker] = {
    "one stream.pdf": _one_stream,
    "zeros.pdf": _flate,
    "zeros twice.pdf": _flate_twice,
    "letters to words.pdf": _unicode_map,
    "page loop.pdf": _page_loop,
    "many letters.pdf": _many_glyphs,
    "form loop.pdf": _form_loop,
    "deep state.pdf": _deep_outline,
    "nested array.pdf": _around(b"%PDF-1.7\n1 0 obj\n", b"[", 9 * MILLION),
    "empty.pdf": _around(b"%PDF-1.7\n", b"%", 9 * MILLION),
    "deep.html": _nested(HTML, b"<div>", b"</div>", 2 * MILLION),
    "deep lists.html": _nested(HTML, b"<ul><li>", b"", MILLION),
    "entities.html": _around(HTML, b"&CounterClockwiseContourIntegral;", 4 * MILLION),
    "attributes.html": _around(HTML + b"<p ", b'a="b" ', 6 * MILLION, b">words"),
    "comments.html": _around(HTML, b"<!-- ", 8 * MILLION),
    "open tags.html": _around(HTML, b"<", 40 * MILLION),
    "table.html": _around(HTML + b"<table>", b"<tr><td>a<td>b", 4 * MILLION),
    "formatting.html": _around(HTML, b"<b><i><a>", 4 * MILLION),
    "scripts.html": _around(HTML, b"<script>a</script>", 3 * MILLION),
    "one text.html": _around(HTML, b"words of a page ", 9 * MILLION),
    "groups.rtf": _nested(RTF, b"{", b"}", 30 * MILLION),
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
    "braces.tex": _nested(rb"\documentclass{a}\begin{document}", b"{", b"}", 9 * MILLION),
    "commands.tex": _around(rb"\documentclass{a}\begin{document}", rb"\textbf{\emph{", 2 * MILLION),
    "large.png": lambda _size: _png(60_000, 60_000),
    "chain.doc": lambda _size: _compound(0, struct.pack("<109I", *range(109))),
    "loop.doc": lambda _size: _compound(0, struct.pack("<109I", *[0] * 109)),
    "deep.fb2": _nested(FB2, b"<section>", b"</section>", 500_000, b"</body></FictionBook>"),
    "paragraphs.fb2": _around(FB2, b"<p>some words</p>", 4 * MILLION, b"</body></FictionBook>"),
    "deep word.xml": _nested(WORDML, b"<w:p>", b"</w:p>", MILLION),
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
