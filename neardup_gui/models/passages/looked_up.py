"""One passage of the list, looked up to be read: who holds it, and which two are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from neardup_gui.models.scan_result import ListedPair

Span = tuple[int, int]


class LookedUp(NamedTuple):
    """What is known of a passage.

    Attributes:
        key: Who it is.
        text: How it stands in the first document.
        documents: All that hold it, ascending.
        pair: Two of them to read; None where there are not two.
        spans: Where it stands first in these two.
        is_listed: Whether they are a pair of the list.
    """

    key: str
    text: str
    documents: Sequence[int]
    pair: ListedPair | None
    spans: tuple[Span, Span]
    is_listed: bool


class PassagePlace(NamedTuple):
    """A place to show in a comparison: one of its passages, or spans of the texts with names."""

    passage: int | None
    names: tuple[str, str]
    spans: tuple[Span, Span]
