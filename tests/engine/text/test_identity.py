"""Who a text is, and letters that only look like others."""

import random
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.base.assets import resource
from core.base.messages import as_shown, in_language, load_language
from core.evidence.overlap import figures_of
from core.settings import ScanSettings
from core.text import disguises
from core.text.characters import FILLER, PIECE
from core.text.disguise_marks import NAMES, MarkKind, find_disguise_marks, sentences_on_disguises
from core.text.disguises import SCRIPTS, TARGETS, as_seen, letters, seen
from core.text.identity import text_hashes
from core.text.shingling import tokenise

# These are in the reviews that people have: whoever changes them raises `SIGNING`.
GIVEN = {
    "The quick brown fox.": "215b02db36f2e285ddef93c2cbc3b083",
    "Größe, Ähnlichkeit und 10² Öfen": "8f032b9bb3f81179187cf36d1a7bc881",
    "图书馆 and ｆｕｌｌ width, \U0001d400\U00020000": "3b7bd087954d96a61550dd1bd2e6a55c",
    "...": "ebf81ba115dffe7077e9e4a1556d5f7e",
    "بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ، كتـــاب": "245e82aae2b7d199ae19f6f7fff72520",
    "בְּרֵאשִׁית בָּרָא": "bdb40f9bd7b8a27ed843e7a2dcbf0c2c",
}


@pytest.mark.parametrize("text", GIVEN)
def test_the_hash_of_a_text_stays(text):
    assert text_hashes([text]) == [GIVEN[text]]


SAME = [
    ("The quick brown fox", "the quick\r\n\tBROWN  fox.\n"),
    ("an example of it", "an exam-\nple of it"),
    ("an example of it", "an exam\u2010 \n  ple of it"),
    ("a well-known word", "a well-\nknown word"),
    ("soft hyphen", "soft hy\u00adphen"),
    ("soft hyphen", "soft hy\u00ad\nphen"),
    ("“naïve” café", '"nai\u0308ve" cafe\u0301'),
    ("\ufb01le ｆｕｌｌ", "file full"),
    ("Straße", "straße"),
    ("Straße", "STRASSE"),
    ("GROẞ", "groß"),
    ("图书馆", "图 书\n馆。"),
    ("It\u2019s here \u2013 now", "It's here - now"),
    ("pages 10–20", "pages 10-20"),
    ("pages 10–20", "pages 10–\n20"),
    ("in 2019. 5 people", "in 2019.\n5 people"),
    ("−5 %", "-5%"),
    ("−5 %", "–5\u00a0%"),
    ("−5 %", "− 5 ％"),
    ("5 – 3 people", "5 3 people"),
    ("1’500", "1'500"),
    ("½", "1/2"),
    ("1 500 €", "1\u202f500€"),
    ("- 5 apples", "• 5 apples"),
    ("paper", "pаper"),
    ("word", "wo\u200drd"),
]
DIFFERENT = [
    ("a fox", "a box"),
    ("one two", "two one"),
    ("page 1", "page 2"),
    ("cafe", "café"),
    ("...", "!!!"),
    ("图书馆", "图馆书"),
    ("not able", "notable"),
    ("It's here", "Its here"),
    ("one two three four", "onetwo threefour"),
    ("pays 1.500", "pays 150.0"),
    ("pays 1.500", "pays 1,500"),
    ("pays 1.500", "pays 1500"),
    ("pays 1 500", "pays 1500"),
    ("−5 %", "5 %"),
    ("a change of -5", "a change of 5"),
    ("(-5)", "(5)"),
    ("-€5", "€5"),
    ("5 %", "5"),
    ("5 %", "5 ‰"),
    ("$5", "£5"),
    (".5", "5"),
    ("-.5", ".5"),
    ("1/2", "1.2"),
    ("10:30", "10.30"),
    ("p < 0.05", "p > 0.05"),
    ("x ≤ 3", "x ≥ 3"),
    ("10²", "102"),
    ("2019-5", "20195"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_what_readers_disagree_on_does_not_count(a, b):
    assert text_hashes([a]) == text_hashes([b])


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_words_figures_and_their_order_count(a, b):
    assert text_hashes([a]) != text_hashes([b])


@given(st.lists(st.text(max_size=30) | st.text("aé图-\n .5%−а", max_size=30)), st.data())
def test_a_text_is_the_same_beside_others_and_in_pieces(texts, data):
    together = text_hashes(texts)
    assert together == [text_hashes([text])[0] for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.text.characters.PIECE", data.draw(st.integers(1, 8)))
        patch.setattr(disguises, "is_long", lambda _: False)  # its pieces see less around words
        assert text_hashes(texts) == together


def test_texts_of_one_letter_each_have_room_for_their_words():
    assert len(set(text_hashes(["\u0430"] * 10_000))) == 1  # a Cyrillic letter like a Latin one


def test_a_sign_that_a_piece_ends_with_has_room_in_the_next(monkeypatch):
    hashes = text_hashes(["±㐀"])
    monkeypatch.setattr("core.text.characters.PIECE", 1)
    monkeypatch.setattr(disguises, "is_long", lambda _: False)
    assert text_hashes(["±㐀"]) == hashes


words = st.text("abcdefgß", min_size=1, max_size=6)
figures = st.from_regex(r"[-−]?[1-9][0-9]{0,2}([.,/][0-9]{1,3})?( ?%)?", fullmatch=True)
prose = st.lists(words | figures, min_size=1, max_size=12)


def set_anew(data, parts):
    """The words and figures as another format may have them: none of them another."""
    text = parts[0]
    for before, after in pairwise(parts):
        marks = [" ", "\n", "  \n\t", "\u00a0", "; ", ", ", "” – “", " - ", "…\n\n"]
        text += data.draw(st.sampled_from(marks)) + after
        if before.isalpha() and len(before) > 1 and data.draw(st.booleans()):
            at = len(text) - len(after)
            start = text.rindex(before, 0, at)
            broken = data.draw(st.sampled_from(["-\n", "\u00ad", "\u00ad\n", "\u2010\n  "]))
            text = text[: start + 1] + broken + text[start + 1 :]
    minus = data.draw(st.sampled_from("-−–"))
    text = re.sub(r"(?<!\S)[-−](?=\d)", minus, text)
    return text.upper() if data.draw(st.booleans()) else text


@given(prose, st.data())
def test_another_format_of_the_same_words_is_the_same_text(parts, data):
    assert text_hashes([set_anew(data, parts)]) == text_hashes([" ".join(parts)])


@given(prose, prose)
def test_other_words_or_figures_are_another_text(a, b):
    def counted(parts):
        return " ".join(parts).replace("ß", "ss").replace("−", "-").replace(" %", "%")

    is_same = counted(a) == counted(b)
    assert (text_hashes([" ".join(a)]) == text_hashes([" ".join(b)])) is is_same


@given(st.text(max_size=60), st.text(max_size=60))
def test_texts_with_other_words_are_other_texts(a, b):
    """Whatever the characters: the words are those of shingles, hyphens within them gone."""

    def words_of(text):
        return tokenise(text.replace("-", ""), ScanSettings(k=1)).values.tolist()

    if words_of(a) != words_of(b):
        assert text_hashes([a.replace("-", "")]) != text_hashes([b.replace("-", "")])


quick = settings(derandomize=True, max_examples=200)


def marked(text):
    return [
        (text[mark.start : mark.end], mark.kind, f"{mark.name} {mark.letter}".strip())
        for mark in find_disguise_marks(text)
    ]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("a pаper of реорle", MarkKind.LETTER, [("а", "Cyrillic а"), ("реор", "Cyrillic р")]),
        ("only а word", MarkKind.LETTER, [("а", "Cyrillic а")]),
        ("слово cлово", MarkKind.LETTER, [("c", "Latin c")]),
        ("a pαper αnd more", MarkKind.LETTER, [("α", "Greek α"), ("α", "Greek α")]),
        ("οne more", MarkKind.LETTER, [("ο", "Greek ο")]),  # omicron is no symbol
        ("wօrd", MarkKind.LETTER, [("օ", "Armenian օ")]),
        ("pａper, wor𝐝", MarkKind.LETTER, [("ａ", "fullwidth a"), ("𝐝", "mathematical d")]),
        ("pa\u200bper", MarkKind.INVISIBLE, [("a\u200bp", "zero width space")]),
        (
            "p\u200ca\u200dp\u2060er",
            MarkKind.INVISIBLE,
            [("p\u200ca\u200dp\u2060e", "zero width non-joiner")],
        ),
        ("中\ufeff国", MarkKind.INVISIBLE, [("中\ufeff国", "zero width no-break space")]),
        ("so\u00adft", MarkKind.SOFT_HYPHEN, [("o\u00adf", "soft hyphen")]),
        ("two\u3164words", MarkKind.BLANK, [("\u3164", "hangul filler")]),
        ("two\u2800words", MarkKind.BLANK, [("\u2800", "braille pattern blank")]),
    ],
)
def test_letters_of_other_scripts_and_what_is_not_seen_are_marked(text, kind, expected):
    assert marked(text) == [(span, kind, sentence) for span, sentence in expected]


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "Мы пользуемся HTTP и git каждый день, a и TCP",
        "let α, ν and ρ be the rates of TNFα and βx, 5 μm",
        "The word сор means litter, as собака means dog",
        "می\u200cخواهم",
        "क्\u200dष",
        "👩\u200d👧 ❤\ufe0f",
        "葛\U000e0100城",
        "ภาษา\u200bไทย",
        "two\u00a0words",
        "word \u200b\u200band more",
        "ＡＢＣ means ABC",
        "a \u2066שלום\u2069 b",
        "בְּרֵאשִׁית בָּרָא",
        "بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ، كتـــاب",
    ],
)
def test_nothing_is_marked_in_ordinary_text(text):
    assert marked(text) == []
    assert sentences_on_disguises(text) == ()


def test_facts_are_said_with_how_many_and_an_example():
    text = "A pаpеr for\u200b\u200bmal so\u00adft two\u3164words"

    assert sentences_on_disguises(text) == (
        (
            "2 letters of other scripts stand within words, as in “pаpеr” (Cyrillic а), and "
            "count as the letters they look like."
        ),
        (
            "2 invisible characters stand within words, as in “formal” (zero width space), and "
            "do not count."
        ),
        "1 soft hyphen stands within words, as in “soft”, and does not count.",
        "1 blank that is no space (hangul filler) stands in the text and counts as a space.",
    )


@pytest.mark.parametrize(
    "code", sorted(path.parts[-3] for path in resource("languages").glob("*/LC_MESSAGES/*.mo"))
)
def test_facts_are_said_in_the_language_of_the_reader(code):
    text = "A pаper for\u200bmal two\u3164words, wοrd"
    letters, invisible, blank = sentences_on_disguises(text)

    with in_language(load_language(code)):
        shown = [as_shown(sentence) for sentence in (letters, invisible, blank)]
        for name in NAMES.values():
            assert as_shown(letters.replace("Cyrillic", name)) != letters
            assert name not in as_shown(letters.replace("Cyrillic", name))
    assert "zero width" not in shown[1]
    assert "hangul filler" not in shown[2]
    assert "а" in shown[0].partition("pаper")[2]


def test_marks_of_a_long_text_are_where_the_characters_are():
    filling = "word and word " * (PIECE // 10)
    text = f"{filling}pаper {filling}so\u200bft"

    assert [text[mark.start : mark.end] for mark in find_disguise_marks(text)] == ["а", "o\u200bf"]


@quick
@given(st.text("aеоcαο\u200b\u00ad\u3164ａ -б国", max_size=30))
def test_marks_are_in_order_within_the_text(text):
    marks = find_disguise_marks(text)

    assert marks == sorted(marks)
    for mark in marks:
        assert 0 <= mark.start < mark.end <= len(text)
        assert 0 < mark.characters <= mark.end - mark.start


ENGLISH = (
    "The committee met on Monday. A paper about the price of copper and coal was read, and each "
    "of us spoke: some hoped that prices would fall, others expected a rise. Copies of all papers "
    "are kept in the archive; please ask at the desk before you take one home with you."
)
RUSSIAN = (
    "Комитет собрался в понедельник. Мы прочли доклад о ценах на медь и уголь, и каждый сказал "
    "своё слово: одни надеялись на падение цен, а другие ожидали роста. Копии всех докладов "
    "хранятся в архиве; с вопросами обращайтесь к секретарю, у которого есть список."
)
GREEK_TEXT = "Η επιτροπή συνήλθε τη Δευτέρα και όλοι μίλησαν για το χαλκό, που ακριβαίνει."
CYRILLIC_LETTERS = dict(zip("aceopxyijsABCEHIKMOPTX", "асеорхуіјѕАВСЕНІКМОРТХ", strict=True))


def exchanged(text, table, share=1.0):
    rng = random.Random(1)
    return "".join(table[c] if c in table and rng.random() < share else c for c in text)


def read(text):
    return as_seen([text]).texts[0]


def resemblance(a, b, unit="word", k=5):
    return figures_of(a, b, ScanSettings(unit=unit, k=k)).resemblance


@pytest.mark.parametrize("unit", ["word", "char"])
@pytest.mark.parametrize("k", [3, 9])
@pytest.mark.parametrize("share", [0.2, 1])
@pytest.mark.parametrize(
    ("text", "table"),
    [
        (ENGLISH, {"a": "а"}),
        (ENGLISH, CYRILLIC_LETTERS),
        (ENGLISH, {"o": "ο", "v": "ν", "A": "Α", "T": "Τ"}),
        (ENGLISH, {"u": "ս", "o": "օ", "h": "հ"}),
        (ENGLISH, {"k": "к", "m": "м", "t": "т", "e": "е", "a": "а"}),
        (ENGLISH, {"a": "ａ", "e": "𝐞"}),
        (RUSSIAN, {cyrillic: latin for latin, cyrillic in CYRILLIC_LETTERS.items()}),
        (GREEK_TEXT, {"ο": "o", "α": "a", "ν": "v", "Η": "H"}),
    ],
)
def test_a_text_with_letters_exchanged_is_the_same_text(text, table, share, unit, k):
    disguised = exchanged(text, table, share)

    assert disguised != text
    assert resemblance(text, disguised, unit, k) == 1


@pytest.mark.parametrize("unit", ["word", "char"])
@pytest.mark.parametrize(
    "character",
    list("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0f\U000e0061\u200e\u202e\u034f\u180b\u1160"),
    ids=ascii,
)
@pytest.mark.parametrize("text", [ENGLISH, RUSSIAN], ids=["English", "Russian"])
def test_a_text_with_invisible_characters_strewn_is_the_same_text(text, character, unit):
    rng = random.Random(2)
    disguised = "".join(letter + character * (rng.random() < 0.3) for letter in text)

    assert resemblance(text, disguised, unit, 9) == 1


@pytest.mark.parametrize("unit", ["word", "char"])
@pytest.mark.parametrize("blank", "\u00a0\u3164\uffa0\u2800\u115f\u2003\u202f")
def test_a_text_with_other_blanks_for_spaces_is_the_same_text(blank, unit):
    assert resemblance(ENGLISH, ENGLISH.replace(" ", blank), unit, 9) == 1


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        RUSSIAN,
        GREEK_TEXT,
        "Комісія зібралася в понеділок, і її члени з'їхалися з усіх областей.",
        "Комисија се састала у понедељак, а њени чланови су дошли са свих страна.",
        "Το κείμενο Unicode και η ΑΒΓ Corporation, ο νόμος της.",
        "می\u200cخواهم کتاب\u200cهای خوب بخوانم",
        "क्\u200dष और क्\u200cष",
        "A family 👨\u200d👩\u200d👧 and a heart ❤\ufe0f",
        "ᬅᬓ᭄ᬱ\u200bᬭ ᬩᬮᬶ",
        "ᠮᠣᠩᠭᠣᠯ\u180eᠠ ᠪᠠᠢ\u180b",
        "λ = 5 μm, Δt and θ of β2-microglobulin at 3 kΩ",
        "Œuvre, naïve, café, Ångström, ﬁle, İstanbul, ısı",
        "Avañeʼẽ, Hawaiʻi, oʻzbek, d’abord",
        "한국어 \u1112\u119e\u11ab 중국어 日本語 ＡＢＣ",
        "Der Auf\u00adsatz und die Auf\u200clage",
        "The word собака means dog, and кошка means cat.",
        "сор",
    ],
)
def test_honest_text_stays_as_it_is(text):
    assert read(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pаper", "paper"),
        ("The реорlе of а town", "The people of a town"),
        ("слово cop слово", "слово сор слово"),  # Latin
        ("word сор word", "word cop word"),
        ("слово HTTP слово", "слово НТТР слово"),
        ("слово *NО* слово", "слово *NO* слово"),
        ("Такe мake таке", "Take make take"),
        ("Это таке и make", "Это таке и make"),
        ("p\u200bap\u034fer", f"p{FILLER}ap{FILLER}er"),
        ("two\u3164words\u2800here", "two words here"),
        ("cафe и бар", "сафе и бар"),  # ф is no Latin letter
        ("μm and αβγδ", "μm and αβγδ"),
    ],
)
def test_disguised_letters_are_read_as_plain_ones(text, expected):
    assert read(text) == expected


def test_plain_words_share_their_shingles_whatever_stands_beside_them():
    tokens_alone, tokens_beside = (
        tokenise(text, ScanSettings(k=1)).values[:3].tolist()
        for text in ("git help shell один раз", "git help shell once")
    )
    assert tokens_alone == tokens_beside


def test_a_word_of_two_scripts_counts_the_same_whichever_of_them_it_is_in():
    around = "Мы пользуемся протоколом {} каждый день"

    assert read(around.format("HTTP")) == read(around.format("НТТР"))


@quick
@given(st.lists(st.text("aеоοcрp бgdλαт\n\u200b\u00ad\u3164ａ-1.", max_size=20), max_size=4))
def test_texts_together_are_read_as_each_alone(texts):
    together = as_seen(texts).texts

    assert together == [read(text) for text in texts]
    assert list(map(len, together)) == list(map(len, texts))


@quick
@given(st.text(st.characters(), max_size=30))
def test_any_text_keeps_its_length(text):
    parts = list(seen(text))

    assert sum(len(part.read) for part in parts) == len(text)
    assert len(read(text)) == len(text)


def test_a_long_text_is_read_as_its_pieces_are():
    text = exchanged(f"{ENGLISH} ", {"a": "а"}) * (PIECE // len(ENGLISH) + 10)

    assert read(text) == f"{ENGLISH} " * (PIECE // len(ENGLISH) + 10)


def test_a_word_that_a_line_end_divides_is_whole_among_invisible_characters():
    text = "An example of an exam-\n  ple, as this paper has many of, an exam-\nple for all."
    disguised = "".join(letter + "\u200d" for letter in text)

    assert tokenise(disguised, ScanSettings()).values.tolist() == (
        tokenise(text, ScanSettings()).values.tolist()
    )


@pytest.mark.parametrize("unit", ["word", "char"])
@pytest.mark.parametrize(
    "text", ["ဦးလေးသည် စာဖတ်သည်", "cafe\u0301 na\u0308ive", "தமிழ் கொடி போல்", "ភាសាខ្មែរ", "ภาษาไทย"]
)
def test_invisible_characters_part_no_mark_from_its_letter(text, unit):
    for character in "\u200b\u200d\u2060\u034f":
        disguised = "".join(letter + character for letter in text)

        assert resemblance(text, disguised, unit, 3) == 1


def test_soft_hyphens_that_are_strewn_join_no_lines():
    text = "one word\nand the next one"
    disguised = "".join(letter + "\u00ad" for letter in text)

    assert resemblance(text, disguised) == 1


def test_spans_are_those_of_the_text_as_it_is_written():
    text = "the pа\u200bper\u3164cut"
    tokens = tokenise(text, ScanSettings())

    words = [text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]

    assert words == ["the", "pа\u200bper", "cut"]


def test_look_alikes_are_letters_of_other_scripts():
    tables = letters()

    for target in TARGETS:
        changed = np.flatnonzero(tables.looks_like[target] != np.arange(0x20000))
        facts = tables.facts[changed]
        assert len(changed) > 50
        assert (facts & SCRIPTS & target == 0).all()
        assert (tables.facts[tables.looks_like[target][changed]] & SCRIPTS == target).all()
