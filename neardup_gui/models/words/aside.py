"""What is said when text is set aside or counts again."""

from __future__ import annotations

from core.base.wording import counted
from neardup_gui.models.words.message import Message

COMMON = "common"
CHOSEN = "Set aside wherever these words stand."
NAMES = {
    "quotations": "Quotations",
    "bibliography": "Lists of references",
    "repeated": "Cover sheets and headings that repeat",
}
NOTHING_CHOSEN = Message("Select text in A or B first: it is set aside wherever its words stand.")
NO_WORDS = Message("There is no word in what is selected: it stands nowhere.")


def rule_changed(rule: str, value: int) -> str:
    """What a box did."""
    if rule != COMMON:
        return f"{NAMES[rule]} {'are set aside.' if value else 'count again.'}"
    if value:
        return f"Passages in at least {counted(value, 'document')} are set aside."
    return "Passages that many documents hold count again."


def counts_again(number: int) -> str:
    """Chosen passages count again."""
    return f"{counted(number, 'chosen passage')} {'counts' if number == 1 else 'count'} again."
