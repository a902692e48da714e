"""The run around the stages: who may write where, what a run goes on with, what it leaves."""

from __future__ import annotations

import json
import socket
import stat
import sys
import time

import pytest

from core.aside.rules import AsideRules, Phrase
from core.documents.model import Role
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ClusterError, ScanCancelledError
from core.settings import ScanSettings
from core.spark import executors, partitions, session
from core.spark.executors import prepare_executors, require_executors
from core.spark.file_system import Folder
from core.spark.manifest import Manifest, RunOptions, RunResult, Source
from core.spark.run import RunLock, begun, finished_run
from core.spark.session import (
    OF_A_RUN,
    StageProgress,
    Watch,
    require_classic,
    set_for_a_run,
    spark_work,
    start,
)


def test_only_stages_are_told_and_no_lines_of_the_program(spark):
    watch = Watch(spark)
    spark.range(3).limit(0).toArrow()  # Spark names a job of no task by its line
    spark.sparkContext.setLocalProperty("spark.job.description", "_left_out")
    try:
        spark.range(3).toArrow()
    finally:
        spark.sparkContext.setLocalProperty("spark.job.description", None)

    (stage,) = watch.stages()
    assert stage.name == "_left_out"
    assert stage.summary().startswith("left out: ")


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


MANIFEST = Manifest(
    settings=ScanSettings(k=4, seed=9, bands=10, rows=3, signature_size=64),
    reading=ReadingSettings(archives=True, limits=ReadingLimits(seconds=7), passwords=("geheim",)),
    rules=AsideRules(quotations=True, phrases=(Phrase("“one” two"),)),
    sources=(Source("hdfs://name/图书", Role.REFERENCE, 3, 4_000_000_000, 17),),
    text_column="body",
    versions={"neardup": "0.1.0"},
    begun="2026-01-02T03:04:05Z",
    finished="2026-01-02T03:14:05Z",
    result=RunResult(120, 45, 12, 3, ("A note.",)),
)


def test_a_manifest_comes_back_without_passwords():
    text = MANIFEST.as_json()
    back = Manifest.of_json(text)

    assert "geheim" not in text
    assert back.reading.passwords == ()
    assert back.differences(MANIFEST) == []
    assert (back.begun, back.finished, back.result) == (
        MANIFEST.begun, MANIFEST.finished, MANIFEST.result
    )  # fmt: skip
    assert Manifest.of_json(back.as_json()) == back


def test_what_another_run_was_asked_for_is_named():
    other = Manifest.of_json(MANIFEST.as_json().replace('"seed": 9', '"seed": 10'))

    assert MANIFEST.differences(other) == ["the settings"]


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something"}, {"version": 2}, {"settings": {}}, {"sources": [{}]},
        {"result": {"pairs": 1}}, {"limits": {"seconds": 1, "more": 2}}, {"rules": {"common": "a"}},
        {"sources": [{"place": "a", "role": "b", "files": 1, "bytes": 1, "changed": 0}]},
    ],
)  # fmt: skip
def test_what_is_no_manifest_is_refused(change):
    told = {**json.loads(MANIFEST.as_json()), **change}

    with pytest.raises(ClusterError, match=r"\.$"):
        Manifest.of_json(json.dumps(told))
    for text in ("", "[]", "{", "[" * 100_000, "{}"):
        with pytest.raises(ClusterError, match=r"\.$"):
            Manifest.of_json(text)


SETTINGS = ScanSettings(k=4)
RESULT = RunResult(7, 3, 1, 0, ("A note.",))


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("one two three")
    return folder


def run(spark, source, target, *, resume=False, settings=SETTINGS, cancelled=lambda: False):
    options = RunOptions(resume=resume, partitions=2)
    return begun(spark, [str(source)], str(target), settings, options, cancelled)


def held(folder):
    return sorted(path.name for path in folder.iterdir())


def numbers(spark, made):
    """A stage's table that counts how often it is made."""

    def make():
        made.append(1)
        return spark.range(0, 10, 1, 2)

    return make


def test_a_run_that_failed_goes_on_after_its_last_stage(spark, source, tmp_path):
    target, made, fails = tmp_path / "run", [], []

    def fail():
        fails.append(1)
        return spark.range(5).selectExpr("raise_error('broken') AS id")

    def first_run():
        with run(spark, source, target) as one:
            one.stages.table("_first", numbers(spark, made))
            one.stages.table("second", fail)

    with pytest.raises(ClusterError, match="broken") as raised:
        first_run()
    assert raised.value.__notes__ == ["The stages that are finished are kept: go on with --resume."]
    assert [name for name in held(target) if not name.startswith("_writing-")] == [
        "_begun.json", "_first"
    ]  # fmt: skip
    with pytest.raises(ClusterError, match="holds a run that was stopped"):
        run(spark, source, target).__enter__()

    with run(spark, source, target, resume=True) as two:
        assert two.result is None
        assert not any(name.startswith("_writing-") for name in held(target))
        two.stages.table("_first", numbers(spark, made))
        table = two.stages.table("second", numbers(spark, made))
        assert table.count() == 10
        two.finish(RESULT)
        assert two.result == RESULT
    assert (len(made), len(fails)) == (2, 1)
    assert held(target) == ["run.json", "second"]

    manifest = finished_run(spark, str(target))
    assert (manifest.settings, manifest.result) == (SETTINGS, RESULT)
    assert manifest.sources[0][1:4] == (Role.REVIEW, 1, 13)
    with run(spark, source, target, resume=True) as three:
        assert three.result == RESULT
    with pytest.raises(ClusterError, match="holds a finished run"):
        run(spark, source, target).__enter__()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda source: {"settings": ScanSettings(k=5)}, "the settings are not what"),
        (lambda source: (source / "b.txt").write_text("more") and {}, "the sources or what they"),
    ],
)
def test_a_run_goes_on_with_the_same_only(spark, source, tmp_path, change, words):
    target = tmp_path / "run"
    with run(spark, source, target) as one:
        one.stages.table("first", lambda: spark.range(5))

    more = change(source)

    with pytest.raises(ClusterError, match=words):
        run(spark, source, target, resume=True, **more).__enter__()


def test_a_run_that_finished_no_stage_leaves_nothing(spark, source, tmp_path):
    target = tmp_path / "run"

    def first_run():
        with run(spark, source, target) as one:
            one.stages.table("first", lambda: spark.range(5).selectExpr("raise_error('broken')"))

    with pytest.raises(ClusterError, match="broken") as raised:
        first_run()

    assert not hasattr(raised.value, "__notes__")
    assert not target.exists()
    with run(spark, source, target, settings=ScanSettings(k=5)) as two:
        assert two.result is None


def test_what_a_target_cannot_be_is_said(spark, source, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("mine")
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "run.json").write_text("{")

    for target, words in (
        (other, "holds something else than a run, as “letter.txt”"),
        (other / "letter.txt", "is a file"),
        (damaged, "cannot be used: It is damaged"),
        (source / "run", "cannot lie where its documents are"),
        ("s4://bucket/run", "no file system for “s4:”"),
    ):
        with pytest.raises(ClusterError, match=words):
            run(spark, source, target).__enter__()
    with pytest.raises(ClusterError, match=r"There is no “file:.*/nowhere”\.$"):
        run(spark, tmp_path / "nowhere", tmp_path / "run").__enter__()
    with pytest.raises(ClusterError, match="no finished run"):
        finished_run(spark, str(tmp_path / "run"))
    assert held(other) == ["letter.txt"]
    assert not (tmp_path / "run").exists()


def test_a_run_has_its_target_for_itself(spark, source, tmp_path):
    target = tmp_path / "run"
    with (
        run(spark, source, target),
        pytest.raises(ClusterError, match=r"Another run.* writes into"),
    ):
        RunLock(Folder(spark, str(target)), take_over=False).__enter__()
    assert [name for name in held(target) if name.startswith("_lock-")] == []


def test_what_spark_does_is_stopped_when_asked(spark, source, tmp_path):
    looks = []

    def cancelled():
        looks.append(1)
        return len(stages) > 0

    stages = []

    def wait(batches):
        for batch in batches:
            time.sleep(120)
            yield batch

    def make():
        stages.append(1)
        return spark.range(0, 4, 1, 4).mapInArrow(wait, "id LONG")

    with (
        pytest.raises(ScanCancelledError),
        run(spark, source, tmp_path / "run", cancelled=cancelled) as one,
    ):
        one.stages.table("slow", make)
    assert looks
    assert not (tmp_path / "run" / "slow").exists()


def test_executors_are_looked_at_first(spark, tmp_path):
    hosts = require_executors(spark, [tmp_path], lambda: False)

    assert hosts == [socket.gethostname()]
    assert prepare_executors(spark) == []  # where make has prepared kernels, they are there
    with pytest.raises(ClusterError, match=r"does not see .*nowhere. Give a folder"):
        require_executors(spark, [tmp_path, tmp_path / "nowhere"], lambda: False)


def test_an_executor_with_another_version_is_refused(spark, tmp_path, monkeypatch):
    other = {**session.versions(), "numba": "0.1", "neardup": "9.9 (0)"}
    monkeypatch.setattr(executors, "versions", lambda: other)
    with pytest.raises(ClusterError, match=r"has neardup .* instead of 9.9 \(0\), numba .* of 0.1"):
        require_executors(spark, [], lambda: False)

    monkeypatch.setattr(session, "versions", lambda: other)
    frame = partitions.mapped(spark.range(3), iter, "id LONG")
    with pytest.raises(ClusterError, match=r"An executor on .* instead of"), spark_work(spark):
        frame.collect()


def test_stages_are_watched(spark, source, tmp_path):
    watch = Watch(spark)
    with run(spark, source, tmp_path / "run") as one:
        one.stages.table("_pairs_of_bands", lambda: spark.range(100).repartition(3))
        one.stages.table("groups", lambda: spark.range(5))

    look, first, second = watch.stages()

    assert (look.name, first.name, second.name) == ("executors", "_pairs_of_bands", "groups")
    assert first.done == first.total >= 4
    assert first.shuffled > 0 == second.shuffled
    assert first.summary().startswith("pairs of bands: ")
    assert watch.stages()[1][:5] == first[:5]


def test_the_time_left_is_guessed_from_what_is_done():
    stage = StageProgress("pairs", 30, 120, 2_000_000, 0, 60.0)

    assert stage.words() == "pairs: 30 of 120 tasks, about 3 min left, 2 MB shuffled"
    assert stage._replace(seconds=1.0).words() == "pairs: 30 of 120 tasks, 2 MB shuffled"
    assert stage._replace(spilled=5000).summary() == (
        "pairs: 120 tasks, 60 s, 2 MB shuffled, 5 kB spilled to disk"
    )
