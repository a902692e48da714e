"""What Spark, Java and Hadoop say when something is wrong, as one sentence of ours."""

from __future__ import annotations

import re

from core import errors
from core.errors import ClusterError, NeardupError

LONGEST = 300  # characters of what we have no words for
MODULES = ("pyspark", "py4j")
# As the last line of a traceback of Python on an executor says it.
_OURS = re.compile(r"^\s*core\.errors\.(\w+): (.+)$", re.MULTILINE)
_CAUSE = re.compile(r"^\s*(?:Caused by: )?[\w.$]+(?:Exception|Error|Failure): (.+)$", re.MULTILINE)

_NO_SPACE = (
    "There is no space left, for what Spark shuffles or for the tables of the run. Free some, or "
    "give Spark another folder for what it shuffles: --conf spark.local.dir=FOLDER."
)
# From the source: on a package index, the name may belong to somebody else.
INSTALL = 'in the folder of this Neardup\'s source, type pip install ".[spark]"'
_NO_NEARDUP = (
    "An executor has no Neardup, or another version of it. "
    f"With the Python of the executors, {INSTALL}."
)
_NO_PACKAGE = (
    f"An executor lacks the Python package {{0}}. With the Python of the executors, {INSTALL}."
)
_OTHER_PYTHON = (
    "The executors have Python {0} and this program has {1}: both must be the same. Name the "
    "Python of the executors in the environment variable PYSPARK_PYTHON."
)
_NO_PYTHON = (
    "An executor cannot start Python as “{0}”. Name its Python in the environment variable "
    "PYSPARK_PYTHON."
)
_NO_FILE_SYSTEM = (
    "Spark has no file system for “{0}:”. Give it the package that brings it, for s3a: --conf "
    "spark.jars.packages=org.apache.hadoop:hadoop-aws:VERSION, with the version of Spark's Hadoop."
)
_NO_CLUSTER = (
    "The cluster does not answer, or has ended the application. See to its master, and to what "
    "--master names."
)
_NO_MEMORY = (
    "An executor had not enough memory. Give executors more (--conf spark.executor.memory=8g, and "
    "spark.executor.memoryOverhead for Python), or tables more parts (--partitions)."
)
_NO_MEMORY_OF_PYTHON = (
    "A Python process of an executor has ended without a word, as the system ends one for which it "
    "has no memory left. Give Python more (--conf spark.executor.memoryOverhead=4g), tables more "
    "parts (--partitions), or, on local[*], use fewer threads (--master local[2])."
)
# The first that is found counts. Groups of the pattern stand in the sentence.
_SAID = (
    (r"No space left on device|Disk quota exceeded|not enough space on the disk", _NO_SPACE),
    (r"No module named '(?:core|neardup)\b", _NO_NEARDUP),
    (r"No module named '([\w.]+)'", _NO_PACKAGE),
    (r"different version(?: in worker)?: (\S+) than that in driver:? ([\d.]+\d)", _OTHER_PYTHON),
    (r'Cannot run program "([^"]+)"', _NO_PYTHON),
    (r'No FileSystem for scheme "?(\w+)', _NO_FILE_SYSTEM),
    (r"Class (org\.apache\.hadoop\.fs\.(\w+)\.\S+) not found", _NO_FILE_SYSTEM.replace("0", "1")),
    (r"All masters are unresponsive|Master removed our application", _NO_CLUSTER),
    (r"Cannot call methods on a stopped SparkContext|SparkContext was shut down", _NO_CLUSTER),
    (r"Could not parse Master URL: '?([^'\s]+)", "Spark knows no master “{0}”."),
    (r"OutOfMemoryError|Container killed|MemoryError|exit(?:ed)?(?: with)? code:? (?:137|52)\b",
     _NO_MEMORY),
    (r"Python worker exited unexpectedly \(crashed\)(?!: )", _NO_MEMORY_OF_PYTHON),
    (r"(?:AccessControlException|AccessDeniedException|Permission denied):? ?([^\n]*)",
     "Spark may not read or write there: {0}"),
    (r"UnknownHostException: (\S+)", "There is no computer “{0}” that Spark could reach."),
    (r"ExecutorLostFailure[^\n]*Reason: ([^\n]+)",
     "A part of the work failed on every executor that tried it: {0}"),
    (r"Encountered error while reading file ([^\n]+?)\.(?:\s|$)",
     "“{0}” cannot be read: it is damaged, or has other columns than the files beside it."),
)  # fmt: skip


def sentence_of(error: BaseException) -> NeardupError | None:
    """An error of Spark as one of ours; None where it is none of Spark, but a fault."""
    if not any(base.__module__.split(".")[0] in MODULES for base in type(error).__mro__):
        return None
    words = str(error)
    ours = _OURS.findall(words)
    if ours:
        return _made(*ours[-1])
    for pattern, sentence in _SAID:
        found = re.search(pattern, words, re.DOTALL)
        if found:
            return ClusterError(sentence.format(*(one or "" for one in found.groups())).strip())
    return ClusterError(f"Spark could not do it: {_shortened(words)}")


def _made(name: str, sentence: str) -> NeardupError:
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, NeardupError):
        return kind(sentence.strip())
    return ClusterError(sentence.strip())


def _shortened(words: str) -> str:
    """What the deepest cause says, or the first line there is."""
    causes = _CAUSE.findall(words)
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    said = str(causes[-1]) if causes else next(iter(lines), "no reason was given.")
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"
