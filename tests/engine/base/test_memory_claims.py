"""Memory that threads share: small claims side by side, one beyond the pool at a time."""

from __future__ import annotations

import threading

import pytest

from core.base.tasks import MemoryRoom
from core.errors import ScanCancelledError

PATIENCE = 60.0  # seconds, a net


def started(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread


class Claimant:
    """A thread that claims, and holds what it has until it is told to go on."""

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
    one, other = Claimant(room, 60), Claimant(room, 40)

    assert one.has()
    assert other.has()
    assert room.taken == 100
    for claimant in (one, other):
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


def test_who_waits_can_be_cancelled_and_leaves_nothing():
    room = MemoryRoom(100)
    big = Claimant(room, 900)
    assert big.has()
    with room.claim(50), pytest.raises(ScanCancelledError), room.claim(60, lambda: True):
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


def test_who_does_not_want_to_wait_is_told():
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
