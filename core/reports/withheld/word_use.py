"""Which words of names are words of the language, by how texts use them.

A name is written in lower case now and then, a word mostly; and a word follows "the", "this", "our"
where it has a capital: the Terms, die Hausarbeit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from core.reports.withheld.finding import (
    ADDRESSES,
    LEAST_TELLING,
    LONGEST_UNSPACED,
    PATHS,
    URLS,
    NameForms,
)
from core.reports.withheld.heads import HeadName, is_of_documents
from core.reports.withheld.letters import (
    UNSPACED,
    folded,
    is_determiner,
    is_function_word,
    parts_of,
    words_in,
)

NEIGHBOURS = 3  # different words beside which a word of the language stands in lower case
MANY_NEIGHBOURS = 10  # as many, and it need not be in lower case most of the time
AFTER_DETERMINERS = 3  # times that it stands behind one, and the number of different ones
SHARE_AFTER = 10  # at least one of so many times
ENDING = 3  # letters of an ending: amend, amended
IN_TEXTS = 3  # of a word without spaces


class WordUse:
    """How texts use some words.

    Addresses, also of pages, and paths are left out: there all is in lower case.

    Attributes:
        language: The words that are of the language.
    """

    def __init__(self, words: Collection[str], texts: Sequence[str]) -> None:
        self._small, self._capital = Counter[str](), Counter[str]()
        self._after: dict[str, list[str]] = {}
        self._beside: dict[str, set[str]] = {}
        self._lower: set[str] = set()
        self._words = words
        self._unspaced = Counter[str]()
        unspaced = {one for one in words if UNSPACED.fullmatch(one)}
        lengths = {len(one) for one in unspaced if len(one) <= LONGEST_UNSPACED}
        for text in texts:
            self._read(URLS.sub(" ", PATHS.sub(" ", ADDRESSES.sub(" ", text))))
            for length in lengths:
                grams = {text[at : at + length] for at in range(len(text) - length + 1)}
                self._unspaced.update(unspaced & grams)
        self.language = {*filter(self._is_of_language, {*self._small, *self._after})}
        self.language.update(one for one, count in self._unspaced.items() if count >= IN_TEXTS)

    def _read(self, text: str) -> None:
        words = [("", ""), *((one.folded, text[one.start : one.end]) for one in words_in(text))]
        for (before, _), (word, shown), (after, _) in zip(
            words, words[1:], [*words[2:], ("", "")], strict=False
        ):
            is_small = shown.islower()
            if is_small:
                self._lower.add(word)
            name = self._name_in(word)
            if not name:
                continue
            (self._small if is_small else self._capital)[name] += 1
            if is_small:
                others = {one for one in (before, after) if one not in self._words}
                self._beside.setdefault(name, set()).update(others)
            if is_determiner(before):
                self._after.setdefault(name, []).append(before)

    def _name_in(self, word: str) -> str:
        """The word that is asked about and that a word is, perhaps with an ending; "" for none."""
        if word in self._words:
            return word
        for end in range(len(word) - 1, max(len(word) - ENDING, LEAST_TELLING) - 1, -1):
            if word[:end] in self._words:
                return word[:end]
        return ""

    def _is_of_language(self, word: str) -> bool:
        small, capital, after = self._small[word], self._capital[word], self._after.get(word, ())
        beside = len(self._beside.get(word, ()))
        is_small = beside >= NEIGHBOURS and small > 2 * capital
        is_often = beside >= MANY_NEIGHBOURS and 2 * small >= capital
        is_after = (
            len(set(after)) >= AFTER_DETERMINERS and SHARE_AFTER * len(after) >= small + capital
        )
        return is_small or is_often or is_after

    def may_be_of_language(self, word: str) -> bool:
        """Whether something speaks for it: too little to call a word of a name one."""
        some = self._small[word] or self._after.get(word) or word in self._lower
        return word in self.language or (
            bool(some) and 2 * self._small[word] >= self._capital[word]
        )

    def is_in_lower_case(self, word: str) -> bool:
        """Whether a text has a folded word in lower case."""
        return word in self._lower

    def names(self, heads: Iterable[HeadName], documents: int) -> set[HeadName]:
        """Those of the heads of documents that are names.

        A line that only looks like a name is none where a word of it may be one of the language,
        or where many documents begin with it.
        """
        many = max(MANY_HEADS, documents // FEW)
        names: set[HeadName] = set()
        for one, count in Counter(heads).items():
            words = [*map(folded, parts_of(one.name))]
            if one.is_told:
                is_name = not words or any(word not in self.language for word in words)
            else:
                is_name = count <= many and not any(map(self.may_be_of_language, words))
            if is_name:
                names.add(one)
        return names


MANY_HEADS = 5  # documents that begin with a line, and one in so many:
FEW = 20


def words_left(forms: NameForms, texts: Iterable[str]) -> list[str]:
    """Words of names that texts write with a capital, and that stay where they stand alone."""
    left = {
        one.folded: text[one.start : one.end]
        for text in texts
        for one in words_in(text)
        if one.folded in forms.labels
        and text[one.start].isupper()
        and forms.stays_alone(one.folded)
    }
    return sorted(left.values(), key=str.casefold)


MOST_ALIKE = 4  # words of what looks like a name


def names_alike(text: str, use: WordUse) -> Iterable[tuple[int, int]]:
    """Where several words with capitals stand that no text has in lower case: John Stuart Mill."""
    run: list[tuple[int, int]] = []
    for one in [*words_in(text), None]:
        if one is not None:
            shown = text[one.start : one.end]
            is_part = (
                shown[0].isupper()
                and (len(shown) == 1 or not shown.isupper())
                and not (is_function_word(one.folded) or is_of_documents(one.folded))
                and not use.is_in_lower_case(one.folded)
            )
            between = text[run[-1][1] : one.start] if run else ""
            if is_part and (not run or between in _BETWEEN):
                run.append((one.start, one.end))
                continue
        if 2 <= len(run) <= MOST_ALIKE and any(end - start > 2 for start, end in run):
            yield run[0][0], run[-1][1]
        run = [(one.start, one.end)] if one is not None and is_part else []


_BETWEEN = {" ", "-", ". ", "'", "’"}
