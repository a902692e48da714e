"""LibreOffice as a program that writes files in other formats."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

SECONDS = 900.0


@cache
def _profile() -> tempfile.TemporaryDirectory[str]:
    """Of this process, gone at its end; making one takes longer than a file."""
    return tempfile.TemporaryDirectory(prefix="neardup-office-", ignore_cleanup_errors=True)


def convert(
    sources: Sequence[Path],
    target: str,
    folder: Path,
    *options: str,
    program: str = "soffice",
    seconds: float = SECONDS,
) -> None:
    """Write files in a format, as LibreOffice names it, into a folder.

    Raises:
        subprocess.SubprocessError: It failed, or took longer than so many seconds and was ended.
    """
    home = f"-env:UserInstallation={Path(_profile().name).as_uri()}"
    command = [program, home, "--headless", *options, "--convert-to", target, "--outdir"]
    with subprocess.Popen(
        [*command, str(folder), *map(str, sources)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    if status:
        raise subprocess.CalledProcessError(status, command)
