"""Strings that are made to become more than text, and a report in which they stand everywhere.

A tame report is the same but for them, so that every difference in how a file is built, and not in
what it says, is one that a string has made.
"""

from datetime import UTC, datetime
from itertools import pairwise

from core.base.wording import printable_name, printable_text
from core.documents.model import Document, PairKey, Problem, ProblemCode
from core.evidence.passage import Passage, Run
from core.exclusions.rules import ExclusionRules, Phrase
from core.reports.report_choice import ReportChoice
from core.scan.groups import Group, Member
from core.scan.judgements import (
    GivenVerdict,
    Judgements,
    PassageJudgement,
    PassageMeaning,
    Verdict,
    WrittenNote,
)
from core.scan.passage_list import JudgedPassage
from core.text.set_aside import SetAside
from tests.engine.reports.test_reports import make_pairs, shared
from tests.engine.reports.test_reports import make_report as report_of_pairs

MARKUP = (
    "<script>alert(1)</script>", "</style><script>alert(1)</script>",
    "</title><svg onload=alert(1)>", '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)", "<!--", "-->", "<![CDATA[x", "]]>",
    "&lt;b&gt;", "&#60;script&#62;", "&amp;amp;", "&e;", "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>", "https://host.invalid/a?b=c&d=e",
    "www.host.invalid", "mailto:someone@host.invalid", "file:///etc/passwd",
    "{{ 7 * 7 }}", "{% raw %}", "{# hidden #}", "${7*7}", "%(name)s {0} {name}", "<?php echo 1 ?>",
    '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>', "</p></td></tr></table>",
    "<r><t>x</t></r>", "<r></is></c><c t='str'><f>1+1</f></c></r>", "<r></r>", "</t></is></c>",
    '&P &N &"Arial"&20', "</graphml><node id='x'/>", '"/><feature name="plagiarism"',
    'x" style="background:url(//h)',
)  # fmt: skip
FORMULAS = (
    "=1+1", "=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "＝1+1", "＋1+1", "－1+1",
    "＠SUM(A1)",
    '=HYPERLINK("https://host.invalid","x")', '=WEBSERVICE("https://host.invalid")', " =1+1",
    '";=1+1', '",=1+1', "';=1+1", "{=1+1}", "internal:Pairs!A1", "external:other.xlsx", "#REF!",
    '=DDE("cmd";"/C calc";"x")', "'=1+1", '=IMPORTXML("https://host.invalid";"//a")',
)  # fmt: skip
TYPESETTING = (
    '#panic("x")', '#read("/etc/passwd")', '#import "/etc/passwd"', "#set page(width: 1pt)",
    "$x^2$", "`raw`", "```typ #panic() ```", "\\", "\\u{41}", "[[", "]", "][", "#[", "// comment",
    "/* comment", "@label", "<label>", "*bold* _it_", "= Heading", "/ term: x", "a~b", "a---b",
    '#link("https://host.invalid")[x]', "(a) Tj ET", "endstream endobj", "%%EOF", "\\input{x}",
)  # fmt: skip
JSON = (
    '"}],"seal":"', "\\u003c/script>", "\\", '\\"', "__proto__", "NaN", "null", "</SCRIPT >",
    "<!--<script>",
)  # fmt: skip
SCRIPTS = (
    "תקציר העבודה", "ملخص العمل", "विषय सूची", "บทคัดย่อ", "报告终稿", "Ωμέγα", "日本語の文書",
    "e\u0301t\u00e9", "\U0001f600", "ﬁne", "İstanbul", "ß",
)  # fmt: skip
# What cannot be seen stands between two words.
UNSEEN = (
    "\x00", "\x01\x02\x07\x08", "\x0b\x0c", "\x1b[31m", "\x1b]0;title\x07", "\x7f", "\x80\x85\x9f",
    "\t=1+1", "\r=1+1", "\n=1+1", "\r\n=1+1", "\n\n\n", "\u2028\u2029", "\u202e", "\u2066\u202d",
    "\u200b\u200d\ufeff", "\ud800", "\udfff\ud800", "\udbff", "\ufffe\uffff", "\ufdd0",
    "\U0001ffff", "\U000e0041\U000e007f", "\u115f\u3164", "\xad", "_x0041_", "_x000D_",
)  # fmt: skip

SEEN = tuple(dict.fromkeys((*MARKUP, *FORMULAS, *TYPESETTING, *JSON, *SCRIPTS)))
HOSTILE = (*SEEN, *(f"before{letters}after" for letters in UNSEEN))
VERY_LONG = "<b>&" * 10_000  # in one line
TIME = datetime(2026, 11, 21, 9, 42, tzinfo=UTC)
JUDGED_AT = "2026-11-22T12:18:31.123+00:00"


def tame(number):
    """As harmless as it gets."""
    return f"plain words {number}"


def make_report(strings=HOSTILE, **changes):
    """A report in which every string is a name, a text, a note, a person, and the rest."""
    documents = [_document(number, string) for number, string in enumerate(strings)]
    texts = [_text(number, string) for number, string in enumerate(strings)]
    values = {
        "title": printable_text(strings[0]),
        "folders": [printable_name(strings[1])],
        "documents": documents,
        "pairs": make_pairs(list(pairwise(range(len(documents))))),
        "passages_of": lambda a, b: _shared(texts[a], texts[b]),
        "text_of": texts.__getitem__,
        "problems": [
            Problem(document.name, ProblemCode.FAILED, printable_text(string))
            for document, string in zip(documents, strings, strict=True)
        ],
        "notes": [f"In 3 documents: “{printable_text(string)}”" for string in strings],
        "shown": f"Only names with “{printable_text(strings[2])}”.",
        "groups": [Group(0, (1,), tuple(Member(n, 0.5) for n in range(2, len(documents))))],
        "judgements": _judgements(documents, strings),
        "find_judged": lambda: [_judged(number, string) for number, string in enumerate(strings)],
        "set_aside": {number: [SetAside(0, 4)] for number in range(len(documents))},
        "rules": ExclusionRules(phrases=tuple(map(Phrase, strings))),
        "choice": ReportChoice(created=TIME, institution=strings[0]),
    }
    return report_of_pairs(**{**values, **changes})


def _document(number, string):
    name = printable_name(f"{string}.txt")
    remark = printable_text(f"Of it was not read: {string}")
    return Document(
        f"folder/{name.replace('/', '_')}", name, 1000 + number, 0, f"{number:032x}", "text",
        "utf-8", len(_text(number, string)), remarks=(remark,), text_hash=f"{number:032x}",
        language="en",
    )  # fmt: skip


def _text(number, string):
    return f"{string} begins text {number}, and here {string} stands again."


def _shared(a, b):
    """One passage over both texts; what is the same in both ends within the first string."""
    run = Run(0, max(1, a.index(" begins") // 2), 0, max(1, b.index(" begins") // 2), 3)
    return shared(Passage(0, len(a), 0, len(b), 3, (run,), bits=55.5))


def _judgements(documents, strings):
    keys = [PairKey.between(a.text_hash, b.text_hash) for a, b in pairwise(documents)]
    return Judgements(
        verdicts={
            key: GivenVerdict(Verdict.CONFIRMED, string, JUDGED_AT)
            for key, string in zip(keys, strings, strict=False)
        },
        notes={
            key: WrittenNote(string, string, JUDGED_AT)
            for key, string in zip(keys, strings, strict=False)
        },
    )


def _judged(number, string):
    judgement = PassageJudgement(PassageMeaning.COPIED, string, string, JUDGED_AT)
    return JudgedPassage(f"{number}", judgement, 3, 3, {number: [(0, 9)]})
