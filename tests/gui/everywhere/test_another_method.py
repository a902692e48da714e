"""One more method of signatures is a function and a line of two tables: no other file knows it."""

import ast
from itertools import pairwise

import numpy as np
import pytest

from core.base.setting import settings_of
from core.commands.main import main
from core.evidence.pairs import FoundBy
from core.reports.curve.state import ThresholdState
from core.scan.exercises import _of_methods
from core.scan.flow import scan
from core.scan.in_memory import find_pairs
from core.settings import METHODS, ScanSettings, SignatureKind, SignatureMethod
from core.signatures.methods import SIGNERS, elements
from neardup_gui.models.threshold import ThresholdModel, caption, curve_words
from neardup_gui.views.setup.panel import SetupPanel
from neardup_gui.views.threshold.panel import ThresholdPanel
from tests.programs import ROOT, python
from tests.texts import folder_with

WORDS = ("stone", "river", "bridge", "lamp", "market", "window", "ladder", "garden", "copper")
TEXT = " ".join(f"{word} {other}" for word in WORDS for other in WORDS)
SHIFTED = TEXT.translate(str.maketrans("aeiou", "eioua"))


def one_permutation(shingles, settings, _rarity=None):
    """One permutation hashing, empty bins filled from random others (Shrivastava, ICML 2017)."""
    size, rng = settings.signature_size, np.random.default_rng(settings.seed)
    factor = rng.integers(0, 2**64, dtype=np.uint64) | np.uint64(1)
    probes = rng.integers(0, size, (size, 64 * size))
    hashes = elements(shingles, settings) * factor
    signatures = np.zeros((len(shingles.offsets) - 1, size), dtype=np.uint32)
    for text, (first, last) in enumerate(pairwise(shingles.offsets)):
        if first < last:
            best = np.full(size, 2**32)
            bins = (hashes[first:last] >> np.uint64(32)) % np.uint64(size)
            np.minimum.at(best, bins, hashes[first:last].astype(np.uint32))
            filled = best < 2**32
            source = probes[np.arange(size), filled[probes].argmax(axis=1)]
            signatures[text] = best[np.where(filled, np.arange(size), source)]
    return signatures


def random_planes(shingles, settings, _rarity=None):
    """Hyperplanes with normal coordinates, the first form of Charikar (STOC 2002)."""
    signatures = np.zeros((len(shingles.offsets) - 1, 2), dtype=np.uint32)
    for text, (first, last) in enumerate(pairwise(shingles.offsets)):
        values = np.unique(elements(shingles, settings)[first:last])
        planes = [
            np.random.default_rng([settings.seed, int(value)]).normal(size=64) for value in values
        ]
        bits = np.sum(planes, axis=0) > 0 if planes else np.zeros(64, dtype=np.bool_)
        signatures[text] = np.packbits(bits, bitorder="little").view(np.uint32)
    return signatures


ADDED = {
    "oph": ("one permutation hashing", SignatureKind.BANDS, one_permutation),
    "planes": ("random planes", SignatureKind.BITS, random_planes),
}


@pytest.fixture(params=ADDED)
def added(request, monkeypatch):
    """The settings of a method that is in the table for one test."""
    name, kind, sign = ADDED[request.param]
    monkeypatch.setitem(SIGNERS, request.param, sign)
    method = SignatureMethod(name, kind)
    monkeypatch.setitem(METHODS, request.param, method)
    # What was made from the table when it was imported.
    choices = settings_of(ScanSettings)["signature"].choices
    monkeypatch.setitem(choices, request.param, method.name)
    return ScanSettings(
        signature=request.param,
        k=2,
        max_distance=8,
        min_passage=5000,
        compare="bands",
        reworked="off",
    )


@pytest.fixture
def folder(tmp_path):
    texts = {"a.txt": TEXT, "b.txt": f"{TEXT} and more", "c.txt": SHIFTED}
    return folder_with(tmp_path / "texts", texts)


def test_its_candidates_are_found(added):
    pairs = find_pairs([TEXT, f"{TEXT} and more", SHIFTED], added)

    assert (pairs.a.tolist(), pairs.b.tolist()) == ([0], [1])
    assert pairs.found_by.tolist() == [FoundBy.LSH.value]
    assert pairs.estimate[0] == pytest.approx(pairs.resemblance[0], abs=0.15)


def test_a_text_is_looked_up(added, folder):
    matches = scan([folder], added).index().matches(f"{TEXT} at last")

    assert matches.b.tolist() == [0, 1]
    assert set(matches.found_by.tolist()) == {FoundBy.LSH.value}


def test_the_command_line_scans_stores_and_reports_with_it(added, folder, tmp_path, capsys):
    review, report = tmp_path / "r.neardup", tmp_path / "r.html"
    first, again = tmp_path / "first.csv", tmp_path / "again.csv"
    options = [f"--signature={added.signature}", "--compare=bands", "--max-distance=8"]
    options += [f"--review={review}", f"--pairs={first}", f"--report={report}"]

    assert main(["scan", str(folder), *options]) == 0
    assert main(["report", str(review), str(again)]) == 0

    assert len(first.read_text(encoding="utf-8").splitlines()) == 2
    assert again.read_bytes() == first.read_bytes()
    assert added.method.name in report.read_text(encoding="utf-8")
    assert "Note" not in capsys.readouterr().err


@pytest.mark.parametrize(("signature", "kind"), [("oph", "BANDS"), ("planes", "BITS")])
def test_help_names_it(signature, kind):
    added = f"METHODS['{signature}'] = SignatureMethod('another', SignatureKind.{kind})"
    code = (
        "import importlib.util, sys\n"
        "spec = importlib.util.find_spec('core.settings')\n"
        "module = sys.modules['core.settings'] = importlib.util.module_from_spec(spec)\n"
        "source = spec.loader.get_source('core.settings')\n"
        "before = 'def names_using'\n"
        "assert source.count(before) == 1\n"
        f"exec(source.replace(before, {added + chr(10)!r} + before), vars(module))\n"
        "from core.commands.main import main; main(['scan', '--help'])"
    )
    done = python("-c", code, check=True)

    text = " ".join(done.stdout.split())
    assert f"{signature}}} Fast" in text
    assert " or another" in text
    assert ("or another: compare pairs" in text) == (kind == "BITS")


def test_its_kernels_are_compiled_with_the_others(added):
    assert added.signature in {made.signature for made in _of_methods(added.method.kind)}


def test_the_setup_panel_offers_it_with_its_settings(added, qtbot):
    panel = qtbot.shown(SetupPanel())
    panel._edit.click()
    form = panel._form
    with qtbot.waitSignal(panel.setup_changed) as changed:
        offered = form.controls["signature"]
        offered.setCurrentIndex(offered.findText(added.method.name))

    assert changed.args[0].signature == added.signature
    assert form.controls["signature_size"].isVisible() == (added.method.kind is SignatureKind.BANDS)
    assert form.controls["max_distance"].isVisible() == (added.method.kind is SignatureKind.BITS)
    assert form.controls["weights"].isHidden()
    assert added.method.name in panel._summary._labels["Signature"].text()


def test_the_threshold_panel_draws_its_curve(added, qtbot):
    panel = qtbot.shown(ThresholdPanel(ThresholdModel()))
    state = ThresholdState.of(added)
    panel.model.set_state(state)

    assert panel._bands.box.isVisible() == (added.method.kind is SignatureKind.BANDS)
    assert state.probability(1.0) == pytest.approx(1.0)
    assert 0 < state.steepest <= 1
    if added.method.kind is SignatureKind.BITS:
        assert caption(state).startswith("random planes, at most 8 of 64 bits differ")
        assert "with random planes" in curve_words(state)


def texts_in(path):
    """The constants of a source file that are texts, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docstrings:
            yield node.value


def test_a_method_is_named_in_the_table_only():
    tables = {ROOT / "core" / "settings.py", ROOT / "core" / "signatures" / "methods.py"}
    names = {method.name for method in METHODS.values()}

    sources = {*ROOT.glob("core/**/*.py"), *ROOT.glob("neardup_gui/**/*.py")} - tables
    assert len(sources) > 200
    for path in sources:
        texts = set(texts_in(path))
        assert not texts & METHODS.keys(), path
        assert not [text for text in texts for name in names if name in text], path
