"""Discovery on real folders: what is found, what becomes a problem, under which names."""

import errno
import os
import shutil
import socket
import sys
import threading
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from core.base.wording import readable_count, readable_size
from core.documents.discovery import find_documents
from core.documents.isolation.processes import ReaderProcesses
from core.documents.model import FoundFile, Problem, ProblemCode, ReadDocument
from core.documents.reading import read_file
from core.documents.reading_settings import ReadingSettings
from core.documents.submissions import are_versions, earlier_years
from core.errors import FolderError

PAGE = b"<html><p>one two</p><p>three</p>"


@pytest.fixture(scope="module")
def processes():
    with ReaderProcesses(ReadingSettings()) as processes:
        yield processes


def read_file_at(processes, path: Path | str):
    (result,) = read_file(FoundFile(str(path), "a.html", 0, 0), processes)
    return result


@pytest.mark.parametrize(
    "name", ["caf\udce9.html", "two\nlines.html", 'it\'s “a” "b" $(c).html', "x" * 250 + ".html"]
)
def test_odd_names_reach_the_reader(tmp_path, processes, name):
    (tmp_path / name).write_bytes(PAGE)
    (file,), problems = find_documents([tmp_path])

    (result,) = read_file(file, processes)

    assert not problems
    assert result.text == "one two\n\nthree"


@pytest.mark.skipif(sys.platform == "win32", reason="paths there are shorter")
def test_a_path_of_4000_characters(tmp_path, processes, monkeypatch):
    monkeypatch.chdir(tmp_path)
    while len(str(Path.cwd())) < 3800:
        Path("d" * 180).mkdir()
        monkeypatch.chdir("d" * 180)
    path = Path.cwd() / ("e" * (3994 - len(str(Path.cwd()))) + ".html")
    Path(path.name).write_bytes(PAGE)

    assert len(str(path)) == 4000
    assert read_file_at(processes, path).text == "one two\n\nthree"
    assert find_documents([tmp_path])[0][0].location == str(path)


def test_a_path_relative_to_the_current_folder(tmp_path, processes, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_bytes(PAGE)
    with ReaderProcesses(ReadingSettings()) as relative_processes:
        assert read_file_at(relative_processes, "a.html").text == "one two\n\nthree"


def test_a_file_that_grows_while_it_is_read(tmp_path, processes):
    path = tmp_path / "a.html"
    path.write_bytes(PAGE)
    stop = threading.Event()

    def grow():
        with path.open("ab", buffering=0) as file:
            while not stop.is_set():
                file.write(b"<p>more</p>")
                time.sleep(0.001)

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        results = [read_file_at(processes, path) for _ in range(20)]
    finally:
        stop.set()
        thread.join()

    for result in results:
        assert isinstance(result, ReadDocument)
        assert result.text.startswith("one two\n\nthree")
    assert isinstance(read_file_at(processes, path), ReadDocument)


@pytest.mark.parametrize(
    ("number", "code", "sentence"),
    [
        (errno.EIO, ProblemCode.VANISHED, "does not answer"),
        (errno.ESTALE, ProblemCode.VANISHED, "does not answer"),
        (errno.EBUSY, ProblemCode.NO_PERMISSION, "This file is locked by another program"),
        (errno.EACCES, ProblemCode.NO_PERMISSION, "don’t have permission"),
        (errno.ENAMETOOLONG, ProblemCode.FAILED, "could not be read"),
    ],
)
def test_system_errors_are_sentences(tmp_path, processes, monkeypatch, number, code, sentence):
    """A network share that goes away, a lock: they cannot be had without one."""
    path = tmp_path / "a.html"
    path.write_bytes(PAGE)

    monkeypatch.setattr("os.read", Mock(side_effect=OSError(number, os.strerror(number))))

    problem = read_file_at(processes, path)

    assert problem.code == code
    assert sentence in problem.detail


def test_a_file_that_another_program_locks_on_windows():
    from core.documents.problems import from_os_error

    error = PermissionError(errno.EACCES, "in use")
    error.winerror = 32

    problem = from_os_error("a", error)

    assert problem.detail.startswith("This file is locked by another program")


def write(path: Path, text: str = "some words") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def names(items: list[FoundFile] | list[Problem]) -> list[str]:
    return [item.name for item in items]


def test_finds_files_in_all_folders_sorted_by_code_points(tmp_path):
    for name in ["b.txt", "B.txt", "a/z.txt", "a.txt", "é.txt", "Ж.txt", "a/deep/er/x.md"]:
        write(tmp_path / name)

    files, problems = find_documents([tmp_path])

    assert names(files) == [
        "B.txt", "a.txt", "a/deep/er/x.md", "a/z.txt", "b.txt", "é.txt", "Ж.txt",
    ]  # fmt: skip
    assert problems == []


def test_a_found_file_carries_what_the_file_system_knows(tmp_path):
    path = write(tmp_path / "one.txt", "twelve bytes")
    os.utime(path, ns=(5_000_000_000, 7_123_456_789))

    ((file,), _) = find_documents([tmp_path])

    assert file == FoundFile(str(path), "one.txt", 12, 7_123_456_789, real=str(path))


@pytest.mark.parametrize(
    ("there", "asked_for", "found"),
    [
        (["empty.txt"], ".", ["empty.txt"]),
        ([".hidden.txt", ".git/config", "shown.txt"], ".", ["shown.txt"]),
        (["tool.py", "__pycache__/tool.cpython-311.pyc"], ".", ["tool.py"]),
        ([".notes/a.txt"], ".notes", ["a.txt"]),
        (["one.txt", "other.txt"], "one.txt", ["one.txt"]),
    ],
    ids=["an empty file", "hidden", "kept by Python", "a hidden folder", "one file"],
)
def test_hidden_files_are_no_documents_unless_they_are_asked_for(tmp_path, there, asked_for, found):
    for name in there:
        write(tmp_path / name, "" if name == "empty.txt" else "some words")

    assert [names(items) for items in find_documents([tmp_path / asked_for])] == [found, []]


def test_links_to_folders_are_listed_and_never_followed(tmp_path):
    write(tmp_path / "folder" / "a.txt")
    (tmp_path / "folder" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "itself").symlink_to(tmp_path / "itself")

    files, problems = find_documents([tmp_path])

    assert names(files) == ["folder/a.txt"]
    assert [(p.name, p.code) for p in problems] == [
        ("folder/loop", ProblemCode.NOT_A_FILE),
        ("itself", ProblemCode.FAILED),
    ]
    assert problems[0].detail == "This is a link to a folder. Links to folders are not followed."


def test_a_link_that_leads_out_of_the_folders_is_listed_and_not_followed(tmp_path):
    outside = write(tmp_path / "folder and more" / "target.txt")
    folder, second_folder = tmp_path / "folder", tmp_path / "other"
    write(folder / "a.txt")
    second_folder.mkdir()
    (tmp_path / "back").symlink_to(outside.parent, target_is_directory=True)
    for name, target in {
        "passwd.txt": "/etc/passwd",
        "link.txt": outside,
        "around.txt": "../folder and more/target.txt",
        "twice.txt": folder / "link.txt",
        "through.txt": tmp_path / "back" / "target.txt",
    }.items():
        (folder / name).symlink_to(target)
        (second_folder / name).symlink_to(target)

    files, problems = find_documents([folder, second_folder])

    assert names(files) == ["folder/a.txt"]
    assert len(problems) == 10
    assert {problem.code for problem in problems} == {ProblemCode.NOT_A_FILE}
    (detail,) = {problem.detail for problem in problems}
    assert detail == (
        "This is a link to a file outside of the folders that were chosen. It is not followed: to "
        "compare that file, put a copy of it here, or choose its folder as well."
    )


def test_a_link_within_the_folders_is_a_document_under_the_name_of_the_link(tmp_path):
    target = write(tmp_path / ".hidden" / "target.txt")
    link = tmp_path / "link.txt"
    link.symlink_to(target)

    files, problems = find_documents([tmp_path])

    changed = target.stat().st_mtime_ns
    assert files == [FoundFile(str(link), "link.txt", 10, changed, real=str(target))]
    assert problems == []


def test_a_file_or_folder_that_was_chosen_may_be_a_link(tmp_path):
    write(tmp_path / "real" / "a.txt")
    (tmp_path / "folder").symlink_to(tmp_path / "real", target_is_directory=True)
    (tmp_path / "file.txt").symlink_to(write(tmp_path / "elsewhere" / "b.txt"))

    files, problems = find_documents([tmp_path / "folder", tmp_path / "file.txt"])

    assert names(files) == ["file.txt", "folder/a.txt"]
    assert problems == []


def test_a_link_to_a_file_that_is_found_anyway_is_listed(tmp_path):
    write(tmp_path / "z.txt")
    (tmp_path / "a.txt").symlink_to(tmp_path / "z.txt")

    files, (problem,) = find_documents([tmp_path])

    assert names(files) == ["z.txt"]
    assert (problem.name, problem.code) == ("a.txt", ProblemCode.NOT_A_FILE)
    assert problem.detail == "This is a link to a file that is read under its own name."


def test_a_broken_link_is_listed(tmp_path):
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")

    files, (problem,) = find_documents([tmp_path])

    assert files == []
    assert problem.code is ProblemCode.VANISHED
    assert problem.detail == "This is a link to a file that does not exist."


def test_pipes_sockets_and_links_to_devices_are_listed_without_being_opened(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    monkeypatch.chdir(tmp_path)  # a socket's path has at most 108 bytes
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")

    files, problems = find_documents([tmp_path])

    assert files == []
    assert problems == [
        Problem("null", ProblemCode.NOT_A_FILE, "This is a link to a device, not to a file."),
        Problem("pipe", ProblemCode.NOT_A_FILE, "This is a named pipe, not a file."),
        Problem("socket", ProblemCode.NOT_A_FILE, "This is a socket, not a file."),
    ]


def test_a_subfolder_without_permission_is_listed(unprivileged):
    write(unprivileged / "open.txt")
    write(unprivileged / "shut" / "secret.txt")
    (unprivileged / "shut").chmod(0)

    files, problems = find_documents([unprivileged])

    assert names(files) == ["open.txt"]
    assert problems == [
        Problem("shut", ProblemCode.NO_PERMISSION, "You don’t have permission to read this folder.")
    ]


def test_files_whose_properties_may_not_be_asked_for_are_listed(unprivileged):
    write(unprivileged / "listed" / "a.txt")
    (unprivileged / "listed").chmod(0o400)

    files, (problem,) = find_documents([unprivileged])

    assert files == []
    assert (problem.name, problem.code) == ("listed/a.txt", ProblemCode.NO_PERMISSION)


def test_a_folder_that_may_not_be_read_at_all_is_an_error(unprivileged):
    shut = unprivileged / "shut"
    shut.mkdir(mode=0)

    with pytest.raises(FolderError, match=r"permission to read .*shut”"):
        find_documents([shut])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing", "missing” does not exist. Check the path."),
        ("*.txt", "Patterns such as * are not expanded: give a folder."),
        ("file.txt/below", "does not exist. Check the path."),
        ("pipe", "is neither a folder nor a file."),
        ("nul\0byte", "cannot be read: "),
        ("x" * 300, "cannot be read: File name too long."),
    ],
)
def test_a_folder_that_cannot_be_searched_is_an_error_in_a_sentence(tmp_path, name, sentence):
    write(tmp_path / "file.txt")
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(FolderError) as raised:
        find_documents([tmp_path / name])

    assert sentence in str(raised.value)
    assert str(raised.value).endswith(".")
    assert str(raised.value).isprintable()


def test_names_start_with_the_folder_when_there_are_several(tmp_path):
    first = write(tmp_path / "2023" / "essays" / "a.txt").parent
    second = write(tmp_path / "2024" / "essays" / "a.txt").parent
    third = write(tmp_path / "essays (2)" / "a.txt").parent
    single = write(tmp_path / "notes.txt")

    files, _ = find_documents([first, second, third, single])

    assert names(files) == ["essays (2) (2)/a.txt", "essays (2)/a.txt", "essays/a.txt", "notes.txt"]


def test_folders_without_a_name_of_their_own_get_one(tmp_path, monkeypatch):
    write(tmp_path / "outer" / "inner" / "a.txt")
    second_folder = write(tmp_path / "other" / "b.txt").parent
    monkeypatch.chdir(tmp_path / "outer" / "inner")

    assert names(find_documents([Path(), second_folder])[0]) == ["inner/a.txt", "other/b.txt"]
    assert names(find_documents([Path(".."), second_folder])[0]) == [
        "other/b.txt",
        "outer/inner/a.txt",
    ]


def test_overlapping_folders_give_a_file_once(tmp_path):
    inner = write(tmp_path / "outer" / "inner" / "a.txt").parent
    write(tmp_path / "outer" / "b.txt")
    outer = tmp_path / "outer"
    (tmp_path / "alias").symlink_to(outer, target_is_directory=True)

    assert names(find_documents([outer, inner])[0]) == ["outer/b.txt", "outer/inner/a.txt"]
    assert names(find_documents([inner, outer])[0]) == ["inner/a.txt", "outer/b.txt"]
    assert names(find_documents([outer, outer])[0]) == ["outer/b.txt", "outer/inner/a.txt"]
    assert names(find_documents([tmp_path / "alias", outer])[0]) == [
        "alias/b.txt", "alias/inner/a.txt",
    ]  # fmt: skip
    assert names(find_documents([outer / "b.txt", outer])[0]) == ["b.txt", "outer/inner/a.txt"]


def test_two_names_of_one_file_are_two_documents(tmp_path):
    write(tmp_path / "a.txt")
    (tmp_path / "b.txt").hardlink_to(tmp_path / "a.txt")

    assert names(find_documents([tmp_path])[0]) == ["a.txt", "b.txt"]


def test_deep_folders_and_long_paths_work(tmp_path):
    deep = tmp_path / "/".join(["a folder with a rather long name"] * 60)
    write(deep / ("n" * 250 + ".txt"))

    ((file,), problems) = find_documents([tmp_path])

    assert len(file.name) > 2000
    assert file.path.read_text(encoding="utf-8") == "some words"
    assert problems == []


def test_a_path_too_long_for_the_system_is_listed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(40):
        Path("d" * 200).mkdir()
        monkeypatch.chdir("d" * 200)

    files, (problem,) = find_documents([tmp_path])

    assert files == []
    assert problem.code is ProblemCode.FAILED
    assert "File name too long" in problem.detail
    shutil.rmtree(tmp_path / ("d" * 200), ignore_errors=True)


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS refuses names that are not UTF-8")
def test_names_that_are_not_utf8_are_shown_with_their_bytes(tmp_path):
    raw = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    Path(os.fsdecode(raw)).write_bytes(b"words")

    ((file,), _) = find_documents([tmp_path])

    assert file.name == "caf\\xe9.txt"
    assert os.fsencode(file.path) == raw
    assert file.path.read_bytes() == b"words"


def test_control_characters_in_names_are_escaped_and_names_stay_different(tmp_path):
    for name in ["new\nline", "new\\nline", "tab\there", "bell\a", "line\u2028end", "rtl\u202eexe"]:
        write(tmp_path / name / "x.txt")

    assert names(find_documents([tmp_path])[0]) == [
        "bell\\x07/x.txt",
        "line\\u2028end/x.txt",
        "new\\\\nline/x.txt",
        "new\\nline/x.txt",
        "rtl\\u202eexe/x.txt",
        "tab\\there/x.txt",
    ]


def test_no_folders_hold_no_files():
    assert find_documents([]) == ([], [])


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (1500, "1.5 kB"),
        (34_400, "34 kB"),
        (999_900, "1 MB"),
        (200_000_000, "200 MB"),
        (512_000_000, "512 MB"),
        (1_234_000_000, "1.2 GB"),
        (5_000_000_000_000, "5 TB"),
    ],
)
def test_sizes_are_readable(size, shown):
    assert readable_size(size) == shown


def test_counts_are_readable():
    assert [readable_count(n) for n in (7, 999_999, 1_240_000, 50_000_000)] == [
        "7", "999999", "1.2 million", "50 million",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("contract v1.docx|contract v2.docx", True),
        ("a/Lease_draft.docx|a/lease_FINAL.pdf", True),
        ("contract.docx|contract (signed).pdf", True),
        ("NDA v1.2.docx|NDA v1.3 clean.docx|NDA.docx", True),
        ("合同初稿.docx|合同终稿.docx", True),
        ("عقد مسودة.docx|عقد نهائي.docx", True),
        ("lab1.txt|lab2.txt", False),
        ("chapter 1.md|chapter 2.md", False),
        ("minutes 2024-05-01.txt|minutes 2024-05-08.txt", False),
        ("report 2023.docx|report 2024.docx", False),
        ("ada/essay_final.docx|ben/essay_draft.docx", False),
        ("final exam.docx|exam.docx", False),
        ("essay v1.docx|essay v1.pdf", False),
        ("contract v1.docx|contract v2.docx|invoice.docx", False),
        ("Elena v.docx|Elena.docx", False),
        ("contract v1.docx", False),
        ("|".join(f"contract v{number}.docx" for number in range(100)), False),
    ],
)
def test_versions(names, expected):
    assert are_versions(names.split("|")) is expected


@pytest.mark.parametrize(
    ("name", "other_names", "earlier"),
    [
        ("2025", "2024|2023|2025|2026|notes", "2023|2024"),
        ("essays-2025-26", "essays-2024-25|exams-2024-25|essays-2025-26", "essays-2024-25"),
        ("Essays_2025", "essays_2024|essays_2024_old", "essays_2024"),
        ("scan-2024-05-08", "scan-2024-05-01|scan-2023-05-08", ""),  # dates
        ("20240501", "20230501", ""),
        ("lab2", "lab1", ""),
        ("2024-05", "2023-05", ""),
        ("Großes 2025 b", "Großes 2024 a", ""),
        ("Großes 2025", "GROSSES 2024", "GROSSES 2024"),
        ("Model 2080", "Model 2070", ""),
        ("Odyssey 2001", "Odyssey 1984", ""),
        ("2024 and 2025", "2023 and 2024", ""),
    ],
)
def test_earlier_years(name, other_names, earlier):
    assert "|".join(earlier_years(name, other_names.split("|"))) == earlier
