"""Families of files whose history is known: how much of it is reported, and how much wrongly.

    python tests/bench/file_families.py [--families 60] [--office SOFFICE] [--seed 1]

Each family is a file and what became of it, or two files that only have a form in common; all are
in one folder with those who wrote their own text into the form that everybody got. One computer in
ten has a wrong clock, one person in five has no name of their own, one in ten writes with another
program than Word, which adds no session, and one Word in a hundred writes none. The same in ODF, as
LibreOffice numbers sessions: the first below 2**21, each later one at most 2**17 more; a file has
the first, the last, and those whose words are left. `--office` is a LibreOffice with Writer, which
saves in other formats and back.

PDF files are set by typst, with a title and without, and by that LibreOffice; each is saved again
by PDFium and, where they are installed, by pikepdf (qpdf) and pypdf, as a whole or added to. One in
three names no date of what it did; pypdf keeps both identifiers, though it may not.

For each kind: of how many families files are found to share a rare property, and in how many an
order is said that is right, wrong, or of files neither of which came from the other. Then the pairs
of different families that are found, all of them wrong.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pypdfium2
import typst
from office import convert
from options import read_options
from pypdfium2 import raw as pdfium_c

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.documents.reading_settings import ReadingSettings
from core.scan.file_order import orders_within
from core.scan.properties import FolderProperties, properties_of_folders
from tests.archives import zipped
from tests.engine.scan.test_properties import word_file

NAMELESS = ("user", "admin", "")
KINDS = {
    "passed on, reworded": "A from form; B from A",
    "chain of three": "A from form; B from A; C from B",
    "both from a third": "A from form; B from A; C from A; drop A",
    "retyped": "A from form; B anew",
    "form only": "A from form; B from form",
    "rare form": "F anew; A from F; B from F; drop F",
    "rare form, no sessions": "F anew; A from F without; B from F without; drop F",
    "one saves as odt, docx": "A from form; B as odt",
    "one saves as doc, docx": "A from form; B as doc",
    "printed to PDF": "A from form; B as pdf",
}
PDF_KINDS = {
    "saved again": "A new; B of A",
    "chain of three": "A new; B of A; C of B",
    "both from a third": "A new; B of A; C of A; drop A",
    "set again from the source": "A new; B again A",
    "form only": "A of form; B of form",
    "rare form": "F new; A of F; B of F; drop F",
}
OFFICE = "LibreOffice/7.4.7.2$Linux_X86_64 LibreOffice_project/40$Build-2"
KEPT = 0.95  # of the sessions of LibreOffice in the file before: text is left in their words


class History:
    """One file as it is passed on: who, when, in which sessions."""

    def __init__(
        self,
        rng: random.Random,
        before: History | None = None,
        *,
        writes: bool = True,
        odf: bool = False,
    ):
        self.odf = odf
        self.person = rng.choice(NAMELESS) if rng.random() < 0.2 else f"p{rng.randrange(10**6)}"
        clock = timedelta(days=rng.randint(-400, 400)) if rng.random() < 0.1 else timedelta()
        start = before.saved if before else datetime(2026, 3, 1, 9, tzinfo=UTC) + _minutes(rng, 40)
        self.saved = start + _minutes(rng, 9)
        self.saved_as_told = self.saved + clock
        self.maker, self.created = self.person, self.saved_as_told
        self.sessions: list[str] = []
        if before:
            self.maker, self.created = before.maker, before.created
            self.sessions = [*before.sessions]
        is_of_word = writes and rng.random() >= 0.1
        self.program = "Microsoft Office Word" if is_of_word else "Another"
        if odf:
            self.program = OFFICE if is_of_word else "Another"
            first, last = before.ends if before else (rng.randrange(1, 1 << 21),) * 2
            self.sessions = [session for session in self.sessions if rng.random() < KEPT]
            for _ in range(rng.randint(1, 12) if is_of_word else 0):
                last += rng.randrange(1, 1 << 17)
                self.sessions += [f"{last:x}"] * (rng.random() < KEPT)
            self.ends = first, last
        elif is_of_word and rng.random() >= 0.01:
            new = rng.randint(1, 12)
            self.sessions += [f"00{rng.randrange(16**6):06X}" for _ in range(new)]

    def data(self, rng: random.Random) -> bytes:
        """The file, with unique words: texts decide nothing here."""
        text = " ".join(f"w{rng.randrange(10**6)}" for _ in range(60))
        if self.odf:
            spans = "".join(f'<text:span officeooo:rsid="{session}"/>' for session in self.sessions)
            ends = zip(("RsidRoot", "Rsid"), self.ends, strict=True)
            return zipped(
                {
                    "mimetype": "application/vnd.oasis.opendocument.text",
                    "meta.xml": f"<meta:initial-creator>{self.maker}</meta:initial-creator>"
                    f"<dc:creator>{self.person}</dc:creator>"
                    f"<meta:generator>{self.program}</meta:generator>"
                    f"<meta:creation-date>{self.created:%Y-%m-%dT%H:%M:%S}</meta:creation-date>"
                    f"<dc:date>{self.saved_as_told:%Y-%m-%dT%H:%M:%S.%f}</dc:date>",
                    "settings.xml": "".join(f'<c config:name="{name}">{n}</c>' for name, n in ends),
                    "content.xml": f"<text:p>{text}{spans}</text:p>",
                }
            )
        return word_file(
            text,
            self.sessions,
            app=f"<Application>{self.program}</Application>",
            creator=self.maker,
            lastModifiedBy=self.person,
            created=f"{self.created:%Y-%m-%dT%H:%M:%SZ}",
            modified=f"{self.saved_as_told:%Y-%m-%dT%H:%M:%SZ}",
        )


def _minutes(rng: random.Random, days: int) -> timedelta:
    return timedelta(minutes=rng.randint(20, days * 24 * 60))


def write_family(
    folder: Path, name: str, steps: str, form: History, rng: random.Random
) -> dict[str, str]:
    """Write the files of a family; returns from which each came, "" where from none of them.

    Those that are to be converted are left to be.
    """
    made: dict[str, History] = {"form": form}
    ending = "odt" if form.odf else "docx"
    source_of: dict[str, str] = {}
    for step in steps.split("; "):
        first, verb, *rest = step.split()
        if first == "drop":
            source_of = without(verb, folder / f"{name}-{verb}.{ending}", source_of)
            continue
        path = folder / f"{name}-{first}.{ending}"
        if verb == "as":
            source_of[first] = "A"
            continue
        before = made[rest[0]] if rest else None
        made[first] = History(rng, before, writes="without" not in rest, odf=form.odf)
        path.write_bytes(made[first].data(rng))
        source_of[first] = rest[0] if rest and rest[0] != "form" else ""
    return source_of


def without(dropped: str, path: Path, source_of: dict[str, str]) -> dict[str, str]:
    """Delete a file of a family; what is left came from no file that is there."""
    path.unlink()
    del source_of[dropped]
    return {file: "" if source == dropped else source for file, source in source_of.items()}


class PdfFamilies:
    """Writes families of PDF files, with the programs that are here."""

    def __init__(self, rng: random.Random, office: str, pool: int) -> None:
        self._rng = rng
        self._pool = list(_exported(rng, office, pool)) if office else []
        self._savers = [_by_pdfium, _added_by_pdfium, *_other_savers()]
        self.form = self._new(History(rng))

    def write(self, folder: Path, name: str, steps: str) -> dict[str, str]:
        """As `write_family`."""
        made = {"form": (History(self._rng), self.form)}
        source_of: dict[str, str] = {}
        for step in steps.split("; "):
            first, verb, *rest = step.split()
            if first == "drop":
                source_of = without(verb, folder / f"{name}-{verb}.pdf", source_of)
                continue
            before, data = made[rest[0]] if rest else (None, b"")
            history = History(self._rng, before)
            if verb == "of":
                date = history.saved_as_told if self._rng.random() < 2 / 3 else None
                data = self._rng.choice(self._savers)(data, date)
            else:
                data = self._new(history, title=f"of {name}" if verb == "again" else "")
            made[first] = history, data
            (folder / f"{name}-{first}.pdf").write_bytes(data)
            source_of[first] = rest[0] if verb == "of" and rest[0] != "form" else ""
        return source_of

    def _new(self, history: History, title: str = "") -> bytes:
        if self._pool and not title and self._rng.random() < 1 / 3:
            return self._pool.pop()
        date = f"{history.saved_as_told:year: %Y, month: %m, day: %d, hour: %H, minute: %M}"
        head = f'title: "{title or self._rng.random()}", author: "A", ' * (self._rng.random() < 0.5)
        return typst.compile(
            f"#set document({head}date: datetime({date}, second: 0))\n{self._rng.random()}".encode()
        )


def _exported(rng: random.Random, office: str, number: int) -> Iterator[bytes]:
    with tempfile.TemporaryDirectory() as temporary:
        sources = [Path(temporary) / f"{number}.docx" for number in range(number)]
        for source in sources:
            source.write_bytes(History(rng).data(rng))
        convert(sources, "pdf", Path(temporary), program=office)
        yield from (source.with_suffix(".pdf").read_bytes() for source in sources)


def _by_pdfium(data: bytes, _date: datetime | None, flags: int = pdfium_c.FPDF_NO_INCREMENTAL):
    """PDFium writes no date."""
    written = io.BytesIO()
    with pypdfium2.PdfDocument(data) as document:
        document.new_page(100, 100)
        document.save(written, flags=flags)
    return written.getvalue()


def _added_by_pdfium(data: bytes, date: datetime | None) -> bytes:
    return _by_pdfium(data, date, pdfium_c.FPDF_INCREMENTAL)


def _other_savers() -> Iterator[Callable[[bytes, datetime | None], bytes]]:
    with suppress(ImportError):
        import pikepdf

        def by_pikepdf(data: bytes, date: datetime | None) -> bytes:
            written = io.BytesIO()
            with pikepdf.open(io.BytesIO(data)) as document:
                if date is not None:
                    document.docinfo["/ModDate"] = f"{date:D:%Y%m%d%H%M%SZ}"
                document.save(written)
            return written.getvalue()

        yield by_pikepdf
    with suppress(ImportError):
        import pypdf

        def by_pypdf(data: bytes, date: datetime | None, *, adds: bool) -> bytes:
            written = io.BytesIO()
            if adds:
                writer = pypdf.PdfWriter(io.BytesIO(data), incremental=True)
            else:
                writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
            metadata = {"/ModDate": f"{date:D:%Y%m%d%H%M%SZ}"} if date else {"/Trapped": ""}
            writer.add_metadata(metadata)
            writer.write(written)
            return written.getvalue()

        yield partial(by_pypdf, adds=True)
        yield partial(by_pypdf, adds=False)


def write_converted(folder: Path, kind: str, steps: str, office: str) -> None:
    """Save A of each family of a kind in another format, and back as B unless that is PDF."""
    sources = sorted(folder.glob(f"{kind.replace(' ', '_')}-*-A.docx"))
    with tempfile.TemporaryDirectory() as temporary:
        ending = steps.rsplit(maxsplit=1)[-1]
        for ending_used in (ending,) if ending == "pdf" else (ending, "docx"):
            convert(sources, ending_used, Path(temporary), program=office)
            sources = [Path(temporary) / f"{source.stem}.{ending_used}" for source in sources]
        for source in sources:
            name = f"{source.stem.removesuffix('A')}B{source.suffix}"
            (folder / name).write_bytes(source.read_bytes())


def main() -> None:
    """Write all families, read them, and print what is found."""
    options = read_options(__doc__, families=60, office="", seed=1)
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder, source_of = Path(temporary), {}
        form, odf_form = History(rng), History(rng, odf=True)
        for kind, steps in KINDS.items():
            if " as " in steps and not options.office:
                continue
            for number in range(options.families):
                name = f"{kind.replace(' ', '_')}-{number}"
                source_of[name] = write_family(folder, name, steps, form, rng)
            if " as " in steps:
                write_converted(folder, kind, steps, options.office)
        for kind in (kind for kind, steps in KINDS.items() if " as " not in steps):
            for number in range(options.families):
                name = f"{kind.replace(' ', '_')},_ODF-{number}"
                source_of[name] = write_family(folder, name, KINDS[kind], odf_form, rng)
        pdfs = PdfFamilies(rng, options.office, options.families)
        for kind, steps in PDF_KINDS.items():
            for number in range(options.families):
                name = f"{kind.replace(' ', '_')},_PDF-{number}"
                source_of[name] = pdfs.write(folder, name, steps)
        folder_properties = properties_of_folders([folder], reading=ReadingSettings())
    numbers: dict[str, dict[str, int]] = defaultdict(dict)
    for number, file in enumerate(folder_properties):
        family, _, letter = Path(file.name).stem.rpartition("-")
        numbers[family][letter] = number
    properties = FolderProperties([file.properties for file in folder_properties])
    print_results(properties, source_of, numbers)


def print_results(
    properties: FolderProperties,
    source_of: dict[str, dict[str, str]],
    numbers: dict[str, dict[str, int]],
) -> None:
    """Print what is found of each kind, and between families."""
    family_of = {
        n: name for name, numbers_of_family in numbers.items() for n in numbers_of_family.values()
    }
    pairs = properties.pairs()
    sharing = {family_of[a] for a, b in pairs if family_of[a] == family_of[b]}
    strangers = [(a, b) for a, b in pairs if family_of[a] != family_of[b]]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, numbers_of_family in numbers.items():
        kind = name.rpartition("-")[0].replace("_", " ")
        counts[kind].update({"families": 1, "share a rare property": name in sharing})
        letter = {n: letter_of for letter_of, n in numbers_of_family.items()}
        for order in orders_within(properties, [*numbers_of_family.values()]):
            if order.earlier is not None:
                earlier = letter[order.earlier]
                later = letter[order.a + order.b - order.earlier]
                counts[kind][verdict(source_of[name], earlier, later)] += 1
    titles = ("families", "share a rare property", "right", "wrong", "no order there")
    print(f"{'':24}", *(f"{title:>22}" for title in titles))
    for kind, count in counts.items():
        print(f"{kind:24}", *(f"{count[title]:22}" for title in titles))
    documents = len(properties.documents)
    print(f"{len(strangers)} of the pairs of different families in {documents} files share one")


def verdict(source_of: dict[str, str], earlier: str, later: str) -> str:
    """Whether a reported order is true."""

    def before(file: str) -> list[str]:
        return [source_of[file], *before(source_of[file])] if source_of.get(file) else []

    if earlier in before(later):
        return "right"
    return "wrong" if later in before(earlier) else "no order there"


if __name__ == "__main__":
    main()
