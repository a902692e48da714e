"""The files of a submission have headings in its text."""

import pytest

from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.models.compare.side import Origin
from neardup_gui.views.compare.view import CompareView

NUMBERS = ComparisonNumbers(
    resemblance=0.5, containment_a=0.6, containment_b=0.7, longest_run=9, shared=80
)


@pytest.fixture
def view(qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    with qtbot.waitExposed(view):
        view.show()
    return view


def test_the_lines_with_the_names_of_files_are_headings(view):
    text = "one.txt\n\nThe first.\n\ntwo.txt\n\nThe second."
    origin = Origin("submission", members=(text.index("The first"), text.index("The second")))
    view.show_comparison(compare(("a", "b"), (text, "b"), NUMBERS, [], (origin, Origin())))

    side = view._comparison.sides[0]
    lines = [side.text.shown[start:].partition("\n")[0] for start in sorted(side.headings)]
    assert lines == ["one.txt", "two.txt"]
    assert view.panes[0].grab()
