"""A window with the real engine behind it, off screen, with its own settings; a pair’s view."""

import pytest
from PySide6.QtCore import QEvent, QLocale, QSettings
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from neardup_gui.app import build_window
from neardup_gui.environment.preferences import Preferences
from neardup_gui.views.compare.view import CompareView
from tests.texts import TREES, folder_with

NET = 300_000  # milliseconds; the first scan on a machine compiles the engine


_all_parameters = SignalBlocker.get_params_as_str


def _parameters_at_timeout(announced):
    """Format the arguments of a signal only where they are read: one may be a report."""
    return "" if announced.signal_triggered else _all_parameters(announced)


SignalBlocker.get_params_as_str = _parameters_at_timeout


class PatientBot(QtBot):
    """Waits for what is to happen however busy the machine is."""

    def waitSignal(self, signal, *, timeout=NET, **options):
        return super().waitSignal(signal, timeout=timeout, **options)

    def until(self, signal, act, *given, **named):
        """Do something and wait until it is announced; what is said with that."""
        with self.waitSignal(signal) as announced:
            act(*given, **named)
        return announced.args

    def waitSignals(self, signals, *, timeout=NET, **options):
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitUntil(self, callback, *, timeout=NET):
        return super().waitUntil(callback, timeout=timeout)

    def waitExposed(self, widget, *, timeout=NET):
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget, *, timeout=NET):
        return super().waitActive(widget, timeout=timeout)

    def shown(self, widget, *size):
        """Show a widget that is closed with the test, in this size or its own."""
        self.addWidget(widget)
        if size:
            widget.resize(*size)
        with self.waitExposed(widget):
            widget.show()
        return widget


@pytest.fixture
def qtbot(qapp, request):
    return PatientBot(request)


@pytest.fixture
def store(tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("signature_asked", True)
    return settings


@pytest.fixture
def make_window(qtbot, qapp, store):
    font, locale, direction = qapp.font(), QLocale(), qapp.layoutDirection()
    windows = []

    def make(for_all=None):
        window = build_window(qapp, Preferences(store, for_all))
        windows.append(window)
        window.resize(1280, 800)
        window.show()
        return window

    yield make
    for window in windows:
        window.close()
        window.deleteLater()
        window.presenter.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.setFont(font)
    qapp.setLayoutDirection(direction)
    QLocale.setDefault(locale)


@pytest.fixture
def window(make_window):
    return make_window()


@pytest.fixture
def folder(tmp_path):
    """Two texts that are nearly the same."""
    texts = {"one.txt": TREES, "two.txt": f"{TREES}And that was all."}
    return folder_with(tmp_path / "essays", texts)


@pytest.fixture
def scanned(window, folder, qtbot):
    """The window with its first pair laid out."""
    qtbot.until(window.presenter.pair.compared, window.presenter.open_folders, [folder])
    return window


@pytest.fixture
def opened_files(monkeypatch):
    """The files and folders that the system was asked to open."""
    paths = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: paths.append(url.toLocalFile()) or True
    )
    return paths


@pytest.fixture
def english_numbers():
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def view(qtbot):
    return qtbot.shown(CompareView(), 900, 600)
