#!/usr/bin/env bash
# full_disk.sh - on a full disk the old file stays, whole, and nothing new
#
# Needs the right to mount a small tmpfs, as root or in a name space of its own.
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

if [[ ${1:-} != mounted ]]; then
    for options in -m -rm; do
        if unshare $options mount -t tmpfs tmpfs "$work" 2>/dev/null; then
            unshare $options bash "$0" mounted
            exit
        fi
    done
    skip "no tmpfs can be mounted here"
fi

mkdir disk
mount -t tmpfs -o size=6m tmpfs disk || skip "no tmpfs can be mounted here"
clsort-gen -n 1M -o disk/data >/dev/null # 4 MiB: there is no room for a second one
cp disk/data original

trouble "clsort: disk/data: No space left on device" clsort -o disk/data disk/data
same disk/data original
no_leftovers
trouble "clsort: disk/new: No space left on device" clsort -o disk/new original
[[ ! -e disk/new ]] || fail "a part of the output is there"
trouble "clsort: standard output: No space left on device" eval 'clsort original >disk/new'
rm disk/new
trouble "clsort-gen: disk/data: No space left on device" clsort-gen -n 2M -o disk/data
same disk/data original
no_leftovers

head -c 1M original >disk/data # with room enough it is done
expect 0 clsort -o disk/data disk/data
expect 0 clsort -c disk/data

# The program cache on a disk without room for it: no sort is the worse for it.
mkdir -m 700 disk/cache
for room in 0 4 64; do # KiB
    rm -f disk/data disk/fill
    head -c $((room * 1024)) original >disk/room
    head -c 10M /dev/zero >disk/fill 2>/dev/null && fail "the disk is not full"
    rm disk/room
    CLSORT_CACHE_DIR=disk/cache expect 0 clsort -o sorted original
    expect 0 clsort -c sorted
    [[ -z $(find disk/cache -name "new-*") ]] || fail "in $room KiB a part of a program is left"
done
rm disk/fill
CLSORT_CACHE_DIR=disk/cache expect 0 clsort -o sorted original
[[ -n $(ls disk/cache) ]] || fail "with room enough nothing is in the cache"
umount disk
finish
