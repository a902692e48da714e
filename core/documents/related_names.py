"""What names of files and folders tell: versions of one document, folders of earlier years.

A question that does not fit is worse than none: a bare number or a date is no version ("lab1",
"chapter 2", "minutes 2024-05-01"), and a year is one only where all else in two names is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import PurePosixPath

from core.base.patterns import lazy_pattern

MOST_VERSIONS = 12
LONGEST_AGO = 10  # years
_VERSION = lazy_pattern(
    r"(?:(?:^|[\W_]+)(?:v\d+(?:[._]\d+)*"
    r"|(?:version|revision|rev|draft|entwurf|fassung|brouillon|borrador|مسودة)"
    r"(?:[\W_]*\d+(?:[._]\d+)*)?"
    r"|final|signed|clean|redline|revised|copy|kopie|copie|copia|نهائي)"
    r"|初稿|终稿|定稿|修订版|修改稿|第\d+版)[\W_]*$"
)
_YEAR = lazy_pattern(
    r"(?<!\d)(?<!\d[-_. ])(?P<year>20\d\d)(?:[-–_](?P<next>(?:20)?\d\d))?(?![-_. ]?\d)"
)


def are_versions(names: Sequence[str]) -> bool:
    """Whether names are those of versions of one document: "contract v1.docx", "contract v2.docx".

    Args:
        names: Of all documents, with their folders, which must be the same.
    """
    if not 2 <= len(names) <= MOST_VERSIONS:
        return False
    titles = {str(PurePosixPath(name).with_suffix("")).casefold() for name in names}
    stems = set()
    for title in titles:
        stem = title
        while (shorter := _VERSION.sub("", stem)) != stem:
            stem = shorter
        stems.add(stem)
    return len(titles) > 1 and len(stems) == 1


def earlier_years(name: str, others: Iterable[str]) -> list[str]:
    """The folders that are called as one is, but for an earlier year; the latest comes last.

    A year may be that of a course: "essays-2024-25". Two names are of the same kind only where all
    else in them is the same, so "2024-05-01" is of no year.
    """
    known = _with_year(name)
    if known is None:
        return []
    stem, year = known
    earlier = []
    for other in others:
        found = _with_year(other)
        if found and found[0] == stem and 0 < year - found[1] <= LONGEST_AGO:
            earlier.append((found[1], other))
    return [other for _, other in sorted(earlier)]


def _with_year(name: str) -> tuple[tuple[str, str], int] | None:
    """What stands around the one year in a name, and the year; None where there is none."""
    folded = name.casefold()
    matches = list(_YEAR.finditer(folded))
    if len(matches) != 1:
        return None
    (match,) = matches
    year, following = int(match["year"]), match["next"]
    is_course = not following or int(following) % 100 == (year + 1) % 100
    if not is_course or year > date.today().year + 1:  # noqa: DTZ011 - of the user's calendar
        return None
    return (folded[: match.start()], folded[match.end() :]), year
