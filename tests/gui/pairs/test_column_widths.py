"""Where the table of pairs is narrow, columns give way to the names and the verdict."""

from __future__ import annotations

import numpy as np
import pytest

import core.evidence.passages
from core.evidence.pairs import Pairs
from neardup_gui.models.pairs.columns import MOST, Column, Role, Thumbnail, Thumbnails, ranked
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.views.pairs.table import PairsTable

ROWS = 5_000


def _pairs(count: int) -> Pairs:
    zeros = {name: np.zeros(count, one.dtype) for name, one in vars(Pairs.empty()).items()}
    return Pairs(**zeros)


def _keys() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    shares = rng.random(ROWS)
    few = shares.round(2)
    few[::7] = -0.0
    few[1::7] = 0.0
    return {
        "shares": shares,
        "few shares": few,
        "single": rng.random(ROWS).astype(np.float32),
        "large": np.concatenate([shares[1:] * 1e300, [np.inf]]),
        "documents": rng.integers(0, 200_000, ROWS).astype(np.int32),
        "below zero": rng.integers(-3, 3, ROWS).astype(np.int32),
        "long": rng.integers(0, 1 << 60, ROWS),
        "bytes": rng.integers(0, 9, ROWS).astype(np.uint8),
        "one": np.full(ROWS, 0.5),
    }


@pytest.mark.parametrize("name", _keys())
@pytest.mark.parametrize("ascending", [True, False])
def test_equal_rows_keep_the_order_of_their_rank(name, ascending):
    keys = _keys()[name]
    signed = keys if ascending else -keys.astype(np.longdouble)
    expected = sorted(range(ROWS), key=lambda row: signed[row])
    assert ranked(_pairs(ROWS), keys, ascending=ascending).tolist() == expected


@pytest.mark.parametrize("count", [0, 1])
def test_next_to_no_rows_are_ordered(count):
    keys = np.zeros(count)
    assert ranked(_pairs(count), keys, ascending=False).tolist() == list(range(count))


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


def test_rows_in_sight_are_measured_where_overlaps_are_not_known_and_stay(scanned, qtbot):
    pairs, result = scanned.presenter.pairs, scanned.presenter.current.result
    qtbot.waitUntil(lambda: len(known(scanned)) == pairs.rowCount())
    order = [pairs.key_at(row) for row in range(pairs.rowCount())]
    measured = [pairs.index(row, Column.OVERLAP).data() for row in range(pairs.rowCount())]

    unknown = result.pairs.without_passages()
    pairs.set_pairs(unknown, result.names, result.settings, pairs.verdicts)
    cell = pairs.index(0, Column.OVERLAP)
    assert (cell.data(), cell.data(int(Role.MARK))) == ("–", "not measured")

    def overlaps():
        return [pairs.index(row, Column.OVERLAP).data() for row in range(pairs.rowCount())]

    qtbot.waitUntil(lambda: overlaps() == measured)
    assert [pairs.key_at(row) for row in range(pairs.rowCount())] == order
    assert (unknown.overlap < 0).all()  # what reports are made of is not touched


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


STAYING = {
    Column.RANK,
    Column.DOCUMENT_A,
    Column.DOCUMENT_B,
    Column.OVERLAP,
    Column.VERDICT,
}


@pytest.fixture
def table(qtbot):
    table = PairsTable(PairsModel())
    qtbot.addWidget(table)
    table.show()
    return table


def shown(table):
    return {column for column in Column if not table.isColumnHidden(column)}


def width_at(table, *columns):
    """The narrowest table that shows these columns."""
    return next(width for width in range(300, 3000, 10) if is_shown(table, width, columns))


def is_shown(table, width, columns):
    table.resize(width, 300)
    return shown(table).issuperset(columns)


def test_a_wide_table_shows_every_column(table):
    table.resize(3000, 300)

    assert shown(table) == set(Column)


def test_the_verdict_is_in_sight_in_the_narrowest_table_that_has_room_for_it(table):
    table.resize(300, 300)

    assert shown(table) == STAYING
    table.resize(table.horizontalHeader().length() + table.width() - table.viewport().width(), 300)
    assert table.horizontalScrollBar().maximum() == 0
    last = table.columnViewportPosition(Column.VERDICT) + table.columnWidth(Column.VERDICT)
    assert last <= table.viewport().width()


def test_columns_come_back_in_the_order_in_which_they_are_asked_for(table):
    widths = [
        width_at(table, Column.CONTAINMENT_A),
        width_at(table, Column.LONGEST_RUN),
        width_at(table, Column.SHARED_SHINGLES),
        width_at(table, Column.FOUND_BY),
    ]

    assert widths == sorted(widths)
    assert len(set(widths)) == len(widths)


def test_the_column_that_the_table_is_ordered_by_does_not_give_way(table):
    table.resize(300, 300)

    table.sort_by(Column.FOUND_BY)
    assert shown(table) == STAYING | {Column.FOUND_BY}
    table.sort_by(Column.RANK)
    assert shown(table) == STAYING
