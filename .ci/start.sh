#!/bin/sh
# The main job on $FOLDER: opens the window or, where there is no display, scans and writes a report.
#   usage: FOLDER=path sh .ci/start.sh
set -eu

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname -s)" != Linux ]; then
    exec .venv/bin/neardup "$FOLDER"
fi
echo "There is no display here, so no window: scanning $FOLDER and writing a report."
exec .venv/bin/neardup scan "$FOLDER" --report neardup-report.html --pairs neardup-pairs.csv
