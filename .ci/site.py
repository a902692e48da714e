"""Makes the pages of help a site for a browser: dist/site, with mkdocs, checked for dead links.

Pages in other languages stand beside the English ones, and lead to these where they have no other.

usage: python .ci/site.py
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from babel import Locale

from core.base.messages import Language
from core.program.help_pages import CONTENTS, help_pages

ROOT = Path(__file__).resolve().parents[1]
SOURCE, SITE = ROOT / "build" / "site", ROOT / "dist" / "site"
LINK = re.compile(r"(?<=\]\()[\w-]+\.md(?=[#)])")


def main() -> int:
    """Copy the pages and their pictures, name them in the order of the contents, and build."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    pages = SOURCE / "pages"
    shutil.copytree(ROOT / "resources" / "help", pages / "help")
    shutil.copytree(ROOT / "resources" / "screenshots", pages / "screenshots")
    (pages / "help" / CONTENTS).unlink()
    sections: dict[str, list[str]] = {}
    for page in help_pages():
        sections.setdefault(page.section, []).append(f"help/{page.name}.md")
    front = (ROOT / "resources" / "help" / CONTENTS).read_text(encoding="utf-8")
    front = front.replace("](", "](help/")
    languages = [folder.parent for folder in sorted(ROOT.glob("resources/languages/*/help"))]
    for folder in languages:
        name = (Locale.parse(folder.name).get_language_name() or folder.name).capitalize()
        sections[name] = _copy_translated(folder / "help", pages / folder.name)
        front += f"\n## {name}\n\n"
        front += "".join(f"- [{_title(pages / file)}]({file})\n" for file in sections[name])
    (pages / "index.md").write_text(front, encoding="utf-8")
    configuration = {
        "site_name": "Neardup",
        "docs_dir": str(pages),
        "site_dir": str(SITE),
        "theme": {"name": "readthedocs", "highlightjs": False},
        "use_directory_urls": False,  # so that it can be read from a folder
        "nav": [{"Contents": "index.md"}, *({title: part} for title, part in sections.items())],
        "validation": {"links": {"anchors": "warn", "not_found": "warn"}},
        "strict": True,
    }
    written = SOURCE / "mkdocs.yml"
    written.write_text(json.dumps(configuration), encoding="utf-8")  # which YAML contains
    arguments = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--clean", "-f", str(written)]
    status = subprocess.run(arguments, check=False).returncode
    for folder in languages:
        _say_language(SITE / folder.name)
    return status


def _copy_translated(folder: Path, target: Path) -> list[str]:
    """Copy pages in the order of the contents; a link to a page that is not there gets English."""
    target.mkdir()
    files = [f"{page.name}.md" for page in help_pages()]
    files = [file for file in files if (folder / file).exists()]
    for file in files:
        text = LINK.sub(
            lambda link: link[0] if link[0] in files else f"../help/{link[0]}",
            (folder / file).read_text(encoding="utf-8"),
        )
        (target / file).write_text(text, encoding="utf-8")
    return [f"{target.name}/{file}" for file in files]


def _title(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _say_language(folder: Path) -> None:
    """Name the language of built pages, which the theme takes for English."""
    language = Language(folder.name)
    direction = "rtl" if language.runs_from_right else "ltr"
    for page in folder.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        said = f'lang="{language.tag}" dir="{direction}"'
        page.write_text(text.replace('lang="en"', said, 1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
