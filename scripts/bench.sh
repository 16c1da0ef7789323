#!/usr/bin/env bash
# bench.sh - compares clsort with its peers and draws charts: bench.sh [OPTION]... [FOLDER]
#
#   --device DEVICE   as for clsort-bench (default: the best)
#   --max POWER       up to 2^POWER elements (default: 28)
#   --quick           run each step with few elements, as a test; FOLDER is then build/quick-bench by default
#
# Writes results.jsonl, the output of clsort-bench, and a chart for each kind of sort to FOLDER (default:
# docs/benchmarks). This takes hours on a CPU with few cores. The exit status is 1 if a result is wrong.
set -euo pipefail

die() {
    printf 'bench.sh: %s\n' "$@" >&2
    exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
max=28
runs=7
folder=
bench=("$root/build/bench/bench/clsort-bench")
while (($# > 0)); do
    case $1 in
    --device) bench+=(--device "${2:?$1: the device is missing}") && shift ;;
    --max) max=${2:?$1: the power is missing} && shift ;;
    --quick) max=12 runs=1 folder=${folder:-$root/build/quick-bench} ;;
    -*) die "unknown option $1; the options are --device DEVICE, --max POWER and --quick" ;;
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
begin_results "$folder/results.jsonl"

# NumPy from PyPI is much faster than that of Debian 12.
numpy=$root/build/numpy
if [[ ! -x $numpy/bin/python3 ]] || ! "$numpy/bin/python3" -c 'import numpy' 2>/dev/null; then
    if ! python3 -m venv "$numpy" || ! "$numpy/bin/python3" -m pip install --quiet numpy; then
        echo "np.sort does not take part: NumPy could not be installed"
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

# sizes BYTES STEP FIRST LAST: prints numbers of elements of BYTES bytes, 2^FIRST to 2^LAST, as far as the memory
# suffices. On a CPU, all contestants together need ten times the size of the data.
sizes() {
    local bytes=$1 step=$2 power list=() available_kb
    available_kb=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
    for ((power = $3; power <= $4; power += step)); do
        if ((10 * bytes << power > available_kb << 10)); then
            echo "2^$power elements of $bytes bytes are left out: not enough memory" >&2
            break
        fi
        list+=($((1 << power)))
    done
    (IFS=, && echo "${list[*]}")
}

for type in u32 u64 f32; do
    n=$(sizes $((${type#?} / 8)) 2 4 "$max")
    measure --type "$type" --n "$n"
    measure_numpy --type "$type" --n "$n"
done
for type in u32 u64; do
    bytes=$((${type#?} / 8))
    measure --op pairs --type "$type" --value-size "$bytes" --n "$(sizes $((2 * bytes)) 2 4 "$max")"
done
measure --host --peers qsort,std::sort --n "$(sizes 4 1 4 12)"
# Uniform keys are measured above.
n=$((1 << (max < 24 ? max : 24)))
for dist in sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5 organ-pipe clusters hot \
    special; do
    measure --dist "$dist" --peers std::sort,vqsort --n "$n"
    measure --dist "$dist" --op pairs --peers none --n "$n"
    measure --dist "$dist" --op pairs --type u64 --value-size 8 --peers none --n "$n"
done

draw_charts "$folder"
exit "$wrong"
