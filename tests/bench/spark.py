"""The engine on Spark: cost by stage, beside one machine and beside text-dedup; growth; extremes.

    python tests/bench/spark.py cost        [--documents 400000] [--reworked off]
    python tests/bench/spark.py growth      [--documents 50000 200000 800000]
    python tests/bench/spark.py copies      [--documents 10000000]
    python tests/bench/spark.py boilerplate [--documents 50000]
    python tests/bench/spark.py long        [--megabytes 48]

All texts are generated (tests/bench/corpus.py). Every run is a process of its own. `cost` prints
seconds and bytes shuffled of every stage beside `neardup scan` on the same texts, and the pairs
that a method without verification finds (`spark_peer.py`). `growth` prints the cost of a document
at each size, where texts are shuffled as in a run of many millions, and a model of larger runs made
of the smaller sizes, held against the largest.

`copies`: so many documents with the same text. `boilerplate`: so many advertisements, each with the
same paragraph of 20 words in its middle. `long`: two texts of so many megabytes that share 40 kB,
these 40 kB as a text of their own, and 20 short texts. Texts over 50 million characters are not
read, and a sentence in `problems` says so. The exit status says whether all pairs were found that
have to be.

Seconds of processors are of all processes (Spark's and Python's); a stage has its seconds of tasks,
bytes shuffled, bytes spilled and how much longer its longest task took than the median one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import corpus
import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from corpus import Planted, generate, vocabulary
from usage import ProcessTrees, neardup

from core.base.arrays import IntegerArray
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILES = 16  # that the texts are in
CORES = 200  # of the cluster of the model
LARGE = (10**8, 10**10)  # documents
GIGABYTE, HOUR = 1e9, 3600
TEXT = "The tide came in before noon and the boats were gone from the harbour below the town."
PARAGRAPH = 20  # words
WORDS = 400  # of an advertisement, the median
CLEAR = 0.7  # planted resemblance from which on a pair has to be found, beside the paragraph
SHARED = 6_000  # words that both long texts have
Pairs = set[tuple[int, int]]


class Run(NamedTuple):
    """What a run took."""

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


def write_tables(folder: Path, texts: Sequence[str]) -> None:
    """Write texts as Parquet, with their numbers as ids."""
    folder.mkdir()
    ids = [f"{number:09d}" for number in range(len(texts))]
    step = -(-len(texts) // FILES)
    for start in range(0, len(texts), step):
        part = slice(start, start + step)
        pq.write_table(
            pa.table({"id": ids[part], "text": list(texts[part])}), folder / f"{start:09d}.parquet"
        )


def run(task: str, texts: Path, target: Path, *more: str) -> Run:
    """One run in a separate process."""
    done = subprocess.run(
        [*map(str, [sys.executable, __file__, task, "--texts", texts, "--target", target]), *more],
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
    corpus.write_texts(folder / "files", texts)
    command_options = [
        "--compare",
        "bands",
        "--reworked",
        reworked,
        "--review",
        folder / "r.neardup",
    ]
    started, before = time.monotonic(), _of_children()
    command = neardup("scan", folder / "files", "--quiet", *command_options)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    took = Time(time.monotonic() - started, _of_children() - before)
    shutil.rmtree(folder / "files")
    return took


def _of_children() -> float:
    """Processor seconds of the processes that this one has started and that have ended."""
    return sum(os.times()[2:4])


def cost(documents: int, reworked: str) -> None:
    """Stage by stage, beside one machine and beside text-dedup's method."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        texts, planted = generate(documents)
        write_tables(folder / "texts", texts)
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
        peer_run = run("peer", folder / "texts", folder / "peer")
        print("\ntext-dedup's method")
        print_stages(peer_run)
        cluster_pairs = listed_pairs(folder / "run")
        table = pq.read_table(folder / "peer" / "pairs", columns=["a", "b"])
        machine_pairs = _in_order(table.column("a").to_numpy(), table.column("b").to_numpy())
        _print_recall(planted, cluster_pairs, machine_pairs)


def listed_pairs(target: Path) -> set[tuple[int, int]]:
    """The pairs of a run by the ids of their documents, the smaller one first."""
    documents = pq.read_table(target / "documents", columns=["number", "id"])
    numbers = documents.column("number").to_numpy()
    ids = np.array([int(text) for text in documents.column("id").to_pylist()])
    order = np.argsort(numbers)
    table = pq.read_table(target / "pairs", columns=["a", "b"])
    rows_of_ids = (np.searchsorted(numbers[order], table.column(name).to_numpy()) for name in "ab")
    a, b = (ids[order][rows_of_id] for rows_of_id in rows_of_ids)
    return _in_order(a, b)


def _in_order(a: IntegerArray, b: IntegerArray) -> set[tuple[int, int]]:
    return set(zip(np.minimum(a, b).tolist(), np.maximum(a, b).tolist(), strict=True))


def _print_recall(planted: Planted, cluster_pairs: set[Any], machine_pairs: set[Any]) -> None:
    pairs = [
        (min(a, b), max(a, b)) for a, b in zip(planted.a.tolist(), planted.b.tolist(), strict=True)
    ]
    print("\nplanted pairs found, by the resemblance they were meant to have")
    for low, high in ((0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        chosen = (planted.resemblance >= low) & (planted.resemblance < high)
        pairs_of_range = [
            pair for pair, is_chosen in zip(pairs, chosen.tolist(), strict=True) if is_chosen
        ]
        if pairs_of_range:
            shares = (
                sum(pair in listed for pair in pairs_of_range) / len(pairs_of_range)
                for listed in (cluster_pairs, machine_pairs)
            )
            print(
                f"{low:.1f} to {min(high, 1):.1f}: {len(pairs_of_range):7,}   %.3f   %.3f"
                % tuple(shares)
            )


def growth(sizes: list[int], reworked: str) -> None:
    """The cost of a document at each size, and what a model of the smaller ones says."""
    runs = []
    for documents in sizes:
        with tempfile.TemporaryDirectory() as temporary:
            write_tables(Path(temporary) / "texts", generate(documents).texts)
            target = Path(temporary) / "run"
            more = ("--reworked", reworked, "--as-large")
            runs.append(run("scan", Path(temporary) / "texts", target, *more))
        last_run = runs[-1]
        print(f"\n{documents:,} documents")
        print_stages(last_run)
        print(
            f"a document: {last_run.task_seconds / documents * 1e3:.3f} ms of a task, "
            f"{last_run.processor / documents * 1e3:.3f} ms of a processor, "
            f"{last_run.shuffled / documents:,.0f} bytes shuffled",
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
        f"memory by core as measured: {max(run.python_memory for run in runs) / 1e6:,.0f} MB for "
        "Python, beside Java"
    )
    for name in ("processor", "shuffled"):
        values = [getattr(run, name) for run in runs]
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


def copies(folder: Path, size: int) -> Pairs:
    """The same text over and over: each is to be listed with the first."""
    write_tables(folder, [TEXT] * size)
    return {(0, number) for number in range(1, size)}


def boilerplate(folder: Path, size: int) -> Pairs:
    """A paragraph in the middle of each: the planted pairs are to be found as without it."""
    texts, planted = generate(size, words=WORDS)
    paragraph = " ".join(np.random.default_rng(3).choice(vocabulary(), PARAGRAPH))
    for number, text in enumerate(texts):
        middle = text.find(" ", len(text) // 2)
        texts[number] = f"{text[:middle]} {paragraph}{text[middle:]}"
    write_tables(folder, texts)
    clear = planted.resemblance >= CLEAR
    return set(zip(planted.a[clear].tolist(), planted.b[clear].tolist(), strict=True))


def long(folder: Path, size: int) -> Pairs:
    """Texts of many megabytes: all three that share the stretch are to be listed."""
    rng = np.random.default_rng(4)
    words = vocabulary()
    weights = np.cumsum(1 / (np.arange(len(words)) + 2.7))

    def drawn(count: int) -> str:
        return " ".join(words[np.searchsorted(weights, rng.random(count) * weights[-1])])

    stretch = drawn(SHARED)
    count = size * 1_000_000 // (2 * len(stretch) // SHARED)
    texts = [f"{drawn(count)} {stretch} {drawn(count)}" for _ in range(2)]
    write_tables(folder, [*texts, stretch, *(drawn(400) for _ in range(20))])
    return {(0, 1), (0, 2), (1, 2)}


CASES: dict[str, tuple[Callable[[Path, int], Pairs], int]] = {
    "copies": (copies, 10_000_000),
    "boilerplate": (boilerplate, 50_000),
    "long": (long, 48),
}


def extreme(case: str, size: int | None) -> int:
    """One of the cases that break tools of its kind; 1 where a pair was missed."""
    make, usual = CASES[case]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        wanted_pairs = make(folder / "texts", size or usual)
        print_stages(run("scan", folder / "texts", folder / "run"))
        missed = wanted_pairs - listed_pairs(folder / "run")
    print(f"{len(wanted_pairs):,} pairs have to be found, {len(missed):,} were not")
    return 1 if missed else 0


# The process that runs, and what it measures


class StageCost(NamedTuple):
    """What the tasks of a table cost together.

    Attributes:
        task_seconds: Sum over tasks.
        shuffled: Bytes written to be shuffled.
        spilled: Bytes written to disk because memory was short.
        skew: The longest task over the median one, where there are four or more.
    """

    task_seconds: float
    shuffled: int
    spilled: int
    skew: float


def events(log: Path) -> Iterator[dict[str, Any]]:
    """The events that Spark has logged."""
    for path in log.iterdir():
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def costs(log: Path) -> dict[str, StageCost]:
    """What each table cost, by the description of Spark's jobs."""
    names: dict[int, str] = {}
    tasks: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for event in events(log):
        if event["Event"] == "SparkListenerJobStart":
            name = event["Properties"].get("spark.job.description", "other")
            for stage in event["Stage IDs"]:
                names.setdefault(stage, name)
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            tasks[event["Stage ID"]].append(event["Task Metrics"])
    stages: dict[str, list[int]] = defaultdict(list)
    for stage in tasks:
        stages[names.get(stage, "other")].append(stage)
    return {
        name: _cost([tasks[stage] for stage in stages_of_name])
        for name, stages_of_name in stages.items()
    }


def _cost(stages: list[list[dict[str, Any]]]) -> StageCost:
    every = [task for tasks in stages for task in tasks]
    skew = 1.0
    for tasks in stages:
        seconds = sorted(task["Executor Run Time"] / 1000 for task in tasks)
        if len(seconds) >= 4 and seconds[-1] > 1:
            skew = max(skew, seconds[-1] / max(0.1, statistics.median(seconds)))
    return StageCost(
        sum(task["Executor Run Time"] for task in every) / 1000,
        sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in every),
        sum(task["Disk Bytes Spilled"] for task in every),
        skew,
    )


def processor_seconds() -> float:
    """Of this process and all that it has started, those that have ended too."""
    program = psutil.Process()
    total = 0.0
    for process in [program, *program.children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


def session(log: Path, threads: int, partitions: int, *, as_large: bool) -> SparkSession:
    """A Spark that logs what it does."""
    from core.spark import evidence, reading
    from core.spark.session import start

    if as_large:
        evidence.BROADCAST_PAIRS = evidence.BROADCAST_NAMES = reading.BROADCAST_ROWS = 0
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    return start(
        f"local[{threads}]",
        {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "6g",
            "spark.ui.enabled": "false",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.dir": log.as_uri(),
            "spark.sql.shuffle.partitions": str(partitions),
            "spark.sql.autoBroadcastJoinThreshold": "-1" if as_large else "10MB",
        },
    )


def measured_run(options: argparse.Namespace) -> None:
    """Run once and print what it took, as one line of JSON."""
    with tempfile.TemporaryDirectory() as temporary:
        spark = session(
            Path(temporary), options.threads, options.partitions, as_large=options.as_large
        )
        with ProcessTrees(interval=0.5) as trees:
            before, started = processor_seconds(), time.monotonic()
            pairs = RUNS[options.part](spark, options)
            seconds, processor = time.monotonic() - started, processor_seconds() - before
        spark.stop()
        result = {
            "pairs": pairs,
            "seconds": seconds,
            "processor": processor,
            "memory": trees.started_peak,
            "python_memory": trees.python_peak,
            "stages": {name: cost._asdict() for name, cost in costs(Path(temporary)).items()},
        }
    print(json.dumps(result))


def _scan(spark: SparkSession, options: argparse.Namespace) -> int:
    from core.spark.manifest import RunOptions
    from core.spark.scan import scan

    settings = ScanSettings(compare="bands", reworked=options.reworked)
    target = str(options.target)
    return scan(spark, [str(options.texts)], target, settings, RunOptions(budget=0)).pairs


def _peer(spark: SparkSession, options: argparse.Namespace) -> int:
    from spark_peer import pairs_of_documents

    spark.sparkContext.addPyFile(str(Path(__file__).with_name("spark_peer.py")))
    documents = spark.read.parquet(str(options.texts))
    numbered = documents.selectExpr("cast(id AS LONG) AS number", "text")
    pairs = pairs_of_documents(numbered)
    options.target.mkdir(parents=True, exist_ok=True)
    spark.createDataFrame(sorted(pairs), "a LONG, b LONG").write.parquet(
        str(options.target / "pairs")
    )
    return len(pairs)


RUNS = {"scan": _scan, "peer": _peer}


def main() -> int:
    """Run one of the parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("part", choices=("cost", "growth", *CASES, *RUNS))
    parser.add_argument("--documents", nargs="+", type=int)
    parser.add_argument("--megabytes", type=int)
    parser.add_argument("--reworked", default="off")
    of_runs = parser.add_argument_group("of `scan` and `peer`, which the others start")
    of_runs.add_argument("--texts", type=Path, help="Parquet with the columns id and text")
    of_runs.add_argument("--target", type=Path)
    of_runs.add_argument("--threads", type=int, default=2)
    of_runs.add_argument("--partitions", type=int, default=64)
    of_runs.add_argument(
        "--as-large", action="store_true", help="send nothing to all tasks because it is little"
    )
    options = parser.parse_args()
    if options.part in RUNS:
        measured_run(options)
    elif options.part == "cost":
        cost((options.documents or [400_000])[0], options.reworked)
    elif options.part == "growth":
        growth(options.documents or [50_000, 200_000, 800_000], options.reworked)
    else:
        return extreme(options.part, options.megabytes or (options.documents or [None])[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
