"""The pairs as a graph for programs that draw networks: documents are nodes, pairs are edges.

GraphML 1.0 (Brandes et al., "GraphML Progress Report", Graph Drawing 2001), which Gephi, Cytoscape,
yEd, networkx and igraph read. Every edge has all numbers of its pair, and A as its source; its
`weight`, by which such programs draw, is the resemblance. Documents without a pair are nodes, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from core.base.files import replaced_bytes
from core.base.tasks import Cancelled, Progress, ignore, never, stop_if
from core.evidence.pairs import FoundBy
from core.reports.model import Report
from core.reports.rows import ESTIMATE_DIGITS, EXACT_DIGITS
from core.reports.settings_words import result_in_words
from core.reports.shown_text import XmlFile
from core.scan.judgements import Verdict

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
Value = str | int | float | bool | None


class _Key(NamedTuple):
    """What is said of every node or edge: its name and its type."""

    name: str
    type: str


GRAPH_KEYS = tuple(
    _Key(name, "string")
    for name in ("title", "folders", "created", "program", "found", "shown", "notes")
)
NODE_KEYS = (
    _Key("label", "string"),
    _Key("role", "string"),
    _Key("language", "string"),
    _Key("characters", "long"),
    _Key("gone", "boolean"),
    _Key("group", "int"),
    _Key("centre", "boolean"),
)
EDGE_KEYS = (
    _Key("weight", "double"),
    _Key("rank", "long"),
    _Key("resemblance", "double"),
    _Key("containment_source", "double"),
    _Key("containment_target", "double"),
    _Key("estimate", "double"),
    _Key("shared_shingles", "long"),
    _Key("longest_run", "long"),
    _Key("exact_duplicate", "boolean"),
    _Key("found_by", "string"),
    _Key("reworked_words", "long"),
    _Key("reworked_bits", "double"),
    _Key("reworked_share", "double"),
    _Key("verdict", "string"),
    _Key("note", "string"),
    _Key("who", "string"),
    _Key("when", "string"),
    _Key("changed_since", "double"),
)
KEYS = {"graph": GRAPH_KEYS, "node": NODE_KEYS, "edge": EDGE_KEYS}


def write_graphml(
    path: Path, report: Report, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> None:
    """Write the graph of the documents that a report is about, and of its pairs.

    Raises:
        ExportError: The file could not be written.
        ScanCancelledError: `cancelled` said so; nothing was written.
    """
    with replaced_bytes(path) as file:
        xml = XmlFile(file)
        xml.start("graphml", {"xmlns": NAMESPACE})
        xml.break_line()
        _write_keys(xml)
        xml.start("graph", {"id": "pairs", "edgedefault": "undirected"})
        _write_data(xml, "graph", _of_graph(report))
        xml.break_line()
        nodes = {number: f"n{place}" for place, number in enumerate(report.in_order)}
        _write_nodes(xml, report, nodes, cancelled)
        for row, a, b in report.rows(len(report.pairs), progress, cancelled):
            xml.start("edge", {"source": nodes[a], "target": nodes[b]})
            _write_data(xml, "edge", _of_pair(report, row))
            xml.end("edge")
        xml.end("graph")
        xml.end("graphml")
        xml.finish()


def _write_keys(xml: XmlFile) -> None:
    for part, keys in KEYS.items():
        for key in keys:
            values = {"id": f"{part}_{key.name}", "for": part}
            xml.put("key", {**values, "attr.name": key.name, "attr.type": key.type})
            xml.break_line()


def _write_nodes(
    xml: XmlFile, report: Report, nodes: Mapping[int, str], cancelled: Cancelled
) -> None:
    groups = {one: place for place, of in enumerate(report.groups, 1) for one in of.documents}
    centres = {group.centre for group in report.groups}
    for number, node in nodes.items():
        document = report.documents[number]
        stop_if(cancelled)
        xml.start("node", {"id": node})
        values: tuple[Value, ...] = (
            report.name_of(number),
            str(document.role),
            report.languages[number],
            document.characters,
            document.absence is not None,
            groups.get(number),
            number in centres,
        )
        _write_data(xml, "node", values)
        xml.end("node")


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


def _of_pair(report: Report, row: int) -> tuple[Value, ...]:
    """The values of an edge, by `EDGE_KEYS`; its source is A."""
    pairs = report.pairs
    figures = pairs.figures(row)
    resemblance = round(figures.resemblance, EXACT_DIGITS)
    return (
        resemblance,
        report.rank_of(row),
        resemblance,
        round(figures.containment_a, EXACT_DIGITS),
        round(figures.containment_b, EXACT_DIGITS),
        round(float(pairs.estimate[row]), ESTIMATE_DIGITS),
        figures.shared_shingles,
        figures.longest_run,
        bool(pairs.exact_duplicate[row]),
        FoundBy(int(pairs.found_by[row])).label,
        _measured(figures.reworked_words),
        _measured(round(float(pairs.reworked_bits[row]), 1)),
        _measured(round(float(pairs.reworked_share[row]), ESTIMATE_DIGITS)),
        *_said(report, row),
    )


def _measured(number: float) -> Value:
    return None if number < 0 else number


def _said(report: Report, row: int) -> tuple[Value, ...]:
    found = report.found_of(row)
    if found is None:
        return (Verdict.NOT_REVIEWED.value, None, None, None, None)
    said = found.judgement
    changed = None if found.earlier is None else round(found.earlier, ESTIMATE_DIGITS)
    return said.verdict.value, said.note, said.who, said.time, changed


def _write_data(xml: XmlFile, part: str, values: tuple[Value, ...]) -> None:
    """What is said of a part of the graph; nothing where a value is missing or empty."""
    for key, value in zip(KEYS[part], values, strict=True):
        if value is not None and value != "":
            xml.put("data", {"key": f"{part}_{key.name}"}, _written(value))


def _written(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
