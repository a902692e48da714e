"""Which language the program starts in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from core.base import assets, messages
from core.base.messages import gettext, language
from core.errors import SettingsError
from core.program.language import choose_language, language_of_system, languages


@pytest.fixture(autouse=True)
def catalogues(tmp_path, monkeypatch):
    """Catalogues of three languages; the program speaks English again afterwards."""
    for code in ("de", "pt_BR", "zh"):
        catalogue = Catalog(code)
        catalogue.add("{name} is missing.", f"{{name}}: {code}")
        folder = tmp_path / "languages" / code / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "neardup.mo").open("wb") as file:
            write_mo(file, catalogue)
    monkeypatch.setattr(assets, "HOMES", (tmp_path,))
    monkeypatch.setattr(messages._Program, "language", messages.Language())


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE", "LC_ALL": "C.UTF-8", "LANGUAGE": "zh"}, "en"),
        ({"LANG": "en_GB", "LANGUAGE": "nl:pt_BR:de"}, "pt_BR"),
        ({"LANG": "de_DE", "LANGUAGE": "en:de"}, "en"),
        ({"LANG": "pt_PT"}, "en"),
        ({"LANG": "ca_ES@valencia"}, "en"),
    ],
)
def test_the_system_says_which_language_it_is(environment, code):
    assert language_of_system(environment) == code


@pytest.mark.parametrize("given", [["--language", "de", "scan"], ["--language=de", "scan"]])
def test_who_asks_for_a_language_gets_it(given):
    assert choose_language(given, {"LANG": "zh_CN"}) == ["scan"]
    assert gettext("{name} is missing.", name="a") == "a: de"


def test_the_option_of_a_command_is_about_the_texts():
    given = ["scan", "--language", "german"]
    assert choose_language(given, {}) == given
    assert language().code == "en"


@pytest.mark.parametrize("given", [["--language", "xx"], ["--language"], ["--language="]])
def test_a_language_that_is_not_there_is_named_with_those_that_are(given):
    with pytest.raises(SettingsError, match="There are en, de, pt_BR, zh"):
        choose_language(given, {})
    assert languages() == ["en", "de", "pt_BR", "zh"]


def test_the_program_itself_ends_with_a_sentence_where_there_is_no_such_language():
    for module in ("core", "neardup_gui"):
        done = subprocess.run(
            [sys.executable, "-m", module, "--language", "xx", "curve"],
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("neardup: --language: there is no language “xx”.")
