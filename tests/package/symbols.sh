#!/usr/bin/env bash
# symbols.sh - a library shows what the header declares, no less and no more: symbols.sh LIBRARY HEADER
#
# A static library cannot hide what its files share; there, names with the prefix cls_ may show too.
set -euo pipefail

library=$1 header=$2

declared() {
    tr '\n' ' ' <"$header" | grep -oE 'CLSORT_API [A-Za-z_* ]+\(' | grep -oE 'clsort_\w+\($' | tr -d '(' | sort
}

shown() {
    case $library in
    *.a) nm -g --defined-only "$library" | awk 'NF == 3 && $3 !~ /^cls_/ {print $3}' ;;
    *) nm -D --defined-only "$library" | awk '{print $3}' ;;
    esac | sort
}

diff --label "declared in $header" --label "shown by $library" -u <(declared) <(shown)
