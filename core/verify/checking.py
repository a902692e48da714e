"""A record held against the files it was made of: what agrees, what changed, what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.base.progress import Cancelled, Progress, ignore, never
from core.base.wording import counted
from core.documents.keys import PairKey
from core.errors import FolderError
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.pair_rows import COLUMNS, NUMBERS, REWORKED, pair_rows
from core.reports.record.document_rows import document_rows
from core.reports.record.passage_rows import passage_row
from core.scan.judgements import VERDICTS
from core.verify.made_again import judgements_in, made_again

__all__ = ["Outcome", "check"]

TOLERANCE = 1e-6  # of the last digit that is written
OF_FILES = ("sha256", "xxh3", "size")
OF_TEXTS = ("text_sha256", "text_xxh3", "text_hash", "characters", "kind")
EXACT = ("resemblance", "containment_a", "containment_b", "shared_shingles", "exact_duplicate")
SAID = ("verdict", "note", "who", "when")
WITHHELD = (
    "Names are withheld in this report: which files it is of is not known, so none was compared."
)


class Outcome(NamedTuple):
    """What a check found, in sentences.

    Attributes:
        agrees: What is as the report says.
        changed: What is not.
        missing: What could not be compared.
    """

    agrees: list[str]
    changed: list[str]
    missing: list[str]


def check(
    record: dict[str, Any],
    folders: Sequence[Path],
    *,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> Outcome:
    """Hold a record against the files in some folders.

    Raises:
        FolderError: A folder cannot be read, or the record is none that Neardup writes.
        ScanCancelledError: `cancelled` said so.
    """
    outcome = Outcome([], [], [])
    try:
        outcome.changed.extend(_contradictions(record))
        if not record["choice"]["names"]:
            outcome.missing.append(WITHHELD)
            return outcome
        with made_again(record, folders, progress, cancelled) as report:
            _Check(record, report, outcome, cancelled).run()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise FolderError(
            f"The record of this report is not as Neardup writes it ({type(error).__name__})."
        ) from error
    return outcome


def _contradictions(record: dict[str, Any]) -> Iterator[str]:
    """What does not agree within the record: verdicts with the log, and their numbers."""
    pairs, counts = record["pairs"], Counter(one["verdict"] for one in record["pairs"])
    if len(pairs) != ReportLimits().table_rows:  # a page holds no more of them
        for verdict in VERDICTS:
            told = record["verdicts"][verdict]
            if told != counts[verdict]:
                yield (
                    f"The report counts {told:,} pairs as “{verdict}”, its table has "
                    f"{counts[verdict]:,}."
                )
    if record["log"]:
        judgements = judgements_in(record)
        keys = {
            one["document"]: one["text_hash"] or f"file:{one['xxh3']}"
            for one in record["document_list"]
        }
        for pair in pairs:
            key = PairKey.between(keys[pair["doc_a"]], keys[pair["doc_b"]])
            said = judgements.judgement_of(key).judgement
            logged = (said.verdict.value, said.note, said.who, said.time)
            for name, value in zip(SAID, logged, strict=True):
                if pair[name] != value:
                    yield f"{_pair(pair)}: {name} is “{pair[name]}”, in the log “{value}”."


class _Check:
    def __init__(
        self, record: dict[str, Any], report: Report, outcome: Outcome, cancelled: Cancelled
    ) -> None:
        self._record, self._report = record, report
        self._outcome, self._cancelled = outcome, cancelled
        self._changed: set[str] = set()  # documents that are not as they were

    def run(self) -> None:
        """Compare all there is."""
        self._documents()
        self._pairs()
        self._passages()

    def _documents(self) -> None:
        numbers = iter(range(len(self._report.documents)))
        rows = document_rows(self._report, numbers, self._cancelled)
        now = {row["document"]: row for row in rows}
        same = 0
        for before in self._record["document_list"]:
            name = before["document"]
            after = now.get(name)
            if after is None:
                self._changed.add(name)
                self._outcome.missing.append(f"{name}: the file is not there or gave no text.")
                continue
            what = [
                words
                for words, keys in (("the file", OF_FILES), ("the text", OF_TEXTS))
                if any(before[key] != after[key] and before[key] != "" for key in keys)
            ]
            what += ["the language"] if before["language"] != after["language"] else []
            if what:
                self._changed.add(name)
                self._outcome.changed.append(f"{name}: {' and '.join(what)} changed.")
            same += not what
        self._outcome.agrees.append(f"{counted(same, 'document')}: bytes and texts are the same.")

    def _pairs(self) -> None:
        rows = pair_rows(self._report, str, ignore, self._cancelled)
        now = {row[:2]: (dict(zip(COLUMNS, row, strict=True)), n) for n, row in enumerate(rows, 1)}
        whole, same, left = not self._changed, 0, 0
        names = (*NUMBERS, *REWORKED) if whole else EXACT
        told = zip(self._record["pairs"], self._record["ranks"], strict=True)
        for before, rank in told:
            after, number = now.pop((before["doc_a"], before["doc_b"]), (None, 0))
            if {before["doc_a"], before["doc_b"]} & self._changed or not (after or whole):
                left += 1
                continue
            if after is None:
                self._outcome.changed.append(f"{_pair(before)}: the files do not give this pair.")
                continue
            wrong = [name for name in names if not _same(before[name], after[name])]
            self._outcome.changed.extend(
                f"{_pair(before)}: {name} is {before[name]}, the files give {after[name]}."
                for name in wrong
            )
            if whole and rank != number:
                wrong.append("rank")
                self._outcome.changed.append(
                    f"{_pair(before)}: is number {rank:,}, the files give {number:,}."
                )
            same += not wrong
        if left:
            self._outcome.missing.append(
                f"{counted(left, 'pair')} could not be measured again: their documents are not as "
                "they were."
            )
        self._outcome.agrees.append(f"{counted(same, 'pair')}: every number is the same.")
        if whole:
            self._omitted(now)

    def _omitted(self, now: dict[tuple[object, ...], tuple[dict[str, Any], int]]) -> None:
        """Pairs that the files give and the report has not, where it should have all."""
        record = self._record
        total = len(self._report.pairs)
        if int(record["pairs_before_filter"]) != total:
            self._outcome.changed.append(
                f"The report says that {record['pairs_before_filter']:,} pairs were found, the "
                f"files give {total:,}."
            )
        elif not record["shown"] and len(record["document_list"]) == int(record["documents"]):
            self._outcome.changed.extend(
                f"{_pair(row)}: the files give this pair, the report has it not."
                for row, _ in now.values()
            )

    def _passages(self) -> None:
        numbers = {one.name: n for n, one in enumerate(self._report.documents)}
        same = 0
        for before in self._record["passages"]:
            names = {before["doc_a"], before["doc_b"]}
            if names & self._changed:
                continue
            a, b = sorted(numbers[name] for name in (before["doc_a"], before["doc_b"]))
            after = passage_row(self._report, a, b)
            agrees = before == after
            same += agrees
            if not agrees:
                self._outcome.changed.append(f"{_pair(before)}: the passages are others.")
        if self._record["passages"]:
            self._outcome.agrees.append(f"{counted(same, 'pair')}: the passages are the same.")


def _same(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= TOLERANCE
    return one == other


def _pair(row: dict[str, Any]) -> str:
    return f"{row['doc_a']} and {row['doc_b']}"
