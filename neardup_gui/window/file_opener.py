"""Opens the originals: a file in the user's program, the folder it is in; copies its path."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QUrl, SignalInstance
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication

from core.base.programs import is_program
from core.base.wording import printable_name
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.file_places import is_address
from neardup_gui.models.trusted_files import is_chosen
from neardup_gui.models.words import sentences
from neardup_gui.models.words.message import CopyOffer, OpenOffer
from neardup_gui.models.words.numbers import shown_path, tool_tip
from neardup_gui.presenter.presenter import Presenter
from neardup_gui.views.compare.view import CompareView

SideActions = Sequence[tuple[QAction, QAction]]  # for each side: open the file, show its folder


class FileRequests(Protocol):
    """A view that asks for files by their names."""

    file_wanted: SignalInstance
    folder_wanted: SignalInstance


class FileOpener(QObject):
    """Opens what the views ask for, and what the actions mean: the documents of the open pair."""

    def __init__(
        self,
        presenter: Presenter,
        preferences: Preferences,
        actions: SideActions,
        view: CompareView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._preferences = preferences
        self._asked: tuple[str, Path, bool] | None = None
        self._actions = actions
        self._names = ("", "")
        view.shown.connect(self._on_shown)
        presenter.pair.loading.connect(self._name_files)
        for pane, of_side in zip(view.panes, actions, strict=True):
            pane.set_file_actions(list(of_side))

    def serve(self, view: FileRequests) -> None:
        """Open what a view asks for."""
        view.file_wanted.connect(self.open_file)
        view.folder_wanted.connect(self.show_folder)

    def open_file(self, name: str) -> None:
        """Open the file of a document or a problem; of a part, the file it is in."""
        self._ask_or_open(name, self._presenter.current.place_of(name).path, is_folder=False)

    def show_folder(self, name: str) -> None:
        """Show the folder of a document or a problem."""
        self._ask_or_open(name, self._presenter.current.place_of(name).path.parent, is_folder=True)

    def open_side(self, side: int) -> None:
        """Open the file of A (0) or B (1)."""
        self.open_file(self._names[side])

    def show_side(self, side: int) -> None:
        """Show the folder of A (0) or B (1)."""
        self.show_folder(self._names[side])

    def open_anyway(self) -> None:
        """Open what was asked about last."""
        asked, self._asked = self._asked, None
        if asked is not None:
            self._open(*asked)

    def show_path(self, path: Path) -> None:
        """Show the folder that a file is in, which the user has named."""
        QDesktopServices.openUrl(_url(path.parent))

    def follow(self, target: object) -> None:
        """Do what is offered with a file that was written: open it, show it, copy what it says."""
        if isinstance(target, Path):
            self.show_path(target)
        elif isinstance(target, CopyOffer):
            QGuiApplication.clipboard().setText(target.text)
        elif isinstance(target, OpenOffer):
            self._open(target.path.name, target.path, is_folder=False)

    def _ask_or_open(self, name: str, path: Path, *, is_folder: bool) -> None:
        """Open what the user has chosen; ask before opening anything else, a program always."""
        self._asked = (name, path, is_folder)
        if is_address(path):
            self._presenter.said.emit(sentences.not_here(name, path))
        elif not is_chosen(path, self._preferences.chosen):
            self._presenter.said.emit(sentences.asks_to_open(_absolute(path)))
        elif is_program(path):
            self._presenter.said.emit(sentences.asks_to_run(_absolute(path)))
        else:
            self.open_anyway()

    def _open(self, name: str, path: Path, is_folder: bool) -> None:
        try:
            is_there = path.is_dir() if is_folder else path.exists()
        except (OSError, ValueError):  # a name too long for the system, or one with a null in it
            is_there = False
        if not is_there:
            self._presenter.said.emit(sentences.no_file(name))
        elif not QDesktopServices.openUrl(_url(path)) and not is_folder:
            self._presenter.said.emit(sentences.not_opened(name))

    def copy_paths(self, names: Sequence[str]) -> None:
        """Copy the paths of files, one a line."""
        paths = [str(self._presenter.current.place_of(name).path) for name in names]
        QGuiApplication.clipboard().setText("\n".join(dict.fromkeys(paths)))

    def _on_shown(self, comparison: Comparison) -> None:
        self._name_files((comparison.sides[0].name, comparison.sides[1].name))

    def _name_files(self, names: tuple[str, str]) -> None:
        self._names = (names[0], names[1])
        for side, name in enumerate(self._names):
            place = self._presenter.current.place_of(name)
            inside = (
                f"Opens {printable_name(place.path.name)}, which holds it:\n{name}"
                if place.part
                else name
            )
            opens, shows = self._actions[side]
            opens.setToolTip(tool_tip(inside))
            shows.setToolTip(tool_tip(shown_path(place.path)))


def _absolute(path: Path) -> Path:
    """The path from the root: never an option of a program, nor an address."""
    return Path(os.path.abspath(path))


def _url(path: Path) -> QUrl:
    return QUrl.fromLocalFile(str(_absolute(path)))
