"""A Spark session, or a sentence that says why there is none.

Whether the executors have the same Neardup as the driver.

All that decides a number of a result has to be the same on all of them: Neardup itself, the
packages it counts, stems and reads with, and the tables of characters of Python.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import xxhash

from core import __version__, errors
from core.base.messages import N_, gettext, localized, ngettext
from core.base.patterns import lazy_pattern
from core.base.tasks import is_cancelled
from core.base.wording import count, readable_size
from core.errors import ClusterError, NeardupError, ScanCancelledError
from core.reports.shown_text import installed_version

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from core.spark.columns import Batches

WARMED = 5.0  # seconds after which the time left is guessed
RUNNING = "RUNNING"
NAME = lazy_pattern("[a-z0-9_]+")  # of a table


class StageProgress(NamedTuple):
    """Where a stage of a run is.

    Attributes:
        name: Of its table.
        done: Tasks that are done.
        total: Known tasks; Spark adds more on its way.
        shuffled: Bytes written for a shuffle.
        spilled: Bytes written to disk where memory was short.
        seconds: Since it began.
    """

    name: str
    done: int
    total: int
    shuffled: int
    spilled: int
    seconds: float

    def words(self) -> str:
        """The progress, and how long the rest may take."""
        tasks = ngettext("{n} task", "{n} tasks", self.total)
        parts = [
            gettext(
                "{stage}: {done} of {tasks}", stage=self._title, done=count(self.done), tasks=tasks
            )
        ]
        left = self.seconds * (self.total - self.done) / max(1, self.done)
        if self.done and left and self.seconds > WARMED:
            parts.append(gettext("about {time} left", time=_duration(left)))
        return ", ".join([*parts, *self._bytes()])

    def summary(self) -> str:
        """The tasks, time and bytes that it took."""
        took = [ngettext("{n} task", "{n} tasks", self.total), _duration(self.seconds)]
        return f"{self._title}: {', '.join([*took, *self._bytes()])}"

    @property
    def _title(self) -> str:
        words = self.name.strip("_").split("_")
        return " ".join(word for word in words if not word.isdigit())  # a number tells rounds apart

    def _bytes(self) -> Iterator[str]:
        if self.shuffled:
            yield gettext("{size} shuffled", size=readable_size(self.shuffled))
        if self.spilled:
            yield gettext("{size} spilled to disk", size=readable_size(self.spilled))


class _Job(NamedTuple):
    name: str
    is_running: bool
    done: int
    total: int
    shuffled: int
    spilled: int


class Watch:
    """The work of Spark for each stage since the watch was made.

    Spark forgets old jobs; ask it now and then.
    """

    def __init__(self, session: SparkSession) -> None:
        self._store: Any = session._jsc.sc().statusStore()  # noqa: SLF001 - no other way
        jobs = self._store.jobsList(None)
        numbers = [int(jobs.apply(index).jobId()) for index in range(jobs.size())]
        self._next = max(numbers, default=-1) + 1
        self._jobs: dict[int, _Job] = {}
        self._times: dict[str, tuple[float, float]] = {}

    def stages(self) -> list[StageProgress]:
        """All stages so far, in the order in which they began; the last one may go on."""
        self._look()
        now = time.monotonic()
        sums: dict[str, list[int]] = {}
        for job in self._jobs.values():
            if job.name:
                counters = sums.setdefault(job.name, [0, 0, 0, 0])
                for index, value in enumerate((job.done, job.total, job.shuffled, job.spilled)):
                    counters[index] += value
        for name in sums:
            self._times.setdefault(name, (now, now))
        running = {job.name for job in self._jobs.values() if job.is_running} | {*list(sums)[-1:]}
        for name in running & set(sums):
            self._times[name] = (self._times[name][0], now)
        spans = {name: end - began for name, (began, end) in self._times.items()}
        return [
            StageProgress(name, done, total, shuffled, spilled, spans[name])
            for name, (done, total, shuffled, spilled) in sums.items()
        ]

    def _look(self) -> None:
        """Update the jobs that are new or were running."""
        for number, known in self._jobs.items():
            if known.is_running:
                self._jobs[number] = self._job(number) or known._replace(is_running=False)
        while (job := self._job(self._next)) is not None:
            self._jobs[self._next] = job
            self._next += 1

    def _job(self, number: int) -> _Job | None:
        try:
            job = self._store.job(number)
        except Exception:  # noqa: BLE001 - of Java: there is none of this number
            return None
        is_running = job.status().toString() == RUNNING
        total = int(job.numTasks())
        done = int(job.numCompletedTasks()) + int(job.numSkippedTasks()) if is_running else total
        name = str(job.description().get()) if job.description().isDefined() else ""
        name = name if NAME.fullmatch(name) else ""  # other descriptions name a line in the program
        sums = list(self._bytes(job)) if name else []
        return _Job(
            name,
            is_running,
            done,
            total,
            sum(shuffled for shuffled, _ in sums),
            sum(spilled for _, spilled in sums),
        )

    def _bytes(self, job: Any) -> Iterator[tuple[int, int]]:  # noqa: ANN401 - a Java object
        ids = job.stageIds()
        for index in range(ids.size()):
            try:
                stage = self._store.lastStageAttempt(ids.apply(index))
            except Exception:  # noqa: BLE001, S112 - of Java: it has not begun, or is forgotten
                continue
            yield int(stage.shuffleWriteBytes()), int(stage.diskBytesSpilled())


def _duration(seconds: float) -> str:
    """A time in one unit: "32 s", "5 min", "2.5 h"."""
    if seconds < 100:
        return gettext("{number} s", number=f"{seconds:.0f}")
    if seconds < 6000:
        return gettext("{number} min", number=f"{seconds / 60:.0f}")
    return gettext("{number} h", number=localized(f"{seconds / 3600:.1f}"))


LONGEST = 300  # characters of messages that we have no sentence for
MODULES = ("pyspark", "py4j")
# As the last line of a traceback of Python on an executor says it.
_OURS = lazy_pattern(r"^\s*core\.errors\.(\w+): (.+)$", re.MULTILINE)
_CAUSE = lazy_pattern(
    r"^\s*(?:Caused by: )?[\w.$]+(?:Exception|Error|Failure): (.+)$", re.MULTILINE
)

_NO_SPACE = N_(
    "There is no space left, for what Spark shuffles or for the tables of the run. Free some, or "
    "give Spark another folder for what it shuffles: --conf spark.local.dir=FOLDER."
)
# From the source: on a package index, the name may belong to somebody else.
INSTALL = N_('in the folder of this Neardup\'s source, type pip install ".[spark]"')
_NO_NEARDUP = N_(
    "An executor has no Neardup, or another version of it. With the Python of the executors, "
    "{install}."
)
_NO_PACKAGE = N_(
    "An executor lacks the Python package {thing}. With the Python of the executors, {install}."
)
_PYTHON_DIFFERS = N_(
    "The executors have Python {thing} and this program has {other}: both must be the same. Name "
    "the Python of the executors in the environment variable PYSPARK_PYTHON."
)
_NO_PYTHON = N_(
    "An executor cannot start Python as “{thing}”. Name its Python in the environment variable "
    "PYSPARK_PYTHON."
)
_NO_FILE_SYSTEM = N_(
    "Spark has no file system for “{thing}:”. Give it the package that brings it, for s3a: --conf "
    "spark.jars.packages=org.apache.hadoop:hadoop-aws:VERSION, with the version of Spark's Hadoop."
)
_NO_CLUSTER = N_(
    "The cluster does not answer, or has ended the application. See to its master, and to what "
    "--master names."
)
_NO_MEMORY = N_(
    "An executor had not enough memory. Give executors more (--conf spark.executor.memory=8g, and "
    "spark.executor.memoryOverhead for Python), or tables more parts (--partitions)."
)
_NO_MEMORY_OF_PYTHON = N_(
    "A Python process of an executor has ended without a word, as the system ends one for which it "
    "has no memory left. Give Python more (--conf spark.executor.memoryOverhead=4g), tables more "
    "parts (--partitions), or, on local[*], use fewer threads (--master local[2])."
)
# The first that is found counts. Groups of the pattern stand in the sentence.
_SENTENCES = (
    (r"No space left on device|Disk quota exceeded|not enough space on the disk", _NO_SPACE),
    (r"No module named '(?:core|neardup)\b", _NO_NEARDUP),
    (r"No module named '([\w.]+)'", _NO_PACKAGE),
    (r"different version(?: in worker)?: (\S+) than that in driver:? ([\d.]+\d)", _PYTHON_DIFFERS),
    (r'Cannot run program "([^"]+)"', _NO_PYTHON),
    (r'No FileSystem for scheme "?(\w+)', _NO_FILE_SYSTEM),
    (r"Class org\.apache\.hadoop\.fs\.(\w+)\.\S+ not found", _NO_FILE_SYSTEM),
    (r"All masters are unresponsive|Master removed our application", _NO_CLUSTER),
    (r"Cannot call methods on a stopped SparkContext|SparkContext was shut down", _NO_CLUSTER),
    (r"Could not parse Master URL: '?([^'\s]+)", N_("Spark knows no master “{thing}”.")),
    (r"OutOfMemoryError|Container killed|MemoryError|exit(?:ed)?(?: with)? code:? (?:137|52)\b",
     _NO_MEMORY),
    (r"Python worker exited unexpectedly \(crashed\)(?!: )", _NO_MEMORY_OF_PYTHON),
    (r"(?:AccessControlException|AccessDeniedException|Permission denied):? ?([^\n]*)",
     N_("Spark may not read or write there: {thing}")),
    (r"UnknownHostException: (\S+)", N_("There is no computer “{thing}” that Spark could reach.")),
    (r"ExecutorLostFailure[^\n]*Reason: ([^\n]+)",
     N_("A part of the work failed on every executor that tried it: {thing}")),
    (r"Encountered error while reading file ([^\n]+?)\.(?:\s|$)",
     N_("“{thing}” cannot be read: it is damaged, or has other columns than the files beside it.")),
)  # fmt: skip


def sentence_of(error: BaseException) -> NeardupError | None:
    """An error of Spark as one of ours; None where it is not of Spark, but a fault."""
    if not any(base.__module__.split(".")[0] in MODULES for base in type(error).__mro__):
        return None
    words = str(error)
    ours = _OURS.findall(words)
    if ours:
        kind, sentence = ours[-1]
        made: NeardupError = getattr(errors, kind, ClusterError)(sentence.strip())
        return made
    for pattern, sentence in _SENTENCES:
        match = re.search(pattern, words, re.DOTALL)
        if match:
            thing, second = (*(group or "" for group in match.groups()), "", "")[:2]
            message = gettext(sentence, thing=thing, other=second, install=gettext(INSTALL))
            return ClusterError(message.strip())
    return ClusterError("Spark could not do it: {why}", why=_shortened(words))


def _shortened(words: str) -> str:
    """The message of the deepest cause, or the first line."""
    causes = _CAUSE.findall(words)
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    message = str(causes[-1]) if causes else next(iter(lines), gettext("no reason was given."))
    return message if len(message) <= LONGEST else f"{message[:LONGEST]}…"


POLL = 0.2  # seconds between two looks at whether the work is to stop


@contextmanager
def spark_work(session: SparkSession) -> Iterator[None]:
    """Within it, cancelling stops the jobs of Spark, and its errors become sentences.

    Raises:
        NeardupError: Spark could not do something; the sentence says why.
    """
    context = session.sparkContext
    over, tag = threading.Event(), f"neardup-{secrets.token_hex(8)}"

    def watch() -> None:
        while not over.wait(POLL):
            if is_cancelled():
                with suppress(Exception):  # of Java: there is nothing left to stop
                    context.cancelJobsWithTag(tag)

    watching = partial(copy_context().run, watch)
    thread = threading.Thread(target=watching, name="neardup-cancel", daemon=True)
    context.addJobTag(tag)
    thread.start()
    try:
        yield
    except Exception as error:
        sentence = sentence_of(error)
        if is_cancelled() and (sentence is not None or isinstance(error, ClusterError)):
            # A reader of a table reports that it cannot be read where its job was cancelled.
            sentence = ScanCancelledError("The scan was cancelled.")
        if sentence is None:
            raise
        for note in getattr(error, "__notes__", ()):
            sentence.add_note(note)
        raise sentence from error
    finally:
        over.set()
        thread.join()
        with suppress(Exception):  # of Java, that may be gone
            context.removeJobTag(tag)


PACKAGES = (
    "numpy", "numba", "llvmlite", "xxhash", "PyStemmer", "stop-words", "chardet", "selectolax",
    "pypdfium2", "msoffcrypto-tool", "cryptography",
)  # fmt: skip


@cache
def versions() -> dict[str, str]:
    """All that has a part in a result, by name, in this process."""
    return {
        "neardup": f"{__version__} ({_digest_of_sources()})",
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "Unicode": unicodedata.unidata_version,
        **{name: installed_version(name) or "-" for name in PACKAGES},
    }


def differences(expected: dict[str, str], actual: dict[str, str]) -> str:
    """The differences in words; "" where there are none."""
    return ", ".join(
        gettext(
            "{name} {other} instead of {own}", name=name, other=actual.get(name, "-"), own=value
        )
        for name, value in expected.items()
        if actual.get(name) != value
    )


class SameVersions:
    """Work for a partition, refused where the executor has another Neardup than the driver.

    Executors come and go during a run; so each looks before its first partition.
    """

    def __init__(self, work: Callable[[Batches], Batches]) -> None:
        self._work = work
        self._versions = versions()

    def __call__(self, batches: Batches) -> Batches:
        """Do it.

        Raises:
            ClusterError: The versions are not the same; the sentence says which.
        """
        differing = differences(self._versions, versions())
        if differing:
            raise ClusterError(
                "An executor on {host} has {other}. Install the same on all.",
                host=platform.node(),
                other=differing,
            )
        return self._work(batches)


def _digest_of_sources() -> str:
    """A digest of Neardup's code: an installation for developers keeps its version on changes."""
    top = Path(__file__).parents[1]
    digest = xxhash.xxh3_64()
    for path in sorted([*top.rglob("*.py"), *top.rglob("*.txt")]):
        digest.update(path.relative_to(top).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


LEAST_JAVA = 17
# Settings that a run needs in any session, also in one that somebody else has made.
OF_A_RUN = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    "spark.sql.execution.arrow.maxBytesPerBatch": "64m",  # texts may be long
    "spark.sql.session.timeZone": "UTC",
}
QUIET = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}
LOG_LEVEL = "spark.log.level"
PYTHON, PYTHON_SETTING = "PYSPARK_PYTHON", "spark.pyspark.python"
JAVA_OPTIONS = "SPARK_SUBMIT_OPTS"  # those in Spark's own settings come after them
# On one machine the driver does all work. What Java runs is mostly Spark itself, a second here and
# there: its thorough compiler took a third of a run's processor time, the quick one takes a tenth.
COMPILED_QUICKLY = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
GATEWAY = "PYSPARK_GATEWAY_PORT"  # set by spark-submit: there is Java, and it has the settings
_VERSION = lazy_pattern(r'version "(?:1\.)?(\d+)')


def start(master: str, settings: Mapping[str, str]) -> SparkSession:
    """The session of this process, or a new one.

    Args:
        master: As Spark names it, "local[*]" or "spark://host:7077"; "" for what is configured.
        settings: Settings of Spark, by name.

    Raises:
        ClusterError: PySpark or Java is missing or too old, or the cluster does not answer.
    """
    if find_spec("pyspark") is None:
        raise ClusterError(
            "PySpark is missing. To install it, {install}.", install=gettext(INSTALL)
        )
    from pyspark.sql import SparkSession

    is_new = GATEWAY not in os.environ and SparkSession.getActiveSession() is None
    if is_new:
        _require_java()
        # Spark would take any python3 that is found first.
        os.environ.setdefault(PYTHON, settings.get(PYTHON_SETTING, sys.executable))
        if (master or settings.get("spark.master", "")).startswith("local"):
            os.environ.setdefault(JAVA_OPTIONS, COMPILED_QUICKLY)
    builder = SparkSession.builder.appName("neardup")
    if master:
        builder = builder.master(master)
    for name, value in {**QUIET, **OF_A_RUN, **settings}.items():
        builder = builder.config(name, value)
    with _java_kept_quiet(is_new=is_new and LOG_LEVEL not in settings) as log:
        try:
            session: SparkSession = builder.getOrCreate()
        except Exception as error:
            raise _why_not_started(error, log) from error
    return session


def require_classic(session: SparkSession) -> None:
    """Raise where a session has no Java of its own: the files of a target are beyond it.

    Raises:
        ClusterError: It is one of Spark Connect.
    """
    try:
        jvm: Any = session._jvm  # noqa: SLF001 - what tells the two apart
    except Exception as error:
        raise ClusterError(
            "Neardup needs a session of classic Spark, and this one is of Spark Connect. "
            "Start it with spark-submit, or in a notebook on a cluster of your own."
        ) from error
    if jvm is None:
        raise ClusterError("The Spark session has ended. Start another one.")


@contextmanager
def set_for_a_run(session: SparkSession, partitions: int) -> Iterator[None]:
    """Context in which the session has the settings of a run; the session may not be ours.

    Args:
        session: The session.
        partitions: In how many parts tables are shuffled; 0 for what Spark chooses.
    """
    wanted = {**OF_A_RUN}
    if partitions:
        wanted["spark.sql.shuffle.partitions"] = str(partitions)
    before = {name: session.conf.get(name) for name in wanted}
    try:
        for name, value in wanted.items():
            session.conf.set(name, value)
        yield
    finally:
        with suppress(Exception):  # Java, or the session, may be gone
            for name, old in before.items():
                if old is not None:
                    session.conf.set(name, old)


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if java is None:
        where = gettext(" JAVA_HOME is {home}, and has none.", home=home) if home else ""
        raise ClusterError(
            "Java is missing: Spark 4 needs version {least_java} or newer.{where}",
            least_java=LEAST_JAVA,
            where=where,
        )
    try:
        done = subprocess.run([java, "-version"], capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ClusterError("Java at {java} cannot be started.", java=java) from error
    match = _VERSION.search((done.stderr + done.stdout).decode("utf-8", "replace"))
    if match and int(match[1]) < LEAST_JAVA:
        raise ClusterError(
            "Java at {java} has version {found}, and Spark 4 needs {least_java} or newer. "
            "Name a newer one in the environment variable JAVA_HOME.",
            java=java,
            found=match[1],
            least_java=LEAST_JAVA,
        )


@contextmanager
def _java_kept_quiet(*, is_new: bool) -> Iterator[IO[bytes] | None]:
    """Within it, a Java that is started writes its log into a file, not on the terminal.

    Spark writes a dozen lines at each start, and every failure on an executor at length. The
    important ones are raised as exceptions. With a log level among the settings, all is shown.
    """
    if not is_new or not sys.stderr:
        yield None
        return
    with tempfile.TemporaryFile() as log:
        sys.stderr.flush()
        shown = os.dup(2)
        os.dup2(log.fileno(), 2)
        try:
            yield log
        finally:
            sys.stderr.flush()
            os.dup2(shown, 2)
            os.close(shown)


def _why_not_started(error: Exception, log: IO[bytes] | None) -> Exception:
    """The sentence about a session that could not be made."""
    words = ""
    if log is not None:
        log.seek(0)
        lines = log.read().decode("utf-8", "replace").splitlines()
        matching = [line for line in lines if re.search(r"Exception|[Ee]rror:", line)]
        words = matching[0].strip() if matching else ""
    if "JAVA_GATEWAY_EXITED" in str(error):
        return ClusterError(gettext("Spark could not be started. {words}", words=words).rstrip())
    return sentence_of(error) or error
