"""What the compare view is given: positions, hues and the alignment of two texts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.passage import Run
from core.evidence.passages import Passage
from core.text.disguises import find_disguise_marks
from neardup_gui.models.compare.comparison import (
    HUES,
    Alignment,
    Comparison,
    ComparisonNumbers,
    compare,
)
from neardup_gui.models.compare.side import LONGEST_LINE, Spans, display

NUMBERS = ComparisonNumbers(
    resemblance=0.5, containment_a=0.6, containment_b=0.7, longest_run=9, shared=80
)
LETTERS = st.one_of(
    st.characters(),
    st.sampled_from("\r\n\t \u2028\u2029\x00\x0c\x85\u00a0\ufffc\ufdd0\ufeff\u202e😀𠮷שم"),
)
TEXTS = st.one_of(
    st.text(LETTERS, max_size=80),
    st.builds(
        lambda part, times, end: part * times + end,
        st.text(LETTERS, min_size=1, max_size=9),
        st.integers(1, 1500),
        st.text(LETTERS, max_size=9),
    ),
)


def units(text: str) -> bytes:
    return text.encode("utf-16-le")


def shown(text: str, start: int, end: int) -> str:
    return units(text)[2 * start : 2 * end].decode("utf-16-le")


@given(TEXTS, st.data())
def test_display_positions_hold_every_code_point(source, data):
    places = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=5)))
    text, rooms = display(source, [(place, number) for number, place in enumerate(places, 1)])
    assert len(units(text.shown)) == 2 * text.length
    for index, letter in enumerate(source[:200]):
        piece = shown(text.shown, *text.span(index, index + 1))
        assert len(piece) == 1
        assert piece == letter or not letter.isprintable() or letter == "\ufffc"
    for start, end in rooms:
        assert set(shown(text.shown, start, end)) == {"\u00a0"}


@given(TEXTS, st.data())
def test_a_selection_gives_back_its_source(source, data):
    text, _ = display(source, [(0, 1)])
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    first, last = text.source_span(*text.span(start, end))
    assert source[first:last] == source[start:end]


@given(TEXTS)
def test_nothing_is_shown_that_a_text_widget_would_change(source):
    text, _ = display(source, [])
    assert not set(text.shown) & set("\r\x00\x0b\x0c\x1c\x85\u2028\u2029\ufffc\ufdd0\ufdd1\ufffe")
    assert all(len(line) <= LONGEST_LINE for line in text.shown.split("\n"))


def test_long_lines_are_broken_after_a_space():
    text, _ = display("word " * 3000, [])
    lines = text.shown.split("\n")
    assert len(lines) > 3
    assert all(line.endswith(" ") for line in lines[:-1])


def test_a_lone_surrogate_is_shown_as_unknown():
    text, _ = display("a\ud800b", [])
    assert text.shown == "a\ufffdb"


def chain(starts_b: list[int], moved: set[int] = frozenset()) -> Comparison:
    """Passages of ten letters every twenty in A, and where they are told in B."""
    passages = [
        Passage(
            20 * i, 20 * i + 10, b, b + 10, 3, (Run(20 * i, 20 * i + 10, b, b + 10, 3),), i in moved
        )
        for i, b in enumerate(starts_b)
    ]
    length = 20 * len(starts_b) + 20
    return compare(("a.txt", "b.txt"), ("x" * length, "y" * length), NUMBERS, passages)


@given(st.permutations(range(12)))
def test_neighbours_never_have_the_same_hue(order):
    comparison = chain([20 * place for place in order])
    for side in comparison.sides:
        for one, other in pairwise(side.order):
            assert comparison.marks[one].hue != comparison.marks[other].hue
    assert all(0 <= mark.hue < HUES for mark in comparison.marks)


def test_starts_of_passages_stand_opposite():
    comparison = chain([0, 40, 60, 20], moved={3})
    a, b = comparison.sides
    for passage in (0, 1, 2):
        start_a, start_b = a.extents[passage][0], b.extents[passage][0]
        assert comparison.alignment.across(0, start_a) == start_b
        assert comparison.alignment.across(1, start_b) == start_a
    moved_a, moved_b = a.extents[3][0], b.extents[3][0]
    assert comparison.alignment.across(0, moved_a) != moved_b
    assert comparison.within[3].across(0, moved_a) == moved_b


def test_an_introduction_has_nothing_opposite():
    run = Run(0, 50, 500, 550, 9)
    passage = Passage(0, 50, 500, 550, 9, (run,))
    comparison = compare(("a", "b"), ("x" * 90, "y" * 700), NUMBERS, [passage])
    a, b = comparison.sides
    assert comparison.alignment.across(0, a.extents[0][0]) == b.extents[0][0]
    assert comparison.alignment.across(1, 100) < a.extents[0][0]


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), min_size=1))
def test_alignment_rises(points):
    ends = zip(sorted(a for a, _ in points), sorted(b for _, b in points), strict=True)
    alignment = Alignment([(0, 0), *ends, (100, 100)])
    across = [alignment.across(0, position) for position in range(101)]
    assert across == sorted(across)
    assert across[0] >= 0
    assert across[-1] == 100


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(1, 30)), max_size=20),
    st.integers(0, 80),
    st.integers(1, 20),
)
def test_spans_between_are_those_that_overlap(spans, low, length):
    triples = [(start, start + size, index) for index, (start, size) in enumerate(spans)]
    found = {owner for *_, owner in Spans(triples).between(low, low + length)}
    assert found == {i for start, end, i in triples if start < low + length and end > low}


def test_swapping_exchanges_sides_and_numbers():
    comparison = chain([40, 0])
    swapped = comparison.swapped()
    assert swapped.sides == (comparison.sides[1], comparison.sides[0])
    assert swapped.numbers.containment_a == NUMBERS.containment_b
    assert swapped.marks == comparison.marks
    assert swapped.sides[0].order == (1, 0)
    start_a, start_b = (side.extents[0][0] for side in swapped.sides)
    assert swapped.within[0].across(0, start_a) == start_b


@pytest.mark.parametrize("texts", [("", ""), ("", "some text"), ("\n", "\u2028")])
def test_texts_without_passages(texts):
    comparison = compare(("a", "b"), texts, NUMBERS, [])
    assert comparison.marks == ()
    assert comparison.alignment.across(0, 5) <= comparison.sides[1].text.length


def test_what_a_reader_does_not_see_is_marked_where_it_is_shown():
    texts = ("\U00010400 the pаper", "so\u00adft and hard")
    marked = (find_disguise_marks(texts[0]), find_disguise_marks(texts[1]))

    comparison = compare(("a", "b"), texts, NUMBERS, [], marked=marked)

    for side, text, span in zip(comparison.sides, texts, ("а", "o\u00adf"), strict=True):
        ((start, end, number),) = side.disguises.between(0, side.text.length)
        assert side.text.source_span(start, end) == (text.index(span), text.index(span) + len(span))
        assert text[side.marked[number].start : side.marked[number].end] == span
