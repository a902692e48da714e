"""A folder on any of Spark's file systems: local, HDFS, S3 and what else Hadoop reaches.

Hadoop's `FileSystem` is used through the driver's Java, so a location means the same on the driver
and on the executors.

Also the stages of a run: each writes its table, and later stages read it.

So nothing is computed twice where an executor is lost, and a run that was stopped goes on after
the last complete table.

Also the kinds of sources: files, or a table with a row for each document.

A file is a table where its name says so, and a folder where all files in it are of one kind of
table. In any other folder each file is a document, a table too.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from functools import lru_cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple

import xxhash
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from core.base.messages import gettext, stored
from core.base.patterns import lazy_pattern
from core.base.wording import printable_name, printable_text
from core.documents.discovery import labels
from core.documents.model import FolderRoles, Role, check_roles, nested_in_words
from core.documents.reading_settings import ReadingSettings
from core.errors import ClusterError
from core.scan.submissions import NO_SUBMISSIONS, submissions_at

LOCAL = "file"
# Where a rename copies every byte, and others see the files that are there already meanwhile.
OBJECT_STORES = frozenset(("s3", "s3a", "s3n", "gs", "oss", "cosn", "obs", "wasb", "wasbs"))

NANOSECONDS = 10**6  # of a millisecond


class Held(NamedTuple):
    """The files in a folder, summed up.

    Attributes:
        files: How many there are.
        bytes: How many they have together.
        changed: When the last of them changed, in milliseconds since 1970; 0 where nobody knows.
        state: Changes with the size or the time of any of them; of files on disks
            of this machine, the name too. Times of folders say nothing: where there are no folders,
            as on S3, they are always those of now.
    """

    files: int
    bytes: int
    changed: int
    state: str


class ListedFile(NamedTuple):
    """A file; `location` is its address, `modified_ns` is since 1970."""

    location: str
    size: int
    modified_ns: int


@lru_cache(maxsize=1)
def _path_class(session: SparkSession) -> Any:  # noqa: ANN401 - a class of Java
    """Hadoop's `Path`. Java looks for each part of such a name in all libraries: so only once."""
    jvm: Any = session._jvm  # noqa: SLF001 - Hadoop's file systems have no other way in
    return jvm.org.apache.hadoop.fs.Path


class Folder:
    """A folder, which need not be there.

    Attributes:
        address: Its full address: "file:/home/a/run", "hdfs://name:8020/run".
        local: Its path where it is on local disks, else None.
    """

    def __init__(self, session: SparkSession, address: str) -> None:
        """Raise an error of py4j where Spark has no such file system."""
        conf = session._jsc.hadoopConfiguration()  # noqa: SLF001
        self._path_class = _path_class(session)
        path = self._path_class(address)
        system = path.getFileSystem(conf)
        self._path = system.makeQualified(path)
        self.address = str(self._path.toString())
        scheme = str(system.getUri().getScheme())
        self.renames = scheme not in OBJECT_STORES
        self.local: Path | None = None
        if scheme == LOCAL:
            local_path = str(self._path.toUri().getPath())
            self.local = Path(
                local_path[1:] if DRIVE.match(local_path) and os.sep == "\\" else local_path
            )
        # Without the files of checksums that Hadoop puts beside local ones.
        self._system = system.getRawFileSystem() if scheme == LOCAL else system

    def exists(self, name: str = "") -> bool:
        """Whether there is something with this name in it, or the folder itself."""
        return bool(self._system.exists(self._at(name)))

    def names(self) -> list[str]:
        """The names in it, ordered; [] where it does not exist."""
        if not self.exists():
            return []
        return sorted(
            str(status.getPath().getName()) for status in self._system.listStatus(self._path)
        )

    def is_folder(self) -> bool:
        """Whether it exists, and is no file."""
        return self.exists() and bool(self._system.getFileStatus(self._path).isDirectory())

    def held(self) -> Held | None:
        """The files in it, summed up; None where it does not exist."""
        if self.local is not None and self.local.exists():
            return _held(_local_files(self.local))
        if not self.exists():
            return None
        return _held((file.size, file.modified_ns, b"") for file in self._files_in(self._path))

    def is_file(self) -> bool:
        """Whether it is one file, and no folder.

        Raises:
            ClusterError: There is nothing, or it may not be read.
        """
        with _in_words(self.address):
            return bool(self._system.getFileStatus(self._path).isFile())

    def files(self) -> Iterator[ListedFile]:
        """All files in it, in no order.

        Raises:
            ClusterError: It may not be read.
        """
        with _in_words(self.address):
            yield from self._files_in(self._path)

    def make(self) -> None:
        """Make it, with the folders around it."""
        self._system.mkdirs(self._path)

    def read(self, name: str) -> str | None:
        """The text of a file; None where it does not exist."""
        if not self.exists(name):
            return None
        stream = self._system.open(self._at(name))
        try:
            return bytes(stream.readAllBytes()).decode("utf-8", "replace")
        finally:
            stream.close()

    def create(self, name: str, text: str) -> bool:
        """Write a new file; False where there is one of this name. One of two callers succeeds."""
        if self.local is not None:  # Hadoop looks first and writes then
            try:
                with (self.local / name).open("x", encoding="utf-8") as file:
                    file.write(text)
            except FileExistsError:
                return False
            return True
        if self.exists(name):
            return False
        try:
            self._write(name, text, overwrite=False)
        except Py4JJavaError:
            if self.exists(name):
                return False
            raise
        return True

    def write(self, name: str, text: str) -> None:
        """Write a new or existing file; others may see a part of it meanwhile."""
        self._write(name, text, overwrite=True)

    def publish(self, name: str, text: str) -> None:
        """Write a new file; others see it when it is complete."""
        fresh = f"_{name}.new"
        if self.renames:
            self._write(fresh, text, overwrite=True)
            self.rename(fresh, name)
        else:  # such a store shows a file when it is complete
            self._write(name, text, overwrite=True)

    def rename(self, name: str, new: str) -> None:
        """Give something in it another name, which must be free.

        Raises:
            OSError: It has not worked.
        """
        if not self._system.rename(self._at(name), self._at(new)):
            raise OSError(f"“{name}” could not be renamed to “{new}” in {self.address}.")

    def remove(self, name: str) -> None:
        """Remove a file or folder with all that is in it; nothing where it is not there."""
        self._system.delete(self._at(name), True)

    def remove_empty(self) -> None:
        """Remove the folder itself where nothing is in it."""
        if self.exists() and not self.names():
            self._system.delete(self._path, False)

    def _files_in(self, path: Any) -> Iterator[ListedFile]:  # noqa: ANN401 - a Java object
        """All files below a path, listed one by one as needed: listing takes a while."""
        files = self._system.listFiles(path, True)
        while files.hasNext():
            status = files.next()
            location, changed = str(status.getPath().toString()), status.getModificationTime()
            yield ListedFile(location, int(status.getLen()), int(changed) * NANOSECONDS)

    def _write(self, name: str, text: str, *, overwrite: bool) -> None:
        stream = self._system.create(self._at(name), overwrite)
        try:
            stream.write(text.encode("utf-8", "replace"))
        finally:
            stream.close()

    def _at(self, name: str) -> Any:  # noqa: ANN401 - a Java object
        return self._path_class(self._path, name) if name else self._path


_File = tuple[int, int, bytes]  # size, when it changed, name


def _local_files(path: Path) -> Iterator[_File]:
    """All files at a path of this machine; links are not followed, as they may form circles."""
    files = [path] if path.is_file() else []
    inside = (Path(top, name) for top, _, names in os.walk(path) for name in names)
    for file in chain(files, inside):
        with suppress(OSError):  # gone meanwhile
            known = file.lstat()
            yield known.st_size, known.st_mtime_ns, os.fsencode(file)


def _held(files: Iterable[_File]) -> Held:
    """The sums over files, in whatever order."""
    count = size = changed = state = 0
    for file in files:
        count, size, changed = count + 1, size + file[0], max(changed, file[1])
        entry = b"%d %d %b" % file
        state = (state + xxhash.xxh3_64_intdigest(entry)) % (1 << 64)
    return Held(count, size, changed // NANOSECONDS, f"{state:016x}")


SCHEME = lazy_pattern("[A-Za-z][A-Za-z0-9+.-]+:/")  # a drive of Windows has one letter
DRIVE = lazy_pattern("/[A-Za-z]:")
LONGEST = 300  # characters of an error of a file system


def source_in(session: SparkSession, source: str) -> Folder:
    """A source as it is given; a path without a scheme is one of Spark's default file system.

    Raises:
        ClusterError: No file system has such an address.
    """
    usual = str(session._jsc.hadoopConfiguration().get("fs.defaultFS") or "")  # noqa: SLF001
    if source and usual.startswith("file:") and not SCHEME.match(source):
        path = Path(source).absolute().as_posix()  # also with a colon in it
        source = f"file:{'' if path.startswith('/') else '/'}{path}"  # before a drive's letter
    with _in_words(source):
        return Folder(session, source)


@contextmanager
def _in_words(address: str) -> Iterator[None]:
    """Turn errors of a file system into a sentence."""
    name = shown(address)
    try:
        yield
    except Py4JJavaError as error:
        kind = str(error.java_exception.getClass().getSimpleName())
        if kind in {"FileNotFoundException", "NoSuchFileException"}:
            raise ClusterError("{name} does not exist. Check the path.", name=name) from error
        if kind == "AccessControlException":
            raise ClusterError("You don’t have permission to read {name}.", name=name) from error
        why = _shortened(str(error.java_exception.getMessage() or kind))
        raise ClusterError("{name} cannot be read: {why}", name=name, why=why) from error
    except PySparkException as error:
        why = _shortened(str(error))
        raise ClusterError("{name} cannot be read: {why}", name=name, why=why) from error


def shown(location: str) -> str:
    """A location as sentences have it."""
    return f"“{printable_name(location)}”"


def overlap(first: str, second: str) -> bool:
    """Whether two locations are the same, or one is in the other."""
    outer, inner = sorted((f"{first.rstrip('/')}/", f"{second.rstrip('/')}/"), key=len)
    return inner.startswith(outer)


def _shortened(message: str) -> str:
    """The first line of a message of Java, as a sentence."""
    line = printable_text(
        message.strip().splitlines()[0] if message.strip() else gettext("no reason is given")
    )
    line = line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
    return line if line.endswith((".", "…")) else f"{line}."


DRAFT = "_writing-"  # before the name of an incomplete table
SUCCESS_MARK = "_SUCCESS"  # in a folder that Spark has written to the end
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
            name: Of the folder in the target; a name with "_" is internal to the run.
            make: Makes the table; not called where it is there already.
        """
        reader = self.session.read
        if not self._folder.exists(f"{name}/{SUCCESS_MARK}"):
            with named(self.session, name):
                frame = make()
                self._write(name, frame)
            reader = reader.schema(frame.schema)  # else Spark asks a file for it, as a job
        return reader.parquet(f"{self.target}/{name}")

    def _write(self, name: str, frame: DataFrame) -> None:
        """Write a table, which gets its name when it is complete, where files can be renamed."""
        # With the id of this run: tasks of a run that was taken over may still write theirs.
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


class Kind(StrEnum):
    """The kind of a source, in words."""

    FILES = "files"
    PARQUET = "Parquet"
    JSON = "JSON Lines"
    CSV = "CSV"
    TSV = "TSV"


# A .json by itself is a document; compressed it comes from writers of large tables.
ENDINGS = {
    Kind.PARQUET: (".parquet", ".parq"),
    Kind.JSON: (".jsonl", ".ndjson"),
    Kind.CSV: (".csv",),
    Kind.TSV: (".tsv",),
}
PACKED = (".gz", ".bz2", ".zst")
OF_WRITERS = ("_SUCCESS", "_metadata", "_common_metadata")
LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Hudi"}


def kind_of_names(source: str, names: Iterable[str]) -> Kind:
    """The kind of a source, by the names of its files; takes no more names than needed.

    Args:
        source: As it is given.
        names: Paths with "/" below it.

    Raises:
        ClusterError: It is a table of which the files alone say too much.
    """
    kinds: set[Kind] = set()
    for name in names:
        *folders, file_name = name.split("/")
        for folder in folders:
            if folder in LOGS:
                raise ClusterError(
                    "{name} is a table of {format}, of which not all files count. Write its "
                    "rows as Parquet, and give that folder.",
                    name=shown(source),
                    format=LOGS[folder],
                )
        if file_name in OF_WRITERS or any(step.startswith(".") for step in (*folders, file_name)):
            continue
        kinds.add(_kind_of(file_name))
        if Kind.FILES in kinds or len(kinds) > 1:
            return Kind.FILES
    return kinds.pop() if kinds else Kind.FILES


def _kind_of(name: str) -> Kind:
    """The kind of a file by its name; Spark hides names that begin with an underscore."""
    lower = name.lower()
    if lower.startswith("_"):
        return Kind.FILES
    bare = lower
    for ending in PACKED:
        bare = bare.removesuffix(ending)
    if bare != lower and bare.endswith(".json"):
        return Kind.JSON
    for kind, endings in ENDINGS.items():
        if bare.endswith(endings) and (bare == lower or kind is not Kind.PARQUET):
            return kind
    return Kind.FILES


ABOVE = r"[/\\][^/\\]*$"  # the part of a path after its folder


class Source(NamedTuple):
    """One source.

    Attributes:
        given: As the user wrote it.
        address: Its full address.
        local: Its path on local disks; None where it is elsewhere.
        kind: Its kind.
        role: Its role.
        label: The beginning of the names in it; "" where it is the only source.
    """

    given: str
    address: str
    local: Path | None
    kind: Kind
    role: Role
    label: str

    @property
    def shown(self) -> str:
        """The source in a sentence."""
        return shown(self.given)


def sources_of(session: SparkSession, given: Sequence[str], roles: Sequence[Role]) -> list[Source]:
    """The sources with their kinds and roles.

    Raises:
        ClusterError: A source cannot be used.
        FolderError: Their roles allow no comparison.
    """
    folders = [source_in(session, source) for source in given]
    paths = [folder.local or Path(folder.address) for folder in folders]
    check_roles(paths, roles)
    folder_roles = FolderRoles(paths, roles).roles
    known = zip(given, folders, folder_roles, labels(paths), strict=True)
    sources = [_source(*facts) for facts in known]
    _refuse_rows_twice(sources)
    return sources


def _source(given: str, folder: Folder, role: Role, label: str) -> Source:
    kind = kind_of_names(given, _names(folder))
    if kind is not Kind.FILES and folder.local is not None and not folder.local.exists():
        raise ClusterError(f"{shown(given)} does not exist. Check the path.")
    return Source(given, folder.address, folder.local, kind, role, label)


def _names(source: Folder) -> Iterator[str]:
    """The names of the files in a source, as they are met; its own where it is a file."""
    local = source.local
    if local is None:
        start = f"{source.address.rstrip('/')}/"
        if source.is_file():
            yield source.address.rpartition("/")[2]
        else:
            yield from (file.location.removeprefix(start) for file in source.files())
    elif local.is_dir():
        for folder, _, files in os.walk(local):
            inside = Path(folder).relative_to(local).as_posix()
            yield from (f"{inside}/{name}".removeprefix("./") for name in files)
    else:
        yield local.name


def _refuse_rows_twice(sources: Sequence[Source]) -> None:
    """Raise where a table is given twice: its rows would be copies of themselves."""
    tables = [source for source in sources if source.kind is not Kind.FILES]
    for table, later in combinations(tables, 2):
        if overlap(table.address, later.address):
            raise ClusterError(
                "{one} and {other} hold the same rows. Give one of them.",
                one=table.shown,
                other=later.shown,
            )


def notes_on(
    sources: Sequence[Source], documents: DataFrame, reading: ReadingSettings
) -> Iterator[str]:
    """Sentences on how the sources were taken."""
    for source in sources:
        if source.kind is not Kind.FILES:
            yield stored(
                "{table} is read as a table ({kind}): each of its rows is a document.",
                table=source.shown,
                kind=source.kind,
            )
    local = [
        (source.local, source.role)
        for source in sources
        if source.local and source.kind is Kind.FILES
    ]
    yield from nested_in_words([path for path, _ in local], [role for _, role in local])
    if reading.submissions:
        yield from _submissions(documents)


def _submissions(documents: DataFrame) -> Iterator[str]:
    """Sentences on what was taken for submissions, for each folder with submissions."""

    def value_of(name: str) -> Column:
        return F.get_json_object("document", f"$.{name}")

    folder = F.when(value_of("part").isNull(), F.regexp_replace(value_of("path"), ABOVE, ""))
    members = documents.select(
        "number",
        folder.otherwise(value_of("path")).alias("place"),
        F.json_array_length(value_of("members")).alias("files"),
    )
    counted = members.where("files IS NOT NULL").groupBy("place")
    sums = F.sum("files").alias("files"), F.count("*").alias("documents")
    rows = counted.agg(*sums, F.min("number").alias("first")).orderBy("first").collect()
    for row in rows:
        yield submissions_at(Path(row["place"]), row["files"], row["documents"])
    if not rows and not documents.isEmpty():
        yield NO_SUBMISSIONS
