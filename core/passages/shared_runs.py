"""Where runs of words stand that more than one document holds, each just long enough for a passage.

Every such run has a fingerprint (see `core.signatures.winnowing`) that another document has too. So
only documents with such fingerprints are read, and of them only the runs around these.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt16Array, UInt64Array
from core.base.memory import require_memory
from core.base.parallel import batches, results_of, worker_count
from core.base.progress import Cancelled, Progress, ProgressReport, Stage
from core.candidates.shared_fingerprints import document_bits, keys_of, sorted_fingerprints
from core.candidates.sorted_keys import distinct, members
from core.settings import ScanSettings
from core.signatures.grams import BLANK, ShortestRuns, find_grams, shortest_runs
from core.signatures.winnowing import choose_places
from core.text.fingerprints import Fingerprints
from core.text.shingling import Shingles
from core.text.store import TextStore
from core.text.word_counts import usual_weight

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


def find_places(
    folder: Folder, settings: ScanSettings, progress: Progress, cancelled: Cancelled
) -> RunPlaces:
    """Every place of every run that at least two documents hold, and a few that only one holds.

    The arguments and errors are those of `core.passages.shared.find_shared_passages`.
    """
    keys, numbers = _shared(folder)
    parts = [numbers[part] for part in batches(folder.texts.lengths[numbers].tolist())]
    tasks = (folder.pool.submit(_read, folder, part, keys, settings) for part in parts)
    found, done, places = [_nothing()], 0, 0
    for part, own in zip(parts, results_of(tasks, cancelled, 2 * worker_count() + 1), strict=True):
        done, places = done + len(part), places + len(own.hashes)
        _check_memory(places)
        found.append(own)
        progress(ProgressReport(Stage.PASSAGES, done, len(numbers)))
    joined = RunPlaces._make(np.concatenate(columns) for columns in zip(*found, strict=True))
    # Most texts have the usual weights: then none are kept.
    if not len(joined.weights):
        return joined
    return joined._replace(weights=_all_weights(found, settings))


def _shared(folder: Folder) -> tuple[UInt64Array, Int64Array]:
    """The keys of fingerprints that several texts have, and the texts with one, or with copies."""
    bits = document_bits(len(folder.copies))
    keys = distinct([sorted_fingerprints(folder.fingerprints, folder.copies > 0, bits)])
    own = keys >> bits
    same = own[1:] == own[:-1]
    shared = np.zeros(len(keys), dtype=np.bool_)
    shared[1:] |= same
    shared[:-1] |= same
    asked = folder.copies > 1
    asked[(keys[shared] & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)] = True
    return distinct([own[shared]]), np.flatnonzero(asked)


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


def _all_weights(found: list[RunPlaces], settings: ScanSettings) -> UInt16Array:
    """The weights of all units that were read, also those with the usual one."""
    usual = usual_weight(settings.unit)
    return np.concatenate(
        [
            one.weights
            if len(one.weights)
            else np.full(int(one.read[:, 1].sum()), usual, dtype=np.uint16)
            for one in found
        ]
    )


def _check_memory(places: int) -> None:
    require_memory(
        BYTES_PER_PLACE * places,
        f"Finding the passages among {places:,} words that documents share",
        "Close other programs, or ask for longer passages.",
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
