"""The report of a record made again from the files in some folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.aside.rules import AsideRules
from core.base.progress import Cancelled, Progress
from core.base.wording import printable_name
from core.documents import FoundFile, ReaderProcesses, ReadingLimits, ReadingSettings
from core.documents.discovery import find_documents
from core.documents.roles import Role, templates_among
from core.reports.choice import ReportChoice
from core.reports.from_scan import report_of
from core.reports.model import Report
from core.review.decisions import judged
from core.review.settings_repair import settings_of
from core.scan.history import Command, HistoryEntry
from core.scan.judgements import Judgements
from core.scan.reading import FilesToRead, read_all
from core.scan.scan import Scan
from core.scan.submissions import as_submissions

__all__ = ["judgements_in", "made_again"]


def judgements_in(record: dict[str, Any]) -> Judgements:
    """What the log of a record comes to.

    Raises:
        KeyError, TypeError, ValueError: The log cannot be so.
    """
    entries = []
    for one in record["log"]:
        if one["data"] is not None:
            command = Command(str(one["kind"]), dict(one["data"]), int(one["version"]))
            entries.append(
                HistoryEntry(
                    int(one["id"]),
                    int(one["reverses"]),
                    str(one["time"]),
                    str(one["who"]),
                    command,
                    None,
                )
            )
    return judged(Judgements(), entries)


@contextmanager
def made_again(
    record: dict[str, Any], folders: Sequence[Path], progress: Progress, cancelled: Cancelled
) -> Iterator[Report]:
    """The report that the files of a record give now, with the recorded settings.

    Raises:
        FolderError: A folder cannot be read.
        KeyError, TypeError, ValueError: The record cannot be so.
        ScanCancelledError: `cancelled` said so.
    """
    settings, _ = settings_of(record["settings"])
    rules, said = AsideRules.of_json(record["set_aside_by"]), judgements_in(record)
    reading = _reading(record["reading"])
    found, problems = find_documents(folders, cancelled=cancelled)
    found = _recorded(found, record)
    roles = [Role(role) for role in record["roles"]][: len(folders)]
    scan = Scan(settings, tuple(folders), problems, roles=roles)
    try:
        scan.reading = reading
        units = as_submissions(found, scan.folders, reading, None)
        with ReaderProcesses(reading) as processes:
            read_all(scan, FilesToRead(units, processes, progress, cancelled), None)
        if rules or templates_among(scan.documents):
            scan = scan.with_rules(rules, cancelled)
        pairs = scan.list_pairs(progress=progress, cancelled=cancelled)
        choice = ReportChoice(most_passages=len(record["passages"]))
        yield report_of(scan, pairs, judgements=said, choice=choice, cancelled=cancelled)
    finally:
        scan.close()


def _reading(told: dict[str, Any] | None) -> ReadingSettings:
    """How files were read; as is usual where the record does not say."""
    if told is None:
        return ReadingSettings()
    limits = ReadingLimits(**{name: int(value) for name, value in told["limits"].items()})
    return ReadingSettings(
        limits=limits,
        archives=bool(told["archives"]),
        submissions=bool(told["submissions"]),
        ocr=bool(told["ocr"]),
        ocr_languages=str(told["ocr_languages"]),
    )


def _recorded(found: list[FoundFile], record: dict[str, Any]) -> list[FoundFile]:
    """The files that were compared: what came to the folder since is not in the report.

    All of them where the record does not name every document, or names files by their folder.
    """
    documents = record["document_list"]
    if len(documents) < int(record["documents"]) or any(one["members"] for one in documents):
        return found
    names = {
        one["document"].removesuffix("/" + printable_name(one["part"]))
        if one["part"]
        else one["document"]
        for one in documents
    }
    return [one for one in found if one.name in names]
