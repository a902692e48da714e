"""Run every script that measures, part by part.

    python tests/bench/run.py [--quick] [--data FOLDER]

find_pairs   texts in memory to pairs, recall of planted ones
stages       stage by stage, beside a plain C program
reworked_cost  what looking for reworked passages costs
large        a folder of many files: time, memory, asking again
methods      methods compared on corpora of known truth (needs --data)
false_alarms  unrelated pairs that are listed as reworked (needs --data)
estimate     what is missed, estimated and counted (needs --data)
incremental  a folder that grows, one text against it
eight_formats  one text in eight formats (needs LibreOffice)
fuzz         every reader on damaged files
formats      readers on real files, beside other programs (needs --data and LibreOffice)
encodings_read  which encoding a file is in (needs --data)
hostile      files made to do harm (needs --data)
window       the real window
reports      reports of all formats: time, memory, stalls, and in Chromium

`--data` is a folder of corpora as methods.py describes it. Every part runs in a process of its
own. Exit status 1 means that a part failed.
"""

import os
import platform
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from options import read_options

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
PACKAGES = ("numpy", "numba", "llvmlite", "PySide6-Essentials")

PARTS = (
    "find_pairs", "stages", "reworked_cost", "large", "methods", "false_alarms", "estimate",
    "incremental", "eight_formats", "fuzz", "formats", "encodings_read", "hostile", "window",
    "reports",
)  # fmt: skip
# Which folder below that of the corpora a part takes.
NEED_DATA = {
    **dict.fromkeys(("methods", "false_alarms", "estimate"), ""),
    "formats": "",
    "encodings_read": "encodings",
    "hostile": "hostile",
}
USUAL = {"fuzz": "--minutes 1"}
QUICK = {
    "find_pairs": "--documents 5000 --repeat 1",
    "stages": "--documents 2000 5000 --repeat 1 --other 0",
    "reworked_cost": "--documents 2000",
    "large": "--documents 2000",
    "incremental": "--documents 2000",
    "reports": "--documents 60 --full 200 --searched 300",
    "methods": "--documents 2000",
    "false_alarms": "--only clough progit_ru",
    "eight_formats": "--text german",
    "fuzz": "--minutes 0.05",
    "hostile": "--good 500",
}


def processor() -> str:
    """The model of the processor, as the system names it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def package(name: str) -> str:
    """A package with its version."""
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


def print_machine() -> None:
    """What the figures were measured on."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{os.cpu_count()} cores, {processor()}{load}")
    print(f"{platform.platform()}, Python {platform.python_version()}")
    print(", ".join(package(name) for name in PACKAGES), flush=True)


def run_part(name: str, arguments: list[str]) -> bool:
    """Run one script; whether it succeeded."""
    paths = filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, str(FOLDER / f"{name}.py"), *arguments]
    return subprocess.run(command, env=environment, check=False).returncode == 0


def arguments_of(name: str, *, quick: bool, data: Path | None) -> list[str] | None:
    """The command line of a part; None where it cannot run."""
    arguments = ((quick and QUICK.get(name)) or USUAL.get(name, "")).split()
    if name not in NEED_DATA:
        return arguments
    if data is None:
        print(f"\n{name}.py is left out: it needs --data FOLDER", flush=True)
        return None
    return [*arguments, "--data", str(data / NEED_DATA[name])]


def main() -> None:
    """Run the parts that are there."""
    options = read_options(__doc__, quick=False, data=Path)
    began = time.perf_counter()
    print_machine()
    failed = []
    for name in PARTS:
        arguments = arguments_of(name, quick=options.quick, data=options.data)
        if arguments is not None and not run_part(name, arguments):
            failed.append(f"{name}.py")
    print(f"\n{time.perf_counter() - began:.0f} s" + (f", failed: {failed}" if failed else ""))
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
