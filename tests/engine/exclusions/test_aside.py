"""Which text is set aside, by which rule, and where a rule is refused."""

import json
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.exclusions import repeated
from core.exclusions.finding import (
    MARKS,
    Known,
    find_bibliographies,
    find_exclusions,
    find_quotations,
)
from core.exclusions.repeated import PhraseIndex, Texts, has_words, words_of
from core.exclusions.rules import NO_RULES, ExclusionRules, Phrase, shares_of
from core.text.set_aside import Reason, SetAside, check_spans

PROSE = (
    "The lamps stay on all night in this part of the town, and nobody has ever asked what for. In "
    "1998 (Meyer 1999) it was said that they would be put out at eleven, which did not happen."
)
ENTRIES = (
    "Meyer, A. (1999). Lamps of the town. Kelder Press, Kelderby.",
    "Okafor, B. and Tran, C. (2004) ‘Light and dark’, Journal of Nights 12(3), pp. 4-19.",
    "Drury, S. 2011. The market hall. https://example.org/hall",
)


def bibliographies_in(text):
    spans = find_bibliographies(text)
    check_spans(spans, len(text))
    assert all(span.reason is Reason.BIBLIOGRAPHY for span in spans)
    return [text[span.start : span.end] for span in sorted(spans)]


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n- ", "\n\n* "])
@pytest.mark.parametrize(
    "heading",
    ["References", "REFERENCES:", "## Works cited", "7. Bibliography", "Sources\n---", "_Sources_"],
)  # fmt: skip
def test_a_list_at_the_end(heading, between):
    bibliography = heading + "\n" + between.join(["", *ENTRIES])

    assert bibliographies_in(f"{PROSE}\n\n{bibliography}\n") == [bibliography]


@pytest.mark.parametrize(
    ("heading", "entry"),
    [
        ("Literaturverzeichnis", "Meyer, Anna: Lampen der Stadt. Kelderby 1999."),
        ("Références bibliographiques", "DUPONT J., Les lampes de la ville, Paris, 2004, 210 p."),
        ("Bibliografía", "García, M. (2010). Las lámparas de la ciudad. Madrid."),
        ("Bibliografia", "Rossi M., Le lampade della città, Roma, 1987."),
        ("Literatuurlijst", "Jansen, P. (2001). Lampen van de stad. Utrecht."),
        ("Källförteckning", "Svensson, K. (1995). Stadens lampor. Lund."),
        ("Lähteet", "Virtanen, M. 2008. Kaupungin lamput. Turku."),
        ("Wykaz literatury", "Kowalski J., Lampy miasta, Kraków 1991."),
        ("Seznam literatury", "NOVÁK, Jan. Lampy města. Brno, 2003."),
        ("Irodalomjegyzék", "Kiss A. (2006): A város lámpái. Pécs."),
        ("Список литературы", "1. Петров И. И. Фонари города. М.: Наука, 1987. 210 с."),
        ("Βιβλιογραφία", "Παππάς, Γ. (1999). Οι λάμπες της πόλης. Βόλος."),
        ("Kaynakça", "Yılmaz, A. (2012). Şehrin lambaları. İzmir."),
        ("المراجع", "أحمد، خالد (2005). مصابيح المدينة. بيروت."),
        ("רשימת מקורות", "כהן, ד' (2001). פנסי העיר. חיפה."),
        ("منابع", "رضایی، علی (۱۳۸۵). چراغ‌های شهر. شیراز."),
        ("参考文献", "[1] 王明. 城市的路灯[J]. 夜间研究, 2004(3): 12-19."),
        ("引用文献", "山田太郎（2004）『街の灯り』夜出版。"),
        ("참고문헌", "김민수 (2010). 도시의 등불. 서울: 밤출판사."),
        ("Tài liệu tham khảo", "Nguyễn Văn A (2015). Đèn thành phố. Huế."),
    ],
)
def test_headings_of_many_languages(heading, entry):
    bibliography = f"{heading}\n\n{entry}\n\n{entry}"

    assert bibliographies_in(f"One. Two. Three.\n\n{bibliography}\n") == [bibliography]


def test_lists_at_the_end_of_chapters():
    entries = "\n\n".join(ENTRIES)
    bibliography = f"## References\n\n{entries}"
    text = f"# One\n\n{PROSE}\n\n{bibliography}\n\n# Two\n\n{PROSE}\n\n{bibliography}"

    assert bibliographies_in(text) == [bibliography] * 2


def test_text_after_a_bibliography_is_not_part_of_it():
    entries = "\n\n".join(ENTRIES)
    for after in (
        f"Appendix\n\n{PROSE}",
        f"# Appendix\n\n{PROSE}",
        PROSE * 3,
        f"Annex\n-----\n{PROSE}",
    ):
        text = f"{PROSE}\n\nReferences\n\n{entries}\n\n{after}"
        assert bibliographies_in(text) == [f"References\n\n{entries}"]


@pytest.mark.parametrize(
    "entries",
    [
        f"Primary sources\n\n{ENTRIES[0]}\n\nSecondary sources\n\n{ENTRIES[1]}",
        "Meyer, A. (1999). Lamps, and what\n  became of them. Kelder Press,\n  Kelderby.",
    ],
)
def test_a_list_in_parts_or_of_wrapped_entries(entries):
    bibliography = f"Bibliography\n\n{entries}"

    assert bibliographies_in(f"{PROSE}\n\n{bibliography}") == [bibliography]


def test_entries_without_a_heading():
    entries = "\n\n".join(ENTRIES)

    assert bibliographies_in(f"{PROSE}\n\n{PROSE}\n\n{entries}\n") == [entries]
    assert bibliographies_in(f"{PROSE}\n\n{ENTRIES[0]}") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "References",
        f"Literature\n\n{PROSE.replace('1998', 'May').replace('(Meyer 1999) ', '')}",
        f"Sources\n\nThe river comes from the hills behind the town. {'Nobody goes there. ' * 9}",
        f"{PROSE}\n\n{PROSE}\n\n{PROSE}",
        "# Dates\n\n1998: the lamps\n\n1999: the hall\n\n2004: the school\n\n2010: the bridge",
    ],
)
def test_text_without_a_bibliography(text):
    assert bibliographies_in(text) == []


@given(st.text(st.sampled_from("a1[]\n #.,:2024Meyr()-"), max_size=200))
def test_any_text_has_spans_within_it_of_bibliography(text):
    bibliographies_in(text + "\n\nReferences\n\n" + text)


@pytest.mark.parametrize(
    "part", ["References\n", "References\n\n1999\n\n", "a, B. 1999\n\n", "1\n", "(", "a "]
)
def test_many_lines_without_sense_are_read_once(part):
    """Were each compared with all before, this would not end."""
    text = part * 20_000

    check_spans(find_bibliographies(text), len(text))


def quoted(text):
    spans = find_quotations(text)
    check_spans(spans, len(text))
    assert all(span.reason is Reason.QUOTATION for span in spans)
    return [text[span.start : span.end] for span in sorted(spans)]


@pytest.mark.parametrize(
    "quotation",
    [
        "“the lamps stay on all night here”",
        '"the lamps stay on all night here"',
        "‘the lamps stay on all night here’",
        "„die Lampen brennen hier jede Nacht“",
        "„lampy świecą tu przez całą noc”",
        "»die Lampen brennen hier jede Nacht«",
        "»lamporna lyser här varje natt nu»",
        "”lamporna lyser här varje natt nu”",
        "« les lampes restent allumées toute la nuit »",
        "«лампы горят здесь всю ночь напролёт»",
        "«οι λάμπες καίνε εδώ όλη νύχτα»",
        "«المصابيح تبقى مضاءة هنا طوال الليل»",
        "‚die Lampen brennen hier jede Nacht‘",
        "‹les lampes restent allumées ici la nuit›",
        "「街燈在這裡整夜都不會熄滅」",
        "『街灯はここで一晩中ついている』",
        "“路灯在这里整夜都不会熄灭”",
        "〝街灯はここで一晩中ついている〟",
        "``the lamps stay on all night here''",
    ],
)
@pytest.mark.parametrize("around", ["He said: {}, and left.", "{}", "A — {}.\n\nMore", "({})"])
def test_marks_of_many_languages(quotation, around):
    assert quoted(around.format(quotation)) == [quotation]


@pytest.mark.parametrize("around", ["他说：{}他走了。", "그는 {}라고 말했다."])
def test_scripts_that_put_no_space_around_quotations(around):
    for quotation in ('"路灯在这里整夜都不会熄灭"', "‘路灯在这里整夜都不会熄灭’"):
        assert quoted(around.format(quotation)) == [quotation]


@pytest.mark.parametrize(
    "text",
    [
        "The so-called “night bus” and the 'day bus' and \"no bus at all\".",
        "It's the dogs' dinner and the cats' supper, 'tis what the boys' mother said.",
        "It’s the dogs’ dinner and the cats’ supper, so the boys’ mother said to them.",
        'A 5" pipe and a 6" pipe lie beside the 7" pipe that we bought for them.',
        "Rock ’n’ roll and the ’60s were what the neighbours’ children wanted to hear.",
        "“This one is never closed at all.\n\nAnother paragraph with many words in it.",
        "Never opened at all, this one has only the end”. And it goes on for long.",
        "《红楼梦》",
        "",
        "“",
        "5 > 3 and this is no quotation of anything at all.",
        "What we charge.\n\n> The schedule says what each of the services costs a month.\n",
        "Schedule:\n" + "> Each of these services costs as much a month as it says.\n" * 100,
        'Call print("the lamps stay on all night") or set [title="the lamps stay on all night"].',
        "the jmo', ne iso tas ta mojoo lii re ni jmae' isoo, kio leji ai'. And more.",
        "'imayek wok latiikyunha 'iluunhi yen 'nowopej eelha wet nonek'. " * 20,
    ],
)
def test_text_without_a_quotation(text):
    assert quoted(text) == []


TERMS = (
    'The words "**we**", "**our**” and "**us**" mean the company that runs all this for you, '
    'and "you" means the person who reads it and has agreed to these terms with "us".'
)
OUTER = "“he told me ‘the lamps stay on all night here’ again”"
PARAGRAPHS = [
    "“one two three four five.",
    "“six seven eight nine ten.",
    "“and so it ends there at last.”",
]
BLOCK = "> the lamps stay on\n> all night here"
INDENTED = "    The lamps stay on all night here, and\n    nobody ever asks what for."


@pytest.mark.parametrize(
    ("text", "quotations"),
    [
        (
            "He said “no.\n\nThen “the lamps stay on all night here” and “never.\n\nIt ends.",
            ["“the lamps stay on all night here”"],
        ),
        (TERMS, []),
        ('He said “the lamps stay on all night", and “left".', ['“the lamps stay on all night"']),
        (
            'It is 5" and "so the lamps stay, "the lamps stay on all night" and on.',
            ['"the lamps stay on all night"'],
        ),
        (
            "She wrote ‘the dogs’ dinner is what they all eat’ in it.",
            ["‘the dogs’ dinner is what they all eat’"],
        ),
        (OUTER, [OUTER, "‘the lamps stay on all night here’"]),
        ("\n\n".join(["Intro.", *PARAGRAPHS, "After."]), PARAGRAPHS),
        (f"He wrote:\n{BLOCK}\n\nand so on", [BLOCK]),
        (f"He wrote:\n\n{INDENTED}\n\nand so on", [INDENTED]),
        (f"He wrote.\n\n{INDENTED}\n\nand so on", []),
        ("Run this:\n\n    for i in range(10): print(i); x[i] += {1: 2}\n    y = f(x)\n", []),
    ],
)
def test_quotations_end_where_their_marks_or_lines_do(text, quotations):
    assert quoted(text) == quotations


@given(st.text(st.sampled_from(MARKS + "ab \n.")))
@settings(max_examples=300)
def test_any_text_has_spans_within_it_of_quotations(text):
    quoted(text)


@pytest.mark.parametrize(
    "part", ["“", "«”", "‘a’s ", '"a" ', "``", ">\n", "a:\n\n    b", "”x“", "'s "]
)
def test_many_marks_without_sense_are_read_once(part):
    """Were each compared with all before, this would not end."""
    text = part * 100_000

    check_spans(find_quotations(text), len(text))


FORM = (
    "School of Lamps and Rivers\nEssay two: a place and who uses it\n\nCandidate: {name}\n\n"
    "I declare that this essay is my own work and that every source is named in it.\n\n"
)
ZH_FORM = (
    "灯河学院\n作业二：一个地方和使用它的人\n\n姓名：{name}\n\n本人声明这篇文章是我自己的作品。\n\n"
)


def words(seed, count=300):
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(10_000)}" for _ in range(count))


def find(texts, rules, known=None, template=()):
    lengths = np.array([len(text) for text in texts], np.int64)
    with ThreadPoolExecutor(2) as pool:
        spans_of = find_exclusions(Texts(texts, lengths, pool), rules, known or Known(), template)
    for number, spans in spans_of.items():
        check_spans(spans, len(texts[number]))
    return spans_of


def shown(texts, spans_of):
    return {
        number: [texts[number][span.start : span.end] for span in spans]
        for number, spans in spans_of.items()
        if spans
    }


@pytest.mark.parametrize("form", [FORM, ZH_FORM], ids=["en", "zh"])
def test_a_cover_sheet_ends_where_the_essay_begins(form):
    names = ["Ann Lee", "Bo", "Carla van der Meer", "Đặng", "Öz Şen"]
    texts = [form.format(name=name) + words(name) for name in names]
    texts += [words(number) for number in range(20)]

    texts_of_spans = shown(texts, find(texts, ExclusionRules(repeated=True)))

    assert set(texts_of_spans) == set(range(5))
    for number, name in enumerate(names):
        cover = form.format(name=name).rstrip("。.\n")
        assert texts_of_spans[number] == [cover]


def test_copies_of_an_essay_have_the_cover_sheet_of_the_others():
    """Three copied the whole essay: that is what is to be found."""
    forms = [FORM.format(name=name) for name in ("Ann", "Bo", "Cy", *map(str, range(12)))]
    texts = [form + words("same" if n < 3 else n) for n, form in enumerate(forms)]

    texts_of_spans = shown(texts, find(texts, ExclusionRules(repeated=True)))

    assert texts_of_spans == {number: [form.rstrip(".\n")] for number, form in enumerate(forms)}


def test_text_that_short_essays_copy_after_a_cover_sheet_is_not_part_of_it():
    """Only three have the form, and all three copied: nothing shows where the form ends."""
    texts = [
        FORM.format(name=name) + words("same", 200) + " " + words(name, 100)
        for name in ("Ann", "Bo", "Cy")
    ]

    assert shown(texts, find(texts, ExclusionRules(repeated=True))) == {}


def test_copies_without_a_cover_sheet_have_none():
    texts = [words("same") + words(number, 5) for number in range(4)]
    texts += [words(number) for number in range(20)]

    assert shown(texts, find(texts, ExclusionRules(repeated=True))) == {}


def test_headings_that_repeat():
    texts = [
        f"{words(number, 30)}\n\n## 2. Results\n\n{words(number + 50, 30)}\n\nOwn {number}\n\n"
        f"{words(number + 90, 30)}\nthe same line in all\n{words(number + 70, 30)}"
        for number in range(4)
    ]

    texts_of_spans = shown(texts, find(texts, ExclusionRules(repeated=True)))

    assert texts_of_spans == {number: ["2. Results"] for number in range(4)}


def test_common_passages_stand_in_enough_documents():
    passage = "the lamps of this town stay on all night and nobody has asked what for"
    texts = [f"{words(n, 40)} {passage} {words(n + 99, 40)}" for n in range(5)]
    texts += [f"{passage.upper().replace(' ', chr(10))} {passage}", words("other")]

    assert shown(texts, find(texts, ExclusionRules(common=7))) == {}
    texts_of_spans = shown(texts, find(texts, ExclusionRules(common=6)))
    assert {n: list(map(str.lower, span_texts)) for n, span_texts in texts_of_spans.items()} == {
        **{n: [passage] for n in range(5)},
        5: [f"{passage.replace(' ', chr(10))} {passage}"],
    }


def test_a_passage_twice_in_one_document_is_not_common():
    passage = "the lamps of this town stay on all night and nobody has asked what for"
    texts = [f"{passage}. {words(1, 9)} {passage}", words(2)]

    assert shown(texts, find(texts, ExclusionRules(common=2))) == {}


def test_templates_count_for_nothing_and_others_lose_what_they_share_with_them():
    template = "Question one: why do the lamps stay on all night? Question two: who pays?"
    texts = [
        f"Question one: why do the lamps stay on all night?\n{words(1, 40)}\nTwo: by whom?",
        template,
        words(2),
    ]

    spans_of = find(texts, NO_RULES, template=(1,))

    assert shown(texts, spans_of) == {
        0: ["Question one: why do the lamps stay on all night"],
        1: [template],
    }
    assert {span.reason for spans in spans_of.values() for span in spans} == {Reason.TEMPLATE}


def test_ranges_of_hashes_count_the_same(monkeypatch):
    passage = words("passage", 30)
    texts = [f"{words(number, 40)} {passage}" for number in range(6)]
    rules = ExclusionRules(common=4, repeated=True)
    uncut = find(texts, rules)
    monkeypatch.setattr(repeated, "AT_ONCE", 50)
    monkeypatch.setattr(repeated, "KEPT_CHARACTERS", 10)

    assert find(texts, rules) == uncut
    assert shown(texts, uncut) == {number: [passage] for number in range(6)}


def random_rules(rng, texts):
    phrases = []
    for _ in range(rng.randrange(3)):
        words = texts[rng.randrange(len(texts))].split()
        start = rng.randrange(len(words))
        phrases.append(Phrase(" ".join(words[start : start + rng.randrange(1, 9)])))
    return ExclusionRules(
        quotations=rng.random() < 0.5,
        bibliography=rng.random() < 0.5,
        repeated=rng.random() < 0.5,
        common=rng.choice([0, 3, 4]),
        phrases=tuple({phrase.text: phrase for phrase in phrases}.values()),
    )


@pytest.mark.parametrize("seed", range(12))
def test_kept_spans_equal_those_of_a_new_search(seed):
    rng = random.Random(seed)
    passage = words("passage", 20)
    texts = [
        f"{FORM.format(name=number)}{words(number, 60)} “{words(number % 3, 9)}” {passage}\n\n"
        "References\n\nMeyer, A. (1999). Lamps.\n\nTran, B. (2001). Lights."
        for number in range(6)
    ]
    template = (5,) if seed % 2 else ()
    rules = random_rules(rng, texts)
    spans = find(texts, rules, template=template)
    for _ in range(4):
        changed = random_rules(rng, texts)
        known = Known(rules, spans, frozenset(range(6)))
        kept = find(texts, changed, known, template)
        assert kept == find(texts, changed, template=template)
        number = rng.randrange(5)
        texts[number] += f" “{words(number, 7)}”"
        known = Known(changed, kept, frozenset(range(6)) - {number})
        spans, rules = find(texts, changed, known, template), changed
        assert spans == find(texts, changed, template=template)


def phrases_found(texts, phrases):
    words = words_of(texts, np.arange(len(texts)))
    index = PhraseIndex(
        [phrase if isinstance(phrase, Phrase) else Phrase(phrase) for phrase in phrases]
    )
    return sorted((row, texts[row][span.start : span.end]) for row, span in index.find(words))


def test_phrases_are_found_at_every_place_within_a_text():
    texts = ["the end the end", "no", "", "at the end"]
    assert phrases_found(texts, ["the end"]) == [(0, "the end"), (0, "the end"), (3, "the end")]
    across = ["two three", "one two three", "two three four"]
    assert phrases_found(["one two", "three four"], across) == []
    alike = ["a b c d", "a b c d e", "a b c d x"]
    assert phrases_found(["a b c d e"], alike) == [(0, "a b c d"), (0, "a b c d e")]


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("One: two\nTHREE, four.", "one two three", "One: two\nTHREE"),
        ("Name des Prüflings:\n  MÜLLER", "name des prüflings", "Name des Prüflings"),
        ("Это — Моя\nработа.", "это моя работа", "Это — Моя\nработа"),
        ("我声明，这是我自己的\n工作。", "这是我自己的工作", "这是我自己的\n工作"),
        ("هذا عملي الخاص.", "عملي الخاص", "عملي الخاص"),
        ("ﬁnal ｗｏｒｄｓ here", "final words", "ﬁnal ｗｏｒｄｓ"),
        ("an exam-\nination of exam words and examination", "examination of", "exam-\nination of"),
        ("a b c d e f g h i", "b c d e f g h", "b c d e f g h"),
    ],
)  # fmt: skip
def test_only_words_matter(text, phrase, expected):
    assert phrases_found([text], [phrase]) == [(0, expected)]


def test_each_has_its_reason():
    words = words_of(["one two three"], np.zeros(1, np.int64))
    index = PhraseIndex([Phrase("one two", Reason.STANDARD), Phrase("three")])

    assert [span.reason for _, span in index.find(words)] == [Reason.SELECTION, Reason.STANDARD]


def test_phrases_without_words_are_not_found():
    assert not has_words(" —… ")
    assert has_words("字")
    assert phrases_found(["— a —"], ["—"]) == []


def test_a_text_of_many_pieces():
    text = "word " * 150_000 + "one two three four five" + " word" * 10

    assert phrases_found([text, "x"], ["one two three four five"]) == [
        (0, "one two three four five")
    ]


@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=30), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=7), min_size=1, max_size=4),
)
def test_as_plain_python_finds_them(texts, phrases):
    expected = sorted(
        (row, " ".join(phrase))
        for phrase in {tuple(phrase) for phrase in phrases}
        for row, text in enumerate(texts)
        for position in range(len(text))
        if tuple(text[position : position + len(phrase)]) == phrase
    )

    searched = sorted({" ".join(phrase) for phrase in phrases})
    assert phrases_found([" ".join(text) for text in texts], searched) == expected


COUNTED = [reason for reason in Reason if reason is not Reason.FILE_NAME]
SPANS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 20), st.sampled_from(COUNTED)).map(
        lambda drawn: SetAside(drawn[0], drawn[0] + drawn[1], drawn[2])
    ),
    min_size=1,
)


@given(SPANS)
def test_every_character_counts_once(spans):
    (share,) = shares_of({3: spans}, [9, 9, 9, 100])
    covered = {position for span in spans for position in range(span.start, span.end)}

    assert (share.document, share.length, share.excluded) == (3, 100, len(covered))
    assert share.share == len(covered) / 100
    assert dict(share.reasons) == {
        reason: len(
            {p for span in spans if span.reason is reason for p in range(span.start, span.end)}
        )
        for reason in {span.reason for span in spans}
    }
    assert list(share.reasons.values()) == sorted(share.reasons.values(), reverse=True)


def test_names_of_files_are_nothing_of_the_text():
    names = SetAside(0, 9, Reason.FILE_NAME)
    assert list(shares_of({0: [names]}, [20])) == []
    (share,) = shares_of({0: [names, SetAside(10, 15, Reason.QUOTATION)]}, [20])
    assert (share.excluded, dict(share.reasons)) == (5, {Reason.QUOTATION: 5})


def test_they_are_the_same_again():
    rules = ExclusionRules(
        quotations=True, common=5, phrases=(Phrase("a b", Reason.STANDARD), Phrase("字"))
    )

    assert ExclusionRules.of_json(json.loads(json.dumps(rules.as_json()))) == rules
    assert ExclusionRules.of_json({}) == NO_RULES
    assert rules
    assert not NO_RULES


def test_a_phrase_stands_there_once():
    rules = NO_RULES.with_phrases([Phrase("a"), Phrase("b")])
    rules = rules.with_phrases([Phrase("a", Reason.ASSIGNMENT)])

    assert set(rules.phrases) == {Phrase("a", Reason.ASSIGNMENT), Phrase("b")}
    assert rules.without_phrases([Phrase("a")]).phrases == (Phrase("b"),)


@pytest.mark.parametrize(
    "wrong",
    [
        {"common": 1},
        {"common": -3},
        {"common": 2**40},
        {"common": True},
        {"common": "5"},
        {"quotations": 1},
        {"phrases": "a"},
        {"phrases": [["a"]]},
        {"phrases": [["", "selection"]]},
        {"phrases": [["a", 1]]},
        {"phrases": [["a" * (1 << 21), "selection"]]},
    ],
)
def test_impossible_changes_of_folders_are_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        ExclusionRules.of_json(wrong)


def test_a_phrase_cannot_have_the_reason_of_a_rule():
    with pytest.raises(ValueError, match="quotation"):
        ExclusionRules(phrases=(Phrase("a", Reason.QUOTATION),))
