"""The run around the stages: its right to write, what it goes on with, and what it leaves."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from core.base.progress import Cancelled, never
from core.base.wording import listed, printable_name
from core.errors import ClusterError
from core.settings import ScanSettings
from core.spark.executors import prepare_executors, require_executors
from core.spark.file_system import Folder
from core.spark.manifest import BEGUN, FINISHED, Manifest, RunResult
from core.spark.options import RunOptions
from core.spark.run_lock import LOCK, RunLock
from core.spark.session import require_classic, set_for_a_run
from core.spark.stages import DRAFT, Stages, named
from core.spark.stopping import spark_work
from core.spark.target import asked_for, earlier_run, manifest_in, now, shown

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)
KEPT = "The stages that are finished are kept: go on with --resume."
UNKEPT = (
    "every process compiles them anew, which takes it half a minute. Name a folder for them: "
    "--conf spark.executorEnv.NUMBA_CACHE_DIR=FOLDER."
)


class Run:
    """A run that may write.

    Attributes:
        stages: Its tables.
    """

    def __init__(self, stages: Stages, folder: Folder, manifest: Manifest) -> None:
        self.stages = stages
        self._folder = folder
        self._manifest = manifest

    @property
    def result(self) -> RunResult | None:
        """What it has found; None while there is something left to do."""
        return self._manifest.result

    def finish(self, result: RunResult) -> None:
        """Write what makes the run whole, and remove what it needed for itself."""
        self._manifest = replace(self._manifest, result=result, finished=now())
        self._folder.publish(FINISHED, self._manifest.as_json())
        for name in self._folder.names():
            if name.startswith("_") and not name.startswith(LOCK):
                self._folder.remove(name)


@contextmanager
def begun(
    session: SparkSession,
    sources: Sequence[str],
    target: str,
    settings: ScanSettings,
    options: RunOptions,
    cancelled: Cancelled = never,
) -> Iterator[Run]:
    """A run into a target, from the first look at the cluster to the last table.

    Within it `cancelled` stops what Spark does, and what Spark says is told in a sentence.

    Raises:
        ClusterError: The cluster, a source or the target cannot be used, or another run has the
            target.
        ScanCancelledError: `cancelled` said so.
    """
    require_classic(session)
    with ExitStack() as stack:
        stack.enter_context(spark_work(session, cancelled))
        stack.enter_context(set_for_a_run(session, options.partitions))
        folder = Folder(session, target)
        asked = asked_for(session, sources, folder, settings, options)
        earlier_run(folder, asked, resume=options.resume)
        is_new = not folder.exists()
        folder.make()
        if is_new:
            stack.callback(_remove_empty, folder)
        lock = stack.enter_context(RunLock(folder, take_over=options.resume, cancelled=cancelled))
        manifest = earlier_run(folder, asked, resume=options.resume) or asked
        if not manifest.result:
            _look_around(session, manifest, folder, cancelled)
        _begin(folder, manifest)
        try:
            yield Run(Stages(session, folder.place, lock.require), folder, manifest)
        except Exception as error:
            if not _forgotten(folder, lock):
                error.add_note(KEPT)
            raise


def finished_run(session: SparkSession, target: str) -> Manifest:
    """What a run was asked for and gave.

    Raises:
        ClusterError: There is no finished run.
    """
    require_classic(session)
    with spark_work(session):
        folder = Folder(session, target)
        text = folder.read(FINISHED)
        if text is None:
            rest = " It was stopped: go on with --resume." if folder.exists(BEGUN) else ""
            raise ClusterError(f"There is no finished run in {shown(folder.place)}.{rest}")
        return manifest_in(folder, text)


def _look_around(
    session: SparkSession, manifest: Manifest, folder: Folder, cancelled: Cancelled
) -> None:
    """Refuse executors with which the result would be another, and prepare the others."""
    places = [Folder(session, source.place) for source in manifest.sources]
    local = [place.local for place in [*places, folder] if place.local is not None]
    with named(session, "executors"):
        require_executors(session, [path for path in local if path.exists()], cancelled)
        unkept = prepare_executors(session)
    if unkept:
        where = listed([printable_name(one) for one in unkept])
        logger.warning("No compiled kernels can be kept on %s: %s", where, UNKEPT)


def _begin(folder: Folder, manifest: Manifest) -> None:
    """Note what the run was asked for, and remove what an earlier one was in the middle of."""
    if not manifest.result and not folder.exists(BEGUN):
        folder.publish(BEGUN, manifest.as_json())
    for name in folder.names():
        if name.startswith(DRAFT):
            folder.remove(name)


def _forgotten(folder: Folder, lock: RunLock) -> bool:
    """Whether a run has finished no stage; then another one may begin in its folder."""
    with suppress(Exception):  # of Java, that may be gone
        lock.require()
        names = [name for name in folder.names() if not name.startswith(LOCK)]
        if all(name == BEGUN or name.startswith(DRAFT) for name in names):
            for name in names:
                folder.remove(name)
            return True
    return False


def _remove_empty(folder: Folder) -> None:
    """Leave no empty folder of a run that did not begin."""
    with suppress(Exception):  # of Java, that may be gone
        folder.remove_empty()
