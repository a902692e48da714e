"""How fast are OpenDocument texts, RTF files and e-books read?

Files of one text each, made here, are read again and again in this process: files and megabytes of
text a second, best of the rounds. The last two lines are files made to take long: their time must
grow with their size only, which the last column shows (of twice the size; 2.0 is linear).

    python tests/bench/odf_files.py [--words 5000] [--rounds 20]
"""

from __future__ import annotations

import argparse
import io
import random
import time
import zipfile
from collections.abc import Callable

from core.documents.readers import Reading, reader_for

URN = "urn:oasis:names:tc:opendocument:xmlns:"
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book.opf"/></rootfiles></container>'
)
PARAGRAPH = 80  # words
CHAPTER = 20  # paragraphs


def paragraphs_of(words: int) -> list[str]:
    """Generated text, the same in every run."""
    draw = random.Random(1)
    letters = "eeeeaaaiiooottnnssrrhhlldcumfpgwybvéü"
    vocabulary = ["".join(draw.choices(letters, k=draw.randint(2, 11))) for _ in range(5_000)]
    return [" ".join(draw.choices(vocabulary, k=PARAGRAPH)) for _ in range(words // PARAGRAPH)]


def packed(media_type: str, parts: dict[str, str]) -> bytes:
    """A package."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", media_type, zipfile.ZIP_STORED)
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def odt(paragraphs: list[str]) -> bytes:
    """A text with a span in every paragraph, as word processors write them."""
    body = "".join(
        f'<text:p text:style-name="P1">{text[:40]}<text:span text:style-name="T1">{text[40:80]}'
        f"</text:span>{text[80:]}</text:p>"
        for text in paragraphs
    )
    return packed(
        "application/vnd.oasis.opendocument.text",
        {
            "content.xml": f'<office:document-content xmlns:office="{URN}office:1.0" '
            f'xmlns:text="{URN}text:1.0"><office:body><office:text>{body}</office:text>'
            "</office:body></office:document-content>"
        },
    )


def rtf(paragraphs: list[str]) -> bytes:
    """A text with a group in every paragraph."""
    body = "".join(
        rf"\pard\plain\f0\fs24 {text[:40]}{{\b\lang1033 {text[40:80]}}}{text[80:]}\par" + "\r\n"
        for text in paragraphs
    )
    escaped = "".join(char if char < "\x80" else f"\\'{ord(char):02x}" for char in body)
    return (r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}" + escaped + "}").encode("ascii")


def epub(paragraphs: list[str]) -> bytes:
    """A book of chapters."""
    starts = range(0, len(paragraphs), CHAPTER)
    items = "".join(
        f'<item id="c{at}" href="c{at}.xhtml" media-type="application/xhtml+xml"/>' for at in starts
    )
    spine = "".join(f'<itemref idref="c{at}"/>' for at in starts)
    chapters = {
        f"c{at}.xhtml": "<html><head><title/></head><body>"
        + "".join(f"<p>{text}</p>" for text in paragraphs[at : at + CHAPTER])
        + "</body></html>"
        for at in starts
    }
    book = (
        '<package xmlns="http://www.idpf.org/2007/opf">'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    parts = {"META-INF/container.xml": CONTAINER, "book.opf": book, **chapters}
    return packed("application/epub+zip", parts)


def fields(count: int) -> bytes:
    """RTF of fields in fields."""
    return rb"{\rtf1 " + rb"{\field{\*\fldinst x}{\fldrslt y}}" * count + b"}"


def picture(count: int) -> bytes:
    """RTF with a picture of some megabytes."""
    return rb"{\rtf1{\pict " + b"0123456789abcdef" * 8 * count + b"}x}"


def seconds(data: bytes, rounds: int) -> tuple[float, int]:
    """The least time of reading it, and the length of its text."""
    read = reader_for(data, "").read
    if read is None:
        raise ValueError("No reader of text takes this file.")
    least = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        text = read(data, Reading()).text
        least = min(least, time.perf_counter() - start)
    return least, len(text)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--words", type=int, default=5_000)
    arguments.add_argument("--rounds", type=int, default=20)
    options = arguments.parse_args()
    paragraphs = paragraphs_of(options.words)
    print(f"{'format':8}{'bytes':>12}{'files/s':>10}{'MB text/s':>11}")
    for make in (odt, rtf, epub):
        data = make(paragraphs)
        took, length = seconds(data, options.rounds)
        print(f"{make.__name__:8}{len(data):>12,}{1 / took:>10.0f}{length / took / 1e6:>11.1f}")
    print(f"\n{'hard':8}{'bytes':>12}{'seconds':>10}{'of twice':>11}")
    hard: list[Callable[[int], bytes]] = [fields, picture]
    for make_hard in hard:
        once, twice = make_hard(100_000), make_hard(200_000)
        took, _ = seconds(once, 1)
        grown = seconds(twice, 1)[0] / took
        print(f"{make_hard.__name__:8}{len(once):>12,}{took:>10.2f}{grown:>11.1f}")


if __name__ == "__main__":
    main()
