"""How many documents, pairs and problems there are: everywhere in these words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from core.aside.rules import AsideRules, Phrase
from core.base.setting import settings_of
from core.base.tasks import Cancelled, stop_if
from core.base.wording import count, counted, listed, share, threshold
from core.candidates.scurve import curve_of
from core.evidence.pairs import Pairs
from core.reports.choice import Scope
from core.reports.model import Report
from core.reports.pair_words import found_by, passage_in_words, unit_name
from core.scan.judgements import VERDICTS, Found, Verdict
from core.settings import PAIRS, SHINGLES, SIGNATURE, TEXT, ScanSettings
from core.text.languages import language_name

if TYPE_CHECKING:
    from core.documents.problems import ProblemCounts
    from core.scan.pair_list import DocumentCounts, ListCounts


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


def rules_in_words(rules: AsideRules) -> list[str]:
    """What each rule sets aside."""
    number = counted(len(rules.phrases), "passage")
    said = {
        "quotations": rules.quotations,
        "bibliographies and lists of references": rules.bibliography,
        "cover sheets and headings that repeat": rules.repeated,
        f"passages in at least {counted(rules.common, 'document')}": rules.common,
        f"{number} chosen by hand": rules.phrases,
    }
    return [words for words, wanted in said.items() if wanted]


def aside_in_words(report: Report) -> str:
    """A sentence on what was set aside and how much of all text; empty for nothing."""
    if not report.aside:
        return ""
    characters = sum(document.characters for document in report.documents)
    part = sum(one.aside for one in report.aside) / max(characters, 1)
    rules = [*rules_in_words(report.rules), *_templates(report)]
    what = f": {listed(rules)}" if rules else ""
    return (
        f"Set aside in {counted(len(report.aside), 'document')}, {share(part)} of all text{what}. "
        "It counts in no number."
    )


def _templates(report: Report) -> list[str]:
    number = report.document_counts.templates
    return [f"the text of {counted(number, 'template')}"] if number else []


def aside_rules(report: Report) -> dict[str, Any]:
    """The rules as JSON has them; "" is the text of a phrase that the report may not tell.

    That is of each in a report without texts, and in one about some documents of those that do not
    stand in these.
    """
    rules = report.rules.as_json()
    told = set(told_phrases(report)) if report.choice.passages else set()
    rules["phrases"] = [
        [phrase.text if phrase in told else "", str(phrase.reason)]
        for phrase in report.rules.phrases
    ]
    return rules


def told_phrases(report: Report) -> Sequence[Phrase]:
    """The phrases that were chosen; in a report about some documents those that stand in these."""
    phrases = report.rules.phrases
    if not report.is_partial or not phrases:
        return phrases
    texts = [_plain(report.text_of(number)) for number in report.about]
    return [one for one in phrases if any(_plain(one.text) in text for text in texts)]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def aside_rows(report: Report, cancelled: Cancelled) -> Iterator[dict[str, object]]:
    """What is set aside of each document.

    Keys: document, characters, set_aside (how many of them), share (0 to 1), reasons (how many
    for each), spans (lists of start and end in code points of the text, and the reason).

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for one in report.aside:
        stop_if(cancelled)
        yield {
            "document": report.name_of(one.document),
            "characters": one.length,
            "set_aside": one.aside,
            "share": round(one.share, 6),
            "reasons": {str(reason): number for reason, number in one.reasons.items()},
            "spans": [
                [start, end, str(reason)] for start, end, reason in report.set_aside[one.document]
            ],
        }


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

    "12 pairs from 0.39 on, 18 more share a passage of 30 words, 3 a reworked one",
    "no pair from 0.39 on"
    """
    pairs = counted(counts.similar, "pair") if counts.similar else "no pair"
    similar = f"{pairs} from {threshold(settings.min_resemblance)} on"
    if not counts.below:
        return similar
    aside = "" if settings.list_passages else " (not listed)"
    return f"{similar}, {_more_below(counts, settings)}{aside}"


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


def names_left_in_words(words: Sequence[str], most: int) -> str:
    """Which words of names a report shows all the same; "" for none."""
    if not words:
        return ""
    more = f" and {count(len(words) - most)} more" if len(words) > most else ""
    one = len(words) == 1
    return (
        f"Not withheld where {'it stands' if one else 'they stand'} alone, as "
        f"{'a word' if one else 'words'} of the language: {', '.join(words[:most])}{more}."
    )


def reworked_in_words(settings: ScanSettings, *, complete: bool) -> str:
    """What is said of reworked passages where all pairs were compared; "" where none are sought.

    Args:
        settings: Those of the list.
        complete: Whether all pairs were measured for them, too.
    """
    if settings.reworked == "off" or not settings.list_passages:
        return ""
    if complete:
        return "Each was measured for reworked passages, too."
    return "Reworked passages are sought by samples and can be missed."


def problems_in_words(counts: ProblemCounts) -> list[str]:
    """How many files gave no text: "3 problems", "2 other files"; never a zero.

    Pictures, programs and the like are no problems, but files that lie in any folder.
    """
    numbers = ((counts.problems, "problem"), (counts.others, "other file"))
    return [counted(number, noun) for number, noun in numbers if number]


SETTINGS = settings_of(ScanSettings)
NEARLY_ALL = 0.99
EXAMPLES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
NEAR_EXAMPLES = (0.7, 0.8, 0.9, 0.95, 0.99)  # where bits begin to find pairs


def settings_in_words(
    settings: ScanSettings, compared: int | None = None, *, reworked_complete: bool = False
) -> Iterator[str]:
    """Sentences that tell a reader how the pairs were found.

    Args:
        settings: Those of the list.
        compared: How many pairs there are, where all were compared: no signature led to any.
        reworked_complete: Whether these were measured for reworked passages, too.
    """
    unit = unit_name(settings)
    yield (
        f"Every document was cut into shingles: all runs of {counted(settings.k, unit)} in it, "
        f"{_text_treatment(settings)}. "
        + (
            "A shingle counts as often as it occurs."
            if settings.bag
            else "A shingle that repeats counts once."
        )
    )
    search = _bands_in_words(settings) if settings.choice else _bits_in_words(settings)
    yield f"{_signature(settings)} {_completeness(compared) if compared else search}"
    if compared and (told := reworked_in_words(settings, complete=reworked_complete)):
        yield told
    yield (
        "Every pair in this report was then compared shingle by shingle: its numbers are exact, "
        f"not estimated. Pairs are listed from a resemblance of "
        f"{threshold(settings.min_resemblance)} on{_passages(settings)}."
    )


def _completeness(compared: int) -> str:
    """What it means that all pairs were compared."""
    return (
        f"All {counted(compared, 'pair')} of different documents were compared: from the threshold "
        "on the list is complete, whatever the signatures found."
    )


def _passages(settings: ScanSettings) -> str:
    shared = passage_in_words(settings)
    if settings.list_passages:
        reworked = " or a reworked passage" if settings.reworked != "off" else ""
        return f", and whatever their resemblance when they share {shared} in a row{reworked}"
    return f"; those below are not, not even when they share {shared} in a row"


def found_in_words(pairs: Pairs) -> str:
    """How many of the listed pairs were found in which way."""
    numbers = np.bincount(pairs.found_by).tolist() if len(pairs) else []
    ways: Counter[str] = Counter()
    for value, number in enumerate(numbers):
        if number:
            ways[found_by(value)] += number
    parts = [f"{how} {count(number)}" for how, number in ways.most_common()]
    return f"How the pairs were found: {'; '.join(parts)}." if parts else "No pairs are listed."


def setting_rows(settings: ScanSettings) -> Iterator[tuple[str, str]]:
    """Every setting by its name and value."""
    yield from _told_in(settings, SHINGLES, TEXT)
    yield from _method_rows(settings)
    yield from _told_in(settings, SIGNATURE)
    yield "Compared", SETTINGS["compare"].in_report(settings.compare, settings)
    yield "Listed from", f"resemblance {threshold(settings.min_resemblance)}"
    passages = f"{passage_in_words(settings)} in a row"
    yield "Or sharing", passages if settings.list_passages else f"{passages}: not listed"
    yield from _told_in(settings, PAIRS)


def _told_in(settings: ScanSettings, *sections: str) -> Iterator[tuple[str, str]]:
    for field, setting in settings_of(settings).items():
        if setting.section in sections and setting.titled and not setting.told_apart:
            used = settings.uses(field)
            told = (
                setting.in_report(getattr(settings, field), settings) if used else setting.without
            )
            if told:
                yield setting.titled, told


def _signature(settings: ScanSettings) -> str:
    values = f"{settings.signature_size:,} values" if settings.choice else "64 bits"
    return (
        f"From its shingles each document got a signature of {values} ({settings.method.name}"
        f"{_weighed(settings)}, seed {settings.seed})."
    )


def _bands_in_words(settings: ScanSettings) -> str:
    return (
        f"Two documents became candidates when all {counted(settings.rows, 'row')} of at least one "
        f"of {counted(settings.bands, 'band')} of their signatures agreed. On average this finds "
        f"{chances_in_words(settings)}."
    )


def _bits_in_words(settings: ScanSettings) -> str:
    distance = settings.max_distance
    bits = f"at most {counted(distance, 'bit')}" if distance else "no bit"
    return (
        f"Two documents became candidates when {bits} of their signatures differed. Among "
        "documents of equal length in which many shingles differ, all counted alike, this finds on "
        f"average {chances_in_words(settings)}."
    )


def _weighed(settings: ScanSettings) -> str:
    return f", {_weights(settings)}" if settings.method.weighs else ""


def _weights(settings: ScanSettings) -> str:
    return SETTINGS["weights"].in_report(settings.weights, settings)


def _method_rows(settings: ScanSettings) -> Iterator[tuple[str, str]]:
    method, has_bands = settings.method, settings.choice is not None
    size = f"K\u00a0=\u00a0{settings.signature_size}" if has_bands else "64 bits"
    yield "Signature", f"{method.name}, {size}"
    if method.weighs:
        yield "Weights", _weights(settings)
    yield "Seed", str(settings.seed)
    if has_bands:
        yield "Bands × rows", f"b × r = {settings.bands} × {settings.rows}"
    else:
        yield "Bits that may differ", f"d = {settings.max_distance}"


def _text_treatment(settings: ScanSettings) -> str:
    parts = (
        setting.treats(getattr(settings, field), settings)
        for field, setting in settings_of(settings).items()
        if settings.uses(field)
    )
    return ", ".join(filter(None, parts))


def chances_in_words(settings: ScanSettings) -> str:
    """The curve in words, up to where nearly all pairs are found."""
    least = settings.min_resemblance
    examples = EXAMPLES if settings.choice else NEAR_EXAMPLES
    points = sorted({point for point in (least, *examples) if point >= least and point > 0})
    curve = curve_of(settings.bands, settings.rows, settings.distance)
    chances = curve.probability(points).tolist()
    parts: list[str] = []
    for point, chance in zip(points, chances, strict=True):
        joined = "with" if parts else "of the pairs with a resemblance of"
        if chance > NEARLY_ALL:
            more = " or more" if point < 1 else ""
            parts.append(f"over {share(NEARLY_ALL)} {joined} {threshold(point)}{more}")
            break
        parts.append(f"{share(chance)} {joined} {threshold(point)}")
    return listed(parts)


def result_in_words(report: Report) -> list[str]:
    """What was found; of a report without pairs what that means."""
    words = list_in_words(report.list_counts, report.settings)
    is_part = 0 < len(report.pairs) < report.list_counts.listed
    told = f"The whole list has {words}" if is_part else f"{words[0].upper()}{words[1:]}"
    return [f"{told}.", *nothing_found(report)]


def nothing_found(report: Report) -> Iterator[str]:
    """Sentences on why there is no pair, and how sure that is; none where there are pairs."""
    if len(report.pairs):
        return
    there = report.document_counts.present + report.document_counts.missing
    if not there:
        yield "No document with text was found. Nothing was compared, so nothing is said of any."
    elif there == 1:
        yield "There is one document and no other: there was nothing to compare it with."
    elif report.list_counts.listed:
        yield from _not_of_these(report)
    else:
        yield (
            f"No near-duplicate was found among {counted(there, 'document')}: no two of them reach "
            f"a resemblance of {threshold(report.settings.min_resemblance)}{_nor_share(report)}, "
            "as far as this search finds them."
        )
        yield from _how_sure(report)
    if report.problem_counts.problems:
        noun = unread(is_part_of_run=report.is_part_of_run)
        number = counted(report.problem_counts.problems, noun)
        yield f"Nothing is said of {number} that gave no text."


def _not_of_these(report: Report) -> Iterator[str]:
    """Why none of the pairs of the list is in the report."""
    listed = counted(report.list_counts.listed, "pair")
    verb, was = ("is", "was") if report.list_counts.listed == 1 else ("are", "were")
    scope = report.choice.scope
    if scope is Scope.CONFIRMED:
        yield f"No pair is confirmed; {listed} {verb} listed."
    elif scope is Scope.PAIR:
        yield (
            "These two documents are no pair of the list: they do not reach a resemblance of "
            f"{threshold(report.settings.min_resemblance)}{_nor_share(report, few=True)}, as far "
            "as this search finds them. Of exact copies only the first is paired with others."
        )
        yield from _how_sure(report)
    elif scope is Scope.SHOWN:
        yield f"{listed} {was} found; none is shown."
    else:
        one = len(report.choice.documents) == 1
        which = "this document" if one else "these documents"
        yield f"No pair of {which} is listed; {listed} of others {verb}."
        yield from _how_sure(report)


def _nor_share(report: Report, *, few: bool = False) -> str:
    if not report.settings.list_passages:
        return ""
    verb = "and do not share" if few else "or share"
    reworked = " or a reworked passage" if report.settings.reworked != "off" else ""
    return f" {verb} {passage_in_words(report.settings)} in a row{reworked}"


def _how_sure(report: Report) -> Iterator[str]:
    """What the search would have found."""
    if report.compared:
        pairs = counted(report.compared, "pair")
        yield f"All {pairs} of different documents were compared: for resemblance this is certain."
        if told := reworked_in_words(report.settings, complete=report.reworked_complete):
            yield told
    else:
        yield f"By its curve the search finds on average {chances_in_words(report.settings)}."
    if report.settings.list_passages:
        run = passage_in_words(report.settings)
        yield (
            f"Whatever the resemblance, {run} in a row that two documents share are looked for "
            "everywhere; what stands in too many documents to pair them is said among the notes."
        )


NO_TEXTS = "No text of a document is shown: of each passage this report tells where it stands."
JSON_HAS_ALL = "; a .json file has all"


@dataclass(frozen=True, slots=True)
class ReportLimits:
    """How much of everything a browser is asked to show."""

    table_rows: int = 10_000
    groups: int = 1_000
    members: int = 200
    problems: int = 10_000

    def pairs_with_sections(self, report: Report) -> int:
        """Number of pairs, from the top of the table, whose passages are shown."""
        return min(len(report.pairs), report.choice.most_passages, self.table_rows)


def left_out(report: Report, limits: ReportLimits) -> Iterator[str]:
    """Sentences on everything the reader does not see."""
    listed, found = len(report.pairs), report.list_counts.listed
    if report.shown or listed < found:
        verb = "is" if found == 1 else "are"
        yield f"{report.shown} {listed:,} of {counted(found, 'pair')} {verb} shown.".strip()
    if report.list_counts.below and not report.settings.list_passages:
        yield not_listed_in_words(report.list_counts, report.settings)
    yield from report.notes
    if report.missing:
        count = counted(len(report.missing), "document")
        verb = "was" if len(report.missing) == 1 else "were"
        yield f"{count} {verb} not there or not readable at the last scan; Gone says since when."
    if report.problems:
        number = len(report.problems)
        yield (
            f"{counted(number, unread(is_part_of_run=report.is_part_of_run))} gave no text and "
            f"{'was' if number == 1 else 'were'} not compared; Problems lists "
            f"{'it' if number == 1 else 'them'}."
        )
    if report.remarked:
        count = counted(len(report.remarked), "document")
        yield f"Remarks says of {count} what was left out of the text or is not sure."
    yield from _cut_lists(report, limits)
    with_passages = limits.pairs_with_sections(report)
    if with_passages < len(report.pairs):
        yield _without_passages(with_passages, len(report.pairs) - with_passages)
    if not report.choice.passages:
        yield NO_TEXTS


def _without_passages(shown: int, others: int) -> str:
    if shown == 0:
        return "The pairs are listed without their passages."
    verb = "is" if others == 1 else "are"
    return (
        f"Passages are shown for the first {counted(shown, 'pair')} of the table; "
        f"the other {counted(others, 'pair')} {verb} without."
    )


def _cut_lists(report: Report, limits: ReportLimits) -> Iterator[str]:
    tables = "; the exported tables have all"
    lists = (
        ("pairs", len(report.pairs), limits.table_rows, tables),
        ("documents", len(report.about), limits.table_rows, tables),
        ("groups", len(report.groups), limits.groups, ""),
        ("judged passages", len(report.judged_passages), limits.groups, JSON_HAS_ALL),
        ("documents with text set aside", len(report.aside), limits.table_rows, JSON_HAS_ALL),
        ("documents that are gone", len(report.missing), limits.problems, ""),
        ("chosen passages", len(told_phrases(report)), limits.groups, JSON_HAS_ALL),
        ("problems", len(report.problems), limits.problems, tables),
        ("remarks", len(report.remarked), limits.problems, ""),
    )
    for what, total, most, elsewhere in lists:
        if total > most:
            yield f"This file lists the first {most:,} of {total:,} {what}{elsewhere}."
    shown = report.groups[: limits.groups]
    if any(len(one.members) >= limits.members for one in shown):
        yield f"Of a larger group the first {limits.members:,} documents are listed."
    copies = [group.copies for group in shown]
    copies += [member.copies for group in shown for member in group.members]
    if any(len(same) > limits.members for same in copies):
        yield f"Of more exact copies the first {limits.members:,} are named."
