"""The pages of help, held against the program: links, commands, menus, keys, numbers, names."""

import itertools
import re
import shlex
from collections import Counter, defaultdict

import pytest
from PySide6.QtGui import QKeySequence, QTextDocument

from core.base import assets
from core.base.assets import resource
from core.base.messages import Language, in_language
from core.candidates.hamming import EQUAL_LIMIT
from core.candidates.reworked_curve import ReworkedCurve
from core.candidates.sorted_keys import BUCKET_LIMIT, DOCUMENT_LIMIT
from core.commands.main import COMMANDS, build_parser, main
from core.documents.reading_settings import DEFAULT_LIMITS
from core.evidence.pairs import WEAK_BITS, WEAK_OVERLAP, WEAK_WORDS
from core.program import help_pages as module
from core.program.help_pages import find_pages, help_pages
from core.reports.sections.pairs import LONGEST_PASSAGE, MOST_PASSAGES
from core.scan.copies import COPIES_SPELLED_OUT
from core.scan.corpus import BACKGROUND_PAIRS
from core.scan.groups import LEAST_RANK_SCORE
from core.scan.judgements import MOST_EARLIER
from core.scan.unread_pairs import CHECKED, FEWEST_JUDGED
from core.settings import PRESETS, USUAL_PASSAGE
from neardup_gui.environment.language import apply_language
from neardup_gui.models.pairs.columns import Column
from neardup_gui.models.problems import Remedy
from neardup_gui.window.actions import Action, Menu
from neardup_gui.window.layout import FOLD_BELOW
from neardup_gui.window.menus import LANGUAGE
from tests.made_up_language import words as catalogues
from tests.programs import ROOT

MOST_WORDS = 600
TEXTS = {page.name: page.text for page in help_pages()}
TRANSLATED = sorted((ROOT / "resources" / "languages").glob("*/help/*.md"))


def words_of(text):
    return [word for word in text.split() if re.search(r"\w", word)]


def test_contents_list_every_page_once_with_its_title():
    files = {path.stem for path in resource("help").glob("*.md")} - {"contents"}

    assert set(TEXTS) == files
    contents = (resource("help") / "contents.md").read_text("utf-8")
    for page in help_pages():
        assert page.text.startswith(f"# {page.title}\n"), page.name
        assert f"[{page.title}]({page.name}.md)" in contents


def test_a_page_is_short_and_what_it_leads_to_is_there():
    folder = resource("help")
    for name, text in TEXTS.items():
        assert len(words_of(text)) <= MOST_WORDS, name
        assert "http" not in text
        assert "plagiar" not in text.lower()
        for link in re.findall(r"\]\(([^)]+)\)", text):
            assert (folder / link).exists(), f"{name}: {link}"
        for script in re.findall(r"tests/bench/\w+\.py", text):
            assert (ROOT / script).exists(), f"{name}: {script}"


def test_a_page_that_is_missing_says_so_and_hides_no_other(monkeypatch, tmp_path):
    for file in ("contents.md", "keys.md"):
        (tmp_path / file).write_text((resource("help") / file).read_text("utf-8"), "utf-8")
    monkeypatch.setattr(module, "resource", lambda name: tmp_path / name.rpartition("/")[2])

    pages = {page.name: page.text for page in help_pages()}

    assert pages["keys"] == TEXTS["keys"]
    assert "missing" in pages["reading"]
    assert set(pages) == set(TEXTS)


def test_a_page_is_in_the_language_of_the_reader_where_it_is_in_it(monkeypatch, tmp_path, capsys):
    (tmp_path / "languages" / "ja" / "help").mkdir(parents=True)
    page = tmp_path / "languages" / "ja" / "help" / "deciding.md"
    page.write_text("# 判定する\n\n- " + "これはとても長い文です。" * 9 + "\n", "utf-8")
    monkeypatch.setattr(assets, "HOMES", (tmp_path, *assets.HOMES))
    monkeypatch.setenv("COLUMNS", "40")

    with in_language(Language("ja")):
        pages = {page.name: page for page in help_pages()}
        main(["help", "deciding"])

    assert pages["deciding"].title == "判定する"
    assert pages["keys"].text == TEXTS["keys"]
    title, rule, _empty, *lines = capsys.readouterr().out.splitlines()
    assert (title, rule) == ("判定する", "========")
    assert len(lines) > 5
    assert all(len(line) <= 20 for line in lines)  # of letters that are two columns wide


def likenesses(text, keys):
    """What a page has in every language."""
    return {
        "kinds of lines": re.findall(r"^(#+ |- |\d+\. |\||!\[)", text, re.MULTILINE),
        "links": Counter(re.findall(r"\]\(([^)]+)\)", text)),
        "code": Counter(re.findall(r"`+[^`]+`+", text)),
        "figures": Counter(re.findall(r"\d+", text)),
        "bold": text.count("**"),
        "italics": len(ITALICS.findall(text)),
        "keys": [text.count(key) for key in keys],
        "N": len(re.findall(r"\bN\b", text, re.ASCII)),
    }


ITALICS = re.compile(r"(?<!\*)\*([^*\n]+(?:\n[^*\n]+)?)\*(?!\*)")
KEYS = re.compile(r"\w+(?:\+\w+)+")


def names_in(text):
    """The menus, buttons and columns on a page."""
    return {plain(" ".join(name.split())) for name in ITALICS.findall(text)}


def plain(name):
    """Of a menu, button or column, without mnemonic, dots, and marks of direction."""
    return re.sub(r"\(&\w\)|&(?=\w)|[…\u200e\u200f]", "", name).strip()


def in_menus(key):
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_translated_page_says_the_same_as_the_english_one(path, qapp):
    text, english = path.read_text("utf-8"), TEXTS[path.stem]
    shown = defaultdict(set)
    for message in catalogues().read(path.parents[1] / "LC_MESSAGES" / "neardup.po"):
        if message.id and isinstance(message.id, str):
            shown[plain(message.id)].add(plain(message.string))
    keys = list(dict.fromkeys(KEYS.findall(english)))
    with in_language(Language(path.parts[-3])):
        apply_language(qapp)
    keys_in_menus = [in_menus(key) for key in keys]
    apply_language(qapp)
    document = QTextDocument()
    document.setMarkdown(text)

    assert likenesses(text, keys_in_menus) == likenesses(english, keys)
    for name in names_in(english):
        parts = [shown[part] for part in name.split(" › ")]
        if all(parts):
            expected = {" › ".join(choice) for choice in itertools.product(*parts)}
            assert expected & names_in(text), name
    assert "*" not in document.toPlainText()  # a mark beside a letter or a sign marks nothing


def commands_in(text):
    """Every line of code that starts this program, and every mention of one in a sentence."""
    for block in text.split("```")[1::2]:
        lines = block.replace("\\\n", "").splitlines()
        yield from (line for line in lines if line.startswith("neardup "))
    yield from re.findall(r"`(neardup [^`]+)`", text)


def options_of(parser, arguments):
    """The options of a command, or of the command within it."""
    options = {option for action in parser._actions for option in action.option_strings}
    for action in parser._actions:
        inner = action.choices if isinstance(action.choices, dict) else {}
        if arguments and arguments[0] in inner:
            return options | options_of(inner[arguments[0]], arguments[1:])
    return options


@pytest.mark.parametrize("name", [name for name in TEXTS if any(commands_in(TEXTS[name]))])
def test_every_command_on_a_page_has_the_options_it_is_given(name):
    for line in commands_in(TEXTS[name]):
        arguments = shlex.split(line)[1:]
        command = arguments[0]
        if command in COMMANDS:
            options = options_of(build_parser(command), arguments)
            given = {word for word in arguments if word.startswith("--")}
            assert given <= options, line
        else:
            assert command in {"--version", "COMMAND", "FOLDER", "ONE", "essays.neardup"}, line


def test_every_command_is_on_the_page_of_the_command_line():
    for command in COMMANDS:
        assert re.search(rf"^\|.*`{command}`", TEXTS["command-line"], re.MULTILINE), command


def test_every_menu_on_a_page_exists():
    entries = {
        (
            name.value.menu.replace("&", ""),
            " › ".join(filter(None, (name.value.group.replace("&", ""), name.value.title))).rstrip(
                "…"
            ),
        )
        for name in Action
    } | {("View", Menu.SORT.replace("&", "")), ("View", LANGUAGE)}
    paths = [
        (name, *path)
        for name, text in TEXTS.items()
        for path in re.findall(r"\*(File|Review|View|Help) › ([^*]+?)…?\*", text)
    ]

    assert len(paths) > 10
    assert [path for path in paths if path[1:] not in entries] == []


def test_page_of_keys_has_every_key_and_no_other():
    rows = [row for row in TEXTS["keys"].splitlines() if row.startswith("| ")]
    named = {key for row in rows for key in row.split("|")[1].strip().split(", ")}
    existing = {key for name in Action for key in name.value.keys}

    assert existing <= named
    assert named - existing == {"Keys", "Up", "Down", "Home", "End", "Menu"}


def test_every_number_preset_method_and_remedy_is_explained():
    for column in Column:
        if column >= Column.OVERLAP:
            assert f"\n| {column.words.title} |" in TEXTS["numbers"]
    for preset in PRESETS:
        assert f"\n| {preset.name} |" in TEXTS["settings"]
    for signature in ("Fast Similarity Sketching", "Classic MinHash", "SimHash"):
        assert f"*{signature}*" in TEXTS["settings"]
    for remedy in set(Remedy) - {Remedy.GET_OCR, Remedy.LANGUAGES}:
        assert f"*{remedy}*" in TEXTS["files"]


def test_page_on_reworked_passages_promises_what_the_curve_says():
    rows = [
        [int(number) for number in re.findall(r"\d+", line)]
        for line in TEXTS["reworked"].splitlines()
        if re.match(r"\| \d", line)
    ]
    assert [row[0] for row in rows] == [30, 60, 100, 200]
    for words, *percent in rows:
        assert percent == [
            int(100 * ReworkedCurve.usual(level).probability(words, changed))
            for level in ("careful", "thorough")
            for changed in (0.2, 0.4)
        ]


# Words of a page with a figure in them that the program has.
FIGURES = [
    ("found", f"run of at least {USUAL_PASSAGE} words"),
    ("found", f"in more than {DOCUMENT_LIMIT} documents"),
    ("found", f"more than {COPIES_SPELLED_OUT} copies"),
    ("columns", f"up to {COPIES_SPELLED_OUT} copies"),
    ("curve", f"{BACKGROUND_PAIRS:,} random pairs"),
    ("groups", f"at least {LEAST_RANK_SCORE:.2f}".replace("0.", ".")),
    ("deciding", f"last {MOST_EARLIER} versions"),
    ("deciding", f"After {FEWEST_JUDGED} verdicts"),
    ("deciding", f"Check {CHECKED} at random"),
    ("numbers", f"overlap below {WEAK_OVERLAP:.0%}"),
    (
        "numbers",
        f"fewer than {WEAK_WORDS} words, or the strongest has less than {WEAK_BITS:.0f} bits",
    ),
    ("report-contents", f"more than {MOST_PASSAGES} passages"),
    ("report-contents", f"more than {LONGEST_PASSAGE:,} characters"),
    ("settings", f"narrower than {FOLD_BELOW} pixels"),
    ("settings", f"in a row list a pair, {USUAL_PASSAGE} at first"),
    ("limits", f"for {DEFAULT_LIMITS.characters // 1_000_000} million characters"),
    ("limits", f"{DEFAULT_LIMITS.memory_bytes // 1_000_000} MB"),
    ("clusters", f"more than {BUCKET_LIMIT:,} documents that agree in a band"),
    ("methods", f"more than {EQUAL_LIMIT:,} equal fingerprints"),
]


@pytest.mark.parametrize(("name", "words"), FIGURES)
def test_a_figure_on_a_page_is_that_of_the_program(name, words):
    assert words in " ".join(TEXTS[name].split())


def test_every_page_about_a_widget_exists():
    named = {
        name
        for file in (ROOT / "neardup_gui" / "views").rglob("*.py")
        for name in re.findall(r'^    help_page = "(.+)"$', file.read_text("utf-8"), re.MULTILINE)
    }
    assert named
    assert named <= set(TEXTS)


def test_search_wants_all_words_and_begins_with_the_page_about_them():
    pages = find_pages(help_pages(), "reworked passages")

    assert pages[0].name == "reworked"
    assert all("reworked" in page.text.lower() for page in pages)
    assert find_pages(help_pages(), "reworked xylophone") == []


def test_the_terminal_lists_topics_prints_a_page_and_searches(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["help"]) == 0
    topics = capsys.readouterr().out
    for page in help_pages():
        assert re.search(rf"^  {page.name} +{re.escape(page.title)}$", topics, re.MULTILINE)
        assert main(["help", page.name]) == 0
        printed = capsys.readouterr().out
        assert "**" not in printed
        assert "](" not in printed
        plain = re.sub(r"```.*?```", "", page.text, flags=re.DOTALL)
        assert printed.startswith(page.title)
        assert len(words_of(printed)) > 0.8 * len(words_of(plain))

    assert main(["help", "guarantee"]) == 0
    assert "large-curve" in capsys.readouterr().out
    assert main(["help", "xylophone"]) == 2
    assert "No help about “xylophone”." in capsys.readouterr().err
