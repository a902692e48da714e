"""The mark of a document: what it is for, and since when it is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale

from core.documents.model import Role
from core.text.language_names import UNKNOWN, language_name

if TYPE_CHECKING:
    from core.documents.model import Document


def name_of(code: str) -> str:
    """What a language is called where one is chosen."""
    return language_name(code) or "Unknown"


def as_told(told: str | None) -> str:
    """The choice of what the text tells; None where several texts tell different ones."""
    return "As detected" if told is None else f"Detected: {name_of(told)}"


def explained(language: str, told: str) -> str:
    """What the tool tip of a language says."""
    text = f"The text appears to be in {language_name(told)}."
    if told == UNKNOWN:
        text = (
            "The language could not be detected: the text is short, a list, or in a language "
            "that Neardup doesn’t know."
        )
    if language == told:
        return f"{text} Right-click the row to change it."
    return f"{name_of(language)}, set manually. {text}"


def mark_of(document: Document) -> str:
    """The mark of a document: "reference, gone since 22 Nov 2026"; "" for one without any."""
    role = "" if document.role is Role.REVIEW else str(document.role)
    absence = document.absence
    if absence is None:
        return role
    day = QDate(absence.since.year, absence.since.month, absence.since.day)
    since = f"{absence.kind} since {QLocale().toString(day, 'd MMM yyyy')}"
    return f"{role}, {since}" if role else since
