"""Run the lines that Neardup gives for other packages, in those packages.

    python tests/bench/other_packages.py --python PYTHON [--python PYTHON ...]

PYTHON is an interpreter in whose environment datasketch, datatrove or text-dedup is installed; what
is in none of them is skipped, and that is said. Documents of known resemblance are made here. Held
against each other are how many of the pairs each package meets under the lines of `neardup settings
--lines`, and how many the S-curve promises for their exact resemblances; "sigma" is how far apart
these are, in standard deviations of the promise. Of datasketch also the resemblances that the lines
print are held against Neardup's own.
"""

import argparse
import json
import math
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core import ScanSettings, find_pairs
from core.candidates.scurve import curve_of
from core.reports.settings_file import WHERE, SettingsRequest

WORDS, PAIRS = 400, 300
CASES = [
    {"bands": 20, "rows": 5},
    {"bands": 64, "rows": 2},
    {"bands": 9, "rows": 13, "k": 3},
    {"bands": 50, "rows": 5, "signature_size": 256, "k": 2, "seed": 2**40 + 7},
]
FAR = 4  # standard deviations that chance hardly reaches

# Each prints which pairs of documents meet, as JSON.
DATATROVE = """
import json, sys
from pathlib import Path
from datatrove.pipeline.dedup.minhash import MinhashDedupSignature
exec(Path("lines.txt").read_text("utf-8"))
step = MinhashDedupSignature("signatures", config, "eng")
texts = [json.loads(line)["text"] for line in open("texts.jsonl", encoding="utf-8")]
signed = [step.get_signature(step.get_shingles(text)) for text in texts]
pairs = zip(signed[::2], signed[1::2])
json.dump([any(a == b for a, b in zip(*pair)) for pair in pairs], sys.stdout)
"""
TEXT_DEDUP = """
import json, sys
from pathlib import Path
from text_dedup.config.base import load_config_from_toml
sign = load_config_from_toml(Path("lines.txt")).algorithm.get_embed_func()
texts = [json.loads(line)["text"] for line in open("texts.jsonl", encoding="utf-8")]
signed = [sign([text], [0])["__band_val__"] for text in texts]
pairs = zip(signed[::2], signed[1::2])
json.dump([any(a == b for a, b in zip(*pair)) for pair in pairs], sys.stdout)
"""
# By package: a module that it has, and what prints there which pairs meet.
MEETING = {
    "datatrove": ("datatrove.pipeline.dedup.minhash", DATATROVE),
    "text-dedup": ("text_dedup.config.base", TEXT_DEDUP),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", required=True, type=Path)
    options = parser.parse_args()
    print("package      b × r      expected   met  sigma")
    for changes in CASES:
        settings = ScanSettings(min_resemblance=0.05, list_passages=False, **changes)
        texts = made_texts(settings.k)
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            write(work, texts)
            met = met_by_datasketch(options.python, work, settings)
            print_table("datasketch", settings, texts, met)
            for package in MEETING:
                met = met_by(package, options.python, work, settings)
                print_table(package, settings, texts, met)
    with tempfile.TemporaryDirectory() as folder:
        run_arguments(options.python, Path(folder))


def made_texts(k: int) -> list[str]:
    """Two texts each that share a part of their words, the pairs with nothing in common."""
    chance = random.Random(7)
    texts = []
    for pair in range(PAIRS):
        first = [f"p{pair}w{number}" for number in range(WORDS)]
        changed = list(first)
        for position in chance.sample(range(WORDS), k=round(WORDS * chance.random() ** 2 / k)):
            changed[position] = f"x{position}"
        texts += [" ".join(first), " ".join(changed)]
    return texts


def write(work: Path, texts: Sequence[str]) -> None:
    (work / "texts").mkdir()
    with (work / "texts.jsonl").open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            (work / "texts" / f"{number:04}.txt").write_text(text, "utf-8")
            file.write(json.dumps({"text": text}) + "\n")


def print_table(
    package: str, settings: ScanSettings, texts: Sequence[str], met: Sequence[bool] | None
) -> None:
    name = f"{package:11}  {settings.bands:3} × {settings.rows:<3}"
    if met is None:
        print(f"{name}  skipped: it is in none of these environments")
        return
    promised = curve_of(settings.bands, settings.rows, None).probability(exact(texts, settings))
    expected = float(promised.sum())
    sigma = (sum(met) - expected) / max(1e-9, math.sqrt(float((promised * (1 - promised)).sum())))
    print(f"{name}  {expected:8.1f}  {sum(met):4}  {sigma:5.1f}")
    assert abs(sigma) < FAR, f"{package} does not meet what the curve promises"


def exact(texts: Sequence[str], settings: ScanSettings) -> np.ndarray:
    """The resemblance of each pair."""
    pairs = find_pairs(texts, settings.with_changes(compare="all", min_resemblance=0))
    resemblance = np.zeros(PAIRS)
    ours = (pairs.a % 2 == 0) & (pairs.b == pairs.a + 1)
    resemblance[pairs.a[ours] // 2] = pairs.resemblance[ours]
    return resemblance


def met_by_datasketch(
    pythons: Sequence[Path], work: Path, settings: ScanSettings
) -> list[bool] | None:
    settings_met = settings.with_changes(min_resemblance=0)
    printed = run(
        pythons, "datasketch", WHERE["datasketch"](SettingsRequest(settings_met)).code, work
    )
    if printed is None:
        return None
    met = [False] * PAIRS
    texts = [file.read_text("utf-8") for file in sorted((work / "texts").iterdir())]
    truth = exact(texts, settings)
    for line in printed.splitlines():
        resemblance, first, second = line.split()
        a, b = int(Path(first).stem), int(Path(second).stem)
        if a % 2 == 0 and b == a + 1:
            met[a // 2] = True
            assert abs(float(resemblance) - truth[a // 2]) < 0.001, line
        else:
            assert float(resemblance) == 0, line  # they met by chance
    return met


def met_by(
    package: str, pythons: Sequence[Path], work: Path, settings: ScanSettings
) -> list[bool] | None:
    module, code = MEETING[package]
    (work / "lines.txt").write_text(WHERE[package](SettingsRequest(settings)).code, "utf-8")
    printed = run(pythons, module, code, work)
    return None if printed is None else json.loads(printed)


def run_arguments(pythons: Sequence[Path], work: Path) -> None:
    """Run the arguments of text-dedup up to 0.4.0: of two texts each that are alike one stays."""
    python = having(pythons, "datasets", "text_dedup.utils.args")
    if python is None:
        print("text-dedup up to 0.4.0: skipped: it is in none of these environments")
        return
    texts = [f"{text} end" for text in made_texts(5)[::2][:40] for _ in range(2)]
    write(work, texts)
    settings = ScanSettings(bands=20, rows=5)
    lines = WHERE["text-dedup"](SettingsRequest(settings)).code.splitlines()
    comment = " ".join(line.lstrip("# ").rstrip("\\") for line in lines[1:4])
    arguments = comment.partition("python ")[2].split()
    subprocess.run([python, *arguments], cwd=work, check=True, capture_output=True)
    count = "import datasets; print(len(datasets.load_from_disk('deduplicated')))"
    done = subprocess.run(
        [python, "-c", count], cwd=work, check=True, capture_output=True, text=True
    )
    print(f"text-dedup up to 0.4.0: of 40 texts twice each, {done.stdout.strip()} stay")
    assert int(done.stdout) == 40


def having(pythons: Sequence[Path], *modules: str) -> Path | None:
    """The first environment that has all these modules."""
    for python in pythons:
        code = f"import {', '.join(modules)}"
        if not subprocess.run([python, "-c", code], check=False, capture_output=True).returncode:
            return python
    return None


def run(pythons: Sequence[Path], module: str, code: str, work: Path) -> str | None:
    """What the code prints in an environment that has a module; None where none has."""
    python = having(pythons, module)
    if python is None:
        return None
    (work / "code.py").write_text(code, "utf-8")
    done = subprocess.run(
        [python, "code.py"], cwd=work, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


if __name__ == "__main__":
    main()
