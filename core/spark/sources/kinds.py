"""What a source is: files, or a table with a row for each document.

A file is a table where its name says so, and a folder where all files in it are of one kind of
table. In any other folder each file is a document, a table too.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from core.errors import ClusterError


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
        *folders, own = name.split("/")
        for folder in folders:
            if folder in LOGS:
                raise ClusterError(
                    f"{shown} is a table of {LOGS[folder]}, of which not all files count. Write "
                    "its rows as Parquet, and give that folder."
                )
        if own in OF_WRITERS or any(step.startswith(".") for step in (*folders, own)):
            continue
        kinds.add(_kind_of(own))
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
