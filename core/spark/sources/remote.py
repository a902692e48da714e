"""Files on other systems than local disks: HDFS, S3 and what else Spark reaches.

Spark brings the bytes of a file to an executor. There they are laid into a temporary folder, and
read and signed from it as every file is, in the same isolated processes.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from core.base.files import scratch_folder
from core.base.wording import printable_name
from core.documents import FoundFile, Problem, ProblemCode, ReadingLimits, ReadingSettings
from core.documents.discovery import is_passed_over
from core.documents.model import UnreadableError
from core.documents.reading import suffix_of, too_big
from core.documents.recognition import refuse_empty
from core.documents.submissions import FoundSubmission
from core.scan.ingest import Found
from core.settings import ScanSettings
from core.spark.partitions import mapped, side_by_side
from core.spark.sources.files import READ, FileReader, FileToRead
from core.spark.sources.hadoop import ListedFile, listed_files
from core.spark.sources.kinds import Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

HIDDEN = (
    "Spark does not read files whose names, or those of their folders, begin with an underscore: "
    "it takes them for its own. Rename it, or give it another place."
)
FEW_FILES = 1 << 20  # that every executor may hold a list of
BYTES_AT_ONCE = 1 << 26  # of files that are in the temporary folder together
FILES_AT_ONCE = 1000


class FoundFar(NamedTuple):
    """What is on other systems.

    Attributes:
        files: Under locations that are paths by their form.
        problems: What Spark cannot read.
        addresses: Those of the files as Spark has them, by location.
    """

    files: list[FoundFile]
    problems: list[Problem]
    addresses: dict[str, str]


def find_remote(
    session: SparkSession, sources: Sequence[Source], limits: ReadingLimits
) -> FoundFar:
    """Find the files of sources as `find_documents` does; each once.

    Raises:
        ClusterError: A source may not be read.
    """
    found = FoundFar([], [], {})
    for source in sources:
        for listed in listed_files(session, source.place):
            file = _found(source, listed)
            if file is None or file.location in found.addresses:
                continue
            found.addresses[file.location] = listed.location
            if problem := _problem(file, listed.location[len(source.place) :], limits):
                found.problems.append(problem)
            else:
                found.files.append(file)
    return found


def _found(source: Source, listed: ListedFile) -> FoundFile | None:
    """A file under its name; None for one that is no document."""
    below = listed.location[len(source.place) :].strip("/")
    if any(map(is_passed_over, below.split("/"))):
        return None
    own = "/".join(map(printable_name, (below or listed.location.rpartition("/")[2]).split("/")))
    name = "/".join(filter(None, (source.label, own if below or not source.label else "")))
    return FoundFile(str(Path(listed.location)), name, listed.size, listed.modified_ns)


def _problem(file: FoundFile, below: str, limits: ReadingLimits) -> Problem | None:
    """Why Spark does not hand over a file, if it does not: large ones are not asked for."""
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


def first_location(found: Found) -> str:
    """Where the first file of a unit is."""
    return _members(found)[0].location


def _members(found: Found) -> Sequence[FoundFile]:
    return found.files if isinstance(found, FoundSubmission) else (found,)


def read_remote(
    session: SparkSession,
    places: Sequence[str],
    units: Sequence[FileToRead],
    addresses: Mapping[str, str],
    settings: ScanSettings,
    reading: ReadingSettings,
) -> DataFrame:
    """The documents in some files, as `read_rows.READ`.

    Args:
        session: Its executors read.
        places: Where all these files are.
        units: What to read.
        addresses: Of the files, by location.
        settings: How they are signed.
        reading: How they are read.
    """
    from pyspark.sql import functions as F

    rows = [
        (addresses[file.location], one.place, member, None if member else pickle.dumps(one))
        for one in units
        for member, file in enumerate(_members(one.found))
    ]
    columns = "path STRING, place LONG, member INT, unit BINARY"
    wanted = session.createDataFrame(rows, columns)
    bytes_of = (
        session.read.format("binaryFile")
        .options(recursiveFileLookup=True, __globPaths__=False)
        .load(list(places))
        .where(F.col("length") <= reading.limits.file_bytes)
        .select("path", "content")
    )
    few = F.broadcast(wanted) if len(rows) <= FEW_FILES else wanted
    met = bytes_of.join(few, "path").select("place", "member", "unit", "content")
    if len(rows) > len(units):  # submissions of several files
        met = side_by_side(met, ["place"], ["member"])
    return mapped(met, _ReadContents(settings, reading), READ)


@dataclass(frozen=True)
class _ReadContents:
    """Work of an executor: files with their bytes to rows."""

    settings: ScanSettings
    reading: ReadingSettings

    def __call__(self, tables: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with FileReader(self.settings, self.reading) as reader:
            for units in _portions(_whole(tables)):
                with scratch_folder() as folder:
                    laid = [_laid(*one, folder / str(n)) for n, one in enumerate(units)]
                    yield from reader.read(laid)


class _UnitWithBytes(NamedTuple):
    """A file or submission with the bytes of its files."""

    unit: FileToRead
    contents: list[bytes]


def _whole(tables: Iterator[pa.RecordBatch]) -> Iterator[_UnitWithBytes]:
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
    some: list[_UnitWithBytes] = []
    size = 0
    for one in units:
        own = sum(map(len, one.contents))
        if some and (size + own > BYTES_AT_ONCE or len(some) >= FILES_AT_ONCE):
            yield some
            some, size = [], 0
        some.append(one)
        size += own
    if some:
        yield some


def _laid(unit: FileToRead, contents: Sequence[bytes], start: Path) -> FileToRead:
    """A unit whose files lie in a folder, with the times that they have where they are."""
    files = []
    members = _members(unit.found)
    for number, (file, content) in enumerate(zip(members, contents, strict=True)):
        place = f"{start}-{number}{suffix_of(file.location)}"
        Path(place).write_bytes(content)
        os.utime(place, ns=(file.modified_ns, file.modified_ns))
        files.append(file._replace(location=place))
    found = unit.found
    if isinstance(found, FoundFile):
        return unit._replace(found=files[0], address=found.location)
    laid = found._replace(files=tuple(files))
    if found.is_archive:
        laid = laid._replace(location=files[0].location)
    return unit._replace(found=laid, address=found.location)
