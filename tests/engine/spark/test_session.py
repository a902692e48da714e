"""Where there can be no session, a sentence says why."""

import stat
import sys

import pytest

from core.errors import ClusterError
from core.spark import session
from core.spark.session import OF_A_RUN, require_classic, set_for_a_run, start


@pytest.fixture
def no_session(monkeypatch):
    """As at a start: no session yet, and no Java that spark-submit would have brought."""
    from pyspark.sql import SparkSession

    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)


def java(folder, version):
    """A Java that says it has this version."""
    home = folder / version
    (home / "bin").mkdir(parents=True)
    program = home / "bin" / "java"
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2020' >&2\n")
    program.chmod(stat.S_IRWXU)
    return str(home)


@pytest.mark.parametrize(("version", "found"), [("1.8.0_392", "8"), ("11.0.2", "11")])
@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell stands for Java")
def test_an_old_java_is_refused(monkeypatch, tmp_path, no_session, version, found):
    monkeypatch.setenv("JAVA_HOME", java(tmp_path, version))

    with pytest.raises(ClusterError, match=rf"has version {found}, and Spark 4 needs 17 or newer"):
        start("local[1]", {})


def test_no_java_is_told(monkeypatch, tmp_path, no_session):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(ClusterError, match=r"Java is missing: .* JAVA_HOME is .*, and has none"):
        start("local[1]", {})

    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        ClusterError, match=r"Java is missing: Spark 4 needs version 17 or newer\.$"
    ):
        start("local[1]", {})


def test_no_pyspark_is_told(monkeypatch):
    monkeypatch.setattr(session, "find_spec", lambda name: None)

    with pytest.raises(ClusterError, match=r'source, type pip install "\.\[spark\]"'):
        start("local[1]", {})


def test_a_session_of_spark_connect_is_refused():
    class Connect:
        @property
        def _jvm(self):
            raise AttributeError

    with pytest.raises(ClusterError, match="classic Spark"):
        require_classic(Connect())


def test_a_session_of_somebody_else_gets_its_settings_back(spark):
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.set(name, "77")
    before = spark.conf.get("spark.sql.shuffle.partitions")
    try:
        with set_for_a_run(spark, 5):
            assert spark.conf.get(name) == OF_A_RUN[name]
            assert spark.conf.get("spark.sql.shuffle.partitions") == "5"
        assert spark.conf.get(name) == "77"
        assert spark.conf.get("spark.sql.shuffle.partitions") == before
    finally:
        spark.conf.set(name, OF_A_RUN[name])
