"""`neardup help`: the pages of help as text."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from unicodedata import east_asian_width

from core.base.messages import gettext
from core.base.patterns import lazy_pattern
from core.commands.terminal import say
from core.errors import SettingsError
from core.program.help_pages import HelpPage, find_pages, help_pages, without_marks

WIDEST = 88
INDENT = "  "
_ITEM = lazy_pattern(r"(- |\d+\. )")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Describe `help` and add its argument."""
    parser.description = gettext("Print a page of help, or list the pages.")
    parser.add_argument(
        "topic",
        nargs="*",
        metavar="TOPIC",
        help=gettext("a page of the list, or words to find in all pages"),
    )


def run(options: argparse.Namespace) -> int:
    """Print a page, the pages with given words, or all topics.

    Raises:
        SettingsError: No page has this name or these words.
    """
    pages, words = help_pages(), " ".join(options.topic)
    page = next((page for page in pages if page.name == words.casefold()), None)
    if page is not None:
        width = min(WIDEST, shutil.get_terminal_size().columns)
        print("\n".join(as_text(page.text, width)))
        return 0
    shown = find_pages(pages, words) if words else pages
    if not shown:
        raise SettingsError(
            "No help about “{words}”. “neardup help” lists the topics.", words=words
        )
    _list_topics(shown)
    return 0


def _list_topics(pages: Sequence[HelpPage]) -> None:
    room = max(len(page.name) for page in pages)
    for section, group in groupby(pages, key=lambda page: page.section):
        print(section)
        for page in group:
            print(f"{INDENT}{page.name:{room}}  {page.title}")
    print()
    say("neardup help TOPIC prints a page.")


def as_text(markdown: str, width: int) -> Iterator[str]:
    """The lines of a page for a terminal: paragraphs wrapped, tables in columns, code as it is."""
    for kind, group in groupby(_blocks(markdown), key=_kind):
        for block in group:
            if kind == "code":
                yield from textwrap.indent("\n".join(block[1:-1]), INDENT * 2).splitlines()
            elif kind == "table":
                yield from _table(block, width)
            elif kind == "picture":
                continue
            else:
                yield from _paragraph(block, width)
            if kind != "item":
                yield ""
        if kind == "item":
            yield ""


def _blocks(markdown: str) -> Iterator[list[str]]:
    """Paragraphs, headings, items, tables and code, each as its lines."""
    block: list[str] = []
    in_code = False
    for line in markdown.splitlines():
        fence = line.startswith("```")
        begins = not in_code and (not line or _ITEM.match(line) or fence)
        if begins and block:
            yield block
            block = []
        if line or in_code:
            block.append(line)
        if fence and in_code:
            yield block
            block = []
        in_code ^= fence
    if block:
        yield block


def _kind(block: Sequence[str]) -> str:
    kinds = {"```": "code", "|": "table", "![": "picture"}
    start = next((start for start in kinds if block[0].startswith(start)), "")
    return kinds.get(start) or ("item" if _ITEM.match(block[0]) else "paragraph")


def _paragraph(block: Sequence[str], width: int) -> list[str]:
    words = without_marks(" ".join(line.strip() for line in block))
    if words.startswith("#"):
        title = words.lstrip("# ")
        return [title, "=" * _columns(title)] if words.startswith("# ") else [title]
    mark = _ITEM.match(words)
    return _wrapped(words, width, subsequent_indent=" " * len(mark[0]) if mark else "")


def _table(block: Sequence[str], width: int) -> Iterator[str]:
    """Columns where they fit, else each row as its cells below each other."""
    rows = [
        [without_marks(cell).strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
        for line in block
        if not re.fullmatch(r"[|:\- ]+", line)
    ]
    widths = [max(map(_columns, column)) for column in zip(*rows, strict=True)]
    *first, last = widths
    start = sum(first) + 2 * len(first)
    room = width - start
    if room < min(last, width // 3):
        for row in rows[1:]:
            yield from _wrapped(row[0], width)
            cells = [f"{heading}: {cell}" for heading, cell in zip(rows[0], row, strict=True)][1:]
            are_short = max(map(_columns, cells)) < width // 2
            for line in ["; ".join(cells)] if are_short else cells:
                yield from _wrapped(
                    line, width, initial_indent=INDENT, subsequent_indent=INDENT * 2
                )
        return
    for row in rows:
        head = "".join(
            f"{cell}{' ' * (size - _columns(cell))}  "
            for cell, size in zip(row, first, strict=False)
        )
        lines = _wrapped(row[-1], room) or [""]
        yield f"{head}{lines[0]}".rstrip()
        yield from (" " * start + line for line in lines[1:])


def _wrapped(
    words: str, width: int, *, initial_indent: str = "", subsequent_indent: str = ""
) -> list[str]:
    """Lines as wide as that; Chinese and Japanese, which have no spaces, break at any letter."""
    is_wide = _columns(words) > len(words)
    return textwrap.wrap(
        words,
        width // 2 if is_wide else width,
        initial_indent=initial_indent,
        subsequent_indent=subsequent_indent,
        break_long_words=is_wide,
        break_on_hyphens=False,
    )


def _columns(text: str) -> int:
    """How wide a terminal shows it."""
    return len(text) + sum(east_asian_width(letter) in "WF" for letter in text)
