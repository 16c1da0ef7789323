#!/usr/bin/env bash
# options.sh - the page of a program has each of its options, and no other: options.sh PAGE PROGRAM
#
# Run in the source folder. The page must mention each long option of --help but --help and --version, and each option
# that begins a row of a table on the page must be in --help.
set -euo pipefail

page=$1
program=$2

# names: prints the long options in the text on standard input, one per line.
names() {
    grep -oE -- '(^|[^a-z0-9-])--[a-z][a-z0-9-]*' | sed 's/^[^-]//' | sort -u
}

# check PAGE: compares the options of the page with those of --help.
check() {
    local text in_help missing unknown
    # The page of clsort-bench ends with a section about another program.
    text=$(sed '/^## Over MPI ranks/,$d' "$1")
    in_help=$("$program" --help | grep -E '^ {2,6}(-[[:alpha:]], )?--' | names | grep -vxE -- '--(help|version)')
    missing=$(comm -23 <(echo "$in_help") <(names <<<"$text") | tr '\n' ' ')
    unknown=$(comm -13 <(echo "$in_help") <(grep -E '^\| `-' <<<"$text" | cut -d'|' -f2 | names) | tr '\n' ' ')
    [[ -z $missing ]] || echo "options.sh: $page lacks options of $program: $missing" >&2
    [[ -z $unknown ]] || echo "options.sh: $page has options that are not in $program --help: $unknown" >&2
    [[ -z $missing$unknown ]]
}

check "$page"

# Copies in which an option has another name, everywhere or in the tables only
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
for edit in 's/--output/--outputs/g' '/^| `-/ s/--output/--outputs/'; do
    sed "$edit" "$page" >"$copy"
    if ! cmp -s "$page" "$copy" && check "$copy" 2>/dev/null; then
        echo "options.sh: a wrong option was not found" >&2
        exit 1
    fi
done
