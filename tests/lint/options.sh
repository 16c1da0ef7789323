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

in_help=$("$program" --help | grep -E '^ {2,6}(-[[:alpha:]], )?--' | names | grep -vxE -- '--(help|version)')

# check PAGE: compares the options of the page with those of --help.
check() {
    local text missing unknown
    # The page of clsort-bench ends with a section about another program.
    text=$(sed '/^## Over MPI ranks/,$d' "$1")
    missing=$(comm -23 <(echo "$in_help") <(names <<<"$text") | tr '\n' ' ')
    unknown=$(comm -13 <(echo "$in_help") <(grep -E '^\| `-' <<<"$text" | cut -d'|' -f2 | names) | tr '\n' ' ')
    [[ -z $missing ]] || echo "$1 lacks options of $program: $missing"
    [[ -z $unknown ]] || echo "$1 has options that are not in $program --help: $unknown"
    [[ -z $missing$unknown ]]
}

check "$page" >&2

# Copies in which an option is missing, or in which there is one more
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
option=$(head -n 1 <<<"$in_help")
sed -E "s/$option([^a-z0-9-]|\$)/\1/g" "$page" >"$copy"
if [[ $(check "$copy") != "$copy lacks options of $program: $option " ]]; then
    echo "options.sh: a missing option was not found" >&2
    exit 1
fi
{ echo "| \`--no-such-option\` | none |" && cat "$page"; } >"$copy"
if [[ $(check "$copy") != "$copy has options that are not in $program --help: --no-such-option " ]]; then
    echo "options.sh: an unknown option was not found" >&2
    exit 1
fi
