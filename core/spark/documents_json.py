"""What is known of a document as JSON, a column of the table of documents.

Who reads it may have it from a stranger, like a review: it is checked as the columns of one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.documents import Document
from core.documents.roles import Role
from core.review.believable import (
    LARGEST,
    MOST_BYTES,
    MOST_CHARACTERS,
    check_path,
    hash_of,
    json_of,
    language_of,
    sentence_of,
    word_of,
)
from core.review.member_rows import SHA256, members_of
from core.review.packing import encoded

MOST_BYTES_OF_DOCUMENT = 1 << 20
NUMBERS = {"size": MOST_BYTES, "characters": MOST_CHARACTERS}
WORDS = ("path", "name", "file_hash", "kind", "encoding", "part", "text_hash", "language", "sha256")
DEFAULTS = {"part": "", "text_hash": "", "language": "", "sha256": "", "encoding": ""}


def document_to_json(document: Document) -> str:
    """A document that is there as JSON in ASCII; what is as usual is left out."""
    columns = {name: getattr(document, name) for name in (*NUMBERS, *WORDS)}
    columns["path"] = str(document.path)
    columns["modified_ns"] = document.modified_ns
    kept = {name: value for name, value in columns.items() if DEFAULTS.get(name) != value}
    if document.remarks:
        kept["remarks"] = document.remarks
    if document.role is not Role.REVIEW:
        kept["role"] = document.role
    if document.members:
        kept["members"] = document.members
    return json.dumps(kept, separators=(",", ":"))


def document_of_json(column: str) -> Document:
    """The document again.

    Raises:
        ValueError: It cannot be so.
    """
    try:
        if len(column) > MOST_BYTES_OF_DOCUMENT:
            raise ValueError("What is said of a document is too long.")
        return _document(json_of(column.encode("utf-8", "surrogatepass")))
    except (TypeError, AttributeError, KeyError) as error:
        raise ValueError("What is said of a document cannot be so.") from error


def _document(stored: Mapping[str, Any]) -> Document:
    numbers = {name: stored[name] for name in (*NUMBERS, "modified_ns")}
    words = {name: stored.get(name, DEFAULTS.get(name)) for name in WORDS}
    if any(type(number) is not int for number in numbers.values()) or not all(
        isinstance(word, str) for word in words.values()
    ):
        raise TypeError("A column of a document is none.")
    in_range = all(0 <= numbers[name] <= most for name, most in NUMBERS.items())
    if not in_range or abs(numbers["modified_ns"]) > LARGEST:
        raise ValueError("A number of a document cannot be so.")
    path, sha256 = words["path"], words["sha256"]
    check_path(path, inside=False)
    if sha256 and not SHA256.fullmatch(sha256):
        raise ValueError("The SHA-256 of a file is none.")
    members = stored.get("members")
    return Document(
        path=Path(path),
        name=sentence_of(words["name"]),
        file_hash=word_of(encoded(words["file_hash"])),
        kind=word_of(encoded(words["kind"])),
        encoding=word_of(encoded(words["encoding"])),
        part=words["part"],
        remarks=tuple(map(sentence_of, stored.get("remarks", ()))),
        text_hash=hash_of(encoded(words["text_hash"])),
        role=Role(stored.get("role", Role.REVIEW)),
        members=members_of(
            json.dumps(members).encode("ascii") if members else b"", numbers["characters"]
        ),
        language=language_of(encoded(words["language"])),
        sha256=sha256,
        **numbers,
    )
