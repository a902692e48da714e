"""No name, path, author or address leaves with a report in which names are withheld."""

import csv
import os
import random
import re
import unicodedata
from contextlib import closing
from dataclasses import fields
from datetime import UTC, datetime

import pytest

from core.documents.model import Problem, ProblemCode
from core.errors import ExportError
from core.reports.formats import EXPORTS, RESULTS, write, write_report
from core.reports.from_scan import report_of
from core.reports.list_words import names_in_words
from core.reports.model import Report
from core.reports.pseudonyms.key import NameKey, open_key, save_key
from core.reports.pseudonyms.name_search import Known, NameFinder, NameForms
from core.reports.pseudonyms.report import WordUse
from core.reports.pseudonyms.word_forms import skeleton
from core.reports.report_choice import ReportChoice, Scope, Texts
from core.scan.flow import scan
from core.scan.judgements import (
    GivenVerdict,
    Judgements,
    PairRows,
    PassageJudgement,
    PassageMeaning,
    WrittenNote,
)
from core.scan.judgements import Verdict as Verdicts
from core.settings import ScanSettings
from core.text.identity import text_hashes
from tests.engine.reports.test_scopes import texts_in
from tests.texts import folder_with, written_text

SHARED = " ".join(f"{chr(97 + n % 26)}{chr(97 + n // 26)}word" for n in range(140))
CLAUSE = " ".join(f"clause{chr(97 + n % 26)}{chr(97 + n // 26)}x" for n in range(40))
OFFER = f"{SHARED}\n{CLAUSE}\n"
FILES = {
    "Quellinghaus/Ada Lovelace_12345_assignsubmission_file_/thesis.txt": (
        "Thesis of Ada Lovelace, number 12345\nLOVELACE, ADA M.\n"
        f"Write to ada.lovelace@uni.example or to someone@else.example\n{OFFER}"
        "So far Lovelace's work; C:\\Users\\adalove\\thesis.docx; see Wörle Zoë.txt"
    ),
    "Quellinghaus/grothendieckalex_LATE_54321_98765_work.txt": (
        f"Alex Grothendieck and Ada\n{OFFER}by Grothendieck, Alex (54321)"
    ),
    "Wörle Zoë.txt": f"Zoe Woerle\n{OFFER}Zoe\u0308 Wo\u0308rle has it from Ada Lovelace",
    "李雷.txt": f"李雷的作文\n{OFFER}李雷和Ada Lovelace",
    "أحمد الفاسي.txt": f"كتبه أحمد الفاسي\n{OFFER}وأحمد",
    "Ильдар Пушкарёв.txt": f"ИЛЬДАР ПУШКАРЕВ\n{OFFER}Пушкарёв Ильдар",
    "Kiesewetter.txt": f"Kiesewetter\n{OFFER}as KIESEWETTER says",
}
NAMES = (
    *("Lovelace", "LOVELACE", "lovelace", "adalove", "12345", "54321", "98765", "Grothendieck"),
    *("grothendieck", "Quellinghaus", "Wörle", "Woerle", "Zoë", "Zoe", "李雷", "أحمد", "الفاسي"),
    *("Ильдар", "Пушкар", "ПУШКАР", "Kiesewetter", "KIESEWETTER", "uni.example", "else.example"),
    *("Ermintrude", "ermintrude", "secretfolder"),
)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory, pool):
    folder = folder_with(tmp_path_factory.mktemp("secretfolder"), FILES)
    for name in FILES:
        os.utime(folder / name, (10**9, 10**9))
    done = scan([folder], ScanSettings(), pool=pool)
    done.problems.append(
        Problem("Ermintrude Vogelsang.pdf", ProblemCode.DAMAGED, "See /home/ermintrude/x y.pdf.")
    )
    return done


@pytest.fixture(scope="module")
def judged(scanned):
    pair_list = scanned.list_pairs()
    rows, time = PairRows(pair_list.pairs, pair_list.documents), "2026-01-02T03:04:05Z"
    key = rows.key_of(0)
    note = "Ada Lovelace copied from zoe wörle (see 李雷.txt); ask ermintrude@uni.example"
    (clause,) = text_hashes([CLAUSE])
    (thesis,) = text_hashes([f"Thesis of Ada Lovelace {CLAUSE}"])
    reviewer = "Ermintrude Vogelsang"
    return Judgements(
        verdicts={key: GivenVerdict(Verdicts.CONFIRMED, reviewer, time)},
        notes={key: WrittenNote(note, reviewer, time)},
        passages={
            clause: PassageJudgement(PassageMeaning.COPIED, CLAUSE, reviewer, time),
            thesis: PassageJudgement(
                PassageMeaning.COPIED, f"Thesis of Ada Lovelace {CLAUSE}", reviewer, time
            ),
        },
    )


def _report(scanned, judged, key=None, **choice):
    choice = {"names": False, "created": datetime(2026, 1, 2, tzinfo=UTC), **choice}
    return report_of(
        scanned,
        scanned.list_pairs(),
        shown="Filter: lovelace.",
        judgements=judged,
        choice=ReportChoice(**choice),
        key=key or NameKey(),
    )


def _leaks(path):
    texts = [path.name, *(content.decode("utf-8", "replace") for content in texts_in(path))]
    text = unicodedata.normalize("NFC", "\n".join(texts))
    text = re.sub(r"\b[0-9a-f]{32,}\b", "", text)  # a keyed hash has any five digits by chance
    escaped = re.sub(r"\\u([0-9a-fA-F]{4})", lambda escape: chr(int(escape[1], 16)), text)
    return [name for name in NAMES if name in text or name in escaped]


@pytest.mark.parametrize("ending", [export.endings[0] for export in EXPORTS])
def test_no_hash_or_date_of_a_file_is_in_any_export(scanned, judged, tmp_path, ending):
    path = tmp_path / f"report{ending}"
    write_report(path, _report(scanned, judged))
    text = b"\n".join(texts_in(path)).decode("utf-8", "replace")
    for document in scanned.documents:
        assert document.file_hash not in text
        assert document.text_hash not in text
        assert not document.sha256 or document.sha256 not in text
    assert "2001-09-09" not in text
    assert "37143.07" not in text  # the same in a cell of a workbook


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("texts", Texts)
def test_no_name_is_in_any_file(scanned, judged, tmp_path, result, texts):
    for file_format in RESULTS[result].formats:
        path = tmp_path / f"{result}{file_format.endings[0]}"
        write(result, path, _report(scanned, judged, texts=texts))
        assert _leaks(path) == []


def test_the_search_for_leaks_finds_names_that_are_shown(scanned, judged, tmp_path):
    path = tmp_path / "report.html"
    write_report(path, _report(scanned, judged, names=True))
    assert {"Lovelace", "李雷", "Kiesewetter", "secretfolder"} <= set(_leaks(path))


def _by_names(report, key):
    """The content of each pair, by the names of its documents in their order."""
    pairs = report.pairs
    rows = {}
    for row in range(len(pairs)):
        a, b = int(pairs.a[row]), int(pairs.b[row])
        shared = report.passages_of(a, b)
        assert a < b
        sides = [
            (
                key.name_of(report.name_of(number)),
                column[row],
                sorted(
                    (getattr(passage, f"{side}_start"), passage.tokens)
                    for passage in shared.passages
                ),
            )
            for number, column, side in (
                (a, pairs.containment_a, "a"),
                (b, pairs.containment_b, "b"),
            )
        ]
        found = report.judgement_of(row)
        rows[report.rank_of(row)] = (
            sorted(sides),
            pairs.figures(row)[:1],
            found and found.judgement.verdict,
            report.find_reasons(pairs, row, ()),
        )
    return rows


def test_the_numbers_are_the_same(scanned, judged):
    key = NameKey()
    with_names, withheld = (_report(scanned, judged, key, names=names) for names in (True, False))
    assert _by_names(with_names, key) == _by_names(withheld, key)
    assert with_names.verdict_counts == withheld.verdict_counts
    assert [group.size for group in with_names.groups] == [group.size for group in withheld.groups]
    assert any("Names are withheld" in note for note in withheld.notes)
    labels = [int(document.name[2:]) for document in withheld.documents]
    assert labels == sorted(labels)
    for number, document in enumerate(withheld.documents):
        text = FILES[key.name_of(document.name)]
        assert withheld.text_of(number) == text
        assert withheld.withheld_in(number)


def test_one_pair_is_the_same_without_names(scanned, judged):
    documents = (1, 4)
    choice = {"scope": Scope.PAIR, "documents": documents}
    key = NameKey()
    with_names, withheld = (
        _report(scanned, judged, key, names=names, **choice) for names in (True, False)
    )
    assert _by_names(with_names, key) == _by_names(withheld, key)
    assert len(withheld.about) == 2
    names = {key.name_of(withheld.name_of(number)) for number in withheld.about}
    assert names == {scanned.documents[number].name for number in documents}


def test_every_part_of_a_report_is_thought_of():
    """Whoever adds a field to a report says here and in `withheld_report` if it has names."""
    without_names = {
        *("settings", "pairs", "passages_of", "text_of", "version", "created", "title", "ranks"),
        *("compared", "counts", "groups", "roles", "set_aside", "audit_is_current", "choice"),
        *("find_folder", "find_reasons", "find_spellings", "find_overlaps", "find_names"),
        *("unlisted", "shared_by_both", "given_verdicts", "traces_left_out", "language"),
        *("reading", "is_part_of_run", "reworked_complete"),
    }
    replaced = {
        *("folders", "documents", "problems", "notes", "shown", "subject", "judgements"),
        *("find_judged", "rules", "withheld_in", "hash_of", "log", "unlisted", "file_properties"),
    }
    assert {field.name for field in fields(Report)} == without_names | replaced


def test_the_same_key_gives_the_same_bytes(scanned, judged, tmp_path):
    key = NameKey()
    _report(scanned, judged, key)
    save_key(tmp_path / "names.csv", key)
    again = open_key(tmp_path / "names.csv")
    assert (again.labels, again.secret) == (key.labels, key.secret)
    for number, report_key in enumerate((key, again)):
        write_report(tmp_path / f"{number}.json", _report(scanned, judged, report_key))
    assert (tmp_path / "0.json").read_bytes() == (tmp_path / "1.json").read_bytes()
    other_report = _report(scanned, judged)
    assert again.name_of(_report(scanned, judged, again).documents[0].name) in FILES
    assert other_report.hash_of("ab" * 16) != again.hash_of("ab" * 16)
    assert len(again.hash_of("ab" * 16)) == 32


def test_labels_do_not_reveal_the_alphabet():
    names = [(f"{number:03}.txt", "") for number in range(200)]
    labels = [int(label[2:]) for label in NameKey().files(names)]
    assert sorted(labels) == list(range(1, 201))
    assert labels != sorted(labels)


def test_a_person_has_one_label_with_a_number_for_each_file_but_the_first():
    key = NameKey()
    first = key.files([("a/1.txt", "Ada"), ("a/2.txt", "Ada"), ("b.txt", "")])
    assert first[1] == f"{first[0]} (2)"
    later = key.files([("a/3.txt", "Ada"), ("c.txt", ""), ("a/1.txt", "Ada")])
    assert later == [f"{first[0]} (3)", "A-3", first[0]]
    assert key.name_of("A-3") == "c.txt"


def test_a_key_with_formulas_is_safe_in_a_spreadsheet_and_comes_back(tmp_path):
    key = NameKey()
    names = ["=1+1.txt", "'quoted.txt", "two\nlines.txt", 'a"b,c.txt', "@x", "＝y", "\t"]
    key.files([(name, "") for name in names])
    key.reviewers(["=cmd", ""])
    save_key(tmp_path / "names.csv", key)
    assert open_key(tmp_path / "names.csv").labels == key.labels
    with (tmp_path / "names.csv").open(encoding="utf-8-sig", newline="") as file:
        assert not [row for row in csv.reader(file) if row[2].startswith(tuple("=+-@\t＝"))]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"a,b\n",
        b"label,kind,name\n",
        b"label,kind,name\n,secret,12\n",
        b"label,kind,name\nA-1,file,x\nA-1,file,y\n,secret," + b"0" * 64,
        b"label,kind,name\nA-1,folder,x\n,secret," + b"0" * 64,
        b"label,kind,name\n<b>,file,x\n,secret," + b"0" * 64,
        b"label,kind,name\nA-1,file\n,secret," + b"0" * 64,
    ],
)
def test_what_is_no_key_is_refused_and_stays(tmp_path, content):
    path = tmp_path / "names.csv"
    path.write_bytes(content)
    with pytest.raises(ExportError, match="is no key to names"):
        open_key(path)
    assert path.read_bytes() == content


def _shown(text, *known, texts=(), own_label=""):
    forms = NameForms(known)
    use = WordUse(forms, texts)
    forms.learn(use.language, use.within_lines, use.repeated)
    finder, position, shown = NameFinder(forms, {"ada.txt": "A-9"}), 0, ""
    for span in finder.spans(text, own_label):
        shown += text[position : span.start] + span.label
        position = span.end
    return shown + text[position:]


@pytest.mark.parametrize("letter", ["a", "ก", "1", "é", "?", "vv", "A."])
def test_a_text_without_spaces_takes_time_in_its_length(letter):
    """If each letter were the beginning of a word, an hour."""
    assert _shown(40_000 * letter + " Ada Lovelace", ADA) == 40_000 * letter + " A-1"


ADA = Known("A-1", "Ada Lovelace", is_person=True, numbers=("12345",))
WILL = Known("A-2", "Will Mark", is_person=True)
USED = ("You will see. They will go, he will mark it, we mark all and I mark some.",)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ada lovelace", "A-1"),
        ("By Lovelace, Ada.", "By A-1."),
        ("ADA M. LOVELACE wrote", "A-1 wrote"),
        ("Ada\nLovelace", "A-1"),
        ("Ádá Lóvelace", "A-1"),
        ("Adam was there, and Lovelaced", "Adam was there, and A-1"),
        ("Lovelace's friend", "A-1's friend"),
        ("adalovelace, then alovelace and AdaLovelace", "A-1, then A-1 and A-1"),
        ("a.lovelace@uni.example", "A-1"),
        ("x@uni.example", "[address]"),
        ("see ada.txt and adax.txt", "see A-9 and adax.txt"),
        ("12345 and 123456", "A-1 and 123456"),
        ("You will mark it", "You will mark it"),
        ("Will you mark it? Mark it. It is for Will Mark.", None),
        ("So said Will, and left", "So said A-2, and left"),
        ("Will\nand the rest of the text is here", "A-2\nand the rest of the text is here"),
        ("in C:\\Users\\Ada Lovelace\\a b.txt", "in [path] b.txt"),
        ("at https://uni.example/page", "at https://uni.example/page"),
    ],
)
def test_names_are_found_as_they_are_written(text, shown):
    expected = "Will you mark it? Mark it. It is for A-2." if shown is None else shown
    assert _shown(text, ADA, WILL, texts=USED) == expected


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("Li Wei", "Wei Li and Li, Wei; lithium (Li wei)", "A-5 and A-5; lithium (A-5)"),
        ("Li", "So Li came; the li and the list", "So A-5 came; the li and the list"),
        ("李雷", "昨天李雷来了", "昨天A-5来了"),
        ("李雷", "昨天李\n  雷来了", "昨天A-5来了"),
        ("김 철수", "김철수는 갔다", "A-5는 갔다"),
        ("สมชาย", "คุณสมชายมา", "คุณA-5มา"),
        ("Müller", "Mueller or MULLER or Müllers", "A-5 or A-5 or A-5"),
        ("Mueller", "Müller", "A-5"),
        (
            "Müller",
            r"M&uuml;ller, M%C3%BCller, M=C3=BCller, M\u00fcller, M{\"u}ller",
            "A-5, A-5, A-5, A-5, A-5",
        ),
        (
            "Müller",
            "MÃ¼ller, M?ller, M\ufffdller, MĂĽller, Mьller, but Möller? Miller?",
            "A-5, A-5, A-5, A-5, A-5, but Möller? Miller?",
        ),
        ("Wałęsa", "Walesa and WALESA, WaÅ‚Ä™sa, Wa??sa", "A-5 and A-5, A-5, A-5"),
        ("Игнат", "Иг\u200bнат, Ð\u0098Ð³Ð½Ð°Ñ‚", "A-5, A-5"),
        (
            "Ada Kim",
            "A. K. came; Smith, A. K. (2019); J. S. Bach; A. K. Jones; the A. K. party; 10 A.K.",
            "A-5 came; Smith, A. K. (2019); J. S. Bach; A. K. Jones; the A. K. party; 10 A.K.",
        ),
        ("Хрущёв", "Khrushchev, Chruščev; a chorus", "A-5, A-5; a chorus"),
        ("Shcherbakov", "щедрый Щербакова", "щедрый A-5"),
        ("O'Brien Seán", "Sean O’Brien, OBRIEN SEAN", "A-5 A-5"),
        ("कमला देवी", "कमला देवी आई", "A-5 आई"),
        ("אברהם כהן", "ואברהם כהן בא", "A-5 בא"),
        ("van den Berg", "In den Berg! Van den, van den", "In A-5! Van den, van den"),
        ("Kim Oh", "So it was said: K i m came late.", "So it was said: A-5 came late."),
        ("Kim Oh", "So it was said: K-\nim came late.", "So it was said: A-5 came late."),
        ("Anna Kowalczyk", "QW5uYSBLb3dh\nbGN6eWs= ends", "A-5= ends"),
        ("Anna Kowalczyk", "fileNames1\nS293YWxjenlr", "fileNames1\nA-5"),
        ("Anna Kowalczyk", "41 6e 6e 61 20 4b 6f 77 61 6c 63 7a 79 6b", "A-5"),
        (
            "Anna Kowalczyk",
            "75 111 119 97 108 99 122 121 107 ends; 75 111 119 97 108",
            "A-5 ends; 75 111 119 97 108",
        ),
        ("Anna Kowalczyk", "Ko wa lc zy k came; Ko wa lc zo k", "A-5 came; Ko wa lc zo k"),
        ("Anna Kowalczyk", "44O2539, 9352044; 44O25394", "A-5, A-5; 44O25394"),
        ("Anna Kowalczyk", "a K_valczyk, a Ko_n", "a K_valczyk, a Ko_n"),
        ("Anna Kowalczyk", "kow_zyk, kow#zyk; K_walczyk", "kow_zyk, kow#zyk; A-5"),
        ("Anna Kowalczyk", "･ﾟ*:.｡ ﾟ*walczyk ﾞ", "･ﾟ*:.｡ ﾟ*walczyk ﾞ"),
        ("Anna Kowalczyk", "so @kowal99, ~annakow and @kowanna", "so @A-5, ~A-5 and @A-5"),
    ],
)
def test_names_of_other_scripts_in_codes_and_in_accounts(name, text, shown):
    assert _shown(text, Known("A-5", name, is_person=True, numbers=("4402539",))) == shown


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("James Comer", "In the corner, round a corner, and every corner. Corners and Corner."),
        ("Rose Dover", "A field of clover, red clover grows, some clover there. Clovers."),
        ("Ann Dever", "A clever idea, very clever people, and clever so. Cleverly done."),
        ("Sam Plesner", "The samples, these samples here, all samples there. Samples."),
        ("Per Formann", "To perform it, we perform well, they all perform. Perform!"),
        ("Lea Dersch", "The leaders of our leaders, some leaders went. Leaders."),
        ("Alan Bridges", "To abridge a text we abridge it, they abridge. Abridge!"),
        ("Anna Lamina", "An animal is here, the animal and this animal; animals. Animal."),
        ("Beate Kramer", "A remarkable thing, he remarked, remarkably good."),
        ("Ana Noté", "Take a note, a note? The “note” is a note that is due."),
        ("Ida Arnold", "In grade A. I think so. See figure A. I am here, plan A.\nI was."),
        ("Ben Albers", "The vitamin B. A study shows that."),
        ("Nora Bell", "N. B. this is important."),
        ("Ursula Schmidt", "Under U.S. law, in U.S. firms."),
        ("Eva Ida Moor", "So E.M.I. is, as M.I.E. was."),
        ("Jo Stewart", "A steward is one, the steward of all, our steward. Steward!"),
        ("Ida Harding", "We are harming none, harming them."),
    ],
)
def test_words_stay_that_only_a_disguise_of_a_name_would_make_one(name, text):
    assert _shown(text, Known("A-5", name, is_person=True), texts=(text,)) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Urs Schneider", "Wir schneiden das Brot. Schneidet, wer schneidet?"),
        ("Игорь Мельников", "Мельник стал мельником."),
        ("Анна Кузнецова", "Кузнец из кузнецов."),
        ("Лев Толстой", "Толстый кот и толстая кошка."),
        ("Bo Spencer", "A Spender, a Marshal of France, a Starling."),
        ("Bo Marshall", "A Marshal of France."),
        ("Bo Sterling", "Starling, and a Stirling engine."),
        ("Bo Stanford", "Stamford bridge."),
        ("Bo Phillips", "Philips lamp."),
        ("Bo Christian", "Christina came."),
        ("Bo Martinez", "Martine came, and Martin."),
        ("Bo Petrovic", "Petrov came."),
        ("Bo Paulsen", "Paulson came."),
        ("Bo Johnson", "Johnston came."),
        ("Bo Patrick", "Patrice came."),
        ("Bo Robertson", "Robert came, and Roberts."),
        ("Ida Modelski", "As model1 and model22 show."),
        ("Marta Conrad", "The marcon, martcon, conmar."),
        ("Kim Oh", "Nothing was said of akimbo arms."),
    ],
)
def test_words_and_names_stay_that_are_nearly_a_name(name, text):
    person = Known("A-5", name, is_person=True)
    assert _shown(text, person, texts=(text,)) == text
    assert _shown(text, person) == text


@pytest.mark.parametrize(
    ("name", "disguises"),
    [
        ("Mary Stern", "St3rn 5tern st3rn"),
        ("Max Claus", "C1aus Clau5"),
        ("Al Clark", "C1ark Cl4rk"),
        ("Jo Horne", "H0rne Horn3"),
        ("James Comer", "Corner C0mer"),
        ("Jana Nováková", "Nov?kov? Nov\ufffdkov\ufffd Nov??kov??"),
        ("Hana Černý", "?ern? \ufffdern\ufffd"),
        ("Chloé Dupin", "Chlo? Chlo\ufffd"),
        ("Eva Ida Moor", "E.I.M. E.-I.M."),
        ("Beate Kramer", "remarK remark"),
        ("Anna Kowalczyk", "annakowal kowalanna99 akowalcz"),
        ("Moor Eva Ida", "E.I.M. M.E.I."),
        ("Siobhán O'Brien", "OBrien obrien sobrien O´Brien O’Brien"),
        ("Nguyễn Thị Minh Khai", "khaintm ntmkhai"),
        ("Zhang Xiaoming", "Xiao3ming2 Xiǎomíng zhangx"),
        ("Anna Kowalczyk", "Kowal1czyk Kow@lczyk Kовалczyk"),
        ("فاطمة الزهراء", "فاطمه"),
        ("مصطفى كريمي", "مصطفي کریمی"),
        ("فاطمة الزهراء", "فاطـــمة فاطـــمه الزهرا"),
        ("Anna Kowalczyk", "S293YWxjenlr QW5uYSBLb3dhbGN6eWs"),
        ("Anna Kowalczyk", "4b6f77616c637a796b \\x4bowalczyk \\u{4b}owalczyk U+004Bowalczyk"),
        (
            "Anna Kowalczyk",
            "Xbjnypmlx xbjnypmlx ʞʎzɔlɐʍoʞ ⠅⠕⠺⠁⠇⠉⠵⠽⠅ &amp;#75;owalczyk %254Bowalczyk",
        ),
        ("Anna Kowalczyk", "\U000e006b\U000e006f\U000e0077\U000e0061\U000e006c\U000e0063zyk"),
        ("Anna Kowalczyk", "75,111,119,97,108,99,122,121,107 \\113owalczyk"),
        ("Anna Kowalczyk", "K*walczyk Kow***zyk K_walczyk"),
        ("Anna Müller", "xn--mller-kva Mller Μύλλερ"),
        ("王小明", "小明王"),
        ("Robert Fitzgerald", "plɐɹǝƃzʇᴉɟ Fitzgera|d F!tzgerald Fi+zgerald Фицджеральд"),
        ("Игнат Бровкинский", "Бровкинского Бровкинская"),
        ("Γιώργος Παπαδόπουλος", "Παπαδοπούλου Papadopoulos"),
        ("Jürgen Müller", "Мюллер"),
        ("Jo Williams", "sɯɐᴉןןᴉʍ"),
        ("Kim Oh", "K\u200bim K.i.m \u041aim Ⓚⓘⓜ K\u00adim Kím"),
    ],
)
def test_a_name_misread_or_wrongly_decoded_is_withheld(name, disguises):
    person = Known("A-5", name, is_person=True)
    for disguise in disguises.split():
        assert _shown(f"so {disguise} came", person) == "so A-5 came"


def test_a_number_is_whose_it_is_and_not_of_whom_it_is_backwards():
    people = (
        Known("A-1", "Anna Kowalczyk", is_person=True, numbers=("1234567",)),
        Known("A-2", "Bruno Thalmann", is_person=True, numbers=("7654321", "5550123")),
    )
    assert _shown("1234567, 7654321 and 3210555", *people) == "A-1, A-2 and A-2"


def test_a_final_nun_is_a_turned_letter_only_beside_latin_ones():
    assert skeleton("כהן ן ןa").letters == "כהן ן la"


@pytest.mark.parametrize(
    ("name", "text", "uses", "is_name"),
    [
        ("Anna Kowalczyk", "kovvalczyk", (), True),
        (
            "Anna Kowalczyk",
            "kovvalczyk",
            ("so kovvalczyk wrote", "so kovvalczyk\nwrote", "so kovvalczyk is"),
            True,
        ),
        ("Anna Kowalczyk", "kovvalczyk", ("so kovvalczyk wrote", "all kovvalczyk is"), False),
        ("Ann Blackwood", "black\nwood", ("a black cat", "some wood burns"), False),
        ("Ann Blackwood", "black\nwood", ("a black cat", "what black\nwood is"), True),
    ],
)
def test_words_that_may_be_a_name_stay_where_the_texts_use_them_elsewhere(
    name, text, uses, is_name
):
    """One in lower case that may be misread, or two that the name is cut into."""
    shown = _shown(f"so {text} wrote", Known("A-5", name, is_person=True), texts=uses)
    assert shown == f"so {'A-5' if is_name else text} wrote"


def test_a_name_that_is_cut_in_two_in_lower_case_makes_no_words_of_its_parts():
    text = "so al mutairi came, and kowal czyk, went."
    names = Known("A-5", "Noor Almutairi", is_person=True), Known("A-6", "Kowalczyk Anna")
    assert _shown(text, *names, texts=(text,)) == "so A-5 came, and A-6, went."


def test_who_has_the_same_name_is_told_by_the_text_it_stands_in():
    two = (Known("A-1", "Eva Novak", is_person=True), Known("A-2", "Jan Novak", is_person=True))
    assert _shown("Novak", *two) == "A-1/A-2"
    assert _shown("Novak", *two, own_label="A-2") == "A-2"
    assert _shown("Novak, Eva", *two, own_label="A-2") == "A-1"


def test_words_of_a_files_name_stay_where_the_texts_use_them():
    file = Known("A-3", "essay on whales zorro")
    uses = ("no essay says more", "this essay least", "and every essay less")
    texts = ("The whales sing, all whales eat, and whales sleep", *uses)
    assert _shown("Whales are big. An essay", file, texts=texts) == "Whales are big. An essay"
    assert _shown("Zorro", file) == "A-3"


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        ("amend", ("we amend it", "they amend that", "to amend is hard")),
        ("amend", ("is amended by", "was amended so", "they amended it")),
        ("Content", ("Your Content is", "the Content of", "any Content that", "our Content")),
        ("Hausarbeit", ("Die Hausarbeit ist", "in dieser Hausarbeit", "eine Hausarbeit über")),
        ("Essay", ()),
        ("王 课程", ("王先生的课程", "课程：王", "王，课程")),
    ],
)
def test_words_that_most_file_names_have_stay_where_they_are_of_the_language(words, texts):
    files = [Known(f"A-{number}", f"{words} part {number}") for number in range(1, 8)]
    text = f"So {words} was it."
    assert _shown(text, *files, texts=texts) == text


def test_a_family_name_that_all_files_share_is_withheld():
    first = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")
    files = [
        Known(f"A-{number}", f"Okonkwo_{first_name}")
        for number, first_name in enumerate(first, start=1)
    ]
    text = "So Okonkwo wrote, and one okonkwo more."
    assert _shown(text, *files) == "So A-1/A-2/A-3/… wrote, and one A-1/A-2/A-3/… more."


HEADINGS = {  # what documents begin with, and the name that none of them may tell
    "Whales\n\nName: Zofia Brzezinowska\nCourse: Biology 1": "Brzezinowska",
    "| Name: | Ivo Hrdlickovic | Date: | 3 May |": "Hrdlickovic",
    "Author: Prof. Dr. Ute Quastenberg, M.A.": "Quastenberg",
    '---\ntitle: Whales\nauthor: "Lars Nygaardsen"\n---': "Nygaardsen",
    "**Authors:** Ines Vasquerol and Jon Etxarteberri": "Vasquerol",
    "Whales and Men\n\nby Hal Wetherspoone\n": "Wetherspoone",
    "An Essay by Oona Fitzmaurigan": "Fitzmaurigan",
    "A thesis\n\nsubmitted by\n\nKofi Ampadugyan\n\nMay 2024": "Ampadugyan",
    "Vor- und Nachname: Uwe Dunkelmoser\nMatr.-Nr.: 77 12 345": "Dunkelmoser",
    "Hausarbeit\nvorgelegt von Dipl.-Ing. Götz Wermelskirch": "Wermelskirch",
    "Verfasser/in: Quastlhuber, Resi": "Quastlhuber",
    "Présenté par : Aude Lacombrade": "Lacombrade",
    "Nom et prénom : LACHENAUDE Odile": "Lachenaude",
    "Alumno/a: Iker Mendizorrotz": "Mendizorrotz",
    "Studentessa: Pia Quattrocolli\nMatricola: 7712346": "Quattrocolli",
    "Imię i nazwisko: Łucja Wierzchosław": "Wierzchosław",
    "Vypracovala: Bára Hrušínová": "Hrušínová",
    "Выполнил: студент Игнат Бровкинский": "Бровкинский",
    "Adı Soyadı: Tuğçe Karamürseloğlu": "Karamürseloğlu",
    "إعداد: نزار القنطرجي": "القنطرجي",
    "姓名：欧阳雪梅\n学号：7712347": "欧阳雪梅",
    "氏名　勅使河原 蘭": "勅使河原",
    "성명: 남궁혜린": "남궁혜린",
    "From: Eira Llewelgryn <someone@else.example>\nSubject: whales": "Llewelgryn",
    "NAME: osric pemberquist": "Pemberquist",
    "Name: J o r i s   V a n d e r k e e m": "Vanderkeem",
    "Name: Tilda Schim\u00admelp\u200bfen": "Schimmelpfen",
    "Name: Ana Ruiz Student ID: 7712349 Tutor: Ute Rosenquisting": "Rosenquisting",
    "Author: Larry Page and Nils Tuxenbroek": "Tuxenbroek",
    "Name: Jur\u0430j Kov\u0430lenkovic": "Kovalenkovic",
    "Of Whales\n\nMira Zschokkelin\n": "Zschokkelin",
    "Of Whales\nMira Tschudibach, Lea Abderhaldig": "Abderhaldig",
    "VON WALEN\n\nSVEN OESTERGAARDT (7712348)\n": "Oestergaardt",
}
NUMBERS = ("7712345", "7712346", "7712347", "7712348", "7712349")

DISGUISES = (
    *("Kowalczyk", "kowalczyk", "KOWALCZYK", "Kowalczyka", "Kowalczykowi", "Kowalczyk's"),
    *("Kowal\nczyk", "Kowal\n   czyka", "KOWAL \r\nCZYK"),
    *("Kowal-\nczyk", "Kowal-\n   czyk", "Kowal\u2010\nczyk", "Kowal\u00ad\nczyk"),
    *("Kowal\u200bczyk", "Kowal\u2060czyk", "Kowal\u200dczyk", "Kowal\ufe0fczyk"),
    *("Kowal\ufeffczyk", "Ko\u00adwal\u00adczyk", "\u00a0".join("Kowalczyk")),
    *("K o w a l c z y k", "K.o.w.a.l.c.z.y.k", "K. o. w. a. l. c. z. y. k.", "K-o-w-a-l-c-z-y-k"),
    *("K_o_w_a_l_c_z_y_k", "\u041a\u043ew\u0430lczyk", "Kow\u0430lczyk", "K\u03bfwalczyk"),
    *("Ｋｏｗａｌｃｚｙｋ", "𝐊𝐨𝐰𝐚𝐥𝐜𝐳𝐲𝐤", "Ⓚⓞⓦⓐⓛⓒⓩⓨⓚ"),
    *("AnnaKowalczyk", "annaKowalczykEssay", "KowalczykAnna", "essaykowalczykfinal"),
    *("@kowalczyk99", "#kowalczyk", "kowalczyk99", "99kowalczyk", "~kowalczyk/", "x-kowalczyk-2"),
    *("https://uni.example/kowalczyk/essay", "www.kowalczyk.example", "anna_kowalczyk"),
    *("https://x.example/~kowalczyk/", "kowalczyk@uni.example", "a.kowalczyk@uni.example"),
    *("C:\\Users\\kowalczyk\\a.txt", "/home/kowalczyk/a.txt", "Kówálczyk", "Ko\u0301walczyk"),
    *("A. Kowalczyk", "Kowalczyk, A.", "4402539"),
    *("ᴋᴏᴡᴀʟᴄᴢʏᴋ", "🅺🅾🆆🅰🅻🅲🆉🆈🅺", "🇰🇴🇼🇦🇱🇨🇿🇾🇰", "⒦⒪⒲⒜⒧⒞⒵⒴⒦", "Ķǒẅâłçžýǩ", "ʞowalczyk"),
    *("Kowal&#99;zyk", "&#x4B;owalczyk", "Kowal&shy;czyk", "Kow%61lczyk", "Kow=61lczyk"),
    *("Kowal<wbr>czyk", "<b>Kowal</b>czyk", "Kowal**czyk**", "Kowal\\-czyk", "Kow\\u0061lczyk"),
    *("\u202ekyzclawoK\u202c", "Kowal\u200eczyk", "Kowal\u2066czyk\u2069", "Kowal\u3164czyk"),
    *("K0walczyk", "Kowa1czyk", "KowaIczyk", "Ko wal czyk", "Kowal czyk", "Kowal\u00ac\nczyk"),
    *("Ковальчик", "Ковальчика", "Κοβάλτσικ", "4402\u202f539", "(440) 2539", "4402_539"),
    *("④④⓪②⑤③⑨", "004402539", "4402&#53;39", "KOWAL CZYK"),
    *("Kovvalczyk", "KOVVALCZYK", "kovvalczyk", "kyzclawoK", "essay by annakowal"),
    *("kowalanna99", "akowalcz", "signed A. K.", "so A.K. wrote"),
    *("K*walczyk", "Kow***zyk", "Ko wa lc zy k", "44O2539", "9352044", "\\113owalczyk"),
    *("Kowal\u2011czyk", "Kowal-czyk", "kowal.czyk", "Kowal_czyk", "\u201cKowal\u00b7czyka\u201d"),
)


@pytest.fixture(scope="module")
def disguised(tmp_path_factory, pool):
    """A report of two documents for each disguise of a name that a file has, and for each head."""
    folder = tmp_path_factory.mktemp("disguised")
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefgh", k=6)) for _ in range(6000)]
    for number, disguise in enumerate(DISGUISES):
        shared = " ".join(words[60 * number : 60 * number + 60])
        for copy in range(2):
            is_first = number + copy == 0
            name = "Kowalczyk_Anna_4402539.txt" if is_first else f"work {number}-{copy}.txt"
            text = f"{shared}\nSo it was said: {disguise}\n{' '.join(draw.sample(words, 9))}"
            (folder / name).write_text(text, encoding="utf-8")
    for number, (head, name) in enumerate(HEADINGS.items(), start=len(DISGUISES)):
        shared = " ".join(words[60 * number : 60 * number + 60])
        disguise = (
            f"it was {name}, or {name.upper()}, or {' '.join(name)}, or {name[:5]}\u200b{name[5:]}"
        )
        (folder / f"work {number}-0.txt").write_text(f"{head}\n\n{shared}\n", encoding="utf-8")
        (folder / f"work {number}-1.txt").write_text(
            f"{shared}\nSo {disguise}, and 7712345, 7712346, 77 12 347 or 7712348.\n",
            encoding="utf-8",
        )
    result = scan([folder], ScanSettings(reworked="off"), pool=pool)
    pair_list = result.list_pairs()
    assert len(pair_list.pairs) >= len(DISGUISES) + len(HEADINGS)
    return report_of(result, pair_list, choice=ReportChoice(names=False), key=NameKey())


NO_LETTERS = re.compile(r"[\W_]+")


def plain(text):
    """Letters and figures alone, without case and accents."""
    return NO_LETTERS.sub("", unicodedata.normalize("NFKD", text).casefold())


@pytest.mark.parametrize("ending", [export.endings[0] for export in EXPORTS])
def test_a_name_in_disguise_is_in_no_byte(disguised, tmp_path, ending):
    path = tmp_path / f"report{ending}"

    write_report(path, disguised)

    for part in texts_in(path):
        text = part.decode("utf-8", errors="replace")
        assert [disguise for disguise in DISGUISES if disguise in text] == []
        letters = plain(text)
        assert [name for name in ("kowalczyk", *HEADINGS.values()) if plain(name) in letters] == []
        assert [number for number in ("4402539", *NUMBERS) if number in letters] == []


def test_names_of_files_are_known_as_browsers_write_them(tmp_path):
    name, shared = "%5BZschokkelin%20Mira%5D.txt", " ".join(f"word{n}" for n in range(60))
    (tmp_path / name).write_text(f"{shared} Mira Zschokkelin", encoding="utf-8")
    (tmp_path / "b.txt").write_text(f"{shared} thanks to Zschokkelin", encoding="utf-8")
    with closing(scan([tmp_path], ScanSettings())) as done:
        choice = ReportChoice(names=False, texts=Texts.FULL)
        write_report(
            tmp_path / "r.html", report_of(done, done.list_pairs(), choice=choice, key=NameKey())
        )
    assert "zschokkelin" not in plain((tmp_path / "r.html").read_text(encoding="utf-8"))


def test_names_that_stay_are_reported_to_the_author_and_not_in_the_report(tmp_path):
    """Stone is a word of these texts: where it stands alone, it is unclear who is meant."""
    folder = tmp_path / "essays"
    folder.mkdir()
    stones = "a stone wall, the stone bridge, one stone tower, old stone floors, no stone left. "
    for number, name in enumerate(("Stone_Ida.txt", "Umber_Zed.txt", "third.txt")):
        words = " ".join(f"word{n}" for n in range(number, 60))
        (folder / name).write_text(
            f"{stones} {words} So Stone wrote, and Umber too, to Zebulon Pike, as did Umbre."
        )
    with closing(scan([folder], ScanSettings())) as done:
        report = report_of(done, done.list_pairs(), choice=ReportChoice(names=False), key=NameKey())
        names = report.find_names()
    label = next(label for written, label, _ in names.replaced if written == "Umber")
    assert [written for written, _ in names.alike] == ["Zebulon Pike", "Umbre"]
    assert names_in_words(names, 1) == [
        f"Replaced in the texts: Umber ({label}).",
        "Not replaced where it stands alone, as a word of the language: Stone.",
        "Not replaced, though written as names are: Zebulon Pike and 1 more.",
    ]
    assert names_in_words(names._replace(left=["a", "b", "c"]), 2)[1].endswith(": a, b and 1 more.")
    assert "Not replaced" not in written_text(write_report, tmp_path / "report.json", report)
