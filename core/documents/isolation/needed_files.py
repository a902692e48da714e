"""The files that a reader process needs once it runs: programs and their data, none of the user's.

What readers import when they meet a format must be found, and PDFium looks for fonts where a file
brings none. A folder that holds the user's home is never among them, wherever Python was put.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

_SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
    "/etc/ld.so.cache",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/crypto-policies",
    "/usr/share/crypto-policies",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/usr/share/fonts",
    "/usr/share/X11/fonts",
    "/usr/share/poppler",
    "/usr/share/texmf/fonts",
    "/usr/local/share/fonts",
    "/dev/null",
    "/dev/urandom",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
)
_PACKAGES = ("site-packages", "dist-packages")
_LOADERS = ("/lib", "/lib64")
_TESSERACT = "tesseract"
_LANGUAGES = ("tessdata", "tesseract-ocr", "tesseract")


def files_to_read() -> list[Path]:
    """Files and folders that readers need, as many as there are."""
    return list(_without_home([*map(Path, _SYSTEM), *_libraries(), *_python(), *_loaded()]))


def programs() -> list[Path]:
    """Tesseract, and what loads it with its libraries; empty where it is not installed."""
    program = shutil.which(_TESSERACT)
    if program is None:
        return []
    loaders = (path for folder in _LOADERS for path in Path(folder).glob("ld-*.so*"))
    return [Path(program).resolve(), *loaders]


def files_for_programs() -> list[Path]:
    """What Tesseract needs beside the libraries of the system: its languages."""
    program = shutil.which(_TESSERACT)
    if program is None:
        return []
    prefixes = {Path("/usr"), Path("/usr/local"), Path(program).resolve().parent.parent}
    folders = [prefix / "share" / name for prefix in prefixes for name in _LANGUAGES]
    own = os.environ.get("TESSDATA_PREFIX")
    libraries = Path(program).resolve().parent.parent / "lib"
    return list(_without_home([*folders, libraries, *([Path(own)] if own else ())]))


def _python() -> Iterator[Path]:
    """The interpreter's own modules, installed packages, and this one."""
    yield from (Path(prefix) / "lib" for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix})
    yield Path(os.__file__).parent
    yield from (Path(path) for path in sys.path if Path(path).name in _PACKAGES)


def _loaded() -> Iterator[Path]:
    """Packages of which something is loaded: a library may import the rest of itself later."""
    for name, module in list(sys.modules.items()):
        if "." not in name:
            yield from map(Path, getattr(module, "__path__", ()))


def _libraries() -> Iterator[Path]:
    """Where the one who started Neardup has the system look for libraries."""
    for path in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if os.path.isabs(path):  # noqa: PTH117 - an empty one, which is no path, is the current folder
            yield Path(path)


def _without_home(paths: Iterable[Path]) -> Iterator[Path]:
    """Leave out folders in which a home lies."""
    homes = [Path(os.path.expanduser("~")).resolve(), Path("/home"), Path("/root")]  # noqa: PTH111 - Path.home raises
    for path in paths:
        real = path.resolve()
        if not any(home.is_relative_to(real) for home in homes):
            yield real
