"""Memory and threads that the system does not give are a message in the window, and no bug."""

import pytest

from core.scan import flow

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
