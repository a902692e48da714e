"""Whether the executors have the same Neardup as the driver.

What decides a number of a result has to be the same on all of them: Neardup itself, what it counts,
stems and reads with, and the tables of characters of Python.
"""

from __future__ import annotations

import platform
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

from core import __version__
from core.errors import ClusterError

if TYPE_CHECKING:
    import pyarrow as pa

PACKAGES = (
    "numpy", "numba", "llvmlite", "xxhash", "PyStemmer", "stop-words", "chardet", "selectolax",
    "pypdfium2", "msoffcrypto-tool", "cryptography",
)  # fmt: skip


@cache
def versions() -> dict[str, str]:
    """All that has a part in a result, by name, in this process."""
    return {
        "neardup": f"{__version__} ({_digest_of_sources()})",
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "Unicode": unicodedata.unidata_version,
        **{name: _version(name) for name in PACKAGES},
    }


def differences(own: dict[str, str], other: dict[str, str]) -> str:
    """What is not the same, in words; "" where all is."""
    return ", ".join(
        f"{name} {other.get(name, '-')} instead of {value}"
        for name, value in own.items()
        if other.get(name) != value
    )


class SameVersions:
    """Work for a partition, refused where the executor has another Neardup than the driver.

    Executors come and go during a run; so each looks before its first partition.
    """

    def __init__(
        self, work: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]
    ) -> None:
        self._work = work
        self._versions = versions()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Do it.

        Raises:
            ClusterError: The versions are not the same; the sentence says which.
        """
        other = differences(self._versions, versions())
        if other:
            raise ClusterError(
                f"An executor on {platform.node()} has {other}. Install the same on all."
            )
        return self._work(batches)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "-"


def _digest_of_sources() -> str:
    """Of Neardup's own code: an installation for developers keeps its version when it changes."""
    top = Path(__file__).parents[1]
    digest = xxhash.xxh3_64()
    for path in sorted(top.rglob("*.py")):
        digest.update(path.relative_to(top).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]
