"""What a reader does not see: framed where it stands, said in the tool tip and for ears."""

import pytest

from core.text.disguises import find_disguise_marks
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.views.compare.view import CompareView

NUMBERS = ComparisonNumbers(
    resemblance=0.5, containment_a=0.6, containment_b=0.7, longest_run=9, shared=80
)
TEXT = "The pаper was reаd to\u3164all of us, and it was wel\u200b\u200bcome."


def pair(marks):
    return compare(("a.txt", "b.txt"), (TEXT, "nothing"), NUMBERS, [], marked=(marks, ()))


@pytest.fixture
def view(qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    with qtbot.waitExposed(view):
        view.show()
    return view


def test_marks_are_said(view):
    view.show_comparison(pair(find_disguise_marks(TEXT)))
    pane, side = view.panes[0], view._comparison.sides[0]

    titles = [pane._marks.title_at(start) for start in side.disguises.starts]
    assert titles == [
        "Not what it seems: Cyrillic а.",
        "Not what it seems: Cyrillic а.",
        "Not what it seems: hangul filler.",
        "Not what it seems: zero width space, and 1 more here.",
    ]
    assert pane._marks.title_at(side.text.shown.index("us")) == ""
    assert pane.accessibleDescription() == (
        "4 marks of what is not seen: 2 × letter of another script, 1 × blank that is no space, "
        "2 × invisible character"
    )
    assert view.panes[1].accessibleDescription() == ""


def test_frames_are_drawn(view):
    view.show_comparison(pair(()))
    plain = view.panes[0].grab().toImage()

    view.show_comparison(pair(find_disguise_marks(TEXT)))

    assert view.panes[0].grab().toImage() != plain
