"""Verdicts, judged passages and audits in reports."""

import html
import json
import re
from dataclasses import replace

import pytest
from markupsafe import escape

from core.audit.auditing import audit
from core.commands.main import main
from core.documents.model import PairKey
from core.reports.audit_words import audit_heading, audit_summary, remedies_in_words
from core.reports.html import write_html
from core.reports.list_words import by_in_words, earlier_in_words, judged_in_words, moment_in_words
from core.reports.record import write_json
from core.reports.sections.pairs import LONGEST
from core.reports.tables import write_csv
from core.review import save_review
from core.review.decisions import decide
from core.review.kept_audits import keep_audit
from core.review.verdicts import judge_passage
from core.scan.audit_results import Method
from core.scan.judgements import (
    EarlierText,
    GivenVerdict,
    Judgement,
    Judgements,
    PairJudgement,
    PassageJudgement,
    PassageMeaning,
    Verdict,
    WrittenNote,
)
from core.scan.passage_list import JudgedPassage
from core.scan.scan import audited_texts
from core.settings import ScanSettings
from tests.engine.reports.test_html import Page
from tests.engine.reports.test_reports import document, make_pairs, make_report
from tests.texts import folder_with, rows_of_csv, written_text

RECORD = '<script type="application/json"'
TIME = "2026-11-22T12:18:31.123+00:00"
NASTY_NOTE = (
    "=cmd|' /C calc'!A0 <script>alert(1)</script> & \u202eדוח\n\nsecond\x07 😀 " + "n" * 4000
)

NASTY_WHO = "@Ann <b>"


@pytest.fixture
def report():
    documents = [document(f"{number}.txt")._replace(text_hash=f"{number}") for number in range(4)]
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
    data = json.loads(written_text(write_json, tmp_path / "pairs.json", report))
    verdicts = [[row[name] for name in ("verdict", "who", "when", "changed_since")]
            for row in data["pairs"]]  # fmt: skip
    assert verdicts == [
        ["confirmed", NASTY_WHO, TIME, None],
        ["not a match", "Bob", "yesterday", 0.037],
        ["not reviewed", "", "", None],
    ]
    assert [row["note"] for row in data["pairs"]] == [NASTY_NOTE, "", ""]
    assert data["verdicts"] == {
        "not reviewed": 2, "confirmed": 1, "suspicious": 0, "not a match": 0,
    }  # fmt: skip
    write_csv(tmp_path / "pairs.csv", report)
    rows = rows_of_csv(tmp_path / "pairs.csv")
    assert [row["verdict"] for row in rows] == ["confirmed", "not a match", "not reviewed"]
    assert rows[0]["note"] == "'" + NASTY_NOTE
    assert rows[0]["who"] == "'" + NASTY_WHO
    assert [row["changed_since"] for row in rows] == ["", "0.037000", ""]


def test_the_report_has_them(report, tmp_path):
    page = written_text(write_html, tmp_path / "report.html", report)
    assert page.count("<script>") == 1  # our own
    assert "<b>" not in page
    shown = escape(NASTY_NOTE.replace("\x07", "\u2407"))
    assert page.count(shown) == 2  # in the table and at the passages
    assert (
        "1 of 3 pairs judged: 1 confirmed; 1 verdict on earlier texts waits to be confirmed"
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


def test_who_wrote_a_note_alone_has_judged_nothing(report, tmp_path):
    noted = Judgements(notes={PairKey("0", "1"): WrittenNote("see page 3", "Cleo", TIME)})
    page = written_text(write_html, tmp_path / "a.html", replace(report, judgements=noted))
    assert "0 of 3 pairs judged" in page
    assert "Those in this report were judged by" not in page
    assert "Not reviewed</strong>; Cleo" in page


def test_in_words():
    assert judged_in_words([61, 0, 0, 0]) == "0 of 61 pairs judged"
    assert judged_in_words([0, 1, 0, 0]) == "1 of 1 pair judged: 1 confirmed"
    assert judged_in_words([1000, 200, 0, 40]) == (
        "240 of 1,240 pairs judged: 200 confirmed and 40 not a match"
    )
    assert moment_in_words("2026-11-22T23:18:31+02:00") == "2026-11-22 21:18 UTC"
    assert moment_in_words("2026-11-22T23:18:31") == "2026-11-22T23:18:31"
    assert moment_in_words("0001-01-01T00:00:00+12:00") == "0001-01-01T00:00:00+12:00"
    noted = PairJudgement(Judgement(Verdict.NOT_REVIEWED, "note", "Ann", ""))
    assert by_in_words(noted) == "Ann"
    assert by_in_words(PairJudgement(Judgement(Verdict.NOT_REVIEWED, "", "Ann", TIME))) == ""
    assert earlier_in_words(noted) == ""
    assert earlier_in_words(noted._replace(earlier=0.001)) == "made on an earlier text, <1% changed"


NASTY = "<script>alert(1)</script> & \u202eדוח "


@pytest.fixture
def report_of_passages():
    names = [f"{number}.txt" for number in range(300)]
    long = JudgedPassage(
        "1",
        PassageJudgement(PassageMeaning.ASSIGNMENT, NASTY + "w " * LONGEST, "@Ann <b>", TIME),
        2000,
        2000,
        {number: [(0, 9)] for number in range(300)},
    )
    unheld = JudgedPassage("2", PassageJudgement(PassageMeaning.COPIED, "图书馆", "", ""), 1, 3, {})
    return make_report(names, find_judged=lambda: [long, unheld])


def test_the_page_has_the_passages_with_their_documents(tmp_path, report_of_passages):
    page = written_text(write_html, tmp_path / "report.html", report_of_passages)
    section = page[page.index('<section id="judged-passages"') :]
    section = section[: section.index("</section>")]
    words = " ".join(html.unescape(re.sub("<[^>]+>", " ", section)).split())

    assert '<a href="#judged-passages">Judged passages</a>' in page
    assert "<script>" not in section
    assert "assignment text @Ann <b> , 2026-11-22" in words
    assert "2,000 words" in words
    assert "300 documents" in words
    assert "199.txt , and 100 others" in words
    assert "200.txt" not in words
    assert "characters …]" in words
    assert "3 characters, about 1 word" in words
    assert "0 documents" in words


def test_json_has_them_whole(tmp_path, report_of_passages):
    record = json.loads(written_text(write_json, tmp_path / "p.json", report_of_passages))
    long, unheld = record["judged_passages"]
    assert long["text"] == NASTY + "w " * LONGEST
    assert long["documents"] == [f"{number}.txt" for number in range(300)]
    assert (long["meaning"], long["words"], long["who"], long["time"]) == (
        "assignment text", 2000, "@Ann <b>", TIME
    )  # fmt: skip
    assert (unheld["meaning"], unheld["documents"], unheld["text"]) == ("copied", [], "图书馆")


def test_the_report_of_a_review_has_them(tmp_path, open_scan):
    form = " ".join(f"form{number}" for number in range(40))
    folder, path = tmp_path / "essays", tmp_path / "essays.neardup"
    for number in range(3):
        text = f"{form if number else ''} {' '.join(f'w{number}{w}' for w in range(90))}"
        folder_with(folder, {f"{number}.txt": text})
    state = open_scan([folder], ScanSettings()).state
    judged = judge_passage(state.judgements, state.rules, form, PassageMeaning.STANDARD)
    save_review(path, decide(state, *judged, who="Ann"))

    assert main(["report", str(path), str(tmp_path / "pairs.json")]) == 0

    (passage,) = json.loads((tmp_path / "pairs.json").read_text())["judged_passages"]
    assert (passage["meaning"], passage["documents"]) == ("standard clause", ["1.txt", "2.txt"])
    assert (passage["text"], passage["who"]) == (form, "Ann")


FEW = ScanSettings(k=3, bands=1, rows=8, min_passage=10_000, compare="bands", reworked="off")
NAME = "<b>&notes.txt"


def words(start, count=80):
    return [f"w{start + index}" for index in range(count)]


@pytest.fixture
def audited_folder(tmp_path):
    folder = folder_with(tmp_path / "folder")
    for number in range(6):
        text_words = words(100 * number)
        (folder / f"{number}.txt").write_text(" ".join(text_words), "utf-8")
        text_words[10 * number + 5 :: 9] = ["changed"] * len(text_words[10 * number + 5 :: 9])
        (folder / f"{number}{NAME}").write_text(" ".join(text_words), "utf-8")
    return folder


def saved(read, path, method):
    """A review of a scan with an audit in it."""
    texts = audited_texts(read)
    result = audit(texts.texts, FEW, method=method, count=5)
    command = keep_audit(result, FEW, read.documents, texts.fingerprint)
    save_review(path, decide(read.state, command, None, who="Ann <i>"))
    return result


@pytest.mark.parametrize("method", Method)
def test_a_report_gives_the_result_of_the_audit(
    audited_folder, tmp_path, neardup, open_scan, method
):
    review, page, table = tmp_path / "one.neardup", tmp_path / "one.html", tmp_path / "one.json"
    result = saved(open_scan([audited_folder], FEW), review, method)
    assert result.remedies

    assert main(["report", str(review), str(page)]) == 0
    output = neardup("report", review, table).out
    assert audit_heading(result) in output
    assert "earlier list" not in output
    text = page.read_text("utf-8")
    for sentence in (*audit_summary(result, FEW), *remedies_in_words(result, FEW)):
        assert sentence in text
    assert "&lt;b&gt;&amp;notes.txt" in text
    assert "Ann &lt;i&gt;" in text
    assert not {"b", "i"} & {tag for tag, _ in Page(page).elements}
    record = json.loads(table.read_text("utf-8"))["audit"]
    assert record["of_this_list"]
    assert record["who"] == "Ann <i>"
    assert record["documents"] == 12
    assert [row["met"] for row in record["ranges"]] == [row.met for row in result.ranges]
    missed = (record["all_pairs"] or record["edited_copies"])["missed"]
    assert len(missed) == (result.proof or result.planting).missing > 0


def test_a_report_says_that_a_test_was_of_another_list(
    audited_folder, tmp_path, neardup, open_scan
):
    review, page = tmp_path / "one.neardup", tmp_path / "one.html"
    read = open_scan([audited_folder], FEW)
    other_settings = FEW.with_changes(bands=2)
    texts = audited_texts(read)
    command = keep_audit(
        audit(texts.texts, other_settings), other_settings, read.documents, texts.fingerprint
    )
    save_review(review, decide(read.state, command, None))

    assert "It tells of an earlier list" in neardup("report", review, page).out
    assert "It tells of an earlier list" in page.read_text("utf-8")
