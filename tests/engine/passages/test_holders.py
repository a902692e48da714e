"""In how many documents words stand, against plain Python."""

import random

import numpy as np
import pytest

from core.errors import ScanCancelledError
from core.passages.holders import count_holders
from core.settings import ScanSettings
from core.text.set_aside import SetAside
from core.text.store import TextStore

SETTINGS = ScanSettings()


def store_of(texts, set_aside=()):
    store = TextStore()
    store.extend(texts)
    store.put_aside(dict(set_aside))
    return store


def counts(store, document, spans, pool, settings=SETTINGS, copies=None, **others):
    if copies is None:
        copies = np.ones(len(store), dtype=np.int64)
    return count_holders(store, document, spans, settings, copies, pool, **others)


def stands_in(words, run):
    return any(words[place : place + len(run)] == run for place in range(len(words)))


@pytest.mark.parametrize("seed", range(20))
def test_spans_are_counted_as_a_person_would(seed, pool):
    rng = random.Random(seed)
    texts = [" ".join(rng.choices("abc", k=rng.randrange(1, 60))) for _ in range(30)]
    document = rng.randrange(30)
    length = len(texts[document])
    spans = [sorted(rng.sample(range(length + 1), 2)) for _ in range(8) if length]

    found = counts(store_of(texts), document, spans, pool)

    # A letter and a space take turns: the span has the letters in it.
    runs = [texts[document][start:end].split() for start, end in spans]
    words = [text.split() for text in texts]
    assert found == [sum(stands_in(one, run) for one in words) if run else 0 for run in runs]


def test_words_are_the_same_whatever_is_between_them(pool):
    texts = ["x One two, three! y", "one\n\nTWO three", "one two four three", "two three one"]

    assert counts(store_of(texts), 0, [(2, 16), (6, 16)], pool) == [2, 3]


@pytest.mark.parametrize("unit", ["word", "char"])
def test_letters_of_scripts_without_spaces_are_words(unit, pool):
    texts = ["图书馆的书很多", "我去图书馆", "图书很多", "图 书 馆"]
    settings = ScanSettings(unit=unit)

    assert counts(store_of(texts), 0, [(0, 3), (0, 2), (0, 7)], pool, settings) == [3, 4, 1]


def test_nothing_runs_over_text_that_is_set_aside(pool):
    texts = ["one two three four", "one two three four", "two three"]
    aside = {1: [SetAside(4, 7)]}

    assert counts(store_of(texts, aside), 0, [(0, 18), (8, 18), (4, 13)], pool) == [1, 2, 2]


def test_a_text_counts_for_its_copies_and_one_that_counts_for_none_is_not_read(pool):
    class Unread(TextStore):
        def __getitem__(self, index):
            assert index != 1
            return super().__getitem__(index)

    store = Unread()
    store.extend(["one two three"] * 2 + ["one two four"])

    copies = np.array([2, 0, 1])
    assert counts(store, 0, [(0, 7), (0, 13)], pool, copies=copies) == [3, 2]


def test_a_run_of_many_words_ends_with_its_text(pool):
    text = " ".join(f"w{number}" for number in range(1000))
    texts = [text, text[:-1], f"{text} more", text[3:]]

    assert counts(store_of(texts), 0, [(0, len(text))], pool) == [2]


def test_the_count_can_be_cancelled(pool):
    with pytest.raises(ScanCancelledError):
        counts(store_of(["one two"]), 0, [(0, 3)], pool, cancelled=lambda: True)
