"""`neardup settings`: settings as a file to share."""

from __future__ import annotations

import argparse
import sys

from core.base.messages import gettext
from core.base.wording import printable_name
from core.commands import options as shared
from core.commands.terminal import print_note
from core.errors import SettingsError

LINES = ("shell", "powershell", "python", "datasketch", "datatrove", "text-dedup")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Describe `settings` and add its options."""
    parser.description = gettext(
        "Write settings to a file that neardup scan, query and audit take with --settings, "
        "and the window with “Load settings…”. All of them are written, also those that are "
        "as usual. Limits and passwords are of each computer, and what is set aside belongs "
        "to a review: these are not in it."
    )
    parser.epilog = gettext(
        "Examples: neardup settings --bands 20 --rows 5 course.json; neardup settings "
        "--settings course.json --lines datasketch"
    )
    parser.add_argument("file", nargs="?", type=shared.file_to_write(".json"), metavar="FILE")
    parser.add_argument(
        "--lines",
        choices=LINES,
        metavar="WHERE",
        help=gettext(
            "print lines that use these settings elsewhere, ready to be run: for {lines}; what is "
            "otherwise there is said beside them",
            lines=", ".join(LINES),
        ),
    )
    shared.add_setting_options(parser)
    shared.add_ways_of_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Write the file, print the lines; returns the exit status.

    Raises:
        SettingsError: The values contradict themselves, or `--settings` names no such file.
        ExportError: The file could not be written.
    """
    from core.reports.settings_file import WHERE, SettingsRequest, write_settings_file

    if options.file is None and options.lines is None:
        raise SettingsError("Name a FILE to write, or say for what with --lines.")
    settings, reading = shared.settings_from(options), shared.ways_of_reading(options)
    if options.file is not None:
        write_settings_file(options.file, settings, reading)
        beside = sys.stderr if options.lines else sys.stdout
        print(gettext("Written: {file}", file=printable_name(options.file.as_posix())), file=beside)
    if options.lines is None:
        return 0
    lines = WHERE[options.lines](SettingsRequest(settings, reading))
    if lines.code:  # alone on standard output
        print(lines.code)
    if lines.differs:
        print_note(f"{lines.title}: {lines.differs}", quiet=False)
    return 0 if lines.code else 1
