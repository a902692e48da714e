"""How many documents may hold what makes pairs: apart, for words that need no kernels."""

from __future__ import annotations

# Up to this many documents a bucket gives all its pairs; a fuller one is a crowd.
BUCKET_LIMIT = 1000
# A fingerprint that stands in more documents than this is common text: it makes no pairs. Where
# some are references, it may stand in more, as long as it makes no more pairs.
DOCUMENT_LIMIT = 100
