#!/usr/bin/env bash
# edit_kernels.sh - copies the kernels and replaces texts in them: edit_kernels.sh FROM TO [FILE TEXT REPLACEMENT]...
set -euo pipefail

from=$1 to=$2
shift 2
mkdir -p "$(dirname "$to")"
rm -rf "$to"
cp -r "$from" "$to"
while (($# > 0)); do
    content=$(cat "$to/$1")
    if [[ $content != *"$2"* ]]; then
        echo "edit_kernels.sh: $1 does not contain '$2': adapt the edit to the kernel" >&2
        exit 1
    fi
    printf '%s\n' "${content/"$2"/"$3"}" >"$to/$1"
    shift 3
done
