"""Pages of a PDF file that are pictures, read with Tesseract one by one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.documents.readers.pdf.lines import HYPHEN
from core.documents.readers.pdf.pages import PdfPage, PdfPages
from core.documents.readers.pdf.remarks import page_numbers
from core.documents.readers.pdf.tesseract import OCRError, Tesseract
from core.documents.readers.reader import Reading

_LINE_END = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
_SINGLE_LINE_END = re.compile(r"(?<!\n)\n(?!\n)")
_GAPS = re.compile(r"\n\s*\n")


class Recognised(NamedTuple):
    """The text of pages by their index, and sentences on them."""

    texts: Mapping[int, str]
    remarks: tuple[str, ...] = ()


def recognise_pages(document: PdfPages, pages: Sequence[PdfPage], reading: Reading) -> Recognised:
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
