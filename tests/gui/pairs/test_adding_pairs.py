"""Pairs of files that share a rare property and no text are added to the list, and stay there."""

import shutil

import pytest
from PySide6.QtCore import Qt

from core.documents.model import PairKey
from core.documents.reading_settings import ReadingSettings
from core.review.decisions import entry_after
from core.review.verdicts import judge
from core.scan.judgements import Judgements, Verdict
from neardup_gui.jobs.pairs import read_properties
from neardup_gui.models.pairs.columns import Column, PairFilter
from neardup_gui.presenter import verdict_session
from neardup_gui.window.actions import Action
from tests.engine.scan.test_added_pairs import write_essays
from tests.engine.scan.test_properties import word_file
from tests.gui.everywhere.walking import after, choose_bands

TEXT = Qt.ItemDataRole.DisplayRole
SHARED = " ".join(f"shared{n}" for n in range(80))


def opened(window, folder, qtbot):
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    return window.presenter.pairs


def names_in(pairs):
    return [
        tuple(
            pairs.index(row, column).data(TEXT) for column in (Column.DOCUMENT_A, Column.DOCUMENT_B)
        )
        for row in range(pairs.rowCount())
    ]


ADDED = [("01.docx", "02.docx"), ("00.docx", "11.docx")]


def test_a_link_adds_them_and_undo_takes_them_off(window, tmp_path, qtbot):
    pairs = opened(window, write_essays(tmp_path / "essays", alike=True), qtbot)
    row, presenter = window.pages.pairs.filter_row, window.presenter
    qtbot.waitUntil(lambda: not row.sharing.isHidden())
    assert row.sharing.text() == "Add 1 pair by file properties"
    assert names_in(pairs) == ADDED[:1]

    qtbot.until(presenter.listed, row.sharing.click)
    qtbot.waitUntil(row.sharing.isHidden)
    assert names_in(pairs) == ADDED
    cells = {column: pairs.index(1, column).data(TEXT) for column in Column}
    assert (cells[Column.RANK], cells[Column.FOUND_BY]) == ("–", "file properties")
    assert (cells[Column.RESEMBLANCE], cells[Column.OVERLAP]) == ("0.000", "0%")
    explanation = "This pair was added to the list: its files share a rare property."
    assert explanation in pairs.index(1, Column.FOUND_BY).data(Qt.ItemDataRole.ToolTipRole)
    assert (pairs.pair_count, sum(pairs.counts)) == (2, 2)
    presenter.pairs.set_filter(PairFilter(verdicts=frozenset({0})))
    assert names_in(pairs) == ADDED
    presenter.pairs.set_filter(PairFilter(properties=True))
    assert names_in(pairs) == ADDED[1:]
    presenter.pairs.set_filter(PairFilter())

    choose_bands(presenter, 8, 4, 0.4)  # another list has it, too
    qtbot.waitUntil(lambda: presenter.current.result.settings.min_resemblance == 0.4)
    assert ADDED[1] in names_in(pairs)

    qtbot.until(presenter.listed, presenter.decisions.undo)
    assert ADDED[1] not in names_in(pairs)
    qtbot.waitUntil(lambda: not row.sharing.isHidden())


def test_a_verdict_on_one_is_there_at_the_next_opening(make_window, tmp_path, qtbot):
    window, path = make_window(), tmp_path / "r.neardup"
    folder = write_essays(tmp_path / "essays", alike=False)
    pairs = opened(window, folder, qtbot)
    assert pairs.rowCount() == 0
    qtbot.until(window.presenter.listed, window._actions[Action.ADD_SHARING].trigger)
    assert names_in(pairs) == ADDED[1:]
    window.pages.pairs.table.selectRow(0)
    qtbot.until(window.presenter.pair.compared, window.pages.pairs.emit_selection)
    window.presenter.verdicts.judge(Verdict.CONFIRMED, pairs.pairs_in([0]))
    qtbot.until(window.presenter.review.saved, window.presenter.save_review, path)
    window.close()
    shutil.rmtree(folder)

    second_window = make_window()
    qtbot.until(second_window.presenter.ended, second_window.presenter.open_review, path)
    qtbot.waitUntil(lambda: second_window.presenter.pairs.rowCount() == 1)
    assert names_in(second_window.presenter.pairs) == ADDED[1:]
    assert second_window.presenter.pairs.verdicts.verdict_of(0) is Verdict.CONFIRMED


def test_what_was_judged_stays_when_further_documents_come(window, tmp_path, qtbot):
    """Of ten documents every pair has a row; a suspicious one was gone with the eleventh."""
    folder = write_essays(tmp_path / "essays", alike=True)
    late = tmp_path / "late"
    late.mkdir()
    for name in ("10.docx", "11.docx"):
        shutil.move(folder / name, late)
    pairs, presenter = opened(window, folder, qtbot), window.presenter
    row = names_in(pairs).index(("03.docx", "04.docx"))
    presenter.verdicts.judge(Verdict.SUSPICIOUS, pairs.pairs_in([row]))
    for name in ("10.docx", "11.docx"):
        shutil.move(late / name, folder)
    after(window, qtbot, presenter.rescan)
    judged = ("03.docx", "04.docx")
    assert names_in(pairs) == [ADDED[0], judged]
    assert pairs.verdicts.verdict_of(pairs.pairs_in([1])[0]) is Verdict.SUSPICIOUS
    assert pairs.index(1, Column.FOUND_BY).data(TEXT) == "–"

    presenter.verdicts.judge(Verdict.NOT_REVIEWED, pairs.pairs_in([1]))
    choose_bands(presenter, 8, 4, 0.4)
    qtbot.waitUntil(lambda: names_in(pairs) == ADDED[:1])
    with qtbot.waitSignal(presenter.verdicts.row_wanted) as wanted:
        presenter.decisions.undo()
    assert names_in(pairs)[wanted.args[0]] == judged


def test_what_is_confirmed_in_another_program_is_listed(window, tmp_path, qtbot):
    pairs = opened(window, write_essays(tmp_path / "essays", alike=True), qtbot)
    presenter, documents = window.presenter, window.presenter.current.result.documents
    key = PairKey.of(documents[3], documents[4])
    command, inverse = judge(Judgements(), [key], Verdict.CONFIRMED)
    entry = entry_after((), command, inverse, who="Ruth")
    qtbot.until(presenter.listed, presenter.decisions.follow, [entry])
    assert names_in(pairs) == [ADDED[0], ("03.docx", "04.docx")]


def test_that_there_is_none_to_add_is_reported(window, folder, qtbot):
    opened(window, folder, qtbot)
    messages = []
    window.presenter.message_posted.connect(lambda message: messages.append(message.text))
    window._actions[Action.ADD_SHARING].trigger()
    qtbot.waitUntil(lambda: len(messages) == 2)
    none = "No other pair of files shares a rare property."
    assert messages == ["Reading the properties of files…", none]


def test_that_files_are_gone_is_reported(window, tmp_path, qtbot):
    essays = write_essays(tmp_path / "essays", alike=True)
    opened(window, essays, qtbot)
    shutil.rmtree(essays)
    messages = []
    window.presenter.message_posted.connect(lambda message: messages.append(message.text))
    window.presenter.add_sharing()
    qtbot.waitUntil(lambda: len(messages) == 2)
    assert messages[1].endswith("12 files could not be looked at.")


def test_a_scan_meanwhile_does_not_forget_that_they_are_to_be_added(window, tmp_path, qtbot):
    pairs = opened(window, write_essays(tmp_path / "essays", alike=True), qtbot)
    window.presenter.add_sharing()
    window.presenter.properties.forget()
    window.presenter.properties.open()
    qtbot.waitUntil(lambda: names_in(pairs) == ADDED)


@pytest.mark.parametrize("is_wanted", [True, False])
def test_nothing_is_added_for_another_folder(window, tmp_path, qtbot, is_wanted):
    write_essays(tmp_path / "one", alike=False)
    write_essays(tmp_path / "two", alike=True)
    opened(window, tmp_path / "one", qtbot)
    if is_wanted:
        window.presenter.add_sharing()
    pairs = opened(window, tmp_path / "two", qtbot)
    qtbot.waitUntil(lambda: window.presenter.pairs.unlisted_sharing == 1)
    assert names_in(pairs) == ADDED[:1]


def test_a_pair_is_offered_only_between_documents_that_would_be_listed(window, tmp_path, qtbot):
    """What a second document with the same words shares is not reported of the first."""
    essays = write_essays(tmp_path / "essays", alike=False)
    words = " ".join(f"word3x{n}" for n in range(60))
    (essays / "03copy.docx").write_bytes(word_file(words, ["00CC0001", "00CC0002"]))
    words = " ".join(f"word12x{n}" for n in range(60))
    (essays / "12.docx").write_bytes(word_file(words, ["00CC0001", "00CC0002"]))
    opened(window, essays, qtbot)
    result = window.presenter.current.result
    properties = read_properties(result, ReadingSettings())
    documents = [
        (result.documents[a].name, result.documents[b].name) for a, b in properties.folder.pairs()
    ]
    assert len(documents) == 2
    assert len(properties.unlisted) == 1
    qtbot.until(window.presenter.listed, window.presenter.add_sharing)
    qtbot.waitUntil(lambda: window.presenter.pairs.sharing_count == 1)
    assert ADDED[1] in names_in(window.presenter.pairs)


def test_of_more_than_can_be_added_at_once_the_first_are(window, tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr(verdict_session, "MOST", 1)
    essays = write_essays(tmp_path / "essays", alike=False)
    for number in (5, 6):
        words = " ".join(f"word{number}x{n}" for n in range(60))
        (essays / f"{number:02}.docx").write_bytes(word_file(words, ["00CC0001", "00CC0002"]))
    pairs = opened(window, essays, qtbot)
    window.presenter.add_sharing()
    qtbot.waitUntil(lambda: pairs.rowCount() == 1)
    qtbot.waitUntil(lambda: pairs.unlisted_sharing == 1)
    window.presenter.add_sharing()
    qtbot.waitUntil(lambda: pairs.rowCount() == 2)


def test_nothing_is_read_where_nobody_wants_it(make_window, store, tmp_path, qtbot):
    window = make_window()
    presenter, action = window.presenter, window._actions[Action.READ_PROPERTIES]
    opened(window, write_essays(tmp_path / "essays", alike=True), qtbot)
    row, header = window.pages.pairs.filter_row, window.compare_pane.view.header
    qtbot.waitUntil(lambda: not row.sharing.isHidden())
    qtbot.waitUntil(lambda: "session" in header.properties._words.text())

    action.setChecked(False)
    qtbot.waitUntil(row.sharing.isHidden)
    assert presenter.current.result.scan.file_properties is None
    assert header.properties._words.text().startswith("File properties are not read.")
    assert not window._actions[Action.ADD_SHARING].isEnabled()
    after(window, qtbot, presenter.rescan)
    window.pages.pairs.table.select_row(0)
    assert presenter.current.result.scan.file_properties is None
    window.close()
    store.sync()

    again = make_window()
    assert not again._actions[Action.READ_PROPERTIES].isChecked()
    qtbot.until(again.presenter.pair.compared, opened, again, tmp_path / "essays", qtbot)
    assert again.presenter.current.result.scan.file_properties is None
    again._actions[Action.READ_PROPERTIES].setChecked(True)
    qtbot.waitUntil(lambda: not again.pages.pairs.filter_row.sharing.isHidden())
