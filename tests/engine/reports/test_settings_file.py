"""Settings as a file: what is written is read again, and what a stranger wrote is refused."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.setting import settings_of
from core.documents.reading_settings import ReadingLimits, ReadingSettings
from core.errors import ExportError, SettingsError
from core.reports.settings_file import read_settings_file, write_settings_file
from core.settings import LANGUAGES, PRESETS, ScanSettings

SETTINGS = settings_of(ScanSettings)
HEAD = {"format": "neardup settings", "version": 1}


def values(setting):
    if setting.is_switch:
        return st.booleans()
    if setting.choices:
        return st.sampled_from(list(setting.choices))
    low, high = setting.widest_bounds
    return st.integers(low, int(high)) if setting.is_whole else st.floats(low, high)


@st.composite
def scans(draw):
    """Any settings that can be."""
    made = {name: draw(values(setting)) for name, setting in SETTINGS.items()}
    made["min_passage"] = draw(st.none() | st.integers(64, 10_000))
    made["keep_punctuation"] = draw(st.none() | st.booleans())
    made["rows"] = draw(st.integers(1, made["signature_size"]))
    made["bands"] = draw(st.integers(1, made["signature_size"] // made["rows"]))
    made["language"] = draw(st.sampled_from(LANGUAGES))
    if made["unit"] == "char":
        made |= {"drop_stop_words": False, "stem": False}
    return ScanSettings(**made)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "settings.json"


def written(file, text):
    file.write_text(text if isinstance(text, str) else json.dumps(text), "utf-8")
    return file


def refusal(file, text):
    with pytest.raises(SettingsError) as refused:
        read_settings_file(written(file, text))
    return str(refused.value)


@given(scan=scans(), archives=st.booleans(), ocr=st.booleans())
def test_all_settings_are_read_as_they_were_written(tmp_path_factory, scan, archives, ocr):
    file = tmp_path_factory.getbasetemp() / "any.json"
    reading = ReadingSettings(archives=archives, ocr=ocr, ocr_languages="deu+eng")

    write_settings_file(file, scan, reading)
    shared = read_settings_file(file)

    assert shared.scan == scan
    assert shared.read_with(ReadingSettings()) == reading


def test_limits_and_passwords_stay_on_their_computer(file):
    own = ReadingSettings(limits=ReadingLimits(pages=7), passwords=("secret",))

    write_settings_file(file, ScanSettings(), own)
    shared = read_settings_file(file)

    assert "secret" not in file.read_text()
    assert shared.read_with(ReadingSettings()) == ReadingSettings()
    assert shared.read_with(own) == own  # those of the reader stay


def test_what_a_file_leaves_out_is_as_usual(file):
    shared = read_settings_file(written(file, HEAD | {"scan": {"bands": 20, "rows": 5}}))

    assert shared.scan == PRESETS[0].settings.with_changes(bands=20, rows=5, reworked="careful")
    assert shared.reading == {}


def test_a_unit_alone_brings_what_is_usual_with_it(file):
    shared = read_settings_file(written(file, HEAD | {"scan": {"unit": "char", "k": 9}}))

    assert shared.scan.keep_punctuation is True


def test_a_mark_of_the_order_of_bytes_is_no_harm(file):
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(HEAD).encode())

    assert read_settings_file(file).reading == {}


@pytest.mark.parametrize(
    ("scan", "said"),
    [
        ({"k": "5"}, "The shingle length k must be a whole number, not “5”."),
        ({"k": 5.0}, "The shingle length k must be a whole number, not 5.0."),
        ({"k": True}, "The shingle length k must be a whole number, not True."),
        ({"k": None}, "The shingle length k must be a whole number, not None."),
        ({"k": 65}, "The shingle length k must be between 1 and 64, not 65."),
        ({"k": [5]}, "The shingle length k must be a whole number, not [5]."),
        ({"unit": "page"}, "The setting unit must be one of word, char, not page."),
        ({"unit": ["word"]}, "The setting unit must be one of word, char, not ['word']."),
        ({"stem": 1}, "The setting stem must be on or off, not 1."),
        ({"stem": True}, "Stop words and stems need a language: it is not guessed."),
        ({"bands": 64, "rows": 3}, "64 × 3 = 192 is more than K = 128."),
        ({"kk": 5}, "It has “kk” in “scan”, which this version does not know."),
        ({"k\n": 5}, "It has “k\\n” in “scan”"),
        ({"signature": "x" * 9_999}, f"not {'x' * 40}…."),
        ([], "“scan” must be an object of settings."),
    ],
)
def test_a_setting_that_cannot_be_is_named(file, scan, said):
    sentence = refusal(file, HEAD | {"scan": scan})

    assert sentence.startswith("The settings in “settings.json” cannot be used: ")
    assert said in sentence


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "It is not JSON: line 1"),
        ("k = 5", "It is not JSON: line 1"),
        ("[1, 2]", "it is no file of settings"),
        ("{}", "it is no file of settings"),
        ('"neardup settings"', "it is no file of settings"),
        ({"format": "neardup settings"}, "It is of version None; this Neardup reads version 1."),
        (HEAD | {"version": 2}, "It is of version 2; this Neardup reads version 1."),
        (HEAD | {"version": True}, "It is of version True"),
        (HEAD | {"version": "1" * 99}, "…; this Neardup reads version 1."),
        (HEAD | {"passwords": []}, "It has “passwords”, which this version does not know."),
        (HEAD | {"reading": {"limits": {"pages": 9}}}, "It has “limits” in “reading”"),
        (HEAD | {"reading": {"ocr": "yes"}}, "The setting ocr must be on or off, not yes."),
        (HEAD | {"reading": {"ocr_languages": "../eng"}}, "Languages are the short names"),
        (HEAD | {"reading": {"ocr_languages": 7}}, "Languages are the short names"),
        ('{"format": "neardup settings", "version": 1, "version": 1}', "It says “version” twice."),
        ('{"k": NaN}', "It has a number that is none, NaN."),
        ("[" * 60_000, "lists of lists of lists"),
        ("9" * 60_000, "a number of very many digits"),
        (" " * 70_000, "The file is larger than 65,536 bytes"),
    ],
)
def test_what_is_no_file_of_settings_is_told(file, text, said):
    assert said in refusal(file, text)


def test_bytes_that_are_no_text_are_told(file):
    file.write_bytes(b"\xff\xfe{")

    with pytest.raises(SettingsError, match="not a text in UTF-8"):
        read_settings_file(file)


def test_a_file_that_is_not_there_is_told(file):
    with pytest.raises(SettingsError, match=r"“settings.json” cannot be used: The file cannot be"):
        read_settings_file(file)


def test_a_folder_is_no_file_of_settings(tmp_path):
    with pytest.raises(SettingsError, match="a folder or a device"):
        read_settings_file(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(file):
    os.mkfifo(file)

    with pytest.raises(SettingsError, match="a folder or a device"):
        read_settings_file(file)


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(ExportError, match="does not exist"):
        write_settings_file(tmp_path / "no" / "x.json", ScanSettings(), ReadingSettings())
