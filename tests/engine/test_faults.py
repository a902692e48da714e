"""Injected faults, power cuts and kills: short runs of what tests/bench does at length.

Each is a program of its own, because a library is preloaded that fails, records or kills at calls
of the system.
"""

from pathlib import Path

import pytest

from tests.bench import fault_calls
from tests.programs import python

BENCH = Path(__file__).parents[1] / "bench"

pytestmark = pytest.mark.skipif(bool(fault_calls.why_not()), reason=fault_calls.why_not() or "-")


def run(program, *arguments):
    done = python(str(BENCH / program), *arguments, env=fault_calls.environment())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# What is done and what fails, and at every which call of the system.
FAULTS = {
    "save a new review: (disk full from|nothing is flushed|no right)": 4,
    "save over a review: (I/O error, once|disk full|no memory, once)": 13,
    "decide something: (I/O error, once|disk full|no memory, once)": 9,
    "open .*: I/O error, once": 5,
    "export .csv: (I/O error, once|disk full)|settings.*: (disk full|nothing)": 1,
}


def test_errors_at_calls_of_the_system():
    output = run("faults.py", "--only", *FAULTS, "--every", *FAULTS.values())

    *lines, total = output.splitlines()
    assert "0 not as they must be" in total
    assert len(lines) == 19
    assert not [line for line in lines if line.endswith("never met")]


def test_power_cuts():
    scenes = "new review|while it is open|decisions|a report"
    output = run("power_loss.py", "--only", scenes, "--draws", "1")

    *lines, total = output.splitlines()
    assert "0 not as they must be" in total
    assert len(lines) == 4
    assert all(int(line.split(" calls ")[1].split()[0]) >= 10 for line in lines)


def test_kills():
    assert ", 0 troubles" in run("kills.py", "--kills", "4", "--only", "scan")
