"""Settings as a file: what is written is read again, and what a stranger wrote is refused."""

import json
import os
import random
import re
import shlex
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import find_pairs
from core.base.setting import settings_of
from core.commands import settings as settings_command
from core.commands.main import build_parser
from core.commands.options import reading_from, settings_from
from core.documents.model import Role
from core.documents.reading_settings import DEFAULT_LIMITS, ReadingLimits, ReadingSettings
from core.errors import ExportError, SettingsError
from core.exclusions.rules import NO_RULES, Phrase
from core.reports.settings_file import (
    WHERE,
    SettingsRequest,
    read_settings_file,
    scan_arguments,
    write_settings_file,
)
from core.settings import LANGUAGES, PRESETS, ScanSettings
from tests.programs import ROOT, python

SETTINGS = settings_of(ScanSettings)
HEAD = {"format": "neardup settings", "version": 1}


def values(setting):
    if setting.is_switch:
        return st.booleans()
    if setting.choices:
        return st.sampled_from(list(setting.choices))
    low, high = setting.widest_bounds
    return st.integers(low, int(high)) if setting.is_integer else st.floats(low, high)


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
    reading = ReadingSettings(limits=ReadingLimits(seconds=7), passwords=("secret",))

    write_settings_file(file, ScanSettings(), reading)
    shared = read_settings_file(file)

    assert "secret" not in file.read_text()
    assert shared.read_with(ReadingSettings()) == ReadingSettings()
    assert shared.read_with(reading) == reading  # those of the reader stay


def test_settings_that_a_file_omits_have_their_defaults(file):
    shared = read_settings_file(written(file, HEAD | {"scan": {"bands": 20, "rows": 5}}))

    assert shared.scan == PRESETS[0].settings.with_changes(bands=20, rows=5)
    assert shared.reading == {}


def test_a_unit_alone_brings_its_usual_settings(file):
    shared = read_settings_file(written(file, HEAD | {"scan": {"unit": "char", "k": 9}}))

    assert shared.scan.keep_punctuation is True


def test_a_mark_of_the_order_of_bytes_is_no_harm(file):
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(HEAD).encode())

    assert read_settings_file(file).reading == {}


@pytest.mark.parametrize(
    ("scan", "message"),
    [
        ({"k": "5"}, "“Shingle length k” must be a whole number, not “5”."),
        ({"k": 5.0}, "“Shingle length k” must be a whole number, not 5.0."),
        ({"k": True}, "“Shingle length k” must be a whole number, not True."),
        ({"k": None}, "“Shingle length k” must be a whole number, not None."),
        ({"k": 65}, "“Shingle length k” must be between 1 and 64, not 65."),
        ({"k": [5]}, "“Shingle length k” must be a whole number, not [5]."),
        ({"unit": "page"}, "The setting unit must be word or char, not page."),
        ({"unit": ["word"]}, "The setting unit must be word or char, not ['word']."),
        ({"stem": 1}, "The setting stem must be on or off, not 1."),
        ({"stem": True}, "Stop words and stems need a language: it is not guessed."),
        ({"bands": 64, "rows": 3}, "64 × 3 = 192 is more than K = 128."),
        ({"kk": 5}, "It has “kk” in “scan”, which this version does not know."),
        ({"k\n": 5}, "It has “k\\n” in “scan”"),
        ({"signature": "x" * 9_999}, f"not {'x' * 40}…."),
        ([], "“scan” must be an object of settings."),
    ],
)
def test_a_setting_that_cannot_be_is_named(file, scan, message):
    sentence = refusal(file, HEAD | {"scan": scan})

    assert sentence.startswith("The settings in “settings.json” cannot be used: ")
    assert message in sentence


@pytest.mark.parametrize(
    ("text", "message"),
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
        (HEAD | {"fixed": ["limits"]}, "“fixed” must be a list of scan or reading"),
        (HEAD | {"fixed": "scan"}, "“fixed” must be a list of scan or reading, not scan."),
        ('{"k": NaN}', "It has a number that is none, NaN."),
        ("[" * 60_000, "lists of lists of lists"),
        ("9" * 60_000, "a number of very many digits"),
        (" " * 70_000, "The file is larger than 65,536 bytes"),
    ],
)
def test_what_is_no_file_of_settings_is_reported(file, text, message):
    assert message in refusal(file, text)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda file: file.write_bytes(b"\xff\xfe{"), "not a text in UTF-8"),
        (lambda file: None, "“settings.json” cannot be used: The file cannot be"),
        (Path.mkdir, "a folder or a device"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported(file, make, message):
    make(file)
    with pytest.raises(SettingsError, match=message):
        read_settings_file(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(file):
    os.mkfifo(file)

    with pytest.raises(SettingsError, match="a folder or a device"):
        read_settings_file(file)


def test_a_file_that_cannot_be_written_is_reported(tmp_path):
    with pytest.raises(ExportError, match="does not exist"):
        write_settings_file(tmp_path / "no" / "x.json", ScanSettings(), ReadingSettings())


# Stands for the package where it is not installed: every two documents meet.
DATASKETCH = """
class MinHash:
    def __init__(self, num_perm, seed): self.made = (num_perm, seed)
    def update_batch(self, units): assert all(type(unit) is bytes for unit in units)

class MinHashLSH:
    def __init__(self, num_perm, params):
        assert params[0] * params[1] <= num_perm
        self.names = []
    def query(self, signature): return list(self.names)
    def insert(self, name, signature): self.names.append(name)
"""
COMPARED = [
    {},
    {"k": 1},
    {"ignore_case": False},
    {"keep_punctuation": True},
    {"keep_digits": False},
    {"keep_digits": False, "keep_punctuation": True},
    {"bag": True, "k": 2},
    {"unit": "char", "k": 4},
    {"unit": "char", "k": 4, "keep_punctuation": False},
    {"unit": "char", "k": 4, "white_space": "collapse"},
    {"unit": "char", "k": 4, "white_space": "collapse", "keep_punctuation": False},
    {"unit": "char", "k": 4, "keep_digits": False, "bag": True},
]


def parsed(arguments):
    return build_parser("scan").parse_args(arguments)


def lines_for(package, *given, **changes):
    return WHERE[package](SettingsRequest(ScanSettings(**changes), *given))


@given(settings=scans())
def test_the_command_asks_for_these_settings(settings):
    unused = [name for name in SETTINGS if not settings.method.uses(name)]
    meant = settings.with_changes(**{name: getattr(ScanSettings(), name) for name in unused})
    assert settings_from(parsed(scan_arguments(SettingsRequest(settings)))) == meant


def test_the_command_has_only_what_differs():
    usual = settings_from(parsed(["scan", "x"]))

    assert WHERE["shell"](SettingsRequest(usual)).code == "neardup scan FOLDER"
    arguments = scan_arguments(SettingsRequest(usual.with_changes(k=7)))
    assert arguments == ["scan", "FOLDER", "--k", "7"]


def test_the_command_reads_as_these_settings_do():
    limits = replace(DEFAULT_LIMITS, seconds=7)
    reading = ReadingSettings(archives=True, ocr=True, ocr_languages="deu+eng", limits=limits)

    assert reading_from(parsed(scan_arguments(SettingsRequest(ScanSettings(), reading)))) == reading


def test_the_command_names_folders_references_templates_and_what_is_set_aside():
    folders = [("-a", Role.REVIEW), ("b c", Role.REVIEW), ("old", Role.REFERENCE)]
    rules = NO_RULES.with_changes(quotations=True, common=5)

    folders.append(("sheet", Role.TEMPLATE))
    request = SettingsRequest(ScanSettings(), folders=folders, rules=rules)
    options = parsed(scan_arguments(request))

    assert options.folders == [Path("-a"), Path("b c")]
    assert (options.reference, options.template) == ([Path("old")], [Path("sheet")])
    assert options.set_aside == "quotations,common=5"


@pytest.mark.parametrize("package", ["shell", "powershell"])
def test_what_a_command_leaves_out_is_reported(package):
    rules = NO_RULES.with_phrases([Phrase("secret words"), Phrase("others")])
    lines = lines_for(package, ReadingSettings(passwords=("sesame",)), (), rules)

    assert "secret" not in str(lines)
    assert "sesame" not in str(lines)
    assert "2 chosen passages" in lines.differs
    assert "--passwords FILE" in lines.differs


@given(path=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_a_posix_shell_reads_the_folder_as_it_is(path):
    line = lines_for("shell", ReadingSettings(), [(path, Role.REVIEW)]).code

    assert Path(shlex.split(line)[2]) == Path(path)


@pytest.mark.parametrize(
    ("path", "quoted"),
    [
        (r"C:\essays", r"C:\essays"),
        (r"C:\my essays", r'"C:\my essays"'),
        (r"C:\über", r"C:\über"),
        (r"C:\a&b", r'"C:\a&b"'),
        (r"C:\it's", r'''"C:\it's"'''),
        (r"C:\$home", r"'C:\$home'"),
        (r"C:\100%", r"'C:\100%'"),
        (r"C:\it's $5", r"'C:\it''s $5'"),
        (r"C:\‘$’", r"'C:\‘‘$’’'"),
        (r"C:\“a”", r"'C:\“a”'"),
    ],
)
def test_powershell_reads_the_folder_as_it_is(path, quoted):
    line = lines_for("powershell", ReadingSettings(), [(path, Role.REVIEW)]).code

    assert line.split(" ", 2)[2].startswith(quoted)


def texts(count=14):
    """Texts that share from nothing to nearly all, with case, digits, marks and odd spaces."""
    chance = random.Random(5)
    words = ["Alpha", "beta", "GAMMA", "4", "17b", "x_y", "it's", "end.", "(so)", "a-b", "delta,"]
    first = [chance.choice(words) + chance.choice("abcdef") for _ in range(60)]
    made = ["", "...", "beta", "  beta \n Alpha\t"]
    for number in range(count):
        words = [*first[: chance.randrange(10, 60)], f"own{number}", *first[:9]]
        made.append(chance.choice([" ", "  ", "\n"]).join(words))
    return made


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "texts").mkdir()
    for number, text in enumerate(texts()):
        (tmp_path / "texts" / f"{number:02}.txt").write_text(text, "utf-8", newline="")
    return tmp_path


def run(code, folder):
    """What the lines print: the pairs by the numbers of their files."""
    (folder / "lines.py").write_text(code, "utf-8")
    done = python(
        "lines.py", cwd=folder, env={"PYTHONPATH": f"{ROOT}:{folder}", "PYTHONIOENCODING": "utf-8"}
    )
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"^([\d.]+)  texts/(\d+).txt  texts/(\d+).txt$", done.stdout, re.MULTILINE)
    return {(int(a), int(b)): float(resemblance) for resemblance, a, b in rows}


def listed_pairs(settings):
    pairs = find_pairs(texts(), settings.with_changes(compare="all", list_passages=False))
    numbers = zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)
    return dict(zip(numbers, pairs.resemblance.round(3).tolist(), strict=True))


@pytest.mark.skipif(sys.platform == "win32", reason="its paths are written otherwise")
@pytest.mark.parametrize("changes", COMPARED)
def test_the_lines_of_datasketch_cut_the_same_shingles(folder, changes):
    changes = {"min_resemblance": 0.05, **changes}
    (folder / "datasketch.py").write_text(DATASKETCH)

    output = run(lines_for("datasketch", **changes).code, folder)

    assert len(output) > 15
    assert output == pytest.approx(listed_pairs(ScanSettings(**changes)), abs=0.0011)


@pytest.mark.skipif(sys.platform == "win32", reason="its paths are written otherwise")
def test_the_lines_of_python_find_the_same_pairs(folder):
    settings = ScanSettings(unit="char", k=4, bands=42, rows=3, compare="all", list_passages=False)

    output = run(WHERE["python"](SettingsRequest(settings)).code, folder)

    assert output == listed_pairs(settings)


@pytest.mark.parametrize(
    ("package", "changes", "why"),
    [
        ("datasketch", {"signature": "simhash"}, "compare bits"),
        ("datatrove", {"signature": "simhash"}, "compare bits"),
        ("text-dedup", {"signature": "simhash"}, "compare bits"),
        ("datatrove", {"unit": "char"}, "words only"),
        ("text-dedup", {"unit": "char"}, "words only"),
        ("datasketch", {"bands": 1}, "no single band"),
    ],
)
def test_why_a_package_cannot_have_settings_is_reported(package, changes, why):
    lines = lines_for(package, **changes)

    assert not lines.code
    assert why in lines.differs


@pytest.mark.parametrize("package", ["datasketch", "datatrove", "text-dedup"])
def test_differences_in_other_packages_are_stated(package):
    usual = lines_for(package).differs
    stemmed = lines_for(package, language="german", stem=True).differs

    assert "words are compared as they are" not in usual
    assert stemmed == f"{usual} Other than here, words are compared as they are."


def test_the_numbers_of_datatrove_are_those_of_the_settings():
    changes = {"k": 7, "bands": 20, "rows": 5, "seed": 2**40 + 3, "ignore_case": False}
    code = lines_for("datatrove", **changes).code

    numbers = {"n_grams=7", "num_buckets=20", "hashes_per_bucket=5", "seed=3", "lowercase=False"}
    assert {number for number in numbers if number not in code} == set()


def test_the_file_of_text_dedup_has_the_numbers_of_the_settings():
    code = lines_for("text-dedup", k=7, bands=20, rows=5, min_resemblance=0.5).code
    algorithm = tomllib.loads(code)["algorithm"]

    assert (algorithm["ngram_size"], algorithm["num_perm"], algorithm["threshold"]) == (7, 128, 0.5)
    assert (algorithm["bands"], algorithm["rows"]) == (20, 5)
    assert "--ngram 7 --min_length 1" in code
    assert "--num_perm 128 --b 20 --r 5" in code


def test_the_command_line_prints_the_lines_and_nothing_else(neardup):
    printed = neardup("settings", "--lines", "datatrove", "--bands", "20", "--rows", "5")
    settings = settings_from(parsed(["scan", "x", "--bands", "20", "--rows", "5"]))
    lines = WHERE["datatrove"](SettingsRequest(settings))
    assert printed.out == f"{lines.code}\n"
    assert printed.err == f"neardup: {lines.title}: {lines.differs}\n"


def test_the_command_line_says_why_there_are_none(neardup):
    printed = neardup("settings", "--lines", "datatrove", "--unit", "char", status=1)
    assert not printed.out
    assert "words only" in printed.err


def test_the_command_line_knows_all_of_them(neardup):
    assert tuple(WHERE) == settings_command.LINES
    assert "Name a FILE" in neardup("settings", status=2).err
