"""What every choice of bands and rows would do, as a table on a terminal and as CSV."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.base.intervals import Estimate
from core.base.replaced_file import replaced_file
from core.base.wording import count, counted, threshold
from core.candidates.plane_values import PlaneAt

PRINTED = 20  # choices that an eye can compare
ESTIMATED = ("missed", "missed_by_bands", "extra", "candidates")
COLUMNS = (
    "bands", "rows", "signature_size",
    *(f"{name}{end}" for name in ESTIMATED for end in ("", "_low", "_high")),
    "listed", "seconds", "efficient", "pairs_from",
)  # fmt: skip


def sentences(
    at: PlaneAt, signature_size: int, floor: float, documents: int, number: int
) -> Iterator[str]:
    """What is printed.

    Args:
        at: What the choices do, with so many documents as are spoken of.
        signature_size: K.
        floor: The resemblance that was asked for.
        documents: How many there are.
        number: How many are spoken of.
    """
    read = counted(documents, "document", "documents")
    if number != documents:
        yield (
            f"{read} read; for {count(number)} like these, pairs and candidates grow with the "
            "square of the number of documents, and the share that is missed stays."
        )
    if math.isnan(at.there):
        yield (
            f"{read}: too little is known above {threshold(floor)} to tell what is missed. List "
            "with more bands or fewer rows, so that more pairs are found."
        )
        return
    known = "All pairs were compared:" if at.certain else "Estimated, with 95 % intervals: about"
    yield f"{read}. {known} {_about(at.there)} pairs from {threshold(at.least)} on."
    if at.least > floor:
        yield f"Below {threshold(at.least)}, too few are found to tell."
    places = np.flatnonzero(at.efficient)
    places = places[np.argsort(at.candidates.expected[places])]
    shown = places[np.unique(np.linspace(0, len(places) - 1, PRINTED).astype(np.int64))]
    yield f"{'b × r':>10}  {'missed':<38}{'listed for nothing':<38}{'candidates':<38}seconds"
    for place in shown.tolist():
        yield _line(at, place)
    rest = "" if len(shown) == len(places) else f" {len(shown)} of them are printed."
    several = "choices are" if len(places) != 1 else "choice is"
    yield (
        f"{counted(len(places), several, several)} efficient, of {count(len(at.bands))} with "
        f"b × r ≤ {signature_size}: no other misses fewer pairs for as few candidates.{rest}"
    )


def _line(at: PlaneAt, place: int) -> str:
    choice = f"{at.bands[place]} × {at.rows[place]}"
    numbers = (_amount(one.one(place)) for one in (at.missed, at.extra, at.candidates))
    seconds = at.seconds[place]
    took = "unknown" if math.isnan(seconds) else f"{seconds:,.1f}"
    return f"{choice:>10}  {''.join(f'{number:<38}' for number in numbers)}{took}"


def _amount(number: Estimate | None) -> str:
    if number is None:
        return "unknown"
    if round(number.low) == round(number.high):
        return _about(number.expected)
    low, high = _about(number.low), _about(math.ceil(number.high))
    return f"{_about(number.expected)} ({low} to {high})"


def _about(number: float) -> str:
    """A number, a large one to four digits."""
    digits = max(0, math.floor(math.log10(number)) - 3) if number >= 1 else 0
    return count(round(round(number), -digits))


def write_plane(path: Path, at: PlaneAt, signature_size: int) -> None:
    """Write every choice, efficient or not; cells of what is not known are empty.

    Raises:
        ExportError: The file could not be written.
    """
    with replaced_file(path, encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for place in range(len(at.bands)):
            told = (at.missed, at.missed_by_bands, at.extra, at.candidates)
            numbers = [column[place] for one in told for column in one]
            values = (*numbers, at.listed[place], at.seconds[place])
            row = (at.bands[place], at.rows[place], signature_size, *map(_cell, values))
            writer.writerow((*row, "yes" if at.efficient[place] else "no", _cell(at.least)))


def _cell(number: float) -> float | str:
    return "" if math.isnan(number) else round(float(number), 4)
