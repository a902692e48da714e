"""SimHash in batch on Spark: a table of fingerprints, a batch of queries, all within d bits.

Random fingerprints, and queries at 0 to 6 bits from some of them. The answers are compared with
those of a comparison of every two for some queries: exactly these have to be found.

Beside it the figures of Manku, Jain and Das Sarma (WWW 2007, section 4.2): 8 billion fingerprints,
a million queries, d = 3, 200 mappers, about 100 seconds.

    python tests/bench/spark_simhash.py [--fingerprints 10000000] [--queries 100000] [--distance 3]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.base.arrays import UInt64Array
from core.spark.session import start
from core.spark.signatures import fingerprints_near

CHECKED = 50  # queries whose answers are compared with those of every two fingerprints
FILES = 8
PAPER_FINGERPRINTS, PAPER_QUERIES, PAPER_MAPPERS, PAPER_SECONDS = 8e9, 1e6, 200, 100


def make(folder: Path, count: int, asked: int) -> tuple[UInt64Array, UInt64Array]:
    """Write both tables as Parquet; returns the fingerprints and the queries."""
    rng = np.random.default_rng(1)
    fingerprints = rng.integers(0, 2**64, count, dtype=np.uint64)
    queries = rng.choice(fingerprints, asked)
    queries[asked // 2 :] = rng.integers(0, 2**64, asked - asked // 2, dtype=np.uint64)
    flipped = rng.integers(0, 7, asked)
    for nth in range(6):
        bit = np.uint64(1) << rng.integers(0, 64, asked, dtype=np.uint64)
        queries ^= np.where(flipped > nth, bit, np.uint64(0))
    (folder / "fingerprints").mkdir()
    for nth, part in enumerate(np.array_split(np.arange(count), FILES)):
        table = {"id": part, "fingerprint": fingerprints[part].view(np.int64)}
        pq.write_table(pa.table(table), folder / "fingerprints" / f"{nth}.parquet")
    batch = {"query": np.arange(asked), "fingerprint": queries.view(np.int64)}
    pq.write_table(pa.table(batch), folder / "queries.parquet")
    return fingerprints, queries


def wrong_answers(
    found: pa.Table, fingerprints: UInt64Array, queries: UInt64Array, distance: int
) -> int:
    """How many of some queries have other answers than a comparison with every fingerprint."""
    asked, rows = (found.column(name).to_numpy() for name in ("query", "id"))
    wrong = 0
    for query in range(CHECKED):
        near = np.flatnonzero(np.bitwise_count(fingerprints ^ queries[query]) <= distance)
        wrong += not np.array_equal(np.sort(rows[asked == query]), near)
    return wrong


def run(count: int, asked: int, distance: int, master: str) -> bool:
    """Make both tables, ask twice, print; returns whether the answers are right."""
    session = start(master, {"spark.driver.memory": "2g", "spark.ui.enabled": "false"})
    cores = session.sparkContext.defaultParallelism
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fingerprints, queries = make(folder, count, asked)
        for attempt in ("first", "second"):  # kernels are compiled and workers started
            began = time.perf_counter()
            table = session.read.parquet(str(folder / "fingerprints"))
            batch = session.read.parquet(str(folder / "queries.parquet"))
            found = fingerprints_near(table, batch, distance).toArrow()
            seconds = time.perf_counter() - began
            print(
                f"{count:,} fingerprints, {asked:,} queries, d = {distance}, {cores} cores, "
                f"{attempt} time: {seconds:.1f} s, {found.num_rows:,} near"
            )
    wrong = wrong_answers(found, fingerprints, queries, distance)
    print(f"compared with every fingerprint: {wrong} of {CHECKED} queries answered otherwise")
    own, paper = count / (seconds * cores), PAPER_FINGERPRINTS / (PAPER_SECONDS * PAPER_MAPPERS)
    print(
        f"the paper: {PAPER_FINGERPRINTS:,.0f} fingerprints, {PAPER_QUERIES:,.0f} queries, "
        f"{PAPER_MAPPERS} mappers, {PAPER_SECONDS} s: {paper:,.0f} fingerprints a second and core; "
        f"here {own:,.0f}, {own / paper:.2f} times as many, with {PAPER_QUERIES / asked:.0f} times "
        "fewer queries"
    )
    session.stop()
    return not wrong


def main() -> int:
    """Run it; the exit status says whether all answers are right."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--fingerprints", type=int, default=10_000_000)
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--distance", type=int, default=3)
    parser.add_argument("--master", default="local[2]")
    options = parser.parse_args()
    asked = (options.fingerprints, options.queries, options.distance, options.master)
    return 0 if run(*asked) else 1


if __name__ == "__main__":
    sys.exit(main())
