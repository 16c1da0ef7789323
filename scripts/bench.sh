#!/usr/bin/env bash
# bench.sh - measures clsort beside its peers and draws charts: bench.sh [OPTION]... [FOLDER]
#
#   --device DEVICE   as of clsort-bench (default: the best)
#   --most POWER      up to 2^POWER elements (default: 28)
#   --quick           little of everything, to see whether it works; FOLDER is then build/quick-bench
#
# FOLDER (default: docs/benchmarks) gets results.jsonl, what clsort-bench writes, and a chart for each kind of sort. All
# of it takes hours on few cores. Ends with status 1 when a result was wrong.
set -euo pipefail

die() {
    printf 'bench.sh: %s\n' "$@" >&2
    exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
most=28
runs=7
folder=
bench=("$root/build/bench/bench/clsort-bench")
while (($# > 0)); do
    case $1 in
    --device) bench+=(--device "${2:?$1: of what name?}") && shift ;;
    --most) most=${2:?$1: which power?} && shift ;;
    --quick) most=12 runs=1 folder=${folder:-$root/build/quick-bench} ;;
    -*) die "unknown option $1; the options are --device DEVICE, --most POWER and --quick" ;;
    *) folder=$1 ;;
    esac
    shift
done
if [[ ! $most =~ ^[0-9]+$ ]] || ((most < 4 || most > 36)); then
    die "--most is a number from 4 to 36"
fi
folder=${folder:-$root/docs/benchmarks}

bench+=(--runs "$runs")

"$root/scripts/setup.sh" bench
# shellcheck source=scripts/measure.sh
source "$root/scripts/measure.sh"
begin_results "$folder/results.jsonl"

# NumPy of PyPI is much faster than that of Debian 12.
numpy=$root/build/numpy
if [[ ! -x $numpy/bin/python3 ]] || ! "$numpy/bin/python3" -c 'import numpy' 2>/dev/null; then
    if ! python3 -m venv "$numpy" || ! "$numpy/bin/python3" -m pip install --quiet numpy; then
        echo "np.sort does not take part: NumPy cannot be had"
        rm -rf "$numpy"
    fi
fi

measure_numpy() {
    local status=0
    [[ -x $numpy/bin/python3 ]] || return 0
    "$numpy/bin/python3" "$root/bench/numpy_sort.py" --gen "$root/build/bench/tools/clsort-gen" \
        --runs "$runs" "$@" >"$part" || status=$?
    keep "$status"
}

# sizes BYTES STEP FIRST LAST: numbers of elements of so many bytes, as far as memory will hold all that contestants
# make of them: on a device that is a CPU ten times the data.
sizes() {
    local bytes=$1 step=$2 power list=() available_kb
    available_kb=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
    for ((power = $3; power <= $4; power += step)); do
        if ((10 * bytes << power > available_kb << 10)); then
            echo "2^$power elements of $bytes bytes are left out: too little memory" >&2
            break
        fi
        list+=($((1 << power)))
    done
    (IFS=, && echo "${list[*]}")
}

for type in u32 u64 f32; do
    n=$(sizes $((${type#?} / 8)) 2 4 "$most")
    measure --type "$type" --n "$n"
    measure_numpy --type "$type" --n "$n"
done
for type in u32 u64; do
    bytes=$((${type#?} / 8))
    measure --op pairs --type "$type" --value-size "$bytes" --n "$(sizes $((2 * bytes)) 2 4 "$most")"
done
measure --host --peers qsort,std::sort --n "$(sizes 4 1 4 12)"
# Uniform keys have been among the sizes.
n=$((1 << (most < 24 ? most : 24)))
for dist in sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5 organ-pipe clusters hot special; do
    measure --dist "$dist" --peers std::sort,vqsort --n "$n"
    measure --dist "$dist" --op pairs --peers none --n "$n"
    measure --dist "$dist" --op pairs --type u64 --value-size 8 --peers none --n "$n"
done

draw_charts "$folder"
exit "$wrong"
