"""The promise for reworked passages against passages that are planted and searched for."""

import re
from pathlib import Path

import numpy as np
import pytest

from core.base.arrays import wilson
from core.candidates.reworked import kept_by_others, measure_kept, pair_by_skip_grams
from core.candidates.reworked_curve import Information, Kept, ReworkedCurve
from core.settings import ONE_IN, ScanSettings
from core.signatures.skip_grams import choose_skip_grams
from core.text.shingling import word_beginnings

CASES = 300
EVERY_WORD_TELLS = Information(10.0, 0.5, 30.0)
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))


def made_up_words(rng, count=3000):
    shares = [0.03, 0.12, 0.2, 0.2, 0.15, 0.1, 0.1, 0.1]
    lengths = rng.choice([1, 2, 3, 4, 5, 6, 7, 9], count, p=shares)
    return np.array(["".join(rng.choice(LETTERS, length)) for length in lengths])


def at_random(share):
    return lambda length, rng: rng.random(length) < share


def evenly(every):
    return lambda length, _rng: np.arange(length) % every == every // 2


def reworded(passage, changed, words, rng):
    passage = passage.copy()
    places = changed(len(passage), rng)
    passage[places] = rng.choice(words, places.sum())
    return passage


def planted(rng, words, length, changed):
    """Sources and, behind them, hosts of a reworded passage of each."""
    sources, hosts = [], []
    for _ in range(CASES):
        source, host = rng.choice(words, 2 * length + 80), rng.choice(words, 60)
        first = rng.integers(0, len(source) - length)
        copy = reworded(source[first : first + length], changed, words, rng)
        sources.append(" ".join(source))
        hosts.append(" ".join(np.concatenate([host[:30], copy, host[30:]])))
    return [*sources, *hosts]


def found_and_kept(level, length, changed, rng):
    """How many of the planted pairs are candidates, and the share of grams that count."""
    settings = ScanSettings(reworked=level)
    texts = planted(rng, made_up_words(rng), length, changed)
    words = word_beginnings(texts, settings)
    grams = choose_skip_grams(words, settings)
    each = np.ones(len(texts), dtype=np.bool_)
    codes = set(pair_by_skip_grams(grams, each, each).codes.tolist())
    found = sum(case << 32 | (CASES + case) in codes for case in range(CASES))
    kept = measure_kept(grams, each, ONE_IN[level])
    return found, kept.of_these(kept_by_others(words))


def agrees(promised, found):
    measured = wilson(found, CASES)
    return measured.low - 0.04 <= promised <= measured.high + 0.02


@pytest.mark.parametrize("level", ["careful", "thorough"])
@pytest.mark.parametrize("length", [30, 60, 100, 200])
@pytest.mark.parametrize("changed", [0.2, 0.4, 0.6])
def test_the_curve_is_what_is_found_of_planted_passages(level, length, changed):
    rng = np.random.default_rng([length, round(changed * 10), len(level)])
    found, kept = found_and_kept(level, length, at_random(changed), rng)
    assert agrees(ReworkedCurve(level, kept, EVERY_WORD_TELLS).probability(length, changed), found)


@pytest.mark.parametrize("every", [2, 3, 5])
@pytest.mark.parametrize("length", [30, 60, 100])
def test_of_changes_at_even_distances_too(every, length):
    found, kept = found_and_kept(
        "careful", length, evenly(every), np.random.default_rng([length, every])
    )
    curve = ReworkedCurve("careful", kept, EVERY_WORD_TELLS)
    assert agrees(curve.probability_evenly(length, every), found)


def test_places_far_from_each_other_are_no_candidate():
    rare = ReworkedCurve("careful", Kept(0.02, 0.0), EVERY_WORD_TELLS)
    expected = 6 * 400 * 0.02 / 8  # of 5.5 grams three often agree, but seldom nearby
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
    low = Information(2.0, 0.5, 150.0)
    curve = ReworkedCurve("careful", Kept(0.9, 0.0), low)
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
    assert "every 7th word" in curve.sentence(90, 7)


def test_no_passage_of_thirty_words_has_nothing_to_measure():
    settings = ScanSettings(reworked="careful")
    grams = choose_skip_grams(word_beginnings(["some few words", ""], settings), settings)
    assert measure_kept(grams, np.ones(2, dtype=np.bool_), 8) is None


def test_the_manual_promises_what_the_curve_says():
    manual = (Path(__file__).parents[3] / "resources/help/manual.md").read_text(encoding="utf-8")
    section = manual.partition("**Reworked passages: what is promised.**")[2]
    rows = [
        [int(number) for number in re.findall(r"\d+", line)]
        for line in section.split("`neardup audit")[0].splitlines()
        if re.match(r"\| \d", line)
    ]
    assert [row[0] for row in rows] == [30, 60, 100, 200]
    for words, *percent in rows:
        assert percent == [
            int(100 * ReworkedCurve.usual(level).probability(words, changed))
            for level in ("careful", "thorough")
            for changed in (0.2, 0.4)
        ]
