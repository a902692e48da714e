"""The curve in a report: the pairs of the folder as a picture, the forecast in words."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from core.reports.curve.forecast_words import forecast, plain
from core.reports.curve.state import ThresholdState
from core.reports.from_scan import report_of
from core.reports.html import write_html
from core.reports.limits import ReportLimits
from core.reports.sections.audit import curve
from core.scan.flow import scan
from core.settings import ScanSettings

SETTINGS = ScanSettings(k=2, signature_size=64, bands=16, rows=4, min_resemblance=0.3, seed=5)
BANDS = {"compare": "bands"}
BITS = {"signature": "simhash", "max_distance": 6, "compare": "bands"}
TAGS = {"svg", "path", "text"}
ATTRIBUTES = {
    "d", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "x", "y", "text-anchor", "viewBox", "width", "height", "font-size",
}  # fmt: skip


def words_of(count, start=0):
    return " ".join(f"word{number}" for number in range(start, start + count))


@pytest.fixture
def folder(tmp_path):
    for number in range(12):
        text = f"{words_of(60, 1000 * number)} {words_of(40 + 3 * number)}"
        (tmp_path / f"{number:02}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "相似.txt").write_text(words_of(60, 1000), encoding="utf-8")
    return tmp_path


@pytest.fixture
def report(folder):
    made = []

    def make(where=folder, *, finished=True, **changes):
        settings = SETTINGS.with_changes(**changes)
        read = scan([where], settings)
        made.append(read)
        return report_of(read, read.list_pairs(settings), finished=finished)

    yield make
    for read in made:
        read.close()


def blocks_of(report):
    (section,) = curve(report, ReportLimits())
    return list(section.blocks)


def words(block):
    return " ".join("".join(span.text for span in one) for one in block.lines)


def drawn(picture):
    root = ET.fromstring(picture.svg)
    names = [one.tag.removeprefix("{http://www.w3.org/2000/svg}") for one in root.iter()]
    return root, names, [one.text for one in root.iter() if one.text]


@pytest.mark.parametrize("changes", [{}, BANDS, BITS, {"min_resemblance": 0.0}])
def test_words_are_those_of_the_panel(report, changes):
    told = report(**changes)
    missed, extra, listed = forecast(ThresholdState.of(told.settings), told.folder)
    shown = (missed, () if told.compared is not None else extra, listed)
    assert words(blocks_of(told)[0]) == plain(shown)


@pytest.mark.parametrize("changes", [{}, BANDS, BITS, {"bands": 1, "rows": 64, **BANDS}])
def test_a_picture_is_lines_and_words_of_ours(report, changes):
    picture = blocks_of(report(**changes))[1]
    root, names, _texts = drawn(picture)
    assert set(names) == TAGS
    assert {name for one in root.iter() for name in one.attrib} <= ATTRIBUTES
    assert picture.words


def test_bands_have_their_curve_with_its_numbers(report):
    _words, picture, formula = blocks_of(report(**BANDS))
    texts = drawn(picture)[2]
    assert {"found by bands", "b × r = 16 × 4", "listed from 0.30", "pairs"} <= set(texts)
    assert "1 − (1 − s^4)^16" in words(formula)
    assert "one holds the other" not in texts


def test_bits_have_two_curves_and_words_of_their_own(report):
    forecast_words, picture, formula = blocks_of(report(**BITS))
    texts = drawn(picture)[2]
    assert {"found by SimHash", "d = 6", "one holds the other"} <= set(texts)
    assert "band" not in words(forecast_words) + words(formula)
    assert "at most d of the 64 bits" in words(formula)


def test_where_all_were_compared_there_is_no_curve(report):
    forecast_words, picture, said = blocks_of(report())
    texts = drawn(picture)[2]
    assert words(forecast_words).startswith("Complete from 0.30 on: all 78 pairs")
    assert "for nothing" not in words(forecast_words)
    assert "found by bands" not in texts
    assert "0.3" not in texts
    assert "All pairs were compared, so no curve" in words(said)


def test_bars_count_the_listed_pairs(report):
    told = report()
    picture = blocks_of(told)[1]
    counted = picture.words.partition("Listed by resemblance: ")[2].rstrip(".").split("; ")
    numbers = [int(one.rpartition(": ")[2].split()[0]) for one in counted]
    assert sum(numbers) == (told.pairs.resemblance >= 0.3).sum() > 0


@pytest.mark.parametrize("texts", [[], ["alone"], ["same words", "same words"]])
def test_nothing_to_compare_is_said(report, tmp_path, texts):
    empty = tmp_path / "other"
    empty.mkdir()
    for number, text in enumerate(texts):
        (empty / f"{number}.txt").write_text(text, encoding="utf-8")
    blocks = blocks_of(report(empty))
    assert len(blocks) == 1
    assert words(blocks[0]).startswith("There are no two different documents to compare.")


@pytest.mark.parametrize("changes", [BANDS, BITS])
def test_an_empty_folder_has_a_curve_all_the_same(report, tmp_path, changes):
    empty = tmp_path / "other"
    empty.mkdir()
    _words, picture, _formula = blocks_of(report(empty, **changes))
    assert "No pair is listed." in picture.words


def test_a_scan_that_was_not_finished_has_no_curve(report):
    assert list(curve(report(finished=False), ReportLimits())) == []


def test_the_file_shows_it(report, tmp_path):
    told = report(**BANDS)
    write_html(tmp_path / "report.html", told)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert blocks_of(told)[1].svg in page
    assert 'href="#curve"' in page
    assert "What the search finds" in page


def test_of_a_part_of_the_list_it_is_said_that_this_is_of_all(report):
    told = report()
    part = replace(told, pairs=told.pairs.take(np.array([0])))
    assert words(blocks_of(part)[0]).startswith("This is said of the whole list")
    assert words(blocks_of(part)[1]) == words(blocks_of(told)[0])
