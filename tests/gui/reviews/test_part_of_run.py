"""A review of a part of a run on a cluster: what cannot be told of it, or done, is said."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from core.audit.auditing import audit
from core.documents.model import Problem, ProblemCode
from core.evidence.pairs import pair_codes
from core.reports.choice import ReportChoice
from core.reports.curve.state import ThresholdState
from core.reports.formats import write_report
from core.reports.from_scan import report_of
from core.review import save_review
from core.review.audits import keep_audit
from core.review.decisions import decide
from core.scan.audit_results import Method
from core.scan.flow import scan
from core.scan.part_of_run import PartOfRun, RunFacts
from core.scan.scan import audited_texts
from core.settings import ScanSettings
from neardup_gui.models.threshold import place_words
from neardup_gui.models.workbench.settings_table import SettingColumn, setting_rows, summary
from neardup_gui.views.pairs.page import OutdatedRow
from neardup_gui.views.setup.rows import RescanRow
from neardup_gui.views.threshold import ThresholdPanel
from neardup_gui.views.widgets.controls import Caption

TREES = (
    "The survey was carried out in three districts between April and June. In each district we "
    "walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree we could see from the pavement. "
)


@pytest.fixture
def window(tmp_path, make_window, qtbot):
    """A window on one pair of three documents of a run that read them from another file system.

    A row of it gave no text, and an earlier version has called the list complete.
    """
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
    state = state._replace(problems=[Problem("7", ProblemCode.EMPTY, "It is empty.")])
    state = decide(state, audited(whole), None, who="Ann")
    whole.close()
    path = tmp_path / "part.neardup"
    assert save_review(path, state) == ()
    window = make_window()
    with qtbot.waitSignal(window.presenter.pair.compared):
        window.presenter.open_review(path)
    return window


def audited(whole):
    """An audit that proves the list of a scan of these documents."""
    texts = audited_texts(whole)
    result = audit(texts.texts, whole.settings, method=Method.ALL_PAIRS)
    return keep_audit(result, whole.settings, whole.documents, texts.fingerprint)


def test_whether_its_list_is_complete_nobody_can_prove(window, qtbot):
    with qtbot.waitSignal(window.presenter.workbench.audit.told) as told:
        window.presenter.workbench.audit.open()
    offer, shown, _is_kept = told.args

    assert len(window.presenter.current.result.found.pairs) == 1
    assert (offer.may_prove, offer.may_plant) == (False, False)
    assert offer.words.startswith("The list is a part of that of a run on a cluster")
    assert window.presenter.current.judgements.audit is not None
    assert shown is None


@pytest.mark.parametrize("names", [True, False])
def test_no_audit_of_it_goes_into_a_report(window, tmp_path, names):
    result, told = window.presenter.current.result, tmp_path / "report.json"
    judgements = window.presenter.current.judgements
    report = report_of(
        result.scan, result.found, judgements=judgements, choice=ReportChoice(names=names)
    )
    write_report(told, report)

    assert report.judgements.audit is None
    assert '"audit": null' in told.read_text(encoding="utf-8")


def test_what_its_curve_counts_is_said_where_it_stands(window, qtbot):
    """A scan of the three documents lists three pairs; the list has the one that was imported."""
    panel, model = window.findChild(ThresholdPanel), window.findChild(ThresholdPanel).model
    said = panel._forecast.accessibleDescription()

    assert said.startswith("Curves and forecasts are of the documents of this review alone, ")
    assert "None of 3 pairs above 0.10 would be missed" in said
    assert "Lists 1 pair of 3 documents." in said
    assert panel.curve.plot.data.where == "in these documents"
    places = [place_words(model.state, model.folder, one / 20) for one in range(20)]
    assert any("1 pair listed" in one and one.endswith(" in these documents") for one in places)

    model.change(model.state.with_threshold(0.05))
    assert "The next list says how many pairs that is." in panel._forecast.accessibleDescription()


def test_no_setting_is_said_to_list_what_was_not_imported(window, qtbot):
    curve, model = window.pages.curve, window.findChild(ThresholdPanel).model
    (before,) = setting_rows(model, {}, None)
    assert before.forecast.missed.expected >= 0
    assert math.isnan(before.forecast.listed)
    with qtbot.waitSignal(window.presenter.workbench.grid.told, check_params_cb=bool):
        window.pages.tabs.setCurrentWidget(curve)
    rows = curve.settings.model.shown()

    assert len(rows) > 1
    assert {SettingColumn.LISTED.words.shown(row) for row in rows} == {"–"}
    assert any(row.forecast.missed.expected >= 0 for row in rows)
    curve.settings.scan_wanted.emit(ThresholdState(128, 2, 0.1, 256))
    said = summary(model, curve.settings.model.map, rows)
    assert "signatures than there are. Only another run on a cluster can follow." in said
    curve.below.setCurrentWidget(curve.passages)
    qtbot.waitUntil(lambda: "Guaranteed" in curve.passages.text)
    assert curve.passages.text.startswith("Curves and forecasts are of the documents of this ")


def test_what_gave_no_text_is_no_file(window, tmp_path):
    problems, page = window.presenter.problems, tmp_path / "report.html"
    result = window.presenter.current.result
    write_report(page, report_of(result.scan, result.found))
    written = page.read_text(encoding="utf-8")

    tip = problems.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Without text: 1 document. " in tip
    assert problems.headerData(0, Qt.Orientation.Horizontal) == "Document"
    assert problems.groups[0].remedy is None
    assert "1 document gave no text and was not compared; " in written
    assert "Documents that gave no text and were not compared." in written
    assert "in these documents" in written
    assert " the folder" not in written


def test_a_file_that_only_the_cluster_reaches_is_not_opened(window, qtbot):
    name = window.presenter.current.result.documents[0].name
    for opens in (window._file_opener.open_file, window._file_opener.show_folder):
        with qtbot.waitSignal(window.presenter.said) as said:
            opens(name)
        (message,) = said.args
        assert message.text.startswith(f"“{name}” is in “s3a://bucket")
        assert message.text.endswith("can’t open. Its text is in this review.")
        assert not message.link


def test_where_it_is_from_stays_to_be_read(window, qtbot):
    summary = window.status_line._summary
    assert "1 pair from 0.10 on, 1 problem · part of the run “archive” · " in summary.text()

    with qtbot.waitSignal(window.presenter.said) as said:
        window.presenter.rescan()

    assert "none be added" in said.args[0].text


def test_settings_that_only_another_run_can_follow(window, qtbot):
    row = window.findChild(OutdatedRow)
    presenter = window.presenter
    presenter.scans.change_settings(replace(presenter.current.settings, k=3))

    qtbot.waitUntil(lambda: row.sentence.startswith("Only another run on a cluster can follow. "))
    assert "k = 5 → words, k = 3" in row.sentence
    assert row._button.isHidden()


def test_no_scan_is_offered_that_only_another_run_can_do(window, qtbot):
    panels, presenter = window.side_panels, window.presenter
    setup, reading = panels.setup, panels.reading
    setup.set_settings(setup.settings.with_changes(k=3))
    reading.edit_field("ocr")

    for panel in (setup, reading):
        row = panel.findChild(RescanRow)
        assert row.findChild(QPushButton).isHidden()
        assert row.findChild(Caption).text() == "Only another run on a cluster can follow."
        assert not row.findChild(Caption).isHidden()
    assert setup.findChild(RescanRow).isVisibleTo(setup)
    with qtbot.waitSignal(presenter.said) as said:
        window.pages.curve.settings.scan_wanted.emit(ThresholdState(128, 2, 0.1, 256))
    assert said.args[0].text.endswith(" selected. Only another run on a cluster can follow.")
    assert not said.args[0].link
