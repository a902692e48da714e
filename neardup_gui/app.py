"""Starts the application: settings, look, window; then, in the background, the engine."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import FrameType

import neardup_gui.environment.imports  # noqa: F401 - makes the imports below faster

# isort: split
from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QObject,
    QSettings,
    QSocketNotifier,
    Qt,
    QTimer,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from core.base.assets import resource
from core.base.messages import load_language, use_language
from core.base.wording import printable_text
from core.errors import SettingsError
from core.program.end_signals import EndRequestedError, end_signals_handled, status_of
from core.program.startup import language_of_system
from neardup_gui.environment.bug_reports import BugReporter, folder_reviews, start_log
from neardup_gui.environment.display_errors import reason
from neardup_gui.environment.language import apply_language
from neardup_gui.environment.preferences import Preferences
from neardup_gui.environment.system_settings import settings_for_all
from neardup_gui.jobs.tasks import SWITCH_INTERVAL
from neardup_gui.models.folder_reviews import FolderReviews
from neardup_gui.models.words.sentences import Message
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.window.layout import Appearance
from neardup_gui.window.main_window import MainWindow

gc.freeze()
gc.enable()


def run(paths: Sequence[Path], *, language_given: bool = False) -> int:
    """Open the window, on folders, a review or the start page; returns the exit status.

    It is in the language that was chosen in it, unless one is given for this time.
    """
    qInstallMessageHandler(_on_qt_message)
    application = Application(["neardup"])
    qInstallMessageHandler(None)
    _name(application)
    start_log()
    problem, for_all = "", None
    try:
        for_all = settings_for_all()
    except SettingsError as error:
        problem = str(error)
    preferences = Preferences(QSettings(), for_all)
    if preferences.language and not language_given:
        use_language(load_language(preferences.language))
    shown = ShownWindow(application, preferences, folder_reviews())
    if problem:
        shown.window.presenter.message_posted.emit(Message(problem, warning=True, lasting=True))
    application.file_opened.connect(lambda path: shown.window.presenter.open_paths([path]))
    interrupts = Interrupts(shown)
    with end_signals_handled(interrupts.note):
        QTimer.singleShot(0, shown.window, lambda: _begin(shown.window.presenter, paths))
        status = application.exec()
    return interrupts.status or status


class Application(QApplication):
    """On macOS, a double-clicked file is opened by the running program.

    Signals:
        file_opened: Its path.
    """

    file_opened = Signal(object)

    def event(self, event: QEvent) -> bool:
        """Emit the file that macOS opens."""
        if isinstance(event, QFileOpenEvent):
            self.file_opened.emit(Path(event.file()))
            return True
        return super().event(event)


class ShownWindow(QObject):
    """The window; a new one replaces it when another language is chosen.

    What is decided is in the review, so that this one is closed, and the review opened in the next.

    Attributes:
        window: The one that is shown now.
    """

    def __init__(
        self, application: QApplication, preferences: Preferences, of_folders: FolderReviews
    ) -> None:
        super().__init__(application)
        self._application = application
        self._preferences = preferences
        self._of_folders = of_folders
        self._reporter = BugReporter()
        self._reporter.install()
        self.window = self._make()

    def _make(self) -> MainWindow:
        window = build_window(self._application, self._preferences, self._of_folders)
        self._reporter.setParent(window)
        window.presenter.unexpected_error.connect(self._reporter.report)
        # The menu must be closed before its window is.
        queued = Qt.ConnectionType.QueuedConnection
        window.language_chosen.connect(self._change_language, queued)
        window.show()
        return window

    def _change_language(self, code: str) -> None:
        before = self.window
        destination = before.snapshot
        self._application.setQuitOnLastWindowClosed(False)
        is_closed = before.close()
        self._application.setQuitOnLastWindowClosed(True)
        if not is_closed:  # it shows why
            return
        self._preferences.language = code
        use_language(load_language(code or language_of_system(os.environ)))
        self.window = self._make()
        before.presenter.deleteLater()
        before.deleteLater()
        self.window.presenter.prepare()
        QTimer.singleShot(0, self.window, partial(self.window.go_to, destination))


def build_window(
    application: QApplication, preferences: Preferences, of_folders: FolderReviews | None = None
) -> MainWindow:
    """A window with its presenter; `of_folders` are the reviews that scans make."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    apply_language(application)
    appearance = Appearance(application, preferences)
    appearance.apply()
    presenter = Presenter(application, of_folders)
    return MainWindow(presenter, preferences, appearance)


def _begin(presenter: Presenter, paths: Sequence[Path]) -> None:
    presenter.prepare()
    if paths:
        presenter.open_paths(paths)


def _name(application: QApplication) -> None:
    application.setApplicationName("neardup")
    application.setApplicationDisplayName("Neardup")
    application.setOrganizationName("neardup")
    application.setDesktopFileName("neardup")
    application.setWindowIcon(QIcon(str(resource("icons/neardup.svg"))))


class Interrupts:
    """Closes the window on Ctrl+C in the terminal, on SIGTERM and at the end of the session.

    Python runs a handler only when the interpreter runs. The byte that every signal writes into a
    socket wakes Qt, and Qt the interpreter.
    """

    def __init__(self, shown: ShownWindow) -> None:
        self.status = 0
        self._shown = shown
        self._woken, self._waking = socket.socketpair()
        for end in (self._woken, self._waking):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._woken.fileno(), QSocketNotifier.Type.Read, shown)
        self._notifier.activated.connect(self._on_woken)
        signal.set_wakeup_fd(self._waking.fileno())

    def _on_woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(64)
        if self.status:  # safe here: nothing else is half done
            self._shown.window.close()

    def note(self, number: int, _frame: FrameType | None) -> None:
        """Remember a signal; a second one ends the process at once."""
        self.status = status_of(EndRequestedError(number))
        signal.signal(number, signal.SIG_DFL)


def _on_qt_message(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    """Write why Qt can open no window, and what to do, before Qt aborts."""
    if kind is QtMsgType.QtFatalMsg:
        _write_error(reason(message))
        os._exit(1)
    if kind is QtMsgType.QtCriticalMsg:
        _write_error(f"{message}\n")


def _write_error(words: str) -> None:
    if sys.stderr:  # None without a console
        sys.stderr.write(printable_text(words))
        sys.stderr.flush()
