"""The paper that is usual where the user lives."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from neardup_gui.models.reports.wish import Paper

__all__ = ["usual_paper"]

# The territories of the Unicode CLDR (territoryInfo, paperSize) that use US Letter.
LETTER = frozenset(
    ["BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE"]
)


def usual_paper(locale: QLocale | None = None) -> Paper:
    """Letter or A4, by the territory of a locale; that of the system by default."""
    here = locale or QLocale.system()
    code = QLocale.territoryToCode(here.territory())
    return Paper.LETTER if code in LETTER else Paper.A4
