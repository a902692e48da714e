"""The messages of the tasks: progress, results and errors."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from core.base.messages import N_, gettext
from core.base.progress_lines import ProgressLines
from core.base.tasks import ProgressReport, Stage
from neardup_gui.jobs.tasks import TaskKind, sentence_of
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import progress, sentences
from neardup_gui.models.words.sentences import Message
from neardup_gui.presenter.window_context import Context, Session

IN_FRONT = (TaskKind.SCAN, TaskKind.OPEN)  # their progress comes first, whatever else runs
STOPPABLE = (*IN_FRONT, TaskKind.PASSAGES, TaskKind.EXPORT, TaskKind.SAVE)
CHANGES_LIST = (*STOPPABLE, TaskKind.LIST, TaskKind.CHANGE_LIST)
SPEAK_FOR_THEMSELVES = (TaskKind.CHECK, TaskKind.TOUR)  # in windows of their own
REFRESH_INTERVAL = 1000  # milliseconds after which a line is shown again, with a new estimate
CANCELLED = {
    TaskKind.OPEN: N_("Opening the review was cancelled."),
    TaskKind.PASSAGES: N_("The search for passages was cancelled."),
    TaskKind.EXPORT: progress.CANCELLED,
    TaskKind.SAVE: N_("Saving the review was cancelled. The file is unchanged."),
}


class JobMessages(Session):
    """Puts progress and results of the tasks into words.

    Signals:
        progressed: A `ProgressLine`.
        ended: A sentence with the outcome: nothing runs any more.
        emptied: A sentence to show instead of pairs.
        unexpected_error: An unexpected exception.
    """

    progressed = Signal(object)
    ended = Signal(str)
    emptied = Signal(str)
    unexpected_error = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._announced_notes: tuple[str, ...] = ()
        self._failure = ""  # of the last save
        self._lines = ProgressLines()
        self._last: tuple[TaskKind, ProgressReport] | None = None
        self._silence = QTimer(self, interval=REFRESH_INTERVAL)
        self._silence.timeout.connect(self._on_silence)
        self._tasks.finished.connect(self._on_finished)
        self._tasks.progressed.connect(self._on_progressed)
        self._tasks.announced.connect(self._on_announced)
        self._tasks.cancelled.connect(self._on_cancelled)
        self._tasks.failed.connect(self._on_failed)

    def begin(self, stage: Stage) -> None:
        """Show that a task begins which the user waits for."""
        self._lines = ProgressLines()
        self._failure = ""
        self.progressed.emit(self._lines.line_for(ProgressReport(stage, 0, 0)))

    def forget(self) -> None:
        """Forget the notes of the last list."""
        self._announced_notes = ()

    def announce_result(self, result: ScanResult) -> None:
        """Announce once what a list leaves out, and why it is empty."""
        if result.complete and result.documents and self._announced_notes != tuple(result.notes):
            self._announced_notes = tuple(result.notes)
            if result.notes:
                self.message_posted.emit(sentences.notes(result))
        self.emptied.emit(sentences.no_pairs(result))

    def _announce_end(self) -> None:
        if self._tasks.is_busy(*STOPPABLE):
            return
        result = self._current.result
        is_complete = result is None or result.complete
        say = sentences.summary if is_complete else sentences.cancelled
        self.ended.emit(say(result))

    def _on_finished(self, kind: TaskKind) -> None:
        if kind in CHANGES_LIST:
            self._announce_end()
        if kind is TaskKind.SAVE:
            self._failure = ""

    def _on_progressed(self, kind: TaskKind, report: ProgressReport) -> None:
        if kind in IN_FRONT or (kind in STOPPABLE and not self._tasks.is_busy(*IN_FRONT)):
            line = self._lines.line_for(report)
            self.progressed.emit(progress.saving(line) if kind is TaskKind.EXPORT else line)
            self._last = kind, report
            self._silence.start()

    def _on_silence(self) -> None:
        if self._last is not None and self._tasks.is_busy(self._last[0]):
            self._on_progressed(*self._last)
        else:
            self._silence.stop()

    def _on_announced(self, _kind: TaskKind, sentence: str) -> None:
        self.message_posted.emit(Message(sentence, warning=True))

    def _on_cancelled(self, kind: TaskKind) -> None:
        if kind is TaskKind.SCAN:
            self.emptied.emit(gettext("The scan was cancelled. Press F5 to start it again."))
            self.ended.emit(sentences.cancelled(self._current.result))
        elif kind in STOPPABLE:
            self._announce_end()
            self.message_posted.emit(Message(gettext(CANCELLED[kind])))

    def _on_failed(self, kind: TaskKind, error: Exception) -> None:
        if kind in SPEAK_FOR_THEMSELVES:
            return
        if kind in STOPPABLE:
            self._announce_end()
        if kind is TaskKind.SCAN:
            self.emptied.emit(gettext("The scan could not finish."))
        sentence = sentence_of(error)
        if sentence and kind is TaskKind.APPEND:
            return  # the session that saves decisions announces it once, however often it fails
        if sentence and kind is TaskKind.SAVE:
            if sentence == self._failure:
                return
            self._failure = sentence
        if sentence:
            self.message_posted.emit(Message(sentence, warning=True))
        else:
            self.unexpected_error.emit(error)
