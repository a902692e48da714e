"""Reworked passages: texts of our own, and properties that hold of all."""

import errno
import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.tasks import MemoryRoom, cancelled_by
from core.errors import ScanCancelledError, StorageError
from core.evidence import reworked_store, seeds
from core.evidence.passages import find_passages, find_shared_text
from core.evidence.reworked_store import learn_words, measure_reworked, reworked_passages
from core.evidence.word_model import Information, WordModel, quantiles
from core.settings import ScanSettings
from core.text.set_aside import GAP
from core.text.shingling import WordBeginnings, words_and_beginnings
from core.text.store import TextStore

quick = settings(derandomize=True, max_examples=150)

# Few words, so that they meet; every third is rare enough to tell something.
texts = st.lists(st.sampled_from([*range(1, 40), int(GAP)]), max_size=120)


def as_words(numbers):
    return np.array(numbers, dtype=np.uint64)


def bits_of(words, *, bits=9.0):
    """The same information for all words, anywhere and here."""
    return Information(*(np.full(len(words), bits, dtype=np.float32) for _ in range(2)))


def passages(a, b, *, bits=9.0, least=np.inf):
    a, b = as_words(a), as_words(b)
    return reworked_passages(a, b, bits_of(a, bits=bits), bits_of(b, bits=bits), least=least)


def unlike(seed, words):
    """A text of unique words."""
    return [seed * 1_000_000 + number for number in range(words)]


def exchanged(text, share, seed=5):
    """Every word with some probability another one."""
    draw = random.Random(seed)
    return [draw.randrange(10**9, 2 * 10**9) if draw.random() < share else word for word in text]


def reordered(text, size, seed=5):
    """The sentences of a text, `size` words each, shuffled."""
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    random.Random(seed).shuffle(parts)
    return [word for part in parts for word in part]


def test_unrelated_texts_share_nothing():
    result = passages(unlike(1, 200), unlike(2, 200))

    assert result.spans.shape == (0, 6)
    assert result.bits.tolist() == []


@pytest.mark.parametrize("share", [0.0, 0.2, 0.4])
@pytest.mark.parametrize("length", [60, 200])
def test_a_passage_with_words_exchanged_is_one_passage(length, share):
    source = unlike(1, length)
    a = [*unlike(2, 300), *source, *unlike(3, 300)]
    b = [*unlike(4, 100), *exchanged(source, share), *unlike(5, 500)]

    (span,), (bits,) = passages(a, b)

    assert 300 <= span[0] <= 310
    assert 300 + length - 10 <= span[1] <= 300 + length
    assert 100 <= span[2] <= 110
    assert 100 + length - 10 <= span[3] <= 100 + length
    assert span[4] == span[5]
    assert bits > 9.0 * length * (1 - share) / 2


def test_sentences_that_were_moved_are_in_the_passage():
    source = unlike(1, 120)

    result = passages(
        [*unlike(2, 80), *source, *unlike(3, 80)],
        [*unlike(4, 70), *reordered(source, 12), *unlike(5, 9)],
    )

    assert result.spans.tolist() == [[80, 200, 70, 190, 120, 120]]
    assert result.bits[0] > 100 * 9.0


def test_two_passages_far_apart_are_two():
    first, second = unlike(1, 50), unlike(2, 60)

    result = passages(
        [*first, *unlike(3, 90), *second],
        [*unlike(4, 5), *second, *unlike(5, 100), *exchanged(first, 0.1)],
    )

    assert len(result.spans) == 2
    assert result.spans[0, :2].tolist() == [0, 50]
    assert result.spans[1].tolist() == [140, 200, 5, 65, 60, 60]


def test_words_without_information_are_no_passage():
    assert len(passages(unlike(1, 100), unlike(1, 100), bits=0.1).spans) == 0


def test_a_text_of_one_repeated_sentence_is_matched_once():
    sentence = unlike(1, 12)

    assert passages(sentence * 4, sentence * 3).spans.tolist() == [[0, 48, 0, 36, 48, 36]]


def test_endlessly_repeated_words_carry_no_information_however_rare_in_the_folder():
    sentence = unlike(1, 12)

    assert len(passages(sentence * 300, sentence * 200, bits=12.0).spans) == 0


def test_a_refrain_does_not_hide_what_stands_between():
    refrain, verses = unlike(1, 8), [unlike(2 + verse, 30) for verse in range(12)]
    a = [word for verse in verses for word in (*verse, *refrain)]
    b = [word for verse in verses for word in (*exchanged(verse, 0.3), *refrain)]

    result = passages(a, b)

    assert len(result.spans) == 1
    assert result.spans[0, 1] - result.spans[0, 0] > 0.95 * len(a)


def test_a_phrase_that_one_text_repeats_does_not_draw_a_passage_out():
    phrase = unlike(1, 4)
    articles = [[*phrase, *unlike(2 + number, 14)] for number in range(8)]
    a = [word for article in articles for word in article]
    b = [*unlike(50, 90), *phrase, 0, *articles[3][5:], *phrase, 0, *articles[4][5:]]

    (span,), _ = passages(a, b)

    assert span[2:4].tolist() == [90, 126]
    assert 54 <= span[0] < span[1] <= 94


def test_nothing_runs_over_text_that_is_set_aside():
    source = unlike(1, 100)
    a = [*source[:40], int(GAP), *source[40:]]

    assert passages(a, source).spans[:, :2].tolist() == [[0, 40], [41, 101]]


@quick
@given(texts, texts, st.integers(0, 60))
def test_spans_are_within_the_texts_and_their_stretches(a, b, copied):
    b = [*b, *a[:copied]]
    result = passages(a, b)

    for a_first, a_end, b_first, b_end, same_a, same_b in result.spans.tolist():
        assert 0 <= a_first < a_end <= len(a)
        assert 0 <= b_first < b_end <= len(b)
        assert 3 <= same_a <= a_end - a_first
        assert 3 <= same_b <= b_end - b_first
        assert int(GAP) not in {a[a_first], a[a_end - 1], b[b_first], b[b_end - 1]}
    assert (result.bits >= 10).all()


@quick
@given(texts, texts, st.integers(0, 60))
def test_the_order_of_the_texts_makes_no_difference(a, b, copied):
    b = [*b, *a[:copied]]
    forward, back = passages(a, b), passages(b, a)

    turned = [(*row[2:4], *row[:2], row[5], row[4]) for row in back.spans.tolist()]
    assert sorted(map(tuple, forward.spans.tolist())) == sorted(turned)
    assert sorted(forward.bits.tolist()) == sorted(back.bits.tolist())


def test_which_text_is_the_longer_one_makes_no_difference():
    rest = unlike(50, 1000)
    for seed in range(300):
        draw = random.Random(seed)
        lengths = [draw.choice([5, 8, 15, 30]) for _ in range(draw.randint(3, 9))]
        parts = [unlike(number, length) for number, length in enumerate(lengths)]
        a, b = (
            [
                word
                for number, part in enumerate(draw.sample(parts, len(parts)))
                for word in (
                    *exchanged(part, 0.15, draw.random()),
                    *unlike(first + number, draw.choice([0, 5, 12, 35, 60, 90])),
                )
            ]
            for first in (100, 200)
        )

        longer_a, longer_b = (
            passages([*a, *rest], b, least=40.0),
            passages(a, [*b, *rest], least=40.0),
        )

        assert longer_a.spans.tolist() == longer_b.spans.tolist(), seed
        assert longer_a.bits.tolist() == pytest.approx(longer_b.bits.tolist())


def folder_of(documents):
    words = as_words([word for document in documents for word in document])
    return words, np.cumsum([0, *map(len, documents)], dtype=np.int64)


def test_many_pairs_are_measured_as_each_alone():
    source = unlike(1, 90)
    documents = [[*source, *unlike(2, 30)], unlike(3, 40), exchanged(source, 0.2), [], source[:50]]
    words, offsets = folder_of(documents)
    model = WordModel.build(words, offsets)
    x, y = np.triu_indices(len(documents), 1)

    measured = measure_reworked(WordBeginnings(words, offsets), x, y, model)

    info = model.information(words)
    for pair, (row_a, row_b) in enumerate(zip(x, y, strict=True)):
        a, b = (slice(offsets[number], offsets[number + 1]) for number in (row_a, row_b))
        in_a, in_b = (
            Information(info.in_context[text_slice], info.anywhere[text_slice])
            for text_slice in (a, b)
        )
        result = reworked_passages(words[a], words[b], in_a, in_b)
        assert measured.bits[pair] == result.bits.max(initial=0)
    assert (measured.bits > 0).sum() == 3


def letters_of(seed, count):
    """Chinese letters, each another one."""
    return "".join(chr(0x4E00 + 700 * seed + number) for number in range(count))


@pytest.mark.parametrize(("letters", "is_passage"), [(23, False), (24, True)])
def test_a_passage_of_chinese_letters_makes_15_words(letters, is_passage):
    settings = ScanSettings()
    shared = letters_of(1, letters)
    a = f"{letters_of(2, 60)}{shared}{letters_of(3, 60)}"
    b = f"{letters_of(4, 80)}{shared[12:]}{shared[:12]}{letters_of(5, 80)}"

    words = words_and_beginnings([a, b], settings)

    measured = measure_reworked(words, np.array([0]), np.array([1]), WordModel.none())

    shown = [passage for passage in find_passages(a, b, settings) if passage.bits]
    assert (len(shown) == 1) is is_passage
    assert (measured.bits[0] > 0) == is_passage


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (letters_of(1, 16), letters_of(1, 16)[8:] + letters_of(1, 8)),
        (
            f"{letters_of(2, 60)} Anna Berta Cecilia Dora Emil Felix {letters_of(3, 60)}",
            f"{letters_of(4, 60)} Felix Anna Cecilia Berta Dora Emil {letters_of(5, 60)}",
        ),
    ],
)
def test_short_chinese_texts_and_words_with_spaces_need_not_make_15_words(a, b):
    words = words_and_beginnings([a, b], ScanSettings())

    measured = measure_reworked(words, np.array([0]), np.array([1]), WordModel.none())

    assert measured.bits[0] > 0


def test_long_texts_are_matched_in_parts_as_at_once(monkeypatch):
    source = unlike(1, 400)
    a, b = [*unlike(2, 300), *source], [*exchanged(source, 0.3), *unlike(3, 500)]
    at_once = passages(a, b)

    monkeypatch.setattr(reworked_store, "WORDS_AT_ONCE", 100)
    in_parts = passages(a, b)

    assert in_parts.spans.tolist() == at_once.spans.tolist()
    assert in_parts.bits.tolist() == at_once.bits.tolist()
    documents = folder_of([a, b])
    first, second = np.array([0]), np.array([1])
    measured = measure_reworked(
        WordBeginnings(*documents), first, second, WordModel.build(*documents)
    )
    assert measured.bits[0] > 2000


def test_a_long_pair_is_cancelled_between_its_parts(monkeypatch):
    monkeypatch.setattr(reworked_store, "WORDS_AT_ONCE", 100)
    text = as_words(unlike(1, 1000))
    info = bits_of(text)
    calls = []

    def cancelled():
        calls.append(None)
        return len(calls) > 4

    with pytest.raises(ScanCancelledError), cancelled_by(cancelled):
        reworked_passages(text, text, info, info)
    assert len(calls) == 5


def test_a_copy_is_matched_though_no_word_of_it_stands_there_once():
    draw = random.Random(3)
    source = [draw.randrange(60) for _ in range(900)]
    copy = [*unlike(1, 50), *source[:400], *unlike(2, 9), *source[400:], *unlike(3, 50)]

    result = passages(source, copy, bits=6.0)

    assert result.spans[:, 0].min() == 0
    assert result.spans[:, 1].max() == 900
    assert result.bits.max() > 0.98 * 900 * 6.0  # each of 60 words stands there 15 times


def test_unrelated_texts_of_common_words_share_little_however_long():
    draw = np.random.default_rng(3)
    a, b = ((draw.integers(0, 500, 80_000) + 1).tolist() for _ in range(2))

    assert passages(a, b, bits=8.5).bits.max(initial=0) < 100


def test_of_a_long_text_of_set_phrases_all_words_count_that_its_passages_show_as_the_same():
    draw = random.Random(9)
    words = [f"word{number}" for number in range(3000)]
    phrases = [draw.choices(words, k=draw.randrange(8, 20)) for _ in range(1500)]
    text = [word for _ in range(5200) for word in draw.choice(phrases)]
    copy = [draw.choice(words) if place % 8 == 5 else word for place, word in enumerate(text)]

    shared = find_shared_text(" ".join(text), " ".join(copy), ScanSettings())

    assert len(text) > seeds.LONG
    shown = sum(passage.tokens for passage in shared.passages) / len(text)
    assert shown == pytest.approx(7 / 8, abs=0.001)
    assert shared.overlap.overlap == pytest.approx(shown, abs=0.01)


def test_anchors_are_the_same_however_many_tables_they_are_found_in():
    rng = np.random.default_rng(4)
    first = rng.integers(1, 40, 3000).astype(np.uint64)
    second = np.concatenate([first[500:1500], rng.integers(1, 60, 2000).astype(np.uint64)])
    words, bits = np.concatenate([first, second]), np.full(6000, 9, dtype=np.float32)
    bounds = np.array([0, 3000, 6000])
    a, b, _ = seeds.both_sides(words, bits, bits, bounds, np.array([0]), np.array([1]))

    at_once, in_parts = (seeds.find_runs(a, b, tables) for tables in (3001, 450))

    assert at_once[0][:, 2].sum() >= 1000
    assert at_once[0].tolist() == in_parts[0].tolist()


def test_pairs_of_long_texts_are_measured_one_at_a_time(monkeypatch):
    texts = TextStore()
    texts.extend([" ".join(f"w{(n * k) % 997}" for n in range(400)) for k in (3, 5, 7, 11)])
    most, room = [], MemoryRoom(1)
    measure, lock, running = reworked_store.measure_reworked, threading.Lock(), []

    def measured(*given):
        with lock:
            running.append(1)
            most.append(len(running))
        time.sleep(0.05)
        try:
            return measure(*given)
        finally:
            with lock:
                running.pop()

    monkeypatch.setattr(reworked_store, "WORDS_PER_TASK", 500)
    monkeypatch.setattr(reworked_store, "ROOM", room)
    with ThreadPoolExecutor(4) as pool:
        store = reworked_store.ReworkedStore(ScanSettings(), texts, pool)
        words = store.beginnings(np.arange(4))
        model = learn_words(words.values, words.offsets, is_whole=True)
        monkeypatch.setattr(reworked_store, "measure_reworked", measured)
        x, y = np.triu_indices(4, 1)
        numbers = store.measured(x, y, model)
    assert len(numbers.bits) == len(most) == 6
    assert max(most) == 1
    assert not room.taken


def test_documents_in_many_pairs_are_read_as_often_as_they_are_cut_into_parts(monkeypatch):
    draw = random.Random(6)
    shared = [f"shared{n}" for n in range(60)]
    own = [[f"w{draw.randrange(500)}" for _ in range(90)] for _ in range(60)]
    texts = TextStore()
    texts.extend([" ".join(words + shared[number:]) for number, words in enumerate(own)])
    x, y = np.triu_indices(60, 1)
    read, results = [], []
    words_of = reworked_store.ReworkedStore._words_of

    def words_read(store, numbers, most=None):
        read.extend(() if most else numbers.tolist())
        return words_of(store, numbers, most)

    monkeypatch.setattr(reworked_store.ReworkedStore, "_words_of", words_read)
    for limit in (reworked_store.LIMIT, 7000):  # room for all texts, and for some of them
        monkeypatch.setattr(reworked_store, "LIMIT", limit)
        with ThreadPoolExecutor(2) as pool:
            store = reworked_store.ReworkedStore(ScanSettings(), texts, pool)
            words = store.beginnings(np.arange(60))
            model = learn_words(words.values, words.offsets, is_whole=True)
            results.append((store.measured(x, y, model, shared=True).columns, len(read)))
            read.clear()

    (at_once, first_reads), (in_parts, reads) = results
    assert (first_reads, len(x)) == (60, 1770)
    assert 60 < reads < 900
    assert all(np.array_equal(in_parts[name], at_once[name]) for name in at_once)


def test_after_a_full_disk_the_words_are_read_again(monkeypatch):
    texts = TextStore()
    texts.extend([" ".join(f"w{(n * k) % 97}" for n in range(400)) for k in (3, 5, 7)])
    x, y = np.triu_indices(3, 1)
    monkeypatch.setattr("core.base.arrays.MEMORY_BYTES", 4000)
    with ThreadPoolExecutor(2) as pool:
        stores = [reworked_store.ReworkedStore(ScanSettings(), texts, pool) for _ in range(2)]
        words = stores[0].beginnings(np.arange(3))
        model = learn_words(words.values, words.offsets, is_whole=True)
        expected = stores[0].measured(x, y, model).columns

        with monkeypatch.context() as patched:
            patched.setattr(os, "write", Mock(side_effect=[400, OSError(errno.ENOSPC, "full")]))
            with pytest.raises(StorageError):
                stores[1].measured(x, y, model)
        after = stores[1].measured(x, y, model).columns

    assert all(np.array_equal(after[name], expected[name]) for name in expected)


@pytest.mark.parametrize(
    ("between_in_a", "between_in_b", "least", "expected"),
    [
        (unlike(3, 70), unlike(4, 90), 150.0, [(0, 110, 0, 130)]),
        (unlike(3, 70), unlike(4, 90), 200.0, [(0, 20, 0, 20), (90, 110, 110, 130)]),
        (unlike(3, 70), unlike(4, 101), 150.0, [(0, 20, 0, 20), (90, 110, 121, 141)]),
        ([*unlike(3, 70), int(GAP)], unlike(4, 9), 150.0, [(0, 20, 0, 20), (91, 111, 29, 49)]),
    ],
    ids=["near", "too weak", "far", "across text set aside"],
)
def test_passages_that_stand_near_each_other_are_one(between_in_a, between_in_b, least, expected):
    first, second = unlike(1, 20), unlike(2, 20)
    a, b = as_words([*first, *between_in_a, *second]), as_words([*first, *between_in_b, *second])

    spans, bits = reworked_passages(a, b, bits_of(a), bits_of(b), least=least)

    assert spans[:, :4].tolist() == [[*span] for span in expected]
    assert spans[:, 4:].sum() == 2 * 40
    assert bits.tolist() == [180.0] * len(expected)


def test_passages_that_changed_places_are_not_one():
    first, second, between = unlike(1, 20), unlike(2, 20), unlike(3, 70)
    a, b = as_words([*first, *between, *second]), as_words([*second, *unlike(4, 70), *first])

    spans, _ = reworked_passages(a, b, bits_of(a), bits_of(b), least=150.0)

    assert len(spans) == 2


def test_sentences_that_were_shuffled_over_a_page_are_one_passage():
    sentences = [unlike(number, 20) for number in range(25)]
    shuffled = [sentences[7 * number % 25] for number in range(25)]
    a, b = (
        as_words([word for sentence in text for word in sentence]) for text in (sentences, shuffled)
    )

    spans, bits = reworked_passages(a, b, bits_of(a), bits_of(b), least=150.0)

    assert spans.tolist() == [[0, 500, 0, 500, 500, 500]]
    assert bits.tolist() == [180.0]


@given(st.lists(st.floats(0, 1e6, width=32), min_size=1, max_size=60))
def test_quantiles_are_those_of_numpy(scores):
    ascending, shares = np.sort(np.array(scores, dtype=np.float32)), (0, 0.5, 2 / 3, 1)

    assert quantiles(ascending, shares).tobytes() == np.quantile(ascending, shares).tobytes()
