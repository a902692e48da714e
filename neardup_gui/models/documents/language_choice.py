"""What can be said of the languages of some documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.text.languages import LANGUAGE_NAMES, UNKNOWN, language_name
from neardup_gui.models.documents.listed import DocumentList
from neardup_gui.models.words import languages

MOST = 9  # of the languages of the folder that are offered at once
LETTERS = ("AB", "CDEF", "GHIJ", "KLM", "NOPQR", "STUVWXYZ")  # with which the others begin


class NamedLanguage(NamedTuple):
    """A language to choose; `code` is None for the one that is told from the text."""

    code: str | None
    name: str


class LanguageChoice(NamedTuple):
    """The languages that are offered for some documents.

    Attributes:
        title: What it is about, with the language that they have.
        now: The code of that; None where they have several.
        near: Those of the folder, and that it is not known.
        all: Every language, in parts by the first letters of the names.
        told: To go back to what the text tells; None where nothing else was said.
    """

    title: str
    now: str | None
    near: Sequence[NamedLanguage]
    all: Sequence[tuple[str, Sequence[NamedLanguage]]]
    told: NamedLanguage | None


def language_choice(listed: DocumentList, documents: Sequence[int]) -> LanguageChoice:
    """What is offered for some documents of a list, of which the languages are known."""
    codes = {listed.language_of(number) for number in documents}
    now = codes.pop() if len(codes) == 1 else None
    told = {listed.told_of(number) for number in documents}
    differ = any(listed.language_of(one) != listed.told_of(one) for one in documents)
    back = NamedLanguage(None, languages.as_told(told.pop() if len(told) == 1 else None))
    return LanguageChoice(
        "Language" if now is None else f"Language: {languages.name_of(now)}",
        now,
        [_named(code) for code in (*listed.most_common(MOST), UNKNOWN)],
        [(f"{letters[0]}–{letters[-1]}", _beginning(letters)) for letters in LETTERS],
        back if differ else None,
    )


def _beginning(letters: str) -> list[NamedLanguage]:
    codes = sorted(LANGUAGE_NAMES, key=language_name)
    return [_named(code) for code in codes if language_name(code)[0] in letters]


def _named(code: str) -> NamedLanguage:
    return NamedLanguage(code, languages.name_of(code))
