"""The page of the settings in the window: real numbers, a new list, longer signatures, a file."""

import csv

import pytest

from core.reports.curve.state import ThresholdState
from neardup_gui.models.workbench.settings_table import Kind
from neardup_gui.window import files

WORDS = "the same line again with words of its own and others that many of them share"


@pytest.fixture
def opened(window, tmp_path, qtbot):
    """The window on the page, when the grid is there."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(8):
        own = " ".join(f"word{number}x{place}" for place in range(60 * (number % 4)))
        (folder / f"{number}.txt").write_text(f"{WORDS} {number} {own}", encoding="utf-8")
    with qtbot.waitSignal(window.presenter.scans.scanned):
        window.presenter.open_folders((folder,))
    with qtbot.waitSignal(window.side_panels.model.grid_changed):
        window._navigation.go_to_curve()
    page = window.pages.curve.settings
    page._refresh()
    return window


@pytest.fixture
def page(opened):
    return opened.pages.curve.settings


def test_presets_of_the_setup_have_rows_with_numbers(opened, page):
    row = page.model.row_at(page.model.row_of(("14 × 8", 128)))
    assert Kind.PRESET in row.kinds
    assert row.names == ("Same text again",)
    assert row.forecast.missed.expected >= 0
    # Of the setting in use, what the panel says.
    model = opened.side_panels.model
    told = model.folder.forecast(model.state)
    present = page.model.row_at(0).forecast
    assert present.missed.expected == pytest.approx(told.missed.expected)
    assert present.missed_by_bands.expected == pytest.approx(told.missed_by_bands.expected)


def test_the_panel_says_of_any_setting_what_the_table_says(opened, page):
    model = opened.side_panels.model
    for row in range(page.model.rowCount()):
        state, numbers = page.model.row_at(row).state, page.model.row_at(row).forecast
        if state.signature_size == model.state.signature_size:
            told = model.folder.forecast(state)
            assert numbers[:5] == told[:5]
            assert numbers.extra == model.folder.extra_candidates(state)[0]


def test_a_setting_that_is_used_makes_another_list(opened, page, qtbot):
    with qtbot.waitSignal(opened.presenter.listed):
        page._take(ThresholdState(14, 8, 0.1, 128))
    settings = opened.presenter.current.settings
    assert (settings.bands, settings.rows) == (14, 8)


def test_longer_signatures_are_chosen_and_a_new_scan_is_offered(opened, page, qtbot):
    with qtbot.waitSignal(opened.presenter.said) as said:
        page._take(ThresholdState(100, 2, 0.1, 256))
    assert said.args[0].link == "Rescan"
    settings = opened.presenter.current.settings
    assert (settings.bands, settings.rows, settings.signature_size) == (100, 2, 256)
    assert opened.side_panels.model.state.signature_size == 256
    with qtbot.waitSignal(opened.presenter.scans.scanned):
        opened.message_bar.link_clicked.emit(said.args[0].target)
    assert opened.presenter.current.result.scan.settings.signature_size == 256


def test_the_table_is_saved_where_the_user_says(opened, page, qtbot, monkeypatch, tmp_path):
    path = tmp_path / "table.csv"
    monkeypatch.setattr(files, "ask_for_table", lambda *_: path)
    with qtbot.waitSignal(opened.presenter.said) as said:
        page._export.click()
    assert said.args[0].text == "Saved the settings to table.csv."
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == page.model.rowCount()
    assert rows[0]["bands"] == "64"


def test_a_table_that_cannot_be_saved_is_said(opened, page, qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr(files, "ask_for_table", lambda *_: tmp_path / "gone" / "table.csv")
    with qtbot.waitSignal(opened.presenter.said) as said:
        page._export.click()
    assert said.args[0].warning
    assert "table.csv" in said.args[0].text
