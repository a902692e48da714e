"""The switch to differences: what is marked, named, stepped through, and the same place kept."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest

import core.evidence.differences
from core.base.tasks import stop_if
from core.evidence.differences import find_differences
from core.evidence.pairs import PairFigures
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare, compare_changes
from neardup_gui.models.compare.side import ChangeKind, FoundSpans, display
from neardup_gui.views.compare import view as finding
from neardup_gui.views.compare.highlights import passage_label, passage_title
from neardup_gui.views.compare.view import CompareView, Finder
from neardup_gui.window.actions import Action

NUMBERS = ComparisonNumbers(
    figures=PairFigures(0.5, 0.6, 0.7, longest_run=9, shared_shingles=80, run_words=9)
)


def finding_pair(a, b):
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
        finder.set_comparison(finding_pair(text, ""))
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
    view.show_comparison(finding_pair("An oak. " * 3 + "\n" * 30 + "oak", "no tree"))
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
    view.show_comparison(finding_pair("tree " * 2_000 + "oak " * 10, "oak " * 5))
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
    view.show_comparison(finding_pair("An oak.", ""))
    view.find_text("oak")

    view.show_comparison(finding_pair("No tree.", "One oak and another oak."))

    assert [len(pane._marks.found) for pane in view.panes] == [0, 2]


TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement."
)
BUOY = (
    "Nobody could say when the buoy had been painted green, or by whom, and the harbour master "
    "did not care at all about it."
)


def pair(a, b):
    shared = compare(("a.txt", "b.txt"), (a, b), NUMBERS, [])
    return shared, compare_changes(shared, find_differences(a, b))


def labels(comparison):
    return [(mark.badge, passage_label(mark)) for mark in comparison.marks]


def test_chips_say_the_words_that_were_changed():
    _, changes = pair(
        "An old oak stood here since the war.", "An old elm stood since the great old war."
    )

    assert labels(changes) == [("⇄", "oak → elm"), ("−", "here"), ("+", "great old")]
    assert [passage_title(mark) for mark in changes.marks] == [
        "Exchanged: 1 word in A, 1 word in B",
        "Only in A: 1 word",
        "Only in B: 2 words",
    ]


def test_long_words_are_cut_on_chips():
    _, changes = pair("one", f"one {BUOY}")

    ((_, label),) = labels(changes)
    assert label.endswith("…")
    assert len(label) <= 28


def test_moved_text_is_named_moved_and_has_a_sign_in_the_text():
    _, changes = pair(f"{TREES}\n\n{BUOY}", f"{BUOY}\n\n{TREES}")

    (mark,) = changes.marks
    assert passage_title(mark) == "Moved: 24 words"
    for side in changes.sides:
        start, end = side.badges[0]
        assert side.text.shown[start:end].isspace()
        shown = side.text.shown[slice(*side.extents[0])]
        assert shown == BUOY


def test_what_stands_in_one_text_only_has_a_place_in_the_other():
    _, changes = pair("one two four", "one two three four")
    a, b = changes.sides

    assert a.extents[0] == (7, 7)
    assert b.text.shown[slice(*b.extents[0])] == "three"
    assert changes.alignment.across(0, a.text.shown.index("four")) == b.text.shown.index("four")


def test_exchanged_sides_turn_the_changes():
    _, changes = pair("one two four", "one two three four five")
    turned = changes.swapped()

    assert {mark.kind for mark in changes.marks} == {ChangeKind.ONLY_B}
    assert {mark.kind for mark in turned.marks} == {ChangeKind.ONLY_A}
    assert labels(turned) == [("−", "three"), ("−", "five")]


def test_differences_take_the_place_of_passages_and_give_it_back(view):
    shared, changes = pair(f"{TREES}\n\n" * 60 + "oak", f"{TREES}\n\n" * 60 + "elm")
    view.show_comparison(shared)
    view.panes[0].scroll_to_share(0.5)
    before = view.panes[0].geometry_of_text.line_at(100)[0]

    view.set_differences(True)
    view.show_changes(changes)

    assert view._comparison is changes
    assert view.header._sentence.text().startswith("<b>1 change</b>")
    assert view.panes[0].geometry_of_text.line_at(100)[0] == before
    view.next_passage()
    assert view._steps.current == 0
    view.set_differences(False)
    assert view._comparison.marks == shared.marks
    assert (
        view.header._sentence.text()
        == "No shared passage of about 0 words or more; fewer can be chance."
    )


def test_a_pair_that_is_opened_in_this_mode_shows_its_first_change(view):
    shared, changes = pair("An old oak.", "An old elm.")
    view.set_differences(True)

    view.show_comparison(shared)
    view.show_changes(changes)
    view.next_passage()

    assert view._steps.current == 0


def test_texts_that_differ_in_white_space_only_are_said_to(view):
    shared, changes = pair("An old\noak.", "An  old oak.")
    view.set_differences(True)
    view.show_comparison(shared)

    view.show_changes(changes)

    assert view.header._sentence.text().startswith("No word was changed")
    assert view.header.chips.isHidden()


def test_changes_are_painted(view):
    shared, changes = pair(
        f"one two four\n{TREES}\n\n{BUOY} end", f"one two three four\n{BUOY} end\n\n{TREES}"
    )
    view.set_differences(True)
    view.show_comparison(shared)
    plain = view.panes[0].grab().toImage()

    view.show_changes(changes)

    assert view.panes[0].grab().toImage() != plain


@pytest.fixture
def scanned(window, tmp_path, qtbot):
    folder = tmp_path / "essays"
    folder.mkdir()
    (folder / "one.txt").write_text(TREES)
    (folder / "two.txt").write_text(TREES.replace("three", "four") + " And that was all.")
    (folder / "three.txt").write_text(TREES.replace("April", "May"))
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    return window


def shown(window):
    return window.compare_pane.view._comparison


def test_d_shows_what_was_changed_in_this_pair_and_the_next(scanned, qtbot):
    with qtbot.waitSignal(scanned.presenter.pair.changes_found):
        QTest.keyClick(scanned, Qt.Key.Key_D)
    assert shown(scanned).shows_changes

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        scanned.pages.pairs.table.select_row(1)
    assert shown(scanned).shows_changes
    assert ("⇄", "three → four") in labels(shown(scanned))

    QTest.keyClick(scanned, Qt.Key.Key_X)
    assert ("⇄", "four → three") in labels(shown(scanned))
    QTest.keyClick(scanned, Qt.Key.Key_D)
    assert not shown(scanned).shows_changes


def test_the_link_does_what_the_key_does(scanned, qtbot):
    with qtbot.waitSignal(scanned.presenter.pair.changes_found):
        scanned.compare_pane.view.header._mode.click()

    assert scanned._actions[Action.DIFFERENCES].isChecked()
    assert shown(scanned).shows_changes


def test_finding_changes_stops_when_they_are_not_wanted_any_more(scanned, qtbot, monkeypatch):
    begun, stopped = threading.Event(), threading.Event()

    def wait(_a, _b, cancelled, _passages):
        begun.set()
        while not cancelled():
            pass
        stopped.set()
        stop_if(cancelled)

    monkeypatch.setattr(core.evidence.differences, "find_differences", wait)
    QTest.keyClick(scanned, Qt.Key.Key_D)
    qtbot.waitUntil(begun.is_set)
    QTest.keyClick(scanned, Qt.Key.Key_D)

    qtbot.waitUntil(stopped.is_set)
    assert not shown(scanned).shows_changes
