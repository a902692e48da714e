"""One folder is one submission: which files belong together, and whose they are.

    files of a folder ─▶ the level ─▶ submissions, each of files and named after its person

The level is the innermost folder that holds everything: below it each folder is a submission, with
all that is in it, however deep. What learning platforms give out is known by its names:

    Moodle    Ada Lovelace_12345_assignsubmission_file_/essay.docx        a folder for each way in
              Ada Lovelace_12345_assignsubmission_onlinetext_/onlinetext.html     which one hands in
    Canvas    lovelaceada_LATE_12345_67890_essay.docx                     all files in one folder

There the person is what the names begin with. A file that lies at the level by itself stays one.

Also what names of files and folders tell: versions of one document, folders of earlier years.

A question that does not fit is worse than none: a bare number or a date is no version ("lab1",
"chapter 2", "minutes 2024-05-01"), and a year is one only where all else in two names is the same.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from core.base.patterns import lazy_pattern
from core.documents.model import FolderRoles, FoundFile

MOST_VERSIONS = 12
LONGEST_AGO = 10  # years
_VERSION = lazy_pattern(
    r"(?:(?:^|[\W_]+)(?:v\d+(?:[._]\d+)*"
    r"|(?:version|revision|rev|draft|entwurf|fassung|brouillon|borrador|مسودة)"
    r"(?:[\W_]*\d+(?:[._]\d+)*)?"
    r"|final|signed|clean|redline|revised|copy|kopie|copie|copia|نهائي)"
    r"|初稿|终稿|定稿|修订版|修改稿|第\d+版)[\W_]*$"
)
_YEAR = lazy_pattern(
    r"(?<!\d)(?<!\d[-_. ])(?P<year>20\d\d)(?:[-–_](?P<next>(?:20)?\d\d))?(?![-_. ]?\d)"
)


def are_versions(names: Sequence[str]) -> bool:
    """Whether names are those of versions of one document: "contract v1.docx", "contract v2.docx".

    Args:
        names: Of all documents, with their folders, which must be the same.
    """
    if not 2 <= len(names) <= MOST_VERSIONS:
        return False
    titles = {str(PurePosixPath(name).with_suffix("")).casefold() for name in names}
    stems = set()
    for title in titles:
        stem = title
        while (shorter := _VERSION.sub("", stem)) != stem:
            stem = shorter
        stems.add(stem)
    return len(titles) > 1 and len(stems) == 1


def earlier_years(name: str, others: Iterable[str]) -> list[str]:
    """The folders that are called as one is, but for an earlier year; the latest comes last.

    A year may be that of a course: "essays-2024-25". Two names are of the same kind only where all
    else in them is the same, so "2024-05-01" is of no year.
    """
    known = _with_year(name)
    if known is None:
        return []
    stem, year = known
    earlier = []
    for other in others:
        found = _with_year(other)
        if found and found[0] == stem and 0 < year - found[1] <= LONGEST_AGO:
            earlier.append((found[1], other))
    return [other for _, other in sorted(earlier)]


def _with_year(name: str) -> tuple[tuple[str, str], int] | None:
    """What stands around the one year in a name, and the year; None where there is none."""
    folded = name.casefold()
    matches = list(_YEAR.finditer(folded))
    if len(matches) != 1:
        return None
    (match,) = matches
    year, following = int(match["year"]), match["next"]
    is_course = not following or int(following) % 100 == (year + 1) % 100
    if not is_course or year > date.today().year + 1:  # noqa: DTZ011 - of the user's calendar
        return None
    return (folded[: match.start()], folded[match.end() :]), year


MOODLE = lazy_pattern(
    r"(?P<person>.+)_(?P<number>\d+)_assignsubmission_(?:[a-z]+)(?:_(?P<title>.*))?", re.DOTALL
)
CANVAS = lazy_pattern(
    r"(?P<person>[^_/]+)_(?:LATE_)?(?P<number>\d{2,})_\d{2,}_(?P<title>.+)", re.DOTALL
)
LEAST_DIGITS = 4
YEARS = frozenset(map(str, range(1900, 2101)))
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")


class FoundSubmission(NamedTuple):
    """Files that are one document.

    Attributes:
        location: Where it is: its folder, or its first file.
        name: What the user sees.
        size: Bytes of all files.
        modified_ns: The latest change of one.
        files: The files, in the order of the names within the submission.
        titles: These names.
        is_archive: Whether it is one archive that may hold several submissions.
    """

    location: str
    name: str
    size: int
    modified_ns: int
    files: tuple[FoundFile, ...]
    titles: tuple[str, ...]
    is_archive: bool = False

    @property
    def file(self) -> FoundFile:
        """As if it were a file."""
        real = self.files[0].real if self.location == self.files[0].location else ""
        return FoundFile(self.location, self.name, self.size, self.modified_ns, real=real)


class Grouped(NamedTuple):
    """A submission among names.

    Attributes:
        name: What it is called; "" for a file by itself.
        folder: The part of its names that it is found by.
        members: Number and title of each name that belongs to it.
    """

    name: str
    folder: str
    members: list[tuple[int, str]]


class Person(NamedTuple):
    """Who a learning platform says a file is of: a name, and the numbers it gave."""

    name: str
    numbers: tuple[str, ...]


def person_in(step: str) -> Person | None:
    """Whose a file or folder is, by its name as a learning platform writes it; None for no such.

    Canvas numbers shorter than `LEAST_DIGITS` are taken for a date or a count: "report_2024_11_a".
    """
    match = MOODLE.fullmatch(step)
    if match:
        return Person(match["person"], (match["number"],))
    match = CANVAS.fullmatch(step)
    if not match:
        return None
    numbers = tuple(re.findall(r"\d+", step[match.end("person") : match.start("title")]))
    is_canvas = all(len(number) >= LEAST_DIGITS for number in numbers)
    return Person(match["person"], numbers) if is_canvas else None


def people_with_several(names: Sequence[str]) -> int:
    """How many people handed in these documents as single files, some of them several.

    0 unless joining them would make one document of each person: where nobody has several, where a
    folder holds those of several people, or where most names are of no learning platform.
    """
    persons = [_person_of(name) for name in names]
    if 2 * (len(persons) - persons.count(None)) < max(len(names), 1):
        return 0
    people, several = 0, False
    for submission in group(names, archives=False):
        handed_in = {persons[number] for number, _ in submission.members}
        if handed_in == {None} and len(submission.members) == 1:
            continue
        if len(handed_in) > 1 or None in handed_in:
            return 0
        people += 1
        several = several or len(submission.members) > 1
    return people if several and people > 1 else 0


def _person_of(name: str) -> tuple[str, str] | None:
    """Name and number of a person; "survey_2024_2025_north", with years only, names none."""
    person = next(filter(None, map(person_in, name.split("/"))), None)
    if person is None or all(number in YEARS for number in person.numbers):
        return None
    return person.name, person.numbers[0]


def gather(
    found: Sequence[FoundFile], folders: Sequence[Path], *, archives: bool
) -> list[FoundFile | FoundSubmission]:
    """The files of folders as submissions, and those that are none, sorted by name.

    Args:
        found: The files.
        folders: The folders that were searched.
        archives: Whether archives are opened: then one is like a folder.
    """
    places = FolderRoles(folders)
    inside: dict[int | None, list[FoundFile]] = {}
    for file in found:
        inside.setdefault(places.folder_of(file.location), []).append(file)
    units: list[FoundFile | FoundSubmission] = []
    for number, files in inside.items():
        top = None if number is None else os.path.join(str(folders[number]), "")
        if top is None or any(not file.location.startswith(top) for file in files):
            is_chosen = number is not None and files[0].location == str(folders[number])
            if archives and is_chosen and _is_archive(files[0].name):  # it is like its folder
                units += _units(files, [files[0].name], archives)
            else:
                units += files
            continue
        names = [file.location[len(top) :].replace(os.sep, "/") for file in files]
        units += _units(files, names, archives)
    return sorted(units, key=lambda unit: unit.name)


def _units(
    files: Sequence[FoundFile],
    names: Sequence[str],
    archives: bool,  # noqa: FBT001
) -> Iterator[FoundFile | FoundSubmission]:
    if archives and len(files) == 1 and _is_archive(names[0]):
        (file,) = files
        yield FoundSubmission(*file[:4], files=(file,), titles=("",), is_archive=True)
        return
    for submission in group(names, archives=archives):
        members = [files[number] for number, _ in submission.members]
        if not submission.name:
            yield members[0]
            continue
        numbers, top = [number for number, _ in submission.members], f"{submission.folder}/"
        first = next((n for n in numbers if names[n].startswith(top)), numbers[0])
        location, name = files[first].location, files[first].name
        start = name[: len(name) - len(names[first])]
        if names[first].startswith(top):
            location = location[: len(location) - len(names[first]) + len(submission.folder)]
        yield FoundSubmission(
            location,
            start + submission.folder[: submission.folder.rfind("/") + 1] + submission.name,
            sum(file.size for file in members),
            max(file.modified_ns for file in members),
            tuple(members),
            tuple(title for _, title in submission.members),
        )


def group(names: Sequence[str], *, archives: bool) -> list[Grouped]:
    """Names of files as submissions, in the order of the names.

    Args:
        names: Paths with "/", from one folder.
        archives: Whether an archive at the level is a submission.
    """
    level = _level(names)
    rest = [name[len(level) :] for name in names]
    flat = [name for name in rest if "/" not in name]
    is_canvas = bool(flat) and all(CANVAS.fullmatch(name) for name in flat)
    submissions: dict[str, tuple[str, str, list[tuple[int, str]]]] = {}
    # A folder comes before the archive of its name: where both are, the submission is the folder.
    for number in sorted(range(len(names)), key=lambda index: rest[index].split("/")):
        key, person, folder, title = _owner(rest[number], is_canvas, archives)
        _, _, members = submissions.setdefault(key, (person, folder, []))
        members.append((number, title))
    people = Counter(person for person, _, _ in submissions.values())
    return [
        Grouped(
            person if people[person] < 2 or not person else _numbered(person, key),
            level + folder,
            _with_distinct_titles(members, rest),
        )
        for key, (person, folder, members) in submissions.items()
    ]


def possible_names(name: str) -> set[str]:
    """The names that submissions with this file may get, whatever other files there are.

    Args:
        name: Of the file, with its folders.
    """
    steps = name.split("/")
    possible = set()
    for depth in range(len(steps)):
        key, person, _, _ = _owner("/".join(steps[depth:]), is_canvas=True, archives=True)
        above = "".join(f"{step}/" for step in steps[:depth])
        if person:
            possible |= {above + person, above + _numbered(person, key)}
    return possible


def _numbered(person: str, key: str) -> str:
    """The name of one of several people of that name, with the number of the platform."""
    return f"{person} ({key.rpartition('_')[2]})"


def _owner(name: str, is_canvas: bool, archives: bool) -> tuple[str, str, str, str]:  # noqa: FBT001
    """Of a name below the level what its submission is known by, its person, folder and title."""
    first, slash, inside = name.partition("/")
    moodle = MOODLE.fullmatch(first)
    if moodle and (slash or moodle["title"]):
        title = inside if slash else moodle["title"]
        return f"{moodle['person']}_{moodle['number']}", moodle["person"], first, title
    if slash:
        return f"{first}/", first, first, inside
    canvas = CANVAS.fullmatch(first) if is_canvas else None
    if canvas:
        key = f"{canvas['person']}_{canvas['number']}"
        return key, canvas["person"], first, canvas["title"]
    if archives and _is_archive(first):
        person = PurePosixPath(first).stem.removesuffix(".tar")
        return f"{person}/", person, first, first
    return f"/{name}", "", first, name


def _level(names: Sequence[str]) -> str:
    """What all names begin with, up to the folder below which each folder is a submission."""
    folders = [name.split("/")[:-1] for name in names]
    levels = zip(*folders, strict=False)
    same = [steps[0] for steps in takewhile(lambda steps: len(set(steps)) == 1, levels)]
    moodle = (index for index, step in enumerate(same) if MOODLE.fullmatch(step))
    del same[next(moodle, len(same)) :]
    if same and all(len(folder) == len(same) for folder in folders):
        same.pop()  # one folder with nothing but files is a submission
    return "".join(f"{step}/" for step in same)


def _with_distinct_titles(
    members: list[tuple[int, str]], names: Sequence[str]
) -> list[tuple[int, str]]:
    """Members with titles that differ."""
    titles = Counter(title for _, title in members)
    return sorted(
        ((number, title if titles[title] < 2 else names[number]) for number, title in members),
        key=lambda member: member[1],
    )


def _is_archive(name: str) -> bool:
    return name.lower().endswith(ARCHIVES)
