"""Reports full of hostile strings, opened by the programs that people open them with."""

import csv
import subprocess
from contextlib import closing

import openpyxl
import pytest
from openpyxl.utils.escape import unescape

from core.reports.formats import EXPORTS, write_report
from tests.end_to_end.chromium import Chromium, Page
from tests.engine.reports.hostile import HOSTILE, make_report, tame

TAME = [tame(number) for number in range(len(HOSTILE))]
ENDINGS = {export.endings[0] for export in EXPORTS}
DOM = """
[...document.querySelectorAll('*')].filter(one => !['WBR', 'BR'].includes(one.tagName)).map(
    one => one.tagName + ' ' + one.getAttributeNames().sort().join(' ')
         + ' ' + (one.getAttribute('href') || ''))
"""
# Text as it is cut out of the page by somebody who copies it.
TEXT = "document.body.textContent"
AS_UTF_8 = "--infilter=CSV:44,34,76,1"  # it asks a person, and takes the code page without one
TABLES = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"


@pytest.fixture
def written(tmp_path):
    """Writes the hostile report, or another one, with an ending."""

    def write(ending, strings=HOSTILE, name="report"):
        path = tmp_path / f"{name}{ending}"
        write_report(path, make_report(strings))
        return path

    return write


def squeezed(text):
    return "".join(text.split())


@pytest.mark.end_to_end("chromium")
def test_a_browser_finds_text_and_nothing_else(tmp_path, written):
    with closing(Chromium(tmp_path / "profile")) as browser:
        built = []
        for name, strings in (("tame", TAME), ("hostile", HOSTILE)):
            path = written(".html", strings, name)
            with closing(Page(browser)) as page:
                page.open(path)
                built.append(page.evaluate(DOM))
                text = squeezed(page.evaluate(TEXT))
                assert page.complaints() == []
                assert {
                    request for request in page.requests() if not request.startswith("data:")
                } == {path.as_uri()}

    assert len(built[0]) > 1000
    assert built[0] == built[1]
    report = make_report()
    assert [
        document.name for document in report.documents if squeezed(document.name) not in text
    ] == []


def converted(path, target, kind, *options):
    """A file as LibreOffice has it after opening it, saved as something else: all new files."""
    before = set(target.iterdir())
    subprocess.run(
        ["soffice", f"-env:UserInstallation={(target / 'profile').as_uri()}", "--headless",
         *options, "--convert-to", kind, "--outdir", str(target), str(path)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    return sorted(path for path in set(target.iterdir()) - before if path.is_file())


@pytest.mark.end_to_end("soffice")
def test_a_spreadsheet_finds_no_formula_in_the_table(tmp_path, written):
    path = written(".csv")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))

    (opened,) = converted(path, tmp_path, "xlsx:Calc MS Excel 2007 XML", AS_UTF_8)
    sheet = openpyxl.load_workbook(opened).active

    assert (sheet.max_row, sheet.max_column) == (len(rows), len(rows[0]))
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert [cell.coordinate for cell in cells if cell.data_type in {"f", "e"}] == []
    assert [cell.coordinate for cell in cells if cell.hyperlink] == []
    names = [[cell.value for cell in row[:2]] for row in sheet.iter_rows()]
    assert [row for row, given in zip(names, rows, strict=True) if row != given[:2]] == []


@pytest.mark.end_to_end("soffice")
@pytest.mark.skipif(".xlsx" not in ENDINGS, reason="no workbooks are written")
def test_a_spreadsheet_shows_every_sheet_as_it_was_meant(tmp_path, written):
    path = written(".xlsx")
    book = openpyxl.load_workbook(path)

    shown = {}
    for table in converted(path, tmp_path, TABLES):
        with table.open(encoding="utf-8-sig", newline="") as file:
            shown[table.stem.removeprefix("report-")] = list(csv.reader(file))

    assert list(shown) == sorted(book.sheetnames)
    for sheet in book:
        words = {squeezed(cell) for row in shown[sheet.title] for cell in row}
        cells = [unescape(row[0].value) for row in sheet.iter_rows() if row[0].data_type == "s"]
        assert [cell for cell in cells if squeezed(cell) not in words] == [], sheet.title


@pytest.mark.end_to_end("pdftotext")
@pytest.mark.skipif(".pdf" not in ENDINGS, reason="no PDF is written")
def test_poppler_finds_neither_scripts_nor_addresses(written):
    path = written(".pdf")

    def poppler(*command):
        return subprocess.run(
            [*command, path.name], cwd=path.parent, check=True, capture_output=True, text=True,
            timeout=120,
        ).stdout  # fmt: skip

    assert poppler("pdfinfo", "-js").strip() == ""
    assert "://" not in poppler("pdfinfo", "-url")
    text = subprocess.run(
        ["pdftotext", "-enc", "UTF-8", str(path), "-"], check=True, capture_output=True, timeout=120
    ).stdout.decode()
    assert "<script>alert(1)</script>" in text
