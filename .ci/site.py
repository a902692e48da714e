"""Makes the pages of help a site for a browser: dist/site, with mkdocs, checked for dead links.

usage: python .ci/site.py
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from core.program.help_pages import CONTENTS, help_pages

ROOT = Path(__file__).resolve().parents[1]
SOURCE, SITE = ROOT / "build" / "site", ROOT / "dist" / "site"


def main() -> int:
    """Copy the pages and their pictures, name them in the order of the contents, and build."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    pages = SOURCE / "pages"
    shutil.copytree(ROOT / "resources" / "help", pages / "help")
    shutil.copytree(ROOT / "resources" / "screenshots", pages / "screenshots")
    (pages / "index.md").write_text(_front_page(), encoding="utf-8")
    sections: dict[str, list[dict[str, str]]] = {}
    for page in help_pages():
        sections.setdefault(page.section, []).append({page.title: f"help/{page.name}.md"})
    (pages / "help" / CONTENTS).unlink()
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
    return subprocess.run(arguments, check=False).returncode


def _front_page() -> str:
    contents = (ROOT / "resources" / "help" / CONTENTS).read_text(encoding="utf-8")
    return contents.replace("](", "](help/")


if __name__ == "__main__":
    sys.exit(main())
