"""Checks whether a report agrees with its files: everything that can be recomputed is.

    report ─▶ its record ─▶ claims ─▶ the same scan of the same files ─▶ a second record ─▶ compared

Facts that no file contains, who judged what and when, are compared with the log in the record, with
a review if one is given, and with a seal that somebody noted elsewhere.

A record can be right and the page around it wrong. So if the record agrees, the page is written
again from the recomputed record, and both must be the same, byte for byte.

Reads the record of a report, HTML, PDF or JSON, as untrusted data.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2

from core import __version__
from core.base.files import raised_as, scratch_folder
from core.base.messages import (
    ENGLISH,
    N_,
    Language,
    gettext,
    in_language,
    language,
    load_language,
    stored,
)
from core.base.patterns import lazy_pattern
from core.base.tasks import Progress, ignore
from core.base.wording import count, printable_name
from core.errors import KeyNeededError, ReportError
from core.reports.html import SIZES, write_html
from core.reports.model import Report
from core.reports.pseudonyms.key import NameKey
from core.reports.record import FORMAT, WITHOUT_MARKED
from core.reports.record.seal import found_seal, seal_of
from core.reports.report_choice import Paper
from core.review import open_review
from core.scan.history import HistoryEntry
from core.verify.comparison import (
    Checked,
    Comparison,
    Finding,
    Outcome,
    Topic,
    TopicCount,
    Verification,
)
from core.verify.recomputation import CANNOT_BE, Claims, claims_of, recomputed

MOST_BYTES = 1 << 30
# A browser ends it at any "</script", so that a record has no "<".
RECORD = lazy_pattern(rb'(?<=<script type="application/json" id="record">)[^<]*(?=</script>)')

OBJECT = lazy_pattern(rb'\s*\{\s*"')  # of JSON; RTF begins with a brace, too


class FoundRecord(NamedTuple):
    """The record of a report, with its seal.

    Attributes:
        kind: "html", "pdf" or "json".
        written_seal: The seal in it; that of a PDF is in its record, an attached file.
        seal: The seal that its present contents must have.
        record: The record as written, which is not trusted.
        data: The bytes of the file, as they were sealed.
        has_other_line_ends: Whether the file now has other line ends.
    """

    kind: str
    written_seal: str
    seal: str
    record: dict[str, Any]
    data: bytes
    has_other_line_ends: bool


def record_in(path: Path) -> FoundRecord:
    """The record of a report.

    Raises:
        ReportError: The file cannot be read, or is no report that can be checked.
    """
    name = printable_name(path.name)
    read = _read(path, name)
    data = _with_sealed_line_ends(read)
    kind, text = _record_of(data)
    if text is None:
        raise ReportError(
            "“{name}” has no record to check: HTML, PDF and JSON have one, as Neardup saved them.",
            name=name,
        )
    try:
        record = json.loads(text, parse_constant=_refused, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise ReportError(
            "The record in “{name}” cannot be read: it is no JSON.", name=name
        ) from error
    if not isinstance(record, dict) or record.get("program") != "Neardup":
        raise ReportError("The record in “{name}” is not of Neardup.", name=name)
    if record.get("format") not in (WITHOUT_MARKED, FORMAT):
        raise ReportError(
            "The record in “{name}” is of a form that this version does not know.", name=name
        )
    # In a file of another name a browser would show what stands in a record as a page.
    if kind == "json" and path.suffix.lower() != ".json":
        raise ReportError("“{name}” is a report in JSON: its name must end in .json.", name=name)
    content = text if kind == "pdf" else data  # the pages of a PDF are beside its record
    seals = found_seal(content), seal_of(content)
    return FoundRecord(kind, *seals, record, data, data is not read)


def _with_sealed_line_ends(data: bytes) -> bytes:
    """A report as it was sealed, if a program that passed it on has changed its line ends."""
    if b"\r\n" not in data or found_seal(data) == seal_of(data):
        return data
    as_written = data.replace(b"\r\n", b"\n")
    return as_written if found_seal(as_written) == seal_of(as_written) else data


def _read(path: Path, name: str) -> bytes:
    with raised_as(ReportError, N_("“{name}” cannot be read: {why}."), name=name):
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise ReportError("“{name}” is a folder or a device.", name=name)
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ReportError(
            "“{name}” is larger than {most} bytes: no report is.", name=name, most=count(MOST_BYTES)
        )
    return data


def _record_of(data: bytes) -> tuple[str, bytes | None]:
    """The kind of a file, and its record; None if it has none, or more than one."""
    if data.startswith(b"%PDF-"):
        return "pdf", _attached(data)
    if OBJECT.match(data):
        return "json", data
    records = RECORD.findall(data)
    return "html", records[0] if len(records) == 1 else None


def _attached(data: bytes) -> bytes | None:
    """The record that is attached to a PDF."""
    try:
        with pypdfium2.PdfDocument(data) as pdf:
            attachments = [
                attachment
                for attachment in map(pdf.get_attachment, range(pdf.count_attachments()))
                if attachment.get_name() == "record.json"
            ]
            return bytes(attachments[0].get_data()) if len(attachments) == 1 else None
    except pypdfium2.PdfiumError:
        return None


def _refused(constant: str) -> object:
    raise ValueError(constant)


def _once(values: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; refuses repeated keys, of which each program may read another value."""
    members = dict(values)
    if len(members) < len(values):
        twice = next(key for key, times in Counter(key for key, _ in values).items() if times > 1)
        raise ReportError(CANNOT_BE, part=printable_name(twice))
    return members


LONGEST = 200  # characters of a difference that are shown
BEFORE = 40  # of them before the difference
PART = lazy_pattern(rb'(?=<[a-z0-9]+ (?:class="[^"]*" )?id="([^"]*)")')
LOGO = lazy_pattern(rb'<p class="institution"><img src="data:[a-z/+]*;base64,([^"]*)"')
PAPERS = {size: paper for paper, size in SIZES.items()}
LANGUAGE = lazy_pattern(rb'<html lang="([A-Za-z-]{2,20})"')
PAPER = lazy_pattern(rb"@page \{ size: ([A-Za-z0-9]+);")
BEGINNING = N_("beginning of the page")


def compare_pages(written: bytes, report: Report) -> Checked:
    """Compare a page with the page that these files give.

    The page is written again from the recomputed report, and each byte compared, except those of
    the record, which is compared separately, and of the seal. A part reaches from an id to the
    next: a row, a pair with its passages, a section.

    Args:
        written: The page.
        report: The recomputed report, with the choices of the written one.
    """
    choice = replace(report.choice, logo=_logo(written), paper=_paper(written))
    with scratch_folder() as folder:
        path = folder / "again.html"
        with in_language(_language(written)):
            write_html(path, replace(report, choice=choice))
        shown, wanted = _parts(written), _parts(path.read_bytes())
    findings: list[Finding] = []
    for part, right in wanted.items():
        if part not in shown:
            findings.append(Finding(Topic.PAGE, Outcome.MISSING, part))
        elif shown[part] != right:
            findings.append(_differs(part, shown[part], right))
    findings += [Finding(Topic.PAGE, Outcome.MORE, part) for part in shown if part not in wanted]
    if not findings and [*shown] != [*wanted]:
        findings.append(Finding(Topic.PAGE, Outcome.DIFFERS, N_("order of the parts")))
    agreed = max(len(wanted) - len(findings), 0)
    return TopicCount(Topic.PAGE, len(wanted), agreed), findings


def _parts(page: bytes) -> dict[str, bytes]:
    """A page without the contents of its record and its seal, in parts by their ids."""
    page = RECORD.sub(b"", page).replace(found_seal(page).encode(), b"", 1)
    starts = [(BEGINNING, 0)]
    starts += [(match[1].decode(errors="replace"), match.start()) for match in PART.finditer(page)]
    parts: dict[str, bytes] = {}
    for (part, start), (_, end) in pairwise([*starts, ("", len(page))]):
        while part in parts:  # an id may be repeated
            part += ", again"  # noqa: PLW2901
        parts[part] = page[start:end]
    return parts


def _differs(part: str, written: bytes, expected: bytes) -> Finding:
    """The finding of a part that differs, with the text around the first difference."""
    claimed, right = (data.decode(errors="replace") for data in (written, expected))
    same = next(
        (index for index, (a, b) in enumerate(zip(claimed, right, strict=False)) if a != b),
        len(claimed),
    )
    start = max(same - BEFORE, 0)
    shown = (text[start : start + LONGEST] for text in (claimed, right))
    return Finding(Topic.PAGE, Outcome.DIFFERS, part, *shown)


def _logo(page: bytes) -> bytes:
    """The picture at the head of the page, which no file contains."""
    match = LOGO.search(page)
    try:
        return base64.b64decode(match[1], validate=True) if match else b""
    except binascii.Error:
        return b""


def _language(page: bytes) -> Language:
    """The language of the page, which no file contains either."""
    match = LANGUAGE.search(page)
    code = match[1].decode().replace("-", "_") if match else ENGLISH
    return language() if language().code == code else load_language(code)


def _paper(page: bytes) -> Paper:
    """The size of the pages, which no file contains either."""
    match = PAPER.search(page)
    return PAPERS.get(match[1].decode(), Paper.A4) if match else Paper.A4


def verify(
    path: Path,
    folders: Sequence[Path],
    *,
    seal: str = "",
    review: Path | None = None,
    key: NameKey | None = None,
    passwords: Sequence[str] = (),
    progress: Progress = ignore,
) -> Verification:
    """Recompute a report from the files that it is about, and compare.

    Args:
        path: The report: HTML, PDF or JSON.
        folders: The folders that were compared, in the order of the report.
        seal: A seal that was noted when the report was written; "" for none.
        review: The review whose log is compared with that of the report.
        key: The key to withheld names.
        passwords: To be tried on files that are locked; no report has those it was made with.
        progress: Receives what is read.

    Raises:
        ReportError: The file is no report that can be checked; one of a part of a run cannot.
        NeardupError: The folders or the review cannot be read.
    """
    record = record_in(path)
    claims = _claims(record, key, seal)
    checked = [_sealed(record, seal)]
    if record.has_other_line_ends:
        remark = Finding(Topic.SEAL, Outcome.LINE_ENDS, path.name)
        checked[0] = checked[0][0], [*checked[0][1], remark]
    with recomputed(claims, folders, key, progress, passwords) as recomputation:
        comparison = Comparison(claims, recomputation)
        checked += comparison.compare()
        if review is not None:
            checked.append(_reviewed(claims, review))
        agrees = not any(finding.contradicts for finding in comparison.findings)
        has_same_page = record.kind == "html" and not comparison.is_of_another_folder
        if agrees and has_same_page and claims.is_of_these_versions:
            checked.append(compare_pages(record.data, recomputation.report))
    is_read_otherwise = bool(comparison.unlike) and recomputation.may_be_read_otherwise
    not_checked = [_READ_OTHERWISE] if is_read_otherwise else []
    not_checked += _not_checked(record, claims, comparison, seal, review)
    counts = _by_topic(count for count, _ in checked)
    findings = tuple(finding for _, findings in checked for finding in findings)
    has_page = record.kind == "json" or any(
        topic_count.topic is Topic.PAGE for topic_count in counts
    )
    return Verification(
        record.kind,
        record.seal,
        counts,
        findings,
        tuple(not_checked),
        covers_pages=has_page and not (comparison.gone or comparison.gone_elsewhere),
        gone=len(comparison.gone) + comparison.gone_elsewhere,
        folders=claims.folders(key),
        has_key=key is not None,
    )


def _by_topic(counts: Iterable[TopicCount]) -> tuple[TopicCount, ...]:
    """One count of each topic, which may be that of several lists."""
    sums: dict[Topic, TopicCount] = {}
    for topic, *numbers in counts:
        before = sums.get(topic, TopicCount(topic, 0, 0))[1:]
        sums[topic] = TopicCount(topic, *map(sum, zip(before, numbers, strict=True)))
    return tuple(sums.values())


def _claims(report: FoundRecord, key: NameKey | None, seal: str) -> Claims:
    if report.record.get("is_part_of_run") is True:
        raise ReportError(_of_a_run(report, seal))
    claims = claims_of(report.record)
    if not claims.choice.names and key is None:
        raise KeyNeededError("Names are withheld in this report: its key is needed to check it.")
    return claims


def _sealed(report: FoundRecord, noted: str) -> Checked:
    """Check whether the file is unchanged since it was sealed."""
    written, findings = report.written_seal, list[Finding]()
    if not written:
        findings = [Finding(Topic.SEAL, Outcome.MORE, N_("Seal"))]
    elif written != report.seal:
        subject = N_("the file was changed after it was sealed")
        findings = [Finding(Topic.SEAL, Outcome.DIFFERS, subject, written, report.seal)]
    elif noted and noted.lower() != written:
        subject = N_("another seal was noted")
        findings = [Finding(Topic.SEAL, Outcome.DIFFERS, subject, written, noted)]
    return TopicCount(Topic.SEAL, 1, 1 - len(findings)), findings


def _of_a_run(report: FoundRecord, noted: str) -> str:
    """The message about a report of a part of a run, whose pairs cannot be checked with files."""
    why = gettext(
        "The report is of a part of a run on a cluster. Its list is of the documents of that run, "
        "not of files here: it cannot be checked with them."
    )
    _, findings = _sealed(report, noted)
    if findings:
        sentence = gettext("What differs: {thing}.", thing=gettext(findings[0].what))
    elif noted:
        sentence = gettext("Its seal {seal} is the one that was noted.", seal=report.seal)
    else:
        sentence = gettext(
            "Its seal {seal} is the one that it was written with: compare it with the noted one.",
            seal=report.seal,
        )
    return f"{why} {sentence}"


def _reviewed(claims: Claims, review: Path) -> Checked:
    """Compare the log of the report with that of the review."""
    findings = [*_logged(claims, review)]
    return TopicCount(Topic.REVIEW, len(claims.log), len(claims.log) - len(findings)), findings


def _logged(claims: Claims, path: Path) -> Iterator[Finding]:
    """Entries of the report's log that the review's log does not have."""
    with open_review(path) as review:
        known = {entry.id: entry for entry in review.state.log}
    for entry in claims.log:
        logged = known.get(entry.id)
        subject = stored("entry {id}, {kind}", id=entry.id, kind=entry.command.kind)
        if logged is None:
            yield Finding(Topic.REVIEW, Outcome.MISSING, subject)
        elif _reported_part(logged, entry) != _reported_part(entry, entry):
            yield Finding(
                Topic.REVIEW, Outcome.DIFFERS, subject, _in_words(entry), _in_words(logged)
            )


def _reported_part(entry: HistoryEntry, reported: HistoryEntry) -> tuple[object, ...]:
    """The part of an entry that a report contains: for some kinds without the data."""
    data = dict(entry.command.data) if reported.command.data else {}
    return entry.reverses, entry.time, entry.who, entry.command.kind, data


def _in_words(entry: HistoryEntry) -> str:
    return f"{entry.time}, {entry.who}: {dict(entry.command.data)}"


_READ_OTHERWISE = N_(
    "Some of these files may have been read with other settings for the report: with passwords, "
    "with archives opened, or joined to submissions."
)
_WITHOUT_KEY = N_(
    "The seal has no key: who changes a report can seal it anew. Only the seal that was noted when "
    "the report was written shows that this is still that report."
)
_PDF_WITHOUT_KEY = N_(
    "The seal has no key: who changes a report can seal it anew. Only the seal that was noted when "
    "the report was written shows that this is still its record."
)


def _not_checked(
    report: FoundRecord, claims: Claims, comparison: Comparison, seal: str, review: Path | None
) -> Iterator[str]:
    """Sentences on what this check cannot find out."""
    if comparison.is_of_another_folder:
        yield stored(
            "Beside documents that are not as they were, of the others only the numbers were "
            "compared that two texts decide by themselves."
        )
    if not seal:
        yield _PDF_WITHOUT_KEY if report.kind == "pdf" else _WITHOUT_KEY
    if claims.log and review is None:
        yield stored(
            "Who judged what and when, no document tells: verdicts and notes were compared with "
            "the log in the report only. With the review given, that log is compared with its own."
        )
    if not claims.has_log:
        yield stored(
            "A report of some documents, or with names withheld, has no log: only the seal vouches "
            "for who judged what."
        )
    if claims.record.get("audit"):
        yield stored("The test of whether the list is complete was not run again.")
    if report.kind == "pdf":
        yield stored(
            "The pages of a PDF were not compared: only its record was, which the seal covers."
        )
    elif not claims.is_of_these_versions:
        yield stored(
            "The report was written by Neardup {version}, and this is {own}, or with other "
            "versions of its libraries: what its pages show was not compared.",
            version=claims.record["version"],
            own=__version__,
        )
    elif report.kind == "html" and any(finding.contradicts for finding in comparison.findings):
        yield stored("What the page shows was not compared, since its record already differs.")
    if claims.record["shown"] and not claims.is_partial:
        yield stored(
            "Which pairs the filter lets through was not checked: pairs may have been left out."
        )
    yield stored(
        "The files do not show when the report was written, the institution and its logo, the "
        "names of folders, the dates of files, or settings that would give the same result: only "
        "the seal covers these."
    )
