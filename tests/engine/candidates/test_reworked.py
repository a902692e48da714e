"""Candidates for reworked passages, against counting by hand, and what they find."""

import math
import random
from collections import defaultdict
from itertools import combinations, product

import numpy as np
import pytest

from core.base.arrays import GrowingArray, wilson
from core.base.tasks import cancelled_by
from core.candidates import reworked, skip_gram_index
from core.candidates.reworked import measure_kept, pair_by_skip_grams, share_kept_in_both
from core.candidates.reworked_curve import CurveEvidence, KeptShare, ReworkedCurve
from core.errors import ScanCancelledError
from core.settings import ONE_IN, ScanSettings
from core.signatures.signing import choose_skip_grams, no_skip_grams, sign_texts
from core.text.shingling import Fingerprints, word_beginnings

CAREFUL = ScanSettings(reworked="careful")
NEAR = 60


def random_skip_grams(rng, documents, hashes, longest=60, span=400):
    """Skip-grams of random documents that draw from a few hashes, as `choose_skip_grams` gives."""
    pool = [rng.getrandbits(40) for _ in range(hashes)]
    grams_of = [
        sorted(
            ((rng.choice(pool), rng.randrange(span)) for _ in range(rng.randrange(longest))),
            key=lambda gram: gram[1],
        )
        for _ in range(documents)
    ]
    values = np.array([key << 24 | i for grams in grams_of for key, i in grams], dtype=np.uint64)
    return grams_of, Fingerprints(
        values, np.array([len(grams) for grams in grams_of], dtype=np.int64)
    )


def first_four(grams):
    seen, kept = defaultdict(int), []
    for key, position in grams:
        seen[key] += 1
        if seen[key] <= 4:
            kept.append((key, position))
    return kept


def counted_by_hand(grams_of, taking_part, to_review, left_out=frozenset()):
    kept = [[gram for gram in first_four(grams) if gram[0] not in left_out] for grams in grams_of]
    holders = defaultdict(set)
    for document, grams in enumerate(grams_of):
        for key, _ in grams:
            if taking_part[document]:
                holders[key].add(document)
    among = max(sum(taking_part), 200)

    def weight(key):
        share = math.log2(among / len(holders[key])) / math.log2(among / 2)
        return min(16, max(1, round(16 * share)))

    return {
        (x, y)
        for x, y in combinations(np.flatnonzero(taking_part).tolist(), 2)
        if (to_review[x] or to_review[y]) and agree_nearby(kept[x], kept[y], weight)
    }


def agree_nearby(first, second, weight):
    met = {(p, q, a) for (a, p), (b, q) in product(first, second) if a == b}
    for p, q, _ in met:
        near = [at for at in met if abs(at[0] - p) <= NEAR and abs(at[1] - q) <= NEAR]
        ours, keys_b, keys = (set(column) for column in zip(*near, strict=True))
        if len(ours) >= 3 and len(keys_b) >= 3 and sum(map(weight, keys)) > 2 * 16:
            return True
    return False


def pairs_of(candidates):
    return [(int(code) >> 32, int(code) & 0xFFFFFFFF) for code in candidates.codes]


@pytest.mark.parametrize("seed", range(12))
def test_candidates_are_those_of_counting_by_hand(seed, monkeypatch):
    rng = random.Random(seed)
    monkeypatch.setattr(skip_gram_index, "SORTED_AT_ONCE", rng.choice([8, 100, 1 << 22]))
    monkeypatch.setattr(skip_gram_index, "BLOCK", rng.choice([1, 50, 1 << 22]))
    monkeypatch.setattr(skip_gram_index, "PLACED_AT_ONCE", rng.choice([1, 50, 1 << 20]))
    monkeypatch.setattr(reworked, "MOST_AT_ONCE", rng.choice([1, 50, 1 << 18]))
    span = rng.choice([100, 400, 2000])  # words: some texts have several stretches
    grams_of, grams = random_skip_grams(
        rng, rng.randrange(2, 25), rng.choice([20, 100, 300]), 90, span
    )
    taking_part = np.array([rng.random() < 0.9 for _ in grams_of])
    to_review = np.array([rng.random() < 0.7 for _ in grams_of])
    rows = GrowingArray(np.uint64, memory=rng.choice([0, 1 << 20]))
    rows.append(grams.values)

    candidates = pair_by_skip_grams(grams._replace(values=rows.rows), taking_part, to_review)

    assert pairs_of(candidates) == sorted(counted_by_hand(grams_of, taking_part, to_review))
    assert candidates.common.grams == 0


def test_the_order_of_documents_changes_nothing():
    rng = random.Random(20)
    _, grams = random_skip_grams(rng, 40, 150)
    everyone = np.ones(40, dtype=np.bool_)
    expected = set(pairs_of(pair_by_skip_grams(grams, everyone, everyone)))
    order = np.array(rng.sample(range(40), 40))

    pairs = pairs_of(pair_by_skip_grams(grams.take(order), everyone, everyone))

    assert {tuple(sorted((int(order[x]), int(order[y])))) for x, y in pairs} == expected
    assert 20 < len(expected) < 700


def check_described(described, common, holders, grams_of):
    """The hashes that make no pairs are counted, and one that most documents hold is named."""
    assert described.grams == len(common) > 0
    assert described.documents == len(set().union(*(holders[key] for key in common)))
    assert described.most == max(len(holders[key]) for key in common)
    named = [key for key, position in grams_of[described.document] if position == described.word]
    assert any(key in common and len(holders[key]) == described.most for key in named)


@pytest.mark.parametrize("references", [False, True])
def test_grams_that_are_too_common_are_left_out_and_reported(references, monkeypatch):
    monkeypatch.setattr(reworked, "FEWEST_PAIRS", 300)
    monkeypatch.setattr(reworked, "PAIRS_A_GRAM", 0)
    rng = random.Random(7)
    grams_of, grams = random_skip_grams(rng, 30, 60, longest=40, span=120)
    everyone = np.ones(30, dtype=np.bool_)
    to_review = np.arange(30) % 3 == 0 if references else everyone
    holders = defaultdict(set)
    for document, gram in enumerate(grams_of):
        for key, _ in gram:
            holders[key].add(document)
    counts = {
        key: sum(to_review[x] or to_review[y] for x, y in combinations(sorted(held), 2))
        for key, held in holders.items()
    }

    candidates = pair_by_skip_grams(grams, everyone, to_review)

    fitting = [
        limit for limit in range(500) if sum(n for n in counts.values() if n <= limit) <= 300
    ]
    assert max(n for n in counts.values() if n <= candidates.limit) == max(
        n for n in counts.values() if n <= fitting[-1]
    )
    common = {key for key, pairs in counts.items() if pairs > candidates.limit}
    assert pairs_of(candidates) == sorted(counted_by_hand(grams_of, everyone, to_review, common))
    check_described(candidates.common, common, holders, grams_of)


def test_so_many_candidates_as_would_take_too_long_to_compare_are_fewer(monkeypatch):
    rng = random.Random(9)
    grams_of, grams = random_skip_grams(rng, 40, 80, longest=60, span=120)
    everyone = np.ones(40, dtype=np.bool_)
    holders = defaultdict(set)
    for document, grams_of_document in enumerate(grams_of):
        for key, _ in grams_of_document:
            holders[key].add(document)
    pairs = {key: len(held) * (len(held) - 1) // 2 for key, held in holders.items()}
    usual = pair_by_skip_grams(grams, everyone, everyone)
    monkeypatch.setattr(reworked, "FEWEST_COMPARED", len(grams.values))

    candidates = pair_by_skip_grams(grams, everyone, everyone)

    assert usual.common.grams == 0
    assert candidates.limit in {usual.limit // 2**times for times in range(1, 12)}
    common = {key for key, count in pairs.items() if count > candidates.limit}
    assert pairs_of(candidates) == sorted(counted_by_hand(grams_of, everyone, everyone, common))
    compared = sum(len(grams_of[x]) + len(grams_of[y]) for x, y in pairs_of(candidates))
    assert compared <= len(grams.values)
    assert compared < sum(len(grams_of[x]) + len(grams_of[y]) for x, y in pairs_of(usual))
    check_described(candidates.common, common, holders, grams_of)


def test_nothing_to_pair():
    for documents in (0, 1, 3):
        everyone = np.ones(documents, dtype=np.bool_)
        candidates = pair_by_skip_grams(no_skip_grams(documents), everyone, everyone)
        assert not len(candidates.codes)
        assert candidates.common.document == -1


def test_stopping_is_noticed():
    _, grams = random_skip_grams(random.Random(1), 20, 50)
    everyone = np.ones(20, dtype=np.bool_)
    with pytest.raises(ScanCancelledError), cancelled_by(lambda: True):
        pair_by_skip_grams(grams, everyone, everyone)


def make_word(rng):
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randrange(3, 10)))


def reworded(words, share, rng, substitutes):
    """Words of which a share is exchanged, left out or put in."""
    for word in words:
        draw = rng.random()
        if draw >= share:
            yield word
        elif draw >= share / 3:
            yield rng.choice(substitutes)
            if draw >= 2 * share / 3:
                yield word


@pytest.mark.parametrize(("length", "share", "least"), [(60, 0.2, 0.95), (100, 0.4, 0.85)])
def test_reworded_passages_are_found(length, share, least):
    """The promise of the channel, for passages in texts that have nothing else in common."""
    rng = random.Random(length)
    words = [make_word(rng) for _ in range(5000)]
    texts = []
    for _ in range(200):
        passage = rng.choices(words, k=length)
        edited = list(reworded(passage, share, rng, words))
        texts += [
            " ".join([*rng.choices(words, k=300), *version, *rng.choices(words, k=300)])
            for version in (passage, edited)
        ]
    grams = sign_texts(texts, CAREFUL).skip_grams
    everyone = np.ones(len(texts), dtype=np.bool_)

    pairs = pairs_of(pair_by_skip_grams(grams, everyone, everyone))

    planted = sum(x % 2 == 0 and y == x + 1 for x, y in pairs)
    assert planted >= least * 200
    assert len(pairs) - planted <= 40  # of 79,600


def test_copies_that_take_no_part_pair_with_nobody():
    rng = random.Random(4)
    text = " ".join(make_word(rng) for _ in range(200))
    grams = sign_texts([text, text, text + " more"], CAREFUL).skip_grams
    everyone = np.ones(3, dtype=np.bool_)
    candidates = pair_by_skip_grams(grams, np.array([True, False, True]), everyone)
    assert pairs_of(candidates) == [(0, 2)]
    candidates = pair_by_skip_grams(grams, everyone, np.array([False, False, True]))
    assert pairs_of(candidates) == [(0, 2), (1, 2)]


CASES = 300
FULL_INFORMATION = CurveEvidence(10.0, 0.5, 30.0)
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))


def made_up_words(rng, count=3000):
    shares = [0.03, 0.12, 0.2, 0.2, 0.15, 0.1, 0.1, 0.1]
    lengths = rng.choice([1, 2, 3, 4, 5, 6, 7, 9], count, p=shares)
    return np.array(["".join(rng.choice(LETTERS, length)) for length in lengths])


def at_random(share):
    return lambda length, rng: rng.random(length) < share


def evenly(every):
    return lambda length, _rng: np.arange(length) % every == every // 2


def reworded_text(passage, changed, words, rng):
    passage = passage.copy()
    is_changed = changed(len(passage), rng)
    passage[is_changed] = rng.choice(words, is_changed.sum())
    return passage


def planted(rng, words, length, changed):
    """Sources and, after them, hosts of a reworded passage of each."""
    sources, hosts = [], []
    for _ in range(CASES):
        source, host = rng.choice(words, 2 * length + 80), rng.choice(words, 60)
        first = rng.integers(0, len(source) - length)
        copy = reworded_text(source[first : first + length], changed, words, rng)
        sources.append(" ".join(source))
        hosts.append(" ".join(np.concatenate([host[:30], copy, host[30:]])))
    return [*sources, *hosts]


def count_found_and_kept(level, length, changed, rng):
    """How many of the planted pairs are candidates, and the share of grams that count."""
    settings = ScanSettings(reworked=level)
    texts = planted(rng, made_up_words(rng), length, changed)
    words = word_beginnings(texts, settings)
    grams = choose_skip_grams(words, settings)
    each = np.ones(len(texts), dtype=np.bool_)
    codes = set(pair_by_skip_grams(grams, each, each).codes.tolist())
    count = sum(case << 32 | (CASES + case) in codes for case in range(CASES))
    kept = measure_kept(grams, each, ONE_IN[level])
    return count, kept.of_these(share_kept_in_both(words))


def agrees(promised, count):
    measured = wilson(count, CASES)
    return measured.low - 0.04 <= promised <= measured.high + 0.02


@pytest.mark.parametrize("level", ["careful", "thorough"])
@pytest.mark.parametrize("length", [30, 60, 100, 200])
@pytest.mark.parametrize("changed", [0.2, 0.4, 0.6])
def test_the_curve_is_what_is_found_of_planted_passages(level, length, changed):
    rng = np.random.default_rng([length, round(changed * 10), len(level)])
    count, kept = count_found_and_kept(level, length, at_random(changed), rng)
    assert agrees(ReworkedCurve(level, kept, FULL_INFORMATION).probability(length, changed), count)


@pytest.mark.parametrize("every", [2, 3, 5])
@pytest.mark.parametrize("length", [30, 60, 100])
def test_of_changes_at_even_distances_too(every, length):
    count, kept = count_found_and_kept(
        "careful", length, evenly(every), np.random.default_rng([length, every])
    )
    curve = ReworkedCurve("careful", kept, FULL_INFORMATION)
    assert agrees(curve.probability_evenly(length, every), count)


def test_places_far_from_each_other_are_no_candidate():
    rare = ReworkedCurve("careful", KeptShare(0.02, 0.0), FULL_INFORMATION)
    expected = 2 * 400 * 0.02 / 2  # of 8 grams three often agree, but seldom nearby
    assert expected > 5
    assert rare.probability(400, 0.0) < 0.9
    assert rare.probability(2, 0.0) == 0.0


def test_the_promise_falls_with_changes_and_grows_with_length():
    curve = ReworkedCurve.usual("careful")
    by_length = curve.by_length(200, 0.4)
    assert len(by_length) == 201
    assert (np.diff(by_length) > -1e-9).all()
    assert by_length[60] == pytest.approx(curve.probability(60, 0.4))
    by_share = [curve.probability(60, share / 10) for share in range(11)]
    assert (np.diff(by_share) <= 0).all()
    assert by_share[-1] == 0.0
    assert ReworkedCurve.usual("thorough").probability(60, 0.4) > by_share[4]


def test_words_that_say_little_are_not_promised_to_be_listed():
    low = CurveEvidence(2.0, 0.5, 150.0)
    curve = ReworkedCurve("careful", KeptShare(0.9, 0.0), low)
    assert curve.probability(60, 0.2) < 0.01
    assert curve.probability(400, 0.2) > 0.95


def test_the_promise_in_words_is_that_of_the_curve_and_never_rounded_up():
    curve = ReworkedCurve.usual("careful")
    chance = curve.probability_evenly(60, 5)
    assert curve.probability(60, 0.2) >= 0.95
    assert curve.probability(100, 0.4) >= 0.80
    assert curve.sentence() == (
        "A passage of 60 words in which every fifth word was changed is found with a probability "
        f"of {int(chance * 100)}%."
    )


def test_no_passage_of_thirty_words_has_nothing_to_measure():
    settings = ScanSettings(reworked="careful")
    grams = choose_skip_grams(word_beginnings(["some few words", ""], settings), settings)
    assert measure_kept(grams, np.ones(2, dtype=np.bool_), 8) is None
