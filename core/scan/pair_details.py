"""A pair of documents of a scan, looked at by itself: signatures, passages, how rare these are.

The signatures of two documents are compared value by value, whatever bands are cut from them.

K values of two documents agree each with probability s, their resemblance, so the share of equal
values estimates s with the standard error sqrt(s (1 - s) / K) (Broder 1997; that of Fast Similarity
Sketching is never larger). Of 64 bits each differs with probability θ/π (Charikar, STOC 2002).

Passages are found with the word model of the folder. One that only these two documents hold says
more than one of which a part stands in many. So documents are counted that have a row of words of
it that is the same in both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, UInt32Array
from core.base.tasks import stop_if_cancelled
from core.candidates.references import are_compared
from core.candidates.scurve import agreeing_values, cosine_of_containments, cut_into_bands
from core.documents.model import Document
from core.evidence import passages
from core.evidence.overlap import figures_of
from core.evidence.pairs import PairFigures, pair_codes
from core.evidence.passage import Passage, Run, SharedText
from core.evidence.store import EvidenceStore
from core.passages import Held, Span
from core.scan.judgements import Judgements, language_of
from core.scan.lister import Verifier
from core.scan.pair_list import PairList
from core.scan.passage_list import holders_of
from core.scan.reworked import with_numbers
from core.scan.scan import Scan
from core.scan.state import ScanState, to_review
from core.settings import ScanSettings, SignatureKind, Unit
from core.signatures.methods import resemblance_by_distance, share_of_equal_values
from core.text.set_aside import Reason, SetAside, merged
from core.text.shingling import tokenise

FIRST, SECOND = np.array([0]), np.array([1])  # rows of the two


class SignatureOfPair(NamedTuple):
    """How far two signatures agree, with the exact numbers of the documents.

    Attributes:
        settings: Made the signatures.
        figures: The exact numbers of the pair.
        same: bool (K,), which values are equal; of signatures of bits (64,), which bits. None where
            signatures say nothing: see `empty` and `unknown`.
        estimate: The resemblance that the signatures suggest, as in a list; 0 without `same`.
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

    def agreeing_bands(self, bands: int, rows: int) -> tuple[int, ...] | None:
        """The bands that agree as a whole, from 0; None where K has no room for them."""
        if self.same is None or bands * rows > self.values:
            return None
        agree = cut_into_bands(self.same, bands, rows).all(axis=1)
        return tuple(np.flatnonzero(agree).tolist())


def signature_of_pair(
    scan: Scan, state: ScanState, documents: tuple[int, int], *, missing: bool = False
) -> SignatureOfPair:
    """Compare the signatures of two documents of a scan; their texts are read for the numbers.

    Args:
        scan: The documents.
        state: Its state when pairs were listed last, with the signatures.
        documents: The numbers of two documents.
        missing: Whether documents are not there any more.
    """
    a, b = documents
    settings, signed = scan.settings, state.signed
    texts = scan.texts[a], scan.texts[b]
    stop_if_cancelled()
    figures = figures_of(*texts, settings, scan.exclusions_of(a, b))
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


def languages_of_pair(
    documents: Sequence[Document], judgements: Judgements, a: int, b: int
) -> tuple[str, str]:
    """The languages of two documents, as passages are looked for."""
    return language_of(documents[a], judgements), language_of(documents[b], judgements)


def shared_text(
    scan: Scan, a: int, b: int, settings: ScanSettings, judgements: Judgements | None = None
) -> SharedText:
    """What two documents share, as a list of pairs under these settings measures it.

    `judgements` say in which language texts are; by default those of when the scan was made.
    """
    languages = languages_of_pair(scan.documents, judgements or scan.decided.judgements, a, b)
    return passages.find_shared_text(
        scan.texts[a],
        scan.texts[b],
        settings,
        scan.exclusions_of(a, b),
        scan.words(settings),
        languages,
    )


MEASURED_AT_ONCE = 400_000  # characters of pairs that are not listed, a tenth of a second


def with_extra_pairs(
    scan: Scan,
    listed: PairList,
    judgements: Judgements | None = None,
    *,
    beside_lists: bool = False,
) -> PairList:
    """A list with the numbers of its `PairList.pairs_to_show`.

    Where their texts are long, the overlap is measured later.

    Args:
        scan: The scan.
        listed: Its list.
        judgements: By default those of the scan.
        beside_lists: Whether another thread may make a list meanwhile: then nothing is remembered.
    """
    if len(listed.extra_pairs):
        return listed
    pairs = listed.pairs_to_show(judgements or scan.decided.judgements)
    if not pairs:
        return listed
    corpus, signed = scan.full_corpus, scan.full_corpus.signed
    a, b = np.array(pairs, dtype=np.int64).T
    evidence = (
        EvidenceStore(scan.settings, corpus.texts, scan.pool) if beside_lists else corpus.evidence
    )
    verifier = Verifier(corpus, corpus.search(listed.settings), [], evidence)
    extra = verifier.every(pair_codes(a, b))
    evidence.settle()
    with_words = (signed.units[a] > 0) & (signed.units[b] > 0)
    has_all = scan.present == len(listed.documents) and not listed.is_of_run
    is_known = has_all or not scan.settings.depends_on_all
    extra = extra.with_columns(
        estimate=np.where(with_words & is_known, extra.estimate, np.float32(0)),
        exact_duplicate=with_words & (signed.digests[a] == signed.digests[b]).all(axis=1),
        found_by=np.zeros_like(extra.found_by),
    )
    lengths = corpus.texts.lengths
    at_once = np.flatnonzero(np.cumsum(lengths[a] + lengths[b]) <= MEASURED_AT_ONCE)
    for rows, shared in scan.measure_later(listed, extra, at_once):
        extra = with_numbers(extra, rows, shared._asdict())
    # Some have no overlap yet: the order must not depend on it.
    return replace(listed, extra_pairs=extra.worst_first() if listed.is_of_few else extra.ranked())


BOTH = 2


class CountedPassage(NamedTuple):
    """A passage of a pair.

    Attributes:
        position: Its index among the passages of the pair.
        words: How many of its words are the same in both.
        row: So many of them in a row were looked for in other documents.
        holders: How many documents have such a row, both of the pair among them.
        elsewhere: How many of the words are in a row that another document has.
        unit: What its words are.
    """

    position: int
    words: int
    row: int
    holders: int
    elsewhere: int
    unit: Unit = "word"


class RarePassages(NamedTuple):
    """How rare the passages of a pair are.

    Attributes:
        documents: How many documents there are.
        passages: Those of the pair, rarest first, then longest.
        without_common: The numbers of the pair without what stands in other documents as well;
            None where nothing does.
    """

    documents: int
    passages: tuple[CountedPassage, ...]
    without_common: PairFigures | None


def rare_passages(
    scan: Scan, pair: tuple[int, int], passages: Sequence[Passage], settings: ScanSettings
) -> RarePassages:
    """Count in how many documents the passages of a pair stand.

    Args:
        scan: A complete scan.
        pair: The numbers of both documents.
        passages: As `core.evidence.passages` finds them in these.
        settings: Those of the list.
    """
    spans = [[(run.a_start, run.a_end) for run in passage.runs] for passage in passages]
    held = holders_of(scan, pair[0], spans)
    counted = [_counted(index, passages[index], holding) for index, holding in enumerate(held)]
    ranked = sorted(
        counted, key=lambda passage: (passage.holders, passage.elsewhere, -passage.words)
    )
    runs = [run for passage in passages for run in passage.runs]
    common = [count > BOTH for holding in held for count in holding.counts]
    rest = None
    if any(passage.elsewhere for passage in counted):
        rest = _without(scan, pair, runs, common, settings)
    return RarePassages(len(scan.documents), tuple(ranked), rest)


def _counted(index: int, passage: Passage, held: Held) -> CountedPassage:
    elsewhere = sum(int((count > BOTH).sum()) for count in held.counts)
    # Words of other settings may differ.
    holders = max(held.documents, BOTH)
    return CountedPassage(
        index, passage.tokens, held.row, holders, min(elsewhere, passage.tokens), passage.unit
    )


def _without(
    scan: Scan,
    pair: tuple[int, int],
    runs: Sequence[Run],
    common: Sequence[BoolArray],
    settings: ScanSettings,
) -> PairFigures:
    """The numbers of a pair without the words of these runs that are common."""
    spans = ([(run.a_start, run.a_end) for run in runs], [(run.b_start, run.b_end) for run in runs])
    exclusions = [
        [*before, *_common_parts(scan, number, span, common)]
        for number, span, before in zip(pair, spans, scan.exclusions_of(*pair), strict=True)
    ]
    texts = [scan.texts[number] for number in pair]
    return figures_of(texts[0], texts[1], settings, (exclusions[0], exclusions[1]))


def _common_parts(
    scan: Scan, number: int, spans: Sequence[Span], common: Sequence[BoolArray]
) -> Iterator[SetAside]:
    """The words of spans of a document that are common, those in a row together."""
    words = scan.settings.with_changes(unit="word", keep_punctuation=False)
    tokens = tokenise(scan.texts[number], words, merged(scan.exclusions_of(number, number)[0]))
    for (start, end), held in zip(spans, common, strict=True):
        first = int(np.searchsorted(tokens.starts, start))
        last = int(np.searchsorted(tokens.ends, end, side="right"))
        edges = np.flatnonzero(np.diff(held[: last - first], prepend=False, append=False))
        for begin, stop in edges.reshape(-1, 2).tolist():
            first_word, last_word = first + begin, first + stop - 1
            yield SetAside(
                int(tokens.starts[first_word]), int(tokens.ends[last_word]), Reason.COMMON
            )
