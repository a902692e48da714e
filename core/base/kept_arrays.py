"""Arrays that take longer to make than to read, kept beside the kernels."""

from __future__ import annotations

import marshal
import sys
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from core.base.arrays import AnyArray, starts_of_runs
from core.base.compiling import source_digest
from core.base.kernel_files import ENDING, KERNEL_FILES, load, save

COUNT = np.uint32
FORMAT = 2  # of `marshal`, without references: the same arrays are the same bytes
OWN_SOURCE = source_digest(__file__)


def kept_arrays(
    name: str, sources: Iterable[str], make: Callable[[], Iterable[AnyArray]]
) -> list[AnyArray]:
    """Arrays of numbers that follow from sources and the Unicode data of the running Python.

    Args:
        name: Of the file.
        sources: The digests, taken while they were imported, of the sources of the modules whose
            functions and constants make the arrays.
        make: Makes them, where no intact file has what these sources make.
    """
    file = f"{name}-{sys.implementation.cache_tag}{ENDING}"
    key = " ".join([*sources, OWN_SOURCE, unicodedata.unidata_version]).encode()
    kept = load(KERNEL_FILES, file, key)
    if kept is None:
        kept = marshal.dumps([_packed(array) for array in make()], FORMAT)
        save(KERNEL_FILES, file, key, kept)
    return [_unpacked(*packed) for packed in marshal.loads(kept)]  # noqa: S302 - checked


def _packed(array: AnyArray) -> tuple[Any, ...]:
    """What an array is made of again: numbers and how often each comes, to the last but 0."""
    numbers = np.trim_zeros(array.ravel(), "b")
    starts = starts_of_runs(numbers)
    counts = np.diff(starts, append=len(numbers)).astype(COUNT)
    return array.shape, array.dtype.str, numbers[starts].tobytes(), counts.tobytes()


def _unpacked(shape: tuple[int, ...], dtype: str, numbers: bytes, counts: bytes) -> AnyArray:
    array = np.zeros(shape, dtype=dtype)
    filled = np.repeat(np.frombuffer(numbers, dtype=dtype), np.frombuffer(counts, dtype=COUNT))
    array.reshape(-1)[: len(filled)] = filled
    return array
