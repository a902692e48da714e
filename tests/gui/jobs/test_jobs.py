"""Jobs off the UI thread: one outcome each, the newest wins, nothing is left running."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QThread

from core.base.tasks import ProgressReport, Stage, stop_if
from core.errors import FolderError, ScanCancelledError
from core.program import preparation
from core.scan import flow
from neardup_gui.jobs.tasks import JobKind, JobQueue, JobQueues
from neardup_gui.presenter.current import Current
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


def test_files_are_read_while_the_engine_is_prepared(window, folder, qtbot, slow_preparation):
    told, stages = [], []
    window.presenter.preparation.told.connect(told.append)
    window.presenter.progressed.connect(lambda line: stages.append(line.stage))

    window.presenter.preparation.begin()
    window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: any("Reading" in text for text in stages))

    assert told == ["Preparing the engine", "Preparing the engine for this computer, once"]
    assert window.presenter.current.result is None

    with qtbot.waitSignal(window.presenter.ended):
        slow_preparation.set()
    qtbot.waitUntil(lambda: told[-1] == "")

    assert len(window.presenter.current.result.pairs) == 1


def test_closing_while_the_engine_is_prepared_stops_both(window, folder, qtbot, slow_preparation):
    window.presenter.preparation.begin()
    window.presenter.open_folders([folder])

    window.close()

    assert not window.presenter.state.is_busy
    preparation.wait()


def test_a_scan_can_be_cancelled_while_it_waits_for_the_engine(
    window, folder, qtbot, slow_preparation
):
    window.presenter.preparation.begin()
    window.presenter.open_folders([folder])

    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.cancel()

    assert not window.presenter.state.is_busy


NET = 300  # seconds


@pytest.fixture
def queue(qtbot):
    queue = JobQueue("test")
    yield queue
    queue.stop()


class Outcomes:
    """Everything a queue said."""

    def __init__(self, queue):
        self.said = []
        self.threads = set()
        queue.finished.connect(self._on_finished)
        queue.cancelled.connect(self._on_cancelled)
        queue.failed.connect(self._on_failed)

    def _on_finished(self, kind, result):
        self._note("finished", kind, result)

    def _on_cancelled(self, kind):
        self._note("cancelled", kind, None)

    def _on_failed(self, kind, error):
        self._note("failed", kind, error)

    def _note(self, *what):
        self.threads.add(QThread.currentThread())
        self.said.append(what)


def until_cancelled(reports):
    """Work that goes on until it is told to stop."""
    while not reports.cancelled():
        threading.Event().wait(0.001)
    stop_if(reports.cancelled)


def test_finishes_once_with_its_result(queue, qtbot):
    outcomes = Outcomes(queue)

    with qtbot.waitSignal(queue.finished):
        queue.submit(JobKind.SCAN, lambda reports: 42)
    queue.stop()

    assert outcomes.said == [("finished", JobKind.SCAN, 42)]
    assert outcomes.threads == {queue.thread()}
    assert not queue.is_busy(JobKind.SCAN)


def test_work_runs_on_another_thread(queue, qtbot):
    with qtbot.waitSignal(queue.finished) as waited:
        queue.submit(JobKind.LIST, lambda reports: threading.get_ident())

    assert waited.args[1] != threading.get_ident()


def test_fails_once_with_its_exception(queue, qtbot):
    outcomes = Outcomes(queue)
    error = FolderError("The folder “x” does not exist.")

    def work(reports):
        raise error

    with qtbot.waitSignal(queue.failed):
        queue.submit(JobKind.SCAN, work)
    queue.stop()

    assert outcomes.said == [("failed", JobKind.SCAN, error)]


def test_running_work_is_cancelled_once(queue, qtbot):
    outcomes = Outcomes(queue)
    began = threading.Event()

    def work(reports):
        began.set()
        until_cancelled(reports)

    queue.submit(JobKind.SCAN, work)
    assert began.wait(NET)
    with qtbot.waitSignal(queue.cancelled):
        queue.cancel(JobKind.SCAN)
    queue.stop()

    assert outcomes.said == [("cancelled", JobKind.SCAN, None)]


def test_waiting_work_is_cancelled_at_once_and_never_runs(queue, qtbot):
    outcomes = Outcomes(queue)
    began, ran = threading.Event(), threading.Event()

    def first(reports):
        began.set()
        until_cancelled(reports)

    queue.submit(JobKind.WARM_UP, first)
    assert began.wait(NET)
    queue.submit(JobKind.SCAN, lambda reports: ran.set())
    queue.cancel(JobKind.SCAN)

    assert outcomes.said == [("cancelled", JobKind.SCAN, None)]
    queue.stop()
    assert not ran.is_set()


def test_the_newest_of_a_kind_wins(queue, qtbot):
    outcomes = Outcomes(queue)
    began = threading.Event()

    def slow(reports):
        began.set()
        until_cancelled(reports)

    queue.submit(JobKind.LIST, slow)
    assert began.wait(NET)
    with qtbot.waitSignal(queue.finished):
        for number in range(20):
            queue.submit(JobKind.LIST, lambda reports, number=number: number)

    assert outcomes.said == [("finished", JobKind.LIST, 19)]


def test_a_result_on_its_way_is_dropped_for_a_newer_job(queue, qtbot):
    outcomes = Outcomes(queue)
    done = threading.Event()

    queue.submit(JobKind.LIST, lambda reports: done.set())
    assert done.wait(NET)  # its signal waits in the event loop, which does not run here
    with qtbot.waitSignal(queue.finished):
        queue.submit(JobKind.LIST, lambda reports: "newer")

    assert [result for _, _, result in outcomes.said] == ["newer"]


def test_kinds_do_not_cancel_each_other(queue, qtbot):
    outcomes = Outcomes(queue)

    with qtbot.waitSignals([queue.finished, queue.finished]):
        queue.submit(JobKind.SCAN, lambda reports: "scan")
        queue.submit(JobKind.COMPARE, lambda reports: "compare")

    assert [result for _, _, result in outcomes.said] == ["scan", "compare"]


def test_stopping_ends_the_thread_and_says_nothing_more(queue, qtbot):
    outcomes = Outcomes(queue)
    began = threading.Event()

    def work(reports):
        began.set()
        until_cancelled(reports)

    queue.submit(JobKind.SCAN, work)
    assert began.wait(NET)
    queue.stop()
    qtbot.wait(0)

    assert outcomes.said == []


def test_a_dropped_job_is_stopped_and_not_heard(queue, qtbot):
    outcomes = Outcomes(queue)
    began, ended = threading.Event(), threading.Event()

    def work(reports):
        began.set()
        while not reports.cancelled():
            threading.Event().wait(0.001)
        ended.set()

    queue.submit(JobKind.OPEN, work)
    assert began.wait(NET)
    queue.drop(JobKind.OPEN)
    assert not queue.is_busy(JobKind.OPEN)
    with qtbot.waitSignal(queue.finished):
        queue.submit(JobKind.SCAN, lambda reports: "scan")

    assert ended.is_set()
    assert outcomes.said == [("finished", JobKind.SCAN, "scan")]


def test_stopping_lets_the_newest_of_a_kind_finish(queue):
    began, done = threading.Event(), []

    def older(reports):
        began.set()
        until_cancelled(reports)
        done.append("older")

    queue.submit(JobKind.SAVE, older)
    assert began.wait(NET)
    queue.submit(JobKind.SAVE, lambda reports: done.append(reports.cancelled()))
    queue.submit(JobKind.EXPORT, lambda reports: done.append("export"))
    queue.stop(unless=JobKind.SAVE)

    assert done == [False]


def test_an_announcement_is_heard(queue, qtbot):
    def work(reports):
        reports.announce("Memory is short.")

    heard = []
    queue.announced.connect(lambda kind, sentence: heard.append((kind, sentence)))
    with qtbot.waitSignal(queue.finished):
        queue.submit(JobKind.SCAN, work)

    assert heard == [(JobKind.SCAN, "Memory is short.")]


def test_a_stopped_queue_takes_nothing(queue):
    queue.stop()
    queue.submit(JobKind.COMPARE, lambda reports: None)

    assert not queue.is_busy(JobKind.COMPARE)


def test_progress_and_previews_arrive_in_order(queue, qtbot):
    heard = []
    queue.progressed.connect(lambda kind, report: heard.append(report.done))
    queue.previewed.connect(lambda kind, value: heard.append(value))

    def work(reports):
        reports.progress(ProgressReport(Stage.READ, 0, 2))
        reports.preview("half")
        reports.progress(ProgressReport(Stage.READ, 2, 2))

    with qtbot.waitSignal(queue.finished):
        queue.submit(JobKind.SCAN, work)

    assert heard == [0, "half", 2]


def test_an_engine_that_raises_cancelled_by_itself_is_cancelled(queue, qtbot):
    def work(reports):
        raise ScanCancelledError("The scan was cancelled.")

    with qtbot.waitSignal(queue.cancelled):
        queue.submit(JobKind.EXPORT, work)


def test_progress_is_told_again_while_work_says_nothing(qtbot):
    queues = JobQueues()
    messages = JobMessages(queues, Current())
    lines = []
    messages.progressed.connect(lines.append)

    def work(reports):
        reports.progress(ProgressReport(Stage.READ, 3, 10))
        until_cancelled(reports)

    queues.submit(JobKind.SCAN, work)
    qtbot.waitUntil(lambda: len(lines) >= 2)
    queues.stop()

    assert {line.amount for line in lines} == {"3 of 10 documents"}
