"""The list of passages as it is shown: what documents share, and what was judged, in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.base.progress import Cancelled, Progress, ignore, never
from core.base.wording import excerpt
from core.passages.holders import Span
from core.scan.judged_passages import JudgedPassage, find_judged
from core.scan.judgements import PassageJudgement
from core.scan.passages import FIRST_WORDS, FolderPassages, passages_of
from core.scan.scan import Scan
from core.settings import ScanSettings


class PassageList:
    """Passages that documents share, and judged ones that are set aside or stand there no more.

    Attributes:
        documents: int64, by row: in how many documents each stands.
        words: int64, by row: how many whole words it has.
        units: int64, by row: how many words or characters, as the scan counts.
        beginnings: Their first words, on one line.
        keys: Who they are, as judgements name them.
    """

    def __init__(self, shared: FolderPassages, judged: Sequence[JudgedPassage]) -> None:
        self._shared = shared
        self._judged = judged
        others = [len(one.places) for one in judged]
        documents = np.append(shared.documents, np.array(others, dtype=np.int64))
        words = np.append(shared.words, np.array([one.words for one in judged], dtype=np.int64))
        units = np.append(shared.units, np.array([one.units for one in judged], dtype=np.int64))
        keys = [*shared.keys, *(one.key for one in judged)]
        beginnings = [excerpt(one.judgement.text, FIRST_WORDS) for one in judged]
        beginnings = [*shared.beginnings, *beginnings]
        self._order = np.lexsort((-words, -documents))
        self.documents, self.words, self.units = (
            column[self._order] for column in (documents, words, units)
        )
        self.beginnings = [beginnings[row] for row in self._order]
        self.keys = [keys[row] for row in self._order]

    def __len__(self) -> int:
        return len(self.keys)

    def holders(self, row: int) -> list[int]:
        """The documents that hold a passage, ascending; none where it stands no more."""
        own = int(self._order[row])
        if own < len(self._shared):
            return self._shared.holders(own)
        return list(self._judged[own - len(self._shared)].places)

    def text_of(self, row: int) -> str:
        """A passage as it stands in the first document that holds it, or as it was judged."""
        own = int(self._order[row])
        if own < len(self._shared):
            return self._shared.text_of(own)
        return self._judged[own - len(self._shared)].judgement.text

    def spans_in(self, row: int, document: int) -> list[Span]:
        """Where a passage stands in a document that holds it, ascending."""
        own = int(self._order[row])
        if own < len(self._shared):
            return self._shared.spans_in(own, document)
        return self._judged[own - len(self._shared)].places[document]


def list_passages(
    scan: Scan,
    settings: ScanSettings,
    judged: Mapping[str, PassageJudgement],
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> PassageList:
    """The passages of a scan, most widely shared first, then longest.

    Args:
        scan: A scan that is complete.
        settings: Those of its list.
        judged: What is said of passages, by key.
        progress: Told how many documents were read.
        cancelled: Polled meanwhile.

    Raises:
        ScanCancelledError: `cancelled` said so.
        StorageError: There is too little memory for so many shared words.
    """
    shared = passages_of(scan, settings, progress, cancelled)
    there = set(shared.keys)
    others = {key: one for key, one in judged.items() if key not in there}
    return PassageList(shared, find_judged(scan, others, cancelled))
