"""The record of a report, which makes its numbers checkable, as JSON.

A report is one JSON object: its table with all that is needed to check it. As a file of its own it
is sealed; within another report it is the same without a seal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xxhash

from core.base.messages import in_english
from core.base.tasks import Progress, ignore, stop_if_cancelled
from core.documents.model import AbsenceKind, Document, Role
from core.documents.problems import group_of
from core.documents.reading_settings import plain_reading
from core.evidence.measures import PASSAGE_COLUMNS
from core.reports.audit_words import kept_figures
from core.reports.limits import exclusion_rows, exclusion_rules
from core.reports.model import Report
from core.reports.record.seal import SEAL_PLACEHOLDER, write_sealed
from core.reports.report_choice import Scope
from core.reports.rows import (
    COLUMNS,
    file_order_rows,
    group_rows,
    judged_passage_rows,
    pair_rows,
    property_rows,
    shared_property_rows,
    spelling_rows,
)
from core.reports.settings_words import result_in_words
from core.reports.shown_text import versions
from core.scan.judgements import VERDICTS


def passage_row(report: Report, a: int, b: int) -> dict[str, Any]:
    """The passages of a pair as `core.reports.tables.write_passages` has them; names in order."""
    names = sorted([report.name_of(a), report.name_of(b)])
    is_turned = names[0] != report.name_of(a)
    shared = report.passages_of(a, b)
    return {
        "doc_a": names[0],
        "doc_b": names[1],
        "least_bits": round(shared.floor.bits, 1),
        "passages": [
            {
                _side(column.name, is_turned=is_turned): _rounded(column.of(passage))
                for column in PASSAGE_COLUMNS
            }
            for passage in shared.passages
        ],
    }


def _side(name: str, *, is_turned: bool) -> str:
    opposite = {"a_": "b_", "b_": "a_"}.get(name[:2])
    return opposite + name[2:] if opposite and is_turned else name


def _rounded(value: Any) -> Any:  # noqa: ANN401 - a number or words
    return round(value, 1) if isinstance(value, float) else value


class ListedDocument(NamedTuple):
    """A document of a report with its text."""

    report: Report
    number: int
    document: Document
    text: str

    @property
    def is_named(self) -> bool:
        """Whether names are shown; otherwise values that would give them away are withheld."""
        return self.report.choice.names


class DecidedBy(Enum):
    """What decides a value of a document, and so whether a difference means another document."""

    NOTHING = auto()  # that a check could read again
    BYTES = auto()
    TEXT = auto()
    SCAN = auto()


class DocumentColumn(NamedTuple):
    """A value that the record has of each document.

    Attributes:
        name: Its name there.
        form: What it can be, by its name in the schema's `$defs` or as JSON Schema.
        meaning: Its description.
        by: What decides it.
        of: The value; by default what the document itself has under this name.
        is_hash: Whether it is shown as the report shows hashes; "" where it is not known.
    """

    name: str
    form: str | dict[str, Any]
    meaning: str = ""
    by: DecidedBy = DecidedBy.NOTHING
    of: Callable[[ListedDocument], Any] | None = None
    is_hash: bool = False

    def value(self, listed: ListedDocument) -> Any:  # noqa: ANN401 - as JSON has it
        """Its value of a document, as the report tells it."""
        value = self.of(listed) if self.of else getattr(listed.document, self.name)
        return listed.report.hash_of(value) if self.is_hash else value


def _part(listed: ListedDocument) -> str:
    return listed.document.part if listed.is_named else ""


def _state(listed: ListedDocument) -> str:
    return str(listed.document.absence.kind) if listed.document.absence else ""


def _modified(listed: ListedDocument) -> str:
    return listed.document.modified.isoformat() if listed.document.modified else ""


def _pages(listed: ListedDocument) -> int | None:
    marks = listed.text.count("\f")
    return marks + 1 if marks else None


def _members(listed: ListedDocument) -> list[dict[str, Any]]:
    members = listed.document.members if listed.is_named else ()
    names = ("name", "start", "size", "sha256")
    return [{name: getattr(member, name) for name in names} for member in members]


def _file_hash(listed: ListedDocument) -> str:
    # The reader of a part gave its hash, and that of a submission is made of those of its files;
    # without names nobody knows which document is a part.
    document = listed.document
    return document.file_hash if listed.is_named and not (document.part or document.members) else ""


def _text_sha256(listed: ListedDocument) -> str:
    return hashlib.sha256(listed.text.encode("utf-8", "surrogatepass")).hexdigest()


def _text_xxh3(listed: ListedDocument) -> str:
    return xxhash.xxh3_128_hexdigest(listed.text.encode("utf-8", "surrogatepass"))


TEXT: dict[str, Any] = {"type": "string"}
BYTES, OF_TEXT, SCAN = DecidedBy.BYTES, DecidedBy.TEXT, DecidedBy.SCAN
OF_FILE, IN_UTF8 = "Of the bytes of the file.", "Of the text in UTF-8."
DOCUMENT_COLUMNS = (
    DocumentColumn("document", TEXT, of=lambda listed: listed.report.name_of(listed.number)),
    DocumentColumn("part", TEXT, "Its path inside the file.", SCAN, of=_part),
    DocumentColumn("role", "role", by=SCAN),
    DocumentColumn(
        "state", {"enum": ["", *AbsenceKind]}, "Empty for one that is there.", SCAN, of=_state
    ),
    DocumentColumn("size", "count", "Bytes of the file.", BYTES),
    DocumentColumn("modified", "moment_or_empty", of=_modified),
    DocumentColumn("kind", TEXT, "Its reader.", OF_TEXT),
    DocumentColumn("encoding", TEXT, by=OF_TEXT),
    DocumentColumn("characters", "count", by=OF_TEXT),
    DocumentColumn("pages", {"type": ["integer", "null"], "minimum": 1}, by=OF_TEXT, of=_pages),
    DocumentColumn(
        "language", "language", by=SCAN, of=lambda listed: listed.report.languages[listed.number]
    ),
    DocumentColumn("remarks", "texts"),
    DocumentColumn("members", "members", "The files of a submission.", SCAN, of=_members),
    DocumentColumn("sha256", "sha256", OF_FILE, BYTES, is_hash=True),
    DocumentColumn("xxh3", "xxh3", OF_FILE, BYTES, is_hash=True, of=_file_hash),
    DocumentColumn("text_sha256", "sha256", IN_UTF8, OF_TEXT, is_hash=True, of=_text_sha256),
    DocumentColumn("text_xxh3", "xxh3", IN_UTF8, OF_TEXT, is_hash=True, of=_text_xxh3),
    DocumentColumn(
        "text_hash",
        "xxh3",
        "Who the text is: of its words and figures alone.",
        OF_TEXT,
        is_hash=True,
    ),
)


def document_rows(report: Report, numbers: Iterator[int]) -> Iterator[dict[str, Any]]:
    """The rows of given documents, by `DOCUMENT_COLUMNS`.

    A hash is "" where it is not known. Where names are withheld, it would identify the files to
    their owners: `Report.hash_of` disguises it.
    """
    for number in numbers:
        listed = ListedDocument(report, number, report.documents[number], report.text_of(number))
        yield {column.name: column.value(listed) for column in DOCUMENT_COLUMNS}


# 1 had no documents, log and seal; 2 no overlap; 3 not the verdicts of the list; 4 counted weak
# traces among the pairs; 6 had no pair that is listed only because somebody marked it.
FORMAT = 7
WITHOUT_MARKED = 6  # which is still checked
# Decisions on texts; other entries of the log have names or other texts.
LOGGED = ("judge", "note", "list pairs", "centre", "language", "rescan", "seen")


def write_json(path: Path, report: Report, *, progress: Progress = ignore) -> str:
    """Write the record of a report, one row a line; `report.schema.json` has its form.

    Where the properties of files were wanted, they are in file_properties, shared_properties and
    file_orders (see `core.reports.rows`). That of one pair has unusual_spellings.

    Keys: seal (see `core.reports.record.seal`), format, program, version, versions (of Python
    and libraries), created, title, subject, folders, roles (of the folders: to review, reference,
    template), documents and documents_gone (how many are present and absent), references and
    templates (their names), missing (those that are gone or could not be read again: document,
    state, since), settings (as they were applied), reading (how files were read; None where that is
    not known), choice (of the user), all_pairs_compared (how many; None where not all were),
    is_part_of_run (whether the pairs are from a run on a cluster), notes, shown, result (what was
    found, in sentences),
    weak_traces_left_out, pairs_before_filter, weak_traces (of the list; no number of pairs counts
    them, unless they are judged), pairs_from_threshold (that reach the settings' min_resemblance),
    pairs_by_passage_only (below it; listed if list_passages says so),
    pairs_by_reworked_only (the same, with no passage but reworked ones), audit (None, or time, who,
    of_this_list and the figures of `neardup audit --json`, with 200 of what is missed by name),
    verdicts (how many of the pairs have each), verdicts_of_list (the same of the whole list),
    problems and other_files (files that gave no text: objects with path,
    problem and detail; pictures and the like are no problems), pairs (a list of objects with the
    columns as keys, worst first), ranks (their numbers in the whole list), groups (a list of
    objects with centre, copies, chosen, and members: document, resemblance, copies; of exact copies
    the first stands for all, and the others are its copies), judged_passages (what passages are: a
    list of objects with meaning, text, words, documents, who and time), set_aside_by (the rules:
    quotations, bibliography, repeated, common, and phrases, each with its reason), languages (a
    list of objects with document and language: a code of ISO 639-1, "" where it is not known),
    set_aside (a list of objects with document, characters, set_aside, share, reasons and spans; see
    `exclusion_rows`), document_list (see `document_rows`), passages (of the pairs of which a report
    shows them; see `core.reports.tables.write_passages`) and log (what was decided, entry by entry:
    id, reverses, time, who, kind, data).

    Returns:
        The seal.

    Raises:
        ExportError: The file could not be written.
    """
    return write_sealed(path, record_pieces(report, sealed=True, progress=progress))


def record_pieces(
    report: Report, *, sealed: bool = False, most: int | None = None, progress: Progress = ignore
) -> Iterator[str]:
    """The record piece by piece.

    Args:
        report: The report.
        sealed: Whether there is room for the seal.
        most: The most pairs in it, with their documents; None for all.
        progress: Told the number of pairs.
    """
    begins = f'{{"seal": "{SEAL_PLACEHOLDER}", ' if sealed else "{"
    yield begins + compact(_circumstances(report)).removeprefix("{").removesuffix("}")
    lists: dict[str, Iterable[dict[str, Any]]] = {
        "pairs": _pairs(report, most, progress),
        "groups": group_rows(report),
        "judged_passages": judged_passage_rows(report),
        "languages": _languages(report),
        "set_aside": exclusion_rows(report),
        "document_list": document_rows(report, _numbers(report, most)),
        "passages": _passages(report, most),
        "log": _log(report),
    }
    if report.file_properties:
        lists["file_properties"] = property_rows(report, _numbers(report, most))
        lists["shared_properties"] = shared_property_rows(report, most)
        lists["file_orders"] = file_order_rows(report)
    if report.choice.scope is Scope.PAIR and report.find_spellings:
        lists["unusual_spellings"] = spelling_rows(report)
    for name, rows in lists.items():
        yield f',\n"{name}": '
        yield from listed_rows(rows)
    ranks = [report.rank_of(row) for row in range(len(report.pairs))[:most]]
    yield f',\n"ranks": {compact(ranks)}'
    yield f',\n"set_aside_by": {compact(exclusion_rules(report))}}}\n'


def listed_rows(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A JSON list, one row a line."""
    separator = "[\n"
    for row in rows:
        stop_if_cancelled()
        yield separator + compact(row)
        separator = ",\n"
    yield "[]" if separator == "[\n" else "\n]"


def compact(value: object) -> str:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


@in_english()
def _circumstances(report: Report) -> dict[str, object]:
    return {
        "format": FORMAT,
        "program": "Neardup",
        "version": report.version,
        "versions": versions(),
        "created": report.created.isoformat(timespec="seconds"),
        "title": report.title,
        "subject": report.subject,
        "folders": list(report.folders),
        "roles": [str(role) for role in report.roles],
        "documents": report.document_counts.present,
        "documents_gone": report.document_counts.missing,
        "references": [
            document.name for document in report.not_to_review if document.role is Role.REFERENCE
        ],
        "templates": [
            document.name for document in report.not_to_review if document.role is Role.TEMPLATE
        ],
        "missing": list(_missing(report)),
        "settings": report.settings.as_applied(),
        "reading": plain_reading(report.reading) if report.reading else None,
        "choice": _choice(report),
        "all_pairs_compared": report.compared,
        "is_part_of_run": report.is_part_of_run,
        "notes": list(report.notes),
        "shown": report.shown,
        "result": result_in_words(report),
        "weak_traces_left_out": report.traces_left_out,
        "pairs_before_filter": report.list_counts.pairs,
        "weak_traces": report.list_counts.weak,
        "pairs_from_threshold": report.list_counts.similar,
        "pairs_by_passage_only": report.list_counts.by_passage,
        "pairs_by_reworked_only": report.list_counts.by_reworked,
        "audit": kept_figures(report.judgements.audit, is_current=report.audit_is_current),
        "verdicts": dict(zip(VERDICTS, report.verdict_counts, strict=True)),
        "verdicts_of_list": {
            **dict(zip(map(str, VERDICTS), report.list_verdicts.counts, strict=True)),
            "earlier": report.list_verdicts.earlier,
        },
        "problems": list(_problems(report, calm=False)),
        "other_files": list(_problems(report, calm=True)),
    }


def _missing(report: Report) -> Iterator[dict[str, str]]:
    for document in report.missing:
        if document.absence:
            since = document.absence.since.isoformat()
            yield {"document": document.name, "state": document.absence.kind, "since": since}


def _choice(report: Report) -> dict[str, object]:
    choice = report.choice
    return {
        "scope": str(choice.scope),
        "documents": [report.name_of(number) for number in choice.documents],
        "texts": choice.texts,
        "most_passages": choice.most_passages,
        "weak_traces": choice.weak_traces,
        "by_document": choice.by_document,
        "names": choice.names,
        "institution": choice.institution,
        **({"file_properties": True} if choice.file_properties else {}),
    }


def _problems(report: Report, *, calm: bool) -> Iterator[dict[str, str]]:
    """Files that gave no text, those of calm groups or the others."""
    for problem in report.problems:
        if group_of(problem).is_calm is calm:
            yield {"path": problem.name, "problem": problem.code.value, "detail": problem.detail}


def _pairs(report: Report, most: int | None, progress: Progress) -> Iterator[dict[str, Any]]:
    rows = pair_rows(report, str, progress)
    for values in islice(rows, most):
        yield dict(zip(COLUMNS, values, strict=True))


def _numbers(report: Report, most: int | None) -> Iterator[int]:
    """The documents it is about; where these are very many, those of the pairs that are in it."""
    if most is None or len(report.about) <= most:
        return iter(report.about)
    both = np.concatenate((report.pairs.a[:most], report.pairs.b[:most]))
    numbers: list[int] = sorted(set(both.tolist()))
    return iter(numbers)


def _languages(report: Report) -> Iterator[dict[str, Any]]:
    for number in report.about:
        yield {"document": report.name_of(number), "language": report.languages[number]}


def _passages(report: Report, most: int | None) -> Iterator[dict[str, Any]]:
    shown = report.choice.most_passages
    count = min(len(report.pairs), shown if most is None else min(shown, most))
    for _, a, b in report.rows(count, ignore):
        yield passage_row(report, a, b)


def _log(report: Report) -> Iterator[dict[str, Any]]:
    """The decisions; nothing where names are withheld, as hashes identify texts.

    Nor in a report of some documents: the log has notes on the rest.
    """
    is_shown = report.choice.names and len(report.about) == len(report.documents)
    for entry in report.log if is_shown else ():
        command = entry.command
        yield {
            "id": entry.id,
            "reverses": entry.reverses,
            "time": entry.time,
            "who": entry.who,
            "kind": command.kind,
            "data": dict(command.data) if command.kind in LOGGED else None,
        }
