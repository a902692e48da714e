"""A reader process that was taken over by a file: what it tries, and what the system refuses.

Every attempt is made first by a process that is not confined, where it must succeed, or else the
test would say nothing. What this kernel has not got is skipped, with the reason.
"""

import ctypes
import errno
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest
import xxhash

from core import __version__
from core.commands.main import main
from core.documents.extraction import Piece, extract
from core.documents.isolation import processes as reader_processes
from core.documents.isolation.confinement import (
    ALWAYS,
    CHECKED,
    MACHINES,
    PROGRAMS,
    Confinement,
    confinement_here,
    filter_program,
)
from core.documents.isolation.processes import ReaderProcesses
from core.documents.isolation.protocol import SCANS
from core.documents.model import ProblemCode
from core.documents.readers import reading_of
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from tests import attempts
from tests.bench.fuzz_seeds import SEEDS
from tests.engine.documents.readers import test_doc, test_odf, test_pictures

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines readers")

CONFINEMENT = confinement_here()
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)
# A reader that runs the program in its file, as a fault in a library would have it do.
TAKEN_OVER = """
import core.documents.isolation.confinement as confinement
import core.documents.isolation.worker as worker
import core.documents.recognition as recognition
from core.documents.readers import Extracted

def read(data, reading):
    names = {"reading": reading}
    try:
        exec(data.decode(), names)
    except OSError as error:
        return Extracted(f"refused: {error}")
    return Extracted(f"done: {names.get('got')}")

PDF = next(reader for reader in recognition.READERS if reader.kind == "pdf")
recognition.READERS = (PDF._replace(recognises=lambda data, suffix: True, read=read),)
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
def by_single_part():
    with (
        ReaderProcesses(PATIENT, WITHOUT_SECCOMP) as landlock,
        ReaderProcesses(PATIENT, WITHOUT_LANDLOCK) as seccomp,
    ):
        yield {attempts.LANDLOCK: landlock, attempts.SECCOMP: seccomp}


@pytest.fixture
def targets():
    """What attempts go for: files in the home, sockets, a process, this one's memory."""
    buffer = ctypes.create_string_buffer(SECRET, len(SECRET))
    with (
        tempfile.TemporaryDirectory(dir=Path.home()) as home,
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as display,
        socket.socket(socket.AF_UNIX) as bus,
        subprocess.Popen(["cat"], stdin=subprocess.PIPE) as bystander,
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


def tried(processes, program, targets):
    """What became of an attempt: "done: ...", "refused: ..." or "crashed"."""
    data = f"{attempts.PRELUDE}these = {targets!r}\n{program}".encode()
    (result,) = processes.read(data, ".pdf", xxhash.xxh3_128_hexdigest(data))
    return getattr(result, "text", "crashed")


def available_parts(attempt):
    """The parts of this kernel that refuse an attempt."""
    has = {
        attempts.LANDLOCK: CONFINEMENT.landlock >= attempt.since,
        attempts.SECCOMP: CONFINEMENT.seccomp,
    }
    return {part for part in attempt.held_by if has[part]}


def require_success(outcome, attempt):
    """An attempt that fails without confinement shows nothing: skip where the kernel may refuse."""
    if not outcome.startswith("done: ") and not attempt.everywhere:
        pytest.skip(f"without confinement, too, this kernel refuses: {outcome}")
    assert outcome.startswith("done: "), outcome
    assert outcome not in ("done: None", "done: False"), outcome


@pytest.mark.parametrize("name", attempts.ATTEMPTS)
def test_a_reader_that_was_taken_over(name, confined, unconfined, targets):
    attempt = attempts.ATTEMPTS[name]
    if not available_parts(attempt):
        pytest.skip(f"needs {' or '.join(attempt.held_by)}; this kernel has {CONFINEMENT}")

    # Refused first, as what succeeds takes the file away.
    refused = tried(confined, attempt.program, targets)
    require_success(tried(unconfined, attempt.program, targets), attempt)

    assert refused.startswith("refused: "), refused


@pytest.mark.parametrize("name", attempts.ATTEMPTS)
def test_either_part_of_the_kernel_refuses_what_it_promises(name, by_single_part, targets):
    attempt = attempts.ATTEMPTS[name]

    for part in available_parts(attempt):
        outcome = tried(by_single_part[part], attempt.program, targets)

        assert not outcome.startswith("done: "), part


@pytest.mark.parametrize("name", attempts.ATTEMPTS)
def test_a_reader_of_scans_that_was_taken_over(name, confined_for_scans, targets):
    attempt = attempts.ATTEMPTS[name]
    if not available_parts(attempt):
        pytest.skip(f"needs {' or '.join(attempt.held_by)}; this kernel has {CONFINEMENT}")

    refused = tried(confined_for_scans, attempt.program, targets)

    assert refused.startswith("refused: ") or not attempt.everywhere, refused
    assert not refused.startswith("done: "), refused


@pytest.mark.skipif(not CONFINEMENT.landlock, reason="needs Landlock")
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
        "from core.documents.readers.pdf import Tesseract\n"
        "tesseract = Tesseract(reading)\n"
        "tesseract._seconds = 0\n"
        "got = tesseract.read(b'P5 9 9 255 ' + bytes(81)) is None, len(tesseract.languages) > 0"
    )

    outcomes = [tried(confined_for_scans, program, {}) for _ in range(2)]

    assert outcomes == ["done: (True, True)"] * 2
    left = set(psutil.Process().children(recursive=True)) - before
    assert not [process for process in left if process.name().startswith("tesseract")]


@needs_tesseract
def test_only_a_reader_of_scans_may_start_tesseract(confined, confined_for_scans):
    program = "got = subprocess.run(['tesseract', '--version'], check=True).returncode"

    assert tried(confined_for_scans, program, {}) == "done: 0"
    assert tried(confined, program, {}).startswith("refused: ") == CONFINEMENT.seccomp


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
        monkeypatch.setattr(reader_processes.subprocess, "Popen", careless)
        with ReaderProcesses(PATIENT, CONFINED) as processes:
            output = tried(processes, program, {})

    assert inherited.startswith("done: ")
    assert SECRET.decode() not in inherited
    assert SECRET.decode() in output


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
        list(processes.read(b"{\\rtf1 Words.}", ".rtf", "0" * 32))
        (reader,) = set(psutil.Process().children()) - before
        threads = list(Path(f"/proc/{reader.pid}/task").iterdir())
        states = [(thread / "status").read_text() for thread in threads]

    assert len(states) > 1
    assert all("NoNewPrivs:\t1" in state for state in states)
    assert all(("Seccomp:\t2" in state) == CONFINEMENT.seccomp for state in states)


def test_a_file_that_is_no_scan_is_read_by_a_process_that_starts_no_program():
    """Also with text recognition."""
    before = set(psutil.Process().children())
    with ReaderProcesses(replace(PATIENT, ocr=True)) as processes:
        (result,) = processes.read(b"{\\rtf1 Words.}", ".rtf", "0" * 32)
        (reader,) = set(psutil.Process().children()) - before
        commands = [reader.cmdline()]
        list(processes.read(b"%PDF-1.4 and no more", ".pdf", "0" * 32))
        commands += [
            process.cmdline() for process in set(psutil.Process().children()) - before - {reader}
        ]

    assert result.text == "Words."
    assert [command[-1] == SCANS for command in commands] == [False, True]


@pytest.mark.parametrize(
    ("ocr", "lies"),
    [(False, ["scans"]), (True, ["scans", "failure"]), (True, ["failure", "scans"])],
)
def test_a_reader_that_passes_on_forbidden_messages_is_not_believed(ocr, lies):
    program = TAKEN_OVER + (
        "def read(data, task, answers, **how):\n"
        f"    for what in {lies}:\n"
        "        if what == 'scans':\n"
        "            answers.send({'is': what})\n"
        "        else:\n"
        "            answers.give(worker.extraction.Failure('', 'failed', 'No.'))\n"
        "worker._read = read\n"
        "worker.main()\n"
    )
    with ReaderProcesses(replace(PATIENT, ocr=ocr), program) as processes:
        results = list(processes.read(b"any", ".pdf", "0" * 32))

    assert results[-1].code == ProblemCode.CRASH


@pytest.mark.parametrize(
    ("landlock", "seccomp", "sentence"),
    [
        (7, True, "that Landlock 7 and seccomp confine"),
        (1, False, "that Landlock 1 confines, without seccomp"),
        (0, True, "that seccomp confines, without Landlock"),
        (0, False, "that this system does not confine"),
    ],
)
def test_the_confinement_of_this_machine_is_reported(landlock, seccomp, sentence):
    assert sentence in Confinement(landlock, seccomp).sentence()


@pytest.mark.parametrize("part", ["landlock", "seccomp"])
def test_what_the_kernel_has_and_does_not_let_us_do_is_not_said_to_hold(monkeypatch, part):
    """As in a container, or under too many rules of others."""
    calls = {"landlock": "confinement._RESTRICT", "seccomp": "confinement._SET_MODE_FILTER"}
    monkeypatch.setattr(f"core.documents.isolation.{calls[part]}", 9999)

    assert not getattr(confinement_here(), part)


def test_probing_the_confinement_leaves_this_process_unchanged(tmp_path):
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
        (result,) = processes.read(page, ".html", "0" * 32)

    assert result.text.strip() == "The lamp was lit."


def test_the_version_names_the_confinement_of_this_machine(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out.splitlines() == [
        f"neardup {__version__}",
        CONFINEMENT.sentence(),
    ]


ALLOWED = 0x7FFF0000
REFUSED = 0x00050000
LOAD, EQUAL, GREATER, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
TESTS = {
    EQUAL: lambda held, constant: held == constant,
    GREATER: lambda held, constant: held > constant,
    AT_LEAST: lambda held, constant: held >= constant,
    ANY_BIT: lambda held, constant: bool(held & constant),
}
OWN_PROCESS = 4321  # the number of the process
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", {}),
    "aarch64": ("/usr/include/asm-generic/unistd.h", {"newfstatat": "fstatat"}),
}


def run(program, data):
    """What the kernel does with a call; `data` are the words of struct seccomp_data by offset."""
    held = position = 0
    while True:
        code, if_true, if_false, constant = program[position]
        position += 1
        if code == RETURN:
            return constant
        if code == LOAD:
            held = data.get(constant, 0)
        else:
            position += if_true if TESTS[code](held, constant) else if_false


def decided(machine, name, *arguments, audit=None, offset=0, **options):
    """0 for a call that is allowed, or the number of an error."""
    program = filter_program(
        machine, process=OWN_PROCESS, **{"has_group": True, "runs_programs": False, **options}
    )
    numbers = {**ALWAYS, **CHECKED, **PROGRAMS, **OTHER_CALLS}
    data = {0: numbers[name][machine.column] + offset, 4: audit or machine.audit}
    for index, argument in enumerate(arguments):
        data[16 + 8 * index] = argument & 0xFFFFFFFF
        data[20 + 8 * index] = argument >> 32 & 0xFFFFFFFF
    result = run(program, data)
    return 0 if result == ALLOWED else result - REFUSED


OTHER_CALLS = {
    "socket": (41, 198), "connect": (42, 203), "ptrace": (101, 117), "unlinkat": (263, 35),
    "process_vm_readv": (310, 270), "memfd_create": (319, 279), "execveat": (322, 281),
    "clone3": (435, 435), "openat2": (437, 437), "io_uring_setup": (425, 425), "bpf": (321, 280),
    "setsid": (112, 157), "setpgid": (109, 154), "kexec_load": (246, 104), "future": (999, 999),
}  # fmt: skip
machines = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


@machines
@pytest.mark.parametrize("runs_programs", [False, True])
def test_every_call_is_decided_as_its_list_says(machine, runs_programs):
    allowed = {numbers[machine.column] for numbers in ALWAYS.values()}
    if runs_programs:
        allowed |= {numbers[machine.column] for numbers in PROGRAMS.values()}
    checked = {numbers[machine.column] for numbers in CHECKED.values()}
    program = filter_program(
        machine, process=OWN_PROCESS, has_group=True, runs_programs=runs_programs
    )

    for number in set(range(1200)) - checked:
        result = run(program, {0: number, 4: machine.audit})

        assert result == (ALLOWED if number in allowed else REFUSED | errno.ENOSYS), number


@machines
@pytest.mark.parametrize("name", OTHER_CALLS)
@pytest.mark.parametrize("runs_programs", [False, True])
def test_what_does_harm_is_refused_to_every_reader(machine, name, runs_programs):
    assert decided(machine, name, runs_programs=runs_programs) == errno.ENOSYS


@machines
@pytest.mark.parametrize("flags", [0o1, 0o2, 0o3, 0o100, 0o1000, 0o20200000, 0o2000002])
def test_nothing_is_opened_for_writing(machine, flags):
    assert decided(machine, "openat", -100, 0x1234, flags) == errno.EPERM
    assert decided(machine, "openat", -100, 0x1234, 0o2000000) == 0


@machines
def test_a_reader_makes_threads_and_only_one_for_scans_makes_processes(machine):
    thread, process, stranger = 0x3D0F00, 17, 0x10000011

    assert decided(machine, "clone", thread) == 0
    assert decided(machine, "clone", process) == errno.EPERM
    assert decided(machine, "clone", stranger) == errno.EPERM
    assert decided(machine, "clone", process, runs_programs=True) == 0
    assert decided(machine, "clone", stranger, runs_programs=True) == errno.EPERM
    assert decided(machine, "execve") == errno.ENOSYS
    assert decided(machine, "execve", runs_programs=True) == 0


@machines
def test_signals_reach_only_the_reader_and_its_group(machine):
    everybody, group = -1, 0

    for runs_programs in (False, True):
        assert decided(machine, "kill", OWN_PROCESS, 9, runs_programs=runs_programs) == 0
        assert decided(machine, "kill", 1, 9, runs_programs=runs_programs) == errno.EPERM
        assert decided(machine, "kill", everybody, 9, runs_programs=runs_programs) == errno.EPERM
        assert decided(machine, "tgkill", 1, 1, 9, runs_programs=runs_programs) == errno.EPERM
    assert decided(machine, "kill", group, 9) == errno.EPERM
    assert decided(machine, "kill", group, 9, runs_programs=True) == 0
    assert decided(machine, "kill", group, 9, runs_programs=True, has_group=False) == errno.EPERM


@machines
def test_limits_descriptors_and_terminals_are_only_its_own(machine):
    assert decided(machine, "prlimit64", 0, 7, 0x1234) == 0
    assert decided(machine, "prlimit64", 1, 7, 0x1234) == errno.EPERM
    assert decided(machine, "fcntl", 3, 1) == 0
    assert decided(machine, "fcntl", 3, 8) == errno.EPERM  # F_SETOWN: whom to signal
    assert decided(machine, "ioctl", 0, 0x5401) == 0
    assert decided(machine, "ioctl", 0, 0x5412) == errno.ENOTTY  # TIOCSTI: type for the user
    assert decided(machine, "prctl", 15) == 0
    assert decided(machine, "prctl", 4) == errno.EPERM  # PR_SET_DUMPABLE


@machines
def test_other_ways_to_call_the_kernel_are_refused(machine):
    assert decided(machine, "read") == 0
    assert decided(machine, "read", audit=0x40000003) == errno.ENOSYS  # a program of 32 bits
    assert decided(machine, "read", offset=0x40000000) == errno.ENOSYS  # x32


@pytest.mark.parametrize("name", MACHINES)
def test_the_numbers_are_those_of_the_system_headers(name):
    path, header_names = HEADERS[name]
    if sys.platform != "linux" or not Path(path).exists():
        pytest.skip(f"needs {path}")
    defined = dict(re.findall(r"__NR(?:3264)?_(\w+) (\d+)", Path(path).read_text()))

    for call, numbers in {**ALWAYS, **CHECKED, **PROGRAMS, **OTHER_CALLS}.items():
        number = numbers[MACHINES[name].column]
        known = defined.get(header_names.get(call, call))

        assert known is None or number == int(known), call
        # A header may be older than a call, and the generic one leaves out what is out of use.
        assert number is None or known is not None or number > 436, call


UNHURRIED = ReadingLimits(seconds=3600)
PASSWORDS = ("ferry", "open sesame", "geese")


@pytest.fixture(scope="module")
def files():
    """A file of every format, and locked ones, by their names."""
    return {
        **SEEDS,
        "locked.doc": test_doc.compound(test_doc.locked("secret\r")),
        "aes.odt": test_odf.locked(
            "content.xml", *test_odf.locked_with_aes(test_odf.SECRET, "geese")
        ),
        "blowfish.odt": test_odf.locked(
            "content.xml", *test_odf.locked_with_blowfish(test_odf.SECRET, "geese")
        ),
        "argon.odt": test_odf.locked(
            "encrypted-package",
            *test_odf.locked_with_argon(test_odf.odf("<text:p>A secret.</text:p>"), "geese"),
        ),
        "chinese.txt": "春江潮水连海平".encode("gb18030") * 50,
    }


def without_hash(result):
    """That of a part is not taken as a process says it."""
    return result._replace(file_hash="") if isinstance(result, Piece) else result


def alike(files, settings):
    """The names of files that a confined process reads as this one does, and of the others."""
    names_by_result = {True: [], False: []}
    with ReaderProcesses(settings) as processes:
        for name, data in files.items():
            suffix = Path(name).suffix.lower()
            file_hash = xxhash.xxh3_128_hexdigest(data)
            answers = processes.read(data, suffix, file_hash)
            confined = [without_hash(answer) for answer in answers]
            expected = [without_hash(it) for it in extract(data, reading_of(settings, suffix))]
            names_by_result[expected == confined].append(name)
    return names_by_result[True], names_by_result[False]


def test_every_format_and_what_is_locked_is_read_alike(files):
    settings = ReadingSettings(limits=UNHURRIED, archives=True, passwords=PASSWORDS)

    same, different = alike(files, settings)

    assert len(same) > 20
    assert different == []


def test_locked_files_are_read_with_their_passwords(files):
    settings = ReadingSettings(limits=UNHURRIED, passwords=PASSWORDS)
    with ReaderProcesses(settings) as processes:
        for name in ("locked.doc", "aes.odt", "blowfish.odt", "argon.odt"):
            (piece,) = processes.read(files[name], Path(name).suffix, "0" * 32)

            assert "secret" in piece.text


@needs_tesseract
def test_scans_are_read_alike():
    page = test_pictures.PAGE
    files = {"page.png": test_pictures.png(*page), "pages.tif": test_pictures.tiff(page, page)}

    same, different = alike(files, ReadingSettings(limits=UNHURRIED, ocr=True))

    assert sorted(same) == ["page.png", "pages.tif"]
    assert different == []


def test_libraries_that_nobody_compiled_are_compiled_once(tmp_path, monkeypatch):
    """A confined process cannot keep what it compiles, so it does that before."""
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    with ReaderProcesses(ReadingSettings(limits=UNHURRIED)) as processes:
        list(processes.read(b"%PDF-1.4 and no more", ".pdf", "0" * 32))

    kept = {path.parent.name for path in tmp_path.rglob("*.pyc")}
    assert {"pypdfium2_raw", "selectolax", "chardet", "msoffcrypto"} <= kept
