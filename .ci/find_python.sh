#!/bin/sh
# Prints the Python to build the virtual environment with: $PYTHON if it is given, else python3,
# else the newest other one that fits. Says so and exits with 1 when there is none.
#   usage: sh .ci/find_python.sh

# numba and the pinned Qt decide the upper end.
fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null
}

for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if fits "$python"; then
        command -v "$python"
        exit
    fi
done

wanted=${PYTHON:-python3}
found=$("$wanted" --version 2>/dev/null) || found="none called $wanted"
echo "Neardup runs on Python 3.11 to 3.14, found $found." \
    "Install one of these, or name it: make run PYTHON=/path/to/python3" >&2
exit 1
