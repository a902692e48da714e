"""A reader process that was taken over by a file: what it tries, and what the system refuses.

Every attempt is made first by a process that is not confined, where it must succeed, or else the
test would say nothing. What this kernel has not got is skipped, with the reason.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import partial
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import psutil
import pytest
import xxhash

from core import __version__
from core.commands.main import main
from core.documents import ProblemCode, ReaderProcesses, ReadingLimits, ReadingSettings
from core.documents.isolation import process
from core.documents.isolation.confinement import Confinement, confinement_here
from core.documents.isolation.protocol import SCANS

spec = spec_from_file_location("attempts", Path(__file__).parents[3] / "attempts.py")
attempts = module_from_spec(spec)
sys.modules["attempts"] = attempts
spec.loader.exec_module(attempts)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines readers")

HERE = confinement_here()
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)
# A reader that runs the program in its file, as a fault in a library would have it do.
TAKEN_OVER = """
import core.documents.isolation.confinement as confinement
import core.documents.isolation.worker as worker
import core.documents.readers as readers
from core.documents.readers.reader import Extracted

def read(data, reading):
    names = {"reading": reading}
    try:
        exec(data.decode(), names)
    except OSError as error:
        return Extracted(f"refused: {error}")
    return Extracted(f"done: {names.get('got')}")

PDF = next(reader for reader in readers.READERS if reader.kind == "pdf")
readers.READERS = (PDF._replace(recognises=lambda data, suffix: True, read=read),)
"""
UNCONFINED = TAKEN_OVER + "worker.confine = lambda **how: None\nworker.main()\n"
CONFINED = TAKEN_OVER + "worker.main()\n"
WITHOUT_SECCOMP = TAKEN_OVER + ("confinement.install_filter = lambda **how: False\nworker.main()\n")
WITHOUT_LANDLOCK = TAKEN_OVER + (
    "confinement.forbid_other_files = lambda *what: False\nworker.main()\n"
)


SECRET = b"what only Neardup may know"
PATIENT = ReadingSettings(limits=ReadingLimits(seconds=3600))


@pytest.fixture(scope="module")
def confined():
    with ReaderProcesses(PATIENT, CONFINED) as processes:
        yield processes


@pytest.fixture(scope="module")
def confined_for_scans():
    with ReaderProcesses(replace(PATIENT, ocr=True), CONFINED) as processes:
        yield processes


@pytest.fixture(scope="module")
def unconfined():
    with ReaderProcesses(PATIENT, UNCONFINED) as processes:
        yield processes


@pytest.fixture(scope="module")
def by_one_part_only():
    with (
        ReaderProcesses(PATIENT, WITHOUT_SECCOMP) as landlock,
        ReaderProcesses(PATIENT, WITHOUT_LANDLOCK) as seccomp,
    ):
        yield {attempts.LANDLOCK: landlock, attempts.SECCOMP: seccomp}


@pytest.fixture
def these():
    """What attempts go for: files in the home, sockets, a process, this one's memory."""
    buffer = ctypes.create_string_buffer(SECRET, len(SECRET))
    with (
        tempfile.TemporaryDirectory(dir=Path.home()) as home,
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as display,
        socket.socket(socket.AF_UNIX) as bus,
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as bystander,
    ):
        for name in ("secret.txt", "review.neardup", "victim.txt"):
            (Path(home) / name).write_bytes(SECRET)
        udp.bind(("127.0.0.1", 0))
        display.bind(f"{home}/X0")
        display.listen()
        bus.bind(f"\0neardup-{os.getpid()}")
        bus.listen()
        yield {
            "home": home,
            "secret": f"{home}/secret.txt",
            "review": f"{home}/review.neardup",
            "victim": f"{home}/victim.txt",
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "socket": f"{home}/X0",
            "abstract": f"neardup-{os.getpid()}",
            "process": bystander.pid,
            "program": "/bin/true",
            "address": ctypes.addressof(buffer),
            "size": len(SECRET),
        }
        bystander.kill()


def tried(processes, program, these):
    """What became of an attempt: "done: ...", "refused: ..." or "crashed"."""
    data = f"{attempts.PRELUDE}these = {these!r}\n{program}".encode()
    (found,) = processes.read(data, ".pdf", xxhash.xxh3_128_hexdigest(data), lambda: False)
    return getattr(found, "text", "crashed")


def parts_here(attempt):
    """The parts of this kernel that refuse an attempt."""
    has = {attempts.LANDLOCK: HERE.landlock >= attempt.since, attempts.SECCOMP: HERE.seccomp}
    return {part for part in attempt.held_by if has[part]}


def require_success(outcome, attempt):
    """An attempt that fails without confinement shows nothing: skip where the kernel may refuse."""
    if not outcome.startswith("done: ") and not attempt.everywhere:
        pytest.skip(f"without confinement, too, this kernel refuses: {outcome}")
    assert outcome.startswith("done: "), outcome
    assert outcome not in ("done: None", "done: False"), outcome


@pytest.mark.parametrize("name", attempts.ATTEMPTS)
def test_a_reader_that_was_taken_over(name, confined, unconfined, these):
    attempt = attempts.ATTEMPTS[name]
    if not parts_here(attempt):
        pytest.skip(f"needs {' or '.join(attempt.held_by)}; this kernel has {HERE}")

    # Refused first, as what succeeds takes the file away.
    refused = tried(confined, attempt.program, these)
    require_success(tried(unconfined, attempt.program, these), attempt)

    assert refused.startswith("refused: "), refused


@pytest.mark.parametrize("name", attempts.ATTEMPTS)
def test_either_part_of_the_kernel_holds_what_is_said_of_it(name, by_one_part_only, these):
    attempt = attempts.ATTEMPTS[name]

    for part in parts_here(attempt):
        outcome = tried(by_one_part_only[part], attempt.program, these)

        assert not outcome.startswith("done: "), part


@pytest.mark.parametrize("name", attempts.ATTEMPTS)
def test_a_reader_of_scans_that_was_taken_over(name, confined_for_scans, these):
    attempt = attempts.ATTEMPTS[name]
    if not parts_here(attempt):
        pytest.skip(f"needs {' or '.join(attempt.held_by)}; this kernel has {HERE}")

    refused = tried(confined_for_scans, attempt.program, these)

    assert refused.startswith("refused: ") or not attempt.everywhere, refused
    assert not refused.startswith("done: "), refused


@pytest.mark.skipif(not HERE.landlock, reason="needs Landlock")
def test_a_reader_of_scans_starts_no_other_program_through_the_loader(confined_for_scans):
    program = (
        "import glob\n"
        "loader = glob.glob('/lib64/ld-*.so*') + glob.glob('/lib/ld-*.so*')\n"
        "got = subprocess.run([loader[0], '/bin/echo']).returncode"
    )

    outcome = tried(confined_for_scans, program, {})

    assert outcome.startswith("refused: ") or outcome == "done: 127", outcome


@needs_tesseract
def test_tesseract_that_takes_too_long_is_stopped_and_its_reader_goes_on(confined_for_scans):
    before = set(psutil.Process().children(recursive=True))
    program = (
        "from core.documents.readers.pdf.pdf import Tesseract\n"
        "tesseract = Tesseract(reading)\n"
        "tesseract._seconds = 0\n"
        "got = tesseract.read(b'P5 9 9 255 ' + bytes(81)) is None, len(tesseract.languages) > 0"
    )

    outcomes = [tried(confined_for_scans, program, {}) for _ in range(2)]

    assert outcomes == ["done: (True, True)"] * 2
    left = set(psutil.Process().children(recursive=True)) - before
    assert not [one for one in left if one.name().startswith("tesseract")]


@needs_tesseract
def test_only_a_reader_of_scans_may_start_tesseract(confined, confined_for_scans):
    program = "got = subprocess.run(['tesseract', '--version'], check=True).returncode"

    assert tried(confined_for_scans, program, {}) == "done: 0"
    assert tried(confined, program, {}).startswith("refused: ") == HERE.seccomp


def test_what_neardup_has_open_is_not_inherited(monkeypatch, tmp_path):
    """A program that was started carelessly shows that the attempt would find it."""
    path = tmp_path / "open.txt"
    path.write_bytes(SECRET)
    program = (
        "found = ''\n"
        "for number in range(3, 256):\n"
        "    try:\n"
        "        found += os.pread(number, 100, 0).decode()\n"
        "    except OSError:\n"
        "        pass\n"
        "got = found\n"
    )
    with path.open("rb") as open_file:
        os.set_inheritable(open_file.fileno(), True)
        with ReaderProcesses(PATIENT, CONFINED) as processes:
            inherited = tried(processes, program, {})
        careless = partial(subprocess.Popen, close_fds=False)
        monkeypatch.setattr(process.subprocess, "Popen", careless)
        with ReaderProcesses(PATIENT, CONFINED) as processes:
            found = tried(processes, program, {})

    assert inherited.startswith("done: ")
    assert SECRET.decode() not in inherited
    assert SECRET.decode() in found


def test_the_environment_says_no_more_than_python_needs(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.setenv(name, "of the user")
    monkeypatch.setenv("SERVICE_TOKEN", "of the user")

    with ReaderProcesses(PATIENT, CONFINED) as processes:
        environment = tried(processes, "got = sorted(os.environ.items())", {})

    assert "of the user" not in environment
    assert "PATH" in environment


def test_all_threads_of_a_real_reader_are_confined():
    before = set(psutil.Process().children())
    with ReaderProcesses(PATIENT) as processes:
        list(processes.read(b"{\\rtf1 Words.}", ".rtf", "0" * 32, lambda: False))
        (reader,) = set(psutil.Process().children()) - before
        threads = list(Path(f"/proc/{reader.pid}/task").iterdir())
        states = [(thread / "status").read_text() for thread in threads]

    assert len(states) > 1
    assert all("NoNewPrivs:\t1" in state for state in states)
    assert all(("Seccomp:\t2" in state) == HERE.seccomp for state in states)


def test_a_file_that_is_no_scan_is_read_by_a_process_that_starts_no_program():
    """Also where text recognition is asked for."""
    before = set(psutil.Process().children())
    with ReaderProcesses(replace(PATIENT, ocr=True)) as processes:
        (found,) = processes.read(b"{\\rtf1 Words.}", ".rtf", "0" * 32, lambda: False)
        (reader,) = set(psutil.Process().children()) - before
        commands = [reader.cmdline()]
        list(processes.read(b"%PDF-1.4 and no more", ".pdf", "0" * 32, lambda: False))
        commands += [one.cmdline() for one in set(psutil.Process().children()) - before - {reader}]

    assert found.text == "Words."
    assert [command[-1] == SCANS for command in commands] == [False, True]


@pytest.mark.parametrize(
    ("ocr", "says"),
    [(False, ["scans"]), (True, ["scans", "failure"]), (True, ["failure", "scans"])],
)
def test_a_reader_that_passes_on_what_it_must_not_is_not_believed(ocr, says):
    program = TAKEN_OVER + (
        "def read(data, task, answers, **how):\n"
        f"    for what in {says}:\n"
        "        if what == 'scans':\n"
        "            answers.send({'is': what})\n"
        "        else:\n"
        "            answers.give(worker.Failure('', 'failed', 'No.'))\n"
        "worker._read = read\n"
        "worker.main()\n"
    )
    with ReaderProcesses(replace(PATIENT, ocr=ocr), program) as processes:
        results = list(processes.read(b"any", ".pdf", "0" * 32, lambda: False))

    assert results[-1].code == ProblemCode.CRASH


@pytest.mark.parametrize(
    ("landlock", "seccomp", "says"),
    [
        (7, True, "that Landlock 7 and seccomp confine"),
        (1, False, "that Landlock 1 confines, without seccomp"),
        (0, True, "that seccomp confines, without Landlock"),
        (0, False, "that this system does not confine"),
    ],
)
def test_what_holds_here_is_said(landlock, seccomp, says):
    assert says in Confinement(landlock, seccomp).sentence()


@pytest.mark.parametrize("part", ["landlock", "seccomp"])
def test_what_the_kernel_has_and_does_not_let_us_do_is_not_said_to_hold(monkeypatch, part):
    """As in a container, or under too many rules of others."""
    calls = {"landlock": "confinement._RESTRICT", "seccomp": "confinement._SET_MODE_FILTER"}
    monkeypatch.setattr(f"core.documents.isolation.{calls[part]}", 9999)

    assert not getattr(confinement_here(), part)


def test_to_try_what_holds_leaves_this_process_as_it_was(tmp_path):
    confinement_here()

    (tmp_path / "a.txt").write_text("text")
    assert subprocess.run([sys.executable, "-c", ""], check=True).returncode == 0


def test_libraries_that_lie_anywhere_are_found(monkeypatch, tmp_path):
    """As whoever has them in a folder of PYTHONPATH, or installed them with a target."""
    package = Path(find_spec("selectolax").origin).parent
    shutil.copytree(package, tmp_path / package.name)
    monkeypatch.syspath_prepend(tmp_path)
    page = b"<html><body><p>The lamp was lit.</p></body></html>"

    with ReaderProcesses(ReadingSettings()) as processes:
        (found,) = processes.read(page, ".html", "0" * 32, lambda: False)

    assert found.text.strip() == "The lamp was lit."


def test_the_version_says_what_holds_here(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out.splitlines() == [f"neardup {__version__}", HERE.sentence()]
