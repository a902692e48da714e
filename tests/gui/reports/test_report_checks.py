"""A report is checked from the window, against the folders that are open."""

import pytest

from neardup_gui.models.reports import seals_agree
from neardup_gui.window.actions import Action, Menu

TREES = " ".join(f"tree{number}" for number in range(200))


@pytest.fixture
def scanned(window, tmp_path, qtbot):
    folder = tmp_path / "essays"
    folder.mkdir()
    (folder / "one.txt").write_text(TREES)
    (folder / "two.txt").write_text(f"{TREES} and that was all")
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_folders([folder])
    return window


@pytest.fixture(params=["html", "json"])
def report(request, scanned, tmp_path, qtbot):
    path = tmp_path / f"report.{request.param}"
    with qtbot.waitSignal(scanned.presenter.exports.ended):
        scanned.presenter.exports.save(path)
    return path


def checked(window, qtbot, monkeypatch, path):
    """The window of checks, with what came out of one."""
    monkeypatch.setattr("neardup_gui.window.reports.ask_for_written_report", lambda *_: path)
    window._actions[Action.CHECK_REPORT].trigger()
    shown = window._reports.checks.shown
    assert shown._running.isVisible()
    qtbot.waitUntil(lambda: not shown._running.isVisible())
    return shown


def test_a_report_that_agrees(scanned, report, qtbot, monkeypatch):
    shown = checked(scanned, qtbot, monkeypatch, report)

    assert shown._sentence.isVisible()
    assert shown._problem.isHidden()
    assert "agrees" in shown._sentence.text()
    assert "1 of 1 agree" in shown._text.toPlainText()
    assert shown._key.isHidden()
    shown._noted.setText("0" * 64)
    assert "another one" in shown._agrees.text()
    assert checked(scanned, qtbot, monkeypatch, report)._noted.text() == ""


def test_a_report_that_was_changed(scanned, report, qtbot, monkeypatch):
    text = report.read_text(encoding="utf-8")
    assert "two.txt" in text
    report.write_text(text.replace("two.txt", "six.txt"), encoding="utf-8")

    shown = checked(scanned, qtbot, monkeypatch, report)

    assert shown._problem.isVisible()
    assert "does not agree" in shown._problem.text()
    assert "six.txt" in shown._text.toPlainText()


def test_a_file_that_is_no_report(scanned, qtbot, monkeypatch, tmp_path):
    other = tmp_path / "page.html"
    other.write_text("<p>Nothing of ours.</p>")

    shown = checked(scanned, qtbot, monkeypatch, other)

    assert shown._problem.isVisible()
    assert not shown._text.isVisible()
    assert shown._another.isEnabled()


def test_a_window_that_closes_ends_the_check(scanned, report, qtbot, monkeypatch):
    monkeypatch.setattr("neardup_gui.window.reports.ask_for_written_report", lambda *_: report)
    scanned._actions[Action.CHECK_REPORT].trigger()

    scanned.close()

    assert not scanned._reports.checks.shown.isVisible()


def test_seals_are_compared_as_people_note_them():
    seal = "ab" * 32

    assert seals_agree("", seal) == ""
    assert seals_agree(f" {seal[:32].upper()} {seal[32:]}\n", seal).startswith("It is the same")
    assert seals_agree("ab", seal).startswith("It is another one")


def test_it_is_in_the_menu_of_files():
    assert Action.CHECK_REPORT.value.menu is Menu.FILE
