"""Rules are valid once they exist, and are the same again from JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.aside.repeated import PhraseIndex, has_words, words_of
from core.aside.rules import NO_RULES, AsideRules, Phrase, shares_of
from core.text.set_aside import Reason, SetAside


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


COUNTED = [reason for reason in Reason if reason is not Reason.FILE_NAME]
SPANS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 20), st.sampled_from(COUNTED)).map(
        lambda one: SetAside(one[0], one[0] + one[1], one[2])
    ),
    min_size=1,
)


@given(SPANS)
def test_every_character_counts_once(spans):
    (found,) = shares_of({3: spans}, [9, 9, 9, 100])
    wanted = {place for one in spans for place in range(one.start, one.end)}

    assert (found.document, found.length, found.aside) == (3, 100, len(wanted))
    assert found.share == len(wanted) / 100
    assert dict(found.reasons) == {
        reason: len({p for one in spans if one.reason is reason for p in range(one.start, one.end)})
        for reason in {one.reason for one in spans}
    }
    assert list(found.reasons.values()) == sorted(found.reasons.values(), reverse=True)


def test_names_of_files_are_nothing_of_the_text():
    names = SetAside(0, 9, Reason.FILE_NAME)
    assert list(shares_of({0: [names]}, [20])) == []
    (found,) = shares_of({0: [names, SetAside(10, 15, Reason.QUOTATION)]}, [20])
    assert (found.aside, dict(found.reasons)) == (5, {Reason.QUOTATION: 5})


def test_they_are_the_same_again():
    rules = AsideRules(
        quotations=True, common=5, phrases=(Phrase("a b", Reason.STANDARD), Phrase("字"))
    )

    assert AsideRules.of_json(json.loads(json.dumps(rules.as_json()))) == rules
    assert AsideRules.of_json({}) == NO_RULES
    assert rules
    assert not NO_RULES


def test_a_phrase_stands_there_once():
    rules = NO_RULES.with_phrases([Phrase("a"), Phrase("b")])
    rules = rules.with_phrases([Phrase("a", Reason.ASSIGNMENT)])

    assert set(rules.phrases) == {Phrase("a", Reason.ASSIGNMENT), Phrase("b")}
    assert rules.without_phrases([Phrase("a")]).phrases == (Phrase("b"),)


@pytest.mark.parametrize(
    "wrong",
    [
        {"common": 1},
        {"common": -3},
        {"common": 2**40},
        {"common": True},
        {"common": "5"},
        {"quotations": 1},
        {"phrases": "a"},
        {"phrases": [["a"]]},
        {"phrases": [["", "selection"]]},
        {"phrases": [["a", 1]]},
        {"phrases": [["a" * (1 << 21), "selection"]]},
    ],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        AsideRules.of_json(wrong)


def test_a_reason_of_a_newer_version_counts_as_a_selection():
    assert AsideRules.of_json({"phrases": [["a", "whim"]], "more": 1}).phrases == (Phrase("a"),)


def test_what_finds_itself_is_no_reason_to_give():
    with pytest.raises(ValueError, match="quotation"):
        AsideRules(phrases=(Phrase("a", Reason.QUOTATION),))
