#!/usr/bin/env bash
# gpu-bench.sh - compares clsort with CUB and Boost.Compute on a GPU: gpu-bench.sh [OPTION]... [PACKAGE FOLDER]
#
#   --out FOLDER      folder of the results and charts, PREFIX-* (default: docs/benchmarks)
#   --prefix PREFIX   short name of the GPU, such as h200 (default: gpu)
#   --device DEVICE   as for clsort-bench (default: gpu, an NVIDIA GPU, which is set up first)
#   --cccl FOLDER     headers of CCCL 3.3 or newer, for CUB's DeviceTopK, if those of CUDA are older
#   --host            measure host arrays only
#   --sizes           measure numbers of elements and algorithms by name only
#   --key-dists       measure distributions of keys only
#   --pair-dists      measure distributions of pairs only
#   --lengths         measure segments of many lengths and selections of many k only
#   --operations      measure the other operations only: argsorts, gathers, selections, repeats, records and columns
#   --quick           run each step with few elements, as a test; FOLDER is then build/quick-gpu-bench by default
#
# Writes PREFIX-host.jsonl for host arrays (clsort_host, transfers included, and sorts on the CPU), PREFIX-results.jsonl
# for sizes, PREFIX-key-dists.jsonl, PREFIX-pair-dists.jsonl, PREFIX-lengths.jsonl and PREFIX-operations.jsonl. With
# --device cpu, it also writes PREFIX-enqueue.jsonl: clsort_host and clsort_enqueue on the same arrays.
#
# Builds in build/gpu-bench, with CUB if nvcc and a GPU are found, or with --host in build/gpu-host, without CUB. On a
# machine without a package registry, run it as root with a folder of the Debian packages that are missing (gpu-
# setup.sh). It needs a GPU with 48 GB of memory.
#
# Estimates for an H200 with 16 cores are 4 minutes for the host arrays, 6 for the sizes, 8 for the distributions of
# keys and 22 for those of pairs. Reading and verifying results takes most of the time. For 2^28 elements, each run of
# each contestant takes about 0.4 s (u32), 0.5 s (u64), 1.2 s (u32 + u32) or 1.7 s (u64 + u32), and proportionally less
# time for fewer elements. With 3 contestants, each of 27 distributions thus takes about 7, 8, 17 and 23 s, with 3 runs
# for 2^20 and 2^24 elements, 2 runs for 2^26 and 2^28, a warm-up before them, and the generation of the input.
#
# The exit status is 1 if a result is wrong or a sort failed.
set -euo pipefail

die() {
    printf 'gpu-bench.sh: %s\n' "$@" >&2
    exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=
prefix=gpu
device=gpu
max=28
runs=3
large_runs=2 # for at least 2^26 elements of each distribution
parts="host sizes key-dists pair-dists lengths operations"
build=$root/build/gpu-bench
configure=()
packages=()
while (($# > 0)); do
    case $1 in
    --out) folder=${2:?$1: the folder is missing} && shift ;;
    --prefix) prefix=${2:?$1: the prefix is missing} && shift ;;
    --device) device=${2:?$1: the device is missing} && shift ;;
    --cccl) configure+=("-DCLSORT_CCCL=${2:?$1: the folder is missing}") && shift ;;
    --host | --sizes | --key-dists | --pair-dists | --lengths | --operations)
        [[ $parts == *" "* ]] || die "options that measure a part, such as --host, exclude each other"
        parts=${1#--}
        ;;
    --quick) max=12 runs=1 large_runs=1 folder=${folder:-$root/build/quick-gpu-bench} ;;
    -*)
        die "unknown option $1; the options are --out FOLDER, --prefix PREFIX, --device DEVICE, --cccl FOLDER," \
            "to measure a part --host, --sizes, --key-dists, --pair-dists, --lengths or --operations, and --quick"
        ;;
    *) packages=("$1") ;;
    esac
    shift
done
folder=${folder:-$root/docs/benchmarks}
if [[ $parts == host ]]; then
    build=$root/build/gpu-host configure=(-DCMAKE_CUDA_COMPILER=CMAKE_CUDA_COMPILER-NOTFOUND)
fi

# -- set-up --
# shellcheck source=scripts/gpu-setup.sh
source "$root/scripts/gpu-setup.sh"
if [[ $device == gpu || ${#packages[@]} -gt 0 ]]; then
    gpu_setup "${packages[@]}"
fi
# NVIDIA's packages do not add the compiler to PATH.
if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
    PATH=$PATH:/usr/local/cuda/bin
fi
if [[ -z ${CMAKE_GENERATOR:-} ]] && command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=Ninja
fi
cmake -S "$root" -B "$build" --preset bench "${configure[@]}"
cmake --build "$build" --parallel "$(nproc)" --target clsort-bench clsort-gen

bench=("$build/bench/clsort-bench" --device "$device" --batch auto)
# shellcheck source=scripts/measure.sh
source "$root/scripts/measure.sh"

# -- host arrays --
# The peers take seconds to sort the largest arrays, so that one run suffices.
if [[ $parts == *host* ]]; then
    begin_results "$folder/$prefix-host.jsonl"
    measure_host 12 24 --runs "$runs" --peers "$fast_peers,std::sort"
    for type in u32 u64; do
        measure_numpy python3 --host --runs "$runs" --type $type --n "$(sizes 8 2 12 26)"
    done
    measure_host 26 26 --runs "$runs" --peers "$fast_peers"
    measure_host 28 28 --runs 1 --peers vqsort,tbb::parallel_sort
    draw_charts "$folder" "$prefix"
    if [[ $device == cpu ]]; then
        begin_results "$folder/$prefix-enqueue.jsonl"
        for dist in uniform sorted equal; do
            measure_host 16 26 --peers none --enqueue --dist "$dist"
        done
    fi
fi

# -- sizes and algorithms --
cub=cub,cub-64

# compare OPTION... -- POWER...: compares clsort with CUB at 2^POWER elements.
compare() {
    local options=()
    while [[ $1 != -- ]]; do
        options+=("$1")
        shift
    done
    shift
    measure --runs "$runs" --device-time --peers $cub "${options[@]}" --n "$(counts "$@")"
}

if [[ $parts == *sizes* ]]; then
    begin_results "$folder/$prefix-results.jsonl"
    # Boost.Compute takes part in a few measurements only, because its compilation takes long.
    compare -- 4 6 8 10 12 14
    compare --peers $cub,Boost.Compute -- 16 18 20 22 24 26
    compare -- 28
    compare --type u64 -- 12 14 18 22 26
    compare --type u64 --peers $cub,Boost.Compute -- 16 20 24
    compare --type u64 -- 28
    for type in f32 u8 u16; do
        compare --type $type -- 20 24 28
    done
    compare --op pairs -- 16 20 22 24 28
    compare --op pairs --unstable -- 16 20 24 28
    compare --op pairs --type u64 -- 16 20 22 24 28
    compare --op pairs --type u64 --value-size 8 -- 16 20 24 28
    for type in u32 u64; do
        compare --op custom --type $type --peers cub -- 24
    done
    for algorithm in radix hybrid onesweep; do
        compare --algorithm $algorithm -- 24 28
    done
    compare --algorithm onesweep --type u64 -- 28
    compare --algorithm onesweep --op pairs -- 28
    compare --algorithm merge -- 24
    compare --algorithm bitonic -- 20
    compare --algorithm local -- 10
    # More than 2^32 keys
    ((max < 28)) || measure --runs 1 --peers cub-64 --type u8 --n 4294967301
fi

# -- distributions --
# measure_dist DIST OPTION...: compares clsort with CUB at 2^20, 2^24, 2^26 and 2^28 elements, and for some
# distributions also at numbers that are no powers of two.
measure_dist() {
    local dist=$1 list n
    shift
    list=$(counts 20 24)
    if [[ $dist =~ ^(uniform|zipf|expo)$ ]]; then
        for n in 3000017 50000021; do
            list+=,$((n < 1 << max ? n : (1 << max) - 1))
        done
    fi
    measure --runs "$runs" --peers $cub --dist "$dist" --n "$list" "$@"
    measure --runs "$large_runs" --peers $cub --dist "$dist" --n "$(counts 26 28)" "$@"
}

if [[ $parts == *key-dists* ]]; then
    begin_results "$folder/$prefix-key-dists.jsonl"
    for dist in uniform $dists; do
        measure_dist "$dist" --type u32
        measure_dist "$dist" --type u64
        measure --runs "$runs" --peers $cub --dist "$dist" --type u16 --n "$(counts 20 24)"
    done
fi
if [[ $parts == *pair-dists* ]]; then
    begin_results "$folder/$prefix-pair-dists.jsonl"
    for dist in uniform $dists; do
        measure_dist "$dist" --op pairs --type u32
        measure_dist "$dist" --op pairs --type u64
        for type in u32 u64; do
            measure --runs "$runs" --peers $cub --op pairs --dist "$dist" --type $type --value-size 16 \
                --n "$(counts 20 24)"
        done
    done
fi

# -- lengths of segments, and k --
if [[ $parts == *lengths* ]]; then
    begin_results "$folder/$prefix-lengths.jsonl"
    power=$((max < 26 ? max : 26))
    for segments in equal uniform zipf; do
        measure_lengths "$power" --runs "$runs" --device-time --peers cub-segmented --segments $segments
    done
    for order in "" --input-order; do
        # shellcheck disable=SC2086
        measure_ks "$max" --runs "$runs" --device-time --peers cub-full-sort,cub-topk --type f32 $order
    done
    draw_charts "$folder" "$prefix"
fi

# -- other operations --
# operation POWER OPTION...: measures an operation on 2^POWER elements.
operation() {
    local power=$1
    shift
    measure --runs "$runs" --n "$(counts "$power")" "$@"
}

if [[ $parts == *operations* ]]; then
    begin_results "$folder/$prefix-operations.jsonl"
    operation 28 --op argsort --peers $cub
    for size in 4 16 100; do
        operation 24 --op gather --value-size $size --peers none
    done
    operation 28 --op top --type f32 --peers cub-full-sort,cub-topk
    operation 28 --op nth --type f32 --peers none
    k=$((1 << (max < 26 ? max : 26) - 1))
    operation 26 --op top --type f32 --k $k --peers cub-full-sort
    operation 26 --op top --type f32 --k $k --input-order --peers none
    operation 28 --op unique --peers cub-unique
    operation 28 --op check --peers none
    operation 24 --op columns --peers cub-decomposer
    operation 24 --op strings --peers cub-int128
    operation 26 --op records --peers cub-gather
fi

# The charts show the results of all these parts, also those of earlier runs.
if [[ ! $parts =~ ^(host|lengths|operations)$ ]]; then
    results=
    for file in "$folder/$prefix"-{results,key-dists,pair-dists}.jsonl; do
        [[ ! -e $file ]] || results+=${results:+,}$file
    done
    draw_charts "$folder" "$prefix"
fi
exit "$wrong"
