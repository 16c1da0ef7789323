#!/usr/bin/env bash
# external_memory.sh - an external sort takes at most the memory of --buffer-size, and runs in a control group with this
# limit, whose page cache counts
#
# shellcheck source=tests/tool/lib.sh
source "$(dirname "$0")/lib.sh"

can_limit || skip "sanitizers take memory of their own"

# on_device COMMAND...: runs the command, unless there are so many cores that PoCL needs more than 200 MiB.
on_device() {
    (($(nproc) > 4)) || "$@"
}

# limited MIB DEVICE OPTION...: the sort of `data` with this limit gives `sorted`, and its peak is at most the limit.
limited() {
    local mib=$1 device=$2
    shift 2
    expect 0 env CLSORT_DEVICE="$device" clsort-test-peak peak clsort -S "${mib}M" "$@" -o "$files/result" "$files/data"
    same "$files/result" "$files/sorted"
    (($(<peak) <= mib << 20)) || fail "$device $*: the peak is $(($(<peak) >> 10)) KiB with a limit of $mib MiB"
}

# passes N MIB DEVICE OPTION...: the sort has this number of passes.
passes() {
    local passes=$1 mib=$2 device=$3
    shift 3
    expect 0 env CLSORT_DEVICE="$device" clsort -S "${mib}M" "$@" --explain "$files/data"
    contains out "$passes pass"
}

# -- the resident memory. The driver's compiler would take more, so that a sort without a limit compiles first. --

files=$work
if has_memory_folder; then # each sort waits for the disk elsewhere
    files=$(mktemp -d -p /dev/shm)
    trap 'rm -rf "$work" "$files"' EXIT
fi
clsort-gen -n 8M -t u64 -o "$files/data" >/dev/null # 64 MiB
CLSORT_DEVICE=0 clsort -t u64 -o "$files/sorted" "$files/data"
CLSORT_DEVICE=0 on_device expect 0 clsort -S 200M -t u64 -o "$files/result" "$files/data"
passes 3 24 host -t u64
limited 24 host -t u64
limited 64 host -t u64
on_device passes 2 200 0 -t u64
on_device limited 200 0 -t u64
expect 0 clsort-test-peak peak clsort -S 12M -t u64 --check "$files/sorted"
(($(<peak) <= 12 << 20)) || fail "--check: the peak is $(<peak) bytes"

CLSORT_DEVICE=host clsort -t u64 --argsort -o "$files/sorted" "$files/data"
passes 2 64 host -t u64 --argsort
limited 64 host -t u64 --argsort

clsort-gen -n 600K --record 100 -o "$files/data" >/dev/null
CLSORT_DEVICE=0 clsort --record 100 -k 0:bytes10 -o "$files/sorted" "$files/data"
CLSORT_DEVICE=0 on_device expect 0 clsort -S 200M --record 100 -k 0:bytes10 -o "$files/result" "$files/data"
limited 32 host --record 100 -k 0:bytes10
on_device limited 200 0 --record 100 -k 0:bytes10

clsort-gen -n 16M -t u16 -o "$files/data" >/dev/null
CLSORT_DEVICE=0 clsort -t u16 -o "$files/sorted" "$files/data"
passes 1 64 host -t u16
limited 64 host -t u16

# -- a control group, in which caches of files count. These are on a disk, since memory counts, too. --

# find_group: makes a group and sets `group` to its folder and `limit` to the name of its limit.
find_group() {
    local path
    while IFS=: read -r _ controllers path; do
        case ,$controllers, in
        *,memory,*) group=/sys/fs/cgroup/memory$path limit=memory.limit_in_bytes ;;
        ,,) group=/sys/fs/cgroup$path limit=memory.max ;;
        *) continue ;;
        esac
        group=${group%/}/clsort-test-$$
        mkdir "$group" 2>/dev/null || continue
        [[ -w $group/$limit ]] && return
        rmdir "$group"
    done </proc/self/cgroup
    return 1
}

if [[ $(stat -f -c %T "$work") != tmpfs ]] && find_group; then
    trap 'rm -rf "$work" "$files"; rmdir "$group"' EXIT
    clsort-gen -n 8M -t u64 -o data >/dev/null
    CLSORT_DEVICE=host clsort -t u64 -o sorted data
    sync data sorted
    for mib in 48 96; do
        echo $((mib << 20)) >"$group/$limit"
        # The shell joins the group before it becomes the sort.
        # shellcheck disable=SC2016
        CLSORT_DEVICE=host expect 0 bash -c 'echo $$ >"$1" && exec clsort -S "$2" -t u64 -o result data' - \
            "$group/cgroup.procs" ${mib}M
        same result sorted
    done
else
    echo "no control group can be made here"
fi
finish
