"""The workbook: numbers that are numbers, text that is only text, read back with openpyxl."""

import errno
import gc
import os
import signal
import struct
import sys
import warnings
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import numpy as np
import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from core.base.tasks import cancelled_by
from core.documents.model import Absence, AbsenceKind, PairKey, Problem, ProblemCode
from core.errors import ExportError, ScanCancelledError
from core.evidence.pairs import FoundBy, Pairs
from core.evidence.passage import Run
from core.evidence.passages import Passage
from core.reports.report_choice import Paper, ReportChoice, Texts
from core.reports.xlsx import book as cells
from core.reports.xlsx import write_xlsx
from core.reports.xlsx.book import LONGEST_CELL, file_link
from core.scan.groups import Group, Member
from core.scan.judgements import (
    GivenVerdict,
    Judgements,
    PassageJudgement,
    PassageMeaning,
    Verdict,
    WrittenNote,
)
from core.scan.passage_list import JudgedPassage
from core.text.set_aside import Reason, SetAside
from tests.engine.reports.test_reports import NASTY, TEXT, document, make_pairs, make_report, shared
from tests.texts import folder_with

SHEETS = ["Summary", "Pairs", "Groups", "Passages", "Documents", "Problems", "Settings"]
TIME = "2026-11-22T12:18:31.123+00:00"


def sheets_of(path, report):
    """The workbook of a report, and its sheets, each as a list of rows."""
    write_xlsx(path, report)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        book = openpyxl.load_workbook(path)
    return book, {sheet.title: [list(row) for row in sheet.values] for sheet in book}


def table(rows):
    """Rows below a head, by its titles."""
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def naive(time):
    """A time of UTC as cells hold it."""
    return datetime.fromisoformat(time)


def words(rows):
    return [str(cell) for row in rows for cell in row if cell is not None]


def judged_report(**changes):
    documents = [document(f"{n}.txt")._replace(text_hash=f"{n}") for n in range(4)]
    judgements = Judgements(
        verdicts={PairKey("0", "1"): GivenVerdict(Verdict.CONFIRMED, "Ann", TIME)},
        notes={
            PairKey("0", "1"): WrittenNote("=1+1\nsecond", "Ann", TIME),
            PairKey("1", "2"): WrittenNote("only a note", "Bob", "yesterday"),
        },
    )
    pairs = make_pairs([(0, 1), (1, 2), (2, 3)], shared_words=np.array([9, 0, -1], np.int32))
    values = {"documents": documents, "judgements": judgements, "pairs": pairs}
    return make_report(**{**values, **changes})


def test_numbers_are_numbers_and_times_are_times(tmp_path):
    pairs = judged_report().pairs
    last = np.arange(len(pairs)) == len(pairs) - 1
    traces = pairs.with_columns(
        found_by=np.where(last, np.uint8(FoundBy.REWORKED), pairs.found_by),
        overlap=np.where(last, 0.1, pairs.overlap),
        reworked_bits=np.where(last, np.float32(50), pairs.reworked_bits),
    )
    book, sheets = sheets_of(tmp_path / "r.xlsx", judged_report(pairs=traces))
    assert book.sheetnames == SHEETS
    first, second, third = table(sheets["Pairs"])
    assert first == first | {
        "#": 1,
        "A": "0.txt",
        "B": "1.txt",
        "Resemblance": 1,
        "Containment of A": pytest.approx(1 / 3, abs=1e-9),
        "Containment of B": pytest.approx(2 / 3, abs=1e-9),
        "Longest run": 412,
        "Shared words": 9,
        "Shared": 1630,
        "Estimate": 0.3,
        "Exact duplicate": "yes",
        "Found by": "shingles, passage",
        "Listed for": None,
        "Verdict": "confirmed",
        "Note": "=1+1\nsecond",
        "By": "Ann",
        "Judged (UTC)": naive("2026-11-22T12:18:31.123"),
        "Changed since": None,
    }
    assert (second["Verdict"], second["Note"]) == ("not reviewed", "only a note")
    assert second["Judged (UTC)"] == "yesterday"
    assert (third["Shared words"], third["Exact duplicate"]) == (None, None)
    assert [row["Weak trace"] for row in (first, second, third)] == [None, None, "yes"]
    sheet = book["Pairs"]
    looks = {sheet.cell(1, n).value: sheet.cell(2, n).number_format for n in range(1, 24)}
    assert (looks["Resemblance"], looks["Containment of A"], looks["Longest run"]) == (
        "0.000",
        "0.0%",
        "#,##0",
    )
    assert (sheet.auto_filter.ref, sheet.freeze_panes) == (
        f"A1:{get_column_letter(len(first))}4",
        "D2",
    )
    assert sheet.print_title_rows == "$1:$1"


def test_the_summary_counts_verdicts_and_says_what_is_not_shown(tmp_path):
    problems = [Problem("x.pdf", ProblemCode.FAILED, "The file is damaged.")]
    report = judged_report(
        problems=problems,
        notes=["Capped."],
        choice=ReportChoice(institution="=Uni & Co", most_passages=1),
    )
    _, sheets = sheets_of(tmp_path / "r.xlsx", report)
    summary = {row[0]: row[1] for row in sheets["Summary"] if row[0]}
    counts = {"Not reviewed": 2, "Confirmed": 1, "Suspicious": 0, "Not a match": 0}
    assert {name: summary[name] for name in counts} == counts
    assert (summary["Pairs found"], summary["Documents"]) == (3, 4)
    values = words(sheets["Summary"])
    assert values[0] == "=Uni & Co"
    assert "Capped." in values
    assert any(value.startswith("1 file gave no text") for value in values)
    assert sheets["Problems"][0][0] == "File"
    _, of_run = sheets_of(tmp_path / "of_run.xlsx", replace(report, is_part_of_run=True))
    assert of_run["Problems"][0][0] == "Document"
    assert any(value.startswith("Passages are shown for the first 1 pair") for value in values)
    assert any("2026-11-21 09:42" in value for value in values)
    settings = words(sheets["Settings"])
    assert any(text.startswith("Every document was cut into shingles") for text in settings)
    assert "b × r = 64 × 2" in settings
    assert any("|A ∩ B| / |A ∪ B|" in text for text in settings)
    assert table(sheets["Problems"])[0]["What happened"] == "Could not be read"


def test_nothing_found_has_a_workbook(tmp_path):
    for names in (NASTY, []):
        book, sheets = sheets_of(tmp_path / "r.xlsx", make_report(names, pairs=Pairs.empty()))
        assert book.sheetnames == SHEETS
        assert any("was found" in value for value in words(sheets["Summary"]))
        assert len(sheets["Documents"]) == len(names) + 1
        assert len(sheets["Pairs"]) == 1


def test_passages_stand_side_by_side_with_their_offsets(tmp_path):
    run = Run(4, 13, 0, 9, 2)
    passage = Passage(4, 13, 0, 9, 2, (run,), True, 55.55, 3, 4, exchanged=1, chance="fewer than 1")
    _, sheets = sheets_of(
        tmp_path / "r.xlsx", judged_report(passages_of=lambda a, b: shared(passage))
    )
    rows = table(sheets["Passages"])
    assert [row["#"] for row in rows] == [1, 2, 3]
    row = rows[0]
    assert (row["From in A"], row["To in A"], row["From in B"], row["To in B"]) == (4, 13, 0, 9)
    assert (row["Text in A"], row["Text in B"]) == (TEXT[4:13], TEXT[0:9])
    assert (row["Words in A"], row["Words in B"], row["The same"], row["Exchanged"]) == (3, 4, 2, 1)
    assert (row["Moved"], row["Bits"], row["In other pairs"]) == ("moved", 55.5, "fewer than 1")


def test_a_report_without_texts_has_none(tmp_path):
    judged = JudgedPassage(
        "k", PassageJudgement(PassageMeaning.COPIED, TEXT, "Ann", TIME), 8, 8, {0: [], 1: []}
    )
    report = judged_report(find_judged=lambda: [judged])
    _, sheets = sheets_of(tmp_path / "with.xlsx", report)
    assert table(sheets["Judged passages"])[0]["Passage"] == TEXT
    without = replace(report, choice=ReportChoice(texts=Texts.NONE))
    _, sheets = sheets_of(tmp_path / "r.xlsx", without)
    assert not [value for rows in sheets.values() for value in words(rows) if "three" in value]
    assert table(sheets["Passages"])[0]["To in A"] == 23
    assert table(sheets["Judged passages"])[0]["Stands in"] == "0.txt\n1.txt"


def test_groups_and_documents(tmp_path):
    absence = Absence(AbsenceKind.GONE, datetime(2026, 11, 20, tzinfo=UTC).date())
    documents = [
        document("a.txt")._replace(
            sha256="5a" * 32, text_hash="7b", size=10**12, modified_ns=1_700_000_000_123_456_789
        ),
        document("b.txt")._replace(modified_ns=-(1 << 62)),
        document("c.txt")._replace(absence=absence, remarks=("First.", "Second.")),
        document("d.txt"),
    ]
    report = make_report(
        documents=documents,
        pairs=make_pairs([(0, 1), (0, 2)]),
        groups=[Group(0, (1,), (Member(2, 0.5, (3,)),), is_chosen=True)],
        set_aside={key: [SetAside(0, len(TEXT) // 2, Reason.QUOTATION)] for key in (0, 2)},
    )
    _, sheets = sheets_of(tmp_path / "r.xlsx", report)
    assert "c.txt gone since 2026-11-20" in words(sheets["Settings"])
    rows = [list(row.values()) for row in table(sheets["Groups"])]
    assert rows == [
        [1, 4, "centre, chosen", "a.txt", None, None],
        [1, 4, "exact copy", "b.txt", 1, "a.txt"],
        [1, 4, "member", "c.txt", 0.5, None],
        [1, 4, "exact copy", "d.txt", 0.5, "c.txt"],
    ]
    a, b, c, d = table(sheets["Documents"])
    assert (a["Pairs"], a["Group"], a["Bytes"], d["Pairs"]) == (2, 1, 10**12, 0)
    assert a["File changed (UTC)"] == naive("2023-11-14T22:13:20.123")
    assert b["File changed (UTC)"] == "1823-11-12T00:06:21+00:00"
    assert a["Set aside"] == pytest.approx(0.5, abs=0.02)
    hashes = ("SHA-256 of the file", "XXH3 of the file", "XXH3 of the text")
    assert [a[name] for name in hashes] == ["5a" * 32, "00", "7b"]
    assert [b[name] for name in hashes] == [None, "00", None]
    assert (c["Gone"], c["Remarks"]) == ("gone since 2026-11-20", "First.\nSecond.")


def on_disk(folder, name, text="x"):
    """A document that is there as it was read."""
    path = folder / name
    path.write_text(text)
    status = path.stat()
    return document(name)._replace(
        location=str(path), size=status.st_size, modified_ns=status.st_mtime_ns
    )


def test_names_lead_to_the_files_that_are_there_as_they_were_read(tmp_path):
    names = ["a b#1%.txt", "报告.txt", "changed.txt", "gone.txt", "run.sh", "y.txt", "=1+1.txt"]
    documents = [on_disk(tmp_path, name) for name in names]
    (tmp_path / "changed.txt").write_text("another text")
    (tmp_path / "gone.txt").unlink()
    report = make_report(documents=documents, pairs=make_pairs([(0, 1), (2, 3)]))
    book, _ = sheets_of(tmp_path / "r.xlsx", report)
    cells_of = [row[0] for row in book["Documents"].iter_rows(min_row=2)]
    base = f"File://{tmp_path.as_posix()}"
    assert [cell.hyperlink and cell.hyperlink.target for cell in cells_of] == [
        f"{base}/a%20b%231%25.txt",
        f"{base}/报告.txt",
        None,
        None,
        None,
        f"{base}/y.txt",
        f"{base}/%3D1%2B1.txt",
    ]
    assert [cell.value for cell in cells_of] == names
    assert book["Pairs"]["B2"].hyperlink.target == f"{base}/a%20b%231%25.txt"
    assert book["Pairs"]["B3"].hyperlink is None
    book, sheets = sheets_of(tmp_path / "w.xlsx", replace(report, choice=ReportChoice(names=False)))
    assert not [cell for row in book["Documents"].iter_rows() for cell in row if cell.hyperlink]
    assert not [cell for row in sheets["Documents"][1:] for cell in row[-3:] if cell]


def test_nothing_is_looked_up_on_another_computer(monkeypatch):
    monkeypatch.setattr(Path, "stat", lambda path: pytest.fail("looked up"))
    assert file_link(document("a.txt")._replace(location="//host/share/a.txt")) == ""


def test_rows_and_texts_that_do_not_fit_are_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(cells, "MOST_ROWS", 3)
    monkeypatch.setattr(cells, "MOST_LINKS", 2)
    documents = [on_disk(tmp_path, f"{n}.txt") for n in range(6)]
    long = "\U0001f600" * LONGEST_CELL
    report = make_report(
        documents=documents,
        pairs=make_pairs([(i, i + 1) for i in range(5)]),
        text_of=lambda number: long,
        passages_of=lambda a, b: shared(Passage(0, LONGEST_CELL, 0, 4, 3, (), bits=1)),
    )
    book, sheets = sheets_of(tmp_path / "r.xlsx", report)
    names = ["Pairs", "Pairs 2", "Pairs 3"]
    assert [name for name in book.sheetnames if name.startswith("Pairs")] == names
    assert [row["#"] for name in names for row in table(sheets[name])] == [1, 2, 3, 4, 5]
    assert all(book[name].auto_filter.ref for name in names)
    text = table(sheets["Passages"])[0]["Text in A"]
    assert len(text.encode("utf-16-le")) // 2 <= LONGEST_CELL
    kept, _, mark = text.partition(" […")
    assert long.startswith(kept)
    assert mark == f" {LONGEST_CELL - len(kept):,} characters left out]"
    values = words(sheets["Summary"])
    assert "Pairs goes on in 2 more sheets, as a sheet holds 3 rows." in values
    assert any(value.startswith("Passages: 5 texts of more than 32,767") for value in values)
    assert "Pairs: 4 names are no links to files, as a sheet holds 2 links." in values


def test_a_workbook_has_the_moment_and_the_paper_of_its_report(tmp_path):
    book, _ = sheets_of(tmp_path / "a.xlsx", judged_report(choice=ReportChoice(paper=Paper.LETTER)))
    assert book.properties.created == naive("2026-11-21T09:42")
    assert {sheet.page_setup.paperSize for sheet in book} == {1}


def test_a_workbook_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    temporary = folder_with(tmp_path / "temporary")
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    path = tmp_path / "r.xlsx"
    path.write_text("old")

    full = Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))

    with pytest.raises(ExportError, match="the disk is full"):
        write_xlsx(path, make_report(passages_of=full))
    answers = iter([False] * 40)
    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: next(answers, True))(write_xlsx)(path, make_report())
    with pytest.raises(ScanCancelledError):
        cancelled_by(CancelledAtTheEnd())(write_xlsx)(path, make_report(["a", "b"]))
    assert path.read_text() == "old"
    assert not list(temporary.iterdir())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a child that can be killed anywhere")
def test_what_a_killed_export_left_goes_and_what_a_living_one_has_stays(tmp_path, monkeypatch):
    temporary = folder_with(tmp_path / "temporary")
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    reading, writing = os.pipe()

    def wait_to_be_killed(a, b):
        os.write(writing, b"begun")
        signal.pause()

    child = os.fork()
    if not child:
        write_xlsx(tmp_path / "killed.xlsx", make_report(passages_of=wait_to_be_killed))
    assert os.read(reading, 5) == b"begun"
    unfinished = sorted(temporary.rglob("*"))
    write_xlsx(tmp_path / "r.xlsx", make_report(["a", "b"]))
    assert any(path.is_file() and path.parent != temporary for path in unfinished)
    assert sorted(temporary.rglob("*")) == unfinished

    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    write_xlsx(tmp_path / "r.xlsx", make_report(["a", "b"]))
    assert not list(temporary.iterdir())
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["r.xlsx"]


class CancelledAtTheEnd:
    """Cancels when the file itself is written."""

    def __call__(self):
        import inspect

        return any(frame.function == "_store_workbook" for frame in inspect.stack())


@pytest.mark.parametrize("room", [0, 2000])
def test_nothing_else_is_reported_where_the_disk_fills_up(tmp_path, monkeypatch, room):
    from core.reports.xlsx import _PolledFile

    write, sizes, unraisable = _PolledFile.write, [], []

    def filling(file, data):
        sizes.append(len(data))
        if sum(sizes) > room and not file.is_over:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data)

    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    monkeypatch.setattr(_PolledFile, "write", filling)
    with pytest.raises(ExportError, match="the disk is full"):
        write_xlsx(tmp_path / "r.xlsx", make_report(["a", "b"]))
    gc.collect()
    assert unraisable == []
    assert not list(tmp_path.iterdir())


def png(width, height, density=0):
    """The head of a picture, which is all that a workbook looks at."""

    def part(name, content):
        return struct.pack(">I", len(content)) + name + content + bytes(4)

    parts = part(b"IHDR", struct.pack(">II", width, height) + bytes(5))
    if density:
        parts += part(b"pHYs", struct.pack(">IIb", density, density, 1))
    return b"\x89PNG\r\n\x1a\n" + parts + part(b"IEND", b"")


@pytest.mark.parametrize("density", [0, 11_811])
def test_a_logo_has_its_place_whatever_its_size(tmp_path, density):
    choice = ReportChoice(logo=png(3000, 1500, density))
    write_xlsx(tmp_path / "r.xlsx", make_report(["a", "b"], choice=choice))
    with zipfile.ZipFile(tmp_path / "r.xlsx") as archive:
        assert archive.read("xl/media/image1.png") == choice.logo
        drawing = ET.fromstring(archive.read("xl/drawings/drawing1.xml"))
    [size] = [element for element in drawing.iter() if element.tag.endswith("}ext")]
    pixel = 9525  # English Metric Units
    assert int(size.get("cx")) == pytest.approx(120 * pixel, abs=pixel)
    assert int(size.get("cy")) == pytest.approx(60 * pixel, abs=pixel)


@pytest.mark.parametrize(
    "logo", [b"<svg/>", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff" + b"x" * 99, png(0, 0), b"GIF89a" * 9]
)
def test_a_picture_that_no_spreadsheet_shows_is_left_out(tmp_path, logo):
    write_xlsx(tmp_path / "r.xlsx", make_report(["a", "b"], choice=ReportChoice(logo=logo)))
    with zipfile.ZipFile(tmp_path / "r.xlsx") as archive:
        assert not [name for name in archive.namelist() if "media" in name]


def test_no_row_is_higher_than_excel_takes(tmp_path):
    notes = ["\n" * 2000, "x" * 20_000, "\u62a5" * 20_000]
    book, _ = sheets_of(tmp_path / "r.xlsx", make_report(["a", "b"], notes=notes, title=notes[1]))
    heights = [
        dimension.height
        for sheet in book
        for dimension in sheet.row_dimensions.values()
        if dimension.height
    ]
    assert max(heights) <= 409
