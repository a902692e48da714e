"""What an audit finds out, as named tuples."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NamedTuple

from core.audit.edits import Edit
from core.base.intervals import Share, wilson
from core.candidates.forecast import Forecast
from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.scan.caps import Cap

__all__ = [
    "AuditResult",
    "BandEstimate",
    "Bin",
    "EditRecall",
    "Method",
    "MissReason",
    "MissedPair",
    "MissedPassage",
    "Planting",
    "Proof",
    "ReworkedPlanting",
    "ReworkedRecall",
]


class Method(StrEnum):
    """How to audit."""

    ALL_PAIRS = "all-pairs"
    EDITED_COPIES = "edited-copies"


class MissReason(Enum):
    """Why a pair that should be listed is not, in words."""

    CHANCE = "no band of their signatures agrees"
    DISTANCE = "their fingerprints differ in too many bits"
    COMMON = (
        f"every part of the passages they share stands in more than {DOCUMENT_LIMIT} documents: "
        "such common text pairs nobody"
    )
    CROWD = "both belong to a crowd, where each is compared with one document and the most like it"
    FAULT = "nothing explains it: this is a fault in Neardup"


class Bin(NamedTuple):
    """The pairs to be listed in a range of resemblance; those with the same words are left out.

    Attributes:
        low: Smallest resemblance.
        high: Its end, not included; of the last range 1, included.
        pairs: How many should be listed.
        expected: How many of them bands find on average, by the S-curve; None without a curve.
        by_bands: How many they found.
        added: How many more shared passages found.
    """

    low: float
    high: float
    pairs: int
    expected: float | None
    by_bands: int
    added: int

    @property
    def missed(self) -> int:
        """How many are not listed."""
        return self.pairs - self.by_bands - self.added


class MissedPair(NamedTuple):
    """A pair that should be listed and is not; `chance` is what the S-curve gave it."""

    a: int
    b: int
    resemblance: float
    longest_run: int
    chance: float | None
    reason: MissReason


class BandEstimate(NamedTuple):
    """What bands miss by forecast, and in truth.

    Attributes:
        forecast: As the window makes it; None where too little is known.
        missed_by_bands: How many pairs from `forecast.least` on no band met; None where not all
            pairs were compared.
        not_listed: How many of them no shared passage led to either.
    """

    forecast: Forecast | None
    missed_by_bands: int | None = None
    not_listed: int | None = None


class Proof(NamedTuple):
    """All pairs compared exactly, and the list of the scan held against them.

    Attributes:
        pairs: How many were compared.
        wanted: How many should be listed.
        listed: How many of these are.
        copies: How many are not because a document has over 30 copies: the first stands for them.
        identical: How many of the wanted have the same words; they need no bands.
        wrong: Pairs in the list that should not be there or with other numbers.
        missed: Those that are missing, most similar first.
        bins: Pairs with different words by resemblance, ascending; the first bin holds pairs below
            the threshold that share a passage.
    """

    pairs: int
    wanted: int
    listed: int
    copies: int
    identical: int
    wrong: int
    missed: tuple[MissedPair, ...]
    bins: tuple[Bin, ...]


class EditRecall(NamedTuple):
    """How many planted copies of one kind were found.

    Attributes:
        edit: The kind.
        planted: Number of copies; 0 where no document was long enough.
        resemblance: Smallest, median and largest exact resemblance of a copy and its source.
        wanted: How many copies reach the threshold or share a passage with their source.
        listed: How many are listed with their source.
        expected: How many of the wanted ones bands find on average; None without a curve.
        by_bands: How many they found.
        by_passages: How many shared passages found; `both` of them bands found, too.
        both: How many were found both ways.
    """

    edit: Edit
    planted: int
    resemblance: tuple[float, float, float]
    wanted: int
    listed: int
    expected: float | None
    by_bands: int
    by_passages: int
    both: int

    @property
    def found(self) -> Share | None:
        """The listed share of all planted copies."""
        return wilson(self.listed, self.planted) if self.planted else None

    @property
    def recall(self) -> Share | None:
        """The listed share of the copies that should be listed."""
        return wilson(self.listed, self.wanted) if self.wanted else None


class Planting(NamedTuple):
    """The recall of each kind of edit, and from how many different documents copies were made."""

    sources: int
    edits: tuple[EditRecall, ...]


class ReworkedRecall(NamedTuple):
    """Planted passages of one length of which one share was changed.

    Attributes:
        words: The length before it was reworked.
        changed: The share of its words that was exchanged, dropped or inserted.
        planted: How many.
        listed: How many of these are listed with their sources, however found.
        reworked: How many were found as reworked passages.
        promised: The share that is promised for this folder.
    """

    words: int
    changed: float
    planted: int
    listed: int
    reworked: int
    promised: float

    @property
    def found(self) -> Share | None:
        """The listed share."""
        return wilson(self.listed, self.planted) if self.planted else None


class MissedPassage(NamedTuple):
    """A passage whose reworked copy was not listed: its document, first word and length."""

    document: int
    first: int
    words: int
    changed: float


class ReworkedPlanting(NamedTuple):
    """What was found of reworked passages of so many different documents."""

    sources: int
    cells: tuple[ReworkedRecall, ...]
    missed: tuple[MissedPassage, ...]


class AuditResult(NamedTuple):
    """One of `proof` and `planting`, and what the bands miss by forecast.

    Attributes:
        documents: Documents with text that counts.
        work: Look-ups of shingles that comparing all pairs takes.
        proof: All pairs compared.
        planting: Edited copies searched for.
        estimate: What the bands miss.
        caps: What the list leaves out on purpose; documents from `len(texts)` on are planted.
        reworked: Reworked passages searched for; None where a scan does not look for them.
    """

    documents: int
    work: int
    proof: Proof | None
    planting: Planting | None
    estimate: BandEstimate
    caps: tuple[Cap, ...]
    reworked: ReworkedPlanting | None = None
