#!/usr/bin/env bash
# gpu-setup.sh - what gpu-check.sh and gpu-bench.sh have to do before: sourced by them, gpu_setup [PACKAGE FOLDER]
#
# For machines that have NVIDIA's driver and a compiler but no package registry: run as root with a folder of
# Debian packages, those that the scripts need and the machine lacks. They are unpacked, not installed.

gpu_setup() {
    local icd=/etc/OpenCL/vendors/nvidia.icd package
    if [[ ! -e $icd ]]; then
        mkdir -p "$(dirname "$icd")"
        echo libnvidia-opencl.so.1 >"$icd"
    fi
    if [[ $# -gt 0 ]]; then
        for package in "$1"/*.deb; do
            [[ -e $package ]] || continue # there is none
            dpkg -x "$package" /
        done
        ldconfig
    fi
}
