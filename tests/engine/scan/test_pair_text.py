"""The passages of a listed pair are those that its numbers in the list were measured from."""

import math
import random

from core.evidence.pairs import FoundBy
from core.scan.flow import scan
from core.scan.pair_text import shared_text
from core.settings import ScanSettings

SETTINGS = ScanSettings(reworked="careful")
SYLLABLES = ["ba", "do", "fe", "gi", "ku", "la", "mo", "ne", "pi", "ru"]


def words(count, seed):
    """Words of which few are frequent and most are rare, as in a language (Zipf)."""
    draw = random.Random(seed)
    ranks = [int(math.exp(draw.uniform(0, math.log(1000)))) for _ in range(count)]
    return ["".join(SYLLABLES[int(digit)] for digit in f"{rank:03}") for rank in ranks]


def test_the_words_of_the_passages_are_those_of_the_list(tmp_path):
    texts = [words(400, seed) for seed in range(20)]
    for first, length in ((40, 60), (200, 150)):
        part = texts[0][first : first + length]
        part = [f"other{place}" if place % 5 == 0 else one for place, one in enumerate(part)]
        texts[1][first + 20 : first + 20] = part
    for number, text in enumerate(texts):
        (tmp_path / f"{number:02}.txt").write_text(" ".join(text), encoding="utf-8")
    scanned = scan([tmp_path], SETTINGS)
    try:
        pairs = scanned.pairs()
        row = [*zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)].index((0, 1))

        found = shared_text(scanned, 0, 1, SETTINGS).passages

        assert pairs.found_by[row] & FoundBy.REWORKED
        assert sum(one.a_tokens for one in found) == pairs.shared_words[row] >= 200
        assert all(one.chance for one in found)
        plain = shared_text(scanned, 0, 1, SETTINGS.with_changes(reworked="off")).passages
        assert not any(one.exchanges or one.chance for one in plain)
    finally:
        scanned.close()
