"""What the verdicts given so far say of what is still unread, in words and as a curve."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array, UInt8Array
from core.base.intervals import most_of_rest
from core.scan.judgements import VERDICTS, Verdict
from core.scan.unread_pairs import (
    ERROR_RATE,
    FEWEST_JUDGED,
    ConfirmedCurve,
    cross_validated,
    expected_unread,
    fit_confirmed,
)
from neardup_gui.models.words.numbers import count, counted, resemblance

__all__ = ["CheckedRows", "JudgedSoFar", "Steps", "judged_so_far"]

CONFIRMED = VERDICTS.index(Verdict.CONFIRMED)
FEW = 1.0  # confirmed pairs that are expected where one may stop to read
Steps = tuple[Float64Array, Float64Array]  # resemblances and probabilities, to be joined by lines
ONE_DECIMAL = 10.0  # expected pairs; more are whole numbers


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
    if curve is not None:
        words += [*_expected(curve, seen, yes, unread), _holding(seen, yes)]
    said, checked = _of_check(verdicts, check)
    return JudgedSoFar(_steps(curve), tuple(words), said, checked, bool(len(unread)))


def _steps(curve: ConfirmedCurve | None) -> Steps | None:
    if curve is None:
        return None
    resemblances = np.repeat(np.r_[0.0, curve.starts[1:], 1.0], 2)[1:-1]
    return resemblances, np.repeat(curve.chance, 2)


def _expected(
    curve: ConfirmedCurve, seen: Float64Array, yes: BoolArray, unread: Float64Array
) -> list[str]:
    """How far down one has to read, and what is expected below."""
    if not len(unread):
        return []
    rising = np.sort(unread)
    few = int((np.cumsum(curve.at(rising)) < FEW).sum())
    limit = math.floor(1000 * rising[few]) / 1000 if few < len(rising) else 0.0  # as it is shown
    below = rising[rising < limit]
    several = below if len(below) else rising
    end = f" below {resemblance(limit)}" if len(below) else ""
    found = expected_unread(curve, seen, yes, several)
    most = "" if found.most is None else f", with 95\N{NO-BREAK SPACE}% at most {count(found.most)}"
    pairs = f"{counted(found.pairs, 'unread pair')}{end}"
    expected = (
        f"{found.expected:.1f}" if found.expected < ONE_DECIMAL else count(round(found.expected))
    )
    return [f"Of {pairs} about {expected} would be confirmed{most}."]


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
