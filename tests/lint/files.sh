#!/usr/bin/env bash
# files.sh - files have at most 600 lines and open with "name - purpose"
#
# Run in the source folder. The second rule applies to files of every language except CMakeLists.txt, since all
# of these have the same name.
set -euo pipefail

limit=600
failed=0
while read -r file; do
    lines=$(wc -l <"$file")
    if ((lines > limit)); then
        echo "$file: $lines lines, more than $limit; split it" >&2
        failed=1
    fi
    if [[ $file != */CMakeLists.txt ]] && ! head -n 4 "$file" | grep -qF -- "$(basename "$file" .in) - "; then
        echo "$file: does not open with '$(basename "$file") - purpose'" >&2
        failed=1
    fi
done < <(find src cl include tests bench examples tools cmake scripts .ci -path tests/fuzz/corpus -prune -o \
    -type f ! -name compile_flags.txt -print)
exit "$failed"
