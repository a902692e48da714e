"""The information of words, and how often unrelated texts reach a score."""

import math

import numpy as np
import pytest

from core.errors import ScanCancelledError
from core.evidence.chance_of_score import ChanceOfScore
from core.evidence.word_learning import choose_sample, learn_words
from core.evidence.word_model import WordModel
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
    assert again.chance == model.chance
    assert again.chance.pairs == 40 * 39 // 2
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


def test_the_rate_is_that_of_the_unrelated_pairs():
    draw = np.random.default_rng(1)
    unrelated, related = 15 + draw.exponential(12.0, 1000), np.full(200, 2000.0)

    chance = ChanceOfScore.fitted(np.concatenate([unrelated, related]).astype(np.float32))

    assert 12 < chance.scale < 25
    assert (
        chance.probability(chance.start)
        == pytest.approx(chance.share)
        == pytest.approx(1 / 3, 0.01)
    )
    assert chance.probability(chance.threshold(1e-4, (0, 1000))) == pytest.approx(1e-4)


def test_where_a_third_is_related_the_rest_has_no_passages():
    chance = ChanceOfScore.fitted(np.array([0.0] * 700 + [500.0] * 300, dtype=np.float32))

    assert chance.threshold(1e-4, (30, 150)) < 60


def test_a_threshold_stays_within_its_bounds():
    assert ChanceOfScore(1.0, 10.0, 25.0, 100).threshold(1e-9, (60, 150)) == 150
    assert ChanceOfScore(0.001, 10.0, 6.0, 100).threshold(1e-4, (60, 150)) == 60


def test_the_chance_is_told_in_words():
    chance = ChanceOfScore(0.1, 20.0, 10.0, 1000)

    assert (
        chance.words(20 + 10 * math.log(0.1 / 0.9e-4)) == "fewer than 1 in 10,000 unrelated pairs"
    )
    assert chance.words(20) == "1 in 10 unrelated pairs, or more"
    assert chance.words(5000) == "fewer than 1 in 1,000,000 unrelated pairs"


def test_learning_is_cancelled():
    with pytest.raises(ScanCancelledError):
        learn_words(*folder_of([[1, 2, 3], [4, 5]]), lambda: True)
