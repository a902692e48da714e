"""Pictures to files, on a thread of their own: a network folder may take a while."""

from __future__ import annotations

from pathlib import Path

from neardup_gui.jobs.job import Reports, Work

__all__ = ["save_picture"]


def save_picture(path: Path, picture: bytes) -> Work:
    """Write a picture that was drawn; the result is its path."""

    def work(_reports: Reports) -> Path:
        from core.base.replaced_file import replaced_bytes  # noqa: PLC0415 - slow to import

        with replaced_bytes(path) as file:
            file.write(picture)
        return path

    return work
