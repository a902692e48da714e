"""Judgements of pairs, by the texts of their documents, current and earlier ones."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.model import Document, PairKey, text_key
from core.evidence.pairs import Pairs
from core.scan.judgements import (
    MOST_EARLIER,
    VERDICTS,
    EarlierText,
    GivenVerdict,
    Judgement,
    Judgements,
    JudgementsDraft,
    PairJudgement,
    PairRows,
    Verdict,
    WrittenNote,
)
from core.scan.unread_pairs import (
    FEWEST_JUDGED,
    cross_validated,
    fit_confirmed,
    random_check,
    unread_range,
)
from tests.pairs import pairs_with

JUDGED = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.25, 0.4, 0.6, 0.8, 1.0]), st.booleans()),
    min_size=FEWEST_JUDGED,
    max_size=60,
)


def columns(judged: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    resemblance, confirmed = zip(*judged, strict=True)
    return np.array(resemblance), np.array(confirmed)


@given(JUDGED)
def test_no_rising_steps_are_nearer_to_the_judged_pairs(judged: list[tuple[float, bool]]) -> None:
    resemblance, confirmed = columns(judged)
    curve = fit_confirmed(resemblance, confirmed)
    if curve is None:
        return
    values = np.unique(resemblance)
    means = [confirmed[resemblance == value].mean() for value in values]
    weights = [int((resemblance == value).sum()) for value in values]
    assert curve.at(values) == pytest.approx(_by_minimax(means, weights))


def _by_minimax(means: list[float], weights: list[int]) -> list[float]:
    """Isotonic regression by its definition: the largest of the least averages (Robertson 1988)."""
    count = len(means)

    def average(low: int, high: int) -> float:
        part = slice(low, high + 1)
        total = sum(mean * weight for mean, weight in zip(means[part], weights[part], strict=True))
        return total / sum(weights[part])

    return [
        max(min(average(low, high) for high in range(at, count)) for low in range(at + 1))
        for at in range(count)
    ]


def test_too_few_or_all_alike_give_no_curve() -> None:
    few = np.linspace(0, 1, FEWEST_JUDGED - 1)
    many = np.linspace(0, 1, FEWEST_JUDGED)
    assert fit_confirmed(few, few > 0.5) is None
    assert fit_confirmed(many, many >= 0) is None
    assert fit_confirmed(many, many > 0.5) is not None


def read_from_the_top(seed):
    """A list of which some pairs are read, as people do; the truth rises with the resemblance."""
    random = np.random.default_rng(seed)
    resemblance = np.sort(random.random(300) ** 2)[::-1]
    confirmed = random.random(300) < np.clip((resemblance - 0.2) * 1.5, 0, 1)
    return resemblance, confirmed, int(random.integers(60, 250))


def test_unread_pairs_are_seldom_confirmed_more_or_less_often_than_said() -> None:
    wrong = rounds = 0
    for seed in range(100):
        resemblance, confirmed, read = read_from_the_top(seed)
        stated = unread_range(resemblance[:read], confirmed[:read], resemblance[read:])
        if stated is not None:
            assert stated.pairs == 300 - read
            wrong += not stated.least <= confirmed[read:].sum() <= stated.most
            rounds += 1
    assert rounds > 40
    assert wrong <= 0.05 * rounds


def test_two_verdicts_more_do_not_leave_a_range() -> None:
    compared = 0
    for seed in range(100):
        resemblance, confirmed, read = read_from_the_top(seed)
        before, after = (
            unread_range(resemblance[:end], confirmed[:end], resemblance[end:])
            for end in (read, read + 2)
        )
        if before and after:
            assert before.least <= after.most
            assert after.least <= before.most
            assert abs(after.most - before.most) <= 3 + 0.15 * before.pairs
            compared += 1
    assert compared > 40


def test_nothing_is_said_of_unread_pairs_above_the_judged_ones() -> None:
    resemblance = np.linspace(0, 0.5, 40)
    assert unread_range(resemblance, resemblance > 0.3, np.array([0.9] * 20)) is None
    assert unread_range(resemblance, resemblance > 0.3, np.array([])) is None


def test_the_curve_is_cross_validated_on_pairs_left_out() -> None:
    resemblance = np.linspace(0, 1, 100)
    clear = cross_validated(resemblance, resemblance > 0.5)
    assert clear.right >= 97
    assert (clear.of, clear.by_rule) == (100, 50)
    confirmed = np.random.default_rng(3).random(100) < 0.5
    assert cross_validated(resemblance, confirmed).right < 70


def test_many_falling_blocks_are_pooled_as_they_are_one_by_one() -> None:
    """Blocks that rise slowly, then one that falls below all of them."""
    resemblance = np.linspace(0.1, 0.9, 4000)
    confirmed = np.random.default_rng(2).random(4000) < resemblance
    confirmed[-2000:] = False
    curve = fit_confirmed(resemblance, confirmed)
    assert curve is not None
    ends = np.cumsum(curve.judged)
    sums = np.r_[0, np.cumsum(confirmed)]
    assert curve.chance == pytest.approx(np.diff(sums[np.r_[0, ends]]) / curve.judged)
    assert (np.diff(curve.chance) > 0).all()
    # No line from the origin of a step to a later pair lies below it: the greatest convex minorant.
    for start, end, chance in zip(np.r_[0, ends[:-1]], ends, curve.chance, strict=True):
        inside = np.arange(start, end + 1)
        assert (sums[inside] >= sums[start] + chance * (inside - start) - 1e-9).all()


def test_a_random_check_draws_each_as_often() -> None:
    drawn = np.zeros(20, dtype=int)
    for seed in range(400):
        check = random_check(5, 20, seed)
        assert all(row < next_row for row, next_row in pairwise(check.tolist()))
        drawn[check] += 1
    assert len(random_check(30, 7, 1)) == 7
    assert 60 < drawn.min() <= drawn.max() < 150


ANN = ("Ann", "2026-01-02T03:04:05+00:00")
CONFIRMED = GivenVerdict(Verdict.CONFIRMED, *ANN)
NO_MATCH = GivenVerdict(Verdict.NOT_A_MATCH, "Bob", "2026-02-02")


def document(number, text):
    return Document(
        location=f"/d/{number}.txt",
        name=f"{number}.txt",
        size=1,
        modified_ns=1,
        file_hash=f"{number:032x}",
        kind="text",
        encoding="utf-8",
        characters=1,
        text_hash=text,
    )


def pairs_of(both):
    return pairs_with(*np.array(both, dtype=np.int32).reshape(-1, 2).T)


def key(first, second):
    return PairKey.between(first, second)


def test_a_pair_is_known_by_its_texts_in_whatever_order():
    a, b, unknown = document(1, "bb"), document(2, "aa"), document(3, "")
    assert PairKey.of(a, b) == PairKey.of(b, a) == ("aa", "bb")
    assert PairKey.of(a, a) == ("bb", "bb")
    assert PairKey.of(a, unknown) == ("bb", "file:" + unknown.file_hash)
    assert text_key(unknown) != text_key(document(4, ""))


def test_a_verdict_is_shared_by_the_pairs_of_copies():
    documents = [document(0, "x"), document(1, "y"), document(2, "x"), document(3, "z")]
    pairs = pairs_of([(0, 1), (0, 3), (1, 2), (0, 2)])
    rows = PairRows(pairs, documents)
    judgements = Judgements(
        verdicts={key("x", "y"): CONFIRMED, key("x", "x"): NO_MATCH, key("x", "q"): CONFIRMED},
        notes={key("x", "z"): WrittenNote("see page 2", *ANN)},
    )
    columns = rows.columns(judgements)
    assert columns.verdict.tolist() == [1, 0, 1, 3]
    assert columns.has_note.tolist() == [False, True, False, False]
    assert not columns.is_earlier.any()
    assert rows.rows_of([key("x", "y")]).tolist() == [0, 2]
    assert rows.rows_of([key("x", "q")]).tolist() == []
    assert rows.one_row_each([key("x", "y"), key("y", "x"), key("x", "q")]).tolist() in ([0], [2])
    assert [rows.key_of(row) for row in range(4)] == [
        ("x", "y"), ("x", "z"), ("x", "y"), ("x", "x"),
    ]  # fmt: skip
    assert judgements.judgement_of(key("x", "z")) == PairJudgement(
        Judgement(Verdict.NOT_REVIEWED, "see page 2", *ANN)
    )
    assert judgements.judgement_of(key("q", "z")) == PairJudgement(Judgement())


def test_no_pairs_and_no_documents():
    columns = PairRows(Pairs.empty(), []).columns(Judgements(verdicts={key("x", "y"): CONFIRMED}))
    assert [len(column) for column in columns] == [0, 0, 0]
    documents = [document(0, "x"), document(1, "y")]
    assert PairRows(pairs_of([(0, 1)]), documents).columns(Judgements()).verdict.tolist() == [0]


def test_the_verdict_on_an_earlier_text_is_found_until_there_is_another():
    before = Judgements(
        verdicts={key("x1", "y"): CONFIRMED},
        notes={key("x1", "y"): WrittenNote("as in May", *ANN)},
        earlier={"x2": EarlierText("x1", 0.5), "x3": EarlierText("x2", 0.1)},
    )
    documents = [document(0, "x3"), document(1, "y"), document(2, "x1"), document(3, "z")]
    rows = PairRows(pairs_of([(0, 1), (1, 2), (0, 3)]), documents)
    columns = rows.columns(before)
    assert columns.verdict.tolist() == [1, 1, 0]
    assert columns.is_earlier.tolist() == [True, False, False]
    assert columns.has_note.tolist() == [True, True, False]
    found = before.judgement_of(key("x3", "y"))
    assert found.judgement == Judgement(Verdict.CONFIRMED, "as in May", *ANN)
    assert found.earlier == pytest.approx(1 - 0.5 * 0.9)

    draft = JudgementsDraft(before)
    draft.verdicts[key("x3", "y")] = NO_MATCH
    after = draft.judgements()
    assert rows.update(columns, after, [key("x3", "y")]).tolist() == [0]
    assert columns.verdict.tolist() == [3, 1, 0]
    assert not columns.is_earlier.any()
    # The note is still that of the earlier text; who said it is of the verdict.
    assert after.judgement_of(key("x3", "y")) == PairJudgement(
        Judgement(Verdict.NOT_A_MATCH, "as in May", NO_MATCH.who, NO_MATCH.time)
    )
    assert before.judgement_of(key("x3", "y")) == found  # a value

    # A verdict on the earlier text concerns the later one too.
    draft = JudgementsDraft(before)
    del draft.verdicts[key("x1", "y")]
    assert rows.update(columns, draft.judgements(), [key("x1", "y")]).tolist() == [0, 1]
    assert columns.verdict.tolist() == [0, 0, 0]


def test_to_take_a_verdict_back_takes_back_that_on_the_earlier_text():
    judgements = Judgements(
        verdicts={
            key("x1", "y"): CONFIRMED,
            key("x2", "y"): GivenVerdict(Verdict.NOT_REVIEWED, *ANN),
        },
        earlier={"x2": EarlierText("x1", 0.5)},
    )
    assert judgements.judgement_of(key("x2", "y")) == PairJudgement(
        Judgement(Verdict.NOT_REVIEWED, "", *ANN)
    )


def test_texts_that_were_changed_to_and_fro_have_an_end():
    judgements = Judgements(
        verdicts={key("x1", "y"): CONFIRMED},
        earlier={"x2": EarlierText("x1", 0.5), "x1": EarlierText("x2", 0.5)},
    )
    assert judgements.judgement_of(key("x1", "y")).earlier is None
    assert judgements.judgement_of(key("x2", "y")).earlier == 0.5
    long = {f"{n + 1}": EarlierText(f"{n}", 0.01) for n in range(10_000)}
    judgements = Judgements(verdicts={key("0", "y"): CONFIRMED}, earlier=long)
    assert judgements.judgement_of(key(f"{MOST_EARLIER}", "y")).earlier is not None
    assert judgements.judgement_of(key("10000", "y")) == PairJudgement(Judgement())


def test_a_draft_copies_only_what_is_changed():
    before = Judgements(verdicts={key("x", "y"): CONFIRMED})
    draft = JudgementsDraft(before)
    assert draft.judgements() is before
    draft.centres["x"] = "y"
    after = draft.judgements()
    assert after.verdicts is before.verdicts
    assert (dict(after.centres), dict(before.centres)) == ({"x": "y"}, {})


TEXTS = st.sampled_from("abcdefg")
KEYS = st.builds(key, TEXTS, TEXTS)
GIVEN = st.builds(GivenVerdict, st.sampled_from(VERDICTS), st.just("Ann"), st.just("now"))
JUDGEMENTS = st.builds(
    Judgements,
    verdicts=st.dictionaries(KEYS, GIVEN, max_size=8),
    notes=st.dictionaries(
        KEYS, st.builds(WrittenNote, st.sampled_from(["", "n"]), st.just("B"), st.just("t"))
    ),
    earlier=st.dictionaries(TEXTS, st.builds(EarlierText, TEXTS, st.just(0.25)), max_size=5),
)


@settings(max_examples=300, derandomize=True)
@given(
    st.lists(TEXTS, min_size=2, max_size=6),
    JUDGEMENTS,
    st.dictionaries(KEYS, st.none() | GIVEN, max_size=4),
)
def test_columns_hold_the_judgement_of_each_pair(texts, judgements, changes):
    documents = [document(number, text) for number, text in enumerate(texts)]
    both = [(a, b) for b in range(len(texts)) for a in range(b)]
    rows = PairRows(pairs_of(both), documents)

    def expected(judgements):
        judged = [judgements.judgement_of(PairKey.of(documents[a], documents[b])) for a, b in both]
        return [
            [VERDICTS.index(judgement.judgement.verdict) for judgement in judged],
            [judgement.earlier is not None for judgement in judged],
            [bool(judgement.judgement.note) for judgement in judged],
        ]

    columns = rows.columns(judgements)
    before = [column.tolist() for column in columns]
    assert before == expected(judgements)
    draft = JudgementsDraft(judgements)
    for changed, change in changes.items():
        if change:
            draft.verdicts[changed] = change
        else:
            draft.verdicts.pop(changed, None)
    changed_rows = rows.update(columns, draft.judgements(), list(changes))
    after = [column.tolist() for column in columns]
    assert after == expected(draft.judgements())
    kept = set(range(len(both))) - set(changed_rows.tolist())
    assert all(old[row] == new[row] for old, new in zip(before, after, strict=True) for row in kept)
