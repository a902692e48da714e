"""What was changed between two texts: examples, and that the changes lead from one to the other."""

import math
import random
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence import differences
from core.evidence.differences import AS_READ, ChangeKind, find_differences
from core.evidence.passages import find_shared_text
from core.evidence.reworked_store import choose_sample, learn_words, measure_reworked
from core.evidence.word_model import RandomPairs, WordModel
from core.settings import ScanSettings
from core.text.set_aside import GAP, Reason, SetAside
from core.text.shingling import tokenise, word_beginnings

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


def changes_of(a, b):
    """Every change as what it is and both its words."""
    return [
        (change.kind.value, a[change.a_start : change.a_end], b[change.b_start : change.b_end])
        for change in find_differences(a, b).changes
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("$1,000,000", "$1,500,000"),
        ("1.000.000", "2.000.500"),
        ("2026-03-03", "2026-03-13"),
        ("4.2.1", "4.2"),
        ("10–12", "10–14"),
        ("3.5%", "3.25%"),
        ("1,000,000", "1.000.000"),
        ("1.000.000,50", "1.000.000,75"),
    ],
)
def test_a_changed_figure_is_shown_whole(before, after):
    """Of "$1,500,000" a change showed "500", which says nothing."""
    changes = changes_of(
        f"{TREES} It is {before} each. {BUOY}", f"{TREES} It is {after} each. {BUOY}"
    )
    assert changes == [("exchanged", before.strip("$%"), after.strip("$%"))]


def test_of_a_list_of_figures_the_changed_one_is_shown():
    lists = (f"{TREES} {listed} {BUOY}" for listed in ("12,15,18,20", "12,15,19,20"))
    assert changes_of(*lists) == [("exchanged", "18", "19")]


def test_a_figure_with_another_dash_is_the_same():
    assert changes_of(f"{TREES} Pages 10–12. {BUOY}", f"{TREES} Pages 10-12. {BUOY}") == []


def spans(changes, kinds, side):
    return [
        (change.a_start, change.a_end) if side == 0 else (change.b_start, change.b_end)
        for change in changes
        if change.kind in kinds
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


def test_a_passage_in_which_every_word_has_another_ending():
    letters = Random(3)
    stems = ["".join(letters.choices("bdgklmnprstv", k=6)) for _ in range(60)]
    a, b = (" ".join(stem + ending for stem in stems) for ending in ("rning", "rnedo"))
    (passage,) = find_shared_text(a, b, ScanSettings()).passages
    (change,) = find_differences(a, b, [passage]).changes
    assert not passage.runs
    assert change.kind is ChangeKind.EXCHANGED
    assert (change.a_start, change.a_end) == (0, len(a))


def test_words_that_were_exchanged_added_and_left_out():
    assert changes_of(
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
    assert changes_of("The oak\nstood.", "the oak  stood.") == [("exchanged", "The", "the")]


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ('"It isn\'t -- yet," he said.', "“It isn’t — yet,” he said."),
        ('"Ja", sagt er - oder: nein.', "„Ja“, sagt er – oder: nein."),
        ('"Oui" - 10 km', "«\xa0Oui\xa0»\xa0–\xa010\xa0km"),
        ("the office of finance...", "the o\ufb03ce of \ufb01\xadnance…"),
    ],
)
def test_the_same_marks_and_letters_written_otherwise_are_no_change(typed, printed):
    assert changes_of(typed, printed) == changes_of(printed, typed) == []


def test_another_mark_is_a_change():
    assert changes_of('"He knows" - yes.', "'He knows', yes.") == [
        ("exchanged", '"', "'"),
        ("exchanged", '" -', "',"),
    ]


def test_a_word_alone_between_longer_changes_is_a_part_of_them():
    assert changes_of(
        "It was a tall tree of the wood.", "It was an enormous and ancient oak of a remote forest."
    ) == [
        ("exchanged", "a tall tree of the wood", "an enormous and ancient oak of a remote forest")
    ]


def test_a_paragraph_that_is_left_out_is_whole_though_the_next_begins_like_it():
    gone, next_one = "The buyer shall pay for every tree.", "The buyer shall fell no oak."
    before, after = f"{BUOY}\n{gone}\n{next_one}\n{TREES}", f"{BUOY}\n{next_one}\n{TREES}"
    assert changes_of(before, after) == [("only in A", gone, "")]
    assert changes_of(after, before) == [("only in B", "", gone)]
    assert changes_of(before, after.replace("fell no", "spare the")) == [
        ("only in A", gone, ""),
        ("exchanged", "fell no", "spare the"),
    ]


def test_a_moved_paragraph_is_reported_with_the_changes_inside_it():
    changed = BUOY.replace("green", "bright red")

    changes = changes_of(f"{TREES}\n{BUOY}\n{COUNCIL}", f"{TREES}\n“{COUNCIL}”\n{changed}")

    assert changes == [
        ("only in B", "", "“"),
        ("only in B", "", "”"),
        ("exchanged", "green", "bright red"),
        ("moved", COUNCIL, COUNCIL),
    ]


def test_letters_without_spaces_are_in_the_change_that_their_passage_says():
    """All letters adjoin there, not only marks."""
    a = "文职人员招录聘议处理军队有关规定"
    filler = "在履行好岗位职责完成本职工作的前提下经批准可以到军队以外单位兼职第四十八条"
    b = f"文职人员队有关规定文职人员{filler}文职人员招录聘处"
    known = find_shared_text(a, b, ScanSettings()).passages

    changes = find_differences(a, b, known).changes

    first, moved, inside, *_ = changes
    assert (first.kind, first.a_words, first.b_words) == (ChangeKind.REPEATED_B, 4, 4)
    assert (moved.kind, a[moved.a_start : moved.a_end]) == (ChangeKind.MOVED, "招录聘议处")
    assert (inside.kind, a[inside.a_start : inside.a_end]) == (ChangeKind.ONLY_A, "议")


def test_text_that_stands_twice_is_reported():
    assert changes_of(f"{TREES}\n{BUOY}", f"{TREES}\n{BUOY}\n{TREES}") == [
        ("once more in B", TREES, TREES)
    ]
    assert changes_of(f"{TREES}\n{BUOY}\n{TREES}", f"{TREES}\n{BUOY}") == [
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
    assert changes_of(a, b) == expected


def test_places_where_nothing_stands_are_behind_the_word_before():
    (change,) = find_differences("one two four", "one two three four").changes

    assert (change.a_start, change.a_end) == (7, 7)
    assert (change.a_words, change.b_words) == (0, 1)


@given(TEXTS, TEXTS)
def test_text_outside_changes_is_the_same(a, b):
    changes = find_differences(a, b).changes

    same_a = rest(a, (0, len(a)), spans(changes, IN_A, 0))
    assert same_a == rest(b, (0, len(b)), spans(changes, IN_B, 1))
    for change in changes:
        if change.kind is ChangeKind.MOVED:
            inner = [other_change for other_change in changes if other_change is not change]
            inner_a = rest(a, (change.a_start, change.a_end), spans(inner, IN_A, 0))
            assert inner_a == rest(b, (change.b_start, change.b_end), spans(inner, IN_B, 1))


@given(TEXTS)
def test_a_text_has_no_change_to_itself(text):
    assert find_differences(text, text).changes == []


@given(TEXTS, TEXTS)
def test_spans_are_within_the_texts_and_in_reading_order(a, b):
    changes = find_differences(a, b).changes

    for change in changes:
        assert 0 <= change.a_start <= change.a_end <= len(a)
        assert 0 <= change.b_start <= change.b_end <= len(b)
        assert (change.a_end > change.a_start) == (change.kind is not ChangeKind.ONLY_B)
        assert (change.b_end > change.b_start) == (change.kind is not ChangeKind.ONLY_A)
    assert [change.a_start for change in changes] == sorted(change.a_start for change in changes)


def test_large_gaps_are_not_searched_for_words_that_are_the_same_by_chance(monkeypatch):
    monkeypatch.setattr(differences, "MOST_CELLS", 10)
    a, b = "start one the two the three end", "start four the five the six seven end"

    assert changes_of(a, b) == [
        ("exchanged", "one the two the three", "four the five the six seven")
    ]


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


ON = ScanSettings(reworked="careful")
OFF = ON.with_changes(reworked="off")

COMMITTEE = (
    "On Tuesday the committee met to discuss the budget for the coming year. "
    "In 1998 the town had spent twelve million crowns on roads, and the mayor wanted to save. "
    "Several members objected that the bridges were old and that repairs could not wait longer. "
    "After a long debate the proposal was adopted by a narrow majority of the members present."
)
REWORKED = (
    "Several members protested that the bridges were ancient and that repairs could wait no "
    "longer. On Tuesday the board met to discuss the budgets for the coming year. "
    "In 1997 the city had spent twelve million crowns on roads, and the mayor wished to save. "
    "After long debates the proposal was accepted by a narrow majority of those present."
)


def words(draw, count, kinds=4000):
    """Words of which no two are forms of one."""
    return [f"{draw.randrange(kinds):x}".translate(str.maketrans("0123456789", "ghijklmnop")) + "q"
            for _ in range(count)]  # fmt: skip


def around(passage, seed):
    """A text with a passage between unique words."""
    draw = Random(seed)
    return " ".join([*words(draw, 80), passage, *words(draw, 80)])


def exchanged(passage, share, seed):
    """A passage in which a share of the words was exchanged."""
    draw = Random(seed)
    words_of_passage = passage.split()
    return " ".join(
        words(draw, 1)[0] if draw.random() < share else word for word in words_of_passage
    )


def find(a, b, settings=ON, **more):
    return find_shared_text(a, b, settings, **more).passages


def quoted(a, b, passage):
    return a[passage.a_start : passage.a_end], b[passage.b_start : passage.b_end]


def exchanges_of(a, b, passage, *, near):
    """What was exchanged by what."""
    return [
        (a[exchange.a_start : exchange.a_end], b[exchange.b_start : exchange.b_end])
        for exchange in passage.exchanges
        if exchange.near is near
    ]


def test_a_reworked_passage_is_one_from_its_beginning_to_its_end():
    a, b = around(COMMITTEE, 1), around(REWORKED, 2)

    [passage] = find(a, b)

    in_a, in_b = quoted(a, b, passage)
    assert in_a in COMMITTEE
    assert in_b in REWORKED
    assert len(in_a) >= 0.9 * len(COMMITTEE)
    assert len(in_b) >= 0.9 * len(REWORKED)
    assert len(find(a, b, OFF)) != 1 or find(a, b, OFF)[0].tokens < passage.tokens


def test_what_was_exchanged_is_reported_and_by_what():
    [passage] = find(COMMITTEE, REWORKED)

    changed = exchanges_of(COMMITTEE, REWORKED, passage, near=False)
    assert {("committee", "board"), ("town", "city"), ("wanted", "wished")} <= {*changed}
    assert ("objected", "protested") in changed, "also in the sentence that was moved"
    assert ("1998", "1997") in changed, "another number is no other form of the same"
    near = exchanges_of(COMMITTEE, REWORKED, passage, near=True)
    assert {("budget", "budgets"), ("debate", "debates")} <= {*near}
    assert ("1998", "1997") not in near
    assert "that the bridges were" in [COMMITTEE[r.a_start : r.a_end] for r in passage.runs]
    assert passage.moved_words >= 10
    assert not passage.moved


@pytest.mark.parametrize("seed", range(30))
def test_the_numbers_add_up_and_no_word_is_marked_twice(seed):
    draw = Random(seed)
    sentences = [words(draw, draw.randrange(5, 25)) for _ in range(8)]
    shuffled = [list(sentence) for sentence in sentences]
    draw.shuffle(shuffled)
    a = around(" ".join(word for sentence in sentences for word in sentence), seed + 100)
    passage = " ".join(word for sentence in shuffled for word in sentence)
    b = around(exchanged(passage, draw.choice([0, 0.2, 0.4]), seed), seed + 200)

    passages = find(a, b)

    assert passages
    for match in passages:
        in_a, in_b = quoted(a, b, match)
        assert (len(tokenise(in_a, ON).values), len(tokenise(in_b, ON).values)) == (
            match.a_tokens,
            match.b_tokens,
        )
        assert match.tokens == sum(run.tokens for run in match.runs)
        assert min(match.only_a, match.only_b, match.near, match.exchanged) >= 0
        assert match.moved_words <= match.tokens
        for run in match.runs:
            same = tokenise(a[run.a_start : run.a_end], ON).values.tolist()
            assert same == tokenise(b[run.b_start : run.b_end], ON).values.tolist()
        spans_told = [*match.runs, *match.exchanges]
        for spans in (
            [(p.a_start, p.a_end) for p in spans_told],
            [(p.b_start, p.b_end) for p in spans_told],
        ):
            spans.sort()
            assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        in_exchanges = sum(
            len(tokenise(a[e.a_start : e.a_end], ON).values) for e in match.exchanges
        )
        assert in_exchanges == match.near + match.exchanged


@pytest.mark.parametrize("settings", [ON, OFF])
@pytest.mark.parametrize("seed", range(20))
def test_both_directions_find_the_same_passages(seed, settings):
    """Sentences in any order, some of them twice, reworded, between words that stand everywhere."""
    draw = Random(seed)
    sentences = [words(draw, draw.randrange(8, 25)) for _ in range(6)]
    a, b = (
        " ".join(
            f"{exchanged(' '.join(sentence), draw.choice([0, 0.15, 0.3]), draw.random())} "
            f"{' '.join(words(draw, draw.randrange(10), 30))}"
            for sentence in draw.choices(sentences, k=8)
        )
        for _ in range(2)
    )
    set_aside = [SetAside(100, 160, Reason.QUOTATION)], [SetAside(30, 60, Reason.QUOTATION)]

    shared = find_shared_text(a, b, settings, set_aside=set_aside)
    back = find_shared_text(b, a, settings, set_aside=set_aside[::-1])

    assert shared.passages
    assert shared.floor == back.floor
    assert shared.passages == sorted(
        shared.passages, key=lambda passage: (passage.a_start, passage.b_start)
    )
    assert {*shared.passages} == {passage.turned() for passage in back.passages}


def test_a_few_words_that_agree_are_no_passage():
    a, b = (
        around("seventeen purple elephants sang together", 1),
        around("seventeen purple elephants sang together", 2),
    )

    assert len(find(a, b, OFF)) == 1
    assert find(a, b) == []


def in_many(passage, documents=40):
    """The model of the words of a folder in which every text has the same passage."""
    texts = [around(passage, seed) for seed in range(1000, 1000 + documents)]
    beginnings = word_beginnings(texts, ON)
    return learn_words(beginnings.values, beginnings.offsets)


def test_a_run_that_lists_a_pair_is_shown_though_the_whole_folder_has_it():
    formula = " ".join(words(Random(5), 40))
    a, b = around(formula, 1), around(formula, 2)

    [passage] = find(a, b, folder=in_many(formula))

    assert quoted(a, b, passage) == (formula, formula)
    assert (passage.tokens, passage.bits) == (40, 0)
    short = " ".join(formula.split()[:20])
    assert find(around(short, 1), around(short, 2), folder=in_many(formula)) == []


@pytest.mark.parametrize("text", ["one two three four five six", "别人写的句子", "No"])
def test_short_texts_that_are_the_same_are_one_passage(text):
    [passage] = find(text, text)

    assert quoted(text, text, passage) == (text, text)
    assert passage.only_a == passage.only_b == passage.exchanged == 0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("settings", [ON, ON.with_changes(unit="char", k=5, keep_digits=False)])
def test_the_strongest_passage_is_that_of_the_list(seed, settings):
    draw = Random(seed)
    parts = [" ".join(words(draw, length)) for length in (40, 90, 200)]
    again = parts[::-1]
    texts = [
        " ".join(around(part, seed + n) for n, part in enumerate(parts)),
        " ".join(around(exchanged(part, 0.3, n), seed + 50 + n) for n, part in enumerate(again)),
        *(" ".join(words(Random(900 + n), 300)) for n in range(30)),
    ]  # fmt: skip
    beginnings = word_beginnings(texts, settings)
    model = learn_words(beginnings.values, beginnings.offsets)

    passages = find(*texts[:2], settings, folder=model)
    numbers = measure_reworked(beginnings, np.array([0]), np.array([1]), model)

    assert len(passages) == 3
    assert max(passage.bits for passage in passages) == pytest.approx(float(numbers.bits[0]))
    assert all(passage.chance.endswith("as strong a passage") for passage in passages)


def test_no_passage_runs_over_text_that_is_set_aside():
    a, b = around(COMMITTEE, 1), around(REWORKED, 2)
    middle = a.index("In 1998"), a.index("Several members")
    set_aside = [SetAside(*middle, Reason.QUOTATION)]

    for passage in find(a, b, set_aside=(set_aside, ())):
        assert passage.a_end <= middle[0] or passage.a_start >= middle[1]


def test_letters_of_scripts_without_spaces_are_words():
    first = "昨天下午市议会讨论了明年的预算问题，许多议员认为旧桥的修理工作不能再拖延下去了。"
    reworded = "昨日下午市议会商讨了明年的预算问题，不少议员认为老桥的修理工作不能再推迟下去了。"
    before, after = "甲乙丙丁戊己庚辛壬癸" * 3, "天地玄黄宇宙洪荒日月" * 3

    [passage] = find(f"{before}。{first}", f"{reworded}{after}")

    assert passage.unit == "char"
    assert passage.a_tokens >= 30
    changed = exchanges_of(f"{before}。{first}", f"{reworded}{after}", passage, near=False)
    assert {("天", "日"), ("许多", "不少"), ("旧", "老")} <= {*changed}


def folder_of(documents):
    words = np.array([word for document in documents for word in document], dtype=np.uint64)
    return words, np.cumsum([0, *map(len, documents)], dtype=np.int64)


def test_a_rare_word_carries_more():
    model = WordModel.build(*folder_of([[1] * 900, [2] * 10, [3]]))

    info = model.information(np.array([1, 2, 3, 4], dtype=np.uint64))

    assert info.anywhere.tolist() == pytest.approx(
        [math.log2(1911 / count) for count in (901, 11, 2, 2)]
    )
    assert info.in_context.tolist() == info.anywhere.tolist()


def test_words_side_by_side_in_many_documents_carry_little_there():
    formula, beginnings = (
        [7, 8],
        [[100 + 10 * number + position for position in range(8)] for number in range(60)],
    )
    words, offsets = folder_of(
        [[*words_before, *formula, 9 + number] for number, words_before in enumerate(beginnings)]
    )
    model = WordModel.build(words, offsets)

    info = model.information(np.array([7, 8, 1, 8, 7], dtype=np.uint64))

    alone = 4.0 * 2.0 ** -float(info.anywhere[0])
    assert (
        info.in_context[0] == info.in_context[1] == pytest.approx(math.log2(64 / (60 - 18 + alone)))
    )
    assert (
        info.in_context[3:].tolist() == info.anywhere[3:].tolist()
    )  # in another order it is no formula
    assert info.in_context[0] < 1 < info.anywhere[0]


def test_a_long_clause_carries_little_more_than_its_beginning():
    clause = [*range(1, 30)]
    documents = [[*range(100 * number, 100 * number + 9)] for number in range(1, 121)]
    documents = [[*clause, *words_after] for words_after in documents[:60]] + documents[60:]
    info = WordModel.build(*folder_of(documents)).information(np.array(clause, dtype=np.uint64))

    left_out = 8 + 600 / 120
    having = 60 - left_out + 4.0 * 2.0 ** -float(info.anywhere[0])
    info_of_first, rest = math.log2((120 + 4) / having), math.log2((60 + 4) / having)
    assert info.in_context.tolist() == pytest.approx(
        [info_of_first] * 2 + [rest] * (len(clause) - 2)
    )
    assert info.in_context.sum() < info.anywhere.sum() / 10


def test_a_crowd_of_copies_is_no_formula():
    words, offsets = folder_of([[7, 8, 9]] * 14 + [[number] for number in range(100, 186)])
    info = WordModel.build(words, offsets).information(np.array([7, 8, 9], dtype=np.uint64))

    assert info.in_context.tolist() == info.anywhere.tolist()


def test_what_is_set_aside_is_not_counted():
    words, offsets = folder_of([[7, int(GAP), 8]] * 20)
    model = WordModel.build(words, offsets)

    assert model.total == 40
    assert GAP not in model.words.keys
    assert len(model.beside.keys) == 0


def test_a_model_is_kept_and_read_again():
    model = learn_words(*folder_of([[*range(1, 30), number] for number in range(40)]))

    again = WordModel.from_bytes(model.to_bytes())

    words = np.arange(60, dtype=np.uint64)
    assert (
        again.information(words).in_context.tolist() == model.information(words).in_context.tolist()
    )
    assert again.pairs.scores.tolist() == model.pairs.scores.tolist()
    assert len(again.pairs.scores) == 40 * 39 // 2
    assert again.to_bytes() == model.to_bytes()


def test_a_model_of_nothing_is_kept_too():
    model = WordModel.none()

    assert WordModel.from_bytes(model.to_bytes()).total == 0
    assert model.information(np.array([5], dtype=np.uint64)).anywhere[0] == pytest.approx(
        8.9658, abs=1e-3
    )


def damaged():
    data = learn_words(*folder_of([[*range(1, 30), number] for number in range(40)])).to_bytes()
    yield data[:20]
    yield data[:-1]
    yield data + b"\0"
    yield b"x" + data[1:]
    for offset in (*range(8, 56, 8), 70, len(data) - 4):  # each number of the head, a key, a count
        yield data[:offset] + b"\xff" * 8 + data[offset + 8 :]


@pytest.mark.parametrize("data", list(damaged()))
def test_what_is_no_model_is_refused(data):
    with pytest.raises(ValueError, match="The information of words"):
        WordModel.from_bytes(data[: len(data)])


def test_the_sample_does_not_depend_on_the_order_of_documents():
    draw = np.random.default_rng(1)
    digests = draw.integers(0, 2**63, (5000, 2)).astype(np.uint64)
    lengths = draw.integers(0, 50_000, 5000)
    shuffled = draw.permutation(5000)

    sample = choose_sample(digests, lengths)
    again = choose_sample(digests[shuffled], lengths[shuffled])

    assert shuffled[again].tolist() == sample.tolist()
    assert 1000 < len(sample) < 2000
    assert lengths[sample].sum() <= 1 << 25


def test_a_single_huge_document_is_sampled():
    assert choose_sample(np.ones((1, 2), np.uint64), np.array([10**9])).tolist() == [0]


MANY = (0,) * 17
OF_PAIRS = "of the 20 pairs of different texts"


def pairs_of(*scores, are_all=True):
    return RandomPairs(np.sort(np.array(scores, dtype=np.float32)), are_all)


def test_where_a_third_is_related_the_rest_has_no_passages():
    assert pairs_of(*[0.0] * 700, *[500.0] * 300).threshold(1e-4, (30, 150), 90) < 60


@given(st.lists(st.floats(0, 1e6, width=32), max_size=50), st.floats(1e-9, 1), st.booleans())
def test_a_threshold_stays_within_its_bounds(scores, share, are_all):
    assert 60 <= pairs_of(*scores, are_all=are_all).threshold(share, (60, 150), 90) <= 150


@pytest.mark.parametrize(
    ("pairs", "score", "wording"),
    [
        (pairs_of(8000.0), 8000.0, ""),
        (pairs_of(), 8000.0, ""),
        (pairs_of(0, 0, 90.5), 90.5, ""),  # of so few pairs a number says nothing
        (pairs_of(*MANY, 0, 0, 90.5), 90.5, f"no other {OF_PAIRS} has as strong a passage"),
        (pairs_of(*MANY, 10, 50, 90), 50.0, f"1 other {OF_PAIRS} has as strong a passage"),
        (pairs_of(*MANY, 10, 50, 90), 40.0, f"1 other {OF_PAIRS} has as strong a passage"),
        (pairs_of(*MANY, 70, 70, 90), 70.0, f"2 others {OF_PAIRS} have as strong a passage"),
        (pairs_of(are_all=False), 70.0, ""),
        (pairs_of(5, 6, are_all=False), 70.0, ""),
        (
            pairs_of(*range(1000), are_all=False),
            5000.0,
            "none of 1,000 pairs of different texts drawn at random has as strong a passage",
        ),
        (
            pairs_of(*range(1000), are_all=False),
            974.0,
            "26 of 1,000 pairs of different texts drawn at random have as strong a passage",
        ),
    ],
)  # fmt: skip
def test_pairs_are_counted_and_nothing_is_said_beyond_them(pairs, score, wording):
    assert pairs.words(score) == wording
