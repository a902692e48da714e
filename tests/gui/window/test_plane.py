"""What every b × r would do is told once the page of the curve was opened."""

import pytest

from neardup_gui.jobs.tasks import JobKind

LINE = "the same line again with some words that are its own and others that all of them share {}"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text(LINE.format(f"number {number}") * 3)
    return folder


def test_a_plane_is_made_once_the_page_was_opened_and_for_each_list_after(window, folder, qtbot):
    model, presenter = window.side_panels.model, window.presenter
    with qtbot.waitSignal(presenter.scans.scanned):
        presenter.open_folders((folder,))
    assert model.plane is None
    assert not presenter._queues.is_busy(JobKind.PLANE)

    with qtbot.waitSignal(model.plane_changed):
        window._navigation.go_to_curve()
    first = model.plane
    assert first.signature_size == presenter.current.settings.signature_size
    assert first.one(0.5, 64, 2).missed is not None

    with qtbot.waitSignal(model.plane_changed):
        model.change(model.state.with_both(16, 8))
    assert model.plane is not first


def test_a_plane_of_other_documents_is_not_shown(window, folder, qtbot):
    model, presenter = window.side_panels.model, window.presenter
    with qtbot.waitSignal(presenter.scans.scanned):
        presenter.open_folders((folder,))
    with qtbot.waitSignal(model.plane_changed):
        window._navigation.go_to_curve()

    (folder / "more.txt").write_text("something else")
    seen = []
    model.plane_changed.connect(lambda: seen.append(model.plane))
    presenter.rescan()
    qtbot.waitUntil(lambda: len(seen) == 2)

    assert seen[0] is None
    assert seen[1] is not None
