"""Whose a document is, and by which words its name is known in a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from core.documents.model import Document
from core.documents.submissions import person_in
from core.reports.withheld.folding import UNSPACED, folded, is_function_word, parts_of, spellings

LEAST_STRONG = 3  # letters of a word that tells a name by itself
LEAST_TELLING = 5  # letters of a word that tells a name within another, as in an address
VOWELS = "aeiouy"
LEAST_JOINED = 5  # letters of a name in one word, as in an address
MOST_PARTS = 4  # of a name that is looked for in any order
NEIGHBOURS = 3  # different words beside which a word of the language stands
IN_MANY = 3  # names at least that share a word which tells nothing


class Known(NamedTuple):
    """A name that is withheld.

    Attributes:
        label: What stands for it.
        words: The name, or what of it may stand in a text.
        is_person: Whether it is surely that of a person: then one word of it may stand for it.
        numbers: What a learning platform has given to the person.
    """

    label: str
    words: str
    is_person: bool = False
    numbers: tuple[str, ...] = ()


def person_of(document: Document) -> tuple[str, tuple[str, ...]]:
    """The person that a document is of, and the numbers of that person; "" where not known."""
    for step in document.name.split("/"):
        person = person_in(step)
        if person:
            return f"{person.name} ({person.numbers[0]})", person.numbers
    return (document.name.rpartition("/")[2], ()) if document.members else ("", ())


class NameForms:
    """The words by which names are known, each with the labels that it may stand for.

    Attributes:
        labels: By folded word.
        whole: By label all words of each of its names.
        joined: Names in one word, as "adalovelace", with their labels.
        unparted: Names that are one word, and may be several in a text, with their labels.
        unspaced: Names in scripts without spaces.
        numbers: Numbers of people.
        people: Words of names that are surely those of people, or the only word of a name.
    """

    def __init__(self, names: Iterable[Known]) -> None:
        known = list(dict.fromkeys(names))
        self.labels: dict[str, set[str]] = {}
        self.whole: dict[str, list[frozenset[str]]] = {}
        self.joined: dict[str, set[str]] = {}
        self.unparted: dict[str, set[str]] = {}
        self.unspaced: dict[str, set[str]] = {}
        self.numbers: dict[str, set[str]] = {}
        self.people: set[str] = set()
        for one in known:
            self._add(one)
        self._common: set[str] = set()
        self._used: set[str] = set()
        shared = Counter(word for one in known for word in {*map(folded, parts_of(one.words))})
        most = max(IN_MANY, len(known) // 2)
        self._common.update(word for word, count in shared.items() if count > most)

    def _add(self, one: Known) -> None:
        parts = list(map(folded, parts_of(one.words)))
        for part in parts_of(one.words):
            for word in spellings(part)[:2] if not part.isascii() else (folded(part),):
                self.labels.setdefault(word, set()).add(one.label)
                if one.is_person or len(set(parts)) == 1:
                    self.people.add(word)
        if len(parts) == 1 and len(parts[0]) >= LEAST_JOINED:
            self.unparted.setdefault(parts[0], set()).add(one.label)
        self.whole.setdefault(one.label, []).append(frozenset(parts))
        for number in one.numbers:
            self.numbers.setdefault(number, set()).add(one.label)
        self._add_joined(one.label, parts)
        for found in UNSPACED.findall("".join(one.words.split())):
            if len(found) > 1:
                self.unspaced.setdefault(found, set()).add(one.label)
        for found in UNSPACED.findall(one.words):
            if len(found) > 1:
                self.unspaced.setdefault(found, set()).add(one.label)

    def _add_joined(self, label: str, parts: Sequence[str]) -> None:
        """The name in one word: in any order, and with the first letter of one part."""
        words = (
            []
            if not 2 <= len(parts) <= MOST_PARTS
            else ["".join(one) for one in permutations(parts)]
        )
        if len(parts) == 2:
            first, last = parts
            words += [first[0] + last, last + first[0], last[0] + first, first + last[0]]
        for word in words:
            if len(word) >= LEAST_JOINED:
                self.joined.setdefault(word, set()).add(label)

    def learn(self, use: Mapping[str, int]) -> None:
        """Take in which words the texts use as words of the language (`finding.word_use`)."""
        self._used.update(word for word, others in use.items() if others >= NEIGHBOURS)
        self._common.update(word for word, others in use.items() if others >= NEIGHBOURS)

    def is_strong(self, word: str) -> bool:
        """Whether a folded word tells a name by itself, and not only beside others of it."""
        is_common = word in self._common or is_function_word(word)
        return len(word) >= LEAST_STRONG and not is_common

    def may_stand_alone(self, word: str) -> bool:
        """Whether a word without others of its name may be meant for it.

        A person's may. Of a longer name of a file only what no text has in lower case.
        """
        return word in self.people or word in self.joined or word not in self._used

    def telling(self) -> Mapping[str, set[str]]:
        """The words that tell a name wherever they stand, also within others, with their labels.

        Of those that end in a vowel also what other cases leave: Kowalska, Kowalskiej.
        """
        found: dict[str, set[str]] = {}
        for word, labels in self.labels.items():
            if len(word) >= LEAST_TELLING and self.is_strong(word) and self.may_stand_alone(word):
                found.setdefault(word, set()).update(labels)
                if len(word) > LEAST_TELLING and word[-1] in VOWELS:
                    found.setdefault(word[:-1], set()).update(labels)
        return found

    def short(self) -> dict[str, set[str]]:
        """Shorter ones, which tell a name only as a whole word: whose they are."""
        return {
            word: labels
            for word, labels in self.labels.items()
            if LEAST_STRONG <= len(word) < LEAST_TELLING
            and self.is_strong(word)
            and self.may_stand_alone(word)
        }

    def is_in_many(self, word: str) -> bool:
        """Whether a word tells nothing: many names or the texts have it."""
        return word in self._common
