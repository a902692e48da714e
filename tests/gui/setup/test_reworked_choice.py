"""What stands beside the choice of looking for reworked passages."""

import subprocess
import sys

from core.candidates.reworked_curve import ReworkedCurve
from core.settings import ScanSettings
from neardup_gui.models.setup import ONLY_MARKED, SCANS_AGAIN, SetupModel
from neardup_gui.views.setup.panel import SetupPanel

OFF, CAREFUL, THOROUGH = (ScanSettings(reworked=one) for one in ("off", "careful", "thorough"))


def words(settings, scanned=None):
    model = SetupModel()
    model.settings = settings
    model.set_scanned(scanned)
    assert model.needs_scan == (SCANS_AGAIN in model.reworked_words)
    return model.reworked_words


def test_each_choice_says_what_it_finds_and_costs():
    assert "twice as long" in words(OFF)
    assert "exchanged" in words(CAREFUL)
    assert "turn of phrase" in words(THOROUGH)
    assert len({words(one) for one in (OFF, CAREFUL, THOROUGH)}) == 3


def test_what_is_promised_is_that_of_the_curve():
    for settings in (CAREFUL, THOROUGH):
        assert ReworkedCurve.usual(settings.reworked).sentence() in words(settings)
    assert "probability" not in words(OFF)


def test_the_promise_needs_no_compiled_code():
    program = (
        "import sys; from neardup_gui.models.setup import reworked_in_words; "
        "from core.settings import ScanSettings; "
        "print(reworked_in_words(ScanSettings(reworked='careful'), None)); "
        "print('numba' in sys.modules)"
    )
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split()[-1] == "False"
    assert "is found with a probability" in run.stdout


def test_only_what_was_not_scanned_for_takes_a_new_scan():
    assert SCANS_AGAIN in words(THOROUGH, CAREFUL)
    assert SCANS_AGAIN in words(CAREFUL, OFF)
    for less, scanned in ((OFF, CAREFUL), (CAREFUL, THOROUGH), (CAREFUL, CAREFUL)):
        assert SCANS_AGAIN not in words(less, scanned)


def test_other_settings_that_take_a_new_scan_are_not_blamed_on_it():
    model = SetupModel()
    model.settings = CAREFUL.with_changes(k=7)
    model.set_scanned(CAREFUL)
    assert model.needs_scan
    assert SCANS_AGAIN not in model.reworked_words


def test_where_passages_list_no_pair_the_choice_says_so():
    assert ONLY_MARKED in words(CAREFUL.with_changes(list_passages=False))
    assert ONLY_MARKED not in words(OFF.with_changes(list_passages=False))


def test_the_panel_says_it_below_the_choice(qtbot):
    panel = SetupPanel()
    qtbot.addWidget(panel)
    panel.set_settings(CAREFUL)
    combo = panel._form.controls["reworked"]
    assert combo.accessibleDescription() == words(CAREFUL)
    combo.setCurrentIndex(combo.findData("thorough"))
    assert panel.settings.reworked == "thorough"
    assert panel._form._notes["reworked"].text() == words(THOROUGH)
