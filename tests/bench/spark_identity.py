"""Whether a run on Spark says what one machine says: every pair, number, group, note and problem.

    python tests/bench/spark_identity.py FOLDER... [--partitions 1 7 64] [--seeds 1 2 3]

scans each folder with `core.scan` and on Spark, with every number of partitions and every seed,
and prints what differs: nothing may. Names are compared, because numbers on Spark are not dense.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq

from core.documents import ReadingSettings
from core.documents.model import Role
from core.evidence.pairs import Pairs
from core.scan.flow import scan as scan_here
from core.scan.groups import group_documents
from core.scan.judgements import Judgements
from core.settings import ScanSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",  # small runs: compiling is most
    "spark.ui.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
}
SHOWN = 5  # differences of a kind
Row = tuple[Any, ...]


class Result(NamedTuple):
    """What a scan says, by the names of documents.

    Attributes:
        pairs: All columns of each pair, the names of both documents first.
        groups: Centre and members of each group, with copies.
        notes: The sentences above the list.
        problems: What gave no text.
    """

    pairs: set[Row]
    groups: set[Row]
    notes: list[str]
    problems: set[Row]


def numbers_of(columns: dict[str, Any]) -> list[Row]:
    """The columns of pairs beside a and b, row by row; floats as they are, bit by bit."""
    names = [one.name for one in fields(Pairs) if one.name not in ("a", "b")]
    return list(zip(*(np.asarray(columns[name]).tolist() for name in names), strict=True))


def on_one_machine(
    folders: list[Path], settings: ScanSettings, roles: Sequence[Role] = ()
) -> Result:
    """What `neardup scan` says."""
    result = scan_here(folders, settings, roles=roles, reading=ReadingSettings())
    try:
        found = result.list_pairs()
    finally:
        result.close()
    names = [one.name for one in found.documents]
    every = found.pairs
    columns = {one.name: getattr(every, one.name) for one in fields(Pairs)}
    pairs = {
        (names[a], names[b], *numbers)
        for a, b, numbers in zip(
            every.a.tolist(), every.b.tolist(), numbers_of(columns), strict=True
        )
    }
    groups = {
        (names[group.centre], *sorted(names[one] for one in group.documents))
        for group in group_documents(every, found.documents, Judgements())
    }
    problems = {(one.name, str(one.code), one.detail) for one in found.problems}
    return Result(pairs, groups, list(found.notes), problems)


def in_target(target: Path) -> Result:
    """What a run on Spark has written."""
    documents = pq.read_table(target / "documents", columns=["number", "id"]).to_pydict()
    names = dict(zip(documents["number"], documents["id"], strict=True))
    table = pq.read_table(target / "pairs")
    columns = {name: table.column(name).to_numpy() for name in table.column_names[:14]}
    pairs = {
        (names[a], names[b], *numbers)
        for a, b, numbers in zip(
            columns["a"].tolist(), columns["b"].tolist(), numbers_of(columns), strict=True
        )
    }
    own = pq.read_table(target / "groups").to_pylist()
    around: dict[int, list[str]] = {}
    for row in own:
        around.setdefault(row["centre"], [names[row["centre"]]]).append(names[row["member"]])
    groups = {(names[centre], *sorted(set(members))) for centre, members in around.items()}
    problems = {
        (row["id"], row["code"], row["detail"])
        for row in pq.read_table(target / "problems").to_pylist()
    }
    return Result(pairs, groups, notes_in(target), problems)


def notes_in(target: Path) -> list[str]:
    """The notes of a run."""
    import json

    notes: list[str] = json.loads((target / "run.json").read_text("utf-8"))["result"]["notes"]
    return notes


def differences(here: Result, there: Result) -> list[str]:
    """What differs, some of each kind."""
    found = []
    for name in ("pairs", "groups", "problems"):
        one, other = getattr(here, name), getattr(there, name)
        found += [f"{name} here only: {row}" for row in sorted(one - other, key=str)[:SHOWN]]
        found += [f"{name} there only: {row}" for row in sorted(other - one, key=str)[:SHOWN]]
    if here.notes != there.notes:
        found.append(f"notes here: {here.notes}")
        found.append(f"notes there: {there.notes}")
    return found


def local_session(threads: int, partitions: int) -> SparkSession:
    """A Spark in this process."""
    from core.spark.session import start

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    settings = {**LOCAL, "spark.sql.shuffle.partitions": str(partitions)}
    session = start(f"local[{threads}]", settings)
    session.conf.set("spark.sql.shuffle.partitions", str(partitions))
    return session


def compared(folder: Path, settings: ScanSettings, partitions: int, here: Result) -> list[str]:
    """What differs between a run on Spark and what one machine said."""
    from core.spark.manifest import RunOptions
    from core.spark.scan import scan as scan_there

    session = local_session(2, partitions)
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "run"
        scan_there(session, [str(folder)], str(target), settings, RunOptions())
        return differences(here, in_target(target))


def main() -> None:
    """Compare folders with every number of partitions and every seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--partitions", nargs="+", type=int, default=[1, 7, 64])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--compare", nargs="+", default=["auto", "bands"])
    options = parser.parse_args()
    wrong = 0
    for folder in options.folders:
        for compare in options.compare:
            for seed in options.seeds:
                settings = ScanSettings(seed=seed, compare=compare)
                started = time.monotonic()
                here = on_one_machine([folder], settings)
                for partitions in options.partitions:
                    found = compared(folder, settings, partitions, here)
                    wrong += bool(found)
                    state = "DIFFERENT" if found else "the same"
                    print(
                        f"{folder.name}  compare {compare}  seed {seed}  partitions {partitions}: "
                        f"{len(here.pairs):,} pairs, {len(here.groups):,} groups, "
                        f"{len(here.notes)} notes: {state}",
                        flush=True,
                    )
                    print(*found, sep="\n", end="\n" if found else "")
                print(f"  {time.monotonic() - started:.0f} s", flush=True)
    print(f"{wrong} differ")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
