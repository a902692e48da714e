"""Who shares a passage with a text: as the index of one machine says, asked bit by bit."""

import random

import numpy as np

from core.candidates.shared_fingerprints import ChosenGrams, sorted_fingerprints
from core.candidates.sorted_keys import DOCUMENT_LIMIT, distinct
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.signatures.winnowing import find_grams
from core.spark.query import SharingText, sharing
from core.text.shingling import shingle
from tests.engine.spark.tables import number_of, row_of

SETTINGS = ScanSettings(min_resemblance=0.99)
BITS = np.uint64(24)


def words(rng, count):
    return [f"w{rng.randrange(10**9)}" for _ in range(count)]


def grams_of(text):
    return ChosenGrams(find_grams(shingle([text], SETTINGS), SETTINGS), BITS)


class Run:
    """A corpus that answers as a run on Spark does; counts how often it is asked."""

    dropped = BITS

    def __init__(self, corpus):
        passages = corpus.shared_passages()
        first = sorted_fingerprints(corpus.signed.fingerprints, corpus.taking_part(), BITS)
        self._keys = distinct([first, passages.more])
        self._texts = corpus.texts
        self.common = passages.avoided
        self.rounds = 0

    def holders(self, keys):
        self.rounds += 1
        held = self._keys[np.isin(self._keys >> BITS, keys)]
        rows = (held & np.uint64(2**24 - 1)).astype(np.int64)
        return held >> BITS, number_of(rows)

    def grams(self, numbers):
        return {number: grams_of(self._texts[row_of(number)]) for number in numbers}


def layered(rng, count):
    """Texts with parts that stand in just about as many of them as are not yet common."""
    parts = [words(rng, 45) for _ in range(6)]
    texts = [words(rng, 30) for _ in range(count)]
    for part, many in zip(parts, (count, DOCUMENT_LIMIT, 100, 98, 40, 2), strict=True):
        for row in rng.sample(range(count), min(many, count)):
            start = rng.choice((0, 0, 3))
            texts[row] += part[: 40 - start] + words(rng, 3)
    return [" ".join(text) for text in texts], parts


def test_texts_share_passages_with_those_of_one_machine(pool):
    rng = random.Random(3)
    texts, parts = layered(rng, 160)
    corpus = Corpus(SETTINGS, pool)
    corpus.add(texts, sign_texts(texts, SETTINGS))
    asked = [texts[5], " ".join(words(rng, 50)), ""]
    asked += [" ".join(words(rng, 20) + part + words(rng, 20)) for part in parts]
    asked += [" ".join(word for part in parts for word in part), f"{texts[7]} {texts[8]}"]
    index = corpus.passage_index()
    run = Run(corpus)

    found = sharing(
        [SharingText(grams_of(one), run.common, is_copy=one == texts[5]) for one in asked], run
    )

    expected = [index.sharing(one, is_copy=one == texts[5]).tolist() for one in asked]
    assert [sorted(row_of(number) for number in some) for some in found] == expected
    assert sum(map(bool, expected)) > 5
    assert run.rounds > 1  # something became common with a text
