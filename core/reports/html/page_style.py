"""The style sheet of a report: that of all, its paper, and what stands at the head of each page."""

from __future__ import annotations

from importlib.resources import files

from core.reports.blocks import Head
from core.reports.choice import Paper

SIZES = {Paper.A4: "A4", Paper.LETTER: "letter"}


def page_style(head: Head, paper: Paper) -> str:
    """The style sheet. What a user wrote stands in it as numbers of characters alone."""
    style = files("core.reports.html").joinpath("report.css").read_text(encoding="utf-8")
    running = " · ".join(words for words in (head.institution, head.title) if words)
    return (
        f"{style}@page {{ size: {SIZES[paper]}; @top-left {{ content: {_string(running)}; }} }}\n"
    )


def _string(words: str) -> str:
    """A string of CSS in which every character is an escape of six digits."""
    return '"' + "".join(f"\\{_code(character):06x}" for character in words) + '"'


def _code(character: str) -> int:
    # A control character, as a line feed, has no place in the margin of a page.
    return ord(character) if character.isprintable() else 0xFFFD
