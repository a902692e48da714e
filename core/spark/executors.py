"""What has to be so on the executors, found out before the first stage: a task on each of them."""

from __future__ import annotations

import json
import logging
import os
import platform
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from core.base.tasks import Cancelled, stop_if
from core.base.wording import listed, printable_name
from core.errors import ClusterError, PreparationError
from core.spark.partitions import mapped
from core.spark.session import INSTALL, differences, versions

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)
TOLD = "told STRING"
PATIENCE = 10.0  # seconds for executors to come, after the first
SETTLED = 1.0  # seconds without another one, after which all are there
LATE = 30.0  # seconds without any executor, after which that is told
POLL = 0.1
LOCK_POLL = 0.5
NONE_YET = (
    "No executor has come yet. The cluster may be busy, or may have no machine with as much memory "
    "and as many cores as spark.executor.memory and spark.executor.cores ask for: its own page "
    "says. The run begins when one comes; Ctrl+C ends it."
)


def require_executors(
    session: SparkSession, places: Sequence[Path], cancelled: Cancelled
) -> list[str]:
    """Raise where executors lack Neardup, have another one, or do not see a folder.

    Executors that come later look at their versions themselves: see `core.spark.session`.

    Args:
        session: The session.
        places: Folders and files on this machine that executors must have, too.
        cancelled: Polled meanwhile.

    Returns:
        The computers that they run on, each once.

    Raises:
        ClusterError: Something is not as it must be; the sentence says where and what.
    """
    look = _looking([str(place) for place in places])
    with _told_where_none_comes(session):
        _on_each(session, 1, look)  # the first executor is there when this is done
    answers = _on_each(session, _settled_count(session, cancelled), look)
    for told in answers:
        _require(told, places)
    return sorted({str(told["host"]) for told in answers})


def prepare_executors(session: SparkSession) -> list[str]:
    """Have kernels compiled once on each computer, so that no process does it for itself alone.

    Returns:
        The computers that can keep no compiled kernels, so that each of their processes compiles.
    """
    frame = _tasks(session, _count(session))
    rows = mapped(frame, prepare_here, TOLD).collect()
    told = [json.loads(row[0]) for row in rows]
    return sorted({str(one["host"]) for one in told if not one["kept"]})


def prepare_here(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Compile kernels on this computer, unless they are; one process at a time does."""
    import pyarrow as pa

    from core.base.files import is_taken, lock
    from core.program.preparation import can_keep, is_prepared, prepare

    list(batches)
    kept = is_prepared() or can_keep()
    name = f"neardup-preparation-{os.getuid() if hasattr(os, 'getuid') else 0}.lock"
    while not is_prepared() and kept:
        file = os.open(Path(tempfile.gettempdir()) / name, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            lock(file)
            prepare()
        except PreparationError:
            kept = False
        except OSError as error:
            if not is_taken(error):  # no locks are kept there: it is compiled when it is called
                break
            time.sleep(LOCK_POLL)
        finally:
            os.close(file)
    told = json.dumps({"host": platform.node(), "kept": kept})
    yield pa.RecordBatch.from_pydict({"told": [told]})


def _looking(places: list[str]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What looks around on an executor that may have no Neardup.

    A function within a function is sent as it is, one of a module by its name only.
    """

    def look(batches: Iterator[Any]) -> Iterator[Any]:
        import json
        import os
        import platform

        import pyarrow as pa

        for _ in batches:
            pass
        told = {"host": platform.node(), "lacking": "", "versions": {}}
        told["unseen"] = [place for place in places if not os.path.exists(place)]  # noqa: PTH110
        try:
            from core.spark.session import versions

            told["versions"] = versions()
        except ImportError as error:
            told["lacking"] = error.name or str(error)
        yield pa.RecordBatch.from_pydict({"told": [json.dumps(told)]})

    return look


def _require(told: dict[str, Any], places: Sequence[Path]) -> None:
    host = printable_name(str(told["host"]))
    lacking = str(told["lacking"])
    if lacking.partition(".")[0] == "core":
        raise ClusterError(
            f"The executor on {host} has no Neardup, or another version of it. "
            f"With its Python, {INSTALL}."
        )
    if lacking:
        raise ClusterError(
            f"The executor on {host} lacks the Python package {printable_name(lacking)}. "
            f"With its Python, {INSTALL}."
        )
    other = differences(versions(), told["versions"])
    if other:
        raise ClusterError(f"The executor on {host} has {other}. Install the same on all.")
    unseen = [printable_name(str(place)) for place in places if str(place) in told["unseen"]]
    if unseen:
        raise ClusterError(
            f"The executor on {host} does not see {listed(unseen)}. Give a folder that the driver "
            "and all executors reach under the same name."
        )


def _on_each(
    session: SparkSession, count: int, look: Callable[[Iterator[Any]], Iterator[Any]]
) -> list[dict[str, Any]]:
    frame = _tasks(session, count).mapInArrow(cast("Any", look), TOLD)
    return [json.loads(row[0]) for row in frame.collect()]


def _tasks(session: SparkSession, count: int) -> Any:  # noqa: ANN401 - a DataFrame
    """A table of so many parts: Spark gives each idle executor one before any gets two."""
    return session.range(0, count, 1, count)


@contextmanager
def _told_where_none_comes(session: SparkSession) -> Iterator[None]:
    """Within it, which waits for an executor, say after a while that there is none.

    Where a cluster gives executors on demand, only a job that waits brings one.
    """

    def tell() -> None:
        if not _is_here(session) and _known(session) == 0:
            logger.warning(NONE_YET)

    timer = threading.Timer(LATE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _settled_count(session: SparkSession, cancelled: Cancelled) -> int:
    """How many executors there are when no more seem to come."""
    count, since, end = _count(session), time.monotonic(), time.monotonic() + PATIENCE
    if _is_here(session):
        return count
    while time.monotonic() < min(since + SETTLED, end):
        stop_if(cancelled)
        time.sleep(POLL)
        if (now := _count(session)) != count:
            count, since = now, time.monotonic()
    return count


def _count(session: SparkSession) -> int:
    """How many executors there are at the moment; the driver is the only one on this machine."""
    return max(1, _known(session) or 0)


def _known(session: SparkSession) -> int | None:
    """How many executors there are beside the driver; nothing where Java cannot tell."""
    with suppress(Exception):
        known = session._jsc.sc().getExecutorMemoryStatus().size()  # noqa: SLF001 - no other way
        return int(known) - 1
    return None


def _is_here(session: SparkSession) -> bool:
    """Whether the driver does the work of executors, too."""
    return str(session.sparkContext.master).startswith("local")
