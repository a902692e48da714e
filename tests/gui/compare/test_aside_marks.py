"""Text that does not count: grey, with its reason where it begins, in the tool tip and for ears."""

import pytest
from PySide6.QtWidgets import QApplication

from core.text.set_aside import Reason, SetAside
from neardup_gui.environment.theme import Scheme, Theme, colors, mix
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.views.compare.pane_marks import VEIL
from neardup_gui.views.compare.view import CompareView

NUMBERS = ComparisonNumbers(
    resemblance=0.5, containment_a=0.6, containment_b=0.7, longest_run=9, shared=80
)
TASK = "Describe the trees of a street of your choice and say who takes care of them. " * 2
TEXT = f"{TASK}\n\nThe oak stands. “A quotation.” It is old."


def pair(*spans):
    return compare(("a.txt", "b.txt"), (TEXT, "nothing"), NUMBERS, [], set_aside=(spans, ()))


def span_of(words, reason):
    start = TEXT.index(words)
    return SetAside(start, start + len(words), reason)


@pytest.fixture
def view(qtbot):
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    with qtbot.waitExposed(view):
        view.show()
    return view


BOTH = (span_of(TASK, Reason.ASSIGNMENT), span_of("“A quotation.”", Reason.QUOTATION))


def test_spans_are_where_their_words_are_and_long_ones_have_room_for_the_reason():
    side = pair(*BOTH).sides[0]

    parts = list(zip(side.aside.starts, side.aside.ends, strict=True))
    assert [side.text.shown[start:end] for start, end in parts] == [TASK, "“A quotation.”"]
    room, none = (side.text.shown[start:end] for start, end in side.labels)
    assert len(room) > len("assignment text")
    assert not room.strip("\u00a0")
    assert none == ""


def test_parts_that_lie_over_each_other_are_greyed_once():
    side = pair(
        SetAside(0, 50, Reason.TEMPLATE), SetAside(10, 60, Reason.COMMON), SetAside(20, 30)
    ).sides[0]

    reasons = dict(zip(side.aside.starts, side.reasons, strict=True))
    assert list(reasons.values()) == ["template", "common passage"]
    assert side.aside.ends[0] <= side.aside.starts[1]


def test_the_reason_is_said(view):
    view.show_comparison(pair(*BOTH))
    pane, side = view.panes[0], view._comparison.sides[0]

    assert pane._marks.title_at(side.aside.starts[1]) == "Set aside: quotation. It does not count."
    assert pane._marks.title_at(side.text.shown.index("oak")) == ""
    assert pane.accessibleDescription() == ("2 parts set aside: 1 × assignment text, 1 × quotation")
    assert view.panes[1].accessibleDescription() == ""


def test_grey_is_drawn(view):
    view.show_comparison(pair())
    plain = view.panes[0].grab().toImage()

    view.show_comparison(pair(BOTH[1]))

    assert view.panes[0].grab().toImage() != plain


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_grey_text_can_be_read(qapp, scheme):
    theme = Theme(QApplication.instance())
    theme.apply(scheme)
    now = colors()
    grey = mix(now.base, now.text, VEIL[now.dark])
    theme.apply(Scheme.LIGHT)

    assert contrast(grey, now.base) >= 4.5


def contrast(one, other):
    """As WCAG 2.2 defines it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color):
    parts = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in color.getRgbF()[:3]
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
