"""What a report is of: the pairs shown, one pair, one document, one group."""

from __future__ import annotations

from typing import NamedTuple

from core.base.wording import counted, printable_name
from core.documents.model import DocumentKey
from core.documents.submissions import person_in
from core.reports.choice import Scope
from neardup_gui.models.scan_result import DocumentNames, ListedPair


class ReportSubject(NamedTuple):
    """What a report is of.

    Attributes:
        scope: Of which pairs.
        keys: The documents it is about, which are found again in another list; empty for all.
        title: In words, as one of several to choose from.
        name: Of the file that is suggested; "" for that of the folder.
    """

    scope: Scope
    keys: tuple[DocumentKey, ...]
    title: str
    name: str = ""

    def numbers(self, names: DocumentNames) -> tuple[int, ...] | None:
        """The numbers of its documents in a list; None where one is not there any more."""
        found = [names.documents.number_of(key) for key in self.keys]
        numbers = tuple(number for number in found if number is not None)
        return numbers if len(numbers) == len(found) else None


LETTERS = 32  # of a name among others
SHOWN = ReportSubject(Scope.SHOWN, (), "All pairs that the table shows")
CONFIRMED = ReportSubject(Scope.CONFIRMED, (), "The confirmed pairs")


def of_pair(pair: ListedPair) -> ReportSubject:
    """A report of one pair."""
    a, b = (_short(name) for name in pair.names)
    return ReportSubject(Scope.PAIR, tuple(pair), f"The pair {a} and {b}", _stem(pair.names[0]))


def of_document(key: DocumentKey) -> ReportSubject:
    """A report of one document, with all pairs of it."""
    title = f"All pairs of {_short(key.name)}"
    return ReportSubject(Scope.DOCUMENT, (key,), title, _stem(key.name))


def of_person(key: DocumentKey, names: DocumentNames) -> ReportSubject | None:
    """A report of all documents of whoever handed this one in; None where it is the only one."""
    person = _person(key.name)
    if not person:
        return None
    near = (number for number, name in enumerate(names.shown) if person in name)
    own = [number for number in near if _person(names.shown[number]) == person]
    if len(own) < 2:
        return None
    title = f"All pairs of {printable_name(person)} ({counted(len(own), 'document')})"
    keys = tuple(names.key(number, number).a for number in own)
    return ReportSubject(Scope.DOCUMENT, keys, title, printable_name(person))


def of_group(keys: tuple[DocumentKey, ...]) -> ReportSubject:
    """A report of a group; the first document is its centre."""
    title = f"The group around {_short(keys[0].name)}"
    return ReportSubject(Scope.GROUP, keys, title, f"{_stem(keys[0].name)}-group")


def _person(name: str) -> str:
    """Who handed a document in, where a learning platform has named it; "" for nobody."""
    found = (person_in(step) for step in name.split("/"))
    return next((one.name for one in found if one), "")


def _short(name: str) -> str:
    """A file's name, of a long one its beginning and its end."""
    whole = _file_name(name)
    half = LETTERS // 2
    return whole if len(whole) <= LETTERS else f"{whole[:half].rstrip()}…{whole[-half:].lstrip()}"


def _file_name(name: str) -> str:
    return printable_name(name.rpartition("/")[2] or name)


def _stem(name: str) -> str:
    last = _file_name(name)
    return last.rpartition(".")[0] or last
