"""Kills at every moment: the command line, alone and two at once; `session_kills` kills the window.

Documents change, a program takes them in, saves the review and exports, and is killed with SIGKILL:
at a system call on the review's folder, in the middle of a write, or after a random time. In a
third of the rounds a second program works on the same review. After each kill:

    review      opened where it lies, it holds the old state or the new one, and the new one where
                that was said to be saved
    copies      of the one file, taken at random moments while nobody saves, open elsewhere with at
                least what was said to be saved; those taken while it is written are counted apart
    readers     no process is left
    leftovers   after the next run there is nothing but the review and what was exported

    python tests/bench/kills.py [--kills 1000] [--seed 0] [--only scan|report] [--seconds 3600]

Prints a table, and ends with 1 where something was not right. Linux, gcc, an SQLite that is a
library. Quietest on a machine of its own.
"""

import ctypes
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import fault_calls

if __name__ == "__main__":
    fault_calls.preloaded()

import psutil
from kill_programs import Moment, Program, start
from options import Among, read_options
from small_reviews import fingerprint, text_of, which_of

from core.errors import NeardupError
from core.program.preparation import USUAL, prepare
from core.scan.flow import scan
from core.settings import ScanSettings

SHARES = {"scan": 80, "report": 20}  # of the kills
SECOND = 1 / 3
SUBREAPER = 36  # prctl(2): orphans become ours, so that none is overlooked
ABSENT = "nothing"
ROUNDS = 25  # in one world; then a new review is begun
DOCUMENTS = 10
READERS_END = 20.0  # seconds in which reader processes must be gone
HANGS = 240.0


@dataclass
class Running:
    """A program that was started, and its messages."""

    program: Program
    process: int
    pipe: int
    moment: Moment
    began: float
    status: int | None = None
    ended: float = 0.0
    messages: list[tuple[str, float]] = field(default_factory=list)
    _rest: bytes = b""

    @property
    def was_killed(self) -> bool:
        """Whether it met its end."""
        return self.status is not None and os.WIFSIGNALED(self.status)

    def hear(self) -> None:
        """Take what the pipe holds."""
        while True:
            try:
                data = os.read(self.pipe, 4096)
            except BlockingIOError:
                return
            if not data:
                return
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                word, value = line.decode().split()
                self.messages.append((word, float(value)))

    def times(self, word: str) -> list[float]:
        """The moments of a message."""
        return [value for each, value in self.messages if each == word]

    def times_complete(self) -> list[float]:
        """The moments when it reported the review saved and complete in the one file."""
        times: list[float] = []
        is_complete = True
        for word, moment in self.messages:
            if word in {"written", "incomplete"}:
                is_complete = word == "written"
            elif word == "saved" and is_complete:
                times.append(moment)
        return times

    def writings(self) -> list[tuple[float, float]]:
        """When it wrote the review; for ever, where it was killed meanwhile or said it lacks some.

        What is said not to be complete in the one file is complete after the next save.
        """
        spans: list[tuple[float, float]] = []
        for word, moment in self.messages:
            if word == "saving":
                spans.append((moment, float("inf")))
            elif word == "written":
                spans = [(start, min(ended, moment)) for start, ended in spans]
        return spans


class Copy(NamedTuple):
    """A copy of the one file: when it was started and finished, and where it is."""

    started: float
    finished: float
    path: Path


class World:
    """A folder whose documents change, its review, and what the review may hold.

    Attributes:
        root: Everything in it.
        work: The folder of the review and of what is exported.
    """

    def __init__(self, work: Path, rng: random.Random) -> None:
        self.root, self._rng = work, rng
        self.folder, self.work = work / "essays", work / "work"
        self.review = self.work / "r.neardup"
        self.folder.mkdir(parents=True)
        self.work.mkdir()
        self._version = 0
        for number in range(DOCUMENTS):
            self._write(number)
        if rng.random() < 0.25:  # a format that a process of its own reads
            (self.folder / "page.html").write_text(f"<p>{text_of(3, 0)}</p>")
        self.states = {ABSENT: "", "old": "", "new": ""}

    def _write(self, number: int) -> None:
        path = self.folder / f"{number}.txt"
        path.write_text(text_of(number, self._version), encoding="utf-8")

    def change(self) -> None:
        """Other documents: what was new is old."""
        self._version += 1
        for number in self._rng.sample(range(DOCUMENTS + 4), 3):
            self._write(number)
        self.states["old"], self.states["new"] = self.states["new"], self._scanned()

    def _scanned(self) -> str:
        result = scan([self.folder], ScanSettings())
        try:
            result.list_pairs()
            return fingerprint(result.state)
        finally:
            result.close()

    def which(self, path: Path) -> str:
        """What a review holds.

        Raises:
            NeardupError: It cannot be opened.
            AssertionError: It holds something else.
        """
        known = {name: state for name, state in self.states.items() if state}
        return which_of(path, known) if path.exists() else ABSENT


class Campaign:
    """Kills, one round after the other.

    Attributes:
        counts: What happened, by kind of program and word.
        troubles: What was not right.
    """

    def __init__(self, work: Path, seed: int, only: str) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.troubles: list[str] = []
        self._place, self._kinds = work, [only] if only else [*SHARES]
        self._rng = random.Random(seed)
        self._usual: dict[str, tuple[float, int]] = {}  # seconds and calls of a whole run
        self._round = 0
        self._strangers = {process.pid for process in psutil.Process().children()}
        self._world = self._new_world()

    def _new_world(self) -> World:
        if self._round:
            shutil.rmtree(self._world.root)
        return World(self._place / f"world{self._round}", self._rng)

    @property
    def kills(self) -> int:
        """How many programs were killed."""
        return sum(counts["kills"] for counts in self.counts.values())

    def run_round(self) -> None:
        """Documents change; one program or two, killed; everything is looked at; a whole run."""
        self._round += 1
        if self._round % ROUNDS == 0:
            self._world = self._new_world()
        world = self._world
        world.change()
        shares = [SHARES[each] for each in self._kinds]
        (kind,) = self._rng.choices(self._kinds, shares)
        counts = self.counts.setdefault(kind, Counter())
        before = world.which(world.review)
        running = [self._start(kind, self._moment(kind))]
        if self._rng.random() < SECOND:
            counts["with a second"] += 1
            other_program = self._rng.choice(self._kinds)
            late = self._rng.random() * self._usual[kind][0]
            moment = self._moment(kind) if self._rng.random() < 0.5 else Moment()
            copies = self._watch(running, until=time.monotonic() + late)
            running.append(self._start(other_program, moment))
            copies += self._watch(running)
        else:
            copies = self._watch(running)
        counts["kills"] += sum(each.was_killed for each in running)
        self._judge(kind, running, copies, before)
        self._finish(kind)

    def measure(self) -> None:
        """Whole runs of all kinds, to know how long they are."""
        for kind in ("scan", *self._kinds):
            self._world.change()
            running = self._start(kind, Moment())
            self._drop(self._watch([running]))
            if running.status != 0:
                raise AssertionError(f"{kind} ended with {running.status}: {self._output()}")
            calls = [value for word, value in running.messages if word == "calls"]
            self._usual[kind] = (running.ended - running.began, int(calls[0]))
            self._drop(self._watch([self._start("scan", Moment())]))

    def _moment(self, kind: str) -> Moment:
        seconds, calls = self._usual[kind]
        drawn = self._rng.random()
        if drawn < 0.3:
            return Moment(seconds=self._rng.random() * seconds)
        return Moment(call=self._rng.randrange(1, calls + 1), half=drawn > 0.8)

    def _start(self, kind: str, moment: Moment) -> Running:
        world = self._world
        program = Program(kind, world.folder, world.review, world.work / "report.html")
        process, pipe = start(program, world.work, moment, self._place / "output")
        return Running(program, process, pipe, moment, time.monotonic())

    def _watch(self, running: Sequence[Running], until: float = float("inf")) -> list[Copy]:
        """Kill what is to be killed, and copy the review now and then, until all have ended."""
        copies: list[Copy] = []
        next_copy = time.monotonic() + self._rng.expovariate(4)
        while time.monotonic() < until:
            for each in running:
                self._look_after(each)
            if all(each.status is not None for each in running):
                break
            if time.monotonic() > next_copy and len(copies) < 3:
                copies += self._copied()
                next_copy = time.monotonic() + self._rng.expovariate(4)
            time.sleep(0.002)
        return copies + (self._copied() if until == float("inf") else [])

    def _look_after(self, each: Running) -> None:
        each.hear()
        if each.status is not None:
            return
        ran = time.monotonic() - each.began
        due = each.moment.seconds
        is_due = (due is not None and ran > due) or ran > HANGS
        if ran > HANGS:
            self._trouble(f"{each.program.kind} hangs")
        if is_due:
            os.kill(each.process, signal.SIGKILL)
        process, status = os.waitpid(each.process, 0 if is_due else os.WNOHANG)
        if process:
            each.hear()
            each.status, each.ended = status, time.monotonic()
            os.close(each.pipe)
            each.hear = lambda: None  # type: ignore[method-assign]

    def _copied(self) -> list[Copy]:
        path = self._place / f"copy{self._rng.getrandbits(64):x}.neardup"
        start = time.monotonic()
        try:
            shutil.copyfile(self._world.review, path)
        except FileNotFoundError:
            return []
        return [Copy(start, time.monotonic(), path)]

    @staticmethod
    def _drop(copies: Sequence[Copy]) -> None:
        for copy in copies:
            copy.path.unlink()

    # What came of it

    def _judge(
        self, kind: str, running: Sequence[Running], copies: Sequence[Copy], before: str
    ) -> None:
        counts, world = self.counts[kind], self._world
        saved = [moment for each in running for moment in each.times("saved")]
        for each in running:
            self._judge_end(each)
        complete = [moment for each in running for moment in each.times_complete()]
        for copy in copies:
            word = self._judge_copy(copy, running, complete, before)
            counts[f"copies {word}"] += 1
            copy.path.unlink()
        work_before = self._place / "aside"
        shutil.copytree(world.work, work_before)
        try:
            state = world.which(work_before / world.review.name)
        except (NeardupError, AssertionError) as error:
            state = str(error)
        shutil.rmtree(work_before)
        allowed = {"new"} if saved else {before, "new"}
        counts[f"review {state if state in {'new', ABSENT} else 'old'}"] += 1
        if state not in allowed:
            self._trouble(f"{kind}: the review: {state}, instead of {sorted(allowed)}", running)

    def _judge_end(self, each: Running) -> None:
        """A program that was not killed did its work, or reported why not."""
        if each.was_killed:
            return
        status = os.waitstatus_to_exitcode(each.status or 0)
        if status not in {0, 1}:
            output = self._output()[-6000:]
            self._trouble(f"{each.program.kind} ended with {status}: {output}", [each])

    def _judge_copy(
        self, copy: Copy, running: Sequence[Running], complete: Sequence[float], before: str
    ) -> str:
        writes = [pair for each in running for pair in each.writings()]
        is_quiet = all(copy.finished < start or copy.started > ended for start, ended in writes)
        allowed = {"new"} if any(moment < copy.started for moment in complete) else {before, "new"}
        try:
            state = self._world.which(copy.path)
        except NeardupError as error:
            if is_quiet:
                self._trouble(f"a copy: {error}", running)
                return "bad"
            return "refused, taken while it was written"
        except AssertionError as error:
            self._trouble(f"a copy: {error}", running)
            return "bad"
        if state not in allowed:
            self._trouble(f"a copy holds {state}, not {sorted(allowed)}", running)
            return "bad"
        return "whole" if is_quiet else "whole, taken while it was written"

    def _finish(self, kind: str) -> None:
        """The next run: it goes through, and tidies up."""
        self._no_readers(kind)
        world = self._world
        running = self._start("scan", Moment())
        self._drop(self._watch([running]))
        if running.status != 0:
            self._trouble(f"after {kind}: the next run ended with {running.status}", [running])
        state = self._which_alone()
        if state != "new":
            self._trouble(f"after {kind}: the next run saved {state}", [running])
        names = {path.name for path in world.work.iterdir()}
        left = names - {"r.neardup", "report.html", "report.csv", "other.html"}
        left |= {path.name for path in Path(os.environ["TMPDIR"]).iterdir()}
        self.counts[kind]["left over"] += len(left)
        if left:
            self._trouble(f"after {kind}: left over: {sorted(left)}")
        output = self._output()
        if "Traceback" in output or "Fatal" in output:
            self._trouble(f"{kind} said: {output[-1500:]}")
        (self._place / "output").write_bytes(b"")

    def _which_alone(self) -> str:
        copy = self._copied()[0]
        try:
            return self._world.which(copy.path)
        except (NeardupError, AssertionError) as error:
            return str(error)
        finally:
            copy.path.unlink()

    def _no_readers(self, kind: str) -> None:
        """Wait until nothing is left of the programs."""
        until = time.monotonic() + READERS_END
        while left := self._left():
            if time.monotonic() > until:
                self._trouble(f"{kind}: left running: {left}")
                self.counts[kind]["left running"] += len(left)
                for each in left:
                    each.kill()
                return
            time.sleep(0.01)

    def _left(self) -> list[psutil.Process]:
        children = psutil.Process().children(recursive=True)
        left = []
        for child in children:
            if child.pid in self._strangers:
                continue
            with suppress(psutil.NoSuchProcess):  # it may go at any time
                if child.status() == psutil.STATUS_ZOMBIE:
                    child.wait()
                else:
                    left.append(child)
        return left

    def _output(self) -> str:
        path = self._place / "output"
        return path.read_text(errors="replace") if path.exists() else ""

    def _trouble(self, trouble: str, running: Sequence[Running] = ()) -> None:
        """Note what was wrong, and keep the files."""
        programs = "; ".join(
            f"{each.program.kind} {tuple(each.moment)} {[word for word, _ in each.messages]}"
            for each in running
        )
        self.troubles.append(f"round {self._round}: {trouble} [{programs}]")
        print(self.troubles[-1], file=sys.stderr, flush=True)


def become_subreaper() -> None:
    """Orphans of our children become our children."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def table(counts: dict[str, Counter[str]]) -> Iterator[str]:
    """One column for each kind of program, one line for each word."""
    kinds = [kind for kind in SHARES if kind in counts]
    words = sorted({word for each in counts.values() for word in each} - {"kills"})
    yield f"{'':42}" + "".join(f"{kind:>9}" for kind in kinds) + f"{'all':>9}"
    for word in ("kills", *words):
        numbers = [counts[kind][word] for kind in kinds]
        yield f"{word:42}" + "".join(f"{number:9,}" for number in (*numbers, sum(numbers)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill a number of programs; 1 where something was not right."""
    options = read_options(
        __doc__, arguments, kills=1000, seed=0, only=Among(SHARES, ""), seconds=float("inf")
    )
    become_subreaper()
    prepare(USUAL)  # else the programs would compile
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="neardup-kills-") as name:
        directory = Path(name)
        for key in ("HOME", "TMPDIR"):
            os.environ[key] = str(directory / key)
            (directory / key).mkdir()
        campaign = Campaign(directory, options.seed, options.only)
        campaign.measure()
        until = began + options.seconds
        while campaign.kills < options.kills and time.monotonic() < until:
            campaign.run_round()
    for line in table(campaign.counts):
        print(line)
    seconds = time.monotonic() - began
    print(f"{campaign.kills:,} kills, {len(campaign.troubles)} troubles; {seconds:.0f} s")
    return 1 if campaign.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
