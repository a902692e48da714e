"""The mark of a document that is not there, with the date as the user's language writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale

if TYPE_CHECKING:
    from core.documents.model import Absence

__all__ = ["mark_of"]


def mark_of(absence: Absence | None) -> str:
    """The mark of a document: "gone since 22 Nov 2026"; "" for one that is there."""
    if absence is None:
        return ""
    day = QDate(absence.since.year, absence.since.month, absence.since.day)
    return f"{absence.kind} since {QLocale().toString(day, 'd MMM yyyy')}"
