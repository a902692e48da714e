"""One small valid document of every format, made by code: what mutations start from.

They use, for their size, as much of each format as they can: tables, notes, hidden and deleted
text, attachments. `SEEDS` maps a file name to its bytes; those in `REFUSED` are not read.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import tarfile
import zlib

from fuzz_parts import FIRST, FOREIGN, HTML, SECOND, packed
from fuzz_seeds_office import RTF, compound, doc, docx, locked, pptx, xlsx
from fuzz_seeds_open import FB2, epub, odf
from fuzz_seeds_xml import FLAT, WORD_2003

REFUSED = frozenset({"locked.docx", "seed.xls", "seed.ppt", "seed.png"})
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTf1YwAAAABJRU5ErkJggg=="
)


def stream(content: bytes, entries: str = "") -> bytes:
    """The stream object of a PDF."""
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries.encode(), len(content), content)


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
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % table)


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
    "seed.xls": compound({"Workbook": b"\x09\x08\x10\x00\x00\x06\x05\x00"}),
    "seed.ppt": compound({"PowerPoint Document": b"\x0f\x00\xe8\x03"}),
    "word2003.xml": WORD_2003,
    "flat.xml": FLAT,
    "seed.rtf": RTF,
    "seed.odt": odf("text"),
    "seed.ods": odf("spreadsheet"),
    "seed.odp": odf("presentation"),
    "seed.fodt": odf("text", flat=True),
    "seed.epub": epub(),
    "seed.fb2": FB2,
    "zipped.fb2.zip": packed({"ferry.fb2": FB2}),
    "seed.eml": mail("The ferry"),
    "seed.mbox": mbox(),
    "seed.mhtml": mhtml(),
    "seed.png": PNG,
    "seed.zip": packed({"a/one.txt": FIRST, "a/two.docx": docx(), "../out.txt": SECOND, "b/": ""}),
    "seed.tar": tar(),
    "seed.tar.gz": gzip.compress(tar(), mtime=0),
}
