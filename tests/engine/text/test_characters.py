"""Characters against the standard library: code points, folding and classes."""

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.settings import ScanSettings
from core.text import characters
from core.text.characters import (
    ALONE,
    FILLER,
    IGNORED,
    LETTER,
    MARK,
    SPACE,
    alphabet,
    code_points,
)

quick = settings(deadline=None, derandomize=True, max_examples=300)


@quick
@given(st.text(st.characters(), max_size=20))
def test_code_points_are_those_of_the_text(text):
    codes = code_points(text)

    assert codes.tolist() == [ord(character) for character in text]
    assert codes.dtype == (np.uint8 if text.isascii() else np.uint32)


def test_a_lone_surrogate_is_a_code_point_like_others():
    assert code_points("a\ud800").tolist() == [0x61, 0xD800]


@pytest.mark.parametrize(
    ("characters", "kind"),
    [
        ("aZéßłжλяأא한क_", LETTER),
        ("09٣५Ⅳ", LETTER),
        (" \t\n\u00a0\u2003\u3000\u200b", SPACE),
        (".,;!?-–“”«»()€+=😀", SPACE),
        ("漢字かカーกກကខ々〇ꀀ\U00020000", ALONE),
        ("\u0301\u0327\u093e\u064b\u05b0", MARK),
        ("\u00ad\u200c\u200d\u200e\u2060\ufe0f\U000e0100", IGNORED),
    ],
)
def test_classes_of_characters_between_words(characters, kind):
    kinds = alphabet(ScanSettings()).kind

    found = {character: int(kinds[ord(character)]) for character in characters}

    assert found == dict.fromkeys(characters, kind)


@quick
@given(st.characters(max_codepoint=characters.ASSIGNED_END - 1, exclude_categories=["Cs", "Co"]))
def test_word_characters_are_those_of_regular_expressions_and_marks(character):
    kind = alphabet(ScanSettings()).kind[ord(character)]

    counts = bool(re.match(r"\w", character)) or unicodedata.category(character)[0] == "M"
    if kind == IGNORED:
        assert character == FILLER or unicodedata.category(character) in {"Cf", "Mn"}
    else:
        assert (kind != SPACE) == counts


def test_settings_decide_about_punctuation_and_digits():
    def kind(character, **changes):
        return alphabet(ScanSettings(**changes)).kind[ord(character)]

    assert kind("!", keep_punctuation=True) == ALONE
    assert kind("!", keep_punctuation=False) == SPACE
    assert kind("!", unit="char") == ALONE
    assert kind("7", keep_digits=True) == LETTER
    assert kind("7", keep_digits=False) == SPACE
    assert kind("७", keep_digits=False) == SPACE


@quick
@given(st.characters())
def test_folding_is_simple_case_folding(character):
    fold = alphabet(ScanSettings()).fold
    folded = chr(fold[ord(character)])

    if character in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        assert folded == str(unicodedata.digit(character))
    elif len(character.casefold()) == 1:
        assert folded == character.casefold()
    elif character != "İ":
        assert folded in {character, character.lower()}
    assert chr(fold[ord(folded)]) == folded


@pytest.mark.parametrize(
    ("upper", "lower"), [("A", "a"), ("É", "é"), ("Σ", "ς"), ("ẞ", "ß"), ("İ", "i"), ("Ж", "ж")]
)
def test_case_pairs_meet(upper, lower):
    fold = alphabet(ScanSettings()).fold
    exact = alphabet(ScanSettings(ignore_case=False)).fold

    assert fold[ord(upper)] == fold[ord(lower)]
    assert exact[ord(upper)] == ord(upper)


def test_tables_are_shared_between_equal_settings():
    assert alphabet(ScanSettings(k=3)).kind is alphabet(ScanSettings(k=7)).kind


def test_code_points_of_a_long_text(monkeypatch):
    monkeypatch.setattr(characters, "CHUNK", 4)
    text = "aé漢😀\udc80b" * 5

    assert characters.code_points(text).tolist() == [ord(character) for character in text]
