"""The process that typesets: takes a report as JSON from its input, gives PDF or pictures of pages.

The input is a line with the task, as JSON, and then the sections, a JSON list. The output is a line
with what came out, as JSON, and then the bytes.

Which fonts a report is set in: one that typst brings along, and what its letters need besides.

The letters of Europe are set in Libertinus Serif everywhere, so that a report looks the same and
has the same bytes on every computer. Other scripts need a font of the system: those known to be
good for reading are tried first, then all others by name. Typst is given just these and chooses
none by itself, so what has no font is known before, and said.

The letters of the fonts that typst brings along, which have no file to read.

Each is the letters that all weights of a font have, as ranges of hexadecimal code points. A test
sets every one of them.

Which letters a font has, read from its file: TrueType, OpenType and collections of them.

Only the tables that tell are read (ISO/IEC 14496-22, "cmap" and "OS/2"). Whatever is damaged has no
letters.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
import time
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import psutil
import pypdfium2
import typst

if TYPE_CHECKING:
    from typst import FontInfo, Fonts

_MAY_NOT_BE_EMBEDDED = 2  # fsType: restricted licence
_MOST = 50_000_000  # bytes of a table; more is none
_FULL = ((3, 10), (0, 4), (0, 6))  # platform and encoding of all of Unicode
_BASIC = ((3, 1), (0, 3), (0, 2), (0, 1), (0, 0))  # and of its first 65,536


class _Segments(NamedTuple):
    """Runs of letters: last of each, first of each, and what its glyphs are found by."""

    ends: tuple[int, ...]
    starts: tuple[int, ...]
    deltas: tuple[int, ...]
    offsets: tuple[int, ...]
    table: bytes
    offsets_at: int

    def has(self, letter: int) -> bool:
        """Whether a letter has a glyph."""
        place = bisect_left(self.ends, letter)
        if place == len(self.ends) or self.starts[place] > letter:
            return False
        if not self.offsets or not self.offsets[place]:
            return not self.deltas or (letter + self.deltas[place]) & 0xFFFF != 0
        at = self.offsets_at + 2 * place + self.offsets[place] + 2 * (letter - self.starts[place])
        return self.table[at : at + 2] not in (b"", b"\0\0")


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
            segments = _segments(_read(file, *tables[b"cmap"]))
            return {letter for letter in wanted if segments.has(ord(letter))}
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


def _segments(cmap: bytes) -> _Segments:
    """The table of the letters that reaches farthest."""
    (count,) = struct.unpack_from(">H", cmap, 2)
    places = {
        (platform, encoding): at
        for platform, encoding, at in struct.iter_unpack(">HHL", cmap[4 : 4 + 8 * count])
    }
    for kind in (*_FULL, *_BASIC):
        at = places.get(kind)
        if at is None:
            continue
        (form,) = struct.unpack_from(">H", cmap, at)
        if form in _FORMS:
            return _FORMS[form](cmap[at:])
    raise ValueError("no table of Unicode letters")


def _by_segments(table: bytes) -> _Segments:
    """Format 4."""
    (doubled,) = struct.unpack_from(">H", table, 6)
    count = doubled // 2
    numbers = f">{count}H"
    ends = struct.unpack_from(numbers, table, 14)
    starts = struct.unpack_from(numbers, table, 16 + doubled)
    deltas = struct.unpack_from(numbers, table, 16 + 2 * doubled)
    offsets = struct.unpack_from(numbers, table, 16 + 3 * doubled)
    return _Segments(ends, starts, deltas, offsets, table, 16 + 3 * doubled)


def _by_groups(table: bytes) -> _Segments:
    """Format 12."""
    (count,) = struct.unpack_from(">L", table, 12)
    groups = list(struct.iter_unpack(">LLL", table[16 : 16 + 12 * count]))
    starts, ends, _ = zip(*groups, strict=True) if groups else ((), (), ())
    return _Segments(ends, starts, (), (), b"", 0)


_FORMS = {4: _by_segments, 12: _by_groups}


def _read(file: BinaryIO, at: int, length: int) -> bytes:
    if length > _MOST:
        raise ValueError("a table is too large")
    file.seek(at)
    return file.read(length)


EMBEDDED = {
    "Libertinus Serif": (
        "20-7e a0-17f 1dd 1e2-1e3 1fc-1fd 218-21b 226 228-229 22e 237 249 250 254 263 266 268 26f "
        "279 27b 281 295 29c 2b0-2e4 2ec-2ee 300-331 338 342-343 374-375 384-38a 38c 38e-3a1 "
        "3a3-3ce 3d0-3d1 3d5 3f0 401 403-40c 40f-44f 451 453 455-458 45c 45e 4d4-4d5 5b0-5c3 5c6 "
        "5d0-5ea 5f0-5f4 1d43-1d44 1d47-1d4a 1d4d 1d4f-1d50 1d52-1d53 1d56-1d58 1d5a-1d5b 1d9c "
        "1da0 1da4 1dbb 1e00-1e9b 1e9e 1ea0-1ef9 1f00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d "
        "1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fc4 1fc6-1fd3 1fd6-1fdb 1fdd-1fef "
        "1ff2-1ff4 1ff6-1ffe 2000-2027 202f-2037 2039-203e 2042 2044 2047-204b 204f 2070-2071 "
        "2074-208e 2090-2094 20a2-20a4 20a7-20a8 20ab-20ac 20af 20b1 20bf 2100-2103 2105-2106 "
        "2109 210c-210f 2111 2113 2115-2116 2119 211c-211d 2120 2122 2124 2126-2127 212e "
        "2135-2137 2139 2153-2184 2190-219b 21a8 21ae 21bc-21bd 21c0-21c1 21cb-21d9 2202 "
        "2206-220d 220f-221c 221e-221f 2223-222b 2236 223c 2241 2245 2248-2249 2259 2260-2262 "
        "2264-2265 226a-226b 226e-2271 2282-2285 2295-2298 22c5 22ef 2302-2303 2310 2320-2321 "
        "2329-232a 23d3 25a0-25a1 25b2-25b3 25b6-25b7 25bc-25bd 25c0-25c1 25cb-25cc 25cf-25d7 "
        "2605 2619 261b 261e 2627 262f 2639-2653 2660 2663 2665-2666 2669-266c 2695 2698 "
        "26a2-26a4 2767 2c60-2c6c 2c74-2c77 a71b-a71d a720-a721 a789-a78c fb29-fb36 fb38-fb3c "
        "fb3e fb40-fb41 fb43-fb44 fb46-fb4e fffd 1d106-1d107"
    ),
    # Signs that the other lacks; its Arabic letters are of one width and no type for reading.
    "DejaVu Sans Mono": (
        "180-1c3 1cd-1dc 1de-1e1 1e6-1f0 1f4-1f6 1f8-1f9 1fe-217 21c-221 224-225 227 22a-22d "
        "22f-236 238-241 243-245 24c-24d 251-253 255-262 264-265 267 269-26e 270-278 27a 27c-280 "
        "282-294 296-29b 29d-2af 2e5-2e9 2f3 332-337 339-33f 358 361 376-377 37a-37f 3d2-3d4 "
        "3d6-3e1 3f1-400 402 40d-40e 450 452 454 459-45b 45d 45f 462-463 472-473 490-49b 4a2-4a5 "
        "4aa-4b3 4ba-4bb 4c0-4c4 4c7-4c8 4cb-4cc 4cf-4d3 4d6-4f9 510-511 51a-51d 531-556 559-55f "
        "561-587 589-58a e3f e81-e82 e84 e87-e88 e8a e8d e94-e97 e99-e9f ea1-ea3 ea5 ea7 eaa-eab "
        "ead-eb9 ebb-ebc ec8-ecd 10d0-10fc 1d02 1d08-1d09 1d14 1d16-1d17 1d1d-1d1f 1d2c-1d2e "
        "1d30-1d3c 1d3e-1d42 1d45-1d46 1d4b-1d4c 1d4e 1d51 1d54-1d55 1d59 1d62-1d65 1d77-1d78 "
        "1d7b 1d85 1d9b 1d9d-1d9f 1da1-1da3 1da5-1db7 1db9-1dba 1dbc-1dbf 1e9f 203f 2045-2046 "
        "205f 2095-209c 20a0-20a1 20a5-20a6 20a9-20aa 20ad-20ae 20b0 20b2-20b5 20b8-20ba 20bd "
        "2117 211a 212a-212b 2148 2150-2151 2189 219c-21a7 21a9-21ad 21af-21bb 21be-21bf "
        "21c2-21ca 21da-2201 2203-2205 220e 221d 2220 222c-222d 2234-2235 2237-223b 223d "
        "2242-2244 2246-2247 224a-2258 225a-225f 2263 2266-2269 226d 2272-2281 2286-228b "
        "228d-2294 2299-22a5 22b2-22b5 22b8 22c2-22c4 22c6 22cd-22d1 22da-22e9 2300-2301 "
        "2304-2306 2308-230f 2311-2315 2318-2319 231c-231f 2325-2328 232b 2335-237a 237d "
        "2380-2383 2388-238b 2395 239b-23ae 23ce-23cf 2423 2500-259f 25a2-25b1 25b4-25b5 "
        "25b8-25bb 25be-25bf 25c2-25ca 25cd-25ce 25d8-2604 2606-2618 261a 261c-261d 261f-2626 "
        "2628-262e 2638 2654-265f 2661-2662 2664 2667-2668 266d-268b 2690-2694 2696-2697 "
        "2699-269c 26a0-26a1 26b0-26b1 2701-2704 2706-2709 270c-2727 2729-274b 274d 274f-2752 "
        "2756 2758-275e 2761-2766 2768-2775 2794 2798-27af 27b1-27be 27c2 27c5-27c6 27dc 27e0 "
        "27e6-27eb 27f5-27f7 2987-2988 2997-2998 29eb 29fa-29fb 2a00 2a2f 2a6a-2a6b 2b05-2b0d "
        "2b12-2b1a 2c6d-2c70 2c79-2c7a 2c7c-2c7f 2e18 2e1f 2e22-2e25 2e2e a708-a716 a71e-a71f "
        "a722-a727 a78d-a78e a790-a791 a7aa a7f8-a7f9 fb01-fb02 feff fff9-fffc 1d55a"
    ),
}


@cache
def letters_of(family: str) -> frozenset[str]:
    """The letters of one of them."""
    ranges = (part.partition("-") for part in EMBEDDED[family].split())
    return frozenset(
        chr(code)
        for first, _, last in ranges
        for code in range(int(first, 16), int(last or first, 16) + 1)
    )


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


_POLL = 0.5  # seconds between two looks at the process that asked


def main() -> None:
    """Do one task and end."""
    _end_with_parent()
    task = json.loads(sys.stdin.buffer.readline())
    sections = sys.stdin.buffer.read().decode()
    for piece in _answer(task, sections):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def _answer(task: dict[str, Any], sections: str) -> Iterator[bytes]:
    try:
        pdf = _typeset(task, sections)
    except typst.TypstError as error:
        yield _line({"error": error.message})
        return
    if "pages" in task:
        pictures = list(_pictures(pdf, task["pages"], task["width"]))
        yield _line({"sizes": [size for size, _ in pictures]})
        yield from (pixels for _, pixels in pictures)
    else:
        yield _line({"size": len(pdf)})
        yield pdf


def _typeset(task: dict[str, Any], sections: str) -> bytes:
    found = typst.Fonts()
    head = task["head"]
    chosen = choose_fonts(found, set(sections).union(task["letters"]))
    head["fonts"] = chosen.families
    head["fonts-of"] = chosen.families_of
    head["missing"] = chosen.missing
    head["missing-words"] = chosen.missing_in_words
    inputs = {"head": json.dumps(head), "sections": sections}
    if "record" in task:
        inputs["record"] = task["record"]
    template = Path(__file__).with_name("report.typ")
    return typst.compile(
        template,
        root=template.parent,  # pictures may lead nowhere else
        sys_inputs=inputs,
        font_paths=found,
        pdf_standards=[] if "pages" in task else ["a-3a", "ua-1"],
        pdf_tags="pages" not in task,
        timestamp=datetime.fromisoformat(task["created"]),
    )


def _pictures(pdf: bytes, most: int, width: int) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The first pages as pixels: size, and red, green and blue of each."""
    document = pypdfium2.PdfDocument(pdf)
    for number in range(min(most, len(document))):
        page = document[number]
        picture = page.render(scale=width / page.get_width(), rev_byteorder=True)
        across = 3 * picture.width
        rows = memoryview(picture.buffer).cast("B")
        starts = range(0, picture.height * picture.stride, picture.stride)
        yield (
            (picture.width, picture.height),
            b"".join(rows[start : start + across] for start in starts),
        )


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, whatever it does then."""
    parent = psutil.Process(os.getppid())

    def watch() -> None:
        while parent.is_running():
            time.sleep(_POLL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="neardup-parent").start()
