"""One process of `reviews_crafted.py`: takes the path of a review a line, answers with JSON."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core.commands.main import main
from core.errors import NeardupError
from core.evidence.passages import find_shared_text
from core.review import open_review
from core.scan.in_memory import find_pairs
from core.scan.scan import Scan

MEGABYTES = 1000
MEMORY = Path("/proc/self/clear_refs")
STATUS = Path("/proc/self/status")


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
            status = main(arguments)
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


if __name__ == "__main__":
    answers = sys.stdout
    sys.stdout = sys.stderr
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        print(
            json.dumps(
                examine(Path(line.strip()), Path(sys.argv[1]), quick=sys.argv[2] == "quick")
            ),
            file=answers,
            flush=True,
        )
