"""A setting is its field: checks, option, report and repair follow from what the field declares."""

import argparse
from dataclasses import dataclass, fields

import pytest

from core.base.setting import Setting, declare, settings_of
from core.commands.options import add_reading_options, add_setting_options, settings_from
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import SettingsError
from core.reports.settings_words import setting_rows, settings_in_words
from core.review import settings_of as repaired
from core.settings import SECTIONS, TEXT, ScanSettings

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
        0, name="least number of words", help="leave shorter texts out", section=TEXT, low=0, high=9
    )
    join_hyphens: bool = declare(
        False,
        name="join hyphens",
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
def test_every_number_has_bounds_that_are_told(name):
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
    for other, needed in NEEDED.get(name, {}).items():
        option = SETTINGS[other].option or f"--{other}"
        given += [option] if needed is True else [option, needed]

    assert getattr(settings_from(parser.parse_args(given)), name) == value
    assert setting.help.split()[0] in parser.format_help()


def test_every_way_to_read_has_an_option():
    parser = argparse.ArgumentParser()
    add_reading_options(parser)
    told = " ".join(parser.format_help().split())

    for name in settings_of(ReadingSettings):
        assert f"--{name.replace('_', '-')}" in told
    for name, setting in settings_of(ReadingLimits).items():
        assert f"{name} ({setting.help})" in told


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_told_in_the_report(name):
    needed = {**NEEDED.get(name, {}), "bands": 1, "rows": 1}
    before = ScanSettings(**{"language": "german"} | needed if name == "language" else needed)
    after = before.with_changes(**{name: another_value(name, SETTINGS[name])})
    if name in {"bands", "rows"}:
        after = before.with_changes(**{name: 2})

    assert list(setting_rows(before)) != list(setting_rows(after))


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_repaired(name):
    settings, (sentence,) = repaired({name: ["nonsense"]})

    assert getattr(settings, name) == getattr(USUAL, name)
    assert sentence.startswith("The review ")
    assert "nonsense" in sentence


def test_a_new_setting_is_its_field():
    settings = MoreSettings(least_words=7, join_hyphens=True)

    rows = dict(setting_rows(settings))
    assert (rows["Least number of words"], rows["Join hyphens"]) == ("7", "on")
    assert "hyphens joined" in next(settings_in_words(settings))
    assert not settings.same_signatures(MoreSettings())
    assert settings.as_applied()["least_words"] == 7
    with pytest.raises(SettingsError, match="number of words must be between 0 and 9, not 10"):
        settings.with_changes(least_words=10)
    with pytest.raises(SettingsError, match="The setting join_hyphens must be on or off, not 1"):
        settings.with_changes(join_hyphens=1)
