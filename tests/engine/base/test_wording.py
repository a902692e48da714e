"""What is shown of names: nothing that cannot be seen, and nothing that commands a terminal.

Messages in another language: placeholders, plurals, numbers; wrong translations.

Patterns that are compiled when they are first used.
"""

import io
import math
import os
import re
import sys
import unicodedata
from copy import copy
from gettext import NullTranslations
from itertools import combinations
from pathlib import Path, PureWindowsPath
from threading import Thread

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hypothesis import given
from hypothesis import strategies as st

from core.base import assets, messages, wording
from core.base.arrays import around, highest_share, most_drawn, most_of_rest, wilson
from core.base.messages import (
    Language,
    as_shown,
    gettext,
    in_language,
    isolated_value,
    language,
    load_language,
    ngettext,
    nstored,
    stored,
)
from core.base.patterns import lazy_pattern
from core.base.wording import (
    comma_list,
    count,
    exact_name,
    listed,
    printable_name,
    printable_path,
    printable_text,
    quotable,
    resemblance,
    share,
    threshold,
)
from core.commands.main import main
from core.commands.terminal import command_terminal, printable_output
from core.errors import SettingsError
from core.program.startup import choose_language, language_of_system, languages
from tests.made_up_language import MIRRORED, spoken
from tests.programs import python


@pytest.mark.parametrize(
    ("hits", "cases", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 1 - 0.1611, 1.0),
    ],
)
def test_wilson_interval_is_the_published_one(hits, cases, low, high):
    assert wilson(hits, cases) == pytest.approx((hits / cases, low, high), abs=5e-5)


@pytest.mark.parametrize(("hits", "cases"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(hits, cases):
    with pytest.raises(ValueError, match="is not a share"):
        wilson(hits, cases)


@pytest.mark.parametrize(("checked", "confirmed", "rest"), [(3, 0, 5), (4, 1, 4), (2, 2, 5)])
def test_the_bound_after_a_random_check_is_that_of_counting(checked, confirmed, rest):
    total = checked + rest

    def chance(special: int) -> float:
        draws = list(combinations(range(total), checked))
        few = sum(sum(card < special for card in draw) <= confirmed for draw in draws)
        return few / len(draws)

    counted = max(more for more in range(rest + 1) if chance(more + confirmed) > 0.05)
    assert most_of_rest(checked, confirmed, rest, 0.05) == counted


def test_nothing_is_left_to_expect_where_all_were_checked():
    assert most_of_rest(30, 4, 0, 0.05) == 0


def test_the_rest_of_a_very_large_whole_is_bounded():
    """None of 30: the share of the rest is at most that of 30 draws with replacement."""
    rest = 10**15
    most = most_of_rest(30, 0, rest, 0.05)
    assert most / rest == pytest.approx(1 - 0.05 ** (1 / 30), rel=1e-6)
    assert most_of_rest(30, 30, rest, 0.05) == rest


def test_a_part_that_is_nearly_the_whole_bounds_the_rest():
    assert [most_of_rest(98, hits, 2, 0.05) for hits in (0, 10, 90, 98)] == [0, 1, 2, 2]


@pytest.mark.parametrize(("hits", "cases"), [(0, 60), (3, 10), (59, 60), (60, 60)])
def test_the_highest_share_is_where_so_few_hits_are_as_rare_as_said(hits, cases):
    share = highest_share(hits, cases, 0.025)
    chances = [math.comb(cases, k) * share**k * (1 - share) ** (cases - k) for k in range(hits + 1)]
    assert sum(chances) == pytest.approx(1.0 if hits == cases else 0.025)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 1.0])
def test_more_are_drawn_no_more_often_than_said(share):
    most = most_drawn(50, share, 0.025)
    chances = [math.comb(50, k) * share**k * (1 - share) ** (50 - k) for k in range(51)]
    assert sum(chances[most + 1 :]) <= 0.025 + 1e-12
    assert most == 0 or sum(chances[most:]) > 0.025


def test_a_number_that_cannot_be_negative_has_no_interval_below_zero():
    assert around(2.0, 10.0) == pytest.approx((2.0, 0.0, 21.6))


UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co")
# Format characters that enclose or mark the figures after them: they are seen.
SEEN = {
    *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
}  # fmt: skip
ESCAPES = "\x1b]0;title\x07\x1b[2J\x9b31m\u202etxt.exe\u200b\u2066\u00ad\U000e0041"
LETTERS = st.characters(exclude_categories=())
TRICKY = st.text(
    st.sampled_from("ab\\nx0e9\n\x85\udc85\udce9\u200b\u200c\u200d\ufe0f\u0915\u094d\u0645\u06cc\u0627\U000e0041")
)  # fmt: skip


def test_no_character_that_cannot_be_seen_is_shown():
    for code in range(0x110000):
        letter = chr(code)
        unseen = unicodedata.category(letter) in UNSEEN and code not in SEEN
        if unseen:
            assert letter not in printable_name(f"a{letter}b"), hex(code)
            assert letter in "\n\t" or letter not in printable_text(f"a{letter}b"), hex(code)
        elif unicodedata.category(letter)[0] in "LNPSZ" and letter.isprintable():
            shown = printable_name(f"a{letter}b")
            assert letter == "\\" or shown == f"a{letter}b" or code in BLANK, hex(code)


# Letters and signs that have no shape: fillers of Hangul, inherent vowels of Khmer, objects.
BLANK = {0x115F, 0x1160, 0x3164, 0xFFA0, 0xFFFC}


@pytest.mark.parametrize(
    "name",
    [
        "می\u200cخواهم.txt",
        "مستند\u200cها",
        "کتاب\u200cهای نو",
        "بَ\u200cا",
        "क्\u200dष क्\u200cष",
        "ශ්\u200dරී ලංකා",
        "שלום עולם",
        "Übung é e\u0301 ａ\u3000b",
        "❤\ufe0f 1\ufe0f\u20e3 🙂",
        "日本語 한국어 ไทย",
    ],
)
def test_names_of_many_scripts_stay_readable(name):
    assert printable_name(name) == name
    assert printable_text(name) == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\u200cb", "a\\u200cb"),
        ("می\u200c\u200cخواهم", "می\\u200c\\u200cخواهم"),
        ("می\u200c", "می\\u200c"),
        ("\u200cمی", "\\u200cمی"),
        ("क\u200dष", "क\\u200dष"),
        ("a\u200d\ufe0f", "a\\u200d\\ufe0f"),
        ("\u05e9\u200f.txt", "\u05e9\\u200f.txt"),
        ("caf\udce9", "caf\\xe9"),
        ("\udc85\x85", "\\x85\\u0085"),
        ("\U000e0041", "\\U000e0041"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb\tc\rd\\", "a\\nb\\tc\\rd\\\\"),
        # What is shown as an escape parts the letters: printable again, the name is the same.
        ("\u0627\u200c\ufe0f\u0627", "\u0627\\u200c\\ufe0f\u0627"),
    ],
)
def test_what_cannot_be_seen_is_an_escape(name, shown):
    assert printable_name(name) == shown


@given(st.lists(TRICKY | st.text(LETTERS), min_size=2, unique=True))
def test_different_names_have_different_escapes(different):
    assert len({printable_name(name) for name in different}) == len(different)


@given(TRICKY | st.text(LETTERS))
def test_a_printable_name_stays_one_and_is_encodable(name):
    shown = printable_name(name)
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert printable_text(shown) == shown
    assert len(shown.splitlines()) <= 1


def test_names_that_look_alike_differ_when_shown_exactly():
    alike = (
        ["é.txt", "e\u0301.txt"],
        ["a b", "a\u00a0b"],
        ["a  b", "a b"],
        ["مستند\u200cها", "مستندها"],
        ["❤\ufe0f", "❤"],
    )
    for first, second in alike:
        assert exact_name(printable_name(first)) != exact_name(printable_name(second))
        assert printable_name(exact_name(first)).isprintable()
    assert exact_name("é café 한국어.txt") == "é café 한국어.txt"


def test_a_path_of_windows_keeps_its_separators(monkeypatch):
    monkeypatch.setattr(wording.os, "sep", "\\")
    assert printable_path(PureWindowsPath("C:\\a\\b\u202e.txt")) == "C:\\a\\b\\u202e.txt"
    monkeypatch.setattr(wording.os, "sep", "/")
    assert printable_path(Path("/a\\b")) == "/a\\\\b"


@pytest.mark.parametrize(
    "arguments",
    [
        [f"--{ESCAPES}"],
        ["scan", ESCAPES],
        ["scan", ".", f"--{ESCAPES}"],
        ["scan", ".", "--unit", ESCAPES],
        ["scan", ".", "--k", ESCAPES],
        ["scan", ".", "--limit", ESCAPES],
        ["scan", ".", "--limit", f"seconds={ESCAPES}"],
        ["scan", ".", "--pairs", ESCAPES],
        ["scan", ".", "--pairs", f"{ESCAPES}/pairs.csv"],
        ["scan", ".", "--passwords", ESCAPES],
        ["scan", ".", "--reference", ESCAPES],
        ["scan", ".", "--template", ESCAPES],
        ["scan", ".", "--review", f"{ESCAPES}/a.neardup"],
        ["query", ESCAPES, ESCAPES],
        ["query", ".", ESCAPES],
        ["report", ESCAPES, "a.html"],
        ["report", f"{ESCAPES}.neardup", "a.html"],
        ["audit", ESCAPES],
        ["curve", ESCAPES],
        ["suggest", "--find", ESCAPES],
    ],
)  # fmt: skip
def test_no_argument_comes_raw_to_the_terminal(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    try:
        status = main(arguments)
    except SystemExit as error:
        status = error.code
    printed = capsys.readouterr()

    assert status in (1, 2)
    assert "Traceback" not in printed.err
    assert printed.err
    for letter in printed.out + printed.err:
        assert letter in "\n\t" or printable_name(letter) in (letter, "\\\\")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses such names")
def test_no_name_comes_raw_to_the_terminal_or_into_a_table(tmp_path, capsys):
    folder = tmp_path / f"in{ESCAPES}"
    folder.mkdir()
    words = " ".join(f"word{number}" for number in range(100))
    for name in ("a", f"b{ESCAPES}.txt", os.fsdecode(b"c\xe9.txt")):
        (folder / name).write_text(words)
    (folder / f"d{ESCAPES}.pdf").write_bytes(b"%PDF-1.4 nothing")
    review = tmp_path / f"r{ESCAPES}.neardup"
    targets = [f"--pairs={tmp_path / 'p.csv'}", f"--problems={tmp_path / 'q.csv'}"]

    assert (
        main(
            ["scan", str(folder), f"--review={review}", f"--report={tmp_path / 'r.html'}", *targets]
        )
        == 0
    )
    assert main(["query", str(review), str(folder / f"b{ESCAPES}.txt")]) == 0
    assert main(["audit", str(folder)]) == 0
    (folder / f"b{ESCAPES}.txt").unlink()
    assert main(["scan", str(folder), f"--review={review}"]) == 0
    assert main(["report", str(review), str(tmp_path / f"x{ESCAPES}.html")]) == 0

    written = "".join(
        (tmp_path / name).read_text("utf-8-sig") for name in ("p.csv", "q.csv", "r.html")
    )
    printed = capsys.readouterr()
    for letter in set(printed.out + printed.err + written):
        assert letter in "\n\t\r" or printable_name(letter) in (letter, "\\\\"), hex(ord(letter))


def test_only_our_own_commands_reach_the_terminal(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(sys, "stderr", terminal)
    with printable_output():
        sys.stderr.write("\x1b[2J\r\n")
        command_terminal("\r\x1b[K")
    command_terminal("\x1b[K")

    assert terminal.getvalue() == "\\x1b[2J\\r\n\r\x1b[K\x1b[K"


def test_direction_marks_stay_in_right_to_left_messages_and_not_in_texts():
    quoted = quotable("lamp\u2069\u2069 \u2068nested\u2069 \u200fz \u202e", 60)
    assert quoted == "lamp\\u2069\\u2069 \\u2068nested\\u2069 \\u200fz \\u202e"
    with spoken(MIRRORED):
        inner = f"\u2068two words and {isolated_value('a name')}\u2069"
        for message in ("\u200fA \u2068b c\u2069", inner):
            assert printable_text(message) == message
        assert printable_text("a\u2069 \u2068b\u200f") == "a\\u2069 \\u2068b\\u200f"
    assert printable_text("\u2068b\u2069") == "\\u2068b\\u2069"


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


def test_a_message_is_filled_in_the_order_of_its_language():
    with in_language(POLISH):
        assert gettext("{name} is missing.", name="a.txt") == "Brak a.txt."
        assert [ngettext("{n} pair", "{n} pairs", n) for n in (1, 3, 1612)] == [
            "1 para",
            "3 pary",
            "1\u00a0612 par",
        ]
    assert gettext("{name} is missing.", name="{x}") == "{x} is missing."


def test_what_was_stored_in_english_is_shown_in_another_language():
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


def test_names_keep_their_order_in_a_sentence_that_runs_from_the_right():
    arabic = Language("ar", _Arabic())
    with in_language(arabic):
        assert gettext("{name} is missing.", name="a - (1).txt") == (
            "\u200f\u2068a - (1).txt\u2069 مفقود."
        )
        assert gettext(gettext("{name} is missing.", name="a.txt")).count("\u200f") == 1
        assert gettext("Missing: {name}", name="a.txt") == "مفقود: a.txt"
        assert gettext("Missing: {name}", name="مقال (2)") == "مفقود: مقال (2)"
        assert gettext("MinHash", name="x") == "MinHash"
        row = comma_list(("a (1).txt", "b", "\u2068c (2)\u2069"))
        assert row == "\u2068a (1).txt\u2069، b، \u2068c (2)\u2069"
        assert stored("{name} is missing.", name="a - (1).txt") == "a - (1).txt is missing."


@pytest.mark.parametrize(
    ("code", "row"), [("ar", "a، b"), ("zh_CN", "a，b"), ("ja", "a、b"), ("pt_BR", "a, b")]
)
def test_words_in_a_row_have_the_comma_of_the_language(code, row):
    with in_language(Language(code)):
        assert comma_list(("a", "", "b")) == row


def test_english_stands_in_for_a_wrong_translation():
    with in_language(POLISH):
        assert gettext("{a} and {b}", a=1, b=2) == "1 and 2"


def test_numbers_have_the_signs_of_the_language():
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


def test_another_language_of_one_report_is_not_that_of_other_threads():
    seen: list[str] = []
    with in_language(POLISH):
        thread = Thread(target=lambda: seen.append(messages.language().code))
        thread.start()
        thread.join()
    assert seen == ["en"]


def test_a_language_without_catalogue_is_english_and_logged(caplog):
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


@pytest.mark.parametrize(("code", "used"), [("pt", "pt_BR"), ("pt-BR", "pt_BR"), ("de_AT", "de")])
def test_a_language_is_found_by_how_else_it_is_written(code, used):
    choose_language(["--language", code], {})

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
        done = python("-m", module, "--language", "xx", "curve", timeout=300)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("neardup: --language: there is no language “xx”.")


def test_a_lazy_pattern_answers_as_the_pattern_does():
    pattern = lazy_pattern(r"(?P<word>\w+)-", re.IGNORECASE)
    assert [match["word"] for match in pattern.finditer("one-two-three")] == ["one", "two"]
    assert pattern.sub("", "one-two") == "two"
    assert pattern.pattern == r"(?P<word>\w+)-"
    assert pattern.flags & re.IGNORECASE
    assert lazy_pattern(rb"\xff+").fullmatch(b"\xff\xff")


def test_a_copied_pattern_still_matches():
    assert copy(lazy_pattern("a+")).fullmatch("aa")


def test_it_is_compiled_when_it_is_used():
    broken = lazy_pattern("(")
    with pytest.raises(re.error, match="missing"):
        broken.search("")
