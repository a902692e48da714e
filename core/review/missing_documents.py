"""The commands on documents that are not there: off the list, back, deleted, found elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from core.documents import Document
from core.documents.keys import DocumentKey
from core.review.believable import check_folder
from core.review.draft import Draft
from core.review.packing import encoded
from core.scan import removal
from core.scan.history import Command

Both = tuple[Command, Command | None]  # a command and what undoes it


def remove(documents: Collection[Document]) -> Both:
    """Take missing documents off the list."""
    keys = {"documents": [list(DocumentKey.of(one)) for one in documents]}
    return Command("remove", keys), Command("bring back", keys)


def bring_back(documents: Collection[Document]) -> Both:
    """Put documents on the list again."""
    taken, back = remove(documents)
    return back or taken, taken


def delete_removed() -> Both:
    """Forget the documents that are off the list; nothing brings them back."""
    return Command("delete removed", {}), None


def found_elsewhere(folder: Path, place: Path) -> Both:
    """A folder of the scan is at another place."""
    there = Command("found elsewhere", {"folder": str(folder), "place": str(place)})
    back = Command("found elsewhere", {"folder": str(place), "place": str(folder)})
    return there, back


def carry_remove(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `remove`."""
    for number in draft.numbers_of(data):
        draft.mark(number, removed=True)


def carry_bring_back(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `bring_back`."""
    for number in draft.numbers_of(data):
        draft.mark(number, removed=False)


def carry_delete(draft: Draft, _data: Mapping[str, Any]) -> None:
    """Carry out `delete_removed`."""
    draft.change(removal.deleted)


def carry_found_elsewhere(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `found_elsewhere`."""
    folder, place = (_path(data, name) for name in ("folder", "place"))
    draft.change(lambda state: removal.relocated(state, folder, place))


def _path(data: Mapping[str, Any], name: str) -> Path:
    path = data.get(name)
    if not isinstance(path, str):
        raise TypeError(f"A command has no {name}.")
    check_folder(encoded(path), encoded(path))
    return Path(path)
