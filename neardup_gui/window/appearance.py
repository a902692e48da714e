"""Colours and text size, as the user chose them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from neardup_gui.environment.preferences import Preferences
from neardup_gui.environment.theme import Scheme, Theme

SMALLEST = 6.0


class Appearance(QObject):
    """Applies and remembers how the application looks.

    Signals:
        text_resizing: The text is about to get another size.
        text_resized: It has it.
    """

    text_resizing = Signal()
    text_resized = Signal()

    def __init__(self, application: QApplication, preferences: Preferences) -> None:
        super().__init__(application)
        self._application = application
        self._preferences = preferences
        self._theme = Theme(application)
        self._normal = application.font().pointSizeF()

    @property
    def scheme(self) -> Scheme:
        """The colours chosen."""
        return self._theme.scheme

    def apply(self) -> None:
        """Look as remembered."""
        self._theme.apply(self._preferences.scheme)
        self._apply_text_size()

    def set_scheme(self, scheme: Scheme) -> None:
        """Use other colours."""
        self._preferences.scheme = scheme
        self._theme.apply(scheme)

    def enlarge_text(self) -> None:
        """One point more."""
        self._set_text_size(self._preferences.text_size + 1)

    def shrink_text(self) -> None:
        """One point less."""
        self._set_text_size(self._preferences.text_size - 1)

    def reset_text(self) -> None:
        """The size of the system."""
        self._set_text_size(0)

    def _set_text_size(self, size: int) -> None:
        self.text_resizing.emit()
        self._preferences.text_size = size
        self._apply_text_size()
        self.text_resized.emit()

    def _apply_text_size(self) -> None:
        font = QFont(self._application.font())
        font.setPointSizeF(max(self._normal + self._preferences.text_size, SMALLEST))
        self._theme.set_font(font)
