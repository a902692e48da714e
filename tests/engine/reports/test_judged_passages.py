"""Judged passages in what leaves the application, with their documents."""

import html
import json
import re

import pytest

from core.commands.main import main
from core.reports.html import write_html
from core.reports.record.writing import write_json
from core.reports.sections.pairs import LONGEST
from core.review import ReviewLog, open_review, save_review
from core.review.passages import judge_passage
from core.scan.flow import scan
from core.scan.judgements import PassageJudgement, PassageMeaning
from core.scan.passage_list import JudgedPassage
from core.settings import ScanSettings
from tests.engine.reports.test_reports import make_report

NASTY = "<script>alert(1)</script> & \u202eדוח "
TIME = "2026-11-22T12:18:31.123+00:00"


@pytest.fixture
def report():
    names = [f"{number}.txt" for number in range(300)]
    long = JudgedPassage(
        "1",
        PassageJudgement(PassageMeaning.ASSIGNMENT, NASTY + "w " * LONGEST, "@Ann <b>", TIME),
        2000,
        2000,
        {number: [(0, 9)] for number in range(300)},
    )
    gone = JudgedPassage("2", PassageJudgement(PassageMeaning.COPIED, "图书馆", "", ""), 1, 3, {})
    return make_report(names, find_judged=lambda: [long, gone])


def test_the_page_has_the_passages_with_their_documents(tmp_path, report):
    write_html(tmp_path / "report.html", report)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
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


def test_without_any_there_is_nothing_of_them(tmp_path):
    write_html(tmp_path / "report.html", make_report())

    assert "udged passages" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_json_has_them_whole(tmp_path, report):
    write_json(tmp_path / "pairs.json", report)

    long, gone = json.loads((tmp_path / "pairs.json").read_text())["judged_passages"]
    assert long["text"] == NASTY + "w " * LONGEST
    assert long["documents"] == [f"{number}.txt" for number in range(300)]
    assert (long["meaning"], long["words"], long["who"], long["time"]) == (
        "assignment text", 2000, "@Ann <b>", TIME
    )  # fmt: skip
    assert (gone["meaning"], gone["documents"], gone["text"]) == ("copied", [], "图书馆")


def test_the_report_of_a_review_has_them(tmp_path):
    form = " ".join(f"form{number}" for number in range(40))
    folder, path = tmp_path / "essays", tmp_path / "essays.neardup"
    folder.mkdir()
    for number in range(3):
        text = f"{form if number else ''} {' '.join(f'w{number}{w}' for w in range(90))}"
        (folder / f"{number}.txt").write_text(text)
    done = scan([folder], ScanSettings())
    done.close()
    save_review(path, done.state)
    judged = judge_passage(done.state.judgements, done.state.rules, form, PassageMeaning.STANDARD)
    ReviewLog(path).append(*judged, who="Ann")
    with open_review(path):
        pass

    assert main(["report", str(path), str(tmp_path / "pairs.json")]) == 0

    (one,) = json.loads((tmp_path / "pairs.json").read_text())["judged_passages"]
    assert (one["meaning"], one["documents"]) == ("standard clause", ["1.txt", "2.txt"])
    assert (one["text"], one["who"]) == (form, "Ann")
