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

has_spark() { # which tests and types need, and the window does not
    [ -n "$(ls -d .venv/lib*/python*/site-packages/pyspark 2>/dev/null)" ]
}

is_ready() { # is_ready TARGET
    [ -x $venv_python ] && is_wanted && { [ "$1" = run ] || has_spark; } &&
        [ "$(cat $record 2>/dev/null)" = "$(place && cksum <pyproject.toml)" ]
}

is_usable() { # for pip to bring up to date
    [ -x $venv_python ] && is_wanted &&
        { [ ! -e $record ] || [ "$(head -n 2 $record)" = "$(place)" ]; } &&
        PYTHON=$venv_python sh .ci/find_python.sh >/dev/null 2>&1 &&
        $venv_python -m pip --version >/dev/null 2>&1
}

make_environment() { # make_environment TARGET
    python=
    extras=dev
    { [ "$1" = run ] && ! has_spark; } || extras=dev,spark
    is_usable || python=$(sh .ci/find_python.sh)
    echo "Setting up the virtual environment (once, about two minutes) ..."
    [ -z "$python" ] || "$python" -m venv --clear .venv
    rm -f $record
    $venv_python -m pip install --quiet --disable-pip-version-check --editable ".[$extras]"
    { place && cksum <pyproject.toml; } >$record
    # The window and a scan compile what they need beside reading; many tests at once would not.
    [ "$1" = run ] || .venv/bin/neardup prepare || true
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

java() { # tests that need it are skipped, but for those on CI; without rights, the line is printed
    if [ -n "$(end_to_end)" ]; then
        sh .ci/system_packages.sh java
    else
        sh .ci/system_packages.sh java || echo "Tests of Spark need Java and are skipped." >&2
    fi
}

compile_words() { # what another language shows; without them the program speaks English
    for words in resources/languages/*/LC_MESSAGES/neardup.po; do
        [ ! -e "$words" ] || [ "${words%.po}.mo" -nt "$words" ] || {
            $venv_python .ci/words.py --compile || echo "Other languages could not be compiled." >&2
            break
        }
    done
}

case $1 in
    run) needs=$(window) ;;
    test) needs="offscreen $(end_to_end)" ;;
    check) needs= ;;
esac
is_ready "$1" || needs="python $needs"
# shellcheck disable=SC2086 # the list is meant to be split
sh .ci/system_packages.sh $needs
is_ready "$1" || make_environment "$1"
[ "$1" != test ] || java
[ "$1" != test ] || [ -z "$(end_to_end)" ] || report_readers
[ "$1" = check ] || compile_words
