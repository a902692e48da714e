"""The sentences about passages that many documents share."""

from __future__ import annotations

from core.base.messages import N_, gettext, ngettext
from core.scan.judgements import PassageMeaning, Verdict

HOLDERS = N_("Documents that contain it")
SEARCHING = N_("Passages appear here once all documents are read.")
STOPPED = N_("The search for passages was cancelled. It restarts when you open this tab again.")
NO_PASSAGES = N_("No two documents share a passage of {passage} or more.")
NOT_LISTED = N_("These two documents are not in the list of pairs.")
NAMES = {
    PassageMeaning.COPIED: N_("Copied"),
    PassageMeaning.STANDARD: N_("Standard clause"),
    PassageMeaning.ASSIGNMENT: N_("Assignment text"),
    None: N_("Not judged"),
}
MEANINGS = {
    PassageMeaning.COPIED: N_(
        "Confirms all pairs that are listed only because of this passage and have no verdict yet."
    ),
    PassageMeaning.STANDARD: N_("Sets it aside in all documents."),
    PassageMeaning.ASSIGNMENT: N_("Sets it aside in all documents."),
    None: N_("Removes the label; the passage counts like any other text."),
}
SET_ASIDE = {
    PassageMeaning.STANDARD: N_("Set aside as standard clause."),
    PassageMeaning.ASSIGNMENT: N_("Set aside as assignment text."),
    None: N_("The passage’s label was removed."),
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
    return gettext(NAMES[meaning])


def holders_heading(documents: int) -> str:
    """Above the documents that hold a passage."""
    if not documents:
        return gettext("No longer in any document")
    return ngettext("In {n} document", "In {n} documents", documents)


def judged(meaning: PassageMeaning | None) -> str:
    """A passage was judged, and text is set aside or counts again."""
    return gettext(SET_ASIDE[meaning])


def explained(pairs: int) -> str:
    """A passage was copied: what that means for the pairs."""
    if not pairs:
        return gettext("Marked as copied. No unjudged pair is listed only because of this passage.")
    return ngettext(
        "Marked as copied. {n} pair listed only because of it is confirmed.",
        "Marked as copied. {n} pairs listed only because of it are confirmed.",
        pairs,
    )
