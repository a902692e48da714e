"""Verdicts and notes in all that leaves the application: who, when, and on which text."""

import csv
import json
from contextlib import closing
from dataclasses import replace

import pytest
from markupsafe import escape

from core.commands.main import main
from core.documents.model import PairKey
from core.reports.html import write_html
from core.reports.list_words import (
    by_in_words,
    earlier_in_words,
    judged_in_words,
    moment_in_words,
)
from core.reports.record.writing import write_json
from core.reports.tables import write_csv
from core.review import ReviewLog, open_review, save_review
from core.review.verdicts import judge, write_note
from core.scan.flow import scan
from core.scan.judgements import (
    EarlierText,
    Found,
    GivenVerdict,
    Judgement,
    Judgements,
    Verdict,
    WrittenNote,
)
from core.settings import ScanSettings
from tests.engine.reports.test_reports import document, make_pairs, make_report, read_rows

RECORD = '<script type="application/json"'
TIME = "2026-11-22T12:18:31.123+00:00"
NASTY_NOTE = (
    "=cmd|' /C calc'!A0 <script>alert(1)</script> & \u202eדוח\n\nsecond\x07 😀 " + "n" * 4000
)
NASTY_WHO = "@Ann <b>"


@pytest.fixture
def report():
    documents = [replace(document(f"{number}.txt"), text_hash=f"{number}") for number in range(4)]
    judgements = Judgements(
        verdicts={
            PairKey("0", "1"): GivenVerdict(Verdict.CONFIRMED, NASTY_WHO, TIME),
            PairKey("1", "9"): GivenVerdict(Verdict.NOT_A_MATCH, "Bob", "yesterday"),
        },
        notes={PairKey("0", "1"): WrittenNote(NASTY_NOTE, NASTY_WHO, TIME)},
        earlier={"2": EarlierText("9", 0.037)},
    )
    pairs = make_pairs([(0, 1), (1, 2), (2, 3)])
    return make_report(documents=documents, pairs=pairs, judgements=judgements)


def test_the_tables_have_them(report, tmp_path):
    write_json(tmp_path / "pairs.json", report)
    data = json.loads((tmp_path / "pairs.json").read_text(encoding="utf-8"))
    said = [[row[name] for name in ("verdict", "who", "when", "changed_since")]
            for row in data["pairs"]]  # fmt: skip
    assert said == [
        ["confirmed", NASTY_WHO, TIME, None],
        ["not a match", "Bob", "yesterday", 0.037],
        ["not reviewed", "", "", None],
    ]
    assert [row["note"] for row in data["pairs"]] == [NASTY_NOTE, "", ""]
    assert data["verdicts"] == {
        "not reviewed": 2, "confirmed": 1, "suspicious": 0, "not a match": 0,
    }  # fmt: skip
    write_csv(tmp_path / "pairs.csv", report)
    rows = read_rows(tmp_path / "pairs.csv")
    assert [row["verdict"] for row in rows] == ["confirmed", "not a match", "not reviewed"]
    assert rows[0]["note"] == "'" + NASTY_NOTE
    assert rows[0]["who"] == "'" + NASTY_WHO
    assert [row["changed_since"] for row in rows] == ["", "0.037000", ""]


def test_the_report_has_them(report, tmp_path):
    write_html(tmp_path / "report.html", report)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("<script>") == 1  # our own
    assert "<b>" not in page
    shown = escape(NASTY_NOTE.replace("\x07", "\u2407"))
    assert page.count(shown) == 2  # in the table and at the passages
    assert (
        "1 of 3 pairs judged: 1 confirmed; 1 verdict on earlier texts waits to be confirmed."
    ) in page
    assert f"{escape(NASTY_WHO)}, 2026-11-22 12:18 UTC" in page
    assert (
        "<strong>Not a match</strong>; Bob, yesterday; made on an earlier text, 4% changed" in page
    )
    # In the table of pairs, and in that of the verdicts in the order of time.
    assert page.count('<th scope="col">Verdict</th>') == 2


def test_a_report_without_verdicts_has_no_column_for_them(report, tmp_path):
    for judgements in (
        Judgements(),
        Judgements(verdicts={PairKey("7", "8"): GivenVerdict(Verdict.CONFIRMED, "Ann", TIME)}),
    ):
        write_html(tmp_path / "report.html", replace(report, judgements=judgements))
        page = (tmp_path / "report.html").read_text(encoding="utf-8").split(RECORD)[0]
        assert "Verdict" not in page
        assert page.count("judged") == 1
        assert "Nothing was judged of the pairs in this report." in page


def test_in_words():
    assert judged_in_words([61, 0, 0, 0]) == "0 of 61 pairs judged"
    assert judged_in_words([0, 1, 0, 0]) == "1 of 1 pair judged: 1 confirmed"
    assert judged_in_words([1000, 200, 0, 40]) == (
        "240 of 1,240 pairs judged: 200 confirmed and 40 not a match"
    )
    assert moment_in_words("2026-11-22T23:18:31+02:00") == "2026-11-22 21:18 UTC"
    assert moment_in_words("2026-11-22T23:18:31") == "2026-11-22T23:18:31"
    assert moment_in_words("0001-01-01T00:00:00+12:00") == "0001-01-01T00:00:00+12:00"
    noted = Found(Judgement(Verdict.NOT_REVIEWED, "note", "Ann", ""))
    assert by_in_words(noted) == "Ann"
    assert by_in_words(Found(Judgement(Verdict.NOT_REVIEWED, "", "Ann", TIME))) == ""
    assert earlier_in_words(noted) == ""
    assert earlier_in_words(noted._replace(earlier=0.001)) == (
        "made on an earlier text, <1% changed"
    )


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    common = " ".join(f"common{number}" for number in range(40))
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"{common} {number} {'other ' * number}")
    return folder


def test_the_command_line_keeps_them_over_a_rescan(folder, tmp_path, capsys):
    review = tmp_path / "a.neardup"
    with closing(scan([folder], ScanSettings())) as found:
        save_review(review, found.state)
        a, b, c = found.state.documents
    log = ReviewLog(review)
    log.append(*judge(Judgements(), [PairKey.of(a, b)], Verdict.SUSPICIOUS), who="Ann")
    log.append(*write_note(Judgements(), [PairKey.of(a, c)], "later"), who="Bob")

    assert main(["report", str(review), str(tmp_path / "one.csv")]) == 0
    assert "1 of 3 pairs judged: 1 suspicious" in capsys.readouterr().out
    (folder / "1.txt").write_text((folder / "1.txt").read_text().replace("common7 ", ""))
    pairs = tmp_path / "two.csv"
    command = ["scan", str(folder), "--review", str(review), "--pairs", str(pairs)]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "0 of 3 pairs judged; 1 verdict on earlier texts waits to be confirmed" in said
    for path, changed in ((tmp_path / "one.csv", ""), (pairs, "0.0")):
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = {(row["doc_a"], row["doc_b"]): row for row in csv.DictReader(file)}
        assert rows["0.txt", "1.txt"]["verdict"] == "suspicious"
        assert rows["0.txt", "1.txt"]["who"] == "Ann"
        assert rows["0.txt", "1.txt"]["changed_since"][:3] == changed
        assert rows["0.txt", "2.txt"]["note"] == "later"
        assert rows["0.txt", "2.txt"]["verdict"] == "not reviewed"
        assert rows["1.txt", "2.txt"]["who"] == ""
    with open_review(review) as opened:
        assert [entry.command.kind for entry in opened.state.log] == ["judge", "note", "rescan"]
