"""What is said of passages that many documents share."""

from __future__ import annotations

from core.base.wording import counted
from core.scan.judgements import PassageMeaning, Verdict

HOLDERS = "Documents that hold it"
SEARCHING = "Passages appear here when all documents are read."
STOPPED = "The search for passages was stopped. It begins again when this tab is opened again."
NO_PASSAGES = "No two documents share a passage of {passage} or more."
NO_COPIES = "In no document any more"
NOT_LISTED = "These two documents are not in the list of pairs."
MEANINGS = {
    PassageMeaning.COPIED: (
        "The pairs that are listed for nothing else, and that nobody has judged, are confirmed."
    ),
    PassageMeaning.STANDARD: "It is set aside in all documents.",
    PassageMeaning.ASSIGNMENT: "It is set aside in all documents.",
    None: "Nothing is said of the passage; it counts as any other text.",
}

# The keys are those that judge pairs.
BY_VERDICT = {
    Verdict.CONFIRMED: PassageMeaning.COPIED,
    Verdict.SUSPICIOUS: PassageMeaning.STANDARD,
    Verdict.NOT_A_MATCH: PassageMeaning.ASSIGNMENT,
    Verdict.NOT_REVIEWED: None,
}


def name_of(meaning: PassageMeaning | None) -> str:
    """What a passage is called then."""
    return meaning.value.capitalize() if meaning else "Not judged"


def holders_heading(documents: int) -> str:
    """Above the documents that hold a passage."""
    return f"In {counted(documents, 'document')}" if documents else NO_COPIES


def judged(meaning: PassageMeaning | None) -> str:
    """A passage was judged, and text is set aside or counts again."""
    return f"Set aside as {meaning.value}." if meaning else "Nothing is said of the passage now."


def explained(pairs: int) -> str:
    """A passage was copied: what that means for the pairs."""
    if not pairs:
        return "Copied. It explains no pair by itself that is not judged."
    are = "is" if pairs == 1 else "are"
    return f"Copied. {counted(pairs, 'pair')} that it explains {are} confirmed."
