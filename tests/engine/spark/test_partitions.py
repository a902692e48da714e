"""What belongs together stays together, wherever batches end."""

from __future__ import annotations

import os
import secrets
import signal
from itertools import pairwise

import pyarrow as pa
import pytest

from core.documents.model import Role
from core.errors import ClusterError, LongTextError, ScanCancelledError, SettingsError
from core.settings import ScanSettings
from core.spark.file_system import Folder
from core.spark.manifest import Manifest, RunOptions, Source
from core.spark.partitions import mapped, side_by_side, whole_runs
from core.spark.run import begun
from core.spark.session import sentence_of, spark_work

SETTINGS = ScanSettings(k=4)
AUGUST, SEPTEMBER = 1_785_600_000, 1_788_300_000


@pytest.fixture(params=["here", "elsewhere"])
def place(request, spark, tmp_path):
    """Texts below a folder, as Spark names them: a view of disks is no local file system."""
    folder = tmp_path / "all" / "texts" / "below"
    folder.mkdir(parents=True)
    for name, time in (("a", AUGUST), ("b", SEPTEMBER)):
        written(folder / f"{name}.txt", "four", time)
    if request.param == "here":
        return folder.parent, str(folder.parent)
    conf = spark.sparkContext._jsc.hadoopConfiguration()
    name = f"held{secrets.token_hex(4)}"  # Hadoop keeps a view once it was seen
    conf.set(f"fs.viewfs.mounttable.{name}.link./all", f"file:{tmp_path}/all")
    return folder.parent, f"viewfs://{name}/all/texts"


def written(path, text, time):
    path.write_text(text)
    os.utime(path, (time, time))


def test_a_file_that_another_takes_the_place_of_is_noticed(spark, place):
    folder, named = place
    before = Folder(spark, named).held()
    assert before[:3] == (2, 8, SEPTEMBER * 1000)

    for text, time in (("five", AUGUST + 1), ("four", SEPTEMBER)):  # as large, and not the latest
        written(folder / "below" / "a.txt", text, time)
        assert Folder(spark, named).held()[:3] == before[:3]
        assert Folder(spark, named).held().state != before.state
    written(folder / "below" / "a.txt", "four", AUGUST)
    assert Folder(spark, named).held() == before


def test_the_time_of_a_folder_says_nothing(spark, place):
    """S3 has no folders: the time of one is that of the question."""
    folder, named = place
    before = Folder(spark, named).held()

    for path in (folder / "below", folder):
        os.utime(path)

    assert Folder(spark, named).held() == before


def test_a_run_goes_on_where_only_its_files_are_the_same(spark, place, tmp_path):
    folder, named = place

    def run(*, resume):
        options = RunOptions(resume=resume)
        return begun(spark, [named], str(tmp_path / "run"), SETTINGS, options)

    with pytest.raises(ZeroDivisionError), run(resume=False):
        1 / 0  # noqa: B018
    os.utime(folder)
    with run(resume=True) as again:
        assert again.result is None
    written(folder / "below" / "a.txt", "five", AUGUST + 1)
    with pytest.raises(ClusterError, match="the sources or what they hold are not what they"):
        run(resume=True).__enter__()


def test_sources_count_as_they_are(spark, tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("four")
    (tmp_path / "around").symlink_to(tmp_path)

    whole = Folder(spark, str(tmp_path)).held()
    some = Folder(spark, f"{tmp_path}/*.txt").held()
    one = Folder(spark, f"{tmp_path}/a.txt").held()

    assert (whole.files, some.files, some.bytes, one.files) == (2, 2, 8, 1)
    assert Folder(spark, f"{tmp_path}/*.pdf").held() is None
    assert Manifest(settings=SETTINGS, sources=(Source("a", Role.REVIEW, *whole),)).as_json()


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
    with pytest.raises(ScanCancelledError), spark_work(spark, lambda: True):
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
    assert all(one[-1] != other[0] for one, other in pairwise(parts))
    assert [one for table in tables for one in table.column("place").to_pylist()] == list(
        range(len(keys))
    )


def test_one_run_over_all_batches_is_one_table():
    assert [table.num_rows for table in whole_runs(batches_of([8] * 50, 3), ["key"], 5)] == [50]


def test_rows_with_equal_keys_meet_in_spark(spark):
    frame = spark.createDataFrame([(n % 5, n) for n in range(50)], "key LONG, place LONG")

    def count(batches):
        for table in whole_runs(batches, ["key"], 1):
            runs = table.group_by("key").aggregate([("place", "count")])
            yield from runs.select(["key", "place_count"]).to_batches()

    rows = mapped(side_by_side(frame, ["key"], ["place"]), count, "key LONG, place_count LONG")

    assert sorted(map(tuple, rows.collect())) == [(n, 10) for n in range(5)]
