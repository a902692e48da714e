"""The threshold panel as its user meets it."""

import itertools
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QLocale, QPoint, QSettings, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from core.reports.curve.state import ThresholdState
from core.settings import ScanSettings
from neardup_gui.environment.theme import Scheme, Theme, colors
from neardup_gui.models.number_entry import NumberRange, read_number
from neardup_gui.models.threshold import PassageChoice, ThresholdModel
from neardup_gui.models.workbench.chances import sheet_words
from neardup_gui.views.shell import dialogs
from neardup_gui.views.threshold.panel import ThresholdPanel, picture_of
from neardup_gui.views.threshold.plot import CurvePlot
from neardup_gui.views.widgets.containers import Throttle
from neardup_gui.views.widgets.controls import NumberBox
from neardup_gui.views.workbench.large_curve import PLOT, sheet
from neardup_gui.window import files
from neardup_gui.window.actions import Action
from tests.forecasts import folder_of, known_of
from tests.gui.everywhere.walking import after, drag
from tests.texts import folder_with

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def answer(monkeypatch):
    """What the user chooses in the dialog."""
    suggested = []

    def choose(path, *, may_replace=True):
        def ask(_parent, _title, suggestion, _kinds):
            suggested.append(suggestion.name)
            return path and (path, may_replace)

        monkeypatch.setattr(files.dialogs, "ask_where", ask)
        return suggested

    return choose


def message_of_export(window):
    return window.message_bar.accessibleName()


def export(window, qtbot):
    with qtbot.waitSignal(window.presenter.message_posted):
        qtbot.keyClick(
            window,
            Qt.Key.Key_E,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )


def test_the_curve_is_exported_as_lines_and_as_pixels(scanned, tmp_path, qtbot, answer):
    (folder,) = scanned.presenter.current.folders
    read = " “curve.svg” is in a folder that is compared: the next scan reads it as a document."
    for name, note in (("curve.svg", read), ("curve.png", "")):
        suggested = answer(folder / name)
        for _ in range(2):  # one of ours is replaced, also among the documents
            export(scanned, qtbot)
            assert message_of_export(scanned) == f"Saved the curve to {name}.{note}"
    assert QSvgRenderer(str(folder / "curve.svg")).isValid()
    page = QImage(str(folder / "curve.png"))
    page.setText("Software", "Scanner")
    page.save(str(folder / "curve.png"))
    export(scanned, qtbot)
    assert "Neardup did not write it" in message_of_export(scanned)
    assert suggested == ["essays-curve.svg"] * 5
    assert scanned._preferences.export_folder == str(folder)


def test_longer_words_beside_a_box_make_the_panel_no_wider(scanned):
    panel = scanned.side_panels.threshold
    box, width = panel.passages, panel.minimumSizeHint().width()
    line = box.heightForWidth(width)
    panel.set_passages(PassageChoice(True, f"{box.text()} and {box.text()}", ""))

    assert panel.minimumSizeHint().width() == width
    assert box.heightForWidth(width) > line


def test_a_picture_nobody_was_asked_about_is_not_replaced(scanned, tmp_path, qtbot, answer):
    answer(tmp_path / "curve.svg")
    export(scanned, qtbot)
    before = (tmp_path / "curve.svg").stat().st_mtime_ns

    answer(tmp_path / "curve.svg", may_replace=False)
    export(scanned, qtbot)

    assert "“curve.svg” already exists" in message_of_export(scanned)
    assert (tmp_path / "curve.svg").stat().st_mtime_ns == before


def test_nothing_is_written_when_the_user_thinks_better_of_it(scanned, tmp_path, answer):
    before = sorted(tmp_path.iterdir())
    answer(None)

    scanned._actions[Action.EXPORT_CURVE].trigger()

    assert sorted(tmp_path.iterdir()) == before


def test_a_picture_that_cannot_be_written_leaves_the_old_one(scanned, tmp_path, qtbot, answer):
    (tmp_path / "curve.svg").mkdir()
    answer(tmp_path / "curve.svg")
    export(scanned, qtbot)
    assert "is a folder or a device" in message_of_export(scanned)

    old = tmp_path / "curve.png"
    old.write_bytes(b"old")
    answer(old)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.base.files.os.fsync", lambda _file: 1 / 0)
        with qtbot.waitSignal(scanned.presenter.unexpected_error):
            scanned._actions[Action.EXPORT_CURVE].trigger()
    assert old.read_bytes() == b"old"
    assert not list(tmp_path.glob(".neardup*"))


def large(window, tmp_path, qtbot, answer, name="large.svg"):
    window.navigation.go_to_curve()
    answer(tmp_path / name)
    export(window, qtbot)
    return tmp_path / name


def words_of(file):
    """The words in a picture of lines, and its description; where lines end does not matter."""
    root = ET.parse(file).getroot()
    drawn = "".join("".join(element.itertext()) for element in root.iter(f"{SVG}text"))
    description = "".join("".join(element.itertext()) for element in root.iter(f"{SVG}desc"))
    return drawn.replace(" ", ""), description


def test_in_its_tab_the_large_curve_is_exported_with_its_words(scanned, tmp_path, qtbot, answer):
    drawn, description = words_of(large(scanned, tmp_path, qtbot, answer))

    assert drawn.startswith("essays")
    for words in ("Complete", "Lists 1 pair of 2 documents", "Shingles: words, k = 5"):
        assert words.replace(" ", "") in drawn.replace("\N{NO-BREAK SPACE}", "")
    assert "64 bands of 2 rows" in description
    assert "two.txt" in description  # the pair at hand


def test_the_large_picture_is_of_paper_whatever_the_window_is(scanned, tmp_path, qtbot, answer):
    first = QImage(str(large(scanned, tmp_path, qtbot, answer, "one.png")))
    scanned.appearance.set_scheme(Scheme.DARK)
    scanned.resize(900, 600)
    second = QImage(str(large(scanned, tmp_path, qtbot, answer, "two.png")))

    assert first.width() == second.width() == 3 * PLOT.width()
    assert first.pixelColor(5, 5) == second.pixelColor(5, 5) == QColor("white")
    assert first == second


def test_the_large_picture_shows_what_is_visible(scanned, tmp_path, qtbot, answer):
    full = words_of(large(scanned, tmp_path, qtbot, answer))[0]
    scanned.pages.curve.large.plot.show_range(0.0, 0.3)
    near = words_of(large(scanned, tmp_path, qtbot, answer))[0]

    assert "0.25" not in full
    assert "0.25" in near


def test_a_strange_name_of_a_folder_is_text_in_the_picture(qtbot):
    name = "<b>&\u202e" + "图" * 400
    model = ThresholdModel()
    words = sheet_words(name, model, ScanSettings())
    plot = CurvePlot(model)
    qtbot.addWidget(plot)
    plot.resize(PLOT)

    picture = sheet(plot, words, plot.font())
    again = sheet(plot, words._replace(subject="essays"), plot.font())

    assert "\u202e" not in words.subject
    assert picture.size.height() > again.size.height()  # it goes on in more lines
    image = picture_of(picture, drawn=True)
    assert b"&lt;b&gt;&amp;" in image
    assert "not known yet" in " ".join(words.lines)


@pytest.mark.parametrize(
    ("chosen", "kind", "name"),
    [
        ("a", "Image (*.png)", "a.png"),
        ("a.b", "Vector image, for print (*.svg)", "a.b.svg"),
        ("a.PNG", "Vector image, for print (*.svg)", "a.PNG"),
        ("a", "", "a.svg"),
    ],
)
def test_a_picture_gets_the_ending_of_its_format(qapp, tmp_path, monkeypatch, chosen, kind, name):
    monkeypatch.setattr(
        dialogs.QFileDialog, "getSaveFileName", lambda *_arguments: (str(tmp_path / chosen), kind)
    )
    answer = dialogs.ask_where(QWidget(), "", tmp_path / "x.svg", dialogs.PICTURES)
    assert answer == (tmp_path / name, chosen == name)


def test_settings_that_cannot_be_kept_are_reported_once(make_window, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    broken = QSettings(str(tmp_path / "file" / "settings.ini"), QSettings.Format.IniFormat)
    window = make_window()
    window._preferences.store = broken

    window._preferences.text_size = 2
    window._preferences.save()
    assert message_of_export(window).startswith("Your settings can’t be saved to “")
    window.message_bar.dismiss()
    window._preferences.text_size = 3
    window._preferences.save()

    assert not window.message_bar.isVisible()
    assert window._preferences.text_size == 3


def test_that_settings_cannot_be_kept_is_seen_when_a_folder_is_opened(make_window, tmp_path, qtbot):
    (tmp_path / "file").touch()
    folder_with(tmp_path / "texts", {"one.txt": "one two three four five six seven eight nine"})
    window = make_window()
    window._preferences.store = QSettings(
        str(tmp_path / "file" / "settings.ini"), QSettings.Format.IniFormat
    )

    after(window, qtbot, lambda: window.presenter.open_folders([tmp_path / "texts"]))

    # They are written a moment later.
    said = "Your settings can’t be saved to “"
    qtbot.waitUntil(lambda: message_of_export(window).startswith(said))
    assert window.message_bar.isVisible()


SHARE = NumberRange(0, 1, 2)
WIDE = NumberRange(1, 2_000_000, 0)
LARGE = NumberRange(0, 10_000, 2)


@pytest.mark.parametrize(
    ("typed", "number_range", "number"),
    [
        ("0.25", SHARE, 0.25),
        ("0,25", SHARE, 0.25),
        (",25", SHARE, 0.25),
        ("1,", SHARE, 1),
        ("1.000", SHARE, 1),
        ("0,250", SHARE, 0.25),
        ("٠٫٢٥", SHARE, 0.25),
        ("０．２５", SHARE, 0.25),
        ("0,256", SHARE, 0.26),
        ("1,5 %", NumberRange(0, 100, 2), 1.5),
        ("1000", WIDE, 1000),
        ("1,000", WIDE, 1000),
        ("1.000", WIDE, 1000),
        ("1 000", WIDE, 1000),
        ("1\u202f000", WIDE, 1000),
        ("1’000", WIDE, 1000),
        ("١٬٠٠٠", WIDE, 1000),
        ("1.000.000", WIDE, 1_000_000),
        ("10,00,000", WIDE, 1_000_000),
        ("5,0", WIDE, 5),
        ("1.000,5", LARGE, 1000.5),
        ("1,000.5", LARGE, 1000.5),
    ],
)
def test_reads_what_people_write(typed, number_range, number):
    assert read_number(typed, number_range) == number


@pytest.mark.parametrize(
    ("typed", "number_range", "why"),
    [
        ("", SHARE, "No number was entered."),
        ("abc", SHARE, "“abc” is not a number."),
        (".", SHARE, "“.” is not a number."),
        ("0,2.5,1", SHARE, "“0,2.5,1” is not a number."),
        ("25", SHARE, "“25” is not from 0 to 1."),
        ("-1", SHARE, "“-1” is not from 0 to 1."),
        ("1.5", WIDE, "“1.5” is not a whole number."),
        ("3,000,000", WIDE, "“3,000,000” is not from 1 to 2,000,000."),
        ("1.000", LARGE, "“1.000” can mean 1 or 1,000."),
        ("1e3", WIDE, "“1e3” is not a number."),
    ],
)
def test_says_what_it_cannot_read(typed, number_range, why):
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        read_number(typed, number_range)


@pytest.fixture
def make_box(qtbot):
    def make(decimals, low, high, locale="en_US"):
        box = NumberBox(decimals)
        box.setLocale(QLocale(locale))
        box.setRange(low, high)
        box.setAccessibleName("Listed from")
        return qtbot.shown(box)

    return make


def enter(box, text):
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


@pytest.mark.parametrize("locale", ["de_DE", "en_US", "ar_EG"])
@pytest.mark.parametrize("typed", ["0,25", "0.25"])
def test_a_field_takes_comma_and_point_in_every_locale(make_box, locale, typed):
    box = make_box(2, 0, 1, locale)

    enter(box, typed)

    assert box.value() == 0.25


@pytest.mark.parametrize("locale", ["de_DE", "en_US", "ar_EG", "fr_FR", "de_CH", "hi_IN"])
def test_a_field_reads_what_it_shows(make_box, locale):
    box = make_box(0, 1, 2_000_000, locale)
    box.setGroupSeparatorShown(True)
    box.setSuffix("\N{NO-BREAK SPACE}%")
    box.setValue(1_234_567)
    box.setFocus()
    shown = box.text()

    box.selectAll()
    box.lineEdit().insert(shown)
    QTest.keyClick(box, Qt.Key.Key_Return)

    assert box.value() == 1_234_567
    assert box.text() == shown


@pytest.mark.parametrize("typed", ["0,x", "25", "-", "1.2.3"])
def test_what_cannot_be_read_keeps_the_old_value_and_says_so(make_box, qtbot, typed):
    box = make_box(2, 0, 1)
    box.setValue(0.1)

    refused = qtbot.until(box.refused, enter, box, typed)

    assert box.value() == 0.1
    assert box.text() == "0.10"
    assert f"“{typed}”" in refused[0]
    assert "“Listed from” stays 0.10." in refused[0]


def test_leaving_a_field_takes_what_was_typed(make_box, qtbot):
    box = make_box(2, 0, 1)
    box.activateWindow()
    qtbot.waitUntil(box.isActiveWindow)
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "0,7")

    box.clearFocus()

    assert box.value() == 0.7


@pytest.fixture
def pairs():
    rng = np.random.default_rng(1)
    resemblances = rng.uniform(0.1, 1, 64)
    background = rng.beta(0.6, 20, 2000)
    known = known_of(resemblances, background=background)
    return folder_of(resemblances, background, documents=212, listed=64, known=known)


@pytest.fixture
def panel(qtbot):
    return qtbot.shown(ThresholdPanel(ThresholdModel()), 355, 640)


def text_of(panel):
    return panel._forecast.accessibleDescription()


def ghosts(panel):
    return [name for _state, name in panel.curve.ghosts]


def test_moving_a_slider_reports_and_shows_everywhere(panel, qtbot):
    changed = qtbot.until(panel.model.moved, panel._rows.slider.setValue, 4)

    assert changed == [ThresholdState(32, 4, 0.1, 128, wanted_bands=64)]
    assert panel._bands.box.value() == 32
    assert panel._bands.slider.value() == 32
    assert "64 → 32" in panel._signature.text()


def test_values_from_outside_are_shown_and_not_reported(panel, qtbot):
    with qtbot.assertNotEmitted(panel.model.moved, wait=80):
        panel.model.set_state(ThresholdState(14, 8, 0.8, 256))

    assert panel._rows.box.value() == 8
    assert panel._threshold.box.value() == 0.8
    assert panel._bands.box.maximum() == 256


def test_more_rows_than_the_slider_shows_can_be_entered(panel):
    panel._rows.box.setValue(40)

    assert (panel.model.state.bands, panel.model.state.rows) == (3, 40)
    assert panel._rows.box.value() == 40


def test_the_line_can_be_dragged(panel, qtbot):
    qtbot.until(panel.model.moved, drag, panel.curve, (0.1, 0.7), (0.4, 0.7))

    assert panel.model.state.min_resemblance == pytest.approx(0.4, abs=0.02)
    assert (panel.model.state.bands, panel.model.state.rows) == (64, 2)


def test_beside_the_line_nothing_is_dragged(panel, qtbot):
    with qtbot.assertNotEmitted(panel.model.moved):
        drag(panel.curve, (0.3, 0.7), (0.4, 0.7))


def test_b_and_r_follow_when_asked_to(panel):
    panel._follow.setChecked(True)
    panel._threshold.slider.setValue(50)

    assert (panel.model.state.bands, panel.model.state.rows) == (25, 5)


def test_words_speak_of_the_folder_and_of_the_curve_without_one(panel, pairs):
    assert "A finished scan" in text_of(panel)

    panel.model.set_folder(pairs)
    assert "Lists 64 pairs of 212 documents." in text_of(panel)
    assert text_of(panel) in panel.curve.accessibleDescription()
    assert panel.curve.bars is pairs.bars

    panel.model.set_folder(None)
    assert "A finished scan" in text_of(panel)
    assert panel.curve.bars is None


def test_log_scale_changes_the_bars(panel, pairs):
    panel.model.set_folder(pairs)
    before = panel.curve.grab().toImage()

    panel._logarithmic.setChecked(False)

    assert panel.curve.grab().toImage() != before


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
    panel._wishes._at_most.setValue(0.1)
    panel._wishes._ask.click()
    assert "No b × r" in panel._wishes._answer.text()
    assert panel.model.state.bands == 35


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
    monkeypatch.setattr(QToolTip, "showText", lambda _position, text, _widget: shown.append(text))
    panel.model.set_folder(pairs)
    plot = panel.curve
    point = plot.scale.point(0.5, 0.5).toPoint()

    event = QHelpEvent(QEvent.Type.ToolTip, point, plot.mapToGlobal(point))
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
    assert image.text("Description") == panel.curve.accessibleDescription()


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
        qapp.processEvents()
        for widget in (panel.curve, panel):
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
    assert "of 64 bits differ" in panel.curve.accessibleDescription()

    changed = qtbot.until(panel.model.moved, panel._distance.slider.setValue, 5)
    assert changed == [ThresholdState(64, 2, 0.1, 128, 5, "simhash")]
    assert panel._distance.box.value() == 5

    panel.model.set_state(ThresholdState(64, 2, 0.1, 128))
    assert all(widget.isVisible() for widget in bands)
    assert panel._distance.box.isHidden()


def test_following_waits_for_bands(panel, qtbot):
    panel._follow.setChecked(True)
    panel.model.set_state(ThresholdState(64, 2, 0.1, 128, 3, "simhash"))

    changed = qtbot.until(panel.model.moved, panel._threshold.slider.setValue, 50)

    assert changed[0].min_resemblance == 0.5
    assert (panel.model.state.bands, panel.model.state.rows) == (64, 2)


def test_a_pinned_curve_of_simhash_is_named_by_its_distance(panel):
    panel.model.set_state(ThresholdState(64, 2, 0.1, 128, 3, "simhash"))
    panel._pin.click()

    assert ghosts(panel) == ["d = 3 (pinned)"]


def test_a_threshold_is_shown_as_it_was_given(panel, qtbot):
    panel.model.set_state(ThresholdState(64, 2, 0.125, 128))
    assert panel._threshold.box.text() == "0.125"
    assert panel._threshold.slider.value() == 12

    assert qtbot.until(panel.model.moved, panel._rows.box.setValue, 3)[0].min_resemblance == 0.125

    panel.model.set_state(ThresholdState(64, 2, 0.1, 128))
    assert panel._threshold.box.text() == "0.10"
    panel._threshold.box.stepUp()
    assert panel._threshold.box.text() == "0.11"
