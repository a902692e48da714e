"""Files made to do harm: scanned alone, four times at once, and among good files.

    python tests/bench/hostile.py [--size 1] [--data FOLDER] [--good 5000]

Those of `tests/hostile` are made and scanned, archives opened, one kind after the other. With
--size 1 they come near the limits or over; they take 6 GB of disk and half an hour then.

FOLDER/docs is a folder of hostile files. They are scanned from the command line: alone; by four
programs at once, each with a copy; and in one folder with generated texts, whose pairs must be
those found without the hostile files. What becomes of a hostile file must be the same each time.
Memory is the most that all processes of a scan, or of the four, hold together (pages that they
share count for each); afterwards no process and no temporary file may be left.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1] / "hostile"))

import psutil
from corpus import generate
from hostile_set import AIMED_AT, write_set
from incremental import write_files

TREE = Path(__file__).resolve().parents[2]
AT_ONCE = 4
INTERVAL = 0.05
LARGEST = 1500.0  # MB, of one scan
HOSTILE = "hostile"

Rows = list[dict[str, str]]


class Outcome(NamedTuple):
    """What one scan said."""

    status: int
    pairs: Rows
    problems: Rows


class Cost(NamedTuple):
    """What some scans took together, and what they left."""

    seconds: float
    peak: float
    left: list[str]


def scan_at_once(folders: Sequence[Path], *options: str) -> tuple[list[Outcome], Cost]:
    """One program for each folder, all at the same time."""
    with tempfile.TemporaryDirectory() as name:
        places = [Path(name, str(number)) for number in range(len(folders))]
        for place in places:
            (place / "temporary").mkdir(parents=True)
        began = time.monotonic()
        running = [_start(*both, *options) for both in zip(folders, places, strict=True)]
        peak, seen = _watch(running)
        seconds = time.monotonic() - began
        left = [" ".join(_command_line(one)) for one in seen if one.is_running()]
        left += [str(path) for place in places for path in (place / "temporary").rglob("*")]
        outcomes = [_outcome(*both) for both in zip(running, places, strict=True)]
    return outcomes, Cost(seconds, peak, left)


def _start(folder: Path, place: Path, *options: str) -> subprocess.Popen[bytes]:
    tables = ["--pairs", str(place / "pairs.csv"), "--problems", str(place / "problems.csv")]
    command = [sys.executable, "-m", "core", "scan", str(folder), *tables, "--quiet", *options]
    environment = {
        **os.environ,
        "PYTHONPATH": os.environ.get("PYTHONPATH", str(TREE)),
        "TMPDIR": str(place / "temporary"),
    }
    return subprocess.Popen(command, cwd=place, env=environment)


def _watch(running: Sequence[subprocess.Popen[bytes]]) -> tuple[float, set[psutil.Process]]:
    """The most megabytes at a time until all have ended, and the processes they started."""
    peak = 0.0
    seen: set[psutil.Process] = set()
    while any(process.poll() is None for process in running):
        total = 0
        for process in running:
            with contextlib.suppress(psutil.NoSuchProcess):
                parent = psutil.Process(process.pid)
                children = parent.children(recursive=True)
                seen.update(children)
                total += sum(_resident(one) for one in (parent, *children))
        peak = max(peak, total / 1e6)
        time.sleep(INTERVAL)
    return peak, seen


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


def _command_line(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.NoSuchProcess:
        return []


def _outcome(process: subprocess.Popen[bytes], place: Path) -> Outcome:
    tables = [_rows(place / name) for name in ("pairs.csv", "problems.csv")]
    return Outcome(process.returncode, *tables)


def _rows(path: Path) -> Rows:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8-sig") as lines:
        return list(csv.DictReader(lines))


def fates(outcome: Outcome, below: str = "") -> dict[str, str]:
    """The problem of every hostile file that has one."""
    found = {row["path"]: row["problem"] for row in outcome.problems}
    return {
        name.removeprefix(below): code for name, code in found.items() if name.startswith(below)
    }


def good_pairs(outcome: Outcome) -> set[tuple[str, ...]]:
    """Pairs of good files, with all that is listed of them."""
    return {
        tuple(row.values())
        for row in outcome.pairs
        if not any(row[column].startswith(HOSTILE) for column in ("doc_a", "doc_b"))
    }


def told(what: str, outcomes: Sequence[Outcome], cost: Cost, faults: Sequence[str]) -> bool:
    """Print how it went; whether it went well."""
    all_faults = [
        *(f"exit status {one.status}" for one in outcomes if one.status),
        *(f"left: {item}" for item in cost.left),
        *([f"more than {LARGEST:,.0f} MB"] if cost.peak > LARGEST * len(outcomes) else []),
        *faults,
    ]
    problems = ", ".join(str(len(one.problems)) for one in outcomes)
    print(
        f"{what:<26}{cost.seconds:>7.1f} s{cost.peak:>8,.0f} MB  problems: {problems}", flush=True
    )
    print("".join(f"    FAULT {fault}\n" for fault in all_faults), end="")
    return not all_faults


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """How what becomes of the files differs."""
    return [
        f"{name}: {before.get(name, 'read')}, now {after.get(name, 'read')}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def measure(hostile: Path, good: int, place: Path) -> bool:
    """All scans; whether all went well."""
    (alone,), cost = scan_at_once([hostile])
    fate = fates(alone)
    well = [told("alone", [alone], cost, [])]

    copies = [place / f"copy{number}" for number in range(AT_ONCE)]
    for copy in copies:
        shutil.copytree(hostile, copy)
    outcomes, cost = scan_at_once(copies)
    faults = [line for one in outcomes for line in changes(fate, fates(one))]
    well.append(told(f"{AT_ONCE} at once", outcomes, cost, faults))

    folder = place / "good"
    folder.mkdir()
    write_files(folder, generate(good).texts, 0)
    (without,), cost = scan_at_once([folder])
    well.append(told(f"{good:,} good files", [without], cost, []))
    shutil.copytree(hostile, folder / HOSTILE)
    (among,), cost = scan_at_once([folder])
    faults = changes(fate, fates(among, f"{HOSTILE}/"))
    if good_pairs(without) != good_pairs(among):
        faults.append("the pairs of the good files are not the same")
    well.append(told("the same and the hostile", [among], cost, faults))
    print(f"pairs of good files: {len(good_pairs(among)):,}")
    return all(well)


def measure_made(size: float, place: Path) -> bool:
    """Scan the files of our own, one kind after the other."""
    well = []
    for kind in AIMED_AT:
        folder = place / kind
        paths = list(write_set(folder, size, kind))
        (outcome,), cost = scan_at_once([folder], "--archives")
        refused = {row["path"].split("/", 2)[1] for row in outcome.problems}
        silent = [row["path"] for row in outcome.problems if not row["detail"].endswith(".")]
        well.append(told(kind, [outcome], cost, [f"no sentence: {path}" for path in silent]))
        print(f"    {len(paths)} files, something refused in {len(refused)} of them", flush=True)
        shutil.rmtree(folder)
    return all(well)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with docs of hostile files")
    parser.add_argument("--size", type=float, help="of the files that are made (default: 1)")
    parser.add_argument("--good", type=int, default=5000, help="how many texts are generated")
    options = parser.parse_args()
    well = True
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        if options.size or not options.data:
            well = measure_made(options.size or 1.0, place / "made")
        if options.data:
            well &= measure(options.data.resolve() / "docs", options.good, place)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
