"""A report with labels instead of names.

Which words of names are words of the language, by how texts use them.

A name is written in lower case now and then, a word mostly; and a word follows "the", "this", "our"
where it has a capital: the Terms, die Hausarbeit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, pairwise
from pathlib import PurePosixPath
from urllib.parse import unquote

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.base.messages import N_
from core.base.patterns import lazy_pattern
from core.base.tasks import Progress, stop_if_cancelled
from core.documents.model import Document, DocumentKey, Problem
from core.documents.submissions import person_in
from core.evidence.pairs import Pairs
from core.evidence.passage import Passage, SharedText
from core.evidence.shared_words import SharedWords
from core.reports.model import Report
from core.reports.pseudonyms import name_search, word_forms
from core.reports.pseudonyms.author_names import HeadName, author_names_in, is_of_documents
from core.reports.pseudonyms.key import NameKey
from core.reports.shown_text import NamesInTexts, Withheld
from core.scan.audit_results import KeptAudit
from core.scan.groups import Group, Member
from core.scan.judgements import Judgements, PassageJudgement
from core.scan.passage_list import JudgedPassage
from core.scan.shared_mistakes import Slip

NEIGHBOURS = 3  # different words beside which a word of the language stands in lower case
MANY_NEIGHBOURS = 10  # as many, and it need not be in lower case most of the time
AFTER_DETERMINERS = 3  # times that it follows a determiner, and the number of different ones
SHARE_AFTER = 10  # at least one of so many times
ENDING = 3  # letters of an ending: amend, amended
IN_TEXTS = 3  # of a word without spaces
_WITHIN_LINES = lazy_pattern(r"(?<=[\w,;] )[^\W\d_]+(?=[ .,;:!?])")


class WordUse:
    """How texts use the words of names, and words that may be made of these.

    Addresses, also of pages, and paths are left out: they are all in lower case.

    Attributes:
        language: The words that are of the language.
        within_lines: All that stand in lower case within a line, folded.
        repeated: All that stand in lower case between other words, too: also the first or last word
            of a passage and of its copy are one use.
    """

    def __init__(self, forms: name_search.NameForms, texts: Sequence[str]) -> None:
        self._small, self._capital = Counter[str](), Counter[str]()
        self._after: dict[str, list[str]] = {}
        self._beside: dict[str, set[str]] = {}
        self._lower: dict[str, tuple[str, str]] = {}  # with the words around the first
        self.repeated: set[str] = set()
        self._within = Counter[str]()
        self._words, self._glued = forms.words, forms.glued
        self._unspaced = Counter[str]()
        unspaced = {word for word in self._words if word_forms.UNSPACED.fullmatch(word)}
        lengths = {len(word) for word in unspaced if len(word) <= name_search.LONGEST_UNSPACED}
        for text in texts:
            self._read(
                name_search.URLS.sub(
                    " ", name_search.PATHS.sub(" ", name_search.ADDRESSES.sub(" ", text))
                )
            )
            for length in lengths:
                grams = {text[at : at + length] for at in range(len(text) - length + 1)}
                self._unspaced.update(unspaced & grams)
        self.language = {*filter(self._is_of_language, {*self._small, *self._after})}
        self.language.update(word for word, count in self._unspaced.items() if count >= IN_TEXTS)
        self.within_lines = {word for word, count in self._within.items() if count > 0}

    def _read(self, text: str) -> None:
        within = [match for match in _WITHIN_LINES.finditer(text) if match[0].islower()]
        for match in within:
            self._within[word_forms.folded(match[0])] += 1
        for match, after in pairwise(within):
            cut = word_forms.folded(match[0]), word_forms.folded(after[0])
            if match.end() + 1 == after.start() and "".join(cut) in self._words:
                self._within.subtract(cut)  # a name cut in two is no use of two words
        self._read_words(text)

    def _read_words(self, text: str) -> None:
        words = [
            ("", ""),
            *(
                (word_match.folded, text[word_match.start : word_match.end])
                for word_match in word_forms.words_in(text)
            ),
        ]
        for (before, _), (word, shown), (after, _) in zip(
            words, words[1:], [*words[2:], ("", "")], strict=False
        ):
            is_small = shown.islower()
            if is_small:
                first_before, first_after = self._lower.setdefault(word, (before, after))
                if before != first_before and after != first_after:
                    self.repeated.add(word)
            name = self._name_in(word)
            if not name:
                continue
            (self._small if is_small else self._capital)[name] += 1
            if is_small:
                neighbours = {before, after} - self._words
                if name not in self._words:  # it may be an account, which stands beside any word
                    neighbours = set(filter(word_forms.is_function_word, neighbours))
                self._beside.setdefault(name, set()).update(neighbours)
            if word_forms.is_determiner(before):
                self._after.setdefault(name, []).append(before)

    def _name_in(self, word: str) -> str:
        """The wanted word that a word is, perhaps with an ending; "" for none."""
        if word in self._words or self._glued(word):
            return word
        for end in range(len(word) - 1, max(len(word) - ENDING, name_search.LEAST_TELLING) - 1, -1):
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
        """Whether a word may be one of the language, on less evidence than `language` demands."""
        is_used = self._small[word] or self._after.get(word) or word in self._lower
        return word in self.language or (
            bool(is_used) and 2 * self._small[word] >= self._capital[word]
        )

    def is_in_lower_case(self, word: str) -> bool:
        """Whether a text has a folded word in lower case."""
        return word in self._lower

    def names(self, authors: Iterable[HeadName], documents: int) -> set[HeadName]:
        """The lines in heads of documents that are names.

        A line that only looks like a name is none where a word of it may be one of the language,
        or where many documents begin with it.
        """
        many = max(MANY_DOCUMENTS, documents // FEW)
        names: set[HeadName] = set()
        for name, count in Counter(authors).items():
            words = [*map(word_forms.folded, word_forms.parts_of(name.name))]
            if name.is_stated:
                is_name = not words or any(word not in self.language for word in words)
            else:
                is_name = count <= many and not any(map(self.may_be_of_language, words))
            if is_name:
                names.add(name)
        return names


MANY_DOCUMENTS = 5  # documents that begin with a line, and one in so many:
FEW = 20


def words_left(forms: name_search.NameForms, texts: Iterable[str]) -> list[str]:
    """Words of names that texts write with a capital, and that stay where they stand alone."""
    left = {
        word.folded: text[word.start : word.end]
        for text in texts
        for word in word_forms.words_in(text)
        if word.folded in forms.labels
        and text[word.start].isupper()
        and forms.stays_alone(word.folded)
    }
    return sorted(left.values(), key=str.casefold)


MOST_ALIKE = 4  # words of a line that looks like a name


def nearly_names(names: Collection[str]) -> Callable[[str], bool]:
    """Tells of words whether they are names but for a letter, or begin names: Kowalcyzk, Kowalcz.

    They may be other names, and words: Martin is no Martinez.

    Args:
        names: Folded, of at least `LEAST_TELLING` letters.
    """
    near = set(chain.from_iterable(map(_without_a_letter, names)))
    begins = {
        name[:end]
        for name in names
        for end in range(max(name_search.LEAST_TELLING, (len(name) + 1) // 2), len(name))
    }

    @cache
    def is_nearly_name(word: str) -> bool:
        is_long = len(word) >= name_search.LEAST_TELLING
        return word in begins or (is_long and not near.isdisjoint(_without_a_letter(word)))

    return is_nearly_name


def _without_a_letter(word: str) -> set[str]:
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}


def names_alike(
    text: str, use: WordUse, is_nearly_name: Callable[[str], bool]
) -> Iterable[tuple[int, int]]:
    """Where several words with capitals stand that no text has in lower case: John Stuart Mill.

    And words that are nearly names.
    """
    run: list[tuple[int, int]] = []
    for word in [*word_forms.words_in(text), None]:
        if word is not None:
            if is_nearly_name(word.folded) and word.folded not in use.repeated:
                yield word.start, word.end
            shown = text[word.start : word.end]
            is_part = (
                shown[0].isupper()
                and (len(shown) == 1 or not shown.isupper())
                and not (word_forms.is_function_word(word.folded) or is_of_documents(word.folded))
                and not use.is_in_lower_case(word.folded)
            )
            between = text[run[-1][1] : word.start] if run else ""
            if is_part and (not run or between in _BETWEEN):
                run.append((word.start, word.end))
                continue
        if 2 <= len(run) <= MOST_ALIKE and any(end - start > 2 for start, end in run):
            yield run[0][0], run[-1][1]
        run = [(word.start, word.end)] if word is not None and is_part else []


_BETWEEN = {" ", "-", ". ", "'", "’"}


def in_order_of_labels(report: Report) -> Report:
    """A report whose documents have labels, numbered by these; A of a pair is the lower label.

    All numbers of pairs and passages stay; those of A and B are exchanged where A and B are.
    """
    return _Renumbering(report).report()


class _Renumbering:
    def __init__(self, report: Report) -> None:
        self._before = report
        names = [document.name for document in report.documents]
        self._old = sorted(
            range(len(names)), key=lambda number: (len(names[number]), names[number])
        )
        self._new = np.empty(len(names), dtype=np.int32)
        self._new[self._old] = np.arange(len(names), dtype=np.int32)

    def report(self) -> Report:
        before, old = self._before, self._old
        a, b = self._new[before.pairs.a], self._new[before.pairs.b]
        exclusions = {self._number(number): spans for number, spans in before.set_aside.items()}
        return replace(
            before,
            documents=[before.documents[number] for number in old],
            pairs=_turned(before.pairs.with_columns(a=a, b=b), a > b),
            problems=sorted(before.problems, key=lambda problem: (len(problem.name), problem.name)),
            unlisted=sorted(map(self._pair, before.unlisted)),
            groups=[self._group(group) for group in before.groups],
            set_aside=dict(sorted(exclusions.items())),
            choice=replace(
                before.choice, documents=tuple(map(self._number, before.choice.documents))
            ),
            text_of=lambda number: before.text_of(old[number]),
            file_properties=before.file_properties and before.file_properties.in_order(old),
            withheld_in=lambda number: before.withheld_in(old[number]),
            passages_of=self._passages_of,
            find_judged=self._find_judged,
            find_reasons=self._find_reasons,
            find_spellings=self._find_spellings if before.find_spellings else None,
            find_overlaps=self._find_overlaps,
        )

    def _number(self, old: int) -> int:
        return int(self._new[old])

    def _pair(self, pair: tuple[int, int]) -> tuple[int, int]:
        a, b = map(self._number, pair)
        return min(a, b), max(a, b)

    def _group(self, group: Group) -> Group:
        members = (
            Member(self._number(of), score, self._sorted(copies))
            for of, score, copies in group.members
        )
        return Group(
            self._number(group.centre),
            self._sorted(group.copies),
            tuple(sorted(members, key=lambda member: (-member.score, member.document))),
            group.is_chosen,
        )

    def _sorted(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(map(self._number, numbers)))

    def _passages_of(self, a: int, b: int) -> SharedText:
        first, second = self._old[a], self._old[b]
        if first < second:
            return self._before.passages_of(first, second)
        shared = self._before.passages_of(second, first)
        return shared._replace(passages=_mirrored(shared.passages), overlap=shared.overlap.turned())

    def _find_judged(self) -> Sequence[JudgedPassage]:
        return [
            passage._replace(
                spans_by_document=dict(
                    sorted((self._number(of), at) for of, at in passage.spans_by_document.items())
                )
            )
            for passage in self._before.find_judged()
        ]

    def _find_reasons(
        self, pairs: Pairs, row: int, counted: Sequence[Passage] | None
    ) -> Sequence[str]:
        pair, turned = self._as_before(pairs.take(np.array([row])))
        oriented = _mirrored(counted) if counted and turned[0] else counted
        return self._before.find_reasons(pair, 0, oriented)

    def _find_spellings(self, a: int, b: int) -> Sequence[Slip]:
        find, both = self._before.find_spellings, sorted((self._old[a], self._old[b]))
        return find(*both) if find else ()

    def _find_overlaps(self, pairs: Pairs, progress: Progress) -> SharedWords:
        before, turned = self._as_before(pairs)
        words = self._before.find_overlaps(before, progress)
        return words._replace(
            overlap_a=np.where(turned, words.overlap_b, words.overlap_a),
            overlap_b=np.where(turned, words.overlap_a, words.overlap_b),
        )

    def _as_before(self, pairs: Pairs) -> tuple[Pairs, BoolArray]:
        """Pairs by the numbers that their documents had, and where A and B are exchanged."""
        old: Int64Array = np.array(self._old, dtype=np.int32)
        a, b = old[pairs.a], old[pairs.b]
        turned = np.asarray(a > b)
        return _turned(pairs.with_columns(a=a, b=b), turned), turned


def _turned(pairs: Pairs, turned: BoolArray) -> Pairs:
    """Pairs of which A and B are exchanged where a mask is true."""
    a, b = np.where(turned, pairs.b, pairs.a), np.where(turned, pairs.a, pairs.b)
    return pairs.turned(turned).with_columns(a=a, b=b)


def _mirrored(passages: Sequence[Passage]) -> list[Passage]:
    """Passages with A and B exchanged, in the order of the new A."""
    mirrored = (passage.turned() for passage in passages)
    return sorted(mirrored, key=lambda passage: (passage.a_start, passage.b_start))


WITHHELD = N_(
    "Names are withheld: labels as A-17 stand for names of files, folders and people, for numbers "
    "that people have, and for addresses, also where they stand in texts and notes. Who is meant, "
    "the key says, a file of its own. Names that no file, folder, reviewer or head of a document "
    "has cannot be known, nor can nicknames, misspelt and shortened names, most names in another "
    "script, names in a code, numbers in words, and names that are words of the language and stand "
    "alone; what a text tells may say whose it is. Words that are also in names may be replaced "
    "where no name is meant."
)
READ = 100  # texts that tell which words of names are words of the language
LONGEST_READ = 20_000  # characters of each
_NUMBER = lazy_pattern(r"(?<!\d)\d{5,20}(?!\d)")  # of a file name: who knows it knows the person


def withheld_report(report: Report, key: NameKey, of_interest: Sequence[int]) -> Report:
    """A report with labels instead of names.

    Args:
        report: With the names.
        key: Gets labels for names that have none yet.
        of_interest: Numbers of documents whose texts are shown.
    """
    return _Withholding(report, key, of_interest).report()


class _Withholding:
    def __init__(self, report: Report, key: NameKey, of_interest: Sequence[int]) -> None:
        self._report, self._key = report, key
        self._labels = _labels(report, key)
        self._folders = dict(zip(report.folders, key.folders(report.folders), strict=True))
        reviewers = sorted(_reviewers(report.judgements))
        self._reviewers = dict(zip(reviewers, key.reviewers(reviewers), strict=True))
        self._of_interest = of_interest
        known, authors = list(self._known()), author_names_in(report.documents, report.text_of)
        forms = name_search.NameForms([*known, *self._known_authors(authors)])
        self._use = WordUse(forms, self._read())
        names = self._use.names(chain(*authors), len(authors))
        self._forms = name_search.NameForms([*known, *self._known_authors(authors, names)])
        self._forms.learn(self._use.language, self._use.within_lines, self._use.repeated)
        self._finder = name_search.NameFinder(self._forms, self._literal())
        self._words = self._finder.words
        self._spans = cache(self._spans_in)

    def report(self) -> Report:
        before = self._report
        return replace(
            before,
            folders=[self._folders[folder] for folder in before.folders],
            documents=[self._document(document) for document in before.documents],
            problems=[self._problem(problem) for problem in before.problems],
            notes=[WITHHELD, *map(self._words, before.notes)],
            shown=self._words(before.shown),
            judgements=self._judgements(before.judgements),
            find_judged=self._find_judged,
            rules=replace(
                before.rules,
                phrases=tuple(
                    phrase._replace(text=self._words(phrase.text))
                    for phrase in before.rules.phrases
                ),
            ),
            log=(),  # it identifies texts by their hashes, and has the notes
            withheld_in=self._spans,
            find_names=self._find_names,
            hash_of=self._key.hash_of,
        )

    def _read(self) -> list[str]:
        """Texts that show which words are of the language: those of interest, and a sample."""
        count = len(self._report.documents)
        sample = range(0, count, max(count // READ, 1))
        numbers = list(dict.fromkeys((*self._of_interest, *sample)))[:READ]
        return [self._report.text_of(number)[:LONGEST_READ] for number in numbers]

    def _known_authors(
        self, authors: Sequence[Sequence[HeadName]], usable: Collection[HeadName] | None = None
    ) -> Iterator[name_search.Known]:
        """The names in heads, all or the usable ones, with the labels of their documents."""
        for document, names in zip(self._report.documents, authors, strict=True):
            label = self._labels[document.name].partition(" (")[0]
            for name in names:
                if usable is None or name in usable:
                    yield name_search.Known(label, name.name, is_person=True, numbers=name.numbers)

    def _find_names(self) -> NamesInTexts:
        replaced, alike = Counter[tuple[str, str]](), Counter[str]()
        texts = [self._report.text_of(number) for number in self._of_interest]
        is_nearly_name = nearly_names(self._forms.telling())
        for number, text in zip(self._of_interest, texts, strict=True):
            stop_if_cancelled()
            spans = self._spans(number)
            replaced.update((_line(text[span.start : span.end]), span.label) for span in spans)
            cuts = [0, *(cut for span in spans for cut in (span.start, span.end)), len(text)]
            rest = "\n".join(
                text[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True)
            )
            looks_alike = names_alike(rest, self._use, is_nearly_name)
            alike.update(_line(rest[start:end]) for start, end in looks_alike)
        return NamesInTexts(
            [(*replacement, count) for replacement, count in replaced.most_common()],
            words_left(self._forms, texts),
            alike.most_common(),
        )

    def _spans_in(self, document: int) -> Sequence[Withheld]:
        name = self._report.documents[document].name
        person = self._labels[name].partition(" (")[0]
        return self._finder.spans(self._report.text_of(document), person)

    def _known(self) -> Iterator[name_search.Known]:
        """All names, each with the label that stands for it."""
        for document in self._report.documents:
            label = self._labels[document.name]
            yield from self._known_file(document.name, label)
            of_person = label.partition(" (")[0]
            if person := name_search.person_of_folder(document):
                yield name_search.Known(of_person, person, is_person=True)
            for member in document.members:
                yield name_search.Known(of_person, _stem(member.name))
        for problem in self._report.problems:
            yield from self._known_file(problem.name, self._labels[problem.name])
        for name, label in self._folders.items():
            yield name_search.Known(label, name)
        for name, label in self._reviewers.items():
            yield name_search.Known(label, name, is_person=True)

    def _known_file(self, name: str, label: str) -> Iterator[name_search.Known]:
        *folders, last = name.split("/")
        person = name_search.person_named_in(name)
        if person:
            short_label = label.partition(" (")[0]
            yield name_search.Known(
                short_label, person.name, is_person=True, numbers=person.numbers
            )
        if not person_in(last):
            yield name_search.Known(label, _stem(last), numbers=tuple(_NUMBER.findall(last)))
        inner = [step for step in folders if not person_in(step)]
        for step, folder in zip(inner, self._key.folders(inner), strict=True):
            yield name_search.Known(folder, step)

    def _literal(self) -> dict[str, str]:
        """Names of files and folders as they are written, each with its label."""
        labels: dict[str, str] = {}
        for name, label in self._labels.items():
            *folders, last = name.split("/")
            for step in folders:
                step_label = (
                    label.partition(" (")[0] if person_in(step) else self._key.folders([step])[0]
                )
                labels.setdefault(f"{step}/", step_label)
            labels[name] = label
            if "." in last:
                labels.setdefault(last, label)
        for document in self._report.documents:
            for member in document.members:
                labels.setdefault(member.name, self._labels[document.name])
                labels.setdefault(member.name.rpartition("/")[2], self._labels[document.name])
        return labels

    def _document(self, document: Document) -> Document:
        label = self._labels[document.name]
        members = (
            member._replace(name=f"{label} ({number})")
            for number, member in enumerate(document.members, start=1)
        )
        return document._replace(
            location=label,
            name=label,
            modified_ns=0,  # whoever has the files knows them by a date
            part="",
            remarks=tuple(map(self._words, document.remarks)),
            members=tuple(members),
        )

    def _problem(self, problem: Problem) -> Problem:
        return problem._replace(name=self._labels[problem.name], detail=self._words(problem.detail))

    def _judgements(self, judgements: Judgements) -> Judgements:
        who = self._reviewers | {"": ""}
        return judgements._replace(
            verdicts={
                key: verdict._replace(who=who[verdict.who])
                for key, verdict in judgements.verdicts.items()
            },
            notes={
                key: note._replace(who=who[note.who], note=self._words(note.note))
                for key, note in judgements.notes.items()
            },
            passages={
                key: self._judged_passage(passage) for key, passage in judgements.passages.items()
            },
            audit=judgements.audit and self._audit(judgements.audit),
        )

    def _audit(self, kept: KeptAudit) -> KeptAudit:
        documents = (
            DocumentKey(document.text, document.file, self._labels[document.name])
            for document in kept.documents
        )
        return kept._replace(
            documents=tuple(documents), who=self._reviewers.get(kept.who, kept.who)
        )

    def _find_judged(self) -> Sequence[JudgedPassage]:
        return [
            passage._replace(judgement=self._judged_passage(passage.judgement))
            for passage in self._report.find_judged()
        ]

    def _judged_passage(self, judgement: PassageJudgement) -> PassageJudgement:
        return judgement._replace(
            who=self._reviewers.get(judgement.who, ""), text=self._words(judgement.text)
        )


def _labels(report: Report, key: NameKey) -> dict[str, str]:
    """The labels of all files by their names; an audit may name files that are gone."""
    people = {of.name: name_search.person_of_folder(of) for of in report.documents}
    audit = report.judgements.audit
    further = [problem.name for problem in report.problems]
    further += [document.name for document in audit.documents] if audit else []
    for name in further:
        people.setdefault(name, "")
    for name in people:
        if person := name_search.person_named_in(name):
            people[name] = f"{person.name} ({person.numbers[0]})"
    return dict(zip(people, key.files(people.items()), strict=True))


def _reviewers(judgements: Judgements) -> set[str]:
    given: Iterable[str] = (
        judgement.who
        for every in (judgements.verdicts, judgements.notes, judgements.passages)
        for judgement in every.values()
    )
    return {*given, judgements.audit.who if judgements.audit else ""} - {""}


def _line(text: str) -> str:
    """On one line."""
    return " ".join(text.split())


def _stem(name: str) -> str:
    """The name of a file without its ending, also as a browser writes it: Ada%20Lovelace.txt."""
    return PurePosixPath(unquote(name.rpartition("/")[2]).replace("/", " ")).stem
