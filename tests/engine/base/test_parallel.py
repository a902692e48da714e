"""Work on threads: its results in order, and given up when it is cancelled."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from core.base.tasks import never, results_of
from core.errors import ScanCancelledError

COUNT = 20
AHEAD = 3


class _Result:
    """Something that can be seen to be gone."""

    def __init__(self, number: int) -> None:
        self.number = number


def test_results_come_in_turn_and_are_not_kept() -> None:
    begun: list[weakref.ref[Future[_Result]]] = []

    def work(pool: ThreadPoolExecutor) -> Iterator[Future[_Result]]:
        for number in range(COUNT):
            future = pool.submit(_Result, number)
            begun.append(weakref.ref(future))
            yield future
            del future

    seen = []
    with ThreadPoolExecutor(2) as pool:
        for result in results_of(work(pool), never, AHEAD):
            seen.append(result.number)
            assert len(begun) <= len(seen) + AHEAD
    gc.collect()
    assert seen == list(range(COUNT))
    assert not [one for one in begun if one() is not None]


def test_what_was_given_is_let_go_while_the_rest_is_waited_for() -> None:
    futures: list[Future[_Result]] = [Future() for _ in range(AHEAD)]
    for number, future in enumerate(futures):
        future.set_result(_Result(number))
    first = weakref.ref(futures[0])
    results = results_of((futures.pop(0) for _ in range(AHEAD)), never, AHEAD)
    assert next(results).number == 0
    gc.collect()
    assert first() is None


def test_cancelling_drops_what_has_not_begun() -> None:
    futures: list[Future[_Result]] = [Future() for _ in range(COUNT)]
    futures[0].set_result(_Result(0))
    asked = []

    def cancelled() -> bool:
        asked.append(True)
        return len(asked) > 1

    results = results_of(iter(futures), cancelled, AHEAD)
    next(results)
    with pytest.raises(ScanCancelledError):
        next(results)
    assert [future.cancelled() for future in futures[1 : AHEAD + 1]] == [True] * AHEAD
    assert not futures[AHEAD + 1].cancelled()
