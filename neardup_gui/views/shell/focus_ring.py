"""Going from pane to pane with one key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


@runtime_checkable
class HasEntry(Protocol):
    """A pane that is entered elsewhere than at its first field.

    Not a focus proxy of Qt: Tab would go straight to it and pass over all that stands before it.
    """

    @property
    def entry(self) -> QWidget:
        """What gets the focus."""


def has_focus(pane: QWidget) -> bool:
    """Whether the focus is somewhere in a pane."""
    focused = QApplication.focusWidget()
    return focused is not None and (focused is pane or pane.isAncestorOf(focused))


def focus_next_pane(panes: Sequence[QWidget]) -> None:
    """Give the focus to the visible pane after the one that has it."""
    visible = [pane for pane in panes if pane.isVisible()]
    if not visible:
        return
    current = next((n for n, pane in enumerate(visible) if has_focus(pane)), -1)
    pane = visible[(current + 1) % len(visible)]
    entry = pane.entry if isinstance(pane, HasEntry) else _first_stop(pane)
    entry.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _first_stop(pane: QWidget) -> QWidget:
    """The first widget in a pane that Tab would reach."""
    widget = pane.nextInFocusChain()
    while widget is not None and widget is not pane:
        if pane.isAncestorOf(widget) and _takes_focus(widget):
            return widget
        widget = widget.nextInFocusChain()
    return pane


def _takes_focus(widget: QWidget) -> bool:
    """Viewports say they do, but hand it on to their scroll area."""
    by_tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    own = widget.focusProxy() is None
    return bool(by_tab) and own and widget.isVisible() and widget.isEnabled()
