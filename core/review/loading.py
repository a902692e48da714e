"""Opens a review file: reads all of it, without keeping others from saving it.

Signatures and numbers of pairs are those of the file where this installation measured them, with
the methods and settings of today (see `core.review.mac`). Else none of them is even read: texts
are signed again, and pairs measured again when they are listed.

The texts of an open review are read when they are needed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Self, overload

import numpy as np

from core.base.arrays import Int64Array
from core.base.memory import CLOSE_PROGRAMS, require_memory
from core.base.messages import N_, gettext
from core.base.tasks import Progress, ProgressReport, Stage, WorkerPool, ignore, stop_if_cancelled
from core.base.wording import readable_count
from core.candidates.forecast import KnownPairs
from core.documents.model import Document, Problem, own_text
from core.documents.reading_settings import stored_reading
from core.errors import ReviewError
from core.evidence.overlap import Overlap
from core.evidence.pairs import PassageEvidence
from core.evidence.store import Evidence
from core.review import database
from core.review.decisions import carried_out, judged
from core.review.documents import StoredDocuments, reading
from core.review.header import READING, Facts, state_of
from core.review.integrity import verify_once
from core.review.log import load_entries
from core.review.packing import checksum_of, most_of, unpack_text
from core.review.rows import problems_of, reading_of
from core.review.sidecar_files import DAMAGE, changed, damaged, explained, shown, undamaged
from core.review.stored_exclusions import load_exclusions
from core.review.stored_pairs import (
    FORECAST,
    LARGEST_FORECAST,
    LISTED,
    OVERLAP,
    load_pairs,
    load_reworked,
    value_of,
)
from core.review.stored_signatures import WantedRows, load_signed
from core.review.validation import check_run_pairs, check_ways, typed_values
from core.scan.judgements import Judgements
from core.scan.lister import KnownList, ListFacts
from core.scan.part_of_run import PartOfRun, RunFacts
from core.scan.reworked import kept_model, model_in
from core.scan.state import ScanState, signed_again
from core.signatures.signing import SignedTexts
from core.text.identity import text_hashes
from core.text.store import TextStore

Row = tuple[int, int, bytes]

LONG_TEXT = 1 << 22  # characters
SHORT_TEXT = 1 << 14  # characters: is read in less time than threads take to change
BYTES_OF_CHARACTER = 4  # at most, in UTF-8 and in memory
# zlib lengthens data that it cannot compress by less than that.
LONGER_BY = 1 << 10
# A text with its origin: a file with other texts under these numbers may have come there.
# The data comes along where it is short: most are, and a second query takes as long as reading.
MADE_FROM = """
    SELECT texts.size, length(texts.data),
        documents.file_hash, documents.kind, documents.encoding, documents.characters,
        texts.checksum, CASE WHEN length(texts.data) <= ?2 THEN texts.data END
    FROM texts JOIN documents ON documents.text = texts.id WHERE texts.id = ?1 LIMIT 1
"""
STORED = "SELECT size, checksum, data FROM texts WHERE id = ?"


class StoredTexts(Sequence[str]):
    """Texts by position of the document, safe to read from any thread.

    Between two texts nothing keeps others from saving the file, and while one is read nothing locks
    it. A number is never given to another text, so a text under it is checked and is the
    right one or none. Then it is read once more, from the file as SQLite sees it.

    Attributes:
        lengths: int64, the length of each in code points, known without reading it.

    Raises:
        ReviewError: From reading: the text is damaged, the file has it no more, or the review was
            closed.
    """

    def __init__(
        self,
        path: Path,
        state: str,
        numbers: Int64Array,
        documents: Sequence[Document],
        snapshot: sqlite3.Connection,
    ) -> None:
        """Read from the open connection, until `let_go`.

        Args:
            path: The file.
            state: The number of the state it has.
            numbers: The number of the text of every document.
            documents: The documents.
            snapshot: A connection that keeps seeing this state; closed with the texts.
        """
        self.lengths = np.fromiter(
            (document.characters for document in documents), np.int64, len(documents)
        )
        self._path = path
        self._state = state
        self._numbers = numbers
        self._documents = documents
        self._snapshot: sqlite3.Connection | None = snapshot
        self._connection: sqlite3.Connection | None = None
        self._closed = False
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self.lengths)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """The text of a document, or several."""
        if isinstance(index, slice):
            return self.texts_at(range(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(f"There is no text {index} among {len(self)}.")
        return self._read(index % len(self))

    def texts_at(self, positions: Sequence[int]) -> list[str]:
        """The texts of several documents.

        Of short ones, one thread reads all: reading lets go of the interpreter every few
        microseconds, and threads that keep taking it from each other need up to twice the time.
        """
        if int(self.lengths[positions].sum()) >= SHORT_TEXT * len(positions):
            return list(map(self._read, positions))
        texts: list[str | None] = [None] * len(positions)
        with suppress(sqlite3.Error, OSError, MemoryError, *DAMAGE), self._lock:
            for index, position in enumerate(positions):
                texts[index] = self._text(position, self._row(position))
        both = zip(positions, texts, strict=True)
        return [self._read(position) if text is None else text for position, text in both]

    def let_go(self) -> None:
        """Close the snapshot, and read from the file as it is at each moment."""
        with self._lock:
            self._close_snapshot()

    def close(self) -> None:
        """Let go of the file; waits for a text that is just being read."""
        with self._lock:
            self._closed = True
            self._disconnect()
            self._close_snapshot()

    def _read(self, position: int) -> str:
        try:
            text = self._text_or_none(position)
        except MemoryError:
            with explained(self._path, "read"):
                raise
        if text is not None:
            return text
        with explained(self._path, "read"), undamaged(self._path):
            if self._snapshot is not None:
                raise damaged(self._path)
            return self._read_again(position)

    def _text_or_none(self, position: int) -> str | None:
        """The text from the open connection; None where it is missing or invalid."""
        with suppress(sqlite3.Error, OSError, *DAMAGE):
            with self._lock:
                row = self._row(position)
            return self._text(position, row)
        return None

    def _opened(self) -> sqlite3.Connection:
        if self._closed:
            raise ReviewError(
                "{name} was closed: its texts cannot be read.", name=shown(self._path)
            )
        if self._snapshot is not None:
            return self._snapshot
        if self._connection is None:
            connection = database.connect_as_it_is(self._path)
            try:
                database.check_version(connection, self._path)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _read_again(self, position: int) -> str:
        """The text as SQLite sees the file at this moment."""
        with self._lock:
            self._disconnect()  # what it remembers of the file is old
        with closing(database.connect(self._path, write=False)) as connection:
            database.check_version(connection, self._path)
            connection.execute("BEGIN")
            with suppress(*DAMAGE):
                text = self._text(position, self._row(position, connection))
                if text is not None:
                    return text
            is_as_opened = state_of(connection) == self._state
        raise damaged(self._path) if is_as_opened else changed(self._path)

    def _row(self, position: int, connection: sqlite3.Connection | None = None) -> Row | None:
        """The row of a text, by default from the open connection, for which there is a lock.

        Rows that cannot be one are not read.
        """
        connection = connection or self._opened()
        number, document = int(self._numbers[position]), self._documents[position]
        characters = document.characters
        at_once = min(BYTES_OF_CHARACTER * characters, LONG_TEXT) + LONGER_BY
        origin = connection.execute(MADE_FROM, (number, at_once)).fetchone()
        if origin is None or origin[2:6] != reading_of(document):
            return None
        size, stored = origin[:2]
        if not characters <= size <= min(BYTES_OF_CHARACTER * characters, most_of(stored)):
            raise ValueError("The size of a text cannot be so.")
        if characters > LONG_TEXT:
            require_memory(
                size + stored + BYTES_OF_CHARACTER * characters,
                gettext("This text of {number} characters", number=readable_count(characters)),
                gettext(CLOSE_PROGRAMS),
            )
        if origin[7] is not None:
            return size, origin[6], origin[7]
        row: Row | None = connection.execute(STORED, (number,)).fetchone()
        return row

    def _text(self, position: int, row: Row | None) -> str | None:
        """The text in a row, or None where it is not as it was written."""
        if row is None:
            return None
        size, checksum, data = row
        if checksum_of(data, seed=int(self._numbers[position])) != checksum:
            return None
        text = unpack_text(size, data)  # takes longest: for long texts without the lock
        return text if len(text) == self.lengths[position] else None

    def _close_snapshot(self) -> None:
        if self._snapshot is not None:
            self._snapshot.close()
            self._snapshot = None

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def with_text_hashes(documents: Sequence[Document], texts: Sequence[str]) -> list[Document]:
    """Documents with the hashes of these texts."""
    hashed = []
    for number, document in enumerate(documents):
        stop_if_cancelled()
        (text_hash,) = text_hashes([own_text(document, texts[number])])
        hashed.append(document._replace(text_hash=text_hash))
    return hashed


def load_part(
    connection: sqlite3.Connection, facts: Facts, ids: Int64Array, documents: Sequence[Document]
) -> PartOfRun | None:
    """The part of a run that a review is; None for a review of a scan.

    Args:
        connection: The review, in a transaction.
        facts: Its facts.
        ids: int64, of the documents.
        documents: The documents.

    Raises:
        TypeError, ValueError, zlib.error: It is damaged, or cannot be so.
        StorageError: There is no memory for so many pairs.
    """
    if facts.run is None:
        return None
    codes, (ways, estimate) = load_pairs(connection, LISTED, ids, facts.listed)
    check_run_pairs(codes, ways, estimate)
    run = typed_values(RunFacts, facts.run)
    names = tuple(document.name for document in documents)
    return PartOfRun(run, names, codes, ways.astype(np.uint8), estimate)


def load_list(
    connection: sqlite3.Connection, facts: Facts, ids: Int64Array, *, is_measured: bool
) -> KnownList | None:
    """The list that a scan keeps; arguments and errors as of `load_part`.

    Its basis says which documents it is of. None where there is none, or where stored values are
    not used (`is_measured`): then they are only checked for damage.
    """
    if facts.run is not None:
        return None
    codes, (ways, _) = load_pairs(connection, LISTED, ids, facts.listed)
    if facts.list is None:
        if len(codes):
            raise ValueError("There are pairs of a list, and no list.")
        return None
    check_ways(codes, ways)
    kept = value_of(connection, FORECAST, LARGEST_FORECAST)
    if not is_measured:
        return None
    forecast = None
    with suppress(LookupError, TypeError, ValueError):  # none, or of another version
        forecast = KnownPairs.from_bytes(kept)
    return KnownList(typed_values(ListFacts, facts.list), codes, ways.astype(np.uint8), forecast)


OTHER_TEXTS = N_(
    "An earlier version of Neardup told texts apart in another way. What was decided in this "
    "review stays in its log, but holds for no text as it is known now: judge these pairs again."
)


class StoredScan(StoredDocuments):
    """A review that is being read, in a transaction."""

    @cached_property
    def texts(self) -> StoredTexts:
        """Its texts; first asked for in the transaction."""
        rows, number = self._rows, state_of(self._connection)
        return StoredTexts(self._path, number, rows.texts, rows.documents, self._connection)

    def load(self) -> ScanState:
        """The state, with the decisions since the scan was saved, checked against its texts.

        Raises:
            ValueError: Something is not as it was written.
            ReviewError: A text that is needed cannot be read.
        """
        state = self.read()
        return carried_out(state, state.log[self._facts.contained :])

    def read(self) -> ScanState:
        """The state as the tables have it; raises as `load`."""
        facts, problems = self._facts, self._problems()
        log = load_entries(self._connection, facts.log)
        rules, self._set_aside = load_exclusions(
            self._connection, facts.aside, self._rows.ids, self.texts.lengths
        )
        signed, evidence = self._measured()
        judgements = judged(Judgements(), log[: facts.contained])
        documents = self._rows.documents
        if not self.is_measured:
            documents = with_text_hashes(documents, self.texts)
        is_judged = bool(judgements.verdicts or judgements.notes or judgements.passages)
        if is_judged and self._is_of_other_version() and self._have_changed(documents):
            self._notes.append(gettext(OTHER_TEXTS))
        self._progress(ProgressReport(Stage.OPEN, facts.documents, facts.documents))
        return ScanState(
            settings=self._settings,
            folders=tuple(self.folders),
            roles=self._roles,
            documents=documents,
            problems=problems,
            signed=signed,
            texts=self.texts,
            evidence=evidence,
            texts_are_current=facts.reading == READING,
            log=tuple(log),
            judgements=judgements,
            set_aside=self._set_aside,
            rules=rules,
            part=load_part(self._connection, facts, self._rows.ids, self._rows.documents),
            kept_reading=stored_reading(facts.read_with) if facts.read_with else None,
            known_list=load_list(
                self._connection, facts, self._rows.ids, is_measured=self.is_measured
            ),
        )

    def _problems(self) -> list[Problem]:
        facts, problems = self._facts, problems_of(self._connection)
        counts = (len(self._folders), len(self._rows.documents), len(problems))
        if counts != (facts.folders, facts.documents, facts.problems):
            raise ValueError("Some rows are missing.")
        return problems

    def _measured(self) -> tuple[SignedTexts, Evidence]:
        """Signatures and evidence, as they are stored or made again."""
        if not self.is_measured:
            texts = TextStore()
            texts.adopt(self.texts, self.texts.lengths)
            texts.exclude_spans(self._set_aside)
            with WorkerPool() as pool:
                signed = signed_again(texts, self._settings, pool, self._progress, Stage.OPEN)
            return signed, self._nothing_known()
        rows, width = self._rows, self._settings.signature_width
        wanted = WantedRows(rows.signed, rows.checksums)
        signed = load_signed(self._connection, wanted, self._facts, width, self._progress)
        codes, overlap = load_pairs(self._connection, OVERLAP, rows.ids, self._facts.pairs)
        evidence = Evidence(codes, Overlap(*overlap), rows.shingles)
        if self._settings.reworked == "off":
            return signed, evidence
        return signed, evidence._replace(reworked=self._reworked())

    def _reworked(self) -> PassageEvidence:
        rows, lengths = self._rows, self.texts.lengths
        reworked = load_reworked(self._connection, self._facts, rows.ids, lengths)
        if reworked.model:
            model_in(reworked.model)  # or it is refused
        return reworked

    def _nothing_known(self) -> Evidence:
        """Empty evidence, to be measured; in a part of a run with the model of the run."""
        nothing = Evidence.none(len(self.texts))
        if self._facts.run is None or self._settings.reworked == "off":
            return nothing
        return nothing._replace(reworked=kept_model(self._reworked()))

    def _have_changed(self, documents: Sequence[Document]) -> bool:
        """Whether texts have other hashes now than the stored ones."""
        pairs = zip(self._rows.documents, documents, strict=True)
        return any(before.text_hash != now.text_hash for before, now in pairs)


class Review:
    """An open review; close it when its texts are no longer needed.

    Attributes:
        path: The file.
        state: The scan. Its texts are read from the file when they are needed.
        notes: Sentences on changes that were made to open it.
    """

    def __init__(
        self, path: Path, state: ScanState, notes: Sequence[str], texts: StoredTexts
    ) -> None:
        self.path = path
        self.state = state
        self.notes = tuple(notes)
        self._texts = texts

    def let_go(self) -> None:
        """Keep nothing of the file open or locked: texts are read when they are needed."""
        self._texts.let_go()

    def close(self) -> None:
        """Let go of the file; texts cannot be read any more."""
        self._texts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_review(path: Path, *, verify: bool = False, progress: Progress = ignore) -> Review:
    """Open a review: everything but the texts is read now, the texts when they are needed.

    Args:
        path: The file.
        verify: Whether to look at all of it, the texts too, because it will be saved.
        progress: Told the number of documents.

    Raises:
        ReviewError: It is no review, damaged, of another format, or may not be read.
    """
    path, notes = Path(os.path.realpath(path)), list[str]()
    with reading(path, notes) as connection:
        stored = StoredScan(path, connection, notes, progress)
        review = Review(path, stored.load(), notes, stored.texts)
        if verify:
            verify_once(path, connection, is_loaded=stored.is_measured)
    review.let_go()
    return review
