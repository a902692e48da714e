"""A folder of many files: time, memory and temporary files of a scan, and of asking again.

The documents are generated (about 2 KB each, a tenth of them edited copies), written in subfolders
and scanned in a process of its own with the default settings. Peaks are of all resident memory and
of the `anonymous` part of it that no file backs, both beyond what the process held before. The
files were just written: they come from the cache of the system, not from the disk.

    python tests/bench/large.py [--documents 100000] [--folder FOLDER]

1,000,000 documents need 4 GB of disk and some minutes to write; a folder given is kept, and read
again where it already holds that many.
"""

import tempfile
import time
from pathlib import Path

from corpus import generate, write_texts
from options import read_options
from usage import Memory, Usage, in_fresh_process, measured

from core.documents.model import text_key
from core.scan.flow import scan
from core.scan.groups import group_pairs
from core.settings import ScanSettings

DOCUMENTS = 100_000
AT_ONCE = 50_000  # documents generated in one process, copies among them only
SETTINGS = ScanSettings()
OTHER_SETTINGS = (
    ("bands and rows 42 x 3", {"bands": 42, "rows": 3}),
    ("bands and rows 20 x 5", {"bands": 20, "rows": 5}),
    ("resemblance from 0.5 on", {"min_resemblance": 0.5}),
    ("passages from 60 words on", {"min_passage": 60}),
    ("the same again", {}),
)

Line = tuple[str, Usage, str]


def write_part(folder: Path, first: int, documents: int) -> int:
    """Write some generated documents; their bytes."""
    texts = generate(documents, seed=1 + first).texts
    write_texts(folder, texts, first)
    return sum(map(len, texts))


def write_folder(folder: Path, documents: int) -> None:
    """Write the documents, unless the last of them is there."""
    last = documents - 1
    if (folder / f"{last // 1000:04}" / f"{last:07}.txt").exists():
        print(f"{folder} holds {documents:,} documents already")
        return
    began = time.perf_counter()
    size = 0
    for first in range(0, documents, AT_ONCE):
        size += in_fresh_process(write_part, folder, first, min(AT_ONCE, documents - first))
    seconds = time.perf_counter() - began
    print(f"{documents:,} documents, {size / 1e6:,.0f} MB, written in {seconds:.0f} s", flush=True)


def warm_up(settings: ScanSettings) -> None:
    """Load the compiled kernels."""
    with tempfile.TemporaryDirectory() as folder:
        texts = [" ".join(f"w{n * (n % 9 != 3 + i)}" for n in range(200)) for i in range(4)]
        for number, text in enumerate([*texts, texts[0], "“é”"]):
            Path(folder, f"{number}.txt").write_text(text, encoding="utf-8")
        result = scan([Path(folder)], settings)
        group_pairs(result.pairs(), [text_key(document) for document in result.documents])
        result.close()


def measure(folder: Path) -> tuple[list[Line], list[str]]:
    """Scan a folder and ask it again; what each step took, and what the list says about itself."""
    warm_up(SETTINGS)
    before = Memory.now()
    with measured(before) as read:
        result = scan([folder], SETTINGS)
    with measured(before) as listed:
        pair_list = result.list_pairs()
    pairs, notes = pair_list.pairs, list(pair_list.notes)
    with measured(before) as grouped:
        groups = group_pairs(pairs, [text_key(document) for document in result.documents])
    lines: list[Line] = [
        ("read and sign", read[0], f"{len(result.documents):,} documents"),
        ("list the pairs", listed[0], f"{len(pairs):,} pairs"),
        ("group them", grouped[0], f"{len(groups):,} groups"),
        ("together", read[0].then(listed[0]).then(grouped[0]), ""),
    ]
    for name, changes in OTHER_SETTINGS:
        with measured(before) as usage:
            count = len(result.pairs(SETTINGS.with_changes(**changes)))
        lines.append((name, usage[0], f"{count:,} pairs"))
    result.close()
    return lines, notes


def run(folder: Path, documents: int) -> None:
    """Write, scan, print."""
    write_folder(folder, documents)
    lines, notes = in_fresh_process(measure, folder)
    print(f"{'':<28}{'wall s':>9}{'cpu s':>9}{'peak MB':>10}{'anonymous':>11}{'temporary':>11}")
    for name, usage, note in lines:
        print(
            f"{name:<28}{usage.wall:>9.2f}{usage.cpu:>9.2f}{usage.peak:>10,.0f}"
            f"{usage.anonymous:>11,.0f}{usage.disk:>11,.0f}   {note}"
        )
    for note in notes:
        print(note)


def main() -> None:
    """Read the command line."""
    arguments = read_options(__doc__, documents=DOCUMENTS, folder=Path)
    print("\nLARGE: a folder to pairs to groups, default settings")
    if arguments.folder:
        run(arguments.folder, arguments.documents)
        return
    with tempfile.TemporaryDirectory() as scratch:
        run(Path(scratch, "documents"), arguments.documents)


if __name__ == "__main__":
    main()
