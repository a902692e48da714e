"""What happens at an unexpected exception: a log, and one dialog.

what the user can mend (`core.errors`)  ─▶ a sentence in the message bar
everything else                        ─▶ the log with its traceback, and the dialog below
"""

from __future__ import annotations

import logging
import platform
import sys
import threading
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QMessageBox,  # noqa: TID251 - the one dialog for bugs
    QWidget,
)

from core import __version__
from core.base.messages import gettext
from neardup_gui.models.folder_reviews import FolderReviews


def folder_reviews() -> FolderReviews:
    """The reviews that are made with scans; they stay on this computer."""
    location = QStandardPaths.StandardLocation.AppLocalDataLocation
    return FolderReviews(Path(QStandardPaths.writableLocation(location)) / "reviews")


def log_folder() -> Path:
    """Where warnings and worse are written."""
    location = QStandardPaths.StandardLocation.AppDataLocation
    return Path(QStandardPaths.writableLocation(location))


LOG_SIZE = 1_000_000
LOG_FILES = 3

log = logging.getLogger("neardup")


def start_log() -> Path | None:
    """Write warnings and worse to a file in the user's data folder; None where it cannot be."""
    path = log_folder() / "neardup.log"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            path, maxBytes=LOG_SIZE, backupCount=LOG_FILES, encoding="utf-8", delay=True
        )
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    return path


def describe(error: BaseException) -> str:
    """Everything a developer needs to know about an error."""
    about = (
        f"Neardup {__version__}, Python {platform.python_version()}, "
        f"PySide {PySide6.__version__}, {platform.platform()}"
    )
    return f"{about}\n\n{''.join(traceback.format_exception(error))}"


class BugReporter(QObject):
    """Logs exceptions that were not caught and tells the user, once at a time.

    The hooks may run on any thread: they only emit a signal.
    """

    _happened = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialog: QMessageBox | None = None
        self._happened.connect(self._on_happened, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Called with every exception that was not caught."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception

    def report(self, error: BaseException) -> None:
        """Log an error and show it; can be called from any thread."""
        log.error("unexpected error", exc_info=error)
        self._happened.emit(error)

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.report(error)

    def _on_thread_exception(self, hook: threading.ExceptHookArgs) -> None:
        if hook.exc_value is not None:
            self.report(hook.exc_value)

    @Slot(object)
    def _on_happened(self, error: BaseException) -> None:
        if self._dialog is not None:
            return  # the first is the one that matters; the log has them all
        self._dialog = _make_dialog(describe(error), self._parent_window())
        self._dialog.finished.connect(self._on_closed)
        self._dialog.show()

    @Slot()
    def _on_closed(self) -> None:
        self._dialog = None

    def _parent_window(self) -> QWidget | None:
        parent = self.parent()
        return parent if isinstance(parent, QWidget) else None


def _make_dialog(details: str, parent: QWidget | None) -> QMessageBox:
    dialog = QMessageBox(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setModal(False)
    dialog.setWindowTitle("Neardup")
    dialog.setIcon(QMessageBox.Icon.Warning)
    dialog.setTextFormat(Qt.TextFormat.PlainText)
    dialog.setText(gettext("Something went wrong."))
    dialog.setInformativeText(
        gettext(
            "Your files are unchanged and you can keep working. The details help us fix the "
            "problem."
        )
    )
    dialog.setDetailedText(details)
    dialog.addButton(QMessageBox.StandardButton.Close)
    copy = dialog.addButton(gettext("Copy details"), QMessageBox.ButtonRole.ActionRole)
    # A button of a message box closes it; this one must not.
    copy.clicked.disconnect()
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(details))
    return dialog
