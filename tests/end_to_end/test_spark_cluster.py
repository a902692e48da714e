"""A scan through a real cluster of which a worker is killed: the result is that of one machine."""

import contextlib
import csv
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from core.commands.main import main
from tests.engine.spark.tables import CHEAP, JAVA, texts_with_copies
from tests.programs import ROOT
from tests.texts import folder_with

pytestmark = pytest.mark.end_to_end("java")

PATIENCE = 600.0  # seconds: a net, for a machine that does much else
SETTINGS = ("--reworked", "off", "--compare", "bands")
FIRST_TABLES = 2  # that are whole before the worker is killed
ENVIRONMENT = {"SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": str(ROOT)}
SMALL = (
    *(f"{name}={value}" for name, value in CHEAP.items()),
    f"spark.driver.extraJavaOptions={JAVA}", f"spark.executor.extraJavaOptions={JAVA}",
    "spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1",
    "spark.driver.memory=512m", "spark.executor.memory=512m", "spark.shuffle.io.maxRetries=1",
    "spark.shuffle.io.retryWait=1s",
)  # fmt: skip


@pytest.fixture
def cluster(request, tmp_path):
    """A cluster of two workers, or of as many as the parameter says."""
    folder = folder_with(tmp_path / "cluster")
    cluster = Cluster(folder, workers=getattr(request, "param", 2))
    try:
        yield cluster
    finally:
        left = cluster.stop()
    assert left == []


@pytest.fixture
def texts(tmp_path):
    texts = enumerate([*texts_with_copies(40), ""])
    return folder_with(tmp_path / "texts", {f"{number:03d}.txt": text for number, text in texts})


def pairs_of_single_machine(texts, tmp_path):
    """The pairs as `neardup scan` writes them, by names."""
    file = tmp_path / "pairs.csv"
    assert main(["scan", str(texts), "--pairs", str(file), *SETTINGS, "--quiet"]) == 0
    rows = csv.DictReader(file.read_text("utf-8-sig").splitlines())
    return {(row["doc_a"], row["doc_b"]): row for row in rows}


def pairs_of_run(target):
    """The pairs of a run, by names."""
    from pyarrow import parquet

    documents = parquet.read_table(target / "documents", columns=["number", "id"]).to_pylist()
    names = {row["number"]: row["id"] for row in documents}
    rows = parquet.read_table(target / "pairs").to_pylist()
    return {(names[row["a"]], names[row["b"]]): row for row in rows}


def in_the_middle_of_a_stage(target, process):
    """Wait until some tables are whole and another is being written; its name."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, "the scan ended before a worker was killed"
        with contextlib.suppress(FileNotFoundError):
            names = [path.name for path in target.iterdir()]
            drafts = [name for name in names if name.startswith("_writing-")]
            finished = [name for name in names if (target / name / "_SUCCESS").exists()]
            if drafts and len(set(finished) - set(drafts)) >= FIRST_TABLES:
                return drafts[0]
        time.sleep(0.02)
    raise TimeoutError("no stage was seen at work")


def test_a_killed_worker_changes_nothing(cluster, texts, tmp_path):
    target = tmp_path / "run"
    command = [sys.executable, "-m", "core", "spark", "scan", str(texts), str(target),
               "--master", cluster.master, "--partitions", "3", *SETTINGS]  # fmt: skip
    options = [part for setting in SMALL for part in ("--conf", setting)]
    with (tmp_path / "out").open("wb") as out:
        process = subprocess.Popen(
            [*command, *options], cwd=ROOT, env={**os.environ, **ENVIRONMENT},
            stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        driver = psutil.Process(process.pid)
        try:
            stage = in_the_middle_of_a_stage(target, process)
            cluster.look()
            died = cluster.kill(1)
            assert process.wait(PATIENCE) == 0, (tmp_path / "out").read_text()
        finally:
            if process.poll() is None:
                for killed in [*driver.children(recursive=True), driver]:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        killed.kill()
                process.wait()

    output = (tmp_path / "out").read_text()
    assert died >= 2, "the worker had no executor"
    assert (
        f"neardup: {stage.partition('-')[2].partition('-')[2].strip('_').replace('_', ' ')}"
        in output
    )
    assert sorted(path.name for path in target.iterdir() if path.name.startswith("_")) == []
    expected, pairs = pairs_of_single_machine(texts, tmp_path), pairs_of_run(target)
    assert len(expected) > 10
    assert pairs.keys() == expected.keys()
    for names, row in expected.items():
        for number in ("resemblance", "containment_a", "containment_b"):
            assert f"{pairs[names][number]:.6f}" == f"{float(row[number]):.6f}"
        for number in ("shared_shingles", "longest_run"):
            assert pairs[names][number] == int(row[number])


@pytest.mark.parametrize("cluster", [0], indirect=True)
def test_a_cluster_without_workers_is_reported_and_waited_for(cluster, texts, tmp_path):
    target, out = tmp_path / "run", tmp_path / "out"
    impatient = (
        "import sys; from core.commands.main import main; from core.spark import run; "
        "run.LATE = 1.0; sys.exit(main(sys.argv[1:]))"
    )
    options = [part for setting in SMALL for part in ("--conf", setting)]
    with out.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", impatient, "spark", "scan", str(texts), str(target),
             "--master", cluster.master, *options],
            cwd=ROOT, env={**os.environ, **ENVIRONMENT}, stdout=file, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    try:
        end = time.monotonic() + PATIENCE
        while "neardup: No executor has come yet." not in (output := out.read_text()):
            assert process.poll() is None, output
            assert time.monotonic() < end, output
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        status = process.wait(PATIENCE)
    finally:
        process.kill()

    assert status == 130, out.read_text()
    assert "Traceback" not in out.read_text()
    assert not target.exists()


ADDRESS = "127.0.0.1"
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
_URL = re.compile(r"Starting Spark master at (spark://[\d.]+:\d+)")
_REGISTERED = "Successfully registered with master"


class Cluster:
    """A master and some workers of one core each; `stop` ends all that they have started.

    Attributes:
        master: Its address, for `--master`.
        workers: Their processes; each has its executors below it.
    """

    def __init__(self, folder: Path, workers: int):
        self._folder = folder
        self._seen: dict[int, psutil.Process] = {}
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),  # also where another Neardup is installed
            "SPARK_LOCAL_IP": ADDRESS,
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": JAVA,
            "PYSPARK_PYTHON": sys.executable,
        }
        self.workers: list[psutil.Process] = []
        try:
            self._start("master", MASTER)
            self.master = self._said("master", _URL)[1]
            for number in range(workers):
                name = f"worker-{number}"
                options = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / name)]
                self.workers.append(self._start(name, WORKER, *options, self.master))
            for number in range(workers):
                self._said(f"worker-{number}", re.compile(_REGISTERED))
        except BaseException:
            self.stop()
            raise

    def kill(self, worker: int) -> int:
        """Kill a worker with its executors, which have no time to say goodbye; how many died."""
        process = self.workers[worker]
        doomed = [*process.children(recursive=True), process]
        for doomed_process in doomed:
            with suppress(psutil.NoSuchProcess):
                self._seen[doomed_process.pid] = doomed_process
                doomed_process.kill()
        psutil.wait_procs([process], PATIENCE)
        return len(doomed)

    def stop(self) -> list[str]:
        """End all; what had to be killed because it did not end by itself."""
        self.look()
        for process in self._seen.values():
            with suppress(psutil.NoSuchProcess):
                process.terminate()
        _, left = psutil.wait_procs(self._seen.values(), PATIENCE)
        names = [" ".join(process.cmdline()) for process in left]
        for process in left:
            process.kill()
        return names

    def look(self) -> None:
        """Note all processes that there are below master and workers, to be ended with them."""
        for process in list(self._seen.values()):
            with suppress(psutil.NoSuchProcess):
                self._seen.update({child.pid: child for child in process.children(recursive=True)})

    def log(self, name: str) -> str:
        """The log of a master or a worker."""
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def _start(self, name: str, kind: str, *options: str) -> psutil.Process:
        import pyspark

        spark_class = Path(pyspark.__file__).parent / "bin" / "spark-class"
        with (self._folder / f"{name}.log").open("wb") as log:
            process = psutil.Popen(
                [str(spark_class), kind, "--host", ADDRESS, "--port", "0", "--webui-port", "0",
                 *options],
                env=self._environment, stdout=log, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        self._seen[process.pid] = process
        return process

    def _said(self, name: str, pattern: re.Pattern[str]) -> re.Match[str]:
        end = time.monotonic() + PATIENCE
        while not (match := pattern.search(self.log(name))):
            if time.monotonic() > end:
                raise TimeoutError(f"the {name} does not start:\n{self.log(name)}")
            time.sleep(0.1)
        return match
