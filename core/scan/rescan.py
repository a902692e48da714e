"""Matches the documents of an earlier scan: unchanged, changed, moved, or missing.

Documents are recognised by the location of their file and, where that is another, by their bytes
or, in a file that was written again or converted, by their text (see `core.text.identity`):

    same location, same bytes            ─▶ unchanged      other bytes ─▶ changed
    other location, same bytes or text   ─▶ moved          no location ─▶ gone, or not read

A document that was not met is never dropped: it stays with its text, marked with the day on which
it was first missed. A folder that is not there or a file that is locked says nothing about what is
in it, so its documents count as not read, not as gone. A file that is now read as a part of a
submission, or no longer as one, is another document: the earlier one is missed only if somebody has
judged it.

The file of a missing document may be deleted, or in a folder that is elsewhere.

The list is changed in `core.review.folder_roles`. A removed document stays in the state, and
so in the review file, until it is deleted.

A rescan is reported by files: `Changes` has their numbers and names, `in_words` the sentence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

from core.base.messages import gettext, ngettext
from core.base.wording import count, printable_name
from core.documents.model import Absence, AbsenceKind, Document, FoundFile, Problem, text_key

Key = tuple[str, str]  # location of the file, part of it


class AbsolutePaths:
    """Absolute locations of files."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def key(self, document: Document) -> Key:
        """Identifies a document within its scan."""
        return self.of(document.path), document.part

    def of(self, path: Path) -> str:
        """The absolute path, links as they are; quick for many files of one folder."""
        location = str(path)
        name_start = location.rfind(os.sep) + 1
        folder = location[:name_start]
        if folder not in self._folders:
            self._folders[folder] = os.path.join(os.path.abspath(folder), "")
        return self._folders[folder] + location[name_start:]

    @staticmethod
    def inside(folder: Path) -> str:
        """The start that the locations of the files in a folder have in common."""
        return os.path.join(os.path.abspath(folder), "")


class KeptDocument(NamedTuple):
    """A document of the earlier scan that stays, as it is now, and its number there."""

    document: Document
    number: int


class Matched(NamedTuple):
    """Two scans compared, by numbers of their documents.

    Attributes:
        unchanged: Earlier and present number of documents with the same bytes at one location.
        changed: As above, of those with other bytes.
        moved: As above, of those with the same bytes, or else the same text, at another location.
        added: Present numbers of all others.
        missed: The earlier documents that were not met, those that were removed among them.
        were_at: Where the files of the earlier documents were (see `AbsolutePaths`).
        are_at: Where those of the present ones are.
    """

    unchanged: list[tuple[int, int]]
    changed: list[tuple[int, int]]
    moved: list[tuple[int, int]]
    added: list[int]
    missed: list[KeptDocument]
    were_at: list[str]
    are_at: list[str]


class ReadFiles(NamedTuple):
    """Files that a rescan has read, where some were or are read together.

    Attributes:
        alone: Locations of those that are each a document, and of the folders they are in.
        together: Locations of those that are parts of submissions.
        judged: Keys of texts with a judgement (see `core.documents.model.text_key`).
    """

    alone: Collection[str] = ()
    together: Collection[str] = ()
    judged: Collection[str] = ()

    def hold(self, document: Document, location: str) -> bool:
        """Whether an earlier document consists of files that are now read in the other way."""
        if document.is_removed or text_key(document) in self.judged:
            return False
        return location in (self.alone if document.members else self.together)


class SearchedFolders(NamedTuple):
    """Where a rescan has looked.

    Attributes:
        folders: Those it could look into.
        problems: What it could not read.
        today: The day.
        outdated: Whether the earlier texts are those of older readers.
        files: What it has read in another way than the scan before.
    """

    folders: Sequence[Path]
    problems: Sequence[Problem]
    today: date
    outdated: bool
    files: ReadFiles = ReadFiles()


def match_documents(
    before: Sequence[Document], now: Sequence[Document], searched: SearchedFolders
) -> Matched:
    """Match the documents of an earlier scan with those of the present one.

    Args:
        before: The earlier documents, also absent ones.
        now: The documents that were met.
        searched: Where they were looked for.
    """
    file_locations = AbsolutePaths()
    # What was not read again is the very same value, and most of a folder is.
    same = {id(document): number for number, document in enumerate(before)}
    known = [same.get(id(document), -1) for document in now]
    earlier = [file_locations.key(document) for document in before]
    keys = [
        earlier[number] if number >= 0 else file_locations.key(document)
        for document, number in zip(now, known, strict=True)
    ]
    blocked = _UnreadableFiles(searched)
    matching = _Matching(before, earlier, now, keys, blocked)
    unchanged = matching.by_value(known)
    unchanged += matching.by_location_and_content(_bytes_of)
    moved = matching.by_content(_bytes_of)
    rewritten = matching.by_location_and_content(_text_of)
    moved += matching.by_content(_text_of)
    changed = matching.by_location() + rewritten
    names = {document.name for document in now}  # each document of a list has its own
    # What was missed before keeps the name it had then.
    left = sorted(
        (item for item in matching.left() if not searched.files.hold(before[item[0]], item[1][0])),
        key=lambda item: before[item[0]].absence is None,
    )
    missed = [
        KeptDocument(_with_free_name(blocked.missed(before[number], location), names), number)
        for number, (location, _) in left
    ]
    locations_of = ([location for location, _ in scan_keys] for scan_keys in (earlier, keys))
    return Matched(unchanged, changed, moved, matching.rest, missed, *locations_of)


def are_unchanged(present_files: Sequence[FoundFile], documents: Sequence[Document]) -> bool:
    """Whether no file came, went or was changed since a scan that could read all of them."""
    files = {file.location: file for file in present_files}
    read = set()
    for document in documents:
        location = str(document.path)
        file = files.get(location)
        is_file = document.absence is None and not document.members
        if file is None or not (is_file and document.language):
            return False
        if (file.size, file.modified_ns) != (document.size, document.modified_ns):
            return False
        if file.name != document.file_name:
            return False
        read.add(location)
    return len(read) == len(present_files)


def today() -> date:
    """The local date."""
    return datetime.now(UTC).astimezone().date()


Matches = list[tuple[int, int]]  # earlier and present numbers


class _Matching:
    """The documents of two scans that are not accounted for yet.

    Attributes:
        rest: The present ones, by number.
    """

    def __init__(
        self,
        before: Sequence[Document],
        earlier_keys: Sequence[Key],
        now: Sequence[Document],
        keys: Sequence[Key],
        blocked: _UnreadableFiles,
    ) -> None:
        self._before, self._earlier_keys = before, earlier_keys
        self._now, self._keys = now, keys
        self._blocked = blocked
        self._left = set(range(len(before)))
        self.rest = list(range(len(now)))

    def by_value(self, known: Sequence[int]) -> Matches:
        """Documents that are values of the earlier scan, by their number there, else -1."""
        matches = [(number, index) for index, number in enumerate(known) if number >= 0]
        self._left.difference_update(number for number, _ in matches)
        self.rest = [index for index, number in enumerate(known) if number < 0]
        return matches

    def by_location_and_content(self, content_of: Callable[[Document], Hashable]) -> Matches:
        """Documents with the same location and content."""
        numbers = {
            (self._earlier_keys[number], content): number
            for number in self._ordered()
            if (content := content_of(self._before[number]))
        }
        return self._matched(
            lambda index: numbers.get((self._keys[index], content_of(self._now[index])))
        )

    def by_content(self, content_of: Callable[[Document], Hashable]) -> Matches:
        """Documents with the same content at another location.

        One whose file is no longer there comes before one whose file has another content now, and
        one of the same file name before others. A file that cannot be read did not move.
        """
        present_keys = set(self._keys)
        unmatched: dict[Hashable, list[int]] = {}
        for number in sorted(self._left):
            if not self._blocked.is_unreadable(self._before[number]):
                unmatched.setdefault(content_of(self._before[number]), []).append(number)
        unmatched.pop("", None)  # their texts are not known

        def nearest(index: int) -> int | None:
            numbers = unmatched.get(content_of(self._now[index]))
            if not numbers:
                return None
            name = self._now[index].path.name
            number = min(
                numbers,
                key=lambda candidate: (
                    self._before[candidate].is_removed,
                    self._earlier_keys[candidate] in present_keys,
                    self._before[candidate].path.name != name,
                ),
            )
            numbers.remove(number)
            return number

        return self._matched(nearest)

    def by_location(self) -> Matches:
        """Documents with the same location and another text."""
        numbers = {self._earlier_keys[number]: number for number in self._ordered()}
        return self._matched(lambda index: numbers.get(self._keys[index]))

    def _matched(self, number_of: Callable[[int], int | None]) -> Matches:
        matches, unmatched = [], []
        for index in self.rest:
            number = number_of(index)
            if number in self._left:
                self._left.remove(number)
                matches.append((number, index))
            else:
                unmatched.append(index)
        self.rest = unmatched
        return matches

    def _ordered(self) -> list[int]:
        """Present ones last: one may have come to the location that an absent one had."""
        return sorted(self._left, key=lambda number: self._before[number].absence is None)

    def left(self) -> Iterable[tuple[int, Key]]:
        """The earlier documents that were not found, with their earlier locations."""
        return ((number, self._earlier_keys[number]) for number in sorted(self._left))


class _UnreadableFiles:
    """The files and folders that a rescan could not read."""

    def __init__(self, searched: SearchedFolders) -> None:
        self._searched = searched
        self._unreadable = {problem.name for problem in searched.problems}
        self._folders = [(folder, os.path.abspath(folder)) for folder in searched.folders]

    def is_unreadable(self, document: Document) -> bool:
        """Whether the document, its file or a folder it is in is there and could not be read."""
        name = document.name
        while name:
            if name in self._unreadable:
                return True
            name = name.rpartition("/")[0]
        return False

    def missed(self, document: Document, location: str) -> Document:
        """A document that was not met; the first day on which it was missed stays."""
        path = self._path(location)
        before, searched = document.absence, self._searched
        outdated = searched.outdated or (before is not None and before.outdated)
        unreadable = self.is_unreadable(document)
        seen = path is not None and not unreadable
        kind = AbsenceKind.GONE if seen else AbsenceKind.NOT_READ
        absence = Absence(kind, searched.today, outdated)
        # Where nobody looked, a file that was gone is not back.
        if before is not None and (before.removed or before.kind is kind or path is None):
            absence = before._replace(outdated=outdated)
        return replace(document, path=path or Path(location), absence=absence)

    def _path(self, location: str) -> Path | None:
        """The path of a location in a searched folder, starting as that folder was given."""
        for folder, top in self._folders:
            if location == top:
                return folder
            start = os.path.join(top, "")
            if location.startswith(start):
                return folder / location[len(start) :]
        return None


def _with_free_name(document: Document, taken: set[str]) -> Document:
    """A document under its name, or, if that is taken, under a longer one, which is taken then."""
    name, number = document.name, 1
    while name in taken:
        suffix = f" ({number})" if number > 1 else ""
        name = f"{printable_name(document.path.parent.name)}{suffix}/{document.name}"
        number += 1
    taken.add(name)
    return document if name == document.name else replace(document, name=name)


def _text_of(document: Document) -> str:
    """The hash of its text, whatever its bytes; "" where that is not known."""
    return document.text_hash


def _bytes_of(document: Document) -> tuple[str, str]:
    """What its text follows from: its bytes and the reader."""
    return document.file_hash, document.kind


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
        changed: Files with another text or other documents in them, or none for another reason.
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
        before: The SHA-256 of the bytes of the earlier ones, by name; "" where none were read.
        now: That of the present ones; none where folders or readers are others: then files have
            other names, or other documents in them.
        found: The names of the files that were read by themselves.
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

    def replaced(self) -> list[str]:
        """The names of files with other bytes."""
        both = (self.now.keys() & self.before.keys() & self.found) - self.calm
        hashes = {name: {self.before[name], self.now[name]} for name in both}
        return [name for name, known in hashes.items() if len(known - {""}) == 2]


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
    return Changes(
        added=tuple(sorted([*came, *unread.came(earlier_unread, chain(before, now))])),
        changed=tuple(sorted({*changed, *unread.replaced()})),
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
        (read, ngettext("{n} newly read", "{n} newly read", read), ()),
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
