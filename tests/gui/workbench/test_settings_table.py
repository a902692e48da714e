"""The table of settings: which have a row, what it says, how it is sorted and copied."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.base.arrays import Estimate
from core.candidates.forecast import Forecast, LargerSignature
from core.reports.curve.state import ThresholdState
from core.settings import ScanSettings
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.workbench.settings_table import (
    HEADINGS,
    Kind,
    SettingColumn,
    SettingsModel,
    amount,
    as_text,
    presets_like,
    summary,
)
from tests.forecasts import known_of
from tests.gui.workbench import grids

LONGER = ThresholdState(100, 3, 0.1, 512)
PRESET = ThresholdState(14, 8, 0.1, 128)
USUAL = ThresholdState(64, 2, 0.10, 128)
BITS = ThresholdState(64, 2, 0.1, 128, distance=3, signature="simhash")


@pytest.fixture
def threshold(qapp):
    threshold = ThresholdModel()
    threshold.set_folder(grids.folder_of())
    threshold.set_grid(grids.FormulaGrid())
    return threshold


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


def test_the_setting_in_use_comes_first_then_pinned_ones_presets_and_efficient_ones(
    model, threshold
):
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


def test_efficient_settings_have_rows_by_their_candidates_and_not_all_where_many_are_alike(
    model,
):
    rows = [row for row in model.shown() if Kind.EFFICIENT in row.kinds]
    every = [model.map.setting(place) for place in model.map.frontier.tolist()]

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


def test_a_longer_signature_needs_a_new_scan_and_says_so(model):
    model.presets = lambda: {"Longer": LONGER}
    model.refresh()
    setting = ("100 × 3", 512)

    assert model.row_at(model.row_of(setting)).needs_scan
    assert not model.row_at(0).needs_scan
    assert "K = 512 needs a new scan" in cell(model, setting, SettingColumn.WHAT)
    assert cell(model, setting, SettingColumn.MISSED) == "–"


def test_what_a_larger_k_would_buy_has_rows(model, threshold):
    forecast = Forecast(0.1, 100.0, *[Estimate(2, 1, 3)] * 2, False, *[Estimate(2, 1, 3)] * 2)
    one = LargerSignature(100, 2, 256, forecast)
    of_shorter = LargerSignature(20, 5, 512, forecast)
    threshold.grid.larger = lambda _floor, _banding: (one, of_shorter)
    threshold.change(threshold.state.with_both(10, 5))
    model.refresh()

    row = model.row_at(model.row_of(("100 × 2", 256)))
    assert row.needs_scan
    assert row.kinds == (Kind.LARGER,)
    assert row.what == "K = 256 needs a new scan"
    assert row.forecast == forecast
    assert "With K = 256, 100 × 2 would miss 2 (1 to 3) instead of 90 (68 to 110)" in model.words
    assert model.row_of(("20 × 5", 512)) is None  # which shorter ones have room for
    threshold.set_folder(replace(threshold.folder, is_part_of_run=True))
    assert "instead of" not in summary(threshold, model.map, model.shown())


def test_before_the_grid_is_counted_the_panel_s_numbers_stand_there(threshold):
    threshold.set_grid(None)
    known = known_of([0.4] * 20, missed=[0.12, 0.13], passages=[0.2], complete=True)
    threshold.set_folder(grids.folder_of(known=known))
    model = SettingsModel(threshold)
    model.refresh()

    assert model.rowCount() == 1
    setting = model.key_at(0)
    assert cell(model, setting, SettingColumn.MISSED) == "2"
    assert cell(model, setting, SettingColumn.BY_BANDS) == "3"
    assert model.map is None
    assert model.words == "Counting what each other setting would do…"


def test_rows_follow_the_setting_in_use(model, threshold):
    threshold.change(threshold.state.with_both(25, 5))
    model.refresh()

    assert model.key_at(0) == ("25 × 5", 128)
    assert "in use" in cell(model, ("25 × 5", 128), SettingColumn.WHAT)


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
    threshold.set_folder(grids.folder_of(made_with=BITS))
    model = SettingsModel(threshold)
    model.refresh()

    assert column(model, SettingColumn.DISTANCE) == list("301245678")
    assert "in use" in column(model, SettingColumn.WHAT)[0]
    assert SettingColumn.BANDS in model.columns_without_use
    assert model.map is None
    assert "no map of b × r" in model.words
    assert model.row_at(1).state.distance == 0


def test_presets_are_those_for_the_same_shingles(qapp):
    own = ({"name": "Mine", "bands": 20, "rows": 5}, {"name": "Broken", "bands": "many"})
    assert list(presets_like(ScanSettings(), own)) == [
        "Essays and reports",
        "Same text again",
        "Mine",
    ]
    assert list(presets_like(ScanSettings(unit="char", k=9))) == ["Long articles"]
    assert not presets_like(ScanSettings(k=7))


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


def test_a_screen_reader_is_told_a_whole_row(model):
    told = model.data(model.index(0, 0), int(Qt.ItemDataRole.AccessibleTextRole))
    assert told.startswith("64 bands of 2 rows, in use")
    assert "missed" in told
    assert "candidates" in told
