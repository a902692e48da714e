"""The documents that somebody names: by their whole name, its end, their folder or their person."""

from __future__ import annotations

from collections.abc import Sequence

from core.base.wording import counted, excerpt
from core.documents.model import Document
from core.documents.submissions import person_in
from core.errors import SettingsError

MOST_NAMED = 3


def document_named(documents: Sequence[Document], name: str) -> int:
    """The number of the one document with a name, or with a name that ends with it.

    Raises:
        SettingsError: There is none, or there are several.
    """
    numbers = _named(documents, name)
    if len(numbers) == 1:
        return numbers[0]
    if not numbers:
        raise SettingsError(f"There is no document “{excerpt(name)}”.")
    some = ", ".join(f"“{documents[number].name}”" for number in numbers[:MOST_NAMED])
    more = ", …" if len(numbers) > MOST_NAMED else ""
    raise SettingsError(
        f"“{excerpt(name)}” may be {counted(len(numbers), 'document')}: {some}{more}. "
        "Give more of the name."
    )


def documents_named(documents: Sequence[Document], name: str) -> tuple[int, ...]:
    """The numbers of the document with a name, of those in a folder, or of one person.

    A person is known where a learning platform has named the files (`core.documents.submissions`).

    Raises:
        SettingsError: There is none, or a file's name without its folder is that of several.
    """
    folder = name.rstrip("/") + "/"
    inside = [n for n, one in enumerate(documents) if one.name.startswith(folder)]
    if inside and not any(one.name == name for one in documents):
        return tuple(inside)
    persons = [n for n, one in enumerate(documents) if _is_of(one.name, name)]
    return tuple(persons) or (document_named(documents, name),)


def _named(documents: Sequence[Document], name: str) -> list[int]:
    exact = [n for n, one in enumerate(documents) if one.name == name]
    return exact or [n for n, one in enumerate(documents) if one.name.endswith(f"/{name}")]


def _is_of(name: str, person: str) -> bool:
    found = (person_in(step) for step in name.split("/"))
    return any(one.name == person for one in found if one)
