"""Too little memory, too few threads, closed streams, no home: a sentence, or it works."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.base import memory
from core.commands import main
from core.program import startup
from core.program.startup import LEAST_MEMORY, lacking, spare_threads

ROOT = Path(__file__).parents[3]
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    words = [f"word{number}" for number in range(200)]
    (folder / "one.txt").write_text(" ".join(words))
    (folder / "two.txt").write_text(" ".join(words[:150]))
    return folder


@on_posix
@pytest.mark.parametrize(
    "command", [["-m", "core", "scan", "."], ["-m", "core", "prepare"], ["-m", "neardup_gui", "."]]
)
def test_too_little_address_space_is_a_sentence(command):
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT, preexec_fn=limit, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "neardup: This process may use 400 MB of address space, and Neardup needs "
        f"{LEAST_MEMORY >> 20:,} MB. Raise the limit (ulimit -v), and try again.\n"
    )


def test_threads_that_cannot_be_started_are_a_sentence(monkeypatch, capsys, folder):
    def fail(_thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(startup.threading.Thread, "start", fail)

    assert main.main(["scan", str(folder)]) == 1
    assert "no more processes and threads" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "not enough memory"),
        (OSError(errno.ENOMEM, "Cannot allocate memory", "/a"), "not enough memory"),
        (ImportError("x.so: failed to map segment from shared object"), "not enough memory"),
        (RuntimeError("can't start new thread"), "no more processes and threads"),
    ],
)
def test_what_the_system_does_not_give_in_the_midst_is_a_sentence(
    error, words, monkeypatch, capsys
):
    def fail(_options):
        raise error

    monkeypatch.setattr("core.commands.prepare.run", fail)

    assert main.main(["prepare"]) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("error", [RuntimeError("a bug"), ImportError("no module"), KeyError("a")])
def test_a_fault_of_ours_stays_one(error):
    assert lacking(error) == ""


def test_the_libraries_of_numpy_start_no_threads(monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("MKL_NUM_THREADS", "3")
    spare_threads()
    assert (os.environ["OPENBLAS_NUM_THREADS"], os.environ["MKL_NUM_THREADS"]) == ("1", "3")


@on_posix
@pytest.mark.parametrize(
    "command",
    [
        ["core", "scan", "a"],
        ["core", "scan", "/", "--passwords=b"],
        ["core", "query", "/", "c"],
        ["neardup_gui", "a"],
    ],
)
def test_a_current_folder_that_is_gone_is_a_sentence(command, tmp_path):
    done = without_place(tmp_path, command)

    assert done.returncode in (1, 2)
    assert done.stderr.startswith("neardup: The current folder does not exist any more.")


@on_posix
@pytest.mark.parametrize(
    "command", [["scan", "{}", "--report={}/a.html"], ["query", "{}", "{}/one.txt"]]
)
def test_whole_paths_need_no_current_folder(command, folder, tmp_path):
    done = without_place(tmp_path, ["core", *(part.format(folder) for part in command)])

    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "one.txt" in done.stdout


def without_place(tmp_path, command):
    """Run a module of the program where the current folder is removed before it starts."""
    place = tmp_path / "gone"
    place.mkdir()
    program = (
        "import os, runpy, sys\n"
        f"os.rmdir({str(place)!r})\n"
        "sys.argv = ['neardup', *sys.argv[2:]]\n"
        f"runpy.run_module({command[0]!r}, run_name='__main__')"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *command],
        cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_time_that_64_bits_do_not_hold_can_be_kept(folder, capsys):
    far = 16 * 10**18  # the year 2477
    try:
        os.utime(folder / "one.txt", ns=(0, far))
    except (OSError, OverflowError):
        pytest.skip("this file system does not hold it")
    review = folder.parent / "a.neardup"

    assert main.main(["scan", str(folder), f"--review={review}"]) == 0
    assert main.main(["scan", str(folder), f"--review={review}"]) == 0
    assert "Traceback" not in capsys.readouterr().err


@on_posix
def test_without_proc_memory_is_asked_of_the_c_library(monkeypatch):
    def fail():
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", "/proc/meminfo")

    monkeypatch.setattr(memory.psutil, "virtual_memory", fail)
    assert memory.available_memory() > 0
