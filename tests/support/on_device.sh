#!/usr/bin/env bash
# on_device.sh - runs a command on one OpenCL device: on_device.sh DEVICE COMMAND...
#
# pocl, rusticl, oclgrind   this implementation, which is the only one that the command can find
# all                       every implementation that the loader finds
# device:NAME               the device that clsort_find_device finds by this name
#
# Under Oclgrind, the command also fails if Oclgrind reports anything: a data race, an access out of bounds, or a
# divergent barrier.
#
# If CLSORT_TEST_NO_DEVICE is 1, the command runs without any device, whatever DEVICE is (preset musl).
#
# If the device is missing, the command is skipped (status 77). It fails if CLSORT_TEST_REQUIRE_DEVICES is 1 or the
# device is given by name. CTest sets CLSORT_TEST_PROBE to the program that searches for the device, and
# CLSORT_TEST_EMULATOR, in a cross build, to the program that runs those of the target system.
set -euo pipefail

if (($# < 2)); then
    echo "usage: on_device.sh pocl|rusticl|oclgrind|all|device:NAME COMMAND..." >&2
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

# only NAME: lets the loader see this .icd file only.
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

wrapper=(${CLSORT_TEST_EMULATOR:+"$CLSORT_TEST_EMULATOR"})
if [[ ${CLSORT_TEST_NO_DEVICE:-} == 1 ]]; then
    device=none
    CLSORT_TEST_PROBE=
fi
case $device in
none)
    export OCL_ICD_VENDORS=$folder # empty
    ;;
all)
    export RUSTICL_ENABLE=llvmpipe
    ;;
pocl)
    only pocl
    ;;
rusticl)
    only rusticl
    export RUSTICL_ENABLE=llvmpipe
    ;;
oclgrind)
    command -v oclgrind >/dev/null || missing "no program oclgrind"
    # Oclgrind replaces the loader by LD_PRELOAD. Its interpreter lacks an intrinsic that LLVM generates when
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
