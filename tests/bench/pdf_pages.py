"""Pages of PDF files per second: the reader beside PDFium's plain text, on one and two processes.

    python tests/bench/pdf_pages.py [--data FOLDER] [--pages N]

Measured is a book of N pages (300 if not told) that is written here, in one and in two columns with
running heads, and every PDF file below FOLDER. The book has fonts that every reader of PDF knows:
pages with fonts and pictures of their own take longer to open, for plain text too.

Columns:
    pages   pages of the files that can be read
    plain   pages per second of `FPDFText_GetText` alone: open, text, close
    one     pages per second of the reader in this process
    two     the same on two spawned processes, started before the clock
    ratio   plain / one
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from core.documents.readers import Reading, UnreadableError
from core.documents.readers.pdf.pdf import READER

WORDS = 4_000  # different ones in the book
COPIES = 4  # of the book, so that two processes have two each
ROUNDS = 3
WIDTH = 90  # letters in a line of Courier of 9 points on a page of 595


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="a folder with PDF files")
    parser.add_argument("--pages", type=int, default=300)
    arguments = parser.parse_args()
    sets = {f"{columns} columns": [book(arguments.pages, columns)] * COPIES for columns in (1, 2)}
    if arguments.data:
        files = sorted(arguments.data.rglob("*.pdf"))
        sets["files"] = [file.read_bytes() for file in files if file.is_file()]
    print(f"{'':12}{'pages':>8}{'plain':>8}{'one':>8}{'two':>8}{'ratio':>8}")
    for name, files in sets.items():
        print(measured(name, files))


def measured(name: str, files: Sequence[bytes]) -> str:
    """One line of the table; the best of some rounds, as the machine may be busy."""
    pages = sum(map(plain, files))
    alone = fastest(lambda: [plain(data) for data in files])
    one = fastest(lambda: [read(data) for data in files])
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(read, list(files[:2]), chunksize=1)
        two = fastest(lambda: pool.map(read, files, chunksize=1))
    rates = "".join(f"{pages / seconds:8.0f}" for seconds in (alone, one, two))
    return f"{name:12}{pages:8}{rates}{one / alone:8.2f}"


def fastest(work: Callable[[], object]) -> float:
    """Seconds of the quickest of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def read(data: bytes) -> int:
    """Characters that the reader finds."""
    try:
        return len(READER.read(data, Reading()).text)
    except UnreadableError:
        return 0


def plain(data: bytes) -> int:
    """Pages of which PDFium gives the text."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        return 0
    pages = 0
    for index in range(len(document)):
        try:
            page = document[index]
        except pdfium.PdfiumError:
            continue
        text_page = page.get_textpage()
        text_page.get_text_range()
        text_page.close()
        page.close()
        pages += 1
    document.close()
    return pages


def book(pages: int, columns: int) -> bytes:
    """A PDF file of nonsense words in Courier, with a head and a number on each page."""
    generator = random.Random(pages)
    letters = "eeeeaaaiiioootttnnnssrrhhlldducmfpgwybvk"
    words = ["".join(generator.choices(letters, k=generator.randint(2, 10))) for _ in range(WORDS)]
    streams = []
    for number in range(1, pages + 1):
        pieces = [
            line_at(60, 800, "A book of words that mean nothing"),
            line_at(290, 30, f"{number}"),
        ]
        for column in range(columns):
            text = " ".join(generator.choices(words, k=900 // columns))
            lines = textwrap.wrap(text, WIDTH // columns - 3)[:62]
            left = 60 + column * 480 // columns
            pieces += [line_at(left, 770 - 11.5 * row, line) for row, line in enumerate(lines)]
        streams.append("\n".join(pieces).encode())
    return assembled(streams)


def line_at(x: float, y: float, text: str) -> str:
    return f"BT /F1 9 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET"


def assembled(streams: Sequence[bytes]) -> bytes:
    """A PDF file whose pages have these content streams."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    ]
    for index, stream in enumerate(streams):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * index} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >> stream\n%s\nendstream" % (len(stream), stream))
    out = bytearray(b"%PDF-1.5\n")
    table = b"0000000000 65535 f \n"
    for number, body in enumerate(objects, start=1):
        table += b"%010d 00000 n \n" % len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    size = len(objects) + 1
    end = b"xref\n0 %d\n%strailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF"
    return bytes(out) + end % (size, table, size, len(out))


if __name__ == "__main__":
    main()
