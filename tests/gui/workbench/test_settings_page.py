"""The page of the settings as its user meets it: with the mouse, with keys, with bad input."""

import csv
import io
import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from core.base.arrays import Estimate
from core.candidates.forecast import (
    Estimates,
    Forecast,
    GridForecast,
    LargerSignature,
    are_efficient,
)
from core.candidates.parameter_grid import bandings_within
from core.reports.curve.state import ThresholdState
from core.settings import ScanSettings
from neardup_gui.models.setup import SetupModel
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.workbench.settings_table import (
    HEADINGS,
    Kind,
    Scale,
    SettingColumn,
    SettingsMap,
    SettingsModel,
    amount,
    as_text,
    presets_like,
    summary,
)
from neardup_gui.views.workbench.settings_page import SettingsPage
from neardup_gui.window import files
from neardup_gui.window.actions import Action
from tests.forecasts import folder_of, known_of
from tests.gui.everywhere.walking import move
from tests.texts import folder_with, rows_of_csv

BITS = ThresholdState(64, 2, 0.1, 128, distance=3, signature="simhash")
PAIRS = (0.4,) * 20, (0.05,) * 50  # listed ones, and a sample of all


@pytest.fixture
def threshold(qapp):
    threshold = ThresholdModel()
    threshold.set_folder(folder_of(*PAIRS))
    threshold.set_grid(FormulaGrid())
    return threshold


@pytest.fixture
def page(threshold, qtbot):
    page = SettingsPage(threshold)
    qtbot.addWidget(page)
    page.resize(1100, 320)
    page.show()  # not waited for: the table would take the focus, and preview its first row
    return page


def words(page):
    return page._words.text()


def look_at(page, setting, qtbot):
    page.table.select(setting)
    qtbot.waitUntil(lambda: getattr(page._threshold.beside, "name", "") == setting.name)


def efficient_setting(page):
    """An efficient setting that is not in use, far from the ends."""
    rows = [row.state for row in page.model.shown() if row.kinds == (Kind.EFFICIENT,)]
    return rows[len(rows) // 2]


def point_of(page, setting):
    plot, shown = page.map._plot, page.model.map
    index = shown.index_of(setting)
    dot = QPointF(float(shown.across[index]), float(shown.up[index]))
    scene = plot.getViewBox().mapViewToScene(dot)
    return QPointF(plot.mapFromScene(scene)).toPoint() + plot.pos()


def test_a_row_is_looked_at_then_used(page, threshold, qtbot):
    setting = efficient_setting(page)
    look_at(page, setting, qtbot)
    assert threshold.other_beside.name == setting.name

    QTest.keyClick(page.table, Qt.Key.Key_Return)
    assert (threshold.state.bands, threshold.state.rows) == (setting.bands, setting.rows)
    assert threshold.other_beside is None
    threshold.undo()
    assert (threshold.state.bands, threshold.state.rows) == (64, 2)


def test_a_row_is_pinned_and_unpinned_by_keys(page, threshold, qtbot):
    setting = efficient_setting(page)
    look_at(page, setting, qtbot)
    QTest.keyClick(page.table, Qt.Key.Key_Space)
    assert [state.name for state in threshold.kept] == [setting.name]
    qtbot.waitUntil(lambda: page._pin.text() == "Unpin its curve")
    note = page.model.row_at(page.model.row_of(setting.key)).kinds_in_words
    assert "pinned" in note
    page.resize(700, 500)
    longest = max((row.kinds_in_words for row in page.model.shown()), key=len)
    room = page.table.columnWidth(SettingColumn.WHAT)
    assert page.table.fontMetrics().horizontalAdvance(longest) < room

    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    assert not threshold.kept


def test_a_click_on_the_map_uses_a_setting_and_hovering_reads_it(page, threshold, qtbot):
    setting = efficient_setting(page)
    point = point_of(page, setting)
    move(page.map, point)
    assert page._read.text().startswith(f"{setting.name}: ")
    QTest.mouseClick(page.map, Qt.MouseButton.LeftButton, pos=point)
    assert (threshold.state.bands, threshold.state.rows) == (setting.bands, setting.rows)

    before = threshold.state
    QTest.mouseClick(page.map, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert threshold.state == before


def test_arrows_go_along_the_efficient_settings(page, threshold, qtbot):
    page.map.setFocus()
    QTest.keyClick(page.map, Qt.Key.Key_Home)
    seen = [threshold.beside.name]
    frontier = [page.model.map.setting(int(number)).name for number in page.model.map.frontier]
    for _ in range(len(frontier)):
        QTest.keyClick(page.map, Qt.Key.Key_Right)
        seen.append(threshold.beside.name)
    assert seen == [*frontier, frontier[-1]]
    assert page.table.current.name == frontier[-1]

    QTest.keyClick(page.map, Qt.Key.Key_Left)
    QTest.keyClick(page.map, Qt.Key.Key_Return)
    assert threshold.state.name == frontier[-2]


def test_a_larger_k_is_asked_for_and_not_taken(page, threshold, qtbot):
    page.model.presets = lambda: {"Longer": ThresholdState(100, 3, 0.1, 512)}
    page._refresh()
    before = threshold.state
    longer = ThresholdState(100, 3, 0.1, 512)
    look_at(page, longer, qtbot)
    assert qtbot.until(page.scan_wanted, page._use.click) == [longer]
    assert threshold.state == before


def test_what_is_looked_at_is_forgotten_with_the_page(page, threshold, qtbot):
    look_at(page, efficient_setting(page), qtbot)
    page.hide()
    assert threshold.beside is None
    page.show()
    assert threshold.beside is not None


def test_a_hidden_page_makes_nothing(threshold, qtbot, monkeypatch):
    page = SettingsPage(threshold)
    qtbot.addWidget(page)
    monkeypatch.setattr(page.model, "refresh", lambda: pytest.fail("it was made anew"))
    threshold.change_threshold(0.3)
    page._due.triggered.emit()


def test_the_table_is_copied(page):
    page.table.copy()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("bands\trows\tsignature_size\t")


def test_the_map_is_described_to_screen_readers(page):
    description = page.map.accessibleDescription()
    assert "645 settings by candidates and missed pairs" in description
    assert "Left and Right go along them" in description


# Bad input


def test_without_a_folder_nothing_is_reported(qtbot):
    page = qtbot.shown(SettingsPage(ThresholdModel()))
    assert words(page) == "The effect of each setting is shown once a folder is scanned."
    assert page.map.isHidden() or not page._right.isVisible()
    assert page.model.rowCount() == 1


@pytest.mark.parametrize("compared", [None, 0])
def test_one_document_has_nothing_to_choose(page, threshold, compared):
    threshold.set_folder(folder_of((), (0.05,) * 50, documents=1, listed=0, compared=compared))
    page._refresh()
    assert (
        words(page) == "There are no two different documents, so all settings give the same list."
    )
    assert not page._right.isVisible()


def test_no_pair_above_the_floor_is_missed_by_any_setting(page, threshold):
    threshold.set_grid(FormulaGrid(total=0.0))
    page._refresh()
    assert words(page).startswith("No pair above 0.10 is known, so none is known to be missed.")
    assert set(page.model.map.up) == {0.0}
    assert [tick.text for tick in page.model.map.up_scale.ticks] == ["none"]
    assert not page.map.grab().isNull()


def test_the_map_stands_below_the_table_where_both_would_be_narrow(page, threshold):
    threshold.set_grid(SharingGrid())
    threshold.change(threshold.state.with_both(10, 5))
    page.show()
    for width, is_below in (1300, False), (700, True), (1300, False):
        page.resize(width, 600)
        QApplication.processEvents()
        map_at, table_at = (view.mapTo(page, QPoint()) for view in (page.map, page.table))
        assert (map_at.y() > table_at.y() + page.table.height()) == is_below
        assert (map_at.x() > table_at.x() + page.table.width()) != is_below


def test_where_passages_lead_to_all_pairs_the_map_is_of_bands_alone(page, threshold):
    threshold.set_grid(SharingGrid())
    threshold.change(threshold.state.with_both(10, 5))
    page._refresh()
    settings_map = page.model.map
    assert settings_map.of_bands
    assert np.nanmax(settings_map.up) == 1.0
    assert len(settings_map.frontier) > 5
    assert "Shared passages lead to every pair" in words(page)
    assert "none of 100 missed; by bands alone " in page._read.text()


def test_too_little_knowledge_of_a_folder_is_reported(page, threshold):
    threshold.set_grid(UnknownGrid())
    page._refresh()
    assert words(page) == "Too few pairs were found to say what other settings would miss."
    assert not page._right.isVisible()
    assert page.model.data(page.model.index(0, 5)) == "–"


@pytest.mark.parametrize(("alike", "background"), [(1.0, 1.0), (0.02, 0.001), (0.0, 0.0)])
def test_folders_where_all_is_alike_or_nothing_is_have_a_map(page, threshold, alike, background):
    threshold.set_grid(FormulaGrid(alike=alike, background=background))
    page._refresh()
    settings_map = page.model.map
    for coordinates in (settings_map.across, settings_map.up):
        assert ((coordinates >= 0) & (coordinates <= 1)).all()
    assert len(settings_map.frontier) >= 1
    assert page._right.isVisible()
    assert not page.map.grab().isNull()
    QTest.keyClick(page.map, Qt.Key.Key_Right)
    assert threshold.beside is not None


@pytest.mark.parametrize("floor", [0.0, 1.0])
def test_at_the_ends_of_the_threshold_it_stays_right(page, threshold, floor):
    threshold.change_threshold(floor)
    page._refresh()
    assert page.model.rowCount() > 1
    assert "Of 645 settings with K = 128, " in words(page)
    assert not page.map.grab().isNull()


def test_one_value_in_a_signature_leaves_one_setting(page, threshold):
    threshold.set_state(ThresholdState(1, 1, 0.1, 1))
    threshold.set_grid(FormulaGrid(1))
    page._refresh()
    assert page.model.rowCount() == 1
    assert len(page.model.map) == 1
    assert words(page).startswith("Of 1 setting with K = 1, none surely misses less than 1 × 1")
    assert not page.map.grab().isNull()


def test_longer_signatures_than_there_are_need_a_scan(page, threshold):
    """K was raised in the setup, and the folder was not scanned since."""
    threshold.set_state(ThresholdState(100, 2, 0.1, 256))
    page._refresh()
    row = page.model.row_at(0)
    assert row.needs_scan
    assert np.isnan(row.forecast.missed.expected)
    assert "100 × 2 needs longer signatures than there are: scan again." in words(page)
    # The others are measured, and can be used.
    assert not np.isnan(page.model.shown()[-1].forecast.missed.expected)
    assert not page.map.grab().isNull()


def test_a_smaller_k_leaves_fewer_settings(page, threshold):
    threshold.set_state(ThresholdState(16, 4, 0.1, 64))
    page._refresh()
    assert all(
        row.state.bands * row.state.rows <= 64
        for row in page.model.shown()
        if Kind.EFFICIENT in row.kinds
    )
    assert "with K = 64" in words(page)


def test_bits_show_their_distances_and_no_map(page, threshold, qtbot):
    threshold.set_grid(None)
    threshold.set_state(BITS)
    threshold.set_folder(folder_of(*PAIRS, made_with=BITS))
    page._refresh()
    assert page.table.isColumnHidden(0)
    assert not page._right.isVisible()
    look_at(page, page.model.row_at(1).state, qtbot)
    page._use.click()
    assert threshold.state.distance == 0


# The map's scales


@pytest.mark.parametrize(
    "numbers",
    [[0.0, 0.0], [3.0, 3.0], [0.5, 1.0], [0.0, 7.0], [12.0, 13.0], [1.0, 1e12], [0.6, 2e3, 5e8]],
)
def test_scales_have_room_for_all_and_few_ticks(numbers):
    scale = Scale(np.array(numbers))
    positions = scale.positions(np.array(numbers))
    assert ((positions >= 0) & (positions <= 1)).all()
    assert (np.diff(positions) >= 0).all()
    assert len(scale.ticks) <= 8
    assert all(0 <= tick.position <= 1 for tick in scale.ticks)
    assert len({tick.text for tick in scale.ticks}) == len(scale.ticks)


def test_an_efficient_setting_is_met_first():
    grid = FormulaGrid()
    settings_map = SettingsMap.of(ThresholdState(64, 2, 0.1, 128), grid)
    number = int(settings_map.frontier[3])
    near = settings_map.nearest(settings_map.across[number], settings_map.up[number], (0.02, 0.02))
    assert near == number
    assert settings_map.nearest(0.0, 2.0, (0.02, 0.02)) is None


@pytest.mark.parametrize("size", [(620, 160), (700, 200), (1000, 180)])
def test_words_are_whole_however_small_the_page_is(page, qtbot, size):
    page.resize(*size)

    def is_whole():
        return all(
            label.height() >= label.heightForWidth(label.width())
            for label in (page._words, page._read, page._legend)
        )

    qtbot.waitUntil(is_whole)


def test_the_vertical_label_of_the_map_is_fully_visible(page, qtbot):
    page.resize(1000, 190)
    plot = page.map._plot.getPlotItem()
    assert plot.titleLabel.text == "missed"
    assert not plot.getAxis("left").labelText
    qtbot.waitUntil(
        lambda: plot.titleLabel.height() >= plot.titleLabel.item.boundingRect().height()
    )
    words, view = (item.sceneBoundingRect() for item in (plot.titleLabel.item, plot.getViewBox()))
    assert words.bottom() <= view.top() + 1


WORDS = "the same line again with words of its own and others that many of them share"


@pytest.fixture
def listed(window, tmp_path, qtbot):
    """The window with a list."""
    folder = tmp_path / "docs"
    for number in range(8):
        words = " ".join(f"word{number}x{index}" for index in range(60 * (number % 4)))
        folder_with(folder, {f"{number}.txt": f"{WORDS} {number} {words}"})
    qtbot.until(window.presenter.scans.scanned, window.presenter.open_folders, (folder,))
    return window


@pytest.fixture
def opened(listed, qtbot):
    """The window on the page, when the grid is there."""
    qtbot.until(listed.side_panels.model.grid_changed, listed.navigation.go_to_curve)
    listed.pages.curve.settings._refresh()
    return listed


def test_who_moves_the_threshold_is_told_what_is_counted_of_the_folder(listed, qtbot):
    model = listed.side_panels.model
    assert model.grid is None

    qtbot.until(model.grid_changed, model.change, model.state.with_both(20, 6))

    forecast = model.folder.forecast(model.state)
    counted = model.grid.forecast(model.state.min_resemblance, (20, 6))
    assert (forecast.missed, forecast.missed_by_bands) == (counted.missed, counted.missed_by_bands)


@pytest.fixture
def page_of_window(opened):
    return opened.pages.curve.settings


def test_presets_of_the_setup_have_rows_with_numbers(opened, page_of_window):
    row = page_of_window.model.row_at(page_of_window.model.row_of(("14 × 8", 128)))
    assert Kind.PRESET in row.kinds
    assert row.names == ("Same text again",)
    assert row.forecast.missed.expected >= 0
    # Of the setting in use, what the panel says.
    model = opened.side_panels.model
    forecast = model.folder.forecast(model.state)
    present = page_of_window.model.row_at(0).forecast
    assert present.missed.expected == pytest.approx(forecast.missed.expected)
    assert present.missed_by_bands.expected == pytest.approx(forecast.missed_by_bands.expected)


def test_the_panel_says_of_any_setting_what_the_table_says(opened, page_of_window):
    model = opened.side_panels.model
    for row in range(page_of_window.model.rowCount()):
        state, numbers = (
            page_of_window.model.row_at(row).state,
            page_of_window.model.row_at(row).forecast,
        )
        if state.signature_size == model.state.signature_size:
            forecast = model.folder.forecast(state)
            assert numbers[:5] == forecast[:5]
            assert numbers.extra == forecast.extra


def test_a_setting_that_is_used_makes_another_list(opened, page_of_window, qtbot):
    qtbot.until(opened.presenter.listed, page_of_window._take, ThresholdState(14, 8, 0.1, 128))
    settings = opened.presenter.current.settings
    assert (settings.bands, settings.rows) == (14, 8)


def test_longer_signatures_are_chosen_and_a_new_scan_is_offered(opened, page_of_window, qtbot):
    with qtbot.waitSignal(opened.presenter.message_posted) as announced:
        page_of_window._take(ThresholdState(100, 2, 0.1, 256))
    assert announced.args[0].link == "Rescan"
    settings = opened.presenter.current.settings
    assert (settings.bands, settings.rows, settings.signature_size) == (100, 2, 256)
    assert opened.side_panels.model.state.signature_size == 256
    with qtbot.waitSignal(opened.presenter.scans.scanned):
        opened.message_bar.answers.clicked.emit(announced.args[0].target)
    assert opened.presenter.current.result.scan.settings.signature_size == 256


def test_the_table_is_saved_where_one_says(opened, page_of_window, qtbot, monkeypatch, tmp_path):
    path = tmp_path / "table.csv"
    monkeypatch.setattr(files.dialogs, "ask_where", lambda *_: (path, True))
    announced = qtbot.until(opened.presenter.message_posted, page_of_window._export.click)
    assert announced[0].text == "Saved the settings to table.csv."
    rows = rows_of_csv(path)
    assert len(rows) == page_of_window.model.rowCount()
    assert rows[0]["bands"] == "64"


CTRL = Qt.KeyboardModifier.ControlModifier
BOTH = CTRL | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def scanned(scanned):
    scanned.activateWindow()
    return scanned


def enabled(window):
    return [window._actions[name].isEnabled() for name in (Action.UNDO, Action.REDO)]


def test_on_the_page_of_the_curve_the_threshold_is_undone(scanned, qtbot):
    model = scanned.side_panels.model
    before = model.state
    scanned.judging.judge(next(iter(scanned.judging._actions.values()))[0])
    qtbot.waitUntil(lambda: enabled(scanned) == [True, False])

    scanned.navigation.go_to_curve()
    assert enabled(scanned) == [False, False]
    model.change_threshold(0.4)
    changed = model.state
    assert enabled(scanned) == [True, False]
    qtbot.keyClick(scanned, Qt.Key.Key_Z, CTRL)
    assert model.state == before
    assert enabled(scanned) == [False, True]
    qtbot.keyClick(scanned, Qt.Key.Key_Z, BOTH)
    assert model.state == changed

    scanned.navigation.go_to_table()
    assert enabled(scanned) == [True, False]
    qtbot.keyClick(scanned, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: enabled(scanned) == [False, True])
    assert model.state == changed


def test_in_the_panel_the_threshold_is_undone_also_from_its_numbers(scanned, qtbot):
    model, box = scanned.side_panels.model, scanned.side_panels.threshold._rows.box
    before = model.state
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    box.selectAll()
    qtbot.keyClicks(box, "4")
    assert model.state == before
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert model.state.rows == 4

    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Z, CTRL)

    assert model.state == before
    assert box.value() == before.rows


def test_a_page_in_a_low_window_scrolls(scanned):
    small = scanned.pages.tabs.minimumSizeHint()
    assert small.width() < 400
    assert small.height() < 300


def estimates(values, spread=0.25):
    values = np.asarray(values, dtype=np.float64)
    return Estimates(values, values * (1 - spread), values * (1 + spread))


class FormulaGrid:
    """What each b × r would do to `total` pairs at one resemblance and a background at another."""

    def __init__(self, size=128, *, total=100.0, alike=0.4, background=0.05, pairs=1e6):
        self.signature_size = size
        self.bands, self.rows = bandings_within(size)
        self.total, self.alike, self.background, self.pairs = total, alike, background, pairs

    def at(self, floor):
        found_share = 1 - (1 - self.alike**self.rows) ** self.bands
        missed = self.total * (1 - found_share)
        extra = self.pairs * (1 - (1 - self.background**self.rows) ** self.bands)
        candidates = extra + self.total * found_share
        return GridForecast(
            bands=self.bands,
            rows=self.rows,
            missed=estimates(missed),
            missed_by_bands=estimates(missed),
            extra=estimates(extra),
            candidates=estimates(candidates),
            seconds=candidates * 1e-6,
            listed=self.total - missed,
            efficient=are_efficient(missed, candidates),
            least=floor,
            total=self.total,
            certain=False,
        )

    def larger(self, _floor, _banding):
        return ()


class SharingGrid(FormulaGrid):
    """Every pair shares a passage."""

    def at(self, floor):
        at = super().at(floor)
        nothing = estimates(np.zeros(len(self.bands)))
        return at._replace(missed=nothing, listed=np.full(len(self.bands), self.total))


class UnknownGrid(FormulaGrid):
    """Nothing is known of any setting."""

    def at(self, floor):
        at = super().at(floor)
        unknown = estimates(np.full(len(self.bands), math.nan))
        estimated = dict.fromkeys(("missed", "missed_by_bands", "extra", "candidates"), unknown)
        numbers = dict.fromkeys(("seconds", "listed"), unknown.expected)
        nothing = np.zeros(len(self.bands), dtype=np.bool_)
        values = {"efficient": nothing, "least": math.nan, "total": math.nan}
        return at._replace(**estimated, **numbers, **values)


LONGER = ThresholdState(100, 3, 0.1, 512)
PRESET = ThresholdState(14, 8, 0.1, 128)


@pytest.fixture
def model(threshold):
    model = SettingsModel(threshold)
    QAbstractItemModelTester(model)
    model.refresh()
    return model


def cell(model, setting, column):
    return model.data(model.index(model.row_of(setting), column))


def column(model, column):
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def test_the_setting_in_use_comes_first_then_pinned_presets_and_efficient_ones(model, threshold):
    threshold.keep(ThresholdState(20, 5, 0.1, 128))
    model.presets = lambda: {
        "Same text again": ThresholdState(14, 8, 0.1, 128),
        "Mine": ThresholdState(64, 2, 0.1, 128),
    }
    model.refresh()

    first = [row.kinds[0] for row in model.shown()[:4]]
    assert first == [Kind.PRESENT, Kind.PINNED, Kind.PRESET, Kind.EFFICIENT]
    assert model.key_at(1) == ("20 × 5", 128)
    assert "preset “Mine”" in cell(model, ("64 × 2", 128), SettingColumn.WHAT)
    assert len({row.state.key for row in model.shown()}) == model.rowCount()


def test_efficient_settings_have_rows_by_their_candidates_and_not_all_where_many_are_alike(model):
    rows = [row for row in model.shown() if Kind.EFFICIENT in row.kinds]
    every = [model.map.setting(number) for number in model.map.frontier.tolist()]

    assert 5 < len(rows) < len(every)
    assert {row.state.key for row in rows} < {state.key for state in every}
    assert f"The table has {len(rows)} of {len(every)} efficient settings, the map all." in (
        model.words
    )
    assert every[0] in model.map.efficient
    assert every[-1] in model.map.efficient
    candidates = [row.forecast.candidates.expected for row in rows if len(row.kinds) == 1]
    assert candidates == sorted(candidates)


def test_numbers_are_those_of_the_grid(model):
    setting = ("64 × 2", 128)
    missed = 100 * (1 - 0.4**2) ** 64

    row = model.row_at(model.row_of(setting))
    assert row.forecast.missed.expected == pytest.approx(missed)
    assert cell(model, setting, SettingColumn.MISSED) == "none"
    assert cell(model, setting, SettingColumn.LISTED) == "100"
    assert cell(model, setting, SettingColumn.CANDIDATES) == "150,000"
    assert cell(model, setting, SettingColumn.SECONDS) == "0.1 s"


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(float("nan"), 0, 0), "–"),
        (Estimate(0, 0, 0), "none"),
        (Estimate(0.1, 0, 0.4), "none"),
        (Estimate(0.2, 0, 2.2), "at most 3"),
        (Estimate(7, 7, 7), "7"),
        (Estimate(12.2, 3.4, 39.1), "12 (3 to 40)"),
        (Estimate(1_234_567, 1_200_000, 1_300_000), "1,200,000 (1,200,000 to 1,300,000)"),
        (Estimate(11_000, 10_900, 11_100), "11,000"),
    ],
)
def test_numbers_have_their_intervals(estimate, text):
    assert amount(estimate) == text


def test_it_is_sorted_by_any_column_and_what_is_unknown_comes_last(model):
    model.presets = lambda: {"Longer": LONGER}  # of which nothing is known
    model.refresh()
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        model.sort(SettingColumn.CANDIDATES, order)
        *known, unknown = [row.forecast.candidates.expected for row in model.shown()]
        assert np.isnan(unknown)
        assert known == sorted(known, reverse=order == Qt.SortOrder.DescendingOrder)

    model.sort(SettingColumn.WHAT)
    assert model.row_at(0).kinds[0] is Kind.PRESENT


def test_what_a_larger_k_would_buy_has_rows(model, threshold):
    forecast = Forecast(0.1, 100.0, *[Estimate(2, 1, 3)] * 2, False, *[Estimate(2, 1, 3)] * 2)
    larger = LargerSignature(100, 2, 256, forecast)
    of_shorter = LargerSignature(20, 5, 512, forecast)
    threshold.grid.larger = lambda _floor, _banding: (larger, of_shorter)
    threshold.change(threshold.state.with_both(10, 5))
    model.refresh()

    row = model.row_at(model.row_of(("100 × 2", 256)))
    assert row.needs_scan
    assert row.kinds == (Kind.LARGER,)
    assert row.kinds_in_words == "K = 256 needs a new scan"
    assert row.forecast == forecast
    assert "With K = 256, 100 × 2 would miss 2 (1 to 3) instead of 90 (68 to 110)" in model.words
    assert model.row_of(("20 × 5", 512)) is None  # which shorter ones have room for
    unsure = forecast._replace(missed=Estimate(0, 0, 120))  # "at most 120 instead of 90" is no gain
    threshold.grid.larger = lambda *_: (LargerSignature(100, 2, 256, unsure),)
    model.refresh()
    assert "With K = 256" not in model.words
    threshold.set_folder(replace(threshold.folder, is_part_of_run=True))
    assert "instead of" not in summary(threshold, model.map, model.shown())


def test_before_the_grid_is_counted_the_panel_s_numbers_stand_there(threshold):
    threshold.set_grid(None)
    known = known_of([0.4] * 20, missed=[0.12, 0.13], passages=[0.2], complete=True)
    threshold.set_folder(folder_of(*PAIRS, known=known))
    model = SettingsModel(threshold)
    model.refresh()

    assert model.rowCount() == 1
    setting = model.key_at(0)
    assert cell(model, setting, SettingColumn.MISSED) == "2"
    assert cell(model, setting, SettingColumn.BY_BANDS) == "3"
    assert model.map is None
    assert model.words == "Counting what each other setting would do…"


def test_the_advice_names_a_setting_that_is_better_in_both_ways(model, threshold):
    threshold.change(threshold.state.with_both(2, 1))
    model.refresh()
    assert ", none surely misses less than 2 × 1 for fewer candidates" not in model.words
    best = next(
        row
        for row in sorted(model.shown(), key=lambda row: row.forecast.candidates.expected)
        if Kind.EFFICIENT in row.kinds
        and row.forecast.missed.expected <= model.row_at(0).forecast.missed.expected
    )
    assert f"{best.state.name} misses no more than 2 × 1" in model.words

    threshold.change(threshold.state.with_setting_of(best.state))
    model.refresh()
    assert f", none surely misses less than {best.state.name} for fewer candidates." in model.words


def test_bits_have_a_row_for_every_distance_and_no_map(qapp):
    threshold = ThresholdModel()
    threshold.set_state(BITS)
    threshold.set_folder(folder_of(*PAIRS, made_with=BITS))
    model = SettingsModel(threshold)
    model.refresh()

    assert column(model, SettingColumn.DISTANCE) == list("301245678")
    assert "in use" in column(model, SettingColumn.WHAT)[0]
    assert SettingColumn.BANDS in model.columns_without_use
    assert model.map is None
    assert "no map of b × r" in model.words
    assert model.row_at(1).state.distance == 0


def test_presets_are_those_for_the_same_shingles(qapp):
    setup = SetupModel()
    setup.own_presets = ({"name": "Mine", "bands": 20, "rows": 5},)
    assert list(presets_like(ScanSettings(), setup.known)) == [
        "Essays and reports",
        "Same text again",
        "Mine",
    ]
    assert list(presets_like(ScanSettings(unit="char", k=9), setup.known)) == ["Long articles"]
    assert not presets_like(ScanSettings(k=7), setup.known)


def test_the_copied_table_is_read_back(model):
    model.presets = lambda: {
        '=HYPERLINK("x")': ThresholdState(14, 8, 0.1, 128),
        "a, b\nc": ThresholdState(10, 10, 0.1, 128),
    }
    model.refresh()
    rows = list(csv.DictReader(io.StringIO(as_text(model.shown()), newline="")))

    assert len(rows) == model.rowCount()
    assert tuple(rows[0]) == HEADINGS
    first = model.row_at(0)
    assert (rows[0]["bands"], rows[0]["rows"], rows[0]["distance"]) == ("64", "2", "")
    assert float(rows[0]["missed"]) == pytest.approx(first.forecast.missed.expected, rel=1e-5)
    assert float(rows[0]["candidates"]) == pytest.approx(first.forecast.candidates.expected, abs=1)
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())
    assert any("a, b\nc" in row["what"] for row in rows)


def test_a_screen_reader_reads_a_whole_row(model):
    description = model.data(model.index(0, 0), int(Qt.ItemDataRole.AccessibleTextRole))
    assert description.startswith("64 bands of 2 rows, in use")
    assert "missed" in description
    assert "candidates" in description
