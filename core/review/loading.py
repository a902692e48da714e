"""Opens a review file: reads all of it, without keeping others from saving it.

Signatures and numbers of pairs are those of the file where this installation measured them, with
the methods and settings of today (see `core.review.trust`). Else none of them is even read: texts
are signed again, and pairs measured again when they are listed.

The texts of an open review are read when they are needed.
"""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self, overload

import numpy as np

from core.base.arrays import Int64Array
from core.base.memory import CLOSE_PROGRAMS, collector_paused, require_memory
from core.base.messages import N_, gettext
from core.base.tasks import (
    Progress,
    ProgressReport,
    Stage,
    WorkerPool,
    batches,
    ignore,
    results_of,
    stop_if_cancelled,
)
from core.base.wording import readable_count
from core.documents.discovery import find_documents
from core.documents.model import Document, FolderRoles, FoundFile, Problem, Role, own_text
from core.documents.reading_settings import ReadingSettings, stored_reading
from core.errors import ReviewError, SettingsError
from core.evidence.overlap import Overlap
from core.evidence.pairs import PassageEvidence
from core.evidence.store import Evidence
from core.review import database
from core.review.decisions import carried_out, judged
from core.review.header import READING, SIGNING, Facts, load_facts, settings_of, state_of
from core.review.log import load_entries
from core.review.packing import OVERLAP, checksum_of, load_pairs, most_of, unpack_text
from core.review.rows import (
    WantedRows,
    document_of,
    document_rows,
    folder_rows,
    load_exclusions,
    load_list,
    load_part,
    load_reworked,
    load_signed,
    prefix_of,
    problems_of,
    reading_of,
    role_of,
)
from core.review.sidecar_files import (
    DAMAGE,
    changed,
    damaged,
    explained,
    file_state,
    shown,
    undamaged,
)
from core.review.trust import is_ours, verify_all, verify_once
from core.review.validation import check_numbers, rows_of, watched
from core.scan.judgements import Judgements
from core.scan.rescan import are_unchanged
from core.scan.reworked import kept_model, model_in
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.identity import text_hashes
from core.text.set_aside import SetAside, merged_in

Row = tuple[int, int, bytes]

LONG_TEXT = 1 << 22  # characters
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
            return [self._read(position) for position in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"There is no text {index} among {len(self)}.")
        return self._read(index % len(self))

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
                if self._closed:
                    raise ReviewError(
                        "{name} was closed: its texts cannot be read.",
                        name=shown(self._path),
                    )
                row = self._row(self._opened(), position)
            return row and self._text(position, row)
        return None

    def _opened(self) -> sqlite3.Connection:
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
                row = self._row(connection, position)
                text = row and self._text(position, row)
                if text is not None:
                    return text
            is_as_opened = state_of(connection) == self._state
        raise damaged(self._path) if is_as_opened else changed(self._path)

    def _row(self, connection: sqlite3.Connection, position: int) -> Row | None:
        """The row of a text; rows that cannot be one are not read."""
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

    def _text(self, position: int, row: Row) -> str | None:
        """The text in a row, or None where it is not as it was written."""
        size, checksum, data = row
        if checksum_of(data, seed=int(self._numbers[position])) != checksum:
            return None
        text = unpack_text(size, data)  # by far the longest part, and without the lock
        return text if len(text) == self.lengths[position] else None

    def _close_snapshot(self) -> None:
        if self._snapshot is not None:
            self._snapshot.close()
            self._snapshot = None

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def measured_again(state: ScanState, *, progress: Progress = ignore) -> ScanState:
    """A scan with signatures made again from its texts, in which nothing is known of pairs.

    Raises:
        ReviewError: A text cannot be read.
    """
    lengths = [document.characters for document in state.documents]
    signed = signed_again(
        state.texts, lengths, state.settings, state.set_aside, Stage.COMPARE, progress
    )
    reworked = kept_model(state.evidence.reworked)
    evidence = Evidence.none(len(lengths))._replace(reworked=reworked)
    return state._replace(signed=signed, evidence=evidence)


def signed_again(
    texts: Sequence[str],
    lengths: Sequence[int],
    settings: ScanSettings,
    set_aside: Mapping[int, Sequence[SetAside]],
    stage: Stage,
    progress: Progress,
) -> SignedTexts:
    """Texts signed on all cores, without the text set aside in them.

    Raises:
        ReviewError: A text cannot be read.
    """

    def signed(part: slice) -> SignedTexts:
        return sign_texts(
            texts[part], settings, set_aside=merged_in(range(part.start, part.stop), set_aside)
        )

    made = [sign_texts([], settings)]
    parts = list(batches(lengths))
    with WorkerPool() as pool:
        tasks = (pool.submit(signed, batch) for batch in parts)
        for part, result in zip(parts, results_of(tasks), strict=True):
            made.append(result)
            progress(ProgressReport(stage, part.stop, len(lengths)))
    return SignedTexts.join(made)


def with_text_hashes(documents: Sequence[Document], texts: Sequence[str]) -> list[Document]:
    """Documents with the hashes of these texts."""
    hashed = []
    for number, document in enumerate(documents):
        stop_if_cancelled()
        (text_hash,) = text_hashes([own_text(document, texts[number])])
        hashed.append(replace(document, text_hash=text_hash))
    return hashed


ROWS_AT_ONCE = 4096
BY_OTHER_SETTINGS = N_(
    "What this review knew of its documents was made with other settings. It was made again from "
    "the texts, and pairs are measured again."
)
BY_OTHER_VERSION = N_(
    "Another version of Neardup made what this review knew of its documents. It was made again "
    "from the texts, and pairs are measured again. Some numbers may differ from before."
)
OTHER_TEXTS = N_(
    "An earlier version of Neardup told texts apart in another way. What was decided in this "
    "review stays in its log, but holds for no text as it is known now: judge these pairs again."
)
NOT_OURS = N_(
    "This review was saved on another computer or by another user, or changed by another program. "
    "None of its numbers was used: all pairs are measured again from its texts. Once you have "
    "saved it, it opens without that."
)


class StoredScan:
    """A review that is being read, in a transaction.

    Attributes:
        texts: Its texts.
        folders: The scanned folders.
        is_measured: Whether signatures and numbers of pairs are used as they are stored.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        notes: MutableSequence[str],
        progress: Progress,
        *,
        just_written: bool = False,
    ) -> None:
        """Read the facts and the documents.

        A file that this process just wrote is read as it is, also where no key can be kept.

        Raises:
            ReviewError: This version does not have its settings.
            ValueError: Something is not as it was written.
        """
        self._connection, self._notes = connection, notes
        self._progress = progress
        self._facts = load_facts(connection)
        progress(ProgressReport(Stage.OPEN, 0, self._facts.documents))
        try:
            self._settings = settings_of(self._facts.settings)
        except SettingsError as error:
            raise ReviewError(
                "{name} was scanned with settings that this version of Neardup does not have: "
                "{why} Scan its folders again, into another review.",
                name=shown(path),
                why=error,
            ) from error
        self._folders = folder_rows(connection)
        prefixes = {0: ""} | {folder.id: prefix_of(str(folder.path())) for folder in self._folders}
        self._roles = tuple(map(role_of, self._folders))
        self.folders = [folder.path() for folder in self._folders]
        rows = _documents(connection, prefixes)
        roles = FolderRoles(self.folders, self._roles)
        self._rows = rows._replace(documents=list(roles.assigned(rows.documents)))
        number = state_of(connection)
        self.texts = StoredTexts(path, number, self._rows.texts, self._rows.documents, connection)
        note = "" if just_written else self._why_measured_again()
        self.is_measured = not note
        notes.extend(filter(None, [note]))

    def _why_measured_again(self) -> str:
        if self._facts.settings != asdict(self._settings):
            return gettext(BY_OTHER_SETTINGS)
        if self._facts.signing != SIGNING:
            return gettext(BY_OTHER_VERSION)
        return "" if is_ours(self._connection, self._facts) else gettext(NOT_OURS)

    def would_stay(
        self, folders: Sequence[Path], roles: Sequence[Role], settings: ScanSettings
    ) -> bool:
        """Whether another scan of these folders changes nothing if all files are unchanged.

        In doubt it says no.
        """
        facts = self._facts
        requested = list(zip(map(str, folders), roles, strict=True))
        stored = list(zip(map(str, self.folders), self._roles, strict=True))
        return (
            self.is_measured
            and settings == self._settings
            and facts.reading == READING
            and facts.contained == facts.log
            and facts.run is None
            and not facts.problems
            and requested == stored[: len(requested)]
            # References and templates stay, also where they are not named.
            and all(role is not Role.REVIEW for _, role in stored[len(requested) :])
        )

    @property
    def documents(self) -> Sequence[Document]:
        """The documents as they are stored."""
        return self._rows.documents

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
        if is_judged and facts.signing != SIGNING and self._have_changed(documents):
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
            kept_reading=_reading_kept(facts),
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
            signed = signed_again(
                self.texts,
                self.texts.lengths.tolist(),
                self._settings,
                self._set_aside,
                Stage.OPEN,
                self._progress,
            )
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


class _Rows(NamedTuple):
    """The documents in the order of the names of their files, and the keys of other tables."""

    documents: list[Document]
    ids: Int64Array
    texts: Int64Array
    signed: Int64Array
    checksums: Int64Array
    shingles: Int64Array


def _documents(connection: sqlite3.Connection, folders: dict[int, str]) -> _Rows:
    documents: list[Document] = []
    columns = array("q")
    with collector_paused():
        for row in document_rows(connection):
            if len(documents) % ROWS_AT_ONCE == 0:
                stop_if_cancelled()
            documents.append(document_of(row, folders))
            columns.extend(row[:10])
    numbers = np.array(columns, dtype=np.int64).reshape(-1, 10)
    check_numbers(numbers)
    occurrences = numbers[:, 9].tolist()
    order = sorted(
        range(len(documents)), key=lambda row: (documents[row].file_name, occurrences[row])
    )
    ids, _, _, _, _, texts, signed, checksums, shingles, _ = numbers[order].T.copy()
    ordered = [documents[index] for index in order]
    return _Rows(ordered, ids, texts, signed, checksums, shingles)


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
    with _reading(path, notes) as connection:
        stored = StoredScan(path, connection, notes, progress)
        review = Review(path, stored.load(), notes, stored.texts)
        if verify:
            verify_once(path, connection, is_loaded=stored.is_measured)
    review.let_go()
    return review


def is_up_to_date(
    path: Path, folders: Sequence[Path], roles: Sequence[Role], settings: ScanSettings
) -> bool:
    """Whether a scan of these folders would change nothing in a review of them.

    No document is read. All of the review is checked: a scan is no success beside a
    damaged review.

    Raises:
        ReviewError, ScanCancelledError: As from `open_review`.
    """
    path = Path(os.path.realpath(path))
    files = _files_in(folders)
    if files is None:
        return False
    with _reading(path, []) as connection:
        if not _were_known(connection, files):  # decided without reading all documents
            is_unchanged = False
        else:
            stored = StoredScan(path, connection, [], ignore)
            is_unchanged = stored.would_stay(folders, roles, settings)
            if is_unchanged and stored.folders != list(folders):
                files = _files_in(stored.folders)
            is_unchanged &= files is not None and are_unchanged(files, stored.documents)
        if is_unchanged:
            verify_all(connection)
    connection.close()
    return is_unchanged


def _files_in(folders: Sequence[Path]) -> list[FoundFile] | None:
    """The files in folders; None where a folder or file cannot be read."""
    unusable: dict[Path, str] = {}
    files, problems = find_documents(folders, unusable=unusable)
    return None if unusable or problems else files


def _were_known(connection: sqlite3.Connection, files: Sequence[FoundFile]) -> bool:
    """Whether for each file there is a document of its size and time."""
    query = "SELECT id, size, modified_ns, 0 FROM documents ORDER BY id"
    known = {(size, changed_ns) for _, size, changed_ns, _ in rows_of(connection, query, 3)}
    return all((file.size, file.modified_ns) in known for file in files)


def _reading_kept(facts: Facts) -> ReadingSettings | None:
    """How the files were read.

    Raises:
        ValueError: What stands there is none.
    """
    try:
        return None if facts.read_with is None else stored_reading(facts.read_with)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("How the files were read is not as it was written.") from error


@contextmanager
def _reading(path: Path, notes: list[str]) -> Iterator[sqlite3.Connection]:
    """A review in a transaction; who reads it closes the connection."""
    with explained(path, "opened"), undamaged(path):
        database.refuse_foreign(path)
        connection = database.connect(path, write=False, notes=notes)
        try:
            with _unchanged(path, connection):
                database.check_version(connection, path)
                connection.execute("BEGIN")  # the state is that of the first read
                with watched(connection):
                    yield connection
        except BaseException:
            connection.close()
            raise


@contextmanager
def _unchanged(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """While a file is read without locks, distinguish changes by others from damage."""
    if not database.is_lock_free(connection):
        yield
        return
    before = file_state(path)
    try:
        yield
    except (ReviewError, sqlite3.Error, *DAMAGE) as error:
        if file_state(path) != before:
            raise changed(path) from error
        raise
    if file_state(path) != before:
        raise changed(path)
