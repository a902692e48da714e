"""What every choice of bands and rows would do: against enumeration, and in small folders."""

from itertools import combinations

import numpy as np
import pytest

from core.candidates.bands import agree_in_a_band, dispersions, pairs_in_bands
from core.candidates.forecast import poisson_interval
from core.candidates.parameter_grid import (
    bandings_within,
    collisions_by_banding,
    conditional_collisions,
    conditional_miss_probability,
)
from core.scan.lister import PairLister
from core.scan.measured_pairs import known_pairs, measured_grid
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from tests.forecasts import Truth, edited_texts, listed_corpus


@pytest.mark.parametrize("mean", [0.0, 5e-324, 1e-200, 1e-170, 1e-100, 1e-9, 0.3, 40.0])
def test_intervals_hold_even_tiny_expectations(mean):
    interval = poisson_interval(mean, mean * 2, 0.2)

    assert interval.low <= interval.expected <= interval.high
    assert interval.high > 0.1  # one that was not seen may be there


SETTINGS = ScanSettings(
    k=2, bands=12, rows=3, signature_size=48, min_passage=14, compare="bands",
    min_resemblance=0.2, reworked="off",
)  # fmt: skip
TRIED = (12, 3)


def choices(signature_size):
    bands, rows = bandings_within(signature_size)
    return list(zip(bands.tolist(), rows.tolist(), strict=True))


def test_choices_are_all_that_fit_in_order():
    assert choices(4) == [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (1, 3), (1, 4)]


@pytest.mark.parametrize("sampled", [None, (12, 1), (5, 2), (4, 3), (2, 5), (1, 7)])
def test_the_chance_after_others_missed_is_that_of_all_signatures_there_are(sampled):
    """Every way in which 12 values can agree, weighed by its probability."""
    size = 12
    agree = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1 == 1
    for s in (0.0, 0.13, 0.5, 0.9, 1.0):
        weight = np.where(agree, s, 1 - s).prod(axis=1)

        def in_bands(bands, rows):
            return agree[:, : bands * rows].reshape(-1, bands, rows).all(axis=2).sum(axis=1)

        left = weight if sampled is None else weight * (in_bands(*sampled) == 0)
        if left.sum() == 0:
            continue  # none is missed
        met = np.array([in_bands(*choice) for choice in choices(size)])
        given = np.array([s])
        missed = conditional_miss_probability(sampled, given, size)[0]
        agreeing = conditional_collisions(sampled, given, size)[0]
        assert missed == pytest.approx((met == 0) @ left / left.sum())
        assert agreeing == pytest.approx(met @ left / left.sum())


def test_where_all_are_met_nothing_is_left_to_say():
    assert (conditional_miss_probability((12, 1), np.array([1.0]), 12) == 1).all()
    assert conditional_miss_probability(None, np.array([]), 12).shape == (0, len(choices(12)))


def test_one_pass_counts_the_pairs_that_each_choice_meets():
    rng = np.random.default_rng(3)
    signatures = rng.integers(0, 2, (30, 24), dtype=np.uint32)
    x, y = (side.astype(np.int64) for side in np.triu_indices(30, 1))
    classes = rng.integers(0, 3, len(x))
    weights = np.stack([np.ones(len(x)), rng.random(len(x))], axis=1)

    collided, repeated = collisions_by_banding(signatures, x, y, classes, weights, 3)

    for index, (bands, rows) in enumerate(choices(24)):
        collides = agree_in_a_band(signatures, x, y, bands, rows)
        agree = (signatures[x] == signatures[y])[:, : bands * rows].reshape(-1, bands, rows)
        again = np.maximum(agree.all(axis=2).sum(axis=1) - 1, 0)
        for kind in range(2):
            expected = np.bincount(classes, weights[:, kind] * collides, 3)
            assert collided[kind, :, index] == pytest.approx(expected)
            assert repeated[0, kind, index] == pytest.approx(weights[:, kind] @ again)


def test_pairs_of_all_bands_are_counted_in_the_buckets_and_none_of_two_references():
    rng = np.random.default_rng(4)
    signatures = rng.integers(0, 3, (40, 12), dtype=np.uint32)
    to_review = rng.random(40) < 0.5
    use = np.arange(3, 40)
    x, y = use[np.array(list(combinations(range(len(use)), 2))).T]
    is_counted = to_review[x] | to_review[y]

    counted = pairs_in_bands(signatures, use, to_review)

    for index, (bands, rows) in enumerate(choices(12)):
        agree = (signatures[x] == signatures[y])[is_counted, : bands * rows]
        assert counted[index] == agree.reshape(-1, bands, rows).all(axis=2).sum()


def test_pairs_that_meet_together_are_told_from_those_that_meet_alone():
    alone, crowded = np.full(64, 5.0), np.zeros(64)
    crowded[::16] = 80

    def filled(numbers):
        return np.concatenate([np.cumsum(numbers[: 64 // rows]) for rows in range(1, 65)])

    assert (dispersions(filled(alone), 64) == 1).all()
    assert dispersions(filled(crowded), 64)[0] == pytest.approx(80 * 15 / 16 * 64 / 63)


def test_where_all_pairs_are_known_everything_is_counted(pool):
    settings = SETTINGS.with_changes(compare="auto")
    texts = edited_texts(70)
    corpus = listed_corpus([*texts, texts[0], texts[5]], settings, pool)
    grid = measured_grid(corpus, settings)
    truth = Truth(corpus)
    for floor in (0.2, 0.35, 0.05):
        at = grid.at(floor)
        assert at.certain
        for index, choice in enumerate(choices(48)):
            there, unmet, unlisted = truth.missed(floor, choice)
            assert at.total == there + 2
            assert at.missed_by_bands.at(index) == (unmet,) * 3
            assert at.missed.at(index) == (unlisted,) * 3
            assert at.candidates.at(index) == (truth.candidates(choice),) * 3
            assert at.extra.at(index) == (truth.candidates(choice, below=floor),) * 3
            assert (at.bands[index], at.rows[index]) == choice


def test_for_a_tried_choice_the_grid_agrees_with_the_list(pool):
    corpus = listed_corpus(edited_texts(120), SETTINGS, pool)
    grid, known = measured_grid(corpus, SETTINGS), known_pairs(corpus, SETTINGS)
    for floor in (0.2, 0.3, 0.55):
        of_list, by_grid = known.forecast(floor), grid.forecast(floor, TRIED)
        for name in ("missed_by_bands", "missed"):
            assert tuple(getattr(by_grid, name)) == pytest.approx(tuple(getattr(of_list, name)))
        assert (by_grid.least, by_grid.certain) == (of_list.least, False)
        assert by_grid.total == pytest.approx(of_list.total)
    assert grid.forecast(0.2, TRIED).extra == known.forecast(0.2).extra
    for beyond in ((49, 1), (25, 2)):  # the grid knows of more pairs that agree together
        wide, narrow = (model.forecast(0.2, beyond).missed for model in (grid, known))
        assert wide.low <= narrow.low <= narrow.expected == wide.expected
        assert narrow.high <= wide.high


def test_where_all_pairs_are_listed_none_is_compared_for_nothing(pool):
    """Also where rounding leaves a variance a little below zero."""
    at = measured_grid(listed_corpus(edited_texts(120), SETTINGS, pool), SETTINGS).at(0.0)
    assert all(np.isfinite(column).all() for column in at.extra)
    assert (at.extra.low >= 0).all()


def test_the_grid_counts_the_pairs_that_a_list_has(pool):
    """Also one whose texts have copies, and share only words that shingles do not hold."""
    texts = edited_texts(120)
    words = ["rare" + chr(97 + n // 26) + chr(97 + n % 26) for n in range(90)]
    every_fourth = ["other" if n % 4 == 3 else word for n, word in enumerate(words)]
    rewritten = [" ".join(words), " ".join(words), " ".join(every_fourth)]
    for changes in ({}, {"list_passages": False}, {"k": 5, "reworked": "thorough"}):
        settings = SETTINGS.with_changes(**changes)
        corpus = listed_corpus([*texts, texts[3], *rewritten], settings, pool)
        listed = len(PairLister(corpus, overlap=False).list_pairs(settings).pairs)
        grid = measured_grid(corpus, settings)
        assert grid.forecast(0.2, TRIED).listed == pytest.approx(listed)


@pytest.mark.parametrize("changes", [{}, {"bands": 6, "rows": 5}, {"bands": 48, "rows": 1}])
def test_intervals_of_choices_that_were_not_tried_hold_the_truth(pool, changes):
    """Of 24 folders, each with four other choices; over 400 folders .93 to .99 of each number.

    Two more need larger signatures, which are made for the truth only.
    """
    covered = {"missed": [], "by_bands": [], "extra": [], "candidates": []}
    for seed in range(1, 25):
        settings = SETTINGS.with_changes(seed=seed, **changes)
        texts = edited_texts(100, seed)
        corpus = listed_corpus(texts, settings, pool)
        grid, truth = measured_grid(corpus, settings), Truth(corpus)
        for choice in ((24, 2), (20, 1), (9, 5), (16, 3), (96, 1), (96, 2)):
            forecast = grid.forecast(0.2, choice)
            if choice[0] > 48:
                larger = settings.with_changes(signature_size=192)
                truth.signatures = sign_texts(texts, larger).signatures
            _, unmet, unlisted = truth.missed(forecast.least, choice)
            for name, interval, true in (
                ("missed", forecast.missed, unlisted),
                ("by_bands", forecast.missed_by_bands, unmet),
                ("extra", forecast.extra, truth.candidates(choice, below=0.2)),
                ("candidates", forecast.candidates, truth.candidates(choice)),
            ):
                covered[name].append(np.floor(interval.low) <= true <= np.ceil(interval.high))
    assert {name: np.mean(hits) > 0.85 for name, hits in covered.items()} == dict.fromkeys(
        covered, True
    )


def test_pairs_below_the_threshold_may_be_a_sample(pool, monkeypatch):
    settings = SETTINGS.with_changes(compare="auto")
    corpus = listed_corpus(edited_texts(90), settings, pool)
    exact = measured_grid(corpus, settings).at(0.2)
    monkeypatch.setattr("core.scan.measured_pairs.MOST_EXAMINED", 600)

    sampled = measured_grid(corpus, settings).at(0.2)

    assert sampled.missed.expected == pytest.approx(exact.missed.expected)
    open_ = exact.extra.expected > 20
    assert (sampled.extra.high > sampled.extra.low)[open_].any()
    near = (sampled.extra.low <= exact.extra.expected) & (
        exact.extra.expected <= sampled.extra.high
    )
    assert near[open_].mean() > 0.8


def test_efficient_choices_are_those_that_no_other_beats(pool):
    at = measured_grid(listed_corpus(edited_texts(120), SETTINGS, pool), SETTINGS).at(0.2)
    missed, candidates = np.round(at.missed.expected), at.candidates.expected
    for index in range(len(missed)):
        beaten = (missed <= missed[index]) & (candidates <= candidates[index])
        beaten &= (missed < missed[index]) | (candidates < candidates[index])
        as_good = (missed == missed[index]) & (candidates == candidates[index])
        assert at.efficient[as_good].any() != beaten.any()
    assert at.efficient.sum() > 3


def test_larger_signatures_miss_less_for_no_more_candidates(pool):
    settings = SETTINGS.with_changes(bands=48, rows=1)
    corpus = listed_corpus(edited_texts(150), settings, pool)
    grid = measured_grid(corpus, settings)
    now, (twice, four) = grid.forecast(0.2, (16, 3)), grid.larger(0.2, (16, 3))
    assert (twice.signature_size, four.signature_size) == (96, 192)
    for choice in (twice, four):
        assert settings.signature_size < choice.bands * choice.rows <= choice.signature_size
        forecast = choice.forecast
        assert grid.forecast(0.2, (choice.bands, choice.rows)) == forecast
        assert forecast.missed.low <= forecast.missed.expected <= forecast.missed.high
        assert forecast.extra.expected <= forecast.candidates.expected
    least, less = four.forecast.missed.expected, twice.forecast.missed.expected
    assert least <= less < 1.1 * now.missed.expected
    assert twice.forecast.candidates.expected <= 1.1 * now.candidates.expected
    assert grid.larger(0.2) == grid.larger(0.2, (48, 1))
    wide = SETTINGS.with_changes(signature_size=1024)
    assert measured_grid(listed_corpus(edited_texts(9), wide, pool), wide).larger(0.2) == ()


def test_where_larger_signatures_buy_nothing_more_bands_are_reported(pool):
    settings = SETTINGS.with_changes(bands=48, rows=1, min_resemblance=0.1)
    corpus = listed_corpus(edited_texts(150), settings, pool)
    grid = measured_grid(corpus, settings)
    now, (twice, _) = grid.forecast(0.1, (48, 1)), grid.larger(0.1)
    assert (twice.bands, twice.rows) == (96, 1)
    assert twice.forecast.candidates.expected > now.candidates.expected


@pytest.mark.parametrize(
    "texts",
    [[], ["one two three"], ["a b c d"] * 5, ["a b c", "d e f", "g h i"], ["", ""]],
    ids=["none", "one", "identical", "unlike", "empty"],
)
@pytest.mark.parametrize("compare", ["bands", "auto"])
@pytest.mark.parametrize("size", [1, 8])
def test_where_there_is_nothing_to_miss_it_is_said(pool, texts, compare, size):
    settings = ScanSettings(k=2, bands=1, rows=1, signature_size=size, compare=compare)
    corpus = listed_corpus(texts, settings, pool)
    grid = measured_grid(corpus, settings)
    identical = 10 if len(texts) == 5 else 0
    for floor in (0.0, 0.1, 1.0):
        at = grid.at(floor)
        assert at.total == identical
        assert (at.missed.expected == 0).all()
        assert (at.extra.expected == 0).all()
        assert at.efficient.sum() == 1
        assert np.isfinite(at.listed).all()
    grid.larger(0.1)


def test_no_grid_where_signatures_have_no_bands(pool):
    settings = ScanSettings(k=2, signature="simhash")
    assert measured_grid(listed_corpus(edited_texts(5), settings, pool), settings) is None


def test_seconds_are_reported_once_pairs_were_compared(pool):
    corpus = listed_corpus(edited_texts(60), SETTINGS, pool)
    assert measured_grid(corpus, SETTINGS).forecast(0.2, TRIED).seconds >= 0
    settings = SETTINGS.with_changes(compare="all")
    grid = measured_grid(listed_corpus(edited_texts(60), settings, pool), settings)
    assert np.isnan(grid.forecast(0.2, (4, 4)).seconds)


def test_who_counts_which_known_pairs_are_met_is_nearer_than_the_curve(pool):
    errors, of_curve = [], []
    for seed in range(1, 13):
        settings = SETTINGS.with_changes(seed=seed)
        corpus = listed_corpus(edited_texts(100, seed), settings, pool)
        truth = Truth(corpus)
        for choice in ((24, 2), (9, 5)):
            true = truth.missed(0.2, choice)[1]
            grid = measured_grid(corpus, settings).forecast(0.2, choice)
            errors.append(abs(grid.missed_by_bands.expected - true))
            curve = known_pairs(corpus, settings).forecast(0.2, choice)
            of_curve.append(abs(curve.missed_by_bands.expected - true))
    assert np.mean(errors) < np.mean(of_curve)


def test_more_documents_make_pairs_by_the_square(pool):
    grid = measured_grid(listed_corpus(edited_texts(60), SETTINGS, pool), SETTINGS)
    at, more = grid.at(0.2), grid.of_more(0.2, 10)
    assert more.candidates.high == pytest.approx(at.candidates.high * 100)
    assert more.missed.expected == pytest.approx(at.missed.expected * 100)
    assert more.total == pytest.approx(at.total * 100)
    assert (more.efficient == at.efficient).all()
    assert (more.seconds >= at.seconds).all()


def test_the_panel_and_the_map_count_the_same_extra_candidates(pool):
    """Where all pairs are compared, both count the pairs that these very signatures meet."""
    settings = SETTINGS.with_changes(compare="all")
    texts = [*edited_texts(80, 3), *edited_texts(80, 3)[:5]]  # some with copies
    corpus = listed_corpus(texts, settings, pool)
    forecast = known_pairs(corpus, settings).forecast(settings.min_resemblance, TRIED)
    at = measured_grid(corpus, settings).forecast(settings.min_resemblance, TRIED)
    assert forecast.extra.expected == at.extra.expected > 0
