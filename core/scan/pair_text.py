"""The passages of a pair of documents of a scan: with what the words of the folder tell.

The signatures of two documents, compared value by value, whatever bands are cut from them.

K values of two documents agree each with probability s, their resemblance, so the share of equal
values estimates s with the standard error sqrt(s (1 - s) / K) (Broder 1997; that of Fast Similarity
Sketching is never larger). Of 64 bits each differs with probability θ/π (Charikar, STOC 2002).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.aside.rules import Phrase
from core.base.arrays import BoolArray, UInt32Array
from core.base.tasks import Cancelled, never, stop_if
from core.candidates.references import are_compared
from core.candidates.scurve import agreeing_values, cosine_of_containments, cut_into_bands
from core.candidates.sorted_keys import members
from core.documents.model import Document, text_key
from core.errors import ReviewError
from core.evidence import passages
from core.evidence.overlap import figures_of
from core.evidence.pairs import PairFigures, Pairs, pair_codes
from core.evidence.passage import SharedText
from core.scan.joining import to_review
from core.scan.judgements import Judgements, earlier_texts
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.settings import ScanSettings, SignatureKind
from core.signatures.methods import resemblance_by_distance, share_of_equal_values
from core.text.language_names import UNKNOWN
from core.text.languages import detect


def explained_by(
    scan: Scan, listed: Pairs, settings: ScanSettings, text: str, cancelled: Cancelled = never
) -> Pairs:
    """The listed pairs that leave the list where a passage is set aside everywhere.

    A passage that is set aside already explains those that come to the list when it counts again.

    Args:
        scan: A complete scan.
        listed: The pairs of its list.
        settings: Those of the list.
        text: The passage.
        cancelled: Polled meanwhile.

    Raises:
        TooManyCandidatesError: See `Scan.list_pairs`.
        ScanCancelledError: `cancelled` said so.
    """
    phrase = Phrase(text)
    counting = scan.decided.rules.without_phrases([phrase])
    if counting != scan.decided.rules:
        with_it = scan.with_rules(counting, cancelled)
        listed, without = with_it.list_pairs(settings, cancelled=cancelled).pairs, listed
    else:
        aside = scan.with_rules(counting.with_phrases([phrase]), cancelled)
        without = aside.list_pairs(settings, cancelled=cancelled).pairs
    codes = pair_codes(listed.a, listed.b)
    return listed.take(~members(np.sort(pair_codes(without.a, without.b)), codes))


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


AT_ONCE = 1024


def language_of(document: Document, judgements: Judgements) -> str:
    """The code of the language of a document; `UNKNOWN` where it is not known.

    "" where nobody looked, as in reviews of older versions.
    """
    return _said(document, judgements) or document.language


def languages_of_pair(
    documents: Sequence[Document], judgements: Judgements, a: int, b: int
) -> tuple[str | None, str | None]:
    """The languages of two documents, as passages are looked for; None where nobody looked."""
    of_a, of_b = (language_of(documents[number], judgements) for number in (a, b))
    return of_a or None, of_b or None


def languages_of(state: ScanState, told: Sequence[str]) -> list[str]:
    """Those of all documents, row for row, of which this was told from their texts."""
    both = zip(state.documents, told, strict=True)
    return [_said(document, state.judgements) or language for document, language in both]


def told_languages_of(state: ScanState, cancelled: Cancelled = never) -> list[str]:
    """What the texts of all documents tell, row for row; now where nobody looked yet.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    found = []
    for number, document in enumerate(state.documents):
        if number % AT_ONCE == 0:
            stop_if(cancelled)
        try:
            found.append(document.language or detect(state.texts[number]))
        except ReviewError:  # it is said where the text is read
            found.append(UNKNOWN)
    return found


def _said(document: Document, judgements: Judgements) -> str:
    """What a person said of the text of a document, or of an earlier one; "" for nothing."""
    if not judgements.languages:
        return ""
    key = text_key(document)
    texts = (key, *(one.text for one in earlier_texts(judgements.earlier, key)))
    return next((judgements.languages[one] for one in texts if one in judgements.languages), "")


def shared_text(
    scan: Scan,
    a: int,
    b: int,
    settings: ScanSettings,
    cancelled: Cancelled = never,
    judgements: Judgements | None = None,
) -> SharedText:
    """What two documents share, as a list of pairs under these settings measures it.

    `judgements` say in which language texts are; by default those of when the scan was made.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    said = judgements or scan.decided.judgements
    languages = languages_of_pair(scan.documents, said, a, b)
    return passages.find_shared_text(
        scan.texts[a],
        scan.texts[b],
        settings,
        cancelled,
        scan.aside(a, b),
        None if settings.reworked == "off" else scan.words(cancelled),
        languages,
    )
