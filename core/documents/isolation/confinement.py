"""A reader process gives up what it does not need, before it sees the first byte of a file.

Whoever takes it over by a file that was made for that must not be able to do what its user can.
Two parts of the Linux kernel hold it, one where the other is missing: Landlock refuses files,
seccomp refuses calls. Other systems have nothing of the kind for an ordinary program.

Which files a process may touch, for ever: rules of the Linux kernel (Landlock).

Whatever is not named is refused: files, TCP, devices, abstract sockets, signals, each where the
kernel knows it. Source: the kernel's Documentation/userspace-api/landlock.rst, linux/landlock.h.

The files that a reader process needs once it runs: programs and their data, none of the user's.

What readers import when they meet a format must be found, and PDFium looks for fonts where a file
brings none. A folder that holds the user's home is never among them, wherever Python was put.

What a reader may ask of the kernel: a list; whatever is not on it fails (Linux seccomp-BPF).

A list of what is allowed, not of what is refused: it also holds for calls that future kernels have.
What is not on it gives ENOSYS, on which the C library tries an older way; nothing is killed for
it. Source: the kernel's Documentation/userspace-api/seccomp_filter.rst.

The numbers of the system calls that readers need, on the processors that are known here.

Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import signal
import stat
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from core.base.messages import gettext

_SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
    "/etc/ld.so.cache",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/crypto-policies",
    "/usr/share/crypto-policies",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/usr/share/fonts",
    "/usr/share/X11/fonts",
    "/usr/share/poppler",
    "/usr/share/texmf/fonts",
    "/usr/local/share/fonts",
    "/dev/null",
    "/dev/urandom",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
)
_PACKAGES = ("site-packages", "dist-packages")
_LOADERS = ("/lib", "/lib64")
_TESSERACT = "tesseract"
_LANGUAGES = ("tessdata", "tesseract-ocr", "tesseract")


def files_to_read() -> list[Path]:
    """Files and folders that readers need, as many as there are."""
    # Where the one who started Neardup has the system look for libraries.
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    paths = [
        *map(Path, _SYSTEM),
        *(Path(path) for path in libraries if path.startswith("/")),  # an empty one is no path
        # The interpreter's own modules, installed packages, and this one.
        *(Path(prefix) / "lib" for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix}),
        Path(os.__file__).parent,
        *(Path(path) for path in sys.path if Path(path).name in _PACKAGES),
    ]
    # Packages of which something is loaded: a library may import the rest of itself later.
    for name, module in list(sys.modules.items()):
        if "." not in name:
            paths += map(Path, getattr(module, "__path__", ()))
    return list(_without_home(paths))


def files_of_tesseract() -> tuple[list[Path], list[Path]]:
    """What may be started: Tesseract, and what loads it; and what it reads, such as languages.

    Both empty where it is not installed.
    """
    found = shutil.which(_TESSERACT)
    if found is None:
        return [], []
    program = Path(found).resolve()
    loaders = (path for folder in _LOADERS for path in Path(folder).glob("ld-*.so*"))
    prefixes = {Path("/usr"), Path("/usr/local"), program.parent.parent}
    needed = [prefix / "share" / name for prefix in prefixes for name in _LANGUAGES]
    needed.append(program.parent.parent / "lib")
    if tessdata := os.environ.get("TESSDATA_PREFIX"):
        needed.append(Path(tessdata))
    return [program, *loaders], list(_without_home(needed))


def _without_home(paths: Iterable[Path]) -> Iterator[Path]:
    """Leave out folders in which a home lies."""
    homes = [Path(os.path.expanduser("~")).resolve(), Path("/home"), Path("/root")]  # noqa: PTH111 - Path.home raises
    for path in paths:
        real = path.resolve()
        if not any(home.is_relative_to(real) for home in homes):
            yield real


class Machine(NamedTuple):
    """A kind of processor.

    Attributes:
        audit: What the kernel calls it to a filter (AUDIT_ARCH_ in linux/audit.h).
        column: Its place in the tables below.
        seccomp: The number of the call that installs a filter.
    """

    audit: int
    column: int
    seccomp: int


MACHINES = {
    "x86_64": Machine(audit=0xC000003E, column=0, seccomp=317),
    "aarch64": Machine(audit=0xC00000B7, column=1, seccomp=277),
}

Numbers = dict[str, tuple[int | None, int | None]]

# fmt: off
# They read what is open, or say something of this process, or change nothing outside of it.
ALWAYS: Numbers = {
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "lseek": (8, 62), "close": (3, 57), "close_range": (436, 436), "dup": (32, 23),
    "dup2": (33, None), "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59),
    "fstat": (5, 80), "stat": (4, None), "lstat": (6, None), "newfstatat": (262, 79),
    "statx": (332, 291), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17), "getdents64": (217, 61),
    "fadvise64": (221, 223), "readahead": (187, 213), "poll": (7, None), "ppoll": (271, 73),
    "select": (23, None), "pselect6": (270, 72), "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "eventfd2": (290, 19), "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215),
    "mremap": (25, 216), "madvise": (28, 233), "brk": (12, 214), "mincore": (27, 232),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132), "pause": (34, None), "alarm": (37, None), "getitimer": (36, 102),
    "setitimer": (38, 103), "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getgroups": (115, 158), "getresuid": (118, 148), "getresgid": (120, 150),
    "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156), "uname": (63, 160),
    "sysinfo": (99, 179), "times": (100, 153), "getrusage": (98, 165), "getrlimit": (97, 163),
    "setrlimit": (160, 164), "time": (201, None), "gettimeofday": (96, 169),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101), "futex": (202, 98), "futex_wait": (455, 455),
    "futex_wake": (454, 454), "futex_requeue": (456, 456), "futex_waitv": (449, 449),
    "set_robust_list": (273, 99), "set_tid_address": (218, 96), "rseq": (334, 293),
    "membarrier": (324, 283), "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
    "getcpu": (309, 168), "getrandom": (318, 278), "exit": (60, 93), "exit_group": (231, 94),
    "restart_syscall": (219, 128), "arch_prctl": (158, None), "umask": (95, 166),
}
# They may also do harm: what they are asked decides.
CHECKED: Numbers = {
    "open": (2, None), "openat": (257, 56), "ioctl": (16, 29), "fcntl": (72, 25),
    "prctl": (157, 167), "prlimit64": (302, 261), "clone": (56, 220), "tgkill": (234, 131),
    "kill": (62, 129),
}
# They start another program and wait for it.
PROGRAMS: Numbers = {
    "execve": (59, 221), "fork": (57, None), "vfork": (58, None), "wait4": (61, 260),
    "waitid": (247, 95),
}
# fmt: on


def this_machine() -> Machine | None:
    """The processor of this process; None where it is not known here.

    A process of 32 bits on a kernel of 64 has other numbers.
    """
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return None
    return MACHINES.get(os.uname().machine)


Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant

_LOAD, _EQUAL, _GREATER, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_X32 = 0x40000000  # the numbers of calls with short pointers on x86_64, which nobody needs
_ALLOW: Instruction = (_RETURN, 0, 0, 0x7FFF0000)
_REFUSED = 0x00050000  # with the number of an error

_SET_MODE_FILTER = 1
_ALL_THREADS = 1

# O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_TMPFILE (without O_DIRECTORY, which is part of it)
_TO_WRITE = 0o3 | 0o100 | 0o1000 | 0o20000000
_TERMINAL_OR_LENGTH = (0x5401, 0x5450, 0x5451, 0x541B, 0x5421)  # TCGETS to FIONBIO
_DESCRIPTOR = (0, 1, 2, 3, 4, 1030, 1032)  # F_DUPFD to F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ
_OWN_NAME = (3, 15, 16, 0x53564D41)  # PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA
_THREAD = 0x10000  # CLONE_THREAD
# Namespaces, and children that are somebody else's: CLONE_NEW*, _PTRACE, _PARENT, _UNTRACED.
_STRANGE_CHILD = 0x7E82A000


def offers_filters() -> bool:
    """Whether the kernel takes a filter, for the processor of this process.

    It is given one that allows all, for the thread that asks, which must be without a way to new
    privileges (`PR_SET_NO_NEW_PRIVS`).
    """
    machine = this_machine()
    return machine is not None and _install(machine, [_ALLOW], 0)


def install_filter(*, runs_programs: bool) -> bool:
    """Have the kernel deny all threads of this process, permanently, every call not on the list.

    It must be without a way to new privileges (`PR_SET_NO_NEW_PRIVS`).

    Args:
        runs_programs: It may start other programs; they have the same filter.

    Returns:
        Whether it is in force.
    """
    machine = this_machine()
    if machine is None:
        return False
    program = filter_program(
        machine,
        process=os.getpid(),
        has_group=os.getpgrp() == os.getpid(),
        runs_programs=runs_programs,
    )
    return _install(machine, program, _ALL_THREADS)


def _install(machine: Machine, program: Sequence[Instruction], flags: int) -> bool:
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    described = struct.pack("@HP", len(program), ctypes.addressof(buffer))
    return not _libc().syscall(machine.seccomp, _SET_MODE_FILTER, flags, described)


def filter_program(
    machine: Machine, *, process: int, has_group: bool, runs_programs: bool
) -> list[Instruction]:
    """The filter, in the instructions of the classic Berkeley packet filter.

    Args:
        machine: The processor it is for.
        process: The number of the process that it is for.
        has_group: The process leads a group of its own.
        runs_programs: The process may start other programs.
    """
    # What makes a thread can make nothing but one of this process.
    only_threads = [_load(0), (_ANY_BIT, 1, 0, _THREAD), _refused(errno.EPERM), _ALLOW]
    blocks = {
        "open": _refuse_bits(1, _TO_WRITE),
        "openat": _refuse_bits(2, _TO_WRITE),
        "ioctl": _allow_values(1, _TERMINAL_OR_LENGTH, errno.ENOTTY),
        "fcntl": _allow_values(1, _DESCRIPTOR),
        "prctl": _allow_values(0, _OWN_NAME),
        "prlimit64": _allow_values(0, (0,)),
        "clone": _refuse_bits(0, _STRANGE_CHILD) if runs_programs else only_threads,
        "tgkill": _allow_values(0, (process,)),
        "kill": _allow_values(0, (0, process) if runs_programs and has_group else (process,)),
    }
    column = machine.column
    allowed = [*ALWAYS.values(), *(PROGRAMS.values() if runs_programs else ())]
    return [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine.audit),
        _refused(errno.ENOSYS),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        _refused(errno.ENOSYS),
        *(
            instruction
            for name, numbers in CHECKED.items()
            if (number := numbers[column]) is not None
            for instruction in [(_EQUAL, 0, len(blocks[name]), number), *blocks[name]]
        ),
        *_allow_numbers(numbers[column] for numbers in allowed),
        _refused(errno.ENOSYS),
    ]


def _refused(error: int) -> Instruction:
    return (_RETURN, 0, 0, _REFUSED | error)


def _load(argument: int) -> Instruction:
    """Its lower half: all these arguments are numbers of 32 bits to the kernel."""
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * argument)


def _refuse_bits(argument: int, bits: int) -> list[Instruction]:
    return [_load(argument), (_ANY_BIT, 0, 1, bits), _refused(errno.EPERM), _ALLOW]


def _allow_values(
    argument: int, values: Sequence[int], error: int = errno.EPERM
) -> list[Instruction]:
    compared = [(_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [_load(argument), *compared, _refused(error), _ALLOW]


def _allow_numbers(numbers: Iterable[int | None]) -> Iterable[Instruction]:
    """Allow some calls, in as few comparisons as they have gaps."""
    wanted = sorted(number for number in numbers if number is not None)
    gaps = [index for index, (low, high) in enumerate(pairwise(wanted), 1) if high > low + 1]
    for start, end in pairwise([0, *gaps, len(wanted)]):
        yield (_AT_LEAST, 0, 2, wanted[start])
        yield (_GREATER, 1, 0, wanted[end - 1])
        yield _ALLOW


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on every processor
_RULESET_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
# What each version can refuse: rights on files, on TCP, and what stays within the own domain.
_FILES = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_TCP = {4: 0b11}
_SCOPES = {6: 0b11}


def landlock_version() -> int:
    """The version of Landlock that the kernel has; 0 where it has none, or keeps it off."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE, None, 0, _RULESET_VERSION)))


def forbid_other_files(readable: Iterable[Path], executable: Iterable[Path]) -> bool:
    """Refuse this thread, and those it starts, all files but some; none can be written.

    It must be without a way to new privileges (`PR_SET_NO_NEW_PRIVS`).

    Args:
        readable: Files, and folders with all that is in them; what is missing is left out.
        executable: Files that may be started as programs, and read.

    Returns:
        Whether it is in force.
    """
    version = landlock_version()
    if not version:
        return False
    handled = [
        sum(bits for since, bits in rights.items() if since <= version)
        for rights in (_FILES, _TCP, _SCOPES)
    ]
    attributes = struct.pack("=QQQ", *handled)  # an older kernel takes a longer one with zeros
    rules = _libc().syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(rules, path, _READ_FILE | _READ_FOLDER)
        for path in executable:
            _allow(rules, path, _READ_FILE | _EXECUTE)
        return not _libc().syscall(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    with contextlib.suppress(OSError):
        directory = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(directory).st_mode):
                rights &= ~_READ_FOLDER
            _libc().syscall(_ADD, rules, _PATH_BENEATH, struct.pack("=Qi", rights, directory), 0)
        finally:
            os.close(directory)


_SET_DUMPABLE, _SET_NO_NEW_PRIVILEGES = 4, 38  # of prctl


class Confinement(NamedTuple):
    """What holds a reader process.

    Attributes:
        landlock: The version of Landlock; 0 where there is none.
        seccomp: Whether its calls are filtered.
    """

    landlock: int
    seccomp: bool

    def sentence(self) -> str:
        """What a file can do that was made to take over its reader, for the user."""
        if self.landlock and self.seccomp:
            return gettext(
                "Files are read by processes that Landlock {landlock} and seccomp confine: a "
                "file that takes one over reaches no other file of yours and no network.",
                landlock=self.landlock,
            )
        if self.landlock:
            return gettext(
                "Files are read by processes that Landlock {landlock} confines, without "
                "seccomp: a file that takes one over reaches no other file of yours, but "
                "perhaps the network.",
                landlock=self.landlock,
            )
        if self.seccomp:
            return gettext(
                "Files are read by processes that seccomp confines, without Landlock: a file "
                "that takes one over can read your other files, but change and send nothing."
            )
        return gettext(
            "Files are read by processes that this system does not confine: a file that takes "
            "one over can do what you can."
        )


def confinement_here() -> Confinement:
    """What this system has; tried, because a kernel may have what a container does not let it do.

    What is tried holds one thread only, which does nothing else.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_tried).result()


def _tried() -> Confinement:
    if sys.platform != "linux":
        return Confinement(0, seccomp=False)
    _libc().prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    version = landlock_version()
    return Confinement(version if forbid_other_files((), ()) else 0, offers_filters())


def confine(*, runs_programs: bool) -> None:
    """Hold this process, and all that it starts, for ever, with what the system has.

    No other thread may run yet.

    Args:
        runs_programs: It reads scans, and may start Tesseract for that.
    """
    if sys.platform != "linux":
        return
    _libc().prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    # Another reader cannot look into it, and no core is written.
    _libc().prctl(_SET_DUMPABLE, 0, 0, 0, 0)
    readable = files_to_read()
    started, needed = files_of_tesseract() if runs_programs else ([], [])
    if started:
        readable += needed
        signal.signal(signal.SIGUSR1, _unmoved)
    forbid_other_files(readable, started)
    install_filter(runs_programs=bool(started))


def _unmoved(number: int, frame: object) -> None:
    """This process goes on; what it started, which has no such handler, ends by the signal."""
