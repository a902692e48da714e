"""What tells a tar archive from a text."""

from __future__ import annotations


def has_tar_magic(data: bytes) -> bool:
    """Whether a file has the mark of a tar archive in its first header (POSIX.1-1988, or GNU).

    The five letters alone do not tell: a text has them at this place by chance. What follows them
    in an archive is a NUL, or a space and another one and a NUL.
    """
    return data[257:263] == b"ustar\0" or data[257:265] == b"ustar  \0"
