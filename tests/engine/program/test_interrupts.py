"""Ctrl+C while the program starts, and a second one while compiled code runs."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

ROOT = Path(__file__).parents[3]
INTERRUPT = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
IN_COMPILED_CODE = """
import hashlib, sys, threading
from core.program.ending import until_interrupted
begun = threading.Event()
def tell():
    begun.wait()
    print("ready", flush=True)
sys.setswitchinterval(1000)  # another thread's turn comes when compiled code runs, not before
with until_interrupted():
    threading.Thread(target=tell, daemon=True).start()
    begun.set()
    hashlib.pbkdf2_hmac("sha256", b"", b"", (1 << 31) - 1)
"""


@pytest.mark.parametrize(
    ("command", "imported"),
    [
        (["-m", "core", "curve"], "argparse"),
        (["-m", "core", "audit", "resources/sample"], "numpy"),
        (["-m", "neardup_gui", "curve"], "argparse"),
        (["-m", "neardup_gui", "resources/sample"], "PySide6"),
    ],
)
def test_while_modules_are_imported_it_is_one_line(command, imported, tmp_path):
    (tmp_path / f"{imported}.py").write_text(INTERRUPT)

    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT, env={"PYTHONPATH": str(tmp_path), "PATH": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "neardup: Stopped.\n")


def test_a_closed_standard_error_does_not_matter(tmp_path):
    (tmp_path / "argparse.py").write_text("import os; os.close(2)\n" + INTERRUPT)

    done = subprocess.run(
        [sys.executable, "-m", "core", "curve"],
        cwd=ROOT, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (130, b"")


def test_one_that_was_ignored_from_the_beginning_stays_ignored(tmp_path):
    (tmp_path / "argparse.py").write_text(INTERRUPT + "\nos._exit(7)")

    done = subprocess.run(
        [sys.executable, "-m", "core", "curve"],
        cwd=ROOT, env={"PYTHONPATH": str(tmp_path)}, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip

    assert done.returncode == 7


def test_a_second_one_ends_the_process_while_compiled_code_runs():
    process = subprocess.Popen(
        [sys.executable, "-c", IN_COMPILED_CODE],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"

    process.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    while process.poll() is None:  # two that come at once are one
        process.send_signal(signal.SIGINT)
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            continue

    assert process.returncode == 130
    assert process.stderr.read() == "neardup: Stopped.\n"
    process.stdout.close()
    process.stderr.close()
