"""Shingles that were made for one question and serve another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.evidence.store import EvidenceStore
from core.settings import ScanSettings
from core.signatures.winnowing import choose, find_grams
from core.text.set_aside import SetAside
from core.text.store import TextStore

SENTENCE = "the keeper of the lamp wrote down what ships had passed and which of them came back "
TEXTS = (
    SENTENCE * 3,
    "燈塔的看守人寫下哪些船經過了哪些船又回來了" * 3,
    "two words",
    "",
    f"a lamp {SENTENCE * 2} 看守人寫下哪些船經過了 {SENTENCE}",
)
ASIDE = {0: [SetAside(40, 90)], 2: [SetAside(0, 3)], 4: [SetAside(7, 60), SetAside(200, 220)]}


@pytest.fixture
def pool():
    with ThreadPoolExecutor(2) as threads:
        yield threads


def _store(settings, pool, aside):
    texts = TextStore()
    texts.extend(TEXTS)
    texts.put_aside(aside)
    return texts, EvidenceStore(settings, texts, pool)


@pytest.mark.parametrize("aside", [{}, ASIDE], ids=["whole", "set aside"])
@pytest.mark.parametrize("unit", ["word", "char"])
def test_kept_shingles_are_those_that_are_made(pool, unit, aside):
    settings = ScanSettings(unit=unit, k=5)
    texts, evidence = _store(settings, pool, aside)
    evidence.shingles(np.array([4, 0, 2, 3, 1]))
    for numbers in ([0, 1, 2, 3, 4], [4, 1], [2, 0], [3], []):
        some = np.array(numbers, dtype=np.int64)
        kept, made = evidence.kept_shingles(some), texts.shingles(some, settings)
        for one, other in zip(kept[:4], made[:4], strict=True):
            assert np.array_equal(one, other)
        chosen = [choose(find_grams(shingles, settings)) for shingles in (kept, made)]
        for one, other in zip(*chosen, strict=True):
            assert np.array_equal(one, other)


def test_shingles_that_were_not_made_are_not_kept(pool):
    _, evidence = _store(ScanSettings(), pool, {})
    evidence.shingles(np.array([0, 1]))
    assert evidence.kept_shingles(np.array([1, 2])) is None
    assert evidence.kept_shingles(np.array([1])) is not None
