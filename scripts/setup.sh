#!/usr/bin/env bash
# setup.sh - installs missing packages, then configures and builds a preset of CMakePresets.json: setup.sh PRESET
set -euo pipefail

preset=${1:?usage: setup.sh PRESET}
packages=(gcc cmake ninja-build pkg-config ocl-icd-opencl-dev pocl-opencl-icd libcjson-dev liburing-dev)
packages+=(liblz4-dev libzstd-dev) # for --compress
if [[ $preset == mingw ]]; then
    packages+=(gcc-mingw-w64-x86-64-posix wine wine64 dpkg-dev) # all but the compiler: for scripts/mingw.sh
elif [[ $preset == openmpi || $preset == mpich ]]; then
    packages+=(g++ libcmocka-dev) # the folder bench needs a C++ compiler
    if [[ $preset == openmpi ]]; then
        packages+=(libopenmpi-dev openmpi-bin)
    else
        packages+=(libmpich-dev mpich)
    fi
elif [[ $preset != release ]]; then
    packages+=(g++ libboost-dev libtbb-dev libhwy-dev) # clsort-bench and its peers
fi
if [[ $preset == bench ]]; then
    packages+=(python3-matplotlib python3-venv)
elif [[ $preset != release && $preset != mingw && $preset != openmpi && $preset != mpich ]]; then
    packages+=(clang clang-format shellcheck libcmocka-dev mesa-opencl-icd oclgrind opencl-clhpp-headers mandoc)
    packages+=(doxygen doxygen-awesome-css fish zsh) # the API reference, and the shells that complete options
    packages+=(python3-numpy) # sorts the same .npy files
fi
if [[ $preset == fuzz ]]; then
    packages+=(libclang-rt-dev)
elif [[ $preset == coverage ]]; then
    packages+=(gcovr)
elif [[ $preset == musl ]]; then
    packages+=(musl-tools dpkg-dev)
elif [[ $preset == dev ]]; then
    packages+=(python3-venv) # for reuse
fi

die() {
    printf 'setup.sh: %s\n' "$@" >&2
    exit 1
}

has() {
    command -v "$1" >/dev/null
}

installed() {
    # -x excludes "not-installed". A package of any architecture counts.
    dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

install_missing() {
    local package missing=() as_root=()
    if ! has dpkg-query || ! has apt-get; then
        die "this is not Debian or Ubuntu. Install the equivalents of these packages:" \
            "    ${packages[*]}" \
            "and run again with CLSORT_SKIP_SETUP=1"
    fi
    for package in "${packages[@]}"; do
        installed "$package" || missing+=("$package")
    done
    if ((${#missing[@]} == 0)); then
        return
    fi
    if ((EUID != 0)); then
        has sudo || die "root or sudo is required. Install as root: ${missing[*]}"
        as_root=(sudo)
    fi
    echo "Installing: ${missing[*]}"
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# install_reuse: installs the tool of the test lint.reuse from PyPI. Without it, that test is skipped.
install_reuse() {
    [[ ! -x build/reuse/bin/reuse ]] || return 0
    if ! python3 -m venv build/reuse || ! build/reuse/bin/python3 -m pip install --quiet 'reuse>=4'; then
        echo "setup.sh: reuse could not be installed; the test lint.reuse will be skipped" >&2
    fi
}

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ -z ${CLSORT_SKIP_SETUP:-} ]]; then
    install_missing
    if [[ $preset == dev ]]; then
        install_reuse
    fi
fi

# Unlike -G, the variable does not conflict with a folder that was configured with another generator.
if [[ -z ${CMAKE_GENERATOR:-} ]] && has ninja; then
    export CMAKE_GENERATOR=Ninja
fi
if [[ $preset == musl ]]; then
    scripts/musl-libraries.sh
fi
cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$(nproc)"
