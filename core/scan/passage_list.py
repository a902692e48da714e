"""The list of passages as it is shown: shared and judged passages, in one order.

Judged passages are found wherever they stand, also where they are set aside: word by word, as text
to be set aside is, so that the settings of the scan matter as little as what counts in which
document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.tasks import Progress, batches, ignore, results_of, worker_count
from core.base.wording import excerpt
from core.exclusions.repeated import LEAST_COMMON, PhraseIndex, Texts
from core.exclusions.rules import Phrase
from core.passages import (
    Folder,
    Held,
    Occurrence,
    SharedPassages,
    Span,
    find_holders,
    find_shared_passages,
)
from core.program import preparation
from core.scan.copies import CopyGroups, group_copies
from core.scan.corpus import Corpus
from core.scan.judgements import PassageJudgement
from core.scan.scan import Scan
from core.settings import ScanSettings
from core.text.identity import text_hashes
from core.text.set_aside import merged
from core.text.shingling import Tokens, shingle, tokenise
from core.text.store import TextStore
from core.text.word_counts import WORD, usual_weight


class JudgedPassage(NamedTuple):
    """A passage that was judged.

    Attributes:
        key: Its key (see `core.text.identity`).
        judgement: Its judgement.
        words: How many whole words it has.
        units: How many words or characters, as the scan counts.
        spans_by_document: Where it stands, by the number of the document; ascending.
    """

    key: str
    judgement: PassageJudgement
    words: int
    units: int
    spans_by_document: Mapping[int, list[Span]]


def find_judged(scan: Scan, judged: Mapping[str, PassageJudgement]) -> list[JudgedPassage]:
    """Where judged passages stand, most widely shared first, then longest.

    Args:
        scan: A complete scan; all of its texts are read.
        judged: By key.
    """
    spans: dict[str, dict[int, list[Span]]] = {key: {} for key in judged}
    if judged:
        index = PhraseIndex([Phrase(judgement.text) for judgement in judged.values()])
        lengths = np.array([document.characters for document in scan.documents], dtype=np.int64)
        texts = Texts(scan.texts, lengths, scan.pool)
        for words in texts.words(np.arange(len(lengths))):
            for number, (start, end, _) in index.find(words):
                (key,) = text_hashes([scan.texts[number][start:end]])
                if key in spans:
                    spans[key].setdefault(number, []).append((start, end))
    passages = [_judged(scan, key, judged[key], by_document) for key, by_document in spans.items()]
    return sorted(
        passages, key=lambda passage: (-len(passage.spans_by_document), -passage.words, passage.key)
    )


def _judged(
    scan: Scan, key: str, judgement: PassageJudgement, spans: Mapping[int, list[Span]]
) -> JudgedPassage:
    shingles = shingle([judgement.text], scan.settings)
    units, usual = int(shingles.units[0]), usual_weight(scan.settings.unit)
    words = int(shingles.all_weights(usual).sum(dtype=np.int64)) // WORD
    return JudgedPassage(key, judgement, words, units, dict(sorted(spans.items())))


FIRST_WORDS = 240  # characters of a passage that are shown in a list


class FolderPassages:
    """The passages of a folder, most widely shared first, then longest (`core.passages`).

    Attributes:
        documents: int64, by passage: in how many documents it stands.
        words: int64, by passage: how many whole words it has.
        units: int64, by passage: how many units.
        firsts: By passage, the document that holds it first.
        beginnings: By passage, its first words there, on one line.
        keys: By passage, its key (see `core.text.identity`), as it stands there.
    """

    def __init__(
        self, texts: TextStore, settings: ScanSettings, shared: SharedPassages, copies: CopyGroups
    ) -> None:
        self._texts = texts
        self._settings = settings
        self._shared = shared
        self._copies = copies
        self.documents = shared.documents
        self.words = shared.words
        self._first_occurrences = shared.first_occurrences()
        self.units = np.array(
            [occurrence.units for occurrence in self._first_occurrences], dtype=np.int64
        )
        self.firsts = [occurrence.text for occurrence in self._first_occurrences]
        self.beginnings: list[str] = [""] * len(shared)
        self.keys: list[str] = [""] * len(shared)

    def __len__(self) -> int:
        return len(self.documents)

    def read_beginnings(self, pool: ThreadPoolExecutor) -> None:
        """Read the passages where they stand first, each document once."""
        rows: dict[int, list[int]] = {}
        for row, number in enumerate(self.firsts):
            rows.setdefault(number, []).append(row)
        numbers = np.array(sorted(rows), dtype=np.int64)
        parts = [numbers[part] for part in batches(self._texts.lengths[numbers].tolist())]
        tasks = (pool.submit(self._read, part, rows) for part in parts)
        for _ in results_of(tasks, 2 * worker_count() + 1):
            pass

    def holders(self, row: int) -> list[int]:
        """The documents that hold a passage, ascending."""
        texts = dict.fromkeys(occurrence.text for occurrence in self._shared[row])
        return sorted(number for text in texts for number in self._copies.of(text).tolist())

    def text_of(self, row: int) -> str:
        """A passage as it stands in the first document that holds it."""
        occurrence = self._first_occurrences[row]
        (start, end), *_ = _spans(self._tokens(occurrence.text), [occurrence])
        return self._texts[occurrence.text][start:end]

    def spans_in(self, row: int, document: int) -> list[Span]:
        """Where a passage stands in a document that holds it, ascending, without overlaps."""
        first = int(self._copies.of(document)[0])
        occurrences = [occurrence for occurrence in self._shared[row] if occurrence.text == first]
        return _spans(self._tokens(document), occurrences)

    def _read(self, numbers: Int64Array, rows: dict[int, list[int]]) -> None:
        """Read the passages that stand first in these documents; other threads write other rows."""
        for number in numbers.tolist():
            tokens, text = self._tokens(number), self._texts[number]
            for row in rows[number]:
                ((start, end),) = _spans(tokens, [self._first_occurrences[row]])
                self.beginnings[row] = excerpt(text[start:end], FIRST_WORDS)
                (self.keys[row],) = text_hashes([text[start:end]])

    def _tokens(self, document: int) -> Tokens:
        exclusions = merged(self._texts.set_aside.get(document, ()))
        return tokenise(self._texts[document], self._settings, exclusions)


def passages_of(scan: Scan, settings: ScanSettings, progress: Progress = ignore) -> FolderPassages:
    """The passages that the documents of a scan share, also those of documents that are gone.

    Args:
        scan: A scan that is complete.
        settings: Those of a list: say how long the shortest passage is.
        progress: Told how many documents were read.

    Raises:
        StorageError: There is too little memory for so many shared words.
    """
    preparation.wait()
    corpus = scan.full_corpus
    representatives = corpus.representatives()
    folder = Folder(
        corpus.texts,
        corpus.settings,
        corpus.signed.fingerprints,
        np.bincount(representatives, minlength=len(corpus)),
        corpus.reviewed(),
        scan.pool,
    )
    shared = find_shared_passages(folder, settings, progress)
    passages = FolderPassages(corpus.texts, corpus.settings, shared, group_copies(representatives))
    passages.read_beginnings(scan.pool)
    return passages


def holders_of(scan: Scan, document: int, passages: Sequence[Sequence[Span]]) -> list[Held]:
    """How much of each passage of a document stands in how many of `len(scan.documents)`.

    Those that are gone count, those taken off the list do not.

    Args:
        scan: A scan that is complete.
        document: The number of a document.
        passages: Of each its spans, in code points of the text (see `core.passages`).
    """
    corpus = scan.full_corpus
    return find_holders(
        corpus.texts, document, passages, LEAST_COMMON, scan.settings, _copies(corpus), scan.pool
    )


def _copies(corpus: Corpus) -> Int64Array:
    """For how many documents each text counts; words of the same characters can be others."""
    if corpus.settings.unit == "char":
        return np.ones(len(corpus), dtype=np.int64)
    return np.bincount(corpus.representatives(), minlength=len(corpus))


def _spans(tokens: Tokens, occurrences: Sequence[Occurrence]) -> list[Span]:
    """Occurrences in one text as spans in code points; those that overlap are one span."""
    spans: list[Span] = []
    for occurrence in occurrences:
        start = int(tokens.starts[occurrence.first])
        end = int(tokens.ends[occurrence.first + occurrence.units - 1])
        if spans and start < spans[-1][1]:
            start, _ = spans.pop()
        spans.append((start, end))
    return spans


class PassageList:
    """Passages that documents share, and judged ones that are set aside or stand there no more.

    Attributes:
        documents: int64, by row: in how many documents each stands.
        words: int64, by row: how many whole words it has.
        units: int64, by row: how many words or characters, as the scan counts.
        beginnings: Their first words, on one line.
        keys: Their keys, as judgements have them.
    """

    def __init__(self, shared: FolderPassages, judged: Sequence[JudgedPassage]) -> None:
        self._shared = shared
        self._judged = judged
        counts = [
            (len(passage.spans_by_document), passage.words, passage.units) for passage in judged
        ]
        table = np.array(counts, dtype=np.int64).reshape(-1, 3)
        documents = np.append(shared.documents, table[:, 0])
        words, units = np.append(shared.words, table[:, 1]), np.append(shared.units, table[:, 2])
        keys = [*shared.keys, *(passage.key for passage in judged)]
        beginnings = [excerpt(passage.judgement.text, FIRST_WORDS) for passage in judged]
        beginnings = [*shared.beginnings, *beginnings]
        self._order = np.lexsort((-words, -documents))
        self.documents, self.words, self.units = (
            column[self._order] for column in (documents, words, units)
        )
        self.beginnings = [beginnings[row] for row in self._order]
        self.keys = [keys[row] for row in self._order]

    def __len__(self) -> int:
        return len(self.keys)

    def _at(self, row: int) -> int | JudgedPassage:
        """A passage by its number in the folder, or as it was judged."""
        number = int(self._order[row])
        return number if number < len(self._shared) else self._judged[number - len(self._shared)]

    def holders(self, row: int) -> list[int]:
        """The documents that hold a passage, ascending; none where it stands no more."""
        passage = self._at(row)
        if isinstance(passage, int):
            return self._shared.holders(passage)
        return list(passage.spans_by_document)

    def text_of(self, row: int) -> str:
        """A passage as it stands in the first document that holds it, or as it was judged."""
        passage = self._at(row)
        return self._shared.text_of(passage) if isinstance(passage, int) else passage.judgement.text

    def spans_in(self, row: int, document: int) -> list[Span]:
        """Where a passage stands in a document that holds it, ascending."""
        passage = self._at(row)
        if isinstance(passage, int):
            return self._shared.spans_in(passage, document)
        return passage.spans_by_document[document]


def list_passages(
    scan: Scan,
    settings: ScanSettings,
    judged: Mapping[str, PassageJudgement],
    progress: Progress = ignore,
) -> PassageList:
    """The passages of a scan, most widely shared first, then longest.

    Args:
        scan: A scan that is complete.
        settings: Those of its list.
        judged: The judgements on passages, by key.
        progress: Told how many documents were read.

    Raises:
        StorageError: There is too little memory for so many shared words.
    """
    shared = passages_of(scan, settings, progress)
    shared_keys = set(shared.keys)
    unshared = {key: judgement for key, judgement in judged.items() if key not in shared_keys}
    return PassageList(shared, find_judged(scan, unshared))
