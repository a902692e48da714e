"""Photographed pages: read with Tesseract where that is asked for, else told what they are."""

from __future__ import annotations

import shutil
import struct
import zlib
from dataclasses import replace

import pypdfium2 as pdfium
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.discovery import find_documents
from core.documents.isolation.pool import ReaderProcesses
from core.documents.model import ProblemCode, ReadDocument, UnreadableError
from core.documents.readers import pictures, reader_for
from core.documents.readers.pictures import PicturePage, jpeg_page, pages_of
from core.documents.readers.reader import Reading
from core.documents.reading import read_file
from core.documents.reading_settings import ReadingLimits, ReadingSettings

READ = Reading(ocr=True)
WORDS = "forty passengers and a cargo of apples"
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)


def drawn(*lines, width=1200, height=300):
    """Lines in black on white: width, height and pixels in shades of grey."""
    text = " ".join(
        f"BT /F1 32 Tf 40 {height - 60 - 50 * index} Td ({line}) Tj ET"
        for index, line in enumerate(lines)
    ).encode()
    file = (
        b"%%PDF-1.5\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages "
        b"/Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox "
        b"[0 0 %d %d] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>\nendobj\n4 0 obj\n"
        b"<< /Length %d >> stream\n%s\nendstream\nendobj\n5 0 obj\n<< /Type /Font /Subtype /Type1 "
        b"/BaseFont /Helvetica >>\nendobj\ntrailer << /Root 1 0 R >>\n%%%%EOF"
    ) % (width, height, len(text), text)
    document = pdfium.PdfDocument(file)
    page = document[0]
    bitmap = page.render(scale=1, grayscale=True)
    stride, pixels = bitmap.stride, bytes(bitmap.buffer)
    rows = [pixels[y * stride : y * stride + width] for y in range(height)]
    bitmap.close()
    page.close()
    document.close()
    return width, height, rows


def png(width, height, rows):
    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    return start + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def tiff(*pages, order="<"):
    """Uncompressed, with the directory of each page before its pixels."""
    data = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", 8)
    for index, (width, height, rows) in enumerate(pages):
        pixels = b"".join(rows)
        start = len(data) + 2 + 12 * 9 + 4
        values = (
            (256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1),
            (273, 4, start), (277, 3, 1), (278, 4, height), (279, 4, len(pixels)),
        )  # fmt: skip
        data += struct.pack(f"{order}H", len(values))
        for tag, kind, value in values:
            written = (value, 0) if kind == 3 else (value,)
            data += struct.pack(f"{order}HHI", tag, kind, 1)
            data += struct.pack(f"{order}{'HH' if kind == 3 else 'I'}", *written)
        following = start + len(pixels) if index + 1 < len(pages) else 0
        data += struct.pack(f"{order}I", following) + pixels
    return data


def jpeg(width, height, rows, turned=0, orientation=None):
    """As a camera writes it, held sideways by quarters, with or without saying so."""
    gui = pytest.importorskip("PySide6.QtGui")
    core = pytest.importorskip("PySide6.QtCore")
    image = gui.QImage(
        b"".join(rows), width, height, width, gui.QImage.Format.Format_Grayscale8
    ).transformed(gui.QTransform().rotate(90 * turned))
    buffer = core.QBuffer()
    buffer.open(core.QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "JPG", 90)
    data = bytes(buffer.data())
    return data if orientation is None else data[:2] + exif(orientation) + data[2:]


def exif(orientation, order=">"):
    directory = struct.pack(f"{order}HHHIHHI", 1, 274, 3, 1, orientation, 0, 0)
    mark = b"MM\0*" if order == ">" else b"II*\0"
    body = b"Exif\0\0" + mark + struct.pack(f"{order}I", 8) + directory
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


PAGE = drawn("The ferry left the eastern pier with", WORDS)


@pytest.mark.parametrize("suffix", [".png", "", ".txt"])
def test_a_picture_is_one_under_any_name(suffix):
    assert reader_for(png(*PAGE), suffix) is pictures.READER


def test_raw_pictures_of_cameras_are_none():
    assert reader_for(tiff(PAGE), ".tif") is pictures.READER
    assert reader_for(tiff(PAGE), ".cr2") is not pictures.READER


@needs_tesseract
@pytest.mark.parametrize(
    "data", [png(*PAGE), tiff(PAGE), tiff(PAGE, order=">")], ids=["png", "tiff", "big endian"]
)
def test_a_page_is_read(data):
    found = pictures.READER.read(data, READ)

    assert WORDS in found.text
    assert found.remarks == (
        "Page 1 was read by text recognition (Tesseract, eng): expect wrong letters.",
    )


@needs_tesseract
@pytest.mark.parametrize(("turned", "orientation"), [(0, None), (0, 1), (3, 6), (2, 3), (1, 8)])
def test_a_photograph_is_turned_upright(turned, orientation):
    found = pictures.READER.read(jpeg(*PAGE, turned=turned, orientation=orientation), READ)

    assert WORDS in found.text


@needs_tesseract
def test_pages_of_a_tiff_file_are_read_one_by_one():
    steps = []
    pages = [drawn(f"This is the page with the word {word}") for word in ("harbour", "lantern")]

    found = pictures.READER.read(tiff(*pages), replace(READ, step=lambda: steps.append(1)))

    first, second = found.text.split("\f")
    assert first.endswith("harbour")
    assert second.endswith("lantern")
    assert len(steps) == 2


@needs_tesseract
def test_a_picture_without_letters_is_told():
    blank = (400, 200, [b"\xff" * 400] * 200)

    with pytest.raises(UnreadableError) as caught:
        pictures.READER.read(png(*blank), READ)
    assert caught.value.code is ProblemCode.NO_TEXT_LAYER
    assert caught.value.detail == "Text recognition (Tesseract) found no text in this picture."


def test_without_tesseract_that_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnreadableError, match="which is not installed here") as caught:
        pictures.READER.read(png(*PAGE), READ)
    assert caught.value.code is ProblemCode.NO_TEXT_LAYER


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (png(*PAGE)[:20], ProblemCode.DAMAGED),
        (tiff(PAGE)[:8], ProblemCode.DAMAGED),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", ProblemCode.DAMAGED),
        (png(0, 5, []), ProblemCode.DAMAGED),
        (png(60_000, 60_000, []), ProblemCode.TOO_BIG),
        (tiff((60_000, 60_000, [])), ProblemCode.TOO_BIG),
        (b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03", ProblemCode.TOO_BIG),
    ],
)
def test_what_cannot_be_drawn_is_never_unpacked(data, code):
    with pytest.raises(UnreadableError) as caught:
        pictures.READER.read(data, READ)
    assert caught.value.code is code
    assert caught.value.detail.endswith(".")


def test_directories_that_go_round_end():
    data = bytearray(tiff(PAGE))
    data[8 + 2 + 12 * 9 : 8 + 2 + 12 * 9 + 4] = struct.pack("<I", 8)

    assert pages_of(bytes(data)) == [PicturePage(1200, 300)]


@pytest.mark.parametrize("order", [">", "<"])
def test_the_orientation_is_read_in_both_orders(order):
    frame = b"\xff\xc0\0\x11\x08\0\x05\0\x07\x01" + bytes(9)

    assert jpeg_page(b"\xff\xd8" + exif(6, order) + frame) == PicturePage(7, 5, 1, 1)


HEADS = [png(*PAGE)[:60], tiff(PAGE)[:200], b"\xff\xd8" + exif(6) + b"\xff\xc0\0\x11\x08\0\5\0\7\1"]


@given(
    st.sampled_from(HEADS),
    st.lists(st.tuples(st.integers(4, 199), st.integers(0, 255)), max_size=8),
    st.integers(0, 200),
)
def test_a_damaged_head_raises_nothing(head, changes, end):
    data = bytearray(head)
    for place, value in changes:
        if place < len(data):
            data[place] = value
    assert len(pages_of(bytes(data[:end]))) <= len(data)


def results(folder, settings):
    found, _ = find_documents([folder])
    with ReaderProcesses(settings) as processes:
        return [result for file in found for result in read_file(file, processes)]


def test_a_picture_is_told_where_nobody_asked_for_recognition(tmp_path):
    (tmp_path / "page.png").write_bytes(png(*PAGE))

    (problem,) = results(tmp_path, ReadingSettings())

    assert problem.code is ProblemCode.NO_TEXT_LAYER
    assert problem.detail == (
        "This is a picture, and was not read. If it shows a page, turn on text recognition (OCR) "
        "in the settings to have it read with Tesseract."
    )


@needs_tesseract
def test_pictures_in_a_folder_and_in_mails_are_documents(tmp_path):
    (tmp_path / "page.png").write_bytes(png(*PAGE))
    (tmp_path / "page.jpg").write_bytes(jpeg(*PAGE))
    head = b"From: a@example.org\nSubject: Scan\nMIME-Version: 1.0\n"
    typed = b"Content-Type: image/png; name=s.png\n\n"
    (tmp_path / "mail.eml").write_bytes(head + typed + png(*PAGE))

    found = results(tmp_path, ReadingSettings(ocr=True, limits=ReadingLimits(seconds=30)))

    texts = {it.document.name: it.text for it in found if isinstance(it, ReadDocument)}
    assert {name for name, text in texts.items() if WORDS in text} == {
        "page.png", "page.jpg", "mail.eml/s.png",
    }  # fmt: skip
