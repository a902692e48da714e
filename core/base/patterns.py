"""Regular expressions that are compiled when they are first used.

Compiling those of all modules took a tenth of what importing the engine does, and a start uses few.
"""

from __future__ import annotations

import re
from typing import AnyStr, cast


class _LazyPattern:
    """Stands for a pattern; keeps each attribute that was read."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        """Read it from the pattern itself, which `re` remembers."""
        if name.startswith("_"):  # read from a copy that has no source yet
            raise AttributeError(name)
        value: object = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile`, of which only methods and attributes can be used: to `re` it is no pattern."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(source, flags))
