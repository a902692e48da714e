"""Folders that lose, rename, change and regain files at random: nothing is lost.

The same worlds go through hundreds of rescans in `tests/bench/rescans.py`.
"""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

WORLDS = Path(__file__).parents[2] / "bench" / "rescans.py"


@pytest.fixture(scope="module")
def rescans():
    spec = spec_from_file_location("rescans", WORLDS)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_lost_and_what_is_there_is_as_a_fresh_scan_has_it(rescans, tmp_path, seed):
    world = rescans.World(tmp_path, seed)
    for _ in range(5):
        world.disturb()
        world.rescan()

    assert world.counts["rescans"] == 5


def test_the_ledger_sees_what_is_lost(rescans, tmp_path):
    world = rescans.World(tmp_path, 0)
    fewer = world.state._replace(documents=world.state.documents[1:], texts=world.state.texts[1:])

    with pytest.raises(AssertionError, match="lost"):
        world._check_ledger(world.state, fewer)
