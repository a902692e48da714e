"""The shared passages of one pair of documents, as spans.

1. Runs: maximal stretches that are word for word the same (`core.evidence.shared_runs`).
2. Chains: runs that follow each other in both texts, with gaps of a few dozen words at most, are
   joined where their length outweighs the gap (`core.evidence.chains`).
3. Chance: what two texts of this length, with words as common as theirs, share anyway is left out
   (`core.evidence.chance`).
4. Passages: chains that say something, best first, as long as they show text of at least one of
   the documents that no passage before them has shown; so moved and repeated text is found and
   nothing is numbered twice (`core.evidence.passage_selection`).

Words are compared under the settings of the scan; scripts without spaces count characters. The
time is nearly linear in the length of both texts, whatever they say.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.progress import Cancelled, never, stop_if
from core.evidence.passage_selection import OTHER_GAP, PassageCriteria, significant_chains
from core.settings import ScanSettings, Unit
from core.text.characters import ALONE, alphabet, code_points
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import Tokens, tokenise

__all__ = ["Floor", "Passage", "Run", "SharedText", "find_passages", "find_shared_text"]


class Run(NamedTuple):
    """A stretch of text that is word for word the same; character spans, ends excluded."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that both documents share, with small differences allowed inside.

    The spans are offsets in code points of the two texts, ends excluded. `runs` are the stretches
    inside that are word for word the same, in reading order; `tokens` is their total length in
    words; `moved` says that the passage stands in another order in B than its neighbours do;
    `bits` is its information, less what its gaps cost (`core.evidence.chance`). `a_tokens` and
    `b_tokens` are the words from its beginning to its end in A and in B, with those that differ;
    `unit` says what its words are: "char" where most of them are letters of a script without
    spaces.
    """

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    tokens: int
    runs: tuple[Run, ...]
    moved: bool = False
    bits: float = 0.0
    a_tokens: int = 0
    b_tokens: int = 0
    unit: Unit = "word"

    @property
    def length(self) -> int:
        """Words from its beginning to its end, in the text where these are more."""
        return max(self.tokens, self.a_tokens, self.b_tokens)

    @property
    def longest_run(self) -> int:
        """The most words in a row that are the same."""
        return max(run.tokens for run in self.runs)


class Floor(NamedTuple):
    """From where on what two texts share is more than chance.

    Attributes:
        bits: Information that a passage needs.
        tokens: About how many words of these texts that are.
        unit: What most words of these texts are.
    """

    bits: float
    tokens: int
    unit: Unit


class SharedText(NamedTuple):
    """The passages of two texts, in reading order of the first, and what is too little for one."""

    passages: list[Passage]
    floor: Floor


def find_passages(
    text_a: str, text_b: str, settings: ScanSettings, cancelled: Cancelled = never
) -> list[Passage]:
    """The shared passages of two texts, in reading order of the first."""
    return find_shared_text(text_a, text_b, settings, cancelled).passages


def find_shared_text(
    text_a: str,
    text_b: str,
    settings: ScanSettings,
    cancelled: Cancelled = never,
    set_aside: tuple[Sequence[SetAside], Sequence[SetAside]] = ((), ()),
) -> SharedText:
    """The shared passages of two texts, and the floor under which nothing is called a passage.

    Args:
        text_a: A text.
        text_b: Another one.
        settings: How words are compared. A run of k words, or one that lists the pair by itself,
            is the shortest that is a passage alone.
        cancelled: Polled between the steps, each of which takes a fraction of a second at most.
        set_aside: What of either text does not count: no passage runs over it.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    words = settings.with_changes(unit="word", keep_punctuation=False)
    a = tokenise(text_a, words, merged(set_aside[0]))
    stop_if(cancelled)
    b = tokenise(text_b, words, merged(set_aside[1]))
    b.values[b.values == GAP] = OTHER_GAP
    stop_if(cancelled)
    worth = PassageCriteria.of(a.values, b.values, settings, cancelled)
    stop_if(cancelled)
    alone = _count_alone(text_a, a, words)
    unit = _unit(int(alone[-1] + _count_alone(text_b, b, words)[-1]), len(a.starts) + len(b.starts))
    floor = Floor(worth.information.least, worth.least_tokens, unit)
    chains = significant_chains(a.values, b.values, worth, cancelled)
    stop_if(cancelled)
    chains.sort(key=lambda chain: (chain[0, 0], chain[0, 1]))
    passages = []
    for chain, moved in zip(chains, _moved(chains), strict=True):
        stop_if(cancelled)
        bits, unit = worth.bits_of(chain), _unit_of(chain, alone)
        passages.append(replace(_passage(chain, a, b), moved=moved, bits=bits, unit=unit))
    return SharedText(passages, floor)


def _count_alone(text: str, tokens: Tokens, settings: ScanSettings) -> Int64Array:
    """How many of the first words of a text are letters of a script without spaces."""
    kind = alphabet(settings).kind
    counts = np.zeros(len(tokens.starts) + 1, dtype=np.int64)
    np.cumsum(kind[code_points(text)[tokens.starts]] == ALONE, out=counts[1:])
    return counts


def _unit_of(chain: Int64Array, alone: Int64Array) -> Unit:
    first, last = chain[0, 0], chain[-1, 0] + chain[-1, 2]
    return _unit(int(alone[last] - alone[first]), int(last - first))


def _unit(alone: int, words: int) -> Unit:
    return "char" if 2 * alone > words else "word"


def _moved(chains: list[Int64Array]) -> list[bool]:
    """All but the heaviest set of chains that keep their order in B, and those inside of one."""
    if not chains:
        return []
    start = [int(chain[0, 1]) for chain in chains]
    weight = [int(chain[:, 2].sum()) for chain in chains]
    best, before = _heaviest_in_order(start, weight)
    in_order = []
    place = best.index(max(best))
    while place >= 0:
        in_order.append(place)
        place = before[place]
    moved = [True] * len(chains)
    reached = np.zeros(2, dtype=np.int64)
    for place in reversed(in_order):
        end = chains[place][-1, :2] + chains[place][-1, 2]
        moved[place] = bool((end <= reached).all())
        reached = np.maximum(reached, end)
    return moved


def _heaviest_in_order(start: list[int], weight: list[int]) -> tuple[list[int], list[int]]:
    """Heaviest increasing subsequence that ends at each place, and the place before it."""
    best: list[int] = []
    before: list[int] = []
    ends: list[tuple[int, int]] = []  # start and place: the heavier ones, each further on in B
    for place, (here, own) in enumerate(zip(start, weight, strict=True)):
        index = bisect_left(ends, (here, -1))
        before.append(ends[index - 1][1] if index else -1)
        best.append(own + (best[before[-1]] if index else 0))
        last = index
        while last < len(ends) and best[ends[last][1]] <= best[place]:
            last += 1
        ends[index:last] = [(here, place)]
    return best, before


def _passage(chain: Int64Array, a: Tokens, b: Tokens) -> Passage:
    last = chain[:, 2] - 1
    a_starts, a_ends = a.starts[chain[:, 0]], a.ends[chain[:, 0] + last]
    b_starts, b_ends = b.starts[chain[:, 1]], b.ends[chain[:, 1] + last]
    columns = (a_starts, a_ends, b_starts, b_ends, chain[:, 2])
    runs = tuple(Run(*row) for row in zip(*(column.tolist() for column in columns), strict=True))
    a_tokens, b_tokens = (chain[-1, :2] + chain[-1, 2] - chain[0, :2]).tolist()
    return Passage(
        runs[0].a_start,
        runs[-1].a_end,
        runs[0].b_start,
        runs[-1].b_end,
        sum(run.tokens for run in runs),
        runs,
        a_tokens=a_tokens,
        b_tokens=b_tokens,
    )
