"""The large curve: read, zoomed, moved by mouse, wheel, keys and numbers."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QWheelEvent
from PySide6.QtWidgets import QApplication

from core.candidates.scurve import Wishes
from core.reports.curve.state import ThresholdState
from core.scan.audit_results import MeasuredRange
from neardup_gui.models.threshold import PairAtHand, ThresholdModel
from neardup_gui.views.workbench.large_curve import EDGE, HALF, POINT, LargeCurve
from tests.forecasts import folder_of
from tests.gui.everywhere.walking import drag, mouse
from tests.pairs import figures

KEYS = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier
BITS = ThresholdState(64, 2, 0.3, 128, 3, "simhash")


@pytest.fixture
def folder():
    rng = np.random.default_rng(1)
    resemblances = rng.uniform(0.1, 1, 64)
    return folder_of(resemblances, rng.beta(0.6, 20, 2000), documents=212, listed=64)


@pytest.fixture
def large(qtbot, folder):
    model = ThresholdModel()
    large = LargeCurve(model)
    model.set_folder(folder)
    qtbot.shown(large, 1000, 600)
    large.activateWindow()
    large.plot.setFocus()
    qtbot.waitUntil(large.plot.hasFocus)
    return large


def turn(plot, notches, values=(0.5, 0.5), modifiers=NONE):
    point = plot.scale.point(*values)
    event = QWheelEvent(
        point,
        QPointF(plot.mapToGlobal(point)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(plot, event)


def test_keys_move_the_threshold_rows_and_bands(large, qtbot):
    model, plot = large._model, large.plot
    for key, modifier in (
        (KEYS.Key_Right, NONE),
        (KEYS.Key_Right, NONE),
        (KEYS.Key_Left, NONE),
        (KEYS.Key_PageUp, NONE),
        (KEYS.Key_Up, NONE),
        (KEYS.Key_Down, SHIFT),
    ):
        qtbot.keyClick(plot, key, modifier)

    assert model.state.min_resemblance == 0.21
    assert (model.state.bands, model.state.rows) == (41, 3)


def test_keys_of_bits_move_the_distance(large, qtbot):
    large._model.set_state(BITS)
    qtbot.keyClick(large.plot, KEYS.Key_Up)
    qtbot.keyClick(large.plot, KEYS.Key_Up, SHIFT)

    assert large._model.state.distance == 4
    assert large.controls.distance.isVisible()
    assert not large.controls.bands.isVisible()


def test_the_wheel_moves_where_the_focus_is_and_zooms_with_control(large):
    model, plot = large._model, large.plot
    turn(plot, 3)
    assert model.state.min_resemblance == 0.13
    turn(plot, 2, modifiers=SHIFT)
    assert model.state.rows == 4

    turn(plot, 3, (0.2, 0.5), CTRL)
    assert 0 < plot.scale.low < 0.2 < plot.scale.high < 0.7
    assert plot.scale.across(plot.scale.x(0.2)) == pytest.approx(0.2)
    turn(plot, -9, (0.2, 0.5), CTRL)
    assert (plot.scale.low, plot.scale.high) == (0, 1)

    large.controls.threshold.setFocus()
    before = model.state
    turn(plot, 3)
    assert model.state == before


def test_zoomed_in_classes_of_pairs_are_narrow(large, folder):
    large.controls.close_up.click()
    assert large.plot.bars is folder.fine_bars
    assert large.plot.scale.high == pytest.approx(0.3)
    mouse(large.plot, QEvent.Type.MouseMove, (0.155, 0.3))
    assert "0.15 to 0.16: " in large.reading.text()

    large.controls.everything.click()
    assert large.plot.bars is folder.bars


def test_pointing_reads_the_curve_and_follows_it(large):
    mouse(large.plot, QEvent.Type.MouseMove, (0.5, 0.3))
    first = large.reading.text()
    assert first.startswith("Resemblance 0.50: ")
    assert "0.50 to 0.55" in first

    large._model.change(large._model.state.with_rows(8))
    assert large.reading.text() != first

    QApplication.sendEvent(large.plot, QEvent(QEvent.Type.Leave))
    assert large.reading.text() == POINT


def test_the_line_is_dragged(large):
    drag(large.plot, (0.1, 0.7), (0.42, 0.6))
    assert large._model.state.min_resemblance == 0.42


def test_the_threshold_does_not_run_through_the_words_of_a_wish(large):
    plot, model = large.plot, large._model
    wishes, metrics = model.wishes, QFontMetricsF(plot.small_font)
    handle = plot.scale.point(wishes.at_most_at, wishes.at_most)
    words = QRectF(handle.x(), handle.y() - HALF - EDGE - metrics.height(), 90, metrics.height())
    model.change_threshold(plot.scale.across(words.center().x()))
    picture, column = plot.grab().toImage(), round(plot.scale.x(model.state.min_resemblance))

    def darkest(first, last):
        return min(
            picture.pixelColor(x, y).lightness()
            for x in (column - 1, column, column + 1)
            for y in range(first, last)
        )

    top = int(words.top())
    beside = darkest(top - 20, top - 2)
    assert darkest(top + 1, top + 3) > beside + 50  # above the letters


def test_a_wish_is_dragged_and_asked_for(large):
    model = large._model
    drag(large.plot, (0.5, 0.99), (0.8, 0.9))

    assert (model.wishes.catch_at, model.wishes.catch) == (0.8, 0.9)
    assert model.state.probability(0.8) >= 0.9
    assert "finds" in large._answer.text()
    assert model.state.min_resemblance == 0.1

    drag(large.plot, (0.05, 0.01), (0.95, 0.5))
    assert model.wishes.at_most_at == 0.79


@pytest.mark.parametrize("is_left", [False, True])
def test_what_is_dragged_is_let_go_with_another_button_and_where_its_page_is_left(large, is_left):
    model, press = large._model, QEvent.Type.MouseButtonPress
    for place in ((model.wishes.catch_at, model.wishes.catch), (0.1, 0.7)):
        mouse(large.plot, press, place, held=True)
        assert model._is_held
        if is_left:
            large.hide()
            large.show()
        else:
            mouse(large.plot, press, place, button=Qt.MouseButton.RightButton)
            mouse(large.plot, QEvent.Type.MouseButtonRelease, place)
        assert not model._is_held


def test_wishes_that_cannot_be_kept_say_what_would(large):
    model = large._model
    before = model.state
    model.set_wishes(Wishes(catch_at=0.3))
    drag(large.plot, (0.05, 0.01), (0.27, 0.02))

    assert model.state == before
    assert large._answer.text().startswith("No b × r with K = 128 keeps both")
    assert large._answer.isVisible()


def test_bits_have_no_wishes_to_drag(large):
    large._model.set_state(BITS)
    wishes = large._model.wishes
    drag(large.plot, (0.5, 0.99), (0.8, 0.9))
    assert large._model.wishes == wishes


def test_numbers_change_the_state_and_follow_it(large):
    model, controls = large._model, large.controls
    controls.rows.setValue(8)
    assert (model.state.bands, model.state.rows) == (16, 8)
    assert controls.bands.value() == 16
    controls.threshold.setValue(0.35)
    assert model.state.min_resemblance == 0.35

    model.undo()
    assert controls.rows.value() == 2


def test_a_pair_and_an_audit_are_drawn_and_said(large):
    blank = large.plot.grab().toImage()
    large._model.set_pair_at_hand(PairAtHand(figures(0.6), ("<a>.txt", "b.txt")))
    with_pair = large.plot.grab().toImage()
    assert with_pair != blank
    point = MeasuredRange(0.5, 0.6, 0.55, 30, None, 27)
    large._model.set_audit_points((point,))
    assert large.plot.grab().toImage() != with_pair

    description = large.plot.accessibleDescription()
    assert "<a>.txt and b.txt: resemblance 0.60" in description
    assert "Measured from 0.50 to 0.60: 27 of 30 found, 90.0%" in description
    assert large._beside.isVisible()


def test_the_plot_is_described_to_screen_readers(large):
    description = large.plot.accessibleDescription()
    assert large.plot.accessibleName() == "S-curve"
    assert "64 bands of 2 rows" in description
    assert large.forecast.accessibleDescription() in description


def test_narrow_the_words_give_way_and_the_numbers_stay(large, qtbot):
    large.resize(420, 500)
    qtbot.waitUntil(lambda: not large._words.isVisible())
    assert large.controls.threshold.isVisible()
    qtbot.waitUntil(lambda: large.plot.width() > 300)
    large.resize(1000, 600)
    qtbot.waitUntil(large._words.isVisible)


@pytest.mark.parametrize(
    "state",
    [
        ThresholdState(1, 1, 0.0, 1),
        ThresholdState(1, 1, 1.0, 1),
        ThresholdState(1, 128, 0.5, 128),
        ThresholdState(128, 1, 0.0, 128),
        ThresholdState(1, 1, 1.0, 64, 0, "simhash"),
    ],
)
@pytest.mark.parametrize("found", [[], [1.0], [0.0, 0.01, 0.02]])
def test_every_state_is_drawn(large, state, found):
    number, made_with = len(found), ThresholdState(1, 1, 0.0, 128)
    few = folder_of(found, documents=number, listed=number, made_with=made_with)
    large._model.set_folder(few)
    large._model.set_state(state)
    for link in (large.controls.close_up, large.controls.everything):
        link.click()
        for logarithmic in (True, False):
            large._model.set_logarithmic(logarithmic)
            assert not large.plot.grab().isNull()
    turn(large.plot, 1)
    assert 0 <= large._model.state.min_resemblance <= 1
