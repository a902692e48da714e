"""One text against a folder: the same answer as a scan with that text in the folder."""

import random

import numpy as np
import pytest

from core import find_pairs
from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.evidence.pairs import FoundBy
from core.scan.corpus import Corpus
from core.scan.query import TextIndex
from core.settings import ScanSettings
from core.signatures.signing import sign_texts

SETTINGS = ScanSettings(k=3, min_resemblance=0.05, reworked="off")


def texts_of(count, seed=1):
    rng = random.Random(seed)
    texts = []
    for number in range(count):
        if number % 4 == 0:
            words = [f"w{rng.randrange(3000)}" for _ in range(rng.randrange(1, 200))]
        own = list(words)
        for _ in range(number % 4 * 5):
            own[rng.randrange(len(own))] = f"w{rng.randrange(3000)}"
        texts.append(" ".join(own))
    texts[7] = texts[5]
    texts[9] = ""
    return texts


def index_of(texts, settings, pool):
    corpus = Corpus(settings, pool)
    corpus.add(texts, sign_texts(texts, settings))
    return TextIndex(corpus, settings)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"bag": True},
        {"unit": "char", "k": 6},
        {"signature": "minhash"},
        {"min_passage": 3},
        {"signature": "simhash", "max_distance": 8},
        {"signature": "simhash", "max_distance": 8, "weights": "unweighted"},
    ],
)
def test_matches_are_the_pairs_of_a_scan_with_the_text(changes, pool):
    settings = SETTINGS.with_changes(**changes)
    texts = texts_of(60)
    index = index_of(texts[1:], settings, pool)
    questions = [texts[0], texts[5], "", "one", " ".join(texts[20:30]), texts[13] + " " + texts[40]]
    found_any = 0
    for question in questions:
        pairs = find_pairs([question, *texts[1:]], settings)
        pairs = pairs.take(pairs.a == 0)
        matches = index.matches(question)

        order = np.argsort(matches.documents)
        assert (matches.documents[order] + 1).tolist() == pairs.b.tolist()
        for mine, theirs in (
            (matches.resemblance, pairs.resemblance),
            (matches.containment_text, pairs.containment_a),
            (matches.containment_document, pairs.containment_b),
            (matches.estimate, pairs.estimate),
            (matches.shared_shingles, pairs.shared_shingles),
            (matches.longest_run, pairs.longest_run),
        ):
            assert mine[order].tolist() == theirs.tolist()
        assert (np.diff(matches.resemblance) <= 0).all()
        is_copy = matches.found_by[order] == FoundBy.EXACT
        assert is_copy.tolist() == pairs.exact_duplicate.tolist()
        found_any += len(order)
    assert found_any >= 15


def test_a_pasted_page_is_found_by_its_passage(pool):
    rng = random.Random(2)
    texts = [" ".join(f"w{rng.randrange(9000)}" for _ in range(3000)) for _ in range(5)]
    page = " ".join(texts[3].split()[1000:1040])
    question = " ".join(f"q{rng.randrange(9000)}" for _ in range(2000)) + " " + page

    matches = index_of(texts, SETTINGS, pool).matches(question)

    assert matches.documents.tolist() == [3]
    assert matches.longest_run[0] >= 40
    assert matches.found_by[0] == FoundBy.PASSAGE


@pytest.mark.parametrize("holders", [DOCUMENT_LIMIT - 1, DOCUMENT_LIMIT])
def test_common_text_matches_nobody_as_in_a_scan(holders, pool):
    rng = random.Random(7)
    common = " ".join(f"c{rng.randrange(900)}" for _ in range(60))
    texts = [
        " ".join(f"w{rng.randrange(10**9)}" for _ in range(400)) + " " + common
        for _ in range(holders + 1)
    ]
    settings = SETTINGS.with_changes(min_resemblance=0.5)
    pairs = find_pairs(texts, settings)

    matches = index_of(texts[1:], settings, pool).matches(texts[0])

    assert (
        len(matches.documents)
        == np.count_nonzero(pairs.a == 0)
        == (holders < DOCUMENT_LIMIT) * holders
    )


@pytest.mark.parametrize("compare", ["bands", "auto"])
def test_how_a_text_matches_is_what_it_has_as_in_a_scan(compare, pool):
    settings = ScanSettings(k=2, bands=4, rows=2, min_passage=24, compare=compare, reworked="off")
    rng = random.Random(5)
    base = [f"w{rng.randrange(4000)}" for _ in range(600)]
    texts = [" ".join(base)]
    for length in (6, 12, 18, 23, 24, 40):
        own = [f"v{rng.randrange(4000)}" for _ in range(40)]
        texts.append(" ".join([*own, *base[length : 2 * length]]))
    for least in (0.0, 0.01, 0.9):
        for listed in (True, False):
            asked = settings.with_changes(min_resemblance=least, list_passages=listed)
            matches = index_of(texts[1:], asked, pool).matches(texts[0])
            pairs = find_pairs(texts, asked)
            pairs = pairs.take(pairs.a == 0)

            assert sorted(matches.documents + 1) == sorted(pairs.b)
            order = np.argsort(matches.documents)
            assert matches.found_by[order].tolist() == pairs.found_by.tolist()
            by_passage = (matches.found_by & FoundBy.PASSAGE) > 0
            assert (by_passage == (matches.longest_run >= 24)).all()
            assert listed or (matches.resemblance >= least).all()
