"""One text against a folder: passages in other words are found as in a scan with the text."""

import random

import numpy as np
import pytest

from core import find_pairs
from core.evidence.pairs import FoundBy
from core.scan.corpus import Corpus
from core.scan.query import TextIndex
from core.settings import ScanSettings
from core.signatures.signing import sign_texts


def words(count, seed):
    """Words of which few are frequent and most are rare."""
    rng = random.Random(seed)
    return [f"w{int(1000 ** rng.random())}" for _ in range(count)]


def exchanged(some, every):
    return [f"other{n}" if n % every == 0 else one for n, one in enumerate(some)]


TEXTS = [" ".join(words(300, seed)) for seed in range(20)]
TEXTS.append(TEXTS[3])
PASSAGE = exchanged(TEXTS[3].split()[100:180], 5)
OTHER = exchanged(TEXTS[8].split()[20:120], 4)
QUESTIONS = {
    "a passage of two": [*words(90, 50), *PASSAGE, *words(90, 51)],
    "passages of several": [*PASSAGE, *words(90, 52), *OTHER],
    "a document in other words": exchanged(TEXTS[5].split(), 6),
    "a document": TEXTS[7].split(),
    "nothing of it": words(200, 53),
    "no words": [],
}
FOUND = {"a passage of two": [3, 20], "passages of several": [3, 8, 20], "nothing of it": []}


@pytest.mark.parametrize("level", ["careful", "thorough"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_matches_are_the_pairs_of_a_scan_with_the_text(name, level, pool):
    settings = ScanSettings(reworked=level)
    text = " ".join(QUESTIONS[name])
    corpus = Corpus(settings, pool)
    corpus.add(TEXTS, sign_texts(TEXTS, settings))

    matches = TextIndex(corpus, settings).matches(text)

    pairs = find_pairs([*TEXTS, text], settings)
    pairs = pairs.take(pairs.b == len(TEXTS))
    found = dict(zip(matches.documents.tolist(), matches.found_by.tolist(), strict=True))
    assert found == dict(zip(pairs.a.tolist(), pairs.found_by.tolist(), strict=True))
    if name in FOUND and level == "careful":
        assert sorted(found) == FOUND[name]
        assert all(FoundBy.REWORKED in FoundBy(one) for one in found.values())


def test_nothing_is_looked_for_that_nobody_asked_for(pool):
    settings = ScanSettings(reworked="off")
    corpus = Corpus(settings, pool)
    corpus.add(TEXTS, sign_texts(TEXTS, settings))

    matches = TextIndex(corpus, settings).matches(" ".join(QUESTIONS["a passage of two"]))

    assert not np.any(matches.found_by & FoundBy.REWORKED)
