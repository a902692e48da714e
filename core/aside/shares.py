"""How much of each document is set aside, in all and for each reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core.text.set_aside import Reason, SetAside, merged


class AsideShare(NamedTuple):
    """What is set aside of one document, in characters.

    Attributes:
        document: Its number.
        length: Of its text.
        aside: How many of them; what stands there for two reasons counts once.
        reasons: How many for each reason, most first.
    """

    document: int
    length: int
    aside: int
    reasons: Mapping[Reason, int]

    @property
    def share(self) -> float:
        """Which part of the text is set aside, 0 to 1."""
        return self.aside / max(self.length, 1)


def shares_of(
    spans: Mapping[int, Sequence[SetAside]], lengths: Sequence[int]
) -> Iterator[AsideShare]:
    """What is set aside of each document of which anything is, in their order.

    Args:
        spans: By number of the document.
        lengths: Of all texts.
    """
    for number in sorted(spans):
        by_reason: dict[Reason, list[SetAside]] = {}
        # Names of files were never text of the person: nothing of it is set aside with them.
        own = [one for one in spans[number] if one.reason is not Reason.FILE_NAME]
        if not own:
            continue
        for one in own:
            by_reason.setdefault(one.reason, []).append(one)
        counts = {reason: _characters(some) for reason, some in by_reason.items()}
        ordered = dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
        yield AsideShare(number, lengths[number], _characters(own), ordered)


def _characters(spans: Sequence[SetAside]) -> int:
    bounds = merged(spans)
    return int((bounds[:, 1] - bounds[:, 0]).sum())
