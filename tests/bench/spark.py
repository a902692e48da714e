"""The engine on Spark: cost by stage, beside one machine and beside text-dedup; growth; a model.

    python tests/bench/spark.py cost   [--documents 400000] [--reworked off]
    python tests/bench/spark.py growth [--documents 50000 200000 800000]

All texts are generated (tests/bench/corpus.py). `cost` prints seconds and bytes shuffled of every
stage beside `neardup scan` on the same texts, and the pairs that a method without verification
finds. `growth` prints the cost of a document at each size, where texts are shuffled as in a run of
many millions, and a model of larger runs made of the smaller sizes, held against the largest.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from corpus import Planted, generate

from core.base.arrays import IntegerArray
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

FILES = 16  # that the texts are in
RUN = Path(__file__).with_name("spark_run.py")
CORES = 200  # of the cluster of the model
LARGE = (10**8, 10**10)  # documents
GIGABYTE, HOUR = 1e9, 3600


class Run(NamedTuple):
    """What a run took, as spark_run.py prints it."""

    pairs: int
    seconds: float
    processor: float
    memory: float
    python_memory: float
    stages: dict[str, dict[str, float]]

    @property
    def task_seconds(self) -> float:
        """Of all tasks."""
        return sum(stage["task_seconds"] for stage in self.stages.values())

    @property
    def shuffled(self) -> float:
        """Bytes, of all stages."""
        return sum(stage["shuffled"] for stage in self.stages.values())


def write_texts(folder: Path, texts: Sequence[str]) -> None:
    """Write texts as Parquet, with their numbers as ids."""
    folder.mkdir()
    ids = [f"{number:09d}" for number in range(len(texts))]
    step = -(-len(texts) // FILES)
    for start in range(0, len(texts), step):
        part = slice(start, start + step)
        pq.write_table(
            pa.table({"id": ids[part], "text": list(texts[part])}), folder / f"{start:09d}.parquet"
        )


def run(what: str, texts: Path, target: Path, *more: str) -> Run:
    """One run in a process of its own."""
    done = subprocess.run(
        [*map(str, [sys.executable, RUN, what, texts, target]), *more],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Run(**json.loads(done.stdout.splitlines()[-1]))


def print_stages(result: Run) -> None:
    """Every stage of a run."""
    print(f"{'stage':24}{'task s':>10}{'shuffled MB':>14}{'spilled MB':>13}{'skew':>8}")
    for name, stage in result.stages.items():
        print(
            f"{name[:23]:24}{stage['task_seconds']:10.1f}{stage['shuffled'] / 1e6:14.1f}"
            f"{stage['spilled'] / 1e6:13.1f}{stage['skew']:8.1f}"
        )
    print(
        f"{'together':24}{result.task_seconds:10.1f}{result.shuffled / 1e6:14.1f}   "
        f"{result.seconds:.1f} s, {result.processor:.1f} processor s, {result.pairs:,} pairs"
    )
    print(
        f"memory: {result.memory / 1e6:,.0f} MB together, "
        f"{result.python_memory / 1e6:,.0f} MB in the largest process of Python"
    )


class Time(NamedTuple):
    """Seconds, and those of all processors."""

    seconds: float
    processor: float


def in_memory(texts: list[str], reworked: str) -> tuple[int, Time]:
    """The number of pairs of one machine, of texts that it has in memory already."""
    find_pairs(texts[:200], ScanSettings(reworked=reworked))
    started, processor = time.monotonic(), sum(os.times()[:2])
    pairs = find_pairs(texts, ScanSettings(compare="bands", reworked=reworked))
    return len(pairs), Time(time.monotonic() - started, sum(os.times()[:2]) - processor)


def of_files(texts: list[str], folder: Path, reworked: str) -> Time:
    """`neardup scan` of texts as files, with a review of what it finds."""
    for number, text in enumerate(texts):
        place = folder / "files" / f"{number // 1000:04d}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:09d}.txt").write_text(text, "utf-8")
    command = [sys.executable, "-m", "core", "scan", folder / "files", "--quiet"]
    asked = ["--compare", "bands", "--reworked", reworked, "--review", folder / "r.neardup"]
    started, before = time.monotonic(), _of_children()
    subprocess.run([*map(str, command + asked)], check=True, stdout=subprocess.DEVNULL)
    took = Time(time.monotonic() - started, _of_children() - before)
    shutil.rmtree(folder / "files")
    return took


def _of_children() -> float:
    """Processor seconds of the processes that this one has started and that have ended."""
    return sum(os.times()[2:4])


def cost(documents: int, reworked: str) -> None:
    """Stage by stage, beside one machine and beside text-dedup's method."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        texts, planted = generate(documents)
        write_texts(folder / "texts", texts)
        ours = run("scan", folder / "texts", folder / "run", "--reworked", reworked)
        print(f"{documents:,} documents, 2 threads, reworked {reworked}\n\nNeardup")
        print_stages(ours)
        pairs, known = in_memory(texts, reworked)
        read = of_files(texts, folder, reworked)
        for name, time_taken in (("texts in memory", known), ("neardup scan --review", read)):
            print(
                f"one machine, {name}: {time_taken.seconds:.1f} s, {time_taken.processor:.1f} "
                f"processor s, {pairs:,} pairs; Spark takes "
                f"{ours.processor / time_taken.processor:.2f} times the processor time"
            )
        theirs = run("peer", folder / "texts", folder / "peer")
        print("\ntext-dedup's method")
        print_stages(theirs)
        own = listed_pairs(folder / "run")
        table = pq.read_table(folder / "peer" / "pairs", columns=["a", "b"])
        other = _in_order(table.column("a").to_numpy(), table.column("b").to_numpy())
        _print_recall(planted, own, other)


def listed_pairs(target: Path) -> set[tuple[int, int]]:
    """The pairs of a run by the ids of their documents, the smaller one first."""
    documents = pq.read_table(target / "documents", columns=["number", "id"])
    numbers = documents.column("number").to_numpy()
    ids = np.array([int(one) for one in documents.column("id").to_pylist()])
    order = np.argsort(numbers)
    table = pq.read_table(target / "pairs", columns=["a", "b"])
    places = (np.searchsorted(numbers[order], table.column(name).to_numpy()) for name in "ab")
    a, b = (ids[order][place] for place in places)
    return _in_order(a, b)


def _in_order(a: IntegerArray, b: IntegerArray) -> set[tuple[int, int]]:
    return set(zip(np.minimum(a, b).tolist(), np.maximum(a, b).tolist(), strict=True))


def _print_recall(planted: Planted, own: set[Any], other: set[Any]) -> None:
    pairs = [
        (min(a, b), max(a, b)) for a, b in zip(planted.a.tolist(), planted.b.tolist(), strict=True)
    ]
    print("\nplanted pairs found, by the resemblance they were meant to have")
    for low, high in ((0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        chosen = (planted.resemblance >= low) & (planted.resemblance < high)
        some = [pair for pair, wanted in zip(pairs, chosen.tolist(), strict=True) if wanted]
        if some:
            shares = (sum(pair in found for pair in some) / len(some) for found in (own, other))
            print(f"{low:.1f} to {min(high, 1):.1f}: {len(some):7,}   %.3f   %.3f" % tuple(shares))


def growth(sizes: list[int], reworked: str) -> None:
    """The cost of a document at each size, and what a model of the smaller ones says."""
    runs = []
    for documents in sizes:
        with tempfile.TemporaryDirectory() as place:
            write_texts(Path(place) / "texts", generate(documents).texts)
            target = Path(place) / "run"
            more = ("--reworked", reworked, "--as-large")
            runs.append(run("scan", Path(place) / "texts", target, *more))
        one = runs[-1]
        print(f"\n{documents:,} documents")
        print_stages(one)
        print(
            f"a document: {one.task_seconds / documents * 1e3:.3f} ms of a task, "
            f"{one.processor / documents * 1e3:.3f} ms of a processor, "
            f"{one.shuffled / documents:,.0f} bytes shuffled",
            flush=True,
        )
    if len(sizes) >= 3:
        model(sizes, runs)


def model(sizes: list[int], runs: list[Run]) -> None:
    """Fit processor seconds and bytes to all sizes but the last, predict it, then large runs.

    A run costs a constant, and a part for each document that grows with the logarithm of their
    number, as sorting does; with two sizes the constant is that of an empty run, seen as the line
    through both.
    """
    print(
        "\nmodel: a + c · n, from the smaller sizes. Assumed: documents of this length, pairs in "
        "proportion to documents, with bands and rows that the forecast says for so many, and "
        f"memory by core as measured: {max(one.python_memory for one in runs) / 1e6:,.0f} MB for "
        "Python, beside Java"
    )
    for name in ("processor", "shuffled"):
        values = [getattr(one, name) for one in runs]
        slope, start = np.polyfit(sizes[:-1], values[:-1], 1)
        predicted = start + slope * sizes[-1]
        print(
            f"{name}: {sizes[-1]:,} documents predicted {predicted:,.0f}, measured "
            f"{values[-1]:,.0f}: {predicted / values[-1] - 1:+.1%}"
        )
        slope = float(np.polyfit(sizes, values, 1)[0])
        for documents in LARGE:
            growing = np.log2(documents) / np.log2(sizes[-1])
            low, high = slope * documents, slope * documents * growing
            if name == "processor":
                print(
                    f"  {documents:.0e} documents: {low / HOUR:,.0f} to {high / HOUR:,.0f} core "
                    f"hours, {low / HOUR / CORES:,.1f} to {high / HOUR / CORES:,.1f} h at {CORES}"
                )
            else:
                print(
                    f"  {documents:.0e} documents: {low / GIGABYTE:,.0f} to "
                    f"{high / GIGABYTE:,.0f} GB shuffled"
                )


def main() -> None:
    """Run one of the parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("cost", "growth"))
    parser.add_argument("--documents", nargs="+", type=int)
    parser.add_argument("--reworked", default="off")
    options = parser.parse_args()
    if options.part == "cost":
        cost((options.documents or [400_000])[0], options.reworked)
    else:
        growth(options.documents or [50_000, 200_000, 800_000], options.reworked)


if __name__ == "__main__":
    main()
