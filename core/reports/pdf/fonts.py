"""Which fonts a report is set in: one that typst brings along, and what its letters need besides.

The letters of Europe are set in Libertinus Serif everywhere, so that a report looks the same and
has the same bytes on every computer. Other scripts need a font of the system: those known to be
good for reading are tried first, then all others by name. Typst is given just these and chooses
none by itself, so letters without a font are known before, and reported.

The fonts that typst brings along have no file to read. In `embedded_letters.json`, each is the
letters that all weights of a font have, as ranges of hexadecimal code points. A test sets every one
of them.

Which letters another font has is read from its file: TrueType, OpenType and collections of them.
Only the tables that list letters are read (ISO/IEC 14496-22, "cmap" and "OS/2"). A damaged file has
no letters.
"""

from __future__ import annotations

import json
import struct
import sys
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

from typst import FontInfo, Fonts

from core.base.assets import tables_in
from core.base.messages import ngettext

_MAY_NOT_BE_EMBEDDED = 2  # fsType: restricted licence
_MOST = 50_000_000  # bytes of a table; more is none
_FULL = ((3, 10), (0, 4), (0, 6))  # platform and encoding of all of Unicode
_BASIC = ((3, 1), (0, 3), (0, 2), (0, 1), (0, 0))  # and of its first 65,536
_Has: TypeAlias = Callable[[int], bool]  # whether a letter has a glyph


def letters_in(path: Path, index: int, wanted: Iterable[str]) -> set[str]:
    """Those of the wanted letters that a font has and that may be embedded in a document.

    Args:
        path: The file.
        index: Of the font, where the file is a collection.
        wanted: Single characters.
    """
    try:
        with path.open("rb") as file:
            tables = _tables(file, index)
            if _is_restricted(file, tables):
                return set()
            has = _letters(_read(file, *tables[b"cmap"]))
            return {letter for letter in wanted if has(ord(letter))}
    except (OSError, struct.error, KeyError, IndexError, ValueError):
        return set()


def _tables(file: BinaryIO, index: int) -> dict[bytes, tuple[int, int]]:
    """Where the tables stand and how long they are, by their names."""
    start = 0
    if _read(file, 0, 4) == b"ttcf":
        (start,) = struct.unpack(">L", _read(file, 12 + 4 * index, 4))
    (count,) = struct.unpack(">H", _read(file, start + 4, 2))
    entries = struct.iter_unpack(">4sLLL", _read(file, start + 12, 16 * count))
    return {name: (at, length) for name, _, at, length in entries}


def _is_restricted(file: BinaryIO, tables: dict[bytes, tuple[int, int]]) -> bool:
    if b"OS/2" not in tables:
        return False
    rights = int.from_bytes(_read(file, tables[b"OS/2"][0] + 8, 2), "big")
    return rights & 0xF == _MAY_NOT_BE_EMBEDDED


def _letters(cmap: bytes) -> _Has:
    """The table of the letters that reaches farthest."""
    (count,) = struct.unpack_from(">H", cmap, 2)
    offsets = {
        (platform, encoding): at
        for platform, encoding, at in struct.iter_unpack(">HHL", cmap[4 : 4 + 8 * count])
    }
    for kind in (*_FULL, *_BASIC):
        at = offsets.get(kind)
        if at is None:
            continue
        (form,) = struct.unpack_from(">H", cmap, at)
        if form in _FORMS:
            return _FORMS[form](cmap[at:])
    raise ValueError("no table of Unicode letters")


def _by_segments(table: bytes) -> _Has:
    """Format 4: runs of letters, each with its last and first one and what gives its glyphs."""
    (doubled,) = struct.unpack_from(">H", table, 6)
    count = doubled // 2
    numbers = f">{count}H"
    ends = struct.unpack_from(numbers, table, 14)
    starts = struct.unpack_from(numbers, table, 16 + doubled)
    deltas = struct.unpack_from(numbers, table, 16 + 2 * doubled)
    offsets_at = 16 + 3 * doubled
    offsets = struct.unpack_from(numbers, table, offsets_at)

    def has(letter: int) -> bool:
        index = bisect_left(ends, letter)
        if index == count or starts[index] > letter:
            return False
        if not offsets[index]:
            return bool((letter + deltas[index]) & 0xFFFF)
        at = offsets_at + 2 * index + offsets[index] + 2 * (letter - starts[index])
        return table[at : at + 2] not in (b"", b"\0\0")

    return has


def _by_groups(table: bytes) -> _Has:
    """Format 12: such runs alone."""
    (count,) = struct.unpack_from(">L", table, 12)
    groups = sorted(struct.iter_unpack(">LLL", table[16 : 16 + 12 * count]))

    def has(letter: int) -> bool:
        index = bisect_right(groups, (letter, sys.maxsize)) - 1
        return index >= 0 and letter <= groups[index][1]

    return has


_FORMS = {4: _by_segments, 12: _by_groups}


def _read(file: BinaryIO, at: int, length: int) -> bytes:
    if length > _MOST:
        raise ValueError("a table is too large")
    file.seek(at)
    return file.read(length)


EMBEDDED: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("embedded_letters.json").read_text("utf-8")
)


@cache
def letters_of(family: str) -> frozenset[str]:
    """The letters of an embedded font."""
    ranges = (part.partition("-") for part in " ".join(EMBEDDED[family]).split())
    return frozenset(
        chr(code)
        for first, _, last in ranges
        for code in range(int(first, 16), int(last or first, 16) + 1)
    )


BASE, SIGNS = EMBEDDED
# Fonts that are good for reading, by language; the best of each first.
_FONTS = {
    language: families.splitlines()
    for language, families in tables_in(Path(__file__).with_name("fonts.txt")).items()
}
_PREFERRED = [*chain.from_iterable(_FONTS.values())]
# Languages with forms of their own of letters that Chinese has too: their first letter, and last.
_OWN_FORMS = {"ja": ("\u3040", "\u30ff"), "ko": ("\uac00", "\ud7a3")}
_NO_GLYPH = ("Cc", "Cf", "Zs", "Zl", "Zp")  # categories that a typesetter shows without a glyph
_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0").union(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
_NAMED = 4  # scripts that a sentence names


class ChosenFonts(NamedTuple):
    """The fonts of a report.

    Attributes:
        families: Their names; the first that has a letter sets it.
        families_of: Those for texts in a language with its own forms of letters, by its code.
        missing: The letters that no font has, in their order.
    """

    families: list[str]
    families_of: dict[str, list[str]]
    missing: str

    @property
    def missing_in_words(self) -> str:
        """A sentence on the missing letters; "" where there are none."""
        if not self.missing:
            return ""
        scripts = list(dict.fromkeys(map(_script_of, self.missing)))
        more = ", ..." if len(scripts) > _NAMED else ""
        return ngettext(
            "No font on the computer that made this file has {n} character of this report "
            "({scripts}); it is shown as an empty box.",
            "No font on the computer that made this file has {n} different characters of this "
            "report ({scripts}); each is shown as an empty box.",
            len(self.missing),
            scripts=f"{', '.join(scripts[:_NAMED])}{more}",
        )


def choose_fonts(available: Fonts, letters: Iterable[str]) -> ChosenFonts:
    """The fonts that set given letters.

    Args:
        available: All fonts there are.
        letters: Single characters.
    """
    left = {letter for letter in letters if not letter.isascii() and _needs_glyph(letter)}
    left -= letters_of(BASE)
    files = _files(available)
    own_forms = [
        code
        for code, (first, last) in _OWN_FORMS.items()
        if any(first <= letter <= last for letter in left)
    ]
    added = []
    for family in _in_order(files):
        if not left:
            break
        has = letters_in(*files[family], left)
        if has and not (has <= letters_of(SIGNS) and family not in _PREFERRED):
            added.append(family)
            left -= has
    left -= letters_of(SIGNS)
    families = [BASE, *added, SIGNS]
    families_of = {
        code: [BASE, *preferred, *(family for family in families[1:] if family not in preferred)]
        for code in own_forms
        if (preferred := [family for family in _FONTS[code] if family in files][:1])
    }
    return ChosenFonts(families, families_of, "".join(sorted(left)))


def _needs_glyph(letter: str) -> bool:
    return unicodedata.category(letter) not in _NO_GLYPH and letter not in _IGNORABLE


def _files(fonts: Fonts) -> dict[str, tuple[Path, int]]:
    """The file of each family: that of its plainest font."""
    best: dict[str, FontInfo] = {}
    for font in fonts.fonts():
        if font.path is None:
            continue
        plainest = best.get(font.family)
        if plainest is None or _strangeness(font) < _strangeness(plainest):
            best[font.family] = font
    return {family: (Path(font.path or ""), font.index) for family, font in best.items()}


def _strangeness(font: FontInfo) -> tuple[bool, int, float, str, int]:
    return (
        font.style != "normal",
        abs(font.weight - 400),
        abs(font.stretch - 1),
        font.path or "",
        font.index,
    )


def _in_order(families: Iterable[str]) -> Iterator[str]:
    """The preferred families that are available, then the rest, those of Noto first."""
    available = set(families)
    yield from (family for family in _PREFERRED if family in available)
    further = available.difference(_PREFERRED, EMBEDDED)
    yield from sorted(further, key=lambda family: (not family.startswith("Noto S"), family))


def _script_of(letter: str) -> str:
    """The script of a letter by its name in Unicode: "Khmer"."""
    name = unicodedata.name(letter, "")
    return name.split()[0].replace("CJK", "Chinese").capitalize() if name else "without a name"
