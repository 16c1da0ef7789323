#!/usr/bin/env bash
# bench-files.sh - sorts of files that are larger than the memory limit, against copies by the same engine and others
#
#   bench-files.sh [FOLDER [MIB [LIMIT [RUNS [CASE...]]]]]
#
# FOLDER (default: .) gets files of up to 4 * MIB (default: 1024) MiB; LIMIT (default: 512M) is that of --buffer-size.
# Every sort and every copy ends with fsync, and they alternate; the medians of RUNS (default: 3) runs count. A ratio is
# the time of the copies that move the same bytes, or of another program, divided by that of the sort: for copies, 1 is
# the speed of the disk. The other programs are GNU sort and, if Python has the module duckdb, DuckDB. The default is
# all cases (the functions case_* below). CLSORT_BUILD names a folder in which the tools are built already. If
# CLSORT_BENCH_OUTPUT names a file, the script appends the results to it, as JSON lines for scripts/figures.py.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
folder=${1:-.} mib=${2:-1024} limit=${3:-512M} runs=${4:-3}
build=${CLSORT_BUILD:-build/bench}
output=$(realpath "${CLSORT_BENCH_OUTPUT:-/dev/null}")
[[ $build != build/bench ]] || scripts/setup.sh bench >&2
PATH=$root/$build/tools:$root/$build/bench:$PATH
work=$(mktemp -d "$folder/bench-files.XXXXXX")
work=$(realpath "$work")
trap 'rm -rf "$work" "${in_memory:-$work}"' EXIT
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

# describe_machine: writes the first of the JSON lines.
describe_machine() {
    local cpu
    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    printf '{"machine":{"date":"%s","cpu":"%s","cores":%d,"kernel":"%s"}}\n' \
        "$(date -u '+%F %R UTC')" "$cpu" "$(nproc)" "$(uname -sr)" >>"$output"
}

# report CASE PEER SORT_S PEER_S: prints the medians and their ratio.
report() {
    awk -v name="$1" -v peer="$2" -v sort="$3" -v other="$4" -v mib="$mib" -v limit="$limit" -v json="$output" 'BEGIN {
        printf "%-26s %8.2f s  %-18s %8.2f s  ratio %.2f\n", name, sort, peer, other, other / sort
        format = "{\"case\":\"%s\",\"peer\":\"%s\",\"mib\":%d,\"limit\":\"%s\",\"sort_s\":%.3f,\"peer_s\":%.3f}\n"
        printf format, name, peer, mib, limit, sort, other >>json
    }'
}

# against NAME PEER COMMAND OPTION...: sorts the file `data` with these options, and runs another command as often. Both
# write the file `sorted`.
against() {
    local name=$1 peer=$2 command=$3 sorts=() others=() i
    shift 3
    clsort "$@" --explain data >/dev/null # compiles
    for ((i = 0; i < runs; i++)); do
        # shellcheck disable=SC2086 # a command and its arguments
        others+=("$(seconds $command)")
        rm -f sorted
        sorts+=("$(seconds clsort "$@" -o sorted data)")
        rm sorted
    done
    report "$name" "$peer" "$(printf '%s\n' "${sorts[@]}" | median)" "$(printf '%s\n' "${others[@]}" | median)"
}

copies() {
    local i
    for ((i = 0; i < $1; i++)); do
        clsort-bench-copy data sorted
    done
}

# compare NAME COPIES OPTION...: compares a sort in runs with copies.
compare() {
    local name=$1 copies=$2
    shift 2
    against "$name" "$copies x copy" "copies $copies" -S "$limit" "$@"
}

# generate OPTION...: writes the file `data`.
generate() {
    clsort-gen "$@" -o data >/dev/null
}

records=$((mib * 10 * 1024)) # a multiple of the copied blocks

case_u64() {
    generate -n $((mib * 128))K -t u64
    compare "u64" 2 -t u64
}

case_u64_in_order() {
    generate -n $((mib * 128))K -t u64 -d sorted
    compare "u64, in order" 1 -t u64
}

# All keys are counted before the first one is written, so that the comparison is with a read and a write one after
# the other.
read_and_write() {
    dd if=data of=/dev/null iflag=direct bs=8M status=none
    dd if="$in_memory/data" of=sorted oflag=direct bs=8M conv=fsync status=none
}

case_u16() {
    generate -n $((mib * 512))K -t u16
    in_memory=$(mktemp -d /dev/shm/bench-files.XXXXXX)
    cp data "$in_memory"
    against "u16" "read, then write" read_and_write -S "$limit" -t u16
    rm -r "$in_memory"
}

case_records() {
    generate -n $records --record 100
    compare "records of 100 bytes" 2 --record 100 -k 0:bytes10
    generate -n $records --record 100 -d shared-prefix
    compare "records, equal prefixes" 2 --record 100 -k 0:bytes10
}

gnu_sort() {
    LC_ALL=C sort --parallel=2 -S "$limit" -T . -o sorted data
    sync sorted
}

case_lines() {
    generate -n $records --record 100 --ascii
    against "lines of 100 bytes" "GNU sort" gnu_sort -S "$limit" --record 100 -k 0:bytes100
}

# DuckDB sorts a table of as many keys, which is created before, to a file of its own format.
duckdb() {
    /usr/bin/env python3 - "$@" "$limit" "$((mib * 131072))" <<'END'
import sys

import duckdb

step, limit, count = sys.argv[1], sys.argv[2], sys.argv[3]
database = duckdb.connect("table.duckdb")
if step == "create":
    database.execute(f"CREATE TABLE keys AS SELECT hash(range) AS key FROM range({count})")
else:
    database.execute(f"SET memory_limit = '{limit}iB'; SET threads = 2; SET temp_directory = '.'")
    database.execute("COPY (SELECT key FROM keys ORDER BY key) TO 'sorted' (FORMAT parquet, COMPRESSION uncompressed)")
END
    sync
}

case_duckdb() {
    if ! python3 -c 'import duckdb' 2>/dev/null; then
        echo "DuckDB is not installed" >&2
        return
    fi
    duckdb create
    generate -n $((mib * 128))K -t u64
    against "u64" "DuckDB" "duckdb sort" -S "$limit" -t u64
    rm -f table.duckdb
}

# Files in memory. The copies are those of the C library's read and write calls.
case_in_memory() {
    in_memory=$(mktemp -d /dev/shm/bench-files.XXXXXX)
    cd "$in_memory"
    generate -n $((mib * 128))K -t u64
    compare "u64, in memory" 2 -t u64
    cd "$work"
    rm -r "$in_memory"
}

copy_by_cat() {
    cat data >sorted
    sync sorted
}

# A file that fits, in the page cache: a copy, plus the time that the compared run takes to sort its keys. Another run
# may find memory in another state, and the first use of fresh pages can take longer than the sort.
case_fits() {
    local time sort copies=() sorts=() i
    generate -n $((mib * 128))K -t u32
    clsort -t u32 --explain data >/dev/null
    for ((i = 0; i < runs; i++)); do
        time=$(seconds clsort -t u32 --stats=json -o sorted data 2>stats)
        sort=$(sed -nE 's/.*"sort_s":([0-9.]+).*/\1/p' stats)
        sorts+=("$time")
        rm sorted
        copies+=("$(seconds copy_by_cat | awk -v sort="$sort" '{ print $1 + sort }')")
        rm sorted
    done
    report "u32, in the page cache" "copy, plus sort" "$(printf '%s\n' "${sorts[@]}" | median)" \
        "$(printf '%s\n' "${copies[@]}" | median)"
}

# The peak of the resident memory
case_memory() {
    local peak
    generate -n $((mib * 128))K -t u64
    peak=$(clsort -t u64 -S "$limit" --stats=json -o sorted data 2>&1 | sed -E 's/.*"peak_bytes":([0-9]+).*/\1/')
    rm sorted
    echo "peak memory of u64: $peak bytes, --buffer-size $limit"
}

[[ -s $output ]] || describe_machine
if (($# > 4)); then
    cases=("${@:5}")
else
    cases=(u64 u64_in_order u16 records lines duckdb in_memory fits memory)
fi
for name in "${cases[@]}"; do
    "case_$name"
done
