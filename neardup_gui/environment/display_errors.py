"""Why no window can be opened, and what to do about it; imports nothing of Qt.

Qt says the same of a display that is not there, one that does not answer, and libraries that are
missing: "no Qt platform plugin could be initialized". What is the case is asked of the environment
and of the system's loader.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from core.base.messages import N_, gettext

# What Qt loads from the system, and in which package of Debian and Ubuntu it is.
EVERYWHERE = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
}
LIBRARIES: Mapping[str, Mapping[str, str]] = {
    "offscreen": EVERYWHERE,
    "xcb": {
        **EVERYWHERE,
        "libX11.so.6": "libx11-6",
        "libX11-xcb.so.1": "libx11-xcb1",
        "libxcb.so.1": "libxcb1",
        "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
        "libxcb-cursor.so.0": "libxcb-cursor0",
        "libxcb-icccm.so.4": "libxcb-icccm4",
        "libxcb-image.so.0": "libxcb-image0",
        "libxcb-keysyms.so.1": "libxcb-keysyms1",
        "libxcb-randr.so.0": "libxcb-randr0",
        "libxcb-render.so.0": "libxcb-render0",
        "libxcb-render-util.so.0": "libxcb-render-util0",
        "libxcb-shape.so.0": "libxcb-shape0",
        "libxcb-shm.so.0": "libxcb-shm0",
        "libxcb-sync.so.1": "libxcb-sync1",
        "libxcb-util.so.1": "libxcb-util1",
        "libxcb-xfixes.so.0": "libxcb-xfixes0",
        "libxcb-xkb.so.1": "libxcb-xkb1",
    },
    "wayland": {
        **EVERYWHERE,
        "libwayland-client.so.0": "libwayland-client0",
        "libwayland-cursor.so.0": "libwayland-cursor0",
        "libwayland-egl.so.1": "libwayland-egl1",
    },
}
CHOICE = "QT_QPA_PLATFORM"
NO_PLATFORM = "no Qt platform plugin could be initialized"
KNOWN = re.compile(r"Available platform plugins are: ([^.]*)")
# How the loader begins: "libxcb-icccm.so.4: cannot open shared object file", "…: file too short".
NAMED = re.compile(r"(?:^|/)([^/\s:]+\.so[.\d]*): ")
WITHOUT = N_("Without a window, scan like this:")
COMMAND = "neardup scan FOLDER --report report.html"


def reason(message: str, environment: Mapping[str, str] = os.environ) -> str:
    """The text to write when Qt ends the process or cannot be imported.

    Args:
        message: Its last words, or the loader's.
        environment: Of the process.
    """
    return f"neardup: {_cause(message, environment)}\n{gettext(WITHOUT)}\n    {COMMAND}\n"


def is_about_libraries(error: ImportError) -> bool:
    """Whether Qt cannot be imported because libraries of the system are missing."""
    return "PySide6" in sys.modules and NAMED.search(str(error)) is not None


def _cause(message: str, environment: Mapping[str, str]) -> str:
    no_platform, unloaded = NO_PLATFORM in message, NAMED.search(message) is not None
    chosen = [name.split(":")[0] for name in environment.get(CHOICE, "").split(";") if name]
    has_display = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    if (no_platform or unloaded) and not chosen and not has_display:
        return gettext("There is no display to open a window on.")
    known = KNOWN.search(message)
    if known and chosen and not set(chosen) & set(known[1].split(", ")):
        return gettext(
            "{variable} is “{value}”, and Qt knows no such platform. Unset it.",
            variable=CHOICE,
            value=environment[CHOICE],
        )
    refusals = [_plugin_refusal(name) for name in chosen or _usual(environment)]
    missing = _missing(message, chosen or _usual(environment))
    if missing:
        return _to_install(missing)
    if no_platform and not all(refusals):
        return _unreachable(chosen, environment)
    words = next(filter(None, refusals), message).strip().rstrip(".")
    sentence = gettext("Qt could not open a window: {reason}.", reason=words)
    if not chosen:
        return sentence
    value = environment[CHOICE]
    return f"{sentence} " + gettext(
        "{variable} is “{value}”: unset it.", variable=CHOICE, value=value
    )


def _usual(environment: Mapping[str, str]) -> list[str]:
    """The platforms that Qt tries by default."""
    names = []
    if environment.get("WAYLAND_DISPLAY") or environment.get("XDG_SESSION_TYPE") == "wayland":
        names.append("wayland")
    if environment.get("DISPLAY") or not names:
        names.append("xcb")
    return names


def _unreachable(chosen: Sequence[str], environment: Mapping[str, str]) -> str:
    """The sentence on a display that does not answer."""
    x, wayland = environment.get("DISPLAY"), environment.get("WAYLAND_DISPLAY")
    value = environment.get(CHOICE)
    if chosen and "xcb" not in chosen:
        sentence = gettext(
            "{variable} is “{value}”, and no such display answers.", variable=CHOICE, value=value
        )
        remedy = gettext("Unset it, and the window opens on DISPLAY.") if x else ""
        return f"{sentence} {remedy}".strip()
    if chosen and not x:
        return gettext(
            "{variable} is “{value}”, and DISPLAY is not set: there is no display to open a window "
            "on.",
            variable=CHOICE,
            value=value,
        )
    if x:
        return gettext(
            "The display “{name}” (DISPLAY) does not answer, or does not let this user in.", name=x
        )
    return gettext("The display “{name}” (WAYLAND_DISPLAY) does not answer.", name=wayland)


def _missing(message: str, platforms: Sequence[str]) -> dict[str, str]:
    """Libraries that cannot be loaded, and their packages; "" if the package is not known.

    Of several platforms that lack some the one that lacks least. One that lacks none does not
    answer, and will not.
    """
    if sys.platform != "linux":
        return {}
    libraries = []
    for platform in platforms:
        known = LIBRARIES.get(_family(platform), EVERYWHERE)
        lacking = {name: package for name, package in known.items() if not _loads(name)}
        for words in (message, _plugin_refusal(platform)):
            for name in NAMED.findall(words):
                if not _loads(name):
                    lacking.setdefault(name, known.get(name, ""))
        libraries.append(lacking)
    return min(filter(None, libraries), key=len, default={})


def _family(platform: str) -> str:
    """The platform of a plugin's name: "wayland-egl" is Wayland."""
    return platform.split("-", maxsplit=1)[0]


def _loads(name: str) -> bool:
    return not _refusal(name)


def _refusal(name: str) -> str:
    """The loader's error for a library; empty if it loads."""
    try:
        ctypes.CDLL(name)
    except OSError as error:
        return str(error)
    return ""


def _plugin_refusal(platform: str) -> str:
    """The loader's error for the plugin of a platform; empty if it is not from pip."""
    with suppress(ImportError, ValueError):
        spec = find_spec("PySide6")
        for folder in (spec.submodule_search_locations if spec else None) or ():
            path = Path(folder, "Qt", "plugins", "platforms", f"libq{_family(platform)}.so")
            if path.exists():
                return _refusal(str(path))
    return ""


def _to_install(missing: Mapping[str, str]) -> str:
    """The missing libraries, and the command that installs them."""
    packages = sorted({package for package in missing.values() if package})
    lines = [gettext("Qt cannot open a window. These libraries are missing, or cannot be loaded:")]
    lines.append(f"    {' '.join(missing)}")
    if packages and shutil.which("apt-get"):
        sudo = "" if getattr(os, "geteuid", lambda: 1)() == 0 else "sudo "
        lines.append(gettext("Install them like this:"))
        lines.append(
            f"    {sudo}apt-get update && {sudo}apt-get install --no-install-recommends "
            f"{' '.join(packages)}"
        )
    else:
        lines.append(gettext("Install the packages of your system that hold them."))
    return "\n".join(lines)
