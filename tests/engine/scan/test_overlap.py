"""The overlap of a pair: what is highlighted adds up to it, in a list as in the compare view."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from core import find_pairs
from core.evidence.passages import PairText, find_shared_text
from core.scan.flow import scan
from core.scan.pair_text import shared_text
from core.settings import ScanSettings
from core.text.set_aside import GAP, Reason, SetAside

SAMPLE = Path(__file__).parents[3] / "resources" / "sample"


def highlighted(text, passages, side, settings, set_aside=()):
    """How many words of a text stand in a passage, and how many it has."""
    words = PairText(text, settings, set_aside)
    marked = np.zeros(len(text), dtype=np.bool_)
    for passage in passages:
        marked[getattr(passage, f"{side}_start") : getattr(passage, f"{side}_end")] = True
    counts = words.values != GAP
    return int((marked[words.starts] & counts).sum()), int(counts.sum())


def assert_adds_up(found, settings):
    """What is highlighted in each listed pair, against its numbers in the list."""
    pairs = found.pairs(settings)
    assert len(pairs)
    for row in range(len(pairs)):
        a, b = int(pairs.a[row]), int(pairs.b[row])
        shared = shared_text(found, a, b, settings)
        aside = found.aside(a, b)
        in_a, of_a = highlighted(found.texts[a], shared.passages, "a", settings, aside[0])
        in_b, of_b = highlighted(found.texts[b], shared.passages, "b", settings, aside[1])
        assert (pairs.overlap_a[row], pairs.overlap_b[row]) == (in_a / of_a, in_b / of_b)
        assert pairs.shared_words[row] == min(in_a, in_b)
        assert pairs.figures(row)[-4:] == tuple(shared.overlap)
        assert 0 <= pairs.overlap[row] <= (in_a / of_a + in_b / of_b) / 2
    return pairs


@pytest.mark.parametrize(
    "changes",
    [{}, {"reworked": "thorough", "k": 3}, {"reworked": "off"}, {"unit": "char", "k": 9}],
    ids=str,
)
def test_highlighted_words_add_up_to_the_overlap(changes):
    settings = ScanSettings(**changes)
    found = scan([SAMPLE], settings)
    try:
        assert_adds_up(found, settings)
    finally:
        found.close()


def generated(seed):
    """Texts of one vocabulary: parts of others word for word, reworded and moved, and all alike."""
    rng = Random(seed)
    vocabulary = [f"{chr(97 + n % 26)}{n * 7919 % 9973}" for n in range(900)]

    def words(count):
        return [vocabulary[min(int(rng.expovariate(1 / 150)), 899)] for _ in range(count)]

    texts = [words(rng.choice((3, 40, 200, 600))) for _ in range(6)]
    for _ in range(14):
        text = words(rng.choice((0, 10, 150)))
        for _ in range(rng.randint(1, 3)):
            source = rng.choice(texts)
            start = rng.randrange(len(source))
            part = source[start : start + rng.choice((6, 35, 120, 900))]
            share = rng.choice((0, 0, 0.1, 0.3))
            part = [rng.choice(vocabulary) if rng.random() < share else word for word in part]
            place = rng.randint(0, len(text))
            text = text[:place] + part + text[place:]
        texts.append(text)
    texts += [texts[0], words(1), texts[7] + ["end"]]
    return [" ".join(text) for text in texts]


@pytest.mark.parametrize("seed", range(4))
def test_the_overlap_of_generated_texts_is_what_is_highlighted(seed, tmp_path):
    for number, text in enumerate(generated(seed)):
        (tmp_path / f"{number:02}.txt").write_text(text, "utf-8")
    settings = ScanSettings(k=3, reworked=("careful", "off")[seed % 2])
    found = scan([tmp_path], settings)
    try:
        if seed > 1:  # a stretch in the midst of every other text
            spans = {
                number: [
                    SetAside(
                        len(found.texts[number]) // 3, len(found.texts[number]) // 2, Reason.COMMON
                    )
                ]
                for number in range(0, len(found.documents), 2)
                if len(found.texts[number]) > 60
            }
            found = found.with_set_aside(spans)
        pairs = assert_adds_up(found, settings)
    finally:
        found.close()
    assert (pairs.overlap[pairs.exact_duplicate] == 1).all()
    assert (np.diff(pairs.overlap) <= 0).all()


def test_the_overlap_does_not_depend_on_the_order_of_texts():
    texts = generated(5)
    pairs, turned = (find_pairs(one, ScanSettings(k=3)) for one in (texts, texts[::-1]))
    turned = turned.with_columns(a=len(texts) - 1 - turned.b, b=len(texts) - 1 - turned.a)
    turned = turned.take(np.lexsort((turned.b, turned.a)))

    assert pairs.a.tolist() == turned.a.tolist()
    for name, other in (("overlap", "overlap"), ("overlap_a", "overlap_b"), ("shared_words",) * 2):
        assert getattr(pairs, name).tolist() == getattr(turned, other).tolist()


def test_identical_texts_overlap_whole():
    """Also where what is set aside leaves a stretch that is no passage by itself."""
    text = " ".join(f"word{n}" for n in range(80))
    aside = [SetAside(0, 30, Reason.COMMON), SetAside(45, 200, Reason.COMMON)]

    shared = find_shared_text(text, text, ScanSettings(), set_aside=(aside, aside))

    assert tuple(shared.overlap)[:3] == (1, 1, 1)
    assert (
        highlighted(text, shared.passages, "a", ScanSettings(), aside)
        == (shared.overlap.shared_words,) * 2
    )


def test_the_overlap_is_measured_where_it_is_asked_for_or_costs_nothing():
    texts, off = generated(1), ScanSettings(reworked="off")

    assert set(find_pairs(texts, overlap=False).overlap) == {-1}
    assert set(find_pairs(texts, off).overlap) == {-1}
    assert min(find_pairs(texts).overlap) >= 0
    assert min(find_pairs(texts, off, overlap=True).overlap) >= 0
