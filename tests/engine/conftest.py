"""What tests of the engine share."""

from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def pool():
    with ThreadPoolExecutor(2) as pool:
        yield pool
