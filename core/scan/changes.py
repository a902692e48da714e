"""What a rescan found, by files: the numbers and names of the sentence that tells it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from core.base.messages import gettext, ngettext
from core.base.wording import count
from core.documents.model import AbsenceKind, Document
from core.scan.rescan import KeptDocument, Matched

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


def in_words(changes: Changes) -> str:
    """One sentence with the numbers of all files that are not as they were, and some names."""
    moves = [gettext("{old} is now {new}", old=old, new=new) for old, new in changes.moved]
    added, changed, back = map(len, (changes.added, changes.changed, changes.back))
    gone, not_read = changes.gone, changes.not_read
    parts = (
        (added, ngettext("{n} added", "{n} added", added), ()),
        (changed, ngettext("{n} changed", "{n} changed", changed), ()),
        (len(moves), ngettext("{n} moved", "{n} moved", len(moves)), moves),
        (len(gone), ngettext("{n} gone", "{n} gone", len(gone)), gone),
        (
            len(not_read),
            ngettext("{n} not read any more", "{n} not read any more", len(not_read)),
            not_read,
        ),
        (back, ngettext("{n} back", "{n} back", back), ()),
    )
    phrases = [f"{words}{_examples(shown)}" for number, words, shown in parts if number]
    if not phrases:
        return gettext("No file has changed since the last scan.")
    return gettext("Files since the last scan: {changes}.", changes=", ".join(phrases))


def _examples(names: Sequence[str]) -> str:
    """The first name, and how many more there are."""
    if len(names) < 2:
        return "".join(f" ({name})" for name in names)
    more = count(len(names) - 1)
    return " (" + gettext("{name} and {number} more", name=names[0], number=more) + ")"


class _FilePlaces:
    """Places of files: those that stay (known at the same place), those that come and go."""

    def __init__(
        self, before: Sequence[Document], now: Sequence[Document], matched: Matched
    ) -> None:
        listed = [
            None if document.absence is not None and document.absence.removed else place
            for document, place in zip(before, matched.were_at, strict=True)
        ]
        present = matched.are_at
        self._before, self._matched, self._was_at = before, matched, listed
        self._documents = dict(zip(matched.were_at, before, strict=True))
        self._documents.update(zip(present, now, strict=True))
        self.here = set(present)
        self.were = {
            place
            for place, document in zip(listed, before, strict=True)
            if place is not None and document.absence is None
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
        altered |= {listed[document.number] or "" for document in self._newly_missed()}
        self.changed = stay & self.were & altered

    def missed(self, kind: AbsenceKind) -> set[str]:
        """Files that were not met for the first time, in this way."""
        left = {old for old, _ in self.moved}
        if kind is AbsenceKind.GONE:
            left |= self.here  # a part of it is gone: the file has changed
        return {
            self._was_at[document.number] or ""
            for document in self._newly_missed()
            if _kind(document) is kind
        } - left

    def named(self, places: Collection[str]) -> tuple[str, ...]:
        return tuple(sorted(self._documents[place].file_name for place in places))

    def renamed(self, moves: Collection[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Old and new names, where they differ: a folder may be found elsewhere."""
        for pair in moves:
            old, new = (self._documents[place].file_name for place in pair)
            if old != new:
                yield old, new

    def _newly_missed(self) -> Iterator[KeptDocument]:
        for document in self._matched.missed:
            before = self._before[document.number].absence
            if not document.document.is_removed and (
                before is None or before.kind is not _kind(document)
            ):
                yield document


def _kind(missed: KeptDocument) -> AbsenceKind | None:
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
