"""Start the program where something is missing, full, closed, forbidden or set to nonsense.

    python tests/bench/surroundings.py [--only WORDS]

Every kind runs a command or the window in a process of its own. It passes when the exit status is
one of those allowed, nothing looks like a traceback, and what failed said so in one sentence. Some
kinds need root (mounts, limits of another user) and are left out without it. Nothing of the user's
is touched: homes and folders are made for each kind.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

TREE = Path(__file__).parents[2]
LONGEST = 240  # seconds
WINDOW_SECONDS = 8  # until the window is asked to close
BASE = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(TREE), "QT_QPA_PLATFORM": "offscreen"}
DONE, SAID = (0,), (1, 2)
NOBODY = [
    "setpriv", "--reuid=65533", "--inh-caps=+dac_override,+dac_read_search",
    "--ambient-caps=+dac_override,+dac_read_search",
]  # fmt: skip
AS = "import resource; resource.setrlimit(resource.RLIMIT_AS, ({0} << 20, {0} << 20))"
FILES = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({0}, {0}))"
CORE = "import runpy; runpy.run_module('core', run_name='__main__')"


class Kind(NamedTuple):
    """One kind of surroundings.

    Attributes:
        name: Of the kind; {place} in what follows is a new folder.
        env: Variables beside those of every kind; None takes one away.
        before: Python statements that the process runs first.
        allowed: Exit statuses.
        wrap: A command line before that of Python's.
        python: Options of Python.
        shell: A shell pipeline around the command "$@" instead.
        command: What to run; {texts} is a folder of texts.
    """

    name: str
    env: Mapping[str, str | None] = {}
    before: str = ""
    allowed: Sequence[int] = DONE
    wrap: Sequence[str] = ()
    python: Sequence[str] = ()
    shell: str = ""
    command: Sequence[str] = ("scan", "{texts}", "--report={place}/report.html")


def mounted(commands: str) -> list[str]:
    """A process whose file systems are its own, changed like this."""
    return ["unshare", "-m", "sh", "-c", f'{commands} && exec "$@"', "sh"]


KEPT_NOWHERE = {"NUMBA_CACHE_DIR": "/proc/nothing", "HOME": "/proc/nothing"}
ON_ROOT = "mount -t tmpfs -o size={0} none {{place}}/small"
KINDS = [
    Kind("HOME not set", {"HOME": None}),
    Kind("HOME does not exist", {"HOME": "/nonexistent"}),
    Kind("HOME is a file", {"HOME": "{place}/file"}),
    Kind("HOME is relative", {"HOME": "relative"}),
    Kind("HOME cannot be written, nor the cache", KEPT_NOWHERE),
    Kind("prepare where nothing can be kept", KEPT_NOWHERE, allowed=(1,), command=["prepare"]),
    Kind("XDG folders cannot be written", dict.fromkeys(
        ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"),
        "/proc/nothing")),
    Kind("TMPDIR does not exist", {"TMPDIR": "/nonexistent"}),
    Kind("TMPDIR is a file", {"TMPDIR": "{place}/file"}),
    Kind("TMPDIR cannot be written", {"TMPDIR": "/proc"}),
    Kind("no locale", {"LC_ALL": "C"}),
    Kind("locale POSIX", {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    Kind("a locale that there is not", {"LC_ALL": "xx_YY.nothing"}),
    Kind("output in ASCII", {"PYTHONIOENCODING": "ascii"}),
    Kind("output in UTF-16", {"PYTHONIOENCODING": "utf-16"}),
    Kind("TZ is nonsense", {"TZ": "§§§/nothing"}),
    Kind("TZ is a path", {"TZ": ":/nonexistent"}),
    Kind("hash seed 0", {"PYTHONHASHSEED": "0"}),
    Kind("warnings are errors", {"PYTHONWARNINGS": "error"}),
    Kind("python -O", python=["-O"]),
    Kind("python -OO", python=["-OO"]),
    Kind("python -X dev", python=["-X", "dev"]),
    Kind("standard input closed", before="import os; os.close(0)"),
    Kind("standard output closed", shell='"$@" >&-'),
    Kind("standard error closed", shell='"$@" 2>&-'),
    Kind("all three closed", shell='"$@" <&- >&- 2>&-'),
    Kind("all three closed, nothing to scan", shell='"$@" <&- >&- 2>&-', allowed=SAID,
         command=["scan", "/nonexistent"]),
    Kind("output to a pipe that closes", shell='"$@" | head -n 1'),
    Kind("output to a pipe that nobody reads", shell='"$@" | true'),
    Kind("output to a full device", shell='"$@" >/dev/full', allowed=(1,)),
    Kind("errors to a full device", shell='"$@" 2>/dev/full'),
    Kind("umask 777", before="import os; os.umask(0o777)"),
    Kind("umask 0", before="import os; os.umask(0)"),
    Kind("current folder deleted",
         before="import os; os.mkdir('{place}/gone'); os.chdir('{place}/gone'); "
         "os.rmdir('{place}/gone')"),
    Kind("current folder deleted, relative folder", allowed=SAID, command=["scan", "a"],
         before="import os; os.mkdir('{place}/gone'); os.chdir('{place}/gone'); "
         "os.rmdir('{place}/gone')"),
    Kind("one processor", wrap=["taskset", "-c", "0"]),
    Kind("clock at 1970", before="import time; time.time = lambda: 0.0; time.time_ns = lambda: 0"),
    Kind("clock in 9000",
         before="import time; time.time = lambda: 2.2e11; time.time_ns = lambda: 22 * 10**19"),
    Kind("files of 1930 and 2500", command=["scan", "{texts}", "--review={place}/a.neardup"],
         before="import os, glob\nfor n, f in enumerate(sorted(glob.glob('{texts}/*'))):\n"
         "    os.utime(f, ns=(0, (-1)**n * 16 * 10**18 // (1 + n % 2)))"),
    Kind("a folder that cannot be written", before="import os; os.chmod('{texts}', 0o555)"),
    Kind("400 MB of address space", before=AS.format(400), allowed=(1,)),
    Kind("1,100 MB of address space", before=AS.format(1100), allowed=(0, 1)),
    Kind("8 open files", before=FILES.format(8), allowed=(0, 1)),
    Kind("16 open files", before=FILES.format(16)),
    Kind("curve with 400 MB", before=AS.format(400), command=["curve", "--bands=20", "--rows=5"]),
    Kind("window: no display", {"QT_QPA_PLATFORM": None}, allowed=(1,), command=["window"]),
    Kind("window: no fonts", {"FONTCONFIG_FILE": "/nonexistent"}, allowed=(130,),
         command=["window"]),
    Kind("window: HOME cannot be written", KEPT_NOWHERE, allowed=(130,), command=["window"]),
    Kind("window: HOME not set", {"HOME": None}, allowed=(130,), command=["window"]),
    Kind("window: settings cannot be written", {"XDG_CONFIG_HOME": "/proc/nothing"},
         allowed=(130,), command=["window"]),
    Kind("window: all three closed", shell='exec "$@" <&- >&- 2>&-', allowed=(130,),
         command=["window"]),
    Kind("window: 400 MB of address space", before=AS.format(400), allowed=(1,),
         command=["window"]),
    Kind("window: TZ and locale are nonsense", {"TZ": "§§", "LC_ALL": "xx"}, allowed=(130,),
         command=["window"]),
    Kind("window: no folder for temporary files", {"TMPDIR": "/proc"}, allowed=(130,),
         command=["window"]),
]  # fmt: skip
OF_ROOT = [
    *(Kind(f"{count} processes and threads", allowed=(0, 1),
           wrap=["prlimit", f"--nproc={count}", *NOBODY]) for count in (1, 3, 10, 30)),
    Kind("no /proc", wrap=mounted("mount -t tmpfs none /proc")),
    Kind("no /dev/shm", wrap=mounted("mount -t tmpfs -o ro none /dev/shm")),
    Kind("cache on a full disk", {"NUMBA_CACHE_DIR": "{place}/small"},
         wrap=mounted(ON_ROOT.format("64k"))),
    Kind("HOME on a full disk", {"HOME": "{place}/small", "NUMBA_CACHE_DIR": "/proc/nothing"},
         wrap=mounted(ON_ROOT.format("4k"))),
    Kind("TMPDIR on a full disk", {"TMPDIR": "{place}/small"}, allowed=(0, 1),
         wrap=mounted(ON_ROOT.format("4k"))),
    Kind("report on a full disk", allowed=(1,), wrap=mounted(ON_ROOT.format("4k")),
         command=["scan", "{texts}", "--report={place}/small/report.html"]),
    Kind("window: HOME on a full disk", {"HOME": "{place}/small"}, allowed=(130,),
         wrap=mounted(ON_ROOT.format("4k")), command=["window"]),
]  # fmt: skip


def make(place: Path) -> None:
    """What every kind finds: a folder of texts, a file, a home, a folder to mount on."""
    (place / "file").write_text("")
    for name in ("home", "small", "texts"):
        (place / name).mkdir()
    words = [f"word{number}" for number in range(300)]
    for number in range(4):
        (place / "texts" / f"{number}.txt").write_text(" ".join(words[number * 20 :]))
    (place / "texts" / "page.html").write_text(f"<p>{' '.join(words[:200])}")
    for path in (place, *place.rglob("*")):
        path.chmod(0o777)


def run(kind: Kind, place: Path) -> tuple[int, str]:
    """The exit status and what went to standard error."""
    fill: Callable[[str], str] = lambda text: text.replace("{place}", str(place)).replace(  # noqa: E731
        "{texts}", str(place / "texts")
    )
    window = kind.command[0] == "window"
    module = "neardup_gui" if window else "core"
    arguments = [fill(part) for part in ([str(place / "texts")] if window else kind.command)]
    program = f"import sys; sys.argv[0] = 'neardup'\n{fill(kind.before)}\n" + CORE.replace(
        "'core'", repr(module)
    )
    command = [*map(fill, kind.wrap), sys.executable, *kind.python, "-c", program, *arguments]
    if kind.shell:
        command = ["bash", "-o", "pipefail", "-c", kind.shell, "sh", *command]
    given = {**BASE, "HOME": str(place / "home"), **kind.env}
    environment = {name: fill(value) for name, value in given.items() if value is not None}
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=errors, cwd=TREE,
            start_new_session=True,
        )  # fmt: skip
        status = wait(process, window=window)
        errors.seek(0)
        return status, errors.read().decode("utf-8", "replace")


def wait(process: subprocess.Popen[bytes], *, window: bool) -> int:
    """The exit status; a window is asked to close, and what hangs is killed and has -9."""
    try:
        return process.wait(WINDOW_SECONDS if window else LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT if window else signal.SIGKILL)
    try:
        return process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.wait()


def verdict(kind: Kind, status: int, errors: str) -> str:
    """What is wrong; "" where nothing is."""
    lines = [line for line in errors.splitlines() if "propagateSizeHints" not in line]
    if status not in kind.allowed:
        return f"exit status {status}: {' | '.join(lines[-3:])}"
    if "Traceback" in errors or "Error:" in errors or "Fatal" in errors:
        return f"{' | '.join(lines[-3:])}"
    if (
        status in SAID
        and "closed" not in kind.name
        and not any("neardup: " in line for line in lines)
    ):
        return f"no sentence: {lines[-2:]}"
    return ""


def main() -> int:
    """Run all kinds; returns 1 where one failed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="kinds whose names have these words")
    options = parser.parse_args()
    can = sys.platform == "linux" and os.geteuid() == 0 and shutil.which("setpriv")
    kinds = [kind for kind in (*KINDS, *(OF_ROOT if can else ())) if options.only in kind.name]
    failed = 0
    for kind in kinds:
        with tempfile.TemporaryDirectory(prefix="neardup-surroundings-") as folder:
            make(Path(folder))
            status, errors = run(kind, Path(folder))
        wrong = verdict(kind, status, errors)
        failed += bool(wrong)
        said = next((line for line in errors.splitlines() if "neardup: " in line), "")
        print(
            f"{'FAILED' if wrong else 'ok    '} {status:4}  {kind.name}: {wrong or said}",
            flush=True,
        )
    print(f"{len(kinds)} kinds, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
