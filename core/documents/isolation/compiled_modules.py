"""Libraries that a confined process could not find, or would have to compile again and again.

Most installers compile modules. Where one did not, every reader would compile the libraries again,
and could not keep that. And PYTHONPATH may make Python look for libraries anywhere.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from core.documents.readers import READERS

# What all readers of texts import, and what each imports when it meets its format.
_MODULES = {"chardet", *(module for reader in READERS for module in reader.libraries)}


def keep_compiled_modules() -> None:
    """Have the libraries compiled and kept, if that was not done yet and can be done."""
    if sys.dont_write_bytecode:
        return
    for module in _MODULES:
        spec = find_spec(_package(module))
        if spec and spec.cached and spec.origin and _is_to_be_kept(Path(spec.cached), spec.origin):
            import_module(module)


def load_libraries_outside(readable: Sequence[Path]) -> None:
    """Import the libraries that a confined process would not find, with all that they import.

    Args:
        readable: Folders that it can read.
    """
    for module in _MODULES:
        spec = find_spec(_package(module))
        if spec and spec.origin and not _lies_in(readable, Path(spec.origin).resolve()):
            import_module(module)


def _package(module: str) -> str:
    return module.partition(".")[0]


def _lies_in(folders: Sequence[Path], path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _is_to_be_kept(cached: Path, origin: str) -> bool:
    """Whether a file is missing that can be written."""
    return not cached.exists() and os.access(Path(origin).parent, os.W_OK)
