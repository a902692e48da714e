"""Words that were exchanged in a reworked passage: marked, told by what, and counted above."""

import pytest
from PySide6.QtCore import QRectF

from core.evidence.passage import Exchange, Run
from core.evidence.passages import Passage
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.views.compare.chips import PassageList
from neardup_gui.views.compare.highlights import (
    exchange_title,
    passage_label,
    passage_line,
    passage_sentence,
)
from neardup_gui.views.compare.view import CompareView

A = "the old mayor opened two bridges"
B = "an old major opens two bridges again"
NUMBERS = ComparisonNumbers(
    resemblance=0.5, containment_a=0.5, containment_b=0.5, longest_run=2, shared=9
)


def pair(**changes):
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
    return compare(("a.txt", "b.txt"), (A, B), NUMBERS, [passage])


@pytest.fixture
def view(qtbot):
    shown = CompareView()
    qtbot.addWidget(shown)
    shown.resize(1200, 600)
    shown.show_comparison(pair())
    shown.show()
    return shown


def test_a_passage_says_what_became_of_its_words():
    comparison = pair()

    assert passage_sentence(comparison, 0) == (
        "Passage 1 of 1 · 5 words in A, 5 in B · 3 the same, 1 in another form, 1 exchanged · "
        "no other of the 45 pairs of different texts has as strong a passage"
    )
    assert passage_sentence(comparison, None) == "1 shared passage · 3 the same in all"
    assert passage_label(comparison.marks[0]) == "5 words, 3 the same"


def test_words_that_were_moved_inside_are_said():
    (mark,) = pair(moved_words=2, near=0, exchanged=2).marks

    assert passage_line(mark) == "5 words in A, 5 in B · 3 the same (2 of them moved), 2 exchanged"


def test_a_passage_that_is_the_same_throughout_says_its_length():
    (mark,) = pair(a_tokens=3, b_tokens=3, near=0, exchanged=0, exchanges=()).marks

    assert passage_line(mark) == "3 words"


def test_the_mouse_over_a_word_says_what_stands_in_its_place(view):
    texts = [view._comparison.sides[0].text, view._comparison.sides[1].text]
    marks = [pane._marks for pane in view.panes]

    for side, words, said in (
        (0, "mayor", "Exchanged: “mayor”, in B “major”"),
        (1, "major", "Exchanged: “major”, in A “mayor”"),
        (0, "opened", "Another form: “opened”, in B “opens”"),
    ):
        place = texts[side].span((A, B)[side].index(words), (A, B)[side].index(words) + 1)[0]
        assert said in marks[side].title_at(place).splitlines()
    place = texts[0].span(A.index("bridges"), A.index("bridges") + 1)[0]
    assert "xchanged: “" not in marks[0].title_at(place)


def test_sides_that_change_places_take_their_words_along():
    comparison = pair().swapped()

    side = comparison.sides[0]
    assert [(one.here, one.there) for one in side.instead] == [
        ("major", "mayor"),
        ("opens", "opened"),
    ]
    assert exchange_title(side.instead[0], 0) == "Exchanged: “major”, in B “mayor”"


def test_long_words_are_cut_in_what_is_said():
    one = pair().sides[0].instead[0]._replace(here="word\n" * 99)

    assert len(exchange_title(one, 0)) < 130


def test_the_header_says_which_passage_is_read(view, qtbot):
    sentence = view.header._sentence
    view.header.set_current(None)
    assert sentence.isVisible()
    assert sentence.text().startswith("1 shared passage")

    view.header.set_current(0)

    assert sentence.text().startswith("Passage 1 of 1 · 5 words in A")
    listed = PassageList(view._comparison, 0, view, folded=False)
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


def test_a_wave_is_drawn_below_exchanged_words_and_no_others(view):
    pane = view.panes[0]
    painter = Painter()
    blocks = pane.geometry_of_text.visible_blocks()

    pane._marks.highlights.paint(painter, blocks, QRectF(pane.viewport().rect()))

    side = view._comparison.sides[0]
    layout, block = blocks[0].layout, blocks[0]
    line = layout.lineAt(0)
    wanted = []
    for word in ("mayor", "opened"):
        start, end = side.text.span(A.index(word), A.index(word) + len(word))
        wanted += [line.cursorToX(start - block.start)[0], line.cursorToX(end - block.start)[0]]
    drawn = [x for wave in painter.waves for x in wave]
    assert drawn == pytest.approx(wanted, abs=1)
