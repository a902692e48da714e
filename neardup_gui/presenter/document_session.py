"""The documents of the list that is shown, and the one that is read by itself.

the tab is open, a list ─▶ COUNT ─▶ the table of documents
a language is said ─▶ a decision ─▶ COUNT, of languages alone
a row ─▶ ALONE ─▶ its text ─▶ how far it is compared ─▶ its text, marked
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from core.documents.model import DocumentKey, text_key
from neardup_gui.jobs.documents import list_documents, read_document
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.models.documents.listed import DocumentList
from neardup_gui.models.documents.reading import DocumentReading, Measured
from neardup_gui.models.documents.table import DocumentsModel
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession


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

    def __init__(
        self,
        queues: JobQueues,
        current: Current,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._decisions = decisions
        self._languages: Mapping[str, str] = {}  # that were said when the table was filled
        self._queues = queues
        self._current = current
        self._is_open = False
        self._counted: ScanResult | None = None
        self._wanted: DocumentKey | None = None
        self._shown: tuple[ScanResult, int] | None = None
        self._measured: tuple[ScanResult, int, float] | None = None  # how much stands in others
        self.model = DocumentsModel(self)
        queues.previewed.connect(self._on_previewed)
        decisions.told.connect(self._on_decided)

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
        self._counted = self._wanted = self._shown = self._measured = None
        self.model.clear()
        self.left.emit()

    def choose(self, key: DocumentKey) -> None:
        """Read a document by itself."""
        self._wanted = key
        self._read()

    def say_language(self, documents: Sequence[int], language: str | None) -> None:
        """Say in which language documents are; None for what is told from their texts."""
        from core.review.folder_roles import say_language  # noqa: PLC0415 - slow to import

        if self._counted is not self._current.result or self._counted is None:
            return
        texts = [text_key(self._counted.documents[number]) for number in documents]
        self._decisions.decide(*say_language(self._current.judgements, texts, language))

    def _on_decided(self) -> None:
        if self._is_open:
            self._count()

    def _count(self) -> None:
        result, said = self._current.result, self._current.judgements.languages
        is_counted = result is self._counted
        if result is None or (is_counted and said == self._languages):
            return

        def show(listed: DocumentList) -> None:
            self._counted, self._languages = result, said
            self.model.set_documents(listed)
            self._tell_measured()

        counted = self.model.listed if is_counted else None
        work = list_documents(self._current.up_to_date(result), counted)
        self._queues.submit(JobKind.COUNT, work, show)

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
        if reading.parts is not None and result is not None:
            self._measured = result, reading.document, reading.parts.share
            self._tell_measured()
        self.read.emit(reading)

    def _tell_measured(self) -> None:
        """The row of the document that is read says what stands above its text."""
        if self._measured is not None and self._measured[0] is self._counted:
            self.model.set_measured(*self._measured[1:])

    @Slot(object, object)
    def _on_previewed(self, kind: JobKind, value: object) -> None:
        if kind is not JobKind.ALONE:
            return
        if isinstance(value, Measured):
            self.measured.emit(value.in_words)
        else:
            self._shown = None
            self.read.emit(value)
