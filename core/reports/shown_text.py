"""Pieces of a document's text as they are shown, for every format."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import NamedTuple

# Libraries that compute, that read foreign formats, that recognise words and languages.
LIBRARIES = (
    "numpy", "numba", "xxhash",
    "chardet", "msoffcrypto-tool", "pypdfium2", "selectolax",
    "PyStemmer", "stop-words",
)  # fmt: skip


def versions() -> dict[str, str]:
    """Python and the libraries by their names; a library without a version is left out."""
    libraries = {name: installed_version(name) for name in LIBRARIES}
    known = {name: number for name, number in libraries.items() if number is not None}
    return {"Python": platform.python_version()} | known


@cache  # it takes a millisecond, and a report or its check asks for all of them up to three times
def installed_version(name: str) -> str | None:
    """The version of a library; None where it has none."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


# Control characters as their visible pictures; tab and line feed stay.
_VISIBLE = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
_VISIBLE |= {0x7F: 0x2421, **dict.fromkeys((*range(0x80, 0xA0), 0xFFFE, 0xFFFF), 0xFFFD)}


def visible(text: str) -> str:
    """The text with what XML 1.0 cannot hold made visible; lone surrogates as their escapes."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_VISIBLE).encode("utf-8", "backslashreplace").decode()


class Withheld(NamedTuple):
    """A span of a text that is not shown as it is: a name, for instance.

    Attributes:
        start: Its first character.
        end: The offset after its last character.
        label: What is shown instead.
    """

    start: int
    end: int
    label: str


class NamesInTexts(NamedTuple):
    """Names in the texts of a report that are replaced or stay; shown to its author, never in it.

    Attributes:
        replaced: The name, its replacement and how often; the most frequent first.
        left: Words of names that stay where they stand alone, as words of the language.
        alike: Words that look like a name and stay, and how often; the most frequent first.
    """

    replaced: Sequence[tuple[str, str, int]] = ()
    left: Sequence[str] = ()
    alike: Sequence[tuple[str, int]] = ()


def shown_pieces(text: str, cuts: Sequence[int], withheld: Sequence[Withheld] = ()) -> list[str]:
    """The text between each two cuts that follow each other, as it is shown.

    A withheld span across a cut is shown once, in the piece in which it begins.

    Args:
        text: The full text.
        cuts: Offsets in it, ascending.
        withheld: The spans that are not shown, in the order of the text, without overlaps.
    """
    if not withheld:
        return [text[start:end] for start, end in pairwise(cuts)]
    return [
        _piece(text, start, end, withheld, is_first=index == 0)
        for index, (start, end) in enumerate(pairwise(cuts))
    ]


def _piece(text: str, start: int, end: int, withheld: Sequence[Withheld], *, is_first: bool) -> str:
    parts = []
    position = start
    for span in withheld:
        if span.end <= start or span.start >= end:
            continue
        parts.append(text[position : max(span.start, position)])
        if span.start >= start or is_first:
            parts.append(span.label)
        position = max(position, min(span.end, end))
    parts.append(text[position:end])
    return "".join(parts)
