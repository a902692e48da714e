"""What a long command says on a terminal while it runs."""

from __future__ import annotations

import io
import sys

from core.base.tasks import ProgressReport, Stage
from core.commands.terminal import shown_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_says_what_how_much_and_of_how_much(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    with shown_progress(quiet=False) as progress:
        progress(ProgressReport(Stage.DISCOVER, 0, 0))
        progress(ProgressReport(Stage.READ, 12, 2000))
        progress(ProgressReport(Stage.COMPARE, 16, 64))

    lines = sys.stderr.getvalue().split("\r")
    assert [line for line in lines if "Looking for documents\x1b[K" in line]
    assert [line for line in lines if "Reading documents · 12 of 2,000 documents\x1b[K" in line]
    assert [line for line in lines if "Comparing pairs · 25%\x1b[K" in line]
    assert lines[-1] == "\x1b[K"  # nothing stays


def test_a_line_that_is_too_long_is_cut_by_the_terminal(monkeypatch):
    """Where it went on in the next line, every report would leave one."""
    monkeypatch.setattr(sys, "stderr", Terminal())

    with shown_progress(quiet=False) as progress:
        progress(ProgressReport(Stage.MEET, 1, 2))

    (line,) = [line for line in sys.stderr.getvalue().split("\r") if "Looking" in line]
    assert line.startswith("\x1b[?7l")
    assert line.endswith("\x1b[?7h")
