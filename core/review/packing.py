"""Packs values into the bytes of a row and back, with their checksums.

Checksums are BLAKE2b cut to 63 bits, which fit SQLite's signed integers. They are cryptographic
because the MAC of a review is over them (see `core.review.mac`).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from hashlib import blake2b

# Level 1 of zlib: generated advertisements shrink to .48 at 62 MB/s, at level 6 to .46 at 37.
LEVEL = 1
MOST_RATIO = 1032  # of zlib: 258 bytes for two bits
AT_ONCE = 1 << 20  # characters or bytes in a call that holds the interpreter


def encoded(text: str) -> bytes:
    """Any string as bytes, lone surrogates too."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """The string again."""
    return data.decode("utf-8", "surrogatepass")


def checksum_of(data: bytes, seed: int = 0) -> int:
    """The checksum of bytes, 0 to 2^63 - 1."""
    if not seed:  # a salt of zeros, which takes as long as a row
        return int.from_bytes(blake2b(data, digest_size=8).digest(), "little") >> 1
    digest = blake2b(data, digest_size=8, salt=seed.to_bytes(8, "little")).digest()
    return int.from_bytes(digest, "little") >> 1


def row_checksum(numbers: Sequence[int], blobs: Sequence[bytes]) -> int:
    """The checksum of a row.

    Raises:
        TypeError, struct.error: A column of a stored row is not of its type.
    """
    packed = struct.pack(f"<{len(numbers) + len(blobs)}q", *numbers, *map(len, blobs))
    return checksum_of(packed + b"".join(blobs))


def pack_text(text: str) -> tuple[int, bytes]:
    """The size of a text in UTF-8, and that compressed."""
    data = b"".join(
        encoded(text[start : start + AT_ONCE]) for start in range(0, len(text), AT_ONCE)
    )
    return len(data), zlib.compress(data, LEVEL)


def unpack_text(size: int, data: bytes) -> str:
    """The text again.

    Raises:
        ValueError, zlib.error: These are not the bytes of a text of this size.
    """
    value = decompressed(size, data)
    return decoded(value) if size <= AT_ONCE else "".join(map(decoded, _characters(value)))


def most_of(compressed: int) -> int:
    """The most bytes that so many bytes of zlib can hold."""
    return MOST_RATIO * compressed


def decompressed(size: int, data: bytes) -> bytes:
    """Decompress exactly `size` bytes, however many the data would give.

    Raises:
        ValueError, zlib.error: These are not the bytes of a value of this size.
    """
    if not 0 <= size <= most_of(len(data)):
        raise ValueError("The size of a compressed value cannot be so.")
    inflating = zlib.decompressobj()
    value = inflating.decompress(data, max(size, 1))
    more = not inflating.eof and inflating.decompress(inflating.unconsumed_tail, 1)
    if len(value) != size or more or not inflating.eof or inflating.unused_data:
        raise ValueError("The size of a compressed value is wrong.")
    return value


def _characters(data: bytes) -> Iterator[bytes]:
    """Cut UTF-8 into pieces of about a megabyte, never inside a character."""
    start = 0
    while start < len(data):
        end = start + AT_ONCE
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
        yield data[start:end]
        start = end
