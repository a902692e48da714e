"""`neardup prepare`: the engine compiled for this computer, so that no scan waits for it."""

from __future__ import annotations

import argparse
import time

from core.base.messages import gettext, localized
from core.commands.options import add_flag
from core.commands.terminal import say
from core.program.end_signals import until_interrupted


def add_options(prepare: argparse.ArgumentParser) -> None:
    """Describe `prepare` and add its options."""
    prepare.description = gettext(
        "Compile the engine for this computer. Without it the first scan does so. It is done "
        "once after an installation, an update or a change of the processor."
    )
    add_flag(prepare, "--quiet", "print nothing but errors")


def run(options: argparse.Namespace) -> int:
    """Compile the kernels that are not compiled yet; returns the exit status.

    Raises:
        PreparationError: That did not work out.
    """
    from core.program.preparation import OTHER, USUAL, is_prepared, prepare

    began = time.monotonic()
    with until_interrupted():
        for part in (USUAL, OTHER):
            if not is_prepared(part):
                prepare(part)
    if not options.quiet:
        say("The engine is ready; {time} s", time=localized(f"{time.monotonic() - began:.1f}"))
    return 0
