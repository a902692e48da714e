"""Finds what comes with the program: in a checkout beside the packages, installed inside one."""

from __future__ import annotations

from pathlib import Path

from core.errors import NeardupError

ROOT = Path(__file__).resolve().parents[2]
HOMES = (ROOT / "neardup_gui" / "resources", ROOT / "resources")


def resource(name: str) -> Path:
    """The path of a resource, for example "icons/neardup.svg".

    Raises:
        NeardupError: It is in neither place.
    """
    for home in HOMES:
        if (home / name).exists():
            return home / name
    raise NeardupError(f"{name} is missing. Reinstall Neardup.")


def tables_in(path: Path) -> dict[str, str]:
    """The tables of words in a file, parted by empty lines, each below what it is called."""
    tables = (table.partition("\n") for table in path.read_text("utf-8").split("\n\n"))
    return {name: words for name, _, words in tables}
