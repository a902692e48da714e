"""A report as PDF, and its first pages as pictures before it is written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import IO, Any

import psutil

from core.base.files import raised_as, replaced_bytes
from core.base.messages import N_, gettext, language, ngettext
from core.base.patterns import lazy_pattern
from core.base.tasks import Progress, ProgressReport, Stage, ignore, stop_if_cancelled
from core.base.wording import RIGHT_TO_LEFT, comma_list, count, isolated, readable_size
from core.errors import ExportError
from core.program.startup import python_command
from core.reports import blocks
from core.reports.limits import ReportLimits
from core.reports.model import Report
from core.reports.record import record_pieces
from core.reports.record.seal import sealed
from core.reports.report_choice import logo_type
from core.reports.sections import head_of, sections

# Shown as their escapes, for which every font has letters: control characters, lone surrogates and
# what is no character. A tab is a space; all line ends become line feeds.
_UNSET = lazy_pattern(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_SHOWN = {"\t": " ", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}
# Letters without any place to break a line: those of scripts that have such places are left out.
_LONG_WORD = lazy_pattern("[!-~\u00a1-\u058f]{25,}")
_PIECE = 12  # characters of a long word that stay together
_NAME_PIECE = lazy_pattern(r".{8,}?[/_.\-](?=.)|.+$", re.DOTALL)
_TELLING = 300  # characters that tell the script of a text
_SCRIPTS = (
    ("ja", lazy_pattern("[\u3040-\u30ff]")),
    ("ko", lazy_pattern("[\uac00-\ud7a3\u1100-\u11ff]")),
    ("zh", lazy_pattern("[\u4e00-\u9fff\u3400-\u4dbf]")),
    ("he", lazy_pattern("[\u0590-\u05ff]")),
    ("ar", lazy_pattern("[\u0600-\u06ff]")),
    ("hi", lazy_pattern("[\u0900-\u097f]")),
    ("th", lazy_pattern("[\u0e00-\u0e7f]")),
)
UNKNOWN_LANGUAGE = "und"  # as ISO 639-2 has it


def visible(text: str) -> str:
    """The text with escapes for the characters that have no sign or are not allowed."""
    return _UNSET.sub(_sign, text) if _UNSET.search(text) else text


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    return _SHOWN.get(match[0]) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def breakable(text: str, *, is_name: bool = False) -> str | list[str]:
    """The pieces of a text between which a line may be broken; the text itself where words do.

    Args:
        text: Visible text.
        is_name: Whether it may be broken after the marks that part a path or a file name.
    """
    if is_name:
        text = isolated(text)
        pieces = [part for piece in _NAME_PIECE.findall(text) for part in _parts(piece)]
    else:
        pieces = _parts(text)
    return text if len(pieces) < 2 else pieces


def _parts(text: str) -> list[str]:
    """The text cut within its long words."""
    parts = []
    position = 0
    for match in _LONG_WORD.finditer(text):
        for cut in range(match.start() + _PIECE, match.end() - 1, _PIECE):
            parts.append(text[position:cut])
            position = cut
    parts.append(text[position:])
    return [part for part in parts if part]


def runs_from_right(text: str) -> bool:
    """Whether the first letter that has a direction runs from right to left (UAX #9, P2 and P3)."""
    if not RIGHT_TO_LEFT.search(text):
        return False
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def language_of_script(text: str) -> str:
    """The code of the language that a script implies; `UNKNOWN_LANGUAGE` for Latin and others."""
    beginning = text[:_TELLING]
    if beginning.isascii():
        return UNKNOWN_LANGUAGE
    codes = (code for code, letters in _SCRIPTS if letters.search(beginning))
    return next(codes, UNKNOWN_LANGUAGE)


def whole_letters(line: blocks.Line) -> blocks.Line:
    """The spans of a line, with each mark in the span of its letter.

    A mark at the beginning of a span would stand on a circle of its own.
    """
    joined: list[blocks.Span] = []
    for span in line:
        text = span.text
        if joined and not text[:1].isascii():
            marks = _leading_marks(text)
            joined[-1] = joined[-1]._replace(text=joined[-1].text + text[:marks])
            text = text[marks:]
        if text:
            joined.append(span._replace(text=text))
    return tuple(joined)


def _leading_marks(text: str) -> int:
    count = 0
    while count < len(text) and unicodedata.category(text[count]).startswith("M"):
        count += 1
    return count


LONGEST_NAME = 3000  # characters: no string of PDF/A has more than 32,767 bytes
_NAMES = (blocks.SpanKind.NAME, blocks.SpanKind.MAIN)


def section_data(section: blocks.Section, most_rows: int = sys.maxsize) -> dict[str, Any]:
    """A section as JSON: all that is in it by the names of its fields; its blocks are read now.

    A block says what it `is`. A field without a value is left out.

    Args:
        section: Of a report.
        most_rows: Of each table.
    """
    shown = (
        block._replace(parts=_first_rows(block.parts, most_rows))
        if isinstance(block, blocks.Table)
        else block
        for block in section.blocks
    )
    data: dict[str, Any] = _data(section._replace(blocks=shown))
    return data


def _first_rows(parts: Iterable[Iterable[blocks.Row]], most: int) -> Iterator[list[blocks.Row]]:
    for part in parts:
        rows = list(islice(part, most))
        yield rows
        most -= len(rows)
        if not most:
            return


def _data(value: Any) -> Any:  # noqa: ANN401 - any part of a section
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, blocks.Span):
        return _span(value)
    if isinstance(value, blocks.Side):
        return _side(value)
    names = getattr(value, "_fields", None)
    if names is None:
        return list(map(_data, value)) if isinstance(value, Iterable) else value
    forms = _FORMS.get(type(value), {})
    fields = ((name, getattr(value, name)) for name in names)
    data = {name: forms.get(name, _data)(of) for name, of in fields if of not in (None, "")}
    return {"is": type(value).__name__, **data} if isinstance(value, blocks.Block) else data


def _words(text: str) -> str | list[str]:
    return breakable(visible(text))


def _note(words: str) -> dict[str, object]:
    """A note, which has its own writing direction."""
    return {"words": _words(words), "rtl": runs_from_right(words)}


def _numbered(number: int) -> tuple[str, str]:
    """The number of a pair as it is read, and where its row is."""
    return count(number), f"row-{number}"


def _rounded(plot: Iterable[Iterable[float]]) -> list[list[float]]:
    return [[round(coordinate, 4) for coordinate in line] for line in plot]


# What is not what the field says.
_FORMS: dict[type, dict[str, Callable[[Any], Any]]] = {
    blocks.Heading: {"words": _words},
    blocks.Table: {"caption": _words},
    blocks.Row: {"note": _note},
    blocks.PairHead: {"number": _numbered, "note": _note, "plot": _rounded},
}


def _side(side: blocks.Side) -> dict[str, object]:
    text = "".join(span.text for span in side.spans if span.kind is not blocks.SpanKind.CUT)
    return {
        "place": visible(comma_list((side.letter, side.location))),
        "spans": _data(whole_letters(side.spans)),
        "rtl": runs_from_right(text),
        "lang": language_of_script(text),
    }


def _span(span: blocks.Span) -> object:
    """The words alone, or the kind with the words and, for a link, its target."""
    is_name = span.kind in _NAMES
    text = visible(_shortened(span.text) if is_name else span.text)
    if span.kind is blocks.SpanKind.QUOTE:
        text = isolated(text)
    words = breakable(text, is_name=is_name)
    if span.target:
        return [str(span.kind), words, span.target]
    return (
        words
        if span.kind is blocks.SpanKind.PLAIN and isinstance(words, str)
        else [span.kind, words]
    )


def _shortened(name: str) -> str:
    """A name that a bookmark or the words of a link can hold beside another one."""
    more = len(name) - LONGEST_NAME
    if more <= 0:
        return name
    rest = ngettext("{n} more character", "{n} more characters", more)
    return f"{name[:LONGEST_NAME]} … ({rest})"


START = "from core.reports.pdf.typesetting import main; main()"
_POLL = 0.05  # seconds between two looks whether it is cancelled
# Measured: how much typst takes at most for a character of the sections, as JSON.
BYTES_PER_CHARACTER = 350
_BASE = 100_000_000  # bytes


def typeset(task: dict[str, Any], sections: Iterable[str]) -> tuple[dict[str, Any], memoryview]:
    """Have a report typeset.

    Args:
        task: As `core.reports.pdf.typesetting` reads it.
        sections: Each as JSON; read before the process starts.

    Returns:
        Its answer, and the bytes that it made.

    Raises:
        ExportError: There is not enough memory, or no PDF came out.
    """
    text = f"[{','.join(sections)}]"
    _check_memory(len(text))
    data = json.dumps(task).encode() + b"\n" + text.encode()
    del text
    output = _output_of(data)
    line, newline, _ = output.partition(b"\n")
    if not newline:
        raise ExportError("The PDF could not be made: the typesetting ended without a result.")
    answer = json.loads(line)
    if "error" in answer:
        raise ExportError("The PDF could not be made: {why}.", why=answer["error"])
    made = memoryview(output)[len(line) + 1 :]
    if answer.get("size", len(made)) != len(made):
        raise ExportError("The PDF could not be made: the typesetting ended before its end.")
    return answer, made


def _check_memory(characters: int) -> None:
    needed = _BASE + BYTES_PER_CHARACTER * characters
    free = psutil.virtual_memory().available
    if needed > free:
        raise ExportError(
            "A PDF of this report takes about {needed} of memory to make, and only {free} are "
            "free. Show the passages of fewer pairs, or write HTML.",
            needed=readable_size(needed),
            free=readable_size(free),
        )


def _output_of(data: bytes) -> bytes:
    """All that the process writes."""
    with raised_as(ExportError, N_("The PDF could not be made: {why}.")):
        process = subprocess.Popen(
            python_command(START),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            process_group=0,  # out of the reach of Ctrl-C, which cancels
        )
    stdin, process.stdin = process.stdin, None
    # In a thread: `communicate` gives no more of its input after its first timeout (Python 3.11).
    giving = Thread(target=_give, args=(stdin, data), name="neardup-typesetting")
    giving.start()
    try:
        while True:
            stop_if_cancelled()
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


def write_pdf(path: Path, report: Report, *, progress: Progress = ignore) -> str:
    """Write the report as one PDF file: PDF/A-3a (ISO 19005-3) and PDF/UA-1 (ISO 14289-1).

    Its record is attached to it as `record.json`.

    Args:
        path: Where; an existing file is replaced.
        report: What to write.
        progress: Told the number of pairs whose passages are read, and that pages are set.

    Returns:
        The seal of the record.

    Raises:
        ExportError: The file could not be written.
    """
    pieces = record_pieces(report, sealed=True, most=LIMITS.table_rows)
    record, seal = sealed("".join(pieces))
    with replaced_bytes(path) as file:
        content = sections(report, LIMITS, progress)
        written = _written(content, progress)
        _, pdf = typeset(task_of(report) | {"record": record}, written)
        file.write(pdf)
    return seal


def _written(content: Iterator[blocks.Section], progress: Progress) -> Iterator[str]:
    for section in content:
        stop_if_cancelled()
        yield json.dumps(section_data(section), ensure_ascii=False)
    progress(ProgressReport(Stage.TYPESET, 0, 0))


# Words that stand in `report.typ`.
_PAGE_WORDS = {
    "logo": N_("Logo"),
    "page": N_("{page} of {pages}"),
    "plot": N_("Where the passages stand: A across, B down"),
    "record": N_("What the report was made of, for programs"),
}


def task_of(report: Report) -> dict[str, Any]:
    """The task for `core.reports.pdf.typesetting`, besides the sections.

    Raises:
        ExportError: The logo is no picture.
    """
    of_report = head_of(report)
    head = {
        "title": _words(of_report.title),
        "subject": visible(of_report.subject),
        "institution": visible(of_report.institution),
        "lines": _data(of_report.lines),
        "paper": str(report.choice.paper),
        "logo": _logo(report.choice.logo),
        "description": gettext("Made by Neardup {version}.", version=report.version),
        "numbered": True,
        "language": language().code,
        "lang": language().code.partition("_")[0],
        "rtl": language().runs_from_right,
        "words": {name: gettext(message) for name, message in _PAGE_WORDS.items()},
    }
    letters = json.dumps(head, ensure_ascii=False)
    return {
        "head": head,
        "letters": "".join(sorted(set(letters))),
        "created": report.created.isoformat(timespec="seconds"),
    }


def _logo(picture: bytes) -> dict[str, object] | None:
    """The format and the bytes of a picture; None where there is none."""
    kind = logo_type(picture)
    return {"format": _PICTURES[kind], "bytes": list(picture)} if kind else None


PAIR = 3  # level of a section
ROWS = 60  # of each table, which is more than fit on a page
PREVIEW_PAGES, PREVIEW_PAIRS = 4, 3  # at most; sections of pairs


def preview_pages(report: Report, width_px: int) -> list[tuple[int, int, bytes]]:
    """The first pages as they will be printed, without the number of all pages.

    Args:
        report: What is to be written.
        width_px: Of each picture.

    Returns:
        Of each page the width and the height in pixels, and these row by row, three bytes each:
        red, green, blue.

    Raises:
        ExportError: The pages could not be set; the sentence says why.
    """
    task = task_of(report) | {"pages": PREVIEW_PAGES, "width": width_px}
    task["head"]["numbered"] = False
    first = _first(sections(report, LIMITS, ignore), PREVIEW_PAIRS)
    data = (json.dumps(section_data(section, ROWS), ensure_ascii=False) for section in first)
    answer, pixels = typeset(task, data)
    pictures = []
    start = 0
    for width, height in answer["sizes"]:
        end = start + 3 * width * height
        pictures.append((width, height, bytes(pixels[start:end])))
        start = end
    return pictures


def _first(content: Iterator[blocks.Section], pairs: int) -> Iterator[blocks.Section]:
    """The sections up to that of so many pairs."""
    for section in content:
        if section.level != PAIR:
            yield section
            continue
        yield from islice((section, *islice(content, pairs - 1)), pairs)
        return
