"""Reviews that somebody made on purpose, in the window: a sentence, and numbers of the texts."""

import sys
from pathlib import Path

import pytest

from core.scan.in_memory import find_pairs

BENCH = str(Path(__file__).parents[2] / "bench")
NAMES = [
    "texts: an endless view",
    "documents: a trigger",
    "very many tables",
    "facts deep",
    "setting seed huge",
    "document name escapes",
    "document path up",
    "signed 1 units huge",
    "pair 0 shared 1",
    "a copy that is none",
    "no shingles at all",
    "problem escapes",
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    sys.path.insert(0, BENCH)
    try:
        import crafted_reviews
    finally:
        sys.path.remove(BENCH)
    folder = tmp_path_factory.mktemp("crafted")
    crafted_reviews.make_documents(folder / "docs")
    crafted_reviews.make_review(folder / "docs", folder / "whole.neardup")
    return crafted_reviews, folder / "whole.neardup"


@pytest.fixture
def crafted(made, tmp_path):
    """A function that makes one of them by its name."""

    def craft(name):
        reviews, whole = made
        path = tmp_path / "sent.neardup"
        reviews.craft(whole, path, dict(reviews.crafted())[name])
        return path

    return craft


@pytest.mark.parametrize("name", NAMES)
def test_a_crafted_review_is_refused_in_words_or_shown_as_it_is(window, qtbot, crafted, name):
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_review(crafted(name))
    result = window.presenter.current.result
    if result is None:
        assert "sent.neardup" in window.message_bar.accessibleName()
        assert window.message_bar.accessibleName().isprintable()
        return
    scan = result.scan
    truth = find_pairs(list(scan.texts), scan.settings)
    assert sorted(result.found.every.resemblance.tolist()) == sorted(truth.resemblance.tolist())
    assert all(document.name.isprintable() for document in result.documents)


def test_a_pair_that_is_opened_is_measured_again_and_then_all_are(
    window, qtbot, crafted, monkeypatch
):
    """In a large review only a part is measured when it is opened: here nothing."""
    monkeypatch.setattr("core.review.stored_scan.agrees_with_texts", lambda *_: True)
    with qtbot.waitSignal(window.presenter.ended):
        window.presenter.open_review(crafted("pairs one more shared"))
    result = window.presenter.current.result
    truth = find_pairs(list(result.scan.texts), result.scan.settings)
    right = sorted(truth.resemblance.tolist())
    assert sorted(result.found.every.resemblance.tolist()) != right

    table = window.pages.pairs.table
    row = next(
        row
        for row in range(window.presenter.pairs.rowCount())
        if 0.2 < result.pairs.resemblance[window.presenter.pairs.pairs_in([row])][0] < 0.45
    )
    with qtbot.waitSignal(window.presenter.pair.compared):
        table.select_row(row)
    qtbot.waitUntil(lambda: window.presenter.current.result is not result)

    assert "said something else" in window.message_bar.accessibleName()
    assert sorted(window.presenter.current.result.found.every.resemblance.tolist()) == right
