"""The small dot plots in the table: for the rows in sight only, kept, forgotten with the list."""

import numpy as np
import pytest

import core.evidence.passages
from neardup_gui.models.pairs.columns import MOST, Column, Role, Thumbnail, Thumbnails

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)
BUOY = (
    "Nobody could say when the buoy had been painted green, or by whom, and the harbour master "
    "did not care at all about it, as long as it floated and the lamp was lit every evening. "
)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    (folder / "a.txt").write_text(f"{TREES}\n\n{BUOY}")
    (folder / "b.txt").write_text(f"{BUOY}\n\n{TREES}")
    (folder / "c.txt").write_text(TREES)
    return folder


@pytest.fixture
def scanned(window, folder, qtbot):
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    return window


def thumbnail_at(pairs, row):
    return pairs.index(row, Column.RANK).data(int(Role.VALUE))


def known(window):
    pairs = window.presenter.pairs
    return [row for row in range(pairs.rowCount()) if thumbnail_at(pairs, row) is not None]


def test_rows_in_sight_get_a_picture_of_their_passages(scanned, qtbot):
    pairs = scanned.presenter.pairs
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())

    row = next(
        row for row in range(pairs.rowCount()) if pairs.key_at(row).names == ("a.txt", "b.txt")
    )
    lines = thumbnail_at(pairs, row).lines
    assert lines.shape == (2, 4)
    (x, y, to_x, to_y), (x_2, y_2, _, _) = sorted(lines.tolist())
    assert x < to_x <= x_2
    assert y_2 < y < to_y  # the second half comes first in B


def test_exchanged_sides_turn_the_picture(scanned, qtbot):
    pairs = scanned.presenter.pairs
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())
    key = pairs.key_at(0)
    before = thumbnail_at(pairs, 0).lines

    pairs.swap(key)

    after = thumbnail_at(pairs, pairs.row_of(key)).lines
    assert np.array_equal(after, before[:, [1, 0, 3, 2]])


def test_pictures_are_kept_while_rows_are_sorted_and_go_with_the_list(scanned, qtbot, monkeypatch):
    pairs = scanned.presenter.pairs
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())
    asked = []
    monkeypatch.setattr(
        core.evidence.passages, "find_shared_text", lambda *_: asked.append(1) or 1 / 0
    )

    scanned.pages.pairs.table.sort_by(Column.DOCUMENT_A)
    with qtbot.waitSignal(scanned.pages.pairs.seen_rows.seen):
        pass
    assert len(known(scanned)) == pairs.rowCount()
    assert asked == []

    pairs.clear()
    assert pairs.thumbnails.of(0, 1) is None


def test_only_what_is_in_sight_is_drawn(scanned, qtbot):
    pairs = scanned.presenter.pairs
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())
    pairs.thumbnails.clear()

    with qtbot.waitSignal(scanned.presenter.thumbnails.drawn):
        scanned.presenter.thumbnails.show_rows(1, 2)

    assert known(scanned) == [1]


def test_a_list_of_others_is_not_touched_by_a_late_picture(scanned, qtbot):
    session, pairs = scanned.presenter.thumbnails, scanned.presenter.pairs
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())
    result = scanned.presenter.current.result
    pairs.clear()

    session.show_rows(0, 3)
    assert known(scanned) == []
    assert result.names is not pairs.names


def test_the_oldest_picture_goes_first():
    thumbnails = Thumbnails()
    for number in range(MOST + 2):
        thumbnails.add((number, number + 1), Thumbnail(np.zeros((0, 4))))

    assert (1, 2) not in thumbnails
    assert (2, 3) in thumbnails


def test_painting_with_and_without_a_picture(scanned, qtbot):
    pairs, table = scanned.presenter.pairs, scanned.pages.pairs.table
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())
    drawn = table.grab().toImage()

    pairs.thumbnails.clear()

    assert table.grab().toImage() != drawn
