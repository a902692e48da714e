"""Widgets one below the other or side by side, said in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

Item: TypeAlias = QWidget | QLayout
# A number alone is a stretch of nothing; beside a widget or layout it is the stretch of that.
Part: TypeAlias = Item | int | tuple[Item, int] | tuple[QWidget, int, Qt.AlignmentFlag]
# On all sides; at the sides, above and below; left, above, right, below.
Margins: TypeAlias = int | tuple[int, int] | tuple[int, int, int, int] | QMargins

RULE = 1  # pixels of a line between two parts

Box = TypeVar("Box", bound=QBoxLayout)
Split = TypeVar("Split", bound=QSplitter)


def column_in(
    owner: QWidget, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """The layout of a widget, parts one below the other; what is None is as the style has it."""
    return _filled(QVBoxLayout(owner), parts, margins, spacing)


def row_in(
    owner: QWidget, *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """The same with parts side by side."""
    return _filled(QHBoxLayout(owner), parts, margins, spacing)


def column_of(
    *parts: Part, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Parts one below the other, for another layout to hold."""
    return _filled(QVBoxLayout(), parts, margins, spacing)


def row_of(*parts: Part, margins: Margins | None = None, spacing: int | None = None) -> QHBoxLayout:
    """The same with parts side by side."""
    return _filled(QHBoxLayout(), parts, margins, spacing)


def grid_in(
    owner: QWidget,
    *,
    margins: Margins,
    spacing: tuple[int, int],
    wide: int | None = None,
    least: int = 0,
) -> QGridLayout:
    """A grid as the layout of a widget, still empty; arguments as `grid_of`."""
    grid = grid_of(spacing=spacing, wide=wide, least=least)
    _set_margins(grid, margins)
    owner.setLayout(grid)
    return grid


def grid_of(*, spacing: tuple[int, int], wide: int | None = None, least: int = 0) -> QGridLayout:
    """A grid for another layout to hold, still empty.

    Args:
        spacing: Between columns and between rows.
        wide: The column that has the room that is left.
        least: The least width of the first column.
    """
    grid = QGridLayout()
    grid.setHorizontalSpacing(spacing[0])
    grid.setVerticalSpacing(spacing[1])
    grid.setColumnMinimumWidth(0, least)
    if wide is not None:
        grid.setColumnStretch(wide, 1)
    return grid


def rule() -> QFrame:
    """A line between what is above and below."""
    line = QFrame()
    line.setFixedHeight(RULE)
    line.setAutoFillBackground(True)
    line.setBackgroundRole(QPalette.ColorRole.Mid)
    return line


def split(splitter: Split, widgets: Sequence[QWidget], shares: Sequence[int]) -> Split:
    """A splitter with widgets that none can fold away, and their shares of more room."""
    splitter.setChildrenCollapsible(False)
    for index, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(index, share)
    return splitter


def _filled(
    layout: Box, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None
) -> Box:
    if margins is not None:
        _set_margins(layout, margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        item, stretch, *alignment = part if isinstance(part, tuple) else (part, 0)
        if isinstance(item, int):
            layout.addStretch(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item, stretch)
        else:
            layout.addWidget(item, stretch, *alignment)
    return layout


def _set_margins(layout: QLayout, margins: Margins) -> None:
    if isinstance(margins, QMargins):
        layout.setContentsMargins(margins)
    else:
        sides = (margins,) if isinstance(margins, int) else margins
        layout.setContentsMargins(*sides * (4 // len(sides)))
