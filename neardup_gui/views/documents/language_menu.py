"""The part of a menu that says in which language documents are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from neardup_gui.models.documents.language_choice import LanguageChoice, NamedLanguage

Choose = Callable[[str | None], object]


def offer_languages(menu: QMenu, choice: LanguageChoice, choose: Choose) -> None:
    """Offer the languages of the folder, then all, then what the texts tell."""
    offered = menu.addMenu(choice.title)
    _offer(offered, choice.near, choice, choose)
    others = offered.addMenu("Another language")
    for letters, languages in choice.all:
        _offer(others.addMenu(letters), languages, choice, choose)
    if choice.told is not None:
        offered.addSeparator()
        offered.addAction(choice.told.name).triggered.connect(partial(choose, None))


def _offer(
    menu: QMenu, languages: Iterable[NamedLanguage], choice: LanguageChoice, choose: Choose
) -> None:
    only_one = QActionGroup(menu)  # so that they look like what they are
    for language in languages:
        action = only_one.addAction(menu.addAction(language.name))
        action.setCheckable(True)
        action.setChecked(language.code == choice.now)
        action.triggered.connect(partial(choose, language.code))
