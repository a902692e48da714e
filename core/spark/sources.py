"""What a source is: files, or a table with a row for each document.

A file is a table where its name says so, and a folder where all files in it are of one kind of
table. In any other folder each file is a document, a table too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from core.base.messages import stored
from core.base.wording import printable_name
from core.documents.discovery import labels
from core.documents.model import FolderRoles, Role, check_roles, nested_in_words
from core.documents.reading_settings import ReadingSettings
from core.errors import ClusterError
from core.scan.submissions import NO_SUBMISSIONS, submissions_at
from core.spark.file_system import Folder, source_in


class Kind(StrEnum):
    """What there is to read, in words."""

    FILES = "files"
    PARQUET = "Parquet"
    JSON = "JSON Lines"
    CSV = "CSV"
    TSV = "TSV"


# A .json by itself is a document; packed it is what writers of large tables make.
ENDINGS = {
    Kind.PARQUET: (".parquet", ".parq"),
    Kind.JSON: (".jsonl", ".ndjson"),
    Kind.CSV: (".csv",),
    Kind.TSV: (".tsv",),
}
PACKED = (".gz", ".bz2", ".zst")
OF_WRITERS = ("_SUCCESS", "_metadata", "_common_metadata")
LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Hudi"}


def kind_of_names(shown: str, names: Iterable[str]) -> Kind:
    """What a source is, by the names of the files in it; asks for no more than it needs.

    Args:
        shown: The source, for the sentence.
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
                    name=shown,
                    format=LOGS[folder],
                )
        if file_name in OF_WRITERS or any(step.startswith(".") for step in (*folders, file_name)):
            continue
        kinds.add(_kind_of(file_name))
        if Kind.FILES in kinds or len(kinds) > 1:
            return Kind.FILES
    return kinds.pop() if kinds else Kind.FILES


def _kind_of(name: str) -> Kind:
    """What a file is by its name; Spark hides those that begin with an underscore."""
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


ABOVE = r"[/\\][^/\\]*$"  # what is cut off a path for the folder it is in


class Source(NamedTuple):
    """One source.

    Attributes:
        given: As it was written.
        place: Its address, whole.
        local: Its path on local disks; None where it is elsewhere.
        kind: What there is to read.
        role: What it is for.
        label: What the names in it start with; "" where it is the only source.
    """

    given: str
    place: str
    local: Path | None
    kind: Kind
    role: Role
    label: str

    @property
    def shown(self) -> str:
        """The source in a sentence."""
        return f"“{printable_name(self.given)}”"


def sources_of(session: SparkSession, given: Sequence[str], roles: Sequence[Role]) -> list[Source]:
    """What the sources are.

    Raises:
        ClusterError: A source cannot be used.
        FolderError: Their roles allow no comparison.
    """
    folders = [source_in(session, source) for source in given]
    paths = [folder.local or Path(folder.place) for folder in folders]
    check_roles(paths, roles)
    folder_roles = FolderRoles(paths, roles).roles
    known = zip(given, folders, folder_roles, labels(paths), strict=True)
    sources = [_source(*facts) for facts in known]
    _refuse_rows_twice(sources)
    return sources


def _source(given: str, folder: Folder, role: Role, label: str) -> Source:
    kind = kind_of_names(f"“{printable_name(given)}”", _names(folder))
    if kind is not Kind.FILES and folder.local is not None and not folder.local.exists():
        raise ClusterError(f"“{printable_name(given)}” does not exist. Check the path.")
    return Source(given, folder.place, folder.local, kind, role, label)


def _names(source: Folder) -> Iterator[str]:
    """The names of the files in a source, as they are met; its own where it is a file."""
    local = source.local
    if local is None:
        start = f"{source.place.rstrip('/')}/"
        if source.is_file():
            yield source.place.rpartition("/")[2]
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
    for number, table in enumerate(tables):
        for other in tables[number + 1 :]:
            first, second = (f"{place.rstrip('/')}/" for place in (table.place, other.place))
            if first.startswith(second) or second.startswith(first):
                raise ClusterError(
                    "{one} and {other} hold the same rows. Give one of them.",
                    one=table.shown,
                    other=other.shown,
                )


def notes_on(
    found: Sequence[Source], documents: DataFrame, reading: ReadingSettings
) -> Iterator[str]:
    """Sentences on how the sources were taken."""
    for source in found:
        if source.kind is not Kind.FILES:
            yield stored(
                "{table} is read as a table ({kind}): each of its rows is a document.",
                table=source.shown,
                kind=source.kind,
            )
    local = [
        (source.local, source.role)
        for source in found
        if source.local and source.kind is Kind.FILES
    ]
    yield from nested_in_words([path for path, _ in local], [role for _, role in local])
    if reading.submissions:
        yield from _submissions(documents)


def _submissions(documents: DataFrame) -> Iterator[str]:
    """What was taken for submissions, for each place in which there are some."""

    def said(name: str) -> Column:
        return F.get_json_object("document", f"$.{name}")

    place = F.when(said("part").isNull(), F.regexp_replace(said("path"), ABOVE, ""))
    members = documents.select(
        "number",
        place.otherwise(said("path")).alias("place"),
        F.json_array_length(said("members")).alias("files"),
    )
    counted = members.where("files IS NOT NULL").groupBy("place")
    sums = F.sum("files").alias("files"), F.count("*").alias("documents")
    rows = counted.agg(*sums, F.min("number").alias("first")).orderBy("first").collect()
    for row in rows:
        yield submissions_at(Path(row["place"]), row["files"], row["documents"])
    if not rows and not documents.isEmpty():
        yield NO_SUBMISSIONS
