"""The options of the measurements: one for each name, as its default says."""

import argparse
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

NEEDED = object()  # a folder or file that has to be given


class Among(NamedTuple):
    """An option that takes one of these words; some of them, where the default is a sequence."""

    words: Collection[str]
    default: str | Sequence[str] | None = None


def read_options(
    doc: str | None, given: Sequence[str] | None = None, /, **defaults: object
) -> argparse.Namespace:
    """Read the command line; `--name` for each name.

    Args:
        doc: The description of the program, which says what its options mean.
        given: The arguments; those of the process, unless told.
        defaults: A value; a sequence for an option with several; False for one that is given or
            not; a type for one that is None unless given; or `NEEDED`, or `Among`.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, value in defaults.items():
        words, default = value if isinstance(value, Among) else (None, value)
        keywords: dict[str, Any] = {} if words is None else {"choices": words}
        if default is False:
            keywords["action"] = "store_true"
        elif default is NEEDED:
            keywords |= {"type": Path, "required": True}
        elif isinstance(default, type):
            keywords["type"] = default
        elif isinstance(default, tuple | list):
            keywords |= {
                "nargs": "*",
                "type": type(default[0]) if default else str,
                "default": default,
            }
        else:
            keywords |= {"type": str if default is None else type(default), "default": default}
        parser.add_argument(f"--{name.replace('_', '-')}", **keywords)
    return parser.parse_args(given)
