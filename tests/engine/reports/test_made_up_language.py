"""In a made-up language no report for people holds plain English."""

import re

import openpyxl
import pypdfium2
import pytest

from core.base.messages import in_language
from core.reports.choice import ReportChoice
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.scan.flow import scan
from core.settings import ScanSettings
from tests.made_up_language import LONG, english_words, write_folder

STILL_ENGLISH = {".html", ".pdf", ".xlsx"}  # it only shrinks
NAMES = ("Neardup", "SHA")
ENDINGS = re.compile(r"\.\b(?:txt|bin|docx|html|pdf|xlsx)\b")


def of_html(path):
    page = path.read_text("utf-8")
    yield from re.findall(r'(?:alt|title|aria-label|placeholder)="([^"]*)"', page)
    yield from re.split(r"</?(?:p|td|th|li|h\d|dt|dd|a|option|button|label)\b[^>]*>", page)


def of_pdf(path):
    with pypdfium2.PdfDocument(path) as file:
        for page in file:
            yield from page.get_textpage().get_text_range().splitlines()


def of_xlsx(path):
    for sheet in openpyxl.load_workbook(path):
        yield sheet.title
        for row in sheet.iter_rows():
            for cell in row:
                yield str(cell.value or "") if isinstance(cell.value, str) else ""
                yield cell.comment.text if cell.comment else ""


READERS = {".html": of_html, ".pdf": of_pdf, ".xlsx": of_xlsx}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("Ω") / "εργασίες"
    write_folder(folder)
    scanned = scan([folder], ScanSettings(min_resemblance=0.3, min_passage=30))
    return scanned, scanned.list_pairs()


@pytest.mark.parametrize("ending", READERS)
def test_a_report_holds_no_english(report, tmp_path, ending):
    scanned, found = report
    path = tmp_path / f"έκθεση{ending}"
    with in_language(LONG):
        write_report(path, report_of(scanned, found, choice=ReportChoice(full_texts=True)))
    texts = [ENDINGS.sub("", text) for text in READERS[ending](path)]
    left = sorted({text.strip() for text in texts if english_words(text, *NAMES)})
    assert len(texts) > 50
    assert ending in STILL_ENGLISH or left == []
