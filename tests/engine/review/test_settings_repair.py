"""Settings that were stored by another version or by hand become valid ones, and it is said how."""

import json
import re
from dataclasses import asdict, fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import SettingsError
from core.review import settings_of
from core.review.settings_repair import FREE, signed_alike
from core.settings import PRESETS, ScanSettings

quick = settings(deadline=None, derandomize=True, max_examples=300)

NAMES = [field.name for field in fields(ScanSettings)]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 1100)
    | st.floats()
    | st.floats(0, 1)
    | st.sampled_from(["word", "char", "english", "fss", "minhash", "simhash", "tf-idf", "remove"])
    | st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=4
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), VALUES)


def made(changes):
    try:
        return ScanSettings(**changes)
    except (SettingsError, TypeError):
        return None


VALID = (
    st.fixed_dictionaries(
        {},
        optional={
            "unit": st.sampled_from(["word", "char"]),
            "k": st.integers(1, 64),
            "keep_punctuation": st.none() | st.booleans(),
            "keep_digits": st.booleans(),
            "language": st.sampled_from(["", "english"]),
            "stem": st.booleans(),
            "signature": st.sampled_from(["fss", "minhash", "simhash"]),
            "signature_size": st.integers(1, 1024),
            "bands": st.integers(1, 200),
            "rows": st.integers(1, 20),
            "max_distance": st.integers(0, 8),
            "seed": st.integers(0, 2**63 - 1),
            "min_resemblance": st.floats(0, 1) | st.sampled_from([0, 1]),
            "min_passage": st.none() | st.integers(1, 10_000),
        },
    )
    .map(made)
    .filter(lambda settings: settings is not None)
)


@quick
@given(VALID)
def test_valid_settings_come_back_as_they_are(options):
    stored = json.loads(json.dumps(asdict(options)))

    assert settings_of(stored) == (options, [])
    assert signed_alike(stored, options)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_come_back_as_they_are(preset):
    assert settings_of(asdict(preset.settings)) == (preset.settings, [])


@quick
@given(OBJECTS)
def test_any_object_gives_valid_settings_and_a_sentence_for_every_change(stored):
    options, sentences = settings_of(stored)

    assert options == ScanSettings(**asdict(options))
    changed = [
        name
        for name, value in stored.items()
        if name not in NAMES
        or (
            not same(getattr(options, name), value)
            and not (value is None and name in {"keep_punctuation", "min_passage"})
        )
    ]
    assert len(sentences) == len(changed)
    assert all(one.startswith("The review ") and one.endswith(".") for one in sentences)
    assert all(one.isprintable() for one in sentences)
    if changed and set(changed) - set(FREE):
        assert not signed_alike(stored, options)


def same(used, value):
    return used == value and type(used) in {type(value), float}


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        (
            {"bands": 300},
            (
                "The review asked for 300 bands; at most 64 of 2 rows fit a signature of 128 "
                "values: 64 are used."
            ),
        ),
        (
            {"bands": 64, "rows": 3},
            (
                "The review asked for 64 bands; at most 42 of 3 rows fit a signature of 128 "
                "values: 42 are used."
            ),
        ),
        (
            {"k": 0},
            (
                "The review asked for a shingle length of 0; it must be a whole number from 1 "
                "to 64: 1 is used."
            ),
        ),
        (
            {"language": "klingon"},
            (
                "The review asked for the language “klingon”, which this version does not "
                "know (it knows english): none is used."
            ),
        ),
        (
            {"unit": "line"},
            (
                "The review asked for shingles of “line”, which this version does not know: "
                "“word” is used."
            ),
        ),
        (
            {"stem": True},
            (
                "The review asked for stems, which needs shingles of words and a language: this is "
                "switched off."
            ),
        ),
        (
            {"bag": "yes"},
            "The review has “yes” for the setting “bag”, which cannot be: off is used.",
        ),
        (
            {"lemmas": 1},
            "The review has a setting “lemmas”, which this version does not know: it is ignored.",
        ),
    ],
)
def test_a_change_is_explained(stored, sentence):
    options, sentences = settings_of(stored)

    assert [re.sub(r"knows [a-z, ]+\)", "knows english)", one) for one in sentences] == [sentence]
    assert options == ScanSettings(**{name: getattr(options, name) for name in NAMES})


def test_the_nearest_valid_values_are_used():
    stored = {"k": 99.6, "signature_size": 10**400, "rows": 5, "bands": 1e300, "seed": -4}

    options, sentences = settings_of(stored)

    assert (options.k, options.signature_size, options.rows) == (64, 1024, 5)
    assert (options.bands, options.seed) == (204, 0)
    assert len(sentences) == 4
    assert max(map(len, sentences)) < 200


@pytest.mark.parametrize("name", FREE)
def test_what_only_chooses_among_signatures_keeps_them(name):
    stored = asdict(ScanSettings()) | {name: -1}

    assert signed_alike(stored, settings_of(stored)[0])


def test_other_signatures_cannot_be_used():
    for name, value in [("k", 0), ("unit", "line"), ("signature", "x"), ("new", 1), ("seed", -1)]:
        stored = asdict(ScanSettings()) | {name: value}
        assert not signed_alike(stored, settings_of(stored)[0]), name
