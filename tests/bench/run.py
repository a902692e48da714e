"""Measure everything: signatures, SimHash, the search for pairs, and the window if it has a script.

    python tests/bench/run.py [--quick]

Every part runs in a process of its own. Exit status 1 means that a part failed.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
PACKAGES = ("numpy", "numba", "llvmlite", "PySide6-Essentials", "pyqtgraph")

PARTS = {
    "signatures.py": [],
    "simhash.py": [],
    "find_pairs.py": [],
    "window.py": [],
}
QUICK = {
    "signatures.py": ["--pairs", "1000", "--sizes", "5", "20", "100"],
    "simhash.py": ["--pairs", "1000", "--counts", "50000"],
    "find_pairs.py": ["--documents", "5000", "--repeat", "1"],
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
    command = [sys.executable, str(FOLDER / name), *arguments]
    return subprocess.run(command, env=environment, check=False).returncode == 0


def main() -> None:
    """Run the parts that are there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, about half a minute")
    quick = parser.parse_args().quick
    began = time.perf_counter()
    print_machine()
    failed = []
    for name, arguments in PARTS.items():
        sized = QUICK.get(name, arguments) if quick else arguments
        if (FOLDER / name).exists() and not run_part(name, sized):
            failed.append(name)
    print(f"\n{time.perf_counter() - began:.0f} s" + (f", failed: {failed}" if failed else ""))
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
