"""The row of a review on itself: settings, and how much of everything there must be."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.base.patterns import lazy_pattern
from core.base.setting import settings_of as declared_settings
from core.base.wording import shown_value
from core.errors import SettingsError
from core.review.packing import checksum_of
from core.review.validation import at_most, json_of, typed_values
from core.settings import ScanSettings

MOST_BYTES = 20_000  # of the row; ours have under 1,000
# Raised whenever the same text gives another identity, other digests, signatures, fingerprints or
# evidence under the same settings: for older reviews these are then made again from their texts.
SIGNING = 10
# Raised whenever a reader makes another text of the same bytes: an older review is shown with the
# texts it has, and a rescan reads all files again.
READING = 6

STATE = 16  # hexadecimal digits of a state
# How the row begins, in whichever page it is found.
WRITTEN_STATE = lazy_pattern(b'{"state": "([0-9a-f]{%d})([0-9a-f]{%d})"' % (STATE, STATE))


class Facts(NamedTuple):
    """The row of `review`.

    Attributes:
        state: The number of this state of the file, then that of the state it was made from, 16
            hexadecimal digits each. Every transaction that changes a review gives it a new one:
            companions of a file are recognised by it (see `core.review.sidecar_files`). It comes
            first, so that it is found without SQLite.
        seal: The MAC of the measurements (see `core.review.mac`), or "".
        last_text: The highest number that a text ever had; none is given again.
        log: Entries of the log.
        contained: The first of them, whose effects the documents have; the rest were
            decided since the scan was saved.
        aside: Rows of this table.
        settings: Those of the scan, as JSON.
        program: Version of the program that saved it.
        saved: When, ISO 8601 with time zone.
        signing: `SIGNING` of the program that signed the texts.
        reading: `READING` of the program that read the files.
        signature_type: NumPy's name for the type of a signature value.
        signature_width: Values in a signature.
        folders: Rows of this table; so the next ones.
        documents: As above.
        problems: As above.
        pairs: Pairs in all rows of `pairs`.
        reworked: Pairs in all rows of `reworked`.
        models: Rows of `word_model`.
        run: The run on a cluster that this is a part of (see `core.scan.part_of_run`); or None.
        list: The facts of the last list without its pairs (`core.scan.lister.ListFacts`); or None.
        listed: Pairs in all rows of `listed`.
        read_with: How the files were read, as JSON; None where that is not known.
    """

    state: str
    seal: str
    last_text: int
    log: int
    contained: int
    aside: int
    reworked: int
    models: int
    run: dict[str, Any] | None
    list: dict[str, Any] | None
    listed: int
    settings: dict[str, Any]
    program: str
    saved: str
    signing: int
    reading: int
    signature_type: str
    signature_width: int
    folders: int
    documents: int
    problems: int
    pairs: int
    read_with: dict[str, Any] | None


def settings_of(stored: Mapping[str, Any]) -> ScanSettings:
    """Settings from stored values; those left out have their defaults.

    Raises:
        SettingsError: This version does not have such settings.
    """
    for name in stored.keys() - declared_settings(ScanSettings).keys():
        raise SettingsError("There is no setting “{name}”.", name=shown_value(name))
    return ScanSettings(**stored)


def save_facts(connection: sqlite3.Connection, facts: Facts) -> None:
    """Write the row."""
    data = json.dumps(facts._asdict()).encode()
    connection.execute("INSERT OR REPLACE INTO review VALUES (1, ?, ?)", (data, checksum_of(data)))


def load_facts(connection: sqlite3.Connection) -> Facts:
    """Read the row.

    Raises:
        ValueError: It is damaged or missing.
    """
    with at_most(connection, MOST_BYTES):
        query = "SELECT facts, checksum FROM review WHERE id = 1"
        row = connection.execute(query).fetchone()
    if row is None or checksum_of(row[0]) != row[1]:
        raise ValueError("The row about the review is damaged.")
    facts = typed_values(Facts, json_of(row[0]))
    if facts.contained > facts.log:
        raise ValueError("The documents are as after more entries than there are.")
    return facts


def state_of(connection: sqlite3.Connection) -> str:
    """The number of the state of a file: 16 hexadecimal digits.

    Raises:
        ValueError: The row is missing, or does not say it.
    """
    with at_most(connection, MOST_BYTES):
        row = connection.execute("SELECT CAST(facts AS BLOB) FROM review WHERE id = 1").fetchone()
    written = row and WRITTEN_STATE.match(row[0])
    if not written:
        raise ValueError("The row about the review is missing.")
    return str(written[1].decode())


def next_state(before: str) -> str:
    """The field `state` of a state that is made from another, which may be none."""
    return f"{secrets.token_hex(STATE // 2)}{before or '0' * STATE}"


def states_in(page: bytes) -> list[tuple[str, str]]:
    """The state in a page of a database and that before it, where it is the page of the row.

    Args:
        page: A page with rows, as SQLite writes it; deleted rows may still be in it.
    """
    if int.from_bytes(page[3:5]) != 1:  # rows
        return []
    row = int.from_bytes(page[8:10])
    match = WRITTEN_STATE.search(page, row, row + 200)
    return [(match[1].decode(), match[2].decode())] if match else []
