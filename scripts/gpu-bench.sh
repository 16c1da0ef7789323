#!/usr/bin/env bash
# gpu-bench.sh - measures clsort beside CUB and Boost.Compute on a GPU: gpu-bench.sh [OPTION]... [PACKAGE FOLDER]
#
#   --out FOLDER      gets PREFIX-results.jsonl and the charts, PREFIX-*.svg (default: docs/benchmarks)
#   --prefix PREFIX   short for the GPU: h200 (default: gpu)
#   --device DEVICE   as of clsort-bench (default: gpu, an NVIDIA one, which is set up first)
#   --quick           little of everything, to see whether it works; FOLDER is then build/quick-gpu-bench
#
# Builds in build/gpu-bench, with CUB where there is nvcc. As root, where there is no package registry: with a folder of
# the Debian packages that the machine lacks (gpu-setup.sh). Takes minutes, and a GPU of 24 GB. Ends with status 1 when
# a result was wrong, or a sort failed.
set -euo pipefail

die() {
    printf 'gpu-bench.sh: %s\n' "$@" >&2
    exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=
prefix=gpu
device=gpu
most=28
runs=3
packages=()
while (($# > 0)); do
    case $1 in
    --out) folder=${2:?$1: which folder?} && shift ;;
    --prefix) prefix=${2:?$1: which prefix?} && shift ;;
    --device) device=${2:?$1: of what name?} && shift ;;
    --quick) most=12 runs=1 folder=${folder:-$root/build/quick-gpu-bench} ;;
    -*) die "unknown option $1; the options are --out FOLDER, --prefix PREFIX, --device DEVICE and --quick" ;;
    *) packages=("$1") ;;
    esac
    shift
done
folder=${folder:-$root/docs/benchmarks}

# -- set-up --
# shellcheck source=scripts/gpu-setup.sh
source "$root/scripts/gpu-setup.sh"
if [[ $device == gpu || ${#packages[@]} -gt 0 ]]; then
    gpu_setup "${packages[@]}"
fi
# CUDA's own packages do not add its compiler to the path.
if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
    PATH=$PATH:/usr/local/cuda/bin
fi
build=$root/build/gpu-bench
if [[ -z ${CMAKE_GENERATOR:-} ]] && command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=Ninja
fi
cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCLSORT_BUILD_BENCH=ON
cmake --build "$build" --parallel "$(nproc)" --target clsort-bench

bench=("$build/bench/clsort-bench" --device "$device" --batch auto --device-time)
# shellcheck source=scripts/measure.sh
source "$root/scripts/measure.sh"
begin_results "$folder/$prefix-results.jsonl"

# counts POWER...: so many elements, powers of two; with --quick no more than it allows.
counts() {
    local power last=0 list=()
    for power; do
        ((power <= most)) || power=$most
        ((power == last)) || list+=("2^$power")
        last=$power
    done
    (IFS=, && echo "${list[*]}")
}

# beside_cub OPTION... -- POWER...: so many elements. Of 2^28, a run's result takes longer to fetch and verify than to sort.
beside_cub() {
    local options=()
    while [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    shift
    measure --runs "$runs" --peers cub "${options[@]}" --n "$(counts "$@")"
}

# -- sizes --
# Boost.Compute compiles for so long that it would take most of the time for what it is slow at.
beside_cub -- 4 6 8 10 12 14
beside_cub --peers cub,Boost.Compute -- 16 18 20 22 24 26
beside_cub -- 28
beside_cub --type u64 -- 12
beside_cub --type u64 --peers cub,Boost.Compute -- 16 20 24
beside_cub --type u64 -- 28
for type in f32 u8 u16; do
    beside_cub --type $type -- 20 24 28
done
beside_cub --op pairs -- 16 20 24 28
beside_cub --op pairs --unstable -- 16 20 24 28
beside_cub --op pairs --type u64 -- 16 20 24 28
beside_cub --op pairs --type u64 --value-size 8 -- 16 20 24 28
for type in u32 u64; do
    beside_cub --op custom --type $type -- 24
done

# -- algorithms by name --
for algorithm in radix hybrid onesweep; do
    beside_cub --algorithm $algorithm -- 24 28
done
beside_cub --algorithm merge -- 24
beside_cub --algorithm bitonic -- 20
beside_cub --algorithm local -- 10

# -- distributions: uniform keys have been among the sizes --
for dist in sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5 hot; do
    beside_cub --dist $dist -- 28
done

# -- more keys than 32 bits count --
((most < 28)) || measure --runs 1 --peers none --type u8 --n 4294967301

draw_charts "$folder" "$prefix"
exit "$wrong"
