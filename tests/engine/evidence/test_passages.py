"""Passages of a pair: planted ones are found to the character, and every run is a real one."""

import weakref
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.base.memory import collector_paused
from core.evidence import shared_runs
from core.evidence.passages import PairText, find_passages, find_shared_text
from core.evidence.shared_words import SECOND_GAP
from core.settings import ScanSettings
from core.text.set_aside import GAP, Reason, SetAside
from core.text.shingling import tokenise

TEXT = "five six seven"
SIX = SetAside(5, 8, Reason.QUOTATION)


def test_a_gap_in_the_second_text_is_not_as_one_in_the_first():
    text = PairText(TEXT, ScanSettings(), [SIX], "en")

    second = text.as_second

    assert text.values[1] == text.words("en").values[1] == text.words("en").forms[1] == GAP
    assert second.values[1] == second.words("en").values[1] == SECOND_GAP
    assert second.words("en").forms[1] == SECOND_GAP
    assert second.values[[0, 2]].tolist() == text.values[[0, 2]].tolist()
    assert text.as_second is second


def test_a_text_without_gaps_is_the_same_on_both_sides_and_goes_with_its_pair():
    text = PairText(TEXT, ScanSettings(), (), "en")

    assert text.as_second is text
    kept = weakref.ref(text)
    with collector_paused():
        del text
        assert kept() is None


quick = settings(derandomize=True, max_examples=100)

OPTIONS = ScanSettings(reworked="off")
CHARACTERS = OPTIONS.with_changes(unit="char", k=5)
AS_WRITTEN = OPTIONS.with_changes(ignore_case=False, k=4)

few_words = st.lists(st.sampled_from(["a", "b", "c", "D", "d,", "漢字", "e\u0301"]), max_size=40)
texts = st.one_of(few_words.map(" ".join), st.text(st.characters(), max_size=40))


def block(name, count):
    """Words that stand nowhere else."""
    return [f"{name}{number}" for number in range(count)]


def values(text, options=OPTIONS):
    """The words of a text as passages compare them."""
    words = options.with_changes(unit="word", keep_punctuation=False)
    return tokenise(text, words).values.tolist()


def quoted(passages, a, b):
    return [(a[p.a_start : p.a_end], b[p.b_start : p.b_end]) for p in passages]


def covered(spans):
    return {index for start, end in spans for index in range(start, end)}


def coverage(passages):
    """The characters of A, and those of B, that passages show."""
    return (
        covered((p.a_start, p.a_end) for p in passages),
        covered((p.b_start, p.b_end) for p in passages),
    )


@quick
@given(texts, texts, st.sampled_from([OPTIONS, CHARACTERS, AS_WRITTEN.with_changes(k=1)]))
@example("a b c d e", "a b c d e", OPTIONS)
@example("½ ½ ½", "1 2 1 2", OPTIONS)
def test_passages_are_made_of_equal_words(a, b, options):
    passages = find_passages(a, b, options)

    for passage in passages:
        runs = passage.runs
        assert 0 <= passage.a_start < passage.a_end <= len(a)
        assert 0 <= passage.b_start < passage.b_end <= len(b)
        assert (passage.a_start, passage.b_start) == (runs[0].a_start, runs[0].b_start)
        assert (passage.a_end, passage.b_end) == (runs[-1].a_end, runs[-1].b_end)
        assert passage.tokens == sum(run.tokens for run in runs)
        for before, after in pairwise(runs):
            assert before.a_start < after.a_start
            assert before.b_start < after.b_start
    starts = [passage.a_start for passage in passages]
    assert starts == sorted(starts)


@quick
@given(few_words, few_words, st.sampled_from([OPTIONS, CHARACTERS]))
def test_runs_are_word_for_word_the_same(left, right, options):
    a, b = " ".join(left), " ".join(right)

    for passage in find_passages(a, b, options):
        for run in passage.runs:
            run_values = values(a[run.a_start : run.a_end], options)
            assert run_values == values(b[run.b_start : run.b_end], options)
            assert len(run_values) == run.tokens
        for before, after in pairwise(passage.runs):
            assert before.a_end <= after.a_start
            assert before.b_end <= after.b_start


@quick
@given(texts.filter(values), st.sampled_from([OPTIONS, CHARACTERS]))
def test_identical_texts_are_one_passage(text, options):
    [passage] = find_passages(text, text, options)

    assert passage.tokens == len(values(text, options))
    assert (passage.a_start, passage.a_end) == (passage.b_start, passage.b_end)
    assert len(passage.runs) == 1
    assert not passage.moved


@st.composite
def planted(draw):
    """Two texts with common blocks in the same order, and the spans of the blocks in each."""
    sizes = draw(st.lists(st.integers(5, 60), min_size=1, max_size=4))
    parts, spans = ([], []), ([], [])
    for number, size in enumerate(sizes):
        for side in (0, 1):
            parts[side].append(" ".join(block(f"gap{side}x{number}x", draw(st.integers(40, 80)))))
            start = len(" ".join(parts[side])) + 1
            parts[side].append(" ".join(block(f"common{number}x", size)))
            spans[side].append((start, len(" ".join(parts[side]))))
    endings = draw(st.tuples(st.integers(0, 50), st.integers(0, 50)))
    a, b = (" ".join([*parts[s], *block(f"end{s}x", endings[s])]) for s in (0, 1))
    return a, b, list(zip(*spans, strict=True))


@quick
@given(planted())
def test_planted_runs_are_found_to_the_character(case):
    a, b, spans = case

    passages = find_passages(a, b, OPTIONS)

    assert [((p.a_start, p.a_end), (p.b_start, p.b_end)) for p in passages] == spans
    assert not any(passage.moved for passage in passages)
    assert all(len(passage.runs) == 1 for passage in passages)


@pytest.mark.parametrize(
    ("k", "length", "count"), [(5, 5, 1), (5, 4, 0), (3, 4, 1), (3, 3, 0), (7, 6, 0), (7, 7, 1)]
)
def test_a_lone_run_must_be_as_long_as_a_shingle(k, length, count):
    common = block("common", length)
    a = " ".join(block("a", 20) + common + block("aa", 20))
    b = " ".join(block("b", 30) + common + block("bb", 10))

    assert len(find_passages(a, b, OPTIONS.with_changes(k=k))) == count


def test_light_rewording_leaves_one_passage():
    original = block("w", 120)
    reworded = [f"new{i}" if i % 9 == 4 else word for i, word in enumerate(original)]
    a = " ".join(block("before", 30) + original + block("after", 30))
    b = " ".join(block("intro", 50) + reworded)

    [passage] = find_passages(a, b, OPTIONS)

    assert a[passage.a_start : passage.a_end] == " ".join(original)
    assert b[passage.b_start : passage.b_end] == " ".join(reworded)
    assert passage.tokens == 120 - sum(i % 9 == 4 for i in range(120))


def test_short_runs_count_together_and_not_alone():
    def scattered(name, runs):
        words = [[*block(f"common{run}x", 4), f"{name}{run}"] for run in range(runs)]
        return " ".join(word for run in words for word in run)

    assert find_passages(scattered("a", 2), scattered("b", 2), OPTIONS) == []
    [passage] = find_passages(scattered("a", 5), scattered("b", 5), OPTIONS)
    assert (passage.tokens, len(passage.runs)) == (20, 5)


def test_a_sentence_put_in_does_not_cut_a_passage():
    words = block("w", 100)
    a, b = " ".join(words), " ".join(words[:50] + block("new", 25) + words[50:])

    [passage] = find_passages(a, b, OPTIONS)

    assert (passage.a_end - passage.a_start, passage.b_end - passage.b_start) == (len(a), len(b))


def test_a_chapter_put_in_cuts_it():
    words = block("w", 100)
    a, b = " ".join(words), " ".join(words[:50] + block("new", 200) + words[50:])

    assert [passage.tokens for passage in find_passages(a, b, OPTIONS)] == [50, 50]


def test_a_moved_paragraph_is_found_and_said_to_be_moved():
    first, second, third = block("one", 60), block("two", 45), block("three", 60)
    a, b = " ".join(first + second + third), " ".join(first + third + second)

    passages = find_passages(a, b, OPTIONS)

    assert quoted(passages, a, b) == [(" ".join(part),) * 2 for part in (first, second, third)]
    assert [passage.moved for passage in passages] == [False, True, False]


def test_a_short_paragraph_that_moved_leaves_a_gap_and_is_shown_where_it_went():
    first, second, third = block("one", 60), block("two", 20), block("three", 60)
    a, b = " ".join(first + second + third), " ".join(first + third + second)

    kept, moved = find_passages(a, b, OPTIONS)

    assert (kept.a_start, kept.a_end, kept.tokens) == (0, len(a), 120)
    assert quoted([moved], a, b) == [(" ".join(second),) * 2]


def test_two_paragraphs_that_change_places():
    first, second = block("one", 40), block("two", 30)

    passages = find_passages(" ".join(first + second), " ".join(second + first), OPTIONS)

    assert [(passage.tokens, passage.moved) for passage in passages] == [(40, False), (30, True)]


@pytest.mark.parametrize("swapped", [False, True])
def test_text_that_is_repeated_is_found_each_time(swapped):
    common = block("common", 30)
    once = " ".join(block("a", 40) + common + block("aa", 40))
    twice = " ".join(block("b", 10) + common + block("bb", 60) + common)
    a, b = (twice, once) if swapped else (once, twice)

    passages = find_passages(a, b, OPTIONS)

    assert quoted(passages, a, b) == [(" ".join(common),) * 2] * 2
    assert [len({*spans}) for spans in coverage(passages)] == (
        [2 * len(" ".join(common)), len(" ".join(common))]
        if swapped
        else [len(" ".join(common)), 2 * len(" ".join(common))]
    )


@pytest.mark.parametrize("seed", range(40))
def test_both_directions_show_the_same_text(seed):
    """Blocks in any order, some twice, lightly edited, between words that occur everywhere."""
    random = Random(seed)

    def draw(count):
        return [f"w{random.randrange(200)}" for _ in range(count)]

    def mix(blocks):
        words = []
        for part in random.sample(blocks, len(blocks)):
            edited = [word if random.random() > 0.05 else "new" for word in part]
            words += draw(random.randrange(50)) + edited * random.choice([1, 1, 2])
        return " ".join(words)

    blocks = [draw(random.randrange(5, 60)) for _ in range(random.randrange(1, 5))]
    a, b = mix(blocks), mix(blocks)

    in_a, in_b = coverage(find_passages(a, b, OPTIONS))

    assert coverage(find_passages(b, a, OPTIONS)) == (in_b, in_a)


@pytest.mark.parametrize(
    ("times_a", "times_b"), [(30, 30), (30, 20), (20, 30), (300, 200), (200, 300), (2000, 1500)]
)
def test_periodic_texts_are_shown_whole(times_a, times_b):
    """In long ones every place with every other would be too many: they are matched in turn."""
    a, b = "to be or not " * times_a + "x y z", "q r " + "to be or not " * times_b

    in_a, in_b = coverage(find_passages(a, b, OPTIONS))

    whole_a, whole_b = covered([(0, 13 * times_a - 1)]), covered([(4, 13 * times_b + 3)])
    assert in_a >= whole_a
    assert in_b >= whole_b
    if times_a <= 30:
        assert (in_a, in_b) == (whole_a, whole_b)


def test_a_long_regular_text_with_a_word_put_in_again_and_again():
    a, b = "a b c d " * 2000, "a b c d e " * 1500

    longest, again = find_passages(a, b, OPTIONS)

    assert (longest.tokens, again.tokens) == (6000, 2000)
    assert again.moved


def test_the_lines_of_a_long_log():
    lines = [f"row {number % 7} 0 0 0 {number % 3} ok" for number in range(3000)]
    a, b = "\n".join(lines), "\n".join([*lines[:1000], "a new line", *lines[1000:2500]])

    longest, again = find_passages(a, b, OPTIONS)

    assert (longest.tokens, again.moved) == (7 * 2500, True)
    assert coverage([longest, again])[0] == covered([(0, len(a))])


def test_a_text_that_says_one_word():
    passages = find_passages("no " * 500, "no " * 300, OPTIONS)

    assert coverage(passages)[1] == covered([(0, 899)])


def test_scripts_without_spaces_count_characters():
    a = "前書き。漢字仮名交じり文の例です。ここから別。"
    b = "別の始まり。漢字仮名交じり文の例です"

    [passage] = find_passages(a, b, CHARACTERS)

    assert a[passage.a_start : passage.a_end] == "漢字仮名交じり文の例です"
    assert b[passage.b_start : passage.b_end] == "漢字仮名交じり文の例です"
    assert passage.tokens == 12


def test_spans_are_those_of_the_text_and_not_of_its_normal_form():
    common = "the ﬁrst cafe\u0301 of \U0001d400lice, co\u00adoperating with Σωκράτης"
    a, b = f"½ {common}!", f"Here: {common.upper()}"

    [passage] = find_passages(a, b, OPTIONS)

    assert a[passage.a_start : passage.a_end] == common
    assert b[passage.b_start : passage.b_end] == common.upper()


def test_case_counts_when_the_settings_say_so():
    a, b = "One two three four five six", "one two three four five SIX"

    assert [p.tokens for p in find_passages(a, b, OPTIONS)] == [6]
    assert [p.tokens for p in find_passages(a, b, AS_WRITTEN)] == [4]


@pytest.mark.parametrize(
    ("a", "b"), [("", ""), ("", "one two three"), ("one two three", "..."), ("one", "two")]
)
def test_nothing_in_common(a, b):
    assert find_passages(a, b, OPTIONS) == []


def test_what_is_frequent_in_both_texts_is_marked_inside_a_passage():
    """“in the sea” stands everywhere, so that no place of it is a seed."""
    often = " ".join(f"in the sea x{number}" for number in range(200))
    before, after = block("before", 30), block("after", 30)
    a = f"{often} {' '.join(before)} old in the sea words {' '.join(after)}"
    b = f"{' '.join(before)} new but in the sea text {' '.join(after)} {often.upper()}"

    passage = max(find_passages(a, b, OPTIONS), key=lambda passage: passage.a_end)

    assert [run.tokens for run in passage.runs] == [30, 3, 30]


def unrelated(seed, length):
    """A text of words that are common and rare as in a language, and of turns of phrase."""
    random = Random(seed)
    language = Random(0)
    common = [f"w{int(2 ** (13 * language.random()))}" for _ in range(40_000)]
    phrases = [language.sample(common, 5) for _ in range(30)]
    words = []
    while len(words) < length:
        words += random.choice(phrases) if random.random() < 0.02 else [random.choice(common)]
    return words


def test_chance_is_no_passage():
    a, b = unrelated(1, 20_000), unrelated(2, 20_000)

    assert find_passages(" ".join(a), " ".join(b), OPTIONS) == []


@pytest.mark.parametrize("length", [8, 10, 12])
@pytest.mark.parametrize("times", [1, 2])
def test_a_sentence_copied_between_long_texts_is_found(length, times):
    """Also where one of them has it twice: then it is no turn of phrase yet."""
    missed = 0
    for seed in range(10):
        a, b = unrelated(10 + seed, 8_000), unrelated(100 + seed, 8_000)
        sentence = unrelated(1_000 + seed, length)[:length]
        a[5_000:5_000] = sentence
        for index in range(times):
            b[3_000 + 1_000 * index : 3_000 + 1_000 * index] = sentence
        passages = find_passages(" ".join(a), " ".join(b), OPTIONS)
        missed += not any(" ".join(sentence) in " ".join(a)[p.a_start : p.a_end] for p in passages)
    assert missed == 0


def test_the_floor_is_reported():
    a, b = unrelated(1, 4_096), unrelated(2, 1_024)
    sentence = block("copied", 9)

    passages, floor, _ = find_shared_text(" ".join(a + sentence), " ".join(sentence + b), OPTIONS)

    assert floor.bits == pytest.approx(12 + 10 + 20, abs=0.1)
    assert 4 <= floor.tokens <= 8
    assert floor.unit == "word"
    assert passages
    assert all(passage.bits >= floor.bits for passage in passages)


def test_a_passage_knows_its_length_with_what_differs():
    a, b = block("w", 40), block("w", 40)
    b[20:20] = block("new", 9)
    a[30] = "other"

    [passage] = find_passages(" ".join(a), " ".join(b), OPTIONS)

    assert (passage.a_tokens, passage.b_tokens, passage.tokens) == (40, 49, 39)
    assert (passage.length, passage.longest_run, passage.unit) == (49, 20, "word")


@pytest.mark.parametrize(
    ("start", "inserted", "rest", "counts"),
    [
        pytest.param(
            "Spare lamps. The warden",
            " of the harbour",
            " may light and trade copies in copper of the old lamp that hangs in tower seven, "
            "under such orders as the warden may issue, at a price that covers the whole cost of "
            "them with wages, wax, wicks, tools and other outlay, and of the old lamp",
            (50, 50, 46),
            id="beyond the passage in both texts",
        ),
        pytest.param(
            "Lamps and payment of dues",
            " opening of this hall",
            " for lamps: parts one and two apply only where the wish for a new lamp, or the wish "
            "to mend an old lamp, is filed with its dues within two years of the day of the "
            "opening of this hall",
            (45, 44, 39),
            id="in the text whose last word is paired elsewhere",
        ),
    ],
)
def test_a_last_word_in_another_form_does_not_disturb_the_others(start, inserted, rest, counts):
    """The longest run of forms goes on beyond the passage, and some of its words are twice."""
    a, b = start + rest, f"{start}{inserted}{rest}s"

    [passage] = find_passages(a, b, ScanSettings())

    assert (passage.a_tokens, passage.tokens, passage.longest_run) == counts
    assert (passage.exchanged, passage.moved_words) == (0, 0)


def test_the_words_of_scripts_without_spaces_are_characters():
    chinese, english = "一二三四五六七八九十百千万亿兆", " ".join(block("w", 20))
    a, b = f"{chinese} {' '.join(block('a', 90))} {english}", f"{english}\n{chinese}"

    passages, floor, _ = find_shared_text(a, b, OPTIONS)

    assert [passage.unit for passage in passages] == ["char", "word"]
    assert floor.unit == "word"
    assert find_shared_text(chinese, "别 and one", OPTIONS).floor.unit == "char"


@pytest.mark.parametrize("options", [OPTIONS, CHARACTERS])
def test_a_run_that_lists_a_pair_is_shown_whatever_the_chance(options):
    a, b = unrelated(1, 20_000), unrelated(2, 20_000)

    passages = find_passages(" ".join(a), " ".join(b), options.with_changes(min_passage=5))

    assert passages
    assert all(passage.longest_run >= 5 for passage in passages)


def work_per_word(a, b):
    """The runs that are found, and their words; more pairs of positions would not fit in memory."""
    values_a, values_b = (np.array(values(text), dtype=np.uint64) for text in (a, b))
    runs = shared_runs.find_runs(values_a, values_b)
    return (len(runs) + runs[:, 2].sum()) / (len(values_a) + len(values_b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("one line of it\n" * 20_000, "one line of it\n" * 18_000),
        ("a b " * 40_000, "a b c " * 30_000),
        ("法" * 60_000, "法" * 50_000),
        (
            "".join(Random(1).choices("甲乙", k=60_000)),
            "".join(Random(2).choices("甲乙", k=60_000)),
        ),
        (
            " ".join("b" if Random(n).random() < 0.01 else "a" for n in range(40_000)),
            " ".join("b" if Random(-n).random() < 0.01 else "a" for n in range(40_000)),
        ),
    ],
    ids=["lines", "period", "one character", "two characters", "long and short"],
)
def test_the_work_is_nearly_linear(a, b):
    assert work_per_word(a, b) <= 2 * shared_runs.RARE


def test_texts_shorter_than_a_seed():
    [passage] = find_passages("One two", "one two!", OPTIONS)

    assert (passage.a_start, passage.a_end, passage.b_end, passage.tokens) == (0, 7, 7, 2)


def test_what_moved_inside_a_passage_is_shown():
    """Both places are gaps of the large passage, which shows their words as different."""
    one, two, three, moved = block("one", 60), block("two", 60), block("three", 60), block("m", 12)
    a = " ".join(one + moved + two + three)
    b = " ".join(one + two + moved + three)

    outer, inside = find_passages(a, b, OPTIONS)

    assert (outer.tokens, inside.tokens, inside.moved) == (180, 12, True)
    assert quoted([inside], a, b) == [(" ".join(moved),) * 2]
