"""Documents that are not there: which they are, deleted, or in a folder that is elsewhere.

The list is changed in `core.review.folder_roles`. A removed document stays in the state, and
so in the review file, until it is deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.documents import Document
from core.documents.model import AbsenceKind
from core.scan.rescan import Places
from core.scan.state import ScanState
from core.text.store import TextStore


def missing(state: ScanState) -> list[Document]:
    """The listed documents that the last rescan did not meet."""
    return [one for one in state.documents if one.absence and not one.is_removed]


def gone_for_sure(state: ScanState) -> list[Document]:
    """Those of them that are gone from a folder in which others still are.

    A folder that is empty may be one that is not connected.
    """
    places = Places()
    empty = tuple(places.inside(folder) for folder in empty_folders(state))
    return [
        one
        for one in missing(state)
        if one.absence
        and one.absence.kind is AbsenceKind.GONE
        and not places.of(one.path).startswith(empty)
    ]


def empty_folders(state: ScanState) -> Iterator[Path]:
    """The folders in which no document is any more, of those that had some."""
    places = Places()
    there = [places.of(one.path) for one in state.documents if one.absence is None]
    lost = [places.of(one.path) for one in missing(state)]
    for folder in state.folders:
        start = places.inside(folder)
        if any(place.startswith(start) for place in lost) and not any(
            place.startswith(start) for place in there
        ):
            yield folder


def deleted(state: ScanState) -> ScanState:
    """The state without its removed documents."""
    rows = np.array(
        [number for number, one in enumerate(state.documents) if not one.is_removed], np.int64
    )
    texts = TextStore()
    texts.adopt(state.texts, np.array([one.characters for one in state.documents], np.int64))
    texts.put_aside(state.set_aside)
    texts = texts.arranged(rows)
    places = np.full(len(state.documents), -1, dtype=np.int64)
    places[rows] = np.arange(len(rows))
    return state._replace(
        documents=tuple(state.documents[row] for row in rows),
        texts=texts,
        signed=state.signed.take(rows),
        evidence=state.evidence.renumbered(places, len(rows)),
        set_aside=texts.set_aside,
    )


def relocated(state: ScanState, folder: Path, place: Path) -> ScanState:
    """The state of a folder that is somewhere else now; its files are where they were in it.

    So are the folders in it that have a role of their own.
    """
    places, start = Places(), Places.inside(folder)

    def moved(path: Path) -> Path:
        at = places.of(path)
        return place / at[len(start) :] if at.startswith(start) else path

    def with_path(one: Document) -> Document:
        path = moved(one.path)
        return one if path is one.path else replace(one, path=path)

    return state._replace(
        folders=tuple(place if one == folder else moved(one) for one in state.folders),
        documents=tuple(with_path(one) for one in state.documents),
    )
