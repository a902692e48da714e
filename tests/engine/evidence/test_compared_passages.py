"""Reworked passages as they are shown: one from beginning to end, and what became of its words."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from core.errors import ScanCancelledError
from core.evidence.passages import find_shared_text
from core.evidence.reworked import measure_reworked
from core.evidence.reworked_store import learn_words
from core.settings import ScanSettings
from core.text.set_aside import Reason, SetAside
from core.text.shingling import tokenise, word_beginnings

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
    """A text with a passage inside, between words of its own."""
    draw = Random(seed)
    return " ".join([*words(draw, 80), passage, *words(draw, 80)])


def exchanged(passage, share, seed):
    """A passage in which a share of the words was exchanged."""
    draw = Random(seed)
    own = passage.split()
    return " ".join(words(draw, 1)[0] if draw.random() < share else word for word in own)


def find(a, b, settings=ON, **more):
    return find_shared_text(a, b, settings, **more).passages


def quoted(a, b, passage):
    return a[passage.a_start : passage.a_end], b[passage.b_start : passage.b_end]


def said(a, b, passage, *, near):
    """What was exchanged by what."""
    return [
        (a[one.a_start : one.a_end], b[one.b_start : one.b_end])
        for one in passage.exchanges
        if one.near is near
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


def test_what_was_exchanged_is_said_and_by_what():
    [passage] = find(COMMITTEE, REWORKED)

    changed = said(COMMITTEE, REWORKED, passage, near=False)
    assert {("committee", "board"), ("town", "city"), ("wanted", "wished")} <= {*changed}
    assert ("objected", "protested") in changed, "also in the sentence that was moved"
    near = said(COMMITTEE, REWORKED, passage, near=True)
    assert {("budget", "budgets"), ("debate", "debates"), ("1998", "1997")} <= {*near}
    assert "that the bridges were" in [COMMITTEE[r.a_start : r.a_end] for r in passage.runs]
    assert passage.moved_words >= 10
    assert not passage.moved


@pytest.mark.parametrize("seed", range(30))
def test_the_numbers_add_up_and_no_word_is_told_twice(seed):
    draw = Random(seed)
    sentences = [words(draw, draw.randrange(5, 25)) for _ in range(8)]
    others = [list(one) for one in sentences]
    draw.shuffle(others)
    a = around(" ".join(word for one in sentences for word in one), seed + 100)
    passage = " ".join(word for one in others for word in one)
    b = around(exchanged(passage, draw.choice([0, 0.2, 0.4]), seed), seed + 200)

    found = find(a, b)

    assert found
    for one in found:
        in_a, in_b = quoted(a, b, one)
        assert (len(tokenise(in_a, ON).values), len(tokenise(in_b, ON).values)) == (
            one.a_tokens,
            one.b_tokens,
        )
        assert one.tokens == sum(run.tokens for run in one.runs)
        assert min(one.only_a, one.only_b, one.near, one.exchanged) >= 0
        assert one.moved_words <= one.tokens
        for run in one.runs:
            same = tokenise(a[run.a_start : run.a_end], ON).values.tolist()
            assert same == tokenise(b[run.b_start : run.b_end], ON).values.tolist()
        told = [*one.runs, *one.exchanges]
        for spans in ([(p.a_start, p.a_end) for p in told], [(p.b_start, p.b_end) for p in told]):
            spans.sort()
            assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        in_exchanges = sum(len(tokenise(a[e.a_start : e.a_end], ON).values) for e in one.exchanges)
        assert in_exchanges == one.near + one.exchanged


@pytest.mark.parametrize("settings", [ON, OFF])
@pytest.mark.parametrize("seed", range(20))
def test_both_directions_find_the_same_passages(seed, settings):
    """Sentences in any order, some of them twice, reworded, between words that stand everywhere."""
    draw = Random(seed)
    sentences = [words(draw, draw.randrange(8, 25)) for _ in range(6)]
    a, b = (
        " ".join(
            f"{exchanged(' '.join(one), draw.choice([0, 0.15, 0.3]), draw.random())} "
            f"{' '.join(words(draw, draw.randrange(10), 30))}"
            for one in draw.choices(sentences, k=8)
        )
        for _ in range(2)
    )
    aside = [SetAside(100, 160, Reason.QUOTATION)], [SetAside(30, 60, Reason.QUOTATION)]

    there = find_shared_text(a, b, settings, set_aside=aside)
    back = find_shared_text(b, a, settings, set_aside=aside[::-1])

    assert there.passages
    assert there.floor == back.floor
    assert there.passages == sorted(there.passages, key=lambda one: (one.a_start, one.b_start))
    assert {*there.passages} == {one.turned() for one in back.passages}


def test_a_few_words_that_agree_are_no_passage():
    a, b = (
        around("seventeen purple elephants sang together", 1),
        around("seventeen purple elephants sang together", 2),
    )

    assert len(find(a, b, OFF)) == 1
    assert find(a, b) == []


def in_many(passage, documents=40):
    """What the words of a folder tell in which every text has the same passage."""
    texts = [around(passage, seed) for seed in range(1000, 1000 + documents)]
    found = word_beginnings(texts, ON)
    return learn_words(found.values, found.offsets)


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
    found = word_beginnings(texts, settings)
    model = learn_words(found.values, found.offsets)

    passages = find(*texts[:2], settings, folder=model)
    numbers = measure_reworked(found.values, found.offsets, np.array([0]), np.array([1]), model)

    assert len(passages) == 3
    assert max(one.bits for one in passages) == pytest.approx(float(numbers.bits[0]))
    assert all(one.chance.endswith("as strong a passage") for one in passages)


def test_no_passage_runs_over_text_that_is_set_aside():
    a, b = around(COMMITTEE, 1), around(REWORKED, 2)
    middle = a.index("In 1998"), a.index("Several members")
    aside = [SetAside(*middle, Reason.QUOTATION)]

    for passage in find(a, b, set_aside=(aside, ())):
        assert passage.a_end <= middle[0] or passage.a_start >= middle[1]


def test_letters_of_scripts_without_spaces_are_words():
    one = "昨天下午市议会讨论了明年的预算问题，许多议员认为旧桥的修理工作不能再拖延下去了。"
    other = "昨日下午市议会商讨了明年的预算问题，不少议员认为老桥的修理工作不能再推迟下去了。"
    before, behind = "甲乙丙丁戊己庚辛壬癸" * 3, "天地玄黄宇宙洪荒日月" * 3

    [passage] = find(f"{before}。{one}", f"{other}{behind}")

    assert passage.unit == "char"
    assert passage.a_tokens >= 30
    changed = said(f"{before}。{one}", f"{other}{behind}", passage, near=False)
    assert {("天", "日"), ("许多", "不少"), ("旧", "老")} <= {*changed}


def test_it_can_be_stopped():
    asked = []

    def cancelled():
        asked.append(1)
        return len(asked) > 12

    with pytest.raises(ScanCancelledError):
        find(around(COMMITTEE, 1), around(REWORKED, 2), cancelled=cancelled)
