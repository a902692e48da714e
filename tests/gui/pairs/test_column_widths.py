"""Where the table of pairs is narrow, columns give way to the names and the verdict."""

import pytest

from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.views.pairs.table import PairsTable

STAYING = {
    Column.RANK,
    Column.DOCUMENT_A,
    Column.DOCUMENT_B,
    Column.RESEMBLANCE,
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
        width_at(table, Column.SHARED),
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
