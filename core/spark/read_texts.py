"""Texts that are compared with several others, read once.

Reading a text, finding its words, their beginnings and their stems, is a quarter of what a pair of
short texts takes; where a paragraph is in every document, each is compared with many.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from core.evidence.pair_texts import PairText
from core.evidence.passage_selection import OTHER_GAP
from core.settings import ScanSettings
from core.text.set_aside import GAP
from core.text.store import TextStore

__all__ = ["ReadTexts"]

KEPT = 1 << 21  # characters: about 40 MB with what is made of them


class ReadTexts:
    """The texts of a cell as passages are looked for in them; those read last are kept."""

    def __init__(
        self, texts: TextStore, languages: Sequence[str | None], settings: ScanSettings
    ) -> None:
        self._texts = texts
        self._languages = languages
        self._settings = settings
        self._kept: OrderedDict[tuple[int, bool], PairText] = OrderedDict()
        self._characters = 0

    def pair(self, x: int, y: int) -> tuple[PairText, PairText]:
        """Two texts by their places, as `find_shared` takes them."""
        return self._read(x, is_other=False), self._read(y, is_other=True)

    def _read(self, place: int, *, is_other: bool) -> PairText:
        key = place, is_other
        if key not in self._kept:
            self._kept[key] = PairText(
                self._texts[place],
                self._settings,
                self._texts.set_aside.get(place, ()),
                self._languages[place] or None,
                gap=OTHER_GAP if is_other else GAP,
            )
            self._characters += len(self._kept[key].text)
        self._kept.move_to_end(key)
        while self._characters > KEPT and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._characters -= len(oldest.text)
        return self._kept[key]
