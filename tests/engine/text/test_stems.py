"""Stems of a text against the stemmer, word by word."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import Stemmer
from hypothesis import given, settings
from hypothesis import strategies as st

from core.settings import ScanSettings
from core.text import stems
from core.text.language_names import LANGUAGE_NAMES
from core.text.shingling import tokenise
from core.text.stems import STEMMERS, stemmed
from core.text.tokenising import WordMemory
from core.text.tokens import hash_lines

quick = settings(deadline=None, derandomize=True, max_examples=100)

WORDS = ScanSettings()
# Two forms of one word, and another word that begins like it.
FORMS = {
    "de": ("Häuser", "Hauses", "Haut"),
    "en": ("connected", "connections", "conned"),
    "es": ("canciones", "canción", "cancelar"),
    "fi": ("talossa", "talosta", "talvi"),
    "fr": ("continuelle", "continuellement", "content"),
    "hi": ("लड़का", "लड़के", "लड़ाई"),
    "hu": ("házak", "házakat", "hazug"),
    "ru": ("книгами", "книгах", "книжный"),
    "tr": ("kitaplar", "kitaplarda", "kitle"),
}


def stems_of(text, language, options=WORDS):
    return stemmed(text, tokenise(text, options), language).tolist()


@pytest.mark.parametrize("language", FORMS)
def test_forms_of_a_word_meet_and_others_do_not(language):
    one, other, third = stems_of(" ".join(FORMS[language]), language)

    assert one == other != third


@quick
@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyzöñ", min_size=1, max_size=12), max_size=12))
def test_stems_are_those_of_the_stemmer_word_by_word(words):
    stemmer = Stemmer.Stemmer("english")
    expected = [stemmer.stemWord(word) or word for word in words]

    assert stems_of(" ".join(words), "en") == hash_lines(expected).tolist()


def test_a_word_that_is_a_stem_keeps_its_value():
    text = "connect the connected"
    tokens = tokenise(text, WORDS)

    values = stemmed(text, tokens, "en")

    assert values.dtype == np.uint64
    assert values[0] == values[2] == tokens.values[0]
    assert values[1] == tokens.values[1]


@pytest.mark.parametrize("language", [None, "", "zh", "ja", "qq"])
def test_without_a_stemmer_words_stay(language):
    text = "connected connections"
    tokens = tokenise(text, WORDS)

    assert stemmed(text, tokens, language) is tokens.values


def test_what_is_no_word_of_a_language_stays():
    text = "漢字 1984 1990s ½ x² 😀 \ud800 " + "strings" * 100
    marked = WORDS.with_changes(keep_punctuation=True)

    assert stems_of(text, "en", marked) == tokenise(text, marked).values.tolist()


def test_a_text_without_words():
    assert stems_of("", "en") == []


def test_gaps_of_text_that_is_set_aside_stay():
    text = "connected and quoted words, connections"
    aside = np.array([[14, 26]])
    tokens = tokenise(text, WORDS, aside)

    values = stemmed(text, tokens, "en")

    assert values[0] == values[-1]
    assert values[2] == tokens.values[2] == stems.GAP


def test_words_in_disguise_are_stemmed_as_they_are_read():
    plain = stems_of("we were connected by connections", "en")

    for text in (
        "we were con-\nnected by connec-\ntions: connected connections",  # at line ends
        "we were con\u00adnected by connec\u2060tions",
        "we were cоnnected by connеctions",  # Cyrillic о and е
        "we were ｃｏｎｎｅｃｔｅｄ by connections",
        "WE WERE Connected By CONNECTIONS",
    ):
        values = stems_of(text, "en")
        assert values[2] == values[4] == plain[2], text


def test_where_case_counts_stems_are_in_lower_case():
    exact = WORDS.with_changes(ignore_case=False)

    assert len(set(stems_of("Connected connections CONNECTING", "en", exact))) == 1


def test_languages_do_not_meet_in_what_is_remembered():
    text = "general generals generale"

    first, again = stems_of(text, "en"), stems_of(text, "it")

    assert first != again
    assert stems_of(text, "en") == first
    assert stems_of(text, "it") == again


def test_each_word_is_stemmed_once(monkeypatch):
    monkeypatch.setattr(stems, "_memory", WordMemory())
    seen = []
    spelled = stems._Words._spelled
    monkeypatch.setattr(
        stems._Words,
        "_spelled",
        lambda self, places: seen.append(len(places)) or spelled(self, places),
    )

    for text in ("ships ships shipped", "shipped ships the", "the the"):
        stems_of(text, "en")

    assert seen == [2, 1]


def test_long_texts_are_stemmed_like_short_ones():
    words = [f"{letter}walking{other}s" for letter in "abcdefgh" for other in "abcdefgh"]
    rng = np.random.default_rng(5)
    text = " ".join(rng.choice(words, 70_000).tolist())
    short = dict(zip(words, stems_of(" ".join(words), "en"), strict=True))

    assert stems_of(text, "en") == [short[word] for word in text.split()]


def test_threads_share_what_is_remembered(monkeypatch):
    monkeypatch.setattr(stems, "_memory", WordMemory())
    rng = np.random.default_rng(1)
    texts = [
        " ".join(
            f"word{'abcdefghij'[n % 10]}{'klmnop'[n % 6]}ings" for n in rng.integers(0, 60, 500)
        )
        for _ in range(24)
    ]
    jobs = [(text, ("en", "de")[number % 2]) for number, text in enumerate(texts)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda job: stems_of(*job), jobs))

    assert found == [stems_of(*job) for job in jobs]


def test_every_stemmer_is_there_and_its_language_has_a_name():
    assert set(STEMMERS.values()) <= set(Stemmer.algorithms())
    assert STEMMERS.keys() <= LANGUAGE_NAMES.keys()
    assert all(LANGUAGE_NAMES[code].lower() == name for code, name in STEMMERS.items())
