"""The whole check of a report, from its file to what was found out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core import __version__
from core.base.progress import Cancelled, Progress, ignore, never
from core.errors import ReportError
from core.reports.record.embedded import FoundRecord, record_in
from core.reports.versions import versions
from core.reports.withheld.key import NameKey
from core.review import open_review
from core.scan.history import HistoryEntry
from core.verify.again import Again, made_again
from core.verify.claims import Claims, claims_of
from core.verify.comparison import Comparison
from core.verify.findings import Checked, Finding, Outcome, Topic, TopicCount, Verification
from core.verify.page import compare_pages


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
