"""A passage of growing length in a text that is no copy: what finds it, and from where on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.candidates.scurve import candidate_probability
from core.evidence.pairs import FoundBy
from core.evidence.single_pair import figures_of
from core.lessons.copies import pasted_copy
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings


class Pasted(NamedTuple):
    """What a scan makes of a text with some words of another in it.

    Attributes:
        words: How many words were pasted.
        resemblance: Of both texts, exact.
        chance: The probability that a band of their signatures agrees, 0 to 1.
        by_passage: Whether the pair is found by its passage, whatever the bands do.
    """

    words: int
    resemblance: float
    chance: float
    by_passage: bool


def paste_lengths(
    source: str, host: str, lengths: Sequence[int], settings: ScanSettings
) -> tuple[Pasted, ...]:
    """Search for a text among others that have more and more words of it, as a scan does.

    Args:
        source: The text whose words are pasted.
        host: The text into which they go.
        lengths: How many words; each is a text of its own.
        settings: Of the scan.
    """
    hosts = [pasted_copy(host, source, words)[0] for words in lengths]
    # Those with the passage are compared with the source only, and not among themselves.
    others = range(1, len(hosts) + 1)
    pairs = find_pairs([source, *hosts], settings, reference=others)
    found = np.zeros(len(hosts) + 1, dtype=np.uint8)
    found[pairs.a + pairs.b] = pairs.found_by  # one of both is text 0
    measured = [figures_of(source, text, settings).resemblance for text in hosts]
    chances = candidate_probability(measured, settings.bands, settings.rows)
    return tuple(
        Pasted(words, resemblance, float(chance), bool(found[place] & FoundBy.PASSAGE))
        for place, words, resemblance, chance in zip(
            others, lengths, measured, chances, strict=True
        )
    )
