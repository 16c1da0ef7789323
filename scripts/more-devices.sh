#!/usr/bin/env bash
# more-devices.sh - the sort and api tests on OpenCL runtimes from PyPI: more-devices.sh [CTEST OPTION]...
#
# On each that the package index has for this machine, one at a time: PoCL as pocl-binary-distribution builds it,
# and Intel's runtime for CPUs. They are unpacked under build/runtimes, not installed. Ends with status 1 when
# a test fails; a runtime that cannot be had is named and left out.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
runtimes=$PWD/build/runtimes
options=("$@")
failed=()

# fetch FOLDER PACKAGE...: the wheels and what they depend on, unpacked.
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
    # The loader under test is the system's.
    find "$folder" -name 'libOpenCL.so*' -delete
    rm -r "$folder/wheels"
    touch "$folder/done"
}

# test_on NAME LIBRARY PACKAGE...: the packages' LIBRARY is the only implementation that the loader finds.
test_on() {
    local name=$1 library=$2 folder=$runtimes/$1 libraries
    shift 2
    echo "== $*"
    if ! fetch "$folder" "$@"; then
        echo "skipped: cannot get $*"
        return
    fi
    mkdir -p "$folder/vendors"
    find "$folder" -name "$library" -print -quit >"$folder/vendors/$name.icd"
    # Libraries do not lie where pip would have put them.
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
