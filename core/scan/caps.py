"""What a list leaves out because there is too much of it, in words."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from core.candidates.limits import BUCKET_LIMIT, DOCUMENT_LIMIT


class CapKind(Enum):
    """Why pairs were left out of a list, as a sentence about the document they all resemble."""

    COPIES = "{size:,} documents have the same words; each is listed with one of them only: {name}"
    COMMON = (
        "{size:,} documents hold text that stands in more than "
        f"{DOCUMENT_LIMIT} of them; text as common as that pairs nobody by itself, "
        "for instance that of {name}"
    )
    WORDING = (
        "{size:,} documents hold wording that stands in too many of them to be looked at pair by "
        "pair; it leads to no reworked passage by itself, for instance that of {name}"
    )
    CROWD = (
        f"{{size:,}} documents each have text in common with over {BUCKET_LIMIT:,} others; each "
        "was compared with one of those, for instance {name}, and else only with the most like it"
    )
    ALIKE = (
        "{size:,} documents have a {method} fingerprint in common with many others; each was "
        "compared with one of those, for instance {name}"
    )


class Cap(NamedTuple):
    """Pairs that a list leaves out: among how many documents, around which one, by which method."""

    kind: CapKind
    size: int
    document: int
    method: str = ""

    def sentence(self, name: str) -> str:
        """The cap in words, with the name of its document."""
        return self.kind.value.format(size=self.size, name=name, method=self.method)
