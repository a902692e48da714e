"""Which passages of a pair are rare in its folder, and what is left of the pair without the others.

A passage that only these two documents hold says more than one of which a part stands in many. What
is asked is in how many documents some words in a row of it stand that are the same in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray
from core.base.progress import Cancelled, never
from core.evidence.pairs import PairFigures
from core.evidence.passage import Passage, Run
from core.evidence.single_pair import figures_of
from core.passages.holders import Held, Span
from core.scan.passages import holders_of
from core.scan.scan import Scan
from core.settings import ScanSettings, Unit
from core.text.set_aside import Reason, SetAside, merged
from core.text.shingling import tokenise

BOTH = 2


class CountedPassage(NamedTuple):
    """A passage of a pair.

    Attributes:
        place: Its place among the passages of the pair, from 0.
        words: How many of its words are the same in both.
        row: So many of them in a row were looked for in other documents.
        holders: How many documents have such a row, both of the pair among them.
        elsewhere: How many of the words are in a row that another document has.
        unit: What its words are.
    """

    place: int
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
    spans = [[(run.a_start, run.a_end) for run in passage.runs] for passage in passages]
    held = holders_of(scan, pair[0], spans, cancelled)
    counted = [_counted(place, passages[place], one) for place, one in enumerate(held)]
    ranked = sorted(counted, key=lambda one: (one.holders, one.elsewhere, -one.words))
    runs = [run for passage in passages for run in passage.runs]
    common = [count > BOTH for one in held for count in one.counts]
    rest = None
    if any(one.elsewhere for one in counted):
        rest = _without(scan, pair, runs, common, settings)
    return RarePassages(len(scan.documents), tuple(ranked), rest)


def _counted(place: int, passage: Passage, held: Held) -> CountedPassage:
    elsewhere = sum(int((count > BOTH).sum()) for count in held.counts)
    # Words of other settings may differ.
    holders = max(held.documents, BOTH)
    return CountedPassage(
        place, passage.tokens, held.row, holders, min(elsewhere, passage.tokens), passage.unit
    )


def _without(
    scan: Scan,
    pair: tuple[int, int],
    runs: Sequence[Run],
    common: Sequence[BoolArray],
    settings: ScanSettings,
) -> PairFigures:
    """The numbers of a pair without the words of some runs that are common."""
    spans = (
        [(run.a_start, run.a_end) for run in runs],
        [(run.b_start, run.b_end) for run in runs],
    )
    aside = [
        [*before, *_common_parts(scan, number, own, common)]
        for number, own, before in zip(pair, spans, scan.aside(*pair), strict=True)
    ]
    texts = [scan.texts[number] for number in pair]
    return figures_of(texts[0], texts[1], settings, (aside[0], aside[1]))


def _common_parts(
    scan: Scan, number: int, spans: Sequence[Span], common: Sequence[BoolArray]
) -> Iterator[SetAside]:
    """The words of spans of a document that are common, those in a row together."""
    words = scan.settings.with_changes(unit="word", keep_punctuation=False)
    tokens = tokenise(scan.texts[number], words, merged(scan.aside(number, number)[0]))
    for (start, end), held in zip(spans, common, strict=True):
        first = int(np.searchsorted(tokens.starts, start))
        last = int(np.searchsorted(tokens.ends, end, side="right"))
        edges = np.flatnonzero(np.diff(held[: last - first], prepend=False, append=False))
        for begin, behind in edges.reshape(-1, 2).tolist():
            place, final = first + begin, first + behind - 1
            yield SetAside(int(tokens.starts[place]), int(tokens.ends[final]), Reason.COMMON)
