"""What is set aside in a review: the rules, and the spans of each document."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.base.arrays import Int64Array
from core.base.memory import CLOSE_PROGRAMS, require_memory
from core.base.messages import gettext
from core.exclusions.rules import NO_RULES, ExclusionRules
from core.review import validation
from core.review.packing import LEVEL, checksum_of, decompressed
from core.text.set_aside import Reason, SetAside, check_spans

if TYPE_CHECKING:
    from core.scan.state import ScanState


RULES = 0  # the id of their row


BYTES_IN_MEMORY = 32  # of a byte of JSON, at most


def save_exclusions(connection: sqlite3.Connection, state: ScanState, ids: Sequence[int]) -> int:
    """Write new rows and delete old ones; returns how many rows there are.

    Args:
        connection: The review.
        state: The scan.
        ids: Of the documents.
    """
    rows = {row[0]: row for row in _rows(state, ids)}
    stored = dict(connection.execute("SELECT id, checksum FROM aside"))
    gone = [(number,) for number in sorted(stored.keys() - rows.keys())]
    connection.executemany("DELETE FROM aside WHERE id = ?", gone)
    connection.executemany(
        "INSERT OR REPLACE INTO aside VALUES (?, ?, ?, ?)",
        (row for row in rows.values() if stored.get(row[0]) != row[2]),
    )
    return len(rows)


def load_exclusions(
    connection: sqlite3.Connection, count: int, ids: Int64Array, lengths: Int64Array
) -> tuple[ExclusionRules, dict[int, tuple[SetAside, ...]]]:
    """The rules, and the spans set aside by number of the document.

    Args:
        connection: The review, in a transaction.
        count: How many rows it claims to have.
        ids: int64, of the documents.
        lengths: int64, of their texts in code points.

    Raises:
        TypeError, ValueError: They are damaged, or cannot be so.
        StorageError: There is no memory for so many.
    """
    number_of = {number: index for index, number in enumerate(ids.tolist())}
    rules, spans, seen = NO_RULES, dict[int, tuple[SetAside, ...]](), 0
    for number, value in _stored(connection):
        seen += 1
        if number == RULES:
            rules = ExclusionRules.of_json(value)
            continue
        if number not in number_of:
            raise ValueError("Text is set aside in a document that is not there.")
        index = number_of[number]
        spans[index] = _spans(value, int(lengths[index]))
    if seen != count:
        raise ValueError("Some of what is set aside is missing.")
    return rules, spans


def _rows(state: ScanState, ids: Sequence[int]) -> Iterator[tuple[int, int, int, bytes]]:
    if state.rules:
        yield _row(RULES, state.rules.as_json())
    for position, spans in state.set_aside.items():
        yield _row(ids[position], _packed(spans))


def _row(number: int, value: Mapping[str, Any]) -> tuple[int, int, int, bytes]:
    content = json.dumps(value, separators=(",", ":")).encode("ascii")
    data = zlib.compress(content, LEVEL)
    return number, len(content), checksum_of(data, seed=number), data


def _stored(connection: sqlite3.Connection) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Number and value of each row."""
    size = connection.execute("SELECT ifnull(sum(size), 0) FROM aside").fetchone()[0]
    require_memory(BYTES_IN_MEMORY * size, gettext("What is set aside"), gettext(CLOSE_PROGRAMS))
    room = validation.ReadBudget(connection)
    with validation.at_most(connection, validation.size_of(connection)):
        query = "SELECT id, size, checksum, data FROM aside ORDER BY id"
        for number, length, checksum, data in connection.execute(query):
            room.take(len(data))
            if (
                not RULES <= number <= validation.LARGEST_ID
                or checksum_of(data, seed=number) != checksum
            ):
                raise ValueError("What is set aside is damaged.")
            value = validation.json_of(decompressed(length, data))
            if not isinstance(value, dict):
                raise TypeError("What is set aside is no JSON object.")
            yield number, value


def _packed(spans: Sequence[SetAside]) -> dict[str, list[int]]:
    """Spans by their reason: start and length of each in turn."""
    packed: dict[str, list[int]] = {}
    for start, end, reason in spans:
        packed.setdefault(str(reason), []).extend((start, end - start))
    return packed


def _spans(value: Mapping[str, Any], length: int) -> tuple[SetAside, ...]:
    """The spans again."""
    spans = []
    for name, numbers in value.items():
        if not isinstance(numbers, list) or any(type(number) is not int for number in numbers):
            raise TypeError("Spans that are set aside are no numbers.")
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        spans += [SetAside(start, start + count, Reason(name)) for start, count in pairs]
    check_spans(spans, length)
    if not spans:
        raise ValueError("A document has no span that is set aside.")
    return tuple(sorted(spans))
