"""Fingerprints and skip-grams: what they promise to find, and what they leave out."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.hashing import mix
from core.candidates.shared_fingerprints import DOCUMENT_LIMIT, pair_by_fingerprints
from core.evidence.pairs import FoundBy
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings
from core.signatures.signing import (
    SignedTexts,
    choose_skip_grams,
    no_skip_grams,
    positions_of,
    sign_numbered,
    sign_texts,
)
from core.signatures.winnowing import find_grams, gram_ends, winnow
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import Fingerprints, WordBeginnings, shingle, word_beginnings
from core.text.store import TextStore

CAREFUL = ScanSettings(reworked="careful")
THOROUGH = ScanSettings(reworked="thorough")
ALL = (1 << 64) - 1
SEEDED = st.integers(0, 2**32).map(random.Random)
VOCABULARY = [
    f"{a}{b}{c}" for a in "kpt" for b in ("a", "oo", "eni") for c in ("", "n", "rst", "lix")
]


def plain_grams(values, kept_share):
    """The grams of the words of one text, by their definition."""
    values = [int(value) for value in values]
    words = [value for value in values if value != int(GAP)]
    letters = sum(value & 7 for value in words)
    least = min(5, (2 * letters + len(words)) // (2 * max(1, len(words))))
    grams = []
    for first in range(len(values)):
        for second in range(first + 1, min(len(values), first + 3)):
            chosen = [values[first], values[second]]
            if int(GAP) in values[first : second + 1] or chosen[0] == chosen[1]:
                continue
            mixed = int(mix.py_func(np.uint64(sum(chosen) & ALL)))
            sizes = [value & 7 for value in chosen]
            kept = ALL // kept_share // (2 if sizes == [5, 5] else 1)
            if mixed <= kept and min(sizes) >= least:
                grams.append((mixed << 24 | first) & ALL)
    return grams


@settings(max_examples=60)
@given(SEEDED, st.sampled_from([(CAREFUL, 2), (THOROUGH, 1)]))
def test_a_text_has_the_grams_of_the_definition(rng, kind):
    options, share = kind
    texts = [" ".join(rng.choices(VOCABULARY, k=rng.randrange(0, 120))) for _ in range(4)]
    set_aside = {
        n: merged([SetAside(9, 30)]) for n, text in enumerate(texts) if len(text) > 30 and n % 2
    }
    words = word_beginnings(texts, options, set_aside)

    with np.errstate(over="ignore"):
        expected = [
            plain_grams(words.values[slice(*words.offsets[n : n + 2])], share) for n in range(4)
        ]

    skip_grams = choose_skip_grams(words, options)
    assert skip_grams.counts.tolist() == [len(grams) for grams in expected]
    # Grams that begin with one word stand in the order of the definition, too.
    assert skip_grams.values.tolist() == [value for grams in expected for value in grams]


def test_two_thirds_of_short_texts_of_any_script_have_some():
    """Scripts with short words have as many grams as those with long ones."""
    rng = random.Random(1)
    korean = [chr(0xAC00 + 28 * n) + chr(0xAC1C + 28 * n) for n in range(300)]
    chinese = [chr(0x4E00 + n) for n in range(300)]
    russian = ["".join(rng.choices("абвгдежзик", k=rng.randrange(2, 12))) for _ in range(300)]
    for words in (korean, chinese, russian):
        text = " ".join(rng.choices(words, k=2000))
        count = len(choose_skip_grams(word_beginnings([text], CAREFUL), CAREFUL).values)
        assert 500 < count < 2100


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
    skip_grams = choose_skip_grams(
        word_beginnings([" ".join(words), " ".join(edited)], CAREFUL), CAREFUL
    )
    values_a, values_b = np.split(skip_grams.values, [skip_grams.counts[0]])
    assert 0.55 < len(set(values_a.tolist()) & set(values_b.tolist())) / len(values_a) < 0.75


def test_places_are_those_of_the_first_words():
    text = " ".join(f"word{n:02}x" for n in range(300))
    words = word_beginnings([text], CAREFUL)
    positions = positions_of(choose_skip_grams(words, CAREFUL).values)
    assert (np.diff(positions) >= 0).all()
    assert positions.max() <= 298


def test_a_place_beyond_the_last_is_the_last():
    values = np.arange(16_777_300, dtype=np.uint64) << np.uint64(20) | np.uint64(6)
    words = WordBeginnings(values, np.array([0, len(values)]))
    positions = positions_of(choose_skip_grams(words, CAREFUL).values)
    assert positions.max() == 16_777_215
    assert np.count_nonzero(positions == 16_777_215) > 20


def test_signed_texts_carry_them(tmp_path):
    rng = random.Random(3)
    texts = [" ".join(rng.choices(VOCABULARY, k=80)) for _ in range(5)]
    store = TextStore()
    store.extend(texts)
    store.exclude_spans({2: [SetAside(20, 60)]})
    signed = sign_numbered(store, np.arange(5), CAREFUL)
    expected = choose_skip_grams(
        word_beginnings(texts, CAREFUL, {2: merged([SetAside(20, 60)])}), CAREFUL
    )
    assert signed.skip_grams.values.tolist() == expected.values.tolist()
    taken = signed.take(np.array([4, 2])).skip_grams
    bounds = np.concatenate([[0], np.cumsum(expected.counts)])
    values_of = [expected.values[slice(*bounds[n : n + 2])].tolist() for n in (4, 2)]
    assert taken.values.tolist() == values_of[0] + values_of[1]
    joined = SignedTexts.join([signed, sign_texts([], CAREFUL), signed])
    assert joined.skip_grams.counts.tolist() == 2 * expected.counts.tolist()
    assert no_skip_grams(3).counts.tolist() == [0, 0, 0]


WORDS = [f"w{number}" for number in range(2000)]


def pairs_of(texts, options):
    prints = winnow(shingle(texts, options), options)
    shared = pair_by_fingerprints(prints, np.ones(len(texts), dtype=np.bool_))
    return {(code >> 32, code & 0xFFFFFFFF) for code in shared.codes.tolist()}, shared


@settings(max_examples=60)
@given(SEEDED, st.integers(1, 12), st.integers(0, 40))
def test_no_shared_run_of_t_words_is_missed(rng, k, more):
    """The guarantee: runs of exactly t words, planted anywhere in any documents."""
    t = k + more
    options = ScanSettings(k=k, min_passage=t)
    documents = [rng.choices(WORDS, k=rng.randrange(0, 300)) for _ in range(8)]
    planted = []
    for _ in range(4):
        a, b = sorted(rng.sample(range(8), 2))
        run = rng.choices(WORDS, k=t)
        for document in (a, b):
            position = rng.randrange(len(documents[document]) + 1)
            documents[document][position:position] = run
        planted.append((a, b, " ".join(run) + " "))
    texts = [" ".join(words) + " " for words in documents]

    pairs, _ = pairs_of(texts, options)

    for a, b, run in planted:
        if run in texts[a] and run in texts[b]:  # no later run was planted into it
            assert (a, b) in pairs


def test_characters_have_the_same_guarantee():
    rng = random.Random(5)
    options = ScanSettings(unit="char", k=9, min_passage=8)  # 40 letters
    for _ in range(30):
        run = "".join(rng.choices("abcdefgh", k=40))
        text_before = "".join(rng.choices("abcdefgh", k=rng.randrange(200)))
        text_after = "".join(rng.choices("abcdefgh", k=rng.randrange(200)))
        pairs, _ = pairs_of([text_before + run, run + text_after], options)
        assert pairs == {(0, 1)}


def mixed(rng, count):
    """Pieces of scripts with spaces and without, and what each weighs in words."""
    pieces = []
    while len(pieces) < count:
        kind = rng.randrange(4)
        for _ in range(rng.randrange(1, 25)):
            if kind == 0:
                pieces.append((f" {rng.choice(WORDS)} ", Fraction(1)))
            elif kind == 1:
                pieces.append((chr(rng.randrange(0x30A1, 0x30F0)), Fraction(1, 4)))
            else:
                pieces.append((chr(rng.randrange(0x4E00, 0x4F00)), Fraction(10, 16)))
    return pieces[:count]


def run_of(pieces, words):
    """The first pieces that make so many words."""
    weight = Fraction(0)
    for number, (_, part) in enumerate(pieces, 1):
        weight += part
        if weight >= words:
            return pieces[:number]
    raise AssertionError


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 40))
def test_no_shared_run_of_t_words_is_missed_in_mixed_scripts(seed, k, more):
    rng = random.Random(seed)
    t = k + more
    options = ScanSettings(k=k, min_passage=t, min_resemblance=1.0, compare="bands")
    run = run_of(mixed(rng, 4 * t + 50), t)
    texts = [
        "".join(text for text, _ in mixed(rng, rng.randrange(200)) + run + mixed(rng, 60))
        for _ in range(2)
    ]
    texts.append("".join(text for text, _ in run[:-1]) + " another end")

    found_pairs, _ = pairs_of(texts, options)
    pairs = find_pairs(texts, options)

    assert (0, 1) in found_pairs
    listed = list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
    assert (0, 1) in listed
    assert pairs.run_words[listed.index((0, 1))] >= t


@pytest.mark.parametrize(
    ("characters", "unit", "needed"),
    [
        ("一", "word", 48),
        ("あ", "word", 48),
        ("ア", "word", 120),
        ("ก", "word", 90),
        ("ក", "word", 84),
        ("က", "word", 60),
        ("一", "char", 48),
        ("က", "char", 60),
        ("a", "char", 150),
        ("д", "char", 150),
    ],
)
def test_a_passage_takes_as_many_letters_as_thirty_words_have(characters, unit, needed):
    rng = random.Random(9)
    letters = [chr(ord(characters) + step) for step in range(20)]
    options = ScanSettings(unit=unit, min_resemblance=1.0, compare="bands", reworked="off")

    def listed(length):
        run = "".join(rng.choices(letters, k=length))
        texts = [f"one. {run}. two", f"three. {run}. four"]
        return len(find_pairs([text.replace(".", "§") for text in texts], options))

    assert listed(needed + 8)
    assert not listed(needed - 8)


def test_weighed_grams_are_those_of_alike_words_where_all_are_alike():
    text = " ".join(WORDS[:300])
    options = ScanSettings()
    alone = find_grams(shingle([text], options), options)
    beside = shingle([text, "一" * 60, "short"], options)
    weighed = find_grams(beside, options)

    assert alone.stops is None
    assert weighed.stops is not None
    count = len(alone.hashes)
    assert weighed.hashes[:count].tolist() == alone.hashes.tolist()
    windows = count - alone.window + 1
    assert weighed.stops[:windows].tolist() == list(range(alone.window, count + 1))
    assert (weighed.stops[windows:count] > count).all()
    numbers = np.arange(count)
    assert gram_ends(beside, options, numbers).tolist() == (numbers + 10).tolist()
    assert winnow(beside, options).counts[0] == winnow(shingle([text], options), options).counts[0]


def test_few_shingles_are_kept():
    rng = random.Random(6)
    options = ScanSettings()
    shingles = shingle([" ".join(rng.choices(WORDS, k=50_000))], options)

    kept = len(winnow(shingles, options).values)

    window = find_grams(shingles, options).window
    assert window == 30 - 10 + 1
    assert kept == pytest.approx(2 / (window + 1) * len(shingles.hashes), rel=0.05)


def test_a_text_shorter_than_a_passage_has_no_fingerprints():
    options = ScanSettings()
    prints = winnow(shingle(["", " ".join(WORDS[:29]), " ".join(WORDS[:30])], options), options)
    assert prints.counts.tolist() == [0, 0, 1]


def test_common_text_pairs_nobody_and_is_counted():
    rng = random.Random(7)
    common = rng.choices(WORDS, k=60)
    texts = [" ".join(rng.choices(WORDS, k=50) + common) for _ in range(DOCUMENT_LIMIT + 1)] + [
        " ".join(WORDS[:100])
    ]

    pairs, shared = pairs_of(texts, ScanSettings())
    assert pairs == set()
    assert set(shared.common.holders.tolist()) == set(range(DOCUMENT_LIMIT + 1))
    assert set(shared.common.documents.tolist()) == {DOCUMENT_LIMIT + 1}
    assert set(shared.common.first.tolist()) == {0}

    pairs, shared = pairs_of(texts[:DOCUMENT_LIMIT], ScanSettings())
    assert len(pairs) == DOCUMENT_LIMIT * (DOCUMENT_LIMIT - 1) // 2
    assert len(shared.common.holders) == len(shared.common.keys) == 0


def test_a_fingerprint_that_repeats_within_documents_counts_once():
    regular = " ".join(WORDS[:10] * 500)
    pairs, shared = pairs_of([regular, regular + " end", "other"], ScanSettings())
    assert pairs == {(0, 1)}
    assert shared.codes.tolist() == [1]


def test_documents_that_do_not_take_part_are_left_out():
    text = " ".join(WORDS[:100])
    prints = winnow(shingle([text, text, text], ScanSettings()), ScanSettings())
    assert pair_by_fingerprints(prints, np.array([True, False, True])).codes.tolist() == [2]


def test_fingerprints_are_taken_in_any_order():
    fingerprints = Fingerprints(np.arange(6, dtype=np.uint64), np.array([2, 0, 3, 1]))

    taken = fingerprints.take(np.array([3, 2, 1, 2]))

    assert taken.values.tolist() == [5, 2, 3, 4, 2, 3, 4]
    assert taken.counts.tolist() == [1, 3, 0, 3]
    assert fingerprints.take(np.array([True, True, False, True])).values.tolist() == [0, 1, 5]


def test_fingerprints_are_joined_by_text():
    texts = [" ".join(WORDS[start : start + 80]) for start in (0, 100, 200)]
    options = ScanSettings()
    together = winnow(shingle(texts, options), options)
    apart = Fingerprints.join([winnow(shingle([text], options), options) for text in texts])
    assert together.values.tolist() == apart.values.tolist()


def test_a_page_in_a_long_report_is_listed_and_says_how_it_was_found():
    rng = random.Random(8)
    page = rng.choices(WORDS, k=60)
    report = " ".join(rng.choices(WORDS, k=3000) + page + rng.choices(WORDS, k=3000))
    source = " ".join(rng.choices(WORDS, k=2000) + page)
    both = ["copied " * 40 + "text", "copied " * 40 + "text ending"]

    pairs = find_pairs([report, source, *both], ScanSettings(reworked="off"))

    assert list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)) == [(0, 1), (2, 3)]
    assert pairs.resemblance[0] < 0.02
    assert pairs.longest_run[0] == 60
    assert pairs.found_by.tolist() == [FoundBy.PASSAGE, FoundBy.LSH | FoundBy.PASSAGE]


@pytest.mark.parametrize(
    ("at_once", "pending", "sorted_at_once"), [(1, 0, 1 << 25), (7, 20, 100), (50, 1000, 5)]
)
def test_pairs_do_not_depend_on_how_fingerprints_are_cut(
    at_once, pending, sorted_at_once, monkeypatch
):
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 9, 300)
    values = rng.integers(0, 80, counts.sum()).astype(np.uint64)
    values[rng.random(len(values)) < 0.3] = 81  # in more than 100 documents
    everyone = np.ones(len(counts), dtype=np.bool_)
    uncut = pair_by_fingerprints(Fingerprints(values, counts), everyone)

    monkeypatch.setattr("core.candidates.shared_fingerprints.FINGERPRINTS_AT_ONCE", at_once)
    monkeypatch.setattr("core.candidates.shared_fingerprints.PAIRS_PENDING", pending)
    monkeypatch.setattr("core.candidates.shared_fingerprints.SORTED_AT_ONCE", sorted_at_once)
    cut = pair_by_fingerprints(Fingerprints(values, counts), everyone)

    assert cut.codes.tolist() == uncut.codes.tolist() == sorted(set(uncut.codes.tolist()))
    for column_cut, column_uncut in zip(cut.common, uncut.common, strict=True):
        assert column_cut.tolist() == column_uncut.tolist()
    assert uncut.common.documents.min() > DOCUMENT_LIMIT
