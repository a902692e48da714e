"""PDF: its text as it is read, page by page; the pages are joined with form feeds.

From the lines of pages to text: paragraphs apart, each as one line.

A run of lines is cut where one is indented, farther away, of another size, or follows one that
would have had room for its first word.

Pages of a PDF file that are pictures, read with Tesseract one by one.

Pictures of pages read with Tesseract, a program of its own that may or may not be installed.

It gets a picture through a pipe and gives the text back through another, one process per page, so
no file is written. A process is stopped when its page takes too long; should this process be killed
meanwhile, its own limit of computing time ends it where the system has such a limit.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import pairwise
from statistics import median
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from core.base.memory import counted_seconds
from core.base.messages import N_, nstored
from core.base.patterns import lazy_pattern
from core.documents.model import ProblemCode, UnreadableError
from core.documents.readers import Extracted, Reader, Reading
from core.documents.readers.pdf.lines import HYPHEN, Line, in_reading_order, resolve_hyphens
from core.documents.readers.pdf.pages import (
    ExtractedPage,
    PdfPages,
    clean,
    lacks_letters,
    page_numbers,
    page_remarks,
    running_headers_remark,
)
from core.documents.readers.pdf.running_headers import without_running_headers
from core.documents.readers.shared.packed_files import LOCKED, has_tar_magic

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_NAME = "tesseract"
_LANGUAGES = lazy_pattern(r"[A-Za-z0-9_/-]+(?:\+[A-Za-z0-9_/-]+)*")
_LIST_SECONDS = 10


class Tesseract:
    """Tesseract as it is installed here.

    Raises:
        UnreadableError: NO_TEXT_LAYER: it is not, or has no data for a language.
    """

    def __init__(self, reading: Reading) -> None:
        program = shutil.which(_NAME)
        if program is None:
            raise UnreadableError(
                ProblemCode.NO_TEXT_LAYER,
                "Text recognition needs the program Tesseract, which is not installed here.",
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
            raise UnreadableError(
                ProblemCode.NO_TEXT_LAYER,
                "Tesseract has no data for the language “{missing}”. Install it, or choose among: "
                "{known}.",
                missing="+".join(missing) or self.languages,
                known=", ".join(sorted(known)) or "none",
            )

    def _known_languages(self) -> set[str]:
        listed = self._answer(["--list-langs"], b"", _LIST_SECONDS)
        if listed is None:
            raise UnreadableError(
                ProblemCode.NO_TEXT_LAYER, "Tesseract is installed here but does not start."
            )
        return {line.strip() for line in listed.splitlines()[1:]}

    def read(self, picture: bytes, *, page: int | None = None) -> str | None:
        """The text in a picture, None where it cannot be read.

        Args:
            picture: A file of PGM, PNG or TIFF.
            page: Its number, of a TIFF file with several.
        """
        settings = [] if page is None else ["-c", f"tessedit_page_number={page}"]
        asked = ["stdin", "stdout", "-l", self.languages, "--dpi", "300", *settings]
        return self._answer(asked, picture, self._seconds)

    def read_pages(
        self, pages: Iterable[int], read: Callable[[int], str | None], step: Callable[[], None]
    ) -> Recognised:
        """The text of pages by their numbers; `read` gives None where one cannot be read."""
        texts: dict[int, str] = {}
        failed = []
        for page in pages:
            text = read(page)
            step()
            if text is None:
                failed.append(page)
            else:
                texts[page] = _as_paragraphs(text)
        return Recognised(texts, tuple(_recognition_remarks(texts, failed, self.languages)))

    def _answer(self, arguments: list[str], given: bytes, seconds: int) -> str | None:
        """What Tesseract prints; None when it does not start, fails, or takes too long."""
        try:
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
                finally:
                    _stop(process)
        except (OSError, subprocess.TimeoutExpired):
            return None
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


_LINE_END = lazy_pattern(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
_SINGLE_LINE_END = lazy_pattern(r"(?<!\n)\n(?!\n)")
_GAPS = lazy_pattern(r"\n\s*\n")


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
    except UnreadableError as error:
        return Recognised({}, (error.detail,))

    def read(page: int) -> str | None:
        picture = document.picture(page)
        return None if picture is None else tesseract.read(picture)

    return tesseract.read_pages(wanted, read, reading.step)


def _as_paragraphs(text: str) -> str:
    """The text as Tesseract gives it, a paragraph in one line."""
    text = _GAPS.sub("\n\n", text.replace("\f", "").strip())
    return _SINGLE_LINE_END.sub(" ", _LINE_END.sub(HYPHEN, text))


def _recognition_remarks(
    texts: Mapping[int, str], failed: list[int], languages: str
) -> Iterator[str]:
    """Which pages were read with Tesseract, and which could not be."""
    if read := [index for index, text in texts.items() if text]:
        yield nstored(
            "Page {pages} was read by text recognition (Tesseract, {languages}): expect wrong "
            "letters.",
            "Pages {pages} were read by text recognition (Tesseract, {languages}): expect "
            "wrong letters.",
            len(read),
            pages=page_numbers(read),
            languages=languages,
        )
    if failed:
        yield nstored(
            "Page {pages}: text recognition failed or took too long.",
            "Pages {pages}: text recognition failed or took too long.",
            len(failed),
            pages=page_numbers(failed),
        )


_PITCH = 1.15  # of the height of a line, where a page is too short to tell
_WITHOUT_SPACES = lazy_pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_BULLET = lazy_pattern(r"[•‣◦▪▫●○■□►▸✓➢·⁃–—*-]\s")
_NUMBERED = lazy_pattern(r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\])\s")
_ENDED = lazy_pattern(r"[.!?:;。！？：；…]['\"”’»)\]]*$")
_END = 20  # characters in which a text ends
_HARD_HYPHEN = lazy_pattern(r"[^\W\d_][-\u2010]$")


def joined_pages(
    pages: Sequence[Sequence[Line]], instead: Mapping[int, str], step: Callable[[], None]
) -> str:
    """The text of all pages with form feeds between them.

    A paragraph that goes on over the end of a page has only the form feed there; where one ends, a
    blank line comes first. `instead` has the text of pages that was not made of their lines; `step`
    is called after each page.
    """
    texts = []
    for index, lines in enumerate(pages):
        texts.append(instead.get(index) or page_text(lines))
        step()
    parts: list[str] = []
    for text, following in zip(texts, [*texts[1:], ""], strict=True):
        if following[:1].islower() and text.endswith("-"):
            parts.append(f"{text[:-1]}{HYPHEN}")
        elif text and following and not _goes_on(text, following):
            parts.append(f"{text}\n\n")
        else:
            parts.append(text)
    return "\f".join(parts)


def _goes_on(text: str, following: str) -> bool:
    """Whether the last paragraph of a page goes on with the first of the next."""
    if _ENDED.search(text[-_END:]):
        return False
    return following[0].islower() or _WITHOUT_SPACES.match(following) is not None


def page_text(lines: Sequence[Line]) -> str:
    """The text of a page; a word broken over two lines has `HYPHEN` in it."""
    runs = in_reading_order(lines)
    pitch = _usual_pitch(runs)
    parts: list[str] = []
    before: list[Line] = []
    for run in runs:
        text = _run_text(_mirrored(run), pitch)
        if parts and not _continues(before, run, parts[-1], text):
            parts.append("\n\n")
        elif parts and before[-1].hyphenated:
            parts[-1] = f"{parts[-1][:-1]}{HYPHEN}"
        elif parts:
            parts.append(_space(before[-1], run[0]))
        parts.append(text)
        before = run
    return "".join(parts)


def _continues(run: Sequence[Line], following: Sequence[Line], text: str, next_text: str) -> bool:
    """Whether a paragraph goes on from the foot of one column to the head of the next."""
    return (
        len(run) > 1
        and following[0].bottom > run[-1].bottom
        and not (run[-1].cells or following[0].cells)
        and _same_size(run[-1], following[0])
        and _goes_on(text, next_text)
    )


def _usual_pitch(runs: Sequence[Sequence[Line]]) -> float:
    """From line to line within the paragraphs of a page, as a share of the height of a line."""
    pitches = sorted(
        (above.bottom - below.bottom) / above.height
        for run in runs
        for above, below in pairwise(run)
        if _same_size(above, below) and above.bottom > below.bottom
    )
    if len(pitches) < 4:
        return _PITCH
    return min(max(pitches[len(pitches) // 4], 0.8), 2.0)


def _mirrored(run: list[Line]) -> list[Line]:
    """The same run; of a script from right to left, as if it were from left to right."""
    letters = [
        unicodedata.bidirectional(character) for line in run[:8] for character in line.text[:40]
    ]
    rightward = sum(kind in _RIGHT_TO_LEFT for kind in letters)
    if rightward <= letters.count("L"):
        return run
    for line in run:
        line.left, line.right = -line.right, -line.left
    return run


def _run_text(run: list[Line], pitch: float) -> str:
    cuts = _Cuts(run, pitch)
    parts = [run[0].text]
    length = 1  # lines of the paragraph
    for index in range(1, len(run)):
        before, line = run[index - 1], run[index]
        cut = cuts.before(index, length)
        if cut:
            _give_back_hyphen(parts, before)
            parts.append(cut)
            length = 0
        else:
            parts.append(_join(before, line, parts))
        parts.append(line.text)
        length += 1
    _give_back_hyphen(parts, run[-1])
    return "".join(parts)


def _give_back_hyphen(parts: list[str], line: Line) -> None:
    """A line that ended in a hyphen and goes on nowhere keeps it."""
    if line.hyphenated:
        parts.append("-")


def _join(before: Line, line: Line, parts: list[str]) -> str:
    """What stands between two lines of a paragraph."""
    if before.hyphenated:
        return HYPHEN
    if _HARD_HYPHEN.search(before.text[-2:]) and line.text[0].isalpha():
        parts[-1] = parts[-1][:-1]
        return HYPHEN
    return _space(before, line)


def _space(before: Line, line: Line) -> str:
    """A space, but none between signs of a script that has no spaces."""
    tight = _WITHOUT_SPACES.match(before.text[-1]) and _WITHOUT_SPACES.match(line.text[0])
    return "" if tight else " "


class _Cuts:
    def __init__(self, run: Sequence[Line], pitch: float) -> None:
        self._run = run
        self._left = min(line.left for line in run)
        rights = sorted(line.right for line in run)
        self._right = rights[-1] if len(run) < 4 else rights[round(0.85 * (len(run) - 1))]
        self._height = median(line.height for line in run)
        self._pitch = pitch * self._height
        self._hanging = self._hangs()

    def _hangs(self) -> bool:
        """Whether items start at the margin and go on indented, as in a list of references."""
        indented = sum(self._is_indented(line) for line in self._run)
        flush = len(self._run) - indented
        first = not self._is_indented(self._run[0])
        return indented > flush or (indented == flush and first)

    def _is_indented(self, line: Line) -> bool:
        return line.left - self._left > 0.7 * self._height

    def before(self, index: int, length: int) -> str:
        """What separates a line from the one before; "" where the paragraph goes on.

        `length` is how many lines the paragraph has so far.
        """
        above, line = self._run[index - 1], self._run[index]
        if "\t" in above.text or "\t" in line.text:
            return "\n" if self._is_near(above, line) else "\n\n"
        if not self._is_near(above, line) or not _same_size(above, line):
            return "\n\n"
        if above.hyphenated:
            return ""
        if self._is_indented(line) != self._is_indented(above):
            starts = self._is_indented(line) != self._hanging
            if starts and (self._hanging or self._returns(index)):
                return "\n\n"
        return self._broken(above, line, length)

    def _is_near(self, above: Line, line: Line) -> bool:
        return above.bottom - line.bottom < 1.3 * self._pitch

    def _returns(self, index: int) -> bool:
        """Whether an indented line is alone: the next is back at the margin."""
        return index + 1 == len(self._run) or not self._is_indented(self._run[index + 1])

    def _broken(self, above: Line, line: Line, length: int) -> str:
        """Whether the line above ends early, or a list goes on."""
        if _BULLET.match(line.text):
            return "\n"
        ended = _ENDED.search(above.text[-_END:]) is not None
        if ended and _NUMBERED.match(line.text):
            return "\n"
        wide = _WITHOUT_SPACES.match(line.text) is not None
        needed = self._height if wide else line.first + 0.5 * self._height
        if self._right - above.right <= needed:
            return ""
        is_prose = length > 1 or self._right - line.right < needed
        return "\n\n" if ended and is_prose else "\n"


def _same_size(above: Line, line: Line) -> bool:
    """Whether two lines are set in the same size; the boxes of a font vary a little."""
    small, large = sorted((above.height, line.height))
    return large < 1.25 * small


_SUFFIXES = frozenset({".pdf"})
_SIGNATURE = b"%PDF-"
_BLANK = b" \t\r\n\f\0\xef\xbb\xbf"
_OBJECT = lazy_pattern(rb"[\r\n]\d{1,10}[ \t\r\n]\d{1,5}[ \t\r\n]obj\b")
_SIGNATURE_WITHIN = 1024  # bytes from the start: what other readers of PDF allow
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_DAMAGED = N_(
    "This file is damaged: it cannot be opened as PDF. Get another copy, or open it in a "
    "program for PDF and save it again."
)
_EMPTY = N_("This PDF has nothing on its pages.")
_SCAN = N_("This PDF has no text: its pages are pictures (a scan).")
_GARBLED = N_("This PDF shows letters but does not say which: its fonts have no table of them.")
_ADVICE = N_(
    "Turn on text recognition (OCR) in the settings to have it read with Tesseract, or save a "
    "copy with a text layer."
)


def _recognises(data: bytes, suffix: str) -> bool:
    """By its signature, or by the name and what else every such file has.

    A PDF file stored in an archive also begins within the first bytes of that; and a text may be
    about PDF.
    """
    at = data.find(_SIGNATURE, 0, _SIGNATURE_WITHIN)
    if at >= 0 and not (data.startswith(b"PK\x03\x04") or has_tar_magic(data)):
        return (
            suffix in _SUFFIXES or not data[:at].strip(_BLANK) or _OBJECT.search(data) is not None
        )
    return suffix in _SUFFIXES and b"startxref" in data[-_SIGNATURE_WITHIN:]


def _read(data: bytes, reading: Reading) -> Extracted:
    """The text of a PDF file."""
    import pypdfium2 as pdfium
    from pypdfium2 import raw

    with closing(unlocked(pdfium, data, reading.passwords)) as opened:
        document = PdfPages(raw, opened, pdfium.PdfiumError)
        with document.with_fields():
            pages = []
            for index in range(len(document)):
                pages.append(document.read(index))
                reading.step()
        if all(page.is_damaged for page in pages) and pages:
            raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED)
        recognised = recognise_pages(document, pages, reading)
        remarks = list(page_remarks(pages, document.attachments(), recognised.texts))
    return _extracted(pages, recognised, remarks, reading.step)


def unlocked(pdfium: ModuleType, data: bytes, passwords: tuple[str, ...]) -> PdfDocument:
    """A document, opened without a password or with the first that fits.

    Raises:
        UnreadableError: DAMAGED or ENCRYPTED.
    """
    for password in (None, *_prepared(passwords)):
        try:
            return pdfium.PdfDocument(data, password=password)
        except pdfium.PdfiumError as error:
            # PDFium may leave the code of an error before, of another file.
            if error.err_code != _PASSWORD_ERROR or b"/Encrypt" not in data:
                raise UnreadableError(ProblemCode.DAMAGED, _DAMAGED) from error
    raise UnreadableError(ProblemCode.ENCRYPTED, LOCKED)


def _prepared(passwords: tuple[str, ...]) -> list[str]:
    """As they are (PDFium tries UTF-8 and Latin-1), and normalised as newer files want it.

    Source: ISO 32000-2, 7.6.4.3.3, which asks for SASLprep (RFC 4013).
    """
    normal = [unicodedata.normalize("NFKC", word.replace("\xad", "")) for word in passwords]
    return [word for word in dict.fromkeys((*passwords, *normal)) if word.isprintable()]


def _extracted(
    pages: list[ExtractedPage], recognised: Recognised, remarks: list[str], step: Callable[[], None]
) -> Extracted:
    headers = without_running_headers([page.lines for page in pages])
    text = clean(resolve_hyphens(joined_pages(headers.pages, recognised.texts, step)))
    if not text.strip():
        raise _no_text(pages, recognised)
    sentences = [*remarks, *recognised.remarks, running_headers_remark(headers)]
    if lacks_letters(text):
        sentences.append(
            N_("Some letters are missing: a font of this PDF does not say which they are.")
        )
    return Extracted(text, remarks=tuple(sentence for sentence in sentences if sentence))


def _no_text(pages: list[ExtractedPage], recognised: Recognised) -> UnreadableError:
    if all(page.is_empty or page.is_damaged for page in pages):
        return UnreadableError(ProblemCode.EMPTY, _EMPTY)
    reason = _GARBLED if any(page.is_garbled for page in pages) else _SCAN
    advice = _ADVICE
    if recognised.texts:
        advice = N_("Text recognition (OCR) found none either.")
    elif recognised.remarks:
        advice = " ".join(recognised.remarks)
    return UnreadableError(ProblemCode.NO_TEXT_LAYER, f"{reason} {advice}")


READER = Reader(
    "pdf",
    N_("a PDF file"),
    "PDF",
    _SUFFIXES,
    _recognises,
    _read,
    has_scans=True,
    never_text=True,
    is_paged=True,
    libraries=("pypdfium2.raw",),
)
