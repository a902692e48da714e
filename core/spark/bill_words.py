"""A forecast of a run in words, as it is printed."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.intervals import Estimate
from core.base.wording import count, counted, readable_size, share
from core.candidates.scurve import candidate_probability
from core.spark.bill import Bill
from core.spark.forecast import Cost

SHOWN_AT = (0.3, 0.5, 0.8)  # resemblances
MINUTE, HOUR = 60, 3600


def sentences(bill: Bill) -> Iterator[str]:
    """What is printed."""
    own = bill.choices[0]
    read = counted(bill.read, "different one")
    yield f"{counted(bill.documents, 'document')}, by a sample of {read}."
    if not bill.read:
        yield "No document with text was found: there is nothing to compare."
        return
    yield _head(own)
    for cost in bill.choices:
        yield _row(cost)
    if own.in_crowds:
        yield (
            f"Skew: about {count(_rounded(own.in_crowds))} documents have a band in common with "
            f"too many; the largest bucket has about {count(_rounded(own.largest))}."
        )
    parts = ", ".join(
        f"{readable_size(round(size))} {what}" for what, size in bill.shuffled.items() if size
    )
    yield f"Shuffled: about {readable_size(round(sum(bill.shuffled.values())))}: {parts}."
    yield (
        f"Texts count as Spark packs them, to {share(bill.packed)} of their bytes here; those that "
        "signatures may pair are compared, and searched for passages as if all pairs were listed."
    )
    times = ", ".join(f"{_duration(one)} {what}" for what, one in bill.seconds.items())
    yield f"One core: about {_duration(sum(bill.seconds.values()))}: {times}."


def _head(own: Cost) -> str:
    found = "".join(f"{f'found at {one}':>15}" for one in SHOWN_AT) if own.settings.choice else ""
    return f"{'b × r' if own.settings.choice else 'd':>10}  {'candidates':<44}{found}"


def _row(cost: Cost) -> str:
    found = ""
    if cost.settings.choice:
        shares = candidate_probability(SHOWN_AT, *cost.settings.choice)
        found = "".join(f"{share:>14.1%} " for share in shares)
    return f"{cost.choice:>10}  {_amount(cost.candidates):<44}{found}".rstrip()


def _amount(pairs: Estimate) -> str:
    expected, low, high = (_rounded(one) for one in pairs)
    if low == high:
        return count(expected)
    return f"{count(expected)} ({count(low)} to {count(high)})"


def _rounded(number: float) -> int:
    """A number with three digits that tell something."""
    whole = round(number)
    return round(whole, min(0, 3 - len(str(whole))))


def _duration(seconds: float) -> str:
    if seconds >= HOUR:
        return f"{seconds / HOUR:,.1f} hours"
    return f"{seconds / MINUTE:,.1f} minutes" if seconds >= MINUTE else f"{seconds:,.1f} s"
