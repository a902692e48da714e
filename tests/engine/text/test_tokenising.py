"""Stop words and stems against their definition: word by word, in plain Python."""

import random
import textwrap
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import numpy as np
import pytest
import Stemmer
from hypothesis import given, settings
from hypothesis import strategies as st
from stop_words import AVAILABLE_LANGUAGES, get_stop_words

from core.base.messages import Language, in_language
from core.base.wording import LANGUAGE_NAMES, UNKNOWN, language_name
from core.scan.in_memory import find_pairs
from core.settings import LANGUAGES, ScanSettings
from core.text import languages, tokenising
from core.text.characters import PIECE
from core.text.languages import FUNCTION_WORDS, STEMMERS, detect, detect_all, stemmed
from core.text.shingling import shingle, tokenise, words_and_beginnings
from core.text.tokenising import Vocabulary, WordMemory, joined_words, stop_words, vocabulary
from core.text.tokens import hash_lines

WORDS = ScanSettings(k=1)


def values(text, **changes):
    return tokenise(text, WORDS.with_changes(**changes)).values.tolist()


def test_a_broken_word_is_whole_where_the_text_has_it_whole():
    broken = "an exam-\nple and another example"

    assert values(broken) == values("an example and another example")
    tokens = tokenise(broken, WORDS)
    spelled = [broken[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
    assert spelled == ["an", "exam-\nple", "and", "another", "example"]


@pytest.mark.parametrize("wrapped", ["exam-\n    ple", "exam-\n\tple", "exam\u2010\nple"])
def test_indentation_and_other_hyphens(wrapped):
    assert values(f"{wrapped} for Example") == values("example for Example")


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("كِتَابٌ جَمِيلٌ", "كتاب جميل"),
        ("كتـــاب جميـل", "كتاب جميل"),
        ("ٱلرَّحْمَٰنِ", "ٱلرحمن"),
        ("שָׁלוֹם עוֹלָם", "שלום עולם"),
        ("\ufb2a\u05b8לום", "שלום"),
        ("אָ֣דָם", "אדם"),
    ],
)
def test_vowel_points_and_tatweel_make_no_other_word(written, plain):
    """With a tatweel in every tenth letter, a copy had a resemblance of .1."""
    for unit in ({}, {"unit": "char", "k": 5}):
        assert values(written, **unit) == values(plain, **unit)
    tokens = tokenise(written, WORDS)
    starts = [written.index(word) for word in written.split()]
    assert tokens.starts.tolist() == starts
    words = [written[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]
    assert words == written.split(), "the points of the last letter are marked with it"
    characters = tokenise(written, WORDS.with_changes(unit="char"))
    assert characters.ends[-1] == len(written)


def test_a_point_that_is_a_letter_in_some_language_counts():
    assert values("کٔ") != values("ک")


def test_a_soft_hyphen_at_the_end_of_a_line_always_divides_one_word():
    assert values("ein Bei\u00ad\nspiel") == values("ein Beispiel")
    assert values("un œu\u00ad\nvre") == values("un œuvre")


@pytest.mark.parametrize(
    "unit",
    [
        "ein Bei\u00ad\nspiel, caf\u200be\u200b\u0301 \U0001d41a\u2060x\n",
        "un\u200bbroken\u200be\u0323\u200b\u0301a\u00adb\u00ad\nc ",
        "e\u200b\u0301",
    ],
)
def test_a_long_text_with_what_is_not_seen_counts_as_its_parts_do(unit):
    many = 2 * PIECE // len(unit)

    assert joined_words([unit * many])[0] == joined_words([unit])[0] * many


@pytest.mark.parametrize(
    "text",
    [
        "a well-\nknown word",
        "a well-\nknown word, well known and well-known",
        "a re-\ncover of the recover and re-cover",
        "the Anglo-\nSaxon Anglosaxon",
        "a state-of-\nthe-art offering; ofthe",
        "pages 3-\n4 and 34",
        "one -\ntwo onetwo",
        "exam-\n\nple example",
        "漢-\nab 漢ab",
        "x-\n",
        "-\nple ple",
    ],
)
def test_other_hyphens_stay(text):
    assert values(text) == values(text.replace("-", " - "))


def typeset(paragraph, width, rng):
    """Lines as a typesetter breaks them, in the middle of long words."""
    lines, line = [], ""
    for word in paragraph.split():
        room = width - len(line) - 1
        if len(line) + 1 + len(word) <= width:
            line = f"{line} {word}".strip()
        elif len(word) > 6 and room > 5 and rng.random() < 0.8:
            cut = min(room - 1, len(word) - 3)
            lines.append(f"{line} {word[:cut]}-")
            line = word[cut:]
        else:
            lines.append(line)
            line = word
    return "\n".join([*lines, line])


def invented(rng, count):
    syllables = ["ba", "ko", "ri", "tan", "mel", "sur", "ven", "dol", "fi", "gre"]
    return ["".join(rng.choices(syllables, k=rng.randrange(1, 5))) for _ in range(count)]


def test_a_typeset_text_is_like_the_same_text_in_long_lines():
    rng = random.Random(1)
    vocabulary = invented(rng, 300)
    plain = " ".join(rng.choices(vocabulary, k=1500))
    broken = typeset(plain, 50, rng)
    assert broken.count("-\n") > 35

    [resemblance] = find_pairs([plain, broken], ScanSettings(min_resemblance=0)).resemblance

    assert resemblance > 0.95


def test_programs_that_wrap_join_nothing():
    rng = random.Random(2)
    vocabulary = invented(rng, 400)
    compounds = [
        f"{first}-{second}" for first, second in zip(vocabulary[::2], vocabulary[1::2], strict=True)
    ]
    plain = " ".join(rng.choices(vocabulary + 2 * compounds, k=2500))
    wrapped = textwrap.fill(plain, 60)
    assert wrapped.count("-\n") > 40

    assert values(wrapped) == values(plain)


def test_characters_go_on_over_the_break_too():
    changes = {"unit": "char", "k": 3}
    assert values("an exam-\nple or example", **changes) == values(
        "an example or example", **changes
    )


quick = settings(derandomize=True, max_examples=150)

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
settings_drawn = st.builds(
    ScanSettings,
    k=st.integers(1, 3),
    language=st.just("english"),
    stem=st.booleans(),
    drop_stop_words=st.booleans(),
    ignore_case=st.booleans(),
    keep_punctuation=st.booleans(),
)


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


def test_a_word_with_a_nul_has_a_value_too():
    first, second, third = hash_lines(["a\0b", "\0", "ab"]).tolist()
    assert len({first, second, third}) == 3


@quick
@given(texts_of_words, settings_drawn)
def test_spans_are_those_of_the_words_that_are_kept(text, options):
    values, plain = words_of(text, options)
    tokens = tokenise(text, options)
    spans = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))

    every = list(zip(plain.starts.tolist(), plain.ends.tolist(), strict=True))
    assert set(spans) <= set(every)
    kept = [span for span in every if len(tokenise(text[slice(*span)], options).values)]
    assert spans == kept
    assert len(values) == len(every)


@quick
@given(st.lists(texts_of_words, max_size=6), settings_drawn)
def test_a_batch_gives_what_its_texts_give_alone(texts, options):
    batch = shingle(texts, options)
    alone = [shingle([text], options) for text in texts]

    assert batch.hashes.tolist() == [
        value for shingles in alone for value in shingles.hashes.tolist()
    ]
    assert batch.units.tolist() == [len(tokenise(text, options).values) for text in texts]


@given(st.lists(st.text("aZ\u00e9\u00df9_", min_size=1, max_size=20), max_size=600))
def test_a_word_has_one_value_whatever_else_the_text_holds(words):
    text = " ".join(words)
    alone, beside = (words_and_beginnings([version], WORDS) for version in (text, f"{text} \u6f22"))

    assert len(alone.wholes) == len(words)
    assert beside.wholes[:-1].tolist() == alone.wholes.tolist()
    assert beside.values[:-1].tolist() == alone.values.tolist()


def test_shingles_run_across_dropped_words():
    first, second = shingle(["ships of the desert", "the ships and deserts"], ENGLISH).digests

    assert (first == second).all()
    assert shingle(["ships of the desert"], ENGLISH).units.tolist() == [2]


def test_a_text_of_stop_words_has_no_words():
    shingles = shingle(["The of and", "ships", "don’t"], ENGLISH)

    assert shingles.units.tolist() == [0, 1, 0]
    assert np.diff(shingles.offsets).tolist() == [0, 1, 0]


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
def test_stop_words_of_several_words(language, entry, dropped):
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
        monkeypatch.setattr(tokenising, name, value)
    words = Vocabulary(STEMS)
    text = " ".join(f"walking{letter}s" for letter in map(chr, range(97, 123))) * 3
    expected = values_of(text, STEMS)

    for _ in range(3):
        assert translate(words, text).values.tolist() == expected
        assert len(words._memory._keys) <= 64


def test_a_failure_leaves_no_word_without_a_meaning():
    words = Vocabulary(ENGLISH)
    learn = words._learn

    words._learn = Mock(side_effect=MemoryError)
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
        hashes = list(pool.map(lambda text: shingle([text], STEMS).hashes.tolist(), texts))

    assert hashes == [shingle([text], STEMS).hashes.tolist() for text in texts]
    assert len(vocabulary(STEMS)) == len({word for text in texts for word in text.split()})


few_examples = settings(derandomize=True, max_examples=100)

STEMMED = ScanSettings()
# Two forms of one word, another word that begins like it, and a stop word.
FORMS = {
    "ar": ("الكتاب", "كتاب", "كتلة", "من"),
    "de": ("Häuser", "Hauses", "Haut", "und"),
    "en": ("connected", "connections", "conned", "the"),
    "es": ("canciones", "canción", "cancelar", "los"),
    "fi": ("talossa", "talosta", "talvi", "ja"),
    "fr": ("continuelle", "continuellement", "content", "les"),
    "hi": ("लड़का", "लड़के", "लड़ाई", "और"),
    "hu": ("házak", "házakat", "hazug", "és"),
    "ru": ("книгами", "книгах", "книжный", "и"),
    "tr": ("kitaplar", "kitaplarda", "kitle", "ve"),
}


def stems_of(text, language, options=STEMMED):
    return stemmed(text, tokenise(text, options), language).tolist()


@pytest.mark.parametrize("language", FORMS)
def test_forms_of_a_word_meet_and_others_do_not(language):
    first, second, third, stop_word = FORMS[language]
    options = ScanSettings(language=STEMMERS[language], stem=True, drop_stop_words=True)

    assert values_of(first, options) == values_of(f"{stop_word} {second}", options)
    assert values_of(first, PLAIN) != values_of(second, PLAIN)
    one, same, other = stems_of(f"{first} {second} {third}", language)
    assert one == same != other


@few_examples
@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyzöñ", min_size=1, max_size=12), max_size=12))
def test_stems_of_words_are_those_of_the_stemmer(words):
    stemmer = Stemmer.Stemmer("english")
    expected = [stemmer.stemWord(word) or word for word in words]

    assert stems_of(" ".join(words), "en") == hash_lines(expected).tolist()


@pytest.mark.parametrize("language", [None, "", "zh", "ja", "qq"])
def test_without_a_stemmer_words_stay(language):
    text = "connected connections"
    tokens = tokenise(text, STEMMED)

    assert stemmed(text, tokens, language) is tokens.values


def test_what_is_no_word_of_a_language_stays():
    text = "漢字 1984 1990s ½ x² 😀 \ud800 " + "strings" * 100
    marked = STEMMED.with_changes(keep_punctuation=True)

    assert stems_of(text, "en", marked) == tokenise(text, marked).values.tolist()


def test_gaps_of_text_that_is_set_aside_stay():
    text = "connected and quoted words, connections"
    set_aside = np.array([[14, 26]])
    tokens = tokenise(text, STEMMED, set_aside)

    values = stemmed(text, tokens, "en")

    assert values[0] == values[-1]
    assert values[2] == tokens.values[2] == languages.GAP


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
    exact = STEMMED.with_changes(ignore_case=False)

    assert len(set(stems_of("Connected connections CONNECTING", "en", exact))) == 1


def test_languages_do_not_meet_in_what_is_remembered():
    text = "general generals generale"

    first, again = stems_of(text, "en"), stems_of(text, "it")

    assert first != again
    assert stems_of(text, "en") == first
    assert stems_of(text, "it") == again


def test_each_word_is_stemmed_once(monkeypatch):
    monkeypatch.setattr(languages, "_memory", WordMemory())
    seen = []
    spelled = languages._Words._spelled
    monkeypatch.setattr(
        languages._Words,
        "_spelled",
        lambda self, spans: seen.append(len(spans)) or spelled(self, spans),
    )

    for text in ("ships ships shipped", "shipped ships the", "the the"):
        stems_of(text, "en")

    assert seen == [2, 1]


def test_long_texts_are_stemmed_like_short_ones():
    words = [f"{letter}walking{last}s" for letter in "abcdefgh" for last in "abcdefgh"]
    rng = np.random.default_rng(5)
    text = " ".join(rng.choice(words, 70_000).tolist())
    short = dict(zip(words, stems_of(" ".join(words), "en"), strict=True))

    assert stems_of(text, "en") == [short[word] for word in text.split()]


def test_every_stemmer_is_there_and_its_language_has_a_name():
    assert set(STEMMERS.values()) <= set(Stemmer.algorithms())
    assert STEMMERS.keys() <= LANGUAGE_NAMES.keys()
    assert all(LANGUAGE_NAMES[code].lower() == name for code, name in STEMMERS.items())


TEXTS = {
    "ar": "في كل صباح كان المعلم يذهب إلى المدرسة مع أولاده، وهو لا يعرف أن الطريق قد تغير بعد "
    "المطر. قال إن هذا هو اليوم الذي كان ينتظره، ثم عاد إلى البيت من غير أن يقول شيئا.",
    "ca": "La biblioteca del poble és oberta cada dia, però als matins no hi ha ningú que pugui "
    "ajudar els lectors. Per això molts han demanat que també s'obri amb una persona més.",
    "cs": "Když jsme přišli domů, nebylo ještě ani šest hodin, ale už se stmívalo a v kuchyni "
    "nikdo nebyl. Proto jsem se rozhodl, že počkám u okna, než přijde otec, který má klíče.",
    "da": "Når man læser den gamle bog, er det svært at se, hvad der var skrevet af ham selv og "
    "hvad der blev tilføjet efter hans død. Det er noget, som jeg ikke ved meget om.",
    "de": "Der Rat hat gestern beschlossen, dass die alte Brücke nicht abgerissen wird, sondern "
    "für Fußgänger offen bleibt. Wer mit dem Wagen kommt, muss über die neue fahren.",
    "en": "The council decided yesterday that the old bridge will not be torn down but stays open "
    "for those who walk. Anyone who comes by car must take the new one, which is not far.",
    "es": "El concejo decidió ayer que el puente viejo no se derribará, sino que queda abierto "
    "para los que van a pie. Quien llegue en coche tiene que pasar por el nuevo, que está cerca.",
    "fa": "شورا دیروز تصمیم گرفت که پل قدیمی را خراب نکند و آن را برای کسانی که پیاده می روند باز "
    "بگذارد. هر کس با ماشین می آید باید از پل تازه که دور نیست برود و این برای همه بهتر است.",
    "fi": "Neuvosto päätti eilen, että vanhaa siltaa ei pureta, vaan se on auki niille, jotka "
    "kulkevat jalan. Joka tulee autolla, voi ajaa uutta siltaa, mutta se ei ole lähellä.",
    "fr": "Le conseil a décidé hier que le vieux pont ne sera pas détruit, mais qu'il reste ouvert "
    "à ceux qui vont à pied. Celui qui vient en voiture doit prendre le nouveau avec les autres.",
    "hi": "परिषद ने कल यह तय किया कि पुराना पुल नहीं तोड़ा जाएगा और वह उन लोगों के लिए खुला रहेगा जो "
    "पैदल चलते हैं। जो गाड़ी से आता है, उसको नए पुल से जाना है और यह भी पास में ही है।",
    "hu": "A tanács tegnap úgy döntött, hogy a régi hidat nem bontják le, hanem nyitva marad azok "
    "számára, akik gyalog járnak. Aki autóval jön, annak az új hídon kell mennie, és ez már nem "
    "olyan messze van.",
    "id": "Dewan kota telah memutuskan bahwa jembatan lama itu tidak akan dibongkar dan tetap bisa "
    "dilalui oleh orang yang berjalan kaki. Mereka yang datang dengan mobil harus lewat jembatan "
    "baru, karena itu lebih kuat.",
    "it": "Il consiglio ha deciso ieri che il vecchio ponte non sarà demolito ma resta aperto per "
    "chi va a piedi. Chi viene con la macchina deve prendere quello nuovo, che non è lontano.",
    "nl": "De raad heeft gisteren besloten dat de oude brug niet wordt gesloopt, maar nog open is "
    "voor wie te voet komt. Wie met de auto is, moet over de nieuwe, en die ligt niet ver weg.",
    "no": "Når man leser den gamle boka, er det vanskelig å se hva som ble skrevet av ham selv, og "
    "hva noen har lagt til etter hans død. Det er noe jeg ikke vet mye om, og det sier han også.",
    "pl": "Rada postanowiła wczoraj, że stary most nie zostanie zburzony, ale będzie otwarty dla "
    "tych, którzy idą pieszo. Kto jedzie samochodem, może jechać przez nowy, bo jest niedaleko.",
    "pt": "O conselho decidiu ontem que a ponte velha não será demolida, mas fica aberta para quem "
    "vai a pé. Quem vem de carro tem de passar pela nova, que também não é muito longe daqui.",
    "ru": "Совет вчера решил, что старый мост не снесут, а оставят для тех, кто ходит пешком. Если "
    "вы едете на машине, то это можно сделать только через новый, который был построен для этого.",
    "sk": "Keď sme prišli domov, nebolo ešte ani šesť hodín, ale už sa stmievalo a v kuchyni nikto "
    "nebol. Preto som sa rozhodol, že počkám pri okne, kým príde otec, ktorý má kľúče.",
    "sv": "Rådet beslöt i går att den gamla bron inte ska rivas utan vara öppen för dem som går. "
    "Den som kommer med bil får ta den nya, och det är något som många har väntat på här.",
    "tr": "Meclis dün eski köprünün yıkılmayacağını ve yaya olanlar için açık kalacağını bildirdi. "
    "Ancak araba ile gelen herkes daha uzak olan yeni köprüye gider, çünkü bu çok daha güvenli "
    "ve bir o kadar da iyi.",
    "uk": "Рада вчора вирішила, що старий міст не знесуть, а він буде для тих, хто йде пішки. Якщо "
    "ви їдете машиною, то це можна зробити тільки через новий, який був побудований для цього.",
    # Languages with a script of their own.
    "el": "Το συμβούλιο αποφάσισε χθες να μη γκρεμίσει την παλιά γέφυρα.",
    "ja": "市議会は昨日、古い橋を取り壊さずに歩行者のために残すことを決めました。",
    "ka": "საბჭომ გუშინ გადაწყვიტა, რომ ძველი ხიდი არ დაინგრეს.",
    "ko": "시의회는 어제 오래된 다리를 철거하지 않고 남겨 두기로 결정했습니다.",
    "ta": "பழைய பாலத்தை இடிக்க வேண்டாம் என்று சபை நேற்று முடிவு செய்தது.",
    "th": "สภาเทศบาลตัดสินใจเมื่อวานนี้ว่าจะไม่รื้อสะพานเก่า",
    "zh": "市议会昨天决定不拆除旧桥，而是留给步行的人使用。",
}


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_of_a_sentence_or_two_is_reported(code):
    assert detect(TEXTS[code]) == code


def test_many_texts_get_the_languages_that_each_gets_alone():
    texts = [*TEXTS.values(), "", "1984", TEXTS["en"].upper()]

    assert detect_all(texts) == [detect(text) for text in texts] == [*TEXTS, UNKNOWN, UNKNOWN, "en"]
    assert detect_all([]) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "The old bridge",
        "橋",
        "Ελλάδα",
        "12 345 678 90 " * 200,
        "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez " * 20,
        "Berlin 30 22 | Paris 28 20 | Roma 33 25 | Madrid 35 24 | Oslo 21 14 | Wien 29 18 " * 20,
        "tavo remi lusto " * 100,
        "\ud800" * 50,
    ],
)
def test_where_it_is_not_sure_it_says_nothing(text):
    assert detect(text) == UNKNOWN


def test_letters_that_are_put_together_are_the_same():
    assert detect(unicodedata.normalize("NFD", TEXTS["fr"])) == "fr"
    assert detect(unicodedata.normalize("NFD", TEXTS["ko"])) == "ko"


def test_names_in_another_script_do_not_decide():
    assert detect(f"{TEXTS['en']} This is the name of it: Πλάτων, 王小明.") == "en"
    assert detect(f"{TEXTS['zh']}（Springer Verlag 2019）") == "zh"


def test_of_two_languages_that_of_most_text():
    german, english = TEXTS["de"], TEXTS["en"]

    assert detect(german * 30 + english * 10) == "de"
    assert detect(german * 10 + english * 30) == "en"
    assert detect(TEXTS["zh"] * 30 + english) == "zh"
    assert detect(TEXTS["zh"] + english * 10) == "en"


def test_a_long_text_is_looked_at_from_beginning_to_end():
    text = TEXTS["en"] * 20 + TEXTS["ru"] * 400

    assert detect(text) == "ru"
    assert len(languages._sample(text)) <= languages.SAMPLE + languages.PIECES
    assert detect(TEXTS["ru"] * 100 + "\n" * 10) == "ru"


def test_the_order_of_sentences_is_no_matter():
    sentences = (TEXTS["pl"] + " ").split(". ")
    for seed in range(5):
        random.Random(seed).shuffle(sentences)

        assert detect(". ".join(sentences)) == "pl"


def test_languages_have_names():
    assert language_name("de") == "German"
    assert language_name("qq") == "qq"
    assert language_name(UNKNOWN) == language_name("") == ""
    assert {*languages.CODES, *languages.SCRIPT_CODES, *TEXTS} <= LANGUAGE_NAMES.keys()
    assert len(set(LANGUAGE_NAMES.values())) == len(LANGUAGE_NAMES)


@pytest.mark.parametrize(("reader", "name"), [("fr", "allemand"), ("en_XA", "German")])
def test_languages_are_called_as_the_reader_calls_them(reader, name):
    with in_language(Language(reader)):
        assert language_name("de") == name
        assert (language_name("qq"), language_name(UNKNOWN)) == ("qq", "")


def test_the_lists_are_words():
    assert len(FUNCTION_WORDS) <= 64  # bits of a mask
    for words in map(str.split, FUNCTION_WORDS.values()):
        assert len(words) == len(set(words)) >= 25
        assert all(len(word) > 1 for word in words)


def test_a_word_speaks_for_all_languages_that_have_it():
    counted = np.zeros((2, 1, len(languages.CODES)), dtype=np.int64)
    joined = languages.joined_codes(["und die die"])
    values = languages.find_units(*joined, languages.USUAL, spans=False).values
    languages._count_words(values, np.array([0, 3]), *languages._function_words(), counted)

    counts = {code: tuple(counted[:, 0, number]) for number, code in enumerate(languages.CODES)}
    assert counts["de"] == (3, 2)
    assert counts["af"] == counts["nl"] == (2, 1)
    assert counts["en"] == (0, 0)
