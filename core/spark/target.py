"""What the folder of a run holds, and whether a run may write there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core.base.wording import listed, printable_name
from core.documents.roles import Role
from core.errors import ClusterError
from core.settings import ScanSettings
from core.spark.file_system import Folder
from core.spark.manifest import BEGUN, FINISHED, Manifest, Source
from core.spark.options import RunOptions
from core.spark.run_lock import LOCK
from core.spark.versions import versions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def asked_for(
    session: SparkSession,
    sources: Sequence[str],
    target: Folder,
    settings: ScanSettings,
    options: RunOptions,
) -> Manifest:
    """What the run is asked for.

    Raises:
        ClusterError: A source is not there, or overlaps with the target.
    """
    found = []
    for number, source in enumerate(sources):
        place = Folder(session, source)
        held = place.held()
        if held is None:
            raise ClusterError(f"There is no {shown(place.place)}.")
        if _is_within(target.place, place.place) or _is_within(place.place, target.place):
            raise ClusterError(
                f"The tables of a run cannot lie where its documents are: {shown(target.place)} "
                f"and {shown(place.place)}. Give another target."
            )
        role = options.roles[number] if number < len(options.roles) else Role.REVIEW
        found.append(Source(place.place, role, *held))
    return Manifest(
        settings=settings,
        reading=options.reading,
        rules=options.rules,
        sources=tuple(found),
        text_column=options.text_column,
        id_column=options.id_column,
        versions=versions(),
        begun=now(),
    )


def earlier_run(folder: Folder, asked: Manifest, *, resume: bool) -> Manifest | None:
    """The run that a target holds already and that this one goes on with; None for none.

    Raises:
        ClusterError: The target holds something else, or a run that this one cannot go on with.
    """
    if not folder.exists():
        return None
    if not folder.is_folder():
        raise ClusterError(f"{shown(folder.place)} is a file. Give a folder for the run.")
    names = [name for name in folder.names() if not name.startswith(LOCK)]
    text = folder.read(FINISHED) or folder.read(BEGUN)
    if text is None:
        if names:
            raise ClusterError(
                f"{shown(folder.place)} holds something else than a run, as "
                f"“{printable_name(names[0])}”. Give a folder that is empty or not there."
            )
        return None
    earlier = manifest_in(folder, text)
    if not resume:
        raise ClusterError(
            f"{shown(folder.place)} holds a finished run. Give another folder."
            if earlier.result
            else f"{shown(folder.place)} holds a run that was stopped. Go on with --resume, or "
            "give another folder."
        )
    others = earlier.differences(asked)
    if others:
        raise ClusterError(
            f"The run in {shown(folder.place)} cannot go on: {listed(others)} are not what they "
            "were when it began. Give another folder."
        )
    return earlier


def manifest_in(folder: Folder, text: str) -> Manifest:
    """A manifest that was read in a folder.

    Raises:
        ClusterError: It is none.
    """
    try:
        return Manifest.of_json(text)
    except ClusterError as error:
        raise ClusterError(
            f"What {shown(folder.place)} says of its run cannot be used: {error}"
        ) from error


def _is_within(place: str, other: str) -> bool:
    return f"{place}/".startswith(f"{other.rstrip('/')}/")


def shown(place: str) -> str:
    """A place as sentences have it."""
    return f"“{printable_name(place)}”"


def now() -> str:
    """The time as manifests have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
