"""Measure how long it takes to stop, asked at random moments of everything that takes long.

    python tests/bench/cancel.py [--moments 150] [--only NAME] [--seed 1] [--folder PLACE]

Programs are asked with SIGINT, as Ctrl+C asks, and measured until the process is gone;
`cancel_window.py` does the same with the window. Each row is one stage: how often it was met, the
median and the worst time; those over a second are listed with what the program was doing when it
was asked and half a second later. A process that counts measures how fast the machine is beside
it: compare it with that of an idle machine.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import psutil
from eight_formats import converted

LATIN = [f"{a}{b}{c}" for a in ("mar", "tel", "ops", "wen", "luk") for b in "aeiou" for c in (
    "", "ns", "ters", "ming", "lied", "rk", "st", "vable", "nth", "dic", "x", "gs")]  # fmt: skip
IDEOGRAPHS = [chr(0x4E00 + number) for number in range(2500)]
GROWING = "\ufdfa"  # eighteen characters in NFKC
HUGE = 24_000_000  # characters of a text
PAIRED = 5_000_000  # of each of two texts with much in common
MEDIUM = 600_000  # of a file of another program


class Folders:
    """Where everything is.

    Attributes:
        many: Some thousand texts, a tenth of them like another.
        few: Three hundred of them.
        huge: Three plain texts of 24 million characters: English, Chinese, and one that grows.
        foreign: Large files of other programs: Word, OpenDocument, PDF, RTF, spreadsheets, web
            pages, mail, an archive of such, and damaged ones. LibreOffice writes most of them.
        english, chinese: Two texts of 5 MB in each, half of them shared in pieces.
    """

    def __init__(self, root: Path) -> None:
        self.many, self.few = root / "many", root / "few"
        self.huge, self.foreign = root / "huge", root / "foreign"
        self.english, self.chinese = root / "english", root / "chinese"
        for folder in vars(self).values():
            folder.mkdir(parents=True, exist_ok=True)


def make_folders(root: Path) -> Folders:
    """Make all files, the same at every call."""
    folders, chance = Folders(root), random.Random(5)
    _make_many(folders.many, folders.few, chance)
    huge = {
        "english.txt": _prose(chance, LATIN, HUGE, " "),
        "chinese.txt": _prose(chance, IDEOGRAPHS, HUGE // 3, ""),
        "growing.txt": GROWING * (HUGE // 24),
    }
    for name, text in huge.items():
        (folders.huge / name).write_text(text, encoding="utf-8")
    _make_foreign(folders.foreign, chance)
    for folder, words, space in (
        (folders.english, LATIN, " "),
        (folders.chinese, IDEOGRAPHS, ""),
    ):
        _make_pair(folder, chance, words, space)
    return folders


def _prose(chance: random.Random, words: list[str], characters: int, space: str) -> str:
    """Pieces of random words in random order, so that runs come again."""
    pieces = [space.join(chance.choices(words, k=400)) for _ in range(500)]
    parts, length = [], 0
    while length < characters:
        parts.append(chance.choice(pieces))
        length += len(parts[-1])
    return "\n".join(parts)[:characters]


def _make_many(many: Path, few: Path, chance: random.Random) -> None:
    texts: list[list[str]] = []
    for number in range(4_000):
        words = chance.choices(LATIN, k=500)
        if number % 10 == 0 and texts:
            words[:250] = chance.choice(texts)[:250]
        texts.append(words)
        for place in (many, few) if number < 300 else (many,):
            (place / f"{number:05}.txt").write_text(" ".join(words), encoding="utf-8")


def _make_pair(folder: Path, chance: random.Random, words: list[str], space: str) -> None:
    count = PAIRED // len((chance.choice(words) + space).encode())
    pieces = [space.join(chance.choices(words, k=60)) for _ in range(count // 120)]
    for name in ("one.txt", "two.txt"):
        chance.shuffle(pieces)
        own = (space.join(chance.choices(words, k=60)) for _ in pieces)
        text = "\n".join(part for both in zip(pieces, own, strict=True) for part in both)
        (folder / name).write_text(text, encoding="utf-8")


def _make_foreign(folder: Path, chance: random.Random) -> None:
    for number in range(3):
        (folder / f"{number}.docx").write_bytes(_word(_prose(chance, LATIN, MEDIUM, " ")))
    page = _prose(chance, LATIN, MEDIUM, " ").replace("\n", "</p><p>")
    (folder / "page.html").write_text(f"<html><body><p>{page}</p></body></html>")
    (folder / "deep.html").write_text("<div>" * 60_000 + "the end")
    _make_converted(folder, chance)
    (folder / "damaged.docx").write_bytes(_word("one")[:-60])
    with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(100):
            archive.writestr(f"{number}.docx", _word(_prose(chance, LATIN, 20_000, " ")))


def _make_converted(folder: Path, chance: random.Random) -> None:
    """What LibreOffice makes of a text and of a table, and a letter with all of that attached."""
    letter = EmailMessage()
    letter.set_content(_prose(chance, LATIN, MEDIUM, " "))
    with tempfile.TemporaryDirectory() as name:
        text, table = Path(name, "text.txt"), Path(name, "table.csv")
        text.write_text(_prose(chance, LATIN, MEDIUM, " "), encoding="utf-8")
        rows = (",".join(chance.choices(LATIN, k=20)) for _ in range(MEDIUM // 100))
        table.write_text("\n".join(rows), encoding="utf-8")
        converted(text, ("odt", "doc", "rtf", "pdf", "epub"), folder)
        converted(table, ("xlsx", "xls", "ods"), folder)
    for path in sorted(folder.glob("t*.*")):
        letter.add_attachment(
            path.read_bytes(), maintype="application", subtype="octet-stream", filename=path.name
        )
    (folder / "letter.eml").write_bytes(bytes(letter))


def _word(text: str) -> bytes:
    """A Word document with these paragraphs."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in text.split("\n"))
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
        )
        package.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Id="r1" Target="word/document.xml" Type="http://schemas.openxmlformats'
            '.org/officeDocument/2006/relationships/officeDocument"/></Relationships>',
        )
        package.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>',
        )
    return written.getvalue()


HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))

EARLIEST = 0.3  # seconds after the start
LIMIT = 1.0
LOOK_AGAIN = 0.5
NET = 600.0
CHILD = """
import faulthandler, signal, sys
faulthandler.register(signal.SIGUSR1, file=open(sys.argv[1], "w"), all_threads=True)
from core.program.interrupts import end_at_interrupt
end_at_interrupt()
print("ready", flush=True)
from neardup_gui.__main__ import main
del sys.argv[1]
sys.exit(main())
"""
STAGES = {
    "preparation": "compile", "kernel_exercises": "compile", "discovery": "discovery",
    "read_and_sign": "reading and signing", "reading": "reading and signing",
    "signing": "reading and signing", "bands": "banding", "lsh": "banding",
    "lister": "comparing", "all_pairs": "comparing", "search": "comparing",
    "loading": "opening a review", "saving": "saving", "reports": "exporting",
    "audit": "audit", "query": "query", "passages": "passages",
}  # fmt: skip


class Task(NamedTuple):
    """Something that a program is asked to do."""

    name: str
    arguments: tuple[object, ...]
    makes: tuple[Path, ...] = ()
    cold: bool = False


class Moment(NamedTuple):
    """A time at which the program was asked to stop."""

    task: str
    stage: str
    seconds: float
    status: int
    at: float
    where: tuple[str, str]
    left: int
    worked: float = 0.0  # seconds of the processor until it had ended


def tasks(folders: Folders, made: Path) -> list[Task]:
    """What takes long, on the command line."""
    review, report = made / "many.neardup", made / "many.html"
    pairs, passages = made / "pairs.csv", made / "passages.json"
    long = "--limit=seconds=3600"
    return [
        Task("scan", ("scan", folders.many, "--pairs", pairs, "--passages", passages,
                      "--review", made / "new.neardup"), (made / "new.neardup", pairs, passages)),
        Task("rescan", ("scan", folders.many, "--review", review)),
        Task("report", ("report", review, report), (report,)),
        Task("query", ("query", review, folders.many / "00001.txt")),
        Task("query folder", ("query", folders.many, folders.many / "00001.txt")),
        Task("audit", ("audit", folders.few)),
        Task("huge texts", ("scan", folders.huge, "--review", made / "huge.neardup"),
             (made / "huge.neardup",)),
        Task("foreign files", ("scan", folders.foreign, "--archives", long)),
        Task("passages, English", ("scan", folders.english, "--passages", passages), (passages,)),
        Task("passages, Chinese", ("scan", folders.chinese, "--passages", passages), (passages,)),
        Task("compile", ("prepare",), cold=True),
        Task("compile in a scan", ("scan", folders.english), cold=True),
    ]  # fmt: skip


class Program:
    """One run of a task."""

    def __init__(self, task: Task, scratch: Path) -> None:
        self.task = task
        for path in task.makes:
            path.unlink(missing_ok=True)
        self.trace, self.temporary = scratch / "trace", scratch / "temporary"
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.temporary)}
        if task.cold:
            cache = scratch / "cold"
            shutil.rmtree(cache, ignore_errors=True)
            environment["NUMBA_CACHE_DIR"] = str(cache)
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(self.trace), *map(str, task.arguments)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment, cwd=scratch,
        )  # fmt: skip
        self.before = _worked_by_children()
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self.began = time.monotonic()

    def ended(self) -> float:
        """Wait until it ends by itself; seconds."""
        assert self.process.stdout is not None
        while self.process.stdout.read(1 << 16):
            pass
        self.process.wait(NET)
        return time.monotonic() - self.began

    def stop_at(self, at: float) -> Moment | None:
        """Ask it to stop after so many seconds; None where it had ended."""
        time.sleep(max(0.0, self.began + at - time.monotonic()))
        if self.process.poll() is not None:
            return None
        program = psutil.Process(self.process.pid)
        family = program.children(recursive=True)
        worked = sum(sum(of.cpu_times()[:4]) for of in (program, *family))
        self.process.send_signal(signal.SIGUSR1)
        self.process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        where = self._seen("")
        while self.process.poll() is None and time.monotonic() - asked < LOOK_AGAIN:
            time.sleep(0.002)
        later = ""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGUSR1)
            later = self._seen(where)
        while self.process.poll() is None and time.monotonic() - asked < NET:
            time.sleep(0.002)
        seconds = time.monotonic() - asked
        first = deepest(where)
        left = sum(child.is_running() for child in family) + len([*self.temporary.rglob("*")])
        return Moment(
            self.task.name, stage_of(where, self.task), seconds, self.process.returncode, at,
            (first, deepest(later)), left, _worked_by_children() - self.before - worked,
        )  # fmt: skip

    def _seen(self, before: str) -> str:
        """The frames that were written after those before."""
        end = time.monotonic() + 0.05
        while time.monotonic() < end:
            text = self.trace.read_text(errors="replace")
            if len(text) > len(before) and text.endswith("\n"):
                return text[len(before) :]
            time.sleep(0.005)
        return self.trace.read_text(errors="replace")[len(before) :]


def _worked_by_children() -> float:
    """Seconds of the processor of all programs that have ended, with what they started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def threads(trace: str) -> list[list[str]]:
    """The frames of each thread, the deepest first; the main thread comes last."""
    found: list[list[str]] = []
    for line in trace.splitlines():
        if line.startswith(("Thread", "Current")):
            found.append([])
        elif found and 'File "' in line:
            path, _, rest = line.partition('", line ')
            place = path.rpartition("/")[2]
            found[-1].append(f"{path.partition('/core/')[2] or place}:{rest.replace(' in ', ' ')}")
    return found


def deepest(trace: str) -> str:
    """What each thread that is in the engine does: the deepest frames."""
    return " | ".join(
        " < ".join(frames[:3]) for frames in threads(trace) if frames and "wait" not in frames[0]
    )


def stage_of(trace: str, task: Task) -> str:
    """The stage that the main thread is in."""
    if task.cold and task.arguments[0] == "prepare":
        return "compile"
    found = threads(trace)
    for frame in found[-1] if found else ():
        for part in frame.partition(".py")[0].split("/"):
            if part in STAGES:
                return STAGES[part]
    return "start and end"


def pace() -> float:
    """How long a count of fixed length takes now."""
    began = time.perf_counter()
    sum(range(2_500_000))
    return time.perf_counter() - began


def report(moments: list[Moment], paces: list[float]) -> None:
    """Print the worst of every stage."""
    stages = defaultdict(list)
    for moment in moments:
        stages[moment.stage].append(moment)
    print(f"{'stage':24}{'moments':>8}{'median':>9}{'worst':>9}")
    for stage, met in sorted(stages.items()):
        times = [moment.seconds for moment in met]
        print(f"{stage:24}{len(met):8}{statistics.median(times):8.2f}s{max(times):8.2f}s")
    slow = sum(moment.seconds > LIMIT for moment in moments)
    print(f"\n{slow} of {len(moments)} moments over {LIMIT:.0f} s")
    odd = [moment for moment in moments if moment.status not in (130, 0)]
    print(f"other statuses than 130: {[(one.task, one.status, one.at) for one in odd]}")
    print(f"processes and files left behind: {sum(moment.left for moment in moments)}")
    print(f"pace: median {statistics.median(paces):.3f} s, worst {max(paces):.3f} s")


def tell_task(name: str, moments: list[Moment]) -> None:
    """Print the median and the worst of a task, and all that took longer than a second."""
    own = [moment for moment in moments if moment.task.partition(", closing")[0] == name]
    times = [moment.seconds for moment in own]
    if times:
        worst = f"median {statistics.median(times):.2f} s, worst {max(times):.2f} s"
        print(f"    {len(times)} moments: {worst}", flush=True)
    for moment in own:
        if moment.seconds > LIMIT:
            worked = f", {moment.worked:.2f} s of the processor" if moment.worked else ""
            where = f"{moment.task}, {moment.stage}, at {moment.at:.2f} s"
            print(f"  {moment.seconds:.2f} s{worked}  {where}")
            print(f"      when asked: {moment.where[0]}", flush=True)
            print(f"      {LOOK_AGAIN} s later: {moment.where[1]}", flush=True)


def options_of(about: str | None) -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--moments", type=int, default=150)
    parser.add_argument("--only", default="", help="tasks with this in their name")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="keep the files there for the next time")
    return parser.parse_args()


def main() -> None:
    """Run all tasks."""
    options = options_of(__doc__)
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch)
        place = options.folder or made / "files"
        folders = Folders(place) if (place / "huge").exists() else make_folders(place)
        chosen = [task for task in tasks(folders, made) if options.only in task.name]
        Program(Task("", ("scan", folders.many, "--review", made / "many.neardup")), made).ended()
        moments, paces = [], []
        for task in chosen:
            whole = Program(task, made).ended()
            print(f"{task.name}: {whole:.1f} s without a stop", flush=True)
            for _ in range(-(-options.moments // len(chosen))):
                paces.append(pace())
                at = chance.uniform(EARLIEST, max(EARLIEST + 0.1, whole))
                moment = Program(task, made).stop_at(at)
                if moment is not None:
                    moments.append(moment)
            tell_task(task.name, moments)
        report(moments, paces)


if __name__ == "__main__":
    main()
