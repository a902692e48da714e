"""Words of a passage that stand in the place of others, as they are marked in both texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from neardup_gui.models.compare.side import Instead, Side, Spans

if TYPE_CHECKING:
    from core.evidence.passage import Passage


def with_exchanges(
    sides: tuple[Side, Side], texts: tuple[str, str], passages: Sequence[Passage]
) -> tuple[Side, Side]:
    """Both sides with the words that were exchanged in their passages."""
    spans_a, spans_b = [], []
    in_a: list[Instead] = []
    in_b: list[Instead] = []
    for owner, passage in enumerate(passages):
        for one in passage.exchanges:
            a, b = texts[0][one.a_start : one.a_end], texts[1][one.b_start : one.b_end]
            spans_a.append((*sides[0].text.span(one.a_start, one.a_end), len(in_a)))
            spans_b.append((*sides[1].text.span(one.b_start, one.b_end), len(in_b)))
            in_a.append(Instead(owner, a, b, one.near))
            in_b.append(Instead(owner, b, a, one.near))
    return (
        replace(sides[0], exchanges=Spans(spans_a), instead=in_a),
        replace(sides[1], exchanges=Spans(spans_b), instead=in_b),
    )
