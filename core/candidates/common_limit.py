"""In how many documents text is common: a number apart, for words that need no kernels."""

from __future__ import annotations

__all__ = ["DOCUMENT_LIMIT"]

# A fingerprint that stands in more documents than this is common text: it makes no pairs. Where
# some are references, it may stand in more, as long as it makes no more pairs.
DOCUMENT_LIMIT = 100
