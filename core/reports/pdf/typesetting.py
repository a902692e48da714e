"""The process that typesets: takes a report as JSON from its input, gives PDF or pictures of pages.

The input is a line with the task, as JSON, and then the sections, a JSON list. The output is a line
with the outcome, as JSON, and then the bytes.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil
import pypdfium2
import typst

from core.base.messages import load_language, use_language
from core.reports.pdf.fonts import choose_fonts

_POLL = 0.5  # seconds between two looks at the parent process


def main() -> None:
    """Do one task and end."""
    _end_with_parent()
    task = json.loads(sys.stdin.buffer.readline())
    use_language(load_language(task["head"]["language"]))
    sections = sys.stdin.buffer.read().decode()
    for piece in _answer(task, sections):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def _answer(task: dict[str, Any], sections: str) -> Iterator[bytes]:
    try:
        pdf = _typeset(task, sections)
    except typst.TypstError as error:
        yield _line({"error": error.message})
        return
    if "pages" in task:
        pictures = list(_pictures(pdf, task["pages"], task["width"]))
        yield _line({"sizes": [size for size, _ in pictures]})
        yield from (pixels for _, pixels in pictures)
    else:
        yield _line({"size": len(pdf)})
        yield pdf


def _typeset(task: dict[str, Any], sections: str) -> bytes:
    fonts = typst.Fonts()
    head = task["head"]
    chosen = choose_fonts(fonts, set(sections).union(task["letters"]))
    head["fonts"] = chosen.families
    head["fonts-of"] = chosen.families_of
    head["missing"] = chosen.missing
    head["missing-words"] = chosen.missing_in_words
    inputs = {"head": json.dumps(head), "sections": sections}
    if "record" in task:
        inputs["record"] = task["record"]
    template = Path(__file__).with_name("report.typ")
    return typst.compile(
        template,
        root=template.parent,  # pictures may lead nowhere else
        sys_inputs=inputs,
        font_paths=fonts,
        pdf_standards=[] if "pages" in task else ["a-3a", "ua-1"],
        pdf_tags="pages" not in task,
        timestamp=datetime.fromisoformat(task["created"]),
    )


def _pictures(pdf: bytes, most: int, width: int) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The first pages as pixels: size, and red, green and blue of each."""
    document = pypdfium2.PdfDocument(pdf)
    for number in range(min(most, len(document))):
        page = document[number]
        picture = page.render(scale=width / page.get_width(), rev_byteorder=True)
        across = 3 * picture.width
        rows = memoryview(picture.buffer).cast("B")
        starts = range(0, picture.height * picture.stride, picture.stride)
        yield (
            (picture.width, picture.height),
            b"".join(rows[start : start + across] for start in starts),
        )


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _end_with_parent() -> None:
    """End this process when its parent is gone, whatever it is doing then."""
    parent = psutil.Process(os.getppid())

    def watch() -> None:
        while parent.is_running():
            time.sleep(_POLL)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="neardup-parent").start()
