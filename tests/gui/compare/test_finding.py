"""Finding: every place is marked in the texts and on the rulers, long texts hold nothing up."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject

from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.models.compare.side import FoundSpans, display
from neardup_gui.views.compare import view as finding
from neardup_gui.views.compare.view import CompareView, Finder

NUMBERS = ComparisonNumbers(
    resemblance=0.5, containment_a=0.6, containment_b=0.7, longest_run=9, shared=80
)


def pair(a, b):
    return compare(("a.txt", "b.txt"), (a, b), NUMBERS, [])


@pytest.fixture
def view(qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    with qtbot.waitExposed(view):
        view.show()
    return view


def places(finder):
    return [
        list(zip(*both, strict=True)) for both in zip(finder._starts, finder._ends, strict=True)
    ]


@given(
    st.lists(st.sampled_from(["oak", "OAK", " ", "\n", "old", "😀", "   \t\n  "]), max_size=40).map(
        "".join
    ),
    st.sampled_from(["oak", "old oak", "k o", "😀", "oak oak"]),
    st.integers(1, 7),
)
def test_parts_find_what_the_whole_finds(text, phrase, part):
    parent = QObject()
    finder = Finder(parent)
    before, finding.PART = finding.PART, part
    try:
        finder.set_comparison(pair(text, ""))
        finder.find(phrase)
        while finder._search is not None:
            finder._go_on()
    finally:
        finding.PART = before

    pattern = r"\s+".join(map(re.escape, phrase.split()))
    assert places(finder)[0] == [
        match.span() for match in re.finditer(pattern, text, re.IGNORECASE)
    ]


@given(st.text(st.sampled_from("ab😀\n\f 𠮷é"), min_size=1, max_size=60), st.data())
def test_found_spans_are_where_the_letters_are(source, data):
    text, _ = display(source, [(0, 3)])
    start = data.draw(st.integers(0, len(source) - 1))
    end = data.draw(st.integers(start + 1, len(source)))

    found = FoundSpans.of(text, [start], [end])

    assert list(found.between(0, text.length + 1)) == [text.span(start, end)]


def test_rows_of_the_ruler():
    found = FoundSpans(np.array([0, 50, 99]), np.array([3, 52, 100]))

    assert np.flatnonzero(found.rows(100, 10)).tolist() == [0, 5, 9]


def test_every_place_is_marked_in_texts_and_on_rulers(view, qtbot):
    view.show_comparison(pair("An oak. " * 3 + "\n" * 30 + "oak", "no tree"))
    texts = view._texts
    before = [part.grab().toImage() for part in (*texts.panes, *texts.rulers)]

    with qtbot.waitSignal(view.found) as found:
        view.find_text("oak")

    assert found.args == [1, 4, True]
    after = [part.grab().toImage() for part in (*texts.panes, *texts.rulers)]
    assert [one != other for one, other in zip(before, after, strict=True)] == [
        True, False, True, False,
    ]  # fmt: skip
    view.find_text("")
    assert [len(pane._marks.found) for pane in texts.panes] == [0, 0]


def test_a_long_text_is_searched_bit_by_bit(view, qtbot, monkeypatch):
    monkeypatch.setattr(finding, "FINDING_AT_ONCE", 0)
    monkeypatch.setattr(finding, "PART", 1_000)
    view.show_comparison(pair("tree " * 2_000 + "oak " * 10, "oak " * 5))
    counts = []
    view.found.connect(lambda *told: counts.append(told))

    view.find_text("oak")
    assert counts == []
    qtbot.waitUntil(lambda: bool(counts) and counts[-1][2])

    assert counts[-1] == (1, 15, True)
    assert any(not all_known for *_, all_known in counts)
    view.find_previous()
    assert counts[-1] == (15, 15, True)


def test_the_phrase_is_marked_in_the_next_pair_too(view):
    view.show_comparison(pair("An oak.", ""))
    view.find_text("oak")

    view.show_comparison(pair("No tree.", "One oak and another oak."))

    assert [len(pane._marks.found) for pane in view.panes] == [0, 2]
