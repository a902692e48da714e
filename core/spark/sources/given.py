"""The sources of a run as they were given: where each is, what it is, and what it is for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.wording import printable_name
from core.documents import ReadingSettings
from core.documents.discovery import labels
from core.documents.roles import FolderRoles, Role, check_roles, nested_in_words
from core.errors import ClusterError
from core.scan.submissions import NO_SUBMISSIONS, submissions_at
from core.spark.sources.hadoop import is_file, listed_files, local_path, place_of
from core.spark.sources.kinds import Kind, kind_of_names

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

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
    places = [place_of(session, one) for one in given]
    local = [local_path(session, place) for place in places]
    paths = [Path(one or place) for one, place in zip(local, places, strict=True)]
    check_roles(paths, roles)
    own = FolderRoles(paths, roles).roles
    known = zip(given, places, local, own, labels(paths), strict=True)
    found = [_source(session, *one) for one in known]
    _refuse_rows_twice(found)
    return found


def _source(
    session: SparkSession, given: str, place: str, path: str | None, role: Role, label: str
) -> Source:
    local = None if path is None else Path(path)
    kind = kind_of_names(f"“{printable_name(given)}”", _names(session, place, local))
    if kind is not Kind.FILES and local is not None and not local.exists():
        raise ClusterError(f"“{printable_name(given)}” does not exist. Check the path.")
    return Source(given, place, local, kind, role, label)


def _names(session: SparkSession, place: str, local: Path | None) -> Iterator[str]:
    """The names of the files in a source, as they are met; its own where it is a file."""
    if local is None:
        start = f"{place.rstrip('/')}/"
        if is_file(session, place):
            yield place.rpartition("/")[2]
        else:
            yield from (one.location.removeprefix(start) for one in listed_files(session, place))
    elif local.is_dir():
        for folder, _, files in os.walk(local):
            inside = Path(folder).relative_to(local).as_posix()
            yield from (f"{inside}/{name}".removeprefix("./") for name in files)
    else:
        yield local.name


def _refuse_rows_twice(found: Sequence[Source]) -> None:
    """Raise where a table is given twice: its rows would be copies of themselves."""
    tables = [one for one in found if one.kind is not Kind.FILES]
    for number, one in enumerate(tables):
        for other in tables[number + 1 :]:
            first, second = (f"{place.rstrip('/')}/" for place in (one.place, other.place))
            if first.startswith(second) or second.startswith(first):
                raise ClusterError(
                    f"{one.shown} and {other.shown} hold the same rows. Give one of them."
                )


def notes_on(
    found: Sequence[Source], documents: DataFrame, reading: ReadingSettings
) -> Iterator[str]:
    """Sentences on how the sources were taken."""
    for one in found:
        if one.kind is not Kind.FILES:
            yield f"{one.shown} is read as a table ({one.kind}): each of its rows is a document."
    local = [(one.local, one.role) for one in found if one.local and one.kind is Kind.FILES]
    yield from nested_in_words([one for one, _ in local], [role for _, role in local])
    if reading.submissions:
        yield from _submissions(documents)


def _submissions(documents: DataFrame) -> Iterator[str]:
    """What was taken for submissions, for each place in which there are some."""
    from pyspark.sql import functions as F

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
