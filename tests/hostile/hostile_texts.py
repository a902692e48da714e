"""Plain texts made to do harm: to decoding, normalisation, shingling, passages, and what is shown.

Each maker takes how large its file is to be, from 1 (as large as the limits allow) down to a
thousandth for a quick test, and gives its bytes.
"""

from __future__ import annotations

import random
from collections.abc import Callable

Maker = Callable[[float], bytes]

MILLION = 1_000_000


def _repeated(unit: str, count: float, encoding: str = "utf-8", start: str = "A text. ") -> Maker:
    """A text of one unit again and again."""

    def make(size: float) -> bytes:
        return start.encode(encoding) + unit.encode(encoding) * max(1, int(count * size))

    return make


def _ended(unit: bytes, count: int, end: bytes) -> Maker:
    return lambda size: b"A text. " + unit * max(1, int(count * size)) + end


def _marked(mark: bytes, unit: str, encoding: str, count: int) -> Maker:
    return lambda size: mark + unit.encode(encoding) * max(1, int(count * size))


def _numbers(size: float) -> bytes:
    """Words that are all different."""
    return b" ".join(b"w%x" % (number * 2654435761) for number in range(int(3 * MILLION * size)))


def _thue_morse(swapped: int) -> Maker:
    """Words of a sequence without a period, in which every stretch stands again."""

    def make(size: float) -> bytes:
        count = max(16, int(2 * MILLION * size))
        words = (b"one", b"two")
        return b" ".join(words[(place.bit_count() + swapped) % 2] for place in range(count))

    return make


def _letters(size: float) -> bytes:
    """One line of letters at random."""
    generator = random.Random(1)
    block = bytes(generator.choices(b"abcdefghijklmnopqrstuvwxyz", k=100_000))
    return block * max(1, int(300 * size))


def _alike(words: int) -> Maker:
    """A text that shares almost all with the other of its kind, and repeats itself."""
    return lambda size: b"the same words again " * max(1, int(500_000 * size)) + b"end %d" % words


TEXTS: dict[str, Maker] = {
    "grows 18 times.txt": _repeated("\ufdfa", 20 * MILLION),
    "grows in words.txt": _repeated("\ufdfa ", 16 * MILLION),
    "grows in letters.txt": _repeated("\u3316\u33a8", 20 * MILLION),
    "marks.txt": _repeated("\u0301\u0327", 20 * MILLION),
    "marks on letters.txt": _repeated("a\u0327\u0301\u0302\u0323", 9 * MILLION),
    "jamo.txt": _repeated("\u1100\u1161\u11a8", 16 * MILLION),
    "one word.txt": _repeated("a", 50 * MILLION - 20),
    "letters in a row.txt": _letters,
    "words of one letter.txt": _repeated("a b ", 12 * MILLION),
    "fewer words of one letter.txt": _repeated("a b ", 3.9 * MILLION),
    "ideographs.txt": _repeated("的一是在不了有和人", 5 * MILLION),
    "fewer ideographs.txt": _repeated("的一是在不了有和人", 0.8 * MILLION),
    "no spaces.txt": _repeated("กขคงจ", 9 * MILLION),
    "broken words.txt": _repeated("ab-\ncd ", 7 * MILLION),
    "soft hyphens.txt": _repeated("ab\u00ad\n", 12 * MILLION),
    "hyphens alone.txt": _repeated("-\n", 20 * MILLION),
    "line ends.txt": _repeated("\n", 45 * MILLION),
    "carriage returns.txt": _repeated("\r", 45 * MILLION),
    "spaces.txt": _repeated(" ", 45 * MILLION),
    "fixed spaces.txt": _repeated("слово\u00a0", 8 * MILLION),
    "zero width.txt": _repeated("a\u200b\u2060\u200d", 12 * MILLION),
    "direction marks.txt": _repeated("a\u202e\u2066 ", 12 * MILLION),
    "raised figures.txt": _repeated("10\u00b2\u2122 ", 10 * MILLION),
    "utf-16.txt": _marked(b"\xff\xfe", "a b ", "utf-16-le", 12 * MILLION),
    "utf-16 without mark.txt": _repeated("ab cd ", 8 * MILLION, "utf-16-be"),
    "utf-32.txt": _marked(b"\xff\xfe\0\0", "a\U0001f600 ", "utf-32-le", 16 * MILLION),
    "utf-32 without mark.txt": _repeated("ab cd ", 8 * MILLION, "utf-32-le"),
    "late accent.txt": _ended(b"some plain words ", 10 * MILLION, b"caf\xe9 au lait\n"),
    "late emoji.txt": _ended(b"some plain words ", 2 * MILLION, "\U0001f600".encode()),
    "cyrillic.txt": _repeated("Все люди рождаются свободными ", 1.6 * MILLION, "cp1251", ""),
    "japanese.txt": _repeated("すべての人間は自由である。", 3 * MILLION, "shift_jis", ""),
    "four bytes.txt": _repeated("\u0e01 \u0e02", 8 * MILLION, "gb18030"),
    "escapes.txt": _repeated("\x1b$B$9$Y\x1b(B", 9 * MILLION),
    "broken utf-8.txt": _ended("é words ".encode(), 12 * MILLION, b"\xff\xfe\xc3" * 1000),
    "surrogates.txt": _repeated("a ", 5 * MILLION, start="A \ufffd text "),
    "nul bytes.txt": _ended(b"words and \0 ", 4 * MILLION, b""),
    "control characters.txt": _ended(b"words\x01\x02\x03 ", 4 * MILLION, b""),
    "over the characters.txt": _repeated("a ", 60 * MILLION),
    "over the characters in utf-32.txt": _marked(b"\xff\xfe\0\0", "ab ", "utf-32-le", 16 * MILLION),
    "different words.txt": _numbers,
    "sequence.txt": _thue_morse(0),
    "other sequence.txt": _thue_morse(1),
    "repeats itself.txt": _alike(1),
    "repeats itself too.txt": _alike(2),
    "nested.json": _repeated("[", 20 * MILLION, start="A: "),
    "one row.csv": _repeated("cell,", 9 * MILLION),
    "entities.md": _repeated("&amp;&#x1f600;", 3 * MILLION),
}

# Names that break lines, tables, terminals or markup; and the longest that a disk takes.
NAMES = (
    "escape \x1b[31m red.txt",
    "line\nend.txt",
    "right \u202e to left txt.exe.txt",
    "=1+1.csv.txt",
    "<script>alert(1)<.txt",
    "-option.txt",
    "n" * 240 + ".txt",
)
