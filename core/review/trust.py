"""Which numbers of a review are believed: those with a MAC that only this installation can make.

Checksums show damage, not intent: anybody can give a row the right one. The MAC is a keyed BLAKE2b
over the checksums of all measurements and of the texts they were made from. Where it is right, the
numbers of a review are believed; any other review is measured again from its texts.
Decisions are no measurements: the log has its own checksums, and anybody may have decided it.

The key lies in the user's data folder. Where it cannot be kept there, no review is sealed.

Whether a review is intact: checked before a save builds on rows that it does not read.

A save keeps the texts, signatures and pairs that it does not write again. A damaged
one would be noticed when it is needed, long after the save was reported as successful.
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
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from core.base.files import flush_folder, unfinished, user_folder
from core.base.tasks import stop_if_cancelled
from core.review.header import Facts, load_facts, state_of
from core.review.packing import LISTED, OVERLAP, REWORKED, SignedRow, checksum_of, verify_pairs
from core.review.rows import verify_values
from core.review.validation import ReadBudget, at_most, size_of

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
        return _read(path) or _made(path)
    return None


def _read(path: Path) -> bytes | None:
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


def _made(path: Path) -> bytes | None:
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
            if _read(path) is None:
                temporary.replace(path)
    flush_folder(path.parent)
    return _read(path)


SOUND = [(b"ok",)]
# The state in which this process has verified each file, or that it made of a verified one, with
# what the system says of the file: another program may damage it and leave its state.
_verified: dict[Path, tuple[str, int, int, int]] = {}


def verify_once(path: Path, connection: sqlite3.Connection, *, is_loaded: bool = False) -> None:
    """Verify all of a review, unless this process has verified this state before.

    Args:
        path: The file.
        connection: In a transaction, and watched.
        is_loaded: Whether signatures and pairs were read already, and so were verified.

    Raises:
        ValueError: Something is not as it was written.
    """
    state = state_of(connection)
    if not is_verified(path, state):
        verify_all(connection, is_loaded=is_loaded)
        note_verified(path, state)


def is_verified(path: Path, state: str) -> bool:
    """Whether this process has verified a file in this state, and nobody wrote to it since."""
    return _verified.get(path) == (state, *_stamp(path))


def note_verified(path: Path, state: str) -> None:
    """Note that a file was verified, or that this state was made of a verified one."""
    with suppress(OSError):  # moved away at this moment: then another is verified
        _verified[path] = (state, *_stamp(path))


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def verify_all(connection: sqlite3.Connection, *, is_loaded: bool = False) -> None:
    """Verify all of a review but its documents; arguments and errors as `verify_once`."""
    with at_most(connection, size_of(connection)):
        needed = connection.execute("SELECT DISTINCT text FROM documents")
        if {number for (number,) in needed} - _checked(connection, "texts"):
            raise ValueError("A text is missing.")
        _checked(connection, "aside")
        if not is_loaded:
            _signed(connection)
    if not is_loaded:
        facts = load_facts(connection)
        verify_pairs(connection, OVERLAP, facts.documents, facts.pairs)
        verify_pairs(connection, REWORKED, facts.documents, facts.reworked)
        verify_pairs(connection, LISTED, facts.documents, facts.listed)
        verify_values(connection)
    stop_if_cancelled()
    if connection.execute("PRAGMA integrity_check(1)").fetchall() != SOUND:
        raise ValueError("The structure of the database is damaged.")


def _checked(connection: sqlite3.Connection, table: str) -> set[int]:
    """The numbers of the rows, which are looked at as they are stored, without unpacking."""
    room, numbers = ReadBudget(connection), set[int]()
    for number, checksum, data in connection.execute(f"SELECT id, checksum, data FROM {table}"):
        room.take(len(data))
        if checksum_of(data, seed=number) != checksum:
            raise ValueError(f"A row of {table} is damaged.")
        numbers.add(number)
    return numbers


def _signed(connection: sqlite3.Connection) -> None:
    needed = dict(connection.execute("SELECT signed, signed_checksum FROM documents"))
    room = ReadBudget(connection)
    for number, data, grams in connection.execute("SELECT id, data, skip_grams FROM signed"):
        room.take(len(data) + len(grams))
        if needed.pop(number, None) != SignedRow(data, grams).checksum:
            raise ValueError("Signatures are damaged.")
    if needed:
        raise ValueError("Signatures are missing.")
