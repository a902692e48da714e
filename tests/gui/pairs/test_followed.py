"""The selected pair and its exchanged sides stay while its files are renamed, converted, edited."""

import pytest

from neardup_gui.models.pairs.columns import Column

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)
NAMES = ("three.txt", "two.txt")  # of the selected pair; as it is seen, exchanged


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    for name, end in (
        ("copy of two.txt", "And that was all."),
        ("one.txt", ""),
        ("three.txt", "Nobody could say when the buoy had been painted green, or by whom."),
        ("two.txt", "And that was all."),
    ):
        (folder / name).write_text(TREES + end)
    return folder


@pytest.fixture
def exchanged(window, folder, qtbot):
    """The pair of three.txt and two.txt is selected, and two.txt is on the left."""
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    model = window.presenter.pairs
    rows = [row for row in range(model.rowCount()) if model.key_at(row).names == NAMES]
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.pages.pairs.table.select_row(rows[0])
    window.presenter.pair.swap()
    assert seen(window) == ("two.txt", "three.txt")
    return window


def rescan(window, qtbot):
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.rescan()
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)


def seen(window):
    """The names in the selected row, which the table selects and the header tells, too."""
    index = window.pages.pairs.table.currentIndex()
    names = tuple(
        index.siblingAtColumn(column).data() for column in (Column.DOCUMENT_A, Column.DOCUMENT_B)
    )
    assert set(window.pages.pairs.table.selected_key.names) == set(names)
    header = window.compare_pane.view.header._names._documents
    assert tuple(document.name.text() for document in header) == names
    return names


@pytest.mark.parametrize("name", ["zwei.txt", "2.txt", "two.md"])
def test_a_renamed_file_keeps_the_pair_and_its_sides(exchanged, folder, qtbot, name):
    (folder / "two.txt").rename(folder / name)
    rescan(exchanged, qtbot)
    assert seen(exchanged) == (name, "three.txt")

    (folder / name).write_text(TREES + "And that was nearly all.")
    rescan(exchanged, qtbot)
    assert seen(exchanged) == (name, "three.txt")

    exchanged.presenter.pair.swap()
    assert seen(exchanged) == ("three.txt", name)
    (folder / name).rename(folder / "two.txt")
    rescan(exchanged, qtbot)
    assert sorted(seen(exchanged)) == ["three.txt", "two.txt"]


def test_a_moved_and_a_converted_file_keep_the_pair_and_its_sides(exchanged, folder, qtbot):
    (folder / "old").mkdir()
    (folder / "two.txt").rename(folder / "old" / "two.txt")
    text = (folder / "three.txt").read_text()
    (folder / "three.txt").unlink()
    (folder / "three.html").write_text(f"<p>{text}</p>")

    rescan(exchanged, qtbot)

    assert seen(exchanged) == ("old/two.txt", "three.html")


def test_an_edited_file_keeps_them_though_a_copy_has_its_text(exchanged, folder, qtbot):
    (folder / "two.txt").write_text(TREES + "And that was not all.")

    rescan(exchanged, qtbot)

    assert seen(exchanged) == ("two.txt", "three.txt")
    assert "not all" in exchanged.compare_pane.view.panes[0].toPlainText()
