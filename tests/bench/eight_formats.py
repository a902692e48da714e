"""One text in eight formats and more: every pair of them should have resemblance 1.

    python tests/bench/eight_formats.py [--text english german chinese] [--keep FOLDER]

The text is written as flat OpenDocument and exported by LibreOffice; the folder is scanned. For
every pair below 1 a sentence says which words differ. Headings, a list, a table, a footnote and a
justified paragraph with broken words are in it. Every text is tried plain, with a footnote, and
with a line above and a number below every page: a note stands at the foot of a page in one format
and at the end in another, its number is text in some and in some not, and LibreOffice leaves notes
and what is above or below a page out of plain text, e-books and web pages.
"""

import re
import tempfile
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import combinations, product
from pathlib import Path

from office import convert
from options import Among, read_options

from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.settings import ScanSettings
from tests.archives import ODF_NAMES

# Their lines begin with # for headings, * for items, | for rows; [^ ] is a note, ~ a soft hyphen.
HARBOUR = Path(__file__).with_name("harbour")
TEXTS = {"english": ("en", "US"), "german": ("de", "DE"), "chinese": ("zh", "CN")}

LAYOUT = (
    '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="17cm" '
    'fo:page-height="24cm" fo:margin="2cm"/><style:header-style/><style:footer-style/>'
    "</style:page-layout>"
)
NOTE = re.compile(r"\[\^(.*?)\]")


def flat_odt(marked: str, language: str, country: str, head: str = "") -> str:
    """An OpenDocument text in one file of XML, with a line above and a number below each page."""
    locale = f'fo:language="{language}" fo:country="{country}" style:language-asian="{language}"'
    locale += f' style:country-asian="{country}" fo:font-size="11pt" fo:hyphenate="true"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {ODF_NAMES} '
        'office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">'
        "<office:styles>"
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


def _note(note: re.Match[str]) -> str:
    return (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{_paragraph(note[1])}</text:note-body></text:note>"
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
    language, country = TEXTS[name]
    marked = (HARBOUR / f"{name}.txt").read_text(encoding="utf-8")
    text = marked if variant == "note" else without_notes(marked)
    head = marked.splitlines()[0].strip("# ") if variant == "head" else ""
    source = folder / f"{name}.fodt"
    source.write_text(flat_odt(text, language, country, head), encoding="utf-8")
    for target in EXPORTS.values():
        convert([source], target, folder)


def scanned(folder: Path, settings: ScanSettings) -> dict[str, str]:
    """The texts of a folder by their names, as a scan reads them."""
    result = scan([folder], settings)
    try:
        for problem in result.problems:
            print(f"  {problem.name}: {problem.code}, {problem.detail}")
        return dict(
            zip((document.name for document in result.documents), result.texts, strict=True)
        )
    finally:
        result.close()


def resemblances(texts: Sequence[str], settings: ScanSettings) -> dict[tuple[int, int], float]:
    """Of every pair; 0 for one that is not listed."""
    pairs = find_pairs(texts, settings)
    listed = zip(pairs.a.tolist(), pairs.b.tolist(), pairs.resemblance.tolist(), strict=True)
    resemblance_of = {(a, b): resemblance for a, b, resemblance in listed}
    return {pair: resemblance_of.get(pair, 0.0) for pair in combinations(range(len(texts)), 2)}


def difference(first: str, second: str, names: tuple[str, str]) -> str:
    """A sentence on the words that only one of them has, or has elsewhere."""
    words = [WORD.findall(text.replace("\u00ad", "").lower()) for text in (first, second)]
    lines = []
    changes = [
        step
        for step in SequenceMatcher(None, *words, autojunk=False).get_opcodes()
        if step[0] != "equal"
    ]
    for _, a, a_end, b, b_end in changes[:DIFFERENCES]:
        in_b, in_a = _quoted(words[0][a:a_end]), _quoted(words[1][b:b_end])
        after = " ".join(words[0][max(0, a - 2) : a])
        lines.append(f"after “{after}” {names[0]} has {in_b}, {names[1]} {in_a}")
    more = f"; and {len(changes) - DIFFERENCES} more" if len(changes) > DIFFERENCES else ""
    return ("; ".join(lines) or "the same words, told apart by what is no word") + more


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
        kinds = [Path(names[number]).suffix.removeprefix(".") for number in (a, b)]
        reached = value >= min(GOALS.get(kind, 1.0) for kind in kinds)
        good = good and reached
        print(f"  {kinds[0]:<5}{kinds[1]:<5}{value:.4f}{'' if reached else '  below its goal'}")
        if value < 1:
            print(f"      {difference(texts[names[a]], texts[names[b]], (kinds[0], kinds[1]))}")
    return good


def main() -> None:
    """Read the command line."""
    options = read_options(__doc__, text=Among(TEXTS, tuple(TEXTS)), keep=Path)
    settings = ScanSettings(min_resemblance=0.0, bands=64, rows=1, signature_size=64)
    for name, (variant, description) in product(options.text, VARIANTS.items()):
        with tempfile.TemporaryDirectory() as temporary:
            folder = (options.keep or Path(temporary)) / f"{name}-{variant}"
            if not folder.exists():
                folder.mkdir(parents=True)
                export(name, variant, folder)
            print(f"\n{name.upper()}, {description}")
            texts = scanned(folder, settings)
            print(f"  {len(texts)} of {len(EXPORTS) + 1} files read")
            reached = compare(texts, settings)
            print(f"  {'every pair reaches' if reached else 'not every pair reaches'} its goal")


if __name__ == "__main__":
    main()
