"""Packs the folder of a bundle as each system installs programs.

On Linux as `.tar.xz`, with dpkg-deb as `.deb`, with appimagetool as AppImage; on Windows with the
compiler of Inno Setup, iscc, as a program that installs it; on macOS with hdiutil as a disk image.
A tool that is not there is done without. AppImage, Windows and macOS were never tried.
"""

from __future__ import annotations

import os
import platform
import plistlib
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

PACKAGING = Path(__file__).with_name("packaging")
ICON = PACKAGING.parents[1] / "resources" / "icons" / "neardup.svg"
REVIEW = "org.neardup.review"  # as macOS names the kind of a file


def pack(folder: Path, version: str, epoch: int) -> Iterator[Path]:
    """Pack it for its system; `epoch` is the date of what is made.

    Yields:
        What was made, one after the other.
    """
    if sys.platform == "linux":
        yield archive(folder)
        yield from debian_package(folder, version, epoch)
        yield from app_image(folder)
    elif sys.platform == "win32":
        yield from windows_installer(folder, version)
    else:
        yield from disk_image(folder, version)


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


def debian_package(folder: Path, version: str, epoch: int) -> Iterator[Path]:
    """Make the `.deb`, where there is dpkg-deb."""
    if shutil.which("dpkg-deb") is None:
        return
    root = folder.parent / "debian"
    shutil.rmtree(root, ignore_errors=True)
    installed = root / "usr" / "lib" / "neardup"
    installed.parent.mkdir(parents=True)
    shutil.copytree(folder, installed, symlinks=True)
    shutil.move(installed / "share", root / "usr" / "share")
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "neardup").symlink_to("../lib/neardup/bin/neardup")
    (root / "DEBIAN").mkdir()
    printed = subprocess.run(
        ("dpkg", "--print-architecture"), check=True, capture_output=True, text=True
    )
    architecture = printed.stdout.strip()
    control = (
        (PACKAGING / "control")
        .read_text("utf-8")
        .format(
            version=version,
            architecture=architecture,
            kilobytes=sum(path.lstat().st_size for path in installed.rglob("*")) // 1024,
            libc=platform.libc_ver()[1],
        )
    )
    (root / "DEBIAN" / "control").write_text(control, "utf-8")
    package = folder.parent / f"neardup_{version}_{architecture}.deb"
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
    _run(
        "dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", str(root), str(package),
        environment=environment,
    )  # fmt: skip
    shutil.rmtree(root)
    yield package


def app_image(folder: Path) -> Iterator[Path]:
    """Make the AppImage, where there is appimagetool: the folder, with names at its top."""
    if shutil.which("appimagetool") is None:
        return
    root = folder.with_name("neardup.AppDir")
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(folder, root, symlinks=True, copy_function=os.link)
    (root / "AppRun").symlink_to("bin/neardup")
    (root / "neardup.desktop").symlink_to("share/applications/neardup.desktop")
    shutil.copy2(ICON, root)
    image = folder.with_name(f"{folder.name}.AppImage")
    _run("appimagetool", str(root), str(image))
    shutil.rmtree(root)
    yield image


def windows_installer(folder: Path, version: str) -> Iterator[Path]:
    """Make the program that installs it, where there is iscc."""
    if shutil.which("iscc") is None:
        return
    draw_icon(folder / "neardup.ico")
    defined = {"Version": version, "Folder": folder, "Output": folder.parent, "Name": folder.name}
    _run("iscc", *(f"/D{name}={value}" for name, value in defined.items()),
         str(PACKAGING / "neardup.iss"))  # fmt: skip
    yield folder.with_name(f"{folder.name}.exe")


def disk_image(folder: Path, version: str) -> Iterator[Path]:
    """Make the disk image with the application, to be dragged into the folder of all others."""
    if shutil.which("hdiutil") is None:
        return
    root = folder.with_name("dmg")
    shutil.rmtree(root, ignore_errors=True)
    contents = root / "Neardup.app" / "Contents"
    shutil.copytree(folder, contents, symlinks=True)
    (contents / "bin").rename(contents / "MacOS")
    (contents / "Resources").mkdir()
    draw_icon(contents / "Resources" / "neardup.icns")
    kind = {
        "CFBundleTypeName": "Neardup review",
        "CFBundleTypeRole": "Editor",
        "LSItemContentTypes": [REVIEW],
    }
    declared = {
        "UTTypeIdentifier": REVIEW,
        "UTTypeDescription": "Neardup review",
        "UTTypeConformsTo": ["public.data"],
        "UTTypeTagSpecification": {"public.filename-extension": ["neardup"]},
    }
    plist = {
        "CFBundleDocumentTypes": [kind],
        "CFBundleExecutable": "neardup",
        "CFBundleIconFile": "neardup.icns",
        "CFBundleIdentifier": "org.neardup.neardup",
        "CFBundleName": "Neardup",
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "NSHighResolutionCapable": True,
        "UTExportedTypeDeclarations": [declared],
    }
    (contents / "Info.plist").write_bytes(plistlib.dumps(plist))
    (root / "Applications").symlink_to("/Applications")
    image = folder.with_name(f"{folder.name}.dmg")
    _run("hdiutil", "create", "-volname", "Neardup", "-srcfolder", str(root), "-ov",
         "-format", "ULMO", str(image))  # fmt: skip
    shutil.rmtree(root)
    yield image


def draw_icon(path: Path) -> None:
    """Draw the icon as its ending says."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication, QIcon  # noqa: PLC0415 - Linux needs it not

    application = QGuiApplication([])
    assert QIcon(str(ICON)).pixmap(256, 256).toImage().save(str(path)), path
    application.quit()


def _run(*command: str, environment: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, env=environment)
