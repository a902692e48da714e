"""`neardup properties`: the properties of files, and those that two of them share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.base.files import write_json
from core.base.messages import N_, gettext, ngettext
from core.base.wording import count
from core.commands.options import (
    add_flag,
    add_folders,
    add_reading_options,
    add_template,
    reading_from,
)
from core.commands.query import add_result_options
from core.commands.terminal import shown_progress
from core.program.end_signals import until_interrupted
from core.reports.properties_words import file_in_words, shared_in_words

if TYPE_CHECKING:
    from core.scan.properties import FolderProperties, NamedProperties, SharedProperty


def add_options(properties: argparse.ArgumentParser) -> None:
    """Describe `properties` and add its options."""
    properties.description = gettext(
        "List the pairs of files that share a rare property: an editing session, a picture, who "
        "saved them last. Properties are what a program wrote into a file: they can be wrong, or "
        "forged."
    )
    properties.epilog = gettext("Example: neardup properties essays --template assignment.docx")
    add_folders(properties)
    add_template(properties)
    add_reading_options(properties)
    results = add_result_options(properties, N_("print the first N pairs (default: {default})"))
    add_flag(results, "--all", "print what every file tells as well")


def run(options: argparse.Namespace) -> int:
    """Look at every file; returns the exit status."""
    from core.scan.properties import FolderProperties, properties_of_folders

    with until_interrupted(), shown_progress(quiet=options.quiet) as progress:
        files = properties_of_folders(
            options.folders, options.template, reading=reading_from(options), progress=progress
        )
        folder = FolderProperties([file.properties for file in files])
        pairs = folder.pairs()
    if not options.quiet:
        _print(files, folder, pairs, options)
    if options.json:
        _write(options, files, folder, pairs)
    return 0


def _print(
    files: Sequence[NamedProperties],
    folder: FolderProperties,
    pairs: Sequence[tuple[int, int]],
    options: argparse.Namespace,
) -> None:
    """The pairs that share a rare property, and on request the properties of each file."""
    from core.reports.list_words import more_in_words

    if options.all:
        for name, properties in files:
            print(name)
            for line in file_in_words(properties):
                print(f"    {line}")
    telling = sum(bool(properties.properties) for _, properties in files)
    print(
        ngettext(
            "{n} document, {telling} with properties; {pairs}",
            "{n} documents, {telling} with properties; {pairs}",
            len(files),
            telling=count(telling),
            pairs=ngettext(
                "{n} pair shares a rare property", "{n} pairs share a rare property", len(pairs)
            ),
        )
    )
    for a, b in pairs[: options.show]:
        print(f"A  {files[a].name}")
        print(f"B  {files[b].name}")
        for shared in folder.shared(a, b):
            print(f"    {shared_in_words(shared)}")
    left_out = len(pairs) - options.show
    if left_out > 0:
        print(more_in_words(left_out))


def _write(
    options: argparse.Namespace,
    files: Sequence[NamedProperties],
    folder: FolderProperties,
    pairs: Sequence[tuple[int, int]],
) -> None:
    """Write everything as JSON."""
    documents = [
        {
            "document": name,
            "properties": dict(properties.properties),
            "is_template": properties.is_template,
            "problem": properties.why_none,
        }
        for name, properties in files
    ]
    shared: list[dict[str, Any]] = [
        {
            "a": files[a].name,
            "b": files[b].name,
            "properties": [_row(shared_property) for shared_property in folder.shared(a, b)],
        }
        for a, b in pairs
    ]
    write_json(options.json, {"documents": documents, "pairs": shared})


def _row(shared: SharedProperty) -> dict[str, Any]:
    return {
        "kind": shared.kind.code,
        "is_rare": shared.is_rare,
        "of_a": shared.of_a,
        "of_b": shared.of_b,
        "texts": shared.texts or None,
        "values": [
            {"value": value, "files": number}
            for value, number in zip(shared.values, shared.files, strict=True)
        ],
    }
