"""Jobs off the UI thread: one outcome each, the newest wins, nothing is left running."""

from __future__ import annotations

import shutil
import threading
import weakref

import pytest
from PySide6.QtCore import QThread

from core.base.memory import collector_paused
from core.base.tasks import ProgressReport, Stage, stop_if
from core.errors import FolderError, ScanCancelledError
from core.program import preparation
from core.scan import flow
from neardup_gui.jobs.tasks import Lane, TaskKind, Tasks
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.presenter.current import Context, Current
from neardup_gui.presenter.job_messages import JobMessages

PATIENCE = 60_000  # ms


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "not enough memory"),
        (RuntimeError("can't start new thread"), "no more processes and threads"),
    ],
)
def test_it_is_a_message(error, words, window, tmp_path, qtbot, monkeypatch):
    def fail(*_given, **_named):
        raise error

    said, broke = [], []
    window.presenter.said.connect(said.append)
    window.presenter.broke.connect(broke.append)
    monkeypatch.setattr(flow, "scan", fail)

    window.presenter.open_folders([tmp_path])
    qtbot.waitUntil(lambda: bool(said or broke), timeout=PATIENCE)

    assert not broke
    assert words in said[-1].text


@pytest.fixture
def slow_preparation(monkeypatch):
    """A preparation that lasts until the event it gives is set, or it is cancelled."""
    release = threading.Event()

    def prepare(_part=preparation.USUAL, *, cancelled):
        while not release.wait(0.005) and not cancelled():
            pass

    monkeypatch.setattr(preparation, "is_prepared", lambda part=preparation.USUAL: release.is_set())
    monkeypatch.setattr(preparation, "prepare", prepare)
    yield release
    release.set()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    for number in range(2):
        (folder / f"{number}.txt").write_text("One and the same text, twice in a folder.")
    return folder


def test_a_list_goes_with_the_next_folder_without_the_collector(window, folder, tmp_path, qtbot):
    other = shutil.copytree(folder, tmp_path / "others")

    def listed(path):
        with qtbot.waitSignal(window.presenter.ended, timeout=PATIENCE):
            window.presenter.open_folders([path])
        return weakref.ref(window.presenter.current.result.scan)

    first = listed(folder)
    with collector_paused():
        listed(other)
        qtbot.waitUntil(lambda: first() is None)


def test_files_are_read_while_the_engine_is_prepared(window, folder, qtbot, slow_preparation):
    told, stages = [], []
    window.presenter.prepared.connect(told.append)
    window.presenter.progressed.connect(lambda line: stages.append(line.stage))

    window.presenter.prepare()
    window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: any("Reading" in text for text in stages))

    assert told == ["Preparing the engine", "Preparing the engine for this computer (only once)"]
    assert window.presenter.current.result is None

    with qtbot.waitSignal(window.presenter.ended):
        slow_preparation.set()
    qtbot.waitUntil(lambda: told[-1] == "")

    assert len(window.presenter.current.result.pairs) == 1


def test_closing_while_the_engine_is_prepared_stops_both(window, folder, qtbot, slow_preparation):
    window.presenter.prepare()
    window.presenter.open_folders([folder])

    window.close()

    assert not window.presenter.state.is_busy
    preparation.wait()


def test_a_scan_can_be_cancelled_while_it_waits_for_the_engine(
    window, folder, qtbot, slow_preparation
):
    window.presenter.prepare()
    window.presenter.open_folders([folder])

    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.cancel()

    assert not window.presenter.state.is_busy


NET = 300  # seconds


@pytest.fixture
def tasks(qtbot):
    tasks = Tasks()
    yield tasks
    tasks.stop()


class Outcomes:
    """Everything that tasks said."""

    def __init__(self, tasks):
        self.said = []
        self.threads = set()
        tasks.finished.connect(lambda kind: self._note("finished", kind))
        tasks.cancelled.connect(lambda kind: self._note("cancelled", kind))
        tasks.failed.connect(lambda kind, error: self._note("failed", kind, error))

    def done(self, result):
        self._note(result)

    def _note(self, *what):
        self.threads.add(QThread.currentThread())
        self.said.append(what)


def until_cancelled(task):
    """Work that goes on until it is told to stop."""
    while not task.cancelled():
        threading.Event().wait(0.001)
    stop_if(task.cancelled)


class Held:
    """Work that began, and goes on until it is let go or told to stop."""

    def __init__(self):
        self.began, self.let_go = threading.Event(), threading.Event()

    def __call__(self, task):
        self.began.set()
        while not self.let_go.wait(0.001):
            stop_if(task.cancelled)


def hold(tasks, kind):
    """Keep a thread busy."""
    work = Held()
    tasks.run(kind, work)
    assert work.began.wait(NET)
    return work


def test_finishes_once_with_its_result_on_the_thread_of_the_window(tasks, qtbot):
    outcomes = Outcomes(tasks)

    with qtbot.waitSignal(tasks.finished):
        tasks.run(TaskKind.SCAN, lambda task: 42, outcomes.done)
    tasks.stop()

    assert outcomes.said == [(42,), ("finished", TaskKind.SCAN)]
    assert outcomes.threads == {tasks.thread()}
    assert not tasks.is_busy(TaskKind.SCAN)


def test_work_runs_on_another_thread(tasks, qtbot):
    ran = []
    with qtbot.waitSignal(tasks.finished):
        tasks.run(TaskKind.LIST, lambda task: threading.get_ident(), ran.append)

    assert ran != [threading.get_ident()]


def test_fails_once_with_its_exception(tasks, qtbot):
    outcomes, stopped = Outcomes(tasks), []
    error = FolderError("The folder “x” does not exist.")

    def work(task):
        raise error

    with qtbot.waitSignal(tasks.failed):
        tasks.run(TaskKind.SCAN, work, stopped=stopped.append)
    tasks.stop()

    assert outcomes.said == [("failed", TaskKind.SCAN, error)]
    assert stopped == [error]


def test_running_work_is_cancelled_once(tasks, qtbot):
    outcomes, stopped = Outcomes(tasks), []
    began = threading.Event()

    def work(task):
        began.set()
        until_cancelled(task)

    tasks.run(TaskKind.SCAN, work, stopped=stopped.append)
    assert began.wait(NET)
    with qtbot.waitSignal(tasks.cancelled):
        tasks.cancel(TaskKind.SCAN)
    tasks.stop()

    assert outcomes.said == [("cancelled", TaskKind.SCAN)]
    assert stopped == [None]


def test_waiting_work_is_cancelled_at_once_and_never_runs(tasks):
    outcomes, ran = Outcomes(tasks), threading.Event()
    hold(tasks, TaskKind.OPEN)
    tasks.run(TaskKind.SCAN, lambda task: ran.set())
    tasks.cancel(TaskKind.SCAN)

    assert outcomes.said == [("cancelled", TaskKind.SCAN)]
    tasks.stop()
    assert not ran.is_set()


def test_the_newest_of_a_kind_wins(tasks, qtbot):
    results = []
    hold(tasks, TaskKind.LIST)
    with qtbot.waitSignal(tasks.finished):
        for number in range(20):
            tasks.run(TaskKind.LIST, lambda task, number=number: number, results.append)

    assert results == [19]


def test_a_result_on_its_way_is_dropped_for_a_newer_job(tasks, qtbot):
    results, done = [], threading.Event()

    tasks.run(TaskKind.LIST, lambda task: done.set(), results.append)
    assert done.wait(NET)  # its signal waits in the event loop, which does not run here
    with qtbot.waitSignal(tasks.finished):
        tasks.run(TaskKind.LIST, lambda task: "newer", results.append)

    assert results == ["newer"]


def test_work_of_a_lane_is_done_in_its_order(tasks, qtbot):
    results, held = [], hold(tasks, TaskKind.OPEN)
    with qtbot.waitSignals([tasks.finished] * 3):
        tasks.run(TaskKind.SCAN, lambda task: "scan", results.append)
        tasks.run(TaskKind.LIST, lambda task: "list", results.append)
        held.let_go.set()

    assert results == ["scan", "list"]


def test_a_dropped_job_is_stopped_and_not_heard(tasks, qtbot):
    outcomes = Outcomes(tasks)
    hold(tasks, TaskKind.OPEN)
    tasks.drop(TaskKind.OPEN)
    assert not tasks.is_busy(TaskKind.OPEN)
    with qtbot.waitSignal(tasks.finished):
        tasks.run(TaskKind.SCAN, lambda task: None)

    assert outcomes.said == [("finished", TaskKind.SCAN)]


LONG = [kind for kind in TaskKind if kind.is_long]


@pytest.mark.parametrize(
    "kind", [TaskKind.COMPARE, TaskKind.APPEND, TaskKind.GROUP, TaskKind.LIST], ids=str
)
def test_nobody_waits_for_what_lasts(tasks, qtbot, kind):
    """Neither one who reads nor one who decides, nor a short look, waits for minutes of work."""
    engine = [] if kind.lane is Lane.ENGINE else [TaskKind.SCAN]
    for other in (*engine, *LONG[:2]):
        hold(tasks, other)
    for other in LONG[2:]:
        tasks.run(other, until_cancelled)

    with qtbot.waitSignal(tasks.finished):
        tasks.run(kind, lambda task: None)


def test_what_lasts_waits_for_no_more_than_what_lasts(tasks, qtbot):
    held = [hold(tasks, kind) for kind in LONG[:2]]
    tasks.run(LONG[2], lambda task: None)
    assert tasks.is_busy(LONG[2])

    with qtbot.waitSignals([tasks.finished] * 2):
        held[0].let_go.set()

    assert not tasks.is_busy(LONG[2])


def test_stopping_ends_all_threads_and_says_nothing_more(tasks, qtbot):
    outcomes, before = Outcomes(tasks), threading.active_count()
    for kind in (TaskKind.SCAN, TaskKind.COMPARE, TaskKind.SAVE, *LONG[:2], TaskKind.GROUP):
        tasks.run(kind, until_cancelled if kind is not TaskKind.SAVE else lambda task: None)
    assert threading.active_count() > before

    tasks.stop()
    qtbot.wait(0)

    assert outcomes.said == []
    assert threading.active_count() == before


def test_stopping_lets_the_newest_save_finish(tasks):
    began, done = threading.Event(), []

    def older(task):
        began.set()
        until_cancelled(task)
        done.append("older")

    tasks.run(TaskKind.SAVE, older)
    assert began.wait(NET)
    tasks.run(TaskKind.SAVE, lambda task: done.append(task.cancelled()))
    tasks.run(TaskKind.APPEND, lambda task: done.append("append"))
    tasks.stop()

    assert done == [False]


def test_an_announcement_is_heard(tasks, qtbot):
    heard = []
    tasks.announced.connect(lambda kind, sentence: heard.append((kind, sentence)))
    with qtbot.waitSignal(tasks.finished):
        tasks.run(TaskKind.SCAN, lambda task: task.announce("Memory is short."))

    assert heard == [(TaskKind.SCAN, "Memory is short.")]


def test_nothing_is_taken_once_all_was_stopped(tasks):
    tasks.stop()
    tasks.run(TaskKind.COMPARE, lambda task: None)

    assert not tasks.is_busy(TaskKind.COMPARE)


def test_progress_and_previews_arrive_in_order(tasks, qtbot):
    heard = []
    tasks.progressed.connect(lambda kind, report: heard.append(kind))

    def work(task):
        task.progress(ProgressReport(Stage.READ, 0, 2))
        task.preview("half")
        task.progress(ProgressReport(Stage.READ, 2, 2))

    with qtbot.waitSignal(tasks.finished):
        tasks.run(
            TaskKind.SCAN,
            work,
            progressed=lambda report: heard.append(report.done),
            previewed=heard.append,
        )

    assert heard == [0, TaskKind.SCAN, "half", 2, TaskKind.SCAN]


def test_an_engine_that_raises_cancelled_by_itself_is_cancelled(tasks, qtbot):
    def work(task):
        raise ScanCancelledError("The scan was cancelled.")

    with qtbot.waitSignal(tasks.cancelled):
        tasks.run(TaskKind.EXPORT, work)


def test_progress_is_told_again_while_work_says_nothing(tasks, qtbot):
    messages = JobMessages(Context(tasks, Current(), PairsModel()))
    lines = []
    messages.progressed.connect(lines.append)

    def work(task):
        task.progress(ProgressReport(Stage.READ, 3, 10))
        until_cancelled(task)

    tasks.run(TaskKind.SCAN, work)
    qtbot.waitUntil(lambda: len(lines) >= 2)

    assert {line.amount for line in lines} == {"3 of 10 documents"}
