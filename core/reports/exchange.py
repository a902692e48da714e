"""The pairs for other programs that read XML: as a graph, and as in the PAN workshops.

As a graph for programs that draw networks: documents are nodes, pairs are edges.

GraphML 1.0 (Brandes et al., "GraphML Progress Report", Graph Drawing 2001), which Gephi, Cytoscape,
yEd, networkx and igraph read. Every edge has all numbers of its pair, and A as its source; its
`weight`, by which such programs draw, is the resemblance. Documents without a pair are nodes, too.

The shared passages as in the text alignment task of the PAN workshops: a file for each pair.

    pairs         names of the two documents of each pair, a pair a line
    A-B.xml       <document reference="A"> with a <feature name="detected-plagiarism"> a passage
    readme.txt    what was compared, and what the offsets count

Format: Potthast et al., "Overview of the 5th International Competition on Plagiarism Detection",
CLEF 2013. Offsets and lengths count code points of the extracted text. A document is called by its
file name alone, as there, where no other document has the same one; else by its full name. In the
list "pairs", which has a space between names, white space and % in a name are percent-encoded. A
reference of the scan is the source; where neither is a reference, B stands as the source.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from core.base.files import replaced_bytes
from core.base.messages import in_english
from core.base.patterns import lazy_pattern
from core.base.tasks import Progress, ignore, stop_if_cancelled
from core.documents.model import Role
from core.evidence.measures import NumberKind
from core.evidence.passage import Passage
from core.reports.list_words import documents_in_words
from core.reports.model import Report
from core.reports.rows import JUDGED, NUMBERS, judged_values, number_rows
from core.reports.settings_words import result_in_words
from core.reports.shown_text import visible


class XmlFile:
    """An XML document while it is written, in UTF-8."""

    def __init__(self, file: BinaryIO) -> None:
        self._xml = XMLGenerator(file, "utf-8", short_empty_elements=True)
        self._xml.startDocument()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        shown = {key: visible(value) for key, value in attributes.items()}
        self._xml.startElement(name, AttributesImpl(shown))

    def end(self, name: str) -> None:
        """End an element, and the line."""
        self._xml.endElement(name)
        self._xml.ignorableWhitespace("\n")

    def put(self, name: str, attributes: Mapping[str, str], content: str = "") -> None:
        """Write an element with nothing but text."""
        self.start(name, attributes)
        if content:
            self._xml.characters(visible(content))
        self._xml.endElement(name)

    def break_line(self) -> None:
        """End the line."""
        self._xml.ignorableWhitespace("\n")

    def finish(self) -> None:
        """Write the rest."""
        self._xml.endDocument()


NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
Value = str | int | float | bool | None


# The data of the graph, of every node and of every edge, each with its type.
GRAPH = ("title", "folders", "created", "program", "found", "shown", "notes")
NODE = {
    **dict.fromkeys(("label", "role", "language"), "string"),
    "characters": "long",
    "gone": "boolean",
    "group": "int",
    "centre": "boolean",
}
TYPES = {NumberKind.COUNT: "long", NumberKind.FLAG: "boolean", NumberKind.WAYS: "string"}
NAMES = {
    "containment_a": "containment_source",
    "containment_b": "containment_target",
    "overlap_a": "overlap_source",
    "overlap_b": "overlap_target",
}
EDGE = {
    "weight": "double",
    "rank": "long",
    **{
        NAMES.get(measure.column, measure.column): TYPES.get(measure.kind, "double")
        for measure in NUMBERS
    },
    **dict.fromkeys(JUDGED[:-1], "string"),
    JUDGED[-1]: "double",
}
KEYS = {"graph": dict.fromkeys(GRAPH, "string"), "node": NODE, "edge": EDGE}


def write_graphml(path: Path, report: Report, *, progress: Progress = ignore) -> None:
    """Write the graph of the documents that a report is about, and of its pairs.

    Raises:
        ExportError: The file could not be written.
    """
    with replaced_bytes(path) as file:
        xml = XmlFile(file)
        xml.start("graphml", {"xmlns": NAMESPACE})
        xml.break_line()
        _write_keys(xml)
        xml.start("graph", {"id": "pairs", "edgedefault": "undirected"})
        _write_data(xml, "graph", _of_graph(report))
        xml.break_line()
        nodes = {number: f"n{index}" for index, number in enumerate(report.about)}
        _write_nodes(xml, report, nodes)
        rows = report.rows(len(report.pairs), progress)
        for (row, a, b), numbers in zip(rows, number_rows(report.pairs, report), strict=True):
            judged = judged_values(report.judgement_of(row))
            values = (numbers[0], report.rank_of(row), *numbers, *judged)
            xml.start("edge", {"source": nodes[a], "target": nodes[b]})
            _write_data(xml, "edge", values)
            xml.end("edge")
        xml.end("graph")
        xml.end("graphml")
        xml.finish()


def _write_keys(xml: XmlFile) -> None:
    for part, keys in KEYS.items():
        for name, kind in keys.items():
            values = {"id": f"{part}_{name}", "for": part}
            xml.put("key", {**values, "attr.name": name, "attr.type": kind})
            xml.break_line()


def _write_nodes(xml: XmlFile, report: Report, nodes: Mapping[int, str]) -> None:
    centres = {group.centre for group in report.groups}
    for number, node in nodes.items():
        document = report.documents[number]
        stop_if_cancelled()
        xml.start("node", {"id": node})
        values: tuple[Value, ...] = (
            report.name_of(number),
            str(document.role),
            report.languages[number],
            document.characters,
            document.absence is not None,
            report.group_of.get(number),
            number in centres,
        )
        _write_data(xml, "node", values)
        xml.end("node")


@in_english()
def _of_graph(report: Report) -> tuple[Value, ...]:
    return (
        report.title,
        "\n".join(report.named_folders),
        report.created.isoformat(timespec="seconds"),
        f"Neardup {report.version}",
        " ".join(result_in_words(report)),
        report.shown,
        "\n".join(report.notes),
    )


def _write_data(xml: XmlFile, part: str, values: tuple[Value, ...]) -> None:
    """Write the data of a part of the graph, without values that are missing or empty."""
    for (name, kind), value in zip(KEYS[part].items(), values, strict=True):
        if value is not None and value != "":
            shown = str(bool(value)).lower() if kind == "boolean" else str(value)
            xml.put("data", {"key": f"{part}_{name}"}, shown)


WRITTEN = (1980, 1, 1, 0, 0, 0)  # the first day that archives know: the same bytes at any time
LONGEST_STEM = 80
_NOT_SAFE = lazy_pattern(r"[^A-Za-z0-9._-]+")
_NOT_IN_LIST = lazy_pattern(r"[\s%]")


def write_pan(path: Path, report: Report, *, progress: Progress = ignore) -> None:
    """Write the passages of every pair; no text of a document.

    Raises:
        ExportError: The file could not be written.
    """
    names = _references(report)
    taken: set[str] = set()
    listed: list[str] = []
    with replaced_bytes(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, "readme.txt", _readme(report).encode())
        for _, a, b in report.rows(len(report.pairs), progress):
            passages = report.passages_of(a, b).passages
            is_turned = _is_source(report, a) and not _is_source(report, b)
            this, source = (names[b], names[a]) if is_turned else (names[a], names[b])
            if is_turned:
                passages = [passage.turned() for passage in passages]
            _put(archive, _file_name(this, source, taken), _xml(this, source, passages))
            listed.append(f"{_in_list(this)} {_in_list(source)}\n")
        _put(archive, "pairs", "".join(listed).encode())


def _references(report: Report) -> list[str]:
    """The name of each document: its file name, or its full name where others share that."""
    full_names = [visible(report.name_of(number)) for number in range(len(report.documents))]
    alone = [name.rpartition("/")[2] for name in full_names]
    shared = Counter(alone)
    return [
        file_name if file_name and shared[file_name] == 1 else name
        for file_name, name in zip(alone, full_names, strict=True)
    ]


def _is_source(report: Report, document: int) -> bool:
    return report.documents[document].role is Role.REFERENCE


def _xml(this: str, source: str, passages: Sequence[Passage]) -> bytes:
    """The passages in characters: where each is in the suspicious document, and in the source."""
    content = BytesIO()
    xml = XmlFile(content)
    xml.start("document", {"reference": this})
    xml.break_line()
    for passage in passages:
        values = {
            "name": "detected-plagiarism",
            "source_reference": source,
            "this_offset": passage.a_start,
            "this_length": passage.a_end - passage.a_start,
            "source_offset": passage.b_start,
            "source_length": passage.b_end - passage.b_start,
        }
        xml.put("feature", {name: str(value) for name, value in values.items()})
        xml.break_line()
    xml.end("document")
    xml.finish()
    return content.getvalue()


def _file_name(this: str, source: str, taken: set[str]) -> str:
    """A name without folders that no other file of the archive has, on any system."""
    stem = f"{_safe(this)}-{_safe(source)}"
    name, number = stem, 1
    while name.lower() in taken:
        number += 1
        name = f"{stem}-{number}"
    taken.add(name.lower())
    return f"{name}.xml"


def _safe(name: str) -> str:
    """The name of a document without its ending, in letters that every system has."""
    stem = name.rpartition(".")[0] or name
    return _NOT_SAFE.sub("_", stem).strip(".-")[:LONGEST_STEM] or "_"


def _in_list(name: str) -> str:
    return _NOT_IN_LIST.sub(lambda match: "".join(f"%{b:02X}" for b in match[0].encode()), name)


@in_english()
def _readme(report: Report) -> str:
    lines = (
        report.title,
        f"{documents_in_words(report.document_counts)} in {', '.join(report.named_folders)}",
        f"{report.created.isoformat(timespec='seconds')}, Neardup {report.version}",
        *result_in_words(report),
        report.shown,
        f"Pairs in this archive, with their shared passages: {len(report.pairs):,}.",
        "Offsets and lengths count Unicode code points of the text that was extracted from a file.",
        *report.notes,
    )
    return "".join(f"{visible(' '.join(line.split()))}\n" for line in lines if line)


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, WRITTEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system, entry.external_attr = 3, 0o644 << 16  # as on every system
    archive.writestr(entry, content)
