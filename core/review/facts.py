"""What a review says about itself: settings, and how much of everything there must be."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from core.review.believable import json_of
from core.review.limits import at_most
from core.review.packing import checksum_of
from core.settings import LETTERS_A_WORD

__all__ = ["READING", "SIGNING", "Facts", "load_facts", "save_facts", "stored_settings"]

MOST_BYTES = 20_000  # of the row; ours have under 1,000
MOST = 2**32 - 1  # of anything
TEXTS = ("program", "saved", "signature_type")
NUMBERS = ("signing", "reading", "signature_width", "folders", "documents", "problems", "pairs")
# Raised whenever the same text gives other digests, signatures, fingerprints or evidence under the
# same settings: what an older review has of these is then made again from its texts.
SIGNING = 3
# Raised whenever a reader makes another text of the same bytes: an older review is shown with the
# texts it has, and a rescan reads all files again.
READING = 2


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The row of `review`.

    Attributes:
        settings: Those of the scan, as JSON.
        program: Version of the program that saved it.
        saved: When, ISO 8601 with time zone.
        signing: `SIGNING` of the program that signed the texts.
        reading: `READING` of the program that read the files.
        signature_type: NumPy's name for the type of a signature value.
        signature_width: Values in a signature.
        folders: Rows of this table; so the others.
        documents: As above.
        problems: As above.
        pairs: Pairs in all rows of `pairs`.
    """

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


def stored_settings(facts: Facts) -> dict[str, Any]:
    """The settings as they would be stored today.

    Up to signing 1, passages were as long as so many units, and of characters 5 make a word.
    """
    passage = facts.settings.get("min_passage")
    if facts.signing > 1 or facts.settings.get("unit") != "char":
        return facts.settings
    if not isinstance(passage, int) or isinstance(passage, bool):
        return facts.settings
    return {**facts.settings, "min_passage": -(-passage // LETTERS_A_WORD)}


def save_facts(connection: sqlite3.Connection, facts: Facts) -> None:
    """Write the row."""
    data = json.dumps(vars(facts)).encode()
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
    stored = {"reading": 1, **json_of(row[0])}  # reviews of the first version do not say it
    facts = Facts(**{name: stored[name] for name in Facts.__dataclass_fields__})
    _check(facts)
    return facts


def _check(facts: Facts) -> None:
    """Raise unless every value is of its type.

    Raises:
        TypeError, ValueError: One is not, or a number is out of its range.
    """
    if not isinstance(facts.settings, dict):
        raise TypeError("The settings are no JSON object.")
    for name in TEXTS:
        if not isinstance(getattr(facts, name), str):
            raise TypeError(f"The value of {name} is no text.")
    for name in NUMBERS:
        value = getattr(facts, name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"The value of {name} is no whole number.")
        if not 0 <= value <= MOST:
            raise ValueError(f"The value of {name} cannot be so.")
