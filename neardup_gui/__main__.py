"""`neardup`: a folder, documents or a review open the window, a command runs without it.

Nothing of Qt is imported before it is known that a window is wanted.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in `typing`, which takes time to import: see `core.program.interrupts`
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NO_WINDOW = 1
BAD_USAGE = 2
SIGNALS = 128  # above it, the exit status of a program that a signal ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the application; returns the exit status.

    A stopped command ends the process at once when it runs as the program: Python would wait for
    threads that work on a long text, whose results nobody needs.

    Args:
        arguments: By default those of the process; then the program handles Ctrl+C, too.
    """
    if arguments is None:
        from core.program.interrupts import end_at_interrupt

        end_at_interrupt()
    from core.commands import main
    from core.errors import SettingsError
    from core.program.startup import choose_language

    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        given = choose_language(words, os.environ if arguments is None else {})
    except SettingsError as error:
        _write_error(f"neardup: {error}\n")
        return BAD_USAGE
    language_given = len(given) < len(words)
    if given and (given[0].startswith("-") or given[0] in main.COMMANDS):
        status = main.main(given)
        if arguments is None:
            from core.program.end_signals import end_at_once, leave

            (end_at_once if status > SIGNALS else leave)(status)
        return status
    return _open_window(given, language_given=language_given)


def _open_window(given: Sequence[str], *, language_given: bool) -> int:
    from pathlib import Path

    from core.base.wording import printable_text
    from core.errors import NeardupError
    from core.program.startup import require, spare_threads
    from neardup_gui.environment.display_errors import is_about_libraries, reason

    spare_threads()
    paths = [Path(name).expanduser() for name in given]
    try:
        require(paths)
    except NeardupError as error:
        _write_error(f"neardup: {error}\n")
        return NO_WINDOW
    paths = [path.absolute() for path in paths]
    for path in paths:
        problem = _problem_with(path, alone=len(paths) == 1)
        if problem:
            _write_error(f"neardup: {problem}\n")
            return BAD_USAGE
    try:
        from neardup_gui.app import run
    except ImportError as error:
        if not is_about_libraries(error):
            raise
        _write_error(printable_text(reason(str(error))))
        return NO_WINDOW
    return run(paths, language_given=language_given)


def _write_error(words: str) -> None:
    if sys.stderr:  # None without a console
        sys.stderr.write(words)


def _problem_with(path: Path, *, alone: bool) -> str:
    """Why a path cannot be opened; empty when it can."""
    from core.base.messages import gettext
    from core.base.wording import printable_path

    if not path.exists():
        return gettext("“{path}” does not exist.", path=printable_path(path))
    from neardup_gui.models.folder_reviews import is_review

    if is_review(path) and not alone:
        return gettext("“{path}” is a review; open it by itself.", path=printable_path(path))
    return ""


if __name__ == "__main__":
    sys.exit(main())
