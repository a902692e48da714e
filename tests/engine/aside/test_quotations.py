"""Quotations in the marks of many languages, and what is none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.aside.quotations import MARKS, find_quotations
from core.text.set_aside import Reason, check_spans


def quoted(text):
    found = find_quotations(text)
    check_spans(found, len(text))
    assert all(one.reason is Reason.QUOTATION for one in found)
    return [text[one.start : one.end] for one in sorted(found)]


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
def test_what_is_no_quotation(text):
    assert quoted(text) == []


def test_a_mark_without_its_other_swallows_nothing():
    text = "He said “no.\n\nThen “the lamps stay on all night here” and “never.\n\nIt ends."

    assert quoted(text) == ["“the lamps stay on all night here”"]


def test_marks_that_do_not_match_set_nothing_aside_between_quotations():
    text = (
        'The words "**we**", "**our**” and "**us**" mean the company that runs all this for you, '
        'and "you" means the person who reads it and has agreed to these terms with "us".'
    )
    assert quoted(text) == []
    assert quoted('He said “the lamps stay on all night", and “left".') == [
        '“the lamps stay on all night"'
    ]
    assert quoted('It is 5" and "so the lamps stay, "the lamps stay on all night" and on.') == [
        '"the lamps stay on all night"'
    ]


def test_owners_stand_within_a_quotation():
    text = "She wrote ‘the dogs’ dinner is what they all eat’ in it."

    assert quoted(text) == ["‘the dogs’ dinner is what they all eat’"]


def test_one_within_another():
    outer = "“he told me ‘the lamps stay on all night here’ again”"

    assert quoted(outer) == [outer, "‘the lamps stay on all night here’"]


def test_a_quotation_of_several_paragraphs():
    one, two, three = (
        "“one two three four five.",
        "“six seven eight nine ten.",
        "“and so it ends there at last.”",
    )
    text = f"Intro.\n\n{one}\n\n{two}\n\n{three}\n\nAfter."

    assert quoted(text) == [one, two, three]


def test_lines_of_letters_and_blocks():
    block = "> the lamps stay on\n> all night here"
    indented = "    The lamps stay on all night here, and\n    nobody ever asks what for."

    assert quoted(f"He wrote:\n{block}\n\nand so on") == [block]
    assert quoted(f"He wrote:\n\n{indented}\n\nand so on") == [indented]
    assert quoted(f"He wrote.\n\n{indented}\n\nand so on") == []
    assert (
        quoted("Run this:\n\n    for i in range(10): print(i); x[i] += {1: 2}\n    y = f(x)\n")
        == []
    )


@given(st.text(st.sampled_from(MARKS + "ab \n.")))
@settings(max_examples=300)
def test_any_text_has_spans_within_it(text):
    quoted(text)


@pytest.mark.parametrize(
    "part", ["“", "«”", "‘a’s ", '"a" ', "``", ">\n", "a:\n\n    b", "”x“", "'s "]
)
def test_many_marks_without_sense_are_read_once(part):
    """Were each compared with all before, this would not end."""
    text = part * 100_000

    check_spans(find_quotations(text), len(text))
