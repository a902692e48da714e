"""Tables that read back, and files that are written whole or not at all."""

import csv
import errno
import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from core.base.tasks import cancelled_by
from core.documents.model import Document, PairKey, Problem, ProblemCode, Role
from core.errors import ExportError, ScanCancelledError
from core.evidence.pairs import FoundBy, Pairs
from core.evidence.passage import PairOverlap, Run
from core.evidence.passages import ChanceThreshold, Passage, SharedText
from core.evidence.shared_words import SharedWords
from core.reports.curve.forecast_words import forecast, plain
from core.reports.curve.state import ThresholdState
from core.reports.formats import (
    EXPORTS,
    FEW_PASSAGES,
    RESULTS,
    Format,
    endings_in_words,
    first_pairs,
    measure,
    measured_for,
    write,
    write_report,
)
from core.reports.from_scan import report_of
from core.reports.html import write_html
from core.reports.list_words import documents_in_words
from core.reports.model import Report
from core.reports.record import write_json
from core.reports.report_choice import MOST_ROWS, ReportChoice, Scope, Texts
from core.reports.tables import COLUMNS, write_csv, write_passages, write_problems
from core.scan.groups import Group, Member
from core.scan.judgements import GivenVerdict, Judgements, Verdict, WrittenNote
from core.settings import ScanSettings
from tests.pairs import pairs_with
from tests.texts import folder_with, rows_of_csv, written_text

NASTY = sorted(
    [
        "-2+3.txt",
        "@SUM(A1).txt",
        "=1+1.txt",
        "+cmd.txt",
        "0 plain.txt",
        "a\\nb.txt",
        'quo"te, comma; semicolon.txt',
        "<script>alert('x')</script>.txt",
        '" onmouseover="alert(1).txt',
        "&lt;b&gt;.txt",
        "\u202egpj.exe.txt",
        "דוח סופי.txt",
        "报告/终稿.txt",
        "😀.txt",
        "'apostrophe.txt",
        "＝wide.txt",
    ]
)
TEXT = "one two three four five <b>six</b> & seven"


def document(name):
    return Document(name, name, 1, 0, "00", "text", "utf-8", len(TEXT))


def make_pairs(index_pairs, **columns):
    count = len(index_pairs)
    values = {
        "resemblance": np.linspace(1, 0.25, count),
        "containment_a": np.full(count, 1 / 3),
        "containment_b": np.full(count, 2 / 3),
        "estimate": np.full(count, 0.3),
        "shared_shingles": np.full(count, 1630),
        "longest_run": np.full(count, 412),
        "exact_duplicate": np.arange(count) == 0,
        "found_by": np.full(count, FoundBy.LSH | FoundBy.PASSAGE),
    }
    return pairs_with(*np.reshape(index_pairs, (-1, 2)).T, **{**values, **columns})


def shared(*passages):
    return SharedText(
        list(passages), ChanceThreshold(41.3, 6, "word"), PairOverlap(0.5, 0.5, 0.5, 9)
    )


def make_report(names=NASTY, **changes):
    """Every document paired with the next."""
    run = Run(0, 13, 4, 13, 3)
    values = {
        "folders": ["essays"],
        "created": datetime(2026, 11, 21, 9, 42, tzinfo=UTC),
        "version": "1.2.3",
        "settings": ScanSettings(),
        "documents": [document(name) for name in names],
        "pairs": make_pairs([(i, i + 1) for i in range(len(names) - 1)]),
        "passages_of": lambda a, b: shared(Passage(0, 23, 4, 42, 3, (run,), moved=True, bits=55.5)),
        "text_of": lambda index: TEXT,
    }
    return Report(**{**values, **changes})


def test_csv_gives_every_name_back(tmp_path):
    write_csv(tmp_path / "pairs.csv", make_report())
    rows = rows_of_csv(tmp_path / "pairs.csv")
    names = {frozenset(os.path.normpath(row[side]) for side in ("doc_a", "doc_b")) for row in rows}
    assert names == {frozenset(pair) for pair in pairwise(NASTY)}
    assert list(rows[0]) == list(COLUMNS)


def parted(path, separator):
    """The cells as a spreadsheet makes them that parts at another sign: quotes count at a start."""
    text = path.read_text(encoding="utf-8-sig")
    return [cell for row in csv.reader(text.splitlines(), delimiter=separator) for cell in row]


@pytest.mark.parametrize("separator", [";", ","])
def test_no_csv_cell_is_a_formula_where_cells_are_parted_at_another_sign(tmp_path, separator):
    names = ["a;=1+1.txt", 'b";"=cmd.txt', "c;＝wide.txt", "d; -e;f.txt", "x.txt"]
    key = PairKey("3", "4")
    note = "see p. 3;=1+1\n=2+2\n- item;\t@SUM(A1)"
    judgements = Judgements(
        verdicts={key: GivenVerdict(Verdict.CONFIRMED, "Ann;=3", "")},
        notes={key: WrittenNote(note, "Ann;=3", "")},
    )
    documents = [document(name)._replace(text_hash=f"{n}") for n, name in enumerate(names)]
    report = make_report(names, documents=documents, judgements=judgements)
    write_csv(tmp_path / "pairs.csv", report)
    cells = parted(tmp_path / "pairs.csv", separator)
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@\t\r\n＝"))]
    rows = rows_of_csv(tmp_path / "pairs.csv")
    assert [row["doc_a"] for row in rows] == [
        "a\\x3b=1+1.txt",
        'b"\\x3b"=cmd.txt',
        "c\\x3b＝wide.txt",
        "d; -e;f.txt",
    ]
    assert rows[-1]["note"] == "see p. 3;'=1+1\n'=2+2\n'- item;'\t'@SUM(A1)"
    assert rows[-1]["who"] == "Ann;'=3"


def test_csv_quotes_what_libreoffice_would_part(tmp_path):
    write_csv(tmp_path / "pairs.csv", make_report(["a;b.txt", "c.txt", "d.txt"]))
    _, parted_row, plain = (tmp_path / "pairs.csv").read_text("utf-8-sig").splitlines()
    assert parted_row.startswith('"a;b.txt","c.txt","1.000000000"')
    assert plain.startswith("c.txt,d.txt,0.2")


def test_csv_keeps_doc_a_first_and_its_numbers_with_it(tmp_path):
    share = {"overlap": np.array([0.4]), "overlap_a": np.array([0.6]), "overlap_b": np.array([0.2])}
    pairs = make_pairs([(0, 1)]).with_columns(**share)
    write_csv(tmp_path / "pairs.csv", make_report(["0.txt", "=.txt"], pairs=pairs))
    (row,) = rows_of_csv(tmp_path / "pairs.csv")
    assert (row["doc_a"], row["doc_b"]) == ("./=.txt", "0.txt")
    assert (row["overlap_a"], row["overlap_b"]) == ("0.200000000", "0.600000000")
    assert float(row["containment_a"]) == pytest.approx(2 / 3)
    assert float(row["containment_b"]) == pytest.approx(1 / 3)


def test_csv_numbers(tmp_path):
    pairs = make_pairs([(0, 1)], resemblance=np.array([1 - 1e-7]))
    write_csv(tmp_path / "pairs.csv", make_report(["a", "b"], pairs=pairs))
    (row,) = rows_of_csv(tmp_path / "pairs.csv")
    expected = {
        "doc_a": "a",
        "doc_b": "b",
        "resemblance": "0.999999900",
        "containment_a": "0.333333333",
        "containment_b": "0.666666667",
        "estimate": "0.300000",
        "shared_shingles": "1630",
        "longest_run": "412",
        "exact_duplicate": "1",
        "found_by": "lsh+passage",
        "verdict": "not reviewed",
        "note": "",
        "who": "",
        "when": "",
        "changed_since": "",
        "overlap": "",
        "overlap_a": "",
        "overlap_b": "",
        "shared_words": "",
        "reworked_bits": "",
        "weak_trace": "0",
    }
    assert [*row][: len(expected)] == [*expected]  # columns that came later are the last
    assert row | expected == row


def test_what_was_not_measured_of_passages_is_no_number(tmp_path):
    pairs = make_pairs([(0, 1), (0, 2)])
    pairs = pairs.with_columns(
        shared_words=np.array([142, -1], dtype=np.int32),
        reworked_bits=np.array([311.25, -1], dtype=np.float32),
        overlap=np.array([0.5, -1]),
    )
    report = make_report(["a", "b", "c"], pairs=pairs)
    write_csv(tmp_path / "pairs.csv", report)
    names = ("shared_words", "reworked_bits", "overlap")
    rows = [tuple(row[name] for name in names) for row in rows_of_csv(tmp_path / "pairs.csv")]
    assert rows == [("142", "311.2", "0.500000000"), ("", "", "")]
    data = json.loads(written_text(write_json, tmp_path / "pairs.json", report))
    assert [row["shared_words"] for row in data["pairs"]] == [142, None]


def test_json_has_the_groups_with_their_copies(tmp_path):
    group = Group(0, (1,), (Member(2, 0.123456789012, (3,)),), is_chosen=True)
    data = json.loads(written_text(write_json, tmp_path / "p.json", make_report(groups=[group])))
    names = [document.name for document in make_report().documents]
    assert data["groups"] == [
        {
            "centre": names[0],
            "copies": [names[1]],
            "chosen": True,
            "members": [{"document": names[2], "overlap": 0.123456789, "copies": [names[3]]}],
        }
    ]


def test_reports_say_in_which_languages_documents_are(tmp_path):
    documents = [
        document(name)._replace(language=language, text_hash=name)
        for name, language in {
            "a": "en",
            "b": "de",
            "c": "en",
            "d": "und",
            "e": "",
            "f": "de",
        }.items()
    ]
    judgements = Judgements(languages={"f": "en", "e": "<b>"})
    report = make_report(pairs=Pairs.empty())
    report = replace(report, documents=documents, judgements=judgements)
    data = json.loads(written_text(write_json, tmp_path / "pairs.json", report))
    languages = {entry["document"]: entry["language"] for entry in data["languages"]}
    assert languages == {"a": "en", "b": "de", "c": "en", "d": "", "e": "<b>", "f": "en"}
    head, _, _ = written_text(write_html, tmp_path / "report.html", report).partition("<h2")
    assert "Languages: 3 English, 1 German, 1 &lt;b&gt;, 1 not known." in head
    # In a report of some documents they are not those of all that were compared.
    of_pair = replace(report, choice=ReportChoice(scope=Scope.PAIR, documents=(0, 1)))
    page = written_text(write_html, tmp_path / "report.html", of_pair)
    head, _, finding = page.partition("<h2")
    assert "Languages" not in head
    assert "Languages: 1 English, 1 German." in finding


def test_a_report_of_unknown_languages_says_nothing_of_them(tmp_path):
    assert "Languages" not in written_text(write_html, tmp_path / "report.html", make_report())


def test_passages_are_offsets_of_the_right_document(tmp_path):
    report = make_report(["a", "b"])
    [passage] = report.passages_of(0, 1).passages
    passage = replace(passage, a_tokens=5, b_tokens=6, exchanged=1)
    report = replace(report, passages_of=lambda _a, _b: shared(passage))
    backwards = replace(report, documents=[document("b"), document("a")])
    for name, made in (("one", report), ("other", backwards)):
        write_passages(tmp_path / name, made)
    first, second = (json.loads((tmp_path / name).read_text()) for name in ("one", "other"))
    sizes = {"tokens": 3, "longest_run": 3, "bits": 55.5, "near": 0, "exchanged": 1, "moved": 0}
    sizes |= {"chance": ""}
    spans = {"a_start": 0, "a_end": 23, "b_start": 4, "b_end": 42} | sizes
    spans |= {"a_tokens": 5, "b_tokens": 6}
    assert first == [{"doc_a": "a", "doc_b": "b", "least_bits": 41.3, "passages": [spans]}]
    spans = {"a_start": 4, "a_end": 42, "b_start": 0, "b_end": 23} | sizes
    spans |= {"a_tokens": 6, "b_tokens": 5}
    assert second == [{"doc_a": "a", "doc_b": "b", "least_bits": 41.3, "passages": [spans]}]


def test_problems(tmp_path):
    problems = [
        Problem("=x.pdf", ProblemCode.FAILED, "The file is damaged."),
        Problem("报告.doc", ProblemCode.EMPTY, "=1+1"),
    ]
    write_problems(tmp_path / "problems.csv", make_report(problems=problems))
    assert [tuple(row.values()) for row in rows_of_csv(tmp_path / "problems.csv")] == [
        ("./=x.pdf", "failed", "The file is damaged."),
        ("报告.doc", "empty", "'=1+1"),
    ]


def test_a_report_needs_a_time_zone():
    with pytest.raises(ValueError, match="time zone"):
        make_report(created=datetime(2026, 11, 21))  # noqa: DTZ001


def fail_with(number):
    return make_report(passages_of=Mock(side_effect=OSError(number, os.strerror(number))))


@pytest.mark.parametrize("write", [write_html, write_passages])
def test_a_failing_write_keeps_the_old_file(tmp_path, write):
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(ExportError, match="the disk is full"):
        write(path, fail_with(errno.ENOSPC))
    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: True)(write)(path, make_report())
    with pytest.raises(ZeroDivisionError):
        write(path, make_report(passages_of=lambda a, b: 1 / 0))
    assert path.read_text() == "old"
    assert [left.name for left in tmp_path.iterdir()] == ["report.html"]


def test_a_written_file_keeps_the_mode_and_the_link_of_the_old_one(tmp_path):
    path, link = tmp_path / "pairs.csv", tmp_path / "link.csv"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_csv(link, make_report())
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert len(rows_of_csv(path)) == len(NASTY) - 1


def test_what_cannot_be_written_is_a_sentence(tmp_path, monkeypatch):
    report = make_report()
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="is a folder"):
        write_csv(tmp_path / "folder.csv", report)
    with pytest.raises(ExportError, match=r"the folder “.*gone” does not exist\."):
        write_csv(tmp_path / "gone" / "x.csv", report)
    with pytest.raises(ExportError, match="is not a folder"):
        write_csv(tmp_path / "file" / "x.csv", report)
    with pytest.raises(ExportError, match="could not be written: Input/output error"):
        write_passages(tmp_path / "x.json", fail_with(errno.EIO))

    monkeypatch.setattr(Path, "replace", Mock(side_effect=PermissionError(errno.EACCES, "refused")))
    with pytest.raises(ExportError, match="no permission to write"):
        write_csv(tmp_path / "x.csv", report)
    assert sorted(left.name for left in tmp_path.iterdir()) == ["file", "folder.csv"]


def test_the_ending_decides(tmp_path):
    for name in ("r.HTML", "r.csv", "r.json"):
        write_report(tmp_path / name, make_report())
    assert (tmp_path / "r.HTML").read_text().startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "r.json").read_text())["pairs"]
    with pytest.raises(ExportError, match=r"“r\.html” .* must be \.xlsx, \.csv, \.json(,| or) "):
        write("pairs", tmp_path / "r.html", make_report())
    with pytest.raises(ExportError, match=r"\.html, \.htm, .*\.xlsx, \.csv, \.json(,| or) "):
        write_report(tmp_path / "report", make_report())


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_written_in_every_format(tmp_path, name):
    """What overlaps is measured for those that tell it, once for several, where it is shown."""
    measured = []

    def find_overlaps(pairs, _progress):
        measured.append(len(pairs))
        return SharedWords.none(len(pairs))

    report = make_report(find_overlaps=find_overlaps)
    files = []
    for file_format in RESULTS[name].formats:
        for ending in file_format.endings:
            path = tmp_path / f"{name}{ending.upper()}"
            write(name, path, report)
            assert path.stat().st_size
            tells_overlap = name in ("pairs", "report") and ending != ".zip"
            assert [len(report.pairs)] * tells_overlap == measured
            measured.clear()
            files.append((name, path))
    report = measured_for(files, report)
    for _, path in files:
        write(name, path, report)
    assert len(measured) == (name in ("pairs", "report"))
    measured.clear()
    pairs = report.pairs.take(np.zeros(MOST_ROWS + 1, dtype=np.int64))
    measured_for(files, replace(report, pairs=pairs, find_overlaps=find_overlaps))
    assert measured == {"pairs": [MOST_ROWS + 1], "report": [MOST_ROWS]}.get(name, [])


def test_endings_and_words_of_formats_are_told_apart():
    for formats in (EXPORTS, *(result.formats for result in RESULTS.values())):
        endings = [ending for file_format in formats for ending in file_format.endings]
        assert len(set(endings)) == len(endings)
        assert len({file_format.words for file_format in formats}) == len(formats)
        assert all(ending == ending.lower() and ending[0] == "." for ending in endings)
        assert endings_in_words(formats).endswith(formats[-1].endings[0])
    assert endings_in_words([Format("", (".a", ".b"), ""), Format("", (".c",), "")]) == ".a or .c"


def test_reports_say_what_documents_are_for(tmp_path, open_scan):
    words = " ".join(f"w{number}" for number in range(60))
    names = ("essays/a.txt", "essays/b.txt", "old <b>/c.txt")
    sheet = {"sheet.txt": "What the essay is to be about"}
    folder_with(tmp_path, {name: f"{words} {name}" for name in names} | sheet)
    given = [tmp_path / "essays", tmp_path / "old <b>", tmp_path / "sheet.txt"]
    done = open_scan(given, ScanSettings(), roles=list(Role))
    report = report_of(done, done.list_pairs())
    record = json.loads(written_text(write_json, tmp_path / "pairs.json", report))
    assert record["roles"] == ["to review", "reference", "template"]
    assert (record["references"], record["templates"]) == (["old <b>/c.txt"], ["sheet.txt"])
    assert len(record["pairs"]) == 3
    page = written_text(write_html, tmp_path / "report.html", report)
    assert 'old &lt;b&gt;/<wbr>c.txt</bdi> <span class="tag">reference</span>' in page
    assert "old &lt;b&gt; (reference)" in page
    assert "<dt>To review</dt><dd>2</dd>" in page
    assert "each with every other" not in page  # a template is compared with nothing
    assert "All 3 pairs of different documents were compared: for resemblance this is" in page
    words = documents_in_words(report.document_counts)
    assert words == "2 documents to review, 1 reference, 1 template"
    assert report.compared == report.document_counts.pairs == 3
    assert report.folder
    missed, _, listed = forecast(ThresholdState.of(report.settings), report.folder)
    assert plain((missed, (), ())).startswith("Complete from 0.10 on: all 3 pairs were compared.")
    assert plain((listed, (), ())) == "Lists 3 pairs of 3 documents."


ENDINGS = [export.endings[0] for export in EXPORTS if export.endings[0] != ".pdf"]
NAMES = [f"essay {number:03}.txt" for number in range(61)]


def size_of(report, path):
    write_report(path, report)
    return path.stat().st_size


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("texts", [Texts.PASSAGES, Texts.NONE])
def test_the_size_of_many_pairs_is_estimated_within_a_tenth(tmp_path, ending, texts):
    report = make_report(NAMES, choice=ReportChoice(texts=texts, most_passages=40))

    size = measure(report, ending, tmp_path)

    assert list(tmp_path.iterdir()) == []
    assert size.size == pytest.approx(size_of(report, tmp_path / f"all{ending}"), rel=0.1)
    assert size.seconds > 0


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("pairs", [0, 1, FEW_PASSAGES])
def test_the_size_of_few_pairs_is_exact(tmp_path, ending, pairs):
    report = make_report(NAMES[: pairs + 1])

    size = measure(report, ending, tmp_path)

    assert size.is_exact
    assert size.size == size_of(report, tmp_path / f"all{ending}")


def test_the_first_pairs_keep_their_numbers():
    report = replace(make_report(NAMES), ranks=range(100, 160))

    first = first_pairs(report, 3, 1)

    assert len(first.pairs) == 3
    assert [first.rank_of(row) for row in range(3)] == [100, 101, 102]
    assert first.choice.most_passages == 1
