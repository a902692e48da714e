"""The passages of a scan: what stands in which of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.aside.common import LEAST_COMMON
from core.base.arrays import Int64Array
from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled, Progress, ignore, never
from core.base.wording import excerpt
from core.passages.holders import Held, Span, find_holders
from core.passages.shared import Place, SharedPassages, find_shared_passages
from core.passages.shared_runs import Folder
from core.program import preparation
from core.scan.corpus import Corpus
from core.scan.duplicates import CopyGroups, group_copies
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.identity import text_hashes
from core.text.set_aside import merged
from core.text.shingling import Tokens, tokenise
from core.text.store import TextStore

FIRST_WORDS = 240  # characters of a passage that are shown in a list


class FolderPassages:
    """The passages of a folder, most widely shared first, then longest (`core.passages.shared`).

    Attributes:
        documents: int64, by passage: in how many documents it stands.
        words: int64, by passage: how many whole words it has.
        units: int64, by passage: how many units.
        firsts: By passage, the document that holds it first.
        beginnings: By passage, its first words there, on one line.
        keys: By passage, who it is (see `core.text.identity`), as it stands there.
    """

    def __init__(
        self,
        texts: TextStore,
        settings: ScanSettings,
        shared: SharedPassages,
        copies: CopyGroups,
    ) -> None:
        self._texts = texts
        self._settings = settings
        self._shared = shared
        self._copies = copies
        self.documents = shared.documents
        self.words = shared.words
        self._first_places = shared.first_places()
        self.units = np.array([place.units for place in self._first_places], dtype=np.int64)
        self.firsts = [place.text for place in self._first_places]
        self.beginnings: list[str] = [""] * len(shared)
        self.keys: list[str] = [""] * len(shared)

    def __len__(self) -> int:
        return len(self.documents)

    def read_beginnings(self, pool: ThreadPoolExecutor, cancelled: Cancelled) -> None:
        """Read the passages where they stand first, each document once."""
        rows: dict[int, list[int]] = {}
        for row, number in enumerate(self.firsts):
            rows.setdefault(number, []).append(row)
        numbers = np.array(sorted(rows), dtype=np.int64)
        parts = [numbers[part] for part in batches(self._texts.lengths[numbers].tolist())]
        tasks = (pool.submit(self._read, part, rows) for part in parts)
        for _ in results_of(tasks, cancelled, 2 * worker_count() + 1):
            pass

    def holders(self, row: int) -> list[int]:
        """The documents that hold a passage, ascending."""
        texts = dict.fromkeys(place.text for place in self._shared[row])
        return sorted(number for text in texts for number in self._copies.of(text).tolist())

    def text_of(self, row: int) -> str:
        """A passage as it stands in the first document that holds it."""
        place = self._first_places[row]
        (start, end), *_ = _spans(self._tokens(place.text), [place])
        return self._texts[place.text][start:end]

    def spans_in(self, row: int, document: int) -> list[Span]:
        """Where a passage stands in a document that holds it, ascending, without overlaps."""
        first = int(self._copies.of(document)[0])
        places = [place for place in self._shared[row] if place.text == first]
        return _spans(self._tokens(document), places)

    def _read(self, numbers: Int64Array, rows: dict[int, list[int]]) -> None:
        """Read the passages that stand first in some documents; others write other rows."""
        for number in numbers.tolist():
            tokens, text = self._tokens(number), self._texts[number]
            for row in rows[number]:
                ((start, end),) = _spans(tokens, [self._first_places[row]])
                self.beginnings[row] = excerpt(text[start:end], FIRST_WORDS)
                (self.keys[row],) = text_hashes([text[start:end]])

    def _tokens(self, document: int) -> Tokens:
        aside = merged(self._texts.set_aside.get(document, ()))
        return tokenise(self._texts[document], self._settings, aside)


def passages_of(
    scan: Scan,
    settings: ScanSettings,
    progress: Progress = ignore,
    cancelled: Cancelled = never,
) -> FolderPassages:
    """The passages that the documents of a scan share, also those of documents that are gone.

    Args:
        scan: A scan that is complete.
        settings: Those of a list: say how long the shortest passage is.
        progress: Told how many documents were read.
        cancelled: Polled meanwhile.

    Raises:
        ScanCancelledError: `cancelled` said so.
        StorageError: There is too little memory for so many shared words.
    """
    preparation.wait(cancelled)
    corpus = scan.whole
    representatives = corpus.representatives()
    folder = Folder(
        corpus.texts,
        corpus.settings,
        corpus.signed.fingerprints,
        np.bincount(representatives, minlength=len(corpus)),
        corpus.reviewed(),
        scan.pool,
    )
    shared = find_shared_passages(folder, settings, progress, cancelled)
    found = FolderPassages(corpus.texts, corpus.settings, shared, group_copies(representatives))
    found.read_beginnings(scan.pool, cancelled)
    return found


def holders_of(
    scan: Scan,
    document: int,
    passages: Sequence[Sequence[Span]],
    cancelled: Cancelled = never,
) -> list[Held]:
    """How much of each passage of a document stands in how many of `len(scan.documents)`.

    Those that are gone count, those taken off the list do not.

    Args:
        scan: A scan that is complete.
        document: The number of a document.
        passages: Of each some spans, in code points of its text (see `core.passages.holders`).
        cancelled: Polled while all texts are read.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    corpus = scan.whole
    return find_holders(
        corpus.texts,
        document,
        passages,
        LEAST_COMMON,
        scan.settings,
        _copies(corpus),
        scan.pool,
        cancelled,
    )


def _copies(corpus: Corpus) -> Int64Array:
    """For how many documents each text counts; words of the same characters can be others."""
    if corpus.settings.unit == "char":
        return np.ones(len(corpus), dtype=np.int64)
    return np.bincount(corpus.representatives(), minlength=len(corpus))


def _spans(tokens: Tokens, places: Sequence[Place]) -> list[Span]:
    """Places of one text in code points; places that overlap are one span."""
    spans: list[Span] = []
    for place in places:
        start = int(tokens.starts[place.first])
        end = int(tokens.ends[place.first + place.units - 1])
        if spans and start < spans[-1][1]:
            start, _ = spans.pop()
        spans.append((start, end))
    return spans
