"""What bands miss: forecasts against what is so, in simulated scans and in small folders."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from core.audit.auditing import audit
from core.candidates.all_pairs import MODERATE
from core.candidates.bands import agree_in_a_band
from core.candidates.forecast import LEVELS, level_of
from core.candidates.scurve import candidate_probability
from core.errors import TooManyCandidatesError
from core.scan import measured_pairs
from core.scan.audit_results import Method, MissedForecast
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_bits, known_pairs
from core.settings import MAX_DISTANCE, ScanSettings
from core.signatures.methods import hamming_distance
from core.signatures.signing import sign_texts
from tests.forecasts import Truth, bit_sample, edited_texts, known_bits_of, known_of, listed_corpus
from tests.pairs import candidate_pairs, corpus_of

OPTIONS = ScanSettings(k=2, bands=20, rows=3, min_passage=14, compare="bands", reworked="off")
BITS = ScanSettings(
    k=1, signature="simhash", max_distance=6, min_passage=200, min_resemblance=0.3,
    compare="bands", reworked="off", weights="unweighted",
)  # fmt: skip


def list_pairs(corpus, options):
    return PairLister(corpus, overlap=False).list_pairs(options).pairs


def longer_texts(count, seed=1, words=120):
    """Texts of so many words and more, each an edit of one of the texts before it."""
    rng = np.random.default_rng(seed)
    texts = [[f"w{word}" for word in rng.integers(0, 30_000, words)]]
    while len(texts) < count:
        own = list(texts[rng.integers(len(texts))])
        for place in rng.integers(0, len(own), words // 12):
            own[place] = f"w{rng.integers(30_000)}"
        own += [f"w{word}" for word in rng.integers(0, 30_000, rng.integers(0, 20))]
        texts.append(own)
    return [" ".join(own) for own in texts]


def holds(estimate, truth):
    return int(np.floor(estimate.low + 1e-9) <= truth <= np.ceil(estimate.high - 1e-9))


@pytest.fixture
def nothing_more(monkeypatch):
    """A folder in which nothing is measured beyond the list, as in a very large one."""
    monkeypatch.setattr(measured_pairs, "SEARCHED_PAIRS", 0)


@pytest.mark.parametrize("weights", ["unweighted", "tf", "tf-idf"])
def test_where_all_pairs_were_compared_every_distance_is_counted(pool, weights):
    options = BITS.with_changes(compare="all", weights=weights, min_passage=14, k=2)
    texts = longer_texts(60)
    corpus = listed_corpus([*texts, texts[0], texts[7]], options, pool)

    known = known_bits(corpus, options)

    truth = Truth(corpus)
    told = [known.forecast(0.5, distance) for distance in range(MAX_DISTANCE + 1)]
    assert all(one.certain and one.least == 0.5 for one in told)
    for distance, one in enumerate(told):
        there, unfound, unlisted = truth.missed(0.5, distance)
        assert one.total == there + 2
        assert tuple(one.missed_by_bands) == (unfound,) * 3
        assert tuple(one.missed) == (unlisted,) * 3
        assert one.extra.expected == truth.candidates(distance, below=0.5)
    assert told[0].missed_by_bands.expected > told[-1].missed_by_bands.expected > 0


def test_what_was_measured_beyond_the_list_is_counted_too(pool):
    corpus = corpus_of(longer_texts(80), BITS, pool)
    list_pairs(corpus, BITS.with_changes(max_distance=0))

    known = known_bits(corpus, BITS)

    truth = Truth(corpus)
    assert known.reach > MAX_DISTANCE
    for distance in (0, 3, 8):
        told = known.forecast(0.6, distance)
        assert round(told.missed_by_bands.expected) == truth.missed(0.6, distance)[1]
        assert round(told.extra.expected) == truth.candidates(distance, below=0.6)


def test_the_interval_holds_what_was_never_measured(pool, nothing_more):
    """Also of other distances than that of the list."""
    covered, asked = 0, 0
    for seed in range(1, 31):
        weights = ("unweighted", "tf")[seed % 2]
        options = BITS.with_changes(seed=seed, weights=weights)
        corpus = listed_corpus(longer_texts(100, seed), options, pool)

        known = known_bits(corpus, options)

        assert known.reach == BITS.max_distance
        told = {distance: known.forecast(0.3, distance) for distance in (3, 6, 8)}
        truth = Truth(corpus)
        for distance, forecast in told.items():
            missed = truth.missed(forecast.least, distance)[2]
            covered += holds(forecast.missed, missed)
            asked += 1
            assert not forecast.certain
    assert covered >= 0.9 * asked


def simulated(rng, sizes, cosine, reach):
    """Families of pairs whose members share their bits, each of so many pairs."""
    bits = rng.random((len(sizes), 64)) < np.arccos(cosine)[:, None] / np.pi
    bits = np.repeat(bits, sizes, axis=0)
    values = (bits * (np.uint64(1) << np.arange(64, dtype=np.uint64))).sum(axis=1, dtype=np.uint64)
    distance = bits.sum(axis=1)
    near = distance <= reach
    sample = bit_sample(np.repeat(cosine, sizes)[near], distance[near], values[near])
    known = known_bits_of(sample, reach, 0.3)
    return known.forecast(0.3, reach), int((~near).sum())


@pytest.mark.parametrize("size", [1, 20])
def test_the_interval_covers_also_pairs_that_are_found_together_of_bits(size):
    rng = np.random.default_rng(5)
    cosine = rng.uniform(0.87, 0.99, 40)
    covered, errors = 0, []
    for _ in range(200):
        forecast, missed = simulated(rng, np.full(40, size), cosine, 6)
        assert forecast.least < 0.74
        covered += holds(forecast.missed_by_bands, missed)
        errors.append(forecast.missed_by_bands.expected - missed)
    assert covered >= 180
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(200)


def test_a_folder_too_large_to_search_again_uses_the_measurements_of_its_list(pool, nothing_more):
    corpus = corpus_of(longer_texts(60), BITS, pool)

    assert known_bits(corpus, BITS) is None  # no list was made
    list_pairs(corpus, BITS)
    assert known_bits(corpus, BITS).reach == 6
    assert known_bits(corpus, BITS.with_changes(max_distance=2)).reach == 6


def test_how_many_differ_in_so_many_bits_is_estimated_in_a_large_folder(pool, monkeypatch):
    corpus = corpus_of(longer_texts(120), BITS, pool)
    counted = known_bits(corpus, BITS)
    assert corpus.at_distances is not None
    corpus.at_distances = None
    monkeypatch.setattr(measured_pairs, "COUNTED_PAIRS", 120 * 40)

    drawn = known_bits(corpus, BITS)

    assert (counted.spread == 0).all()
    assert counted.at_distance.sum() == 120 * 119 / 2
    assert drawn.at_distance.sum() == pytest.approx(120 * 119 / 2)
    for distance in range(20, 33):
        assert drawn.candidates(distance).low <= counted.candidates(distance).expected
        assert counted.candidates(distance).expected <= drawn.candidates(distance).high


def test_references_are_no_pairs_of_their_own(pool):
    texts = longer_texts(40)
    corpus = corpus_of(texts, BITS, pool, np.arange(40) < 5)

    known = known_bits(corpus, BITS)

    x, y = np.array([(x, y) for x, y in combinations(range(40), 2) if x < 5]).T
    distance = hamming_distance(corpus.signed.signatures, x, y)
    assert known.at_distance.tolist() == np.bincount(distance, minlength=65).tolist()
    assert known.at_distance.sum() == 5 * 4 / 2 + 5 * 35


def test_a_crowd_with_one_signature_reveals_nothing(pool, monkeypatch):
    monkeypatch.setattr(measured_pairs, "EQUAL_LIMIT", 3)
    corpus = corpus_of([f"same words {number}" for number in range(6)], BITS, pool)
    corpus.signed.signatures[:] = 7

    assert known_bits(corpus, BITS) is None


@pytest.mark.parametrize("texts", [[], ["only one"], ["", ""], ["the same", "the same"]])
def test_folders_without_pairs(pool, texts):
    corpus = listed_corpus(texts, BITS, pool)

    forecast = known_bits(corpus, BITS).forecast(0.3, 3)

    assert not forecast.is_known or forecast.missed.expected == 0


@pytest.mark.parametrize("compare", ["auto", "bands"])
def test_the_audit_says_what_the_window_says_of_bits(pool, compare):
    texts = longer_texts(60)
    options = BITS.with_changes(compare=compare)
    corpus = listed_corpus(texts, options, pool)

    result = audit(texts, options, method=Method.ALL_PAIRS)

    forecast = known_bits(corpus, options).forecast(0.3, 6)
    assert result.estimate.forecast == MissedForecast.of(forecast)
    held = (result.estimate.missed_by_bands, result.estimate.not_listed)
    assert held == Truth(corpus).missed(forecast.least, 6)[1:]


def test_a_refused_distance_is_told_from_what_was_listed(pool, monkeypatch):
    corpus = corpus_of(longer_texts(60), BITS, pool)
    list_pairs(corpus, BITS.with_changes(max_distance=4))
    monkeypatch.setattr("core.candidates.search.CANDIDATE_BUDGET", 1)
    with pytest.raises(TooManyCandidatesError):
        list_pairs(corpus, BITS.with_changes(max_distance=8))
    monkeypatch.setattr(measured_pairs, "SEARCHED_PAIRS", 0)

    assert known_bits(corpus, BITS.with_changes(max_distance=8)).reach == 4


@pytest.mark.parametrize("size", [1, 30])
def test_the_interval_covers_also_pairs_that_are_found_together(size):
    """So many pairs of each kind share their fate, in 300 draws of bands."""
    rng = np.random.default_rng(7)
    kinds = rng.uniform(0.1, 0.3, 40)
    covered, errors = [], []
    for _ in range(300):
        met = rng.random((40, 64)) < (kinds**2)[:, None]
        caught = met.any(axis=1)
        sole = np.where(met.sum(axis=1) == 1, met.argmax(axis=1), -1)[caught]
        known = known_of(np.repeat(kinds[caught], size), sole=np.repeat(sole, size))
        forecast = known.forecast(0.1)
        missed = size * int((~caught).sum())
        covered.append(forecast.missed_by_bands.low <= missed <= forecast.missed_by_bands.high)
        errors.append(forecast.missed_by_bands.expected - missed)
        assert forecast.total == pytest.approx(
            size * caught.sum() + forecast.missed_by_bands.expected
        )

    assert 0.9 <= np.mean(covered) <= 0.995
    assert abs(np.mean(errors)) < 0.5 * size


def test_other_bands_than_those_of_the_list_are_forecast_too():
    rng = np.random.default_rng(8)
    there = rng.uniform(0.15, 0.5, 300)
    covered = 0
    for _ in range(100):
        agree = rng.random((300, 128)) < there[:, None]
        met, others = (
            agree[:, : bands * rows].reshape(300, bands, rows).all(axis=2)
            for bands, rows in ((64, 2), (20, 4))
        )
        caught = met.any(axis=1)
        sole = np.where(met.sum(axis=1) == 1, met.argmax(axis=1), -1)[caught]
        forecast = known_of(there[caught], sole=sole).forecast(0.1, (20, 4))
        covered += (
            forecast.missed_by_bands.low
            <= np.sum(~others.any(axis=1))
            <= forecast.missed_by_bands.high
        )

    assert covered >= 90


def test_passages_are_certain_and_the_rest_is_estimated():
    known = known_of([0.3] * 10, passages=[0.3] * 4, missed=[0.2])

    forecast = known.forecast(0.1)

    p = float(candidate_probability(0.3, 64, 2))
    # One pair was met in another way than by the bands: it is one of those that are missed.
    unknown = max(0.0, 10 * (1 - p) / p - 1)
    assert forecast.missed.expected == pytest.approx(1 + unknown)
    assert forecast.missed_by_bands.expected == pytest.approx(5 + unknown)
    assert forecast.missed_by_bands.low >= 5
    assert forecast.missed.low >= 1
    assert not forecast.certain


def test_where_nothing_was_found_there_may_be_something():
    forecast = known_of([], threshold=0.2).forecast(0.2)

    assert forecast.missed.low == forecast.missed.expected == 0
    assert 0 < forecast.missed.high < 1
    assert known_of([], banding=(16, 8), threshold=0.6).forecast(0.6).missed.high > 1


def test_where_nothing_was_found_other_bands_may_miss_something_too():
    nothing = known_of([], (16, 8), threshold=0.6)
    missed = nothing.forecast(0.6, (10, 12)).missed

    assert missed.low == missed.expected == 0
    assert missed.high == pytest.approx(nothing.forecast(0.6).missed.high, rel=0.05)


def test_of_pairs_that_are_found_together_other_bands_may_miss_more_and_fewer():
    apart, together = (
        known_of([0.3] * 32, (32, 3), sole=bands, threshold=0.2).forecast(0.2, (20, 4))
        for bands in (range(32), [0] * 16 + [1] * 16)
    )

    assert together.missed.expected == pytest.approx(apart.missed.expected)
    assert together.missed.low < apart.missed.low
    assert together.missed.high > apart.missed.high


def test_nothing_is_reported_where_a_pair_is_hardly_ever_found():
    known = known_of([0.12, 0.5, 0.7], (16, 8), threshold=0.1)

    forecast = known.forecast(0.1)

    assert forecast.least == 0.44
    assert candidate_probability(0.43, 16, 8) < 0.02 <= candidate_probability(0.44, 16, 8)
    assert forecast == known.forecast(0.3)
    assert not known_of([], None, listed=False).forecast(0.1).is_known


def test_a_random_sample_estimates_where_bands_do_not():
    known = known_of([0.12, 0.5, 0.7], (16, 8), threshold=0.1, share=0.05)

    assert known.forecast(0.1).least == 0.1
    assert known_of([], None, listed=False, share=0.05).forecast(0.1).least == 0.1


@pytest.mark.parametrize("changes", [{}, {"bands": 4, "rows": 8}, {"min_resemblance": 0.4}])
def test_where_all_pairs_were_compared_everything_is_counted(pool, changes):
    texts = edited_texts(80)
    options = OPTIONS.with_changes(compare="auto", **changes)
    corpus = listed_corpus([*texts, texts[0], texts[0], texts[5]], options, pool)

    known = known_pairs(corpus, options)
    forecast = known.forecast(options.min_resemblance)

    there, unmet, unlisted = Truth(corpus).missed(options.min_resemblance, options.banding)
    assert (known.complete, known.identical) == (True, 4)
    assert forecast.total == there + 4
    assert tuple(forecast.missed_by_bands) == (unmet,) * 3
    assert tuple(forecast.missed) == (unlisted,) * 3
    assert there > unmet >= unlisted
    assert forecast.certain


@pytest.mark.parametrize("changes", [{}, {"bag": True}, {"bands": 8, "rows": 6}])
def test_what_is_known_of_a_searched_folder_holds_the_truth(pool, changes):
    """Nine in ten of the intervals, over 1,000 seeds .91 to .97: some rest on very few pairs."""
    covered = 0
    for seed in range(1, 41):
        options = OPTIONS.with_changes(seed=seed, **changes)
        corpus = listed_corpus([*edited_texts(120, seed), *edited_texts(4, seed)], options, pool)

        forecast = known_pairs(corpus, options).forecast(0.1)

        _, unmet, unlisted = Truth(corpus).missed(forecast.least, options.banding)
        assert not forecast.certain
        covered += holds(forecast.missed_by_bands, unmet) + holds(forecast.missed, unlisted)
    assert covered >= 68


def test_what_an_easier_choice_measured_is_kept_for_a_strict_one(pool):
    strict = OPTIONS.with_changes(bands=6, rows=8)
    corpus = corpus_of(edited_texts(150), OPTIONS, pool)
    lister = PairLister(corpus, overlap=False)
    lister.list_pairs(strict)
    alone = known_pairs(corpus, strict)
    lister.list_pairs(OPTIONS)
    lister.list_pairs(strict)

    after = known_pairs(corpus, strict)

    assert (alone.sampled, after.sampled) == ((6, 8), (20, 3))
    assert after.forecast(0.1).least <= alone.forecast(0.1).least
    before, now = alone.forecast(0.4).missed, after.forecast(0.4).missed
    assert now.high - now.low < before.high - before.low


def test_new_documents_begin_a_new_sample(pool):
    texts = edited_texts(150)
    corpus = listed_corpus(texts[:100], OPTIONS, pool)
    corpus.add(texts[100:], sign_texts(texts[100:], OPTIONS))

    assert known_pairs(corpus, OPTIONS).sampled is None


def test_extra_candidates_are_those_that_were_compared(pool):
    corpus = corpus_of(edited_texts(150), OPTIONS, pool)
    listed = list_pairs(corpus, OPTIONS.with_changes(min_resemblance=0.2))
    met = agree_in_a_band(corpus.signed.signatures, listed.a, listed.b, 20, 3)
    met &= listed.resemblance >= 0.2
    digests, signatures = corpus.signed[1:3]
    chunks = candidate_pairs(signatures, corpus.distinct(), 20, 3, digests=digests)
    candidates = sum(len(chunk.x) for chunk in chunks)

    known = known_pairs(corpus, OPTIONS.with_changes(min_resemblance=0.2))

    assert known.forecast(0.2).extra.expected == candidates - met.sum() > 0
    assert not known.forecast(0.3).extra_counted
    assert not known.forecast(0.2, (64, 2)).extra_counted


def test_extra_candidates_of_compared_pairs_follow_the_curve():
    every = np.full(1000, 0.0505)
    known = known_of([0.5], complete=True, every=[*every, 0.5])

    expected = 1000 * float(candidate_probability(0.0505, 64, 2))
    assert known.forecast(0.1).extra.expected == pytest.approx(expected)
    assert known.forecast(0.1, (42, 3)).extra.expected < expected


def test_pairs_that_share_nothing_are_no_extra_candidates():
    apart = 50_000_000
    spread = np.bincount(level_of([0.0004, 0.5]), minlength=LEVELS + 1).astype(np.float64)
    spread[0] += apart
    known = replace(known_of([0.5], complete=True, every=[0.5]), every=spread, apart=apart)

    assert known.forecast(0.1).extra.expected < 0.001


def test_a_refused_choice_is_forecast_from_the_others(pool, monkeypatch):
    corpus = listed_corpus(edited_texts(150), OPTIONS, pool)
    monkeypatch.setattr("core.candidates.search.CANDIDATE_BUDGET", 10)
    wide = OPTIONS.with_changes(bands=128, rows=1)
    with pytest.raises(TooManyCandidatesError):
        list_pairs(corpus, wide)

    known = known_pairs(corpus, wide)

    assert (known.sampled, known.is_listed) == ((20, 3), False)
    assert known.forecast(0.3).missed.expected < 1
    monkeypatch.setattr("core.scan.measured_pairs.MODERATE", MODERATE._replace(steps=10))
    monkeypatch.setattr("core.scan.measured_pairs.FEASIBLE", MODERATE._replace(steps=11))
    assert not known_pairs(corpus, wide.with_changes(compare="all")).complete


@pytest.mark.parametrize("compare", ["auto", "bands"])
@pytest.mark.parametrize("method", Method)
def test_the_audit_says_what_the_window_says(pool, compare, method):
    texts = [*edited_texts(110), *edited_texts(3)]
    options = OPTIONS.with_changes(compare=compare, bands=30, rows=4)
    corpus = listed_corpus(texts, options, pool)

    result = audit(texts, options, method=method, count=3)

    forecast = known_pairs(corpus, options).forecast(0.1)
    assert result.estimate.forecast == MissedForecast.of(forecast)
    if method is Method.ALL_PAIRS:
        held = (result.estimate.missed_by_bands, result.estimate.not_listed)
        assert held == Truth(corpus).missed(forecast.least, options.banding)[1:]
