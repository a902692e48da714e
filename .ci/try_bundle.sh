#!/bin/sh
# Tries the package that `make bundle` made where nothing else is: a bare Debian without Python or a
# compiler, made with debootstrap. Installs it, scans the sample corpus, writes and verifies reports,
# opens the window on a screen of its own (Xvfb), judges a pair by its key, kills the window, and
# removes the package.
#   usage, as root: sh .ci/try_bundle.sh [RELEASE]
set -eu

release=${1:-bookworm}
package=$(ls dist/neardup_*.deb)
system=$(mktemp -d)
clean() {
    kill $(jobs -p) 2>/dev/null || true
    sleep 1
    umount "$system/proc" "$system/dev" 2>/dev/null || true
    rm -rf --one-file-system "$system"
}
trap clean EXIT

debootstrap --variant=minbase "$release" "$system" >/dev/null
mount -t proc proc "$system/proc"
mount --bind /dev "$system/dev"
cp "$package" "$system/tmp/neardup.deb"
cp -r resources/sample "$system/tmp/sample"
fail() {
    echo "$1" >&2
    exit 1
}
inside() {
    chroot "$system" env -i HOME=/tmp/home LANG=C.UTF-8 PATH=/usr/bin:/bin:/usr/sbin "$@"
}
inside sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends /tmp/neardup.deb' >/dev/null 2>&1
inside sh -c 'command -v python3 || command -v gcc' && fail "This system is not bare."

mkdir "$system/tmp/home"
inside neardup --version
start=$(date +%s%N)
inside neardup scan /tmp/sample --review /tmp/sample.neardup --report /tmp/report.html >/dev/null
echo "First scan: $(($(date +%s%N) / 1000000 - start / 1000000)) ms"
inside neardup report /tmp/sample.neardup /tmp/report.pdf /tmp/report.xlsx >/dev/null
inside neardup verify /tmp/report.html /tmp/sample | head -n 1
inside env NEARDUP_PROCESSOR=x86-64-v2 neardup scan /tmp/sample >/dev/null # one without AVX2
[ -z "$(find "$system/tmp/home" -name '*.kernel')" ] || fail "It compiled a kernel."

screen=:97
Xvfb $screen -screen 0 1366x768x24 >/dev/null 2>&1 &
sleep 2
start=$(date +%s%N)
chroot "$system" env -i HOME=/tmp/home LANG=C.UTF-8 PATH=/usr/bin:/bin DISPLAY=$screen \
    neardup /tmp/sample.neardup &
program=$! # each of these becomes the next, so that it is the window's number
window=$(DISPLAY=$screen timeout 300 xdotool search --sync --onlyvisible --class neardup | head -n 1)
echo "From start to window: $(($(date +%s%N) / 1000000 - start / 1000000)) ms"
judged() { # how many verdicts there are in the file, also while the window has it open
    inside neardup report /tmp/sample.neardup /tmp/judged.csv >/dev/null
    grep -c ',confirmed,' "$system/tmp/judged.csv" || true
}
DISPLAY=$screen timeout 300 xdotool search --sync --name '^sample.neardup' >/dev/null # it is open
sleep 2
DISPLAY=$screen xdotool windowfocus "$window" key 1
tries=300
while [ "$(judged)" != 1 ]; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || fail "The key gave no verdict."
    sleep 1
done
kill -KILL $program
[ "$(judged)" = 1 ] || fail "The verdict was lost."
echo "A verdict by its key survived the end of the window."
inside apt-get -qq remove -y neardup >/dev/null 2>&1
[ ! -e "$system/usr/lib/neardup" ] || fail "Something is left of the program."
[ -e "$system/tmp/sample.neardup" ] || fail "The review was removed with the program."
echo "The program is removed, the review is still there."
