"""The audit plants reworked passages and holds what is found against what is promised."""

import json

import numpy as np
import pytest

import core
from core.audit.auditing import CELLS, audit, plant_reworked
from core.audit.planted_copies import move_sentences, words_of
from core.base.tasks import never
from core.evidence.pairs import FoundBy
from core.reports.audit_words import figures, sentences
from core.scan.audit_results import Method
from core.settings import ScanSettings
from core.text.store import TextStore

CAREFUL = ScanSettings(reworked="careful")
NAMES = [f"document {number}.txt" for number in range(150)]


@pytest.fixture(scope="module")
def texts():
    """Documents of 260 words in sentences, of which no two have anything in common."""
    rng = np.random.default_rng(3)
    lengths = rng.integers(2, 9, 4000)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    vocabulary = ["".join(rng.choice(letters, length)) for length in lengths]
    return [
        " ".join(
            vocabulary[word] + ("." if place % 13 == 12 else "")
            for place, word in enumerate(rng.integers(0, 4000, 260))
        )
        for _ in NAMES
    ]


@pytest.fixture(scope="module", params=list(Method))
def audited(request, texts):
    """An audit as in a large folder, where not all pairs are measured for reworked passages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.scan.reworked.MEASURED_ALL", {})
        return audit(texts, CAREFUL, method=request.param, count=150)


def test_where_all_pairs_are_measured_no_candidate_is_missed(texts):
    cells = audit(texts[:60], CAREFUL, method=Method.ALL_PAIRS, count=60).reworked.cells
    for row in cells:
        assert row.promised - 0.02 <= row.found.high
    assert min(row.promised for row in cells) > 0.9
    assert sum(row.planted - row.listed for row in cells) < 5


def test_copies_listed_only_for_reworked_passages_are_no_recall(texts):
    """Half of the words exchanged: below the threshold, met by a band, listed as reworked."""
    settings = ScanSettings(k=2, bands=64, rows=2, min_resemblance=0.5)
    result = audit(texts[:40], settings, method=Method.EDITED_COPIES, count=40)
    assert all(row.listed <= row.wanted for row in result.planting.edits)
    text = "\n".join(sentences(result, settings, NAMES, shown=2))
    assert "25 % of words changed      40" in text


def test_what_is_found_keeps_the_promise(audited):
    assert [(row.words, row.changed) for row in audited.reworked.cells] == list(CELLS)
    for row in audited.reworked.cells:
        assert row.planted == len(NAMES)
        assert row.found.high >= row.promised - 0.02
        assert row.reworked <= row.listed
    by_cell = {(row.words, row.changed): row for row in audited.reworked.cells}
    assert by_cell[60, 0.2].found.value >= 0.95
    assert by_cell[100, 0.4].found.value >= 0.80
    assert by_cell[30, 0.4].found.value < by_cell[60, 0.2].found.value


def test_each_missed_passage_has_a_name(audited):
    reworked = audited.reworked
    missed = sum(row.planted - row.listed for row in reworked.cells)
    assert len(reworked.missed) == missed > 2
    lines = list(sentences(audited, CAREFUL, NAMES, shown=2))
    assert f"Not listed: {missed} passages." in lines
    assert sum(line.startswith("  document ") for line in lines) == 2
    assert any(line.startswith("   60      20%      150") for line in lines)


def test_figures_have_all_missed_passages(audited):
    values = json.loads(json.dumps(figures(audited, CAREFUL, NAMES)))["reworked_passages"]
    assert len(values["missed"]) == len(audited.reworked.missed)
    assert all(one["document"] in NAMES for one in values["missed"])
    assert {row["words"] for row in values["passages"]} == {30, 60, 100, 200}


def test_pairs_with_a_reworked_passage_are_no_fault_of_the_list(texts):
    rng = np.random.default_rng(1)
    words = texts[0].split()
    places = rng.choice(100, 25, replace=False)
    passage = [f"other{place}" if place in places else words[place] for place in range(100)]
    folder = [*texts[:30], " ".join([*texts[40].split(), *passage])]
    result = audit(folder, CAREFUL, method=Method.ALL_PAIRS, count=5)
    assert result.proof.wrong == 0
    assert not result.proof.missed


def test_a_pair_that_a_band_met_below_the_threshold_is_listed_for_its_passage_and_no_fault(texts):
    """Reworded so that a band of the signatures still agrees."""
    words = texts[0].split()
    reworded = [f"other{place}" if place % 4 == 3 else word for place, word in enumerate(words)]
    settings = CAREFUL.with_changes(bands=128, rows=1, k=3, min_resemblance=0.5, compare="bands")

    result = audit([*texts[:30], " ".join(reworded)], settings, method=Method.ALL_PAIRS, count=5)

    met = core.find_pairs([texts[0], " ".join(reworded)], settings)
    assert FoundBy(int(met.found_by[0])) == FoundBy.LSH | FoundBy.REWORKED
    assert met.resemblance[0] < settings.min_resemblance
    assert (result.proof.wrong, result.proof.missed, result.has_fault) == (0, (), False)


def test_where_none_are_looked_for_none_are_planted(texts):
    settings = ScanSettings(reworked="off")
    result = audit(texts[:20], settings)
    assert result.reworked is None
    assert figures(result, settings, NAMES)["reworked_passages"] is None
    assert not any("eworked" in line for line in sentences(result, settings, NAMES, shown=5))


def test_documents_too_short_have_no_passages():
    result = audit(["a few words", "some others", ""], CAREFUL)
    assert result.reworked.sources == 0
    lines = list(sentences(result, CAREFUL, NAMES, shown=5))
    assert any(line.startswith("No reworked passage could be planted") for line in lines)


def test_the_same_seed_plants_the_same_passages(texts):
    store = TextStore()
    store.adopt(texts, np.array([len(text) for text in texts]))
    once, again = (plant_reworked(store, 7, 10, never) for _ in range(2))
    assert once == again != plant_reworked(store, 8, 10, never)
    for one in once:
        text, passage = texts[one.passage.document], one.passage
        words = {text[a:b] for a, b in zip(*words_of(text)[:2], strict=True)}
        inside = one.text.split("\n\n")[1].replace(".", " ").split()
        assert set(inside) <= words  # words of the same document alone
        assert abs(len(inside) - passage.words) <= passage.changed * passage.words


def test_sentences_are_moved_whole():
    text = "One two. Three four five! 六七。八九。"
    moved = {move_sentences(text, np.random.default_rng(seed)) for seed in range(9)}
    assert len(moved) > 3
    for one in moved:
        assert "Three four five!" in one
        assert "六七。" in one
