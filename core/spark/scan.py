"""A scan on Spark, from its sources to the folder of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.base.progress import Cancelled, never
from core.settings import ScanSettings
from core.spark.flow import Flow
from core.spark.manifest import RunResult
from core.spark.options import RunOptions
from core.spark.run import Run, begun
from core.spark.sources import read

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

USUAL = RunOptions()


def scan(
    session: SparkSession,
    sources: Sequence[str],
    target: str,
    settings: ScanSettings,
    options: RunOptions = USUAL,
    cancelled: Cancelled = never,
) -> RunResult:
    """Find the pairs of the documents in some sources and write them into a folder.

    Args:
        session: Where to work; `core.spark.session.start` makes one.
        sources: Folders of files or tables, as Spark names them.
        target: The folder, as Spark names it: new, or that of a run to go on with.
        settings: Those of a scan on one machine.
        options: How sources are read and the run is done.
        cancelled: Polled while Spark works.

    Raises:
        ClusterError: The cluster, a source or the target cannot be used.
        SettingsError: The settings need what is not done on a cluster.
        TooManyCandidatesError: More pairs would be measured than the budget allows.
        ScanCancelledError: `cancelled` said so.
    """
    with begun(session, sources, target, settings, options, cancelled) as run:
        if run.result is not None:
            return run.result
        result = _result(run, sources, settings, options)
        run.finish(result)
        return result


def _result(
    run: Run, sources: Sequence[str], settings: ScanSettings, options: RunOptions
) -> RunResult:
    """Make the tables that are not there yet."""
    stages = run.stages
    found = read(stages.session, stages, sources, settings, options)
    flow = Flow(stages, found.documents, settings, options.budget)
    problems = stages.table("problems", lambda: found.problems)
    result = RunResult(
        documents=flow.documents.count(),
        pairs=flow.pairs.count(),
        groups=flow.groups.select("centre").distinct().count(),
        problems=problems.count(),
        notes=(*found.notes, *flow.notes),
    )
    flow.keep()
    return result
