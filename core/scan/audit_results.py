"""What an audit finds out, as named tuples."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NamedTuple

from core.base.intervals import Estimate, Share, wilson
from core.candidates.forecast import Forecast
from core.candidates.limits import DOCUMENT_LIMIT
from core.scan.caps import Cap
from core.scan.planted_results import Planting, ReworkedPlanting


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


class MissCount(NamedTuple):
    """How many pairs are missing for one reason."""

    reason: MissReason
    pairs: int


class MissedPair(NamedTuple):
    """A pair that should be listed and is not; `chance` is what the S-curve gave it."""

    a: int
    b: int
    resemblance: float
    longest_run: int
    chance: float | None
    reason: MissReason


class MeasuredRange(NamedTuple):
    """Pairs in a twentieth of resemblance, and how many of them the signatures met.

    Pairs with the same words are left out: they need no signatures.

    Attributes:
        low: Smallest resemblance.
        high: Its end, not included; of the last range 1, included.
        mean: Of these pairs.
        pairs: How many should be listed.
        expected: How many of them are met on average, by the S-curve; None without a curve.
        met: How many were.
    """

    low: float
    high: float
    mean: float
    pairs: int
    expected: float | None
    met: int

    @property
    def share(self) -> Share:
        """The share that was met, with its interval."""
        return wilson(self.met, self.pairs)


class Remedy(NamedTuple):
    """Another choice for the same signatures, and what it would do.

    Attributes:
        bands: b; 0 where signatures have no bands.
        rows: r; the same.
        distance: d; None where signatures have bands.
        missed: How many of the pairs that should be listed it would miss: counted.
        candidates: How many pairs would be compared, about; None where it is not known.
    """

    bands: int
    rows: int
    distance: int | None
    missed: int
    candidates: Estimate | None


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
        reasons: How many are missing for which reason.
        missed: Those that are missing, most similar first; of an audit that is kept, the first.
        bins: Pairs with different words by resemblance, ascending; the first bin holds pairs below
            the threshold that share a passage.
    """

    pairs: int
    wanted: int
    listed: int
    copies: int
    identical: int
    wrong: int
    reasons: tuple[MissCount, ...]
    missed: tuple[MissedPair, ...]
    bins: tuple[Bin, ...]

    @property
    def missing(self) -> int:
        """How many are missing."""
        return sum(one.pairs for one in self.reasons)


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
        ranges: What the signatures met, by resemblance.
        remedies: Other choices that would miss less.
    """

    documents: int
    work: int
    proof: Proof | None
    planting: Planting | None
    estimate: BandEstimate
    caps: tuple[Cap, ...]
    reworked: ReworkedPlanting | None = None
    ranges: tuple[MeasuredRange, ...] = ()
    remedies: tuple[Remedy, ...] = ()

    @property
    def has_fault(self) -> bool:
        """Whether the list holds what it should not, or lacks what nothing explains."""
        proof = self.proof
        if proof is None:
            return False
        unexplained = any(miss.reason is MissReason.FAULT for miss in proof.reasons)
        return proof.wrong > 0 or unexplained
