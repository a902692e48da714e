"""Fingerprints weighted by rarity: every text of a folder has to be seen before the first.

Two passes over texts that were read already, each batch by batch on all threads: the first counts
in how many documents a shingle stands, the second weighs and signs. Shingles are made twice,
because to keep those of a large folder takes more memory than its texts.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import UInt32Array
from core.base.parallel import batches, results_of
from core.base.progress import Cancelled, never
from core.settings import ScanSettings
from core.signatures.document_frequencies import DocumentFrequencies, Rarity
from core.signatures.method import sign
from core.text.store import TextStore


class SignaturesByRarity(NamedTuple):
    """Fingerprints of all texts, uint32, and the rarity of shingles that went into them."""

    signatures: UInt32Array
    rarity: Rarity


def sign_by_rarity(
    texts: TextStore,
    settings: ScanSettings,
    pool: ThreadPoolExecutor,
    *,
    cancelled: Cancelled = never,
) -> SignaturesByRarity:
    """The fingerprints of all texts of a folder by tf-idf.

    The result does not depend on the order of the texts, nor on threads.

    Args:
        texts: All of them; each is read twice.
        settings: With weights by tf-idf.
        pool: Does the work.
        cancelled: Polled while threads work.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    parts = list(batches(texts.lengths.tolist()))
    frequencies = DocumentFrequencies()
    counting = (
        pool.submit(lambda part: frequencies.add(texts.shingles(part, settings)), part)
        for part in parts
    )
    for _ in results_of(counting, cancelled):
        pass
    rarity = frequencies.rarity()
    signing = (
        pool.submit(lambda part: sign(texts.shingles(part, settings), settings, rarity), part)
        for part in parts
    )
    nothing = np.empty((0, settings.signature_width), dtype=np.uint32)
    signatures = np.concatenate([nothing, *results_of(signing, cancelled)])
    return SignaturesByRarity(signatures, rarity)
