"""What it would cost to parse a page, told from its tags in one pass over them.

An HTML parser looks through all open elements at many tags, compares every attribute of a tag with
those before it, and opens unclosed formatting again in each new block. On pages made for it, or
broken by a program, that is quadratic: 300,000 nested elements take longer than anybody waits. The
pass follows the HTML standard (13.2.6, tree construction) only as far as that decides the cost.
"""

# Not left to the limits of the process that reads: 59 kB of unclosed formatting need over 500 MB,
# and a process that is killed costs all that comes after the page in its book, mail or archive.

from __future__ import annotations

import re
from collections import Counter

from core.documents.model import ProblemCode
from core.documents.readers.web.tags import (
    BLOCKS,
    BOUNDARIES,
    BREAKOUT,
    CHOICES,
    FORMATTING,
    ITEM_WALLS,
    ITEMS,
    LIST_WALLS,
    RAW,
    SHALLOW,
    SPECIAL,
    TABLE_PARTS,
)
from core.documents.unreadable import UnreadableError

_ATTRIBUTE = (
    r"[^\s/>][^\s/>=]*+"
    r"(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>\"'][^\s>]*+)?+)?+"
)
# A comment, or a tag with its attributes. It always matches to the end: linear time.
_MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<(?P<end>/?+)(?P<name>[a-zA-Z][^\s/>]*+)(?P<attributes>(?:[\s/]++|" + _ATTRIBUTE + r")*+)>?",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_SHORT = 400  # characters: a tag no longer than that has too few attributes to matter

_FOREIGN = "svg "  # before the names of elements in SVG and MathML
_PARAGRAPH = BOUNDARIES | {"button"}
_TABLE = frozenset({"table"})
_WORK = 1_000_000_000  # steps of the parser, about a nanosecond each
_STEP = 100  # one step of this pass in steps of the parser
_ELEMENT = 1_000  # an element takes half a kilobyte of memory, too
_END = 300
_COPY = 2_000  # an element opened again is more of a surprise
_ALIKE = 3  # of identical unclosed formatting elements a parser keeps three
# A page within both cannot reach the limits, whatever it contains.
_FEW_TAGS = 1_000
_FEW_CHARACTERS = 60_000
_ADVICE = "Such pages are not read; saving it again from a browser may mend it."


def check_cost(source: str, nesting: int) -> None:
    """Raise for a page that should not be parsed.

    Args:
        source: The page.
        nesting: How deep its elements may be nested.

    Raises:
        UnreadableError: TOO_DEEP.
    """
    if source.count("<") <= min(nesting, _FEW_TAGS) and len(source) <= _FEW_CHARACTERS:
        return
    stack = _Stack()
    position = 0
    while match := _MARKUP.search(source, position):
        position = match.end()
        end, name, attributes = match.groups()
        if name is None:
            continue
        name = name.lower()
        if end:
            stack.close(name)
        else:
            stack.open(name, attributes)
            if name in RAW:
                position = _end_of_raw(source, name, position)
        if stack.depth > nesting:
            detail = f"The elements of this page are nested more than {nesting:,} deep. {_ADVICE}"
            raise UnreadableError(ProblemCode.TOO_DEEP, detail, "nesting")
        if stack.work > _WORK:
            detail = f"This page has too many elements, some of them never closed. {_ADVICE}"
            raise UnreadableError(ProblemCode.TOO_DEEP, detail)


def _end_of_raw(source: str, name: str, position: int) -> int:
    """Where the end tag of an element with raw text begins."""
    end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(source, position)
    return end.start() if end else len(source)


class _Stack:
    """The open elements, each with its attributes, and the steps that a parser has taken."""

    def __init__(self) -> None:
        self.work = 0
        self._open: list[tuple[str, str]] = []
        self._count: Counter[str] = Counter()
        # Formatting whose block was closed first: it is opened again in the next one.
        self._dangling: Counter[tuple[str, str]] = Counter()

    @property
    def depth(self) -> int:
        return len(self._open)

    def open(self, name: str, attributes: str) -> None:
        self.work += len(self._open) + _ELEMENT
        if len(attributes) > _SHORT:
            self.work += sum(1 for _ in _ATTRIBUTES.finditer(attributes)) ** 2
        if not self._is_foreign() or name in BREAKOUT:
            self._open_html(name, attributes)
        elif not attributes.endswith("/"):
            self._push((_FOREIGN + name, ""))

    def _open_html(self, name: str, attributes: str) -> None:
        """Close what a start tag closes, then open it."""
        if name in BLOCKS or name in ITEMS:
            self._cut(self._last("p", _PARAGRAPH))
        for item in ITEMS.get(name, ()):
            self._cut(self._last(item, ITEM_WALLS))
        if name in CHOICES and self._open and self._open[-1][0] == name:
            self._cut(len(self._open) - 1)
        if name in TABLE_PARTS:
            if not self._count["table"]:
                return
            self._end_table_part()
        if name not in SPECIAL:
            self._reopen()
        if name not in SHALLOW:
            self._push((name, attributes))
        if name in BLOCKS or name in ITEMS:
            self._reopen()

    def close(self, name: str) -> None:
        self.work += len(self._open) + _END
        if self._is_foreign() and self._count[_FOREIGN + name]:
            self._cut(self._last(_FOREIGN + name, SPECIAL))
        elif name in FORMATTING:
            self._end_formatting(name)
        else:
            self._end(name)

    def _end_formatting(self, name: str) -> None:
        """Close the last formatting element of a name, wherever it is."""
        last = next((element for element in reversed(self._dangling) if element[0] == name), None)
        if last:
            self._dangling -= Counter((last,))
        elif self._count[name]:
            del self._open[self._last(name, frozenset())]
            self._count[name] -= 1

    def _is_foreign(self) -> bool:
        """Whether the innermost element is one of SVG or MathML."""
        name = self._open[-1][0] if self._open else ""
        return name in {"svg", "math"} or name.startswith(_FOREIGN)

    def _push(self, element: tuple[str, str]) -> None:
        self._open.append(element)
        self._count[element[0]] += 1

    def _reopen(self) -> None:
        """Open again what was left dangling."""
        if self._dangling:
            self.work += self._dangling.total() * _COPY
            for element in self._dangling.elements():
                self._push(element)
            self._dangling.clear()

    def _end(self, name: str) -> None:
        """Close the last element of a name, with all in it, when an end tag could reach it."""
        if name == "p":
            walls = _PARAGRAPH
        elif name in TABLE_PARTS or name == "table":
            walls = _TABLE
        elif name == "li":
            walls = LIST_WALLS
        else:
            walls = BOUNDARIES if name in SPECIAL else SPECIAL
        self._cut(self._last(name, walls))

    def _end_table_part(self) -> None:
        """Close everything down to the table; the formatting in a cell ends with it."""
        self._cut(self._last("table", frozenset()) + 1)
        self._dangling.clear()

    def _last(self, name: str, walls: frozenset[str]) -> int:
        """Where the last element of a name is; behind the end when there is none before a wall."""
        if not self._count[name]:
            return len(self._open)
        for i in range(len(self._open) - 1, -1, -1):
            self.work += _STEP
            if self._open[i][0] == name:
                return i
            if self._open[i][0] in walls:
                break
        return len(self._open)

    def _cut(self, start: int) -> None:
        if start == len(self._open):
            return
        for element in self._open[start:]:
            self._count[element[0]] -= 1
            if element[0] in FORMATTING and self._dangling[element] < _ALIKE:
                self._dangling[element] += 1
        self.work += _STEP * (len(self._open) - start)
        del self._open[start:]
