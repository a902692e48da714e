"""Power cuts, simulated: what was not flushed is gone, in part or as a whole, in any order.

Every write, flush, cut, renaming and removal that a save makes is recorded (faults.c). For each
moment the folder is then built as a disk could have it: what was flushed is there; of everything
else any sectors, some of them torn, and any names. What is opened is the old state or the new one,
and the new one as soon as it was said to be saved, also without its companions.

    python tests/bench/power_loss.py [--draws 20] [--seed 0] [--only PATTERN]

Two kinds of disks are drawn: those that keep the order of changed names, as file systems with a
journal do, and those that keep no order at all. Linux, gcc, and an SQLite that is a library.
"""

import os
import random
import re
import shutil
import struct
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import fault_calls

if __name__ == "__main__":
    fault_calls.preloaded()

from fault_calls import Calls
from options import read_options
from small_reviews import ABSENT, NEW, OLD, Deciding, Exporting, Saving, Scene, SmallReviews

from core.base.files import replaced_bytes
from core.errors import NeardupError

HEAD = struct.Struct("<IQqI")
CREATE, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MARK, LINK = range(1, 9)
SECTOR = 512
CHANCES = (0.0, 0.2, 0.5, 0.8, 1.0)  # that something which was not flushed is there all the same
TORN = 0.05  # of the sectors that are there


class Event(NamedTuple):
    """A call: what, on which inode, at which place, with which bytes or names."""

    kind: int
    inode: int
    where: int
    data: bytes


def events_of(path: Path) -> list[Event]:
    """What was recorded."""
    data, offset, events = path.read_bytes(), 0, []
    while offset < len(data):
        kind, inode, offset_in_file, size = HEAD.unpack_from(data, offset)
        offset += HEAD.size
        events.append(Event(kind, inode, offset_in_file, data[offset : offset + size]))
        offset += size
    return events


@dataclass
class File:
    """What is on the disk for sure, and what may be; a cut has no bytes."""

    kept: bytearray
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def flush(self) -> None:
        """Everything is on the disk."""
        for offset, data in self.pending:
            _apply(self.kept, offset, data)
        self.pending.clear()

    def drawn(self, rng: random.Random) -> bytes:
        """What could be there after a power cut."""
        content = bytearray(self.kept)
        chance = rng.choice(CHANCES)
        for offset, data in self.pending:
            if data is None:
                if rng.random() < chance:
                    _apply(content, offset, None)
                continue
            for start in range(0, len(data), SECTOR):
                if rng.random() < chance:
                    part = data[start : start + SECTOR]
                    torn = rng.randrange(len(part) + 1) if rng.random() < TORN else len(part)
                    _apply(content, offset + start, part[:torn])
        return bytes(content)


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        content[:] = content[:offset].ljust(offset, b"\0")
    elif data:
        content.extend(bytes(max(0, offset - len(content))))
        content[offset : offset + len(data)] = data


class Disk:
    """A folder as calls leave it, and as a power cut could.

    Attributes:
        marked: The last thing that was said.
    """

    def __init__(self, folder: Path) -> None:
        self.marked = 0
        self._folder = folder
        self._inode = folder.stat().st_ino
        self._files: dict[int, File] = {}
        self._names: dict[str, File] = {}
        self._pending: list[tuple[str, str, File | None]] = []
        for path in folder.iterdir():
            file = File(bytearray(path.read_bytes()))
            self._files[path.stat().st_ino] = self._names[path.name] = file

    def take(self, event: Event) -> None:
        """Let a call happen."""
        file = self._files.get(event.inode)
        if event.kind == MARK:
            self.marked = event.where
        elif event.kind in {CREATE, RENAME, UNLINK, LINK}:
            self._rename(event)
        elif event.kind == SYNC and event.inode == self._inode:
            self._names = _named(self._names, self._pending)
            self._pending.clear()
        elif file and event.kind == SYNC:
            file.flush()
        elif file:
            file.pending.append((event.where, event.data if event.kind == WRITE else None))

    def _rename(self, event: Event) -> None:
        names = [os.path.basename(name) for name in os.fsdecode(event.data).split("\0")]  # noqa: PTH119
        if event.kind == CREATE:
            self._files[event.inode] = File(bytearray())
        if event.kind in {CREATE, LINK}:
            self._pending.append(("", names[0], self._files[event.inode]))
        elif event.kind == UNLINK:
            self._pending.append((names[0], "", None))
        else:
            self._pending.append((names[0], names[1], None))

    def draw(self, folder: Path, rng: random.Random, *, in_order: bool) -> None:
        """Build in an empty folder what could be there after a power cut."""
        if in_order:
            happened = self._pending[: rng.randrange(len(self._pending) + 1)]
        else:
            chance = rng.choice(CHANCES)
            happened = [each for each in self._pending if rng.random() < chance]
        for name, file in self._named_in(happened).items():
            (folder / name).write_bytes(file.drawn(rng))

    def _named_in(self, happened: Sequence[tuple[str, str, File | None]]) -> dict[str, File]:
        """The names after some of what is pending; a lost creation may be needed by a renaming."""
        created = {new: file for _, new, file in self._pending if file is not None}
        return _named(self._names, happened, created)


def _named(
    names: dict[str, File],
    changes: Sequence[tuple[str, str, File | None]],
    created: dict[str, File] | None = None,
) -> dict[str, File]:
    names = dict(names)
    for old, new, file in changes:
        file_there = file or names.pop(old, None) or (created or {}).get(old)
        if new and file_there:
            names[new] = file_there
    return names


def scenes(work: Path) -> Iterator[Scene]:
    """Everything that is saved."""
    reviews = SmallReviews(work)
    yield Saving(reviews, "a new review", ABSENT, NEW)
    yield Saving(reviews, "a review that is there", OLD, NEW)
    yield Saving(reviews, "the same, three times", OLD, NEW, OLD, NEW)
    yield Saving(reviews, "the same while it is open", OLD, NEW, OLD, held=True)
    yield Deciding(reviews, "decisions", 5, letters=900)
    yield Exporting("a report", write_report, work)


def write_report(path: Path) -> None:
    """In several pieces."""
    with replaced_bytes(path) as file:
        for _ in range(5):
            file.write(b"new" * 3000)


class PowerCuts:
    """Cuts the power at every moment of a scene.

    Attributes:
        cuts: How many cuts there were.
        troubles: What was not as it must be.
    """

    def __init__(self, work: Path, draws: int, seed: int) -> None:
        self.cuts = 0
        self.troubles: list[str] = []
        self._place, self._draws, self._seed = work, draws, seed
        self._watched = work / "watched"
        self._watched.mkdir()
        self._calls = Calls(self._watched)

    def run(self, scene: Scene) -> int:
        """All moments of one scene; how many calls it makes."""
        shutil.rmtree(self._watched)
        self._watched.mkdir()
        scene.prepare(self._watched)
        disk = Disk(self._watched)
        record = self._place / "record"
        with self._calls.recorded(record):
            scene.act(self._watched, self._calls.mark)
        events = events_of(record)
        for moment, event in enumerate([None, *events]):
            if event is not None:
                disk.take(event)
            for draw in range(self._draws):
                self._cut(scene, disk, moment, draw)
        return len(events)

    def _cut(self, scene: Scene, disk: Disk, moment: int, draw: int) -> None:
        rng = random.Random(f"{self._seed} {scene.name} {moment} {draw}")
        in_order = draw % 2 == 0
        folder = self._place / "drawn"
        folder.mkdir()
        disk.draw(folder, rng, in_order=in_order)
        self.cuts += 1
        # What was said last is there, or what would have been said next.
        allowed = scene.states[disk.marked : disk.marked + 2]
        order = "in order" if in_order else "in no order"
        moment_text = f"{scene.name}, moment {moment}, draw {draw} ({order})"
        names = sorted(path.name for path in folder.iterdir())
        try:
            if disk.marked and disk.marked == len(scene.states) - 1:
                state = scene.state_elsewhere(folder)
                if state not in allowed:
                    self.troubles.append(f"{moment_text}: {state} in the one file; {names}")
            state = scene.state(folder)
            if state not in allowed:
                self.troubles.append(f"{moment_text}: {state} instead of {allowed}; {names}")
        except (NeardupError, AssertionError, OSError) as error:
            self.troubles.append(f"{moment_text}: {error}; {names}")
        shutil.rmtree(folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Cut the power everywhere; 1 where something was not right."""
    options = read_options(__doc__, arguments, draws=20, seed=0, only="")
    with tempfile.TemporaryDirectory() as name:
        cuts = PowerCuts(Path(name), options.draws, options.seed)
        for scene in scenes(Path(name, "place")):
            if re.search(options.only, scene.name):
                before, wrong = cuts.cuts, len(cuts.troubles)
                calls = cuts.run(scene)
                wrong = len(cuts.troubles) - wrong
                print(
                    f"{scene.name:26} {calls:4} calls {cuts.cuts - before:6,} cuts {wrong:4} wrong",
                    flush=True,
                )
    for trouble in cuts.troubles[:50]:
        print(trouble)
    print(f"{cuts.cuts:,} power cuts, {len(cuts.troubles)} not as they must be")
    return 1 if cuts.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
