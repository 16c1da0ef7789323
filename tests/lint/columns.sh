#!/usr/bin/env bash
# columns.sh - lines of Markdown have at most 100 columns, and lines of code 120
#
# Run in the source folder. Tables, code blocks and lines that begin with a link are exempt.
set -euo pipefail

failed=0
check() {
    awk -v max="$1" '
        FNR == 1 { code = 0 }
        FILENAME ~ /\.md$/ && /^```/ { code = !code }
        length($0) > max && !(FILENAME ~ /\.md$/ && (code || /^\|/ || /^    / || /^!?\[/)) {
            printf "%s:%d: %d columns, more than %d\n", FILENAME, FNR, length($0), max
            bad = 1
        }
        END { exit bad }' "${@:2}" >&2 || failed=1
}

mapfile -t prose < <(find docs README.md CONTRIBUTING.md CHANGELOG.md -name '*.md')
mapfile -t code < <(find src cl include tests tools bench examples cmake scripts .ci -path tests/fuzz/corpus -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.sh' \
    -o -name '*.cmake' -o -name 'CMakeLists.txt' -o -name 'run' \) -print)
check 100 "${prose[@]}"
check 120 "${code[@]}"
exit "$failed"
