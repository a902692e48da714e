"""Pictures of pages read with Tesseract, a program of its own that may or may not be installed.

It gets a picture through a pipe and gives the text back through another, one process per page, so
no file is written. A process is stopped when its page takes too long; should this process be killed
meanwhile, its own limit of computing time ends it where the system has such a limit.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress

from core.documents.readers.base import Reading

__all__ = ["OCRError", "Tesseract"]

_NAME = "tesseract"
_LANGUAGES = re.compile(r"[A-Za-z0-9_/-]+(?:\+[A-Za-z0-9_/-]+)*")
_LIST_SECONDS = 10


class OCRError(Exception):
    """Nothing can be read with Tesseract, and why, in a sentence for the user."""


class Tesseract:
    """Tesseract as it is installed here.

    Raises:
        OCRError: It is not, or has no data for a language.
    """

    def __init__(self, reading: Reading) -> None:
        program = shutil.which(_NAME)
        if program is None:
            raise OCRError(
                "Text recognition needs the program Tesseract, which is not installed here."
            )
        self._program = program
        self.languages = reading.ocr_languages
        self._seconds = max(1, reading.limits.stall_seconds * 3 // 4)
        self._check_languages()

    def _check_languages(self) -> None:
        wanted = self.languages.split("+")
        known = self._known_languages()
        missing = [name for name in wanted if name not in known]
        if missing or not _LANGUAGES.fullmatch(self.languages):
            raise OCRError(
                f"Tesseract has no data for the language “{'+'.join(missing) or self.languages}”. "
                f"Install it, or choose among: {', '.join(sorted(known)) or 'none'}."
            )

    def _known_languages(self) -> set[str]:
        try:
            listed = subprocess.run(  # noqa: S603 (the program found on the path, no shell)
                [self._program, "--list-langs"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LIST_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise OCRError("Tesseract is installed here but does not start.") from error
        lines = listed.stdout.decode("utf-8", "replace").splitlines()
        return {line.strip() for line in lines[1:]}

    def read(self, picture: bytes, *, page: int | None = None) -> str | None:
        """The text in a picture, None where it cannot be read.

        Args:
            picture: A file of PGM, PNG or TIFF.
            page: Its number, of a TIFF file with several.
        """
        settings = [] if page is None else ["-c", f"tessedit_page_number={page}"]
        try:
            process = subprocess.Popen(  # noqa: S603 (the program found on the path, no shell)
                [self._program, "stdin", "stdout", "-l", self.languages, "--dpi", "300", *settings],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            )
        except OSError:
            return None
        with process:
            _limit_computing(process.pid, 2 * self._seconds)
            try:
                text, _ = process.communicate(picture, timeout=self._seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                process.kill()
        return text.decode("utf-8", "replace") if process.returncode == 0 else None


def _limit_computing(pid: int, seconds: int) -> None:
    """Have the system end a process that goes on computing when nobody waits for it."""
    if sys.platform == "linux":
        import resource

        with suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds))
