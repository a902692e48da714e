"""One text in eight formats and more: every pair of them should have resemblance 1.

    python tests/bench/eight_formats.py [--text english german chinese] [--keep FOLDER] [--direct]

The text is written as flat OpenDocument and exported by LibreOffice; the folder is scanned. For
every pair below 1 a sentence says which words differ. Headings, a list, a table, a footnote and a
justified paragraph with broken words are in it. Every text is tried plain, with a footnote, and
with a line above and a number below every page: a note stands at the foot of a page in one format
and at the end in another, its number is text in some and in some not, and LibreOffice leaves notes
and what is above or below a page out of plain text, e-books and web pages.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import combinations, product
from pathlib import Path

from core.documents.model import UnreadableError
from core.documents.readers import reader_for
from core.documents.readers.reader import Reading
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings

ENGLISH = """\
# Keeping the Harbour Book
## Why there is a book at all
Every small harbour that is used in all weathers keeps a book, and the book is older than the \
wall. It began as a list of boats, with a mark for those that had not come back by dark, and it \
grew because people found that a thing once written down was seldom disputed. A skipper who had \
been told of a shifted bank could say that he had not heard; a skipper whose initials stood \
beside the warning could not. So the habit spread from the pier to the chandlery and from there \
to the lifeboat house, and by the time anybody thought of asking what it was for, nobody could \
imagine the place without it.
The present rules were agreed over two winters by those who use the book most. They are short on \
purpose. Whoever stands in the watch room at four in the morning, with wet gloves and a radio \
that will not stop talking, has no patience for a manual, and a rule that is not remembered might \
as well not exist. Where the rules are silent, the person on watch decides, writes down what was \
decided, and is not blamed afterwards for having decided it.[^The only exception is fuel. Nobody \
on watch may open the fuel store alone, whatever the hour and whoever asks.]
## What is written down
An entry says when, who, where and what, in that order, and it says it in plain words. The time \
is that of the clock on the wall, which is set on Mondays. Names of boats are written as they are \
painted on the stern, not as they are pronounced, because there are three that sound alike. \
Places are named from the chart, and when a place has no name on the chart a bearing and a \
distance will do. What happened comes last, since it is the part that is most easily embroidered.
* Every boat that leaves is entered, also one that only goes around the mole to dry its sails.
* Every boat that returns is crossed out, by the person who saw it, and never on hearsay.
* A light that is dark, a buoy that has moved and a rope that has parted are entered at once.
* Weather is entered at six, at noon, at six again and whenever it surprises somebody.
* What was said on the radio is entered when it asks for something to be done.
Opinions are kept out of the book. It is no use to a search party that a crew was thought \
careless, and it has more than once been of use to a lawyer. If something must be said about a \
person, it is said to that person, on the pier, in daylight. The same goes for jokes, although \
the rule has been broken so often, and on a few occasions so well, that old volumes are still \
taken down and read aloud on the last evening of the year.
## How the watch is kept
Two people share a night. The first takes over at sunset, reads the entries of the day, walks \
once along the whole wall and tries the lamp. The second sleeps in the room behind, boots beside \
the bed, and takes over when the tide turns, or when called. Neither leaves the room unless the \
other is awake. In summer this is a pleasant duty and people trade for it; in February it is \
drawn by lot, and those who have small children are left out of the draw without having to ask.
The radio stays on the calling channel. A call is answered with the name of the harbour and \
nothing else, so that the caller can speak. Whoever answers writes while listening and reads back \
what was written, and only then asks questions. It has been found that people in trouble give \
their position first if they are allowed to, and that they give it last, or not at all, if they \
are first asked how many they are. The order of the questions is pinned above the set, and it is \
the only thing that may be pinned there.
When a boat is overdue by an hour, the watch looks for it: with glasses from the roof, by calling \
its owner, by calling the next harbour in either direction. When it is overdue by two hours and \
nobody has heard of it, the lifeboat is told. It is told even when the owner says that there is \
no need. Nobody has ever been charged for a launch that turned out to be for nothing, and nobody \
has ever apologised for one.
| Hour | Duty | Signed by |
| sunset | wall, lamp, entries of the day | first watch |
| midnight | barometer, moorings of visitors | first watch |
| turn of the tide | depth at the sill, second lamp | both |
| six | weather, clock, coffee for the boats | second watch |
| eight | reading of the night to the harbour master | second watch |
## What the book has taught
Some things are known only because the book is kept by people who had no theory. The bank off the \
northern mark moves by about a boat's length a year, and it moves in the weeks after the equinox \
rather than in the great storms, which everybody had blamed. Engines fail most often within a \
mile of the entrance, on the way out, and nearly always because of what was or was not done on \
the day before. Of the boats that were reported overdue in the last forty years, nine in ten were \
safe in another harbour, and their crews were eating.
There are lessons that took longer. For many years a light was entered as dark on certain nights \
in autumn, and the keeper protested, since the lamp had never failed. In the end a schoolteacher \
who was waiting out the rain compared the entries with an almanac and found that all of those \
nights had an easterly breeze after a warm day. The light was burning; a bank of mist no higher \
than a house was lying between it and the wall. A second lamp was hung lower down, on a bracket \
that was meant to be tempo~rary, and it is hanging there still.
The long words of the trade deserve a para~graph of their own, since they are what is most often \
mis~spelt. The hydro~graphic office speaks of naviga~tional con~sidera~tions, of meteoro~logical \
ob~serva~tions and of an un~inter~rupted con~tinu~ation of respon~sibil~ities; the book speaks of \
the chart, the weather and the watch. It would be un~reason~able to forbid the longer \
expres~sions, and im~possible to en~force it, but who~ever uses one is asked to con~sider whether \
a mis~under~standing is likely at four in the morning. Experi~ence suggests that it is. \
Inter~national corres~pond~ence, insur~ance docu~ments and the admin~istra~tive corres~pond~ence \
with the min~istry are ex~empt, because nobody in the watch room reads them.
## When the book is full
A volume lasts for about fourteen months. The last page is left empty, for what turns up later. \
The volume is then read through by two people who did not keep the watch in that time, one of \
them aloud, and whatever either of them does not understand is explained in the margin while \
those who wrote it can still be asked. The explanations are in pencil. After that nothing may be \
added, and nothing may ever be taken out, not even by those who come with a letter from an \
office.
Copies are made, and they are made on different machines and kept in different houses. This was \
not always so. In the year of the great tide the room stood under water to the height of the \
table, and of the nine volumes on the lower shelf only the two that had been lent out were saved. \
One of these had been lent to settle a bet. The harbour has been generous with its books ever \
since, and asks only that they come back dry.
Anyone may read them. Most of those who do are looking for a grandfather, and a good number find \
him: leaving at five with two hands and nets for herring, crossed out at nine in the evening by \
somebody whose initials are no longer known to anyone. It is not much, but it is more than is \
written of most days, and it was written by a person who had seen the boat come in.
## For those who come new
Nobody is born knowing how to keep a watch, and the worst entries of all were made by people who \
were ashamed to ask. Sit with somebody else for three nights before you sit alone. Learn the \
names of the boats by walking along the wall with the list in your hand, and learn the lights by \
going out in one of them. Write large. If you have made a mistake, draw one line through it, so \
that it can still be read, and put your initials beside it; a page without a single correction is \
a page that somebody has copied out afterwards, and everybody knows it.
Above all, write it down before you do it, if there is time, and at once afterwards if there was \
none. What you do on a bad night you will remember for ever, and you will remember it wrongly. \
The book does not remember better than you do because it is clever. It remembers better because \
it was there first, and because, unlike the rest of us, it has nothing to be proud of and nothing \
to hide.
"""

GERMAN = """\
# Vom Führen des Hafenbuches
## Wozu es dient
Jeder kleine Hafen, der auch bei schlechtem Wetter angelaufen wird, führt ein Buch, und das Buch \
ist älter als die Mauer. Angefangen hat es als Liste der Boote, mit einem Strich bei denen, die \
vor der Dunkelheit nicht zurück waren; gewachsen ist es, weil über das, was einmal geschrieben \
steht, selten gestritten wird. Wer von einer gewanderten Sandbank nur gehört haben sollte, konnte \
sagen, er habe nichts gehört. Wer neben der Warnung unterschrieben hatte, konnte es nicht.
Die Hafen~meister~schreib~tisch~schub~lade, so heißt sie wirklich, enthält alle Schlüssel, und \
die Wach~ablösungs~beschei~nigungen liegen gleich daneben. Für die \
Gezeiten~wasser~stands~vorher~sagen ist das Bundes~amt zuständig, für die \
Über~nachtungs~gebühren~abrech~nung der Verein, und die Rettungs~boots~mann~schafts~besprechung \
findet jeden ersten Dienstag im Gerätehaus statt.[^Im Januar fällt sie aus, weil das Gerätehaus \
nicht geheizt werden kann.]
* Jedes auslaufende Boot wird eingetragen, auch wenn es nur um die Mole fährt.
* Jedes zurückkehrende Boot wird von dem gestrichen, der es gesehen hat.
* Das Wetter wird um sechs, mittags und abends eingetragen, und immer dann, wenn es jemanden \
überrascht.
| Stunde | Aufgabe |
| Sonnenuntergang | Mauer, Laterne, Einträge des Tages |
| Mitternacht | Barometer, Leinen der Gäste |
| sechs Uhr | Wetter, Uhr, Kaffee für die Boote |
## Was man daraus lernt
Größe schützt nicht vor Fehlern: Maßgeblich ist, was am Vortag geprüft wurde. Wer neu ist, sitzt \
drei Nächte lang neben jemandem, der es kann, lernt die Namen der Boote, indem er mit der Liste \
die Mauer entlanggeht, und schreibt groß. Ein Fehler wird mit einem einzigen Strich getilgt, \
damit man ihn noch lesen kann. Eine Seite ohne jede Verbesserung ist abgeschrieben, und das \
wissen alle.
"""

CHINESE = """\
# 港口日志的写法
## 为什么要有这本书
每一个在任何天气里都有人使用的小港口都有一本日志,而这本日志比防波堤还要老。最初它只是一张船的名\
单,天黑以前没有回来的船,就在旁边画一个记号。后来人们发现,写下来的事情很少再有争论,于是它越写\
越厚。
值班的人在凌晨四点没有耐心去读一本手册,所以规则故意写得很短。规则没有说到的地方,由值班的人决定\
,写下来,事后不受责备。[^唯一的例外是燃料。不论几点,不论谁来要,值班的人都不得独自打开燃料库\
。]
* 每一条离港的船都要登记,哪怕只是绕过防波堤去晾帆。
* 每一条回港的船都由亲眼看见的人划去,从不听信传言。
* 天气在早上六点、中午和傍晚登记,出人意料的时候也要登记。
| 时间 | 职责 |
| 日落 | 堤、灯、当天的记录 |
| 午夜 | 气压计、来访船只的缆绳 |
| 六点 | 天气、时钟、给船员的咖啡 |
## 它教会了我们什么
北面航标外的沙洲每年大约移动一条船的长度,而且不是在大风暴里移动,而是在春分和秋分以后的几个星期\
里。发动机多半是在出港后一海里之内出故障,原因几乎总是前一天做了或者没有做的事情。新来的人要和别\
人一起坐三个晚上,然后才能独自值班。字要写得大。写错了就画一条线,让别人还能读出来。
"""

TEXTS = {
    "english": ("en", "US", ENGLISH),
    "german": ("de", "DE", GERMAN),
    "chinese": ("zh", "CN", CHINESE),
}

NAMES = ("office", "text", "table", "style")
ODF = "urn:oasis:names:tc:opendocument:xmlns"
LAYOUT = (
    '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="17cm" '
    'fo:page-height="24cm" fo:margin="2cm"/><style:header-style/><style:footer-style/>'
    "</style:page-layout>"
)
NOTE = re.compile(r"\[\^(.*?)\]")


def flat_odt(marked: str, language: str, country: str, head: str = "") -> str:
    """An OpenDocument text in one file of XML, with a line above and a number below each page."""
    spaces = " ".join(f'xmlns:{name}="{ODF}:{name}:1.0"' for name in NAMES)
    spaces += f' xmlns:fo="{ODF}:xsl-fo-compatible:1.0"'
    locale = f'fo:language="{language}" fo:country="{country}" style:language-asian="{language}"'
    locale += f' style:country-asian="{country}" fo:font-size="11pt" fo:hyphenate="true"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {spaces} office:version="1.3" '
        'office:mimetype="application/vnd.oasis.opendocument.text"><office:styles>'
        f'<style:default-style style:family="paragraph"><style:text-properties {locale}/>'
        '</style:default-style><style:style style:name="Standard" style:family="paragraph"/>'
        '<style:style style:name="Heading" style:family="paragraph"><style:text-properties '
        'fo:font-weight="bold" fo:font-size="15pt"/></style:style></office:styles>'
        '<office:automatic-styles><style:style style:name="P" style:family="paragraph" '
        'style:parent-style-name="Standard"><style:paragraph-properties fo:text-align="justify" '
        'fo:margin-bottom="0.2cm"/></style:style>'
        f"{LAYOUT}</office:automatic-styles>{_master(head)}<office:body><office:text>"
        f"{_body(marked)}</office:text></office:body></office:document>"
    )


def _master(head: str) -> str:
    """The page, which is the same for the whole document."""
    above = f"<style:header><text:p>{escape(head)}</text:p></style:header>"
    below = "<style:footer><text:p><text:page-number>1</text:page-number></text:p></style:footer>"
    return (
        '<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L">'
        f"{above + below if head else ''}</style:master-page></office:master-styles>"
    )


def without_notes(marked: str) -> str:
    """The text without its footnotes."""
    return NOTE.sub("", marked)


def _body(marked: str) -> str:
    parts: list[str] = []
    lines = marked.replace("~", "\u00ad").splitlines()
    for number, line in enumerate(lines):
        before = lines[number - 1][:1] if number else ""
        after = lines[number + 1][:1] if number + 1 < len(lines) else ""
        mark = line[0] if line[0] in "#*|" else ""
        if before != mark:
            parts.append(_opened(mark, line))
        parts.append(_block(mark, line))
        if after != mark:
            parts.append(_CLOSED.get(mark, ""))
    return "".join(parts)


_CLOSED = {"*": "</text:list>", "|": "</table:table>"}


def _opened(mark: str, line: str) -> str:
    if mark == "*":
        return "<text:list>"
    if mark == "|":
        columns = len(line.strip("|").split("|"))
        return (
            '<table:table table:name="T"><table:table-column '
            f'table:number-columns-repeated="{columns}"/>'
        )
    return ""


def _block(mark: str, line: str) -> str:
    if mark == "#":
        level = len(line) - len(line.lstrip("#"))
        text = _runs(line.lstrip("# "))
        return f'<text:h text:style-name="Heading" text:outline-level="{level}">{text}</text:h>'
    if mark == "*":
        return f"<text:list-item>{_paragraph(line[2:])}</text:list-item>"
    if mark == "|":
        cells = [_paragraph(cell.strip()) for cell in line.strip("|").split("|")]
        row = "".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in cells)
        return f"<table:table-row>{row}</table:table-row>"
    return _paragraph(line)


def _paragraph(text: str) -> str:
    return f'<text:p text:style-name="P">{_runs(text)}</text:p>'


def _runs(text: str) -> str:
    return NOTE.sub(_note, escape(text, quote=False))


def _note(found: re.Match[str]) -> str:
    return (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{_paragraph(found[1])}</text:note-body></text:note>"
    )


EXPORTS = {
    "odt": "odt",
    "docx": "docx:MS Word 2007 XML",
    "doc": "doc:MS Word 97",
    "rtf": "rtf:Rich Text Format",
    "html": "html:HTML (StarWriter)",
    "pdf": "pdf:writer_pdf_Export",
    "txt": "txt:Text (encoded):UTF8",
    "epub": "epub:EPUB",
}
VARIANTS = {"plain": "plain", "note": "with a footnote", "head": "with heads and page numbers"}
GOALS = {"pdf": 0.995}  # of every pair with it; of all others 1
WORD = re.compile(r"\w+")
DIFFERENCES = 4  # that are told
LONGEST = 8  # words of one


def export(name: str, variant: str, folder: Path) -> None:
    """Write a text in all formats."""
    language, country, marked = TEXTS[name]
    text = marked if variant == "note" else without_notes(marked)
    head = marked.splitlines()[0].strip("# ") if variant == "head" else ""
    source = folder / f"{name}.fodt"
    source.write_text(flat_odt(text, language, country, head), encoding="utf-8")
    converted(source, tuple(EXPORTS.values()), folder)


def converted(source: Path, targets: Sequence[str], folder: Path) -> None:
    """Have LibreOffice write a file in other formats into a folder."""
    with tempfile.TemporaryDirectory() as profile:
        for target in targets:
            command = ["soffice", f"-env:UserInstallation={Path(profile).as_uri()}", "--headless"]
            command += ["--convert-to", target, "--outdir", str(folder), str(source)]
            subprocess.run(command, check=True, capture_output=True, timeout=600)


def scanned(folder: Path, settings: ScanSettings) -> dict[str, str]:
    """The texts of a folder by their names, as a scan reads them."""
    result = scan([folder], settings)
    try:
        for problem in result.problems:
            print(f"  {problem.name}: {problem.code}, {problem.detail}")
        return dict(zip((one.name for one in result.documents), result.texts, strict=True))
    finally:
        result.close()


def read_directly(folder: Path, _settings: ScanSettings) -> dict[str, str]:
    """The same by the readers alone, in this process."""
    texts = {}
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        reader = reader_for(data, path.suffix)
        try:
            if reader.read is not None and (reader.kind != "text" or path.suffix == ".txt"):
                texts[path.name] = reader.read(data, Reading(suffix=path.suffix)).text
        except UnreadableError as error:
            print(f"  {path.name}: {error.code}, {error.detail}")
    return texts


def resemblances(texts: Sequence[str], settings: ScanSettings) -> dict[tuple[int, int], float]:
    """Of every pair; 0 for one that is not listed."""
    pairs = find_pairs(texts, settings)
    listed = zip(pairs.a.tolist(), pairs.b.tolist(), pairs.resemblance.tolist(), strict=True)
    found = {(a, b): resemblance for a, b, resemblance in listed}
    return {pair: found.get(pair, 0.0) for pair in combinations(range(len(texts)), 2)}


def difference(one: str, two: str, names: tuple[str, str]) -> str:
    """A sentence on the words that only one of them has, or has elsewhere."""
    words = [WORD.findall(text.replace("\u00ad", "").lower()) for text in (one, two)]
    told = []
    changes = [
        step
        for step in SequenceMatcher(None, *words, autojunk=False).get_opcodes()
        if step[0] != "equal"
    ]
    for _, a, a_end, b, b_end in changes[:DIFFERENCES]:
        there, here = _quoted(words[0][a:a_end]), _quoted(words[1][b:b_end])
        after = " ".join(words[0][max(0, a - 2) : a])
        told.append(f"after “{after}” {names[0]} has {there}, {names[1]} {here}")
    more = f"; and {len(changes) - DIFFERENCES} more" if len(changes) > DIFFERENCES else ""
    return ("; ".join(told) or "the same words, told apart by what is no word") + more


def _quoted(words: Sequence[str]) -> str:
    if not words:
        return "nothing"
    short = " ".join(words[:LONGEST])
    return f"“{short}{' …' if len(words) > LONGEST else ''}”"


def compare(texts: dict[str, str], settings: ScanSettings) -> bool:
    """Print every pair; whether all reach their goals."""
    names = list(texts)
    good = True
    for (a, b), value in sorted(resemblances(list(texts.values()), settings).items()):
        kinds = [Path(names[place]).suffix.removeprefix(".") for place in (a, b)]
        reached = value >= min(GOALS.get(kind, 1.0) for kind in kinds)
        good = good and reached
        print(f"  {kinds[0]:<5}{kinds[1]:<5}{value:.4f}{'' if reached else '  below its goal'}")
        if value < 1:
            print(f"      {difference(texts[names[a]], texts[names[b]], (kinds[0], kinds[1]))}")
    return good


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--text", nargs="+", choices=TEXTS, default=list(TEXTS))
    parser.add_argument("--keep", type=Path, help="folder for the files; a temporary one if none")
    parser.add_argument("--direct", action="store_true", help="by the readers, without a scan")
    options = parser.parse_args()
    settings = ScanSettings(min_resemblance=0.0, bands=64, rows=1, signature_size=64)
    for name, (variant, told) in product(options.text, VARIANTS.items()):
        with tempfile.TemporaryDirectory() as temporary:
            folder = (options.keep or Path(temporary)) / f"{name}-{variant}"
            if not folder.exists():
                folder.mkdir(parents=True)
                export(name, variant, folder)
            print(f"\n{name.upper()}, {told}")
            read = read_directly if options.direct else scanned
            texts = read(folder, settings)
            print(f"  {len(texts)} of {len(EXPORTS) + 1} files read")
            reached = compare(texts, settings)
            print(f"  {'every pair reaches' if reached else 'not every pair reaches'} its goal")


if __name__ == "__main__":
    main()
