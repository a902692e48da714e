"""Lists of references in many languages, at the end of a text and of its chapters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.aside.finding import find_bibliographies
from core.text.set_aside import Reason, check_spans

PROSE = (
    "The lamps stay on all night in this part of the town, and nobody has ever asked what for. In "
    "1998 (Meyer 1999) it was said that they would be put out at eleven, which did not happen."
)
ENTRIES = (
    "Meyer, A. (1999). Lamps of the town. Kelder Press, Kelderby.",
    "Okafor, B. and Tran, C. (2004) ‘Light and dark’, Journal of Nights 12(3), pp. 4-19.",
    "Drury, S. 2011. The market hall. https://example.org/hall",
)


def found_in(text):
    found = find_bibliographies(text)
    check_spans(found, len(text))
    assert all(one.reason is Reason.BIBLIOGRAPHY for one in found)
    return [text[one.start : one.end] for one in sorted(found)]


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n- ", "\n\n* "])
@pytest.mark.parametrize(
    "heading",
    ["References", "REFERENCES:", "## Works cited", "7. Bibliography", "Sources\n---", "_Sources_"],
)  # fmt: skip
def test_a_list_at_the_end(heading, between):
    whole = heading + "\n" + between.join(["", *ENTRIES])

    assert found_in(f"{PROSE}\n\n{whole}\n") == [whole]


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
    whole = f"{heading}\n\n{entry}\n\n{entry}"

    assert found_in(f"One. Two. Three.\n\n{whole}\n") == [whole]


def test_lists_at_the_end_of_chapters():
    entries = "\n\n".join(ENTRIES)
    whole = f"## References\n\n{entries}"
    text = f"# One\n\n{PROSE}\n\n{whole}\n\n# Two\n\n{PROSE}\n\n{whole}"

    assert found_in(text) == [whole] * 2


def test_what_follows_a_list_is_not_of_it():
    entries = "\n\n".join(ENTRIES)
    for after in (
        f"Appendix\n\n{PROSE}",
        f"# Appendix\n\n{PROSE}",
        PROSE * 3,
        f"Annex\n-----\n{PROSE}",
    ):
        text = f"{PROSE}\n\nReferences\n\n{entries}\n\n{after}"
        assert found_in(text) == [f"References\n\n{entries}"]


def test_a_list_in_parts():
    whole = f"Bibliography\n\nPrimary sources\n\n{ENTRIES[0]}\n\nSecondary sources\n\n{ENTRIES[1]}"

    assert found_in(f"{PROSE}\n\n{whole}") == [whole]


def test_wrapped_entries():
    entry = "Meyer, A. (1999). Lamps, and what\n  became of them. Kelder Press,\n  Kelderby."
    whole = f"References\n\n{entry}"

    assert found_in(f"{PROSE}\n\n{whole}") == [whole]


def test_entries_without_a_heading():
    entries = "\n\n".join(ENTRIES)

    assert found_in(f"{PROSE}\n\n{PROSE}\n\n{entries}\n") == [entries]
    assert found_in(f"{PROSE}\n\n{ENTRIES[0]}") == []


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
def test_what_is_no_list(text):
    assert found_in(text) == []


@given(st.text(st.sampled_from("a1[]\n #.,:2024Meyr()-"), max_size=200))
def test_any_text_has_spans_within_it(text):
    found_in(text + "\n\nReferences\n\n" + text)


@pytest.mark.parametrize(
    "part", ["References\n", "References\n\n1999\n\n", "a, B. 1999\n\n", "1\n", "(", "a "]
)
def test_many_lines_without_sense_are_read_once(part):
    """Were each compared with all before, this would not end."""
    text = part * 50_000

    check_spans(find_bibliographies(text), len(text))
