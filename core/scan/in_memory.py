"""The pairs among texts that are there, without a folder, files or a review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.parallel import batches, worker_count
from core.evidence.pairs import Pairs
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.state import NOTHING_SET_ASIDE
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.set_aside import SetAside, check_spans, merged
from core.text.shingling import WHOLE

DEFAULTS = ScanSettings()


def find_pairs(
    texts: Sequence[str],
    settings: ScanSettings = DEFAULTS,
    *,
    set_aside: Mapping[int, Sequence[SetAside]] = NOTHING_SET_ASIDE,
    reference: Sequence[int] = (),
) -> Pairs:
    """The pairs among texts in memory, ordered by a and b; indices are those of `texts`.

    >>> fable = "A fox saw ripe grapes that hung from a vine and jumped to reach them."
    >>> letter = "Dear Ann, the train is late again, so please start dinner without me."
    >>> pairs = find_pairs([fable, letter, fable.replace("ripe", "green")])
    >>> list(zip(pairs.a.tolist(), pairs.b.tolist(), pairs.resemblance.round(2).tolist()))
    [(0, 2, 0.47)]

    Args:
        texts: Any texts; empty ones match nothing.
        settings: What to compare and how; without them, the defaults of a scan.
        set_aside: Spans that do not count, by index of the text (see `core.text.set_aside`).
        reference: Indices of texts that others are compared with; two of these are no pair.

    Raises:
        IndexError: There is no text with an index in `set_aside` or `reference`.
        ValueError: A span is empty or is not within its text.
        TooManyCandidatesError: Bands and rows would compare more than 20 million pairs.
    """
    for number, spans in set_aside.items():
        check_spans(spans, len(texts[number]))
    aside = {number: merged(spans) for number, spans in set_aside.items() if spans}

    to_review = np.ones(len(texts), dtype=np.bool_)
    to_review[list(reference)] = False

    def sign(part: slice) -> SignedTexts:
        numbers = range(part.start, part.stop)
        own = {n - part.start: aside[n] for n in numbers if n in aside} if aside else WHOLE
        return sign_texts(texts[part], settings, set_aside=own)

    with ThreadPoolExecutor(worker_count()) as pool:
        corpus = Corpus(settings, pool)
        parts = list(batches([len(text) for text in texts]))
        for part, signed in zip(parts, pool.map(sign, parts), strict=True):
            corpus.add(texts[part], signed, to_review[part])
        corpus.texts.put_aside(set_aside)
        return PairLister(corpus).list_pairs(settings).pairs
