"""What is set aside in the documents of a scan under its rules, each rule by a finder of its own.

What a rule found in a document before is found again as long as neither the rule nor the text has
changed, so it is kept: `known` says in which documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.aside.phrases import PhraseIndex
from core.aside.rules import GIVEN, NO_RULES, AsideRules
from core.aside.words import Words, word_batches, words_of
from core.base.arrays import Int64Array
from core.base.parallel import results_of, worker_count
from core.base.progress import Cancelled
from core.text.set_aside import Reason, SetAside

__all__ = ["Known", "Texts", "find_aside"]

Spans = Mapping[int, Sequence[SetAside]]
EVERYWHERE: Spans = {}


class Known(NamedTuple):
    """What was found before.

    Attributes:
        rules: By which rules.
        spans: What, by number of the document as it is now.
        same: The documents that were there then and have the same text.
    """

    rules: AsideRules = NO_RULES
    spans: Spans = EVERYWHERE
    same: frozenset[int] = frozenset()


class Texts(NamedTuple):
    """Texts to look through, and with what."""

    texts: Sequence[str]
    lengths: Int64Array
    pool: ThreadPoolExecutor
    cancelled: Cancelled

    def words(self, numbers: Int64Array) -> Iterator[Words]:
        """The words of some texts, batch by batch, a few batches ahead on other threads."""
        begun = (self.pool.submit(self._words, one) for one in word_batches(self.lengths, numbers))
        yield from results_of(begun, self.cancelled, 2 * worker_count())

    def _words(self, numbers: Int64Array) -> Words:
        return words_of([self.texts[number] for number in numbers.tolist()], numbers)


def find_aside(
    texts: Texts, rules: AsideRules, known: Known, template: Sequence[int] = ()
) -> dict[int, tuple[SetAside, ...]]:
    """What does not count in some texts under these rules, in reading order.

    Args:
        texts: The texts.
        rules: What is looked for.
        known: What was found before.
        template: Numbers of texts of which nothing counts.

    Returns:
        The spans of every text, also of those without any.

    Raises:
        ScanCancelledError: Its `cancelled` said so.
    """
    found: dict[int, list[SetAside]] = {number: [] for number in range(len(texts.lengths))}
    _find_phrases(texts, rules, known, found)
    for number in template:
        found[number] = [SetAside(0, int(texts.lengths[number]), Reason.TEMPLATE)]
    return {number: tuple(sorted(set(own))) for number, own in found.items()}


def _find_phrases(
    texts: Texts, rules: AsideRules, known: Known, found: Mapping[int, list[SetAside]]
) -> None:
    """Add every place of the phrases; where none was taken away, only new ones are looked for."""
    more = set(rules.phrases) - set(known.rules.phrases)
    fewer = set(known.rules.phrases) - set(rules.phrases)
    same = frozenset[int]() if fewer else known.same
    for number in same:
        found[number].extend(one for one in known.spans.get(number, ()) if one.reason in GIVEN)
    others = [number for number in found if number not in same]
    for phrases, numbers in ((more, same), (set(rules.phrases), others)):
        if phrases and numbers:
            index = PhraseIndex(sorted(phrases))
            for words in texts.words(np.array(sorted(numbers), dtype=np.int64)):
                for row, span in index.find(words):
                    found[int(words.numbers[row])].append(span)
