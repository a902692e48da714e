"""The threshold panel as its user meets it."""

import itertools
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QHelpEvent, QImage, QMouseEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QToolTip

from core.reports.curve.state import FolderPairs, ThresholdState
from neardup_gui.environment.theme import Scheme, Theme, colors
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.views.threshold import ThresholdPanel
from neardup_gui.views.widgets.containers import Throttle

spec = spec_from_file_location("forecasts", Path(__file__).parents[2] / "forecasts.py")
forecasts = module_from_spec(spec)
spec.loader.exec_module(forecasts)
known_of = forecasts.known_of


@pytest.fixture
def pairs():
    rng = np.random.default_rng(1)
    found = rng.uniform(0.1, 1, 64)
    return FolderPairs(
        found=found,
        background=rng.beta(0.6, 20, 2000),
        documents=212,
        listed=64,
        bands=64,
        rows=2,
        min_resemblance=0.1,
        known=known_of(found),
    )


@pytest.fixture
def panel(qtbot):
    panel = ThresholdPanel(ThresholdModel())
    qtbot.addWidget(panel)
    panel.resize(355, 640)
    panel.show()
    return panel


def said(panel):
    return panel._forecast.accessibleDescription()


def ghosts(panel):
    return [name for _state, name in panel.curve.plot.data.ghosts]


def test_moving_a_slider_reports_and_shows_everywhere(panel, qtbot):
    with qtbot.waitSignal(panel.model.moved) as changed:
        panel._rows.slider.setValue(4)

    assert changed.args == [ThresholdState(32, 4, 0.1, 128, wanted_bands=64)]
    assert panel._bands.box.value() == 32
    assert panel._bands.slider.value() == 32
    assert "64 → 32" in panel._signature.text()


def test_values_from_outside_are_shown_and_not_reported(panel, qtbot):
    with qtbot.assertNotEmitted(panel.model.moved, wait=80):
        panel.model.set_state(ThresholdState(14, 8, 0.8, 256))

    assert panel._rows.box.value() == 8
    assert panel._floor.box.value() == 0.8
    assert panel._bands.box.maximum() == 256


def test_more_rows_than_the_slider_shows_can_be_entered(panel):
    panel._rows.box.setValue(40)

    assert (panel.model.state.bands, panel.model.state.rows) == (3, 40)
    assert panel._rows.box.value() == 40


def test_numbers_are_taken_with_enter(panel, qtbot):
    box = panel._bands.box
    box.setFocus()
    box.selectAll()

    qtbot.keyClicks(box, "21")
    assert panel.model.state.bands == 64
    qtbot.keyClick(box, Qt.Key.Key_Return)

    assert panel.model.state.bands == 21


def drag(plot, start, end):
    """Press, move in steps and let go, as a hand does; in resemblances."""
    button, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    kinds = QEvent.Type
    steps = [(kinds.MouseMove, none, none, start), (kinds.MouseButtonPress, button, button, start)]
    steps += [(kinds.MouseMove, none, button, s) for s in np.linspace(start, end, 30)]
    steps += [(kinds.MouseButtonRelease, button, none, end)]
    for kind, changed, held, resemblance in steps:
        place = plot.scale.point(resemblance, 0.7)
        where = plot.mapToGlobal(place)
        event = QMouseEvent(kind, place, where, changed, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(plot, event)


def test_the_line_can_be_dragged(panel, qtbot):
    with qtbot.waitSignal(panel.model.moved):
        drag(panel.curve.plot, 0.1, 0.4)

    assert panel.model.state.min_resemblance == pytest.approx(0.4, abs=0.02)
    assert (panel.model.state.bands, panel.model.state.rows) == (64, 2)


def test_beside_the_line_nothing_is_dragged(panel, qtbot):
    with qtbot.assertNotEmitted(panel.model.moved):
        drag(panel.curve.plot, 0.3, 0.4)


def test_b_and_r_follow_when_asked_to(panel):
    panel._follow.setChecked(True)
    panel._floor.slider.setValue(50)

    assert (panel.model.state.bands, panel.model.state.rows) == (25, 5)


def test_words_speak_of_the_folder_and_of_the_curve_without_one(panel, pairs):
    assert "A finished scan" in said(panel)

    panel.model.set_folder(pairs)
    assert "Lists 64 pairs of 212 documents." in said(panel)
    assert said(panel) in panel.curve.plot.accessibleDescription()
    assert panel.curve.plot.data.bars is pairs.bars

    panel.model.set_folder(None)
    assert "A finished scan" in said(panel)
    assert panel.curve.plot.data.bars is None


def test_log_scale_changes_the_bars(panel, pairs):
    panel.model.set_folder(pairs)
    before = panel.curve.plot.grab().toImage()

    panel._logarithmic.setChecked(False)

    assert panel.curve.plot.grab().toImage() != before


def test_a_curve_can_be_pinned_and_unpinned(panel):
    panel._pin.click()
    panel._rows.slider.setValue(4)

    assert ghosts(panel) == ["64 × 2 (pinned)"]
    panel._pin.click()
    assert not ghosts(panel)


def test_wishes_choose_bands_and_rows(panel, qtbot):
    with qtbot.waitSignal(panel.model.moved) as changed:
        qtbot.keyClick(panel._wishes._at_most, Qt.Key.Key_Return)

    assert changed.args == [ThresholdState(35, 3, 0.1, 128)]
    assert panel._wishes._answer.text().startswith("35 × 3 finds")


def test_impossible_wishes_change_nothing(panel):
    panel._wishes._at_most.setValue(0.1)
    panel._wishes._ask.click()

    assert "No b × r" in panel._wishes._answer.text()
    assert panel.model.state.bands == 64


def test_tab_follows_the_eye_and_every_stop_has_a_name(panel, pairs, qtbot):
    panel.model.set_folder(pairs)
    panel.activateWindow()
    panel._logarithmic.setFocus()
    qtbot.waitUntil(panel._logarithmic.hasFocus)
    stops = []
    while (stop := QApplication.focusWidget()) not in stops:
        stops.append(stop)
        qtbot.keyClick(stop, Qt.Key.Key_Tab)

    tops = [stop.mapTo(panel, QPoint(0, stop.height() // 2)).y() for stop in stops]
    assert len(stops) == 16
    assert all(after > before - 12 for before, after in itertools.pairwise(tops))
    assert all(stop.accessibleName() or stop.text() for stop in stops)


def test_pointing_at_the_picture_gives_its_numbers(panel, pairs, qtbot, monkeypatch):
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _widget: shown.append(text))
    panel.model.set_folder(pairs)
    plot = panel.curve.plot
    place = plot.scale.point(0.5, 0.5).toPoint()

    event = QHelpEvent(QEvent.Type.ToolTip, place, plot.mapToGlobal(place))
    QApplication.sendEvent(plot, event)

    assert shown[0].startswith("Resemblance 0.5")


@pytest.mark.parametrize("width", [250, 900])
def test_the_picture_is_given_as_svg_and_png(panel, pairs, width):
    panel.model.set_folder(pairs)
    panel.resize(width, 600)
    panel.model.set_state(ThresholdState(20, 5, 0.4, 128))

    lines, pixels = panel.picture(drawn=True), panel.picture(drawn=False)

    renderer = QSvgRenderer(lines)
    assert renderer.isValid()
    assert renderer.viewBox().size() == QSize(720, 420)
    assert "20 bands of 5 rows · pairs listed from 0.40" in lines.decode()
    image = QImage.fromData(pixels, "PNG")
    assert image.size() == 3 * QSize(720, 420)
    assert image.text("Description") == panel.curve.plot.accessibleDescription()


def test_a_picture_is_light_also_where_the_window_is_dark(panel, pairs, qapp):
    panel.model.set_folder(pairs)
    theme = Theme(qapp)
    light = panel.picture(drawn=False)
    theme.apply(Scheme.DARK)
    dark = colors()

    picture = panel.picture(drawn=False)

    assert colors() is dark
    theme.apply(Scheme.LIGHT)
    corner = QImage.fromData(picture, "PNG").pixelColor(3, 3)
    assert corner == QImage.fromData(light, "PNG").pixelColor(3, 3) == colors().base


def test_a_picture_of_simhash_says_its_distance(panel, pairs):
    panel.model.set_folder(pairs)
    panel.model.set_state(ThresholdState(1, 1, 0.5, 64, 3, "simhash"))

    lines = panel.picture(drawn=True).decode()

    assert "SimHash, at most 3 of 64 bits differ · pairs listed from 0.50" in lines


def test_colours_follow_the_scheme(panel, qapp, qtbot):
    theme = Theme(qapp)
    for scheme, is_dark in ((Scheme.DARK, True), (Scheme.LIGHT, False)):
        theme.apply(scheme)
        for widget in (panel.curve.plot, panel):
            corner = widget.grab().toImage().pixelColor(3, 3)
            assert (corner.lightness() < 128) is is_dark
        ground = panel.grab().toImage().pixelColor(3, 3)
        assert (ground.lightness() < 128) is is_dark


def test_throttle_passes_the_first_call_at_once_and_the_last_later(qtbot):
    throttle = Throttle(20)
    calls = []
    throttle.triggered.connect(lambda: calls.append(1))

    throttle.call()
    assert len(calls) == 1
    throttle.call()
    throttle.call()
    assert len(calls) == 1
    qtbot.waitUntil(lambda: len(calls) == 2)
    qtbot.waitUntil(lambda: not throttle._timer.isActive())
    assert len(calls) == 2


def test_simhash_has_a_distance_instead_of_bands(panel, qtbot, pairs):
    panel.model.set_folder(pairs)
    panel.model.set_state(ThresholdState(64, 2, 0.1, 128, 3, "simhash"))

    bands = (panel._bands.box, panel._rows.slider, panel._follow, panel._wishes)
    assert not any(widget.isVisible() for widget in bands)
    assert panel._distance.box.isVisible()
    assert "has no bands" in " ".join(panel._signature.text().split())
    assert "of 64 bits differ" in panel.curve.plot.accessibleDescription()

    with qtbot.waitSignal(panel.model.moved) as changed:
        panel._distance.slider.setValue(5)
    assert changed.args == [ThresholdState(64, 2, 0.1, 128, 5, "simhash")]
    assert panel._distance.box.value() == 5

    panel.model.set_state(ThresholdState(64, 2, 0.1, 128))
    assert all(widget.isVisible() for widget in bands)
    assert panel._distance.box.isHidden()


def test_following_waits_for_bands(panel, qtbot):
    panel._follow.setChecked(True)
    panel.model.set_state(ThresholdState(64, 2, 0.1, 128, 3, "simhash"))

    with qtbot.waitSignal(panel.model.moved) as changed:
        panel._floor.slider.setValue(50)

    assert changed.args[0].min_resemblance == 0.5
    assert (panel.model.state.bands, panel.model.state.rows) == (64, 2)


def test_a_pinned_curve_of_simhash_is_named_by_its_distance(panel):
    panel.model.set_state(ThresholdState(64, 2, 0.1, 128, 3, "simhash"))
    panel._pin.click()

    assert ghosts(panel) == ["d = 3 (pinned)"]


def test_a_threshold_is_shown_as_it_was_given(panel, qtbot):
    panel.model.set_state(ThresholdState(64, 2, 0.125, 128))
    assert panel._floor.box.text() == "0.125"
    assert panel._floor.slider.value() == 12

    with qtbot.waitSignal(panel.model.moved) as changed:
        panel._rows.box.setValue(3)
    assert changed.args[0].min_resemblance == 0.125

    panel.model.set_state(ThresholdState(64, 2, 0.1, 128))
    assert panel._floor.box.text() == "0.10"
    panel._floor.box.stepUp()
    assert panel._floor.box.text() == "0.11"
