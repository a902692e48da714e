"""The mark of a document: its role, and since when it is missing."""

from __future__ import annotations

import re

from PySide6.QtCore import QDate, QLocale

from core.base.messages import N_, gettext, pgettext
from core.base.wording import UNKNOWN, comma_list, language_name
from core.documents.model import AbsenceKind, Document, Role

SINCE = {AbsenceKind.GONE: N_("gone since {day}"), AbsenceKind.NOT_READ: N_("not read since {day}")}


def name_of(code: str) -> str:
    """The name of a language in a choice."""
    return language_name(code) or gettext("Unknown")


def detected_language(detected: str | None) -> str:
    """The choice of the detected language; None where texts have different ones."""
    if detected is None:
        return gettext("As detected")
    return gettext("Detected: {language}", language=name_of(detected))


def explained(language: str, detected: str) -> str:
    """The tool tip of a language."""
    text = gettext("The text appears to be in {language}.", language=language_name(detected))
    if detected == UNKNOWN:
        text = gettext(
            "The language could not be detected: the text is short, a list, or in a language "
            "that Neardup doesn’t know."
        )
    if language == detected:
        return " ".join((text, gettext("Right-click the row to change it.")))
    return " ".join((gettext("{language}, set manually.", language=name_of(language)), text))


def mark_of(document: Document) -> str:
    """The mark of a document: "reference, gone since 22 Nov 2026"; "" for one without any."""
    marks = [] if document.role is Role.REVIEW else [gettext(document.role)]
    if document.absence is not None:
        kind, since = document.absence.kind, document.absence.since
        day = QDate(since.year, since.month, since.day)
        shown = QLocale().toString(day, pgettext("date", "d MMM yyyy"))
        marks.append(gettext(SINCE[kind], day=shown))
    return comma_list(marks) if marks else ""  # nearly all have none, of very many


def without_day(mark: str) -> str:
    """A mark without its date, which the tool tip has."""
    for kind, since in SINCE.items():
        before, _, after = map(re.escape, gettext(since).partition("{day}"))
        mark = re.sub(f"{before}[^,،，、]*{after}", gettext(kind), mark)
    return mark
