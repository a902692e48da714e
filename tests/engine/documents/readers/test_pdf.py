"""PDF files written here, line by line, and the text that comes out."""

import math
import os
import random
import re
import shutil
import sys
import textwrap
from functools import partial

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Reading
from core.documents.readers.pdf import READER
from core.documents.readers.pdf.lines import (
    HYPHEN,
    Box,
    Line,
    apart,
    corrected,
    in_reading_order,
    page_lines,
    resolve_hyphens,
)
from core.documents.readers.pdf.pages import clean, running_headers_remark
from core.documents.readers.pdf.running_headers import PagesWithoutHeaders
from core.documents.reading_settings import ReadingLimits
from tests.pdfs import drawn, lines_at, locked, pdf, picture, stream, text_at
from tests.problems import problem_of

GREY_SQUARE = picture(10, 10, [b"\x90" * 10] * 10)
DRAWN = "q 500 0 0 700 50 50 cm /I Do Q"


def read(data, **settings):
    return READER.read(data, Reading(suffix=".pdf", **settings))


def text_of(*pages, **options):
    return read(pdf(*pages, **options)).text


problem = partial(problem_of, read)
PROSE = textwrap.wrap(
    "The ferry left the harbour shortly after noon with forty passengers and a cargo of apples, "
    "and nobody on the quay looked up when the horn sounded twice, as it always did on such days.",
    width=40,
)


ONCE = " ".join(PROSE)
BELOW = 700 - 12 * len(PROSE)
TABLE = [("apples", "12", "3.50"), ("plums", "7", "1.20"), ("pears", "140", "80.00")]
ADDRESS = ["12 Harbour Street", "Old Town", "Lower Island, near the mill"]
CELLS = [
    text_at(x, 700 - 12 * index, cell)
    for index, row in enumerate(TABLE)
    for x, cell in zip((50, 200, 300), row, strict=True)
]
PARAGRAPHS = {
    "lines become one line": (lines_at(50, 700, PROSE), ONCE),
    "a wider gap": (
        [*lines_at(50, 700, PROSE), *lines_at(50, BELOW - 8, PROSE)],
        f"{ONCE}\n\n{ONCE}",
    ),
    "an indented line": (
        [*lines_at(50, 700, PROSE), text_at(65, 664, PROSE[0]), *lines_at(50, 652, PROSE[1:])],
        f"{ONCE}\n\n{ONCE}",
    ),
    "a line that ends early": (lines_at(50, 700, [*PROSE, *PROSE]), f"{ONCE}\n\n{ONCE}"),
    "items at the margin, indented lines": (
        [
            piece
            for top in (700, BELOW)
            for piece in (text_at(50, top, PROSE[0]), *lines_at(70, top - 12, PROSE[1:]))
        ],
        f"{ONCE}\n\n{ONCE}",
    ),
    "a title": (
        [text_at(50, 720, "The Ferry", 16), *lines_at(50, 702, PROSE)],
        f"The Ferry\n\n{ONCE}",
    ),
    "short lines stay lines": (lines_at(50, 700, ADDRESS), "\n".join(ADDRESS)),
    "bullets": (
        lines_at(50, 700, [f"• {line}" for line in PROSE]),
        "\n".join(f"• {line}" for line in PROSE),
    ),
    "cells by tabs, rows by lines": (CELLS, "\n".join(map("\t".join, TABLE))),
}


@pytest.mark.parametrize(("page", "text"), PARAGRAPHS.values(), ids=PARAGRAPHS)
def test_paragraphs(page, text):
    assert text_of(page) == text


class TestReadingOrder:
    def test_columns_one_after_the_other(self):
        left = lines_at(50, 700, PROSE)
        right = lines_at(320, 700, [line.upper() for line in PROSE], 8)
        both = " ".join(PROSE)
        assert text_of(left + right) == f"{both}\n\n{both.upper()}"

    def test_a_title_that_is_written_last_comes_first(self):
        left, right = lines_at(50, 700, PROSE), lines_at(320, 700, PROSE)
        title = text_at(50, 740, "The Ferry of the Lower Island and those who took it at noon", 18)
        assert text_of([*left, *right, title]).startswith("The Ferry of the Lower Island")

    def test_lines_in_any_order_are_read_from_top_to_bottom(self):
        lines = lines_at(50, 700, PROSE * 3)
        random.Random(3).shuffle(lines)
        assert text_of(lines) == "\n\n".join([" ".join(PROSE)] * 3)

    def test_a_paragraph_goes_on_in_the_next_column(self):
        columns = lines_at(50, 700, PROSE[:3]) + lines_at(320, 700, PROSE[3:])
        assert text_of(columns) == " ".join(PROSE)

    def test_a_word_broken_between_columns(self):
        left = [*PROSE[:3], "and it was as empty as the har-"]
        columns = lines_at(50, 700, left) + lines_at(320, 700, ["bour at noon, said the", "man."])
        assert "as the harbour at noon" in text_of(columns)

    def test_columns_that_are_written_row_by_row(self):
        left, right = lines_at(50, 700, PROSE * 2), lines_at(330, 700, PROSE * 2)
        rows = [piece for row in zip(left, right, strict=True) for piece in row]
        assert text_of(rows) == text_of(left + right)

    def test_a_page_set_sideways_is_read_as_if_turned(self):
        page = [
            f"BT /F1 10 Tf 0 1 -1 0 {100 + 12 * index} 50 Tm ({line}) Tj ET"
            for index, line in enumerate(PROSE)
        ]
        assert text_of(page) == " ".join(PROSE)
        assert text_of(page, page="/Rotate 90") == " ".join(PROSE)


@pytest.mark.parametrize(
    ("lines", "begins"),
    [
        # A word that occurs whole, one that occurs with its hyphen, two words that occur alone,
        # an unknown word beside one that is joined, parts that are no words, and a name.
        (
            ["They looked at the har-", "bour and the harbour was empty."],
            "They looked at the harbour and the harbour was empty.",
        ),
        (["It was a well-", "known ferry, well-known in all."], "It was a well-known ferry,"),
        (["It was a tax-", "exempt ferry; exempt from tax."], "It was a tax-exempt ferry;"),
        (
            ["The har-", "bour and the harbour of Lower Is-", "land are empty all day."],
            "The harbour and the harbour of Lower Island are empty all day.",
        ),
        (["The ferry is ex-", "empt from tax since it sank."], "The ferry is exempt from tax"),
        (["The mayor of Castrop-", "Rauxel came to see."], "The mayor of Castrop-Rauxel came"),
    ],
)
def test_a_word_at_the_end_of_a_line_is_joined_where_the_text_has_it_whole(lines, begins):
    assert text_of(lines_at(50, 700, lines)).startswith(begins)


def test_a_word_broken_over_two_pages_stays_on_the_first():
    first = lines_at(50, 700, ["The harbour is empty, said the master of the har-"])
    second = lines_at(50, 700, ["bour, and went home for the day."])
    assert text_of(first, second).endswith("of the harbour\f, and went home for the day.")


@given(st.text(f"ab-. \f{HYPHEN}", max_size=60))
def test_nothing_but_hyphens_changes(text):
    resolved = resolve_hyphens(text)
    assert HYPHEN not in resolved
    letters = re.sub(f"[-\f{HYPHEN}]", "", text)
    assert re.sub("[-\f]", "", resolved) == letters
    assert resolved.count("\f") == text.count("\f")


class TestPages:
    def test_a_paragraph_goes_on_over_the_end_of_a_page(self):
        text = text_of(lines_at(50, 100, PROSE[:2]), lines_at(50, 700, PROSE[2:]))
        assert text == f"{PROSE[0]} {PROSE[1]}\f{' '.join(PROSE[2:])}"

    def test_a_paragraph_that_ends_with_the_page_is_apart(self):
        text = text_of(lines_at(50, 100, PROSE), lines_at(50, 700, ["Next morning it was calm."]))
        assert text == f"{' '.join(PROSE)}\n\n\fNext morning it was calm."

    def test_an_empty_page_counts(self):
        assert text_of(["% nothing"], lines_at(50, 700, PROSE)) == f"\f{' '.join(PROSE)}"

    def test_steps_are_reported_for_each_page(self):
        steps = []
        read(pdf(*[[text_at(50, 700, "Some words")]] * 3), step=lambda: steps.append(1))
        assert len(steps) == 6  # read, and put together


def book(head, foot, pages=6):
    """Pages with a running head and foot, each with unique text."""
    made = []
    for number in range(1, pages + 1):
        body = [f"{line} {word}" for line, word in zip(PROSE, words(number), strict=True)]
        made.append(
            [
                text_at(50, 760, head(number)),
                *lines_at(50, 700, body),
                text_at(290, 40, foot(number)),
            ]
        )
    return made


def words(number):
    generator = random.Random(number)
    return ["".join(generator.choices("abcdefghilmnoprstu", k=9)) for _ in PROSE]


class TestHeads:
    def test_heads_and_page_numbers_are_set_aside(self):
        extracted = read(pdf(*book(lambda _: "Annual report", str)))
        assert "Annual report" not in extracted.text
        assert re.search(r"\d", extracted.text) is None
        assert extracted.text.count("The ferry left") == 6
        assert extracted.remarks == (
            "Running heads and page numbers (“Annual report”) of 6 pages are not part of the text.",
        )

    @pytest.mark.parametrize(
        "numbers",
        [
            *[
                [kind.format(n) for n in range(1, 7)]
                for kind in ("Page {} of 6", "- {} -", "{} / 6")
            ],
            [f"p. {n}" for n in range(1, 7)],
            ["i", "ii", "iii", "iv", "v", "vi"],
        ],
        ids=lambda numbers: numbers[0],
    )
    def test_page_numbers_of_many_kinds(self, numbers):
        extracted = read(pdf(*book(lambda _: "", lambda n: numbers[n - 1])))
        assert not re.search(r"\d|(?m:^[iv]+$)", extracted.text)

    def test_heads_that_alternate(self):
        extracted = read(
            pdf(*book(lambda n: "Ferries" if n % 2 else "Harbours of the north", str, 8))
        )
        assert "Harbours" not in extracted.text
        assert "Ferries" not in extracted.text

    def test_what_stands_on_one_page_is_text(self):
        text = text_of([text_at(50, 760, "Annual report"), *lines_at(50, 700, PROSE)])
        assert text.startswith("Annual report")

    def test_two_pages_alike_are_text_but_for_the_number(self):
        extracted = read(pdf(*book(lambda _: "Annual report", str, 2)))
        assert extracted.text.count("Annual report") == 2
        assert re.search(r"\d", extracted.text) is None

    def test_titles_in_large_letters_are_text(self):
        pages = [
            [
                text_at(50, 740, "Ferries of the north", 20),
                *lines_at(50, 700, [*PROSE, words(n)[0]]),
            ]
            for n in range(5)
        ]
        assert text_of(*pages).count("Ferries of the north") == 5

    def test_a_document_of_nothing_but_one_line_is_kept(self):
        pages = [[text_at(50, 760, "Ticket to the island")]] * 5
        assert text_of(*pages).count("Ticket") == 5


class TestHidden:
    def test_white_on_white_is_reported_and_left_out(self):
        page = [*lines_at(50, 700, PROSE), text_at(50, 500, "nobody sees me", prefix="1 g")]
        extracted = read(pdf(page))
        assert extracted.text == " ".join(PROSE)
        assert extracted.remarks == (
            "3 hidden words are not part of the text: nobody sees them on page 1.",
        )

    @pytest.mark.parametrize(
        ("between", "remark"),
        [
            ("1 g (q) Tj 0 g", "7 hidden words"),  # a letter for each space
            ("1 g ( Q ) Tj 0 g", "7 hidden words"),
            ("/F1 0.4 Tf ( Q ) Tj /F1 10 Tf", "7 hidden words"),
            ("3 Tr (q) Tj 0 Tr", "7 hidden words"),
        ],
    )
    def test_letters_between_words_that_nobody_sees(self, between, remark):
        words = ["The", "ferry", "left", "the", "harbour", "shortly", "after", "noon"]
        line = f" {between} ".join(f"({word}) Tj" for word in words)
        extracted = read(pdf([f"BT /F1 10 Tf 50 700 Td {line} ET"]))
        assert extracted.text.split() == words
        assert extracted.remarks[0].startswith(remark)

    @pytest.mark.parametrize(
        ("line", "seen"),
        [
            ("(Cha) Tj /F1 .4 Tf (Q) Tj /F1 10 Tf (pter one) Tj", "Chapter one"),
            ("(C) Tj /F1 .2 Tf (Q) Tj /F1 9 Tf (ha) Tj /F1 .2 Tf (xyz) Tj /F1 9 Tf (p) Tj", "Chap"),
            ("(one) Tj 1 g (q) Tj 0 g (two) Tj", "one two"),
            ("(one) Tj /F1 .4 Tf (Q) Tj /F1 10 Tf [-300 (two)] TJ", "one two"),
            ("/F1 .4 Tf (Q) Tj /F1 10 Tf (one two) Tj /F1 .4 Tf (Q) Tj", "one two"),
        ],
    )
    @pytest.mark.parametrize("turn", ["1 0 0 1", "0 1 -1 0"])
    def test_letters_within_a_word_that_nobody_sees(self, line, seen, turn):
        page = f"BT /F1 10 Tf {turn} 300 300 Tm {line} ET"
        assert text_of([page]) == seen

    def test_the_words_of_a_part_of_a_line_are_counted(self):
        white = "1 g (one two three) Tj 0 g"
        extracted = read(pdf([f"BT /F1 10 Tf 50 700 Td (Seen ) Tj {white} ( text ) Tj {white} ET"]))
        assert extracted.text == "Seen\ttext"
        assert extracted.remarks[0].startswith("6 hidden words")

    def test_white_words_in_a_dark_part_of_a_line_are_seen(self):
        page = [
            "0 g 85 690 40 30 re f",
            "BT /F1 10 Tf 50 700 Td (black ) Tj 1 g (white) Tj 0 g ( again) Tj ET",
        ]
        extracted = read(pdf(page))
        assert (extracted.text, extracted.remarks) == ("black white again", ())

    def test_white_on_black_is_seen(self):
        page = [
            *lines_at(50, 700, PROSE),
            "0 g 40 490 300 30 re f",
            text_at(50, 500, "White letters in a dark box", prefix="1 g"),
        ]
        extracted = read(pdf(page))
        assert "White letters in a dark box" in extracted.text
        assert extracted.remarks == ()

    def test_tiny_letters_and_letters_beside_the_page(self):
        page = [
            *lines_at(50, 700, PROSE),
            text_at(50, 500, "tiny", 0.2),
            text_at(50, 900, "beside"),
        ]
        extracted = read(pdf(page))
        assert extracted.text == " ".join(PROSE)
        assert extracted.remarks[0].startswith("2 hidden words")

    @pytest.mark.parametrize(("dash", "words"), [(50, 62), (194, 50)], ids=["before", "after"])
    def test_a_dash_whose_text_the_file_says_hides_no_line(self, dash, words):
        signs = ["/Span << /ActualText (-) >> BDC", text_at(dash, 500, "-"), "EMC"]
        signs.insert(3 if dash < words else 0, text_at(words, 500, "one point of this list"))
        extracted = read(pdf([*lines_at(50, 700, PROSE), *signs]))
        assert "one point of this list" in extracted.text
        assert extracted.remarks == ()

    def test_a_dash_within_a_line_is_not_tiny(self):
        dash = "/Span << /ActualText (-) >> BDC (-) Tj EMC"
        extracted = read(pdf([f"BT /F1 10 Tf 50 700 Td (eight ) Tj {dash} ( ten) Tj ET"]))
        assert (extracted.text, extracted.remarks) == ("eight - ten", ())

    def test_the_text_over_a_scan_is_its_text(self):
        page = [DRAWN, *(piece.replace("BT", "BT 3 Tr", 1) for piece in lines_at(50, 700, PROSE))]
        extracted = read(pdf(page, extra=[GREY_SQUARE]))
        assert extracted.text == " ".join(PROSE)
        assert extracted.remarks == (
            "The text was recognised by a scanner (OCR): expect wrong letters.",
        )

    def test_a_stamp_in_a_line_over_a_scan_hides_nothing_of_it(self):
        scanned = [piece.replace("BT", "BT 3 Tr", 1) for piece in lines_at(50, 700, PROSE)]
        scanned[0] = scanned[0].replace("ET", "0 Tr ( COPY) Tj ET")
        extracted = read(pdf([DRAWN, *scanned], extra=[GREY_SQUARE]))
        assert extracted.text == " ".join([f"{PROSE[0]} COPY", *PROSE[1:]])
        assert len(extracted.remarks) == 1  # on its letters

    def test_a_picture_shows_no_invisible_letters_of_a_text(self):
        words = " 3 Tr (qq) Tj 0 Tr ".join(f"({word}) Tj" for word in PROSE[0].split())
        page = ["q 50 0 0 50 50 50 cm /I Do Q", f"BT /F1 10 Tf 50 700 Td {words} ET"]
        assert read(pdf(page, extra=[GREY_SQUARE])).text.split() == PROSE[0].split()

    def test_invisible_words_in_a_text_are_hidden(self):
        page = [*lines_at(50, 700, PROSE), text_at(50, 500, "not seen", prefix="3 Tr")]
        assert read(pdf(page)).text == " ".join(PROSE)


def field(value):
    """An annotation of a form field with its value, without a picture of it."""
    return (
        f"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V ({value}) /F 4 "
        f"/Rect [50 600 300 620] /DA (/F1 10 Tf 0 g) /P 100 0 R >>"
    ).encode()


class TestAnnotations:
    def test_free_text_is_seen(self):
        drawn = b"BT /F1 10 Tf 5 5 Td (a remark on the margin) Tj ET"
        annotation = (
            b"<< /Type /Annot /Subtype /FreeText /F 4 /Rect [50 600 300 620] "
            b"/Contents (a remark on the margin) /AP << /N 51 0 R >> >>"
        )
        form = stream(
            drawn,
            "/Type /XObject /Subtype /Form /BBox [0 0 250 20] "
            "/Resources << /Font << /F1 3 0 R >> >>",
        )
        text = text_of(
            lines_at(50, 700, PROSE), page="/Annots [50 0 R]", extra=[(50, annotation), (51, form)]
        )
        assert text == f"{' '.join(PROSE)}\n\na remark on the margin"

    def test_values_of_fields_are_seen(self):
        catalog = (
            b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [50 0 R] /NeedAppearances true "
            b"/DR << /Font << /F1 3 0 R >> >> /DA (/F1 10 Tf 0 g) >> >>"
        )
        text = text_of(
            lines_at(50, 700, PROSE),
            page="/Annots [50 0 R]",
            extra=[(1, catalog), (50, field("Maria Fisher"))],
        )
        assert text == f"{' '.join(PROSE)}\n\nMaria Fisher"

    def test_notes_are_reported(self):
        note = b"<< /Type /Annot /Subtype /Text /Rect [50 600 70 620] /Contents (check this) >>"
        data = pdf(lines_at(50, 700, PROSE), page="/Annots [50 0 R]", extra=[(50, note)])
        assert read(data).remarks == ("1 comment is not part of the text.",)


def meaning(table):
    """A font whose letters mean what a table says."""
    font = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 50 0 R "
        b"/Encoding /WinAnsiEncoding >>"
    )
    return [(3, font), (50, stream(table))]


def test_ligatures_are_letters():
    table = b"begincmap 1 beginbfchar <61> <fb01> endbfchar endcmap"
    assert text_of([text_at(50, 700, "The ashes")], extra=meaning(table)) == "The fishes"


class TestProblems:
    def test_letters_without_meaning(self):
        table = (
            b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> "
            b"endcodespacerange 1 beginbfrange <20> <7e> <e020> endbfrange endcmap end"
        )
        error = problem(pdf(lines_at(50, 700, PROSE), extra=meaning(table)))
        assert error.code == ProblemCode.NO_TEXT_LAYER
        assert "fonts" in error.detail

    def test_a_locked_file(self):
        error = problem(locked(b"secret", lines_at(50, 700, PROSE)))
        assert error.code == ProblemCode.ENCRYPTED
        assert "password" in error.detail

    def test_a_file_that_is_locked_with_a_known_password(self):
        data = locked(b"secret", lines_at(50, 700, PROSE))
        assert read(data, passwords=("wrong", "secret")).text == " ".join(PROSE)

    @pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
    def test_a_password_in_either_encoding(self, encoding):
        data = locked("größe".encode(encoding), lines_at(50, 700, PROSE))
        assert read(data, passwords=("größe",)).text == " ".join(PROSE)

    def test_a_scan(self):
        error = problem(pdf([DRAWN], extra=[GREY_SQUARE]))
        assert error.code == ProblemCode.NO_TEXT_LAYER
        assert "Tesseract" in error.detail

    def test_some_pages_without_text(self):
        extracted = read(pdf(lines_at(50, 700, PROSE), [DRAWN], extra=[GREY_SQUARE]))
        assert extracted.remarks == ("Page 2 is a picture without text.",)

    def test_nothing_on_the_pages(self):
        assert problem(pdf(["% nothing"])).code == ProblemCode.EMPTY

    def test_no_pages(self):
        assert problem(pdf()).code == ProblemCode.DAMAGED

    def test_no_pdf(self):
        assert problem(b"%PDF-1.4\nnothing of the kind").code == ProblemCode.DAMAGED

    def test_a_page_that_is_missing(self):
        kids = b"<< /Type /Pages /Kids [100 0 R 77 0 R] /Count 2 >>"
        extracted = read(pdf(lines_at(50, 700, PROSE), extra=[(2, kids)]))
        assert extracted.text == " ".join(PROSE) + "\f"
        assert extracted.remarks[0].startswith("Page 2 could not be read")


@given(st.binary(max_size=300), st.sampled_from(["", ".pdf", ".txt"]))
def test_anything_may_be_asked_about(data, suffix):
    assert READER.recognises(data, suffix) in {True, False}


DOCUMENT = pdf(
    *book(lambda n: f"Annual report {n}", str, 3),
    [DRAWN],
    page="/Annots [50 0 R]",
    extra=[GREY_SQUARE, (50, field("Maria Fisher"))],
)


def refusal(data):
    """Why a file is refused, "" where it is read; nothing else may happen."""
    try:
        read(data)
    except UnreadableError as error:
        return error.detail
    return ""


class TestDamage:
    @pytest.mark.parametrize("part", range(1, 20))
    def test_cut_off(self, part):
        assert refusal(DOCUMENT[: len(DOCUMENT) * part // 20])[-1:] in {".", ""}

    @settings(max_examples=150)
    @given(st.lists(st.tuples(st.integers(0, len(DOCUMENT) - 1), st.integers(0, 255)), max_size=30))
    def test_bytes_changed(self, changes):
        data = bytearray(DOCUMENT)
        for position, value in changes:
            data[position] = value
        assert refusal(bytes(data))[-1:] in {".", ""}


def scanned(page):
    """A file whose page is a picture of this one."""
    return pdf(["q 600 0 0 800 0 0 cm /I Do Q"], extra=[picture(*drawn(pdf(page), scale=2))])


needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)


class TestRecognition:
    @needs_tesseract
    def test_a_scan_is_read_when_asked_for(self):
        steps = []
        data = scanned(lines_at(50, 700, PROSE, 14, 20))
        extracted = read(data, ocr=True, step=lambda: steps.append(1))
        assert "forty passengers and a cargo of apples" in extracted.text
        assert extracted.remarks == (
            "Page 1 was read by text recognition (Tesseract, eng): expect wrong letters.",
        )
        assert len(steps) == 3  # read, recognised, put together

    @needs_tesseract
    def test_only_pages_without_text_are_recognised(self):
        data = pdf(lines_at(50, 700, PROSE), [DRAWN], extra=[GREY_SQUARE])
        assert read(data, ocr=True).text == " ".join(PROSE) + "\f"

    @needs_tesseract
    def test_a_picture_without_letters(self):
        error = problem(pdf([DRAWN], extra=[GREY_SQUARE]), ocr=True)
        assert error.code == ProblemCode.NO_TEXT_LAYER
        assert error.detail.endswith("Text recognition (OCR) found none either.")

    @needs_tesseract
    @pytest.mark.parametrize("language", ["xyz", "eng+xyz", "", "--psm"])
    def test_a_language_that_is_not_installed(self, language):
        error = problem(scanned(lines_at(50, 700, PROSE)), ocr=True, ocr_languages=language)
        assert error.code == ProblemCode.NO_TEXT_LAYER
        assert "Tesseract has no data for the language" in error.detail

    def test_tesseract_is_not_installed(self, monkeypatch, tmp_path):
        monkeypatch.setenv("PATH", str(tmp_path))
        assert "not installed" in problem(pdf([DRAWN], extra=[GREY_SQUARE]), ocr=True).detail

    @pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell stands in for it")
    def test_tesseract_that_hangs_is_stopped(self, monkeypatch, tmp_path):
        program = tmp_path / "tesseract"
        program.write_text(
            '#!/bin/sh\nif [ "$1" = --list-langs ]; then echo List; echo eng; else\n'
            "exec sleep 60\nfi\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        extracted = read(
            pdf(lines_at(50, 700, PROSE), [DRAWN], extra=[GREY_SQUARE]),
            ocr=True,
            limits=ReadingLimits(seconds=12),
        )
        assert "Page 2: text recognition failed or took too long." in extracted.remarks


WORDS = ("boat", "cord", "dune", "fern", "hill", "iron", "jetty", "lamp", "mast", "oar", "pier")
STORY = (
    "The ferry left the eastern pier before the fog had lifted from the water, and the man at the "
    "rope saw it go without a word. He asked for the keeper of the lock and was told that the "
    "keeper had gone home for his noon meal, as he did on every day of that year; so he sat down."
)


def prose(seed, count=18):
    generator = random.Random(seed)
    return [" ".join(generator.choices(WORDS, k=9)) for _ in range(count)]


# A font that tells nothing of its height, and has dots where PDFium looks for it: "A" and "g".
FONT = b"""<< /Type /Font /Subtype /Type1 /BaseFont /Courier /FontDescriptor 4 0 R
/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [65 /period 103 /period] >> >>"""
DESCRIPTOR = b"""<< /Type /FontDescriptor /FontName /Courier /Flags 4 /FontBBox [-20 -250 700 800]
/ItalicAngle 0 /Ascent 0 /Descent 0 /CapHeight 0 /StemV 80 >>"""
HEIGHTLESS = [(3, FONT), (4, DESCRIPTOR)]


def without_dots(lines):
    return [line.replace("g", "q").replace("A", "E") for line in lines]


@pytest.mark.parametrize("size", [8, 10, 14])
def test_paragraphs_do_not_depend_on_what_a_font_says_of_its_height(size):
    lines = without_dots(textwrap.wrap(STORY, 42))

    assert text_of(lines_at(50, 700, lines, size, 1.2 * size), extra=HEIGHTLESS) == " ".join(lines)


def test_the_size_of_a_font_may_be_in_its_matrix():
    lines = without_dots(textwrap.wrap(STORY, 42))
    pieces = [
        f"BT /F1 1 Tf 10 0 0 10 50 {700 - 12 * n} Tm ({line}) Tj ET" for n, line in enumerate(lines)
    ]

    assert text_of(pieces, extra=HEIGHTLESS) == " ".join(lines)


def test_a_gap_is_one_with_such_a_font_too():
    lines = without_dots(textwrap.wrap(STORY, 42))
    page = lines_at(50, 700, lines) + lines_at(50, 680 - 12 * len(lines), lines)

    assert text_of(page, extra=HEIGHTLESS) == "\n\n".join([" ".join(lines)] * 2)


class TestBackwards:
    def test_a_long_page(self):
        lines = [f"line {number} has some words" for number in range(600)]
        page = lines_at(60, 790, lines, 1.2, 1.3)

        assert text_of(page[::-1]) == text_of(page) == " ".join(lines)

    @pytest.mark.parametrize("is_whole", [True, False])
    def test_columns(self, is_whole):
        lines = textwrap.wrap(STORY, 42)
        left, right = (
            lines_at(50, 700, lines),
            lines_at(330, 700, [line.upper() for line in lines]),
        )
        page = (left + right)[::-1] if is_whole else left[::-1] + right[::-1]

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

        assert read(pdf(*paged(firsts))).text.count(same) == 3

    def test_prose_where_other_pages_have_their_head(self):
        firsts = ["History of the harbour"] * 8
        for page in (0, 3, 6):
            firsts[page] = prose(page + 50, 1)[0]

        text = read(pdf(*paged(firsts, pitch=24)))

        assert "History" not in text.text
        assert all(firsts[page] in text.text for page in (0, 3, 6))

    def test_a_head_close_to_the_text_runs_where_it_is_on_most_pages(self):
        assert "History" not in read(pdf(*paged(["History of the harbour"] * 6))).text

    def test_heads_in_two_rows(self):
        pages = [
            [
                *lines_at(60, 780, ["Harbour office", "Internal report"]),
                *lines_at(60, 720, prose(number)),
            ]
            for number in range(12)
        ]
        pages[2:8] = [page[2:] for page in pages[2:8]]

        text = read(pdf(*pages))

        assert "Harbour office" not in text.text
        assert "Internal report" not in text.text

    @pytest.mark.parametrize("size", [10, 16, 30])
    def test_page_numbers_in_any_size(self, size):
        assert not any(map(str.isdigit, read(pdf(*paged(prose(99, 6), size=size))).text))

    @pytest.mark.parametrize("size", [10, 16])
    def test_numbers_that_do_not_count_are_text(self, size):
        years = (1950, 1957, 1961, 1964, 1970, 1988)
        text = read(pdf(*paged(prose(99, 6), lambda page: str(years[page - 1]), size)))

        assert all(str(year) in text.text for year in years)


def test_a_remark_quotes_words_and_no_marks_of_our_own():
    assert "“第一章”" in running_headers_remark(PagesWithoutHeaders([], 2, ("第\u2060一\u2060章",)))


def boxes(*lefts, width=10.0):
    """Boxes in a row, ten high, from where they begin."""
    return [Box(left, 0.0, left + width, 10.0) for left in lefts]


def mended(text, positions, made_up=(), is_upright=True):
    box = positions.__getitem__
    read, places = corrected(text, set(made_up).__contains__, box, lambda _: is_upright)
    assert all(read[place] == text[before] for place, before in places.items())
    return clean(read)


class TestSpaces:
    TEXT = "第 10 条"
    PLACES = boxes(0, 10, 12, 22, 32, 34)

    def test_a_little_room_is_no_space(self):
        assert mended(self.TEXT, self.PLACES, made_up={1, 4}) == "第10条"

    def test_a_space_in_the_file_is_a_space(self):
        assert mended(self.TEXT, self.PLACES) == self.TEXT

    def test_a_gap_is_a_space(self):
        wide = boxes(0, 10, 30, 40, 50, 70)
        assert mended(self.TEXT, wide, made_up={1, 4}) == self.TEXT

    @given(st.text("abc de", max_size=20))
    def test_other_scripts_stay(self, text):
        assert mended(text, boxes(*range(0, 200, 10)), made_up=set(range(20))) == text


def spread(text, letters=-200, words=-700):
    """A line of which every letter is placed by itself, and no space is written."""
    pieces = [f"({letter}) {letters}" for letter in text]
    return re.sub(rf" {letters}\( \) {letters}", f" {words}", "".join(pieces))


class TestSpreadLetters:
    LINE = "The ferry left the harbour shortly after noon"

    @pytest.mark.parametrize(("letters", "words"), [(-200, -700), (-250, -500), (-400, -1100)])
    def test_letters_that_stand_apart_are_words(self, letters, words):
        line = f"BT /F1 12 Tf 50 700 Td [{spread(self.LINE, letters, words)}] TJ ET"
        assert text_of([line]) == self.LINE

    def test_letters_at_equal_distances_may_be_symbols(self):
        line = f"BT /F1 12 Tf 50 700 Td [{spread('abcdefghij', -400)}] TJ ET"
        assert text_of([line]) == "a b c d e f g h i j"

    def test_letters_in_columns_stay_apart(self):
        columns = (50, 65, 81, 94, 110, 126, 140, 155)
        cells = [text_at(x, 700, day) for x, day in zip(columns, "MTWTFSSX", strict=True)]
        assert text_of(cells).split() == list("MTWTFSSX")

    def test_some_words_of_a_line_are_spread(self):
        line = f"[(ferry) -600 (and) -600 {spread('the')} -600 (never) -600 (left)] TJ"
        line = f"BT /F1 12 Tf 50 700 Td {line} ET"
        assert text_of([line]) == "ferry and the never left"

    @pytest.mark.parametrize("before", [-600, -1500])
    def test_words_of_one_letter_are_words(self, before):
        pieces = " -600 ".join(f"({word})" for word in ["Enfin", "il", "y", "a", "une", "chose"])
        line = f"BT /F1 12 Tf 50 700 Td [(1) {before} {pieces}] TJ ET"
        assert text_of([line]).split() == ["1", "Enfin", "il", "y", "a", "une", "chose"]

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("Vitamins_A_B_C_D_E_are_needed.__They_are_found_in_food.", (-280, -440)),
            ("Let_x_y_z_u_be_real,__and_so_on.", (-280, -440)),
            ("Vitamins_A_B_C_D_E__and_so_on", (-200, -700)),  # as wide as before "so"
            ("Anna__Y_N_Y_N_Y", (-280, -900)),
            ("Anna__Y_N_Y_N_Y", (-1500, -6000)),
            ("Item__x_x_x_x_x__see the note below", (-2500, -4000)),
            ("1_a_b_c_d__none of these at all", (-1200, -2500)),
            ("C_O_N_T_R_A_C_T__of sale between the parties", (-500, -900)),
            ("C_O_N_T_R_A_C_T__of_sale_between_the_parties", (-260, -900)),
            ("a_b_c_d__z", (-1500, -2600)),
            ("a_b_c_d__z", (-280, -2600)),
            ("Plan_A_B_C_D__12.50", (-280, -4000)),
            ("by__J_K__Rowling", (-160, -340)),
            ("J_R_R__Tolkien__wrote__it", (-150, -280)),
            ("de_a_y_o_e_u__texto__que__sigue", (-400, -520)),
            ("B_C_A_D__B_D_C_A", (-250, -900)),
            ("1_T_F_T_T__F_F_T", (-250, -900)),
        ],
    )
    def test_single_letters_as_far_apart_as_words_are_words(self, line, words):
        pieces = line.replace("__", f") {words[1]} (").replace("_", f") {words[0]} (")
        read = text_of([f"BT /F1 12 Tf 50 700 Td [({pieces})] TJ ET"])
        assert read.split() == line.replace("_", " ").split()

    def test_only_single_letters_are_joined_in_a_spread_line(self):
        line = "(s) -200 (h) -200 (e) -700 (go) -200 (es) -700 (h) -200 (o) -200 (me)"
        assert text_of([f"BT /F1 12 Tf 50 700 Td [{line}] TJ ET"]) == "she go es home"


class TestLamAndAlef:
    def test_right_to_left_letters_drawn_at_once_are_reversed(self):
        assert (
            mended("\u0633\u0627\u0644\u0645", boxes(30, 20, 20, 10)) == "\u0633\u0644\u0627\u0645"
        )

    def test_the_article_stays(self):
        assert mended("\u0627\u0644\u0633", boxes(30, 20, 10)) == "\u0627\u0644\u0633"


class TestLettersFromTheLeft:
    """In what a browser prints, words come from the right, the letters of a word from the left."""

    @pytest.mark.parametrize(
        ("text", "lefts", "read"),
        [
            ("שלום", (30, 20, 10, 0), "שלום"),
            ("םולש", (0, 10, 20, 30), "שלום"),
            ("דע םולש", (50, 60, 40, 0, 10, 20, 30), "עד שלום"),
            ("مدقًا", (20, 30, 40, 10, 0), "قدمًا"),  # the end as it should be
            ("كَتب", (30, 34, 20, 10), "كَتب"),  # a mark to the right of its letter
            ("بتكَ", (10, 20, 30, 34), "كَتب"),
            ("بتَك", (10, 20, 24, 30), "كتَب"),
            ("َبتك", (14, 10, 20, 30), "كتبَ"),  # and before it in the file
            ("שלום", (30, 30.9, 10, 0), "שלום"),  # hardly to the right
            ("ملاس", (0, 10, 10, 20), "سلام"),  # lam and alef are drawn as one
            ("١٢٣", (0, 10, 20), "١٢٣"),  # numbers are written from the left
        ],
    )
    def test_they_are_turned_round(self, text, lefts, read):
        assert mended(text, boxes(*lefts)) == read

    def test_they_stay_where_they_are_not_upright(self):
        assert mended("שלום", boxes(0, 10, 20, 30), is_upright=False) == "שלום"

    @pytest.mark.parametrize(
        ("turn", "word"),
        [
            ("1 0 0 1", "שלום"),
            ("1 .1 -.1 1", "שלום"),
            (".87 .5 -.5 .87", "םולש"),
            ("0 1 -1 0", "םולש"),
        ],
    )
    def test_only_upright_lines_are_mended_and_stay_where_they_are_in_the_file(self, turn, word):
        span = f"/Span << /ActualText <feff{'שלום'.encode('utf-16-be').hex()}> >> BDC"
        drawn = [
            f"{span} BT /F1 10 Tf {turn} {300 - line} {300 + 90 * line} Tm (abcd) Tj ET EMC"
            for line in range(3)
        ]
        table = b"begincmap 1 beginbfrange <61> <64> <05d0> endbfrange endcmap"
        with pdfium.PdfDocument(pdf(drawn, extra=meaning(table))) as document:
            lines = page_lines(pdfium.raw, document[0].get_textpage())
        assert " ".join(line.text for line in lines).split() == [word] * 3
        if word == "שלום":
            indexes = [(line.start, line.end, line.pieces) for line in lines]
            assert indexes == [(0, 3, 1), (6, 9, 1), (12, 15, 1)]


def on_lines(*lines, pitch=12.0):
    """Letters from the right, each word a letter's width from the next, lines from the top."""
    return [
        Box(300.0 - 10 * index, -pitch * line, 310.0 - 10 * index, 10.0 - pitch * line)
        for line, length in lines
        for index in range(length)
    ]


class TestLinesTakenForOne:
    """In what Qt prints, PDFium gives several lines from the right as one, the lowest first."""

    @pytest.mark.parametrize(
        ("text", "lines", "read"),
        [
            ("גד הוז אב", ((1, 6), (0, 3)), "אב\nגד הוז"),
            ("הו גד אב", ((2, 2), (1, 3), (0, 3)), "אב\nגד\nהו"),
            ("הו\r\nגד אב", ((2, 4), (1, 2), (0, 3)), "הו\r\nאב\nגד"),
            ("אב גד", ((0, 5),), "אב גד"),
            ("ab cd", ((1, 2), (0, 3)), "ab cd"),
        ],
    )
    def test_they_are_taken_apart(self, text, lines, read):
        boxes = on_lines(*lines)
        shown, places = apart(text, boxes.__getitem__, lambda _: True)
        assert shown == read
        order = [places.get(place, place) for place in range(len(text))]
        assert sorted(order) == [*range(len(text))]
        letters = [place for place, letter in enumerate(shown) if letter.isalpha()]
        assert all(shown[place] == text[order[place]] for place in letters)

    @pytest.mark.parametrize("rise", [2.0, 6.0])
    def test_a_raised_word_stays(self, rise):
        text, boxes = "גד אב", on_lines((1, 2), (0, 3), pitch=rise)
        assert apart(text, boxes.__getitem__, lambda _: True) == (text, {})

    def test_they_stay_where_they_are_not_upright(self):
        text, boxes = "גד אב", on_lines((1, 2), (0, 3))
        assert apart(text, boxes.__getitem__, lambda _: False) == (text, {})

    @given(st.text("אב12 a\r\n", max_size=30))
    def test_one_line_stays(self, text):
        boxes = on_lines((0, len(text)))
        assert apart(text, boxes.__getitem__, lambda _: True) == (text, {})


def test_lines_whose_height_is_not_a_number_are_not_lost():
    lines = [
        Line("a", 100, 697, 200, 710),
        Line("b", 100, math.nan, 200, math.nan),
        Line("c", 100, 597, 200, 610),
    ]
    assert {line.text for run in in_reading_order(lines) for line in run} == {"a", "b", "c"}
