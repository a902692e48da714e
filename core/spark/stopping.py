"""Work of Spark that can be stopped, and whose errors are sentences."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from core.base.progress import Cancelled, never
from core.errors import ClusterError, ScanCancelledError
from core.spark.failures import sentence_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

POLL = 0.2  # seconds between two looks at whether the work is to stop


@contextmanager
def spark_work(session: SparkSession, cancelled: Cancelled = never) -> Iterator[None]:
    """Within it, `cancelled` stops the jobs of Spark, and its errors become sentences.

    Raises:
        NeardupError: Spark could not do something; the sentence says why.
        ScanCancelledError: `cancelled` said so.
    """
    context = session.sparkContext
    over, tag = threading.Event(), f"neardup-{secrets.token_hex(8)}"

    def watch() -> None:
        while not over.wait(POLL):
            if cancelled():
                with suppress(Exception):  # of Java: there is nothing left to stop
                    context.cancelJobsWithTag(tag)

    thread = threading.Thread(target=watch, name="neardup-cancel", daemon=True)
    context.addJobTag(tag)
    thread.start()
    try:
        yield
    except Exception as error:
        sentence = sentence_of(error)
        if cancelled() and (sentence is not None or isinstance(error, ClusterError)):
            # Who reads a table says that it cannot be read where its job was cancelled.
            sentence = ScanCancelledError("The scan was cancelled.")
        if sentence is None:
            raise
        for note in getattr(error, "__notes__", ()):
            sentence.add_note(note)
        raise sentence from error
    finally:
        over.set()
        thread.join()
        with suppress(Exception):  # of Java, that may be gone
            context.removeJobTag(tag)
