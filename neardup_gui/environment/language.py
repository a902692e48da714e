"""Qt in the language of the program: its own words, its numbers, from which side one reads."""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from core.base.messages import ENGLISH, language


def apply_language(application: QApplication) -> None:
    """Have Qt's dialogs and fields follow the language of the program."""
    locale = _locale(language().code)
    QLocale.setDefault(locale)
    application.setLayoutDirection(locale.textDirection())
    for former in application.findChildren(QTranslator):
        application.removeTranslator(former)
        former.deleteLater()
    if language().code != ENGLISH:
        words = QTranslator(application)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if words.load(locale, "qtbase", "_", folder):
            application.installTranslator(words)


def _locale(code: str) -> QLocale:
    """How numbers are written; with the figures 0 to 9, as in the rest of the program."""
    locale = QLocale(code)
    if locale.zeroDigit() != "0":  # of Arabic, which is written with either
        locale = QLocale(locale.language(), QLocale.Country.UnitedArabEmirates)
    return locale
