"""Says what a bundle is made of: a bill of materials (CycloneDX) and the licences of all its parts.

`bundle.py` calls it. Python's packages are told from what pip wrote beside them, libraries of the
system from the packages of Debian that they were copied from, where there are any.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import NamedTuple

PROGRAM = "neardup"
SYSTEM_LICENCES = Path("/usr/share/common-licenses")
OF_QT = ("LGPL-3", "GPL-3")  # its wheels have no text, and the first refers to the second
TEXT = re.compile(r"licen[sc]e|copying|notice|authors", re.IGNORECASE)


class Part(NamedTuple):
    """Something that a bundle holds.

    Attributes:
        name: What it is called where it comes from.
        version: Of it.
        licence: An expression of SPDX or a name.
        purl: Its package URL.
        texts: The files with its licence.
    """

    name: str
    version: str
    licence: str
    purl: str
    texts: Sequence[Path]


def write_papers(folder: Path, packages: Path, libraries: Sequence[Path]) -> Path:
    """Write `LICENCES`, with all texts, and the bill of materials; returns the path of the bill.

    Args:
        folder: The bundle.
        packages: Where its Python packages are.
        libraries: Where the libraries of the system that it holds were copied from.
    """
    parts = [*_of_python(packages), *_of_system(libraries)]
    texts = folder / "LICENCES"
    texts.mkdir()
    index = []
    for part in parts:
        index.append(f"{part.name} {part.version}: {part.licence}\n")
        for number, text in enumerate(part.texts):
            name = f"{part.name}-{number}-{text.name}" if len(part.texts) > 1 else part.name
            shutil.copyfile(text, texts / f"{name}.txt")
    (texts / "INDEX.txt").write_text("".join(index), encoding="utf-8")
    bill = folder / f"{PROGRAM}.cdx.json"
    bill.write_text(json.dumps(_bill(parts), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return bill


def _of_python(packages: Path) -> Iterator[Part]:
    found = distributions(path=[str(packages)])
    for one in sorted(found, key=lambda one: one.name.lower()):
        name = re.sub(r"[-_.]+", "-", one.name).lower()
        texts = [
            Path(str(file.locate()))
            for file in one.files or ()
            if ".dist-info" in str(file) and TEXT.search(str(file).partition(".dist-info")[2])
        ]
        if not texts and "LGPL" in _licence(one):
            texts = [SYSTEM_LICENCES / text for text in OF_QT]
        yield Part(name, one.version, _licence(one), f"pkg:pypi/{name}@{one.version}", texts)
    version = platform.python_version()
    yield Part(
        "python", version, "PSF-2.0", f"pkg:generic/python@{version}",
        [packages.parent / "LICENSE.txt"],
    )  # fmt: skip


def _licence(one: Distribution) -> str:
    """As its authors say it; some do so only among what it is classified by."""
    told = one.metadata.get("License-Expression") or one.metadata.get("License", "")
    classified = one.metadata.get_all("Classifier") or []
    named = [line.rpartition(" :: ")[2] for line in classified if line.startswith("License ::")]
    return told.partition("\n")[0] or " AND ".join(named)


def _of_system(libraries: Sequence[Path]) -> Iterator[Part]:
    """By Debian's packages; each has its licences in a file of its own."""
    files = {path.resolve().name for path in libraries}  # the folder may be a link to another
    owners = {_output("dpkg", "-S", f"*/{file}").partition(":")[0] for file in files}
    for name in sorted(owners - {""}):
        version = _output("dpkg-query", "-W", "-f", "${Version}", name)
        text = Path("/usr/share/doc") / name / "copyright"
        yield Part(
            name, version, f"see {name}.txt", f"pkg:deb/debian/{name}@{version}",
            [text] if text.exists() else [],
        )  # fmt: skip


def _bill(parts: Sequence[Part]) -> dict[str, object]:
    """As CycloneDX 1.6 has it; the number is computed from its content."""
    program = next(part for part in parts if part.name == PROGRAM)
    components = [_component(part) for part in parts if part is not program]
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([program.purl, components]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": {**_component(program), "type": "application"}},
        "components": components,
    }


def _component(part: Part) -> dict[str, object]:
    return {
        "type": "library",
        "bom-ref": part.purl,
        "name": part.name,
        "version": part.version,
        "purl": part.purl,
        "licenses": [{"license": {"name": part.licence}}],
    }


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
    except OSError:  # a system without this program
        return ""
