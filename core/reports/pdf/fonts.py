"""Which fonts a report is set in: one that typst brings along, and what its letters need besides.

The letters of Europe are set in Libertinus Serif everywhere, so that a report looks the same and
has the same bytes on every computer. Other scripts need a font of the system: those known to be
good for reading are tried first, then all others by name. Typst is given just these and chooses
none by itself, so what has no font is known before, and said.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.reports.pdf.embedded_letters import EMBEDDED, letters_of
from core.reports.pdf.font_file import letters_in

if TYPE_CHECKING:
    from typst import FontInfo, Fonts

BASE, SIGNS = EMBEDDED
_CHINESE = (
    "Noto Serif CJK SC", "Noto Serif SC", "Source Han Serif SC", "Songti SC", "SimSun",
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei",
    "WenQuanYi Micro Hei", "Droid Sans Fallback",
)  # fmt: skip
_JAPANESE = (
    "Noto Serif CJK JP", "Noto Serif JP", "Hiragino Mincho ProN", "Yu Mincho", "MS Mincho",
    "Noto Sans CJK JP", "Noto Sans JP", "Hiragino Sans", "Yu Gothic", "MS Gothic",
)  # fmt: skip
_KOREAN = (
    "Noto Serif CJK KR", "Noto Serif KR", "AppleMyungjo", "Batang",
    "Noto Sans CJK KR", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic",
)  # fmt: skip
_OTHERS = (
    "Noto Naskh Arabic", "Amiri", "Geeza Pro", "Noto Sans Arabic",
    "Noto Serif Hebrew", "New Peninim MT", "David",
    "Noto Serif Devanagari", "Noto Sans Devanagari", "Kohinoor Devanagari", "Nirmala UI", "Mangal",
    "Lohit Devanagari",
    "Noto Serif Thai", "Noto Sans Thai", "Thonburi", "Leelawadee UI", "Tahoma",
    "Noto Serif", "Noto Sans", "Segoe UI", "DejaVu Serif", "DejaVu Sans", "Arial Unicode MS",
    "Noto Sans Math", "Cambria Math", "STIX Two Math", "Noto Sans Symbols", "Noto Sans Symbols2",
    "Noto Sans Symbols 2", "Segoe UI Symbol", "Apple Symbols",
    "Noto Color Emoji", "Segoe UI Emoji", "Apple Color Emoji",
)  # fmt: skip
_PREFERRED = (*_CHINESE, *_JAPANESE, *_KOREAN, *_OTHERS)
_BY_LANGUAGE = {"ja": _JAPANESE, "ko": _KOREAN}  # their forms of letters that Chinese has too
_NO_GLYPH = ("Cc", "Cf", "Zs", "Zl", "Zp")  # categories that a typesetter shows without a glyph
_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0").union(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
_NAMED = 4  # scripts that a sentence names


class ChosenFonts(NamedTuple):
    """The fonts of a report.

    Attributes:
        families: Their names, the first that has a letter sets it.
        families_of: Those of texts in a language that has its own forms, by its code.
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
        count = len(self.missing)
        scripts = list(dict.fromkeys(map(_script_of, self.missing)))
        more = ", ..." if len(scripts) > _NAMED else ""
        what = "1 character" if count == 1 else f"{count:,} different characters"
        shown = "it is shown" if count == 1 else "each is shown"
        return (
            f"No font on the computer that made this file has {what} of this report "
            f"({', '.join(scripts[:_NAMED])}{more}); {shown} as an empty box."
        )


def choose_fonts(found: Fonts, letters: Iterable[str]) -> ChosenFonts:
    """The fonts that set some letters.

    Args:
        found: All fonts there are.
        letters: Single characters.
    """
    left = {letter for letter in letters if not letter.isascii() and _needs_glyph(letter)}
    left -= letters_of(BASE)
    files = _files(found)
    asian = _asian_languages(left)
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
        code: [BASE, *own, *(family for family in families[1:] if family not in own)]
        for code in asian
        if (own := [family for family in _BY_LANGUAGE[code] if family in files][:1])
    }
    return ChosenFonts(families, families_of, "".join(sorted(left)))


def _needs_glyph(letter: str) -> bool:
    return unicodedata.category(letter) not in _NO_GLYPH and letter not in _IGNORABLE


def _asian_languages(letters: set[str]) -> Sequence[str]:
    codes = []
    if any("\u3040" <= letter <= "\u30ff" for letter in letters):
        codes.append("ja")
    if any("\uac00" <= letter <= "\ud7a3" for letter in letters):
        codes.append("ko")
    return codes


def _files(found: Fonts) -> dict[str, tuple[Path, int]]:
    """The file of each family: that of its plainest font."""
    best: dict[str, FontInfo] = {}
    for font in found.fonts():
        if font.path is None:
            continue
        other = best.get(font.family)
        if other is None or _strangeness(font) < _strangeness(other):
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
    """The preferred families that are there, then the others: those of Noto first."""
    there = set(families)
    yield from (family for family in _PREFERRED if family in there)
    others = there.difference(_PREFERRED, EMBEDDED)
    yield from sorted(others, key=lambda family: (not family.startswith("Noto S"), family))


def _script_of(letter: str) -> str:
    """The script of a letter by its name in Unicode: "Khmer"."""
    name = unicodedata.name(letter, "")
    return name.split()[0].replace("CJK", "Chinese").capitalize() if name else "without a name"
