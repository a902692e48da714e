"""`neardup settings`: settings as a file to share."""

from __future__ import annotations

import argparse

from core.commands.options import (
    add_setting_options,
    add_ways_of_reading,
    file_to_write,
    settings_from,
    ways_of_reading,
)

__all__ = ["add_options", "run"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Describe `settings` and add its options."""
    parser.description = (
        "Write settings to a file that neardup scan, query and audit take with --settings, and the "
        "window with “Load settings…”. All of them are written, also those that are as usual. "
        "Limits and passwords are of each computer, and what is set aside belongs to a review: "
        "these are not in it."
    )
    parser.epilog = "Example: neardup settings --bands 20 --rows 5 course.json"
    parser.set_defaults(run=run)
    parser.add_argument("file", type=file_to_write(".json"), metavar="FILE")
    add_setting_options(parser)
    add_ways_of_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Write the file; returns the exit status.

    Raises:
        SettingsError: The values contradict themselves, or `--settings` names no such file.
        ExportError: The file could not be written.
    """
    from core.base.wording import printable_name
    from core.reports.settings_file import write_settings_file

    write_settings_file(options.file, settings_from(options), ways_of_reading(options))
    print(f"Written: {printable_name(options.file.as_posix())}")
    return 0
