"""All pairs compared: counts by brute force, lists that no choice of bands makes shorter."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import ScanSettings, find_pairs
from core.base.tasks import never
from core.candidates.all_pairs import FEASIBLE, MODERATE, AllPairsLimits, count_shared
from core.errors import ScanCancelledError, SettingsError, TooManyCandidatesError
from core.evidence.pairs import FoundBy, split_codes
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.signatures.signing import sign_texts
from core.text.shingling import Fingerprints
from tests.engine.edited_texts import edited_texts

# Nearly no pair agrees in one band of 40 rows.
BLIND = ScanSettings(k=2, bands=1, rows=40, min_passage=10_000, reworked="off")
HASHES = st.lists(st.lists(st.integers(0, 12), max_size=12), min_size=1, max_size=12)


def make_corpus(texts, pool, options=BLIND):
    corpus = Corpus(options, pool)
    corpus.add(texts, sign_texts(texts, options))
    return corpus


def columns(pairs, *but):
    return {name: column.tolist() for name, column in vars(pairs).items() if name not in but}


def as_shingles(documents):
    values = np.array([one for own in documents for one in own], dtype=np.uint64)
    return Fingerprints(values, np.array([len(own) for own in documents], dtype=np.int64))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(HASHES, st.booleans())
def test_counts_are_those_of_sets_and_bags(documents, bag):
    kind = Counter if bag else set
    expected = {}
    for (x, own), (y, other) in combinations(enumerate(map(kind, documents)), 2):
        both = own & other
        if both:
            expected[x, y] = both.total() if bag else len(both)

    with ThreadPoolExecutor(2) as pool:
        found = count_shared(
            as_shingles(documents), bag=bag, limits=FEASIBLE, pool=pool, cancelled=never
        )

    x, y = split_codes(found.codes)
    pairs = list(zip(x.tolist(), y.tolist(), strict=True))
    assert dict(zip(pairs, found.shared.tolist(), strict=True)) == expected
    assert pairs == sorted(expected)


def test_many_tasks_count_what_one_counts(pool, monkeypatch):
    rng = np.random.default_rng(5)
    shingles = as_shingles(rng.integers(0, 300, (90, 40)).tolist())
    whole, parts = (
        (
            monkeypatch.setattr("core.candidates.all_pairs.STEPS_PER_TASK", steps),
            count_shared(shingles, bag=False, limits=FEASIBLE, pool=pool, cancelled=never),
        )[1]
        for steps in (1 << 22, 20)
    )

    assert whole.codes.tolist() == parts.codes.tolist()
    assert whole.shared.tolist() == parts.shared.tolist()


def test_what_it_may_cost_is_counted_before_it_is_paid(pool):
    # Three documents share one shingle: 3 steps, 6 shingles.
    shingles = as_shingles([[1, 2], [1, 3], [1, 4]])

    def ask(limits):
        return count_shared(shingles, bag=False, limits=limits, pool=pool, cancelled=never)

    assert len(ask(AllPairsLimits(32 * 6 + 3, 3, 3)).codes) == 3
    assert ask(AllPairsLimits(32 * 6 + 2, 3, 3)) is None
    assert ask(AllPairsLimits(32 * 6 + 3, 2, 3)) is None


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"bag": True},
        {"unit": "char", "k": 4},
        {"signature": "simhash", "max_distance": 0},
        {"signature": "simhash", "max_distance": 0, "weights": "tf-idf"},
        {"compare": "all"},
    ],
)
def test_a_list_of_all_pairs_is_complete_whatever_the_bands(changes):
    texts = [*edited_texts(40, edits=4), "", "w1"]
    blind = BLIND.with_changes(**changes)
    thorough = ScanSettings(
        signature_size=300,
        bands=300,
        rows=1,
        compare="bands",
        **{
            name: getattr(blind, name)
            for name in ("unit", "k", "bag", "min_resemblance", "min_passage", "reworked")
        },
    )

    found, wanted = find_pairs(texts, blind), find_pairs(texts, thorough)

    assert len(found) > 100
    signed = ("estimate", "found_by")
    assert columns(found, *signed) == columns(wanted, *signed)
    assert len(found) > len(find_pairs(texts, blind.with_changes(compare="bands")))


def test_found_by_says_what_else_met_a_pair():
    texts = edited_texts(60, edits=4)
    options = BLIND.with_changes(bands=10, rows=4, min_passage=15)

    every = find_pairs(texts, options)
    searched = find_pairs(texts, options.with_changes(compare="bands"))

    def by_pair(pairs):
        return dict(
            zip(
                zip(pairs.a.tolist(), pairs.b.tolist(), strict=True),
                pairs.found_by.tolist(),
                strict=True,
            )
        )

    met = by_pair(searched)
    assert by_pair(every) == {pair: met.get(pair, FoundBy.ALL) for pair in by_pair(every)}
    assert met.keys() < by_pair(every).keys()
    labels = {FoundBy(way).label for way in every.found_by.tolist()}
    assert labels == {"lsh", "passage", "lsh+passage", "fingerprint", "all"}


def test_a_list_says_whether_all_pairs_were_compared(pool):
    texts = [*edited_texts(30, edits=4), "", "w1", "W1!"]
    lister = PairLister(make_corpus(texts, pool), overlap=False)

    assert lister.list_pairs(BLIND).compared == 31 * 30 // 2  # "w1" once, "" not at all
    assert lister.list_pairs(BLIND.with_changes(compare="bands")).compared is None


def test_where_it_costs_too_much_bands_are_used_unless_all_are_asked_for(pool, monkeypatch):
    texts = edited_texts(30, edits=4)
    lister = PairLister(make_corpus(texts, pool), overlap=False)
    monkeypatch.setattr("core.scan.measured_pairs.MODERATE", MODERATE._replace(listed=3))
    asked = BLIND.with_changes(compare="all")

    assert lister.list_pairs(BLIND).compared is None
    assert lister.list_pairs(BLIND.with_changes(min_resemblance=1.0)).compared == 435
    assert lister.list_pairs(asked).compared == 435

    monkeypatch.setattr("core.scan.measured_pairs.FEASIBLE", FEASIBLE._replace(steps=100))
    with pytest.raises(TooManyCandidatesError, match="too much to compare all pairs"):
        PairLister(make_corpus(texts, pool), overlap=False).list_pairs(asked)


def test_all_are_compared_where_bands_would_compare_nearly_as_many(pool, monkeypatch):
    common = " ".join(f"c{number}" for number in range(100))
    texts = [
        f"{common} {' '.join(f'w{own}x{number}' for number in range(100))}" for own in range(120)
    ]
    lister = PairLister(make_corpus(texts, pool), overlap=False)
    monkeypatch.setattr("core.scan.measured_pairs.MODERATE", MODERATE._replace(steps=10))
    many = BLIND.with_changes(bands=BLIND.signature_size // 2, rows=2)

    assert lister.list_pairs(many).compared == 120 * 119 // 2
    assert lister.list_pairs(many.with_changes(compare="bands")).compared is None
    assert lister.list_pairs(BLIND).compared is None


def test_short_memory_is_no_reason_to_fail_unless_all_are_asked_for(pool, monkeypatch):
    monkeypatch.setattr("core.base.memory.available_memory", lambda: 1000)
    lister = PairLister(make_corpus(edited_texts(30, edits=4), pool))

    assert lister.list_pairs(BLIND).compared is None
    with pytest.raises(Exception, match="Comparing all pairs of 30 documents needs about"):
        lister.list_pairs(BLIND.with_changes(compare="all"))


def test_pairs_are_compared_once_and_again_when_documents_come(pool, monkeypatch):
    texts = edited_texts(30, edits=4)
    corpus = make_corpus(texts[:20], pool)
    PairLister(corpus, overlap=False).list_pairs(BLIND)
    with monkeypatch.context() as patch:
        patch.setattr("core.scan.corpus.count_shared", None)
        PairLister(corpus, overlap=False).list_pairs(
            BLIND.with_changes(bands=8, rows=4, min_resemblance=0.4)
        )
    corpus.add(texts[20:], sign_texts(texts[20:], BLIND))

    again = PairLister(corpus, overlap=False).list_pairs(BLIND)

    assert columns(again.pairs) == columns(find_pairs(texts, BLIND))


def test_it_can_be_cancelled(pool):
    corpus = make_corpus(edited_texts(30, edits=4), pool)
    asked = threading.Event()

    def cancelled():
        asked.set()
        return True

    with pytest.raises(ScanCancelledError):
        corpus.all_pairs(MODERATE, cancelled)
    assert asked.is_set()
    assert len(corpus.all_pairs(MODERATE).codes)


def test_an_unknown_choice_is_refused():
    with pytest.raises(SettingsError, match="auto, all, bands"):
        ScanSettings(compare="some")


def test_no_index_is_made_where_random_pairs_share_too_much(pool, monkeypatch):
    texts = [" ".join(["a", "b"] * 20 + [f"w{number}"]) for number in range(80)]
    corpus = make_corpus(texts, pool)
    shingles = 80 * 40
    steps = 2 * 80 * 79 // 2  # "a b" and "b a" stand in all of them
    monkeypatch.setattr("core.scan.corpus.count_shared", None)

    assert corpus.all_pairs(AllPairsLimits(32 * shingles + steps // 4, 10**6, 10**6)) is None
    with pytest.raises(TypeError):
        corpus.all_pairs(AllPairsLimits(32 * shingles + 2 * steps, 10**6, 10**6))
