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

# set_options PROGRAM: sets the array macros to the program's options -D, and the array options to the others and to
# those for a target with its sub-group backend (sub_group.cl), or for x86. Clang has other names for the functions of
# Intel's extension.
set_options() {
    local option all
    case $1 in
    *'-DSUB_GROUP_BACKEND=1'*) options=(--target=spir64) ;;
    *'-DSUB_GROUP_BACKEND=2'*) options=(--target=spir64 -cl-std=CL2.0 -Dintel_sub_group_shuffle=sub_group_shuffle) ;;
    *'-DSUB_GROUP_BACKEND=3'*) options=(--target=nvptx64-nvidia-cuda -nogpulib) ;;
    *'-DSUB_GROUP_BACKEND=4'*) options=(--target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib) ;;
    *) options=(--target=x86_64-linux-gnu -mavx512f) ;;
    esac
    macros=()
    read -ra all <<<"${1#* -- }"
    for option in "${all[@]}"; do
        case $option in
        -D*=*) macros+=("${option#-D}") ;;
        -cl-nv-*) ;; # only NVIDIA's compiler has these
        *) options+=("$option") ;;
        esac
    done
}

# print_file PROGRAM: prints a file that defines the macros and includes the root file. Messages name the program
# instead of the file.
print_file() {
    printf '#define %s\n' "${macros[@]/=/ }"
    [[ $1 != *'-DKEY_ORDER=3'* ]] || printf '#include "%s"\n' "$PWD/tests/lint/custom_order.h"
    printf '#line 1 "%s"\n#include "%s"\n' "$1" "${1%% -- *}"
}

# compile_all: compiles the programs of standard input. Clang's front end (-cc1) compiles many files in one process if
# their options are the same, which takes a third of the time of a process for each.
compile_all() {
    local program macros options command group first count=0
    local -A groups=() # options -> folder
    while read -r program; do
        set_options "$program"
        group=${groups[${options[*]}]:-}
        if [[ -z $group ]]; then
            group=$work/${#groups[@]}
            groups[${options[*]}]=$group
            mkdir "$group"
        fi
        count=$((count + 1))
        print_file "$program" >"$group/$count.cl"
    done
    for key in "${!groups[@]}"; do
        read -ra options <<<"$key"
        group=${groups[$key]}
        first=$(find "$group" -name '*.cl' -print -quit)
        # Not every variant uses all functions and parameters of the files that it includes.
        mapfile -t command < <(clang -x cl -cl-std=CL1.2 "${options[@]}" -fsyntax-only -I "$folder" -Wall -Wextra \
            -Wpedantic -Werror -Wno-unused-function -Wno-unused-parameter -### "$first" 2>&1 | tail -n 1 |
            xargs printf '%s\n')
        if [[ ${command[1]} != -cc1 || ${command[-1]} != "$first" ]]; then
            echo "kernels.sh: not a command of clang's front end: ${command[*]}" >&2
            return 1
        fi
        unset 'command[-1]'
        find "$group" -name '*.cl' -print0 | xargs -0 -n 50 -P "$(nproc)" "${command[@]}"
    done
    echo "$count programs compile"
}

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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile_all <<<"$list"
# shellcheck disable=SC2016 # expanded by the shell that xargs starts
(cd "$folder" && find . -name '*.cl' -printf '%P\n') |
    xargs -d '\n' -n 1 -P "$(nproc)" bash -euo pipefail -c 'alone "$1"' _
