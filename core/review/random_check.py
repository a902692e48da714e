"""The command "random check": some pairs that nobody has read, drawn to see what the rest holds.

    {"texts": [key, ...], "pairs": [0, 1, 0, 2], "rest": 150}

`pairs` are places in `texts`, two for each pair; `rest` is how many unread pairs were not drawn.
What undoes it draws the check again that there was before; without pairs there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.documents.keys import PairKey
from core.review.verdicts import pairs_of, places_of
from core.scan.history import Command, HistoryEntry
from core.scan.judgements import NO_CHECK, Judgements, JudgementsDraft, RandomCheck


def draw_check(
    judgements: Judgements, drawn: Sequence[PairKey], rest: int
) -> tuple[Command, Command]:
    """Take pairs that nobody has read for the random check.

    Args:
        judgements: With the check that there was.
        drawn: Those that were drawn (see `core.scan.unread_pairs.random_check`).
        rest: How many unread pairs there are beside them.

    Returns:
        The command, and what undoes it.
    """
    check = RandomCheck(tuple(drawn), rest)
    return Command("random check", _data(check)), Command("random check", _data(judgements.check))


def fold_check(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `draw_check`.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data = entry.command.data
    rest = data["rest"]
    if type(rest) is not int or not 0 <= rest < 1 << 53:
        raise ValueError("The number of unread pairs is none.")
    keys = tuple(pairs_of(data))
    draft.check = RandomCheck(keys, rest) if keys else NO_CHECK


def _data(check: RandomCheck) -> dict[str, Any]:
    texts: dict[str, int] = {}
    pairs = places_of(check.pairs, texts)
    return {"texts": list(texts), "pairs": pairs, "rest": check.rest}
