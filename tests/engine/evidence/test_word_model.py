"""The information of words, and how strong the passages of pairs are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ScanCancelledError
from core.evidence.reworked_store import choose_sample, learn_words
from core.evidence.word_model import RandomPairs, WordModel
from core.text.set_aside import GAP


def folder_of(documents):
    words = np.array([word for document in documents for word in document], dtype=np.uint64)
    return words, np.cumsum([0, *map(len, documents)], dtype=np.int64)


def test_a_rare_word_carries_more():
    model = WordModel.build(*folder_of([[1] * 900, [2] * 10, [3]]))

    info = model.information(np.array([1, 2, 3, 4], dtype=np.uint64))

    assert info.anywhere.tolist() == pytest.approx(
        [math.log2(1911 / count) for count in (901, 11, 2, 2)]
    )
    assert info.here.tolist() == info.anywhere.tolist()


def test_words_side_by_side_in_many_documents_carry_little_there():
    formula, others = (
        [7, 8],
        [[100 + 10 * number + place for place in range(8)] for number in range(60)],
    )
    words, offsets = folder_of([[*own, *formula, 9 + number] for number, own in enumerate(others)])
    model = WordModel.build(words, offsets)

    info = model.information(np.array([7, 8, 1, 8, 7], dtype=np.uint64))

    alone = 4.0 * 2.0 ** -float(info.anywhere[0])
    assert info.here[0] == info.here[1] == pytest.approx(math.log2(64 / (60 - 18 + alone)))
    assert info.here[3:].tolist() == info.anywhere[3:].tolist()  # in another order it is no formula
    assert info.here[0] < 1 < info.anywhere[0]


def test_a_crowd_of_copies_is_no_formula():
    words, offsets = folder_of([[7, 8, 9]] * 14 + [[number] for number in range(100, 186)])
    info = WordModel.build(words, offsets).information(np.array([7, 8, 9], dtype=np.uint64))

    assert info.here.tolist() == info.anywhere.tolist()


def test_what_is_set_aside_is_not_counted():
    words, offsets = folder_of([[7, int(GAP), 8]] * 20)
    model = WordModel.build(words, offsets)

    assert model.total == 40
    assert GAP not in model.words.keys
    assert len(model.beside.keys) == 0


def test_a_model_is_kept_and_read_again():
    model = learn_words(*folder_of([[*range(1, 30), number] for number in range(40)]))

    again = WordModel.from_bytes(model.to_bytes())

    words = np.arange(60, dtype=np.uint64)
    assert again.information(words).here.tolist() == model.information(words).here.tolist()
    assert again.pairs.scores.tolist() == model.pairs.scores.tolist()
    assert len(again.pairs.scores) == 40 * 39 // 2
    assert again.to_bytes() == model.to_bytes()


def test_a_model_of_nothing_is_kept_too():
    model = WordModel.none()

    assert WordModel.from_bytes(model.to_bytes()).total == 0
    assert model.information(np.array([5], dtype=np.uint64)).anywhere[0] == pytest.approx(
        8.9658, abs=1e-3
    )


def damaged():
    data = learn_words(*folder_of([[*range(1, 30), number] for number in range(40)])).to_bytes()
    yield data[:20]
    yield data[:-1]
    yield data + b"\0"
    yield b"x" + data[1:]
    for place in (
        8,
        16,
        24,
        32,
        40,
        48,
        70,
        len(data) - 4,
    ):  # each number of the head, a key, a count
        yield data[:place] + b"\xff" * 4 + b"\xff" * 4 + data[place + 8 :]


@pytest.mark.parametrize("data", list(damaged()))
def test_what_is_no_model_is_refused(data):
    with pytest.raises(ValueError, match="The information of words"):
        WordModel.from_bytes(data[: len(data)])


def test_the_sample_does_not_depend_on_the_order_of_documents():
    draw = np.random.default_rng(1)
    digests = draw.integers(0, 2**63, (5000, 2)).astype(np.uint64)
    lengths = draw.integers(0, 50_000, 5000)
    shuffled = draw.permutation(5000)

    sample = choose_sample(digests, lengths)
    again = choose_sample(digests[shuffled], lengths[shuffled])

    assert shuffled[again].tolist() == sample.tolist()
    assert 1000 < len(sample) < 2000
    assert lengths[sample].sum() <= 1 << 25


def test_a_single_huge_document_is_sampled():
    assert choose_sample(np.ones((1, 2), np.uint64), np.array([10**9])).tolist() == [0]


OF_THREE = "of the 3 pairs of different texts"


def pairs_of(*scores, are_all=True):
    return RandomPairs(np.sort(np.array(scores, dtype=np.float32)), are_all)


def test_where_a_third_is_related_the_rest_has_no_passages():
    assert pairs_of(*[0.0] * 700, *[500.0] * 300).threshold(1e-4, (30, 150), 90) < 60


@given(
    st.lists(st.floats(0, 1e6, width=32), max_size=50),
    st.floats(1e-9, 1),
    st.booleans(),
)
def test_a_threshold_stays_within_its_bounds(scores, share, are_all):
    assert 60 <= pairs_of(*scores, are_all=are_all).threshold(share, (60, 150), 90) <= 150


@pytest.mark.parametrize(
    ("pairs", "score", "said"),
    [
        (pairs_of(8000.0), 8000.0, ""),
        (pairs_of(), 8000.0, ""),
        (pairs_of(0, 0, 90.5), 90.5, f"no other {OF_THREE} has as strong a passage"),
        (pairs_of(10, 50, 90), 50.0, f"1 other {OF_THREE} has as strong a passage"),
        (pairs_of(10, 50, 90), 40.0, f"1 other {OF_THREE} has as strong a passage"),
        (pairs_of(70, 70, 90), 70.0, f"2 other {OF_THREE} have as strong a passage"),
        (pairs_of(are_all=False), 70.0, ""),
        (pairs_of(5, 6, are_all=False), 70.0, ""),
        (
            pairs_of(*range(1000), are_all=False),
            5000.0,
            "none of 1,000 pairs of different texts drawn at random has as strong a passage",
        ),
        (
            pairs_of(*range(1000), are_all=False),
            974.0,
            "26 of 1,000 pairs of different texts drawn at random have as strong a passage",
        ),
    ],
)  # fmt: skip
def test_pairs_are_counted_and_nothing_is_said_beyond_them(pairs, score, said):
    assert pairs.words(score) == said


def test_learning_is_cancelled():
    with pytest.raises(ScanCancelledError):
        learn_words(*folder_of([[1, 2, 3], [4, 5]]), lambda: True)
