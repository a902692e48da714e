"""The documents of a report with all by which they can be known again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import xxhash

from core.base.progress import Cancelled, stop_if
from core.documents.model import Document
from core.reports.model import Report

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PAGE_MARK = "\f"
HASHES = ("sha256", "xxh3", "text_sha256", "text_xxh3", "text_hash")


def document_rows(
    report: Report, numbers: Iterator[int], cancelled: Cancelled
) -> Iterator[dict[str, Any]]:
    """Some of the documents.

    Keys: document (its name: the path within the folder), part (its path inside the file), role,
    state (of one that is not there: "gone", "not read"), size (bytes of the file), modified (ISO
    8601, UTC), kind, encoding, characters (code points of the text), pages (None without), language
    (ISO 639-1), remarks, members (the files of a submission: name, start, size, sha256), sha256 and
    xxh3 (XXH3-128) of the bytes of the file, text_sha256 and text_xxh3 of the text in UTF-8, and
    text_hash (who the text is, see `core.text.identity`). A hash is "" where it is not known, and
    all are where names are withheld: who has the files would know them by these.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for number in numbers:
        stop_if(cancelled)
        yield _row(report, number)


def _row(report: Report, number: int) -> dict[str, Any]:
    document, text = report.documents[number], report.text_of(number)
    marks = text.count(PAGE_MARK)
    known = report.choice.names
    row: dict[str, Any] = {
        "document": report.name_of(number),
        "part": document.part if known else "",
        "role": str(document.role),
        "state": str(document.absence.kind) if document.absence else "",
        "size": document.size,
        "modified": _moment(document.modified_ns) if known else "",
        "kind": document.kind,
        "encoding": document.encoding,
        "characters": document.characters,
        "pages": marks + 1 if marks else None,
        "language": report.languages[number],
        "remarks": list(document.remarks),
        "members": [
            {"name": one.name, "start": one.start, "size": one.size, "sha256": one.sha256}
            for one in document.members
        ]
        if known
        else [],
    }
    hashes = map(report.hash_of, _hashes(document, text, is_named=known))
    return {**row, **dict(zip(HASHES, hashes, strict=True))}


def _hashes(document: Document, text: str, *, is_named: bool) -> tuple[str, ...]:
    written = text.encode("utf-8", "surrogatepass")
    # The reader of a part told its hash, and that of a submission is made of those of its files;
    # without names nobody knows which document is a part.
    own = document.file_hash if is_named and not (document.part or document.members) else ""
    return (
        document.sha256,
        own,
        hashlib.sha256(written).hexdigest(),
        xxhash.xxh3_128_hexdigest(written),
        document.text_hash,
    )


def _moment(modified_ns: int) -> str:
    try:
        return (EPOCH + timedelta(microseconds=modified_ns // 1000)).isoformat()
    except OverflowError:
        return ""
