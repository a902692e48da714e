"""The pairs that a passage explains: those that would not be listed without it."""

from __future__ import annotations

import numpy as np

from core.aside.rules import Phrase
from core.base.progress import Cancelled, never
from core.candidates.sorted_keys import members
from core.evidence.pairs import Pairs, pair_codes
from core.scan.scan import Scan
from core.settings import ScanSettings


def explained_by(
    scan: Scan, listed: Pairs, settings: ScanSettings, text: str, cancelled: Cancelled = never
) -> Pairs:
    """The listed pairs that leave the list where a passage is set aside everywhere.

    A passage that is set aside already explains those that come to the list when it counts again.

    Args:
        scan: A complete scan.
        listed: The pairs of its list.
        settings: Those of the list.
        text: The passage.
        cancelled: Polled meanwhile.

    Raises:
        TooManyCandidatesError: See `Scan.list_pairs`.
        ScanCancelledError: `cancelled` said so.
    """
    phrase = Phrase(text)
    counting = scan.decided.rules.without_phrases([phrase])
    if counting != scan.decided.rules:
        with_it = scan.with_rules(counting, cancelled)
        listed, without = with_it.list_pairs(settings, cancelled=cancelled).pairs, listed
    else:
        aside = scan.with_rules(counting.with_phrases([phrase]), cancelled)
        without = aside.list_pairs(settings, cancelled=cancelled).pairs
    codes = pair_codes(listed.a, listed.b)
    return listed.take(~members(np.sort(pair_codes(without.a, without.b)), codes))
