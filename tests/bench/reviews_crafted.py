"""What crafted and damaged reviews do to the program: hang, swell, crash, or show wrong numbers.

Every file goes through open, list, one pair, `report`, `query` and `scan --review`, in a process
with limits of time and memory. What was opened is held against the texts: a number that they do
not give, without a word about it, is wrong.

    python tests/bench/reviews_crafted.py [--damaged 1000] [--every 1] [--quick]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crafted_reviews import craft, crafted, damaged, make_documents, make_review

SECONDS = 120  # for one file; the machine may be busy
MEGABYTES = 1000  # above what the program has before it
WORKER = Path(__file__).with_name("reviews_crafted_child.py")
BAD = ("hang", "swell", "traceback", "wrong", "raw")


class Worker:
    """A process that takes files and says what they did; started again after it was ended."""

    def __init__(self, folder: Path, *, quick: bool) -> None:
        self._arguments = [str(folder), "quick" if quick else "all"]
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, str(WORKER), *self._arguments],
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
    arguments = parser.parse_args()
    random.seed(1)
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    sys.exit(bool(measure(arguments.damaged, arguments.every, quick=arguments.quick)))


if __name__ == "__main__":
    main()
