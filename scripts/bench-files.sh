#!/usr/bin/env bash
# bench-files.sh - sorts of files that are larger than the memory limit, against copies by the same engine
#
#   bench-files.sh [FOLDER [MIB [LIMIT [RUNS]]]]
#
# FOLDER (default: .) gets files of up to 4 * MIB (default: 1024) MiB; LIMIT (default: 512M) is that of --buffer-size.
# Every sort and every copy ends with fsync, and they alternate; the medians of RUNS (default: 3) runs count. A ratio is
# the time of the copies that move the same bytes, divided by that of the sort: 1 is the speed of the disk. CLSORT_BUILD
# names a folder in which the tools are built already.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
folder=${1:-.} mib=${2:-1024} limit=${3:-512M} runs=${4:-3}
build=${CLSORT_BUILD:-build/bench}
[[ $build != build/bench ]] || scripts/setup.sh bench >&2
PATH=$root/$build/tools:$root/$build/bench:$PATH
work=$(mktemp -d "$folder/bench-files.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
export CLSORT_DEVICE=${CLSORT_DEVICE:-0}

# seconds COMMAND...: prints how long the command takes. Pages of earlier files are on the disk before.
seconds() {
    local start
    sync
    start=${EPOCHREALTIME/./}
    "$@" >/dev/null
    echo $((${EPOCHREALTIME/./} - start)) | awk '{ print $1 / 1e6 }'
}

median() {
    sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# compare NAME COPIES OPTION...: sorts the file `data` with these options, and copies it as often.
compare() {
    local name=$1 copies=$2 sorts=() copied=() total i j sort copy
    shift 2
    clsort "$@" --explain data >/dev/null # compiles
    for ((i = 0; i < runs; i++)); do
        total=0
        for ((j = 0; j < copies; j++)); do
            total=$(echo "$total $(seconds clsort-bench-copy data copy)" | awk '{ print $1 + $2 }')
            rm copy
        done
        copied+=("$total")
        sorts+=("$(seconds clsort "$@" -S "$limit" -o sorted data)")
        rm sorted
    done
    copy=$(printf '%s\n' "${copied[@]}" | median)
    sort=$(printf '%s\n' "${sorts[@]}" | median)
    awk -v name="$name" -v copy="$copy" -v sort="$sort" -v copies="$copies" \
        'BEGIN { printf "%-24s %8.2f s  %d x copy %8.2f s  ratio %.2f\n", name, sort, copies, copy, copy / sort }'
}

clsort-gen -n $((mib * 128))K -t u64 -o data >/dev/null
compare "u64" 2 -t u64
peak=$(clsort -t u64 -S "$limit" --stats=json -o sorted data 2>&1 | sed -E 's/.*"peak_bytes":([0-9]+).*/\1/')
rm sorted
echo "peak memory of u64: $peak bytes, --buffer-size $limit"
clsort-gen -n $((mib * 128))K -t u64 -d sorted -o data >/dev/null
compare "u64, in order" 1 -t u64
clsort-gen -n $((mib * 512))K -t u16 -o data >/dev/null
compare "u16" 1 -t u16
records=$((mib * 10 * 1024)) # a multiple of the copied blocks
clsort-gen -n $records --record 100 -o data >/dev/null
compare "records of 100 bytes" 2 --record 100 -k 0:bytes10
clsort-gen -n $records --record 100 -d shared-prefix -o data >/dev/null
compare "records, equal prefixes" 2 --record 100 -k 0:bytes10
