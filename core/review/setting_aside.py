"""The command that changes what is set aside in all documents: the rules of a scan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.aside.rules import AsideRules, Phrase
from core.review.draft import Draft
from core.scan.history import Command

Both = tuple[Command, Command]  # a command and what undoes it


def set_aside(before: AsideRules, rules: AsideRules) -> Both:
    """Change the rules; phrases that stay are not written again."""
    return _change(before, rules), _change(rules, before)


def _change(before: AsideRules, rules: AsideRules) -> Command:
    old, new = before.as_json(), rules.as_json()
    gone, come = old.pop("phrases"), new.pop("phrases")
    changed = {name: value for name, value in new.items() if value != old[name]}
    less = [one for one in gone if one not in come]
    more = [one for one in come if one not in gone]
    return Command("set aside", {"rules": changed, "less": less, "more": more})


def carry_set_aside(draft: Draft, data: Mapping[str, Any]) -> None:
    """Carry out `set_aside`.

    Raises:
        TypeError, ValueError: The rules cannot be so.
    """
    draft.rules = rules_after(draft.rules, data)


def rules_after(rules: AsideRules, data: Mapping[str, Any]) -> AsideRules:
    """The rules after `set_aside`.

    Raises:
        TypeError, ValueError: They cannot be so.
    """
    changed = data.get("rules")
    if not isinstance(changed, dict) or "phrases" in changed:
        raise TypeError("A command has no rules of what is set aside.")
    less, more = _phrases(data, "less"), _phrases(data, "more")
    whole = {**rules.without_phrases(less).as_json(), **changed}
    return AsideRules.of_json(whole).with_phrases(more)


def _phrases(data: Mapping[str, Any], name: str) -> tuple[Phrase, ...]:
    return AsideRules.of_json({"phrases": data.get(name)}).phrases
