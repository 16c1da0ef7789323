#!/usr/bin/env bash
# demo.sh - builds the preset release, sorts a file of 64 Mi random numbers, and verifies the result
#
# It uses the device of CLSORT_DEVICE, else the best one, and a temporary folder in TMPDIR.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh release
PATH=$PWD/build/release/tools:$PATH

folder=$(mktemp -d "${TMPDIR:-/tmp}/clsort-demo.XXXXXX")
trap 'rm -rf "$folder"' EXIT
free_kib=$(df -Pk "$folder" | awk 'NR == 2 {print $4}')
if ((free_kib < 600 * 1024)); then
    echo "demo.sh: $folder needs 600 MiB of free disk; set TMPDIR to another folder" >&2
    exit 1
fi

echo "Generating 64 Mi random u32 keys, 256 MiB"
before=$(clsort-gen --count 64M --type u32 -o "$folder/random.u32")
echo "$before"

echo "Compiling the kernels"
clsort --type u32 --explain "$folder/random.u32"

echo "Sorting"
clsort --type u32 --stats -o "$folder/sorted.u32" "$folder/random.u32"

echo "Checking order and content"
after=$(clsort --type u32 --check --sum "$folder/sorted.u32")
echo "$after"
if [[ $after != "$before" ]]; then
    echo "demo.sh: the sorted file does not contain the keys of the random file" >&2
    exit 1
fi
echo "The sorted file is in order and complete"
