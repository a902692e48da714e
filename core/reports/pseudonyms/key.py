"""The key to withheld names: which label stands for whom. It is kept in a file of its own.

A table in UTF-8 that spreadsheets open, with the columns label, kind and name. The same key gives
the same labels again. A line of the kind "secret" holds what the hashes in the report are made
with: a plain hash would tell everybody who has the file that it was this one.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

from core.base.files import beginning_of, raised_as, replaced_file
from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.base.wording import printable_name
from core.errors import ExportError

FILE, PERSON, FOLDER, REVIEWER, SECRET = "file", "person", "folder", "reviewer", "secret"
LETTERS = {FILE: "A", PERSON: "A", FOLDER: "F", REVIEWER: "R"}
HEADER = ["label", "kind", "name"]
MOST_BYTES = 500_000_000
_LABEL = lazy_pattern(r"(?P<letter>[AFR])-[1-9][0-9]{0,8}(?P<of_several> \([1-9][0-9]{0,8}\))?")
_SECRET = lazy_pattern(r"[0-9a-f]{64}")
_GUARDED = tuple("'=+-@\t\r\n＝＋－＠")  # what a spreadsheet may run, and the sign of the guard


class NameKey:
    """Who has which label. New names get a free label by chance: it tells nothing of the alphabet.

    Attributes:
        secret: 32 bytes that the hashes in a report are made with.
        labels: By kind and name.
    """

    def __init__(self, secret: bytes = b"") -> None:
        self.secret = secret or secrets.token_bytes(32)
        self.labels: dict[tuple[str, str], str] = {}

    def files(self, files: Iterable[tuple[str, str]]) -> list[str]:
        """The labels of files: "A-17", or "A-17 (2)" for the second one of a person.

        Args:
            files: The name of each, and its person; "" where it is not known.
        """
        wanted = list(files)
        new = [file for file in dict.fromkeys(wanted) if (FILE, file[0]) not in self.labels]
        people = [(PERSON, person) if person else (FILE, name) for name, person in new]
        self._give("A", people)
        used = set(self._of(FILE))
        for name, person in new:
            if person:
                label = free = self.labels[PERSON, person]
                number = 1
                while free in used:
                    number += 1
                    free = f"{label} ({number})"
                self.labels[FILE, name] = free
                used.add(free)
        return [self.labels[FILE, name] for name, _ in wanted]

    def folders(self, names: Iterable[str]) -> list[str]:
        """The labels of folders: "F-1"."""
        return self._named(FOLDER, names)

    def reviewers(self, names: Iterable[str]) -> list[str]:
        """The labels of those who judged: "R-1"."""
        return self._named(REVIEWER, names)

    def name_of(self, label: str) -> str:
        """The name of the file or folder with a label; the label itself where there is none."""
        kind = FOLDER if label.startswith(LETTERS[FOLDER]) else FILE
        return self._of(kind).get(label, label)

    def hash_of(self, digest: str) -> str:
        """A hash of a file or text that says nothing without the key, as long as it was.

        HMAC with SHA-256 (RFC 2104) of its digits, of which as many are kept.
        """
        made = hmac.new(self.secret, digest.encode(), hashlib.sha256).hexdigest()
        return made[: len(digest)]

    def _named(self, kind: str, names: Iterable[str]) -> list[str]:
        wanted = [(kind, name) for name in names]
        self._give(LETTERS[kind], wanted)
        return [self.labels[key] for key in wanted]

    def _give(self, letter: str, wanted: Iterable[tuple[str, str]]) -> None:
        """Give labels with a letter to those that have none."""
        new = [key for key in dict.fromkeys(wanted) if key not in self.labels]
        given = (label.partition(" ")[0] for label in self.labels.values() if label[0] == letter)
        first = max((int(label[2:]) for label in given), default=0) + 1
        numbers = list(range(first, first + len(new)))
        secrets.SystemRandom().shuffle(numbers)
        for key, number in zip(new, numbers, strict=True):
            self.labels[key] = f"{letter}-{number}"

    def _of(self, kind: str) -> dict[str, str]:
        """The names of a kind by label."""
        return {label: name for (of, name), label in self.labels.items() if of == kind}


def open_key(path: Path) -> NameKey:
    """The key that a file holds; a new one where there is no file.

    Raises:
        ExportError: It cannot be read, or is no key.
    """
    shown = printable_name(path.name)
    with raised_as(ExportError, N_("The key “{name}” cannot be read: {why}."), name=shown):
        try:
            data = beginning_of(path, MOST_BYTES + 1)
        except FileNotFoundError:
            return NameKey()
    try:
        return _parsed(data)
    except (ValueError, csv.Error) as error:
        raise ExportError(
            "“{name}” is no key to names: choose another file for it.", name=shown
        ) from error


def _parsed(data: bytes) -> NameKey:
    """The key in the bytes of a file; ValueError and csv.Error where it is none."""
    if len(data) > MOST_BYTES:
        raise ValueError
    text = StringIO(data.decode("utf-8-sig"), newline="")
    header, *rows = csv.reader(text, strict=True)
    (secret,) = [name for _, kind, name in rows if kind == SECRET]
    if header != HEADER or not _SECRET.fullmatch(secret):
        raise ValueError
    key = NameKey(bytes.fromhex(secret))
    for label, kind, name in rows:
        if kind == SECRET:
            continue
        match = _LABEL.fullmatch(label)
        if not match or LETTERS.get(kind) != match["letter"]:
            raise ValueError
        if match["of_several"] and kind != FILE:
            raise ValueError
        key.labels[kind, name.removeprefix("'")] = label
    given = [(kind, label) for (kind, _), label in key.labels.items()]
    if len(set(given)) != len(rows) - 1:
        raise ValueError
    return key


def save_key(path: Path, key: NameKey) -> None:
    """Write a key, by its labels.

    Raises:
        ExportError: The file could not be written.
    """
    rows = sorted((label, kind, name) for (kind, name), label in key.labels.items())
    with replaced_file(path, encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for label, kind, name in sorted(rows, key=_by_number):
            writer.writerow((label, kind, f"'{name}" if name.startswith(_GUARDED) else name))
        writer.writerow(("", SECRET, key.secret.hex()))


def _by_number(row: tuple[str, str, str]) -> tuple[str, list[int], str]:
    label, kind, _ = row
    return label[0], [int(digits) for digits in re.findall(r"\d+", label)], kind
