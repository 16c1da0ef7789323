#!/usr/bin/env bash
# gpu-check.sh - builds, tests and measures clsort on an NVIDIA GPU: gpu-check.sh [PACKAGE FOLDER]
#
# For machines that have the driver and a compiler but no package registry: run as root with a folder of
# Debian packages, those that test.sh installs and the machine lacks. They are unpacked, not installed.
set -euo pipefail
shopt -s nullglob

icd=/etc/OpenCL/vendors/nvidia.icd
if [[ ! -e $icd ]]; then
    mkdir -p "$(dirname "$icd")"
    echo libnvidia-opencl.so.1 >"$icd"
fi
if [[ $# -gt 0 ]]; then
    for package in "$1"/*.deb; do
        dpkg -x "$package" /
    done
    ldconfig
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
CLSORT_SKIP_SETUP=1 scripts/test.sh --device gpu --parallel 6

build=build/device
"$build/examples/clsort" --list-devices
bench=("$build/bench/clsort-bench" --device gpu --peers none)
"${bench[@]}" --n "2^10,2^16,2^20,2^24"
"${bench[@]}" --n "2^28" --runs 3
"${bench[@]}" --n "2^20,2^24" --type u64
"${bench[@]}" --n "2^20,2^24" --op pairs --value-size 4
"${bench[@]}" --n "2^20,2^22" --op pairs --value-size 100
