"""How much memory the system leaves to this process: control groups of Linux, address space.

Containers, services and batch systems bound memory by control groups, of which there are two
versions (kernel documentation: admin-guide/cgroup-v1/memory.rst, admin-guide/cgroup-v2.rst), and a
group may stand in others with smaller limits. What a group holds of files that nobody uses counts
as free: the kernel lets go of it first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

GROUPS = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")
OWN_PAGES = Path("/proc/self/statm")


class _GroupVersion(NamedTuple):
    """Where a version keeps its groups, and the files of each."""

    mounts: tuple[str, ...]
    limit: str
    used: str
    unused_files: str


ONE = _GroupVersion(
    ("memory",), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
)
TWO = _GroupVersion(("", "unified"), "memory.max", "memory.current", "inactive_file")


def memory_left_to_groups() -> list[int]:
    """Bytes that are left to each group with a limit that this process is in."""
    try:
        lines = OWN_GROUPS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []  # not Linux
    left: list[int] = []
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, name = rest.partition(":")
        if not controllers:
            left += _left(TWO, name)
        elif "memory" in controllers.split(","):
            left += _left(ONE, name)
    return left


def _left(version: _GroupVersion, name: str) -> Iterator[int]:
    for mount in version.mounts:
        root = GROUPS / mount
        group = root / name.lstrip("/")
        for folder in (group, *group.parents):
            try:
                limit = (folder / version.limit).read_text(encoding="utf-8").strip()
                used = int((folder / version.used).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue  # in a container the names of the groups outside lead nowhere
            if limit.isdigit():
                unused = min(used, _unused_files(folder, version))
                yield max(0, int(limit) - used + unused)
            if folder == root:
                break


def _unused_files(folder: Path, version: _GroupVersion) -> int:
    """Bytes of files that a group holds in memory and nobody uses."""
    try:
        lines = (folder / "memory.stat").read_text(encoding="utf-8").splitlines()
        values = dict(line.split(maxsplit=1) for line in lines)
        return int(values.get(version.unused_files, 0))
    except (OSError, ValueError):
        return 0


def address_space_left() -> int | None:
    """Bytes of addresses this process may still reserve; None where that is not limited or known.

    More is reserved than used, so that this is more than it can take.
    """
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - only Unix has it

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        pages = int(OWN_PAGES.read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return None
    return max(0, limit - pages * resource.getpagesize())
