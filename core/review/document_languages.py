"""The command "language": in which language texts are, where somebody says it.

    {"said": [{"is": "de", "texts": [key, ...]}, ...]}

What undoes it says of each text what was said before; "is" is null where nothing was said, so that
the language counts that was told from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from core.documents.keys import PairKey
from core.scan.history import Command, HistoryEntry
from core.scan.judgements import Judgements, JudgementsDraft

MOST_OF_KEY = 64
CODE = re.compile("[a-z]{2,3}")


def say_language(
    judgements: Judgements, texts: Iterable[str], language: str | None
) -> tuple[Command, Command]:
    """Say in which language some texts are.

    Args:
        judgements: As they are.
        texts: The keys of the texts.
        language: A code, or that of `core.text.language_names.UNKNOWN`; None for what is told
            from the text.

    Returns:
        The command, and what undoes it.
    """
    texts = list(dict.fromkeys(texts))
    before: dict[str | None, list[str]] = {}
    for text in texts:
        before.setdefault(judgements.languages.get(text), []).append(text)
    return Command("language", _data({language: texts})), Command("language", _data(before))


def keys_of(_entry: HistoryEntry) -> Iterable[PairKey]:
    """The pairs whose judgements it changes: none."""
    return ()


def fold_language(draft: JudgementsDraft, entry: HistoryEntry) -> None:
    """Carry out `say_language`.

    Raises:
        KeyError, TypeError, ValueError: The data cannot be so.
    """
    for one in entry.command.data["said"]:
        language, texts = one["is"], one["texts"]
        if language is not None and not CODE.fullmatch(language):
            raise ValueError("A language is none.")
        if not all(type(text) is str and 0 < len(text) <= MOST_OF_KEY for text in texts):
            raise ValueError("A text of a language is none.")
        if language is None:
            for text in texts:
                draft.languages.pop(text, None)
        else:
            draft.languages.update(dict.fromkeys(texts, language))


def _data(said: Mapping[str | None, list[str]]) -> dict[str, Any]:
    return {"said": [{"is": language, "texts": texts} for language, texts in said.items()]}
