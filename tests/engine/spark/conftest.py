"""One Spark for all tests of a process: to start it takes some seconds."""

import os
import shutil
import sys
import warnings
from pathlib import Path

import pyspark
import pytest

from core.spark.session import start

JARS = Path(pyspark.__file__).parent / "jars"
LOOKED_INTO = [
    jar
    for name in ("scala-library", "spark-core_", "spark-sql_", "spark-catalyst_")
    for jar in JARS.glob(f"{name}*.jar")
]
LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    # Runs are small: to compile their Java costs more than to interpret it, and to verify the
    # classes of Spark as much as a fifth of a run. What was compiled is kept.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn600m "
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote "
    "-XX:ReservedCodeCacheSize=256m -XX:-UseCodeCacheFlushing "
    "-Djdk.lang.Process.launchMechanism=VFORK",
    # Spark reads its own classes again and again: they are not to be looked for in all jars.
    "spark.driver.extraClassPath": os.pathsep.join(map(str, LOOKED_INTO)),
    # Every job sends some kilobytes, for which Spark fills 4 MB with zeros each time.
    "spark.broadcast.blockSize": "64k",
    "spark.broadcast.compress": "false",
    "spark.buffer.pageSize": "1m",
    "spark.shuffle.compress": "false",
    "spark.python.daemon.module": "tests.engine.spark.daemon",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # Spark itself is not what is tested.
    "spark.sql.lightweightPlanChangeValidation": "false",
}


def pytest_collection_modifyitems(items):
    """Begin with the tests of Spark, so that one process has them all and starts it once."""
    items.sort(key=lambda item: "spark" not in getattr(item, "fixturenames", ()))


def java_path():
    """Where Spark looks for Java; None for wherever programs are."""
    home = os.environ.get("JAVA_HOME")
    return os.path.join(home, "bin") if home else None


def write_no_checksums(session):
    """Write no file beside each local one: Hadoop starts a process for the rights of every file."""
    systems = session._jvm.org.apache.hadoop.fs.FileSystem
    systems.getLocal(session._jsc.hadoopConfiguration()).setWriteChecksum(False)


@pytest.fixture(scope="session")
def spark():
    """A Spark of two threads on this machine; on CI, it must be there."""
    if not shutil.which("java", path=java_path()):
        refuse = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        refuse("tests of Spark need Java 17 or newer")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = start("local[2]", LOCAL)
    write_no_checksums(session)
    yield session
    session.stop()
