"""How many documents, pairs and problems there are: everywhere in these words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core.base.wording import count, counted, listed, share, threshold
from core.candidates.reworked_curve import ReworkedCurve
from core.reports.pair_words import passage_in_words
from core.scan.judgements import VERDICTS, Found, Verdict
from core.settings import Level, ScanSettings, reworked_level
from core.text.language_names import language_name

if TYPE_CHECKING:
    from core.documents.problems import ProblemCounts
    from core.reports.shown_text import NamesInTexts
    from core.scan.pair_list import DocumentCounts, ListCounts

HOW_SOUGHT: dict[Level, str] = {"careful": "carefully", "thorough": "thoroughly"}


def moment_in_words(time: str) -> str:
    """When something was said: "2026-11-22 12:18 UTC"; what is no such time stays as it is."""
    try:
        moment = datetime.fromisoformat(time)
        return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if moment.tzinfo else time
    except (ValueError, OverflowError):
        return time


def who_and_when(found: Found) -> list[str]:
    """Who judged a pair, and when: "Ann", "2026-11-22 12:18 UTC"; nothing where nobody did."""
    judgement = found.judgement
    if judgement.verdict is Verdict.NOT_REVIEWED and not judgement.note:
        return []
    return [words for words in (judgement.who, moment_in_words(judgement.time)) if words]


def by_in_words(found: Found) -> str:
    """The same on one line."""
    return ", ".join(who_and_when(found))


def earlier_in_words(found: Found) -> str:
    """That a verdict was made on an earlier text, and how much of that is changed; else ""."""
    if found.earlier is None:
        return ""
    return f"made on an earlier text, {share(found.earlier)} changed"


def judged_in_words(counts: Sequence[int], earlier: int = 0) -> str:
    """How far the review is: "38 of 61 pairs judged: 12 confirmed, 3 suspicious".

    Args:
        counts: How many pairs have each of `VERDICTS`.
        earlier: How many more have a verdict on an earlier text, which does not count.
    """
    judged, total = sum(counts[1:]), sum(counts)
    numbers = [f"{count(n)} {verdict}" for verdict, n in zip(VERDICTS, counts, strict=True) if n]
    each = numbers[1:] if counts[0] else numbers
    whole = f"{count(judged)} of {counted(total, 'pair')} judged"
    told = f"{whole}: {listed(each)}" if judged else whole
    if earlier:
        verb = "waits" if earlier == 1 else "wait"
        told += f"; {counted(earlier, 'verdict')} on earlier texts {verb} to be confirmed"
    return told


MISSING = "gone or not read"


def documents_in_words(counts: DocumentCounts) -> str:
    """How many documents were compared, and as what.

    "36 documents, 2 more gone or not read", "36 documents to review, 4 references, 1 template"
    """
    parts = [counted(counts.to_review, "document")]
    if counts.references or counts.templates:
        numbers = ((counts.references, "reference"), (counts.templates, "template"))
        others = [counted(number, noun) for number, noun in numbers if number]
        parts = [f"{parts[0]} to review", *others]
    if counts.missing:
        parts.append(f"{count(counts.missing)} more {MISSING}")
    return ", ".join(parts)


def languages_in_words(codes: Iterable[str]) -> str:
    """In which languages documents are: "28 English, 3 German, 1 not known".

    Empty where no language is known.
    """
    counts = Counter(codes)
    others = counts.pop("", 0)
    if not counts:
        return ""
    parts = [f"{count(number)} {language_name(code)}" for code, number in counts.most_common()]
    if others:
        parts.append(f"{count(others)} not known")
    return ", ".join(parts)


def list_in_words(counts: ListCounts, settings: ScanSettings) -> str:
    """How many pairs there are, and for which reason.

    "31 pairs (12 from 0.39 on, 18 more share a passage of 30 words, 1 a reworked one) and 2 weak
    traces", "no pair from 0.39 on"
    """
    from_on = f"from {threshold(settings.min_resemblance)} on"
    similar = f"{pairs_in_words(counts.similar)} {from_on}"
    if counts.below and settings.list_passages:
        similar = f"{count(counts.similar)} {from_on}" if counts.similar else f"none {from_on}"
        pairs = f"{similar}, {_more_below(counts, settings)}"
        similar = f"{pairs_in_words(counts.pairs)} ({pairs})"
    elif counts.below:
        similar += f", {_more_below(counts, settings)} (not listed)"
    return f"{similar}{_and_traces(counts)}"


def pairs_in_words(number: int) -> str:
    """How many pairs there are: "12 pairs", "no pair"."""
    return counted(number, "pair") if number else "no pair"


def listed_in_words(counts: ListCounts) -> str:
    """How many pairs a list has, for whatever reason: "31 pairs and 2 weak traces"."""
    return f"{pairs_in_words(counts.pairs)}{_and_traces(counts)}"


def _and_traces(counts: ListCounts) -> str:
    return f" and {counted(counts.weak, 'weak trace')}" if counts.weak else ""


def not_listed_in_words(counts: ListCounts, settings: ScanSettings) -> str:
    """What is not listed because passages list no pairs."""
    verb = "is" if counts.below == 1 else "are"
    return (
        f"{_more_below(counts, settings)} below a resemblance of "
        f"{threshold(settings.min_resemblance)} and {verb} not listed."
    )


def _more_below(counts: ListCounts, settings: ScanSettings) -> str:
    """What is below the threshold: "1 more shares a passage of 30 words, 3 a reworked one"."""
    first = counts.by_passage or counts.by_reworked
    more = f"{count(first)} more {'shares' if first == 1 else 'share'}"
    if not counts.by_passage:
        return f"{more} a reworked passage"
    others = f", {count(counts.by_reworked)} a reworked one" if counts.by_reworked else ""
    return f"{more} a passage of {passage_in_words(settings)}{others}"


def unread(*, is_part_of_run: bool) -> str:
    """What gave no text: a file; in a run on a cluster a document, perhaps a row of a table."""
    return "document" if is_part_of_run else "file"


def names_in_words(names: NamesInTexts, most: int) -> list[str]:
    """What becomes of names in the texts of a report, at most so many of each kind by name."""
    replaced = [f"{written} ({label})" for written, label, _ in names.replaced]
    one = len(names.left) == 1
    alone = "it stands alone, as a word" if one else "they stand alone, as words"
    kinds = (
        ("Replaced in the texts", replaced),
        (f"Not replaced where {alone} of the language", names.left),
        ("Not replaced, though written as names are", [written for written, _ in names.alike]),
    )
    return [f"{what}: {_first(words, most)}." for what, words in kinds if words]


def _first(words: Sequence[str], most: int) -> str:
    more = f" and {count(len(words) - most)} more" if len(words) > most else ""
    return f"{', '.join(words[:most])}{more}"


def reworked_in_words(settings: ScanSettings, *, complete: bool) -> str:
    """How reworked passages were looked for; "" where none are.

    Args:
        settings: Those of the list.
        complete: Whether all pairs were measured for them.
    """
    level = reworked_level(settings.reworked, all_measured=complete)
    if level == "off" or not settings.list_passages:
        return ""
    how = HOW_SOUGHT[level]
    if complete:
        return f"All pairs were measured for reworked passages, {how}."
    return f"Reworked passages are sought by samples, {how}, and can be missed."


def reworked_promise(settings: ScanSettings, *, complete: bool) -> str:
    """What that finds in most folders, in a sentence; arguments as above."""
    level = reworked_level(settings.reworked, all_measured=complete)
    return ReworkedCurve.usual(level, measures_all=complete).sentence()


def problems_in_words(counts: ProblemCounts) -> list[str]:
    """How many files gave no text: "3 problems", "2 other files"; never a zero.

    Pictures, programs and the like are no problems, but files that lie in any folder.
    """
    numbers = ((counts.problems, "problem"), (counts.others, "other file"))
    return [counted(number, noun) for number, noun in numbers if number]
