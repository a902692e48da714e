"""The passages of a scan: what stands in which of its documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.base.arrays import Int64Array
from core.base.progress import Cancelled, never
from core.passages.holders import Span, count_holders
from core.scan.corpus import Corpus
from core.scan.scan import Scan

__all__ = ["holders_of"]


def holders_of(
    scan: Scan, document: int, spans: Sequence[Span], cancelled: Cancelled = never
) -> list[int]:
    """In how many of `len(scan.documents)` documents the words of each span of one stand.

    Those that are gone count, those taken off the list do not. So "in 2 of 840 documents" is what
    only two hold, the document itself among them.

    Args:
        scan: A scan that is complete.
        document: The number of a document.
        spans: Start and end of each, in code points of its text (see `core.passages.holders`).
        cancelled: Polled while all texts are read.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    corpus = scan.whole
    copies = _copies(corpus)
    return count_holders(corpus.texts, document, spans, scan.settings, copies, scan.pool, cancelled)


def _copies(corpus: Corpus) -> Int64Array:
    """For how many documents each text counts; words of the same characters can be others."""
    if corpus.settings.unit == "char":
        return np.ones(len(corpus), dtype=np.int64)
    return np.bincount(corpus.representatives(), minlength=len(corpus))
