"""Verdicts as they are read: who gave one, when, on which text, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from core.base.wording import count, counted, listed, share
from core.scan.judgements import VERDICTS, Found, Verdict


def moment_in_words(time: str) -> str:
    """When something was said: "2026-11-22 12:18 UTC"; what is no such time stays as it is."""
    try:
        moment = datetime.fromisoformat(time)
        return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if moment.tzinfo else time
    except (ValueError, OverflowError):
        return time


def who_and_when(found: Found) -> list[str]:
    """Who judged a pair, and when: "Ann", "2026-11-22 12:18 UTC"; nothing where nobody did."""
    judgement = found.judgement
    if judgement.verdict is Verdict.NOT_REVIEWED and not judgement.note:
        return []
    return [words for words in (judgement.who, moment_in_words(judgement.time)) if words]


def by_in_words(found: Found) -> str:
    """The same on one line."""
    return ", ".join(who_and_when(found))


def earlier_in_words(found: Found) -> str:
    """That a verdict was made on an earlier text, and how much of that is changed; else ""."""
    if found.earlier is None:
        return ""
    return f"made on an earlier text, {share(found.earlier)} changed"


def judged_in_words(counts: Sequence[int], earlier: int = 0) -> str:
    """How far the review is: "38 of 61 pairs judged: 12 confirmed, 3 suspicious".

    Args:
        counts: How many pairs have each of `VERDICTS`.
        earlier: How many more have a verdict on an earlier text, which does not count.
    """
    judged, total = sum(counts[1:]), sum(counts)
    numbers = [f"{count(n)} {verdict}" for verdict, n in zip(VERDICTS, counts, strict=True) if n]
    each = numbers[1:] if counts[0] else numbers
    whole = f"{count(judged)} of {counted(total, 'pair')} judged"
    told = f"{whole}: {listed(each)}" if judged else whole
    if earlier:
        verb = "waits" if earlier == 1 else "wait"
        told += f"; {counted(earlier, 'verdict')} on earlier texts {verb} to be confirmed"
    return told
