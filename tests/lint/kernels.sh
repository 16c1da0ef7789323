#!/usr/bin/env bash
# kernels.sh - every program that the library can compile, and every kernel file, compiles: kernels.sh FOLDER LISTER
#
# LISTER prints a line for each program, "radix/radix.cl -- -DX=1 -DY=2": the root file, in FOLDER, and the options.
set -euo pipefail

export folder=$1
lister=$2

if ! command -v clang >/dev/null; then
    echo "skipped: no clang"
    exit 77
fi

# OpenCL C 1.2 has no variadic macros. NVIDIA's compiler refuses them, but clang does not.
if grep -nE '^\s*#\s*define\s+\w+\([^)]*\.\.\.' "$folder"/*/*.cl; then
    echo "kernels.sh: variadic macros, which OpenCL C 1.2 does not have" >&2
    exit 1
fi

# target_of PROGRAM: prints the options for a target with the program's sub-group backend (sub_group.cl), or for x86.
# Clang has other names for the functions of Intel's extension.
target_of() {
    case $1 in
    *'-DSUB_GROUP_BACKEND=1'*) echo --target=spir64 ;;
    *'-DSUB_GROUP_BACKEND=2'*) echo --target=spir64 -cl-std=CL2.0 -Dintel_sub_group_shuffle=sub_group_shuffle ;;
    *'-DSUB_GROUP_BACKEND=3'*) echo --target=nvptx64-nvidia-cuda -nogpulib ;;
    *'-DSUB_GROUP_BACKEND=4'*) echo --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib ;;
    *) echo --target=x86_64-linux-gnu -mavx512f ;;
    esac
}
export -f target_of

# Not every variant uses all functions and parameters of the files that it includes.
compile() {
    local program=$1 options target order=()
    read -ra options <<<"${program#* -- }"
    options=("${options[@]/#-cl-nv-*/}") # options that only NVIDIA's compiler has
    read -ra target <<<"$(target_of "$program")"
    [[ $program == *'-DKEY_ORDER=3'* ]] && order=(-include tests/lint/custom_order.h)
    clang -x cl -cl-std=CL1.2 "${target[@]}" -Xclang -finclude-default-header "${order[@]}" -fsyntax-only -I "$folder" \
        -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -Wno-unused-parameter "${options[@]}" \
        "$folder/${program%% -- *}" || {
        echo "in the program: $program" >&2
        return 1
    }
}
export -f compile

# alone FILE: compiles the file as an editor does, with compile_flags.txt and the flags that .clangd adds for the file.
alone() {
    local file=$1 flags added
    mapfile -t flags <"$folder/compile_flags.txt"
    read -ra added < <(awk -v file="/${file##*/}" '
        /PathMatch:/ { pattern = $2; sub(/^\.\*/, "", pattern) }
        /Add:/ && file ~ pattern { gsub(/.*\[|\]|,/, ""); print }' .clangd) || true
    [[ " ${added[*]} " == *' --target='* ]] && flags=("${flags[@]/-mavx512f/}")
    if ! (cd "$folder" && clang "${flags[@]/#-I./-I.}" "${added[@]}" -fsyntax-only -Werror "$file"); then
        echo "compiled alone: $file" >&2
        return 1
    fi
    if [[ $(grep -c '^#ifndef CLSORT_\|^#define CLSORT_' "$folder/$file") -lt 2 ]]; then
        echo "$file: no include guard" >&2
        return 1
    fi
}
export -f alone

list=$("$lister" | sort -u)
if [[ $list != *' -- '* ]]; then
    echo "no programs to compile" >&2
    exit 1
fi
# shellcheck disable=SC2016 # expanded by the shell that xargs starts
xargs -d '\n' -n 1 -P "$(nproc)" bash -euo pipefail -c 'compile "$1"' _ <<<"$list"
echo "$(wc -l <<<"$list") programs compile"
# shellcheck disable=SC2016 # as above
(cd "$folder" && find . -name '*.cl' -printf '%P\n') |
    xargs -d '\n' -n 1 -P "$(nproc)" bash -euo pipefail -c 'alone "$1"' _
