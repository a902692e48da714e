"""Files of Microsoft Office a second, by one reader in one process.

    python tests/bench/office_files.py [--files 200] [--words 3000] [--repeat 3]

The files are made here: an article each, in paragraphs of runs as Word breaks them up, with a
table; slides; rows of a sheet. A doc is made of the first docx by LibreOffice, where it is
installed, and read again and again. Seconds are of the processor; the best repetition counts.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from core.documents.readers import Reading, reader_for

FILES, WORDS, REPEAT = 200, 3_000, 3
OPEN = "http://schemas.openxmlformats.org"
RELATIONSHIPS = f"{OPEN}/officeDocument/2006/relationships"
NAMES = (
    f'xmlns:w="{OPEN}/wordprocessingml/2006/main" xmlns:p="{OPEN}/presentationml/2006/main" '
    f'xmlns:a="{OPEN}/drawingml/2006/main" xmlns:r="{RELATIONSHIPS}"'
)
LOOK = '<w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/><w:sz w:val="22"/></w:rPr>'
TYPES = (
    f'<Types xmlns="{OPEN}/package/2006/content-types"><Default Extension="xml" ContentType='
    f'"application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-'
    f'package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/'
    f'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)


def words(count: int, seed: int) -> list[str]:
    """Words of nonsense, every tenth of them new."""
    random = Random(seed)
    known = ["".join(random.choices("abcdefghiklmnoprstu", k=random.randint(2, 9)))]
    for _ in range(count - 1):
        fresh = "".join(random.choices("abcdefghiklmnoprstu", k=random.randint(2, 9)))
        known.append(fresh if random.random() < 0.1 else random.choice(known))
    return known


def chunks(text: Sequence[str], size: int) -> list[str]:
    """So many words at a time."""
    return [" ".join(text[i : i + size]) for i in range(0, len(text), size)]


def related(*links: tuple[str, str]) -> str:
    """Relations r0, r1, ... from (kind, target)."""
    found = "".join(
        f'<Relationship Id="r{i}" Type="{RELATIONSHIPS}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(links)
    )
    return f'<Relationships xmlns="{OPEN}/package/2006/relationships">{found}</Relationships>'


def packed(main: str, **parts: str) -> bytes:
    """A package; "__" in a name stands for "/", and the main part comes first."""
    found = {"[Content_Types].xml": TYPES, "_rels/.rels": related(("officeDocument", main))}
    found |= {name.replace("__", "/"): content for name, content in parts.items()}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in found.items():
            package.writestr(name, content)
    return data.getvalue()


def docx(text: list[str]) -> bytes:
    """Paragraphs of about a hundred words in runs of seven, and a table."""
    run = f'<w:r w:rsidR="00AB12CD">{LOOK}<w:t xml:space="preserve">{{}} </w:t></w:r>'
    paragraphs = [
        f"<w:p><w:pPr><w:jc w:val='both'/></w:pPr>{''.join(map(run.format, group))}</w:p>"
        for group in (chunks(text[i : i + 100], 7) for i in range(0, len(text), 100))
    ]
    cell = f"<w:tc><w:tcPr/><w:p>{run}</w:p></w:tc>"
    row = f"<w:tr>{''.join(cell.format(word) for word in text[:4])}</w:tr>"
    body = f"{''.join(paragraphs)}<w:tbl>{row * 10}</w:tbl><w:p/><w:sectPr/>"
    return packed(
        "word/document.xml",
        **{"word__document.xml": f"<w:document {NAMES}><w:body>{body}</w:body></w:document>"},
    )


def pptx(text: list[str]) -> bytes:
    """Slides with four lines of ten words."""
    parts, links, listed = {}, [], []
    for i in range(0, len(text), 40):
        lines = "".join(
            f"<a:p><a:r><a:rPr lang='en'/><a:t>{line}</a:t></a:r></a:p>"
            for line in chunks(text[i : i + 40], 10)
        )
        shape = f"<p:sp><p:nvSpPr/><p:spPr/><p:txBody>{lines}</p:txBody></p:sp>"
        tree = f"<p:cSld><p:spTree>{shape}</p:spTree></p:cSld>"
        parts[f"ppt__slides__slide{i}.xml"] = f"<p:sld {NAMES}>{tree}</p:sld>"
        listed.append(f'<p:sldId r:id="r{len(links)}"/>')
        links.append(("slide", f"slides/slide{i}.xml"))
    listing = f"<p:sldIdLst>{''.join(listed)}</p:sldIdLst>"
    parts["ppt__presentation.xml"] = f"<p:presentation {NAMES}>{listing}</p:presentation>"
    parts["ppt___rels__presentation.xml.rels"] = related(*links)
    return packed("ppt/presentation.xml", **parts)


def xlsx(text: list[str]) -> bytes:
    """Rows of two words shared between cells and two numbers."""
    name = f'xmlns="{OPEN}/spreadsheetml/2006/main" xmlns:r="{RELATIONSHIPS}"'
    shared = {word: i for i, word in enumerate(dict.fromkeys(text))}
    rows = "".join(
        f'<row><c t="s"><v>{shared[a]}</v></c><c><v>{i}</v></c><c><v>{i / 7}</v></c>'
        f'<c t="s"><v>{shared[b]}</v></c></row>'
        for i, (a, b) in enumerate(zip(text[::2], text[1::2], strict=False))
    )
    strings = "".join(f"<si><t>{word}</t></si>" for word in shared)
    links = related(("worksheet", "sheet.xml"), ("sharedStrings", "strings.xml"))
    parts = {
        "xl__workbook.xml": f'<workbook {name}><sheets><sheet r:id="r0"/></sheets></workbook>',
        "xl___rels__workbook.xml.rels": links,
        "xl__strings.xml": f"<sst {name}>{strings}</sst>",
        "xl__sheet.xml": f"<worksheet {name}><sheetData>{rows}</sheetData></worksheet>",
    }
    return packed("xl/workbook.xml", **parts)


def doc(source: bytes) -> bytes | None:
    """The same as a docx, written by LibreOffice; None where there is none."""
    if shutil.which("soffice") is None:
        return None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "a.docx").write_bytes(source)
        profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", "doc:MS Word 97"]
        command += ["--outdir", name, str(folder / "a.docx")]
        subprocess.run(command, capture_output=True, check=True, timeout=300)
        return (folder / "a.doc").read_bytes()


def measure(name: str, files: list[bytes], repeat: int) -> None:
    """Print a line: the best of several rounds through all files."""
    best, characters = float("inf"), 0
    for _ in range(repeat):
        start = time.process_time()
        characters = 0
        for data in files:
            reader = reader_for(data, f".{name}")
            if reader.kind != name or reader.read is None:
                raise AssertionError(reader.kind)
            characters += len(reader.read(data, Reading()).text)
        best = min(best, time.process_time() - start)
    size = sum(map(len, files)) / len(files) / 1000
    print(
        f"{name:5} {len(files):6} {size:8.0f} {characters / len(files):11,.0f} "
        f"{len(files) / best:8,.0f} {best / len(files) * 1000:8.2f}"
    )


MAKERS: dict[str, Callable[[list[str]], bytes]] = {"docx": docx, "pptx": pptx, "xlsx": xlsx}


def main() -> None:
    """Print files a second for every format."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--repeat", type=int, default=REPEAT)
    options = parser.parse_args()
    print("kind   files kB a file  characters  files/s  ms/file")
    for name, make in MAKERS.items():
        files = [make(words(options.words, seed)) for seed in range(options.files)]
        measure(name, files, options.repeat)
    old = doc(docx(words(options.words, 0)))
    if old is not None:
        measure("doc", [old] * options.files, options.repeat)


if __name__ == "__main__":
    main()
