"""Photographed pages: read with Tesseract on request, else reported as pictures."""

import io
import shutil
import struct
from dataclasses import replace
from pathlib import Path

import pi_heif
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from core.documents.discovery import find_documents
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import ProblemCode, ReadDocument
from core.documents.readers import Reading, pictures
from core.documents.reading import read_file
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.documents.recognition import reader_for
from tests import archives
from tests.pdfs import drawn, lines_at, pdf
from tests.problems import problem_of

# An eighth of it by the clock has Tesseract for a page, however busy the machine is.
PATIENT = ReadingLimits(seconds=3_600)
READ = Reading(ocr=True, limits=PATIENT)
WORDS = "forty passengers and a cargo of apples"
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)


def page_of(*lines, width=1200, height=300):
    """Lines in black on white: width, height and pixels in shades of grey."""
    page = lines_at(40, height - 60, lines, 32, 50)
    return drawn(pdf(page, size=f"{width} {height}"))


def png(width, height, rows):
    return archives.png(width, height, b"".join(b"\0" + row for row in rows))


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


def exif(orientation, order=">"):
    directory = struct.pack(f"{order}HHHIHHI", 1, 274, 3, 1, orientation, 0, 0)
    mark = b"MM\0*" if order == ">" else b"II*\0"
    body = b"Exif\0\0" + mark + struct.pack(f"{order}I", 8) + directory
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


PAGE = page_of("The ferry left the eastern pier with", WORDS)
HEIC = Path(__file__).with_name("page.heic").read_bytes()  # PAGE by heif-enc of libheif 1.15


@pytest.fixture
def without_tesseract(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))


def saved(form, *, turned=0, mode="L", **given):
    """The page as Pillow writes it, held sideways by quarters, or black letters on nothing."""
    width, height, rows = PAGE
    image = Image.frombytes("L", (width, height), b"".join(rows)).rotate(-90 * turned, expand=True)
    if mode == "RGBA":
        clear = Image.new("RGBA", image.size, (0, 0, 0, 0))
        clear.putalpha(image.point(lambda grey: 255 - grey))
        image = clear
    file = io.BytesIO()
    image.save(file, form, **given)
    return file.getvalue()


def test_raw_pictures_of_cameras_are_none():
    assert reader_for(tiff(PAGE), ".tif") is pictures.READER
    assert reader_for(tiff(PAGE), ".cr2") is not pictures.READER


@needs_tesseract
@pytest.mark.parametrize(
    "data", [png(*PAGE), tiff(PAGE), tiff(PAGE, order=">")], ids=["png", "tiff", "big endian"]
)
def test_a_page_is_read(data):
    extracted = pictures.READER.read(data, READ)

    assert WORDS in extracted.text
    assert extracted.remarks == (
        "Page 1 was read by text recognition (Tesseract, eng): expect wrong letters.",
    )


@needs_tesseract
@pytest.mark.parametrize(("turned", "orientation"), [(0, None), (0, 1), (3, 6), (2, 3), (1, 8)])
def test_a_photograph_is_turned_upright(turned, orientation):
    given = {} if orientation is None else {"exif": exif(orientation)[4:]}

    assert WORDS in pictures.READER.read(saved("JPEG", turned=turned, **given), READ).text


@needs_tesseract
def test_pages_of_a_tiff_file_are_read_one_by_one():
    steps = []
    pages = [page_of(f"This is the page with the word {word}") for word in ("harbour", "lantern")]

    extracted = pictures.READER.read(tiff(*pages), replace(READ, step=lambda: steps.append(1)))

    first, second = extracted.text.split("\f")
    assert first.endswith("harbour")
    assert second.endswith("lantern")
    assert len(steps) == 3  # one while they are counted


@needs_tesseract
def test_a_picture_without_letters_is_reported():
    blank = (400, 200, [b"\xff" * 400] * 200)

    problem = problem_of(pictures.READER.read, png(*blank), READ)
    assert problem.code is ProblemCode.NO_TEXT_LAYER
    assert problem.detail == "Text recognition (Tesseract) found no text in this picture."


def test_without_tesseract_that_is_reported(without_tesseract):
    problem = problem_of(pictures.READER.read, png(*PAGE), READ)
    assert problem.code is ProblemCode.NO_TEXT_LAYER
    assert "which is not installed here" in problem.detail


# Nothing but the head: 65,535 by 65,535 in one channel.
LARGE_JPEG = (
    b"\xff\xd8\xff\xc0\0\x0b\x08\xff\xff\xff\xff\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0"
)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (png(*PAGE)[:20], ProblemCode.DAMAGED),
        (tiff(PAGE)[:8], ProblemCode.DAMAGED),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", ProblemCode.DAMAGED),
        (png(0, 5, []), ProblemCode.DAMAGED),
        (png(60_000, 60_000, []), ProblemCode.TOO_BIG),
        (tiff((60_000, 60_000, [])), ProblemCode.TOO_BIG),
        (LARGE_JPEG, ProblemCode.TOO_BIG),
        (HEIC[:100], ProblemCode.DAMAGED),
        (saved("WEBP")[:30], ProblemCode.DAMAGED),
    ],
)
def test_what_cannot_be_drawn_is_never_unpacked(data, code):
    assert problem_of(pictures.READER.read, data, READ).code is code


@needs_tesseract
@pytest.mark.parametrize(
    "data",
    [
        saved("WEBP"),
        saved("WEBP", lossless=True),
        saved("WEBP", mode="RGBA"),
        saved("WEBP", turned=3, exif=exif(6)[4:]),
        saved("JPEG"),
        HEIC,
    ],
    ids=["webp", "lossless", "transparent", "turned", "jpeg", "heic"],
)
def test_photographs_and_pictures_of_the_web_are_read(data):
    assert reader_for(data, "") is pictures.READER
    assert WORDS in pictures.READER.read(data, READ).text


@needs_tesseract
def test_a_photograph_larger_than_a_page_is_drawn_smaller():
    width, height, rows = page_of("The ferry left the eastern pier with", WORDS, width=1300)
    image = Image.frombytes("L", (width, height), b"".join(rows)).resize((7800, 1800))
    large = Image.new("L", (7800, 7800), 255)
    large.paste(image)
    file = io.BytesIO()
    large.save(file, "JPEG")

    assert WORDS in pictures.READER.read(file.getvalue(), READ).text


@needs_tesseract
def test_the_picture_that_is_shown_first_is_read(monkeypatch):
    """As a burst or an edited photograph has another one before it."""
    file = pi_heif.from_pillow(Image.new("RGB", (640, 160), "white"))
    file.add_from_pillow(pi_heif.open_heif(HEIC).to_pillow())
    file.primary_index = 1
    monkeypatch.setattr("pi_heif.as_plugin.HeifFile", lambda *_, **__: file)

    assert WORDS in pictures.READER.read(HEIC, READ).text


def test_directories_that_go_round_end(without_tesseract):
    data = bytearray(tiff(PAGE))
    data[8 + 2 + 12 * 9 : 8 + 2 + 12 * 9 + 4] = struct.pack("<I", 8)

    assert "not installed" in problem_of(pictures.READER.read, bytes(data), READ).detail


BEGINNINGS = [
    png(*PAGE)[:60],
    tiff(PAGE)[:200],
    saved("JPEG")[:200],
    saved("WEBP")[:200],
    HEIC[:200],
]


@given(
    st.sampled_from(BEGINNINGS),
    st.lists(st.tuples(st.integers(12, 199), st.integers(0, 255)), max_size=8),
    st.integers(16, 200),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_head_is_a_sentence(without_tesseract, head, changes, end):
    data = bytearray(head)
    for position, value in changes:
        if position < len(data):
            data[position] = value
    problem_of(pictures.READER.read, bytes(data[:end]), READ)


def results(folder, settings):
    files, _ = find_documents([folder])
    with ReaderProcesses(settings) as processes:
        return [result for file in files for result in read_file(file, processes)]


def test_a_picture_is_reported_where_nobody_asked_for_recognition(tmp_path):
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
    (tmp_path / "page.jpg").write_bytes(saved("JPEG"))
    (tmp_path / "page.heic").write_bytes(HEIC)
    (tmp_path / "page.webp").write_bytes(saved("WEBP"))
    head = b"From: a@example.org\nSubject: Scan\nMIME-Version: 1.0\n"
    typed = b"Content-Type: image/png; name=s.png\n\n"
    (tmp_path / "mail.eml").write_bytes(head + typed + png(*PAGE))

    read = results(tmp_path, ReadingSettings(ocr=True, limits=PATIENT))

    texts = {
        result.document.name: result.text for result in read if isinstance(result, ReadDocument)
    }
    assert {name for name, text in texts.items() if WORDS in text} == {
        "page.png", "page.jpg", "page.heic", "page.webp", "mail.eml/s.png",
    }  # fmt: skip
