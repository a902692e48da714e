"""The pairs among texts in memory, without a folder, files or a review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from core.base.tasks import WorkerPool, batches
from core.candidates.all_pairs import MODERATE
from core.evidence.pairs import Pairs
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.state import NOTHING_SET_ASIDE
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.set_aside import SetAside, check_spans, merged
from core.text.shingling import Shingles

DEFAULTS = ScanSettings()


def find_pairs(
    texts: Iterable[str],
    settings: ScanSettings = DEFAULTS,
    *,
    set_aside: Mapping[int, Sequence[SetAside]] = NOTHING_SET_ASIDE,
    reference: Sequence[int] = (),
    overlap: bool | None = None,
) -> Pairs:
    """The pairs among texts in memory, ordered by a and b; indices are those of `texts`.

    >>> fable = "A fox saw ripe grapes that hung from a vine and jumped to reach them."
    >>> letter = "Dear Ann, the train is late again, so please start dinner without me."
    >>> pairs = find_pairs([fable, letter, fable.replace("ripe", "green")])
    >>> list(zip(pairs.a.tolist(), pairs.b.tolist(), pairs.resemblance.round(2).tolist()))
    [(0, 2, 0.47)]

    Args:
        texts: Any texts, also a column of a table; empty ones match nothing.
        settings: What to compare and how; without them, the defaults of a scan.
        set_aside: Spans that do not count, by index of the text (see `core.text.set_aside`).
        reference: Indices of texts that others are compared with; two of these are no pair.
        overlap: Whether it is measured how much of both texts stands in passages that they share.
            By default it is, unless `settings.reworked` is "off": then it would take as long as
            all the rest, and with reworked passages next to nothing.

    Raises:
        TypeError: Something in `texts` is no text, or they are no list.
        IndexError: There is no text with an index in `set_aside` or `reference`.
        ValueError: A span is empty or is not within its text.
        TooManyCandidatesError: Bands and rows would compare more than 20 million pairs.
    """
    if isinstance(texts, str | Mapping):
        raise TypeError(f"find_pairs takes a list of texts, not a {type(texts).__name__}.")
    if not isinstance(texts, Sequence):
        texts = list(texts)
    if not all(issubclass(kind, str) for kind in set(map(type, texts))):
        number, text = next(item for item in enumerate(texts) if not isinstance(item[1], str))
        raise TypeError(f"Text {number} is {type(text).__name__}, not str.")

    for number, spans in set_aside.items():
        check_spans(spans, len(texts[number]))
    exclusions = {number: merged(spans) for number, spans in set_aside.items() if spans}

    to_review = np.ones(len(texts), dtype=np.bool_)
    to_review[list(reference)] = False

    # Where all pairs may be compared, shingles are kept unless there will be too many for that.
    lengths = list(map(len, texts))
    characters, read, made = sum(lengths), 0, 0
    shingles: dict[int, Shingles] = {}
    is_kept = settings.compare == "auto"

    def sign(part: slice) -> SignedTexts:
        numbers = range(part.start, part.stop)
        part_exclusions = {n - part.start: exclusions[n] for n in numbers if n in exclusions}
        hand_on = partial(shingles.__setitem__, part.start) if is_kept else None
        return sign_texts(texts[part], settings, set_aside=part_exclusions, hand_on=hand_on)

    with WorkerPool() as pool:
        corpus = Corpus(settings, pool)
        parts = list(batches(lengths))
        for part, signed in zip(parts, pool.map(sign, parts), strict=True):
            corpus.add(texts[part], signed, to_review[part])
            if is_kept:
                part_shingles = shingles.pop(part.start)
                made += len(part_shingles.hashes)
                read += sum(lengths[part])
                is_kept = MODERATE.allow(made * characters // max(read, 1))
                if is_kept:
                    corpus.evidence.take(part.start, part_shingles)
                else:
                    corpus.evidence.forget_shingles()
                    shingles.clear()
        corpus.texts.exclude_spans(set_aside)
        corpus.use_up_skip_grams()
        wanted = settings.reworked != "off" if overlap is None else overlap
        return PairLister(corpus, overlap=wanted).list_pairs(settings).pairs
