"""The whole check of a report, from its file to what was found out.

What the page of a report shows, held against the page that the same files give.

A record can be right and the table above it wrong. So the page is written again from what was
recomputed, and both are compared part by part: rows of the table, pairs with their passages, the
sections around them, and the style and script that decide what is seen; then, where these agree,
byte for byte, so that nothing stands before, between or behind them.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from core import __version__
from core.base.files import scratch_folder
from core.base.tasks import Cancelled, Progress, ignore, never
from core.errors import ReportError
from core.reports.html import write_html
from core.reports.model import Report
from core.reports.record.embedded import RECORD, FoundRecord, record_in
from core.reports.record.writing import found_seal
from core.reports.shown_text import versions
from core.reports.withheld.key import NameKey
from core.review import open_review
from core.scan.history import HistoryEntry
from core.verify.again import Again, Claims, claims_of, made_again
from core.verify.comparison import (
    Checked,
    Comparison,
    Finding,
    Outcome,
    Topic,
    TopicCount,
    Verification,
)

LONGEST = 200  # characters of a difference that are shown
BEFORE = 40  # of them before it begins
PARTS = "tr[id], article[id], main > section[id], header, nav"
HIDDEN = "style, script:not([type]), meta[http-equiv]"


def compare_pages(
    written: bytes, report: Report, unlike: Collection[int], cancelled: Cancelled
) -> tuple[list[Finding], int]:
    """What a page shows that these files do not give, and how many of its parts were compared.

    Args:
        written: The page.
        report: What was recomputed, as the report was asked for.
        unlike: Ranks of pairs that were found not to agree. Where there are any, only the rows and
            sections of the other pairs can be compared.
        cancelled: Polled meanwhile.
    """
    page = LexborHTMLParser(written)
    choice = replace(report.choice, logo=_logo(page))
    with scratch_folder() as folder:
        path = folder / "again.html"
        write_html(path, replace(report, choice=choice), cancelled=cancelled)
        rewritten = path.read_bytes()
        again = LexborHTMLParser(rewritten)
    findings = [*_hidden(page, again)]
    shown, wanted = _parts(page), _parts(again)
    compared = 0
    for key, own in wanted.items():
        if unlike and not _is_of_other_pair(key, unlike):
            continue
        compared += 1
        if key not in shown:
            findings.append(Finding(Topic.PAGE, Outcome.MISSING, key))
        elif shown[key] != own:
            findings.append(_differs(key, shown[key], own))
    if not unlike:
        more = (key for key in shown if key not in wanted)
        findings += [Finding(Topic.PAGE, Outcome.MORE, key) for key in more]
        if not findings:
            findings += _outside_of_parts(written, rewritten)
    return findings, compared


def _outside_of_parts(written: bytes, rewritten: bytes) -> Iterator[Finding]:
    """Where a page of the same parts begins to differ, byte for byte, but for record and seal.

    The record is compared for itself, and the seal is that of each file.
    """
    one, other = (_without_record(data) for data in (written, rewritten))
    if one == other:
        return
    both = zip(one, other, strict=False)
    place = next((at for at, (a, b) in enumerate(both) if a != b), min(len(one), len(other)))
    start = max(place - BEFORE, 0)
    shown = (data[start : start + LONGEST].decode(errors="replace") for data in (one, other))
    yield Finding(Topic.PAGE, Outcome.DIFFERS, f"the page at byte {place:,}", *shown)


def _without_record(data: bytes) -> bytes:
    return RECORD.sub(b"", data).replace(found_seal(data).encode(), b"", 1)


def _is_of_other_pair(key: str, unlike: Collection[int]) -> bool:
    kind, _, number = key.rpartition("-")
    return kind in {"row", "pair"} and number.isdecimal() and int(number) not in unlike


def _parts(page: LexborHTMLParser) -> dict[str, tuple[str, str]]:
    """The parts of a page by their ids, each as its text and as its markup; emptied on the way."""
    found: dict[str, tuple[str, str]] = {}
    for selector in PARTS.split(", "):
        for number, node in enumerate(page.css(selector)):
            key = node.attributes.get("id") or f"{node.tag}"
            while key in found:  # an id that stands twice shows something twice
                key = f"{key}, again {number}"
            found[key] = _words(node), node.html or ""
            node.decompose()
    return found


def _words(node: LexborNode) -> str:
    return " ".join(node.text(deep=True, separator=" ").split())


def _differs(key: str, written: tuple[str, str], found: tuple[str, str]) -> Finding:
    """Where the words of a part begin to differ; or its markup, where its words do not."""
    if written[0] == found[0]:
        return Finding(Topic.PAGE, Outcome.DIFFERS, f"{key}, how it is drawn")
    one, other = written[0], found[0]
    both = zip(one, other, strict=False)
    place = next((at for at, (a, b) in enumerate(both) if a != b), min(len(one), len(other)))
    start = max(place - BEFORE, 0)
    return Finding(
        Topic.PAGE,
        Outcome.DIFFERS,
        key,
        one[start : start + LONGEST],
        other[start : start + LONGEST],
    )


def _hidden(page: LexborHTMLParser, again: LexborHTMLParser) -> Iterator[Finding]:
    """What decides what is seen: style, script and policy."""
    for selector in HIDDEN.split(", "):
        one = [node.html for node in page.css(selector)]
        if one != [node.html for node in again.css(selector)]:
            yield Finding(Topic.PAGE, Outcome.DIFFERS, selector.partition("[")[0].partition(":")[0])


def _logo(page: LexborHTMLParser) -> bytes:
    """The picture at the head as it stands there: no file tells what it must be."""
    node = page.css_first("header .institution img")
    source = (node.attributes.get("src") or "") if node else ""
    if not source.startswith("data:"):
        return b""
    try:
        return base64.b64decode(source.partition(",")[2], validate=True)
    except binascii.Error:
        return b""


def verify(
    path: Path,
    folders: Sequence[Path],
    *,
    seal: str = "",
    review: Path | None = None,
    key: NameKey | None = None,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> Verification:
    """Recompute what a report says from the files that it is about.

    Args:
        path: The report: HTML, PDF or JSON.
        folders: What was compared, in the order of the report.
        seal: That somebody noted when the report was written; "" for none.
        review: Whose log that of the report is held against.
        key: To withheld names.
        progress: Told what is read.
        cancelled: Polled.

    Raises:
        ReportError: The file is no report that can be checked, as one of a part of a run is not.
        NeardupError: The folders or the review cannot be read.
        ScanCancelledError: `cancelled` said so.
    """
    found = record_in(path)
    claims = _claims(found, key, seal)
    checked = [_sealed(found, seal)]
    with made_again(claims, folders, key, progress, cancelled) as again:
        comparison = Comparison(claims, again)
        checked += comparison.compare()
        if review is not None:
            checked.append(_reviewed(claims, review))
        if _has_comparable_page(found, claims, comparison):
            checked.append(_page(found, claims, again, comparison, cancelled))
    not_checked = tuple(_not_checked(found, claims, comparison, seal, review))
    counts = tuple(count for count, _ in checked)
    findings = tuple(one for _, findings in checked for one in findings)
    covers_pages = found.kind == "json" or any(one.topic is Topic.PAGE for one in counts)
    return Verification(
        found.kind, found.seal.computed, counts, findings, not_checked, covers_pages
    )


def _claims(found: FoundRecord, key: NameKey | None, seal: str) -> Claims:
    if found.record.get("is_part_of_run") is True:
        raise ReportError(_of_a_run(found, seal))
    claims = claims_of(found.record)
    if not claims.choice.names and key is None:
        raise ReportError("Names are withheld in this report: its key is needed to check it.")
    return claims


def _sealed(found: FoundRecord, noted: str) -> Checked:
    """Whether the file is as it was when it was sealed."""
    written, computed = found.seal
    if written != computed:
        findings = [
            Finding(
                Topic.SEAL,
                Outcome.DIFFERS,
                "the file was changed after it was sealed",
                written,
                computed,
            )
        ]
    elif noted and noted.lower() != written:
        findings = [Finding(Topic.SEAL, Outcome.DIFFERS, "another seal was noted", written, noted)]
    else:
        findings = []
    return TopicCount(Topic.SEAL, 1, 1 - len(findings)), findings


def _of_a_run(found: FoundRecord, noted: str) -> str:
    """What there is to say of a report whose pairs no files can tell."""
    why = (
        "The report is of a part of a run on a cluster. Its list is of the documents of that run, "
        "not of files here: it cannot be checked with them."
    )
    _, findings = _sealed(found, noted)
    if findings:
        return f"{why} What differs: {findings[0].what}."
    same = "that was noted" if noted else "that it was written with: compare it with the noted one"
    return f"{why} Its seal {found.seal.computed} is the one {same}."


def _reviewed(claims: Claims, review: Path) -> Checked:
    """The log of the report against that of the review."""
    findings = [*_logged(claims, review)]
    return TopicCount(Topic.REVIEW, len(claims.log), len(claims.log) - len(findings)), findings


def _has_comparable_page(found: FoundRecord, claims: Claims, comparison: Comparison) -> bool:
    """Whether these files and this version write the page that it must be."""
    return found.kind == "html" and _is_of_these_versions(claims) and not comparison.unlike


def _is_of_these_versions(claims: Claims) -> bool:
    """Whether it was written by this program with these libraries, which its page names."""
    told = claims.record
    return bool(told["version"] == __version__ and told.get("versions") == versions())


def _logged(claims: Claims, path: Path) -> Iterator[Finding]:
    """What the log of the report tells and that of the review does not."""
    with open_review(path) as review:
        known = {entry.id: entry for entry in review.state.log}
    for entry in claims.log:
        own = known.get(entry.id)
        what = f"entry {entry.id}, {entry.command.kind}"
        if own is None:
            yield Finding(Topic.REVIEW, Outcome.MISSING, what)
        elif _told(own, entry) != _told(entry, entry):
            yield Finding(Topic.REVIEW, Outcome.DIFFERS, what, _in_words(entry), _in_words(own))


def _told(entry: HistoryEntry, as_in: HistoryEntry) -> tuple[object, ...]:
    """An entry as far as a report tells it: of some kinds without the data."""
    data = dict(entry.command.data) if as_in.command.data else {}
    return entry.reverses, entry.time, entry.who, entry.command.kind, entry.command.version, data


def _in_words(entry: HistoryEntry) -> str:
    return f"{entry.time}, {entry.who}: {dict(entry.command.data)}"


def _page(
    found: FoundRecord,
    claims: Claims,
    again: Again,
    comparison: Comparison,
    cancelled: Cancelled,
) -> Checked:
    """What the page shows; of a report that does not agree, the pairs that do."""
    agrees = not any(one.topic != Topic.SEAL and one.contradicts for one in comparison.findings)
    unlike: set[int] = set()
    if not agrees:
        unlike = {
            row["rank"]
            for row in claims.pairs
            if (row["doc_a"], row["doc_b"]) in comparison.unlike_pairs
        } or {0}
    findings, compared = compare_pages(found.data, again.report, unlike, cancelled)
    return TopicCount(Topic.PAGE, compared, max(compared - len(findings), 0)), findings


def _not_checked(
    found: FoundRecord, claims: Claims, comparison: Comparison, seal: str, review: Path | None
) -> Iterator[str]:
    """What this check cannot tell, in sentences."""
    if comparison.unlike:
        yield (
            "Beside documents that are not as they were, of the others only the numbers were "
            "compared that two texts decide by themselves; what the pages show was not."
        )
    if not seal:
        yield (
            "The seal has no key: who changes a report can seal it anew. Only the seal that was "
            "noted when the report was written shows that this is still that report."
        )
    if claims.log and review is None:
        yield (
            "Who judged what and when, no document tells: verdicts and notes were compared with "
            "the log in the report only. With the review given, that log is compared with its own."
        )
    if not claims.has_log:
        yield (
            "A report of some documents, or with names withheld, has no log: who judged what, only "
            "the seal covers."
        )
    if claims.record.get("audit"):
        yield "The test of whether the list is complete was not run again."
    if found.kind == "pdf":
        yield "The pages of a PDF were not compared: only its record was, which the seal covers."
    elif not _is_of_these_versions(claims):
        yield (
            f"The report was written by Neardup {claims.record['version']}, and this is "
            f"{__version__}, or with other versions of its libraries: what its pages show was not "
            "compared."
        )
    if claims.choice.institution:
        yield "The institution that it names no file can tell: only the seal covers it."
