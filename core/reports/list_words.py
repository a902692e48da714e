"""How many documents, pairs and problems there are: everywhere in these words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core.base.messages import N_, gettext, ngettext
from core.base.wording import comma_list, count, language_name, listed, quotable, share, threshold
from core.candidates.reworked_curve import ReworkedCurve
from core.reports.pair_words import passage_in_words
from core.scan.judgements import VERDICTS, PairJudgement, Verdict
from core.settings import Level, ScanSettings, reworked_level

if TYPE_CHECKING:
    from core.documents.problems import ProblemCounts
    from core.reports.shown_text import NamesInTexts
    from core.scan.pair_list import DocumentCounts, ListCounts

HOW_SOUGHT: dict[Level, str] = {"careful": N_("carefully"), "thorough": N_("thoroughly")}


def moment_in_words(time: str) -> str:
    """A time in words: "2026-11-22 12:18 UTC"; a text that is no such time stays as it is."""
    try:
        moment = datetime.fromisoformat(time)
        return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if moment.tzinfo else time
    except (ValueError, OverflowError):
        return time


def more_in_words(number: int) -> str:
    """That so many more are not printed, and how they are: on a terminal."""
    return gettext(
        "… and {number} more; --show N prints more, --json writes all.", number=count(number)
    )


def in_most_in_words(passage: str) -> str:
    """That at least half of the documents contain a passage, and what to do if it is a form's."""
    return gettext(
        "At least half of the documents contain the passage “{beginning}”. If it is part of an "
        "assignment or a form, set it aside.",
        beginning=quotable(passage, 60),
    )


def who_and_when(assessment: PairJudgement) -> list[str]:
    """Who judged a pair, and when: "Ann", "2026-11-22 12:18 UTC"; empty where nobody did."""
    judgement = assessment.judgement
    if judgement.verdict is Verdict.NOT_REVIEWED and not judgement.note:
        return []
    return [words for words in (judgement.who, moment_in_words(judgement.time)) if words]


def by_in_words(assessment: PairJudgement) -> str:
    """The same on one line."""
    return comma_list(who_and_when(assessment))


def earlier_in_words(assessment: PairJudgement) -> str:
    """That a verdict was made on an earlier text, and how much of that is changed; else ""."""
    if assessment.earlier is None:
        return ""
    return gettext("made on an earlier text, {share} changed", share=share(assessment.earlier))


def empty_pairs_in_words(pairs: int) -> str:
    """A sentence on so many further pairs of few documents, which the search does not list."""
    return ngettext("{n} other pair is not listed", "{n} other pairs are not listed", pairs)


def judged_in_words(counts: Sequence[int], earlier: int = 0) -> str:
    """How far the review is: "38 of 61 pairs judged: 12 confirmed, 3 suspicious".

    Args:
        counts: How many pairs have each of `VERDICTS`.
        earlier: How many more have a verdict on an earlier text, which does not count.
    """
    judged, total = sum(counts[1:]), sum(counts)
    each = [verdicts_in_words(n, verdict) for verdict, n in zip(VERDICTS, counts, strict=True) if n]
    sentence = ngettext(
        "{judged} of {n} pair judged", "{judged} of {n} pairs judged", total, judged=count(judged)
    )
    if judged:
        verdicts = listed(each[1:] if counts[0] else each)
        sentence = gettext("{judged}: {verdicts}", judged=sentence, verdicts=verdicts)
    if not earlier:
        return sentence
    return ngettext(
        "{judged}; {n} verdict on earlier texts waits to be confirmed",
        "{judged}; {n} verdicts on earlier texts wait to be confirmed",
        earlier,
        judged=sentence,
    )


def verdicts_in_words(number: int, verdict: Verdict) -> str:
    """How many pairs have a verdict: "12 confirmed"."""
    if verdict is Verdict.CONFIRMED:
        return ngettext("{n} confirmed", "{n} confirmed", number)
    if verdict is Verdict.SUSPICIOUS:
        return ngettext("{n} suspicious", "{n} suspicious", number)
    if verdict is Verdict.NOT_A_MATCH:
        return ngettext("{n} not a match", "{n} not a match", number)
    return ngettext("{n} not reviewed", "{n} not reviewed", number)


def documents_in_words(counts: DocumentCounts) -> str:
    """How many documents were compared, and as what.

    "36 documents, 2 more gone or not read", "36 documents to review, 4 references, 1 template"
    """
    parts = [ngettext("{n} document", "{n} documents", counts.to_review)]
    if counts.references or counts.templates:
        parts = [ngettext("{n} document to review", "{n} documents to review", counts.to_review)]
    if counts.references:
        parts.append(ngettext("{n} reference", "{n} references", counts.references))
    if counts.templates:
        parts.append(ngettext("{n} template", "{n} templates", counts.templates))
    if counts.missing:
        parts.append(
            ngettext("{n} more gone or not read", "{n} more gone or not read", counts.missing)
        )
    return comma_list(parts)


def languages_in_words(codes: Iterable[str]) -> str:
    """In which languages documents are: "28 English, 3 German, 1 not known".

    Empty where no language is known.
    """
    counts = Counter(codes)
    unknown = counts.pop("", 0)
    if not counts:
        return ""
    parts = [
        gettext("{number} {language}", number=count(number), language=language_name(code))
        for code, number in counts.most_common()
    ]
    if unknown:
        parts.append(ngettext("{n} not known", "{n} not known", unknown))
    return comma_list(parts)


def list_in_words(counts: ListCounts, settings: ScanSettings) -> str:
    """How many pairs there are, and for which reason.

    "31 pairs (12 from 0.39 on, 18 more share a passage of 30 words, 1 a reworked one) and 2 weak
    traces", "no pair from 0.39 on"
    """
    values = {"least": threshold(settings.min_resemblance)}
    if counts.similar:
        similar = ngettext(
            "{n} pair from {least} on", "{n} pairs from {least} on", counts.similar, **values
        )
    else:
        similar = gettext("no pair from {least} on", **values)
    if counts.below and settings.list_passages:
        similar = gettext("none from {least} on", **values)
        if counts.similar:
            similar = gettext("{number} from {least} on", number=count(counts.similar), **values)
        pairs, more = pairs_in_words(counts.pairs), _more_below(counts, settings)
        similar = gettext("{pairs} ({similar}, {more})", pairs=pairs, similar=similar, more=more)
    elif counts.below:
        more = _more_below(counts, settings)
        similar = gettext("{similar}, {more} (not listed)", similar=similar, more=more)
    return _with_traces(similar, counts)


def pairs_in_words(number: int) -> str:
    """How many pairs there are: "12 pairs", "no pair"."""
    return ngettext("{n} pair", "{n} pairs", number) if number else gettext("no pair")


def listed_in_words(counts: ListCounts) -> str:
    """How many pairs a list has, for whatever reason: "31 pairs and 2 weak traces"."""
    return _with_traces(pairs_in_words(counts.pairs), counts)


def _with_traces(pairs: str, counts: ListCounts) -> str:
    if not counts.weak:
        return pairs
    return ngettext(
        "{pairs} and {n} weak trace", "{pairs} and {n} weak traces", counts.weak, pairs=pairs
    )


def not_listed_in_words(counts: ListCounts, settings: ScanSettings) -> str:
    """A sentence on pairs that are not listed because passages list none."""
    return ngettext(
        "{more} below a resemblance of {least} and is not listed.",
        "{more} below a resemblance of {least} and are not listed.",
        counts.below,
        more=_more_below(counts, settings),
        least=threshold(settings.min_resemblance),
    )


def _more_below(counts: ListCounts, settings: ScanSettings) -> str:
    """The pairs below the threshold: "1 more shares a passage of 30 words, 3 a reworked one"."""
    if not counts.by_passage:
        return ngettext(
            "{n} more shares a reworked passage",
            "{n} more share a reworked passage",
            counts.by_reworked,
        )
    more = ngettext(
        "{n} more shares a passage of {words}",
        "{n} more share a passage of {words}",
        counts.by_passage,
        words=passage_in_words(settings),
    )
    if not counts.by_reworked:
        return more
    return ngettext(
        "{more}, {n} a reworked one", "{more}, {n} a reworked one", counts.by_reworked, more=more
    )


def not_compared_in_words(number: int, *, is_part_of_run: bool = False) -> str:
    """How many files gave no text."""
    return ngettext(
        "{files} gave no text and was not compared; Problems lists it.",
        "{files} gave no text and were not compared; Problems lists them.",
        number,
        files=unread_in_words(number, is_part_of_run=is_part_of_run),
    )


def unread_in_words(number: int, *, is_part_of_run: bool) -> str:
    """How many files gave no text; in a run on a cluster documents, perhaps rows of a table."""
    if is_part_of_run:
        return ngettext("{n} document", "{n} documents", number)
    return ngettext("{n} file", "{n} files", number)


def names_in_words(names: NamesInTexts, most: int) -> list[str]:
    """Sentences on names in the texts of a report, at most `most` of each kind by name."""
    sentences = []
    if names.replaced:
        replaced = first_of([f"{written} ({label})" for written, label, _ in names.replaced], most)
        sentences.append(gettext("Replaced in the texts: {names}.", names=replaced))
    if names.left:
        sentences.append(
            ngettext(
                "Not replaced where it stands alone, as a word of the language: {names}.",
                "Not replaced where they stand alone, as words of the language: {names}.",
                len(names.left),
                names=first_of(names.left, most),
            )
        )
    if names.alike:
        alike = first_of([written for written, _ in names.alike], most)
        sentences.append(
            gettext("Not replaced, though written as names are: {names}.", names=alike)
        )
    return sentences


def first_of(words: Sequence[str], most: int) -> str:
    """Words in a row, of very many the first: "a, b and 1 more"."""
    first = comma_list(words[:most])
    if len(words) <= most:
        return first
    return gettext("{names} and {number} more", names=first, number=count(len(words) - most))


def reworked_in_words(settings: ScanSettings, *, complete: bool) -> str:
    """How reworked passages were looked for; "" where none are.

    Args:
        settings: Those of the list.
        complete: Whether all pairs were measured for them.
    """
    level = reworked_level(settings.reworked, all_measured=complete)
    if level == "off" or not settings.list_passages:
        return ""
    how = gettext(HOW_SOUGHT[level])
    if complete:
        return gettext("All pairs were measured for reworked passages, {how}.", how=how)
    return gettext("Reworked passages are sought by samples, {how}, and can be missed.", how=how)


def reworked_promise(settings: ScanSettings, *, complete: bool) -> str:
    """A sentence on what that finds in most folders; arguments as above."""
    level = reworked_level(settings.reworked, all_measured=complete)
    return ReworkedCurve.usual(level, measures_all=complete).sentence()


def problems_in_words(counts: ProblemCounts) -> list[str]:
    """How many files gave no text: "3 problems", "2 other files"; never a zero.

    Pictures, programs and the like are no problems, but files that lie in any folder.
    """
    problems = []
    if counts.problems:
        problems.append(ngettext("{n} problem", "{n} problems", counts.problems))
    if counts.others:
        problems.append(ngettext("{n} other file", "{n} other files", counts.others))
    return problems
