"""Where texts lie that were taken over from stores before, and phrases found in texts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import phrases
from core.text.line_ends import run_on
from core.text.phrases import Phrase
from core.text.store import TextStore

WRAPPED = """\
A heading

The usual story of the canal has one villain and it is
the railway, which reached the town in October of that
year.
- a list of two
- items"""
UNWRAPPED = (
    "The usual story of the canal has one villain and it is the railway, which reached the town "
    "in October of that year."
)


def test_full_lines_run_on_and_others_do_not():
    assert run_on(WRAPPED).split("\n") == [
        "A heading",
        "",
        UNWRAPPED,
        "- a list of two",
        "- items",
    ]


@pytest.mark.parametrize(
    "text", ["", "one\ntwo", "x" * 300 + "\n" + "y " * 90, "报告" * 30 + "\n续"]
)
def test_text_without_a_width_stays(text):
    assert run_on(text) == text


@given(st.text(alphabet="ab \n", max_size=400), st.integers(20, 110))
def test_running_on_moves_no_character(text, width):
    wrapped = "\n".join(text[i : i + width] for i in range(0, len(text), width))
    shown = run_on(wrapped)
    assert len(shown) == len(wrapped)
    assert shown.replace("\n", " ") == wrapped.replace("\n", " ")


@pytest.mark.parametrize(
    "line",
    [
        "12 034.5 17 882.0 40 113.9 55 210.4 61 008.7 72 345.1 80 001",  # a row of figures
        "Anna Weber     1990   Berlin        geography    B    second year",  # columns
        "    return the_first_thing_that_was_found or another_one_after",  # code
        "| name | year | place | subject | group | remarks of the tutor |",
        "1. An item that fills the whole line and ends right here, at its",
    ],
)
def test_tables_lists_and_code_stay_as_they_are(line):
    text = "\n".join([line] * 20)
    assert run_on(text) == text


def test_a_store_keeps_no_source_without_texts():
    """Each change of a list makes a store of the one before."""
    store = TextStore()
    store.extend(["one", "two", "three"])
    for _ in range(5):
        after = TextStore()
        after.adopt(store, store.lengths)
        fresh = TextStore()
        after.adopt(fresh, fresh.lengths)
        store = after.arranged(np.array([2, 0, 1]))

    assert list(store) == ["two", "three", "one"]
    assert len(store.places.sources) == 2


def test_only_sources_that_are_needed_are_kept():
    one, other = TextStore(), TextStore()
    one.extend(["one"])
    other.extend(["other"])
    both = TextStore()
    both.adopt(one, one.lengths)
    both.adopt(other, other.lengths)

    last = both.arranged(np.array([1]))

    assert list(last) == ["other"]
    assert list(both) == ["one", "other"]
    assert len(last.places.sources) == 2


@given(
    st.lists(
        st.sampled_from(["oak", "OAK", " ", "\n", "old", "😀", "ſ", "K", "   \t\n  "]), max_size=40
    ).map("".join),
    st.sampled_from(["oak", "old oak", "k o", "😀", "oak oak", "K", "s", " "]),
    st.integers(1, 7),
)
def test_parts_find_what_the_whole_finds(text, phrase, part):
    pattern = r"\s+".join(map(re.escape, phrase.split()))
    whole = [match.span() for match in re.finditer(pattern, text, re.IGNORECASE) if pattern]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phrases, "PART", part)
        spans = [span for spans in Phrase(phrase).spans(text) for span in spans]

    assert spans == whole
    assert Phrase(phrase).is_in(text) == bool(whole)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("中文", "我写中文。"),
        ("كِتاب", "هذا كِتاب"),
        ("ÉTÉ", "l’été"),
        ("straße", "Die STRAßE"),
        ("Müller", "Frau Mu\u0308ller"),
        ("Mu\u0308ller", "Frau Müller"),
        ("don't", "I don’t"),
        ("don’t", "I don't"),
        ("1914-18", "1914–18"),
        ("“so”", 'He said "so"'),
    ],
)
def test_every_script_is_searched(phrase, text):
    assert Phrase(phrase).is_in(text)
