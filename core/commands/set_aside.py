"""The options that say what is set aside: text that counts in no number."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.messages import gettext
from core.base.wording import printable_name
from core.errors import SettingsError

if TYPE_CHECKING:
    from core.aside.rules import AsideRules, Phrase
    from core.scan.scan import Scan
    from core.scan.state import ScanState

SWITCHES = ("quotations", "bibliography", "repeated")
NOTHING = "nothing"
COMMON = "common"
MOST_BYTES = 1 << 20


def add_set_aside(parser: argparse.ArgumentParser) -> None:
    """Add the options; `rules_from` reads them."""
    group = parser.add_argument_group(gettext("text set aside"))
    group.add_argument(
        "--set-aside",
        metavar="WHAT",
        help=gettext(
            "what counts in no number, separated by commas: quotations; bibliography (lists of "
            "references); repeated (cover sheets, and headings that repeat); common=N (passages "
            "in at least N documents); or {nothing}, also of what a review has chosen. Without "
            "this option a review keeps what it sets aside",
            nothing=NOTHING,
        ),
    )
    group.add_argument(
        "--set-aside-text",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help=gettext(
            "a text file of which every paragraph is set aside wherever its words stand; may be "
            "given several times"
        ),
    )


def rules_from(options: argparse.Namespace, before: AsideRules) -> AsideRules:
    """What the options say is set aside; what they do not say is as before.

    Raises:
        SettingsError: The options ask for something that there is not, or a file has no text.
    """
    rules = before
    if options.set_aside is not None:
        rules = _named(options.set_aside, before)
    return rules.with_phrases(
        phrase for path in options.set_aside_text for phrase in _paragraphs(path)
    )


def decided_aside(options: argparse.Namespace, state: ScanState) -> ScanState:
    """A state in which is set aside what the options say, as a decision that can be undone.

    Raises:
        SettingsError: The options ask for something that there is not, or a file has no text.
    """
    from core.review.decisions import decide
    from core.review.passages import set_aside

    rules = rules_from(options, state.rules)
    return state if rules == state.rules else decide(state, *set_aside(state.rules, rules))


def scan_beside(options: argparse.Namespace, result: Scan, stack: ExitStack) -> Scan:
    """The scan with that set aside; `stack` closes it.

    Raises:
        SettingsError: See `decided_aside`.
    """
    before = result.state
    after = decided_aside(options, before)
    return result if after is before else with_state(result, after, stack)


def with_state(result: Scan, state: ScanState, stack: ExitStack) -> Scan:
    """What a scan becomes by decisions; `stack` closes it."""
    from core.scan.scan import Scan

    again = Scan.restored(state)
    stack.callback(again.close)
    again.changes = result.changes
    return again


def _named(what: str, before: AsideRules) -> AsideRules:
    from core.aside.rules import NO_RULES

    names = [name.strip() for name in what.split(",")]
    if names == [NOTHING]:
        return NO_RULES
    changes = dict.fromkeys(SWITCHES, False) | {COMMON: 0}
    for name in names:
        key, _, number = name.partition("=")
        if key == COMMON and number.isdecimal():
            changes[COMMON] = int(number)
        elif name in SWITCHES:
            changes[name] = True
        else:
            raise SettingsError(
                "“{name}” cannot be set aside. Choose from {switches} and {common}=N, or "
                "{nothing}.",
                name=printable_name(name),
                switches=", ".join(SWITCHES),
                common=COMMON,
                nothing=NOTHING,
            )
    try:
        return before.with_changes(**changes)
    except ValueError as error:
        raise SettingsError(str(error)) from error


def _paragraphs(path: Path) -> Iterator[Phrase]:
    """The paragraphs of a file that have words."""
    from core.aside.repeated import has_words
    from core.aside.rules import Phrase
    from core.documents.encoding import decode

    shown = printable_name(path.as_posix())
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SettingsError(
            "{name} cannot be read: {why}.", name=shown, why=error.strerror or error
        ) from error
    if len(data) > MOST_BYTES:
        raise SettingsError(
            "{name} is longer than a text to set aside: give it as a template.", name=shown
        )
    decoded = decode(data)
    if decoded is None:
        raise SettingsError(
            "{name} is no text: give a document to set aside as a template.", name=shown
        )
    paragraphs = [
        paragraph.strip() for paragraph in decoded.text.replace("\f", "\n\n").split("\n\n")
    ]
    phrases = [Phrase(paragraph) for paragraph in paragraphs if paragraph and has_words(paragraph)]
    if not phrases:
        raise SettingsError("There is no word in {name}.", name=shown)
    yield from phrases
