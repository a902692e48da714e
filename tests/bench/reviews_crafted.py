"""What crafted and damaged reviews do to the program: hang, swell, crash, or show wrong numbers.

Every file goes through open, list, one pair, `report`, `query` and `scan --review`, in a process
with limits of time and memory. What was opened is held against the texts: a number that they do
not give, without a word about it, is wrong.

    python tests/bench/reviews_crafted.py [--damaged 1000] [--every 1] [--quick]
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import random
import select
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from crafted_reviews import craft, crafted, damaged, make_documents, make_review

from core.commands import main as commands
from core.errors import NeardupError
from core.evidence.passages import find_shared_text
from core.review import open_review
from core.scan.in_memory import find_pairs
from core.scan.scan import Scan

SECONDS = 120  # for one file; the machine may be busy
MEGABYTES = 1000  # above what the program has before it
MEMORY = Path("/proc/self/clear_refs")
STATUS = Path("/proc/self/status")
BAD = ("hang", "swell", "traceback", "wrong", "raw")


class Worker:
    """A process that takes files and says what they did; started again after it was ended."""

    def __init__(self, folder: Path, *, quick: bool) -> None:
        self._arguments = ["--examine", str(folder), *(["--quick"] if quick else [])]
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, __file__, *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.readline()
        return process

    def examine(self, path: Path) -> dict[str, Any]:
        """What became of a file: `outcome`, `bad` and `peak` in megabytes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{path}\n".encode())
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], SECONDS)
        line = self._process.stdout.readline() if ready else b""
        if line:
            return dict(json.loads(line))
        self._process.kill()
        status = self._process.wait()
        self._process = self._start()
        what = "traceback" if ready else "hang"
        return {"outcome": what, "bad": {what: f"status {status}"}, "peak": 0, "sentence": ""}

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


class Examined:
    """What one file did."""

    def __init__(self) -> None:
        self.bad: dict[str, str] = {}
        self.outcome = "refused"
        self.sentence = ""

    def attempt(self, what: str, work: Callable[[], object]) -> None:
        """Do something; a sentence is right, a traceback is not."""
        try:
            work()
        except NeardupError as error:
            self.sentence = str(error)
            self.check_shown(what, self.sentence)
        except BaseException:  # noqa: BLE001 - whatever it is, it is counted
            lines = traceback.format_exc().splitlines()
            self.bad["traceback"] = f"{what}: {lines[-1]} {lines[-3].strip()}"[:300]

    def check_shown(self, what: str, text: str) -> None:
        """What is printed may be printed on any terminal."""
        raw = [one for one in text if not one.isprintable() and one not in "\n "]
        if raw:
            self.bad["raw"] = f"{what}: {raw[:5]!r}"


def examine(path: Path, folder: Path, *, quick: bool) -> dict[str, Any]:
    """Everything the program does with a review."""
    examined = Examined()
    before = reset_peak()
    examined.attempt("open", lambda: opened(path, examined))
    if not quick:
        for arguments in (
            ["report", str(path), str(folder / "out.html")],
            ["report", str(path), str(folder / "out.csv")],
            ["query", str(path), str(folder / "docs" / "03.txt")],
        ):
            examined.attempt(arguments[0], lambda given=arguments: command(given, examined))  # type: ignore[misc]
        copy = folder / "copy.neardup"
        shutil.copyfile(path, copy)
        scan = ["scan", str(folder / "docs"), "--review", str(copy)]
        examined.attempt("scan", lambda: rescanned(scan, copy, examined))
        for left in folder.glob("copy.neardup*"):
            left.unlink()
    peak = peak_memory()
    if peak - before > MEGABYTES:
        examined.bad["swell"] = f"{peak - before} MB"
    return {
        "outcome": examined.outcome,
        "bad": examined.bad,
        "peak": peak - before,
        "sentence": examined.sentence,
    }


def opened(path: Path, examined: Examined) -> None:
    """Open a review, list its pairs, compare them with those of its texts."""
    with open_review(path) as review:
        examined.outcome = "noted" if review.notes else "opened"
        for shown in (*review.notes, *(one.name for one in review.state.documents)):
            examined.check_shown("open", shown)
        for problem in review.state.problems:
            examined.check_shown("open", problem.name + problem.detail)
        scan = Scan.restored(review.state)
        try:
            found = scan.list_pairs()
            texts = [scan.texts[number] for number in range(len(scan.documents))]
            if len(found.pairs):
                find_shared_text(
                    texts[found.pairs.a[0]], texts[found.pairs.b[0]], review.state.settings
                )
        finally:
            scan.close()
        if all(one.absence is None for one in scan.documents):
            check_truth(found.every, texts, review.state, examined)


def check_truth(pairs: Any, texts: list[str], state: Any, examined: Examined) -> None:
    """Numbers are those that a scan of these texts would show."""
    truth = find_pairs(texts, state.settings, set_aside=state.set_aside)
    order = np.lexsort((pairs.b, pairs.a))
    names = ("a", "b", "resemblance", "containment_a", "longest_run", "run_words")
    for name in (*names, "shared_shingles", "exact_duplicate", "estimate"):
        own, right = getattr(pairs, name)[order], getattr(truth, name)
        if len(own) != len(right) or not np.array_equal(own, right):
            examined.bad["wrong"] = f"{name}: {len(own)} pairs, {len(right)} by the texts"
            return


def command(arguments: list[str], examined: Examined) -> int:
    """A command; what it prints may be printed anywhere."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            status = commands.main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
    examined.check_shown(arguments[0], output.getvalue())
    return status


def rescanned(arguments: list[str], copy: Path, examined: Examined) -> None:
    """A rescan that says it is done leaves a whole review."""
    table = copy.with_name("out.csv")
    if command(arguments, examined) == 0:
        if command(["report", str(copy), str(table)], examined):
            examined.bad["wrong"] = "a rescan was done, and the review is damaged"
        with table.open(newline="", encoding="utf-8") as file:
            list(csv.reader(file))


def reset_peak() -> int:
    """Forget the largest size of this process until now; its size, in megabytes."""
    MEMORY.write_text("5")
    return peak_memory()


def peak_memory() -> int:
    """The largest size of this process, in megabytes."""
    line = next(one for one in STATUS.read_text().splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1]) // 1000


def answer(folder: Path, *, quick: bool) -> None:
    """Take the path of a review a line, and answer with JSON."""
    answers, sys.stdout = sys.stdout, sys.stderr
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        found = examine(Path(line.strip()), folder, quick=quick)
        print(json.dumps(found), file=answers, flush=True)


def files(folder: Path, count: int, every: int) -> Iterator[tuple[str, str, Path]]:
    """All files to examine: their kind, their name and where they are."""
    whole, other = folder / "whole.neardup", folder / "other.neardup"
    make_review(folder / "docs", whole)
    make_review(folder / "others", other)
    yield "whole", "as it was saved", whole
    path = folder / "file.neardup"
    for number, (name, change) in enumerate(crafted()):
        if number % every == 0:
            craft(whole, path, change)
            yield "crafted", name, path
    for name, data in damaged(whole.read_bytes(), other.read_bytes(), count, 1):
        path.write_bytes(data)
        yield "damaged", name, path


def measure(count: int, every: int, *, quick: bool) -> int:
    """One table; returns how many files did harm."""
    outcomes: Counter[tuple[str, str]] = Counter()
    worst: Counter[str] = Counter()
    harmful = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_documents(folder / "docs")
        make_documents(folder / "others")
        (folder / "others" / "00.txt").write_text("another text " * 200)
        worker = Worker(folder, quick=quick)
        for kind, what, path in files(folder, count, every):
            began = time.perf_counter()
            found = worker.examine(path)
            seconds = time.perf_counter() - began
            outcomes[kind, found["outcome"]] += 1
            outcomes[kind, "all"] += 1
            for bad in found["bad"]:
                outcomes[kind, bad] += 1
                print(f"{kind}, {what}: {bad}: {found['bad'][bad]}", flush=True)
            harmful += bool(found["bad"])
            worst[f"{kind} MB"] = max(worst[f"{kind} MB"], found["peak"])
            worst[f"{kind} s"] = max(worst[f"{kind} s"], round(seconds))
            for end in ("-wal", "-shm", "-journal", "-lock"):
                path.with_name(path.name + end).unlink(missing_ok=True)
        worker.close()
    columns = ("all", "opened", "noted", "refused", *BAD)
    print("\nREVIEWS" + "".join(f"{name:>11}" for name in (*columns, "peak MB", "longest s")))
    for kind in ("whole", "crafted", "damaged"):
        numbers = [outcomes[kind, name] for name in columns]
        numbers += [worst[f"{kind} MB"], worst[f"{kind} s"]]
        print(f"{kind:7}" + "".join(f"{number:11}" for number in numbers))
    return harmful


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--damaged", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1, help="only every n-th crafted review")
    parser.add_argument("--quick", action="store_true", help="open and list only")
    parser.add_argument("--examine", type=Path, help="examine the paths of standard input")
    arguments = parser.parse_args()
    if arguments.examine:
        answer(arguments.examine, quick=arguments.quick)
        return
    random.seed(1)
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    sys.exit(bool(measure(arguments.damaged, arguments.every, quick=arguments.quick)))


if __name__ == "__main__":
    main()
