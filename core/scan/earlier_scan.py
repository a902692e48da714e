"""What an earlier scan knows already, so that a new one reads only what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.documents import Document, FoundFile, Problem, ReadDocument, ReadingSettings
from core.scan.state import ScanState
from core.settings import ScanSettings


class KnownDocuments:
    """The documents of an earlier scan, by path and by the hash of their bytes.

    A file counts as unchanged when its path, size and time of modification are those of a known
    document; any other file with the bytes of a known one is read, but its text is not made again.
    With other limits, or with OCR, files with remarks on anything in them are read again.

    Attributes:
        by_content: The documents by the hash of their bytes and the kind of their reader, which
            the name of a file may decide.
        keeps_archives: Whether documents from archives stay although archives are not opened: they
            came with a review, and nobody has asked for less since.
        are_signed: Whether the signatures are those the new settings ask for; if not, texts are
            known, but have to be signed again.
    """

    def __init__(
        self, state: ScanState | None, settings: ScanSettings, reading: ReadingSettings
    ) -> None:
        self._state = state
        documents = [one for one in state.documents if _is_current(one)] if state else []
        if state and state.reading and _reads_more(reading, state.reading):
            remarked = {one.path for one in documents if one.remarks}
            documents = [one for one in documents if one.path not in remarked]
        self.by_content = {(one.file_hash, one.kind): _there(one) for one in documents}
        self._files = _by_location(documents)
        self._troubled = _with_problems(state.problems) if state else frozenset()
        self._numbers: dict[tuple[str, str], int] = {}
        for number, one in enumerate(state.documents if state else ()):
            if _is_current(one):  # of copies the first: evidence is of that one
                self._numbers.setdefault((one.file_hash, one.kind), number)
        self.keeps_archives = not (state and state.reading and state.reading.archives)
        self.are_signed = bool(
            state
            and state.settings.same_signatures(settings)
            and settings.same_signatures(state.settings)
            and not settings.depends_on_all
        )

    def unchanged(self, found: FoundFile) -> Sequence[Document]:
        """The documents of a file that is as it was, under its present name.

        None of a file in which something could not be read: it is tried again.
        """
        if self._state is None:
            return ()
        documents = self._files.get(found.location)
        if not documents or documents[0].file_name in self._troubled:
            return ()
        first = documents[0]
        if any((one.size, one.modified_ns) != (found.size, found.modified_ns) for one in documents):
            return ()
        if first.file_name == found.name:
            return documents
        return [
            replace(one, name=found.name + one.name.removeprefix(one.file_name))
            for one in documents
        ]

    def with_text(self, document: Document) -> ReadDocument:
        """One of the documents, with the text that it had."""
        return ReadDocument(document, self.text_of(document))

    def at(self, location: str) -> Sequence[Document]:
        """The documents at a place, whatever has become of it."""
        return self._files.get(location, ())

    def number_of(self, document: Document) -> int:
        """The number that the bytes of a document had."""
        return self._numbers[document.file_hash, document.kind]

    def text_of(self, document: Document) -> str:
        """The text of a document, which was made from these bytes before."""
        if self._state is None:
            raise LookupError(document.name)
        return self._state.texts[self.number_of(document)]


def _is_current(document: Document) -> bool:
    """Whether today's readers would make the text of a document."""
    return document.absence is None or not document.absence.outdated


def _by_location(documents: Sequence[Document]) -> dict[str, list[Document]]:
    """The documents in each file, the file itself first.

    A file that was gone is known as well, unless there are several documents in it: of some the
    user may have decided something else, and in which order they came is not known any more.
    """
    files: dict[str, list[Document]] = {}
    for one in documents:
        if one.absence is None:
            files.setdefault(str(one.path), []).append(one)
    gone: dict[str, list[Document]] = {}
    for one in documents:
        if one.absence is not None and str(one.path) not in files:
            gone.setdefault(str(one.path), []).append(one)
    for inside in files.values():
        if len(inside) > 1:
            inside.sort(key=lambda one: one.part != "")
    for location, inside in gone.items():
        if len(inside) == 1 and not inside[0].part:
            files[location] = [_there(inside[0])]
    return files


def _there(document: Document) -> Document:
    """A document as it is when its file is there."""
    return replace(document, absence=None) if document.absence else document


def _reads_more(now: ReadingSettings, before: ReadingSettings) -> bool:
    """Whether other limits or OCR may find more in a file on which there was a remark."""
    return (now.limits, now.ocr, now.ocr_languages) != (
        before.limits,
        before.ocr,
        before.ocr_languages,
    )


def _with_problems(problems: Sequence[Problem]) -> frozenset[str]:
    """The names of files that could not be read, wholly or in part; folders may be among them."""
    return frozenset(
        "/".join(steps[:count])
        for steps in (problem.name.split("/") for problem in problems)
        for count in range(1, len(steps) + 1)
    )
