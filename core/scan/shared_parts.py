"""One document against all others: which parts of its text they share, and who.

The documents to compare with are those in a listed pair with it and those that hold one of its
fingerprints, also where so many do that no pairs are made of it: every run that is as long as a
passage has one. What two texts share are the runs of their passages (`core.evidence.passages`) that
tell something alone: the single words that a reworked passage has kept are none. Documents with the
same words are compared once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.base.tasks import Cancelled, never, results_of, stop_if
from core.candidates.sorted_keys import distinct, members
from core.documents.model import Role
from core.evidence.pairs import Pairs
from core.evidence.passage_selection import shortest_run
from core.evidence.passages import PairText, find_shared
from core.scan.pair_text import language_of
from core.scan.scan import Scan
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import tokenise

AHEAD = 8  # comparisons under way: those that have not begun are dropped when it is cancelled
TOLD = 0.3  # seconds between two reports of what is known by then


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
    """What other documents share of a text.

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
        there = (self.spans[:, 0] < part.end) & (self.spans[:, 1] > part.start)
        texts = sorted(set(self.spans[there, 2].tolist()))
        return tuple(chain.from_iterable(self.holders[text] for text in texts))


def shared_parts(
    scan: Scan,
    state: ScanState,
    pairs: Pairs,
    document: int,
    *,
    told: Callable[[SharedParts], None] = lambda _parts: None,
    cancelled: Cancelled = never,
) -> SharedParts:
    """Compare a document with all others that share something with it.

    Args:
        scan: Whose texts are read, on whose threads.
        state: What is kept of it; its settings say what a passage is.
        pairs: The pairs that are listed.
        document: Its number.
        told: Called now and then with what is known by then.
        cancelled: Polled while it is compared.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    holders = _holders(state, pairs, document, cancelled)
    own = _read(scan, state, document)
    found = Found(own.text, state.settings, scan.aside(document, document)[0], holders)
    compare = _comparison(scan, state, own, cancelled)
    begun = (scan.pool.submit(compare, same[0]) for same in holders)
    last = time.monotonic()
    for spans in results_of(begun, cancelled, AHEAD):
        found.add(spans)
        if time.monotonic() - last >= TOLD:
            told(found.parts())
            last = time.monotonic()
    return found.parts()


def _comparison(
    scan: Scan, state: ScanState, own: PairText, cancelled: Cancelled
) -> Callable[[int], Int64Array]:
    """What says which spans of a text another document has, as the compare view shows them."""
    folder = None if state.settings.reworked == "off" else scan.words(cancelled)

    def compare(other: int) -> Int64Array:
        text = _read(scan, state, other)
        shared = find_shared(own, text, state.settings, cancelled, folder)
        least = min(shortest_run(state.settings), len(own.values), len(text.values))
        runs = (run for passage in shared.passages for run in passage.runs)
        return merged([SetAside(run.a_start, run.a_end) for run in runs if run.tokens >= least])

    return compare


def _read(scan: Scan, state: ScanState, number: int) -> PairText:
    """The text of a document as passages are looked for in it."""
    aside = scan.aside(number, number)[0]
    language = language_of(state.documents[number], state.judgements) or None
    return PairText(scan.texts[number], state.settings, aside, language)


class Found:
    """What is known of the parts of a text while one text after the other is compared with it."""

    def __init__(
        self,
        text: str,
        settings: ScanSettings,
        set_aside: Sequence[SetAside],
        holders: Sequence[tuple[int, ...]],
    ) -> None:
        words = settings.with_changes(unit="word", keep_punctuation=False)
        values, starts, _ = tokenise(text, words, merged(set_aside))
        self._words = starts[values != GAP]
        self._holders = tuple(holders)
        self._sizes = np.array([len(same) for same in holders], dtype=np.int64)
        self._spans: list[Int64Array] = []

    def add(self, spans: Int64Array) -> None:
        """What the next text shares, int64 (n, 2), without overlaps."""
        number = np.full((len(spans), 1), len(self._spans), dtype=np.int64)
        self._spans.append(np.hstack([spans, number]))

    def parts(self) -> SharedParts:
        """What is known by now."""
        spans = np.concatenate([np.empty((0, 3), dtype=np.int64), *self._spans])
        starts, ends, counts = self._segments(spans)
        place = np.searchsorted(starts, self._words, side="right") - 1
        shared = (place >= 0) & (self._words < np.append(ends, 0)[place])
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


def _holders(
    state: ScanState, pairs: Pairs, document: int, cancelled: Cancelled
) -> list[tuple[int, ...]]:
    """The documents to compare with, those with the same words together, the most alike first."""
    count = len(state.documents)
    alike = np.zeros(count)
    for here, there in ((pairs.a, pairs.b), (pairs.b, pairs.a)):
        rows = here == document
        alike[there[rows]] = pairs.resemblance[rows]
    listed = np.zeros(count, dtype=np.bool_)
    for here, there in ((pairs.a, pairs.b), (pairs.b, pairs.a)):
        listed[there[here == document]] = True
    stop_if(cancelled)
    shared = _shared_fingerprints(state, document)
    digests = state.signed.digests
    same = (digests == digests[document]).all(axis=1) & (state.signed.units > 0)
    alike[same] = 1
    found = listed | (shared > 0) | same
    found[document] = False
    found &= ~_not_compared(state, document)
    numbers = np.flatnonzero(found)
    order = np.lexsort((numbers, -shared[numbers], -alike[numbers]))
    texts: dict[tuple[int, ...], list[int]] = {}
    for number in numbers[order].tolist():
        texts.setdefault(tuple(digests[number].tolist()), []).append(number)
    return [tuple(sorted(numbers)) for numbers in texts.values()]


def _not_compared(state: ScanState, document: int) -> BoolArray:
    """The documents that one is not compared with, whatever they share: see `Role`."""
    apart = {Role.TEMPLATE}
    if state.documents[document].role is Role.REFERENCE:
        apart.add(Role.REFERENCE)
    return np.array([one.role in apart for one in state.documents], dtype=np.bool_)


def _shared_fingerprints(state: ScanState, document: int) -> Int64Array:
    """How many of the fingerprints of a document each document holds, counted where they stand."""
    values, counts = state.signed.fingerprints
    end = int(counts[: document + 1].sum())
    own = distinct([values[end - int(counts[document]) : end]])
    held = np.append(0, np.cumsum(members(own, values)))
    ends = np.cumsum(counts)
    shared: Int64Array = held[ends] - held[ends - counts]
    return shared
