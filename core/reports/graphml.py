"""The pairs as a graph for programs that draw networks: documents are nodes, pairs are edges.

GraphML 1.0 (Brandes et al., "GraphML Progress Report", Graph Drawing 2001), which Gephi, Cytoscape,
yEd, networkx and igraph read. Every edge has all numbers of its pair, and A as its source; its
`weight`, by which such programs draw, is the resemblance. Documents without a pair are nodes, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from core.base.files import replaced_bytes
from core.base.messages import in_english
from core.base.tasks import Progress, ignore, stop_if_cancelled
from core.evidence.measures import NumberKind
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
        nodes = {number: f"n{index}" for index, number in enumerate(report.in_order)}
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
