"""How full the buckets are: words, table, picture, and the window that shows them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QAbstractItemModelTester

from core.base.arrays import Estimate
from core.candidates.bands import BucketFill, SizeClass
from core.scan.measured_pairs import OtherLength
from core.settings import ScanSettings
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.table_model import ACCESSIBLE, DISPLAY, TOOL_TIP
from neardup_gui.models.workbench.buckets import (
    COUNTING,
    NOT_COUNTED,
    NOT_KNOWN,
    BucketColumn,
    BucketNumbers,
    BucketRow,
    BucketsModel,
    PassageLengths,
    bucket_words,
    details_of,
    fill_words,
    passage_words,
    size_name,
)
from neardup_gui.views.workbench.buckets_page import BucketsPage
from tests.texts import folder_with

ROW = BucketRow(("a.txt", "b.txt", "c.txt", "<b>.txt"), 6, 20, 300, "the form <i>", 12)
FILLS = (SizeClass(2, 2, 40, 40), SizeClass(3, 4, 0, 0), SizeClass(5, 8, 20, 300))
FILL = BucketFill(64, 100, FILLS, 6, ())
NUMBERS = BucketNumbers(ScanSettings(), FILL, (ROW,), compared=55, every=False)
FORM = "the form that everybody has to fill in before the end of the month, says {}"


def words(**changes):
    return bucket_words(replace(NUMBERS, **changes)).replace("\N{NO-BREAK SPACE}", " ")


def test_words_say_how_full_buckets_are_and_what_they_cost():
    assert words() == (
        "64 bands of 2 rows, 100 different texts. 60 buckets hold two documents or more, the "
        "fullest 6. Together they hold 340 pairs; 55 different ones were compared. The fullest "
        "one makes about 88% of that."
    )
    assert "The fullest" not in words(rows=(ROW.__class__(("a", "b"), 2, 1, 1),))
    assert "different ones" not in words(compared=None)
    assert words(every=True).endswith("All pairs were compared here, so buckets decided nothing.")


def test_words_of_bits_and_of_no_buckets():
    bits = words(settings=ScanSettings(signature="simhash", max_distance=3))
    assert bits.startswith("SimHash, at most 3 bits apart: 64 tables, 100 different texts.")
    assert "compared in all, which takes a moment" in bits
    empty = FILL._replace(classes=(), largest=0)
    assert words(fill=empty, rows=()).endswith("share a bucket, so nothing is compared.")
    assert bucket_words(None) == NOT_COUNTED


def test_a_crowd_is_explained():
    overfull_row = BucketRow(("a", "b"), 5000, 3, 30_000_000)

    assert "More rows make buckets smaller" in words(
        rows=(overfull_row,), fill=FILL._replace(largest=5000)
    )
    assert "More rows" not in words()


def test_sizes_are_reported_as_ranges():
    assert fill_words(FILLS[0]) == "2 documents: 40 buckets, 40 pairs"
    assert fill_words(FILLS[2]) == "5 to 8 documents: 20 buckets, 300 pairs"
    assert [size_name(fill) for fill in FILLS] == ["2", "3+", "5+"]


def test_the_table_names_documents_and_what_they_share(qtmodeltester):
    model = BucketsModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_rows((ROW,))

    texts = [model.index(0, column).data(DISPLAY) for column in BucketColumn]
    assert texts == ["a.txt, b.txt, c.txt and 3 more", "6", "300", "20"]
    assert "two of them share a passage of 12 words" in details_of(ROW).lower()
    assert details_of(ROW.__class__(("a",), 1, 1, 0, "x" * 300, 9)).splitlines()[0].endswith("x …”")
    assert "&lt;i&gt;" in model.index(0, 0).data(TOOL_TIP)
    assert model.index(0, 0).data(ACCESSIBLE).startswith("6 documents in 20 bands, 300 pairs: ")
    assert model.row_of(ROW.names) == 0
    assert model.row_of(("other",)) is None


@pytest.fixture
def page(qtbot):
    return qtbot.shown(BucketsPage(), 900, 300)


def test_the_page_shows_the_fullest_and_says_all_of_the_current_one(page, qtbot):
    page.show_counting()
    assert page._words.text() == COUNTING
    page.show_numbers(NUMBERS)

    assert page._words.text() == bucket_words(NUMBERS)
    qtbot.waitUntil(lambda: "the form <i>" in page._details.text())
    assert "2 documents: 40 buckets" in page._bars.accessibleDescription()
    page.show_counting()  # those of the list before stay
    assert page._words.text() == bucket_words(NUMBERS)

    page.show_numbers(None)
    assert page._words.text() == NOT_COUNTED
    assert page._both.isHidden()
    assert page._details.text() == ""


def test_a_bar_says_what_it_is(page, monkeypatch):
    tooltips = []
    tips = "PySide6.QtWidgets.QToolTip.showText"
    monkeypatch.setattr(tips, lambda _position, words, _widget: tooltips.append(words))
    page.show_numbers(NUMBERS)
    bars = page._bars

    assert bars._at(20) is FILLS[0]
    assert bars._at(bars.width() + 9000) is None
    for x in (20, bars.width() - 1):
        bars.event(QHelpEvent(QEvent.Type.ToolTip, QPoint(x, 50), bars.mapToGlobal(QPoint(x, 50))))
    assert "2 documents: 40 buckets, 40 pairs" in tooltips[0]
    assert tooltips[1] == ""
    assert not bars.grab().isNull()


@pytest.fixture
def folder(tmp_path):
    texts = {f"{number}.txt": FORM.format(f"number {number}") * 3 for number in range(6)}
    return folder_with(tmp_path / "docs", texts)


def test_buckets_are_counted_while_they_are_visible(window, folder, qtbot):
    presenter, curve = window.presenter, window.pages.curve
    qtbot.until(presenter.scans.scanned, presenter.open_folders, (folder,))
    window.navigation.go_to_curve()
    assert not presenter.tasks.is_busy(TaskKind.BUCKETS)
    buckets = presenter.workbench.buckets

    qtbot.until(buckets.value_changed, curve.below.setCurrentWidget, curve.buckets)
    assert "6 different texts" in curve.buckets._words.text()
    first = curve.buckets._model.row_at(0)
    assert first.documents == 6
    assert first.text.startswith("the form that everybody")
    assert set(first.names) == {f"{number}.txt" for number in range(6)}

    model = window.side_panels.model
    qtbot.until(buckets.value_changed, model.change, model.state.with_both(8, 16))
    assert curve.buckets._words.text().startswith("8 bands of 16 rows, 6 different texts.")

    sentences = []
    buckets.value_changed.connect(sentences.append)
    curve.below.setCurrentWidget(curve.pair)
    qtbot.until(presenter.listed, model.change, model.state.with_both(4, 32))
    qtbot.waitUntil(lambda: not buckets._later.isActive())
    assert sentences == []


def test_buckets_of_other_folders_are_forgotten(window, folder, qtbot):
    presenter, curve = window.presenter, window.pages.curve
    qtbot.until(presenter.scans.scanned, presenter.open_folders, (folder,))
    window.navigation.go_to_curve()
    with qtbot.waitSignal(presenter.workbench.buckets.value_changed):
        curve.below.setCurrentWidget(curve.buckets)

    (folder / "0.txt").unlink()
    seen = []
    presenter.workbench.buckets.value_changed.connect(seen.append)
    presenter.rescan()
    qtbot.waitUntil(lambda: len(seen) == 2)

    assert seen[0] is None
    assert seen[1].fill.documents == 5
    assert "0.txt" not in curve.buckets._model.row_at(0).names


def lengths(*other_lengths, pairs=57, are_listed=True):
    settings = ScanSettings(min_passage=30, list_passages=are_listed)
    return PassageLengths(settings, pairs, tuple(OtherLength(*values) for values in other_lengths))


def test_words_of_passages_say_what_is_guaranteed_and_what_others_would_list():
    sentences = passage_words(
        lengths(
            (10, Estimate(900, 400, 1600), True),
            (15, Estimate(60, 60, 4000), True),
            (20, Estimate(57, 57, 57), True),
            (40, Estimate(57, 57, 57), False),
            (60, Estimate(50, 50, 50), False),
        )
    )

    assert sentences[0].startswith("Guaranteed: every two documents that share 30 words in a row")
    assert sentences[1] == "From 30 words on, as now: 57 pairs below 0.10 share one."
    assert sentences[2:] == (
        "From 10 words on: about 840 pairs more (340 to 1,500).",
        "From 15 words on: 3 pairs more that are known, at most about 3,900.",
        "From 20 words on: no pair more.",
        "From 40 words on: the same pairs.",
        "From 60 words on: 7 pairs fewer.",
    )
    assert "not listed now" in passage_words(lengths(are_listed=False))[1]
    none = passage_words(lengths((20, Estimate(1, 1, 3800), True), pairs=1))
    assert none[1:] == (
        "From 30 words on, as now: 1 pair below 0.10 shares one.",
        "From 20 words on: none known, at most about 3,800 more.",
    )
    assert passage_words(None) == (NOT_KNOWN,)


def test_passages_are_described_while_they_are_visible(window, folder, qtbot):
    presenter, curve = window.presenter, window.pages.curve
    assert curve.passages._words.text() == NOT_KNOWN
    qtbot.until(presenter.scans.scanned, presenter.open_folders, (folder,))
    window.navigation.go_to_curve()

    with qtbot.waitSignal(presenter.workbench.lengths.value_changed):
        curve.below.setCurrentWidget(curve.passages)

    assert (
        "Guaranteed: every two documents that share 30 words in a row"
        in curve.passages._words.text()
    )
    assert "From 10 words on: " in curve.passages._words.text()
