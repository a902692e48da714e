"""Makes ready what a first scan would wait for."""

from __future__ import annotations

import gc
from contextlib import suppress

from core.errors import PreparationError
from neardup_gui.jobs.job import Reports, Work


def warm_up() -> Work:
    """Load the engine's kernels, so that the first scan need not; compile those of the presets.

    Whoever is about to call them waits for the end of it (`core.program.preparation.wait`).
    """

    def work(reports: Reports) -> None:
        from core.program import preparation

        preparation.begin()
        try:
            if not preparation.is_prepared():
                _prepare(reports)
            from core.scan.in_memory import call_kernels

            call_kernels()
        finally:
            preparation.finish()
        # The half a million objects of the compiler stay: looking through them again and again for
        # garbage would hold the window up for 80 ms each time.
        gc.freeze()

    return work


def _prepare(reports: Reports) -> None:
    from core.program import preparation

    if not preparation.can_keep():
        reports.announce("Preparing the engine, as at every start: it can be kept in no folder")
        return
    reports.announce("Preparing the engine for this computer, once")
    with suppress(PreparationError):
        preparation.prepare(cancelled=reports.cancelled)


def compile_other_kernels() -> Work:
    """Compile the kernels that no preset needs, where that has not been done yet."""

    def work(reports: Reports) -> None:
        from core.program.preparation import OTHER, is_prepared, prepare

        if not is_prepared(OTHER):
            with suppress(PreparationError):
                prepare(OTHER, cancelled=reports.cancelled)

    return work
