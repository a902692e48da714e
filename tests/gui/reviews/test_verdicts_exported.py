"""What is judged in the window is in what it exports, though the scan was made before."""

import csv

import numpy as np
import pytest

from core.scan.judgements import Verdict


@pytest.fixture
def listed(window, tmp_path, qtbot):
    folder = tmp_path / "essays"
    folder.mkdir()
    common = " ".join(f"word{number}" for number in range(60))
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"{common} {number}")
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_folders([folder])
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    return window


def test_an_export_has_the_verdicts_and_notes_of_now(listed, tmp_path, qtbot):
    presenter = listed.presenter
    presenter.verdicts.judge(Verdict.SUSPICIOUS, np.array([1]))
    presenter.verdicts.write_note("ask first", np.array([1, 2]))
    target = tmp_path / "pairs.csv"
    qtbot.waitUntil(lambda: not presenter.state.is_busy)
    with qtbot.waitSignal(presenter.said):
        presenter.exports.save(target)
    with target.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == ["not reviewed", "suspicious", "not reviewed"]
    assert [row["note"] for row in rows] == ["", "ask first", "ask first"]
    assert [bool(row["when"]) for row in rows] == [False, True, True]
