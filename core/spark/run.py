"""The run around the stages: its right to write, the run it goes on with, and what it leaves.

The right to write into the folder of a run: one run has it, also across machines.

Locks of a system end with their process, but a run and its successor may be on two machines, and
object stores know no locks. So a run writes a file `_lock` that says whose it is, and rewrites it
every few seconds; before and after each table it checks that the file still is its own.
A file that is gone is not: a run that took over has finished. Who has lost the right writes and
removes nothing any more; only what Spark is in the middle of, a draft or, in an object store, a
table, is not held up.
Where a run was killed its file stays, is not written any more, and the next run writes over it. Of
several that do so at once, or that begin at once in an object store, where who creates a file looks
first and writes then, it is the last one's.

Requirements on the executors are checked before the first stage: by a task on each of them.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from pyspark.sql import SparkSession

from core.base.messages import N_, gettext
from core.base.tasks import stop_if_cancelled
from core.base.wording import listed, printable_name, shown_value
from core.documents.model import Role
from core.errors import ClusterError, PreparationError
from core.settings import ScanSettings
from core.spark.columns import Batches
from core.spark.file_system import DRAFT, Folder, Stages, named, overlap, shown
from core.spark.manifest import FINISHED, STARTED, Manifest, RunOptions, RunResult, Source
from core.spark.partitions import mapped
from core.spark.session import (
    INSTALL,
    differences,
    require_classic,
    set_for_a_run,
    spark_work,
    versions,
)

ANSWER = "told STRING"
PATIENCE = 10.0  # seconds for executors to come, after the first
UNCHANGED_FOR = 1.0  # seconds without another executor, after which all have come
LATE = 30.0  # seconds without any executor, after which a warning says so
POLL = 0.1
LOCK_POLL = 0.5
NONE_YET = N_(
    "No executor has come yet. The cluster may be busy, or may have no machine with as much "
    "memory and as many cores as spark.executor.memory and spark.executor.cores ask for: its "
    "own page says. The run begins when one comes; Ctrl+C ends it."
)


def require_executors(session: SparkSession, paths: Sequence[Path]) -> None:
    """Raise where executors lack Neardup, have another version, or do not see a folder.

    Executors that come later check their versions themselves: see `core.spark.session`.

    Args:
        session: The session.
        paths: Folders and files on this machine that executors must have, too.

    Raises:
        ClusterError: Something is not as it must be; the sentence says where and what.
    """
    look = _looking([str(path) for path in paths])
    with _warned_without_executors(session):
        answers = _on_each(session, 1, look)  # the first executor has come when this is done
    count = _settled_count(session)
    for answer in answers if count == 1 else _on_each(session, count, look):
        _require(answer)


def prepare_executors(session: SparkSession) -> list[str]:
    """Have kernels compiled once on each computer, instead of by each process.

    Returns:
        The computers that can keep no compiled kernels, so that each of their processes compiles.
    """
    frame = _tasks(session, _count(session))
    rows = mapped(frame, prepare_computer, ANSWER).collect()
    answers = [json.loads(row[0]) for row in rows]
    return sorted({str(executor["host"]) for executor in answers if not executor["kept"]})


def prepare_computer(batches: Batches) -> Batches:
    """Compile kernels on this computer if needed; one process at a time does."""
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
    answer = json.dumps({"host": platform.node(), "kept": kept})
    yield pa.RecordBatch.from_pydict({"told": [answer]})


def _looking(paths: list[str]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function that checks an executor, which may have no Neardup.

    A function within a function is sent as it is, one of a module by its name only.
    """

    def look(batches: Iterator[Any]) -> Iterator[Any]:
        import json
        import os
        import platform

        import pyarrow as pa

        for _ in batches:
            pass
        answer = {"host": platform.node(), "lacking": "", "versions": {}}
        answer["unseen"] = [path for path in paths if not os.path.exists(path)]  # noqa: PTH110
        try:
            from core.spark.session import versions

            answer["versions"] = versions()
        except ImportError as error:
            answer["lacking"] = error.name or str(error)
        yield pa.RecordBatch.from_pydict({"told": [json.dumps(answer)]})

    return look


def _require(answer: dict[str, Any]) -> None:
    host = printable_name(str(answer["host"]))
    lacking = str(answer["lacking"])
    if lacking.partition(".")[0] == "core":
        raise ClusterError(
            "The executor on {host} has no Neardup, or another version of it. With its "
            "Python, {install}.",
            host=host,
            install=gettext(INSTALL),
        )
    if lacking:
        raise ClusterError(
            "The executor on {host} lacks the Python package {lacking}. With its Python, "
            "{install}.",
            host=host,
            lacking=printable_name(lacking),
            install=gettext(INSTALL),
        )
    differing = differences(versions(), answer["versions"])
    if differing:
        raise ClusterError(
            "The executor on {host} has {other}. Install the same on all.",
            host=host,
            other=differing,
        )
    if answer["unseen"]:
        raise ClusterError(
            "The executor on {host} does not see {unseen}. Give a folder that the driver and "
            "all executors reach under the same name.",
            host=host,
            unseen=listed([printable_name(path) for path in answer["unseen"]]),
        )


def _on_each(
    session: SparkSession, count: int, look: Callable[[Iterator[Any]], Iterator[Any]]
) -> list[dict[str, Any]]:
    frame = _tasks(session, count).mapInArrow(cast("Any", look), ANSWER)
    return [json.loads(row[0]) for row in frame.collect()]


def _tasks(session: SparkSession, count: int) -> Any:  # noqa: ANN401 - a DataFrame
    """A table of this many parts: Spark gives each idle executor one before any gets two."""
    return session.range(0, count, 1, count)


@contextmanager
def _warned_without_executors(session: SparkSession) -> Iterator[None]:
    """Within it, which waits for an executor, warn after a while that none has come.

    Where a cluster gives executors on demand, only a job that waits brings one.
    """

    def report_delay() -> None:
        if not _is_local(session) and _known(session) == 0:
            logger.warning(gettext(NONE_YET))

    timer = threading.Timer(LATE, report_delay)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _settled_count(session: SparkSession) -> int:
    """How many executors there are when no more seem to come."""
    count, since, end = _count(session), time.monotonic(), time.monotonic() + PATIENCE
    if _is_local(session):
        return count
    while time.monotonic() < min(since + UNCHANGED_FOR, end):
        stop_if_cancelled()
        time.sleep(POLL)
        if (now := _count(session)) != count:
            count, since = now, time.monotonic()
    return count


def _count(session: SparkSession) -> int:
    """How many executors there are at the moment; the driver is the only one on this machine."""
    return max(1, _known(session) or 0)


def _known(session: SparkSession) -> int | None:
    """How many executors there are beside the driver; None where Java cannot tell."""
    with suppress(Exception):
        known = session._jsc.sc().getExecutorMemoryStatus().size()  # noqa: SLF001 - no other way
        return int(known) - 1
    return None


def _is_local(session: SparkSession) -> bool:
    """Whether the driver does the work of executors, too."""
    return str(session.sparkContext.master).startswith("local")


LOCK = "_lock"
BEAT = 10.0  # seconds between two times that the file is written
ABANDONED = 45.0  # seconds without that, after which a run counts as killed
LOOKS = 1.0  # seconds between two looks at another run's file
SETTLED = 2.0  # seconds after which all have written the file who want it at the same time


class RunLock:
    """Writes into a folder; leaves nothing behind.

    Args:
        folder: Of the run.
        take_over: Whether a run that was killed may be followed.

    Attributes:
        is_lost: Whether another run was seen to have taken over.
    """

    def __init__(self, folder: Folder, *, take_over: bool) -> None:
        self._folder = folder
        self._take_over = take_over
        self.is_lost = False
        self._identity = {"host": _here(), "process": os.getpid(), "run": secrets.token_hex(8)}
        self._left = threading.Event()
        self._at_file = threading.Lock()  # it is not read while it is half written
        self._thread = threading.Thread(target=self._beat, name="neardup-lock", daemon=True)

    def __enter__(self) -> Self:
        """Take the right.

        Raises:
            ClusterError: Another run has it, or may have it.
        """
        while not (is_first := self._folder.create(LOCK, self._text(0))):
            if self._was_killed():
                self._folder.write(LOCK, self._text(0))
                break
        try:
            if not (is_first and self._folder.renames):
                self._settle()
            self.require()
        except BaseException:
            self._remove_lock()
            raise
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give it back."""
        self._left.set()
        self._thread.join()
        with suppress(Exception):  # of Java, that may be gone; a run with --resume takes it over
            self._remove_lock()

    def require(self) -> None:
        """Raise where the right was lost.

        Raises:
            ClusterError: Another run has taken over.
        """
        if not self._is_mine():
            raise ClusterError(self._taken())

    def _is_mine(self) -> bool:
        """Whether the file exists and always was this run's; half written it counts as such."""
        with self._at_file:
            text = self._folder.read(LOCK)
        holder = _holder_in(text)
        if text is None or (holder and holder["run"] != self._identity["run"]):
            self.is_lost = True
        return not self.is_lost

    def _settle(self) -> None:
        """Return once all processes that took the file at the same time have written it."""
        end = time.monotonic() + SETTLED
        while self._is_mine() and time.monotonic() < end:
            stop_if_cancelled()
            time.sleep(SETTLED / 10)

    def _remove_lock(self) -> None:
        if self._is_mine():
            self._folder.remove(LOCK)

    def _beat(self) -> None:
        """Say that this run goes on; where that fails once, it is tried again."""
        times, written = 0, time.time()
        while not self._left.wait(BEAT):
            times += 1
            with suppress(Exception):  # of Java: the network, a session that stops
                looked = time.time()  # monotonic clocks stand still while a machine sleeps
                if not self._is_mine():
                    return
                try:
                    with self._at_file:
                        self._folder.write(LOCK, self._text(times))
                finally:
                    # Held up in between so long that another run may have taken over, and is past
                    # the seconds in which it would have seen this file and given in.
                    late = time.time()
                    if late - written >= ABANDONED - BEAT and late - looked >= SETTLED:
                        self.is_lost = True
                written = looked

    def _was_killed(self) -> bool:
        """Wait until the run whose file is there is over; whether it left the file."""
        if not self._take_over:
            raise ClusterError(
                f"{self._taken()} " + gettext("Where that run was killed, go on with --resume.")
            )
        last = self._folder.read(LOCK)
        if _is_gone(last):
            return True
        end = time.monotonic() + ABANDONED
        while time.monotonic() < end:
            stop_if_cancelled()
            time.sleep(LOOKS)
            text = self._folder.read(LOCK)
            if text is None:
                return False
            if text not in (last, ""):
                raise ClusterError(self._taken())
        return True

    def _taken(self) -> str:
        holder = _holder_in(self._folder.read(LOCK))
        location = printable_name(self._folder.address)
        if not holder:
            return gettext("Another run writes into {place}.", place=location)
        host = shown_value(holder["host"].split()[0])
        return gettext("Another run (on {host}) writes into {place}.", host=host, place=location)

    def _text(self, times: int) -> str:
        return json.dumps({**self._identity, "times": times})


def _holder_in(text: str | None) -> dict[str, str] | None:
    try:
        holder = json.loads(text or "")
        return {"process": str(int(holder["process"]))} | {
            name: str(holder[name]) for name in ("host", "run")
        }
    except (ValueError, KeyError, TypeError):
        return None


def _is_gone(text: str | None) -> bool:
    """Whether the process of a run was on this machine and has ended."""
    import psutil

    holder = _holder_in(text)
    return bool(
        holder and holder["host"] == _here() and not psutil.pid_exists(int(holder["process"]))
    )


def _here() -> str:
    """This machine and, within it, the space that numbers of processes belong to."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = "-"
    return f"{socket.gethostname() or '-'} {space}"


def requested_run(
    session: SparkSession,
    sources: Sequence[str],
    target: Folder,
    settings: ScanSettings,
    options: RunOptions,
) -> Manifest:
    """The manifest of the requested run.

    Raises:
        ClusterError: A source is not there, or overlaps with the target.
    """
    inputs = []
    for number, source in enumerate(sources):
        folder = Folder(session, source)
        held = folder.held()
        if held is None:
            raise ClusterError("There is no {place}.", place=shown(folder.address))
        if overlap(target.address, folder.address):
            raise ClusterError(
                "The tables of a run cannot lie where its documents are: {place} and "
                "{other}. Give another target.",
                place=shown(target.address),
                other=shown(folder.address),
            )
        role = options.roles[number] if number < len(options.roles) else Role.REVIEW
        inputs.append(Source(folder.address, role, *held))
    return Manifest(
        settings=settings,
        reading=options.reading,
        rules=options.rules,
        sources=tuple(inputs),
        text_column=options.text_column,
        id_column=options.id_column,
        versions=versions(),
        started=now(),
    )


def earlier_run(folder: Folder, requested: Manifest, *, resume: bool) -> Manifest | None:
    """The run that a target holds already and that this one goes on with; None for none.

    Raises:
        ClusterError: The target holds something else, or a run that this one cannot go on with.
    """
    if not folder.exists():
        return None
    if not folder.is_folder():
        raise ClusterError(
            "{place} is a file. Give a folder for the run.", place=shown(folder.address)
        )
    names = [name for name in folder.names() if name != LOCK]
    text = folder.read(FINISHED) or folder.read(STARTED)
    if text is None:
        if names:
            raise ClusterError(
                "{place} holds something else than a run, as “{name}”. Give a folder that is "
                "empty or not there.",
                place=shown(folder.address),
                name=printable_name(names[0]),
            )
        return None
    earlier = manifest_in(folder, text)
    if not resume:
        raise ClusterError(
            gettext(
                "{place} holds a finished run. Give another folder.", place=shown(folder.address)
            )
            if earlier.result
            else gettext(
                "{place} holds a run that was stopped. Go on with --resume, or give another "
                "folder.",
                place=shown(folder.address),
            )
        )
    changes = earlier.differences(requested)
    if changes:
        raise ClusterError(
            "The run in {place} cannot go on: {others} are not what they were when it began. "
            "Give another folder.",
            place=shown(folder.address),
            others=listed([gettext(change) for change in changes]),
        )
    return earlier


def manifest_in(folder: Folder, text: str) -> Manifest:
    """A manifest that was read in a folder.

    Raises:
        ClusterError: It is none.
    """
    try:
        return Manifest.of_json(text)
    except ClusterError as error:
        raise ClusterError(
            "What {place} says of its run cannot be used: {why}",
            place=shown(folder.address),
            why=error,
        ) from error


def now() -> str:
    """The time as manifests have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


logger = logging.getLogger(__name__)
KEPT = N_("The stages that are finished are kept: go on with --resume.")
UNKEPT = (
    "every process compiles them anew, which takes it half a minute. Name a folder for them: "
    "--conf spark.executorEnv.NUMBA_CACHE_DIR=FOLDER."
)


class Run:
    """A run that may write.

    Attributes:
        stages: Its tables.
    """

    def __init__(self, stages: Stages, folder: Folder, manifest: Manifest, lock: RunLock) -> None:
        self.stages = stages
        self._lock = lock
        self._folder = folder
        self._manifest = manifest

    @property
    def result(self) -> RunResult | None:
        """Its result; None while it is unfinished."""
        return self._manifest.result

    def finish(self, result: RunResult) -> None:
        """Write the finished manifest, and remove internal files.

        Raises:
            ClusterError: Another run has taken over.
        """
        self._manifest = replace(self._manifest, result=result, finished=now())
        self._lock.require()
        self._folder.publish(FINISHED, self._manifest.as_json())
        for name in self._folder.names():
            if name.startswith("_") and name != LOCK:
                self._lock.require()
                self._folder.remove(name)


@contextmanager
def started_run(
    session: SparkSession,
    sources: Sequence[str],
    target: str,
    settings: ScanSettings,
    options: RunOptions,
) -> Iterator[Run]:
    """A run into a target, from the first look at the cluster to the last table.

    Within it, cancelling stops the jobs of Spark, and errors of Spark become sentences.

    Raises:
        ClusterError: The cluster, a source or the target cannot be used, or another run has the
            target.
    """
    require_classic(session)
    with ExitStack() as stack:
        stack.enter_context(spark_work(session))
        stack.enter_context(set_for_a_run(session, options.partitions))
        folder = Folder(session, target)
        requested = requested_run(session, sources, folder, settings, options)
        earlier_run(folder, requested, resume=options.resume)
        is_new = not folder.exists()
        folder.make()
        lock = RunLock(folder, take_over=options.resume)
        if is_new:
            stack.callback(_remove_empty, folder, lock)
        stack.enter_context(lock)
        manifest = earlier_run(folder, requested, resume=options.resume) or requested
        if not manifest.result:
            _look_around(session, manifest, folder)
        _begin(folder, manifest, lock)
        try:
            yield Run(Stages(session, folder.address, lock.require), folder, manifest, lock)
        except Exception as error:
            if not _forgotten(folder, lock):
                error.add_note(gettext(KEPT))
            raise


def finished_run(session: SparkSession, target: str) -> Manifest:
    """The manifest of a finished run.

    Raises:
        ClusterError: There is no finished run.
    """
    require_classic(session)
    with spark_work(session):
        folder = Folder(session, target)
        text = folder.read(FINISHED)
        if text is None:
            message = gettext("There is no finished run in {place}.", place=shown(folder.address))
            if folder.exists(STARTED):
                message += " " + gettext("It was stopped: go on with --resume.")
            raise ClusterError(message)
        return manifest_in(folder, text)


def _look_around(session: SparkSession, manifest: Manifest, folder: Folder) -> None:
    """Refuse executors that would change the result, and prepare the rest."""
    folders = [Folder(session, source.place) for source in manifest.sources]
    local = [
        source_folder.local
        for source_folder in [*folders, folder]
        if source_folder.local is not None
    ]
    with named(session, "executors"):
        require_executors(session, [path for path in local if path.exists()])
        unkept = prepare_executors(session)
    if unkept:
        where = listed([printable_name(host) for host in unkept])
        logger.warning("No compiled kernels can be kept on %s: %s", where, UNKEPT)


def _begin(folder: Folder, manifest: Manifest, lock: RunLock) -> None:
    """Write the manifest, and remove the drafts of an earlier run."""
    lock.require()
    if not manifest.result and not folder.exists(STARTED):
        folder.publish(STARTED, manifest.as_json())
    for name in folder.names():
        if name.startswith(DRAFT):
            lock.require()
            folder.remove(name)


def _forgotten(folder: Folder, lock: RunLock) -> bool:
    """Whether a run has finished no stage; then another one may begin in its folder."""
    with suppress(Exception):  # of Java, that may be gone
        names = [name for name in folder.names() if name != LOCK]
        if all(name == STARTED or name.startswith(DRAFT) for name in names):
            for name in names:
                lock.require()
                folder.remove(name)
            return True
    return False


def _remove_empty(folder: Folder, lock: RunLock) -> None:
    """Leave no empty folder of a run that did not begin."""
    with suppress(Exception):  # of Java, that may be gone
        if not lock.is_lost:
            folder.remove_empty()
