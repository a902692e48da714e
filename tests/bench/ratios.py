"""How tightly real documents are packed: the ratios that `ReadingLimits.ratio` must let pass.

    python tests/bench/ratios.py FOLDER...

Every part of every ZIP package below the folders, and every file packed with gzip, bzip2 or xz: its
size by its packed size, the largest first. Parts under 10 MB may have any ratio.
"""

from __future__ import annotations

import argparse
import bz2
import contextlib
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SHOWN = 15
MAGIC = {b"\x1f\x8b\x08": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7z": lzma.decompress}
FAULTS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)


class Packed(NamedTuple):
    """A packed part: how many times as large it is, its size in bytes, and where it is."""

    ratio: float
    size: int
    name: str


def ratios(folder: Path) -> Iterator[Packed]:
    """Of everything packed below a folder; what is damaged is left out."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with contextlib.suppress(*FAULTS):
                yield from _of_file(path.name, path.read_bytes())


def _of_file(name: str, data: bytes) -> Iterator[Packed]:
    unpack = MAGIC.get(data[:3])
    if unpack is not None:
        size = len(unpack(data))
        yield Packed(size / len(data), size, name)
    elif data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            for info in package.infolist():
                if info.compress_size:
                    ratio = info.file_size / info.compress_size
                    yield Packed(ratio, info.file_size, f"{name}/{info.filename}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    found = [one for folder in parser.parse_args().folders for one in ratios(folder)]
    print(f"{len(found):,} packed parts and files")
    for ratio, size, name in sorted(found, reverse=True)[:SHOWN]:
        print(f"{ratio:>7.0f} times {size:>12,} bytes  {name}")


if __name__ == "__main__":
    main()
