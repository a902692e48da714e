"""What the jobs say to the user: how far they are, what came out, what went wrong."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.base.tasks import ProgressReport, Stage
from core.errors import NeardupError
from core.program.startup import lacking
from neardup_gui.jobs.tasks import JobKind, JobQueues
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import progress, sentences
from neardup_gui.models.words.progress import ProgressLines
from neardup_gui.models.words.sentences import Message
from neardup_gui.presenter.current import Current

IN_FRONT = (JobKind.SCAN, JobKind.OPEN)  # their progress is shown, whatever else runs
STOPPABLE = (*IN_FRONT, JobKind.PASSAGES, JobKind.EXPORT, JobKind.SAVE)
CHANGES_LIST = (*STOPPABLE, JobKind.LIST, JobKind.CHANGE_LIST)
TELL_AGAIN = 1000  # milliseconds after which a line is told again: its guess may hold no more
CANCELLED = {
    JobKind.OPEN: "The review was not opened: you cancelled it.",
    JobKind.PASSAGES: "The search for passages was cancelled.",
    JobKind.EXPORT: progress.CANCELLED,
    JobKind.SAVE: "Saving the review was cancelled. Its file is as it was before.",
}


class JobMessages(QObject):
    """Puts what the queues says into words.

    Signals:
        progressed: A `ProgressLine`.
        ended: A sentence: nothing runs any more, this came out.
        emptied: A sentence for the place where pairs would be.
        said: A `Message` for the message bar.
        broke: An unexpected exception.
    """

    progressed = Signal(object)
    ended = Signal(str)
    emptied = Signal(str)
    said = Signal(object)
    broke = Signal(object)

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._told: tuple[str, ...] = ()
        self._failure = ""  # of the last save
        self._lines = ProgressLines()
        self._last: tuple[JobKind, ProgressReport] | None = None
        self._silence = QTimer(self)
        self._silence.setInterval(TELL_AGAIN)
        self._silence.timeout.connect(self._on_silence)
        queues.finished.connect(self._on_finished)
        queues.progressed.connect(self._on_progressed)
        queues.announced.connect(self._on_announced)
        queues.cancelled.connect(self._on_cancelled)
        queues.failed.connect(self._on_failed)

    def begin(self, stage: Stage) -> None:
        """Something begins that the user waits for."""
        self._lines = ProgressLines()
        self._failure = ""
        self.progressed.emit(self._lines.line_for(ProgressReport(stage, 0, 0)))

    def forget(self) -> None:
        """Nothing is listed any more."""
        self._told = ()

    def tell_result(self, result: ScanResult) -> None:
        """Tell what a list leaves out, once, and why it is empty."""
        if result.complete and result.documents and self._told != tuple(result.notes):
            self._told = tuple(result.notes)
            if result.notes:
                self.said.emit(sentences.notes(result))
        self.emptied.emit(sentences.no_pairs(result))

    def _tell_end(self) -> None:
        if self._queues.is_busy(*STOPPABLE):
            return
        result = self._current.result
        whole = result is None or result.complete
        say = sentences.summary if whole else sentences.cancelled
        self.ended.emit(say(result))

    @Slot(object, object)
    def _on_finished(self, kind: JobKind, _result: object) -> None:
        if kind in CHANGES_LIST:
            self._tell_end()
        if kind is JobKind.SAVE:
            self._failure = ""

    @Slot(object, object)
    def _on_progressed(self, kind: JobKind, report: ProgressReport) -> None:
        if kind in IN_FRONT or (kind in STOPPABLE and not self._queues.is_busy(*IN_FRONT)):
            line = self._lines.line_for(report)
            self.progressed.emit(progress.saving(line) if kind is JobKind.EXPORT else line)
            self._last = kind, report
            self._silence.start()

    @Slot()
    def _on_silence(self) -> None:
        if self._last is not None and self._queues.is_busy(self._last[0]):
            self._on_progressed(*self._last)
        else:
            self._silence.stop()

    @Slot(object, str)
    def _on_announced(self, kind: JobKind, sentence: str) -> None:
        if kind is not JobKind.WARM_UP:
            self.said.emit(Message(sentence, warning=True))

    @Slot(object)
    def _on_cancelled(self, kind: JobKind) -> None:
        if kind is JobKind.SCAN:
            self.emptied.emit("The scan was cancelled. Rescan (F5) starts it again.")
            self.ended.emit(sentences.cancelled(self._current.result))
        elif kind in STOPPABLE:
            self._tell_end()
            self.said.emit(Message(CANCELLED[kind]))

    @Slot(object, object)
    def _on_failed(self, kind: JobKind, error: Exception) -> None:
        if kind in STOPPABLE:
            self._tell_end()
        if kind is JobKind.SCAN:
            self.emptied.emit("The scan could not be finished.")
        sentence = str(error) if isinstance(error, NeardupError) else lacking(error)
        if sentence and kind is JobKind.APPEND:
            return  # who saves what is decided says it once, however often it is tried
        if sentence and kind is JobKind.SAVE:
            if sentence == self._failure:
                return
            self._failure = sentence
        if sentence:
            self.said.emit(Message(sentence, warning=True))
        else:
            self.broke.emit(error)
