"""What crafted and damaged reviews do to the program: hang, swell, crash, or show wrong numbers.

Every file goes through open, list, one pair, `report`, `query` and `scan --review`, in a process
with limits of time and memory. What was opened is held against the texts: a number that they do
not give, without a word about it, is wrong.

    python tests/bench/reviews_crafted.py [--damaged 1000] [--every 1] [--quick]
"""

import contextlib
import csv
import io
import json
import os
import random
import shutil
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
from formats_child import Child
from options import read_options
from usage import megabytes

from core.commands import main as commands
from core.errors import NeardupError
from core.evidence.passages import find_shared_text
from core.review import open_review
from core.scan.in_memory import find_pairs
from core.scan.scan import Scan

SECONDS = 120  # for one file; the machine may be busy
MEGABYTES = 1000  # above what the program has before it
MEMORY = Path("/proc/self/clear_refs")
MOST_BYTES = 1 << 34  # of the process; what a file takes is looked at when it is done
BAD = ("hang", "swell", "traceback", "wrong", "raw")


class Examined:
    """What one file did."""

    def __init__(self) -> None:
        self.bad: dict[str, str] = {}
        self.outcome = "refused"
        self.sentence = ""

    def attempt(self, attempt_name: str, work: Callable[[], object]) -> None:
        """Do something; a sentence is right, a traceback is not."""
        try:
            work()
        except NeardupError as error:
            self.sentence = str(error)
            self.check_shown(attempt_name, self.sentence)
        except BaseException:  # noqa: BLE001 - whatever it is, it is counted
            lines = traceback.format_exc().splitlines()
            self.bad["traceback"] = f"{attempt_name}: {lines[-1]} {lines[-3].strip()}"[:300]

    def check_shown(self, attempt_name: str, text: str) -> None:
        """What is printed may be printed on any terminal."""
        raw = [
            character
            for character in text
            if not character.isprintable() and character not in "\n "
        ]
        if raw:
            self.bad["raw"] = f"{attempt_name}: {raw[:5]!r}"


def examine(path: Path, folder: Path, *, quick: bool) -> dict[str, Any]:
    """Everything the program does with a review."""
    examined = Examined()
    MEMORY.write_text("5")  # the peak begins anew
    before = megabytes("VmHWM")
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
    peak = round(megabytes("VmHWM") - before)
    if peak > MEGABYTES:
        examined.bad["swell"] = f"{peak} MB"
    return {
        "outcome": examined.outcome,
        "bad": examined.bad,
        "peak": peak,
        "sentence": examined.sentence,
    }


def opened(path: Path, examined: Examined) -> None:
    """Open a review, list its pairs, compare them with those of its texts."""
    with open_review(path) as review:
        examined.outcome = "noted" if review.notes else "opened"
        for shown in (*review.notes, *(document.name for document in review.state.documents)):
            examined.check_shown("open", shown)
        for problem in review.state.problems:
            examined.check_shown("open", problem.name + problem.detail)
        scan = Scan.restored(review.state)
        try:
            pair_list = scan.list_pairs()
            texts = [scan.texts[number] for number in range(len(scan.documents))]
            if len(pair_list.pairs):
                find_shared_text(
                    texts[pair_list.pairs.a[0]], texts[pair_list.pairs.b[0]], review.state.settings
                )
        finally:
            scan.close()
        if all(document.absence is None for document in scan.documents):
            check_truth(pair_list.every, texts, review.state, examined)


def check_truth(pairs: Any, texts: list[str], state: Any, examined: Examined) -> None:
    """Numbers are those that a scan of these texts would show."""
    truth = find_pairs(texts, state.settings, set_aside=state.set_aside)
    order = np.lexsort((pairs.b, pairs.a))
    names = ("a", "b", "resemblance", "containment_a", "longest_run", "run_words")
    for name in (*names, "shared_shingles", "exact_duplicate", "estimate"):
        values, right = getattr(pairs, name)[order], getattr(truth, name)
        if len(values) != len(right) or not np.array_equal(values, right):
            examined.bad["wrong"] = f"{name}: {len(values)} pairs, {len(right)} by the texts"
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


def answer(folder: Path, *, quick: bool) -> None:
    """Take the path of a review as JSON, a line each, and answer with JSON."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        examined = examine(Path(json.loads(line)["path"]), folder, quick=quick)
        print(json.dumps(examined), file=answers, flush=True)


def examined_by(child: Child, path: Path) -> dict[str, Any]:
    """What became of a file: `outcome`, `bad` and `peak` in megabytes."""
    answer = child.ask(path=str(path))
    if "verdict" not in answer:
        return answer
    outcome = "hang" if answer["verdict"] == "timeout" else "traceback"
    return {"outcome": outcome, "bad": {outcome: f"status {answer.get('status')}"}, "peak": 0}


def files(folder: Path, count: int, every: int) -> Iterator[tuple[str, str, Path]]:
    """All files to examine: their kind, their name and where they are."""
    intact, donor = folder / "whole.neardup", folder / "other.neardup"
    make_review(folder / "docs", intact)
    make_review(folder / "others", donor)
    yield "whole", "as it was saved", intact
    path = folder / "file.neardup"
    for number, (name, change) in enumerate(crafted()):
        if number % every == 0:
            craft(intact, path, change)
            yield "crafted", name, path
    for name, data in damaged(intact.read_bytes(), donor.read_bytes(), count, 1):
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
        command = [sys.executable, __file__, "--examine", str(folder), *["--quick"] * quick]
        child = Child(command, seconds=SECONDS, memory_bytes=MOST_BYTES)
        for kind, change, path in files(folder, count, every):
            began = time.perf_counter()
            examined = examined_by(child, path)
            seconds = time.perf_counter() - began
            outcomes[kind, examined["outcome"]] += 1
            outcomes[kind, "all"] += 1
            for bad in examined["bad"]:
                outcomes[kind, bad] += 1
                print(f"{kind}, {change}: {bad}: {examined['bad'][bad]}", flush=True)
            harmful += bool(examined["bad"])
            worst[f"{kind} MB"] = max(worst[f"{kind} MB"], examined["peak"])
            worst[f"{kind} s"] = max(worst[f"{kind} s"], round(seconds))
            for end in ("-wal", "-shm", "-journal", "-lock"):
                path.with_name(path.name + end).unlink(missing_ok=True)
        child.close()
    columns = ("all", "opened", "noted", "refused", *BAD)
    print("\nREVIEWS" + "".join(f"{name:>11}" for name in (*columns, "peak MB", "longest s")))
    for kind in ("whole", "crafted", "damaged"):
        numbers = [outcomes[kind, name] for name in columns]
        numbers += [worst[f"{kind} MB"], worst[f"{kind} s"]]
        print(f"{kind:7}" + "".join(f"{number:11}" for number in numbers))
    return harmful


def main() -> None:
    """Read the command line."""
    arguments = read_options(__doc__, damaged=1000, every=1, quick=False, examine=Path)
    if arguments.examine:
        answer(arguments.examine, quick=arguments.quick)
        return
    random.seed(1)
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    sys.exit(bool(measure(arguments.damaged, arguments.every, quick=arguments.quick)))


if __name__ == "__main__":
    main()
