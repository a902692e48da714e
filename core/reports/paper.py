"""The size of paper that a country prints on."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping

from core.reports.choice import Paper

if sys.platform == "win32":
    import ctypes

# Unicode CLDR, supplemental measurement data, paperSize: all others print on A4.
LETTER = frozenset(
    ("BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE")
)
_COUNTRY = re.compile(r"[a-z]{2,3}(?:[_-][A-Za-z]{4})?[_-](?P<country>[A-Z]{2})\b")
LONGEST_LOCALE = 85  # characters, LOCALE_NAME_MAX_LENGTH of Windows


def paper_of_country(country: str) -> Paper:
    """The paper of a country by its code of ISO 3166, as "US"; A4 where that is not known."""
    return Paper.LETTER if country in LETTER else Paper.A4


def usual_paper(environment: Mapping[str, str] = os.environ) -> Paper:
    """The paper of the country that the system is set to: LC_ALL, LC_PAPER or LANG."""
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_PAPER", "LANG"))
    found = _COUNTRY.match(next(filter(None, names), "") or _locale_of_windows())
    return paper_of_country(found["country"] if found else "")


def _locale_of_windows() -> str:
    """As "en-US"; "" on other systems."""
    if sys.platform == "win32":
        name = ctypes.create_unicode_buffer(LONGEST_LOCALE)
        ctypes.windll.kernel32.GetUserDefaultLocaleName(name, LONGEST_LOCALE)
        return name.value
    return ""
