"""The paper that is usual where the user lives."""

from __future__ import annotations

import sys

from PySide6.QtCore import QLocale

from core.reports.choice import Paper, paper_of_country, usual_paper


def paper_here() -> Paper:
    """Letter or A4: elsewhere than on Linux a window has no variables that say the country."""
    here = QLocale.territoryToCode(QLocale.system().territory())
    return usual_paper() if sys.platform == "linux" else paper_of_country(here)
