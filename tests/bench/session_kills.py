"""Kills of the window in the middle of a review: what it said to be saved is there, at any moment.

The real window, on a screen of its own (Xvfb), is driven by keys: verdicts, notes, undo and redo,
documents taken off the list, rescans of files that were edited. It tells of each decision, and when
all of them are saved, and is killed with SIGKILL at a random moment. Then the file is opened, and
the next window goes on with it:

    saved    what the window took for saved is in the file, while it showed "saved · name"
    second   so is what was decided more than a second before the kill
    order    the entries are those that were decided, in their order, and no others
    whole    the file opens without a remark, and nothing is left beside it
    shown    the next window begins with all of it

    python tests/bench/session_kills.py [--kills 500] [--seed 0]

Ends with 1 where something was not right. For Linux, with Xvfb.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

DOCUMENTS = 30
ENTRIES_OF_REVIEW = 600  # then another review is begun
SHORTEST, LONGEST = 0.05, 4.0  # seconds from the list of pairs to the kill
EARLY, EARLIEST = 0.1, 2.0  # of the kills, within so many seconds of the start
MOST_LOST = 1.0  # seconds of work that a kill may cost
PATIENCE = 300.0
# What every window imports: one process imports it, and the others come from that.
MODULES = ("core.commands.scan", "core.review", "core.scan.flow", "core.reports.from_scan",
           "neardup_gui.app", "PySide6.QtTest")  # fmt: skip


class Told(NamedTuple):
    """What a window said before it was killed.

    Attributes:
        begun_with: Digests of the entries it began with; None where it did not come so far.
        decided: Digest of each entry since, with the time.
        saved: The most entries that were said to be saved.
        broke: What went wrong in it.
    """

    begun_with: list[str] | None
    decided: list[tuple[str, float]]
    saved: int
    broke: str


# The window that is killed


def session(folder: Path, home: Path, seed: int, says: int) -> NoReturn:
    """Open the folder in the window and decide one thing after the other."""
    from PySide6.QtCore import QSettings, QTimer
    from PySide6.QtWidgets import QApplication

    from neardup_gui.app import build_window
    from neardup_gui.environment.preferences import Preferences
    from neardup_gui.models.folder_reviews import FolderReviews

    application = QApplication(["neardup"])
    settings = QSettings(str(home / "settings.ini"), QSettings.Format.IniFormat)
    window = build_window(application, Preferences(settings), FolderReviews(home / "reviews"))
    window.presenter.broke.connect(lambda error: tell(says, "broke", repr(error)))
    window.resize(1200, 780)
    window.show()
    reviewer = Reviewer(window, folder, random.Random(seed), says)
    timer = QTimer(interval=1)
    timer.timeout.connect(reviewer.go_on)
    window.presenter.preparation.begin()
    window.presenter.open_paths([folder])
    timer.start()
    application.exec()
    os._exit(1)


def tell(says: int, what: str, *more: object) -> None:
    os.write(says, (json.dumps([what, time.monotonic(), *more]) + "\n").encode())


class Reviewer:
    """Presses keys, and tells what was decided and what the window says to be saved."""

    def __init__(self, window: Any, folder: Path, rng: random.Random, says: int) -> None:
        from neardup_gui.views.shell.status import SavedLabel

        self._window, self._folder, self._rng, self._says = window, folder, rng, says
        (self._label,) = window.findChildren(SavedLabel)
        self._told: int | None = None
        self._saved = -1
        self._next = 0.0

    def go_on(self) -> None:
        """A turn of the event loop: tell what is new; if it is time, do something."""
        state, log = self._window.presenter.state, self._window.presenter.current.log
        if self._told is None:
            if not state.has_scan or state.is_busy or not state.has_list:
                return
            self._window.activateWindow()
            self._window.windowHandle().requestActivate()  # there is no window manager
            self._window.pages.pairs.table.setFocus()
            self._told = len(log)
            tell(self._says, "begun", [digest(entry) for entry in log])
        for entry in log[self._told :]:
            tell(self._says, "decided", digest(entry))
        self._told = len(log)
        is_saved = not self._window.presenter.decisions.saver.is_behind
        if self._told != self._saved and is_saved and self._label.text().startswith("saved"):
            self._saved = self._told
            tell(self._says, "saved", self._saved)
        if (
            time.monotonic() >= self._next
            and not state.is_scanning
            and self._window.isActiveWindow()
        ):
            self._next = time.monotonic() + self._rng.choice([0, 0, 0.01, 0.05, 0.2])
            self._act()

    def _act(self) -> None:
        from PySide6.QtCore import Qt

        key, control = Qt.Key, Qt.KeyboardModifier.ControlModifier
        kind = self._rng.random()
        if kind < 0.7:
            self._press(self._rng.choice([key.Key_1, key.Key_2, key.Key_3, key.Key_0]))
        elif kind < 0.8:
            self._press(key.Key_Z, control)
        elif kind < 0.85:
            self._press(key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
        elif kind < 0.93:
            self._write_note()
        elif kind < 0.97:
            self._press(self._rng.choice([key.Key_Up, key.Key_Home, key.Key_Down]))
        elif kind < 0.985:
            self._edit_a_file()
            self._press(key.Key_F5)
        else:
            self._window.presenter.missing.remove_all()

    def _press(self, key: Any, *modifiers: Any) -> None:
        from PySide6.QtTest import QTest

        QTest.keyClick(self._window.pages.pairs.table, key, *modifiers)

    def _write_note(self) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication, QPlainTextEdit

        self._press(Qt.Key.Key_N)
        field = QApplication.focusWidget()
        if isinstance(field, QPlainTextEdit):
            QTest.keyClicks(field, f"note {self._rng.random()}")
            QTest.keyClick(field, Qt.Key.Key_Return)

    def _edit_a_file(self) -> None:
        path = self._folder / f"{self._rng.randrange(DOCUMENTS):02}.txt"
        if self._rng.random() < 0.3:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text_of(int(path.stem), self._rng))


def digest(entry: Any) -> str:
    """Of an entry, but for its number: another program may have appended before it."""
    known = (entry.time, entry.who, entry.command.kind, dict(entry.command.data))
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]


def text_of(number: int, rng: random.Random) -> str:
    words = [f"w{number // 5}x{place}" for place in range(200)]
    for _ in range(number % 5):
        words[rng.randrange(200)] = f"other{rng.randrange(1000)}"
    return " ".join(words)


# What kills it, and looks


def listen(hears: int, pid: int, rng: random.Random) -> tuple[Told, float]:
    """Hear what a window says until it is killed; when that was."""
    data, ready, killed = b"", 0.0, 0.0
    longest = SHORTEST + (LONGEST - SHORTEST) * rng.random() ** 2
    patience = EARLIEST * rng.random() if rng.random() < EARLY else PATIENCE
    deadline = time.monotonic() + patience
    while True:
        now = time.monotonic()
        if not killed and (now > deadline or (ready and now > ready + longest)):
            killed = time.monotonic()
            os.kill(pid, signal.SIGKILL)
        if select.select([hears], [], [], 0.002)[0]:
            some = os.read(hears, 1 << 16)
            if not some:
                break
            data += some
            if not ready and b'["begun"' in data:
                ready = time.monotonic()
    os.waitpid(pid, 0)
    return told(data), killed


def told(data: bytes) -> Told:
    begun, decided, saved, broke = None, [], 0, ""
    for line in data.split(b"\n"):
        with suppress(ValueError):  # the last may be cut off
            what, moment, *more = json.loads(line)
            if what == "begun":
                begun = more[0]
            elif what == "decided":
                decided.append((more[0], moment))
            elif what == "saved":
                saved = max(saved, more[0])
            else:
                broke = more[0]
    return Told(begun, decided, saved, broke)


def looked_at(review: Path) -> dict[str, Any]:
    """What is in the file, as another process finds it."""
    from core.review import open_review
    from core.review.decisions import judged
    from core.scan.judgements import Judgements

    with open_review(review, verify=True) as opened:
        state = opened.state
        beside = [one.name for one in review.parent.iterdir() if one != review and not is_lock(one)]
        return {
            "notes": list(opened.notes),
            "log": [digest(entry) for entry in state.log],
            "alike": judged(Judgements(), state.log) == state.judgements,
            "beside": beside,
        }


def is_lock(path: Path) -> bool:
    """Whether a file says only which program has a review; the next one takes it over."""
    return path.name.endswith("-lock")


NO_FILE: dict[str, Any] = {"notes": [], "log": [], "alike": True, "beside": []}


def in_a_process(work: Callable[[], Any]) -> Any:
    """What some work gives in a process of its own, as JSON."""
    hears, says = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            answer = work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
            answer = {"failed": repr(error)}
        os.write(says, json.dumps(answer).encode())
        os._exit(0)
    os.close(says)
    with os.fdopen(hears, "rb") as pipe:
        data = pipe.read()
    os.waitpid(pid, 0)
    return json.loads(data)


def wrongs(found: dict[str, Any], said: Told, before: list[str], killed: float) -> Iterator[str]:
    """What is not as it was said."""
    if said.broke:
        yield f"the window broke: {said.broke}"
    if "failed" in found:
        yield f"the file does not open: {found['failed']}"
        return
    log = found["log"]
    if said.begun_with is None:
        return
    # A rescan that finds something adds an entry of its own before anything is decided.
    if said.begun_with[: len(before)] != before:
        yield "the window did not begin with what was in the file"
    known = [*said.begun_with, *(one for one, _ in said.decided)]
    if log[: len(known)] != known[: len(log)]:
        yield "other entries than were decided"
    if len(log) < said.saved:
        yield f"{said.saved} entries were said to be saved, {len(log)} are there"
    old = sum(moment < killed - MOST_LOST for _, moment in said.decided)
    if len(log) < len(said.begun_with) + old:
        yield f"more than {MOST_LOST:g} s are missing: {len(said.begun_with) + old} and {len(log)}"
    if found["notes"] or found["beside"] or not found["alike"]:
        yield f"not whole: {found['notes']} {found['beside']}"


@contextmanager
def screen() -> Iterator[None]:
    """An X server for the windows of this program."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-noreset", "-screen", "0", "1280x800x24"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        os.environ["DISPLAY"] = f":{pipe.readline().strip()}"
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    try:
        yield
    finally:
        server.terminate()
        server.wait()


class Counts:
    """What came of all kills."""

    def __init__(self) -> None:
        self.kills = self.early = self.decided = self.lost = self.kinds = 0
        self.longest_lost = 0.0
        self.wrong: list[str] = []

    def add(self, found: dict[str, Any], said: Told, killed: float) -> None:
        self.kills += 1
        if said.begun_with is None:
            self.early += 1
            return
        self.decided += len(said.decided)
        there = len(found.get("log", ())) - len(said.begun_with)
        missing = said.decided[max(there, 0) :]
        self.lost += len(missing)
        if missing:
            self.longest_lost = max(self.longest_lost, killed - missing[0][1])


def one_kill(place: Path, seed: int, before: list[str], counts: Counts) -> list[str]:
    """A window, its end, and what the file has then: the entries of its log."""
    folder, home, rng = place / "essays", place / "home", random.Random(seed)
    hears, says = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(hears)
        os.dup2(os.open(home / "output.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC), 2)
        session(folder, home, seed, says)
    os.close(says)
    said, killed = listen(hears, pid, rng)
    os.close(hears)
    reviews = [*home.rglob("*.neardup")]
    found = in_a_process(lambda: looked_at(reviews[0])) if reviews else {**NO_FILE}
    counts.add(found, said, killed)
    wrong = list(wrongs(found, said, before, killed))
    if said.begun_with is None and not killed:
        wrong.append("the window ended: " + (home / "output.txt").read_text()[-500:])
    counts.wrong += [f"kill {counts.kills}, seed {seed}: {one}" for one in wrong]
    for one in wrong:
        print(f"  kill {counts.kills}, seed {seed}: {one}", flush=True)
    return found.get("log", [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in MODULES:
        importlib.import_module(name)
    counts, start = Counts(), time.monotonic()
    with screen(), tempfile.TemporaryDirectory() as folder:
        place, log = Path(folder) / "0", list[str]()
        for number in range(options.kills):
            if not place.exists() or len(log) > ENTRIES_OF_REVIEW:
                shutil.rmtree(place, ignore_errors=True)
                place, log = begin(Path(folder) / str(number + 1)), []
            log = one_kill(place, options.seed * 1_000_000 + number, log, counts)
            if counts.kills % 25 == 0:
                report(counts, time.monotonic() - start)
    report(counts, time.monotonic() - start)
    sys.exit(bool(counts.wrong))


def begin(place: Path) -> Path:
    """Another folder, whose review begins with the first window."""
    (place / "essays").mkdir(parents=True)
    (place / "home").mkdir()
    rng = random.Random(str(place))
    for number in range(DOCUMENTS):
        (place / "essays" / f"{number:02}.txt").write_text(text_of(number, rng))
    return place


def report(counts: Counts, seconds: float) -> None:
    print(
        f"{counts.kills} kills ({counts.early} before the list), {counts.decided:,} decisions, "
        f"{counts.lost} lost, the oldest {counts.longest_lost:.2f} s before the kill; "
        f"{len(counts.wrong)} wrong; {seconds:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
