"""Which shingles count beside text that is set aside, against plain Python.

Where texts lie that were taken over from stores before, and phrases found in texts.
"""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.settings import ScanSettings
from core.signatures.winnowing import BLANK, find_grams, winnow
from core.text import characters, lines_and_phrases, tokenising
from core.text.lines_and_phrases import Phrase, run_on
from core.text.set_aside import GAP, NOTHING, SetAside, check_spans, merged
from core.text.shingling import NO_SHINGLE, shingle, tokenise
from core.text.store import TextStore

WORDS = ScanSettings(k=3)
KINDS = [
    WORDS,
    WORDS.with_changes(k=1),
    WORDS.with_changes(unit="char", k=5),
    WORDS.with_changes(unit="char", k=4, white_space="remove"),
    WORDS.with_changes(language="english", drop_stop_words=True, stem=True),
    WORDS.with_changes(keep_punctuation=True, bag=True),
]
PARTS = [
    "copied", "words", "of", "the", "exam-\nple", "example", "exam-\n  ple", "ﬁne", "½", "Ｆｕｌｌ",
    "e\u0301t\u00e9", "它的文字", "カタカナ", "ภาษา", "soft\u00adly", "«", ",", "\n\n", "  ",
    "don't",
]  # fmt: skip
texts = st.lists(st.sampled_from(PARTS), max_size=40).map(" ".join)
spans_drawn = st.lists(st.tuples(st.integers(0, 300), st.integers(1, 40)), max_size=6)


def spans_in(text, drawn):
    """Spans of a text, which may overlap."""
    cut = [(start, min(start + length, len(text))) for start, length in drawn]
    return [SetAside(start, end) for start, end in cut if start < end]


def stretches_of(text, spans, options):
    """The places of the units that count in the text's units, stretch by stretch."""
    tokens = tokenise(text, options)
    covered = {position for start, end, _ in spans for position in range(start, end)}
    bounds = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
    counting = [n for n, (start, end) in enumerate(bounds) if not covered & set(range(start, end))]
    stretches = []
    for before, n in pairwise([None, *counting]):
        if before is None or covered & set(range(bounds[before][0], bounds[n][1])):
            stretches.append([])
        stretches[-1].append(n)
    return tokens, stretches


@pytest.mark.parametrize(
    "options", KINDS, ids=lambda options: f"{options.unit}-{options.k}-{options.language}"
)
@settings(max_examples=60)
@given(text=texts, drawn=spans_drawn)
@example(text="of of of of of exam-\nple example exam-\nple", drawn=[(38, 1)])
def test_the_shingles_that_count_are_those_of_one_stretch(options, text, drawn):
    spans = spans_in(text, drawn)
    shingled = shingle([text], options, set_aside={0: merged(spans)})
    tokens, stretches = stretches_of(text, spans, options)
    k, all_hashes = options.k, shingle([text], options).hashes
    if len(stretches) == 1 and len(stretches[0]) < k:
        values = tokens.values[stretches[0]]
        assert shingled.units.tolist() == [len(values)]
        assert len(shingled.hashes) == 1
        return
    expected = [
        all_hashes[stretch[start]] for stretch in stretches for start in range(len(stretch) - k + 1)
    ]
    assert shingled.counting().hashes.tolist() == [int(value) for value in expected]
    assert shingled.counting().offsets.tolist() == [0, len(expected)]
    assert bool(shingled.units[0]) == bool(expected)
    if expected:
        assert shingled.units[0] == sum(map(len, stretches)) + len(stretches) - 1
        assert len(shingled.all_weights(7)) == shingled.units[0]
        shingles = shingled.units[0] - k + 1
        assert len(shingled.hashes) == shingles
        assert shingled.has_gaps == (NO_SHINGLE in shingled.hashes)


@pytest.mark.parametrize("options", KINDS[:3], ids=lambda options: f"{options.unit}-{options.k}")
@settings(max_examples=60)
@given(text=texts, drawn=spans_drawn)
def test_tokens_keep_their_spans(options, text, drawn):
    spans = spans_in(text, drawn)
    tokens, stretches = stretches_of(text, spans, options)
    tokens_kept = tokenise(text, options, merged(spans))
    expected = []
    for stretch in stretches:
        expected += [None] * bool(expected) + [
            (int(tokens.values[n]), int(tokens.starts[n]), int(tokens.ends[n])) for n in stretch
        ]
    columns = zip(*(column.tolist() for column in tokens_kept[:3]), strict=True)
    assert [None if row[0] == GAP else row for row in columns] == expected


@settings(max_examples=60)
@given(text=texts, drawn=spans_drawn, beside=texts)
def test_a_long_text_and_a_batch_are_as_a_text_alone(text, drawn, beside):
    spans = merged(spans_in(text, drawn))
    alone = shingle([text], WORDS, set_aside={0: spans})
    together = shingle([beside, text, beside], WORDS, set_aside={1: spans})
    part = slice(*together.offsets[1:3])
    assert together.hashes[part].tolist() == alone.hashes.tolist()
    assert together.digests[1].tolist() == alone.digests[0].tolist()
    plain = shingle([beside], WORDS)
    assert together.hashes[: together.offsets[1]].tolist() == plain.hashes.tolist()
    with pytest.MonkeyPatch.context() as patch:
        for module in (characters, tokenising):
            patch.setattr(module, "PIECE", 30)
        cut = shingle([text], WORDS, set_aside={0: spans})
    for column, column_alone in zip(cut[:4], alone[:4], strict=True):
        assert column.tolist() == column_alone.tolist()


def test_nothing_set_aside_changes_nothing():
    texts = ["a text of some words", "文字", "", "exam-\nple words example"]
    for options in KINDS:
        shingles = shingle(texts, options)
        again = shingle(texts, options, set_aside={0: NOTHING, 2: NOTHING})
        for column, column_again in zip(shingles[:4], again[:4], strict=True):
            assert column.tolist() == column_again.tolist()
        assert not again.has_gaps
        assert again.counting() is again


def test_text_set_aside_at_either_end_leaves_a_text_of_its_own():
    text = "COVER SHEET the essay itself THE END"
    spans = merged([SetAside(0, 11), SetAside(29, 36)])
    shingles = shingle([text], WORDS, set_aside={0: spans})
    alone = shingle(["the essay itself"], WORDS)
    assert shingles.hashes.tolist() == alone.hashes.tolist()
    assert shingles.digests.tolist() == alone.digests.tolist()
    short = shingle(["COVER SHEET the essay"], WORDS, set_aside={0: merged([SetAside(0, 11)])})
    assert short.hashes.tolist() == shingle(["the essay"], WORDS).hashes.tolist()


def test_stretches_are_other_words_than_the_same_in_a_row():
    spans = merged([SetAside(14, 15)])
    apart = shingle(["one two three . four five six"], WORDS, set_aside={0: spans})
    assert (
        apart.digests.tolist() != shingle(["one two three four five six"], WORDS).digests.tolist()
    )
    assert len(apart.counting().hashes) == 2


def test_a_text_set_aside_as_a_whole_is_as_an_empty_one():
    for text in ("one two three four", "one two"):
        spans = merged([SetAside(0, len(text))])
        shingles, empty = shingle([text], WORDS, set_aside={0: spans}), shingle([""], WORDS)
        assert [column.tolist() for column in shingles[:4]] == [
            column.tolist() for column in empty[:4]
        ]
    pieces_only = shingle(["one two . three four"], WORDS, set_aside={0: merged([SetAside(8, 9)])})
    assert pieces_only.units.tolist() == [0]


RUNS = st.lists(st.integers(0, 30), min_size=20, max_size=60)


@pytest.mark.parametrize(
    "options",
    [WORDS.with_changes(min_passage=9), WORDS.with_changes(unit="char", k=4, min_passage=6)],
    ids=lambda options: options.unit,
)
@pytest.mark.parametrize("letter", ["w{}", "{}它的文字"])
@settings(max_examples=40)
@given(run=RUNS, before=RUNS, after=RUNS, drawn=spans_drawn)
def test_every_run_beside_a_gap_has_a_shared_fingerprint(
    options, letter, run, before, after, drawn
):
    def spelled(numbers):
        return " ".join(letter.format(number) for number in numbers)

    first = " ".join([spelled(before), spelled(run), spelled(after)])
    second = " ".join([spelled(after), spelled(run), spelled(before)])
    spans = [merged(spans_in(first, drawn)), merged(spans_in(second, drawn[::-1]))]
    shingles = shingle([first, second], options, set_aside=dict(enumerate(spans)))
    grams = find_grams(shingles, options)
    chosen = winnow(shingles, options)
    assert BLANK not in chosen.values
    first_values = set(chosen.values[: chosen.counts[0]].tolist())
    second_values = set(chosen.values[chosen.counts[0] :].tolist())
    windows = [set(), set()]
    starts = np.arange(len(grams.hashes))
    ends = grams.ends_of_windows(starts)
    for text in range(2):
        for start in range(*grams.offsets[text : text + 2]):
            window = grams.hashes[start : ends[start]].tolist()
            if ends[start] <= grams.offsets[text + 1] and int(BLANK) not in window:
                windows[text].add(tuple(window))
    if windows[0] & windows[1]:
        assert first_values & second_values
    for text, values in ((first, first_values), (second, second_values)):
        everything = find_grams(shingle([text], options), options).hashes.tolist()
        assert values <= set(everything)


def test_spans_are_merged():
    spans = [SetAside(9, 12), SetAside(0, 3), SetAside(2, 5), SetAside(5, 6), SetAside(10, 11)]
    assert merged(spans).tolist() == [[0, 6], [9, 12]]
    assert merged([]).shape == (0, 2)


@pytest.mark.parametrize("span", [(-1, 2), (3, 3), (4, 2), (2, 6)])
def test_a_span_that_is_not_in_the_text(span):
    with pytest.raises(ValueError, match="cannot be set aside in a text of 5"):
        check_spans([SetAside(*span)], 5)


def test_a_store_carries_what_is_set_aside():
    store, uncut = TextStore(), TextStore()
    store.extend(["one two three", "four five six", "seven eight nine"])
    store.exclude_spans({1: [SetAside(0, 4)], 2: [SetAside(0, 5)]})
    store.exclude_spans({2: []})
    uncut.extend(["ten"])
    uncut.adopt(store, store.lengths)
    assert dict(uncut.set_aside) == {2: (SetAside(0, 4),)}
    assert dict(uncut.arranged(np.array([2, 0, 2])).set_aside) == {
        0: (SetAside(0, 4),),
        2: (SetAside(0, 4),),
    }
    counted = uncut.shingles(np.array([1, 2]), WORDS.with_changes(k=2))
    assert np.diff(counted.offsets).tolist() == [2, 1]
    for number in (-1, 4):
        with pytest.raises(IndexError):
            uncut.exclude_spans({number: [SetAside(0, 1)]})


WRAPPED = """\
A heading

The usual story of the canal has one villain and it is
the railway, which reached the town in October of that
year.
- a list of two
- items"""
UNWRAPPED = (
    "The usual story of the canal has one villain and it is the railway, which reached the town "
    "in October of that year."
)


def test_full_lines_run_on_and_others_do_not():
    assert run_on(WRAPPED).split("\n") == ["A heading", "", UNWRAPPED, "- a list of two", "- items"]


@pytest.mark.parametrize(
    "text", ["", "one\ntwo", "x" * 300 + "\n" + "y " * 90, "报告" * 30 + "\n续"]
)
def test_text_without_a_width_stays(text):
    assert run_on(text) == text


@given(st.text(alphabet="ab \n", max_size=400), st.integers(20, 110))
def test_running_on_moves_no_character(text, width):
    wrapped = "\n".join(text[i : i + width] for i in range(0, len(text), width))
    shown = run_on(wrapped)
    assert len(shown) == len(wrapped)
    assert shown.replace("\n", " ") == wrapped.replace("\n", " ")


@pytest.mark.parametrize(
    "line",
    [
        "12 034.5 17 882.0 40 113.9 55 210.4 61 008.7 72 345.1 80 001",  # a row of figures
        "Anna Weber     1990   Berlin        geography    B    second year",  # columns
        "    return the_first_thing_that_was_found or another_one_after",  # code
        "| name | year | place | subject | group | remarks of the tutor |",
        "1. An item that fills the whole line and ends right here, at its",
    ],
)
def test_tables_lists_and_code_stay_as_they_are(line):
    text = "\n".join([line] * 20)
    assert run_on(text) == text


def test_a_store_keeps_no_source_without_texts():
    """Each change of a list makes a store of the previous one."""
    store = TextStore()
    store.extend(["one", "two", "three"])
    for _ in range(5):
        after = TextStore()
        after.adopt(store, store.lengths)
        fresh = TextStore()
        after.adopt(fresh, fresh.lengths)
        store = after.arranged(np.array([2, 0, 1]))

    assert list(store) == ["two", "three", "one"]
    assert len(store.locations.sources) == 2


def test_only_sources_that_are_needed_are_kept():
    first, second = TextStore(), TextStore()
    first.extend(["one"])
    second.extend(["other"])
    both = TextStore()
    both.adopt(first, first.lengths)
    both.adopt(second, second.lengths)

    last = both.arranged(np.array([1]))

    assert list(last) == ["other"]
    assert list(both) == ["one", "other"]
    assert len(last.locations.sources) == 2


@given(
    st.lists(
        st.sampled_from(["oak", "OAK", " ", "\n", "old", "😀", "ſ", "K", "   \t\n  "]), max_size=40
    ).map("".join),
    st.sampled_from(["oak", "old oak", "k o", "😀", "oak oak", "K", "s", " "]),
    st.integers(1, 7),
)
def test_parts_find_what_the_whole_finds(text, phrase, part):
    pattern = r"\s+".join(map(re.escape, phrase.split()))
    spans_of_whole = [
        match.span() for match in re.finditer(pattern, text, re.IGNORECASE) if pattern
    ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines_and_phrases, "PART", part)
        spans = [span for spans in Phrase(phrase).spans(text) for span in spans]

    assert spans == spans_of_whole
    assert Phrase(phrase).is_in(text) == bool(spans_of_whole)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("中文", "我写中文。"),
        ("كِتاب", "هذا كِتاب"),
        ("ÉTÉ", "l’été"),
        ("straße", "Die STRAßE"),
        ("Müller", "Frau Mu\u0308ller"),
        ("Mu\u0308ller", "Frau Müller"),
        ("don't", "I don’t"),
        ("don’t", "I don't"),
        ("1914-18", "1914–18"),
        ("“so”", 'He said "so"'),
    ],
)
def test_every_script_is_searched(phrase, text):
    assert Phrase(phrase).is_in(text)
