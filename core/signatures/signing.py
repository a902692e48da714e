"""Texts to what is compared first: digests, signatures and fingerprints, batch by batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, IntegerArray, UInt32Array, UInt64Array
from core.settings import ScanSettings
from core.signatures.method import sign
from core.signatures.winnowing import winnow
from core.text.fingerprints import Fingerprints
from core.text.shingling import WHOLE, Shingles, shingle
from core.text.tokenising import NO_LIMIT

__all__ = ["SignedTexts", "sign_shingles", "sign_texts"]


class SignedTexts(NamedTuple):
    """What is kept of some texts, row for row.

    Attributes:
        units: int64, number of words or characters.
        digests: uint64 (n, 2), equal for texts with the same units in the same order.
        signatures: See `core.signatures.method.sign`; for those by tf-idf
            `Corpus.complete_signatures`.
        fingerprints: Of their shared passages.
    """

    units: Int64Array
    digests: UInt64Array
    signatures: UInt32Array
    fingerprints: Fingerprints

    def take(self, rows: BoolArray | IntegerArray) -> SignedTexts:
        """Those where a mask is true, or those with these numbers in this order."""
        return SignedTexts(
            self.units[rows],
            self.digests[rows],
            self.signatures[rows],
            self.fingerprints.take(rows),
        )

    @staticmethod
    def join(parts: Sequence[SignedTexts]) -> SignedTexts:
        """Those of several batches, one after the other; at least one."""
        return SignedTexts(
            np.concatenate([part.units for part in parts]),
            np.concatenate([part.digests for part in parts]),
            np.concatenate([part.signatures for part in parts]),
            Fingerprints.join([part.fingerprints for part in parts]),
        )


def sign_texts(
    texts: Sequence[str],
    settings: ScanSettings,
    most: int = NO_LIMIT,
    set_aside: Mapping[int, Int64Array] = WHOLE,
) -> SignedTexts:
    """Shingle and sign some texts, without what is set aside in them.

    Raises:
        LongTextError: See `core.text.shingling.shingle`.
    """
    return sign_shingles(shingle(texts, settings, most, set_aside), settings)


def sign_shingles(shingles: Shingles, settings: ScanSettings) -> SignedTexts:
    """Sign some texts; pure, so that threads can share the work."""
    return SignedTexts(
        shingles.units,
        shingles.digests,
        _signatures(shingles, settings),
        winnow(shingles, settings),
    )


def _signatures(shingles: Shingles, settings: ScanSettings) -> UInt32Array:
    """The signatures of some texts; zeros where they depend on all texts of the folder."""
    if settings.depends_on_all:
        return np.zeros((len(shingles.units), settings.signature_width), dtype=np.uint32)
    return sign(shingles, settings)
