"""The commands "judge passage" and "set passage aside": what a passage is, and what follows.

    {"text": "...", "is": "copied", "judge": {...}, "set aside": {...}}

"is" is null where nothing is said of the passage any more; "who" and "time" are there where that is
said again which was undone. "judge" is what is said of pairs at the same time, "set aside" what
becomes of the rules: both as in the commands of these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.aside.rules import MOST_OF_PHRASE, AsideRules, Phrase
from core.base.messages import gettext
from core.base.wording import count
from core.documents.model import PairKey
from core.review import verdicts
from core.scan.history import Command, HistoryEntry
from core.scan.judgements import (
    Judgements,
    JudgementsDraft,
    PassageJudgement,
    PassageMeaning,
    Verdict,
)
from core.text.identity import text_hashes
from core.text.set_aside import Reason

Both = tuple[Command, Command]  # a command and what undoes it


def set_aside(before: AsideRules, rules: AsideRules) -> Both:
    """Change the rules; phrases that stay are not written again."""
    return _change(before, rules), _change(rules, before)


def _change(before: AsideRules, rules: AsideRules) -> Command:
    old, new = before.as_json(), rules.as_json()
    gone, come = old.pop("phrases"), new.pop("phrases")
    changed = {name: value for name, value in new.items() if value != old[name]}
    less = [phrase for phrase in gone if phrase not in come]
    more = [phrase for phrase in come if phrase not in gone]
    return Command("set aside", {"rules": changed, "less": less, "more": more})


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


# Passages that are no evidence; what was copied still counts.
REASONS = {
    PassageMeaning.ASSIGNMENT: Reason.ASSIGNMENT,
    PassageMeaning.STANDARD: Reason.STANDARD,
}


def judge_passage(
    judgements: Judgements,
    rules: AsideRules,
    text: str,
    meaning: PassageMeaning | None,
    pairs: Iterable[PairKey] = (),
) -> tuple[Command, Command]:
    """Say what a passage is: what is no evidence is set aside everywhere; None takes it back.

    Args:
        judgements: What is judged.
        rules: What is set aside.
        text: The passage.
        meaning: What it is.
        pairs: Those that it explains and nobody has judged: they are confirmed.

    Returns:
        The command, and what undoes all of it.

    Raises:
        ValueError: The passage is too long to be judged.
    """
    _check_length(text)
    text = text.translate(verdicts.UNREADABLE)  # which are no letters
    was = judgements.passages.get(_key(text))
    there: dict[str, Any] = {"text": text, "is": meaning}
    back: dict[str, Any] = {"text": was.text if was else text, "is": was and was.meaning}
    if was:
        back |= {"who": was.who, "time": was.time}
    pairs = list(pairs)
    if pairs:
        given, taken = verdicts.judge(judgements, pairs, Verdict.CONFIRMED)
        there["judge"], back["judge"] = given.data, taken.data
    after = _with(rules, was, text, meaning)
    if after == rules:
        return Command("judge passage", there), Command("judge passage", back)
    given, taken = set_aside(rules, after)
    there["set aside"], back["set aside"] = given.data, taken.data
    return Command("set passage aside", there), Command("set passage aside", back)


def _check_length(text: str) -> None:
    if len(text) > MOST_OF_PHRASE:
        raise ValueError(
            gettext(
                "A passage of {number} characters is too long to be judged as a whole; {most} are "
                "possible.",
                number=count(len(text)),
                most=count(MOST_OF_PHRASE),
            )
        )


def _with(
    rules: AsideRules, was: PassageJudgement | None, text: str, meaning: PassageMeaning | None
) -> AsideRules:
    """The rules where a passage is something else than it was."""
    if was and was.meaning in REASONS:
        rules = rules.without_phrases([Phrase(was.text)])
    if meaning in REASONS:
        rules = rules.with_phrases([Phrase(text, REASONS[meaning])])
    return rules


def keys_of(entry: HistoryEntry) -> list[PairKey]:
    """The pairs that an entry of these kinds says something of.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data = entry.command.data
    return verdicts.keys_of(_judging(entry)) if "judge" in data else []


def _judging(entry: HistoryEntry) -> HistoryEntry:
    """What is said of pairs, as an entry by itself."""
    return entry._replace(command=Command("judge", entry.command.data["judge"]))


def fold_passage(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out what is said of a passage, and of pairs.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data = entry.command.data
    text, meaning = data["text"], data["is"]
    if not isinstance(text, str):
        raise TypeError("What a judgement of a passage says is no text.")
    if not 0 < len(text) <= MOST_OF_PHRASE:
        raise ValueError("A judged passage is none.")
    said_by = verdicts.said_by(data, entry)
    if meaning is None:
        draft.passages.pop(_key(text), None)
    else:
        draft.passages[_key(text)] = PassageJudgement(PassageMeaning(meaning), text, *said_by)
    if "judge" in data:
        verdicts.fold_judge(draft, _judging(entry))


def rules_in(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What becomes of the rules, as in the command "set aside".

    Raises:
        TypeError: They cannot be so.
    """
    aside = data.get("set aside")
    if not isinstance(aside, dict):
        raise TypeError("A command has no rules of what is set aside.")
    return aside


def _key(text: str) -> str:
    return text_hashes([text])[0]
