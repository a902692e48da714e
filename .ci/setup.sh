#!/bin/sh
# Sets up what one of make's targets needs: system packages, then .venv with everything that
# pyproject.toml asks for. Done once; the next time it only looks.
#   usage: sh .ci/setup.sh run|test|check
set -eu

record=.venv/neardup-setup # what it was made from
axe=4.14.1 # the version of axe-core
venv_python=.venv/bin/python

place() { # a virtual environment survives neither being moved nor losing its Python
    pwd -P
    readlink -f $venv_python
}

is_wanted() { # without PYTHON=, the Python that .venv has will do
    [ -z "${PYTHON:-}" ] || [ "$(readlink -f $venv_python)" = "$(
        "$PYTHON" -c 'import os, sys; print(os.path.realpath(sys._base_executable))' 2>/dev/null
    )" ]
}

is_ready() {
    [ -x $venv_python ] && is_wanted &&
        [ "$(cat $record 2>/dev/null)" = "$(place && cksum <pyproject.toml)" ]
}

is_usable() { # for pip to bring up to date
    [ -x $venv_python ] && is_wanted &&
        { [ ! -e $record ] || [ "$(head -n 2 $record)" = "$(place)" ]; } &&
        PYTHON=$venv_python sh .ci/find_python.sh >/dev/null 2>&1 &&
        $venv_python -m pip --version >/dev/null 2>&1
}

make_environment() {
    python=
    is_usable || python=$(sh .ci/find_python.sh)
    echo "Setting up the virtual environment (once, about two minutes) ..."
    [ -z "$python" ] || "$python" -m venv --clear .venv
    rm -f $record
    $venv_python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
    { place && cksum <pyproject.toml; } >$record
    .venv/bin/neardup prepare || true # the first scan compiles what is missing
}

window() { # what a window needs here: nothing where there is no display, or the system brings it
    if [ -n "${DISPLAY:-}" ]; then
        echo x11
    elif [ -n "${WAYLAND_DISPLAY:-}" ]; then
        echo wayland
    fi
}

# Whoever cannot install packages can still run the other tests; the build server runs them all.
end_to_end() {
    if [ "$(id -u)" = 0 ] || [ "${CI:-}" = true ]; then
        echo end_to_end
    fi
}

report_readers() { # tests that need what is not to be had are skipped, but for those on CI
    sh .ci/system_packages.sh report_readers || echo "Some readers of reports are missing." >&2
    grep -qs "\"version\": \"$axe\"" .venv/node_modules/axe-core/package.json || {
        command -v npm >/dev/null &&
            npm install --prefix .venv --no-save --no-package-lock --no-audit --no-fund \
                --ignore-scripts --loglevel error "axe-core@$axe" >/dev/null
    } || echo "axe-core, which checks whether pages are accessible, is missing." >&2
}

case $1 in
    run) needs=$(window) ;;
    test) needs="offscreen $(end_to_end)" ;;
    check) needs= ;;
esac
is_ready || needs="python $needs"
# shellcheck disable=SC2086 # the list is meant to be split
sh .ci/system_packages.sh $needs
is_ready || make_environment
[ "$1" != test ] || [ -z "$(end_to_end)" ] || report_readers
