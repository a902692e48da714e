"""Texts that are compared with several others, read once.

Where a paragraph is in every document, each is compared with many: its words, their beginnings and
their stems are found for all of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from core.evidence.pair_texts import PairText
from core.settings import ScanSettings
from core.text.store import TextStore

KEPT = 1 << 21  # characters: about 40 MB with what is made of them


class ReadTexts:
    """The texts of a cell as passages are looked for in them; those read last are kept."""

    def __init__(
        self, texts: TextStore, languages: Sequence[str | None], settings: ScanSettings
    ) -> None:
        self._texts = texts
        self._languages = languages
        self._settings = settings
        self._kept: OrderedDict[int, PairText] = OrderedDict()
        self._characters = 0

    def __getitem__(self, place: int) -> PairText:
        """A text by its place."""
        if place not in self._kept:
            self._kept[place] = PairText(
                self._texts[place],
                self._settings,
                self._texts.set_aside.get(place, ()),
                self._languages[place] or None,
            )
            self._characters += len(self._kept[place].text)
        self._kept.move_to_end(place)
        while self._characters > KEPT and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._characters -= len(oldest.text)
        return self._kept[place]
