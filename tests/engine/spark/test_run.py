"""A run's folder: who writes it, what an interrupted one leaves, and how it is divided."""

import json
import os
import secrets
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from itertools import pairwise

import pyarrow as pa
import pytest

from core.base.tasks import cancelled_by
from core.commands import spark as spark_command
from core.commands.main import main
from core.commands.spark import _InLog
from core.documents.model import Role
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ClusterError, LongTextError, ScanCancelledError, SettingsError
from core.exclusions.rules import ExclusionRules, Phrase
from core.settings import ScanSettings
from core.spark import partitions, run, session
from core.spark.file_system import Folder, Stages
from core.spark.manifest import Manifest, RunOptions, RunResult, Source
from core.spark.partitions import whole_runs
from core.spark.run import RunLock, finished_run, prepare_executors, require_executors, started_run
from core.spark.session import (
    OF_A_RUN,
    StageProgress,
    Watch,
    require_classic,
    sentence_of,
    set_for_a_run,
    spark_work,
    start,
)
from tests.programs import python
from tests.texts import folder_with


def test_only_stages_are_reported_and_no_lines_of_the_program(spark):
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


@pytest.mark.parametrize(("version", "java_version"), [("1.8.0_392", "8"), ("11.0.2", "11")])
@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell stands for Java")
def test_an_old_java_is_refused(monkeypatch, tmp_path, no_session, version, java_version):
    monkeypatch.setenv("JAVA_HOME", java(tmp_path, version))

    with pytest.raises(
        ClusterError, match=rf"has version {java_version}, and Spark 4 needs 17 or newer"
    ):
        start("local[1]", {})


def test_no_java_is_reported(monkeypatch, tmp_path, no_session):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(ClusterError, match=r"Java is missing: .* JAVA_HOME is .*, and has none"):
        start("local[1]", {})

    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        ClusterError, match=r"Java is missing: Spark 4 needs version 17 or newer\.$"
    ):
        start("local[1]", {})


def test_no_pyspark_is_reported(monkeypatch):
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
    rules=ExclusionRules(quotations=True, phrases=(Phrase("“one” two"),)),
    sources=(Source("hdfs://name/图书", Role.REFERENCE, 3, 4_000_000_000, 17),),
    text_column="body",
    versions={"neardup": "0.1.0"},
    started="2026-01-02T03:04:05Z",
    finished="2026-01-02T03:14:05Z",
    result=RunResult(120, 45, 12, 3, ("A note.",)),
)


def test_a_manifest_comes_back_without_passwords():
    text = MANIFEST.as_json()
    back = Manifest.of_json(text)

    assert "geheim" not in text
    assert back.reading.passwords == ()
    assert back.differences(MANIFEST) == []
    assert (back.started, back.finished, back.result) == (
        MANIFEST.started, MANIFEST.finished, MANIFEST.result
    )  # fmt: skip
    assert Manifest.of_json(back.as_json()) == back


def test_what_another_run_was_asked_for_is_named():
    changed_manifest = Manifest.of_json(MANIFEST.as_json().replace('"seed": 9', '"seed": 10'))

    assert MANIFEST.differences(changed_manifest) == ["the settings"]


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something"}, {"version": 1}, {"settings": {}}, {"sources": [{}]},
        {"result": {"pairs": 1}}, {"limits": {"seconds": 1, "more": 2}}, {"rules": {"common": "a"}},
        {"sources": [{"place": "a", "role": "b", "files": 1, "bytes": 1, "changed": 0}]},
    ],
)  # fmt: skip
def test_what_is_no_manifest_is_refused(change):
    values = {**json.loads(MANIFEST.as_json()), **change}

    with pytest.raises(ClusterError, match=r"\.$"):
        Manifest.of_json(json.dumps(values))
    for text in ("", "[]", "{", "[" * 100_000, "{}"):
        with pytest.raises(ClusterError, match=r"\.$"):
            Manifest.of_json(text)


SETTINGS = ScanSettings(k=4)
RESULT = RunResult(7, 3, 1, 0, ("A note.",))


@pytest.fixture
def source(tmp_path):
    return folder_with(tmp_path / "texts", {"a.txt": "one two three"})


def run_scan(spark, source, target, *, resume=False, settings=SETTINGS):
    options = RunOptions(resume=resume, partitions=2)
    return started_run(spark, [str(source)], str(target), settings, options)


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
        with run_scan(spark, source, target) as run_of_scan:
            run_of_scan.stages.table("_first", numbers(spark, made))
            run_of_scan.stages.table("second", fail)

    with pytest.raises(ClusterError, match="broken") as raised:
        first_run()
    assert raised.value.__notes__ == ["The stages that are finished are kept: go on with --resume."]
    assert [name for name in held(target) if not name.startswith("_writing-")] == [
        "_begun.json", "_first"
    ]  # fmt: skip
    with pytest.raises(ClusterError, match="holds a run that was stopped"):
        run_scan(spark, source, target).__enter__()

    with run_scan(spark, source, target, resume=True) as two:
        assert two.result is None
        assert not any(name.startswith("_writing-") for name in held(target))
        two.stages.table("_first", numbers(spark, made))
        assert two.stages.table("second", numbers(spark, made)).count() == 10
        two.finish(RESULT)
        assert two.result == RESULT
    assert (len(made), len(fails)) == (2, 1)
    assert held(target) == ["run.json", "second"]

    manifest = finished_run(spark, str(target))
    assert (manifest.settings, manifest.result) == (SETTINGS, RESULT)
    assert manifest.sources[0][1:4] == (Role.REVIEW, 1, 13)
    with run_scan(spark, source, target, resume=True) as three:
        assert three.result == RESULT
    with pytest.raises(ClusterError, match="holds a finished run"):
        run_scan(spark, source, target).__enter__()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda source: {"settings": ScanSettings(k=5)}, "the settings are not what"),
        (lambda source: (source / "b.txt").write_text("more") and {}, "the sources or what they"),
    ],
)
def test_a_run_goes_on_with_the_same_only(spark, source, tmp_path, change, words):
    target = tmp_path / "run"
    with run_scan(spark, source, target) as run_of_scan:
        run_of_scan.stages.table("first", lambda: spark.range(5))

    more = change(source)

    with pytest.raises(ClusterError, match=words):
        run_scan(spark, source, target, resume=True, **more).__enter__()


def test_a_run_that_finished_no_stage_leaves_nothing(spark, source, tmp_path):
    target = tmp_path / "run"

    def first_run():
        with run_scan(spark, source, target) as run_of_scan:
            run_of_scan.stages.table(
                "first", lambda: spark.range(5).selectExpr("raise_error('broken')")
            )

    with pytest.raises(ClusterError, match="broken") as raised:
        first_run()

    assert not hasattr(raised.value, "__notes__")
    assert not target.exists()
    with run_scan(spark, source, target, settings=ScanSettings(k=5)) as two:
        assert two.result is None


def test_unusable_targets_are_reported(spark, source, tmp_path):
    user_folder = folder_with(tmp_path / "other", {"letter.txt": "mine"})
    damaged = folder_with(tmp_path / "damaged", {"run.json": "{"})

    for target, words in (
        (user_folder, "holds something else than a run, as “letter.txt”"),
        (user_folder / "letter.txt", "is a file"),
        (damaged, "cannot be used: It is damaged"),
        (source / "run", "cannot lie where its documents are"),
        ("s4://bucket/run", "no file system for “s4:”"),
    ):
        with pytest.raises(ClusterError, match=words):
            run_scan(spark, source, target).__enter__()
    with pytest.raises(ClusterError, match=r"There is no “file:.*/nowhere”\.$"):
        run_scan(spark, tmp_path / "nowhere", tmp_path / "run").__enter__()
    with pytest.raises(ClusterError, match="no finished run"):
        finished_run(spark, str(tmp_path / "run"))
    assert held(user_folder) == ["letter.txt"]
    assert not (tmp_path / "run").exists()


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
        cancelled_by(cancelled),
        run_scan(spark, source, tmp_path / "run") as run_of_scan,
    ):
        run_of_scan.stages.table("slow", make)
    assert looks
    assert not (tmp_path / "run" / "slow").exists()


def test_executors_are_looked_at_first(spark, tmp_path):
    require_executors(spark, [tmp_path])
    assert prepare_executors(spark) == []  # where make has prepared kernels, they are there
    unseen = rf"on {socket.gethostname()} does not see .*nowhere. Give a folder"
    with pytest.raises(ClusterError, match=unseen):
        require_executors(spark, [tmp_path, tmp_path / "nowhere"])


def test_an_executor_with_another_version_is_refused(spark, tmp_path, monkeypatch):
    other_versions = {**session.versions(), "numba": "0.1", "neardup": "9.9 (0)"}
    monkeypatch.setattr(run, "versions", lambda: other_versions)
    with pytest.raises(ClusterError, match=r"has neardup .* instead of 9.9 \(0\), numba .* of 0.1"):
        require_executors(spark, [])

    monkeypatch.setattr(session, "versions", lambda: other_versions)
    frame = partitions.mapped(spark.range(3), iter, "id LONG")
    with pytest.raises(ClusterError, match=r"An executor on .* instead of"), spark_work(spark):
        frame.collect()


def test_stages_are_watched(spark, source, tmp_path):
    watch = Watch(spark)
    with run_scan(spark, source, tmp_path / "run") as run_of_scan:
        run_of_scan.stages.table("_pairs_of_bands", lambda: spark.range(100).repartition(3))
        run_of_scan.stages.table("groups", lambda: spark.range(5))

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


@pytest.fixture
def quick(monkeypatch):
    for name, seconds in (("BEAT", 0.05), ("ABANDONED", 3.0), ("LOOKS", 0.05), ("SETTLED", 0.3)):
        monkeypatch.setattr(run, name, seconds)


def test_a_target_is_one_runs_at_a_time(spark, tmp_path, quick):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    with RunLock(folder, take_over=False):
        for resume in (False, True):
            with pytest.raises(ClusterError, match=r"Another run.* writes into"):
                RunLock(folder, take_over=resume).__enter__()
    assert folder.names() == []


def leave_lock(folder, **changes):
    """The file of a run that was killed."""
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                           capture_output=True, check=True)  # fmt: skip
    usual = {"host": run._here(), "process": int(ended.stdout), "run": "a", "times": 1}
    folder.make()
    (folder.local / "_lock").write_text(json.dumps({**usual, **changes}))


@pytest.mark.parametrize("host", ["", "another machine"])
def test_the_lock_of_a_killed_run_is_taken_over_when_asked_for(spark, tmp_path, quick, host):
    folder = Folder(spark, str(tmp_path / "run"))
    leave_lock(folder, **({"host": host} if host else {}))

    with pytest.raises(ClusterError, match=r"Where that run was killed, go on with --resume\."):
        RunLock(folder, take_over=False).__enter__()
    with RunLock(folder, take_over=True) as lock:
        lock.require()
        assert folder.names() == ["_lock"]
    assert folder.names() == []


def test_a_run_that_lives_elsewhere_is_not_taken_over(spark, tmp_path, quick, monkeypatch):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    monkeypatch.setattr(run, "_is_gone", lambda text: False)
    monkeypatch.setattr(run, "ABANDONED", 60.0)
    with RunLock(folder, take_over=False):
        with pytest.raises(ClusterError, match="Another run"):
            RunLock(folder, take_over=True).__enter__()
        questions = []
        with pytest.raises(ScanCancelledError), cancelled_by(lambda: questions.append(1) is None):
            RunLock(folder, take_over=True).__enter__()
    assert questions


class ObjectStore(Folder):
    """A folder as S3 has it: who creates a file looks first, and its bytes are put there later."""

    def __init__(self, spark, path, both_looked):
        super().__init__(spark, path)
        self.renames = False
        self._both_looked = both_looked

    def create(self, name, text):
        assert not self.exists(name)
        self._both_looked.wait(10)
        self.write(name, text)
        return True


def test_of_two_runs_that_begin_together_one_goes_on(spark, tmp_path, quick, monkeypatch):
    monkeypatch.setattr(run, "SETTLED", 3.0)  # a busy machine may hold one of them up so long
    both_looked, refused, entered, over = threading.Barrier(2), [], [], threading.Event()

    def begin():
        folder = ObjectStore(spark, str(tmp_path), both_looked)
        try:
            with RunLock(folder, take_over=False) as lock:
                entered.append(lock)
                over.wait(10)
                lock.require()
        except ClusterError as error:
            refused.append(str(error))
            over.set()

    threads = [threading.Thread(target=begin) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(entered), len(refused)) == (1, 1)
    assert "Another run" in refused[0]
    assert list(tmp_path.iterdir()) == []


def test_a_run_whose_file_another_has_written_over_stops(spark, tmp_path, quick):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    other_lock = json.dumps({"host": "elsewhere", "process": 1, "run": "another", "times": 0})
    with RunLock(folder, take_over=False) as lock:
        stages = Stages(spark, folder.address, lock.require)
        stages.table("first", lambda: spark.range(3))
        while any(thread.name == "neardup-lock" for thread in threading.enumerate()):
            # again: a beat that had read the file just before has written over it
            folder.write("_lock", other_lock)
            time.sleep(0.05)

        with pytest.raises(ClusterError, match=r"Another run \(on elsewhere\) writes into"):
            stages.table("second", lambda: spark.range(3))
    assert folder.read("_lock") == other_lock
    assert folder.names() == ["_lock", "first"]


class TakenOverMeanwhile(Folder):
    """A folder in which another run takes over between a look at the file and writing it."""

    other = None

    def write(self, name, text):
        if self.other:
            super().write(name, self.other)
            time.sleep(3.5)
        super().write(name, text)


def test_a_run_that_wrote_over_its_successors_file_stops(spark, tmp_path, quick):
    folder = TakenOverMeanwhile(spark, str(tmp_path / "run"))
    folder.make()
    with RunLock(folder, take_over=False) as lock:
        folder.other = json.dumps({"host": "elsewhere", "process": 1, "run": "b"})
        for _ in range(100):
            if not any(thread.name == "neardup-lock" for thread in threading.enumerate()):
                break
            time.sleep(0.05)
        with pytest.raises(ClusterError, match="Another run"):
            lock.require()
    assert folder.names() == ["_lock"]


def test_nobody_waits_for_a_run_that_has_ended(spark, tmp_path, quick, monkeypatch):
    monkeypatch.setattr(run, "ABANDONED", 600.0)
    folder = Folder(spark, str(tmp_path / "run"))
    leave_lock(folder, host="another machine")
    looks = []

    def is_cancelled():
        looks.append(1)
        if len(looks) == 2:
            (folder.local / "_lock").unlink()
        return len(looks) > 50

    with cancelled_by(is_cancelled), RunLock(folder, take_over=True) as lock:
        lock.require()
    assert folder.names() == []


def remove_lock(target):
    """As a successor that has finished; several times, as a beat may just write the file."""
    for _ in range(20):
        (target / "_lock").unlink(missing_ok=True)
        time.sleep(0.05)


def test_a_run_whose_successor_finished_writes_and_removes_nothing(spark, source, tmp_path, quick):
    target = tmp_path / "run"
    with run_scan(spark, source, target) as late:
        late.stages.table("first", lambda: spark.range(3))
        remove_lock(target)
        (target / "_of_another").mkdir()
        with pytest.raises(ClusterError, match="Another run writes into"):
            late.finish(RESULT)
        left = held(target)
    assert held(target) == left == ["_begun.json", "_of_another", "first"]


def test_a_folder_that_another_run_took_over_is_not_removed(spark, source, tmp_path, quick):
    target = tmp_path / "run"
    with run_scan(spark, source, target):
        remove_lock(target)
        (target / "_begun.json").unlink()
    assert held(target) == []


def test_a_half_written_file_is_not_another_runs(spark, tmp_path, quick):
    folder = Folder(spark, str(tmp_path / "run"))
    folder.make()
    with RunLock(folder, take_over=False) as lock:
        for text in ("", '{"host": "el'):
            folder.write("_lock", text)
            lock.require()
    assert folder.names() == []


AUGUST, SEPTEMBER = 1_785_600_000, 1_788_300_000


@pytest.fixture(params=["here", "elsewhere"])
def named_folder(request, spark, tmp_path):
    """Texts below a folder, as Spark names them: a view of disks is no local file system."""
    folder = tmp_path / "all" / "texts" / "below"
    folder.mkdir(parents=True)
    for name, modified in (("a", AUGUST), ("b", SEPTEMBER)):
        written(folder / f"{name}.txt", "four", modified)
    if request.param == "here":
        return folder.parent, str(folder.parent)
    conf = spark.sparkContext._jsc.hadoopConfiguration()
    name = f"held{secrets.token_hex(4)}"  # Hadoop keeps a view once it was seen
    conf.set(f"fs.viewfs.mounttable.{name}.link./all", f"file:{tmp_path}/all")
    return folder.parent, f"viewfs://{name}/all/texts"


def written(path, text, modified):
    path.write_text(text)
    os.utime(path, (modified, modified))


def test_a_file_that_another_takes_the_place_of_is_noticed(spark, named_folder):
    folder, named = named_folder
    before = Folder(spark, named).held()
    assert before[:3] == (2, 8, SEPTEMBER * 1000)

    for text, modified in (
        ("five", AUGUST + 1),
        ("four", SEPTEMBER),
    ):  # as large, and not the latest
        written(folder / "below" / "a.txt", text, modified)
        assert Folder(spark, named).held()[:3] == before[:3]
        assert Folder(spark, named).held().state != before.state
    written(folder / "below" / "a.txt", "four", AUGUST)
    assert Folder(spark, named).held() == before


def test_the_time_of_a_folder_says_nothing(spark, named_folder):
    """S3 has no folders: the time of one is that of the question."""
    folder, named = named_folder
    before = Folder(spark, named).held()

    for path in (folder / "below", folder):
        os.utime(path)

    assert Folder(spark, named).held() == before


def test_a_run_goes_on_where_only_its_files_are_the_same(spark, named_folder, tmp_path):
    folder, named = named_folder

    def run(*, resume):
        options = RunOptions(resume=resume)
        return started_run(spark, [named], str(tmp_path / "run"), SETTINGS, options)

    with pytest.raises(ZeroDivisionError), run(resume=False):
        1 / 0  # noqa: B018
    os.utime(folder)
    with run(resume=True) as again:
        assert again.result is None
    written(folder / "below" / "a.txt", "five", AUGUST + 1)
    with pytest.raises(ClusterError, match="the sources or what they hold are not what they"):
        run(resume=True).__enter__()


def test_sources_count_as_they_are(spark, tmp_path):
    folder_with(tmp_path, {"a.txt": "four", "b.txt": "four"})
    (tmp_path / "around").symlink_to(tmp_path)

    all_held = Folder(spark, str(tmp_path)).held()
    file_held = Folder(spark, f"{tmp_path}/a.txt").held()

    assert (all_held.files, all_held.bytes, file_held.files, file_held.bytes) == (2, 8, 1, 4)
    assert Folder(spark, f"{tmp_path}/b.pdf").held() is None
    assert Manifest(settings=SETTINGS, sources=(Source("a", Role.REVIEW, *all_held),)).as_json()


class SaidError(Exception):
    """As PySpark raises them."""

    __module__ = "pyspark.errors.exceptions.captured"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("java.io.IOException: No space left on device", "There is no space left"),
        ("ModuleNotFoundError: No module named 'core.spark'", "has no Neardup, or another"),
        ("ModuleNotFoundError: No module named 'numba'", "lacks the Python package numba"),
        ('Cannot run program "python9": error=2', "cannot start Python as “python9”"),
        ('UnsupportedFileSystemException: No FileSystem for scheme "s3a"', "system for “s3a:”"),
        ("Class org.apache.hadoop.fs.s3a.S3AFileSystem not found", "system for “s3a:”"),
        ("SparkException: All masters are unresponsive! Giving up.", "cluster does not answer"),
        ("x: Could not parse Master URL: 'sparc://a'", "knows no master “sparc://a”"),
        ("ExecutorLostFailure (exited) Reason: Command exited with code 137", "enough memory"),
        ("java.lang.OutOfMemoryError: Java heap space", "had not enough memory"),
        ("AccessControlException: Permission denied: user=a", "may not read or write"),
        ("x.SparkException: a\nCaused by: y.OddException: the deepest\n\tat z", ": the deepest"),
        ("", "no reason was given"),
        (
            "Python worker has a different version: 3.10 than that in driver: 3.11, PySpark",
            "Python 3.10 and this program has 3.11",
        ),
    ],
)
def test_what_spark_says_is_one_sentence(words, sentence):
    error = sentence_of(SaidError(words))

    assert type(error) is ClusterError
    assert sentence in str(error)
    assert "\n" not in str(error)


def test_our_own_sentences_come_back_from_executors():
    traced = (
        "An exception was thrown from the Python worker:\nTraceback (most recent call last):\n"
        '  File "a.py", line 1, in f\ncore.errors.LongTextError: Too long.\n\nat java.lang'
    )

    assert type(sentence_of(SaidError(traced))) is LongTextError
    assert str(sentence_of(SaidError(traced))) == "Too long."
    assert str(sentence_of(SaidError("core.errors.Unheard: Odd."))) == "Odd."


def test_faults_of_other_kinds_are_not_touched():
    assert sentence_of(ValueError("core.errors.ClusterError: x")) is None
    assert sentence_of(SettingsError("x")) is None


def test_a_killed_process_of_python_is_one_for_which_there_was_no_memory(spark):
    """As systems end one; Spark on this machine tries nothing twice."""

    def killed(batches):
        for batch in batches:
            os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    with pytest.raises(ClusterError) as raised, spark_work(spark):
        spark.range(2).mapInArrow(killed, "id LONG").collect()

    for words in ("no memory left", "spark.executor.memoryOverhead", "--partitions", "local[2]"):
        assert words in str(raised.value)


def test_a_table_whose_job_was_cancelled_is_not_said_to_be_damaged(spark):
    with pytest.raises(ScanCancelledError), cancelled_by(lambda: True), spark_work(spark):
        raise ClusterError("“rows.jsonl” cannot be read: [SPARK_JOB_CANCELLED]")
    with pytest.raises(ClusterError, match="cannot be read"), spark_work(spark):
        raise ClusterError("“rows.jsonl” cannot be read.")


def batches_of(keys, size):
    table = pa.table({"key": pa.array(keys, pa.int64()), "place": range(len(keys))})
    return iter(table.to_batches(max_chunksize=size))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("at_least", [1, 4, 1000])
def test_runs_are_whole_and_nothing_is_lost(size, at_least):
    keys = [1, 1, 1, 2, 3, 3, 3, 3, 3, 3, 3, 4, 5, 5]

    tables = list(whole_runs(batches_of(keys, size), ["key"], at_least))

    parts = [table.column("key").to_pylist() for table in tables]
    assert [key for part in parts for key in part] == keys
    assert all(part[-1] != next_part[0] for part, next_part in pairwise(parts))
    assert [row for table in tables for row in table.column("place").to_pylist()] == list(
        range(len(keys))
    )


@pytest.fixture
def scan_calls(monkeypatch):
    """What the flow of a scan is called with, without Spark."""
    calls = []

    def scan(session, sources, target, settings, options, **more):
        calls.append((session, sources, target, settings, options))
        if target == "broken":
            error = ClusterError("Something broke.")
            error.add_note("Go on with --resume.")
            raise error
        notes = 1000 if target == "copied" else 1
        return RunResult(1200, 0 if target == "unlike" else 45, 12, 3, ("A note.",) * notes)

    @contextmanager
    def session_from(options):
        yield (options.master, options.conf)

    @contextmanager
    def unseen(session, *, quiet):
        yield

    monkeypatch.setattr("core.spark.scan.scan", scan)
    monkeypatch.setattr(spark_command, "session_from", session_from)
    monkeypatch.setattr(spark_command, "shown_stages", unseen)
    return calls


def test_every_option_reaches_the_run(scan_calls, capsys):
    command = ["spark", "scan", "hdfs://name/a", "b", "s3a://bucket/run", "--reference", "old",
               "--template", "sheet", "--master", "local[2]", "--conf", "spark.a=b=c", "--k", "4",
               "--seed", "9", "--set-aside", "quotations", "--archives", "--limit", "seconds=7",
               "--text-column", "body", "--id-column", "key", "--budget", "0", "--partitions",
               "64", "--resume"]  # fmt: skip

    assert main(command) == 0

    ((session, sources, target, settings, options),) = scan_calls
    assert session == ("local[2]", ["spark.a=b=c"])
    assert sources == ["hdfs://name/a", "b", "old", "sheet"]
    assert target == "s3a://bucket/run"
    assert settings == ScanSettings(k=4, seed=9)
    assert options.roles == (Role.REVIEW, Role.REVIEW, Role.REFERENCE, Role.TEMPLATE)
    assert (options.text_column, options.id_column) == ("body", "key")
    assert (options.budget, options.partitions, options.resume) == (0, 64, True)
    assert options.rules.quotations
    assert options.reading.archives
    assert options.reading.limits.seconds == 7
    printed = capsys.readouterr().out
    assert "1,200 documents, 45 pairs, 12 groups, 3 problems; " in printed
    assert "Note: A note.\nWritten: s3a://bucket/run\n" in printed
    assert printed.endswith("neardup import s3a://bucket/run --above 0.5 review.neardup\n")


def test_quiet_prints_nothing_of_a_run(scan_calls, neardup):
    assert neardup("spark", "scan", "a", "run", "--quiet") == ("", "")
    assert scan_calls[0][4].budget is None


def test_where_there_are_no_pairs_none_are_to_be_looked_at(scan_calls, neardup):
    assert neardup("spark", "scan", "a", "unlike").out.endswith("Written: unlike\n")


def test_of_very_many_notes_the_first_are_printed(scan_calls, neardup):
    lines = neardup("spark", "scan", "a", "copied").out.splitlines()
    assert lines[1:21] == ["Note: A note."] * 20
    assert lines[21].startswith("Note: 980 more notes in run.json of the run; ")
    assert lines[22] == "Written: copied"


def test_a_run_that_broke_says_how_to_go_on(scan_calls, neardup):
    assert neardup("spark", "scan", "a", "broken", status=1).err.splitlines() == [
        "neardup: Go on with --resume.", "neardup: Something broke."
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [["a"], ["", "run"], ["a", "run", "--budget", "-1"], ["a", "run", "--partitions", "x"]],
)
def test_bad_usage_is_reported(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["spark", "scan", *arguments])


def test_a_setting_of_spark_without_a_value_is_reported(neardup):
    err = neardup("spark", "scan", "a", "run", "--conf", "spark.a", status=2).err
    assert "write --conf NAME=VALUE" in err


def test_a_log_gets_a_line_for_each_stage(capsys):
    log = _InLog()
    first, second = (StageProgress(name, 3, 3, 0, 0, 2.0) for name in ("documents", "_bands"))

    log.show([])
    log.show([first])
    log.show([first, second])
    log.show([first, second])
    log.end()

    assert capsys.readouterr().err.splitlines() == [
        "neardup: documents: 3 tasks, 2 s", "neardup: bands: 3 tasks, 2 s"
    ]  # fmt: skip


def test_the_help_loads_no_spark():
    program = (
        "import sys\nfrom core.commands.main import main\n"
        "try:\n    main(['spark', 'scan', '--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('pyspark', 'pyarrow', 'numpy') if name in sys.modules])"
    )
    done = python("-c", program, check=True)

    assert "--resume" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"
