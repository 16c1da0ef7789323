#!/usr/bin/env bash
# calls.sh - every call of OpenCL, and every allocation, of some files can be made to fail
#
#   calls.sh opencl LAYER FILE...      what the files ask of OpenCL is in the layer
#   calls.sh alloc "NAME..." FILE...   what allocates for them is among the names
set -euo pipefail

kind=$1 known=$2
shift 2

needed() {
    nm --undefined-only "$@" | awk '{print $NF}' | sed 's/@.*//' | sort -u
}

case $kind in
opencl)
    mapfile -t names < <(nm "$known" | awk '$2 == "t" && sub(/^fault_cl/, "cl", $3) {print $3}' | sort)
    mapfile -t used < <(needed "$@" | grep -E '^cl[A-Z]')
    ;;
alloc)
    read -ra names <<<"$known"
    # Of the C library: what gives memory, and what needs some to begin.
    allocators='[a-z]*alloc(array)?|posix_memalign|memalign|v?asprintf|strn?dup|realpath|getline|getcwd'
    openers='open_memstream|fopen|fdopen|opendir|scandir|mmap|mremap|pthread_[a-z]+_init|pthread_create'
    releases='free|munmap|pthread_[a-z]+_destroy'
    mapfile -t used < <(needed "$@" | grep -xE "$allocators|$openers|$releases")
    ;;
esac
((${#used[@]} > 0)) || {
    echo "no calls at all in $*" >&2
    exit 1
}
missing=$(comm -13 <(printf '%s\n' "${names[@]}" | sort) <(printf '%s\n' "${used[@]}" | sort))
if [[ -n $missing ]]; then
    echo "cannot be made to fail: ${missing//$'\n'/ }" >&2
    exit 1
fi
echo "${#used[@]} calls of $kind"
