"""Numbers as people type them: with a comma or a point, in the digits of any script.

What is shown follows one locale; what is typed follows the habit of the user. "0,25" and
"0.25" are the same number everywhere, and nothing is ever read as a number that it may not be.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from core.base.messages import gettext, localized
from core.base.wording import any_of

MARKS = ".,"  # each of them parts the decimals somewhere, and thousands elsewhere
SPELLINGS = str.maketrans({"٫": ".", "·": ".", "٬": "'", "’": "'", "−": "-", "٪": "%"})
PARTS = re.compile(r"\d*(?:[.,']\d+)*[.,]?")
GROUPS = re.compile(r"[1-9]\d{0,2}(?:([.,'])\d{2,3}(?:\1\d{2,3})*)?(?<=\d{3})|\d{1,3}")


@dataclass(frozen=True, slots=True)
class NumberRange:
    """What a field takes: numbers from `low` to `high` with so many decimals."""

    low: float
    high: float
    decimals: int

    def holds(self, value: float) -> bool:
        """Whether a number is within it."""
        return self.low <= value <= self.high


def read_number(text: str, wanted: NumberRange) -> float:
    """The number that a text means to a field, rounded to its decimals.

    Raises:
        ValueError: A sentence that says why there is none.
    """
    plain = _plain(text)
    if not plain:
        raise ValueError(gettext("No number was entered."))
    entered = text.strip()
    sign = -1 if plain.startswith("-") else 1
    digits = plain.removeprefix("-").removeprefix("+")
    if not any(map(str.isdigit, digits)) or not PARTS.fullmatch(digits):
        raise ValueError(gettext("“{value}” is not a number.", value=entered))
    readings = sorted({round(sign * number, 9) for number in _readings(digits, wanted)})
    if not readings:
        raise ValueError(gettext("“{value}” is not a number.", value=entered))
    return _only(readings, entered, wanted)


def _only(readings: list[float], entered: str, wanted: NumberRange) -> float:
    """The one reading that the field takes."""
    within = [number for number in readings if wanted.holds(number)]
    if not within:
        low, high = _shown(wanted.low), _shown(wanted.high)
        raise ValueError(
            gettext("“{value}” is not from {low} to {high}.", value=entered, low=low, high=high)
        )
    if len(within) > 1:
        either = any_of([_shown(number) for number in within])
        raise ValueError(gettext("“{value}” can mean {either}.", value=entered, either=either))
    if wanted.decimals == 0 and within[0] % 1:
        raise ValueError(gettext("“{value}” is not a whole number.", value=entered))
    return round(within[0], wanted.decimals)


def _plain(text: str) -> str:
    """A text in ASCII digits and marks, without spaces and without a percent sign at its end."""
    letters = "".join(unicodedata.normalize("NFKC", text).translate(SPELLINGS).split())
    digits = (str(unicodedata.decimal(letter, letter)) for letter in letters)
    return "".join(digits).removesuffix("%")


def _readings(digits: str, wanted: NumberRange) -> list[float]:
    """Every number that the digits and marks may stand for."""
    marks = [mark for mark in digits if mark in MARKS]
    if len(set(marks)) == 2:  # the last one parts the decimals
        integer, _, rest = digits.rpartition(marks[-1])
        mixed = marks[-1] not in integer and _is_grouped(integer)
        return [float(f"{_bare(integer)}.{rest or 0}")] if mixed else []
    grouped = bool(marks) and _is_grouped(digits)
    readings = [float(_bare(digits))] if grouped else []
    # In a field for whole numbers "1.000" is a thousand; elsewhere it may be one as well.
    if len(marks) == 1 and not (grouped and wanted.decimals == 0):
        integer, _, rest = digits.partition(marks[0])
        readings.append(float(f"{_bare(integer) or 0}.{rest or 0}"))
    elif not marks:
        readings.append(float(_bare(digits)))
    return readings


def _is_grouped(digits: str) -> bool:
    """Whether marks stand where thousands are parted; 0.250 and 12.34 are no such numbers."""
    return GROUPS.fullmatch(digits) is not None


def _bare(digits: str) -> str:
    return re.sub(r"\D", "", digits)


def _shown(number: float) -> str:
    return localized(f"{number:,.10g}" if number < 1e10 else f"{number:,.0f}")
