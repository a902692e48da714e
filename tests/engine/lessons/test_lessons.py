"""Lessons measure what a scan measures, on copies with the stated changes."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.planted_copies import words_of
from core.base.tasks import cancelled_by
from core.candidates.scurve import candidate_probability
from core.errors import ScanCancelledError
from core.evidence.overlap import figures_of
from core.lessons import (
    agreements,
    all_pairs,
    changed_copy,
    collides,
    cut,
    first_words,
    measure_lengths,
    nearest_unrelated_text,
    paste_lengths,
    pasted_copy,
    shared_spans,
)
from core.settings import ScanSettings
from core.signatures.methods import sign
from core.text.shingling import shingle

SETTINGS = ScanSettings()
TRIALS = 300


def text_of(seed, count=400):
    chance = random.Random(seed)
    return " ".join(f"word{chance.randrange(3000)}" for _ in range(count))


def chinese(seed, count=200):
    chance = random.Random(seed)
    return "".join(chr(0x4E00 + chance.randrange(800)) for _ in range(count))


@pytest.mark.parametrize("text", [text_of(1), chinese(1)])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_a_copy_has_so_many_other_words(text, share):
    copy = changed_copy(text, share, seed=3)

    words, changed = (
        [
            version[s:e]
            for s, e in zip(words_of(version).starts, words_of(version).ends, strict=True)
        ]
        for version in (text, copy)
    )
    assert len(words) == len(changed)
    assert sum(a != b for a, b in zip(words, changed, strict=True)) == round(share * len(words))


def test_a_larger_share_changes_the_same_words_and_more():
    text = text_of(2)
    original = text.split()

    changed = [
        {position for position, word in enumerate(changed_copy(text, share, 5).split())
         if word != original[position]}
        for share in (0.05, 0.1, 0.3, 0.7)
    ]  # fmt: skip

    assert all(less < more for less, more in pairwise(changed))


@given(st.text(max_size=60), st.floats(0, 1))
def test_any_text_can_be_copied(text, share):
    assert changed_copy(text, 0.0, 1) == text
    assert isinstance(changed_copy(text, share, 1), str)
    host, (start, end) = pasted_copy(text, text, 3)
    assert host[start:end] in text


@pytest.mark.parametrize("words", [0, 1, 30, 1000])
def test_words_of_one_text_stand_in_the_other(words):
    source, host = text_of(3), text_of(4)

    pasted, (start, end) = pasted_copy(host, source, words)

    assert len(pasted[start:end].split()) == min(words, 400)
    assert pasted[start:end] in source
    assert pasted.replace(pasted[start:end], "").split() == host.split()


def test_the_first_words_are_no_more():
    assert first_words("one two three", 2) == "one two"
    assert first_words("one two three.", 3) == "one two three."
    assert first_words("", 3) == ""


@given(st.lists(st.sampled_from(["a", "bee", "sea"]), max_size=20), st.integers(1, 8))
def test_a_text_of_n_words_has_n_less_k_and_one_shingles(words, k):
    text = " ".join(words)

    pieces = cut(text, SETTINGS.with_changes(k=k))

    assert pieces.units == len(words)
    assert len(pieces.hashes) == (max(len(words) - k + 1, 1) if words else 0)
    spans = zip(pieces.starts, pieces.ends, strict=True)
    shown = [text[start:end].split() for start, end in spans]
    assert shown == [words[position : position + k] for position in range(len(shown))]


def test_what_is_marked_lies_in_shared_shingles():
    text = text_of(5)
    copy = changed_copy(text, 0.1, 1)

    spans = shared_spans(copy, text, SETTINGS)

    assert spans
    assert all(copy[start:end] in text for start, end in spans)
    assert all(len(copy[start:end].split()) >= SETTINGS.k for start, end in spans)
    assert all(span[1] < next_span[0] for span, next_span in pairwise(spans))
    assert shared_spans(text, text, SETTINGS) == [(0, len(text))]
    assert shared_spans(text, text_of(6), SETTINGS) == []


@pytest.mark.parametrize("unit", ["word", "char"])
def test_each_length_is_measured_exactly(unit):
    text, second_text = text_of(7), text_of(8)
    settings = SETTINGS.with_changes(unit=unit)

    (two, five) = measure_lengths(text, second_text, settings, [2, 5], copies=3)

    for at in (two, five):
        settings_at = settings.with_changes(k=at.k)
        exact = [
            figures_of(text, changed_copy(text, 0.1, seed), settings_at).resemblance
            for seed in range(3)
        ]
        assert at.mean == pytest.approx(np.mean(exact))
        assert (at.low, at.high) == (min(exact), max(exact))
        assert at.unrelated == figures_of(text, second_text, settings_at).resemblance
    assert five.mean < two.mean


def test_a_stranger_has_the_same_words_and_is_no_copy():
    text = text_of(14)
    shuffled = text.split()
    random.Random(1).shuffle(shuffled)
    candidates = [chinese(2), text, changed_copy(text, 0.2, 1), " ".join(shuffled), ""]

    assert nearest_unrelated_text(text, candidates) == 3
    assert nearest_unrelated_text(chinese(3), candidates) == 0


def test_measuring_can_be_cancelled():
    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: True)(measure_lengths)("a b", "c d", SETTINGS, [1])
    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: True)(agreements)(["a b", "c d"], SETTINGS, 2)


def test_signatures_agree_as_often_as_texts_resemble_and_bands_follow_the_curve():
    text = text_of(9)
    copy = changed_copy(text, 0.1, 2)
    s = figures_of(text, copy, SETTINGS).resemblance

    same = agreements([text, copy], SETTINGS, TRIALS)[:, 0]

    signatures = sign(shingle([text, copy], SETTINGS), SETTINGS)
    assert (same[0] == (signatures[0] == signatures[1])).all()
    assert abs(same.mean() - s) < 5 * np.sqrt(s * (1 - s) / same.size)
    met = collides(same, 32, 4).any(axis=1).mean()
    promised = float(candidate_probability(s, 32, 4))
    assert abs(met - promised) < 5 * np.sqrt(promised * (1 - promised) / TRIALS)


def test_a_band_meets_where_all_its_rows_agree():
    same = np.array([[True, True, False, True, True]])

    assert collides(same, 2, 2).tolist() == [[True, False]]
    assert collides(same, 5, 1).tolist() == [[True, True, False, True, True]]


def test_all_pairs_are_measured_those_that_resemble_most_first():
    text = text_of(10)
    texts = [text_of(11), "", text, changed_copy(text, 0.1, 1), text]

    pairs = all_pairs(texts, SETTINGS)

    assert len(pairs.a) == 6  # the empty text makes none
    assert (pairs.a[0], pairs.b[0]) == (2, 4)
    assert pairs.same[0].all()
    for a, b, resemblance in zip(pairs.a, pairs.b, pairs.resemblance, strict=True):
        assert resemblance == figures_of(texts[a], texts[b], SETTINGS).resemblance
    assert (np.diff(pairs.resemblance) <= 0).all()


@pytest.mark.parametrize("t", [20, 30])
def test_a_passage_is_found_from_its_length_on(t):
    settings = SETTINGS.with_changes(compare="bands", min_passage=t)
    lengths = [0, t - 1, t, t + 1, 2 * t]

    measured = paste_lengths(text_of(12), text_of(13), lengths, settings)

    assert [measure.by_passage for measure in measured] == [words >= t for words in lengths]
    assert [measure.words for measure in measured] == lengths
    assert measured[0].resemblance == 0
    for measure in measured:
        assert measure.chance == candidate_probability(measure.resemblance, 64, 2)
