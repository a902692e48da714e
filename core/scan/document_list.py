"""The documents of a scan as they are listed: language, length, how much of each is in others.

How much of a text stands in others is measured where its text is compared with theirs
(`shared_parts`). Until then it is the share of its fingerprints that another document holds, too.
They are drawn evenly from the text (`core.signatures.winnowing`), so the share is an estimate, and
never less than the overlap of a pair.

The documents to compare with are those in a listed pair with it and those that hold one of its
fingerprints, also where so many do that no pairs are made of it: every run that is as long as a
passage has one. What two texts share are their passages (`core.evidence.passages`), so that of a
document that shares with one other only, this is its side of the overlap. Documents with the same
words are compared once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, begins_run
from core.base.tasks import results_of, stop_if_cancelled
from core.candidates.shared_fingerprints import document_bits, sorted_fingerprints
from core.candidates.sorted_keys import distinct, members
from core.documents.model import Role
from core.evidence.pairs import Pairs
from core.evidence.passages import PairText, find_shared
from core.scan.judgements import language_of
from core.scan.scan import Scan
from core.scan.state import ScanState, to_review
from core.settings import ScanSettings
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import Fingerprints, tokenise


class DocumentColumns(NamedTuple):
    """Numbers of all documents, row for row.

    Attributes:
        units: int64, words or characters, as the settings count them.
        pairs: int64, in how many listed pairs.
        highest: float64, the largest share of its words that stands in one other document: its side
            of the overlap of a pair, or where that was not measured the containment; 0 without.
        elsewhere: float64, the share of the text that stands in other documents, estimated.
        set_aside: float64, the share of its characters that is set aside.
    """

    units: Int64Array
    pairs: Int64Array
    highest: Float64Array
    elsewhere: Float64Array
    set_aside: Float64Array


def document_columns(state: ScanState, pairs: Pairs) -> DocumentColumns:
    """The numbers of the documents of a scan, under a list of its pairs."""
    count = len(state.documents)
    both = np.concatenate([pairs.a, pairs.b])
    overlaps = np.concatenate([pairs.overlap_a, pairs.overlap_b])
    contained = np.concatenate([pairs.containment_a, pairs.containment_b])
    highest = np.zeros(count)
    np.maximum.at(highest, both, np.where(overlaps < 0, contained, overlaps))
    stop_if_cancelled()
    shares = _shares_elsewhere(state.signed.fingerprints, to_review(state.documents))
    return DocumentColumns(
        units=state.signed.units,
        pairs=np.bincount(both, minlength=count),
        highest=highest,
        elsewhere=np.maximum(shares, highest),
        set_aside=_shares_set_aside(state),
    )


def _shares_elsewhere(fingerprints: Fingerprints, are_reviewed: BoolArray) -> Float64Array:
    """The share of the fingerprints of each text that another one holds too.

    Of a reference only what a document to review holds: references are not compared.
    """
    count = len(fingerprints.counts)
    bits = document_bits(count)
    everyone: BoolArray = np.ones(count, dtype=np.bool_)
    keys = sorted_fingerprints(fingerprints, everyone, bits)
    stop_if_cancelled()
    if not len(keys):
        return np.zeros(count)
    keys = keys[begins_run(keys)]
    is_first = np.append(True, (keys[1:] ^ keys[:-1]) >> bits > 0)
    stop_if_cancelled()
    numbers = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    starts = np.flatnonzero(is_first)
    held = np.diff(np.append(starts, len(keys)))
    reviewed = np.add.reduceat(are_reviewed[numbers].astype(np.int64), starts)
    is_shared = np.repeat((held > 1) & (reviewed > 0), held)
    totals = np.bincount(numbers, minlength=count)
    shared = np.bincount(numbers[is_shared], minlength=count)
    return shared / np.maximum(totals, 1)


def _shares_set_aside(state: ScanState) -> Float64Array:
    """The share of the characters of each text that is set aside."""
    shares = np.zeros(len(state.documents))
    for number, spans in state.set_aside.items():
        left_out = int(np.diff(merged(spans)).sum())
        shares[number] = left_out / max(state.documents[number].characters, 1)
    return shares


AHEAD = 8  # comparisons under way: those that have not begun are dropped when it is cancelled
PROGRESS_SECONDS = 0.3  # seconds between two reports of what is known so far


class SharedPart(NamedTuple):
    """A part of a text that the same documents share from its beginning to its end.

    Attributes:
        start: Where it begins, in code points.
        end: Where it ends.
        documents: How many other documents hold it.
    """

    start: int
    end: int
    documents: int


class SharedParts(NamedTuple):
    """The parts of a text that other documents share.

    Attributes:
        parts: In the order of the text; they do not overlap.
        spans: int64 (n, 3): start and end of what is in another text, and the number of that text.
        holders: By the number of a text the documents that have it.
        share: Of the words that count, how many stand in another document, 0 to 1.
        compared: With how many documents it was compared by now.
        total: With how many it is to be compared.
    """

    parts: tuple[SharedPart, ...]
    spans: Int64Array
    holders: tuple[tuple[int, ...], ...]
    share: float
    compared: int
    total: int

    @property
    def documents(self) -> int:
        """How many other documents share something."""
        return sum(len(self.holders[text]) for text in set(self.spans[:, 2].tolist()))

    def who(self, part: SharedPart) -> tuple[int, ...]:
        """The documents that hold a part, those most like the document first."""
        overlaps = (self.spans[:, 0] < part.end) & (self.spans[:, 1] > part.start)
        texts = sorted(set(self.spans[overlaps, 2].tolist()))
        return tuple(chain.from_iterable(self.holders[text] for text in texts))


def shared_parts(
    scan: Scan,
    state: ScanState,
    pairs: Pairs,
    document: int,
    *,
    on_progress: Callable[[SharedParts], None] = lambda _parts: None,
) -> SharedParts:
    """Compare a document with all others that share something with it.

    Args:
        scan: Whose texts are read, on whose threads.
        state: What is kept of it; its settings say what a passage is.
        pairs: The pairs that are listed.
        document: Its number.
        on_progress: Called now and then with what is known so far.
    """
    holders = _holders(state, pairs, document)
    text = _read(scan, state, document)
    collector = SharedPartsCollector(
        text.text, state.settings, scan.exclusions_of(document, document)[0], holders
    )
    compare = _comparison(scan, state, text)
    tasks = (scan.pool.submit(compare, same[0]) for same in holders)
    last = time.monotonic()
    for spans in results_of(tasks, AHEAD):
        collector.add(spans)
        if time.monotonic() - last >= PROGRESS_SECONDS:
            on_progress(collector.parts())
            last = time.monotonic()
    return collector.parts()


def _comparison(
    scan: Scan, state: ScanState, document_text: PairText
) -> Callable[[int], Int64Array]:
    """A function for the spans of a text that another document has, as the compare view shows."""
    folder = scan.words(state.settings)

    def compare(number: int) -> Int64Array:
        text = _read(scan, state, number)
        passages = find_shared(document_text, text, state.settings, folder).passages
        return merged([SetAside(passage.a_start, passage.a_end) for passage in passages])

    return compare


def _read(scan: Scan, state: ScanState, number: int) -> PairText:
    """The text of a document as passages are looked for in it."""
    exclusions = scan.exclusions_of(number, number)[0]
    language = language_of(state.documents[number], state.judgements)
    return PairText(scan.texts[number], state.settings, exclusions, language)


class SharedPartsCollector:
    """Collects the parts of a text that others share, while one after the other is compared."""

    def __init__(
        self,
        text: str,
        settings: ScanSettings,
        set_aside: Sequence[SetAside],
        holders: Sequence[tuple[int, ...]],
    ) -> None:
        words = settings.with_changes(unit="word", keep_punctuation=False)
        tokens = tokenise(text, words, merged(set_aside))
        self._words = tokens.starts[tokens.values != GAP]
        self._holders = tuple(holders)
        self._sizes = np.array([len(same) for same in holders], dtype=np.int64)
        self._spans: list[Int64Array] = []

    def add(self, spans: Int64Array) -> None:
        """Add the spans that the next text shares, int64 (n, 2), without overlaps."""
        number = np.full((len(spans), 1), len(self._spans), dtype=np.int64)
        self._spans.append(np.hstack([spans, number]))

    def parts(self) -> SharedParts:
        """What is known so far."""
        spans = np.concatenate([np.empty((0, 3), dtype=np.int64), *self._spans])
        starts, ends, counts = self._segments(spans)
        segment = np.searchsorted(starts, self._words, side="right") - 1
        shared = (segment >= 0) & (self._words < np.append(ends, 0)[segment])
        return SharedParts(
            tuple(map(SharedPart, starts.tolist(), ends.tolist(), counts.tolist())),
            spans,
            self._holders,
            float(shared.sum() / max(len(self._words), 1)),
            int(self._sizes[: len(self._spans)].sum()),
            int(self._sizes.sum()),
        )

    def _segments(self, spans: Int64Array) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Where a text is in the same other documents: start, end, number of these."""
        sizes = self._sizes[spans[:, 2]]
        edges = np.concatenate([spans[:, 0], spans[:, 1]])
        order = np.argsort(edges, kind="stable")
        edges = edges[order]
        counts = np.cumsum(np.concatenate([sizes, -sizes])[order])
        last = np.append(edges[1:] != edges[:-1], True) if len(edges) else np.zeros(0, np.bool_)
        edges, counts = edges[last], counts[last]
        held = np.flatnonzero(counts > 0)
        return edges[held], edges[held + 1], counts[held]


def _holders(state: ScanState, pairs: Pairs, document: int) -> list[tuple[int, ...]]:
    """The documents to compare with, those with the same words together, the most alike first."""
    count = len(state.documents)
    alike, listed = np.zeros(count), np.zeros(count, dtype=np.bool_)
    for first, second in ((pairs.a, pairs.b), (pairs.b, pairs.a)):
        rows = first == document
        alike[second[rows]] = pairs.resemblance[rows]
        listed[second[rows]] = True
    stop_if_cancelled()
    shared = _shared_fingerprints(state, document)
    digests = state.signed.digests
    same = (digests == digests[document]).all(axis=1) & (state.signed.units > 0)
    alike[same] = 1
    is_holder = listed | (shared > 0) | same
    is_holder[document] = False
    is_holder &= ~_not_compared(state, document)
    numbers = np.flatnonzero(is_holder)
    order = np.lexsort((numbers, -shared[numbers], -alike[numbers]))
    texts: dict[tuple[int, ...], list[int]] = {}
    for number in numbers[order].tolist():
        texts.setdefault(tuple(digests[number].tolist()), []).append(number)
    return [tuple(sorted(numbers)) for numbers in texts.values()]


def _not_compared(state: ScanState, document: int) -> BoolArray:
    """The documents that this one is not compared with, whatever they share: see `Role`."""
    roles = {Role.TEMPLATE}
    if state.documents[document].role is Role.REFERENCE:
        roles.add(Role.REFERENCE)
    return np.array([scanned.role in roles for scanned in state.documents], dtype=np.bool_)


def _shared_fingerprints(state: ScanState, document: int) -> Int64Array:
    """How many of the fingerprints of a document each document holds, counted where they stand."""
    values, counts = state.signed.fingerprints
    end = int(counts[: document + 1].sum())
    fingerprints = distinct([values[end - int(counts[document]) : end]])
    held = np.append(0, np.cumsum(members(fingerprints, values)))
    ends = np.cumsum(counts)
    shared: Int64Array = held[ends] - held[ends - counts]
    return shared
