"""The reworked passages of two texts, as places of the words that their passages are made of."""

from __future__ import annotations

import numpy as np

from core.base.progress import Cancelled, stop_if
from core.evidence.pair_texts import PairText
from core.evidence.passage_union import ReworkedSpans
from core.evidence.random_pairs import RandomPairs
from core.evidence.reworked import least_bits, reworked_passages
from core.evidence.word_model import WordModel


def find_reworked(
    a: PairText,
    b: PairText,
    folder: WordModel | None,
    cancelled: Cancelled,
) -> ReworkedSpans:
    """The passages of two texts that tell enough to be shown.

    Args:
        a: A text.
        b: Another one.
        folder: What the words of the folder tell; None for what these two texts tell by themselves.
        cancelled: Polled between the steps.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    one, other = a.beginnings.values, b.beginnings.values
    if folder is None:
        both = np.concatenate([one, other])
        folder = WordModel.build(both, np.array([0, len(one), len(both)]), cancelled)
    stop_if(cancelled)
    in_a, in_b = folder.information(one), folder.information(other)
    found = reworked_passages(
        one, other, in_a.here, in_b.here, in_a.anywhere, in_b.anywhere, cancelled
    )
    enough = found.bits >= np.float32(least_bits(folder))
    spans, bits = found.spans[enough], found.bits[enough]
    boxes = np.hstack([a.words_of(spans[:, :2]), b.words_of(spans[:, 2:4])])
    words = np.minimum(spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2])
    there = (boxes[:, 1] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 2])
    # Texts with the same words are no pair of different texts, which the folder is compared with.
    pairs = RandomPairs.none() if np.array_equal(one, other) else folder.pairs
    chance = [pairs.words(score) for score in bits[there].tolist()]
    return ReworkedSpans(boxes[there], bits[there], words[there], chance)
