"""The pair at hand on the page of the curve: its words, its grid, its chance at other settings."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt

from core.candidates.scurve import curve_of
from core.documents.model import DocumentKey
from core.reports.curve.forecast_words import share
from core.reports.curve.state import ThresholdState
from core.scan.pair_details import SignatureOfPair
from core.settings import MAX_DISTANCE, ScanSettings
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.threshold import PairAtHand, ThresholdModel
from neardup_gui.models.workbench.chances import (
    ChancesModel,
    SignedPair,
    band_words,
    chance_rows,
    grid_words,
    pair_words,
)
from neardup_gui.views.workbench.pair_page import BandGrid
from tests.pairs import figures
from tests.texts import folder_with

BANDS = ScanSettings()
BITS = ScanSettings(signature="simhash", max_distance=3)
LISTED = "Its resemblance is 0.10 or more."


def signed(resemblance=0.6, equal=76, settings=BANDS, reason=LISTED, **options):
    """A pair of which the first values are equal, and no others."""
    values = 64 if settings is BITS else settings.signature_size
    same = np.arange(values) < equal
    signature = SignatureOfPair(
        settings, figures(resemblance), same, equal / values, False, (False, False)
    )
    key = ListedPair(*(DocumentKey("", "", name) for name in ("one.txt", "two.txt")))
    return SignedPair(key, signature._replace(**options), ThresholdState.of(settings), reason)


def words_of(pair, state):
    return " ".join(pair_words(pair, state)).replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture
def model(qapp):
    return ThresholdModel()


# Words


def test_it_says_where_a_pair_lies_and_which_bands_met():
    pair = signed(equal=6)
    words = words_of(pair, ThresholdState(20, 5, 0.1, 128))
    assert "Resemblance 0.600" in words
    assert "20 × 5 finds 80% and misses 20%" in words
    assert "These two agree in band 1 of 20 (framed)." in words
    assert "6 of 128 values equal (filled)" in words
    assert "standard error of 128 values there is 0.043" in words
    assert "It is in the list." in words
    assert "agree in none of 12 bands" in words_of(pair, ThresholdState(12, 7, 0.1, 128))


def test_a_pair_that_is_not_listed_is_explained():
    state = ThresholdState.of(BANDS)
    assert "list, which begins at 0.10" in words_of(signed(0.05, 3, reason=""), state)
    met_nowhere = words_of(signed(0.2, 1, reason=""), state)
    assert "though that begins at 0.10: 64 × 2 did not lead to it" in met_nowhere
    references = words_of(signed(0.2, 1, reason="", compared=False), state)
    assert "both are references" in references


def test_identical_empty_and_unknown_pairs_are_reported():
    state = ThresholdState.of(BANDS)
    same = words_of(signed(1.0, 128, identical=True), state)
    assert "the same words throughout" in same
    assert "standard error" not in same
    empty = words_of(signed(0.0, 0, same=None, empty=(False, True), reason=""), state)
    assert "B has no shingles" in empty
    assert "It is not in the list." in empty
    unknown = words_of(signed(0.5, 0, same=None, unknown=True), state)
    assert "rescan" in unknown


def test_settings_for_other_signatures_show_those_of_the_list():
    pair = signed()
    longer = ThresholdState(20, 10, 0.1, 256)
    assert pair.at(longer) == ThresholdState.of(BANDS)
    assert "Shown as the list was made, with 64 × 2" in words_of(pair, longer)
    assert "Shown as" not in words_of(pair, ThresholdState(20, 5, 0.3, 128))
    bits = ThresholdState(20, 5, 0.1, 128, distance=3, signature="simhash")
    assert pair.at(bits) == ThresholdState.of(BANDS)


def test_bits_are_reported_by_their_distance():
    pair = signed(0.9, 62, BITS)
    words = words_of(pair, ThresholdState.of(BITS))
    assert "2 of 64 bits differ (filled), few enough for d = 3" in words
    assert "differ in the mean, give or take" in words
    assert "band" not in words
    assert "too many" in words_of(signed(0.9, 60, BITS), ThresholdState.of(BITS))


def test_the_chance_on_the_curve_is_that_of_the_table(model):
    equal = PairAtHand(figures(0.5), ("a", "b"))
    uneven = PairAtHand(figures(0.5)._replace(containment_a=0.5, containment_b=1.0), ("a", "b"))
    bands, bits = ThresholdState(20, 5, 0.1, 128), ThresholdState.of(BITS)
    assert equal.chance(bands) == uneven.chance(bands) == bands.probability(0.5)
    assert equal.chance(bits) == pytest.approx(bits.probability(0.5))
    assert uneven.chance(bits) > 1.5 * equal.chance(bits)  # 0.5 in all of a text is more alike
    pair = signed(0.3, 4)
    shown = {row.state.name: row for row in chance_rows(pair, model)}
    assert share(pair.at_hand.chance(ThresholdState(32, 4, 0.1, 128))) == shown["32 × 4"].found
    assert share(PairAtHand(figures(0.0), ("a", "b")).chance(bands)).startswith("0")


def test_two_texts_with_nothing_in_common_have_a_sentence():
    nothing = figures(0.0)._replace(shared_shingles=0)
    words = words_of(signed(0.0, 0, reason="", figures=nothing), ThresholdState.of(BANDS))
    assert "no shingle stands in both" in words
    assert "standard error" not in words


# Grid


def test_the_grid_is_cut_as_the_setting_says():
    pair = signed(equal=7)
    grid = pair.grid(ThresholdState(42, 3, 0.1, 128))
    assert (len(grid.bands), grid.unused) == (42, 2)
    assert grid.bands[2] == (True, False, False)
    assert grid.colliding == {0, 1}
    assert grid_words(grid) == (
        "42 bands of 3 rows: bands 1 and 2 of 42 agree as a whole. 2 values in no band."
    )
    assert band_words(grid, 0) == "Band 1 of 42: all 3 values are equal, so the two meet here."
    assert band_words(grid, 2) == "Band 3 of 42: 1 of 3 values equal."
    bits = signed(0.9, 62, BITS).grid(ThresholdState.of(BITS))
    assert grid_words(bits) == "64 bits in eight rows: 62 are the same, 2 differ."
    assert band_words(bits, 7) == "Bits 57 to 64: 2 of 8 differ."


@pytest.mark.parametrize(("bands", "rows"), [(64, 2), (1, 128), (128, 1), (7, 18)])
def test_every_band_has_its_place(qtbot, bands, rows):
    grid = BandGrid()
    qtbot.addWidget(grid)
    grid.fit_into(QSize(300, 180))
    grid.show_grid(signed().grid(ThresholdState(bands, rows, 0.1, 128)))
    grid.resize(grid.sizeHint())
    shape = grid._shape
    for band in range(bands):
        x, y = shape.corner(band)
        assert grid.band_at(QPoint(round(x + 2), round(y + 2))) == band
        assert x + shape.across * shape.side <= grid.width() + 1
    assert grid.band_at(QPoint(grid.width() + 40, 2)) is None


def test_keys_go_from_band_to_band(qtbot):
    grid = BandGrid()
    qtbot.addWidget(grid)
    grid.show()  # of no size yet, hence never exposed
    pair = signed(equal=0)
    same = np.zeros(128, dtype=np.bool_)
    same[[20, 21, 22, 60, 61]] = True  # bands 11 and 31 of two rows, and half of band 12
    pair = SignedPair(pair.key, pair.signature._replace(same=same), pair.made_with)
    grid.show_grid(pair.grid(ThresholdState(64, 2, 0.1, 128)))
    grid.setFocus()
    qtbot.keyClick(grid, Qt.Key.Key_PageDown)
    assert grid.current == 10
    assert "Band 11 of 64: both values are equal" in grid.accessibleDescription()
    qtbot.keyClick(grid, Qt.Key.Key_PageDown)
    assert grid.current == 30
    qtbot.keyClick(grid, Qt.Key.Key_PageDown)
    assert grid.current == 30
    qtbot.keyClick(grid, Qt.Key.Key_PageUp)
    assert grid.current == 10
    qtbot.keyClick(grid, Qt.Key.Key_Down)
    assert grid.current == 11
    qtbot.keyClick(grid, Qt.Key.Key_End)
    assert grid.current == 63
    qtbot.keyClick(grid, Qt.Key.Key_Home)
    assert grid.current == 0


# Other settings


def test_other_settings_say_their_chance_and_whether_these_two_meet(model):
    model.set_state(ThresholdState(64, 2, 0.1, 128))
    model.keep(ThresholdState(20, 5, 0.1, 128))
    model.keep(ThresholdState(40, 6, 0.1, 256))  # other signatures
    pair = signed(0.3, 4)
    presets = {
        "Essays and reports": ThresholdState(64, 2, 0.1, 128),
        "Same text again": ThresholdState(14, 8, 0.1, 128),
        "Longer": ThresholdState(40, 6, 0.1, 256),
    }
    rows = {row.state.name: row for row in chance_rows(pair, model, presets)}
    assert rows["64 × 2"].kinds_in_words == "in use, preset “Essays and reports”"
    assert rows["20 × 5"].kinds_in_words == "pinned"
    chance = float(curve_of(20, 5, None).probability(0.3))
    assert 0.04 < chance < 0.06
    assert rows["20 × 5"].missed.startswith("95")
    assert rows["20 × 5"].these == "do not meet"
    assert rows["32 × 4"].these == "meet in 1 band"
    assert rows["14 × 8"].kinds_in_words == "preset “Same text again”"
    assert "40 × 6" not in rows
    assert [row.state.rows for row in rows.values()] == sorted(
        row.state.rows for row in rows.values()
    )


def test_uncertain_chances_never_read_as_certain(model):
    pair = signed(0.9, 100)
    shown = {row.state.name: row for row in chance_rows(pair, model)}
    assert shown["128 × 1"].found.startswith(">")
    assert shown["128 × 1"].missed.startswith("<")
    shown = {row.state.name: row for row in chance_rows(signed(0.0, 0), model)}
    assert shown["128 × 1"].found.startswith("0")


def test_of_bits_every_distance_has_a_row(model):
    model.set_state(ThresholdState.of(BITS))
    rows = chance_rows(signed(0.9, 60, BITS), model)
    assert [row.state.distance for row in rows] == list(range(MAX_DISTANCE + 1))
    assert [row.these for row in rows[3:5]] == ["do not meet", "meet"]
    assert rows[3].kinds_in_words == "in use"
    table = ChancesModel()
    assert table.headerData(0, Qt.Orientation.Horizontal) == "b × r"
    table.show_rows(rows)
    assert table.headerData(0, Qt.Orientation.Horizontal) == "d"


# The window

SHARED = (
    "Every tree that stands in the street is counted twice by the same two careful people. " * 3
)


@pytest.fixture
def folder(tmp_path):
    texts = {
        f"{name}.txt": f"{SHARED} But {name} wrote {name} words that nobody else did."
        for name in ("one", "two", "three")
    }
    texts["其他 & other.txt"] = " ".join(f"{word}ness" for word in SHARED.split()[::-1])
    return folder_with(tmp_path / "essays", texts)


@pytest.fixture
def opened(window, folder, qtbot):
    window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: window.side_panels.model.pair_at_hand is not None)
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    return window


def curve_page(window, qtbot):
    page = window.pages.curve.pair
    window.navigation.go_to_curve()
    window.pages.curve.below.setCurrentWidget(page)
    qtbot.waitUntil(lambda: "Resemblance" in page._words.text())
    return page


def test_the_selected_pair_is_shown_and_followed(opened, qtbot):
    page = curve_page(opened, qtbot)
    names = [field.text() for field in page.fields]
    assert names == list(opened.presenter.pair.wanted.names)
    assert opened.side_panels.model.pair_at_hand.names == tuple(names)
    assert "It is in the list." in page._words.text()
    assert page.grid.isVisible()

    page.stepped.emit(1)
    qtbot.waitUntil(lambda: [field.text() for field in page.fields] != names)
    qtbot.waitUntil(lambda: "Resemblance" in page._words.text())


def test_nothing_is_compared_while_nobody_looks(opened, qtbot):
    session = opened.presenter.workbench.signatures
    assert session._wanted is None
    assert opened.side_panels.model.pair_at_hand is not None  # its place needs no signatures
    curve_page(opened, qtbot)
    assert session._wanted is not None


def test_two_documents_can_be_named_that_are_not_listed(opened, qtbot):
    page = curve_page(opened, qtbot)
    a, b = page.fields
    a.textEdited.emit("one")
    assert a._names.stringList() == ["one.txt"]
    a.setText("one.txt")
    b.setText("nowhere.txt")
    b.returnPressed.emit()
    assert "no document called “nowhere.txt”" in page._problem.text()
    b.setText("one.txt")
    b.returnPressed.emit()
    assert "two different documents" in page._problem.text()
    b.setText("其他 & other.txt")
    qtbot.until(opened.presenter.workbench.signatures.pair_changed, b.returnPressed.emit)
    assert "It is not in the list" in page._words.text()
    assert page._problem.isHidden()
    a.setText("two.txt")
    b.setText("one.txt")
    qtbot.until(opened.presenter.workbench.signatures.pair_changed, b.returnPressed.emit)
    assert "It is in the list." in page._words.text()
    assert [field.text() for field in page.fields] == ["two.txt", "one.txt"]


def test_a_setting_is_used_from_the_table_and_the_bands_follow(opened, qtbot):
    page = curve_page(opened, qtbot)
    row = page.chances.row_of("32 × 4")
    page.table.select_row(row)
    page.table.opened.emit()
    state = opened.side_panels.model.state
    assert (state.bands, state.rows) == (32, 4)
    qtbot.waitUntil(lambda: "32 bands of 4 rows" in page.grid.accessibleDescription())
    assert "32 × 4" in page._words.text()


def test_another_folder_leaves_no_pair(opened, tmp_path, qtbot):
    page = curve_page(opened, qtbot)
    alone = folder_with(tmp_path / "alone", {"only.txt": SHARED})
    with qtbot.waitSignal(
        opened.presenter.listed, check_params_cb=lambda listing: listing.complete
    ):
        opened.presenter.open_folders([alone])
    assert opened.side_panels.model.pair_at_hand is None
    assert "No pair selected" in page._words.text()
    assert not page.grid.isVisible()
