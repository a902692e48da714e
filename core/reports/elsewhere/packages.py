"""datasketch, datatrove and text-dedup: what they call b, r, K and k, and what they do otherwise.

The shingles are spelled out where the package leaves them to its user. Which option means what was
read in datasketch 2.0.0, datatrove 0.10.1 and text-dedup 0.4.1.
"""

from __future__ import annotations

from core.reports.elsewhere.asked import Asked, ReadyLines
from core.settings import ScanSettings

SEEDS = 1 << 32  # of a generator of NumPy
BANDS_ONLY = "It compares signatures by bands, and these settings compare bits."
WORDS_ONLY = "It cuts shingles of words only, and these settings have shingles of characters."
HASHES = (
    "Its hash functions are others: the curve is the same, but not which pairs near the threshold "
    "are found. It looks for no passages."
)
CUT = "Words with marks of their own, or without spaces between them, are cut otherwise."
# What a package does that cannot do otherwise.
ALWAYS = {
    "ignore_case": (True, "upper and lower case are the same"),
    "keep_punctuation": (False, "punctuation is left out"),
    "keep_digits": (True, "digits count"),
    "bag": (False, "a repeated shingle counts once"),
    "drop_stop_words": (False, "stop words count"),
    "stem": (False, "words are compared as they are"),
}

DATASKETCH = """\
import re
import unicodedata
{counter}from pathlib import Path

from datasketch import MinHash, MinHashLSH


def shingles(text):
    text = unicodedata.normalize("NFKC", text){lower}
    units = {units}
    number = max(1, len(units) - {k} + 1) if units else 0
    cut = [{join}.join(units[i : i + {k}]) for i in range(number)]
    return {returned}


texts = {{path: path.read_text("utf-8") for path in sorted(Path("texts").rglob("*.txt"))}}
sets = {{path: cut for path, text in texts.items() if (cut := shingles(text))}}
lsh = MinHashLSH(num_perm={size}, params=({bands}, {rows}))  # b, r
candidates = []
for path, cut in sets.items():
    signature = MinHash(num_perm={size}, seed={seed})
    signature.update_batch(str(shingle).encode() for shingle in cut)
    candidates += [(other, path) for other in lsh.query(signature)]
    lsh.insert(path, signature)
for a, b in sorted(candidates):
    resemblance = len(sets[a] & sets[b]) / len(sets[a] | sets[b])
    if resemblance >= {floor}:
        print(f"{{resemblance:.3f}}  {{a}}  {{b}}")"""
NUMBERED = "{(one, n) for one, times in Counter(cut).items() for n in range(times)}"

DATATROVE = """\
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.utils.hashing import HashConfig
from datatrove.utils.text import TextNormConfig

# The same for MinhashDedupSignature and MinhashDedupBuckets.
config = MinhashConfig(
    n_grams={k},
    num_buckets={bands},
    hashes_per_bucket={rows},
    seed={seed},
    norm_config=TextNormConfig(
        lowercase={lowercase},
        remove_punctuation={punctuation},
        norm_unicode_diacritics=False,
        norm_numbers=False,
    ),
    hash_config=HashConfig(hash_fc="sha1"),  # its xxhash fails with version 4 of that package
)"""

TEXT_DEDUP = """\
# config.toml of text-dedup 0.4.1, run by: python -m text_dedup.minhash
# Up to 0.4.0 instead: python -m text_dedup.minhash --path json --data_files texts.jsonl \\
#   --split train --column text --output deduplicated --ngram {k} --min_length 1 \\
#   --num_perm {size} --b {bands} --r {rows}
[input]
input_type = "local_files"
file_type = "json"

[input.read_arguments]
path = "json"
data_files = "texts.jsonl"
split = "train"

[algorithm]
algorithm_name = "minhash"
text_column = "text"
ngram_size = {k}
min_length = 1
num_perm = {size}
bands = {bands}
rows = {rows}
threshold = {floor}
check_false_positive = true
seed = {seed}

[output]
output_dir = "deduplicated"

[debug]
enable_profiling = false"""


def datasketch_lines(asked: Asked) -> ReadyLines:
    """`MinHashLSH(params=(b, r))`, with the shingles spelled out and the pairs compared exactly."""
    settings, title = asked.settings, "datasketch"
    if settings.choice is None:
        return ReadyLines(title, "", BANDS_ONLY)
    if settings.bands == 1:
        return ReadyLines(title, "", "It takes no single band: choose two or more.")
    code = DATASKETCH.format(
        counter="from collections import Counter\n" if settings.bag else "",
        lower=".lower()" if settings.ignore_case else "",
        units=_units(settings),
        join='" "' if settings.unit == "word" else '""',
        returned=NUMBERED if settings.bag else "set(cut)",
        **_numbers(settings),
    )
    otherwise = _otherwise(settings, "drop_stop_words", "stem")
    return ReadyLines(title, code, f"{HASHES} {CUT}{otherwise}")


def datatrove_lines(asked: Asked) -> ReadyLines:
    """Its `MinhashConfig`."""
    settings, title = asked.settings, "datatrove"
    if settings.choice is None or settings.unit != "word":
        return ReadyLines(title, "", WORDS_ONLY if settings.choice else BANDS_ONLY)
    config = DATATROVE.format(
        lowercase=settings.ignore_case,
        punctuation=not settings.keep_punctuation,
        **_numbers(settings),
    )
    otherwise = _otherwise(settings, "keep_digits", "bag", "drop_stop_words", "stem")
    differs = (
        f"{HASHES} It makes b × r values, whatever K, and cuts words as the tokenizer of the "
        "language that its steps are given. No pair is compared exactly: documents that meet in a "
        f"bucket are a group.{otherwise}"
    )
    return ReadyLines(title, config, differs)


def text_dedup_lines(asked: Asked) -> ReadyLines:
    """Its config.toml, and the arguments of its earlier versions."""
    settings, title = asked.settings, "text-dedup"
    if settings.choice is None or settings.unit != "word":
        return ReadyLines(title, "", WORDS_ONLY if settings.choice else BANDS_ONLY)
    differs = (
        f"{HASHES} {CUT} Documents that meet in a band are a group; check_false_positive then "
        f"compares those of a group exactly, which versions up to 0.4.0 do not."
        f"{_otherwise(settings, *ALWAYS)}"
    )
    return ReadyLines(title, TEXT_DEDUP.format(**_numbers(settings)), differs)


def _numbers(settings: ScanSettings) -> dict[str, float]:
    return {
        "k": settings.k,
        "size": settings.signature_size,
        "bands": settings.bands,
        "rows": settings.rows,
        "seed": settings.seed % SEEDS,
        "floor": settings.min_resemblance,
    }


def _units(settings: ScanSettings) -> str:
    """An expression for the words of a text, or for the text itself without what does not count."""
    word = r"\w" if settings.keep_digits else r"[^\W\d]"
    mark = r"[^\w\s]"
    if settings.unit == "word":
        pattern = f"{word}+|{mark}" if settings.keep_punctuation else f"{word}+"
        return f're.findall(r"{pattern}", text)'
    pattern = f"(?:{word}|{mark})+" if settings.keep_punctuation else f"{word}+"
    between = '" "' if settings.white_space == "collapse" else '""'
    return f'{between}.join(re.findall(r"{pattern}", text))'


def _otherwise(settings: ScanSettings, *always: str) -> str:
    """What of these the package does otherwise than the settings ask for."""
    words = [ALWAYS[name][1] for name in always if getattr(settings, name) != ALWAYS[name][0]]
    return f" Other than here, {', '.join(words)}." if words else ""
