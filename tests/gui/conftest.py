"""A window with the real engine behind it, off screen, and settings of its own."""

import pytest
from PySide6.QtCore import QEvent, QLocale, QSettings
from PySide6.QtWidgets import QApplication

from neardup_gui.app import build_window
from neardup_gui.settings import Settings


@pytest.fixture
def store(tmp_path):
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def make_window(qtbot, qapp, store):
    font, locale = qapp.font(), QLocale()
    windows = []

    def make():
        window = build_window(qapp, Settings(store))
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
    QLocale.setDefault(locale)


@pytest.fixture
def window(make_window):
    return make_window()
