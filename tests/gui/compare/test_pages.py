"""Pages: form feeds become marks, places are cited, and highlights stay where they belong."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from core.base.messages import in_language, load_language
from core.evidence.pairs import PairFigures
from core.evidence.passage import Run
from core.evidence.passages import Passage, find_passages
from core.settings import DEFAULT_PRESET
from core.text.set_aside import SetAside
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.comparison import ComparisonNumbers, compare
from neardup_gui.models.compare.side import LONGEST_LINE, FoundSpans, Origin, display
from neardup_gui.views.compare import text_pane
from neardup_gui.views.compare.chips import PassageList
from neardup_gui.views.compare.highlights import MOST_REMARKS, passage_color
from neardup_gui.views.widgets.labels import scaled

NUMBERS = ComparisonNumbers(
    figures=PairFigures(0.5, 0.6, 0.7, longest_run=9, shared_shingles=80, run_words=9)
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
DRAWN = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


class Recorder:
    """Takes what is filled and framed, with what; has no use for the rest."""

    def __init__(self):
        self.filled, self.framed, self.rounded = [], [], []

    def fillRect(self, rect, color):  # noqa: N802
        self.filled.append((QRectF(rect), color))

    def drawRoundedRect(self, rect, *_radii):  # noqa: N802
        self.rounded.append(QRectF(rect))

    def drawRect(self, rect):  # noqa: N802
        self.framed.append(QRectF(rect))

    def __getattr__(self, _name):
        return lambda *_: None


@pytest.fixture
def drawn_view(view):
    view.resize(900, 1400)
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
        for index in range(len(side.text.source)):
            start, end = side.text.span(index, index + 1)
            if not block.start <= start < end <= block.start + block.length:
                continue
            line = layout.lineForTextPosition(start - block.start)
            area = QRectF()
            for run in line.glyphRuns(start - block.start, end - start):
                area = area.united(run.boundingRect())
            natural = line.naturalTextRect()
            seen = natural.left() <= area.center().x() <= natural.right()
            if area.width() > 1.5 and seen:
                yield index, area.center().x(), block.top + line.y() + line.height() / 2


def covered(rects, x, y):
    return any(rect.contains(x, y) for rect in rects)


def check(pane, side, rects, start, end):
    seen = list(boxes(pane, side))
    assert seen or not side.text.source.strip("\u202e\u202c \t\r\n\f\u2028\u00a0")
    for index, x, y in seen:
        letter = side.text.source[index]
        if not letter.isspace():  # those at the ends of lines have no place
            assert covered(rects, x, y) == (start <= index < end), (index, letter)


def drawing(pane, recorder):
    return pane.drawing(recorder, QRectF(pane.viewport().rect()))


def test_a_sentence_that_the_other_text_repeats_is_drawn_once(drawn_view):
    sentence, times = "The quick brown fox jumps over the lazy dog. ", 1500
    size = len(sentence)
    runs = [Run(0, size - 1, n * size, n * size + size - 1, 9) for n in range(times)]
    passages = [Passage(*run[:4], 9, (run,)) for run in runs]
    drawn_view.show_comparison(compare(("a", "b"), (sentence, sentence * times), NUMBERS, passages))
    pane, recorder = drawn_view.panes[0], Recorder()
    pane.set_current(3)
    clip = QRectF(pane.viewport().rect())

    pane._marks.highlights.paint(pane.drawing(recorder, clip))

    strong = passage_color(drawn_view._comparison.marks[3]).strong
    assert [color for _, color in recorder.filled].count(strong) == 1
    assert len(recorder.filled) < 10
    assert 0 < len(recorder.rounded) < times
    assert all(rect.top() <= clip.bottom() for rect in recorder.rounded)


@DRAWN
@given(TEXTS, st.data())
def test_passages_are_drawn_where_they_are(drawn_view, letters, data):
    source, start, end = drawn_parts(letters, data)
    run = Run(start, end, 0, 1, 3)
    passage = Passage(start, end, 0, 1, 3, (run,))
    drawn_view.show_comparison(compare(("a", "b"), (source, "b"), NUMBERS, [passage]))
    pane, side = drawn_view.panes[0], drawn_view._comparison.sides[0]
    pane.set_current(None)
    color = passage_color(drawn_view._comparison.marks[0]).fill
    recorder = Recorder()

    pane._marks.highlights.paint(drawing(pane, recorder))

    rects = [rect for rect, filled in recorder.filled if filled == color]
    check(pane, side, rects, start, end)


@DRAWN
@given(TEXTS, st.data())
def test_what_is_found_is_framed_where_it_is(drawn_view, letters, data):
    source, start, end = drawn_parts(letters, data)
    drawn_view.show_comparison(compare(("a", "b"), (source, "b"), NUMBERS, []))
    pane, side = drawn_view.panes[0], drawn_view._comparison.sides[0]
    pane.show_found(FoundSpans.of(side.text, [start], [end]))
    recorder = Recorder()

    pane._marks.paint_above(drawing(pane, recorder))

    check(pane, side, recorder.framed, start, end)


@DRAWN
@given(TEXTS, st.data())
def test_what_is_set_aside_is_greyed_where_it_is(drawn_view, letters, data):
    source, start, end = drawn_parts(letters, data)
    excluded = ((SetAside(start, end),), ())
    drawn_view.show_comparison(compare(("a", "b"), (source, "b"), NUMBERS, [], set_aside=excluded))
    pane, side = drawn_view.panes[0], drawn_view._comparison.sides[0]
    recorder = Recorder()

    text_pane.paint_excluded(drawing(pane, recorder), side, pane.font())

    check(pane, side, [rect for rect, _ in recorder.filled], start, end)


def test_the_first_letter_after_a_change_of_direction_is_covered(drawn_view):
    source = "من (according to the map) على"
    start = source.index("according")
    end = start + len("according")
    passage = Passage(start, end, 0, 1, 3, (Run(start, end, 0, 1, 3),))
    drawn_view.show_comparison(compare(("a", "b"), (source, "b"), NUMBERS, [passage]))
    pane, side = drawn_view.panes[0], drawn_view._comparison.sides[0]
    pane.set_current(None)
    recorder = Recorder()

    pane._marks.highlights.paint(drawing(pane, recorder))

    color = passage_color(drawn_view._comparison.marks[0]).fill
    check(pane, side, [rect for rect, filled in recorder.filled if filled == color], start, end)


PAGED = st.text(st.sampled_from("ab \n\f😀é\u2028"), max_size=60)
PROSE = "The survey was carried out in three districts between April and June of that year. "


def paged(*pages):
    return "\f".join(pages)


PDFS = (Origin("pdf"), Origin("pdf"))


def pair(text_a, text_b, passages=(), origins=PDFS):
    return compare(("a.pdf", "b.pdf"), (text_a, text_b), NUMBERS, passages, origins)


def lines_of(text):
    """The lines shown, with the display position at which each begins; in UTF-16 units."""
    units = text.shown.encode("utf-16-le")
    position, lines = 0, {}
    for line in text.shown.split("\n"):
        lines[position] = line
        position += len(line.encode("utf-16-le")) // 2 + 1
    assert len(units) // 2 == position - 1
    return lines


@given(PAGED, st.data())
def test_every_form_feed_has_a_line_of_its_own(source, data):
    positions = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=4)))
    text, _ = display(source, [(position, number) for number, position in enumerate(positions, 1)])
    lines = lines_of(text)

    assert len(text.page_marks) == source.count("\f") == text.pages - 1
    for position, page in text.page_marks.items():
        assert set(lines[position]) == {"\u00a0"}
        assert 2 <= page <= text.pages


@given(PAGED, st.data())
def test_the_page_of_a_place_counts_the_form_feeds_before_it(source, data):
    text, _ = display(source, [])
    position = data.draw(st.integers(0, len(source)))

    assert text.page_of(position) == 1 + source.count("\f", 0, position)
    assert text.page_at(int(text.starts[position])) == text.page_of(position)


@given(PAGED, st.data())
def test_spans_are_exact_across_pages(source, data):
    text, _ = display(source, [(0, 1)])
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))

    first, last = text.source_span(*text.span(start, end))
    assert source[first:last] == source[start:end]


def test_a_page_ends_a_line_however_it_is_written():
    for between in ("\f", "\n\f", "\f\n", "\n\n\f\n"):
        text, _ = display(f"one{between}two", [])
        assert [line for line in text.shown.split("\n") if line] == ["one", "\u00a0", "two"]


def test_empty_pages_have_their_marks():
    text, _ = display("one\f\f\fFour", [])

    assert sorted(text.page_marks.values()) == [2, 3, 4]


def test_lines_of_a_fixed_width_run_on_within_their_page_only():
    wrapped = "\n".join([PROSE.strip()[:70].rpartition(" ")[0], "and so it goes on,"] * 20)
    text, _ = display(f"{wrapped}\f{wrapped}", [])
    alone, _ = display(wrapped, [])

    assert text.shown.split("\n\u00a0\n") == [alone.shown, alone.shown]


def test_a_long_line_is_broken_by_its_own_length():
    text, _ = display("\f".join(["word " * 200] * 20), [])

    assert all(len(line) <= LONGEST_LINE for line in text.shown.split("\n"))
    assert text.shown.count("\n") == 2 * 19


@pytest.mark.parametrize(
    ("kind", "single", "several"),
    [
        ("pdf", "p. 2", "pp. 2–3"),
        ("text", "p. 2", "pp. 2–3"),
        ("pptx", "slide 2", "slides 2–3"),
        ("odp", "slide 2", "slides 2–3"),
        ("xlsx", "sheet 2", "sheets 2–3"),
        ("ods", "sheet 2", "sheets 2–3"),
    ],
)
def test_places_are_cited_as_their_format_does(kind, single, several):
    assert Origin(kind).cite(2, 2) == single
    assert Origin(kind).cite(2, 3) == several


def test_a_format_is_named_in_the_language_of_the_reader():
    with in_language(load_language("de")):
        assert Origin("html").describe(1, 1) == "Webseite"
        assert Origin("pdf").describe(1, 1).startswith("PDF")
        assert Origin("text").describe(1, 1) == ""


def test_a_passage_says_its_pages_and_swaps_them():
    text_a = paged("Something else. ", PROSE, PROSE)
    text_b = PROSE + PROSE
    start = text_a.index(PROSE)
    passage = Passage(start, len(text_a), 0, len(text_b), 30, (Run(start, start + 9, 0, 9, 2),))
    comparison = pair(text_a, text_b, [passage])

    assert comparison.marks[0].pages == ("pp. 2–3", "")
    assert comparison.swapped().marks[0].pages == ("", "pp. 2–3")


def shared_pair():
    text = paged(*(f"{PROSE} Page {number} says so. " * 9 for number in range(1, 41)))
    return pair(text, text, find_passages(text, text, DEFAULT_PRESET.settings))


def test_page_marks_are_drawn_across_the_column(view):
    view.show_comparison(pair(paged("one two", "three"), "one two three"))
    pane = view.panes[0]
    mark = pane.geometry_of_text.visible_blocks()[1]
    picture = pane.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()
    middle = round((mark.top + mark.height / 2) * ratio)
    x = round((pane._layout.column.left + 20) * ratio)
    drawn = {picture.pixelColor(x, y).name() for y in range(middle - 3, middle + 3)}

    assert colors().border.name() in drawn
    bare = view.panes[1].viewport().grab().toImage()
    assert {bare.pixelColor(x, y).name() for y in range(middle - 3, middle + 3)} == {
        colors().base.name()
    }


def test_no_passage_is_painted_over_a_page_mark(view):
    view.show_comparison(shared_pair())
    pane = view.panes[0]
    block = next(
        block
        for block in pane.geometry_of_text.visible_blocks()
        if block.start in pane._side.text.page_marks
    )
    picture = pane.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()
    x = round((pane._layout.column.left + 1) * ratio)
    rows = range(round((block.top + 3) * ratio), round((block.top + block.height - 3) * ratio))

    assert {picture.pixelColor(x, y).name() for y in rows} <= {
        colors().base.name(), colors().border.name()
    }  # fmt: skip


def test_the_header_says_the_page_that_is_read(view):
    view.show_comparison(shared_pair())
    detail = view.header._names._documents[0].detail
    assert detail.text() == "PDF, p. 1 of 40"

    view.panes[0].scroll_to_share(1.0)

    assert detail.text() == "PDF, p. 40 of 40"
    assert view.header._names._documents[1].detail.text() == "PDF, p. 40 of 40"

    view.setFont(scaled(view.font(), 1.3))
    QApplication.sendPostedEvents()
    assert detail.isVisible()
    assert detail.width() >= detail.sizeHint().width()


def test_plain_texts_say_no_format_and_no_page(view):
    view.show_comparison(compare(("a.txt", "b.txt"), ("one", "one"), NUMBERS, []))

    for document in view.header._names._documents:
        assert document.detail.text() == ""
        assert document.remarks.isHidden()


def test_remarks_are_shown_when_asked_for(view, qtbot):
    remarked = Origin("docx", ("3 tracked deletions are not part of the text.", "So it is."))
    view.show_comparison(pair("one", "two", origins=(remarked, Origin("pdf"))))
    document = view.header._names._documents[0]
    assert document.detail.text() == "Word (docx)"
    assert document.remarks.text() == "2 remarks"
    assert view.header._remarks.isHidden()

    document.remarks.click()
    assert view.header._remarks.text().split("\n") == ["a.pdf:", *remarked.remarks]
    document.remarks.click()
    assert view.header._remarks.isHidden()


def test_of_very_many_remarks_the_first_are_shown(view):
    remarks = tuple(f"Remark {number}." for number in range(100))
    view.show_comparison(pair("one", "two", origins=(Origin("docx", remarks), Origin("pdf"))))
    view.header._names._documents[0].remarks.click()

    lines = view.header._remarks.text().split("\n")
    assert lines[1:3] == ["Remark 0.", "Remark 1."]
    assert lines[-1] == f"And {100 - MOST_REMARKS} more; “Problems” lists them all."


def test_the_format_gives_way_to_long_names_but_remarks_do_not(view):
    name = "a very long name " * 9
    origins = (Origin("docx", ("A remark.",)), Origin("pdf"))
    comparison = compare((name, name), ("one", "two"), NUMBERS, [], origins)
    view.show_comparison(comparison)
    documents = view.header._names._documents

    assert all(document.detail.isHidden() for document in documents)
    assert documents[0].remarks.isVisible()
    assert documents[1].name.geometry().right() <= view.header._names.width()


def test_a_selection_is_copied_with_its_source_and_page(view):
    view.show_comparison(pair(paged("one", "two three", "four"), "one"))
    pane = view.panes[0]
    pane.place_cursor(*pane._side.text.span(4, 7))
    pane.copy_quotation()
    assert QGuiApplication.clipboard().text() == "“two” (a.pdf, p. 2)"

    pane.selectAll()
    pane.copy_quotation()
    assert QGuiApplication.clipboard().text() == "“one two three four” (a.pdf, pp. 1–3)"
    pane.copy()
    assert QGuiApplication.clipboard().text() == "one\ntwo three\nfour"


def test_the_list_of_passages_says_their_pages(view, qtbot):
    listed = PassageList(shared_pair(), 0, view, folded=True)
    qtbot.addWidget(listed)

    assert "A pp. 1–40, B pp. 1–40" in listed.item(0).text()


def test_a_list_of_passages_takes_esc_and_a_click_beside_it_for_itself(view, qtbot):
    listed = PassageList(shared_pair(), 0, view, folded=True)
    kind, none = QEvent.Type.ShortcutOverride, Qt.KeyboardModifier.NoModifier
    escape = QKeyEvent(kind, Qt.Key.Key_Escape, none)
    escape.ignore()
    QApplication.sendEvent(listed, escape)
    assert escape.isAccepted()  # or it would lead back to the table

    left, beside = Qt.MouseButton.LeftButton, QPointF(-40, 30)
    click = QMouseEvent(
        QEvent.Type.MouseButtonPress, beside, listed.mapToGlobal(beside), left, left, none
    )
    qtbot.until(listed.destroyed, QApplication.sendEvent, listed, click)


def test_a_phrase_is_found_across_a_page(view, qtbot):
    view.show_comparison(pair(paged("one two", "three four"), "nothing"))

    with qtbot.waitSignal(
        view.finder.counted, check_params_cb=lambda _at, _of, is_all: is_all
    ) as blocker:
        view.finder.find("two three")

    assert blocker.args == [1, 1, True]


def test_passages_are_opposite_each_other_over_thousands_of_pages(view):
    pages = paged(*(f"Sheet {number} is empty but for this. " for number in range(5_000)))
    shared = PROSE * 3
    text_a, text_b = pages + "\f" + shared, shared + "\f" + pages
    passage = Passage(
        len(pages) + 1, len(text_a), 0, len(shared), 40,
        (Run(len(pages) + 1, len(text_a), 0, len(shared), 40),),
    )  # fmt: skip
    comparison = pair(text_a, text_b, [passage])
    view.show_comparison(comparison)
    view.select_passage(0)

    assert comparison.marks[0].pages == ("p. 5,001", "p. 1")
    tops = [
        pane.geometry_of_text.line_top(side.extents[0][0])
        for pane, side in zip(view.panes, comparison.sides, strict=True)
    ]
    assert abs(tops[0] - tops[1]) <= view.panes[0]._layout.column.pitch


COPY_AND_QUIT = """
import sys
from pathlib import Path
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
sys.path.insert(0, sys.argv[1])
import test_pages
from neardup_gui.views.compare.view import CompareView

application = QApplication([])
view = CompareView()
view.show_comparison(test_pages.pair(test_pages.paged("one", "two three", "four"), "one"))
view.panes[0].selectAll()
view.panes[0].copy()
assert QGuiApplication.clipboard().text() == "one\\ntwo three\\nfour"
"""


def test_the_program_ends_in_order_after_something_was_copied():
    folder = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", COPY_AND_QUIT, str(folder)],
        cwd=folder.parents[2],
        check=False,
        stderr=subprocess.PIPE,
        text=True,
    )

    assert done.returncode == 0, done.stderr
