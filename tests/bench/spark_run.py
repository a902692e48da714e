"""One run on a Spark of this machine, measured: what the other benches of Spark start and read.

    python tests/bench/spark_run.py scan|peer TEXTS TARGET [--threads 2] [--partitions 64]

With --as-large nothing is sent to all tasks because it is little: texts are shuffled to be numbered
and to be compared, as in a run of many millions. TEXTS is Parquet with the columns id and text.

Prints one line of JSON: seconds, processor seconds of all processes (Spark's and Python's), the
most memory that they had together and that one of Python had, and of every stage its seconds of
tasks, bytes shuffled, bytes spilled and how much longer its longest task took than the median one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from core.settings import ScanSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


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
    return {name: _cost([tasks[stage] for stage in own]) for name, own in stages.items()}


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
    own = psutil.Process()
    total = 0.0
    for process in [own, *own.children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


class Memory:
    """Watches the memory of all that this process has started, until it is stopped."""

    def __init__(self) -> None:
        self.together = self.python = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.5):
            own = [0]
            python = [0]
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    size = process.memory_info().rss
                    own.append(size)
                    if "python" in process.name():
                        python.append(size)
            self.together = max(self.together, sum(own))
            self.python = max(self.python, *python)


def session(log: Path, threads: int, partitions: int, *, as_large: bool) -> SparkSession:
    """A Spark that logs what it does."""
    from core.spark import evidence, reading
    from core.spark.session import start

    if as_large:
        evidence.TOLD_TO_ALL = evidence.NAMED_TO_ALL = reading.BROADCAST_ROWS = 0
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


def main() -> None:
    """Run once and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("scan", "peer"))
    parser.add_argument("texts", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--partitions", type=int, default=64)
    parser.add_argument("--reworked", default="off")
    parser.add_argument("--as-large", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        spark = session(Path(place), options.threads, options.partitions, as_large=options.as_large)
        memory = Memory()
        before, started = processor_seconds(), time.monotonic()
        pairs = _scan(spark, options) if options.what == "scan" else _peer(spark, options)
        seconds, processor = time.monotonic() - started, processor_seconds() - before
        memory.stop()
        spark.stop()
        result = {
            "pairs": pairs,
            "seconds": seconds,
            "processor": processor,
            "memory": memory.together,
            "python_memory": memory.python,
            "stages": {name: cost._asdict() for name, cost in costs(Path(place)).items()},
        }
    print(json.dumps(result))


def _scan(spark: SparkSession, options: argparse.Namespace) -> int:
    from core.spark.manifest import RunOptions
    from core.spark.scan import scan

    settings = ScanSettings(compare="bands", reworked=options.reworked)
    target = str(options.target)
    return scan(spark, [str(options.texts)], target, settings, RunOptions(budget=0)).pairs


def _peer(spark: SparkSession, options: argparse.Namespace) -> int:
    from spark_peer import found_pairs

    spark.sparkContext.addPyFile(str(Path(__file__).with_name("spark_peer.py")))
    documents = spark.read.parquet(str(options.texts))
    numbered = documents.selectExpr("cast(id AS LONG) AS number", "text")
    pairs = found_pairs(numbered)
    options.target.mkdir(parents=True, exist_ok=True)
    spark.createDataFrame(sorted(pairs), "a LONG, b LONG").write.parquet(
        str(options.target / "pairs")
    )
    return len(pairs)


if __name__ == "__main__":
    main()
