#!/usr/bin/env bash
# more-devices.sh - the sort and api tests on OpenCL runtimes from PyPI: more-devices.sh [CTEST OPTION]...
#
# The runtimes are PoCL (pocl-binary-distribution) and Intel's runtime for CPUs. They are unpacked under build/runtimes,
# not installed. The exit status is 1 if a test fails. A runtime that cannot be downloaded is skipped with a message.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
runtimes=$PWD/build/runtimes
options=("$@")
failed=()

# fetch FOLDER PACKAGE...: downloads and unpacks wheels with their dependencies.
fetch() {
    local folder=$1 wheel
    shift
    [[ ! -e $folder/done ]] || return 0
    rm -rf "$folder"
    mkdir -p "$folder/wheels"
    python3 -m pip download --quiet --only-binary :all: --dest "$folder/wheels" "$@" || return 1
    for wheel in "$folder"/wheels/*.whl; do
        python3 -m zipfile -e "$wheel" "$folder" || return 1
    done
    # The tests use the loader of the system.
    find "$folder" -name 'libOpenCL.so*' -delete
    rm -r "$folder/wheels"
    touch "$folder/done"
}

# test_on NAME LIBRARY PACKAGE...: runs the tests with LIBRARY of the packages as the only OpenCL implementation.
test_on() {
    local name=$1 library=$2 folder=$runtimes/$1 libraries
    shift 2
    echo "== $*"
    if ! fetch "$folder" "$@"; then
        echo "skipped: cannot download $*"
        return
    fi
    mkdir -p "$folder/vendors"
    find "$folder" -name "$library" -print -quit >"$folder/vendors/$name.icd"
    # The libraries are not in the folders where pip would install them.
    libraries=$(find "$folder" -name '*.so*' -printf '%h\n' | sort -u | paste -sd :)
    OCL_ICD_VENDORS=$folder/vendors LD_LIBRARY_PATH=$libraries \
        ctest --preset device "${options[@]}" || failed+=("$name")
}

CLSORT_TEST_DEVICE=0 scripts/setup.sh device
test_on pocl 'libpocl-*.so' pocl-binary-distribution
test_on intel libintelocl.so intel-opencl-rt intel-cmplr-lib-rt

if ((${#failed[@]} > 0)); then
    echo "more-devices.sh: tests failed on ${failed[*]}"
    exit 1
fi
