"""Files that hold other files as they are: what is inside never decides what the outer one is."""

from __future__ import annotations

import io
import tarfile
import zipfile

import pytest

from core.documents.extraction import Failure, Piece, extract
from core.documents.readers import Reading, reader_for
from core.documents.readers.ooxml import docx
from core.documents.readers.reader import reading_of
from core.documents.reading_settings import ReadingSettings

OPENED = reading_of(ReadingSettings(archives=True), "")
OPEN = "http://schemas.openxmlformats.org"
KINDS = {"docx": "word/document.xml", "pptx": "ppt/presentation.xml", "xlsx": "xl/workbook.xml"}
WORDS = "the ferry left the eastern pier before the fog had lifted from the water"
BOOK = '<package xmlns="http://www.idpf.org/2007/opf"/>'


def packed(parts, stored=(), method=zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as package:
        for name, content in parts.items():
            package.writestr(name, content, zipfile.ZIP_STORED if name in stored else method)
    return data.getvalue()


def streamed(parts) -> bytes:
    """Packed by a program that cannot go back: sizes follow the parts."""

    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = b""

        def writable(self):
            return True

        def write(self, block):
            self.data += bytes(block)
            return len(block)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return pipe.data


def office(kind: str, **more) -> dict[str, str | bytes]:
    """The parts of a small document; a docx has words."""
    body = f"<w:body><w:p><w:r><w:t>{WORDS}</w:t></w:r></w:p></w:body>"
    name = f"{OPEN}/wordprocessingml/2006/main"
    content = f'<w:document xmlns:w="{name}">{body}</w:document>'
    return {"[Content_Types].xml": "<Types/>", KINDS[kind]: content, **more}


WORKBOOK = packed(office("xlsx"))
EMBEDDED = "word/embeddings/Microsoft_Excel_Worksheet.xlsx"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("inner", KINDS)
@pytest.mark.parametrize("filler", [0, 200_000])
def test_a_document_stored_inside_another_does_not_decide_its_kind(kind, inner, filler):
    name = f"embeddings/inside.{inner}"
    parts = office(kind, **{name: packed(office(inner)), "media/image.png": b"x" * filler})
    data = packed(parts, stored={name, "media/image.png"})

    assert reader_for(data, "").kind == kind


def test_the_text_around_an_embedded_workbook_is_read():
    data = packed(office("docx", **{EMBEDDED: WORKBOOK}), stored={EMBEDDED})

    (piece,) = extract(data, OPENED)

    assert isinstance(piece, Piece)
    assert (piece.kind, piece.text) == ("docx", WORDS)


@pytest.mark.parametrize("pack", [packed, streamed])
def test_a_document_that_broke_off_behind_an_embedded_one_is_still_itself(pack):
    parts = office("docx", **{EMBEDDED: WORKBOOK})
    data = packed(parts, stored={EMBEDDED}) if pack is packed else streamed(parts)
    broken = data[: data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))]
    if pack is packed:
        assert broken.rstrip(b"\0").count(b"PK\x05\x06") == 1  # that of the workbook

    assert reader_for(broken, "").kind == "docx"
    assert docx.READER.read(broken, Reading()).text == WORDS


@pytest.mark.parametrize(
    "inner",
    [
        packed(office("docx")),
        packed(office("xlsx")),
        packed({"META-INF/container.xml": "<x/>", "book.opf": BOOK}),
        packed({"META-INF/manifest.xml": "<x/>", "content.xml": "<x/>"}),
        packed({"a.fb2": "<FictionBook/>"}),
        b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n",
        b"{\\rtf1 rich}",
        WORDS.encode(),
    ],
)
@pytest.mark.parametrize("others", [1, 3])
def test_an_archive_packed_without_compression_stays_one(inner, others):
    files = {f"{number}.bin": inner for number in range(others)}
    zipped = packed(files, method=zipfile.ZIP_STORED)
    tarred = io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))

    assert reader_for(zipped, ".zip").kind == "zip"
    assert reader_for(tarred.getvalue(), ".tar").kind == "tar"


def test_each_document_of_such_an_archive_is_read():
    inner = packed(office("docx"), method=zipfile.ZIP_STORED)
    data = packed({"a.docx": inner, "b.docx": inner, "c.txt": WORDS}, method=zipfile.ZIP_STORED)

    found = list(extract(data, OPENED))

    assert [(piece.part, piece.text) for piece in found] == [
        (name, WORDS) for name in ("a.docx", "b.docx", "c.txt")
    ]


def test_a_text_about_pdf_is_a_text():
    data = b"A file of this kind starts with the signature %PDF-1.7 and ends with %%EOF.\n"

    (piece,) = extract(data, OPENED)
    (named,) = extract(data, reading_of(ReadingSettings(), ".pdf"))

    assert isinstance(piece, Piece)
    assert piece.kind == "text"
    assert isinstance(named, Failure)


def test_a_pdf_behind_other_bytes_is_one():
    data = b"HTTP header\r\n\r\n%PDF-1.4\n1 0 obj\n<<>>\nendobj\n"

    assert reader_for(data, "").kind == "pdf"


def test_the_size_in_a_header_may_lie():
    data = bytearray(packed(office("docx"), method=zipfile.ZIP_STORED))
    data[18:26] = (5).to_bytes(4, "little") * 2
    broken = bytes(data[: data.index(b"PK\x01\x02")])

    assert docx.READER.recognises(broken, ".docx")
    assert docx.READER.read(broken, Reading()).text == WORDS
