"""What is set aside in the documents of a scan under its rules, each rule by a finder of its own.

    texts ─▶ quotations, lists of references       each text by itself
          ─▶ phrases                               each text by itself
          ─▶ templates, common passages, cover sheets and headings       compared with all others

What a rule found is found again as long as neither the rule nor the text changed, so it is kept;
that of rules which compare texts, as long as no text changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from core.aside.bibliography import find_bibliographies
from core.aside.common import LEAST_COMMON, LEAST_OF_TEMPLATE, shared_spans
from core.aside.grams import count_grams
from core.aside.phrases import PhraseIndex
from core.aside.quotations import find_quotations
from core.aside.repeated import (
    COVER_WORDS,
    Repeats,
    fewest_documents,
    headings_of,
    repeated_spans,
    starts_of,
)
from core.aside.rules import GIVEN, NO_RULES, AsideRules, Phrase
from core.aside.texts import Texts
from core.aside.words import Words
from core.text.set_aside import Reason, SetAside

Spans = Mapping[int, Sequence[SetAside]]
Found = dict[int, list[SetAside]]
EVERYWHERE: Spans = {}


class Known(NamedTuple):
    """What was found before.

    Attributes:
        rules: By which rules.
        spans: What, by number of the document as it is now.
        same: The documents that were there then and have the same text; all where nothing else
            changed, templates neither.
    """

    rules: AsideRules = NO_RULES
    spans: Spans = EVERYWHERE
    same: frozenset[int] = frozenset()


def find_aside(
    texts: Texts, rules: AsideRules, known: Known, template: Sequence[int] = ()
) -> dict[int, tuple[SetAside, ...]]:
    """What does not count in some texts under these rules, in reading order.

    Args:
        texts: The texts.
        rules: What is looked for.
        known: What was found before.
        template: Numbers of texts of which nothing counts, and what others share with them.

    Returns:
        The spans of every text, also of those without any.

    Raises:
        ScanCancelledError: The texts say so.
    """
    finding = _Finding(texts, rules, known)
    finding.of_texts("quotations", Reason.QUOTATION, find_quotations)
    finding.of_texts("bibliography", Reason.BIBLIOGRAPHY, find_bibliographies)
    finding.of_phrases()
    finding.of_all("common", Reason.COMMON, _common)
    finding.of_all("repeated", Reason.REPEATED, _repeated)
    if template:
        finding.add(_of_templates(texts, set(template)))
    for number in template:
        finding.found[number] = [SetAside(0, int(texts.lengths[number]), Reason.TEMPLATE)]
    return {number: tuple(sorted(set(own))) for number, own in finding.found.items()}


class _Finding:
    """What is found so far, by number of the text."""

    def __init__(self, texts: Texts, rules: AsideRules, known: Known) -> None:
        self.found: Found = {number: [] for number in range(len(texts))}
        self._texts, self._rules, self._known = texts, rules, known

    def add(self, found: Iterable[tuple[int, SetAside]]) -> None:
        for number, span in found:
            self.found[number].append(span)

    def of_texts(
        self, rule: str, reason: Reason, find: Callable[[str], Sequence[SetAside]]
    ) -> None:
        """Find what each text says by itself, in those where it is not known."""
        if not getattr(self._rules, rule):
            return
        same = self._known.same if getattr(self._known.rules, rule) else frozenset()
        self._keep(same, (reason,))
        for number, spans in self._texts.each(find, self.found.keys() - same):
            self.found[number] += spans

    def of_all(
        self,
        rule: str,
        reason: Reason,
        find: Callable[[Texts, AsideRules], Iterator[tuple[int, SetAside]]],
    ) -> None:
        """Find what is told by comparing all texts, unless all is as it was."""
        wanted = getattr(self._rules, rule)
        if not wanted:
            return
        if wanted == getattr(self._known.rules, rule) and len(self._known.same) == len(self._texts):
            self._keep(self._known.same, (reason,))
        else:
            self.add(find(self._texts, self._rules))

    def of_phrases(self) -> None:
        """Find every place of the phrases; where none was taken away, only new ones are sought."""
        wanted, before = set(self._rules.phrases), set(self._known.rules.phrases)
        same = frozenset[int]() if before - wanted else self._known.same
        self._keep(same, GIVEN)
        self._seek(wanted - before, same)
        self._seek(wanted, self.found.keys() - same)

    def _seek(self, phrases: Collection[Phrase], numbers: Collection[int]) -> None:
        if not phrases or not numbers:
            return
        index = PhraseIndex(sorted(phrases))
        is_all = len(numbers) == len(self._texts)
        for words in self._texts.all_words() if is_all else self._texts.words(numbers):
            self.add((int(words.numbers[row]), span) for row, span in index.find(words))

    def _keep(self, same: Collection[int], reasons: Collection[Reason]) -> None:
        for number in same:
            spans = self._known.spans.get(number, ())
            self.found[number] += [one for one in spans if one.reason in reasons]


def _common(texts: Texts, rules: AsideRules) -> Iterator[tuple[int, SetAside]]:
    grams = count_grams(
        texts.all_words, LEAST_COMMON, len(texts), texts.word_count, fewest=rules.common
    )
    for words in texts.all_words():
        for row, span in shared_spans(words, grams, LEAST_COMMON, Reason.COMMON):
            yield int(words.numbers[row]), span


def _of_templates(texts: Texts, template: Collection[int]) -> Iterator[tuple[int, SetAside]]:
    of_template = list(texts.words(template))
    total = sum(len(words.values) for words in of_template)
    grams = count_grams(lambda: of_template, LEAST_OF_TEMPLATE, len(texts), total, fewest=1)
    for words in texts.all_words():
        for row, span in shared_spans(words, grams, LEAST_OF_TEMPLATE, Reason.TEMPLATE):
            yield int(words.numbers[row]), span


def _repeated(texts: Texts, _rules: AsideRules) -> Iterator[tuple[int, SetAside]]:
    """Cover sheets and headings."""
    fewest = fewest_documents(len(texts))
    starts: list[Words] = [starts_of(words) for words in texts.all_words()]
    total = sum(len(words.values) for words in starts)
    grams = count_grams(lambda: starts, COVER_WORDS, len(texts), total, fewest)
    lines = list(texts.each(headings_of, range(len(texts))))
    counts = Counter(words for _, own in lines for words in {line.words for line in own})
    headings = {words for words, count in counts.items() if count >= fewest}
    yield from repeated_spans(starts, lines, Repeats(fewest, grams, headings))
