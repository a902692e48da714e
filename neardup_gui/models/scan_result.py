"""The result of a scan for the tables: made on the worker thread, then only read."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from core.base.arrays import BoolArray, Int64Array, IntegerArray
from core.documents.model import DocumentKey, Documents, Role
from core.evidence.pairs import Pairs
from core.scan.judgements import Judgements
from neardup_gui.models.problems import FileGroup
from neardup_gui.models.words.documents import mark_of
from neardup_gui.models.words.numbers import full_name

if TYPE_CHECKING:
    from pathlib import Path

    from core.documents.model import Document, PairKey, Problem
    from core.documents.reading_settings import ReadingSettings
    from core.reports.curve.state import FolderPairs
    from core.scan.changed_files import Changes
    from core.scan.history import HistoryEntry
    from core.scan.judgements import PairRows
    from core.scan.pair_list import PairList
    from core.scan.scan import Scan
    from core.scan.state import ScanState
    from core.settings import ScanSettings
    from neardup_gui.models.setup import ExclusionState

SAMPLED = 1_000  # names from which the common beginning is found
Languages = tuple[str | None, str | None]  # of two documents; None if not detected


class ListedPair(NamedTuple):
    """A pair of a list, A before B; in another list of the folder see `DocumentNames.followed`."""

    a: DocumentKey
    b: DocumentKey

    @property
    def names(self) -> tuple[str, str]:
        """The names of its documents."""
        return self.a.name, self.b.name

    @property
    def turned(self) -> ListedPair:
        """The pair with B before A."""
        return ListedPair(self.b, self.a)


class PhraseMatches(NamedTuple):
    """A phrase, and which of all documents contain it in their texts.

    In a new list, until its texts are searched, these are the documents of the `list_before`.
    """

    phrase: str
    documents: BoolArray
    list_before: bool = False


class DocumentNames:
    """The names of all documents, to be shown and searched.

    Attributes:
        in_texts: What the last search of the texts found; None where they are not searched.
    """

    in_texts: PhraseMatches | None = None

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = Documents(documents)
        self._documents = documents
        self.shown = [document.name for document in documents]
        self.paths = [document.location for document in documents]
        self.missing = [number for number, document in enumerate(documents) if document.absence]
        self.marks = {
            number: mark for number, document in enumerate(documents) if (mark := mark_of(document))
        }
        self._folded = [name.casefold() for name in self.shown]
        self._named: tuple[str, BoolArray] | None = None  # all tables filter by the same text
        self._references = np.array(
            [document.role is Role.REFERENCE for document in documents], dtype=np.bool_
        )

    def __len__(self) -> int:
        return len(self.shown)

    @cached_property
    def _sample(self) -> list[str]:
        return self.shown[:: max(len(self.shown) // SAMPLED, 1)]

    @cached_property
    def letters(self) -> int:
        """The number of letters of the longest name."""
        return max(map(len, self._sample), default=0)

    @cached_property
    def alike(self) -> str:
        """The folders that most documents are in, and the beginning that most files have in common.

        Most are two in three, or more.
        """
        names = [name.split("/") for name in self._sample]
        outliers = len(names) // 6  # at either end
        most = slice(outliers, len(names) - outliers)
        folders = sorted(folders for *folders, _ in names)[most]
        files = sorted(file for *_, file in names)[most]
        common = os.path.commonprefix(folders)  # noqa: RUF071 - of lists of folders
        return "/".join([*common, os.path.commonprefix(files)])  # noqa: RUF071 - of letters

    def containing(self, text: str) -> BoolArray:
        """Which documents contain a phrase in their names or, as far as is known, their texts.

        While texts are searched for another phrase, the last matches stay.
        """
        named, in_texts = self.named(text), self.in_texts
        return named | in_texts.documents if in_texts else named

    def keep_matches(self, before: DocumentNames) -> None:
        """Keep the matches in the texts of the list before, until the texts are searched again."""
        matches = before.in_texts
        if matches is None or before is self:
            return
        numbers = [self.index(before.shown[n]) for n in np.flatnonzero(matches.documents).tolist()]
        documents = np.zeros(len(self), dtype=np.bool_)
        documents[[number for number in numbers if number is not None] or slice(0)] = True
        self.in_texts = PhraseMatches(matches.phrase, documents, list_before=True)

    def named(self, text: str) -> BoolArray:
        """Which names contain a text, whatever the case; read only."""
        folded, known = text.casefold(), self._named
        if known is None or known[0] != folded:
            named = np.array([folded in name for name in self._folded], dtype=np.bool_)
            named.flags.writeable = False
            known = self._named = folded, named
        return known[1]

    def index(self, name: str) -> int | None:
        """The document of a name."""
        return self.documents.number_at(name)

    def find(self, key: DocumentKey) -> int | None:
        """The number of a document of another list, by its key or else by its name."""
        number = self.documents.number_of(key)
        return self.index(key.name) if number is None else number

    def in_full(self, number: int) -> str:
        """The path of a document, and its mark on a separate line."""
        lines = full_name(self.paths[number]), self.marks.get(number, "")
        return "\n".join(filter(None, lines))

    def role_of(self, name: str) -> Role | None:
        """The role of the document of a name; None for a part of a file, which has none."""
        number = self.index(name)
        document = None if number is None else self._documents[number]
        return document.role if document and not document.part else None

    def reference_first(self, a: IntegerArray, b: IntegerArray) -> BoolArray:
        """Whether A of each pair is a reference and B to review: such pairs are shown turned."""
        first: BoolArray = self._references[a] & ~self._references[b]
        return first

    def key_of(self, number: int) -> DocumentKey:
        """The key of a document."""
        return DocumentKey.of(self._documents[number])

    def key(self, a: int, b: int) -> ListedPair:
        """The key of two documents."""
        return ListedPair(self.key_of(a), self.key_of(b))

    def followed(self, key: ListedPair, before: Documents) -> ListedPair:
        """The key of a pair of the list before in this list; the same key if it is not listed."""
        a, b = (self.documents.successor_of(document, before) for document in key)
        return key if a is None or b is None else self.key(a, b)


class Questions(NamedTuple):
    """What the user may be asked about the documents of a list.

    Attributes:
        people: How many handed files in, where some have several and each was read by itself.
        versions: Whether all documents are versions of one; of a first scan.
        earlier: The folders of earlier years; of a first scan.
        in_most: A passage that most documents contain; empty if there is none.
    """

    people: int = 0
    versions: bool = False
    earlier: tuple[Path, ...] = ()
    in_most: str = ""


NO_QUESTIONS = Questions()


@dataclass(frozen=True, kw_only=True, eq=False)
class ScanResult:
    """The pairs that a scan lists under some settings; `complete` is false while it runs.

    `groups` are the problems by what happened, `reading` is how files were read, None where that
    is not known. `changes` are what a rescan found, None for other lists. `missing` documents are
    listed though they are not there; those that the user `removed` are kept by the review. The
    pairs that were `added` are shown after those that were found. `rows` are the listed pairs,
    indexed by their texts, `exclusions` what is set aside.
    `in_folders` is how many documents each folder has.
    The random sample in `folder` is empty until the scan is complete, and there is no `state`: what
    a review keeps, made where no other thread lists pairs at the same time.
    """

    scan: Scan
    pair_list: PairList
    names: DocumentNames
    folder: FolderPairs
    rows: PairRows
    exclusions: ExclusionState
    complete: bool
    state: ScanState | None = None
    seconds: float = 0.0
    groups: tuple[FileGroup, ...] = ()
    reading: ReadingSettings | None = None
    changes: Changes | None = None
    missing: int = 0
    removed: int = 0
    added: AbstractSet[PairKey] = frozenset()
    in_folders: tuple[int, ...] = ()
    questions: Questions = NO_QUESTIONS

    @property
    def is_of_run(self) -> bool:
        """Whether it is a part of a run on a cluster, which decides what is listed."""
        return self.scan.decided.part is not None

    @property
    def is_of_two_versions(self) -> bool:
        """Whether it has two documents only, which are mostly the same."""
        alike = len(self.documents) == TWO and (self.pairs.overlap >= OF_VERSIONS).any()
        return bool(alike)

    @property
    def log(self) -> Sequence[HistoryEntry]:
        """The judgements when the list was made."""
        return self.state.log if self.state else ()

    def languages_of(self, a: int, b: int) -> Languages:
        """The languages of two documents, as passages are looked for."""
        from core.scan.pair_details import languages_of_pair  # noqa: PLC0415 - slow to import

        judgements = self.state.judgements if self.state else Judgements()
        return languages_of_pair(self.documents, judgements, a, b)

    @property
    def settings(self) -> ScanSettings:
        """The settings that pairs are listed under."""
        return self.pair_list.settings

    @property
    def documents(self) -> Sequence[Document]:
        """The documents with text, as far as the scan has come."""
        return self.pair_list.documents

    @property
    def problems(self) -> Sequence[Problem]:
        """Files that gave no text."""
        return self.pair_list.problems

    @property
    def notes(self) -> Sequence[str]:
        """What this list leaves out or could not find, in sentences."""
        return self.pair_list.notes

    def can_answer(self, settings: ScanSettings) -> bool:
        """Whether a list under these settings needs no other scan."""
        scanned = self.scan.settings
        if self.complete and not self.is_of_run:
            return scanned.same_but_passages(settings)
        return scanned.same_signatures(settings)

    @property
    def pairs(self) -> Pairs:
        """The rows of the list, then of few documents the other pairs; worst first."""
        return self.pair_list.rows


TWO = 2  # documents, which open straight into their comparison
OF_VERSIONS = 0.8  # the overlap from which two documents count as versions of one
NOWHERE = -1


@dataclass(frozen=True, eq=False)
class ListDifference:
    """Pairs of a list and of the one before it, row by row.

    Attributes:
        before: int64 (n,), the row that each pair had; -1 for one that was not listed.
        left: How many pairs are not listed any more.
        came: How many were not listed before.
        changed: How many are listed in both with another resemblance.
    """

    before: Int64Array
    left: int
    came: int
    changed: int


def difference_of(before: ScanResult, now: ScanResult) -> ListDifference:
    """Compare two lists of the same scan, in which documents are known by their names."""
    numbers = _followed(now.names, before.names)
    old, new = before.pairs, now.pairs
    known = _codes(old, np.arange(len(before.names), dtype=np.int64), len(before.names))
    wanted = _codes(new, numbers, len(before.names))
    order = np.argsort(known, kind="stable")
    indices = np.searchsorted(known[order], wanted)
    indices[indices == len(known)] = 0
    rows = order[indices] if len(known) else np.full(len(wanted), NOWHERE)
    is_known = (known[rows] == wanted) if len(known) else np.zeros(len(wanted), dtype=np.bool_)
    rows = np.where(is_known, rows, NOWHERE).astype(np.int64)
    # Of few documents, pairs in which nothing was found have rows, too.
    was, stayed = old.found_by > 0, is_known & (new.found_by > 0)
    stayed[is_known] &= was[rows[is_known]]
    same = old.resemblance[rows[stayed]] == new.resemblance[stayed]
    both = int(np.count_nonzero(stayed))
    left, came = np.count_nonzero(was) - both, np.count_nonzero(new.found_by > 0) - both
    return ListDifference(rows, int(left), int(came), int(np.count_nonzero(~same)))


def _followed(names: DocumentNames, before: DocumentNames) -> Int64Array:
    """The number that each document had before; -1 for a new one."""
    numbers = (before.index(name) for name in names.shown)
    return np.array([NOWHERE if n is None else n for n in numbers], dtype=np.int64)


def _codes(pairs: Pairs, numbers: Int64Array, documents: int) -> npt.NDArray[np.int64]:
    """A number per pair, whichever document comes first; below 0 if one is not known."""
    if not len(pairs):
        return np.zeros(0, dtype=np.int64)
    a, b = numbers[pairs.a], numbers[pairs.b]
    codes = np.minimum(a, b) * documents + np.maximum(a, b)
    return np.where(np.minimum(a, b) < 0, np.int64(-1), codes)
