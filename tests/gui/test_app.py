"""Starting: what each argument opens, and the sentence where no window can open."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from core.base.assets import resource
from core.errors import NeardupError
from neardup_gui.__main__ import main
from neardup_gui.environment import bug_reports, display_errors
from neardup_gui.environment.bug_reports import BugReporter, describe
from neardup_gui.environment.display_errors import LIBRARIES, reason
from tests.programs import ROOT, python


def neardup(*arguments, **environment):
    known = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    return python(
        "-m", "neardup_gui", *map(str, arguments), env={**known, **environment}, timeout=600
    )


DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


@pytest.fixture
def libraries_present():
    """Skip where the system lacks libraries: another sentence is shown then."""
    if display_errors._missing("", ["xcb"]) or display_errors._missing("", ["wayland"]):
        pytest.skip("needs the libraries for X and Wayland")


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")


def test_a_command_that_was_stopped_waits_for_no_thread():
    program = (
        "import sys, threading\n"
        "from core.commands import main as command\n"
        "from neardup_gui import __main__ as program\n"
        "def stopped(arguments):\n"
        "    threading.Thread(target=threading.Event().wait).start()\n"
        "    print('the last line')\n"
        "    return 143\n"
        "command.main = stopped\n"
        "sys.argv[1:] = ['scan']\n"
        "sys.exit(program.main())\n"
    )

    done = python("-c", program, timeout=600)

    assert done.returncode == 143
    assert done.stdout == "the last line\n"


@pytest.mark.parametrize("arguments", [[], [str(ROOT / "resources")]])
@on_linux
def test_without_a_display_a_sentence_says_what_to_do(arguments):
    done = neardup(*arguments)

    assert done.returncode == 1
    assert "no display" in done.stderr
    assert "neardup scan" in done.stderr
    assert "Traceback" not in done.stderr
    assert "qt.qpa" not in done.stderr


def test_a_display_that_does_not_answer_is_named(libraries_present):
    done = neardup(DISPLAY=":4711")

    assert done.returncode == 1
    assert done.stderr.startswith("neardup: The display “:4711” (DISPLAY) does not answer")
    assert "neardup scan" in done.stderr


@pytest.fixture
def broken(tmp_path):
    """Makes the loader refuse some libraries; gives the environment in which it does."""

    def refuse(*names):
        for name in names:
            (tmp_path / name).touch()
        return {"LD_LIBRARY_PATH": str(tmp_path)}

    return refuse


@on_linux
@pytest.mark.parametrize("apt", [True, False])
def test_missing_libraries_are_named_with_their_install(broken, tmp_path, apt, libraries_present):
    programs = tmp_path / "bin"
    programs.mkdir()
    if apt:
        (programs / "apt-get").touch(mode=0o755)
    missing = broken("libxcb-icccm.so.4", "libxcb-keysyms.so.1")

    done = neardup(DISPLAY=":4711", PATH=str(programs), **missing)

    assert done.returncode == 1
    assert "no display" not in done.stderr
    assert "    libxcb-icccm.so.4 libxcb-keysyms.so.1\n" in done.stderr
    line = "apt-get install --no-install-recommends libxcb-icccm4 libxcb-keysyms1\n"
    assert (line in done.stderr) == apt
    assert ("Install the packages of your system" in done.stderr) != apt
    assert "neardup scan" in done.stderr


@on_linux
def test_libraries_without_which_qt_is_not_imported_are_named_too(broken, libraries_present):
    done = neardup(DISPLAY=":4711", **broken("libEGL.so.1", "libxcb-cursor.so.0"))

    assert done.returncode == 1
    assert "    libEGL.so.1 libxcb-cursor.so.0\n" in done.stderr
    assert "Traceback" not in done.stderr


@on_linux
def test_libraries_do_not_matter_where_there_is_no_display(broken):
    assert "There is no display" in neardup(**broken("libEGL.so.1", "libxcb-icccm.so.4")).stderr


@on_linux
def test_what_x_lacks_is_reported_where_wayland_does_not_answer(broken, libraries_present):
    missing = broken("libxcb-icccm.so.4")

    done = neardup(DISPLAY=":4711", WAYLAND_DISPLAY="nowhere-0", **missing)

    assert "    libxcb-icccm.so.4\n" in done.stderr


@on_linux
@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"QT_QPA_PLATFORM": "wayland"}, "QT_QPA_PLATFORM is “wayland”, and no such display"),
        (
            {"QT_QPA_PLATFORM": "wayland", "DISPLAY": ":4711"},
            "no such display answers. Unset it, and the window opens on DISPLAY.",
        ),
        ({"WAYLAND_DISPLAY": "nowhere-0"}, "The display “nowhere-0” (WAYLAND_DISPLAY) does not"),
        ({"QT_QPA_PLATFORM": "xcb"}, "QT_QPA_PLATFORM is “xcb”, and DISPLAY is not set"),
        ({"QT_QPA_PLATFORM": "paper"}, "QT_QPA_PLATFORM is “paper”, and Qt knows no such"),
    ],
)
def test_a_missing_platform_is_told_from_no_display(environment, sentence, libraries_present):
    done = neardup(**environment)

    assert done.returncode == 1
    assert sentence in done.stderr
    assert "neardup scan" in done.stderr


def test_another_last_word_of_qt_is_passed_on():
    sentence = reason("Could not initialize the abacus.", {"DISPLAY": ":0"})

    assert sentence.startswith(
        "neardup: Qt could not open a window: Could not initialize the abacus.\n"
    )


def test_the_set_up_and_the_window_know_the_same_libraries():
    script = (ROOT / ".ci" / "system_packages.sh").read_text(encoding="utf-8")
    functions = dict(re.findall(r"^need_(\w+)\(\) \{(.*?)^\}", script, re.MULTILINE | re.DOTALL))
    for need, platform in (("offscreen", "offscreen"), ("x11", "xcb"), ("wayland", "wayland")):
        named = dict(re.findall(r"library (\S+) (\S+)", functions[need]))
        assert named
        assert named.items() <= LIBRARIES[platform].items()


def test_a_folder_that_does_not_exist_is_bad_usage(capsys, tmp_path):
    assert main([str(tmp_path / "gone")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_review_is_opened_alone(capsys, tmp_path):
    review = tmp_path / "autumn.neardup"
    assert main([str(review)]) == 2
    assert "does not exist" in capsys.readouterr().err
    review.touch()

    assert main([str(review), str(tmp_path)]) == 2
    assert "open it by itself" in capsys.readouterr().err


@on_linux
def test_a_review_opens_the_window(tmp_path):
    review = tmp_path / "autumn.neardup"
    review.touch()

    done = neardup(review)

    assert done.returncode == 1
    assert "no display" in done.stderr


def test_commands_go_to_the_command_line(capsys, tmp_path):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert "neardup" in capsys.readouterr().out

    assert main(["curve", "--bands", "20", "--rows", "5"]) == 0


LATER = [
    "chardet",
    "cryptography",
    "email",
    "jinja2",
    "numba",
    "pyqtgraph",
    "selectolax",
    "sqlite3",
    "tarfile",
    "typst",
    "core.documents.readers",
    "core.reports.audit_words",
    "core.review",
    "core.scan.flow",
    "neardup_gui.models.tour",
    "neardup_gui.models.workbench.audit_table",
    "neardup_gui.models.workbench.chances",
    "neardup_gui.views.report",
    "neardup_gui.views.tour",
    "neardup_gui.views.workbench",
]


def test_nothing_heavy_is_imported_before_the_window_is_up():
    code = f"import sys, neardup_gui.app\nprint([name for name in {LATER} if name in sys.modules])"
    assert python("-c", code, check=True).stdout.strip() == "[]"


def test_resources_are_found():
    assert resource("icons/neardup.svg").is_file()
    assert resource("sample").is_dir()
    with pytest.raises(NeardupError, match="Reinstall Neardup"):
        resource("no such thing")


def test_a_bug_is_logged_and_shown_once_with_its_details(qtbot, qapp, caplog):
    reporter = BugReporter()

    qtbot.until(reporter._happened, reporter.report, ZeroDivisionError("a bug"))
    qtbot.waitUntil(lambda: reporter._dialog is not None)
    reporter.report(ValueError("another"))
    qapp.processEvents()

    dialog = reporter._dialog
    assert any("Something went wrong" in label.text() for label in dialog.findChildren(QLabel))
    copy = next(each for each in dialog.findChildren(QPushButton) if each.text() == "Copy details")
    copy.click()
    assert "ZeroDivisionError: a bug" in qapp.clipboard().text()
    assert dialog.isVisible()
    assert len(caplog.records) == 2
    dialog.close()
    qtbot.waitUntil(lambda: reporter._dialog is None)


def test_details_name_versions_and_the_place():
    try:
        _ = 1 // 0
    except ZeroDivisionError as error:
        text = describe(error)

    assert "PySide" in text
    assert "test_app.py" in text


def test_the_log_is_in_the_users_data_folder(qapp, monkeypatch, tmp_path):
    handlers = list(bug_reports.logging.getLogger().handlers)
    path = bug_reports.start_log()
    for handler in set(bug_reports.logging.getLogger().handlers) - set(handlers):
        bug_reports.logging.getLogger().removeHandler(handler)
        handler.close()

    assert path.name == "neardup.log"
    assert Path(os.environ["XDG_DATA_HOME"]) in path.parents


def test_types_are_complete_before_a_thread_asks_for_them():
    program = (
        "from PySide6 import QtGui, QtWidgets\n"
        "from PySide6.QtCore import QCoreApplication\n"
        "from neardup_gui.jobs.tasks import TaskKind, Tasks\n"
        "application = QCoreApplication([])\n"
        "modules = (QtGui, QtWidgets)\n"
        "missing = lambda: sum(name not in vars(it) for it in modules for name in dir(it))\n"
        "tasks = Tasks()\n"
        "tasks.run(TaskKind.SCAN, int)\n"
        "before = missing()\n"
        "tasks.run(TaskKind.COMPARE, int)\n"
        "print(before > 0, missing())\n"
        "tasks.stop()\n"
    )

    assert python("-c", program, check=True).stdout.split() == ["True", "0"]


WITH_A_SIGNAL = """
import os, sys
from neardup_gui import app
begin = app._begin
def begin_and_end(presenter, paths):
    begin(presenter, paths)
    os.kill(os.getpid(), int(sys.argv[1]))
app._begin = begin_and_end
sys.exit(app.run([]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_closes_the_window_in_order(name):
    number = signal.Signals[name]
    done = python("-c", WITH_A_SIGNAL, str(int(number)))

    stderr = done.stderr.replace("This plugin does not support propagateSizeHints()\n", "")
    assert (done.returncode, stderr) == (128 + number, "")


def test_a_file_that_is_double_clicked_on_macos_comes_to_the_program_that_runs():
    program = (
        "from PySide6.QtGui import QFileOpenEvent\n"
        "from neardup_gui.app import Application\n"
        "application = Application(['neardup'])\n"
        "application.file_opened.connect(lambda path: print(path.name))\n"
        "application.sendEvent(application, QFileOpenEvent('/reviews/essays of autumn.neardup'))\n"
    )

    done = python("-c", program, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, timeout=600)

    assert done.stdout == "essays of autumn.neardup\n"
