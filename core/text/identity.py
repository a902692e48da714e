"""Who a text is: a hash of its letters, by which it is known in whatever file it comes.

What counts are letters, marks and digits in their order, in the normal form of `core.text.nfkc` and
by simple case folding. White space, punctuation, line ends and the hyphens at them do not: readers
of different formats agree on these least. So the same essay as DOCX and as PDF is the same text,
and no setting of a scan is in it. The hash is XXH3-128 of these characters in UTF-8.

Reviews hold these hashes, so they never change; a test has some. (A version of Unicode that assigns
new letters gives others to the texts that have them.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import xxhash

from core.base.arrays import UInt32Array
from core.base.compiling import njit
from core.settings import ScanSettings
from core.text.characters import ALONE, LETTER, MARK, alphabet, code_points
from core.text.nfkc import normalise
from core.text.pieces import PIECE, is_long, pieces

__all__ = ["text_hashes"]

USUAL = ScanSettings()
_FOLDED = bytes(range(256)).lower()
_NO_LETTERS = bytes(code for code in range(128) if not (chr(code).isalnum() or code == ord("_")))
_BYTES = 4  # of a character in UTF-8, at most


def text_hashes(texts: Sequence[str]) -> list[str]:
    """The hash of each text: 32 hexadecimal digits.

    One without a letter is known by all of its characters as they are.
    """
    together = [index for index, text in enumerate(texts) if not (text.isascii() or is_long(text))]
    letters = dict(zip(together, _letters([texts[index] for index in together]), strict=True))
    return [
        _hash([letters[index]] if index in letters else _by_piece(text), text)
        for index, text in enumerate(texts)
    ]


def _hash(letters: Iterator[bytes] | Sequence[bytes], text: str) -> str:
    hasher, size = xxhash.xxh3_128(), 0
    for some in letters:
        hasher.update(some)
        size += len(some)
    if not size:
        hasher.update(text.encode("utf-8", "surrogatepass"))
    return hasher.hexdigest()


def _by_piece(text: str) -> Iterator[bytes]:
    if text.isascii():
        for start in range(0, len(text), PIECE):
            piece = text[start : start + PIECE].encode("ascii")
            yield piece.translate(_FOLDED, _NO_LETTERS)
    else:
        for part in pieces(text, USUAL):
            yield from _letters([text[part]])


def _letters(texts: Sequence[str]) -> Iterator[bytes]:
    """The characters of each text that count, in UTF-8."""
    if not texts:
        return
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=bounds[1:])
    normal = normalise(code_points("".join(texts)).astype(np.uint32, copy=False), bounds)
    out = np.empty(_BYTES * len(normal.codes), dtype=np.uint8)
    ends = _write(normal.codes, normal.bounds, _letter_table(), out).tolist()
    for start, end in zip([0, *ends], ends, strict=False):
        yield out[start:end].tobytes()


@cache
def _letter_table() -> UInt32Array:
    """By code point the folded character, or 0 for what does not count."""
    table = alphabet(USUAL)
    return np.where(np.isin(table.kind, (LETTER, ALONE, MARK)), table.fold, 0).astype(np.uint32)


@njit(nogil=True, cache=True)
def _write(codes: Any, bounds: Any, table: Any, out: Any) -> Any:
    """Write what counts in UTF-8; where each text ends."""
    ends = np.empty(len(bounds) - 1, dtype=np.int64)
    low, six, twelve, eighteen = np.uint32(0x3F), np.uint32(6), np.uint32(12), np.uint32(18)
    used = 0
    for text in range(len(ends)):
        for place in range(bounds[text], bounds[text + 1]):
            code = table[codes[place]]
            if code < 0x80:
                out[used] = code
                used += code != 0
                continue
            if code < 0x800:
                out[used] = 0xC0 | (code >> six)
            else:
                if code < 0x10000:
                    out[used] = 0xE0 | (code >> twelve)
                else:
                    out[used] = 0xF0 | (code >> eighteen)
                    out[used + 1] = 0x80 | ((code >> twelve) & low)
                    used += 1
                out[used + 1] = 0x80 | ((code >> six) & low)
                used += 1
            out[used + 1] = 0x80 | (code & low)
            used += 2
        ends[text] = used
    return ends
