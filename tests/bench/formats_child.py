"""A separate process that reads files: with our readers, or with a library to compare them with.

`Child` asks it, and ends it when it takes too long or too much memory. What runs in the process is
this file as a script: it takes one line of JSON per file on its standard input and answers with one
line each. It imports nothing of the project but for our own readers, so that any Python can run it.
"""

import contextlib
import json
import os
import re
import selectors
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

OURS = "ours"
INTERVAL = 0.05  # seconds between two looks at its memory
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

Answer = dict[str, Any]


class Child:
    """Reads files one after the other; started at the first request, and again after a failure.

    Args:
        command: What answers, as this file does; see `reading`.
        seconds: Time for a file.
        memory_bytes: Resident memory at which it is ended.
        environment: Of the process.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        seconds: float = 20,
        memory_bytes: int = 2 << 30,
        environment: dict[str, str] | None = None,
    ) -> None:
        self._command = command
        self._seconds = seconds
        self._memory = memory_bytes
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, **request: object) -> Answer:
        """What becomes of a file: "verdict" is text, unreadable, failed, crash, timeout or memory.

        Args:
            request: The arguments of `ours` or of a library's function, by name.
        """
        process = self._started()
        assert process.stdin is not None
        line = json.dumps(request).encode()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
        answer, ended = self._wait(process)
        if ended:
            self.close()
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment,
            )
        return self._process

    def _wait(self, process: subprocess.Popen[bytes]) -> tuple[Answer, bool]:
        """Its answer, and whether the process has to be replaced."""
        assert process.stdout is not None
        until = time.monotonic() + self._seconds
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not received.endswith(b"\n"):
                if selector.select(INTERVAL):
                    block = os.read(process.stdout.fileno(), 1 << 20)
                    if not block:
                        return {"verdict": "crash", "status": process.wait()}, True
                    received += block
                elif time.monotonic() > until:
                    return {"verdict": "timeout", "seconds": self._seconds}, True
                elif (size := _resident(process.pid)) > self._memory:
                    return {"verdict": "memory", "bytes": size}, True
        answer: Answer = json.loads(received)
        if answer.get("peak_bytes", 0) > self._memory:
            return {**answer, "verdict": "memory"}, True
        return answer, False

    def descendants(self) -> list[str]:
        """Processes that it has started and that still run."""
        import psutil

        if self._process is None or self._process.poll() is not None:
            return []
        children = psutil.Process(self._process.pid).children(recursive=True)
        return [" ".join(child.cmdline()) for child in children]

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def reading(library: str = OURS, python: str = sys.executable) -> list[str]:
    """The command of a child that reads with one of `LIBRARIES`, in the Python that has it."""
    return [python, str(Path(__file__).resolve()), library]


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES
    except OSError:
        return 0


def ours(path: str, suffix: str, password: str = "", brief: bool = False) -> Answer:
    """Read a file, and the parts in it, with the readers that recognise them.

    Args:
        path: Where it is.
        suffix: The end of its name, in lower case.
        password: To be tried.
        brief: Leave the text out of the answer.
    """
    from core.documents.model import UnreadableError
    from core.documents.readers import Reading
    from core.documents.recognition import reader_for

    data = Path(path).read_bytes()
    reading = Reading(suffix=suffix, passwords=(password,) if password else ())
    answer: Answer = {"verdict": "text", "kind": reader_for(data, suffix).kind}
    try:
        texts = list(texts_in(data, reading))
    except UnreadableError as error:
        return {**answer, "verdict": "unreadable", "code": str(error.code), "detail": error.detail}
    for text in texts:
        text.encode()  # fails for what no file of texts can hold
    return answer if brief else {**answer, "text": texts[0] if texts else ""}


def texts_in(data: bytes, reading: Any) -> Iterator[str]:
    """The text of a file, and those of the documents in it."""
    from core.documents.model import UnreadableError
    from core.documents.recognition import reader_for

    reader = reader_for(data, reading.suffix)
    if reader.read is not None:
        extracted = reader.read(data, reading)
        yield from (extracted.text, *extracted.remarks)
    for part in reader.parts(data, reading) if reader.parts is not None else ():
        yield part.name
        if isinstance(part.data, bytes):
            suffix = Path(part.name).suffix.lower()
            inner = reader_for(part.data, suffix)
            if inner.read is not None:
                with contextlib.suppress(UnreadableError):
                    yield inner.read(part.data, replace(reading, suffix=suffix)).text


def _pypdf(path: str, password: str) -> str:
    from pypdf import PdfReader

    return "\n".join(
        page.extract_text() for page in PdfReader(path, password=password or None).pages
    )


def _docx2python(path: str, password: str) -> str:
    from docx2python import docx2python

    with docx2python(path) as document:
        return str(document.text)


def _python_docx(path: str, password: str) -> str:
    from docx import Document

    return "\n".join(paragraph.text for paragraph in Document(path).paragraphs)


def _striprtf(path: str, password: str) -> str:
    from striprtf.striprtf import rtf_to_text

    return str(rtf_to_text(Path(path).read_text("latin-1"), errors="ignore"))


def _odfdo(path: str, password: str) -> str:
    from odfdo import Document

    return str(Document(path).get_formatted_text())


def _markitdown(path: str, password: str) -> str:
    from markitdown import MarkItDown

    return str(MarkItDown().convert(path).text_content)


def _kreuzberg(path: str, password: str) -> str:
    from kreuzberg import ExtractionConfig, extract_file_sync

    return str(extract_file_sync(path, config=ExtractionConfig(use_cache=False)).content)


def _selectolax(path: str, password: str) -> str:
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(Path(path).read_bytes()).body
    return body.text(separator=" ") if body else ""


LIBRARIES: dict[str, Callable[[str, str], str] | None] = {
    OURS: None,
    "pypdf": _pypdf,
    "docx2python": _docx2python,
    "python-docx": _python_docx,
    "striprtf": _striprtf,
    "odfdo": _odfdo,
    "markitdown": _markitdown,
    "kreuzberg": _kreuzberg,
    "selectolax": _selectolax,
}


def _theirs(library: str, request: dict[str, str]) -> Answer:
    extract = LIBRARIES[library]
    assert extract is not None
    return {
        "verdict": "text",
        "kind": library,
        "text": extract(request["path"], request.get("password", "")),
    }


def _answered(library: str, line: str) -> Answer:
    """The answer to one request; any failure is one."""
    began, cpu = time.perf_counter(), time.process_time()
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    try:
        request = json.loads(line)
        answer = ours(**request) if library == OURS else _theirs(library, request)
    except Exception as failure:  # noqa: BLE001 - it is what is measured
        answer = {
            "verdict": "failed",
            "exception": type(failure).__name__,
            "detail": traceback.format_exc(),
        }
    return {
        **answer,
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - cpu,
        "peak_bytes": _peak(),
    }


def _peak() -> int:
    """The peak resident memory since the request came; 0 where the system does not report it."""
    try:
        match = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text("ascii"))
    except OSError:
        return 0
    return int(match[1]) * 1024 if match else 0


def _serve(library: str, requests: TextIO, answers: TextIO) -> None:
    for line in requests:
        answers.write(json.dumps(_answered(library, line)) + "\n")
        answers.flush()


if __name__ == "__main__":
    # What a library prints must not get between the answers.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as to_parent:
        os.dup2(2, 1)
        _serve(sys.argv[1], sys.stdin, to_parent)
