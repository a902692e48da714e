"""The list of calls as the kernel would run it, for every processor that is known."""

from __future__ import annotations

import errno
import re
import sys
from pathlib import Path

import pytest

from core.documents.isolation.confinement import ALWAYS, CHECKED, MACHINES, PROGRAMS, filter_program

ALLOWED = 0x7FFF0000
REFUSED = 0x00050000
LOAD, EQUAL, GREATER, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
TESTS = {
    EQUAL: lambda held, constant: held == constant,
    GREATER: lambda held, constant: held > constant,
    AT_LEAST: lambda held, constant: held >= constant,
    ANY_BIT: lambda held, constant: bool(held & constant),
}
OWN = 4321  # the number of the process
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", {}),
    "aarch64": ("/usr/include/asm-generic/unistd.h", {"newfstatat": "fstatat"}),
}


def run(program, data):
    """What the kernel does with a call; `data` are the words of struct seccomp_data by offset."""
    held = place = 0
    while True:
        code, if_true, if_false, constant = program[place]
        place += 1
        if code == RETURN:
            return constant
        if code == LOAD:
            held = data.get(constant, 0)
        else:
            place += if_true if TESTS[code](held, constant) else if_false


def decided(machine, name, *arguments, audit=None, offset=0, **how):
    """0 for a call that is allowed, or the number of an error."""
    program = filter_program(
        machine, process=OWN, **{"has_group": True, "runs_programs": False, **how}
    )
    numbers = {**ALWAYS, **CHECKED, **PROGRAMS, **OTHERS}
    data = {0: numbers[name][machine.column] + offset, 4: audit or machine.audit}
    for place, argument in enumerate(arguments):
        data[16 + 8 * place] = argument & 0xFFFFFFFF
        data[20 + 8 * place] = argument >> 32 & 0xFFFFFFFF
    result = run(program, data)
    return 0 if result == ALLOWED else result - REFUSED


OTHERS = {
    "socket": (41, 198), "connect": (42, 203), "ptrace": (101, 117), "unlinkat": (263, 35),
    "process_vm_readv": (310, 270), "memfd_create": (319, 279), "execveat": (322, 281),
    "clone3": (435, 435), "openat2": (437, 437), "io_uring_setup": (425, 425), "bpf": (321, 280),
    "setsid": (112, 157), "setpgid": (109, 154), "kexec_load": (246, 104), "future": (999, 999),
}  # fmt: skip
machines = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


@machines
@pytest.mark.parametrize("runs_programs", [False, True])
def test_every_call_is_decided_as_its_list_says(machine, runs_programs):
    allowed = {numbers[machine.column] for numbers in ALWAYS.values()}
    if runs_programs:
        allowed |= {numbers[machine.column] for numbers in PROGRAMS.values()}
    checked = {numbers[machine.column] for numbers in CHECKED.values()}
    program = filter_program(machine, process=OWN, has_group=True, runs_programs=runs_programs)

    for number in set(range(1200)) - checked:
        result = run(program, {0: number, 4: machine.audit})

        assert result == (ALLOWED if number in allowed else REFUSED | errno.ENOSYS), number


@machines
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("runs_programs", [False, True])
def test_what_does_harm_is_refused_to_every_reader(machine, name, runs_programs):
    assert decided(machine, name, runs_programs=runs_programs) == errno.ENOSYS


@machines
@pytest.mark.parametrize("flags", [0o1, 0o2, 0o3, 0o100, 0o1000, 0o20200000, 0o2000002])
def test_nothing_is_opened_for_writing(machine, flags):
    assert decided(machine, "openat", -100, 0x1234, flags) == errno.EPERM
    assert decided(machine, "openat", -100, 0x1234, 0o2000000) == 0


@machines
def test_a_reader_makes_threads_and_only_one_for_scans_makes_processes(machine):
    thread, process, stranger = 0x3D0F00, 17, 0x10000011

    assert decided(machine, "clone", thread) == 0
    assert decided(machine, "clone", process) == errno.EPERM
    assert decided(machine, "clone", stranger) == errno.EPERM
    assert decided(machine, "clone", process, runs_programs=True) == 0
    assert decided(machine, "clone", stranger, runs_programs=True) == errno.EPERM
    assert decided(machine, "execve") == errno.ENOSYS
    assert decided(machine, "execve", runs_programs=True) == 0


@machines
def test_signals_reach_only_the_reader_and_its_group(machine):
    everybody, group = -1, 0

    for runs_programs in (False, True):
        assert decided(machine, "kill", OWN, 9, runs_programs=runs_programs) == 0
        assert decided(machine, "kill", 1, 9, runs_programs=runs_programs) == errno.EPERM
        assert decided(machine, "kill", everybody, 9, runs_programs=runs_programs) == errno.EPERM
        assert decided(machine, "tgkill", 1, 1, 9, runs_programs=runs_programs) == errno.EPERM
    assert decided(machine, "kill", group, 9) == errno.EPERM
    assert decided(machine, "kill", group, 9, runs_programs=True) == 0
    assert decided(machine, "kill", group, 9, runs_programs=True, has_group=False) == errno.EPERM


@machines
def test_limits_descriptors_and_terminals_are_only_its_own(machine):
    assert decided(machine, "prlimit64", 0, 7, 0x1234) == 0
    assert decided(machine, "prlimit64", 1, 7, 0x1234) == errno.EPERM
    assert decided(machine, "fcntl", 3, 1) == 0
    assert decided(machine, "fcntl", 3, 8) == errno.EPERM  # F_SETOWN: whom to signal
    assert decided(machine, "ioctl", 0, 0x5401) == 0
    assert decided(machine, "ioctl", 0, 0x5412) == errno.ENOTTY  # TIOCSTI: type for the user
    assert decided(machine, "prctl", 15) == 0
    assert decided(machine, "prctl", 4) == errno.EPERM  # PR_SET_DUMPABLE


@machines
def test_other_ways_to_call_the_kernel_are_refused(machine):
    assert decided(machine, "read") == 0
    assert decided(machine, "read", audit=0x40000003) == errno.ENOSYS  # a program of 32 bits
    assert decided(machine, "read", offset=0x40000000) == errno.ENOSYS  # x32


@pytest.mark.parametrize("name", MACHINES)
def test_the_numbers_are_those_of_the_system_headers(name):
    path, other_names = HEADERS[name]
    if sys.platform != "linux" or not Path(path).exists():
        pytest.skip(f"needs {path}")
    defined = dict(re.findall(r"__NR(?:3264)?_(\w+) (\d+)", Path(path).read_text()))

    for call, numbers in {**ALWAYS, **CHECKED, **PROGRAMS, **OTHERS}.items():
        number = numbers[MACHINES[name].column]
        known = defined.get(other_names.get(call, call))

        assert known is None or number == int(known), call
        # A header may be older than a call, and the generic one leaves out what is out of use.
        assert number is None or known is not None or number > 436, call
