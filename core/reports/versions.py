"""The versions of what the numbers of a report hang on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

# What computes, what reads foreign formats, what tells words and languages.
LIBRARIES = (
    "numpy", "numba", "xxhash",
    "chardet", "msoffcrypto-tool", "pypdfium2", "selectolax",
    "PyStemmer", "stop-words",
)  # fmt: skip


def versions() -> dict[str, str]:
    """Python and the libraries by their names; one that says no version is left out."""
    found = {"Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
