"""Messages in another language: placeholders, plurals, numbers; wrong translations."""

from __future__ import annotations

import subprocess
import sys
from gettext import NullTranslations
from pathlib import Path
from threading import Thread

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from core.base import assets, messages
from core.base.messages import (
    Language,
    as_shown,
    gettext,
    in_language,
    language,
    load_language,
    ngettext,
    nstored,
    stored,
)
from core.base.wording import count, in_a_row, listed, resemblance, share, threshold
from core.errors import SettingsError
from core.program.startup import choose_language, language_of_system, languages


class _Polish(NullTranslations):
    """A few messages, one of them with a placeholder that no caller gives."""

    WORDS = {  # noqa: RUF012
        "{name} is missing.": "Brak {name}.",
        "{a} and {b}": "{a} i {c}",
        "Only with {conditions}.": "Tylko {conditions}.",
    }

    def gettext(self, message: str) -> str:
        return self.WORDS.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
        return "{n} para" if n == 1 else "{n} pary" if few else "{n} par"


class _Arabic(NullTranslations):
    def gettext(self, message: str) -> str:
        return {"{name} is missing.": "{name} مفقود.", "Missing: {name}": "مفقود: {name}"}.get(
            message, message
        )


SOURCES = (
    "{name} is missing.",
    "{name} is",
    ("{n} missing pair", "{n} missing pairs"),
    "Only with {conditions}.",
)
POLISH = Language("pl", _Polish(), "\u00a0", ",", "{}\u00a0%", lambda: SOURCES)


def test_a_message_is_filled_in_the_order_of_its_language() -> None:
    with in_language(POLISH):
        assert gettext("{name} is missing.", name="a.txt") == "Brak a.txt."
        assert [ngettext("{n} pair", "{n} pairs", n) for n in (1, 3, 1612)] == [
            "1 para",
            "3 pary",
            "1\u00a0612 par",
        ]
    assert gettext("{name} is missing.", name="{x}") == "{x} is missing."


def test_what_was_stored_in_english_is_shown_in_another_language() -> None:
    with in_language(POLISH):
        missing = stored("{name} is missing.", name="2 missing pairs")
        pairs = nstored("{n} missing pair", "{n} missing pairs", 1612)
        assert (missing, pairs) == ("2 missing pairs is missing.", "1,612 missing pairs")
        assert as_shown(missing) == "Brak 2 missing pairs."
        assert as_shown(pairs) == "1\u00a0612 par"
        assert as_shown("What nobody knows") == "What nobody knows"
        both = stored("Only with {conditions}.", conditions=f"{pairs}; x")
        assert as_shown(both) == "Tylko 1\u00a0612 par; x."
    assert as_shown(missing) == missing


def test_names_keep_their_order_in_a_sentence_that_runs_from_the_right() -> None:
    arabic = Language("ar", _Arabic())
    with in_language(arabic):
        assert gettext("{name} is missing.", name="a - (1).txt") == (
            "\u200f\u2068a - (1).txt\u2069 مفقود."
        )
        assert gettext(gettext("{name} is missing.", name="a.txt")).count("\u200f") == 1
        assert gettext("Missing: {name}", name="a.txt") == "مفقود: a.txt"
        assert gettext("Missing: {name}", name="مقال (2)") == "مفقود: مقال (2)"
        assert gettext("MinHash", name="x") == "MinHash"
        row = in_a_row(("a (1).txt", "b", "\u2068c (2)\u2069"))
        assert row == "\u2068a (1).txt\u2069، b، \u2068c (2)\u2069"
        assert stored("{name} is missing.", name="a - (1).txt") == "a - (1).txt is missing."


@pytest.mark.parametrize(
    ("code", "row"), [("ar", "a، b"), ("zh_CN", "a，b"), ("ja", "a、b"), ("pt_BR", "a, b")]
)
def test_words_in_a_row_have_the_comma_of_the_language(code: str, row: str) -> None:
    with in_language(Language(code)):
        assert in_a_row(("a", "", "b")) == row


def test_english_stands_in_for_a_wrong_translation() -> None:
    with in_language(POLISH):
        assert gettext("{a} and {b}", a=1, b=2) == "1 and 2"


def test_numbers_have_the_signs_of_the_language() -> None:
    with in_language(POLISH):
        shown = [count(1234567), resemblance(0.5), resemblance(1e-9), share(0.25), threshold(0.39)]
    assert shown == ["1\u00a0234\u00a0567", "0,500", "<0,001", "25\u00a0%", "0,39"]
    assert [share(0.999), share(1), share(1e-9), resemblance(0.99999)] == [
        ">99%",
        "100%",
        "<1%",
        ">0.999",
    ]
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_another_language_of_one_report_is_not_that_of_other_threads() -> None:
    seen: list[str] = []
    with in_language(POLISH):
        thread = Thread(target=lambda: seen.append(messages.language().code))
        thread.start()
        thread.join()
    assert seen == ["en"]


def test_a_language_without_catalogue_is_english_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert load_language("tlh").code == "en"
    assert "no catalogue for tlh" in caplog.text


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
        ({"LANG": "pt_PT"}, "pt_BR"),
        ({"LANG": "zh_TW.UTF-8"}, "en"),
        ({"LANG": "zh_Hant_TW.UTF-8"}, "en"),
        ({"LANG": "zh-Hant"}, "en"),
        ({"LANG": "zh_Hans_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.UTF-8", "LANGUAGE": "zh_TW:zh_SG"}, "zh"),
        ({"LANG": "ca_ES@valencia"}, "en"),
    ],
)
def test_the_system_says_which_language_it_is(environment, code):
    assert language_of_system(environment) == code


@pytest.mark.parametrize("given", [["--language", "de", "scan"], ["--language=de", "scan"]])
def test_who_asks_for_a_language_gets_it(given):
    assert choose_language(given, {"LANG": "zh_CN"}) == ["scan"]
    assert gettext("{name} is missing.", name="a") == "a: de"


@pytest.mark.parametrize(("asked", "used"), [("pt", "pt_BR"), ("pt-BR", "pt_BR"), ("de_AT", "de")])
def test_a_language_is_found_by_how_else_it_is_written(asked, used):
    choose_language(["--language", asked], {})

    assert language().code == used


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
