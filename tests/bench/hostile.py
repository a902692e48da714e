"""Files made to do harm: scanned alone, four times at once, and among good files.

    python tests/bench/hostile.py [--size 1] [--kind KIND] [--data FOLDER] [--good 5000]
                                  [--list FILE] [--time-limit 1800]

Those of `hostile_files.py` are made and scanned, archives opened, one kind after the other. With
--size 1 they come near the limits or over; they take 6 GB of disk and half an hour then. --list
writes for each file that it was read, or the sentences that say why not. A scan that takes longer
than the time limit is killed, which counts as a fault.

FOLDER/docs is a folder of hostile files. They are scanned from the command line: alone; by four
programs at once, each with a copy; and in one folder with generated texts, whose pairs must be
those found without the hostile files. What becomes of a hostile file must be the same each time.
Memory is the most that all processes of a scan, or of the four, hold together (pages that they
share count for each), and the most that one that is no reader holds; afterwards no process and no
temporary file may be left.
"""

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

import psutil
from corpus import generate, write_texts
from hostile_files import AIMED_AT, write_set
from options import Among, read_options
from usage import ProcessTrees, neardup

TREE = Path(__file__).resolve().parents[2]
AT_ONCE = 4
INTERVAL = 0.05
LARGEST = 1500.0  # MB, of one scan
HOSTILE = "hostile"

Rows = list[dict[str, str]]


class Outcome(NamedTuple):
    """The output of one scan."""

    status: int
    pairs: Rows
    problems: Rows


class Cost(NamedTuple):
    """What some scans took together, and what they left."""

    seconds: float
    peak: float
    main_peak: float
    is_ended: bool
    left: list[str]


def scan_at_once(
    folders: Sequence[Path], seconds: float, *options: str
) -> tuple[list[Outcome], Cost]:
    """One program for each folder, all at the same time."""
    with tempfile.TemporaryDirectory() as name:
        work_folders = [Path(name, str(number)) for number in range(len(folders))]
        for work in work_folders:
            (work / "temporary").mkdir(parents=True)
        began = time.monotonic()
        running = [_start(*both, *options) for both in zip(folders, work_folders, strict=True)]
        trees = ProcessTrees([process.pid for process in running])
        is_ended = _until_ended(running, trees, began + seconds)
        took = time.monotonic() - began
        left = [" ".join(_command_line(process)) for process in trees.started if _runs(process)]
        left += [str(path) for work in work_folders for path in (work / "temporary").rglob("*")]
        outcomes = [_outcome(*both) for both in zip(running, work_folders, strict=True)]
    return outcomes, Cost(took, trees.peak / 1e6, trees.root_peak / 1e6, is_ended, left)


def _start(folder: Path, work: Path, *options: str) -> subprocess.Popen[bytes]:
    tables = ["--pairs", work / "pairs.csv", "--problems", work / "problems.csv"]
    command = neardup("scan", folder, *tables, "--quiet", *options)
    environment = {
        **os.environ,
        "PYTHONPATH": os.environ.get("PYTHONPATH", str(TREE)),
        "TMPDIR": str(work / "temporary"),
    }
    return subprocess.Popen(command, cwd=work, env=environment)


def _until_ended(
    running: Sequence[subprocess.Popen[bytes]], trees: ProcessTrees, limit: float
) -> bool:
    """Look until all have ended; whether they did so by themselves before the time limit."""
    while any(process.poll() is None for process in running):
        if time.monotonic() > limit:
            for process in running:
                process.kill()
                process.wait()
            psutil.wait_procs(trees.started, timeout=10)  # they see that nobody waits for them
            return False
        trees.look()
        time.sleep(INTERVAL)
    return True


def _runs(process: psutil.Process) -> bool:
    return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)


def _command_line(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.NoSuchProcess:
        return []


def _outcome(process: subprocess.Popen[bytes], work: Path) -> Outcome:
    tables = [_rows(work / name) for name in ("pairs.csv", "problems.csv")]
    return Outcome(process.returncode, *tables)


def _rows(path: Path) -> Rows:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8-sig") as lines:
        return list(csv.DictReader(lines))


def fates(outcome: Outcome, below: str = "") -> dict[str, str]:
    """The problem of every hostile file that has one."""
    code_of = {row["path"]: row["problem"] for row in outcome.problems}
    return {
        name.removeprefix(below): code for name, code in code_of.items() if name.startswith(below)
    }


def good_pairs(outcome: Outcome) -> set[tuple[str, ...]]:
    """Pairs of good files, with all that is listed of them."""
    return {
        tuple(row.values())
        for row in outcome.pairs
        if not any(row[column].startswith(HOSTILE) for column in ("doc_a", "doc_b"))
    }


def print_outcome(
    name: str, outcomes: Sequence[Outcome], cost: Cost, faults: Sequence[str]
) -> bool:
    """Print how it went; whether it went well."""
    all_faults = [
        *(f"exit status {outcome.status}" for outcome in outcomes if outcome.status),
        *([] if cost.is_ended else ["killed at the time limit"]),
        *(f"left: {item}" for item in cost.left),
        *([f"more than {LARGEST:,.0f} MB"] if cost.peak > LARGEST * len(outcomes) else []),
        *faults,
    ]
    problems = ", ".join(str(len(outcome.problems)) for outcome in outcomes)
    print(
        f"{name:<26}{cost.seconds:>7.1f} s{cost.peak:>8,.0f} MB, main process "
        f"{cost.main_peak:,.0f} MB  problems: {problems}",
        flush=True,
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


def listed(names: Sequence[str], problems: Rows) -> list[str]:
    """For each file a line with what became of it; for one in parts, what became of these."""
    lines = []
    for name in names:
        rows = [row for row in problems if row["path"] == name]
        inside = [row for row in problems if row["path"].startswith(f"{name}/")]
        sentences = list(dict.fromkeys(row["detail"] for row in rows or inside))
        more = f" ({len(sentences) - 1} other sentences)" if len(sentences) > 1 else ""
        reason = f"read, but {len(inside)} of its parts: " if inside and not rows else ""
        shown = "".join(letter if letter.isprintable() else "�" for letter in name)
        lines.append(f"{shown}\t{reason}{sentences[0]}{more}" if sentences else f"{shown}\tread")
    return lines


class Measure(NamedTuple):
    """How it is measured: the seconds a scan may take, where files are made, what is listed."""

    seconds: float
    work: Path
    lines: list[str]

    def data(self, hostile: Path, good: int) -> bool:
        """Scan a folder of hostile files in all ways; whether all went well."""
        (alone,), cost = scan_at_once([hostile], self.seconds)
        fate = fates(alone)
        self.lines.extend(listed(names_below(hostile), alone.problems))
        well = [print_outcome("alone", [alone], cost, [])]

        copies = [self.work / f"copy{number}" for number in range(AT_ONCE)]
        for copy in copies:
            shutil.copytree(hostile, copy)
        outcomes, cost = scan_at_once(copies, self.seconds)
        faults = [line for outcome in outcomes for line in changes(fate, fates(outcome))]
        well.append(print_outcome(f"{AT_ONCE} at once", outcomes, cost, faults))

        folder = self.work / "good"
        write_texts(folder, generate(good).texts)
        (without,), cost = scan_at_once([folder], self.seconds)
        well.append(print_outcome(f"{good:,} good files", [without], cost, []))
        shutil.copytree(hostile, folder / HOSTILE)
        (among,), cost = scan_at_once([folder], self.seconds)
        faults = changes(fate, fates(among, f"{HOSTILE}/"))
        if good_pairs(without) != good_pairs(among):
            faults.append("the pairs of the good files are not the same")
        well.append(print_outcome("the same and the hostile", [among], cost, faults))
        print(f"pairs of good files: {len(good_pairs(among)):,}")
        return all(well)

    def made(self, size: float, kinds: Sequence[str]) -> bool:
        """Scan the files of our own, one kind after the other."""
        well = []
        for kind in kinds:
            folder = self.work / kind
            paths = list(write_set(folder, size, kind))
            (outcome,), cost = scan_at_once([folder], self.seconds, "--archives")
            refused = {row["path"].split("/", 2)[1] for row in outcome.problems}
            silent = [row["path"] for row in outcome.problems if not row["detail"].endswith(".")]
            well.append(
                print_outcome(kind, [outcome], cost, [f"no sentence: {path}" for path in silent])
            )
            self.lines.extend(listed(names_below(folder), outcome.problems))
            print(
                f"    {len(paths)} files, something refused in {len(refused)} of them", flush=True
            )
            shutil.rmtree(folder)
        return all(well)


def names_below(folder: Path) -> list[str]:
    """The files in a folder, as a scan of it names them."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(path.relative_to(folder).as_posix() for path in paths)


def main() -> int:
    """Read the command line."""
    options = read_options(
        __doc__,
        data=Path,
        size=float,
        kind=Among(AIMED_AT),
        list=Path,
        time_limit=1800.0,
        good=5000,
    )
    well = True
    with tempfile.TemporaryDirectory() as name:
        measure = Measure(options.time_limit, Path(name), [])
        if options.size or options.kind or not options.data:
            kinds = [options.kind] if options.kind else list(AIMED_AT)
            well = measure.made(options.size or 1.0, kinds)
        if options.data:
            well &= measure.data(options.data.resolve() / "docs", options.good)
        if options.list:
            options.list.write_text("".join(f"{line}\n" for line in measure.lines), "utf-8")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
