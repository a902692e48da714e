"""What tests of the engine share."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest


@pytest.fixture(scope="module")
def pool():
    """Two threads that run already: a pool begins one when it has work, which may be in a test."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(Barrier.wait, [Barrier(2)] * 2))
        yield pool
