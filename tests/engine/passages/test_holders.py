"""How much of a passage stands in how many documents, against plain Python."""

import random

import numpy as np
import pytest

from core.errors import ScanCancelledError
from core.passages import find_holders
from core.settings import ScanSettings
from core.text.set_aside import SetAside
from core.text.store import TextStore

SETTINGS = ScanSettings()


def store_of(texts, set_aside=()):
    store = TextStore()
    store.extend(texts)
    store.put_aside(dict(set_aside))
    return store


def held(store, document, passages, pool, settings=SETTINGS, copies=None, row=3, **others):
    if copies is None:
        copies = np.ones(len(store), dtype=np.int64)
    return find_holders(store, document, passages, row, settings, copies, pool, **others)


def counts(store, document, spans, pool, **others):
    """In how many documents each span stands from its beginning to its end."""
    found = held(store, document, [[span] for span in spans], pool, row=10000, **others)
    return [one.documents for one in found]


def rows_of(words, length):
    return [tuple(words[place : place + length]) for place in range(len(words) - length + 1)]


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_counted_as_a_person_would(seed, pool):
    rng = random.Random(seed)
    texts = [" ".join(rng.choices("abc", k=rng.randrange(1, 60))) for _ in range(30)]
    document = rng.randrange(30)
    letters = texts[document].split()
    bounds = [sorted(rng.choices(range(len(letters) + 1), k=2)) for _ in range(9)]
    row = rng.randrange(1, 9)
    # A letter and a space take turns.
    spans = [(2 * first, max(2 * end - 1, 2 * first)) for first, end in bounds]
    passages = [spans[:1], spans[1:4], spans[4:]]

    found = held(store_of(texts), document, passages, pool, row=row)

    words = [text.split() for text in texts]
    for own, one in zip([bounds[:1], bounds[1:4], bounds[4:]], found, strict=True):
        parts = [letters[first:end] for first, end in own]
        length = min(row, max(map(len, parts)))
        assert one.row == length
        if not length:
            assert (one.documents, sum(map(len, one.counts))) == (0, 0)
            continue
        others = [{*rows_of(text, length)} for text in words]
        asked = {of for part in parts for of in rows_of(part, length)}
        assert one.documents == sum(not asked.isdisjoint(other) for other in others)
        for part, by_word in zip(parts, one.counts, strict=True):
            expected = [0] * len(part) if len(part) >= length else []
            for place, of in enumerate(rows_of(part, length)):
                for word in range(place, place + length):
                    expected[word] = max(expected[word], sum(of in other for other in others))
            assert by_word.tolist() == expected


def test_words_are_the_same_whatever_is_between_them(pool):
    texts = ["x One two, three! y", "one\n\nTWO three", "one two four three", "two three one"]

    assert counts(store_of(texts), 0, [(2, 16), (6, 16)], pool) == [2, 3]


@pytest.mark.parametrize("unit", ["word", "char"])
def test_letters_of_scripts_without_spaces_are_words(unit, pool):
    texts = ["图书馆的书很多", "我去图书馆", "图书很多", "图 书 馆"]
    settings = ScanSettings(unit=unit)
    spans = [(0, 3), (0, 2), (0, 7)]

    assert counts(store_of(texts), 0, spans, pool, settings=settings) == [3, 4, 1]


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
