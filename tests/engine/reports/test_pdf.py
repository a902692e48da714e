"""The PDF report: its text is what was meant, it is archival, accessible and the same each time."""

import ctypes
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import psutil
import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from core.base.tasks import Stage
from core.documents.model import Problem, ProblemCode
from core.errors import ExportError, ScanCancelledError
from core.reports.choice import Paper, ReportChoice
from core.reports.formats import write_report
from core.reports.pdf.writer import preview_pages, write_pdf
from core.scan.groups import Group, Member
from tests.engine.reports.test_html import NASTY, TEXT, make_report

EVIL = '#panic("x") *b* `raw` $x^2$ <label> @ref // c /* c */ \\u{41} [[ "+" #let x = 1; ]'
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


def test_nothing_of_the_user_becomes_a_command(written):
    report = make_report(
        ["a.txt", EVIL, "c.txt"],
        title=EVIL,
        folders=[EVIL],
        version=EVIL,
        notes=[EVIL],
        shown=EVIL,
        problems=[Problem(EVIL, ProblemCode.FAILED, EVIL)],
        groups=[Group(0, (1,), (Member(2, 0.9),))],
        text_of=lambda index: "\x00\x1b\ud800" + EVIL * 2,
        choice=ReportChoice(institution=EVIL),
    )
    path = written(report)
    text = text_of(path)
    assert text.count(squeezed(EVIL)) > 8
    assert "\\x00\\x1b\\ud800" in text
    assert pypdfium2.PdfDocument(path).get_metadata_value("Title") == f"{EVIL}: {EVIL}"


def test_names_of_all_kinds_are_read_as_they_are(written):
    text = text_of(written(make_report(NASTY)))
    for name in ('"onmouseover="alert(1).txt', "<script>alert('x')</script>.txt", "&lt;b&gt;.txt"):
        assert name in text


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


def test_bookmarks_lead_to_sections_and_pairs(written):
    document = pypdfium2.PdfDocument(written(make_report(["a", "b"])))
    marks = [(mark.level, mark.get_title()) for mark in document.get_toc()]
    assert (0, "Summary") in marks
    assert (0, "Pairs") in marks
    assert marks[-2:] == [(0, "Passages"), (1, "1 a and b")]


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


def test_one_report_has_the_same_bytes_each_time(written):
    report = make_report(NASTY)
    assert written(report).read_bytes() == written(report).read_bytes()
    later = replace(report, created=datetime(2026, 11, 22, 9, 42, tzinfo=UTC))
    assert written(report).read_bytes() != written(later).read_bytes()


def test_without_passages_it_holds_no_text(written):
    secret = "only in the documents"
    hidden = {"text_of": lambda index: f"{secret} {secret} {secret}"}
    shown = make_report(["a", "b"], **hidden)
    assert squeezed(secret) in text_of(written(shown))
    path = written(replace(shown, choice=ReportChoice(passages=False)))
    assert squeezed(secret) not in text_of(path)


def test_a_letter_without_a_font_is_said(written):
    report = make_report(["a", "b"], text_of=lambda index: "one \U0010a7f0\u0301 two three four")
    text = text_of(written(report))
    assert squeezed("No font on the computer that made this file has 1 character") in text
    assert squeezed("No font on the computer") not in text_of(written(make_report(["a", "b"])))


def test_a_report_without_pairs_is_a_report(written):
    path = written(make_report(["a"]))
    assert "Nopairsarelisted." in text_of(path)


def test_a_long_report_passes_the_pipes(written):
    names = [f"document {number} {'x' * 200}" for number in range(60)]
    document = pypdfium2.PdfDocument(written(make_report(names, text_of=lambda index: TEXT * 20)))
    assert len(document) > 30
    assert document.get_toc()


def test_cancelling_leaves_nothing_behind(tmp_path):
    told = []
    path = tmp_path / "report.pdf"
    path.write_bytes(b"before")
    report = make_report(NASTY)
    with pytest.raises(ScanCancelledError):
        write_report(
            path,
            report,
            progress=told.append,
            cancelled=lambda: bool(told) and told[-1].stage is Stage.TYPESET,
        )
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
    assert not [child for child in psutil.Process().children() if "typesetting" in cmdline(child)]


def cmdline(process):
    return " ".join(process.cmdline())


def test_a_logo_that_is_no_picture_is_said(written):
    with pytest.raises(ExportError, match=r"logo is no picture"):
        written(make_report(["a", "b"], choice=ReportChoice(logo=b"MZ")))
    with pytest.raises(ExportError, match=r"could not be made: .*decode"):
        written(make_report(["a", "b"], choice=ReportChoice(logo=b"\x89PNG\r\n\x1a\nbroken")))


def test_too_little_memory_is_said_before_it_starts(written, monkeypatch):
    memory = psutil.virtual_memory()._replace(available=1_000_000)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    with pytest.raises(ExportError, match=r"takes about 1\d\d MB of memory.* only 1 MB are free"):
        written(make_report(["a", "b"]))


def test_a_process_that_ends_early_is_said(written, monkeypatch):
    monkeypatch.setattr("core.reports.pdf.writer.START", "raise SystemExit(3)")
    with pytest.raises(ExportError, match="ended without a result"):
        written(make_report(["a", "b"]))


def test_the_preview_shows_the_first_pages(tmp_path):
    pages = preview_pages(make_report(NASTY), first_pairs=2, pages=2, width_px=300)
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
