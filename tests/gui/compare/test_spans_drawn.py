"""What is drawn is what was computed: every letter of a span is covered, and no other letter."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from core.evidence.passage import Run
from core.evidence.passages import Passage
from core.text.set_aside import SetAside
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.models.compare.side import FoundSpans
from neardup_gui.views.compare import pane_marks
from neardup_gui.views.compare.highlights import passage_color
from neardup_gui.views.compare.view import CompareView

NUMBERS = ComparisonNumbers(
    resemblance=0.5, containment_a=0.6, containment_b=0.7, longest_run=9, shared=80
)
# Letters as a reader sees them: a span of words never parts one.
LETTERS = st.sampled_from(
    [
        *"abcxyzÄß ,.", "e\u0301", "n\u0303", "\u00a0", "\r\n", "\n", "\u2028", "\t", "\f",
        "😀", "𠮷", "中", "文", "ש", "ל", "ם", "ع", "ر", "ب", "\u202e", "\u202c", "1", "(", ")",
    ]
)  # fmt: skip
# Where a letter with a mark is written backwards, Qt does not tell the one from the other.
TEXTS = st.one_of(
    st.lists(LETTERS, min_size=1, max_size=60),
    st.builds(lambda part, times: part * times, st.lists(LETTERS, min_size=1, max_size=8),
              st.integers(20, 60)),
).filter(lambda letters: not {"\u202e", "e\u0301"} <= {*letters}
         and not {"\u202e", "n\u0303"} <= {*letters})  # fmt: skip
DRAWN = settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


class Recorder:
    """Takes what is filled and framed, with what; has no use for the rest."""

    def __init__(self):
        self.filled, self.framed = [], []

    def fillRect(self, rect, color):  # noqa: N802
        self.filled.append((QRectF(rect), color))

    def drawRect(self, rect):  # noqa: N802
        self.framed.append(QRectF(rect))

    def __getattr__(self, _name):
        return lambda *_: None


@pytest.fixture
def view(qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(900, 1400)
    with qtbot.waitExposed(view):
        view.show()
    return view


def drawn_parts(letters, data):
    """A text of some letters and the code points of a part of it."""
    first = data.draw(st.integers(0, len(letters) - 1))
    last = data.draw(st.integers(first + 1, len(letters)))
    source = "".join(letters)
    return source, len("".join(letters[:first])), len("".join(letters[:last]))


def boxes(pane, side):
    """The middle of every letter on the screen that has a width: code point, x and y."""
    for block in pane.geometry_of_text.visible_blocks():
        layout = block.layout
        for place in range(len(side.text.source)):
            start, end = side.text.span(place, place + 1)
            if not block.start <= start < end <= block.start + block.length:
                continue
            line = layout.lineForTextPosition(start - block.start)
            area = QRectF()
            for run in line.glyphRuns(start - block.start, end - start):
                area = area.united(run.boundingRect())
            natural = line.naturalTextRect()
            seen = natural.left() <= area.center().x() <= natural.right()
            if area.width() > 1.5 and seen:
                yield place, area.center().x(), block.top + line.y() + line.height() / 2


def covered(rects, x, y):
    return any(rect.contains(x, y) for rect in rects)


def check(pane, side, rects, start, end):
    seen = list(boxes(pane, side))
    assert seen or not side.text.source.strip("\u202e\u202c \t\r\n\f\u2028\u00a0")
    for place, x, y in seen:
        letter = side.text.source[place]
        if not letter.isspace():  # those at the ends of lines have no place
            assert covered(rects, x, y) == (start <= place < end), (place, letter)


@DRAWN
@given(TEXTS, st.data())
def test_passages_are_drawn_where_they_are(view, letters, data):
    source, start, end = drawn_parts(letters, data)
    run = Run(start, end, 0, 1, 3)
    passage = Passage(start, end, 0, 1, 3, (run,))
    view.show_comparison(compare(("a", "b"), (source, "b"), NUMBERS, [passage]))
    pane, side = view.panes[0], view._comparison.sides[0]
    pane.set_current(None)
    color = passage_color(view._comparison.marks[0]).fill
    recorder = Recorder()

    pane._marks.highlights.paint(
        recorder, pane.geometry_of_text.visible_blocks(), QRectF(pane.viewport().rect())
    )

    rects = [rect for rect, filled in recorder.filled if filled == color]
    check(pane, side, rects, start, end)


@DRAWN
@given(TEXTS, st.data())
def test_what_is_found_is_framed_where_it_is(view, letters, data):
    source, start, end = drawn_parts(letters, data)
    view.show_comparison(compare(("a", "b"), (source, "b"), NUMBERS, []))
    pane, side = view.panes[0], view._comparison.sides[0]
    pane.show_found(FoundSpans.of(side.text, [start], [end]))
    recorder = Recorder()

    pane._marks.paint_above(
        recorder, pane.geometry_of_text.visible_blocks(), QRectF(pane.viewport().rect())
    )

    check(pane, side, recorder.framed, start, end)


@DRAWN
@given(TEXTS, st.data())
def test_what_is_set_aside_is_greyed_where_it_is(view, letters, data):
    source, start, end = drawn_parts(letters, data)
    aside = ((SetAside(start, end),), ())
    view.show_comparison(compare(("a", "b"), (source, "b"), NUMBERS, [], set_aside=aside))
    pane, side = view.panes[0], view._comparison.sides[0]
    recorder = Recorder()

    pane_marks.paint_aside(
        recorder,
        side,
        pane.geometry_of_text.visible_blocks(),
        QRectF(pane.viewport().rect()),
        pane.font(),
    )

    check(pane, side, [rect for rect, _ in recorder.filled], start, end)


def test_the_first_letter_after_a_change_of_direction_is_covered(view):
    source = "من (according to the map) على"
    start = source.index("according")
    end = start + len("according")
    passage = Passage(start, end, 0, 1, 3, (Run(start, end, 0, 1, 3),))
    view.show_comparison(compare(("a", "b"), (source, "b"), NUMBERS, [passage]))
    pane, side = view.panes[0], view._comparison.sides[0]
    pane.set_current(None)
    recorder = Recorder()

    pane._marks.highlights.paint(
        recorder, pane.geometry_of_text.visible_blocks(), QRectF(pane.viewport().rect())
    )

    color = passage_color(view._comparison.marks[0]).fill
    check(pane, side, [rect for rect, filled in recorder.filled if filled == color], start, end)
