"""What a reader may ask of the kernel: a list; whatever is not on it fails (Linux seccomp-BPF).

A list of what is allowed, not of what is refused: it also holds for calls that future kernels have.
What is not on it gives ENOSYS, on which the C library tries an older way; nothing is killed for
it. Source: the kernel's Documentation/userspace-api/seccomp_filter.rst.

The numbers of the system calls that readers need, on the processors that are known here.

Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


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
_ALLOWED = 0x7FFF0000
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
    return machine is not None and _install(machine, [_allow()], 0)


def install_filter(*, runs_programs: bool) -> bool:
    """Have the kernel refuse all threads of this process, for ever, what is not on the list.

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
    blocks = {
        "open": _refuse_bits(1, _TO_WRITE),
        "openat": _refuse_bits(2, _TO_WRITE),
        "ioctl": _allow_values(1, _TERMINAL_OR_LENGTH, errno.ENOTTY),
        "fcntl": _allow_values(1, _DESCRIPTOR),
        "prctl": _allow_values(0, _OWN_NAME),
        "prlimit64": _allow_values(0, (0,)),
        "clone": _refuse_bits(0, _STRANGE_CHILD) if runs_programs else _allow_threads(),
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


def _allow() -> Instruction:
    return (_RETURN, 0, 0, _ALLOWED)


def _load(argument: int) -> Instruction:
    """Its lower half: all these arguments are numbers of 32 bits to the kernel."""
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * argument)


def _refuse_bits(argument: int, bits: int) -> list[Instruction]:
    return [_load(argument), (_ANY_BIT, 0, 1, bits), _refused(errno.EPERM), _allow()]


def _allow_values(
    argument: int, values: Sequence[int], error: int = errno.EPERM
) -> list[Instruction]:
    compared = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_load(argument), *compared, _refused(error), _allow()]


def _allow_threads() -> list[Instruction]:
    """Allow what makes a thread, which can be nothing but one of this process."""
    return [_load(0), (_ANY_BIT, 1, 0, _THREAD), _refused(errno.EPERM), _allow()]


def _allow_numbers(numbers: Iterable[int | None]) -> Iterable[Instruction]:
    """Allow some calls, in as few comparisons as they have gaps."""
    wanted = sorted(number for number in numbers if number is not None)
    gaps = [place for place, (low, high) in enumerate(pairwise(wanted), 1) if high > low + 1]
    for start, end in pairwise([0, *gaps, len(wanted)]):
        yield (_AT_LEAST, 0, 2, wanted[start])
        yield (_GREATER, 1, 0, wanted[end - 1])
        yield _allow()


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
