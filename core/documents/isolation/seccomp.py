"""What a reader may ask of the kernel: a list; whatever is not on it fails (Linux seccomp-BPF).

A list of what is allowed, not of what is refused: it also holds for calls that future kernels have.
What is not on it gives ENOSYS, on which the C library tries an older way; nothing is killed for
it. Source: the kernel's Documentation/userspace-api/seccomp_filter.rst.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Sequence
from itertools import pairwise

from core.documents.isolation.system_calls import ALWAYS, CHECKED, PROGRAMS, Machine, this_machine

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
