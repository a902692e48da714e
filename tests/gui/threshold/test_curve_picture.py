"""The curve as a picture: from the menu, by keys, whole or not at all; settings that fail."""

from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtSvg import QSvgRenderer

from core.settings import ScanSettings
from neardup_gui.environment.theme import Scheme
from neardup_gui.models.threshold import ThresholdModel
from neardup_gui.models.workbench.chances import sheet_words
from neardup_gui.views.shell import dialogs
from neardup_gui.views.threshold.panel import picture_of
from neardup_gui.views.threshold.plot import CurvePlot
from neardup_gui.views.workbench.large_curve import PLOT, sheet
from neardup_gui.window import files
from neardup_gui.window.actions import Action

SVG = "{http://www.w3.org/2000/svg}"
TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)


@pytest.fixture
def scanned(window, tmp_path, qtbot):
    folder = tmp_path / "essays"
    folder.mkdir()
    for name, end in (("one.txt", ""), ("two.txt", "And that was all.")):
        (folder / name).write_text(TREES + end)
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    return window


@pytest.fixture
def answer(monkeypatch):
    """What the user chooses in the dialog."""
    suggested = []

    def choose(path):
        def ask(_parent, suggestion):
            suggested.append(suggestion.name)
            return path

        monkeypatch.setattr(files, "ask_for_picture", ask)
        return suggested

    return choose


def said(window):
    return window.message_bar.accessibleName()


def export(window, qtbot):
    with qtbot.waitSignal(window.presenter.said):
        qtbot.keyClick(
            window,
            Qt.Key.Key_E,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )


def test_the_curve_is_exported_as_lines_and_as_pixels(scanned, tmp_path, qtbot, answer):
    suggested = answer(tmp_path / "curve.svg")
    export(scanned, qtbot)
    assert said(scanned) == "Saved the curve to curve.svg."
    assert QSvgRenderer(str(tmp_path / "curve.svg")).isValid()

    answer(tmp_path / "curve.png")
    export(scanned, qtbot)
    assert not QImage(str(tmp_path / "curve.png")).isNull()
    assert suggested == ["essays-curve.svg"] * 2
    assert scanned._preferences.export_folder == str(tmp_path)


def test_nothing_is_written_when_the_user_thinks_better_of_it(scanned, tmp_path, answer):
    before = sorted(tmp_path.iterdir())
    answer(None)

    scanned._actions[Action.EXPORT_CURVE].trigger()

    assert sorted(tmp_path.iterdir()) == before


def test_a_picture_that_cannot_be_written_leaves_the_old_one(scanned, tmp_path, qtbot, answer):
    (tmp_path / "curve.svg").mkdir()
    answer(tmp_path / "curve.svg")
    export(scanned, qtbot)
    assert "is a folder or a device" in said(scanned)

    old = tmp_path / "curve.png"
    old.write_bytes(b"old")
    answer(old)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.base.files.os.fsync", lambda _file: 1 / 0)
        with qtbot.waitSignal(scanned.presenter.broke):
            scanned._actions[Action.EXPORT_CURVE].trigger()
    assert old.read_bytes() == b"old"
    assert not list(tmp_path.glob(".neardup*"))


def test_without_a_folder_there_is_no_curve_to_export(window):
    assert not window._actions[Action.EXPORT_CURVE].isEnabled()


def large(window, tmp_path, qtbot, answer, name="large.svg"):
    window._navigation.go_to_curve()
    answer(tmp_path / name)
    export(window, qtbot)
    return tmp_path / name


def words_of(file):
    """The words in a picture of lines, and its description; where lines end does not matter."""
    root = ET.parse(file).getroot()
    drawn = "".join("".join(one.itertext()) for one in root.iter(f"{SVG}text"))
    told = "".join("".join(one.itertext()) for one in root.iter(f"{SVG}desc"))
    return drawn.replace(" ", ""), told


def test_in_its_tab_the_large_curve_is_exported_with_its_words(scanned, tmp_path, qtbot, answer):
    drawn, told = words_of(large(scanned, tmp_path, qtbot, answer))

    assert drawn.startswith("essays")
    for words in ("Complete", "Lists 1 pair of 2 documents", "Shingles: words, k = 5"):
        assert words.replace(" ", "") in drawn.replace("\N{NO-BREAK SPACE}", "")
    assert "64 bands of 2 rows" in told
    assert "two.txt" in told  # the pair at hand


def test_the_large_picture_is_of_paper_whatever_the_window_is(scanned, tmp_path, qtbot, answer):
    first = QImage(str(large(scanned, tmp_path, qtbot, answer, "one.png")))
    scanned._appearance.set_scheme(Scheme.DARK)
    scanned.resize(900, 600)
    second = QImage(str(large(scanned, tmp_path, qtbot, answer, "two.png")))

    assert first.width() == second.width() == 3 * PLOT.width()
    assert first.pixelColor(5, 5) == second.pixelColor(5, 5) == QColor("white")
    assert first == second


def test_the_large_picture_shows_what_is_in_sight(scanned, tmp_path, qtbot, answer):
    whole = words_of(large(scanned, tmp_path, qtbot, answer))[0]
    scanned.pages.curve.large.plot.show_range(0.0, 0.3)
    near = words_of(large(scanned, tmp_path, qtbot, answer))[0]

    assert "0.25" not in whole
    assert "0.25" in near


def test_a_strange_name_of_a_folder_is_text_in_the_picture(qtbot):
    name = "<b>&\u202e" + "图" * 400
    model = ThresholdModel()
    words = sheet_words(name, model, ScanSettings())
    plot = CurvePlot(lambda _resemblance: "")
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
        ("a", "Picture of pixels (*.png)", "a.png"),
        ("a.b", "Picture of lines, for print (*.svg)", "a.b.svg"),
        ("a.PNG", "Picture of lines, for print (*.svg)", "a.PNG"),
        ("a", "", "a.svg"),
    ],
)
def test_a_picture_gets_the_ending_of_its_format(window, tmp_path, monkeypatch, chosen, kind, name):
    monkeypatch.setattr(
        dialogs.QFileDialog,
        "getSaveFileName",
        lambda *_arguments: (str(tmp_path / chosen), kind),
    )
    assert dialogs.ask_for_picture(window, tmp_path / "x.svg") == tmp_path / name


def test_settings_that_cannot_be_kept_are_said_once(make_window, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    broken = QSettings(str(tmp_path / "file" / "settings.ini"), QSettings.Format.IniFormat)
    window = make_window()
    window._preferences._store = broken

    window._preferences.text_size = 2
    assert said(window).startswith("Your settings cannot be saved to “")
    window.message_bar.dismiss()
    window._preferences.text_size = 3

    assert not window.message_bar.isVisible()
    assert window._preferences.text_size == 3


def test_that_settings_cannot_be_kept_is_seen_when_a_folder_is_opened(make_window, tmp_path, qtbot):
    (tmp_path / "file").touch()
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.txt").write_text("one two three four five six seven eight nine")
    window = make_window()
    window._preferences._store = QSettings(
        str(tmp_path / "file" / "settings.ini"), QSettings.Format.IniFormat
    )

    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([tmp_path / "texts"])

    assert said(window).startswith("Your settings cannot be saved to “")
    assert window.message_bar.isVisible()
