"""A passage as it is shown, from the numbers of its words."""

from __future__ import annotations

from itertools import chain

from core.base.arrays import Int64Array
from core.evidence.pair_texts import PairText
from core.evidence.passage import Exchange, Passage, Run
from core.evidence.passage_union import FoundPassage
from core.evidence.passage_words import ComparedWords


def make_passage(a: PairText, b: PairText, found: FoundPassage, words: ComparedWords) -> Passage:
    """A passage of two texts, `found`, with what became of its words."""
    first_a, end_a, first_b, end_b = found.box.tolist()
    same = words.same
    exchanges = chain(
        (Exchange(*span, True) for span in _spans(a, b, words.near, 1)),
        (Exchange(*span) for span in _spans(a, b, words.exchanged, words.exchanged[:, 2])),
    )
    spans = _spans(a, b, same, same[:, 2])
    counts = same[:, 2].tolist()
    return Passage(
        int(a.starts[first_a]),
        int(a.ends[end_a - 1]),
        int(b.starts[first_b]),
        int(b.ends[end_b - 1]),
        sum(counts),
        tuple(Run(*span, count) for span, count in zip(spans, counts, strict=True)),
        bits=found.bits,
        a_tokens=end_a - first_a,
        b_tokens=end_b - first_b,
        unit=a.unit(first_a, end_a),
        near=len(words.near),
        exchanged=int(words.exchanged[:, 2].sum()),
        moved_words=int(same[words.moved, 2].sum()),
        exchanges=tuple(sorted(exchanges)),
        reworked_words=found.reworked_words,
        chance=found.chance,
    )


def _spans(
    a: PairText, b: PairText, runs: Int64Array, words: Int64Array | int
) -> list[tuple[int, int, int, int]]:
    """The code points of some stretches of so many words: start and end in A, the same in B."""
    last_a, last_b = runs[:, 0] + words - 1, runs[:, 1] + words - 1
    columns = (a.starts[runs[:, 0]], a.ends[last_a], b.starts[runs[:, 1]], b.ends[last_b])
    return list(zip(*(column.tolist() for column in columns), strict=True))
