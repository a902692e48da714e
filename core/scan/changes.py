"""What a rescan found, by files: the numbers and names of the sentence that tells it.

What a rescan brought, as an entry of the log: texts that came, were copied, or were edited.

    rescan ─▶ `decided_by_rescan` ─▶ the log ─▶ `fold_rescan` ─▶ `Judgements`: earlier texts, news
    "all of it seen" ─▶ `mark_seen` ─▶ nothing is new until the next rescan

A pair is new where one of its texts came, and has other numbers where one was edited.

Texts that were edited between two scans, and how much of each is changed.

What is compared are words, each as often as it stands there, whatever their order: the share is
that of the longer text that the other has not; one word at least, because it may be a sign or a
point that was changed, or the order. Both texts are there only while a rescan runs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.base.tasks import Cancelled, results_of
from core.documents import Document
from core.documents.model import AbsenceKind, text_key
from core.errors import ReviewError
from core.scan.judgements import Arrival, EarlierText, How, Judgements, JudgementsDraft, Rescan
from core.scan.rescan import Matched, MissingDocument
from core.scan.state import Command, Decided, HistoryEntry, ScanState, entry_after
from core.settings import ScanSettings
from core.text.shingling import tokenise

if TYPE_CHECKING:
    from core.scan.scan import Scan

FEW_FILES = 5  # a handful of files is deleted by hand,
FEW_SHARE = 0.1  # and so is a small part of a folder; more looks like a share that is not there


class LostFolder(NamedTuple):
    """A folder of which so much is missing that it may be somewhere else, or not connected.

    Attributes:
        folder: As it was given.
        names: The files of it that were not met.
        of: How many there were at the scan before.
        reason: Why it cannot be looked into, a sentence; "" where it can.
        is_new: Whether files were met at the scan before.
    """

    folder: Path
    names: tuple[str, ...]
    of: int
    reason: str = ""
    is_new: bool = True


class Changes(NamedTuple):
    """The files that are not as they were at the scan before, by name.

    Attributes:
        added: Files that the review did not have.
        changed: Files with another text, or with other documents in them.
        moved: Files under another name or in another folder: the old name and the new one.
        gone: Files that were there and are not.
        not_read: Files that gave text before and could not be read, or were not asked for.
        back: Files that were missed before and are there again.
        lost: Folders that lost more than a few files, or of which nothing is there, as before.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()
    not_read: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    lost: tuple[LostFolder, ...] = ()


def changes_of(
    before: Sequence[Document],
    now: Sequence[Document],
    matched: Matched,
    folders: Sequence[Path],
    unusable: Mapping[Path, str],
) -> Changes:
    """Count what became of documents by the files they are in.

    Args:
        before: The documents of the earlier scan.
        now: Those that were met.
        matched: What became of which.
        folders: What was asked for.
        unusable: Those of them that could not be looked into, and why.
    """
    files = _FilePlaces(before, now, matched)
    gone, not_read = files.missed(AbsenceKind.GONE), files.missed(AbsenceKind.NOT_READ)
    return Changes(
        added=files.named(files.added),
        changed=files.named(files.changed - not_read),
        moved=tuple(sorted(files.renamed(files.moved))),
        gone=files.named(gone),
        not_read=files.named(not_read),
        back=files.named(files.back),
        lost=tuple(_lost(files, gone, folders, unusable)),
    )


def in_words(changes: Changes, count: Callable[[int], str] = "{:,}".format) -> str:
    """One sentence with the numbers of all files that are not as they were, and some names."""
    moves = tuple(f"{old} is now {new}" for old, new in changes.moved)
    parts = (
        (changes.added, "added", ()),
        (changes.changed, "changed", ()),
        (moves, "moved", moves),
        (changes.gone, "gone", changes.gone),
        (changes.not_read, "not read any more", changes.not_read),
        (changes.back, "back", ()),
    )
    told = [
        f"{count(len(names))} {what}{_examples(shown, count)}"
        for names, what, shown in parts
        if names
    ]
    if not told:
        return "No file has changed since the last scan."
    return f"Files since the last scan: {', '.join(told)}."


def _examples(names: Sequence[str], count: Callable[[int], str]) -> str:
    """The first name, and how many more there are."""
    if not names:
        return ""
    more = len(names) - 1
    return f" ({names[0]}{f' and {count(more)} more' if more else ''})"


class _FilePlaces:
    """Places of files: those that stay (known at the same place), those that come and go."""

    def __init__(
        self, before: Sequence[Document], now: Sequence[Document], matched: Matched
    ) -> None:
        listed = [
            None if one.absence is not None and one.absence.removed else place
            for one, place in zip(before, matched.were_at, strict=True)
        ]
        present = matched.are_at
        self._before, self._matched, self._was_at = before, matched, listed
        self._documents = dict(zip(matched.were_at, before, strict=True))
        self._documents.update(zip(present, now, strict=True))
        self.here = set(present)
        self.were = {
            place
            for place, one in zip(listed, before, strict=True)
            if place is not None and one.absence is None
        }
        at_home = [*matched.unchanged, *matched.changed]
        stay = {present[new] for old, new in at_home if listed[old] is not None}
        moves = {(listed[old], present[new]) for old, new in matched.moved}
        stay |= {new for old, new in moves if old == new}  # another part of the same file
        self.known = {place for place in listed if place is not None}
        self.moved = {
            (old, new)
            for old, new in moves
            if old is not None and old not in stay and new not in stay
        }
        self.added = self.here - stay - {new for _, new in self.moved}
        self.back = stay - self.were
        altered = {present[new] for _, new in (*matched.changed, *matched.moved)}
        altered |= {present[new] for new in matched.added}
        altered |= {listed[old] or "" for old, _ in matched.moved}
        altered |= {listed[one.number] or "" for one in self._newly_missed()}
        self.changed = stay & self.were & altered

    def missed(self, kind: AbsenceKind) -> set[str]:
        """Files that were not met for the first time, in this way."""
        left = {old for old, _ in self.moved}
        if kind is AbsenceKind.GONE:
            left |= self.here  # a part of it is gone: the file has changed
        return {
            self._was_at[one.number] or "" for one in self._newly_missed() if _kind(one) is kind
        } - left

    def named(self, places: Collection[str]) -> tuple[str, ...]:
        return tuple(sorted(self._documents[place].file_name for place in places))

    def renamed(self, moves: Collection[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Old and new names, where they differ: a folder may be found elsewhere."""
        for pair in moves:
            old, new = (self._documents[place].file_name for place in pair)
            if old != new:
                yield old, new

    def _newly_missed(self) -> Iterator[MissingDocument]:
        for one in self._matched.missed:
            before = self._before[one.number].absence
            if not one.document.is_removed and (before is None or before.kind is not _kind(one)):
                yield one


def _kind(missed: MissingDocument) -> AbsenceKind | None:
    absence = missed.document.absence
    return absence.kind if absence else None


def _lost(
    files: _FilePlaces, gone: set[str], folders: Sequence[Path], unusable: Mapping[Path, str]
) -> Iterator[LostFolder]:
    """The folders that lost too much for somebody to have deleted it one by one."""
    left, moved = set(files.were), {old for old, _ in files.moved}
    for folder in folders:
        top = os.path.abspath(folder)
        below = os.path.join(top, "")
        inside = {place for place in left if place == top or place.startswith(below)}
        left -= inside
        missing = inside - moved if folder in unusable else inside & gone
        many = len(missing) > FEW_FILES and len(missing) > FEW_SHARE * len(inside)
        if missing and (many or len(missing) == len(inside)):
            yield LostFolder(folder, files.named(missing), len(inside), unusable.get(folder, ""))
        before = {place for place in files.known - moved if place.startswith(below)}
        if before and not inside and not any(place.startswith(below) for place in files.here):
            reason = unusable.get(folder, "")
            yield LostFolder(folder, files.named(before), len(before), reason, is_new=False)


WORDS = ScanSettings()
AHEAD = 64  # texts that are compared or wait for it


class EditedText(NamedTuple):
    """A text that was edited: its keys now and before (see `core.documents.model.text_key`).

    Attributes:
        now: The key of the text as it is.
        before: That of the text as it was.
        changed: Share of it that is changed, 0 to 1.
    """

    now: str
    before: str
    changed: float


def share_changed(before: str, now: str) -> float:
    """The share of words that is changed in the longer of two texts; 1 where there are no words."""
    one, other = (np.sort(tokenise(text, WORDS).values) for text in (before, now))
    most = max(len(one), len(other))
    # Of a word that stands there n times in one and m times in the other, the lesser is shared.
    nth = np.arange(len(one)) - np.searchsorted(one, one)
    times = np.searchsorted(other, one, "right") - np.searchsorted(other, one)
    return max(1, most - int(np.count_nonzero(nth < times))) / most if most else 1.0


def measure_changes(
    pairs: Sequence[tuple[int, int]],
    before: Sequence[str],
    now: Sequence[str],
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> list[float]:
    """The share that is changed of many texts; 1 where the earlier one cannot be read.

    Args:
        pairs: The number of each among the earlier texts and among those of now.
        before: The earlier texts.
        now: Those of now.
        pool: Threads to do it on.
        cancelled: Polled meanwhile.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """

    def measured(pair: tuple[int, int]) -> float:
        try:
            return share_changed(before[pair[0]], now[pair[1]])
        except ReviewError:  # a text of the review is damaged: nothing is known to be the same
            return 1.0

    tasks = (pool.submit(measured, pair) for pair in pairs)
    return list(results_of(tasks, cancelled, AHEAD))


MOST_OF_KEY = 64  # characters of the key of a text
MOST_FILES = 1 << 40


def decided_by_rescan(
    before: ScanState,
    result: Scan,
    now: Sequence[Document],
    matched: Matched,
    cancelled: Cancelled,
) -> Decided:
    """What the user had decided, and an entry on what a rescan brought, if it brought anything.

    Args:
        before: The earlier scan.
        result: The new one, which has its `changes`.
        now: The documents that were met.
        matched: What became of which.
        cancelled: Polled while texts are compared.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    changes = result.changes or Changes()
    files = {name: len(getattr(changes, name)) for name in Rescan._fields[1:]}
    brought = _brought(before, now, matched)
    if not (any(brought) or any(files.values())):
        return before.decided
    place_of = {id(one): place for place, one in enumerate(result.documents)}
    edited = [(old, place_of[id(now[new])]) for old, new in brought.edited.values()]
    shares = measure_changes(edited, before.texts, result.texts, result.pool, cancelled)
    texts = [text_key(before.documents[old]) for old, _ in edited]
    data = {
        "came": list(brought.came),
        "copies": list(brought.copies),
        "edited": [list(one) for one in zip(brought.edited, texts, shares, strict=True)],
        "files": files,
    }
    entry = entry_after(before.log, Command("rescan", data), None)
    draft = JudgementsDraft(before.judgements)
    fold_rescan(draft, entry)
    return before.decided._replace(log=(*before.log, entry), judgements=draft.judgements())


class _Brought(NamedTuple):
    """The keys of texts that came, of which there is another copy, and that were edited.

    Those have the numbers of the document before and now.
    """

    came: dict[str, None]
    copies: dict[str, None]
    edited: dict[str, tuple[int, int]]


def _brought(before: ScanState, now: Sequence[Document], matched: Matched) -> _Brought:
    known = {text_key(one) for one in before.documents}
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
    """Nothing is new any more; and what undoes it."""
    seen, before = len(judgements.rescans), judgements.seen
    return Command("seen", {"rescans": seen}), Command("seen", {"rescans": before})


def fold_rescan(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out what `decided_by_rescan` has noted.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data, number = entry.command.data, len(draft.rescans) + 1
    files = [data["files"][name] for name in Rescan._fields[1:]]
    if not all(type(count) is int and 0 <= count <= MOST_FILES for count in files):
        raise ValueError("A number of files cannot be so.")
    draft.rescans[number] = Rescan(entry.time, *files)
    for *keys, changed in data["edited"]:
        if type(changed) not in {int, float} or not 0 <= changed <= 1:
            raise ValueError("The share of a text that is changed cannot be so.")
        now, before = _keys(keys)
        draft.earlier[now] = EarlierText(before, float(changed))
        draft.arrivals[now] = Arrival(number, How.EDITED)
    for text in _keys(data["came"]):
        draft.arrivals[text] = Arrival(number, How.CAME)
    for text in _keys(data["copies"]):
        last = draft.arrivals.get(text)
        if last is None or last.rescan <= draft.seen:  # else its pairs are new in any case
            draft.arrivals[text] = Arrival(number, How.COPIED)


def fold_seen(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `mark_seen`.

    Raises:
        KeyError, ValueError: The data cannot be so.
    """
    seen = entry.command.data["rescans"]
    if type(seen) is not int or seen < 0:
        raise ValueError("A number of rescans cannot be so.")
    draft.seen = min(seen, len(draft.rescans))


def _keys(texts: Iterable[Any]) -> list[str]:
    keys = list(texts)
    if not all(type(text) is str and 0 < len(text) <= MOST_OF_KEY for text in keys):
        raise ValueError("The key of a text is none.")
    return keys
