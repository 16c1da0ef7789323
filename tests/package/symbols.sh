#!/usr/bin/env bash
# symbols.sh - a library exports exactly the functions that the headers declare: symbols.sh LIBRARY HEADER...
#
# LIBRARY may also be a symbols file of dpkg-gensymbols.
#
# A static library cannot hide functions that its files share. Their names have the prefix cls_ and are ignored.
set -euo pipefail

library=$1
shift
headers=("$@")

declared() {
    cat "${headers[@]}" | tr '\n' ' ' | grep -oE 'CLSORT_API [A-Za-z_* ]+\(' | grep -oE 'clsort_\w+\($' |
        tr -d '(' | sort
}

exported() {
    case $library in
    *.symbols) sed -n 's/^ \(.*\)@.*/\1/p' "$library" ;;
    *.a) nm -g --defined-only "$library" | awk 'NF == 3 && $3 !~ /^cls_/ {print $3}' ;;
    *) nm -D --defined-only "$library" | awk '{print $3}' ;;
    esac | sort
}

diff --label "declared in ${headers[*]}" --label "exported by $library" -u <(declared) <(exported)
