"""Properties of characters and paragraphs in Word 97 to 2003: lists of changes ([MS-DOC] 2.6)."""

from __future__ import annotations

import struct
from typing import NamedTuple

_OPERANDS = (1, 1, 2, 4, 2, 2, 0, 3)  # bytes, by the upper three bits of the code; 0: it says
_DELETED, _VANISH, _SPECIAL_VANISH, _SYMBOL = 0x0800, 0x083C, 0x0818, 0x6A09
_SIZE, _COLOUR_INDEX, _COLOUR = 0x4A43, 0x2A42, 0x6870
_SHADES = frozenset({0x4866, 0xCA71, 0x2A0C})
_CHARACTER_STYLE = 0x4A30
_IN_TABLE, _ROW_END, _INNER_CELL, _INNER_ROW_END = 0x2416, 0x2417, 0x244B, 0x244C
_TABLE_DEFINITION, _TABS = 0xD608, 0xC615
_WHITE_INDEX, _WHITE = 8, 0x00FFFFFF
_ON = frozenset({1, 0x81})
_AS_STYLE, _UNLIKE_STYLE = (
    0x80,
    0x81,
)  # of a property that styles have, too (2.9.327, ToggleOperand)
# Changes of whole pieces are shortened to one byte ([MS-DOC] 2.9.215, Prm0).
_SHORT = {0x41: _DELETED, 0x5C: _VANISH}


class Character(NamedTuple):
    """What is out of the ordinary with some characters.

    Attributes:
        is_hidden: They are, in a paragraph whose style does not hide.
        follows_style: A style of the paragraph that hides turns `is_hidden` round.
        is_faint: They are white, or too small to be seen.
        is_tiny: They are too small to be seen.
        symbol: They stand for another one: its place in a font, above the number of the font.
    """

    is_deleted: bool = False
    is_hidden: bool = False
    follows_style: bool = True
    is_faint: bool = False
    is_tiny: bool = False
    symbol: int = 0


class Paragraph(NamedTuple):
    """The part of a paragraph in a table."""

    in_table: bool = False
    ends_row: bool = False
    ends_inner_cell: bool = False


def _operands(changes: bytes) -> dict[int, int]:
    """The code of each change and the number it comes with; of two of a kind the last counts."""
    found = {}
    at = 0
    while at + 3 <= len(changes):
        code = changes[at] | changes[at + 1] << 8
        at += 2
        size = _OPERANDS[code >> 13]
        if not size:
            size = changes[at] + 1
            if code == _TABLE_DEFINITION:
                size = int.from_bytes(changes[at : at + 2], "little") + 1
            elif code == _TABS and changes[at] == 255:
                break
        found[code] = int.from_bytes(changes[at : at + size], "little") if size <= 4 else 0
        at += size
    return found


def character_of(changes: bytes, hidden_styles: frozenset[int] = frozenset()) -> Character:
    """What a list of changes says of characters; with the styles of characters that hide."""
    found = _operands(changes)
    is_hidden, follows_style = _hiding(
        found, is_style_hidden=found.get(_CHARACTER_STYLE) in hidden_styles
    )
    is_tiny = found.get(_SIZE, 20) <= 2
    is_white = found.get(_COLOUR_INDEX) == _WHITE_INDEX or found.get(_COLOUR) == _WHITE
    return Character(
        is_deleted=found.get(_DELETED, 0) in _ON,
        is_hidden=is_hidden,
        follows_style=follows_style,
        is_faint=is_tiny or (is_white and found.keys().isdisjoint(_SHADES)),
        is_tiny=is_tiny,
        symbol=found.get(_SYMBOL, 0),
    )


def style_hides(changes: bytes, *, based_on_hidden: bool) -> bool:
    """Whether a style hides, by its list of changes and the style it is based on."""
    is_hidden, follows_style = _hiding(_operands(changes), is_style_hidden=False)
    return is_hidden ^ (based_on_hidden and follows_style)


def _hiding(found: dict[int, int], *, is_style_hidden: bool) -> tuple[bool, bool]:
    """Whether characters are hidden, and whether a style that hides would turn that round."""
    if found.get(_SPECIAL_VANISH, 0) in _ON:
        return True, False
    operand = found.get(_VANISH, _AS_STYLE)
    if operand in {_AS_STYLE, _UNLIKE_STYLE}:
        return is_style_hidden ^ (operand == _UNLIKE_STYLE), True
    return operand == 1, False


def paragraph_of(changes: bytes) -> Paragraph:
    """What a list of changes says of a paragraph."""
    found = _operands(changes)
    return Paragraph(
        in_table=bool(found.get(_IN_TABLE)),
        ends_row=bool(found.get(_ROW_END) or found.get(_INNER_ROW_END)),
        ends_inner_cell=bool(found.get(_INNER_CELL)),
    )


def short_property(prm: int, lists: list[bytes]) -> Character:
    """What a piece says of all its characters: one short change, or the number of a list."""
    if prm & 1:
        number = prm >> 1
        return character_of(lists[number]) if number < len(lists) else Character()
    code = _SHORT.get(prm >> 1 & 0x7F)
    return character_of(struct.pack("<HB", code, prm >> 8)) if code else Character()
