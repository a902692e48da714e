"""A phrase is found in texts as the whole of each says it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import phrases
from core.text.phrases import Phrase


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
