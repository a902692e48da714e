"""Numbers and settings in words, and text as it is read."""

import re
from importlib.resources import files

import numpy as np
import pytest

from core.base.wording import counted, resemblance, share, threshold
from core.evidence.measures import measures
from core.evidence.pairs import FoundBy, Pairs
from core.reports.settings_words import found_in_words, setting_rows, settings_in_words
from core.settings import PRESETS, ScanSettings


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0.000"), (0.0004, "<0.001"), (0.9124, "0.912"), (0.9996, ">0.999"), (1, "1.000")],
)
def test_resemblance_never_looks_complete_when_it_is_not(value, words):
    assert resemblance(value) == words


@pytest.mark.parametrize(
    ("value", "words"), [(0, "0%"), (0.004, "<1%"), (0.97, "97%"), (0.996, ">99%"), (1, "100%")]
)
def test_share_never_looks_complete_when_it_is_not(value, words):
    assert share(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.1, "0.10"), (0.1 + 0.2, "0.30"), (0.125, "0.125"), (1, "1.00"), (0, "0.00")],
)
def test_a_threshold_is_told_as_it_was_given(value, words):
    assert threshold(value) == words


def test_counted():
    assert counted(1, "pair") == "1 pair"
    assert counted(1240, "pair") == "1,240 pairs"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_setting_is_told(preset):
    told = " ".join(value for _, value in setting_rows(preset.settings))
    for number in (preset.settings.k, preset.settings.bands, preset.settings.rows):
        assert re.search(rf"\b{number}\b", told)
    assert f"{preset.settings.min_resemblance:g}" in told
    assert len(list(settings_in_words(preset.settings))) == 3


def test_the_chance_of_being_found_is_told():
    words = " ".join(settings_in_words(ScanSettings()))
    assert (
        "this finds 47% of the pairs with a resemblance of 0.10, 93% with 0.20 and over 99% with "
        "0.30 or more." in words
    )
    words = " ".join(settings_in_words(ScanSettings(bands=1, rows=1)))
    assert (
        "0.10, 20% with 0.20, 30% with 0.30, 50% with 0.50, 70% with 0.70 and 90% with 0.90"
        in words
    )


def test_bags_are_told():
    assert "multiset" in measures("word", bag=True)[0].meaning
    assert "as often as it occurs" in " ".join(settings_in_words(ScanSettings(bag=True)))


def test_how_the_pairs_were_found():
    ways = [FoundBy.LSH, FoundBy.LSH, FoundBy.EXACT | FoundBy.LSH, FoundBy.PASSAGE]
    pairs = Pairs.empty().with_columns(a=np.zeros(4), found_by=np.array(ways, np.uint8))
    assert found_in_words(pairs) == ("How the pairs were found: shingles 2; exact 1; passage 1.")
    assert found_in_words(Pairs.empty()) == "No pairs are listed."


def test_the_report_has_the_hues_of_the_window():
    theme = pytest.importorskip("neardup_gui.environment.theme")
    style = files("core.reports.html").joinpath("report.css").read_text(encoding="utf-8")
    assert tuple(re.findall(r"--line: (#\w+)", style)) == theme.PASSAGE_HUES
    fills = re.findall(r"--fill-\d: (#\w+)", style)
    wanted = [color.fill.name() for color in theme.LIGHT.passages + theme.DARK.passages]
    assert fills == wanted


def test_simhash_in_words_speaks_of_bits_and_of_no_bands():
    settings = ScanSettings(
        signature="simhash", weights="tf-idf", max_distance=8, min_resemblance=0.5
    )

    sentence = list(settings_in_words(settings))[1]
    rows = dict(setting_rows(settings))

    assert "SimHash, shingles weighed by occurrence and by rarity in the folder" in sentence
    assert "at most 8 bits of their signatures differed" in sentence
    assert "78% with 0.90" in sentence
    assert "band" not in sentence
    assert rows["Bits that may differ"] == "d = 8"
    assert "Bands × rows" not in rows


def test_no_bit_may_differ_at_distance_zero():
    settings = ScanSettings(signature="simhash", max_distance=0)

    assert "when no bit of their signatures differed" in list(settings_in_words(settings))[1]


def test_stop_words_and_stems_are_told_with_their_language():
    settings = ScanSettings(language="english", drop_stop_words=True, stem=True)

    rows = dict(setting_rows(settings))

    assert "English stop words left out, words compared by their English stems" in next(
        settings_in_words(settings)
    )
    assert rows["Stop words"] == "English, left out"
    assert rows["Stems"] == "English, compared"
    assert dict(setting_rows(ScanSettings()))["Stems"] == "words as they are"


@pytest.mark.parametrize("changes", [{}, {"signature": "simhash"}])
def test_where_all_pairs_were_compared_none_became_a_candidate(changes):
    told = " ".join(settings_in_words(ScanSettings(**changes), 4950))
    assert "All 4,950 pairs of different documents were compared" in told
    assert "candidates" not in told
    assert "On average" not in told
    assert "signature of" in told
