"""The stages of a run: each writes its table, and what follows reads it from there.

So nothing is computed twice where an executor is lost, and a run that was stopped goes on after
the last table that is whole.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.spark.file_system import Folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DRAFT = "_writing-"  # before the name of a table that is not whole
WHOLE = "_SUCCESS"  # in a folder that Spark has written to the end
DESCRIPTION = "spark.job.description"


def anybody() -> None:
    """Ask for no right to write."""


class Stages:
    """The tables of one run.

    Attributes:
        session: The session it runs in.
        target: The folder of the run, as Spark names it.
    """

    def __init__(
        self, session: SparkSession, target: str, may_write: Callable[[], None] = anybody
    ) -> None:
        """`may_write` raises where another run has the right to write into the target."""
        self.session = session
        self.target = target
        self._folder = Folder(session, target)
        self._may_write = may_write
        self._run = secrets.token_hex(4)

    def table(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        """The table of a stage: as it was written, or made and written now.

        Args:
            name: Of the folder in the target; one that begins with "_" is for the run alone.
            make: Makes the table; not called where it is there already.
        """
        if not self._folder.exists(f"{name}/{WHOLE}"):
            with named(self.session, name):
                self._write(name, make())
        return self.session.read.parquet(f"{self.target}/{name}")

    def _write(self, name: str, frame: DataFrame) -> None:
        """Write a table under its name when it is whole, where files can be renamed."""
        # Of this run alone: tasks of another that was taken over may still write theirs.
        draft = f"{DRAFT}{self._run}-{name}" if self._folder.renames else name
        self._may_write()
        frame.write.mode("overwrite").parquet(f"{self.target}/{draft}")
        self._may_write()
        if draft != name:
            self._folder.remove(name)
            self._folder.rename(draft, name)


@contextmanager
def named(session: SparkSession, name: str) -> Iterator[None]:
    """Within it, Spark's jobs have the name of a stage, for whoever watches them."""
    context = session.sparkContext
    before = context.getLocalProperty(DESCRIPTION)
    context.setLocalProperty(DESCRIPTION, name)
    try:
        yield
    finally:
        context.setLocalProperty(DESCRIPTION, before)  # type: ignore[arg-type] # None removes
