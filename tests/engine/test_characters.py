"""Characters against the standard library: NFKC, folding, classes, and the way back."""

import re
import unicodedata
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import characters
from core.characters import (
    ALONE,
    IGNORED,
    LETTER,
    MARK,
    SPACE,
    alphabet,
    code_points,
    normalise,
    normalise_with_offsets,
)
from core.settings import ScanSettings

quick = settings(deadline=None, derandomize=True, max_examples=300)

# What normalisation expands, reorders or joins: ligatures, fractions, Hangul jamo, marks, voiced
# kana, Indic vowels in two parts, and characters beyond the basic plane.
TRICKY = (
    "ﬁ½①㎏ﷺ™²®한\u1112\u1161\u11ab가각\u0308\u0301e\u0301é\u0323\u3099\uff9eｶｶﾞがか"
    "\u09be\u09cb\u09c7\u0b95\u0bca\U0001d400\U0001d15e😀\u0344\u1e9bi\u0307İſ\n \u00ad"
)
tricky_text = st.text(st.sampled_from(TRICKY), max_size=12)
any_text = st.text(st.characters(), max_size=30)


def nfkc(text):
    """The definition: NFKC, with the marks that end a word kept from becoming part of it."""
    return unicodedata.normalize("NFKC", re.sub("[™℠¹²³]", "®", text))


@quick
@given(st.one_of(any_text, tricky_text))
def test_normalised_is_nfkc(text):
    assert normalise(text) == nfkc(text)


@quick
@given(st.one_of(any_text, tricky_text))
@example("e\u0301\u0323")
@example("\u1100\u1161\u11a8")
@example("\uff76\uff9e")
def test_every_normalised_character_knows_its_cluster(text):
    normal = normalise_with_offsets(text)
    assert normal.text == nfkc(text)
    if normal.starts is None:
        assert normal.ends is None
        assert normal.text == text
        return

    assert len(normal.starts) == len(normal.ends) == len(normal.text)
    spans = list(dict.fromkeys(zip(normal.starts.tolist(), normal.ends.tolist(), strict=True)))
    pieces = [nfkc(text[start:end]) for start, end in spans]
    assert "".join(pieces) == normal.text
    assert "".join(text[start:end] for start, end in spans) == text


@pytest.mark.parametrize(
    ("text", "normal", "spans"),
    [
        ("oﬁx", "ofix", [(0, 1), (1, 2), (1, 2), (2, 3)]),
        ("½", "1⁄2", [(0, 1)] * 3),
        ("cafe\u0301!", "café!", [(0, 1), (1, 2), (2, 3), (3, 5), (5, 6)]),
        ("\u1112\u1161\u11ab.", "한.", [(0, 3), (3, 4)]),
        ("\U0001d400b", "Ab", [(0, 1), (1, 2)]),
        ("a¹ b™", "a® b®", [(i, i + 1) for i in range(5)]),
    ],
)
def test_offsets_of_expansions_and_compositions(text, normal, spans):
    found = normalise_with_offsets(text)

    assert found.text == normal
    assert spans == list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))


def test_long_texts_are_normalised_in_pieces(monkeypatch):
    monkeypatch.setattr(characters, "CHUNK", 10)
    text = "cafe\u0301 ﬁn\n\u0301\u1100\n\u1161 naı\u0308f\n" * 20

    assert normalise(text) == nfkc(text)
    assert normalise_with_offsets(text).text == nfkc(text)


def test_a_long_text_is_cut_at_the_shipped_length_too():
    text = ("cafe\u0301 " * 20 + "\n") * (2 * characters.CHUNK // 120)

    assert len(text) > characters.CHUNK
    assert normalise(text) == nfkc(text)


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
        ("09٣५Ⅳ²", LETTER),
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
        assert unicodedata.category(character) in {"Cf", "Mn"}
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

    if len(character.casefold()) == 1:
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


def test_long_texts_without_line_ends_are_normalised_in_pieces(monkeypatch):
    longest = []
    monkeypatch.setattr(characters, "CHUNK", 10)
    text = "①café\u0301 ﬁne\u0301" * 40
    whole = characters._nfkc(text)
    monkeypatch.setattr(
        characters,
        "unicodedata",
        SimpleNamespace(
            normalize=lambda form, piece: (
                longest.append(len(piece)) or unicodedata.normalize(form, piece)
            ),
            combining=unicodedata.combining,
            decomposition=unicodedata.decomposition,
        ),
    )

    assert characters.normalise(text) == whole
    assert max(longest) < 20


@pytest.mark.parametrize("piece", [1, 7, 1024])
def test_pieces_do_not_change_offsets(piece, monkeypatch):
    text = "plain text, then ﬁve cafe\u0301s ① 가각 a\u0323\u0307 and plain text again " * 3
    whole = normalise_with_offsets(text)

    monkeypatch.setattr(characters, "PIECE", piece)
    found = normalise_with_offsets(text)

    assert found.text == whole.text == characters.normalise(text)
    for start, end, character in zip(found.starts, found.ends, found.text, strict=True):
        assert character in characters.normalise(text[start:end])
    assert (found.starts[1:] >= found.starts[:-1]).all()


def test_code_points_of_a_long_text(monkeypatch):
    monkeypatch.setattr(characters, "CHUNK", 4)
    text = "aé漢😀\udc80b" * 5

    assert characters.code_points(text).tolist() == [ord(character) for character in text]
