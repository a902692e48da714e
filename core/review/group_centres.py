"""The command "centre": a group is made around another document.

    {"group": key, "centre": key}

Both are texts. A group is known by the text that it was around by itself when another one was first
chosen; where "centre" is null, nothing is chosen any more.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.documents.keys import PairKey
from core.scan.history import Command, HistoryEntry
from core.scan.judgements import Judgements, JudgementsDraft

MOST_OF_KEY = 64


def choose_centre(judgements: Judgements, now: str, wanted: str) -> tuple[Command, Command]:
    """Make a group around another document.

    Args:
        judgements: As they are.
        now: The text in the centre of the group.
        wanted: The text that is to be there.

    Returns:
        The command, and what undoes it.
    """
    chosen = judgements.centres
    group = next((group for group, centre in chosen.items() if centre == now), now)
    before = Command("centre", {"group": group, "centre": chosen.get(group)})
    return Command("centre", {"group": group, "centre": wanted}), before


def keys_of(_entry: HistoryEntry) -> Iterable[PairKey]:
    """The pairs whose judgements it changes: none."""
    return ()


def fold_centre(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `choose_centre`.

    Raises:
        KeyError, ValueError: The data cannot be so.
    """
    group, centre = entry.command.data["group"], entry.command.data["centre"]
    for text in (group, "-" if centre is None else centre):
        if not isinstance(text, str) or not 0 < len(text) <= MOST_OF_KEY:
            raise ValueError("A text of a group is none.")
    if centre is None:
        draft.centres.pop(group, None)
    else:
        draft.centres[group] = centre
