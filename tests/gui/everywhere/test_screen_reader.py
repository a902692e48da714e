"""What a screen reader is told of every field."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)

from core.evidence.pairs import PairFigures
from core.evidence.passage import Run
from core.evidence.passages import Passage
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.views.compare.view import CompareView

NAME, DESCRIPTION = QAccessible.Text.Name, QAccessible.Text.Description
LABEL = QAccessible.RelationFlag.Label
KINDS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)


def told(widget):
    return QAccessible.queryAccessibleInterface(widget)


def labels(widget):
    """The labels that a screen reader reads before a field."""
    relations = told(widget).relations()
    return [label.text(NAME) for label, relation in relations if relation & LABEL]


def fields_of(window):
    """What can be reached now."""
    return [
        field
        for kind in KINDS
        for field in window.findChildren(kind)
        if field.isVisible()
        and field.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not field.objectName().startswith("qt_")
        and not isinstance(field.parent(), QComboBox | QAbstractSpinBox | QLineEdit)
    ]


def test_every_field_has_a_name(window):
    for pane in (window._side_dock, window._compare_dock, window._tool_bar):
        pane.show()
    window.side_panels.set_detailed(True)
    window.side_panels.setup._edit.click()
    window.side_panels.reading.edit()
    fields = fields_of(window)
    assert len(fields) > 40

    assert [field for field in fields if not told(field).text(NAME)] == []


def test_a_choice_is_labelled_and_not_only_called_by_its_value(window):
    """On Linux Qt gives the value of a choice as its name; what it is about is its label."""
    combos = window.findChildren(QComboBox)
    assert len(combos) > 5

    for combo in combos:
        assert any(labels(combo)), combo.accessibleName()
        assert combo.accessibleName()


@pytest.fixture
def view(qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    return view


def pair_of(words):
    """Two texts that share so many words, or none."""
    text = "one " * max(words, 1)
    runs = (Run(0, len(text), 0, len(text), words),)
    passages = [Passage(0, len(text), 0, len(text), words, runs)] if words else []
    numbers = ComparisonNumbers(figures=PairFigures(0.5, 0.5, 0.5, words, words, words))
    return compare(("a.txt", "b.txt"), (text, text), numbers, passages)


def test_the_chips_are_told_of_the_pair_that_is_shown(view):
    view.show_comparison(pair_of(41))
    assert "41 words" in told(view.header.chips).text(DESCRIPTION)

    view.show_comparison(pair_of(77))

    assert "77 words" in told(view.header.chips).text(DESCRIPTION)
    assert "41" not in told(view.header.chips).text(DESCRIPTION)

    view.show_comparison(pair_of(0))

    assert view.header.chips.accessibleDescription() == ""
