"""What a rescan changed, as an entry of the log: texts that were added, copied or edited.

    rescan ─▶ `decided_by_rescan` ─▶ the log ─▶ `fold_rescan` ─▶ `Judgements`: earlier texts, news
    "all of it seen" ─▶ `mark_seen` ─▶ nothing is new until the next rescan

A pair is new where one of its texts came, and has other numbers where one was edited. How much of a
text is changed is measured by its words, each as often as it stands in the text, whatever their
order: the share is that of the longer text that the other lacks; one word at least, because a sign
or a point may have changed, or the order. Both texts are available only while a rescan runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.tasks import results_of
from core.documents.model import Document, text_key
from core.errors import ReviewError
from core.scan.changed_files import Changes
from core.scan.history import Command, HistoryEntry, entry_after, text_keys
from core.scan.judgements import Arrival, ArrivalKind, EarlierText, Judgements, JudgementsDraft
from core.scan.rescan import Matched
from core.scan.state import CarriedOver, ScanState
from core.settings import ScanSettings
from core.text.shingling import tokenise

if TYPE_CHECKING:
    from core.scan.scan import Scan

WORDS = ScanSettings()
AHEAD = 64  # texts that are compared or wait for it


def share_changed(before: str, now: str) -> float:
    """The share of words that is changed in the longer of two texts; 1 where there are no words."""
    earlier, later = (np.sort(tokenise(text, WORDS).values) for text in (before, now))
    most = max(len(earlier), len(later))
    # Of a word that stands n times in one text and m times in the other, the lesser is shared.
    nth = np.arange(len(earlier)) - np.searchsorted(earlier, earlier)
    times = np.searchsorted(later, earlier, "right") - np.searchsorted(later, earlier)
    return max(1, most - int(np.count_nonzero(nth < times))) / most if most else 1.0


def measure_changes(
    pairs: Sequence[tuple[int, int]],
    before: Sequence[str],
    now: Sequence[str],
    pool: ThreadPoolExecutor,
) -> list[float]:
    """The share that is changed of many texts; 1 where the earlier one cannot be read.

    Args:
        pairs: The number of each among the earlier texts and among those of now.
        before: The earlier texts.
        now: Those of now.
        pool: Threads to do it on.
    """

    def measured(pair: tuple[int, int]) -> float:
        try:
            return share_changed(before[pair[0]], now[pair[1]])
        except ReviewError:  # a text of the review is damaged: nothing is known to be the same
            return 1.0

    tasks = (pool.submit(measured, pair) for pair in pairs)
    return list(results_of(tasks, AHEAD))


MOST_FILES = 1 << 40
FILES = ("added", "changed", "moved", "gone", "not_read", "back")  # of `Changes`, those counted


def decided_by_rescan(
    before: ScanState, result: Scan, now: Sequence[Document], matched: Matched
) -> CarriedOver:
    """The user's decisions, with an entry on the news of a rescan, if there are any.

    Args:
        before: The earlier scan.
        result: The new one, which has its `changes`.
        now: The documents that were met.
        matched: How the documents of both scans match.
    """
    changes = result.changes or Changes()
    files = {name: len(getattr(changes, name)) for name in FILES}
    brought = _brought(before, now, matched)
    if not (any(brought) or any(files.values())):
        return before.decided
    number_of = {id(document): number for number, document in enumerate(result.documents)}
    edited = [(old, number_of[id(now[new])]) for old, new in brought.edited.values()]
    shares = measure_changes(edited, before.texts, result.texts, result.pool)
    texts = [text_key(before.documents[old]) for old, _ in edited]
    data = {
        "came": list(brought.came),
        "copies": list(brought.copies),
        "edited": [list(edit) for edit in zip(brought.edited, texts, shares, strict=True)],
        "files": files,
    }
    entry = entry_after(before.log, Command("rescan", data), None)
    draft = JudgementsDraft(before.judgements)
    fold_rescan(draft, entry)
    return before.decided._replace(log=(*before.log, entry), judgements=draft.judgements())


class _Brought(NamedTuple):
    """The keys of texts that came, of which there is another copy, and that were edited.

    Edited ones have the numbers of the document before and now.
    """

    came: dict[str, None]
    copies: dict[str, None]
    edited: dict[str, tuple[int, int]]


def _brought(before: ScanState, now: Sequence[Document], matched: Matched) -> _Brought:
    known = {text_key(document) for document in before.documents}
    brought = _Brought({}, {}, {})
    for number in matched.added:
        key = text_key(now[number])
        (brought.copies if key in known else brought.came)[key] = None
    for old, new in (*matched.unchanged, *matched.changed, *matched.moved):
        key = text_key(now[new])
        if key == text_key(before.documents[old]):
            continue
        if key in known:
            brought.copies[key] = None
        else:
            brought.edited[key] = (old, new)
    return brought


def mark_seen(judgements: Judgements) -> tuple[Command, Command]:
    """The command after which nothing is new, and the one that undoes it."""
    seen, before = judgements.rescans, judgements.seen
    return Command("seen", {"rescans": seen}), Command("seen", {"rescans": before})


def fold_rescan(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out what `decided_by_rescan` has noted.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data, number = entry.command.data, draft.rescans + 1
    files = [data["files"][name] for name in FILES]
    if not all(type(count) is int and 0 <= count <= MOST_FILES for count in files):
        raise ValueError("A number of files cannot be so.")
    draft.rescans = number
    for *keys, changed in data["edited"]:
        if type(changed) not in {int, float} or not 0 <= changed <= 1:
            raise ValueError("The share of a text that is changed cannot be so.")
        now, before = text_keys(keys)
        draft.earlier[now] = EarlierText(before, float(changed))
        draft.arrivals[now] = Arrival(number, ArrivalKind.EDITED)
    for text in text_keys(data["came"]):
        draft.arrivals[text] = Arrival(number, ArrivalKind.CAME)
    for text in text_keys(data["copies"]):
        last = draft.arrivals.get(text)
        if last is None or last.rescan <= draft.seen:  # else its pairs are new in any case
            draft.arrivals[text] = Arrival(number, ArrivalKind.COPIED)


def fold_seen(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `mark_seen`.

    Raises:
        KeyError, ValueError: The data cannot be so.
    """
    seen = entry.command.data["rescans"]
    if type(seen) is not int or seen < 0:
        raise ValueError("A number of rescans cannot be so.")
    draft.seen = min(seen, draft.rescans)
