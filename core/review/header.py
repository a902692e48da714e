"""The row of a review on itself: settings, how much of everything there must be, and a seal.

The seal says which numbers of a review are believed: those with a MAC that only this installation
can make. Checksums show damage, not intent: anybody can give a row the right one. The MAC is a
keyed BLAKE2b over the checksums of all measurements and of the texts they were made from. Where it
is right, the numbers of a review are believed; any other review is measured again from its texts.
Decisions are no measurements: the log has its own checksums, and anybody may have decided it.

The key lies in the user's data folder. Where it cannot be kept there, no review is sealed.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sqlite3
import stat
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from core.base.files import flush_folder, unfinished, user_folder
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
SIGNING = 9
# Raised whenever a reader makes another text of the same bytes: an older review is shown with the
# texts it has, and a rescan reads all files again.
READING = 4

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
        seal: The MAC of the measurements (see `seal_of`), or "".
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
        run: The run on a cluster that this is a part of (see `core.scan.lister`); or None.
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
    read_with: dict[str, Any] | None = None


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


KEY_FILE = "review.key"
KEY_BYTES = 32
NOT_SEALED = {"state", "log", "seal"}  # of the facts: every decision changes the first two
SEALED = (
    "SELECT id, checksum FROM documents ORDER BY id",
    "SELECT id, checksum FROM texts ORDER BY id",
    "SELECT id, checksum FROM aside ORDER BY id",
    "SELECT first, checksum FROM pairs ORDER BY first",
    "SELECT first, checksum FROM reworked ORDER BY first",
    "SELECT first, checksum FROM listed ORDER BY first",
    "SELECT id, checksum FROM word_model ORDER BY id",
    "SELECT id, checksum FROM forecast ORDER BY id",
)
ROW = struct.Struct("<qq")


def seal_of(connection: sqlite3.Connection, facts: Facts) -> str:
    """The MAC of a review, in hexadecimal; empty where there is no key.

    Args:
        connection: In a transaction. That rows agree with their checksums is checked elsewhere.
        facts: The facts of the review.

    Raises:
        ValueError: A checksum is no number.
    """
    key = _key()
    if key is None:
        return ""
    mac = blake2b(key=key, digest_size=32)
    later = Facts._field_defaults.items()  # what a review of before does not say
    stored = dict(item for item in facts._asdict().items() if item not in later)
    sealed = {name: value for name, value in stored.items() if name not in NOT_SEALED}
    mac.update(json.dumps(sealed, sort_keys=True).encode("ascii"))
    for query in SEALED:
        mac.update(b"\0" + query.encode("ascii"))
        try:
            for row in connection.execute(query):
                mac.update(ROW.pack(*row))
        except struct.error as error:
            raise ValueError("A checksum is no number.") from error
    return mac.hexdigest()


def is_ours(connection: sqlite3.Connection, facts: Facts) -> bool:
    """Whether this installation made the measurements of a review. Raises as `seal_of`."""
    return bool(facts.seal) and hmac.compare_digest(facts.seal, seal_of(connection, facts))


def _key() -> bytes | None:
    """The key of this installation, made when it is first needed; None where it cannot be kept."""
    folder = user_folder("Application Support", "XDG_DATA_HOME", ".local/share")
    if folder is None:
        return None
    path = folder / KEY_FILE
    with suppress(OSError):
        return _read_key(path) or _make_key(path)
    return None


def _read_key(path: Path) -> bytes | None:
    """The key in a file; None where there is none, or its content is no key."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        is_private = sys.platform == "win32" or (
            status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        )
        if not (stat.S_ISREG(status.st_mode) and is_private):
            raise PermissionError
        key = file.read(KEY_BYTES + 1)
    return key if len(key) == KEY_BYTES else None


def _make_key(path: Path) -> bytes | None:
    """A new key, or that which another program made at the same time."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with unfinished(path, ".new") as temporary:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            temporary.rename(path) if os.name == "nt" else os.link(temporary, path)
        except FileExistsError:
            if _read_key(path) is None:
                temporary.replace(path)
    flush_folder(path.parent)
    return _read_key(path)
