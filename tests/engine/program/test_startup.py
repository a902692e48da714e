"""How the program starts, and prepares what it compiles."""

import errno
import itertools
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from core.base import memory
from core.base.compiling import KernelFiles
from core.base.tasks import cancelled_by
from core.commands import main
from core.errors import PreparationError, ScanCancelledError
from core.program import preparation, startup
from core.program.preparation import is_prepared, prepare, prepared_meanwhile, wait
from core.program.startup import LEAST_MEMORY, lacking, python_command, spare_threads
from tests.programs import ROOT, python
from tests.texts import folder_with

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")


@on_posix
@pytest.mark.parametrize(
    "command", [["-m", "core", "scan", "."], ["-m", "core", "prepare"], ["-m", "neardup_gui", "."]]
)
def test_too_little_address_space_is_a_sentence(command):
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

    done = python(*command, preexec_fn=limit)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "neardup: This process may use 400 MB of address space, and Neardup needs "
        f"{LEAST_MEMORY >> 20:,} MB. Raise the limit (ulimit -v), and try again.\n"
    )


def test_threads_that_cannot_be_started_are_a_sentence(monkeypatch, capsys, essays):
    fail = Mock(side_effect=RuntimeError("can't start new thread"))

    monkeypatch.setattr(startup.threading.Thread, "start", fail)

    assert main.main(["scan", str(essays)]) == 1
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
def test_a_lack_of_resources_midway_is_a_sentence(error, words, monkeypatch, capsys):
    monkeypatch.setattr("core.commands.prepare.run", Mock(side_effect=error))

    assert main.main(["prepare"]) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("error", [RuntimeError("a bug"), ImportError("no module"), KeyError("a")])
def test_an_internal_error_is_no_lack_of_resources(error):
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
    done = without_current_folder(tmp_path, command)

    assert done.returncode in (1, 2)
    assert done.stderr.startswith("neardup: The current folder does not exist any more.")


@on_posix
@pytest.mark.parametrize(
    "command", [["scan", "{}", "--report={}/a.html"], ["query", "{}", "{}/one.txt"]]
)
def test_whole_paths_need_no_current_folder(command, essays, tmp_path):
    done = without_current_folder(tmp_path, ["core", *(part.format(essays) for part in command)])

    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "one.txt" in done.stdout


def without_current_folder(tmp_path, command):
    """Run a module of the program where the current folder is removed before it starts."""
    folder = folder_with(tmp_path / "gone")
    program = (
        "import os, runpy, sys\n"
        f"os.rmdir({str(folder)!r})\n"
        "sys.argv = ['neardup', *sys.argv[2:]]\n"
        f"runpy.run_module({command[0]!r}, run_name='__main__')"
    )
    return python("-c", program, *command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_a_time_that_64_bits_do_not_hold_can_be_kept(essays, capsys):
    far = 16 * 10**18  # the year 2477
    try:
        os.utime(essays / "one.txt", ns=(0, far))
    except (OSError, OverflowError):
        pytest.skip("this file system does not hold it")
    review = essays.parent / "a.neardup"

    assert main.main(["scan", str(essays), f"--review={review}"]) == 0
    assert main.main(["scan", str(essays), f"--review={review}"]) == 0
    assert "Traceback" not in capsys.readouterr().err


@on_posix
def test_without_proc_memory_is_asked_of_the_c_library(monkeypatch):
    fail = Mock(
        side_effect=FileNotFoundError(errno.ENOENT, "No such file or directory", "/proc/meminfo")
    )

    monkeypatch.setattr(memory, "SYSTEM_MEMORY", Path("/proc/is/not/there"))
    monkeypatch.setattr(psutil, "virtual_memory", fail)
    assert memory.available_memory() > 0


def test_free_memory_is_read_as_psutil_does(monkeypatch, tmp_path):
    said = tmp_path / "meminfo"
    monkeypatch.setattr(memory, "SYSTEM_MEMORY", said)
    monkeypatch.setattr(memory, "memory_left_to_groups", list)
    said.write_text("MemTotal: 100 kB\nMemFree: 3 kB\nMemAvailable:   40 kB\nBuffers: 5 kB\n")
    assert memory.available_memory() == 40 << 10
    said.write_text("MemTotal: 100 kB\nMemFree: 3 kB\n")  # of a kernel before 3.14
    assert memory.available_memory() > 1 << 20


# Prints what was asked of the cache of kernels: which kernel, for which types of arguments.
NOTED = """
import atexit
from core.base import kernel_cache
asked, load = set(), kernel_cache.load

def noted(files, name, key):
    asked.add(name)
    return load(files, name, key)

kernel_cache.load = noted
atexit.register(lambda: {told})
"""

# What a newcomer does.
FIRST_MINUTE = """
import sys, tempfile
from pathlib import Path

from core.evidence.passages import find_passages
from core.review import open_review, save_review
from core.scan.flow import scan
from core.scan.scan import Scan
from core.settings import PRESETS

sample = Path(sys.argv[1])
for preset in PRESETS:
    result = scan([sample], preset.settings)
    result.pairs()
    pairs = result.pairs(preset.settings.with_changes(bands=preset.settings.bands // 2))
    for row in range(min(5, len(pairs))):
        find_passages(result.texts[pairs.a[row]], result.texts[pairs.b[row]], preset.settings)
    result.background()
    result.index().matches(result.texts[0])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.neardup")
        save_review(path, result.state)
        with open_review(path) as review:
            opened = Scan.restored(review.state)
            opened.pairs()
            again = scan([sample], preset.settings, previous=review.state)
            again.pairs()
            again.close()
            opened.close()
    result.close()
"""


@pytest.fixture
def stamp(tmp_path, monkeypatch):
    """The path of the stamp, which does not exist yet."""
    files = KernelFiles(tmp_path)
    files.folders = (tmp_path / "cache",)
    monkeypatch.setattr(preparation, "KERNEL_FILES", files)
    return tmp_path / "cache" / preparation._stamp(preparation.USUAL)


def test_the_preparation_compiles_all_that_the_first_minute_asks_for(tmp_path, monkeypatch):
    path = str(tmp_path / "prepared")
    note = f"open({path!r}, 'a').write(''.join(f'{{name}}\\n' for name in asked))"
    program = NOTED.format(told=note) + preparation._PROGRAM.replace("; ", "\n")
    monkeypatch.setattr(preparation, "_ENDING", "")
    monkeypatch.setattr(preparation, "_PROGRAM", program)
    prepare()
    done = python(
        "-c",
        NOTED.format(told="print(*asked, sep='\\n')") + FIRST_MINUTE,
        str(ROOT / "resources" / "sample"),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )

    compiled = set(done.stdout.split())
    assert len(compiled) > 10
    assert compiled - set(Path(path).read_text().split()) == set()


def test_other_sources_have_to_be_prepared_anew(stamp, monkeypatch):
    monkeypatch.setattr(preparation, "_PROGRAM", "pass")
    assert not is_prepared()
    prepare()
    assert is_prepared()

    stamp.write_text("another computer")
    assert not is_prepared()

    stamp.write_bytes(b"\xff damaged")
    assert not is_prepared()


def test_kernels_may_be_moved_but_not_to_another_processor(stamp, tmp_path, monkeypatch):
    first_place, second_place = (tmp_path / name / "core" for name in ("here", "there"))
    (first_place / "program").mkdir(parents=True)
    (first_place / "program" / "preparation.py").write_text("")
    monkeypatch.setattr(preparation, "__file__", str(first_place / "program" / "preparation.py"))
    monkeypatch.setattr(preparation, "_PROGRAM", "pass")
    prepare()

    shutil.move(first_place, second_place)
    monkeypatch.setattr(preparation, "__file__", str(second_place / "program" / "preparation.py"))
    assert is_prepared()

    monkeypatch.setenv("NUMBA_CPU_NAME", "x86-64-v2")
    assert not is_prepared()
    prepare()
    assert is_prepared()
    monkeypatch.delenv("NUMBA_CPU_NAME")
    assert is_prepared()


@pytest.mark.parametrize(
    ("status", "message"),
    [(1, "when it is first needed"), (preparation.NOT_KEPT, "at every start")],
)
def test_a_process_that_fails_or_keeps_nothing_leaves_no_stamp(stamp, monkeypatch, status, message):
    monkeypatch.setattr(preparation, "_PROGRAM", f"raise SystemExit({status})")

    with pytest.raises(PreparationError, match=message):
        prepare()

    assert not stamp.exists()


def test_a_stamp_that_cannot_be_written_is_reported(stamp, monkeypatch):
    monkeypatch.setattr(preparation, "_PROGRAM", "pass")
    stamp.mkdir(parents=True)

    with pytest.raises(PreparationError, match="cannot be kept in “"):
        prepare()

    assert not is_prepared()


def test_where_nothing_can_be_kept_nothing_is_compiled_ahead(stamp, monkeypatch):
    stamp.parent.write_text("a file in the place of the folder")
    monkeypatch.setattr(preparation, "_start", None)

    with pytest.raises(PreparationError, match="at every start"):
        prepare()


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_preparation_that_is_cancelled_leaves_no_process(stamp, monkeypatch, at):
    started, questions = [], itertools.count(1)
    start = preparation._start

    def remembered(order):
        started.append(start(order))
        return started[-1]

    monkeypatch.setattr(preparation, "_PROGRAM", "import time; time.sleep(600)")
    monkeypatch.setattr(preparation, "_start", remembered)

    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: next(questions) >= at)(prepare)()

    assert len(started) == preparation.PROCESSES
    assert all(process.returncode is not None for process in started)
    assert not stamp.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="kills with a signal of Unix")
@pytest.mark.parametrize("work", ["import time; time.sleep(600)", "exec('while True: pass')"])
def test_processes_do_not_outlive_a_neardup_that_is_killed(tmp_path, work):
    program = f"from core.program import preparation as p; p._PROGRAM = {work!r}; p.prepare()"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=environment)
    process = psutil.Process(parent.pid)
    while len(children := process.children()) < preparation.PROCESSES:
        assert parent.poll() is None
        time.sleep(0.05)

    parent.kill()
    parent.wait()

    _, alive = psutil.wait_procs(children, timeout=300)
    assert not alive


def test_who_needs_the_kernels_waits_for_the_end_of_the_preparation(stamp, monkeypatch):
    release, order = threading.Event(), []

    def prepare_slowly(**_options):
        release.wait(300)
        order.append("prepared")

    monkeypatch.setattr(preparation, "prepare", prepare_slowly)

    with prepared_meanwhile():
        with pytest.raises(ScanCancelledError), cancelled_by(lambda: True):
            wait()
        release.set()
        wait()
        order.append("waited")

    assert order == ["prepared", "waited"]


def test_a_preparation_that_fails_holds_nobody_up(stamp, monkeypatch):
    monkeypatch.setattr(preparation, "_PROGRAM", "raise SystemExit(1)")

    with prepared_meanwhile():
        wait()


def test_a_block_that_ends_early_ends_the_preparation(stamp, monkeypatch):
    monkeypatch.setattr(preparation, "_PROGRAM", "import time; time.sleep(600)")

    with prepared_meanwhile():
        pass

    wait()
    assert not stamp.exists()


def test_another_python_has_the_same_modules_and_not_the_current_folder(tmp_path):
    Path(tmp_path, "core.py").write_text("raise SystemExit('the wrong core')")

    done = subprocess.run(
        python_command("import core; print(core.__file__, *sys.argv[1:])", "a b", "ü"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split(maxsplit=1)[0] == str(ROOT / "core" / "__init__.py")
    assert done.stdout.split(maxsplit=1)[1].strip() == "a b ü"
