"""Finds what comes with the application: in a checkout beside the packages, installed inside."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
HOMES = (PACKAGE / "resources", PACKAGE.parent / "resources")


def resource(name: str) -> Path:
    """The path of a resource, for example "icons/neardup.svg".

    Raises:
        FileNotFoundError: It is in neither place.
    """
    for home in HOMES:
        if (home / name).exists():
            return home / name
    raise FileNotFoundError(f"{name} is missing. Reinstall Neardup.")
