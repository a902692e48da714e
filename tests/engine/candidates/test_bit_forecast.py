"""What bits miss at every distance: forecasts against what is so."""

from itertools import combinations

import numpy as np
import pytest

from core.audit import Method, audit
from core.candidates.forecast import BitSample, KnownBits, bit_levels
from core.errors import TooManyCandidatesError
from core.evidence.pairs import pair_codes
from core.scan import measured_pairs
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_bits
from core.settings import MAX_DISTANCE, ScanSettings
from core.signatures.methods import hamming_distance
from core.signatures.signing import sign_texts

OPTIONS = ScanSettings(
    k=1,
    signature="simhash",
    max_distance=6,
    min_passage=200,
    min_resemblance=0.3,
    compare="bands",
    reworked="off",
    weights="unweighted",
)


def edited_texts(count, seed=1, words=120):
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


def make_corpus(texts, pool, options=OPTIONS):
    corpus = Corpus(options, pool)
    corpus.add(texts, sign_texts(texts, options))
    return corpus


class Truth:
    """All pairs of different documents of a corpus, compared one by one."""

    def __init__(self, corpus):
        rows = corpus.distinct()
        x, y = np.array(list(combinations(rows.tolist(), 2))).T
        shared, sizes = corpus.evidence.measured(x, y).shared, corpus.evidence.sizes()
        corpus.evidence.settle()
        self.resemblance = shared / (sizes[x] + sizes[y] - shared)
        self.distance = hamming_distance(corpus.signed.signatures, x, y)
        copies = np.bincount(corpus.representatives(), minlength=len(corpus))
        self.counts = copies[x] * copies[y]
        self.shares = np.isin(pair_codes(x, y), corpus.shared_passages().codes)

    def missed(self, least, distance, *, with_passages):
        which = (self.resemblance >= least) & (self.distance > distance)
        return int(self.counts[which & ~(self.shares & with_passages)].sum())

    def extra(self, floor, distance):
        return int(((self.resemblance < floor) & (self.distance <= distance)).sum())


def holds(estimate, truth):
    return np.floor(estimate.low + 1e-9) <= truth <= np.ceil(estimate.high - 1e-9)


@pytest.fixture
def nothing_more(monkeypatch):
    """A folder in which nothing is measured beyond the list, as in a very large one."""
    monkeypatch.setattr(measured_pairs, "SEARCHED_PAIRS", 0)


@pytest.mark.parametrize("weights", ["unweighted", "tf", "tf-idf"])
def test_where_all_pairs_were_compared_every_distance_is_counted(pool, weights):
    options = OPTIONS.with_changes(compare="all", weights=weights, min_passage=14, k=2)
    texts = edited_texts(60)
    corpus = make_corpus([*texts, texts[0], texts[7]], pool, options)
    PairLister(corpus).list_pairs(options)

    known = known_bits(corpus, options)

    truth = Truth(corpus)
    told = [known.forecast(0.5, distance) for distance in range(MAX_DISTANCE + 1)]
    assert all(one.certain and one.least == 0.5 for one in told)
    for distance, one in enumerate(told):
        assert one.there == truth.missed(0.5, -1, with_passages=False) + 2
        assert tuple(one.by_bands) == (truth.missed(0.5, distance, with_passages=False),) * 3
        assert tuple(one.listed) == (truth.missed(0.5, distance, with_passages=True),) * 3
        assert known.extra_below(0.5, distance).expected == truth.extra(0.5, distance)
    assert told[0].by_bands.expected > told[-1].by_bands.expected > 0


def test_what_was_measured_beyond_the_list_is_counted_too(pool):
    corpus = make_corpus(edited_texts(80), pool)
    PairLister(corpus).list_pairs(OPTIONS.with_changes(max_distance=0))

    known = known_bits(corpus, OPTIONS)

    truth = Truth(corpus)
    assert known.reach > MAX_DISTANCE
    for distance in (0, 3, 8):
        told = known.forecast(0.6, distance)
        assert round(told.by_bands.expected) == truth.missed(0.6, distance, with_passages=False)
        assert round(known.extra_below(0.6, distance).expected) == truth.extra(0.6, distance)


def test_the_interval_holds_what_was_never_measured(pool, nothing_more):
    """Also of other distances than that of the list."""
    covered, asked = 0, 0
    for seed in range(1, 31):
        weights = ("unweighted", "tf")[seed % 2]
        options = OPTIONS.with_changes(seed=seed, weights=weights)
        corpus = make_corpus(edited_texts(100, seed), pool, options)
        PairLister(corpus).list_pairs(options)

        known = known_bits(corpus, options)

        assert known.reach == OPTIONS.max_distance
        told = {distance: known.forecast(0.3, distance) for distance in (3, 6, 8)}
        truth = Truth(corpus)
        for distance, forecast in told.items():
            missed = truth.missed(forecast.least, distance, with_passages=True)
            covered += bool(holds(forecast.listed, missed))
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
    c = np.repeat(cosine, sizes)[near]
    sample = BitSample(
        c / (2 - c),
        c,
        distance[near],
        values[near],
        np.ones(near.sum()),
        np.zeros(near.sum(), bool),
    )
    known = KnownBits(
        signature="simhash",
        floor=0.3,
        complete=False,
        reach=reach,
        all_pairs=10**6,
        at_distance=np.zeros(65),
        spread=np.zeros(65),
        identical=0,
        levels=bit_levels(sample, reach, weighted=False, by_rarity=False),
    )
    return known.forecast(0.3, reach), int((~near).sum())


@pytest.mark.parametrize("size", [1, 20])
def test_the_interval_covers_also_pairs_that_are_found_together(size):
    rng = np.random.default_rng(5)
    cosine = rng.uniform(0.87, 0.99, 40)
    covered, errors = 0, []
    for _ in range(200):
        forecast, missed = simulated(rng, np.full(40, size), cosine, 6)
        assert forecast.least < 0.74
        covered += bool(holds(forecast.by_bands, missed))
        errors.append(forecast.by_bands.expected - missed)
    assert covered >= 180
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(200)


def test_a_folder_too_large_to_search_again_tells_what_its_list_measured(pool, nothing_more):
    corpus = make_corpus(edited_texts(60), pool)

    assert known_bits(corpus, OPTIONS) is None  # no list was made
    PairLister(corpus).list_pairs(OPTIONS)
    assert known_bits(corpus, OPTIONS).reach == 6
    assert known_bits(corpus, OPTIONS.with_changes(max_distance=2)).reach == 6


def test_how_many_differ_in_so_many_bits_is_estimated_in_a_large_folder(pool, monkeypatch):
    corpus = make_corpus(edited_texts(120), pool)
    counted = known_bits(corpus, OPTIONS)
    assert corpus.at_distances is not None
    corpus.at_distances = None
    monkeypatch.setattr(measured_pairs, "COUNTED_PAIRS", 120 * 40)

    drawn = known_bits(corpus, OPTIONS)

    assert (counted.spread == 0).all()
    assert counted.at_distance.sum() == counted.all_pairs == 120 * 119 / 2
    assert drawn.at_distance.sum() == pytest.approx(counted.all_pairs)
    for distance in range(20, 33):
        assert drawn.candidates(distance).low <= counted.candidates(distance).expected
        assert counted.candidates(distance).expected <= drawn.candidates(distance).high


def test_references_are_no_pairs_of_their_own(pool):
    texts = edited_texts(40)
    corpus = Corpus(OPTIONS, pool)
    corpus.add(texts, sign_texts(texts, OPTIONS), np.arange(40) < 5)

    known = known_bits(corpus, OPTIONS)

    x, y = np.array([(x, y) for x, y in combinations(range(40), 2) if x < 5]).T
    distance = hamming_distance(corpus.signed.signatures, x, y)
    assert known.at_distance.tolist() == np.bincount(distance, minlength=65).tolist()
    assert known.all_pairs == 5 * 4 / 2 + 5 * 35


def test_a_crowd_with_one_signature_tells_nothing(pool, monkeypatch):
    monkeypatch.setattr(measured_pairs, "EQUAL_LIMIT", 3)
    corpus = make_corpus([f"same words {number}" for number in range(6)], pool)
    corpus.signed.signatures[:] = 7

    assert known_bits(corpus, OPTIONS) is None


@pytest.mark.parametrize("texts", [[], ["only one"], ["", ""], ["the same", "the same"]])
def test_folders_without_pairs(pool, texts):
    corpus = make_corpus(texts, pool)
    PairLister(corpus).list_pairs(OPTIONS)

    forecast = known_bits(corpus, OPTIONS).forecast(0.3, 3)

    assert forecast is None or forecast.listed.expected == 0


def test_a_cancelled_forecast_stops(pool):
    from core.errors import ScanCancelledError

    corpus = make_corpus(edited_texts(20), pool)
    with pytest.raises(ScanCancelledError):
        known_bits(corpus, OPTIONS, lambda: True)


@pytest.mark.parametrize("compare", ["auto", "bands"])
def test_the_audit_says_what_the_window_says(pool, compare):
    texts = edited_texts(60)
    options = OPTIONS.with_changes(compare=compare)
    corpus = make_corpus(texts, pool, options)
    PairLister(corpus).list_pairs(options)

    result = audit(texts, options, method=Method.ALL_PAIRS)

    forecast = known_bits(corpus, options).forecast(0.3, 6)
    assert result.estimate.forecast == forecast
    truth = Truth(corpus)
    held = (result.estimate.missed_by_bands, result.estimate.not_listed)
    assert held == (
        truth.missed(forecast.least, 6, with_passages=False),
        truth.missed(forecast.least, 6, with_passages=True),
    )


def test_a_refused_distance_is_told_from_what_was_listed(pool, monkeypatch):
    corpus = make_corpus(edited_texts(60), pool)
    PairLister(corpus).list_pairs(OPTIONS.with_changes(max_distance=4))
    monkeypatch.setattr("core.candidates.search.CANDIDATE_BUDGET", 1)
    with pytest.raises(TooManyCandidatesError):
        PairLister(corpus).list_pairs(OPTIONS.with_changes(max_distance=8))
    monkeypatch.setattr(measured_pairs, "SEARCHED_PAIRS", 0)

    assert known_bits(corpus, OPTIONS.with_changes(max_distance=8)).reach == 4
