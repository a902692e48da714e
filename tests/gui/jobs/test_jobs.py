"""Jobs off the UI thread: one outcome each, the newest wins, nothing is left running."""

import gc
import os
import shutil
import subprocess
import sys
import threading
import weakref
from dataclasses import replace
from functools import partial
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QWidget

from core.base.memory import collector_paused
from core.base.progress_lines import ProgressLine, ProgressLines, time_left
from core.base.tasks import ProgressReport, Stage, WorkerPool, is_cancelled, stop_if_cancelled
from core.errors import FolderError, ScanCancelledError
from core.program import preparation
from core.scan import exercises, flow
from neardup_gui.jobs.tasks import SWITCH_INTERVAL, Lane, TaskKind, Tasks, current_task
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.window_state import SavedState
from neardup_gui.models.words.numbers import duration
from neardup_gui.presenter.job_messages import JobMessages
from neardup_gui.presenter.window_context import Context, Current
from neardup_gui.views.shell.status import BAR_WIDTH, LEAST_BAR, StatusLine
from neardup_gui.views.widgets.labels import CutLabel
from tests.engine.base.test_tasks import Clock
from tests.gui.everywhere.walking import after, choose_bands
from tests.texts import TREES, folder_with

pytestmark = pytest.mark.usefixtures("english_numbers")

PATIENCE = 60_000  # ms


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "not enough memory"),
        (RuntimeError("can't start new thread"), "no more processes and threads"),
    ],
)
def test_it_is_a_message(error, words, window, tmp_path, qtbot, monkeypatch):
    messages, broke = [], []
    window.presenter.message_posted.connect(messages.append)
    window.presenter.unexpected_error.connect(broke.append)
    monkeypatch.setattr(flow, "scan", Mock(side_effect=error))

    window.presenter.open_folders([tmp_path])
    qtbot.waitUntil(lambda: bool(messages or broke), timeout=PATIENCE)

    assert not broke
    assert words in messages[-1].text


@pytest.fixture
def slow_preparation(monkeypatch):
    """A preparation that lasts until the event it gives is set, or it is cancelled."""
    release = threading.Event()

    def prepare(_part=preparation.USUAL):
        while not release.wait(0.005) and not is_cancelled():
            pass

    monkeypatch.setattr(preparation, "is_prepared", lambda part=preparation.USUAL: release.is_set())
    monkeypatch.setattr(preparation, "prepare", prepare)
    yield release
    release.set()


@pytest.fixture
def folder(tmp_path):
    text = "One and the same text, twice in a folder."
    return folder_with(tmp_path / "essays", dict.fromkeys(("0.txt", "1.txt"), text))


def test_a_list_goes_with_the_next_folder_without_the_collector(window, folder, tmp_path, qtbot):
    second_folder = shutil.copytree(folder, tmp_path / "others")

    def listed(path):
        with qtbot.waitSignal(window.presenter.ended, timeout=PATIENCE):
            window.presenter.open_folders([path])
        return weakref.ref(window.presenter.current.result.scan)

    first = listed(folder)
    with collector_paused():
        listed(second_folder)
        qtbot.waitUntil(lambda: first() is None)


def test_files_are_read_while_the_engine_is_prepared(window, folder, qtbot, slow_preparation):
    announced, stages = [], []
    window.presenter.prepared.connect(announced.append)
    window.presenter.progressed.connect(lambda line: stages.append(line.stage))

    window.presenter.prepare()
    window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: any("Reading" in text for text in stages))

    assert announced == [
        "Preparing the engine",
        "Preparing the engine for this computer (only once)",
    ]
    assert window.presenter.current.result is None

    after(window, qtbot, slow_preparation.set)
    qtbot.waitUntil(lambda: announced[-1] == "")

    assert len(window.presenter.current.result.pairs) == 1


def test_what_is_loaded_ahead_waits_for_the_list_that_is_waited_for(
    window, folder, qtbot, monkeypatch
):
    presenter, release, rest, looked = window.presenter, threading.Event(), [], []
    scan = flow.scan

    def slow_scan(*arguments, **options):
        release.wait()
        return scan(*arguments, **options)

    monkeypatch.setattr(flow, "scan", slow_scan)
    monkeypatch.setattr(preparation, "is_prepared", lambda _part=preparation.USUAL: True)
    monkeypatch.setattr(exercises, "call_kernels", partial(rest.append, "kernels"))
    presenter._rest.setInterval(1)
    presenter._rest.timeout.connect(lambda: looked.append(len(rest)))

    presenter.prepare()
    presenter.open_folders([folder])
    qtbot.waitUntil(lambda: len(looked) > 2)
    release.set()
    qtbot.waitUntil(lambda: bool(rest), timeout=PATIENCE)

    assert not any(looked[:3])
    assert presenter.current.result.complete


def test_closing_while_the_engine_is_prepared_stops_both(window, folder, qtbot, slow_preparation):
    window.presenter.prepare()
    window.presenter.open_folders([folder])

    window.close()

    assert not window.presenter.state.is_busy
    preparation.wait()


def test_a_scan_that_waits_for_the_engine_is_cancelled(window, folder, qtbot, slow_preparation):
    window.presenter.prepare()
    window.presenter.open_folders([folder])

    after(window, qtbot, window.presenter.cancel)

    assert not window.presenter.state.is_busy


NET = 300  # seconds


@pytest.fixture
def tasks(qtbot):
    tasks = Tasks()
    yield tasks
    tasks.stop()


class _NoticedEvent(threading.Event):
    """Notes that a thread waits for it, and has it wait as long as it takes."""

    def __init__(self):
        super().__init__()
        self.is_waited_for = threading.Event()
        self.set()

    def wait(self, _timeout=None):
        self.is_waited_for.set()
        return super().wait()


def test_other_work_pauses_until_the_window_has_painted_what_came(tasks, qtbot, monkeypatch):
    order, is_idle, begun = [], _NoticedEvent(), threading.Event()
    monkeypatch.setattr(tasks, "_is_idle", is_idle)

    class Shown(QWidget):
        def paintEvent(self, _event):
            order.append("painted")

    widget = Shown()
    qtbot.addWidget(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    order.clear()

    def go_on():
        begun.set()
        while not order:
            stop_if_cancelled()
        order.append("worked")

    def show(_result):
        assert begun.wait(PATIENCE / 1000)
        assert is_idle.is_waited_for.wait(PATIENCE / 1000)
        order.append("shown")
        assert sys.getswitchinterval() < SWITCH_INTERVAL / 2
        widget.update()

    tasks.run(TaskKind.PROPERTIES, go_on)
    tasks.run(TaskKind.GROUP, partial(begun.wait, PATIENCE / 1000), show)
    qtbot.waitUntil(lambda: "worked" in order)

    assert order == ["shown", "painted", "worked"]
    qtbot.waitUntil(lambda: sys.getswitchinterval() > SWITCH_INTERVAL / 2)


class Outcomes:
    """Notes every outcome of tasks."""

    def __init__(self, tasks):
        self.noted = []
        self.threads = set()
        tasks.finished.connect(lambda kind: self._note("finished", kind))
        tasks.cancelled.connect(lambda kind: self._note("cancelled", kind))
        tasks.failed.connect(lambda kind, error: self._note("failed", kind, error))

    def done(self, result):
        self._note(result)

    def _note(self, *outcome):
        self.threads.add(QThread.currentThread())
        self.noted.append(outcome)


def until_cancelled():
    """Work that goes on until it is cancelled."""
    while not is_cancelled():
        threading.Event().wait(0.001)
    stop_if_cancelled()


class Held:
    """Work that began, and goes on until it is released or cancelled."""

    def __init__(self):
        self.began, self.let_go = threading.Event(), threading.Event()

    def __call__(self):
        self.began.set()
        while not self.let_go.wait(0.001):
            stop_if_cancelled()


def hold(tasks, kind):
    """Keep a thread busy."""
    work = Held()
    tasks.run(kind, work)
    assert work.began.wait(NET)
    return work


def test_finishes_once_with_its_result_on_the_thread_of_the_window(tasks, qtbot):
    outcomes = Outcomes(tasks)

    qtbot.until(tasks.finished, tasks.run, TaskKind.SCAN, lambda: 42, outcomes.done)
    tasks.stop()

    assert outcomes.noted == [(42,), ("finished", TaskKind.SCAN)]
    assert outcomes.threads == {tasks.thread()}
    assert not tasks.is_busy(TaskKind.SCAN)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no niceness")
def test_a_scan_gives_way_to_the_window_and_to_reading(tasks, qtbot):
    """With its processes, which cores are shared with."""
    nicer, of_pool = {}, []

    def work(kind):
        of_pool.append(current_task().pool().submit(os.getpriority, os.PRIO_PROCESS, 0).result())
        with WorkerPool(1) as pool:
            of_thread = pool.submit(os.getpriority, os.PRIO_PROCESS, 0).result()
        command = [sys.executable, "-c", "import os; print(os.nice(0))"]
        of_process = int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        nicer[kind] = [niceness - os.nice(0) for niceness in (of_thread, of_process)]
        return os.nice(0)

    usual = os.nice(0)
    for kind in (TaskKind.COMPARE, TaskKind.SCAN, TaskKind.SAVE, TaskKind.GROUP):
        with qtbot.waitSignal(tasks.finished):
            tasks.run(kind, partial(work, kind), partial(nicer.__setitem__, kind.lane))

    assert {lane: nicer[lane] for lane in Lane} == {
        lane: min(19, usual + gives_way) for lane, gives_way in zip(Lane, (5, 0, 0, 5), strict=True)
    }
    assert all(nicer[kind] == [0, 0] for kind in nicer if isinstance(kind, TaskKind))
    assert set(of_pool) == {min(19, usual + 5)}
    assert os.nice(0) == usual


def test_fails_once_with_its_exception(tasks, qtbot):
    outcomes, stopped = Outcomes(tasks), []
    error = FolderError("The folder “x” does not exist.")

    def work():
        raise error

    qtbot.until(tasks.failed, tasks.run, TaskKind.SCAN, work, stopped=stopped.append)
    tasks.stop()

    assert outcomes.noted == [("failed", TaskKind.SCAN, error)]
    assert stopped == [error]


def test_running_work_is_cancelled_once(tasks, qtbot):
    outcomes, stopped = Outcomes(tasks), []
    began = threading.Event()

    def work():
        began.set()
        until_cancelled()

    tasks.run(TaskKind.SCAN, work, stopped=stopped.append)
    assert began.wait(NET)
    qtbot.until(tasks.cancelled, tasks.cancel, TaskKind.SCAN)
    tasks.stop()

    assert outcomes.noted == [("cancelled", TaskKind.SCAN)]
    assert stopped == [None]


def test_waiting_work_is_cancelled_at_once_and_never_runs(tasks):
    outcomes, ran = Outcomes(tasks), threading.Event()
    hold(tasks, TaskKind.OPEN)
    tasks.run(TaskKind.SCAN, ran.set)
    tasks.cancel(TaskKind.SCAN)

    assert outcomes.noted == [("cancelled", TaskKind.SCAN)]
    tasks.stop()
    assert not ran.is_set()


def test_the_newest_of_a_kind_wins(tasks, qtbot):
    results = []
    hold(tasks, TaskKind.LIST)
    with qtbot.waitSignal(tasks.finished):
        for number in range(20):
            tasks.run(TaskKind.LIST, lambda number=number: number, results.append)

    assert results == [19]


def test_a_result_on_its_way_is_dropped_for_a_newer_job(tasks, qtbot):
    results, done = [], threading.Event()

    tasks.run(TaskKind.LIST, done.set, results.append)
    assert done.wait(NET)  # its signal waits in the event loop, which does not run here
    qtbot.until(tasks.finished, tasks.run, TaskKind.LIST, lambda: "newer", results.append)

    assert results == ["newer"]


def test_work_of_a_lane_is_done_in_its_order(tasks, qtbot):
    results, held = [], hold(tasks, TaskKind.OPEN)
    with qtbot.waitSignals([tasks.finished] * 3):
        tasks.run(TaskKind.SCAN, lambda: "scan", results.append)
        tasks.run(TaskKind.LIST, lambda: "list", results.append)
        held.let_go.set()

    assert results == ["scan", "list"]


def test_a_dropped_job_is_stopped_and_not_heard(tasks, qtbot):
    outcomes = Outcomes(tasks)
    hold(tasks, TaskKind.OPEN)
    tasks.drop(TaskKind.OPEN)
    assert not tasks.is_busy(TaskKind.OPEN)
    qtbot.until(tasks.finished, tasks.run, TaskKind.SCAN, lambda: None)

    assert outcomes.noted == [("finished", TaskKind.SCAN)]


class _List:
    """Something that can be seen to be gone."""


def test_a_thread_that_waits_keeps_nothing_of_what_it_did(tasks, qtbot):
    listed = _List()
    known = weakref.ref(listed)
    with collector_paused(), qtbot.waitSignal(tasks.finished):
        tasks.run(TaskKind.LIST, partial(id, listed))
        del listed
    qtbot.waitUntil(lambda: known() is None, timeout=PATIENCE)


def test_what_threads_leave_behind_is_collected_on_the_thread_of_qt(tasks, qtbot):
    """A thread that freed objects of Qt waited for the window, and the window for it, for ever."""
    collections, known = [], []

    def note(phase, of):
        if phase == "start":
            collections.append((of["generation"], threading.current_thread()))

    def work():
        for _ in range(20_000):
            made = _List()
            made.itself = made
        known.append(weakref.ref(made))

    gc.callbacks.append(note)
    try:
        qtbot.until(tasks.finished, tasks.run, TaskKind.LIST, work)
        qtbot.waitUntil(lambda: known[0]() is None, timeout=PATIENCE)
    finally:
        gc.callbacks.remove(note)
    generations, threads = map(set, zip(*collections, strict=True))
    assert threads == {threading.main_thread()}
    assert 2 not in generations  # all there is: it would hold the window up


LONG = [kind for kind in TaskKind if kind.is_long]


@pytest.mark.parametrize(
    "kind", [TaskKind.COMPARE, TaskKind.APPEND, TaskKind.GROUP, TaskKind.LIST], ids=str
)
def test_short_tasks_do_not_wait_for_long_ones(tasks, qtbot, kind):
    """Neither one who reads nor one who decides, nor a short look, waits for minutes of work."""
    engine = [] if kind.lane is Lane.ENGINE else [TaskKind.SCAN]
    for kind_held in (*engine, *LONG[:2]):
        hold(tasks, kind_held)
    for kind_running in LONG[2:]:
        tasks.run(kind_running, until_cancelled)

    qtbot.until(tasks.finished, tasks.run, kind, lambda: None)


def test_long_tasks_wait_only_for_long_ones(tasks, qtbot):
    held = [hold(tasks, kind) for kind in LONG[:2]]
    tasks.run(LONG[2], lambda: None)
    assert tasks.is_busy(LONG[2])

    with qtbot.waitSignals([tasks.finished] * 2):
        held[0].let_go.set()

    assert not tasks.is_busy(LONG[2])


def test_stopping_ends_all_threads_and_says_nothing_more(tasks, qtbot):
    outcomes, before = Outcomes(tasks), threading.active_count()
    for kind in (TaskKind.SCAN, TaskKind.COMPARE, TaskKind.SAVE, *LONG[:2], TaskKind.GROUP):
        tasks.run(kind, until_cancelled if kind is not TaskKind.SAVE else lambda: None)
    assert threading.active_count() > before

    tasks.stop()
    qtbot.wait(0)

    assert outcomes.noted == []
    assert threading.active_count() == before


def test_stopping_lets_the_newest_save_finish(tasks):
    began, done = threading.Event(), []

    def older():
        began.set()
        until_cancelled()
        done.append("older")

    tasks.run(TaskKind.SAVE, older)
    assert began.wait(NET)
    tasks.run(TaskKind.SAVE, lambda: done.append(is_cancelled()))
    tasks.run(TaskKind.APPEND, lambda: done.append("append"))
    tasks.stop()

    assert done == [False]


def test_an_announcement_is_heard(tasks, qtbot):
    heard = []
    tasks.announced.connect(lambda kind, sentence: heard.append((kind, sentence)))
    with qtbot.waitSignal(tasks.finished):
        tasks.run(TaskKind.SCAN, lambda: current_task().announce("Memory is short."))

    assert heard == [(TaskKind.SCAN, "Memory is short.")]


def test_nothing_is_taken_once_all_was_stopped(tasks):
    tasks.stop()
    tasks.run(TaskKind.COMPARE, lambda: None)

    assert not tasks.is_busy(TaskKind.COMPARE)


def test_progress_and_previews_arrive_in_order(tasks, qtbot):
    heard = []
    tasks.progressed.connect(lambda kind, report: heard.append(kind))

    def work():
        current_task().progress(ProgressReport(Stage.READ, 0, 2))
        current_task().preview("half")
        current_task().progress(ProgressReport(Stage.READ, 2, 2))

    with qtbot.waitSignal(tasks.finished):
        tasks.run(
            TaskKind.SCAN,
            work,
            progressed=lambda report: heard.append(report.done),
            previewed=heard.append,
        )

    assert heard == [0, TaskKind.SCAN, "half", 2, TaskKind.SCAN]


def test_an_engine_that_raises_cancelled_by_itself_is_cancelled(tasks, qtbot):
    def work():
        raise ScanCancelledError("The scan was cancelled.")

    qtbot.until(tasks.cancelled, tasks.run, TaskKind.EXPORT, work)


def test_progress_is_told_again_while_work_says_nothing(tasks, qtbot):
    messages = JobMessages(Context(tasks, Current(), PairsModel()))
    lines = []
    messages.progressed.connect(lines.append)

    def work():
        current_task().progress(ProgressReport(Stage.READ, 3, 10))
        until_cancelled()

    tasks.run(TaskKind.SCAN, work)
    qtbot.waitUntil(lambda: len(lines) >= 2)

    assert {line.amount for line in lines} == {"3 of 10 documents"}


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def lines(clock):
    return ProgressLines(clock)


def line_after(lines, clock, seconds, *, speed=100, total=10_000, stage=Stage.READ):
    """The last line after `seconds` of reports at an even speed."""
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
    assert lines.line_for(ProgressReport(Stage.SAVE, 1, 2)).amount == "50%"  # copies share a text
    assert lines.line_for(ProgressReport(Stage.OPEN, 0, 2)).amount == "0 of 2 documents"


@pytest.mark.parametrize(
    ("seconds", "total", "left"),
    [(0.9, 10_000, ""), (20, 10_000, "about 1 minute left"), (9, 1000, "")],
)
def test_the_time_left_is_guessed_from_an_even_speed(lines, clock, seconds, total, left):
    """Neither in the first second, nor in the last ones."""
    line = line_after(lines, clock, seconds, total=total)

    assert line.share == pytest.approx(100 * seconds / total)
    assert line.left == left


def test_a_new_stage_starts_a_new_guess(lines, clock):
    line_after(lines, clock, 20)

    assert line_after(lines, clock, 0.5, stage=Stage.COMPARE).left == ""


def test_a_stage_that_begins_again_starts_a_new_guess(lines, clock):
    line_after(lines, clock, 20)

    assert line_after(lines, clock, 0.5).left == ""
    assert line_after(lines, clock, 20, speed=200).left == "about 30 s left"


def test_one_slow_file_does_not_shake_the_guess(lines, clock):
    line_after(lines, clock, 20)
    clock.now += 1.0

    line = lines.line_for(ProgressReport(Stage.READ, 2001, 10_000))

    assert line.left == "about 2 minutes left"


def test_no_time_is_guessed_while_one_file_takes_long(lines, clock):
    line_after(lines, clock, 20)
    stuck = ProgressReport(Stage.READ, 2000, 10_000)
    clock.now += 4.0
    assert lines.line_for(stuck).left == "about 1 minute left"

    clock.now += 2.0
    assert lines.line_for(stuck).left == ""
    assert lines.line_for(stuck).amount == "2,000 of 10,000 documents"

    assert lines.line_for(ProgressReport(Stage.READ, 2600, 10_000)).left == "about 1 minute left"


def test_documents_that_all_take_long_may_take_as_long_again(lines, clock):
    line_after(lines, clock, 60, speed=0.1, total=20)
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
    line.show_summary("212 documents, 64 pairs share text · 2 pairs are copies")
    qtbot.shown(line, 640, 30)

    line.show_progress(ProgressLine("Looking for documents", None, "", ""))
    line.show_progress(ProgressLine("Reading documents", 0.5, "24 of 55 documents", ""))
    line.show_summary("212 documents, 64 pairs share text · 2 pairs are copies")

    assert line.width() == 640


def test_in_a_narrow_status_line_the_bar_gives_way_before_words_are_cut_with_a_mark(qtbot):
    line = StatusLine()
    line.scrolling.show()
    line.saved.show_state(SavedState("saved · essays.neardup"))
    line.show_progress(ProgressLine("Looking for documents", 0.5, "19,456 documents", ""))
    qtbot.shown(line, 1200, 30)
    words = (line._stage, line._amount)
    assert line._bar.width() == BAR_WIDTH
    assert line.saved.width() == line.saved.sizeHint().width()

    widgets = (*words, line.cancel, line.scrolling)
    least = sum(part.sizeHint().width() for part in widgets) + LEAST_BAR + line.saved.minimumWidth()
    line.resize(least + 150, 30)  # with what is between them
    assert all(label.width() >= label.sizeHint().width() for label in words)
    assert LEAST_BAR <= line._bar.width() < BAR_WIDTH
    assert line.saved.width() < line.saved.sizeHint().width()
    assert all(isinstance(label, CutLabel) for label in (*words, line.saved))
    assert "saved · essays.neardup" in line.saved.toolTip()


MANY = 1200  # documents: enough for a preview at 500


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A folder that is shown before it is read to its end; some of its documents are alike."""
    folder = tmp_path_factory.mktemp("large")
    for number in range(MANY):
        # Neighbours share so few words that only many bands find them.
        words = " ".join(f"{number + index // 180}x{index % 180}" for index in range(200))
        alike = f"{TREES} The end of part {number}."
        (folder / f"{number:04}.txt").write_text(alike if number % 100 == 3 else words)
    return folder


@pytest.fixture
def small(tmp_path):
    texts = {"one.txt": TREES, "two.txt": f"{TREES}And that was all."}
    return folder_with(tmp_path / "small", texts)


@pytest.fixture
def broken(window):
    """An unforeseen error, and one that the jobs refused."""
    errors = []
    window.presenter.unexpected_error.connect(errors.append)
    window.presenter.tasks.failed.connect(lambda _kind, error: errors.append(error))
    return errors


def scan(window, qtbot, folder):
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))


def bands_can_change(window, qtbot):
    """Move the sliders: whatever is listed is listed again, with pairs measured anew."""
    presenter = window.presenter
    after(window, qtbot, lambda: choose_bands(presenter, 128, 1, 0.0))
    assert presenter.current.result.settings.bands == 128
    after(window, qtbot, lambda: choose_bands(presenter, 42, 3, 0.1))
    assert presenter.current.result.settings.bands == 42


@pytest.fixture
def let_go(monkeypatch):
    """A scan stands still where it has shown something, until it is let go or cancelled."""
    gate = threading.Event()

    def task_of(tasks, job):
        task = original(tasks, job)

        def preview(value):
            task.preview(value)
            while not gate.wait(0.005) and not is_cancelled():
                pass

        return replace(task, preview=preview)

    original = Tasks._task_of
    monkeypatch.setattr(Tasks, "_task_of", task_of)
    return gate.set


def scan_partly(window, qtbot, folder):
    """Scan a folder up to the first pairs; `let_go` lets it go on."""
    qtbot.until(window.presenter.listed, window.presenter.open_folders, [folder])
    assert window.presenter.state.is_scanning
    assert not window.presenter.current.result.complete


class CancelAt:
    """Stops the scan at its n-th word on a stage, on the thread that says it."""

    def __init__(self, monkeypatch, stage, words, *, when_all_is_read=False):
        self.left = words
        self.counts = not when_all_is_read
        self.happened = False

        def task_of(tasks, job):
            def progress(report):
                if job.kind is not TaskKind.SCAN or self.happened:
                    return
                self.left -= self.counts and report.stage is stage
                self.counts |= report.stage is Stage.READ and report.done == report.total
                if self.left == 0:
                    self.happened = True
                    job.cancel()

            return replace(original(tasks, job), progress=progress)

        original = Tasks._task_of
        monkeypatch.setattr(Tasks, "_task_of", task_of)


@pytest.mark.parametrize(
    ("stage", "words", "when_all_is_read"),
    [
        (Stage.DISCOVER, 1, False),
        (Stage.READ, 1, False),
        (Stage.READ, 3, False),
        (Stage.COMPARE, 1, False),  # of what is shown meanwhile
        (Stage.COMPARE, 1, True),
    ],
)
def test_bands_change_after_cancelling(
    window, large, qtbot, broken, monkeypatch, stage, words, when_all_is_read
):
    presenter = window.presenter
    cancel = CancelAt(monkeypatch, stage, words, when_all_is_read=when_all_is_read)

    scan(window, qtbot, large)
    assert cancel.happened
    assert presenter.current.result is None or not presenter.current.result.complete
    if presenter.current.result is not None:
        bands_can_change(window, qtbot)

    after(window, qtbot, presenter.rescan)
    bands_can_change(window, qtbot)
    assert broken == []
    assert presenter.current.result.complete
    assert len(presenter.current.result.documents) == MANY


def test_another_folder_is_opened_while_one_is_shown(window, large, small, qtbot, broken, let_go):
    presenter = window.presenter
    scan_partly(window, qtbot, large)

    scan(window, qtbot, small)

    assert presenter.current.result.names.shown == ["one.txt", "two.txt"]
    bands_can_change(window, qtbot)
    let_go()
    scan(window, qtbot, large)
    bands_can_change(window, qtbot)
    assert broken == []


def test_a_review_is_opened_during_a_scan(window, large, small, tmp_path, qtbot, broken, let_go):
    presenter, path = window.presenter, tmp_path / "small.neardup"
    scan(window, qtbot, small)
    qtbot.until(presenter.review.message_posted, presenter.save_review, path)
    scan_partly(window, qtbot, large)

    after(window, qtbot, lambda: presenter.open_review(path))

    assert presenter.current.result.names.shown == ["one.txt", "two.txt"]
    bands_can_change(window, qtbot)
    after(window, qtbot, presenter.rescan)
    bands_can_change(window, qtbot)
    assert broken == []


def test_a_broken_review_leaves_what_was_shown(window, large, tmp_path, qtbot, broken, let_go):
    presenter, path = window.presenter, tmp_path / "no.neardup"
    path.write_bytes(b"not a review at all")
    scan_partly(window, qtbot, large)

    after(window, qtbot, lambda: presenter.open_review(path))
    assert len(broken) == 1  # the review
    assert not presenter.current.result.complete

    bands_can_change(window, qtbot)
    assert len(broken) == 1


def test_a_slider_moved_there_and_back_leaves_the_whole_list(window, large, qtbot, broken, let_go):
    presenter = window.presenter
    scan_partly(window, qtbot, large)
    settings = presenter.current.settings
    finished = []
    presenter.tasks.finished.connect(finished.append)
    choose_bands(presenter, 128, 1, 0.0)
    choose_bands(presenter, settings.bands, settings.rows, settings.min_resemblance)

    let_go()
    qtbot.waitUntil(lambda: TaskKind.SCAN in finished)
    qtbot.waitUntil(lambda: not presenter.tasks.is_busy(TaskKind.SCAN, TaskKind.LIST))

    assert presenter.current.result.complete
    assert len(presenter.current.result.documents) == MANY
    assert broken == []
