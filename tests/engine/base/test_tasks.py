"""Processor time as a limit counts it."""

import gc
import platform
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from core.base.memory import collector_paused, counted_seconds
from core.base.tasks import (
    MemoryRoom,
    ProgressReport,
    Stage,
    WorkerPool,
    cancelled_by,
    is_cancelled,
    results_of,
    stoppable,
    throttled,
    until_done,
)
from core.errors import ScanCancelledError
from tests.programs import python

COUNT = 20
AHEAD = 3


class _Result:
    """Something that can be seen to be gone."""

    def __init__(self, number: int) -> None:
        self.number = number


def test_results_come_in_turn_and_are_not_kept():
    futures: list[weakref.ref[Future[_Result]]] = []

    def work(pool: ThreadPoolExecutor) -> Iterator[Future[_Result]]:
        for number in range(COUNT):
            future = pool.submit(_Result, number)
            futures.append(weakref.ref(future))
            yield future
            del future

    seen = []
    with ThreadPoolExecutor(2) as pool:
        for result in results_of(work(pool), AHEAD):
            seen.append(result.number)
            assert len(futures) <= len(seen) + AHEAD
    gc.collect()
    assert seen == list(range(COUNT))
    assert not [reference for reference in futures if reference() is not None]


def test_arguments_are_released_while_the_rest_is_waited_for():
    futures: list[Future[_Result]] = [Future() for _ in range(AHEAD)]
    for number, future in enumerate(futures):
        future.set_result(_Result(number))
    first = weakref.ref(futures[0])
    assert next(results_of((futures.pop(0) for _ in range(AHEAD)), AHEAD)).number == 0
    gc.collect()
    assert first() is None


def test_cancelling_drops_what_has_not_begun():
    futures: list[Future[_Result]] = [Future() for _ in range(COUNT)]
    futures[0].set_result(_Result(0))
    questions = []

    def cancelled() -> bool:
        questions.append(True)
        return len(questions) > 1

    results = results_of(iter(futures), AHEAD)
    with cancelled_by(cancelled):
        next(results)
        with pytest.raises(ScanCancelledError):
            next(results)
    assert [future.cancelled() for future in futures[1 : AHEAD + 1]] == [True] * AHEAD
    assert not futures[AHEAD + 1].cancelled()


def test_work_that_was_cancelled_on_another_thread_keeps_nothing_of_who_waited():
    cancelled = Mock(side_effect=ScanCancelledError("The scan was cancelled."))

    def wait_for(pool: ThreadPoolExecutor, held: _Result) -> None:
        futures = [pool.submit(cancelled) for _ in range(held.number)]
        list(results_of(iter(futures)))

    held = _Result(2)
    known = weakref.ref(held)
    with collector_paused():
        with ThreadPoolExecutor(1) as pool:
            try:
                wait_for(pool, held)
            except ScanCancelledError:
                del held
        assert known() is None


def test_threads_and_inner_work_hear_who_cancels_around_them():
    with WorkerPool(2) as pool:
        with cancelled_by(lambda: True):
            heard = pool.submit(is_cancelled)
            with cancelled_by(lambda: False):
                assert is_cancelled()
            with until_done():
                assert not is_cancelled()
            assert is_cancelled()
        assert heard.result()
        assert not pool.submit(is_cancelled).result()
    assert not is_cancelled()


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_a_loop_of_many_short_steps_asks_now_and_then():
    questions = []

    with cancelled_by(lambda: questions.append(0) is not None):
        assert [*stoppable(range(1_000))] == [*range(1_000)]
    assert len(questions) == 4

    reached = []
    with pytest.raises(ScanCancelledError), cancelled_by(lambda: bool(reached)):
        reached.extend(stoppable(range(1_000)))  # it is filled as the loop goes on
    assert len(reached) == 256


def test_throttle_passes_twenty_reports_a_second():
    clock, passed = Clock(), []
    report = throttled(passed.append, 0.05, clock=clock)

    for step in range(1000):
        clock.now = 100.0 + step / 1000
        report(ProgressReport(Stage.READ, step, 5000))

    assert 19 <= len(passed) <= 21
    assert passed[0].done == 0


def test_throttle_passes_the_first_and_last_report_of_every_stage():
    clock, passed = Clock(), []
    report = throttled(passed.append, 0.05, clock=clock)

    for stage in Stage:
        for done in range(4):
            report(ProgressReport(stage, done, 3))

    ends = [(stage, done) for stage in Stage for done in (0, 3)]
    assert [(each.stage, each.done) for each in passed] == ends


PATIENCE = 60.0  # seconds, a net


def started(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread


class Claimant:
    """A thread that claims memory, and holds it until it may go on."""

    def __init__(self, room, *sizes):
        self._room, self._sizes = room, sizes
        self.steps = [threading.Event() for _ in sizes]  # set when each size was granted
        self._go = [threading.Event() for _ in sizes]
        self.thread = started(self._work)

    def _work(self):
        with self._room.claim() as claim:
            for size, granted, go in zip(self._sizes, self.steps, self._go, strict=True):
                claim.grow(size)
                granted.set()
                assert go.wait(PATIENCE)

    def go_on(self, step=0):
        self._go[step].set()

    def has(self, step=0):
        return self.steps[step].wait(PATIENCE)


def test_claims_that_fit_in_the_pool_do_not_wait_and_are_given_back():
    room = MemoryRoom(100)
    first, second = Claimant(room, 60), Claimant(room, 40)

    assert first.has()
    assert second.has()
    assert room.taken == 100
    for claimant in (first, second):
        claimant.go_on()
        claimant.thread.join(PATIENCE)
    assert room.taken == 0


def test_one_thread_goes_beyond_the_pool_and_the_next_waits_for_it():
    room = MemoryRoom(100)
    big = Claimant(room, 90, 500)
    assert big.has()
    big.go_on()
    assert big.has(1)  # alone beyond the pool, whatever others do
    small = Claimant(room, 80)
    assert small.has()  # the pool is there for the others
    second = Claimant(room, 300)
    assert not second.steps[0].wait(0.2)
    big.go_on(1)
    assert second.has()
    for claimant in (small, second):
        claimant.go_on()
        claimant.thread.join(PATIENCE)
    assert room.taken == 0


def test_waiting_can_be_cancelled_and_leaves_nothing():
    room = MemoryRoom(100)
    big = Claimant(room, 900)
    assert big.has()
    raises = pytest.raises(ScanCancelledError)
    with room.claim(50), raises, cancelled_by(lambda: True), room.claim(60):
        pass
    big.go_on()
    big.thread.join(PATIENCE)
    assert room.taken == 0


def test_a_claim_only_grows():
    room = MemoryRoom(100)
    with room.claim(50) as claim:
        claim.grow(20)
        assert claim.size == room.taken == 50
    assert room.taken == 0


def test_a_claim_grows_without_waiting_or_is_refused():
    room = MemoryRoom(100)
    big = Claimant(room, 900)
    assert big.has()
    with room.claim(50) as claim:
        assert claim.try_to_grow(90)
        assert not claim.try_to_grow(101)
        assert claim.size == 90
        big.go_on()
        big.thread.join(PATIENCE)
        assert claim.try_to_grow(101)
    assert room.taken == 0


def test_many_threads_that_all_grow_come_to_an_end():
    room = MemoryRoom(100)

    def work():
        for _ in range(50):
            with room.claim(30) as claim:
                claim.grow(70)
                with room.claim(40):  # of the same thread: added up
                    claim.grow(90)

    threads = [started(work) for _ in range(8)]
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
    assert room.taken == 0


def test_no_less_than_the_exact_sum():
    before = time.process_time()

    assert before <= counted_seconds() < before + 60


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps two sums")
def test_a_limit_is_not_over_where_the_exact_sum_lags():
    """The exact sum stands for one that lags: it says that nothing was computed so far."""
    program = """
        import time
        while time.process_time() < 2.2: sum(range(10_000))
        time.process_time = lambda: 0.0
        from core.documents.readers.pdf import _limited_computing
        with _limited_computing(2):  # at least a second more: it counts whole ones
            sum(range(10_000_000))
        print("goes on")
    """
    done = python("-c", textwrap.dedent(program), timeout=60)

    assert (done.stdout, done.returncode) == ("goes on\n", 0)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators keep nothing")
@pytest.mark.parametrize(
    "then", ["claim.release()", "allow_growth(process.pid, OWN_BYTES + 3 * LARGE, claim)"]
)
def test_freed_memory_is_returned_after_large_work_and_before_a_large_file_is_read(then: str):
    """Blocks of a size that the allocator takes from its heap, below one that is still in use."""
    program = f"""
        import psutil
        from core.base.tasks import LARGE, MemoryRoom
        from core.documents.isolation.processes import OWN_BYTES, allow_growth
        process = psutil.Process()
        claim = MemoryRoom(10 * LARGE).claim(2 * LARGE)
        kept = [b"x" * size for size in [100_000] * (2 * LARGE // 100_000)]
        del kept[:-1]
        before = process.memory_info().rss
        {then}
        print(before - process.memory_info().rss > LARGE)
    """

    assert python("-c", textwrap.dedent(program), check=True, timeout=60).stdout == "True\n"
