"""What is said of the languages of documents."""

from __future__ import annotations

from core.text.languages import UNKNOWN, language_name


def name_of(code: str) -> str:
    """What a language is called where one is chosen."""
    return language_name(code) or "Not known"


def as_told(told: str | None) -> str:
    """The choice of what the text tells; None where several texts tell different ones."""
    return "As told from the texts" if told is None else f"As told from the text: {name_of(told)}"


def explained(language: str, told: str) -> str:
    """What the tool tip of a language says."""
    text = f"The text looks like {language_name(told)}."
    if told == UNKNOWN:
        text = "The text does not tell its language: it is short, a list, or in another language."
    if language == told:
        return f"{text} The menu of the row corrects it."
    return f"{name_of(language)}, as somebody said. {text}"
