"""A report with all that reports have, of a folder that is scanned: passages long and short in
several scripts, verdicts and notes, groups, files without text, and names that are too long.

Each shared paragraph N begins with the word "openingN" and ends with "closingN", which stand
nowhere else, so that a test finds on which page it was set.
"""

import random
from contextlib import closing
from datetime import UTC, datetime

from core.documents.model import PairKey
from core.reports.choice import ReportChoice
from core.reports.from_scan import report_of
from core.scan.flow import scan
from core.scan.judgements import (
    GivenVerdict,
    Judgements,
    PassageJudgement,
    PassageMeaning,
    Verdict,
    WrittenNote,
)
from core.settings import ScanSettings
from core.text.identity import text_hashes

WORDS = (
    *("harbour", "pilot", "ledger", "orange", "widow", "chandler", "buoy", "silence", "autumn"),
    *("rivets", "bridge", "engineer", "winter", "railway", "plans", "thousand", "promise"),
    *("counted", "evening", "pavement", "district", "survey", "street", "species", "height"),
    *("lantern", "gravel", "canal", "meadow", "copper", "orchard", "whistle", "barge", "violet"),
)
LONG_NAME = "a_name_that_goes_on_" * 9 + ".txt"
CHINESE = "图书馆的统计报告说明了去年借出的书籍数量以及读者的意见和建议并且列出了明年的计划"
ARABIC = "ذهب الكاتب الى المكتبة القديمة وقرأ كتابا طويلا عن تاريخ الميناء والسفن التي مرت به"
HEBREW = "הסופר הלך אל הספרייה הישנה וקרא ספר ארוך על תולדות הנמל והאניות שעברו בו במשך השנים"
LOGO = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">'
    b'<rect width="40" height="20" fill="#246"/></svg>'
)
TIME = "2026-11-20T10:00:00.000+00:00"


def paragraph(number, length):
    """A paragraph that is like no other."""
    words = random.Random(number).choices(WORDS, k=length)
    return (
        f"opening{number} "
        + " ".join(f"{word}{number % 7}" for word in words)
        + (f" closing{number}.")
    )


def shared(first, count, length):
    """Paragraphs that stand in several documents."""
    return [paragraph(number, length) for number in range(first, first + count)]


def own(number, length):
    """What stands in one document alone."""
    words = random.Random(1000 + number).choices(WORDS, k=length)
    return " ".join(f"{word}x{number}" for word in words) + "."


def texts():
    """The documents by name."""
    essay = "\n\n".join(shared(0, 6, 300))
    few = shared(10, 12, 45)
    return {
        "term 1/original.txt": essay,
        "term 1/copy.txt": essay,
        "term 2/half of it.txt": "\n\n".join([*shared(0, 2, 300), own(1, 400)]),
        "term 2/letters.txt": "\n\n".join(
            part for number, one in enumerate(few) for part in (one, own(10 + number, 60))
        ),
        f"term 2/{LONG_NAME}": "\n\n".join(
            part for number, one in enumerate(few[::-1]) for part in (one, own(30 + number, 60))
        ),
        "报告/终稿.txt": CHINESE * 2 + "图书馆的结论在这里。" + CHINESE[::-1],
        "报告/初稿.txt": "开头不同的一句话。" + CHINESE * 2,
        "עברית/ראשון.txt": f"{HEBREW} {HEBREW[::-1]} {HEBREW}",
        "עברית/שני.txt": f"{HEBREW} {HEBREW[::-1]}",
        "عربي/الأول.txt": f"{ARABIC} {ARABIC[::-1]} {ARABIC}",
        "عربي/الثاني.txt": f"{ARABIC} {ARABIC[::-1]}",
        "alone.txt": own(60, 300),
        "empty.txt": "",
    }


def write_folder(folder):
    """The files of `texts`, and one that no reader takes."""
    for name, text in texts().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "program.exe").write_bytes(b"MZ\x00\x01" * 500)


def with_report(folder, use, **choice):
    """Scan the folder and hand its report to `use`; gives what that gives."""
    values = {
        "created": datetime(2026, 11, 21, 9, 42, tzinfo=UTC),
        "institution": "Harbour College, Examinations",
        "logo": LOGO,
        **choice,
    }
    with closing(scan([folder], ScanSettings())) as done:
        found = done.list_pairs()
        return use(
            report_of(
                done, found, judgements=_judgements(done, found), choice=ReportChoice(**values)
            )
        )


def _judgements(done, found):
    keys = [
        PairKey.between(done.documents[a].text_hash, done.documents[b].text_hash)
        for a, b in zip(found.pairs.a.tolist(), found.pairs.b.tolist(), strict=True)
    ]
    verdicts = (Verdict.CONFIRMED, Verdict.SUSPICIOUS, Verdict.NOT_A_MATCH)
    clause = texts()["term 2/letters.txt"].partition("\n\n")[0]
    said = PassageJudgement(PassageMeaning.COPIED, clause, "Ada Marsh", TIME)
    (key,) = text_hashes([clause])
    return Judgements(
        verdicts={
            key: GivenVerdict(verdict, "Ada Marsh", TIME)
            for key, verdict in zip(keys, verdicts, strict=False)
        },
        notes={keys[0]: WrittenNote("Both handed in on one day.\nAsk them.", "Ada Marsh", TIME)},
        passages={key: said},
    )
