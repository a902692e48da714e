"""Places as Spark's file systems have them, and what lies there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.base.wording import printable_name, printable_text
from core.errors import ClusterError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]+:/")  # a drive of Windows has one letter
DRIVE = re.compile("/[A-Za-z]:")
NANOSECONDS = 10**6  # of a millisecond
LONGEST = 300  # characters of what a file system says


class ListedFile(NamedTuple):
    """A file; `location` is its address, `modified_ns` is since 1970."""

    location: str
    size: int
    modified_ns: int


def place_of(session: SparkSession, source: str) -> str:
    """The whole address of a source: "file:/home/ada/essays", "hdfs://host:9000/essays".

    A path without a scheme is one of Spark's default file system.

    Raises:
        ClusterError: No file system has such an address.
    """
    usual = str(_conf(session).get("fs.defaultFS") or "")
    if source and usual.startswith("file:") and not SCHEME.match(source):
        return f"file:{_rooted(Path(source).absolute().as_posix())}"  # also with a colon in it
    with _in_words(source):
        path = _path(session, source)
        return str(path.getFileSystem(_conf(session)).makeQualified(path).toString())


def local_path(session: SparkSession, place: str) -> str | None:
    """The path of a place on local disks; None for others."""
    uri = _path(session, place).toUri()
    if uri.getScheme() != "file":
        return None
    path = str(uri.getPath())
    return path[1:] if DRIVE.match(path) and os.sep == "\\" else path


def _rooted(path: str) -> str:
    """A path that begins with a slash, also behind the letter of a drive."""
    return path if path.startswith("/") else f"/{path}"


def is_file(session: SparkSession, place: str) -> bool:
    """Whether there is one file.

    Raises:
        ClusterError: There is nothing, or it may not be read.
    """
    with _in_words(place):
        path = _path(session, place)
        return bool(path.getFileSystem(_conf(session)).getFileStatus(path).isFile())


def listed_files(session: SparkSession, place: str) -> Iterator[ListedFile]:
    """All files in a place, in no order.

    Raises:
        ClusterError: It may not be read.
    """
    with _in_words(place):
        path = _path(session, place)
        found = path.getFileSystem(_conf(session)).listFiles(path, True)
        while found.hasNext():
            one = found.next()
            location = str(one.getPath().toString())
            yield ListedFile(location, one.getLen(), one.getModificationTime() * NANOSECONDS)


def _path(session: SparkSession, place: str) -> Any:  # noqa: ANN401 - an object of Java
    return session._jvm.org.apache.hadoop.fs.Path(place)  # type: ignore[union-attr]  # noqa: SLF001


def _conf(session: SparkSession) -> Any:  # noqa: ANN401
    return session._jsc.hadoopConfiguration()  # noqa: SLF001 - there is no other way to it


@contextmanager
def _in_words(place: str) -> Iterator[None]:
    """What a file system says of a place as a sentence."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    shown = f"“{printable_name(place)}”"
    try:
        yield
    except Py4JJavaError as error:
        kind = str(error.java_exception.getClass().getSimpleName())
        if kind in {"FileNotFoundException", "NoSuchFileException"}:
            raise ClusterError(f"{shown} does not exist. Check the path.") from error
        if kind == "AccessControlException":
            raise ClusterError(f"{shown} may not be read. Check its permissions.") from error
        said = str(error.java_exception.getMessage() or kind)
        raise ClusterError(f"{shown} cannot be read: {_shortened(said)}") from error
    except PySparkException as error:
        raise ClusterError(f"{shown} cannot be read: {_shortened(str(error))}") from error


def _shortened(said: str) -> str:
    """The first line of what Java says, as a sentence."""
    line = printable_text(said.strip().splitlines()[0] if said.strip() else "no reason is given")
    line = line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
    return line if line.endswith((".", "…")) else f"{line}."
