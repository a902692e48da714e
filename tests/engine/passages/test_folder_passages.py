"""The passages of a whole folder, and in how many documents some words stand."""

import random
from collections import defaultdict

import numpy as np
import pytest

from core import passages
from core.base.tasks import cancelled_by
from core.errors import ScanCancelledError, StorageError
from core.passages import Folder, find_holders, find_shared_passages
from core.settings import ScanSettings
from core.signatures.winnowing import winnow
from core.text.set_aside import GAP, SetAside, merged
from core.text.shingling import tokenise
from core.text.store import TextStore
from core.text.word_counts import WORD, usual_weight, weight_table

TWO_WORDS = ScanSettings()


def store_of(texts, set_aside=()):
    store = TextStore()
    store.extend(texts)
    store.exclude_spans(dict(set_aside))
    return store


def held(store, document, passages, pool, settings=TWO_WORDS, copies=None, row=3, **options):
    if copies is None:
        copies = np.ones(len(store), dtype=np.int64)
    return find_holders(store, document, passages, row, settings, copies, pool, **options)


def counts(store, document, spans, pool, **options):
    """In how many documents each span stands from its beginning to its end."""
    holders = held(store, document, [[span] for span in spans], pool, row=10000, **options)
    return [held_passage.documents for held_passage in holders]


def rows_of(words, length):
    return [tuple(words[i : i + length]) for i in range(len(words) - length + 1)]


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_counted_as_a_person_would(seed, pool):
    rng = random.Random(seed)
    texts = [" ".join(rng.choices("abc", k=rng.randrange(1, 60))) for _ in range(30)]
    document = rng.randrange(30)
    letters = texts[document].split()
    bounds = [sorted(rng.choices(range(len(letters) + 1), k=2)) for _ in range(9)]
    row = rng.randrange(1, 9)
    # A letter and a space take turns.
    spans = [(2 * first, max(2 * end - 1, 2 * first)) for first, end in bounds]
    passages = [spans[:1], spans[1:4], spans[4:]]

    holders_of_passages = held(store_of(texts), document, passages, pool, row=row)

    words = [text.split() for text in texts]
    for bounds_of_passage, holder in zip(
        [bounds[:1], bounds[1:4], bounds[4:]], holders_of_passages, strict=True
    ):
        parts = [letters[first:end] for first, end in bounds_of_passage]
        length = min(row, max(map(len, parts)))
        assert holder.row == length
        if not length:
            assert (holder.documents, sum(map(len, holder.counts))) == (0, 0)
            continue
        rows_of_texts = [{*rows_of(text, length)} for text in words]
        asked_rows = {row_of_words for part in parts for row_of_words in rows_of(part, length)}
        assert holder.documents == sum(not asked_rows.isdisjoint(rows) for rows in rows_of_texts)
        for part, by_word in zip(parts, holder.counts, strict=True):
            expected = [0] * len(part) if len(part) >= length else []
            for position, row_of_words in enumerate(rows_of(part, length)):
                for word in range(position, position + length):
                    expected[word] = max(
                        expected[word], sum(row_of_words in rows for rows in rows_of_texts)
                    )
            assert by_word.tolist() == expected


def test_words_are_the_same_whatever_is_between_them(pool):
    texts = ["x One two, three! y", "one\n\nTWO three", "one two four three", "two three one"]

    assert counts(store_of(texts), 0, [(2, 16), (6, 16)], pool) == [2, 3]


@pytest.mark.parametrize("unit", ["word", "char"])
def test_letters_of_scripts_without_spaces_are_words(unit, pool):
    texts = ["图书馆的书很多", "我去图书馆", "图书很多", "图 书 馆"]
    settings = ScanSettings(unit=unit)
    spans = [(0, 3), (0, 2), (0, 7)]

    assert counts(store_of(texts), 0, spans, pool, settings=settings) == [3, 4, 1]


def test_nothing_runs_over_text_that_is_set_aside(pool):
    texts = ["one two three four", "one two three four", "two three"]
    spans = {1: [SetAside(4, 7)]}

    assert counts(store_of(texts, spans), 0, [(0, 18), (8, 18), (4, 13)], pool) == [1, 2, 2]


def test_a_text_stands_for_its_copies_and_unused_ones_are_not_read(pool):
    class Unread(TextStore):
        def __getitem__(self, index):
            assert index != 1
            return super().__getitem__(index)

    store = Unread()
    store.extend(["one two three"] * 2 + ["one two four"])

    copies = np.array([2, 0, 1])
    assert counts(store, 0, [(0, 7), (0, 13)], pool, copies=copies) == [3, 2]


def test_a_run_of_many_words_ends_with_its_text(pool):
    text = " ".join(f"w{number}" for number in range(1000))
    texts = [text, text[:-1], f"{text} more", text[3:]]

    assert counts(store_of(texts), 0, [(0, len(text))], pool) == [2]


def test_the_count_can_be_cancelled(pool):
    with pytest.raises(ScanCancelledError):
        cancelled_by(lambda: True)(counts)(store_of(["one two"]), 0, [(0, 3)], pool)


LETTERS = "abcdefgh"
SETTINGS = [
    ScanSettings(k=2, min_passage=4),
    ScanSettings(k=1, min_passage=1),
    ScanSettings(k=4, min_passage=4),
    ScanSettings(k=3, min_passage=9),
    ScanSettings(unit="char", k=3, min_passage=2, keep_punctuation=False),
]


def folder_of(texts, settings, pool, set_aside=(), references=()):
    store = TextStore()
    store.extend(texts)
    store.exclude_spans(dict(set_aside))
    fingerprints = winnow(store.shingles(slice(None), settings), settings)
    known, first = {}, np.zeros(len(texts), dtype=np.int64)
    for number in range(len(texts)):
        first[number] = known.setdefault(tuple(units_of(store, number, settings)), number)
    copies = np.bincount(first, minlength=len(texts))
    reviewed = np.zeros(len(texts), dtype=np.bool_)
    reviewed[first[[number for number in range(len(texts)) if number not in references]]] = True
    return Folder(store, settings, fingerprints, copies, reviewed, pool)


def units_of(store, number, settings):
    spans = merged(store.set_aside.get(number, ()))
    return tokenise(store[number], settings, spans).values.tolist()


def weights_of(store, number, settings):
    spans = merged(store.set_aside.get(number, ()))
    tokens = tokenise(store[number], settings, spans)
    table = weight_table(settings.unit)
    unit_weights = [int(table[ord(store[number][start])]) for start in tokens.starts]
    return [weight or usual_weight(settings.unit) for weight in unit_weights]


def expected(folder, settings, documents, references):
    """The passages as the module says it: places by document, and how many hold each."""
    texts = [units_of(folder.texts, n, folder.settings) for n in range(documents)]
    weights = [weights_of(folder.texts, n, folder.settings) for n in range(documents)]
    run_at = all_runs(texts, weights, settings)
    runs = defaultdict(list)
    for position, run in run_at.items():
        runs[run].append(position)
    widened = {}
    for positions in runs.values():
        holders = {n for n, _ in positions}
        if len(holders) > 1 and holders - references:
            before, after = in_common(run_at, positions, -1), in_common(run_at, positions, 1)
            n, first = positions[0]
            size = before + after + len(run_at[n, first + after])
            text = tuple(texts[n][first - before : first - before + size])
            widened[text] = [(n, first - before, size) for n, first in positions]

    def order(spans_of_passage):
        n, first, size = spans_of_passage[0]
        weight = sum(weights[n][first : first + size])
        return -len({n for n, *_ in spans_of_passage}), -weight, spans_of_passage[0]

    shown, listed, least = set(), [], WORD * settings.passage_length
    for spans_of_passage in sorted(widened.values(), key=order):
        spans = [[(n, first + step) for step in range(size)] for n, first, size in spans_of_passage]
        fresh = [
            sum(weights[n][unit] for n, unit in span if (n, unit) not in shown) for span in spans
        ]
        if max(fresh) >= least:
            listed.append(
                (-order(spans_of_passage)[0], -order(spans_of_passage)[1] // WORD, spans_of_passage)
            )
            shown.update(unit for span in spans for unit in span)
    return listed


def all_runs(texts, weights, settings):
    """The run of units, just long enough for a passage, that begins at each place."""
    least, run_at = WORD * settings.passage_length, {}
    for number, units in enumerate(texts):
        for first in range(len(units)):
            end, weight = first, 0
            while end < len(units) and (weight < least or end < first + settings.k):
                weight += weights[number][end]
                end += 1
            if weight >= least and end >= first + settings.k and int(GAP) not in units[first:end]:
                run_at[number, first] = tuple(units[first:end])
    return run_at


def in_common(run_at, positions, step):
    """How many runs on one side all places have in common."""
    count = 0
    while True:
        neighbours = {run_at.get((n, first + step * (count + 1))) for n, first in positions}
        if len(neighbours) > 1 or None in neighbours:
            return count
        count += 1


def passages_in(folder, settings):
    passages = find_shared_passages(folder, settings)
    first = [
        next(n for n, copies in enumerate(folder.copies) if copies and n == occurrence.text)
        for occurrence in passages.first_occurrences()
    ]
    assert first == [occurrences[0].text for occurrences in passages]
    return list(zip(passages.documents.tolist(), passages.words.tolist(), passages, strict=True))


def without_copies(listed, folder):
    return [
        (
            documents,
            words,
            [occurrence for occurrence in occurrences if folder.copies[occurrence[0]]],
        )
        for documents, words, occurrences in listed
    ]


def edited(rng, words, letters):
    edited_words = list(words)
    for _ in range(rng.randrange(4)):
        position = rng.randrange(len(edited_words) + 1)
        edited_words[position : position + rng.randrange(3)] = rng.choices(
            letters, k=rng.randrange(3)
        )
    return edited_words


@pytest.mark.parametrize(
    "settings", SETTINGS, ids=lambda settings: f"{settings.unit}{settings.min_passage}"
)
@pytest.mark.parametrize("seed", range(25))
def test_passages_are_those_of_the_definition(seed, settings, pool):
    rng = random.Random(seed)
    letters = LETTERS[: rng.randrange(2, 9)] + ("文字的一是" if seed % 3 == 0 else "")
    parents = [rng.choices(letters, k=rng.randrange(1, 40)) for _ in range(3)]
    texts = []
    for _ in range(rng.randrange(2, 14)):
        parts = [edited(rng, rng.choice(parents), letters) for _ in range(rng.randrange(3))]
        texts.append(" ".join(letter for part in parts for letter in part))
    texts += rng.choices(texts, k=rng.randrange(3))
    set_aside = {
        number: [SetAside(1, min(len(text), rng.randrange(2, 9)))]
        for number, text in enumerate(texts)
        if len(text) > 2 and rng.random() < 0.2
    }
    references = {number for number in range(len(texts)) if rng.random() < 0.3}
    folder = folder_of(texts, settings, pool, set_aside, references)
    for searched in (settings, settings.with_changes(min_passage=settings.passage_length + 2)):
        wanted_passages = without_copies(expected(folder, searched, len(texts), references), folder)

        assert passages_in(folder, searched) == wanted_passages


def test_every_shared_run_is_shown_at_least_in_part(pool):
    rng = random.Random(5)
    settings = ScanSettings(k=2, min_passage=5)
    base = [f"w{number}" for number in range(300)]
    texts = {" ".join(edited(rng, base[rng.randrange(50) :], ["x", "y"])) for _ in range(40)}
    texts = sorted(texts)
    folder = folder_of(texts, settings, pool)
    shown = [set() for _ in texts]
    for occurrences in find_shared_passages(folder, settings):
        for text, first, units in occurrences:
            shown[text].update(range(first, first + units))
    words = [text.split() for text in texts]
    runs = defaultdict(set)
    for number, words_of_text in enumerate(words):
        for first in range(len(words_of_text) - 4):
            runs[tuple(words_of_text[first : first + 5])].add((number, first))
    for positions in runs.values():
        if len({number for number, _ in positions}) > 1:
            for number, first in positions:
                assert shown[number] & set(range(first, first + 5))


def test_common_text_and_copies_are_passages_too(pool):
    rng = random.Random(6)
    form = " ".join(f"form{number}" for number in range(40))
    texts = [
        f"{form} " + " ".join(f"w{rng.randrange(10**9)}" for _ in range(50)) for _ in range(300)
    ]
    settings = ScanSettings()
    folder = folder_of([*texts, texts[0], texts[0]], settings, pool)

    passages = find_shared_passages(folder, settings)

    assert passages.documents.tolist() == [302, 3]
    assert passages.words.tolist() == [40, 90]
    assert len(passages[0]) == 300
    assert passages[1] == [(0, 0, 90)]


def test_nothing_is_shared(pool):
    settings = ScanSettings()
    for texts in ([], ["one text"], ["one text", "another one"], ["", ""]):
        assert not len(find_shared_passages(folder_of(texts, settings, pool), settings))


def test_too_little_memory_is_reported(pool, monkeypatch):
    monkeypatch.setattr(passages, "BYTES_PER_OCCURRENCE", 1 << 60)
    settings = SETTINGS[0]
    folder = folder_of(["a b c d e"] * 2, settings, pool)
    with pytest.raises(StorageError, match="words that documents share needs about"):
        find_shared_passages(folder, settings)
