"""Reworked passages in a list: found, measured, and the same however they are asked for."""

from __future__ import annotations

import math
import random
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core import find_pairs
from core.base.tasks import ProgressReport, Stage
from core.evidence.pairs import FoundBy, Pairs
from core.evidence.passages import find_shared_text
from core.scan.flow import scan
from core.settings import ScanSettings, Unit
from core.text.set_aside import SetAside

SETTINGS = ScanSettings(reworked="careful")
SYLLABLES = ["ba", "do", "fe", "gi", "ku", "la", "mo", "ne", "pi", "ru"]


def text(words: int, seed: int) -> list[str]:
    """Words of which few are frequent and most are rare, as in a language (Zipf)."""
    rng = random.Random(seed)
    ranks = [int(math.exp(rng.uniform(0, math.log(1000)))) for _ in range(words)]
    return ["".join(SYLLABLES[int(digit)] for digit in f"{rank:03}") for rank in ranks]


def reworked(words: list[str], every: int) -> list[str]:
    """Each n-th word exchanged for another one."""
    return [f"other{place}" if place % every == 0 else one for place, one in enumerate(words)]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Unrelated texts, of which the last holds 60 words of the first, each fifth exchanged."""
    written = [text(400, seed) for seed in range(30)]
    passage = reworked(written[0][100:160], 5)
    written.append([*text(200, 98), *passage, *text(200, 99)])
    return [" ".join(words) for words in written]


def found_by(pairs: Pairs, a: int, b: int) -> FoundBy | None:
    rows = np.flatnonzero((pairs.a == a) & (pairs.b == b))
    return FoundBy(int(pairs.found_by[rows[0]])) if len(rows) else None


def test_a_passage_of_which_every_fifth_word_was_exchanged_is_listed(texts: list[str]) -> None:
    assert found_by(find_pairs(texts, ScanSettings(reworked="off")), 0, 30) is None

    pairs = find_pairs(texts, SETTINGS)

    assert found_by(pairs, 0, 30) == FoundBy.REWORKED
    assert len(pairs) == 1
    assert 40 <= pairs.reworked_words[0] <= 66
    assert 0.02 < pairs.reworked_share[0] < 0.3
    assert pairs.reworked_bits[0] > 100


def test_the_order_of_the_texts_makes_no_difference(texts: list[str]) -> None:
    there = find_pairs(texts, SETTINGS)
    back = find_pairs(texts[::-1], SETTINGS)

    assert back.a.tolist() == [0]
    assert back.b.tolist() == [30]
    for name in ("reworked_words", "reworked_bits", "reworked_share", "resemblance"):
        np.testing.assert_array_equal(getattr(there, name), getattr(back, name))


def test_copies_and_near_copies_have_numbers_too(texts: list[str]) -> None:
    near = " ".join(reworked(texts[1].split(), 40))
    pairs = find_pairs([*texts[:8], texts[0], near], SETTINGS)

    assert found_by(pairs, 0, 8) == FoundBy.EXACT
    assert found_by(pairs, 1, 9) == FoundBy.LSH | FoundBy.PASSAGE | FoundBy.REWORKED
    assert pairs.reworked_share.min() > 0.9


@pytest.mark.parametrize("unit", ["word", "char"])
def test_copies_have_the_words_of_all_their_passages(texts: list[str], unit: Unit) -> None:
    """What is set aside inside parts them: what counts is more than the longest run."""
    settings = SETTINGS.with_changes(unit=unit, k=3 if unit == "word" else 8)
    both = [*texts[:8], texts[0]]
    words = texts[0].split()
    start, end = (len(" ".join(words[:count])) for count in (100, 130))
    aside = {row: [SetAside(start, end)] for row in (0, 8)}

    pairs = find_pairs(both, settings, set_aside=aside)
    whole = find_pairs(both, settings)

    for found, spans in ((pairs, aside[0]), (whole, [])):
        (row,) = np.flatnonzero(found.exact_duplicate)
        shared = find_shared_text(both[0], both[8], settings, set_aside=(spans, spans))
        assert found.reworked_words[row] == sum(one.reworked_words for one in shared.passages)
        assert found.reworked_words[row] == len(words) - 30 * len(spans)
        assert (found.reworked_bits[row], found.reworked_share[row]) == (-1, 1)


def test_two_references_are_no_pair(texts: list[str]) -> None:
    assert len(find_pairs(texts, SETTINGS, reference=[0])) == 1
    assert len(find_pairs(texts, SETTINGS, reference=[0, 30])) == 0


def test_text_set_aside_is_no_passage(texts: list[str]) -> None:
    words = texts[0].split()
    start = len(" ".join(words[:95])) + 1
    end = len(" ".join(words[:165]))

    assert len(find_pairs(texts, SETTINGS, set_aside={0: [SetAside(start, end)]})) == 0


def test_progress_tells_how_many_pairs_are_measured(texts: list[str], tmp_path: Path) -> None:
    for number, one in enumerate(texts):
        (tmp_path / f"{number}.txt").write_text(one)
    told: list[ProgressReport] = []

    with closing(scan([tmp_path], SETTINGS)) as scanned:
        scanned.list_pairs(progress=told.append)

    measured = [(one.done, one.total) for one in told if one.stage is Stage.REWORKED and one.total]
    assert measured[-1] == (31 * 30 // 2, 31 * 30 // 2)
