"""Exact evidence against Counter, sets and difflib."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.base.hashing import different_of_each
from core.evidence import overlap
from core.evidence.overlap import (
    are_same,
    figures_of,
    longest_of_repetitive,
    measure_overlap,
    numbers_of_shingles,
)
from core.evidence.store import EvidenceStore
from core.scan.lister import PairLister
from core.scan.query import TextIndex
from core.settings import ScanSettings
from core.signatures.winnowing import choose, find_grams
from core.text.set_aside import SetAside
from core.text.shingling import NO_SHINGLE, shingle
from core.text.store import TextStore
from core.text.word_counts import WORD, UnitWeights
from tests.pairs import corpus_of, pairs_with

numbers_quick = settings(derandomize=True, max_examples=40)

SETTINGS = [
    ScanSettings(k=2, min_resemblance=0),
    ScanSettings(k=2, bag=True, min_resemblance=0),
    ScanSettings(unit="char", k=3, min_resemblance=0),
    ScanSettings(k=3, signature="simhash", max_distance=8, min_resemblance=0),
]
words = st.sampled_from(["one", "two", "three", "漢字", "カナ", "ภาษา", "a"])
text = st.lists(words, min_size=1, max_size=60).map(" ".join)


@pytest.mark.parametrize("options", SETTINGS)
@numbers_quick
@given(st.data())
def test_either_text_may_come_first(options, data):
    """The table is made of the first one; which of two equally long ones it is, is chance."""
    first_text, second_text = data.draw(text), data.draw(text)
    shingles = shingle([first_text, second_text], options)
    first, second = np.array([0]), np.array([1])

    figures = numbers_of_shingles(shingles, first, second, options).figures(0)
    back = numbers_of_shingles(shingles, second, first, options).figures(0)

    assert back == figures._replace(
        containment_a=figures.containment_b, containment_b=figures.containment_a
    )


@pytest.mark.parametrize("options", SETTINGS)
@numbers_quick
@given(st.lists(text, min_size=2, max_size=6, unique=True))
def test_a_list_a_query_and_a_pair_alone_agree(options, texts):
    with ThreadPoolExecutor(1) as pool:
        corpus = corpus_of(texts, options, pool)
        pairs = PairLister(corpus).list_pairs(options).pairs
        listed = {
            (a, b): pairs.figures(row)
            for row, (a, b) in enumerate(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
        }
        index = TextIndex(corpus, options)
        for number, text in enumerate(texts):
            matches = index.matches(text)
            for row, document in enumerate(matches.b.tolist()):
                if (number, document) in listed:
                    figures = listed[number, document]
                    assert figures[:6] == matches.figures(row)[:6]
    for (a, b), figures in listed.items():
        assert are_same(figures, figures_of(texts[a], texts[b], options))


def test_texts_without_words_share_nothing():
    figures = figures_of("", "", ScanSettings())
    assert (figures.resemblance, figures.shared_shingles, figures.longest_run) == (0, 0, 0)
    assert figures_of("", "one two three", ScanSettings()).containment_b == 0


SENTENCE = "the keeper of the lamp wrote down what ships had passed and which of them came back "
TEXTS = (
    SENTENCE * 3,
    "燈塔的看守人寫下哪些船經過了哪些船又回來了" * 3,
    "two words",
    "",
    f"a lamp {SENTENCE * 2} 看守人寫下哪些船經過了 {SENTENCE}",
)
SPANS = {0: [SetAside(40, 90)], 2: [SetAside(0, 3)], 4: [SetAside(7, 60), SetAside(200, 220)]}


def _store(settings, pool, spans):
    texts = TextStore()
    texts.extend(TEXTS)
    texts.exclude_spans(spans)
    return texts, EvidenceStore(settings, texts, pool)


@pytest.mark.parametrize("spans", [{}, SPANS], ids=["whole", "set aside"])
@pytest.mark.parametrize("unit", ["word", "char"])
def test_kept_shingles_are_those_that_are_made(pool, unit, spans):
    settings = ScanSettings(unit=unit, k=5)
    texts, evidence = _store(settings, pool, spans)
    evidence.shingles(np.array([4, 0, 2, 3, 1]))
    for numbers in ([0, 1, 2, 3, 4], [4, 1], [2, 0], [3], []):
        rows = np.array(numbers, dtype=np.int64)
        kept, made = evidence.kept_shingles(rows), texts.shingles(rows, settings)
        for kept_column, made_column in zip(kept[:4], made[:4], strict=True):
            assert np.array_equal(kept_column, made_column)
        chosen = [choose(find_grams(shingles, settings)) for shingles in (kept, made)]
        for kept_column, made_column in zip(*chosen, strict=True):
            assert np.array_equal(kept_column, made_column)


def test_shingles_that_were_not_made_are_not_kept(pool):
    _, evidence = _store(ScanSettings(), pool, {})
    evidence.shingles(np.array([0, 1]))
    assert evidence.kept_shingles(np.array([1, 2])) is None
    assert evidence.kept_shingles(np.array([1])) is not None


def make_pairs(rows):
    """Pairs from (a, b, resemblance, longest run)."""
    a, b, resemblance, longest = zip(*rows, strict=True)
    return pairs_with(a, b, resemblance=resemblance, longest_run=longest)


ROWS = [(0, 1, 0.2, 9), (0, 2, 0.9, 3), (1, 2, 0.9, 7), (0, 3, 0.9, 3), (2, 3, 1.0, 1)]


def keys(pairs):
    return list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def test_ranking_is_by_resemblance_then_run_then_names():
    ranked = make_pairs(ROWS).take(np.array([4, 2, 0, 1, 3])).ranked()

    assert keys(ranked) == [(2, 3), (1, 2), (0, 2), (0, 3), (0, 1)]
    assert ranked.resemblance.tolist() == [1.0, 0.9, 0.9, 0.9, 0.2]
    assert ranked.longest_run.tolist() == [1, 7, 3, 3, 9]


quick = settings(derandomize=True, max_examples=200)

# Values that meet in one slot of a small hash table are among them.
values = st.sampled_from([0, 1, 2, 16, 17, 32, 2**40, 2**63, 2**64 - 3])
document = st.lists(values, min_size=1, max_size=20)
repetitive = st.builds(lambda unit, times: unit * times, document, st.integers(1, 30))


def stored(documents):
    """Hashes, starts and ends of documents, as the corpus keeps them."""
    bounds = np.cumsum([0, *map(len, documents)], dtype=np.int64)
    hashes = np.array([value for document in documents for value in document], dtype=np.uint64)
    return hashes, bounds[:-1], bounds[1:]


def measure(documents, pairs, *, bag):
    x, y = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    overlap = measure_overlap(*stored(documents), x, y, bag=bag)
    return list(zip(overlap.shared.tolist(), overlap.longest.tolist(), strict=True))


def shared(a, b, *, bag):
    return (Counter(a) & Counter(b)).total() if bag else len({*a} & {*b})


def longest_of(a, b):
    return SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size


def parts_of(document):
    """What lies between gaps."""
    parts = [[]]
    for value in document:
        if value == NO_SHINGLE:
            parts.append([])
        else:
            parts[-1].append(value)
    return parts


@quick
@given(
    st.lists(st.lists(st.one_of(values, st.just(int(NO_SHINGLE))), max_size=30), min_size=2),
    st.booleans(),
    st.sampled_from([0, 64]),
)
def test_gaps_are_not_shared_and_end_runs(documents, bag, matches):
    """Also where a pair is found to be repetitive, and of a document with itself."""
    parts = [parts_of(document) for document in documents[:2]]
    for x, y in ((0, 1), (1, 0), (0, 0)):
        values_x, values_y = ([value for part in parts[n] for value in part] for n in (x, y))
        longest = max(longest_of(part, other_part) for part in parts[x] for other_part in parts[y])
        with pytest.MonkeyPatch.context() as patch:
            if not matches:
                patch.setattr(overlap, "_measure", mark_all_as_repetitive(overlap._measure))
            assert measure(documents, [(x, y)], bag=bag) == [
                (shared(values_x, values_y, bag=bag), longest)
            ]


def mark_all_as_repetitive(measuring):
    def measured(*arguments):
        measuring(*arguments)
        results = arguments[-1]
        results.longest[results.shared > 0] = overlap.REPETITIVE

    return measured


@quick
@given(st.lists(document, min_size=2, max_size=5), st.booleans(), st.data())
def test_pairs_have_their_shared_shingles_and_longest_run(documents, bag, data):
    number = st.integers(0, len(documents) - 1)
    pairs = data.draw(st.lists(st.tuples(number, number), min_size=1, max_size=8))

    expected = [
        (shared(documents[x], documents[y], bag=bag), longest_of(documents[x], documents[y]))
        for x, y in pairs
    ]

    assert measure(documents, pairs, bag=bag) == expected
    assert measure(documents, sorted(pairs), bag=bag) == [
        expected[pairs.index(pair)] for pair in sorted(pairs)
    ]


@quick
@given(repetitive, repetitive, st.booleans())
@example([5] * 300, [5] * 280, True)
@example([1, 2] * 150, [2, 1] * 150, False)
def test_what_repetitive_texts_share(a, b, bag):
    assert measure([a, b], [(0, 1)], bag=bag) == [(shared(a, b, bag=bag), longest_of(a, b))]


def every_way(values_a, values_b, weights):
    """The longest run and its weight: along diagonals, along those of stretches, by bisection."""
    documents = stored([values_a, values_b])
    x, y = np.array([0]), np.array([1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap, "MATCHES_PER_SHINGLE", 1 << 30)
        measured = measure_overlap(*documents, x, y, bag=False, weights=weights)
        yield int(measured.longest[0]), int(measured.words[0])
        values_a, values_b = (np.array(values, dtype=np.uint64) for values in (values_a, values_b))
        for matches in (1 << 30, 0):
            patch.setattr(overlap, "MATCHES_PER_SHINGLE", matches)
            length, weight = longest_of_repetitive(values_a, values_b, weights, 0, 1)
            yield length, weight // WORD


def unweighed(*documents):
    sizes = np.array([len(document) for document in documents])
    return UnitWeights(1, WORD, sizes, np.empty(0, dtype=np.uint16), np.full(len(sizes), -1))


@quick
@given(repetitive, repetitive, st.integers(0, 9), st.integers(0, 9))
def test_all_ways_find_the_longest_run(a, b, repeated, again):
    values_a = [value for n, value in enumerate(a) for _ in range(1 + repeated * (n % 3))]
    values_b = [value for n, value in enumerate(b) for _ in range(1 + again * (n % 2))]
    longest = longest_of(values_a, values_b)

    if longest:
        ways = every_way(values_a, values_b, unweighed(values_a, values_b))
        assert list(ways) == [(longest, longest)] * 3


WEIGHTS = {1: 1680, 2: 1680, 3: 1050, 4: 420}
weighed = st.lists(st.sampled_from([1, 2, 3, 3, 4]), min_size=1, max_size=14)


def weights_of(documents, k):
    units = np.array([len(document) for document in documents])
    weights = np.array(
        [WEIGHTS[unit] for document in documents for unit in document], dtype=np.uint16
    )
    return UnitWeights(k, 1680, units, weights, np.cumsum(units) - units)


def shingled(document, k):
    """A number for every shingle; a document shorter than k is one."""
    if len(document) < k:
        return [hash(("short", *document)) % 2**60]
    return [
        hash(tuple(document[start : start + k])) % 2**60 for start in range(len(document) - k + 1)
    ]


def heaviest_run(a, b, k):
    """Weight and shingles of the heaviest common run of k units or more, by brute force."""
    if min(len(a), len(b)) < k:
        return (sum(WEIGHTS[unit] for unit in a), 1) if a == b else (0, 0)
    runs = {tuple(b[start:end]) for start in range(len(b)) for end in range(start + k, len(b) + 1)}
    common = [
        (sum(WEIGHTS[unit] for unit in a[start:end]), end - start - k + 1)
        for start in range(len(a))
        for end in range(start + k, len(a) + 1)
        if tuple(a[start:end]) in runs
    ]
    return max(common, default=(0, 0))


@quick
@given(weighed, weighed, st.integers(1, 4), st.integers(1, 6))
def test_the_run_of_most_words_is_found(a, b, k, times):
    documents = [a * times, b, b * times]
    shingles = [shingled(document, k) for document in documents]
    x, y = np.array([0, 0, 2]), np.array([1, 2, 0])

    weights = weights_of(documents, k)
    overlap = measure_overlap(*stored(shingles), x, y, bag=False, weights=weights)

    expected = [heaviest_run(documents[a], documents[b], k) for a, b in zip(x, y, strict=True)]
    assert overlap.longest.tolist() == [length for _, length in expected]
    assert overlap.words.tolist() == [weight // 1680 for weight, _ in expected]


@quick
@given(weighed, weighed, st.integers(1, 4))
def test_all_ways_find_the_run_of_most_words(a, b, k):
    documents = [a * 3, b * 3]
    weight, length = heaviest_run(*documents, k)

    if length:
        ways = every_way(
            *(shingled(document, k) for document in documents), weights_of(documents, k)
        )
        assert list(ways) == [(length, weight // WORD)] * 3


def test_runs_are_counted_in_words_where_all_units_weigh_the_same():
    weights = UnitWeights(
        5, 336, np.array([20, 20, 3]), np.empty(0, dtype=np.uint16), np.full(3, -1)
    )
    shingles = [list(range(16)), [*range(8), *range(100, 108)], [99]]

    x, y = np.array([0, 0, 2]), np.array([0, 1, 2])
    overlap = measure_overlap(*stored(shingles), x, y, bag=False, weights=weights)

    assert overlap.longest.tolist() == [16, 8, 1]
    assert overlap.words.tolist() == [20 // 5, 12 // 5, 3 // 5]


def thue_morse(length, swapped):
    return [(index.bit_count() + swapped) % 2 for index in range(length)]


def test_windows_of_regular_texts_do_not_collide():
    """A polynomial mod 2^64 finds a longer run here, whatever its factor."""
    a = [0] * 20_000 + thue_morse(4096, swapped=0)
    b = thue_morse(4096, swapped=1) + [1] * 20_000

    [(_, longest)] = measure([a, b], [(0, 1)], bag=False)

    letters_a, letters_b = "".join(map(str, a)), "".join(map(str, b))
    assert any(letters_b[i : i + longest] in letters_a for i in range(4096))
    assert not any(letters_b[i : i + longest + 1] in letters_a for i in range(4096))


@pytest.mark.parametrize(
    ("a", "b", "longest"),
    [
        ([7] * 5000 + [8] * 3000, [7] * 4000 + [8] * 5000, 7000),
        ([7] * 5000 + [8] * 3000 + [9], [7] * 5000 + [8] * 2000 + [9] * 9, 7000),
        ([1, *[7] * 5000, 2], [1, *[7] * 4999, 2], 5000),
        ([1] * 4000 + [7] * 5000 + [2] * 4000, [1] * 9 + [7] * 5000 + [2] * 9, 5018),
    ],
)
def test_runs_over_stretches_of_one_word(a, b, longest):
    assert len(a) * len(b) > overlap.MATCHES_PER_SHINGLE * (len(a) + len(b))

    assert [run[1] for run in measure([a, b], [(0, 1), (1, 0)], bag=False)] == [longest] * 2


def test_a_megabyte_of_one_word_is_quick():
    a, b = [7] * 200_000, [7] * 150_000 + [8]

    assert measure([a, b], [(0, 1)], bag=True) == [(150_000, 150_000)]


@quick
@given(st.lists(st.lists(values, max_size=20), min_size=1, max_size=5))
def test_distinct_shingles_are_counted(documents):
    hashes, starts, ends = stored(documents)
    values, offsets = different_of_each(hashes, np.append(starts, ends[-1:]))
    distinct = [values[first:end].tolist() for first, end in pairwise(offsets)]
    assert distinct == [list(dict.fromkeys(document)) for document in documents]


def test_no_pairs():
    assert measure([[1]], [], bag=False) == []
