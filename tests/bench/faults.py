"""Errors at every n-th call of the system, and memory that is refused at every n-th request.

As SQLite tests itself (https://www.sqlite.org/testing.html, 3.1 to 3.3): an action is done again
and again, and each time the next call on its files fails, once or from then on, until it goes
through without meeting the fault. After each time the file is as it was before or as it should be,
it opens, nothing lies beside it, no file stayed open, and what was said is true: "saved" only where
the new state is there; otherwise a sentence.

    python tests/bench/faults.py [--only PATTERN ...] [--every 1 ...]

Prints a line for each action and error, and ends with 1 where something was not right. Every
pattern may have a number of its own. Linux, gcc, and an SQLite that is a library of its own.
"""

import errno
import gc
import itertools
import os
import re
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import fault_calls

if __name__ == "__main__":
    fault_calls.preloaded()
    fault_calls.sqlite_memory()

from fault_calls import CHANGING, FILES, Action, Calls, Kind
from options import read_options
from small_reviews import (
    ABSENT,
    NEW,
    OLD,
    Deciding,
    Exporting,
    Saving,
    Scene,
    SmallReviews,
    contents,
    not_heard,
)

from core.base.files import tidy
from core.errors import NeardupError
from core.reports.from_scan import report_of
from core.reports.html import write_html
from core.reports.model import Report
from core.reports.record import write_json
from core.reports.tables import write_csv, write_passages, write_problems
from core.review import database, save_review
from core.scan.scan import Scan

AS_BEFORE = "as it was before"  # what a sentence says where it promises that


class Fault(NamedTuple):
    """What goes wrong: at which calls, with which error, once or from then on."""

    name: str
    kinds: Kind
    action: Action
    code: int


FAULTS = (
    Fault("I/O error, once", FILES, Action.FAIL_ONCE, errno.EIO),
    Fault("I/O errors from then on", FILES, Action.FAIL_ALWAYS, errno.EIO),
    Fault("disk full from then on", Kind.WRITE | Kind.OPEN, Action.FAIL_ALWAYS, errno.ENOSPC),
    Fault("disk full in mid-write", Kind.WRITE, Action.FAIL_HALF, errno.ENOSPC),
    Fault("quota used up", Kind.WRITE | Kind.OPEN, Action.FAIL_ALWAYS, errno.EDQUOT),
    Fault("interrupted, once", CHANGING | Kind.READ, Action.FAIL_ONCE, errno.EINTR),
    Fault("no right to remove", Kind.UNLINK, Action.FAIL_ALWAYS, errno.EACCES),
    Fault("nothing is flushed", Kind.SYNC, Action.FAIL_ALWAYS, errno.EIO),
    Fault("no locks from then on", Kind.LOCK, Action.FAIL_ALWAYS, errno.ENOLCK),
    Fault("too many open files", Kind.OPEN, Action.FAIL_ONCE, errno.EMFILE),
    Fault("no memory, once", Kind.MEMORY, Action.FAIL_ONCE, errno.ENOMEM),
    Fault("no memory from then on", Kind.MEMORY, Action.FAIL_ALWAYS, errno.ENOMEM),
)


# After a failure the next who opens the review needs the companions, and removes them.
NEEDED = {"r.neardup", "r.neardup-wal", "r.neardup-shm", "r.neardup-journal"}


class Opening(Scene):
    """A review is opened and all texts are read; what a killed program left may lie beside it."""

    def __init__(self, reviews: SmallReviews, left: Path, name: str, holds: str) -> None:
        self._reviews, self._left = reviews, left
        self.name, self.states = name, (holds, holds)

    def prepare(self, folder: Path) -> None:
        for path in self._left.iterdir():
            shutil.copyfile(path, folder / path.name)

    def act(self, folder: Path, done: Callable[[int], None] = not_heard) -> None:
        content = contents(folder / "r.neardup")
        if content != self._reviews.contents[self.states[-1]]:
            raise AssertionError("Another review was read than is there.")

    def state(self, folder: Path) -> str:
        return self._reviews.which_here(folder / "r.neardup")


class Remembering(Scene):
    """The window's settings are written."""

    name, states = "settings of the window", ("first", "second")
    # Qt waits half a minute for a lock of its own that could not be removed.
    kinds = Kind.WRITE | Kind.SYNC | Kind.TRUNCATE | Kind.RENAME

    def prepare(self, folder: Path) -> None:
        self._remember(folder, self.states[0])

    def act(self, folder: Path, done: Callable[[int], None] = not_heard) -> None:
        self._remember(folder, self.states[1])

    @staticmethod
    def _remember(folder: Path, name: str) -> None:
        from PySide6.QtCore import QSettings

        from neardup_gui.environment.preferences import Preferences

        failed: list[Path] = []
        store = QSettings(str(folder / "neardup.conf"), QSettings.Format.IniFormat)
        preferences = Preferences(store)
        preferences.on_failure = failed.append
        preferences.remember(Path("/essays") / name)
        preferences.save()
        # Else they would be written once more, when the object is gone.
        failing = bool(failed)
        del preferences, store
        gc.collect()
        if failing:
            raise NeardupError("The settings cannot be written.")

    def state(self, folder: Path) -> str:
        from PySide6.QtCore import QSettings

        from neardup_gui.environment.preferences import Preferences

        # Under another name: Qt remembers what it could not write to this one.
        copy = folder.parent / "copy.conf"
        shutil.copyfile(folder / "neardup.conf", copy)
        store = QSettings(str(copy), QSettings.Format.IniFormat)
        store.sync()
        recent = Preferences(store).recent
        return Path(recent[0]).name if recent else "lost"


def scenes(work: Path) -> Iterator[Scene]:
    """All actions."""
    reviews = SmallReviews(work)
    template = reviews.template.parent
    yield Saving(reviews, "save a new review", ABSENT, NEW)
    yield Saving(reviews, "save over a review", OLD, NEW)
    yield Saving(reviews, "save a review that is open", OLD, NEW, held=True)
    yield Deciding(reviews, "decide something", 1, letters=3000)
    yield Opening(reviews, template, "open a review", OLD)
    left = work / "left"
    left.mkdir()
    differs_from_left(template, left, reviews)
    yield Opening(
        reviews, left, "open what a killed program left", reviews.which_here(left / "r.neardup")
    )
    scanned = Scan.restored(reviews.states[NEW])
    report = report_of(scanned, scanned.list_pairs())
    writers = {
        ".html": write_html, ".csv": write_csv, ".json": write_json,
        "-passages.json": write_passages, "-problems.csv": write_problems,
    }  # fmt: skip
    for name, write in writers.items():
        export = partial(_export, write, report)
        yield Exporting(f"export {name}", export, work)
    yield Remembering()


def _export(write: Callable[[Path, Report], object], report: Report, target: Path) -> None:
    write(target, report)


def calls_of_a_save(template: Path, folder: Path, reviews: SmallReviews) -> int:
    """How many calls a whole save over a review makes, in an empty folder."""
    shutil.copyfile(template / "r.neardup", folder / "r.neardup")
    calls = Calls(folder)
    with calls.at(1 << 60, Action.COUNT, kinds=CHANGING):
        save_review(folder / "r.neardup", reviews.states[NEW])
        return calls.count


def differs_from_left(template: Path, left: Path, reviews: SmallReviews) -> None:
    """Save in a process that is killed as late as it can be with something beside the review."""
    calls = calls_of_a_save(template, left, reviews)
    while calls:
        for path in left.iterdir():
            path.unlink()
        shutil.copyfile(template / "r.neardup", left / "r.neardup")
        child = os.fork()
        if not child:
            with Calls(left).at(calls, Action.KILL, kinds=CHANGING):
                save_review(left / "r.neardup", reviews.states[NEW])
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and any(
            path.name != "r.neardup" and path.stat().st_size for path in left.iterdir()
        ):
            return
        calls -= 1
    raise AssertionError("A killed program left nothing beside the review.")


class Run(NamedTuple):
    """A fault that was met: the answer, None for "done", and the kind of call that failed."""

    scene: Scene
    fault: Fault
    answer: str | None
    hit: Kind


class Trouble(NamedTuple):
    """Something that was not right."""

    scene: str
    fault: str
    number: int
    hit: Kind
    sentence: str


class Campaign:
    """All faults in all scenes.

    Attributes:
        troubles: What was not right.
        runs: How many faults there were.
    """

    def __init__(self, folder: Path) -> None:
        self.troubles: list[Trouble] = []
        self.runs = 0
        self._folder = folder
        self._calls = Calls(folder)

    def run(self, scene: Scene, fault: Fault, every: int) -> Counter[str]:
        """One fault at every n-th call of one scene; how often it was reported done, and not."""
        counts: Counter[str] = Counter()
        # Requests for memory are ten times as many as calls.
        step = every * (10 if every > 1 and fault.kinds is Kind.MEMORY else 1)
        for number in itertools.count(1, step):
            self._empty()
            scene.prepare(self._folder)
            names_before = self._names()
            with self._calls.at(number, fault.action, fault.code, fault.kinds & scene.kinds):
                answer = self._said(scene)
            hit = self._calls.hit
            if hit is None:
                break
            self.runs += 1
            judgement = self._judged(Run(scene, fault, answer, hit), names_before)
            counts[judgement] += 1
            if judgement.startswith("WRONG"):
                self.troubles.append(Trouble(scene.name, fault.name, number, hit, judgement))
        return counts

    def _said(self, scene: Scene) -> str | None:
        """The sentence; None where it was reported done. Any other error is returned as it is."""
        try:
            scene.act(self._folder)
        except NeardupError as error:
            return str(error)
        except MemoryError:
            return "MemoryError"  # the programs say a sentence for it, whatever they do
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            trace = "".join(traceback.format_exception(error)[-3:])
            return f"WRONG: {type(error).__name__}: {error}\n{trace}"
        return None

    def _judged(self, run: Run, names_before: set[str]) -> str:
        """What came of it, beginning with WRONG where that must not be."""
        scene, answer = run.scene, run.answer
        if answer is not None and answer.startswith("WRONG"):
            return answer
        try:
            gc.collect()
            wrong = next(self._after(run.fault, names_before, run.hit), "")
            alone = answer is None and scene.is_complete
            if alone and scene.state_elsewhere(self._folder) != scene.states[-1]:
                wrong = wrong or "said to be done, and the one file alone has it not"
            state = scene.state(self._folder)
            wrong = wrong or next(_untrue(run, state), "") or next(self._later(names_before), "")
        except (NeardupError, AssertionError, OSError) as error:
            wrong = str(error)
        if wrong:
            return f"WRONG: {wrong} (said: {answer})"
        if answer is None:
            return "done"
        return f"refused, {state if scene.states[0] != scene.states[-1] else 'whole'}"

    def _after(self, fault: Fault, names_before: set[str], hit: Kind) -> Iterator[str]:
        """What must not be right after it; what cannot be removed stays until the next start."""
        if self._calls.open_files:
            yield f"{self._calls.open_files} files stayed open"
        left = self._names() - names_before - NEEDED
        removable = fault.action is not Action.FAIL_ALWAYS or not fault.kinds & Kind.UNLINK
        if left and removable and hit is not Kind.UNLINK:
            yield f"left behind: {sorted(left)}"

    def _later(self, names_before: set[str]) -> Iterator[str]:
        """What must not be after the next start."""
        tidy(self._folder)
        left = self._names() - names_before - {"r.neardup"}
        if left:
            yield f"not removed later: {sorted(left)}"

    def _names(self) -> set[str]:
        return {path.name for path in self._folder.iterdir()}

    def _empty(self) -> None:
        for path in self._folder.iterdir():
            path.unlink()


def _untrue(run: Run, state: str) -> Iterator[str]:
    """Each claim of the answer that is not true."""
    (before, after), answer = run.scene.states, run.answer
    if state not in {before, after}:
        yield f"{state} is there, neither the old state nor the new one"
    if answer is None and state != after:
        yield f"said to be done, and {state} is there"
    if answer and AS_BEFORE in answer and state != before:
        yield f"said to be as before, and {state} is there"
    # A part of a disk that cannot be read: SQLite itself calls that a corrupt file system.
    if answer and "damaged" in answer and run.hit is not Kind.READ:
        yield "said to be damaged, and it is whole"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything and print a line for each; 1 where something was wrong."""
    options = read_options(__doc__, arguments, only=("",), every=(1,))
    chosen = list(zip(options.only, itertools.cycle(options.every), strict=False))
    database.PATIENCE = 0.01
    with tempfile.TemporaryDirectory() as name:
        watched = Path(name, "watched")
        watched.mkdir()
        campaign = Campaign(watched)
        for scene, fault in itertools.product(scenes(Path(name, "place")), FAULTS):
            words = f"{scene.name}: {fault.name}"
            every = next((n for pattern, n in chosen if re.search(pattern, words)), 0)
            if every:
                counts = campaign.run(scene, fault, every)
                words = ", ".join(f"{n} {reason[:60]}" for reason, n in sorted(counts.items()))
                print(f"{scene.name:32} {fault.name:24} {words or 'never met'}", flush=True)
    for trouble in campaign.troubles:
        call = f"{trouble.scene}, {trouble.fault}, call {trouble.number}, {trouble.hit.name}"
        print(f"{call}: {trouble.sentence}")
    print(f"{campaign.runs:,} faults, {len(campaign.troubles)} not as they must be")
    return 1 if campaign.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
