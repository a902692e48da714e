"""Exact evidence against Counter, sets and difflib."""

from collections import Counter
from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.evidence import overlap
from core.evidence.overlap import count_distinct, find_places, measure_overlap
from core.text.shingling import NO_SHINGLE
from core.text.word_counts import UnitWeights

quick = settings(deadline=None, derandomize=True, max_examples=200)

# Values that meet in one slot of a small hash table are among them.
values = st.sampled_from([0, 1, 2, 16, 17, 32, 2**40, 2**63, 2**64 - 3])
document = st.lists(values, min_size=1, max_size=20)
repetitive = st.builds(lambda unit, times: unit * times, document, st.integers(1, 30))


def stored(documents):
    """Hashes, starts and ends of documents, as the corpus keeps them."""
    bounds = np.cumsum([0, *map(len, documents)], dtype=np.int64)
    hashes = np.array([value for own in documents for value in own], dtype=np.uint64)
    return hashes, bounds[:-1], bounds[1:]


def measure(documents, pairs, *, bag):
    x, y = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    found = measure_overlap(*stored(documents), x, y, bag=bag)
    return list(zip(found.shared.tolist(), found.longest.tolist(), strict=True))


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
    parts = [parts_of(own) for own in documents[:2]]
    for x, y in ((0, 1), (1, 0), (0, 0)):
        one, other = ([value for part in parts[n] for value in part] for n in (x, y))
        longest = max(longest_of(own, theirs) for own in parts[x] for theirs in parts[y])
        with pytest.MonkeyPatch.context() as patch:
            if not matches:
                patch.setattr(overlap, "_measure", mark_all_as_repetitive(overlap._measure))
            assert measure(documents, [(x, y)], bag=bag) == [(shared(one, other, bag=bag), longest)]


def mark_all_as_repetitive(measuring):
    def measured(*arguments):
        measuring(*arguments)
        results = arguments[-1]
        results.longest[results.shared > 0] = overlap.REPETITIVE

    return measured


@quick
@given(st.lists(document, min_size=2, max_size=5), st.booleans(), st.data())
def test_what_pairs_share(documents, bag, data):
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


@pytest.mark.parametrize("bag", [False, True])
def test_many_short_partners_of_a_long_document(bag):
    rng = np.random.default_rng(4)
    long = rng.integers(0, 300, 1000).tolist()
    parts = [long[start : start + 12] for start in rng.integers(0, 980, 40)]
    parts += [[*part[6:], *part[:6]] for part in parts]
    documents = [long, *parts]
    pairs = [(0, number) for number in range(1, len(documents))]

    assert measure(documents, pairs, bag=bag) == [
        (shared(long, part, bag=bag), longest_of(long, part)) for part in parts
    ]


@quick
@given(repetitive, repetitive, st.booleans())
@example([5] * 300, [5] * 280, True)
@example([1, 2] * 150, [2, 1] * 150, False)
def test_what_repetitive_texts_share(a, b, bag):
    assert measure([a, b], [(0, 1)], bag=bag) == [(shared(a, b, bag=bag), longest_of(a, b))]


def alike(values):
    """What shingles weigh that all weigh 1, as the kernels sum it up."""
    return np.repeat(np.arange(len(values) + 1), 2).reshape(-1, 2)


def by_diagonals(own, other, sums=None):
    """The longest run along the diagonals, whatever the number of matches, and its weight."""
    run, run_at = (np.zeros(len(own) + 1, dtype=one) for one in (np.int32, np.int64))
    sums = np.empty((0, 2), dtype=np.int64) if sums is None else sums
    places = find_places(own)
    return overlap.longest_by_diagonals(other, places, run, run_at, np.int64(1), sums)


@quick
@given(repetitive, repetitive)
def test_bisection_finds_what_the_diagonals_find(a, b):
    own, other = np.array(a, dtype=np.uint64), np.array(b, dtype=np.uint64)
    longest = longest_of(a, b)

    assert by_diagonals(own, other) == (longest, longest)
    if longest:
        found = overlap._longest_by_bisection(own, other, alike(own), alike(other))
        assert found == (longest, longest)


@quick
@given(repetitive, repetitive, st.integers(1, 40), st.integers(1, 40))
def test_stretches_of_one_shingle_give_what_bisection_finds(a, b, repeated, again):
    own = np.repeat(np.array(a, dtype=np.uint64), [1 + repeated * (n % 3) for n in range(len(a))])
    other = np.repeat(np.array(b, dtype=np.uint64), [1 + again * (n % 2) for n in range(len(b))])
    parts = (*overlap._stretches(own), *overlap._stretches(other))

    assert np.repeat(parts[0], parts[1]).tolist() == own.tolist()
    assert (parts[0][1:] != parts[0][:-1]).all()
    found = overlap._longest_of_stretches(*parts, alike(own))
    assert found == by_diagonals(own, other)
    if found[0]:
        assert found == overlap._longest_by_bisection(own, other, alike(own), alike(other))


WEIGHTS = {1: 1680, 2: 1680, 3: 1050, 4: 420}
weighed = st.lists(st.sampled_from([1, 2, 3, 3, 4]), min_size=1, max_size=14)


def weights_of(documents, k):
    units = np.array([len(own) for own in documents])
    weights = np.array([WEIGHTS[unit] for own in documents for unit in own], dtype=np.uint16)
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
    shingles = [shingled(own, k) for own in documents]
    x, y = np.array([0, 0, 2]), np.array([1, 2, 0])

    weights = weights_of(documents, k)
    found = measure_overlap(*stored(shingles), x, y, bag=False, weights=weights)

    expected = [
        heaviest_run(documents[one], documents[other], k) for one, other in zip(x, y, strict=True)
    ]
    assert found.longest.tolist() == [length for _, length in expected]
    assert found.words.tolist() == [weight // 1680 for weight, _ in expected]


@quick
@given(weighed, weighed, st.integers(1, 4))
def test_all_ways_find_the_run_of_most_words(a, b, k):
    documents = [a * 3, b * 3]
    own, other = (np.array(shingled(one, k), dtype=np.uint64) for one in documents)
    weights = weights_of(documents, k)
    sums = [
        overlap.weigh_shingles(weights, number, len(one), 0)
        for number, one in enumerate((own, other))
    ]
    weight, length = heaviest_run(*documents, k)

    assert by_diagonals(own, other, sums[0]) == (length, weight)
    parts = (*overlap._stretches(own), *overlap._stretches(other))
    assert overlap._longest_of_stretches(*parts, sums[0]) == (length, weight)
    if length:
        assert overlap._longest_by_bisection(own, other, *sums) == (length, weight)


def test_runs_are_counted_in_words_where_all_units_weigh_the_same():
    weights = UnitWeights(
        5, 336, np.array([20, 20, 3]), np.empty(0, dtype=np.uint16), np.full(3, -1)
    )
    shingles = [list(range(16)), [*range(8), *range(100, 108)], [99]]

    x, y = np.array([0, 0, 2]), np.array([0, 1, 2])
    found = measure_overlap(*stored(shingles), x, y, bag=False, weights=weights)

    assert found.longest.tolist() == [16, 8, 1]
    assert found.words.tolist() == [20 // 5, 12 // 5, 3 // 5]


def thue_morse(length, swapped):
    return [(place.bit_count() + swapped) % 2 for place in range(length)]


def test_windows_of_regular_texts_do_not_collide():
    """A polynomial mod 2^64 finds a longer run here, whatever its factor."""
    a = [0] * 20_000 + thue_morse(4096, swapped=0)
    b = thue_morse(4096, swapped=1) + [1] * 20_000

    [(_, longest)] = measure([a, b], [(0, 1)], bag=False)

    one, other = "".join(map(str, a)), "".join(map(str, b))
    assert any(other[i : i + longest] in one for i in range(4096))
    assert not any(other[i : i + longest + 1] in one for i in range(4096))


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

    assert [found[1] for found in measure([a, b], [(0, 1), (1, 0)], bag=False)] == [longest] * 2


def test_long_repetitive_texts_take_another_way():
    a, b = [7] * 300, [7] * 250
    assert len(a) * len(b) > overlap.MATCHES_PER_SHINGLE * (len(a) + len(b))

    assert measure([a, b], [(0, 1)], bag=False) == [(1, 250)]
    assert measure([a, b], [(0, 1)], bag=True) == [(250, 250)]


def test_a_megabyte_of_one_word_is_quick():
    a, b = [7] * 200_000, [7] * 150_000 + [8]

    assert measure([a, b], [(0, 1)], bag=True) == [(150_000, 150_000)]


@quick
@given(st.lists(st.lists(values, max_size=20), min_size=1, max_size=5))
def test_distinct_shingles_are_counted(documents):
    assert count_distinct(*stored(documents)).tolist() == [len(set(own)) for own in documents]


def test_no_pairs():
    assert measure([[1]], [], bag=False) == []


@pytest.mark.parametrize("bag", [False, True])
def test_compiled_and_plain_kernels_agree(bag):
    documents = stored([[1, 2, 3, 1, 2], [3, 1, 2, 9], [17, 1, 33, 2], [2] * 300, [2, 3] * 200])
    x = np.array([0, 0, 1, 3, 3])
    y = np.array([1, 2, 2, 4, 3])
    units = documents[2] - documents[1]
    usual = UnitWeights(1, 1680, units, np.empty(0, dtype=np.uint16), np.full(len(units), -1))
    results = []
    for kernel in (overlap._measure, overlap._measure.py_func):
        found = overlap.Overlap(*np.zeros((3, len(x)), dtype=np.int32))
        with np.errstate(over="ignore"):
            kernel(*documents, usual, x, y, bag, found)
        results.append([column.tolist() for column in found])

    assert results[0] == results[1]
