"""Files as documents, read where tasks run, in the isolated processes of one machine.

Every executor reaches local disks of the cluster itself. Of files elsewhere (HDFS, S3 and what else
Spark reaches) Spark brings the bytes; they are laid into a temporary folder and read from there.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from core.base.files import scratch_folder
from core.base.messages import N_
from core.base.tasks import BATCH_CHARACTERS, WorkerPool, batches
from core.base.wording import printable_name
from core.documents.discovery import is_passed_over
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import Document, FoundFile, Problem, ProblemCode, Role, UnreadableError
from core.documents.reading import suffix_of, too_big
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.documents.recognition import refuse_empty
from core.documents.submissions import FoundSubmission
from core.scan.ingest import Batch, FoundUnit, ingest_files
from core.scan.rescan import KnownDocuments
from core.scan.submissions import file_names
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts
from core.spark.columns import DOCUMENTS, Batches, signed_columns
from core.spark.file_system import Folder, ListedFile, Source
from core.spark.importing import document_to_json
from core.spark.partitions import mapped, side_by_side
from core.text.set_aside import SetAside

# A row is a document, or has a problem and only the name of the file without text.
READ = f"{DOCUMENTS}, problem STRUCT<code: STRING, detail: STRING, limit: STRING>"

OF_PROBLEM = pa.struct([(name, pa.string()) for name in ("code", "detail", "limit")])
OF_SPAN = pa.struct([("start", pa.int64()), ("end", pa.int64()), ("reason", pa.string())])
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("id", "text", "language", "document")),
        ("aside", pa.list_(OF_SPAN)),
        ("number", pa.int64()),
        ("reviewed", pa.bool_()),
        ("characters", pa.int64()),
        ("units", pa.int64()),
        *((name, pa.binary()) for name in ("digest", "signature", "fingerprints", "skip_grams")),
        ("problem", OF_PROBLEM),
    ]
)


def document_batch(
    ids: Sequence[str],
    numbers: Sequence[int],
    documents: Sequence[Document],
    texts: Sequence[str],
    signed: SignedTexts,
    exclusions: Mapping[int, Sequence[SetAside]],
) -> pa.RecordBatch:
    """Rows of documents.

    Args:
        ids: Their names for the user.
        numbers: Their numbers.
        documents: With their roles.
        texts: Their texts.
        signed: Signed without what is set aside.
        exclusions: The spans set aside, by row.
    """
    columns = {
        "id": list(ids),
        "text": list(texts),
        "language": [document.language for document in documents],
        "document": list(map(document_to_json, documents)),
        "aside": exclusions_column(exclusions, len(documents)),
        "number": list(numbers),
        "reviewed": [document.role is Role.REVIEW for document in documents],
        "characters": [document.characters for document in documents],
        **signed_columns(signed),
        "problem": [None] * len(documents),
    }
    return pa.record_batch(columns, schema=SCHEMA)


def exclusions_column(exclusions: Mapping[int, Sequence[SetAside]], rows: int) -> pa.Array:
    """The spans set aside as a column: null in most rows."""
    spans = ([span._asdict() for span in exclusions.get(row, ())] for row in range(rows))
    return pa.array([of_row or None for of_row in spans], pa.list_(OF_SPAN))


def problem_batch(problems: Sequence[Problem]) -> Batches:
    """Rows of problems; none without any."""
    if not problems:
        return
    rows = [{"id": problem.name, "problem": problem._asdict()} for problem in problems]
    yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)


PARTS = 28  # bits for the documents in a file: a file gives at most 20 times as many as its parts
TASKS = 4  # for each core, so that a task with long files does not delay the rest
BYTES_OF_TASK = 1 << 25
LEAST = 1 << 14  # the fewest bytes a file counts for: opening it takes time


class FileToRead(NamedTuple):
    """A file or submission on its way to an executor.

    Attributes:
        found_unit: The file or submission, as its reader has it.
        position: Its index in the order of all sources.
        role: What it is for.
        address: Its location for the user; "" where that is the same.
    """

    found_unit: FoundUnit
    position: int
    role: Role
    address: str = ""


def read_files(
    session: SparkSession,
    files: Sequence[FileToRead],
    problems: Sequence[Problem],
    settings: ScanSettings,
    reading: ReadingSettings,
) -> DataFrame:
    """The documents in files, as `READ`.

    Args:
        session: Its executors read.
        files: The files to read.
        problems: Files and folders that cannot be read.
        settings: How they are signed.
        reading: How they are read.
    """
    context = session.sparkContext
    tasks = _tasks(files, context.defaultParallelism)
    parts = [*tasks, list(problems)] if problems else tasks
    given = [(pickle.dumps(part),) for part in parts]
    rows = context.parallelize(given, max(1, len(given)))
    frame = session.createDataFrame(rows, "files BINARY", verifySchema=False)
    return mapped(frame, partial(_read_files, settings, reading), READ)


def _tasks(files: Sequence[FileToRead], cores: int) -> list[list[FileToRead]]:
    """Files in their order, parted so that each part takes about as long."""
    weights = [max(file.found_unit.size, LEAST) for file in files]
    total = sum(weights)
    most = min(BYTES_OF_TASK, total // max(1, TASKS * cores))
    scaled = [weight * BATCH_CHARACTERS // max(most, 1) for weight in weights]
    return [list(files[part]) for part in batches(scaled)]


def _read_files(settings: ScanSettings, reading: ReadingSettings, tables: Batches) -> Batches:
    """Work of an executor: from `FileToRead` to rows; problems go through."""
    with _file_reader(settings, reading) as read:
        for table in tables:
            for packed in table.column("files").to_pylist():
                given = pickle.loads(packed)  # noqa: S301 - our own, from the driver
                yield from problem_batch(
                    [problem for problem in given if isinstance(problem, Problem)]
                )
                yield from read([file for file in given if isinstance(file, FileToRead)])


@contextmanager
def _file_reader(
    settings: ScanSettings, reading: ReadingSettings
) -> Iterator[Callable[[Sequence[FileToRead]], Batches]]:
    """A function that reads and signs files, as `READ`, on the thread of a task with one core."""
    known = KnownDocuments(None, settings, reading)
    with WorkerPool(1) as pool, ReaderProcesses(reading) as processes:

        def read(files: Sequence[FileToRead]) -> Batches:
            of_path = {str(_path(file.found_unit)): file for file in files}
            parts: Counter[str] = Counter()
            units = [file.found_unit for file in files]
            for batch in ingest_files(units, settings, known, processes, pool):
                yield from problem_batch(batch.problems)
                if batch.documents:
                    yield _batch(batch, of_path, parts)

        yield read


def _path(unit: FoundUnit) -> Path:
    return unit.file.path if isinstance(unit, FoundSubmission) else unit.path


def _batch(batch: Batch, files: dict[str, FileToRead], parts: Counter[str]) -> pa.RecordBatch:
    """The rows of documents; `parts` counts how many came from each file."""
    numbers, documents = [], []
    for document in batch.documents:
        path = document.location
        file = files[path]
        numbers.append(file.position << PARTS | parts[path])
        parts[path] += 1
        shown = str(Path(file.address)) if file.address else path
        documents.append(document._replace(role=file.role, location=shown))
    names = {
        row: file_names(document) for row, document in enumerate(documents) if document.members
    }
    ids = [document.name for document in documents]
    return document_batch(ids, numbers, documents, batch.texts, batch.signed, names)


HIDDEN = N_(
    "Spark does not read files whose names, or those of their folders, begin with an "
    "underscore: it takes them for its own. Rename it, or give it another place."
)
FEW_FILES = 1 << 20  # that every executor may hold a list of
BYTES_AT_ONCE = 1 << 26  # of files that are in the temporary folder together
FILES_AT_ONCE = 1000


class RemoteFiles(NamedTuple):
    """Files on other systems.

    Attributes:
        files: With locations that have the form of paths.
        problems: Files that Spark cannot read.
        addresses: Those of the files as Spark has them, by location.
    """

    files: list[FoundFile]
    problems: list[Problem]
    addresses: dict[str, str]


def find_remote(
    session: SparkSession, sources: Sequence[Source], limits: ReadingLimits
) -> RemoteFiles:
    """Find the files of sources as `find_documents` does; each once.

    Raises:
        ClusterError: A source may not be read.
    """
    remote = RemoteFiles([], [], {})
    for source in sources:
        for listed in Folder(session, source.address).files():
            file = _file_of(source, listed)
            if file is None or file.location in remote.addresses:
                continue
            remote.addresses[file.location] = listed.location
            if problem := _problem(file, listed.location[len(source.address) :], limits):
                remote.problems.append(problem)
            else:
                remote.files.append(file)
    return remote


def _file_of(source: Source, listed: ListedFile) -> FoundFile | None:
    """A file under its name; None for one that is no document."""
    below = listed.location[len(source.address) :].strip("/")
    if any(map(is_passed_over, below.split("/"))):
        return None
    path = "/".join(map(printable_name, (below or listed.location.rpartition("/")[2]).split("/")))
    name = "/".join(filter(None, (source.label, path if below or not source.label else "")))
    return FoundFile(str(Path(listed.location)), name, listed.size, listed.modified_ns)


def _problem(file: FoundFile, below: str, limits: ReadingLimits) -> Problem | None:
    """The reason why a file is not read by Spark, if there is one: large files are not fetched."""
    try:
        if file.size > limits.file_bytes:
            raise too_big(file.size, limits)
        if not file.size:
            refuse_empty(b"")
    except UnreadableError as error:
        return Problem(file.name, error.code, error.detail, error.limit)
    if any(step.startswith("_") and "=" not in step for step in below.split("/")):
        return Problem(file.name, ProblemCode.FAILED, HIDDEN)
    return None


def first_location(found: FoundUnit) -> str:
    """The location of the first file of a unit."""
    return _members(found)[0].location


def _members(unit: FoundUnit) -> Sequence[FoundFile]:
    return unit.files if isinstance(unit, FoundSubmission) else (unit,)


def read_remote(
    session: SparkSession,
    locations: Sequence[str],
    units: Sequence[FileToRead],
    addresses: Mapping[str, str],
    settings: ScanSettings,
    reading: ReadingSettings,
) -> DataFrame:
    """The documents in files, as `READ`.

    Args:
        session: Its executors read.
        locations: The sources that hold these files.
        units: The files to read.
        addresses: Of the files, by location.
        settings: How they are signed.
        reading: How they are read.
    """
    rows = [
        (addresses[file.location], unit.position, member, None if member else pickle.dumps(unit))
        for unit in units
        for member, file in enumerate(_members(unit.found_unit))
    ]
    columns = "path STRING, place LONG, member INT, unit BINARY"
    wanted = session.createDataFrame(rows, columns)
    bytes_of = (
        session.read.format("binaryFile")
        .options(recursiveFileLookup=True, __globPaths__=False)
        .load(list(locations))
        .where(F.col("length") <= reading.limits.file_bytes)
        .select("path", "content")
    )
    few = F.broadcast(wanted) if len(rows) <= FEW_FILES else wanted
    met = bytes_of.join(few, "path").select("place", "member", "unit", "content")
    if len(rows) > len(units):  # submissions of several files
        met = side_by_side(met, ["place"], ["member"])
    return mapped(met, partial(_read_contents, settings, reading), READ)


def _read_contents(settings: ScanSettings, reading: ReadingSettings, tables: Batches) -> Batches:
    """Work of an executor: files with their bytes to rows."""
    with _file_reader(settings, reading) as read:
        for units in _portions(_complete_units(tables)):
            with scratch_folder() as folder:
                laid = [_laid(*unit, folder / str(n)) for n, unit in enumerate(units)]
                yield from read(laid)


class _UnitWithBytes(NamedTuple):
    """A file or submission with the bytes of its files."""

    unit: FileToRead
    contents: list[bytes]


def _complete_units(tables: Batches) -> Iterator[_UnitWithBytes]:
    """Units with all their bytes; the files of each follow one another."""
    waiting: _UnitWithBytes | None = None
    for table in tables:
        names = ("unit", "content")
        rows = zip(*(table.column(name).to_pylist() for name in names), strict=True)
        for packed, content in rows:
            if packed is not None:
                if waiting:
                    yield waiting
                waiting = _UnitWithBytes(pickle.loads(packed), [])  # noqa: S301 - our own
            if waiting:
                waiting.contents.append(content)
    if waiting:
        yield waiting


def _portions(units: Iterator[_UnitWithBytes]) -> Iterator[list[_UnitWithBytes]]:
    """Units that are laid into a folder together."""
    portion: list[_UnitWithBytes] = []
    size = 0
    for unit in units:
        length = sum(map(len, unit.contents))
        if portion and (size + length > BYTES_AT_ONCE or len(portion) >= FILES_AT_ONCE):
            yield portion
            portion, size = [], 0
        portion.append(unit)
        size += length
    if portion:
        yield portion


def _laid(unit: FileToRead, contents: Sequence[bytes], start: Path) -> FileToRead:
    """A unit whose files were written into a folder, with their original times."""
    files = []
    members = _members(unit.found_unit)
    for number, (file, content) in enumerate(zip(members, contents, strict=True)):
        target = f"{start}-{number}{suffix_of(file.location)}"
        Path(target).write_bytes(content)
        os.utime(target, ns=(file.modified_ns, file.modified_ns))
        files.append(file._replace(location=target))
    original = unit.found_unit
    if isinstance(original, FoundFile):
        return unit._replace(found_unit=files[0], address=original.location)
    laid = original._replace(files=tuple(files))
    if original.is_archive:
        laid = laid._replace(location=files[0].location)
    return unit._replace(found_unit=laid, address=original.location)
