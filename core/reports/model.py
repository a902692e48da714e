"""Everything a report says, as one value that the writers share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from core import __version__
from core.base import messages
from core.base.arrays import IntegerArray, UInt8Array
from core.base.messages import Language, as_shown, gettext
from core.base.tasks import Progress, ProgressReport, Stage, ignore, stop_if_cancelled
from core.base.wording import UNKNOWN
from core.documents.model import Document, PairKey, Problem, Role
from core.documents.problems import ProblemCounts, count_problems
from core.documents.properties import Properties
from core.documents.reading_settings import ReadingSettings
from core.evidence.pairs import Pairs
from core.evidence.passage import Passage, SharedText
from core.evidence.shared_words import SharedWords
from core.exclusions.rules import NO_RULES, ExcludedShare, ExclusionRules, shares_of
from core.reports.report_choice import NO_CHOICE, ReportChoice, Scope
from core.reports.scopes import Subject, documents_in, subject_of
from core.reports.shown_text import NamesInTexts, Withheld
from core.scan.file_order import FileOrder, orders_within
from core.scan.groups import Group
from core.scan.history import HistoryEntry
from core.scan.judgements import (
    VERDICTS,
    Judgements,
    PairJudgement,
    PairRows,
    VerdictColumns,
    language_of,
)
from core.scan.pair_list import FEW, DocumentCounts, ListCounts, count_documents, count_pairs
from core.scan.passage_list import JudgedPassage
from core.scan.reworked import with_numbers
from core.scan.state import NO_JUDGEMENTS
from core.settings import ScanSettings
from core.text.set_aside import SetAside

if TYPE_CHECKING:
    from core.reports.curve.state import FolderPairs
    from core.scan.properties import FolderProperties, SharedProperty
    from core.scan.shared_mistakes import Slip

FindOverlaps: TypeAlias = Callable[[Pairs, Progress], SharedWords]
FindReasons: TypeAlias = "Callable[[Pairs, int, Sequence[Passage] | None], Sequence[str]]"


class VerdictCounts(NamedTuple):
    """How far the review of pairs is.

    Attributes:
        counts: How many have each verdict, in the order of `core.scan.judgements.VERDICTS`.
        earlier: How many more have one on an earlier text, which does not count.
    """

    counts: Sequence[int]
    earlier: int


def _nothing_withheld(_document: int) -> Sequence[Withheld]:
    return ()


def _not_measured(pairs: Pairs, _progress: Progress) -> SharedWords:
    return SharedWords.none(len(pairs))


@dataclass(frozen=True, kw_only=True)
class Report:
    """What was compared, how, and what came out.

    Attributes:
        folders: What was compared, by the names shown to the user.
        roles: What each of them is for; all are to review by default.
        created: When, with a time zone; now by default.
        settings: Settings of the scan.
        documents: The documents the indices in `pairs` and `groups` refer to.
        pairs: The pairs to report, filtered and ordered as the user sees them.
        passages_of: Gives the shared passages of documents a and b, a < b, and the length below
            which there are none; called only for the pairs whose passages are written.
        text_of: The text of a document.
        version: Version of the program.
        title: Heading of the report, without a name; in English as all words here, see `words`.
        subject: The names of the documents that it is about; "" where it is about all of them.
        problems: Files that gave no text.
        notes: Sentences: what the scan capped or left out.
        shown: A sentence on filter and order of the pairs; empty when nothing was filtered.
        ranks: The number of each pair in the whole list; by default that of its row.
        unlisted: Of few documents the pairs (a, b) in which the search found nothing, but for
            those in `pairs`, which have a judgement.
        traces_left_out: How many weak traces are not among the pairs because none were wanted.
        compared: Number of pairs of different documents where all were compared, else None.
        reworked_complete: Whether all pairs were measured for reworked passages.
        is_part_of_run: Whether the list is a part of that of a run on a cluster.
        counts: How many pairs there are before filtering, and for which reason; by default those
            in `pairs`.
        groups: Groups of these documents.
        judgements: The judgements of pairs and passages.
        given_verdicts: How far the review of the whole list is; by default that of `pairs`.
        find_judged: Finds where judged passages stand; called only where they are written.
        set_aside: The spans that count in no number, by number of the document.
        rules: The rules by which it was found.
        audit_is_current: Whether the audit in `judgements` is of these documents and settings.
        choice: What the user chose for it.
        language: That of pages and workbooks; by default the one in which it is made.
        hash_of: Gives the shown hash of a file or text: as it is, or where names are withheld so
            that it says nothing without the key.
        log: The decisions, entry by entry.
        reading: How the files were read; None where that is not known.
        withheld_in: Gives the spans of a document's text that are not shown as they are, in the
            order of the text, without overlaps.
        find_names: Gives, where names are withheld, the names that are replaced in the texts.
        find_overlaps: Measures the overlap of pairs a < b of which the list has none.
        find_folder: Gives the pairs behind the curve, of the whole list; None where not known.
        file_properties: The properties of the files of all documents; None where they were not
            wanted.
        find_reasons: Says why a row is listed, and in how many documents its passages stand.
        find_spellings: Finds the slips that only two documents have; reads all texts.
            None where documents are absent.
        shared_by_both: How many other documents share text with both of two documents.
    """

    folders: Sequence[str]
    settings: ScanSettings
    documents: Sequence[Document]
    pairs: Pairs
    passages_of: Callable[[int, int], SharedText]
    text_of: Callable[[int], str]
    version: str = __version__
    created: datetime = field(default_factory=lambda: datetime.now(UTC).astimezone())
    title: str = Subject().title
    subject: str = ""
    problems: Sequence[Problem] = ()
    notes: Sequence[str] = ()
    shown: str = ""
    ranks: Sequence[int] | IntegerArray | None = None
    unlisted: Sequence[tuple[int, int]] = ()
    traces_left_out: int = 0
    compared: int | None = None
    reworked_complete: bool = False
    is_part_of_run: bool = False
    counts: ListCounts | None = None
    groups: Sequence[Group] = ()
    roles: Sequence[Role] = ()
    judgements: Judgements = NO_JUDGEMENTS
    given_verdicts: VerdictCounts | None = None
    find_judged: Callable[[], Sequence[JudgedPassage]] = tuple
    set_aside: Mapping[int, Sequence[SetAside]] = field(default_factory=dict)
    rules: ExclusionRules = NO_RULES
    audit_is_current: bool = False
    choice: ReportChoice = NO_CHOICE
    log: Sequence[HistoryEntry] = ()
    reading: ReadingSettings | None = None
    withheld_in: Callable[[int], Sequence[Withheld]] = _nothing_withheld
    find_names: Callable[[], NamesInTexts] = NamesInTexts
    find_overlaps: FindOverlaps = _not_measured
    find_folder: Callable[[], FolderPairs | None] = lambda: None
    file_properties: FolderProperties | None = None
    find_reasons: FindReasons = lambda _pairs, _row, _counted: ()
    find_spellings: Callable[[int, int], Sequence[Slip]] | None = None
    shared_by_both: Callable[[int, int], int] = lambda _a, _b: 0
    language: Language = field(default_factory=messages.language)
    hash_of: Callable[[str], str] = str

    def __post_init__(self) -> None:
        if self.created.utcoffset() is None:
            raise ValueError(f"The time of a report needs a time zone: {self.created}")

    @property
    def words(self) -> Subject:
        """What it is about in the language of the reader; the record has that in English."""
        if self.is_partial:
            return subject_of(self.choice, self.documents, self.shown)
        return Subject(as_shown(self.title), self.subject, as_shown(self.shown))

    def measured(self, progress: Progress = ignore, *, first: int | None = None) -> Report:
        """This report with the overlap of its pairs, or the first, where the list has none."""
        rows = np.flatnonzero(self.pairs.overlap[:first] < 0)
        if not len(rows):
            return self
        numbers = self.find_overlaps(self.pairs.take(rows), progress)
        pairs = with_numbers(self.pairs, rows, numbers._asdict())
        return replace(self, pairs=pairs, find_overlaps=_not_measured)

    @cached_property
    def list_counts(self) -> ListCounts:
        """How many pairs the scan found, and how many of them it listed."""
        return self.counts or count_pairs(self.pairs, self.settings)

    @cached_property
    def problem_counts(self) -> ProblemCounts:
        """How many files gave no text."""
        return count_problems(self.problems)

    @property
    def is_partial(self) -> bool:
        """Whether it is about a part of the documents: then it says nothing of the rest."""
        return self.choice.scope is not Scope.SHOWN

    @cached_property
    def about(self) -> Sequence[int]:
        """The numbers of the documents that it is about: all, or those of the requested pairs.

        A report on one pair need not say what is remarked on or set aside in other documents.
        """
        if not self.is_partial:
            return range(len(self.documents))
        numbers: list[int] = documents_in(self.pairs, self.choice).tolist()
        return numbers

    @cached_property
    def involved(self) -> Sequence[int]:
        """Of these the documents of its pairs; all where it has no pair."""
        involved = set(documents_in(self.pairs, self.choice).tolist())
        return [number for number in self.about if number in involved or not len(self.pairs)]

    @property
    def concerned(self) -> Sequence[Document]:
        """These documents."""
        return [self.documents[number] for number in self.about]

    @cached_property
    def missing(self) -> Sequence[Document]:
        """Of the documents it is about, those that are gone or could not be read again."""
        return [document for document in self.concerned if document.absence]

    @cached_property
    def group_of(self) -> Mapping[int, int]:
        """The number of the group of each document that is in one, from 1 on."""
        groups = enumerate(self.groups, 1)
        return {member: number for number, group in groups for member in group.documents}

    @cached_property
    def document_counts(self) -> DocumentCounts:
        """How many documents were compared."""
        return count_documents(self.documents)

    @cached_property
    def languages(self) -> Sequence[str]:
        """The code of the language of each document of the folder; "" where it is not known."""
        codes = (language_of(document, self.judgements) for document in self.documents)
        return ["" if code == UNKNOWN else code for code in codes]

    @cached_property
    def not_to_review(self) -> Sequence[Document]:
        """The references and templates among the documents it is about."""
        return [document for document in self.concerned if document.role is not Role.REVIEW]

    @property
    def named_folders(self) -> Sequence[str]:
        """The names of the folders, of those that are not to review with their role."""
        roles = [*self.roles, *[Role.REVIEW] * (len(self.folders) - len(self.roles))]
        return [
            folder if role is Role.REVIEW else f"{folder} ({gettext(role)})"
            for folder, role in zip(self.folders, roles, strict=True)
        ]

    @cached_property
    def folder(self) -> FolderPairs | None:
        """The pairs behind the curve, of the whole list; None where they are not known."""
        return self.find_folder()

    @cached_property
    def judged_passages(self) -> Sequence[JudgedPassage]:
        """The judged passages in these documents, most widely shared first."""
        about = set(self.about)
        judged = [
            passage._replace(
                spans_by_document={
                    n: at for n, at in passage.spans_by_document.items() if n in about
                }
            )
            for passage in self.find_judged()
        ]
        is_of_all = len(about) == len(self.documents)
        return [passage for passage in judged if passage.spans_by_document or is_of_all]

    @cached_property
    def excluded_shares(self) -> Sequence[ExcludedShare]:
        """How much is set aside of the documents of which anything is, in their order."""
        shares = shares_of(self.set_aside, [document.characters for document in self.documents])
        about = set(self.about)
        return [share for share in shares if share.document in about]

    @cached_property
    def remarked(self) -> Sequence[Document]:
        """Of the documents it is about, those on which there is something to remark."""
        return [document for document in self.concerned if document.remarks]

    @cached_property
    def verdicts(self) -> UInt8Array:
        """The verdict of each pair as its index in `core.scan.judgements.VERDICTS`, (pairs,).

        A verdict on an earlier text is not in force: the pair is not reviewed.
        """
        return self._verdict_columns.in_force

    @property
    def is_of_few(self) -> bool:
        """As `PairList.is_of_few`."""
        return len(self.documents) <= FEW and not self.is_part_of_run

    @cached_property
    def verdict_counts(self) -> Sequence[int]:
        """How many pairs have each verdict, in the order of `core.scan.judgements.VERDICTS`.

        Weak traces are no work unless they are judged, nor are pairs of few documents in which
        nothing was found; of many documents such pairs were added, to be judged.
        """
        counts: list[int] = np.bincount(self.verdicts, minlength=len(VERDICTS)).tolist()
        no_work = self.pairs.weak_trace
        if self.is_of_few:
            no_work = no_work | (self.pairs.found_by == 0)
        counts[0] -= int(np.count_nonzero(no_work & (self.verdicts == 0)))
        return counts

    @cached_property
    def nothing_found_count(self) -> int:
        """In how many of its pairs the search found nothing: they were judged, or requested."""
        return int(np.count_nonzero(self.pairs.found_by == 0))

    @property
    def earlier_count(self) -> int:
        """How many pairs have a verdict on an earlier text, and wait for one on this."""
        return int(np.count_nonzero(self._verdict_columns.is_earlier))

    @property
    def list_verdicts(self) -> VerdictCounts:
        """How far the review of the whole list is."""
        return self.given_verdicts or VerdictCounts(self.verdict_counts, self.earlier_count)

    @property
    def judged_rows(self) -> list[tuple[int, PairJudgement]]:
        """The rows of the pairs with a verdict or a note, each with its judgement, by its time.

        Those of the same time stand in the order of the list.
        """
        rows = np.flatnonzero(
            (self._verdict_columns.verdict > 0) | self._verdict_columns.has_note
        ).tolist()
        judged = [(row, self.judgements.judgement_of(self._rows.key_of(row))) for row in rows]
        return sorted(judged, key=lambda judged_row: judged_row[1].judgement.time)

    @cached_property
    def has_judgements(self) -> bool:
        """Whether a pair has a verdict or a note."""
        return bool(self._verdict_columns.verdict.any() or self._verdict_columns.has_note.any())

    def judgement_of(self, row: int) -> PairJudgement | None:
        """The judgement of a pair; None where there is none."""
        if not self._verdict_columns.verdict[row] and not self._verdict_columns.has_note[row]:
            return None
        return self.judgements.judgement_of(self._rows.key_of(row))

    def was_added(self, a: int, b: int) -> bool:
        """Whether a pair is listed because its files share a property."""
        key = PairKey.of(self.documents[a], self.documents[b])
        return not self.is_of_few and self.judgements.was_added(key)

    @cached_property
    def _rows(self) -> PairRows:
        return PairRows(self.pairs, self.documents)

    @cached_property
    def _verdict_columns(self) -> VerdictColumns:
        """The verdict of each pair, and whether it has a note."""
        if not self.judgements.verdicts and not self.judgements.notes:
            nothing = np.zeros(len(self.pairs), np.bool_)
            return VerdictColumns(nothing.astype(np.uint8), nothing, nothing)
        return self._rows.columns(self.judgements)

    def reasons_of(self, row: int, counted: Sequence[Passage] | None = None) -> Sequence[str]:
        """Why a pair is listed, in sentences.

        With passages, also in how many documents they stand, and which spellings only the pair has.
        """
        return self.find_reasons(self.pairs, row, counted)

    def spellings_of(self, row: int) -> Sequence[Slip] | None:
        """The slips of a pair in a report on that pair alone; None in other reports."""
        if self.choice.scope is not Scope.PAIR or self.find_spellings is None:
            return None
        return self.find_spellings(int(self.pairs.a[row]), int(self.pairs.b[row]))

    def properties_of(self, document: int) -> Properties:
        """The properties of the file of a document, where they were wanted."""
        folder = self.file_properties
        return folder.documents[document].properties if folder else {}

    def shared_properties(self, row: int) -> Sequence[SharedProperty]:
        """The properties that the files of a pair share, where any of them is rare."""
        if self.file_properties is None:
            return ()
        properties = self.file_properties.shared(int(self.pairs.a[row]), int(self.pairs.b[row]))
        return properties if any(shared_property.is_rare for shared_property in properties) else ()

    @cached_property
    def file_orders(self) -> Sequence[FileOrder]:
        """What the properties of files say of their order, group by group."""
        folder = self.file_properties
        if folder is None:
            return ()
        return [order for group in self.groups for order in orders_within(folder, group.documents)]

    def rank_of(self, row: int) -> int:
        """The number of a pair, the same as in the window."""
        return row + 1 if self.ranks is None else int(self.ranks[row])

    def name_of(self, document: int) -> str:
        """The name of a document as it is shown everywhere."""
        return self.documents[document].name

    def rows(self, count: int, progress: Progress) -> Iterator[tuple[int, int, int]]:
        """The first rows of the pairs with their two documents: row, a, b.

        Args:
            count: How many rows.
            progress: Told how many of them are done, before each and at the end.
        """
        for row in range(count):
            stop_if_cancelled()
            progress(ProgressReport(Stage.WRITE, row, count))
            yield row, int(self.pairs.a[row]), int(self.pairs.b[row])
        progress(ProgressReport(Stage.WRITE, count, count))
