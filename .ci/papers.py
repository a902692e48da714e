"""Says what a bundle is made of: a bill of materials (CycloneDX) and the licences of all its parts.

`bundle.py` calls it. Python's packages are told from what pip wrote beside them, libraries of the
system from the packages of Debian that they were copied from, where there are any.
"""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.program.licences import FOLDER, INDEX, PROGRAM, Part, python_parts

# Of Qt, whose wheels have no text; the first refers to the second.
OF_QT = [Path(__file__).parent / "packaging" / f"{name}.txt" for name in ("LGPL-3", "GPL-3")]


def write_papers(folder: Path, packages: Path, libraries: Sequence[Path]) -> Path:
    """Write `LICENCES`, with all texts, and the bill of materials; returns the path of the bill.

    Args:
        folder: The bundle.
        packages: Where its Python packages are.
        libraries: Where the libraries of the system that it holds were copied from.
    """
    parts = {f"pkg:pypi/{part.name}@{part.version}": part for part in _of_python(packages)}
    version = platform.python_version()
    text = next(packages.parent.glob("LICENSE.txt"), packages.parents[1] / "LICENSE.txt")
    parts[f"pkg:generic/python@{version}"] = Part("python", version, "PSF-2.0", [text])
    for part in _of_system(libraries):
        parts[f"pkg:deb/debian/{part.name}@{part.version}"] = part
    texts = folder / FOLDER
    texts.mkdir()
    index = []
    for part in parts.values():
        index.append(f"{part.name} {part.version}: {part.licence}\n")
        for number, text in enumerate(part.texts):
            name = f"{part.name}-{number}-{text.name}" if len(part.texts) > 1 else part.name
            shutil.copyfile(text, texts / f"{name}.txt")
    (texts / INDEX).write_text("".join(index), encoding="utf-8")
    bill = folder / f"{PROGRAM}.cdx.json"
    bill.write_text(json.dumps(_bill(parts), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return bill


def _of_python(packages: Path) -> Iterator[Part]:
    for part in python_parts(packages):
        without = not part.texts and "LGPL" in part.licence
        yield part._replace(texts=OF_QT) if without else part


def _of_system(libraries: Sequence[Path]) -> Iterator[Part]:
    """By Debian's packages; each has its licences in a file of its own."""
    files = {path.resolve().name for path in libraries}  # the folder may be a link to another
    owners = {_output("dpkg", "-S", f"*/{file}").partition(":")[0] for file in files}
    for name in sorted(owners - {""}):
        version = _output("dpkg-query", "-W", "-f", "${Version}", name)
        text = Path("/usr/share/doc") / name / "copyright"
        yield Part(name, version, f"see {name}.txt", [text] if text.exists() else [])


def _bill(parts: dict[str, Part]) -> dict[str, object]:
    """As CycloneDX 1.6 has it; the number is computed from its content."""
    components = {part.name: _component(purl, part) for purl, part in parts.items()}
    program = components.pop(PROGRAM)
    content = [program["purl"], list(components.values())]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content))}",
        "version": 1,
        "metadata": {"component": {**program, "type": "application"}},
        "components": list(components.values()),
    }


def _component(purl: str, part: Part) -> dict[str, object]:
    return {
        "type": "library",
        "bom-ref": purl,
        "name": part.name,
        "version": part.version,
        "purl": purl,
        "licenses": [{"license": {"name": part.licence}}],
    }


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
    except OSError:  # a system without this program
        return ""
