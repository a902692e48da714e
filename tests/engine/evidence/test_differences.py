"""What was changed between two texts: examples, and that the changes lead from one to the other."""

import random
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ScanCancelledError
from core.evidence import differences
from core.evidence.differences import AS_READ, ChangeKind, find_differences
from core.evidence.passages import find_shared_text
from core.settings import ScanSettings
from core.text.shingling import tokenise

TREES = (
    "We walked every street twice, once in the morning and once in the evening, and noted the "
    "species, the height and the state of every tree."
)
BUOY = (
    "Nobody could say when the buoy had been painted green, or by whom, and the harbour master "
    "did not care at all about it."
)
COUNCIL = (
    "The council published its register in June of that year, without a word about the trees that "
    "had been felled before."
)
IN_A = {ChangeKind.ONLY_A, ChangeKind.EXCHANGED, ChangeKind.MOVED, ChangeKind.REPEATED_A}
IN_B = {ChangeKind.ONLY_B, ChangeKind.EXCHANGED, ChangeKind.MOVED, ChangeKind.REPEATED_B}
WORDS = st.sampled_from(["oak", "Oak", "ash", "elm", "the", "a", ",", ".", "\n\n", "木", "🌳", "é"])
PARTS = st.one_of(
    st.lists(WORDS, max_size=12).map(" ".join), st.sampled_from([TREES, BUOY, COUNCIL])
)
TEXTS = st.lists(PARTS, max_size=6).map(" ".join)


def told(a, b):
    """Every change as what it is and both its words."""
    return [
        (one.kind.value, a[one.a_start : one.a_end], b[one.b_start : one.b_end])
        for one in find_differences(a, b).changes
    ]


def spans(changes, kinds, side):
    return [
        (one.a_start, one.a_end) if side == 0 else (one.b_start, one.b_end)
        for one in changes
        if one.kind in kinds
    ]


def rest(text, within, left_out):
    """The words of a part of a text outside of some spans."""
    tokens = tokenise(text, AS_READ)
    rows = zip(tokens.values.tolist(), tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    return [
        value
        for value, start, end in rows
        if within[0] <= start
        and end <= within[1]
        and not any(low <= start and end <= high for low, high in left_out)
    ]


def test_words_that_were_exchanged_added_and_left_out():
    assert told(
        "The old oak stood in the yard, and nobody ever cut it.",
        "The old elm stood in a wide yard; and nobody cut it down.",
    ) == [
        ("exchanged", "oak", "elm"),
        ("exchanged", "the", "a wide"),
        ("exchanged", ",", ";"),
        ("only in A", "ever", ""),
        ("only in B", "", "down"),
    ]


def test_case_counts_and_white_space_does_not():
    assert told("The oak\nstood.", "the oak  stood.") == [("exchanged", "The", "the")]


def test_a_word_alone_between_longer_changes_is_a_part_of_them():
    assert told(
        "It was a tall tree of the wood.", "It was an enormous and ancient oak of a remote forest."
    ) == [
        ("exchanged", "a tall tree of the wood", "an enormous and ancient oak of a remote forest")
    ]


def test_a_moved_paragraph_is_moved_and_what_was_changed_in_it_is_told():
    changed = BUOY.replace("green", "bright red")

    found = told(f"{TREES}\n{BUOY}\n{COUNCIL}", f"{TREES}\n“{COUNCIL}”\n{changed}")

    assert found == [
        ("only in B", "", "“"),
        ("only in B", "", "”"),
        ("exchanged", "green", "bright red"),
        ("moved", COUNCIL, COUNCIL),
    ]


def test_text_that_stands_twice_is_told():
    assert told(f"{TREES}\n{BUOY}", f"{TREES}\n{BUOY}\n{TREES}") == [
        ("once more in B", TREES, TREES)
    ]
    assert told(f"{TREES}\n{BUOY}\n{TREES}", f"{TREES}\n{BUOY}") == [
        ("once more in A", TREES, TREES)
    ]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("", "", []),
        ("oak", "", [("only in A", "oak", "")]),
        ("", "oak ash", [("only in B", "", "oak ash")]),
        ("...", "!", [("exchanged", "...", "!")]),
        ("这是一个报告", "这是一份报告", [("exchanged", "个", "份")]),
    ],
)
def test_small_texts(a, b, expected):
    assert told(a, b) == expected


def test_places_where_nothing_stands_are_behind_the_word_before():
    (change,) = find_differences("one two four", "one two three four").changes

    assert (change.a_start, change.a_end) == (7, 7)
    assert (change.a_words, change.b_words) == (0, 1)


@given(TEXTS, TEXTS)
def test_what_is_no_change_is_the_same(a, b):
    changes = find_differences(a, b).changes

    same_a = rest(a, (0, len(a)), spans(changes, IN_A, 0))
    assert same_a == rest(b, (0, len(b)), spans(changes, IN_B, 1))
    for one in changes:
        if one.kind is ChangeKind.MOVED:
            inner = [other for other in changes if other is not one]
            inner_a = rest(a, (one.a_start, one.a_end), spans(inner, IN_A, 0))
            assert inner_a == rest(b, (one.b_start, one.b_end), spans(inner, IN_B, 1))


@given(TEXTS)
def test_a_text_has_no_change_to_itself(text):
    assert find_differences(text, text).changes == []


@given(TEXTS, TEXTS)
def test_spans_are_within_the_texts_and_in_reading_order(a, b):
    changes = find_differences(a, b).changes

    for one in changes:
        assert 0 <= one.a_start <= one.a_end <= len(a)
        assert 0 <= one.b_start <= one.b_end <= len(b)
        assert (one.a_end > one.a_start) == (one.kind is not ChangeKind.ONLY_B)
        assert (one.b_end > one.b_start) == (one.kind is not ChangeKind.ONLY_A)
    assert [one.a_start for one in changes] == sorted(one.a_start for one in changes)


def test_large_gaps_are_not_searched_for_words_that_are_the_same_by_chance(monkeypatch):
    monkeypatch.setattr(differences, "MOST_CELLS", 10)
    a, b = "start one the two the three end", "start four the five the six seven end"

    assert told(a, b) == [("exchanged", "one the two the three", "four the five the six seven")]


def test_it_stops_when_asked():
    stopped = threading.Event()
    stopped.set()

    with pytest.raises(ScanCancelledError):
        find_differences(TREES, BUOY, stopped.is_set)


def test_words_that_a_reworked_passage_pairs_are_no_changes():
    """Passages and differences are of one alignment: neither denies what the other says."""
    settings = ScanSettings(reworked="careful")
    draw = random.Random(2)
    words = ["".join(draw.choices("abcdefghijklmnop", k=4 + 10 * (n % 3 == 2))) for n in range(90)]
    reworked = [f"something{n}else" if n % 3 == 2 else word for n, word in enumerate(words)]
    a, b = " ".join(words), f"{COUNCIL} {' '.join(reworked)}"
    passages = find_shared_text(a, b, settings).passages
    runs = [run for passage in passages for run in passage.runs]
    assert sum(run.tokens for run in runs) == 60

    changed = spans(find_differences(a, b, passages=passages).changes, IN_A, 0)

    assert len(changed) == 30
    assert not any(low < run.a_end and run.a_start < high for low, high in changed for run in runs)
    alone = spans(find_differences(a, b).changes, IN_A, 0)
    assert any(low < run.a_end and run.a_start < high for low, high in alone for run in runs)
