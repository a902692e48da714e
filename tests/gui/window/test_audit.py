"""Testing the list from the page of the curve: proved, measured, cancelled, kept, outdated."""

from types import SimpleNamespace

import pytest

from core.settings import ScanSettings
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.workbench.audit_table import AuditTableKind
from tests.texts import folder_of_copies, folder_with

LINE = "the same line again with some words that are its own and others that all of them share {}"


@pytest.fixture
def folder(tmp_path):
    return folder_with(
        tmp_path / "docs",
        {f"{number}.txt": LINE.format(f"number {number}") * 3 for number in range(6)},
    )


def test_a_grid_is_counted_once_the_page_was_opened_and_for_each_list_after(window, folder, qtbot):
    """That of other documents is not shown."""
    model, presenter = window.side_panels.model, window.presenter
    qtbot.until(presenter.scans.scanned, presenter.open_folders, (folder,))
    assert model.grid is None
    assert not presenter.tasks.is_busy(TaskKind.GRID)

    qtbot.until(model.grid_changed, window.navigation.go_to_curve)
    first = model.grid
    assert first.signature_size == presenter.current.settings.signature_size
    assert first.forecast(0.5, (64, 2)).missed is not None

    qtbot.until(model.grid_changed, model.change, model.state.with_both(16, 8))
    assert model.grid is not first

    (folder / "more.txt").write_text("something else")
    seen = []
    model.grid_changed.connect(lambda: seen.append(model.grid))
    presenter.rescan()
    qtbot.waitUntil(lambda: len(seen) == 2)

    assert seen[0] is None
    assert seen[1] is not None


FEW = ScanSettings(
    k=3, bands=2, rows=6, min_passage=10_000, compare="bands", reworked="off", min_resemblance=0.3
)

NAMES = ("a & b", "<b>")


@pytest.fixture
def opened(qtbot, window, tmp_path):
    """A window with a scanned folder, the page of the test in front."""
    folder = folder_of_copies(tmp_path / "folder", 10, names=NAMES)
    window.presenter.current.settings = FEW
    with qtbot.waitSignal(window.presenter.listed, check_params_cb=lambda result: result.complete):
        window.presenter.open_folders((folder,))
    show(window)
    return window


def show(window):
    window.pages.tabs.setCurrentWidget(window.pages.curve)
    window.pages.curve.below.setCurrentWidget(window.pages.curve.audit)


def finished(qtbot, window, start):
    """Run a test to its end."""
    session, results = window.presenter.workbench.audit, []

    def hear(_offer, shown, is_kept):
        results.append(SimpleNamespace(shown=shown, is_kept=is_kept))

    session.audit_changed.connect(hear)
    start()
    qtbot.waitUntil(lambda: any(result.shown for result in results))
    session.audit_changed.disconnect(hear)
    return results[-1]


def rows_of(window, kind):
    model = window.pages.curve.audit._models[kind]
    columns = range(model.columnCount())
    return [
        [model.index(row, column).data() for column in columns] for row in range(model.rowCount())
    ]


def kept_ranges(window):
    return window.presenter.current.judgements.audit.result.ranges


def test_a_list_is_held_against_all_pairs_and_a_missing_one_is_opened(qtbot, opened):
    view = opened.pages.curve.audit
    assert view.prove.isEnabled()
    assert "All pairs of 20 documents" in view._offer.text()
    assert view._heading.isHidden()

    result = finished(qtbot, opened, view.prove.click)

    missing = result.shown.tables[AuditTableKind.PAIRS]
    assert result.is_kept
    assert view._heading.text() == result.shown.heading
    assert "pairs missing" in result.shown.heading
    assert "All 190 pairs of 20 documents were compared exactly." in view._sentences.text()
    assert "With b × r = " in view._changes.text()
    assert len(rows_of(opened, AuditTableKind.PAIRS)) == len(missing) > 0
    points = opened.side_panels.model.audit_points
    assert 0 < len(points) <= len(rows_of(opened, AuditTableKind.RANGES))
    assert points[0].low == kept_ranges(opened)[0].low
    assert points[-1].high == kept_ranges(opened)[-1].high
    assert all(point.share.low <= point.share.value <= point.share.high for point in points)
    kept = opened.presenter.current.judgements.audit
    assert kept is not None
    assert kept.result.proof.missing == len(missing)
    assert not opened.presenter.decisions.can_undo  # it is no decision

    table = view._pages[AuditTableKind.PAIRS].table
    with qtbot.waitSignal(opened.presenter.pair.opened) as compared:
        table.select_row(0)
        table.opened.emit()

    assert set(compared.args[0].key) == set(missing[0].pair)
    assert opened.pages.tabs.currentWidget() is opened.pages.pairs


def test_planted_copies_are_searched_for(qtbot, opened):
    view = opened.pages.curve.audit

    result = finished(qtbot, opened, view.plant.click)

    assert "of the edited copies were found" in result.shown.heading
    assert len(rows_of(opened, AuditTableKind.EDITS)) == 5
    assert rows_of(opened, AuditTableKind.COPIES)
    assert not view.tables.isTabVisible(list(AuditTableKind).index(AuditTableKind.PAIRS))


def test_of_another_list_it_says_so_and_marks_no_points(qtbot, opened):
    view = opened.pages.curve.audit
    finished(qtbot, opened, view.prove.click)
    model = opened.side_panels.model
    assert model.audit_points

    qtbot.until(opened.presenter.listed, model.change, model.state.with_both(16, 4))

    qtbot.waitUntil(lambda: not model.audit_points)
    assert "earlier list" in view._when.text()
    assert finished(qtbot, opened, view.prove.click).shown.is_current
    assert "earlier list" not in view._when.text()


def test_a_test_is_cancelled(qtbot, opened, monkeypatch):
    view, session = opened.pages.curve.audit, opened.presenter.workbench.audit
    monkeypatch.setattr("core.audit.search.WORK_PER_TASK", 1)
    qtbot.until(session.progressed, view.prove.click)
    assert not view.running.isHidden()

    view.running.cancel.click()

    qtbot.waitUntil(view.running.isHidden)
    assert opened.presenter.current.judgements.audit is None
    assert view._heading.isHidden()


def test_other_folders_forget_the_test_that_runs(qtbot, opened, tmp_path):
    view = opened.pages.curve.audit
    second_folder = folder_of_copies(tmp_path / "other", 3, seed=2)
    view.prove.click()
    presenter = opened.presenter

    with qtbot.waitSignal(presenter.listed, check_params_cb=lambda result: result.complete):
        presenter.open_folders((second_folder,))

    show(opened)
    assert presenter.current.judgements.audit is None
    assert view.running.isHidden()
    assert opened.side_panels.model.audit_points == ()
    assert "All pairs of 6 documents" in view._offer.text()


def test_before_a_scan_and_with_one_document_there_is_nothing_to_test(qtbot, window, tmp_path):
    show(window)
    view = window.pages.curve.audit
    assert "when the scan is complete" in view._offer.text()
    assert not view.prove.isEnabled()
    folder = folder_with(tmp_path / "one", {"one.txt": "a single text of some words"})
    with qtbot.waitSignal(window.presenter.listed, check_params_cb=lambda result: result.complete):
        window.presenter.open_folders((folder,))

    show(window)

    assert "nothing to test" in view._offer.text()
    assert not view.prove.isEnabled()
    assert not view.plant.isEnabled()


def test_it_is_shown_again_when_the_review_is_opened(qtbot, opened, make_window, tmp_path):
    view = opened.pages.curve.audit
    result = finished(qtbot, opened, view.prove.click)
    path = tmp_path / "kept.neardup"
    qtbot.until(opened.presenter.review.saved, opened.presenter.save_review, path)
    opened.close()

    again = make_window()
    with qtbot.waitSignal(again.presenter.listed, check_params_cb=lambda result: result.complete):
        again.presenter.open_review(path)
    show(again)

    second = again.pages.curve.audit
    assert second._heading.text() == result.shown.heading
    assert again.side_panels.model.audit_points == result.shown.points
    assert "earlier list" not in second._when.text()


def test_where_nothing_may_be_decided_it_is_shown_and_said(qtbot, opened, monkeypatch):
    from neardup_gui.models.words.sentences import Message

    decisions = opened.presenter.decisions
    monkeypatch.setattr(decisions, "_refused", lambda: Message("Another program has it."))
    view = opened.pages.curve.audit

    assert not finished(qtbot, opened, view.prove.click).is_kept
    assert "isn’t saved because" in view._when.text()
    assert opened.presenter.current.judgements.audit is None
    assert opened.side_panels.model.audit_points
