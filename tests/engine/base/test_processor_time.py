"""Processor time as a limit counts it."""

import subprocess
import sys
import textwrap
import time

import pytest

from core.base.memory import counted_seconds


def test_no_less_than_the_exact_sum():
    before = time.process_time()

    assert before <= counted_seconds() < before + 60


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps two sums")
def test_a_limit_is_not_over_where_the_exact_sum_lags():
    """The exact sum stands for one that lags: it says that nothing was computed so far."""
    program = """
        import time
        while time.process_time() < 2.5: sum(range(10_000))
        time.process_time = lambda: 0.0
        from core.documents.readers.pdf.pdf import _limited_computing
        with _limited_computing(2):
            sum(range(10_000_000))
        print("goes on")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.stdout, done.returncode) == ("goes on\n", 0)
