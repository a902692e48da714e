"""Every passage that documents of a folder share, once, with all documents that hold it.

1. Runs of words, each just long enough for a passage, that at least two documents hold: all of
   them, as winnowing promises.
2. Stretches: runs that always follow each other.
3. Passages: a run widened as far as the same words surround all of its occurrences. In the order of
   the list, most widely shared first, then longest, a passage is listed if in one of its documents
   it shows as many words as the shortest passage has that no earlier one shows. So a longer passage
   in fewer documents is listed beside a shorter one in more, and some of every shared run is shown.

Very common text, which makes no pairs, is listed like any other. Copies count as documents. Text
that only references share is not listed.

Stretches widened to passages, and which of these show text that no more widely shared one shows.

A passage is a run that several documents hold, just long enough for one, widened as far as the same
runs precede and follow it at all of its occurrences. So the documents of a passage are all that
hold its rarest run; it is within a longer one where fewer documents continue in the same way.

Runs that always follow each other, joined to stretches, which make up all shared text.

If a run and the next one have equally many occurrences, and at each the second follows the first,
they are one stretch (in assembled genomes: a unitig). A stretch ends where documents diverge.

Occurrences of runs of words, each just long enough for a passage, that several documents hold.

Every such run has a fingerprint (see `core.signatures.winnowing`) that another document has too. So
only documents with such fingerprints are read, and of them only the runs around these.

How many documents hold how much of a passage.

A document holds words if the same words follow each other in it, whatever is between them, as in a
passage of a pair (see `core.evidence.passages`). Every row of a few words is looked for, so that a
passage of which another document has a half is not called rare. All documents are read for it,
which takes as long as counting their words.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt16Array, UInt64Array, starts_of_runs
from core.base.compiling import njit
from core.base.hashing import root_of
from core.base.memory import require_memory
from core.base.messages import gettext, whole_number
from core.base.tasks import (
    Progress,
    ProgressReport,
    Stage,
    batches,
    ignore,
    results_of,
    stop_if_cancelled,
    worker_count,
)
from core.candidates.shared_fingerprints import document_bits, keys_of, sorted_fingerprints
from core.candidates.sorted_keys import distinct, members
from core.evidence.shared_runs import make_grams
from core.settings import ScanSettings
from core.signatures.winnowing import (
    BLANK,
    ShortestRuns,
    choose_positions,
    find_grams,
    shortest_runs,
)
from core.text.set_aside import merged
from core.text.shingling import Fingerprints, Shingles, tokenise
from core.text.store import TextStore
from core.text.word_counts import WORD, joined_weights, usual_weight

Span = tuple[int, int]  # code points of a text, the end excluded


class Held(NamedTuple):
    """How much documents hold of a passage.

    Attributes:
        documents: How many hold a row of its words, including the one it was taken from.
        row: The least number of words of such a row; 0 for a passage without words.
        counts: By span, int64: for each of its words, how many documents hold a row with it.
    """

    documents: int
    row: int
    counts: list[Int64Array]


class _Rows(NamedTuple):
    """All rows of a length in passages.

    Attributes:
        length: Words of each.
        values: uint64, their hashes, ascending.
        by_passage: The rows of each of these passages, by span, as indices of `values`.
    """

    length: int
    values: UInt64Array
    by_passage: dict[int, list[Int64Array]]


def find_holders(
    texts: TextStore,
    document: int,
    passages: Sequence[Sequence[Span]],
    row: int,
    settings: ScanSettings,
    copies: Int64Array,
    pool: ThreadPoolExecutor,
) -> list[Held]:
    """How much documents hold of each passage of a document.

    Args:
        texts: All texts.
        document: The document with the passages; it counts too.
        passages: Spans of each passage; a span is the whole words between its ends.
        row: How many words in a row are looked for; all of the longest span of a passage that has
            fewer.
        settings: Decide which words are the same.
        copies: int64, by document: how many documents its text is counted for; texts that count
            for none are not read.
        pool: Threads that read.
    """
    words = settings.with_changes(unit="word", keep_punctuation=False, k=1, bag=False)
    spans = [_words_of(texts, document, passage, words) for passage in passages]
    wanted = _rows_of(spans, row)
    holders, counts = _count_all(texts, wanted, words, copies, pool)
    holdings = [
        Held(0, 0, [np.zeros(len(span), dtype=np.int64) for span in passage]) for passage in spans
    ]
    for rows, count in zip(wanted, counts, strict=True):
        for passage, span_rows in rows.by_passage.items():
            by_word = [_by_word(count[indices], rows.length) for indices in span_rows]
            holdings[passage] = Held(int(holders[passage]), rows.length, by_word)
    return holdings


def count_rows(
    texts: TextStore,
    rows: Sequence[UInt64Array],
    settings: ScanSettings,
    copies: Int64Array,
    pool: ThreadPoolExecutor,
) -> list[Int64Array]:
    """How many documents hold each row of words.

    Args:
        texts: All texts.
        rows: uint64 (rows, words): the hashes of the words of each, as shingles of one word.
        settings: Decide what a word is.
        copies: As for `find_holders`.
        pool: Threads that read.
    """
    grams = [make_grams(row.ravel(), row.shape[1])[:: row.shape[1]] for row in rows]
    values = [distinct([row]) for row in grams]
    wanted = [
        _Rows(row.shape[1], value, {0: [np.arange(len(value))]})
        for row, value in zip(rows, values, strict=True)
    ]
    _, counts = _count_all(texts, wanted if any(map(len, rows)) else (), settings, copies, pool)
    counts = counts or [np.empty(0, dtype=np.int64) for _ in rows]
    results = zip(counts, values, grams, strict=True)
    return [count[np.searchsorted(value, row)] for count, value, row in results]


def _count_all(
    texts: TextStore,
    wanted: Sequence[_Rows],
    words: ScanSettings,
    copies: Int64Array,
    pool: ThreadPoolExecutor,
) -> tuple[Int64Array, list[Int64Array]]:
    """How many documents hold a row of each passage, and how many hold each row."""
    numbers = np.flatnonzero(copies) if wanted else np.empty(0, dtype=np.int64)
    parts = [numbers[part] for part in batches(texts.lengths[numbers].tolist())]
    tasks = (pool.submit(_count, texts, part, copies[part], wanted, words) for part in parts)
    holders = np.zeros(
        1 + max((max(rows.by_passage) for rows in wanted), default=0), dtype=np.int64
    )
    counts = [np.zeros(len(rows.values), dtype=np.int64) for rows in wanted]
    for of_passages, of_rows in results_of(tasks, 2 * worker_count() + 1):
        holders += of_passages
        for count, part in zip(counts, of_rows, strict=True):
            np.add(count, part, out=count)
    return holders, counts


def _words_of(
    texts: TextStore, document: int, spans: Sequence[Span], words: ScanSettings
) -> list[UInt64Array]:
    """The words of each span, as hashes."""
    numbers = np.array([document])
    hashes = texts.shingles(numbers, words).hashes
    tokens = tokenise(texts[document], words, merged(texts.set_aside.get(document, ())))
    firsts = np.searchsorted(tokens.starts, [start for start, _ in spans])
    lasts = np.searchsorted(tokens.ends, [end for _, end in spans], side="right")
    return [hashes[first:last] for first, last in zip(firsts, lasts, strict=True)]


def _rows_of(passages: Sequence[Sequence[UInt64Array]], row: int) -> list[_Rows]:
    """The rows of words to look for, by their length."""
    by_length: dict[int, dict[int, list[UInt64Array]]] = {}
    for passage, spans in enumerate(passages):
        length = min(row, max(map(len, spans), default=0))
        if length:
            by_length.setdefault(length, {})[passage] = [make_grams(span, length) for span in spans]
    all_rows = []
    for length, grams in by_length.items():
        values = distinct([span_grams for gram in grams.values() for span_grams in gram])
        by_passage = {
            passage: [np.searchsorted(values, span) for span in spans]
            for passage, spans in grams.items()
        }
        all_rows.append(_Rows(length, values, by_passage))
    return all_rows


def _by_word(rows: Int64Array, length: int) -> Int64Array:
    """For each word the largest count of the rows that have it."""
    counts = np.zeros(len(rows) + length - 1 if len(rows) else 0, dtype=np.int64)
    for step in range(length if len(rows) else 0):
        part = counts[step : step + len(rows)]
        np.maximum(part, rows, out=part)
    return counts


def _count(
    texts: TextStore,
    numbers: Int64Array,
    copies: Int64Array,
    wanted: Sequence[_Rows],
    words: ScanSettings,
) -> tuple[Int64Array, list[Int64Array]]:
    """How many of these documents hold a row of each passage, and how many hold each row."""
    shingles = texts.shingles(numbers, words)
    passages = np.zeros(1 + max(max(rows.by_passage) for rows in wanted), dtype=np.int64)
    counts = []
    for rows in wanted:
        grams = make_grams(shingles.hashes, rows.length)
        at = np.flatnonzero(members(rows.values, grams))
        text = np.searchsorted(shingles.offsets, at, side="right") - 1
        within = at + rows.length <= shingles.offsets[text + 1]
        row = np.searchsorted(rows.values, grams[at[within]])
        held = distinct([(row * len(numbers) + text[within]).astype(np.uint64)]).astype(np.int64)
        row, text = held // len(numbers), held % len(numbers)
        count = np.zeros(len(rows.values), dtype=np.int64)
        np.add.at(count, row, copies[text])
        counts.append(count)
        for passage, span_rows in rows.by_passage.items():
            is_wanted = np.zeros(len(rows.values), dtype=np.bool_)
            is_wanted[np.concatenate(span_rows)] = True
            holds = np.zeros(len(numbers), dtype=np.bool_)
            holds[text[is_wanted[row]]] = True
            passages[passage] += copies[holds].sum()
    return passages, counts


BYTES_PER_OCCURRENCE = 120  # while passages are made of them


class Folder(NamedTuple):
    """The documents whose passages are looked for.

    Attributes:
        texts: All texts.
        settings: Those of the scan.
        fingerprints: Of all texts.
        copies: int64, by text: how many documents it counts for; 0 for a copy of one before it.
        reviewed: bool, by text: whether one of these is to review; text that only references share
            is no passage.
        pool: Threads that read.
    """

    texts: TextStore
    settings: ScanSettings
    fingerprints: Fingerprints
    copies: Int64Array
    reviewed: BoolArray
    pool: ThreadPoolExecutor


class RunOccurrences(NamedTuple):
    """Occurrences of runs, ascending by document and unit.

    Attributes:
        hashes: uint64, the run.
        documents: int64, the number of its text.
        firsts: int64, the unit of the text with which it begins.
        sizes: int64, how many units it has.
        weights: uint16 (see `core.text.word_counts`) of the units of the texts in `read`, text
            after text; empty if all have the usual weight.
        read: int64 (texts, 2), the number of each text that was read and how many units it has.
    """

    hashes: UInt64Array
    documents: Int64Array
    firsts: Int64Array
    sizes: Int64Array
    weights: UInt16Array
    read: Int64Array

    def take(self, kept: BoolArray) -> RunOccurrences:
        """The occurrences where a mask is true."""
        return self._replace(
            hashes=self.hashes[kept],
            documents=self.documents[kept],
            firsts=self.firsts[kept],
            sizes=self.sizes[kept],
        )


def find_occurrences(folder: Folder, settings: ScanSettings, progress: Progress) -> RunOccurrences:
    """All occurrences of runs that at least two documents hold, and a few that only one holds.

    The arguments and errors are those of `core.passages.find_shared_passages`.
    """
    keys, numbers = _shared(folder)
    parts = [numbers[part] for part in batches(folder.texts.lengths[numbers].tolist())]
    tasks = (folder.pool.submit(_read, folder, part, keys, settings) for part in parts)
    all_runs, done, count = [_read(folder, numbers[:0], keys, settings)], 0, 0
    for part, result in zip(parts, results_of(tasks, 2 * worker_count() + 1), strict=True):
        done, count = done + len(part), count + len(result.hashes)
        _check_memory(count)
        all_runs.append(result)
        progress(ProgressReport(Stage.PASSAGES, done, len(numbers)))
    joined = RunOccurrences._make(
        np.concatenate(columns) for columns in zip(*all_runs, strict=True)
    )
    read = ((run.weights if len(run.weights) else None, run.read[:, 1].sum()) for run in all_runs)
    weights = joined_weights(read, settings.unit)
    return joined if weights is None else joined._replace(weights=weights)


def _shared(folder: Folder) -> tuple[UInt64Array, Int64Array]:
    """The keys of fingerprints that several texts have, and the texts with one, or with copies."""
    bits = document_bits(len(folder.copies))
    keys = distinct([sorted_fingerprints(folder.fingerprints, folder.copies > 0, bits)])
    fingerprints = keys >> bits
    same = fingerprints[1:] == fingerprints[:-1]
    shared = np.zeros(len(keys), dtype=np.bool_)
    shared[1:] |= same
    shared[:-1] |= same
    wanted = folder.copies > 1
    wanted[(keys[shared] & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)] = True
    return distinct([fingerprints[shared]]), np.flatnonzero(wanted)


def _read(
    folder: Folder, numbers: Int64Array, keys: UInt64Array, settings: ScanSettings
) -> RunOccurrences:
    """The runs in these texts that other documents may hold, too."""
    shingles = folder.texts.shingles(numbers, folder.settings)
    runs = shortest_runs(shingles, settings)
    text = np.repeat(np.arange(len(numbers)), np.diff(runs.offsets))
    firsts = np.arange(len(text)) - runs.offsets[text]
    kept = (runs.hashes != BLANK) & (firsts + runs.sizes <= shingles.units[text])
    kept &= (folder.copies[numbers] > 1)[text] | _has_key(folder, shingles, runs, text, keys)
    read = np.stack([numbers, shingles.units], axis=1)
    weights = np.empty(0, dtype=np.uint16) if shingles.weights is None else shingles.weights
    occurrences = RunOccurrences(runs.hashes, numbers[text], firsts, runs.sizes, weights, read)
    return occurrences.take(kept)


def _has_key(
    folder: Folder, shingles: Shingles, runs: ShortestRuns, text: Int64Array, keys: UInt64Array
) -> BoolArray:
    """Which runs have a fingerprint with any of these keys in the window that they begin with."""
    grams = find_grams(shingles, folder.settings)
    chosen, _ = choose_positions(grams)
    gram_keys = keys_of(grams.hashes[chosen], document_bits(len(folder.copies)))
    before = np.zeros(len(grams.hashes) + 1, dtype=np.int64)
    before[chosen[members(keys, gram_keys)] + 1] = 1
    np.cumsum(before, out=before)
    begin = np.arange(len(text)) - runs.offsets[text] + grams.offsets[text]
    begin = np.minimum(begin, max(len(grams.hashes) - 1, 0))
    if not len(grams.hashes):
        return np.zeros(len(text), dtype=np.bool_)
    end = np.minimum(grams.ends_of_windows(begin), grams.offsets[text + 1])
    return np.asarray(before[end] > before[begin])


def _check_memory(occurrences: int) -> None:
    require_memory(
        BYTES_PER_OCCURRENCE * occurrences,
        gettext(
            "Finding the passages among {words} words that documents share",
            words=whole_number(occurrences),
        ),
        gettext("Close other programs, or ask for longer passages."),
    )


class Stretches(NamedTuple):
    """Occurrences of stretches that at least two documents hold, ascending by document and unit.

    Attributes:
        documents: int64, by occurrence: the number of its text.
        firsts: int64, the unit of the text with which it begins.
        ends: int64, the unit after its last one; the next stretch may begin before that.
        goes_on: bool, whether the next occurrence is of the stretch that follows.
        stretch: int64, which stretch it is.
        order: int64, the occurrences of the first stretch, ascending, of the second, ...
        starts: int64, stretch i has the occurrences `order[starts[i]:starts[i + 1]]`.
        holders: int64, by stretch: how many documents hold it.
    """

    documents: Int64Array
    firsts: Int64Array
    ends: Int64Array
    goes_on: BoolArray
    stretch: Int64Array
    order: Int64Array
    starts: Int64Array
    holders: Int64Array


class _Groups(NamedTuple):
    """Occurrences grouped by run or stretch, as in `Stretches`."""

    order: Int64Array
    starts: Int64Array

    @property
    def sizes(self) -> Int64Array:
        return np.diff(self.starts)

    @property
    def of_occurrences(self) -> Int64Array:
        """The group of every occurrence."""
        group = np.empty(len(self.order), dtype=np.int64)
        group[self.order] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return group

    def among(self, occurrences: BoolArray, groups: BoolArray) -> _Groups:
        """Only these groups, with all of their occurrences."""
        kept = self.order[np.repeat(groups, self.sizes)]
        renumbered = np.cumsum(occurrences) - 1
        return _Groups(renumbered[kept], np.append(0, np.cumsum(self.sizes[groups])))


def join_runs(runs: RunOccurrences, copies: Int64Array, reviewed: BoolArray) -> Stretches:
    """The stretches of the runs that at least two documents hold, one of them to review.

    Args:
        runs: Occurrences of runs.
        copies: int64, by text: how many documents it counts for.
        reviewed: bool, by text: whether one of these is to review.
    """
    groups = _grouped(runs.hashes)
    holders = _holders(groups, runs.documents, copies)
    wide = holders > 1
    if len(wide):
        is_reviewed = reviewed[runs.documents[groups.order]]
        wide &= np.logical_or.reduceat(is_reviewed, groups.starts[:-1])
    kept = wide[groups.of_occurrences]
    groups, holders, runs = groups.among(kept, wide), holders[wide], runs.take(kept)
    follows = np.zeros(len(runs.firsts), dtype=np.bool_)  # whether the next run begins a unit on
    follows[:-1] = np.diff(runs.firsts) == 1
    follows[:-1] &= runs.documents[1:] == runs.documents[:-1]
    is_first = _are_first(groups, follows)
    begins = is_first[groups.of_occurrences]
    groups = groups.among(begins, is_first)
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(begins))[: len(first)] - 1
    return Stretches(
        runs.documents[first],
        runs.firsts[first],
        runs.firsts[last] + runs.sizes[last],
        follows[last],
        groups.of_occurrences,
        groups.order,
        groups.starts,
        holders[is_first],
    )


def _grouped(hashes: UInt64Array) -> _Groups:
    order = np.argsort(hashes, kind="stable")
    return _Groups(order, np.append(starts_of_runs(hashes[order]), len(order)))


def _holders(groups: _Groups, documents: Int64Array, copies: Int64Array) -> Int64Array:
    """How many documents hold each group; a document counts once for all its occurrences."""
    ordered = documents[groups.order]
    counts = copies[ordered]
    counts[1:][ordered[1:] == ordered[:-1]] = 0
    starts = groups.starts[:-1]
    counts[starts] = copies[ordered[starts]]
    return np.add.reduceat(counts, starts) if len(starts) else counts


def _are_first(groups: _Groups, follows: BoolArray) -> BoolArray:
    """Which runs begin a stretch: the others always follow a run that occurs as often."""
    group, starts, sizes = groups.of_occurrences, groups.starts[:-1], groups.sizes
    is_first = np.ones(len(sizes), dtype=np.bool_)
    if not len(starts):
        return is_first
    after = np.where(follows, np.append(group[1:], 0), -1)[groups.order]
    least, most = np.minimum.reduceat(after, starts), np.maximum.reduceat(after, starts)
    joined = (least == most) & (least >= 0)
    joined &= sizes[least] == sizes
    is_first[least[joined]] = False
    return is_first


OCCURRENCES_AT_ONCE = 1 << 20


class WidenedPassages(NamedTuple):
    """Passages, each identified by a stretch in it.

    Attributes:
        stretch: int64, the stretch at each of whose occurrences the passage occurs.
        before: int64, how many stretches before it belong to the passage.
        after: int64, how many after it.
    """

    stretch: Int64Array
    before: Int64Array
    after: Int64Array

    def take(self, rows: Int64Array | BoolArray) -> WidenedPassages:
        """These passages."""
        return WidenedPassages(*(column[rows] for column in self))


class Units(NamedTuple):
    """The units of all stretches in a row, each unit of a document once.

    Attributes:
        firsts: int64, by occurrence of a stretch: where it begins in the row.
        ends: int64, where it ends.
        weights: uint16, of each unit in the row; a single number if all weigh the same.
        total: How many there are.
    """

    firsts: Int64Array
    ends: Int64Array
    weights: UInt16Array
    total: int

    def weight(self, firsts: Int64Array, ends: Int64Array) -> Int64Array:
        """The weight of spans of the row."""
        if len(self.weights) == 1:
            return (ends - firsts) * int(self.weights[0])
        sums = np.append(0, np.cumsum(self.weights, dtype=np.int64))
        return np.asarray(sums[ends] - sums[firsts])


def widen(stretches: Stretches) -> WidenedPassages:
    """The passages of stretches, each once."""
    count = len(stretches.starts) - 1
    before, after = np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.int64)
    done = np.zeros(count, dtype=np.bool_)
    for part in _parts(np.diff(stretches.starts)):
        stop_if_cancelled()
        _widen(stretches, part, done, before, after)
    stretch = np.flatnonzero(before >= 0)
    return WidenedPassages(stretch, before[stretch], after[stretch])


def choose(stretches: Stretches, widened: WidenedPassages, units: Units, least: int) -> BoolArray:
    """Which passages show something new.

    In order, a passage is chosen if at one of its occurrences units are left, as heavy as the
    shortest passage, that no earlier chosen passage shows.

    Args:
        stretches: Of the passages.
        widened: The passages, in the order in which they are chosen.
        units: Of the stretches.
        least: The weight of the shortest passage.
    """
    chosen = np.zeros(len(widened.stretch), dtype=np.bool_)
    hidden = np.arange(units.total + 1, dtype=np.int64)
    for part in _parts(np.diff(stretches.starts)[widened.stretch]):
        stop_if_cancelled()
        _choose(stretches, widened, units, part, least, hidden, chosen)
    return chosen


def _parts(counts: Int64Array) -> list[tuple[int, int]]:
    """Cut rows with so many occurrences each into parts, between which work can be stopped."""
    filled = np.cumsum(counts) // OCCURRENCES_AT_ONCE
    return list(pairwise([0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(counts)]))


@njit(nogil=True, cache=True)
def _widen(stretches: Any, part: Any, done: Any, before: Any, after: Any) -> None:
    """How many stretches all occurrences of each stretch have in common on either side.

    A stretch that is reached in this way and occurs as often gives the same passage: it is done.
    """
    starts = stretches.starts
    for stretch in range(part[0], part[1]):
        if done[stretch]:
            continue
        first, end = starts[stretch], starts[stretch + 1]
        for side in (-1, 1):
            steps, common = -1, np.int64(stretch)
            while common >= 0:
                steps += 1
                done[common] |= starts[common + 1] - starts[common] == end - first
                for index in range(first, end):  # what adjoins all occurrences at that distance
                    occurrence = stretches.order[index] + side * steps
                    joint = occurrence if side > 0 else occurrence - 1
                    goes_on = joint >= 0 and stretches.goes_on[joint]
                    neighbour = stretches.stretch[occurrence + side] if goes_on else np.int64(-1)
                    if index > first and neighbour != common:
                        common = np.int64(-1)
                        break
                    common = neighbour
                    if neighbour < 0:
                        break
            if side < 0:
                before[stretch] = steps
            else:
                after[stretch] = steps


@njit(nogil=True, cache=True)
def _choose(
    stretches: Any, widened: Any, units: Any, part: Any, least: Any, hidden: Any, chosen: Any
) -> None:
    """Choose, in place; `hidden` leads from each unit towards the next that is not shown.

    Units that are shown are never visited again.
    """
    weights = units.weights
    for row in range(part[0], part[1]):
        stretch = widened.stretch[row]
        first, last = stretches.starts[stretch], stretches.starts[stretch + 1]
        for index in range(first, last):
            occurrence = stretches.order[index]
            unit = root_of(hidden, units.firsts[occurrence - widened.before[row]])
            end = units.ends[occurrence + widened.after[row]]
            fresh = np.int64(0)
            while unit < end and fresh < least:
                fresh += weights[unit if len(weights) > 1 else 0]
                unit = root_of(hidden, unit + 1)
            chosen[row] |= fresh >= least
            if chosen[row]:
                break
        for index in range(first, last if chosen[row] else first):
            occurrence = stretches.order[index]
            unit = root_of(hidden, units.firsts[occurrence - widened.before[row]])
            end = units.ends[occurrence + widened.after[row]]
            while unit < end:
                hidden[unit] = unit + 1
                unit = root_of(hidden, unit + 1)


class Occurrence(NamedTuple):
    """An occurrence of a passage: a text, the first unit in it, and the number of units."""

    text: int
    first: int
    units: int


class SharedPassages(Sequence[list[Occurrence]]):
    """The passages, in the order of the list; each as its occurrences, by text and unit.

    Attributes:
        documents: int64, how many documents hold each.
        words: int64, how many whole words each has.
    """

    def __init__(
        self,
        stretches: Stretches,
        widened: WidenedPassages,
        documents: Int64Array,
        words: Int64Array,
    ) -> None:
        self._stretches = stretches
        self._widened = widened
        self.documents = documents
        self.words = words

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, row: int) -> list[Occurrence]:  # type: ignore[override]
        """The occurrences of a passage; of several copies only those in the first text."""
        starts, (stretch, before, after) = self._stretches.starts, self._widened
        occurrences = self._stretches.order[starts[stretch[row]] : starts[stretch[row] + 1]]
        return self._occurrences(occurrences - before[row], occurrences + after[row])

    def first_occurrences(self) -> list[Occurrence]:
        """The first occurrence of each passage."""
        starts, (stretch, before, after) = self._stretches.starts, self._widened
        occurrences = self._stretches.order[starts[stretch]]
        return self._occurrences(occurrences - before, occurrences + after)

    def _occurrences(self, first: Int64Array, last: Int64Array) -> list[Occurrence]:
        """Occurrences from their first stretch to their last one."""
        stretches = self._stretches
        begins = stretches.firsts[first]
        columns = (stretches.documents[first], begins, stretches.ends[last] - begins)
        return [
            Occurrence(*row) for row in zip(*(column.tolist() for column in columns), strict=True)
        ]


def find_shared_passages(
    folder: Folder, settings: ScanSettings, progress: Progress = ignore
) -> SharedPassages:
    """The passages of a folder, most widely shared first, then longest.

    Args:
        folder: The documents.
        settings: Decide the length of the shortest passage: no shorter than those of the scan.
        progress: Receives how many documents were read.

    Raises:
        StorageError: There is too little memory for so many shared words.
    """
    runs = find_occurrences(folder, settings, progress)
    stretches = join_runs(runs, folder.copies, folder.reviewed)
    widened = widen(stretches)
    units = _units(stretches, runs, settings)
    first = stretches.order[stretches.starts[widened.stretch]]
    begins = units.firsts[first - widened.before]
    weight = units.weight(begins, units.ends[first + widened.after])
    holders = stretches.holders[widened.stretch]
    order = np.lexsort((begins, -weight, -holders))
    widened, weight, holders = widened.take(order), weight[order], holders[order]
    least = WORD * settings.passage_length
    chosen = choose(stretches, widened, units, least)
    return SharedPassages(stretches, widened.take(chosen), holders[chosen], weight[chosen] // WORD)


def _units(stretches: Stretches, runs: RunOccurrences, settings: ScanSettings) -> Units:
    """The units of stretches in a row; units between stretches are left out."""
    weights = np.array([usual_weight(settings.unit)], dtype=np.uint16)
    if not len(stretches.firsts):
        return Units(stretches.firsts, stretches.ends, weights, 0)
    before = np.zeros(int(runs.read[:, 0].max()) + 1, dtype=np.int64)
    before[runs.read[:, 0]] = np.cumsum(runs.read[:, 1]) - runs.read[:, 1]
    offsets = before[stretches.documents]
    firsts, ends = stretches.firsts + offsets, stretches.ends + offsets
    reached = np.maximum.accumulate(ends)
    gaps = np.maximum(firsts - np.append(0, reached[:-1]), 0)
    left_out = np.cumsum(gaps)
    count = int(reached[-1] - left_out[-1])
    if len(runs.weights):
        fresh = np.flatnonzero(gaps[1:]) + 1
        fresh = np.append(0, fresh)
        sizes = np.diff(np.append(firsts[fresh] - left_out[fresh], count))
        weights = runs.weights[np.arange(count) + np.repeat(left_out[fresh], sizes)]
    return Units(firsts - left_out, ends - left_out, weights, count)
