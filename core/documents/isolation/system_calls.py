"""The numbers of the system calls that readers need, on the processors that are known here.

Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
"""

from __future__ import annotations

import os
import sys
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
