#!/usr/bin/env bash
# options_agree.sh - manual pages and completions have the options that --help prints, and no others
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/tool/lib.sh
source "$root/tests/tool/lib.sh"

# compare WHERE PROGRAM: the long options in the file found are those in the file expected.
compare() {
    diff expected <(sort -u found) >difference ||
        fail "$1: options of $2 differ from those of --help (<): $(cat difference)"
}

for program in clsort clsort-mpi clsort-gen clsort-tune clsort-bench; do
    command -v "$program" >/dev/null || continue # clsort-bench and clsort-mpi are optional
    expect 0 "$program" --help
    sed -nE 's/^ {2,6}(-., )?--([a-z0-9-]+).*/\2/p' out | sort -u >expected
    [[ -s expected ]] || fail "$program --help prints no options"
    (($(wc -L <out) < 80)) || fail "$program --help prints lines of 80 columns or more"

    sed -nE 's/^\.It .*Fl -([a-z0-9-]+).*/\1/p' "$root/docs/man/$program.1" >found
    compare "docs/man/$program.1" "$program"

    # shellcheck disable=SC1091 # not a script
    (source "$root/tools/completions/clsort.bash" && _clsort "$program" - "$program" &&
        printf '%s\n' "${COMPREPLY[@]}") | sed -n 's/^--//p' >found
    compare clsort.bash "$program"

    sed -n "/^$program)/,/;;/p" "$root/tools/completions/_clsort" |
        sed -nE "s/^ *'(\([^)]*\)|\\*)?--([a-z0-9-]+).*/\2/p" >found
    compare _clsort "$program"

    sed -nE 's/.* -l ([a-z0-9-]+).*/\1/p' "$root/tools/completions/$program.fish" >found
    compare "$program.fish" "$program"
done

if command -v mandoc >/dev/null; then
    mandoc -T lint "$root"/docs/man/*.1 | grep -v 'referenced manual not found' >messages
    [[ ! -s messages ]] || fail "mandoc: $(cat messages)"
fi
finish
