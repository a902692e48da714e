"""What rules find by comparing documents: cover sheets, headings, common passages, templates."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.aside import repeated
from core.aside.finding import Known, find_aside
from core.aside.repeated import Texts
from core.aside.rules import NO_RULES, AsideRules, Phrase
from core.base.tasks import never
from core.errors import ScanCancelledError
from core.text.set_aside import Reason, check_spans

FORM = (
    "School of Lamps and Rivers\nEssay two: a place and who uses it\n\nCandidate: {name}\n\n"
    "I declare that this essay is my own work and that every source is named in it.\n\n"
)
ZH_FORM = (
    "灯河学院\n作业二：一个地方和使用它的人\n\n姓名：{name}\n\n本人声明这篇文章是我自己的作品。\n\n"
)


def words(seed, count=300):
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(10_000)}" for _ in range(count))


def find(texts, rules, known=None, template=(), cancelled=never):
    lengths = np.array([len(text) for text in texts], np.int64)
    with ThreadPoolExecutor(2) as pool:
        found = find_aside(
            Texts(texts, lengths, pool, cancelled), rules, known or Known(), template
        )
    for number, spans in found.items():
        check_spans(spans, len(texts[number]))
    return found


def shown(texts, found):
    return {
        number: [texts[number][one.start : one.end] for one in spans]
        for number, spans in found.items()
        if spans
    }


@pytest.mark.parametrize("form", [FORM, ZH_FORM], ids=["en", "zh"])
def test_a_cover_sheet_ends_where_the_essay_begins(form):
    names = ["Ann Lee", "Bo", "Carla van der Meer", "Đặng", "Öz Şen"]
    texts = [form.format(name=name) + words(name) for name in names]
    texts += [words(number) for number in range(20)]

    found = shown(texts, find(texts, AsideRules(repeated=True)))

    assert set(found) == set(range(5))
    for number, name in enumerate(names):
        whole = form.format(name=name).rstrip("。.\n")
        assert found[number] == [whole]


def test_copies_of_an_essay_have_the_cover_sheet_of_the_others():
    """Three copied the whole essay: that is what is to be found."""
    forms = [FORM.format(name=name) for name in ("Ann", "Bo", "Cy", *map(str, range(12)))]
    texts = [form + words("same" if n < 3 else n) for n, form in enumerate(forms)]

    found = shown(texts, find(texts, AsideRules(repeated=True)))

    assert found == {number: [form.rstrip(".\n")] for number, form in enumerate(forms)}


def test_what_short_essays_copy_behind_a_cover_sheet_is_none_of_it():
    """Only three have the form, and all three copied: nothing tells where the form ends."""
    texts = [
        FORM.format(name=name) + words("same", 200) + " " + words(name, 100)
        for name in ("Ann", "Bo", "Cy")
    ]

    assert shown(texts, find(texts, AsideRules(repeated=True))) == {}


def test_copies_without_a_cover_sheet_have_none():
    texts = [words("same") + words(number, 5) for number in range(4)]
    texts += [words(number) for number in range(20)]

    assert shown(texts, find(texts, AsideRules(repeated=True))) == {}


def test_headings_that_repeat():
    texts = [
        f"{words(number, 30)}\n\n## 2. Results\n\n{words(number + 50, 30)}\n\nOwn {number}\n\n"
        f"{words(number + 90, 30)}\nthe same line in all\n{words(number + 70, 30)}"
        for number in range(4)
    ]

    found = shown(texts, find(texts, AsideRules(repeated=True)))

    assert found == {number: ["2. Results"] for number in range(4)}


def test_common_passages_stand_in_enough_documents():
    passage = "the lamps of this town stay on all night and nobody has asked what for"
    texts = [f"{words(number, 40)} {passage} {words(number + 99, 40)}" for number in range(5)]
    texts += [f"{passage.upper().replace(' ', chr(10))} {passage}", words("other")]

    assert shown(texts, find(texts, AsideRules(common=7))) == {}
    found = shown(texts, find(texts, AsideRules(common=6)))
    assert {number: list(map(str.lower, own)) for number, own in found.items()} == {
        **{number: [passage] for number in range(5)},
        5: [f"{passage.replace(' ', chr(10))} {passage}"],
    }


def test_a_passage_twice_in_one_document_is_not_common():
    passage = "the lamps of this town stay on all night and nobody has asked what for"
    texts = [f"{passage}. {words(1, 9)} {passage}", words(2)]

    assert shown(texts, find(texts, AsideRules(common=2))) == {}


def test_of_templates_nothing_counts_and_others_lose_what_they_share():
    template = "Question one: why do the lamps stay on all night? Question two: who pays?"
    texts = [
        f"Question one: why do the lamps stay on all night?\n{words(1, 40)}\nTwo: by whom?",
        template,
        words(2),
    ]

    found = find(texts, NO_RULES, template=(1,))

    assert shown(texts, found) == {
        0: ["Question one: why do the lamps stay on all night"],
        1: [template],
    }
    assert {one.reason for spans in found.values() for one in spans} == {Reason.TEMPLATE}


def test_ranges_of_hashes_count_the_same(monkeypatch):
    passage = words("passage", 30)
    texts = [f"{words(number, 40)} {passage}" for number in range(6)]
    rules = AsideRules(common=4, repeated=True)
    whole = find(texts, rules)
    monkeypatch.setattr(repeated, "AT_ONCE", 50)
    monkeypatch.setattr(repeated, "KEPT_CHARACTERS", 10)

    assert find(texts, rules) == whole
    assert shown(texts, whole) == {number: [passage] for number in range(6)}


def some_rules(rng, texts):
    phrases = []
    for _ in range(rng.randrange(3)):
        own = texts[rng.randrange(len(texts))].split()
        start = rng.randrange(len(own))
        phrases.append(Phrase(" ".join(own[start : start + rng.randrange(1, 9)])))
    return AsideRules(
        quotations=rng.random() < 0.5,
        bibliography=rng.random() < 0.5,
        repeated=rng.random() < 0.5,
        common=rng.choice([0, 3, 4]),
        phrases=tuple({one.text: one for one in phrases}.values()),
    )


@pytest.mark.parametrize("seed", range(12))
def test_what_is_kept_is_what_is_found_anew(seed):
    rng = random.Random(seed)
    passage = words("passage", 20)
    texts = [
        f"{FORM.format(name=number)}{words(number, 60)} “{words(number % 3, 9)}” {passage}\n\n"
        "References\n\nMeyer, A. (1999). Lamps.\n\nTran, B. (2001). Lights."
        for number in range(6)
    ]
    template = (5,) if seed % 2 else ()
    rules = some_rules(rng, texts)
    spans = find(texts, rules, template=template)
    for _ in range(4):
        changed = some_rules(rng, texts)
        known = Known(rules, spans, frozenset(range(6)))
        kept = find(texts, changed, known, template)
        assert kept == find(texts, changed, template=template)
        number = rng.randrange(5)
        texts[number] += f" “{words(number, 7)}”"
        known = Known(changed, kept, frozenset(range(6)) - {number})
        spans, rules = find(texts, changed, known, template), changed
        assert spans == find(texts, changed, template=template)


def test_it_can_be_cancelled():
    with pytest.raises(ScanCancelledError):
        find([words(1)], AsideRules(quotations=True), cancelled=lambda: True)
