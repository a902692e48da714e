"""Settings are valid when made, say what is wrong with them, and know what they decide."""

import argparse
from dataclasses import FrozenInstanceError, dataclass, fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.setting import Setting, declare, settings_of
from core.commands.options import add_reading_options, add_setting_options, settings_from
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import NeardupError, SettingsError
from core.reports.settings_words import setting_rows, settings_in_words
from core.review.header import settings_of as stored_settings
from core.settings import DEFAULT_PRESET, PRESETS, SECTIONS, TEXT, ScanSettings

SETTINGS = settings_of(ScanSettings)
USUAL = ScanSettings()
NUMBERS = [name for name, setting in SETTINGS.items() if setting.is_number]
# For settings that mean nothing with the usual ones, or cannot be without others.
NEEDED = {
    "white_space": {"unit": "char"},
    "weights": {"signature": "simhash"},
    "max_distance": {"signature": "simhash"},
    "language": {"stem": True},
    "drop_stop_words": {"language": "english"},
    "stem": {"language": "english"},
}


def another_value(name: str, setting: Setting):
    now = getattr(USUAL, name)
    if setting.is_switch:
        return not now
    if setting.choices:
        return next(value for value in setting.choices if value != now)
    low, high = setting.bounds(USUAL)
    return high if name == "signature_size" else low  # fewer values hold no 64 bands


@dataclass(frozen=True, kw_only=True, slots=True)
class MoreSettings(ScanSettings):
    least_words: int = declare(
        0, name="Least number of words", help="leave shorter texts out", section=TEXT, low=0, high=9
    )
    join_hyphens: bool = declare(
        False,
        name="Join hyphens",
        help="words that a hyphen parts are one",
        section=TEXT,
        treatment={True: "hyphens joined"},
    )


def test_every_field_is_a_setting():
    assert list(SETTINGS) == [field.name for field in fields(ScanSettings)]
    assert list(settings_of(ReadingLimits)) == [field.name for field in fields(ReadingLimits)]
    undeclared = {field.name for field in fields(ReadingSettings)} - settings_of(
        ReadingSettings
    ).keys()
    assert undeclared == {"limits", "passwords"}


@pytest.mark.parametrize("kind", [ScanSettings, ReadingSettings, ReadingLimits])
def test_every_setting_has_words_and_a_default_that_fits(kind):
    settings = kind()
    for name, setting in settings_of(kind).items():
        assert setting.name, name
        assert setting.help, name
        assert setting.tip or not setting.in_panel, name
        assert kind is not ScanSettings or setting.section in SECTIONS, name
        value = getattr(settings, name)
        value = setting.shown(value) if kind is ReadingLimits else value
        assert setting.fits(value, settings), name


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_has_bounds_that_are_shown(name):
    low, high = SETTINGS[name].bounds(USUAL)

    for value in (low - 1, high + 1):
        with pytest.raises(SettingsError, match=f"between {low} and {high}, not {value}"):
            ScanSettings(**{name: value})


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_has_an_option(name):
    setting = SETTINGS[name]
    parser = argparse.ArgumentParser()
    add_setting_options(parser)
    value = another_value(name, setting)
    option = setting.option or f"--{name.replace('_', '-')}"
    given = [option] if value is True else [f"{option}={value}"]
    if value is False:
        given = [option.replace("--", "--no-", 1)]
    for other_name, needed in NEEDED.get(name, {}).items():
        option = SETTINGS[other_name].option or f"--{other_name}"
        given += [option] if needed is True else [option, needed]

    assert getattr(settings_from(parser.parse_args(given)), name) == value
    assert setting.described.split()[0] in parser.format_help()


def test_every_way_to_read_has_an_option():
    parser = argparse.ArgumentParser()
    add_reading_options(parser)
    help_text = " ".join(parser.format_help().split())

    for name in settings_of(ReadingSettings):
        assert f"--{name.replace('_', '-')}" in help_text
    for name, setting in settings_of(ReadingLimits).items():
        assert f"{name} ({setting.help})" in help_text


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_reported_in_the_report(name):
    needed = {**NEEDED.get(name, {}), "bands": 1, "rows": 1}
    before = ScanSettings(**{"language": "german"} | needed if name == "language" else needed)
    after = before.with_changes(**{name: another_value(name, SETTINGS[name])})
    if name in {"bands", "rows"}:
        after = before.with_changes(**{name: 2})

    assert list(setting_rows(before)) != list(setting_rows(after))


@pytest.mark.parametrize("name", SETTINGS)
def test_a_review_may_have_no_other_value_of_any_setting(name):
    with pytest.raises(SettingsError, match="nonsense"):
        stored_settings({name: ["nonsense"]})


def test_a_new_setting_is_its_field():
    settings = MoreSettings(least_words=7, join_hyphens=True)

    rows = dict(setting_rows(settings))
    assert (rows["Least number of words"], rows["Join hyphens"]) == ("7", "on")
    assert "hyphens joined" in next(settings_in_words(settings))
    assert not settings.same_signatures(MoreSettings())
    assert settings.as_applied()["least_words"] == 7
    with pytest.raises(SettingsError, match="number of words” must be between 0 and 9, not 10"):
        settings.with_changes(least_words=10)
    with pytest.raises(SettingsError, match="The setting join_hyphens must be on or off, not 1"):
        settings.with_changes(join_hyphens=1)


quick = settings(derandomize=True, max_examples=100)


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"unit": "line"}, "line"),
        ({"white_space": "keep"}, "keep"),
        ({"signature": "sha1"}, "sha1"),
        ({"weights": "idf"}, "idf"),
        ({"compare": "some"}, "auto, all or bands"),
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
    assert sentence[0].isupper() or sentence.startswith(("“", "b × r"))
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
        ({"reworked": "careful"}, False),
        ({"reworked": "thorough"}, False),
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
    settings, changed_settings = ScanSettings(), ScanSettings(**changes)

    assert settings.same_signatures(changed_settings) is same
    assert changed_settings.same_signatures(settings) is same
