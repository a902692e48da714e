"""Shingles against a second implementation in plain Python."""

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.base import arrays
from core.settings import ScanSettings
from core.text import characters, shingling, tokenising
from core.text import tokens as unit_kernels
from core.text.characters import IGNORED, MARK, SPACE, alphabet
from core.text.disguises import as_seen
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import Fingerprints, shingle, spanned_beginnings, tokenise, word_beginnings
from tests.engine.text.test_characters import by_definition

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
    tokens = tokenise(text, words)
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        word = text[start:end].replace("-\n", "").replace("\xad", "")
        yield unicodedata.normalize("NFKC", word).lower()[:6], start, end


@settings(max_examples=100)
@given(st.lists(texts, min_size=1, max_size=4), st.sampled_from(KINDS))
@example(["Plain ascii text.", "它的文字 and some words", "", "More ascii"], OPTIONS)
def test_words_are_equal_when_their_first_six_letters_are(texts, options):
    beginnings = word_beginnings(texts, options)
    expected = [list(plain_words(text, options)) for text in texts]

    assert np.diff(beginnings.offsets).tolist() == [
        len(words_of_text) for words_of_text in expected
    ]
    words = [word for words_of_text in expected for word, _, _ in words_of_text]
    both = set(zip(words, beginnings.values.tolist(), strict=True))
    assert len(both) == len(set(words)) == len(set(beginnings.values.tolist()))
    for word, letters in zip(words, beginnings.letters.tolist(), strict=True):
        assert letters == (5 if word in set("它的文字カタナภาษ") else len(word)), word


@settings(max_examples=60)
@given(texts, st.sampled_from(KINDS))
def test_spans_are_those_of_the_words(text, options):
    beginnings = spanned_beginnings(text, options)

    assert beginnings.values.tolist() == word_beginnings([text], options).values.tolist()
    spans = list(zip(beginnings.starts.tolist(), beginnings.ends.tolist(), strict=True))
    assert spans == [(start, end) for _, start, end in plain_words(text, options)]


@settings(max_examples=60)
@given(st.lists(texts, min_size=1, max_size=3), st.sampled_from(KINDS), st.data())
def test_a_gap_stands_where_text_is_set_aside(texts, options, data):
    set_aside = {}
    for number, text in enumerate(texts):
        if len(text) > 12 and data.draw(st.booleans()):
            start = data.draw(st.integers(0, len(text) - 2))
            set_aside[number] = merged([SetAside(start, min(len(text), start + 9))])
    beginnings = word_beginnings(texts, options, set_aside)

    for number, text in enumerate(texts):
        values = beginnings.values[slice(*beginnings.offsets[number : number + 2])].tolist()
        every = spanned_beginnings(text, options)
        expected, before = [], 0
        for value, start, end in zip(
            every.values.tolist(), every.starts.tolist(), every.ends.tolist(), strict=True
        ):
            first, last = set_aside[number][0].tolist() if number in set_aside else (0, 0)
            if not (start < last and first < end):
                if expected and number in set_aside and before < last <= start:
                    expected.append(int(GAP))
                expected.append(value)
                before = start
        assert values == expected
        alone = spanned_beginnings(text, options, set_aside.get(number, np.empty((0, 2), np.int64)))
        assert alone.values.tolist() == expected


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("spans", [{}, {1: merged([SetAside(40, 90)])}], ids=["all", "aside"])
def test_a_long_text_is_read_piece_by_piece(options, spans, monkeypatch):
    texts = ["Some words first.", " ".join(PARTS * 20), " ".join(reversed(PARTS)), "它的" * 300]
    beginnings = word_beginnings(texts, options, spans)

    monkeypatch.setattr(characters, "PIECE", 100)
    monkeypatch.setattr(tokenising, "PIECE", 100)
    by_piece = word_beginnings(texts, options, spans)

    assert by_piece.offsets.tolist() == beginnings.offsets.tolist()
    assert by_piece.values.tolist() == beginnings.values.tolist()
    assert len(beginnings.values) > 900


def test_words_of_other_scripts_are_cut_alike():
    words = word_beginnings(["Международная международный ΔΙΕΘΝΉΣ διεθνής 국제적인"], OPTIONS)
    first, second, upper, lower, _ = words.values.tolist()
    assert first == second
    assert upper == lower
    assert words.letters.tolist() == [6, 6, 6, 6, 4]


def test_sums_of_letters_do_not_meet():
    """Words that exchange a letter at the same place have no equal sum."""
    cat, dog, cot, dag = word_beginnings(["cat dog cot dag"], OPTIONS).values.tolist()
    assert cat + dog != cot + dag


def test_no_words_no_values():
    assert word_beginnings([], OPTIONS).offsets.tolist() == [0]
    assert word_beginnings(["", "...", "a"], OPTIONS).offsets.tolist() == [0, 0, 0, 1]


quick = settings(derandomize=True, max_examples=150)

WORDS = ScanSettings(k=3)
CHARACTERS = ScanSettings(unit="char", k=5)
TRICKY = (
    "aB7 .-_ßé\u0301ﬁ½İ한\u1112\u1161\u11ab漢字かกཀ\u093eक\u00ad\u200d\u200b\n\U0001d400😀Σς™⁷ "
)
tricky_text = st.text(st.sampled_from(TRICKY), max_size=25)
any_text = st.one_of(tricky_text, st.text(st.characters(), max_size=25))
any_settings = st.builds(
    ScanSettings,
    unit=st.sampled_from(["word", "char"]),
    k=st.integers(1, 6),
    ignore_case=st.booleans(),
    keep_punctuation=st.sampled_from([None, True, False]),
    keep_digits=st.booleans(),
    white_space=st.sampled_from(["remove", "collapse"]),
)
MASK = 2**64 - 1


def folded(character, ignore_case):
    """Simple case folding: one character for one, else the character is left as it is."""
    if character in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        return str(unicodedata.digit(character))
    if not ignore_case or character == "İ":
        return "i" if ignore_case else character
    options = (character.casefold(), character.lower(), character)
    return next(option for option in options if len(option) == 1)


def reference_words(text, options):
    """Words by their definition: runs of letters and digits; ideographs stand alone."""
    kind = alphabet(options).kind
    shape = "".join("sla-i"[kind[ord(c)]] if kind[ord(c)] != MARK else "m" for c in text)
    kept = [(c, s) for c, s in zip(text, shape, strict=True) if s != "i"]
    pattern = re.compile("am*|[lm]+")
    characters = "".join(folded(c, options.ignore_case) for c, _ in kept)
    return [
        characters[match.start() : match.end()]
        for match in pattern.finditer("".join(s for _, s in kept))
    ]


def reference_characters(text, options):
    """Characters that count, with white space removed or collapsed to one space."""
    kind = alphabet(options).kind
    kept = [c for c in text if kind[ord(c)] != IGNORED]
    spaced = "".join(" " if kind[ord(c)] == SPACE else folded(c, options.ignore_case) for c in kept)
    parts = [part for part in spaced.split(" ") if part]
    return list((" " if options.white_space == "collapse" else "").join(parts))


def reference_units(text, options):
    reference = reference_words if options.unit == "word" else reference_characters
    return reference(by_definition(as_seen([text]).texts[0]), options)


def word_value(word):
    """The xor-multiply-shift chain of a word, in Python's integers."""
    value = int(unit_kernels.WORD_SEED)
    for character in word:
        value = ((value ^ ord(character)) * int(unit_kernels.WORD_FACTOR)) & MASK
        value ^= value >> 32
    return value


def splitmix(value):
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def unit_values(units, options):
    return [word_value(unit) if options.unit == "word" else ord(unit) for unit in units]


def reference_shingles(values, k):
    """The polynomial of every window, computed directly."""
    factor = int(shingling.MULTIPLIER)

    def polynomial(window):
        return sum(v * pow(factor, len(window) - 1 - i, 2**64) for i, v in enumerate(window)) & MASK

    if not values:
        return []
    if len(values) < k:
        extra = len(values) * int(shingling.SHORT_FACTOR)
        return [splitmix((polynomial(values) + extra) & MASK)]
    return [splitmix(polynomial(values[i : i + k])) for i in range(len(values) - k + 1)]


def hashes_of(text, options):
    return shingle([text], options).hashes.tolist()


@quick
@given(any_text, any_settings)
def test_units_follow_their_definition(text, options):
    units = reference_units(text, options)

    assert tokenise(text, options).values.tolist() == unit_values(units, options)


@quick
@given(any_text, any_settings)
def test_shingles_are_polynomials_of_windows(text, options):
    values = unit_values(reference_units(text, options), options)

    assert hashes_of(text, options) == reference_shingles(values, options.k)


@quick
@given(any_text, any_settings)
def test_spans_hold_their_units(text, options):
    tokens = tokenise(text, options)
    text = as_seen([text]).texts[0]

    starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
    assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))
    assert starts == sorted(starts)
    assert ends == sorted(ends)
    for value, start, end in zip(tokens.values.tolist(), starts, ends, strict=True):
        values = tokenise(text[start:end], options).values.tolist()
        is_space = options.unit == "char" and value == ord(" ")
        assert is_space or value in values  # one character can expand to several words: ½


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("The ﬁsh swam", ["The", "ﬁsh", "swam"]),
        ("½ cup", ["½", "½", "cup"]),
        ("Cafe\u0301 noir", ["Cafe\u0301", "noir"]),
        ("\u1112\u1161\u11ab글 \u1100\u1161", ["\u1112\u1161\u11ab글", "\u1100\u1161"]),
        ("x\U0001d400\U0001d401 😀 y", ["x\U0001d400\U0001d401", "y"]),
        ("co\u00adoperate", ["co\u00adoperate"]),
        ("don't stop", ["don", "t", "stop"]),
        ("漢字とkana", ["漢", "字", "と", "kana"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("スﾞ", ["スﾞ"]),
        ("\u0301a", ["\u0301a"]),
    ],
)
def test_words_of_many_scripts(text, spans):
    tokens = tokenise(text, WORDS)

    spans_of_tokens = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    assert [text[start:end] for start, end in spans_of_tokens] == spans


def test_touch_down_and_touchdown():
    """Mining of Massive Datasets, example 3.4: white space decides whether they meet."""
    a, b = "The plane was ready for touch down", "The quarterback scored a touchdown"
    nine = ScanSettings(unit="char", k=9)
    kept = nine.with_changes(white_space="collapse")

    assert set(hashes_of(a, nine)) & set(hashes_of(b, nine)) == set(hashes_of("touchdown", nine))
    assert not set(hashes_of(a, kept)) & set(hashes_of(b, kept))


def test_the_2_shingles_of_the_textbook():
    """Mining of Massive Datasets, example 3.3: abcdabd has the 2-shingles ab bc cd da bd."""
    two = ScanSettings(unit="char", k=2)

    hashes = hashes_of("abcdabd", two)

    assert len(hashes) == 6
    assert set(hashes) == {hashes_of(s, two)[0] for s in ("ab", "bc", "cd", "da", "bd")}


@pytest.mark.parametrize(
    ("a", "b", "changes", "equal"),
    [
        ("One Two", "one two", {}, True),
        ("One Two", "one two", {"ignore_case": False}, False),
        ("one, two!", "one two", {}, True),
        ("one, two!", "one two", {"keep_punctuation": True}, False),
        ("one,two", "one , two", {"keep_punctuation": True}, True),
        ("one 2 two", "one two", {}, False),
        ("one 2 two", "one two", {"keep_digits": False}, True),
        ("a1b", "a b", {"keep_digits": False}, True),
        ("one\n\n two", "one two", {"white_space": "collapse"}, True),
        ("one\n two ", " onetwo", {"unit": "char"}, True),
        ("one\n two ", " one two", {"unit": "char", "white_space": "collapse"}, True),
        ("onetwo", "one two", {"unit": "char", "white_space": "collapse"}, False),
        ("one-two", "one two", {"unit": "char"}, False),
        ("one-two", "one two", {"unit": "char", "keep_punctuation": False}, True),
        ("straße", "STRAẞE", {}, True),
        ("ΟΔΟΣ", "οδος", {}, True),
        ("ﬁsh", "fish", {}, True),
        ("caf\u00e9", "cafe\u0301", {}, True),
        ("cafe", "café", {}, False),
    ],
)
def test_options_decide_what_is_equal(a, b, changes, equal):
    shingles = shingle([a, b], ScanSettings(**changes))

    assert (shingles.digests[0] == shingles.digests[1]).all() == equal


@pytest.mark.parametrize("options", [WORDS, CHARACTERS])
def test_a_text_without_units_has_no_shingles(options):
    shingles = shingle(["", " \n", "\u200b\u00ad"], options)

    assert shingles.hashes.tolist() == []
    assert shingles.offsets.tolist() == [0, 0, 0, 0]
    assert shingles.units.tolist() == [0, 0, 0]


def test_no_texts_at_all():
    shingles = shingle([], WORDS)

    assert shingles.offsets.tolist() == [0]
    assert shingles.digests.shape == (0, 2)


@quick
@given(st.lists(any_text, max_size=6), any_settings)
def test_a_batch_gives_what_its_texts_give_alone(texts, options):
    batch = shingle(texts, options)
    alone = [shingle([text], options) for text in texts]

    assert batch.hashes.tolist() == [h for shingles in alone for h in shingles.hashes.tolist()]
    assert batch.units.tolist() == [int(shingles.units[0]) for shingles in alone]
    assert np.diff(batch.offsets).tolist() == [len(shingles.hashes) for shingles in alone]
    assert batch.digests.tolist() == [shingles.digests[0].tolist() for shingles in alone]
    assert batch.units.tolist() == [len(tokenise(text, options).values) for text in texts]


@quick
@given(st.lists(any_text, min_size=2, max_size=5), any_settings)
def test_digests_are_equal_just_when_the_units_are(texts, options):
    units = [reference_units(text, options) for text in texts]
    digests = shingle(texts, options).digests.tolist()

    for i in range(len(texts)):
        for j in range(i):
            assert (digests[i] == digests[j]) == (units[i] == units[j])


def thue_morse(length, swapped):
    return "".join("ab"[(i.bit_count() + swapped) % 2] for i in range(length))


@pytest.mark.parametrize("length", [64, 256, 1024, 4096])
def test_thue_morse_words_do_not_collide(length):
    """A polynomial alone collides on them from 1,024 characters on, with any multiplier."""
    first, second = thue_morse(length, swapped=0), thue_morse(length, swapped=1)

    assert hashes_of(first, WORDS) != hashes_of(second, WORDS)
    shingles = shingle([first, second], CHARACTERS)
    assert (shingles.digests[0] != shingles.digests[1]).all()


def test_a_million_shingles_do_not_collide():
    rng = np.random.default_rng(5)
    values = rng.integers(0, 60_000, 1_000_000).astype(np.uint64)
    bounds = np.array([0, len(values)], dtype=np.int64)

    digests = np.zeros((1, 2), dtype=np.uint64)
    hashes, _ = shingling.shingle_units(values, bounds, 5, 1, 0, digests)

    packed = sum(values[i : len(values) - 4 + i] << np.uint64(16 * i) for i in range(4))
    distinct = len(set(zip(packed.tolist(), values[4:].tolist(), strict=True)))
    assert len(set(hashes.tolist())) == distinct


@pytest.mark.parametrize("raised", "⁰¹²³⁴⁵⁶⁷⁸⁹")
def test_raised_figures_are_words_of_their_own(raised):
    value = str(unicodedata.digit(raised))

    def units(text, **changes):
        return tokenise(text, ScanSettings(k=1, **changes)).values.tolist()

    assert units(f"10{raised} m") == units(f"10 {value} m")
    assert units(f"10{raised} m") not in (units("10 m"), units(f"10{value} m"))
    assert units(f"text{raised} goes on") == units(f"text [{value}] goes on")
    assert units(f"10{raised} m", ignore_case=False) == units(f"10 {value} m", ignore_case=False)
    assert units(f"text{raised} goes", keep_digits=False) == units("text goes", keep_digits=False)
    tokens = tokenise(f"a text{raised}", ScanSettings(k=1))
    assert list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))[-2:] == [
        (2, 6),
        (6, 7),
    ]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.data())
def test_fingerprints_are_taken_a_few_at_a_time(counts, data):
    texts = np.split(np.arange(sum(counts), dtype=np.uint64), np.cumsum(counts)[:-1])
    rows = data.draw(st.lists(st.integers(0, len(counts) - 1), max_size=40))
    numbers = np.array(rows, dtype=np.int64)
    at_once = []

    def indices_from(starts, counts):
        at_once.append(int(counts.sum()))
        return arrays.indices_from(starts, counts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shingling, "TAKEN_AT_ONCE", 10)
        patch.setattr(shingling, "indices_from", indices_from)
        taken = Fingerprints(np.concatenate(texts), np.array(counts)).take(numbers)

    assert taken.counts.tolist() == [counts[row] for row in rows]
    assert taken.values.tolist() == [value for row in rows for value in texts[row].tolist()]
    assert max(at_once, default=0) <= 10 + max(counts)


def test_fingerprints_that_stay_as_they_are_are_not_copied():
    fingerprints = Fingerprints(np.arange(6, dtype=np.uint64), np.array([1, 2, 3]))

    assert fingerprints.take(np.arange(3)).values is fingerprints.values
