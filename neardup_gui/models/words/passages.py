"""What is said of passages that many documents share."""

from __future__ import annotations

from core.base.wording import counted
from core.scan.judgements import PassageMeaning, Verdict

HOLDERS = "Documents that contain it"
SEARCHING = "Passages appear here once all documents are read."
STOPPED = "The search for passages was cancelled. It restarts when you open this tab again."
NO_PASSAGES = "No two documents share a passage of {passage} or more."
NO_COPIES = "No longer in any document"
NOT_LISTED = "These two documents are not in the list of pairs."
MEANINGS = {
    PassageMeaning.COPIED: (
        "Confirms all pairs that are listed only because of this passage and have no verdict yet."
    ),
    PassageMeaning.STANDARD: "Sets it aside in all documents.",
    PassageMeaning.ASSIGNMENT: "Sets it aside in all documents.",
    None: "Removes the label; the passage counts like any other text.",
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
    return f"Set aside as {meaning.value}." if meaning else "The passage’s label was removed."


def explained(pairs: int) -> str:
    """A passage was copied: what that means for the pairs."""
    if not pairs:
        return "Marked as copied. No unjudged pair is listed only because of this passage."
    are = "is" if pairs == 1 else "are"
    return f"Marked as copied. {counted(pairs, 'pair')} listed only because of it {are} confirmed."
