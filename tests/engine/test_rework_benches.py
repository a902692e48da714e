"""What the benches of reworded text measure with: an editor of any language, the PAN measures."""

from __future__ import annotations

import random
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path

import pytest

BENCHES = Path(__file__).parents[1] / "bench"
ENGLISH = "The river rose in the night. Nobody had slept, and the boats were gone! " * 5
CHINESE = "河水在夜里上涨。没有人睡着，船都不见了！" * 5


def loaded(name):
    """A bench, which is no part of a package."""
    spec = spec_from_file_location(name, BENCHES / f"{name}.py")
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def editor():
    return loaded("rework_editor")


@pytest.fixture(scope="module")
def pan():
    return loaded("pan_measures")


def reworked(editor, text, kind, share=0.2, seed=1):
    own = editor.words_of(text)
    words = editor.Words(own, editor.ByFrequency(own))
    return editor.rework(text, kind, share, words, random.Random(seed))


def test_every_fifth_word_is_exchanged(editor):
    before, after = (editor.words_of(text) for text in (ENGLISH, reworked(editor, ENGLISH, "nth")))
    changed = [
        place for place, pair in enumerate(zip(before, after, strict=True)) if len({*pair}) > 1
    ]

    assert len(changed) == round(0.2 * len(before))
    assert {after - before for before, after in pairwise(changed)} == {5}


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
@pytest.mark.parametrize(
    ("kind", "growth"),
    [("exchanged", 0), ("frequency", 0), ("dropped", -1), ("inserted", 1), ("swapped", 0)],
)
def test_the_share_is_changed(editor, text, kind, growth):
    before = editor.words_of(text)
    after = editor.words_of(reworked(editor, text, kind))

    assert len(after) == len(before) + growth * round(0.2 * len(before))
    assert after != before


def test_sentences_change_places_and_words_stay(editor):
    text = "One came early. Two stayed long. Three went home. Four said nothing."
    own = editor.words_of(text)

    after = editor.words_of(reworked(editor, text, "shuffled", share=0.0))

    assert after != own
    assert len(set(own) & set(after)) >= len(set(own)) - 1


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_the_same_seed_gives_the_same_text(editor, text):
    assert reworked(editor, text, "mixed") == reworked(editor, text, "mixed")
    assert reworked(editor, text, "mixed") != reworked(editor, text, "mixed", seed=2)


def test_a_script_without_spaces_gets_none(editor):
    for kind in editor.KINDS:
        assert " " not in reworked(editor, CHINESE, kind)


def test_measures_of_an_example_computed_by_hand(pan):
    case = pan.make_span("a", "b", (0, 100), (0, 100))
    halves = [
        pan.make_span("b", "a", (0, 50), (0, 50)),
        pan.make_span("a", "b", (50, 75), (50, 75)),
    ]
    elsewhere = pan.make_span("a", "b", (100, 200), (100, 200))

    got = pan.measure([case], [*halves, elsewhere])

    assert got.recall == pytest.approx(0.75)
    assert got.precision == pytest.approx(2 / 3)
    assert got.granularity == 2
    assert got.plagdet == pytest.approx(2 * 0.5 / (0.75 + 2 / 3) / 1.5849625)
