"""The guided tour: seven steps, each computed by the engine when something is moved."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel

from core.base.assets import resource
from core.base.wording import resemblance
from core.evidence.overlap import figures_of
from core.lessons import changed_copy
from core.settings import PRESETS, ScanSettings
from neardup_gui.jobs.tasks import Tasks
from neardup_gui.models.tour.list_steps import SEED, marked_text
from neardup_gui.models.tour.steps import Excerpt, Knob, Step, TourState, first_sentence
from neardup_gui.presenter.tour_session import TourSession, compute_step, read_texts
from neardup_gui.views.tour.page import TourWindow
from neardup_gui.views.widgets.buttons import PushButton
from neardup_gui.views.widgets.labels import LinkLabel
from neardup_gui.window.menus import Action
from tests.gui.everywhere.walking import scan

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)


@pytest.fixture(scope="module")
def texts():
    return read_texts(resource("sample"))


@pytest.fixture
def show(texts):
    return lambda step, state: compute_step(step, state, texts)


@pytest.fixture
def tour(window, qtbot):
    window._actions[Action.TOUR].trigger()
    shown = window.findChild(TourWindow)
    qtbot.waitUntil(lambda: shown.pages[Step.SHINGLES].rows.count() > 0)
    return shown


def words_of(page):
    return page.finding.text()


@given(st.lists(st.tuples(st.sampled_from(Knob), st.floats(0, 1)), max_size=12))
def test_whatever_is_moved_the_settings_hold(moves):
    state = TourState()
    for knob, share in moves:
        low, high = state.bounds(knob)
        state = state.with_value(knob, low + share * (high - low))
        low, high = state.bounds(knob)
        assert low <= state.value(knob) <= high

    choice = state.choice
    assert choice.bands * choice.rows <= choice.signature_size
    assert state.scan_settings.bands == choice.bands  # they are checked when they are made
    assert state.signing.signature_size == choice.signature_size


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_tour_begins_with_the_shingles_of_any_settings(preset):
    for changes in (
        {},
        {"signature": "simhash", "bag": True},
        {"k": 3, "min_passage": 3},
        {"k": 64},
    ):
        settings = preset.settings.with_changes(**changes)

        state = TourState.of(settings, Excerpt())

        assert (state.settings.unit, state.settings.k) == (settings.unit, settings.k)
        other_unit = state.with_unit("char" if settings.unit == "word" else "word")
        assert other_unit.scan_settings.unit != settings.unit


@pytest.mark.parametrize("step", Step)
@pytest.mark.parametrize("end", [0, 1])
def test_every_step_shows_something_at_both_ends_of_what_can_be_moved(show, step, end):
    state = TourState()
    for knob in step.value.knobs:
        state = state.with_value(knob, state.bounds(knob)[end])

    shown = show(step, state)

    assert shown.finding.endswith(".")
    assert "nan" not in shown.finding
    assert shown.chart or shown.sets
    if shown.chart:
        assert shown.chart.words
        for series in shown.chart.series:
            assert all(0 <= y <= shown.chart.top for _, y in series.points)


def test_every_step_bears_the_longest_shingles(show):
    state = TourState.of(ScanSettings(k=64), Excerpt())
    for step in Step:
        assert show(step, state).finding
    assert "of 64 words" in show(Step.SHINGLES, state).rows_title
    assert state.bounds(Knob.PASSAGE)[0] == state.passage == 64


def test_the_resemblance_is_that_of_the_texts(show, texts):
    for changed in (0, 10, 60, 100):
        shown = show(Step.RESEMBLANCE, replace(TourState(), changed=changed))

        copy = changed_copy(texts.essay, changed / 100, SEED)
        figures = figures_of(texts.essay, copy, ScanSettings())
        assert f"= {resemblance(figures.resemblance)}." in shown.finding
        assert shown.sets.both == figures.shared_shingles


def test_every_pair_of_the_sample_is_wanted_or_not_and_met_or_not(show, texts):
    shown = show(Step.THRESHOLD, TourState())

    number = len([text for text in texts.texts if text.strip()])
    dots = sum(len(series.points) for series in shown.chart.series if not series.joined)
    assert dots == number * (number - 1) / 2
    everything = show(Step.THRESHOLD, TourState().with_value(Knob.FILLED_ROWS, 1))
    assert " 0 missed" in everything.finding


def test_more_rows_miss_what_fewer_find(show):
    def missed(rows):
        state = TourState().with_value(Knob.FILLED_ROWS, rows)
        chart = show(Step.THRESHOLD, state).chart
        return next(len(series.points) for series in chart.series if series.name == "missed")

    assert missed(16) > missed(2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "Who closed"),
        ("   ", "Who closed"),
        ("one two", "fewer than k"),
        ("!!!", "no word in this text"),
        ("one two three four five six", "6 − 5 + 1 = 2 shingles"),
        ("a b c d e f a b c d e", "(6 of them different)"),
    ],
)
def test_any_text_of_the_user_can_be_cut(show, text, expected):
    shown = show(Step.SHINGLES, TourState().with_text(text))

    if expected == "Who closed":
        assert shown.sentence == show(Step.SHINGLES, TourState()).sentence
    else:
        assert expected in shown.finding
        assert shown.sentence == text


def test_copies_of_the_users_document_are_measured(show):
    text = " ".join(f"w{number}" for number in range(3000)) + "."
    excerpt = Excerpt("essays/mine.txt", document=text)

    shown = show(Step.SHINGLES, replace(TourState(), excerpt=excerpt))

    assert "the first 2,000 words of mine.txt" in shown.finding
    short = show(Step.SHINGLES, replace(TourState(), excerpt=Excerpt(text="too short")))
    assert short.chart is None
    assert "10 words or more" in short.finding


def test_chinese_is_cut_by_its_letters(show):
    shown = show(Step.SHINGLES, TourState().with_text("图书馆夜间开放调查报告和学生的意见"))

    assert [row.text for row in shown.rows][:2] == ["图书馆夜间", "书馆夜间开"]
    assert shown.chart


def test_the_first_sentence_is_no_heading():
    text = "# What is this?\n\nBy me.\n\nA sentence that is long enough to be cut,\nno less. More."

    assert first_sentence(text) == "A sentence that is long enough to be cut, no less."
    assert first_sentence("no end\n\nnor here") == "nor here"
    assert first_sentence("") == ""
    assert len(first_sentence("word " * 200)) <= 300


def test_marks_are_counted_as_qt_counts_and_end_with_the_paragraph():
    marked = marked_text("", "𝄞 one\ntwo\n\nthree", [(2, 16)])

    assert marked.text == "𝄞 one two\n\nthree"
    assert marked.spans == ((3, 10), (12, 17))


def test_the_tour_leads_through_seven_steps_by_keys(tour, qtbot):
    texts = set()
    for step in Step:
        assert tour.step is step
        page = tour.pages[step]
        qtbot.waitUntil(lambda page=page: "Reading" not in words_of(page))
        assert page.finding.isVisible()
        texts.add(words_of(page))
        if step is not Step.PASSAGES:
            qtbot.keyClick(tour, Qt.Key.Key_PageDown)
    assert len(texts) == len(Step)

    qtbot.keyClick(tour, Qt.Key.Key_PageUp)
    qtbot.keyClick(tour, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert tour.step is Step.CURVE
    qtbot.keyClick(tour, Qt.Key.Key_Escape)
    assert not tour.isVisible()


def test_what_is_moved_or_typed_shows_another_finding(tour, qtbot):
    page = tour.pages[Step.SHINGLES]
    field, length = page.knobs.text, page.knobs.rows[Knob.LENGTH].slider
    sentence, before = field.text(), length.value()

    length.setValue(7)
    qtbot.waitUntil(lambda: "shingles of 7 words" in page._rows_title.text())
    page.knobs.unit.setCurrentIndex(1)
    qtbot.waitUntil(lambda: "of 7 characters" in page._rows_title.text())
    page.knobs.unit.setCurrentIndex(0)
    length.setValue(before)

    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "one two three four five six")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.rows.count() == 2)
    assert page.rows.item(0).text() == "one two three four five"
    assert tour.step is Step.SHINGLES
    assert field.text() == "one two three four five six"

    # An empty field takes the text of the sample again.
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    assert field.text() == ""
    qtbot.waitUntil(lambda: field.placeholderText() == sentence)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == sentence


def test_what_k_does_is_shown_on_the_document_at_hand(window, qtbot, tmp_path):
    words = " ".join(f"word{number}" for number in range(300))
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(f"This is the first sentence of some length. {words}")
    scan(window, tmp_path, qtbot)

    setup = window.side_panels.setup
    link = next(label for label in setup.details.findChildren(LinkLabel) if "k do" in label.text())
    link.click()

    tour = window.findChild(TourWindow)
    page = tour.pages[Step.SHINGLES]
    qtbot.waitUntil(lambda: "one.txt" in words_of(page))
    assert page.knobs.text.text() == "This is the first sentence of some length."


def test_the_tour_opens_once_grows_with_the_text_and_closes(tour, window, qtbot):
    window.pages.start.tour.clicked.emit()
    assert window.findChildren(TourWindow) == [tour]
    buttons = [button.text() for button in window.pages.start.findChildren(PushButton)]
    assert "Take the tour" in buttons

    larger, rows = window._actions[Action.LARGER_TEXT], tour.pages[Step.SHINGLES].rows
    size, width = tour.font().pointSizeF(), rows.visualItemRect(rows.item(0)).width()
    assert larger in tour.actions()
    for _ in range(8):
        larger.trigger()
    qtbot.waitUntil(lambda: tour.font().pointSizeF() > size)
    qtbot.waitUntil(lambda: rows.visualItemRect(rows.item(0)).width() > width)

    qtbot.keyClick(tour, Qt.Key.Key_F11)
    assert tour.isFullScreen()
    qtbot.keyClick(tour, Qt.Key.Key_Escape)  # leaves the whole screen before it closes
    assert tour.isVisible()
    assert not tour.isFullScreen()
    qtbot.keyClick(tour, Qt.Key.Key_Escape)
    assert not tour.isVisible()


def test_every_step_is_accessible_and_fits_a_narrow_window(tour, qtbot):
    tour.resize(420, 500)
    for step in Step:
        tour.go_to(step)
        page = tour.pages[step]
        qtbot.waitUntil(lambda page=page: "Reading" not in words_of(page))
        for row in page.knobs.rows.values():
            assert row.slider.accessibleName()
            assert row.box.accessibleName()
        for picture in (page.chart, page.sets, page.cells):
            if picture.isVisible():
                interface = QAccessible.queryAccessibleInterface(picture)
                assert interface.text(QAccessible.Text.Name)
                assert interface.text(QAccessible.Text.Description)
        for reader in (page.rows, page.marked):
            assert not reader.isVisible() or reader.accessibleName()
        chain, widget = [], tour.steps.tabBar()
        while widget not in chain:
            chain.append(widget)
            widget = widget.nextInFocusChain()
        stops = (page.knobs, page.marked, tour._back, tour._next)
        places = [chain.index(stop) for stop in stops]
        assert places == sorted(places)
        assert page.width() <= tour.width()
        for label in page.findChildren(QLabel):
            if label.isVisible() and label.wordWrap():
                qtbot.waitUntil(
                    lambda label_shown=label: (
                        label_shown.height() >= label_shown.heightForWidth(label_shown.width())
                    )
                )


def test_a_sample_that_is_missing_is_reported(qtbot, tmp_path):
    tasks = Tasks()
    session = TourSession(tasks, tmp_path / "gone")
    failed = qtbot.until(session.failed, session.begin, TourState())
    tasks.stop()

    assert "gone" in failed[0]
