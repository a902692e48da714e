"""The catalogues of messages: what `make words` makes, what it complains of, the glossary."""

import ast
import csv
import re
from copy import deepcopy
from gettext import NullTranslations

import pytest
from babel import Locale
from babel.messages.pofile import read_po

from core.base.messages import Language, in_language
from core.base.wording import printable_text
from core.documents.model import Role
from core.evidence.passage import ChangeKind
from core.scan.judgements import Verdict
from tests.made_up_language import template, words
from tests.programs import ROOT, trees

LANGUAGES = ROOT / "resources" / "languages"
POLISH = """
msgid ""
msgstr ""
"Language: pl\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2);\\n"

msgid "{name} is missing."
msgstr "Brak {nazwa}."

msgid "{n} pair of {folder}"
msgid_plural "{n} pairs of {folder}"
msgstr[0] "Jedna para z {folder}"
msgstr[1] "{n} pary z {folder}"
msgstr[2] "{n} par"

msgid "{n} text"
msgid_plural "{n} texts"
msgstr[0] "{n} tekst"
msgstr[1] "{n} teksty"
msgstr[2] ""

msgid "&Open <b>it</b>"
msgstr "Otworz to"

msgid "{listed} of {all}"
msgstr "{listed} z {all}"
"""


@pytest.fixture
def messages():
    return template()


def test_the_template_is_up_to_date():
    extracted = words().extracted()
    assert {(entry.context, entry.id) for entry in template()} == {
        (entry.context, entry.id) for entry in extracted
    }


def texts(message):
    return texts_of(message.id)


def texts_of(words):
    return [words] if isinstance(words, str) else words


def glossary():
    with (LANGUAGES / "glossary.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_messages_keep_to_the_glossary(messages):
    avoided = "|".join(
        re.escape(word)
        for entry in glossary()
        for word in entry["not called"].split("; ")
        if not word.startswith("(")
    )
    wrong = re.compile(rf"(?<![\w-])(?:{avoided})(?![\w-])", re.IGNORECASE)
    assert wrong.search("The cut-off of a threshold.")
    assert [text for message in messages for text in texts(message) if wrong.search(text)] == []


def test_the_verb_of_a_part_agrees_with_the_part(messages):
    """ "1 of 115 pairs are shown": the plural form is that of the whole."""
    part = re.compile(r"(?:^|[.:] )\{(\w+)\} of \{\w+\}[^.:]*? (?:is|are|was|were|has|have)\b")
    assert part.search("{number} of {n} pairs are shown.")
    wrong = [
        text
        for message in messages
        for text in texts(message)
        for match in part.finditer(text)
        if match[1] != "n" or isinstance(message.id, str)
    ]
    assert wrong == []


@pytest.mark.parametrize("shown", [ChangeKind, Role, Verdict])
def test_what_is_stored_and_shown_is_a_message(messages, shown):
    every = {text for message in messages for text in texts(message)}
    assert set(shown) <= every


def test_the_page_of_terms_says_what_the_glossary_says():
    page = (ROOT / "resources" / "help" / "glossary.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE)[1:]
    entries = {entry["term"]: entry["what it means"] for entry in glossary()}
    assert len(rows) > 20
    assert [row for row in rows if entries.get(row[0]) != row[1]] == []


def test_translations_keep_the_placeholders_and_signs_of_their_messages():
    module = words()
    wrong = {
        f"{path.parents[1].name}: {texts(message)[0]}": fault
        for path in module.catalogues()
        for message, fault in module.faults(module.read(path))
    }
    assert wrong == {}


def test_no_mark_of_a_message_is_shown_as_an_escape():
    right_to_left = 0
    for path in sorted(LANGUAGES.glob("*/LC_MESSAGES/*.po")):
        with path.open("rb") as file:
            catalogue = read_po(file)
        spoken = Language(catalogue.locale.language, NullTranslations())
        right_to_left += spoken.runs_from_right
        with in_language(spoken):
            for message in catalogue:
                for translation in texts_of(message.string):
                    assert printable_text(translation) == translation
    assert right_to_left


def test_pairs_with_a_reworked_passage_come_on_top_of_those_with_another():
    of_them = {
        "ar": "منها", "de": "davon", "es": "de ellos", "fr": "dont", "hr": "od toga",
        "it": "di cui", "ja": "うち", "pl": "w tym", "pt_BR": "deles", "ru": "из них",
        "zh_CN": "其中",
    }  # fmt: skip
    paths = sorted(LANGUAGES.glob("*/LC_MESSAGES/*.po"))
    assert {path.parts[-3] for path in paths} == set(of_them)
    for path in paths:
        with path.open("rb") as file:
            catalogue = read_po(file)
        for translation in catalogue["{more}, {n} a reworked one"].string:
            assert of_them[path.parts[-3]] not in translation


def test_a_sentence_writes_percentages_as_tables_do(messages):
    module, help_pages = words(), "help/*.md"
    written = {"en": [text for message in messages for text in texts(message)]}
    written["en"] += [page.read_text("utf-8") for page in LANGUAGES.parent.glob(help_pages)]
    for path in module.catalogues():
        pages = path.parents[1].glob(help_pages)
        written[path.parents[1].name] = [
            *(text for message in module.read(path) for text in texts_of(message.string)),
            *(page.read_text("utf-8") for page in pages),
        ]
    for code, sentences in written.items():
        sign = Locale.parse(code).percent_formats[None].pattern.strip("#,0")
        signs = {found for text in sentences for found in re.findall(r"(?<=\d)\s*%", text)}
        assert signs == {sign}, code


def test_a_translation_that_would_be_shown_amiss_is_named(tmp_path):
    path = tmp_path / "neardup.po"
    path.write_text(POLISH, "utf-8")
    with path.open("rb") as file:
        catalogue = read_po(file, "pl")
    faults = {(texts(message)[0], fault) for message, fault in words().faults(catalogue)}
    assert faults == {
        ("{name} is missing.", "placeholders: without {name}, with unknown {nazwa}"),
        ("{n} pair of {folder}", "placeholders: without {folder}, with unknown none"),
        ("{n} text", "a plural form is empty"),
        ("&Open <b>it</b>", "other tags or entities"),
        ("&Open <b>it</b>", "other number of mnemonics (&)"),
    }


def test_catalogues_are_begun_compiled_and_left_as_they_are(tmp_path, monkeypatch, capsys):
    module = words()
    monkeypatch.setattr(module, "LANGUAGES", tmp_path)
    monkeypatch.setattr(module, "extracted", lambda: deepcopy(template()))
    module.main(["pl"])
    first = {path.name: path.read_bytes() for path in tmp_path.rglob("neardup.*")}
    module.main([])
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("neardup.*")} == first
    assert set(first) == {"neardup.pot", "neardup.po", "neardup.mo"}
    assert "pl: 0 translated" in capsys.readouterr().out
    assert b"nplurals=3" in first["neardup.po"]


def test_no_message_is_translated_before_the_language_is_known():
    early = [
        f"{path}: line {call.lineno}" for path, tree in trees() for call in calls_at_import(tree)
    ]
    assert list(calls_at_import(ast.parse("class A:\n    title = gettext('a')"))) != []
    assert early == []


def calls_at_import(node):
    """Translations outside of functions, also in what parameters are by default."""
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        parts = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    else:
        parts = ast.iter_child_nodes(node)
        name = (
            node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        )
        if name in ("gettext", "ngettext", "pgettext"):
            yield node
    for part in parts:
        yield from calls_at_import(part)


def test_no_message_stands_within_a_formatted_string():
    """There nothing extracts it."""
    keywords = words().KEYWORDS
    hidden = [
        f"{path}:{call.lineno}"
        for path, tree in trees()
        for string in ast.walk(tree)
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in keywords and isinstance(call.args[0], ast.Constant)
    ]
    assert hidden == []
