"""A Spark session, or a sentence that says why there is none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from core.errors import ClusterError
from core.spark.failures import INSTALL, sentence_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEAST_JAVA = 17
# What a run needs of any session, also of one that somebody else has made.
OF_A_RUN = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    "spark.sql.execution.arrow.maxBytesPerBatch": "64m",  # texts may be long
    "spark.sql.session.timeZone": "UTC",
}
QUIET = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}
LOG_LEVEL = "spark.log.level"
PYTHON, PYTHON_SETTING = "PYSPARK_PYTHON", "spark.pyspark.python"
GATEWAY = "PYSPARK_GATEWAY_PORT"  # set by spark-submit: there is Java, and it has the settings
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def start(master: str, settings: Mapping[str, str]) -> SparkSession:
    """The session of this process, or a new one.

    Args:
        master: As Spark names it, "local[*]" or "spark://host:7077"; "" for what is configured.
        settings: Settings of Spark, by name.

    Raises:
        ClusterError: PySpark or Java is missing or too old, or the cluster does not answer.
    """
    if find_spec("pyspark") is None:
        raise ClusterError(f"PySpark is missing. To install it, {INSTALL}.")
    from pyspark.sql import SparkSession

    is_new = GATEWAY not in os.environ and SparkSession.getActiveSession() is None
    if is_new:
        _require_java()
        # Spark would take any python3 that is found first.
        os.environ.setdefault(PYTHON, settings.get(PYTHON_SETTING, sys.executable))
    builder = SparkSession.builder.appName("neardup")
    if master:
        builder = builder.master(master)
    for name, value in {**QUIET, **OF_A_RUN, **settings}.items():
        builder = builder.config(name, value)
    with _java_kept_quiet(is_new=is_new and LOG_LEVEL not in settings) as said:
        try:
            session: SparkSession = builder.getOrCreate()
        except Exception as error:
            raise _why_not_started(error, said) from error
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
            "Neardup needs a session of classic Spark, and this one is of Spark Connect. Start it "
            "with spark-submit, or in a notebook on a cluster of your own."
        ) from error
    if jvm is None:
        raise ClusterError("The Spark session has ended. Start another one.")


@contextmanager
def set_for_a_run(session: SparkSession, partitions: int) -> Iterator[None]:
    """Within it, the session has the settings that a run needs; it may be somebody else's.

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
        where = f" JAVA_HOME is {home}, and has none." if home else ""
        raise ClusterError(f"Java is missing: Spark 4 needs version {LEAST_JAVA} or newer.{where}")
    try:
        done = subprocess.run([java, "-version"], capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ClusterError(f"Java at {java} cannot be started.") from error
    found = _VERSION.search((done.stderr + done.stdout).decode("utf-8", "replace"))
    if found and int(found[1]) < LEAST_JAVA:
        raise ClusterError(
            f"Java at {java} has version {found[1]}, and Spark 4 needs {LEAST_JAVA} or newer. Name "
            "a newer one in the environment variable JAVA_HOME."
        )


@contextmanager
def _java_kept_quiet(*, is_new: bool) -> Iterator[IO[bytes] | None]:
    """Within it, a Java that is started writes its log into a file, not on the terminal.

    Spark says a dozen lines at each start, and all that goes wrong on any executor at length. What
    matters of it comes as an exception. With a log level among the settings, all is shown.
    """
    if not is_new or not sys.stderr:
        yield None
        return
    with tempfile.TemporaryFile() as said:
        sys.stderr.flush()
        shown = os.dup(2)
        os.dup2(said.fileno(), 2)
        try:
            yield said
        finally:
            sys.stderr.flush()
            os.dup2(shown, 2)
            os.close(shown)


def _why_not_started(error: Exception, said: IO[bytes] | None) -> Exception:
    """The sentence about a session that could not be made."""
    words = ""
    if said is not None:
        said.seek(0)
        lines = said.read().decode("utf-8", "replace").splitlines()
        told = [line for line in lines if re.search(r"Exception|[Ee]rror:", line)]
        words = told[0].strip() if told else ""
    if "JAVA_GATEWAY_EXITED" in str(error):
        return ClusterError(f"Spark could not be started. {words}".rstrip())
    return sentence_of(error) or error
