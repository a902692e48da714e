"""The pairs as a graph: by the rules of GraphML, and read back by a program that draws networks."""

import re
import zipfile
from itertools import pairwise
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import networkx as nx
import numpy as np
import pytest

from core.documents.model import PairKey, Role
from core.evidence.pairs import Pairs
from core.evidence.passages import Passage
from core.reports.exchange import write_graphml, write_pan
from core.reports.report_choice import ReportChoice, Scope
from core.scan.groups import Group, Member
from core.scan.judgements import GivenVerdict, Judgements, Verdict, WrittenNote
from tests.engine.reports.test_reports import NASTY, document, make_pairs, make_report, shared


def read(path):
    """The detections by their documents, as a scorer reads them, and the list of pairs."""
    spans_of_pairs = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            assert re.fullmatch(r"readme\.txt|pairs|[A-Za-z0-9._-]+\.xml", name)
            if name.endswith(".xml"):
                root = ET.fromstring(archive.read(name))
                assert root.tag == "document"
                for feature in root:
                    assert (feature.tag, feature.get("name")) == ("feature", "detected-plagiarism")
                    key = root.get("reference"), feature.get("source_reference")
                    spans = [
                        int(feature.get(f"{side}_{quantity}"))
                        for side in ("this", "source")
                        for quantity in ("offset", "length")
                    ]
                    spans_of_pairs.setdefault(key, []).append(tuple(spans))
        lines = archive.read("pairs").decode().splitlines()
        readme = archive.read("readme.txt").decode()
    return spans_of_pairs, [tuple(map(unquote, line.split())) for line in lines], readme


def test_names_of_the_task_come_out_as_there(tmp_path):
    names = [f"susp/suspicious-document{n:05}.txt" for n in range(2)]
    names += [f"src/source-document{n:05}.txt" for n in range(2)]
    write_pan(tmp_path / "p.zip", make_report(names, pairs=make_pairs([(0, 2), (1, 3)])))
    spans_of_pairs, pairs, _ = read(tmp_path / "p.zip")
    assert pairs == [
        ("suspicious-document00000.txt", "source-document00000.txt"),
        ("suspicious-document00001.txt", "source-document00001.txt"),
    ]
    assert spans_of_pairs == {pair: [(0, 23, 4, 38)] for pair in pairs}
    with zipfile.ZipFile(tmp_path / "p.zip") as archive:
        assert "suspicious-document00000-source-document00000.xml" in archive.namelist()


def test_any_name_is_given_back_and_no_file_is_lost(tmp_path):
    same = ["a/x.txt", "b/x.txt", "two words.txt", "100%.txt", "../../up.txt", "CON", ".."]
    names = [*NASTY, *same, "a/b/c/", "n" * 300]
    write_pan(tmp_path / "p.zip", make_report(names))
    spans_of_pairs, pairs, _ = read(tmp_path / "p.zip")
    called = {name: name.rpartition("/")[2] or name for name in names}
    called |= {name: name for name in ("a/x.txt", "b/x.txt")}
    expected = [(called[a], called[b]) for a, b in pairwise(names)]
    assert pairs == expected
    assert set(spans_of_pairs) == set(expected)
    with zipfile.ZipFile(tmp_path / "p.zip") as archive:
        files = archive.namelist()
    assert len({name.lower() for name in files}) == len(files) == len(expected) + 2


def test_a_reference_is_the_source(tmp_path):
    documents = [document("old.txt")._replace(role=Role.REFERENCE), document("new.txt")]
    write_pan(tmp_path / "p.zip", make_report(documents=documents, pairs=make_pairs([(0, 1)])))
    spans_of_pairs, pairs, _ = read(tmp_path / "p.zip")
    assert pairs == [("new.txt", "old.txt")]
    assert spans_of_pairs == {("new.txt", "old.txt"): [(4, 38, 0, 23)]}


def test_a_pair_without_a_passage_and_a_scan_without_a_pair(tmp_path):
    texts = {"shown": "Only =1.", "notes": ["Capped."]}
    alone = make_report(["a", "b"], passages_of=lambda a, b: shared(), **texts)
    write_pan(tmp_path / "p.zip", alone)
    *contents, readme = read(tmp_path / "p.zip")
    assert contents == [{}, [("a", "b")]]
    assert {"Only =1.", "Capped."} <= set(readme.splitlines())
    write_pan(tmp_path / "none.zip", make_report(pairs=Pairs.empty()))
    spans_of_pairs, pairs, readme = read(tmp_path / "none.zip")
    assert (spans_of_pairs, pairs) == ({}, [])
    assert "no pair from" in readme


def test_offsets_are_code_points(tmp_path):
    passage = Passage(2, 5, 0, 3, 3, ())
    report = make_report(["a", "b"], passages_of=lambda a, b: shared(passage))
    write_pan(tmp_path / "p.zip", report)
    assert read(tmp_path / "p.zip")[0] == {("a", "b"): [(2, 3, 0, 3)]}


G = "{http://graphml.graphdrawing.org/xmlns}"
TYPES = {
    "boolean": lambda text: {"true": True, "false": False}[text],
    "int": int,
    "long": int,
    "double": float,
    "string": str,
}
NOTE = "<node id='x'/> & ]]>\r\nsecond\x07 \ud800 \ufffe =1+1"


def check(path):
    """Hold a file to the schema's rules: order, declared keys of the right part, types, ids."""
    root = ET.parse(path).getroot()
    assert root.tag == f"{G}graphml"
    tags = [element.tag for element in root]
    assert tags == [f"{G}key"] * (len(tags) - 1) + [f"{G}graph"]
    keys = {key.get("id"): key.attrib for key in root.iter(f"{G}key")}
    assert len(keys) == len(tags) - 1
    assert all(set(key) == {"id", "for", "attr.name", "attr.type"} for key in keys.values())
    graph = root[-1]
    assert graph.get("edgedefault") == "undirected"
    ids = [node.get("id") for node in graph.iter(f"{G}node")]
    assert len(set(ids)) == len(ids)
    for part in (graph, *graph.iter(f"{G}node"), *graph.iter(f"{G}edge")):
        data_keys = [data.get("key") for data in part.findall(f"{G}data")]
        assert len(set(data_keys)) == len(data_keys)
        for data in part.findall(f"{G}data"):
            key = keys[data.get("key")]
            assert f"{G}{key['for']}" == part.tag
            TYPES[key["attr.type"]](data.text)
    for edge in graph.iter(f"{G}edge"):
        assert set(edge.attrib) == {"source", "target"}
        assert {edge.get("source"), edge.get("target")} <= set(ids)
    return graph


def graph_of(path, report):
    """The graph of a report, once its file is checked."""
    write_graphml(path, report)
    check(path)
    return nx.read_graphml(path)


def test_every_document_is_a_node_and_every_pair_an_edge(tmp_path):
    report = make_report(groups=[Group(0, (), (Member(1, 0.5),))])
    graph = graph_of(tmp_path / "pairs.graphml", report)
    assert [values["label"] for _, values in graph.nodes(data=True)] == NASTY
    edges = {frozenset((f"n{i}", f"n{i + 1}")) for i in range(len(NASTY) - 1)}
    assert set(map(frozenset, graph.edges)) == edges
    first = graph.edges["n0", "n1"]
    assert first == first | {
        "weight": 1.0,
        "rank": 1,
        "resemblance": 1.0,
        "containment_source": pytest.approx(1 / 3),
        "containment_target": pytest.approx(2 / 3),
        "estimate": 0.3,
        "shared_shingles": 1630,
        "longest_run": 412,
        "exact_duplicate": True,
        "found_by": "lsh+passage",
        "verdict": "not reviewed",
    }
    assert graph.nodes["n0"]["centre"] is True
    assert (graph.nodes["n1"]["group"], graph.nodes["n1"]["centre"]) == (1, False)
    assert "group" not in graph.nodes["n2"]
    assert graph.graph["created"] == "2026-11-21T09:42:00+00:00"


def test_what_people_wrote_is_text(tmp_path):
    documents = [document(f"{n}.txt")._replace(text_hash=f"{n}") for n in range(3)]
    key = PairKey("0", "1")
    judgements = Judgements(
        verdicts={key: GivenVerdict(Verdict.CONFIRMED, "<Ann>", "2026-11-22T12:18:31+00:00")},
        notes={key: WrittenNote(NOTE, "<Ann>", "2026-11-22T12:18:31+00:00")},
    )
    pairs = make_pairs([(0, 1), (1, 2)], shared_words=np.array([-1, 7], np.int32))
    report = make_report(documents=documents, pairs=pairs, judgements=judgements, title="A & B <x>")
    graph = graph_of(tmp_path / "pairs.graphml", report)
    edge = graph.edges["n0", "n1"]
    assert edge["note"] == "<node id='x'/> & ]]>␍\nsecond␇ \\ud800 � =1+1"
    assert (edge["verdict"], edge["who"]) == ("confirmed", "<Ann>")
    assert "shared_words" not in edge
    assert graph.edges["n1", "n2"]["shared_words"] == 7
    assert graph.graph["title"] == "A & B <x>"


def test_nothing_found_is_a_graph_without_edges(tmp_path):
    graph = graph_of(tmp_path / "none.graphml", make_report(pairs=Pairs.empty()))
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (len(NASTY), 0)
    write_graphml(tmp_path / "empty.graphml", make_report([], pairs=Pairs.empty()))
    assert nx.read_graphml(tmp_path / "empty.graphml").number_of_nodes() == 0


def test_a_graph_covers_the_report(tmp_path):
    choice = ReportChoice(scope=Scope.PAIR, documents=(0, 2))
    report = make_report(["a", "b", "c"], pairs=make_pairs([(0, 2)]), choice=choice)
    graph = graph_of(tmp_path / "some.graphml", report)
    assert [node["label"] for _, node in graph.nodes(data=True)] == ["a", "c"]
