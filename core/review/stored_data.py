"""The data of a command as it is stored: read when it is asked for, and forgotten again.

A log of 100,000 entries takes 30 MB this way; as Python's objects it took 450 MB.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.review.believable import json_of

OTHERS = ("kind", "version")  # of the command, beside its data


class StoredData(Mapping[str, Any]):
    """The data of a command; each question reads it, so who asks several takes `read_data` first.

    Attributes:
        packed: The whole command as JSON.

    Each question raises ValueError or TypeError where that is none.
    """

    __slots__ = ("packed",)

    def __init__(self, packed: bytes) -> None:
        self.packed = packed

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 - as JSON has it
        return self.read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.read())

    def __len__(self) -> int:
        return len(self.read())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredData) and self.packed == other.packed:
            return True
        return isinstance(other, Mapping) and self.read() == read_data(other)

    def __hash__(self) -> int:
        raise TypeError("What a mapping says may be asked, not where it is put.")

    def read(self) -> dict[str, Any]:
        """All of it, made anew."""
        whole = json_of(self.packed)
        if not isinstance(whole, dict):
            raise TypeError("A command is no JSON object.")
        for name in OTHERS:
            whole.pop(name, None)
        return whole


def read_data(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of a command, to be asked several times."""
    return data.read() if isinstance(data, StoredData) else data
