"""The folders of a command read from the disk, with all that is held open meanwhile."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from core.base.tasks import Progress
from core.commands.options import folders_from, reading_from
from core.commands.terminal import prepared_engine, shown_progress
from core.program.ending import until_interrupted
from core.settings import ScanSettings

if TYPE_CHECKING:
    from core.scan.scan import Scan


@contextmanager
def read_folders(
    options: argparse.Namespace, settings: ScanSettings
) -> Iterator[tuple[Scan, Progress, ExitStack]]:
    """Read the folders of the options; the scan is closed at the end.

    Within it there is what was read, progress that is shown on the terminal, and what closes all
    that is made of the scan.

    Raises:
        NeardupError: The documents could not be read.
    """
    from core.scan.flow import scan

    with (
        until_interrupted(),
        prepared_engine(quiet=options.quiet),
        shown_progress(quiet=options.quiet) as progress,
        ExitStack() as stack,
    ):
        folders, roles = folders_from(options)
        read = scan(
            folders, settings, roles=roles, reading=reading_from(options), progress=progress
        )
        stack.callback(read.close)
        yield read, progress, stack
