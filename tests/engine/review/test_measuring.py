"""Two texts alone give the numbers that the list of a scan shows of them."""

import random

import pytest

from core.evidence.overlap import are_same, figures_of
from core.review import open_review, save_review
from core.review.stored_scan import measured_again
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.scan.scan import Scan
from core.settings import ScanSettings

WORDS = [f"w{number}" for number in range(40)]


def some_texts():
    rng = random.Random(4)
    base = [rng.choice(WORDS) for _ in range(120)]
    texts = []
    for number in range(8):
        own = list(base)
        for _ in range(6 * number):
            own[rng.randrange(len(own))] = rng.choice(WORDS)
        texts.append(" ".join(own))
    return [
        *texts,
        texts[0],
        texts[1].upper() + " .",
        "a b " * 60,
        "a b " * 50,
        "漢字かな交じり文 " * 20,
        "w1 w2",
    ]


@pytest.mark.parametrize(
    "settings",
    [
        ScanSettings(k=2, min_resemblance=0.01),
        ScanSettings(unit="char", k=5, min_resemblance=0.01),
        ScanSettings(k=3, bag=True, min_resemblance=0.01),
        ScanSettings(k=3, signature="simhash", min_resemblance=0.01),
    ],
)
def test_a_pair_alone_has_the_numbers_of_the_list(settings):
    texts = some_texts()
    pairs = find_pairs(texts, settings)
    assert len(pairs) > 10
    for row in range(len(pairs)):
        texts_of_pair = texts[pairs.a[row]], texts[pairs.b[row]]
        assert are_same(pairs.figures(row), figures_of(*texts_of_pair, settings))


def test_another_number_is_another_measurement():
    settings = ScanSettings(k=2)
    figures = figures_of(*some_texts()[:2], settings)
    assert are_same(figures, figures._replace(longest_run=figures.longest_run + 1))
    assert not are_same(figures, figures._replace(run_words=figures.run_words + 1))
    assert not are_same(figures, figures._replace(resemblance=figures.resemblance + 0.001))


def test_everything_of_a_review_is_measured_again(tmp_path):
    for number, text in enumerate(some_texts()):
        (tmp_path / f"{number:02}.txt").write_text(text)
    done = scan([tmp_path], ScanSettings(k=2))
    right = done.pairs()
    done.close()
    path = tmp_path / "a.neardup"
    signed = done.state.signed
    save_review(path, done.state._replace(signed=signed._replace(digests=signed.digests * 0)))

    with open_review(path) as review:
        state = measured_again(review.state)
        assert state.signed.digests.tolist() == signed.digests.tolist()
        assert not len(state.evidence.codes)
        again = Scan.restored(state)
        found = again.pairs()
        again.close()
    assert found.resemblance.tolist() == right.resemblance.tolist()
