"""The files that changed between two scans: how many, which, and in a sentence."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

from core.base.messages import gettext, ngettext
from core.base.wording import count
from core.documents.model import AbsenceKind, Document
from core.scan.rescan import KeptDocument, Matched

# More missing files than this, and than this share of a folder, suggest a disconnected share.
FEW_FILES = 5
FEW_SHARE = 0.1


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
    """The files that changed since the scan before, by name.

    Attributes:
        added: Files that the review did not have.
        changed: Files with another text or other documents in them, and files with other bytes that
            gave no text, or of which a part gave none at one of the scans.
        moved: Files under another name or in another folder: the old name and the new one.
        gone: Files that were there and are not.
        not_read: Files that gave text before and could not be read, or were not asked for.
        back: Files that were missed before and are there again.
        lost: Folders that lost more than a few files, or of which nothing is there, as before.
        newly_read: Files that gave no text before, such as archives that were not to be opened.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()
    not_read: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    lost: tuple[LostFolder, ...] = ()
    newly_read: tuple[str, ...] = ()


class UnreadFiles(NamedTuple):
    """The files, or parts of files, that gave no text at an earlier scan and at the present one.

    Attributes:
        before: The SHA-256 of the bytes of the earlier ones, by name, of a part that of the file it
            is in; "" where none were read.
        now: That of the present ones.
        found: The names of the files that were read by themselves; none where folders or readers
            are others: then files have other names, or other documents in them.
        calm: The present ones that are no documents, such as pictures.
    """

    before: Mapping[str, str]
    now: Mapping[str, str]
    found: set[str]
    calm: set[str]

    def came(self, earlier_unread: set[str], documents: Iterable[Document]) -> list[str]:
        """The names of files that the earlier scan did not have, as none of these documents is."""
        unread = _with_those_above(self.now.keys() - self.calm)
        names = unread.intersection(self.found) - earlier_unread
        known = {document.file_name for document in documents} if names else set()
        return [name for name in names if known.isdisjoint({name, *_above(PurePosixPath(name))})]

    def replaced(self, before: Iterable[Document], now: Iterable[Document]) -> set[str]:
        """The names of files with other bytes, given the documents of both scans."""
        earlier, present = self._hashes(self.before), self._hashes(self.now)
        # Of what gave some text as a whole, its documents tell the bytes.
        earlier |= _hashes_of(before, present.keys() - earlier.keys())
        present |= _hashes_of(now, earlier.keys() - present.keys())
        return {name for name in earlier.keys() & present.keys() if earlier[name] != present[name]}

    def _hashes(self, unread: Mapping[str, str]) -> dict[str, str]:
        """The hash of each file that gave no text, or that a part is in that gave none."""
        return {
            file: sha256
            for name, sha256 in unread.items()
            if sha256 and name not in self.calm
            for file in self.found.intersection({name, *_above(PurePosixPath(name))})
        }


def _hashes_of(documents: Iterable[Document], files: AbstractSet[str]) -> dict[str, str]:
    """The hash of each of these files that some present document is, or is a part of."""
    if not files:
        return {}
    return {
        document.file_name: document.sha256
        for document in documents
        if document.file_name in files and document.sha256 and document.absence is None
    }


def _with_those_above(names: Collection[str]) -> set[str]:
    """Names, with those of the folders or archives that they are in."""
    return {*names}.union(*(_above(PurePosixPath(name)) for name in names))


def changes_of(
    before: Sequence[Document],
    now: Sequence[Document],
    matched: Matched,
    folders: Sequence[Path],
    unusable: Mapping[Path, str],
    unread: UnreadFiles,
) -> Changes:
    """The changes between two scans, by file.

    Args:
        before: The documents of the earlier scan.
        now: Those that were met.
        matched: How the documents of both scans match.
        folders: The folders that were given.
        unusable: Those of them that could not be looked into, and why.
        unread: The files that gave no text at one of the scans.
    """
    files = _FileLocations(before, now, matched)
    gone, not_read = files.missed(AbsenceKind.GONE), files.missed(AbsenceKind.NOT_READ)
    added, earlier_unread = files.named(files.added), _with_those_above(unread.before)
    came = (name for name in added if name not in earlier_unread)
    changed = files.named(files.changed - not_read)
    said_otherwise = files.named(files.added | files.back | gone | not_read)
    replaced = unread.replaced(before, now)
    return Changes(
        added=tuple(sorted([*came, *unread.came(earlier_unread, chain(before, now))])),
        changed=tuple(sorted({*changed, *replaced.difference(said_otherwise)})),
        moved=tuple(sorted(files.renamed(files.moved))),
        gone=files.named(gone),
        not_read=files.named(not_read),
        back=files.named(files.back),
        lost=tuple(_lost(files, gone, folders, unusable)),
        newly_read=tuple(name for name in added if name in earlier_unread),
    )


def in_words(changes: Changes) -> str:
    """One sentence with the numbers of all files that are not as they were, and some names."""
    moves = [gettext("{old} is now {new}", old=old, new=new) for old, new in changes.moved]
    counted = changes.added, changes.newly_read, changes.changed, changes.back
    added, read, changed, back = map(len, counted)
    gone, not_read = changes.gone, changes.not_read
    parts = (
        (added, ngettext("{n} added", "{n} added", added), ()),
        (read, ngettext("{n} newly read", "{n} newly read", read), changes.newly_read),
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
        return gettext("No document has changed since the last scan.")
    return gettext("Files since the last scan: {changes}.", changes=", ".join(phrases))


def _examples(names: Sequence[str]) -> str:
    """The first name, and how many more there are."""
    if len(names) < 2:
        return "".join(f" ({name})" for name in names)
    more = count(len(names) - 1)
    return " (" + gettext("{name} and {number} more", name=names[0], number=more) + ")"


class _FileLocations:
    """Locations of files: of those that stay where they are, and of those that come and go."""

    def __init__(
        self, before: Sequence[Document], now: Sequence[Document], matched: Matched
    ) -> None:
        listed = [
            None if document.absence is not None and document.absence.removed else location
            for document, location in zip(before, matched.were_at, strict=True)
        ]
        present = matched.are_at
        self._before, self._matched, self._was_at = before, matched, listed
        self._documents = dict(zip(matched.were_at, before, strict=True))
        self._documents.update(zip(present, now, strict=True))
        self.present = set(present)
        self.earlier = {
            location
            for location, document in zip(listed, before, strict=True)
            if location is not None and document.absence is None
        }
        same_location = [*matched.unchanged, *matched.changed]
        stay = {present[new] for old, new in same_location if listed[old] is not None}
        moves = {(listed[old], present[new]) for old, new in matched.moved}
        stay |= {new for old, new in moves if old == new}  # another part of the same file
        self.known = {location for location in listed if location is not None}
        others = self.present - stay - self._read_otherwise()
        self.moved = {
            (old, new)
            for old, new in moves
            if old is not None and old not in stay and new in others
        }
        self.added = others - {new for _, new in self.moved}
        self.back = stay - self.earlier
        altered = {present[new] for _, new in (*matched.changed, *matched.moved)}
        altered |= {present[new] for new in matched.added}
        altered |= {listed[old] or "" for old, _ in matched.moved}
        altered |= {listed[document.number] or "" for document in self._newly_missed()}
        self.changed = (stay & self.earlier & altered) - self._joined_inside(now)

    def _read_otherwise(self) -> set[str]:
        """Submissions of files that each were a document, and files of what was a submission."""
        submissions = {
            location for location, document in self._documents.items() if document.members
        }
        if not submissions:
            return set()
        joined = (
            set[str]().union(*map(_above, map(PurePath, self.known))) & submissions & self.present
        )
        return joined | {
            location
            for location in self.present
            if not submissions.isdisjoint(_above(PurePath(location)))
        }

    def _joined_inside(self, now: Sequence[Document]) -> set[str]:
        """Archives with the same bytes, whose files are joined now, or not any more."""
        if not any(document.members for document in self._documents.values()):
            return set()
        before = _contents(self._was_at, self._before)
        present = _contents(self._matched.are_at, now)
        return {
            location
            for location in before.keys() & present.keys()
            if before[location].hashes == present[location].hashes != {""}
            and before[location].are_joined != present[location].are_joined
        }

    def missed(self, kind: AbsenceKind) -> set[str]:
        """Files that were not met for the first time, in this way."""
        left = {old for old, _ in self.moved}
        if kind is AbsenceKind.GONE:
            left |= self.present  # a part of it is gone: the file has changed
        return {
            self._was_at[document.number] or ""
            for document in self._newly_missed()
            if _kind(document) is kind
        } - left

    def named(self, locations: Collection[str]) -> tuple[str, ...]:
        return tuple(sorted(self._documents[location].file_name for location in locations))

    def renamed(self, moves: Collection[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Old and new names, where they differ: a folder may be found elsewhere."""
        for pair in moves:
            old, new = (self._documents[location].file_name for location in pair)
            if old != new:
                yield old, new

    def _newly_missed(self) -> Iterator[KeptDocument]:
        for document in self._matched.missed:
            before = self._before[document.number].absence
            if not document.document.is_removed and (
                before is None or before.kind is not _kind(document)
            ):
                yield document


class _Contents(NamedTuple):
    """What is known of a file by its documents: the hashes of its bytes, and if it is joined."""

    hashes: set[str]
    are_joined: bool


def _contents(
    locations: Sequence[str | None], documents: Sequence[Document]
) -> dict[str, _Contents]:
    """The contents of each file, by its location."""
    files: dict[str, _Contents] = {}
    for location, document in zip(locations, documents, strict=True):
        if location is not None:
            hashes, are_joined = files.get(location, _Contents(set(), are_joined=False))
            joined = are_joined or bool(document.members)
            files[location] = _Contents(hashes | {document.sha256}, joined)
    return files


def _above(path: PurePath) -> set[str]:
    """The folders that a location, or a name, is in."""
    return set(map(str, path.parents))


def _kind(missed: KeptDocument) -> AbsenceKind | None:
    absence = missed.document.absence
    return absence.kind if absence else None


def _lost(
    files: _FileLocations, gone: set[str], folders: Sequence[Path], unusable: Mapping[Path, str]
) -> Iterator[LostFolder]:
    """The folders that lost more files than people delete one by one."""
    left, moved = set(files.earlier), {old for old, _ in files.moved}
    for folder in folders:
        top = os.path.abspath(folder)
        below = os.path.join(top, "")
        inside = {location for location in left if location == top or location.startswith(below)}
        left -= inside
        missing = inside - moved if folder in unusable else inside & gone
        many = len(missing) > FEW_FILES and len(missing) > FEW_SHARE * len(inside)
        if missing and (many or len(missing) == len(inside)):
            yield LostFolder(folder, files.named(missing), len(inside), unusable.get(folder, ""))
        before = {location for location in files.known - moved if location.startswith(below)}
        if (
            before
            and not inside
            and not any(location.startswith(below) for location in files.present)
        ):
            reason = unusable.get(folder, "")
            yield LostFolder(folder, files.named(before), len(before), reason, is_new=False)
