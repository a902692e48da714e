"""The shared passages of one pair of documents, as spans.

1. Seeds: three consecutive words that stand in both texts.
2. Runs: seeds extended to maximal stretches that are word for word the same.
3. Chains: runs that follow each other in both texts, with gaps of a few dozen words at most, are
   joined where their length outweighs the gap (sparse dynamic programming over matches, as genome
   aligners do: Li, Minimap2, Bioinformatics 2018).
4. Passages: chains that say something, best first, as long as they show text of at least one of
   the documents that no passage before them has shown; so moved and repeated text is found and
   nothing is numbered twice.

Words are compared under the settings of the scan; scripts without spaces count characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from core.settings import ScanSettings
from core.shingling import Tokens, mix, tokenise

__all__ = ["Passage", "Run", "find_passages"]

Int64Array = npt.NDArray[np.int64]

SEED = 3  # words
LONGEST_GAP = 32  # words between two runs of one passage, in either text
GAP_COST = 0.2  # shared words that one word of a gap outweighs
LONGEST_OVERLAP = 8  # words by which neighbouring runs of a passage may overlap
TELLING_SCORE = 8.0  # shared words less gaps from which scattered short runs are a passage
NEW_TEXT = 0.5  # share of a passage, in one of the documents, that no earlier one shows
MATCHES_PER_WORD = 24  # above this the most frequent seeds are matched in turn, not with all


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
    words; `moved` says that the passage stands in another order in B than its neighbours do.
    """

    a_start: int
    a_end: int
    b_start: int
    b_end: int
    tokens: int
    runs: tuple[Run, ...]
    moved: bool = False


def find_passages(text_a: str, text_b: str, settings: ScanSettings) -> list[Passage]:
    """The shared passages of two texts, in reading order of the first."""
    words = settings.with_changes(unit="word", keep_punctuation=False)
    a, b = tokenise(text_a, words), tokenise(text_b, words)
    shortest_run = settings.k if settings.unit == "word" else SEED + 2
    shortest_run = min(max(shortest_run, SEED + 1), len(a.values), len(b.values))
    if shortest_run == 0:
        return []
    chains = _telling_chains(a.values, b.values, shortest_run)
    chains.sort(key=lambda chain: (chain[0, 0], chain[0, 1]))
    moved = _moved(chains)
    return [_passage(chain, a, b, moved[index]) for index, chain in enumerate(chains)]


def _telling_chains(
    a: npt.NDArray[np.uint64], b: npt.NDArray[np.uint64], shortest_run: int
) -> list[Int64Array]:
    """Chains of runs worth showing; each int64 (runs, 3): place in A, place in B, words."""
    runs = _find_runs(a, b, min(SEED, len(a), len(b)))
    if not len(runs):
        return []
    scores, before = _chain_runs(runs)
    shown_a, shown_b = np.zeros(len(a), dtype=np.bool_), np.zeros(len(b), dtype=np.bool_)
    found: list[tuple[float, Int64Array]] = []
    used = np.zeros(len(runs), dtype=np.bool_)
    for last in np.argsort(-scores, kind="stable"):
        if not used[last]:
            chain, score = _unwind(runs, scores, before, used, int(last))
            if score >= TELLING_SCORE or chain[:, 2].max() >= shortest_run:
                found.append((score, chain))
    found.sort(key=lambda item: -item[0])
    kept = (_new_part(chain, shown_a, shown_b) for _, chain in found)
    return [chain for chain in kept if len(chain)]


def _new_part(
    chain: Int64Array, shown_a: npt.NDArray[np.bool_], shown_b: npt.NDArray[np.bool_]
) -> Int64Array:
    """What of a chain is worth showing after the passages before it; marks it as shown."""
    new_a = (~shown_a[_span(chain, 0)]).mean()
    new_b = (~shown_b[_span(chain, 1)]).mean()
    if max(new_a, new_b) < NEW_TEXT:
        return chain[:0]
    if min(new_a, new_b) >= NEW_TEXT:
        chain = _trim(chain, shown_a, shown_b)
    if len(chain):
        shown_a[_span(chain, 0)] = True
        shown_b[_span(chain, 1)] = True
    return chain


def _trim(
    chain: Int64Array, shown_a: npt.NDArray[np.bool_], shown_b: npt.NDArray[np.bool_]
) -> Int64Array:
    """Cut the ends of a chain that earlier passages show."""
    words = np.repeat(chain[:, :2], chain[:, 2], axis=0)
    run = np.repeat(np.arange(len(chain)), chain[:, 2])
    step = np.arange(len(run)) - np.repeat(np.cumsum(chain[:, 2]) - chain[:, 2], chain[:, 2])
    fresh = np.flatnonzero(~(shown_a[words[:, 0] + step] | shown_b[words[:, 1] + step]))
    if not len(fresh):
        return chain[:0]
    first, last = fresh[0], fresh[-1]
    trimmed = chain[run[first] : run[last] + 1].copy()
    trimmed[-1, 2] = step[last] + 1
    trimmed[0] += (step[first], step[first], -step[first])
    return trimmed


def _span(chain: Int64Array, side: int) -> slice:
    return slice(int(chain[0, side]), int(chain[-1, side] + chain[-1, 2]))


def _moved(chains: list[Int64Array]) -> list[bool]:
    """All but the heaviest set of chains that keep their order in B."""
    if not chains:
        return []
    start = [int(chain[0, 1]) for chain in chains]
    weight = [int(chain[:, 2].sum()) for chain in chains]
    best, before = _heaviest_in_order(np.array(start), np.array(weight))
    moved = [True] * len(chains)
    place = int(np.argmax(best))
    while place >= 0:
        moved[place] = False
        place = int(before[place])
    return moved


def _passage(chain: Int64Array, a: Tokens, b: Tokens, moved: bool) -> Passage:  # noqa: FBT001
    last = chain[:, 2] - 1
    a_starts, a_ends = a.starts[chain[:, 0]], a.ends[chain[:, 0] + last]
    b_starts, b_ends = b.starts[chain[:, 1]], b.ends[chain[:, 1] + last]
    columns = (a_starts, a_ends, b_starts, b_ends, chain[:, 2])
    runs = tuple(Run(*row) for row in zip(*(column.tolist() for column in columns), strict=True))
    return Passage(
        runs[0].a_start,
        runs[-1].a_end,
        runs[0].b_start,
        runs[-1].b_end,
        sum(run.tokens for run in runs),
        runs,
        moved,
    )


def _unwind(
    runs: Int64Array,
    scores: npt.NDArray[np.float64],
    before: Int64Array,
    used: npt.NDArray[np.bool_],
    last: int,
) -> tuple[Int64Array, float]:
    """The chain that ends with a run, as far as no other chain has taken it, and its score."""
    places = []
    place, score = last, float(scores[last])
    while place >= 0 and not used[place]:
        used[place] = True
        places.append(place)
        place = int(before[place])
    if place >= 0:
        score -= float(scores[place])
    chain = runs[places[::-1]].copy()
    for index in range(1, len(chain)):
        earlier = chain[index - 1]
        overlap = max(0, *(earlier[:2] + earlier[2] - chain[index, :2]).tolist())
        chain[index] += (overlap, overlap, -overlap)
    return chain, score


def _find_runs(a: npt.NDArray[np.uint64], b: npt.NDArray[np.uint64], seed: int) -> Int64Array:
    """Maximal common runs of at least `seed` words, ordered by their end in A; int64 (n, 3)."""
    grams_a, grams_b = _grams(a, seed), _grams(b, seed)
    order = np.argsort(grams_a, kind="stable")
    ordered = grams_a[order]
    low = np.searchsorted(ordered, grams_b, side="left")
    high = np.searchsorted(ordered, grams_b, side="right")
    limit = _frequency_limit(grams_b, high - low, MATCHES_PER_WORD * (len(a) + len(b)))
    low, high = _match_in_turn(grams_b, low, high, limit)
    found = _extend_seeds(grams_a, grams_b, order, low, high, seed)
    runs: Int64Array = np.concatenate([found, _common_ends(a, b)])
    return np.take(runs, np.argsort(runs[:, 0] + runs[:, 2], kind="stable"), axis=0)


def _common_ends(a: npt.NDArray[np.uint64], b: npt.NDArray[np.uint64]) -> Int64Array:
    """What two texts share at their beginning and end, however often they repeat themselves."""
    shorter = min(len(a), len(b))
    differs = np.flatnonzero(a[:shorter] != b[:shorter])
    head = int(differs[0]) if len(differs) else shorter
    differs = np.flatnonzero(a[len(a) - shorter :] != b[len(b) - shorter :])
    tail = shorter - 1 - int(differs[-1]) if len(differs) else shorter
    ends = np.array([[0, 0, head], [len(a) - tail, len(b) - tail, tail]], dtype=np.int64)
    return ends[ends[:, 2] > 0]


def _frequency_limit(grams_b: npt.NDArray[np.uint64], matches: Int64Array, budget: int) -> int:
    """The largest number of places in A a seed may have so that all matches are within budget."""
    if matches.sum() <= budget:
        return len(grams_b) + int(matches.max(initial=0))
    ordered = np.sort(matches)
    within = int(np.searchsorted(np.cumsum(ordered), budget))
    return max(1, int(ordered[max(0, within - 1)]) - 1)


def _match_in_turn(
    grams_b: npt.NDArray[np.uint64], low: Int64Array, high: Int64Array, limit: int
) -> tuple[Int64Array, Int64Array]:
    """Leave a seed that is too frequent one place in A: the n-th one for its n-th time in B."""
    ordered = np.argsort(grams_b, kind="stable")
    values = grams_b[ordered]
    turn = np.empty_like(low)
    turn[ordered] = np.arange(len(values)) - np.searchsorted(values, values, side="left")
    places = high - low
    chosen = low + turn % np.maximum(places, 1)
    frequent = places > limit
    return np.where(frequent, chosen, low), np.where(frequent, chosen + 1, high)


@njit(nogil=True, cache=True)
def _grams(values: Any, length: Any) -> Any:  # noqa: ANN401
    grams = np.empty(max(0, len(values) - length + 1), dtype=np.uint64)
    for place in range(len(grams)):
        rolling = np.uint64(0)
        for step in range(length):
            rolling = mix(rolling + values[place + step])
        grams[place] = rolling
    return grams


@njit(nogil=True, cache=True)
def _extend_seeds(
    grams_a: Any,  # noqa: ANN401
    grams_b: Any,  # noqa: ANN401
    order: Any,  # noqa: ANN401
    low: Any,  # noqa: ANN401
    high: Any,  # noqa: ANN401
    seed: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Extend every seed that begins a run; a match that was left out can be inside one."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    runs = np.empty((1024, 3), dtype=np.int64)
    count = 0
    for b in range(len(grams_b)):
        for index in range(low[b], high[b]):
            a = order[index]
            first_a, first_b = a, b
            begins = True
            while first_a > 0 and first_b > 0 and grams_a[first_a - 1] == grams_b[first_b - 1]:
                first_a -= 1
                first_b -= 1
                if low[first_b] <= rank[first_a] < high[first_b]:
                    begins = False  # that match begins or continues the run
                    break
            if not begins:
                continue
            end_a, end_b = a + 1, b + 1
            while (
                end_a < len(grams_a) and end_b < len(grams_b) and grams_a[end_a] == grams_b[end_b]
            ):
                end_a += 1
                end_b += 1
            if count == len(runs):
                grown = np.empty((2 * count, 3), dtype=np.int64)
                grown[:count] = runs
                runs = grown
            runs[count, 0] = first_a
            runs[count, 1] = first_b
            runs[count, 2] = end_a - first_a + seed - 1
            count += 1
    return runs[:count].copy()


@njit(nogil=True, cache=True)
def _chain_runs(runs: Any) -> Any:  # noqa: ANN401
    """For each run, ordered by end in A: best score of a chain ending there, and the run before.

    A chain scores its shared words less the cost of its gaps.
    """
    count = len(runs)
    ends = runs[:, 0] + runs[:, 2]
    scores = np.empty(count, dtype=np.float64)
    before = np.full(count, -1, dtype=np.int64)
    for run in range(count):
        a, b, words = runs[run]
        scores[run] = words
        earlier = min(run, np.searchsorted(ends, a + LONGEST_OVERLAP, side="right")) - 1
        while earlier >= 0 and ends[earlier] >= a - LONGEST_GAP:
            gap_a = a - ends[earlier]
            gap_b = b - runs[earlier, 1] - runs[earlier, 2]
            overlap = max(0, -gap_a, -gap_b)
            behind = runs[earlier, 0] < a and runs[earlier, 1] < b
            if behind and overlap < min(words, LONGEST_OVERLAP + 1) and gap_b <= LONGEST_GAP:
                score = scores[earlier] + words - overlap - GAP_COST * max(gap_a, gap_b, 0)
                if score > scores[run]:
                    scores[run] = score
                    before[run] = earlier
            earlier -= 1
    return scores, before


@njit(nogil=True, cache=True)
def _heaviest_in_order(start: Any, weight: Any) -> Any:  # noqa: ANN401
    """Heaviest increasing subsequence that ends at each place, and the place before it."""
    best = np.zeros(len(start), dtype=np.int64)
    before = np.full(len(start), -1, dtype=np.int64)
    for place in range(len(start)):
        for earlier in range(place):
            if start[earlier] < start[place] and best[earlier] > best[place]:
                best[place] = best[earlier]
                before[place] = earlier
        best[place] += weight[place]
    return best, before
