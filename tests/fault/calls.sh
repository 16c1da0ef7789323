#!/usr/bin/env bash
# calls.sh - every OpenCL call and every allocator that object files use can be made to fail
#
#   calls.sh opencl LAYER FILE...      the layer intercepts each OpenCL call that the files use
#   calls.sh alloc "NAME..." FILE...   the names contain each allocator that the files use
#
# A FILE may be a list of files separated by semicolons, as CMake passes the objects of a target.
set -euo pipefail

kind=$1 known=$2
shift 2
mapfile -t files < <(printf '%s\n' "$@" | tr ';' '\n')

symbols=$(nm --undefined-only "${files[@]}") # in a command of its own, so that a missing file ends the script
symbols=$(awk 'NF > 1 {print $NF}' <<<"$symbols" | sed 's/@.*//' | sort -u)

case $kind in
opencl)
    mapfile -t names < <(nm "$known" | awk '$2 == "t" && sub(/^fault_cl/, "cl", $3) {print $3}' | sort)
    mapfile -t used < <(grep -E '^cl[A-Z]' <<<"$symbols")
    ;;
alloc)
    read -ra names <<<"$known"
    # Functions of the C library that return memory, and functions that need memory for their result.
    allocators='[a-z]*alloc(array)?|posix_memalign|memalign|v?asprintf|strn?dup|realpath|getline|getcwd'
    openers='open_memstream|fopen|fdopen|opendir|scandir|mmap|mremap|pthread_[a-z]+_init|pthread_create'
    releases='free|munmap|pthread_[a-z]+_destroy'
    mapfile -t used < <(grep -xE "$allocators|$openers|$releases" <<<"$symbols")
    ;;
esac
((${#used[@]} > 0)) || {
    echo "calls.sh: no calls of kind $kind in ${files[*]}" >&2
    exit 1
}
missing=$(comm -13 <(printf '%s\n' "${names[@]}" | sort) <(printf '%s\n' "${used[@]}" | sort))
if [[ -n $missing ]]; then
    echo "calls.sh: cannot be made to fail: ${missing//$'\n'/ }; add them to calls.h or fault_wraps" >&2
    exit 1
fi
echo "${#used[@]} calls of $kind"
