"""The compare view: scrolling together, stepping, choosing, finding, copying, painting."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QApplication

from core.evidence.measures import NO_NUMBER
from core.evidence.pairs import PairFigures
from core.evidence.passage import Run
from core.evidence.passages import Passage
from core.text.set_aside import Reason, SetAside
from neardup_gui.environment.theme import Scheme, Theme
from neardup_gui.models.compare import side
from neardup_gui.models.compare.comparison import Comparison, ComparisonNumbers, compare
from neardup_gui.models.compare.side import Origin
from neardup_gui.views.compare.highlights import passage_label
from neardup_gui.views.compare.text_pane import TextPane
from neardup_gui.views.compare.texts import READING_HEIGHT
from neardup_gui.views.compare.view import CompareView

NUMBERS = ComparisonNumbers(
    figures=PairFigures(0.5, 0.6, 0.7, longest_run=9, shared_shingles=80, run_words=9)
)


def test_the_lines_with_the_names_of_files_are_headings(view):
    text = "one.txt\n\nThe first.\n\ntwo.txt\n\nThe second."
    origin = Origin("submission", members=(text.index("The first"), text.index("The second")))
    view.show_comparison(compare(("a", "b"), (text, "b"), NUMBERS, [], (origin, Origin())))

    side = view._comparison.sides[0]
    lines = [side.text.shown[start:].partition("\n")[0] for start in sorted(side.headings)]
    assert lines == ["one.txt", "two.txt"]
    assert view.panes[0].grab()


TASK = "Describe the trees of a street of your choice and say who takes care of them. " * 2
TEXT = f"{TASK}\n\nThe oak stands. “A quotation.” It is old."


def pair_with_set_aside(*spans):
    return compare(("a.txt", "b.txt"), (TEXT, "nothing"), NUMBERS, [], set_aside=(spans, ()))


def span_of(words, reason):
    start = TEXT.index(words)
    return SetAside(start, start + len(words), reason)


BOTH = (span_of(TASK, Reason.ASSIGNMENT), span_of("“A quotation.”", Reason.QUOTATION))


def test_spans_are_where_their_words_are_and_long_ones_have_room_for_the_reason():
    side = pair_with_set_aside(*BOTH).sides[0]

    parts = list(zip(side.excluded.starts, side.excluded.ends, strict=True))
    assert [side.text.shown[start:end] for start, end in parts] == [TASK, "“A quotation.”"]
    room, none = (side.text.shown[start:end] for start, end in side.labels)
    assert len(room) > len("assignment text")
    assert not room.strip("\u00a0")
    assert none == ""


def test_parts_that_lie_over_each_other_are_greyed_once():
    side = pair_with_set_aside(
        SetAside(0, 50, Reason.TEMPLATE), SetAside(10, 60, Reason.COMMON), SetAside(20, 30)
    ).sides[0]

    reasons = dict(zip(side.excluded.starts, side.reasons, strict=True))
    assert list(reasons.values()) == ["template", "common passage"]
    assert side.excluded.ends[0] <= side.excluded.starts[1]


def test_the_reason_is_given(view):
    view.show_comparison(pair_with_set_aside(*BOTH))
    pane, side = view.panes[0], view._comparison.sides[0]

    assert (
        pane._marks.title_at(side.excluded.starts[1]) == "Set aside: quotation. It does not count."
    )
    assert pane._marks.title_at(side.text.shown.index("oak")) == ""
    assert pane.accessibleDescription() == ("2 parts set aside: 1 × assignment text, 1 × quotation")
    assert view.panes[1].accessibleDescription() == ""


def test_grey_is_drawn(view):
    view.show_comparison(pair_with_set_aside())
    plain = view.panes[0].grab().toImage()

    view.show_comparison(pair_with_set_aside(BOTH[1]))

    assert view.panes[0].grab().toImage() != plain


TREES = "oak ash elm lime plane maple birch willow poplar chestnut hazel rowan alder yew pine"
WORDS = TREES.split()
ORDER_B = (0, 1, 2, 4, 5, 3, 6, 7)


def sentence(seed: int, length: int) -> str:
    return " ".join(WORDS[(seed * 7 + i * i + i // 3) % len(WORDS)] for i in range(length)) + "."


def numbers(**changes) -> ComparisonNumbers:
    values = {
        "resemblance": 0.611,
        "containment_a": 0.66,
        "containment_b": 0.89,
        "longest_run": 190,
        "run_words": 190,
        "shared_shingles": 1988,
    }
    return ComparisonNumbers(figures=PairFigures(**(values | changes)), shortest_passage=30)


def joined(shared: list[str], order: tuple[int, ...], seed: int) -> tuple[str, dict[int, int]]:
    text, starts = "", {}
    for position, index in enumerate(order):
        text += sentence(seed + position, 60 + 90 * ((position + seed) % 3)) + "\n\n"
        starts[index] = len(text)
        text += shared[index] + "\n\n"
    return text, starts


def pair() -> Comparison:
    """Eight shared passages, the fourth of them moved two places on in B."""
    shared = [sentence(100 + index, 70) for index in range(8)]
    text_a, starts_a = joined(shared, tuple(range(8)), 1)
    text_b, starts_b = joined(shared, ORDER_B, 2)
    passages = []
    for index, text in enumerate(shared):
        a, b, length = starts_a[index], starts_b[index], len(text)
        runs = (Run(a, a + 40, b, b + 40, 8), Run(a + 60, a + length, b + 60, b + length, 55))
        passages.append(Passage(a, a + length, b, b + length, 63, runs, moved=index == 3))
    return compare(("essays/a.txt", "essays/b.txt"), (text_a, text_b), numbers(), passages)


def bare(text_a: str, text_b: str, passages=()) -> Comparison:
    return compare(("a", "b"), (text_a, text_b), numbers(), passages)


@pytest.fixture
def filled(view):
    view.show_comparison(pair())
    return view


def tops(view: CompareView, passage: int) -> tuple[float, float]:
    comparison = view._comparison
    return tuple(
        pane.geometry_of_text.line_top(side.extents[passage][0])
        for pane, side in zip(view.panes, comparison.sides, strict=True)
    )


def pitch(view: CompareView) -> float:
    return view.panes[0]._layout.column.pitch


def test_empty_view_says_what_to_do(view):
    assert view._pages.currentWidget().text() == "Choose a pair to read it side by side."


def test_one_paragraph_after_another_keeps_its_column_and_spacing(view):
    view.show_comparison(bare(sentence(1, 200), "אבג " * 200))
    view.show_comparison(bare(sentence(2, 200), "דהו " * 200))

    for pane in view.panes:
        block = pane.geometry_of_text.visible_blocks()[0]
        lines = [block.layout.lineAt(number) for number in range(block.layout.lineCount())]
        assert lines[1].y() - lines[0].y() == pytest.approx(pitch(view), abs=1)
        assert lines[0].x() == pane._layout.column.left
    right = view.panes[1].geometry_of_text.visible_blocks()[0].layout
    assert right.textOption().alignment() == Qt.AlignmentFlag.AlignRight


def test_clear_forgets_the_pair(filled):
    filled.clear()
    filled.step_passage(1)
    filled.select_passage(0)
    filled.finder.find("oak")
    assert filled._pages.currentIndex() == 0


@pytest.mark.parametrize("passage", [0, 1, 2, 4, 5, 6, 7])
@pytest.mark.parametrize("driver", [0, 1])
def test_panes_scroll_together_along_the_alignment(filled, passage, driver):
    pane = filled.panes[driver]
    start = filled._comparison.sides[driver].extents[passage][0]
    geometry = pane.geometry_of_text
    geometry.bring(start, 0.3 * geometry.height)
    top_a, top_b = tops(filled, passage)
    assert abs(top_a - top_b) <= pitch(filled)


RIGHT_TO_LEFT_TEXT = "שלום עולם\n\n"


def elsewhere(work):
    """The result of work on a thread that is not the window's."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_long_texts_are_put_into_their_documents_away_from_the_window(view, monkeypatch):
    put_in = []

    def cursor_in(document):
        cursor = QTextCursor(document)

        def insert(text):
            put_in.append(len(text))
            cursor.insertText(text)

        return Mock(insertText=insert)

    monkeypatch.setattr(side, "LONG", 1000)
    monkeypatch.setattr(side, "PUT_IN_AT_ONCE", 300)
    monkeypatch.setattr(side, "QTextCursor", cursor_in)
    view.show_comparison(pair())
    view.panes[0].verticalScrollBar().setValue(40)
    assert put_in == []

    comparison = elsewhere(pair)
    wanted = [each.text.shown for each in comparison.sides]
    monkeypatch.setattr(TextPane, "setPlainText", None)  # which holds the window up
    view.show_comparison(comparison)

    assert max(put_in) == 300
    assert [pane.document().toRawText().replace("\u2029", "\n") for pane in view.panes] == wanted
    assert view.panes[0].firstVisibleBlock().blockNumber() == 0
    assert view.panes[0].geometry_of_text.visible_blocks()[0].start == 0


def test_long_texts_keep_their_documents_on_the_other_side_and_when_they_are_shown_again(
    view, monkeypatch
):
    monkeypatch.setattr(side, "LONG", 1000)
    comparison, other = elsewhere(pair), elsewhere(pair)
    monkeypatch.setattr(TextPane, "setPlainText", None)  # which holds the window up
    view.show_comparison(comparison)
    documents = [pane.document() for pane in view.panes]

    view.swap_sides()
    assert [pane.document() for pane in view.panes] == documents[::-1]
    view.show_comparison(other)
    assert view.panes[0].document() not in documents
    view.show_comparison(comparison)

    assert [pane.document() for pane in view.panes] == documents
    assert [pane.document().toRawText().replace("\u2029", "\n") for pane in view.panes] == [
        each.text.shown for each in comparison.sides
    ]


def test_a_text_that_was_put_in_elsewhere_looks_as_any_other(view, monkeypatch):
    def bidirectional():
        return bare(200 * (RIGHT_TO_LEFT_TEXT + "One more line.\n\n"), "Some other text.")

    def pictures(comparison):
        view.show_comparison(comparison)
        QApplication.processEvents()
        return [pane.grab().toImage() for pane in view.panes]

    plain = pictures(bidirectional())
    pictures(pair())
    monkeypatch.setattr(side, "LONG", 10)

    put_in = elsewhere(bidirectional)
    assert pictures(put_in) == plain
    pictures(pair())  # put in on the window's thread again
    assert pictures(put_in) == plain
    assert pictures(elsewhere(bidirectional)) == plain


def test_short_lines_are_put_in_a_few_at_a_time(qapp, monkeypatch):
    put_in = []
    monkeypatch.setattr(side, "MANY_LINES", 100)
    monkeypatch.setattr(side, "LINES_AT_ONCE", 30)
    monkeypatch.setattr(side, "QTextCursor", lambda _document: Mock(insertText=put_in.append))
    text = 100 * "a\n" + "the end"
    elsewhere(lambda: bare(text, text))
    assert "".join(put_in) == 2 * text
    assert [piece.count("\n") for piece in put_in] == 2 * [30, 30, 30, 10]


@pytest.mark.parametrize("where", [0.5, 1])
def test_other_marks_of_a_long_text_leave_it_where_it_is(view, monkeypatch, where):
    monkeypatch.setattr(side, "LONG", 10)
    words = 12 * "It has words enough to be broken over several lines of a pane. "
    text = "".join(f"Line {number} of a text. {words}\n\n" for number in range(200))
    view.show_comparison(elsewhere(lambda: bare(text, text)))
    for _ in range(3):  # lines are measured as they come into view
        view.panes[0].geometry_of_text.bring(int((len(text) - 2) * where), 100)
        QApplication.processEvents()
    geometry = view.panes[0].geometry_of_text
    y = READING_HEIGHT * geometry.height
    before = geometry.line_at(y)[0]

    view._texts.show_in_place(elsewhere(lambda: bare(text, text)))
    QApplication.processEvents()

    assert view.panes[0].geometry_of_text.line_at(y)[0] == before


def test_released_panes_scroll_alone(filled):
    filled.set_synchronized(False)
    before = filled.panes[1].verticalScrollBar().value()
    filled.panes[0].verticalScrollBar().setValue(30)
    assert filled.panes[1].verticalScrollBar().value() == before
    filled.set_synchronized(True)
    assert filled.panes[1].verticalScrollBar().value() != before


def test_steps_follow_the_order_of_the_text_at_the_left(filled, qtbot):
    chosen = []
    filled._steps.selected.connect(chosen.append)
    for _ in range(8):
        filled.step_passage(1)
    assert chosen == [1, 2, 3, 4, 5, 6, 7, 7]
    filled.step_passage(-1)
    assert chosen[-1] == 6
    filled.swap_sides()
    chosen.clear()
    filled.select_passage(2)
    filled.step_passage(1)
    filled.step_passage(1)
    filled.step_passage(1)
    assert chosen == [2, 4, 5, 3]


@pytest.mark.parametrize("passage", range(8))
def test_a_chosen_passage_stands_opposite_its_counterpart(filled, passage):
    filled.select_passage(passage)
    top_a, top_b = tops(filled, passage)
    assert 0 <= top_a < filled.panes[0].viewport().height()
    assert abs(top_a - top_b) <= 2


@pytest.mark.parametrize("height", [420, 520, 800])
def test_a_moved_passage_stays_opposite_its_counterpart_in_another_height(filled, qtbot, height):
    filled.select_passage(3)

    filled.resize(900, height)
    qtbot.waitUntil(lambda: filled.height() == height)

    top_a, top_b = tops(filled, 3)
    assert abs(top_a - top_b) <= pitch(filled)


@pytest.mark.parametrize("index", [0, 1])
def test_a_click_brings_the_counterpart_opposite(filled, qtbot, index):
    filled.set_synchronized(False)
    pane = filled.panes[index]
    extent = filled._comparison.sides[index].extents[3]
    pane.geometry_of_text.bring(extent[0], 200)
    point = QPoint(int(pane._layout.column.left) + 60, int(tops(filled, 3)[index]) + 8)
    with qtbot.waitSignal(filled._steps.selected) as chosen:
        qtbot.mouseClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert chosen.args == [3]
    top_a, top_b = tops(filled, 3)
    assert abs(top_a - top_b) <= pitch(filled)


def test_enter_chooses_the_passage_at_the_cursor(filled, qtbot):
    start = filled._comparison.sides[0].extents[2][0]
    filled.panes[0].place_cursor(start + 5)
    chosen = qtbot.until(filled._steps.selected, qtbot.keyClick, filled.panes[0], Qt.Key.Key_Return)
    assert chosen == [2]


def test_esc_leaves_what_was_opened_last_and_then_goes_back(filled, qtbot):
    filled.differences_wanted.connect(filled.set_differences)
    filled.set_differences(True)
    filled.header.toggle_why()
    requests = []
    filled.back_requested.connect(lambda: requests.append(True))
    states = []
    for _ in range(3):
        qtbot.keyClick(filled.panes[0], Qt.Key.Key_Escape)
        mode = filled.header._mode.text()
        states.append((filled.header.drawer.content is None, mode, len(requests)))
    assert states == [(True, "Shared text", 0), (True, "Differences", 0), (True, "Differences", 1)]


def of_lengths(*lengths: int) -> Comparison:
    """A long text with a passage of this many words every thousand letters, each one run."""
    text = " ".join(sentence(seed, 40) for seed in range(5 * len(lengths)))
    passages = [
        Passage(start, start + 5 * words, start, start + 5 * words, words, (run,))
        for number, words in enumerate(lengths)
        for start in [1000 * number]
        for run in [Run(start, start + 5 * words, start, start + 5 * words, words)]
    ]
    return bare(text, text, passages)


def chip_numbers(view: CompareView) -> list[int]:
    return [passage + 1 for _, passage in view.header.chips._chips]


def test_a_pair_opens_on_its_strongest_passage(view):
    view.show_comparison(of_lengths(5, 30, 6, 140, 9))
    assert view._steps.current == 3
    assert 0 <= tops(view, 3)[0] < view.panes[0].viewport().height()
    chosen = []
    view._steps.selected.connect(chosen.append)
    view.step_passage(1)
    view.step_passage(-1)
    view.step_passage(-1)
    assert chosen == [4, 3, 2]

    # The rulers frame what is seen also of a pair for which nothing scrolls.
    view.show_comparison(of_lengths(140, 6))
    view.show_comparison(of_lengths(200, 6))
    assert [ruler._window for ruler in view._texts.rulers] == list(view._texts.spans)


def test_a_pair_that_was_opened_unseen_shows_its_strongest_passage(qtbot):
    view = CompareView()
    view.resize(900, 600)
    view.show_comparison(of_lengths(9, 10, 11, 12, 140))
    qtbot.shown(view)
    assert 0 <= tops(view, 4)[0] < view.panes[0].viewport().height()


def test_the_strongest_passages_come_first_and_short_ones_are_folded(view, qtbot):
    view.show_comparison(of_lengths(5, 30, 6, 140, 9, 7))
    chips = view.header.chips
    assert chip_numbers(view) == [4, 2, 5]
    assert chips._more_text() == "+ 3 short ones"
    qtbot.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips._chips[1][0].center().toPoint())
    assert view._steps.current == 1


def test_a_short_passage_that_is_current_has_a_chip(view):
    view.show_comparison(of_lengths(5, 30, 6, 140, 9, 7))
    view.select_passage(0)
    assert 1 in chip_numbers(view)
    view.select_passage(3)
    assert chip_numbers(view) == [4, 2, 5]


def test_short_passages_alone_are_not_folded(view):
    view.show_comparison(of_lengths(5, 6, 7))
    assert chip_numbers(view) == [3, 2, 1]
    assert view.header.chips._more.isNull()


def test_a_chip_that_is_wider_than_its_row_leaves_room_for_the_others(view):
    run = Run(0, 50, 0, 50, 9)
    wide = Passage(0, 50, 0, 50, 12_345, (run,), True, a_tokens=23_456_789, unit="char")
    passages = [wide, *of_many(30)]
    view.header.chips.setFixedWidth(190)
    view.show_comparison(bare("x" * 9000, "y" * 9000, passages))
    chips = view.header.chips
    assert chips._chips[0][0].right() < chips._more.left()
    assert chips._more.right() <= chips.width() + 1


@pytest.mark.parametrize("points", [8, 12, 24])
@pytest.mark.parametrize("lengths", [(140, 30), (5, 30, 6, 140, 9, 7), (40,) * 130])
def test_no_chip_is_cut_in_text_of_any_size(view, points, lengths):
    chips = view.header.chips
    font = chips.font()
    font.setPointSizeF(points)
    chips.setFont(font)
    view.show_comparison(of_lengths(*lengths))
    least = chips.minimumSizeHint().width()
    for width in range(least, least + 600, 13):
        chips.setFixedWidth(width)
        for passage in (0, len(lengths) - 1):
            view.select_passage(passage)
            drawn = [area for area, _ in chips._chips]
            assert all(area.width() > chips._badge_width(owner) for area, owner in chips._chips)
            drawn += [] if chips._more.isNull() else [chips._more]
            assert drawn[0].left() >= 0
            assert drawn[-1].right() <= width
            assert all(left.right() < right.left() for left, right in pairwise(drawn))


def of_many(number: int) -> list[Passage]:
    return [
        Passage(start, start + 50, start, start + 50, 10, (Run(start, start + 50, start, 50, 10),))
        for start in range(100, 100 + 60 * number, 60)
    ]


def opened_list(view, qtbot):
    chips = view.header.chips
    qtbot.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips._more.center().toPoint())
    return QApplication.activePopupWidget()


def rows_shown(listed) -> list[int | str]:
    """The rows that are not folded: numbers of passages, or what else is written there."""
    items = [listed.item(row) for row in range(listed.count())]
    passages = [item.data(Qt.ItemDataRole.UserRole) for item in items]
    return [
        item.text() if passage is None else passage + 1
        for item, passage in zip(items, passages, strict=True)
        if not item.isHidden()
    ]


NOTE = "Passages from about 30 words on; fewer can be chance."


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_fold_opens_at_once_when_only_short_ones_are_missing(view, qtbot):
    view.show_comparison(of_lengths(5, 30, 6, 140))
    listed = opened_list(view, qtbot)
    assert rows_shown(listed) == [4, 2, "▾  2 short ones", 3, 1, NOTE]
    point = listed.visualItemRect(listed.item(3)).center()
    with qtbot.waitSignal(view._steps.selected) as chosen:
        qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert chosen.args == [2]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_short_ones_are_folded_among_many(view, qtbot):
    view.show_comparison(of_lengths(5, *range(30, 60), 6))
    listed = opened_list(view, qtbot)
    assert rows_shown(listed)[-2:] == ["▸  2 short ones", NOTE]
    listed.setCurrentItem(listed.findItems("▸", Qt.MatchFlag.MatchStartsWith)[0])
    qtbot.keyClick(listed, Qt.Key.Key_Return)
    assert rows_shown(listed)[-4:] == ["▾  2 short ones", 32, 1, NOTE]
    qtbot.keyClick(listed, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None


def test_a_passage_says_how_much_of_it_is_the_same():
    run = Run(0, 9, 0, 9, 331)
    passage = Passage(0, 9, 0, 9, 331, (run,), True, a_tokens=654, b_tokens=640)
    chinese = Passage(20, 29, 20, 29, 53_782, (run,), a_tokens=53_782, unit="char")
    marks = bare("x" * 99, "x" * 99, [passage, chinese]).marks
    assert [passage_label(mark) for mark in marks] == [
        "654 words, 331 the same, moved",
        "53,782 characters",
    ]


def test_chips_are_reached_by_keyboard(filled, qtbot):
    chips = filled.header.chips
    qtbot.keyClick(chips, Qt.Key.Key_Right)
    assert qtbot.until(filled._steps.selected, qtbot.keyClick, chips, Qt.Key.Key_Return) == [1]
    assert chips.accessibleName() == "8 shared passages"
    assert chips.accessibleDescription() == "Passage 2: 63 words"


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_chips_without_room_are_listed(filled, qtbot):
    filled.resize(700, 600)
    chips = filled.header.chips
    qtbot.waitUntil(lambda: not chips._more.isNull())
    filled.select_passage(7)
    assert chips._chips[-1][1] == 7
    qtbot.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips._more.center().toPoint())
    popup = QApplication.activePopupWidget()
    assert [popup.item(row).data(Qt.ItemDataRole.UserRole) for row in range(8)] == list(range(8))
    assert popup.item(8).text() == "Passages from about 30 words on; fewer can be chance."
    assert "moved" in popup.item(3).text()
    assert qtbot.until(filled._steps.selected, popup.itemActivated.emit, popup.item(3)) == [3]


def test_dot_plot_chooses_the_nearest_passage(filled, qtbot):
    plot = filled.header.dot_plot
    start, end = plot._line(filled._comparison, 3)
    with qtbot.waitSignal(filled._steps.selected) as chosen:
        qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=((start + end) / 2).toPoint())
    assert chosen.args == [3]


def test_dot_plot_painted_before_it_has_its_room_is_painted_anew(filled):
    plot = filled.header.dot_plot
    for is_low in (True, False):
        plot.set_low(is_low=is_low)
        plot.grab()
        plot.resize(plot.sizeHint())
        picture = plot.grab()
        plot._cache = None
        assert picture.toImage() == plot.grab().toImage()


def test_ruler_scrolls_its_text(filled, qtbot):
    ruler = filled._texts.rulers[1]
    qtbot.mouseClick(ruler, Qt.MouseButton.LeftButton, pos=QPoint(5, ruler.height() - 5))
    low, high = filled.panes[1].geometry_of_text.visible_span()
    length = filled._comparison.sides[1].text.length
    assert low <= 0.99 * length <= high


def test_bands_choose_passages(filled, qtbot):
    filled.select_passage(2)
    filled._texts.connectors.grab()
    middle = filled._texts.connectors._bands[2].boundingRect().center().toPoint()
    with qtbot.waitSignal(filled._steps.selected) as chosen:
        qtbot.mouseClick(filled._texts.connectors, Qt.MouseButton.LeftButton, pos=middle)
    assert chosen.args == [2]


def test_find_goes_round_both_texts(view, qtbot):
    view.show_comparison(bare("An oak.\nNo Oak\n here.", "the oak, again"))
    with qtbot.waitSignal(
        view.finder.counted, check_params_cb=lambda *arguments: arguments[2]
    ) as blocker:
        view.finder.find("oak")
    assert blocker.args == [1, 3, True]
    assert view.panes[0].textCursor().selectedText() == "oak"
    view.finder.step(1)
    view.finder.step(1)
    assert view.panes[1].textCursor().selectedText() == "oak"
    assert qtbot.until(view.finder.counted, view.finder.step, 1) == [1, 3, True]
    view.finder.find("oak here")
    assert view.panes[0].textCursor().selectionStart() == 11
    assert qtbot.until(view.finder.counted, view.finder.find, "birch") == [0, 0, True]


def test_what_is_copied_is_the_source(view):
    source = "One\u00a0two\x00 😀 three\u2028four"
    passage = Passage(4, 12, 4, 12, 2, (Run(4, 12, 4, 12, 2),))
    view.show_comparison(bare(source, source, [passage]))
    view.panes[0].selectAll()
    view.panes[0].copy()
    assert QGuiApplication.clipboard().text() == source


def test_names_are_plain_text(view):
    comparison = compare(("<b>a</b>.txt", "b.txt"), ("one", "two"), numbers(), [])
    view.show_comparison(comparison)
    label = view.header._names._documents[0].name
    assert label.text() == "<b>a</b>.txt"
    assert "&lt;b&gt;" in label.toolTip()


def test_every_number_of_the_pair_is_named(filled):
    labels = filled.header.why_panel.numbers.labels
    texts = [label.text() for label in labels if not label.isHidden()]
    given = [
        "Resemblance 0.611",
        "Containment of A 66%",
        "Containment of B 89%",
        "Longest run 190 words",
        "Shared 1,988 shingles",
    ]
    assert [text for text in texts if text in given] == given
    assert not any(text.endswith(NO_NUMBER) for text in texts)
    assert all(label.toolTip() for label in labels[: len(texts)])


@pytest.mark.parametrize("width", [420, 900, 2400])
def test_the_number_comes_first_and_the_sentence_has_the_room_that_it_leaves(view, width):
    known = {"overlap": 0.875, "overlap_a": 0.97, "overlap_b": 0.95, "shared_words": 142}
    shown = compare(("a.txt", "b.txt"), ("one", "two"), numbers(**known), [])
    finding = "Nearly all of A (97%) appears in B, word for word. It makes up 40% of B."
    view.resize(width, 500)
    view.show_comparison(replace(shown, findings=(finding, "turned")))

    row = view.header._finding
    assert row.sentence.text() == finding
    ends = [-1]
    for label in (*row.numbers.labels, row.sentence, row.why):
        if label.isVisible():
            assert label.x() > ends[-1]
            assert label is row.sentence or label.width() >= label.sizeHint().width()
            ends.append(label.geometry().right())
    assert ends[-1] <= row.width()
    assert len(ends) == 4
    view.swap_sides()
    assert row.sentence.text() == "turned"


def test_the_overlap_is_named_first_where_it_was_measured(view):
    known = {"overlap": 0.875, "overlap_a": 0.97, "overlap_b": 0.95, "shared_words": 142}
    for figures, shown in ((known, "Overlap 88%"), ({}, "Resemblance 0.611")):
        view.show_comparison(compare(("a.txt", "b.txt"), ("one", "two"), numbers(**figures), []))
        text = re.sub("<[^>]*>", "", view.header.why_panel.numbers.labels[0].text())
        assert text == shown


@pytest.mark.parametrize(
    ("direction", "shown"), [("LeftToRight", "&lt;1%"), ("RightToLeft", "\u2066&lt;1%\u2069")]
)
def test_a_number_below_the_least_is_no_markup_and_keeps_its_order(view, direction, shown):
    view.setLayoutDirection(Qt.LayoutDirection[direction])
    few = numbers(resemblance=0.0001, containment_a=0.001)
    view.show_comparison(compare(("a.txt", "b.txt"), ("one", "two"), few, []))
    texts = [label.text() for label in view.header.why_panel.numbers.labels]
    assert texts[1] == f"Containment of A {shown}"


def test_a_pair_without_passages_says_so(view):
    view.show_comparison(bare("one two", "two one"))
    assert view.header._sentence.isVisible()
    assert view.header._sentence.text() == (
        "No shared passage of about 30 words or more; fewer can be chance."
    )
    view.step_passage(1)


def test_panes_have_names_and_let_tab_through(filled):
    assert filled.panes[0].accessibleName() == "Text A: essays/a.txt"
    assert filled.panes[1].accessibleName() == "Text B: essays/b.txt"
    assert all(pane.tabChangesFocus() and pane.isReadOnly() for pane in filled.panes)


def test_the_first_passage_is_visible_when_shown_late(qtbot):
    view = CompareView()
    view.resize(900, 600)
    text = sentence(1, 3000).replace(".", ".\n\n") + "\n\n" + sentence(9, 60)
    start = text.rindex("\n") + 1
    run = Run(start, len(text), 0, len(text) - start, 60)
    passage = Passage(*run[:4], 60, (run,))
    view.show_comparison(bare(text, text[start:], [passage]))
    qtbot.shown(view)
    top_a, top_b = tops(view, 0)
    assert 0 <= top_a < 500
    assert abs(top_a - top_b) <= 2


def all_of(text: str) -> list[Passage]:
    return [Passage(0, len(text), 0, len(text), 5, (Run(0, len(text), 0, len(text), 5),))]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "x" * 1_000_000,
        "字" * 200_000,
        sentence(1, 100_000),
        "שלום עולם abc 123 مرحبا " * 800,
        "😀 \r\n\t\u2028" * 3000,
    ],
    ids=["empty", "newline", "one line", "chinese", "words", "two directions", "odd"],
)
@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_any_text_is_painted(view, text, scheme):
    Theme(QApplication.instance()).apply(scheme)
    view.show_comparison(bare(text, text, all_of(text) if text.strip() else []))
    view.step_passage(1)
    view.grab()
    view.resize(700, 500)
    view.panes[1].verticalScrollBar().setValue(7)
    view.grab()
    view.swap_sides()
    assert not view.grab().isNull()


def test_fills_are_painted_under_the_text(filled):
    Theme(QApplication.instance()).apply(Scheme.LIGHT)
    filled.select_passage(1)
    picture = filled.panes[0].grab().toImage()
    top = int(tops(filled, 1)[0])
    left = int(filled.panes[0]._layout.column.left)
    row = {picture.pixelColor(x, top + 16).name() for x in range(left + 40, left + 200)}
    assert len(row) > 3
    assert "#ffffff" not in row


def test_the_text_at_the_top_stays_while_the_width_changes(filled, qtbot):
    """As when the drawer opens: what one reads stays, and does not drift from width to width."""
    pane = filled.panes[0]
    bar = pane.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    read = pane.geometry_of_text.line_at(1)[0]
    assert read > 100

    for width in (*range(900, 500, -37), *range(500, 900, 41)):
        filled.resize(width, 600)
        qtbot.wait(1)
        first, end, _ = pane.geometry_of_text.line_at(1)
        assert first <= read < end
