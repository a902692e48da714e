"""One pair has the same numbers wherever they are asked for."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence.overlap import are_same, figures_of, numbers_of_shingles
from core.reports.from_scan import report_of
from core.scan.corpus import Corpus
from core.scan.flow import scan
from core.scan.lister import PairLister
from core.scan.query import TextIndex
from core.settings import ScanSettings
from core.signatures.signing import sign_texts
from core.text.shingling import shingle

quick = settings(deadline=None, derandomize=True, max_examples=40)

SETTINGS = [
    ScanSettings(k=2, min_resemblance=0),
    ScanSettings(k=2, bag=True, min_resemblance=0),
    ScanSettings(unit="char", k=3, min_resemblance=0),
    ScanSettings(k=3, signature="simhash", max_distance=8, min_resemblance=0),
]
words = st.sampled_from(["one", "two", "three", "漢字", "カナ", "ภาษา", "a"])
text = st.lists(words, min_size=1, max_size=60).map(" ".join)


@pytest.mark.parametrize("options", SETTINGS)
@quick
@given(st.data())
def test_either_text_may_come_first(options, data):
    """The table is made of the first one; which of two equally long ones it is, is chance."""
    one, other = data.draw(text), data.draw(text)
    shingles = shingle([one, other], options)
    first, second = np.array([0]), np.array([1])

    there = numbers_of_shingles(shingles, first, second, options).figures(0)
    back = numbers_of_shingles(shingles, second, first, options).figures(0)

    assert back == there._replace(
        containment_a=there.containment_b, containment_b=there.containment_a
    )


@pytest.mark.parametrize("options", SETTINGS)
@quick
@given(st.lists(text, min_size=2, max_size=6, unique=True))
def test_a_list_a_query_and_a_pair_alone_agree(options, texts):
    with ThreadPoolExecutor(1) as pool:
        corpus = Corpus(options, pool)
        corpus.add(texts, sign_texts(texts, options))
        pairs = PairLister(corpus).list_pairs(options).pairs
        listed = {
            (a, b): pairs.figures(row)
            for row, (a, b) in enumerate(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))
        }
        index = TextIndex(corpus, options)
        for number, own in enumerate(texts):
            found = index.matches(own)
            for row, document in enumerate(found.documents.tolist()):
                if (number, document) in listed:
                    figures = listed[number, document]
                    assert figures.containment_a == found.containment_text[row]
                    assert figures.containment_b == found.containment_document[row]
                    for name in ("resemblance", "longest_run", "shared_shingles", "run_words"):
                        assert getattr(figures, name) == getattr(found, name)[row]
    for (a, b), figures in listed.items():
        assert are_same(figures, figures_of(texts[a], texts[b], options))


@pytest.mark.parametrize("options", SETTINGS)
def test_a_report_shows_the_numbers_of_the_pair_alone(options, tmp_path):
    rng = random.Random(5)
    texts = [" ".join(rng.choice(["one", "two", "漢字", "a"]) for _ in range(30)) for _ in range(8)]
    for number, own in enumerate(texts):
        (tmp_path / f"{number}.txt").write_text(own, encoding="utf-8")
    done = scan([tmp_path], options)
    pairs = report_of(done, done.list_pairs()).pairs
    done.close()

    assert len(pairs) > 10
    for row in range(len(pairs)):
        both = texts[pairs.a[row]], texts[pairs.b[row]]
        assert are_same(pairs.figures(row), figures_of(*both, options))


def test_texts_without_words_share_nothing():
    figures = figures_of("", "", ScanSettings())
    assert (figures.resemblance, figures.shared_shingles, figures.longest_run) == (0, 0, 0)
    assert figures_of("", "one two three", ScanSettings()).containment_b == 0
