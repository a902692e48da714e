#!/bin/sh
# Starts Neardup from the folder that this lies in, with nothing of any other Python.
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")

# The engine lies here compiled for these processors; on any other it is compiled when it is needed.
flags=" $(sed -n '/^flags/{p;q;}' /proc/cpuinfo 2>/dev/null) "
case $(uname -m) in
    x86_64)
        case $flags in
            *" avx2 "*" bmi2 "* | *" bmi2 "*" avx2 "*) processor=x86-64-v3 ;;
            *" sse4_2 "*) processor=x86-64-v2 ;;
            "  ") ;; # a system that does not say
            *)
                echo "Neardup needs a processor with SSE4.2, as those made since 2011 have it." >&2
                exit 1
                ;;
        esac
        ;;
    *) processor=generic ;;
esac
processor=${NEARDUP_PROCESSOR:-${processor:-}}
if [ -n "$processor" ]; then
    export NUMBA_CPU_NAME="$processor"
    case $processor in
        x86-64-v3) export NUMBA_CPU_FEATURES=+avx2,+bmi,+bmi2,+fma,+lzcnt,+movbe,+popcnt,+sse4.2 ;;
        x86-64-v2) export NUMBA_CPU_FEATURES=+popcnt,+sse4.2 ;;
        *) export NUMBA_CPU_FEATURES= ;;
    esac
fi

# macOS tells programs that are started by a double click nothing of the user's language.
if [ -z "${LC_ALL:-}${LC_MESSAGES:-}${LANG:-}" ] && [ "$(uname)" = Darwin ]; then
    LANG=$(defaults read -g AppleLocale 2>/dev/null)
    export LANG="${LANG%%@*}.UTF-8"
fi

unset PYTHONHOME PYTHONPATH PYTHONSTARTUP PYTHONSAFEPATH
export PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1
exec "$root/python/bin/python3" -P -m neardup_gui "$@"
