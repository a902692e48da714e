"""What a text takes in memory while it is signed and compared: that depends on its words."""

from __future__ import annotations

import numpy as np

from core.text.characters import code_points
from core.text.pieces import PIECE, is_long

SLOT_BYTES = 20  # of the table of a document with which others are compared
SHINGLE_BYTES = 32  # of what else there is for each of its shingles
SIGNED_BYTES = 16, 40  # for a character of texts in ASCII and of others, while they are signed
BYTES_PER_WORD = 4 * SLOT_BYTES + SHINGLE_BYTES  # at most
LETTERS = b"_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS_BEYOND_ASCII = 0x80
FIRST_UNSPACED = 0x0E00  # Thai; from here on letters may be words
FIRST_SENTENCES = 0xFB50  # Arabic ligatures, of up to four words


def comparing_bytes(words: int) -> int:
    """What comparing a document with others takes, where it has so many words."""
    slots = 16
    while slots < 2 * words:
        slots *= 2
    return SLOT_BYTES * slots + SHINGLE_BYTES * words


def text_bytes(text: str) -> int:
    """What signing a text takes, about."""
    if is_long(text):
        return comparing_bytes(_words(text)) + 4 * len(text)
    return SIGNED_BYTES[not text.isascii()] * len(text)


def _words(text: str) -> int:
    """How many words a text may have, counted in a hundredth of the time it takes to read it."""
    count = 1
    for start in range(0, len(text), PIECE):
        piece = text[start : start + PIECE]
        if piece.isascii():
            count += len(piece.encode("ascii").translate(None, LETTERS))
        else:
            codes = code_points(piece)
            ascii_codes = codes[codes < LETTERS_BEYOND_ASCII].astype(np.uint8)
            count += len(ascii_codes.tobytes().translate(None, LETTERS))
            count += int((codes >= FIRST_UNSPACED).sum())
            count += 3 * int((codes >= FIRST_SENTENCES).sum())
    return count
