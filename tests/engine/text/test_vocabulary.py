"""Stop words and stems against their definition: word by word, in plain Python."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import Stemmer
from hypothesis import given, settings
from hypothesis import strategies as st
from stop_words import AVAILABLE_LANGUAGES, get_stop_words

from core.settings import LANGUAGES, ScanSettings
from core.text import tokenising, word_counts
from core.text.shingling import shingle, tokenise
from core.text.tokenising import Vocabulary, stop_words, vocabulary
from core.text.tokens import hash_lines

quick = settings(deadline=None, derandomize=True, max_examples=150)

PLAIN = ScanSettings(k=2)
ENGLISH = ScanSettings(k=2, language="english", stem=True, drop_stop_words=True)
STEMS = ENGLISH.with_changes(drop_stop_words=False)
STOPS = ENGLISH.with_changes(stem=False)
ENGLISH_WORDS = [
    *("the", "of", "and", "connection", "Connected", "connecting", "don't", "THE", "Straße"),
    *("swimming", "ﬁshing", "naïvely", "swimmer’s", "1990s", "e\u0301tudes"),
    *("co\u00adoperating", "漢字", "!", "—", "\ud800"),
]
texts_of_words = st.lists(st.sampled_from(ENGLISH_WORDS), max_size=20).map(" ".join)
some_settings = st.builds(
    ScanSettings,
    k=st.integers(1, 3),
    language=st.just("english"),
    stem=st.booleans(),
    drop_stop_words=st.booleans(),
    ignore_case=st.booleans(),
    keep_punctuation=st.booleans(),
)
# One sentence a language: words that share a stem, and a stop word.
INFLECTED = {
    "arabic": ("الكتاب كتاب", "من"),
    "english": ("connections connected", "the"),
    "french": ("continuellement continuelle", "les"),
    "german": ("Häuser Hauses", "und"),
    "hindi": ("लड़का लड़के", "और"),
    "russian": ("книгами книгах", "и"),
    "spanish": ("canciones canción", "los"),
    "turkish": ("kitaplar kitaplarda", "ve"),
}


def words_of(text, options):
    """The words as they are compared, by the spans of the tokeniser without a language."""
    plain = tokenise(text, options.with_changes(language="", stem=False, drop_stop_words=False))
    return plain.values.tolist(), plain


def meaning(word, options):
    """What one word becomes: None if it is dropped."""
    if options.drop_stop_words and word.casefold() in stop_words(options.language):
        return None
    if not options.stem:
        return word
    return Stemmer.Stemmer(options.language).stemWord(word) or word


def values_of(text, options):
    return tokenise(text, options).values.tolist()


@quick
@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyzéöñ", min_size=1, max_size=12), max_size=12))
def test_stems_are_those_of_the_stemmer_word_by_word(words):
    expected = hash_lines([meaning(word, STEMS) for word in words]).tolist()

    assert values_of(" ".join(words), STEMS) == expected


@quick
@given(st.lists(st.sampled_from(sorted(stop_words("english"))) | st.text("qzx", min_size=3)))
def test_words_of_the_list_are_no_units(words):
    kept = [word for word in words if meaning(word, STOPS) is not None]

    assert values_of(" ".join(words).upper(), STOPS) == hash_lines(kept).tolist()


@quick
@given(texts_of_words, some_settings)
def test_spans_are_those_of_the_words_that_are_kept(text, options):
    values, plain = words_of(text, options)
    found = tokenise(text, options)
    spans = list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))

    every = list(zip(plain.starts.tolist(), plain.ends.tolist(), strict=True))
    assert set(spans) <= set(every)
    kept = [span for span in every if len(tokenise(text[slice(*span)], options).values)]
    assert spans == kept
    assert len(values) == len(every)


@quick
@given(st.lists(texts_of_words, max_size=6), some_settings)
def test_a_batch_gives_what_its_texts_give_alone(texts, options):
    batch = shingle(texts, options)
    alone = [shingle([text], options) for text in texts]

    assert batch.hashes.tolist() == [value for one in alone for value in one.hashes.tolist()]
    assert batch.units.tolist() == [len(tokenise(text, options).values) for text in texts]


def test_shingles_run_across_dropped_words():
    one, other = shingle(["ships of the desert", "the ships and deserts"], ENGLISH).digests

    assert (one == other).all()
    assert shingle(["ships of the desert"], ENGLISH).units.tolist() == [2]


def test_a_text_of_stop_words_has_no_words():
    found = shingle(["The of and", "ships", "don’t"], ENGLISH)

    assert found.units.tolist() == [0, 1, 0]
    assert np.diff(found.offsets).tolist() == [0, 1, 0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_stemmer_and_a_list(language):
    options = ScanSettings(language=language, stem=True, drop_stop_words=True)

    entry = next(word for word in get_stop_words(language) if word.isalpha())

    assert values_of(entry.upper() if entry.upper().lower() == entry else entry, options) == []
    assert len(stop_words(language)) >= 50
    assert all(word.strip() == word and word for word in stop_words(language))


def test_the_languages_are_all_there_are():
    both = set(Stemmer.algorithms()) & set(AVAILABLE_LANGUAGES)

    assert both - set(LANGUAGES) == {"greek"}
    assert "καί" in get_stop_words("greek")
    assert "και" not in get_stop_words("greek")  # once it is, the list is of the modern language


@pytest.mark.parametrize("language", INFLECTED)
def test_inflected_words_meet_in_many_scripts(language):
    options = ScanSettings(language=language, stem=True, drop_stop_words=True)
    (one, other), stop = INFLECTED[language][0].split(), INFLECTED[language][1]

    assert values_of(one, options) == values_of(f"{stop} {other}", options)
    assert values_of(one, PLAIN) != values_of(other, PLAIN)


@pytest.mark.parametrize(
    ("language", "entry", "dropped"),
    [
        ("english", "don", True),  # of "don't"
        ("english", "t", True),
        ("french", "l'", True),
        ("french", "QU’", True),
        ("english", "et", True),  # an entry itself
        ("english", "vis", False),  # only in "vis-à-vis": an entry of several words drops none
        ("english", "visited", False),
        ("english", "39", False),  # numbers count
    ],
)
def test_entries_that_are_not_one_word(language, entry, dropped):
    options = ScanSettings(language=language, drop_stop_words=True)

    assert (values_of(entry, options) == []) == dropped


def test_case_counts_for_stems_and_not_for_stop_words():
    exact = ENGLISH.with_changes(ignore_case=False)

    assert values_of("The OF and", exact) == []
    assert values_of("Connected", exact) == values_of("Connection", exact)
    assert values_of("Connected", exact) != values_of("connected", exact)


@pytest.mark.parametrize("options", [ENGLISH, STEMS, STOPS])
def test_words_that_are_no_words_of_the_language_stay(options):
    text = "漢字 1984 😀 \ud800 кот"
    marked = options.with_changes(keep_punctuation=True)

    assert values_of(text, marked) == values_of(text, PLAIN.with_changes(keep_punctuation=True))


def test_nothing_is_looked_up_without_a_wish():
    assert vocabulary(ScanSettings()) is None
    assert vocabulary(ScanSettings(language="english")) is None
    assert vocabulary(ENGLISH) is vocabulary(ENGLISH.with_changes(k=7, bands=3, seed=9))


def test_each_distinct_word_is_learned_once():
    words = Vocabulary(ENGLISH)
    seen = []
    learn = words._learn
    words._learn = lambda values, *rest: seen.append(values.tolist()) or learn(values, *rest)

    for text in ("ships ships shipped", "shipped ships the", "the the"):
        translate(words, text)

    assert sorted(map(len, seen)) == [1, 2]
    assert len(words) == 3


def translate(words, text, options=ENGLISH):
    from core.text.characters import code_points
    from core.text.tokens import find_units

    codes = code_points(text)
    bounds = np.array([0, len(codes)])
    return words.translate(find_units(codes, bounds, options, spans=True), codes, bounds)


def test_more_words_than_slots(monkeypatch):
    for name, value in {"FEWEST_SLOTS": 16, "MOST_SLOTS": 64, "BLOCK": 8}.items():
        monkeypatch.setattr(word_counts, name, value)
    words = Vocabulary(STEMS)
    text = " ".join(f"walking{letter}s" for letter in map(chr, range(97, 123))) * 3
    expected = values_of(text, STEMS)

    for _ in range(3):
        assert translate(words, text).values.tolist() == expected
        assert len(words._memory._keys) <= 64


def test_a_failure_leaves_no_word_without_a_meaning():
    words = Vocabulary(ENGLISH)
    learn = words._learn

    def fail(*arguments):
        raise MemoryError

    words._learn = fail
    with pytest.raises(MemoryError):
        translate(words, "sailing ships")
    words._learn = learn

    assert translate(words, "sailing ships").values.tolist() == values_of("sailing ships", ENGLISH)


def test_threads_share_a_vocabulary():
    rng = np.random.default_rng(1)
    texts = [
        " ".join(f"word{'abcdefghij'[n % 10]}{n}ing" for n in rng.integers(0, 5000, 800))
        for _ in range(40)
    ]
    tokenising._vocabulary.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: shingle([text], STEMS).hashes.tolist(), texts))

    assert found == [shingle([text], STEMS).hashes.tolist() for text in texts]
    assert len(vocabulary(STEMS)) == len({word for text in texts for word in text.split()})
