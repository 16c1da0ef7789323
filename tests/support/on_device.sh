#!/usr/bin/env bash
# on_device.sh - runs a command on one OpenCL device: on_device.sh DEVICE COMMAND...
#
# pocl, rusticl, oclgrind   that implementation, and no other is there for the command to find
# device:NAME               what clsort finds under this name through the system's loader
#
# Under Oclgrind the command fails too when Oclgrind has reported anything: a data race, an access out of
# bounds, a barrier that not all work-items reach.
#
# Where the device is missing the command is skipped (status 77), or fails when
# CLSORT_TEST_REQUIRE_DEVICES is 1 or the device was asked for by name. CTest sets CLSORT_TEST_PROBE to
# the program that looks for it.
set -euo pipefail

if (($# < 2)); then
    echo "usage: on_device.sh pocl|rusticl|oclgrind|device:NAME COMMAND..." >&2
    exit 2
fi
device=$1
shift

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

missing() {
    if [[ ${CLSORT_TEST_REQUIRE_DEVICES:-} == 1 || $device == device:* ]]; then
        echo "on_device.sh: no $device here: $*" >&2
        exit 1
    fi
    echo "skipped: no $device here: $*"
    exit 77
}

# only NAME: of all the loader's .icd files it sees this one.
only() {
    local vendors
    for vendors in /etc/OpenCL/vendors /usr/local/etc/OpenCL/vendors /usr/share/OpenCL/vendors; do
        if [[ -e $vendors/$1.icd ]]; then
            cp "$vendors/$1.icd" "$folder"
            export OCL_ICD_VENDORS=$folder
            return
        fi
    done
    missing "the loader has no $1.icd"
}

wrapper=()
case $device in
pocl)
    only pocl
    ;;
rusticl)
    only rusticl
    export RUSTICL_ENABLE=llvmpipe
    ;;
oclgrind)
    command -v oclgrind >/dev/null || missing "no program oclgrind"
    # It stands before the loader by LD_PRELOAD. Its interpreter lacks an intrinsic that LLVM leaves where
    # functions with restrict are inlined.
    wrapper=(oclgrind --data-races --compute-units 4 --build-options -Drestrict= --log "$folder/log")
    ;;
device:*)
    export CLSORT_DEVICE=${device#device:}
    ;;
*)
    echo "on_device.sh: no device $device" >&2
    exit 2
    ;;
esac

if [[ -n ${CLSORT_TEST_PROBE:-} ]]; then
    found=$("${wrapper[@]}" "$CLSORT_TEST_PROBE" 2>&1) || missing "$found"
    echo "On $found"
fi

status=0
"${wrapper[@]}" "$@" || status=$?
if [[ -s $folder/log ]]; then
    echo "on_device.sh: Oclgrind reports:" >&2
    head -n 40 "$folder/log" >&2
    exit 1
fi
exit "$status"
