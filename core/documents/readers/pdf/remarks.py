"""Sentences on what a PDF file has and its text has not."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from core.base.wording import first_read, readable_count
from core.documents.readers.pdf.letters import clean
from core.documents.readers.pdf.pages import PdfPage
from core.documents.readers.pdf.running_heads import Heads

_MOST_PARTS = 10
_EXAMPLE = 60  # characters


def page_remarks(
    pages: Sequence[PdfPage], count: int, attachments: int, recognised: Container[int]
) -> list[str]:
    """What was found on the pages that were read, of `count` in all.

    `recognised` has the indexes of the pictures that were read after all.
    """
    remarks = []
    if count > len(pages):
        remarks.append(
            f"{first_read(len(pages), count, 'pages')} The limit can be raised in the settings."
        )
    if damaged := [index for index, page in enumerate(pages) if page.is_damaged]:
        remarks.append(f"{page_numbers(damaged)} could not be read: this file is damaged there.")
    remarks += _seen_or_not(pages, recognised)
    if notes := sum(page.notes for page in pages):
        remarks.append(f"{_counted(notes, 'comment')} not part of the text.")
    if attachments:
        remarks.append(f"{_counted(attachments, 'attached file')} not part of the text.")
    return remarks


def _seen_or_not(pages: Sequence[PdfPage], recognised: Container[int]) -> list[str]:
    remarks = []
    if scans := [index for index, page in enumerate(pages) if page.is_scan]:
        whose = "" if len(scans) == len(pages) else f" of {page_numbers(scans).lower()}"
        remarks.append(f"The text{whose} was recognised by a scanner (OCR): expect wrong letters.")
    if hidden := [index for index, page in enumerate(pages) if page.hidden_words]:
        words = sum(page.hidden_words for page in pages)
        remarks.append(
            f"{_counted(words, 'hidden word')} not part of the text: nobody sees "
            f"{'it' if words == 1 else 'them'} on {page_numbers(hidden).lower()}."
        )
    left = {index: page for index, page in enumerate(pages) if index not in recognised}
    if garbled := [index for index, page in left.items() if page.is_garbled]:
        remarks.append(
            f"The text of {page_numbers(garbled).lower()} cannot be read: its fonts do not say "
            f"which letters they draw."
        )
    pictures = [index for index, page in left.items() if page.is_picture and not page.is_garbled]
    if pictures and len(pictures) < len(pages):
        verb = "is a picture" if len(pictures) == 1 else "are pictures"
        remarks.append(f"{page_numbers(pictures)} {verb} without text.")
    return remarks


def running_heads_remark(heads: Heads) -> str:
    """What was set aside as running heads, "" for nothing."""
    if not heads.affected:
        return ""
    examples = ", ".join(f"“{_short(clean(example))}”" for example in heads.examples)
    named = f" ({examples})" if examples else ""
    pages = "1 page" if heads.affected == 1 else f"{readable_count(heads.affected)} pages"
    return f"Running heads and page numbers{named} of {pages} are not part of the text."


def _short(text: str) -> str:
    return text if len(text) <= _EXAMPLE else f"{text[: _EXAMPLE - 1].rstrip()}…"


def _counted(number: int, noun: str) -> str:
    return f"1 {noun} is" if number == 1 else f"{readable_count(number)} {noun}s are"


def page_numbers(indexes: Iterable[int]) -> str:
    """Pages in words: "Page 2", "Pages 1, 3 to 7 and 9"; of very many only the first."""
    numbers = [index + 1 for index in sorted(indexes)]
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    parts: list[str] = []
    for run in ranges:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    if len(parts) > _MOST_PARTS:
        parts = [*parts[:_MOST_PARTS], "others"]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{'Page' if len(numbers) == 1 else 'Pages'} {listed}"
