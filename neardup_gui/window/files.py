"""The File menu: opens folders and reviews, saves, and remembers what was open lately."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QTimer, QUrl, Signal, SignalInstance
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication

from core.base.assets import resource
from core.base.files import is_program
from core.base.messages import gettext
from core.base.wording import printable_name, printable_path
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.folder_reviews import ENDING, is_address, is_chosen
from neardup_gui.models.words import sentences
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.models.words.sentences import CopyOffer, OpenOffer
from neardup_gui.views.shell import dialogs
from neardup_gui.views.shell.start_page import StartPage
from neardup_gui.window.parts import Part, Shared

# Milliseconds after which opened folders are written down: each writing waits for the disk, and the
# window is laid out meanwhile.
LATER = 100
SideActions = Sequence[tuple[QAction, QAction]]  # for each side: open the file, show its folder


class FileRequests(Protocol):
    """A view that asks for files by their names."""

    file_wanted: SignalInstance
    folder_wanted: SignalInstance


class FileOpener(Part):
    """Opens the files that views ask for, and the documents of the open pair for the actions."""

    def __init__(self, shared: Shared, actions: SideActions) -> None:
        super().__init__(shared)
        self._pending: tuple[str, Path, bool] | None = None
        self._actions = actions
        self._names = ("", "")
        view = shared.compare_pane.view
        view.shown.connect(self._on_shown)
        shared.presenter.pair.loading.connect(self._name_files)
        for pane, of_side in zip(view.panes, actions, strict=True):
            pane.set_file_actions(list(of_side))

    def serve(self, view: FileRequests) -> None:
        """Open the files that a view asks for."""
        view.file_wanted.connect(self.open_file)
        view.folder_wanted.connect(self.show_folder)

    def open_file(self, name: str) -> None:
        """Open the file of a document or a problem; of a part, the file it is in."""
        self._ask_or_open(name, self._presenter.current.location_of(name).path, is_folder=False)

    def show_folder(self, name: str) -> None:
        """Show the folder of a document or a problem."""
        self._ask_or_open(
            name, self._presenter.current.location_of(name).path.parent, is_folder=True
        )

    def open_side(self, side: int) -> None:
        """Open the file of A (0) or B (1)."""
        self.open_file(self._names[side])

    def show_side(self, side: int) -> None:
        """Show the folder of A (0) or B (1)."""
        self.show_folder(self._names[side])

    def open_anyway(self) -> None:
        """Open the file or folder of the last question."""
        request, self._pending = self._pending, None
        if request is not None:
            self._open(*request)

    def show_path(self, path: Path) -> None:
        """Show the folder that a file is in, which the user has named."""
        QDesktopServices.openUrl(_url(path.parent))

    def follow(self, target: object) -> None:
        """Follow a link about a file that was written: open it, show it, or copy its text."""
        if isinstance(target, Path):
            self.show_path(target)
        elif isinstance(target, CopyOffer):
            QGuiApplication.clipboard().setText(target.text)
        elif isinstance(target, OpenOffer):
            self._open(target.path.name, target.path, is_folder=False)

    def _ask_or_open(self, name: str, path: Path, *, is_folder: bool) -> None:
        """Open what the user has chosen; ask before opening other files, for programs always."""
        self._pending = (name, path, is_folder)
        if is_address(path):
            self._presenter.message_posted.emit(sentences.only_on_cluster(name, path))
        elif not is_chosen(path, self._preferences.chosen):
            self._presenter.message_posted.emit(sentences.asks_to_open(_absolute(path)))
        elif is_program(path):
            self._presenter.message_posted.emit(sentences.asks_to_run(_absolute(path)))
        else:
            self.open_anyway()

    def _open(self, name: str, path: Path, is_folder: bool) -> None:
        try:
            exists = path.is_dir() if is_folder else path.exists()
        except (OSError, ValueError):  # a name too long for the system, or one with a null in it
            exists = False
        if not exists:
            self._presenter.message_posted.emit(sentences.no_file(name))
        elif not QDesktopServices.openUrl(_url(path)) and not is_folder:
            self._presenter.message_posted.emit(sentences.not_opened(name))

    def copy_paths(self, names: Sequence[str]) -> None:
        """Copy the paths of files, one a line."""
        paths = [str(self._presenter.current.location_of(name).path) for name in names]
        QGuiApplication.clipboard().setText("\n".join(dict.fromkeys(paths)))

    def _on_shown(self, comparison: Comparison) -> None:
        self._name_files((comparison.sides[0].name, comparison.sides[1].name))

    def _name_files(self, names: tuple[str, str]) -> None:
        self._names = (names[0], names[1])
        for side, name in enumerate(self._names):
            location = self._presenter.current.location_of(name)
            file = printable_name(location.path.name)
            inside = gettext("Opens {file}, which holds it:", file=file) + f"\n{name}"
            inside = inside if location.part else name
            opens, shows = self._actions[side]
            opens.setToolTip(tool_tip(inside))
            shows.setToolTip(tool_tip(printable_path(location.path)))


def _absolute(path: Path) -> Path:
    """The path from the root, which no program takes for an option or an address."""
    return Path(os.path.abspath(path))


def _url(path: Path) -> QUrl:
    return QUrl.fromLocalFile(str(_absolute(path)))


class Draw(Protocol):
    """Draws a picture of lines (SVG) or of pixels (PNG)."""

    def __call__(self, *, drawn: bool) -> bytes:
        """The bytes of the picture."""


class Files(Part):
    """Asks for files and folders, and remembers them.

    Signals:
        recent_changed: The folders and reviews that were open lately, as texts, and which of them
            are reviews that were made with scans.
        named: The title of the window.
    """

    recent_changed = Signal(object, object)
    named = Signal(str)

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._unwritten: tuple[Path, ...] = ()  # what was opened just now
        presenter = shared.presenter
        presenter.folders_opened.connect(self._on_opened)
        presenter.folders_relocated.connect(self._on_opened)
        presenter.review.changed.connect(self._on_review_changed)

    def serve(self, start: StartPage) -> None:
        """Open what is chosen on the start page, and offer there what was open lately."""
        start.open.clicked.connect(self.open_folder)
        start.sample.clicked.connect(self.open_sample)
        start.recent_chosen.connect(self.open_recent)
        self.recent_changed.connect(start.set_recent)

    def open_folder(self) -> None:
        """Scan a folder the user chooses."""
        folder = dialogs.ask_for_folder(self._window, str(self._last_folder(ENDING)))
        if folder is not None:
            self._presenter.open_folders([folder])

    def find_folder(self) -> None:
        """Scan a folder that the last scan missed, where the user says it is now."""
        lost = self._presenter.missing.lost_folder
        if lost is not None:
            near = next((parent for parent in lost.parents if parent.is_dir()), Path.home())
            folder = dialogs.ask_for_folder(
                self._window,
                str(near),
                gettext("Where is “{folder}” now?", folder=printable_name(lost.name)),
            )
            if folder is not None:
                self._preferences.choose(folder)
                self._presenter.find_folder(folder)

    def open_documents(self) -> None:
        """Compare the documents the user chooses."""
        paths = dialogs.ask_for_documents(self._window, str(self._last_folder()))
        if paths:
            self._presenter.open_folders(paths)

    def open_review(self) -> None:
        """Open a review the user chooses."""
        title, start = gettext("Open a review"), str(self._last_folder())
        path = dialogs.ask_for_file(self._window, start, title, dialogs.REVIEWS)
        if path is not None:
            self._presenter.open_review(path)

    def open_sample(self) -> None:
        """Scan the corpus that comes with the application."""
        self._presenter.open_folders([resource("sample")])

    def open_recent(self, name: str | Path) -> None:
        """Open a folder or review that was open lately; forget it when it is gone."""
        path = Path(name)
        self._presenter.open_paths([path])
        if not path.exists():  # the presenter has said so
            self._preferences.forget(path)
            self.emit_recent()

    def save_review(self) -> None:
        """Save to the review's file; ask for one until the user has chosen one."""
        path = self._presenter.review.path
        if path is None or self._presenter.review.is_of_folder:
            self.save_review_as()
        else:
            self._presenter.save_review(path)

    def save_review_as(self) -> None:
        """Save to a file the user chooses."""
        review = self._presenter.review
        review_path = None if review.is_of_folder else review.path
        suggestion = review_path or self._last_folder() / f"{self.subject}{ENDING}"
        path = self._ask_where(gettext("Save the review"), suggestion, dialogs.REVIEWS)
        if path is not None:
            self._presenter.save_review(path)

    def export_curve(self, draw: Draw) -> None:
        """Write the curve as a picture, SVG or PNG, to a file the user chooses."""
        title, name = gettext("Export the curve as an image"), f"{self.subject}-curve.svg"
        path = self.ask_for_export(title, name, dialogs.PICTURES)
        if path is not None:
            self._presenter.exports.save_picture(path, draw(drawn=path.suffix.lower() == ".svg"))

    def export_settings(self, table: bytes) -> None:
        """Write the table of settings, CSV, to a file the user chooses."""
        title, name = gettext("Export the table of settings"), f"{self.subject}-settings.csv"
        path = self.ask_for_export(title, name, dialogs.TABLES)
        if path is not None:
            self._presenter.exports.save_settings(path, table)

    def ask_for_export(self, title: str, name: str, kinds: Mapping[str, str]) -> Path | None:
        """Ask where to save something, beginning in the folder of the last export."""
        path = self._ask_where(title, self._preferences.usual_export_folder / name, kinds)
        if path is not None:
            self._preferences.export_folder = str(path.parent)
        return path

    def _ask_where(self, title: str, suggestion: Path, kinds: Mapping[str, str]) -> Path | None:
        """Ask for the path of a new file; one that exists is replaced only if the user agreed."""
        answer = dialogs.ask_where(self._window, title, suggestion, kinds)
        if answer is None:
            return None
        path, may_replace = answer
        if not may_replace and path != self._presenter.review.path and path.exists():
            self._presenter.message_posted.emit(sentences.exists_already(path))
            return None
        return path

    def emit_recent(self) -> None:
        """Emit what was open lately."""
        recent = self._preferences.recent
        self.recent_changed.emit(recent, frozenset(filter(self._is_made, recent)))

    def _is_made(self, name: str) -> bool:
        """Whether it is a review that a scan made, in a folder that the user never chose."""
        made = self._presenter.review.of_folders
        return made is not None and Path(name) in made

    def _last_folder(self, without: str = "") -> Path:
        chosen = next(iter(self._preferences.chosen), "")
        for recent in self._preferences.recent:
            name = chosen if self._is_made(recent) else recent
            if name and (not without or Path(name).suffix.lower() != without):
                return Path(name).parent
        return Path.home()

    @property
    def subject(self) -> str:
        """The name of the open review or folder."""
        path, folders = self._presenter.review.path, self._presenter.current.folders
        if path is not None:
            return path.stem
        return (folders[0].name if folders else "") or "neardup"

    def _on_opened(self, folders: tuple[Path, ...]) -> None:
        if self._presenter.review.path is not None:
            return  # it is the review that was opened
        names = ", ".join(printable_name(folder.name or str(folder)) for folder in folders)
        self.named.emit(f"{names} – Neardup")
        self._unwritten += folders
        QTimer.singleShot(LATER, self, self.remember_opened)

    def remember_opened(self) -> None:
        """Write down what was opened, where that is still to be done."""
        if self._unwritten:
            self._remember()

    def _on_review_changed(self, path: Path | None) -> None:
        review = self._presenter.review
        if path is not None:
            name = printable_name(path.stem if review.is_of_folder else path.name)
            if review.access.is_read_only:
                name = gettext("{review} (read-only)", review=name)
            self.named.emit(f"{name} – Neardup")
            folders = self._presenter.current.folders
            of_folders = review.is_of_folder and all(folder.is_dir() for folder in folders)
            self._remember(*(folders if of_folders else [path]))

    def _remember(self, *paths: Path) -> None:
        """Write down what was opened just now, and then, before it in the menu, these paths."""
        opened, self._unwritten = self._unwritten, ()
        self._preferences.choose(*opened)
        self._preferences.remember(*(path for path in opened if path.is_dir()), *paths)
        self.emit_recent()
