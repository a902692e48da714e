"""The pages of help that come with the program, in the order of their contents.

They are written in English. Those to begin with are in other languages too, each in
`resources/languages/CODE/help` under the name, and with the links, of its English page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.base.assets import resource
from core.base.messages import language
from core.base.patterns import lazy_pattern
from core.errors import NeardupError

FOLDER = "help"
CONTENTS = "contents.md"
_SECTION = lazy_pattern(r"## (.+)")
_ENTRY = lazy_pattern(r"- \[(.+)\]\(([\w-]+)\.md\)")
_MARKS = lazy_pattern(r"!?\[([^\]]*)\]\([^)]*\)|\*\*|[`*]|\\(?=\|)")
TITLE_WEIGHT = 20  # a word in the title counts like so many in the text


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One page; `text` is Markdown, `section` the part of the contents that it belongs to."""

    name: str
    title: str
    section: str
    text: str


def help_pages() -> tuple[HelpPage, ...]:
    """All pages in the order of the contents, in the reader's language where they are in it.

    One whose file is missing says so.

    Raises:
        NeardupError: The pages were not installed.
    """
    contents = resource(f"{FOLDER}/{CONTENTS}")
    pages, section = [], ""
    for line in contents.read_text(encoding="utf-8").splitlines():
        if heading := _SECTION.fullmatch(line):
            section = heading[1]
        elif entry := _ENTRY.fullmatch(line):
            title, name = entry.groups()
            file = _translated(name) or contents.with_name(f"{name}.md")
            text = (
                file.read_text(encoding="utf-8")
                if file.exists()
                else f"# {title}\n\nThis page is missing. Reinstall Neardup.\n"
            )
            title = text.partition("\n")[0].removeprefix("# ")
            pages.append(HelpPage(name, title, section, text))
    return tuple(pages)


def _translated(name: str) -> Path | None:
    try:
        return resource(f"languages/{language().code}/{FOLDER}/{name}.md")
    except NeardupError:
        return None


def find_pages(pages: Sequence[HelpPage], words: str) -> list[HelpPage]:
    """The pages that contain all the words, the one most about them first."""
    wanted = words.casefold().split()

    def weight(page: HelpPage) -> int:
        title, text = page.title.casefold(), without_marks(page.text).casefold()
        counts = [TITLE_WEIGHT * title.count(word) + text.count(word) for word in wanted]
        return sum(counts) if all(counts) else 0

    return sorted(filter(weight, pages), key=weight, reverse=True)


def without_marks(markdown: str) -> str:
    """The words of a line or a page: no emphasis, and of a link its words."""
    return _MARKS.sub(lambda match: match[1] or "", markdown)
