"""RTF cut into tokens, in one pass over the bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.documents.readers.reader import Reading

_TOKEN = re.compile(
    rb"(?P<text>[^\\{}\r\n\0]+)"
    rb"|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})? ?"
    rb"|\\'(?P<byte>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>.)"
    rb"|(?P<brace>[{}])"
    rb"|[\r\n\0]+"
    rb"|\\",
    re.DOTALL,
)
# What counts in a group that is not shown; \bin is followed by bytes of any kind.
_IN_SKIPPED = re.compile(rb"\\bin(?P<length>[0-9]{1,10}) ?|\\.|(?P<brace>[{}])", re.DOTALL)
_STEP = 1 << 20  # bytes
_BEFORE = 8  # bytes between the brace of a group and its first word, with line ends and a star


class RtfTokens:
    """Goes through a file; the caller may have some passed over."""

    def __init__(self, data: bytes, reading: Reading) -> None:
        self._data = data
        self._step = reading.step
        self._start = self._at = 0

    def __iter__(self) -> Iterator[tuple[str, re.Match[bytes]]]:
        """The kind of each token and what was matched; line ends and stray signs are left out."""
        match = _TOKEN.match
        next_step = _STEP
        while found := match(self._data, self._at):
            self._start, self._at = found.span()
            if found.lastgroup is not None:
                yield found.lastgroup, found
            if self._at >= next_step:
                next_step += _STEP
                self._step()

    def is_first(self) -> bool:
        """Whether the token is the first of a group: only there it says what the group is."""
        return self._data[max(0, self._start - _BEFORE) : self._start].rstrip().endswith(b"{")

    def skip_group(self) -> bytes:
        """Go to the brace that ends the open group; returns what was before it."""
        depth = 1
        start = self._at
        while found := _IN_SKIPPED.search(self._data, self._at):
            self._at = found.end()
            if found["length"]:
                self._at += int(found["length"])
            elif found["brace"]:
                depth += 1 if found[0] == b"{" else -1
                if not depth:
                    self._at = found.start()
                    return self._data[start : self._at]
        self._at = len(self._data)
        return self._data[start:]

    def skip_inner_group(self) -> None:
        """Pass over a group if one begins here: the first of two versions of a text."""
        if self._data[self._at : self._at + 1] == b"{":
            self._at += 1
            self.skip_group()
            self._at += 1

    def skip_bytes(self, count: int) -> None:
        """Pass over bytes that are no RTF."""
        self._at += max(0, count)
