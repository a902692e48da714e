"""The window while the engine is compiled for the first time: it reads, tells, can be closed."""

import threading

import pytest

from core.program import preparation


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
