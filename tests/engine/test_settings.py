"""Settings are valid when made, say what is wrong with them, and know what they decide."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import NeardupError, SettingsError
from core.settings import DEFAULT_PRESET, PRESETS, ScanSettings

quick = settings(deadline=None, derandomize=True, max_examples=100)


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"unit": "line"}, "line"),
        ({"white_space": "keep"}, "keep"),
        ({"signature": "sha1"}, "sha1"),
        ({"weights": "idf"}, "idf"),
        ({"max_distance": 9}, "9"),
        ({"language": "klingon"}, "klingon"),
        ({"stem": True}, "language"),
        ({"unit": "char", "language": "english", "drop_stop_words": True}, "characters"),
        ({"k": 0}, "0"),
        ({"k": 65}, "65"),
        ({"k": -3}, "-3"),
        ({"k": True}, "True"),
        ({"k": 5.0}, "5.0"),
        ({"k": "5"}, "“5”"),
        ({"k": None}, "None"),
        ({"signature_size": 0}, "0"),
        ({"signature_size": 1025}, "1025"),
        ({"signature_size": 128.0}, "128.0"),
        ({"bands": 0}, "0"),
        ({"bands": 129}, "129"),
        ({"bands": False}, "False"),
        ({"rows": 0}, "0"),
        ({"rows": 2.5}, "2.5"),
        ({"seed": -1}, "-1"),
        ({"seed": 2**63}, str(2**63)),
        ({"min_resemblance": -0.01}, "-0.01"),
        ({"min_resemblance": 1.5}, "1.5"),
        ({"min_resemblance": float("nan")}, "nan"),
    ],
)
def test_a_wrong_value_is_named_in_a_sentence(changes, value):
    with pytest.raises(SettingsError) as raised:
        ScanSettings(**changes)

    sentence = str(raised.value)
    assert value in sentence
    assert sentence[0].isupper() or sentence.startswith("b × r")
    assert sentence.endswith(".")
    assert isinstance(raised.value, NeardupError)
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize("k", [1, 64])
def test_both_ends_of_the_shingle_length_are_allowed(k):
    assert ScanSettings(k=k).k == k


@quick
@given(size=st.integers(1, 1024), bands=st.integers(1, 1024), rows=st.integers(1, 1024))
def test_bands_times_rows_fit_into_the_signature(size, bands, rows):
    def make():
        return ScanSettings(signature_size=size, bands=bands, rows=rows)

    if bands * rows <= size:
        assert make().bands == bands
        return
    with pytest.raises(SettingsError) as raised:
        make()
    if bands <= size and rows <= size:
        assert f"{bands} × {rows} = {bands * rows}" in str(raised.value)
        assert f"K = {size}" in str(raised.value)


def test_changes_are_checked_again():
    with pytest.raises(SettingsError, match="65"):
        ScanSettings().with_changes(k=65)
    assert ScanSettings().with_changes(k=3) == ScanSettings(k=3)


def test_settings_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        ScanSettings().k = 3


@pytest.mark.parametrize(("unit", "usual"), [("word", False), ("char", True)])
def test_punctuation_is_what_is_usual_for_the_unit(unit, usual):
    assert ScanSettings(unit=unit).keep_punctuation is usual
    assert ScanSettings(unit=unit, keep_punctuation=not usual).keep_punctuation is not usual


def test_presets_have_names_and_a_default():
    assert DEFAULT_PRESET in PRESETS
    assert DEFAULT_PRESET.settings == ScanSettings()
    assert len({preset.name for preset in PRESETS}) == len(PRESETS)
    assert all(preset.purpose.endswith(".") for preset in PRESETS)
    assert all(preset.settings.with_changes() == preset.settings for preset in PRESETS)


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"bands": 20, "rows": 5}, True),
        ({"min_resemblance": 0.5}, True),
        ({"k": 4}, False),
        ({"unit": "char"}, False),
        ({"ignore_case": False}, False),
        ({"keep_punctuation": True}, False),
        ({"keep_digits": False}, False),
        ({"white_space": "collapse"}, False),
        ({"bag": True}, False),
        ({"signature": "minhash"}, False),
        ({"signature_size": 200}, False),
        ({"signature_size": 1024, "bands": 200}, False),
        ({"seed": 2}, False),
    ],
)
def test_only_bands_rows_and_threshold_keep_the_signatures(changes, same):
    one, other = ScanSettings(), ScanSettings(**changes)

    assert one.same_signatures(other) is same
    assert other.same_signatures(one) is same
