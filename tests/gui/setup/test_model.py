"""What the setup panel knows: settings that stay valid, starting points, the need for a scan."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from core.base.setting import settings_of
from core.exclusions.rules import NO_RULES
from core.settings import PRESETS, ScanSettings
from core.text.set_aside import Reason, SetAside
from neardup_gui.models.setup import ROWS, SetupModel, exclusion_state
from neardup_gui.views.shell import dialogs
from neardup_gui.window.actions import Action
from neardup_gui.window.workbench import SettingsSharing
from tests.gui.everywhere.walking import shown_message
from tests.texts import folder_with

RAISED = pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)


@pytest.fixture
def sharing(window):
    (one,) = window.findChildren(SettingsSharing)
    return one


@pytest.fixture
def choose(monkeypatch):
    """Answer the dialogs of the system with this path."""

    def answer(path):
        for name in ("getSaveFileName", "getOpenFileName"):
            monkeypatch.setattr(
                dialogs.QFileDialog, name, lambda *_a, chosen=str(path or ""): (chosen, "")
            )

    return answer


@pytest.fixture
def folder(tmp_path):
    words = [f"word{number}" for number in range(80)]
    texts = {"one.txt": " ".join(words), "two.txt": " ".join(words[:70])}
    return folder_with(tmp_path / "my essays", texts)


def listed(window, folder, qtbot):
    with qtbot.waitSignal(window.presenter.listed, check_params_cb=lambda result: result.complete):
        window.presenter.open_folders([folder])


def load(window, sharing, qtbot):
    qtbot.until(window.presenter.message_posted, sharing.load)


def test_settings_go_to_a_file_and_come_back(window, sharing, choose, tmp_path, qtbot):
    chosen = ScanSettings(unit="char", k=7, bands=42, rows=3, min_resemblance=0.25)
    window.side_panels.take(chosen)
    window.presenter.reading.open_archives()
    choose(tmp_path / "course")
    qtbot.until(window.presenter.message_posted, sharing.save)
    window.side_panels.take(ScanSettings())
    window.presenter.reading.change(type(window.presenter.current.reading)())
    choose(tmp_path / "course.json")

    load(window, sharing, qtbot)

    current = window.presenter.current
    assert current.settings == chosen == window.side_panels.setup.settings
    assert current.reading.archives
    assert window.side_panels.reading._model.reading.archives
    state = window.side_panels.model.state
    assert (state.bands, state.rows, state.min_resemblance) == (42, 3, 0.25)


def test_loaded_settings_list_again(window, sharing, choose, folder, tmp_path, qtbot):
    (folder / "three.txt").write_text("a pair of two documents would have its row all the same")
    listed(window, folder, qtbot)
    assert window.presenter.pairs.pair_count == 1
    file = tmp_path / "strict.json"
    values = {"min_resemblance": 0.99, "list_passages": False, "reworked": "off"}
    file.write_text(json.dumps({"format": "neardup settings", "version": 1, "scan": values}))
    choose(file)

    qtbot.until(window.presenter.listed, sharing.load)

    assert window.presenter.pairs.pair_count == 0


def test_an_invalid_settings_file_changes_nothing(window, sharing, choose, tmp_path, qtbot):
    before = window.presenter.current.settings
    file = tmp_path / "none.json"
    file.write_text("[]")
    choose(file)

    load(window, sharing, qtbot)

    assert "“none.json” cannot be used" in shown_message(window)
    assert window.presenter.current.settings == before


def test_cancelling_the_dialog_changes_nothing(window, sharing, choose):
    before = window.presenter.current.settings
    choose(None)

    sharing.load()
    sharing.save()

    assert window.presenter.current.settings == before


@RAISED
def test_the_lines_name_the_folder_and_follow_the_settings(window, sharing, folder, qtbot):
    listed(window, folder, qtbot)
    qtbot.mouseClick(window.side_panels.setup.sharing.lines, Qt.MouseButton.LeftButton)
    lines = sharing._lines

    assert lines.isVisible()
    assert f"'{folder}'" in lines._code.toPlainText()
    window.side_panels.take(window.presenter.current.settings.with_changes(bands=17, rows=4))
    assert "--bands 17 --rows 4" in lines._code.toPlainText()

    lines._where.setCurrentIndex(lines._where.findText("datasketch"))
    assert "params=(17, 4)" in lines._code.toPlainText()
    window.side_panels.take(window.presenter.current.settings.with_changes(bands=18))
    assert lines._where.currentText() == "datasketch"  # as it was chosen
    assert "params=(18, 4)" in lines._code.toPlainText()


@RAISED
def test_lines_are_copied_and_that_is_reported(window, sharing, qtbot):
    sharing.show_lines()
    lines = sharing._lines

    qtbot.mouseClick(lines._copy, Qt.MouseButton.LeftButton)

    assert QGuiApplication.clipboard().text() == lines._code.toPlainText()
    assert lines._copied.text() == "Copied: neardup scan, for Linux and macOS."


@RAISED
def test_where_settings_cannot_be_had_the_reason_stands_there(window, sharing):
    window.side_panels.take(ScanSettings(signature="simhash"))
    sharing.show_lines()
    lines = sharing._lines
    lines._where.setCurrentIndex(lines._where.findText("datatrove"))

    assert not lines._code.toPlainText()
    assert "compare bits" in lines._differs.text()
    assert not lines._copy.isVisible()


@RAISED
def test_the_menu_leads_there_too(window, sharing):
    window._actions[Action.LINES].trigger()

    assert sharing._lines.isVisible()


@pytest.fixture
def model():
    return SetupModel()


def test_starts_with_the_default_preset(model):
    assert model.chosen == "Essays and reports"
    assert model.settings == ScanSettings()
    assert not model.needs_scan


SIMHASH = "SimHash, d = 5, shingles weighed by occurrence and by rarity in the folder, Seed: 7"


@pytest.mark.parametrize(
    ("changes", "summary"),
    [
        (
            {},
            (
                ("Shingles", "words, k = 5"),
                ("Text", "lower case, no punctuation"),
                ("Signature", "K = 128"),
                ("Passages", "from 30 words in a row, reworked passages"),
            ),
        ),
        (
            {
                "unit": "char", "k": 9, "bag": True, "ignore_case": False, "keep_digits": False,
                "white_space": "collapse", "signature": "minhash", "seed": "7", "compare": "bands",
            },
            (
                ("Shingles", "characters, k = 9, repeated ones count every time"),
                ("Text", "case counts, punctuation counts, no digits, white space as one space"),
                ("Signature", "K = 128, Classic MinHash, Seed: 7"),
                ("Passages", "from 30 words in a row, reworked passages"),
                ("Compared", "by bands and passages"),
            ),
        ),
        (
            {
                "language": "english", "drop_stop_words": True, "stem": True, "compare": "all",
                "signature": "simhash", "weights": "tf-idf", "max_distance": 5, "seed": "7",
            },
            (
                ("Shingles", "words, k = 5"),
                ("Text", "lower case, no punctuation, no English stop words, English stems"),
                ("Signature", SIMHASH),
                ("Passages", "from 30 words in a row, reworked passages"),
                ("Compared", "all pairs"),
            ),
        ),
    ],
)  # fmt: skip
def test_summary_names_everything_that_is_unusual_in_plain_words(model, changes, summary):
    for field, value in changes.items():
        assert model.change(field, value) == ""

    assert model.summary == summary


@pytest.mark.parametrize("change", [("unit", "char"), ("language", "")])
def test_stop_words_and_stems_end_with_their_language(model, change):
    for field, value in (
        ("language", "german"), ("drop_stop_words", True), ("stem", True),
    ):  # fmt: skip
        model.change(field, value)

    assert model.change(*change) == ""

    values = model.settings
    assert (values.language, values.drop_stop_words, values.stem) == ("", False, False)


def test_stop_words_without_a_language_are_explained(model):
    assert "need a language" in model.change("drop_stop_words", True)
    assert model.settings == ScanSettings()


def test_another_unit_brings_its_usual_punctuation(model):
    model.change("unit", "char")
    assert model.settings.keep_punctuation

    model.change("unit", "word")
    assert not model.settings.keep_punctuation


@pytest.mark.parametrize("field", ["k", "signature_size"])
def test_a_number_out_of_bounds_is_refused_and_changes_nothing(model, field):
    before = model.settings

    assert "must be between" in model.change(field, 0)
    assert model.settings == before


@pytest.mark.parametrize("seed", ["", "abc", "-1", "1.5", "²", str(2**63), "x" * 400])
def test_a_seed_is_a_whole_number(model, seed):
    problem = model.change("seed", seed)

    assert problem.startswith("“Seed” is a whole number from 0 to ")
    assert len(problem) < 120
    assert model.settings.seed == 1


def test_the_largest_seed_is_taken(model):
    assert model.change("seed", f" {2**63 - 1} ") == ""
    assert model.settings.seed == 2**63 - 1


@given(
    size=st.integers(1, 1024), bands=st.integers(1, 128), rows=st.integers(1, 128),
)  # fmt: skip
def test_bands_and_rows_adjust_to_k(size, bands, rows):
    bands = min(bands, 128 // rows)
    model = SetupModel()
    model.settings = model.settings.with_changes(bands=bands, rows=rows)

    assert model.change("signature_size", size) == ""

    assert model.settings.signature_size == size
    assert model.settings.rows == min(rows, size)
    if bands == 128 // rows:
        assert model.settings.bands == max(size // model.settings.rows, 1)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_are_chosen_and_recognised(model, preset):
    model.choose(preset.name)

    assert model.settings == preset.settings
    assert model.chosen == preset.name


def test_anything_that_differs_is_custom(model):
    model.settings = model.settings.with_changes(min_resemblance=0.11)

    assert model.chosen == ""


@pytest.mark.parametrize(
    ("scanned", "changes", "needs_scan"),
    [
        ({}, {"bands": 32, "rows": 4, "min_resemblance": 0.5}, False),
        ({}, {"k": 6}, True),
        ({"signature": "simhash"}, {"max_distance": 6, "min_resemblance": 0.3}, False),
        ({"signature": "simhash", "weights": "tf"}, {"weights": "unweighted"}, True),
    ],
)
def test_only_shingles_and_signatures_need_a_new_scan(model, scanned, changes, needs_scan):
    model.set_scanned(ScanSettings(**scanned))

    model.settings = ScanSettings(**scanned | changes)
    assert model.needs_scan is needs_scan
    model.settings = ScanSettings(**scanned)
    assert not model.needs_scan


def test_own_presets_survive_being_stored(model):
    model.change("k", 7)
    assert model.save("  Theses,   winter ") == ""
    stored = json.loads(json.dumps(model.own_presets))

    later = SetupModel()
    later.own_presets = stored
    later.choose("Theses, winter")

    assert later.settings == model.settings
    assert [choice.name for choice in later.choices if choice.is_user_preset] == ["Theses, winter"]


def test_own_presets_can_be_replaced_and_deleted(model):
    model.change("k", 7)
    model.save("Mine")
    model.change("k", 8)
    model.save("Mine")
    assert len(model.own_presets) == 1
    assert model.chosen == "Mine"

    model.delete("Mine")
    assert model.own_presets == ()
    assert model.chosen == ""


@pytest.mark.parametrize("name", ["", "   ", "Short texts", "custom", "x" * 61])
def test_names_that_cannot_be_used(model, name):
    assert model.save(name).endswith(".")
    assert model.own_presets == ()


@pytest.mark.parametrize(
    "stored",
    [{}, {"name": 3, "k": 5}, {"name": "odd", "k": "five"}, {"name": "odd", "bands": 4000}],
)
def test_stored_presets_that_make_no_sense_are_left_out(model, stored):
    model.own_presets = [stored]

    assert model.own_presets == ()


def test_stored_presets_of_another_version_keep_what_is_known(model):
    model.own_presets = [{"name": "Later", "k": 6, "unheard_of": True}]

    model.choose("Later")
    assert model.settings == ScanSettings(k=6)


def test_every_setting_has_a_row_or_its_place_in_the_threshold_panel():
    elsewhere = {"bands", "rows", "min_resemblance", "list_passages"}

    assert set(ROWS) == settings_of(ScanSettings).keys() - elsewhere


@pytest.mark.parametrize("field", ROWS)
def test_every_setting_that_is_changed_is_seen_in_the_summary(model, field):
    for needed in {
        "white_space": [("unit", "char")], "weights": [("signature", "simhash")],
        "max_distance": [("signature", "simhash")],
        "language": [("language", "german"), ("stem", True)],
        "drop_stop_words": [("language", "english")], "stem": [("language", "english")],
    }.get(field, ()):  # fmt: skip
        assert model.change(*needed) == ""
    before, setting = model.summary, ROWS[field]
    now = getattr(model.settings, field)
    new_values = [value for value in setting.choices or (not now, 7, "7") if value != now]

    assert any(model.change(field, value) == "" for value in new_values if value != "")
    assert model.summary != before


def test_names_of_files_in_submissions_are_no_text_that_is_set_aside():
    spans = {0: [SetAside(0, 9, Reason.FILE_NAME)]}
    assert exclusion_state(NO_RULES, spans, [100, 100]).summary == ""

    spans[1] = [SetAside(0, 9, Reason.FILE_NAME), SetAside(40, 60, Reason.TEMPLATE)]
    assert exclusion_state(NO_RULES, spans, [100, 100]).summary == "10% of all text, in 1 document"


def test_a_template_is_no_document_in_which_text_is_set_aside():
    spans = {number: [SetAside(0, 40, Reason.TEMPLATE)] for number in range(3)}
    share = exclusion_state(NO_RULES, spans, [100, 100, 40], [2]).summary
    assert share == "40% of all text, in 2 documents"

    assert exclusion_state(NO_RULES, {2: spans[2]}, [100, 100, 40], [2]).summary.endswith(
        "in 1 document"
    )
