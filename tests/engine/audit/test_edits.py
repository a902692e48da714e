"""The edits of an audit change what they say, and nothing else."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit import Edit
from core.audit.planted_copies import (
    EditWords,
    change_words,
    paste_page,
    shuffle_paragraphs,
    words_of,
)
from core.settings import ScanSettings
from core.text.shingling import tokenise

SCRIPTS = {
    "latin": [f"word{number}" for number in range(500)],
    "cyrillic": [chr(0x430 + n % 30) * 2 + chr(0x430 + n // 30) for n in range(500)],
    "han": [chr(0x4E00 + number) for number in range(500)],
}


def spoken(text):
    words = words_of(text)
    return [text[start:end] for start, end in zip(words.starts, words.ends, strict=True)]


def edit_distance(one, other):
    """Levenshtein's distance in words: replaced, deleted and inserted ones."""
    above = list(range(len(other) + 1))
    for row, word in enumerate(one, 1):
        here = [row]
        for place, against in enumerate(other, 1):
            here.append(min(above[place] + 1, here[-1] + 1, above[place - 1] + (word != against)))
        above = here
    return above[-1]


def make_text(script, count, rng):
    """Different words in a row, and others that stand ready to take their places."""
    between = "" if script == "han" else " "
    chosen = rng.permutation(SCRIPTS[script])
    return between.join(chosen[:count]), between.join(chosen[count:])


@given(
    script=st.sampled_from(sorted(SCRIPTS)),
    edit=st.sampled_from([Edit.WORDS_10, Edit.WORDS_25, Edit.WORDS_50]),
    count=st.integers(20, 80),
    seed=st.integers(0, 2**32),
)
def test_the_stated_share_of_words_is_changed(script, edit, count, seed):
    rng = np.random.default_rng(seed)
    text, rest = make_text(script, count, rng)

    edited = change_words(text, edit.share, EditWords([rest], rng), rng)

    changes = round(edit.share * count)
    distance = edit_distance(spoken(text), spoken(edited))
    # A word inserted beside one that is deleted is one replacement.
    assert changes / 2 <= distance <= changes
    untouched = Counter(spoken(text)) & Counter(spoken(edited))
    assert untouched.total() >= count - changes


def test_on_average_no_change_is_lost():
    rng = np.random.default_rng(1)
    text, rest = make_text("latin", 300, rng)
    others = EditWords([rest], rng)

    distances = [
        edit_distance(spoken(text), spoken(change_words(text, 0.25, others, rng)))
        for _ in range(10)
    ]

    assert np.mean(distances) == pytest.approx(75, rel=0.05)


def test_layout_and_punctuation_stay():
    rng = np.random.default_rng(2)
    text = "One, two.\n\n  Three (four)\tfive!\n" * 20
    marks = Counter(",.()!\n\t")

    edited = change_words(text, 0.5, EditWords(["six seven eight"], rng), rng)

    assert {mark: edited.count(mark) for mark in marks} == {
        mark: text.count(mark) for mark in marks
    }


@given(st.text(max_size=80))
def test_any_text_can_be_edited(text):
    rng = np.random.default_rng(3)
    change_words(text, 0.5, EditWords([text], rng), rng)
    if words_of(text).starts.size:
        shuffle_paragraphs(text, rng)
        assert spoken(paste_page("the host", text, rng)) != ["the", "host"]


@pytest.mark.parametrize("script", sorted(SCRIPTS))
def test_words_are_those_of_the_engine(script):
    text, _ = make_text(script, 100, np.random.default_rng(4))
    tokens = tokenise(text, ScanSettings())
    words = words_of(text)
    assert words.starts.tolist() == tokens.starts.tolist()
    assert words.ends.tolist() == tokens.ends.tolist()
    assert words.alone.all() == (script == "han")


@pytest.mark.parametrize("between", ["\n\n", "\n", " "])
def test_paragraphs_change_places_and_keep_their_words(between):
    paragraphs = [" ".join(f"p{part}w{word}" for word in range(40)) for part in range(6)]
    text = between.join(paragraphs)

    shuffled = shuffle_paragraphs(text, np.random.default_rng(5))

    assert shuffled != text
    assert sorted(spoken(shuffled)) == sorted(spoken(text))
    if between != " ":
        assert sorted(shuffled.split(between)) == sorted(paragraphs)


@given(st.integers(0, 2**32))
def test_two_paragraphs_always_change_places(seed):
    text = " ".join(f"w{number}" for number in range(8))
    assert shuffle_paragraphs(text, np.random.default_rng(seed)) != text


@pytest.mark.parametrize(("script", "page"), [("latin", 300), ("han", 480)])
def test_a_page_is_pasted_whole(script, page):
    rng = np.random.default_rng(6)
    source, _ = make_text(script, 480, rng)
    host = " ".join(f"h{number}" for number in range(1000))

    mixed = spoken(paste_page(host, source, rng))

    pasted = [place for place, word in enumerate(mixed) if word[0] != "h"]
    assert len(pasted) == page
    assert pasted == list(range(pasted[0], pasted[0] + page))
    assert "".join(mixed[pasted[0] : pasted[-1] + 1]) in "".join(spoken(source))
    assert len(mixed) == 1000 + page
