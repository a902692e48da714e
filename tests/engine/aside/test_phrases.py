"""Phrases are found word by word, in any script, at every place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.aside.repeated import PhraseIndex, has_words, words_of
from core.aside.rules import Phrase
from core.text.set_aside import Reason


def found_in(texts, phrases):
    words = words_of(texts, np.arange(len(texts)))
    index = PhraseIndex([one if isinstance(one, Phrase) else Phrase(one) for one in phrases])
    return sorted((row, texts[row][one.start : one.end]) for row, one in index.find(words))


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("One: two\nTHREE, four.", "one two three", "One: two\nTHREE"),
        ("Name des Prüflings:\n  MÜLLER", "name des prüflings", "Name des Prüflings"),
        ("Это — Моя\nработа.", "это моя работа", "Это — Моя\nработа"),
        ("我声明，这是我自己的\n工作。", "这是我自己的工作", "这是我自己的\n工作"),
        ("هذا عملي الخاص.", "عملي الخاص", "عملي الخاص"),
        ("ﬁnal ｗｏｒｄｓ here", "final words", "ﬁnal ｗｏｒｄｓ"),
        ("an exam-\nination of exam words and examination", "examination of", "exam-\nination of"),
        ("a b c d e f g h i", "b c d e f g h", "b c d e f g h"),
    ],
)  # fmt: skip
def test_only_words_matter(text, phrase, expected):
    assert found_in([text], [phrase]) == [(0, expected)]


def test_every_place_in_every_text():
    texts = ["the end the end", "no", "", "at the end"]

    assert found_in(texts, ["the end"]) == [(0, "the end"), (0, "the end"), (3, "the end")]


def test_a_phrase_ends_with_its_text():
    assert (
        found_in(["one two", "three four"], ["two three", "one two three", "two three four"]) == []
    )


def test_phrases_with_the_same_first_words_are_told_apart():
    phrases = ["a b c d", "a b c d e", "a b c d x"]

    assert found_in(["a b c d e"], phrases) == [(0, "a b c d"), (0, "a b c d e")]


def test_each_has_its_reason():
    words = words_of(["one two three"], np.zeros(1, np.int64))
    index = PhraseIndex([Phrase("one two", Reason.STANDARD), Phrase("three")])

    assert [one.reason for _, one in index.find(words)] == [Reason.SELECTION, Reason.STANDARD]


def test_what_has_no_word_stands_nowhere():
    assert not has_words(" —… ")
    assert has_words("字")
    assert found_in(["— a —"], ["—"]) == []


def test_a_text_of_many_pieces():
    text = "word " * 150_000 + "one two three four five" + " word" * 10

    assert found_in([text, "x"], ["one two three four five"]) == [(0, "one two three four five")]


@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=30), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=7), min_size=1, max_size=4),
)
def test_as_plain_python_finds_them(texts, phrases):
    expected = sorted(
        (row, " ".join(phrase))
        for phrase in {tuple(one) for one in phrases}
        for row, text in enumerate(texts)
        for place in range(len(text))
        if tuple(text[place : place + len(phrase)]) == phrase
    )

    wanted = sorted({" ".join(one) for one in phrases})
    assert found_in([" ".join(text) for text in texts], wanted) == expected
