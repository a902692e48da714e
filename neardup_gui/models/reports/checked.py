"""What a check of a report found out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckedReport:
    """The outcome of a check.

    Attributes:
        sentence: What came out.
        agrees: Whether nothing contradicts the report.
        text: What was checked, what does not agree, and what cannot be told, a line each.
        seal: The seal of the file as it is now.
    """

    sentence: str
    agrees: bool
    text: str
    seal: str


def seals_agree(noted: str, seal: str) -> str:
    """What is said of a seal that somebody has noted, beside that of the file; "" for none."""
    digits = "".join(noted.split()).lower()
    if not digits:
        return ""
    if digits == seal:
        return "It is the same: this is the file whose seal was noted."
    return "It is another one: the file was changed since, or is not the one whose seal was noted."
