"""Texts in memory to pairs, against the exact resemblance of all pairs by brute force."""

from __future__ import annotations

import doctest
import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import find_pairs
from core.candidates import hamming, lsh, shared_fingerprints
from core.errors import TooManyCandidatesError
from core.evidence.pairs import FoundBy
from core.scan.corpus import Corpus
from core.settings import ScanSettings
from core.signatures.methods import DocumentFrequencies, hamming_distance
from core.signatures.methods import sign as simhash
from core.signatures.signing import sign_texts
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


BANDS = {"signature_size": 48, "bands": 24, "rows": 2, "min_resemblance": 0.2, "compare": "bands"}
METHODS = {
    "fast similarity sketching": ScanSettings(k=2, **BANDS),
    "minhash": ScanSettings(k=2, signature="minhash", **BANDS),
    "bags": ScanSettings(k=2, bag=True, **BANDS),
    "all pairs": ScanSettings(k=2, min_resemblance=0.2),
    "characters": ScanSettings(unit="char", k=5, **BANDS),
    "simhash": ScanSettings(
        k=1, signature="simhash", weights="tf", max_distance=8, compare="bands"
    ),
    "rarity": ScanSettings(
        k=2, signature="simhash", weights="tf-idf", max_distance=8, compare="bands"
    ),
}
WORDS = [f"word{number}" for number in range(300)]
HAN = [chr(0x4E00 + number) for number in range(300)]


def form_letters(seed, count=60):
    """Texts around three templates in two scripts, with quotations, copies and anagrams."""
    rng = random.Random(seed)
    templates = [[rng.choice(words) for _ in range(40)] for words in (WORDS, WORDS, HAN)]
    texts = []
    for number in range(count):
        words = WORDS if number % 3 < 2 else HAN
        own = [word if rng.random() < 0.9 else rng.choice(words) for word in templates[number % 3]]
        if number % 5 == 0:
            own[10:10] = templates[(number + 1) % 3][5:25]
        texts.append(" ".join(own) if number % 3 < 2 else "".join(own))
    anagrams = [" ".join(rng.sample(texts[0].split(), len(texts[0].split()))) for _ in range(5)]
    return [*texts, *anagrams, *texts[:4], texts[0]]


def listed(texts, settings):
    """The pairs and all their numbers, by their texts."""
    pairs = find_pairs(texts, settings)
    names = ("resemblance", "estimate", "shared_shingles", "longest_run", "run_words", "found_by")
    numbers = zip(*(getattr(pairs, name).tolist() for name in names), strict=True)
    sides = zip(pairs.a, pairs.containment_a, pairs.b, pairs.containment_b, strict=True)
    return Counter(
        (*sorted([(texts[a], float(in_a)), (texts[b], float(in_b))]), *own)
        for (a, in_a, b, in_b), own in zip(sides, numbers, strict=True)
    )


@pytest.fixture
def small_limits(monkeypatch):
    """Crowds and common text in a few dozen documents."""
    monkeypatch.setattr(lsh, "BUCKET_LIMIT", 6)
    monkeypatch.setattr(lsh, "PART_LIMIT", 2)
    monkeypatch.setattr(hamming, "EQUAL_LIMIT", 2)
    monkeypatch.setattr(shared_fingerprints, "DOCUMENT_LIMIT", 8)
    monkeypatch.setattr(shared_fingerprints, "CHARACTERS_AT_ONCE", 1000)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("settings", METHODS.values(), ids=METHODS.keys())
def test_the_order_of_the_documents_decides_nothing(settings):
    texts = form_letters(seed=1)
    first = listed(texts, settings)
    assert len(first) > 20

    for seed in range(3):
        again = random.Random(seed).sample(texts, len(texts))
        assert listed(again, settings) == first


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("method", ["fast similarity sketching", "bags", "characters", "simhash"])
def test_documents_that_are_like_none_change_nothing(method):
    settings, texts = METHODS[method].with_changes(reworked="off"), form_letters(seed=2)
    rng = random.Random(3)
    others = [" ".join(f"other{rng.random()}" for _ in range(40)) for _ in range(300)]

    assert listed([*others, *texts], settings) == listed(texts, settings)


def test_random_pairs_are_drawn_by_what_the_texts_say(monkeypatch):
    """On them rests what is forecast, and whether all pairs can be compared."""
    monkeypatch.setattr("core.scan.corpus.BACKGROUND_PAIRS", 50)
    texts = sorted(set(form_letters(seed=5)))

    def drawn(texts):
        with ThreadPoolExecutor(1) as pool:
            settings = ScanSettings(k=2)
            corpus = Corpus(settings, pool)
            corpus.add(texts, sign_texts(texts, settings))
            drawn_pairs = corpus.background_pairs()
            low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
            codes = drawn_pairs.codes
            assert ((codes >> high) < (codes & low)).all()
            return [
                (frozenset((texts[code >> high], texts[code & low])), resemblance)
                for code, resemblance in zip(codes, drawn_pairs.resemblance, strict=True)
            ]

    first = drawn(texts)
    assert len(first) == 50
    assert drawn(texts[::-1]) == first
    monkeypatch.setattr("core.scan.corpus.BACKGROUND_CHARACTERS", 1000)
    monkeypatch.setattr("core.scan.corpus.BACKGROUND_DOCUMENTS", 20)
    assert drawn(texts) == drawn(texts[::-1]) != first


quick = settings(deadline=None, derandomize=True, max_examples=60)

OFF = {"reworked": "off"}
# With one row, a pair of resemblance 0.1 escapes 300 bands once in 10^13 times.
THOROUGH = {"signature_size": 300, "bands": 300, "rows": 1, "min_resemblance": 0.1} | OFF

words = st.sampled_from(["a", "b", "c", "d", "e", "f"])
text = st.lists(words, max_size=14).map(" ".join)


@st.composite
def corpora(draw):
    """Texts of a few words, some of them edits or copies of others."""
    texts = draw(st.lists(text, min_size=1, max_size=10))
    for _ in range(draw(st.integers(0, 4))):
        own = draw(st.sampled_from(texts)).split()
        place = draw(st.integers(0, len(own)))
        texts.append(" ".join(own[:place] + draw(st.lists(words, max_size=2)) + own[place + 1 :]))
    texts += [draw(st.sampled_from(texts)).upper() + "!" for _ in range(draw(st.integers(0, 2)))]
    return texts


def shingles(units, k):
    """The shingles of a document, by definition."""
    if 0 < len(units) < k:
        return [tuple(units)]
    return [tuple(units[place : place + k]) for place in range(len(units) - k + 1)]


def compare(a, b, options):
    """Everything the list says about a pair, computed from sets or bags; None if not listed."""
    one, other = shingles(a, options.k), shingles(b, options.k)
    count = Counter if options.bag else set
    shared, total = count(one) & count(other), count(one) | count(other)
    sizes = [sum(c.values()) if options.bag else len(c) for c in (shared, total)]
    sides = [len(side) if options.bag else len(set(side)) for side in (one, other)]
    if not one or not other or sizes[0] / sizes[1] < options.min_resemblance or not sizes[0]:
        return None
    longest = SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size
    return (
        sizes[0] / sizes[1],
        sizes[0] / sides[0],
        sizes[0] / sides[1],
        sizes[0],
        longest,
        a == b,
        FoundBy.EXACT if a == b else FoundBy.LSH,
    )


def brute_force(texts, options):
    documents = [text.lower().strip("!").split() for text in texts]
    found = {
        (a, b): compare(documents[a], documents[b], options)
        for a, b in combinations(range(len(texts)), 2)
    }
    return {pair: numbers for pair, numbers in found.items() if numbers}


def as_rows(pairs):
    columns = (
        pairs.resemblance,
        pairs.containment_a,
        pairs.containment_b,
        pairs.shared_shingles,
        pairs.longest_run,
        pairs.exact_duplicate,
        pairs.found_by,
    )
    places = zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)
    return dict(zip(places, zip(*(c.tolist() for c in columns), strict=True), strict=True))


@quick
@given(corpora(), st.integers(1, 5), st.booleans(), st.sampled_from(["fss", "minhash"]))
@example(["a b", "a b", "a b c", "A b!", "", "!"], 5, False, "fss")
def test_every_number_is_exact_and_nothing_is_missed(texts, k, bag, signature):
    options = ScanSettings(k=k, bag=bag, signature=signature, **THOROUGH)

    pairs = find_pairs(texts, options)

    assert as_rows(pairs) == brute_force(texts, options)
    assert len(as_rows(pairs)) == len(pairs)
    order = list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
    assert order == sorted(order)
    assert all(a < b for a, b in order)
    assert (pairs.estimate[pairs.exact_duplicate] == 1).all()


@quick
@given(corpora(), st.integers(1, 5))
def test_few_bands_list_a_part_and_never_a_wrong_number(texts, k):
    options = ScanSettings(k=k, bands=4, rows=5, min_resemblance=0.3, compare="bands", **OFF)

    found = as_rows(find_pairs(texts, options)).items()

    assert found <= brute_force(texts, options).items()


def test_random_documents_with_much_in_common():
    rng = np.random.default_rng(3)
    vocabulary = [f"w{number}" for number in range(400)]
    texts = [" ".join(rng.choice(vocabulary, 80))]
    while len(texts) < 60:
        own = texts[rng.integers(len(texts))].split()
        own[rng.integers(40) : rng.integers(40, 80)] = rng.choice(vocabulary, rng.integers(30))
        texts.append(" ".join(own) or "w0")
    options = ScanSettings(k=3, min_passage=80, **THOROUGH)

    found = find_pairs(texts, options)

    assert len(found) > 100
    assert as_rows(found) == brute_force(texts, options)


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["", " \n", "...", "!"], ["one"]])
def test_texts_without_words_match_nothing(texts):
    assert len(find_pairs(texts, ScanSettings(min_resemblance=0))) == 0


@pytest.mark.parametrize("options", [ScanSettings(k=64), ScanSettings(unit="char", k=64)])
def test_documents_shorter_than_a_shingle_match_only_their_copies(options):
    found = find_pairs(["one two three", "one two", "One, two, three", "two three"], options)
    equal = [(0, 2)] if options.unit == "word" else []

    assert list(zip(found.a.tolist(), found.b.tolist(), strict=True)) == equal
    assert found.longest_run.tolist() == [3] * len(equal)


@pytest.mark.parametrize(("count", "listed"), [(30, 435), (31, 30), (5000, 4999)])
def test_identical_texts(count, listed):
    pairs = find_pairs(["the same words in every text"] * count, ScanSettings())

    assert len(pairs) == listed
    assert pairs.exact_duplicate.all()
    assert (pairs.resemblance == 1).all()
    assert {FoundBy(way).label for way in pairs.found_by.tolist()} == {"exact"}
    if listed == count - 1:
        assert not pairs.a.any()


def test_copies_are_listed_with_every_near_duplicate():
    long, near = "a b c d e f g h i j", "a b c d e f g h i k"
    texts = [near, long, long, near, long]

    pairs = find_pairs(texts, ScanSettings(k=2))

    assert len(pairs) == 10
    mixed = pairs.take(~pairs.exact_duplicate)
    assert len(mixed) == 6
    assert mixed.resemblance.tolist() == [0.8] * 6


def test_many_batches_give_what_one_gives(monkeypatch):
    rng = np.random.default_rng(2)
    texts = [" ".join(rng.choice(list("abcdefgh"), 30)) for _ in range(80)]
    options = ScanSettings(k=3, **THOROUGH)
    whole = find_pairs(texts, options)

    monkeypatch.setattr("core.base.tasks.BATCH_CHARACTERS", 100)
    monkeypatch.setattr("core.evidence.store.SHINGLES_PER_TASK", 7)

    assert as_rows(find_pairs(texts, options)) == as_rows(whole)


def test_the_example_of_the_docstring_is_true():
    outcome = doctest.testmod(sys.modules[find_pairs.__module__])

    assert outcome.attempted > 0
    assert outcome.failed == 0
