"""SimHash from texts to listed pairs, against every pair compared by hand."""

import random
from itertools import combinations

import numpy as np
import pytest

from core import find_pairs
from core.errors import TooManyCandidatesError
from core.evidence.pairs import FoundBy
from core.settings import ScanSettings
from core.signatures.methods import DocumentFrequencies, hamming_distance
from core.signatures.methods import sign as simhash
from core.text.shingling import shingle

OPTIONS = ScanSettings(
    reworked="off", k=2, signature="simhash", min_resemblance=0, min_passage=10_000, compare="bands"
)


def texts_of(count, seed=1):
    rng = random.Random(seed)
    texts = []
    for number in range(count):
        if number % 5 == 0:
            words = [f"w{rng.randrange(500)}" for _ in range(150)]
        own = list(words)
        for _ in range(number % 5):
            own[rng.randrange(150)] = f"w{rng.randrange(500)}"
        texts.append(" ".join(own))
    return texts


@pytest.mark.parametrize("weights", ["unweighted", "tf", "tf-idf"])
@pytest.mark.parametrize("distance", [0, 3, 8])
def test_all_pairs_within_the_distance_are_listed_and_no_others(weights, distance):
    texts = texts_of(60)
    options = OPTIONS.with_changes(weights=weights, max_distance=distance)
    shingles = shingle(texts, options)
    frequencies = DocumentFrequencies()
    frequencies.add(shingles)
    signatures = simhash(shingles, options, frequencies.rarity())
    a, b = np.array(list(combinations(range(60), 2))).T
    near = hamming_distance(signatures, a, b) <= distance

    pairs = find_pairs(texts, options)

    assert list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)) == list(
        zip(a[near].tolist(), b[near].tolist(), strict=True)
    )
    by_search = pairs.found_by[~pairs.exact_duplicate]
    assert set(by_search.tolist()) <= {FoundBy.LSH.value}
    assert distance == 0 or near.sum() > 10
    if len(pairs):
        assert abs(pairs.estimate - pairs.resemblance).max() < 0.35


def test_a_distance_that_would_compare_too_much_names_one_that_does(monkeypatch):
    monkeypatch.setattr("core.candidates.search.CANDIDATE_BUDGET", 60)

    with pytest.raises(TooManyCandidatesError, match=r"With d = 8 more than 60 pairs .* d = [0-7]"):
        find_pairs(texts_of(60), OPTIONS.with_changes(max_distance=8))
