"""The claims of a record, and the record recomputed from the same files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import xxhash

from core import __version__
from core.base.arrays import BoolArray, Int64Array
from core.base.messages import N_, ngettext
from core.base.setting import settings_of
from core.base.tasks import Progress
from core.base.wording import comma_list, excerpt, printable_name, reprinted_name
from core.documents.discovery import find_documents, label_of, labels_of
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import (
    EPOCH,
    Document,
    FoundFile,
    PairKey,
    ProblemCode,
    Role,
    templates_among,
)
from core.documents.model import KIND as SUBMISSION
from core.documents.reading import with_either_line_ends
from core.documents.reading_settings import ReadingSettings, stored_reading
from core.documents.submissions import possible_names
from core.errors import FoldersNeededError, ReportError
from core.exclusions.rules import ExclusionRules
from core.reports.from_scan import report_of, shown_folder
from core.reports.limits import ReportLimits
from core.reports.model import Report, VerdictCounts
from core.reports.pseudonyms.key import REVIEWER, NameKey
from core.reports.record import FORMAT, WITHOUT_MARKED, document_rows, record_pieces
from core.reports.record.schema import record_schema
from core.reports.report_choice import ReportChoice, Scope, Texts
from core.reports.rows import BY_PROPERTIES, JUDGED
from core.reports.scopes import unjudged_extra_pairs, unjudged_traces
from core.reports.shown_text import versions
from core.review.decisions import judged
from core.scan.flow import FilesToRead, read_all
from core.scan.history import Command, HistoryEntry
from core.scan.judgements import (
    NO_NOTE,
    NO_VERDICT,
    VERDICTS,
    EarlierText,
    GivenVerdict,
    Judgements,
    Verdict,
    WrittenNote,
)
from core.scan.pair_details import with_extra_pairs
from core.scan.pair_list import PairList
from core.scan.scan import Scan
from core.scan.state import NO_JUDGEMENTS
from core.scan.submissions import as_submissions
from core.settings import ScanSettings

MOST_PAIRS = ReportLimits().table_rows
CANNOT_BE = N_("The report cannot be checked: its “{part}” cannot be so.")

Row = Mapping[str, Any]
Value = TypeVar("Value")
TYPES: dict[str, set[type]] = {  # of JSON Schema
    "object": {dict},
    "array": {list},
    "string": {str},
    "boolean": {bool},
    "integer": {int},
    "number": {int, float},
    "null": {type(None)},
}
MOST_SHOWN = 200  # characters of the names of folders in a message
UNIQUE = {"document_list": ("document",), "log": ("id",), "pairs": ("doc_a", "doc_b")}


class Claims(NamedTuple):
    """The claims of a record, with checked types.

    Attributes:
        record: The complete record.
        settings: The settings of the list.
        reading: How the files were read.
        roles: The role of each folder.
        rules: The rules for text set aside.
        choice: The choices for the report; its documents are in the record, by name.
        log: The decisions.
        pairs: The rows of pairs, each with its rank in the complete list.
        verdicts: The state of the review of the complete list.
        modified: By name, when each document was changed last, in nanoseconds, if given.
    """

    record: Mapping[str, Any]
    settings: ScanSettings
    reading: ReadingSettings
    roles: Sequence[Role]
    rules: ExclusionRules
    choice: ReportChoice
    log: Sequence[HistoryEntry]
    pairs: Sequence[Row]
    verdicts: VerdictCounts
    modified: Mapping[str, int]

    def folders(self, key: NameKey | None) -> tuple[str, ...]:
        """The names of the folders, as they may be shown."""
        written = self.record["folders"]
        return tuple(reprinted_name(key.name_of(name) if key else name) for name in written)

    @property
    def is_of_all(self) -> bool:
        """Whether the report is of all pairs of the list, in their order."""
        return not self.is_partial and not self.record["shown"]

    @property
    def is_cut(self) -> bool:
        """Whether the record may hold the first pairs only, like a page with very many."""
        return len(self.pairs) == MOST_PAIRS

    @property
    def has_log(self) -> bool:
        """Whether there must be a log: a report of some documents, or without names, has none."""
        is_complete = len(self.record["document_list"]) == len(self.record["languages"])
        return self.choice.names and not self.is_partial and is_complete

    @property
    def is_without_marked(self) -> bool:
        """Whether it is of before pairs were listed because somebody marked them."""
        return bool(self.record["format"] == WITHOUT_MARKED)

    @property
    def is_of_these_versions(self) -> bool:
        """Whether this version of the program, with the same libraries, wrote the report."""
        written_by = self.record["version"], self.record.get("versions")
        return not self.is_without_marked and written_by == (__version__, versions())

    @property
    def is_partial(self) -> bool:
        """Whether the report is about some documents and does not name the others."""
        return self.choice.scope is not Scope.SHOWN


def claims_of(record: Mapping[str, Any]) -> Claims:
    """Read the claims of a record.

    Raises:
        ReportError: The record is invalid; the message says which part.
    """
    schema = record_schema()
    form = FORMAT if record.get("format") == WITHOUT_MARKED else record.get("format")
    misfit = next(_misfits("record", {**record, "format": form}, schema, schema["$defs"]), "")
    if misfit:
        raise ReportError(CANNOT_BE, part=printable_name(misfit))
    for name, columns in UNIQUE.items():
        rows = [tuple(row[column] for column in columns) for row in record[name]]
        if len(set(rows)) < len(rows):
            raise ReportError(CANNOT_BE, part=name)
    if len(record["folders"]) != len(record["roles"]):
        raise ReportError(CANNOT_BE, part="folders")
    return Claims(
        record=record,
        settings=_read("settings", record, _settings),
        reading=_read("reading", record, _reading),
        roles=_read("roles", record, lambda value: tuple(map(Role, value))),
        rules=_read("set_aside_by", record, _rules),
        choice=_read("choice", record, _choice),
        log=_read("log", record, lambda value: tuple(map(_entry, value))),
        pairs=ranked(record),
        verdicts=_read("verdicts_of_list", record, _verdicts),
        modified=_read("document_list", record, _modified),
    )


def _misfits(
    name: str,
    value: Any,  # noqa: ANN401 - any JSON
    form: Any,  # noqa: ANN401
    forms: Mapping[str, Any],
) -> Iterator[str]:
    """The names of parts of a value that are missing, of a wrong type, or not in the schema.

    Parts that no record has would not be compared with anything.
    """
    form = form if isinstance(form, dict) else {}
    if "$ref" in form:
        yield from _misfits(name, value, forms[form["$ref"].rpartition("/")[2]], forms)
    if "anyOf" in form:
        each = [next(_misfits(name, value, either, forms), "") for either in form["anyOf"]]
        yield from each[:1] if all(each) else ()
    types = form.get("type", [])
    types = [types] if isinstance(types, str) else types
    is_misfit = "const" in form and (type(value), value) != (type(form["const"]), form["const"])
    if is_misfit or (types and not any(type(value) in TYPES[type_name] for type_name in types)):
        yield name
    elif isinstance(value, list):
        for item in value:
            yield from _misfits(name, item, form.get("items"), forms)
    elif isinstance(value, dict):
        properties, additional = form.get("properties", {}), form.get("additionalProperties", True)
        yield from (key for key in form.get("required", ()) if key not in value)
        for key, part in value.items():
            if key not in properties and not additional:
                yield str(key)
            yield from _misfits(str(key), part, properties.get(key, additional), forms)


def _read(name: str, record: Mapping[str, Any], read: Callable[[Any], Value]) -> Value:
    try:
        return read(record[name])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ReportError(CANNOT_BE, part=name) from error


def ranked(record: Mapping[str, Any]) -> Sequence[Row]:
    """The rows of pairs, each with its rank.

    Raises:
        ReportError: There are not as many ranks.
    """
    rows, ranks = record["pairs"], record["ranks"]
    if len(ranks) != len(rows):
        raise ReportError("The report cannot be checked: its “ranks” are not those of its pairs.")
    return [{**row, "rank": rank} for row, rank in zip(rows, ranks, strict=True)]


def _modified(rows: Sequence[Row]) -> Mapping[str, int]:
    return {
        row["document"]: (datetime.fromisoformat(row["modified"]) - EPOCH)
        // timedelta(microseconds=1)
        * 1000
        for row in rows
        if row["modified"]
    }


def _settings(value: Row) -> ScanSettings:
    return ScanSettings(**{name: value[name] for name in settings_of(ScanSettings)})


def _rules(value: Row) -> ExclusionRules:
    if any(text == "" for text, _ in value["phrases"]):
        raise ReportError(
            "The report cannot be checked: passages were set aside whose words it does not tell."
        )
    rules = ExclusionRules.of_json(value)
    if rules.as_json() != value:
        raise ValueError("rules")
    return rules


def _reading(value: Row | None) -> ReadingSettings:
    """The recorded settings of reading; the usual ones if a review does not have them."""
    return ReadingSettings() if value is None else stored_reading(value)


def _verdicts(value: Row) -> VerdictCounts:
    return VerdictCounts(tuple(value[verdict] for verdict in VERDICTS), value["earlier"])


def _choice(value: Row) -> ReportChoice:
    read_apart = {"scope", "documents", "texts"}
    given_fields = {name: given for name, given in value.items() if name not in read_apart}
    return ReportChoice(scope=Scope(value["scope"]), texts=Texts(value["texts"]), **given_fields)


def created_of(record: Mapping[str, Any]) -> datetime:
    """When the report was made, by its record.

    Raises:
        ReportError: The record has no time with a time zone.
    """
    moment: datetime = _read("created", record, datetime.fromisoformat)
    if moment.utcoffset() is None:
        raise ReportError("The report cannot be checked: its “created” has no time zone.")
    return moment


def _entry(row: Row) -> HistoryEntry:
    command = Command(row["kind"], row["data"] or {})
    return HistoryEntry(row["id"], row["reverses"], row["time"], row["who"], command, None)


def _as_reported(
    folders: Sequence[Path], claims: Claims, key: NameKey | None
) -> tuple[Sequence[Path], Sequence[str] | None]:
    """The folders of the report in its order, and what names in it start with.

    A folder is known by its name, those that were renamed by their order.
    """
    names = claims.folders(key)
    named = {shown_folder(folder): folder for folder in folders}
    renamed = iter([folder for name, folder in named.items() if name not in names])
    reported = [named.get(name) or next(renamed, None) for name in names]
    known = [folder for folder in reported if folder is not None]
    if len({*known}) < len(names):  # several of one name
        known = [*folders]
    starts = [label_of(named[name]) if name in named else name for name in names]
    return known, [*labels_of(starts)] if len(known) == len(names) else None


def _recorded(
    files: Sequence[FoundFile], claims: Claims, key: NameKey | None
) -> Sequence[FoundFile]:
    """The files that were compared, without those that were added since.

    A document is a file, a part of a file, or a submission with several. A report about some
    documents does not name the others: then all files count.
    """
    if claims.is_partial:
        return files
    labels = [row["document"] for row in claims.record["languages"]]
    labels += [row["path"] for name in ("problems", "other_files") for row in claims.record[name]]
    names = {key.name_of(name) if key else name for name in labels}
    holders = {above for name in names for above in _above(name)}
    return [
        file
        for file in files
        if file.name in names
        or file.name in holders
        or not names.isdisjoint(_above(file.name))
        or (claims.reading.submissions and not names.isdisjoint(possible_names(file.name)))
    ]


def _above(name: str) -> list[str]:
    """The paths above a name: "a" and "a/b" of "a/b/c"."""
    steps = name.split("/")
    return ["/".join(steps[:count]) for count in range(1, len(steps))]


class Recomputation(NamedTuple):
    """The report made again from the present files.

    Attributes:
        record: The record of the pairs of the report, as far as the files give them.
        report: The report of this record.
        documents: Its list of documents, with those of the written report that are in none of its
            pairs now, because the others of these pairs are changed or gone.
        listed: The names of each pair of the complete list, in order, worst first; with few
            documents followed by the pairs in which nothing was found.
        rows: For the pairs of the report the indices in that list; -1 if they are not in it.
        may_be_left_out: Which of these rows a report of all pairs need not have.
        others: The names of files that are not in the report.
        line_ends: The labels of files with other line ends than when the report was written.
        may_be_read_otherwise: Whether files that are locked here gave text to the report, or
            documents of it are missing whose files are there and it does not tell how it read them.
    """

    record: Mapping[str, Any]
    report: Report
    documents: Sequence[Row]
    listed: Sequence[tuple[str, str]]
    rows: Int64Array
    may_be_left_out: BoolArray
    others: Sequence[str] = ()
    line_ends: Sequence[str] = ()
    may_be_read_otherwise: bool = False


@contextmanager
def recomputed(
    claims: Claims,
    folders: Sequence[Path],
    key: NameKey | None,
    progress: Progress,
    passwords: Sequence[str] = (),
) -> Iterator[Recomputation]:
    """Read the folders as the report was made, and list their pairs.

    Raises:
        NeardupError: The folders could not be read, or the report's decisions are invalid.
    """
    if len(claims.roles) > len(folders):
        error = FoldersNeededError(
            ngettext(
                "The check needs the folder that the report is about: {names}.",
                "The check needs all {n} folders that the report is about, in its order: {names}.",
                len(claims.roles),
                names=excerpt(comma_list(claims.folders(key)), MOST_SHOWN),
            )
        )
        error.folders = claims.folders(key)
        raise error
    reported, starts = _as_reported(folders, claims, key)
    files, problems = find_documents(reported, named=starts)
    recorded = _recorded(files, claims, key)
    others = sorted({file.name for file in files} - {file.name for file in recorded})
    if len(reported) < len(folders):
        found = {file.location for file in files}
        others += [file.name for file in find_documents(folders)[0] if file.location not in found]
    scan = Scan(claims.settings, tuple(reported), problems, roles=claims.roles)
    try:
        scan.reading = claims.reading
        units = as_submissions(recorded, scan.folders, claims.reading, None)
        reading = replace(claims.reading, passwords=tuple(passwords))
        with ReaderProcesses(reading) as processes:
            read_all(scan, FilesToRead(units, processes, progress), None)
        line_ends = _restore_line_ends(scan, claims, key)
        if claims.rules or templates_among(scan.documents):
            scan = scan.with_rules(claims.rules)
        pairs = scan.list_pairs(progress=progress)
        recorded_names = frozenset(file.name for file in recorded)
        may_be = _may_be_read_otherwise(claims, scan, recorded_names, key)
        again = _recorded_again(claims, scan, pairs, key)
        yield again._replace(others=others, line_ends=line_ends, may_be_read_otherwise=may_be)
    finally:
        scan.close()


def _recorded_again(
    claims: Claims, scan: Scan, pair_list: PairList, key: NameKey | None
) -> Recomputation:
    """The record of the pairs that the files give, whatever is to be said of the files."""
    judgements = _logged(claims.log) if claims.has_log else _judged_in_table(claims, pair_list, key)
    if claims.is_without_marked:
        judgements = _of_listed(judgements, pair_list)
    pair_list = with_extra_pairs(scan, pair_list, judgements)
    names = [document.name for document in pair_list.documents]
    listed = [
        (min(names[a], names[b]), max(names[a], names[b]))
        for a, b in zip(pair_list.rows.a.tolist(), pair_list.rows.b.tolist(), strict=True)
    ]
    row_of = {pair: row for row, pair in enumerate(listed)}
    wanted = [_names(row, key) for row in claims.pairs]
    rows = np.array([row_of.get(pair, -1) for pair in wanted], dtype=np.int64)
    numbers = {name: number for number, name in enumerate(names)}
    subject = [key.name_of(name) if key else name for name in claims.record["choice"]["documents"]]
    about = tuple(numbers[name] for name in subject if name in numbers)
    traces = np.zeros(len(listed), dtype=np.bool_)
    if not (claims.choice.weak_traces or claims.is_partial):
        traces = unjudged_traces(pair_list, judgements)
    left_out = int(traces.sum()) if claims.is_of_all else claims.record["weak_traces_left_out"]
    may_be_left_out = traces | unjudged_extra_pairs(pair_list, judgements)
    report = report_of(
        scan,
        pair_list,
        np.flatnonzero(~may_be_left_out) if claims.is_cut and claims.is_of_all else rows[rows >= 0],
        shown="" if claims.is_partial else claims.record["shown"],
        judgements=judgements,
        # The rows of a report of all pairs are chosen above: none of them is left out here.
        choice=replace(
            claims.choice,
            documents=about,
            created=created_of(claims.record),
            weak_traces=claims.choice.weak_traces or not claims.is_partial,
        ),
        key=key,
    )
    most = len(claims.pairs) if claims.is_cut else None
    report = replace(
        report.measured(first=most),
        reading=claims.reading,
        log=claims.log,
        folders=claims.record["folders"],
        documents=[_as_dated(document, claims) for document in report.documents],
        # Without a log the verdicts of pairs that are not in the report are unknown.
        given_verdicts=report.given_verdicts if claims.has_log else claims.verdicts,
        choice=replace(report.choice, weak_traces=claims.choice.weak_traces),
        traces_left_out=0 if claims.is_partial else left_out,
    )
    record = json.loads("".join(record_pieces(report, most=most)))
    documents = _document_list(report, record["document_list"], claims)
    return Recomputation(record, report, documents, listed, rows, may_be_left_out)


def _of_listed(judgements: Judgements, pair_list: PairList) -> Judgements:
    """The judgements without those for which alone a pair is listed."""
    documents = pair_list.documents
    keys = [PairKey.of(documents[a], documents[b]) for a, b in pair_list.pairs_to_show(judgements)]
    alone = [] if pair_list.is_of_few else [key for key in keys if not judgements.was_added(key)]
    return judgements._replace(
        verdicts={**judgements.verdicts, **dict.fromkeys(alone, NO_VERDICT)},
        notes={**judgements.notes, **dict.fromkeys(alone, NO_NOTE)},
    )


def _may_be_read_otherwise(
    claims: Claims, scan: Scan, files: frozenset[str], key: NameKey | None
) -> bool:
    name_of = key.name_of if key else str
    record = claims.record
    known_problems = {name_of(row["path"]) for row in record["problems"]}
    if any(
        problem.code is ProblemCode.ENCRYPTED and problem.name not in known_problems
        for problem in scan.problems
    ):
        return True
    if record["reading"] is not None:
        return False
    read = {document.name for document in scan.documents}
    return any(
        row["kind"] == SUBMISSION or not files.isdisjoint({name, *_above(name)})
        for row in record["document_list"]
        if not row["state"] and (name := name_of(row["document"])) not in read
    )


def _document_list(report: Report, rows: Sequence[Row], claims: Claims) -> Sequence[Row]:
    """The rows of a report's documents, and of others that the written report lists."""
    claimed = {row["document"] for row in claims.record["document_list"]}
    unlisted = claimed - {row["document"] for row in rows}
    if not unlisted:
        return rows
    beside = (n for n in range(len(report.documents)) if report.name_of(n) in unlisted)
    more: list[Row] = json.loads(json.dumps([*document_rows(report, beside)]))
    return [*rows, *more]


def _restore_line_ends(scan: Scan, claims: Claims, key: NameKey | None) -> list[str]:
    """Treat files that differ only in their line ends as unchanged, and return their labels.

    Texts do not keep their line ends (see `ReadDocument`).
    """
    rows = {row["document"]: row for row in claims.record["document_list"]}
    labels = {key.name_of(label) if key else label: label for label in rows}
    hash_of = str if key is None or claims.choice.names else key.hash_of
    changed = []
    for number, document in enumerate(scan.documents):
        label = labels.get(document.name)
        sha256 = rows[label].get("sha256") if label is not None else ""
        if not sha256 or document.part or document.members or sha256 == hash_of(document.sha256):
            continue
        for data in with_either_line_ends(document.path.read_bytes()):
            if hash_of(hashlib.sha256(data).hexdigest()) == sha256:
                scan.documents[number] = document._replace(
                    size=len(data),
                    sha256=hashlib.sha256(data).hexdigest(),
                    file_hash=xxhash.xxh3_128_hexdigest(data),
                )
                changed.append(str(label))
    return changed


def _as_dated(document: Document, claims: Claims) -> Document:
    """A document with the date in the report: copying a file changes its date but no word."""
    return document._replace(modified_ns=claims.modified.get(document.name, 0))


def _names(row: Row, key: NameKey | None) -> tuple[str, str]:
    """The names of a pair, in their order."""
    a, b = (key.name_of(row[side]) if key else row[side] for side in ("doc_a", "doc_b"))
    return min(a, b), max(a, b)


def _judged_in_table(claims: Claims, pair_list: PairList, key: NameKey | None) -> Judgements:
    """The judgements and added pairs of the table, for a report without a log."""
    known = {document.name: document for document in pair_list.documents}
    labels = key.labels if key else {}
    reviewers = {label: name for (kind, name), label in labels.items() if kind == REVIEWER}
    verdicts: dict[PairKey, GivenVerdict] = {}
    notes: dict[PairKey, WrittenNote] = {}
    changed: dict[PairKey, float] = {}
    added: set[PairKey] = set()
    for row in claims.pairs:
        verdict, note, who, when = (str(row.get(name) or "") for name in JUDGED[:4])
        by = reviewers.get(who, who)
        a, b = (known.get(name) for name in _names(row, key))
        if a and b and row.get("found_by") == BY_PROPERTIES:
            added.add(PairKey.of(a, b))
        if a and b and verdict in set(Verdict):
            pair, share = PairKey.of(a, b), row.get("changed_since")
            verdicts[pair] = GivenVerdict(Verdict(verdict), by, when)
            notes[pair] = WrittenNote(note, by, when)
            if isinstance(share, int | float) and 0 <= share <= 1:
                changed[pair] = share
    judgements = NO_JUDGEMENTS._replace(verdicts=verdicts, notes=notes, added=added)
    return _on_earlier_texts(judgements, changed)


def _on_earlier_texts(judgements: Judgements, changed: Mapping[PairKey, float]) -> Judgements:
    """Attach verdicts on earlier texts to these texts.

    A record only has how much of each of these texts was changed since.
    """
    shares: dict[str, set[float]] = {}
    text_of: dict[PairKey, str] = {}
    for pair, share in changed.items():
        text_of[pair] = min(pair, key=lambda text: len(shares.get(text, ())))
        shares.setdefault(text_of[pair], set()).add(share)
    earlier: dict[str, EarlierText] = {}
    for text, text_shares in shares.items():
        later, left = text, 1.0
        for share in sorted(text_shares):
            before = _before(text, share)
            earlier[later] = EarlierText(before, 1 - (1 - share) / left if left else 1.0)
            later, left = before, 1 - share
    verdicts = dict(judgements.verdicts)
    for pair, share in changed.items():
        text = text_of[pair]
        other_text = pair.high if pair.low == text else pair.low
        verdicts[PairKey.between(_before(text, share), other_text)] = verdicts.pop(pair)
    return judgements._replace(verdicts=verdicts, earlier=earlier)


def _before(text: str, share: float) -> str:
    """A name for a text before so much of it was changed."""
    return f"{text} {share!r}"


def _logged(log: Sequence[HistoryEntry]) -> Judgements:
    """The judgements of the log."""
    entries = [entry for entry in log if entry.command.data]
    try:
        return judged(NO_JUDGEMENTS, entries)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ReportError(CANNOT_BE, part="log") from error
