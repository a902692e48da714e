"""The MAC of a review, which says whether its numbers are believed.

Only this installation can make it. Checksums show damage, not intent: anybody can give a row the
right one. The MAC is a keyed BLAKE2b over the checksums of all measurements and of the texts they
were made from; a review keeps it as its seal. Where it is right, the numbers of a review are
believed; any other review is measured again from its texts. Decisions are no measurements: the log
has its own checksums, and anybody may have decided it.

The key lies in the user's data folder. Where it cannot be kept there, no review has a MAC.
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
from core.review.header import Facts

KEY_FILE = "review.key"
KEY_BYTES = 32
NOT_COVERED = {"state", "log", "seal"}  # of the facts: every decision changes the first two
COVERED = (
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


def mac_of(connection: sqlite3.Connection, facts: Facts) -> str:
    """The MAC of a review, in hexadecimal; empty where there is no key.

    Args:
        connection: In a transaction. That rows agree with their checksums is checked elsewhere.
        facts: The facts of the review.

    Raises:
        struct.error: A checksum is no number.
    """
    key = _key()
    if key is None:
        return ""
    mac = blake2b(key=key, digest_size=32)
    covered = {name: value for name, value in facts._asdict().items() if name not in NOT_COVERED}
    mac.update(json.dumps(covered, sort_keys=True).encode("ascii"))
    for query in COVERED:
        mac.update(b"\0" + query.encode("ascii"))
        for row in connection.execute(query):
            mac.update(ROW.pack(*row))
    return mac.hexdigest()


def is_ours(connection: sqlite3.Connection, facts: Facts) -> bool:
    """Whether this installation made the measurements of a review. Raises as `mac_of`."""
    return bool(facts.seal) and hmac.compare_digest(facts.seal, mac_of(connection, facts))


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
