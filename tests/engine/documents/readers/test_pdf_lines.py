"""Where lines of a PDF file stand: their height, their order in the file, and what runs."""

from __future__ import annotations

import random
import textwrap

import pytest

from core.documents.readers import Reading
from core.documents.readers.pdf.pages import running_heads_remark
from core.documents.readers.pdf.pdf import READER
from core.documents.readers.pdf.running_heads import Heads

WORDS = ("boat", "cord", "dune", "fern", "hill", "iron", "jetty", "lamp", "mast", "oar", "pier")
STORY = (
    "The ferry left the eastern pier before the fog had lifted from the water, and the man at the "
    "rope saw it go without a word. He asked for the keeper of the lock and was told that the "
    "keeper had gone home for his noon meal, as he did on every day of that year; so he sat down."
)


def prose(seed, count=18):
    generator = random.Random(seed)
    return [" ".join(generator.choices(WORDS, k=9)) for _ in range(count)]


COURIER = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
# A font that tells nothing of its height, and has dots where PDFium looks for it: "A" and "g".
HEIGHTLESS = b"""<< /Type /Font /Subtype /Type1 /BaseFont /Courier /FontDescriptor 4 0 R
/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [65 /period 103 /period] >> >>"""
DESCRIPTOR = b"""<< /Type /FontDescriptor /FontName /Courier /Flags 4 /FontBBox [-20 -250 700 800]
/ItalicAngle 0 /Ascent 0 /Descent 0 /CapHeight 0 /StemV 80 >>"""


def text_at(x, y, text, size=10):
    """One line of a page."""
    return f"BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET"


def lines_at(x, top, lines, size=10, pitch=12):
    """Lines below each other."""
    return [text_at(x, top - pitch * index, line, size) for index, line in enumerate(lines)]


def pdf(*pages, font=COURIER):
    """A file with these pages, each a list of pieces; PDFium finds the objects without a table."""
    objects = {1: b"<< /Type /Catalog /Pages 2 0 R >>", 3: font, 4: DESCRIPTOR}
    kids = " ".join(f"{10 + 2 * index} 0 R" for index in range(len(pages)))
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
    for index, pieces in enumerate(pages):
        stream = "\n".join(pieces).encode()
        page = f"/Contents {11 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >>"
        objects[10 + 2 * index] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] {page} >>".encode()
        )
        objects[11 + 2 * index] = b"<< /Length %d >> stream\n%s\nendstream" % (len(stream), stream)
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % item for item in sorted(objects.items()))
    return b"%PDF-1.5\n" + body + b"trailer << /Root 1 0 R >>\n%%EOF"


def read(data):
    return READER.read(data, Reading(suffix=".pdf"))


def text_of(*pages, font=COURIER):
    return read(pdf(*pages, font=font)).text


def without_dots(lines):
    return [line.replace("g", "q").replace("A", "E") for line in lines]


@pytest.mark.parametrize("size", [8, 10, 14])
def test_paragraphs_do_not_depend_on_what_a_font_says_of_its_height(size):
    lines = without_dots(textwrap.wrap(STORY, 42))

    assert text_of(lines_at(50, 700, lines, size, 1.2 * size), font=HEIGHTLESS) == " ".join(lines)


def test_the_size_of_a_font_may_be_in_its_matrix():
    lines = without_dots(textwrap.wrap(STORY, 42))
    pieces = [
        f"BT /F1 1 Tf 10 0 0 10 50 {700 - 12 * number} Tm ({line}) Tj ET"
        for number, line in enumerate(lines)
    ]

    assert text_of(pieces, font=HEIGHTLESS) == " ".join(lines)


def test_a_gap_is_one_with_such_a_font_too():
    lines = without_dots(textwrap.wrap(STORY, 42))
    page = lines_at(50, 700, lines) + lines_at(50, 680 - 12 * len(lines), lines)

    assert text_of(page, font=HEIGHTLESS) == "\n\n".join([" ".join(lines)] * 2)


class TestBackwards:
    def test_a_long_page(self):
        lines = [f"line {number} has some words" for number in range(600)]
        page = lines_at(60, 790, lines, 1.2, 1.3)

        assert text_of(page[::-1]) == text_of(page) == " ".join(lines)

    @pytest.mark.parametrize("whole", [True, False])
    def test_columns(self, whole):
        lines = textwrap.wrap(STORY, 42)
        left, right = lines_at(50, 700, lines), lines_at(330, 700, [it.upper() for it in lines])
        page = (left + right)[::-1] if whole else left[::-1] + right[::-1]

        assert text_of(page) == text_of(left + right)

    def test_a_table(self):
        page = [
            text_at(50 + 120 * column, 700 - 14 * row, f"{word}{row}")
            for row in range(9)
            for column, word in enumerate(("Harbour", "Boats", "Keeper"))
        ]

        assert text_of(page[::-1]) == text_of(page)


def paged(first_lines, foot=str, size=10, pitch=12):
    """Pages of prose, each with its own first line."""
    return [
        [
            *lines_at(60, 740, [first, *prose(number)], pitch=pitch),
            text_at(300, 30, foot(number + 1), size),
        ]
        for number, first in enumerate(first_lines)
    ]


class TestProseAndHeads:
    def test_some_pages_of_prose_begin_alike(self):
        same = "The following measures were taken in this district"
        firsts = [same if page in {1, 4, 6} else prose(page + 50, 1)[0] for page in range(8)]

        found = read(pdf(*paged(firsts)))

        assert found.text.count(same) == 3

    def test_prose_where_other_pages_have_their_head(self):
        firsts = ["History of the harbour"] * 8
        for page in (0, 3, 6):
            firsts[page] = prose(page + 50, 1)[0]

        found = read(pdf(*paged(firsts, pitch=24)))

        assert "History" not in found.text
        assert all(firsts[page] in found.text for page in (0, 3, 6))

    def test_a_head_close_to_the_text_runs_where_it_is_on_most_pages(self):
        found = read(pdf(*paged(["History of the harbour"] * 6)))

        assert "History" not in found.text

    def test_heads_in_two_rows(self):
        pages = [
            [
                *lines_at(60, 780, ["Harbour office", "Internal report"]),
                *lines_at(60, 720, prose(number)),
            ]
            for number in range(12)
        ]
        pages[2:8] = [page[2:] for page in pages[2:8]]

        found = read(pdf(*pages))

        assert "Harbour office" not in found.text
        assert "Internal report" not in found.text

    @pytest.mark.parametrize("size", [10, 16, 30])
    def test_page_numbers_in_any_size(self, size):
        found = read(pdf(*paged(prose(99, 6), size=size)))

        assert not any(map(str.isdigit, found.text))

    def test_large_numbers_that_do_not_count_are_text(self):
        years = (1950, 1957, 1961, 1964, 1970, 1988)
        found = read(pdf(*paged(prose(99, 6), lambda page: str(years[page - 1]), 16)))

        assert all(str(year) in found.text for year in years)


def test_a_remark_quotes_words_and_no_marks_of_our_own():
    assert "“第一章”" in running_heads_remark(Heads([], 2, ("第\u2060一\u2060章",)))
