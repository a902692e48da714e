"""Files on disks that every executor reaches, read there as on one machine."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import pyarrow as pa

from core.base.parallel import BATCH_CHARACTERS, batches
from core.base.progress import never
from core.documents import Problem, ReaderProcesses, ReadingSettings
from core.documents.roles import Role
from core.documents.submissions import FoundSubmission
from core.scan.earlier_scan import KnownDocuments
from core.scan.read_and_sign import Batch, Found, take_in
from core.scan.submissions import file_names
from core.settings import ScanSettings
from core.spark.partitions import mapped
from core.spark.sources.read_rows import READ, document_batch, problem_batch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARTS = 28  # bits for the documents in a file: a file gives at most 20 times as many as its parts
TASKS = 4  # for each core, so that one with long files does not keep the others waiting
BYTES_OF_TASK = 1 << 25
LEAST = 1 << 14  # bytes for which a file counts at least: to open one takes its time


class FileToRead(NamedTuple):
    """A file or submission on its way to an executor.

    Attributes:
        found: Where it is, for who reads it.
        place: In the order of all sources.
        role: What it is for.
        address: Where it is for the user; "" where that is the same.
    """

    found: Found
    place: int
    role: Role
    address: str = ""


def read_files(
    session: SparkSession,
    files: Sequence[FileToRead],
    problems: Sequence[Problem],
    settings: ScanSettings,
    reading: ReadingSettings,
) -> DataFrame:
    """The documents in some files, as `read_rows.READ`.

    Args:
        session: Its executors read.
        files: What to read.
        problems: What was met on the way to them.
        settings: How they are signed.
        reading: How they are read.
    """
    context = session.sparkContext
    tasks = _tasks(files, context.defaultParallelism)
    parts = [*tasks, list(problems)] if problems else tasks
    given = [(pickle.dumps(part),) for part in parts]
    rows = context.parallelize(given, max(1, len(given)))
    frame = session.createDataFrame(rows, "files BINARY", verifySchema=False)
    return mapped(frame, _ReadFiles(settings, reading), READ)


def _tasks(files: Sequence[FileToRead], cores: int) -> list[list[FileToRead]]:
    """Files in their order, parted so that each part takes about as long."""
    weights = [max(one.found.size, LEAST) for one in files]
    total = sum(weights)
    most = min(BYTES_OF_TASK, total // max(1, TASKS * cores))
    scaled = [weight * BATCH_CHARACTERS // max(most, 1) for weight in weights]
    return [list(files[part]) for part in batches(scaled)]


@dataclass(frozen=True)
class _ReadFiles:
    """Work of an executor: what `FileToRead` say to rows; problems go through."""

    settings: ScanSettings
    reading: ReadingSettings

    def __call__(self, tables: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with FileReader(self.settings, self.reading) as reader:
            for table in tables:
                for packed in table.column("files").to_pylist():
                    given = pickle.loads(packed)  # noqa: S301 - our own, from the driver
                    yield from problem_batch([one for one in given if isinstance(one, Problem)])
                    yield from reader.read([one for one in given if isinstance(one, FileToRead)])


class FileReader:
    """Reads and signs files on the thread of a task, which has one core; a context manager."""

    def __init__(self, settings: ScanSettings, reading: ReadingSettings) -> None:
        self._settings = settings
        self._known = KnownDocuments(None, settings, reading)
        self._processes = ReaderProcesses(reading)
        self._pool = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._processes.close()
        self._pool.shutdown()

    def read(self, files: Sequence[FileToRead]) -> Iterator[pa.RecordBatch]:
        """The documents in some files and their problems, as `read_rows.READ`."""
        of_path = {str(_path(one.found)): one for one in files}
        parts: Counter[str] = Counter()
        found = [one.found for one in files]
        reading = self._known, self._processes, self._pool
        for batch in take_in(found, self._settings, *reading, never):
            yield from problem_batch(batch.problems)
            if batch.documents:
                yield _batch(batch, of_path, parts)


def _path(found: Found) -> Path:
    return found.file.path if isinstance(found, FoundSubmission) else found.path


def _batch(batch: Batch, files: dict[str, FileToRead], parts: Counter[str]) -> pa.RecordBatch:
    """The rows of some documents; `parts` counts how many came of each file."""
    numbers, documents = [], []
    for one in batch.documents:
        path = str(one.path)
        file = files[path]
        numbers.append(file.place << PARTS | parts[path])
        parts[path] += 1
        place = Path(file.address) if file.address else one.path
        documents.append(replace(one, role=file.role, path=place))
    names = {row: file_names(one) for row, one in enumerate(documents) if one.members}
    ids = [one.name for one in documents]
    return document_batch(ids, numbers, documents, batch.texts, batch.signed, names)
