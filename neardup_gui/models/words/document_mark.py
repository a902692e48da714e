"""The mark of a document: what it is for, and since when it is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale

from core.documents.model import Role

if TYPE_CHECKING:
    from core.documents.model import Document


def mark_of(document: Document) -> str:
    """The mark of a document: "reference, gone since 22 Nov 2026"; "" for one without any."""
    role = "" if document.role is Role.REVIEW else str(document.role)
    absence = document.absence
    if absence is None:
        return role
    day = QDate(absence.since.year, absence.since.month, absence.since.day)
    since = f"{absence.kind} since {QLocale().toString(day, 'd MMM yyyy')}"
    return f"{role}, {since}" if role else since
