"""The signatures of two documents, compared value by value, whatever bands are cut from them.

K values of two documents agree each with probability s, their resemblance, so the share of equal
values estimates s with the standard error sqrt(s (1 - s) / K) (Broder 1997; that of Fast Similarity
Sketching is never larger). Of 64 bits each differs with probability θ/π (Charikar, STOC 2002).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, UInt32Array
from core.base.progress import Cancelled, never, stop_if
from core.candidates.bit_curve import cosine_of_containments
from core.candidates.meeting import agreeing_values, cut_into_bands
from core.candidates.references import are_compared
from core.evidence.pairs import PairFigures
from core.evidence.single_pair import figures_of
from core.scan.joining import to_review
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.settings.signature_methods import SignatureKind
from core.signatures.estimates import resemblance_by_distance, share_of_equal_values

FIRST, SECOND = np.array([0]), np.array([1])  # rows of the two


class SignatureOfPair(NamedTuple):
    """How two signatures agree, with the exact numbers of the documents.

    Attributes:
        settings: Made the signatures.
        figures: The exact numbers of the pair.
        same: bool (K,), which values are equal; of signatures of bits (64,), which bits. None where
            signatures say nothing: see `empty` and `unknown`.
        estimate: The resemblance that the signatures suggest, as a list says it; 0 without `same`.
        identical: Whether both have the same words throughout; no search is needed for these.
        empty: Which of the two have no shingle, so that nothing leads to them: all is set aside.
        compared: Whether a list compares them: at least one is to review.
        unknown: Whether signatures depend on all documents, some of which are not there.
    """

    settings: ScanSettings
    figures: PairFigures
    same: BoolArray | None
    estimate: float
    identical: bool
    empty: tuple[bool, bool]
    compared: bool = True
    unknown: bool = False

    @property
    def has_bits(self) -> bool:
        """Whether signatures are bits, which have no bands."""
        return self.settings.method.kind is SignatureKind.BITS

    @property
    def values(self) -> int:
        """How many values, or bits, were compared."""
        return 0 if self.same is None else len(self.same)

    @property
    def equal(self) -> int:
        """How many of them are equal."""
        return 0 if self.same is None else int(self.same.sum())

    @property
    def standard_error(self) -> float:
        """That of the estimate by K values, of a pair of this resemblance; 0 to 0.5."""
        s = self.figures.resemblance
        return math.sqrt(s * (1 - s) / max(self.values, 1))

    @property
    def expected_distance(self) -> tuple[float, float]:
        """How many of the bits differ of such pairs in the mean, and the standard deviation."""
        cosine = cosine_of_containments(self.figures.containment_a, self.figures.containment_b)
        differs = math.acos(min(float(cosine), 1.0)) / math.pi
        return self.values * differs, math.sqrt(self.values * differs * (1 - differs))

    def met_bands(self, bands: int, rows: int) -> tuple[int, ...] | None:
        """The bands that agree as a whole, from 0; None where K has no room for them."""
        if self.same is None or bands * rows > self.values:
            return None
        agree = cut_into_bands(self.same, bands, rows).all(axis=1)
        return tuple(np.flatnonzero(agree).tolist())


def signature_of_pair(
    scan: Scan,
    state: ScanState,
    documents: tuple[int, int],
    cancelled: Cancelled = never,
    *,
    missing: bool = False,
) -> SignatureOfPair:
    """Compare the signatures of two documents of a scan; their texts are read for the numbers.

    Args:
        scan: The documents.
        state: Its state when pairs were listed last, with the signatures.
        documents: The numbers of two documents.
        cancelled: Polled between the texts.
        missing: Whether documents are not there any more.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    a, b = documents
    settings, signed = scan.settings, state.signed
    texts = scan.texts[a], scan.texts[b]
    stop_if(cancelled)
    figures = figures_of(*texts, settings, scan.aside(a, b))
    empty = bool(signed.units[a] == 0), bool(signed.units[b] == 0)
    identical = bool((signed.digests[a] == signed.digests[b]).all()) and not any(empty)
    reviewed = to_review([scan.documents[a], scan.documents[b]])
    compared = bool(are_compared(reviewed, FIRST, SECOND)[0])
    unknown = settings.depends_on_all and missing
    same, estimate = None, 0.0
    if not (unknown or any(empty)):
        both = signed.signatures[list(documents)]
        same, estimate = agreeing_values(both[0], both[1], settings), _estimate(both, settings)
    return SignatureOfPair(settings, figures, same, estimate, identical, empty, compared, unknown)


def _estimate(both: UInt32Array, settings: ScanSettings) -> float:
    if settings.method.kind is SignatureKind.BITS:
        return float(resemblance_by_distance(both, FIRST, SECOND)[0])
    return float(share_of_equal_values(both, FIRST, SECOND)[0])
