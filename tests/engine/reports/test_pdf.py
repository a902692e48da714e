"""The PDF report: its text is what was meant, it is archival, accessible and the same each time."""

import ctypes
import re
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
import typst

from core.base.messages import Language, in_language
from core.base.tasks import Stage, cancelled_by
from core.errors import ExportError, ScanCancelledError
from core.evidence.passages import Passage
from core.reports.blocks import Span, SpanKind, line
from core.reports.formats import write_report
from core.reports.pdf.fonts import BASE, EMBEDDED, SIGNS, choose_fonts, letters_in, letters_of
from core.reports.pdf.writer import (
    breakable,
    language_of_script,
    preview_pages,
    runs_from_right,
    visible,
    whole_letters,
    write_pdf,
)
from core.reports.report_choice import Paper, ReportChoice
from tests.engine.reports.test_html import NASTY, TEXT, make_report, shared

HEBREW = "\u05d0\u05d1"


def segments(*runs):
    """A table of letters in format 4: first, last, and the glyphs of each run."""
    runs = [*runs, (0xFFFF, 0xFFFF, [0])]
    count = len(runs)
    glyphs = b""
    offsets = []
    for index, (_, _, numbers) in enumerate(runs):
        offsets.append(2 * (count - index) + len(glyphs))
        glyphs += struct.pack(f">{len(numbers)}H", *numbers)
    body = b"".join(
        (
            struct.pack(">HHHHHHH", 4, 0, 0, 2 * count, 0, 0, 0),
            struct.pack(f">{count}H", *(last for _, last, _ in runs)),
            bytes(2),
            struct.pack(f">{count}H", *(first for first, _, _ in runs)),
            bytes(2 * count),
            struct.pack(f">{count}H", *offsets),
            glyphs,
        )
    )
    return (3, 1, body)


def groups(*runs):
    """A table of letters in format 12."""
    body = struct.pack(">HHLLL", 12, 0, 16 + 12 * len(runs), 0, len(runs))
    return (3, 10, body + b"".join(struct.pack(">LLL", *run, 1) for run in runs))


def font_file(path, *tables, rights=0):
    """A font that has nothing but the tables that are read."""
    cmap = struct.pack(">HH", 0, len(tables))
    start = 4 + 8 * len(tables)
    for platform, encoding, body in tables:
        cmap += struct.pack(">HHL", platform, encoding, start)
        start += len(body)
    cmap += b"".join(body for _, _, body in tables)
    os2 = bytes(8) + struct.pack(">H", rights)
    head = struct.pack(">LHHHH", 0x00010000, 2, 0, 0, 0)
    at = len(head) + 32
    head += struct.pack(">4sLLL", b"OS/2", 0, at, len(os2))
    head += struct.pack(">4sLLL", b"cmap", 0, at + len(os2), len(cmap))
    path.write_bytes(head + os2 + cmap)
    return path


@pytest.mark.parametrize("family", list(EMBEDDED))
def test_typst_sets_every_letter_that_its_fonts_are_said_to_have(family):
    source = (
        f'#set text(font: "{family}", fallback: false)\n#let letters = json(bytes(sys.inputs.d))\n'
        "#for one in letters [#text(one) #strong(one) ]"
    )
    letters = ", ".join(f'"\\u{{{ord(letter):x}}}"' for letter in sorted(letters_of(family)))
    source = source.replace("json(bytes(sys.inputs.d))", f"({letters})")
    # PDF/A refuses a letter that a font lacks.
    assert typst.compile(
        source.encode(), pdf_standards=["a-2b"], ignore_system_fonts=True
    ).startswith(b"%PDF")
    with pytest.raises(typst.TypstError, match="could not be displayed"):
        typst.compile(
            source.replace(letters, '"\\u{4e2d}",').encode(),
            pdf_standards=["a-2b"],
            ignore_system_fonts=True,
        )


def test_the_letters_of_a_font_are_read_from_its_file(tmp_path):
    basic = segments((0x41, 0x43, [5, 0, 7]), (0x5D0, 0x5D0, [8]))
    path = font_file(tmp_path / "a.ttf", basic)
    assert letters_in(path, 0, "ABCD\u05d0\u05d1") == {"A", "C", "\u05d0"}  # B has no glyph
    full = font_file(tmp_path / "b.ttf", basic, groups((0x42, 0x42), (0x1F600, 0x1F610)))
    assert letters_in(full, 0, "AB\U0001f605\U0001f611") == {"B", "\U0001f605"}


def test_a_font_that_may_not_be_embedded_has_no_letters(tmp_path):
    path = font_file(tmp_path / "a.ttf", groups((0x41, 0x5A)), rights=2)
    assert letters_in(path, 0, "A") == set()


@pytest.mark.parametrize("data", [b"", b"OTTO", b"\0\1\0\0\xff\xff", bytes(100), b"ttcf" * 9])
def test_a_damaged_font_has_no_letters(tmp_path, data):
    path = tmp_path / "a.ttf"
    path.write_bytes(data)
    assert letters_in(path, 0, "A") == set()
    assert letters_in(tmp_path / "gone.ttf", 0, "A") == set()


def font_files(*fonts):
    """The list of fonts that typst prints: family and file."""
    return SimpleNamespace(
        fonts=lambda: [
            SimpleNamespace(
                family=family, path=str(path), index=0, style="normal", weight=400, stretch=1.0
            )
            for family, path in fonts
        ]
    )


def test_only_fonts_that_are_needed_are_taken_the_good_ones_first(tmp_path):
    thai = font_file(tmp_path / "thai.ttf", groups((0xE00, 0xE7F)))
    other_file = font_file(tmp_path / "other.ttf", groups((0xE00, 0xE7F), (0x1780, 0x17FF)))
    fonts = font_files(("A Font", other_file), ("Noto Serif Thai", thai))

    assert choose_fonts(fonts, f"plain é Ω я {HEBREW}").families == [BASE, SIGNS]
    assert choose_fonts(fonts, "\u0e01").families == [BASE, "Noto Serif Thai", SIGNS]
    both = choose_fonts(fonts, "\u0e01\u1780")
    assert both.families == [BASE, "Noto Serif Thai", "A Font", SIGNS]
    assert both.missing_in_words == ""


def test_japanese_and_korean_have_forms_of_their_own(tmp_path):
    chinese = font_file(tmp_path / "a.ttf", groups((0x3040, 0x9FFF), (0xAC00, 0xD7A3)))
    fonts = font_files(("Noto Serif CJK SC", chinese), ("Noto Serif CJK JP", chinese))
    chosen = choose_fonts(fonts, "\u4e2d\u3042\uac00")
    assert chosen.families == [BASE, "Noto Serif CJK SC", SIGNS]
    assert chosen.families_of == {"ja": [BASE, "Noto Serif CJK JP", "Noto Serif CJK SC", SIGNS]}


def test_letters_without_a_font_are_reported_with_their_scripts():
    assert choose_fonts(font_files(), "\u1780").missing_in_words == (
        "No font on the computer that made this file has 1 character of this report (Khmer); "
        "it is shown as an empty box."
    )
    many = choose_fonts(font_files(), "\u1780\u1781\u4e2d\u0e01\u0905\u0c05")
    assert many.missing == "\u0905\u0c05\u0e01\u1780\u1781\u4e2d"
    assert "6 different characters" in many.missing_in_words
    assert "(Devanagari, Telugu, Thai, Khmer, ...)" in many.missing_in_words
    assert choose_fonts(font_files(), "\u200b\u200d\ufe0f\u2003\u3000 ").missing == ""


def test_what_no_font_can_show_is_an_escape():
    assert visible("a\x00\x1b\x9f\ud800\uffff") == "a\\x00\\x1b\\x9f\\ud800\\uffff"
    assert visible("a\tb\x85c\u2028d\ne") == "a b\nc\nd\ne"


def test_long_names_and_words_may_be_broken():
    name = "folder/a_very_long_name_without_spaces.docx"
    assert "".join(breakable(name, is_name=True)) == name
    assert all(len(piece) < 25 for piece in breakable(name, is_name=True))
    assert breakable("short.txt", is_name=True) == "short.txt"
    assert breakable("a sentence of short words") == "a sentence of short words"
    assert "".join(breakable("b " + "A" * 100)) == "b " + "A" * 100
    assert max(map(len, breakable("b " + "A" * 100))) < 25
    arabic = "\u0645\u0631\u062d\u0628\u0627" * 9
    assert breakable(arabic) == arabic  # its letters join
    assert breakable(arabic, is_name=True) == f"\u2068{arabic}\u2069"


def test_the_direction_and_the_language_of_a_text():
    assert runs_from_right(f"1. {HEBREW} abc")
    assert not runs_from_right(f"abc {HEBREW}")
    assert not runs_from_right("123")
    languages = {"\u4e2d\u6587": "zh", "\u4e2d\u3042": "ja", "\uac00": "ko", "\u0e01": "th"}
    for text, code in languages.items():
        assert language_of_script(text) == code
    assert language_of_script("English or German") == "und"


def test_a_mark_stays_with_its_letter():
    same, plain = SpanKind.SAME, SpanKind.PLAIN
    cut = line(Span("\u092d", plain), Span("\u093e\u0917", same), Span("\u094b", plain))
    assert whole_letters(cut) == (Span("\u092d\u093e", plain), Span("\u0917\u094b", same))
    first = line(Span("\u093e", same))
    assert whole_letters(first) == first


def test_the_template_leaves_the_choice_of_fonts_to_nobody_else():
    template = Path(__file__).parents[3] / "core/reports/pdf/report.typ"
    assert "fallback: false" in template.read_text(encoding="utf-8")


LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'


def text_of(path):
    """All text of a PDF without white space, which the ends of lines take part in."""
    document = pypdfium2.PdfDocument(path)
    pages = [document[number].get_textpage().get_text_bounded() for number in range(len(document))]
    return squeezed("".join(pages))


def squeezed(text):
    return re.sub(r"[\s\ufffe\u2068\u2069]", "", text)


@pytest.fixture
def written(tmp_path):
    def write(report):
        write_pdf(tmp_path / "report.pdf", report)
        return tmp_path / "report.pdf"

    return write


def test_it_says_that_it_is_archival_and_accessible(written):
    path = written(make_report(["a", "b"]))
    data = path.read_bytes()
    assert b"<pdfaid:part>3</pdfaid:part>" in data
    assert b"<pdfaid:conformance>A</pdfaid:conformance>" in data
    assert b"<pdfuaid:part>1</pdfuaid:part>" in data
    document = pypdfium2.PdfDocument(path)
    assert pdfium.FPDFCatalog_IsTagged(document)
    assert {"H1", "H2", "Table", "TH", "TD", "P"} <= set(tags_of(document))


def tags_of(document):
    for number in range(len(document)):
        tree = pdfium.FPDF_StructTree_GetForPage(document[number])
        for index in range(pdfium.FPDF_StructTree_CountChildren(tree)):
            yield from _tags(pdfium.FPDF_StructTree_GetChildAtIndex(tree, index))
        pdfium.FPDF_StructTree_Close(tree)


def _tags(element):
    name = ctypes.create_string_buffer(100)
    length = pdfium.FPDF_StructElement_GetType(element, name, 100)
    yield name.raw[: length - 2].decode("utf-16-le")
    for index in range(pdfium.FPDF_StructElement_CountChildren(element)):
        child = pdfium.FPDF_StructElement_GetChildAtIndex(element, index)
        if child:
            yield from _tags(child)


def left_of(path, words):
    """From the left edge of the page in points, by the last time that the words stand on it."""
    page = pypdfium2.PdfDocument(path)[0].get_textpage()
    *_, (start, _length) = iter(page.search(words, match_case=True).get_next, None)
    return page.get_charbox(start)[0]


@pytest.mark.parametrize("code", ["en", "ar"])
def test_text_a_stands_where_reading_begins(written, code):
    texts = ["alpha and what both of them share", "beta and what both of them share!"]
    passage = Passage(0, 33, 0, 33, 7, (), moved=False, bits=55.5)
    report = make_report(
        ["first", "second"], text_of=texts.__getitem__, passages_of=lambda a, b: shared(passage)
    )

    with in_language(Language(code)):
        path = written(report)

    for words_of_a, words_of_b in [("first", "second"), ("alpha", "beta")]:
        a, b = (left_of(path, words) for words in (words_of_a, words_of_b))
        assert (a > b) is (code == "ar"), words_of_a


def test_bookmarks_lead_to_sections_and_pairs(written):
    document = pypdfium2.PdfDocument(written(make_report(["a", "b"])))
    marks = [(mark.level, mark.get_title()) for mark in document.get_toc()]
    assert (0, "Finding") in marks
    assert (0, "Pairs") in marks
    assert marks[marks.index((0, "Passages")) + 1] == (1, "1 A a B b")
    assert marks[-1] == (0, "Documents")


def test_pages_are_numbered_and_headed(written):
    choice = ReportChoice(institution="Office of Tests", logo=LOGO, paper=Paper.LETTER)
    document = pypdfium2.PdfDocument(written(make_report(NASTY, choice=choice)))
    count = len(document)
    assert count > 1
    assert document[0].get_size() == (612, 792)
    for number in range(count):
        text = document[number].get_textpage().get_text_bounded()
        assert "Office of Tests" in text
        assert f"{number + 1} of {count}" in text


def test_a_letter_without_a_font_is_reported(written):
    report = make_report(["a", "b"], text_of=lambda index: "one \U0010a7f0\u0301 two three four")
    text = text_of(written(report))
    assert squeezed("No font on the computer that made this file has 1 character") in text
    assert squeezed("No font on the computer") not in text_of(written(make_report(["a", "b"])))


def test_a_long_report_passes_the_pipes(written):
    names = [f"document {number} {'x' * 200}" for number in range(60)]
    document = pypdfium2.PdfDocument(written(make_report(names, text_of=lambda index: TEXT * 20)))
    assert len(document) > 30
    assert document.get_toc()


def test_cancelling_leaves_nothing_behind(tmp_path):
    reports = []
    path = tmp_path / "report.pdf"
    path.write_bytes(b"before")
    report = make_report(NASTY)
    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: bool(reports) and reports[-1].stage is Stage.TYPESET)(write_report)(
            path, report, progress=reports.append
        )
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
    assert not [child for child in psutil.Process().children() if "typesetting" in cmdline(child)]


def cmdline(process):
    return " ".join(process.cmdline())


def test_a_logo_that_is_no_picture_is_reported(written):
    with pytest.raises(ExportError, match=r"logo is no picture"):
        written(make_report(["a", "b"], choice=ReportChoice(logo=b"MZ")))
    with pytest.raises(ExportError, match=r"could not be made: .*decode"):
        written(make_report(["a", "b"], choice=ReportChoice(logo=b"\x89PNG\r\n\x1a\nbroken")))


def test_too_little_memory_is_said_before_it_starts(written, monkeypatch):
    memory = psutil.virtual_memory()._replace(available=1_000_000)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    with pytest.raises(ExportError, match=r"takes about 1\d\d MB of memory.* only 1 MB are free"):
        written(make_report(["a", "b"]))


def test_a_process_that_ends_early_is_reported(written, monkeypatch):
    monkeypatch.setattr("core.reports.pdf.writer.START", "raise SystemExit(3)")
    with pytest.raises(ExportError, match="ended without a result"):
        written(make_report(["a", "b"]))


def test_the_preview_shows_the_first_pages(tmp_path):
    pages = preview_pages(make_report(NASTY), width_px=300)
    assert len(pages) == 2
    for width, height, pixels in pages:
        assert width in (300, 301)
        assert height == pytest.approx(width * 2**0.5, abs=2)
        assert len(pixels) == 3 * width * height
        assert pixels.count(255) > 0.7 * len(pixels)  # paper
        assert min(pixels) < 100  # ink


def test_help_and_the_formats_load_no_typesetter():
    program = (
        "import sys, core.reports.formats, core.reports.pdf.writer; "
        "sys.exit('typst' in sys.modules or 'pypdfium2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
