"""Characters against the standard library: code points, folding and classes."""

import random
import re
import unicodedata

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.settings import ScanSettings
from core.text import characters
from core.text import characters as nfkc_tables
from core.text.characters import (
    ALONE,
    FILLER,
    FOLDED,
    IGNORED,
    LETTER,
    MARK,
    SPACE,
    alphabet,
    code_points,
    normalise,
)

quick = settings(derandomize=True, max_examples=300)

# What normalisation expands, reorders or joins: ligatures, fractions, Hangul jamo, marks, voiced
# kana, Indic vowels in two parts, and characters beyond the basic plane.
TRICKY = (
    "ﬁ½①㎏ﷺ™²⁴®한\u1112\u1161\u11ab가각\u0308\u0301e\u0301é\u0323\u3099\uff9eｶｶﾞがか"
    "\u09be\u09cb\u09c7\u0b95\u0bca\U0001d400\U0001d15e😀\u0344\u1e9bi\u0307İſ\n \u00ad\ud800"
)
MARKS = "\u0300\u0301\u0308\u0323\u0327\u0345\u05b0\u064b\u0651\u0e38\u0e48\u302a\u3099\U0001d165"
tricky_text = st.text(st.sampled_from(TRICKY), max_size=12)
marked_text = st.text(st.sampled_from(MARKS + "aeσя\u1100\u1161\u11a8"), max_size=40)
any_text = st.one_of(st.text(st.characters(), max_size=30), tricky_text, marked_text)


EXCEPTIONS = re.compile("[ßẞ™℠⁰¹²³⁴-⁹]")


def by_definition(text):
    """The definition: NFKC, except for ß and what is set at the end of a word."""
    if not EXCEPTIONS.search(text):
        return unicodedata.normalize("NFKC", text)
    text = text.replace("ß", "ss").replace("ẞ", "SS")
    parts = re.split("([⁰¹²³⁴-⁹])", re.sub("[™℠]", "®", text))
    parts[::2] = [unicodedata.normalize("NFKC", part) for part in parts[::2]]
    return "".join(parts)


def normal_forms(texts, *, sources=False):
    """The texts normalised in one batch, and on request the spans of their characters."""
    bounds = np.cumsum([0, *map(len, texts)])
    codes = code_points("".join(texts)).astype(np.uint32)
    normalised = normalise(codes, bounds, sources=sources)
    slices = list(map(slice, normalised.bounds[:-1].tolist(), normalised.bounds[1:].tolist()))
    form = normalised.codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    forms = [form[part] for part in slices]
    if normalised.sources is None:
        return forms, None
    spans = list(map(tuple, normalised.sources.tolist()))
    return forms, [spans[part] for part in slices]


def assert_normal(texts):
    forms, _ = normal_forms(texts)
    wrong = [text for text, form in zip(texts, forms, strict=True) if form != by_definition(text)]
    assert wrong == []


def interesting():
    """Characters that normalisation changes, or joins to others, and that others join to."""
    tables = nfkc_tables.forms()
    hangul = [*range(0x10FF, 0x1114), *range(0x1160, 0x1177), *range(0x11A6, 0x11C4)]
    changed = np.flatnonzero((tables.role > 0) | (tables.first > 0) | (tables.apart > 0))
    syllables = {0xABFF, 0xAC00, 0xAC01, 0xAC1B, 0xAC1C, 0xD7A3, 0xD7A4}
    codes = {code for code in changed.tolist() if not 0xAC00 <= code < 0xD7A4}
    return sorted(codes | syllables | set(hangul))


def test_every_character_alone():
    assert_normal([chr(code) for code in range(0x110000)])


def test_every_character_between_a_letter_and_a_mark():
    assert_normal([f"e{chr(code)}\u0323\u0301" for code in range(0x32400)])


def test_pairs_of_characters_that_compose_or_continue():
    tables = nfkc_tables.forms()
    continuing = [code for code in interesting() if tables.role[code] >= nfkc_tables.ORDERED]
    classes = {(int(tables.rank[c]), int(tables.role[c])): c for c in continuing}
    seconds = sorted({*classes.values(), *np.flatnonzero(tables.second).tolist(), 0x1161, 0x11A8})

    assert_normal([chr(first) + chr(second) for first in interesting() for second in seconds])


def test_random_strings_of_what_normalisation_works_on():
    rng = random.Random(1)
    characters = [chr(code) for code in interesting()]

    assert_normal(["".join(rng.choices(characters, k=rng.randint(2, 9))) for _ in range(60_000)])


@quick
@given(st.lists(any_text, max_size=5))
@example(["", "e\u0301", "", "\u0301"])
def test_normalised_is_nfkc(texts):
    assert_normal(texts)


@pytest.mark.parametrize("text", ["Жизнь – “как” она есть", "漢字かな", "한국어 é ñ", ""])
def test_texts_without_anything_to_do_are_not_copied(text):
    codes = code_points(text + "é")
    bounds = np.array([0, len(codes)])

    assert normalise(codes, bounds).codes is codes
    assert normalise(codes, bounds, sources=True).sources is None


@quick
@given(any_text)
@example("e\u0301\u0323")
@example("\u1100\u1161\u11a8")
@example("\uff76\uff9e")
@example("ﬁa\u0323e\u0301")
def test_every_normalised_character_knows_where_it_comes_from(text):
    (form,), spans = normal_forms([text], sources=True)
    if spans is None:
        assert form == text
        return

    assert len(spans[0]) == len(form)
    distinct = list(dict.fromkeys(spans[0]))
    assert [end for _, end in distinct[:-1]] == [start for start, _ in distinct[1:]]
    assert "".join(text[start:end] for start, end in distinct) == text
    joined = {span for span in distinct if span[1] - span[0] > 1}
    assert all(by_definition(text[start:end]) != text[start:end] for start, end in joined)
    assert form == by_definition(text)


def test_sources_are_counted_in_each_text():
    assert normal_forms(["ab", "ﬁ", "xe\u0301y"], sources=True)[1] == [
        [(0, 1), (1, 2)],
        [(0, 1), (0, 1)],
        [(0, 1), (1, 3), (3, 4)],
    ]


@pytest.mark.parametrize("count", [15, 16, 17, 18, 400])
def test_many_marks_in_a_row_are_ordered(count):
    rng = random.Random(count)
    texts = ["a" + "".join(rng.choices(MARKS, k=count)) + "b\u0323\u0301" for _ in range(50)]

    assert_normal(texts)


def test_a_text_of_nothing_but_marks_takes_linear_time():
    """A million marks by insertion would be 10^11 steps."""
    text = "a" + "\u0301\u0323" * 500_000

    (form,), _ = normal_forms([text])

    assert form == "ạ" + "\u0323" * 499_999 + "\u0301" * 500_000
    assert len(form) == len(text) - 1


@quick
@given(st.text(st.characters(), max_size=20))
def test_code_points_are_those_of_the_text(text):
    codes = code_points(text)

    assert codes.tolist() == [ord(character) for character in text]
    assert codes.dtype == np.uint32


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
        ("\u0301\u0327\u093e\u0654\u0657", MARK),
        ("\u00ad\u200c\u200d\u200e\u2060\ufe0f\U000e0100\u0640\u064b\u0670\u05b0", IGNORED),
    ],
)
def test_classes_of_characters_between_words(characters, kind):
    kinds = alphabet(ScanSettings()).kind

    classes = {character: int(kinds[ord(character)]) for character in characters}

    assert classes == dict.fromkeys(characters, kind)


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
    fold = alphabet(ScanSettings()).both & FOLDED
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
    fold = alphabet(ScanSettings()).both & FOLDED
    exact = alphabet(ScanSettings(ignore_case=False)).both & FOLDED

    assert fold[ord(upper)] == fold[ord(lower)]
    assert exact[ord(upper)] == ord(upper)


def test_tables_are_shared_between_equal_settings():
    assert alphabet(ScanSettings(k=3)).kind is alphabet(ScanSettings(k=7)).kind


def test_code_points_of_a_long_text(monkeypatch):
    monkeypatch.setattr(characters, "CHUNK", 4)
    text = "aé漢😀\udc80b" * 5

    assert characters.code_points(text).tolist() == [ord(character) for character in text]


def test_categories_are_those_of_unicode():
    numbers = [
        characters.category_number(unicodedata.category(chr(code)))
        for code in range(characters.ASSIGNED_END)
    ]
    assert characters.categories().tolist() == numbers
