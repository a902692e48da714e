"""A review of a part of a run on a cluster: what cannot be told of it, or done, is said."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.evidence.pairs import pair_codes
from core.review import save_review
from core.scan.flow import scan
from core.scan.part_of_run import PartOfRun, RunFacts
from core.settings import ScanSettings
from neardup_gui.views.pairs.outdated_row import OutdatedRow

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)


@pytest.fixture
def window(tmp_path, make_window, qtbot):
    """A window on one pair of three documents of a run that read them from another file system."""
    (tmp_path / "essays").mkdir()
    for number in range(3):
        (tmp_path / "essays" / f"{number}.txt").write_text(TREES + f"Number {number}. " * number)
    whole = scan([tmp_path / "essays"], ScanSettings(reworked="off"))
    found = whole.list_pairs().every.take([0])
    documents = [
        replace(one, path=Path(f"s3a://bucket/{one.name}")) for one in whole.state.documents
    ]
    part = PartOfRun(
        RunFacts("archive", 3, 3, 0.1),
        tuple(one.name for one in documents),
        pair_codes(found.a, found.b),
        found.found_by,
        found.estimate,
    )
    state = whole.state._replace(documents=documents, part=part, folders=(Path("s3a://bucket"),))
    whole.close()
    path = tmp_path / "part.neardup"
    assert save_review(path, state) == ()
    window = make_window()
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_review(path)
    return window


def test_whether_its_list_is_complete_nobody_can_prove(window, qtbot):
    with qtbot.waitSignal(window.presenter.workbench.audit.told) as told:
        window.presenter.workbench.audit.open()
    (about,) = told.args

    assert len(window.presenter.current.result.found.pairs) == 1
    assert (about.offer.may_prove, about.offer.may_plant) == (False, False)
    assert about.offer.words.startswith("The list is a part of that of a run on a cluster")


def test_a_file_that_only_the_cluster_reaches_is_not_opened(window, qtbot):
    name = window.presenter.current.result.documents[0].name
    for opens in (window._file_opener.open_file, window._file_opener.show_folder):
        with qtbot.waitSignal(window.presenter.said) as said:
            opens(name)
        (message,) = said.args
        assert message.text.startswith(f"“{name}” is in “s3a://bucket")
        assert message.text.endswith("cannot open. Its text is in this review.")
        assert not message.link


def test_where_it_is_from_stays_to_be_read(window, qtbot):
    summary = window.status_line._summary
    assert "1 pair from 0.10 on · a part of the run “archive” · " in summary.text()

    with qtbot.waitSignal(window.presenter.said) as said:
        window.presenter.rescan()

    assert "none be added" in said.args[0].text


def test_settings_that_only_another_run_can_follow(window, qtbot):
    row = window.findChild(OutdatedRow)
    presenter = window.presenter
    presenter.scans.change_settings(replace(presenter.current.settings, k=3))

    qtbot.waitUntil(lambda: row.sentence.startswith("Only another run on a cluster can follow. "))
    assert "k = 5 → words, k = 3" in row.sentence
