"""What the compare view is given: positions, hues and the alignment of two texts."""

import re
import threading
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QTextLayout
from PySide6.QtTest import QTest

import core.evidence.differences
from core.base.messages import in_language, load_language
from core.base.tasks import is_cancelled, stop_if_cancelled
from core.evidence.differences import find_differences
from core.evidence.pairs import PairFigures
from core.evidence.passage import Exchange, Run
from core.evidence.passages import Passage
from core.text import lines_and_phrases
from core.text.disguise_marks import find_disguise_marks
from neardup_gui.models.compare.comparison import (
    HUES,
    Alignment,
    Comparison,
    ComparisonNumbers,
    compare,
    compare_changes,
)
from neardup_gui.models.compare.side import LONGEST_LINE, ChangeKind, FoundSpans, Spans, display
from neardup_gui.models.pairs.columns import PairFilter
from neardup_gui.views.compare import view as finding
from neardup_gui.views.compare.chips import PassageList
from neardup_gui.views.compare.header import WhyPanel
from neardup_gui.views.compare.highlights import (
    exchange_title,
    passage_label,
    passage_line,
    passage_sentence,
    passage_title,
)
from neardup_gui.views.compare.view import CompareView
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.views.widgets.pictures import SignaturePicture
from neardup_gui.window.actions import Action
from tests.texts import folder_with

NUMBERS = ComparisonNumbers(
    figures=PairFigures(0.5, 0.6, 0.7, longest_run=9, shared_shingles=80, run_words=9)
)
TEXT = "The pаper was reаd to\u3164all of us, and it was wel\u200b\u200bcome."


def pair_of_marks(marks):
    return compare(("a.txt", "b.txt"), (TEXT, "nothing"), NUMBERS, [], marked=(marks, ()))


def test_marks_are_described(view):
    view.show_comparison(pair_of_marks(find_disguise_marks(TEXT)))
    pane, side = view.panes[0], view._comparison.sides[0]

    titles = [pane._marks.title_at(start) for start in side.disguises.starts]
    assert titles == [
        "Not what it seems: Cyrillic а.",
        "Not what it seems: Cyrillic а.",
        "Not what it seems: hangul filler.",
        "Not what it seems: zero width space, and 1 more here.",
    ]
    with in_language(load_language("de")):
        assert "kyrillisches а" in pane._marks.title_at(side.disguises.starts[0])
        assert "breitenloses Leerzeichen" in pane._marks.title_at(side.disguises.starts[-1])
    assert pane._marks.title_at(side.text.shown.index("us")) == ""
    assert pane.accessibleDescription() == (
        "4 marks of what is not seen: 2 × letter of another script, 1 × blank that is no space, "
        "2 × invisible character"
    )
    assert view.panes[1].accessibleDescription() == ""


def test_frames_are_drawn(view):
    view.show_comparison(pair_of_marks(()))
    plain = view.panes[0].grab().toImage()

    view.show_comparison(pair_of_marks(find_disguise_marks(TEXT)))

    assert view.panes[0].grab().toImage() != plain


A = "the old mayor opened two bridges"
B = "an old major opens two bridges again"
EXCHANGES_NUMBERS = ComparisonNumbers(
    figures=PairFigures(0.5, 0.5, 0.5, longest_run=2, shared_shingles=9, run_words=2)
)


def exchanges_pair(**changes):
    runs = (Run(4, 7, 3, 6, 1), Run(21, 32, 19, 30, 2))
    exchanges = (Exchange(8, 13, 7, 12), Exchange(14, 20, 13, 18, near=True))
    values = {
        "a_tokens": 5,
        "b_tokens": 5,
        "near": 1,
        "exchanged": 1,
        "exchanges": exchanges,
        "chance": "no other of the 45 pairs of different texts has as strong a passage",
    }
    passage = Passage(4, 32, 3, 30, 3, runs, **(values | changes))
    return compare(("a.txt", "b.txt"), (A, B), EXCHANGES_NUMBERS, [passage])


@pytest.fixture
def exchanges_view(qtbot):
    shown = CompareView()
    shown.show_comparison(exchanges_pair())
    return qtbot.shown(shown, 1200, 600)


def test_a_passage_says_what_became_of_its_words_where_the_finding_does_not():
    comparison = exchanges_pair()
    (mark,) = comparison.marks
    chance = "no other of the 45 pairs of different texts has as strong a passage"
    words = "5 words in A, 5 in B · 3 the same, 1 in another form, 1 exchanged"

    assert passage_sentence(comparison, 0) == chance  # the finding is about this passage alone
    two = replace(comparison, marks=(mark, mark))
    assert passage_sentence(two, 0) == f"Passage {mark.number} of 2 · {words} · {chance}"
    assert passage_sentence(comparison, None) == "1 shared passage · 3 the same in all"
    assert passage_label(comparison.marks[0]) == "5 words, 3 the same"


def test_words_that_were_moved_inside_are_reported():
    (mark,) = exchanges_pair(moved_words=2, near=0, exchanged=2).marks

    assert passage_line(mark) == "5 words in A, 5 in B · 3 the same (2 of them moved), 2 exchanged"


def test_a_passage_that_is_the_same_throughout_says_its_length():
    (mark,) = exchanges_pair(a_tokens=3, b_tokens=3, near=0, exchanged=0, exchanges=()).marks

    assert passage_line(mark) == "3 words"


def test_the_mouse_over_a_word_says_what_stands_in_its_place(exchanges_view):
    texts = [exchanges_view._comparison.sides[0].text, exchanges_view._comparison.sides[1].text]
    marks = [pane._marks for pane in exchanges_view.panes]

    for side, words, title in (
        (0, "mayor", "Exchanged: “mayor”, in B “major”"),
        (1, "major", "Exchanged: “major”, in A “mayor”"),
        (0, "opened", "Another form: “opened”, in B “opens”"),
    ):
        position = texts[side].span((A, B)[side].index(words), (A, B)[side].index(words) + 1)[0]
        assert title in marks[side].title_at(position).splitlines()
    position = texts[0].span(A.index("bridges"), A.index("bridges") + 1)[0]
    assert "xchanged: “" not in marks[0].title_at(position)


def test_sides_that_change_places_take_their_words_along():
    comparison = exchanges_pair().swapped()

    side = comparison.sides[0]
    assert [(exchange.own_words, exchange.other_words) for exchange in side.substitutions] == [
        ("major", "mayor"),
        ("opens", "opened"),
    ]
    assert exchange_title(side.substitutions[0], 0) == "Exchanged: “major”, in B “mayor”"


def test_long_words_are_cut_in_tool_tips():
    exchange = exchanges_pair().sides[0].substitutions[0]._replace(own_words="word\n" * 99)

    assert len(exchange_title(exchange, 0)) < 130


def test_the_header_says_which_passage_is_read(exchanges_view, qtbot):
    sentence = exchanges_view.header._sentence
    exchanges_view.header.set_current(None)
    assert sentence.isVisible()
    assert sentence.text().startswith("1 shared passage")

    exchanges_view.header.set_current(0)

    assert sentence.text() == exchanges_view._comparison.marks[0].chance
    listed = PassageList(exchanges_view._comparison, 0, exchanges_view, folded=False)
    qtbot.addWidget(listed)
    assert "3 the same, 1 in another form" in listed.item(0).text()


class Painter:
    """Notes the lines that are drawn."""

    def __init__(self):
        self.waves = []

    def drawPolyline(self, points):  # noqa: N802 - it is Qt's
        self.waves.append((points[0].x(), points[-1].x()))

    def __getattr__(self, _name):
        return lambda *_: None


def test_a_wave_is_drawn_below_exchanged_words_and_no_others(exchanges_view):
    pane = exchanges_view.panes[0]
    painter = Painter()
    blocks = pane.geometry_of_text.visible_blocks()

    pane._marks.highlights.paint(pane.drawing(painter, QRectF(pane.viewport().rect())))

    side = exchanges_view._comparison.sides[0]
    layout, block = blocks[0].layout, blocks[0]
    line = layout.lineAt(0)
    expected = []
    for word in ("mayor", "opened"):
        start, end = side.text.span(A.index(word), A.index(word) + len(word))
        expected += [line.cursorToX(start - block.start)[0], line.cursorToX(end - block.start)[0]]
    drawn = [x for wave in painter.waves for x in wave]
    assert drawn == pytest.approx(expected, abs=1)


SHARED = (
    "Every tree that stands in the street is counted twice by the same two careful people. " * 3
)


@pytest.fixture
def folder(tmp_path):
    texts = {
        f"{name}.txt": f"{SHARED} But {name} wrote {name} words that nobody else did."
        for name in ("one", "two")
    }
    return folder_with(tmp_path / "essays", texts)


@pytest.fixture
def read(window, folder, qtbot):
    qtbot.until(window.presenter.pair.compared, window.presenter.open_folders, [folder])
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    qtbot.until(window.presenter.pair.compared, window.presenter.pair.open_again)
    return window.compare_pane.view.header


def test_the_link_opens_the_words_and_closes_them(read, window, qtbot):
    panel = window.compare_pane.view.findChild(WhyPanel)
    link = next(label for label in read.findChildren(LinkLabel) if label.text() == "Why this pair")
    assert not panel.isVisible()
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert panel.isVisible()
    assert "band" in panel.words
    assert "resemblance" in panel.words
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert not panel.isVisible()


def test_the_grid_has_the_bands_of_the_list(read, window, qtbot):
    window._actions[Action.WHY].trigger()
    grid = window.compare_pane.view.findChild(SignaturePicture)
    settings = window.presenter.current.settings
    assert grid.isVisible()
    assert f"{settings.bands} bands of {settings.rows}" in grid.toolTip()
    assert "values the same in both" in grid.accessibleDescription()
    painted = grid.grab().toImage()
    assert len({painted.pixel(x, 4) for x in range(painted.width())}) > 2


def test_open_words_count_the_documents_of_each_passage(read, window, qtbot):
    panel = window.compare_pane.view.findChild(WhyPanel)
    qtbot.until(window.presenter.why.value_changed, window._actions[Action.WHY].trigger)
    assert "There is no other document that could have its passages." in panel.words
    window._actions[Action.SWAP_SIDES].trigger()
    assert "There is no other document that could have its passages." in panel.words


def test_a_shared_spelling_is_a_link_that_shows_it_in_both_texts(window, tmp_path, qtbot):
    for number in range(5):
        words = " ".join(f"own{number}x{n}" for n in range(600))
        spelled = "commerical" if number < 2 else "commercial"
        same = f"Nobody sent it for {spelled} purposes to the keeper of the small harbour light."
        same += " At -15 degrees 5%\xa0of it froze."
        (tmp_path / f"{number}.txt").write_text(f"{words} {same} {words[::-1]}", encoding="utf-8")
    qtbot.until(window.presenter.pair.compared, window.presenter.open_folders, [tmp_path])
    panel = window.compare_pane.view.findChild(WhyPanel)
    qtbot.until(window.presenter.why.value_changed, window._actions[Action.WHY].trigger)
    assert "two: <br>“<a href='commerical'>" in panel._spellings.text()
    assert "but these two: commerical" in words_of(panel.words).replace("“ ", "").replace(" ”", "")
    for word in ("commerical", "-15", "5% of"):
        panel._spellings.linkActivated.emit(word)
        for pane in window.compare_pane.view.panes:
            assert " ".join(pane.textCursor().selectedText().split()) == word
            assert pane.verticalScrollBar().value() > 0


def words_of(rich):
    """What it says without its marks."""
    return " ".join(re.sub(r"<[^>]*>", " ", rich).split())


def test_file_properties_follow_the_pair_and_its_sides(window, tmp_path, qtbot):
    for number, name in enumerate(("Ada <b>", "Bo")):
        words = " ".join(f"word{n}" for n in range(200 + number))
        text = rf"{{\rtf1{{\*\rsidtbl \rsid4711}}{{\info{{\author {name}}}}}{words}}}"
        (tmp_path / f"{number}.rtf").write_text(text)
    alien = " ".join(f"other{n}" for n in range(200))
    (tmp_path / "alien.rtf").write_text(rf"{{\rtf1{{\info{{\author Bo}}}}{alien}}}")
    qtbot.until(window.presenter.pair.compared, window.presenter.open_folders, [tmp_path])
    header = window.compare_pane.view.header
    panel = header.properties
    qtbot.waitUntil(lambda: "Bo" in panel._words.text())
    assert not panel.isVisible()
    chip = header._finding.properties
    why = window.compare_pane.view.findChild(WhyPanel)
    assert chip.text() == "1 shared file property"
    assert "Editing sessions: 1 the same" in chip.toolTip()
    assert "Editing sessions: 1 the same" in why.words

    row = window.pages.pairs.filter_row
    assert row._properties.text().startswith("shared file properties")
    window.presenter.pairs.set_filter(PairFilter(properties=True))
    assert window.presenter.pairs.rowCount() == 2  # alien, too: of few documents all are listed
    window.presenter.pairs.set_filter(PairFilter())

    chip.click()
    assert panel.isVisible()
    assert "Editing sessions: 1 the same, of 1 in A and 1 in B" in panel._words.text()
    first = "Ada &lt;b&gt;" if header._comparison.sides[0].name == "0.rtf" else "Bo"
    assert f"A Created by: {first} " in words_of(panel._words.text())
    assert panel._words.text().count("Also shares a rare property with: alien.rtf") == 1

    window._actions[Action.SWAP_SIDES].trigger()
    second_author = "Bo" if first != "Bo" else "Ada &lt;b&gt;"
    qtbot.waitUntil(lambda: f"A Created by: {second_author} " in words_of(panel._words.text()))


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
    positions = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=5)))
    text, rooms = display(source, [(position, n) for n, position in enumerate(positions, 1)])
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
    """Passages of ten letters every twenty in A, and at the given positions in B."""
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
    comparison = chain([20 * position for position in order])
    for side in comparison.sides:
        for passage, next_passage in pairwise(side.order):
            assert comparison.marks[passage].hue != comparison.marks[next_passage].hue
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
    found_owners = {owner for *_, owner in Spans(triples).between(low, low + length)}
    assert found_owners == {i for start, end, i in triples if start < low + length and end > low}


def test_swapping_exchanges_sides_and_numbers():
    comparison = chain([40, 0])
    swapped = comparison.swapped()
    assert swapped.sides == (comparison.sides[1], comparison.sides[0])
    assert swapped.numbers.figures.containment_a == NUMBERS.figures.containment_b
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


def finding_pair(a, b):
    return compare(("a.txt", "b.txt"), (a, b), NUMBERS, [])


@given(st.text(st.sampled_from("ab😀\n\f 𠮷é"), min_size=1, max_size=60), st.data())
def test_found_spans_are_where_the_letters_are(source, data):
    text, _ = display(source, [(0, 3)])
    start = data.draw(st.integers(0, len(source) - 1))
    end = data.draw(st.integers(start + 1, len(source)))

    spans = FoundSpans.of(text, [start], [end])

    assert list(spans.between(0, text.length + 1)) == [text.span(start, end)]


def test_rows_of_the_ruler():
    spans = FoundSpans(np.array([0, 50, 99]), np.array([3, 52, 100]))

    assert np.flatnonzero(spans.rows(100, 10)).tolist() == [0, 5, 9]


def test_every_place_is_marked_in_texts_and_on_rulers(view, qtbot):
    view.show_comparison(finding_pair("An oak. " * 3 + "\n" * 30 + "oak", "no tree"))
    texts = view._texts
    before = [part.grab().toImage() for part in (*texts.panes, *texts.rulers)]

    with qtbot.waitSignal(
        view.finder.counted, check_params_cb=lambda *arguments: arguments[-1]
    ) as blocker:
        view.finder.find("oak")

    assert blocker.args == [1, 4, True]
    after = [part.grab().toImage() for part in (*texts.panes, *texts.rulers)]
    assert [old != new for old, new in zip(before, after, strict=True)] == [
        True, False, True, False,
    ]  # fmt: skip
    view.finder.find("")
    assert [len(pane._marks.matches) for pane in texts.panes] == [0, 0]


def test_a_long_text_is_searched_bit_by_bit(view, qtbot, monkeypatch):
    monkeypatch.setattr(finding, "FINDING_AT_ONCE", 0)
    monkeypatch.setattr(lines_and_phrases, "PART", 1_000)
    view.show_comparison(finding_pair("tree " * 2_000 + "oak " * 10, "oak " * 5))
    counts = []
    view.finder.counted.connect(lambda *arguments: counts.append(arguments))

    view.finder.find("oak")
    assert counts == []
    qtbot.waitUntil(lambda: bool(counts) and counts[-1][2])

    assert counts[-1] == (1, 15, True)
    assert any(not all_known for *_, all_known in counts)
    view.finder.step(-1)
    assert counts[-1] == (15, 15, True)


def test_the_phrase_is_marked_in_the_next_pair_too(view, qtbot):
    view.show_comparison(finding_pair("An oak.", ""))
    view.finder.find("oak")

    view.show_comparison(finding_pair("No tree.", "One oak and another oak."))

    qtbot.waitUntil(lambda: [len(pane._marks.matches) for pane in view.panes] == [0, 2])


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
        shown_changes = side.text.shown[slice(*side.extents[0])]
        assert shown_changes == BUOY


def test_what_stands_in_one_text_only_has_a_place_in_the_other():
    _, changes = pair("one two four", "one two three four")
    a, b = changes.sides

    assert a.extents[0] == (7, 7)
    assert b.text.shown[slice(*b.extents[0])] == "three"
    assert changes.alignment.across(0, a.text.shown.index("four")) == b.text.shown.index("four")


@pytest.mark.usefixtures("qapp")
def test_words_from_right_to_left_leave_the_arrow_leading_from_a_to_b():
    _, changes = pair(
        "הגן הבוטני נמצא בצפון העיר ליד הנחל הישן.", "הגן הבוטני נמצא בדרום העיר ליד הנחל הישן."
    )
    (chip,) = (label for _, label in labels(changes))
    layout = QTextLayout(chip)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    before, arrow, after = (line.cursorToX(chip.index(c) + 1)[0] for c in ("צפון", "→", "דרום"))
    assert before < arrow < after


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
    view.step_passage(1)
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
    view.step_passage(1)

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
    two, three = TREES.replace("three", "four"), TREES.replace("April", "May")
    texts = {"one.txt": TREES, "two.txt": f"{two} And that was all.", "three.txt": three}
    folder = folder_with(tmp_path / "essays", texts)
    qtbot.until(window.presenter.pair.compared, window.presenter.open_folders, [folder])
    return window


def shown_changes(window):
    return window.compare_pane.view._comparison


def test_d_shows_what_was_changed_in_this_pair_and_the_next(scanned, qtbot):
    qtbot.until(scanned.presenter.pair.changes_ready, QTest.keyClick, scanned, Qt.Key.Key_D)
    assert shown_changes(scanned).shows_changes

    qtbot.until(scanned.presenter.pair.compared, scanned.pages.pairs.table.select_row, 1)
    assert shown_changes(scanned).shows_changes
    assert ("⇄", "three → four") in labels(shown_changes(scanned))

    QTest.keyClick(scanned, Qt.Key.Key_X)
    assert ("⇄", "four → three") in labels(shown_changes(scanned))
    QTest.keyClick(scanned, Qt.Key.Key_D)
    assert not shown_changes(scanned).shows_changes


def test_the_link_does_what_the_key_does(scanned, qtbot):
    qtbot.until(scanned.presenter.pair.changes_ready, scanned.compare_pane.view.header._mode.click)

    assert scanned._actions[Action.DIFFERENCES].isChecked()
    assert shown_changes(scanned).shows_changes


def test_finding_changes_stops_when_they_are_not_wanted_any_more(scanned, qtbot, monkeypatch):
    finding, stopped = threading.Event(), threading.Event()

    def wait(_a, _b, _passages):
        finding.set()
        while not is_cancelled():
            pass
        stopped.set()
        stop_if_cancelled()

    monkeypatch.setattr(core.evidence.differences, "find_differences", wait)
    QTest.keyClick(scanned, Qt.Key.Key_D)
    qtbot.waitUntil(finding.is_set)
    QTest.keyClick(scanned, Qt.Key.Key_D)

    qtbot.waitUntil(stopped.is_set)
    assert not shown_changes(scanned).shows_changes
