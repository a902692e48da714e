"""A running job in words: the stage, how far, how long still."""

import pytest
from PySide6.QtCore import QLocale

from core.base.tasks import ProgressReport, Stage
from neardup_gui.models.words.numbers import duration, time_left
from neardup_gui.models.words.progress import ProgressLine, ProgressLines
from neardup_gui.views.shell.status import StatusLine


@pytest.fixture(autouse=True)
def english_numbers():
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def lines(clock):
    return ProgressLines(clock)


def tell_evenly(lines, clock, seconds, *, speed=100, total=10_000, stage=Stage.READ):
    """The last line after so many seconds of reports at an even speed."""
    line = lines.line_for(ProgressReport(stage, 0, total))
    for tenth in range(1, round(10 * seconds) + 1):
        clock.now += 0.1
        line = lines.line_for(ProgressReport(stage, round(speed * tenth / 10), total))
    return line


def test_an_unknown_total_has_neither_share_nor_time(lines):
    line = lines.line_for(ProgressReport(Stage.DISCOVER, 1234, 0))

    assert (line.share, line.amount, line.left) == (None, "1,234 documents", "")


def test_nothing_done_of_nothing_known_says_nothing(lines):
    assert lines.line_for(ProgressReport(Stage.DISCOVER, 0, 0)).amount == ""


def test_amounts_are_counted_in_words(lines):
    assert lines.line_for(ProgressReport(Stage.READ, 1, 1)).amount == "1 of 1 document"
    assert lines.line_for(ProgressReport(Stage.READ, 5, 2000)).amount == "5 of 2,000 documents"
    assert lines.line_for(ProgressReport(Stage.COMPARE, 5, 64)).amount == "7%"
    assert lines.line_for(ProgressReport(Stage.SAVE, 1, 2)).amount == "1 of 2 documents"
    assert lines.line_for(ProgressReport(Stage.OPEN, 0, 2)).amount == "0 of 2 documents"


def test_no_time_is_guessed_in_the_first_second(lines, clock):
    assert tell_evenly(lines, clock, 0.9).left == ""


def test_an_even_speed_gives_the_time_that_is_left(lines, clock):
    line = tell_evenly(lines, clock, 20)

    assert line.share == pytest.approx(0.2)
    assert line.left == "about 1 minute left"


def test_the_last_seconds_are_not_counted_down(lines, clock):
    assert tell_evenly(lines, clock, 9, total=1000).left == ""


def test_a_new_stage_starts_a_new_guess(lines, clock):
    tell_evenly(lines, clock, 20)

    assert tell_evenly(lines, clock, 0.5, stage=Stage.COMPARE).left == ""


def test_one_slow_file_does_not_shake_the_guess(lines, clock):
    tell_evenly(lines, clock, 20)
    clock.now += 1.0

    line = lines.line_for(ProgressReport(Stage.READ, 2001, 10_000))

    assert line.left == "about 2 minutes left"


def test_no_time_is_guessed_while_one_file_takes_long(lines, clock):
    tell_evenly(lines, clock, 20)
    stuck = ProgressReport(Stage.READ, 2000, 10_000)
    clock.now += 4.0
    assert lines.line_for(stuck).left == "about 1 minute left"

    clock.now += 2.0
    assert lines.line_for(stuck).left == ""
    assert lines.line_for(stuck).amount == "2,000 of 10,000 documents"

    assert lines.line_for(ProgressReport(Stage.READ, 2600, 10_000)).left == "about 1 minute left"


def test_documents_that_all_take_long_may_take_as_long_again(lines, clock):
    tell_evenly(lines, clock, 60, speed=0.1, total=20)
    clock.now += 10.0

    assert lines.line_for(ProgressReport(Stage.READ, 6, 20)).left == "about 2 minutes left"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "about a second left"),
        (4.2, "about 4 s left"),
        (12.4, "about 10 s left"),
        (48, "about 50 s left"),
        (55, "about 1 minute left"),
        (150, "about 2 minutes left"),
        (59 * 60, "about 59 minutes left"),
        (3600, "about 1 hour left"),
        (7500, "about 2 hours left"),
    ],
)
def test_the_time_left_is_no_more_exact_than_the_guess(seconds, words):
    assert time_left(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.01, "under 0.1 s"), (2.14, "2.1 s"), (9.96, "10 s"), (185, "3 min 5 s")],
)
def test_a_duration_reads_like_one(seconds, words):
    assert duration(seconds) == words


def test_the_status_line_never_needs_room_for_progress_and_summary_at_once(qtbot):
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_summary("212 documents, 64 pairs listed, 3 problems, 4 other files · 2.1 s")
    line.resize(640, 30)
    line.show()

    line.show_progress(ProgressLine("Looking for documents", None, "", ""))
    line.show_progress(ProgressLine("Reading documents", 0.5, "24 of 55 documents", ""))
    line.show_summary("212 documents, 64 pairs listed, 3 problems, 4 other files · 2.1 s")

    assert line.width() == 640
