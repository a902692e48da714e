"""What a piece of work takes: seconds, processor time, memory, temporary files.

`measured` works in any process; `in_fresh_process` gives a piece of work a process of its own, so
that neither the memory nor the caches of what was measured before count. Memory and temporary
files are NaN where the system does not tell (anywhere but on Linux).

`clocked` puts a clock between the stages of the engine, while it runs as it always does: functions
of the stages are replaced, wherever the engine looks them up, by ones that also look at the clock;
what a stage spends in another stage counts for the other. Compiled kernels that call each other are
left alone: run the engine once before, so that everything is compiled.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, Self

import psutil

from core.base.files import temporary_folder


class Stage(NamedTuple):
    """A stage and the functions that do its work.

    `inside` says that all other stages within it count for it; `waits` that it waits for other
    threads meanwhile: by the clock it took what it took of the processor.
    """

    name: str
    targets: tuple[str, ...]
    inside: bool = False
    waits: bool = False


STAGES = (
    Stage("reading files", ("core.documents.reading:read_file",)),
    Stage("normal form", ("core.text.tokenising:normalise",)),
    Stage("code points", ("core.text.tokenising:code_points", "core.text.disguises:code_points")),
    Stage("words", ("core.text.tokenising:find_units", "core.text.tokenising:find_words")),
    Stage("shingles", ("core.text.shingling:shingle_units",)),
    Stage(
        "gathering texts",
        ("core.text.shingling:shingle_joined", "core.text.shingling:shingles_and_beginnings"),
    ),
    Stage("signatures", ("core.signatures.methods:sign",)),
    Stage("fingerprints", ("core.signatures.winnowing:winnow",)),
    Stage(
        "joining batches",
        ("core.scan.corpus:Corpus.add", "core.scan.corpus:Corpus.representatives"),
    ),
    Stage("band keys", ("core.candidates.bands:_band_keys",)),
    Stage("buckets", ("core.candidates.bands:_buckets",)),
    Stage("buckets to pairs", ("core.candidates.lsh:pairs_of_buckets",), waits=True),
    Stage(
        "shared passages",
        ("core.candidates.shared_fingerprints:pair_by_fingerprints",),
        inside=True,
    ),
    Stage("shingling again", ("core.evidence.store:EvidenceStore._shingle",), inside=True),
    Stage("exact evidence", ("core.evidence.store:ShingleCache.measure",)),
    Stage("estimates", ("core.signatures.methods:share_of_equal_values",)),
)


class Spent(NamedTuple):
    """Seconds by the clock and of the processor, over all threads."""

    wall: float
    cpu: float


class StageClock:
    """What the stages took so far.

    Attributes:
        missing: Places that the engine no longer has: their time is in the rest.
    """

    def __init__(self) -> None:
        self.missing: list[str] = []
        self._lock = threading.Lock()
        self._wall: defaultdict[str, float] = defaultdict(float)
        self._cpu: defaultdict[str, float] = defaultdict(float)
        self._own = threading.local()

    def spent(self, name: str) -> Spent:
        """What a stage took."""
        return Spent(self._wall[name], self._cpu[name])

    @contextmanager
    def running(self, stage: Stage) -> Iterator[None]:
        """Count a block for a stage, and no longer for the one around it."""
        stack = self._own.__dict__.setdefault("stack", [])
        if stack and stack[-1].inside:
            yield
            return
        self._count(stack)
        stack.append(stage)
        try:
            yield
        finally:
            self._count(stack)
            stack.pop()

    def _count(self, stack: list[Stage]) -> None:
        """Give the time since the last look to the innermost stage."""
        wall, cpu = time.perf_counter(), time.thread_time()
        if stack:
            with self._lock:
                used = cpu - self._own.cpu
                self._wall[stack[-1].name] += used if stack[-1].waits else wall - self._own.wall
                self._cpu[stack[-1].name] += used
        self._own.wall, self._own.cpu = wall, cpu

    def around(self, stage: Stage, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with a clock; of a generator every step is counted."""

        @functools.wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            with self.running(stage):
                return function(*arguments, **options)

        @functools.wraps(function)
        def step(*arguments: Any, **options: Any) -> Iterator[Any]:
            steps = function(*arguments, **options)
            while True:
                with self.running(stage):
                    item = next(steps, steps)
                if item is steps:
                    return
                yield item

        return step if inspect.isgeneratorfunction(function) else call


@contextmanager
def clocked(stages: tuple[Stage, ...] = STAGES) -> Iterator[StageClock]:
    """Look at the clock between the stages of whatever the engine does meanwhile."""
    clock = StageClock()
    changed: list[tuple[object, str, object]] = []
    for stage in stages:
        for target in stage.targets:
            holders = list(_holders(target))
            if not holders:
                clock.missing.append(target)
            for holder, name, function in holders:
                changed.append((holder, name, function))
                setattr(holder, name, clock.around(stage, function))
    try:
        yield clock
    finally:
        for holder, name, function in changed:
            setattr(holder, name, function)


@contextmanager
def single_thread() -> Iterator[None]:
    """Let the engine use one thread only."""
    holders = list(_holders("core.base.tasks:worker_count"))
    if not holders:
        raise LookupError("This engine has no `worker_count` to bound.")
    for holder, name, _ in holders:
        setattr(holder, name, lambda: 1)
    try:
        yield
    finally:
        for holder, name, function in holders:
            setattr(holder, name, function)


def _holders(target: str) -> Iterator[tuple[object, str, Callable[..., Any]]]:
    """Where the engine looks up a function: its class, or every module that has imported it."""
    module, _, path = target.partition(":")
    owner, _, name = path.rpartition(".")
    home: Any = import_module(module)
    if owner:
        home = getattr(home, owner, None)
    function = getattr(home, name, None)
    if function is None:
        return
    if owner:
        yield home, name, function
        return
    for known, engine in list(sys.modules.items()):
        if known.startswith("core") and getattr(engine, name, None) is function:
            yield engine, name, function


INTERVAL = 0.02  # seconds between two looks
PROCESS = Path("/proc/self")


class Usage(NamedTuple):
    """Seconds by the clock and of all threads together; peaks in megabytes (of a million bytes).

    `peak` and `anonymous` are beyond what the process held before: all resident memory, and of it
    what no file backs, which the system cannot take back. `disk` is what temporary files took,
    also those without a name.
    """

    wall: float
    cpu: float
    peak: float
    anonymous: float
    disk: float

    def then(self, later: Usage) -> Usage:
        """Both blocks together."""
        return Usage(
            self.wall + later.wall,
            self.cpu + later.cpu,
            *(max(pair) for pair in zip(self[2:], later[2:], strict=True)),
        )


def megabytes(name: str) -> float:
    """A line of this process's status, VmHWM for instance."""
    status = PROCESS / "status"
    if not status.exists():
        return float("nan")
    match = re.search(rf"^{name}:\s+(\d+) kB", status.read_text(encoding="ascii"), re.MULTILINE)
    return int(match[1]) * 1024 / 1e6 if match else float("nan")


class Memory(NamedTuple):
    """What this process holds now, in megabytes: all of it, and what no file backs."""

    resident: float
    anonymous: float

    @staticmethod
    def now() -> Memory:
        """At this moment."""
        return Memory(megabytes("VmRSS"), megabytes("RssAnon"))


class _Watch:
    """Samples what can only be measured while it happens."""

    def __init__(self) -> None:
        self.anonymous = self.disk = 0.0
        self._scratch = str(temporary_folder())
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while PROCESS.exists():
            self.anonymous = max(self.anonymous, megabytes("RssAnon"))
            self.disk = max(self.disk, _temporary_megabytes(self._scratch))
            if self._over.wait(INTERVAL):
                return


def _temporary_megabytes(scratch: str) -> float:
    """Files open in this process below the folder of temporary files."""
    sizes: dict[str, int] = {}
    for descriptor in (PROCESS / "fd").iterdir():
        with contextlib.suppress(OSError):
            if str(descriptor.readlink()).startswith(scratch):
                state = descriptor.stat()
                sizes[str(state.st_ino)] = state.st_blocks * 512
    return sum(sizes.values()) / 1e6


@contextlib.contextmanager
def measured(beyond: Memory | None = None) -> Iterator[list[Usage]]:
    """Measure a block; the list has its usage afterwards. Blocks must not be nested.

    Args:
        beyond: What memory is counted from; what there is at the beginning, unless told.
    """
    result: list[Usage] = []
    base = beyond or Memory.now()
    with contextlib.suppress(OSError):
        (PROCESS / "clear_refs").write_text("5")  # the peak begins anew
    with _Watch() as watch:
        cpu, began = time.process_time(), time.perf_counter()
        yield result
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    disk = watch.disk if PROCESS.exists() else float("nan")
    peak = megabytes("VmHWM") - base.resident
    result.append(Usage(wall, cpu, peak, watch.anonymous - base.anonymous, disk))


class ProcessTrees:
    """Looks at processes and at all that they start: once, or again and again within a block.

    Attributes:
        peak: The most bytes of memory that all hold at a time.
        root_peak: The most that one of the given processes holds.
        started_peak: The most that those hold together which they started.
        python_peak: The most that one of these holds, if Python runs in it.
        started: Those.
    """

    def __init__(self, roots: Sequence[int] = (), interval: float = 0.05) -> None:
        self.peak = self.root_peak = self.started_peak = self.python_peak = 0
        self.started: set[psutil.Process] = set()
        self._roots = [psutil.Process(pid or None) for pid in roots or [0]]
        self._interval, self._over = interval, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self.look()
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._over.set()
        self._thread.join()

    def look(self) -> None:
        """Look once."""
        of_program, of_others, python = [0], [0], [0]
        for root in self._roots:
            with contextlib.suppress(psutil.Error):
                of_program.append(root.memory_info().rss)
                for child in root.children(recursive=True):
                    self.started.add(child)
                    with contextlib.suppress(psutil.Error):  # it has ended meanwhile
                        of_others.append(child.memory_info().rss)
                        if "python" in child.name():
                            python.append(of_others[-1])
        self.peak = max(self.peak, sum(of_program) + sum(of_others))
        self.root_peak = max(self.root_peak, *of_program)
        self.started_peak = max(self.started_peak, sum(of_others))
        self.python_peak = max(self.python_peak, *python)

    def _watch(self) -> None:
        while not self._over.wait(self._interval):
            self.look()


def neardup(*arguments: object) -> list[str]:
    """The command line of Neardup with these arguments."""
    return [sys.executable, "-m", "core", *map(str, arguments)]


def in_fresh_process(
    work: Callable[..., Any], *arguments: object, limit: float | None = None
) -> Any:
    """What some work returns in a new process, which ends with it.

    Raises:
        TimeoutError: It took longer than `limit` seconds and was ended.
        RuntimeError: It failed; the message is that of the failure.
    """
    context = get_context("spawn")
    ours, worker_end = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(worker_end, work, arguments))
    process.start()
    worker_end.close()
    with ours:
        if not ours.poll(limit):
            process.kill()
            process.join()
            raise TimeoutError(f"ended after {limit:,.0f} s")
        try:
            failed, answer = ours.recv()
        except EOFError:
            process.join()
            failed, answer = True, f"ended with status {process.exitcode}"
    process.join()
    if failed:
        raise RuntimeError(answer)
    return answer


def _answer(pipe: Connection, work: Callable[..., Any], arguments: tuple[object, ...]) -> None:
    try:
        pipe.send((False, work(*arguments)))
    except Exception as failure:  # noqa: BLE001 - the caller prints it
        pipe.send((True, f"{type(failure).__name__}: {failure}"))
