"""That nothing was found is a result, and every report says what it rests on."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from core.reports.choice import ReportChoice, Scope
from core.reports.formats import EXPORTS, write_report
from core.reports.from_scan import report_of
from core.reports.settings_words import nothing_found, result_in_words
from core.scan.flow import scan
from core.settings import ScanSettings


def _words(stem):
    return " ".join(f"{stem}{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(90))


@pytest.fixture
def report(tmp_path):
    opened = []

    def make(files, settings=None, **options):
        folder = tmp_path / f"folder{len(opened)}"
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
        opened.append(scan([folder], settings or ScanSettings()))
        return report_of(opened[-1], opened[-1].list_pairs(), **options)

    yield make
    for one in opened:
        one.close()


ALONE = {"a.txt": _words("one"), "b.txt": _words("two"), "c.txt": _words("three")}
ALIKE = {"a.txt": _words("one"), "b.txt": f"{_words('one')} more", "c.txt": _words("three")}


def test_a_folder_without_pairs_says_how_sure_that_is(report):
    told = " ".join(nothing_found(report(ALONE)))
    assert "No near-duplicate was found among 3 documents" in told
    assert "or share 30 words in a row" in told
    assert "All 3 pairs of different documents were compared" in told
    bands = ScanSettings().with_changes(compare="bands")
    told = " ".join(nothing_found(report(ALONE, bands)))
    assert "By its curve the search finds on average" in told
    assert "% of the pairs with a resemblance of" in told


def test_one_document_or_none_is_said(report):
    assert "nothing to compare it with" in " ".join(nothing_found(report({"a.txt": "A few words"})))
    empty = report({"a.txt": ""})
    nothing = " ".join(nothing_found(empty))
    assert "Nothing was compared" in nothing
    assert "Nothing is said of 1 file that gave no text." in nothing
    of_run = " ".join(nothing_found(replace(empty, is_part_of_run=True)))
    assert "Nothing is said of 1 document that gave no text." in of_run


def test_pairs_that_are_not_asked_for_are_there_all_the_same(report):
    def told(**choice):
        return " ".join(nothing_found(report(ALIKE, choice=ReportChoice(**choice))))

    assert "No pair is confirmed; 1 pair is listed." in told(scope=Scope.CONFIRMED)
    pair = told(scope=Scope.PAIR, documents=(0, 2))
    assert "These two documents are no pair of the list" in pair
    assert "were compared" in pair
    assert "No pair of this document is listed; 1 pair of others is." in told(
        scope=Scope.DOCUMENT, documents=(2,)
    )
    none = report(ALIKE, rows=np.zeros(0, dtype=np.int64), shown="Filter: x.")
    assert list(nothing_found(none)) == ["1 pair was found; none is shown."]
    assert not list(nothing_found(report(ALIKE)))


@pytest.mark.parametrize("ending", [one.endings[0] for one in EXPORTS])
@pytest.mark.parametrize("files", [ALONE, {"a.txt": "A few words"}, {"a.txt": ""}])
def test_every_format_is_written_without_pairs(report, tmp_path, ending, files):
    path = tmp_path / f"report{ending}"
    made = report(files)
    write_report(path, made)
    assert path.stat().st_size
    if ending in (".html", ".graphml"):
        assert result_in_words(made)[1] in path.read_text(encoding="utf-8")
    if ending == ".json":
        assert json.loads(path.read_text(encoding="utf-8"))["result"] == result_in_words(made)
