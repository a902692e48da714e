"""A standalone cluster of Spark here: a master and workers, each a process of its own."""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pyspark

ROOT = Path(__file__).parents[2]
ADDRESS = "127.0.0.1"
PATIENCE = 300.0  # seconds: a net, for a machine that does much else
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
            "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
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
        for one in doomed:
            with suppress(psutil.NoSuchProcess):
                self._seen[one.pid] = one
                one.kill()
        psutil.wait_procs([process], PATIENCE)
        return len(doomed)

    def stop(self) -> list[str]:
        """End all; what had to be killed because it did not end by itself."""
        self.look()
        for one in self._seen.values():
            with suppress(psutil.NoSuchProcess):
                one.terminate()
        _, left = psutil.wait_procs(self._seen.values(), PATIENCE)
        names = [" ".join(one.cmdline()) for one in left]
        for one in left:
            one.kill()
        return names

    def look(self) -> None:
        """Note all processes that there are below master and workers, to be ended with them."""
        for one in list(self._seen.values()):
            with suppress(psutil.NoSuchProcess):
                self._seen.update({child.pid: child for child in one.children(recursive=True)})

    def log(self, name: str) -> str:
        """What a master or a worker has said."""
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def _start(self, name: str, kind: str, *options: str) -> psutil.Process:
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
        while not (found := pattern.search(self.log(name))):
            if time.monotonic() > end:
                raise TimeoutError(f"the {name} does not start:\n{self.log(name)}")
            time.sleep(0.1)
        return found
