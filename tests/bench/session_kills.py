"""Kills of the window in the middle of a review: what it reported as saved is there, at any moment.

The real window, on a screen of its own (Xvfb), is driven by keys: verdicts, notes, undo and redo,
documents taken off the list, rescans of files that were edited. It tells of each decision, and when
all of them are saved. At random moments it is killed: stopped with SIGSTOP, in the midst of what it
does, and what a kill would leave of its files is copied; at the last one it is killed with SIGKILL,
and the next window goes on. In a third of the sessions a second program opens the same review again
and again, and reads it for up to three seconds. What is left each time is opened:

    saved    what the window took for saved is in the file, while it showed "saved · name"
    second   so is what was decided more than a second before the kill; the time does not count
             in which the window was stopped, or a thread of it waited for a processor
    order    the entries are those that were decided, in their order, and no others
    whole    the file opens without a remark, and nothing is left beside it
    shown    the next window begins with all of it

    python tests/bench/session_kills.py [--kills 500] [--moments 6] [--seed 0]

Ends with 1 where something was not right. For Linux, with Xvfb.
"""

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
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from options import read_options

DOCUMENTS = 30
ENTRIES_OF_REVIEW = 600  # then another review is begun
SHORTEST, LONGEST = 0.01, 1.5  # seconds from one kill to the next
EARLY, EARLIEST = 0.1, 4.0  # of the sessions, which end within so many seconds of their start
SECOND = 1 / 3  # of the sessions
LONGEST_READ = 3.0  # seconds for which a second program reads the review
MOST_LOST = 1.0  # seconds of work that a kill may cost
PATIENCE = 300.0
# What every window imports: one process imports it, and the others come from that.
MODULES = ("core.commands.scan", "core.review", "core.scan.flow", "core.reports.from_scan",
           "neardup_gui.app", "PySide6.QtTest")  # fmt: skip


class Messages(NamedTuple):
    """The messages of a window before it was killed.

    Attributes:
        begun_with: Digests of the entries it began with; None where it did not come so far.
        decided: Digest of each entry since, with the time and `waited` then.
        saved: The most entries that were said to be saved.
        broke: What went wrong in it.
    """

    begun_with: list[str] | None
    decided: list[tuple[str, float, dict[str, int]]]
    saved: int
    broke: str


# The window that is killed


def session(folder: Path, home: Path, seed: int, pipe_end: int) -> NoReturn:
    """Open the folder in the window and decide one thing after the other."""
    from PySide6.QtCore import QSettings, QTimer
    from PySide6.QtWidgets import QApplication

    from neardup_gui.app import build_window
    from neardup_gui.environment.preferences import Preferences
    from neardup_gui.models.folder_reviews import FolderReviews

    application = QApplication(["neardup"])
    settings = QSettings(str(home / "settings.ini"), QSettings.Format.IniFormat)
    window = build_window(application, Preferences(settings), FolderReviews(home / "reviews"))
    window.presenter.unexpected_error.connect(lambda error: send(pipe_end, "broke", repr(error)))
    window.resize(1200, 780)
    window.show()
    reviewer = Reviewer(window, folder, random.Random(seed), pipe_end)
    timer = QTimer(interval=1)
    timer.timeout.connect(reviewer.go_on)
    window.presenter.prepare()
    window.presenter.open_paths([folder])
    timer.start()
    application.exec()
    os._exit(1)


def send(pipe_end: int, name: str, *more: object) -> None:
    os.write(pipe_end, (json.dumps([name, time.monotonic(), *more]) + "\n").encode())


class Reviewer:
    """Presses keys, and sends what was decided and what the window shows as saved."""

    def __init__(self, window: Any, folder: Path, rng: random.Random, pipe_end: int) -> None:
        from neardup_gui.views.shell.status import SavedLabel

        self._window, self._folder, self._rng, self._says = window, folder, rng, pipe_end
        (self._label,) = window.findChildren(SavedLabel)
        self._told: int | None = None
        self._saved = -1
        self._next = 0.0

    def go_on(self) -> None:
        """A turn of the event loop: send what is new; if it is time, act."""
        state, log = self._window.presenter.state, self._window.presenter.current.log
        if self._told is None:
            if not state.has_scan or state.is_busy or not state.has_list:
                return
            self._window.activateWindow()
            self._window.windowHandle().requestActivate()  # there is no window manager
            self._window.pages.pairs.table.setFocus()
            self._told = len(log)
            send(self._says, "begun", [digest(entry) for entry in log])
        for entry in log[self._told :]:
            send(self._says, "decided", digest(entry), waited("self"))
        self._told = len(log)
        is_saved = not self._window.presenter.decisions.saver.has_unsaved
        if self._told != self._saved and is_saved and self._label.text().startswith("saved"):
            self._saved = self._told
            send(self._says, "saved", self._saved)
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


def waited(process: int | str) -> dict[str, int]:
    """For how many nanoseconds each thread of a process has waited for a processor."""
    times = {}
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):  # it may end at any time
            times[thread.name] = int((thread / "schedstat").read_text().split()[1])
    return times


def digest(entry: Any) -> str:
    """Of an entry, but for its number: another program may have appended before it."""
    known = (entry.time, entry.who, entry.command.kind, dict(entry.command.data))
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]


def text_of(number: int, rng: random.Random) -> str:
    words = [f"w{number // 5}x{index}" for index in range(200)]
    for _ in range(number % 5):
        words[rng.randrange(200)] = f"other{rng.randrange(1000)}"
    return " ".join(words)


# What kills it, and looks


class Moment(NamedTuple):
    """What a kill left, the messages of the window until then, and the moment.

    Attributes:
        home: The files.
        messages: Its messages until then.
        killed: When.
        stops: When it was stopped before, and for how long.
        waited: See `waited`.
    """

    home: Path
    messages: Messages
    killed: float
    stops: tuple[tuple[float, float], ...]
    waited: dict[str, int]

    def age(self, decided: float, waited_then: dict[str, int]) -> float:
        """How many seconds ago something was decided, of those in which the window could work."""
        stopped = sum(seconds for began, seconds in self.stops if began > decided)
        waits = (time - waited_then.get(thread, 0) for thread, time in self.waited.items())
        return self.killed - decided - stopped - max(waits, default=0) / 1e9


class Window:
    """A window in a separate process, as the killing program sees it."""

    def __init__(self, pid: int, hears: int, home: Path) -> None:
        self._pid, self._hears, self._home = pid, hears, home
        self._data = b""
        self._stops: list[tuple[float, float]] = []
        self.has_begun = self.has_ended = self._is_reaped = False

    def listen(self, until: float) -> None:
        """Hear what it says, until a moment, or until it has begun or ended."""
        began_before = self.has_begun
        while not self.has_ended and self.has_begun == began_before and time.monotonic() < until:
            self._hear(0.002)

    def freeze(self, target: Path) -> Moment:
        """What a kill would leave now: stopped, no thread of it writes any more."""
        os.kill(self._pid, signal.SIGSTOP)
        _, status = os.waitpid(self._pid, os.WUNTRACED)
        killed, before, has_waited = time.monotonic(), tuple(self._stops), dict[str, int]()
        if not os.WIFSTOPPED(status):
            self.has_ended = self._is_reaped = True
        else:
            has_waited = waited(self._pid)
            self._drain()
            shutil.copytree(self._home, target, copy_function=copy_if_present)
            self._stops.append((killed, time.monotonic() - killed))
            os.kill(self._pid, signal.SIGCONT)
        return Moment(target, messages_of(self._data), killed, before, has_waited)

    def kill(self) -> Moment:
        """Kill it."""
        killed, by_itself, has_waited = time.monotonic(), self.has_ended, dict[str, int]()
        if not by_itself:
            has_waited = waited(self._pid)
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._is_reaped = True
        self._drain()
        os.close(self._hears)
        sent = messages_of(self._data)
        if by_itself:
            sent = sent._replace(broke=f"it ended by itself {sent.broke}")
        return Moment(self._home, sent, killed, tuple(self._stops), has_waited)

    def _drain(self) -> None:
        while select.select([self._hears], [], [], 0)[0] and self._hear(0):
            pass

    def _hear(self, patience: float) -> bool:
        if not select.select([self._hears], [], [], patience)[0]:
            return False
        received = os.read(self._hears, 1 << 16)
        if not received and not self._is_reaped:
            self.has_ended = self._is_reaped = True
            os.waitpid(self._pid, 0)
        self._data += received
        self.has_begun = self.has_begun or b'["begun"' in self._data
        return bool(received)


def copy_if_present(source: str, target: str) -> None:
    """Copy a file, unless the second program has just taken it away: that is not stopped."""
    with suppress(FileNotFoundError):
        shutil.copy2(source, target)


def kills(window: Window, folder: Path, moments: int, rng: random.Random) -> Iterator[Moment]:
    """What is left of a window at some moments of a session, the last of which ends it."""
    if rng.random() < EARLY:
        window.listen(time.monotonic() + EARLIEST * rng.random())
    else:
        window.listen(time.monotonic() + PATIENCE)
        for number in range(moments - 1):
            window.listen(time.monotonic() + SHORTEST + (LONGEST - SHORTEST) * rng.random())
            if not window.has_ended:
                yield window.freeze(folder / f"frozen {number}")
        window.listen(time.monotonic() + SHORTEST + (LONGEST - SHORTEST) * rng.random())
    yield window.kill()


def messages_of(data: bytes) -> Messages:
    begun_with, decided, saved, broke = None, [], 0, ""
    for line in data.split(b"\n"):
        with suppress(ValueError):  # the last may be cut off
            name, moment, *more = json.loads(line)
            if name == "begun":
                begun_with = more[0]
            elif name == "decided":
                decided.append((more[0], moment, more[1]))
            elif name == "saved":
                saved = max(saved, more[0])
            else:
                broke = more[0]
    return Messages(begun_with, decided, saved, broke)


def looked_at(home: Path) -> dict[str, Any]:
    """What is in the file, as another process finds it."""
    reviews = [*home.rglob("*.neardup")]
    try:
        return opened(reviews[0]) if reviews else {**NO_FILE}
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
        return {"failed": repr(error)}


def opened(review: Path) -> dict[str, Any]:
    from core.review import open_review
    from core.review.decisions import judged
    from core.scan.judgements import Judgements

    with open_review(review, verify=True) as opened_review:
        state = opened_review.state
        beside = [
            path.name for path in review.parent.iterdir() if path != review and not is_lock(path)
        ]
        return {
            "notes": list(opened_review.notes),
            "log": [digest(entry) for entry in state.log],
            "alike": judged(Judgements(), state.log) == state.judgements,
            "beside": beside,
        }


def is_lock(path: Path) -> bool:
    """Whether a file says only which program has a review; the next one takes it over."""
    return path.name.endswith("-lock")


NO_FILE: dict[str, Any] = {"notes": [], "log": [], "alike": True, "beside": []}


def in_a_process(work: Callable[[], Any]) -> Any:
    """The result of some work in a separate process, as JSON."""
    hears, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        with os.fdopen(write_end, "wb") as pipe:
            pipe.write(json.dumps(work()).encode())
        os._exit(0)
    os.close(write_end)
    with os.fdopen(hears, "rb") as pipe:
        data = pipe.read()
    os.waitpid(pid, 0)
    return json.loads(data)


def wrongs(answer: dict[str, Any], moment: Moment, before: list[str]) -> Iterator[str]:
    """Each claim of the window that is not true."""
    sent = moment.messages
    if sent.broke:
        yield f"the window broke: {sent.broke}"
    if "failed" in answer:
        yield f"the file does not open: {answer['failed']}"
        return
    log = answer["log"]
    if sent.begun_with is None:
        return
    # A rescan that finds something adds an entry of its own before anything is decided.
    if sent.begun_with[: len(before)] != before:
        yield "the window did not begin with what was in the file"
    known = [*sent.begun_with, *(key for key, *_ in sent.decided)]
    if log[: len(known)] != known[: len(log)]:
        yield "other entries than were decided"
    if len(log) < sent.saved:
        yield f"{sent.saved} entries were said to be saved, {len(log)} are there"
    old = sum(moment.age(decided, saved) > MOST_LOST for _, decided, saved in sent.decided)
    if len(log) < len(sent.begun_with) + old:
        yield f"more than {MOST_LOST:g} s are missing: {len(sent.begun_with) + old} and {len(log)}"
    if answer["notes"] or answer["beside"] or not answer["alike"]:
        yield f"not whole: {answer['notes']} {answer['beside']}"


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


@contextmanager
def second_program(home: Path, seed: int, *, is_wanted: bool) -> Iterator[None]:
    """A program that reads the review meanwhile, as another Neardup that opens it does."""
    pid = os.fork() if is_wanted else 0
    if is_wanted and pid == 0:
        read_again_and_again(home, random.Random(seed))
    try:
        yield
    finally:
        if is_wanted:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def read_again_and_again(home: Path, rng: random.Random) -> NoReturn:
    from core.review import open_review
    from core.review.database import connect

    while True:
        for review in home.rglob("*.neardup"):
            with suppress(Exception), open_review(review):
                pass
            with suppress(Exception), closing(connect(review, write=False)) as connection:
                connection.execute("BEGIN")
                connection.execute("SELECT count(*) FROM log").fetchall()
                time.sleep(LONGEST_READ * rng.random())
        time.sleep(rng.random() / 2)


class Counts:
    """What came of all kills."""

    def __init__(self) -> None:
        self.kills = self.early = self.decided = self.lost = self._of_session = self.second = 0
        self._first: tuple[str, float, dict[str, int]] | None = None  # decision of a session
        self.longest_lost = 0.0
        self.wrong: list[str] = []

    def add(self, answer: dict[str, Any], moment: Moment) -> None:
        self.kills += 1
        sent = moment.messages
        if sent.begun_with is None:
            self.early += 1
            return
        if not sent.decided or sent.decided[0] != self._first:
            self._first, self._of_session = next(iter(sent.decided), None), 0
        self.decided += len(sent.decided) - self._of_session
        self._of_session = len(sent.decided)
        kept_count = len(answer.get("log", ())) - len(sent.begun_with)
        missing = sent.decided[max(kept_count, 0) :]
        self.lost += len(missing)
        if missing:
            self.longest_lost = max(self.longest_lost, moment.age(*missing[0][1:]))


def run_session(
    work: Path, seed: int, before: list[str], moments: int, counts: Counts
) -> list[str]:
    """A window, its end, and what the file has then: the entries of its log."""
    folder, home, rng = work / "essays", work / "home", random.Random(seed)
    hears, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(hears)
        os.dup2(os.open(work / "output.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC), 2)
        session(folder, home, seed, write_end)
    os.close(write_end)
    with tempfile.TemporaryDirectory() as frozen:
        has_second = rng.random() < SECOND
        with second_program(home, seed, is_wanted=has_second):
            every = [*kills(Window(pid, hears, home), Path(frozen), moments, rng)]
        counts.second += len(every) if has_second else 0
        answers = in_a_process(lambda: [looked_at(moment.home) for moment in every])
    for moment, answer in zip(every, answers, strict=True):
        counts.add(answer, moment)
        for fault in wrongs(answer, moment, before):
            counts.wrong.append(f"kill {counts.kills}, seed {seed}: {fault}")
            print(f"  {counts.wrong[-1]}", flush=True)
    log: list[str] = answers[-1].get("log", [])
    return log


def main() -> None:
    options = read_options(__doc__, kills=500, moments=6, seed=0)
    for name in MODULES:
        importlib.import_module(name)
    counts, start = Counts(), time.monotonic()
    with screen(), tempfile.TemporaryDirectory() as folder:
        work, log = Path(folder) / "0", list[str]()
        for number in count():
            if counts.kills >= options.kills:
                break
            if not work.exists() or len(log) > ENTRIES_OF_REVIEW:
                shutil.rmtree(work, ignore_errors=True)
                work, log = begin(Path(folder) / str(number + 1)), []
            seed = options.seed * 1_000_000 + number
            log = run_session(work, seed, log, options.moments, counts)
            report(counts, time.monotonic() - start)
    report(counts, time.monotonic() - start)
    sys.exit(bool(counts.wrong))


def begin(work: Path) -> Path:
    """Another folder, whose review begins with the first window."""
    (work / "essays").mkdir(parents=True)
    (work / "home").mkdir()
    rng = random.Random(str(work))
    for number in range(DOCUMENTS):
        (work / "essays" / f"{number:02}.txt").write_text(text_of(number, rng))
    return work


def report(counts: Counts, seconds: float) -> None:
    print(
        f"{counts.kills} kills ({counts.early} before the list, {counts.second} with a second "
        f"program), {counts.decided:,} decisions, "
        f"{counts.lost} lost, the oldest {counts.longest_lost:.2f} s before the kill; "
        f"{len(counts.wrong)} wrong; {seconds:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
