"""What is printed on a terminal commands nothing there.

Names, arguments and messages of the system may hold control sequences. Most are made printable
where they come in; this is the last place, through which everything goes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from core.base.wording import printable_text


class PrintableOutput:
    """A stream that shows as an escape what cannot be seen, or would command a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text; only line feeds and tabs stay what they are."""
        return self.stream.write(printable_text(text))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self.stream, name)


@contextmanager
def printable_output() -> Iterator[None]:
    """Within it, `sys.stdout` and `sys.stderr` write printable text only."""
    with ExitStack() as stack:
        if sys.stdout:  # None where there is none
            stack.enter_context(redirect_stdout(cast("TextIO", PrintableOutput(sys.stdout))))
        if sys.stderr:
            stack.enter_context(redirect_stderr(cast("TextIO", PrintableOutput(sys.stderr))))
        yield


def command_terminal(commands: str) -> None:
    """Write what is meant as commands to the terminal, at once, on standard error."""
    stream: TextIO = getattr(sys.stderr, "stream", sys.stderr)
    stream.write(commands)
    stream.flush()
