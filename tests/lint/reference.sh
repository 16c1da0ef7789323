#!/usr/bin/env bash
# reference.sh - Doxygen builds the API reference, and fails on every kind of symbol without a comment
#
# Run in the source folder.
set -euo pipefail

for program in doxygen python3; do
    command -v "$program" >/dev/null || { echo "skipped: no $program" && exit 77; }
done
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/include"
cp -r docs scripts "$copy"
cp include/clsort_{columns,group,host,mpi,counts,segments,select,unique,values}.h "$copy/include"

# build EDIT: builds the reference of a header that sed has changed.
build() {
    sed "$1" include/clsort.h >"$copy/include/clsort.h"
    bash "$copy/scripts/reference.sh" "$copy/reference" >"$copy/messages" 2>&1
}
if ! build '' || ! grep -q CLSORT_E_OVERLAP "$copy/reference/html/clsort_8h.html"; then
    cat "$copy/messages" >&2
    exit 1
fi

# refuses NAME EDIT: an edit that adds NAME without a comment makes the build fail.
refuses() {
    if build "$2" || ! grep -q "\b$1\b.*is not documented" "$copy/messages"; then
        echo "reference.sh: $1 has no comment, but the build of the reference does not report it" >&2
        exit 1
    fi
}
refuses clsort_added 's/^#endif \/\* CLSORT_H/CLSORT_API int clsort_added(void);\n&/'
refuses added_member 's/^} clsort_io;/    int added_member;\n&/'
refuses CLSORT_VALUE 's/^    CLSORT_GATHER,/    CLSORT_VALUE,\n&/'
refuses CLSORT_MACRO 's/^#endif \/\* CLSORT_H/#define CLSORT_MACRO 1\n&/'
