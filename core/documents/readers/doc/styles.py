"""Styles of a Word 97 to 2003 document that hide what they are applied to ([MS-DOC] 2.4.5)."""

from __future__ import annotations

import struct
from typing import NamedTuple

from core.documents.readers.doc.properties import style_hides

_NONE = 0xFFF
_LISTS_BEFORE = {1: 1, 2: 0, 3: 2}  # of a style, before that of characters, by its kind


class _Style(NamedTuple):
    """A style: the number of the one it is based on, and its changes of characters."""

    base: int
    changes: bytes


def hidden_styles(sheet: bytes) -> frozenset[int]:
    """The numbers of the styles that hide, from the table of styles (2.9.271, STSH)."""
    if len(sheet) < 6:
        return frozenset()
    at, base_size = 2 + int.from_bytes(sheet[:2], "little"), int.from_bytes(sheet[4:6], "little")
    styles: list[_Style] = []
    while at + 2 <= len(sheet):
        size = int.from_bytes(sheet[at : at + 2], "little")
        styles.append(_style(sheet[at + 2 : at + 2 + size], base_size))
        at += 2 + size + size % 2
    if not any(style.changes for style in styles):
        return frozenset()
    return frozenset(number for number in range(len(styles)) if _hides(styles, number))


def _style(data: bytes, base_size: int) -> _Style:
    """One style (2.9.258, STD); an empty one has no properties."""
    if len(data) < max(base_size, 10) + 2:
        return _Style(_NONE, b"")
    kind_and_base, count_and_next = struct.unpack_from("<HH", data, 2)
    at = base_size + 4 + 2 * int.from_bytes(data[base_size : base_size + 2], "little")
    before = _LISTS_BEFORE.get(kind_and_base & 0xF, -1)
    for number in range(count_and_next & 0xF):
        size = int.from_bytes(data[at : at + 2], "little")
        if number == before:
            return _Style(kind_and_base >> 4, data[at + 2 : at + 2 + size])
        at += 2 + size + size % 2
    return _Style(kind_and_base >> 4, b"")


def _hides(styles: list[_Style], number: int) -> bool:
    chain: list[_Style] = []
    while number < len(styles) and len(chain) < len(styles):
        chain.append(styles[number])
        number = styles[number].base
    hides = False
    for style in reversed(chain):
        hides = style_hides(style.changes, based_on_hidden=hides)
    return hides
