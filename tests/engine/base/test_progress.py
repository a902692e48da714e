"""Reports of progress, as many as somebody can read."""

from __future__ import annotations

from core.base.tasks import ProgressReport, Stage, throttled


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


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
