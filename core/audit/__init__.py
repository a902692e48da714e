"""Whether a scan's list is complete: proved where that can be afforded, measured where it cannot.

    audit ─┬▶ prove: all pairs of a small folder compared exactly, and the list held against them
           └▶ plant: edited copies of a larger folder's own documents, searched for among the rest

Where a scan looks for reworked passages, both plant some and search for them, too.

Both run the same search as a scan with the same settings. What a pair really shares is measured
apart from it, on all pairs or on the planted ones, without bands and without fingerprints.
"""

from __future__ import annotations

from core.audit.auditing import ALL_PAIRS_BUDGET, audit
from core.audit.planted_copies import PLANTED
from core.scan.audit_results import (
    AuditResult,
    BandEstimate,
    Bin,
    Edit,
    EditRecall,
    Method,
    MissedPair,
    MissedPassage,
    MissReason,
    Planting,
    Proof,
    ReworkedPlanting,
    ReworkedRecall,
)

__all__ = [
    "ALL_PAIRS_BUDGET",
    "PLANTED",
    "AuditResult",
    "BandEstimate",
    "Bin",
    "Edit",
    "EditRecall",
    "Method",
    "MissReason",
    "MissedPair",
    "MissedPassage",
    "Planting",
    "Proof",
    "ReworkedPlanting",
    "ReworkedRecall",
    "audit",
]
