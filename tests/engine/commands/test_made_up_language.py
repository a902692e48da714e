"""In a made-up language no command prints plain English."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import openpyxl
import pypdfium2
import pytest

from core.base.messages import in_language
from core.commands.main import COMMANDS, main
from core.commands.options import LIMITS, NOTHING
from core.documents.model import ProblemCode
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.reports.formats import write, write_report
from core.reports.from_scan import report_of
from core.reports.report_choice import ReportChoice, Scope, Texts
from core.reports.settings_file import WHERE, write_settings_file
from core.reports.shown_text import versions
from core.scan.flow import scan
from core.settings import LANGUAGES, ScanSettings
from tests.made_up_language import LONG, english_words, spoken, write_folder

CHOICES = sorted({*LANGUAGES, *WHERE, *LIMITS, NOTHING}, key=len, reverse=True)
# What is typed: the program, options, their choices and values, commands, endings of files.
TYPED = re.compile(
    r"\bneardup(?: [a-z]+)*|“[^”]*”|(?<![\w-])--?[\w-]+(?:=\S+)?|\{[\w,|-]+\}"
    r"|\b[A-Z][A-Z_]*\b|\.[a-z]{3,7}\b"
    rf"|^ +(?:{'|'.join(COMMANDS)})\b"
)


@pytest.fixture(autouse=True)
def language():
    with spoken(LONG):
        yield


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path)


def english(printed, *own_words):
    """The lines that hold plain English."""
    for text in own_words:
        printed = printed.replace(str(text), "")
    return [line for line in printed.splitlines() if english_words(TYPED.sub(" ", line))]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_no_english(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10000")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    printed = capsys.readouterr().out
    assert len(printed) > 100
    assert len(re.findall(r"^⟦[^⟧]+⟧: neardup", printed)) == 1
    assert english(printed, *CHOICES) == []


@pytest.mark.parametrize(
    "options",
    [
        ["scan"],
        ["scan", "α", "--bands", "1,5"],
        ["scan", "α", "--rows", "β'"],
        ["scan", "α", "--min-resemblance", "50%"],
        ["scan", "α", "--language", "α5"],
        ["scan", "α", "--report"],
        ["scan", "α", "--pair", "β"],
        ["scan", "α", "--all", "--confirmed"],
        ["scan", "α", "--pa", "β"],
        ["scan", "α", "--report", "α.txt"],
        ["scan", "α", "--αβγ"],
        ["curve", "--at"],
        ["curve", "5"],
        ["scan", "α", "--quiet=3"],
        ["scan", "α", "--ocr=1"],
        ["scan", "α", "--show", 20 * "9"],
        ["scan", "α", "--group", "0"],
        ["audit", "α", "--method", "β"],
    ],
)
def test_a_wrong_option_is_a_line_without_english(options, capsys):
    with pytest.raises(SystemExit) as exit_:
        main(options)
    printed = capsys.readouterr()

    assert (exit_.value.code, printed.out, printed.err.count("\n")) == (2, "", 2)
    assert english(printed.err, *CHOICES) == []


def test_output_of_commands_holds_no_english(folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    review, report = folder.parent / "α.neardup", folder.parent / "α.html"
    scanned = ("--min-resemblance=0.3", f"--review={review}", f"--report={report}")
    for arguments in (
        ("scan", folder, *scanned),
        ("query", folder, folder / "μισό.txt"),
        ("report", review, folder.parent / "β.html"),
        ("verify", report, folder),
        ("audit", folder, "--min-resemblance=0.3"),
        ("forecast", folder),
        ("curve",),
        ("suggest", "--find=0.99@0.50", "--at-most=0.0053@0.05"),
        ("scan", folder / "χχ"),
    ):
        main(list(map(str, arguments)))
    printed = capsys.readouterr()
    left = english(printed.out + printed.err, folder, folder.parent)
    assert left == []


NAMES = {"Neardup", "SHA", "UTC", "amp", "Greek", *re.findall("[A-Za-z]+", " ".join(versions()))}
CODES = {*ProblemCode, "el", "text"}  # in sheets that are filtered
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
def report_folder(tmp_path_factory):
    report_folder = write_folder(tmp_path_factory.mktemp("Ω"))
    (report_folder / "μακρύ.txt").write_text("λέξη " * 20_000, encoding="utf-8")
    return report_folder


def scanned_pairs(report_folder):
    limits = ReadingLimits(file_bytes=100_000, characters=52_000)  # two texts are over one of them
    reading = ReadingSettings(limits=limits)
    scanned = scan(
        [report_folder], ScanSettings(min_resemblance=0.3, min_passage=30), reading=reading
    )
    return scanned, scanned.list_pairs()


@pytest.fixture(scope="module")
def report(report_folder):
    return scanned_pairs(report_folder)


def for_programs(report_folder, folder):
    """The bytes of all files for programs, by their names."""
    scanned, pair_list = scanned_pairs(report_folder)
    choice = ReportChoice(created=datetime(2026, 11, 26, tzinfo=UTC), scope=Scope.DOCUMENT)
    made = report_of(scanned, pair_list, choice=replace(choice, documents=(0, 1)))
    folder.mkdir()
    for ending in (".csv", ".json", ".graphml", ".zip"):
        write_report(folder / f"pairs{ending}", made)
    write("passages", folder / "passages.json", made)
    write("problems", folder / "problems.csv", report_of(scanned, pair_list))
    write_settings_file(folder / "settings.json", scanned.settings, scanned.reading)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_for_programs_have_the_same_bytes_in_every_language(report_folder, tmp_path):
    with spoken(LONG):
        in_another = for_programs(report_folder, tmp_path / "another")
    in_english = for_programs(report_folder, tmp_path / "english")
    assert len(in_english) == 7
    assert {name for name in in_english if in_english[name] != in_another[name]} == set()


@pytest.mark.parametrize("texts", [Texts.FULL, Texts.CHANGES])
@pytest.mark.parametrize("ending", READERS)
def test_a_report_holds_no_english(report, tmp_path, ending, texts):
    scanned, pair_list = report
    path = tmp_path / f"έκθεση{ending}"
    with in_language(LONG):
        write_report(path, report_of(scanned, pair_list, choice=ReportChoice(texts=texts)))
    texts = [ENDINGS.sub("", text) for text in READERS[ending](path)]
    left = sorted({text.strip() for text in texts if english_words(text, *NAMES, *CODES)})
    assert len(texts) > 50
    assert left == []
