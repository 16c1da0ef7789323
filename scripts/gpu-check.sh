#!/usr/bin/env bash
# gpu-check.sh - builds, tests and measures clsort on an NVIDIA GPU: gpu-check.sh [PACKAGE FOLDER]
#
# If there also is an OpenCL device of type CPU, such as that of PoCL, the tests run on it last.
#
# On a machine without a package registry, run it as root with a folder of the Debian packages that test.sh installs and
# that are missing (gpu-setup.sh).
set -euo pipefail

# shellcheck source=scripts/gpu-setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/gpu-setup.sh"
gpu_setup "$@"

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CLSORT_SKIP_SETUP=1
scripts/test.sh --device gpu --parallel "$(nproc)"

build=build/device
"$build/tools/clsort" --list-devices | tee "$build/devices"
bench=("$build/bench/clsort-bench" --device gpu --peers none)
"${bench[@]}" --n "2^10,2^16,2^20,2^24"
"${bench[@]}" --n "2^28" --runs 3
"${bench[@]}" --n "2^20,2^24" --type u64
"${bench[@]}" --n "2^20,2^24" --op pairs --value-size 4
"${bench[@]}" --n "2^20,2^22" --op pairs --value-size 100

if grep -q '^[0-9]*: cpu' "$build/devices"; then
    scripts/test.sh --device cpu --parallel "$((($(nproc) + 1) / 2))"
fi
