"""Words cut to their beginnings, against plain Python."""

import unicodedata

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.settings import ScanSettings
from core.text import characters, tokenising
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import spanned_beginnings, tokenise, word_beginnings

OPTIONS = ScanSettings()
KINDS = [
    OPTIONS,
    OPTIONS.with_changes(unit="char", k=5),
    OPTIONS.with_changes(ignore_case=False, keep_punctuation=True, k=1),
    OPTIONS.with_changes(language="english", stem=True),
    OPTIONS.with_changes(keep_digits=False),
    OPTIONS.with_changes(language="english", drop_stop_words=True),
]
# None beside which letters of another script would be read for look-alikes.
PARTS = [
    *("copied", "copies", "international", "internationally", "exam-\nple", "example", "through"),
    *("e\u0301t\u00e9", "«quoted»", "don't", "12345678", "1234567", "12", "ﬁnely", "finely"),
    *("Ｆｕｌｌ", "它的文字", "カタカナ", "ภาษา", "soft\u00adly", "Straße", "हिन्दी"),
]
texts = st.lists(st.sampled_from(PARTS), max_size=30).map(" ".join)


def plain_words(text, options):
    """The words of a text as shingles of words have them, cut by plain Python."""
    words = ScanSettings(
        k=1,
        keep_digits=options.keep_digits,
        language=options.language,
        drop_stop_words=options.drop_stop_words,
    )
    found = tokenise(text, words)
    for start, end in zip(found.starts.tolist(), found.ends.tolist(), strict=True):
        word = text[start:end].replace("-\n", "").replace("\xad", "")
        yield unicodedata.normalize("NFKC", word).lower()[:6], start, end


@settings(max_examples=100, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4), st.sampled_from(KINDS))
@example(["Plain ascii text.", "它的文字 and some words", "", "More ascii"], OPTIONS)
def test_words_are_equal_when_their_first_six_letters_are(some, options):
    found = word_beginnings(some, options)
    expected = [list(plain_words(text, options)) for text in some]

    assert np.diff(found.offsets).tolist() == [len(own) for own in expected]
    words = [word for own in expected for word, _, _ in own]
    both = set(zip(words, found.values.tolist(), strict=True))
    assert len(both) == len(set(words)) == len(set(found.values.tolist()))
    for word, letters in zip(words, found.letters.tolist(), strict=True):
        assert letters == (5 if word in set("它的文字カタナภาษ") else len(word)), word


@settings(max_examples=60, deadline=None)
@given(texts, st.sampled_from(KINDS))
def test_spans_are_those_of_the_words(text, options):
    found = spanned_beginnings(text, options)

    assert found.values.tolist() == word_beginnings([text], options).values.tolist()
    spans = list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))
    assert spans == [(start, end) for _, start, end in plain_words(text, options)]


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, min_size=1, max_size=3), st.sampled_from(KINDS), st.data())
def test_a_gap_stands_where_text_is_set_aside(some, options, data):
    aside = {}
    for number, text in enumerate(some):
        if len(text) > 12 and data.draw(st.booleans()):
            start = data.draw(st.integers(0, len(text) - 2))
            aside[number] = merged([SetAside(start, min(len(text), start + 9))])
    found = word_beginnings(some, options, aside)

    for number, text in enumerate(some):
        own = found.values[slice(*found.offsets[number : number + 2])].tolist()
        every = spanned_beginnings(text, options)
        expected, before = [], 0
        for value, start, end in zip(
            every.values.tolist(), every.starts.tolist(), every.ends.tolist(), strict=True
        ):
            first, last = aside[number][0].tolist() if number in aside else (0, 0)
            if not (start < last and first < end):
                if expected and number in aside and before < last <= start:
                    expected.append(int(GAP))
                expected.append(value)
                before = start
        assert own == expected
        alone = spanned_beginnings(text, options, aside.get(number, np.empty((0, 2), np.int64)))
        assert alone.values.tolist() == expected


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("aside", [{}, {1: merged([SetAside(40, 90)])}], ids=["all", "aside"])
def test_a_long_text_is_read_piece_by_piece(options, aside, monkeypatch):
    some = ["Some words first.", " ".join(PARTS * 20), " ".join(reversed(PARTS)), "它的" * 300]
    whole = word_beginnings(some, options, aside)

    monkeypatch.setattr(characters, "PIECE", 100)
    monkeypatch.setattr(tokenising, "PIECE", 100)
    by_piece = word_beginnings(some, options, aside)

    assert by_piece.offsets.tolist() == whole.offsets.tolist()
    assert by_piece.values.tolist() == whole.values.tolist()
    assert len(whole.values) > 900


def test_words_of_other_scripts_are_cut_alike():
    words = word_beginnings(["Международная международный ΔΙΕΘΝΉΣ διεθνής 국제적인"], OPTIONS)
    one, other, upper, lower, _ = words.values.tolist()
    assert one == other
    assert upper == lower
    assert words.letters.tolist() == [6, 6, 6, 6, 4]


def test_disguises_are_seen_through():
    plain = word_beginnings(["A copied passage", "A c\u043epied pass\u200bage"], OPTIONS)
    assert plain.values[:3].tolist() == plain.values[3:].tolist()


def test_sums_of_letters_do_not_meet():
    """Words that exchange a letter at the same place have no equal sum."""
    cat, dog, cot, dag = word_beginnings(["cat dog cot dag"], OPTIONS).values.tolist()
    assert cat + dog != cot + dag


def test_no_words_no_values():
    assert word_beginnings([], OPTIONS).offsets.tolist() == [0]
    assert word_beginnings(["", "...", "a"], OPTIONS).offsets.tolist() == [0, 0, 0, 1]
