"""How a setting stands out in the map."""

from __future__ import annotations

from typing import NamedTuple


class Mark(NamedTuple):
    """A setting that stands out: where it is in the map, and how it is marked."""

    place: int
    symbol: str = "o"
    filled: bool = False
