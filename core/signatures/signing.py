"""Texts to what is compared first: digests, signatures and fingerprints, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, IntegerArray, UInt32Array, UInt64Array
from core.settings import ScanSettings
from core.signatures.methods import sign
from core.signatures.skip_grams import choose_skip_grams, no_skip_grams
from core.signatures.winnowing import winnow
from core.text.characters import has_long, is_long
from core.text.shingling import (
    WHOLE,
    Fingerprints,
    Shingles,
    beginnings_of_joined,
    shingles_and_beginnings,
)
from core.text.store import TextStore
from core.text.tokenising import NO_LIMIT, JoinedTexts, check_pieces


class SignedTexts(NamedTuple):
    """What is kept of some texts, row for row.

    Attributes:
        units: int64, number of words or characters.
        digests: uint64 (n, 2), equal for texts with the same units in the same order.
        signatures: See `core.signatures.methods.sign`; for those by tf-idf
            `Corpus.complete_signatures`.
        fingerprints: Of their shared passages.
        skip_grams: Of their reworked passages (see `core.signatures.skip_grams`); none where those
            are not looked for.
    """

    units: Int64Array
    digests: UInt64Array
    signatures: UInt32Array
    fingerprints: Fingerprints
    skip_grams: Fingerprints

    def take(self, rows: BoolArray | IntegerArray) -> SignedTexts:
        """Those where a mask is true, or those with these numbers in this order."""
        return SignedTexts(
            self.units[rows],
            self.digests[rows],
            self.signatures[rows],
            self.fingerprints.take(rows),
            self.skip_grams.take(rows),
        )

    @staticmethod
    def join(parts: Sequence[SignedTexts]) -> SignedTexts:
        """Those of several batches, one after the other; at least one."""
        if len(parts) == 1:  # of a long text they are not copied
            return parts[0]
        return SignedTexts(
            np.concatenate([part.units for part in parts]),
            np.concatenate([part.digests for part in parts]),
            np.concatenate([part.signatures for part in parts]),
            Fingerprints.join([part.fingerprints for part in parts]),
            Fingerprints.join([part.skip_grams for part in parts]),
        )


def sign_texts(
    texts: Sequence[str],
    settings: ScanSettings,
    most: int = NO_LIMIT,
    set_aside: Mapping[int, Int64Array] = WHOLE,
    hand_on: Callable[[Shingles], object] | None = None,
) -> SignedTexts:
    """Shingle and sign some texts, without what is set aside in them; any thread may.

    Args:
        texts: The texts.
        settings: Decide shingles and signatures.
        most: How many units a text of more than one piece may have.
        set_aside: What does not count, by place in `texts` (see `core.text.set_aside.merged`).
        hand_on: Is given the shingles, which are let go otherwise.

    Raises:
        LongTextError: See `core.text.shingling.shingle`.
    """
    for text in filter(is_long, texts) if has_long(texts) else ():
        check_pieces(text, settings)
    joined = JoinedTexts.of(texts, most)
    shingles, words = shingles_and_beginnings(joined, settings, most, set_aside)
    signatures = _signatures(shingles, settings)
    fingerprints = winnow(shingles, settings)
    units, digests = shingles.units, shingles.digests
    if hand_on is not None:
        hand_on(shingles)
    del shingles  # before there are words: of long texts either is large
    skip_grams = no_skip_grams(len(texts))
    if settings.reworked != "off":
        words = words or beginnings_of_joined(joined, settings, set_aside)
        skip_grams = choose_skip_grams(words, settings)
    return SignedTexts(units, digests, signatures, fingerprints, skip_grams)


def sign_numbered(
    texts: TextStore, numbers: Int64Array | slice, settings: ScanSettings
) -> SignedTexts:
    """Sign some of many texts, without what is set aside there."""
    if isinstance(numbers, slice):
        numbers = np.arange(*numbers.indices(len(texts)))
    return sign_texts(texts.some(numbers), settings, set_aside=texts.set_aside_in(numbers))


def _signatures(shingles: Shingles, settings: ScanSettings) -> UInt32Array:
    """The signatures of some texts; zeros where they depend on all texts of the folder."""
    if settings.depends_on_all:
        return np.zeros((len(shingles.units), settings.signature_width), dtype=np.uint32)
    return sign(shingles, settings)
