"""The engine of this package, on texts in memory."""

from __future__ import annotations

from core.base.setting import values_of
from core.documents.roles import Role
from core.reports.elsewhere.asked import Asked, ReadyLines
from core.settings import ScanSettings

WIDTH = 88
LINES = """\
from pathlib import Path

from core import ScanSettings, find_pairs

files = sorted(Path("texts").rglob("*.txt"))
texts = [file.read_text("utf-8") for file in files]
settings = {settings}
pairs = find_pairs(texts, settings)
for a, b, resemblance in zip(pairs.a, pairs.b, pairs.resemblance):
    print(f"{{resemblance:.3f}}  {{files[a]}}  {{files[b]}}")"""


def python_lines(asked: Asked) -> ReadyLines:
    """The pairs among texts, with the same settings."""
    settings = _call("ScanSettings", _differing(asked.settings))
    differs = "Texts are read from .txt files; neardup scan reads every format."
    if any(role is not Role.REVIEW for _, role in asked.folders) or asked.rules:
        differs += " References and text set aside are not in it: find_pairs takes them, too."
    return ReadyLines("Python (core.find_pairs)", LINES.format(settings=settings), differs)


def _call(name: str, values: dict[str, object]) -> str:
    """A call with arguments by name, on one line or one line each."""
    parts = [f"{field}={value!r}" for field, value in values.items()]
    line = f"{name}({', '.join(parts)})"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def _differing(settings: ScanSettings) -> dict[str, object]:
    usual = values_of(ScanSettings(unit=settings.unit)) | {"unit": ScanSettings().unit}
    return {name: value for name, value in values_of(settings).items() if value != usual[name]}
