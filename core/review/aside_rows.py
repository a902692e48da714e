"""The rows of `aside`: what does not count in which document, and the rules it was found by."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.aside.rules import NO_RULES, AsideRules
from core.base.arrays import Int64Array
from core.base.memory import require_memory
from core.review.believable import json_of
from core.review.packing import checksum_of, decompressed
from core.review.sqlite_bounds import LARGEST_ID, ReadBudget, at_most, size_of
from core.scan.state import ScanState
from core.text.set_aside import Reason, SetAside, check_spans

RULES = 0  # the id of their row
LEVEL = 1  # of zlib
BYTES_IN_MEMORY = 32  # of a byte of JSON, at most


def save_aside(connection: sqlite3.Connection, state: ScanState, ids: Sequence[int]) -> int:
    """Write what is not there yet and delete what is no more; returns how many rows there are.

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


def load_aside(
    connection: sqlite3.Connection, count: int, ids: Int64Array, lengths: Int64Array
) -> tuple[AsideRules, dict[int, tuple[SetAside, ...]]]:
    """The rules, and what does not count by number of the document.

    Args:
        connection: The review, in a transaction.
        count: How many rows it says that there are.
        ids: int64, of the documents.
        lengths: int64, of their texts in code points.

    Raises:
        TypeError, ValueError: They are damaged, or cannot be so.
        StorageError: There is no memory for so many.
    """
    number_of = {number: place for place, number in enumerate(ids.tolist())}
    rules, spans, seen = NO_RULES, dict[int, tuple[SetAside, ...]](), 0
    for number, value in _stored(connection):
        seen += 1
        if number == RULES:
            rules = AsideRules.of_json(value)
            continue
        if number not in number_of:
            raise ValueError("Text is set aside in a document that is not there.")
        place = number_of[number]
        spans[place] = _spans(value, int(lengths[place]))
    if seen != count:
        raise ValueError("Some of what is set aside is missing.")
    return rules, spans


def _rows(state: ScanState, ids: Sequence[int]) -> Iterator[tuple[int, int, int, bytes]]:
    if state.rules:
        yield _row(RULES, state.rules.as_json())
    for place, spans in state.set_aside.items():
        yield _row(ids[place], _packed(spans))


def _row(number: int, value: Mapping[str, Any]) -> tuple[int, int, int, bytes]:
    whole = json.dumps(value, separators=(",", ":")).encode("ascii")
    data = zlib.compress(whole, LEVEL)
    return number, len(whole), checksum_of(data, seed=number), data


def _stored(connection: sqlite3.Connection) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Number and value of each row."""
    size = connection.execute("SELECT ifnull(sum(size), 0) FROM aside").fetchone()[0]
    require_memory(BYTES_IN_MEMORY * size, "What is set aside", "Close other programs and retry.")
    room = ReadBudget(connection)
    with at_most(connection, size_of(connection)):
        query = "SELECT id, size, checksum, data FROM aside ORDER BY id"
        for number, length, checksum, data in connection.execute(query):
            room.take(len(data))
            if not RULES <= number <= LARGEST_ID or checksum_of(data, seed=number) != checksum:
                raise ValueError("What is set aside is damaged.")
            value = json_of(decompressed(length, data))
            if not isinstance(value, dict):
                raise TypeError("What is set aside is no JSON object.")
            yield number, value


def _packed(spans: Sequence[SetAside]) -> dict[str, list[int]]:
    """Spans by their reason: start and length of one after the other."""
    packed: dict[str, list[int]] = {}
    for start, end, reason in spans:
        packed.setdefault(str(reason), []).extend((start, end - start))
    return packed


def _spans(value: Mapping[str, Any], length: int) -> tuple[SetAside, ...]:
    """The spans again; a reason that a newer version made up counts as a selection.

    Raises:
        TypeError, ValueError: They cannot be so.
    """
    spans = []
    for name, numbers in value.items():
        known = name in Reason._value2member_map_
        reason = Reason(name) if known else Reason.SELECTION
        if not isinstance(numbers, list) or any(type(one) is not int for one in numbers):
            raise TypeError("Spans that are set aside are no numbers.")
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        spans += [SetAside(start, start + count, reason) for start, count in pairs]
    check_spans(spans, length)
    if not spans:
        raise ValueError("A document has no span that is set aside.")
    return tuple(sorted(spans))
