"""Why this pair: opened by link and menu, in words and as a picture, for the pair that is open."""

import pytest
from PySide6.QtCore import Qt

from neardup_gui.views.compare.header import GridPicture, WhyPanel
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.window.actions import Action

SHARED = (
    "Every tree that stands in the street is counted twice by the same two careful people. " * 3
)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.txt").write_text(
            f"{SHARED} But {name} wrote {name} words that nobody else did.", encoding="utf-8"
        )
    return folder


@pytest.fixture
def read(window, folder, qtbot):
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.pair.open_again()
    return window.compare_pane.view.header


def test_the_link_opens_the_words_and_closes_them(read, qtbot):
    panel = read.findChild(WhyPanel)
    link = next(one for one in read.findChildren(LinkLabel) if one.text() == "Why this pair")
    assert panel.isHidden()
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert panel.isVisible()
    assert "band" in panel.words
    assert "resemblance" in panel.words
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert panel.isHidden()


def test_the_grid_has_the_bands_of_the_list(read, window, qtbot):
    window._actions[Action.WHY].trigger()
    grid = read.findChild(GridPicture)
    settings = window.presenter.current.settings
    assert grid.isVisible()
    assert f"{settings.bands} bands of {settings.rows}" in grid.toolTip()
    assert "values are the same in both" in grid.accessibleDescription()
    painted = grid.grab().toImage()
    assert len({painted.pixel(x, 4) for x in range(painted.width())}) > 2


def test_open_words_count_the_documents_of_each_passage(read, window, qtbot):
    panel = read.findChild(WhyPanel)
    with qtbot.waitSignal(window.presenter.why.told):
        window._actions[Action.WHY].trigger()
    assert "There is no other document that could have its passages." in panel.words
    window._actions[Action.SWAP_SIDES].trigger()
    assert "There is no other document that could have its passages." in panel.words
