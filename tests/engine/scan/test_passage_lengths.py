"""What other least lengths of passages would list, against all pairs compared one by one."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from core.evidence.overlap import numbers_of
from core.scan.buckets import LENGTHS, below_by_passage, other_lengths
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.settings import ScanSettings
from core.signatures.signing import sign_texts

OPTIONS = ScanSettings(
    k=2, bands=4, rows=8, min_passage=30, min_resemblance=0.5, compare="bands", reworked="off"
)


def quoting_texts(count, seed=1):
    """Texts of 200 words, each with a part of the one before it, 5 to 70 words long."""
    rng = np.random.default_rng(seed)
    texts = [[f"w{word}" for word in rng.integers(0, 30_000, 200)] for _ in range(count)]
    for before, own in pairwise(texts):
        length = int(rng.integers(5, 70))
        own[:length] = before[100 : 100 + length]
    return [" ".join(words) for words in texts]


def listed(texts, pool, options):
    corpus = Corpus(options, pool)
    corpus.add(texts, sign_texts(texts, options))
    return corpus, PairLister(corpus).list_pairs(options).every


def truth(corpus, options, words):
    x, y = np.array(list(combinations(range(len(corpus)), 2))).T
    overlap = corpus.evidence.measured(x, y)
    numbers = numbers_of(overlap, corpus.evidence.sizes(), corpus.signed.units, x, y, options.k)
    return int(((numbers.run_words >= words) & (numbers.resemblance < 0.5)).sum())


@pytest.mark.parametrize("count", [40, 120])
def test_longer_passages_are_counted_and_shorter_ones_estimated(pool, count):
    corpus, every = listed(quoting_texts(count), pool, OPTIONS)

    told = other_lengths(corpus, every, OPTIONS)

    assert [one.words for one in told] == [words for words in LENGTHS if words != 30]
    assert len(below_by_passage(every, OPTIONS)) == truth(corpus, OPTIONS, 30) > 0
    for one in told:
        there = truth(corpus, OPTIONS, one.words)
        if one.words > 30:
            assert not one.is_shorter
            assert tuple(one.pairs) == (there, there, there)
        else:
            assert one.is_shorter
            assert one.pairs.low <= there <= one.pairs.high
    assert told[0].pairs.expected >= told[1].pairs.expected >= told[-1].pairs.expected


def test_where_all_pairs_are_drawn_shorter_ones_are_counted(pool):
    corpus, every = listed(quoting_texts(40), pool, OPTIONS)

    for one in other_lengths(corpus, every, OPTIONS):
        there = truth(corpus, OPTIONS, one.words)
        assert tuple(one.pairs) == (there, there, there)


@pytest.mark.parametrize("texts", [[], ["only one"], ["the same", "the same"]])
def test_folders_without_pairs(pool, texts):
    corpus, every = listed(texts, pool, OPTIONS)

    assert all(one.pairs.expected == 0 for one in other_lengths(corpus, every, OPTIONS))
