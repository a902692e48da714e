"""One Spark for all tests of a process: to start it takes some seconds."""

import os
import shutil
import sys
import warnings
from pathlib import Path

import pyspark
import pytest

from core.spark.session import start
from tests.engine.spark.tables import CHEAP, JAVA

JARS = Path(pyspark.__file__).parent / "jars"
LOOKED_INTO = [
    jar
    for name in ("scala-library", "spark-core_", "spark-sql_", "spark-catalyst_")
    for jar in JARS.glob(f"{name}*.jar")
]
LOCAL = {
    **CHEAP,
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": f"{JAVA} -Xmn600m",
    # Spark reads its own classes again and again: they are not to be looked for in all jars.
    "spark.driver.extraClassPath": os.pathsep.join(map(str, LOOKED_INTO)),
    "spark.sql.shuffle.partitions": "2",
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
