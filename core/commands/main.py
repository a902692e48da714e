"""The command line: the same engine as the window, without Qt.

    neardup scan FOLDER...     ranked pairs, tables and the report
    neardup query WHERE FILE.. one document against a folder or a review
    neardup report REVIEW FILE the report of a review
    neardup verify REPORT FOLDER.. whether a report says what the files say
    neardup properties FOLDER.. which files share an editing session, a picture, an author
    neardup audit FOLDER...    whether the list of pairs is complete
    neardup forecast FOLDER... what every bands and rows would miss and compare
    neardup curve              the S-curve of some bands and rows
    neardup suggest            bands and rows for two wishes
    neardup settings FILE      settings as a file to share
    neardup spark scan ...     the same scan on Apache Spark, into the folder of a run
    neardup import RUN REVIEW  pairs of a run on a cluster as a review
    neardup prepare            the engine compiled, once after an installation
    neardup help [TOPIC]       the pages of help as text

Exit status: 0 done (files that could not be read are listed, not failures), 1 could not do it, 2
bad usage, 3 what was checked is wrong (a report by verify, a list by audit), 4 what verify could
compare agrees, and some could not be compared; 130 interrupted (Ctrl+C), 143 ended (SIGTERM), 129
the terminal was closed (SIGHUP).
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import shutil
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn, TextIO

from core import __version__
from core.base.messages import N_, gettext
from core.base.wording import any_of, printable_name, quoted
from core.commands.options import StandardOutput
from core.commands.terminal import print_note, printable_output
from core.errors import ExportError, FolderError, NeardupError, ScanCancelledError, SettingsError
from core.program.end_signals import raised, status_of
from core.program.startup import OPTION, lacking, require, spare_threads

COMMANDS = {
    "scan": N_("scan folders and list the pairs, worst first"),
    "query": N_("compare single files with a folder or a review"),
    "report": N_("write the report of a review"),
    "verify": N_("check that a report says what the files say"),
    "properties": N_("find files that share an editing session, a picture, an author"),
    "audit": N_("check that a scan lists what it should"),
    "forecast": N_("what every choice of bands and rows would miss and compare in a folder"),
    "curve": N_("print the S-curve of some bands and rows"),
    "suggest": N_("bands and rows for two wishes"),
    "settings": N_("write settings to a file to share, which scan, query and audit take"),
    "spark": N_("scan what is too large for one machine on Apache Spark"),
    "import": N_("make a review of pairs of a run on a cluster"),
    "prepare": N_("compile the engine for this computer, once after an installation"),
    "help": N_("list the topics of help, or print a page of it"),
}
MODULES = {"import": "import_run"}  # Python keeps the other name for itself
SMALL = ("curve", "suggest", "settings", "help")  # they load nothing large
WRITTEN = {"scan": ("review", "pairs", "passages", "problems", "report"), "report": ("files",)}
WRITTEN_BY_OTHERS = ("json", "csv")
# After so many the collector looks for garbage, not after 700: nearly all that is made while
# modules and kernels are loaded stays.
NEW_OBJECTS = 100_000
NOT_DONE = 1
BAD_USAGE = 2


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status."""
    _make_output_robust()
    spare_threads()
    gc.set_threshold(NEW_OBJECTS)
    with printable_output():
        return _until_stopped(arguments)


def _until_stopped(arguments: Sequence[str]) -> int:
    """Run one command, and say so where a signal stopped it."""
    try:
        with raised():
            return _run(arguments)
    except (ScanCancelledError, KeyboardInterrupt) as stop:
        _flush_or_drop(sys.stdout)
        status = _fail(gettext("Stopped."), status_of(stop))
        _flush_or_drop(sys.stderr)
        return status


def _run(arguments: Sequence[str]) -> int:
    try:
        command = arguments[0] if arguments else ""
        options = build_parser(command).parse_args(arguments)
        if command not in SMALL:
            require(path for _, path in _paths(options))
        written = () if command in SMALL else WRITTEN.get(command, WRITTEN_BY_OTHERS)
        if written:
            _spare_what_is_read(options, written)
        with _result_as_output(options):
            status = int(options.run(options))
        print(end="", flush=True)  # now, when a failure can still be reported
    except ScanCancelledError:
        raise
    except (SettingsError, FolderError) as error:
        return _fail(str(error), BAD_USAGE)
    except NeardupError as error:
        return _fail(str(error), NOT_DONE)
    except BrokenPipeError:
        _drop(sys.stdout)  # the reader closed it
        return 0
    except (OSError, MemoryError, ImportError, RuntimeError) as error:
        sentence = lacking(error) or _about_output(error)
        if not sentence:
            raise  # the engine turns its errors into sentences: this is a fault
        return _fail(sentence, NOT_DONE)
    return status


def _paths(options: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """The paths that are named, with the names of their options."""
    for name, value in vars(options).items():
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, Path):
                yield name, path


def _spare_what_is_read(options: argparse.Namespace, written: Sequence[str]) -> None:
    """Raise where a result would replace a file that is read, or another result.

    What is written to a folder that is read may replace only what Neardup has written.

    Args:
        options: The options of a command.
        written: The names of those that are results.
    """
    taken: dict[object, str] = {}
    # Where the key is written `reports_for` checks it.
    named = [entry for entry in _paths(options) if entry[0] != "key" or "json" in written]
    for name, path in sorted(named, key=lambda entry: entry[0] in written):
        file: object = os.path.realpath(path)
        with suppress(OSError):  # one that exists, whichever of its names was given
            status = path.stat()
            file = (status.st_dev, status.st_ino) if status.st_ino else file
        given = printable_name(path.as_posix())
        if name in written and name != "files":
            given = f"--{name} {given}"
        if name in written and file in taken:
            raise SettingsError(
                "{one} and {other} name the same file.", one=taken[file], other=given
            )
        taken[file] = given
    read = [path for name, path in named if name not in written]
    folders = [path for path in read if path.is_dir()]
    # A command about a review says it of all folders of that, too.
    is_said = any(path.suffix.lower() == ".neardup" and not path.is_dir() for path in read)
    for name, path in named if folders else ():
        if name in written and name != "review":  # only a review is replaced by one
            from core.reports.formats import spare_documents

            note = spare_documents(path, folders)
            if note and not is_said:
                print_note(note, quiet=options.quiet)


@contextmanager
def _result_as_output(options: argparse.Namespace) -> Iterator[None]:
    """Print a result that is to go to standard output at the end, and nothing else.

    Until then it is in a temporary file, as each is written whole or not at all.

    Raises:
        SettingsError: There is more than one, or a key would be kept beside it.
        ExportError: There is no standard output.
    """
    given = {
        name: value if isinstance(value, list) else [value] for name, value in vars(options).items()
    }
    outputs = [
        (name, value)
        for name, values in given.items()
        for value in values
        if isinstance(value, StandardOutput)
    ]
    if not outputs:
        yield
        return
    if len(outputs) > 1:
        raise SettingsError("Only one result can go to standard output.")
    if not sys.stdout:
        raise ExportError("Standard output is closed.")
    if vars(options).get("withhold_names") and not options.key:
        raise SettingsError("With a result on standard output, --withhold-names needs --key.")
    ((name, output),) = outputs
    # No scan reads what begins with a dot, should temporary files be in a folder that is compared.
    with TemporaryDirectory(prefix=".neardup-") as folder:
        result = Path(folder, f"result{output.ending}")
        paths = [result if value is output else value for value in given[name]]
        setattr(options, name, paths if isinstance(getattr(options, name), list) else result)
        try:
            with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
                yield
        finally:  # it is wanted also where another result failed
            if result.exists():
                _print_file(result)


def _print_file(path: Path) -> None:
    """Print a file without the mark by which spreadsheets know UTF-8: programs read it as text."""
    stream = getattr(sys.stdout, "stream", sys.stdout).buffer
    with path.open("rb") as file:
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            file.seek(0)
        shutil.copyfileobj(file, stream)
    stream.flush()


def _about_output(error: Exception) -> str:
    """Why nothing could be printed; "" where it is not about that."""
    if not isinstance(error, OSError) or error.filename is not None:
        return ""
    _drop(sys.stdout)
    return gettext("The output could not be written: {why}.", why=error.strerror or error)


def _fail(sentence: str, status: int) -> int:
    if sys.stderr:  # None without a console; print would take standard output then
        with suppress(OSError):  # there is no reader
            print(f"neardup: {sentence}", file=sys.stderr)
    return status


def _flush_or_drop(stream: TextIO | None) -> None:
    """Flush the output; a closed terminal must not change the exit status.

    Python would try again at its end, and exit with 120 where it fails.
    """
    try:
        if stream:
            stream.flush()
    except OSError:
        _drop(stream)


def _drop(stream: TextIO | None) -> None:
    """Let nothing fail again when Python flushes the rest at its end."""
    try:
        descriptor = stream.fileno() if stream else None
    except OSError:
        return
    if descriptor is not None:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), descriptor)


def build_parser(command: str = "") -> argparse.ArgumentParser:
    """The command line, with the options of one command: those of other commands are not loaded."""
    parser = _Parser(
        prog="neardup",
        description=gettext(
            "Find near-duplicate documents in a folder and judge them side by side."
        ),
        epilog=gettext("Without a command, neardup [FOLDER or REVIEW] opens the window."),
    )
    parser.add_argument(
        "--version",
        action=_VersionAction,
        nargs=0,
        help=gettext("show the version, and how readers of files are confined here, and exit"),
    )
    parser.add_argument(
        OPTION,
        metavar="CODE",
        help=gettext("the language of the program, before a command; else that of the system"),
    )
    commands = parser.add_subparsers(title=gettext("commands"), metavar="COMMAND", required=True)
    for name, words in COMMANDS.items():
        parser_of_command = commands.add_parser(name, help=gettext(words))
        if name == command:
            module = import_module(f"core.commands.{MODULES.get(name, name)}")
            module.add_options(parser_of_command)
            if name != "spark":  # of which each of its commands has one
                parser_of_command.set_defaults(run=module.run)
    return parser


# What argparse complains of, and how it is said here.
_ABOUT = re.compile(r"argument ([^:]*): ")
_COMPLAINTS = {
    r"invalid int value: ['\"](?P<text>.*)['\"]": N_("must be a whole number, not “{text}”"),
    r"invalid float value: ['\"](?P<text>.*)['\"]": N_("must be a number, not “{text}”"),
    r"invalid choice: ['\"]?(?P<text>.*?)['\"]? \(choose from (?P<choices>.*)\)": N_(
        "must be one of {choices}, not “{text}”"
    ),
    r"ignored explicit argument .*": N_("takes no value"),
    r"expected (?:at least )?one argument": N_("needs a value"),
    r"expected (?P<number>\d+) arguments": N_("needs {number} values"),
    r"not allowed with argument (?P<other>.*)": N_("cannot be given together with {other}"),
    r"the following arguments are required: (?P<names>.*)": N_("missing: {names}"),
    r"unrecognized arguments: (?:.* )??(?P<option>--?[^\s-]\S*).*": N_("unknown option: {option}"),
    r"unrecognized arguments: (?P<names>.*)": N_("unexpected argument: {names}"),
    r"ambiguous option: (?P<option>\S+) could match (?P<options>.*)": N_(
        "{option} is ambiguous: {options}"
    ),
}


class _Parser(argparse.ArgumentParser):
    """A parser whose words are messages."""

    def __init__(self, **values: Any) -> None:  # noqa: ANN401 - as argparse takes them
        super().__init__(**values, add_help=False, formatter_class=_HelpFormatter)
        self._positionals.title = gettext("arguments")
        self._optionals.title = gettext("options")
        self.add_argument("-h", "--help", action="help", help=gettext("show this help and exit"))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as argparse has them
        """Refuse what a command does not know, in its name; else the whole program would."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown and self.get_default("run"):
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, without the usage, which is longer than a screen."""
        about = _ABOUT.match(message)
        complaint = message[about.end() :] if about else message
        for pattern, translation in _COMPLAINTS.items():
            if found := re.fullmatch(pattern, complaint, re.DOTALL):
                values = found.groupdict()
                if choices := values.get("choices"):  # quoted as Python does, or not
                    values["choices"] = any_of(
                        [quoted(it.strip("'")) for it in choices.split(", ")]
                    )
                complaint = gettext(translation, **values)
                break
        sentence = f"{about[1]}: {complaint}" if about else complaint
        hint = gettext("{command} --help lists the options.", command=self.prog)
        self.exit(BAD_USAGE, f"{self.prog}: {sentence}\n{hint}\n")


class _HelpFormatter(argparse.HelpFormatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        if prefix is None:  # it is empty where the name of a command is made
            prefix = gettext("usage") + ": "
        super().add_usage(usage, actions, groups, prefix)


class _VersionAction(argparse.Action):
    """Prints the version, and how this system confines files that were made to do harm."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        from core.documents.isolation.confinement import confinement_here

        print(f"neardup {__version__}\n{confinement_here().sentence()}")
        parser.exit()


def _make_output_robust() -> None:
    """A terminal that cannot show a character gets an escape, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
