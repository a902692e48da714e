"""What the verdicts given so far say of what is still unread, in words and as a curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt8Array, most_of_rest
from core.base.wording import count, counted
from core.scan.judgements import VERDICTS, Verdict
from core.scan.unread_pairs import (
    ERROR_RATE,
    FEWEST_JUDGED,
    ConfirmedCurve,
    UnreadRange,
    cross_validated,
    fit_confirmed,
    unread_range,
)

CONFIRMED = VERDICTS.index(Verdict.CONFIRMED)
Steps = tuple[Float64Array, Float64Array]  # resemblances and probabilities, to be joined by lines


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """A random check: the rows that it drew, and how many unread pairs it did not draw."""

    rows: Int64Array
    rest: int


@dataclass(frozen=True, slots=True)
class JudgedSoFar:
    """What there is to show.

    Attributes:
        steps: How likely a pair is confirmed; None where too little is judged.
        words: Sentences; none before there is anything to say.
        check: What is said of the random check; "" where none was drawn.
        checked: How many of its pairs are judged, and how many there are.
        can_check: Whether there are unread pairs to draw from.
    """

    steps: Steps | None = None
    words: tuple[str, ...] = ()
    check: str = ""
    checked: tuple[int, int] = (0, 0)
    can_check: bool = False


def judged_so_far(
    resemblances: Float64Array, verdicts: UInt8Array, check: CheckedRows | None = None
) -> JudgedSoFar:
    """Think about the verdicts on a list.

    Args:
        resemblances: float64 (n,), of all pairs of the list.
        verdicts: uint8 (n,), places in `VERDICTS`.
        check: The random check, where one was drawn.
    """
    is_judged, confirmed = verdicts > 0, verdicts == CONFIRMED
    judged = int(is_judged.sum())
    if judged < FEWEST_JUDGED and check is None:
        return JudgedSoFar()
    unread = resemblances[~is_judged]
    seen, yes = resemblances[is_judged], confirmed[is_judged]
    curve = fit_confirmed(seen, yes)
    words = [f"{counted(judged, 'pair')} judged, {count(int(yes.sum()))} confirmed."]
    words += _expected(unread_range(seen, yes, unread))
    if curve is not None:
        words.append(_holding(seen, yes))
    said, checked = _of_check(verdicts, check)
    return JudgedSoFar(_steps(curve), tuple(words), said, checked, bool(len(unread)))


def _steps(curve: ConfirmedCurve | None) -> Steps | None:
    if curve is None:
        return None
    resemblances = np.repeat(np.r_[0.0, curve.starts[1:], 1.0], 2)[1:-1]
    return resemblances, np.repeat(curve.chance, 2)


def _expected(found: UnreadRange | None) -> Iterator[str]:
    """How many of the unread pairs would be confirmed, in whole numbers."""
    if found is None:
        return
    if not found.most:
        number = "probably none"
    elif found.least:
        number = f"{count(found.least)} to {count(found.most)}"
    else:
        number = f"at most {count(found.most)}"
    surely = " (with 95\N{NO-BREAK SPACE}%)" if found.most else ""
    yield f"Of {counted(found.pairs, 'unread pair')} {number} would be confirmed{surely}."


def _holding(seen: Float64Array, yes: BoolArray) -> str:
    holds = cross_validated(seen, yes)
    return (
        f"By resemblance alone {count(holds.right)} of {count(holds.of)} verdicts are told right "
        f"that it was not fitted on; always the same answer, {count(holds.by_rule)}."
    )


def _of_check(verdicts: UInt8Array, check: CheckedRows | None) -> tuple[str, tuple[int, int]]:
    if check is None or not len(check.rows):
        return "", (0, 0)
    said = verdicts[check.rows]
    judged, drawn = int((said > 0).sum()), len(check.rows)
    if judged < drawn:
        return f"Random check: {count(judged)} of {count(drawn)} judged.", (judged, drawn)
    confirmed = int((said == CONFIRMED).sum())
    most = most_of_rest(drawn, confirmed, check.rest, ERROR_RATE)
    words = (
        f"Random check: {count(confirmed)} of {count(drawn)} confirmed. "
        f"With 95\N{NO-BREAK SPACE}% at most {count(most)} of the {count(check.rest)} others "
        "that were unread then."
    )
    return words, (judged, drawn)
