"""All files made to do harm, written to a folder.

    python tests/hostile/hostile_set.py FOLDER [--size 1]

They are made by small programs, the same every time. `--size` is how large they are: 1 brings them
near the limits or over, a thousandth is enough to see that each is read or refused.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from hostile_others import OTHERS
from hostile_packages import PACKAGES
from hostile_texts import NAMES, TEXTS

Maker = Callable[[float], bytes]

AIMED_AT: dict[str, dict[str, Maker]] = {
    "main process": TEXTS,
    "packages": PACKAGES,
    "other readers": OTHERS,
}


def write_set(folder: Path, size: float, wanted: str = "") -> Iterator[Path]:
    """Write all files, or those of one kind; names that a disk refuses are left out."""
    for where, makers in AIMED_AT.items():
        if wanted and where != wanted:
            continue
        place = folder / where
        place.mkdir(parents=True)
        for name, make in makers.items():
            path = place / name
            path.write_bytes(make(size))
            yield path
    if wanted in ("", "main process"):
        yield from _write_names(folder / "names")


def _write_names(place: Path) -> Iterator[Path]:
    """Harmless texts under names that do harm where they are shown."""
    place.mkdir()
    for name in NAMES:
        with suppress(OSError, ValueError):
            path = place / name
            path.write_text(f"some words of a file, {len(name)} of them", encoding="utf-8")
            yield path


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=float, default=1.0)
    options = parser.parse_args()
    paths = list(write_set(options.folder, options.size))
    print(f"{len(paths)} files, {sum(path.stat().st_size for path in paths):,} bytes")


if __name__ == "__main__":
    main()
