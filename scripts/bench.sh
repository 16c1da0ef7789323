#!/usr/bin/env bash
# bench.sh - compares clsort with its peers and draws charts: bench.sh [OPTION]... [FOLDER]
#
#   --device DEVICE   as for clsort-bench (default: the best)
#   --max POWER       up to 2^POWER elements (default: 28)
#   --host            measure host arrays only
#   --dists           measure distributions only
#   --merge           measure merges of two sorted inputs only
#   --no-scratch      measure sorts without scratch memory only
#   --operations      measure argsorts, gathers and selections only
#   --lengths         measure segments of many lengths and selections of many k only
#   --quick           run each step with few elements, as a test; FOLDER is then build/quick-bench by default
#
# Writes the output of clsort-bench to FOLDER (default: docs/benchmarks): results.jsonl; host.jsonl for host arrays of
# up to 2^26 elements; enqueue.jsonl for such arrays, sorted by clsort_host and by clsort_enqueue; merge.jsonl;
# no-scratch.jsonl; operations.jsonl; lengths.jsonl. Draws a chart for each kind of sort. This takes hours on a CPU with
# few cores, and with an option that measures only a part some minutes. The exit status is 1 if a result is wrong.
set -euo pipefail

die() {
    printf 'bench.sh: %s\n' "$@" >&2
    exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/bench
max=28
runs=7
folder=
parts="host merge no-scratch operations lengths counts dists"
bench=("$build/bench/clsort-bench")
while (($# > 0)); do
    case $1 in
    --device) bench+=(--device "${2:?$1: the device is missing}") && shift ;;
    --max) max=${2:?$1: the power is missing} && shift ;;
    --host | --dists | --merge | --no-scratch | --operations | --lengths)
        [[ $parts == *counts* ]] ||
            die "--host, --dists, --merge, --no-scratch, --operations and --lengths exclude each other"
        parts=${1#--}
        ;;
    --quick) max=12 runs=1 folder=${folder:-$root/build/quick-bench} ;;
    -*)
        die "unknown option $1" \
            "the options are --device DEVICE, --max POWER, --host, --dists, --merge, --no-scratch, --operations," \
            "--lengths and --quick"
        ;;
    *) folder=$1 ;;
    esac
    shift
done
if [[ ! $max =~ ^[0-9]+$ ]] || ((max < 4 || max > 36)); then
    die "--max $max: not a number from 4 to 36"
fi
folder=${folder:-$root/docs/benchmarks}

bench+=(--runs "$runs")

"$root/scripts/setup.sh" bench
# shellcheck source=scripts/measure.sh
source "$root/scripts/measure.sh"

# NumPy from PyPI is much faster than that of Debian 12.
numpy=$root/build/numpy
if [[ $parts =~ host|counts|operations ]] && ! "$numpy/bin/python3" -c 'import numpy' 2>/dev/null; then
    if ! python3 -m venv "$numpy" || ! "$numpy/bin/python3" -m pip install --quiet numpy; then
        rm -rf "$numpy"
    fi
fi

# measure_keys OPTION...: measures keys by all peers and NumPy.
measure_keys() {
    measure "$@"
    measure_numpy "$numpy/bin/python3" --runs "$runs" "$@"
}

# -- host arrays --
if [[ $parts == *host* ]]; then
    begin_results "$folder/host.jsonl"
    # The calling thread sorts small arrays.
    measure --host --peers std::sort,vqsort --n "$(sizes 4 1 4 11)"
    measure_host 12 24 --peers "$fast_peers,std::sort"
    measure_host 26 26 --peers "$fast_peers"
    for type in u32 u64; do
        measure_numpy "$numpy/bin/python3" --host --runs "$runs" --type $type --n "$(sizes 8 2 4 26)"
    done
    draw_charts "$folder"
    if ((max >= 16)); then
        begin_results "$folder/enqueue.jsonl"
        for dist in uniform sorted equal; do
            measure_host 16 26 --peers none --enqueue --dist "$dist"
        done
    fi
fi

# -- merges of two sorted inputs --
# measure_merges OPTION...: measures with 1, 1000, a sixteenth of the count, and as many elements in the second input.
measure_merges() {
    local n
    for n in $(counts 14 17 21 24 | tr ',' ' '); do
        measure --op merge --peers std::merge --n "$n" --second "1,1000,2^$((${n#2^} - 4)),$n" "$@"
    done
}

if [[ $parts == *merge* ]]; then
    begin_results "$folder/merge.jsonl"
    measure_merges --type u32
    measure_merges --type u64
    measure_merges --type u32 --value-size 4
    measure_merges --type u64 --value-size 16
fi

# -- sorts without scratch memory --
# measure_no_scratch OPTION...: measures three distributions.
measure_no_scratch() {
    local dist
    for dist in uniform sorted few; do
        measure --no-scratch --peers std::sort --dist "$dist" --n "$(counts 14 17 20 22)" "$@"
    done
}

if [[ $parts == *no-scratch* ]]; then
    begin_results "$folder/no-scratch.jsonl"
    for type in u32 f32 u64; do
        measure_no_scratch --type $type
    done
    for type in u32 u64; do
        measure_no_scratch --op pairs --unstable --type $type --value-size $((${type#?} / 8))
    done
fi

# -- argsorts, gathers and selections --
if [[ $parts == *operations* ]]; then
    begin_results "$folder/operations.jsonl"
    for power in $(counts 20 24 | tr ',' ' '); do
        n=$((1 << ${power#2^}))
        measure --op argsort --n "$n" --peers "$fast_peers,std::stable_sort,std-argsort"
        measure_numpy "$numpy/bin/python3" --runs "$runs" --op argsort --n "$n"
        for op in "top --k 100" nth; do
            # shellcheck disable=SC2086
            {
                measure --op $op --type f32 --n "$n"
                measure_numpy "$numpy/bin/python3" --runs "$runs" --op $op --type f32 --n "$n"
            }
        done
        for size in 4 16 100; do
            measure --op gather --value-size $size --n "$n"
        done
    done
fi

# -- lengths of segments, and k --
if [[ $parts == *lengths* ]]; then
    begin_results "$folder/lengths.jsonl"
    power=$((max < 24 ? max : 24))
    for segments in equal zipf; do
        measure_lengths "$power" --segments $segments
    done
    measure_ks "$power" --type f32
    measure_ks "$power" --type f32 --input-order
    draw_charts "$folder"
fi

# -- device buffers --
[[ $parts == *dists* ]] || exit "$wrong"
begin_results "$folder/results.jsonl"
if [[ $parts == *counts* ]]; then
    for type in u32 u64 f32; do
        measure_keys --type "$type" --n "$(sizes $((${type#?} / 8)) 2 4 "$max")"
    done
    for type in u32 u64; do
        bytes=$((${type#?} / 8))
        measure --op pairs --type "$type" --value-size "$bytes" --n "$(sizes $((2 * bytes)) 2 4 "$max")"
    done
fi
n=$((1 << (max < 24 ? max : 24)))
[[ $parts == *counts* ]] || dists="uniform $dists" # else uniform keys are measured above
for dist in $dists; do
    measure --dist "$dist" --peers std::sort,vqsort --n "$n"
    measure --dist "$dist" --type u64 --peers vqsort --n "$n"
    measure --dist "$dist" --op pairs --peers none --n "$n"
    measure --dist "$dist" --op pairs --type u64 --value-size 8 --peers none --n "$n"
done

draw_charts "$folder"
exit "$wrong"
