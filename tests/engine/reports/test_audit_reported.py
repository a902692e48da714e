"""The last audit of a list in every report: its words, its tables, whether it still holds."""

import json
from html.parser import HTMLParser

import pytest

from core.audit.auditing import audit
from core.commands.main import main
from core.reports.audit_words import audit_heading, audit_summary, remedies_in_words
from core.review import save_review
from core.review.audits import keep_audit
from core.review.decisions import decide
from core.scan.audit_results import Method
from core.scan.flow import scan
from core.scan.scan import audited_texts
from core.settings import ScanSettings

FEW = ScanSettings(k=3, bands=1, rows=8, min_passage=10_000, compare="bands", reworked="off")
NAME = "<b>&notes.txt"


def words(start, count=80):
    return [f"w{start + place}" for place in range(count)]


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "folder"
    place.mkdir()
    for number in range(6):
        own = words(100 * number)
        (place / f"{number}.txt").write_text(" ".join(own), "utf-8")
        own[10 * number + 5 :: 9] = ["changed"] * len(own[10 * number + 5 :: 9])
        (place / f"{number}{NAME}").write_text(" ".join(own), "utf-8")
    return place


def saved(folder, path, method):
    """A review of a folder with an audit in it."""
    read = scan([folder], FEW)
    texts = audited_texts(read)
    result = audit(texts.texts, FEW, method=method, count=5)
    command = keep_audit(result, FEW, read.documents, texts.fingerprint)
    save_review(path, decide(read.state, command, None, who="Ann <i>"))
    read.close()
    return result


class Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags = set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)


@pytest.mark.parametrize("method", Method)
def test_a_report_tells_what_the_test_found_out(folder, tmp_path, capsys, method):
    review, page, table = tmp_path / "one.neardup", tmp_path / "one.html", tmp_path / "one.json"
    result = saved(folder, review, method)
    assert result.remedies

    assert main(["report", str(review), str(page)]) == 0
    assert main(["report", str(review), str(table)]) == 0

    said = capsys.readouterr().out
    assert audit_heading(result) in said
    assert "earlier list" not in said
    text = page.read_text("utf-8")
    for sentence in (*audit_summary(result, FEW), *remedies_in_words(result, FEW)):
        assert sentence in text
    assert "&lt;b&gt;&amp;notes.txt" in text
    assert "Ann &lt;i&gt;" in text
    assert not {"b", "i"} & Tags(text).tags
    told = json.loads(table.read_text("utf-8"))["audit"]
    assert told["of_this_list"]
    assert told["who"] == "Ann <i>"
    assert told["documents"] == 12
    assert [row["met"] for row in told["ranges"]] == [row.met for row in result.ranges]
    missed = (told["all_pairs"] or told["edited_copies"])["missed"]
    assert len(missed) == (result.proof or result.planting).missing > 0


def test_a_report_says_that_a_test_was_of_another_list(folder, tmp_path, capsys):
    review, page = tmp_path / "one.neardup", tmp_path / "one.html"
    read = scan([folder], FEW)
    other = FEW.with_changes(bands=2)
    texts = audited_texts(read)
    command = keep_audit(audit(texts.texts, other), other, read.documents, texts.fingerprint)
    save_review(review, decide(read.state, command, None))
    read.close()

    assert main(["report", str(review), str(page)]) == 0

    assert "It tells of an earlier list" in capsys.readouterr().out
    assert "It tells of an earlier list" in page.read_text("utf-8")


def test_without_a_test_nothing_is_said_of_one(folder, tmp_path):
    review, page, table = tmp_path / "one.neardup", tmp_path / "one.html", tmp_path / "one.json"
    read = scan([folder], FEW)
    save_review(review, read.state)
    read.close()

    assert main(["report", str(review), str(page), "--quiet"]) == 0
    assert main(["report", str(review), str(table), "--quiet"]) == 0

    assert 'id="audit"' not in page.read_text("utf-8")
    assert json.loads(table.read_text("utf-8"))["audit"] is None
