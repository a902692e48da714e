"""What the page of a report shows, held against the page that the same files give.

A record can be right and the table above it wrong. So the page is written again from what was
recomputed, and both are compared part by part: rows of the table, pairs with their passages, the
sections around them, and the style and script that decide what is seen; then, where these agree,
byte for byte, so that nothing stands before, between or behind them.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection, Iterator
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from core.base.progress import Cancelled
from core.base.unfinished import scratch_folder
from core.reports.html import write_html
from core.reports.model import Report
from core.reports.record.embedded import RECORD
from core.reports.record.seal import found_seal
from core.verify.findings import Finding, Outcome, Topic

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
