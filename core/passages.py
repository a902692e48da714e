"""Every passage that documents of a folder share, once, with all documents that hold it.

1. Runs of words, each just long enough for a passage, that at least two documents hold: all of
   them, as winnowing promises (`core.passages`).
2. Stretches: runs that always follow each other (`core.passages`).
3. Passages: a run widened as far as the same words stand around it at all of its places. In the
   order of the list, most widely shared first, then longest, one is listed where it shows as many
   words as the shortest passage has that none before it shows in one of its documents
   (`core.passages`). So a longer passage in fewer documents is listed beside a shorter one
   in more, and of all shared runs none is left of which nothing is shown.

Very common text, which makes no pairs, is listed like any other. Copies count as documents. What
only references share is not listed.

Stretches widened to passages, and which of these say something that no wider shared one says.

A passage is a run that several documents hold, just long enough for one, widened as far as the same
runs stand before and behind it at all of its places. So the documents of a passage are all that
hold its rarest run; it is within a longer one where fewer documents go on in the same way.

Runs that always follow each other, joined: what several documents hold is made of these.

Where a run and the next one stand at equally many places, and at each of these one follows the
other, they are one stretch (in assembled genomes: a unitig). A stretch ends where documents part.

Where runs of words stand that more than one document holds, each just long enough for a passage.

Every such run has a fingerprint (see `core.signatures.winnowing`) that another document has too. So
only documents with such fingerprints are read, and of them only the runs around these.

How much of a passage stands in how many documents.

Words stand in a document where the same words follow each other there, whatever is between them, as
a passage of a pair is the same (see `core.evidence.passages`). What is looked for is every row of a
few words, so that a passage of which another document has a half is not called rare. All documents
are read for it, which takes as long as counting their words.
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
from core.signatures.winnowing import BLANK, ShortestRuns, choose_places, find_grams, shortest_runs
from core.text.set_aside import merged
from core.text.shingling import Fingerprints, Shingles, tokenise
from core.text.store import TextStore
from core.text.word_counts import WORD, usual_weight

Span = tuple[int, int]  # code points of a text, the end excluded


class Held(NamedTuple):
    """What documents hold of a passage.

    Attributes:
        documents: How many hold a row of its words, the one it was taken from among them.
        row: How many words such a row has at least; 0 for a passage without words.
        counts: By span, int64: for each of its words, how many documents hold a row that has it.
    """

    documents: int
    row: int
    counts: list[Int64Array]


class _Rows(NamedTuple):
    """All rows of one length in some passages.

    Attributes:
        length: Words of each.
        values: uint64, their hashes, ascending.
        own: Of each of these passages its rows, by span: places in `values`.
    """

    length: int
    values: UInt64Array
    own: dict[int, list[Int64Array]]


def find_holders(
    texts: TextStore,
    document: int,
    passages: Sequence[Sequence[Span]],
    row: int,
    settings: ScanSettings,
    copies: Int64Array,
    pool: ThreadPoolExecutor,
) -> list[Held]:
    """What documents hold of each passage of a document.

    Args:
        texts: All texts.
        document: The one that has the passages; it counts too.
        passages: Of each some spans, each the whole words between its ends.
        row: So many words in a row are looked for; of a passage that has fewer, all of its longest
            span.
        settings: Decide which words are the same.
        copies: int64, by document: how many documents its text is counted for; texts that count
            for none are not read.
        pool: Threads that read.
    """
    words = settings.with_changes(unit="word", keep_punctuation=False, k=1, bag=False)
    spans = [_words_of(texts, document, passage, words) for passage in passages]
    asked = _rows_of(spans, row)
    holders, counts = _count_all(texts, asked, words, copies, pool)
    holdings = [
        Held(0, 0, [np.zeros(len(span), dtype=np.int64) for span in passage]) for passage in spans
    ]
    for rows, count in zip(asked, counts, strict=True):
        for passage, span_rows in rows.own.items():
            by_word = [_by_word(count[places], rows.length) for places in span_rows]
            holdings[passage] = Held(int(holders[passage]), rows.length, by_word)
    return holdings


def count_rows(
    texts: TextStore,
    rows: Sequence[UInt64Array],
    settings: ScanSettings,
    copies: Int64Array,
    pool: ThreadPoolExecutor,
) -> list[Int64Array]:
    """In how many documents each of some rows of words stands.

    Args:
        texts: All texts.
        rows: uint64 (rows, words): the hashes of the words of each, as shingles of one word.
        settings: Decide what a word is.
        copies: As of `find_holders`.
        pool: Threads that read.
    """
    grams = [make_grams(row.ravel(), row.shape[1])[:: row.shape[1]] for row in rows]
    values = [distinct([row]) for row in grams]
    asked = [
        _Rows(row.shape[1], value, {0: [np.arange(len(value))]})
        for row, value in zip(rows, values, strict=True)
    ]
    _, counts = _count_all(texts, asked if any(map(len, rows)) else (), settings, copies, pool)
    counts = counts or [np.empty(0, dtype=np.int64) for _ in rows]
    found = zip(counts, values, grams, strict=True)
    return [count[np.searchsorted(value, row)] for count, value, row in found]


def _count_all(
    texts: TextStore,
    asked: Sequence[_Rows],
    words: ScanSettings,
    copies: Int64Array,
    pool: ThreadPoolExecutor,
) -> tuple[Int64Array, list[Int64Array]]:
    """How many documents hold a row of each passage, and how many hold each row."""
    numbers = np.flatnonzero(copies) if asked else np.empty(0, dtype=np.int64)
    parts = [numbers[part] for part in batches(texts.lengths[numbers].tolist())]
    tasks = (pool.submit(_count, texts, part, copies[part], asked, words) for part in parts)
    holders = np.zeros(1 + max((max(rows.own) for rows in asked), default=0), dtype=np.int64)
    counts = [np.zeros(len(rows.values), dtype=np.int64) for rows in asked]
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
    """What is looked for, by the length of the rows."""
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
    """What is known of rows, for each of their words: of those that have it the most."""
    counts = np.zeros(len(rows) + length - 1 if len(rows) else 0, dtype=np.int64)
    for step in range(length if len(rows) else 0):
        part = counts[step : step + len(rows)]
        np.maximum(part, rows, out=part)
    return counts


def _count(
    texts: TextStore,
    numbers: Int64Array,
    copies: Int64Array,
    asked: Sequence[_Rows],
    words: ScanSettings,
) -> tuple[Int64Array, list[Int64Array]]:
    """How many of some documents hold a row of each passage, and how many hold each row."""
    shingles = texts.shingles(numbers, words)
    passages = np.zeros(1 + max(max(rows.own) for rows in asked), dtype=np.int64)
    counts = []
    for rows in asked:
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
        for passage, span_rows in rows.own.items():
            asked_rows = np.zeros(len(rows.values), dtype=np.bool_)
            asked_rows[np.concatenate(span_rows)] = True
            holds = np.zeros(len(numbers), dtype=np.bool_)
            holds[text[asked_rows[row]]] = True
            passages[passage] += copies[holds].sum()
    return passages, counts


BYTES_PER_PLACE = 120  # while passages are made of them


class Folder(NamedTuple):
    """The documents that are asked for their passages.

    Attributes:
        texts: All texts.
        settings: Those of the scan.
        fingerprints: Of all texts.
        copies: int64, by text: how many documents it counts for; 0 for a copy of one before it.
        reviewed: bool, by text: whether one of these is to review; what only references share is
            no passage.
        pool: Threads that read.
    """

    texts: TextStore
    settings: ScanSettings
    fingerprints: Fingerprints
    copies: Int64Array
    reviewed: BoolArray
    pool: ThreadPoolExecutor


class RunPlaces(NamedTuple):
    """Places of runs, ascending by document and unit.

    Attributes:
        hashes: uint64, the run.
        documents: int64, the number of its text.
        firsts: int64, the unit of the text with which it begins.
        sizes: int64, how many units it has.
        weights: uint16 (see `core.text.word_counts`) of the units of the texts in `read`, one
            text after the other; empty where all have the usual weight.
        read: int64 (texts, 2), the number of each text that was read and how many units it has.
    """

    hashes: UInt64Array
    documents: Int64Array
    firsts: Int64Array
    sizes: Int64Array
    weights: UInt16Array
    read: Int64Array

    def take(self, kept: BoolArray) -> RunPlaces:
        """Some of the places."""
        return self._replace(
            hashes=self.hashes[kept],
            documents=self.documents[kept],
            firsts=self.firsts[kept],
            sizes=self.sizes[kept],
        )


def find_places(folder: Folder, settings: ScanSettings, progress: Progress) -> RunPlaces:
    """Every place of every run that at least two documents hold, and a few that only one holds.

    The arguments and errors are those of `core.passages.find_shared_passages`.
    """
    keys, numbers = _shared(folder)
    parts = [numbers[part] for part in batches(folder.texts.lengths[numbers].tolist())]
    tasks = (folder.pool.submit(_read, folder, part, keys, settings) for part in parts)
    run_places, done, places = [_nothing()], 0, 0
    for part, result in zip(parts, results_of(tasks, 2 * worker_count() + 1), strict=True):
        done, places = done + len(part), places + len(result.hashes)
        _check_memory(places)
        run_places.append(result)
        progress(ProgressReport(Stage.PASSAGES, done, len(numbers)))
    joined = RunPlaces._make(np.concatenate(columns) for columns in zip(*run_places, strict=True))
    # Most texts have the usual weights: then none are kept.
    if not len(joined.weights):
        return joined
    return joined._replace(weights=_all_weights(run_places, settings))


def _shared(folder: Folder) -> tuple[UInt64Array, Int64Array]:
    """The keys of fingerprints that several texts have, and the texts with one, or with copies."""
    bits = document_bits(len(folder.copies))
    keys = distinct([sorted_fingerprints(folder.fingerprints, folder.copies > 0, bits)])
    fingerprints = keys >> bits
    same = fingerprints[1:] == fingerprints[:-1]
    shared = np.zeros(len(keys), dtype=np.bool_)
    shared[1:] |= same
    shared[:-1] |= same
    asked = folder.copies > 1
    asked[(keys[shared] & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)] = True
    return distinct([fingerprints[shared]]), np.flatnonzero(asked)


def _read(
    folder: Folder, numbers: Int64Array, keys: UInt64Array, settings: ScanSettings
) -> RunPlaces:
    """The runs of some texts that are worth looking at."""
    shingles = folder.texts.shingles(numbers, folder.settings)
    runs = shortest_runs(shingles, settings)
    text = np.repeat(np.arange(len(numbers)), np.diff(runs.offsets))
    firsts = np.arange(len(text)) - runs.offsets[text]
    kept = (runs.hashes != BLANK) & (firsts + runs.sizes <= shingles.units[text])
    kept &= (folder.copies[numbers] > 1)[text] | _has_key(folder, shingles, runs, text, keys)
    read = np.stack([numbers, shingles.units], axis=1)
    weights = np.empty(0, dtype=np.uint16) if shingles.weights is None else shingles.weights
    places = RunPlaces(runs.hashes, numbers[text], firsts, runs.sizes, weights, read)
    return places.take(kept)


def _has_key(
    folder: Folder, shingles: Shingles, runs: ShortestRuns, text: Int64Array, keys: UInt64Array
) -> BoolArray:
    """Which runs have a fingerprint with one of these keys in the window that they begin with."""
    grams = find_grams(shingles, folder.settings)
    chosen, _ = choose_places(grams)
    of = keys_of(grams.hashes[chosen], document_bits(len(folder.copies)))
    before = np.zeros(len(grams.hashes) + 1, dtype=np.int64)
    before[chosen[members(keys, of)] + 1] = 1
    np.cumsum(before, out=before)
    begin = np.arange(len(text)) - runs.offsets[text] + grams.offsets[text]
    begin = np.minimum(begin, max(len(grams.hashes) - 1, 0))
    if not len(grams.hashes):
        return np.zeros(len(text), dtype=np.bool_)
    end = np.minimum(grams.ends_of_windows(begin), grams.offsets[text + 1])
    return np.asarray(before[end] > before[begin])


def _all_weights(run_places: list[RunPlaces], settings: ScanSettings) -> UInt16Array:
    """The weights of all units that were read, also those with the usual one."""
    usual = usual_weight(settings.unit)
    return np.concatenate(
        [
            places.weights
            if len(places.weights)
            else np.full(int(places.read[:, 1].sum()), usual, dtype=np.uint16)
            for places in run_places
        ]
    )


def _check_memory(places: int) -> None:
    require_memory(
        BYTES_PER_PLACE * places,
        gettext(
            "Finding the passages among {words} words that documents share",
            words=whole_number(places),
        ),
        gettext("Close other programs, or ask for longer passages."),
    )


def _nothing() -> RunPlaces:
    none = np.empty(0, dtype=np.int64)
    return RunPlaces(
        np.empty(0, dtype=np.uint64),
        none,
        none,
        none,
        np.empty(0, dtype=np.uint16),
        np.empty((0, 2), dtype=np.int64),
    )


class Stretches(NamedTuple):
    """The places of stretches that at least two documents hold, ascending by document and unit.

    Attributes:
        documents: int64, by place: the number of its text.
        firsts: int64, the unit of the text with which it begins.
        ends: int64, the unit behind its last one; the stretch behind it may begin before that.
        goes_on: bool, whether the next place has the stretch that follows.
        stretch: int64, which stretch it is.
        order: int64, the places of the first stretch, ascending, of the second, ...
        starts: int64, stretch i has the places `order[starts[i]:starts[i + 1]]`.
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
    """Places by what stands there: as in `Stretches`, by the run or stretch."""

    order: Int64Array
    starts: Int64Array

    @property
    def sizes(self) -> Int64Array:
        return np.diff(self.starts)

    @property
    def of_places(self) -> Int64Array:
        """The group of every place."""
        group = np.empty(len(self.order), dtype=np.int64)
        group[self.order] = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return group

    def among(self, places: BoolArray, groups: BoolArray) -> _Groups:
        """The same of some groups only, with all of their places."""
        kept = self.order[np.repeat(groups, self.sizes)]
        renumbered = np.cumsum(places) - 1
        return _Groups(renumbered[kept], np.append(0, np.cumsum(self.sizes[groups])))


def join_runs(runs: RunPlaces, copies: Int64Array, reviewed: BoolArray) -> Stretches:
    """The stretches of the runs that at least two documents hold, one of them to review.

    Args:
        runs: Places of runs.
        copies: int64, by text: how many documents it counts for.
        reviewed: bool, by text: whether one of these is to review.
    """
    groups = _grouped(runs.hashes)
    holders = _holders(groups, runs.documents, copies)
    wide = holders > 1
    if len(wide):
        is_reviewed = reviewed[runs.documents[groups.order]]
        wide &= np.logical_or.reduceat(is_reviewed, groups.starts[:-1])
    kept = wide[groups.of_places]
    groups, holders, runs = groups.among(kept, wide), holders[wide], runs.take(kept)
    follows = np.zeros(len(runs.firsts), dtype=np.bool_)  # whether the next run begins a unit on
    follows[:-1] = np.diff(runs.firsts) == 1
    follows[:-1] &= runs.documents[1:] == runs.documents[:-1]
    heads = _heads(groups, follows)
    begins = heads[groups.of_places]
    groups = groups.among(begins, heads)
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(begins))[: len(first)] - 1
    return Stretches(
        runs.documents[first],
        runs.firsts[first],
        runs.firsts[last] + runs.sizes[last],
        follows[last],
        groups.of_places,
        groups.order,
        groups.starts,
        holders[heads],
    )


def _grouped(hashes: UInt64Array) -> _Groups:
    order = np.argsort(hashes, kind="stable")
    return _Groups(order, np.append(starts_of_runs(hashes[order]), len(order)))


def _holders(groups: _Groups, documents: Int64Array, copies: Int64Array) -> Int64Array:
    """How many documents hold each group; a document counts once, however many places it has."""
    ordered = documents[groups.order]
    counts = copies[ordered]
    counts[1:][ordered[1:] == ordered[:-1]] = 0
    starts = groups.starts[:-1]
    counts[starts] = copies[ordered[starts]]
    return np.add.reduceat(counts, starts) if len(starts) else counts


def _heads(groups: _Groups, follows: BoolArray) -> BoolArray:
    """Which runs begin a stretch: the others always follow one that stands as often."""
    group, starts, sizes = groups.of_places, groups.starts[:-1], groups.sizes
    heads = np.ones(len(sizes), dtype=np.bool_)
    if not len(starts):
        return heads
    behind = np.where(follows, np.append(group[1:], 0), -1)[groups.order]
    least, most = np.minimum.reduceat(behind, starts), np.maximum.reduceat(behind, starts)
    joined = (least == most) & (least >= 0)
    joined &= sizes[least] == sizes
    heads[least[joined]] = False
    return heads


PLACES_AT_ONCE = 1 << 20


class Widened(NamedTuple):
    """Passages, each known by a stretch in it.

    Attributes:
        stretch: int64, the stretch at whose places the passage stands.
        before: int64, how many stretches before it belong to the passage.
        behind: int64, how many behind it.
    """

    stretch: Int64Array
    before: Int64Array
    behind: Int64Array

    def take(self, rows: Int64Array | BoolArray) -> Widened:
        """Some of them."""
        return Widened(*(column[rows] for column in self))


class Units(NamedTuple):
    """The units of all stretches in a row, each unit of a document once.

    Attributes:
        firsts: int64, by place of a stretch: where it begins in the row.
        ends: int64, where it ends.
        weights: uint16, of each unit in the row; one number where all weigh the same.
        total: How many there are.
    """

    firsts: Int64Array
    ends: Int64Array
    weights: UInt16Array
    total: int

    def weight(self, firsts: Int64Array, ends: Int64Array) -> Int64Array:
        """What spans of the row weigh."""
        if len(self.weights) == 1:
            return (ends - firsts) * int(self.weights[0])
        sums = np.append(0, np.cumsum(self.weights, dtype=np.int64))
        return np.asarray(sums[ends] - sums[firsts])


def widen(stretches: Stretches) -> Widened:
    """The passages of some stretches, each once."""
    count = len(stretches.starts) - 1
    before, behind = np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.int64)
    done = np.zeros(count, dtype=np.bool_)
    for part in _parts(np.diff(stretches.starts)):
        stop_if_cancelled()
        _widen(stretches, part, done, before, behind)
    stretch = np.flatnonzero(before >= 0)
    return Widened(stretch, before[stretch], behind[stretch])


def choose(stretches: Stretches, widened: Widened, units: Units, least: int) -> BoolArray:
    """Which passages say something new.

    The first is asked first: at one of its places units must be left, as heavy as the shortest
    passage, that no passage before it shows.

    Args:
        stretches: Of the passages.
        widened: The passages, in the order in which they are asked.
        units: Of the stretches.
        least: What the shortest passage weighs.
    """
    chosen = np.zeros(len(widened.stretch), dtype=np.bool_)
    hidden = np.arange(units.total + 1, dtype=np.int64)
    for part in _parts(np.diff(stretches.starts)[widened.stretch]):
        stop_if_cancelled()
        _choose(stretches, widened, units, part, least, hidden, chosen)
    return chosen


def _parts(places: Int64Array) -> list[tuple[int, int]]:
    """Cut rows with so many places each into parts, between which work can be stopped."""
    filled = np.cumsum(places) // PLACES_AT_ONCE
    return list(pairwise([0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(places)]))


@njit(nogil=True, cache=True)
def _widen(stretches: Any, part: Any, done: Any, before: Any, behind: Any) -> None:
    """How many stretches all places of each have in common on either side.

    One that is met in this way and stands as often gives the same passage: it is done.
    """
    starts = stretches.starts
    for own in range(part[0], part[1]):
        if done[own]:
            continue
        first, end = starts[own], starts[own + 1]
        for side in (-1, 1):
            steps, common = -1, np.int64(own)
            while common >= 0:
                steps += 1
                done[common] |= starts[common + 1] - starts[common] == end - first
                for index in range(first, end):  # what is beside that many steps from all places
                    place = stretches.order[index] + side * steps
                    joint = place if side > 0 else place - 1
                    goes_on = joint >= 0 and stretches.goes_on[joint]
                    there = stretches.stretch[place + side] if goes_on else np.int64(-1)
                    if index > first and there != common:
                        common = np.int64(-1)
                        break
                    common = there
                    if there < 0:
                        break
            if side < 0:
                before[own] = steps
            else:
                behind[own] = steps


@njit(nogil=True, cache=True)
def _choose(
    stretches: Any, widened: Any, units: Any, part: Any, least: Any, hidden: Any, chosen: Any
) -> None:
    """Choose, in place; `hidden` leads from each unit towards the next that is not shown.

    What is shown is never walked again.
    """
    weights = units.weights
    for row in range(part[0], part[1]):
        stretch = widened.stretch[row]
        first, last = stretches.starts[stretch], stretches.starts[stretch + 1]
        for index in range(first, last):
            place = stretches.order[index]
            unit = root_of(hidden, units.firsts[place - widened.before[row]])
            end = units.ends[place + widened.behind[row]]
            fresh = np.int64(0)
            while unit < end and fresh < least:
                fresh += weights[unit if len(weights) > 1 else 0]
                unit = root_of(hidden, unit + 1)
            chosen[row] |= fresh >= least
            if chosen[row]:
                break
        for index in range(first, last if chosen[row] else first):
            place = stretches.order[index]
            unit = root_of(hidden, units.firsts[place - widened.before[row]])
            end = units.ends[place + widened.behind[row]]
            while unit < end:
                hidden[unit] = unit + 1
                unit = root_of(hidden, unit + 1)


class Place(NamedTuple):
    """Where a passage stands: a text, the first unit of it and how many."""

    text: int
    first: int
    units: int


class SharedPassages(Sequence[list[Place]]):
    """The passages, in the order of the list; of each its places, by text and unit.

    Attributes:
        documents: int64, in how many documents each stands.
        words: int64, how many whole words each has.
    """

    def __init__(
        self, stretches: Stretches, widened: Widened, documents: Int64Array, words: Int64Array
    ) -> None:
        self._stretches = stretches
        self._widened = widened
        self.documents = documents
        self.words = words

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, row: int) -> list[Place]:  # type: ignore[override]
        """The places of a passage; only the first text of several copies has some."""
        starts, (stretch, before, behind) = self._stretches.starts, self._widened
        places = self._stretches.order[starts[stretch[row]] : starts[stretch[row] + 1]]
        return self._places(places - before[row], places + behind[row])

    def first_places(self) -> list[Place]:
        """The first place of each passage."""
        starts, (stretch, before, behind) = self._stretches.starts, self._widened
        places = self._stretches.order[starts[stretch]]
        return self._places(places - before, places + behind)

    def _places(self, first: Int64Array, last: Int64Array) -> list[Place]:
        """Places from their first stretch to their last one."""
        stretches = self._stretches
        begins = stretches.firsts[first]
        columns = (stretches.documents[first], begins, stretches.ends[last] - begins)
        return [Place(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def find_shared_passages(
    folder: Folder, settings: ScanSettings, progress: Progress = ignore
) -> SharedPassages:
    """The passages of a folder, most widely shared first, then longest.

    Args:
        folder: The documents.
        settings: Say how long the shortest passage is: no shorter than those of the scan.
        progress: Told how many documents were read.

    Raises:
        StorageError: There is too little memory for so many shared words.
    """
    runs = find_places(folder, settings, progress)
    stretches = join_runs(runs, folder.copies, folder.reviewed)
    widened = widen(stretches)
    units = _units(stretches, runs, settings)
    first = stretches.order[stretches.starts[widened.stretch]]
    begins = units.firsts[first - widened.before]
    weight = units.weight(begins, units.ends[first + widened.behind])
    holders = stretches.holders[widened.stretch]
    order = np.lexsort((begins, -weight, -holders))
    widened, weight, holders = widened.take(order), weight[order], holders[order]
    least = WORD * settings.passage_length
    chosen = choose(stretches, widened, units, least)
    return SharedPassages(stretches, widened.take(chosen), holders[chosen], weight[chosen] // WORD)


def _units(stretches: Stretches, runs: RunPlaces, settings: ScanSettings) -> Units:
    """The units of stretches in a row; what lies between them is left out."""
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
