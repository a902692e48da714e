"""What the program is made of, and under which licences: each part a page to read.

A bundle has them as files, in the folder LICENCES, which `.ci/papers.py` makes of `python_parts`
and of the system's libraries in it. Of any other installation they are told by its packages.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path
from typing import NamedTuple

from core.base.messages import gettext
from core.base.patterns import lazy_pattern
from core.program.help_pages import HelpPage

PROGRAM = "neardup"
FOLDER, INDEX = "LICENCES", "INDEX.txt"
_TEXT = lazy_pattern(r"licen[sc]e|copying|notice|authors", re.IGNORECASE)
_FENCE = "~" * 40


class Part(NamedTuple):
    """Something that the program is made of.

    Attributes:
        name: What it is called where it comes from.
        version: Of it.
        licence: An expression of SPDX or a name.
        texts: The files with its licence.
    """

    name: str
    version: str
    licence: str
    texts: Sequence[Path]


def licence_pages() -> tuple[HelpPage, ...]:
    """A page for each part; its text is as the authors have written it."""
    folder = Path(sys.prefix).parent / FOLDER
    parts = _of_bundle(folder) if (folder / INDEX).exists() else _of_packages()
    return tuple(map(_page, parts))


def python_parts(packages: Path) -> list[Part]:
    """What is in a folder of packages, by name."""
    return sorted(map(_part, distributions(path=[str(packages)])))


def _of_bundle(folder: Path) -> Iterator[Part]:
    for line in (folder / INDEX).read_text(encoding="utf-8").splitlines():
        title, _, licence = line.partition(": ")
        name, _, version = title.rpartition(" ")
        texts = [*folder.glob(f"{name}.txt"), *folder.glob(f"{name}-[0-9]*-*.txt")]
        yield Part(name, version, licence, sorted(texts, key=_number))


def _number(path: Path) -> int:
    match = re.search(r"-(\d+)-", path.name)
    return int(match[1]) if match else 0


def _of_packages() -> list[Part]:
    """The program, and what it needs, as far as that is installed; not what an extra needs."""
    parts: dict[str, Part] = {}
    wanted = [PROGRAM]
    while wanted:
        name = _normal(wanted.pop())
        if name in parts:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:  # of another system
            continue
        parts[name] = _part(package)
        needed = (
            requirement for requirement in package.requires or () if "extra ==" not in requirement
        )
        wanted.extend(re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in needed)
    return sorted(parts.values())


def _part(package: Distribution) -> Part:
    texts = (
        Path(str(file.locate()))
        for file in package.files or ()
        if ".dist-info" in str(file) and _TEXT.search(str(file).partition(".dist-info")[2])
    )
    there = [path for path in texts if path.is_file()]  # what is listed may have been taken away
    return Part(_normal(package.name), package.version, _licence(package), there)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _licence(package: Distribution) -> str:
    """As its authors say it; some do so only among what it is classified by."""
    lines = package.metadata.get_all
    classified = lines("Classifier") or []
    named = [line.rpartition(" :: ")[2] for line in classified if line.startswith("License ::")]
    (expression, *_) = lines("License-Expression") or lines("License") or [""]
    return expression.partition("\n")[0] or " AND ".join(named)


def _page(part: Part) -> HelpPage:
    title = f"{part.name} {part.version}"
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in part.texts]
    blocks = "\n\n".join(f"{_FENCE}\n{text}\n{_FENCE}" for text in texts)
    return HelpPage(
        part.name, title, gettext("Licences"), f"# {title}\n\n{part.licence}\n\n{blocks}"
    )
