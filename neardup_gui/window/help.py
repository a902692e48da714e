"""Help: its pages, opened for the focused widget, and about this program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from core import __version__
from core.base.messages import ENGLISH, gettext, language
from core.errors import NeardupError
from neardup_gui.models.words.sentences import Message, Offer
from neardup_gui.views.widgets.containers import bring_forward

if TYPE_CHECKING:
    from neardup_gui.views.shell.help_window import HelpWindow

FIRST = "first-review"
KEYS = "keys"


class Help(QObject):
    """Makes its window when it is first needed.

    Signals:
        message_posted: A `Message` for the message bar.
        tour_wanted: Show the guided tour.
    """

    message_posted = Signal(object)
    tour_wanted = Signal()

    def __init__(self, text_sizes: Sequence[QAction], window: QWidget) -> None:
        super().__init__(window)
        self._text_sizes = text_sizes
        self._window = window
        self._made: HelpWindow | None = None

    def show_help(self) -> None:
        """Show the page about the widget of the tool tip, or about the focused widget."""
        explained = QApplication.widgetAt(QCursor.pos()) if QToolTip.isVisible() else None
        self._open(page_about(explained or QApplication.focusWidget()))

    def show_keys(self) -> None:
        """Show the page with all keys."""
        self._open(KEYS)

    def show_first_steps(self) -> None:
        """Show the page with the first steps."""
        self._open(FIRST)

    def announce_version(self) -> None:
        """Announce the version, the licence, and how readers are confined on this computer."""
        from core.documents.isolation.confinement import confinement_here  # loads all readers

        text = gettext(
            "Neardup {version} finds near-duplicate documents. MIT licence.", version=__version__
        )
        if language().code != ENGLISH:
            unread = gettext(
                "No native speaker has read this translation yet. Corrections are welcome."
            )
            text = f"{text} {unread}"
        text = f"{text} {confinement_here().sentence()}"
        self.message_posted.emit(
            Message(text, link=gettext("Licences"), target=Offer.READ_LICENCES)
        )

    def show_licences(self) -> None:
        """Show the licences of all parts of the program."""
        from core.program.licences import licence_pages
        from neardup_gui.views.shell.help_window import HelpWindow

        pages = licence_pages()
        shown = HelpWindow(pages, gettext("Licences"), parent=self._window)
        shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown.addActions(self._text_sizes)
        shown.show()
        for page in pages[:1]:
            shown.open_page(page.name)

    def _open(self, name: str) -> None:
        if self._made is None:
            try:
                self._made = self._make()
            except NeardupError as error:  # the pages are missing
                self.message_posted.emit(Message(str(error), warning=True))
                return
        bring_forward(self._made)  # first: a page is laid out again for each width
        self._made.open_page(name)

    def _make(self) -> HelpWindow:
        from core.base.assets import resource
        from core.program.help_pages import help_pages
        from neardup_gui.views.shell.help_window import HelpWindow

        title = gettext("Neardup Help")
        made = HelpWindow(help_pages(), title, resource("screenshots"), self._window)
        made.addActions(self._text_sizes)
        return made


def page_about(widget: QWidget | None) -> str:
    """The `help_page` of a widget, or of the nearest parent that has one."""
    while widget is not None:
        if name := getattr(widget, "help_page", ""):
            return str(name)
        widget = widget.parentWidget()
    return FIRST
