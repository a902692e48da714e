"""The keys and menu entries that order the table."""

from __future__ import annotations

from functools import partial

from neardup_gui.models.pairs.columns import Column
from neardup_gui.views.pairs.table import PairsTable
from neardup_gui.window.actions import Action, Actions

__all__ = ["connect_sorting"]

COLUMNS = {
    Action.SORT_RANK: Column.RANK,
    Action.SORT_DOCUMENT_A: Column.DOCUMENT_A,
    Action.SORT_DOCUMENT_B: Column.DOCUMENT_B,
    Action.SORT_RESEMBLANCE: Column.RESEMBLANCE,
    Action.SORT_A_IN_B: Column.CONTAINMENT_A,
    Action.SORT_B_IN_A: Column.CONTAINMENT_B,
    Action.SORT_LONGEST_RUN: Column.LONGEST_RUN,
    Action.SORT_SHARED: Column.SHARED,
    Action.SORT_FOUND_BY: Column.FOUND_BY,
}


def connect_sorting(actions: Actions, table: PairsTable) -> None:
    """Let the actions order the table."""
    for action, column in COLUMNS.items():
        actions[action].triggered.connect(partial(table.sort_by, column))
