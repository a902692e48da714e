"""Pages of a PDF file that are pictures, read with Tesseract one by one.

Pictures of pages read with Tesseract, a program of its own that may or may not be installed.

It gets a picture through a pipe and gives the text back through another, one process per page, so
no file is written. A process is stopped when its page takes too long; should this process be killed
meanwhile, its own limit of computing time ends it where the system has such a limit.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from core.base.memory import counted_seconds
from core.documents.readers.pdf.lines import HYPHEN
from core.documents.readers.pdf.pages import ExtractedPage, PdfPages, page_numbers
from core.documents.readers.reader import Reading

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
            listed = self._answer(["--list-langs"], b"", _LIST_SECONDS)
        except OSError:
            listed = None
        if listed is None:
            raise OCRError("Tesseract is installed here but does not start.")
        return {line.strip() for line in listed.splitlines()[1:]}

    def read(self, picture: bytes, *, page: int | None = None) -> str | None:
        """The text in a picture, None where it cannot be read.

        Args:
            picture: A file of PGM, PNG or TIFF.
            page: Its number, of a TIFF file with several.
        """
        settings = [] if page is None else ["-c", f"tessedit_page_number={page}"]
        asked = ["stdin", "stdout", "-l", self.languages, "--dpi", "300", *settings]
        try:
            return self._answer(asked, picture, self._seconds)
        except OSError:
            return None

    def _answer(self, arguments: list[str], given: bytes, seconds: int) -> str | None:
        """What Tesseract prints; None when it fails, or takes too long.

        Raises:
            OSError: It does not start.
        """
        with _limited_computing(2 * seconds):
            process = subprocess.Popen(
                [self._program, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,  # errors go where those of this process go
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            )
        with process:
            try:
                text, _ = process.communicate(given, timeout=seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                _stop(process)
        return text.decode("utf-8", "replace") if process.returncode == 0 else None


@contextmanager
def _limited_computing(seconds: int) -> Iterator[None]:
    """Have the system end a program that goes on computing after its caller has stopped waiting.

    It gets the limit of the process that starts it, and begins to count again.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    most = sys.maxsize if hard == resource.RLIM_INFINITY else hard
    lowered = min(int(counted_seconds()) + seconds, most)
    resource.setrlimit(resource.RLIMIT_CPU, (lowered, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a program that may still run.

    A confined reader may signal nothing but its group, and does not mind this signal itself.
    """
    try:
        process.kill()
    except PermissionError:
        if sys.platform != "win32":
            os.killpg(0, signal.SIGUSR1)


_LINE_END = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
_SINGLE_LINE_END = re.compile(r"(?<!\n)\n(?!\n)")
_GAPS = re.compile(r"\n\s*\n")


class Recognised(NamedTuple):
    """The text of pages by their index, and sentences on them."""

    texts: Mapping[int, str]
    remarks: tuple[str, ...] = ()


def recognise_pages(
    document: PdfPages, pages: Sequence[ExtractedPage], reading: Reading
) -> Recognised:
    """Read the pages without text, where that is asked for."""
    wanted = [index for index, page in enumerate(pages) if page.is_picture]
    if not reading.ocr or not wanted:
        return Recognised({})
    try:
        tesseract = Tesseract(reading)
    except OCRError as error:
        return Recognised({}, (str(error),))
    texts: dict[int, str] = {}
    failed = []
    for index in wanted:
        picture = document.picture(index)
        text = None if picture is None else tesseract.read(picture)
        reading.step()
        if text is None:
            failed.append(index)
        else:
            texts[index] = as_paragraphs(text)
    return Recognised(texts, recognition_remarks(texts, failed, tesseract.languages))


def as_paragraphs(text: str) -> str:
    """The text as Tesseract gives it, a paragraph in one line."""
    text = _GAPS.sub("\n\n", text.replace("\f", "").strip())
    return _SINGLE_LINE_END.sub(" ", _LINE_END.sub(HYPHEN, text))


def recognition_remarks(
    texts: Mapping[int, str], failed: list[int], languages: str
) -> tuple[str, ...]:
    """Which pages were read with Tesseract, and which could not be."""
    remarks = []
    if any(texts.values()):
        pages = page_numbers(index for index, text in texts.items() if text)
        verb = "were" if sum(map(bool, texts.values())) > 1 else "was"
        remarks.append(
            f"{pages} {verb} read by text recognition (Tesseract, {languages}): expect "
            "wrong letters."
        )
    if failed:
        remarks.append(f"{page_numbers(failed)}: text recognition failed or took too long.")
    return tuple(remarks)
