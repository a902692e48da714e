"""However a scan ends, its pairs can be listed anew: no scan closes the threads of another."""

import threading
from dataclasses import replace

import pytest

from core.base.tasks import Stage
from neardup_gui.jobs.tasks import TaskKind, Tasks

MANY = 1200  # documents: enough for a preview at 500

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A folder that is shown before it is read to its end; some of its documents are alike."""
    folder = tmp_path_factory.mktemp("large")
    for number in range(MANY):
        # Neighbours share so few words that only many bands find them.
        own = " ".join(f"{number + place // 180}x{place % 180}" for place in range(200))
        alike = f"{TREES} The end of part {number}."
        (folder / f"{number:04}.txt").write_text(alike if number % 100 == 3 else own)
    return folder


@pytest.fixture
def small(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    for name, end in (("one.txt", ""), ("two.txt", "And that was all.")):
        (folder / name).write_text(TREES + end)
    return folder


@pytest.fixture
def broken(window):
    """What nobody foresaw, and what the jobs refused."""
    errors = []
    window.presenter.broke.connect(errors.append)
    window.presenter.tasks.failed.connect(lambda _kind, error: errors.append(error))
    return errors


def after(window, qtbot, act):
    with qtbot.waitSignal(window.presenter.ended):
        act()


def scan(window, qtbot, folder):
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))


def bands_can_change(window, qtbot):
    """Move the sliders: whatever is listed is listed again, with pairs measured anew."""
    presenter = window.presenter
    after(window, qtbot, lambda: presenter.scans.change_bands(128, 1, 0.0))
    assert presenter.current.result.settings.bands == 128
    after(window, qtbot, lambda: presenter.scans.change_bands(42, 3, 0.1))
    assert presenter.current.result.settings.bands == 42


@pytest.fixture
def let_go(monkeypatch):
    """A scan stands still where it has shown something, until it is let go or cancelled."""
    gate = threading.Event()

    def task_of(tasks, job):
        task = original(tasks, job)

        def preview(value):
            task.preview(value)
            while not gate.wait(0.005) and not task.cancelled():
                pass

        return replace(task, preview=preview)

    original = Tasks._task_of
    monkeypatch.setattr(Tasks, "_task_of", task_of)
    return gate.set


def scan_partly(window, qtbot, folder):
    """Scan a folder up to the first pairs; `let_go` lets it go on."""
    with qtbot.waitSignal(window.presenter.listed):
        window.presenter.open_folders([folder])
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


def test_bands_change_after_a_scan_that_was_shown_while_it_ran(
    window, large, qtbot, broken, let_go
):
    scan_partly(window, qtbot, large)
    after(window, qtbot, let_go)

    bands_can_change(window, qtbot)
    assert broken == []
    assert len(window.presenter.current.result.documents) == MANY


@pytest.mark.parametrize(
    ("stage", "words", "when_all_is_read"),
    [
        (Stage.DISCOVER, 1, False),
        (Stage.READ, 1, False),
        (Stage.READ, 2, False),
        (Stage.READ, 3, False),
        (Stage.COMPARE, 1, False),  # of what is shown meanwhile
        (Stage.COMPARE, 1, True),
    ],
)
def test_bands_change_after_a_scan_was_cancelled(
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


def test_bands_change_after_a_rescan_was_cancelled(window, large, qtbot, broken, monkeypatch):
    presenter = window.presenter
    scan(window, qtbot, large)
    whole = presenter.current.result
    cancel = CancelAt(monkeypatch, Stage.READ, 2)

    after(window, qtbot, presenter.rescan)
    assert cancel.happened
    assert presenter.current.result is whole

    bands_can_change(window, qtbot)
    assert broken == []


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


def test_a_review_is_opened_while_a_folder_is_shown(
    window, large, small, tmp_path, qtbot, broken, let_go
):
    presenter, path = window.presenter, tmp_path / "small.neardup"
    scan(window, qtbot, small)
    with qtbot.waitSignal(presenter.review.said):
        presenter.save_review(path)
    scan_partly(window, qtbot, large)

    after(window, qtbot, lambda: presenter.open_review(path))

    assert presenter.current.result.names.shown == ["one.txt", "two.txt"]
    bands_can_change(window, qtbot)
    after(window, qtbot, presenter.rescan)
    bands_can_change(window, qtbot)
    assert broken == []


def test_a_review_that_cannot_be_opened_leaves_what_was_shown(
    window, large, tmp_path, qtbot, broken, let_go
):
    presenter, path = window.presenter, tmp_path / "no.neardup"
    path.write_bytes(b"not a review at all")
    scan_partly(window, qtbot, large)

    after(window, qtbot, lambda: presenter.open_review(path))
    assert len(broken) == 1  # the review
    assert not presenter.current.result.complete

    bands_can_change(window, qtbot)
    assert len(broken) == 1


def test_a_slider_moved_there_and_back_while_scanning_leaves_the_whole_list(
    window, large, qtbot, broken, let_go
):
    presenter = window.presenter
    scan_partly(window, qtbot, large)
    settings = presenter.current.settings
    finished = []
    presenter.tasks.finished.connect(finished.append)
    presenter.scans.change_bands(128, 1, 0.0)
    presenter.scans.change_bands(settings.bands, settings.rows, settings.min_resemblance)

    let_go()
    qtbot.waitUntil(lambda: TaskKind.SCAN in finished)
    qtbot.waitUntil(lambda: not presenter.tasks.is_busy(TaskKind.SCAN, TaskKind.LIST))

    assert presenter.current.result.complete
    assert len(presenter.current.result.documents) == MANY
    assert broken == []
