"""The pair after the one that is read is laid out before it is asked for."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import core.evidence.passages
from core.base.tasks import stop_if
from neardup_gui.jobs.tasks import JobKind
from neardup_gui.presenter.presenter import ThumbnailSession

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)


@pytest.fixture
def scanned(window, tmp_path, qtbot, monkeypatch):
    folder = tmp_path / "essays"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.txt").write_text(TREES + f"Number {number} is the last. " * number)
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    wait_until_ready(window, qtbot)
    # Dot plots find passages, too: these tests count who does.
    monkeypatch.setattr(ThumbnailSession, "_draw_next", lambda *_: None)
    qtbot.waitUntil(lambda: not window.presenter._queues.is_busy(JobKind.THUMBNAILS))
    return window


def ahead(window):
    return window.presenter.pair._ahead


def wait_until_ready(window, qtbot):
    qtbot.waitUntil(lambda: ahead(window)._ready is not None)


def compared(window, monkeypatch):
    """The kinds of jobs that are submitted from now on."""
    submitted, queues = [], window.presenter._queues
    original = queues.submit

    def submit(kind, *arguments):
        submitted.append(kind)
        original(kind, *arguments)

    monkeypatch.setattr(queues, "submit", submit)
    return submitted


def names(window):
    return tuple(side.name for side in window.compare_pane.view._comparison.sides)


def test_the_pair_below_is_there_without_work(scanned, qtbot, monkeypatch):
    submitted = compared(scanned, monkeypatch)

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        scanned.pages.pairs.table.select_row(1)

    assert names(scanned) == scanned.presenter.pairs.key_at(1).names
    assert JobKind.COMPARE not in submitted
    wait_until_ready(scanned, qtbot)
    assert ahead(scanned)._key == scanned.presenter.pairs.key_at(2)


def test_after_a_verdict_the_next_open_pair_is_there_without_work(scanned, qtbot, monkeypatch):
    submitted = compared(scanned, monkeypatch)
    scanned.pages.pairs.table.setFocus()

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        QTest.keyClick(scanned.pages.pairs.table, Qt.Key.Key_1)

    assert names(scanned) == scanned.presenter.pairs.key_at(1).names
    assert JobKind.COMPARE not in submitted


def test_another_pair_than_expected_is_laid_out(scanned, qtbot, monkeypatch):
    submitted = compared(scanned, monkeypatch)

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        scanned.pages.pairs.table.select_row(3)

    assert names(scanned) == scanned.presenter.pairs.key_at(3).names
    assert JobKind.COMPARE in submitted


def test_a_pair_that_is_under_way_is_waited_for(scanned, qtbot, monkeypatch):
    gate, original = threading.Event(), core.evidence.passages.find_shared_text

    def slow(a, b, settings, cancelled, *more):
        while not gate.wait(0.002):
            stop_if(cancelled)
        return original(a, b, settings, cancelled, *more)

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        monkeypatch.setattr(core.evidence.passages, "find_shared_text", slow)
        scanned.pages.pairs.table.select_row(1)
    submitted = compared(scanned, monkeypatch)
    with qtbot.waitSignal(scanned.presenter.pair.loading):
        scanned.pages.pairs.table.select_row(2)

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        gate.set()
    assert names(scanned) == scanned.presenter.pairs.key_at(2).names
    assert JobKind.COMPARE not in submitted


def test_what_cannot_be_laid_out_ahead_is_tried_again_when_it_is_wanted(
    scanned, qtbot, monkeypatch
):
    original, tried = core.evidence.passages.find_shared_text, []

    def fails_once(*arguments):
        tried.append(arguments)
        if len(tried) == 1:
            raise MemoryError
        return original(*arguments)

    broken = []
    scanned.presenter.broke.connect(broken.append)
    monkeypatch.setattr(core.evidence.passages, "find_shared_text", fails_once)
    with qtbot.waitSignal(scanned.presenter.pair.compared):
        scanned.pages.pairs.table.select_row(1)
    qtbot.waitUntil(lambda: bool(tried) and ahead(scanned)._key is None)

    with qtbot.waitSignal(scanned.presenter.pair.compared):
        scanned.pages.pairs.table.select_row(2)

    assert names(scanned) == scanned.presenter.pairs.key_at(2).names
    assert broken == []


def test_what_was_laid_out_of_another_list_is_not_shown(scanned, qtbot, monkeypatch):
    submitted = compared(scanned, monkeypatch)
    with qtbot.waitSignal(scanned.presenter.ended):
        scanned.presenter.rescan()
    qtbot.waitUntil(lambda: not scanned.presenter._queues.is_busy(JobKind.COMPARE))

    assert JobKind.COMPARE in submitted
    assert ahead(scanned)._result in (None, scanned.presenter.current.result)
