"""How fast are mails, archives, notebooks and LaTeX read?

Files are generated: an mbox of mails with a plain and an HTML body and an attachment, a ZIP and a
tar.gz of texts, a notebook and a LaTeX source. Readers run in this process; the time to start a
reader process is not in the figures. The best of three runs is printed.

    python tests/bench/mail_files.py [--mails 5000] [--files 5000]
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import tarfile
import time
import zipfile
from collections.abc import Callable
from email.message import EmailMessage

from core.documents.readers import Reading, reader_for
from core.documents.readers import mail as eml

ROUNDS = 3
WORDS = ["".join(random.Random(i).choices("etaoinshrdlu", k=i % 9 + 2)) for i in range(999)]


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--mails", type=int, default=5000)
    options.add_argument("--files", type=int, default=5000)
    arguments = options.parse_args()
    mails, files = arguments.mails, arguments.files
    box = mailbox(mails)
    row("mbox, split only", "mails", mails, box, lambda: parts(box, ".mbox"))
    row("mbox, mails read", "mails", mails, box, lambda: read_mails(box))
    for name, data in {"zip": zipped(files), "tar.gz": gzip.compress(tarred(files))}.items():
        row(name, "files", files, data, lambda data=data: parts(data, ""))
    for name, data in {".ipynb": notebook(5000), ".tex": latex(5000)}.items():
        row(name, "MB", len(data) / 1e6, data, lambda data=data, name=name: read(data, name))


def row(name: str, unit: str, count: float, data: bytes, work: Callable[[], None]) -> None:
    """Print how much of something is read in a second."""
    seconds = min(map(clock, [work] * ROUNDS))
    print(
        f"{name:<18}{count / seconds:>12,.1f} {unit}/s{len(data) / seconds / 1e6:>10.1f} MB/s"
        f"{len(data) / 1e6:>10.1f} MB"
    )


def clock(work: Callable[[], None]) -> float:
    """Seconds of the processor that something takes: others may be at work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def parts(data: bytes, suffix: str) -> None:
    """Take all parts."""
    reader = reader_for(data, suffix)
    assert reader.parts is not None
    for part in reader.parts(data, Reading(suffix=suffix)):
        assert isinstance(part.data, bytes)


def read_mails(data: bytes) -> None:
    """Read all mails of a mailbox, and take their attachments."""
    reader, reading = reader_for(data, ".mbox"), Reading(suffix=".eml")
    assert reader.parts is not None
    assert eml.EML.read is not None
    for part in reader.parts(data, reading):
        assert isinstance(part.data, bytes)
        assert eml.EML.read(part.data, reading).text
        parts(part.data, ".eml")


def read(data: bytes, suffix: str) -> None:
    """Read one file."""
    reader = reader_for(data, suffix)
    assert reader.read is not None
    assert reader.read(data, Reading(suffix=suffix)).text


def words(number: int, count: int) -> str:
    """The same words for the same number."""
    return " ".join(random.Random(number).choices(WORDS, k=count))


def mailbox(count: int) -> bytes:
    """Mails with both bodies, every tenth with an attachment."""
    mails = []
    for number in range(count):
        mail = EmailMessage()
        mail["From"], mail["Subject"] = "ada@example.org", words(number, 6)
        mail["Message-ID"] = f"<{number}@example.org>"
        body = words(number, 150)
        mail.set_content(body)
        mail.add_alternative(f"<p>{body}</p>", subtype="html")
        if number % 10 == 0:
            mail.add_attachment(
                bytes(20_000), maintype="application", subtype="pdf", filename="a.pdf"
            )
        mails.append(b"From ada Mon Jan  1 10:00:00 2024\n" + bytes(mail) + b"\n\n")
    return b"".join(mails)


def zipped(count: int) -> bytes:
    """A ZIP archive of texts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            archive.writestr(f"folder/{number}.txt", words(number, 300))
    return buffer.getvalue()


def tarred(count: int) -> bytes:
    """A tar archive of texts."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for number in range(count):
            data = words(number, 300).encode()
            info = tarfile.TarInfo(f"folder/{number}.txt")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def notebook(count: int) -> bytes:
    """A notebook with cells of words and what they printed."""
    cells = [
        {
            "cell_type": "code",
            "source": words(number, 50),
            "outputs": [{"output_type": "stream", "text": words(number + 1, 50)}],
        }
        for number in range(count)
    ]
    return json.dumps({"cells": cells, "nbformat": 4}).encode()


def latex(count: int) -> bytes:
    """A LaTeX source with a command in every tenth word."""
    paragraphs = (
        " ".join(rf"\emph{{{words(10 * number + part, 10)}}}, $x_{part}$" for part in range(10))
        for number in range(count // 5)
    )
    body = "\n\n".join(paragraphs)
    return rf"\documentclass{{article}}\begin{{document}}{body}\end{{document}}".encode()


if __name__ == "__main__":
    main()
