"""The layers of the program: who may import whom, and that the contracts hold that."""

import re
import sys
import tomllib
from copy import deepcopy
from importlib.metadata import packages_distributions
from itertools import chain, combinations, pairwise, product

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

from tests.programs import ROOT, python

KINDS = {
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
}
CONFIGURATION = read_configuration(str(ROOT / "pyproject.toml"))
CONTRACTS = CONFIGURATION["contracts_options"]


@pytest.fixture(scope="module")
def graph():
    session = CONFIGURATION["session_options"]
    return grimp.build_graph(
        *session["root_packages"], include_external_packages=True, cache_dir=None
    )


def holds(options, graph):
    contract = KINDS[options["type"]](options["name"], CONFIGURATION["session_options"], options)
    return contract.check(deepcopy(graph), verbose=False).kept


def breaches(options):
    """Imports, each of which the contract forbids."""
    if options["type"] == "forbidden":
        yield from product(options["source_modules"], options["forbidden_modules"])
        return
    if options["type"] == "independence":
        for package in options["modules"]:
            above = package.removesuffix("*")
            yield f"{above}pair_session", f"{above}scan_session"
            yield f"{above}decision_session", f"{above}pair_session"
        return
    for container in options["containers"]:
        layers = [
            [f"{container}.{name}" for name in re.split(r"[ |:()]+", layer) if name]
            for layer in options["layers"]
        ]
        for upper, lower in pairwise(layers):
            yield lower[0], upper[-1]
        apart = (
            layer for layer, text in zip(layers, options["layers"], strict=True) if "|" in text
        )
        allowed = {
            tuple(line.split(" -> "))
            for line in options.get("ignore_imports", ())
            if "*" not in line
        }
        yield from set(chain.from_iterable(combinations(layer, 2) for layer in apart)) - allowed


@pytest.mark.parametrize("options", CONTRACTS, ids=lambda options: options["name"])
def test_a_contract_holds_and_fails_where_it_is_broken(options, graph):
    assert holds(options, graph)

    forbidden = list(breaches(options))
    assert forbidden
    for importer, imported in forbidden:
        broken = deepcopy(graph)
        for module in (importer, imported):
            if module not in broken.modules:
                broken.add_module(module)
        broken.add_import(importer=importer, imported=imported)
        assert not holds(options, broken), f"{importer} may import {imported}"


@pytest.mark.parametrize(
    "options",
    [options for options in CONTRACTS if options.get("exhaustive")],
    ids=lambda options: options["name"],
)
def test_a_new_module_must_be_given_its_layer(options, graph):
    grown = deepcopy(graph)
    grown.add_module(f"{options['containers'][0]}.without_a_layer")

    assert not holds(options, grown)


def test_what_is_imported_is_declared(graph):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["spark"]]
    declared = {re.split("[<>=]", line)[0].lower() for line in lines}
    owners = packages_distributions()
    imported = set(filter(graph.is_module_squashed, graph.modules)) - sys.stdlib_module_names
    undeclared = {
        name
        for name in imported
        if declared.isdisjoint(owner.lower().replace("_", "-") for owner in owners.get(name, ()))
    }

    # Of numba, of PySide6 and of PySpark, which each want one version of it; and a module of type
    # checkers.
    assert undeclared == {"llvmlite", "shiboken6", "py4j"}


BLOCK_QT = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ImportError(f"{{name}} is blocked")

sys.meta_path.insert(0, Blocked())
"""
QT = {"PySide6", "shiboken6", "pyqtgraph"}


def python_without(packages, code):
    """Run code in a fresh interpreter in which these packages cannot be imported."""
    return python("-c", BLOCK_QT.format(blocked=packages) + code)


def test_every_engine_module_imports_without_qt():
    modules = sorted(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in ROOT.glob("core/**/*.py")
        if path.name != "__main__.py"
    )
    assert "core.candidates.scurve" in modules

    code = "import importlib\nfor name in sys.argv[1:]: importlib.import_module(name)"
    done = python_without(QT | {"neardup_gui"}, code.replace("sys.argv[1:]", repr(modules)))

    assert done.returncode == 0, done.stderr


def test_the_block_blocks():
    assert "PySide6 is blocked" in python_without(QT, "import PySide6.QtCore").stderr


def test_the_command_line_needs_no_qt():
    code = """
import runpy
sys.argv[1:] = ["scan", "--help"]
runpy.run_module("neardup_gui", None, "__main__")
"""
    done = python_without(QT, code)

    assert done.returncode == 0, done.stderr
    assert "--report" in done.stdout
