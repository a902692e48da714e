"""How the XML of OpenDocument is read, whatever is in it: by what each element means."""

from __future__ import annotations

from collections.abc import Callable

from core.documents.readers.odf.names import SKIPPED, short_name
from core.documents.readers.odf.story import OdfStory
from core.documents.readers.odf.styles import OdfStyles
from core.documents.readers.shared.remarks import Tally

_DELETIONS = frozenset({"text:deletion", "table:deletion"})


class OpenDocumentHandler:
    """Does what is written down for the start and the end of an element, and skips others.

    Whoever derives from it sets `_starts` and `_ends`, by names as "text:p".

    Attributes:
        tally: What is not in the text.
    """

    _starts: dict[str, Callable[[dict[str, str]], None]]
    _ends: dict[str, Callable[[], None]]
    _not_read = SKIPPED

    def __init__(self, styles: OdfStyles) -> None:
        self.tally = Tally()
        self._styles = styles
        self._stories = [OdfStory()]
        self._skipped = 0  # elements open in one that is not read

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        short = short_name(name)
        if self._skipped:
            self._skipped += 1
            self.tally.deletions += short in _DELETIONS
        elif short in self._not_read:
            self._skipped = 1
            self._pass_by(short, attributes)
        elif handle := self._starts.get(short):
            handle(attributes)
        elif short.startswith("style:"):
            self._styles.start(short, attributes)

    def end(self, name: str) -> None:
        """An element ends."""
        if self._skipped:
            self._skipped -= 1
            return
        short = short_name(name)
        if handle := self._ends.get(short):
            handle()
        elif short.startswith(("style:", "office:")):
            self._styles.end(short)

    def text(self, text: str) -> None:
        """Characters."""
        if self._skipped:
            self._pass_text_by(text)
        else:
            self._stories[-1].write(text)

    def _pass_by(self, short: str, attributes: dict[str, str]) -> None:
        """An element that is never read begins."""

    def _pass_text_by(self, text: str) -> None:
        """Characters of an element that is not read."""
