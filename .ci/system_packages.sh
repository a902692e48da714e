#!/bin/sh
# Sees to what Neardup needs from the system and pip cannot bring: Python's own venv module and the
# shared libraries that Qt loads. Asks the loader's cache, so it costs nothing when all is there.
# As root on Debian or Ubuntu it installs what is missing; otherwise it prints the line that does.
#   usage: sh .ci/system_packages.sh NEED...    (needs: see the functions below)
set -eu

[ "$(uname -s)" = Linux ] || exit 0
PATH=$PATH:/usr/sbin:/sbin # an ordinary user of Debian does not find ldconfig
libraries=$(ldconfig -p 2>/dev/null) || libraries=
missing= # what to tell people who have no apt
packages=

lacks() { # lacks WHAT PACKAGE
    missing="$missing $1"
    case " $packages " in
        *" $2 "*) ;;
        *) packages="$packages $2" ;;
    esac
}

library() { # library SONAME PACKAGE; a system without a cache cannot be asked
    case "$libraries" in
        '' | *"	$1 ("*) ;;
        *) lacks "$1" "$2" ;;
    esac
}

program() { # program NAME PACKAGE
    command -v "$1" >/dev/null || lacks "$1" "$2"
}

need_python() {
    if python=$(sh .ci/find_python.sh 2>/dev/null); then
        # Debian splits ensurepip off into a package of its own.
        "$python" -c 'import ensurepip, venv' 2>/dev/null ||
            lacks "Python's venv" "$("$python" -c 'import sys; print("python3.%d-venv" % sys.version_info[1])')"
    elif [ -z "${PYTHON:-}" ] && ! command -v python3 >/dev/null; then
        lacks python3 python3
        lacks "Python's venv" python3-venv
    fi # a Python that is too old is for setup.sh to tell
}

need_offscreen() { # Qt without a screen
    library libGL.so.1 libgl1
    library libEGL.so.1 libegl1
    library libglib-2.0.so.0 libglib2.0-0
    library libfontconfig.so.1 libfontconfig1
    library libxkbcommon.so.0 libxkbcommon0
    library libdbus-1.so.3 libdbus-1-3
}

need_x11() { # a window on X; further libraries come as dependencies of these
    need_offscreen
    library libxkbcommon-x11.so.0 libxkbcommon-x11-0
    library libxcb-cursor.so.0 libxcb-cursor0
    library libxcb-icccm.so.4 libxcb-icccm4
    library libxcb-keysyms.so.1 libxcb-keysyms1
    library libxcb-shape.so.0 libxcb-shape0
}

need_wayland() { # a window on a Wayland session that has no X
    need_offscreen
    library libwayland-cursor.so.0 libwayland-cursor0
    library libwayland-egl.so.1 libwayland-egl1
}

need_end_to_end() { # a screen of our own, real keys and mouse, and a font with Chinese letters
    need_x11
    program Xvfb xvfb
    program dbus-daemon dbus-daemon
    [ -e /usr/share/dbus-1/services/org.a11y.Bus.service ] || lacks at-spi-bus-launcher at-spi2-core
    program xdotool xdotool
    [ -e /usr/share/fonts/truetype/wqy ] || lacks "a Chinese font" fonts-wqy-microhei
}

java_version() { # of the Java that Spark would take; nothing where there is none
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 |
        sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
}

java_package() { # the oldest that will do, of those that this release has
    [ "$(id -u)" != 0 ] || apt-get -qq update >/dev/null 2>&1 || true
    for version in 17 21 25; do
        name=openjdk-$version-jre-headless
        [ -z "$(apt-cache --quiet search --names-only "^$name\$" 2>/dev/null)" ] || break
        name=default-jre-headless
    done
    echo $name
}

need_java() { # Spark 4, which only tests start
    version=$(java_version)
    [ "${version:-0}" -ge 17 ] || lacks "Java 17 or newer" "$(java_package)"
}

need_report_readers() { # programs that open reports, in tests
    command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
        program chromium chromium
    program soffice libreoffice-calc-nogui
    program pdftotext poppler-utils
}

install() { # as root, with apt
    echo "Installing system packages (once):$packages"
    export DEBIAN_FRONTEND=noninteractive
    # A source that cannot be reached need not matter: the installation decides.
    apt-get -qq update || true
    # shellcheck disable=SC2086 # the list is meant to be split
    apt-get -qq -o DPkg::Lock::Timeout=120 install --yes --no-install-recommends $packages >/dev/null
}

for need in "$@"; do
    "need_$need"
done

if [ -z "$packages" ]; then
    exit 0
elif ! command -v apt-get >/dev/null; then
    # Other systems name their packages differently, and may keep libraries elsewhere: only a hint.
    echo "Not found on this system, Neardup may not start without:$missing" >&2
elif [ "$(id -u)" = 0 ]; then
    install
else
    echo "Neardup needs system packages that are not installed. Type this, then try again:" >&2
    echo "  sudo apt-get update && sudo apt-get install --no-install-recommends$packages" >&2
    exit 1
fi
