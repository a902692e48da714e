"""The commands that only change what is said of documents: verdicts, notes, checks.

One entry judges any number of pairs.

The commands "judge" and "note": verdicts and notes on pairs.

    {"texts": [key, ...], "said": [{"is": "confirmed", "pairs": [0, 1, 0, 2]}, ...]}

`pairs` are indices in `texts`, two for each pair. The inverse gives each pair its earlier
statement, by whom and when ("who", "time"); "is" is null where there was none.

The command "random check": a sample of unread pairs, to estimate how many of the rest match.

    {"texts": [key, ...], "pairs": [0, 1, 0, 2], "rest": 150}

`pairs` are indices in `texts`, two for each pair; `rest` is how many unread pairs were not drawn.
The inverse restores the earlier check; without pairs there is none.

The command "list pairs": pairs are listed whatever the search finds, or not any more.

    {"texts": [key, ...], "pairs": [0, 1, 0, 2], "listed": true}

The commands "judge passage" and "set passage aside": what a passage is, and what follows.

    {"text": "...", "is": "copied", "judge": {...}, "set aside": {...}}

"is" is null where the judgement of the passage is taken back; "who" and "time" are given where an
undone judgement is restored. "judge" has the verdicts on pairs at the same time, "set aside" the
change of the rules: both as in the commands of these names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple, TypeVar

from core.base.memory import CLOSE_PROGRAMS, require_memory
from core.base.messages import gettext
from core.base.wording import count, reprinted_name
from core.documents.model import PairKey
from core.exclusions.rules import MOST_OF_PHRASE, ExclusionRules, Phrase
from core.scan.history import MOST_OF_NAME, Command, HistoryEntry, text_keys
from core.scan.judgements import (
    NO_CHECK,
    GivenVerdict,
    Judgements,
    JudgementsDraft,
    PassageJudgement,
    PassageMeaning,
    RandomCheck,
    Verdict,
    WrittenNote,
)
from core.text.identity import text_hashes
from core.text.set_aside import Reason

MOST_OF_NOTE = 100_000  # characters
BYTES_OF_PAIR = 250  # in a mapping
MANY = 100_000
MOST_OF_TIME = 64
UNREADABLE = dict.fromkeys((0, *range(55296, 57344)), "�")

Statement = TypeVar("Statement", GivenVerdict, WrittenNote)


class _Part(NamedTuple):
    """A statement of a command on pairs; `value` is None where it is taken back."""

    value: str | None
    who: str
    time: str
    keys: Iterator[PairKey]


def judge(
    judgements: Judgements, keys: Iterable[PairKey], verdict: Verdict
) -> tuple[Command, Command]:
    """Give pairs a verdict; `Verdict.NOT_REVIEWED` takes it back.

    Returns:
        The command and its inverse, which restores the verdict of each pair.
    """
    keys = list(dict.fromkeys(keys))
    inverse = _restoring(
        "judge", judgements.verdicts, keys, lambda given_verdict: given_verdict.verdict.value
    )
    return Command("judge", _data([((verdict.value,), keys)])), inverse


def write_note(
    judgements: Judgements, keys: Iterable[PairKey], note: str
) -> tuple[Command, Command]:
    """Write a note on pairs; "" takes it back.

    Returns:
        The command and its inverse.

    Raises:
        ValueError: It is longer than `MOST_OF_NOTE`.
    """
    keys = list(dict.fromkeys(keys))
    inverse = _restoring("note", judgements.notes, keys, lambda written_note: written_note.note)
    return Command("note", _data([((readable_note(note),), keys)])), inverse


def readable_note(note: str) -> str:
    """A note as it is kept: line ends are LF, code points that are no characters are replaced.

    Raises:
        ValueError: It is longer than `MOST_OF_NOTE`.
    """
    if len(note) > MOST_OF_NOTE:
        raise ValueError(
            gettext(
                "A note can have at most {most} characters; this one has {number}.",
                most=count(MOST_OF_NOTE),
                number=count(len(note)),
            )
        )
    return note.replace("\r\n", "\n").replace("\r", "\n").translate(UNREADABLE)


def keys_of(entry: HistoryEntry) -> list[PairKey]:
    """The pairs that an entry of these kinds is about.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    return [key for part in _parts(entry) for key in part.keys]


def fold_judge(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `judge`.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    for value, who, time, keys in _parts(entry):
        given = None if value is None else GivenVerdict(Verdict(value), who, time)
        _say(draft.verdicts, keys, given)


def fold_note(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `write_note`.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    for value, who, time, keys in _parts(entry):
        written = None if value is None else WrittenNote(readable_note(value), who, time)
        _say(draft.notes, keys, written)


def _say(
    statements: dict[PairKey, Statement], keys: Iterable[PairKey], statement: Statement | None
) -> None:
    if statement is not None:
        statements.update(dict.fromkeys(keys, statement))
        return
    for key in keys:
        statements.pop(key, None)


def _restoring(
    kind: str,
    statements: Mapping[PairKey, Statement],
    keys: list[PairKey],
    value_of: Callable[[Statement], str],
) -> Command:
    """The command that restores the present statement on each pair."""
    parts: dict[tuple[str | None, ...], list[PairKey]] = {}
    for key in keys:
        statement = statements.get(key)
        was = (value_of(statement), statement.who, statement.time) if statement else (None,)
        parts.setdefault(was, []).append(key)
    return Command(kind, _data(parts.items()))


def _data(parts: Iterable[tuple[tuple[str | None, ...], list[PairKey]]]) -> dict[str, Any]:
    indices: dict[str, int] = {}
    statements = []
    for values, keys in parts:
        pairs = text_indices(keys, indices)
        statements.append(
            {**dict(zip(("is", "who", "time"), values, strict=False)), "pairs": pairs}
        )
    return {"texts": list(indices), "said": statements}


def text_indices(keys: Iterable[PairKey], indices: dict[str, int]) -> list[int]:
    """Pairs as indices in a list of texts, two for each; new texts get the next ones."""
    return [indices.setdefault(text, len(indices)) for key in keys for text in key]


def _parts(entry: HistoryEntry) -> Iterator[_Part]:
    """The statements of a stored command."""
    texts, statements = _texts(entry.command.data["texts"]), entry.command.data["said"]
    for statement in statements:
        value = statement["is"]
        if not (value is None or isinstance(value, str)):
            raise TypeError("What a judgement says is no text.")
        yield _Part(value, *author_and_time(statement, entry), _keys(texts, statement["pairs"]))


def author_and_time(statement: Mapping[str, Any], entry: HistoryEntry) -> tuple[str, str]:
    """Who made a statement of a stored command, and when: by default who decided the command.

    Raises:
        TypeError, ValueError: It cannot be so.
    """
    who, time = statement.get("who", entry.who), statement.get("time", entry.time)
    if not (isinstance(who, str) and isinstance(time, str)):
        raise TypeError("Who judged, or when, is no text.")
    if len(time) > MOST_OF_TIME or not time.isprintable():
        raise ValueError("The time of a judgement is none.")
    return reprinted_name(who[:MOST_OF_NAME]), time


def pairs_of(data: Mapping[str, Any]) -> list[PairKey]:
    """The pairs of a stored command that has only texts and indices in them.

    Raises:
        KeyError, TypeError, ValueError: They cannot be so.
    """
    return list(_keys(_texts(data["texts"]), data["pairs"]))


def _texts(texts: Iterable[Any]) -> list[str]:
    return [intern(text) for text in text_keys(texts)]  # each stands in many entries


def _keys(texts: list[str], indices: list[int]) -> Iterator[PairKey]:
    if len(indices) % 2:
        raise ValueError("The pairs of a judgement are none.")
    if len(indices) > MANY:  # asking the system takes longer than a few pairs
        require_memory(
            BYTES_OF_PAIR * len(indices) // 2,
            gettext("A judgement of this review"),
            gettext(CLOSE_PROGRAMS),
        )
    for low, high in zip(indices[::2], indices[1::2], strict=True):
        if type(low) is not int or type(high) is not int or low < 0 or high < 0:
            raise ValueError("The pairs of a judgement are none.")
        yield PairKey.between(texts[low], texts[high])


def draw_check(
    judgements: Judgements, drawn: Sequence[PairKey], rest: int
) -> tuple[Command, Command]:
    """Take unread pairs for the random check.

    Args:
        judgements: The judgements with the earlier check.
        drawn: The drawn pairs (see `core.scan.unread_pairs.random_check`).
        rest: How many unread pairs there are beside them.

    Returns:
        The command and its inverse.
    """
    drawn_now, drawn_before = (
        Command("random check", _named(check.pairs, rest=check.rest))
        for check in (RandomCheck(tuple(drawn), rest), judgements.check)
    )
    return drawn_now, drawn_before


def fold_check(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `draw_check`.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data = entry.command.data
    rest = data["rest"]
    if type(rest) is not int or not 0 <= rest < 1 << 53:
        raise ValueError("The number of unread pairs is none.")
    keys = tuple(pairs_of(data))
    draft.check = RandomCheck(keys, rest) if keys else NO_CHECK


def list_pairs(keys: Iterable[PairKey]) -> tuple[Command, Command]:
    """Have pairs listed that are not.

    Returns:
        The command and its inverse.
    """
    data = _named(keys)
    added, left_out = (Command("list pairs", data | {"listed": listed}) for listed in (True, False))
    return added, left_out


def fold_list_pairs(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `list_pairs`.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data = entry.command.data
    if type(data["listed"]) is not bool:
        raise TypeError("Whether pairs are listed is not said.")
    change = draft.added.update if data["listed"] else draft.added.difference_update
    change(pairs_of(data))


def _named(keys: Iterable[PairKey], **more: int) -> dict[str, Any]:
    texts: dict[str, int] = {}
    pairs = text_indices(keys, texts)
    return {"texts": list(texts), "pairs": pairs, **more}


Both = tuple[Command, Command]  # a command and its inverse


def set_aside(before: ExclusionRules, rules: ExclusionRules) -> Both:
    """Change the rules; phrases that stay are not written again."""
    return _change(before, rules), _change(rules, before)


def _change(before: ExclusionRules, rules: ExclusionRules) -> Command:
    old, new = before.as_json(), rules.as_json()
    gone, come = old.pop("phrases"), new.pop("phrases")
    changed = {name: value for name, value in new.items() if value != old[name]}
    less = [phrase for phrase in gone if phrase not in come]
    more = [phrase for phrase in come if phrase not in gone]
    return Command("set aside", {"rules": changed, "less": less, "more": more})


def rules_after(rules: ExclusionRules, data: Mapping[str, Any]) -> ExclusionRules:
    """The rules after `set_aside`.

    Raises:
        TypeError, ValueError: They cannot be so.
    """
    changed = data.get("rules")
    if not isinstance(changed, dict) or "phrases" in changed:
        raise TypeError("A command has no rules of what is set aside.")
    less, more = _phrases(data, "less"), _phrases(data, "more")
    rule_values = {**rules.without_phrases(less).as_json(), **changed}
    return ExclusionRules.of_json(rule_values).with_phrases(more)


def _phrases(data: Mapping[str, Any], name: str) -> tuple[Phrase, ...]:
    return ExclusionRules.of_json({"phrases": data.get(name)}).phrases


# Passages that are no evidence; copied text still counts.
REASONS = {PassageMeaning.ASSIGNMENT: Reason.ASSIGNMENT, PassageMeaning.STANDARD: Reason.STANDARD}


def judge_passage(
    judgements: Judgements,
    rules: ExclusionRules,
    text: str,
    meaning: PassageMeaning | None,
    pairs: Iterable[PairKey] = (),
) -> tuple[Command, Command]:
    """Judge a passage: one that is no evidence is set aside everywhere; None takes it back.

    Args:
        judgements: The present judgements.
        rules: The present rules.
        text: The passage.
        meaning: What it is.
        pairs: The unjudged pairs that it explains: they are confirmed.

    Returns:
        The command and its inverse.

    Raises:
        ValueError: The passage is too long to be judged.
    """
    _check_length(text)
    text = text.translate(UNREADABLE)  # which are no letters
    was = judgements.passages.get(_key(text))
    judging: dict[str, Any] = {"text": text, "is": meaning}
    back: dict[str, Any] = {"text": was.text if was else text, "is": was and was.meaning}
    if was:
        back |= {"who": was.who, "time": was.time}
    pairs = list(pairs)
    if pairs:
        given, taken = judge(judgements, pairs, Verdict.CONFIRMED)
        judging["judge"], back["judge"] = given.data, taken.data
    after = _with(rules, was, text, meaning)
    if after == rules:
        return Command("judge passage", judging), Command("judge passage", back)
    given, taken = set_aside(rules, after)
    judging["set aside"], back["set aside"] = given.data, taken.data
    return Command("set passage aside", judging), Command("set passage aside", back)


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
    rules: ExclusionRules, was: PassageJudgement | None, text: str, meaning: PassageMeaning | None
) -> ExclusionRules:
    """The rules where a passage is something else than it was."""
    if was and was.meaning in REASONS:
        rules = rules.without_phrases([Phrase(was.text)])
    if meaning in REASONS:
        rules = rules.with_phrases([Phrase(text, REASONS[meaning])])
    return rules


def keys_of_passage(entry: HistoryEntry) -> list[PairKey]:
    """The pairs that an entry of these kinds says something of.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data = entry.command.data
    return keys_of(_judging(entry)) if "judge" in data else []


def _judging(entry: HistoryEntry) -> HistoryEntry:
    """The verdicts on pairs, as an entry by itself."""
    return entry._replace(command=Command("judge", entry.command.data["judge"]))


def fold_passage(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out the judgement of a passage, and of pairs.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    data = entry.command.data
    text, meaning = data["text"], data["is"]
    if not isinstance(text, str):
        raise TypeError("What a judgement of a passage says is no text.")
    if not 0 < len(text) <= MOST_OF_PHRASE:
        raise ValueError("A judged passage is none.")
    who_and_when = author_and_time(data, entry)
    if meaning is None:
        draft.passages.pop(_key(text), None)
    else:
        draft.passages[_key(text)] = PassageJudgement(PassageMeaning(meaning), text, *who_and_when)
    if "judge" in data:
        fold_judge(draft, _judging(entry))


def rules_in(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The change of the rules, as in the command "set aside".

    Raises:
        TypeError: They cannot be so.
    """
    rules = data.get("set aside")
    if not isinstance(rules, dict):
        raise TypeError("A command has no rules of what is set aside.")
    return rules


def _key(text: str) -> str:
    return text_hashes([text])[0]
