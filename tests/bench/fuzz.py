"""Readers on damaged files: mutations of valid ones, for any length of time.

    python tests/bench/fuzz.py --reader pdf [--minutes 60] [--seed 1] [--jobs 1]
                               [--seeds FOLDER] [--out FOLDER]

Starts from the files that `fuzz_seeds.py` makes, and from those of a folder, as far as the reader
recognises them. Every input is read in a process that is kept, as a worker of a scan does it: by
the reader that recognises it, with its parts. Readers are those of the `core` that Python finds
first. Verdicts:

    text        read
    unreadable  a planned refusal, counted by its code
    failed      any other exception: a fault; also text that cannot be stored (a lone surrogate)
    exhausted   MemoryError or RecursionError
    crash       the process ended by a signal
    timeout     more than 20 s
    memory      more than 512 MB resident

What is a fault is kept in --out with its traceback, made smaller where pieces can be left out;
one file for each place in the code. What takes long is kept too. At the end, no process and no
temporary file may be left.
"""

import argparse
import os
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from formats_child import Child, reading
from fuzz_mutations import mutated
from fuzz_seeds import SEEDS
from options import Among, read_options

from core.documents.recognition import READERS, reader_for

SECONDS = 20
MEMORY = 512 * 1024 * 1024
ROUNDS = 300  # inputs until the process is replaced
LARGEST_SEED = 400_000  # bytes; larger ones are read too slowly to try many
SLOW = 2.0  # seconds of the processor
TRIES = 120  # to make a fault smaller
PLANNED = frozenset({"text", "unreadable"})
SOURCE_LINE = re.compile(r'File "[^"]*?([^/"]+/[^/"]+)", line (\d+)')


class Seed(NamedTuple):
    """A valid file."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The end of its name, in lower case."""
        return Path(self.name).suffix.lower()


def seeds_of(kind: str, folder: Path | None) -> list[Seed]:
    """All files that a reader recognises, those made by code first."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder else []
    files = [Seed(path.name, path.read_bytes()) for path in paths]
    seeds = [*(Seed(*item) for item in SEEDS.items()), *files]
    return [
        seed
        for seed in seeds
        if len(seed.data) <= LARGEST_SEED and reader_for(seed.data, seed.suffix).kind == kind
    ]


class Fuzzing:
    """Mutations of the files of one reader, one after the other.

    Attributes:
        verdicts: How many inputs ended how.
        faults: The places in the code where they failed, and how often.
    """

    def __init__(self, kind: str, seeds: Sequence[Seed], start: int, out: Path) -> None:
        self.verdicts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.executions = 0
        self.slowest = 0.0
        self._kind = kind
        self._seeds = seeds
        self._start = start
        self._out = out
        self._scratch = tempfile.TemporaryDirectory(prefix="fuzz-")
        self._temporary = Path(self._scratch.name, "temporary")
        self._temporary.mkdir()
        self._child = Child(
            reading(),
            seconds=SECONDS,
            memory_bytes=MEMORY,
            environment={**os.environ, "TMPDIR": str(self._temporary)},
        )

    def run(self, until: float, step: int = 1) -> None:
        """Try inputs until that time."""
        number = self._start
        while time.monotonic() < until:
            random = Random(f"{self._kind} {number}")
            seed = random.choice(self._seeds)
            data = mutated(seed.data, random, random.choice(self._seeds).data)
            self._try(Seed(f"{number}{seed.suffix}", data))
            self.executions += 1
            number += step
            if self.executions % ROUNDS == 0:
                self._replace()
        self._replace()
        self._scratch.cleanup()

    def _replace(self) -> None:
        """End the process and see what it leaves."""
        left = self._child.descendants()
        files = [path for path in self._temporary.rglob("*") if path.is_file()]
        self._child.close()
        for kind, leftovers in (("process", left), ("temporary file", files)):
            if leftovers:
                self.verdicts[f"{kind} left"] += len(leftovers)
                print(f"LEFT by {self._kind}: {kind} {leftovers[:3]}", flush=True)
        for path in files:
            path.unlink()

    def _ask(self, seed: Seed) -> dict[str, Any]:
        path = Path(self._scratch.name, f"input{seed.suffix}")
        path.write_bytes(seed.data)
        return self._child.ask(path=str(path), suffix=seed.suffix, password="ferry", brief=True)

    def _try(self, seed: Seed) -> None:
        answer = self._ask(seed)
        verdict = answer["verdict"]
        self._clock(seed, answer)
        if answer.get("exception") in {"MemoryError", "RecursionError"}:
            verdict = "exhausted"
        self.verdicts[f"{verdict} {answer.get('code', '')}".strip()] += 1
        if verdict not in PLANNED:
            self._keep(seed, answer)

    def _clock(self, seed: Seed, answer: dict[str, Any]) -> None:
        """Keep the slowest input, if it is one that a user would notice."""
        seconds = answer.get("cpu_seconds", 0.0)
        if seconds > max(self.slowest, SLOW):
            self._out.mkdir(parents=True, exist_ok=True)
            (self._out / f"{self._kind}-slow-{seed.name}").write_bytes(seed.data)
        self.slowest = max(self.slowest, seconds)

    def _keep(self, seed: Seed, answer: dict[str, Any]) -> None:
        """Keep an input that fails in a way not seen yet."""
        line = line_of(answer)
        self.faults[line] += 1
        if self.faults[line] > 1:
            return
        print(f"FAULT in {self._kind}, input {seed.name}: {line}", flush=True)
        self._out.mkdir(parents=True, exist_ok=True)
        if answer["verdict"] == "failed":
            seed = Seed(seed.name, self._smaller(seed, line))
        (self._out / f"{self._kind}-{seed.name}").write_bytes(seed.data)
        notes = f"{line}\n\n{answer.get('detail', answer)}\n"
        (self._out / f"{self._kind}-{seed.name}.why").write_text(notes, encoding="utf-8")

    def _smaller(self, seed: Seed, line: str) -> bytes:
        """The input without the pieces that the fault does not need."""
        data, tries = seed.data, 0
        length = len(data) // 2
        while length >= 1 and tries < TRIES:
            offset = 0
            while offset < len(data) and tries < TRIES:
                shorter = data[:offset] + data[offset + length :]
                tries += 1
                if line_of(self._ask(Seed(seed.name, shorter))) == line:
                    data = shorter
                else:
                    offset += length
            length //= 2
        return data


def line_of(answer: dict[str, Any]) -> str:
    """What went wrong and in which line of the project or of a library."""
    lines = SOURCE_LINE.findall(answer.get("detail", ""))
    parts = [answer["verdict"], answer.get("exception", ""), str(answer.get("status", ""))]
    ours = [f"{name}:{line}" for name, line in lines if "bench/" not in name]
    return " ".join(filter(None, [*parts, *ours[-1:]]))


def fuzz(kind: str, options: argparse.Namespace, minutes: float) -> bool:
    """Try one reader; whether all went as planned."""
    seeds = seeds_of(kind, options.seeds)
    if not seeds:
        print(f"{kind}: no seed is recognised by this reader", flush=True)
        return False
    until = time.monotonic() + 60 * minutes
    runs = [
        Fuzzing(kind, seeds, options.seed * 10_000_000 + job, options.out)
        for job in range(options.jobs)
    ]
    threads = [threading.Thread(target=run.run, args=(until, options.jobs)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return report(kind, len(seeds), 60 * minutes, runs)


def report(kind: str, seeds: int, seconds: float, runs: Sequence[Fuzzing]) -> bool:
    """Print what happened; whether all of it was planned."""
    executions = sum(run.executions for run in runs)
    verdicts = sum((run.verdicts for run in runs), Counter())
    faults = sum((run.faults for run in runs), Counter())
    print(
        f"{kind}: {executions:,} inputs from {seeds} files, {executions / seconds:.0f} a second, "
        f"slowest {max(run.slowest for run in runs):.2f} s; "
        + ", ".join(f"{verdict} {count:,}" for verdict, count in verdicts.most_common()),
        flush=True,
    )
    for line, count in faults.most_common():
        print(f"    {count:>6} × {line}", flush=True)
    return all(verdict.split()[0] in PLANNED for verdict in verdicts)


def main() -> int:
    """Read the command line."""
    kinds = [reader.kind for reader in READERS]
    out = Path(tempfile.gettempdir(), "neardup-fuzz")
    options = read_options(
        __doc__, reader=Among(kinds, kinds), minutes=60.0, seed=1, jobs=1, seeds=Path, out=out
    )
    planned = [fuzz(kind, options, options.minutes) for kind in options.reader]
    return 0 if all(planned) else 1


if __name__ == "__main__":
    sys.exit(main())
