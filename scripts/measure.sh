#!/usr/bin/env bash
# measure.sh - functions of bench.sh and gpu-bench.sh: collect results in files, and draw charts
#
# The scripts set these variables and then source this file. root: the source folder. build: the folder of the build.
# bench: an array with clsort-bench and the options of all measurements. max: the power of two that limits the number of
# elements. wrong becomes 1 when a measurement fails.
: "${root:?}" "${build:?}" "${bench:?}" "${max:?}"

wrong=0
part=$(mktemp)
trap 'rm -f "$part"' EXIT

# Peers on the host that sort large arrays in seconds.
# shellcheck disable=SC2034 # used by the scripts
fast_peers=vqsort,tbb::parallel_sort,block_indirect_sort

# All distributions but uniform.
dists="sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5 organ-pipe clusters hot special"
dists+=" nearly-sorted runs root-dups two-dups eight-dups left-aligned alternating"
# shellcheck disable=SC2034 # used by the scripts
dists+=" expo bitexp stairs shared-prefix random-runs"

# begin_results FILE: empties the file, to which results then go.
begin_results() {
    results=$1
    mkdir -p "$(dirname "$results")"
    : >"$results"
}

# keep STATUS: appends the output of the last program, in the file part, to the results. STATUS is its exit status.
keep() {
    cat "$part" >>"$results"
    # shellcheck disable=SC2034 # used by the scripts
    (($1 == 0)) || wrong=1
}

# measure OPTION...: runs clsort-bench with these additional options and keeps its results.
measure() {
    local status=0
    : >"$part"
    "${bench[@]}" --json "$part" "$@" || status=$?
    keep "$status"
}

# measure_numpy PYTHON OPTION...: measures NumPy with these options, if this Python has it.
measure_numpy() {
    local status=0 python=$1
    shift
    if ! "$python" -c 'import numpy' 2>/dev/null; then
        echo "np.sort does not take part: $python has no NumPy" >&2
        return
    fi
    : >"$part"
    "$python" "$root/bench/numpy_sort.py" --gen "$build/tools/clsort-gen" "$@" >"$part" || status=$?
    keep "$status"
}

# sizes BYTES STEP FIRST LAST: prints numbers of elements of BYTES bytes, 2^FIRST to 2^LAST but at most 2^max, as far as
# the memory suffices. On a CPU, all contestants together need ten times the size of the data.
sizes() {
    local bytes=$1 step=$2 power list=() available_kb
    available_kb=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
    for ((power = $3; power <= $4 && power <= max; power += step)); do
        if ((10 * bytes << power > available_kb << 10)); then
            echo "2^$power elements of $bytes bytes are left out: not enough memory" >&2
            break
        fi
        list+=($((1 << power)))
    done
    (IFS=, && echo "${list[*]}")
}

# counts POWER...: prints the numbers of elements 2^POWER, at most 2^max.
counts() {
    local power last=0 list=()
    for power; do
        ((power <= max)) || power=$max
        ((power == last)) || list+=("2^$power")
        last=$power
    done
    (IFS=, && echo "${list[*]}")
}

# measure_host FIRST LAST OPTION...: measures clsort_host and peers with 2^FIRST to 2^LAST keys and pairs.
measure_host() {
    local n
    n=$(sizes 8 2 "$1" "$2")
    shift 2
    [[ -n $n ]] || return 0
    measure --host --type u32 --n "$n" "$@"
    measure --host --type u64 --n "$n" "$@"
    measure --host --op pairs --n "$n" "$@"
}

# measure_lengths POWER OPTION...: measures 2^POWER elements in segments of the mean lengths 1, 4, 16 and so on.
measure_lengths() {
    local power=$1 i
    shift
    for ((i = 0; i <= power; i += 2)); do
        measure --op segments --n "2^$power" --segment-length $((1 << i)) "$@"
    done
}

# measure_ks POWER OPTION...: measures selections of 1, 16, 256 and so on of 2^POWER elements.
measure_ks() {
    local power=$1 i
    shift
    for ((i = 0; i <= power; i += 4)); do
        measure --op top --n "2^$power" --k $((1 << i)) "$@"
    done
}

# draw_charts FOLDER [PREFIX]: draws charts of the results, or prints the command if matplotlib is missing. The variable
# results may have several files, separated by commas.
draw_charts() {
    # Debian's matplotlib belongs to Debian's Python, which may not be the first in PATH.
    local python=python3
    "$python" -c 'import matplotlib' 2>/dev/null || python=/usr/bin/python3
    if "$python" -c 'import matplotlib' 2>/dev/null; then
        "$python" "$root/bench/charts.py" "$results" "$@"
        echo "Results are in $results, and charts in $1"
    else
        echo "Results are in $results. matplotlib is missing; to draw charts on another machine, run"
        echo "    python3 bench/charts.py $results $*"
    fi
}
