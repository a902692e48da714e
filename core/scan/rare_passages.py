"""Which passages of a pair are rare in its folder, and what is left of the pair without the others.

A passage that only these two documents hold says more than one that stands in many. A passage
stands for its longest stretch that is word for word the same: in how many documents that stands is
counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.base.progress import Cancelled, never
from core.evidence.pairs import PairFigures
from core.evidence.passages import Passage, Run
from core.evidence.single_pair import figures_of
from core.scan.passages import holders_of
from core.scan.scan import Scan
from core.settings import ScanSettings, Unit
from core.text.set_aside import Reason, SetAside

__all__ = ["BOTH", "MOST_COUNTED", "CountedPassage", "RarePassages", "rare_passages"]

MOST_COUNTED = 64  # the longest ones
BOTH = 2


class CountedPassage(NamedTuple):
    """A passage of a pair.

    Attributes:
        place: Its place among the passages of the pair, from 0.
        words: How long the stretch is that was looked for.
        holders: In how many documents it stands.
        unit: What its words are.
    """

    place: int
    words: int
    holders: int
    unit: Unit = "word"


class RarePassages(NamedTuple):
    """How rare the passages of a pair are.

    Attributes:
        documents: How many documents there are.
        passages: Those that were counted, rarest first, then longest.
        of: How many passages the pair has.
        without_common: The numbers of the pair without the passages that stand in other documents
            as well; None where there are none.
    """

    documents: int
    passages: tuple[CountedPassage, ...]
    of: int
    without_common: PairFigures | None


def rare_passages(
    scan: Scan,
    pair: tuple[int, int],
    passages: Sequence[Passage],
    settings: ScanSettings,
    cancelled: Cancelled = never,
) -> RarePassages:
    """Count in how many documents the passages of a pair stand.

    Args:
        scan: A complete scan.
        pair: The numbers of both documents.
        passages: As `core.evidence.passages` finds them in these.
        settings: Those of the list.
        cancelled: Polled while all texts are read.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    by_length = sorted(range(len(passages)), key=lambda place: -passages[place].longest_run)
    places = by_length[:MOST_COUNTED]
    runs = [max(passages[place].runs, key=lambda run: run.tokens) for place in places]
    holders = holders_of(scan, pair[0], [(run.a_start, run.a_end) for run in runs], cancelled)
    counted = [
        # Words of other settings may differ.
        CountedPassage(place, run.tokens, max(held, BOTH), passages[place].unit)
        for place, run, held in zip(places, runs, holders, strict=True)
    ]
    common = [passages[one.place] for one in counted if one.holders > BOTH]
    rest = _without(scan, pair, [run for one in common for run in one.runs], settings)
    ranked = sorted(counted, key=lambda one: (one.holders, -one.words))
    return RarePassages(len(scan.documents), tuple(ranked), len(passages), rest if common else None)


def _without(
    scan: Scan, pair: tuple[int, int], runs: Iterable[Run], settings: ScanSettings
) -> PairFigures:
    aside_a, aside_b = (list(spans) for spans in scan.aside(*pair))
    for run in runs:
        aside_a.append(SetAside(run.a_start, run.a_end, Reason.COMMON))
        aside_b.append(SetAside(run.b_start, run.b_end, Reason.COMMON))
    texts = [scan.texts[number] for number in pair]
    return figures_of(texts[0], texts[1], settings, (aside_a, aside_b))
