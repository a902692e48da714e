"""How files are read, in the window, with the real engine and the real readers.

How files are read: the model behind the panel, the panel, and what is remembered of it.
"""

import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication

from core.base.wording import count
from core.candidates.reworked_curve import ReworkedCurve
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings
from core.settings import ScanSettings
from neardup_gui.environment.preferences import Preferences
from neardup_gui.models import setup
from neardup_gui.models.folder_reviews import FileLocation, located
from neardup_gui.models.problems import Remedy
from neardup_gui.models.setup import (
    LIMITS,
    ONLY_MARKED,
    ReadingModel,
    SetupModel,
    from_stored,
    reworked_in_words,
    to_stored,
)
from neardup_gui.views.setup.panel import SetupPanel
from neardup_gui.views.setup.reading_panel import ReadingPanel
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.window.actions import Action
from tests.gui.everywhere.walking import after, tab_title
from tests.pdfs import lines_at, locked
from tests.texts import folder_with

AUTO, OFF, CAREFUL, THOROUGH = (
    ScanSettings(reworked=level) for level in ("auto", "off", "careful", "thorough")
)


def test_each_choice_says_what_it_finds_and_costs():
    assert "twice as long" in reworked_in_words(OFF)
    assert "replaced" in reworked_in_words(CAREFUL)
    assert "turn of phrase" in reworked_in_words(THOROUGH)
    assert len({reworked_in_words(settings) for settings in (AUTO, OFF, CAREFUL, THOROUGH)}) == 4


def test_the_sentences_promise_what_the_curve_says():
    for settings in (CAREFUL, THOROUGH):
        assert ReworkedCurve.usual(settings.reworked).sentence() in reworked_in_words(settings)
    for curve in ReworkedCurve.usual("careful"), ReworkedCurve.usual("thorough", measures_all=True):
        assert curve.sentence() in reworked_in_words(AUTO)
    assert "probability" not in reworked_in_words(OFF)


def test_the_promise_needs_no_compiled_code():
    program = (
        "import sys; from neardup_gui.models.setup import reworked_in_words; "
        "from core.settings import ScanSettings; "
        "print(reworked_in_words(ScanSettings(reworked='careful'))); "
        "print('numba' in sys.modules)"
    )
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split()[-1] == "False"
    assert "is found with a probability" in run.stdout


def test_another_search_for_reworked_passages_takes_no_scan():
    model = SetupModel()
    model.set_scanned(OFF)
    for settings in (THOROUGH, CAREFUL, AUTO, OFF):
        model.settings = settings
        assert not model.needs_scan
    model.settings = CAREFUL.with_changes(k=7)
    assert model.needs_scan


def test_where_passages_list_no_pair_the_choice_says_so():
    assert ONLY_MARKED in reworked_in_words(CAREFUL.with_changes(list_passages=False))
    assert ONLY_MARKED not in reworked_in_words(OFF.with_changes(list_passages=False))


def test_the_panel_says_it_below_the_choice(qtbot):
    panel = SetupPanel()
    qtbot.addWidget(panel)
    panel.set_settings(CAREFUL)
    combo = panel._form.controls["reworked"]
    assert combo.accessibleDescription() == reworked_in_words(CAREFUL)
    combo.setCurrentIndex(combo.findData("thorough"))
    assert panel.settings.reworked == "thorough"
    assert panel._form._notes["reworked"].text() == reworked_in_words(THOROUGH)


NET = 300  # seconds
LINES = (
    "The survey was carried out in three districts between April and June.",
    "In each district we walked every street twice, once in the morning and",
    "once in the evening, and noted the species, the height and the state of",
    "every tree we could see from the pavement, and of some we could not.",
)
TREES = " ".join(LINES)
SEA = (
    "Nobody in the harbour office could say when the buoy had been painted green, or by whom. "
    "The log of the pilot boat was silent, the ledger of the chandler had been eaten by mice. "
)


@pytest.fixture
def folder(tmp_path):
    files = {
        "trees.txt": TREES,
        "pages.txt": f"{SEA}\f{TREES}\f{SEA}",
        "locked.pdf": locked(b"secret", lines_at(50, 700, LINES)),
        "other.pdf": locked(b"another", lines_at(50, 700, [SEA])),
        "photo.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "empty.txt": "",
    }
    return folder_with(tmp_path / "letters", files)


@pytest.fixture
def held_up(monkeypatch):
    """A file whose reading takes as long as the test wants."""
    import core.scan.ingest

    original = core.scan.ingest.read_file

    @contextmanager
    def hold(name):
        go_on, reading_begun = threading.Event(), threading.Event()

        def slow(file, *args, **kwargs):
            if file.name == name:
                reading_begun.set()
                assert go_on.wait(NET)
            return original(file, *args, **kwargs)

        monkeypatch.setattr(core.scan.ingest, "read_file", slow)
        try:
            yield reading_begun
        finally:
            go_on.set()

    return hold


@pytest.fixture
def scanned(window, folder, qtbot):
    with qtbot.waitSignal(window.presenter.pair.compared):
        after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    window.pages.tabs.setCurrentWidget(window.pages.problems)
    return window


def files_in(window, title):
    groups = {group.title: group for group in window.presenter.problems.groups}
    return [row.name for row in groups[title].rows] if title in groups else []


def names_listed(window):
    return {document.name for document in window.presenter.current.result.documents}


def choose_problem(window, title, name=""):
    table = window.pages.problems.table
    table.select_row(window.presenter.problems.row_of((title, name)))
    return table


def enter_password(window, qtbot, password):
    row = window.pages.problems.password_row
    choose_problem(window, "Locked with a password")._follow_remedy()
    row._field.clear()
    qtbot.keyClicks(row._field, password)
    after(window, qtbot, row._take.click)
    return row


def test_a_folder_with_pictures_alone_does_not_warn(window, tmp_path, qtbot):
    folder = folder_with(tmp_path / "photos", {"a.txt": TREES})
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))

    assert tab_title(window, window.pages.problems) == "Problems"
    assert not window.pages.tabs.tabBar().tabData(1)


def test_a_password_opens_what_it_fits_until_nothing_is_locked(scanned, qtbot):
    assert tab_title(scanned, scanned.pages.problems) == "Problems 3"
    assert files_in(scanned, "Pictures") == ["photo.png"]
    assert files_in(scanned, "Locked with a password") == ["locked.pdf", "other.pdf"]

    row = enter_password(scanned, qtbot, "wrong")
    assert row._problem.text() == "This password opens none of them."
    assert row._field.text() == "wrong"
    assert scanned.presenter.current.reading.passwords == ()

    enter_password(scanned, qtbot, "secret")
    assert "locked.pdf" in names_listed(scanned)
    assert files_in(scanned, "Locked with a password") == ["other.pdf"]
    assert row._problem.text() == (
        "The password opened 1 file. 1 file is still locked with a different password."
    )
    assert row._field.text() == ""
    assert scanned.presenter.current.reading.passwords == ("secret",)

    enter_password(scanned, qtbot, "another")
    assert row.isHidden()
    assert scanned.pages.problems.table.hasFocus()
    assert "opened 1 file" in scanned.message_bar.accessibleName()
    assert files_in(scanned, "Locked with a password") == []
    assert {"locked.pdf", "other.pdf"} <= names_listed(scanned)


def test_a_password_is_stored_nowhere(scanned, qtbot, tmp_path, store):
    review = tmp_path / "r.neardup"
    qtbot.until(scanned.presenter.review.changed, scanned.presenter.save_review, review)
    qtbot.until(scanned.presenter.review.changed, enter_password, scanned, qtbot, "secret")
    scanned.presenter.reading.open_archives()
    store.sync()

    assert Preferences(store).reading == ReadingSettings(archives=True)
    for file in tmp_path.iterdir():
        assert file.is_dir() or b"secret" not in file.read_bytes(), file.name


def test_a_cancelled_scan_says_that_the_password_was_not_tried(scanned, qtbot, held_up):
    reading = scanned.presenter.reading
    with held_up("locked.pdf") as reading_begun, qtbot.waitSignal(reading.judged) as blocker:
        scanned.presenter.try_password("secret")
        qtbot.waitUntil(reading_begun.is_set)
        scanned.presenter.cancel()

    assert "not tried on every file" in blocker.args[0]
    assert scanned.presenter.current.reading.passwords == ()


def test_another_folder_leaves_no_password_in_the_field(scanned, tmp_path, qtbot):
    enter_password(scanned, qtbot, "wrong")
    (tmp_path / "empty").mkdir()
    after(scanned, qtbot, lambda: scanned.presenter.open_folders([tmp_path / "empty"]))

    assert scanned.pages.problems.password_row.isHidden()
    assert scanned.pages.problems.password_row._field.text() == ""


def test_a_limit_is_met_changed_and_tried_again(window, folder, qtbot, store):
    small = replace(DEFAULT_LIMITS, file_bytes=1_000_000)
    (folder / "long.txt").write_text(TREES * 6_000)
    window.side_panels.reading.set_reading(ReadingSettings(limits=small))
    window.presenter.reading.change(ReadingSettings(limits=small))
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    window.pages.tabs.setCurrentWidget(window.pages.problems)
    assert files_in(window, "Too big") == ["long.txt"]
    assert "long.txt" not in names_listed(window)

    choose_problem(window, "Too big", "long.txt")._follow_remedy()
    box = window.side_panels.reading._form.controls["file_bytes"]
    qtbot.waitUntil(box.hasFocus)
    box.setValue(100)
    assert window.side_panels.reading.rescan.isVisible()
    after(window, qtbot, window.side_panels.reading.rescan.button.clicked.emit)

    assert "long.txt" in names_listed(window)
    assert not window.side_panels.reading.rescan.isVisible()
    assert Preferences(store).reading.limits.file_bytes == 100_000_000


@pytest.mark.parametrize("height", [800, 450])
def test_nothing_moves_under_the_mouse_where_a_new_scan_is_offered(window, folder, qtbot, height):
    for number in range(3):  # with two documents the window opens without the panel
        (folder / f"{number}.txt").write_text(f"{TREES} {number}")
    after(window, qtbot, lambda: window.presenter.open_folders([folder]))
    window.resize(1280, height)
    qtbot.waitUntil(lambda: not window.presenter.state.is_busy)
    panels = window.side_panels
    box, rescan = panels.reading._form.controls["archives"], panels.reading.rescan
    panels.edit_reading()
    qtbot.waitUntil(lambda: not box.visibleRegion().isEmpty())
    QApplication.processEvents()
    place = box.mapTo(window, QPoint())

    box.click()

    QApplication.processEvents()
    assert box.mapTo(window, QPoint()) == place
    assert not rescan.button.visibleRegion().isEmpty()
    assert panels.reading._form.isVisible()


def test_what_is_remembered_is_used_by_the_next_window(make_window, store):
    Preferences(store).reading = ReadingSettings(archives=True)
    window = make_window()

    assert window.presenter.current.reading.archives
    assert window.side_panels.reading._model.reading.archives


def test_what_would_help_is_led_to(scanned, qtbot, monkeypatch):
    panel, problems = scanned.side_panels.reading, scanned.pages.problems
    scanned._side_dock.close()
    problems.remedy_wanted.emit(Remedy.LIMITS, "seconds")
    box = panel._form.controls["seconds"]
    qtbot.waitUntil(lambda: box.visibleRegion().boundingRect().height() == box.height())

    monkeypatch.setattr(setup.shutil, "which", lambda name: None)
    problems.remedy_wanted.emit(Remedy.GET_OCR, "")
    assert "install Tesseract" in scanned.message_bar.accessibleName()
    assert not scanned.presenter.current.reading.ocr
    monkeypatch.setattr(setup.shutil, "which", lambda name: "/usr/bin/tesseract")
    after(scanned, qtbot, lambda: problems.remedy_wanted.emit(Remedy.OCR, ""))
    assert scanned.presenter.current.reading.ocr

    problems.remedy_wanted.emit(Remedy.LANGUAGES, "")  # the scans were read in vain
    field = panel._form.controls["ocr_languages"]
    qtbot.waitUntil(field.hasFocus)
    assert field.selectedText() == "eng"

    after(scanned, qtbot, lambda: problems.remedy_wanted.emit(Remedy.ARCHIVES, ""))
    assert scanned.presenter.current.reading.archives
    assert panel._model.reading.archives


def test_a_wrong_name_is_a_remark_in_the_list_and_the_header(window, tmp_path, qtbot):
    page = f"<!DOCTYPE html><html><body><p>{TREES}</p></body></html>"
    folder = folder_with(tmp_path / "pages", {"a.docx": page, "b.txt": TREES})
    with qtbot.waitSignal(window.presenter.pair.compared):
        after(window, qtbot, lambda: window.presenter.open_folders([folder]))

    assert files_in(window, "Read, with remarks") == ["a.docx"]
    assert tab_title(window, window.pages.problems) == "Problems"
    documents = window.compare_pane.view.header._names._documents
    assert documents[0].detail.text() == "web page"
    assert documents[0].remarks.isVisible()
    assert documents[1].remarks.isHidden()


def test_pages_are_cited_and_files_opened(scanned, folder, opened_files, qtbot, monkeypatch):
    view = scanned.compare_pane.view
    pages = {side.name: side.text.pages for side in view._comparison.sides}
    assert pages == {"pages.txt": 3, "trees.txt": 1}
    assert view._comparison.marks[0].pages == ("p. 2", "")

    top = scanned.pages.pairs.table.make_menu()
    (of_a,) = (action for action in top.actions() if action.text() == "Document A")
    offered = {action.text(): action for action in of_a.menu().actions() if action.text()}
    assert list(offered)[-2:] == ["Open pages.txt", "Show pages.txt in folder"]
    offered["Open pages.txt"].trigger()
    of_b = [action.text().replace("&", "") for action in view.panes[1]._file_actions]
    assert of_b == ["Open file B", "Show B in folder"]
    for name in (Action.OPEN_FILE_A, Action.OPEN_FILE_B, Action.SHOW_FILE_A, Action.SHOW_FILE_B):
        scanned._actions[name].trigger()
    view.swap_sides()
    scanned._actions[Action.OPEN_FILE_A].trigger()
    names = ("pages.txt", "pages.txt", "trees.txt", "", "", "trees.txt")
    assert opened_files == [str(folder / name) for name in names]

    table = choose_problem(scanned, "Without text", "empty.txt")
    qtbot.keyClick(table, Qt.Key.Key_Return)
    table._copy_paths()
    assert opened_files[-1] == str(folder / "empty.txt")
    assert QGuiApplication.clipboard().text() == str(folder / "empty.txt")

    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    scanned._actions[Action.OPEN_FILE_A].trigger()
    assert "No program is installed" in scanned.message_bar.accessibleName()
    (folder / "trees.txt").unlink()
    scanned._actions[Action.OPEN_FILE_A].trigger()
    assert "trees.txt” is no longer there" in scanned.message_bar.accessibleName()


def test_names_lead_to_files_and_to_the_archives_they_are_in(tmp_path):
    (tmp_path / "one" / "sub").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "archive.zip").touch()
    (tmp_path / "two" / "a.txt").touch()
    first, second = tmp_path / "one", tmp_path / "two"

    inside = located([first], "archive.zip/letters/a.docx")
    assert inside == FileLocation(first / "archive.zip", "letters/a.docx")
    assert located([first, second], "two/a.txt") == FileLocation(second / "a.txt")
    assert located([first, second], "one/archive.zip/x") == FileLocation(first / "archive.zip", "x")
    for missing in ("sub/gone.txt", "gone/gone.txt", "x" * 5_000, "nul\0"):
        assert located([first], missing) == FileLocation(first / missing)
        assert not located([first], missing).exists


def test_the_window_answers_while_a_file_is_read_for_long(window, folder, qtbot, held_up):
    """A reader that takes its time holds up its own thread and process, not the window."""
    ended = qtbot.waitSignal(window.presenter.ended)
    with ended, held_up("trees.txt") as reading_begun:
        window.presenter.open_folders([folder])
        qtbot.waitUntil(reading_begun.is_set)
        qtbot.waitUntil(lambda: window.status_line._stage.text() == "Reading documents")
        assert window.status_line.cancel.isVisible()


OTHER_READING = ReadingSettings(
    limits=replace(DEFAULT_LIMITS, seconds=300, memory_bytes=2_000_000_000),
    archives=True,
    ocr=True,
    ocr_languages="deu+eng",
)


def test_every_limit_is_declared():
    assert list(LIMITS) == [field.name for field in fields(ReadingLimits)]


def test_every_default_is_in_its_range_and_a_whole_number_of_its_unit():
    for setting in LIMITS.values():
        assert setting.fits(setting.shown(setting.default), DEFAULT_LIMITS)


def test_a_limit_counts_in_its_unit_and_stays_in_its_range():
    model = ReadingModel()
    for field, value, expected in (
        ("file_bytes", 300, 300_000_000),
        ("seconds", 0, 1),
        ("seconds", 10**9, LIMITS["seconds"].high),
    ):
        model.change_limit(field, value)
        assert getattr(model.reading.limits, field) == expected


@given(st.sampled_from(sorted(LIMITS)))
def test_the_default_typed_in_is_the_default(field):
    setting, model = LIMITS[field], ReadingModel()
    model.change_limit(field, setting.high)
    model.change_limit(field, setting.shown(setting.default))

    assert model.limits_are_usual


@pytest.mark.parametrize("languages", ["", "+", "deu+", "../x", "deu eng;ls", "é", "a" * 101])
def test_unknown_languages_are_refused_in_a_sentence(languages):
    model = ReadingModel()

    assert "eng" in model.change("ocr_languages", languages)
    assert model.reading == ReadingSettings()


def test_spaces_between_languages_do_not_matter():
    model = ReadingModel()

    assert model.change("ocr_languages", "deu + chi_sim") == ""
    assert model.reading.ocr_languages == "deu+chi_sim"


def test_what_was_read_otherwise_asks_for_a_new_scan_but_no_password_does():
    model = ReadingModel()
    assert not model.needs_scan
    model.set_scanned(ReadingSettings())
    assert not model.needs_scan

    model.reading = ReadingSettings(passwords=("secret",))
    assert not model.needs_scan
    model.change("archives", True)
    assert model.needs_scan


def test_the_summary_says_it_in_words():
    model = ReadingModel()
    assert [text for _, text in model.summary] == [
        "not opened",
        "each file by itself",
        "not read",
        "as they come",
    ]

    model.reading = OTHER_READING
    assert [text for _, text in model.summary] == [
        "opened like folders",
        "each file by itself",
        "read with Tesseract (deu+eng)",
        f"Time for a file: 300 s, Memory: {count(2000)} MB",
    ]


@given(
    st.builds(
        ReadingSettings,
        archives=st.booleans(),
        submissions=st.booleans(),
        ocr=st.booleans(),
        ocr_languages=st.sampled_from(["eng", "deu+eng", "chi_sim"]),
        passwords=st.lists(st.text(), max_size=2).map(tuple),
    ),
    st.dictionaries(st.sampled_from(sorted(LIMITS)), st.integers(1, 1_000)),
)
def test_what_is_stored_comes_back_without_passwords(reading, limits):
    model = ReadingModel()
    model.reading = reading
    for field, value in limits.items():
        model.change_limit(field, value)

    stored = json.loads(json.dumps(to_stored(model.reading)))

    assert from_stored(stored) == replace(model.reading, passwords=())


NONSENSE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from([*LIMITS, "limits", "archives", "ocr"]), inner, max_size=4),
    ),
    max_leaves=9,
)
KEYS = ["limits", "archives", "ocr", "ocr_languages", "passwords"]


@given(st.dictionaries(st.sampled_from(KEYS), NONSENSE))
def test_nonsense_gives_settings_that_make_sense(stored):
    reading = from_stored(stored)

    assert isinstance(reading.archives, bool)
    assert isinstance(reading.ocr, bool)
    assert reading.passwords == ()
    for field, setting in LIMITS.items():
        assert setting.fits(setting.shown(getattr(reading.limits, field)), DEFAULT_LIMITS)


@pytest.fixture
def panel(qtbot):
    panel = ReadingPanel()
    panel.edit()
    return qtbot.shown(panel, 355, 560)


def test_the_panel_is_hidden_while_all_limits_are_the_defaults(panel):
    panel._edit.click()
    assert panel.isHidden()

    panel.set_reading(OTHER_READING)
    assert panel.isVisible()
    assert panel._form.isHidden()
    assert panel._summary.isVisible()


def test_every_field_reports(panel, qtbot):
    form = panel._form
    acts = [
        (form.controls["archives"].click, lambda reading: reading.archives),
        (form.controls["ocr"].click, lambda reading: reading.ocr),
    ]
    for field, setting in LIMITS.items():
        acts.append(
            (
                lambda field=field: form.controls[field].setValue(7),
                lambda reading, field=field, setting=setting: (
                    getattr(reading.limits, field) == 7 * setting.scale
                ),
            )
        )
    for act, expected in acts:
        assert expected(qtbot.until(panel.reading_changed, act)[0])


def test_every_limit_says_its_unit_and_default_and_keeps_its_bounds(panel):
    captions = {caption.text() for caption in panel._form.findChildren(Caption)}
    for field, setting in LIMITS.items():
        default = count(setting.shown(setting.default))
        assert f"{setting.unit} · default {default}" in captions
        control = panel._form.controls[field]
        assert control.accessibleName()
        assert (control.minimum(), control.maximum()) == setting.widest_bounds


def test_limits_are_reset_to_their_defaults(panel, qtbot):
    assert panel._reset.isHidden()
    panel._form.controls["seconds"].setValue(9)
    assert panel._reset.isVisible()

    qtbot.until(panel.reading_changed, panel._reset.click)

    assert panel._model.reading == ReadingSettings()
    assert panel._reset.isHidden()


def test_wrong_languages_are_explained(panel, qtbot):
    panel._form.controls["ocr"].click()
    field = panel._form.controls["ocr_languages"]
    field.selectAll()

    with qtbot.assertNotEmitted(panel.reading_changed):
        qtbot.keyClicks(field, "deu/eng")
        qtbot.keyClick(field, Qt.Key.Key_Return)

    assert "deu+eng" in panel._form._problem.text()


@pytest.mark.parametrize("installed", [True, False])
def test_how_to_get_tesseract_is_reported_where_it_is_missing(panel, monkeypatch, installed):
    program = "/usr/bin/tesseract" if installed else None
    monkeypatch.setattr(setup.shutil, "which", lambda name: program)
    panel.edit()

    assert panel._form._missing.isHidden() is installed
