"""What a reader process might try that was taken over by a file: each attempt is a program.

It sets `got` to what it gained, or raises OSError. `these` are the things it goes for.
"""

from typing import NamedTuple

LANDLOCK, SECCOMP = "Landlock", "seccomp"

PRELUDE = """
import ctypes, errno, fcntl, mmap, os, resource, signal, socket, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def call(on_x86_64, elsewhere, *arguments):
    number = on_x86_64 if os.uname().machine == "x86_64" else elsewhere
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    if result < 0 and ctypes.get_errno() in (errno.ENOSYS, errno.EPERM):
        checked(result)
    return "the kernel looked at it"

def parents_memory(address, size):
    class Piece(ctypes.Structure):
        _fields_ = [("address", ctypes.c_void_p), ("size", ctypes.c_size_t)]
    buffer = ctypes.create_string_buffer(size)
    own, other = Piece(ctypes.addressof(buffer), size), Piece(address, size)
    pieces = ctypes.byref(own), ctypes.c_ulong(1), ctypes.byref(other), ctypes.c_ulong(1)
    checked(libc.process_vm_readv(os.getppid(), *pieces, ctypes.c_ulong(0)))
    return buffer.raw.decode()

"""


class Attempt(NamedTuple):
    """Something to try.

    Attributes:
        program: Python statements.
        held_by: The parts of the kernel each of which refuses it.
        since: The version of Landlock that does, where it is one of them.
        everywhere: Every Linux lets an unconfined process do it.
    """

    program: str
    held_by: frozenset[str]
    since: int = 1
    everywhere: bool = True


def both(program, since=1):
    return Attempt(program, frozenset({LANDLOCK, SECCOMP}), since)


def landlock(program):
    return Attempt(program, frozenset({LANDLOCK}))


def seccomp(program, *, everywhere=True):
    return Attempt(program, frozenset({SECCOMP}), everywhere=everywhere)


ATTEMPTS = {
    # The user's files.
    "reads a file in the home": landlock("got = open(these['secret']).read()"),
    "lists the home": landlock("got = 'secret.txt' in os.listdir(these['home'])"),
    "writes into the home": both("got = open(these['home'] + '/new', 'w').write('x')"),
    "writes into the temporary folder": both(
        "got = os.open(tempfile.gettempdir(), os.O_TMPFILE | os.O_RDWR)"
    ),
    "makes a folder": both("os.mkdir(these['home'] + '/folder'); got = True"),
    "makes a link": both("os.symlink('/', these['home'] + '/link'); got = True"),
    "changes a review": both("got = open(these['review'], 'r+b').write(b'x')"),
    "empties a review": both("os.truncate(these['review'], 0); got = True"),
    "changes who may read a review": seccomp("os.chmod(these['review'], 0o666); got = True"),
    "changes the time of a review": seccomp("os.utime(these['review'], (1, 1)); got = True"),
    "deletes a file": both("os.unlink(these['victim']); got = True"),
    "renames a file": both("os.rename(these['victim'], these['home'] + '/moved'); got = True"),
    # The network, and other programs of the user.
    "connects by TCP": both(
        "socket.create_connection(('127.0.0.1', these['tcp']), 5); got = True", since=4
    ),
    "listens by TCP": both("socket.create_server(('127.0.0.1', 0)); got = True", since=4),
    "sends by UDP": seccomp(
        "got = socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', these['udp']))"
    ),
    "reaches a display or bus by a socket file": seccomp(
        "socket.socket(socket.AF_UNIX).connect(these['socket']); got = True"
    ),
    "reaches a display or bus by an abstract socket": both(
        "socket.socket(socket.AF_UNIX).connect(chr(0) + these['abstract']); got = True", since=6
    ),
    "starts a program": both("got = subprocess.run(['/bin/echo'], check=True).returncode == 0"),
    "leaves a process behind": seccomp(
        "child = os.fork()\n"
        "if not child:\n"
        "    try:\n"
        "        os.setsid()\n"
        "        os._exit(0)\n"
        "    finally:\n"
        "        os._exit(1)\n"
        "if os.waitpid(child, 0)[1]:\n"
        "    raise PermissionError('It stays in the group, which is killed as a whole.')\n"
        "got = True"
    ),
    "runs a program out of memory": seccomp(
        "program = os.memfd_create('program', 0)\n"
        "os.write(program, open(these['program'], 'rb').read())\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os.execve(program, ['true'], {})\n"
        "got = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0"
    ),
    "keeps data in shared memory": both(
        "path = f'/dev/shm/neardup-{os.getpid()}'\n"
        "open(path, 'w').close()\n"
        "os.unlink(path)\n"
        "got = True"
    ),
    "keeps data in shared memory of the old kind": seccomp(
        "key = checked(libc.shmget(0, 4096, 0o600)); libc.shmctl(key, 0, None); got = True"
    ),
    # Neardup itself, and other processes.
    "reads its parent's memory through /proc": landlock(
        "with open(f'/proc/{os.getppid()}/mem', 'rb') as memory:\n"
        "    memory.seek(these['address'])\n"
        "    got = memory.read(these['size']).decode()"
    ),
    "reads its parent's memory": both("got = parents_memory(these['address'], these['size'])"),
    "reads its parent's environment": landlock(
        "got = 'PATH=' in open(f'/proc/{os.getppid()}/environ').read()"
    ),
    "looks at what its parent has open": landlock("got = os.listdir(f'/proc/{os.getppid()}/fd')"),
    "signals a process": both("os.kill(these['process'], signal.SIGUSR1); got = True", since=6),
    "holds a process": both(
        "zero = ctypes.c_void_p()\n"
        "def hold():\n"  # on a thread, with which the hold ends
        "    checked(libc.ptrace(0x4206, these['process'], zero, zero))\n"
        "with ThreadPoolExecutor(1) as threads:\n"
        "    threads.submit(hold).result()\n"
        "got = True"
    ),
    "changes the limits of a process": seccomp(
        "got = resource.prlimit(these['process'], resource.RLIMIT_NOFILE, (9, 9))"
    ),
    "has the kernel signal a process": seccomp(
        "end, other = os.pipe()\n"
        "fcntl.fcntl(end, fcntl.F_SETOWN, these['process'])\n"
        "fcntl.fcntl(end, fcntl.F_SETFL, os.O_ASYNC)\n"
        "got = fcntl.fcntl(end, fcntl.F_GETOWN) == these['process']"
    ),
    "slows a process down": seccomp(
        "os.setpriority(os.PRIO_PROCESS, these['process'], 9); got = True"
    ),
    # Parts of the kernel that no reader needs, in which faults were found before.
    "uses io_uring": seccomp("got = call(425, 425, 1, 0)", everywhere=False),
    "uses the keys of the kernel": seccomp("got = call(250, 219, 0, -3, 0)", everywhere=False),
    "loads code into the kernel": seccomp("got = call(321, 280, 0, 0, 0)", everywhere=False),
    "makes a namespace": seccomp("got = call(272, 97, 0x10000000)", everywhere=False),
    "makes a namespace in a new way": seccomp("got = call(435, 435, 0, 0)", everywhere=False),
    "mounts": seccomp("got = call(165, 40, 0, 0, 0, 0, 0)", everywhere=False),
    "handles faults of memory": seccomp("got = call(323, 282, -1)", everywhere=False),
    "measures other processes": seccomp("got = call(298, 241, 0, 0, -1, -1, 0)", everywhere=False),
    "opens a process": seccomp("got = call(434, 434, these['process'], 0)", everywhere=False),
    "opens for writing in a new way": seccomp(
        "got = call(437, 437, -1, 0, 0, 0)", everywhere=False
    ),
    "takes back a rule": seccomp("got = call(317, 277, 99, 0, 0)", everywhere=False),
    "calls the kernel as a program of 32 bits": seccomp(
        "page = mmap.mmap(-1, 4096, prot=7)\n"
        "page.write(bytes.fromhex('b814000000cd80c3'))\n"  # getpid by int 0x80
        "address = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
        "result = ctypes.CFUNCTYPE(ctypes.c_int)(address)()\n"
        "if result < 0:\n"
        "    raise OSError(-result, os.strerror(-result))\n"
        "got = result",
        everywhere=False,
    ),
}
