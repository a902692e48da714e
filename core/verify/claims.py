"""What a report says of itself, read as if a stranger had written it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from core.aside.rules import AsideRules
from core.base.setting import settings_of
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.documents.roles import Role
from core.errors import ReportError
from core.reports.choice import ReportChoice, Scope
from core.reports.limits import ReportLimits
from core.scan.history import Command, HistoryEntry
from core.settings import ScanSettings

MOST_PAIRS = ReportLimits().table_rows
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Value = TypeVar("Value")
# The lists of a record that are compared row by row, and what their rows are about.
LISTS = {
    "passages": ("doc_a", "doc_b"),
    "set_aside": ("document",),
    "groups": ("centre",),
    "judged_passages": ("text",),
    "languages": ("document",),
    "problems": ("path",),
    "other_files": ("path",),
}


class Claims(NamedTuple):
    """What a record says, of the types that it must have.

    Attributes:
        record: The whole record.
        settings: What the pairs were listed with.
        reading: How the files were read.
        roles: What each folder is for.
        rules: What was set aside by.
        choice: What was asked for; its documents are in `subject`, by name.
        subject: The documents that the scope is about.
        log: What was decided.
        pairs: The rows of pairs, each with its rank in the whole list.
        documents: The rows of documents.
        folders: What the folders were called; they may have other names now.
        modified: By name when each document was changed last, in nanoseconds, where that is told.
    """

    record: Mapping[str, Any]
    settings: ScanSettings
    reading: ReadingSettings
    roles: Sequence[Role]
    rules: AsideRules
    choice: ReportChoice
    subject: Sequence[str]
    log: Sequence[HistoryEntry]
    pairs: Sequence[Mapping[str, Any]]
    documents: Sequence[Mapping[str, Any]]
    folders: Sequence[str]
    modified: Mapping[str, int]

    @property
    def is_of_all(self) -> bool:
        """Whether the report is of all pairs of the list, in their order."""
        return self.choice.scope is Scope.SHOWN and not self.record["shown"]

    @property
    def is_cut(self) -> bool:
        """Whether the record may hold the first pairs only, as a page of very many does."""
        return len(self.pairs) == MOST_PAIRS

    @property
    def has_log(self) -> bool:
        """Whether there must be a log: there is none of some documents, or without names."""
        is_whole = len(self.documents) == len(self.rows("languages"))
        return self.choice.names and not self.is_partial and is_whole

    @property
    def is_partial(self) -> bool:
        """Whether the report is about some documents, and names no others."""
        return self.choice.scope is not Scope.SHOWN

    def rows(self, name: str) -> Sequence[Mapping[str, Any]]:
        """One of `LISTS`."""
        rows: Sequence[Mapping[str, Any]] = self.record[name]
        return rows


def claims_of(record: Mapping[str, Any]) -> Claims:
    """What a record says.

    Raises:
        ReportError: It cannot be so; the sentence says which part.
    """
    for name, keys in LISTS.items():
        _read(name, record, _named_rows(*keys))
    _read("shown", record, _text)
    choice = _read("choice", record, _choice)
    return Claims(
        record=record,
        settings=_read("settings", record, _settings),
        reading=_read("reading", record, _reading),
        roles=_read("roles", record, lambda value: tuple(map(Role, _texts(value)))),
        rules=_read("set_aside_by", record, _rules),
        choice=choice,
        subject=_read("choice", record, lambda value: _texts(value["documents"])),
        log=_read("log", record, lambda value: tuple(map(_entry, _rows(value)))),
        pairs=ranked(record, _read("pairs", record, _named_rows("doc_a", "doc_b"))),
        documents=_read("document_list", record, _named_rows("document")),
        folders=_read("folders", record, _texts),
        modified=_read("document_list", record, _modified),
    )


def _read(name: str, record: Mapping[str, Any], read: Callable[[Any], Value]) -> Value:
    try:
        return read(record[name])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ReportError(f"The report cannot be checked: its “{name}” cannot be so.") from error


def _modified(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, int]:
    dated = {row["document"]: row["modified"] for row in rows if row["modified"]}
    return {
        name: (datetime.fromisoformat(moment) - EPOCH) // timedelta(microseconds=1) * 1000
        for name, moment in dated.items()
    }


def ranked(
    record: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]]:
    """The rows of pairs, each with its rank.

    Raises:
        ReportError: There are not as many ranks.
    """
    ranks = _read("ranks", record, _numbers)
    if len(ranks) != len(rows):
        raise ReportError("The report cannot be checked: its “ranks” are not those of its pairs.")
    return [{**row, "rank": rank} for row, rank in zip(rows, ranks, strict=True)]


def _settings(value: Mapping[str, Any]) -> ScanSettings:
    known = {name: value[name] for name in settings_of(ScanSettings)}
    return ScanSettings(**known)


def _rules(value: Mapping[str, Any]) -> AsideRules:
    if any(text == "" for text, _ in value["phrases"]):
        raise ReportError(
            "The report cannot be checked: passages were set aside whose words it does not tell."
        )
    rules = AsideRules.of_json(value)
    if rules.as_json() != value:
        raise ValueError("rules")
    return rules


def _reading(value: Mapping[str, Any] | None) -> ReadingSettings:
    """As it was told; the usual one where a review does not say."""
    if value is None:
        return ReadingSettings()
    told = {one.name: value[one.name] for one in fields(ReadingSettings) if one.name in value}
    limits = {one.name: told["limits"][one.name] for one in fields(ReadingLimits)}
    usual = ReadingLimits()
    for name, number in limits.items():
        if type(number) is not type(getattr(usual, name)):
            raise TypeError(name)
    told["limits"] = ReadingLimits(**limits)
    for name, flag in told.items():
        if name != "limits" and type(flag) is not type(getattr(ReadingSettings(), name)):
            raise TypeError(name)
    return ReadingSettings(**told)


def _choice(value: Mapping[str, Any]) -> ReportChoice:
    if type(value["most_passages"]) is not int or type(value["passages"]) is not bool:
        raise TypeError("most_passages")
    if type(value["names"]) is not bool:
        raise TypeError("names")
    return ReportChoice(
        scope=Scope(value["scope"]),
        passages=value["passages"],
        most_passages=value["most_passages"],
        names=value["names"],
        institution=_text(value["institution"]),
    )


def created_of(record: Mapping[str, Any]) -> datetime:
    """When the report says that it was made.

    Raises:
        ReportError: It says no time with a time zone.
    """
    moment: datetime = _read("created", record, datetime.fromisoformat)
    if moment.utcoffset() is None:
        raise ReportError("The report cannot be checked: its “created” has no time zone.")
    return moment


def _entry(row: Mapping[str, Any]) -> HistoryEntry:
    numbers = [row["id"], row["reverses"], row["version"]]
    if any(type(one) is not int for one in numbers):
        raise TypeError("id")
    data = {} if row["data"] is None else row["data"]
    if not isinstance(data, dict):
        raise TypeError("data")
    command = Command(_text(row["kind"]), data, numbers[2])
    entry, reverses, _ = numbers
    return HistoryEntry(entry, reverses, _text(row["time"]), _text(row["who"]), command, None)


def _named_rows(*names: str) -> Callable[[Any], Sequence[Mapping[str, Any]]]:
    def read(value: Any) -> Sequence[Mapping[str, Any]]:  # noqa: ANN401 - any JSON
        rows = _rows(value)
        for row in rows:
            for name in names:
                _text(row[name])
        return rows

    return read


def _rows(value: Any) -> Sequence[Mapping[str, Any]]:  # noqa: ANN401
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise TypeError("rows")
    return value


def _numbers(value: Any) -> Sequence[int]:  # noqa: ANN401
    if not isinstance(value, list) or not all(type(one) is int for one in value):
        raise TypeError("numbers")
    return value


def _texts(value: Any) -> tuple[str, ...]:  # noqa: ANN401
    if not isinstance(value, list):
        raise TypeError("texts")
    return tuple(map(_text, value))


def _text(value: Any) -> str:  # noqa: ANN401
    if not isinstance(value, str):
        raise TypeError("text")
    return value
