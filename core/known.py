"""What an earlier scan knows already, so that a new one reads only what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.corpus import Corpus
from core.documents import Document, FoundFile, Problem, ReadingSettings
from core.scan_state import ScanState
from core.settings import ScanSettings
from core.signing import SignedTexts
from core.texts import TextStore

__all__ = ["KnownDocuments", "join_states"]

Int64Array = npt.NDArray[np.int64]

ROWS_AT_ONCE = 1 << 16


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
        documents = state.documents if state else ()
        if state and state.reading and _reads_more(reading, state.reading):
            remarked = {one.path for one in documents if one.remarks}
            documents = [one for one in documents if one.path not in remarked]
        self.by_content = {(one.file_hash, one.kind): one for one in documents}
        self._by_location = {str(one.path): one for one in documents if not one.part}
        self._parts: dict[str, list[Document]] = {}
        for one in documents:
            if one.part:
                self._parts.setdefault(str(one.path), []).append(one)
        self._troubled = _with_problems(state.problems) if state else frozenset()
        self._numbers = {
            (one.file_hash, one.kind): number
            for number, one in enumerate(state.documents if state else ())
        }
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
        known = self._by_location.get(found.location)
        parts = self._parts.get(found.location, [])
        documents = [known, *parts] if known else parts
        if not documents or documents[0].file_name in self._troubled:
            return ()
        first = documents[0]
        if (first.size, first.modified_ns) != (found.size, found.modified_ns):
            return ()
        if first.file_name == found.name:
            return documents
        return [
            replace(one, name=found.name + one.name.removeprefix(one.file_name))
            for one in documents
        ]

    def number_of(self, document: Document) -> int:
        """The number that the bytes of a document had."""
        return self._numbers[document.file_hash, document.kind]

    def text_of(self, document: Document) -> str:
        """The text of a document, which was made from these bytes before."""
        if self._state is None:
            raise LookupError(document.name)
        return self._state.texts[self.number_of(document)]


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


def join_states(
    before: ScanState, kept: Sequence[int], fresh: Corpus, order: Int64Array, corpus: Corpus
) -> None:
    """Fill a corpus with documents of an earlier scan and with new ones.

    Args:
        before: The earlier scan.
        kept: The numbers there of the documents that are kept.
        fresh: The new documents.
        order: Which of these, the kept ones first, is the n-th document now.
        corpus: To be filled; empty.

    Raises:
        StorageError: There is no room for a temporary file.
    """
    count = len(before.documents)
    numbers = np.concatenate([np.array(kept, dtype=np.int64), count + np.arange(len(fresh))])
    numbers = numbers[order].astype(np.int64)
    texts = TextStore()
    texts.adopt(before.texts, np.array([one.characters for one in before.documents], np.int64))
    texts.adopt(fresh.texts, fresh.texts.lengths)
    corpus.adopt(texts.arranged(numbers))
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        corpus.append(_take(before.signed, fresh.signed, numbers[start : start + ROWS_AT_ONCE]))
    places = np.full(count, -1, dtype=np.int64)
    old = np.flatnonzero(numbers < count)[::-1]
    places[numbers[old]] = old
    corpus.evidence.restore(before.evidence.renumbered(places, len(numbers)))


def _take(before: SignedTexts, fresh: SignedTexts, numbers: Int64Array) -> SignedTexts:
    """Rows of two tables, numbered on from one to the other."""
    count = len(before.units)
    is_old = numbers < count
    rows = SignedTexts.join([before.take(numbers[is_old]), fresh.take(numbers[~is_old] - count)])
    return rows.take(np.argsort(np.concatenate([np.flatnonzero(is_old), np.flatnonzero(~is_old)])))
