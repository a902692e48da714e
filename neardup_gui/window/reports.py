"""The windows of reports: opened from the menu, and from the lists for a part of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.base.messages import gettext
from core.scan.judgements import SUSPECTED, VERDICTS
from neardup_gui.models import reports
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words import sentences
from neardup_gui.models.words.progress import IS_THE_REPORT, why_not
from neardup_gui.models.words.sentences import Message
from neardup_gui.views.shell import dialogs
from neardup_gui.views.widgets.containers import bring_forward
from neardup_gui.window.files import FileOpener, Files
from neardup_gui.window.parts import Part, Shared

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from neardup_gui.presenter.export_session import CheckSession
    from neardup_gui.views.report.check_window import CheckWindow
    from neardup_gui.views.report.window import ReportWindow


class ReportChecks(Part):
    """Makes its window and its session for the first report to check."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._made: tuple[CheckWindow, CheckSession] | None = None
        self._path: Path | None = None  # of the report that is checked
        self._key: Path | None = None  # to its names
        self._folders: tuple[Path, ...] | None = None  # that it is about, if the user found them

    def choose(self) -> None:
        """Check a report that the user chooses."""
        folder, title = str(self._preferences.usual_export_folder), gettext("Check a report")
        path = dialogs.ask_for_file(self._asking, folder, title, dialogs.WRITTEN)
        if path is not None:
            self._preferences.export_folder = str(path.parent)
            self.check(path)

    def check(
        self, path: Path, key: Path | None = None, folders: tuple[Path, ...] | None = None
    ) -> None:
        """Check a report, with the folders that are open unless others are given.

        `key` is the key to its names, if they are withheld.
        """
        self._made = self._made or self._make()
        shown, session = self._made
        bring_forward(shown)
        shown.begin(path.name)
        self._path, self._key, self._folders = path, key, folders
        review = self._presenter.review
        # The review of a folder begins with the user who opens it, without others' verdicts.
        review_path = None if review.is_of_folder else review.path
        current = self._presenter.current
        if folders is None:
            folders = current.folders
        else:
            review_path = None  # it is of the folders that are open
        session.check(path, folders, review_path, key, current.reading.passwords)

    @property
    def shown(self) -> CheckWindow | None:
        """The window, once it was opened."""
        return self._made[0] if self._made else None

    @property
    def _asking(self) -> QWidget:
        """The window that dialogs open over: that of the check while it is shown."""
        shown = self.shown
        return shown if shown is not None and shown.isVisible() else self._window

    def _on_key_wanted(self) -> None:
        if self._path is not None:
            folder, title = str(self._path.parent), gettext("Open the key to the names")
            key = dialogs.ask_for_file(self._asking, folder, title, dialogs.KEYS)
            if key is not None:
                self.check(self._path, key, self._folders)

    def _on_folders_wanted(self, shown: CheckWindow) -> None:
        """Check the report with the folders that the user finds, in its order."""
        if self._path is None:
            return
        folders, near = list[Path](), self._path.parent
        for name in shown.folders:
            title = gettext("Where is “{folder}” now?", folder=name)
            folder = dialogs.ask_for_folder(self._asking, str(near), title)
            if folder is None:
                return
            folders.append(folder)
        self.check(self._path, self._key, tuple(folders))

    def _make(self) -> tuple[CheckWindow, CheckSession]:
        from neardup_gui.presenter.export_session import CheckSession
        from neardup_gui.views.report.check_window import CheckWindow

        shown, session = CheckWindow(self._window), CheckSession(self._presenter.tasks, self)
        shown.another.clicked.connect(self.choose)
        shown.cancel_clicked.connect(session.cancel)
        shown.key.clicked.connect(self._on_key_wanted)
        shown.locate.clicked.connect(partial(self._on_folders_wanted, shown))
        session.progressed.connect(shown.show_progress)
        session.checked.connect(shown.show_checked)
        session.failed.connect(shown.show_problem)
        session.unexpected_error.connect(self._presenter.unexpected_error)
        return shown, session


class Reports(Part):
    """Makes its window when it is first needed; remembers the last choices.

    Attributes:
        shown: Its window, once it was asked for.
        checks: Of reports that were written.
    """

    def __init__(self, shared: Shared, files: Files, file_opener: FileOpener) -> None:
        super().__init__(shared)
        pages = shared.pages
        self._files = files
        self._file_opener = file_opener
        self.shown: ReportWindow | None = None
        self.checks = ReportChecks(shared)
        pages.pairs.table.report_wanted.connect(partial(self._open_of, reports.of_pair))
        pages.documents.table.report_wanted.connect(partial(self._open_of, reports.of_document))
        pages.groups.table.report_wanted.connect(partial(self._open_of, reports.of_group))

    def open(self) -> None:
        """Choose a report, beginning with the last choices.

        It is of the confirmed and the suspicious pairs once there are any.
        """
        wish, counts = self._last(), self._presenter.pairs.counts
        if wish.subject == reports.SHOWN and any(
            counts[VERDICTS.index(verdict)] for verdict in SUSPECTED
        ):
            wish = replace(wish, subject=reports.SUSPECTED)
        self._open(wish)

    def open_pair(self) -> None:
        """Choose a report of the pair that is read."""
        pair = self._presenter.pair.wanted
        if pair is not None:
            self._open_of(reports.of_pair, pair)

    def _last(self) -> reports.ReportWish:
        return reports.from_stored(self._preferences.report, reports.local_paper())

    def _open_of(self, subject_of: Callable[[Any], reports.ReportSubject], about: object) -> None:
        """Choose a report of the subject of a row."""
        self._open(replace(self._last(), subject=subject_of(about)))

    def _open(self, wish: reports.ReportWish) -> None:
        self.shown = self.shown or self._make()
        bring_forward(self.shown)
        self.shown.show_wish(wish, self._subjects(wish.subject))
        self._offer_traces()
        self._on_state_changed(self._presenter.state)

    def _offer_traces(self) -> None:
        result = self._presenter.current.result
        if self.shown is not None:
            self.shown.form.offer_traces(
                offered=result is not None and result.pair_list.counts.weak > 0
            )

    def _subjects(self, chosen: reports.ReportSubject) -> list[reports.ReportSubject]:
        """The subjects of a report: the wanted one, and those that are being read."""
        pair, result = self._presenter.pair.wanted, self._presenter.current.result
        subjects = [reports.SHOWN, reports.SUSPECTED, reports.CONFIRMED]
        if pair is not None and result is not None:
            subjects += [reports.of_pair(pair), *map(reports.of_document, pair)]
            persons = (reports.of_person(key, result.names) for key in pair)
            subjects += [person for person in persons if person is not None]
            group = self._presenter.groups.model.documents_beside(pair.a)
            subjects += [reports.of_group(group)] if group else []
        return list(dict.fromkeys((*subjects, chosen)))

    def _make(self) -> ReportWindow:
        from neardup_gui.views.report.window import ReportWindow

        shown, exports = ReportWindow(self._window), self._presenter.exports
        shown.preview_wanted.connect(exports.preview)
        shown.closed.connect(exports.drop_preview)
        shown.form.changed.connect(self._on_changed)
        shown.form.logo.entry.clicked.connect(self._on_logo_wanted)
        shown.footer.save.clicked.connect(self._on_save_clicked)
        shown.footer.cancel.clicked.connect(exports.cancel)
        shown.footer.offers.clicked.connect(self._file_opener.follow)
        exports.previewed.connect(shown.show_preview)
        exports.progressed.connect(shown.footer.show_progress)
        exports.ended.connect(self._on_ended)
        presenter = self._presenter
        presenter.state_changed.connect(self._on_state_changed)
        for leave in (shown.close, shown.forget):  # its subject is no longer open
            presenter.folders_opened.connect(leave)
        presenter.listed.connect(self._offer_traces)
        for changes in (presenter.listed, presenter.pairs.modelReset, presenter.pairs.judged):
            changes.connect(shown.refresh)
        return shown

    def _on_changed(self, wish: reports.ReportWish) -> None:
        self._preferences.report = reports.to_stored(wish)

    def _on_state_changed(self, state: WindowState) -> None:
        if self.shown is not None:
            writing = self._presenter.exports.is_writing
            self.shown.footer.set_ready(why_not(state, is_writing=writing))

    def _on_ended(self, message: Message) -> None:
        if self.shown is not None:
            self.shown.footer.show_result(message)
            self._on_state_changed(self._presenter.state)
            self.shown.refresh()

    def _on_logo_wanted(self) -> None:
        if self.shown is not None:
            folder, title = str(self._preferences.usual_export_folder), gettext("Choose a logo")
            path = dialogs.ask_for_file(self.shown, folder, title, dialogs.LOGOS)
            if path is not None:
                self.shown.form.logo.choose(str(path))

    def _on_save_clicked(self) -> None:
        """Ask for a file, and write the report."""
        if self.shown is None:
            return
        self.shown.form.take_now()
        wish = self.shown.form.wish
        chosen = reports.kind_of(wish.ending)
        kinds = [chosen, *(kind for kind in reports.KINDS if kind is not chosen)]
        name = f"{wish.subject.name or self._files.subject}{chosen.ending}"
        suggestion = self._preferences.usual_export_folder / name
        endings = {gettext(kind.words): kind.ending for kind in kinds}
        title = gettext("Save the report")
        answer = dialogs.ask_where(self.shown, title, suggestion, endings)
        if answer is None:
            return
        path, may_replace = answer
        if not may_replace and path.exists():
            self.shown.footer.show_result(sentences.exists_already(path))
            return
        key = None if wish.names else self._key_beside(path)
        if wish.names or key is not None:
            self._preferences.export_folder = str(path.parent)
            self._presenter.exports.save(path, wish, key)

    def _key_beside(self, report: Path) -> Path | None:
        """Ask for the file of the key to the names; None if the user cancels."""
        if self.shown is None:
            return None
        title = gettext("Save the key to the names (an existing key is reused)")
        suggestion = report.with_name(f"{report.stem}.key.csv")
        answer = dialogs.ask_where(self.shown, title, suggestion, dialogs.KEYS, is_added_to=True)
        key = answer[0] if answer else None
        if key and os.path.realpath(key) == os.path.realpath(report):
            self.shown.footer.show_result(Message(gettext(IS_THE_REPORT), warning=True))
            return None
        return key
