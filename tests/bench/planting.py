"""Reworded passages of one document planted in an unrelated one of the same corpus.

A document is the source or the host of one passage at most, so that a single scan measures one
case for each two documents. The rest of the corpus stays as it is. Lengths are in words; 1.6
Chinese characters make a word, and what is changed there are characters.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pan_measures import DocumentPair, Span, make_span
from rework_editor import KINDS, ByFrequency, Words, rework, sentence_starts, word_spans

LENGTHS = (30, 60, 100, 200, 400)  # words
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
LETTERS_A_WORD = {"laws_zh": 1.6}
# Words, or as many letters as make them; unrelated documents share hardly any run of so many.
RUN = 6
MOST_SHARED = 6  # so that no 12 words in a row are shared
MOST_SHARED_SHARE = 0.02  # of the runs of the shorter document
HELD = 0.2  # share of a passage's runs with which another document holds it too
MOST_HOLDERS = 4  # other documents, such as versions of the source
TRIES = 8
Cell = tuple[int, float]  # words, share of them changed


class Case(NamedTuple):
    """A planted passage."""

    source: str
    host: str
    span: Span
    kind: str
    words: int
    share: float
    holders: int  # other documents that hold the original passage

    @property
    def cell(self) -> Cell:
        return self.words, self.share


class Planted(NamedTuple):
    """A corpus with planted passages, and some pairs of its documents that stayed unrelated."""

    texts: dict[str, str]
    cases: list[Case]
    unrelated: list[DocumentPair]


class Document(NamedTuple):
    """A document cut into words."""

    name: str
    text: str
    spans: list[tuple[int, int]]
    words: list[str]
    runs: list[int]

    def holds(self, tokens: int) -> bool:
        """Whether a passage of so many words is not nearly the whole document."""
        return len(self.words) >= 1.2 * tokens


def plant(texts: Mapping[str, str], corpus: str, counts: Counter[Cell], seed: int) -> Planted:
    """Plant as many passages as there are documents for, the rarest cells first.

    Args:
        texts: The documents by name.
        corpus: The name of the corpus.
        counts: How often each cell was measured in this corpus so far; counts on.
        seed: Another one gives other passages.
    """
    draw = random.Random(f"{corpus} {seed}")
    unit = LETTERS_A_WORD.get(corpus, 1.0)
    documents = [_cut(name, text, round(RUN * unit)) for name, text in texts.items()]
    frequencies = ByFrequency(word for document in documents for word in document.words)
    holders = _holders(documents)
    free = _first_of_equals(documents)
    draw.shuffle(free)
    planted: Planted = Planted(dict(texts), [], [])
    hosts: list[Document] = []
    while free:
        source = free.pop()
        cell = _rarest(source, counts, unit, draw)
        if cell is None:
            continue
        tokens, words = round(cell[0] * unit), Words(source.words, frequencies)
        first, others = _least_held(source, tokens, holders, draw)
        host = next((one for one in free if _unrelated(source, one)), None)
        if others > MOST_HOLDERS or host is None:
            continue
        free.remove(host)
        start, end = source.spans[first][0], source.spans[first + tokens - 1][1]
        kind = draw.choice(KINDS)
        copy = rework(source.text[start:end], kind, cell[1], words, draw)
        planted.texts[host.name], at = _put_into(host.text, copy, draw)
        span = make_span(source.name, host.name, (start, end), (at, at + len(copy)))
        planted.cases.append(Case(source.name, host.name, span, kind, *cell, others))
        counts[cell] += 1
        other = next((one for one in hosts if _unrelated(source, one)), None)
        if other:
            planted.unrelated.append((source.name, other.name))
        hosts.insert(0, host)
    return planted


def _cut(name: str, text: str, run: int) -> Document:
    spans = word_spans(text)
    words = [text[start:end].lower() for start, end in spans]
    return Document(name, text, spans, words, list(_runs(words, run)))


def _runs(words: list[str], run: int) -> Iterator[int]:
    return (hash(tuple(words[at : at + run])) for at in range(len(words) - run + 1))


def _holders(documents: list[Document]) -> Mapping[int, set[str]]:
    """In which documents each run stands."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for document in documents:
        for run in document.runs:
            found[run].add(document.name)
    return found


def _first_of_equals(documents: list[Document]) -> list[Document]:
    """Of documents with the same words only the first: a list shows one of them."""
    first = {tuple(document.words): document for document in reversed(documents)}
    return [document for document in documents if first[tuple(document.words)] is document]


def _rarest(
    source: Document, counts: Counter[Cell], unit: float, draw: random.Random
) -> Cell | None:
    """The cell with the fewest cases of those that the document is long enough for."""
    lengths = [words for words in LENGTHS if source.holds(round(words * unit))]
    cells = [(words, share) for words in lengths for share in SHARES]
    draw.shuffle(cells)
    return min(cells, key=lambda cell: counts[cell], default=None)


def _least_held(
    source: Document, tokens: int, holders: Mapping[int, set[str]], draw: random.Random
) -> tuple[int, int]:
    """The passage, by its first word, that the fewest other documents hold, and how many do."""
    last = len(source.words) - tokens
    starts = [start for start in sentence_starts(source.text, source.spans) if start <= last]
    tried = []
    for start in draw.sample(starts, min(TRIES, len(starts))):
        runs = source.runs[start : start + tokens - RUN]
        held = Counter(name for run in runs for name in holders[run])
        tried.append((sum(count >= HELD * len(runs) for count in held.values()) - 1, start))
    others, start = min(tried)
    return start, others


def _unrelated(one: Document, other: Document) -> bool:
    a, b = set(one.runs), set(other.runs)
    shared = len(a & b)
    return bool(b) and shared <= MOST_SHARED and shared <= MOST_SHARED_SHARE * min(len(a), len(b))


def _put_into(host: str, passage: str, draw: random.Random) -> tuple[str, int]:
    """A text with a paragraph more, and where it begins."""
    cut = host.find("\n", draw.randrange(len(host)))
    before = (host if cut < 0 else host[:cut]) + "\n\n"
    after = "" if cut < 0 else host[cut:].lstrip("\n")
    return f"{before}{passage}\n\n{after}", len(before)
