"""Verdicts in words: a mark, which does not depend on colour, and the word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.base.messages import gettext, ngettext
from core.base.wording import comma_list, count, share
from core.scan.judgements import PairJudgement, Verdict
from neardup_gui.models.words.numbers import full_name

if TYPE_CHECKING:
    from neardup_gui.models.scan_result import ListedPair

MARKS = {
    Verdict.NOT_REVIEWED: "",
    Verdict.CONFIRMED: "●",
    Verdict.SUSPICIOUS: "◐",
    Verdict.NOT_A_MATCH: "○",
}
NOTED = "✎"


def pairs_named(number: int, pair: ListedPair | None) -> str:
    """The subject of a note: the documents of one pair, or the number of pairs."""
    if number == 1 and pair is not None:
        return " – ".join(map(full_name, pair.names))
    return ngettext("{n} pair", "{n} pairs", number)


def marked(verdict: Verdict, *, has_note: bool = False, is_earlier: bool = False) -> str:
    """The text of a cell: "● confirmed"; empty for a pair that is not reviewed."""
    words = [] if verdict is Verdict.NOT_REVIEWED else [f"{MARKS[verdict]} {gettext(verdict)}"]
    if is_earlier:
        words.append(gettext("earlier text"))
    return f"{' · '.join(words)}{f' {NOTED}' if has_note else ''}".strip()


def widest(*, is_earlier: bool = False) -> str:
    """The longest text of a cell: "○ not a match ✎"."""
    texts = (marked(verdict, has_note=True, is_earlier=is_earlier) for verdict in Verdict)
    return max(texts, key=len)


def in_words(verdict: Verdict, earlier: float | None) -> str:
    """A verdict in full: "confirmed · earlier text, 4% changed since: waits to be confirmed"."""
    if earlier is None:
        return gettext(verdict)
    return gettext(
        "{verdict} · earlier text, {share} changed since: waits to be confirmed",
        verdict=gettext(verdict),
        share=share(earlier),
    )


def in_full(judged: PairJudgement) -> str:
    """The full judgement on a pair: the verdict, who and when, and the note below."""
    judgement = judged.judgement
    verdict = in_words(judgement.verdict, judged.earlier)
    first = comma_list((verdict, judgement.who, judgement.time[:10]))
    return f"{first}\n{judgement.note}" if judgement.note else first


def progress(judged: int, total: int) -> str:
    """How far the review is: "3 of 64 judged"."""
    return gettext("{judged} of {total} judged", judged=count(judged), total=count(total))
