"""All pairs compared: counts by brute force, lists that no choice of bands makes shorter."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import find_pairs
from core.audit.search import share_common_grams_only
from core.candidates.all_pairs import FEASIBLE, MODERATE, AllPairsLimits, count_shared
from core.candidates.shared_fingerprints import DOCUMENT_LIMIT
from core.errors import TooManyCandidatesError
from core.evidence.pairs import FoundBy, split_codes
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.text.shingling import shingle
from tests.forecasts import edited_texts
from tests.pairs import corpus_of

# Nearly no pair agrees in one band of 40 rows.
BLIND = ScanSettings(k=2, bands=1, rows=40, min_passage=10_000, reworked="off")
HASHES = st.lists(st.lists(st.integers(0, 12), max_size=12), min_size=1, max_size=12)


def make_corpus(texts, pool, options=BLIND):
    return corpus_of(texts, options, pool)


def columns(pairs, *but):
    return {name: column.tolist() for name, column in vars(pairs).items() if name not in but}


def as_shingles(documents):
    values = np.array([value for document in documents for value in document], dtype=np.uint64)
    ends = np.cumsum([len(document) for document in documents], dtype=np.int64)
    return values, np.concatenate([[0], ends[:-1]]), ends


@settings(derandomize=True, max_examples=60)
@given(HASHES, st.booleans())
def test_counts_are_those_of_sets_and_bags(documents, bag):
    kind = Counter if bag else set
    expected = {}
    for (x, values_x), (y, values_y) in combinations(enumerate(map(kind, documents)), 2):
        both = values_x & values_y
        if both:
            expected[x, y] = both.total() if bag else len(both)

    with ThreadPoolExecutor(2) as pool:
        counted = count_shared(*as_shingles(documents), bag=bag, limits=FEASIBLE, pool=pool)

    x, y = split_codes(counted.codes)
    pairs = list(zip(x.tolist(), y.tolist(), strict=True))
    assert dict(zip(pairs, counted.shared.tolist(), strict=True)) == expected
    assert pairs == sorted(expected)


def test_many_tasks_count_what_one_counts(pool, monkeypatch):
    rng = np.random.default_rng(5)
    shingles = as_shingles(rng.integers(0, 300, (90, 40)).tolist())
    uncut, parts = (
        (
            monkeypatch.setattr("core.candidates.all_pairs.STEPS_PER_TASK", steps),
            count_shared(*shingles, bag=False, limits=FEASIBLE, pool=pool),
        )[1]
        for steps in (1 << 22, 20)
    )

    assert uncut.codes.tolist() == parts.codes.tolist()
    assert uncut.shared.tolist() == parts.shared.tolist()


def test_the_cost_is_counted_before_the_work_begins(pool):
    # Three documents share one shingle: 3 steps, 6 shingles.
    shingles = as_shingles([[1, 2], [1, 3], [1, 4]])

    def ask(limits):
        return count_shared(*shingles, bag=False, limits=limits, pool=pool)

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

    pairs, expected = find_pairs(texts, blind), find_pairs(texts, thorough)

    assert len(pairs) > 100
    signed = ("estimate", "found_by")
    assert columns(pairs, *signed) == columns(expected, *signed)
    assert len(pairs) > len(find_pairs(texts, blind.with_changes(compare="bands")))


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
    labels = {FoundBy(bits).label for bits in every.found_by.tolist()}
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
    complete = BLIND.with_changes(compare="all")

    assert lister.list_pairs(BLIND).compared is None
    assert lister.list_pairs(BLIND.with_changes(min_resemblance=1.0)).compared == 435
    assert lister.list_pairs(complete).compared == 435

    monkeypatch.setattr("core.scan.measured_pairs.FEASIBLE", FEASIBLE._replace(steps=100))
    with pytest.raises(TooManyCandidatesError, match="too much to compare all pairs"):
        PairLister(make_corpus(texts, pool), overlap=False).list_pairs(complete)


def test_all_are_compared_where_bands_would_compare_nearly_as_many(pool, monkeypatch):
    common = " ".join(f"c{n}" for n in range(100))
    texts = [
        f"{common} {' '.join(f'w{document}x{n}' for n in range(100))}" for document in range(120)
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


def test_no_index_is_made_where_random_pairs_share_too_much(pool, monkeypatch):
    texts = [" ".join(["a", "b"] * 20 + [f"w{number}"]) for number in range(80)]
    corpus = make_corpus(texts, pool)
    shingles = 80 * 40
    steps = 2 * 80 * 79 // 2  # "a b" and "b a" stand in all of them
    monkeypatch.setattr("core.scan.corpus.count_shared", None)

    assert corpus.all_pairs(AllPairsLimits(32 * shingles + steps // 4, 10**6, 10**6)) is None
    with pytest.raises(TypeError):
        corpus.all_pairs(AllPairsLimits(32 * shingles + 2 * steps, 10**6, 10**6))


OPTIONS = ScanSettings(min_resemblance=1.0)


def words(rng, count):
    return [f"w{rng.randrange(10**9)}" for _ in range(count)]


def folder(rng, common, runs, hosts=DOCUMENT_LIMIT + 5):
    """Documents that all hold a common text, and pairs of them that share one run each."""
    documents = [words(rng, 40) + common + words(rng, 40) for _ in range(hosts)]
    planted = []
    for run in runs:
        pair = sorted(rng.sample(range(hosts), 2))
        for document in pair:
            documents[document] = documents[document] + words(rng, 5) + run + words(rng, 5)
        planted.append(tuple(pair))
    return [" ".join(document) for document in documents], planted


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from([12, 20, 25]), st.integers(0, 30))
def test_no_run_is_missed_because_part_of_it_is_common(seed, shared, start):
    """Runs of 30 words in two documents only, 12, 20 or 25 of them in all documents."""
    rng = random.Random(seed)
    common = words(rng, 60)
    runs = []
    for _ in range(20):
        before = rng.randrange(31 - shared)
        piece = common[start : start + shared]
        runs.append(words(rng, before) + piece + words(rng, 30 - shared - before))
    texts, planted = folder(rng, common, runs)

    pairs = find_pairs(texts, OPTIONS)

    assert set(planted) <= set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def test_passages_beside_common_text_in_a_script_without_spaces():
    rng = random.Random(9)
    common = "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(80))
    texts = [f"{' '.join(words(rng, 20))} {common}" for _ in range(DOCUMENT_LIMIT + 5)]
    planted = set()
    for number in range(10):
        characters = "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(18))
        run = characters[:9] + common[number : number + 32] + characters[9:]
        for document in (number, number + 50):
            texts[document] += f" {' '.join(words(rng, 9))} {run}"
        planted.add((number, number + 50))

    pairs = find_pairs(texts, OPTIONS.with_changes(compare="bands"))

    assert planted <= set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def test_text_that_is_common_throughout_still_pairs_nobody(pool):
    rng = random.Random(1)
    texts, _ = folder(rng, words(rng, 200), [])

    passages = make_corpus(texts, pool, OPTIONS).shared_passages()

    assert len(passages.codes) == 0
    assert passages.holders.tolist() == list(range(len(texts)))
    assert len(passages.avoided) == 200 - 9  # every gram of ten words


def test_an_audit_distinguishes_common_passages_from_others(pool):
    rng = random.Random(8)
    common = words(rng, 80)
    texts, planted = folder(rng, common, [words(rng, 12) + common[:18]])
    passages = make_corpus(texts, pool, OPTIONS).shared_passages()

    for pair in ((0, 1), (3, 40), *planted):
        two = shingle([texts[document] for document in pair], OPTIONS)
        only = share_common_grams_only(two, passages, OPTIONS)
        assert only == (pair not in planted)
    assert share_common_grams_only(shingle(["short", texts[0]], OPTIONS), passages, OPTIONS)


def test_common_text_in_layers():
    """What is chosen instead of common grams can be common itself, in other documents."""
    rng = random.Random(2)
    outer, inner = words(rng, 18), words(rng, 18)
    texts = []
    for number in range(6 * DOCUMENT_LIMIT):
        parts = [outer] if number % 3 else [outer + inner]
        if number % 2:
            parts.append(inner)
        texts.append(" ".join(sum(parts, words(rng, 20)) + words(rng, 20)))
    run = " ".join(outer[3:] + inner[:12] + words(rng, 3))
    texts[7] += " " + run
    texts[400] += " " + run

    pairs = find_pairs(texts, OPTIONS)

    assert (7, 400) in set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def layered(rng, count):
    """Texts that share many pieces, each with a number of documents around the limit."""
    pieces = [words(rng, rng.randrange(8, 45)) for _ in range(12)]
    texts = []
    for _ in range(count):
        chosen = [piece for piece in pieces if rng.random() < 0.35]
        rng.shuffle(chosen)
        parts = [words(rng, rng.randrange(15)) + piece for piece in chosen]
        texts.append(" ".join(sum(parts, words(rng, 10))))
    return texts


def test_the_result_does_not_depend_on_how_the_documents_are_cut(pool, monkeypatch):
    monkeypatch.setattr("core.candidates.shared_fingerprints.DOCUMENT_LIMIT", 25)
    texts = layered(random.Random(3), 80)
    uncut = make_corpus(texts, pool, OPTIONS).shared_passages()
    assert len(uncut.codes) > 0 < len(uncut.more)

    for characters in (1, 5000):
        monkeypatch.setattr("core.candidates.shared_fingerprints.CHARACTERS_AT_ONCE", characters)
        cut = make_corpus(texts, pool, OPTIONS).shared_passages()
        for name in ("codes", "holders", "avoided"):
            assert getattr(cut, name).tolist() == getattr(uncut, name).tolist()


def test_documents_that_are_added_give_what_a_fresh_scan_gives(pool):
    texts = layered(random.Random(6), 330)
    growing = Corpus(OPTIONS, pool)
    for start in range(0, len(texts), 110):
        part = texts[start : start + 110]
        growing.add(part, sign_texts(part, OPTIONS))
        growing.shared_passages()

    grown, fresh = growing.shared_passages(), make_corpus(texts, pool, OPTIONS).shared_passages()

    for name in ("codes", "holders", "avoided", "more"):
        assert getattr(grown, name).tolist() == getattr(fresh, name).tolist()


def test_a_queried_text_makes_the_same_text_common_as_a_scan_with_it(pool):
    rng = random.Random(7)
    settings_ = OPTIONS.with_changes(min_resemblance=0.99)
    partner_count = 0
    for _ in range(4):
        texts = layered(rng, 2 * DOCUMENT_LIMIT + 80)
        corpus = make_corpus(texts[1:], pool, settings_)
        index = corpus.passage_index()
        with_it = make_corpus(texts, pool, settings_).shared_passages().codes
        partners = (with_it[with_it >> np.uint64(32) == 0]).astype(np.int64) - 1
        assert index.sharing(texts[0], is_copy=False).tolist() == partners.tolist()
        partner_count += len(partners)
    assert partner_count
