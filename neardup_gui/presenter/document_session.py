"""The documents of the list that is shown, and the one that is read by itself.

the tab is open, a list ─▶ COUNT ─▶ the table of documents
a row ─▶ ALONE ─▶ its text ─▶ how far it is compared ─▶ its text, marked
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from neardup_gui.jobs.documents import list_documents, read_document
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.documents.listed import DocumentList
from neardup_gui.models.documents.reading import DocumentReading, Measured
from neardup_gui.models.documents.table import DocumentsModel
from neardup_gui.models.scan_result import DocumentKey, ScanResult
from neardup_gui.presenter.current import Current

__all__ = ["DocumentSession"]


class DocumentSession(QObject):
    """Counts and reads while somebody looks, and not before.

    Attributes:
        model: The table.

    Signals:
        read: A `DocumentReading`, with its parts or before they are known.
        measured: How far it is compared with others, in words.
        left: No document is read any more.
    """

    read = Signal(object)
    measured = Signal(str)
    left = Signal()

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._is_open = False
        self._counted: ScanResult | None = None
        self._wanted: DocumentKey | None = None
        self._shown: tuple[ScanResult, int] | None = None
        self.model = DocumentsModel(self)
        queues.previewed.connect(self._on_previewed)

    def set_open(self, *, is_open: bool) -> None:
        """The tab is looked at from now on, or not any more."""
        self._is_open = is_open
        if is_open:
            self._count()
            self._read()
        else:
            self._queues.drop(JobKind.COUNT, JobKind.ALONE)

    def take(self, _result: ScanResult) -> None:
        """Another list is shown."""
        if self._is_open:
            self._count()
            self._read()

    def forget(self) -> None:
        """Another folder: nothing is listed yet."""
        self._queues.drop(JobKind.COUNT, JobKind.ALONE)
        self._counted = self._wanted = self._shown = None
        self.model.clear()
        self.left.emit()

    def choose(self, key: DocumentKey) -> None:
        """Read a document by itself."""
        self._wanted = key
        self._read()

    def _count(self) -> None:
        result = self._current.result
        if result is None or result is self._counted:
            return

        def show(listed: DocumentList) -> None:
            self._counted = result
            self.model.set_documents(listed)

        self._queues.submit(JobKind.COUNT, list_documents(result), show)

    def _read(self) -> None:
        result, key = self._current.result, self._wanted
        if result is None or key is None or not self._is_open:
            return
        number = result.names.documents.number_of(key)
        if number is None:
            number = result.names.index(key.name)
        if number is None:
            self._wanted = self._shown = None
            self.left.emit()
        elif self._shown != (result, number):
            self._queues.submit(JobKind.ALONE, read_document(result, number), self._on_read)

    def _on_read(self, reading: DocumentReading) -> None:
        result = self._current.result
        self._shown = (result, reading.document) if result else None
        self.read.emit(reading)

    @Slot(object, object)
    def _on_previewed(self, kind: JobKind, value: object) -> None:
        if kind is not JobKind.ALONE:
            return
        if isinstance(value, Measured):
            self.measured.emit(value.in_words)
        else:
            self._shown = None
            self.read.emit(value)
