"""Skip-grams: which of them a text has, against plain Python, and what they outlast."""

import random
from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.hashing import mix
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_numbered, sign_texts
from core.signatures.skip_grams import choose_skip_grams, no_skip_grams, places_of
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import WordBeginnings, word_beginnings
from core.text.store import TextStore

CAREFUL = ScanSettings(reworked="careful")
THOROUGH = ScanSettings(reworked="thorough")
ALL = (1 << 64) - 1
VOCABULARY = [
    f"{a}{b}{c}" for a in "kpt" for b in ("a", "oo", "eni") for c in ("", "n", "rst", "lix")
]


def plain_grams(values, one_in):
    """The grams of the words of one text, by their definition."""
    values = [int(value) for value in values]
    words = [value for value in values if value != int(GAP)]
    least = min(15, (3 * sum(value & 7 for value in words) + len(words) // 2) // max(1, len(words)))
    found = []
    for one in range(len(values)):
        for two, three in combinations(range(one + 1, min(len(values), one + 5)), 2):
            chosen = [values[place] for place in (one, two, three)]
            if int(GAP) in values[one : three + 1] or len(set(chosen)) < 3:
                continue
            mixed = int(mix.py_func(np.uint64(sum(chosen) & ALL)))
            if mixed <= ALL // one_in and sum(value & 7 for value in chosen) >= least:
                found.append((mixed << 24 | one) & ALL)
    return found


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([(CAREFUL, 10), (THOROUGH, 3)]))
def test_a_text_has_the_grams_of_the_definition(rng, kind):
    options, one_in = kind
    some = [" ".join(rng.choices(VOCABULARY, k=rng.randrange(0, 120))) for _ in range(4)]
    aside = {
        n: merged([SetAside(9, 30)]) for n, text in enumerate(some) if len(text) > 30 and n % 2
    }
    words = word_beginnings(some, options, aside)

    with np.errstate(over="ignore"):
        expected = [
            plain_grams(words.values[slice(*words.offsets[n : n + 2])], one_in) for n in range(4)
        ]

    found = choose_skip_grams(words, options)
    assert found.counts.tolist() == [len(own) for own in expected]
    # Grams that begin with one word stand in the order of the definition, too.
    assert found.values.tolist() == [value for own in expected for value in own]


def test_two_thirds_of_short_texts_of_any_script_have_some():
    """Scripts with short words have as many grams as those with long ones."""
    rng = random.Random(1)
    korean = [chr(0xAC00 + 28 * n) + chr(0xAC1C + 28 * n) for n in range(300)]
    chinese = [chr(0x4E00 + n) for n in range(300)]
    russian = ["".join(rng.choices("абвгдежзик", k=rng.randrange(2, 12))) for _ in range(300)]
    for words in (korean, chinese, russian):
        text = " ".join(rng.choices(words, k=2000))
        count = len(choose_skip_grams(word_beginnings([text], CAREFUL), CAREFUL).values)
        assert 500 < count < 1700


def test_what_is_not_looked_for_costs_nothing():
    signed = sign_texts(
        ["Some words of a text that has enough of them."] * 3, ScanSettings(reworked="off")
    )
    assert signed.skip_grams.counts.tolist() == [0, 0, 0]
    assert not len(signed.skip_grams.values)


def test_grams_outlast_exchanged_words():
    rng = random.Random(2)
    words = [f"{rng.randrange(16**6):06x}" for _ in range(2000)]
    edited = [f"{rng.randrange(16**6):06x}" if rng.random() < 0.2 else word for word in words]
    found = choose_skip_grams(
        word_beginnings([" ".join(words), " ".join(edited)], CAREFUL), CAREFUL
    )
    one, other = np.split(found.values, [found.counts[0]])
    assert 0.4 < len(set(one.tolist()) & set(other.tolist())) / len(one) < 0.65


def test_places_are_those_of_the_first_words():
    text = " ".join(f"word{n:02}x" for n in range(300))
    words = word_beginnings([text], CAREFUL)
    places = places_of(choose_skip_grams(words, CAREFUL).values)
    assert (np.diff(places) >= 0).all()
    assert places.max() <= 297


def test_a_place_beyond_the_last_is_the_last():
    values = np.arange(16_777_300, dtype=np.uint64) << np.uint64(20) | np.uint64(6)
    words = WordBeginnings(values, np.array([0, len(values)]))
    places = places_of(choose_skip_grams(words, CAREFUL).values)
    assert places.max() == 16_777_215
    assert np.count_nonzero(places == 16_777_215) > 20


def test_signed_texts_carry_them(tmp_path):
    rng = random.Random(3)
    some = [" ".join(rng.choices(VOCABULARY, k=80)) for _ in range(5)]
    store = TextStore()
    store.extend(some)
    store.put_aside({2: [SetAside(20, 60)]})
    signed = sign_numbered(store, slice(0, 5), CAREFUL)
    expected = choose_skip_grams(
        word_beginnings(some, CAREFUL, {2: merged([SetAside(20, 60)])}), CAREFUL
    )
    assert signed.skip_grams.values.tolist() == expected.values.tolist()
    taken = signed.take(np.array([4, 2])).skip_grams
    bounds = np.concatenate([[0], np.cumsum(expected.counts)])
    own = [expected.values[slice(*bounds[n : n + 2])].tolist() for n in (4, 2)]
    assert taken.values.tolist() == own[0] + own[1]
    joined = SignedTexts.join([signed, sign_texts([], CAREFUL), signed])
    assert joined.skip_grams.counts.tolist() == 2 * expected.counts.tolist()
    assert no_skip_grams(3).counts.tolist() == [0, 0, 0]
