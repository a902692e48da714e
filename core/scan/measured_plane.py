"""From a corpus to what every choice of bands and rows would do there."""

from __future__ import annotations

from core.base.progress import Cancelled, never
from core.candidates.plane import Plane, make_plane
from core.scan.corpus import Corpus
from core.scan.measured_pairs import known_pairs
from core.settings import ScanSettings

__all__ = ["measured_plane"]


def measured_plane(
    corpus: Corpus, settings: ScanSettings, cancelled: Cancelled = never
) -> Plane | None:
    """What every b and r would do, from all that was measured; None where there are no bands.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    if settings.choice is None:
        return None
    known = known_pairs(corpus, settings, cancelled)
    return make_plane(known, settings.signature_size, corpus.background(cancelled), cancelled)
