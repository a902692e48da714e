"""The engine runs where Qt does not exist, and so does the command line."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

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
    return subprocess.run(
        [sys.executable, "-c", BLOCK_QT.format(blocked=packages) + code],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


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
