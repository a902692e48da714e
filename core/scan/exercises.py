"""Exercises that call every compiled kernel as a scan does, so that all of them get compiled.

Numba compiles a kernel for the types of its arguments when it is first called with them, and its
lock lets one thread of a process compile at a time. So the exercises are shared out to two
processes: neither compiles what the other does, and each finds in the cache what it needs of that.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import numpy as np

from core.base.hashing import different_of_each
from core.base.kernel_cache import not_kept
from core.base.setting import settings_of
from core.base.sorting import PART_BITS, sort_keys
from core.base.tasks import WorkerPool
from core.candidates.all_pairs import MODERATE, count_shared
from core.candidates.bands import agree_in_a_band, sorted_buckets
from core.candidates.lsh import pairs_of_buckets
from core.candidates.parameter_grid import collisions_by_banding
from core.candidates.reworked import pair_by_skip_grams
from core.candidates.shared_fingerprints import ChosenGrams, pair_by_fingerprints
from core.candidates.skip_gram_index import find_enough
from core.evidence.differences import find_differences
from core.evidence.overlap import measure_overlap
from core.evidence.passages import find_passages, find_shared_text
from core.evidence.reworked_store import learn_words, measure_reworked, reworked_passages
from core.passages import Folder, find_shared_passages
from core.program.preparation import NOT_KEPT
from core.scan.in_memory import find_pairs
from core.settings import MAX_DISTANCE, METHODS, PRESETS, ScanSettings, SignatureKind
from core.signatures.methods import share_of_equal_values
from core.signatures.signing import sign_texts
from core.signatures.winnowing import find_grams, winnow
from core.text.identity import text_hashes
from core.text.languages import detect_all
from core.text.shingling import (
    Fingerprints,
    WordBeginnings,
    shingle,
    shingle_alone,
    spanned_beginnings,
)
from core.text.store import TextStore

_SENTENCE = "One two three four five six seven, and one more."
# ASCII; composed; to be composed, with a ligature to take apart, characters that are words, a
# Cyrillic letter in a Latin word, and a word that is broken at the end of a line.
_MIXED = "Naïve cafe\u0301: \ufb01le \u56fe\u4e66\u9986, an\u043ether bro-\nken text."
_REWORKED = (
    "the old mayor opened a bridge over our river on monday and nobody came to see it",
    "on monday and nobody went to see it the young mayor opens a bridge over our stream",
)
_TEXTS = (_SENTENCE, "Naïve café, another text.", f"{_SENTENCE} The end.", _MIXED, f"{_MIXED} End.")


def _of_methods(kind: SignatureKind) -> Iterator[ScanSettings]:
    """The methods of a kind with all their weights, but for the usual one."""
    usual, every_weight = ScanSettings(), settings_of(ScanSettings)["weights"].choices or ()
    for name, method in METHODS.items():
        if method.kind is kind and name != usual.signature:
            for weights in every_weight if method.weighs else (usual.weights,):
                distance = MAX_DISTANCE if weights == "tf-idf" else usual.max_distance
                yield usual.with_changes(signature=name, weights=weights, max_distance=distance)


_OTHER_SETTINGS = (
    (
        *_of_methods(SignatureKind.BANDS),
        ScanSettings(bag=True),
        ScanSettings(language="english", drop_stop_words=True, stem=True),
    ),
    (*_of_methods(SignatureKind.BITS), ScanSettings(unit="char", white_space="collapse")),
)
_NICENESS = 5  # where nobody waits


def call_kernels() -> None:
    """Call the kernels of the presets: those of a scan, then those of reading a pair."""
    _list()
    _read_pairs()
    _find_shared()


def _list() -> None:
    for preset in PRESETS:
        find_pairs(_TEXTS, preset.settings)
    sort_keys(np.arange(1 << PART_BITS, dtype=np.uint64))  # fewer are sorted without a kernel


def _read_pairs() -> None:
    for preset in PRESETS:
        find_passages(_TEXTS[0], _TEXTS[2], preset.settings)
        find_passages(_TEXTS[3], _TEXTS[4], preset.settings)
    for first in (_REWORKED[0], f"{_REWORKED[0]} {_MIXED}"):
        find_shared_text(first, _REWORKED[1], ScanSettings(), languages=("en", "en"))
    find_differences(_TEXTS[0], _TEXTS[2])


def _find_shared() -> None:
    """The passages of a folder, as their tab lists them."""
    settings = PRESETS[0].settings
    texts = TextStore()
    texts.extend([_SENTENCE * 9, _SENTENCE * 8])
    copies, reviewed = np.ones(2, dtype=np.int64), np.ones(2, dtype=np.bool_)
    fingerprints = winnow(texts.shingles(slice(None), settings), settings)
    with WorkerPool(1) as pool:
        folder = Folder(texts, settings, fingerprints, copies, reviewed, pool)
        find_shared_passages(folder, settings)


def _sign() -> None:
    text_hashes(_TEXTS)
    detect_all(_TEXTS)
    for preset in PRESETS:
        for text in _TEXTS:
            sign_texts([text], preset.settings)
            shingle_alone(text, preset.settings)
    for text in _TEXTS:
        spanned_beginnings(text, PRESETS[0].settings)


def _compare() -> None:
    """Evidence, bands and fingerprints, without what makes them from texts."""
    hashes = np.arange(64, dtype=np.uint64) % np.uint64(40)
    starts, ends = np.array([0, 32], dtype=np.int64), np.array([32, 64], dtype=np.int64)
    x, y = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    measure_overlap(hashes, starts, ends, x, y, bag=False)
    different_of_each(hashes, np.append(starts, ends[-1:]))
    signatures = np.zeros((2, 128), dtype=np.uint32)
    digests = np.arange(4, dtype=np.uint64).reshape(2, 2)
    buckets = sorted_buckets(signatures, np.arange(2), 64, 2)
    everyone = np.ones(2, dtype=np.bool_)
    list(pairs_of_buckets(signatures, digests, everyone, buckets, 64, 2))
    agree_in_a_band(signatures, x, y, 64, 2)
    share_of_equal_values(signatures, x, y)
    row = np.zeros(1, dtype=np.int64)
    collisions_by_banding(signatures, row, row + 1, row, np.ones((1, 1)), 1)
    prints = Fingerprints(hashes, ends - starts)
    pair_by_fingerprints(prints, everyone)
    pair_by_skip_grams(prints, everyone, everyone)
    agreed = np.arange(9, dtype=np.int64).reshape(3, 3) % 3
    find_enough(np.array([0, 3]), agreed, np.full(3, 16, dtype=np.uint8))
    with WorkerPool(1) as pool:
        count_shared(hashes, starts, ends, bag=False, limits=MODERATE, pool=pool)


def _rework() -> None:
    """Reworked passages of short texts, and of one so long that it is matched in parts."""
    words = np.arange(1, 1 << 17, dtype=np.uint64)
    offsets = np.array([0, 32, 64, len(words)], dtype=np.int64)
    model = learn_words(words[:64], offsets[:3])
    x, y = np.array([0, 0], dtype=np.int64), np.array([1, 2], dtype=np.int64)
    measure_reworked(WordBeginnings(words, offsets), x, y, model)
    info = model.information(words)
    reworked_passages(words, words, info, info)


def _choose_again() -> None:
    """Choose other fingerprints beside common text, which takes a hundred documents."""
    settings = ScanSettings(k=1, min_passage=3)
    grams = ChosenGrams(find_grams(shingle([_SENTENCE], settings), settings), np.uint64(1))
    grams.without(grams.without(np.empty(0, dtype=np.uint64)))


def _repeat() -> None:
    """Texts of one word, whose longest run is found by stretches, and of two, by bisection."""
    starts, ends = np.array([0, 400], dtype=np.int64), np.array([400, 800], dtype=np.int64)
    for words in (1, 2):
        hashes = np.arange(800, dtype=np.uint64) % np.uint64(words)
        measure_overlap(hashes, starts, ends, np.array([0]), np.array([1]), bag=False)


def _with_other_settings(part: int) -> Callable[[], None]:
    def call() -> None:
        for settings in _OTHER_SETTINGS[part]:
            find_pairs(_TEXTS, settings)
            find_pairs(_TEXTS, settings.with_changes(compare="bands"))

    return call


ORDERS: dict[str, Sequence[Callable[[], None]]] = {
    "usual-1": (_sign, _choose_again, _compare, _find_shared, _list),
    "usual-2": (_rework, _read_pairs),
    "other-1": (_with_other_settings(0), _repeat),
    "other-2": (_with_other_settings(1),),
}


def main() -> None:
    """Do the exercises in the order that the first argument names.

    The exit status is `NOT_KEPT` where a kernel could be written nowhere.
    """
    order = sys.argv[1]
    if order.startswith("other"):
        with suppress(AttributeError, OSError):
            os.nice(_NICENESS)
    gc.disable()  # the compiler makes millions of objects that stay
    for exercise in ORDERS[order]:
        exercise()
    if not_kept:
        sys.exit(NOT_KEPT)
