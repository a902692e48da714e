"""What became of texts over the rescans: when they came, what they were before they were edited."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

# Versions of a text whose verdicts are looked for, as the manual says: a pair has as many earlier
# pairs as the product of those of its texts.
MOST_EARLIER = 32


class EarlierText(NamedTuple):
    """What a text was before it was edited.

    Attributes:
        text: The key of the text before (see `core.documents.keys.text_key`).
        changed: Share of it that is changed, 0 to 1.
    """

    text: str
    changed: float


class How(StrEnum):
    """What happened to a text at a rescan."""

    CAME = "came"
    COPIED = "copied"  # it was there before, and in another file now too
    EDITED = "edited"


class Arrival(NamedTuple):
    """At which rescan a text came: the first is 1."""

    rescan: int
    how: How


class Rescan(NamedTuple):
    """A rescan that found something: when, and how many files (see `core.scan.changes.Changes`)."""

    time: str
    added: int
    changed: int
    moved: int
    gone: int
    not_read: int
    back: int


def earlier_texts(earlier: Mapping[str, EarlierText], text: str) -> list[EarlierText]:
    """A text and the last `MOST_EARLIER` that it was, the latest first, each with its share.

    The share is that which is changed since.
    """
    found = {text: EarlierText(text, 0.0)}
    while len(found) <= MOST_EARLIER:
        last = found[text]
        before = earlier.get(text)
        if before is None or before.text in found:
            break
        # Of what was compared only these two were there together.
        changed = 1 - (1 - last.changed) * (1 - before.changed)
        text = before.text
        found[text] = EarlierText(text, changed)
    return list(found.values())
