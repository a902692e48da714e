"""Where names stand in a text, and what is shown there instead."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise, permutations
from typing import NamedTuple, TypeAlias

from core.base.patterns import lazy_pattern
from core.documents.model import Document
from core.documents.submissions import Person, person_in
from core.reports.pseudonyms.author_names import is_of_documents, may_be_unspaced_name
from core.reports.pseudonyms.word_forms import (
    KEPT,
    UNSPACED,
    Skeleton,
    Word,
    digits_of,
    folded,
    function_words,
    hidden_forms,
    is_determiner,
    is_function_word,
    may_be_romanised,
    parts_of,
    readings,
    skeleton,
    sound,
    sounds,
    spellings,
    words_in,
)
from core.reports.shown_text import Withheld

LEAST_STRONG = 3  # letters of a word that tells a name by itself
LEAST_TELLING = 5  # letters of a word that tells a name within another, as in an address
# What other cases of a name omit: Kowalska, Бровкинский, Παπαδόπουλος, all folded. Not the stem
# of an adjective: Толстой, толстый.
_ENDING = lazy_pattern("(?:[aeiouy]|(?<=[сц]к)(?:ии|ои|ая)|[αηο]σ)$")
LATIN_END = "\u0250"
# Words that joined are a name; of more than MOST_PARTED each has few letters: Ko wa lc zy k.
MOST_PIECES, MOST_PARTED, LONGEST_PIECE = 6, 3, 3
LEAST_UNSPACED = 2  # characters of a name in a script without spaces
LEAST_JOINED = 5  # letters of a name in one word, as in an address
LEAST_PART = 3  # letters of a whole part of a name in a word with the beginning of another
LEAST_BEGINNING = 4  # letters of that beginning, and after an initial:
LEAST_AFTER_INITIAL = 6
LEAST_GLUED, MOST_GLUED = LEAST_PART + LEAST_BEGINNING, 40  # letters of such a word
MOST_PARTS = 4  # of a name that is looked for in any order
LONGEST_UNSPACED = 6  # characters of a word without spaces that may be one of the language


class Known(NamedTuple):
    """A name that is withheld.

    Attributes:
        label: What stands for it.
        words: The name, or the part of it that may stand in a text.
        is_person: Whether it is surely that of a person: then one word of it may stand for it.
        numbers: What a learning platform has given to the person.
    """

    label: str
    words: str
    is_person: bool = False
    numbers: tuple[str, ...] = ()


def person_named_in(path: str) -> Person | None:
    """The person whom a learning platform has named in a path; None where it has named nobody."""
    return next(filter(None, map(person_in, path.split("/"))), None)


def person_of_folder(document: Document) -> str:
    """The person whose folder a submission is, where no platform has named anybody; else ""."""
    is_named = not document.members or person_named_in(document.name)
    return "" if is_named else document.name.rpartition("/")[2]


def _may_be_word(text: str) -> bool:
    """Whether a part of a name without spaces may be a word: a few letters, no person's name."""
    return 2 <= len(text) <= LONGEST_UNSPACED and not may_be_unspaced_name(text)


class NameForms:
    """The words by which names are known, each with the labels that it may stand for.

    Attributes:
        labels: By folded word.
        word_sets: By label all words of each of its names, as sets.
        joined: Names in one word, as "adalovelace", with their labels.
        unparted: Names that are one word, and may be several in a text, with their labels.
        initials: The first letters of names, with their labels; also with the first one last, as
            of a name that begins with the family name.
        garbled: Names with letters beyond ASCII as a wrong encoding shows them, with their words.
        unspaced: Names in scripts without spaces.
        numbers: Numbers of people.
        people: Words of names that are surely those of people, or the only word of a name.
        lengths: How many letters the words have that texts use, see `are_words`.
    """

    def __init__(self, names: Iterable[Known]) -> None:
        known = list(dict.fromkeys(names))
        self.labels: dict[str, set[str]] = {}
        self._parts_unspaced: set[str] = set()
        self.word_sets: dict[str, list[frozenset[str]]] = {}
        self.joined: dict[str, set[str]] = {}
        self.unparted: dict[str, set[str]] = {}
        self.initials: dict[str, set[str]] = {}
        self.garbled: dict[str, set[str]] = {}
        self._beginnings: dict[str, dict[str, set[str]]] = {}  # of parts: by label which they are
        self.glued = lru_cache(KEPT)(self._glued)
        self.unspaced: dict[str, set[str]] = {}
        self.numbers: dict[str, set[str]] = {}
        self.people: set[str] = set()
        for known_name in known:
            self._add(known_name)
        self._used: frozenset[str] = frozenset()
        self._within_lines: frozenset[str] = frozenset()
        self._repeated: frozenset[str] = frozenset()
        self.lengths: set[int] = set()

    def _add(self, known_name: Known) -> None:
        parts = list(map(folded, parts_of(known_name.words)))
        elided = ("".join(parts_of(match[0])) for match in _ELIDED.finditer(known_name.words))
        for part in (*parts_of(known_name.words), *elided):
            for word in spellings(part)[:2] if not part.isascii() else (folded(part),):
                self.labels.setdefault(word, set()).add(known_name.label)
                if known_name.is_person or (len(set(parts)) == 1 and not is_of_documents(word)):
                    self.people.add(word)
            if not part.isascii():
                self.garbled.setdefault(garbled(part), set()).add(folded(part))
        if len(parts) == 1 and len(parts[0]) >= LEAST_JOINED:
            self.unparted.setdefault(parts[0], set()).add(known_name.label)
        self.word_sets.setdefault(known_name.label, []).append(frozenset(parts))
        for number in known_name.numbers:
            self.numbers.setdefault(number, set()).add(known_name.label)
        self._add_joined(known_name.label, parts)
        self._add_unspaced(known_name)

    def _add_unspaced(self, known_name: Known) -> None:
        runs = UNSPACED.findall(known_name.words)
        for run in (*UNSPACED.findall("".join(known_name.words.split())), *runs):
            if len(run) > 1:
                self.unspaced.setdefault(run, set()).add(known_name.label)
            if len(run) > 2 and run >= "\u3400":  # the family name last: 小明王
                self.unspaced.setdefault(run[1:] + run[0], set()).add(known_name.label)
        if not known_name.is_person and len(runs) > 1:
            self._parts_unspaced.update(filter(_may_be_word, runs))

    def _add_joined(self, label: str, parts: Sequence[str]) -> None:
        """Add a name in one word, in any order and with one initial; also all its initials."""
        if not 2 <= len(parts) <= MOST_PARTS:
            return
        initials = "".join(part[0] for part in parts)
        for letters in (initials, initials[1:] + initials[0]):
            self.initials.setdefault(letters, set()).add(label)
        for part in parts:
            for end in range(1, len(part) + 1):
                of_label = self._beginnings.setdefault(part[:end], {})
                of_label.setdefault(label, set()).add(part)
        words = ["".join(permutation) for permutation in permutations(parts)]
        for index, part in enumerate(parts):
            rest_initials = initials[:index] + initials[index + 1 :]
            words += [rest_initials + part, part + rest_initials]
        for word in words:
            if len(word) >= LEAST_JOINED:
                self.joined.setdefault(word, set()).add(label)

    def _glued(self, word: str, *, is_account: bool = False) -> frozenset[str]:
        """The labels whose names a folded word is made of: annakowal, akowalcz, of Anna Kowalczyk.

        An account may also be of two beginnings, or of a long one alone: annkow, kowal.
        """
        labels: set[str] = set()
        for cut in range(1, len(word)) if LEAST_GLUED <= len(word) <= MOST_GLUED else ():
            left, right = word[:cut], word[cut:]
            of_left, of_right = self._beginnings.get(left), self._beginnings.get(right, {})
            if not of_left:
                break
            for label in of_left.keys() & of_right.keys():
                parts = of_left[label] | of_right[label]
                complete = max((len(side) for side in (left, right) if side in parts), default=0)
                is_long = complete >= LEAST_PART and len(word) - complete >= LEAST_BEGINNING
                is_long |= is_account and min(cut, len(right)) >= LEAST_PART
                if len(parts) > 1 and (is_long or (cut == 1 and len(right) >= LEAST_AFTER_INITIAL)):
                    labels.add(label)
        if is_account and len(word) >= LEAST_TELLING:
            labels.update(self._beginnings.get(word, ()))
        return frozenset(labels)

    @property
    def words(self) -> set[str]:
        """The words that texts may use as words of the language, also as they are hidden."""
        return {*self.labels, *chain(*map(hidden_forms, self.labels)), *self._parts_unspaced}

    def learn(
        self,
        used: Collection[str],
        within_lines: Collection[str] = (),
        repeated: Collection[str] = (),
    ) -> None:
        """Take in how the texts use words (see `report`).

        Args:
            used: Which of its words are words of the language.
            within_lines: Which words of any kind stand in lower case within a line.
            repeated: Which words stand in lower case in several passages that are no copies.
        """
        self._used, self._within_lines = frozenset(used), frozenset(within_lines)
        self._repeated = frozenset(repeated)
        self.lengths = set(map(len, self._within_lines | self._repeated | function_words()))
        for word in self._parts_unspaced & self._used:
            del self.unspaced[word]

    def is_word(self, word: str) -> bool:
        """Whether a folded word identifies nobody by itself: it is a word of the language."""
        of_documents = word not in self.people and is_of_documents(word)
        return word in self._used or of_documents or is_function_word(word)

    def are_words(self, parts: Iterable[str], *, elsewhere: bool = False) -> bool:
        """Whether all folded parts of a possible name may be words of the texts.

        With `elsewhere`, also where the occurrence in question is not counted.
        """
        used = self._repeated if elsewhere else self._within_lines
        return all(part in used or is_function_word(part) for part in parts)

    def is_strong(self, word: str) -> bool:
        """Whether a folded word identifies a name by itself, not only beside its other words."""
        return len(word) >= LEAST_STRONG and not self.is_word(word)

    def may_stand_alone(self, word: str) -> bool:
        """Whether a word without the rest of its name may stand for it.

        A person's may. Of a longer name of a file only a word that no text has in lower case.
        """
        return word in self.people or word in self.joined or word not in self._used

    def telling(self) -> Mapping[str, set[str]]:
        """The words that identify a name wherever they stand, also within words, with their labels.

        Also their stems, which other cases keep: Kowalska, Kowalskiej.
        """
        words: dict[str, set[str]] = {}
        for word, labels in self.labels.items():
            if (
                len(word) >= LEAST_TELLING
                and self._is_distinctive(word)
                and not UNSPACED.match(word)
            ):
                words.setdefault(word, set()).update(labels)
                stem = _ENDING.sub("", word)
                if len(stem) >= LEAST_TELLING:
                    words.setdefault(stem, set()).update(labels)
        return words

    def separate_words(self) -> dict[str, set[str]]:
        """Words that identify a name only as separate words: short ones, hidden long ones."""
        words: dict[str, set[str]] = {}
        for word, labels in self.labels.items():
            if not self._is_distinctive(word):
                continue
            if len(word) < LEAST_TELLING:
                words.setdefault(word, set()).update(labels)
            for form in hidden_forms(word) if len(word) > LEAST_TELLING else ():
                if not self.is_word(form):
                    words.setdefault(form, set()).update(labels)
        for form, names in self.garbled.items():
            lost = form.replace("?", "")  # Mller, of Müller
            if len(lost) >= LEAST_TELLING and not self.is_word(lost):
                for name in filter(self.is_strong, names & self.labels.keys()):
                    words.setdefault(lost, set()).update(self.labels[name])
        return words

    def stays_alone(self, word: str) -> bool:
        """Whether a word of a name, long enough to identify it, stays where it stands alone."""
        return (
            word in self.labels
            and len(word) >= LEAST_STRONG
            and not (self._is_distinctive(word) or is_function_word(word) or is_of_documents(word))
        )

    def _is_distinctive(self, word: str) -> bool:
        return self.is_strong(word) and self.may_stand_alone(word)


ADDRESS, PATH = "[address]", "[path]"
_ELIDED = lazy_pattern(r"(?<![^\W_])[^\W\d_]{1,2}['’ʼ‘´`][^\W\d_]+")  # O'Brien, D'Angelo
MOST_LABELS = 3  # of those who have the same name
SHORT_LINE = 4  # words: a heading, a signature
LONGEST_BESIDE = 40  # characters of a word beside initials

ADDRESSES = lazy_pattern(r"[^\W_][\w.+%'-]{0,63}[@＠](?:[\w-]{1,63}[.．])+[^\W\d_]{2,63}")
_STEP = r"[^\\/:*?\"<>|\r\n\t]{1,255}"
PATHS = lazy_pattern(
    rf"(?:(?<!\w)[A-Za-z]:[\\/](?!/)|(?<!\\)\\\\)(?:{_STEP}[\\/]){{0,40}}[^\\/:*?\"<>|\s]*"
    r"|(?<![\w/:.])/(?:home|Users|mnt|media|Volumes|root|srv|net|export|private|tmp|var|opt)/[^\s\"<>|]+"
)
URLS = lazy_pattern(r"(?:(?<!\w)\w++://|www\.|~)[^\s\"<>|]+|[@#]\w+")
_BETWEEN = lazy_pattern(r"[\s.,;:'’‘\-‐‑–_/&+()]{1,4}")
_ENDS_A_SENTENCE = lazy_pattern(r"(?:^|[.!?:;…\n。！？|•*–—-])[\s\"'“”„«»‘’(\[]*$")
_LETTERS = lazy_pattern(r"[^\W\d_]+")
# Words with single signs or a line end between them.
_CUT = lazy_pattern(r"(?<![^\W\d_])[^\W\d_]++(?:(?:[^\w\s]|_|[^\S\r\n]*+[\r\n]\s*+)[^\W\d_]++)++")
# Digits of a skeleton, also where signs part them: 44 02 539, (440) 2539.
_NUMBER = lazy_pattern(r"(?<!\d)\d(?: {0,2}\d){3,24}(?!\d)")
_DIGITS = lazy_pattern(r"\d+")
_LETTER_AS_DIGIT = lazy_pattern(r"(?<=\d)[oil]+(?=\d)")
_DIGITS_FOR = str.maketrans("oil", "011")
# Words with figures, signs, a capital or two letters instead of one, as a scanner reads them
# and as people write them: Kowa1czyk, Kow@lczyk, Kovvalczyk.
_MISREAD = lazy_pattern(
    r"(?<![^\W_])(?=[^\W_]*(?:[^\W\d_][\d@$|!+]|[a-z]I[a-z]|\d[^\W\d_]|(?i:vv|rn|cl)))"
    r"(?:[^\W_]|[@$]|(?<=[^\W_])[|!+](?=[^\W_]))+"
)
_LETTERS_FOR = str.maketrans("0134578i@$|!+", "oleastblasllt")
# A.K., A.K, A.-K. M.; with blanks only where a full stop follows the last letter.
_INITIALS = lazy_pattern(
    r"(?<![^\W_])(?:(?:[^\W\d_]\.-?){1,3}[^\W\d_](?![^\W_])\.?"
    r"|(?:[^\W\d_]\.(?:-|[^\S\r\n])?){1,3}[^\W\d_]\.)"
)
_ABBREVIATION = lazy_pattern("ad|ai|am|ba|bc|bs|dc|la|ma|ms|nb|ny|pm|ps|qed|uk|un|us|usa")
# Words of ASCII and what a wrong encoding shows for other letters: MÃ¼ller, M?ller, M\ufffdller.
_NOT_ASCII = r"[?\u0080-\uffff]"
_WRONGLY_READ = lazy_pattern(
    rf"(?<![A-Za-z?\u0080-\uffff])(?P<word>{_NOT_ASCII}*+[A-Za-z]++(?:{_NOT_ASCII}++[A-Za-z]++)*+)"
    rf"{_NOT_ASCII}*+"
)
# Words with a part that is masked: K*walczyk, Kow***zyk, K_walczyk.
_MASKED = lazy_pattern(r"(?<![^\W_])([^\W\d_]+)([*_#•·]{1,9})([^\W\d_]+)(?![^\W_])")
_IN_CODE = "_#"  # which also joins words, so that each must stand for one letter
_CAPITAL_BEFORE = lazy_pattern(r"([^\W_]+),?\s+$")
_WORD_AFTER = lazy_pattern(r"\s+([^\W_]{2,})")


def _as_scanned(word: str) -> tuple[str, str, str]:
    """A word with one letter for all that a scanner takes for each other; also for two letters.

    And without figures, such as the marks of notes.
    """
    letters = word.lower().translate(_LETTERS_FOR)
    pairs_read = letters.replace("vv", "w").replace("rn", "m").replace("cl", "d")
    return letters, pairs_read, _DIGITS.sub("", word.lower()).translate(_LETTERS_FOR)


def garbled(word: str) -> str:
    """A word with one mark for each run of letters beyond ASCII, however they were decoded."""
    return re.sub(f"{_NOT_ASCII}+", "?", word.lower())


NameSpan: TypeAlias = tuple[
    int, int, Collection[str]
]  # start, end, labels of the names that it may be


class NameFinder:
    """Finds names.

    Args:
        forms: How they are known.
        literal: Names of files and folders as they are, with the label of each.
    """

    def __init__(self, forms: NameForms, literal: Mapping[str, str]) -> None:
        self._forms = forms
        self._literal: dict[str, list[tuple[str, str]]] = {}
        for name, label in sorted(literal.items(), key=lambda item: (-len(item[0]), item[0])):
            words = list(words_in(name))
            if words:
                self._literal.setdefault(words[-1].folded, []).append((name, label))
        telling = forms.telling()
        self._telling = _Names(_by_skeleton(telling))
        misread: dict[str, set[str]] = {}
        for name, labels in telling.items():
            for letters in _as_scanned(name) if name.isascii() else ():
                misread.setdefault(letters, set()).update(labels)
        self._misread = _Names(misread)
        self._garbled = _Names(
            {
                name: set().union(*(telling[word] for word in words if word in telling))
                for name, words in forms.garbled.items()
                if not telling.keys().isdisjoint(words)
            }
        )
        self._romanised, self._latin = (
            _Names(
                {
                    heard: labels
                    for name, labels in telling.items()
                    for heard in sounds(name)
                    if (may_be_romanised(name) if is_romanised else name < LATIN_END)
                }
            )
            for is_romanised in (True, False)
        )
        self._separate_words = _by_skeleton(forms.separate_words())
        self._joinable = {**forms.unparted, **telling}
        self._begins = {name[:2] for name in self._joinable}
        self._ends = {name[-2:] for name in self._joinable}
        # A number that is another one backwards belongs to the person who has it as written.
        self._personal = {
            number[::step].lstrip("0"): labels
            for step in (-1, 1)
            for number, labels in forms.numbers.items()
        }
        unspaced = {skeleton(name).letters: labels for name, labels in forms.unspaced.items()}
        self._unspaced = _Names(unspaced, LEAST_UNSPACED)

    def spans(self, text: str, author: str = "") -> list[Withheld]:
        """The spans of a text that are not shown, in its order, without overlaps.

        Args:
            text: The text.
            author: The label of its author, who is meant where several people have the same name.
        """
        words = list(words_in(text))
        name_spans = chain(
            self._addresses(text),
            ((*match.span(), {PATH}) for match in PATHS.finditer(text)),
            self._files(text, words),
            self._names(text, words),
            self._in_other_script(words),
            self._shortened(text, words),
            self._in_skeletons(text),
        )
        spans = (Withheld(start, end, _shown(labels, author)) for start, end, labels in name_spans)
        return list(_apart(spans))

    def words(self, text: str) -> str:
        """A text with labels instead of names."""
        shown, position = [], 0
        for span in self.spans(text):
            shown += [text[position : span.start], span.label]
            position = span.end
        return "".join([*shown, text[position:]])

    def _addresses(self, text: str) -> Iterator[NameSpan]:
        for match in ADDRESSES.finditer(text):
            local = re.split("[@＠]", match[0])[0]
            labels = self._labels_of([word.folded for word in words_in(local)])
            yield *match.span(), labels or {ADDRESS}

    def _labels_of(self, words: Sequence[str]) -> Collection[str]:
        """Whose an address is; none where that is not sure."""
        joined = self._forms.joined.get("".join(words), set())
        if joined:
            return joined
        known = (self._forms.labels.get(word) for word in words if self._forms.is_strong(word))
        strong = [labels for labels in known if labels]
        return set.intersection(*strong) if strong else ()

    def _files(self, text: str, words: Sequence[Word]) -> Iterator[NameSpan]:
        for word in words:
            for name, label in self._literal.get(word.folded, ()):
                last = name.casefold().rfind(text[word.start : word.end].casefold())
                start = word.start - last
                same = text[max(start, 0) : start + len(name)].casefold() == name.casefold()
                if start >= 0 and last >= 0 and same:
                    around = text[start - 1 : start] + text[start + len(name) :][:1]
                    if not any(character.isalnum() for character in around):
                        yield start, start + len(name), {label}
                        break

    def _numbers(self, read: Skeleton) -> Iterator[NameSpan]:
        if not self._personal:
            return
        letters = _LETTER_AS_DIGIT.sub(lambda match: match[0].translate(_DIGITS_FOR), read.letters)
        for match in _NUMBER.finditer(letters):
            pieces = list(_DIGITS.finditer(letters, *match.span()))
            ascii_digits = [digits_of(piece[0]) for piece in pieces]
            for first, last in combinations(range(len(pieces) + 1), 2):
                number = "".join(ascii_digits[first:last]).lstrip("0")
                if number in self._personal:
                    span = read.span(pieces[first].start(), pieces[last - 1].end())
                    yield *span, self._personal[number]

    def _in_other_script(self, words: Sequence[Word]) -> Iterator[NameSpan]:
        """Names as another script writes them: Ковальчик, where Kowalczyk is known."""
        for word in words:
            names = self._romanised
            if may_be_romanised(max(word.folded)):
                names = self._latin
            name = names.begins(sound(word.folded)) if names else ""
            if name:
                yield word.start, word.end, names.labels[name]

    def _in_skeletons(self, text: str) -> Iterator[NameSpan]:
        has_unspaced = bool(self._unspaced and UNSPACED.search(text))
        if self._telling or self._separate_words or self._personal or has_unspaced:
            for read in readings(text):
                yield from self._numbers(read)
                yield from self._disguised(text, read)
                yield from self._in_unspaced(read) if has_unspaced else ()
            yield from self._cut(text)
            yield from self._misspelt(text)

    def _disguised(self, text: str, read: Skeleton) -> Iterator[NameSpan]:
        """Names that no word spells plainly: within other words, in parts, in other letters.

        The word around them is withheld with them.
        """
        letters = read.letters
        for match in _LETTERS.finditer(letters) if self._separate_words else ():
            labels = self._separate_words.get(match[0])
            if labels:
                start, end = read.span(*match.span())
                is_plain = text[start:end].isalpha() and folded(text[start:end]) == match[0]
                if not is_plain or match[0] not in self._forms.labels:
                    yield start, end, labels
        reached = 0
        for offset in range(len(letters) - LEAST_TELLING + 1):
            name = self._telling.begins(letters, offset) if offset >= reached else ""
            if not name:
                continue
            is_start = offset == 0 or not letters[offset - 1].isalpha()
            if is_start or len(name) > LEAST_TELLING:
                start, reached = offset, offset + len(name)
                while start > 0 and letters[start - 1].isalnum():
                    start -= 1
                while reached < len(letters) and letters[reached].isalnum():
                    reached += 1
                yield *read.span(start, reached), self._telling.labels[name]

    def _misspelt(self, text: str) -> Iterator[NameSpan]:
        """Names as a scanner misreads them, and as a wrong encoding shows them."""
        for match in _MISREAD.finditer(text) if self._misread else ():
            name = "" if self._is_ordinary(match[0]) else self._name_scanned(match[0])
            if name:
                yield *match.span(), self._misread.labels[name]
        for match in _MASKED.finditer(text) if self._telling else ():
            hidden = len(match[2]) if match[2].strip(_IN_CODE) == "" else None
            labels = self._telling.around(folded(match[1]), folded(match[3]), hidden)
            if labels:
                yield *match.span(), labels
        for match in _WRONGLY_READ.finditer(text) if self._garbled else ():
            letters = garbled(match[0])
            name = self._garbled.begins(letters) or self._garbled.begins(letters.lstrip("?"))
            if name and not self._is_rightly_read(match[0], match["word"]):
                end = match.end() if name.endswith("?") else match.end("word")
                yield match.start(), end, self._garbled.labels[name]

    def _is_ordinary(self, word: str) -> bool:
        """Whether only the letters of a word speak for a name, and the texts use the word.

        A word in lower case is itself a use: there must be a second one.
        """
        letters, is_use = word.lower(), word.islower()
        return word.isalpha() and any(
            self._forms.are_words([letters[:end]], elsewhere=is_use)
            for end in self._forms.lengths
            if end >= LEAST_TELLING
        )

    def _name_scanned(self, word: str) -> str:
        for letters in _as_scanned(word):
            for offset in range(len(letters) - LEAST_TELLING + 1):
                name = self._misread.begins(letters, offset)
                if name and (not offset or len(name) > LEAST_TELLING):
                    return name
        return ""

    def _is_rightly_read(self, shown: str, word: str) -> bool:
        """Möller is no Müller: it has other letters, and as many. A "note?" is no Noté."""
        read = shown if shown.isalpha() else word
        return (
            not read.isascii()
            and read.isalpha()
            and folded(read).isascii()
            and len(read) == len(garbled(read))
        ) or self._forms.are_words([garbled(word).strip("?")])

    def _shortened(self, text: str, words: Sequence[Word]) -> Iterator[NameSpan]:
        """Initials, and beginnings of names in one word."""
        for word in words:
            is_account = text[word.start - 1 : word.start] in {"@", "~"}
            labels: Collection[str] = self._forms.glued(word.folded, is_account=is_account)
            if labels and not self._forms.is_word(word.folded):
                number = _DIGITS.match(text, word.end)  # annakowal99
                yield word.start, number.end() if number else word.end, labels
        for match in _INITIALS.finditer(text) if self._forms.initials else ():
            letters = "".join(filter(str.isalpha, match[0]))
            initials = folded(letters)
            labels = self._forms.initials.get(initials, ())
            is_capital = letters.isupper() and not _ABBREVIATION.fullmatch(initials)
            if labels and is_capital and self._are_alone(text, *match.span()):
                yield *match.span(), labels

    def _are_alone(self, text: str, start: int, end: int) -> bool:
        """Whether initials stand for a name: not after "the" or "Smith,", nor before "Smith"."""
        before = _CAPITAL_BEFORE.search(text[max(start - LONGEST_BESIDE, 0) : start])
        after = _WORD_AFTER.match(text, end, end + LONGEST_BESIDE)
        # Before initials "that" is no determiner: it says what A.K. did.
        if before and is_determiner(folded(before[1])) and folded(before[1]) != "that":
            return False
        beside = [match[1] for match in (before, after) if match]
        return not any(
            word[0].isdigit()
            or (
                word[0].isupper()
                and folded(word) not in self._forms.labels
                and not is_function_word(folded(word))
            )
            for word in beside
        )

    def _cut(self, text: str) -> Iterator[NameSpan]:
        """Names from the beginning of a word on that a sign or a line end cuts in two: Kowal-czyk.

        A line end may also part two words: black, wood.
        """
        for match in _CUT.finditer(text):
            read = skeleton(match[0])
            offsets = [
                offset
                for offset, letter in zip(read.starts, read.letters, strict=True)
                if letter != " "
            ]
            letters = read.letters.replace(" ", "")
            for start, offset in enumerate(offsets):
                is_start = start == 0 or offset > offsets[start - 1] + 1
                name = self._telling.begins(letters, start) if is_start else ""
                if name:
                    end = start + len(name)
                    while end < len(offsets) and offsets[end] == offsets[end - 1] + 1:
                        end += 1
                    shown = match[0][offset : offsets[end - 1] + 1]
                    parts = shown.split()
                    if len(parts) == 1 or not self._forms.are_words(map(folded, parts)):
                        begins = match.start() + offset
                        yield begins, begins + len(shown), self._telling.labels[name]

    def _in_unspaced(self, read: Skeleton) -> Iterator[NameSpan]:
        reached = 0
        for offset in range(len(read.letters) - LEAST_UNSPACED + 1):
            name = self._unspaced.begins(read.letters, offset) if offset >= reached else ""
            if name:
                reached = offset + len(name)
                yield *read.span(offset, reached), self._unspaced.labels[name]

    def _names(self, text: str, words: Sequence[Word]) -> Iterator[NameSpan]:
        index = 0
        while index < len(words):
            labels = self._part(text, words[index])[1]
            run = self._run(text, words, index) if labels else []
            if run and self._is_name(text, words, index, run):
                labels = set.intersection(*(labels for _, _, labels in run))
                yield words[index].start, words[run[-1][0]].end, labels
                index = run[-1][0]
            elif index + 1 < len(words):
                joined = self._joined(text, words, index)
                if joined:
                    yield words[index].start, words[joined[0]].end, joined[1]
                    index = joined[0]
            index += 1

    def _run(self, text: str, words: Sequence[Word], first: int) -> list[tuple[int, str, set[str]]]:
        """Words from an index on that belong to one name: the index, form and labels of each."""
        run: list[tuple[int, str, set[str]]] = []
        labels: set[str] = set()
        index = first
        while index < len(words):
            if run and not _BETWEEN.fullmatch(text[words[index - 1].end : words[index].start]):
                break
            part, part_labels = self._part(text, words[index])
            both = part_labels & labels if run else part_labels
            if both and part not in [earlier_part for _, earlier_part, _ in run]:
                run.append((index, part, part_labels))
                labels = both
            elif not run or words[index].end - words[index].start > 1:
                break  # a single letter is that of a second name
            index += 1
        return run

    def _part(self, text: str, word: Word) -> tuple[str, set[str]]:
        """The part of a name that a word is, and of whom it may be."""
        for spelling in spellings(text[word.start : word.end]):
            labels = self._forms.labels.get(spelling) or self._forms.joined.get(spelling)
            if labels:
                return spelling, labels
        return word.folded, set()

    def _is_name(
        self, text: str, words: Sequence[Word], first: int, run: Sequence[tuple[int, str, set[str]]]
    ) -> bool:
        forms, parts = self._forms, {part for _, part, _ in run}
        if len(parts) == 1 and not forms.may_stand_alone(*parts):
            return False
        if any(forms.is_strong(part) or part in forms.joined for part in parts):
            return True
        shown = [text[words[number].start : words[number].end] for number, _, _ in run]
        if not all(
            word[0] == word[0].casefold() == word[0].upper() or word[0].isupper() for word in shown
        ):
            return False  # words of the language that names have, too: "mark", "will"
        labels = set.intersection(*(part_labels for _, _, part_labels in run))
        names = [name for label in labels for name in forms.word_sets[label]]
        if len(parts) > 1 and max(map(len, parts)) > 1:
            return any(name <= parts for name in names) or all(map(self._is_distinctive, parts))
        return (
            parts <= forms.people
            and self._is_distinctive(*parts)
            and _stands_out(text, words, first)
        )

    def _is_distinctive(self, part: str) -> bool:
        return not self._forms.is_word(part) or part in self._forms.people

    def _joined(self, text: str, words: Sequence[Word], index: int) -> tuple[int, set[str]] | None:
        """Words that joined are a name: Ada Lovelace, where "lovelaceada" is known.

        Or parts of a name, as a page with spaced letters has them: Kowal czyk, Ko wa lc zy k.
        """
        first = words[index].folded
        if first[:2] not in self._begins and first[-2:] not in self._ends:
            return None
        most = MOST_PIECES if len(first) <= LONGEST_PIECE else MOST_PARTED
        for count in range(most, 1, -1):
            joinable = words[index : index + count]
            parts = [word.folded for word in joinable]
            are_many = count > MOST_PARTED
            if len(joinable) < count or (are_many and max(map(len, parts)) > LONGEST_PIECE):
                continue
            if any(
                not _BETWEEN.fullmatch(text[word.end : two.start])
                for word, two in pairwise(joinable)
            ):
                continue
            for turn in range(count):
                joined = "".join(parts[turn:] + parts[:turn])
                is_name = joined in self._forms.unparted and self._forms.is_strong(joined)
                is_apart = joined in self._joinable and not turn
                if is_name or (is_apart and not self._forms.are_words(parts, elsewhere=are_many)):
                    return index + count - 1, self._joinable[joined]
        return None


def _by_skeleton(names: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Names as they are read, in lower case and with capitals, which look like other letters."""
    return {
        skeleton(written).letters: labels
        for name, labels in names.items()
        for written in dict.fromkeys((name, name.title(), name.upper()))
    }


class _Names:
    """Names of so many letters at least, looked up by these: the longest one first.

    Attributes:
        labels: What stands for each.
    """

    def __init__(self, labels: Mapping[str, set[str]], least: int = LEAST_TELLING) -> None:
        self.labels = {name: label for name, label in labels.items() if len(name) >= least}
        self._least = least
        self._by_begin: dict[str, list[str]] = {}
        self._by_first: dict[str, list[str]] = {}
        for name in sorted(self.labels, key=len, reverse=True):
            self._by_begin.setdefault(name[:least], []).append(name)
            self._by_first.setdefault(name[0], []).append(name)

    def __bool__(self) -> bool:
        return bool(self.labels)

    def begins(self, letters: str, offset: int = 0) -> str:
        """The name that begins at an offset; "" for none."""
        names = self._by_begin.get(letters[offset : offset + self._least])
        if not names:  # nearly always
            return ""
        return next((name for name in names if letters.startswith(name, offset)), "")

    def around(self, begins: str, ends: str, hidden: int | None) -> Collection[str]:
        """The labels of a name with this begin and end, and `hidden` letters between; None: any."""
        shown = len(begins) + len(ends)
        for name in self._by_first.get(begins[0], ()) if shown >= LEAST_TELLING else ():
            is_as_long = len(name) > shown if hidden is None else len(name) == shown + hidden
            if is_as_long and name.startswith(begins) and name.endswith(ends):
                return self.labels[name]
        return ()


def _stands_out(text: str, words: Sequence[Word], index: int) -> bool:
    """Whether a capital is that of a name: within a sentence, or in a line of a few words."""
    word = words[index]
    start = text.rfind("\n", 0, word.start) + 1
    end = text.find("\n", word.end)
    line = text[start : len(text) if end < 0 else end]
    if len(line.split()) <= SHORT_LINE:
        return True
    shown = text[word.start : word.end]
    if len(shown) > 1 and shown.isupper():
        return False
    return not _ENDS_A_SENTENCE.search(text[max(start, word.start - 20) : word.start])


def _shown(labels: Iterable[str], author: str) -> str:
    shown_labels = sorted(
        {author} & set(labels) or set(labels), key=lambda label: (len(label), label)
    )
    more = "/…" if len(shown_labels) > MOST_LABELS else ""
    return "/".join(shown_labels[:MOST_LABELS]) + more


def _apart(spans: Iterable[Withheld]) -> Iterator[Withheld]:
    """Spans without overlaps: of two that overlap the longer one's label stands for both."""
    last: Withheld | None = None
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if last is None or span.start >= last.end:
            if last is not None:
                yield last
            last = span
        else:
            longer = max(last, span, key=lambda both: both.end - both.start)
            last = Withheld(last.start, max(last.end, span.end), longer.label)
    if last is not None:
        yield last
