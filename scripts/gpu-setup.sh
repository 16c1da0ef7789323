#!/usr/bin/env bash
# gpu-setup.sh - setup of the machine for gpu-check.sh and gpu-bench.sh, which source it: gpu_setup [PACKAGE FOLDER]
#
# Registers NVIDIA's driver with the OpenCL loader. For machines with a compiler but without a package registry, PACKAGE
# FOLDER has the Debian packages that the scripts need and that are missing. They are unpacked, not installed.

gpu_setup() {
    local icd=/etc/OpenCL/vendors/nvidia.icd package
    if [[ ! -e $icd ]]; then
        mkdir -p "$(dirname "$icd")"
        echo libnvidia-opencl.so.1 >"$icd"
    fi
    if [[ $# -gt 0 ]]; then
        for package in "$1"/*.deb; do
            [[ -e $package ]] || continue # the folder has no packages
            dpkg -x "$package" /
        done
        ldconfig
    fi
}
