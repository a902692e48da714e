"""A report as PDF, and its first pages as pictures before it is written."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import IO, Any

import psutil

from core.base.progress import Cancelled, Progress, ProgressReport, Stage, ignore, never, stop_if
from core.base.replaced_file import replaced_bytes
from core.base.wording import readable_size
from core.errors import ExportError
from core.program.python_process import python_command
from core.reports.blocks import Section
from core.reports.limits import ReportLimits
from core.reports.logo import media_type
from core.reports.model import Report
from core.reports.pdf.block_data import head_data, section_data
from core.reports.record.seal import sealed
from core.reports.record.writing import record_pieces
from core.reports.sections import head_of, sections

START = "from core.reports.pdf.typesetting import main; main()"
_POLL = 0.05  # seconds between two looks at `cancelled`
# Measured: how much typst takes at most for a character of the sections, as JSON.
BYTES_PER_CHARACTER = 350
_BASE = 100_000_000  # bytes


def typeset(
    task: dict[str, Any], sections: Iterable[str], cancelled: Cancelled
) -> tuple[dict[str, Any], memoryview]:
    """Have a report typeset.

    Args:
        task: As `core.reports.pdf.typesetting` reads it.
        sections: Each as JSON; read before the process starts.
        cancelled: Polled while the process works.

    Returns:
        What it told, and the bytes that it made.

    Raises:
        ExportError: There is not enough memory, or no PDF came out.
        ScanCancelledError: `cancelled` said so; the process is gone.
    """
    text = f"[{','.join(sections)}]"
    _check_memory(len(text))
    data = json.dumps(task).encode() + b"\n" + text.encode()
    del text
    output = _output_of(data, cancelled)
    line, found, _ = output.partition(b"\n")
    if not found:
        raise ExportError("The PDF could not be made: the typesetting ended without a result.")
    told = json.loads(line)
    if "error" in told:
        raise ExportError(f"The PDF could not be made: {told['error']}.")
    made = memoryview(output)[len(line) + 1 :]
    if told.get("size", len(made)) != len(made):
        raise ExportError("The PDF could not be made: the typesetting ended before its end.")
    return told, made


def _check_memory(characters: int) -> None:
    needed = _BASE + BYTES_PER_CHARACTER * characters
    free = psutil.virtual_memory().available
    if needed > free:
        raise ExportError(
            f"A PDF of this report takes about {readable_size(needed)} of memory to make, and only "
            f"{readable_size(free)} are free. Show the passages of fewer pairs, or write HTML."
        )


def _output_of(data: bytes, cancelled: Cancelled) -> bytes:
    """All that the process writes."""
    try:
        process = subprocess.Popen(
            python_command(START),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            process_group=0,  # out of the reach of Ctrl-C, which cancels
        )
    except OSError as error:
        raise ExportError(f"The PDF could not be made: {error.strerror or error}.") from error
    stdin, process.stdin = process.stdin, None
    # In a thread: `communicate` gives no more of its input after its first timeout (Python 3.11).
    giving = Thread(target=_give, args=(stdin, data), name="neardup-typesetting")
    giving.start()
    try:
        while True:
            stop_if(cancelled)
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=_POLL)[0]
    finally:
        process.kill()
        process.communicate()
        giving.join()


def _give(stdin: IO[bytes] | None, data: bytes) -> None:
    """Write all data, as long as the process takes it."""
    with suppress(OSError):
        if stdin:
            with stdin:
                stdin.write(data)


LIMITS = ReportLimits()
_PICTURES = {"image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg"}


def write_pdf(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> str:
    """Write the report as one PDF file: PDF/A-3a (ISO 19005-3) and PDF/UA-1 (ISO 14289-1).

    Its record is attached to it as `record.json`.

    Args:
        path: Where; an existing file is replaced.
        report: What to write.
        progress: Told the number of pairs whose passages are read, and that pages are set.
        cancelled: Polled before each pair, and while the pages are set.

    Returns:
        The seal of the record.

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    pieces = record_pieces(report, sealed=True, most=LIMITS.table_rows, cancelled=cancelled)
    record, seal = sealed("".join(pieces))
    with replaced_bytes(path) as file:
        told = sections(report, LIMITS, progress, cancelled)
        written = _written(told, progress, cancelled)
        _, pdf = typeset(task_of(report) | {"record": record}, written, cancelled)
        file.write(pdf)
    return seal


def _written(told: Iterator[Section], progress: Progress, cancelled: Cancelled) -> Iterator[str]:
    for section in told:
        stop_if(cancelled)
        yield json.dumps(section_data(section), ensure_ascii=False)
    progress(ProgressReport(Stage.TYPESET, 0, 0))


def task_of(report: Report) -> dict[str, Any]:
    """What `core.reports.pdf.typesetting` is asked for, besides the sections.

    Raises:
        ExportError: The logo is no picture.
    """
    head = head_data(head_of(report))
    head |= {
        "paper": str(report.choice.paper),
        "logo": _logo(report.choice.logo),
        "footer": head["subject"],
        "description": f"Made by Neardup {report.version}.",
        "numbered": True,
    }
    letters = json.dumps(head, ensure_ascii=False)
    return {
        "head": head,
        "letters": "".join(sorted(set(letters))),
        "created": report.created.isoformat(timespec="seconds"),
    }


def _logo(picture: bytes) -> dict[str, object] | None:
    """The format and the bytes of a picture; None where there is none."""
    if not picture:
        return None
    format_ = _PICTURES.get(media_type(picture))
    if format_ is None:
        raise ExportError("The logo is no picture that a report can show: PNG, JPEG and SVG are.")
    return {"format": format_, "bytes": list(picture)}


PAIR = 3  # level of a section
ROWS = 60  # of each table, which is more than fit on a page


def preview_pages(
    report: Report,
    first_pairs: int = 3,
    pages: int = 4,
    width_px: int = 800,
    *,
    cancelled: Cancelled = never,
) -> list[tuple[int, int, bytes]]:
    """The first pages as they will be printed; how many there will be, they do not tell.

    Args:
        report: What is to be written.
        first_pairs: So many sections of pairs are set at most.
        pages: So many pages are given at most.
        width_px: Of each picture.
        cancelled: Polled while the pages are set.

    Returns:
        Of each page the width and the height in pixels, and these row by row, three bytes each:
        red, green, blue.

    Raises:
        ExportError: The pages could not be set; the sentence says why.
        ScanCancelledError: `cancelled` said so.
    """
    task = task_of(report) | {"pages": pages, "width": width_px}
    task["head"]["numbered"] = False
    first = _first(sections(report, LIMITS, ignore, cancelled), first_pairs)
    data = (json.dumps(section_data(one, ROWS), ensure_ascii=False) for one in first)
    told, pixels = typeset(task, data, cancelled)
    pictures = []
    start = 0
    for width, height in told["sizes"]:
        end = start + 3 * width * height
        pictures.append((width, height, bytes(pixels[start:end])))
        start = end
    return pictures


def _first(told: Iterator[Section], pairs: int) -> Iterator[Section]:
    """The sections up to that of so many pairs."""
    for section in told:
        if section.level != PAIR:
            yield section
            continue
        yield from islice((section, *islice(told, pairs - 1)), pairs)
        return
