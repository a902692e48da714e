"""What Spark says becomes one sentence; what is no fault of Spark stays what it is."""

import os
import signal

import pytest

from core.errors import ClusterError, LongTextError, ScanCancelledError, SettingsError
from core.spark.session import sentence_of, spark_work


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
